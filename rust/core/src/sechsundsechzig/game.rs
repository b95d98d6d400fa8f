//! A series of games from its seed to the game points that end it.

use super::evidence::{Evidence, History};
use super::moves::Move;
use super::round::{HAND, Round, Stock};
use super::{CARDS, rule, search};
use crate::random::{Random, derive, word};
use crate::simulation::random::RandomPolicy;
use crate::simulation::{self, Maker, Outcome, Parameters, Played, Reader, Round as _, duel, no_policy};

/// The options of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The game points that end the series.
    pub goal: i64,
}

/// What is counted for each player, by the engine's names and in its order.
pub const TALLY: [&str; 5] = ["won", "closed", "announced", "stopped", "tricks"];
const WON: usize = 0;
const CLOSED: usize = 1;
const ANNOUNCED: usize = 2;
const STOPPED: usize = 3;
const TRICKS: usize = 4;

/// The rest of a series at one moment, beside the running game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The number of the running game, from 0.
    pub number: u32,
    /// The number of the game with which the series ends, whatever the scores are.
    pub until: Option<u32>,
    /// The game points of both players.
    pub scores: [i64; 2],
    /// The counts of both players.
    pub tally: [[u32; 2]; TALLY.len()],
    /// The cards of the last trick.
    pub last: u32,
}

/// A series at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sechsundsechzig {
    options: Options,
    seed: u64,
    round: Round,
    evidence: Evidence,
    standing: Standing,
}

impl Sechsundsechzig {
    /// Creates a series within a game.
    #[must_use]
    pub fn within(options: &Options, seed: u64, round: Round, evidence: Evidence, standing: Standing) -> Self {
        let mut game = Self { options: *options, seed, round, evidence, standing };
        game.round.follows = round.result.is_some() && !game.is_over();
        game
    }

    /// Returns what is known of the running game beside its moment.
    #[must_use]
    pub const fn evidence(&self) -> &Evidence {
        &self.evidence
    }

    /// Returns the rest of the series.
    #[must_use]
    pub const fn standing(&self) -> &Standing {
        &self.standing
    }

    /// Returns the game points that a player still needs.
    #[must_use]
    pub const fn needed(&self, player: usize) -> i64 {
        self.options.goal - self.standing.scores[player]
    }

    fn is_over(&self) -> bool {
        let Standing { number, until, .. } = self.standing;
        self.round.result.is_some() && (self.needed(0) <= 0 || self.needed(1) <= 0 || until == Some(number))
    }

    const fn count(&mut self, what: usize, player: usize) {
        self.standing.tally[what][player] += 1;
    }

    /// Notes what a move has changed beside the round, which was another before.
    fn follow(&mut self, before: &Round, player: usize, chosen: Move) {
        match (chosen, before.led) {
            (Move::Announce | Move::AnnounceTrump, _) => self.count(ANNOUNCED, player),
            (Move::Close, _) => self.count(CLOSED, player),
            (Move::Stop, _) => self.count(STOPPED, player),
            (Move::Lay(card), Some(led)) => {
                // Whose turn it is does not tell: after the last trick, it is that of the winner of the game.
                let winner = usize::from(self.round.sides[1].taken != before.sides[1].taken);
                self.count(TRICKS, winner);
                self.standing.last = 1 << led | 1 << card;
            }
            (Move::Lay(_) | Move::Swap | Move::Restart, _) => {}
        }
        if let Some(result) = self.round.result {
            let winner = usize::from(result < 0);
            self.standing.scores[winner] += i64::from(result.abs());
            self.count(WON, winner);
            self.round.follows = !self.is_over();
        }
    }

    /// Deals a game, which a player leads.
    fn deal(&mut self, number: u32, leader: usize) {
        let mut deck: [u8; CARDS as usize] = std::array::from_fn(|card| card as u8);
        Random::new(derive(self.seed, &[word("deal"), u64::from(number)])).shuffle(&mut deck);
        let (hands, rest) = deck.split_at(2 * HAND as usize);
        let (first, second) = hands.split_at(HAND as usize);
        let hand = |cards: &[u8]| cards.iter().fold(0, |hand, card| hand | 1 << card);
        // The engine's deck begins with the open card, which is drawn last.
        let (open, face_down) = (rest[0], &rest[1..]);
        let stock = Stock::new(face_down.iter().copied().chain([open]));
        self.round = Round::begun([hand(first), hand(second)], stock, leader);
        self.evidence = Evidence { history: Some(History::new(leader, open)), ..Evidence::default() };
        self.standing = Standing { number, last: 0, ..self.standing };
    }
}

impl simulation::Game for Sechsundsechzig {
    type Round = Round;
    type Options = Options;

