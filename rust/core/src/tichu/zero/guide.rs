//! Guides trees through Tichu: worlds, what the seat knows in them, and who moves without the tree's choosing.

use super::Moment;
use super::thought::Thinker;
use crate::net::Net;
use crate::random::Random;
use crate::simulation::search::Model as _;
use crate::simulation::tree::{Aside, Guide, Weighted};
use crate::simulation::{self, each};
use crate::tichu::features;
use crate::tichu::moves::Move;
use crate::tichu::playout;
use crate::tichu::policies::{HeuristicPolicy, Policy as _, PolicyName, Style};
use crate::tichu::round::{Phase, Round, SEATS, at};
use crate::tichu::search::{Likely, Table, Worlds};
use std::num::NonZeroUsize;

/// Guides the trees of a seat.
pub struct Trees<'a> {
    worlds: Worlds<'a>,
    table: Table<'a>,
    thinker: Thinker<'a>,
    /// Throw bombs out of turn, and decide what the seat does not see.
    teams: [HeuristicPolicy; 2],
    /// Play worlds to their end.
    players: [Box<HeuristicPolicy>; 2],
    /// How much of what a moment is worth is how the round ended that was played from there.
    mix: f64,
}

/// What a seat knows besides the moves that it has seen: its cards, the calls, and the cards that it got from others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Knowledge {
    hand: u64,
    calls: [u8; SEATS as usize],
    received: [u8; SEATS as usize - 1],
}

impl<'a> Trees<'a> {
    /// Creates the guide of a tree.
    pub fn new(moment: Moment<'a>, net: &'a Net, style: Style, mix: f64) -> Self {
        let Moment { round, evidence, seat } = moment;
        let likely = Some(Likely { draws: NonZeroUsize::MIN, net: None });
        let worlds = Worlds { round, evidence, seat, policy: PolicyName::Quick, likely };
        let team = || HeuristicPolicy::styled(false, style);
        Self {
            worlds,
            table: worlds.table(),
            thinker: Thinker::new(net, style),
            teams: [team(), team()],
            players: [Box::new(HeuristicPolicy::quick()), Box::new(HeuristicPolicy::quick())],
            mix,
        }
    }

    fn team(&mut self, seat: u8) -> &mut HeuristicPolicy {
        &mut self.teams[usize::from(seat % 2)]
    }
}

impl Guide for Trees<'_> {
    type Round = Round;
    type Class = (u8, u64);
    type Known = Knowledge;

    fn world(&mut self, random: &mut Random) -> Round {
        self.teams.iter_mut().for_each(HeuristicPolicy::start);
        self.worlds.world(&mut self.table, random)
    }

    fn class(&self, chosen: Move) -> (u8, u64) {
        features::class(chosen)
    }

    fn known(&self, round: &Round) -> Knowledge {
        let seat = self.worlds.seat;
        let together = round.phase().is_together();
        Knowledge {
            hand: round.hand(seat).mask(),
            calls: if round.phase() == Phase::Grand { [0; 4] } else { round.calls },
            received: [1, 2, 3]
                .map(|step| if together { 0 } else { round.given[at(seat + step)][usize::from(3 - step)] }),
        }
    }

    fn aside(&mut self, round: &Round, silent: simulation::Seats, random: &mut Random) -> Option<Aside<Move>> {
        let own = usize::from(self.worlds.seat);
        if round.phase().is_together() {
            let seat = each(round.awaited().into()).find(|&seat| seat != own)?;
            let chosen = self.team(seat as u8).decide(round, seat as u8, random);
            return Some(Aside { seat, chosen, hidden: true });
        }
        let others = simulation::Seats::from(round.bombers & !round.awaited()) & !silent;
        each(others).filter(|&seat| round.may_bomb(seat as u8)).find_map(|seat| {
            let bomb = self.teams[seat % 2].interrupt(round, seat as u8, random)?;
            Some(Aside { seat, chosen: bomb, hidden: false })
        })
    }

    fn options(&mut self, round: &Round, seat: usize, options: &mut Vec<Weighted<Round>>) {
        let asked = self.thinker.ask(round, seat as u8);
        options.extend(self.thinker.options(&asked, round, seat as u8));
    }

    fn values(&mut self, round: &Round, values: &mut [f64], random: &mut Random) {
        let own = self.worlds.seat;
        let mut value = self.thinker.value(round, own);
        if self.mix > 0.0 {
            let lead = playout::lead(*round, own, 0, &mut self.players, random);
            value += self.mix * (f64::from(lead) - value);
        }
        for (seat, each) in values.iter_mut().enumerate() {
            *each = if seat % 2 == usize::from(own % 2) { value } else { -value };
        }
    }
}
