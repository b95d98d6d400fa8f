//! One game of Sechsundsechzig from any moment to its end, as a small copyable value for simulations.
//!
//! The engine in Python defines the rules; this is its fast twin, and tests play both in step.

use super::evidence::{Evidence, missing};
use super::moves::Move;
use super::{
    ALL, CARDS, COLOURS, ENOUGH, FEW, MOST, NINE, PAIR_POINTS, RANKS, TRUMP_PAIR_POINTS, by_cost, cards, colour, pair,
    pairs, takes, value,
};
use crate::random::Random;
use crate::simulation::{self, Round as _, Seats};

/// The maximum points: 120 in the cards, and four announcements.
const ALL_POINTS: u16 = 210;
/// The number of cards in a hand, as long as cards are drawn.
pub(super) const HAND: u32 = 6;
/// The most legal moves: six cards, and all others but to restart.
const MOST_LEGAL: usize = HAND as usize + 5;

/// The cards still to be drawn, of which the last is the open one: five bits for each card.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stock {
    cards: u64,
    left: u8,
}

const BITS: u32 = 5;
/// The number of cards in the stock at the start.
const MOST_STOCK: usize = 12;

impl Stock {
    /// Creates a stock from its cards in the order in which they are drawn: the open one is the last.
    ///
    /// # Errors
    /// There is no such stock.
    pub fn of(cards: &[u8]) -> Result<Self, RoundError> {
        if cards.iter().any(|&card| u32::from(card) >= CARDS) {
            return Err(RoundError::Unknown);
        }
        let set = cards.iter().fold(0_u32, |set, card| set | 1 << card);
        if cards.len() > MOST_STOCK || cards.len() % 2 == 1 || set.count_ones() as usize != cards.len() {
            return Err(RoundError::Stock);
        }
        Ok(Self::new(cards.iter().copied()))
    }

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
    pub fn cards(self) -> impl Iterator<Item = u8> {
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

impl Side {
    /// Returns the most game points that this side can still lose by perfect play: what it has taken stays.
    pub(super) const fn most_lost(&self) -> i8 {
        if self.closed { MOST } else { self.loses() }
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
    /// Whether another game of the series follows this one: at the end its winner must ask for it, and the loser may.
    pub follows: bool,
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
            Self::Stock => "A stock has an even number of cards, at most 12, each once, and the open one is the last.",
            Self::Closed => "Only one side can have closed the stock, which then has no cards to draw.",
            Self::Illegal => "This move is not legal now.",
        })
    }
}

impl std::error::Error for RoundError {}

impl Round {
    /// Returns a game before its first move; the last card of the stock is the open one.
    #[must_use]
    pub fn begun(hands: [u32; 2], stock: Stock, leader: usize) -> Self {
        Self {
            sides: hands.map(|hand| Side { hand, ..Side::default() }),
            stock,
            open: stock.open(),
            trump: stock.open().unwrap_or_default() / RANKS,
            turn: leader,
            led: None,
            announced: None,
            result: None,
            follows: false,
        }
    }