    fn begin(options: &Options, seed: u64) -> Self {
        let round = Round::begun([0; 2], Stock::default(), 0);
        let mut game = Self::within(options, seed, round, Evidence::default(), Standing::default());
        game.deal(0, 0);
        game
    }

    fn round(&self) -> &Round {
        &self.round
    }

    fn number(&self) -> u32 {
        self.standing.number
    }

    /// Makes a legal move. The next game is dealt when a player restarts.
    fn make(&mut self, seat: usize, chosen: Move) {
        if chosen == Move::Restart {
            return self.deal(self.standing.number + 1, self.round.turn);
        }
        let before = self.round;
        before.note(&mut self.evidence, seat, chosen);
        self.round.make(seat, chosen);
        self.follow(&before, seat, chosen);
    }

    fn outcome(&self) -> Option<Outcome> {
        let Standing { number, scores, tally, .. } = self.standing;
        self.is_over().then(|| Outcome {
            payoff: duel(&scores),
            points: scores.to_vec(),
            rounds: number + 1,
            tally: TALLY.into_iter().zip(tally.map(|counts| counts.to_vec())).collect(),
        })
    }
}

impl Played for Sechsundsechzig {
    const POLICIES: &'static [&'static str] = &["random", "rule", "search"];

    fn policy(name: &str, parameters: &Parameters) -> Result<Maker<Self>, String> {
        let reader = Reader::new(name, parameters);
        match name {
            "random" => {
                reader.end()?;
                Ok(Box::new(|| Box::<RandomPolicy<Self>>::default()))
            }
            "rule" => {
                reader.end()?;
                Ok(Box::new(|| Box::new(rule::RulePolicy)))
            }
            "search" => {
                let settings = search::Settings::read(reader)?;
                Ok(Box::new(move || Box::new(search::SearchPolicy::new(settings))))
            }
            _ => Err(no_policy(name, Self::POLICIES)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulation::{Encoded, Game as _, Parameters, Played, Value, each};

    /// Plays games by the rules of thumb and, now and then, at random, and shows each moment with its seats.
    fn follow(mut each_moment: impl FnMut(&Sechsundsechzig, usize, &mut Random)) {
        for seed in 0..25 {
            let mut game = Sechsundsechzig::begin(&Options { goal: 4 }, seed);
            let mut random = Random::new(seed);
            let mut rule = Sechsundsechzig::policy("rule", &Parameters::new()).unwrap()();
            while let Some(seat) = each(game.round().awaited()).next() {
                (0..2).for_each(|seat| each_moment(&game, seat, &mut random));
                let mut legal = Vec::new();
                game.round().legal(seat, &mut legal);
                let usual = rule.act(&game, seat, true).filter(|_| random.below(3) > 0);
                let chosen = usual.unwrap_or_else(|| legal[random.below(legal.len() as u64) as usize]);
                game.make(seat, chosen);
            }
        }
    }

    /// Returns a game that a seat cannot tell from the true one.
    fn other(game: &Sechsundsechzig, seat: usize, random: &mut Random) -> Sechsundsechzig {
        let round = game.round.redeal(seat, &game.evidence, random);
        Sechsundsechzig { round, ..*game }
    }

    #[test]
    fn a_seat_sees_and_may_the_same_in_games_that_it_cannot_tell_apart() {
        let mut dealt_anew = 0;
        follow(|game, seat, random| {
            let other = other(game, seat, random);
            dealt_anew += u32::from(other != *game);
            let seen = |game: &Sechsundsechzig| {
                let (mut row, mut legal) = (vec![0; Sechsundsechzig::SIZE], Vec::new());
                game.observe(seat, (), &mut row);
                game.round().legal(seat, &mut legal);
                (row, legal, game.round().awaited(), game.round().speakers())
            };
            assert_eq!(seen(game), seen(&other));
        });
        assert!(dealt_anew > 500, "{dealt_anew}");
    }

    #[test]
    fn policies_decide_by_what_their_seat_may_know() {
        let small = [("playouts", 4), ("draws", 2)];
        let small: Parameters = small.map(|(name, number)| (name.to_owned(), Value::Whole(number))).into();
        for (name, parameters) in [("random", Parameters::new()), ("rule", Parameters::new()), ("search", small)] {
            let maker = Sechsundsechzig::policy(name, &parameters).unwrap();
            follow(|game, seat, random| {
                if game.round().awaited() >> seat & 1 == 0 {
                    return;
                }
                let (seed, other) = (random.bits(), other(game, seat, random));
                let [first, second] = [game, &other].map(|game| {
                    let mut player = maker();
                    player.start(Random::new(seed));
                    player.act(game, seat, true)
                });
                assert_eq!(first, second, "{name} {game:?}");
            });
        }
    }
}
