//! The agent `search`: it plays the move after which it wins the series most often in deals that its seat cannot tell from
//! the true one.
//!
//! The rules of thumb play a deal until few cards are left in the stock. From there on its worth is exact: in half of the
//! deals against perfect play, in the others against the rules of thumb, which let a lost game be won. As soon as nothing
//! more is drawn, the deals are no sample any more: every hand that the other may hold is solved in both ways.

use std::num::NonZeroUsize;

use super::endgame;
use super::game::Sechsundsechzig;
use super::moves::Move;
use super::past::Past;
use super::round::Round;
use super::series::chances;
use super::{MOST, rule, solver};
use crate::random::Random;
use crate::simulation::search::{Candidate, Effort, Model, Trial, Tried};
use crate::simulation::{Finding, Game as _, Policy, Reader, Round as _};

/// The standard deviation of the differences between two moves that is assumed at first, in game points.
const DOUBT: f64 = 1.0;
/// The fewest deals in which a move is judged, so that there is a standard error.
const MANY: usize = 4;
/// The most cards in the stock with which a deal can be solved.
const MOST_EXACT: usize = 4;
/// The most redeals of which one is chosen.
const MOST_DRAWS: usize = 1_000_000;

/// The parameters.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    playouts: usize,
    exact: usize,
    caution: f64,
    draws: usize,
}

impl Settings {
    /// Reads the parameters.
    ///
    /// # Errors
    /// One is unknown or impossible.
    pub fn read(mut reader: Reader<'_>) -> Result<Self, String> {
        let settings = Self {
            playouts: reader.count("playouts", 800)?,
            exact: reader.within("exact", 0..=MOST_EXACT, 2)?,
            caution: reader.size("caution", 0.3)?,
            draws: reader.within("draws", 1..=MOST_DRAWS, 32)?,
        };
        reader.end().map(|()| settings)
    }
}

/// The deals of the player to move.
struct Deals<'a> {
    game: &'a Sechsundsechzig,
    past: Option<Past>,
    settings: Settings,
    /// The most game points that the player can use to lose and to win.
    caps: [i8; 2],
}

impl<'a> Deals<'a> {
    fn new(game: &'a Sechsundsechzig, settings: Settings, caps: [i8; 2]) -> Self {
        Self { game, past: game.evidence().history.as_ref().map(Past::new), settings, caps }
    }

    /// Solves what each candidate leads to, for every hand that the other may hold; none if `proceed` has returned false.
    ///
    /// A hand counts as often as it is likely, each time in two ways: against perfect play and against the rules of thumb.
    fn weigh(&self, candidates: &[Candidate<Round>], proceed: &mut dyn FnMut() -> bool) -> Option<Tried> {
        let (round, seat) = (self.game.round(), self.game.round().turn);
        let most = self.settings.playouts.div_ceil(candidates.len().max(1));
        let mut leads = vec![Vec::new(); candidates.len()];
        for (world, share) in endgame::shares(&endgame::worlds(round, self.game.evidence(), self.past.as_ref()), most) {
            for (candidate, leads) in candidates.iter().zip(&mut leads) {
                let mut after = world;
                for &chosen in candidate {
                    after.make(seat, chosen);
                }
                let solved = [0, 1].map(|number| self.solved(&after, number));
                leads.extend(solved.repeat(share));
            }
            if !proceed() {
                return None;
            }
        }
        Some(Tried { alive: (0..candidates.len()).collect(), leads })
    }

    /// Returns the game points that the player gets in a round with open hands, within the caps: by turns against perfect
    /// play and against the rules of thumb.
    fn solved(&self, round: &Round, number: u64) -> i32 {
        let (player, [loss, gain]) = (self.game.round().turn, self.caps);
        let worth = if number.is_multiple_of(2) { solver::within } else { solver::against_rules };
        worth(round, player, -loss, gain).clamp(-loss, gain).into()
    }
}

impl Model for Deals<'_> {
    type Round = Round;
    type Table = ();

    fn table(&self) {}

    /// Draws the redeal of several that the rules of thumb contradict least.
    fn world(&self, (): &mut (), random: &mut Random) -> Round {
        let (round, evidence) = (self.game.round(), self.game.evidence());
        let (mut world, mut fewest) = (*round, u32::MAX);
        for _ in 0..self.settings.draws {
            let drawn = round.redeal(round.turn, evidence, random);
            let past = self.past.as_ref();
            let count = past.map_or(0, |past| past.contradictions(&drawn, 1 - round.turn, fewest, random));
            if count < fewest {
                (world, fewest) = (drawn, count);
            }
            if fewest == 0 {
                break;
            }
        }
        world
    }

    /// Returns the game points that the player gets, within the caps.
    fn lead(&self, mut round: Round, number: u64, _silent: bool, (): &mut (), _random: &mut Random) -> i32 {
        while round.result.is_none() && usize::from(round.stock.left()) > self.settings.exact {
            round.make(round.turn, rule::decide(&round));
        }
        self.solved(&round, number)
    }
}

/// The agent `search`.
#[derive(Debug)]
pub struct SearchPolicy {
    settings: Settings,
    random: Random,
    findings: Vec<Finding<Sechsundsechzig>>,
}

