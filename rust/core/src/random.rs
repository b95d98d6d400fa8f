//! The only source of chance of every game: xoshiro256**, seeded by `SplitMix64`.
//!
//! Tests freeze its numbers: a game is its options, its seed and its moves, and must be dealt identically on every
//! machine and in every later version.

const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream of random numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Random {
    state: [u64; 4],
}

/// Scrambles 64 bits so that every input bit reaches every output bit.
const fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

/// Derives a seed from another: the same seed and path give the same result, others an unrelated one.
#[must_use]
pub fn derive(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(seed, |seed, &step| {
        mix(mix(seed.wrapping_add(GOLDEN)) ^ step.wrapping_mul(GOLDEN).rotate_left(32)).wrapping_add(step)
    })
}

/// Returns the step of a path for a word (FNV-1a).
#[must_use]
pub fn word(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

impl Random {
    /// Creates the stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut counter = seed;
        let state = std::array::from_fn(|_| {
            counter = counter.wrapping_add(GOLDEN);
            mix(counter)
        });
        Self { state }
    }

    /// Returns the next 64 random bits.
    pub const fn bits(&mut self) -> u64 {
        let state = &mut self.state;
        let result = state[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let shifted = state[1] << 17;
        state[2] ^= state[0];
        state[3] ^= state[1];
        state[1] ^= state[2];
        state[0] ^= state[3];
        state[2] ^= shifted;
        state[3] = state[3].rotate_left(45);
        result
    }

    /// Returns a number from 0 up to, but not including, `bound`, uniformly; 0 if `bound` is 0.
    pub const fn below(&mut self, bound: u64) -> u64 {
        let mut product = self.bits() as u128 * bound as u128;
        if (product as u64) < bound {
            let threshold = bound.wrapping_neg() % bound;
            while (product as u64) < threshold {
                product = self.bits() as u128 * bound as u128;
            }
        }
        (product >> 64) as u64
    }

    /// Returns a number from 0 up to, but not including, 1, in steps of 2⁻⁵³.
    pub const fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Shuffles the items uniformly.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u64 + 1) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_of_a_seed_is_frozen() {
        let mut random = Random::new(2024);
        let first = [0; 3].map(|_| random.bits());
        assert_eq!(first, [1_029_197_146_548_041_518, 14_427_268_137_155_694_693, 1_329_179_038_587_965_441]);
        let mut deck: Vec<u32> = (0..10).collect();
        Random::new(7).shuffle(&mut deck);
        assert_eq!(deck, [1, 8, 3, 0, 4, 5, 9, 6, 2, 7]);
        assert_eq!(derive(7, &[1, 2]), 14_219_473_184_375_686_317);
    }

    #[test]
    fn every_number_below_a_bound_is_equally_likely() {
        let mut random = Random::new(1);
        let mut seen = [0_u32; 6];
        for _ in 0..60_000 {
            seen[random.below(6) as usize] += 1;
        }
        assert!(seen.iter().all(|&times| (9_600..10_400).contains(&times)), "{seen:?}");
        assert_eq!(random.below(1), 0);
    }

    #[test]
    fn paths_lead_to_unrelated_seeds() {
        let mut seeds: Vec<u64> = (0..100).flat_map(|a| (0..100).map(move |b| derive(a, &[b]))).collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 10_000);
        assert_ne!(derive(1, &[2, 3]), derive(1, &[3, 2]));
    }
}
