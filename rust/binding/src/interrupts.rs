//! Long work without the GIL, which Ctrl-C interrupts.

use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// The time after which signals are looked for again: to enter the interpreter takes longer than much of the work.
const PAUSE: Duration = Duration::from_millis(20);

/// Does work without the GIL. Now and then the work asks whether to proceed; if a signal handler has raised meanwhile, it
/// stops, and its result is thrown away.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&mut dyn FnMut() -> bool) -> T + Send) -> PyResult<T> {
    let (mut interrupt, mut asked) = (Ok(()), Instant::now());
    let done = py.detach(|| {
        let mut proceed = || {
            if interrupt.is_ok() && asked.elapsed() > PAUSE {
                interrupt = Python::attach(|py| {
                    py.check_signals()?;
                    Ok(())
                });
                asked = Instant::now();
            }
            interrupt.is_ok()
        };
        work(&mut proceed)
    });
    interrupt.map(|()| done)
}
