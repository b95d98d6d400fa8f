//! The heuristic agent: it makes the move with the best balance of winning chances and remaining hand.
//!
//! The constants, here and in `weighing` and `appraisal`, were found by playing many thousand deals.

use super::Policy;
use super::appraisal::Appraisal;
use super::calls::Calls;
use super::common::{Sight, sides};
use super::style::Style;
use super::weighing::{Known, Stakes};
use crate::random::Random;
use crate::tichu::cards::{ACE, Cards, LOWEST, PHOENIX_VALUE};
use crate::tichu::combinations::{Combination, Kind};
use crate::tichu::hand::HAND_SIZE;
use crate::tichu::moves::{Move, Verb};
use crate::tichu::plays::{Play, put_safest_first};
use crate::tichu::round::{Phase, Round};

// --- calls ---
/// The contribution of each of the first eight cards to Grand Tichu, in thousandths of a logit of finishing first.
const GRAND_DRAGON: i32 = 770;
const GRAND_PHOENIX: i32 = 1020;
/// The contribution of an ace.
pub const GRAND_ACE: i32 = 250;
const GRAND_KING: i32 = 30;
const GRAND_FOUR: i32 = 900;
const GRAND_DOG: i32 = -1000;
/// Small Tichu is called while each opponent still holds at least this number of cards.
const EARLY: u32 = 7;

// --- the schupf ---
/// The price that a card adds to a random hand, by its value.
const BURDEN: [i32; 17] =
    [1070, 230, 210, 160, 10, 30, -20, -70, -80, -110, -140, -130, -260, -230, -500, -1010, -1710];
/// The weight, in thousandths, of a burden on an opponent, on the partner, and on a partner who has called.
const OPPONENT_SHARE: i32 = 720;
const PARTNER_SHARE: i32 = 560;
const CALLER_SHARE: i32 = 1140;
/// The number of cards from which the three are chosen, besides the best one.
const CANDIDATES: usize = 8;

/// The margin by which a bomb out of turn must be better than waiting.
const BOMB_MARGIN: i32 = 430;

/// Decides for a seat by what it knows: the agent `heuristic`, if its odds are exact.
pub struct Heuristic {
    appraisal: Appraisal,
    /// Memory for what may be laid.
    plays: Vec<Play>,
    /// The values of what was weighed last.
    worths: Vec<i32>,
    /// The hand before the last schupf, and its gifts.
    planned: Option<(Cards, [Cards; 3])>,
    /// What it does not do although it may; none for whatever it weighs best.
    style: Option<Style>,
    /// How readily it calls.
    calls: Calls,
}

impl Heuristic {
    /// Creates one with exact odds: the agent.
    #[must_use]
    pub fn exact(style: Style, calls: Calls) -> Self {
        Self { calls, ..Self::with(Appraisal::new(true), Some(style)) }
    }

    fn with(appraisal: Appraisal, style: Option<Style>) -> Self {
        let (plays, worths) = (Vec::with_capacity(256), Vec::with_capacity(256));
        Self { appraisal, plays, worths, planned: None, style, calls: Calls::default() }
    }

    /// Forgets the last game.
    pub fn forget(&mut self) {
        self.appraisal.forget();
        self.planned = None;
    }

    /// Returns one of the legal moves of a seat, which are listed the safest first; none to keep silent out of turn.
    pub fn act(&mut self, known: &Known, legal: &[Move], must: bool) -> Option<Move> {
        let may_call = legal.last() == Some(&Move::TICHU);
        let is_play = |chosen: &&Move| matches!(chosen.verb(), Verb::Play | Verb::Pass);
        let list = |plays: &mut Vec<Play>| plays.extend(legal.iter().filter(is_play).map(|each| each.as_play()));
        if must { Some(self.choose(known, may_call, list)) } else { self.throw(known, list) }
    }

    /// Returns the values of what the last decision weighed: what may be laid, in the order of the list. They are empty
    /// where nothing was weighed.
    #[must_use]
    pub fn worths(&self) -> &[i32] {
        &self.worths
    }

    /// Returns the move of an awaited seat of a round.
    pub fn decide(&mut self, round: &Round, seat: u8) -> Move {
        let sight = Sight { round, seat };
        self.choose(&Known::of(&sight), round.may_call(seat), |plays| sight.plays(plays))
    }

