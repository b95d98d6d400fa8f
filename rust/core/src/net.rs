//! A small network that scores the candidates of a decision, from sparse features.
//!
//! Features are zero or one, and only the numbers of the ones are given, so that the first layer is a sum of rows. Two
//! hidden layers of rectified sums follow, then one score. Additions have a fixed order, and there is no fused
//! multiplication and no function of a mathematical library: every machine computes the same bits.

use std::fmt;

/// The number of sums that are added up at once: as many as the registers hold.
const BLOCK: usize = 16;

/// The number of a feature that is one.
pub type Feature = u16;

/// The sizes of a network: its features and its two hidden layers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// The number of features.
    pub features: usize,
    /// The size of the first hidden layer.
    pub wide: usize,
    /// The size of the second hidden layer.
    pub narrow: usize,
}

impl Sizes {
    /// Returns the number of weights; none if there are more than memory could hold.
    #[must_use]
    pub fn weights(self) -> Option<usize> {
        let Self { features, wide, narrow } = self;
        let first = features.checked_add(1)?.checked_mul(wide)?;
        let second = wide.checked_add(1)?.checked_mul(narrow)?;
        first.checked_add(second)?.checked_add(narrow)?.checked_add(1)
    }
}

/// The reason why some numbers are no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetError {
    /// A layer is empty, or there are more features than numbers for them.
    Sizes(Sizes),
    /// There are so many weights, but the sizes need another number of them.
    Weights(Sizes, usize),
    /// The weight at this place is infinite or not a number.
    NotFinite(usize),
    /// So many bytes are no whole number of weights.
    Bytes(usize),
    /// It needs so many features, but the network has another number of them.
    Features(usize, usize),
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sizes(Sizes { features, wide, narrow }) => write!(
                f,
                "A network has up to 65536 features and two hidden layers, not {features} features and layers of {wide} \
                 and {narrow}."
            ),
            Self::Weights(Sizes { features, wide, narrow }, found) => {
                write!(f, "A network of {features} features and layers of {wide} and {narrow} needs ")?;
                match (Sizes { features: *features, wide: *wide, narrow: *narrow }).weights() {
                    Some(weights) => write!(f, "{weights} weights, not {found}."),
                    None => f.write_str("more weights than there can be."),
                }
            }
            Self::NotFinite(place) => write!(f, "Weight {place} of the network is not a finite number."),
            Self::Bytes(found) => write!(f, "Weights are numbers of 4 bytes each, not {found} bytes."),
            Self::Features(needed, found) => {
                write!(f, "This takes a network with {needed} features, not {found}.")
            }
        }
    }
}

impl std::error::Error for NetError {}

/// A network: the rows of its layers one after the other, each with its biases behind it.
#[derive(Clone, Debug, PartialEq)]
pub struct Net {
    sizes: Sizes,
    rows: Vec<f32>,
    first: Vec<f32>,
    joined: Vec<f32>,
    second: Vec<f32>,
    last: Vec<f32>,
    bias: f32,
}

/// The sums of an evaluation, kept for the next one.
#[derive(Clone, Debug, Default)]
pub struct Sums {
    common: Vec<f32>,
    wide: Vec<f32>,
    narrow: Vec<f32>,
}

impl Net {
    /// Creates a network from its weights: the rows of the features, the biases of the first layer, the rows of the
    /// first layer, the biases of the second layer, the weights of the score and its bias.
    ///
    /// # Errors
    /// The sizes or the weights are impossible.
    pub fn new(sizes: Sizes, weights: &[f32]) -> Result<Self, NetError> {
        let Sizes { features, wide, narrow } = sizes;
        if features == 0 || wide == 0 || narrow == 0 || features > 1 << Feature::BITS {
            return Err(NetError::Sizes(sizes));
        }
        if sizes.weights() != Some(weights.len()) {
            return Err(NetError::Weights(sizes, weights.len()));
        }
        if let Some(place) = weights.iter().position(|weight| !weight.is_finite()) {
            return Err(NetError::NotFinite(place));
        }
        let (rows, rest) = weights.split_at(features * wide);
        let (first, rest) = rest.split_at(wide);
        let (joined, rest) = rest.split_at(wide * narrow);
        let (second, rest) = rest.split_at(narrow);
        let (last, bias) = rest.split_at(narrow);
        Ok(Self {
            sizes,
            rows: rows.to_vec(),
            first: first.to_vec(),
            joined: joined.to_vec(),
            second: second.to_vec(),
            last: last.to_vec(),
            bias: bias[0],
        })
    }

    /// Creates a network from its weights as [`Net::new`] has them, four bytes each, the lowest first.
    ///
    /// # Errors
    /// The sizes or the weights are impossible.
    pub fn read(sizes: Sizes, weights: &[u8]) -> Result<Self, NetError> {
        let (numbers, rest) = weights.as_chunks::<4>();
        if !rest.is_empty() {
            return Err(NetError::Bytes(weights.len()));
        }
        let numbers: Vec<f32> = numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect();
        Self::new(sizes, &numbers)
    }

