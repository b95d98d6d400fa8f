//! One of the games of a batch: it plays until there is a question, and takes the answer.

use super::{Course, Facts, Made, Patience, Plan, Pool, Start};
use crate::random::{Random, derive, word};
use crate::simulation::{Encoded, MoveOf, Outcome, Policy, Round, SILENCE, Seats, each};

/// The players of a seat: one of each policy of its pool, made when it is drawn for the first time.
struct Players<G: Encoded> {
    players: Vec<Option<Box<dyn Policy<G>>>>,
    /// The one that plays this game.
    drawn: usize,
}

impl<G: Encoded> Players<G> {
    /// Draws the player of a new game.
    fn begin(&mut self, pool: &Pool<G>, seat: usize, seed: u64) {
        let chance = |what: &str| Random::new(derive(seed, &[word(what), seat as u64]));
        self.drawn = drawn(pool, &mut chance("pool"));
        if let (Some(player), Some((_, maker))) = (self.players.get_mut(self.drawn), pool.get(self.drawn)) {
            player.get_or_insert_with(maker).start(chance("agent"));
        }
    }

    fn drawn(&mut self) -> Option<&mut Box<dyn Policy<G>>> {
        self.players.get_mut(self.drawn)?.as_mut()
    }
}

/// Draws one of a pool by the weights.
fn drawn<G: Encoded>(pool: &Pool<G>, random: &mut Random) -> usize {
    if pool.len() < 2 {
        return 0;
    }
    let total: f64 = pool.iter().map(|(weight, _)| weight).sum();
    let mut place = random.unit() * total;
    let found = pool.iter().position(|(weight, _)| {
        place -= weight;
        place < 0.0
    });
    found.unwrap_or(pool.len() - 1)
}

/// One of the games, and its question.
pub(super) struct Table<G: Encoded> {
    index: u64,
    /// The number of this game.
    number: u64,
    pub(super) game: G,
    /// The seed of its deal.
    pub(super) seed: u64,
    /// The moves since the deal.
    pub(super) moves: Vec<Made<G>>,
    /// How many of them belong to earlier rounds.
    before: usize,
    pub(super) course: Course,
    /// The seat that is asked, or that moves now.
    pub(super) asked: usize,
    /// The seat that answered last.
    answered: usize,
    /// The seats still to be asked before the next move, including the current one.
    speakers: Seats,
    partial: G::Partial,
    /// Whether an id has been chosen of a move that is split.
    begun: bool,
    /// The moves that begin with the ids chosen so far, and the next id of each.
    choices: Vec<MoveOf<G>>,
    ids: Vec<u16>,
    /// Whether this game has asked before the last step, too.
    pub(super) has_gone_on: bool,
    players: Vec<Option<Players<G>>>,
    /// How the game ended that the last step ended, and what the seat of the last answer knew then.
    pub(super) ended: Option<Outcome>,
    pub(super) last: Vec<i8>,
    pub(super) last_moves: Vec<i16>,
}

impl<G: Encoded> Table<G> {
    pub(super) fn new(plan: &Plan<G>, index: u64, number: u64, patience: &mut Patience<'_>) -> Self {
        let players = |pool: &Pool<G>| Players { players: pool.iter().map(|_| None).collect(), drawn: 0 };
        let mut table = Self {
            index,
            number,
            game: G::begin(&plan.options, 0),
            seed: 0,
            moves: Vec::with_capacity(64),
            before: 0,
            course: Course { number, answers: Vec::with_capacity(64) },
            asked: 0,
            answered: 0,
            speakers: 0,
            partial: G::Partial::default(),
            begun: false,
            choices: Vec::with_capacity(64),
            ids: Vec::with_capacity(64),
            has_gone_on: false,
            players: plan.pools.iter().map(|pool| pool.as_ref().map(players)).collect(),
            ended: None,
            last: Vec::new(),
            last_moves: Vec::new(),
        };
        table.begin(plan, number);
        table.go_on(plan, patience);
        table
    }

