//! Rules.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use unum_rules::{CardName, Rules};

use crate::{errors, values};

/// What is played: an edition, and what is different from its sheet.
///
/// `Rules("original")`, `Rules("frozen", house={"stacking": "any"}, scoring={"type": "first_to", "target": 200})`, or all of
/// it as one dictionary: `Rules({"edition": "custom", "custom_cards": [4, None, 7]})`.
#[pyclass(name = "Rules", module = "unum_game", frozen, eq, skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct PyRules {
    pub(crate) rules: Rules,
}

impl PartialEq for PyRules {
    fn eq(&self, other: &PyRules) -> bool {
        self.rules.spec() == other.rules.spec()
    }
}

impl PyRules {
    /// Rules, the name of an edition, or a dictionary; without any, the original.
    pub(crate) fn from_any(value: Option<&Bound<'_, PyAny>>) -> PyResult<Rules> {
        let Some(value) = value else { return Ok(Rules::of(unum_rules::Edition::Original)) };
        if let Ok(rules) = value.cast::<PyRules>() {
            return Ok(rules.get().rules.clone());
        }
        let dict = match value.cast::<PyString>() {
            Ok(edition) => {
                let dict = PyDict::new(value.py());
                dict.set_item("edition", edition)?;
                dict.into_any()
            }
            Err(_) => value.clone(),
        };
        Rules::new(values::rules_spec(&dict)?).map_err(|why| errors::rules(&why))
    }
}

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (edition=None, *, scoring=None, house=None, custom_cards=None))]
    fn new(
        edition: Option<&Bound<'_, PyAny>>,
        scoring: Option<Bound<'_, PyAny>>,
        house: Option<Bound<'_, PyAny>>,
        custom_cards: Option<Bound<'_, PyAny>>,
        py: Python<'_>,
    ) -> PyResult<PyRules> {
        let dict = match edition {
            Some(given) if given.cast::<PyDict>().is_ok() => given.cast::<PyDict>().map_err(PyErr::from)?.copy()?,
            Some(given) if given.cast::<PyRules>().is_ok() => {
                let spec = given.cast::<PyRules>().map_err(PyErr::from)?.get().rules.spec().clone();
                values::to_python(py, &spec)?.cast_into::<PyDict>().map_err(PyErr::from)?
            }
            given => {
                let dict = PyDict::new(py);
                match given {
                    Some(edition) => dict.set_item("edition", edition)?,
                    None => dict.set_item("edition", "original")?,
                }
                dict
            }
        };
        for (name, value) in [("scoring", scoring), ("house", house), ("custom_cards", custom_cards)] {
            if let Some(value) = value {
                dict.set_item(name, value)?;
            }
        }
        let spec = values::rules_spec(dict.as_any())?;
        Ok(PyRules { rules: Rules::new(spec).map_err(|why| errors::rules(&why))? })
    }

    /// The edition.
    #[getter]
    fn edition(&self) -> &'static str {
        self.rules.spec().edition.id()
    }

    /// The rules as a dictionary: the edition, and what differs from its sheet.
    #[getter]
    fn spec<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, self.rules.spec())
    }

    /// The scoring in force.
    #[getter]
    fn scoring<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.rules.scoring())
    }

    /// The cards, with the number of copies of each.
    #[getter]
    fn deck<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (card, copies) in self.rules.deck().kinds() {
            dict.set_item(card.name(self.rules.palette()).as_str(), copies)?;
        }
        Ok(dict)
    }

    /// The colors.
    #[getter]
    fn colors(&self) -> Vec<&'static str> {
        unum_rules::Color::ALL.map(|color| color.name(self.rules.palette()).as_str()).to_vec()
    }

    /// How many cards each player is dealt.
    #[getter]
    fn hand_size(&self) -> u8 {
        self.rules.hand_size()
    }

    /// What a card counts at the end of a round.
    fn points(&self, card: &str) -> PyResult<u32> {
        let found = CardName::parse(card).and_then(|name| name.card(self.rules.palette()));
        let found = found.filter(|card| self.rules.deck().copies(*card) > 0);
        found
            .map(|card| self.rules.points(card))
            .ok_or_else(|| errors::bad_request(format!("there is no {card:?} in this deck")))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Rules({})", self.spec(py)?.repr()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, PyRules>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let arguments = PyTuple::new(py, [slf.get().spec(py)?])?;
        PyTuple::new(py, [slf.get_type().into_any(), arguments.into_any()])
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        self.spec(py)?.repr()?.hash()
    }
}
