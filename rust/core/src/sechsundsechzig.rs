//! Sechsundsechzig's endgame: the worth of a position with both hands known, once no more cards are drawn.
//!
//! Both hands are known here, so with an empty deck the result is the true worth; with a closed deck it is that of a
//! sampled world. Two decisions need no search: a leader with 66 stops, unless the other has closed and may lose more;
//! and a leader who leads a card of a pair announces it first, which costs nothing.

/// The points of a card by its index in its colour: ace, ten, king, queen, jack, nine.
const VALUES: [u16; 6] = [11, 10, 4, 3, 2, 0];
const KING: u32 = 2;
const QUEEN: u32 = 3;
/// The cards of the first colour.
const COLOUR: u32 = 0b11_1111;
const COLOURS: u32 = 4;

/// The points that a player needs to stop.
const ENOUGH: u16 = 66;
/// A loser with at most this many points, and a trick, loses two game points.
const FEW: u16 = 32;
/// The game points that a player forfeits by closing without enough points; no game is worth more.
const MOST: i8 = 3;
/// The maximum points: 120 in the cards, and four announcements.
const ALL: u16 = 210;

/// One of the two players.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    /// The hand: a bit for each card, colour by colour, each from the ace down to the nine.
    pub hand: u32,
    /// The points, with announcements.
    pub points: u16,
    /// Whether it has won a trick.
    pub has_trick: bool,
    /// Whether it has closed the deck.
    pub closed: bool,
}

/// A position in which colour must be followed.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The side that leads, or has led.
    pub leader: Side,
    /// The other.
    pub other: Side,
    /// The number of the trump colour, 0 to 3.
    pub trump: u32,
}

/// The reason why a position is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PositionError {
    /// A card or a colour does not exist.
    Unknown,
    /// Both hold the same card.
    Shared,
    /// The hands have different sizes.
    Uneven,
    /// A side has more points than possible.
    Points,
    /// Both sides have closed the deck.
    Closed,
    /// The card led is not in the leader's hand.
    Missing,
}

impl std::fmt::Display for PositionError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self {
            Self::Unknown => "There are 24 cards and 4 colours; the position has another one.",
            Self::Shared => "Both sides hold the same card.",
            Self::Uneven => "Both hands must have the same number of cards, at most 6, the card led counted.",
            Self::Points => "There are no more than 210 points in a game.",
            Self::Closed => "Only one side can have closed the deck.",
            Self::Missing => "The card led must be in the leader's hand.",
        })
    }
}

impl std::error::Error for PositionError {}

/// Returns the game points that the leader gets with perfect play; negative if the other side gets them.
///
/// `led` is the index of the card in the middle, which still counts as part of the leader's hand.
///
/// # Errors
/// The position is impossible; see [`PositionError`].
pub fn worth(position: &Position, led: Option<u32>) -> Result<i8, PositionError> {
    let Position { leader, other, trump } = position;
    if (leader.hand | other.hand) >> (6 * COLOURS) != 0 || *trump >= COLOURS {
        return Err(PositionError::Unknown);
    }
    if leader.hand & other.hand != 0 {
        return Err(PositionError::Shared);
    }
    if leader.hand.count_ones() != other.hand.count_ones() || leader.hand.count_ones() > 6 {
        return Err(PositionError::Uneven);
    }
    if leader.points > ALL || other.points > ALL {
        return Err(PositionError::Points);
    }
    if leader.closed && other.closed {
        return Err(PositionError::Closed);
    }
    match led {
        None => Ok(lead(position, -MOST, MOST)),
        Some(card) if cards(leader.hand).any(|held| held == card) => Ok(follow(position, card, -MOST, MOST)),
        Some(_) => Err(PositionError::Missing),
    }
}

/// Returns the worth for the leader, exact within the window.
fn lead(position: &Position, alpha: i8, beta: i8) -> i8 {
    let Position { leader, other, trump } = *position;
    if leader.hand == 0 {
        return run_out(leader, other);
    }
    let mut best = stop(leader, other);
    if best > -MOST && !other.closed {
        return best;
    }
    for card in cards(leader.hand) {
        let mut announced = *position;
        announced.leader.points += announcement(leader.hand, card, trump);
        best = best.max(stop(announced.leader, other));
        if best < beta {
            best = best.max(follow(&announced, card, alpha.max(best), beta));
        }
        if best >= beta {
            break;
        }
    }
    best
}

/// Returns the worth for the leader after leading a card, which still counts as part of the hand.
fn follow(position: &Position, led: u32, alpha: i8, mut beta: i8) -> i8 {
    let Position { leader, other, trump } = *position;
    let leader = Side { hand: leader.hand ^ (1 << led), ..leader };
    let colour = led / 6;
    let same_colour = other.hand & (COLOUR << (6 * colour));
    let mut best = MOST;
    for card in cards(if same_colour == 0 { other.hand } else { same_colour }) {
        let other = Side { hand: other.hand ^ (1 << card), ..other };
        let takes = if card / 6 == colour { card < led } else { card / 6 == trump };
        let gain = VALUES[(led % 6) as usize] + VALUES[(card % 6) as usize];
        let value = if takes {
            -lead(&Position { leader: with_trick(other, gain), other: leader, trump }, -beta, -alpha)
        } else {
            lead(&Position { leader: with_trick(leader, gain), other, trump }, alpha, beta)
        };
        best = best.min(value);
        beta = beta.min(value);
        if beta <= alpha {
            break;
        }
    }
    best
}

