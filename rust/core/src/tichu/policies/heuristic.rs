//! The heuristic agent as a policy: it makes the move with the best balance of winning chances and remaining hand.
//!
//! The constants are the agent's (`tisch.games.tichu.agents.heuristic`), found by playing many thousand deals.

use super::Policy;
use super::appraisal::Appraisal;
use super::common::{Sight, sides};
use crate::random::Random;
use crate::tichu::cards::{Cards, PHOENIX_VALUE};
use crate::tichu::classify::classify;
use crate::tichu::combinations::{ALL, Combination};
use crate::tichu::hand::{HAND_SIZE, Hand, Wish};
use crate::tichu::moves::Move;
use crate::tichu::plays::Play;
use crate::tichu::round::{LEAD, NOBODY, Phase, Round, SEATS};

// --- calls ---
const GRAND_FROM: u32 = 1470;
const SMALL_BELOW: i32 = 1150;
const EARLY: u32 = 7;

// --- the schupf ---
const BURDEN: [i32; 17] =
    [1070, 230, 210, 160, 10, 30, -20, -70, -80, -110, -140, -130, -260, -230, -500, -1010, -1710];
const OPPONENT_SHARE: i32 = 720;
const PARTNER_SHARE: i32 = 560;
const CALLER_SHARE: i32 = 1140;
/// The number of cards from which the three are chosen, besides the best one.
const CANDIDATES: usize = 8;

// --- leading and following ---
const LEAD_WORTH: i32 = 600;
const PARTNER_LEAD_WORTH: i32 = 1050;
const DANGER: i32 = 340;
const OWN_CALL: i32 = 450;
const OPPONENT_CALL: i32 = 400;
const PARTNER_OUT: i32 = 430;
const OPPONENT_OUT: i32 = 630;
const PARTNER_CALL: i32 = 1930;
const POINT: i32 = 61;
const FINISH: f64 = 1290.0;
const FEED: f64 = 510.0;
const LAST: f64 = 960.0;
const OVERTAKE: i32 = 320;
const OUT: i32 = 1_000_000;
const BOMB_MARGIN: i32 = 430;
const FEW: u32 = 3;
const ENDGAME: u32 = 10;

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
    appraisals: [Appraisal; 2],
    /// The place of the appraisal in use.
    used: usize,
    plays: Vec<Play>,
    /// The last schupf: the round, the seat, and its gifts, which these two determine.
    planned: Option<(Round, u8, [Cards; 3])>,
}

impl HeuristicPolicy {
    /// Creates the policy with estimated odds, or with the agent's exact ones.
    #[must_use]
    pub fn new(exact: bool) -> Self {
        Self::with(|| Appraisal::new(exact))
    }

    /// Creates the policy with estimated odds and with prices that last until much has been laid.
    #[must_use]
    pub fn quick() -> Self {
        Self::with(Appraisal::lasting)
    }

    fn with(appraisal: impl Fn() -> Appraisal) -> Self {
        Self { appraisals: [appraisal(), appraisal()], used: 0, plays: Vec::with_capacity(256), planned: None }
    }
}

impl Policy for HeuristicPolicy {
    fn start(&mut self) {
        for appraisal in &mut self.appraisals {
            appraisal.forget();
        }
    }

    fn decide(&mut self, round: &Round, seat: u8, _: &mut Random) -> Move {
        let sight = Sight { round, seat };
        if let Some(chosen) = sight.routine() {
            return chosen;
        }
        match round.phase {
            Phase::Grand if grand_promise(sight.hand()) > GRAND_FROM => Move::GRAND,
            Phase::Grand => Move::PASS,
            Phase::Schupf => self.give(&sight),
            _ if self.calls(&sight) => Move::TICHU,
            _ => self.play(&sight),
        }
    }

    fn interrupt(&mut self, round: &Round, seat: u8, _: &mut Random) -> Option<Move> {
        let sight = Sight { round, seat };
        if !sight.opponents_trick() {
            return None;
        }
        sight.bombs(&mut self.plays);
        if self.plays.is_empty() {
            return None;
        }
        let (bomb, value) = self.best(&sight);
        (value + self.appraisals[self.used].price() > BOMB_MARGIN).then_some(bomb)
    }
}

impl HeuristicPolicy {
    fn appraise(&mut self, sight: &Sight<'_>) {
        self.used = usize::from(sight.seat / 2);
        let sizes = [sight.count(sight.right()), sight.count(sight.left())];
        self.appraisals[self.used].appraise(sight.hand(), sight.hidden(), sizes);
    }

