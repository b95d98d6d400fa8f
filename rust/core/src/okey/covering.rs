//! How many tiles of a rack fit into groups.

use super::packings::{Outlook, Packing, Visitor, visit_all};
use super::tiles::{Tile, Tiles};

/// A search for groups that cover more tiles than `covered`, but not more than `ceiling`.
struct Best {
    covered: u8,
    ceiling: u8,
    found: Option<Packing>,
}

impl Visitor for Best {
    fn wants(&self, _packing: &Packing, outlook: Outlook) -> bool {
        self.covered < self.ceiling && outlook.most() > self.covered
    }

    fn visit(&mut self, packing: &Packing) {
        let all = packing.joined(packing.left.jokers).min(self.ceiling);
        if all > self.covered {
            self.covered = all;
            self.found = Some(*packing);
        }
    }
}

/// Returns the first packing that covers most tiles, but not more than `ceiling`; none if they are not more than `above`.
pub(super) fn best(rack: Tiles, above: u8, ceiling: u8) -> Option<Packing> {
    let mut best = Best { covered: above, ceiling, found: None };
    visit_all(rack, ceiling, &mut best);
    best.found
}

/// Returns whether groups can cover more tiles than `above`, but not more than `ceiling`.
pub(super) fn covers_more(rack: Tiles, above: u8, ceiling: u8) -> bool {
    best(rack, above, ceiling).is_some()
}

/// Returns the maximum number of tiles that fit into groups.
#[must_use]
pub fn coverage(rack: Tiles) -> u8 {
    best(rack, 0, rack.len()).map_or(0, |packing| packing.joined(packing.left.jokers))
}

/// A search for tiles that are not needed to cover so many.
struct Spared {
    needed: u8,
    /// One of each kind that is asked for and not found yet.
    wanted: Tiles,
    found: Tiles,
}

impl Visitor for Spared {
    fn wants(&self, packing: &Packing, outlook: Outlook) -> bool {
        let spared = packing.left.common(self.wanted);
        (spared.once != 0 || spared.jokers > 0) && outlook.most() >= self.needed
    }

    fn visit(&mut self, packing: &Packing) {
        let left = packing.left;
        if packing.joined(left.jokers) >= self.needed {
            self.found.once |= left.once & self.wanted.once;
            self.wanted.once &= !left.once;
        }
        if left.jokers > 0 && self.wanted.jokers > 0 && packing.joined(left.jokers - 1) >= self.needed {
            (self.found.jokers, self.wanted.jokers) = (1, 0);
        }
    }
}

/// Returns those of some kinds of tiles without one of which groups can cover so many tiles of a rack.
pub(super) fn spared(rack: Tiles, kinds: Tiles, needed: u8) -> Tiles {
    let mut spared = Spared { needed, wanted: kinds.each_once(), found: Tiles::default() };
    visit_all(rack, needed, &mut spared);
    spared.found
}

/// Returns the tiles after whose put all others fit into groups, one of each kind.
#[must_use]
pub fn winning_puts(rack: Tiles) -> Tiles {
    if rack.len() <= 1 {
        return Tiles::default();
    }
    spared(rack, rack, rack.len() - 1)
}

/// Returns, for each kind of tile on the rack in ascending order, how many tiles fit into groups after putting one of
/// it.
#[must_use]
pub fn puts(rack: Tiles) -> Vec<(Tile, u8)> {
    rack.kinds().map(|tile| (tile, coverage(rack.without(tile)))).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::okey::MOST;
    use crate::okey::examples::{BLACK, BLUE, RED, YELLOW, racks};

    #[test]
    fn five_threes_do_not_win_but_a_four_among_them_does() {
        let threes: Vec<Tile> =
            [RED + 1, BLUE + 3, YELLOW + 5, BLACK + 7, RED + 11].iter().flat_map(|&tile| tile..tile + 3).collect();
        assert_eq!(coverage(Tiles::rack(&threes).unwrap()), 15);
        assert_eq!(winning_puts(Tiles::rack(&threes).unwrap()), Tiles::default());
        let four = [&[RED + 4, BLACK + 10], &threes[..12], &[BLUE + 9]].concat();
        assert_eq!(winning_puts(Tiles::rack(&four).unwrap()), Tiles::rack(&[BLUE + 9]).unwrap());
    }

    proptest! {
        #[test]
        fn putting_wins_exactly_if_all_others_are_covered(tiles in racks(2..=MOST)) {
            let rack = Tiles::rack(&tiles).unwrap();
            let others = tiles.len() as u8 - 1;
            let complete: Vec<_> = puts(rack).into_iter().filter(|&(_, covered)| covered == others).map(|(tile, _)| tile).collect();
            prop_assert_eq!(winning_puts(rack).kinds().collect::<Vec<_>>(), complete);
        }
    }
}
