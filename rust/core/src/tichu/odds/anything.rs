//! Hands without anything that may be laid on a combination, including bombs.

use super::automaton::{Automaton, Search, active_above};
use super::walk::{Layer, Line, Rests, Walk};
use super::{same_kind, share};
use crate::tichu::cards::{ACE, Cards, DRAGON_VALUE, LOWEST};
use crate::tichu::combinations::{Combination, Kind};

/// The cards without a suit.
const SPECIALS: Cards = Cards::DOG.union(Cards::MAH_JONG).union(Cards::DRAGON).union(Cards::PHOENIX);

/// Returns, for each combination in order and each size, the share of hands with something to lay on it.
///
/// Combinations of one family are counted on one walk down from the ace, which ends at a different value for each rank;
/// the possibilities of the values below are the same for nearly all families, and counted once.
pub fn table(unseen: Cards, sizes: &[u32], lying: &[Combination]) -> Vec<f64> {
    let mut shares = Vec::with_capacity(lying.len() * sizes.len());
    let mut rows = Vec::with_capacity(lying.len());
    for (row, &combination) in lying.iter().enumerate() {
        if combination.kind == Kind::Bomb && combination.length > 4 {
            shares.extend(sizes.iter().map(|&size| {
                share(unseen, size, same_kind::hands_without(unseen, size as usize, combination, Search::Higher))
            }));
            continue;
        }
        // Any card tops the dog, because it loses the lead.
        shares.extend(sizes.iter().map(|&size| if size > 0 { 1.0 } else { 0.0 }));
        if combination != Combination::DOG {
            rows.push((row, combination));
        }
    }
    rows.sort_unstable_by_key(|&(_, combination)| (family(combination), active_above(combination)));
    let hidden = Hidden::new(unseen, sizes);
    let first = rows.iter().map(|&(_, combination)| active_above(combination)).min();
    let rests = Rests::new(&hidden.walk, first.unwrap_or_default());
    for rows in rows.chunk_by(|left, right| family(left.1) == family(right.1)) {
        let hands = hidden.hands_without(&rests, rows);
        for ((row, _), hands) in rows.iter().zip(hands.chunks_exact(sizes.len().max(1))) {
            for ((share_of, &size), &nothing) in shares[row * sizes.len()..].iter_mut().zip(sizes).zip(hands) {
                *share_of = share(unseen, size, nothing);
            }
        }
    }
    shares
}

/// Returns what combinations counted on one walk have in common: type and length, and whether it is the dragon.
fn family(combination: Combination) -> (Kind, u8, bool) {
    (combination.kind, combination.length, is_dragon(combination))
}

fn is_dragon(combination: Combination) -> bool {
    combination.kind == Kind::Single && combination.rank == DRAGON_VALUE
}

/// The hidden hands: their possible cards and their maximum sizes.
struct Hidden<'a> {
    unseen: Cards,
    sizes: &'a [u32],
    walk: Walk,
}

impl<'a> Hidden<'a> {
    fn new(unseen: Cards, sizes: &'a [u32]) -> Self {
        let line: Line = (LOWEST..=ACE).rev().map(|value| unseen.suits(value)).collect();
        let largest = sizes.iter().max().copied().unwrap_or_default();
        Self { unseen, sizes, walk: Walk::without_suit_streets(&line, largest as usize) }
    }

    /// Counts the hands with nothing, for the combinations of one family, those with fewer active values first, and
    /// each size.
    fn hands_without(&self, rests: &Rests, rows: &[(usize, Combination)]) -> Vec<f64> {
        let mut hands = vec![0.0; rows.len() * self.sizes.len()];
        let Some(&(_, combination)) = rows.last() else { return hands };
        let most = active_above(combination);
        for phoenix in [false, true] {
            let Some(loose) = self.loose(combination, phoenix) else { continue };
            let mut automaton = Automaton::against(combination, phoenix, Search::Higher);
            if combination.kind != Kind::Bomb {
                automaton = automaton.without_fours();
            }
            let mut layer = self.walk.start(loose);
            let mut next = Layer::default();
            let mut level = 0;
            for (&(_, lying), hands) in rows.iter().zip(hands.chunks_exact_mut(self.sizes.len().max(1))) {
                while level < active_above(lying) {
                    self.walk.advance(level, &automaton, most - level - 1, &layer, &mut next);
                    std::mem::swap(&mut layer, &mut next);
                    level += 1;
                }
                for (hands, &size) in hands.iter_mut().zip(self.sizes) {
                    if let Some(size) = (size as usize).checked_sub(usize::from(phoenix)) {
                        *hands += self.walk.join(level, &automaton, &layer, rests, size);
                    }
                }
            }
        }
        hands
    }

    /// Returns how many special cards a hand with or without the phoenix may hold besides it without topping the
    /// combination.
    ///
    /// `None` if no such hand is to be counted: the phoenix is not unseen, or it tops the combination by itself, or it
    /// is as useless as the dog and counted like it.
    fn loose(&self, combination: Combination, phoenix: bool) -> Option<u32> {
        let powerless = match combination.kind {
            Kind::Single if !is_dragon(combination) => Cards::DOG.union(Cards::MAH_JONG),
            Kind::Single | Kind::Bomb => SPECIALS,
            _ => SPECIALS.minus(Cards::PHOENIX),
        };
        if phoenix
            && (combination.kind == Kind::Single
                || powerless.contains(Cards::PHOENIX)
                || !self.unseen.contains(Cards::PHOENIX))
        {
            return None;
        }
        Some(self.unseen.intersection(powerless).len())
    }
}
