//! How many tiles of a rack fit into groups, and which tiles complete them.
//!
//! Every run of six or more splits into runs of three to five, so the search considers only these: the lowest remaining
//! tile goes into each group of which it can be the lowest tile, or is left out, until the rest cannot beat the best
//! result. A group takes only the jokers that it needs; at the end the remaining jokers join a group with room.

use super::groups::{GROUPS, Laid};
use super::rack::Rack;
use super::tiles::{Counts, KINDS, Tile};

/// A search for groups that cover more tiles than `best`, but not more than `ceiling`.
pub(super) struct Search {
    pub best: u8,
    ceiling: u8,
    laid: Vec<Laid>,
    pub found: Vec<Laid>,
}

impl Search {
    pub fn run(rack: Rack, above: u8, ceiling: u8) -> Self {
        let mut search = Self { best: above, ceiling, laid: Vec::new(), found: Vec::new() };
        search.go(rack, 0, 0);
        search
    }

    /// Continues with the rest of the rack, the number of covered tiles, and the room for more jokers.
    fn go(&mut self, mut rack: Rack, covered: u8, room: u8) {
        if rack.jokers == 0 {
            rack = rack.groupable();
        }
        if covered + rack.len() <= self.best || self.best >= self.ceiling || covered > self.ceiling {
            return;
        }
        if rack.once == 0 {
            let all = (covered + rack.jokers.min(room)).min(self.ceiling);
            if all > self.best {
                self.best = all;
                self.found.clone_from(&self.laid);
            }
            return;
        }
        let lowest = rack.once.trailing_zeros();
        let base = lowest & !3;
        let near = rack.once >> base;
        for group in &GROUPS[(lowest & 3) as usize] {
            if group.jokers > rack.jokers {
                break;
            }
            let tiles = u64::from(group.tiles);
            if near & tiles == tiles {
                self.laid.push((base, *group));
                let rest = rack.less(tiles << base, group.jokers);
                self.go(rest, covered + group.length, room + group.room);
                self.laid.pop();
            }
        }
        // If one copy is left out, both may be: the case of using one was tried above.
        let out = 1 << lowest;
        let rest = Rack { once: rack.once & !out, twice: rack.twice & !out, jokers: rack.jokers };
        self.go(rest, covered, room);
    }
}

/// Returns the maximum number of tiles that fit into groups.
#[must_use]
pub fn coverage(rack: Rack) -> u8 {
    Search::run(rack, 0, rack.len()).best
}

/// Returns the tiles after whose put all others fit into groups, in ascending order.
#[must_use]
pub fn winning_puts(rack: Rack) -> Vec<Tile> {
    let others = rack.len().saturating_sub(1);
    let wins = |&tile: &Tile| Search::run(rack.without(tile), others - 1, others).best == others;
    // Usually there is none, which one search shows: for groups that leave out exactly one tile.
    if others == 0 || Search::run(rack, others - 1, others).best < others {
        return Vec::new();
    }
    rack.kinds().filter(wins).collect()
}

/// Returns, for each kind of tile on the rack in ascending order, how many tiles fit into groups after putting one of
/// it.
#[must_use]
pub fn puts(rack: Rack) -> Vec<(Tile, u8)> {
    rack.kinds().map(|tile| (tile, coverage(rack.without(tile)))).collect()
}

/// Returns how many unseen tiles would help: after drawing one and putting any, more tiles fit into groups than now.
#[must_use]
pub fn outs(rack: Rack, unseen: &Counts) -> u32 {
    let now = coverage(rack);
    let helps = |tile| Search::run(rack.with(tile), now, rack.len()).best > now;
    (0..KINDS).filter(|&tile| unseen.of(tile) > 0 && helps(tile)).map(|tile| u32::from(unseen.of(tile))).sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::okey::examples::{BLACK, BLUE, RED, YELLOW, racks};
    use crate::okey::{JOKER, MOST};

    #[test]
    fn five_threes_do_not_win_but_a_four_among_them_does() {
        let threes: Vec<Tile> =
            [RED + 1, BLUE + 3, YELLOW + 5, BLACK + 7, RED + 11].iter().flat_map(|&tile| tile..tile + 3).collect();
        assert_eq!(coverage(Rack::new(&threes).unwrap()), 15);
        assert_eq!(winning_puts(Rack::new(&threes).unwrap()), []);
        let four = [&[RED + 4, BLACK + 10], &threes[..12], &[BLUE + 9]].concat();
        assert_eq!(winning_puts(Rack::new(&four).unwrap()), [BLUE + 9]);
    }

    #[test]
    fn outs_count_unseen_copies() {
        let three = Rack::new(&[RED + 5, RED + 6, BLACK + 1]).unwrap();
        let outs = |seen: &[Tile]| outs(three, &Counts::new(seen).unwrap().missing());
        assert_eq!(outs(&[]), 6, "two red fours, sevens and jokers");
        assert_eq!(outs(&[RED + 4, RED + 7, RED + 7, JOKER]), 2);
    }

    proptest! {
        #[test]
        fn putting_wins_exactly_if_all_others_are_covered(tiles in racks(2..=MOST)) {
            let rack = Rack::new(&tiles).unwrap();
            let others = tiles.len() as u8 - 1;
            let complete: Vec<_> = puts(rack).into_iter().filter(|&(_, covered)| covered == others).map(|(tile, _)| tile).collect();
            prop_assert_eq!(winning_puts(rack), complete);
        }

        #[test]
        fn a_tile_helps_exactly_if_drawing_it_and_putting_one_covers_more(tiles in racks(0..MOST)) {
            let rack = Rack::new(&tiles).unwrap();
            let unseen = Counts::new(&tiles).unwrap().missing();
            let helps = |&tile: &Tile| puts(rack.with(tile)).iter().any(|&(_, covered)| covered > coverage(rack));
            let expected: u8 = (0..KINDS).filter(helps).map(|tile| unseen.of(tile)).sum();
            prop_assert_eq!(outs(rack, &unseen), u32::from(expected));
        }
    }
}