    /// Returns the bomb that a seat of a round throws out of turn, if any.
    pub fn interrupt(&mut self, round: &Round, seat: u8) -> Option<Move> {
        if !round.may_bomb(seat) {
            return None;
        }
        let sight = Sight { round, seat };
        self.throw(&Known::of(&sight), |bombs| {
            sight.bombs(bombs);
            put_safest_first(bombs);
        })
    }

    /// Returns the move of an awaited seat. `list` lists what it may lay, or pass, the safest first; it is called only
    /// where something is laid.
    pub fn choose(&mut self, known: &Known, may_call: bool, list: impl FnOnce(&mut Vec<Play>)) -> Move {
        self.worths.clear();
        match known.phase {
            Phase::Grand if grand_promise(known.hand) > self.calls.grand_from() => Move::GRAND,
            Phase::Grand | Phase::Over => Move::PASS,
            Phase::Schupf => Move::give(self.give(known)),
            Phase::Wish => known.wish(),
            Phase::Dragon => known.dragon(),
            Phase::Play if known.owner == known.seat => Move::TAKE,
            Phase::Play if may_call && self.calls(known) => Move::TICHU,
            Phase::Play => self.lay(known, list),
        }
    }

    /// Returns the bomb that a seat throws out of turn, if any. `list` lists those that beat the trick, the safest first;
    /// it is called only where one might be thrown.
    pub fn throw(&mut self, known: &Known, list: impl FnOnce(&mut Vec<Play>)) -> Option<Move> {
        self.worths.clear();
        if !known.opponents_trick() {
            return None;
        }
        self.listed(list, |heuristic, bombs| {
            let best = if bombs.is_empty() { None } else { heuristic.bomb(known, bombs) };
            best.map(|best| Move::play(bombs[best]))
        })
    }

    /// Returns the best of what may be laid, of equal ones the safest.
    fn lay(&mut self, known: &Known, list: impl FnOnce(&mut Vec<Play>)) -> Move {
        let style = self.style;
        let list = |plays: &mut Vec<Play>| {
            list(plays);
            if let Some(style) = style {
                style.keep(known, plays);
            }
        };
        self.listed(list, |heuristic, plays| match *plays {
            [] => Move::PASS,
            [only] => Move::play(only),
            _ => Move::play(plays[heuristic.best(known, plays).0]),
        })
    }

    /// Calls a function with what is listed.
    fn listed<T>(&mut self, list: impl FnOnce(&mut Vec<Play>), choose: impl FnOnce(&mut Self, &[Play]) -> T) -> T {
        let mut plays = std::mem::take(&mut self.plays);
        plays.clear();
        list(&mut plays);
        let chosen = choose(self, &plays);
        self.plays = plays;
        chosen
    }

    /// Returns the next card to give away, planned from the hand as it was before the first one.
    fn give(&mut self, known: &Known) -> Cards {
        let (place, given) = (known.count_gifts().min(2), known.given);
        let gone = given.into_iter().fold(Cards::EMPTY, Cards::union);
        let whole = known.hand.union(gone);
        let mut gifts = match self.planned {
            Some((hand, gifts)) if hand == whole && place > 0 => gifts,
            _ => self.gifts(&Known { hand: whole, unseen: known.unseen.minus(gone), ..*known }),
        };
        if gifts[..place] != given[..place] {
            // Another player has begun to give cards away.
            gifts = self.gifts(known);
            gifts[..place].copy_from_slice(&given[..place]);
        }
        self.planned = Some((whole, gifts));
        gifts[place]
    }

    fn appraise(&mut self, known: &Known) -> &mut Appraisal {
        let sizes = known.opponents().map(|seat| known.count(seat));
        self.appraisal.appraise(known.hand, known.hidden(), sizes);
        &mut self.appraisal
    }

    /// Returns the price of the hand.
    fn price(&mut self, known: &Known) -> i32 {
        self.appraise(known).price()
    }

    /// Returns whether the seat calls small Tichu in its turn, if it may.
    fn calls(&mut self, known: &Known) -> bool {
        let early = known.opponents().into_iter().all(|seat| known.count(seat) >= EARLY);
        early && !known.has_called(known.partner()) && self.price(known) < self.calls.small_below()
    }

    /// Returns the value of each play or pass.
    fn values(&mut self, known: &Known, plays: &[Play]) -> Vec<i32> {
        let appraisal = self.appraise(known);
        let stakes = Stakes::of(known, appraisal);
        plays.iter().map(|&play| stakes.value(play, appraisal)).collect()
    }

