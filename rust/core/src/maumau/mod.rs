//! Mau-Mau: whole games, a round from any moment to its end, players, and a search over samples.
//!
//! A card is a number from 0 to 31: 8 × colour + value, with the values from seven to ace.

pub mod encoding;
pub mod game;
pub mod possible;
pub mod redeal;
pub mod round;
pub mod rule;
pub mod search;

/// The number of cards.
pub const CARDS: u32 = 32;
/// The number of colours.
pub const COLOURS: u8 = 4;
const VALUES: u8 = 8;
const SEVEN: u8 = 0;
const JACK: u8 = 4;
const ACE: u8 = 7;
/// The points of a card left in the hand, by value.
const POINTS: [u16; VALUES as usize] = [7, 8, 9, 10, 20, 10, 10, 11];
const SEVENS: u32 = of_value(SEVEN);
const JACKS: u32 = of_value(JACK);

const fn of_colour(colour: u8) -> u32 {
    0xff << (VALUES * colour)
}

const fn of_value(value: u8) -> u32 {
    0x0101_0101 << value
}

/// Returns the points of cards left in the hand.
fn points(hand: u32) -> u16 {
    (0..VALUES).map(|value| POINTS[value as usize] * (hand & of_value(value)).count_ones() as u16).sum()
}

/// Returns the cards of a set in ascending order.
fn cards(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let card = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(card)
    })
}
