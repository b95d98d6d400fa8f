//! One game of Sechsundsechzig from any moment to its end, as a small copyable value for simulations.
//!
//! The engine in Python defines the rules; this is its fast twin, and tests play both in step.

use super::{
    ALL, CARDS, COLOURS, ENOUGH, FEW, MOST, NINE, PAIR_POINTS, RANKS, TRUMP_PAIR_POINTS, cards, colour, pair, pairs,
    takes, value,
};
use crate::random::Random;

/// The maximum points: 120 in the cards, and four announcements.
const ALL_POINTS: u16 = 210;
/// The number of cards in a hand, as long as cards are drawn.
pub const HAND: u32 = 6;

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Lay a card.
    Lay(u8),
    /// Swap the nine of trumps for the open card.
    Swap,
    /// Announce a pair that is not of trumps.
    Announce,
    /// Announce the pair of trumps.
    AnnounceTrump,
    /// Close the stock.
    Close,
    /// Stop with a claim of 66 points.
    Stop,
}

impl Move {
    /// Returns the move of a number: 0 to 23 lay that card; swap, announce, announce trump, close and stop follow.
    #[must_use]
    pub const fn from_code(code: u8) -> Option<Self> {
        Some(match code {
            0..24 => Self::Lay(code),
            24 => Self::Swap,
            25 => Self::Announce,
            26 => Self::AnnounceTrump,
            27 => Self::Close,
            28 => Self::Stop,
            _ => return None,
        })
    }

    /// Returns the number of the move.
    #[must_use]
    pub const fn code(self) -> u8 {
        match self {
            Self::Lay(card) => card,
            Self::Swap => 24,
            Self::Announce => 25,
            Self::AnnounceTrump => 26,
            Self::Close => 27,
            Self::Stop => 28,
        }
    }
}

/// The cards still to be drawn, of which the last is the open one: five bits for each card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stock {
    cards: u64,
    left: u8,
}

const BITS: u32 = 5;

impl Stock {
    /// Creates a stock from its cards in the order in which they are drawn.
    pub(super) fn new(cards: impl IntoIterator<Item = u8>) -> Self {
        cards.into_iter().fold(Self::default(), |stock, card| Self {
            cards: stock.cards | u64::from(card) << (BITS * u32::from(stock.left)),
            left: stock.left + 1,
        })
    }

    /// Returns the number of cards.
    #[must_use]
    pub const fn left(self) -> u8 {
        self.left
    }

    const fn at(self, place: u32) -> u32 {
        (self.cards >> (BITS * place)) as u32 & 31
    }

    /// Returns the open card.
    const fn open(self) -> Option<u32> {
        if self.left == 0 { None } else { Some(self.at(self.left as u32 - 1)) }
    }

    /// Returns the cards in the order in which they are drawn.
    pub(super) fn cards(self) -> impl Iterator<Item = u8> {
        (0..u32::from(self.left)).map(move |place| self.at(place) as u8)
    }

    /// Returns the set of the cards.
    fn set(self) -> u32 {
        self.cards().map(|card| 1 << card).sum()
    }

    /// Returns the cards of the winner and the loser of a trick, and the rest.
    pub(super) const fn drawn(self) -> (u32, u32, Self) {
        (self.at(0), self.at(1), Self { cards: self.cards >> (2 * BITS), left: self.left - 2 })
    }

    /// Returns the open card and the stock with another card in its place.
    pub(super) const fn swapped(self, nine: u32) -> (u32, Self) {
        let place = BITS * (self.left as u32 - 1);
        let opened = (self.cards >> place) as u32 & 31;
        (opened, Self { cards: self.cards & !(31 << place) | (nine as u64) << place, left: self.left })
    }
}

/// One of the two players.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The hand: a bit for each card.
    pub hand: u32,
    /// The cards of its tricks.
    pub taken: u32,
    /// The points, with announcements.
    pub points: u16,
    /// Whether it has closed the stock.
    pub closed: bool,
}

impl Side {
    /// Returns the game points of a winner with enough points whose opponent is this side.
    pub(super) const fn loses(&self) -> i8 {
        if self.taken == 0 {
            3
        } else if self.points <= FEW {
            2
        } else {
            1
        }
    }
}

