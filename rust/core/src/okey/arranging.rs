//! The groups of a rack as they lie on the table.

use super::covering::best;
use super::groups::Laid;
use super::packings::Packing;
use super::tiles::{JOKER, Tile, Tiles, tile_at};

/// The number of slots in a row of the rack; no group may be longer.
pub const ROW: usize = 12;

/// An arrangement of a rack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arrangement {
    /// The groups from left to right, with jokers in the places that they stand for: first the runs by colour and
    /// number, then the sets by number.
    pub groups: Vec<Vec<Tile>>,
    /// The tiles in no group, in ascending order.
    pub rest: Vec<Tile>,
}

/// A run with its tiles, from its first number on.
struct Run {
    colour: u8,
    first: usize,
    tiles: Vec<Tile>,
}

impl Run {
    fn new((base, group): Laid) -> Self {
        let colour = group.tiles.trailing_zeros() as u8 % 4;
        let lowest = base as usize / 4 + 1;
        // Jokers are behind the tiles, except at the end of the numbers.
        let first = lowest.min(14 - usize::from(group.length));
        let tiles = (first..first + usize::from(group.length)).map(|number| {
            let is_tile = number >= lowest && group.tiles >> (4 * (number - lowest)) & (1 << colour) != 0;
            if is_tile { 13 * colour + number as u8 } else { JOKER }
        });
        Self { colour, first, tiles: tiles.collect() }
    }

    /// Returns the number after the last one.
    fn end(&self) -> usize {
        self.first + self.tiles.len()
    }

    fn add_joker(&mut self) {
        if self.end() <= 13 {
            self.tiles.push(JOKER);
        } else {
            self.tiles.insert(0, JOKER);
            self.first -= 1;
        }
    }
}

/// Joins runs that continue each other, if they fit into a row.
fn join(mut runs: Vec<Run>, row: usize) -> Vec<Run> {
    runs.sort_by_key(|run| (run.colour, run.first, run.tiles.len()));
    let mut joined: Vec<Run> = Vec::new();
    for run in runs {
        let goes_on =
            |to: &&mut Run| to.colour == run.colour && to.end() == run.first && to.tiles.len() + run.tiles.len() <= row;
        match joined.iter_mut().find(goes_on) {
            Some(to) => to.tiles.extend(run.tiles),
            None => joined.push(run),
        }
    }
    joined
}

fn set((base, group): Laid) -> Vec<Tile> {
    let tiles = (0..4).filter(|colour| group.tiles >> colour & 1 == 1).map(|colour| tile_at(base + colour));
    tiles.chain(std::iter::repeat_n(JOKER, usize::from(group.jokers))).collect()
}

