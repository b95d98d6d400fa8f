//! The policy that plays any legal move, uniformly at random, without calls.

use super::Policy;
use crate::random::Random;
use crate::tichu::cards::{Cards, DRAGON_VALUE, PHOENIX_VALUE};
use crate::tichu::combinations::{ALL, Kind};
use crate::tichu::hand::{Hand, Wish};
use crate::tichu::moves::Move;
use crate::tichu::plays::Play;
use crate::tichu::round::{Phase, Round, SEATS, at};

/// It considers a bomb out of turn one time in this number.
const SPEAKS: u64 = 32;

/// The cards that beat a single card, by its rank; the phoenix is never the card to beat.
static HIGHER: [Cards; PHOENIX_VALUE as usize + 1] = higher();

const fn higher() -> [Cards; PHOENIX_VALUE as usize + 1] {
    let mut table = [Cards::EMPTY; PHOENIX_VALUE as usize + 1];
    let mut rank = 1;
    while rank < DRAGON_VALUE {
        table[rank as usize] = Cards::from_value(rank + 1);
        rank += 1;
    }
    table
}

/// Plays any legal move, uniformly at random, without calls.
#[derive(Debug, Default)]
pub struct RandomPolicy {
    plays: Vec<Play>,
}

impl Policy for RandomPolicy {
    fn decide(&mut self, round: &Round, seat: u8, random: &mut Random) -> Move {
        match round.phase {
            Phase::Play if round.owner == seat => self.collect(round, seat, [Move::TAKE; 2], random),
            Phase::Play => self.play(round, seat, random),
            Phase::Grand | Phase::Over => Move::PASS,
            Phase::Schupf => Move::give(any(round.hands[at(seat)].mask(), random)),
            Phase::Wish => Move::wish(2 + random.below(13) as u8),
            Phase::Dragon => {
                let sides = [Move::dragon((seat + 1) % SEATS), Move::dragon((seat + 3) % SEATS)];
                self.collect(round, seat, sides, random)
            }
        }
    }

    fn interrupt(&mut self, round: &Round, seat: u8, random: &mut Random) -> Option<Move> {
        if random.below(SPEAKS) != 0 {
            return None;
        }
        self.list_bombs(round, seat);
        let place = random.below(self.plays.len() as u64) as usize;
        self.plays.get(place).map(|&bomb| Move::play(bomb))
    }
}

impl RandomPolicy {
    fn list_bombs(&mut self, round: &Round, seat: u8) {
        self.plays.clear();
        Hand::of(round.hands[at(seat)]).push_bombs_on(ALL[usize::from(round.top)], &mut self.plays);
    }

    /// Collects the trick, unless it throws a bomb on it.
    fn collect(&mut self, round: &Round, seat: u8, ways: [Move; 2], random: &mut Random) -> Move {
        let count = if ways[0] == ways[1] { 1 } else { 2 };
        self.plays.clear();
        if round.may_bomb(seat) {
            self.list_bombs(round, seat);
        }
        let place = random.below((self.plays.len() + count) as u64) as usize;
        match place.checked_sub(count) {
            Some(bomb) => Move::play(self.plays[bomb]),
            None => ways[place],
        }
    }

    /// Lays cards or passes.
    fn play(&mut self, round: &Round, seat: u8, random: &mut Random) -> Move {
        let hand = round.hands[at(seat)];
        let top = ALL[usize::from(round.top)];
        let bound = round.wish != 0 && !hand.intersection(Cards::of_value(round.wish)).is_empty();
        if top.kind == Kind::Single && !bound && round.bombers >> seat & 1 == 0 {
            return single(hand, top.rank, random);
        }
        self.plays.clear();
        if top.kind == Kind::Pass && !bound {
            return self.lead(&Hand::of(hand), random);
        }
        let wish = if bound { Wish::new(round.wish.into()).unwrap_or_default() } else { Wish::NONE };
        Hand::of(hand).push_plays(top, wish, &mut self.plays);
        Move::play(self.plays[random.below(self.plays.len() as u64) as usize])
    }
}

impl RandomPolicy {
    /// Leads any combination; the most frequent kinds are counted and not listed.
    fn lead(&mut self, hand: &Hand, random: &mut Random) -> Move {
        let (singles, pairs, triples) = (hand.cards().len(), hand.count_pairs(), hand.count_triples());
        hand.push_long(&mut self.plays);
        let mut place = random.below(u64::from(singles + pairs + triples) + self.plays.len() as u64) as u32;
        if place < singles {
            return Move::play(Play::single(nth(hand.cards().mask(), place)));
        }
        place -= singles;
        if place < pairs + triples {
            self.plays.clear();
            if place < pairs {
                hand.push_pairs(u64::MAX, &mut self.plays);
            } else {
                place -= pairs;
                hand.push_triples(u64::MAX, &mut self.plays);
            }
        } else {
            place -= pairs + triples;
        }
        Move::play(self.plays[place as usize])
    }
}

/// Returns any higher single card, or a pass.
fn single(hand: Cards, rank: u8, random: &mut Random) -> Move {
    let higher = hand.intersection(HIGHER[usize::from(rank)]);
    let place = random.below(u64::from(higher.len()) + 1) as u32;
    if place == higher.len() { Move::PASS } else { Move::play(Play::single(nth(higher.mask(), place))) }
}

/// Returns any card of a mask.
fn any(mask: u64, random: &mut Random) -> Cards {
    nth(mask, random.below(mask.count_ones().into()) as u32)
}

/// Returns the card at an index of a mask, counted from the lowest.
fn nth(mut mask: u64, place: u32) -> Cards {
    for _ in 0..place {
        mask &= mask - 1;
    }
    Cards::at(mask.trailing_zeros())
}
