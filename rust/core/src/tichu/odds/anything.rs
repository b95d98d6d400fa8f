//! Hands that hold nothing at all to lay on a combination, no bomb either.

use super::automaton::{Automaton, Side, active_above};
use super::walk::{Layer, Line, Rests, Walk};
use super::{same_kind, share};
use crate::tichu::cards::{ACE, Cards, DRAGON_VALUE, LOWEST};
use crate::tichu::combinations::{Combination, Kind};

/// The cards without suit.
const SPECIALS: Cards = Cards::DOG.union(Cards::MAH_JONG).union(Cards::DRAGON).union(Cards::PHOENIX);

/// For each combination, one after the other, and each size: the share of hands that hold something to lay on it.
///
/// Combinations of one family are counted on one walk down from the ace, which is left at a different value for each
/// rank; what the values below leave open is the same for nearly all families, and counted once.
pub fn table(unseen: Cards, sizes: &[u32], lying: &[Combination]) -> Vec<f64> {
    let mut shares = Vec::with_capacity(lying.len() * sizes.len());
    let mut counted = Vec::new();
    for (row, &combination) in lying.iter().enumerate() {
        if combination.kind == Kind::Bomb && combination.length > 4 {
            shares.extend(sizes.iter().map(|&size| {
                share(unseen, size, same_kind::hands_without(unseen, size as usize, combination, Side::Above))
            }));
        } else {
            // All can top the dog, as the lead is lost; and as long as no hand is counted, none holds anything.
            shares.extend(sizes.iter().map(|&size| if size > 0 { 1.0 } else { 0.0 }));
            if combination != Combination::DOG {
                counted.push(row);
            }
        }
    }
    counted.sort_unstable_by_key(|&row| (family(lying[row]), active_above(lying[row])));
    let Some(first) = counted.iter().map(|&row| active_above(lying[row])).min() else { return shares };
    let defence = Defence::new(unseen, sizes);
    let rests = Rests::new(&defence.walk, first);
    for rows in counted.chunk_by(|&left, &right| family(lying[left]) == family(lying[right])) {
        let hands = defence.hands_without(&rests, rows.iter().map(|&row| lying[row]));
        for (&row, hands) in rows.iter().zip(hands.chunks_exact(sizes.len())) {
            for ((share_of, &size), &nothing) in shares[row * sizes.len()..].iter_mut().zip(sizes).zip(hands) {
                *share_of = share(unseen, size, nothing);
            }
        }
    }
    shares
}

/// What combinations have in common that are counted on one walk: type and length, and whether it is the dragon.
fn family(combination: Combination) -> (Kind, u8, bool) {
    (combination.kind, combination.length, is_dragon(combination))
}

fn is_dragon(combination: Combination) -> bool {
    combination.kind == Kind::Single && combination.rank == DRAGON_VALUE
}

/// The unseen cards and the hands to be counted of them.
struct Defence<'a> {
    unseen: Cards,
    sizes: &'a [u32],
    walk: Walk,
}

impl<'a> Defence<'a> {
    fn new(unseen: Cards, sizes: &'a [u32]) -> Self {
        let line: Line = (LOWEST..=ACE).rev().map(|value| unseen.suits(value)).collect();
        let largest = sizes.iter().max().copied().unwrap_or_default();
        Self { unseen, sizes, walk: Walk::without_suit_streets(&line, largest as usize) }
    }

    /// For combinations of one family, those with fewer active values first, and each size: the hands with nothing.
    fn hands_without(&self, rests: &Rests, family: impl ExactSizeIterator<Item = Combination> + Clone) -> Vec<f64> {
        let mut hands = vec![0.0; family.len() * self.sizes.len()];
        let Some(combination) = family.clone().next() else { return hands };
        for phoenix in [false, true] {
            let Some(loose) = self.loose(combination, phoenix) else { continue };
            let mut automaton = Automaton::against(combination, phoenix, Side::Above);
            if combination.kind != Kind::Bomb {
                automaton = automaton.without_fours();
            }
            let mut layer = self.walk.start(loose);
            let mut next = Layer::default();
            let mut level = 0;
            let most = family.clone().map(active_above).max().unwrap_or_default();
            for (member, hands) in family.clone().zip(hands.chunks_exact_mut(self.sizes.len())) {
                while level < active_above(member) {
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

    /// How many special cards hands with or without the phoenix may hold besides it without topping the combination.
    ///
    /// No number if no such hand is to be counted: the phoenix is not unseen, or it tops the combination by itself, or
    /// it is of no more use than the dog and counted as such.
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
