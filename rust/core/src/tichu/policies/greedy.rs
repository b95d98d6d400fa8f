//! The policy that sheds its lowest cards in the longest combination at hand, and never more than it must.
//!
//! It looks only at the counts of values and lists no combinations, so it is nearly as fast as random play.

use super::Policy;
use super::common::{Sight, lowest};
use crate::random::Random;
use crate::tichu::cards::{ACE, Cards};
use crate::tichu::combinations::{ALL, Combination, Kind};
use crate::tichu::hand::{Hand, Wish};
use crate::tichu::moves::Move;
use crate::tichu::plays::Play;
use crate::tichu::round::{LEAD, Phase, Round};
use crate::tichu::shape::{Shape, TO_FLAGS, bits, flag, lowest as lowest_value};

/// The rank from which a card is kept for a good trick.
const HIGH: u8 = 13;
/// The highest rank that may be laid on the partner's card.
const JACK: u8 = 11;
/// The points from which a trick is worth a high card, and a bomb.
const RICH: i32 = 10;
const BOMB_RICH: i32 = 25;
/// A player with at most this number of cards is about to finish.
const FEW: u32 = 4;

/// Sheds its lowest cards first.
#[derive(Debug, Default)]
pub struct GreedyPolicy {
    plays: Vec<Play>,
}

impl Policy for GreedyPolicy {
    fn decide(&mut self, round: &Round, seat: u8, _: &mut Random) -> Move {
        let sight = Sight { round, seat };
        if let Some(chosen) = sight.routine() {
            return chosen;
        }
        match round.phase {
            Phase::Grand => Move::PASS,
            Phase::Schupf => give(&sight),
            _ if round.wish != 0 && !sight.hand().intersection(Cards::of_value(round.wish)).is_empty() => {
                self.under_wish(&sight)
            }
            _ if round.top == LEAD => Move::play(lead(&sight)),
            _ => self.follow(&sight),
        }
    }

    fn interrupt(&mut self, round: &Round, seat: u8, _: &mut Random) -> Option<Move> {
        self.bomb(&Sight { round, seat })
    }
}

impl GreedyPolicy {
    /// Returns the lowest legal move under a wish, which the hand may have to fulfil.
    fn under_wish(&mut self, sight: &Sight<'_>) -> Move {
        let wish = Wish::new(sight.round.wish.into()).unwrap_or_default();
        self.plays.clear();
        Hand::of(sight.hand()).push_plays(ALL[usize::from(sight.round.top)], wish, &mut self.plays);
        let cost = |play: &&Play| (play.is_bomb(), play.combination().rank, play.cards());
        Move::play(self.plays.iter().min_by_key(cost).copied().unwrap_or(Play::PASS))
    }

    fn follow(&mut self, sight: &Sight<'_>) -> Move {
        let top = ALL[usize::from(sight.round.top)];
        let play = match top.kind {
            Kind::Single => single(sight, top.rank),
            Kind::Pair | Kind::Triple => alike(sight, top),
            _ => self.long(sight, top),
        };
        play.map(Move::play).or_else(|| self.bomb(sight)).unwrap_or(Move::PASS)
    }

    /// Returns the lowest longer combination, which is rare, unless the trick is the partner's.
    fn long(&mut self, sight: &Sight<'_>, top: Combination) -> Option<Play> {
        if !sight.opponents_trick() {
            return None;
        }
        self.plays.clear();
        Hand::of(sight.hand()).push_plays(top, Wish::NONE, &mut self.plays);
        let fits = |play: &&Play| !play.is_bomb() && **play != Play::PASS;
        self.plays.iter().filter(fits).min_by_key(|play| (play.combination().rank, play.cards())).copied()
    }

    /// Returns the lowest bomb, if an opponent's trick is worth it.
    fn bomb(&mut self, sight: &Sight<'_>) -> Option<Move> {
        if !sight.opponents_trick() || !sight.round.may_bomb(sight.seat) {
            return None;
        }
        let owner = sight.round.owner;
        let danger = sight.count(owner) < FEW || sight.call(owner) != 0;
        if !danger && sight.round.trick.points() < BOMB_RICH {
            return None;
        }
        sight.bombs(&mut self.plays);
        self.plays.last().map(|&bomb| Move::play(bomb))
    }
}

/// Returns whether an opponent's trick is worth a high card.
fn worth_high(sight: &Sight<'_>) -> bool {
    sight.round.trick.points() >= RICH || sight.nearest() <= FEW || sight.hand().len() <= 2 * FEW
}

