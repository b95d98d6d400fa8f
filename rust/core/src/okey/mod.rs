//! The groups of an Okey rack: how many tiles fit into groups, which groups these are, and which tiles complete them.
//!
//! A group is a run (three or more tiles of one colour that ascend by one, within 1 to 13) or a set (three or four
//! tiles of one number in different colours); a joker stands for any tile. Turns and stacks are Python's part.
//!
//! Every run of six or more splits into runs of three to five, so the search considers only these: the lowest remaining
//! tile goes into each group of which it can be the lowest tile, or is left out, until the rest cannot beat the best
//! result. A group takes only the jokers that it needs; at the end the remaining jokers join a group with room.

pub mod search;

use std::fmt;
use std::sync::LazyLock;

/// A tile: 0 is a joker, every other is 13 × colour + number, with the colours 0 to 3 and the numbers 1 to 13.
pub type Tile = u8;

/// The joker.
pub const JOKER: Tile = 0;
/// The number of kinds of tiles, one more than the highest tile.
pub const KINDS: u8 = 53;
/// The number of tiles of each kind, including jokers.
pub const COPIES: u8 = 2;
/// The number of tiles on a rack when its player must put one.
pub const MOST: usize = 15;
/// The number of slots in a row of the rack; no group may be longer.
pub const ROW: usize = 12;

/// The reason why tiles are not a rack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RackError {
    /// The tile does not exist.
    Unknown(Tile),
    /// There are more copies of this tile than the game has.
    TooManyOf(Tile),
    /// There are more tiles than a rack holds.
    TooMany(usize),
}

impl fmt::Display for RackError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(tile) => write!(out, "There is no tile {tile}; they go from 0 to {}.", KINDS - 1),
            Self::TooManyOf(tile) => write!(out, "There are only {COPIES} tiles {tile}."),
            Self::TooMany(count) => write!(out, "A rack holds at most {MOST} tiles, not {count}."),
        }
    }
}

impl std::error::Error for RackError {}

/// The number of tiles of each kind, on a rack or among the seen tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts([u8; KINDS as usize]);

impl Counts {
    /// Counts tiles.
    ///
    /// # Errors
    /// A tile does not exist, or has too many copies.
    pub fn new(tiles: &[Tile]) -> Result<Self, RackError> {
        let mut counts = [0; KINDS as usize];
        for &tile in tiles {
            let count = counts.get_mut(usize::from(tile)).ok_or(RackError::Unknown(tile))?;
            *count += 1;
            if *count > COPIES {
                return Err(RackError::TooManyOf(tile));
            }
        }
        Ok(Self(counts))
    }

    const fn of(&self, tile: Tile) -> u8 {
        self.0[tile as usize]
    }

    /// Returns the other tiles of the game.
    #[must_use]
    pub fn missing(&self) -> Self {
        Self(self.0.map(|count| COPIES - count))
    }
}

/// The tiles on a rack as bits, one for each number and colour; successive numbers are four bits apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rack {
    once: u64,
    twice: u64,
    jokers: u8,
}

/// Returns the bit of a tile that is not a joker.
const fn place(tile: Tile) -> u32 {
    let (colour, number) = ((tile - 1) / 13, (tile - 1) % 13);
    (4 * number + colour) as u32
}

/// Returns the tile of a bit.
const fn tile_at(place: u32) -> Tile {
    (13 * (place % 4) + place / 4 + 1) as Tile
}

impl Rack {
    /// Creates a rack.
    ///
    /// # Errors
    /// A tile does not exist or has too many copies, or there are too many tiles.
    pub fn new(tiles: &[Tile]) -> Result<Self, RackError> {
        if tiles.len() > MOST {
            return Err(RackError::TooMany(tiles.len()));
        }
        Counts::new(tiles)?;
        Ok(tiles.iter().fold(Self { once: 0, twice: 0, jokers: 0 }, |rack, &tile| rack.with(tile)))
    }

    const fn len(self) -> u8 {
        (self.once.count_ones() + self.twice.count_ones()) as u8 + self.jokers
    }

    const fn holds(self, tile: Tile) -> u8 {
        if tile == JOKER {
            return self.jokers;
        }
        ((self.once >> place(tile) & 1) + (self.twice >> place(tile) & 1)) as u8
    }

    /// Returns every kind of tile on the rack once, in ascending order.
    fn kinds(self) -> impl Iterator<Item = Tile> {
        (0..KINDS).filter(move |&tile| self.holds(tile) > 0)
    }

