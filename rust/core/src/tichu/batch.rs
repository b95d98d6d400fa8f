//! Steps many games at once and starts a new game when one is over, for learning and statistics.
//!
//! Each game asks one seat at a time: all seats that may move out of turn, one after the other, before an awaited
//! seat; the former may keep silent. An answer is an id of [`encoding`](super::encoding); a seat whose move is split is
//! asked again for its next id.

use std::fmt;

use super::deal::deal;
use super::encoding::{self, ACTIONS, Partial, Row, SILENCE};
use super::moves::Move;
use super::round::{Phase, Round, each, next};
use crate::random::derive;

/// When a game is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// The points that end a game.
    pub points: u32,
    /// The maximum number of rounds; 0 for no limit.
    pub rounds: u32,
}

/// Games that are played in parallel.
#[derive(Clone, Debug)]
pub struct Batch {
    seed: u64,
    goal: Goal,
    games: Vec<Game>,
}

/// One of the games, and the seat to ask.
#[derive(Clone, Debug)]
struct Game {
    round: Round,
    /// The number of games played here before.
    before: u64,
    /// The number of rounds of this game that are over.
    rounds: u32,
    /// The scores of the teams in these rounds.
    scores: [i32; 2],
    /// The lead of seats 0 and 2 in the game that the last step ended.
    ended: Option<i32>,
    asked: u8,
    /// The seats still to be asked before the next move, including the current one.
    speakers: u8,
    partial: Partial,
    /// The moves that begin with the ids chosen so far.
    choices: Vec<Move>,
}

/// Invalid answers; no game was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BadAnswer {
    /// The number of answers is not the number of games.
    Count {
        /// The number of answers.
        answers: usize,
        /// The number of games.
        games: usize,
    },
    /// An answer is not legal.
    Id {
        /// The index of the game.
        game: usize,
        /// The answer.
        id: i64,
    },
}

impl fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { answers, games } => write!(f, "There are {games} games, but {answers} ids."),
            Self::Id { game, id } if usize::try_from(*id).is_ok_and(|id| id < ACTIONS) => {
                write!(f, "Game {game} cannot take the id {id} now: its mask is false there.")
            }
            Self::Id { game, id } => {
                write!(f, "Game {game} cannot take the id {id}: there are the ids 0 to {}.", ACTIONS - 1)
            }
        }
    }
}

impl std::error::Error for BadAnswer {}

impl Batch {
    /// Creates new games; all their cards follow from the seed, that of each game from its index and its number there.
    #[must_use]
    pub fn new(games: usize, seed: u64, goal: Goal) -> Self {
        let games = (0..games as u64).map(|index| Game::new(derive(seed, &[index, 0]))).collect();
        Self { seed, goal, games }
    }

    /// Returns the number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns whether there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// Returns the round of a game, and the seat that is asked.
    #[must_use]
    pub fn asked(&self, game: usize) -> Option<(&Round, u8)> {
        self.games.get(game).map(|game| (&game.round, game.asked))
    }

    /// Returns the lead of seats 0 and 2 in the game that the last step ended at this index.
    #[must_use]
    pub fn ended(&self, game: usize) -> Option<i32> {
        self.games.get(game)?.ended
    }

    /// Calls a function with each legal id of a game; an id may come several times.
    pub fn each_id(&self, game: usize, mut call: impl FnMut(u16)) {
        let Some(game) = self.games.get(game) else { return };
        if game.may_be_silent() {
            call(SILENCE);
        }
        for &chosen in &game.choices {
            call(game.partial.next(chosen, game.asked));
        }
    }

    /// Writes what the asked seat of a game knows.
    pub fn observe(&self, game: usize, row: &mut Row) {
        if let Some(game) = self.games.get(game) {
            encoding::observe(&game.round, game.asked, game.partial, game.scores, row);
        }
    }

