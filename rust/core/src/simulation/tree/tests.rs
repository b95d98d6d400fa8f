//! Tests of the tree with a tiny game of hidden cards, which is enumerated, and with a slow twin of the whole search.

use std::collections::HashMap;
use std::fmt;

use super::*;

/// The hidden cards that there are.
const CARDS: u8 = 3;
/// The card that lets its holder block.
const BLOCKER: u8 = 2;

/// What the game is about.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stakes {
    /// The lead of seat 0 if it stops at once.
    safe: i32,
    /// The lead if it names the card of seat 1; else it is 0.
    named: i32,
    /// What a block costs seat 0.
    block: i32,
}

/// Seat 0 stops, or goes on; then seat 1, which holds a hidden card, leaves it or blocks; then seat 0 names the card.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Doors {
    stakes: Stakes,
    card: u8,
    made: [Option<Deed>; 3],
}

#[derive(Clone, Copy, Debug, Hash, PartialEq, Eq, PartialOrd, Ord)]
enum Deed {
    Stop,
    Go,
    Leave,
    Block,
    Name(u8),
}

impl fmt::Display for Deed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

impl Doors {
    const fn new(stakes: Stakes, card: u8) -> Self {
        Self { stakes, card, made: [None; 3] }
    }

    fn count(&self) -> usize {
        self.made.iter().flatten().count()
    }
}

impl Round for Doors {
    type Move = Deed;
    type Evidence = ();

    fn seats(&self) -> usize {
        2
    }

    fn awaited(&self) -> Seats {
        match (self.made[0], self.count()) {
            (Some(Deed::Stop), _) | (_, 3) => 0,
            (_, 1) => 0b10,
            _ => 0b01,
        }
    }

    fn legal(&self, _seat: usize, moves: &mut Vec<Deed>) {
        match self.count() {
            0 => moves.extend([Deed::Stop, Deed::Go]),
            1 if self.card == BLOCKER => moves.extend([Deed::Leave, Deed::Block]),
            1 => moves.push(Deed::Leave),
            _ => moves.extend((0..CARDS).map(Deed::Name)),
        }
    }

    fn make(&mut self, _seat: usize, chosen: Deed) {
        let place = self.count();
        self.made[place] = Some(chosen);
    }

    fn redeal(&self, _seat: usize, (): &(), random: &mut Random) -> Self {
        Self { card: random.below(CARDS.into()) as u8, ..*self }
    }

    fn lead(&self, seat: usize) -> i32 {
        let Stakes { safe, named, block } = self.stakes;
        let lead = match self.made {
            [Some(Deed::Stop), ..] => safe,
            [_, answer, Some(Deed::Name(name))] => {
                let won = if name == self.card { named } else { 0 };
                won - if answer == Some(Deed::Block) { block } else { 0 }
            }
            _ => 0,
        };
        if seat == 0 { lead } else { -lead }
    }
}

/// Guides with equal priors, and expects nothing.
struct Plain(Doors);

impl Guide for Plain {
    type Round = Doors;
    type Class = Deed;
    type Known = ();

    fn world(&mut self, random: &mut Random) -> Doors {
        self.0.redeal(0, &(), random)
    }

    fn class(&self, chosen: Deed) -> Deed {
        chosen
    }

    fn known(&self, _round: &Doors) {}

    fn options(&mut self, round: &Doors, seat: usize, options: &mut Vec<Weighted<Doors>>) {
        *options = equal(round, seat);
    }

    fn values(&mut self, _round: &Doors, values: &mut [f64], _random: &mut Random) {
        values.fill(0.0);
    }
}

fn equal(round: &Doors, seat: usize) -> Vec<Weighted<Doors>> {
    let mut moves = Vec::new();
    round.legal(seat, &mut moves);
    moves.iter().map(|&chosen| (Some(chosen), 1.0 / moves.len() as f64)).collect()
}

fn found(stakes: Stakes, visits: usize, trees: usize, threads: usize, seed: u64) -> Vec<Branch<Doors>> {
    let some = |count| NonZeroUsize::new(count).unwrap();
    let effort = Effort { visits, trees: some(trees), exploration: 6.0, threads: some(threads) };
    // The true card is never looked at.
    let round = Doors::new(stakes, 0);
    grow(|| Plain(round), 0, &equal(&round, 0), &[0.0; 2], &effort, seed, &mut || true).unwrap()
}

