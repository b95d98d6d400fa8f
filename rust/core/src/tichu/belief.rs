//! What a seat believes about the hidden cards, by what the others have called, laid and passed.
//!
//! A network scores worlds: it has learned from games which of several redeals is the true one, so that the exponential
//! of its score is how much likelier a world is than its redeal alone says. A world is scored as a whole, because the
//! cards that one player holds are those that the others lack. Features are zero or one.

use super::cards::{ACE, Cards, DRAGON_VALUE, LOWEST, MAH_JONG_VALUE, PHOENIX_VALUE};
use super::combinations::{ALL, Combination, Kind};
use super::deal::deal;
use super::features::{self, Decision, SET, push_set};
use super::hand::Hand;
use super::policies::{HeuristicPolicy, finish_watched};
use super::redeal::{Evidence, Turn};
use super::round::{DOG, LEAD, LED_PHOENIX, NOBODY, Phase, Round, SEATS, at, gift, is_bomb};
use super::shape::{Shape, flag, lowest};
use crate::net::{Feature, Net, Sums};
use crate::random::{Random, derive};
use crate::simulation::search::{DEALING, PLAYING};

/// The version of the features; it changes whenever one has another meaning.
pub const VERSION: u32 = 1;

/// The features of a number of cards in a hand.
const COUNT: Feature = 15;
/// The features of a rank, or of none.
const RANK: Feature = 18;
/// The features of a number of values, from one on.
const MANY: Feature = 3;

// What is known of another seat.
const HOLDS: Feature = 0;
const CALLED: Feature = HOLDS + COUNT;
const RECEIVED: Feature = CALLED + 2;
const LAID: Feature = RECEIVED + RANK;
const PASSED: Feature = LAID + SET;
const PASSED_LONG: Feature = PASSED + 4 * RANK;
const KNOWN: Feature = PASSED_LONG + 1;
// What is known besides.
const UNSEEN: Feature = 3 * KNOWN;
const COMMON: Feature = UNSEEN + SET;
// What another seat holds in a world.
const HAND: Feature = 0;
const BOMB: Feature = HAND + SET;
const BEATS: Feature = BOMB + 1;
const BEATS_ALONE: Feature = BEATS + 4 * RANK;
const SHOWN: Feature = BEATS_ALONE + RANK;
const WORLD: Feature = SHOWN + 6 * MANY;
/// The number of features.
pub const FEATURES: usize = (COMMON + 3 * WORLD) as usize;

/// The rank of what was never passed.
const NEVER: u8 = RANK as u8 - 1;
/// The rank of what nothing beats.
const NOTHING: u8 = NEVER - 1;

/// What a seat has shown by its turns. Sets of values are flags of [`Shape`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Habit {
    /// The lowest single card, pair and triple of an opponent that it has passed, and the lowest single card of its
    /// partner.
    passed: [u8; 4],
    /// Whether it has passed a longer combination of an opponent.
    passed_long: bool,
    /// The values of which it has laid one card, and a pair.
    laid: [u64; 2],
    /// The values between a single card on the trick and the card that it laid on it, and likewise for pairs.
    skipped: [u64; 2],
    /// The values below the single cards that it led, and below the pairs.
    below: [u64; 2],
}

impl Habit {
    const NEW: Self = Self { passed: [NEVER; 4], passed_long: false, laid: [0; 2], skipped: [0; 2], below: [0; 2] };

    /// Notes that the seat has passed a combination.
    fn pass(&mut self, top: Combination, partners: bool) {
        let place = match top.kind {
            Kind::Single if partners => 3,
            _ if partners => return,
            Kind::Single | Kind::Pair | Kind::Triple => top.kind as usize - 1,
            _ => {
                self.passed_long = true;
                return;
            }
        };
        self.passed[place] = self.passed[place].min(top.rank);
    }

    /// Notes what the seat has laid on a combination, or led.
    fn lay(&mut self, top: Combination, laid: Combination) {
        let place = match laid.kind {
            Kind::Single => 0,
            Kind::Pair => 1,
            _ => return,
        };
        if (LOWEST..=ACE).contains(&laid.rank) {
            self.laid[place] |= flag(laid.rank);
        }
        if top == Combination::PASS {
            self.below[place] |= between(MAH_JONG_VALUE, laid.rank);
        } else {
            self.skipped[place] |= between(top.rank, laid.rank);
        }
    }
}