    /// Returns whether the seat calls small Tichu before its first card.
    fn calls(&mut self, sight: &Sight<'_>) -> bool {
        let early = |opponent: u8| sight.count(opponent) >= EARLY;
        if sight.round.callers >> sight.seat & 1 == 0 || sight.call(sight.partner()) != 0 {
            return false;
        }
        if !early(sight.right()) || !early(sight.left()) {
            return false;
        }
        self.appraise(sight);
        self.appraisals[self.used].price() < SMALL_BELOW
    }

    /// Lists what may be laid in turn.
    fn list(&mut self, sight: &Sight<'_>) {
        let wish = Wish::new(sight.round.wish.into()).unwrap_or_default();
        self.plays.clear();
        Hand::of(sight.hand()).push_plays(ALL[usize::from(sight.round.top)], wish, &mut self.plays);
        // Among moves of the same worth the agent takes the safest.
        crate::tichu::plays::put_safest_first(&mut self.plays);
    }

    /// Lays cards or passes.
    fn play(&mut self, sight: &Sight<'_>) -> Move {
        self.list(sight);
        if let &[only] = self.plays.as_slice() {
            return Move::play(only);
        }
        self.best(sight).0
    }

    /// Returns the plays of a seat in turn with their worth, the best first.
    pub(in crate::tichu) fn rank(&mut self, round: &Round, seat: u8) -> Vec<(Move, i32)> {
        self.weigh(round, seat).into_iter().map(|each| (Move::play(each.play), each.value)).collect()
    }

    /// Returns the plays of a seat in turn as the heuristic weighs them, the best first.
    pub(in crate::tichu) fn weigh(&mut self, round: &Round, seat: u8) -> Vec<Weighed> {
        let sight = Sight { round, seat };
        self.list(&sight);
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
        self.appraise(sight);
        let appraisal = &mut self.appraisals[self.used];
        let stakes = Stakes::of(sight, appraisal);
        let near = sight.hand().len() <= ENDGAME;
        let weigh = |&play: &Play| Weighed {
            play,
            value: stakes.value(play, sight.hand(), near, appraisal),
            after: appraisal.after(play.cards()),
            holds: if play == Play::PASS { 0.0 } else { appraisal.holds(play.place()) },
        };
        let mut weighed: Vec<Weighed> = self.plays.iter().map(weigh).collect();
        weighed.sort_by_key(|each| -each.value);
        weighed
    }

    /// Returns the price of the hand without each of its cards, before the first trick.
    pub(in crate::tichu) fn prices_without_each(&mut self, round: &Round, seat: u8) -> Vec<(Cards, i32)> {
        let sight = Sight { round, seat };
        self.used = usize::from(seat / 2);
        let appraisal = &mut self.appraisals[self.used];
        appraisal.appraise(sight.hand(), sight.unseen(), [HAND_SIZE; 2]);
        sight.hand().iter().map(|card| (card, appraisal.after(card))).collect()
    }

    /// Returns the probability that nobody tops a combination with its own type.
    pub(in crate::tichu) fn stays(&self, combination: Combination) -> f64 {
        self.appraisals[self.used].stays(combination)
    }

    /// Returns whether the seat in turn calls small Tichu.
    pub(in crate::tichu) fn calls_small(&mut self, round: &Round, seat: u8) -> bool {
        self.calls(&Sight { round, seat })
    }

    /// Returns the price of the hand that was appraised last.
    pub(in crate::tichu) fn price(&mut self) -> i32 {
        self.appraisals[self.used].price()
    }

    /// Returns the price of a whole hand when nothing has been laid.
    pub(in crate::tichu) fn opening_price(&mut self, hand: Cards) -> i32 {
        let appraisal = &mut self.appraisals[self.used];
        appraisal.appraise(hand, Cards::DECK.minus(hand), [HAND_SIZE; 2]);
        appraisal.price()
    }

    /// Returns the best gifts to the right opponent, the partner and the left opponent, the best first.
    pub(in crate::tichu) fn gifts(&mut self, round: &Round, seat: u8, count: usize) -> Vec<[Cards; 3]> {
        let sight = Sight { round, seat };
        let mut all: Vec<(i32, [Cards; 3])> = Vec::new();
        self.each_gifts(&sight, |value, gifts| all.push((value, gifts)));
        all.sort_by_key(|&(value, _)| -value);
        let mut partners: Vec<(u8, usize)> = Vec::new();
        let mut found = Vec::new();
        for (_, [one, partner, other]) in all {
            let value = partner.lowest_value().unwrap_or(PHOENIX_VALUE);
            let place = partners.iter().position(|known| known.0 == value).unwrap_or_else(|| {
                partners.push((value, 0));
                partners.len() - 1
            });
            partners[place].1 += 1;
            if partners[place].1 > 2 {
                continue;
            }
            let (right, left) = opponents(&sight, one, other);
            found.push([right, partner, left]);
            if found.len() == count {
                break;
            }
        }
        found
    }

