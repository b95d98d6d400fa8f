//! Generates every way to lay a combination of a given kind from a hand, in the order of results.
//!
//! The generators allocate nothing per combination and sort nothing: they choose cards from the highest value down and
//! suits from the lowest bit up, so the masks come out in ascending order. Plays with the phoenix follow those without
//! it, since its bit is the highest.

use super::cards::{ACE, Cards, value_at};
use super::combinations::{Combination, Kind};
use super::hand::Hand;
use super::plays::Play;
use super::shape::{ALL_VALUES, MAH_JONG_FLAG, Shape, TO_FLAGS, between, bits, flag, lowest};

const PHOENIX: u64 = Cards::PHOENIX.mask();
/// The natural cards of streets.
const STREET_CARDS: u64 = Cards::SUITED.union(Cards::MAH_JONG).mask();
/// The minimum number of cards in a street, including those of one suit.
pub const SHORTEST_STREET: u8 = 5;
/// The maximum number of cards in a street.
const LONGEST_STREET: u8 = 14;
/// Every fourth bit from the first: shifted to a card, the cards of its suit in successive values.
const EVERY_FOURTH: u64 = 0x1111_1111_1111_1111;

/// For each set of suits, some of its subsets in ascending order, packed into a word with a nibble each.
type Choices = [u64; 16];
static ONE: Choices = choices(1, 1);
static ONE_OR_TWO: Choices = choices(1, 2);
static TWO: Choices = choices(2, 2);
static TWO_OR_THREE: Choices = choices(2, 3);
static THREE: Choices = choices(3, 3);

const fn choices(fewest: u32, most: u32) -> Choices {
    let mut table = [0; 16];
    let mut suits: usize = 0;
    while suits < 16 {
        let mut subset = suits as u64;
        while subset > 0 {
            if fewest <= subset.count_ones() && subset.count_ones() <= most {
                table[suits] = table[suits] << 4 | subset;
            }
            subset = (subset - 1) & suits as u64;
        }
        suits += 1;
    }
    table
}

/// Combinations over several values, as flags of the highest value for each number of values.
pub type Tops = [u64; LONGEST_STREET as usize + 1];

/// Returns the empty start of a play that forms this combination.
const fn start(kind: Kind, length: u8, rank: u8) -> Play {
    Play::new(Cards::EMPTY, Combination { kind, length, rank })
}

impl Hand {
    /// Returns the masks of the ways to choose cards of the value with this flag, in ascending order.
    fn choose(&self, choices: &'static Choices, value: u64) -> impl Iterator<Item = u64> + use<> {
        let shift = value.trailing_zeros();
        let mut packed = choices[((self.mask() << TO_FLAGS) >> shift & 0b1111) as usize];
        std::iter::from_fn(move || {
            let chosen = ((packed & 0b1111) << shift) >> TO_FLAGS;
            packed >>= 4;
            (chosen != 0).then_some(chosen)
        })
    }

    /// Adds the bombs that are longer than this, or as long and higher.
    pub(super) fn push_bombs(&self, length: u8, rank: u8, plays: &mut Vec<Play>) {
        if self.suit_runs != 0 {
            self.push_suit_streets(length, rank, plays);
        }
        if length <= 4 {
            for four in bits(self.shape.fours) {
                let value = lowest(four);
                if length < 4 || value > rank {
                    plays.push(start(Kind::Bomb, 4, value).with(Cards::of_value(value).mask()));
                }
            }
        }
    }

    fn push_suit_streets(&self, length: u8, rank: u8, plays: &mut Vec<Play>) {
        let suited = self.cards.intersection(Cards::SUITED).mask();
        let mut starts: Tops = [0; _];
        let mut longest = SHORTEST_STREET;
        let mut longer = self.suit_runs;
        while longer != 0 {
            starts[usize::from(longest)] = longer;
            longer &= suited >> (4 * longest);
            longest += 1;
        }
        for long in (SHORTEST_STREET.max(length)..longest).rev() {
            for lowest in bits(starts[usize::from(long)]) {
                let top = value_at(lowest.trailing_zeros()) + long - 1;
                if long > length || top > rank {
                    plays.push(start(Kind::Bomb, long, top).with(suit_street(long, lowest)));
                }
            }
        }
    }

    /// Adds the single cards of this value and above.
    pub(super) fn push_singles(&self, lowest_value: u8, plays: &mut Vec<Play>) {
        let single = start(Kind::Single, 1, 0).place();
        for card in bits(self.cards.intersection(Cards::from_value(lowest_value)).mask()) {
            plays.push(Play::at(single + value_at(card.trailing_zeros()), card));
        }
    }

