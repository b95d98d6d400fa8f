//! Determines the combination of a set of cards.

use super::cards::{ACE, Cards, LOWEST, value_at};
use super::combinations::{Combination, Kind};
use super::shape::{Shape, highest, lowest};

/// Returns the combination that these cards form, if any.
///
/// If the phoenix could stand in several places, the highest rank counts. The empty set is passing.
#[must_use]
pub fn classify(cards: Cards) -> Option<Combination> {
    let length = cards.len() as u8;
    let combination = |kind, rank| Some(Combination { kind, length, rank });
    match length {
        0 => return Some(Combination::PASS),
        1 => return combination(Kind::Single, value_at(cards.mask().trailing_zeros())),
        15.. => return None,
        _ => {}
    }
    if !cards.intersection(Cards::DOG.union(Cards::DRAGON)).is_empty() {
        return None;
    }
    let shape = Shape::of(cards);
    let phoenix = cards.contains(Cards::PHOENIX);
    if shape.pairs == 0 && length > 2 {
        return street(cards, shape.ones, phoenix);
    }
    if cards.contains(Cards::MAH_JONG) {
        return None;
    }
    let top = highest(shape.ones);
    match (shape.ones.count_ones(), length) {
        (1, 2) => combination(Kind::Pair, top),
        (1, 3) => combination(Kind::Triple, top),
        (1, 4) if !phoenix => combination(Kind::Bomb, top),
        (2, 5) if shape.fours == 0 => {
            combination(Kind::FullHouse, if shape.triples == 0 { top } else { highest(shape.triples) })
        }
        _ if is_stair(shape, length, phoenix) => combination(Kind::Stair, top),
        _ => None,
    }
}

/// Returns the street formed by at least three cards of different values without dog and dragon, if any.
fn street(cards: Cards, values: u64, phoenix: bool) -> Option<Combination> {
    let length = cards.len() as u8;
    let (bottom, top) = (lowest(values), highest(values));
    let span = top - bottom + 1;
    // The phoenix fills the only gap, or stands above, or, below an ace, at the low end; never for the Mah Jong.
    let rank = match (length.checked_sub(span)?, phoenix) {
        (0, _) => top,
        (1, true) if top < ACE => top + 1,
        (1, true) if bottom > LOWEST => top,
        _ => return None,
    };
    let kind = if is_one_suit(cards) { Kind::Bomb } else { Kind::Street };
    (length >= 5).then_some(Combination { kind, length, rank })
}

fn is_stair(shape: Shape, length: u8, phoenix: bool) -> bool {
    let steps = u32::from(length) / 2;
    let span = highest(shape.ones) - lowest(shape.ones) + 1;
    length.is_multiple_of(2)
        && steps >= 2
        && shape.triples == 0
        && u32::from(span) == steps
        && shape.ones.count_ones() == steps
        && shape.pairs.count_ones() == steps - u32::from(phoenix)
}

/// Returns whether all cards are of one suit; special cards have none.
fn is_one_suit(cards: Cards) -> bool {
    (1..=4).any(|suit| Cards::of_suit(suit).contains(cards))
}
