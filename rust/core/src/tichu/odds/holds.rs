//! Hands without anything that tops a combination with its own type, for all combinations of a hand at once.
//!
//! An agent asks this at each decision, so that nothing here is general: each type has its own sum. The values are in the
//! order from the ace down; what tops a combination lies within the first ones, the *active* values. Hands are counted by
//! size as in [`walk`](super::walk): the ways to choose cards of the active values are a polynomial, whose coefficients
//! are whole numbers below 2⁵³, and all other cards are free.
//!
//! **Streets** without the phoenix are counted by their *runs*, values without a gap: a run of the length of the street or
//! a longer one is bad, unless it has one suit and is thus a bomb. A hand of 14 cards has at most two runs of five or
//! more. The hands without a bad run are all hands, minus those with a run, plus those with one of one suit, and so on
//! for two of them.

use super::Ranks;
use super::automaton::active_above;
use crate::tichu::cards::{ACE, Cards, DOG_VALUE, DRAGON_VALUE, LOWEST, PHOENIX_VALUE};
use crate::tichu::combinations::{Combination, Kind};

/// One more than the largest number of cards that is counted.
const WIDTH: usize = 16;
/// The number of values with suits.
const VALUES: usize = (ACE - LOWEST + 1) as usize;
/// The length of the shortest street.
const STREET: usize = 5;
/// One more than the number of cards that a hand can hold besides one of each value of a street.
const BESIDES: usize = WIDTH - STREET - 1;

/// The numbers of hands by size.
type Counts = [f64; WIDTH];
/// The numbers of hands after each number of values.
type Levels = [Counts; VALUES + 1];
/// The ways to hold all values of a run, by the number of cards besides one of each.
type Run = [f64; BESIDES];

const NOTHING: Counts = [0.0; WIDTH];
const EMPTY_HAND: Counts = {
    let mut counts = NOTHING;
    counts[0] = 1.0;
    counts
};

/// The number of ways to choose cards, by the number of cards and the number chosen, from the largest number down.
static WAYS: [Counts; 57] = ways();

const fn ways() -> [Counts; 57] {
    let mut ways = [NOTHING; 57];
    let mut cards = 0;
    while cards < ways.len() {
        ways[cards][WIDTH - 1] = 1.0;
        let mut chosen = 1;
        while chosen < WIDTH && cards > 0 {
            let place = WIDTH - 1 - chosen;
            ways[cards][place] = ways[cards - 1][place] + ways[cards - 1][place + 1];
            chosen += 1;
        }
        cards += 1;
    }
    ways
}

/// Returns the number of ways to choose cards.
pub fn choose(cards: usize, size: usize) -> f64 {
    WAYS[cards][WIDTH - 1 - size]
}

/// Returns the number of hands of a size that consist of counted ones and of free cards.
fn with_free(counts: &[f64], free: usize, size: usize) -> f64 {
    // Several sums at once do not wait for each other; all numbers are whole, so that their order does not matter.
    let ways = &WAYS[free][WIDTH - 1 - size..];
    let length = counts.len().min(ways.len());
    let (fours, rest) = counts[..length].as_chunks::<4>();
    let (ways_of_fours, ways_of_rest) = ways[..length].as_chunks::<4>();
    let mut sums = [0.0; 4];
    for (counts, ways) in fours.iter().zip(ways_of_fours) {
        for place in 0..4 {
            sums[place] += counts[place] * ways[place];
        }
    }
    rest.iter().zip(ways_of_rest).map(|(count, ways)| count * ways).sum::<f64>() + sums.iter().sum::<f64>()
}

/// Adds counts with this number of more cards, times the ways to choose them.
#[inline]
fn add<const CARDS: usize>(target: &mut Counts, counts: &Counts, ways: f64) {
    for place in CARDS..WIDTH {
        target[place] += ways * counts[place - CARDS];
    }
}

/// The hidden cards except the phoenix.
struct Pool {
    /// The suits of each value.
    suits: [u8; VALUES],
    /// The number of cards of each value.
    counts: [usize; VALUES],
    /// The number of cards of the first values.
    before: [usize; VALUES + 1],
    all: usize,
}

impl Pool {
    fn new(unseen: Cards) -> Self {
        let suits: [u8; VALUES] = std::array::from_fn(|place| unseen.suits(ACE - place as u8));
        let counts = suits.map(|suits| suits.count_ones() as usize);
        let mut before = [0; VALUES + 1];
        for (place, count) in counts.into_iter().enumerate() {
            before[place + 1] = before[place] + count;
        }
        Self { suits, counts, before, all: unseen.minus(Cards::PHOENIX).len() as usize }
    }

