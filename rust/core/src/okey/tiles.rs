//! Tiles, and sets of them as bits.

use std::fmt;

/// A tile: 0 is a joker, every other is 13 × colour + number, with the colours 0 to 3 and the numbers 1 to 13.
pub type Tile = u8;

/// The joker.
pub const JOKER: Tile = 0;
/// The number of kinds of tiles, one more than the highest tile.
pub const KINDS: u8 = 53;
/// The number of tiles of each kind, including jokers.
pub const COPIES: u8 = 2;
/// The number of tiles on a rack between turns.
pub const HELD: usize = 14;
/// The number of tiles on a rack when its player must put one.
pub const MOST: usize = HELD + 1;
/// The highest number.
const HIGHEST: Tile = 13;

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

/// Tiles in no order: those of a rack, or all that a seat has seen.
///
/// Each number and colour has a bit; successive numbers are four bits apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tiles {
    /// The tiles of which there is at least one.
    pub(super) once: u64,
    /// The tiles of which there are two.
    pub(super) twice: u64,
    pub(super) jokers: u8,
}

/// The bits of all tiles that are not jokers.
pub(super) const ALL: u64 = (1 << 52) - 1;

/// Returns the bit of a tile that is not a joker.
pub(super) const fn place(tile: Tile) -> u32 {
    let (colour, number) = ((tile - 1) / HIGHEST, (tile - 1) % HIGHEST);
    (4 * number + colour) as u32
}

/// Returns the tile of a bit.
pub(super) const fn tile_at(place: u32) -> Tile {
    (HIGHEST as u32 * (place % 4) + place / 4 + 1) as Tile
}

/// Gathers the lowest of each four bits.
const fn of_colour(bits: u64) -> u64 {
    let bits = bits & 0x1111_1111_1111_1111;
    let bits = (bits | bits >> 3) & 0x0303_0303_0303_0303;
    let bits = (bits | bits >> 6) & 0x000f_000f_000f_000f;
    let bits = (bits | bits >> 12) & 0x0000_00ff_0000_00ff;
    (bits | bits >> 24) & 0xffff
}

impl Tiles {
    /// Collects tiles.
    ///
    /// # Errors
    /// A tile does not exist, or has too many copies.
    pub fn new(tiles: &[Tile]) -> Result<Self, RackError> {
        tiles.iter().try_fold(Self::default(), |all, &tile| {
            if tile >= KINDS {
                return Err(RackError::Unknown(tile));
            }
            if all.holds(tile) == COPIES { Err(RackError::TooManyOf(tile)) } else { Ok(all.with(tile)) }
        })
    }

    /// Collects the tiles of a rack.
    ///
    /// # Errors
    /// A tile does not exist or has too many copies, or there are too many tiles.
    pub fn rack(tiles: &[Tile]) -> Result<Self, RackError> {
        if tiles.len() > MOST {
            return Err(RackError::TooMany(tiles.len()));
        }
        Self::new(tiles)
    }

    /// Returns the other tiles of the game.
    #[must_use]
    pub const fn missing(self) -> Self {
        Self { once: ALL & !self.twice, twice: ALL & !self.once, jokers: COPIES - self.jokers }
    }

    pub(super) const fn len(self) -> u8 {
        self.count() + self.jokers
    }

    /// Returns the number of tiles that are not jokers.
    pub(super) const fn count(self) -> u8 {
        (self.once.count_ones() + self.twice.count_ones()) as u8
    }

    /// Returns the number of tiles of a kind.
    pub(super) const fn holds(self, tile: Tile) -> u8 {
        if tile == JOKER {
            return self.jokers;
        }
        ((self.once >> place(tile) & 1) + (self.twice >> place(tile) & 1)) as u8
    }

    /// Returns the kinds of tiles as bits in ascending order: the lowest is the joker's.
    pub(super) const fn kinds_as_bits(self) -> u64 {
        let (red, blue) = (of_colour(self.once), of_colour(self.once >> 1));
        let (yellow, black) = (of_colour(self.once >> 2), of_colour(self.once >> 3));
        (self.jokers > 0) as u64 | red << 1 | blue << 14 | yellow << 27 | black << 40
    }

