//! Streets without the phoenix: hands by their runs, values without a gap.

use super::{BESIDES, Pool, Run, VALUES, choose, spread, with_free};

/// The runs of one length, of which streets without the phoenix consist.
pub struct Runs<'a> {
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
    pub fn new(pool: &'a Pool, sizes: &'a [u32]) -> Self {
        let (ways, bad) = ([[0.0; BESIDES]; VALUES + 1], vec![[0.0; VALUES + 1]; sizes.len()]);
        Self { pool, sizes, length: 0, ways, bad }
    }

    /// Makes the runs as long as this, among up to `most` values.
    pub fn lengthen(&mut self, length: usize, most: usize) {
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
    pub fn hands_without(&self, active: usize, place: usize) -> f64 {
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