    /// Adds the pairs of the values with these flags.
    pub(super) fn push_pairs(&self, values: u64, plays: &mut Vec<Play>) {
        self.push_alike(Kind::Pair, &TWO, &ONE, values & self.tops_of_pairs(), plays);
    }

    /// Adds the triples of the values with these flags.
    pub(super) fn push_triples(&self, values: u64, plays: &mut Vec<Play>) {
        self.push_alike(Kind::Triple, &THREE, &TWO, values & self.tops_of_triples(), plays);
    }

    fn push_alike(
        &self,
        kind: Kind,
        natural: &'static Choices,
        phoenix: &'static Choices,
        values: u64,
        plays: &mut Vec<Play>,
    ) {
        for value in bits(values) {
            let play = start(kind, kind as u8, lowest(value));
            plays.extend(self.choose(natural, value).map(|cards| play.with(cards)));
            if self.has_phoenix() {
                plays.extend(self.choose(phoenix, value).map(|cards| play.with(cards | PHOENIX)));
            }
        }
    }

    /// Returns the values that form pairs, as flags.
    pub(super) fn tops_of_pairs(&self) -> u64 {
        if self.has_phoenix() { self.shape.ones & !MAH_JONG_FLAG } else { self.shape.pairs }
    }

    /// Returns the values that form triples, and possibly full houses, as flags.
    pub(super) fn tops_of_triples(&self) -> u64 {
        if self.has_phoenix() { self.shape.pairs } else { self.shape.triples }
    }

    /// Returns the values of the triples in full houses, as flags.
    pub(super) fn tops_of_full_houses(&self) -> u64 {
        let Shape { ones, pairs, triples, .. } = self.shape;
        let suited = ones & !MAH_JONG_FLAG;
        bits(self.tops_of_triples())
            .filter(|&triple| {
                let natural = triples & triple != 0;
                let beside = if self.has_phoenix() { suited } else { pairs } & !triple != 0;
                (natural && beside) || (self.has_phoenix() && pairs & (triple - 1) != 0)
            })
            .fold(0, |tops, triple| tops | triple)
    }

    /// Adds the full houses whose triple has the value of this flag.
    pub(super) fn push_full_houses(&self, triple: u64, plays: &mut Vec<Play>) {
        let play = start(Kind::FullHouse, 5, lowest(triple));
        let below = self.shape.pairs & (triple - 1);
        for three in self.choose(&THREE, triple) {
            for pair in bits(below) {
                plays.extend(self.choose(&TWO, pair).map(|two| play.with(three | two)));
            }
        }
        for pair in bits(self.shape.pairs & !triple & !(triple - 1)) {
            for two in self.choose(&TWO, pair) {
                plays.extend(self.choose(&THREE, triple).map(|three| play.with(three | two)));
            }
        }
        if self.has_phoenix() {
            self.push_full_houses_with_phoenix(triple, play.with(PHOENIX), plays);
        }
    }

    fn push_full_houses_with_phoenix(&self, triple: u64, play: Play, plays: &mut Vec<Play>) {
        let lowest_of_triple = triple >> TO_FLAGS;
        let suited = self.cards.intersection(Cards::SUITED).mask();
        for chosen in self.choose(&TWO_OR_THREE, triple) {
            if chosen.count_ones() == 3 {
                plays.extend(bits(suited & (lowest_of_triple - 1)).map(|card| play.with(chosen | card)));
            } else {
                // The phoenix completes the higher of two pairs to a triple.
                for pair in bits(self.shape.pairs & (triple - 1)) {
                    plays.extend(self.choose(&TWO, pair).map(|two| play.with(chosen | two)));
                }
            }
        }
        for card in bits(suited & !(0b1111 * lowest_of_triple) & !(lowest_of_triple - 1)) {
            plays.extend(self.choose(&THREE, triple).map(|three| play.with(three | card)));
        }
    }

    /// Returns the highest values of the stairs of each number of steps, as flags.
    pub(super) fn tops_of_stairs(&self) -> Tops {
        let mut tops: Tops = [0; _];
        let mut full = self.shape.pairs;
        // The values where at most one step has only one card and the phoenix is the other.
        let mut half = if self.has_phoenix() { self.shape.ones & !MAH_JONG_FLAG } else { full };
        let halves = half;
        for steps in 2..=LONGEST_STREET / 2 {
            let shift = 4 * (steps - 1);
            half = half & (self.shape.pairs >> shift) | full & (halves >> shift);
            full &= self.shape.pairs >> shift;
            if half == 0 {
                break;
            }
            tops[usize::from(steps)] = half << shift;
        }
        tops
    }

