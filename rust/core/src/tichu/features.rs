//! A decision as features for a network: those of the seat's knowledge, and those of each candidate.
//!
//! Features are zero or one; a number becomes the feature of its range. Suits only matter for bombs and are left out:
//! candidates that differ by suits only are one candidate, the safest of them. The prices and odds of the heuristic
//! policy are features, too, so that a network begins with what the heuristic knows.

use super::cards::{ACE, Cards, LOWEST, PHOENIX_VALUE};
use super::classify::classify;
use super::combinations::ALL;
use super::moves::{Move, Verb};
use super::partitions::Counts;
use super::policies::{HeuristicPolicy, Known, Policy, Sight, Weighed, grand_promise};
use super::round::{LEAD, NOBODY, Phase, Round, SEATS, at, gift};
use super::shape::{Shape, bits};
use crate::net::{Feature, Net, Sums};
use crate::random::Random;

/// The version of the features; it changes whenever one has another meaning.
pub const VERSION: u32 = 1;
/// The most plays of a decision; the heuristic finds all others worse.
const MOST: usize = 8;

/// The kinds of decisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Whether to call Grand Tichu.
    Grand,
    /// Which card to give away next.
    Schupf,
    /// Whether to call small Tichu now.
    Small,
    /// What to lead, or to lay on the trick.
    Play,
    /// Whether to throw a bomb out of turn.
    Bomb,
    /// Which value to wish for.
    Wish,
    /// Which opponent gets the dragon's trick.
    Dragon,
    /// No decision of a player, but which of several deals is the true one.
    Deal,
    /// No decision of a player, but what the round is worth to it.
    Worth,
}

impl Kind {
    /// The kinds of players' decisions, in their order in a round.
    pub const ALL: [Self; 7] =
        [Self::Grand, Self::Schupf, Self::Small, Self::Play, Self::Bomb, Self::Wish, Self::Dragon];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Grand => "grand",
            Self::Schupf => "schupf",
            Self::Small => "small",
            Self::Play => "play",
            Self::Bomb => "bomb",
            Self::Wish => "wish",
            Self::Dragon => "dragon",
            Self::Deal => "deal",
            Self::Worth => "worth",
        }
    }
}

// --- the features -------------------------------------------------------------------------------------------------------

/// The features of a set of cards: how many of each value, and the four special cards.
pub(super) const SET: Feature = 13 * 4 + 4;
/// The features of a number of cards in a hand.
const COUNT: Feature = 15;
/// The features of one card by its value.
const CARD: Feature = 17;
/// The features of a probability.
const SHARE: Feature = 11;
/// The features of a price.
const PRICE: Feature = 24;
/// The upper ends of the ranges of a difference of worth, in thousandths of a lead.
const GAPS: [i32; 20] =
    [0, 50, 100, 150, 200, 300, 400, 500, 600, 800, 1000, 1250, 1500, 1750, 2000, 2500, 3000, 4000, 5000, 7000];
const GAP: Feature = GAPS.len() as Feature + 1;