    /// Returns every kind of tile once, in ascending order.
    pub fn kinds(self) -> impl Iterator<Item = Tile> {
        let mut kinds = self.kinds_as_bits();
        std::iter::from_fn(move || {
            let tile = (kinds != 0).then(|| kinds.trailing_zeros() as Tile)?;
            kinds &= kinds - 1;
            Some(tile)
        })
    }

    /// Writes how many tiles there are of each kind, over zeros.
    pub(super) fn write(self, row: &mut [i8]) {
        row[usize::from(JOKER)] = self.jokers.cast_signed();
        let mut places = self.once;
        while places != 0 {
            let place = places.trailing_zeros();
            row[usize::from(tile_at(place))] = 1 + (self.twice >> place & 1) as i8;
            places &= places - 1;
        }
    }

    /// Returns one tile of each kind.
    pub(super) const fn each_once(self) -> Self {
        Self { once: self.once, twice: 0, jokers: (self.jokers > 0) as u8 }
    }

    /// Keeps only the tiles with these bits, and all jokers.
    pub(super) const fn only(self, bits: u64) -> Self {
        Self { once: self.once & bits, twice: self.twice & bits, jokers: self.jokers }
    }

    pub(super) const fn with(mut self, tile: Tile) -> Self {
        if tile == JOKER {
            self.jokers += 1;
        } else {
            let bit = 1 << place(tile);
            self.twice |= self.once & bit;
            self.once |= bit;
        }
        self
    }

    pub(super) const fn without(self, tile: Tile) -> Self {
        if tile == JOKER { self.less(0, 1) } else { self.less(1 << place(tile), 0) }
    }

    /// Adds other tiles, of which there are at most two of each kind in all.
    pub(super) const fn and(self, other: Self) -> Self {
        Self {
            once: self.once | other.once,
            twice: self.twice | other.twice | self.once & other.once,
            jokers: self.jokers + other.jokers,
        }
    }

    /// Returns the tiles that both have.
    pub(super) const fn common(self, other: Self) -> Self {
        let jokers = if self.jokers < other.jokers { self.jokers } else { other.jokers };
        Self { once: self.once & other.once, twice: self.twice & other.twice, jokers }
    }

    /// Removes one of each of these tiles, and some jokers.
    pub(super) const fn less(mut self, tiles: u64, jokers: u8) -> Self {
        self.once &= !tiles | self.twice;
        self.twice &= !tiles;
        self.jokers -= jokers;
        self
    }
}

/// The text of a tile as in moves: `7:RED`; a joker is black.
pub(super) struct Text(pub Tile);

impl fmt::Display for Text {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const COLOURS: [&str; 4] = ["RED", "BLUE", "YELLOW", "BLACK"];
        match self.0.checked_sub(1) {
            None => out.write_str("0:BLACK"),
            Some(place) => write!(out, "{}:{}", place % HIGHEST + 1, COLOURS[usize::from(place / HIGHEST)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::okey::{Arrangement, arrange, winning_puts};

    #[test]
    fn what_is_no_rack_is_refused() {
        assert_eq!(Tiles::rack(&[53]), Err(RackError::Unknown(53)));
        assert_eq!(Tiles::rack(&[7, 7, 7]), Err(RackError::TooManyOf(7)));
        assert_eq!(Tiles::rack(&[JOKER, JOKER, JOKER]), Err(RackError::TooManyOf(JOKER)));
        assert_eq!(Tiles::rack(&(1..=16).collect::<Vec<_>>()), Err(RackError::TooMany(16)));
        assert_eq!(arrange(Tiles::default()), Arrangement { groups: vec![], rest: vec![] });
        assert_eq!(winning_puts(Tiles::default()).kinds().next(), None);
    }
}
