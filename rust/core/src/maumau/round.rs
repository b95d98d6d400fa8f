//! One round of Mau-Mau from any moment to its end, as a small copyable value for simulations.
//!
//! The engine in Python defines the rules; this is its fast twin, and tests play both in step.

use super::{ACE, CARDS, COLOURS, JACK, JACKS, SEVEN, SEVENS, VALUES, cards, of_colour, of_value, points};
use crate::random::{Random, derive};

/// The most players of a round.
pub const SEATS: usize = 5;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Lay a card.
    Play(u8),
    /// Wish for a colour.
    Wish(u8),
    /// Lay all Jacks at once.
    Finish,
    /// Draw for the sevens, or one card.
    Take,
}

impl Move {
    /// Returns the move of a number: 0 to 31 lay that card, 32 to 35 wish for a colour; finish and take follow.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0..32 => Self::Play(code),
            32..36 => Self::Wish(code - 32),
            36 => Self::Finish,
            37 => Self::Take,
            _ => return None,
        })
    }

    /// Returns the number of the move.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Play(card) => card,
            Self::Wish(colour) => 32 + colour,
            Self::Finish => 36,
            Self::Take => 37,
        }
    }
}

/// The rules that the options of a game decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Whether a seven may answer a seven.
    pub stacking: bool,
    /// Whether a Jack laid on a wish allows a new wish.
    pub wish_on_wish: bool,
    /// Whether a card may be laid right after it was drawn.
    pub play_drawn: bool,
}

/// A round at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The rules.
    pub rules: Rules,
    /// The number of players.
    pub seats: usize,
    /// The hands as sets of cards.
    pub hands: [u32; SEATS],
    /// The stock, of which the last card is drawn next.
    pub stock: [u8; CARDS as usize],
    /// The number of cards in the stock.
    pub left: usize,
    /// The cards of the pile below its top.
    pub below: u32,
    /// The top of the pile.
    pub top: u8,
    /// The colour of the wish.
    pub wish: Option<u8>,
    /// Whether the player to move must make a wish.
    pub wishing: bool,
    /// The number of cards to draw for sevens.
    pub penalty: u8,
    /// The number of Jacks laid in a row, less the pairs of them: 0 or 1.
    pub jacks: u8,
    /// The player to move.
    pub turn: usize,
    /// Whether the round is over.
    pub over: bool,
    /// The seed of the next reshuffle.
    pub chance: u64,
}

/// The reason why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundError {
    /// A card, colour or seat does not exist.
    Unknown,
    /// A card is in two places, or in none.
    Places,
    /// A penalty of sevens is even and at most 8.
    Penalty,
    /// The move is not legal.
    Illegal,
}

impl std::fmt::Display for RoundError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Unknown => "There are 32 cards, 4 colours and 2 to 5 players; the round has another one.",
            Self::Places => "Each of the 32 cards must be in exactly one place.",
            Self::Penalty => "Sevens make the next player draw 2, 4, 6 or 8 cards.",
            Self::Illegal => "This move is not legal now.",
        })
    }
}

impl std::error::Error for RoundError {}

impl Round {
    /// Verifies that the round is possible.
    ///
    /// # Errors
    /// It is impossible; see [`RoundError`].
    pub fn check(&self) -> Result<(), RoundError> {
        let known = |card: &u8| u32::from(*card) < CARDS;
        let stock = self.stock.get(..self.left).ok_or(RoundError::Places)?;
        let colour_is_known = self.wish.is_none_or(|colour| colour < COLOURS);
        if !(2..=SEATS).contains(&self.seats)
            || self.turn >= self.seats
            || !colour_is_known
            || !known(&self.top)
            || !stock.iter().all(known)
        {
            return Err(RoundError::Unknown);
        }
        let rest = stock.iter().fold(0, |set, card| set | 1 << card);
        let places = self.hands.iter().copied().chain([self.below, 1 << self.top, rest]);
        let total: u32 = places.clone().map(u32::count_ones).sum();
        if total != CARDS
            || places.fold(0, |all, place| all | place) != u32::MAX
            || rest.count_ones() as usize != self.left
        {
            return Err(RoundError::Places);
        }
        if !self.penalty.is_multiple_of(2) || self.penalty > 8 {
            return Err(RoundError::Penalty);
        }
        Ok(())
    }