    /// Checks that the position is possible.
    ///
    /// # Errors
    /// It is not; see [`RoundError`].
    pub fn check(&self) -> Result<(), RoundError> {
        let card = |card: Option<u32>| card.is_none_or(|card| card < CARDS);
        let all = self.sides.iter().fold(0, |all, side| all | side.hand | side.taken);
        if all & !ALL != 0 || self.trump >= COLOURS || self.turn > 1 || !card(self.open) || !card(self.led) {
            return Err(RoundError::Unknown);
        }
        let middle = self.led.map_or(0, |led| 1 << led);
        let [first, second] = self.sides;
        let places = [first.hand, second.hand, first.taken, second.taken, middle, self.stock.set()];
        let held: u32 = places.iter().map(|place| place.count_ones()).sum();
        let all = places.iter().fold(0, |all, place| all | place);
        if all.count_ones() != held {
            return Err(RoundError::Shared);
        }
        if self.stock.left > 0 && self.stock.open() != self.open {
            return Err(RoundError::Stock);
        }
        let leader = if self.led.is_some() { 1 - self.turn } else { self.turn };
        let held = (self.sides[leader].hand | middle).count_ones();
        if held != self.sides[1 - leader].hand.count_ones() || held > HAND {
            return Err(RoundError::Uneven);
        }
        if self.sides.iter().any(|side| side.points > ALL_POINTS) {
            return Err(RoundError::Points);
        }
        if first.closed && second.closed || self.stock.left > 0 && (first.closed || second.closed) {
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
            return self.pairs_of(hand, trump);
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

    /// Returns the cards of the pairs of a hand, those of trumps or the others.
    fn pairs_of(&self, hand: u32, trump: bool) -> u32 {
        pairs(hand) & if trump { colour(self.trump) } else { !colour(self.trump) }
    }

    /// Appends the legal moves of the player to move that cost no turn, but for a claim of 66 points.
    fn prepare(&self, moves: &mut Vec<Move>) {
        moves.extend(self.may_swap().then_some(Move::Swap));
        if self.led.is_none() && self.announced.is_none() {
            let hand = self.sides[self.turn].hand;
            moves.extend((self.pairs_of(hand, false) != 0).then_some(Move::Announce));
            moves.extend((self.pairs_of(hand, true) != 0).then_some(Move::AnnounceTrump));
            moves.extend((self.stock.left > 0).then_some(Move::Close));
        }
    }

    /// Returns whether the player to move may stop with enough points.
    pub(super) fn may_claim(&self) -> bool {
        self.led.is_none() && self.sides[self.turn].points >= ENOUGH
    }

    /// Returns the moves that a search tries, in the order of their numbers: all that are legal, but no claim without
    /// enough points, which loses as much as a game can.
    #[must_use]
    pub fn candidates(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(MOST_LEGAL);
        if self.result.is_none() {
            moves.extend(cards(self.playable()).map(|card| Move::Lay(card as u8)));
            self.prepare(&mut moves);
            moves.extend(self.may_claim().then_some(Move::Stop));
        }
        moves
    }

    /// Makes a move of the player to move.
    ///
    /// # Errors
    /// The move is not legal; the game is unchanged.
    pub fn play(&mut self, chosen: Move) -> Result<(), RoundError> {
        let mut legal = Vec::with_capacity(MOST_LEGAL);
        self.legal(self.turn, &mut legal);
        if !legal.contains(&chosen) {
            return Err(RoundError::Illegal);
        }
        self.make(self.turn, chosen);
        Ok(())
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

    /// Returns the hand of a player's rival and the cards in the stock of a redeal.
    fn redealt(&self, player: usize, unseen: &[u8], evidence: &Evidence) -> (u32, Stock) {
        let (shown, lacks) = (evidence.shown[1 - player], evidence.lacks[1 - player]);
        let wanted = (self.sides[1 - player].hand & !shown).count_ones() as usize;
        let missing = missing(lacks);
        let drawn = unseen.iter().filter(|&&card| missing >> card & 1 == 0).take(wanted);
        let hand = drawn.fold(shown, |hand, card| hand | 1 << card);
        if self.stock.left == 0 {
            return (hand, self.stock);
        }
        let hidden = usize::from(self.stock.left) - 1;
        let rest = unseen.iter().copied().filter(|card| hand >> card & 1 == 0).take(hidden);
        (hand, Stock::new(rest.chain(self.open.map(|open| open as u8))))
    }
}

impl simulation::Round for Round {
    type Move = Move;
    type Evidence = Evidence;

    fn seats(&self) -> usize {
        2
    }

    fn awaited(&self) -> Seats {
        // At the end, the player to move is the winner.
        if self.result.is_none() || self.follows { 1 << self.turn } else { 0 }
    }

    fn speakers(&self) -> Seats {
        if self.result.is_some() && self.follows { 1 << (1 - self.turn) } else { 0 }
    }

    fn legal(&self, seat: usize, moves: &mut Vec<Move>) {
        if self.result.is_some() {
            moves.extend(self.follows.then_some(Move::Restart));
        } else if seat == self.turn {
            moves.extend(self.may_claim().then_some(Move::Stop));
            moves.extend(by_cost(self.playable(), self.trump).map(|card| Move::Lay(card as u8)));
            self.prepare(moves);
            moves.extend((self.led.is_none() && !self.may_claim()).then_some(Move::Stop));
        }
    }

    /// Makes a legal move. Only to restart, the seat may be another than that of the player to move.
    fn make(&mut self, _seat: usize, chosen: Move) {
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
            Move::Restart => self.follows = false,
        }
    }

    fn note(&self, evidence: &mut Evidence, seat: usize, chosen: Move) {
        evidence.note(self, seat, chosen);
    }

    /// Deals anew what a player does not know, with the same chance as the engine.
    ///
    /// The other hand keeps the cards that are shown, and gets no others of the colours that it lacks.
    fn redeal(&self, seat: usize, evidence: &Evidence, random: &mut Random) -> Self {
        let mut round = *self;
        if self.result.is_some() {
            return round;
        }
        let mut unseen = [0_u8; CARDS as usize];
        let mut count = 0;
        for card in cards(self.unseen(seat) & !evidence.shown[1 - seat]) {
            unseen[count] = card as u8;
            count += 1;
        }
        let unseen = &mut unseen[..count];
        loop {
            random.shuffle(unseen);
            let (hand, stock) = self.redealt(seat, unseen, evidence);
            // Of what the other has announced, only a pair that is not of trumps has not been shown.
            if seat == self.turn || self.announced.is_none_or(|trump| self.pairs_of(hand, trump) != 0) {
                round.sides[1 - seat].hand = hand;
                round.stock = stock;
                return round;
            }
        }
    }

    fn lead(&self, seat: usize) -> i32 {
        let result = i32::from(self.result.unwrap_or(0));
        if seat == 0 { result } else { -result }
    }
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
        let round = Round { sides, trump: 0, ..Round::begun([0; 2], Stock::of(stock)?, 0) };
        round.check().map(|()| round)
    }

    #[test]
    fn an_impossible_position_is_refused() {
        let sides = [side(0b11), side(0b1100)];
        let possible = made(sides, &[4, 5]).unwrap();
        assert_eq!(made([side(1 << 24), side(1)], &[]), Err(RoundError::Unknown));
        assert_eq!(made(sides, &[4, 24]), Err(RoundError::Unknown));
        assert_eq!(Round { led: Some(24), ..possible }.check(), Err(RoundError::Unknown));
        assert_eq!(made([side(1), side(1)], &[]), Err(RoundError::Shared));
        assert_eq!(made(sides, &[3, 4]), Err(RoundError::Shared));
        assert_eq!(made(sides, &[4, 4]), Err(RoundError::Stock));
        assert_eq!(made(sides, &[4]), Err(RoundError::Stock));
        assert_eq!(Round { open: Some(6), ..possible }.check(), Err(RoundError::Stock));
        assert_eq!(made([side(0b11), side(0b100)], &[]), Err(RoundError::Uneven));
        assert_eq!(made([Side { points: 211, ..side(1) }, side(2)], &[]), Err(RoundError::Points));
        let closed = |hand| Side { closed: true, ..side(hand) };
        assert_eq!(made([closed(1), closed(2)], &[]), Err(RoundError::Closed));
        assert_eq!(made([closed(1), side(2)], &[4, 5]), Err(RoundError::Closed));
        let pair = [side(0b1100), side(0b11)];
        let announcing = |trump, sides| Round { announced: Some(trump), ..made(sides, &[]).unwrap() }.check();
        assert_eq!(announcing(true, pair), Ok(()));
        assert_eq!([announcing(false, pair), announcing(true, sides)], [Err(RoundError::Pair); 2]);
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
}