/// Returns the flags of the values of suited cards between two ranks.
fn between(low: u8, high: u8) -> u64 {
    (low.max(MAH_JONG_VALUE) + 1..high.min(ACE + 1)).fold(0, |flags, value| flags | flag(value))
}

/// Returns what the seats have shown.
fn habits(evidence: &Evidence) -> [Habit; 4] {
    let mut habits = [Habit::NEW; 4];
    for trick in &evidence.tricks {
        let (mut top, mut owner) = (LEAD, NOBODY);
        for &Turn { seat, code } in trick {
            let (habit, lies) = (&mut habits[at(seat)], ALL[usize::from(top)]);
            if code == LEAD {
                habit.pass(lies, owner % 2 == seat % 2);
                continue;
            }
            let laid = ALL[usize::from(code)];
            if !is_bomb(code) {
                habit.lay(lies, laid);
            }
            owner = seat;
            top = match code {
                DOG => LEAD,
                _ if laid != Combination::PHOENIX => code,
                _ if top == LEAD => LED_PHOENIX,
                _ => top,
            };
        }
    }
    habits
}

/// Returns the other seats: the right opponent, the partner, the left opponent.
fn others(seat: u8) -> [u8; 3] {
    [1, 2, 3].map(|step| (seat + step) % SEATS)
}

/// What a seat believes at one moment within tricks.
pub struct Belief<'a> {
    net: &'a Net,
    round: &'a Round,
    evidence: &'a Evidence,
    seat: u8,
    habits: [Habit; 4],
    sums: Sums,
    features: Vec<Feature>,
}

impl<'a> Belief<'a> {
    /// Creates what a seat believes by a network for [`FEATURES`] features.
    #[must_use]
    pub fn new(net: &'a Net, round: &'a Round, evidence: &'a Evidence, seat: u8) -> Self {
        let habits = habits(evidence);
        let mut features = Vec::with_capacity(256);
        push_common(round, &habits, seat, &mut features);
        let mut sums = Sums::default();
        net.begin(&features, &mut sums);
        Self { net, round, evidence, seat, habits, sums, features }
    }

    /// Returns the score of the hands of a world.
    fn score(&mut self, hands: &[Cards; 4]) -> f32 {
        self.features.clear();
        push_world(hands, &self.habits, self.seat, &mut self.features);
        self.net.score(&self.features, &mut self.sums)
    }

    /// Draws a world: one of some redeals, by their scores.
    pub fn draw(&mut self, redeals: usize, random: &mut Random) -> Round {
        let worlds: Vec<[Cards; 4]> =
            (0..redeals).map(|_| self.round.redeal_hands(self.seat, self.evidence, random)).collect();
        let scores: Vec<f32> = worlds.iter().map(|hands| self.score(hands)).collect();
        let hands = draw(&scores, random).map_or(self.round.hands, |place| worlds[place]);
        self.round.with_hands(self.seat, hands, random)
    }
}

/// Draws a place with a probability proportional to the exponential of its score; none if there are no scores.
fn draw(scores: &[f32], random: &mut Random) -> Option<usize> {
    let best = scores.iter().copied().reduce(f32::max)?;
    let weights: Vec<f64> = scores.iter().map(|&score| exponential(f64::from(score - best))).collect();
    let mut left = random.unit() * weights.iter().sum::<f64>();
    let found = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    Some(found.unwrap_or(scores.len() - 1))
}

/// Returns about e to a power of at most zero. It multiplies only, so that every machine computes the same bits.
pub(super) fn exponential(power: f64) -> f64 {
    let mut product = 1.0 + power.max(-200.0) / 1024.0;
    for _ in 0..10 {
        product *= product;
    }
    product
}

/// Returns a round and redeals of it as a decision which of them a seat plays in; the first is the true one.
#[must_use]
pub fn deals(round: &Round, evidence: &Evidence, seat: u8, redeals: usize, random: &mut Random) -> Decision {
    let habits = habits(evidence);
    let mut found = Decision {
        kind: features::Kind::Deal,
        common: Vec::new(),
        candidates: vec![None; redeals + 1],
        features: Vec::new(),
        ends: Vec::new(),
        own: 0,
    };
    push_common(round, &habits, seat, &mut found.common);
    for place in 0..=redeals {
        let hands = if place == 0 { round.hands } else { round.redeal_hands(seat, evidence, random) };
        push_world(&hands, &habits, seat, &mut found.features);
        found.ends.push(found.features.len());
    }
    found
}

