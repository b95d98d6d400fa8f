//! A whole game of Mau-Mau: its rounds follow from the seed as in the engine.

use super::round::{Move, Round, Rules, SEATS};
use super::{CARDS, rule, search};
use crate::random::{Random, derive, word};
use crate::simulation::random::RandomPolicy;
use crate::simulation::{self, Maker, Outcome, Parameters, Played, Reader, duel, no_policy};

/// The options of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The number of players.
    pub players: usize,
    /// The number of rounds.
    pub rounds: u32,
    /// The number of cards for each player; the first player gets one more.
    pub hand: usize,
    /// The rules of the rounds.
    pub rules: Rules,
}

/// The tallies of each seat.
pub const TALLIES: [&str; 3] = ["rounds won", "rounds finished early", "cards drawn"];

/// A whole game at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MauMau {
    pub(super) options: Options,
    seed: u64,
    pub(super) number: u32,
    pub(super) round: Round,
    pub(super) scores: [u32; SEATS],
    tally: [[u32; SEATS]; TALLIES.len()],
}

/// Deals a round.
fn deal(options: &Options, seed: u64, number: u32) -> Round {
    let mut deck: [u8; CARDS as usize] = std::array::from_fn(|card| card as u8);
    Random::new(derive(seed, &[word("deal"), number.into()])).shuffle(&mut deck);
    let begins = number as usize % options.players;
    let mut left = deck.len();
    let mut hands = [0; SEATS];
    for (seat, hand) in hands.iter_mut().enumerate().take(options.players) {
        let first = left - options.hand - usize::from(seat == begins);
        *hand = deck[first..left].iter().fold(0, |hand, card| hand | 1 << card);
        left = first;
    }
    left -= 1;
    let mut pile = [0; CARDS as usize];
    pile[0] = deck[left];
    deck[left..].fill(0);
    Round {
        rules: options.rules,
        seats: options.players,
        hands,
        stock: deck,
        left,
        pile,
        piled: 1,
        wish: None,
        wishing: false,
        penalty: 0,
        jacks: 0,
        drew: false,
        turn: begins,
        over: false,
        chance: MauMau::chance(seed, number),
        reshuffles: 0,
    }
}

impl MauMau {
    /// Creates a game within a round.
    #[must_use]
    pub const fn within(
        options: &Options,
        seed: u64,
        number: u32,
        round: Round,
        scores: [u32; SEATS],
        tally: [[u32; SEATS]; TALLIES.len()],
    ) -> Self {
        Self { options: *options, seed, number, round, scores, tally }
    }

    /// Returns the seed of the reshuffles of a round.
    #[must_use]
    pub fn chance(seed: u64, number: u32) -> u64 {
        derive(seed, &[word("reshuffle"), u64::from(number) + 1])
    }

    /// Returns by how many points in all a player is ahead of the others by the rounds that are over.
    #[must_use]
    pub fn lead(&self, seat: usize) -> i32 {
        self.scores[..self.options.players]
            .iter()
            .map(|&score| score.cast_signed() - self.scores[seat].cast_signed())
            .sum()
    }

    /// Returns the number of rounds that follow the current one.
    #[must_use]
    pub const fn left(&self) -> u32 {
        self.options.rounds - self.number - 1
    }
}

impl simulation::Game for MauMau {
    type Round = Round;
    type Options = Options;

    fn begin(options: &Options, seed: u64) -> Self {
        Self {
            options: *options,
            seed,
            number: 0,
            round: deal(options, seed, 0),
            scores: [0; SEATS],
            tally: Default::default(),
        }
    }

    fn round(&self) -> &Round {
        &self.round
    }

    fn number(&self) -> u32 {
        self.number
    }

    fn make(&mut self, seat: usize, chosen: Move) {
        let held = self.round.hands[seat].count_ones();
        simulation::Round::make(&mut self.round, seat, chosen);
        let [won, early, drawn] = &mut self.tally;
        match chosen {
            Move::Take(_) => drawn[seat] += self.round.hands[seat].count_ones() - held,
            Move::Finish => early[seat] += 1,
            Move::Play(_) | Move::Wish(_) => {}
        }
        if self.round.over {
            won[seat] += 1;
            for (player, score) in self.scores.iter_mut().enumerate() {
                *score += u32::from(self.round.left_in_hand(player));
            }
            if self.number + 1 < self.options.rounds {
                self.number += 1;
                self.round = deal(&self.options, self.seed, self.number);
            }
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let players = self.options.players;
        let points: Vec<i64> = self.scores[..players].iter().copied().map(i64::from).collect();
        let lost: Vec<i64> = points.iter().map(|score| -score).collect();
        self.round.over.then(|| Outcome {
            payoff: duel(&lost),
            points,
            rounds: self.number + 1,
            tally: TALLIES.into_iter().zip(&self.tally).map(|(name, each)| (name, each[..players].to_vec())).collect(),
        })
    }
}

impl Played for MauMau {
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
