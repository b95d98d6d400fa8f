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

mod gaps;
mod runs;

use self::gaps::without_window;
use self::runs::Runs;
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
/// One more than the number of cards that a hand can hold beside the phoenix.
const BESIDE_PHOENIX: usize = 14;
/// One more than the number of cards that a hand can hold besides one of each value of a street.
const BESIDES: usize = WIDTH - STREET - 1;

/// The numbers of hands by size.
type Counts = [f64; WIDTH];
/// The numbers of hands after each number of values.
type Levels = [Counts; VALUES + 1];
/// The numbers of hands by size, without the phoenix in them; and after each number of values.
type Beside = [f64; BESIDE_PHOENIX];
type LevelsBeside = [Beside; VALUES + 1];
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

/// Returns the counts of hands with cards of a further value, of which up to `WAYS - 1` are held.
#[inline]
fn spread<const SIZES: usize, const WAYS: usize>(counts: &[f64; SIZES], ways: &[f64; WAYS]) -> [f64; SIZES] {
    let mut spread = [0.0; SIZES];
    for size in 0..WAYS - 1 {
        for held in 0..=size {
            spread[size] += ways[held] * counts[size - held];
        }
    }
    for size in WAYS - 1..SIZES {
        let mut sum = 0.0;
        for held in 0..WAYS {
            sum += ways[held] * counts[size - held];
        }
        spread[size] = sum;
    }
    spread
}

/// Returns the counts of hands with cards of a further value, of which there are `cards`.
fn with_value<const SIZES: usize>(counts: &[f64; SIZES], ways: &[f64; 5], cards: usize) -> [f64; SIZES] {
    let [none, one, two, three, _] = *ways;
    match cards {
        0 => spread(counts, &[none]),
        1 => spread(counts, &[none, one]),
        2 => spread(counts, &[none, one, two]),
        3 => spread(counts, &[none, one, two, three]),
        _ => spread(counts, ways),
    }
}