    /// Begins the game with a number, and seats its players.
    fn begin(&mut self, plan: &Plan<G>, number: u64) {
        let seed = derive(plan.seed, &[self.index, number]);
        self.number = number;
        for (seat, (players, pool)) in self.players.iter_mut().zip(&plan.pools).enumerate() {
            if let (Some(players), Some(pool)) = (players, pool) {
                players.begin(pool, seat, seed);
            }
        }
        self.moves.clear();
        self.before = 0;
        self.has_gone_on = false;
        let place = Random::new(derive(seed, &[word("start")])).below(plan.starts.len() as u64);
        if let Some(start) = plan.starts.get(place as usize) {
            self.begin_from(plan, start);
        } else {
            self.seed = seed;
            self.game = G::begin(&plan.options, seed);
        }
        self.speakers = self.game.round().speakers();
    }

    /// Begins a game from a position; its players follow the moves.
    fn begin_from(&mut self, plan: &Plan<G>, start: &Start<G>) {
        self.seed = start.seed;
        if self.players.iter().any(Option::is_some) {
            self.game = G::begin(&plan.options, start.seed);
            start.moves.iter().for_each(|&(seat, chosen)| self.make(seat, chosen));
        } else {
            self.game = start.game.clone();
            self.moves.extend_from_slice(&start.moves);
            self.before = start.before;
        }
    }

    /// Whether this game has asked a question that was answered.
    fn is_known(&self) -> bool {
        self.course.number == self.number && !self.course.answers.is_empty()
    }

    const fn may_be_silent(&self) -> bool {
        self.speakers != 0 && !self.begun
    }

    pub(super) fn allows(&self, id: u16) -> bool {
        if id == SILENCE { self.may_be_silent() } else { self.ids.contains(&id) }
    }

    /// Takes an answer, and goes on to the next question, as long as the patience lasts.
    pub(super) fn step(&mut self, plan: &Plan<G>, id: u16, patience: &mut Patience<'_>) {
        self.ended = None;
        self.answered = self.asked;
        self.has_gone_on = true;
        if self.course.number != self.number {
            self.course.number = self.number;
            self.course.answers.clear();
        }
        self.course.answers.push(id);
        self.answer(id);
        self.go_on(plan, patience);
    }

    /// Plays a course again, and returns its first answer that is not legal.
    pub(super) fn follow(&mut self, plan: &Plan<G>, course: &Course, patience: &mut Patience<'_>) -> Result<(), u16> {
        for &id in &course.answers {
            if self.number != course.number || !self.allows(id) {
                return Err(id);
            }
            self.step(plan, id, patience);
        }
        Ok(())
    }

    fn answer(&mut self, id: u16) {
        if id == SILENCE {
            self.speakers &= !(1 << self.asked);
        } else if let Some(chosen) = self.choose(id) {
            self.make(self.asked, chosen);
        }
    }

    /// Makes a move, and collects who may speak then.
    fn make(&mut self, seat: usize, chosen: MoveOf<G>) {
        for player in self.players.iter_mut().flatten().filter_map(Players::drawn) {
            player.watch(&self.game, seat, chosen);
        }
        let round = self.game.number();
        self.moves.push((seat, chosen));
        self.game.make(seat, chosen);
        if self.game.number() != round {
            self.before = self.moves.len();
        }
        self.begun = false;
        self.partial = G::Partial::default();
        self.speakers = self.game.round().speakers();
    }

    /// Narrows the choices to those with an id; returns the move if only one is left. Ids without alternative are
    /// skipped.
    fn choose(&mut self, id: u16) -> Option<MoveOf<G>> {
        if G::LONGEST == 1 {
            let place = self.ids.iter().position(|&other| other == id);
            return place.and_then(|place| self.choices.get(place).copied());
        }
        let mut kept = 0;
        for place in 0..self.choices.len() {
            if self.ids[place] == id {
                self.choices.swap(kept, place);
                kept += 1;
            }
        }
        self.choices.truncate(kept);
        let mut id = id;
        while self.choices.len() > 1 {
            self.begun = true;
            self.partial = G::with(self.partial, id);
            self.name_choices();
            id = self.only()?;
        }
        self.choices.first().copied()
    }

