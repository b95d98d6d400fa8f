//! The agent `rule`: it splits its hand into as few combinations as possible, sheds the low ones first and keeps the high
//! ones.
//!
//! The agent in Python defines the rules and says why; tests hold this twin to it, decision by decision.

use crate::random::Random;
use crate::simulation::{Game as _, Policy};
use crate::tichu::cards::{ACE, Cards, DOG_VALUE, DRAGON_VALUE, LOWEST, PHOENIX_VALUE};
use crate::tichu::combinations::{ALL, Combination, Kind};
use crate::tichu::game::Tichu;
use crate::tichu::hand::Hand;
use crate::tichu::moves::Move;
use crate::tichu::partitions::{fewest, fewest_after};
use crate::tichu::plays::{Play, put_safest_first};
use crate::tichu::policies::Sight;
use crate::tichu::round::{LEAD, NOBODY, Phase};

/// The required worth of the first eight cards for Grand Tichu: that of the dragon and the phoenix.
const GRAND_WORTH: i32 = 7;
/// The cards that opponents never get.
const KEPT: Cards =
    Cards::of_value(ACE).union(Cards::DRAGON).union(Cards::PHOENIX).union(Cards::MAH_JONG).union(Cards::DOG);
/// A hand is strong from the first worth, and weak up to the second.
const STRONG: i32 = 6;
const WEAK: i32 = 2;
/// Small Tichu is called only while each opponent still holds at least this number of cards.
const EARLY: u32 = 8;
/// The points from which a trick is worth a high card, and a bomb.
const RICH: i32 = 15;
const BOMB_RICH: i32 = 25;
/// A player with at most this number of cards is about to finish.
const FEW: u32 = 3;
/// The highest rank that may be laid on the partner's card.
const JACK: u8 = 11;

/// Plays by fixed rules.
#[derive(Debug, Default)]
pub struct RuleAgent {
    /// The hand that was split last, and its combinations.
    split: (Cards, Vec<Play>),
    /// The cards that are still to be given away, the next one last.
    aside: Vec<Cards>,
    /// Memory for what may be laid.
    plays: Vec<Play>,
}

impl Policy<Tichu> for RuleAgent {
    fn start(&mut self, _: Random) {
        *self = Self::default();
    }

    fn act(&mut self, game: &Tichu, seat: usize, must: bool) -> Option<Move> {
        let sight = Sight { round: game.round(), seat: seat as u8 };
        if must { Some(self.decide(&sight)) } else { self.interrupt(&sight) }
    }
}

impl RuleAgent {
    /// Returns the move of an awaited seat.
    fn decide(&mut self, sight: &Sight<'_>) -> Move {
        if let Some(chosen) = sight.routine() {
            return chosen;
        }
        match sight.round.phase {
            Phase::Grand if worth(sight.hand()) >= GRAND_WORTH => Move::GRAND,
            Phase::Grand => Move::PASS,
            Phase::Schupf => Move::give(self.give(sight)),
            _ if sight.round.may_call(sight.seat) && self.calls(sight) => Move::TICHU,
            _ => self.listed(
                |plays| sight.plays(plays),
                |agent, plays| match *plays {
                    [only] => Move::play(only),
                    _ => Move::play(agent.lay(sight, plays)),
                },
            ),
        }
    }

    /// Returns the bomb that a seat throws out of turn, if any.
    fn interrupt(&mut self, sight: &Sight<'_>) -> Option<Move> {
        if !sight.round.may_bomb(sight.seat) {
            return None;
        }
        let list = |bombs: &mut Vec<Play>| {
            sight.bombs(bombs);
            put_safest_first(bombs);
        };
        self.listed(list, |agent, bombs| {
            let &safest = bombs.first()?;
            agent.bombs_now(sight).then_some(Move::play(safest))
        })
    }

    /// Calls a function with what is listed.
    fn listed<T>(&mut self, list: impl FnOnce(&mut Vec<Play>), choose: impl FnOnce(&mut Self, &[Play]) -> T) -> T {
        let mut plays = std::mem::take(&mut self.plays);
        list(&mut plays);
        let chosen = choose(self, &plays);
        self.plays = plays;
        chosen
    }

    /// Returns whether the seat in turn calls small Tichu.
    fn calls(&mut self, sight: &Sight<'_>) -> bool {
        if sight.call(sight.partner()) != 0 || sight.count(sight.right()).min(sight.count(sight.left())) < EARLY {
            return false;
        }
        let strength = worth(sight.hand());
        strength > WEAK && losers(self.parts(sight.hand())) <= i32::from(strength > WEAK + 1)
    }

    // --- the schupf
    // ---------------------------------------------------------------------------------------------------

    /// Returns the next card to give away.
    fn give(&mut self, sight: &Sight<'_>) -> Cards {
        let given = sight.round.count_gifts(sight.seat);
        let planned = self.aside.iter().fold(Cards::EMPTY, |cards, &card| cards.union(card));
        if given == 0 || self.aside.len() + given != 3 || !sight.hand().contains(planned) {
            // Who takes a seat over, or finds that another card was given, plans anew.
            self.aside = schupf(sight)[given.min(3)..].to_vec();
            self.aside.reverse();
        }
        self.aside.pop().unwrap_or_default()
    }

