//! Hands that the phoenix does not complete, by how long the gaps between their runs are.

use std::ops::Range;

use super::{BESIDE_PHOENIX, Beside, LevelsBeside, Pool, VALUES, add, spread, with_value};
use crate::tichu::cards::ACE;

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
pub fn without_window(pool: &Pool, [span, need]: [usize; 2], ranks: u32, most: usize) -> LevelsBeside {
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
