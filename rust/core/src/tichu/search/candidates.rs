//! The moves worth trying in a decision: the policy's own choice first, then the next best by its measure.

use super::Settings;
use crate::random::Random;
use crate::simulation::search::Candidate;
use crate::tichu::cards::{ACE, Cards, LOWEST};
use crate::tichu::moves::{Move, Verb};
use crate::tichu::policies::{HeuristicPolicy, Known, Policy, Sight, grand_promise, is_too_late};
use crate::tichu::round::{Phase, Round, SEATS, at};

/// A play is not tried if the policy finds it worse than its own choice by more than this.
const GAP: i32 = 3000;
/// The most gifts that are tried.
const GIFTS: usize = 6;
/// The most plays that are tried with the opposite call.
const CALLS: usize = 2;
/// Grand Tichu is not tried below this promise of the first eight cards.
const GRAND_FROM: i32 = 700;
/// Small Tichu is not tried from this price of the hand on.
const SMALL_BELOW: i32 = 2000;

/// Returns the candidates of a seat, the policy's choice first; none if it has nothing to decide.
pub fn list(round: &Round, seat: u8, settings: &Settings, policy: &mut HeuristicPolicy) -> Vec<Candidate<Round>> {
    if round.awaited() >> seat & 1 == 0 {
        return if round.legal(seat).is_empty() { Vec::new() } else { bombs(round, seat, policy) };
    }
    let alone = |chosen: Move| vec![chosen];
    let found: Vec<Candidate<Round>> = match round.phase() {
        Phase::Grand if grand_promise(round.hand(seat)) < GRAND_FROM => vec![alone(Move::PASS)],
        Phase::Grand => vec![alone(Move::PASS), alone(Move::GRAND)],
        Phase::Schupf => gifts(round, seat, policy),
        Phase::Wish => wishes(round, seat),
        Phase::Dragon => round.legal(seat).into_iter().filter(|&chosen| chosen != Move::TICHU).map(alone).collect(),
        Phase::Play if round.owner == seat => vec![alone(Move::TAKE)],
        Phase::Play => return plays(round, seat, settings, policy),
        Phase::Over => Vec::new(),
    };
    let own = if found.len() > 1 { Some(policy.decide(round, seat, &mut Random::new(0))) } else { None };
    put_first(found, own)
}

/// Puts the candidate that begins with a move first.
fn put_first(mut found: Vec<Candidate<Round>>, own: Option<Move>) -> Vec<Candidate<Round>> {
    if let Some(place) = found.iter().position(|candidate| own.is_some() && candidate.first() == own.as_ref()) {
        found[..=place].rotate_right(1);
    }
    found
}

/// Lists what a seat may give away: three cards at once, or the next one if it has begun.
fn gifts(round: &Round, seat: u8, policy: &mut HeuristicPolicy) -> Vec<Candidate<Round>> {
    if round.legal(seat).len() < 14 {
        return round.legal(seat).into_iter().map(|chosen| vec![chosen]).collect();
    }
    policy.gifts(round, seat, GIFTS).into_iter().map(|three| three.map(Move::give).to_vec()).collect()
}

/// Lists the wishes for values that others hold; any wish if there are none.
fn wishes(round: &Round, seat: u8) -> Vec<Candidate<Round>> {
    let unseen = Cards::DECK.minus(round.played()).minus(round.hand(seat));
    let held = |&value: &u8| unseen.count(value) > 0 || unseen.intersection(Cards::SUITED).is_empty();
    (LOWEST..=ACE).filter(held).map(|value| vec![Move::wish(value)]).collect()
}

/// Lists silence and the bombs on an opponent's trick.
fn bombs(round: &Round, seat: u8, policy: &mut HeuristicPolicy) -> Vec<Candidate<Round>> {
    let mut found = vec![Vec::new()];
    if round.owner >= SEATS || round.owner % 2 == seat % 2 || !round.may_bomb(seat) {
        return found;
    }
    let bombs = round.legal(seat).into_iter().filter(|chosen| chosen.verb() == Verb::Play);
    found.extend(bombs.map(|chosen| vec![chosen]));
    let own = policy.interrupt(round, seat, &mut Random::new(0));
    put_first(found, own)
}

/// Lists plays, with small Tichu where it may pay.
fn plays(round: &Round, seat: u8, settings: &Settings, policy: &mut HeuristicPolicy) -> Vec<Candidate<Round>> {
    let ranked = policy.rank(round, seat);
    let may_call = round.callers >> seat & 1 == 1
        && round.calls[at(seat ^ 2)] == 0
        && !is_too_late(&Known::of(&Sight { round, seat }));
    let calls = may_call && policy.calls_small(round, seat);
    let with = |chosen: Move, call: bool| if call { vec![Move::TICHU, chosen] } else { vec![chosen] };
    let best = ranked.first().map_or(0, |&(_, value)| value);
    let near = |&&(_, value): &&(Move, i32)| best - value <= GAP;
    let mut found: Vec<Candidate<Round>> =
        ranked.iter().take(settings.candidates).filter(near).map(|&(chosen, _)| with(chosen, calls)).collect();
    if may_call && (calls || policy.price() < SMALL_BELOW) {
        // Who passes can still call in the next turn.
        let worth_it = |&&(chosen, _): &&(Move, i32)| calls || chosen != Move::PASS;
        let other = ranked.iter().filter(worth_it).take(CALLS);
        found.extend(other.map(|&(chosen, _)| with(chosen, !calls)));
    }
    found
}
