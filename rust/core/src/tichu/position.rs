//! A moment of a round of Tichu, as given by an engine, and its validation.

use std::fmt;

use super::cards::{Cards, DECK_SIZE};
use super::hand::{HAND_SIZE, Hand};
use super::round::{EVERYBODY, LEAD, NO_GIFT, NOBODY, Phase, Round, SEATS, Seats, at};

/// A moment of a round, as given by an engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The phase.
    pub phase: Phase,
    /// The awaited seats.
    pub awaited: Seats,
    /// The hands.
    pub hands: [Cards; 4],
    /// The cards for each seat after all have decided on Grand Tichu.
    pub rest: [Cards; 4],
    /// The cards that each seat has laid.
    pub laid: [Cards; 4],
    /// The cards that each seat gave to the right opponent, the partner and the left opponent, each one card or still
    /// none.
    pub given: [[Cards; 3]; 4],
    /// The cards of the trick.
    pub trick: Cards,
    /// The code of the combination to beat; [`LEAD`] if the trick is to be led.
    pub top: u8,
    /// The seat that laid it.
    pub owner: u8,
    /// The seat whose turn it is.
    pub turn: u8,
    /// The call of each seat: 0 none, 1 small Tichu, 2 Grand Tichu.
    pub calls: [u8; 4],
    /// The seats that may still call small Tichu.
    pub callers: Seats,
    /// The current wish; 0 for none.
    pub wish: u8,
    /// The points of each seat's tricks; at the end its whole score.
    pub points: [i16; 4],
    /// The seat that finished first.
    pub winner: u8,
    /// The seat left with cards at the end.
    pub loser: u8,
}

/// The reason why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// Not every card occurs exactly once.
    Deck,
    /// A seat has too many cards.
    TooMany(u8),
    /// A gift is not one card.
    Gift(u8),
    /// No combination has this code.
    Top(u8),
    /// The wish is invalid.
    Wish(u8),
    /// A seat is invalid, or cannot have its role.
    Seat(&'static str, u8),
}

impl fmt::Display for Impossible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Deck => {
                f.write_str("Each of the 56 cards must be at one place: in a hand, laid or still to be dealt.")
            }
            Self::TooMany(seat) => write!(f, "Seat {seat} has more than {HAND_SIZE} cards, laid ones included."),
            Self::Gift(seat) => write!(f, "Each gift of seat {seat} must be one card, and after the schupf all three."),
            Self::Top(code) => write!(f, "Nothing with the code {code} can lie on the table."),
            Self::Wish(value) => write!(f, "A wish is a value from 2 to 14, or 0 for none, not {value}."),
            Self::Seat(what, seat) => write!(f, "Seat {seat} cannot be {what}."),
        }
    }
}

impl std::error::Error for Impossible {}

impl Round {
    /// Creates the round at a moment.
    ///
    /// # Errors
    /// The position is impossible.
    pub fn new(position: &Position) -> Result<Self, Impossible> {
        position.check()?;
        let holding = |test: fn(&Hand) -> bool| {
            (0..SEATS).fold(0, |seats, seat| {
                let fits = Hand::new(position.hands[at(seat)]).is_ok_and(|hand| test(&hand));
                seats | Seats::from(fits) << seat
            })
        };
        let decided = position.loser != NOBODY || matches!(position.phase, Phase::Grand | Phase::Schupf | Phase::Over);
        let place = |card: Cards| card.lowest_index().map_or(NO_GIFT, |index| index as u8);
        Ok(Self {
            hands: position.hands,
            rest: position.rest,
            laid: position.laid,
            trick: position.trick,
            points: position.points,
            given: position.given.map(|gifts| gifts.map(place)),
            calls: position.calls,
            phase: position.phase,
            awaited: position.awaited,
            turn: position.turn,
            top: position.top,
            owner: position.owner,
            wish: position.wish,
            alive: holding(|hand| !hand.cards().is_empty()),
            callers: position.callers,
            bombers: if decided { 0 } else { holding(Hand::has_bomb) },
            winner: position.winner,
            loser: position.loser,
        })
    }

