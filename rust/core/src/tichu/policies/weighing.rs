//! What the heuristic takes moves to be worth, in thousandths of a lead: the winning chances and the remaining hand.

use super::appraisal::Appraisal;
use super::common::Sight;
use crate::tichu::cards::{ACE, Cards, LOWEST, PHOENIX_VALUE};
use crate::tichu::classify::classify;
use crate::tichu::combinations::{ALL, Combination};
use crate::tichu::hand::HAND_SIZE;
use crate::tichu::moves::Move;
use crate::tichu::plays::Play;
use crate::tichu::round::{LEAD, NOBODY, Phase, SEATS, at};

/// The worth of the lead, and its worth for the partner.
const LEAD_WORTH: i32 = 600;
const PARTNER_LEAD_WORTH: i32 = 1050;
/// The additional worth of the lead if: an opponent has few cards, the seat has called, an opponent has called, the
/// partner is out and a double win is possible, an opponent is out; and of the partner's lead if the partner has
/// called.
const DANGER: i32 = 340;
const OWN_CALL: i32 = 450;
const OPPONENT_CALL: i32 = 400;
const PARTNER_OUT: i32 = 430;
const OPPONENT_OUT: i32 = 630;
const PARTNER_CALL: i32 = 1930;
/// The worth of a point in a trick.
const POINT: i32 = 61;
/// The loss if an opponent finishes on the led combination, and the gain if the partner does.
const FINISH: f64 = 1290.0;
const FEED: f64 = 510.0;
/// The worth of having the lead with one combination left.
const LAST: f64 = 960.0;
/// The cost of overtaking the partner.
const OVERTAKE: i32 = 320;
/// The worth of finishing, above everything else.
pub const OUT: i32 = 1_000_000;
/// A player with at most this number of cards is about to finish.
const FEW: u32 = 3;
/// At this number of cards or fewer, the remaining combinations are counted.
const ENDGAME: u32 = 10;

/// What a seat knows, as far as the heuristic goes by it.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The seat.
    pub seat: u8,
    /// The phase.
    pub phase: Phase,
    /// Its hand.
    pub hand: Cards,
    /// The cards that others hold.
    pub unseen: Cards,
    /// The cards given to the right opponent, the partner and the left opponent so far.
    pub given: [Cards; 3],
    /// The number of cards of each seat; one that is giving cards away still counts them.
    pub counts: [u32; 4],
    /// The call of each seat: 0 none, 1 small Tichu, 2 Grand Tichu.
    pub calls: [u8; 4],
    /// The seat that finished first; [`NOBODY`] for none yet.
    pub winner: u8,
    /// The seat that laid the top of the trick; [`NOBODY`] without a trick.
    pub owner: u8,
    /// The code of the combination to beat; [`LEAD`] if the trick is to be led.
    pub top: u8,
    /// The cards of the trick.
    pub trick: Cards,
}

impl Known {
    /// Returns what a seat of a round knows.
    pub fn of(sight: &Sight<'_>) -> Self {
        let round = sight.round;
        let mut counts = round.hands.map(Cards::len);
        if round.phase == Phase::Schupf {
            counts = counts.map(|count| if count + 3 == HAND_SIZE { count } else { HAND_SIZE });
        }
        Self {
            seat: sight.seat,
            phase: round.phase,
            hand: sight.hand(),
            unseen: sight.unseen(),
            given: [0, 1, 2].map(|place| sight.given(place)),
            counts,
            calls: round.calls,
            winner: round.winner,
            owner: round.owner,
            top: round.top,
            trick: round.trick,
        }
    }

    /// Returns the cards that the opponents may hold: all unseen ones except the one given to the partner.
    #[must_use]
    pub fn hidden(&self) -> Cards {
        if self.phase == Phase::Schupf { self.unseen } else { self.unseen.minus(self.given[1]) }
    }

    /// Returns the number of cards given away.
    #[must_use]
    pub fn count_gifts(&self) -> usize {
        self.given.iter().filter(|gift| !gift.is_empty()).count()
    }

    /// Returns whether the trick is an opponent's.
    #[must_use]
    pub const fn opponents_trick(&self) -> bool {
        self.owner < SEATS && self.owner % 2 != self.seat % 2
    }

