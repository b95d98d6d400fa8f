//! The groups that a tile can begin.

use std::sync::LazyLock;

use super::tiles::COPIES;

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

pub(super) static GROUPS: LazyLock<[Vec<Group>; 4]> = LazyLock::new(|| [0, 1, 2, 3].map(groups_from));

/// A placed group: the bit of the lowest number's first colour, and the group.
pub(super) type Laid = (u32, Group);
