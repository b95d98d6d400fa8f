//! The number of cards of each value in a set, for all values at once.
//!
//! The flag of a value is the lowest bit of its own nibble: Mah Jong 1, the twos 16 and so on up to the ace. A mask of
//! cards shifted left by [`TO_FLAGS`] has the cards of a value in the nibble of its flag.

use super::cards::Cards;

/// The shift that moves the cards of each value into the nibble of its flag.
pub const TO_FLAGS: u32 = 2;
/// The flags of all values from Mah Jong to ace.
pub const ALL_VALUES: u64 = 0x0011_1111_1111_1111;
/// The flag of the Mah Jong.
pub const MAH_JONG_FLAG: u64 = 1;

/// The values of which a set holds at least one, two, three, and all four cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// Values with one card or more, including the Mah Jong.
    pub ones: u64,
    /// Values with two cards or more.
    pub pairs: u64,
    /// Values with three cards or more.
    pub triples: u64,
    /// Values with all four cards.
    pub fours: u64,
}

impl Shape {
    /// Returns the shape of a set of cards.
    #[must_use]
    pub const fn of(cards: Cards) -> Self {
        let nibbles = cards.intersection(Cards::SUITED).mask() << TO_FLAGS;
        let twos = (nibbles & 0x5555_5555_5555_5555) + (nibbles >> 1 & 0x5555_5555_5555_5555);
        let counts = (twos & 0x3333_3333_3333_3333) + (twos >> 2 & 0x3333_3333_3333_3333);
        let fours = counts >> 2 & ALL_VALUES;
        let pairs = (counts >> 1 & ALL_VALUES) | fours;
        let mah_jong = if cards.contains(Cards::MAH_JONG) { MAH_JONG_FLAG } else { 0 };
        Self { ones: (counts & ALL_VALUES) | pairs | mah_jong, pairs, triples: (counts & pairs) | fours, fours }
    }
}

/// Returns the flag of a value 1 to 14.
#[must_use]
pub const fn flag(value: u8) -> u64 {
    1 << (4 * (value as u32 - 1))
}

/// Returns the value of the lowest of some flags.
#[must_use]
pub const fn lowest(flags: u64) -> u8 {
    (flags.trailing_zeros() / 4 + 1) as u8
}

/// Returns the value of the highest of some flags; there must be one.
#[must_use]
pub const fn highest(flags: u64) -> u8 {
    (flags.ilog2() / 4 + 1) as u8
}

/// Returns the flags of the values from one to another.
#[must_use]
pub const fn between(bottom: u64, top: u64) -> u64 {
    ((top - bottom) | top) & ALL_VALUES
}

/// Returns the bits of a mask one by one, the lowest first.
pub fn bits(mut mask: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let bit = mask & mask.wrapping_neg();
        mask ^= bit;
        (bit != 0).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_tells_how_often_each_value_is_there() {
        let cards: Cards = "Hu Ma Dr Ph S2 S3 B3 S4 B4 R4 SA BA GA RA".parse().unwrap();
        let shape = Shape::of(cards);
        assert_eq!(shape.ones, flag(1) | flag(2) | flag(3) | flag(4) | flag(14));
        assert_eq!(shape.pairs, flag(3) | flag(4) | flag(14));
        assert_eq!(shape.triples, flag(4) | flag(14));
        assert_eq!(shape.fours, flag(14));
        assert_eq!((lowest(shape.pairs), highest(shape.pairs)), (3, 14));
    }
}