/// A game at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// The players.
    pub sides: [Side; 2],
    /// The cards still to be drawn; none once it is closed.
    pub stock: Stock,
    /// The open card, also under a closed stock.
    pub open: Option<u32>,
    /// The trump colour, 0 to 3.
    pub trump: u32,
    /// The player to move.
    pub turn: usize,
    /// The card in the middle.
    pub led: Option<u32>,
    /// The announcement after which a card of the pair must be laid: whether it was of trumps.
    pub announced: Option<bool>,
    /// The game points of player 0 at the end, negative if the other gets them.
    pub result: Option<i8>,
}

/// The reason why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundError {
    /// A card or a colour does not exist.
    Unknown,
    /// A card is in two places.
    Shared,
    /// The hands have different sizes, or more cards than are dealt.
    Uneven,
    /// A side has more points than possible.
    Points,
    /// The stock cannot be drawn by turns.
    Stock,
    /// The player who leads does not hold the pair that is announced, or a card is led already.
    Pair,
    /// Both sides have closed the stock, or it is closed and has cards.
    Closed,
    /// The move is not legal.
    Illegal,
}

impl std::fmt::Display for RoundError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Unknown => "There are 24 cards, 4 colours and 2 players; the position has another one.",
            Self::Shared => "A card is in two places.",
            Self::Uneven => "Both hands must have the same number of cards, at most 6, the card led counted.",
            Self::Points => "There are no more than 210 points in a game.",
            Self::Pair => "A pair is announced by the player who leads and holds it.",
            Self::Stock => "A stock has an even number of cards, at most 12.",
            Self::Closed => "Only one side can have closed the stock, which then has no cards to draw.",
            Self::Illegal => "This move is not legal now.",
        })
    }
}

impl std::error::Error for RoundError {}

impl Round {
    /// Creates a game at a given moment. The stock has its cards in the order in which they are drawn, so the open card
    /// last; `open` is the open card of a closed stock.
    ///
    /// # Errors
    /// The position is impossible; see [`RoundError`].
    pub fn new(
        sides: [Side; 2],
        stock: &[u8],
        open: Option<u8>,
        trump: u32,
        turn: usize,
        led: Option<u8>,
        announced: Option<bool>,
    ) -> Result<Self, RoundError> {
        let known = |card: u8| u32::from(card) < CARDS;
        let all = sides.iter().fold(0, |all, side| all | side.hand | side.taken);
        if all & !ALL != 0 || trump >= COLOURS || turn > 1 || !stock.iter().copied().chain(open).chain(led).all(known) {
            return Err(RoundError::Unknown);
        }
        let stock_fits = stock.len() <= 12 && stock.len().is_multiple_of(2);
        if !stock_fits {
            return Err(RoundError::Stock);
        }
        let drawn = Stock::new(stock.iter().copied());
        let open = drawn.open().or(open.map(u32::from));
        let round = Self { sides, stock: drawn, open, trump, turn, led: led.map(u32::from), announced, result: None };
        round.check(stock.len())?;
        Ok(round)
    }

    fn check(&self, stock: usize) -> Result<(), RoundError> {
        let middle = self.led.map_or(0, |led| 1 << led);
        let places = [self.sides[0].hand, self.sides[1].hand, self.sides[0].taken, self.sides[1].taken, middle];
        let total: u32 = places.iter().map(|place| place.count_ones()).sum();
        let beside = places.iter().fold(0, |all, place| all | place);
        let rest = self.stock.set();
        if beside.count_ones() != total || rest & beside != 0 || rest.count_ones() as usize != stock {
            return Err(RoundError::Shared);
        }
        let leader = if self.led.is_some() { 1 - self.turn } else { self.turn };
        let held = (self.sides[leader].hand | middle).count_ones();
        if held != self.sides[1 - leader].hand.count_ones() || held > HAND {
            return Err(RoundError::Uneven);
        }
        if self.sides.iter().any(|side| side.points > ALL_POINTS) {
            return Err(RoundError::Points);
        }
        if self.sides[0].closed && self.sides[1].closed || stock > 0 && self.sides.iter().any(|side| side.closed) {
            return Err(RoundError::Closed);
        }
        if self.announced.is_some() && (self.led.is_some() || self.playable() == 0) {
            return Err(RoundError::Pair);
        }
        Ok(())
    }

