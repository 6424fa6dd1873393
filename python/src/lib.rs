//! unum for Python: the native half of the package `unum_game`.
//!
//! Values that cross over are those of the referee's vocabulary, made of dictionaries, lists, texts and numbers by serde:
//! the forms of `unum-rules` declare them. What is called millions of times (steps of environments) passes numbers and
//! arrays instead.

// The macros of PyO3 expand to unsafe code, which the lint does not see: what is written here has none.
#![forbid(unsafe_code)]

mod aec;
mod env;
mod errors;
mod game;
mod lab;
mod players;
mod record;
mod rules;
mod values;

use pyo3::prelude::*;

/// The native half of `unum_game`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ENCODING_VERSION", unum_env::ENCODING_VERSION)?;
    module.add("RULES_VERSION", unum_rules::RULES_VERSION)?;
    module.add("EDITIONS", unum_rules::Edition::ALL.map(|edition| edition.id()).to_vec())?;
    module.add_class::<rules::PyRules>()?;
    module.add_class::<game::PyMatch>()?;
    module.add_class::<record::PyRecord>()?;
    module.add_class::<env::PyEncoding>()?;
    module.add_class::<env::PyTable>()?;
    module.add_class::<env::PyExplicit>()?;
    module.add_class::<env::PyVector>()?;
    module.add_class::<aec::PyAec>()?;
    module.add_class::<aec::PyAgents>()?;
    module.add_class::<players::PySeen>()?;
    module.add_class::<players::PyBot>()?;
    module.add_function(wrap_pyfunction!(game::perft, module)?)?;
    module.add_function(wrap_pyfunction!(game::divide, module)?)?;
    module.add_function(wrap_pyfunction!(game::perft_references, module)?)?;
    module.add_function(wrap_pyfunction!(lab::arena, module)?)?;
    module.add_function(wrap_pyfunction!(lab::simulate, module)?)?;
    Ok(())
}
