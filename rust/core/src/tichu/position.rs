//! A moment of a round of Tichu, as given by an engine, and its validation.

use std::fmt;

use super::cards::{Cards, DECK_SIZE};
use super::hand::{HAND_SIZE, Hand};
use super::round::{EVERYBODY, LEAD, LYING_DRAGON, NO_GIFT, NOBODY, Phase, Round, SEATS, Seats, TEAMS, at, gift, next};

/// The cards of a seat that are still to be dealt while it decides on Grand Tichu.
const REST: u32 = 6;
/// No seat has more points, and none loses more: all points of the cards, a double win and a Grand Tichu are fewer.
const MOST_POINTS: i16 = 500;

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
    /// A card that the seat gave away is in another hand.
    Kept(u8),
    /// Cards are still to be dealt after Grand Tichu, or another number of them before.
    Rest(u8),
    /// No seat has so many points.
    Points(u8, i16),
    /// No combination has this code.
    Top(u8),
    /// Cards of the trick were not laid.
    Trick,
    /// A seat that could not fulfil the wish could have.
    Missed(u8),
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
            Self::Gift(seat) => {
                write!(f, "Each gift of seat {seat} must be one card, and after the schupf all three.")
            }
            Self::Kept(seat) => {
                write!(f, "What seat {seat} gave away is held by the seat that got it, or is laid, and nowhere else.")
            }
            Self::Rest(seat) => {
                write!(f, "Seat {seat} gets {REST} more cards after Grand Tichu has been decided, and none later.")
            }
            Self::Points(seat, points) => write!(f, "Seat {seat} cannot have {points} points."),
            Self::Top(code) => write!(f, "Nothing with the code {code} can lie on the table."),
            Self::Trick => f.write_str("The trick has cards that nobody has laid."),
            Self::Missed(seat) => write!(f, "Seat {seat} could have fulfilled the wish when it did not."),
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
        let decided = position.loser != NOBODY || position.phase.is_together() || position.phase == Phase::Over;
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
        let aside = |seat: usize| if self.phase == Phase::Schupf { self.given[seat] } else { [Cards::EMPTY; 3] };
        let mut all = Cards::EMPTY;
        let mut count = 0;
        for seat in 0..SEATS {
            let place = at(seat);
            let [right, partner, left] = aside(place);
            let parts = [self.hands[place], self.rest[place], self.laid[place], right, partner, left];
            let own: u32 = parts.iter().map(|part| part.len()).sum();
            if own > HAND_SIZE {
                return Err(Impossible::TooMany(seat));
            }
            count += own;
            all = parts.into_iter().fold(all, Cards::union);
            self.check_gifts(seat)?;
            let rest = if self.phase == Phase::Grand { REST } else { 0 };
            if self.rest[place].len() != rest {
                return Err(Impossible::Rest(seat));
            }
            if !(-MOST_POINTS..=MOST_POINTS).contains(&self.points[place]) {
                return Err(Impossible::Points(seat, self.points[place]));
            }
        }
        if all != Cards::DECK || count != DECK_SIZE {
            return Err(Impossible::Deck);
        }
        let lies = !self.phase.is_together() && self.phase != Phase::Over;
        if self.top > LEAD || (self.top == LEAD) != (self.owner == NOBODY) || self.top != LEAD && !lies {
            return Err(Impossible::Top(self.top));
        }
        if !self.trick.minus(self.laid.into_iter().fold(Cards::EMPTY, Cards::union)).is_empty() {
            return Err(Impossible::Trick);
        }
        if self.wish == 1 || self.wish > 14 {
            return Err(Impossible::Wish(self.wish));
        }
        self.check_turn()?;
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
        let holder = |gift: Cards| (0..SEATS).find(|&holder| !gift.is_empty() && self.hands[at(holder)].contains(gift));
        let kept = (1..SEATS)
            .zip(self.given[at(seat)])
            .all(|(step, gift)| holder(gift).is_none_or(|holder| holder == (seat + step) % SEATS));
        match (fits, kept) {
            (false, _) => Err(Impossible::Gift(seat)),
            (true, false) => Err(Impossible::Kept(seat)),
            (true, true) => Ok(()),
        }
    }

    /// Checks who is waited for, and that somebody can act.
    fn check_turn(&self) -> Result<(), Impossible> {
        let awaited = match self.phase {
            Phase::Over => self.turn == NOBODY && self.awaited == 0,
            _ if self.phase.is_together() => self.turn == NOBODY && self.awaited != 0 && self.awaited <= EVERYBODY,
            _ => self.turn < SEATS && self.awaited == 1 << self.turn,
        };
        if !awaited {
            return Err(Impossible::Seat("the one that is waited for", self.turn));
        }
        let acts = match self.phase {
            Phase::Play => self.turn == self.owner || self.has_cards(self.turn),
            Phase::Wish => self.turn == self.owner && self.laid[at(self.turn)].contains(Cards::MAH_JONG),
            Phase::Dragon => self.turn == self.owner && self.top == LYING_DRAGON,
            _ => true,
        };
        if acts { Ok(()) } else { Err(Impossible::Seat("the one whose turn it is", self.turn)) }
    }

    fn check_seats(&self) -> Result<(), Impossible> {
        for (what, seat) in [("the winner", self.winner), ("the loser", self.loser), ("the owner", self.owner)] {
            if seat > NOBODY {
                return Err(Impossible::Seat(what, seat));
            }
        }
        let out = !self.phase.is_together() && self.hands.iter().any(|hand| hand.is_empty());
        if out == (self.winner == NOBODY) || (out && self.has_cards(self.winner)) {
            return Err(Impossible::Seat("the winner", self.winner));
        }
        let alive = (0..SEATS).filter(|&seat| self.has_cards(seat)).fold(0, |seats: Seats, seat| seats | 1 << seat);
        let goes_on = alive.count_ones() > 1 && !TEAMS.contains(&alive);
        let gives_last = self.phase == Phase::Dragon && alive.is_power_of_two();
        let loser = if gives_last { next(alive, 0) } else { NOBODY };
        if self.phase != Phase::Over && (self.loser != loser || !goes_on && !gives_last) {
            return Err(Impossible::Seat("the loser", self.loser));
        }
        if self.callers > EVERYBODY || self.calls.iter().any(|&call| call > 2) {
            return Err(Impossible::Seat("one that calls so", self.turn));
        }
        Ok(())
    }

    const fn has_cards(&self, seat: u8) -> bool {
        !self.hands[at(seat)].is_empty()
    }
}