/// The seats in turn find the true deal once in so many moves of a round: its moments are much alike.
const SELDOM: u64 = 8;

/// Plays a round with the heuristic policy, and returns at some of its moments the deals among which the seat in turn
/// finds the true one.
#[must_use]
pub fn lessons(seed: u64, redeals: usize) -> Vec<Decision> {
    let mut random = Random::new(derive(seed, &[PLAYING]));
    let mut chance = Random::new(derive(seed, &[DEALING]));
    let (mut found, mut evidence) = (Vec::new(), Evidence::default());
    let mut teams = [0, 1].map(|_| Box::new(HeuristicPolicy::new(false)));
    finish_watched(&mut Round::deal(deal(seed, 0)), &mut teams, &mut random, 0, |round, seat, chosen| {
        if round.phase == Phase::Play && round.awaited >> seat & 1 == 1 && chance.below(SELDOM) == 0 {
            found.push(deals(round, &evidence, seat, redeals, &mut chance));
        }
        evidence.note(round, seat, chosen);
    });
    found
}

/// Adds the features that all worlds of a seat have in common.
fn push_common(round: &Round, habits: &[Habit; 4], seat: u8, features: &mut Vec<Feature>) {
    let mut unseen = Cards::EMPTY;
    for (other, place) in others(seat).into_iter().zip(0..) {
        let (first, habit, cards) = (KNOWN * place, &habits[at(other)], round.hands[at(other)]);
        unseen = unseen.union(cards);
        features.push(first + HOLDS + cards.len() as Feature);
        if round.calls[at(other)] > 0 {
            features.push(first + CALLED + Feature::from(round.calls[at(other)]) - 1);
        }
        // The right opponent gave its third card to the seat, the left one its first.
        let gift = gift(round.given[at(other)][usize::from(2 - place)]);
        features.push(first + RECEIVED + Feature::from(gift.lowest_value().unwrap_or(PHOENIX_VALUE)));
        push_set(first + LAID, round.laid[at(other)], features);
        features.extend(
            habit
                .passed
                .into_iter()
                .zip(0..)
                .map(|(passed, kind)| first + PASSED + RANK * kind + Feature::from(passed)),
        );
        if habit.passed_long {
            features.push(first + PASSED_LONG);
        }
    }
    push_set(UNSEEN, unseen, features);
}

/// Adds the features of a world of a seat: what the others hold in it.
fn push_world(hands: &[Cards; 4], habits: &[Habit; 4], seat: u8, features: &mut Vec<Feature>) {
    for (other, place) in others(seat).into_iter().zip(0..) {
        if !hands[at(other)].is_empty() {
            push_hand(COMMON + WORLD * place, hands[at(other)], &habits[at(other)], features);
        }
    }
}

/// Adds the features of a seat's hand in a world.
fn push_hand(first: Feature, cards: Cards, habit: &Habit, features: &mut Vec<Feature>) {
    push_set(first + HAND, cards, features);
    if Hand::of(cards).has_bomb() {
        features.push(first + BOMB);
    }
    let shape = Shape::of(cards.intersection(Cards::SUITED));
    let alone = shape.ones & !shape.pairs;
    let high = !cards.intersection(Cards::DRAGON.union(Cards::PHOENIX)).is_empty();
    let [single, pair, triple, partners] = habit.passed;
    let beats = [
        cheapest(single, shape.ones, high),
        cheapest(pair, shape.pairs, false),
        cheapest(triple, shape.triples, false),
        cheapest(partners, shape.ones, high),
        cheapest(single, alone, false),
    ];
    features.extend(beats.into_iter().zip(0..).map(|(rank, kind)| first + BEATS + RANK * kind + Feature::from(rank)));
    let shown = [
        shape.ones & habit.laid[0],
        shape.pairs & habit.laid[1],
        alone & habit.skipped[0],
        shape.pairs & habit.skipped[1],
        alone & habit.below[0],
        shape.pairs & habit.below[1],
    ];
    for (values, kind) in shown.into_iter().zip(0..) {
        let many = (values.count_ones() as Feature).min(MANY);
        features.extend((0..many).map(|step| first + SHOWN + MANY * kind + step));
    }
}

