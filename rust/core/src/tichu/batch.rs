//! Steps many rounds at once and starts a new deal when a round is over, for learning and statistics.
//!
//! Each round asks one seat at a time: all seats that may move out of turn, one after the other, before an awaited
//! seat; the former may keep silent. An answer is an index into the choices of the seat that is asked.

use std::fmt;

use super::deal::deal;
use super::moves::Move;
use super::round::{Phase, Round, each, next};
use crate::random::derive;

/// Rounds that are played in parallel.
#[derive(Clone, Debug)]
pub struct Batch {
    seed: u64,
    tables: Vec<Table>,
}

/// One of the rounds, and the seats to ask.
#[derive(Clone, Debug)]
struct Table {
    round: Round,
    /// The number of rounds dealt here before.
    dealt: u64,
    asked: u8,
    /// The seats still to be asked before the next move, including the current one.
    speakers: u8,
    choices: Vec<Option<Move>>,
}

/// The result of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The scores of the two teams if the round is over; a new one is dealt then.
    pub score: Option<[i16; 2]>,
}

/// Invalid answers; no round was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadAnswer {
    /// The number of answers is not the number of rounds.
    Count {
        /// The number of answers.
        answers: usize,
        /// The number of rounds.
        rounds: usize,
    },
    /// An answer is beyond the choices.
    Place {
        /// The index of the round.
        round: usize,
        /// The answer.
        place: usize,
        /// The number of choices.
        choices: usize,
    },
}

impl fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { answers, rounds } => write!(f, "There are {rounds} rounds, but {answers} answers."),
            Self::Place { round, place, choices } => {
                write!(f, "Round {round} has the choices 0 to {}, but no choice {place}.", choices - 1)
            }
        }
    }
}

impl std::error::Error for BadAnswer {}

impl Batch {
    /// Creates new rounds; all their cards follow from the seed.
    #[must_use]
    pub fn new(rounds: usize, seed: u64) -> Self {
        let tables = (0..rounds as u64).map(|number| Table::new(derive(seed, &[number]))).collect();
        Self { seed, tables }
    }

    /// Returns the number of rounds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tables.len()
    }

    /// Returns whether there are no rounds.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Returns a round, the seat that is asked, and its choices; `None` is to keep silent.
    #[must_use]
    pub fn table(&self, place: usize) -> Option<(&Round, u8, &[Option<Move>])> {
        self.tables.get(place).map(|table| (&table.round, table.asked, table.choices.as_slice()))
    }

    /// Makes one choice in each round, by its index.
    ///
    /// # Errors
    /// An answer is invalid; then no round has changed.
    pub fn step(&mut self, answers: &[usize]) -> Result<Vec<Step>, BadAnswer> {
        if answers.len() != self.tables.len() {
            return Err(BadAnswer::Count { answers: answers.len(), rounds: self.tables.len() });
        }
        for (round, (table, &place)) in self.tables.iter().zip(answers).enumerate() {
            let choices = table.choices.len();
            if place >= choices {
                return Err(BadAnswer::Place { round, place, choices });
            }
        }
        let seed = self.seed;
        let tables = self.tables.iter_mut().zip(answers).enumerate();
        Ok(tables.map(|(number, (table, &place))| table.step(place, derive(seed, &[number as u64]))).collect())
    }
}

impl Table {
    fn new(seed: u64) -> Self {
        let round = Round::deal(deal(seed, 0));
        let mut table = Self { round, dealt: 0, asked: 0, speakers: 0, choices: Vec::with_capacity(64) };
        table.begin();
        table
    }

    fn step(&mut self, place: usize, seed: u64) -> Step {
        let Some(chosen) = self.choices[place] else {
            self.speakers &= !(1 << self.asked);
            self.ask();
            return Step { score: None };
        };
        self.round.make(self.asked, chosen);
        let score = self.round.score();
        if score.is_some() {
            self.dealt += 1;
            self.round = Round::deal(deal(seed, self.dealt));
        }
        self.begin();
        Step { score }
    }

    /// Collects the seats to ask after a move.
    fn begin(&mut self) {
        self.speakers = self.round.speakers();
        self.ask();
    }

    fn ask(&mut self) {
        self.choices.clear();
        if let Some(seat) = each(self.speakers).next() {
            self.asked = seat;
            self.choices.push(None);
        } else {
            debug_assert!(self.round.phase() != Phase::Over);
            self.asked = next(self.round.awaited(), 3);
        }
        self.choices.extend(self.round.legal(self.asked).into_iter().map(Some));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Steps a batch with random answers, and returns all scores.
    fn scores(rounds: usize, seed: u64, steps: usize) -> Vec<(usize, [i16; 2])> {
        let mut batch = Batch::new(rounds, seed);
        let mut randoms: Vec<Random> = (0..rounds as u64).map(|number| Random::new(derive(9, &[number]))).collect();
        let mut scores = Vec::new();
        for _ in 0..steps {
            let answers: Vec<usize> = (0..rounds)
                .map(|place| randoms[place].below(batch.table(place).unwrap().2.len() as u64) as usize)
                .collect();
            for (place, step) in batch.step(&answers).unwrap().into_iter().enumerate() {
                scores.extend(step.score.map(|score| (place, score)));
            }
        }
        scores
    }

    #[test]
    fn a_round_goes_its_way_whatever_others_there_are() {
        let one: Vec<[i16; 2]> = scores(1, 5, 2000).into_iter().map(|(_, score)| score).collect();
        let of_many: Vec<[i16; 2]> =
            scores(4, 5, 2000).into_iter().filter(|&(place, _)| place == 0).map(|(_, score)| score).collect();
        assert!(one.len() > 5);
        assert_eq!(one, of_many);
    }

    #[test]
    fn rounds_are_dealt_anew_when_they_are_over() {
        let scores = scores(8, 1, 3000);
        assert!((0..8).all(|place| scores.iter().filter(|&&(other, _)| other == place).count() > 5));
        // Without calls a round scores 100 points or a double win; each call adds or subtracts a hundred more.
        assert!(scores.iter().all(|(_, [one, other])| (one + other) % 100 == 0));
    }

    #[test]
    fn a_bad_answer_changes_nothing() {
        let mut batch = Batch::new(2, 3);
        assert_eq!(batch.step(&[0]), Err(BadAnswer::Count { answers: 1, rounds: 2 }));
        let error = batch.step(&[1, 2]).unwrap_err();
        assert_eq!(error.to_string(), "Round 1 has the choices 0 to 1, but no choice 2.");
        assert_eq!(batch.table(0).unwrap().0, Batch::new(2, 3).table(0).unwrap().0);
    }

    #[test]
    fn who_may_speak_is_asked_before_who_is_awaited() {
        let mut batch = Batch::new(1, 4);
        while batch.table(0).unwrap().0.phase() != Phase::Play {
            batch.step(&[0]).unwrap();
        }
        let mut asked = Vec::new();
        let awaited = batch.table(0).unwrap().0.awaited();
        for _ in 0..4 {
            let (_, seat, choices) = batch.table(0).unwrap();
            asked.push(seat);
            assert_eq!(choices[0].is_none(), awaited >> seat & 1 == 0);
            batch.step(&[0]).unwrap();
        }
        let leader = next(awaited, 3);
        let speakers: Vec<u8> = (0..4).filter(|&seat| seat != leader).collect();
        assert_eq!(asked, [speakers, vec![leader]].concat());
    }
}