    /// Returns the cards that may be laid now.
    #[must_use]
    pub fn playable(&self) -> u32 {
        let hand = self.sides[self.turn].hand;
        if let Some(trump) = self.announced {
            return pairs(hand) & if trump { colour(self.trump) } else { !colour(self.trump) };
        }
        match self.led {
            Some(led) if self.stock.left == 0 => match hand & colour(led / RANKS) {
                0 => hand,
                same => same,
            },
            _ => hand,
        }
    }

    /// Returns whether the player to move may swap the nine of trumps for the open card.
    #[must_use]
    pub const fn may_swap(&self) -> bool {
        let nine = 1 << (RANKS * self.trump + NINE);
        self.announced.is_none() && self.stock.left > 2 && self.sides[self.turn].hand & nine != 0
    }

    /// Returns the legal moves; a claim of 66 points is always the last.
    #[must_use]
    pub fn legal(&self) -> Vec<Move> {
        if self.result.is_some() {
            return Vec::new();
        }
        let mut moves: Vec<_> = cards(self.playable()).map(|card| Move::Lay(card as u8)).collect();
        if self.may_swap() {
            moves.push(Move::Swap);
        }
        if self.led.is_none() {
            if self.announced.is_none() {
                let pairs = pairs(self.sides[self.turn].hand);
                let trumps = pairs & colour(self.trump);
                moves.extend((pairs != trumps).then_some(Move::Announce));
                moves.extend((trumps != 0).then_some(Move::AnnounceTrump));
                moves.extend((self.stock.left > 0).then_some(Move::Close));
            }
            moves.push(Move::Stop);
        }
        moves
    }

    /// Makes a move.
    ///
    /// # Errors
    /// The move is not legal; the game is unchanged.
    pub fn play(&mut self, chosen: Move) -> Result<(), RoundError> {
        if !self.legal().contains(&chosen) {
            return Err(RoundError::Illegal);
        }
        self.apply(chosen);
        Ok(())
    }

    /// Makes a legal move.
    pub fn apply(&mut self, chosen: Move) {
        let side = &mut self.sides[self.turn];
        match chosen {
            Move::Lay(card) => self.lay(u32::from(card)),
            Move::Swap => {
                let nine = RANKS * self.trump + NINE;
                let (opened, stock) = self.stock.swapped(nine);
                side.hand ^= 1 << nine | 1 << opened;
                self.stock = stock;
                self.open = Some(nine);
            }
            Move::Announce | Move::AnnounceTrump => {
                let trump = chosen == Move::AnnounceTrump;
                side.points += if trump { TRUMP_PAIR_POINTS } else { PAIR_POINTS };
                self.announced = Some(trump);
            }
            Move::Close => {
                side.closed = true;
                self.stock = Stock::default();
            }
            Move::Stop => self.claim(self.turn),
        }
    }

    fn lay(&mut self, card: u32) {
        self.sides[self.turn].hand ^= 1 << card;
        self.announced = None;
        let Some(led) = self.led.take() else {
            self.led = Some(card);
            self.turn = 1 - self.turn;
            return;
        };
        if !takes(card, led, self.trump) {
            self.turn = 1 - self.turn;
        }
        let winner = &mut self.sides[self.turn];
        winner.taken |= 1 << led | 1 << card;
        winner.points += value(led) + value(card);
        if self.stock.left > 0 {
            let (first, second, rest) = self.stock.drawn();
            self.sides[self.turn].hand |= 1 << first;
            self.sides[1 - self.turn].hand |= 1 << second;
            self.stock = rest;
            if rest.left == 0 {
                self.open = None;
            }
        } else if winner.hand == 0 {
            self.run_out();
        }
    }

    fn run_out(&mut self) {
        match self.sides.iter().position(|side| side.closed) {
            Some(closer) => self.claim(closer),
            None => self.end(self.turn, 1),
        }
    }

    /// Ends the game by the claim of a player to have enough points.
    fn claim(&mut self, player: usize) {
        if self.sides[player].points >= ENOUGH {
            self.end(player, self.sides[1 - player].loses());
        } else {
            self.end(1 - player, MOST);
        }
    }

    const fn end(&mut self, winner: usize, points: i8) {
        self.result = Some(if winner == 0 { points } else { -points });
        self.turn = winner;
        self.announced = None;
    }

