//! Many games that are stepped at once, for learning and statistics.
//!
//! Each game asks one seat at a time: all seats that may move out of turn, one after the other, before an awaited seat; the
//! former may keep silent. An answer is an id of the game's encoding; a seat whose move is split is asked again for its
//! next id. Policies may play some of the seats, and questions with one answer may be skipped. A game that is over gives way
//! to the next one of its index.

mod table;
#[cfg(test)]
mod tests;

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use self::table::Table;
use super::{Encoded, Maker, MoveOf, Outcome, Round as _, SILENCE};

/// A move that a seat has made.
pub type Made<G> = (usize, MoveOf<G>);

/// What plays a seat that nobody is asked for: makers of policies, each with its weight; a game draws one of them.
pub type Pool<G> = Vec<(f64, Maker<G>)>;

/// What the games of a batch have in common.
pub struct Plan<G: Encoded> {
    /// The options of the games.
    pub options: G::Options,
    /// The seed of all games: the one with number k at index i has the seed `derive(seed, [i, k])`.
    pub seed: u64,
    /// Whether questions with only one answer are skipped.
    pub skip_forced: bool,
    /// What plays each seat; none for a seat that is asked.
    pub pools: Vec<Option<Pool<G>>>,
    /// The positions that games begin from, each of which draws one; none for new games.
    pub starts: Vec<Start<G>>,
    /// How many of the last moves are shown.
    pub history: usize,
}

/// A position that games begin from.
pub struct Start<G: Encoded> {
    seed: u64,
    moves: Vec<Made<G>>,
    /// How many of the moves belong to earlier rounds.
    before: usize,
    game: G,
}

/// The reason why a position is none to begin from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadStart {
    /// A move is not legal.
    Move {
        /// The number of the move, from 1.
        number: usize,
        /// The seat.
        seat: usize,
        /// The move's text.
        text: String,
    },
    /// The game is over.
    Over,
}

impl fmt::Display for BadStart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move { number, seat, text } => write!(f, "seat {seat} may not '{text}' as move {number}."),
            Self::Over => f.write_str("the game is over."),
        }
    }
}

impl std::error::Error for BadStart {}

impl<G: Encoded> Start<G> {
    /// Makes moves, each with its seat and its text, from the deal of a seed on.
    ///
    /// # Errors
    /// A move is not legal, or the game is over.
    pub fn new(options: &G::Options, seed: u64, texts: &[(usize, String)]) -> Result<Self, BadStart> {
        let mut start = Self { seed, moves: Vec::with_capacity(texts.len()), before: 0, game: G::begin(options, seed) };
        let mut legal = Vec::new();
        for (place, (seat, text)) in texts.iter().enumerate() {
            legal.clear();
            if *seat < start.game.round().seats() {
                start.game.round().legal(*seat, &mut legal);
            }
            let Some(&chosen) = legal.iter().find(|chosen| chosen.to_string() == *text) else {
                return Err(BadStart::Move { number: place + 1, seat: *seat, text: text.clone() });
            };
            let round = start.game.number();
            start.moves.push((*seat, chosen));
            start.game.make(*seat, chosen);
            if start.game.number() != round {
                start.before = start.moves.len();
            }
        }
        if start.game.round().awaited() == 0 { Err(BadStart::Over) } else { Ok(start) }
    }
}

/// Invalid answers; no game has changed.
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
        /// The number of ids.
        actions: usize,
    },
}

impl fmt::Display for BadAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { answers, games } => write!(f, "There are {games} games, but {answers} ids."),
            Self::Id { game, id, actions } if usize::try_from(*id).is_ok_and(|id| id < *actions) => {
                write!(f, "Game {game} cannot take the id {id} now: its mask is false there.")
            }
            Self::Id { game, id, actions } => {
                write!(f, "Game {game} cannot take the id {id}: there are the ids 0 to {}.", actions - 1)
            }
        }
    }
}

impl std::error::Error for BadAnswer {}

/// Where a game of a batch stands: the game that took the last answer, and its answers. From these it can be played again,
/// because a game is a function of its seed and the answers; if the last one ended it, the next game follows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The number of the game at its index.
    pub number: u64,
    /// The answers to its questions so far.
    pub answers: Vec<u16>,
}

