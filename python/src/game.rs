//! Matches and positions.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use unum_rules::record::{PlayerName, RecordError, Recorder, Setup};
use unum_rules::wire::{ActionForm, ChoiceForm, full_events, legal_forms, seen_events};
use unum_rules::{
    Action, Event, Hand, MAX_PLAYERS, MIN_PLAYERS, Match, NextRoundError, Position, Refusal, Seat, Seeded, Sight,
    playout::Casual,
};

use crate::record::PyRecord;
use crate::rules::PyRules;
use crate::{errors, values};

/// A match, written down or not.
#[derive(Clone)]
#[allow(clippy::large_enum_variant)]
enum Source {
    Plain(Match),
    Recorded(Box<Recorder>),
}

/// A match: rounds, scores, winners.
///
/// The same rules, players, seed and actions give the same match on every machine. A refused action raises `Refusal` and
/// changes nothing.
#[pyclass(name = "Match", module = "unum_game", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct PyMatch {
    source: Source,
    /// Of the last accepted change.
    events: Vec<Event>,
}

impl PyMatch {
    pub(crate) fn plain(game: Match) -> PyMatch {
        PyMatch { source: Source::Plain(game), events: Vec::new() }
    }

    pub(crate) fn game(&self) -> &Match {
        match &self.source {
            Source::Plain(game) => game,
            Source::Recorded(recorder) => recorder.game(),
        }
    }

    /// What happened in the last accepted change.
    pub(crate) fn last_events(&self) -> &[Event] {
        &self.events
    }

    fn carry_out(&mut self, seat: Seat, action: &Action) -> Result<(), Refusal> {
        // Kept for a while: a refused action leaves the events as they were.
        let mut events = Vec::with_capacity(4);
        match &mut self.source {
            Source::Plain(game) => game.apply(seat, action, &mut events)?,
            Source::Recorded(recorder) => recorder.apply(seat, action, &mut events)?,
        }
        self.events = events;
        Ok(())
    }

    fn names<'py>(&self, py: Python<'py>, hand: &Hand) -> PyResult<Bound<'py, PyList>> {
        let palette = self.game().rules().palette();
        PyList::new(py, hand.iter().map(|card| card.name(palette).as_str()).collect::<Vec<_>>())
    }
}

fn check_players(players: i64) -> PyResult<u8> {
    match u8::try_from(players) {
        Ok(players) if (MIN_PLAYERS..=MAX_PLAYERS).contains(&players) => Ok(players),
        _ => Err(errors::bad_request(format!("{MIN_PLAYERS} to {MAX_PLAYERS} can play, not {players}"))),
    }
}

fn player_names(names: Option<Vec<Option<String>>>) -> PyResult<Vec<Option<PlayerName>>> {
    let read = |name: Option<String>| name.map(|name| PlayerName::new(&name)).transpose();
    let names = names.unwrap_or_default().into_iter().map(read).collect::<Result<Vec<_>, _>>();
    names.map_err(|why| errors::bad_request(why.to_string()))
}

#[pymethods]
impl PyMatch {
    #[new]
    #[pyo3(signature = (rules=None, players=2, seed=0, *, dealer=None, names=None, record=false))]
    fn new(
        rules: Option<&Bound<'_, PyAny>>,
        players: i64,
        seed: u64,
        dealer: Option<i64>,
        names: Option<Vec<Option<String>>>,
        record: bool,
    ) -> PyResult<PyMatch> {
        let rules = PyRules::from_any(rules)?;
        let players = check_players(players)?;
        let dealer = dealer.map(|dealer| values::seat(dealer, players)).transpose()?;
        let names = player_names(names)?;
        let mut events = Vec::new();
        let source = if record {
            let setup = Setup { names, dealer, ..Setup::new(rules.spec().clone(), players, seed) };
            let recorder = Recorder::start(setup, &mut events).map_err(|why| match why {
                RecordError::BadRules(why) => errors::rules(&why),
                other => errors::record(&other),
            })?;
            Source::Recorded(Box::new(recorder))
        } else {
            let started = Match::start(rules, players, dealer, Seeded::new(seed), &mut events);
            Source::Plain(started.map_err(|why| errors::rules(&why))?)
        };
        Ok(PyMatch { source, events })
    }

    /// A match that goes on from a position; fields that are left out are as docs/referee.md says.
    #[staticmethod]
    #[pyo3(signature = (position, rules=None, seed=0))]
    fn from_position(position: &Bound<'_, PyAny>, rules: Option<&Bound<'_, PyAny>>, seed: u64) -> PyResult<PyMatch> {
        let rules = PyRules::from_any(rules)?;
        let position = values::position(position)?;
        if let Ok(players) = u8::try_from(position.hands.len()) {
            rules.check_players(players).map_err(|why| errors::rules(&why))?;
        }
        let game = position.into_match(rules, Seeded::new(seed)).map_err(|why| errors::position(&why))?;
        Ok(PyMatch::plain(game))
    }