    /// Returns the move of the highest worth, and its worth.
    fn best(&mut self, sight: &Sight<'_>) -> (Move, i32) {
        self.appraise(sight);
        let stakes = Stakes::of(sight, &self.appraisals[self.used]);
        let near = sight.hand().len() <= ENDGAME;
        let mut best = (Play::PASS, i32::MIN);
        for &play in &self.plays {
            let value = stakes.value(play, sight.hand(), near, &mut self.appraisals[self.used]);
            if value > best.1 {
                best = (play, value);
            }
        }
        (Move::play(best.0), best.1)
    }

    /// Returns the next card to give away, planned from the hand as it was before the first one.
    fn give(&mut self, sight: &Sight<'_>) -> Move {
        let given = [0, 1, 2].map(|place| sight.given(place));
        let place = given.iter().take_while(|card| !card.is_empty()).count().min(2);
        let whole = sight.round.before_gifts(sight.seat);
        let mut planned = self.schupf(&Sight { round: &whole, seat: sight.seat });
        if planned[..place] != given[..place] {
            // Another player has begun to give cards away.
            planned = self.schupf(sight);
        }
        Move::give(planned[place])
    }

    /// Returns one card each for the right opponent, the partner and the left opponent.
    fn schupf(&mut self, sight: &Sight<'_>) -> [Cards; 3] {
        if let Some((round, seat, gifts)) = self.planned
            && (&round, seat) == (sight.round, sight.seat)
        {
            return gifts;
        }
        let mut most = (i32::MIN, [Cards::EMPTY; 3]);
        self.each_gifts(sight, |value, gifts| {
            if value > most.0 {
                most = (value, gifts);
            }
        });
        let [one, partner, other] = most.1;
        let (right, left) = opponents(sight, one, other);
        self.planned = Some((*sight.round, sight.seat, [right, partner, left]));
        [right, partner, left]
    }

    /// Calls a function with the worth of each choice of gifts: for one opponent, the partner and the other opponent.
    fn each_gifts(&mut self, sight: &Sight<'_>, mut call: impl FnMut(i32, [Cards; 3])) {
        self.used = usize::from(sight.seat / 2);
        // A seat that has not given all three cards away still counts them as held.
        let size = |opponent: u8| if sight.count(opponent) + 3 == HAND_SIZE { HAND_SIZE - 3 } else { HAND_SIZE };
        self.appraisals[self.used].appraise(sight.hand(), sight.unseen(), [size(sight.right()), size(sight.left())]);
        let mut ranking = [Cards::EMPTY; HAND_SIZE as usize];
        let cards = self.loosest(sight.hand(), &mut ranking);
        let share = match (sight.call(sight.seat), sight.call(sight.partner())) {
            (0, 0) => PARTNER_SHARE,
            (0, _) => CALLER_SHARE,
            _ => 0,
        };
        for first in 0..cards.len() {
            for second in 0..first {
                for third in 0..second {
                    let three = [first, second, third].map(|place| cards[place]);
                    let price = self.appraisals[self.used].after(three.into_iter().fold(Cards::EMPTY, Cards::union));
                    let laid = OPPONENT_SHARE * three.iter().map(|&card| burden(card)).sum::<i32>() - 1000 * price;
                    for partner in 0..3 {
                        let value = laid - (OPPONENT_SHARE + share) * burden(three[partner]);
                        call(value, [three[(partner + 1) % 3], three[partner], three[(partner + 2) % 3]]);
                    }
                }
            }
        }
    }

    /// Returns the cards of a hand that it misses least, and its best one, which the partner may need.
    fn loosest<'a>(&mut self, hand: Cards, ranking: &'a mut [Cards; HAND_SIZE as usize]) -> &'a [Cards] {
        let mut costs = [(i32::MAX, (false, 0)); HAND_SIZE as usize];
        let mut count = 0;
        for (cost, card) in costs.iter_mut().zip(hand.iter()) {
            *cost = (self.appraisals[self.used].after(card) - burden(card), place(card));
            count += 1;
        }
        costs[..count].sort_unstable();
        for (card, (_, (_, mask))) in ranking.iter_mut().zip(costs) {
            *card = Cards::masked(mask);
        }
        let best = (0..count).min_by_key(|&place| burden(ranking[place])).unwrap_or_default();
        if best < CANDIDATES {
            return &ranking[..count.min(CANDIDATES)];
        }
        ranking.swap(CANDIDATES, best);
        &ranking[..=CANDIDATES]
    }
}