/// The number of games that are stepped between two questions whether to proceed, besides those between decisions of policies.
const AT_ONCE: usize = 64;

/// Games that are played in parallel.
pub struct Batch<G: Encoded> {
    plan: Arc<Plan<G>>,
    tables: Vec<Table<G>>,
}

/// What one game shows: the question that it asks, and how the last game at its index ended.
pub struct Shown<'a> {
    /// What the seat that is asked knows.
    pub observation: &'a mut [i8],
    /// The rest.
    pub facts: Facts<'a>,
}

/// What one game shows beside the observation.
pub struct Facts<'a> {
    /// Which ids it may choose: 1 or 0.
    pub mask: &'a mut [u8],
    /// The seat that is asked.
    pub seat: &'a mut i8,
    /// The payoff of each seat in the game that the last step ended; zeros where none ended.
    pub reward: &'a mut [f32],
    /// Whether the last step ended a game: 1 or 0.
    pub done: &'a mut u8,
    /// The last moves of the round that it may know, the newest first: for each the seat, counted from it, and the ids, of
    /// which there are [`Encoded::LONGEST`]; −1 where there are fewer.
    pub history: &'a mut [i16],
}

/// Asks now and then whether to proceed, and keeps in mind that it must not.
struct Patience<'a> {
    proceed: &'a mut dyn FnMut() -> bool,
    is_over: bool,
}

impl<'a> Patience<'a> {
    fn new(proceed: &'a mut dyn FnMut() -> bool) -> Self {
        Self { proceed, is_over: false }
    }

    /// Returns whether to proceed.
    fn lasts(&mut self) -> bool {
        self.is_over |= !(self.proceed)();
        !self.is_over
    }
}

impl<G: Encoded> Batch<G> {
    /// Begins new games; none if `proceed`, which is called from time to time, has returned false.
    #[must_use]
    pub fn new(games: usize, plan: Plan<G>, proceed: &mut dyn FnMut() -> bool) -> Option<Self> {
        let (plan, mut patience) = (Arc::new(plan), Patience::new(proceed));
        let begin = |index| {
            let table = Table::new(&plan, index, 0, &mut patience);
            patience.lasts().then_some(table)
        };
        let tables = (0..games as u64).map(begin).collect::<Option<_>>()?;
        Some(Self { plan, tables })
    }

