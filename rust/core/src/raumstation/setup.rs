//! The search for a station: rooms and corridors at random, traps in them, and the check that no guess is needed.
//!
//! The byte of a room's connections holds its corridors; bit 0 leads up, the others follow clockwise. Adjacent rooms need
//! not be connected, and only connected rooms count as nearby.

use super::{Knowledge, Known, MOST_ROOMS, ODDS, Rooms, Station, each};
use crate::random::{Random, derive, word};

/// The number of stations to build, and the number to check with the solver, before the options count as impossible;
/// building is fast, the check is slow.
const BUILT: u64 = 20_000;
const ASKED: u32 = 200;
/// The greatest number of columns, and of rows, of a grid.
pub const SIDE: usize = 20;
/// The number of cells of the largest grid.
pub const CELLS: usize = SIDE * SIDE;
/// The number of a room where there is none.
const NO_ROOM: u8 = u8::MAX;

/// The number of columns, and of rows, of the largest grid with a border of places without rooms, which nobody leaves.
const BORDERED: usize = SIDE + 2;
/// The number of its places.
const PLACES: usize = BORDERED * BORDERED;
/// The way to the next place in the direction of each bit of the connections: from 0, up, clockwise to 7, up and left.
const WAYS: [isize; 8] = {
    let down = BORDERED.cast_signed();
    [-down, 1 - down, 1, 1 + down, down, down - 1, -1, -1 - down]
};

/// The options of a game, within the limits of the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// The number of columns of the grid.
    pub width: usize,
    /// The number of rows of the grid.
    pub height: usize,
    /// The number of rooms created after the first, before dead ends are removed.
    pub rooms: usize,
    /// The probability of a trap in a room.
    pub danger: f64,
    /// The number of jokers.
    pub jokers: u8,
    /// The probability that a safe room is open from the start.
    pub revealed: f64,
    /// Whether every station is accepted, even one that cannot be solved without a guess.
    pub classic: bool,
    /// Whether the scan of a marked room is refused.
    pub protect: bool,
}

impl Options {
    /// Returns the odds of a trap in a room that is not open from the start: as safe rooms often are, it is a trap more often
    /// than the average room.
    #[must_use]
    pub fn odds(&self) -> f64 {
        self.danger / ((1.0 - self.danger) * (1.0 - self.revealed))
    }

    /// Returns the cell of the first room, which is always safe.
    const fn middle(&self) -> usize {
        self.height / 2 * SIDE + self.width / 2
    }
}

/// Returns the place of a cell within the border.
const fn place(cell: usize) -> usize {
    (cell / SIDE + 1) * BORDERED + cell % SIDE + 1
}

/// Returns the next place in a direction, from one within the border.
const fn next(place: usize, direction: usize) -> usize {
    place.wrapping_add_signed(WAYS[direction % WAYS.len()]) % PLACES
}

/// The constant part of a game: the options, the rooms in the order of rows, and what is known of them at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Ground {
    /// The options.
    pub options: Options,
    /// The solver, which knows the rooms by their numbers.
    pub station: Station,
    /// The cell of each room: its row times [`SIDE`], and its column.
    pub cells: Vec<u16>,
    /// The directions of each room's corridors.
    pub connections: Vec<u8>,
    /// What is known at the start.
    pub start: Knowledge,
    /// The number of the room in each place.
    numbers: [u8; PLACES],
}

/// The reason why no game follows from options and a seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unplayable {
    /// No station was proper.
    Improper,
    /// No station can be solved without a guess.
    Unsolvable,
    /// The solver gave up a station.
    Tangled,
}

impl Unplayable {
    /// Returns the reason as a sentence.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Improper => {
                "None of 20000 stations with these options has its middle, a trap and something to scan; \
                more rooms, more danger or fewer revealed rooms make it likelier."
            }
            Self::Unsolvable => {
                "None of 200 stations with these options can be solved without a guess; \
                more jokers, more revealed rooms or less danger make it easier, and 'classic' takes any station."
            }
            Self::Tangled => "The numbers share so many rooms that the ways traps can lie cannot be counted.",
        }
    }
}

/// What there is in a place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It is beyond the grid.
    Beyond,
    /// There is no room.
    Empty,
    /// There is a room.
    Room,
}

/// The rooms of a station and the corridors between them.
struct Plan {
    /// The directions of the corridors from each place.
    connections: [u8; PLACES],
    /// What there is in each place.
    kinds: [Kind; PLACES],
}

