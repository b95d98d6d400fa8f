//! Compares the candidates of a decision in samples (sequential halving).
//!
//! All candidates are tried in the same samples, so that only their effect is compared. After each stage the worse half is
//! dropped, and the rest is tried in more samples.

/// The number of samples between two questions whether to go on.
const PAUSE: u64 = 64;

/// Returns the values of each candidate by sample; candidates that were dropped have fewer.
///
/// `playouts` is the whole effort. `sample` draws the sample of a number, and `judge` returns the value of a candidate in
/// it, the higher the better. Once `proceed` returns false, it stops: the values mean nothing then.
pub fn compare<W>(
    candidates: usize,
    playouts: usize,
    mut sample: impl FnMut(u64) -> W,
    mut judge: impl FnMut(&W, usize) -> i32,
    proceed: &mut dyn FnMut() -> bool,
) -> Vec<Vec<i32>> {
    let mut values: Vec<Vec<i32>> = vec![Vec::new(); candidates];
    let mut rest: Vec<usize> = (0..candidates).collect();
    let stages = (usize::BITS - candidates.saturating_sub(1).leading_zeros()).max(1) as usize;
    let mut number = 0;
    for _ in 0..stages {
        for _ in 0..(playouts / (stages * rest.len().max(1))).max(1) {
            let world = sample(number);
            number += 1;
            if number.is_multiple_of(PAUSE) && !proceed() {
                return values;
            }
            for &candidate in &rest {
                values[candidate].push(judge(&world, candidate));
            }
        }
        rest.sort_by_key(|&candidate| -values[candidate].iter().map(|&value| i64::from(value)).sum::<i64>());
        rest.truncate(rest.len().div_ceil(2));
    }
    values
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_half_is_tried_in_more_samples() {
        let worth = [0, 10, 20, 30];
        let mut number = -1;
        let sample = |_| {
            number += 1;
            number
        };
        let values = compare(4, 80, sample, |&world, candidate| world + worth[candidate], &mut || true);
        assert_eq!(values.iter().map(Vec::len).collect::<Vec<_>>(), [10, 10, 30, 30]);
        assert_eq!(values[0], (0..10).collect::<Vec<_>>());
        assert_eq!(values[3], (30..60).collect::<Vec<_>>());
    }

    #[test]
    fn a_small_effort_tries_every_candidate_once() {
        let worth = [0, 1, 2];
        let tried = |candidates, playouts| compare(candidates, playouts, |_| (), |(), each| worth[each], &mut || true);
        assert_eq!(tried(3, 1), [vec![0], vec![1, 1], vec![2, 2]]);
        assert_eq!(tried(1, 5), [vec![0; 5]]);
        assert!(tried(0, 5).is_empty());
    }

    #[test]
    fn it_stops_when_it_is_told_to() {
        let mut asked = 0;
        let mut proceed = || {
            asked += 1;
            asked < 3
        };
        let values = compare(2, usize::MAX, |_| (), |(), _| 0, &mut proceed);
        assert_eq!(values.iter().map(Vec::len).collect::<Vec<_>>(), [3 * PAUSE as usize - 1; 2]);
    }
}