/// Returns the mean lead of seat 0 by enumeration of all plans, if it goes on, and both play their best plan.
fn enumerated(stakes: Stakes) -> f64 {
    let lead = |answer: Deed, leave: u8, block: u8| {
        let total: i32 = (0..CARDS)
            .map(|card| {
                let answer = if card == BLOCKER { answer } else { Deed::Leave };
                let name = if answer == Deed::Block { block } else { leave };
                let made = [Some(Deed::Go), Some(answer), Some(Deed::Name(name))];
                Doors { made, ..Doors::new(stakes, card) }.lead(0)
            })
            .sum();
        f64::from(total) / f64::from(CARDS)
    };
    let worst = |leave, block| lead(Deed::Leave, leave, block).min(lead(Deed::Block, leave, block));
    let plans = (0..CARDS).flat_map(|leave| (0..CARDS).map(move |block| (leave, block)));
    plans.map(|(leave, block)| worst(leave, block)).fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn a_tree_finds_what_an_enumeration_of_all_plans_finds() {
    // Who saw the hidden card would win 12 by going on, and never stop.
    for (safe, named, block) in [(6, 12, 5), (3, 12, 5), (5, 12, 30), (1, 12, 30), (-4, 12, 30), (2, 3, 0), (0, 3, 0)] {
        let stakes = Stakes { safe, named, block };
        let going = enumerated(stakes);
        for seed in 0..3 {
            let branches = found(stakes, 20_000, 1, 1, seed);
            let best = branches[most_visited(&branches)];
            let wanted = if going > f64::from(safe) { Deed::Go } else { Deed::Stop };
            assert_eq!(best.chosen, Some(wanted), "{stakes:?}, seed {seed}: {branches:?}");
            let mean = best.total / f64::from(best.visits);
            assert!((mean - going.max(safe.into())).abs() < 0.35, "{stakes:?}, seed {seed}: {mean} for {going}");
        }
    }
}

#[test]
fn the_trees_are_the_same_on_any_number_of_threads() {
    let stakes = Stakes { safe: 3, named: 12, block: 5 };
    let alone = found(stakes, 1000, 5, 1, 8);
    for threads in [2, 3, 9] {
        assert_eq!(found(stakes, 1000, 5, threads, 8), alone);
    }
    assert_eq!(alone.iter().map(|branch| branch.visits).sum::<u32>(), 1000);
    assert_ne!(found(stakes, 1000, 5, 1, 9), alone);
}

#[test]
fn a_search_ends_when_it_may_not_proceed() {
    let round = Doors::new(Stakes { safe: 3, named: 12, block: 5 }, 0);
    let effort = Effort { visits: 1000, trees: NonZeroUsize::MIN, exploration: 6.0, threads: NonZeroUsize::MIN };
    let mut asked = 0;
    let mut proceed = || {
        asked += 1;
        asked < 3
    };
    assert_eq!(grow(|| Plain(round), 0, &equal(&round, 0), &[0.0; 2], &effort, 1, &mut proceed), None);
    assert_eq!(asked, 3);
}

// --- the slow twin ------------------------------------------------------------------------------------------------------

/// How a child of an information set did: its visits, how often it was possible, and the sum for who chose it.
type Stats = (f64, f64, f64);

/// The slow twin: information sets are the moves that led to them, written out.
#[derive(Default)]
struct Slow {
    children: HashMap<(Vec<Deed>, Deed), Stats>,
    /// The visits of an information set, and the sum for seat 0.
    sets: HashMap<Vec<Deed>, (f64, f64)>,
}

impl Slow {
    /// Visits the tree in a world, and returns the lead of seat 0.
    fn visit(&mut self, round: Doors, exploration: f64) -> f64 {
        let history: Vec<Deed> = round.made.iter().flatten().copied().collect();
        let is_new = !history.is_empty() && !self.sets.contains_key(&history);
        let mut legal = Vec::new();
        round.legal(0, &mut legal);
        let lead = if round.awaited() == 0 {
            f64::from(round.lead(0))
        } else if is_new && legal.len() > 1 {
            0.0
        } else {
            let sign = if round.awaited() == 1 { 1.0 } else { -1.0 };
            let (visits, total) = self.sets.get(&history).copied().unwrap_or_default();
            let first = if visits == 0.0 { 0.0 } else { sign * total / visits };
            let mut best: Option<(f64, Deed)> = None;
            for &deed in &legal {
                let (n, possible, won) = self.children.entry((history.clone(), deed)).or_default();
                *possible += 1.0;
                let mean = if *n == 0.0 { first } else { *won / *n };
                let worth = mean + exploration * (1.0 / legal.len() as f64) * possible.sqrt() / (1.0 + *n);
                if best.is_none_or(|(other, _)| worth > other) {
                    best = Some((worth, deed));
                }
            }
            let deed = best.unwrap().1;
            let mut next = round;
            next.make(0, deed);
            let lead = self.visit(next, exploration);
            let child = self.children.get_mut(&(history.clone(), deed)).unwrap();
            child.0 += 1.0;
            child.2 += sign * lead;
            lead
        };
        let set = self.sets.entry(history).or_default();
        set.0 += 1.0;
        set.1 += lead;
        lead
    }
}

#[test]
fn the_visits_are_those_of_the_slow_twin() {
    for (number, visits) in (0..40).zip([1, 2, 3, 7, 40, 300].into_iter().cycle()) {
        let mut random = Random::new(number);
        let mut some = || random.below(15) as i32 - 4;
        let stakes = Stakes { safe: some(), named: some(), block: some() };
        let mut slow = Slow::default();
        slow.sets.insert(Vec::new(), (1.0, 0.0));
        for visit in 0..visits as u64 {
            let seed = derive(derive(number, &[0]), &[visit, DEALING]);
            slow.visit(Doors::new(stakes, 0).redeal(0, &(), &mut Random::new(seed)), 6.0);
        }
        for branch in found(stakes, visits, 1, 1, number) {
            let (n, _, won) = slow.children.get(&(Vec::new(), branch.chosen.unwrap())).copied().unwrap_or_default();
            assert_eq!(f64::from(branch.visits).to_bits(), n.to_bits(), "{stakes:?}, {visits} visits");
            assert!((branch.total - won).abs() < 1e-9, "{stakes:?}, {visits} visits");
        }
    }
}
