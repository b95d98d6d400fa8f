//! The worlds of a seat: how they are drawn, and how two teams of a policy play them to their end.

use std::num::NonZeroUsize;

use crate::net::Net;
use crate::random::Random;
use crate::simulation::search::Model;
use crate::tichu::belief::Belief;
use crate::tichu::playout::lead;
use crate::tichu::policies::{HeuristicPolicy, Policy, PolicyName};
use crate::tichu::redeal::Evidence;
use crate::tichu::round::{Round, SEATS, at, each};

/// How likely worlds are found.
#[derive(Clone, Copy, Debug)]
pub struct Likely<'a> {
    /// The number of draws from which a world is chosen: by what the seat believes, or else the one with the others' best
    /// hands, for after the schupf hands are better than chance.
    pub draws: NonZeroUsize,
    /// What the seat believes; a network for beliefs.
    pub net: Option<&'a Net>,
}

/// The worlds of a seat.
#[derive(Clone, Copy, Debug)]
pub struct Worlds<'a> {
    /// The true round.
    pub round: &'a Round,
    /// What the moves have shown of the hidden cards.
    pub evidence: &'a Evidence,
    /// The seat that decides.
    pub seat: u8,
    /// Plays the worlds to their end.
    pub policy: PolicyName,
    /// How likely worlds are found; without it, a world is any redeal.
    pub likely: Option<Likely<'a>>,
}

/// What plays worlds to their end, and finds the likely ones.
pub struct Table<'a> {
    teams: [Box<dyn Policy>; 2],
    belief: Option<Belief<'a>>,
    judge: HeuristicPolicy,
}

impl<'a> Model for Worlds<'a> {
    type Round = Round;
    type Table = Table<'a>;

    fn table(&self) -> Table<'a> {
        let net = self.likely.and_then(|likely| likely.net).filter(|_| self.round.is_within_tricks());
        Table {
            teams: [self.policy.policy(), self.policy.policy()],
            belief: net.map(|net| Belief::new(net, self.round, self.evidence, self.seat)),
            judge: HeuristicPolicy::new(false),
        }
    }

    fn world(&self, table: &mut Table<'a>, random: &mut Random) -> Round {
        match self.likely {
            None => self.redeal(random),
            Some(_) if self.round.phase().is_together() => self.decided_anew(table, random),
            Some(likely) => self.likely(likely.draws.get(), table, random),
        }
    }

    fn lead(&self, round: Round, _number: u64, silent: bool, table: &mut Table<'a>, random: &mut Random) -> i32 {
        let silent = if silent { 1 << self.seat } else { 0 };
        lead(round, self.seat, silent, &mut table.teams, random)
    }
}

impl Worlds<'_> {
    fn redeal(&self, random: &mut Random) -> Round {
        self.round.redeal(self.seat, self.evidence, random)
    }

    /// Draws a world in which the others decide by the policy what they decide at the same time as the seat.
    fn decided_anew(&self, table: &mut Table<'_>, random: &mut Random) -> Round {
        let mut world = self.redeal(random);
        world.reopen(self.seat);
        for other in each(world.awaited()).filter(|&other| other != self.seat) {
            let policy = &mut table.teams[usize::from(other % 2)];
            policy.start();
            while world.awaited() >> other & 1 == 1 {
                let chosen = policy.decide(&world, other, random);
                world.make(other, chosen);
            }
        }
        world
    }

    /// Draws several worlds, and returns one by what the seat believes; without a belief the one with the others' best
    /// hands.
    fn likely(&self, draws: usize, table: &mut Table<'_>, random: &mut Random) -> Round {
        if draws < 2 {
            return self.redeal(random);
        }
        if let Some(belief) = &mut table.belief {
            return belief.draw(draws, random);
        }
        let others = |&other: &u8| other != self.seat && self.round.alive >> other & 1 == 1;
        let mut price = |world: &Round| -> i32 {
            let whole = |other: u8| world.hands[at(other)].union(world.laid[at(other)]);
            (0..SEATS).filter(others).map(|other| table.judge.opening_price(whole(other))).sum()
        };
        (0..draws).map(|_| self.redeal(random)).min_by_key(|world| price(world)).unwrap_or(*self.round)
    }
}
