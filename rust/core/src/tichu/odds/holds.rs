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

use std::ops::Range;

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
/// bombs and what has more cards than a
/// hand are left out.
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

/// Hands by what the phoenix needs to complete them.
struct Gaps {
    span: usize,
    /// The number of cards of a value that lacks nothing.
    need: usize,
    /// By gap and run, the hands behind a run of values that lack nothing. Before it, `gap - 1` such values and one that the
    /// phoenix fills belong to it; the gap is 0 if none do.
    rows: Vec<Beside>,
    /// The hands by their last run, whatever the gap.
    by_run: [Beside; VALUES + 1],
    /// What nothing can complete within the values that are left.
    safe: Beside,
}

impl Gaps {
    fn new(span: usize, need: usize) -> Self {
        let nothing = [0.0; BESIDE_PHOENIX];
        let mut rows = vec![nothing; span * (span + 1) / 2];
        rows[0][0] = 1.0;
        Self { span, need, rows, by_run: [nothing; VALUES + 1], safe: nothing }
    }

    /// Returns the gaps that are in question with a run, or the runs with a gap, when this number of values is read and that
    /// left: together they can become as long as the span, and are not yet.
    fn with(&self, run: usize, read: usize, left: usize) -> Range<usize> {
        self.span.saturating_sub(left + run)..(read.min(self.span - 1) + 1).saturating_sub(run)
    }

    /// Returns the place of the first row with a gap.
    const fn place(&self, gap: usize) -> usize {
        gap * (2 * self.span + 1 - gap) / 2
    }

    /// Reads a value with this number of cards behind `read` others, when this number of values is left behind it.
    fn read(&mut self, ways: &[f64; 5], cards: usize, read: usize, left: usize) {
        let (span, gaps) = (self.span, read.min(self.span - 1) + 1);
        let [_, one, two, three, four] = *ways;
        let whole = [0.0, if self.need == 1 { one } else { 0.0 }, two, three, four];
        for run in (0..gaps).rev() {
            let mut all = [0.0; BESIDE_PHOENIX];
            for gap in self.with(run, read, left + 1) {
                let place = self.place(gap) + run;
                add(&mut all, &self.rows[place]);
                if gap + run + 1 < span {
                    self.rows[place + 1] = with_value(&self.rows[place], &whole, cards);
                }
            }
            self.by_run[run] = all;
        }
        self.safe = with_value(&self.safe, ways, cards);
        let mut none = [0.0; BESIDE_PHOENIX];
        for run in 0..gaps {
            let lacking = if self.need == 1 {
                self.by_run[run]
            } else {
                add(&mut none, &self.by_run[run]);
                spread(&self.by_run[run], &[0.0, one])
            };
            match run + 1 {
                gap if gap == span => {}
                gap if gap + left < span => add(&mut self.safe, &lacking),
                gap => {
                    let place = self.place(gap);
                    self.rows[place] = lacking;
                }
            }
        }
        if left < span {
            add(&mut self.safe, &none);
        } else {
            self.rows[0] = none;
        }
    }

    /// Returns all hands, when this number of values is read and that left.
    fn all(&self, read: usize, left: usize) -> Beside {
        let mut all = self.safe;
        for gap in 0..=read.min(self.span - 1) {
            for row in &self.rows[self.place(gap)..][self.with(gap, read, left)] {
                add(&mut all, row);
            }
        }
        all
    }
}

/// Counts the hands that the phoenix does not complete, at the numbers of values where these ranks end, up to `most`.
///
/// Of any `span` adjacent values, two must lack something. A value with `need` cards lacks nothing, and the phoenix could
/// fill one that lacks a card.
fn without_window(pool: &Pool, [span, need]: [usize; 2], ranks: u32, most: usize) -> LevelsBeside {
    let mut levels = [[0.0; BESIDE_PHOENIX]; VALUES + 1];
    levels[0][0] = 1.0;
    let mut gaps = Gaps::new(span, need);
    for read in 0..most {
        let left = most - read - 1;
        gaps.read(&pool.ways(read), pool.counts[read], read, left);
        if ranks >> (usize::from(ACE) - 1 + span - (read + 1)) & 1 == 1 {
            levels[read + 1] = gaps.all(read + 1, left);
        }
    }
    levels
}

/// The runs of one length, of which streets without the phoenix consist.
struct Runs<'a> {
    pool: &'a Pool,
    sizes: &'a [u32],
    length: usize,
    /// By the last value of a run of this length: the ways to hold it.
    ways: [Run; VALUES + 1],
    /// By size and number of active values: the hands with a bad run, each as often as it has them.
    bad: Vec<[f64; VALUES + 1]>,
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
    fn new(pool: &'a Pool, sizes: &'a [u32]) -> Self {
        let (ways, bad) = ([[0.0; BESIDES]; VALUES + 1], vec![[0.0; VALUES + 1]; sizes.len()]);
        Self { pool, sizes, length: 0, ways, bad }
    }

    /// Makes the runs as long as this, among up to `most` values.
    fn lengthen(&mut self, length: usize, most: usize) {
        for to in length..=most {
            if self.length == 0 {
                self.ways[to][..4].copy_from_slice(&self.pool.ways(to - 1)[1..]);
            }
            for longer in self.length.max(1) + 1..=length {
                let [_, ways @ ..] = self.pool.ways(to - longer);
                self.ways[to] = spread(&self.ways[to], &ways);
            }
        }
        self.length = length;
        let mut bad = std::mem::take(&mut self.bad);
        for (place, &size) in self.sizes.iter().enumerate().filter(|(_, size)| **size as usize >= length) {
            if self.sizes.iter().position(|&other| other == size) == Some(place) {
                self.count_bad(size as usize, most, &mut bad[place]);
            }
        }
        self.bad = bad;
    }

    /// Counts the bad runs in hands of a size, for each number of active values up to `most`.
    fn count_bad(&self, size: usize, most: usize, bad: &mut [f64; VALUES + 1]) {
        *bad = [0.0; VALUES + 1];
        let mut ending = [0.0; VALUES + 1];
        self.each_bomb(most, |from, to, suits| {
            if let Some(others) = size.checked_sub(to - from) {
                ending[to] += suits * choose(self.free(from, to), others);
                if to < most {
                    bad[to + 1] -= suits * choose(self.free(from, to + 1), others);
                }
            }
        });
        for to in self.length..=most {
            bad[to] += bad[to - 1];
            if self.ways[to][0] > 0.0 {
                bad[to] += with_free(&self.ways[to], self.free(to - self.length, to), size - self.length);
            }
        }
        // A bomb that ends with the active values needs no gap behind it.
        bad.iter_mut().zip(ending).for_each(|(bad, ending)| *bad -= ending);
    }

    /// Counts the hands without a street among the first values, for the size at a place.
    fn hands_without(&self, active: usize, place: usize) -> f64 {
        let size = self.sizes[place] as usize;
        let all = choose(self.pool.all, size);
        let two = 2 * self.length;
        match size {
            _ if size < self.length => all,
            _ if size < two || active <= two => all - self.bad[place][active],
            _ => all - self.bad[place][active] + self.hands_with_two(active, size - two),
        }
    }

    /// Calls a function with each run of one suit among the first values: the number of values up to the gap in front of
    /// it, that up to its end, and the number of suits.
    fn each_bomb(&self, active: usize, mut call: impl FnMut(usize, usize, f64)) {
        for from in 0..=active.saturating_sub(self.length) {
            let mut common = u8::MAX;
            for to in from + 1..=active {
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
            if let Some(ways) = ways.get_mut(to - from - self.length) {
                *ways = suits;
            }
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