    /// Returns the number of games.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.tables.len()
    }

    /// Returns whether there are no games.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tables.is_empty()
    }

    /// Returns why a game could not begin; it asks nothing more.
    #[must_use]
    pub fn flaw(&self) -> Option<&'static str> {
        self.tables.iter().find_map(|table| table.game.flaw())
    }

    /// Returns a game and the seat that is asked.
    #[must_use]
    pub fn asked(&self, game: usize) -> Option<(&G, usize)> {
        self.tables.get(game).map(|table| (&table.game, table.asked))
    }

    /// Returns how the game ended that the last step ended at this index.
    #[must_use]
    pub fn ended(&self, game: usize) -> Option<&Outcome> {
        self.tables.get(game)?.ended.as_ref()
    }

    /// Returns where each game stands.
    #[must_use]
    pub fn courses(&self) -> Vec<Course> {
        self.tables.iter().map(|table| table.course.clone()).collect()
    }

    /// Continues all games where they stood elsewhere; no game has changed if `proceed`, which is called from time to time,
    /// has returned false.
    ///
    /// # Errors
    /// There is another number of games, or an answer is not legal; no game has changed.
    pub fn restore(&mut self, courses: &[Course], proceed: &mut dyn FnMut() -> bool) -> Result<(), BadAnswer> {
        let (answers, games) = (courses.len(), self.len());
        if answers != games {
            return Err(BadAnswer::Count { answers, games });
        }
        let mut patience = Patience::new(proceed);
        let mut tables = Vec::with_capacity(games);
        for (game, course) in courses.iter().enumerate() {
            let mut table = Table::new(&self.plan, game as u64, course.number, &mut patience);
            let followed = table.follow(&self.plan, course, &mut patience);
            if !patience.lasts() {
                return Ok(());
            }
            followed.map_err(|id| BadAnswer::Id { game, id: id.into(), actions: G::ACTIONS })?;
            tables.push(table);
        }
        self.tables = tables;
        Ok(())
    }

    /// Answers the question of each game by an id. The games stand anywhere within their steps if `proceed`, which is called
    /// from time to time by this thread, has returned false.
    ///
    /// # Errors
    /// An answer is invalid; then no game has changed.
    pub fn step(
        &mut self,
        answers: &[i64],
        threads: NonZeroUsize,
        proceed: &mut dyn FnMut() -> bool,
    ) -> Result<(), BadAnswer> {
        if answers.len() != self.tables.len() {
            return Err(BadAnswer::Count { answers: answers.len(), games: self.tables.len() });
        }
        for (game, (table, &id)) in self.tables.iter().zip(answers).enumerate() {
            if !u16::try_from(id).is_ok_and(|id| table.allows(id)) {
                return Err(BadAnswer::Id { game, id, actions: G::ACTIONS });
            }
        }
        let (plan, share) = (&*self.plan, self.tables.len().div_ceil(threads.get()).max(1));
        let is_over = AtomicBool::new(false);
        let work = |(tables, answers): (&mut [Table<G>], &[i64]), proceed: &mut dyn FnMut() -> bool| {
            let mut patience = Patience::new(proceed);
            for (tables, answers) in tables.chunks_mut(AT_ONCE).zip(answers.chunks(AT_ONCE)) {
                for (table, &id) in tables.iter_mut().zip(answers) {
                    // It fits, for it is legal.
                    table.step(plan, u16::try_from(id).unwrap_or(SILENCE), &mut patience);
                }
                if !patience.lasts() {
                    is_over.store(true, Ordering::Relaxed);
                    return;
                }
            }
        };
        let parts = self.tables.chunks_mut(share).zip(answers.chunks(share));
        in_parts(parts, |part| work(part, proceed), |part| work(part, &mut || !is_over.load(Ordering::Relaxed)));
        Ok(())
    }

    /// Returns the seed of the deal of a game, and its moves with their seats.
    #[must_use]
    pub fn record(&self, game: usize) -> Option<(u64, &[Made<G>])> {
        self.tables.get(game).map(|table| (table.seed, table.moves.as_slice()))
    }

    /// Returns what the seat that answered last knew when the game was over that the last step ended at this index: its
    /// observation, and the last moves.
    #[must_use]
    pub fn last(&self, game: usize) -> Option<(&[i8], &[i16])> {
        let table = self.tables.get(game).filter(|table| table.ended.is_some())?;
        Some((&table.last, &table.last_moves))
    }

    /// Writes what some games show, from a game on; there is a row for each of them.
    pub fn write(&self, first: usize, rows: &mut [Shown<'_>], threads: NonZeroUsize) {
        let tables = &self.tables[first..first + rows.len()];
        let share = rows.len().div_ceil(threads.get()).max(1);
        let work = |(tables, rows): (&[Table<G>], &mut [Shown<'_>])| {
            for (table, row) in tables.iter().zip(rows) {
                table.observe(row.observation);
                table.write(&self.plan, &mut row.facts);
            }
        };
        in_parts(tables.chunks(share).zip(rows.chunks_mut(share)), work, work);
    }

    /// Writes what a game shows beside the observation.
    pub fn write_facts(&self, game: usize, facts: &mut Facts<'_>) {
        self.tables[game].write(&self.plan, facts);
    }

    /// Writes the observation of a game, or no more than what may have changed in the last step: the elements from
    /// [`Encoded::FIXED`] on. Returns them, with the number of the first one.
    pub fn write_changed<'a>(&self, game: usize, row: &'a mut [i8]) -> (usize, &'a [i8]) {
        let first = if self.tables[game].has_gone_on { G::FIXED } else { 0 };
        self.tables[game].observe(&mut row[first..]);
        (first, &row[first..])
    }
}

/// Does work on the first part in this thread, and on each of the others in a thread of its own.
fn in_parts<T: Send>(mut parts: impl Iterator<Item = T>, here: impl FnOnce(T), there: impl Fn(T) + Sync) {
    thread::scope(|scope| {
        let (first, there) = (parts.next(), &there);
        parts.for_each(|part| {
            scope.spawn(move || there(part));
        });
        if let Some(first) = first {
            here(first);
        }
    });
}
