//! The moments of the engine as rounds.

use std::fmt;

use super::piles::Pile;
use super::round::{Round, SEATS};
use super::tiles::{HELD, RackError, Tile, Tiles};

/// A moment as the engine has it.
#[derive(Clone, Debug)]
pub struct Position {
    /// Whether every player may take a winning rack.
    pub cheats: bool,
    /// The tiles of each seat, in the order in which they came.
    pub racks: Vec<Vec<Tile>>,
    /// The main stack; its last tile is drawn next.
    pub main: Vec<Tile>,
    /// The exchange stack that each seat draws from; the last tile is on top.
    pub stacks: Vec<Vec<Tile>>,
    /// The tiles of each rack that were taken from an exchange stack.
    pub known: Vec<Vec<Tile>>,
    /// The seat to move; none when the game is over.
    pub turn: Option<usize>,
    /// The winner.
    pub winner: Option<usize>,
    /// The number of draws of each seat from the main stack.
    pub drawn: Vec<u32>,
    /// The number of draws of each seat from its exchange stack.
    pub taken: Vec<u32>,
}

/// The reason why a position is no round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// There is another number of seats.
    Seats,
    /// There are other tiles than the game has.
    Tiles(RackError),
    /// A rack has another number of tiles than in the game.
    Held(usize),
    /// A stack has more tiles than can lie on it.
    Stacked(usize),
    /// A tile that is known is not on the rack.
    Known,
}

impl fmt::Display for PositionError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Seats => write!(out, "A game of Okey has {SEATS} seats."),
            Self::Tiles(error) => error.fmt(out),
            Self::Held(count) => {
                write!(out, "A rack has {HELD} tiles, or one more if its player must put one, not {count}.")
            }
            Self::Stacked(count) => write!(out, "So many tiles cannot lie on one stack: {count}."),
            Self::Known => write!(out, "Only tiles of a rack can be known to be on it."),
        }
    }
}

impl std::error::Error for PositionError {}

impl Position {
    /// Returns the round.
    ///
    /// # Errors
    /// There is no such round.
    pub fn round(&self) -> Result<Round, PositionError> {
        let all = self.racks.iter().chain(&self.stacks).chain([&self.main]).flatten().copied().collect::<Vec<_>>();
        Tiles::new(&all).map_err(PositionError::Tiles)?;
        let (racks, stacks, known) = (seated(&self.racks)?, seated(&self.stacks)?, seated(&self.known)?);
        if self.turn.into_iter().chain(self.winner).any(|seat| seat >= SEATS) {
            return Err(PositionError::Seats);
        }
        for (seat, rack) in racks.iter().enumerate() {
            let most = HELD + usize::from(self.turn == Some(seat));
            if !(HELD..=most).contains(&rack.len()) {
                return Err(PositionError::Held(rack.len()));
            }
        }
        let known = each(known, |tiles| Tiles::new(tiles).map_err(PositionError::Tiles))?;
        let racks = each(racks, pile)?;
        if racks.iter().zip(known).any(|(rack, known)| rack.set().common(known) != known) {
            return Err(PositionError::Known);
        }
        Ok(Round {
            cheats: self.cheats,
            racks,
            main: pile(&self.main)?,
            stacks: each(stacks, pile)?,
            known,
            turn: self.turn.unwrap_or_default(),
            over: self.turn.is_none(),
            winner: self.winner,
            drawn: *seated(&self.drawn)?,
            taken: *seated(&self.taken)?,
        })
    }
}

/// Returns what each seat has.
fn seated<T>(each: &[T]) -> Result<&[T; SEATS], PositionError> {
    each.try_into().map_err(|_| PositionError::Seats)
}

/// Converts what each seat has.
fn each<T, U: Default + Copy>(
    from: &[Vec<T>; SEATS],
    convert: impl Fn(&[T]) -> Result<U, PositionError>,
) -> Result<[U; SEATS], PositionError> {
    let mut converted = [U::default(); SEATS];
    for (place, one) in converted.iter_mut().zip(from) {
        *place = convert(one)?;
    }
    Ok(converted)
}

fn pile<const SIZE: usize>(tiles: &[Tile]) -> Result<Pile<SIZE>, PositionError> {
    if tiles.len() <= SIZE { Ok(Pile::new(tiles)) } else { Err(PositionError::Stacked(tiles.len())) }
}