/// Adds other counts.
fn add<const SIZES: usize>(counts: &mut [f64; SIZES], others: &[f64; SIZES]) {
    for (count, other) in counts.iter_mut().zip(others) {
        *count += other;
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
/// bombs and what has more cards than a hand are left out.
pub fn each_hands_without(
    unseen: Cards,
    sizes: &[u32],
    ranks: &Ranks,
    mut tell: impl FnMut(Combination, &dyn Fn(usize, usize) -> f64),
) {
    let pool = Pool::new(unseen);
    let phoenix = unseen.contains(Cards::PHOENIX);
    let of = |kind: Kind| ranks.0[kind as usize];
    for rank in bits(of(Kind::Single)[1]) {
        let single = Combination { kind: Kind::Single, length: 1, rank };
        if rank == DOG_VALUE {
            // Any card tops it, because it loses the lead.
            tell(single, &|_, size| if size == 0 { 1.0 } else { 0.0 });
            continue;
        }
        let lower = unseen.minus(higher_singles(rank)).len() as usize;
        tell(single, &|_, size| choose(lower, size));
    }
    if of(Kind::Pair)[2] | of(Kind::Triple)[3] | of(Kind::FullHouse)[5] != 0 {
        alike(&pool, phoenix, ranks, &mut tell);
    }
    let largest = sizes.iter().max().copied().unwrap_or_default() as usize;
    let fits = |&(length, &ranks): &(usize, &u32)| ranks != 0 && length <= largest;
    for (length, &ranks) in of(Kind::Stair).iter().enumerate().filter(fits) {
        stairs(&pool, phoenix, length, ranks, &mut tell);
    }
    let mut runs = Runs::new(&pool, sizes);
    for (length, &ranks) in of(Kind::Street).iter().enumerate().filter(fits) {
        let most = active_above(Combination { kind: Kind::Street, length: length as u8, rank: lowest(ranks) });
        runs.lengthen(length, most);
        let patched = phoenix.then(|| without_window(&pool, [length, 1], ranks, most));
        for rank in bits(ranks) {
            let street = Combination { kind: Kind::Street, length: length as u8, rank };
            let active = active_above(street);
            let free = pool.after(active);
            tell(street, &|place, size| {
                runs.hands_without(active, place) + with_phoenix(patched.as_ref(), active, free, size)
            });
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
pub fn bits(mut set: u32) -> impl Iterator<Item = u8> {
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
fn with_phoenix(levels: Option<&LevelsBeside>, active: usize, free: usize, size: usize) -> f64 {
    match (levels, size.checked_sub(1)) {
        (Some(levels), Some(size)) => with_free(&levels[active], free, size),
        _ => 0.0,
    }
}

/// Tells the hands without pairs, triples and full houses.
fn alike(pool: &Pool, phoenix: bool, ranks: &Ranks, tell: &mut impl FnMut(Combination, &dyn Fn(usize, usize) -> f64)) {
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
            tell(pair, &|_, size| with_free(&ones, free, size) + with_phoenix(&EMPTY_HAND, size));
        }
        if is_in(triples) {
            let triple = Combination { kind: Kind::Triple, length: 3, rank };
            tell(triple, &|_, size| with_free(&twos, free, size) + with_phoenix(&ones, size));
        }
        if is_in(houses) {
            let house = Combination { kind: Kind::FullHouse, length: 5, rank };
            tell(house, &|_, size| {
                let natural = with_free(&twos, free, size) + full.one_triple(place, size);
                natural + with_phoenix(&ones, size) + if phoenix { full.beside_phoenix(place, size) } else { 0.0 }
            });
        }
        let ways = pool.ways(place);
        if houses & ((1 << rank) - 1) != 0 {
            full.advance(&ways, &ones);
        }
        ones = spread(&ones, &[1.0, ways[1]]);
        twos = spread(&twos, &[1.0, ways[1], ways[2]]);
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
            for place in (usize::from(ACE) - ranks.ilog2() as usize..VALUES).rev() {
                others[place] = spread(&others[place + 1], &[1.0, pool.ways(place)[1]]);
            }
        }
        Self { triple: NOTHING, pair: NOTHING, triples: [0.0; 2], others, loose }
    }

    /// Adds an active value; `ones` are the hands with at most one card of each before it.
    fn advance(&mut self, ways: &[f64; 5], ones: &Counts) {
        self.triple = spread(&self.triple, &[1.0, ways[1]]);
        add(&mut self.triple, &spread(ones, &[0.0, 0.0, 0.0, ways[3], ways[4]]));
        self.pair = spread(&self.pair, &[1.0, ways[1]]);
        add(&mut self.pair, &spread(ones, &[0.0, 0.0, ways[2]]));
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
    tell: &mut impl FnMut(Combination, &dyn Fn(usize, usize) -> f64),
) {
    let most = active_above(Combination { kind: Kind::Stair, length: length as u8, rank: lowest(ranks) });
    let plain = without_pairs_in_a_row(pool, length / 2, most);
    let patched = phoenix.then(|| without_window(pool, [length / 2, 2], ranks, most));
    for rank in bits(ranks) {
        let stair = Combination { kind: Kind::Stair, length: length as u8, rank };
        let active = active_above(stair);
        let free = pool.after(active);
        tell(stair, &|_, size| {
            with_free(&plain[active], free, size) + with_phoenix(patched.as_ref(), active, free, size)
        });
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
        let mut all = spread(&levels[place], &[1.0, ways[1]]);
        for row in (1..span.min(place + 2)).rev() {
            rows[row] = with_value(&rows[row - 1], &[0.0, 0.0, ways[2], ways[3], ways[4]], pool.counts[place]);
        }
        rows[0] = all;
        rows[1..span.min(place + 2)].iter().for_each(|row| add(&mut all, row));
        levels[place + 1] = all;
    }
    levels
}