    /// Makes one choice in each game, by its id.
    ///
    /// # Errors
    /// An answer is invalid; then no game has changed.
    pub fn step(&mut self, answers: &[i64]) -> Result<(), BadAnswer> {
        if answers.len() != self.games.len() {
            return Err(BadAnswer::Count { answers: answers.len(), games: self.games.len() });
        }
        for (game, (table, &id)) in self.games.iter().zip(answers).enumerate() {
            if !u16::try_from(id).is_ok_and(|id| table.allows(id)) {
                return Err(BadAnswer::Id { game, id });
            }
        }
        for (index, (game, &id)) in self.games.iter_mut().zip(answers).enumerate() {
            // It fits, for it is legal.
            let id = u16::try_from(id).unwrap_or(SILENCE);
            game.step(id, self.goal, |number| derive(self.seed, &[index as u64, number]));
        }
        Ok(())
    }
}

impl Game {
    fn new(seed: u64) -> Self {
        let mut game = Self {
            round: Round::deal(deal(seed, 0)),
            before: 0,
            rounds: 0,
            scores: [0; 2],
            ended: None,
            asked: 0,
            speakers: 0,
            partial: Partial::default(),
            choices: Vec::with_capacity(64),
        };
        game.begin();
        game
    }

    const fn may_be_silent(&self) -> bool {
        self.speakers != 0 && self.partial.combination.is_none()
    }

    fn allows(&self, id: u16) -> bool {
        if id == SILENCE {
            return self.may_be_silent();
        }
        self.choices.iter().any(|&chosen| self.partial.next(chosen, self.asked) == id)
    }

    fn step(&mut self, id: u16, goal: Goal, seed: impl Fn(u64) -> u64) {
        self.ended = None;
        if id == SILENCE {
            self.speakers &= !(1 << self.asked);
            self.ask();
            return;
        }
        if let Some(chosen) = self.choose(id) {
            self.round.make(self.asked, chosen);
            if let Some(score) = self.round.score() {
                self.end_round(score, goal, seed);
            }
            self.begin();
        }
    }

    /// Narrows the choices to those with an id; returns the move if only one is left. Ids without alternative are
    /// skipped.
    fn choose(&mut self, id: u16) -> Option<Move> {
        let (asked, partial) = (self.asked, self.partial);
        if self.choices.len() > 1 {
            self.choices.retain(|&chosen| partial.next(chosen, asked) == id);
        }
        let &[first, _, ..] = self.choices.as_slice() else { return self.choices.first().copied() };
        self.partial = partial.with(id);
        loop {
            let next = self.partial.next(first, asked);
            if self.choices.iter().any(|&chosen| self.partial.next(chosen, asked) != next) {
                return None;
            }
            self.partial = self.partial.with(next);
        }
    }

    fn end_round(&mut self, score: [i16; 2], goal: Goal, seed: impl Fn(u64) -> u64) {
        let [one, other] = [0, 1].map(|team| self.scores[team] + i32::from(score[team]));
        self.scores = [one, other];
        self.rounds += 1;
        let reached = i64::from(one.max(other)) >= i64::from(goal.points) && one != other;
        if reached || goal.rounds == self.rounds {
            self.ended = Some(one - other);
            self.before += 1;
            self.scores = [0; 2];
            self.rounds = 0;
        }
        self.round = Round::deal(deal(seed(self.before), self.rounds.into()));
    }

    /// Collects the seats to ask after a move.
    fn begin(&mut self) {
        self.speakers = self.round.speakers();
        self.ask();
    }

