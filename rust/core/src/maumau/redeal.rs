//! Deals cards anew to places in which not every card is possible.

use crate::random::Random;

/// Assigns cards at random to places where they are possible: sets of cards, one for each card.
///
/// A card in an impossible place is exchanged for another. All assignments are equally likely if all restricted places
/// have the same restriction, and approximately so otherwise. At least one assignment must exist.
pub fn spread(dealt: &mut [u8], places: &[u32], random: &mut Random) {
    random.shuffle(dealt);
    let mut pending: Vec<usize> = (0..dealt.len()).filter(|&place| places[place] >> dealt[place] & 1 == 0).collect();
    while let Some(place) = pending.pop() {
        let (possible, card) = (places[place], dealt[place]);
        if possible >> card & 1 == 1 {
            continue;
        }
        let fitting = (0..dealt.len()).filter(|&other| possible >> dealt[other] & 1 == 1);
        // Prefer an exchange that suits both places; otherwise the other place is handled next.
        let both: Vec<usize> = fitting.clone().filter(|&other| places[other] >> card & 1 == 1).collect();
        let choices = if both.is_empty() { fitting.collect() } else { both };
        let other = choices[random.below(choices.len() as u64) as usize];
        dealt.swap(place, other);
        pending.push(other);
    }
}

/// Returns whether the cards can be assigned to the places, each to one where it is possible.
#[must_use]
pub fn is_possible(cards: &[u8], places: &[u32]) -> bool {
    // Augmenting paths, a place at a time; `holders` has the place of each card.
    let mut holders: Vec<Option<usize>> = vec![None; cards.len()];
    (0..places.len()).all(|place| seat(place, cards, places, &mut holders, &mut vec![false; cards.len()]))
}

fn seat(place: usize, cards: &[u8], places: &[u32], holders: &mut [Option<usize>], tried: &mut [bool]) -> bool {
    for (number, &card) in cards.iter().enumerate() {
        if places[place] >> card & 1 == 1 && !tried[number] {
            tried[number] = true;
            if holders[number].is_none_or(|holder| seat(holder, cards, places, holders, tried)) {
                holders[number] = Some(place);
                return true;
            }
        }
    }
    false
}