impl SearchPolicy {
    /// Creates the agent.
    #[must_use]
    pub fn new(settings: Settings) -> Self {
        Self { settings, random: Random::new(0), findings: Vec::new() }
    }

    /// Lists the moves to be tried, that of the rules of thumb first.
    fn candidates(round: &Round) -> Vec<Candidate<Round>> {
        let (mut moves, usual) = (round.candidates(), rule::decide(round));
        let place = moves.iter().position(|&chosen| chosen == usual).unwrap_or_default();
        moves[..=place].rotate_right(1);
        moves.into_iter().map(|chosen| vec![chosen]).collect()
    }

    fn effort(&self) -> Effort {
        Effort { playouts: self.settings.playouts, worlds: usize::MAX, doubt: DOUBT, threads: NonZeroUsize::MIN }
    }
}

impl Policy<Sechsundsechzig> for SearchPolicy {
    fn start(&mut self, random: Random) {
        self.random = random;
        self.findings.clear();
    }

    fn act(&mut self, game: &Sechsundsechzig, seat: usize, must: bool) -> Option<Move> {
        self.decide(game, seat, must, &mut || true)
    }

    fn decide(
        &mut self,
        game: &Sechsundsechzig,
        seat: usize,
        must: bool,
        proceed: &mut dyn FnMut() -> bool,
    ) -> Option<Move> {
        self.findings.clear();
        let round = game.round();
        if !must || round.result.is_some() {
            return must.then_some(Move::Restart);
        }
        // Waiting can only help the other, unless the other has closed the stock.
        if round.may_claim() && !round.sides[1 - seat].closed {
            return Some(Move::Stop);
        }
        let candidates = Self::candidates(round);
        if let [only] = candidates.as_slice() {
            return only.first().copied();
        }
        let (own, other) = (game.needed(seat), game.needed(1 - seat));
        let caps = [other, own].map(|needed| needed.clamp(1, MOST.into()) as i8);
        let (model, seed) = (Deals::new(game, self.settings, caps), self.random.bits());
        let trial = Trial { model: &model, seat, candidates: &candidates, effort: self.effort(), seed };
        // Where all hands are weighed, no luck can mislead.
        let (tried, caution) = match round.stock.left() {
            0 => (model.weigh(&candidates, proceed)?, 0.0),
            _ => (trial.run(proceed)?, self.settings.caution),
        };
        let chances = chances(own, other);
        let value = |lead: i32| chances[usize::try_from(lead + i32::from(MOST)).unwrap_or_default()];
        let best = tried.choose(caution, 0.0, value);
        let chosen = candidates[best].first().copied();
        self.findings = tried.findings(candidates, best, value);
        chosen
    }

    fn findings(&self) -> Vec<Finding<Sechsundsechzig>> {
        self.findings.clone()
    }

    fn payoffs(
        &mut self,
        game: &Sechsundsechzig,
        seat: usize,
        candidates: &[Candidate<Round>],
        proceed: &mut dyn FnMut() -> bool,
    ) -> Vec<Vec<f64>> {
        let worlds = self.settings.playouts.div_ceil(candidates.len().max(1)).max(MANY);
        let (effort, seed) = (self.effort(), self.random.bits());
        let model = Deals::new(game, self.settings, [MOST; 2]);
        let trial = Trial { model: &model, seat, candidates, effort, seed };
        let leads = trial.compare(0..worlds, proceed).unwrap_or_default();
        // What both need tells the lead so far, too.
        let before = game.needed(1 - seat) - game.needed(seat);
        let payoff = |lead: i32| (before + i64::from(lead)) as f64;
        leads.into_iter().map(|leads| leads.into_iter().map(payoff).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::evidence::{Evidence, History};
    use super::super::game::{Options, Standing};
    use super::super::round::Stock;
    use super::super::{ALL, cards, pairs};
    use super::*;
    use crate::simulation::Parameters;

    #[test]
    fn samples_agree_with_what_the_other_did() {
        // The leader has the four jacks and two nines, so it has nothing to announce, and lays a nine.
        let jacks_and_nines = (0..4).map(|each| 0b1_0000 << (6 * each)).sum::<u32>() | 1 << 5 | 1 << 11;
        let own = 0b1111 & !1 | 0b111 << 6;
        let stock = Stock::new(cards(ALL & !(jacks_and_nines | own)).map(|card| card as u8));
        let mut round = Round::begun([jacks_and_nines, own], stock, 0);
        let mut evidence =
            Evidence { history: round.open.map(|open| History::new(0, open as u8)), ..Evidence::default() };
        let led = rule::decide(&round);
        assert!(matches!(led, Move::Lay(_)));
        round.note(&mut evidence, 0, led);
        round.make(0, led);
        let game = Sechsundsechzig::within(&Options { goal: 1 }, 1, round, evidence, Standing::default());
        let held = |draws| {
            let defaults = Settings::read(Reader::new("search", &Parameters::new())).unwrap();
            let model = Deals::new(&game, Settings { draws, ..defaults }, [1; 2]);
            let worlds = (0..300).map(|seed| model.world(&mut (), &mut Random::new(seed)));
            worlds.filter(|world| pairs(world.sides[0].hand) != 0).count()
        };
        assert!(held(1) > 30, "{}", held(1));
        assert_eq!(held(64), 0);
    }
}
