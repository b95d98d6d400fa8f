//! Every choice of groups from some tiles.
//!
//! The lowest tile goes into each group of which it can be the lowest tile, or is left out, as long as somebody is
//! interested in what can still come of the rest. A group takes only the jokers that it needs.

use super::groups::{GROUPS, Groups, LEAST, Laid, groupable, most_in_a_group};
use super::tiles::{MOST, Tiles};

/// The most groups of a packing.
const GROUPS_AT_MOST: usize = MOST / LEAST as usize;

/// Some groups, and the tiles in none of them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Packing {
    /// The tiles in no group.
    pub left: Tiles,
    /// The number of tiles in groups.
    pub covered: u8,
    /// How many more jokers the groups could take.
    pub room: u8,
    laid: [Laid; GROUPS_AT_MOST],
    count: usize,
}

impl Packing {
    /// Returns the number of tiles in groups when so many jokers, which are left, join groups with room.
    pub const fn joined(&self, jokers: u8) -> u8 {
        self.covered + if jokers < self.room { jokers } else { self.room }
    }

    /// Returns the groups from the lowest on.
    pub fn laid(&self) -> &[Laid] {
        &self.laid[..self.count]
    }
}

/// What packings can have at most, with more groups than the one at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outlook {
    /// The number of jokers that are left.
    pub jokers: u8,
    /// The number of tiles in groups, if no joker were in a group.
    pub certain: u8,
    /// By how much each joker in a group raises that.
    pub gain: u8,
    /// The number of tiles in groups, if all that a joker could reach were in one.
    pub all: u8,
}

impl Outlook {
    /// Returns the number of tiles in groups.
    pub const fn most(self) -> u8 {
        let most = self.certain + self.jokers * self.gain;
        if most < self.all { most } else { self.all }
    }
}

/// Who looks at packings.
pub(super) trait Visitor {
    /// Returns whether packings with more groups than this one matter.
    fn wants(&self, packing: &Packing, outlook: Outlook) -> bool;

    /// Looks at a packing; it has no more tiles in groups than the search allows.
    fn visit(&mut self, packing: &Packing);
}

/// Shows every packing of at most so many tiles that its visitor wants, the first time before those with more groups.
pub(super) fn visit_all(rack: Tiles, ceiling: u8, visitor: &mut impl Visitor) {
    let nothing = (0, GROUPS[0][0]);
    let packing = Packing { left: rack, covered: 0, room: 0, laid: [nothing; GROUPS_AT_MOST], count: 0 };
    Walk { packing, ceiling, groups: &GROUPS, visitor }.go(rack);
}

struct Walk<'a, V> {
    packing: Packing,
    ceiling: u8,
    groups: &'static Groups,
    visitor: &'a mut V,
}

impl<V: Visitor> Walk<'_, V> {
    /// Shows the packing, and those with more groups of these tiles.
    fn go(&mut self, mut rest: Tiles) {
        self.visitor.visit(&self.packing);
        let jokers = self.packing.left.jokers;
        loop {
            let outlook = self.look(&mut rest, jokers);
            if rest.once == 0 || !self.visitor.wants(&self.packing, outlook) {
                return;
            }
            let lowest = rest.once.trailing_zeros();
            self.lay_each(rest, lowest, jokers);
            // If one copy is left out, both are: the case of using one was tried above.
            rest = rest.only(!(1 << lowest));
        }
    }

    /// Drops the tiles that are in no group, and returns what can come of the others.
    fn look(&self, rest: &mut Tiles, jokers: u8) -> Outlook {
        let (covered, certain) = (self.packing.covered, groupable(rest.once, 0));
        if jokers == 0 {
            *rest = rest.only(certain);
            let all = covered + rest.count();
            return Outlook { jokers, certain: all, gain: 0, all };
        }
        *rest = rest.only(groupable(rest.once, jokers));
        let gain = most_in_a_group(rest.once & !certain) + 1;
        Outlook { jokers, certain: covered + rest.only(certain).count(), gain, all: covered + rest.count() + jokers }
    }

    /// Lays each group that has this place as its lowest, and goes on.
    fn lay_each(&mut self, rest: Tiles, lowest: u32, jokers: u8) {
        let Packing { left, covered, room, count, .. } = self.packing;
        let base = lowest & !3;
        let near = rest.once >> base;
        for group in &self.groups[(lowest & 3) as usize] {
            if group.jokers > jokers {
                break;
            }
            let tiles = u64::from(group.tiles);
            if near & tiles == tiles && covered + group.length <= self.ceiling {
                self.packing.laid[count] = (base, *group);
                self.packing.count = count + 1;
                self.packing.covered = covered + group.length;
                self.packing.room = room + group.room;
                self.packing.left = left.less(tiles << base, group.jokers);
                self.go(rest.less(tiles << base, 0));
            }
        }
        self.packing.left = left;
        self.packing.covered = covered;
        self.packing.room = room;
        self.packing.count = count;
    }
}
