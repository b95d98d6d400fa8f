//! The moves of a game and what they have shown about the hands, as everybody knows it.

use super::moves::Move;
use super::round::Round;
use super::{CARDS, RANKS, colour, pair, takes};

/// The most moves of a game but to restart: 24 cards, an announcement of each colour, a swap, closing and stopping.
const MOST_MOVES: usize = CARDS as usize + 7;

/// The moves of a game from its start on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// The player who leads the first trick.
    pub leader: usize,
    /// The first open card.
    pub open: u8,
    moves: [Move; MOST_MOVES],
    count: u8,
}

impl History {
    /// Creates the history of a game without moves so far.
    #[must_use]
    pub const fn new(leader: usize, open: u8) -> Self {
        Self { leader, open, moves: [Move::Stop; MOST_MOVES], count: 0 }
    }

    /// Returns the moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves[..usize::from(self.count)]
    }

    /// Adds a move; no game has more than there is room for.
    pub fn add(&mut self, chosen: Move) {
        if let Some(place) = self.moves.get_mut(usize::from(self.count)) {
            *place = chosen;
            self.count += 1;
        }
    }
}

/// What is known of a game beside its moment, by player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The cards that are known to be in the hand: the open card, swapped or drawn, or of a pair.
    pub shown: [u32; 2],
    /// The colours that the hand is known to lack, as bits, because the player could not follow.
    pub lacks: [u32; 2],
    /// The moves from the start on, if they are known.
    pub history: Option<History>,
}

impl Evidence {
    /// Returns whether the hands of a game are possible by what is known of them.
    #[must_use]
    pub fn agrees(&self, round: &Round) -> bool {
        let sides = round.sides.iter().zip(self.shown).zip(self.lacks);
        sides.into_iter().all(|((side, shown), lacks)| shown & !side.hand == 0 && side.hand & missing(lacks) == 0)
    }

    /// Records what a legal move shows that a player is about to make.
    pub(super) fn note(&mut self, round: &Round, player: usize, chosen: Move) {
        if let Some(history) = &mut self.history {
            history.add(chosen);
        }
        match chosen {
            Move::Lay(card) => self.lay(round, player, u32::from(card)),
            Move::Swap => self.shown[player] |= open(round),
            Move::AnnounceTrump => self.shown[player] |= pair(round.trump),
            // Which pair is announced is shown by the card that follows.
            Move::Announce | Move::Close | Move::Stop | Move::Restart => {}
        }
    }

    fn lay(&mut self, round: &Round, player: usize, card: u32) {
        if round.announced.is_some() {
            self.shown[player] |= pair(card / RANKS);
        }
        self.shown[player] &= !(1 << card);
        let Some(led) = round.led else { return };
        match round.stock.left() {
            0 if card / RANKS != led / RANKS => self.lacks[player] |= 1 << (led / RANKS),
            // The loser of the trick draws the open card.
            2 => {
                let loser = if takes(card, led, round.trump) { 1 - player } else { player };
                self.shown[loser] |= open(round);
            }
            _ => {}
        }
    }
}

/// Returns the open card as a set.
fn open(round: &Round) -> u32 {
    round.open.map_or(0, |open| 1 << open)
}

/// Returns the cards of several colours, given as bits.
pub(super) fn missing(colours: u32) -> u32 {
    super::cards(colours).map(colour).sum()
}