    /// Returns the number of cards besides those of the first values.
    const fn after(&self, values: usize) -> usize {
        self.all - self.before[values]
    }

    /// Returns the number of ways to choose each number of cards of a value.
    fn ways(&self, place: usize) -> [f64; 5] {
        const OF: [[f64; 5]; 5] = [
            [1.0, 0.0, 0.0, 0.0, 0.0],
            [1.0, 1.0, 0.0, 0.0, 0.0],
            [1.0, 2.0, 1.0, 0.0, 0.0],
            [1.0, 3.0, 3.0, 1.0, 0.0],
            [1.0, 4.0, 6.0, 4.0, 1.0],
        ];
        OF[self.counts[place]]
    }
}

/// Calls a function with each combination of some ranks, and the number of hands of each size with nothing that tops it;
/// bombs are left out.
pub fn each_hands_without(
    unseen: Cards,
    sizes: &[u32],
    ranks: &Ranks,
    mut tell: impl FnMut(Combination, &dyn Fn(usize) -> f64),
) {
    let pool = Pool::new(unseen);
    let phoenix = unseen.contains(Cards::PHOENIX);
    let of = |kind: Kind| ranks.0[kind as usize];
    for rank in bits(of(Kind::Single)[1]) {
        let single = Combination { kind: Kind::Single, length: 1, rank };
        if rank == DOG_VALUE {
            // Any card tops it, because it loses the lead.
            tell(single, &|size| if size == 0 { 1.0 } else { 0.0 });
            continue;
        }
        let lower = unseen.minus(higher_singles(rank)).len() as usize;
        tell(single, &|size| choose(lower, size));
    }
    if of(Kind::Pair)[2] | of(Kind::Triple)[3] | of(Kind::FullHouse)[5] != 0 {
        alike(&pool, phoenix, ranks, &mut tell);
    }
    for (length, &ranks) in of(Kind::Stair).iter().enumerate().filter(|&(_, &ranks)| ranks != 0) {
        stairs(&pool, phoenix, length, ranks, &mut tell);
    }
    let largest = sizes.iter().max().copied().unwrap_or_default() as usize;
    let mut runs = Runs::new(&pool, largest);
    for (length, &ranks) in of(Kind::Street).iter().enumerate().filter(|&(_, &ranks)| ranks != 0) {
        let most = active_above(Combination { kind: Kind::Street, length: length as u8, rank: lowest(ranks) });
        runs.lengthen(length, most);
        let patched = phoenix.then(|| without_window(&pool, [length, 1], ranks, most));
        for rank in bits(ranks) {
            let street = Combination { kind: Kind::Street, length: length as u8, rank };
            let active = active_above(street);
            let free = pool.after(active);
            tell(street, &|size| runs.hands_without(active, size) + with_phoenix(patched.as_ref(), active, free, size));
        }
    }
}

/// Returns the cards that top a single card.
fn higher_singles(rank: u8) -> Cards {
    match rank {
        DRAGON_VALUE => Cards::EMPTY,
        PHOENIX_VALUE => Cards::from_value(LOWEST),
        _ => Cards::from_value(rank + 1),
    }
}

/// Returns the numbers whose bits are set.
fn bits(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(bit)
    })
}

/// Returns the lowest of some ranks.
const fn lowest(ranks: u32) -> u8 {
    ranks.trailing_zeros() as u8
}

/// Returns the number of hands with the phoenix, whose other cards are counted without it.
fn with_phoenix(levels: Option<&Levels>, active: usize, free: usize, size: usize) -> f64 {
    match (levels, size.checked_sub(1)) {
        (Some(levels), Some(size)) => with_free(&levels[active], free, size),
        _ => 0.0,
    }
}