    // --- leading and following
    // ----------------------------------------------------------------------------------------

    /// Returns one of several legal plays, which are listed the safest first.
    fn lay(&mut self, sight: &Sight<'_>, plays: &[Play]) -> Play {
        let (hand, leads) = (sight.hand(), sight.round.top == LEAD);
        let parts = self.parts(hand);
        if parts.len() == 1
            && let Some(&last) = plays.iter().find(|play| play.cards() == hand)
        {
            return last;
        }
        let part = if leads { lead(sight, parts) } else { follow(sight, parts) };
        if let Some(&play) = part.and_then(|part| plays.iter().find(|play| play.cards() == part.cards())) {
            return play;
        }
        if plays[0] != Play::PASS {
            // The wish demands something else.
            return tidiest(hand, plays);
        }
        self.without_plan(sight, plays)
    }

    /// Passes, unless it is necessary to break the hand up or to throw a bomb.
    fn without_plan(&mut self, sight: &Sight<'_>, plays: &[Play]) -> Play {
        if sight.round.owner == sight.partner() {
            return Play::PASS;
        }
        if is_danger(sight) {
            let tidiest = tidiest(sight.hand(), &plays[1..]);
            if !tidiest.is_bomb() {
                return tidiest;
            }
        }
        match plays.last() {
            Some(&longest) if longest.is_bomb() && self.bombs_now(sight) => longest,
            _ => Play::PASS,
        }
    }

    /// Returns whether an opponent's trick is worth a bomb.
    fn bombs_now(&mut self, sight: &Sight<'_>) -> bool {
        if !sight.opponents_trick() {
            return false;
        }
        let (round, owner) = (sight.round, sight.round.owner);
        let count = sight.count(owner);
        (sight.call(owner) != 0 && round.winner == NOBODY && count <= 6)
            || count <= 1
            || round.trick.points() >= BOMB_RICH
            || self.parts(sight.hand()).len() <= FEW as usize
    }

    /// Splits a hand into as few combinations as possible.
    fn parts(&mut self, hand: Cards) -> &[Play] {
        let (before, parts) = &mut self.split;
        if *before != hand {
            // If one of the fewest combinations is laid, the remaining ones are again a partition into the fewest.
            let (gone, count) = (Cards::masked(before.mask() ^ hand.mask()), parts.len());
            parts.retain(|part| part.cards() != gone);
            if parts.len() == count {
                *parts = fewest(&Hand::of(hand));
            }
            *before = hand;
        }
        parts
    }
}

/// Returns one card each for the right opponent, the partner and the left opponent.
fn schupf(sight: &Sight<'_>) -> [Cards; 3] {
    let hand = sight.hand();
    let strength = worth(hand);
    let mut legal = Vec::new();
    sight.round.push_legal(sight.seat, &mut legal);
    let after = fewest_after(&Hand::of(hand), legal.iter().map(|each| each.cards())).unwrap_or_default();
    // Give away isolated cards first, the lowest among them first.
    let mut loose: Vec<(u32, Cards)> = after.into_iter().zip(legal.iter().map(|each| each.cards())).collect();
    let is_kept = |card: Cards| KEPT.contains(card);
    loose.retain(|&(_, card)| card != Cards::DOG);
    loose.sort_by_key(|&(after, card)| if is_kept(card) { u32::MAX } else { after });
    let mut rest: Vec<Cards> = loose.split_off(2).into_iter().map(|(_, card)| card).collect();
    rest.sort_unstable();
    let [one, mut other] = [loose[0].1, loose[1].1];
    if hand.contains(Cards::DOG) && (strength > WEAK || sight.call(sight.seat) != 0) {
        other = Cards::DOG;
    }
    let best = for_partner(sight, &rest, strength);
    // Odd values go to the right and even ones to the left, so that the partners never contribute to the same bomb.
    if one.lowest_value().unwrap_or_default() % 2 == 1 { [one, best, other] } else { [other, best, one] }
}

/// Returns the partner's card: the best after a partner's call, a good one from a weak hand, else a lower one.
fn for_partner(sight: &Sight<'_>, rest: &[Cards], strength: i32) -> Cards {
    let [mine, his] = [sight.seat, sight.partner()].map(|seat| sight.call(seat) != 0);
    let best = rest.last().copied().unwrap_or_default();
    if his && !mine {
        return best;
    }
    let top = match strength {
        _ if mine || strength >= STRONG => ACE - 2,
        ..=WEAK => ACE,
        _ => ACE - 1,
    };
    let spare = |&&card: &&Cards| Cards::MAH_JONG < card && card <= Cards::of_value(top);
    rest.iter().rev().find(spare).copied().unwrap_or(best)
}

