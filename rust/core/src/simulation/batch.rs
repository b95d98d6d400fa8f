//! Many games that are stepped at once, for learning and statistics.
//!
//! Each game asks one seat at a time: all seats that may move out of turn, one after the other, before an awaited seat; the
//! former may keep silent. An answer is an id of the game's encoding; a seat whose move is split is asked again for its
//! next id. Policies may play some of the seats, and questions with one answer may be skipped. A game that is over gives way
//! to the next one of its index.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::thread;

use super::{Encoded, Maker, MoveOf, Outcome, Policy, Round, SILENCE, Seats, each};
use crate::random::{Random, derive, word};

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

/// Where a game of a batch stands: the number of its game, and the answers since its begin. It can be played again from
/// these, because a game is a function of its seed and the answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Course {
    /// The number of the game at its index.
    pub number: u64,
    /// The answers to the questions so far.
    pub answers: Vec<u16>,
}

/// Games that are played in parallel.
pub struct Batch<G: Encoded> {
    plan: Arc<Plan<G>>,
    tables: Vec<Table<G>>,
}

/// What one game shows: the question that it asks, and how the last game at its index ended.
pub struct Shown<'a> {
    /// What the seat that is asked knows.
    pub observation: &'a mut [i8],
    /// Which ids it may choose: 1 or 0.
    pub mask: &'a mut [u8],
    /// The seat that is asked.
    pub seat: &'a mut i8,
    /// The payoff of each seat in the game that the last step ended; zeros where none ended.
    pub reward: &'a mut [f32],
    /// Whether the last step ended a game: 1 or 0.
    pub done: &'a mut u8,
}