    /// Lets a seat act.
    fn apply(&mut self, seat: i64, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let seat = values::seat(seat, self.game().players())?;
        let action = values::action(action, self.game().rules().palette())?;
        self.carry_out(seat, &action).map_err(|refusal| errors::refusal(&refusal))
    }

    /// X1: the referee's penalty for suggesting a play.
    fn penalize(&mut self, seat: i64) -> PyResult<()> {
        let seat = values::seat(seat, self.game().players())?;
        let mut events = Vec::new();
        let done = match &mut self.source {
            Source::Plain(game) => game.penalize(seat, &mut events),
            Source::Recorded(recorder) => recorder.penalize(seat, &mut events),
        };
        done.map_err(|refusal| errors::refusal(&refusal))?;
        self.events = events;
        Ok(())
    }

    /// Deals the next round, after the end of one.
    fn next_round(&mut self) -> PyResult<()> {
        let mut events = Vec::new();
        let done: Result<(), NextRoundError> = match &mut self.source {
            Source::Plain(game) => game.next_round(&mut events),
            Source::Recorded(recorder) => recorder.next_round(&mut events),
        };
        done.map_err(errors::next_round)?;
        self.events = events;
        Ok(())
    }

    /// Plays the round to its end at random, with a generator of its own; how many actions that took.
    #[pyo3(signature = (seed=0))]
    fn finish_round(&mut self, seed: u64) -> PyResult<u32> {
        let mut whims = Seeded::new(seed);
        let mut actions = 0;
        while !self.game().round().is_over() {
            let (seat, action) = Casual.choose(self.game().round(), self.game().rules(), &mut whims);
            self.carry_out(seat, &action).map_err(|refusal| errors::refusal(&refusal))?;
            actions += 1;
        }
        Ok(actions)
    }

    /// Every action a seat could take now, or those of all seats: `[{"seat": 0, "actions": [...]}]`.
    #[pyo3(signature = (seat=None))]
    fn legal<'py>(&self, py: Python<'py>, seat: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.game();
        match seat {
            None => values::to_python(py, &legal_forms(game.round(), game.rules())),
            Some(seat) => {
                let seat = values::seat(seat, game.players())?;
                let sight = Sight::new(game.round(), game.rules(), seat, game.scores());
                values::to_python(py, &ChoiceForm::all(&sight))
            }
        }
    }

    /// What a seat may know; `None` for a spectator.
    fn view<'py>(&self, py: Python<'py>, seat: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        let game = self.game();
        let viewer = values::viewer(seat, game.players())?;
        values::view(py, &game.view(viewer), game.rules())
    }

    /// The whole state, hidden cards included.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &Position::of(self.game()))
    }

    /// The same in one line, which `from_position` reads.
    fn line(&self) -> String {
        Position::line(self.game())
    }

    /// What happened in the last accepted change, nothing hidden.
    fn events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &full_events(&self.events, self.game().rules()))
    }

    /// The same as a seat may see it; `None` for a spectator.
    fn seen_events<'py>(&self, py: Python<'py>, seat: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        let viewer = values::viewer(seat, self.game().players())?;
        values::to_python(py, &seen_events(&self.events, viewer, self.game().rules()))
    }

    /// The record so far, of a match made with `record=True`.
    fn record(&self) -> PyResult<PyRecord> {
        match &self.source {
            Source::Recorded(recorder) => Ok(PyRecord { record: recorder.record() }),
            Source::Plain(_) => Err(errors::bad_request("this match is not recorded: make it with record=True")),
        }
    }

    /// A copy that goes on by itself, with the same coming shuffles.
    fn copy(&self) -> PyMatch {
        self.clone()
    }

    fn __copy__(&self) -> PyMatch {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> PyMatch {
        self.clone()
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules { rules: self.game().rules().clone() }
    }

    /// How many play.
    #[getter]
    fn players(&self) -> u8 {
        self.game().players()
    }

    /// The seat that the table waits for; `None` after the round.
    #[getter]
    fn seat(&self) -> Option<Seat> {
        self.game().round().awaited()
    }

    /// What the table waits for, in one word: `turn`, `drawn`, `respond` and so on.
    #[getter]
    fn phase(&self) -> &'static str {
        use unum_rules::Phase;
        match self.game().round().phase() {
            Phase::Turn { .. } => "turn",
            Phase::Drawn { .. } => "drawn",
            Phase::CallColor { .. } => "call_color",
            Phase::Respond { .. } => "respond",
            Phase::Discard { .. } => "discard",
            Phase::Vote { .. } => "vote",
            Phase::Dare { .. } => "dare",
            Phase::Over { .. } if self.game().winners().is_some() => "match_over",
            Phase::Over { .. } => "round_over",
        }
    }

    /// The card to match.
    #[getter]
    fn top(&self) -> &'static str {
        self.game().round().top().name(self.game().rules().palette()).as_str()
    }

    /// The color in force; `None` until one is called.
    #[getter]
    fn color(&self) -> Option<&'static str> {
        self.game().round().color().map(|color| color.name(self.game().rules().palette()).as_str())
    }

    /// The cards of a seat, sorted.
    fn hand<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyList>> {
        let seat = values::seat(seat, self.game().players())?;
        self.names(py, self.game().round().hand(seat))
    }

    /// How many cards each seat holds.
    #[getter]
    fn hand_sizes(&self) -> Vec<usize> {
        self.game().round().hands().iter().map(Hand::len).collect()
    }

    /// Whether the round is over.
    #[getter]
    fn round_over(&self) -> bool {
        self.game().round().is_over()
    }

    /// Who has won the match, once it is over.
    #[getter]
    fn winners(&self) -> Option<Vec<Seat>> {
        self.game().winners().map(|winners| winners.iter().collect())
    }

    /// What the round added to the scores, once it is over.
    #[getter]
    fn result<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &Position::of(self.game()).result)
    }

    /// The scores, by seat.
    #[getter]
    fn scores(&self) -> Vec<u32> {
        self.game().scores().to_vec()
    }

    fn __repr__(&self) -> String {
        let game = self.game();
        let edition = game.rules().spec().edition;
        format!("<Match {edition}, {} players, {}, scores {:?}>", game.players(), self.phase(), game.scores())
    }
}