/// Returns the lowest of some values that beats the rank that was passed.
fn cheapest(passed: u8, values: u64, high: bool) -> u8 {
    match values & between(passed, ACE + 1) {
        _ if passed == NEVER => NEVER,
        0 if high => DRAGON_VALUE,
        0 => NOTHING,
        found => lowest(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_is_drawn_as_often_as_its_score_says() {
        let mut random = Random::new(3);
        let mut counts = [0_i32; 3];
        for _ in 0..30_000 {
            // One, two and three parts of six.
            counts[draw(&[0.0, std::f32::consts::LN_2, 3.0_f32.ln()], &mut random).unwrap()] += 1;
        }
        for (count, parts) in counts.into_iter().zip([1, 2, 3]) {
            assert!((count - 5000 * parts).abs() < 300, "{counts:?}");
        }
        assert_eq!(draw(&[], &mut random), None);
    }

    #[test]
    fn the_exponential_is_close_and_ends() {
        for power in [0.0, -0.1, -1.0, -5.0] {
            let error = exponential(power) / f64::exp(power) - 1.0;
            assert!(error.abs() < 0.015, "{power}: {error}");
        }
        assert!((0.0..1e-50).contains(&exponential(-1e30)));
    }

    /// Returns what seat 0 has shown by the turns of one trick.
    fn shown(turns: &[(u8, Combination)]) -> Habit {
        let trick = turns.iter().map(|&(seat, laid)| Turn { seat, code: laid.place() }).collect();
        habits(&Evidence { tricks: vec![trick], ..Evidence::default() })[0]
    }

    fn combination(kind: u8, length: u8, rank: u8) -> Combination {
        Combination::new(kind, length, rank).unwrap()
    }

    #[test]
    fn the_lowest_that_was_passed_counts_by_whose_it_was() {
        let single = |rank| combination(1, 1, rank);
        let habit =
            shown(&[(3, single(9)), (0, Combination::PASS), (1, single(11)), (2, single(12)), (0, Combination::PASS)]);
        assert_eq!(habit, Habit { passed: [9, NEVER, NEVER, 12], ..Habit::NEW });
        let habit = shown(&[(1, combination(2, 2, 5)), (0, Combination::PASS)]);
        assert_eq!(habit.passed, [NEVER, 5, NEVER, NEVER]);
        let habit = shown(&[(1, combination(6, 5, 9)), (0, Combination::PASS)]);
        assert_eq!(habit, Habit { passed_long: true, ..Habit::NEW });
        let habit = shown(&[(2, combination(2, 2, 5)), (0, Combination::PASS)]);
        assert_eq!(habit, Habit::NEW);
    }

    #[test]
    fn what_lies_is_that_of_the_rules() {
        let single = |rank| combination(1, 1, rank);
        let flags = |values: &[u8]| values.iter().fold(0, |flags, &value| flags | flag(value));
        let habit = shown(&[(0, single(4))]);
        assert_eq!(habit, Habit { laid: [flags(&[4]), 0], below: [flags(&[2, 3]), 0], ..Habit::NEW });
        let habit = shown(&[(3, single(6)), (0, single(9))]);
        assert_eq!(habit, Habit { laid: [flags(&[9]), 0], skipped: [flags(&[7, 8]), 0], ..Habit::NEW });
        // A phoenix counts as high as what it is laid on, and as one if it is led; a dog leaves the lead to another.
        let habit = shown(&[(3, single(6)), (2, Combination::PHOENIX), (0, single(8))]);
        assert_eq!(habit.skipped, [flags(&[7]), 0]);
        let habit = shown(&[(3, Combination::PHOENIX), (0, single(3))]);
        assert_eq!(habit.skipped, [flags(&[2]), 0]);
        let habit = shown(&[(2, Combination::DOG), (0, combination(2, 2, 3))]);
        assert_eq!(habit, Habit { laid: [0, flags(&[3])], below: [0, flags(&[2])], ..Habit::NEW });
        // A bomb shows nothing of pairs and single cards.
        let habit = shown(&[(3, single(6)), (0, combination(7, 4, 9))]);
        assert_eq!(habit, Habit::NEW);
    }
}
