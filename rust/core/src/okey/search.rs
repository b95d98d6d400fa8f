//! How soon a rack can win: what each put leaves is tried with the same samples of the tiles that come next.
//!
//! In a sample, the tiles to be drawn are known (hindsight): a put is worth the more, the fewer of them complete the rack.
//! No tile is put meanwhile, so every rack wins too soon; but the puts are only compared. In the same way, taking a tile
//! from the exchange stack is compared with drawing an unseen one, which may win a turn earlier.

use std::iter::repeat_n;

use super::covering::{covers_more, spared};
use super::round::SEATS;
use super::tiles::{COPIES, HELD, JOKER, KINDS, Tile, Tiles};
use crate::random::{Random, derive};

/// The worth of winning in this turn, or so many turns later: others may win before.
const WORTH: [u64; 9] = [1000, 700, 490, 343, 240, 168, 118, 82, 58];
/// The number of turns that a sample lasts.
const TURNS: usize = WORTH.len() - 1;
/// The number of samples between two questions whether to go on.
const PAUSE: usize = 64;
/// The share of the worth that is lost if the next player certainly has use for the tile, in thousandths.
const FEED: u64 = 30;
/// The weight of a tile that the next player is known to hold, in unseen ones.
const KNOWN: u64 = 4;
/// The ways in which a tile completes a group, if two unseen copies are left of each other tile.
const MOST_WAYS: u64 = 24;

/// Returns the worth of each of some puts, the higher the better; a win in this turn in each sample is a thousand each.
///
/// `next` has the tiles that the next player is known to hold. None if `proceed` has returned false.
#[must_use]
pub fn worths(
    rack: Tiles,
    puts: &[Tile],
    next: Tiles,
    samples: &Samples,
    proceed: &mut dyn FnMut() -> bool,
) -> Option<Vec<u64>> {
    let kinds = with_all(Tiles::default(), puts).each_once();
    let mut worths = [0; KINDS as usize];
    samples.each(|tiles| try_sample(rack, kinds, tiles, &mut worths), proceed)?;
    let fed = |tile| FEED * use_of(tile, samples.unseen, next).min(MOST_WAYS) / MOST_WAYS;
    Some(puts.iter().map(|&tile| worths[usize::from(tile)] * (1000 - fed(tile)) / 1000).collect())
}

/// Returns the worth of drawing an unseen tile, and of taking this one from the exchange stack, on the scale of
/// [`worths`]. None if `proceed` has returned false.
#[must_use]
pub fn draws(rack: Tiles, tile: Tile, samples: &Samples, proceed: &mut dyn FnMut() -> bool) -> Option<[u64; 2]> {
    let taken = rack.with(tile);
    let at_once = wins(taken);
    let mut worths = [0; 2];
    let try_both = |tiles: &[Tile]| {
        worths[0] += soonest(rack, tiles, &WORTH);
        // Both have the same number of turns.
        worths[1] += if at_once { WORTH[0] } else { soonest(taken, tiles, &WORTH[1..TURNS]) };
    };
    samples.each(try_both, proceed)?;
    Some(worths)
}

/// Returns the payoff that can be expected of a worth, as games against the rules of thumb have shown it.
///
/// `worth` is a share of a win in this turn, `left` the number of tiles in the main stack: the fewer, the sooner others
/// win. The payoff goes from −⅓ for losing to 1 for winning.
#[must_use]
pub fn payoff(worth: f64, left: u8) -> f64 {
    /// The worth of the others when the main stack is empty, and the factor for each tile that it has.
    const RIVALS: f64 = 2.0;
    const LATER: f64 = 0.945;
    let chance = worth / (worth + RIVALS * LATER.powi(left.into()) * (1.0 - worth));
    (SEATS as f64 * chance - 1.0) / (SEATS - 1) as f64
}

/// Samples of the tiles to come.
#[derive(Clone, Copy, Debug)]
pub struct Samples {
    /// The tiles that may be drawn.
    pub unseen: Tiles,
    /// The number of samples.
    pub count: usize,
    /// The seed of all of them.
    pub seed: u64,
}

impl Samples {
    /// Returns the worth of a win in this turn in each sample.
    #[must_use]
    pub const fn most(&self) -> u64 {
        WORTH[0] * self.count as u64
    }

