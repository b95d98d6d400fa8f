//! A whole game of Raumstation, and who plays it: its station follows from the seed as in the engine.

use std::sync::Arc;

use super::round::{Move, Round};
use super::setup::{Options, Unplayable, generate};
use crate::random::Random;
use crate::simulation::random::RandomPolicy;
use crate::simulation::{self, Game as _, Maker, Outcome, Parameters, Played, Policy, Reader, no_policy};

/// A whole game at one moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Raumstation {
    round: Round,
    /// Why there is no game.
    flaw: Option<Unplayable>,
}

impl Raumstation {
    /// Returns the game at a moment.
    #[must_use]
    pub const fn at(round: Round) -> Self {
        Self { round, flaw: None }
    }
}

impl simulation::Game for Raumstation {
    type Round = Round;
    type Options = Options;

    fn begin(options: &Options, seed: u64) -> Self {
        let begin = |(ground, traps)| Round::begin(Arc::new(ground), traps).map_err(|_| Unplayable::Improper);
        match generate(options, seed).and_then(begin) {
            Ok(round) => Self { round, flaw: None },
            Err(flaw) => Self { round: Round::none(options), flaw: Some(flaw) },
        }
    }

    fn flaw(&self) -> Option<&'static str> {
        self.flaw.map(Unplayable::sentence)
    }

    fn round(&self) -> &Round {
        &self.round
    }

    fn number(&self) -> u32 {
        0
    }

    fn make(&mut self, seat: usize, chosen: Move) {
        simulation::Round::make(&mut self.round, seat, chosen);
    }

    fn outcome(&self) -> Option<Outcome> {
        let won = self.round.now.won.filter(|_| self.flaw.is_none())?;
        let tally = self.round.now.tally;
        let counts =
            [("scans", tally.scans), ("guesses", tally.guesses), ("jokers", tally.jokers), ("marks", tally.marks)];
        Some(Outcome {
            payoff: vec![f64::from(u8::from(won))],
            points: vec![won.into()],
            rounds: 1,
            tally: counts.map(|(name, count)| (name, vec![count])).to_vec(),
        })
    }
}

/// Takes the solver's step.
#[derive(Debug)]
struct SolverPolicy;

impl Policy<Raumstation> for SolverPolicy {
    fn start(&mut self, _random: Random) {}

    fn act(&mut self, game: &Raumstation, _seat: usize, _must: bool) -> Option<Move> {
        game.round().decide().ok()
    }
}

impl Played for Raumstation {
    const POLICIES: &'static [&'static str] = &["random", "solver"];

    fn policy(name: &str, parameters: &Parameters) -> Result<Maker<Self>, String> {
        let reader = Reader::new(name, parameters);
        let maker: Maker<Self> = match name {
            "random" => Box::new(|| Box::<RandomPolicy<Self>>::default()),
            "solver" => Box::new(|| Box::new(SolverPolicy)),
            _ => return Err(no_policy(name, Self::POLICIES)),
        };
        reader.end().map(|()| maker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raumstation::setup::MEDIUM;
    use crate::simulation::Round as _;
    use crate::simulation::matches::{Broken, Match};

    const OPTIONS: Options = Options { protect: true, ..MEDIUM };

    /// Returns a match of one policy.
    fn alone(options: Options, name: &str) -> Match<Raumstation> {
        let maker = Raumstation::policy(name, &Parameters::new()).expect("there is this policy");
        Match::new(options, 3, &[maker], &[vec![0]])
    }

    #[test]
    fn the_solver_finishes_every_station_that_is_accepted_without_a_guess() {
        let mut games = alone(OPTIONS, "solver");
        for number in 0..60 {
            let outcome = games.play(number, false, &mut || true).expect("it ends").outcome;
            assert_eq!((outcome.payoff, outcome.points), (vec![1.0], vec![1]), "game {number}");
            assert_eq!(outcome.tally[1], ("guesses", vec![0]), "game {number}");
        }
    }

    #[test]
    fn a_redeal_changes_nothing_that_the_player_knows() {
        let mut random = Random::new(5);
        let (mut other_traps, mut moves, mut others) = (0, Vec::new(), Vec::new());
        for seed in 0..30 {
            let mut game = Raumstation::begin(&OPTIONS, seed);
            while game.round.awaited() != 0 {
                let redealt = game.round.redeal(0, &(), &mut random);
                other_traps += u32::from(redealt.now.traps != game.round.now.traps);
                moves.clear();
                others.clear();
                game.round.legal(0, &mut moves);
                redealt.legal(0, &mut others);
                assert_eq!(moves, others, "seed {seed}");
                assert_eq!(game.round.decide(), redealt.decide(), "seed {seed}");
                game.make(0, moves[random.below(moves.len() as u64) as usize]);
            }
        }
        assert!(other_traps > 30, "{other_traps}");
    }

    #[test]
    fn a_game_that_cannot_begin_says_why() {
        let hopeless = Options { danger: 0.5, jokers: 0, revealed: 0.0, ..OPTIONS };
        let game = Raumstation::begin(&hopeless, 1);
        let flaw = Unplayable::Unsolvable.sentence();
        assert_eq!((game.flaw(), game.outcome(), game.round.awaited()), (Some(flaw), None, 0));
        let failed = alone(hopeless, "random").play(0, false, &mut || true).expect_err("it cannot begin");
        assert_eq!(failed, Broken::Impossible(flaw));
    }
}
