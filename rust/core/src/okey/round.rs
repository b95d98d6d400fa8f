//! Okey from any moment to its end, as a small copyable value for simulations.
//!
//! The engine in Python defines the rules; this is its fast twin, and tests play both in step.

use std::fmt;

use super::covering::winning_puts;
use super::piles::Pile;
use super::tiles::{COPIES, HELD, JOKER, KINDS, MOST, Text, Tile, Tiles};
use crate::random::Random;
use crate::simulation::{self, Seats};

/// The number of players.
pub const SEATS: usize = 4;
/// The number of tiles in the main stack when the game begins.
pub(super) const STACKED: usize = (KINDS * COPIES) as usize - SEATS * HELD - 1;
/// The most tiles on all exchange stacks: those of the main stack, and the one that the first player puts.
const PUT: usize = STACKED + 1;
/// The tiles that a cheat gets, without the second joker that makes a rack of fifteen.
const WINNING: [Tile; HELD] = [JOKER, 1, 2, 3, 4, 14, 15, 16, 17, 27, 28, 29, 30, 31];

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Move {
    /// Draw from the main stack.
    DrawMain,
    /// Take the top of the exchange stack.
    DrawExchange,
    /// Put a tile.
    Put(Tile),
    /// Put a tile and lay out all others in groups.
    Win(Tile),
    /// Take a winning rack.
    Cheat,
}

impl Move {
    /// Returns the tile that is put without winning.
    pub(super) const fn put(self) -> Option<Tile> {
        if let Self::Put(tile) = self { Some(tile) } else { None }
    }
}

impl fmt::Display for Move {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::DrawMain => out.write_str("draw main"),
            Self::DrawExchange => out.write_str("draw exchange"),
            Self::Put(tile) => write!(out, "put {}", Text(tile)),
            Self::Win(tile) => write!(out, "win {}", Text(tile)),
            Self::Cheat => out.write_str("cheat"),
        }
    }
}

/// A round at one moment; a game of Okey has only one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Round {
    /// Whether every player may take a winning rack.
    pub(super) cheats: bool,
    /// The tiles of each seat, in the order in which they came.
    pub(super) racks: [Pile<MOST>; SEATS],
    /// The main stack; its last tile is drawn next.
    pub(super) main: Pile<STACKED>,
    /// The exchange stack that each seat draws from and the previous seat puts on; the last tile is on top.
    pub(super) stacks: [Pile<PUT>; SEATS],
    /// The tiles of each rack that were taken from an exchange stack.
    pub(super) known: [Tiles; SEATS],
    /// The seat to move.
    pub(super) turn: usize,
    pub(super) over: bool,
    pub(super) winner: Option<usize>,
    /// The number of draws of each seat from the main stack and from its exchange stack.
    pub(super) drawn: [u32; SEATS],
    pub(super) taken: [u32; SEATS],
}

impl Round {
    /// Deals the tiles: the one who begins has one more.
    pub(super) fn deal(cheats: bool, random: &mut Random) -> Self {
        let mut deck: [Tile; (KINDS * COPIES) as usize] = std::array::from_fn(|place| place as Tile % KINDS);
        random.shuffle(&mut deck);
        let turn = random.below(SEATS as u64) as usize;
        let mut rest = &deck[..];
        let racks = std::array::from_fn(|seat| {
            let (rack, others) = rest.split_at(HELD + usize::from(seat == turn));
            rest = others;
            Pile::new(rack)
        });
        Self {
            cheats,
            racks,
            main: Pile::new(rest),
            stacks: [Pile::default(); SEATS],
            known: [Tiles::default(); SEATS],
            turn,
            over: false,
            winner: None,
            drawn: [0; SEATS],
            taken: [0; SEATS],
        }
    }

    /// Returns whether a seat has its tile and must put one.
    pub(super) const fn has_drawn(&self, seat: usize) -> bool {
        self.racks[seat].len() > HELD
    }

    /// Returns the tiles that a seat has not seen.
    pub(super) fn unseen(&self, seat: usize) -> Tiles {
        let known = (0..SEATS).filter(|&rival| rival != seat).map(|rival| self.known[rival]);
        let stacks = self.stacks.iter().map(Pile::set);
        known.chain(stacks).fold(self.racks[seat].set(), Tiles::and).missing()
    }

    /// Returns the puts of a seat in the order of the engine: first the newest tile, unless it is a joker, then from the
    /// highest tile down.
    pub(super) fn in_order(&self, seat: usize, tiles: Tiles) -> impl Iterator<Item = Tile> {
        let newest = self.racks[seat].top().filter(|&tile| tile != JOKER && tiles.holds(tile) > 0);
        let mut others = tiles.kinds_as_bits() & !newest.map_or(0, |tile| 1 << tile);
        let others = std::iter::from_fn(move || {
            let tile = others.checked_ilog2()?;
            others ^= 1 << tile;
            Some(tile as Tile)
        });
        newest.into_iter().chain(others)
    }