    /// Calls a function with the next tiles in each sample, until `proceed` returns false.
    fn each(&self, mut call: impl FnMut(&[Tile]), proceed: &mut dyn FnMut() -> bool) -> Option<()> {
        let (mut all, mut count) = ([JOKER; (KINDS * COPIES) as usize], 0);
        for tile in self.unseen.kinds().flat_map(|tile| repeat_n(tile, usize::from(self.unseen.holds(tile)))) {
            all[count] = tile;
            count += 1;
        }
        for number in 0..if count == 0 { 0 } else { self.count } {
            if number % PAUSE == PAUSE - 1 && !proceed() {
                return None;
            }
            let mut tiles = all;
            // Each unseen tile comes first equally often: the next draw counts most.
            tiles.swap(0, number % count);
            let mut random = Random::new(derive(self.seed, &[number as u64]));
            let turns = count.min(TURNS);
            for place in 1..turns {
                let other = place + random.below((count - place) as u64) as usize;
                tiles.swap(place, other);
            }
            call(&tiles[..turns]);
        }
        Some(())
    }
}

/// Returns the worth of a rack that gets these tiles one after the other, as long as a win has a worth.
fn soonest(mut rack: Tiles, tiles: &[Tile], worths: &[u64]) -> u64 {
    let tiles = &tiles[..tiles.len().min(worths.len())];
    // Usually all of them do not suffice, which one search shows.
    let Some((_, before)) = tiles.split_last().filter(|_| wins(with_all(rack, tiles))) else { return 0 };
    let wins_with = |&tile: &Tile| {
        rack = rack.with(tile);
        wins(rack)
    };
    worths[before.iter().position(wins_with).unwrap_or(before.len())]
}

/// Adds the worth of each put whose rest wins with the next tiles.
fn try_sample(mut rack: Tiles, puts: Tiles, tiles: &[Tile], worths: &mut [u64]) {
    if !wins(with_all(rack, tiles)) {
        return;
    }
    let mut waiting = puts;
    for (&tile, worth) in tiles.iter().zip(&WORTH[1..]) {
        rack = rack.with(tile);
        let won = spared(rack, waiting, HELD as u8);
        won.kinds().for_each(|put| worths[usize::from(put)] += worth);
        waiting = Tiles { once: waiting.once & !won.once, jokers: waiting.jokers & !won.jokers, ..waiting };
    }
}

fn with_all(rack: Tiles, tiles: &[Tile]) -> Tiles {
    tiles.iter().fold(rack, |rack, &tile| rack.with(tile))
}

/// Returns whether some tiles of a rack are a winning layout.
fn wins(rack: Tiles) -> bool {
    covers_more(rack, HELD as u8 - 1, HELD as u8)
}

/// Returns the number of ways in which a tile would complete a group of the next player.
fn use_of(tile: Tile, unseen: Tiles, next: Tiles) -> u64 {
    if tile == JOKER {
        return MOST_WAYS;
    }
    let (colour, number) = (u32::from(tile - 1) / 13, i32::from(tile - 1) % 13);
    let copies = |colour: u32, number: i32| {
        let other =
            Tile::try_from(number).ok().filter(|&number| number < 13).map(|number| 13 * colour as u8 + number + 1);
        other.map_or(0, |other| u64::from(unseen.holds(other)) + KNOWN * u64::from(next.holds(other)))
    };
    let [below, under, over, above] = [-2, -1, 1, 2].map(|step| copies(colour, number + step));
    let equal: Vec<u64> = (0..4).filter(|&other| other != colour).map(|other| copies(other, number)).collect();
    below * under + under * over + over * above + equal[0] * equal[1] + equal[1] * equal[2] + equal[0] * equal[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payoffs_rise_with_worth_from_losing_to_winning() {
        for left in [0, 20, 49] {
            let payoffs: Vec<f64> = (0..=100).map(|worth| payoff(f64::from(worth) / 100.0, left)).collect();
            assert!(payoffs.is_sorted(), "{left}: {payoffs:?}");
            assert!((payoffs[0] + 1.0 / 3.0).abs() < 1e-12 && (payoffs[100] - 1.0).abs() < 1e-12);
        }
        assert!(payoff(0.2, 10) < payoff(0.2, 40));
    }
}
