//! The tiles on a rack as bits.

use std::fmt;

use super::tiles::{COPIES, Counts, JOKER, KINDS, Tile};

/// The number of tiles on a rack when its player must put one.
pub const MOST: usize = 15;

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

/// The tiles on a rack as bits, one for each number and colour; successive numbers are four bits apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rack {
    pub(super) once: u64,
    pub(super) twice: u64,
    pub(super) jokers: u8,
}

/// Returns the bit of a tile that is not a joker.
const fn place(tile: Tile) -> u32 {
    let (colour, number) = ((tile - 1) / 13, (tile - 1) % 13);
    (4 * number + colour) as u32
}

/// Returns the tile of a bit.
pub(super) const fn tile_at(place: u32) -> Tile {
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

    pub(super) const fn len(self) -> u8 {
        (self.once.count_ones() + self.twice.count_ones()) as u8 + self.jokers
    }

    pub(super) const fn holds(self, tile: Tile) -> u8 {
        if tile == JOKER {
            return self.jokers;
        }
        ((self.once >> place(tile) & 1) + (self.twice >> place(tile) & 1)) as u8
    }

    /// Returns every kind of tile on the rack once, in ascending order.
    pub(super) fn kinds(self) -> impl Iterator<Item = Tile> {
        (0..KINDS).filter(move |&tile| self.holds(tile) > 0)
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

    /// Keeps only the tiles that are part of a group without jokers.
    pub(super) const fn groupable(self) -> Self {
        const FIRST: u64 = 0x1111_1111_1111_1111;
        let tiles = self.once;
        let runs = tiles & tiles >> 4 & tiles >> 8;
        let (red, blue, yellow, black) = (tiles, tiles >> 1, tiles >> 2, tiles >> 3);
        let sets = FIRST & (red & blue & (yellow | black) | yellow & black & (red | blue));
        let within = runs | (runs << 4) | (runs << 8) | (sets * 0xf);
        Self { once: self.once & within, twice: self.twice & within, jokers: 0 }
    }

    /// Removes one of each of these tiles, and some jokers.
    pub(super) const fn less(mut self, tiles: u64, jokers: u8) -> Self {
        self.once &= !tiles | self.twice;
        self.twice &= !tiles;
        self.jokers -= jokers;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::okey::{Arrangement, arrange, winning_puts};

    #[test]
    fn what_is_no_rack_is_refused() {
        assert_eq!(Rack::new(&[53]), Err(RackError::Unknown(53)));
        assert_eq!(Rack::new(&[7, 7, 7]), Err(RackError::TooManyOf(7)));
        assert_eq!(Rack::new(&[JOKER, JOKER, JOKER]), Err(RackError::TooManyOf(JOKER)));
        assert_eq!(Rack::new(&(1..=16).collect::<Vec<_>>()), Err(RackError::TooMany(16)));
        assert_eq!(arrange(Rack::new(&[]).unwrap()), Arrangement { groups: vec![], rest: vec![] });
        assert_eq!(winning_puts(Rack::new(&[]).unwrap()), []);
    }
}