/// Returns the lowest isolated single card, if it is not too good.
fn single(sight: &Sight<'_>, rank: u8) -> Option<Play> {
    let hand = sight.hand();
    let most = if !sight.opponents_trick() {
        if sight.count(sight.partner()) < FEW || sight.call(sight.partner()) != 0 {
            return None;
        }
        JACK
    } else if worth_high(sight) {
        Cards::PHOENIX.lowest_value()?
    } else {
        HIGH
    };
    let shape = Shape::of(hand);
    // The flag of a value is one of its cards shifted; a card without a pair is isolated, and aces always are.
    let alone = (shape.ones & !shape.pairs) | (shape.ones & flag(ACE));
    let suited = hand.intersection(Cards::SUITED).intersection(Cards::masked((alone * 0b1111) >> TO_FLAGS));
    let special = hand.intersection(Cards::DRAGON.union(if rank < 15 { Cards::PHOENIX } else { Cards::EMPTY }));
    let higher = if rank < ACE { suited.intersection(Cards::from_value(rank + 1)) } else { Cards::EMPTY };
    let higher = higher.union(if rank < 15 { special } else { Cards::EMPTY });
    let card = lowest(higher, 1);
    let value = card.lowest_value()?;
    (value <= most).then(|| Play::single(card))
}

/// Returns the lowest pair or triple that is exactly that.
fn alike(sight: &Sight<'_>, top: Combination) -> Option<Play> {
    let shape = Shape::of(sight.hand());
    let natural = match top.kind {
        Kind::Pair => shape.pairs & !shape.triples,
        _ => shape.triples & !shape.fours,
    };
    let higher = natural & !(flag(top.rank) * 2 - 1);
    let value = if higher == 0 { return None } else { lowest_value(higher) };
    let most = match (sight.opponents_trick(), worth_high(sight)) {
        (false, _) => JACK,
        (true, false) => HIGH,
        (true, true) => ACE,
    };
    (value <= most).then(|| Play::of(sight.hand().intersection(Cards::of_value(value)))).flatten()
}

/// Returns the longest combination with the lowest card, or the highest card if an opponent would finish on a low one.
fn lead(sight: &Sight<'_>) -> Play {
    let hand = sight.hand();
    if let Some(all) = Play::of(hand) {
        return all;
    }
    if hand.contains(Cards::DOG) && sight.count(sight.partner()) > 0 {
        return Play::single(Cards::DOG);
    }
    let (hand, nearest) = (hand.minus(Cards::DOG), sight.nearest());
    let shape = Shape::of(hand);
    let Some(index) = hand.lowest_index() else { return Play::single(Cards::DOG) };
    let low = Cards::at(index);
    if shape.ones == 0 {
        return Play::single(low);
    }
    let bottom = lowest_value(shape.ones);
    let cards =
        street(hand, shape, bottom).or_else(|| stair(hand, shape, bottom)).unwrap_or_else(|| set(hand, shape, bottom));
    if cards.len() == 1 && nearest == 1 {
        let highest = hand.iter().next().unwrap_or(low);
        return Play::single(highest);
    }
    Play::of(cards).unwrap_or_else(|| Play::single(low))
}

/// Returns the street from the lowest value on, if most of its values are single cards.
fn street(hand: Cards, shape: Shape, bottom: u8) -> Option<Cards> {
    let run = run(shape.ones, bottom);
    let flags = bits(shape.ones & (flag(bottom + run - 1) * 2 - 1));
    let broken = shape.pairs & (flag(bottom + run - 1) * 2 - 1);
    if run < 5 || broken.count_ones() > 2 {
        return None;
    }
    Some(
        flags.fold(Cards::EMPTY, |all, value| {
            all.union(lowest(hand.intersection(Cards::of_value(lowest_value(value))), 1))
        }),
    )
}

/// Returns the stair from the lowest value on.
fn stair(hand: Cards, shape: Shape, bottom: u8) -> Option<Cards> {
    let natural = shape.pairs & !shape.triples;
    let run = run(natural, bottom);
    let take = |all: Cards, value: u8| all.union(hand.intersection(Cards::of_value(value)));
    (run >= 2).then(|| (bottom..bottom + run).fold(Cards::EMPTY, take))
}

/// Returns the cards of the lowest value, with a low triple or pair if that makes a full house.
fn set(hand: Cards, shape: Shape, bottom: u8) -> Cards {
    let cards = hand.intersection(Cards::of_value(bottom));
    let others = match cards.len() {
        2 => shape.triples & !shape.fours,
        3 => shape.pairs & !shape.triples,
        _ => 0,
    };
    let other = if others == 0 { ACE } else { lowest_value(others) };
    if other < HIGH { cards.union(hand.intersection(Cards::of_value(other))) } else { cards }
}

/// Returns the number of values from one on without a gap.
fn run(flags: u64, bottom: u8) -> u8 {
    (bottom..=ACE).take_while(|&value| flags & flag(value) != 0).count() as u8
}

/// Gives the two lowest isolated cards to the opponents, and the second-best suited card to the partner.
fn give(sight: &Sight<'_>) -> Move {
    let (round, hand) = (sight.round, sight.hand());
    let shape = Shape::of(hand);
    let suited = hand.intersection(Cards::SUITED);
    let alone = suited.intersection(Cards::masked(((shape.ones & !shape.pairs) * 0b1111) >> TO_FLAGS));
    let pick = |from: Cards| lowest(if from.is_empty() { hand } else { from }, 1);
    let loose = if alone.is_empty() { suited } else { alone };
    Move::give(match round.count_gifts(sight.seat) {
        1 => pick(suited.iter().find(|card| card.lowest_value() < Some(ACE)).unwrap_or(Cards::EMPTY)),
        _ => pick(loose),
    })
}
