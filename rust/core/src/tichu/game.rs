//! A whole game of Tichu: its rounds follow from the seed as in the engine; and a round as all simulations see it.

use super::deal::deal;
use super::moves::{Move, Verb};
use super::redeal::Evidence;
use super::round::{NOBODY, Phase, Round, SEATS, at, is_bomb};
use crate::random::Random;
use crate::simulation::{self, Outcome, Seats};

/// The options of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The points that end the game.
    pub goal: i64,
    /// The maximum number of rounds; 0 for no limit.
    pub rounds: u32,
}

/// The tallies of each seat.
pub const TALLIES: [&str; 7] =
    ["small called", "small made", "grand called", "grand made", "double wins", "bombs", "tricks"];

/// A whole game at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tichu {
    options: Options,
    seed: u64,
    number: u32,
    round: Round,
    /// The scores of seats 0 and 2, and of seats 1 and 3, in the rounds that are over.
    scores: [i32; 2],
    tally: [[u32; SEATS as usize]; TALLIES.len()],
}

impl simulation::Round for Round {
    type Move = Move;
    type Evidence = Evidence;

    fn seats(&self) -> usize {
        SEATS.into()
    }

    fn awaited(&self) -> Seats {
        self.awaited().into()
    }

    fn speakers(&self) -> Seats {
        self.speakers().into()
    }

    fn legal(&self, seat: usize, moves: &mut Vec<Move>) {
        self.push_legal(seat as u8, moves);
    }

    fn make(&mut self, seat: usize, chosen: Move) {
        self.make(seat as u8, chosen);
    }

    fn note(&self, evidence: &mut Evidence, seat: usize, chosen: Move) {
        evidence.note(self, seat as u8, chosen);
    }

    fn redeal(&self, seat: usize, evidence: &Evidence, random: &mut Random) -> Self {
        self.redeal(seat as u8, evidence, random)
    }

    fn lead(&self, seat: usize) -> i32 {
        let [one, two, three, four] = self.points().map(i32::from);
        let lead = one + three - two - four;
        if seat.is_multiple_of(2) { lead } else { -lead }
    }
}

impl Tichu {
    /// Creates a game within a round. `tally` is that of the engine, which counts calls of Grand Tichu when all have decided.
    #[must_use]
    pub fn within(
        options: &Options,
        seed: u64,
        number: u32,
        round: Round,
        scores: [i32; 2],
        mut tally: [[u32; SEATS as usize]; TALLIES.len()],
    ) -> Self {
        if round.phase() == Phase::Grand {
            let [_, _, grand_called, ..] = &mut tally;
            grand_called.iter_mut().zip(round.calls).for_each(|(count, call)| *count += u32::from(call == 2));
        }
        Self { options: *options, seed, number, round, scores, tally }
    }

    /// Returns the scores of seats 0 and 2, and of seats 1 and 3, in the rounds that are over.
    #[must_use]
    pub const fn scores(&self) -> [i32; 2] {
        self.scores
    }

    /// Counts what a legal move does.
    fn count(&mut self, seat: usize, chosen: Move) {
        let [small_called, _, grand_called, _, _, bombs, tricks] = &mut self.tally;
        match chosen.verb() {
            Verb::Tichu => small_called[seat] += 1,
            Verb::Grand => grand_called[seat] += 1,
            Verb::Play if is_bomb(chosen.code()) => bombs[seat] += 1,
            // Who gives the dragon's trick away has won it.
            Verb::Take | Verb::Dragon => tricks[seat] += 1,
            _ => {}
        }
    }

    /// Scores a round that a seat's move has ended, and deals the next one unless the game is over.
    fn end_round(&mut self, seat: usize, chosen: Move) {
        let [_, small_made, _, grand_made, double_wins, _, tricks] = &mut self.tally;
        let round = &self.round;
        // The cards that decide a round win its last trick.
        tricks[seat] += u32::from(chosen.verb() == Verb::Play);
        let winner = at(round.winner);
        match round.calls[winner] {
            1 => small_made[winner] += 1,
            2 => grand_made[winner] += 1,
            _ => {}
        }
        if round.loser == NOBODY {
            double_wins[winner] += 1;
            double_wins[(winner + 2) % 4] += 1;
        }
        let [one, two, three, four] = round.points().map(i32::from);
        self.scores = [self.scores[0] + one + three, self.scores[1] + two + four];
        if !self.is_over() {
            self.number += 1;
            self.round = Round::deal(deal(self.seed, self.number.into()));
        }
    }

    /// Returns whether the game is over when the current round is.
    fn is_over(&self) -> bool {
        let [one, other] = self.scores;
        self.options.rounds == self.number + 1 || (i64::from(one.max(other)) >= self.options.goal && one != other)
    }
}

impl simulation::Game for Tichu {
    type Round = Round;
    type Options = Options;

    fn begin(options: &Options, seed: u64) -> Self {
        Self {
            options: *options,
            seed,
            number: 0,
            round: Round::deal(deal(seed, 0)),
            scores: [0; 2],
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
        self.count(seat, chosen);
        self.round.make(seat as u8, chosen);
        if self.round.phase() == Phase::Over {
            self.end_round(seat, chosen);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let [one, other] = self.scores;
        let lead = f64::from(one - other);
        (self.round.phase() == Phase::Over).then(|| Outcome {
            payoff: vec![lead, -lead, lead, -lead],
            points: [one, other, one, other].map(i64::from).to_vec(),
            rounds: self.number + 1,
            tally: TALLIES.into_iter().zip(&self.tally).map(|(name, counts)| (name, counts.to_vec())).collect(),
        })
    }
}