    /// Weighs plays; returns the index of the first of the best, and its value.
    fn best(&mut self, known: &Known, plays: &[Play]) -> (usize, i32) {
        let appraisal = self.appraise(known);
        let stakes = Stakes::of(known, appraisal);
        self.worths.clear();
        let mut best = (0, i32::MIN);
        for (index, &play) in plays.iter().enumerate() {
            let value = stakes.value(play, &mut self.appraisal);
            self.worths.push(value);
            if value > best.1 {
                best = (index, value);
            }
        }
        best
    }

    /// Returns the index of the best of some bombs out of turn, if it is better than waiting.
    fn bomb(&mut self, known: &Known, bombs: &[Play]) -> Option<usize> {
        let (best, value) = self.best(known, bombs);
        (value.saturating_add(self.appraisal.price()) > BOMB_MARGIN).then_some(best)
    }

    /// Returns the probability that no opponent tops a play, or the top of the trick if the play is a single phoenix.
    pub fn holds(&mut self, known: &Known, play: Play) -> f64 {
        let appraisal = self.appraise(known);
        let Combination { kind, rank, .. } = play.combination();
        match kind {
            Kind::Bomb => appraisal.stays(play.combination()),
            Kind::Single if rank == PHOENIX_VALUE => Stakes::of(known, appraisal).stays(),
            _ => appraisal.holds(play.place()),
        }
    }

    /// Returns one card each for the right opponent, the partner and the left opponent.
    fn gifts(&mut self, known: &Known) -> [Cards; 3] {
        let mut most = (i32::MIN, [Cards::EMPTY; 3]);
        self.each_gifts(known, |value, gifts| {
            if value > most.0 {
                most = (value, gifts);
            }
        });
        assign(known, most.1)
    }

    /// Calls a function with the worth of each choice of gifts: for one opponent, the partner and the other opponent.
    fn each_gifts(&mut self, known: &Known, mut call: impl FnMut(i32, [Cards; 3])) {
        let style = self.style;
        let appraisal = self.appraise(known);
        let mut ranking = [Cards::EMPTY; HAND_SIZE as usize];
        let cards = loosest(known.hand, appraisal, &mut ranking);
        let share = match (known.has_called(known.seat), known.has_called(known.partner())) {
            (false, false) => PARTNER_SHARE,
            (false, true) => CALLER_SHARE,
            (true, _) => 0,
        };
        for first in 0..cards.len() {
            for second in first + 1..cards.len() {
                for third in second + 1..cards.len() {
                    let three = [first, second, third].map(|place| cards[place]);
                    let price = appraisal.after(three.into_iter().fold(Cards::EMPTY, Cards::union));
                    let laid = OPPONENT_SHARE * three.iter().map(|&card| burden(card)).sum::<i32>() - 1000 * price;
                    for partner in 0..3 {
                        let [one, other] = [1, 2].map(|place| three[(partner + place) % 3]);
                        if style.is_some_and(|style| !(style.gives(one) && style.gives(other))) {
                            continue;
                        }
                        let value = laid - (OPPONENT_SHARE + share) * burden(three[partner]);
                        call(value, [one, three[partner], other]);
                    }
                }
            }
        }
    }
}

/// A play as the heuristic weighs it.
#[derive(Clone, Copy, Debug)]
pub(in crate::tichu) struct Weighed {
    /// The play; passing has no cards.
    pub play: Play,
    /// Its worth, in thousandths of a lead.
    pub value: i32,
    /// The price of the hand after it.
    pub after: i32,
    /// The probability that nobody tops it with its own type.
    pub holds: f64,
}

/// Plays like the heuristic agent.
pub struct HeuristicPolicy {
    /// Those of the two seats of a team.
    seats: [Heuristic; 2],
    /// The place of the last one in use.
    used: usize,
    plays: Vec<Play>,
}

impl HeuristicPolicy {
    /// Creates the policy with estimated odds, or with the agent's exact ones.
    #[must_use]
    pub fn new(exact: bool) -> Self {
        Self::styled(exact, Style::default())
    }

    /// Creates the policy with a style.
    #[must_use]
    pub fn styled(exact: bool, style: Style) -> Self {
        Self::with(|| Appraisal::new(exact), Some(style))
    }

    /// Creates the policy with estimated odds and without a style: what it weighs best, for lessons.
    #[must_use]
    pub fn unstyled() -> Self {
        Self::with(|| Appraisal::new(false), None)
    }

