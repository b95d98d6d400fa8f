//! Tichu as arrays: the ids of moves, and what a seat knows as a row of small numbers.
//!
//! `python/tisch/games/tichu/encoding.py` defines and documents both; this is its fast twin for whole batches. A move is
//! one id; laying cards is the id of the combination and then, where several sets of cards form it, ids of cards.

use super::cards::{Cards, DECK_SIZE};
use super::combinations::ALL;
use super::game::Tichu;
use super::moves::{Move, PASS_CODE, Verb};
use super::round::{LEAD, NO_GIFT, NOBODY, Phase, Round, SEATS, at};
use crate::simulation::row::SPREAD;
use crate::simulation::{Encoded, Game as _};

/// The version of observations and ids.
pub const VERSION: u32 = 1;
/// The id of keeping silent.
pub const SILENCE: u16 = 0;
/// The first id of the combinations, in the order of their codes.
pub const COMBINATION: u16 = 1;
/// The first id of pass, Grand Tichu, small Tichu and take.
pub const CALL: u16 = COMBINATION + PASS_CODE as u16;
/// The first id of the wishes.
pub const WISH: u16 = CALL + 4;
/// The first id of giving the dragon away.
pub const DRAGON: u16 = WISH + 13;
/// The first id of the cards.
pub const CARD: u16 = DRAGON + 2;
/// The number of ids.
pub const ACTIONS: usize = CARD as usize + 56;

/// The numbers of cards in the sets at the start of an observation.
const SETS: usize = 14;
/// The elements after the sets that are zero or one.
const FLAGS: usize = 40;
/// The elements of an observation.
pub const SIZE: usize = SETS * 56 + FLAGS + 19;

/// What a seat knows.
pub type Row = [i8; SIZE];

/// The move that a seat is making: the combination that it has chosen, and the cards so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Partial {
    /// The code of the combination.
    pub combination: Option<u8>,
    /// The cards.
    pub cards: Cards,
}

impl Partial {
    /// Returns the next id of a move of a seat that begins like this.
    #[must_use]
    pub fn next(self, chosen: Move, seat: u8) -> u16 {
        if self.combination.is_some() {
            return card(chosen.cards().minus(self.cards));
        }
        match chosen.verb() {
            Verb::Play => COMBINATION + u16::from(chosen.code()),
            Verb::Pass => CALL,
            Verb::Grand => CALL + 1,
            Verb::Tichu => CALL + 2,
            Verb::Take => CALL + 3,
            Verb::Wish => WISH + u16::from(chosen.operand()) - 2,
            Verb::Dragon => DRAGON + u16::from(chosen.operand() != (seat + 1) % SEATS),
            Verb::Give => card(chosen.cards()),
        }
    }

    /// Returns this with one more id.
    #[must_use]
    pub fn with(self, id: u16) -> Self {
        if self.combination.is_some() {
            Self { cards: self.cards.union(Cards::at(u32::from(id - CARD))), ..self }
        } else {
            Self { combination: Some((id - COMBINATION) as u8), ..self }
        }
    }
}

impl Encoded for Tichu {
    type Partial = Partial;
    const VERSION: u32 = VERSION;
    const SIZE: usize = SIZE;
    const ACTIONS: usize = ACTIONS;
    const LONGEST: usize = 15;

    fn observe(&self, seat: usize, partial: Partial, row: &mut [i8]) {
        if let Some(row) = row.first_chunk_mut() {
            observe(self.round(), seat as u8, partial, self.scores(), row);
        }
    }

    fn next(partial: Partial, chosen: Move, seat: usize) -> u16 {
        partial.next(chosen, seat as u8)
    }

    fn with(partial: Partial, id: u16) -> Partial {
        partial.with(id)
    }

    fn path(chosen: Move, seat: usize, ids: &mut [i16]) {
        let mut partial = Partial::default();
        let cards = if chosen.verb() == Verb::Play { chosen.cards().len() as usize } else { 0 };
        for id in ids.iter_mut().take(1 + cards) {
            let next = partial.next(chosen, seat as u8);
            partial = partial.with(next);
            *id = next.cast_signed();
        }
    }

    fn shows(&self, _seat: usize, _other: usize, chosen: Move) -> bool {
        // Who calls Grand Tichu is told when all have decided; who gives which card, only to who gets it.
        chosen.verb() != Verb::Give && self.round().phase != Phase::Grand
    }
}

/// Returns the id of the lowest of some cards.
fn card(cards: Cards) -> u16 {
    CARD + cards.lowest_index().unwrap_or_default() as u16
}

/// Writes what a seat knows of a round.
///
/// `scores` are those of seats 0 and 2 and of seats 1 and 3 before the round.
pub fn observe(round: &Round, seat: u8, partial: Partial, scores: [i32; 2], row: &mut Row) {
    let (sets, rest) = row.split_at_mut(SETS * DECK_SIZE as usize);
    write_sets(round, seat, partial, sets.as_chunks_mut().0);
    let (flags, numbers) = rest.split_at_mut(FLAGS);
    for (word, byte) in flags.as_chunks_mut::<8>().0.iter_mut().zip(facts(round, seat).to_le_bytes()) {
        *word = SPREAD[usize::from(byte)];
    }
    numbers.copy_from_slice(&self::numbers(round, seat, partial, scores));
}

/// A set of cards, as zeros and ones.
type Set = [i8; DECK_SIZE as usize];

