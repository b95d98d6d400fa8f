//! Whole deals of a match: their results as sums, and their games as the lines of a journal, as `tisch.arena` has them.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write as _;

use super::matches::{Broken, Finished, Match};
use super::{Game, Outcome};
use crate::random::{derive, word};

/// What is asked of deals.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The first seat of each side.
    pub sides: &'a [usize],
    /// What a payoff is multiplied by before it is rounded to a whole number.
    pub unit: f64,
    /// The numbers of the games that are kept, in ascending order.
    pub kept: &'a [u64],
    /// Whether the games are written as lines.
    pub lines: bool,
}

/// What deals came to.
#[derive(Clone, Debug)]
pub struct Deals<G: Game> {
    /// How many deals had the same results: for each of their games the payoff of each side, then the number of rounds.
    pub results: BTreeMap<Vec<i64>, u64>,
    /// For each line-up of a deal the sums of the tallies of each seat, by the engine's names.
    pub tallies: Vec<Vec<(&'static str, Vec<u64>)>>,
    /// The number of moves.
    pub moves: u64,
    /// The games as lines of JSON.
    pub lines: Vec<u8>,
    /// The games that are kept, by number.
    pub kept: Vec<(u64, Finished<G>)>,
}

/// A game that could not be played to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed {
    /// The number of the game.
    pub number: u64,
    /// The seed of its deal.
    pub seed: u64,
    /// The reason.
    pub reason: Broken,
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Game {} (seed {}) failed: {}", self.number, self.seed, self.reason)
    }
}

impl std::error::Error for Failed {}

impl<G: Game> Match<G> {
    /// Plays all games of some deals; `proceed` is called from time to time, and ends that once it has returned false.
    ///
    /// # Errors
    /// A game could not be played to its end.
    pub fn deals(
        &mut self,
        deals: &[u64],
        asked: &Asked<'_>,
        proceed: &mut dyn FnMut() -> bool,
    ) -> Result<Deals<G>, Failed> {
        let games = self.line_ups() as u64;
        let mut found = Deals {
            results: BTreeMap::new(),
            tallies: vec![Vec::new(); self.line_ups()],
            moves: 0,
            lines: Vec::new(),
            kept: Vec::new(),
        };
        let mut result = Vec::new();
        for &deal in deals {
            result.clear();
            for (index, number) in (deal * games..(deal + 1) * games).enumerate() {
                let keep = asked.kept.binary_search(&number).is_ok();
                let game = self.play(number, keep, proceed).map_err(|reason| Failed {
                    number,
                    seed: derive(self.seed(), &[word("deal"), deal]),
                    reason,
                })?;
                found.count(index, &game, asked, &mut result);
                if asked.lines {
                    line(&mut found.lines, number, &result[result.len() - asked.sides.len() - 1..], &game);
                }
                if keep {
                    found.kept.push((number, game));
                }
            }
            match found.results.get_mut(result.as_slice()) {
                Some(times) => *times += 1,
                None => _ = found.results.insert(result.clone(), 1),
            }
        }
        Ok(found)
    }
}

impl<G: Game> Deals<G> {
    /// Adds a game to the sums, and its payoffs and rounds to the result of its deal.
    fn count(&mut self, line_up: usize, game: &Finished<G>, asked: &Asked<'_>, result: &mut Vec<i64>) {
        let Outcome { payoff, rounds, tally, .. } = &game.outcome;
        self.moves += u64::from(game.count);
        // Python rounds halves to the even number, too.
        result.extend(asked.sides.iter().map(|&seat| (payoff[seat] * asked.unit).round_ties_even() as i64));
        result.push(i64::from(*rounds));
        let known = &mut self.tallies[line_up];
        for (name, counts) in tally {
            let place = known.iter().position(|(other, _)| other == name).unwrap_or_else(|| {
                known.push((name, vec![0; counts.len()]));
                known.len() - 1
            });
            known[place].1.iter_mut().zip(counts).for_each(|(sum, &count)| *sum += u64::from(count));
        }
    }
}

/// Writes a game as its line of a journal: a `tisch.arena.play.Played` as JSON.
///
/// `result` has the payoff of each side, then the number of rounds.
fn line<G: Game>(lines: &mut Vec<u8>, number: u64, result: &[i64], game: &Finished<G>) {
    let Some((rounds, payoffs)) = result.split_last() else { return };
    // Nothing can fail that writes to memory.
    _ = write!(lines, "[{number},");
    list(lines, payoffs);
    _ = write!(lines, ",{rounds},{},{{", game.count);
    for (place, (name, counts)) in game.outcome.tally.iter().enumerate() {
        _ = write!(lines, "{}\"{name}\":", if place == 0 { "" } else { "," });
        list(lines, counts);
    }
    lines.extend_from_slice(b"},null,{},null]\n");
}