    /// Creates the policy with estimated odds and with prices that last until much has been laid.
    #[must_use]
    pub fn quick() -> Self {
        Self::with(Appraisal::lasting, Some(Style::default()))
    }

    fn with(appraisal: impl Fn() -> Appraisal, style: Option<Style>) -> Self {
        let heuristic = || Heuristic::with(appraisal(), style);
        Self { seats: [heuristic(), heuristic()], used: 0, plays: Vec::with_capacity(256) }
    }
}

impl Policy for HeuristicPolicy {
    fn start(&mut self) {
        self.seats.iter_mut().for_each(Heuristic::forget);
    }

    fn decide(&mut self, round: &Round, seat: u8, _: &mut Random) -> Move {
        self.of(seat).decide(round, seat)
    }

    fn interrupt(&mut self, round: &Round, seat: u8, _: &mut Random) -> Option<Move> {
        self.of(seat).interrupt(round, seat)
    }
}

impl HeuristicPolicy {
    /// Returns the heuristic of a seat, which is then the one in use.
    fn of(&mut self, seat: u8) -> &mut Heuristic {
        self.used = usize::from(seat / 2);
        &mut self.seats[self.used]
    }

    /// Returns the plays of a seat in turn with their worth, the best first.
    pub(in crate::tichu) fn rank(&mut self, round: &Round, seat: u8) -> Vec<(Move, i32)> {
        self.weigh(round, seat).into_iter().map(|each| (Move::play(each.play), each.value)).collect()
    }

    /// Returns the plays of a seat in turn as the heuristic weighs them, the best first.
    pub(in crate::tichu) fn weigh(&mut self, round: &Round, seat: u8) -> Vec<Weighed> {
        let sight = Sight { round, seat };
        sight.plays(&mut self.plays);
        let (known, style) = (Known::of(&sight), self.of(seat).style);
        if let Some(style) = style {
            style.keep(&known, &mut self.plays);
        }
        self.weigh_listed(&sight)
    }

    /// Returns the bombs that a seat may throw out of turn, and silence as passing, the best first.
    pub(in crate::tichu) fn weigh_bombs(&mut self, round: &Round, seat: u8) -> Vec<Weighed> {
        let sight = Sight { round, seat };
        sight.bombs(&mut self.plays);
        self.plays.push(Play::PASS);
        self.weigh_listed(&sight)
    }

    fn weigh_listed(&mut self, sight: &Sight<'_>) -> Vec<Weighed> {
        let plays = std::mem::take(&mut self.plays);
        let heuristic = self.of(sight.seat);
        let values = heuristic.values(&Known::of(sight), &plays);
        let appraisal = &mut heuristic.appraisal;
        let weigh = |(&play, value): (&Play, i32)| Weighed {
            play,
            value,
            after: appraisal.after(play.cards()),
            holds: if play == Play::PASS { 0.0 } else { appraisal.holds(play.place()) },
        };
        let mut weighed: Vec<Weighed> = plays.iter().zip(values).map(weigh).collect();
        weighed.sort_by_key(|each| -each.value);
        self.plays = plays;
        weighed
    }

    /// Returns the price of the hand without each of its cards, before the first trick.
    pub(in crate::tichu) fn prices_without_each(&mut self, round: &Round, seat: u8) -> Vec<(Cards, i32)> {
        let sight = Sight { round, seat };
        let appraisal = &mut self.of(seat).appraisal;
        appraisal.appraise(sight.hand(), sight.unseen(), [HAND_SIZE; 2]);
        sight.hand().iter().map(|card| (card, appraisal.after(card))).collect()
    }

    /// Returns the probability that nobody tops a combination with its own type.
    pub(in crate::tichu) fn stays(&self, combination: Combination) -> f64 {
        self.seats[self.used].appraisal.stays(combination)
    }

    /// Returns whether the seat in turn calls small Tichu.
    pub(in crate::tichu) fn calls_small(&mut self, round: &Round, seat: u8) -> bool {
        let may_call = round.callers >> seat & 1 == 1;
        may_call && self.of(seat).calls(&Known::of(&Sight { round, seat }))
    }

    /// Returns the price of the hand that was appraised last.
    pub(in crate::tichu) fn price(&mut self) -> i32 {
        self.seats[self.used].appraisal.price()
    }

    /// Returns the price of a seat's hand.
    pub(in crate::tichu) fn price_of(&mut self, round: &Round, seat: u8) -> i32 {
        self.of(seat).appraise(&Known::of(&Sight { round, seat })).price()
    }