    /// Returns the wish: the value given to the right opponent, otherwise the highest value that others hold.
    #[must_use]
    pub fn wish(&self) -> Move {
        let given = self.given[0];
        let value = given.lowest_value().filter(|value| self.unseen.contains(given) && (LOWEST..=ACE).contains(value));
        let highest = || (LOWEST..=ACE).rev().find(|&value| self.unseen.count(value) > 0).unwrap_or(ACE);
        Move::wish(value.unwrap_or_else(highest))
    }

    /// Returns the recipient of the trick won with the dragon: an opponent without a call, then the one with more
    /// cards.
    #[must_use]
    pub fn dragon(&self) -> Move {
        let rank = |seat| (self.calls[at(seat)], u32::MAX - self.count(seat));
        let [right, left] = self.opponents();
        Move::dragon(if rank(right) > rank(left) { left } else { right })
    }

    /// Returns the partner's seat.
    #[must_use]
    pub const fn partner(&self) -> u8 {
        (self.seat + 2) % SEATS
    }

    /// Returns the seats of the right and the left opponent.
    #[must_use]
    pub const fn opponents(&self) -> [u8; 2] {
        [(self.seat + 1) % SEATS, (self.seat + 3) % SEATS]
    }

    /// Returns the number of cards of a seat.
    #[must_use]
    pub const fn count(&self, seat: u8) -> u32 {
        self.counts[at(seat)]
    }

    /// Returns whether a seat has called.
    #[must_use]
    pub const fn has_called(&self, seat: u8) -> bool {
        self.calls[at(seat)] != 0
    }

    /// Returns the smallest number of cards of an opponent; 14 if both are out.
    fn nearest(&self) -> u32 {
        let [right, left] = self.opponents().map(|seat| if self.count(seat) == 0 { 14 } else { self.count(seat) });
        right.min(left)
    }

    /// Returns the worth of winning the trick.
    fn lead_worth(&self) -> i32 {
        let mut worth = LEAD_WORTH;
        if self.nearest() <= FEW {
            worth += DANGER;
        }
        if self.has_called(self.seat) {
            worth += OWN_CALL;
        }
        worth
            + match self.winner {
                NOBODY if self.opponents().into_iter().any(|seat| self.has_called(seat)) => OPPONENT_CALL,
                NOBODY => 0,
                winner if winner == self.partner() => PARTNER_OUT,
                _ => OPPONENT_OUT,
            }
    }

    /// Returns the worth if the partner wins the trick; 0 if the partner is out.
    fn partner_lead_worth(&self) -> i32 {
        let partner = self.partner();
        if self.count(partner) == 0 {
            return 0;
        }
        PARTNER_LEAD_WORTH
            + match self.winner {
                NOBODY if self.has_called(partner) => PARTNER_CALL,
                NOBODY => 0,
                winner if winner == partner => 0,
                _ => OPPONENT_OUT,
            }
    }
}

/// The worth of the current trick.
pub struct Stakes {
    /// The hand.
    hand: Cards,
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
    /// Returns the stakes of a seat, whose hand is appraised.
    pub fn of(known: &Known, appraisal: &Appraisal) -> Self {
        let leads = known.top == LEAD;
        Self {
            hand: known.hand,
            lead: known.lead_worth(),
            partner_lead: known.partner_lead_worth(),
            points: POINT * known.trick.points(),
            stays: if leads { 0.0 } else { appraisal.stays(ALL[usize::from(known.top)]) },
            partners: known.owner == known.partner(),
            nearest: if leads { known.nearest() } else { 0 },
            partner_count: if leads { known.count(known.partner()) } else { 0 },
        }
    }

    /// Returns the probability that no opponent beats the top of the trick; 0 if it is to be led.
    pub const fn stays(&self) -> f64 {
        self.stays
    }

    /// Returns the value of a play or of passing.
    pub fn value(&self, play: Play, appraisal: &mut Appraisal) -> i32 {
        if play == Play::PASS {
            let price = appraisal.price();
            let partners = (self.stays * f64::from(self.partner_lead + self.points)) as i32;
            return if self.partners { partners - price } else { -price };
        }
        let rest = self.hand.minus(play.cards());
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
        let last = self.hand.len() <= ENDGAME && classify(rest).is_some();
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
