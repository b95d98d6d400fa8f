//! The redeal of everything that a seat does not know about a round, consistent with its knowledge.
//!
//! The seat knows its own cards, all cards laid, the number of cards of each seat, the cards that it gave away and
//! where they must still be, the holder of the Mah Jong, and, by the [`Evidence`], the seats that could not fulfil the
//! wish.

use super::cards::{Cards, DECK_SIZE};
use super::combinations::{ALL, Combination, Kind};
use super::hand::{Hand, Wish};
use super::moves::{Move, Verb};
use super::position::Impossible;
use super::round::{NO_GIFT, NOBODY, Phase, Round, SEATS, Seats, at, gift, is_bomb};
use crate::random::Random;

/// The rate at which people call Grand Tichu; an unseen decision is drawn with it.
pub const GRAND_RATE: f64 = 0.08;

/// A seat in turn did not fulfil the wish, so it could not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missed {
    /// The seat.
    pub seat: u8,
    /// The code of the combination to beat.
    pub top: u8,
    /// All cards laid before.
    pub played: Cards,
}

/// A play or a pass: the seat, and the code of its combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The seat.
    pub seat: u8,
    /// The code.
    pub code: u8,
}

/// Evidence about the hands of others from their moves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The value wished for in this round; 0 for none.
    pub wished: u8,
    /// The seats that hold no card of the wished value: they could have laid it alone and did not.
    pub void: Seats,
    /// The seats that did not fulfil the wish on anything but a lower single card.
    pub missed: Vec<Missed>,
    /// The tricks so far, those without a turn left out.
    pub tricks: Vec<Vec<Turn>>,
}

impl Evidence {
    /// Creates evidence that was recorded elsewhere.
    ///
    /// # Errors
    /// It contains an invalid wish, seat or combination.
    pub fn new(wished: u8, void: Seats, missed: Vec<Missed>, tricks: Vec<Vec<Turn>>) -> Result<Self, Impossible> {
        if wished == 1 || wished > 14 {
            return Err(Impossible::Wish(wished));
        }
        for &Missed { seat, top, .. } in &missed {
            if seat >= SEATS {
                return Err(Impossible::Seat("one that could not fulfil the wish", seat));
            }
            if usize::from(top) >= ALL.len() {
                return Err(Impossible::Top(top));
            }
        }
        for &Turn { seat, code } in tricks.iter().flatten() {
            if seat >= SEATS {
                return Err(Impossible::Seat("one that had a turn", seat));
            }
            if usize::from(code) >= ALL.len() {
                return Err(Impossible::Top(code));
            }
        }
        Ok(Self { wished, void, missed, tricks })
    }

    /// Verifies that it is evidence of this round, so that redeals are possible.
    ///
    /// # Errors
    /// A seat could have fulfilled the wish.
    pub fn check(&self, round: &Round) -> Result<(), Impossible> {
        let could = |missed: &&Missed| !self.explains(missed, round, &round.hands);
        self.missed.iter().find(could).map_or(Ok(()), |missed| Err(Impossible::Missed(missed.seat)))
    }

    /// Records the evidence of a move that is about to be made.
    pub fn note(&mut self, round: &Round, seat: u8, chosen: Move) {
        self.note_turn(round, seat, chosen);
        if chosen.verb() == Verb::Wish {
            self.wished = chosen.operand();
        }
        let tells = match chosen.verb() {
            Verb::Pass => true,
            Verb::Play => {
                !is_bomb(chosen.code()) && chosen.cards().intersection(Cards::of_value(round.wish)).is_empty()
            }
            _ => false,
        };
        if !tells || round.wish == 0 {
            return;
        }
        let top = ALL[usize::from(round.top)];
        let alone = top == Combination::PASS || (top.kind == Kind::Single && top.rank < round.wish);
        if alone {
            self.void |= 1 << at(seat);
        } else {
            self.missed.push(Missed { seat, top: round.top, played: round.played() });
        }
    }

    fn note_turn(&mut self, round: &Round, seat: u8, chosen: Move) {
        if chosen.verb() != Verb::Play && (chosen.verb() != Verb::Pass || round.phase != Phase::Play) {
            return;
        }
        if round.trick.is_empty() {
            self.tricks.push(Vec::new());
        }
        if let Some(trick) = self.tricks.last_mut() {
            trick.push(Turn { seat, code: chosen.code() });
        }
    }