    /// Returns the price of a whole hand when nothing has been laid.
    pub(in crate::tichu) fn opening_price(&mut self, hand: Cards) -> i32 {
        let appraisal = &mut self.seats[self.used].appraisal;
        appraisal.appraise(hand, Cards::DECK.minus(hand), [HAND_SIZE; 2]);
        appraisal.price()
    }

    /// Returns the best gifts to the right opponent, the partner and the left opponent, the best first.
    pub(in crate::tichu) fn gifts(&mut self, round: &Round, seat: u8, count: usize) -> Vec<[Cards; 3]> {
        let known = Known::of(&Sight { round, seat });
        let mut all: Vec<(i32, [Cards; 3])> = Vec::new();
        self.of(seat).each_gifts(&known, |value, gifts| all.push((value, gifts)));
        all.sort_by_key(|&(value, _)| -value);
        let mut partners: Vec<(u8, usize)> = Vec::new();
        let mut found = Vec::new();
        for (_, gifts) in all {
            let partner = gifts[1];
            let value = partner.lowest_value().unwrap_or(PHOENIX_VALUE);
            let place = partners.iter().position(|known| known.0 == value).unwrap_or_else(|| {
                partners.push((value, 0));
                partners.len() - 1
            });
            partners[place].1 += 1;
            if partners[place].1 > 2 {
                continue;
            }
            found.push(assign(&known, gifts));
            if found.len() == count {
                break;
            }
        }
        found
    }
}

/// Returns the cards of a hand that it misses least, and its best one, which the partner may need: suited ones first,
/// the lowest first.
fn loosest<'a>(hand: Cards, appraisal: &mut Appraisal, ranking: &'a mut [Cards; HAND_SIZE as usize]) -> &'a [Cards] {
    let count = hand.len() as usize;
    for (place, card) in ranking.iter_mut().zip(hand.iter()) {
        *place = card;
    }
    let cards = &mut ranking[..count];
    let mut costs = [0; HAND_SIZE as usize];
    cards.sort_unstable_by_key(|&card| place(card));
    for (cost, &card) in costs.iter_mut().zip(&*cards) {
        *cost = appraisal.after(card) - burden(card);
    }
    let best = (0..count).min_by_key(|&index| burden(cards[index]));
    let rank = |index: usize| (0..count).filter(|&other| (costs[other], other) < (costs[index], index)).count();
    let mut kept = 0;
    for index in 0..count {
        if rank(index) < CANDIDATES || Some(index) == best {
            cards.swap(kept, index);
            kept += 1;
        }
    }
    &cards[..kept]
}

/// Gives the heavier burden to an opponent who has called, else odd values to the right and even ones to the left.
fn assign(known: &Known, [one, partner, other]: [Cards; 3]) -> [Cards; 3] {
    let (one, other) = if place(one) > place(other) { (other, one) } else { (one, other) };
    let [right_called, left_called] = known.opponents().map(|seat| known.has_called(seat));
    let (right, left) = if right_called == left_called {
        sides(one, other)
    } else if (burden(one) >= burden(other)) == right_called {
        (one, other)
    } else {
        (other, one)
    };
    [right, partner, left]
}

/// Returns the sort key of a card among those that may be given away: suited ones first, the lowest first.
const fn place(card: Cards) -> (bool, u64) {
    (card.intersection(Cards::SUITED).is_empty(), card.mask())
}

/// Returns the price that a card adds to a random hand.
fn burden(card: Cards) -> i32 {
    BURDEN[usize::from(card.lowest_value().unwrap_or(PHOENIX_VALUE))]
}

/// Returns the promise of eight cards for Grand Tichu, in thousandths of a logit.
#[must_use]
pub fn grand_promise(hand: Cards) -> i32 {
    let has = |card: Cards| i32::from(hand.contains(card));
    let fours: i32 = (LOWEST..=ACE).map(|value| i32::from(hand.count(value) == 4)).sum();
    let [aces, kings] = [ACE, ACE - 1].map(|value| hand.count(value).cast_signed());
    GRAND_DRAGON * has(Cards::DRAGON)
        + GRAND_PHOENIX * has(Cards::PHOENIX)
        + GRAND_ACE * aces
        + GRAND_KING * kings
        + GRAND_FOUR * fours
        + GRAND_DOG * has(Cards::DOG)
}
