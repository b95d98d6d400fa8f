//! The groups: which tiles complete one, and which groups a tile can begin.
//!
//! Every run of six or more splits into runs of three to five, so only these are considered.

use std::sync::LazyLock;

use super::tiles::{ALL, COPIES};

/// The number of tiles in the smallest and in the largest group.
pub(super) const LEAST: u8 = 3;
pub(super) const LARGEST: u8 = 5;

/// A group, given by the tiles it takes from its lowest tile on and the jokers it needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    /// The tiles, encoded as in a rack, with the lowest number shifted to the front.
    pub tiles: u32,
    /// The number of tiles, including jokers.
    pub length: u8,
    pub jokers: u8,
    /// How many more jokers it could take.
    pub room: u8,
    pub is_run: bool,
}

/// Returns the groups whose lowest tile has this colour, in the order of the search.
fn groups_from(colour: u32) -> Vec<Group> {
    let runs = (0..16_u32).map(|rest| rest << 1 | 1).map(|pattern| {
        let tiles =
            (0..5).filter(|number| pattern >> number & 1 == 1).fold(0, |tiles, number| tiles | 1 << (4 * number));
        let length = (32 - pattern.leading_zeros()).max(3) as u8;
        let jokers = length - pattern.count_ones() as u8;
        Group { tiles: tiles << colour, length, jokers, room: 2, is_run: true }
    });
    let sets =
        (1..16_u32).filter(|colours| colours.trailing_zeros() == colour && colours.count_ones() > 1).map(|tiles| {
            let length = tiles.count_ones().max(3) as u8;
            Group { tiles, length, jokers: length - tiles.count_ones() as u8, room: 4 - length, is_run: false }
        });
    let mut groups: Vec<_> = runs.chain(sets).filter(|group| group.jokers <= COPIES).collect();
    groups.sort_by_key(|group| (group.jokers, !group.is_run, u8::MAX - group.length, group.tiles));
    groups
}

pub(super) type Groups = [Vec<Group>; 4];

pub(super) static GROUPS: LazyLock<Groups> = LazyLock::new(|| [0, 1, 2, 3].map(groups_from));

/// A placed group: the bit of the lowest number's first colour, and the group.
pub(super) type Laid = (u32, Group);

/// Returns each tile that makes a group of this size together with some of these tiles and so many jokers.
///
/// Whatever tiles lie so near to each other, there is room for the jokers within the numbers.
pub(super) fn completing(tiles: u64, size: u8, jokers: u8) -> u64 {
    match (size, jokers) {
        (3, 0) => runs::<3, 2>(tiles) | sets::<2>(tiles),
        (3, 1) => runs::<3, 1>(tiles) | sets::<1>(tiles),
        (4, 0) => runs::<4, 3>(tiles) | sets::<3>(tiles),
        (4, 1) => runs::<4, 2>(tiles) | sets::<2>(tiles),
        (4, 2) => runs::<4, 1>(tiles) | sets::<1>(tiles),
        (5, 0) => runs::<5, 4>(tiles),
        (5, 1) => runs::<5, 3>(tiles),
        (5, 2) => runs::<5, 2>(tiles),
        _ if size == LEAST => ALL,
        _ => 0,
    }
}

/// Returns each tile that lies in a run of this size with so many of these tiles on other places.
fn runs<const SIZE: usize, const OTHERS: usize>(tiles: u64) -> u64 {
    let mut found = 0;
    for own in 0..SIZE {
        let mut at_least = [0; 5];
        at_least[0] = ALL;
        for place in 0..SIZE {
            let others = if place < own { tiles << (4 * (own - place)) } else { tiles >> (4 * (place - own)) };
            if place != own {
                (1..=OTHERS).rev().for_each(|count| at_least[count] |= at_least[count - 1] & others);
            }
        }
        found |= at_least[OTHERS];
    }
    found
}

/// Returns each tile of whose number there are so many of these tiles in other colours.
const fn sets<const OTHERS: usize>(tiles: u64) -> u64 {
    const FIRST: u64 = 0x1111_1111_1111_1111;
    let one = tiles << 1 & !FIRST | tiles >> 3 & FIRST;
    let two = tiles << 2 & (FIRST << 2 | FIRST << 3) | tiles >> 2 & (FIRST | FIRST << 1);
    let three = tiles << 3 & (FIRST << 3) | tiles >> 1 & !(FIRST << 3);
    ALL & match OTHERS {
        1 => one | two | three,
        2 => one & two | three & (one | two),
        _ => one & two & three,
    }
}

/// Returns those of some tiles that are part of a group of them with so many jokers at most.
pub(super) fn groupable(tiles: u64, jokers: u8) -> u64 {
    tiles & completing(tiles, LEAST, jokers)
}

/// Returns how many of some tiles lie in one group with a joker at most, whatever other tiles it has.
pub(super) fn most_in_a_group(tiles: u64) -> u8 {
    if tiles == 0 {
        return 0;
    }
    let near = tiles & (tiles << 4 | tiles << 8 | tiles << 12 | tiles << 16 | sets::<1>(tiles));
    if near == 0 {
        return 1;
    }
    let three = tiles & (runs::<5, 2>(tiles) | sets::<2>(tiles));
    if three == 0 {
        return 2;
    }
    if tiles & runs::<5, 3>(tiles) == 0 { 3 } else { 4 }
}
