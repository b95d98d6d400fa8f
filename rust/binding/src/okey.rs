//! The Python interface of Okey: its arrangements, where racks and tiles are bytes, and the moments of the engine.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tisch_core::okey::game::{Okey, Options};
use tisch_core::okey::position::Position;
use tisch_core::okey::search::{self, Samples};
use tisch_core::okey::{self, Tiles};

use crate::errors::{at_least_one, wrong};
use crate::interrupts::interruptible;
use crate::random::seed;
use crate::simulation::Begun;

fn rack_of(tiles: &[u8]) -> PyResult<Tiles> {
    Tiles::rack(tiles).map_err(|error| wrong(&error))
}

/// Converts the tiles that were not seen.
fn unseen(seen: &[u8]) -> PyResult<Tiles> {
    Tiles::new(seen).map(Tiles::missing).map_err(|error| wrong(&error))
}

/// Return the maximum number of tiles that fit into groups.
#[pyfunction]
#[pyo3(signature = (rack, /))]
pub fn coverage(rack: &[u8]) -> PyResult<u8> {
    rack_of(rack).map(okey::coverage)
}

/// Return the groups that cover most tiles, and the tiles left over; a byte is a tile, 0 a joker.
#[pyfunction]
#[pyo3(signature = (rack, /))]
pub fn arrange<'py>(python: Python<'py>, rack: &[u8]) -> PyResult<(Vec<Bound<'py, PyBytes>>, Bound<'py, PyBytes>)> {
    let arrangement = okey::arrange(rack_of(rack)?);
    let groups = arrangement.groups.iter().map(|group| PyBytes::new(python, group)).collect();
    Ok((groups, PyBytes::new(python, &arrangement.rest)))
}

/// Return the tiles after whose put all others fit into groups, in ascending order.
#[pyfunction]
#[pyo3(signature = (rack, /))]
pub fn winning_puts<'py>(python: Python<'py>, rack: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(python, &okey::winning_puts(rack_of(rack)?).kinds().collect::<Vec<_>>()))
}

/// Return each kind of tile on the rack with the number of tiles that fit into groups after putting it.
#[pyfunction]
#[pyo3(signature = (rack, /))]
pub fn puts(rack: &[u8]) -> PyResult<Vec<(u8, u8)>> {
    rack_of(rack).map(okey::puts)
}

/// Return how many tiles that are not among the seen ones would let more of the rack fit into groups.
#[pyfunction]
#[pyo3(signature = (rack, seen, /))]
pub fn outs(rack: &[u8], seen: &[u8]) -> PyResult<u32> {
    Ok(okey::outs(rack_of(rack)?, unseen(seen)?))
}

/// Return how good it is to put each of some tiles, the higher the better. Ctrl-C interrupts it.
#[pyfunction]
#[pyo3(signature = (rack, puts, gone, held, samples, seed, /))]
pub fn worths(
    python: Python<'_>,
    rack: &[u8],
    puts: &[u8],
    gone: &[u8],
    held: &[u8],
    samples: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
) -> PyResult<Vec<u64>> {
    let tiles = rack_of(rack)?;
    if puts.iter().any(|tile| !rack.contains(tile)) {
        return Err(PyValueError::new_err("Only tiles on the rack can be put."));
    }
    let samples =
        Samples { unseen: unseen(gone)?, count: at_least_one(samples, "sample")?.get(), seed: self::seed(seed)? };
    let held = Tiles::new(held).map_err(|error| wrong(&error))?;
    interruptible(python, |proceed| search::worths(tiles, puts, held, &samples, proceed)).map(Option::unwrap_or_default)
}

/// Return how good it is to draw an unseen tile, and to take one that is seen. Ctrl-C interrupts it.
#[pyfunction]
#[pyo3(signature = (rack, tile, gone, samples, seed, /))]
pub fn draws(
    python: Python<'_>,
    rack: &[u8],
    tile: u8,
    gone: &[u8],
    samples: &Bound<'_, PyAny>,
    seed: &Bound<'_, PyAny>,
) -> PyResult<(u64, u64)> {
    let mut with = rack.to_vec();
    with.push(tile);
    rack_of(&with)?;
    let tiles = rack_of(rack)?;
    let samples =
        Samples { unseen: unseen(gone)?, count: at_least_one(samples, "sample")?.get(), seed: self::seed(seed)? };
    let found = interruptible(python, |proceed| search::draws(tiles, tile, &samples, proceed))?;
    Ok(found.unwrap_or_default().into())
}

/// The engine's state.
#[derive(FromPyObject)]
struct Moment {
    cheats: bool,
    racks: Vec<Vec<u8>>,
    main: Vec<u8>,
    stacks: Vec<Vec<u8>>,
    known: Vec<Vec<u8>>,
    turn: Option<usize>,
    winner: Option<usize>,
    drawn: Vec<u32>,
    taken: Vec<u32>,
}

impl From<Moment> for Position {
    fn from(moment: Moment) -> Self {
        let Moment { cheats, racks, main, stacks, known, turn, winner, drawn, taken } = moment;
        Self { cheats, racks, main, stacks, known, turn, winner, drawn, taken }
    }
}

impl Begun for Okey {
    fn options(options: &Bound<'_, PyAny>) -> PyResult<Options> {
        Ok(Options { cheats: options.getattr("cheats")?.extract()? })
    }

    fn at(state: &Bound<'_, PyAny>) -> PyResult<(Self, ())> {
        let position = Position::from(state.extract::<Moment>()?);
        Ok((position.round().map_err(|error| wrong(&error))?.into(), ()))
    }
}
