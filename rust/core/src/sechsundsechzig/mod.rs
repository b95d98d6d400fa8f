//! Sechsundsechzig: one game from any moment to its end, its exact worth with open hands, and a search over samples.
//!
//! A card is a number from 0 to 23, colour by colour, each from the ace down to the nine. Of two cards of one colour, the
//! lower number wins.

pub mod encoding;
pub mod endgame;
pub mod evidence;
pub mod game;
pub mod moves;
pub mod past;
pub mod round;
pub mod rule;
pub mod search;
pub mod series;
pub mod solver;

/// The number of cards of a colour.
pub const RANKS: u32 = 6;
/// The number of colours.
pub const COLOURS: u32 = 4;
/// The number of cards.
pub const CARDS: u32 = RANKS * COLOURS;
/// All cards.
pub const ALL: u32 = (1 << CARDS) - 1;
/// The points of a card by its place in its colour: ace, ten, king, queen, jack, nine.
const VALUES: [u16; RANKS as usize] = [11, 10, 4, 3, 2, 0];
const TEN: u32 = 1;
const KING: u32 = 2;
const QUEEN: u32 = 3;
const NINE: u32 = 5;
/// The cards of the first colour.
const COLOUR: u32 = 0b11_1111;

/// The points that a player needs to stop.
pub const ENOUGH: u16 = 66;
/// A loser with at most this many points, and a trick, loses two game points.
const FEW: u16 = 32;
/// The game points that a player forfeits by stopping or closing without enough points; no game is worth more.
pub const MOST: i8 = 3;
const PAIR_POINTS: u16 = 20;
const TRUMP_PAIR_POINTS: u16 = 30;

const fn value(card: u32) -> u16 {
    VALUES[(card % RANKS) as usize]
}

/// Returns the cards of a colour.
const fn colour(colour: u32) -> u32 {
    COLOUR << (RANKS * colour)
}

/// Returns the king and queen of a colour.
const fn pair(colour: u32) -> u32 {
    (1 << KING | 1 << QUEEN) << (RANKS * colour)
}

/// Returns the cards of the pairs that a hand holds.
fn pairs(hand: u32) -> u32 {
    (0..COLOURS).map(pair).filter(|pair| hand & pair == *pair).sum()
}

/// Returns whether the second card of a trick wins it.
const fn takes(card: u32, led: u32, trump: u32) -> bool {
    if card / RANKS == led / RANKS { card < led } else { card / RANKS == trump }
}

/// Returns the cards of a set in ascending order.
fn cards(mut set: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let card = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(card)
    })
}

/// The cards of a colour with three places between them, the nine first: there is room for the other colours.
static SPREAD: [u32; 1 << RANKS] = spread();

const fn spread() -> [u32; 1 << RANKS] {
    let mut table = [0; 1 << RANKS];
    let mut set = 0;
    while set < table.len() {
        let mut rank = 0;
        while rank < RANKS {
            table[set] |= (set as u32 >> rank & 1) << (COLOURS * (RANKS - 1 - rank));
            rank += 1;
        }
        set += 1;
    }
    table
}

/// Returns the cards of a set from the cheapest to the dearest: by points, trumps last.
fn by_cost(set: u32, trump: u32) -> impl Iterator<Item = u32> {
    let spread = |colour: u32| SPREAD[(set >> (RANKS * colour) & COLOUR) as usize] << colour;
    let plain = (0..COLOURS).filter(|&colour| colour != trump).fold(0, |plain, colour| plain | spread(colour));
    let card = |place| RANKS * (place % COLOURS) + RANKS - 1 - place / COLOURS;
    cards(plain).chain(cards(spread(trump))).map(card)
}
