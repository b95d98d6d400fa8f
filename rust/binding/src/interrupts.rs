//! Long work without the GIL, which Ctrl-C interrupts.

use pyo3::prelude::*;

/// Does work without the GIL. Now and then the work asks whether to proceed; if a signal handler has raised meanwhile, it
/// stops, and its result is thrown away.
pub fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&mut dyn FnMut() -> bool) -> T + Send) -> PyResult<T> {
    let mut interrupt = Ok(());
    let done = py.detach(|| {
        let mut proceed = || {
            interrupt = Python::attach(|py| {
                py.check_signals()?;
                Ok(())
            });
            interrupt.is_ok()
        };
        work(&mut proceed)
    });
    interrupt.map(|()| done)
}
