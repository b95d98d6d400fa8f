//! One round of Tichu, from any moment to its score, as a small copyable value for simulations.
//!
//! The engine in Python defines the rules; this is its fast twin, without names, events, options and series. A
//! [`Round`] is created from a [`Position`](super::position::Position) or a new deal; it returns the awaited seats and
//! the legal moves, and plays moves. [`Evidence`](super::redeal::Evidence) records what a redeal must respect in
//! addition.

use std::fmt;

use super::cards::Cards;
use super::combinations::{ALL, BOMBS, Combination};
use super::hand::{Hand, Wish};
use super::moves::{self, Move, PASS_CODE, Verb};

/// A set of seats as bits.
pub type Seats = u8;

/// The number of seats.
pub const SEATS: u8 = 4;
/// The value for no seat.
pub const NOBODY: u8 = SEATS;
/// The seats of each team.
pub(super) const TEAMS: [Seats; 2] = [0b0101, 0b1010];
pub(super) const EVERYBODY: Seats = 0b1111;
/// The code of a trick that is to be led.
pub const LEAD: u8 = PASS_CODE;
/// The code of a dragon on the table.
pub const LYING_DRAGON: u8 = single(15);
/// The code of a phoenix that was led: it counts as a one.
pub(super) const LED_PHOENIX: u8 = single(1);

/// Returns the code of a single card.
const fn single(rank: u8) -> u8 {
    match Combination::new(1, 1, rank) {
        Ok(combination) => combination.place(),
        Err(_) => LEAD,
    }
}

/// Computes the next seat of a set after a seat, by set and seat.
static NEXT: [[u8; SEATS as usize]; 16] = next_seats();

const fn next_seats() -> [[u8; SEATS as usize]; 16] {
    let mut table = [[NOBODY; SEATS as usize]; 16];
    let mut seats = 0;
    while seats < 16 {
        let mut seat = 0;
        while seat < 4 {
            let mut step = 4;
            while step > 0 {
                let other = (seat + step) % 4;
                if seats >> other & 1 == 1 {
                    table[seats][seat] = other as u8;
                }
                step -= 1;
            }
            seat += 1;
        }
        seats += 1;
    }
    table
}

/// Returns the next seat of a set after a seat; [`NOBODY`] if the set is empty.
#[must_use]
pub const fn next(seats: Seats, seat: u8) -> u8 {
    NEXT[(seats & EVERYBODY) as usize][at(seat)]
}

/// Returns the index of a seat in an array of four.
pub(super) const fn at(seat: u8) -> usize {
    (seat % SEATS) as usize
}

/// Returns the seats of a set, in ascending order.
pub fn each(seats: Seats) -> impl Iterator<Item = u8> {
    (0..SEATS).filter(move |seat| seats >> seat & 1 == 1)
}

/// The phase of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Phase {
    /// All awaited seats decide on Grand Tichu.
    Grand,
    /// All awaited seats give cards away.
    Schupf,
    /// A seat leads, follows or collects.
    Play,
    /// The seat that laid the Mah Jong makes its wish.
    Wish,
    /// The seat that won a trick with the dragon gives it away.
    Dragon,
    /// The round is over.
    Over,
}

impl Phase {
    /// All phases, in their order in a round.
    pub const ALL: [Self; 6] = [Self::Grand, Self::Schupf, Self::Play, Self::Wish, Self::Dragon, Self::Over];

    /// Returns the name of the phase.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grand => "grand",
            Self::Schupf => "schupf",
            Self::Play => "play",
            Self::Wish => "wish",
            Self::Dragon => "dragon",
            Self::Over => "over",
        }
    }

    /// Returns whether several seats decide at the same time, before the first trick, without knowing of each other.
    #[must_use]
    pub const fn is_together(self) -> bool {
        matches!(self, Self::Grand | Self::Schupf)
    }
}

/// A move that is not legal now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Illegal {
    /// The seat.
    pub seat: u8,
    /// The move.
    pub chosen: Move,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seat {} may not '{}' now.", self.seat, self.chosen)
    }
}

