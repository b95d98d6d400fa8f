//! The tiles, and how many there are of each.

use super::rack::RackError;

/// A tile: 0 is a joker, every other is 13 × colour + number, with the colours 0 to 3 and the numbers 1 to 13.
pub type Tile = u8;

/// The joker.
pub const JOKER: Tile = 0;
/// The number of kinds of tiles, one more than the highest tile.
pub const KINDS: u8 = 53;
/// The number of tiles of each kind, including jokers.
pub const COPIES: u8 = 2;

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

    pub(super) const fn of(&self, tile: Tile) -> u8 {
        self.0[tile as usize]
    }

    /// Returns the other tiles of the game.
    #[must_use]
    pub fn missing(&self) -> Self {
        Self(self.0.map(|count| COPIES - count))
    }
}