    /// Returns the weights as [`Net::read`] has them.
    #[must_use]
    pub fn write(&self) -> Vec<u8> {
        let parts = [&self.rows, &self.first, &self.joined, &self.second, &self.last];
        parts.into_iter().flatten().chain([&self.bias]).flat_map(|weight| weight.to_le_bytes()).collect()
    }

    /// Checks that the network has so many features.
    ///
    /// # Errors
    /// It has another number of them.
    pub const fn check(&self, features: usize) -> Result<(), NetError> {
        let found = self.sizes.features;
        if found == features { Ok(()) } else { Err(NetError::Features(features, found)) }
    }

    /// Returns the sizes.
    #[must_use]
    pub const fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// Sums up the features that all candidates of a decision have in common.
    ///
    /// # Panics
    /// The network has no such feature.
    pub fn begin(&self, features: &[Feature], sums: &mut Sums) {
        sums.common.clear();
        sums.common.extend_from_slice(&self.first);
        self.add_features(features, &mut sums.common);
    }

    /// Returns the score of a candidate with these features besides the common ones of [`Net::begin`].
    ///
    /// # Panics
    /// The network has no such feature.
    #[must_use]
    pub fn score(&self, features: &[Feature], sums: &mut Sums) -> f32 {
        let Sums { common, wide, narrow } = sums;
        wide.clear();
        wide.extend_from_slice(common);
        self.add_features(features, wide);
        narrow.clear();
        narrow.extend_from_slice(&self.second);
        // The zeros of sums that are cut off do not change a bit.
        let weighed =
            || wide.iter().zip(self.joined.chunks_exact(self.sizes.narrow)).map(|(sum, row)| (sum.max(0.0), row));
        add_rows(narrow, weighed);
        let score = |score: f32, (&sum, &weight): (&f32, &f32)| if sum > 0.0 { score + sum * weight } else { score };
        narrow.iter().zip(&self.last).fold(self.bias, score)
    }

    /// Adds the rows of some features to sums.
    fn add_features(&self, features: &[Feature], sums: &mut [f32]) {
        let wide = self.sizes.wide;
        add_rows(sums, || features.iter().map(|&feature| (1.0, &self.rows[usize::from(feature) * wide..][..wide])));
    }
}

/// Adds multiples of rows to sums, in the order of the rows.
fn add_rows<'a, I: Iterator<Item = (f32, &'a [f32])>>(sums: &mut [f32], rows: impl Fn() -> I) {
    let (blocks, rest) = sums.as_chunks_mut::<BLOCK>();
    for (number, block) in blocks.iter_mut().enumerate() {
        // A copy stays in registers over all rows.
        let mut held = *block;
        for (factor, row) in rows() {
            add(&mut held, factor, &row[number * BLOCK..][..BLOCK]);
        }
        *block = held;
    }
    if rest.is_empty() {
        return;
    }
    for (factor, row) in rows() {
        add(rest, factor, &row[row.len() - rest.len()..]);
    }
}

/// Adds multiples of numbers to sums.
fn add(sums: &mut [f32], factor: f32, numbers: &[f32]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += factor * number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZES: Sizes = Sizes { features: 2, wide: 2, narrow: 1 };

    #[test]
    fn the_score_is_that_of_the_layers_by_hand() {
        // Rows (1, −1) and (2, 5), biases (0, −3); second layer 10 and 100 with bias 7; score 2 with bias 0.5.
        let net = Net::new(SIZES, &[1.0, -1.0, 2.0, 5.0, 0.0, -3.0, 10.0, 100.0, 7.0, 2.0, 0.5]).unwrap();
        let mut sums = Sums::default();
        net.begin(&[0], &mut sums);
        // Sums (1, −4): only the first counts, 7 + 10 = 17.
        assert_eq!(net.score(&[], &mut sums).to_bits(), 34.5_f32.to_bits());
        // Sums (3, 1): 7 + 30 + 100 = 137.
        assert_eq!(net.score(&[1], &mut sums).to_bits(), 274.5_f32.to_bits());
    }

    #[test]
    fn impossible_networks_are_refused_with_a_sentence() {
        let told = |sizes, weights: &[f32]| Net::new(sizes, weights).unwrap_err().to_string();
        let empty = told(Sizes { narrow: 0, ..SIZES }, &[]);
        assert_eq!(
            empty,
            "A network has up to 65536 features and two hidden layers, not 2 features and layers of 2 and 0."
        );
        assert_eq!(told(SIZES, &[0.0; 10]), "A network of 2 features and layers of 2 and 1 needs 11 weights, not 10.");
        let vast = Sizes { wide: usize::MAX, ..SIZES };
        assert!(told(vast, &[]).ends_with("needs more weights than there can be."));
        let mut weights = [0.0; 11];
        weights[4] = f32::NAN;
        assert_eq!(told(SIZES, &weights), "Weight 4 of the network is not a finite number.");
    }
}
