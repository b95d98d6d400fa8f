//! Tiles in an order: a rack or a stack.

use super::tiles::{JOKER, Tile, Tiles};

/// At most so many tiles in the order in which they came.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pile<const SIZE: usize> {
    tiles: [Tile; SIZE],
    count: u8,
    /// The same tiles in no order.
    set: Tiles,
}

/// What lies behind the last tile is no part of a pile.
impl<const SIZE: usize> PartialEq for Pile<SIZE> {
    fn eq(&self, other: &Self) -> bool {
        self.tiles() == other.tiles()
    }
}

impl<const SIZE: usize> Default for Pile<SIZE> {
    fn default() -> Self {
        Self { tiles: [JOKER; SIZE], count: 0, set: Tiles::default() }
    }
}

impl<const SIZE: usize> Eq for Pile<SIZE> {}

impl<const SIZE: usize> Pile<SIZE> {
    pub fn new(tiles: &[Tile]) -> Self {
        let mut pile = Self::default();
        for &tile in tiles {
            pile.push(tile);
        }
        pile
    }

    pub const fn len(&self) -> usize {
        self.count as usize
    }

    /// Returns the tiles, the newest last.
    pub fn tiles(&self) -> &[Tile] {
        &self.tiles[..self.len()]
    }

    /// Returns the tiles to overwrite them; afterwards [`Self::count_again`] is due.
    pub fn tiles_mut(&mut self) -> &mut [Tile] {
        let count = self.len();
        &mut self.tiles[..count]
    }

    /// Returns the tiles in no order.
    pub const fn set(&self) -> Tiles {
        self.set
    }

    /// Returns the newest tile.
    pub fn top(&self) -> Option<Tile> {
        self.tiles().last().copied()
    }

    /// Adds a tile, for which there must be room.
    pub const fn push(&mut self, tile: Tile) {
        self.tiles[self.len()] = tile;
        self.count += 1;
        self.set = self.set.with(tile);
    }

    /// Takes the newest tile.
    pub fn pop(&mut self) -> Option<Tile> {
        let tile = self.top()?;
        self.count -= 1;
        self.set = self.set.without(tile);
        Some(tile)
    }

    /// Takes the oldest tile of a kind, if there is one.
    pub fn remove(&mut self, tile: Tile) {
        if let Some(place) = self.tiles().iter().position(|&other| other == tile) {
            let count = self.len();
            self.tiles.copy_within(place + 1..count, place);
            self.count -= 1;
            self.set = self.set.without(tile);
        }
    }

    /// Exchanges the oldest tile of a kind for another, and returns whether there is one.
    pub fn exchange(&mut self, tile: Tile, other: Tile) -> bool {
        let Some(place) = self.tiles().iter().position(|&each| each == tile) else { return false };
        self.tiles[place] = other;
        self.set = self.set.without(tile).with(other);
        true
    }

    /// Returns the tiles that a set does not have: as with a `Counter` in Python, kind by kind, the oldest kind first, and
    /// as many of each kind as are too many.
    pub fn beyond(&self, set: Tiles) -> Self {
        let mut beyond = Self::default();
        for (place, &tile) in self.tiles().iter().enumerate() {
            if !self.tiles[..place].contains(&tile) {
                (set.holds(tile)..self.set.holds(tile)).for_each(|_| beyond.push(tile));
            }
        }
        beyond
    }

    /// Counts the tiles again after they were overwritten.
    pub fn count_again(&mut self) {
        self.set = self.tiles().iter().fold(Tiles::default(), |set, &tile| set.with(tile));
    }
}