/// Writes numbers as a list.
fn list<T: fmt::Display>(lines: &mut Vec<u8>, numbers: &[T]) {
    lines.push(b'[');
    for (place, number) in numbers.iter().enumerate() {
        _ = write!(lines, "{}{number}", if place == 0 { "" } else { "," });
    }
    lines.push(b']');
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::maumau::game::{MauMau, Options};
    use crate::maumau::round::Rules;
    use crate::random::Random;
    use crate::simulation::{Maker, MoveOf, Played, Policy, Round, Seats};

    const UNIT: f64 = 720_720.0;

    fn duel() -> Match<MauMau> {
        let rules = Rules { stacking: true, wish_on_wish: false, play_drawn: true };
        let options = Options { players: 2, rounds: 2, hand: 6, rules };
        let makers = ["rule", "random"].map(|name| MauMau::policy(name, &BTreeMap::new()).expect("a policy"));
        Match::new(options, 5, &makers, &[vec![0, 1], vec![1, 0]])
    }

    #[test]
    fn deals_come_to_what_their_games_come_to() {
        let asked = Asked { sides: &[0, 1], unit: UNIT, kept: &[7, 8], lines: true };
        let found = duel().deals(&[3, 4, 9, 3], &asked, &mut || true).expect("all games end");
        let mut single = duel();
        let mut games = |deal: u64| {
            [2 * deal, 2 * deal + 1].map(|number| single.play(number, true, &mut || true).expect("it ends"))
        };
        let mut moves = 0;
        let mut results = BTreeMap::new();
        let mut drawn = [[0, 0], [0, 0]];
        let mut numbers = Vec::new();
        for deal in [3, 4, 9, 3] {
            let mut result = Vec::new();
            for (index, game) in games(deal).iter().enumerate() {
                moves += u64::from(game.count);
                result.extend(game.outcome.payoff.iter().map(|payoff| (payoff * UNIT).round_ties_even() as i64));
                result.push(2);
                let (name, counts) = &game.outcome.tally[2];
                assert_eq!(*name, "cards drawn");
                (0..2).for_each(|seat| drawn[index][seat] += u64::from(counts[seat]));
                numbers.push(2 * deal + index as u64);
            }
            *results.entry(result).or_insert(0) += 1;
        }
        assert_eq!((found.moves, &found.results), (moves, &results));
        assert_eq!(results.values().copied().max(), Some(2), "one deal is played twice");
        assert_eq!(found.tallies.iter().map(|line_up| line_up[2].1.clone()).collect::<Vec<_>>(), drawn);
        assert_eq!(found.kept.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [7, 8, 7]);
        assert!(found.kept.iter().all(|(_, game)| game.moves.len() == game.count as usize));
        let lines = String::from_utf8(found.lines).expect("text");
        let begins: Vec<_> = numbers.iter().map(|number| format!("[{number},[")).collect();
        assert_eq!(lines.lines().count(), 8);
        assert!(lines.lines().zip(&begins).all(|(line, begin)| line.starts_with(begin)), "{lines}");
    }

    /// A game that never ends.
    #[derive(Clone, Debug, PartialEq)]
    struct Endless;

    impl Round for Endless {
        type Move = u8;
        type Evidence = ();

        fn seats(&self) -> usize {
            1
        }

        fn awaited(&self) -> Seats {
            1
        }

        fn legal(&self, _seat: usize, moves: &mut Vec<u8>) {
            moves.push(0);
        }

        fn make(&mut self, _seat: usize, _chosen: u8) {}

        fn redeal(&self, _seat: usize, (): &(), _random: &mut Random) -> Self {
            Self
        }

        fn lead(&self, _seat: usize) -> i32 {
            0
        }
    }

    impl Game for Endless {
        type Round = Self;
        type Options = ();

        fn begin((): &(), _seed: u64) -> Self {
            Self
        }

        fn round(&self) -> &Self {
            self
        }

        fn number(&self) -> u32 {
            0
        }

        fn make(&mut self, _seat: usize, _chosen: u8) {}

        fn outcome(&self) -> Option<Outcome> {
            None
        }
    }

    /// Makes the only move, or none.
    struct Player(Option<u8>);

    impl Policy<Endless> for Player {
        fn start(&mut self, _random: Random) {}

        fn act(&mut self, _game: &Endless, _seat: usize, _must: bool) -> Option<MoveOf<Endless>> {
            self.0
        }
    }

    #[test]
    fn a_game_that_fails_is_named() {
        let asked = Asked { sides: &[0], unit: UNIT, kept: &[], lines: false };
        for (chosen, reason) in [(Some(0), Broken::Endless), (None, Broken::Silent(0))] {
            let makers: [Maker<Endless>; 1] = [Box::new(move || Box::new(Player(chosen)))];
            let mut played = Match::new((), 1, &makers, &[vec![0]]);
            let failed = played.deals(&[6], &asked, &mut || true).expect_err("it never ends");
            assert_eq!(failed, Failed { number: 6, seed: derive(1, &[word("deal"), 6]), reason });
            assert_eq!(failed.to_string(), format!("Game 6 (seed {}) failed: {reason}", failed.seed));
            let failed = played.deals(&[6], &asked, &mut || false).expect_err("it is interrupted");
            assert_eq!(failed.reason, Broken::Interrupted);
        }
    }
}