impl std::error::Error for Illegal {}

/// The value for no gift yet.
pub(super) const NO_GIFT: u8 = u8::MAX;

/// Returns the card of a gift; none if there is no gift yet.
pub(super) const fn gift(index: u8) -> Cards {
    if index == NO_GIFT { Cards::EMPTY } else { Cards::at(index as u32) }
}

/// A round at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    pub(super) hands: [Cards; 4],
    /// The cards for each seat after all have decided on Grand Tichu.
    pub(super) rest: [Cards; 4],
    /// The cards that each seat has laid.
    pub(super) laid: [Cards; 4],
    /// The cards of the trick; a dog stays with the next trick.
    pub(super) trick: Cards,
    pub(super) points: [i16; 4],
    /// The cards that each seat gave to the right opponent, the partner and the left opponent, as indices in the deck.
    pub(super) given: [[u8; 3]; 4],
    /// The calls: 0 none, 1 small Tichu, 2 Grand Tichu; a Grand Tichu is recorded here while others still decide.
    pub(super) calls: [u8; 4],
    pub(super) phase: Phase,
    pub(super) awaited: Seats,
    pub(super) turn: u8,
    pub(super) top: u8,
    pub(super) owner: u8,
    pub(super) wish: u8,
    /// The seats with cards.
    pub(super) alive: Seats,
    /// The seats that may still call small Tichu.
    pub(super) callers: Seats,
    /// The seats with a bomb.
    pub(super) bombers: Seats,
    pub(super) winner: u8,
    pub(super) loser: u8,
}

impl Round {
    /// Creates a new round: the first eight cards of each seat, then the six more of each.
    #[must_use]
    pub const fn deal(cards: [Cards; 8]) -> Self {
        let [one, two, three, four, rest @ ..] = cards;
        Self {
            hands: [one, two, three, four],
            rest,
            laid: [Cards::EMPTY; 4],
            trick: Cards::EMPTY,
            points: [0; 4],
            given: [[NO_GIFT; 3]; 4],
            calls: [0; 4],
            phase: Phase::Grand,
            awaited: EVERYBODY,
            turn: NOBODY,
            top: LEAD,
            owner: NOBODY,
            wish: 0,
            alive: EVERYBODY,
            callers: 0,
            bombers: 0,
            winner: NOBODY,
            loser: NOBODY,
        }
    }

    // --- queries
    // ------------------------------------------------------------------------------------------------------

    /// Returns the phase.
    #[must_use]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns whether the tricks have begun and the round is not over.
    #[must_use]
    pub const fn is_within_tricks(&self) -> bool {
        matches!(self.phase, Phase::Play | Phase::Wish | Phase::Dragon)
    }

    /// Returns the awaited seats; none when the round is over.
    #[must_use]
    pub const fn awaited(&self) -> Seats {
        self.awaited
    }

    /// Returns the cards of a seat.
    #[must_use]
    pub const fn hand(&self, seat: u8) -> Cards {
        self.hands[at(seat)]
    }

    /// Returns all cards laid.
    #[must_use]
    pub const fn played(&self) -> Cards {
        let [one, two, three, four] = self.laid;
        one.union(two).union(three.union(four))
    }

    /// Returns the points of each seat's tricks; at the end its whole score.
    #[must_use]
    pub const fn points(&self) -> [i16; 4] {
        self.points
    }

    /// Returns the scores of the teams of seats 0 and 2, and of seats 1 and 3, once the round is over.
    #[must_use]
    pub fn score(&self) -> Option<[i16; 2]> {
        let [one, two, three, four] = self.points;
        (self.phase == Phase::Over).then_some([one + three, two + four])
    }