    /// Adds the stairs with this number of steps whose highest value has this flag.
    pub(super) fn push_stairs(&self, steps: u8, top: u64, plays: &mut Vec<Play>) {
        let bottom = top >> (4 * (steps - 1));
        let play = start(Kind::Stair, 2 * steps, lowest(top));
        self.push_steps(top, bottom, false, play, plays);
        if self.has_phoenix() {
            self.push_steps(top, bottom, true, play.with(PHOENIX), plays);
        }
    }

    /// Adds the steps from one value down to another; `half` while one of them must still use a single card.
    fn push_steps(&self, step: u64, bottom: u64, half: bool, play: Play, plays: &mut Vec<Play>) {
        if step < bottom {
            if !half {
                plays.push(play);
            }
            return;
        }
        for chosen in self.choose(if half { &ONE_OR_TWO } else { &TWO }, step) {
            self.push_steps(step >> 4, bottom, half && chosen.count_ones() == 2, play.with(chosen), plays);
        }
    }

    /// Returns the highest values of the streets of each length, as flags.
    pub(super) fn tops_of_streets(&self) -> Tops {
        let mut tops: Tops = [0; _];
        let values = self.shape.ones;
        // By the flag of the lowest value: where no value is missing, and where at most one is.
        let mut whole = values;
        let mut nearly = if self.has_phoenix() { ALL_VALUES } else { values };
        for length in 2..=LONGEST_STREET {
            let shift = 4 * (length - 1);
            let longer = values >> shift;
            nearly &= longer;
            if self.has_phoenix() {
                nearly |= whole & (ALL_VALUES >> shift);
            }
            whole &= longer;
            if nearly == 0 {
                break;
            }
            if length >= SHORTEST_STREET {
                // The phoenix may stand at the low end only if it cannot stand above, and never for the Mah Jong.
                let under_ace = if length < LONGEST_STREET { flag(ACE + 1 - length) } else { 0 };
                tops[usize::from(length)] = (nearly & (values | under_ace)) << shift;
            }
        }
        tops
    }

    /// Adds the streets of this length whose highest value has this flag.
    pub(super) fn push_streets(&self, length: u8, top: u64, plays: &mut Vec<Play>) {
        let bottom = top >> (4 * (length - 1));
        let values = between(bottom, top);
        let play = start(Kind::Street, length, lowest(top));
        if values & !self.shape.ones != 0 {
            return self.push_one_of_each(values & self.shape.ones, play.with(PHOENIX), plays);
        }
        let first = plays.len();
        self.push_one_of_each(values, play, plays);
        for lowest in bits(self.suit_runs & cards_of(bottom)) {
            let bomb = play.with(suit_street(length, lowest));
            if let Ok(place) = plays[first..].binary_search(&bomb) {
                plays.remove(first + place);
            }
        }
        if self.has_phoenix() {
            let low_end = top == flag(ACE) && bottom != MAH_JONG_FLAG;
            self.push_with_phoenix(top, bottom, low_end, play.with(PHOENIX), plays);
        }
    }

    /// Adds the streets over values that are all present, in which the phoenix stands for one of them.
    fn push_with_phoenix(&self, top: u64, bottom: u64, low_end: bool, play: Play, plays: &mut Vec<Play>) {
        if top == bottom {
            if low_end {
                plays.push(play);
            }
            return;
        }
        self.push_one_of_each(between(bottom, top >> 4), play, plays);
        for card in bits(self.mask() & cards_of(top)) {
            self.push_with_phoenix(top >> 4, bottom, low_end, play.with(card), plays);
        }
    }

    /// Adds a play extended by one card of each of these values, for all choices of suits.
    fn push_one_of_each(&self, values: u64, play: Play, plays: &mut Vec<Play>) {
        let first = plays.len();
        let without_choice = self.mask() & STREET_CARDS & cards_of(values & !self.shape.pairs);
        plays.push(play.with(without_choice));
        for value in bits(values & self.shape.pairs) {
            let end = plays.len();
            let cards = self.mask() & cards_of(value);
            let lowest = cards & cards.wrapping_neg();
            for card in bits(cards ^ lowest) {
                for place in first..end {
                    plays.push(plays[place].with(card));
                }
            }
            for play in &mut plays[first..end] {
                *play = play.with(lowest);
            }
        }
    }
}

/// Returns the mask of all cards of the values with these flags.
const fn cards_of(values: u64) -> u64 {
    (values * 0b1111) >> TO_FLAGS
}

/// Returns the mask of the street of one suit with this lowest card.
const fn suit_street(length: u8, lowest: u64) -> u64 {
    (EVERY_FOURTH & ((1 << (4 * length)) - 1)) * lowest
}
