//! How readily a player calls: the character that people notice first.

use std::fmt;
use std::str::FromStr;

/// How readily a player calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calls {
    /// Where a call wins points.
    #[default]
    Usual,
    /// Also where it may well fail.
    Bold,
    /// Only where it can hardly fail.
    Careful,
}

impl Calls {
    /// All ways to call.
    const ALL: [Self; 3] = [Self::Usual, Self::Bold, Self::Careful];

    /// Returns the name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Bold => "bold",
            Self::Careful => "careful",
        }
    }

    /// Returns the price of a hand below which it calls small Tichu.
    pub(super) const fn small_below(self) -> i32 {
        match self {
            Self::Usual => 1150,
            Self::Bold => 1900,
            Self::Careful => 600,
        }
    }

    /// Returns the promise of the first eight cards above which it calls Grand Tichu.
    #[must_use]
    pub const fn grand_from(self) -> i32 {
        match self {
            Self::Usual => 1470,
            Self::Bold => 1150,
            Self::Careful => 1850,
        }
    }
}

impl FromStr for Calls {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let names = || Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|calls| calls.name() == name);
        found.ok_or_else(|| format!("Nobody calls '{name}', only: {}.", names()))
    }
}

impl fmt::Display for Calls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