impl Plan {
    /// Builds rooms and corridors by the numbered steps of the game's description.
    fn build(options: &Options, random: &mut Random) -> Self {
        let mut plan = Self { connections: [0; PLACES], kinds: [Kind::Beyond; PLACES] };
        for row in 0..options.height.min(SIDE) {
            plan.kinds[place(row * SIDE)..][..options.width.min(SIDE)].fill(Kind::Empty);
        }
        let first = place(options.middle()); // Step 1.
        let mut rooms = Vec::with_capacity(options.rooms + 1);
        plan.kinds[first] = Kind::Room;
        rooms.push(first);
        while rooms.len() <= options.rooms {
            // Step 7; in the first iteration these are steps 2 and 3.
            let room = rooms[random.below(rooms.len() as u64) as usize]; // Step 4.
            let direction = random.below(8) as usize; // Step 5.
            let next = next(room, direction);
            match plan.kinds[next] {
                Kind::Beyond => continue,
                Kind::Room => (), // Step 6a.
                Kind::Empty => {
                    // Step 6b.
                    plan.kinds[next] = Kind::Room;
                    rooms.push(next);
                }
            }
            plan.connections[room] |= 1 << direction;
            plan.connections[next] |= 1 << (direction ^ 4);
        }
        plan.remove_dead_ends(rooms); // Step 8.
        plan
    }

    /// Removes rooms with one corridor repeatedly, until only rooms with several are left.
    fn remove_dead_ends(&mut self, mut doubtful: Vec<usize>) {
        while let Some(room) = doubtful.pop() {
            let corridors = self.connections[room];
            if self.kinds[room] != Kind::Room || corridors & corridors.wrapping_sub(1) != 0 {
                continue;
            }
            self.kinds[room] = Kind::Empty;
            self.connections[room] = 0;
            for direction in each(corridors.into()) {
                let next = next(room, direction);
                self.connections[next] &= !(1 << (direction ^ 4));
                doubtful.push(next);
            }
        }
    }

    /// Returns the cell and the connections of each room, in the order of rows.
    fn rooms(&self, options: &Options) -> impl Iterator<Item = (usize, u8)> {
        let cells = (0..options.height).flat_map(|y| (0..options.width).map(move |x| y * SIDE + x));
        let room = |cell| (self.kinds[place(cell)] == Kind::Room).then(|| (cell, self.connections[place(cell)]));
        cells.filter_map(room)
    }
}

impl Ground {
    /// Creates the ground of a game with these rooms, of which nothing is known yet; none if they form no station.
    ///
    /// Of each room `rooms` has the cell and the connections.
    #[must_use]
    pub fn new(options: &Options, rooms: impl IntoIterator<Item = (usize, u8)>) -> Option<Self> {
        let mut ground = Self::none(options);
        ground.cells.reserve_exact(MOST_ROOMS);
        ground.connections.reserve_exact(MOST_ROOMS);
        for (number, (cell, corridors)) in rooms.into_iter().take(MOST_ROOMS + 1).enumerate() {
            let is_inside = cell % SIDE < options.width && cell / SIDE < options.height;
            let place = ground.numbers.get_mut(place(cell)).filter(|place| is_inside && **place == NO_ROOM)?;
            *place = number as u8;
            ground.cells.push(cell as u16);
            ground.connections.push(corridors);
        }
        ground.start = Knowledge::nothing(ground.cells.len());
        ground.station = Station { nearby: ground.nearby()?, odds: options.odds() };
        (ground.cells.len() <= MOST_ROOMS && ODDS.contains(&ground.station.odds)).then_some(ground)
    }

    /// Returns the connected rooms of each room; none if a corridor does not lead both ways.
    fn nearby(&self) -> Option<Vec<Rooms>> {
        let nearby = |(&cell, &corridors): (&u16, &u8)| {
            let place = place(cell.into());
            each(corridors.into()).try_fold(0, |near, direction| {
                let number = self.numbers[next(place, direction)];
                let back = self.connections.get(usize::from(number))?;
                (back >> (direction ^ 4) & 1 == 1).then(|| near | 1 << (number % MOST_ROOMS as u8))
            })
        };
        self.cells.iter().zip(&self.connections).map(nearby).collect()
    }

    /// Creates a ground without rooms.
    pub(super) fn none(options: &Options) -> Self {
        let station = Station { nearby: Vec::new(), odds: 1.0 };
        let (cells, connections, start) = (Vec::new(), Vec::new(), Knowledge::nothing(0));
        Self { options: *options, station, cells, connections, start, numbers: [NO_ROOM; PLACES] }
    }

    /// Returns the number of the room in a cell.
    #[must_use]
    pub fn number(&self, cell: usize) -> Option<usize> {
        self.numbers.get(place(cell)).map(|&number| usize::from(number)).filter(|&number| number < MOST_ROOMS)
    }