    /// Returns the cards whose place a player does not know from the tricks, the middle, the open card and the own hand.
    #[must_use]
    pub fn unseen(&self, player: usize) -> u32 {
        let [first, second] = self.sides;
        let seen = self.sides[player].hand | first.taken | second.taken;
        ALL & !(seen | self.led.map_or(0, |led| 1 << led) | self.open.map_or(0, |open| 1 << open))
    }

    /// Deals anew what a player does not know.
    ///
    /// The other hand keeps the cards `shown`, and gets no others of the colours that it `lacks` (bit masks).
    pub fn redeal(&mut self, player: usize, shown: u32, lacks: u32, random: &mut Random) {
        let rival = &mut self.sides[1 - player];
        let wanted = (rival.hand & !shown).count_ones() as usize;
        rival.hand &= shown;
        let kept = *rival;
        let mut unseen = [0_u8; CARDS as usize];
        let mut count = 0;
        for card in cards(self.unseen(player) & !kept.hand) {
            unseen[count] = card as u8;
            count += 1;
        }
        let unseen = &mut unseen[..count];
        random.shuffle(unseen);
        let missing = missing(lacks);
        let mut hand = kept.hand;
        for &card in unseen.iter().filter(|&&card| missing >> card & 1 == 0).take(wanted) {
            hand |= 1 << card;
        }
        self.sides[1 - player].hand = hand;
        if self.stock.left > 0 {
            let hidden = usize::from(self.stock.left) - 1;
            let rest = unseen.iter().copied().filter(|card| hand >> card & 1 == 0).take(hidden);
            self.stock = Stock::new(rest.chain(self.open.map(|open| open as u8)));
        }
    }
}

/// Returns the cards of several colours, given as a bit mask.
#[must_use]
pub fn missing(colours: u32) -> u32 {
    cards(colours).map(colour).sum()
}

/// Returns the points of announcing the pair that contains a card; 0 if the hand does not hold both.
pub(super) const fn announcement(hand: u32, card: u32, trump: u32) -> u16 {
    let pair = pair(card / RANKS);
    if pair & 1 << card == 0 || hand & pair != pair {
        0
    } else if card / RANKS == trump {
        TRUMP_PAIR_POINTS
    } else {
        PAIR_POINTS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(hand: u32) -> Side {
        Side { hand, ..Side::default() }
    }

    fn made(sides: [Side; 2], stock: &[u8]) -> Result<Round, RoundError> {
        Round::new(sides, stock, None, 0, 0, None, None)
    }

    #[test]
    fn an_impossible_position_is_refused() {
        let sides = [side(0b11), side(0b1100)];
        assert!(made(sides, &[4, 5]).is_ok());
        assert_eq!(made([side(1 << 24), side(1)], &[]), Err(RoundError::Unknown));
        assert_eq!(made(sides, &[4, 24]), Err(RoundError::Unknown));
        assert_eq!(made([side(1), side(1)], &[]), Err(RoundError::Shared));
        assert_eq!(made(sides, &[4, 4]), Err(RoundError::Shared));
        assert_eq!(made([side(0b11), side(0b100)], &[]), Err(RoundError::Uneven));
        assert_eq!(made([Side { points: 211, ..side(1) }, side(2)], &[]), Err(RoundError::Points));
        assert_eq!(made(sides, &[4]), Err(RoundError::Stock));
        let closed = |hand| Side { closed: true, ..side(hand) };
        assert_eq!(made([closed(1), closed(2)], &[]), Err(RoundError::Closed));
        assert_eq!(made([closed(1), side(2)], &[4, 5]), Err(RoundError::Closed));
    }

    #[test]
    fn what_is_not_legal_changes_nothing() {
        let round = made([side(0b11), side(0b1100)], &[4, 5]).unwrap();
        let mut tried = round;
        assert_eq!(tried.play(Move::Lay(2)), Err(RoundError::Illegal));
        assert_eq!(tried, round);
        assert_eq!(tried.play(Move::Stop), Ok(()));
        assert_eq!(tried.result, Some(-3));
    }

    #[test]
    fn every_move_has_its_number() {
        assert!((0..29).all(|code| Move::from_code(code).is_some_and(|chosen| chosen.code() == code)));
        assert_eq!(Move::from_code(29), None);
    }
}
