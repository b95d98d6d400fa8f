//! Which unseen tiles would help a rack, for each tile that could be put.
//!
//! A tile helps if more tiles fit into groups after drawing it and putting any. It then lies in a group itself, and its
//! group and all others are groups of what the put left: so every packing is looked at, and for all tiles at once whether
//! they make a group large enough with what it leaves.

use super::covering::coverage;
use super::groups::{LARGEST, LEAST, completing};
use super::packings::{Outlook, Packing, Visitor, visit_all};
use super::tiles::{COPIES, JOKER, MOST, Tile, Tiles, place};

/// The tiles whose put leaves most tiles in groups.
#[derive(Clone, Copy, Debug)]
pub(super) struct BestPuts {
    /// How many tiles are in groups then, at most `ceiling`.
    pub covered: u8,
    /// The tiles, one of each kind.
    pub tiles: Tiles,
    ceiling: u8,
}

impl BestPuts {
    /// Finds the tiles for a rack of which one must be put.
    pub fn new(rack: Tiles) -> Self {
        let mut best = Self { covered: 0, tiles: Tiles::default(), ceiling: rack.len() - 1 };
        visit_all(rack, best.ceiling, &mut best);
        best
    }

    fn found(&mut self, covered: u8, left: Tiles) {
        if covered > self.covered {
            (self.covered, self.tiles) = (covered, Tiles::default());
        }
        if covered == self.covered {
            self.tiles.once |= left.once;
            self.tiles.jokers |= u8::from(left.jokers > 0);
        }
    }
}

impl Visitor for BestPuts {
    fn wants(&self, _packing: &Packing, outlook: Outlook) -> bool {
        outlook.most() >= self.covered
    }

    fn visit(&mut self, packing: &Packing) {
        let left = packing.left;
        if left.once != 0 {
            self.found(packing.joined(left.jokers).min(self.ceiling), Tiles { jokers: 0, ..left });
        }
        if left.jokers > 0 {
            let covered = packing.joined(left.jokers - 1).min(self.ceiling);
            self.found(covered, Tiles { once: 0, twice: 0, jokers: 1 });
        }
    }
}

/// A tile that could be put, and what helps afterwards.
#[derive(Clone, Copy, Debug, Default)]
struct Put {
    tile: Tile,
    /// The bit of the tile; none for a joker, and where nothing is put.
    bit: u64,
    /// Whether it is a joker.
    joker: bool,
    /// The tiles that help.
    helping: u64,
    /// Whether a joker helps.
    joker_helps: bool,
}

impl Put {
    fn new(tile: Tile) -> Self {
        let bit = if tile == JOKER { 0 } else { 1 << place(tile) };
        Self { tile, bit, joker: tile == JOKER, ..Self::default() }
    }

    /// Counts the unseen tiles that help.
    const fn outs(&self, unseen: Tiles) -> u32 {
        let tiles = (self.helping & unseen.once).count_ones() + (self.helping & unseen.twice).count_ones();
        if self.joker_helps { tiles + unseen.jokers as u32 } else { tiles }
    }
}

/// What a tile must do to help.
struct Question {
    /// The number of tiles in groups without help, and the most that count: one is put after the draw.
    now: u8,
    ceiling: u8,
    /// The unseen tiles of which there can be one more on the rack.
    wanted: Tiles,
    /// The size of the largest group with the helping tile, by the number of jokers that the rack has for it.
    largest: [u8; COPIES as usize + 1],
}

impl Question {
    fn new(rack: Tiles, now: u8, ceiling: u8, unseen: Tiles) -> Self {
        let spare = Tiles { once: !rack.twice, twice: 0, jokers: COPIES - rack.jokers };
        let wanted = unseen.common(spare);
        let helps = |size: u8, jokers: u8| {
            let by_tile = completing(rack.once, size, jokers) & wanted.once != 0;
            by_tile || wanted.jokers > 0 && completing(rack.once, size, jokers + 1) & rack.once != 0
        };
        let largest = |jokers| (LEAST..=LARGEST).rev().find(|&size| helps(size, jokers)).unwrap_or(0);
        let largest = [0, 1, 2].map(|jokers| if jokers <= rack.jokers { largest(jokers) } else { 0 });
        Self { now, ceiling, wanted, largest }
    }

    /// Returns the size that a new group must have, with at most so many more jokers in other groups; none if no group is
    /// large enough.
    fn needed(&self, covered: u8, joining: u8) -> Option<u8> {
        let size = (self.now + 1).saturating_sub(covered + joining).max(LEAST);
        (size <= LARGEST && covered + size <= self.ceiling).then_some(size)
    }

    /// Returns the tiles that help by a group with some of these tiles.
    fn helping(&self, tiles: u64, jokers: u8, packing: &Packing) -> u64 {
        let by_group = |used: u8| {
            let size = self.needed(packing.covered, packing.room.min(jokers - used));
            size.map_or(0, |size| completing(tiles, size, used))
        };
        self.wanted.once & (0..=jokers).fold(0, |found, used| found | by_group(used))
    }

    /// Returns whether one more joker helps: in one of the groups, or by a group with some of these tiles.
    fn joker_helps(&self, tiles: u64, jokers: u8, packing: &Packing) -> bool {
        if self.wanted.jokers == 0 {
            return false;
        }
        let jokers = jokers + 1;
        let by_group = |used: u8| {
            let size = self.needed(packing.covered, packing.room.min(jokers - used));
            size.is_some_and(|size| tiles & completing(tiles, size, used) != 0)
        };
        packing.joined(jokers) > self.now || (1..=jokers).any(by_group)
    }
}