fn write_sets(round: &Round, seat: u8, partial: Partial, sets: &mut [Set]) {
    let places = around(seat).map(at);
    let [own, right, partner, left] = places;
    let [hand, played, laid_own, laid_right, laid_partner, laid_left, trick, gifts @ .., chosen] = sets else { return };
    write_set(hand, round.hands[own]);
    write_set(played, round.played());
    for (set, other) in [laid_own, laid_right, laid_partner, laid_left].into_iter().zip(places) {
        write_set(set, round.laid[other]);
    }
    write_set(trick, round.trick);
    let received = if round.phase.is_together() {
        [NO_GIFT; 3]
    } else {
        [round.given[right][2], round.given[partner][1], round.given[left][0]]
    };
    // These have at most one card, which most others have not.
    for (set, index) in gifts.iter_mut().zip(round.given[own].into_iter().chain(received)) {
        *set = [0; _];
        if let Some(card) = set.get_mut(usize::from(index)) {
            *card = 1;
        }
    }
    if partial.cards.is_empty() {
        *chosen = [0; _];
    } else {
        write_set(chosen, partial.cards);
    }
}

fn write_set(set: &mut Set, cards: Cards) {
    for (word, byte) in set.as_chunks_mut::<8>().0.iter_mut().zip(cards.mask().to_le_bytes()) {
        *word = SPREAD[usize::from(byte)];
    }
}

/// Returns the seats as one of them sees them: itself, the right opponent, the partner, the left opponent.
fn around(seat: u8) -> [u8; 4] {
    [seat % SEATS, (seat + 1) % SEATS, (seat + 2) % SEATS, (seat + 3) % SEATS]
}

/// Returns a set of seats as one seat sees it.
const fn turned(seats: u8, seat: u8) -> u64 {
    (((seats as u64) << 4 | seats as u64) >> (seat % SEATS)) & 0b1111
}

fn facts(round: &Round, seat: u8) -> u64 {
    let one = |other: u8| if other == NOBODY { 0 } else { 1 << at(other) };
    let callers = |call: u8| (0..SEATS).fold(0, |all, other| all | u8::from(round.calls[at(other)] == call) << other);
    let grand = if round.phase == Phase::Grand { callers(2) & one(seat) } else { callers(2) };
    let wished = round.phase != Phase::Wish && round.played().contains(Cards::MAH_JONG);
    let wish = if wished && round.wish != 0 { 1 << (round.wish - 2) } else { 0 };
    [
        (1_u64 << round.phase as u8, 6),
        (turned(round.awaited, seat), 4),
        (turned(one(round.owner), seat), 4),
        (turned(grand, seat), 4),
        (turned(callers(1), seat), 4),
        (turned(one(round.winner), seat), 4),
        (wish, 13),
        (u64::from(wished), 1),
    ]
    .into_iter()
    .rfold(0, |facts, (bits, width)| facts << width | bits)
}

fn numbers(round: &Round, seat: u8, partial: Partial, scores: [i32; 2]) -> [i8; 19] {
    let small = |number: i32| number.clamp(i8::MIN.into(), i8::MAX.into()) as i8;
    let combination = |code: u8| {
        let combination = ALL[usize::from(code)];
        [combination.kind as u8, combination.length, combination.rank].map(u8::cast_signed)
    };
    let held = |other: u8| {
        let kept = if round.phase == Phase::Schupf { round.count_gifts(other) % 3 } else { 0 };
        (round.hands[at(other)].len() as u8 + kept as u8).cast_signed()
    };
    let digits = |score: i32| [small(score.div_euclid(100)), score.rem_euclid(100) as i8];
    let seats = around(seat);
    let [one, two, three, four] = seats.map(held);
    let [kind, length, rank] = combination(round.top);
    let [chosen_kind, chosen_length, chosen_rank] = combination(partial.combination.unwrap_or(LEAD));
    let points = seats.map(|other| small(round.points[at(other)].into()));
    let [own, own_rest] = digits(scores[at(seat) % 2]);
    let [other, other_rest] = digits(scores[1 - at(seat) % 2]);
    [
        one,
        two,
        three,
        four,
        kind,
        length,
        rank,
        chosen_kind,
        chosen_length,
        chosen_rank,
        small(round.trick.points()),
        points[0],
        points[1],
        points[2],
        points[3],
        own,
        own_rest,
        other,
        other_rest,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tichu::deal::deal;

    #[test]
    fn the_ids_are_those_of_the_documentation() {
        assert_eq!((CALL, WISH, DRAGON, CARD, ACTIONS, SIZE), (227, 231, 244, 246, 302, 843));
    }

    #[test]
    fn a_seat_sees_its_hand_and_who_is_awaited() {
        let round = Round::deal(deal(1, 0));
        let mut row = [0; SIZE];
        observe(&round, 2, Partial::default(), [-105, 1250], &mut row);
        let held: Vec<u32> = (0..56).filter(|&card| row[card as usize] == 1).collect();
        let mut hand: Vec<u32> = round.hand(2).iter().filter_map(Cards::lowest_index).collect();
        hand.sort_unstable();
        assert_eq!(held, hand);
        assert_eq!(row[784..790], [1, 0, 0, 0, 0, 0]);
        assert_eq!(row[790..794], [1; 4]);
        assert_eq!(row[839..], [-2, 95, 12, 50]);
    }

    #[test]
    fn a_split_move_goes_on_with_its_next_card() {
        let chosen: Move = "play S7 B7".parse().unwrap();
        let head = Partial::default().next(chosen, 0);
        let partial = Partial::default().with(head);
        let [first, second] =
            [chosen.cards().lowest_index().unwrap(), 56 - 1 - chosen.cards().mask().leading_zeros() + 8];
        assert_eq!(partial.next(chosen, 0), CARD + first as u16);
        assert_eq!(partial.with(CARD + first as u16).next(chosen, 0), CARD + second as u16);
    }
}
