//! The moves that led to a moment of a game, and how well the rules of thumb explain them.
//!
//! What a player does tells about its hand: one who leads without announcing holds no pair, and one who gives a trick
//! away could not win it cheaply. A redeal is completed to the whole game, from its deal on, in which the rules of thumb
//! decide again; where they choose another card than the player did, they contradict the redeal.

use super::evidence::History;
use super::moves::Move;
use super::round::{HAND, Round, Stock};
use super::{ALL, NINE, RANKS, cards, pair, rule, takes};
use crate::random::Random;
use crate::simulation::Round as _;

/// The number of tricks after which cards are drawn.
const DRAWS: usize = 6;
/// The number of cards that a player gets.
const PLACES: usize = HAND as usize + DRAWS;
/// The place of a card that is not drawn yet, or of the last card of the stock.
const NOTHING: u8 = 31;

/// What is known of the cards that one player got from the deal and the stock.
#[derive(Clone, Debug, Default)]
struct Got {
    /// The cards that the player had after so many draws, the earliest first.
    by: Vec<(u32, usize)>,
    /// The cards of [`Got::by`].
    dated: u32,
    /// The cards that came in another way: by the swap, or as the last card of the stock.
    apart: u32,
}

impl Got {
    fn note(&mut self, card: u32, draws: usize) {
        if (self.dated | self.apart) >> card & 1 == 0 {
            self.dated |= 1 << card;
            self.by.push((card, draws));
        }
    }
}

/// The past of a game.
#[derive(Clone, Debug)]
pub struct Past {
    leader: usize,
    open: u32,
    moves: Vec<Move>,
    got: [Got; 2],
    /// The winners of the tricks after which cards were drawn.
    winners: Vec<usize>,
}

impl Past {
    /// Creates the past of a game from its legal moves.
    #[must_use]
    pub fn new(history: &History) -> Self {
        let &History { leader, open, .. } = history;
        let moves = history.moves().to_vec();
        let mut past = Self { leader, open: u32::from(open), moves, got: Default::default(), winners: Vec::new() };
        let (trump, mut last) = (past.open / RANKS, past.open);
        let (mut turn, mut led, mut announced, mut drawing) = (leader, None, false, true);
        for &chosen in history.moves() {
            let draws = past.winners.len();
            match chosen {
                Move::Swap => {
                    last = RANKS * trump + NINE;
                    past.got[turn].note(last, draws);
                    past.got[turn].apart |= 1 << past.open;
                }
                Move::Close => drawing = false,
                Move::Announce => announced = true,
                Move::AnnounceTrump => cards(pair(trump)).for_each(|card| past.got[turn].note(card, draws)),
                Move::Stop | Move::Restart => {}
                Move::Lay(card) => {
                    let card = u32::from(card);
                    past.got[turn].note(card, draws);
                    if announced {
                        cards(pair(card / RANKS)).for_each(|card| past.got[turn].note(card, draws));
                        announced = false;
                    }
                    let Some(first) = led.take() else {
                        led = Some(card);
                        turn = 1 - turn;
                        continue;
                    };
                    if !takes(card, first, trump) {
                        turn = 1 - turn;
                    }
                    if drawing && draws < DRAWS {
                        past.winners.push(turn);
                        if draws + 1 == DRAWS {
                            past.got[1 - turn].apart |= 1 << last;
                        }
                    }
                }
            }
        }
        past
    }

    /// Returns a game at its start from which the moves may lead to this moment; chance decides which cards were drawn
    /// when.
    ///
    /// There is none if so many cards cannot have been drawn.
    #[must_use]
    pub fn start(&self, now: &Round, random: &mut Random) -> Option<Round> {
        let draws = self.winners.len();
        let mut places = [[NOTHING; PLACES]; 2];
        for (player, places) in places.iter_mut().enumerate() {
            *places = self.places(player, now.sides[player].hand, random)?;
        }
        let mut stock = Vec::with_capacity(2 * DRAWS);
        for (draw, &winner) in self.winners.iter().enumerate() {
            stock.extend([winner, 1 - winner].map(|player| places[player][HAND as usize + draw]));
        }
        let known = places.iter().flatten().fold(1 << self.open, |known, &card| known | 1_u32 << card);
        if draws == DRAWS {
            stock.pop();
        } else if now.stock.left() > 0 {
            stock.extend(now.stock.cards().take(usize::from(now.stock.left()) - 1));
        } else {
            // The order of what lies aside does not matter.
            stock.extend(cards(ALL & !known).map(|card| card as u8));
        }
        stock.push(self.open as u8);
        let hand = |player: usize| places[player][..HAND as usize].iter().fold(0, |hand, &card| hand | 1 << card);
        (stock.len() == 2 * DRAWS).then(|| Round::begun([hand(0), hand(1)], Stock::new(stock), self.leader))
    }

    /// Returns whether the moves are legal and lead to this moment.
    #[must_use]
    pub fn leads_to(&self, now: &Round, random: &mut Random) -> bool {
        self.start(now, random).is_some_and(|mut round| {
            self.moves.iter().all(|&chosen| round.play(chosen).is_ok())
                && round == Round { result: round.result, ..*now }
        })
    }