    /// Returns whether, with these hands, the others could not fulfil the wish when they did not.
    fn allows(&self, round: &Round, hands: &[Cards; 4], seat: u8) -> bool {
        self.missed.iter().filter(|missed| missed.seat != seat).all(|missed| self.explains(missed, round, hands))
    }

    /// Returns whether, with these hands, a seat could not fulfil the wish when it did not.
    fn explains(&self, missed: &Missed, round: &Round, hands: &[Cards; 4]) -> bool {
        let wish = Wish::new(self.wished.into()).unwrap_or_default();
        let since = round.laid[at(missed.seat)].minus(missed.played);
        let then = Hand::of(hands[at(missed.seat)].union(since));
        !then.must_fulfil(ALL[usize::from(missed.top)], wish)
    }
}

impl Round {
    /// Draws another round that this seat cannot distinguish from this one, uniformly.
    #[must_use]
    pub fn redeal(&self, seat: u8, evidence: &Evidence, random: &mut Random) -> Self {
        let mut other = *self;
        match self.phase {
            Phase::Grand => other.redeal_eight(seat, random),
            Phase::Schupf => other.redeal_schupf(seat, random),
            Phase::Over => {}
            _ => return self.with_hands(seat, self.redeal_hands(seat, evidence, random), random),
        }
        other
    }

    /// Returns whether a seat sees the hands of the others: it has no cards, and does not owe a wish.
    fn sees_all(&self, seat: u8) -> bool {
        self.hands[at(seat)].is_empty() && !(self.phase == Phase::Wish && self.turn == seat)
    }

    fn redeal_eight(&mut self, seat: u8, random: &mut Random) {
        let mut stock = Stock::new(Cards::DECK.minus(self.hands[at(seat)]));
        for other in others(seat) {
            self.hands[at(other)] = stock.take(8, random);
            if self.awaited >> other & 1 == 0 {
                self.calls[at(other)] = if random.unit() < GRAND_RATE { 2 } else { 0 };
            }
        }
        for rest in &mut self.rest {
            *rest = stock.take(6, random);
        }
    }

    fn redeal_schupf(&mut self, seat: u8, random: &mut Random) {
        let own = self.given[at(seat)].into_iter().map(gift).fold(self.hands[at(seat)], Cards::union);
        let mut stock = Stock::new(Cards::DECK.minus(own));
        for other in others(seat) {
            for index in self.given[at(other)].iter_mut().filter(|index| **index != NO_GIFT) {
                *index = stock.next(random);
            }
            self.hands[at(other)] = stock.take(self.hands[at(other)].len() as usize, random);
        }
    }

    /// Draws hands that the seat cannot distinguish from these, within tricks, uniformly.
    pub(super) fn redeal_hands(&self, seat: u8, evidence: &Evidence, random: &mut Random) -> [Cards; 4] {
        if self.sees_all(seat) {
            return self.hands;
        }
        loop {
            let hands = self.deal_hidden(seat, evidence, random);
            // Rejection sampling: each deal that fits the wish as well stays equally likely.
            if evidence.allows(self, &hands, seat) {
                return hands;
            }
        }
    }

    /// Returns the round with hands that the seat drew, and draws what depends on them.
    pub(super) fn with_hands(&self, seat: u8, hands: [Cards; 4], random: &mut Random) -> Self {
        let mut other = *self;
        if self.sees_all(seat) {
            return other;
        }
        other.hands = hands;
        if self.loser == NOBODY {
            other.bombers = (0..SEATS).map(|seat| Seats::from(Hand::of(hands[at(seat)]).has_bomb()) << seat).sum();
        }
        other.redraw_gifts(seat, random);
        other
    }