    /// Returns the seats that may move out of turn.
    #[must_use]
    pub fn speakers(&self) -> Seats {
        // Almost always nobody holds a bomb, so that those who may call need no search.
        let bombers = each(self.bombers)
            .filter(|&seat| self.may_bomb(seat) && (!is_bomb(self.top) || self.beats_by_bomb(seat)))
            .map(|seat| 1 << seat)
            .sum::<Seats>();
        (self.callers | bombers) & !self.awaited
    }

    /// Returns the moves that a seat may make now, in turn or out of turn, the safest first.
    #[must_use]
    pub fn legal(&self, seat: u8) -> Vec<Move> {
        let mut moves = Vec::new();
        self.push_legal(seat, &mut moves);
        moves
    }

    /// Appends the moves that a seat may make now, in turn or out of turn, the safest first.
    pub fn push_legal(&self, seat: u8, moves: &mut Vec<Move>) {
        let hand = self.hands[at(seat)];
        if self.awaited >> seat & 1 == 0 {
            return self.push_interrupts(seat, moves);
        }
        match self.phase {
            Phase::Grand => moves.extend([Move::PASS, Move::GRAND]),
            Phase::Schupf => moves::push_gives(hand, moves),
            Phase::Wish => moves.extend((2..=14).map(Move::wish)),
            Phase::Play if seat == self.owner => {
                moves.push(Move::TAKE);
                self.push_interrupts(seat, moves);
            }
            Phase::Dragon => {
                moves.extend([Move::dragon((seat + 1) % SEATS), Move::dragon((seat + 3) % SEATS)]);
                self.push_interrupts(seat, moves);
            }
            Phase::Play | Phase::Over => {
                let wish = Wish::new(self.wish.into()).unwrap_or_default();
                moves::push_in_turn(&Hand::of(hand), self.lying(), wish, self.may_call(seat), moves);
            }
        }
    }

    /// Returns the combination to beat; passing if the trick is to be led.
    const fn lying(&self) -> Combination {
        ALL[self.top as usize]
    }

    /// Appends the moves of a seat out of turn: a bomb on the trick, small Tichu.
    fn push_interrupts(&self, seat: u8, moves: &mut Vec<Move>) {
        if self.may_bomb(seat) {
            moves::push_interrupts(&Hand::of(self.hands[at(seat)]), self.lying(), self.may_call(seat), moves);
        } else if self.may_call(seat) {
            moves.push(Move::TICHU);
        }
    }

    /// Returns whether a seat holds a bomb that beats the trick, and bombs may be thrown.
    fn beats_by_bomb(&self, seat: u8) -> bool {
        let mut bombs = Vec::new();
        Hand::of(self.hands[at(seat)]).push_bombs_on(self.lying(), &mut bombs);
        self.may_bomb(seat) && !bombs.is_empty()
    }

    /// Returns whether a seat may call small Tichu.
    pub(super) const fn may_call(&self, seat: u8) -> bool {
        self.callers >> seat & 1 == 1
    }

    /// Returns whether a seat holds a bomb and bombs may be thrown; it does not check whether the bomb beats the trick.
    pub(super) const fn may_bomb(&self, seat: u8) -> bool {
        self.bombers >> seat & 1 == 1 && self.top != LEAD && !matches!(self.phase, Phase::Wish)
    }

    /// Takes back what the other seats have decided at the same time as a seat: their calls of Grand Tichu, their gifts.
    pub(super) fn reopen(&mut self, seat: u8) {
        for other in (0..SEATS).filter(|&other| other != seat) {
            if self.phase == Phase::Grand {
                self.calls[at(other)] = 0;
            }
            self.take_back(other);
        }
        self.awaited = EVERYBODY;
    }

    /// Puts the gifts of a seat back into its hand.
    fn take_back(&mut self, seat: u8) {
        for index in std::mem::replace(&mut self.given[at(seat)], [NO_GIFT; 3]) {
            self.hands[at(seat)] = self.hands[at(seat)].union(gift(index));
        }
    }

    /// Returns the number of cards that a seat has given away.
    pub(super) fn count_gifts(&self, seat: u8) -> usize {
        self.given[at(seat)].iter().filter(|&&index| index != NO_GIFT).count()
    }