/// Tells the hands without pairs, triples and full houses.
fn alike(pool: &Pool, phoenix: bool, ranks: &Ranks, tell: &mut impl FnMut(Combination, &dyn Fn(usize) -> f64)) {
    let kinds = [(Kind::Pair, 2), (Kind::Triple, 3), (Kind::FullHouse, 5)];
    let [pairs, triples, houses] = kinds.map(|(kind, length)| ranks.0[kind as usize][length]);
    // The hands with at most one card, or at most two, of each active value.
    let (mut ones, mut twos) = (EMPTY_HAND, EMPTY_HAND);
    let mut full = Houses::new(pool, houses);
    for rank in (lowest(pairs | triples | houses)..=ACE).rev() {
        let place = usize::from(ACE - rank);
        let free = pool.after(place);
        let is_in = |ranks: u32| ranks >> rank & 1 == 1;
        // With the phoenix a single card is a pair, and a pair a triple.
        let with_phoenix = |counts: &Counts, size: usize| match size.checked_sub(1) {
            Some(size) if phoenix => with_free(counts, free, size),
            _ => 0.0,
        };
        if is_in(pairs) {
            let pair = Combination { kind: Kind::Pair, length: 2, rank };
            tell(pair, &|size| with_free(&ones, free, size) + with_phoenix(&EMPTY_HAND, size));
        }
        if is_in(triples) {
            let triple = Combination { kind: Kind::Triple, length: 3, rank };
            tell(triple, &|size| with_free(&twos, free, size) + with_phoenix(&ones, size));
        }
        if is_in(houses) {
            let house = Combination { kind: Kind::FullHouse, length: 5, rank };
            tell(house, &|size| {
                let natural = with_free(&twos, free, size) + full.one_triple(place, size);
                natural + with_phoenix(&ones, size) + if phoenix { full.beside_phoenix(place, size) } else { 0.0 }
            });
        }
        let ways = pool.ways(place);
        if houses != 0 {
            full.advance(&ways, &ones);
        }
        let (one, two) = (ones, twos);
        add::<1>(&mut ones, &one, ways[1]);
        add::<1>(&mut twos, &two, ways[1]);
        add::<2>(&mut twos, &two, ways[2]);
    }
}

/// What full houses need besides the hands without pairs and triples among the active values.
struct Houses {
    /// The hands of active values of which one has three or four cards, or two, and all others at most one.
    triple: Counts,
    pair: Counts,
    /// The ways to choose three or four cards of one of the active values.
    triples: [f64; 2],
    /// By the number of active values: the hands of all other cards with at most one of each value.
    others: [Counts; VALUES + 1],
    /// The number of cards without a suit.
    loose: usize,
}

impl Houses {
    /// Begins without active values; `ranks` are those of the full houses in question.
    fn new(pool: &Pool, ranks: u32) -> Self {
        let loose = pool.after(VALUES);
        let mut others = [NOTHING; VALUES + 1];
        if ranks != 0 {
            others[VALUES] = std::array::from_fn(|size| choose(loose, size));
            for place in (0..VALUES).rev() {
                others[place] = others[place + 1];
                let rest = others[place + 1];
                add::<1>(&mut others[place], &rest, pool.ways(place)[1]);
            }
        }
        Self { triple: NOTHING, pair: NOTHING, triples: [0.0; 2], others, loose }
    }

    /// Adds an active value; `ones` are the hands with at most one card of each before it.
    fn advance(&mut self, ways: &[f64; 5], ones: &Counts) {
        let (triple, pair) = (self.triple, self.pair);
        add::<1>(&mut self.triple, &triple, ways[1]);
        add::<3>(&mut self.triple, ones, ways[3]);
        add::<4>(&mut self.triple, ones, ways[4]);
        add::<1>(&mut self.pair, &pair, ways[1]);
        add::<2>(&mut self.pair, ones, ways[2]);
        self.triples = [self.triples[0] + ways[3], self.triples[1] + ways[4]];
    }

    /// Counts the hands with one triple of an active value, and no pair besides.
    fn one_triple(&self, active: usize, size: usize) -> f64 {
        joined(&self.triple, &self.others[active], size)
    }

    /// Counts the hands with the phoenix that hold no full house, but a pair or a triple of an active value.
    fn beside_phoenix(&self, active: usize, size: usize) -> f64 {
        let Some(size) = size.checked_sub(1) else { return 0.0 };
        let alone = (3..).zip(self.triples).filter(|&(cards, _)| cards <= size);
        let triples: f64 = alone.map(|(cards, ways)| ways * choose(self.loose, size - cards)).sum();
        joined(&self.pair, &self.others[active], size) + triples
    }
}

/// Returns the number of hands of a size that consist of two parts.
fn joined(one: &Counts, other: &Counts, size: usize) -> f64 {
    one[..=size].iter().zip(other[..=size].iter().rev()).map(|(one, other)| one * other).sum()
}

/// Tells the hands without stairs of a length.
fn stairs(
    pool: &Pool,
    phoenix: bool,
    length: usize,
    ranks: u32,
    tell: &mut impl FnMut(Combination, &dyn Fn(usize) -> f64),
) {
    let most = active_above(Combination { kind: Kind::Stair, length: length as u8, rank: lowest(ranks) });
    let plain = without_pairs_in_a_row(pool, length / 2, most);
    let patched = phoenix.then(|| without_window(pool, [length / 2, 2], ranks, most));
    for rank in bits(ranks) {
        let stair = Combination { kind: Kind::Stair, length: length as u8, rank };
        let active = active_above(stair);
        let free = pool.after(active);
        tell(stair, &|size| with_free(&plain[active], free, size) + with_phoenix(patched.as_ref(), active, free, size));
    }
}