/// Looks for the tiles that help after each put.
struct Prospects {
    question: Question,
    puts: [Put; MOST],
    count: usize,
}

impl Prospects {
    /// Looks at every packing; in `puts`, each is a tile, or none if nothing is put.
    fn find(rack: Tiles, question: Question, puts: impl Iterator<Item = Put>) -> Self {
        let mut prospects = Self { question, puts: [Put::default(); MOST], count: 0 };
        for (place, put) in prospects.puts.iter_mut().zip(puts) {
            *place = put;
            prospects.count += 1;
        }
        if prospects.question.now < prospects.question.ceiling {
            visit_all(rack, prospects.question.ceiling, &mut prospects);
        }
        prospects
    }

    /// Returns for each put how many unseen tiles help.
    fn outs(self, unseen: Tiles) -> impl Iterator<Item = (Tile, u32)> {
        self.puts.into_iter().take(self.count).map(move |put| (put.tile, put.outs(unseen)))
    }
}

impl Visitor for Prospects {
    fn wants(&self, _packing: &Packing, outlook: Outlook) -> bool {
        let Outlook { jokers, certain, gain, .. } = outlook;
        let with = |used: u8| certain + (jokers - used) * gain + self.question.largest[usize::from(used)];
        (0..=jokers).any(|used| with(used) > self.question.now)
    }

    fn visit(&mut self, packing: &Packing) {
        let (question, left) = (&self.question, packing.left);
        let all = question.helping(left.once, left.jokers, packing);
        let joker = question.joker_helps(left.once, left.jokers, packing);
        if all == 0 && !joker {
            return;
        }
        for put in &mut self.puts[..self.count] {
            if left.once & put.bit != put.bit || put.joker && left.jokers == 0 {
                continue;
            }
            let (tiles, jokers) = (left.once & (!put.bit | left.twice), left.jokers - u8::from(put.joker));
            if tiles == left.once && !put.joker {
                put.helping |= all;
                put.joker_helps |= joker;
            } else {
                put.helping |= question.helping(tiles, jokers, packing);
                put.joker_helps |= question.joker_helps(tiles, jokers, packing);
            }
        }
    }
}

/// Returns how many unseen tiles would help: after drawing one and putting any, more tiles fit into groups than now.
#[must_use]
pub fn outs(rack: Tiles, unseen: Tiles) -> u32 {
    let question = Question::new(rack, coverage(rack), rack.len(), unseen);
    let nothing = std::iter::once(Put::default());
    Prospects::find(rack, question, nothing).outs(unseen).map(|(_, outs)| outs).sum()
}

/// Returns each of the best puts with the number of unseen tiles that would help afterwards.
pub(super) fn best_outs(rack: Tiles, best: &BestPuts, unseen: Tiles) -> impl Iterator<Item = (Tile, u32)> {
    let question = Question::new(rack, best.covered, best.ceiling, unseen);
    Prospects::find(rack, question, best.tiles.kinds().map(Put::new)).outs(unseen)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::okey::examples::{BLACK, RED, racks};
    use crate::okey::puts;

    #[test]
    fn outs_count_unseen_copies() {
        let three = Tiles::rack(&[RED + 5, RED + 6, BLACK + 1]).unwrap();
        let outs = |seen: &[Tile]| outs(three, Tiles::new(seen).unwrap().missing());
        assert_eq!(outs(&[]), 6, "two red fours, sevens and jokers");
        assert_eq!(outs(&[RED + 4, RED + 7, RED + 7, JOKER]), 2);
    }

    proptest! {
        #[test]
        fn a_tile_helps_exactly_if_drawing_it_and_putting_one_covers_more(tiles in racks(0..MOST)) {
            let rack = Tiles::rack(&tiles).unwrap();
            let unseen = Tiles::new(&tiles).unwrap().missing();
            let helps = |&tile: &Tile| puts(rack.with(tile)).iter().any(|&(_, covered)| covered > coverage(rack));
            let expected: u8 = unseen.kinds().filter(helps).map(|tile| unseen.holds(tile)).sum();
            prop_assert_eq!(outs(rack, unseen), u32::from(expected));
        }

        #[test]
        fn after_each_of_the_best_puts_the_same_tiles_help_as_if_it_were_asked_alone(tiles in racks(2..=MOST), seen in 0_u64..1 << 52) {
            let rack = Tiles::rack(&tiles).unwrap();
            let best = BestPuts::new(rack);
            let covered = puts(rack);
            let most = covered.iter().map(|&(_, covered)| covered).max().unwrap();
            prop_assert_eq!(best.covered, most);
            let expected: Vec<_> = covered.into_iter().filter(|&(_, covered)| covered == most).map(|(tile, _)| tile).collect();
            prop_assert_eq!(best.tiles.kinds().collect::<Vec<_>>(), expected);
            let missing = rack.missing();
            let unseen = Tiles { twice: missing.twice & seen, ..missing };
            for (tile, count) in best_outs(rack, &best, unseen) {
                prop_assert_eq!(count, outs(rack.without(tile), unseen), "after {}", tile);
            }
        }
    }
}
