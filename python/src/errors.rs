//! Errors as Python exceptions, with the engine's sentences, codes and rule ids.

use pyo3::prelude::*;
use pyo3::types::PyType;
use unum_env::{EnvError, StepError};
use unum_rules::record::{RecordError, Refused};
use unum_rules::wire::WireError;
use unum_rules::{Code, NextRoundError, PositionError, Refusal, RulesError};

/// The classes are written in Python: with the stable interface of old versions, Rust cannot derive from exceptions.
const MODULE: &str = "unum_game.errors";

fn raise(class: &str, message: String, code: Option<Code>, rule: Option<&str>) -> PyErr {
    Python::attach(|py| {
        let made = py.import(MODULE).and_then(|module| module.getattr(class)).and_then(|class| {
            class.cast_into::<PyType>().map_err(PyErr::from)?.call1((message, code.map(Code::as_str), rule))
        });
        made.map_or_else(|error| error, PyErr::from_value)
    })
}

/// A request that makes no sense.
pub(crate) fn bad_request(message: impl Into<String>) -> PyErr {
    raise("RequestError", message.into(), Some(Code::BadRequest), None)
}

/// A value that is not what the vocabulary has there.
pub(crate) fn unreadable(class: &str, code: Code, what: &str, why: &pythonize::PythonizeError) -> PyErr {
    raise(class, format!("`{what}`: {why}"), Some(code), None)
}

/// What the rules do not allow.
pub(crate) fn refusal(refusal: &Refusal) -> PyErr {
    raise("Refusal", refusal.to_string(), Some(refusal.code()), refusal.rule())
}

/// Words that this deck does not have.
pub(crate) fn words(error: WireError) -> PyErr {
    raise("Refusal", error.message, Some(error.code), None)
}

/// Invalid rules.
pub(crate) fn rules(error: &RulesError) -> PyErr {
    let code = match error {
        RulesError::BadPlayers { .. } => Code::BadRequest,
        RulesError::BadDealer { .. } => Code::BadSeat,
        _ => Code::BadRules,
    };
    raise("RulesError", error.to_string(), Some(code), None)
}

/// An invalid position.
pub(crate) fn position(error: &PositionError) -> PyErr {
    raise("PositionError", error.to_string(), Some(Code::BadPosition), None)
}

/// No next round.
pub(crate) fn next_round(error: NextRoundError) -> PyErr {
    let code = if error == NextRoundError::MatchOver { Code::Over } else { Code::WrongPhase };
    raise("Refusal", error.to_string(), Some(code), None)
}

/// A record that is wrong.
pub(crate) fn record(error: &RecordError) -> PyErr {
    let (code, rule) = match error {
        RecordError::IllegalMove { why: Refused::Action(refusal), .. } => (Some(refusal.code()), refusal.rule()),
        RecordError::IllegalMove { why: Refused::Words(words), .. } => (Some(words.code), None),
        RecordError::BadRules(_) => (Some(Code::BadRules), None),
        _ => (None, None),
    };
    raise("RecordError", error.to_string(), code, rule)
}

/// An invalid environment, or a step it cannot take.
pub(crate) fn environment(error: &EnvError) -> PyErr {
    match error {
        EnvError::Rules(error) => rules(error),
        EnvError::Over => raise("Refusal", error.to_string(), Some(Code::Over), None),
        EnvError::NotLegal(_) => raise("IllegalAction", error.to_string(), None, None),
        other => raise("RequestError", other.to_string(), Some(Code::BadRequest), None),
    }
}

/// A step of many tables that was not taken.
pub(crate) fn step(error: &StepError) -> PyErr {
    let class = if matches!(error, StepError::NotLegal { .. }) { "IllegalAction" } else { "RequestError" };
    raise(class, error.to_string(), None, None)
}

/// A seat that nobody sits on.
pub(crate) fn bad_seat(seat: i64, players: u8) -> PyErr {
    let message = format!("there is no seat {seat}: seats are numbered 0 to {}", players - 1);
    raise("RequestError", message, Some(Code::BadSeat), None)
}