    /// Returns whether a seat may cheat: a player with a winning rack cannot, so that cheating cannot go on forever.
    fn may_cheat(&self, seat: usize) -> bool {
        self.cheats && !self.over && self.racks[seat].set() != winning(self.racks[seat].len()).set()
    }

    fn draw(&mut self, seat: usize, from_main: bool) {
        let tile = if from_main { self.main.pop() } else { self.stacks[seat].pop() };
        let Some(tile) = tile else {
            self.over = true;
            return;
        };
        self.racks[seat].push(tile);
        if from_main {
            self.drawn[seat] += 1;
        } else {
            self.taken[seat] += 1;
            self.known[seat] = self.known[seat].with(tile);
        }
    }

    fn put(&mut self, seat: usize, tile: Tile) {
        self.racks[seat].remove(tile);
        if self.known[seat].holds(tile) > 0 {
            self.known[seat] = self.known[seat].without(tile);
        }
        self.turn = (seat + 1) % SEATS;
        self.stacks[self.turn].push(tile);
    }

    fn win(&mut self, seat: usize, tile: Tile) {
        self.put(seat, tile);
        self.over = true;
        self.winner = Some(seat);
        self.known[seat] = self.racks[seat].set();
    }

    /// Exchanges a seat's tiles for winning ones, from the main stack if possible, then from the others' racks and from
    /// exchange stacks.
    fn cheat(&mut self, seat: usize) {
        let rack = self.racks[seat];
        let wanted = winning(rack.len());
        let mut spare = rack.beyond(wanted.set());
        let missing = wanted.beyond(rack.set());
        for &tile in missing.tiles() {
            let Some(other) = spare.pop() else { break };
            let mut rivals = self.racks.iter_mut().enumerate().filter(|&(rival, _)| rival != seat);
            let found = self.main.exchange(tile, other)
                || rivals.any(|(_, rack)| rack.exchange(tile, other))
                || self.stacks.iter_mut().any(|stack| stack.exchange(tile, other));
            debug_assert!(found, "every tile lies somewhere");
        }
        self.racks[seat] = wanted;
        for (known, rack) in self.known.iter_mut().zip(&self.racks) {
            *known = known.common(rack.set());
        }
        self.known[seat] = wanted.set();
    }

    /// Returns the places whose tiles a seat has not seen: the racks in the order of the seats, then the main stack.
    fn hidden(&mut self, seat: usize) -> Vec<&mut Tile> {
        let Self { racks, main, known, .. } = self;
        let rivals = racks.iter_mut().zip(*known).enumerate().filter(|&(rival, _)| rival != seat);
        let mut hidden: Vec<&mut Tile> = Vec::with_capacity((KINDS * COPIES) as usize);
        for (_, (rack, mut known)) in rivals {
            for tile in rack.tiles_mut() {
                if known.holds(*tile) > 0 {
                    known = known.without(*tile);
                } else {
                    hidden.push(tile);
                }
            }
        }
        hidden.extend(main.tiles_mut());
        hidden
    }
}

/// Returns the rack of a cheat.
fn winning(size: usize) -> Pile<MOST> {
    let mut tiles = [JOKER; MOST];
    tiles[size - HELD..size].copy_from_slice(&WINNING);
    Pile::new(&tiles[..size])
}

impl simulation::Round for Round {
    type Move = Move;
    /// What players were seen to take and to put is part of the round.
    type Evidence = ();

    fn seats(&self) -> usize {
        SEATS
    }

    fn awaited(&self) -> Seats {
        if self.over { 0 } else { 1 << self.turn }
    }

    fn speakers(&self) -> Seats {
        if !self.cheats {
            return 0;
        }
        let others = (0..SEATS).filter(|&seat| seat != self.turn && self.may_cheat(seat));
        others.fold(0, |seats, seat| seats | 1 << seat)
    }

    fn legal(&self, seat: usize, moves: &mut Vec<Move>) {
        if seat == self.turn && !self.over {
            let rack = &self.racks[seat];
            if self.has_drawn(seat) {
                moves.extend(winning_puts(rack.set()).kinds().map(Move::Win));
                moves.extend(self.in_order(seat, rack.set()).map(Move::Put));
            } else {
                moves.push(Move::DrawMain);
                if self.stacks[seat].len() > 0 {
                    moves.push(Move::DrawExchange);
                }
            }
        }
        if self.may_cheat(seat) {
            moves.push(Move::Cheat);
        }
    }