// What the seat knows.
const KIND: Feature = 0;
const LEADS: Feature = KIND + 7;
const HAND: Feature = LEADS + 1;
const UNSEEN: Feature = HAND + SET;
const COUNTS: Feature = UNSEEN + SET;
const CALLS: Feature = COUNTS + 4 * COUNT;
const WINNER: Feature = CALLS + 4 * 2;
const TOP: Feature = WINNER + 4;
const OWNER: Feature = TOP + 227;
const WISH: Feature = OWNER + 5;
const TRICK: Feature = WISH + 15;
const POINTS: Feature = TRICK + 8;
const GIVEN: Feature = POINTS + 2 * 8;
const RECEIVED: Feature = GIVEN + 3 * CARD;
const HAND_PRICE: Feature = RECEIVED + 3 * CARD;
const STAYS: Feature = HAND_PRICE + PRICE;
const PROMISE: Feature = STAYS + SHARE;
const MARGIN: Feature = PROMISE + 12;
// What the candidate is.
const VERB: Feature = MARGIN + GAP;
const CODE: Feature = VERB + 9;
const GONE: Feature = CODE + 227;
const REST: Feature = GONE + SET;
const LEFT: Feature = REST + SET;
const BEHIND: Feature = LEFT + COUNT;
const PLACE: Feature = BEHIND + GAP;
const AFTER: Feature = PLACE + 8;
const HOLDS: Feature = AFTER + PRICE;
const OWN: Feature = HOLDS + SHARE;
const LAST: Feature = OWN + 1;
const GIFT: Feature = LAST + 2;
const WISHED: Feature = GIFT + 3 * CARD;
const HELD: Feature = WISHED + 13;
const RETURNED: Feature = HELD + 5;
const RECIPIENT: Feature = RETURNED + 1;
const RECIPIENT_CALL: Feature = RECIPIENT + COUNT;
/// The number of features.
pub const FEATURES: usize = RECIPIENT_CALL as usize + 2;
/// The first of the features that ask a network with two heads what the round is worth, instead of what a candidate scores:
/// one for each seat that may be in turn, the own one first.
const WORTH: Feature = FEATURES as Feature;
/// The number of features of a network with two heads: one for scores, one for what rounds are worth.
pub const HEADS_FEATURES: usize = FEATURES + SEATS as usize;

/// Adds the features of a set of cards.
pub(super) fn push_set(first: Feature, cards: Cards, features: &mut Vec<Feature>) {
    let Shape { ones, pairs, triples, fours } = Shape::of(cards.minus(Cards::MAH_JONG));
    // As many bits of each value's nibble as there are cards, without the nibble of the Mah Jong.
    let counts = (ones | pairs << 1 | triples << 2 | fours << 3) >> 4;
    features.extend(bits(counts).map(|bit| first + bit.trailing_zeros() as Feature));
    let specials = [Cards::DOG, Cards::MAH_JONG, Cards::DRAGON, Cards::PHOENIX];
    let held = (first + 13 * 4..).zip(specials).filter(|&(_, card)| cards.contains(card));
    features.extend(held.map(|(feature, _)| feature));
}

/// Returns the place of a price.
fn price(price: i32) -> Feature {
    ((price + 2000) / 400).clamp(0, i32::from(PRICE) - 1).cast_unsigned() as Feature
}

/// Returns the place of a difference of worth.
fn gap(gap: i32) -> Feature {
    GAPS.partition_point(|&end| end < gap) as Feature
}

/// Returns the place of a probability.
fn share(share: f64) -> Feature {
    (1..SHARE).filter(|&step| f64::from(step) <= share * f64::from(SHARE - 1)).count() as Feature
}

/// Returns the place of a number of points.
fn points(points: i32) -> Feature {
    ((points + 25) / 15).clamp(0, 7).cast_unsigned() as Feature
}

/// Returns the value of a card in a deck.
fn value(card: Cards) -> Feature {
    card.lowest_value().unwrap_or(PHOENIX_VALUE).into()
}

/// A decision of a seat, as features.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// Its kind.
    pub kind: Kind,
    /// The features that all candidates have in common.
    pub common: Vec<Feature>,
    /// The candidates, the best first where the heuristic ranks them; none is silence, or no call.
    pub candidates: Vec<Option<Move>>,
    /// The features of the candidates one after the other.
    pub features: Vec<Feature>,
    /// The end of the features of each candidate.
    pub ends: Vec<usize>,
    /// The place of the heuristic's own choice.
    pub own: usize,
}

impl Decision {
    fn new(sight: &Sight<'_>, kind: Kind) -> Self {
        let mut decision = Self {
            kind,
            common: Vec::with_capacity(128),
            candidates: Vec::new(),
            features: Vec::new(),
            ends: Vec::new(),
            own: 0,
        };
        decision.push_common(sight);
        decision
    }

