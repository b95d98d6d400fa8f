//! One round of Mau-Mau from any moment to its end, as a small copyable value for simulations.
//!
//! The engine in Python defines the rules; this is its fast twin, and tests play both in step.

use std::fmt;

use super::possible::Possible;
use super::redeal::spread;
use super::{ACE, CARDS, COLOURS, JACK, JACKS, SEVEN, SEVENS, VALUES, cards, of_colour, of_value, points};
use crate::random::{Random, derive};
use crate::simulation::{self, Seats};

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
    /// Draw so many cards: for the sevens, or one.
    Take(u8),
}

/// The letters of the colours.
const LETTERS: [char; COLOURS as usize] = ['K', 'H', 'X', 'P'];
/// The labels of the values.
const LABELS: [&str; VALUES as usize] = ["7", "8", "9", "10", "B", "D", "K", "A"];

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Play(card) => {
                write!(f, "play {}{}", LETTERS[usize::from(card / VALUES)], LABELS[usize::from(card % VALUES)])
            }
            Self::Wish(colour) => write!(f, "wish {}", LETTERS[usize::from(colour)]),
            Self::Finish => f.write_str("finish"),
            Self::Take(count) => write!(f, "take {count}"),
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
    /// The cards laid since the last reshuffle, the top last.
    pub pile: [u8; CARDS as usize],
    /// The number of cards in the pile.
    pub piled: usize,
    /// The colour of the wish.
    pub wish: Option<u8>,
    /// Whether the player to move must make a wish.
    pub wishing: bool,
    /// The number of cards to draw for sevens.
    pub penalty: u8,
    /// The number of Jacks laid in a row, less the pairs of them: 0 or 1.
    pub jacks: u8,
    /// Whether the player to move has just drawn a card.
    pub drew: bool,
    /// The player to move.
    pub turn: usize,
    /// Whether the round is over.
    pub over: bool,
    /// The seed of the reshuffles.
    pub chance: u64,
    /// The number of reshuffles.
    pub reshuffles: u64,
}