    /// Returns which of some cards may be laid now, sevens that are answered apart.
    const fn fitting(&self, hand: u32) -> u32 {
        hand & match self.wish {
            Some(colour) => of_colour(colour) | JACKS,
            None => of_colour(self.top / VALUES) | of_value(self.top % VALUES) | JACKS,
        }
    }

    /// Returns the cards that the player to move may lay.
    #[must_use]
    pub const fn playable(&self) -> u32 {
        let hand = self.hands[self.turn];
        if self.wishing {
            0
        } else if self.penalty > 0 {
            if self.rules.stacking { hand & SEVENS } else { 0 }
        } else {
            self.fitting(hand)
        }
    }

    /// Returns whether the player to move holds nothing but Jacks, and may lay them all.
    #[must_use]
    pub const fn may_finish(&self) -> bool {
        !self.wishing && self.penalty == 0 && self.hands[self.turn] & !JACKS == 0
    }

    /// Returns the legal moves.
    #[must_use]
    pub fn legal(&self) -> Vec<Move> {
        if self.over {
            return Vec::new();
        }
        if self.wishing {
            return (0..COLOURS).map(Move::Wish).collect();
        }
        let playable = self.playable();
        if playable == 0 {
            return vec![Move::Take];
        }
        let finish = self.may_finish().then_some(Move::Finish);
        finish.into_iter().chain(cards(playable).map(Move::Play)).collect()
    }

    /// Makes a move.
    ///
    /// # Errors
    /// The move is not legal; the round is unchanged.
    pub fn play(&mut self, chosen: Move) -> Result<(), RoundError> {
        if !self.legal().contains(&chosen) {
            return Err(RoundError::Illegal);
        }
        self.apply(chosen);
        Ok(())
    }

    /// Makes a legal move.
    pub fn apply(&mut self, chosen: Move) {
        match chosen {
            Move::Play(card) => self.lay(card),
            Move::Wish(colour) => {
                self.wishing = false;
                self.wish = Some(colour);
                self.pass(1);
            }
            Move::Finish => {
                self.hands[self.turn] = 0;
                self.over = true;
            }
            Move::Take => self.take(),
        }
    }

    const fn pass(&mut self, steps: usize) {
        self.turn = (self.turn + steps) % self.seats;
    }

    const fn lay(&mut self, card: u8) {
        let hand = &mut self.hands[self.turn];
        *hand ^= 1 << card;
        let is_last = *hand == 0;
        self.below |= 1 << self.top;
        self.top = card;
        if is_last {
            self.over = true;
            return;
        }
        let value = card % VALUES;
        if value == JACK {
            self.jacks = 1 - self.jacks;
            if self.jacks == 1 || self.rules.wish_on_wish {
                self.wishing = true;
                self.wish = None;
            } else {
                self.pass(1);
            }
            return;
        }
        self.jacks = 0;
        self.wish = None;
        if value == SEVEN {
            self.penalty += 2;
        }
        self.pass(if value == ACE { 2 } else { 1 });
    }

    fn take(&mut self) {
        let penalty = std::mem::take(&mut self.penalty);
        let count = penalty.max(1);
        let enough = (0..count).all(|_| self.draw());
        let lays_drawn = self.rules.play_drawn && self.fitting(self.hands[self.turn]) != 0;
        if !enough || penalty == 0 && !lays_drawn {
            self.pass(1);
        }
    }

    /// Draws a card, if there is one.
    fn draw(&mut self) -> bool {
        if self.left == 0 {
            self.reshuffle();
        }
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.hands[self.turn] |= 1 << std::mem::take(&mut self.stock[self.left]);
        true
    }

    /// Turns the pile below its top into a new stock.
    fn reshuffle(&mut self) {
        for card in cards(std::mem::take(&mut self.below)) {
            self.stock[self.left] = card;
            self.left += 1;
        }
        Random::new(self.chance).shuffle(&mut self.stock[..self.left]);
        self.chance = derive(self.chance, &[1]);
    }

    /// Returns by how many points in all a player is ahead of the others, by the cards left in the hands.
    #[must_use]
    pub fn lead(&self, player: usize) -> i32 {
        let lost = |seat: usize| i32::from(points(self.hands[seat]));
        (0..self.seats).map(|seat| lost(seat) - lost(player)).sum()
    }
}