fn with_trick(side: Side, gain: u16) -> Side {
    Side { points: side.points + gain, has_trick: true, ..side }
}

/// Returns the indices of the cards of a hand.
fn cards(mut hand: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let place = (hand != 0).then(|| hand.trailing_zeros())?;
        hand &= hand - 1;
        Some(place)
    })
}

/// Returns the points for announcing the pair that contains a card.
fn announcement(hand: u32, card: u32, trump: u32) -> u16 {
    let colour = card / 6;
    let pair = (1 << KING | 1 << QUEEN) << (6 * colour);
    if pair & (1 << card) == 0 || hand & pair != pair {
        0
    } else if colour == trump {
        30
    } else {
        20
    }
}

/// Returns the game points of a side with enough points, depending on the other side.
fn prize(other: Side) -> i8 {
    match other {
        Side { has_trick: false, .. } => 3,
        Side { points: ..=FEW, .. } => 2,
        _ => 1,
    }
}

/// Returns the worth of stopping for a side, and of having closed when the cards run out.
fn stop(side: Side, other: Side) -> i8 {
    if side.points >= ENOUGH { prize(other) } else { -MOST }
}

/// Returns the worth for the winner of the last trick.
fn run_out(leader: Side, other: Side) -> i8 {
    match (leader.closed, other.closed) {
        (true, _) => stop(leader, other),
        (_, true) => -stop(other, leader),
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn side(hand: &[u32], points: u16) -> Side {
        Side { hand: hand.iter().map(|card| 1 << card).sum(), points, has_trick: points > 0, closed: false }
    }

    fn position(leader: Side, other: Side) -> Position {
        Position { leader, other, trump: 3 }
    }

    #[test]
    fn the_last_trick_is_worth_1() {
        assert_eq!(worth(&position(side(&[0], 20), side(&[1], 20)), None), Ok(1));
        assert_eq!(worth(&position(side(&[1], 20), side(&[0], 20)), None), Ok(-1));
    }

    #[test]
    fn who_leads_and_has_enough_stops() {
        assert_eq!(worth(&position(side(&[5], 66), side(&[0], 33)), None), Ok(1));
        assert_eq!(worth(&position(side(&[5], 66), side(&[0], 32)), None), Ok(2));
        assert_eq!(worth(&position(side(&[5], 66), side(&[0], 0)), None), Ok(3));
    }

    #[test]
    fn who_has_enough_waits_for_more_if_the_other_has_closed_and_cannot_reach_66() {
        let closer = Side { closed: true, ..side(&[0], 40) };
        assert_eq!(worth(&position(side(&[5], 66), closer), None), Ok(3));
        assert_eq!(worth(&position(side(&[5], 66), Side { points: 60, ..closer }), None), Ok(1));
    }

    #[test]
    fn a_pair_is_announced_when_it_is_enough() {
        assert_eq!(worth(&position(side(&[2, 3], 46), side(&[0, 1], 40)), None), Ok(1));
        assert_eq!(worth(&position(side(&[20, 21], 36), side(&[18, 1], 40)), None), Ok(1));
        assert_eq!(worth(&position(side(&[2, 3], 45), side(&[0, 1], 40)), None), Ok(-1));
    }

    #[test]
    fn who_closed_must_have_enough_at_the_end() {
        let closer = Side { closed: true, ..side(&[0], 45) };
        assert_eq!(worth(&position(closer, side(&[1], 40)), None), Ok(1));
        assert_eq!(worth(&position(Side { points: 44, ..closer }, side(&[1], 40)), None), Ok(-3));
        assert_eq!(worth(&position(side(&[1], 40), Side { points: 44, ..closer }), Some(1)), Ok(3));
    }

    #[test]
    fn a_card_that_lies_in_the_middle_is_led() {
        let position = position(side(&[0, 11], 50), side(&[1, 6], 60));
        assert_eq!(worth(&position, None), Ok(1));
        assert_eq!(worth(&position, Some(11)), Ok(-1));
    }

    #[test]
    fn an_impossible_position_is_refused() {
        let whole = position(side(&[0], 0), side(&[1], 0));
        assert_eq!(worth(&Position { trump: 4, ..whole }, None), Err(PositionError::Unknown));
        assert_eq!(worth(&Position { leader: side(&[24], 0), ..whole }, None), Err(PositionError::Unknown));
        assert_eq!(worth(&Position { leader: side(&[1], 0), ..whole }, None), Err(PositionError::Shared));
        assert_eq!(worth(&Position { leader: side(&[2, 3], 0), ..whole }, None), Err(PositionError::Uneven));
        assert_eq!(worth(&Position { other: side(&[1], 211), ..whole }, None), Err(PositionError::Points));
        assert_eq!(worth(&whole, Some(7)), Err(PositionError::Missing));
        let closed = |side: Side| Side { closed: true, ..side };
        let both = position(closed(whole.leader), closed(whole.other));
        assert_eq!(worth(&both, None), Err(PositionError::Closed));
    }
}
