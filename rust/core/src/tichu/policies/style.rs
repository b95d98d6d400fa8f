//! The style of a player: what it does not do although it may, because its team plays better or is better understood.

use std::fmt;
use std::str::FromStr;

use super::weighing::Known;
use crate::tichu::cards::{ACE, Cards};
use crate::tichu::combinations::{ALL, Kind};
use crate::tichu::hand::HAND_SIZE;
use crate::tichu::plays::Play;
use crate::tichu::round::LEAD;

/// The cards that win tricks: nobody lays them without need.
const HONOURS: Cards = Cards::DRAGON.union(Cards::PHOENIX).union(Cards::of_value(ACE));
/// The partner's single of this rank or higher is left alone.
const HIGH: u8 = 10;
/// An opponent with so few cards is about to finish: everybody stops them as well as they can, and nobody calls.
const FEW: u32 = 2;

/// A style of play.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Whatever wins most: only the first lead of the round is with the Mah Jong.
    #[default]
    Strength,
    /// As people expect of a partner: besides, the partner's trick is left alone where it is likely to be won, and the
    /// Mah Jong is not given to opponents.
    Team,
}

impl Style {
    /// All styles.
    const ALL: [Self; 2] = [Self::Strength, Self::Team];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Strength => "strength",
            Self::Team => "team",
        }
    }

    /// Keeps what a player lays, or passing; everything if all of it is against the style, as a wish may demand.
    pub fn keep(self, known: &Known, plays: &mut Vec<Play>) {
        if known.top == LEAD && known.hand.contains(Cards::MAH_JONG) && known.hand.union(known.unseen) == Cards::DECK {
            keep_any(plays, |play| play.cards().contains(Cards::MAH_JONG));
        } else if self == Self::Team && known.owner == known.partner() {
            keep_any(plays, |play| lays_over_partner(known, play));
        }
    }

    /// Returns whether a player gives a card to an opponent.
    #[must_use]
    pub fn gives(self, card: Cards) -> bool {
        self == Self::Strength || card != Cards::MAH_JONG
    }
}

/// Keeps the plays for which something holds; all of them if there are none.
fn keep_any(plays: &mut Vec<Play>, holds: impl Fn(Play) -> bool) {
    if plays.iter().any(|&play| holds(play)) {
        plays.retain(|&play| holds(play));
    }
}

/// Returns whether it is too late to call small Tichu: with a whole hand while an opponent is about to finish.
#[must_use]
pub fn is_too_late(known: &Known) -> bool {
    known.hand.len() == HAND_SIZE && known.opponents().into_iter().any(|seat| known.count(seat) <= FEW)
}

/// Returns whether a player of a team lays this on the partner's trick, or passes.
fn lays_over_partner(known: &Known, play: Play) -> bool {
    if play == Play::PASS || play.cards() == known.hand {
        return true;
    }
    let near = known.opponents().into_iter().any(|seat| (1..=FEW).contains(&known.count(seat)));
    if near || (known.has_called(known.seat) && !known.has_called(known.partner())) {
        return true;
    }
    let top = ALL[usize::from(known.top)];
    top.kind == Kind::Single && top.rank < HIGH && !play.is_bomb() && play.cards().intersection(HONOURS).is_empty()
}

impl FromStr for Style {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|style| style.name() == name);
        found.ok_or_else(|| format!("There is no style '{name}', only: {}.", names()))
    }
}

impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