    fn ask(&mut self) {
        self.partial = Partial::default();
        if let Some(seat) = each(self.speakers).next() {
            self.asked = seat;
        } else {
            debug_assert_ne!(self.round.phase(), Phase::Over);
            self.asked = next(self.round.awaited(), 3);
        }
        self.choices.clear();
        self.round.push_legal(self.asked, &mut self.choices);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    const ROUND: Goal = Goal { points: 1000, rounds: 1 };

    fn ids(batch: &Batch, game: usize) -> Vec<u16> {
        let mut ids = Vec::new();
        batch.each_id(game, |id| ids.push(id));
        ids.sort_unstable();
        ids.dedup();
        ids
    }

    /// Steps a batch with random answers, and returns all leads.
    fn leads(games: usize, seed: u64, goal: Goal, steps: usize) -> Vec<(usize, i32)> {
        let mut batch = Batch::new(games, seed, goal);
        let mut randoms: Vec<Random> = (0..games as u64).map(|number| Random::new(derive(9, &[number]))).collect();
        let mut leads = Vec::new();
        for _ in 0..steps {
            let choose = |game: usize| {
                let ids = ids(&batch, game);
                i64::from(ids[randoms[game].below(ids.len() as u64) as usize])
            };
            let answers: Vec<i64> = (0..games).map(choose).collect();
            batch.step(&answers).unwrap();
            leads.extend((0..games).filter_map(|game| batch.ended(game).map(|lead| (game, lead))));
        }
        leads
    }

    #[test]
    fn a_game_goes_its_way_whatever_others_there_are() {
        let one: Vec<_> = leads(1, 5, ROUND, 2000);
        let of_many: Vec<_> = leads(4, 5, ROUND, 2000).into_iter().filter(|&(game, _)| game == 0).collect();
        assert!(one.len() > 5);
        assert_eq!(one, of_many);
    }

    #[test]
    fn games_begin_anew_when_they_are_over() {
        let leads = leads(8, 1, ROUND, 3000);
        assert!((0..8).all(|game| leads.iter().filter(|&&(other, _)| other == game).count() > 5));
        // Without calls both teams have 100 points together, or one has a double win; a call counts hundreds.
        assert!(leads.iter().all(|(_, lead)| lead % 10 == 0));
    }

    #[test]
    fn a_game_of_several_rounds_ends_by_rounds_or_points() {
        let [one, three] = [1, 3].map(|rounds| leads(4, 2, Goal { points: 100_000, rounds }, 6000).len());
        assert!(three * 3 <= one && one <= three * 3 + 3 * 4, "{one} rounds, {three} games");
        let low = leads(4, 2, Goal { points: 1, rounds: 0 }, 6000);
        assert!(!low.is_empty() && low.iter().all(|&(_, lead)| lead != 0));
    }

    #[test]
    fn a_bad_answer_changes_nothing() {
        let mut batch = Batch::new(2, 3, ROUND);
        assert_eq!(batch.step(&[0]), Err(BadAnswer::Count { answers: 1, games: 2 }));
        let error = batch.step(&[227, 0]).unwrap_err();
        assert_eq!(error.to_string(), "Game 1 cannot take the id 0 now: its mask is false there.");
        let error = batch.step(&[227, -1]).unwrap_err();
        assert_eq!(error.to_string(), "Game 1 cannot take the id -1: there are the ids 0 to 301.");
        assert_eq!(batch.asked(0), Batch::new(2, 3, ROUND).asked(0));
    }

    #[test]
    fn who_may_speak_is_asked_before_who_is_awaited() {
        let mut batch = Batch::new(1, 4, ROUND);
        while batch.asked(0).unwrap().0.phase() != Phase::Play {
            let first = ids(&batch, 0)[0];
            batch.step(&[first.into()]).unwrap();
        }
        let mut asked = Vec::new();
        let awaited = batch.asked(0).unwrap().0.awaited();
        for _ in 0..4 {
            let seat = batch.asked(0).unwrap().1;
            asked.push(seat);
            let silent = ids(&batch, 0)[0] == SILENCE;
            assert_eq!(silent, awaited >> seat & 1 == 0);
            if silent {
                batch.step(&[0]).unwrap();
            }
        }
        let leader = next(awaited, 3);
        let speakers: Vec<u8> = (0..4).filter(|&seat| seat != leader).collect();
        assert_eq!(asked, [speakers, vec![leader]].concat());
    }
}