    /// Returns the scores of a network for the candidates.
    #[must_use]
    pub fn scores(&self, net: &Net, sums: &mut Sums) -> Vec<f32> {
        net.begin(&self.common, sums);
        self.each().map(|features| net.score(features, sums)).collect()
    }

    /// Returns the features of each candidate.
    pub fn each(&self) -> impl Iterator<Item = &[Feature]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.features[start..end])
    }

    /// Returns the place of the candidate that a move is, suits aside.
    #[must_use]
    pub fn place(&self, chosen: Option<Move>) -> Option<usize> {
        let class = chosen.map(class);
        self.candidates.iter().position(|candidate| candidate.map(self::class) == class)
    }

    /// Adds what the seat knows. Nothing that others decide at the same time is part of it.
    fn push_common(&mut self, sight: &Sight<'_>) {
        let (round, features) = (sight.round, &mut self.common);
        if self.kind != Kind::Worth {
            features.push(KIND + self.kind as Feature);
        }
        push_set(HAND, sight.hand(), features);
        if round.phase == Phase::Grand {
            features.push(PROMISE + (grand_promise(sight.hand()) / 250).clamp(0, 11).cast_unsigned() as Feature);
            return;
        }
        for step in 0..SEATS {
            let seat = (sight.seat + step) % SEATS;
            if sight.call(seat) > 0 {
                features.push(CALLS + 2 * Feature::from(step) + Feature::from(sight.call(seat)) - 1);
            }
            if !round.phase.is_together() {
                features.push(COUNTS + COUNT * Feature::from(step) + sight.count(seat) as Feature);
            }
        }
        if round.phase.is_together() {
            return;
        }
        push_set(UNSEEN, sight.unseen(), features);
        let around = |seat: u8| Feature::from((seat + SEATS - sight.seat) % SEATS);
        if round.winner != NOBODY {
            features.push(WINNER + around(round.winner));
        }
        features.push(TOP + Feature::from(round.top));
        features.push(if round.top == LEAD { LEADS } else { OWNER + around(round.owner) });
        features.push(WISH + Feature::from(round.wish));
        features.push(TRICK + points(round.trick.points()));
        let team = |seat: u8| i32::from(round.points[at(seat)] + round.points[at(seat + 2)]);
        features.extend([POINTS + points(team(sight.seat)), POINTS + 8 + points(team(sight.seat + 1))]);
        let known = |place: u8, card: Cards| card.lowest_value().map(|_| CARD * Feature::from(place) + value(card));
        for place in 0..3 {
            let given = sight.given(place.into()).intersection(sight.unseen());
            features.extend(known(place, given).map(|feature| GIVEN + feature));
            let received = gift(round.given[at(sight.seat + 1 + place)][usize::from(2 - place)]);
            features.extend(known(place, received).map(|feature| RECEIVED + feature));
        }
    }

    /// Adds a candidate with the features that every kind has.
    fn push(&mut self, sight: &Sight<'_>, chosen: Option<Move>, own: bool) {
        self.finish();
        self.candidates.push(chosen);
        self.features.push(VERB + chosen.map_or(8, |chosen| chosen.verb() as Feature));
        if own {
            self.own = self.candidates.len() - 1;
            self.features.push(OWN);
        }
        let gone = chosen.map_or(Cards::EMPTY, Move::cards);
        let rest = sight.hand().minus(gone);
        self.features.push(LEFT + rest.len() as Feature);
        if !gone.is_empty() {
            push_set(GONE, gone, &mut self.features);
            push_set(REST, rest, &mut self.features);
        }
    }

    /// Ends the features of the last candidate.
    fn finish(&mut self) {
        if self.ends.len() < self.candidates.len() {
            self.ends.push(self.features.len());
        }
    }

    /// Adds the plays as the heuristic weighs them, the best first; passing is silence out of turn.
    fn push_plays(&mut self, sight: &Sight<'_>, weighed: &[Weighed]) {
        let best = weighed.iter().map(|each| each.value).max().unwrap_or_default();
        self.common.push(MARGIN + gap(weighed.get(1).map_or(i32::MAX, |second| best - second.value)));
        let mut known: Vec<(u8, u64)> = Vec::with_capacity(MOST);
        for each in weighed {
            let chosen = Move::play(each.play);
            if known.len() == MOST || known.contains(&class(chosen)) {
                continue;
            }
            let place = known.len();
            known.push(class(chosen));
            self.push(
                sight,
                if chosen == Move::PASS && self.kind == Kind::Bomb { None } else { Some(chosen) },
                place == 0,
            );
            let rest = sight.hand().minus(each.play.cards());
            self.features.extend([
                BEHIND + gap(best - each.value),
                PLACE + place.min(7) as Feature,
                AFTER + price(each.after),
            ]);
            if chosen != Move::PASS {
                self.features.extend([CODE + Feature::from(chosen.code()), HOLDS + share(each.holds)]);
                if rest.is_empty() {
                    self.features.push(LAST);
                } else if classify(rest).is_some() {
                    self.features.push(LAST + 1);
                }
            }
        }
    }
}