/// Arranges the rack with as many tiles in groups as possible.
///
/// Among several such arrangements, it returns the first in this order: take the tiles by number and then colour; each
/// is rather the lowest of a group than left out; of a group with fewer jokers, then of a run rather than a set, then
/// of a longer group, then of one with lower tiles. Afterwards adjoining runs become one, and jokers that no group
/// needs join the first run, or else a set of three.
#[must_use]
pub fn arrange(rack: Tiles) -> Arrangement {
    let packing = best(rack, 0, rack.len());
    let laid = packing.as_ref().map_or_else(Default::default, Packing::laid);
    let mut rest = packing.map_or(rack, |packing| packing.left);
    let (runs, sets): (Vec<_>, Vec<_>) = laid.iter().partition(|(_, group)| group.is_run);
    let mut runs = join(runs.into_iter().map(Run::new).collect(), ROW - usize::from(rest.jokers));
    let mut sets: Vec<_> = sets.into_iter().map(set).collect();
    while rest.jokers > 0 {
        if let Some(run) = runs.first_mut() {
            run.add_joker();
        } else if let Some(set) = sets.iter_mut().find(|set| set.len() == 3) {
            set.push(JOKER);
        } else {
            break;
        }
        rest.jokers -= 1;
    }
    let rest = rest.kinds().flat_map(|tile| std::iter::repeat_n(tile, usize::from(rest.holds(tile)))).collect();
    Arrangement { groups: runs.into_iter().map(|run| run.tiles).chain(sets).collect(), rest }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::okey::examples::{BLACK, BLUE, RED, YELLOW, racks};
    use crate::okey::{MOST, coverage};

    fn laid_out(tiles: &[Tile]) -> Arrangement {
        let arrangement = arrange(Tiles::rack(tiles).unwrap());
        let covered = arrangement.groups.iter().map(Vec::len).sum::<usize>();
        assert_eq!(covered, usize::from(coverage(Tiles::rack(tiles).unwrap())));
        arrangement
    }

    #[test]
    fn runs_and_sets_of_three_are_groups_and_pairs_are_not() {
        assert_eq!(laid_out(&[RED + 1, RED + 2, RED + 3]).groups, [[RED + 1, RED + 2, RED + 3]]);
        assert_eq!(laid_out(&[BLACK + 9, RED + 9, BLUE + 9]).groups, [[RED + 9, BLUE + 9, BLACK + 9]]);
        assert_eq!(laid_out(&[RED + 9, RED + 9, BLUE + 9, YELLOW + 8]).rest, [RED + 9, RED + 9, BLUE + 9, YELLOW + 8]);
        assert_eq!(laid_out(&[RED + 12, RED + 13, RED + 1]).groups.len(), 0);
    }

    #[test]
    fn jokers_stand_where_the_run_needs_them() {
        assert_eq!(laid_out(&[JOKER, RED + 1, RED + 2]).groups, [[RED + 1, RED + 2, JOKER]]);
        assert_eq!(laid_out(&[JOKER, RED + 12, RED + 13]).groups, [[JOKER, RED + 12, RED + 13]]);
        assert_eq!(laid_out(&[JOKER, RED + 5, RED + 7]).groups, [[RED + 5, JOKER, RED + 7]]);
        assert_eq!(laid_out(&[JOKER, JOKER, RED + 13]).groups, [[JOKER, JOKER, RED + 13]]);
        assert_eq!(laid_out(&[JOKER, JOKER, RED + 4, RED + 7]).groups, [[RED + 4, JOKER, JOKER, RED + 7]]);
    }

    #[test]
    fn jokers_left_over_join_a_group_with_room() {
        let run: Vec<Tile> = (RED + 9..=RED + 13).collect();
        let with_jokers = [&[JOKER, JOKER], &run[..]].concat();
        assert_eq!(laid_out(&with_jokers).groups, [with_jokers]);
        let set = [RED + 5, BLUE + 5, YELLOW + 5];
        assert_eq!(laid_out(&[&[JOKER], &set[..]].concat()).groups, [[&set[..], &[JOKER]].concat()]);
        let full = [RED + 5, BLUE + 5, YELLOW + 5, BLACK + 5];
        assert_eq!(
            laid_out(&[&[JOKER], &full[..]].concat()),
            Arrangement { groups: vec![full.to_vec()], rest: vec![JOKER] }
        );
    }

    #[test]
    fn runs_that_touch_are_shown_as_one_unless_the_row_ends() {
        let seven: Vec<Tile> = (BLUE + 4..=BLUE + 10).collect();
        assert_eq!(laid_out(&seven).groups, [seven]);
        let all: Vec<Tile> = (BLUE + 1..=BLUE + 13).collect();
        assert!(laid_out(&all).groups.iter().all(|group| (3..=ROW).contains(&group.len())));
        let twelve = [&all[1..], &[JOKER, JOKER]].concat();
        assert!(laid_out(&twelve).rest.is_empty());
        assert!(laid_out(&twelve).groups.iter().all(|group| group.len() <= ROW));
    }

    #[test]
    fn a_tile_that_two_groups_want_goes_where_it_covers_more() {
        let tiles = [RED + 5, BLUE + 5, YELLOW + 5, RED + 3, RED + 4, RED + 6];
        assert_eq!(laid_out(&tiles).groups, [[RED + 3, RED + 4, RED + 5, RED + 6]]);
        assert_eq!(laid_out(&[&tiles[..], &[RED + 5]].concat()).groups.len(), 2);
    }

    /// Is this a group as it stands? Said as the rules say it, without the search's patterns.
    fn is_group(group: &[Tile]) -> bool {
        let fits = |wanted: &dyn Fn(usize) -> Option<Tile>| {
            group.iter().enumerate().all(|(place, &tile)| match wanted(place) {
                Some(wanted) => tile == JOKER || tile == wanted,
                None => false,
            })
        };
        let run = (0..4).any(|colour| {
            (1..=13).any(|first| fits(&|place| (first + place <= 13).then(|| 13 * colour + (first + place) as Tile)))
        });
        let mut colours: Vec<_> = group.iter().filter(|&&tile| tile != JOKER).map(|tile| (tile - 1) / 13).collect();
        colours.sort_unstable();
        colours.dedup();
        let mut numbers: Vec<_> = group.iter().filter(|&&tile| tile != JOKER).map(|tile| (tile - 1) % 13).collect();
        let tiles = numbers.len();
        numbers.dedup();
        let set = group.len() <= 4 && colours.len() == tiles && numbers.len() == 1;
        group.len() >= 3 && group.len() <= ROW && (run || set)
    }

    fn sorted(tiles: impl IntoIterator<Item = Tile>) -> Vec<Tile> {
        let mut tiles: Vec<_> = tiles.into_iter().collect();
        tiles.sort_unstable();
        tiles
    }

    proptest! {
        #[test]
        fn an_arrangement_uses_every_tile_once_and_only_groups(tiles in racks(0..=MOST)) {
            let Arrangement { groups, rest } = laid_out(&tiles);
            prop_assert!(groups.iter().all(|group| is_group(group)), "{groups:?}");
            prop_assert_eq!(sorted(groups.concat().into_iter().chain(rest)), sorted(tiles));
        }

        #[test]
        fn the_order_of_the_tiles_means_nothing(tiles in racks(14), seed: u64) {
            let mut shuffled = tiles.clone();
            crate::random::Random::new(seed).shuffle(&mut shuffled);
            prop_assert_eq!(laid_out(&tiles), laid_out(&shuffled));
        }

        #[test]
        fn what_was_dealt_from_groups_is_completely_laid_out(starts in prop::collection::vec((0..4_u8, 1..12_u8, 0..2_u8, 0..3_usize), 5)) {
            let mut tiles = Vec::new();
            for (colour, number, is_set, hidden) in starts {
                let mut group: Vec<Tile> = if is_set == 1 {
                    (0..4).filter(|&other| other != colour).map(|other| 13 * other + number).collect()
                } else {
                    (number..number + 3).map(|number| 13 * colour + number).collect()
                };
                if tiles.len() < 6 {
                    group[hidden] = JOKER;
                }
                if Tiles::rack(&[&tiles[..], &group].concat()).is_ok() {
                    tiles.extend(group);
                }
            }
            prop_assert_eq!(laid_out(&tiles).rest, []);
        }
    }
}
