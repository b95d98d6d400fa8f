//! Whole games between policies, move for move as `tisch.driver` plays them.

use std::fmt;

use super::{Game, Maker, MoveOf, Outcome, Policy, Round, each};
use crate::random::{Random, derive, word};

/// The number of moves after which a game counts as endless, as in `tisch.driver`.
pub const LIMIT: u32 = 1_000_000;

/// Why a game could not be played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Broken {
    /// It did not end within [`LIMIT`] moves.
    Endless,
    /// A seat kept silent though it was its turn.
    Silent(usize),
    /// The engine refuses to begin it.
    Impossible(&'static str),
    /// Somebody wanted it to stop.
    Interrupted,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Endless => write!(f, "The game has not ended after {LIMIT} moves."),
            Self::Silent(seat) => write!(f, "Seat {seat} kept silent though it was its turn."),
            Self::Impossible(flaw) => f.write_str(flaw),
            Self::Interrupted => write!(f, "The game was interrupted."),
        }
    }
}

impl std::error::Error for Broken {}

/// Plays a game to its end, and calls a function with each move before it is made.
///
/// All seats that may move out of turn are asked before an awaited one. Policies ask `proceed` in long decisions, and choose
/// nothing once it has returned false.
///
/// # Errors
/// The game does not end, or a policy chooses nothing in its turn.
pub fn play<G: Game>(
    game: &mut G,
    players: &mut [&mut Box<dyn Policy<G>>],
    proceed: &mut dyn FnMut() -> bool,
    mut watch: impl FnMut(&G, usize, MoveOf<G>),
) -> Result<u32, Broken> {
    for count in 0..LIMIT {
        let awaited = game.round().awaited();
        let Some(first) = each(awaited).next() else { return Ok(count) };
        let mut ask = |seat: usize, must| players[seat].decide(game, seat, must, proceed).map(|chosen| (seat, chosen));
        let spoken = each(game.round().speakers()).find_map(|seat| ask(seat, false));
        let (seat, chosen) = spoken.or_else(|| ask(first, true)).ok_or(Broken::Silent(first))?;
        for player in players.iter_mut() {
            player.watch(game, seat, chosen);
        }
        watch(game, seat, chosen);
        game.make(seat, chosen);
    }
    if game.round().awaited() == 0 { Ok(LIMIT) } else { Err(Broken::Endless) }
}

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished<G: Game> {
    /// The outcome.
    pub outcome: Outcome,
    /// The number of moves.
    pub count: u32,
    /// The moves with their seats, if they are kept.
    pub moves: Vec<(usize, MoveOf<G>)>,
}

/// Plays the games of a match by number: the same game for the same number, in any order.
///
/// The seed of a deal and the chance of each seat depend on the seed, the deal and the seat, as in `tisch.arena.play`.
pub struct Match<G: Game> {
    options: G::Options,
    seed: u64,
    /// For each line-up of a deal, the player of each seat, as places in `players`.
    seated: Vec<Vec<usize>>,
    players: Vec<Box<dyn Policy<G>>>,
    /// The last deal, with its number: the games of a deal all begin with it.
    dealt: Option<(u64, G)>,
}

impl<G: Game> Match<G> {
    /// Creates a match.
    ///
    /// `line_ups` has, for each game of a deal, the maker of each seat's player as its place in `makers`.
    #[must_use]
    pub fn new(options: G::Options, seed: u64, makers: &[Maker<G>], line_ups: &[Vec<usize>]) -> Self {
        // A game has as many players of one maker as it seats; successive games share them.
        let mut places: Vec<Vec<usize>> = vec![Vec::new(); makers.len()];
        let mut players = Vec::new();
        let mut seat_all = |line_up: &Vec<usize>| {
            let mut used = vec![0; makers.len()];
            let mut seat = |&maker: &usize| {
                if used[maker] == places[maker].len() {
                    places[maker].push(players.len());
                    players.push(makers[maker]());
                }
                used[maker] += 1;
                places[maker][used[maker] - 1]
            };
            line_up.iter().map(&mut seat).collect()
        };
        let seated = line_ups.iter().map(&mut seat_all).collect();
        Self { options, seed, seated, players, dealt: None }
    }

    /// Returns the number of games of a deal.
    #[must_use]
    pub fn line_ups(&self) -> usize {
        self.seated.len()
    }

    /// Returns the number of seats.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.seated.first().map_or(0, Vec::len)
    }

    /// Returns the seed.
    #[must_use]
    pub const fn seed(&self) -> u64 {
        self.seed
    }

    /// Plays the game with a number; `keep` is whether its moves are kept. For `proceed` see [`play`].
    ///
    /// # Errors
    /// See [`play`]; or the game cannot begin, or `proceed` has returned false.
    pub fn play(&mut self, number: u64, keep: bool, proceed: &mut dyn FnMut() -> bool) -> Result<Finished<G>, Broken> {
        if !proceed() {
            return Err(Broken::Interrupted);
        }
        let games = self.seated.len() as u64;
        let (deal, line_up) = (number / games, &self.seated[(number % games) as usize]);
        let dealt = match self.dealt.take() {
            Some((last, game)) if last == deal => game,
            _ => G::begin(&self.options, derive(self.seed, &[word("deal"), deal])),
        };
        let mut game = self.dealt.insert((deal, dealt)).1.clone();
        if let Some(flaw) = game.flaw() {
            return Err(Broken::Impossible(flaw));
        }
        let mut places: Vec<Option<&mut Box<dyn Policy<G>>>> = self.players.iter_mut().map(Some).collect();
        let mut players: Vec<&mut Box<dyn Policy<G>>> =
            line_up.iter().filter_map(|&place| places[place].take()).collect();
        for (seat, player) in players.iter_mut().enumerate() {
            player.start(Random::new(derive(self.seed, &[word("agent"), deal, seat as u64])));
        }
        let mut moves = Vec::new();
        let count = play(&mut game, &mut players, proceed, |_, seat, chosen| {
            if keep {
                moves.push((seat, chosen));
            }
        })?;
        let outcome = game.outcome().ok_or(Broken::Endless)?;
        Ok(Finished { outcome, count, moves })
    }
}