    /// Returns the cards that a player got: first those of the deal, then those of the stock.
    ///
    /// All orders in which the player had each card when it was needed are equally likely.
    fn places(&self, player: usize, hand: u32, random: &mut Random) -> Option<[u8; PLACES]> {
        let Got { by, dated, apart } = &self.got[player];
        let undated = cards(hand & !dated & !apart).map(|card| (card, self.winners.len()));
        let mut places = [NOTHING; PLACES];
        let mut free: Vec<usize> = (0..HAND as usize).collect();
        let mut known = 0;
        for (card, draws) in by.iter().copied().chain(undated) {
            let drawn = (known..draws).filter(|&draw| draw + 1 < DRAWS || self.winners[draw] == player);
            free.extend(drawn.map(|draw| HAND as usize + draw));
            known = known.max(draws);
            if free.is_empty() {
                return None;
            }
            places[free.swap_remove(random.below(free.len() as u64) as usize)] = card as u8;
        }
        Some(places)
    }

    /// Returns how often the rules of thumb contradict a player in a redeal; no more than `most`.
    #[must_use]
    pub fn contradictions(&self, now: &Round, player: usize, most: u32, random: &mut Random) -> u32 {
        let Some(mut round) = self.start(now, random) else { return most };
        let mut count = 0;
        for &chosen in &self.moves {
            if round.turn == player && rule::decide(&round) != chosen {
                count += 1;
                if count >= most {
                    break;
                }
            }
            round.make(round.turn, chosen);
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the past of a game that player 0 leads first.
    fn past(open: u8, moves: &[Move]) -> Past {
        let mut history = History::new(0, open);
        for &chosen in moves {
            history.add(chosen);
        }
        Past::new(&history)
    }

    /// Returns a game at its start, whose deck is shuffled.
    fn dealt(seed: u64) -> Round {
        let mut deck: Vec<u8> = (0..24).collect();
        Random::new(seed).shuffle(&mut deck);
        let hand = |cards: &[u8]| cards.iter().map(|card| 1 << card).sum();
        Round::begun([hand(&deck[..6]), hand(&deck[6..12])], Stock::new(deck[12..].iter().copied()), 0)
    }

    /// Plays a game by the rules of thumb and, now and then, at random, and shows each moment with its past.
    fn follow(seed: u64, mut each: impl FnMut(&Round, &Past, &mut Random)) {
        let (mut round, mut random, mut moves) = (dealt(seed), Random::new(seed + 1), Vec::new());
        let open = round.open.unwrap() as u8;
        while round.result.is_none() {
            each(&round, &past(open, &moves), &mut random);
            let legal: Vec<_> = round.candidates().into_iter().filter(|&chosen| chosen != Move::Stop).collect();
            let chosen = match random.below(3) {
                0 => legal[random.below(legal.len() as u64) as usize],
                _ => rule::decide(&round),
            };
            moves.push(chosen);
            round.make(round.turn, chosen);
        }
    }

    #[test]
    fn a_game_that_is_completed_leads_to_its_moment_by_legal_moves() {
        for seed in 0..300 {
            follow(seed, |now, past, random| assert!(past.leads_to(now, random), "{past:?} {now:?}"));
        }
    }

    #[test]
    fn moves_that_lead_elsewhere_are_recognised() {
        follow(5, |now, past, random| {
            let mut later = past.clone();
            later.moves.push(Move::Close);
            assert!(!later.leads_to(now, random));
            if !past.moves.is_empty() {
                assert!(!self::past(past.open as u8, &[]).leads_to(now, random));
            }
        });
    }

    #[test]
    fn the_rules_of_thumb_never_contradict_themselves_in_the_true_deal() {
        for seed in 0..100 {
            let mut round = dealt(seed);
            let (open, mut moves) = (round.open.unwrap() as u8, Vec::new());
            let start = round;
            while round.result.is_none() {
                let past = past(open, &moves);
                // Before a draw there is only one order.
                if moves.len() < 2 {
                    assert_eq!(past.start(&round, &mut Random::new(seed)).map(|found| found.sides), Some(start.sides));
                    assert_eq!(past.contradictions(&round, 1 - round.turn, 9, &mut Random::new(seed)), 0);
                }
                moves.push(rule::decide(&round));
                round.make(round.turn, moves[moves.len() - 1]);
            }
        }
    }

    #[test]
    fn every_order_of_what_was_drawn_is_equally_likely() {
        // After two tricks, a player who laid a card in each got eight: six with the deal, and one after each trick.
        let (mut round, mut moves) = (dealt(3), Vec::new());
        let open = round.open.unwrap() as u8;
        for _ in 0..4 {
            moves.push(Move::Lay(round.playable().trailing_zeros() as u8));
            round.make(round.turn, moves[moves.len() - 1]);
        }
        let past = past(open, &moves);
        let mut random = Random::new(1);
        let mut drawn = std::collections::BTreeMap::new();
        for _ in 0..42_000 {
            let start = past.start(&round, &mut random).unwrap();
            let own = round.sides[0].hand & !start.sides[0].hand;
            let second = if past.winners[1] == 0 { start.stock.cards().nth(2) } else { start.stock.cards().nth(3) };
            *drawn.entry((own, second)).or_insert(0_u32) += 1;
        }
        // The card that was laid second can have been drawn, too.
        assert_eq!(drawn.values().sum::<u32>(), 42_000);
        let counts: Vec<u32> = drawn.values().copied().collect();
        let expected = 42_000 / counts.len() as u32;
        assert!(counts.iter().all(|&count| count.abs_diff(expected) * 6 < expected), "{drawn:?}");
    }
}