    // --- moves
    // --------------------------------------------------------------------------------------------------------

    /// Makes a move.
    ///
    /// # Errors
    /// The move is not legal now; then the round is unchanged.
    pub fn apply(&mut self, seat: u8, chosen: Move) -> Result<(), Illegal> {
        if seat >= SEATS || !self.legal(seat).contains(&chosen) {
            return Err(Illegal { seat, chosen });
        }
        self.make(seat, chosen);
        Ok(())
    }

    /// Makes a move that is known to be legal.
    pub(super) fn make(&mut self, seat: u8, chosen: Move) {
        match chosen.verb() {
            Verb::Play => self.lay(seat, chosen.cards(), chosen.code()),
            Verb::Pass if self.phase == Phase::Play => self.pass(seat),
            Verb::Pass => self.decide(seat, 0),
            Verb::Grand => self.decide(seat, 2),
            Verb::Tichu => self.call(seat),
            Verb::Give => self.give(seat, chosen.cards()),
            Verb::Wish => self.make_wish(seat, chosen.operand()),
            Verb::Take => self.take(seat),
            Verb::Dragon => self.give_dragon(seat, chosen.operand()),
        }
    }

    /// Decides on Grand Tichu.
    pub(super) fn decide(&mut self, seat: u8, call: u8) {
        self.calls[at(seat)] = call;
        self.awaited &= !(1 << at(seat));
        if self.awaited == 0 {
            for (hand, rest) in self.hands.iter_mut().zip(&mut self.rest) {
                *hand = hand.union(*rest);
                *rest = Cards::EMPTY;
            }
            self.phase = Phase::Schupf;
            self.awaited = EVERYBODY;
        }
    }

    /// Sets a card aside for the right opponent, then the partner, then the left opponent.
    pub(super) fn give(&mut self, seat: u8, card: Cards) {
        let gifts = &mut self.given[at(seat)];
        let Some(place) = gifts.iter().position(|&gift| gift == NO_GIFT) else { return };
        gifts[place] = card.lowest_index().map_or(NO_GIFT, |index| index as u8);
        self.hands[at(seat)] = self.hands[at(seat)].minus(card);
        if place == 2 {
            self.awaited &= !(1 << at(seat));
            if self.awaited == 0 {
                self.exchange();
            }
        }
    }

    /// Exchanges the given cards, and gives the lead to the holder of the Mah Jong.
    fn exchange(&mut self) {
        for seat in 0..SEATS {
            for (place, other) in [(2, seat + 1), (1, seat + 2), (0, seat + 3)] {
                self.hands[at(seat)] = self.hands[at(seat)].union(gift(self.given[at(other)][place]));
            }
            let hand = self.hands[at(seat)];
            self.callers |= Seats::from(self.calls[at(seat)] == 0) << seat;
            self.bombers |= Seats::from(Hand::of(hand).has_bomb()) << seat;
            if hand.contains(Cards::MAH_JONG) {
                self.ask(seat);
            }
        }
        self.phase = Phase::Play;
    }

    const fn ask(&mut self, seat: u8) {
        self.turn = seat;
        self.awaited = 1 << at(seat);
    }

    /// Lays cards.
    pub(super) fn lay(&mut self, seat: u8, cards: Cards, code: u8) {
        let bit = 1 << at(seat);
        let hand = self.hands[at(seat)].minus(cards);
        self.hands[at(seat)] = hand;
        self.laid[at(seat)] = self.laid[at(seat)].union(cards);
        self.trick = self.trick.union(cards);
        self.callers &= !bit;
        if self.bombers & bit != 0 && !Hand::of(hand).has_bomb() {
            self.bombers ^= bit;
        }
        if self.wish != 0 && !cards.intersection(Cards::of_value(self.wish)).is_empty() {
            self.wish = 0;
        }
        self.owner = seat;
        if cards.mask() != Cards::PHOENIX.mask() {
            self.top = code;
        } else if self.top == LEAD {
            self.top = LED_PHOENIX;
        }
        if hand.is_empty() && self.finish(seat) {
            return;
        }
        if code == DOG {
            self.top = LEAD;
            self.owner = NOBODY;
            let partner = (seat + 2) % SEATS;
            self.ask(if self.alive >> partner & 1 == 1 { partner } else { next(self.alive, partner) });
        } else if cards.contains(Cards::MAH_JONG) {
            self.phase = Phase::Wish;
            self.ask(seat);
        } else {
            self.phase = Phase::Play;
            self.ask(next(self.alive, seat));
        }
    }