/// The cards in the order in which they are safest to lay: those with the most points first, but Jacks last.
const SAFEST: [u32; 6] =
    [of_value(ACE), of_value(3) | of_value(5) | of_value(6), of_value(2), of_value(1), of_value(SEVEN), JACKS];

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
        let pile = self.pile.get(..self.piled).filter(|pile| !pile.is_empty()).ok_or(RoundError::Places)?;
        let colour_is_known = self.wish.is_none_or(|colour| colour < COLOURS);
        if !(2..=SEATS).contains(&self.seats)
            || self.turn >= self.seats
            || !colour_is_known
            || !pile.iter().chain(stock).all(known)
        {
            return Err(RoundError::Unknown);
        }
        let places = self.hands.iter().copied().chain(pile.iter().chain(stock).map(|card| 1 << card));
        let total: u32 = places.clone().map(u32::count_ones).sum();
        if total != CARDS || places.fold(0, |all, place| all | place) != u32::MAX {
            return Err(RoundError::Places);
        }
        if !self.penalty.is_multiple_of(2) || self.penalty > 8 {
            return Err(RoundError::Penalty);
        }
        Ok(())
    }

    /// Returns the top of the pile.
    #[must_use]
    pub const fn top(&self) -> u8 {
        self.pile[self.piled - 1]
    }

    /// Returns the cards of the pile as a set.
    #[must_use]
    pub fn laid(&self) -> u32 {
        self.pile[..self.piled].iter().fold(0, |set, card| set | 1 << card)
    }

    /// Returns which of some cards may be laid now, sevens that are answered apart.
    #[must_use]
    pub const fn fitting(&self, hand: u32) -> u32 {
        hand & match self.wish {
            Some(colour) => of_colour(colour) | JACKS,
            None => of_colour(self.top() / VALUES) | of_value(self.top() % VALUES) | JACKS,
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

    /// Appends the wishes, the most frequent colour of the hand first; Jacks do not count, since they fit on everything.
    fn push_wishes(&self, moves: &mut Vec<Move>) {
        let hand = self.hands[self.turn] & !JACKS;
        let mut colours: [u8; COLOURS as usize] = std::array::from_fn(|colour| colour as u8);
        colours.sort_by_key(|&colour| std::cmp::Reverse((hand & of_colour(colour)).count_ones()));
        moves.extend(colours.map(Move::Wish));
    }

    /// Returns the cards that the player to move does not see.
    #[must_use]
    pub fn hidden(&self, player: usize) -> u32 {
        !(self.hands[player] | self.laid())
    }

    /// Deals anew what a player does not see, to the places that [`Possible::places`] lists.
    pub fn redeal_to(&mut self, player: usize, places: &[u32], random: &mut Random) {
        let mut hidden: Vec<u8> = cards(self.hidden(player)).collect();
        spread(&mut hidden, places, random);
        let mut dealt = hidden.into_iter();
        for seat in (0..self.seats).filter(|&seat| seat != player) {
            let count = self.hands[seat].count_ones() as usize;
            self.hands[seat] = dealt.by_ref().take(count).fold(0, |hand, card| hand | 1 << card);
        }
        for (place, card) in self.stock.iter_mut().zip(dealt) {
            *place = card;
        }
    }

    const fn pass(&mut self, steps: usize) {
        self.turn = (self.turn + steps) % self.seats;
        self.drew = false;
    }

    const fn lay(&mut self, card: u8) {
        let hand = &mut self.hands[self.turn];
        *hand ^= 1 << card;
        let is_last = *hand == 0;
        self.pile[self.piled] = card;
        self.piled += 1;
        self.drew = false;
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

    /// Lays all Jacks at once.
    fn finish(&mut self) {
        for card in cards(std::mem::take(&mut self.hands[self.turn])) {
            self.pile[self.piled] = card;
            self.piled += 1;
        }
        self.over = true;
    }

    fn take(&mut self, count: u8) {
        let penalty = std::mem::take(&mut self.penalty);
        let enough = (0..count).all(|_| self.draw());
        self.drew = penalty == 0;
        let lays_drawn = self.rules.play_drawn && self.fitting(self.hands[self.turn]) != 0;
        if !enough || penalty == 0 && !lays_drawn {
            self.pass(1);
        }
    }

    /// Draws a card, if there is one.
    fn draw(&mut self) -> bool {
        if self.left == 0 && self.piled > 1 {
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
        let (top, below) = (self.top(), self.piled - 1);
        self.stock[..below].copy_from_slice(&self.pile[..below]);
        self.left = below;
        self.pile = [0; CARDS as usize];
        self.pile[0] = top;
        self.piled = 1;
        Random::new(derive(self.chance, &[self.reshuffles])).shuffle(&mut self.stock[..below]);
        self.reshuffles += 1;
    }

    /// Returns the points of the cards left in a hand.
    #[must_use]
    pub fn left_in_hand(&self, seat: usize) -> u16 {
        points(self.hands[seat])
    }
}

impl simulation::Round for Round {
    type Move = Move;
    type Evidence = Possible;

    fn seats(&self) -> usize {
        self.seats
    }

    fn awaited(&self) -> Seats {
        if self.over { 0 } else { 1 << self.turn }
    }

    fn legal(&self, seat: usize, moves: &mut Vec<Move>) {
        if self.over || seat != self.turn {
            return;
        }
        if self.wishing {
            self.push_wishes(moves);
            return;
        }
        let playable = self.playable();
        if self.penalty > 0 {
            moves.extend(cards(playable).map(Move::Play));
        } else {
            moves.extend(self.may_finish().then_some(Move::Finish));
            moves.extend(SAFEST.into_iter().flat_map(|group| cards(playable & group)).map(Move::Play));
        }
        if playable == 0 {
            moves.push(Move::Take(self.penalty.max(1)));
        }
    }

    fn make(&mut self, _seat: usize, chosen: Move) {
        match chosen {
            Move::Play(card) => self.lay(card),
            Move::Wish(colour) => {
                self.wishing = false;
                self.wish = Some(colour);
                self.pass(1);
            }
            Move::Finish => self.finish(),
            Move::Take(count) => self.take(count),
        }
    }

    fn note(&self, evidence: &mut Possible, seat: usize, chosen: Move) {
        evidence.note(self, seat, chosen);
    }

    fn redeal(&self, seat: usize, evidence: &Possible, random: &mut Random) -> Self {
        let mut other = *self;
        other.chance = random.bits();
        other.redeal_to(seat, &evidence.places(self, seat), random);
        other
    }

    /// Returns by how many points in all a player is ahead of the others, by the cards left in the hands.
    fn lead(&self, player: usize) -> i32 {
        let lost = |seat: usize| i32::from(points(self.hands[seat]));
        (0..self.seats).map(|seat| lost(seat) - lost(player)).sum()
    }
}
