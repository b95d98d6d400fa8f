//! The chance to win a series between equals.

use std::sync::LazyLock;

use super::MOST;

/// How often a game is won by 1, 2 and 3 game points.
const SHARES: [f64; MOST as usize] = [0.5, 0.3, 0.2];
/// The most game points that a player may need for the chance to be computed exactly.
pub const EXACT: usize = 100;
/// The largest sum of needed game points that is told apart.
pub const FAR: i64 = 1_000_000_000_000;
/// The results of a game, from the loss of most game points to the gain of most.
const RESULTS: usize = 2 * MOST as usize + 1;

/// The chances by the game points that both players need, the own ones first.
type Table = Vec<[f64; EXACT + 1]>;

/// Returns the chance to win the series after each result of a game: from the loss of three game points to the gain of as
/// many, with none of both in the middle.
///
/// They come from one estimate: where one is exact and the other is not, they differ by more than a hopeless game can win.
#[must_use]
pub fn chances(own: i64, other: i64) -> [f64; RESULTS] {
    static TABLE: LazyLock<Table> = LazyLock::new(table);
    let needed = |needs: i64| usize::try_from(needs.max(0)).ok().filter(|&needs| needs <= EXACT);
    let table = needed(own).and(needed(other)).map(|_| &*TABLE);
    let mut result = -i64::from(MOST);
    [(); RESULTS].map(|()| {
        let (own, other) = (own - result.max(0), other - (-result).max(0));
        result += 1;
        match (table, needed(own), needed(other)) {
            _ if own <= 0 || other <= 0 => f64::from(u8::from(own <= 0)),
            (Some(table), Some(own), Some(other)) => table[own][other],
            _ => normal(own, other),
        }
    })
}

fn table() -> Table {
    let mut table = vec![[0.0; EXACT + 1]; EXACT + 1];
    table[0] = [1.0; EXACT + 1];
    for own in 1..=EXACT {
        for other in 1..=EXACT {
            table[own][other] = SHARES.iter().zip(1..).fold(0.0, |chance, (share, points)| {
                chance
                    + share * (table[own.saturating_sub(points)][other] + table[own][other.saturating_sub(points)])
                        / 2.0
            });
        }
    }
    table
}

/// Estimates the chance as if the lead that the coming games bring had a normal distribution.
///
/// Where it begins, it is off by less than 0.001. It takes the same time for any goal.
fn normal(own: i64, other: i64) -> f64 {
    let needed = own.saturating_add(other).min(FAR);
    let lead = (other - own).clamp(-needed, needed);
    libm::erfc(-(lead as f64) / (2.0 * variance() * needed as f64).sqrt()) / 2.0
}

/// Returns the variance of a series' lead for each game point that both players need together: that of a game, for each
/// game point that it brings.
fn variance() -> f64 {
    let mean = |power| SHARES.iter().zip(1..).map(|(share, points)| share * f64::from(points).powi(power)).sum::<f64>();
    mean(2) / mean(1)
}
