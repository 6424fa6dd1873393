//! Values of the vocabulary as Python objects, without JSON in between.

use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use pythonize::{depythonize, pythonize};
use serde::Serialize;
use unum_rules::wire::{ActionForm, ViewForm, no_such_color};
use unum_rules::{Action, CardName, Code, Color, ColorName, Palette, Play, Position, RulesSpec, View, Viewer};

use crate::errors;

/// Any value of the vocabulary.
pub(crate) fn to_python<'py>(py: Python<'py>, value: &impl Serialize) -> PyResult<Bound<'py, PyAny>> {
    pythonize(py, value).map_err(PyErr::from)
}

/// A view. Its open hands have seats as keys, which are texts as in JSON.
pub(crate) fn view<'py>(py: Python<'py>, view: &View, rules: &unum_rules::Rules) -> PyResult<Bound<'py, PyAny>> {
    let dict = to_python(py, &ViewForm::new(view, rules))?;
    let shown = dict.get_item(intern!(py, "shown"))?;
    let texts = PyDict::new(py);
    for (seat, hand) in shown.cast::<PyDict>().map_err(PyErr::from)?.iter() {
        texts.set_item(seat.str()?, hand)?;
    }
    dict.set_item(intern!(py, "shown"), texts)?;
    Ok(dict)
}

/// A seat that exists.
pub(crate) fn seat(seat: i64, players: u8) -> PyResult<u8> {
    u8::try_from(seat).ok().filter(|seat| *seat < players).ok_or_else(|| errors::bad_seat(seat, players))
}

/// A seat, or `None` for a spectator.
pub(crate) fn viewer(given: Option<i64>, players: u8) -> PyResult<Viewer> {
    given.map(|given| seat(given, players)).transpose().map(Viewer::from)
}

/// A position: a dictionary, or a text with all of it in one line.
pub(crate) fn position(value: &Bound<'_, PyAny>) -> PyResult<Position> {
    if let Ok(line) = value.cast::<PyString>() {
        return Position::parse(&line.to_cow()?).map_err(|why| errors::position(&why));
    }
    depythonize(value).map_err(|why| errors::unreadable("PositionError", Code::BadPosition, "position", &why))
}

/// Rules as a table agrees on them.
pub(crate) fn rules_spec(value: &Bound<'_, PyAny>) -> PyResult<RulesSpec> {
    depythonize(value).map_err(|why| errors::unreadable("RulesError", Code::BadRules, "rules", &why))
}

/// An action.
pub(crate) fn action(value: &Bound<'_, PyAny>, palette: Palette) -> PyResult<Action> {
    if let Some(action) = frequent_action(value, palette)? {
        return Ok(action);
    }
    let form: ActionForm = match depythonize(value) {
        Ok(form) => form,
        Err(why) => return Err(foreign_color(value, palette).unwrap_or_else(|| unreadable_action(&why))),
    };
    form.action(palette).map_err(errors::words)
}

fn unreadable_action(why: &pythonize::PythonizeError) -> PyErr {
    errors::unreadable("RequestError", Code::BadRequest, "action", why)
}

/// The refusal of an action that cannot be read because of a word that is not a color.
fn foreign_color(value: &Bound<'_, PyAny>, palette: Palette) -> Option<PyErr> {
    let color = value.cast::<PyDict>().ok()?.get_item("color").ok()??;
    let word: String = color.extract().ok()?;
    let foreign = Color::ALL.iter().all(|known| known.name(palette).as_str() != word);
    foreign.then(|| errors::words(no_such_color(&word, palette)))
}

/// The actions without any parts, and plays with a color at most: several times as fast as by way of serde. `None` for
/// all others, and for whatever is wrong.
fn frequent_action(value: &Bound<'_, PyAny>, palette: Palette) -> PyResult<Option<Action>> {
    let py = value.py();
    let Ok(dict) = value.cast_exact::<PyDict>() else { return Ok(None) };
    let Some(kind) = dict.get_item(intern!(py, "type"))? else { return Ok(None) };
    let Ok(kind) = kind.cast_into::<PyString>() else { return Ok(None) };
    let fields = dict.len() - 1;
    Ok(match (kind.to_cow()?.as_ref(), fields) {
        ("draw", 0) => Some(Action::Draw),
        ("keep", 0) => Some(Action::Keep),
        ("take", 0) => Some(Action::Take),
        ("challenge", 0) => Some(Action::Challenge),
        ("play", 1..=2) => frequent_play(dict, fields, palette)?.map(Action::Play),
        _ => None,
    })
}

fn frequent_play(dict: &Bound<'_, PyDict>, fields: usize, palette: Palette) -> PyResult<Option<Play>> {
    let py = dict.py();
    let Some(card) = dict.get_item(intern!(py, "card"))? else { return Ok(None) };
    let Ok(card) = card.cast_into::<PyString>() else { return Ok(None) };
    let Some(card) = CardName::parse(&card.to_cow()?).and_then(|name| name.card(palette)) else { return Ok(None) };
    if fields == 1 {
        return Ok(Some(Play::card(card)));
    }
    let Some(color) = dict.get_item(intern!(py, "color"))? else { return Ok(None) };
    let Ok(color) = color.cast_into::<PyString>() else { return Ok(None) };
    Ok(find_color(&color.to_cow()?, palette).map(|color| Play::wild(card, color)))
}

fn find_color(word: &str, palette: Palette) -> Option<Color> {
    Color::ALL.into_iter().find(|color| {
        let name: ColorName = color.name(palette);
        name.as_str() == word
    })
}
