//! The possible hidden cards, given everything that all seats have observed in the round.
//!
//! A player who draws had no fitting card; a player who passes after drawing did not draw one; and when the pile becomes
//! the stock, everybody has seen its cards. The choice between fitting cards is not interpreted.

use super::round::{Move, Round, SEATS};
use super::{SEVENS, cards};
use crate::simulation;

/// All cards.
const DECK: u32 = u32::MAX;

/// The possible cards of each hand and of the stock.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Possible {
    /// For each seat, a set of possible cards for each card that it holds, the oldest first.
    hands: [Vec<u32>; SEATS],
    /// The set of possible cards for each card of the stock.
    stock: u32,
}

impl Possible {
    /// Creates what is known: for each seat, a set of possible cards for each of its cards, the oldest first; and the set
    /// for each card of the stock.
    #[must_use]
    pub fn new(hands: Vec<Vec<u32>>, stock: u32) -> Self {
        let mut known = Self { stock, ..Self::default() };
        for (places, hand) in known.hands.iter_mut().zip(hands) {
            *places = hand;
        }
        known
    }

    /// Begins without any observations, unless there are some of this round already.
    fn begin(&mut self, round: &Round) {
        if self.stock == 0 {
            self.stock = DECK;
            for (seat, places) in self.hands.iter_mut().enumerate() {
                *places = vec![DECK; round.hands[seat].count_ones() as usize];
            }
        }
    }

    /// Records what a move shows that is about to be made.
    pub(super) fn note(&mut self, round: &Round, seat: usize, chosen: Move) {
        self.begin(round);
        match chosen {
            Move::Play(card) => self.lay(seat, card),
            Move::Finish => cards(round.hands[seat]).for_each(|card| self.lay(seat, card)),
            Move::Wish(_) => {}
            Move::Take(count) => self.take(round, seat, usize::from(count)),
        }
    }

    /// Returns the possible cards in each place that a seat does not see: those of the other hands, by seat, and then
    /// those of the stock.
    #[must_use]
    pub fn places(&self, round: &Round, seat: usize) -> Vec<u32> {
        let mut known = self.clone();
        known.begin(round);
        let others = known.hands.iter().enumerate().filter(|&(rival, _)| rival != seat);
        others
            .flat_map(|(_, places)| places.iter().copied())
            .chain(std::iter::repeat_n(known.stock, round.left))
            .collect()
    }

    /// Records that a seat shows that it has none of some cards.
    fn exclude(&mut self, seat: usize, cards: u32) {
        for possible in &mut self.hands[seat] {
            *possible &= !cards;
        }
    }

    /// Records that a seat lays a card.
    ///
    /// It may have been any entry for which this card is possible. The oldest such entry is removed: everything known of
    /// the others is known of it as well, so the true cards stay possible.
    fn lay(&mut self, seat: usize, card: u8) {
        let hand = &mut self.hands[seat];
        if let Some(place) = hand.iter().position(|possible| possible >> card & 1 == 1) {
            hand.remove(place);
        }
    }

    /// Records that a seat draws.
    fn take(&mut self, round: &Round, seat: usize, count: usize) {
        // A player who draws one card has none that fits; one who draws for sevens has no seven to answer.
        let lacks = match round.penalty {
            0 => round.fitting(DECK),
            _ if round.rules.stacking => SEVENS,
            _ => 0,
        };
        self.exclude(seat, lacks);
        let mut after = *round;
        simulation::Round::make(&mut after, seat, Move::Take(count as u8));
        let before_reshuffle = count.min(round.left);
        self.hands[seat].extend(std::iter::repeat_n(self.stock, before_reshuffle));
        if after.reshuffles > round.reshuffles {
            let seen = round.laid() & !(1 << round.top());
            (0..self.hands.len()).for_each(|seat| self.exclude(seat, seen));
            self.stock = seen;
        }
        let drawn = (after.hands[seat].count_ones() - round.hands[seat].count_ones()) as usize;
        self.hands[seat].extend(std::iter::repeat_n(self.stock, drawn - before_reshuffle));
        if round.penalty == 0 && drawn == count && round.rules.play_drawn {
            let fitting = after.fitting(DECK);
            if after.hands[seat] & fitting == 0 {
                self.exclude(seat, fitting);
            } else if let Some(last) = self.hands[seat].last_mut() {
                *last &= fitting;
            }
        }
    }
}