/// Returns what a move is, suits aside.
pub(super) fn class(chosen: Move) -> (u8, u64) {
    let counted = if chosen.verb() == Verb::Play { Counts::of(chosen.cards()).0 } else { 0 };
    let operand = if chosen.verb() == Verb::Give { value(chosen.cards()) } else { chosen.operand().into() };
    (chosen.code(), counted | u64::from(operand))
}

/// Returns the decision of a seat whether to call small Tichu, in turn and before its first card.
#[must_use]
pub fn call(round: &Round, seat: u8, policy: &mut HeuristicPolicy) -> Option<Decision> {
    let sight = Sight { round, seat };
    let mine = round.phase == Phase::Play && round.awaited >> seat & 1 == 1 && round.owner != seat;
    if !mine || round.callers >> seat & 1 == 0 || sight.call(sight.partner()) != 0 {
        return None;
    }
    let mut decision = Decision::new(&sight, Kind::Small);
    let calls = policy.calls_small(round, seat);
    policy.weigh(round, seat);
    decision.common.push(HAND_PRICE + price(policy.price()));
    decision.push(&sight, None, !calls);
    decision.push(&sight, Some(Move::TICHU), calls);
    decision.finish();
    Some(decision)
}

/// Returns what a seat knows of a round that goes on, whoever is in turn, as a decision with one candidate: its score is what
/// the round is worth to the seat's team.
#[must_use]
pub fn worth(round: &Round, seat: u8, policy: &mut HeuristicPolicy) -> Decision {
    let mut decision = Decision::new(&Sight { round, seat }, Kind::Worth);
    if !round.phase.is_together() && !round.hand(seat).is_empty() {
        decision.common.push(HAND_PRICE + price(policy.price_of(round, seat)));
    }
    let turn = if round.turn == NOBODY { 0 } else { (round.turn + SEATS - seat) % SEATS };
    decision.candidates.push(None);
    decision.features.push(WORTH + Feature::from(turn));
    decision.finish();
    decision
}

/// Returns the decision of a seat, calls of small Tichu aside; none if it has no choice.
#[must_use]
pub fn decision(round: &Round, seat: u8, policy: &mut HeuristicPolicy) -> Option<Decision> {
    let sight = Sight { round, seat };
    let mut decision = match round.phase {
        Phase::Over => return None,
        _ if round.awaited >> seat & 1 == 0 => bomb(&sight, policy)?,
        Phase::Play if round.owner == seat => return None,
        Phase::Play => play(&sight, policy),
        Phase::Grand => grand(&sight, policy),
        Phase::Schupf => schupf(&sight, policy),
        Phase::Wish => wish(&sight),
        Phase::Dragon => dragon(&sight),
    };
    decision.finish();
    (decision.candidates.len() > 1).then_some(decision)
}

