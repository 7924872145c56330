//! The memory that carom may take.

use crate::errors;
use carom::io::memory;
use pyo3::prelude::*;

/// Limit the memory that carom may take; None is what the machine has.
///
/// What would need more is refused before it is begun, as by `--memory` on the command line.
///
/// Parameters
/// ----------
/// limit : int, str or None
///     Bytes, or a size such as "500MB" or "4G".
///
/// Examples
/// --------
/// >>> import carom
/// >>> carom.set_memory("4G")
/// >>> carom.set_memory(None)
#[pyfunction]
#[pyo3(signature = (limit))]
pub fn set_memory(limit: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
    let Some(limit) = limit else {
        memory::set_limit(0);
        return Ok(());
    };
    let text = limit.str()?.to_string();
    let bytes = memory::parse_size(&text).ok_or_else(|| {
        let sentence = format!("limit is {text}; it must be a size such as 500MB or 4G, or None");
        errors::INPUT.with(limit.py(), sentence)
    })?;
    memory::set_limit(bytes);
    Ok(())
}
