//! The deal of a round.

use super::cards::{Cards, DECK_SIZE};
use crate::random::{Random, derive, word};

/// Returns the cards of a round, a function of only the game's seed and the number of the round: the first eight cards
/// of each of the four seats, then the six more of each.
#[must_use]
pub fn deal(seed: u64, round: u64) -> [Cards; 8] {
    let mut deck: [u32; DECK_SIZE as usize] = std::array::from_fn(|index| index as u32);
    Random::new(derive(seed, &[word("deal"), round])).shuffle(&mut deck);
    let mut cards = deck.into_iter().map(Cards::at);
    let sizes = [8, 8, 8, 8, 6, 6, 6, 6];
    sizes.map(|size| cards.by_ref().take(size).fold(Cards::EMPTY, Cards::union))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deal_is_frozen_and_gives_out_the_whole_deck() {
        let deal = deal(7, 3);
        assert_eq!(deal.into_iter().fold(Cards::EMPTY, Cards::union), Cards::DECK);
        assert_eq!(deal.map(Cards::len), [8, 8, 8, 8, 6, 6, 6, 6]);
        assert_eq!(deal[0].to_string(), "SA SD GB S8 R7 S7 G4 Hu");
    }
}