    fn make(&mut self, seat: usize, chosen: Move) {
        match chosen {
            Move::DrawMain => self.draw(seat, true),
            Move::DrawExchange => self.draw(seat, false),
            Move::Put(tile) => self.put(seat, tile),
            Move::Win(tile) => self.win(seat, tile),
            Move::Cheat => self.cheat(seat),
        }
    }

    /// Redeals the main stack and the tiles of other racks that were not seen taken.
    ///
    /// Tiles of one kind are indistinguishable: when a rack that holds a known tile puts one of its kind, it makes no
    /// difference which of the two it was, so the known one is removed. Therefore all redeals are equally likely.
    fn redeal(&self, seat: usize, (): &(), random: &mut Random) -> Self {
        let mut other = *self;
        let mut hidden = other.hidden(seat);
        let mut unseen: Vec<Tile> = hidden.iter().map(|tile| **tile).collect();
        random.shuffle(&mut unseen);
        for (place, tile) in hidden.iter_mut().zip(unseen) {
            **place = tile;
        }
        other.racks.iter_mut().for_each(Pile::count_again);
        other.main.count_again();
        other
    }

    /// A win is worth one point against each of the three others.
    fn lead(&self, seat: usize) -> i32 {
        match self.winner {
            None => 0,
            Some(winner) if winner == seat => 3,
            Some(_) => -1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::okey::examples::{Moment, moments};
    use crate::okey::game::Okey;
    use crate::simulation::{Encoded as _, Round as _};

    fn seen(round: &Round, seat: usize) -> (Vec<i8>, Vec<Move>) {
        let (mut row, mut moves) = (vec![0; Okey::SIZE], Vec::new());
        Okey { round: *round }.observe(seat, (), &mut row);
        round.legal(seat, &mut moves);
        (row, moves)
    }

    fn sorted(round: &Round) -> Vec<Tile> {
        let piles = round.racks.iter().map(Pile::tiles).chain(round.stacks.iter().map(Pile::tiles));
        let mut all = piles.chain([round.main.tiles()]).collect::<Vec<_>>().concat();
        all.sort_unstable();
        all
    }

    #[test]
    fn a_seat_cannot_tell_a_redeal_from_the_round() {
        let mut different = 0;
        for Moment { round, mut random, name } in moments(60) {
            for seat in 0..SEATS {
                let other = round.redeal(seat, &(), &mut random);
                assert_eq!(seen(&other, seat), seen(&round, seat), "{name}");
                assert_eq!(other.racks[seat], round.racks[seat], "{name}");
                assert_eq!(other.stacks, round.stacks, "{name}");
                assert_eq!(sorted(&other), sorted(&round), "{name}");
                for (known, rack) in other.known.iter().zip(&other.racks) {
                    assert_eq!(known.common(rack.set()), *known, "{name}: what was seen taken stays");
                    assert_eq!(Tiles::new(rack.tiles()), Ok(rack.set()), "{name}");
                }
                different += usize::from(other != round);
            }
        }
        assert!(different > 1000, "{different}");
    }

    #[test]
    fn a_redeal_brings_each_unseen_tile_everywhere_equally_often() {
        let (seat, deals) = (2, 2000);
        let some_known = |round: &Round| [0, 1, 3].iter().filter(|&&rival| round.known[rival].len() > 0).count() > 1;
        let late = |moment: &Moment| moment.round.main.len() < 30 && some_known(&moment.round);
        let Moment { round, mut random, name } = moments(9).find(late).unwrap();
        let unseen = round.unseen(seat);
        let mut found = [[0_u32; KINDS as usize]; SEATS + 1];
        for _ in 0..deals {
            let other = round.redeal(seat, &(), &mut random);
            for (counts, tiles) in found.iter_mut().zip(other.racks.iter().map(Pile::tiles).chain([other.main.tiles()]))
            {
                for &tile in tiles {
                    counts[usize::from(tile)] += 1;
                }
            }
        }
        let sizes: Vec<usize> = round.racks.iter().map(Pile::len).chain([round.main.len()]).collect();
        for place in (0..=SEATS).filter(|&place| place != seat) {
            let known = round.known.get(place).copied().unwrap_or_default();
            let share = (sizes[place] as f64 - f64::from(known.len())) / f64::from(unseen.len());
            for tile in 0..KINDS {
                let mean = f64::from(found[place][usize::from(tile)]) / f64::from(deals);
                let expected = f64::from(known.holds(tile)) + share * f64::from(unseen.holds(tile));
                assert!((mean - expected).abs() < 0.06, "{name}: place {place}, tile {tile}: {mean}, not {expected}");
            }
        }
    }
}
