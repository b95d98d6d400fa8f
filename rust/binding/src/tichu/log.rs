//! The Python interface of the logs of Brettspielwelt: texts in, rows out.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;
use tisch_core::tichu::log::{self, Code, LoggedGame, LoggedRound};

/// A round: number, both scores, calls, winner, double win, deal, gifts, history, clean, bombs, names.
type Round<'py> = (
    u32,
    i32,
    i32,
    Bound<'py, PyBytes>,
    Option<u8>,
    bool,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    Bound<'py, PyBytes>,
    bool,
    Bound<'py, PyBytes>,
    [String; 4],
);
/// A game: names, score, rounds, deviations as code, round and line.
type Game<'py> = ([String; 4], (i32, i32), Vec<Round<'py>>, Vec<(&'static str, u32, u32)>);

/// Read logs of Brettspielwelt and replay their rounds. The call releases the GIL.
#[pyfunction]
#[pyo3(signature = (texts, /))]
pub fn read_logs(py: Python<'_>, texts: Vec<PyBackedBytes>) -> Vec<Option<Game<'_>>> {
    let games = py.detach(|| texts.into_iter().map(|text| log::read(&text)).collect::<Vec<_>>());
    games.into_iter().map(|game| game.map(|game| convert(py, game))).collect()
}

/// Return the code of each deviation that :func:`read_logs` finds, with its meaning.
#[pyfunction]
pub fn log_codes() -> Vec<(&'static str, &'static str)> {
    Code::ALL.iter().map(|&(_, name, meaning)| (name, meaning)).collect()
}

fn convert(py: Python<'_>, game: LoggedGame) -> Game<'_> {
    let [one, other] = game.score;
    let rounds = game.rounds.into_iter().map(|round| row(py, round)).collect();
    let deviations = game.deviations.iter().map(|found| (found.code.name(), found.round, found.line)).collect();
    (game.names, (one, other), rounds, deviations)
}

fn row(py: Python<'_>, round: LoggedRound) -> Round<'_> {
    let bytes = |data: &[u8]| PyBytes::new(py, data);
    (
        round.number,
        round.score[0],
        round.score[1],
        bytes(&round.calls),
        round.winner,
        round.double,
        bytes(&round.deal),
        bytes(round.gifts.as_flattened()),
        bytes(&round.history),
        round.clean,
        bytes(&round.bombs),
        round.names,
    )
}