/// Counts the hands without this number of adjacent values with two cards or more, for up to `most` values.
fn without_pairs_in_a_row(pool: &Pool, span: usize, most: usize) -> Levels {
    let mut levels = [EMPTY_HAND; VALUES + 1];
    // By the number of pairs in a row so far.
    let mut rows = [NOTHING; VALUES + 1];
    rows[0] = EMPTY_HAND;
    for place in 0..most {
        let ways = pool.ways(place);
        let mut all = levels[place];
        add::<1>(&mut all, &levels[place], ways[1]);
        for row in (1..span.min(place + 2)).rev() {
            rows[row] = held(&rows[row - 1], &ways, 2);
        }
        rows[0] = all;
        rows[1..span.min(place + 2)].iter().for_each(|row| add::<0>(&mut all, row, 1.0));
        levels[place + 1] = all;
    }
    levels
}

/// Returns the hands with this number of cards or more of a further value.
#[inline]
fn held(counts: &Counts, ways: &[f64; 5], need: usize) -> Counts {
    let mut held = NOTHING;
    if need < 2 {
        add::<1>(&mut held, counts, ways[1]);
    }
    if ways[2] > 0.0 {
        add::<2>(&mut held, counts, ways[2]);
    }
    if ways[3] > 0.0 {
        add::<3>(&mut held, counts, ways[3]);
    }
    if ways[4] > 0.0 {
        add::<4>(&mut held, counts, ways[4]);
    }
    held
}

/// Counts the hands that the phoenix does not complete, at the numbers of values where these ranks end, up to `most`.
///
/// Of any `span` adjacent values, two must lack something. A value with `need` cards lacks nothing, and the phoenix could
/// fill one that lacks a card.
fn without_window(pool: &Pool, [span, need]: [usize; 2], ranks: u32, most: usize) -> Levels {
    let mut levels = [EMPTY_HAND; VALUES + 1];
    // `rows[gap * span + run]`: behind a run of values that lack nothing. Before it, `gap - 1` such values and one that
    // the phoenix fills belong to it; the gap is 0 if none do.
    let mut rows = vec![NOTHING; span * span];
    rows[0] = EMPTY_HAND;
    // What nothing can complete within the values that are left.
    let mut safe = NOTHING;
    for place in 0..most {
        let (ways, left) = (pool.ways(place), most - place - 1);
        let (low, high) = (span.saturating_sub(left + 1), place.min(span - 1));
        let mut by_run = [NOTHING; VALUES + 1];
        for gap in 0..=high {
            for run in (low.saturating_sub(gap)..=high - gap).rev() {
                let row = rows[gap * span + run];
                add::<0>(&mut by_run[run], &row, 1.0);
                if gap + run + 1 < span {
                    rows[gap * span + run + 1] = held(&row, &ways, need);
                }
            }
        }
        let free = safe;
        add::<0>(&mut safe, &held(&free, &ways, 1), 1.0);
        let mut none = NOTHING;
        for (run, counts) in by_run.iter().enumerate().take(high + 1) {
            if need > 1 {
                add::<0>(&mut none, counts, 1.0);
            }
            if run + 1 < span {
                let filled = run + 1 + left >= span;
                let start = if filled { &mut rows[(run + 1) * span] } else { &mut safe };
                if filled {
                    *start = NOTHING;
                }
                if need > 1 {
                    add::<1>(start, counts, ways[1]);
                } else {
                    add::<0>(start, counts, 1.0);
                }
            }
        }
        if left >= span {
            rows[0] = none;
        } else {
            add::<0>(&mut safe, &none, 1.0);
        }
        if ranks >> (usize::from(ACE) - 1 + span - place - 1) & 1 == 1 {
            levels[place + 1] = safe;
            let (low, high) = (span.saturating_sub(left), (place + 1).min(span - 1));
            for gap in 0..=high {
                for row in &rows[gap * span + low.saturating_sub(gap)..=gap * span + high - gap] {
                    add::<0>(&mut levels[place + 1], row, 1.0);
                }
            }
        }
    }
    levels
}

/// The runs of one length, of which streets without the phoenix consist.
struct Runs<'a> {
    pool: &'a Pool,
    length: usize,
    /// By the last value of a run of this length: the ways to hold it.
    ways: [Run; VALUES + 1],
    /// The size of the largest hand.
    largest: usize,
}