    /// Records that a seat has laid its last card; returns whether the round is decided.
    fn finish(&mut self, seat: u8) -> bool {
        self.alive &= !(1 << at(seat));
        if self.winner == NOBODY {
            self.winner = seat;
            self.callers = 0;
        }
        if self.alive.is_power_of_two() {
            self.loser = next(self.alive, seat);
            self.bombers = 0;
            if self.top == LYING_DRAGON {
                self.phase = Phase::Dragon;
                self.ask(seat);
            } else {
                self.collect(seat);
                self.end();
            }
            return true;
        }
        if TEAMS.contains(&self.alive) {
            self.collect(seat);
            self.end();
            return true;
        }
        false
    }

    /// Passes.
    pub(super) const fn pass(&mut self, seat: u8) {
        let asked = next(self.alive | 1 << at(self.owner), seat);
        if asked == self.owner && self.top == LYING_DRAGON {
            self.phase = Phase::Dragon;
        }
        self.ask(asked);
    }

    /// Wishes for a value.
    pub(super) const fn make_wish(&mut self, seat: u8, value: u8) {
        self.wish = value;
        self.phase = Phase::Play;
        self.ask(next(self.alive, seat));
    }

    /// Calls small Tichu.
    pub(super) const fn call(&mut self, seat: u8) {
        self.callers &= !(1 << at(seat));
        self.calls[at(seat)] = 1;
    }

    /// Collects the trick and leads.
    pub(super) fn take(&mut self, seat: u8) {
        self.collect(seat);
        self.lead(seat);
    }

    /// Collects the trick won with the dragon for an opponent.
    pub(super) fn give_dragon(&mut self, seat: u8, recipient: u8) {
        self.collect(recipient);
        if self.loser == NOBODY {
            self.phase = Phase::Play;
            self.lead(seat);
        } else {
            self.end();
        }
    }

    /// Gives the lead to the seat that took a trick, or to the next one with cards.
    const fn lead(&mut self, seat: u8) {
        self.ask(if self.alive >> seat & 1 == 1 { seat } else { next(self.alive, seat) });
    }

    fn collect(&mut self, taker: u8) {
        self.points[at(taker)] += self.trick.points() as i16;
        self.trick = Cards::EMPTY;
        self.top = LEAD;
        self.owner = NOBODY;
    }

    /// Scores the round.
    fn end(&mut self) {
        let (winner, loser) = (self.winner, self.loser);
        if loser == NOBODY {
            self.points = [0; 4];
            self.points[at(winner)] = 200;
        } else {
            self.points[at(winner)] += self.points[at(loser)];
            self.points[at(loser)] = 0;
            self.points[at(loser + 1)] += self.hands[at(loser)].points() as i16;
        }
        for seat in 0..SEATS {
            let call = 100 * i16::from(self.calls[at(seat)]);
            self.points[at(seat)] += if seat == winner { call } else { -call };
        }
        self.phase = Phase::Over;
        self.awaited = 0;
        self.turn = NOBODY;
        self.callers = 0;
        self.bombers = 0;
    }
}

/// The code of the dog.
pub(super) const DOG: u8 = Combination::DOG.place();

/// Returns whether a code is that of a bomb.
#[must_use]
pub const fn is_bomb(code: u8) -> bool {
    (code as usize) < BOMBS
}