    /// Places traps, and opens some of the safe rooms; returns the rooms with traps.
    fn furnish(&mut self, random: &mut Random) -> Rooms {
        let middle = self.number(self.options.middle());
        let rooms = self.station.rooms();
        // Each room takes its chance, the middle too.
        let is_trap = |room: &usize| random.unit() < self.options.danger && Some(*room) != middle;
        let traps: Rooms = (0..rooms).filter(is_trap).fold(0, |traps, room| traps | 1 << room);
        if let Some(middle) = middle {
            self.start.learn(middle, Known::Safe);
        }
        for room in each(self.start.all() & !traps) {
            if random.unit() < self.options.revealed {
                self.start.learn(room, Known::Number(self.station.number(room, traps)));
            }
        }
        traps
    }

    /// Returns whether the middle was not removed as a dead end, there is a trap, and there is something to scan.
    fn is_proper(&self, traps: Rooms) -> bool {
        let closed = self.start.unknown | self.start.safe;
        self.number(self.options.middle()).is_some() && traps != 0 && closed & !traps != 0
    }
}

/// Finds the game's station: the first proper one that, unless `classic` is set, can be solved without a guess. Returns it
/// with the rooms that hold a trap.
///
/// # Errors
/// No station out of many was suitable.
pub fn generate(options: &Options, seed: u64) -> Result<(Ground, Rooms), Unplayable> {
    find(options, seed, BUILT, ASKED)
}

/// Finds the game's station among so many that are built, of which so many are checked with the solver.
fn find(options: &Options, seed: u64, built: u64, asked: u32) -> Result<(Ground, Rooms), Unplayable> {
    let mut refused = 0;
    for attempt in 0..built {
        let mut random = Random::new(derive(seed, &[word("station"), attempt]));
        let plan = Plan::build(options, &mut random);
        let mut ground = Ground::new(options, plan.rooms(options)).ok_or(Unplayable::Improper)?;
        let traps = ground.furnish(&mut random);
        if !ground.is_proper(traps) {
            continue;
        }
        let solvable = || ground.station.solvable(&ground.start, traps, options.jokers);
        if options.classic || solvable().map_err(|_| Unplayable::Tangled)? {
            return Ok((ground, traps));
        }
        refused += 1;
        if refused == asked {
            return Err(Unplayable::Unsolvable);
        }
    }
    Err(Unplayable::Improper)
}

/// The options of a medium station, for tests.
#[cfg(test)]
pub(super) const MEDIUM: Options = Options {
    width: 10,
    height: 10,
    rooms: 50,
    danger: 0.25,
    jokers: 2,
    revealed: 0.5,
    classic: false,
    protect: false,
};

#[cfg(test)]
mod tests {
    use super::*;

    const HARD: Options = Options { width: 11, height: 13, rooms: 80, jokers: 1, revealed: 0.35, ..MEDIUM };

    /// Returns a number that follows from all that the stations of many seeds are.
    fn digest(options: &Options) -> u64 {
        (0..200).fold(0, |digest, seed| {
            let (ground, traps) = generate(options, seed).expect("there is a station");
            let sets = [traps, ground.start.open].map(|set| [set as u64, (set >> 64) as u64]);
            let cells = ground.cells.iter().map(|&cell| u64::from(cell));
            let rooms = cells.chain(ground.connections.iter().map(|&corridors| u64::from(corridors)));
            let path: Vec<u64> = rooms.chain(sets.into_iter().flatten()).collect();
            derive(digest, &path)
        })
    }

    #[test]
    fn the_stations_of_seeds_are_frozen() {
        assert_eq!(digest(&MEDIUM), 12_964_501_940_638_611_426);
        assert_eq!(digest(&HARD), 3_280_143_094_705_666_015);
    }

    #[test]
    fn options_without_a_station_are_told() {
        let hopeless = Options { danger: 0.5, jokers: 0, revealed: 0.0, ..MEDIUM };
        assert_eq!(generate(&hopeless, 1), Err(Unplayable::Unsolvable));
        let tiny = Options { width: 3, height: 3, rooms: 4, danger: 0.02, revealed: 0.9, classic: true, ..MEDIUM };
        assert_eq!(find(&tiny, 1, 1, ASKED), Err(Unplayable::Improper));
        assert!(Unplayable::Unsolvable.sentence().starts_with(&format!("None of {ASKED} stations")));
        assert!(Unplayable::Improper.sentence().starts_with(&format!("None of {BUILT} stations")));
    }
}