    /// Returns the moment, as [`Round::new`] accepts it.
    #[must_use]
    pub fn position(&self) -> Position {
        let gift = |place: u8| if place == NO_GIFT { Cards::EMPTY } else { Cards::at(place.into()) };
        Position {
            phase: self.phase,
            awaited: self.awaited,
            hands: self.hands,
            rest: self.rest,
            laid: self.laid,
            given: self.given.map(|gifts| gifts.map(gift)),
            trick: self.trick,
            top: self.top,
            owner: self.owner,
            turn: self.turn,
            calls: self.calls,
            callers: self.callers,
            wish: self.wish,
            points: self.points,
            winner: self.winner,
            loser: self.loser,
        }
    }
}

impl Position {
    fn check(&self) -> Result<(), Impossible> {
        let schupf = self.phase == Phase::Schupf;
        let aside =
            |seat: usize| self.given[seat].iter().filter(|_| schupf).fold(Cards::EMPTY, |all, &gift| all.union(gift));
        let mut all = Cards::EMPTY;
        let mut count = 0;
        for seat in 0..SEATS {
            let place = at(seat);
            let parts = [self.hands[place], self.rest[place], self.laid[place], aside(place)];
            let own: u32 = parts.iter().map(|part| part.len()).sum();
            if own > HAND_SIZE {
                return Err(Impossible::TooMany(seat));
            }
            count += own;
            all = parts.into_iter().fold(all, Cards::union);
            self.check_gifts(seat)?;
        }
        if all != Cards::DECK || count != DECK_SIZE {
            return Err(Impossible::Deck);
        }
        if self.top > LEAD || (self.top == LEAD) != (self.owner == NOBODY) {
            return Err(Impossible::Top(self.top));
        }
        if self.wish == 1 || self.wish > 14 {
            return Err(Impossible::Wish(self.wish));
        }
        self.check_seats()
    }

    fn check_gifts(&self, seat: u8) -> Result<(), Impossible> {
        let gifts = self.given[at(seat)].map(Cards::len);
        let waiting = self.phase == Phase::Schupf && self.awaited >> seat & 1 == 1;
        let fits = match self.phase {
            Phase::Grand => gifts == [0, 0, 0],
            _ if waiting => matches!(gifts, [0 | 1, 0, 0] | [1, 1, 0]),
            _ => gifts == [1, 1, 1],
        };
        if fits { Ok(()) } else { Err(Impossible::Gift(seat)) }
    }

    fn check_seats(&self) -> Result<(), Impossible> {
        let together = matches!(self.phase, Phase::Grand | Phase::Schupf);
        let awaited = match self.phase {
            Phase::Over => self.awaited == 0,
            _ if together => self.awaited != 0 && self.awaited <= EVERYBODY,
            _ => self.turn < SEATS && self.awaited == 1 << self.turn,
        };
        if !awaited {
            return Err(Impossible::Seat("the one that is waited for", self.turn));
        }
        let acts = self.phase == Phase::Play || self.phase == Phase::Wish;
        if acts && self.turn != self.owner && self.hands[at(self.turn)].is_empty() {
            return Err(Impossible::Seat("the one whose turn it is, for it has no cards", self.turn));
        }
        for (what, seat) in [("the winner", self.winner), ("the loser", self.loser), ("the owner", self.owner)] {
            if seat > NOBODY {
                return Err(Impossible::Seat(what, seat));
            }
        }
        let out = !together && self.hands.iter().any(|hand| hand.is_empty());
        if out == (self.winner == NOBODY) || (out && !self.hands[at(self.winner)].is_empty()) {
            return Err(Impossible::Seat("the winner", self.winner));
        }
        if self.callers > EVERYBODY || self.calls.iter().any(|&call| call > 2) {
            return Err(Impossible::Seat("one that calls so", self.turn));
        }
        Ok(())
    }
}