fn grand(sight: &Sight<'_>, policy: &mut HeuristicPolicy) -> Decision {
    let own = policy.decide(sight.round, sight.seat, &mut Random::new(0));
    let mut decision = Decision::new(sight, Kind::Grand);
    for chosen in [Move::PASS, Move::GRAND] {
        decision.push(sight, Some(chosen), chosen == own);
    }
    decision
}

fn play(sight: &Sight<'_>, policy: &mut HeuristicPolicy) -> Decision {
    let mut decision = Decision::new(sight, Kind::Play);
    let weighed = policy.weigh(sight.round, sight.seat);
    decision.common.push(HAND_PRICE + price(policy.price()));
    if sight.round.top != LEAD {
        decision.common.push(STAYS + share(policy.stays(ALL[usize::from(sight.round.top)])));
    }
    decision.push_plays(sight, &weighed);
    decision
}

fn bomb(sight: &Sight<'_>, policy: &mut HeuristicPolicy) -> Option<Decision> {
    let (round, seat) = (sight.round, sight.seat);
    if !sight.opponents_trick() || !round.may_bomb(seat) || round.legal(seat).iter().all(|&each| each == Move::TICHU) {
        return None;
    }
    let own = policy.interrupt(round, seat, &mut Random::new(0));
    let mut weighed = policy.weigh_bombs(round, seat);
    // The heuristic throws a bomb only if it is better by a margin: its own choice comes first.
    weighed.sort_by_key(|each| Some(Move::play(each.play)) != own.or(Some(Move::PASS)));
    let mut decision = Decision::new(sight, Kind::Bomb);
    decision.common.push(HAND_PRICE + price(policy.price()));
    decision.push_plays(sight, &weighed);
    Some(decision)
}

fn schupf(sight: &Sight<'_>, policy: &mut HeuristicPolicy) -> Decision {
    let own = policy.decide(sight.round, sight.seat, &mut Random::new(0));
    let place = sight.round.count_gifts(sight.seat) as Feature;
    let mut decision = Decision::new(sight, Kind::Schupf);
    let given = (0..place).map(|place| GIVEN + CARD * place + value(sight.given(place.into())));
    decision.common.extend(given);
    let prices = policy.prices_without_each(sight.round, sight.seat);
    decision.common.push(HAND_PRICE + price(policy.price()));
    for chosen in sight.round.legal(sight.seat) {
        // Suits aside, so that the heuristic's own card stands for its value.
        let same = value(chosen.cards()) == value(own.cards());
        if decision.candidates.iter().flatten().all(|&known| class(known) != class(chosen)) {
            decision.push(sight, Some(if same { own } else { chosen }), same);
            let after = prices.iter().find(|(card, _)| *card == chosen.cards()).map_or(0, |&(_, after)| after);
            decision.features.extend([GIFT + CARD * place + value(chosen.cards()), AFTER + price(after)]);
        }
    }
    decision
}

fn wish(sight: &Sight<'_>) -> Decision {
    let mut decision = Decision::new(sight, Kind::Wish);
    let (own, given) = (Known::of(sight).wish(), sight.given(0).intersection(sight.unseen()));
    for value in LOWEST..=ACE {
        decision.push(sight, Some(Move::wish(value)), Move::wish(value) == own);
        let held = sight.unseen().count(value) as Feature;
        decision.features.extend([WISHED + Feature::from(value - LOWEST), HELD + held]);
        if given.lowest_value() == Some(value) {
            decision.features.push(RETURNED);
        }
    }
    decision
}

fn dragon(sight: &Sight<'_>) -> Decision {
    let mut decision = Decision::new(sight, Kind::Dragon);
    for seat in [sight.right(), sight.left()] {
        decision.push(sight, Some(Move::dragon(seat)), Move::dragon(seat) == Known::of(sight).dragon());
        decision.features.push(RECIPIENT + sight.count(seat) as Feature);
        if sight.call(seat) > 0 {
            decision.features.push(RECIPIENT_CALL + Feature::from(seat == sight.left()));
        }
    }
    decision
}
