//! How soon a rack can win: what each put leaves is tried with the same samples of the tiles that come next.
//!
//! In a sample, the tiles to be drawn are known (hindsight): a put is worth the more, the fewer of them complete the rack.
//! No tile is put meanwhile, so every rack wins too soon; but the puts are only compared. In the same way, taking a tile
//! from the exchange stack is compared with drawing an unseen one, which may win a turn earlier.

use super::covering::Search;
use super::{Counts, JOKER, KINDS, Rack, Tile};
use crate::random::{Random, derive};

/// The number of tiles in a winning layout.
const LAYOUT: u8 = 14;
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
/// `next` has the tiles that the next player is known to hold. Once `proceed` returns false, it stops.
#[must_use]
pub fn worths(
    rack: Rack,
    puts: &[Tile],
    next: &[Tile],
    samples: &Samples<'_>,
    proceed: &mut dyn FnMut() -> bool,
) -> Vec<u64> {
    let rests: Vec<Rack> = puts.iter().map(|&tile| rack.without(tile)).collect();
    let mut worths = vec![0; puts.len()];
    samples.each(|tiles| try_sample(rack, &rests, tiles, &mut worths), proceed);
    for (worth, &tile) in worths.iter_mut().zip(puts) {
        *worth = *worth * (1000 - FEED * use_of(tile, samples.unseen, next).min(MOST_WAYS) / MOST_WAYS) / 1000;
    }
    worths
}

/// Returns the worth of drawing an unseen tile, and of taking this one from the exchange stack, on the scale of
/// [`worths`].
#[must_use]
pub fn draws(rack: Rack, tile: Tile, samples: &Samples<'_>, proceed: &mut dyn FnMut() -> bool) -> [u64; 2] {
    let taken = rack.with(tile);
    let mut worths = [0; 2];
    let try_both = |tiles: &[Tile]| {
        worths[0] += soonest(rack, tiles, &WORTH);
        // Both have the same number of turns.
        worths[1] += if wins(taken) { WORTH[0] } else { soonest(taken, tiles, &WORTH[1..TURNS]) };
    };
    samples.each(try_both, proceed);
    worths
}

/// Samples of the tiles to come.
#[derive(Clone, Copy, Debug)]
pub struct Samples<'a> {
    /// The tiles that may be drawn.
    pub unseen: &'a Counts,
    /// The number of samples.
    pub count: usize,
    /// The seed of all of them.
    pub seed: u64,
}

impl Samples<'_> {
    /// Calls a function with the next tiles in each sample, until `proceed` returns false.
    fn each(&self, mut call: impl FnMut(&[Tile]), proceed: &mut dyn FnMut() -> bool) {
        let kinds = (0..KINDS).flat_map(|tile| std::iter::repeat_n(tile, usize::from(self.unseen.of(tile))));
        let all: Vec<Tile> = kinds.collect();
        for number in 0..if all.is_empty() { 0 } else { self.count } {
            if number % PAUSE == PAUSE - 1 && !proceed() {
                return;
            }
            let mut tiles = all.clone();
            // Each unseen tile comes first equally often: the next draw counts most.
            tiles.swap(0, number % all.len());
            let mut random = Random::new(derive(self.seed, &[number as u64]));
            for place in 1..tiles.len().min(TURNS) {
                let other = place + random.below((tiles.len() - place) as u64) as usize;
                tiles.swap(place, other);
            }
            tiles.truncate(TURNS);
            call(&tiles);
        }
    }
}

/// Returns the worth of a rack that gets these tiles one after the other.
fn soonest(mut rack: Rack, tiles: &[Tile], worths: &[u64]) -> u64 {
    let wins_with = |&tile: &Tile| {
        rack = rack.with(tile);
        wins(rack)
    };
    tiles.iter().position(wins_with).and_then(|turns| worths.get(turns)).copied().unwrap_or_default()
}

/// Adds the worth of each rest that wins with the next tiles.
fn try_sample(rack: Rack, rests: &[Rack], tiles: &[Tile], worths: &mut [u64]) {
    let mut waiting: Vec<(usize, Rack)> = rests.iter().copied().enumerate().collect();
    let mut all = rack;
    for (&tile, worth) in tiles.iter().zip(&WORTH[1..]) {
        all = all.with(tile);
        for (_, rest) in &mut waiting {
            *rest = rest.with(tile);
        }
        // What the whole rack cannot do, no rest can.
        if wins(all) {
            waiting.retain(|&(place, rest)| {
                let won = wins(rest);
                if won {
                    worths[place] += worth;
                }
                !won
            });
        }
    }
}

/// Returns whether some tiles of a rack are a winning layout.
fn wins(rack: Rack) -> bool {
    Search::run(rack, LAYOUT - 1, LAYOUT).best == LAYOUT
}

/// Returns the number of ways in which a tile would complete a group of the next player.
fn use_of(tile: Tile, unseen: &Counts, next: &[Tile]) -> u64 {
    if tile == JOKER {
        return MOST_WAYS;
    }
    let (colour, number) = (u32::from(tile - 1) / 13, i32::from(tile - 1) % 13);
    let copies = |colour: u32, number: i32| {
        let other =
            Tile::try_from(number).ok().filter(|&number| number < 13).map(|number| 13 * colour as u8 + number + 1);
        other.map_or(0, |other| {
            let held: u64 = next.iter().map(|&tile| u64::from(tile == other)).sum();
            u64::from(unseen.of(other)) + KNOWN * held
        })
    };
    let [below, under, over, above] = [-2, -1, 1, 2].map(|step| copies(colour, number + step));
    let equal: Vec<u64> = (0..4).filter(|&other| other != colour).map(|other| copies(other, number)).collect();
    below * under + under * over + over * above + equal[0] * equal[1] + equal[1] * equal[2] + equal[0] * equal[2]
}