/// Chooses what to lead.
fn lead(sight: &Sight<'_>, parts: &[Play]) -> Option<Play> {
    let partner = sight.partner();
    let called = sight.call(partner) != 0 && sight.count(partner) > 0;
    let is_dog = |part: &Play| part.cards() == Cards::DOG;
    let dog = parts.iter().copied().find(is_dog);
    let is_low = |part: &Play| !wins(*part) && !is_dog(part);
    let low = parts.iter().filter(|part| is_low(part)).count();
    if dog.is_some() && sight.count(partner) > 0 && (called || 2 * low > parts.len() + 1) {
        return dog;
    }
    if parts.len() == 2 {
        let sure = parts.iter().copied().find(|part| is_sure(*part, sight.unseen()));
        if sure.or(dog).is_some() {
            return sure.or(dog);
        }
    }
    let choice = || parts.iter().copied().filter(|part| if low > 0 { is_low(part) } else { !is_dog(part) });
    let is_single = |part: &Play| part.combination().kind == Kind::Single;
    if called && choice().next_back().is_some_and(|last| is_single(&last)) {
        return choice().filter(is_single).min_by_key(|part| rank(*part));
    }
    let nearest = sight.nearest();
    if nearest <= 2 {
        let is_safe = |part: &Play| !part.is_bomb() && part.cards().len() > nearest;
        let safe = parts.iter().copied().filter(is_safe).min_by_key(|part| rank(*part));
        // Of equal ones the first.
        let highest = || choice().collect::<Vec<_>>().into_iter().rev().max_by_key(|part| rank(*part));
        return safe.or_else(highest);
    }
    // Lower and longer combinations first.
    choice().min_by_key(|part| i32::from(rank(*part)) - part.cards().len().cast_signed())
}

/// Chooses a combination of the partition to lay on the trick, if any.
fn follow(sight: &Sight<'_>, parts: &[Play]) -> Option<Play> {
    let (round, top) = (sight.round, ALL[usize::from(sight.round.top)]);
    let fits = |part: &&Play| {
        let Combination { kind, length, rank } = part.combination();
        kind == top.kind && length == top.length && rank > top.rank && top.rank != DRAGON_VALUE
    };
    let fitting = || parts.iter().filter(fits).copied();
    let owner = round.owner;
    if owner == sight.partner() {
        if sight.call(owner) != 0 || sight.count(owner) <= FEW || top.length > 2 {
            return None;
        }
        return fitting().find(|part| rank(*part) <= JACK);
    }
    if let Some(ready) = fitting().find(|part| !wins(*part)) {
        return Some(ready);
    }
    let is_worth_it =
        || round.trick.points() >= RICH || is_danger(sight) || sight.call(sight.seat) != 0 || losers(parts) <= 1;
    fitting().next().filter(|_| is_worth_it())
}

/// Returns the play, other than passing, that leaves the hand in the fewest combinations.
fn tidiest(hand: Cards, plays: &[Play]) -> Play {
    let after = fewest_after(&Hand::of(hand), plays.iter().map(|play| play.cards())).unwrap_or_default();
    plays.iter().zip(after).min_by_key(|&(_, after)| after).map_or(Play::PASS, |(&play, _)| play)
}

/// Returns whether the owner of the trick may make their Tichu or is about to finish.
fn is_danger(sight: &Sight<'_>) -> bool {
    let owner = sight.round.owner;
    sight.count(owner) <= FEW || (sight.call(owner) != 0 && sight.round.winner == NOBODY)
}

/// Returns the worth of the high cards: 4 for the phoenix or a four of a kind, 3 the dragon, 1 an ace, −1 the dog.
fn worth(hand: Cards) -> i32 {
    let has = |card: Cards| i32::from(hand.contains(card));
    let fours: i32 = (LOWEST..=ACE).map(|value| i32::from(hand.count(value) == 4)).sum();
    4 * (has(Cards::PHOENIX) + fours) + 3 * has(Cards::DRAGON) + hand.count(ACE).cast_signed() - has(Cards::DOG)
}

/// Returns how many more combinations lose the lead than win it.
fn losers(parts: &[Play]) -> i32 {
    parts.iter().map(|part| if wins(*part) { -1 } else { 1 }).sum()
}

/// Returns whether a combination serves to win the lead: dragon, phoenix, ace, several kings or aces, a bomb.
fn wins(part: Play) -> bool {
    let Combination { kind, rank, .. } = part.combination();
    part.is_bomb() || rank >= ACE || (rank == ACE - 1 && kind != Kind::Single)
}

fn rank(part: Play) -> u8 {
    part.combination().rank
}

/// Returns whether a combination wins its trick when led, bombs aside, by a quick estimate.
fn is_sure(part: Play, unseen: Cards) -> bool {
    let Combination { kind, length, rank } = part.combination();
    match kind {
        Kind::Bomb => true,
        Kind::Single => match rank {
            DOG_VALUE | PHOENIX_VALUE => false,
            DRAGON_VALUE => true,
            _ => unseen.intersection(Cards::from_value(rank + 1)).is_empty(),
        },
        Kind::Pass | Kind::Pair | Kind::Triple => {
            let joker = u32::from(unseen.contains(Cards::PHOENIX));
            (rank + 1..=ACE).all(|value| unseen.count(value) + joker < length.into())
        }
        Kind::Stair | Kind::FullHouse | Kind::Street => rank == ACE,
    }
}