/// Gives the heavier burden to an opponent who has called, else odd values to the right and even ones to the left.
fn opponents(sight: &Sight<'_>, one: Cards, other: Cards) -> (Cards, Cards) {
    let (one, other) = if place(one) > place(other) { (other, one) } else { (one, other) };
    let (right, left) = (sight.call(sight.right()) != 0, sight.call(sight.left()) != 0);
    if right == left {
        return sides(one, other);
    }
    if (burden(one) >= burden(other)) == right { (one, other) } else { (other, one) }
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
pub(in crate::tichu) fn grand_promise(hand: Cards) -> u32 {
    let has = |card: Cards| u32::from(hand.contains(card));
    let fours = (2..=14).filter(|&value| hand.count(value) == 4).count() as u32;
    let promise = 770 * has(Cards::DRAGON) + 1020 * has(Cards::PHOENIX) + 250 * hand.count(14) + 30 * hand.count(13);
    (promise + 900 * fours).saturating_sub(1000 * has(Cards::DOG))
}

/// The worth of the current trick.
struct Stakes {
    /// The worth of winning it.
    lead: i32,
    /// The worth if the partner wins it.
    partner_lead: i32,
    /// The worth of its points.
    points: i32,
    /// The probability that no opponent beats its top.
    stays: f64,
    /// Whether the partner is winning it.
    partners: bool,
    /// When leading, the smallest number of cards of an opponent, otherwise 0.
    nearest: u32,
    /// When leading, the partner's number of cards, otherwise 0.
    partner_count: u32,
}

impl Stakes {
    fn of(sight: &Sight<'_>, appraisal: &Appraisal) -> Self {
        let leads = sight.round.top == LEAD;
        let stays = if leads { 0.0 } else { appraisal.stays(ALL[usize::from(sight.round.top)]) };
        Self {
            lead: lead_worth(sight),
            partner_lead: partner_lead_worth(sight),
            points: POINT * sight.round.trick.points(),
            stays,
            partners: sight.round.owner == sight.partner(),
            nearest: if leads { sight.nearest() } else { 0 },
            partner_count: if leads { sight.count(sight.partner()) } else { 0 },
        }
    }

    /// Returns the value of a play or of passing.
    fn value(&self, play: Play, hand: Cards, near: bool, appraisal: &mut Appraisal) -> i32 {
        if play == Play::PASS {
            let price = appraisal.price();
            let partners = (self.stays * f64::from(self.partner_lead + self.points)) as i32;
            return if self.partners { partners - price } else { -price };
        }
        let rest = hand.minus(play.cards());
        if rest.is_empty() {
            return OUT;
        }
        let price = appraisal.after(play.cards());
        let Combination { length, rank, .. } = play.combination();
        if rank == 0 {
            return self.partner_lead - price;
        }
        let wins = if play.is_bomb() {
            1.0
        } else if rank == PHOENIX_VALUE {
            self.stays
        } else {
            appraisal.holds(play.place())
        };
        let loses = 1.0 - wins;
        // If the move wins and one combination is left, that follows at once and costs nothing.
        let last = near && classify(rest).is_some();
        let mut value = if last { (wins * LAST - loses * f64::from(price)) as i32 } else { -price };
        // The points of a trick won with the dragon go to an opponent.
        let won = if rank == 15 { self.lead } else { self.lead + self.points };
        value += (wins * f64::from(won)) as i32;
        if u32::from(length) == self.nearest && self.nearest <= FEW {
            value -= (loses * FINISH) as i32;
        }
        if u32::from(length) == self.partner_count && self.partner_count < FEW {
            value += (loses * FEED) as i32;
        }
        if self.partners { value - OVERTAKE } else { value }
    }
}

/// Returns the worth of winning the trick.
fn lead_worth(sight: &Sight<'_>) -> i32 {
    let mut worth = LEAD_WORTH;
    if sight.nearest() <= FEW {
        worth += DANGER;
    }
    if sight.call(sight.seat) != 0 {
        worth += OWN_CALL;
    }
    worth
        + match sight.round.winner {
            NOBODY if sight.call(sight.right()) != 0 || sight.call(sight.left()) != 0 => OPPONENT_CALL,
            NOBODY => 0,
            winner if winner == sight.partner() => PARTNER_OUT,
            _ => OPPONENT_OUT,
        }
}

/// Returns the worth if the partner wins the trick; 0 if the partner is out.
fn partner_lead_worth(sight: &Sight<'_>) -> i32 {
    let partner = sight.partner() % SEATS;
    if sight.count(partner) == 0 {
        return 0;
    }
    PARTNER_LEAD_WORTH
        + match sight.round.winner {
            NOBODY if sight.call(partner) != 0 => PARTNER_CALL,
            NOBODY => 0,
            winner if winner == partner => 0,
            _ => OPPONENT_OUT,
        }
}
