//! Records of matches.

use numpy::{PyArray1, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use unum_env::{Encoding, Transcript, TranscriptError};
use unum_review::{LEAST_WORLDS, Reviewer};
use unum_rules::Position;
use unum_rules::record::{MAX_RECORD, Move, Record, RecordError};
use unum_rules::wire::{ActionForm, full_events, seen_events};

use crate::game::PyMatch;
use crate::rules::PyRules;
use crate::{env, errors, values};

/// A match as it was written down.
#[pyclass(name = "Record", module = "unum_game", frozen, eq, skip_from_py_object)]
#[derive(Clone, PartialEq)]
pub(crate) struct PyRecord {
    pub(crate) record: Record,
}

#[pymethods]
impl PyRecord {
    /// Reads a record, as text or JSON. `verify` checks the game in it.
    #[staticmethod]
    fn parse(text: &str) -> PyResult<PyRecord> {
        if text.len() > MAX_RECORD {
            return Err(errors::bad_request(format!("a record has at most {MAX_RECORD} bytes, not {}", text.len())));
        }
        Ok(PyRecord { record: Record::parse(text).map_err(|why| errors::record(&why))? })
    }

    /// The text form.
    fn to_text(&self) -> String {
        self.record.to_text()
    }

    /// The JSON form.
    fn to_json(&self) -> String {
        self.record.to_json()
    }

    /// Plays the match again and checks every step; the match as it ended.
    fn verify(&self, py: Python<'_>) -> PyResult<PyMatch> {
        let replayed = py.detach(|| self.record.replay());
        replayed.map(PyMatch::plain).map_err(|why| errors::record(&why))
    }

    /// Every step of the match, checked: its place, the move, what happened and the state after it. With a seat (or
    /// `None` for a spectator), what it could see.
    #[pyo3(signature = (**viewer))]
    fn steps<'py>(&self, py: Python<'py>, viewer: Option<&Bound<'py, PyDict>>) -> PyResult<Bound<'py, PyList>> {
        let seen = seen_from(viewer)?;
        let seen = seen.map(|seat| values::viewer(seat, self.record.setup.players)).transpose()?;
        let list = PyList::empty(py);
        let mut replay = self.record.steps();
        while let Some(step) = replay.step().map_err(|why| errors::record(&why))? {
            let rules = step.game.rules();
            let dict = PyDict::new(py);
            dict.set_item("round", step.place.round)?;
            dict.set_item("number", step.place.number)?;
            dict.set_item("move", step.made.map(|made| write_move(py, &made, rules)).transpose()?)?;
            match seen {
                None => {
                    dict.set_item("events", values::to_python(py, &full_events(step.events, rules))?)?;
                    dict.set_item("state", values::to_python(py, &Position::of(step.game))?)?;
                }
                Some(viewer) => {
                    dict.set_item("events", values::to_python(py, &seen_events(step.events, viewer, rules))?)?;
                    dict.set_item("view", values::view(py, &step.game.view(viewer), rules)?)?;
                }
            }
            list.append(dict)?;
        }
        Ok(list)
    }

    /// The review: luck and play told apart, as `unum review --json` has it. `worlds` are imagined per decision; with 0
    /// only luck is told.
    #[pyo3(signature = (worlds=1000, seat=None))]
    fn review<'py>(&self, py: Python<'py>, worlds: u32, seat: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        if worlds > 0 && worlds < LEAST_WORLDS {
            let message = format!("a decision needs at least {LEAST_WORLDS} worlds, not {worlds}; 0 tells luck alone");
            return Err(errors::bad_request(message));
        }
        let seat = seat.map(|seat| values::seat(seat, self.record.setup.players)).transpose()?;
        let review = py.detach(|| {
            let mut reviewer = Reviewer::new(&self.record)?;
            let wanted = |place: &&unum_review::decision::Decision| seat.is_none_or(|seat| place.spot.seat == seat);
            let decisions = reviewer.decisions_mut().iter().filter(|one| wanted(&&**one)).count() as u64;
            reviewer.think(decisions * u64::from(worlds), seat);
            Ok::<_, RecordError>(reviewer.review())
        });
        values::to_python(py, &review.map_err(|why| errors::record(&why))?)
    }

    /// Every choice of the match as arrays, one row each, checked: `observations`, `masks`, `actions`, `stages`, `seats`,
    /// `rounds`, `moves` and `payoffs`.
    #[pyo3(signature = (payoff="win"))]
    fn choices<'py>(&self, py: Python<'py>, payoff: &str) -> PyResult<Bound<'py, PyDict>> {
        let payoff = env::payoff(payoff)?;
        let transcript = py.detach(|| Transcript::of(&self.record, payoff)).map_err(|why| match why {
            TranscriptError::Record(why) => errors::record(&why),
            other => errors::bad_request(other.to_string()),
        })?;
        let encoding = Encoding::of(self.record.setup.rules.edition);
        let rows = transcript.len();
        let Transcript { observations, masks, actions, stages, seats, rounds, moves, payoffs } = transcript;
        let dict = PyDict::new(py);
        let observations = PyArray1::from_vec(py, observations).reshape([rows, encoding.observation()])?;
        dict.set_item("observations", observations)?;
        dict.set_item("masks", PyArray1::from_vec(py, masks).reshape([rows, encoding.actions()])?)?;
        dict.set_item("actions", PyArray1::from_vec(py, actions))?;
        dict.set_item("stages", PyArray1::from_vec(py, stages))?;
        dict.set_item("seats", PyArray1::from_vec(py, seats))?;
        dict.set_item("rounds", PyArray1::from_vec(py, rounds))?;
        dict.set_item("moves", PyArray1::from_vec(py, moves))?;
        dict.set_item("payoffs", PyArray1::from_vec(py, payoffs))?;
        Ok(dict)
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> PyResult<PyRules> {
        let rules = unum_rules::Rules::new(self.record.setup.rules.clone()).map_err(|why| errors::rules(&why))?;
        Ok(PyRules { rules })
    }

    /// How many play.
    #[getter]
    fn players(&self) -> u8 {
        self.record.setup.players
    }

    /// Their names by seat, where known.
    #[getter]
    fn names(&self) -> Vec<Option<String>> {
        (0..self.record.setup.players).map(|seat| self.record.setup.name(seat).map(ToString::to_string)).collect()
    }

    /// The seed, if there is one for all rounds.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.record.setup.seeding.number()
    }

    /// How many rounds were dealt.
    #[getter]
    fn rounds(&self) -> u32 {
        self.record.rounds()
    }

    /// How the match stands at the end: scores, and winners if it is over.
    #[getter]
    fn outcome<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.record.outcome)
    }

    /// Every change, in order.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let rules = self.rules()?.rules;
        self.record.moves.iter().map(|entry| write_move(py, &entry.made, &rules)).collect()
    }

    fn __repr__(&self) -> String {
        let setup = &self.record.setup;
        format!("<Record {}, {} players, {} moves>", setup.rules.edition, setup.players, self.record.moves.len())
    }
}

/// `seat=…` if it is given at all: `None` is a spectator.
fn seen_from(arguments: Option<&Bound<'_, PyDict>>) -> PyResult<Option<Option<i64>>> {
    let Some(arguments) = arguments else { return Ok(None) };
    match arguments.get_item("seat")? {
        Some(seat) if arguments.len() == 1 => seat.extract().map(Some),
        _ => Err(errors::bad_request("`steps` takes `seat` alone")),
    }
}

fn write_move<'py>(py: Python<'py>, made: &Move, rules: &unum_rules::Rules) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    match made {
        Move::Act { seat, action } => {
            dict.set_item("type", "act")?;
            dict.set_item("seat", seat)?;
            dict.set_item("action", values::to_python(py, &ActionForm::new(action, rules.palette()))?)?;
        }
        Move::Penalize { seat } => {
            dict.set_item("type", "penalize")?;
            dict.set_item("seat", seat)?;
        }
        Move::NextRound => dict.set_item("type", "next_round")?,
    }
    Ok(dict)
}