fn start(
    rules: Option<&Bound<'_, PyAny>>,
    position: &Bound<'_, PyAny>,
    seed: u64,
) -> PyResult<unum_rules::perft::Start> {
    use unum_rules::perft::{Start, StartError};
    let spec = PyRules::from_any(rules)?.spec().clone();
    Start::new(spec, values::position(position)?, seed).map_err(|why| match why {
        StartError::Rules(why) => errors::rules(&why),
        StartError::Position(why) => errors::position(&why),
    })
}

/// Deeper than any count that ends.
const MAX_DEPTH: u32 = 100;

fn check_depth(depth: u32) -> PyResult<u32> {
    if depth <= MAX_DEPTH { Ok(depth) } else { Err(errors::bad_request(format!("`depth` goes up to {MAX_DEPTH}"))) }
}

/// How many sequences of that many actions a position allows.
#[pyfunction]
#[pyo3(signature = (position, depth, rules=None, seed=0))]
pub(crate) fn perft(
    py: Python<'_>,
    position: &Bound<'_, PyAny>,
    depth: u32,
    rules: Option<&Bound<'_, PyAny>>,
    seed: u64,
) -> PyResult<u64> {
    let (start, depth) = (start(rules, position, seed)?, check_depth(depth)?);
    Ok(py.detach(|| start.perft(depth)))
}

/// The same by first action.
#[pyfunction]
#[pyo3(signature = (position, depth, rules=None, seed=0))]
pub(crate) fn divide<'py>(
    py: Python<'py>,
    position: &Bound<'py, PyAny>,
    depth: u32,
    rules: Option<&Bound<'py, PyAny>>,
    seed: u64,
) -> PyResult<Bound<'py, PyList>> {
    let (start, depth) = (start(rules, position, seed)?, check_depth(depth)?);
    let branches = py.detach(|| start.divide(depth));
    let list = PyList::empty(py);
    for branch in branches {
        let dict = PyDict::new(py);
        dict.set_item("seat", branch.seat)?;
        dict.set_item("action", values::to_python(py, &ActionForm::new(&branch.action, start.rules().palette()))?)?;
        dict.set_item("count", branch.count)?;
        list.append(dict)?;
    }
    Ok(list)
}

/// The positions whose numbers are published in docs/perft.md.
#[pyfunction]
pub(crate) fn perft_references<'py>(py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
    let references = unum_rules::perft::references().map_err(|why| errors::bad_request(why.to_string()))?;
    let list = PyList::empty(py);
    for reference in references {
        let dict = PyDict::new(py);
        dict.set_item("name", &reference.name)?;
        dict.set_item("rules", values::to_python(py, &reference.rules)?)?;
        dict.set_item("position", values::to_python(py, &reference.position)?)?;
        dict.set_item("seed", reference.seed)?;
        dict.set_item("counts", &reference.counts)?;
        list.append(dict)?;
    }
    Ok(list)
}