    const fn with(mut self, tile: Tile) -> Self {
        if tile == JOKER {
            self.jokers += 1;
        } else {
            let bit = 1 << place(tile);
            self.twice |= self.once & bit;
            self.once |= bit;
        }
        self
    }

    const fn without(self, tile: Tile) -> Self {
        if tile == JOKER { self.less(0, 1) } else { self.less(1 << place(tile), 0) }
    }

    /// Keeps only the tiles that are part of a group without jokers.
    const fn groupable(self) -> Self {
        const FIRST: u64 = 0x1111_1111_1111_1111;
        let tiles = self.once;
        let runs = tiles & tiles >> 4 & tiles >> 8;
        let (red, blue, yellow, black) = (tiles, tiles >> 1, tiles >> 2, tiles >> 3);
        let sets = FIRST & (red & blue & (yellow | black) | yellow & black & (red | blue));
        let within = runs | (runs << 4) | (runs << 8) | (sets * 0xf);
        Self { once: self.once & within, twice: self.twice & within, jokers: 0 }
    }

    /// Removes one of each of these tiles, and some jokers.
    const fn less(mut self, tiles: u64, jokers: u8) -> Self {
        self.once &= !tiles | self.twice;
        self.twice &= !tiles;
        self.jokers -= jokers;
        self
    }
}

/// A group, given by the tiles it takes from its lowest tile on and the jokers it needs.
#[derive(Clone, Copy, Debug)]
struct Group {
    /// The tiles, encoded as in a rack, with the lowest number shifted to the front.
    tiles: u32,
    /// The number of tiles, including jokers.
    length: u8,
    jokers: u8,
    /// How many more jokers it could take.
    room: u8,
    is_run: bool,
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

static GROUPS: LazyLock<[Vec<Group>; 4]> = LazyLock::new(|| [0, 1, 2, 3].map(groups_from));

/// A placed group: the bit of the lowest number's first colour, and the group.
type Laid = (u32, Group);

/// A search for groups that cover more tiles than `best`, but not more than `ceiling`.
struct Search {
    best: u8,
    ceiling: u8,
    laid: Vec<Laid>,
    found: Vec<Laid>,
}

impl Search {
    fn run(rack: Rack, above: u8, ceiling: u8) -> Self {
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
pub fn arrange(rack: Rack) -> Arrangement {
    let laid = Search::run(rack, 0, rack.len()).found;
    let mut rest =
        laid.iter().fold(rack, |rest, &(base, group)| rest.less(u64::from(group.tiles) << base, group.jokers));
    let (runs, sets): (Vec<_>, Vec<_>) = laid.into_iter().partition(|(_, group)| group.is_run);
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

    const RED: Tile = 0;
    const BLUE: Tile = 13;
    const YELLOW: Tile = 26;
    const BLACK: Tile = 39;

    fn laid_out(tiles: &[Tile]) -> Arrangement {
        let arrangement = arrange(Rack::new(tiles).unwrap());
        let covered = arrangement.groups.iter().map(Vec::len).sum::<usize>();
        assert_eq!(covered, usize::from(coverage(Rack::new(tiles).unwrap())));
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

    #[test]
    fn what_is_no_rack_is_refused() {
        assert_eq!(Rack::new(&[53]), Err(RackError::Unknown(53)));
        assert_eq!(Rack::new(&[7, 7, 7]), Err(RackError::TooManyOf(7)));
        assert_eq!(Rack::new(&[JOKER, JOKER, JOKER]), Err(RackError::TooManyOf(JOKER)));
        assert_eq!(Rack::new(&(1..=16).collect::<Vec<_>>()), Err(RackError::TooMany(16)));
        assert_eq!(arrange(Rack::new(&[]).unwrap()), Arrangement { groups: vec![], rest: vec![] });
        assert_eq!(winning_puts(Rack::new(&[]).unwrap()), []);
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

    /// Racks from few kinds, so that there is much to lay out.
    fn racks(size: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = Vec<Tile>> {
        let kinds = (0..4_u8, 0..9_u8, 0..14_u8)
            .prop_map(|(colour, low, joker)| if joker == 0 { JOKER } else { 13 * colour + low + 5 });
        prop::collection::vec(kinds, size).prop_filter("a rack", |tiles| Rack::new(tiles).is_ok())
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
                if Rack::new(&[&tiles[..], &group].concat()).is_ok() {
                    tiles.extend(group);
                }
            }
            prop_assert_eq!(laid_out(&tiles).rest, []);
        }

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