    /// Returns the hands with the cards redealt that a seat does not see, consistent with everything except the cards
    /// laid under the wish.
    fn deal_hidden(&self, seat: u8, evidence: &Evidence, random: &mut Random) -> [Cards; 4] {
        let mut dealing = Dealing::new(self, seat);
        for (other, index) in others(seat).zip(self.given[at(seat)]) {
            dealing.put(gift(index), other);
        }
        if let Some(holder) = others(seat).find(|&other| self.hands[at(other)].contains(Cards::MAH_JONG)) {
            dealing.put(Cards::MAH_JONG, holder);
        }
        if evidence.void != 0 {
            dealing.spread(evidence, random);
        }
        dealing.finish(random)
    }

    /// Draws anew the cards that the others received from each other.
    fn redraw_gifts(&mut self, seat: u8, random: &mut Random) {
        for (receiver, place) in others(seat).zip(0..) {
            let had = self.hands[at(receiver)].union(self.laid[at(receiver)]);
            let mut stock = Stock::new(had.minus(gift(self.given[at(seat)][place])));
            for step in 1..SEATS {
                let giver = (receiver + step) % SEATS;
                if giver != seat {
                    self.given[at(giver)][usize::from(SEATS - 1 - step)] = stock.next(random);
                }
            }
        }
    }
}

/// The hands during the redeal of the cards that a seat does not see.
struct Dealing {
    seat: u8,
    hands: [Cards; 4],
    room: [u32; 4],
    unseen: Cards,
}

impl Dealing {
    fn new(round: &Round, seat: u8) -> Self {
        let mut hands = [Cards::EMPTY; 4];
        hands[at(seat)] = round.hands[at(seat)];
        let unseen = others(seat).fold(Cards::EMPTY, |cards, other| cards.union(round.hands[at(other)]));
        Self { seat, hands, room: round.hands.map(Cards::len), unseen }
    }

    /// Gives a card to a seat, unless it is dealt already or was laid.
    fn put(&mut self, card: Cards, seat: u8) {
        if self.unseen.contains(card) {
            self.unseen = self.unseen.minus(card);
            self.hands[at(seat)] = self.hands[at(seat)].union(card);
            self.room[at(seat)] -= 1;
        }
    }

    /// Deals the wished value to the seats that may hold it, with all their free places equally likely.
    fn spread(&mut self, evidence: &Evidence, random: &mut Random) {
        for card in self.unseen.intersection(Cards::of_value(evidence.wished)).iter() {
            let may_hold = |other: &u8| evidence.void >> other & 1 == 0;
            let free: u32 = others(self.seat).filter(may_hold).map(|other| self.room[at(other)]).sum();
            let mut place = random.below(free.into()) as u32;
            for other in others(self.seat).filter(may_hold) {
                if place < self.room[at(other)] {
                    self.put(card, other);
                    break;
                }
                place -= self.room[at(other)];
            }
        }
    }

    /// Deals the rest.
    fn finish(mut self, random: &mut Random) -> [Cards; 4] {
        let mut stock = Stock::new(self.unseen);
        for other in others(self.seat) {
            let cards = stock.take(self.room[at(other)] as usize, random);
            self.hands[at(other)] = self.hands[at(other)].union(cards);
        }
        self.hands
    }
}

/// Returns the other seats in the order of play.
fn others(seat: u8) -> impl Iterator<Item = u8> {
    (1..SEATS).map(move |step| (seat + step) % SEATS)
}

/// Cards to be drawn one by one.
struct Stock {
    places: [u8; DECK_SIZE as usize],
    left: usize,
}

impl Stock {
    fn new(cards: Cards) -> Self {
        let mut places = [0; DECK_SIZE as usize];
        let mut rest = cards.mask();
        let mut left = 0;
        while rest != 0 {
            places[left] = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            left += 1;
        }
        Self { places, left }
    }

    /// Returns the index in the deck of the next card; an index beyond the deck if there is none.
    fn next(&mut self, random: &mut Random) -> u8 {
        let Some(last) = self.left.checked_sub(1) else { return u8::MAX };
        self.left = last;
        self.places.swap(last, random.below(last as u64 + 1) as usize);
        self.places[last]
    }

    /// Returns this number of cards, or fewer if there are not enough.
    fn take(&mut self, count: usize, random: &mut Random) -> Cards {
        (0..count.min(self.left)).fold(Cards::EMPTY, |cards, _| cards.union(Cards::at(self.next(random).into())))
    }
}