/// A bad run among the active values, or with the sign −1 one that is a bomb.
#[derive(Clone, Copy)]
struct Event {
    /// The number of values up to the gap in front of the run; 0 if it begins with the first value.
    from: usize,
    /// The number of values up to the last one that is settled.
    to: usize,
    /// The number of values up to the first gap that another run behind it may have.
    next: usize,
    ways: Run,
    sign: f64,
}

impl<'a> Runs<'a> {
    /// Begins with runs of no value.
    fn new(pool: &'a Pool, largest: usize) -> Self {
        let mut none = [0.0; BESIDES];
        none[0] = 1.0;
        Self { pool, length: 0, ways: [none; VALUES + 1], largest }
    }

    /// Makes the runs as long as this, among up to `most` values.
    fn lengthen(&mut self, length: usize, most: usize) {
        for to in length..=most {
            for longer in self.length + 1..=length {
                self.ways[to] = lengthened(&self.ways[to], &self.pool.ways(to - longer));
            }
        }
        self.length = length;
    }

    /// Counts the hands of a size without a street among the first values.
    fn hands_without(&self, active: usize, size: usize) -> f64 {
        let all = choose(self.pool.all, size);
        let Some(besides) = size.checked_sub(self.length) else { return all };
        let mut hands = all;
        for to in self.length..=active {
            if self.ways[to][0] > 0.0 {
                hands -= with_free(&self.ways[to], self.free(to - self.length, to), besides);
            }
        }
        self.each_bomb(active, |from, to, suits| {
            if to - from <= size {
                hands += suits * choose(self.free(from, active.min(to + 1)), size - (to - from));
            }
        });
        let two = 2 * self.length;
        if size < two || active <= two { hands } else { hands + self.hands_with_two(active, size - two) }
    }

    /// Calls a function with each run of one suit among the first values: the number of values up to the gap in front of
    /// it, that up to its end, and the number of suits.
    fn each_bomb(&self, active: usize, mut call: impl FnMut(usize, usize, f64)) {
        for from in 0..=active.saturating_sub(self.length) {
            let mut common = u8::MAX;
            for to in from + 1..=active.min(from + self.largest) {
                common &= self.pool.suits[to - 1];
                if common == 0 {
                    break;
                }
                if to - from >= self.length {
                    call(from, to, f64::from(common.count_ones()));
                }
            }
        }
    }

    /// Returns the number of cards besides those of the settled values, from the gap in front of a run on.
    const fn free(&self, from: usize, to: usize) -> usize {
        self.pool.all + self.pool.before[from.saturating_sub(1)] - self.pool.before[to]
    }

    /// Counts the hands with two bad runs, and this number of cards besides one of each of their values; those with bombs
    /// instead are taken off, or added for two bombs.
    fn hands_with_two(&self, active: usize, besides: usize) -> f64 {
        let mut events = Vec::new();
        for to in self.length..=active {
            events.push(Event { from: to - self.length, to, next: to + 1, ways: self.ways[to], sign: 1.0 });
        }
        self.each_bomb(active, |from, to, suits| {
            let mut ways = [0.0; BESIDES];
            ways[to - from - self.length] = suits;
            let next = if to < active { to + 1 } else { VALUES + 1 };
            events.push(Event { from, to: active.min(to + 1), next, ways, sign: -1.0 });
        });
        let mut hands = 0.0;
        for one in &events {
            for other in events.iter().filter(|other| other.from >= one.next) {
                // The gap behind a bomb may be the one in front of the next run.
                let shared = if other.from == one.to { self.pool.counts[one.to - 1] } else { 0 };
                let free = self.free(one.from, one.to) + shared - (self.pool.all - self.free(other.from, other.to));
                hands += one.sign * other.sign * with_free(&product(&one.ways, &other.ways), free, besides);
            }
        }
        hands
    }
}

/// Returns a run with one more value.
fn lengthened(run: &Run, ways: &[f64; 5]) -> Run {
    let mut longer = [0.0; BESIDES];
    for more in 0..4 {
        for place in more..BESIDES {
            longer[place] += ways[more + 1] * run[place - more];
        }
    }
    longer
}

/// Returns the ways to hold both of two runs.
fn product(one: &Run, other: &Run) -> Run {
    let mut ways = [0.0; BESIDES];
    for (besides, one) in one.iter().enumerate() {
        for (ways, other) in ways[besides..].iter_mut().zip(other) {
            *ways += one * other;
        }
    }
    ways
}