impl<G: Encoded> Batch<G> {
    /// Begins new games.
    #[must_use]
    pub fn new(games: usize, plan: Plan<G>) -> Self {
        let plan = Arc::new(plan);
        let tables = (0..games as u64).map(|index| Table::new(&plan, index, 0)).collect();
        Self { plan, tables }
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

    /// Continues all games where they stood elsewhere.
    ///
    /// # Errors
    /// There is another number of games, or an answer is not legal; no game has changed.
    pub fn restore(&mut self, courses: &[Course]) -> Result<(), BadAnswer> {
        let (answers, games) = (courses.len(), self.len());
        if answers != games {
            return Err(BadAnswer::Count { answers, games });
        }
        let replay = |(game, course): (usize, &Course)| {
            let mut table = Table::new(&self.plan, game as u64, course.number);
            for &id in &course.answers {
                if table.course.number != course.number || !table.allows(id) {
                    return Err(BadAnswer::Id { game, id: id.into(), actions: G::ACTIONS });
                }
                table.step(&self.plan, id);
            }
            Ok(table)
        };
        self.tables = courses.iter().enumerate().map(replay).collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Answers the question of each game by an id.
    ///
    /// # Errors
    /// An answer is invalid; then no game has changed.
    pub fn step(&mut self, answers: &[i64], threads: NonZeroUsize) -> Result<(), BadAnswer> {
        if answers.len() != self.tables.len() {
            return Err(BadAnswer::Count { answers: answers.len(), games: self.tables.len() });
        }
        for (game, (table, &id)) in self.tables.iter().zip(answers).enumerate() {
            if !u16::try_from(id).is_ok_and(|id| table.allows(id)) {
                return Err(BadAnswer::Id { game, id, actions: G::ACTIONS });
            }
        }
        let (plan, share) = (&*self.plan, self.tables.len().div_ceil(threads.get()).max(1));
        let work = |(tables, answers): (&mut [Table<G>], &[i64])| {
            for (table, &id) in tables.iter_mut().zip(answers) {
                // It fits, for it is legal.
                table.step(plan, u16::try_from(id).unwrap_or(SILENCE));
            }
        };
        in_parts(self.tables.chunks_mut(share).zip(answers.chunks(share)), threads, work);
        Ok(())
    }

    /// Returns what the seat that answered last knew when the game was over that the last step ended at this index.
    #[must_use]
    pub fn last(&self, game: usize) -> Option<&[i8]> {
        self.tables.get(game).filter(|table| table.ended.is_some()).map(|table| table.last.as_slice())
    }

    /// Writes what some games show, from a game on; there is a row for each of them.
    pub fn write(&self, first: usize, rows: &mut [Shown<'_>]) {
        for (table, row) in self.tables[first..].iter().zip(rows) {
            table.write(row);
        }
    }
}

/// Does work on each part, on a thread of its own if there are several.
fn in_parts<T: Send>(parts: impl Iterator<Item = T>, threads: NonZeroUsize, work: impl Fn(T) + Sync) {
    if threads.get() == 1 {
        parts.for_each(work);
        return;
    }
    thread::scope(|scope| {
        let work = &work;
        parts.for_each(|part| {
            scope.spawn(move || work(part));
        });
    });
}

/// One of the games, and its question.
struct Table<G: Encoded> {
    index: u64,
    game: G,
    course: Course,
    /// The seat that is asked, or that moves now.
    asked: usize,
    /// The seat that answered last.
    answered: usize,
    /// The seats still to be asked before the next move, including the current one.
    speakers: Seats,
    partial: G::Partial,
    /// Whether an id has been chosen of a move that is split.
    begun: bool,
    /// The moves that begin with the ids chosen so far.
    choices: Vec<MoveOf<G>>,
    /// The next id of each of them.
    ids: Vec<u16>,
    players: Vec<Option<Box<dyn Policy<G>>>>,
    /// How the game ended that the last step ended, and what the seat of the last choice knew then.
    ended: Option<Outcome>,
    last: Vec<i8>,
}

impl<G: Encoded> Table<G> {
    fn new(plan: &Plan<G>, index: u64, number: u64) -> Self {
        let mut table = Self {
            index,
            game: G::begin(&plan.options, 0),
            course: Course::default(),
            asked: 0,
            answered: 0,
            speakers: 0,
            partial: G::Partial::default(),
            begun: false,
            choices: Vec::with_capacity(64),
            ids: Vec::with_capacity(64),
            players: Vec::new(),
            ended: None,
            last: Vec::new(),
        };
        table.begin(plan, number);
        table.go_on(plan);
        table
    }

    /// Begins the game with a number, and seats its players.
    fn begin(&mut self, plan: &Plan<G>, number: u64) {
        let seed = derive(plan.seed, &[self.index, number]);
        self.game = G::begin(&plan.options, seed);
        self.course.number = number;
        self.course.answers.clear();
        self.players.clear();
        for (seat, pool) in plan.pools.iter().enumerate() {
            let chance = |what: &str| Random::new(derive(seed, &[word(what), seat as u64]));
            self.players.push(pool.as_ref().and_then(|pool| drawn(pool, &mut chance("pool"))).map(|maker| {
                let mut player = maker();
                player.start(chance("agent"));
                player
            }));
        }
        self.speakers = self.game.round().speakers();
    }

    const fn may_be_silent(&self) -> bool {
        self.speakers != 0 && !self.begun
    }

    fn allows(&self, id: u16) -> bool {
        if id == SILENCE {
            return self.may_be_silent();
        }
        self.ids.contains(&id)
    }

    /// Takes an answer, and goes on to the next question.
    fn step(&mut self, plan: &Plan<G>, id: u16) {
        self.ended = None;
        self.answered = self.asked;
        self.course.answers.push(id);
        self.answer(id);
        self.go_on(plan);
    }

    fn answer(&mut self, id: u16) {
        if id == SILENCE {
            self.speakers &= !(1 << self.asked);
        } else if let Some(chosen) = self.choose(id) {
            self.make(chosen);
        }
    }

    fn make(&mut self, chosen: MoveOf<G>) {
        for player in self.players.iter_mut().flatten() {
            player.watch(&self.game, self.asked, chosen);
        }
        self.game.make(self.asked, chosen);
        self.begun = false;
        self.partial = G::Partial::default();
        self.speakers = self.game.round().speakers();
    }

    /// Narrows the choices to those with an id; returns the move if only one is left. Ids without alternative are
    /// skipped.
    fn choose(&mut self, id: u16) -> Option<MoveOf<G>> {
        let mut ids = self.ids.iter();
        self.choices.retain(|_| ids.next() == Some(&id));
        if self.choices.len() < 2 {
            return self.choices.first().copied();
        }
        self.begun = true;
        self.partial = G::with(self.partial, id);
        self.number();
        while let Some(next) = self.only() {
            self.partial = G::with(self.partial, next);
            self.number();
        }
        None
    }

    /// Notes the next id of each choice.
    fn number(&mut self) {
        let (partial, asked) = (self.partial, self.asked);
        self.ids.clear();
        self.ids.extend(self.choices.iter().map(|&chosen| G::next(partial, chosen, asked)));
    }

    /// Lets policies play and games end until there is a question.
    fn go_on(&mut self, plan: &Plan<G>) {
        while !self.asks(plan) {
            if self.game.round().awaited() == 0 {
                // A game that asked nothing is not told: nobody has learned anything in it.
                if !self.course.answers.is_empty() {
                    self.end();
                }
                self.begin(plan, self.course.number + 1);
            }
        }
    }

    /// Keeps how the game ended.
    fn end(&mut self) {
        self.ended = self.game.outcome();
        self.last.resize(G::SIZE, 0);
        self.game.observe(self.answered, G::Partial::default(), &mut self.last);
    }

    /// Returns whether there is a question; otherwise a policy has decided, a question with one answer has been skipped, or
    /// the game is over.
    fn asks(&mut self, plan: &Plan<G>) -> bool {
        if self.begun {
            return true;
        }
        let (round, must) = (self.game.round(), self.speakers == 0);
        let Some(seat) = each(if must { round.awaited() } else { self.speakers }).next() else { return false };
        if let Some(player) = self.players.get_mut(seat).and_then(Option::as_mut) {
            match player.act(&self.game, seat, must) {
                Some(chosen) => {
                    self.asked = seat;
                    self.make(chosen);
                }
                None => self.speakers &= !(1 << seat),
            }
            return false;
        }
        self.asked = seat;
        self.choices.clear();
        round.legal(seat, &mut self.choices);
        self.number();
        // The first question of a game is always asked, so that no game passes unseen.
        if !must || !plan.skip_forced || self.course.answers.is_empty() {
            return true;
        }
        let Some(only) = self.only() else { return true };
        self.answer(only);
        false
    }

    /// Returns the only answer to the question, if there are no others.
    fn only(&self) -> Option<u16> {
        let (&first, others) = self.ids.split_first()?;
        others.iter().all(|&id| id == first).then_some(first)
    }

    fn write(&self, row: &mut Shown<'_>) {
        self.game.observe(self.asked, self.partial, row.observation);
        row.mask.fill(0);
        row.mask[usize::from(SILENCE)] = self.may_be_silent().into();
        for &id in &self.ids {
            row.mask[usize::from(id)] = 1;
        }
        *row.seat = i8::try_from(self.asked).unwrap_or(i8::MAX);
        *row.done = self.ended.is_some().into();
        row.reward.fill(0.0);
        let payoffs = self.ended.iter().flat_map(|outcome| &outcome.payoff);
        for (reward, payoff) in row.reward.iter_mut().zip(payoffs) {
            *reward = *payoff as f32;
        }
    }
}

/// Draws the maker of a pool by the weights.
fn drawn<'a, G: Encoded>(pool: &'a Pool<G>, random: &mut Random) -> Option<&'a Maker<G>> {
    let [(_, only)] = pool.as_slice() else {
        let total: f64 = pool.iter().map(|(weight, _)| weight).sum();
        let mut place = random.unit() * total;
        let found = pool.iter().find(|(weight, _)| {
            place -= weight;
            place < 0.0
        });
        return found.or(pool.last()).map(|(_, maker)| maker);
    };
    Some(only)
}