    /// Names the next id of each choice.
    fn name_choices(&mut self) {
        let (partial, asked) = (self.partial, self.asked);
        self.ids.clear();
        self.ids.extend(self.choices.iter().map(|&chosen| G::next(partial, chosen, asked)));
    }

    /// Returns the only id of the choices, if there are no others.
    fn only(&self) -> Option<u16> {
        let (&first, rest) = self.ids.split_first()?;
        rest.iter().all(|&id| id == first).then_some(first)
    }

    /// Lets policies play and games end until there is a question, or the patience is over.
    fn go_on(&mut self, plan: &Plan<G>, patience: &mut Patience<'_>) {
        while !patience.is_over && !self.asks(plan, patience) {
            if self.game.round().awaited() == 0 {
                // A game that asked nothing is not told: nobody has learned anything in it.
                if self.is_known() {
                    self.end(plan);
                }
                self.begin(plan, self.number + 1);
            }
        }
    }

    /// Keeps how the game ended.
    fn end(&mut self, plan: &Plan<G>) {
        self.ended = self.game.outcome();
        self.last.resize(G::SIZE, 0);
        self.game.observe(self.answered, G::Partial::default(), &mut self.last);
        let mut moves = std::mem::take(&mut self.last_moves);
        moves.resize(plan.history * (1 + G::LONGEST), 0);
        self.write_moves(self.answered, &mut moves);
        self.last_moves = moves;
    }

    /// Returns whether there is a question; otherwise a policy has decided, a question with one answer has been skipped, or
    /// the game is over.
    fn asks(&mut self, plan: &Plan<G>, patience: &mut Patience<'_>) -> bool {
        if self.begun {
            return true;
        }
        if self.game.flaw().is_some() {
            // Nothing can be answered, and no other game follows.
            self.choices.clear();
            self.ids.clear();
            return true;
        }
        let (round, must) = (self.game.round(), self.speakers == 0);
        let Some(seat) = each(if must { round.awaited() } else { self.speakers }).next() else { return false };
        if let Some(player) = self.players.get_mut(seat).and_then(Option::as_mut).and_then(Players::drawn) {
            match player.decide(&self.game, seat, must, &mut || patience.lasts()) {
                Some(chosen) => self.make(seat, chosen),
                None => self.speakers &= !(1 << seat),
            }
            return false;
        }
        self.asked = seat;
        self.choices.clear();
        round.legal(seat, &mut self.choices);
        self.name_choices();
        // The first question of a game is always asked, so that no game passes unseen.
        if !must || !plan.skip_forced || !self.is_known() {
            return true;
        }
        let Some(only) = self.only() else { return true };
        self.answer(only);
        false
    }

    /// Writes the last moves of the round that a seat may know.
    fn write_moves(&self, seat: usize, rows: &mut [i16]) {
        rows.fill(-1);
        let seats = self.game.round().seats();
        let known = |&&(other, chosen): &&Made<G>| other == seat || self.game.shows(seat, other, chosen);
        let moves = self.moves[self.before..].iter().rev().filter(known);
        // In this order: the other would look for one move too many.
        for (row, &(other, chosen)) in rows.chunks_mut(1 + G::LONGEST).zip(moves) {
            row[0] = i16::try_from((other + seats - seat) % seats).unwrap_or(i16::MAX);
            G::path(chosen, other, &mut row[1..]);
        }
    }

    /// Writes what the seat that is asked knows; only the rest of it unless the row has all elements.
    pub(super) fn observe(&self, row: &mut [i8]) {
        if row.len() == G::SIZE {
            self.game.observe(self.asked, self.partial, row);
        } else {
            self.game.observe_rest(self.asked, self.partial, row);
        }
    }

    pub(super) fn write(&self, plan: &Plan<G>, row: &mut Facts<'_>) {
        if plan.history > 0 {
            self.write_moves(self.asked, row.history);
        }
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
