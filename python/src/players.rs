//! Players: bots of every level, and bots written in Python.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyString, PyTuple};
use unum_bots::{Bot, LevelBot, Random};
use unum_env::{Decision, Encoding, Progress, Unos};
use unum_lab::{Contestant, Entrant, EntrantBot, EntryError, External, Failures, LineUp, Thinker};
use unum_rules::wire::{ActionForm, ChoiceForm, EventForm};
use unum_rules::{Action, Rules, Seat, SeenEvent, Sight, View};

use crate::env::thinker;
use crate::game::PyMatch;
use crate::rules::PyRules;
use crate::{errors, values};

/// What a seat sees at the moment of a decision: what bots written in Python get.
#[pyclass(name = "Seen", module = "unum_game", frozen)]
pub(crate) struct PySeen {
    rules: Arc<Rules>,
    view: View,
    #[pyo3(get)]
    seat: Seat,
    legal: Vec<ChoiceForm>,
}

impl PySeen {
    fn new(sight: &Sight<'_>, rules: Arc<Rules>, legal: Vec<ChoiceForm>) -> PySeen {
        PySeen { rules, view: sight.view(), seat: sight.seat(), legal }
    }
}

#[pymethods]
impl PySeen {
    /// The view, as `Match.view` has it.
    #[getter]
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::view(py, &self.view, &self.rules)
    }

    /// What the seat could do now.
    #[getter]
    fn legal<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        values::to_python(py, &self.legal)
    }

    /// Its cards, sorted.
    #[getter]
    fn hand(&self) -> Vec<&'static str> {
        let cards = self.view.hand.iter().flat_map(|hand| hand.iter());
        cards.map(|card| card.name(self.rules.palette()).as_str()).collect()
    }

    /// The card to match.
    #[getter]
    fn top(&self) -> &'static str {
        self.view.top.name(self.rules.palette()).as_str()
    }

    /// The color in force.
    #[getter]
    fn color(&self) -> Option<&'static str> {
        self.view.color.map(|color| color.name(self.rules.palette()).as_str())
    }

    /// How many cards each seat holds.
    #[getter]
    fn hand_sizes(&self) -> Vec<u8> {
        self.view.hand_sizes[..usize::from(self.view.players)].to_vec()
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules { rules: (*self.rules).clone() }
    }
}

/// A bot of a level: `Bot("hard", seed=1)`, `Bot("expert:500w")`.
///
/// It sees what its seat sees. Bots that remember play better if `begin` is called after the deal and `watch` after every
/// change of the match.
#[pyclass(name = "Bot", module = "unum_game")]
pub(crate) struct PyBot {
    name: String,
    bot: LevelBot,
}

#[pymethods]
impl PyBot {
    #[new]
    #[pyo3(signature = (level, seed=0))]
    fn new(level: &str, seed: u64) -> PyResult<PyBot> {
        let Thinker { level: wanted, budget } = thinker(level)?;
        Ok(PyBot { name: level.to_owned(), bot: LevelBot::with_budget(wanted, seed, budget) })
    }

    /// Tells the bot that a round was dealt.
    fn begin(&mut self, game: &PyMatch, seat: i64) -> PyResult<()> {
        let game = game.game();
        let seat = values::seat(seat, game.players())?;
        self.bot.begin(&Sight::new(game.round(), game.rules(), seat, game.scores()));
        Ok(())
    }

    /// Tells the bot what happened in the last change of the match, as its seat may see it.
    fn watch(&mut self, game: &PyMatch, seat: i64) -> PyResult<()> {
        let seat = values::seat(seat, game.game().players())?;
        if self.bot.listens() {
            game.last_events().iter().for_each(|event| self.bot.see(&event.seen_by(Some(seat).into())));
        }
        Ok(())
    }

    /// What the bot does when the table waits for its seat.
    fn act<'py>(&mut self, py: Python<'py>, game: &PyMatch, seat: i64) -> PyResult<Bound<'py, PyAny>> {
        let game = game.game();
        let seat = values::seat(seat, game.players())?;
        let sight = Sight::new(game.round(), game.rules(), seat, game.scores());
        if !sight.is_awaited() {
            return Err(errors::bad_request(format!("the table does not wait for seat {seat}")));
        }
        let bot = &mut self.bot;
        let action = py.detach(|| bot.act(&sight));
        values::to_python(py, &ActionForm::new(&action, game.rules().palette()))
    }

    /// What the bot does though the table does not wait for its seat; `None` for nothing.
    fn react<'py>(&mut self, py: Python<'py>, game: &PyMatch, seat: i64) -> PyResult<Option<Bound<'py, PyAny>>> {
        let game = game.game();
        let seat = values::seat(seat, game.players())?;
        let sight = Sight::new(game.round(), game.rules(), seat, game.scores());
        let possible = Decision::react(&sight, Encoding::of(game.rules().spec().edition), Unos::Called).is_some();
        let action = if possible { self.bot.react(&sight) } else { None };
        action.map(|action| values::to_python(py, &ActionForm::new(&action, game.rules().palette()))).transpose()
    }

    fn __repr__(&self) -> String {
        format!("Bot({:?})", self.name)
    }
}

/// Who plays: a bot by name, or one made by Python.
pub(crate) enum Player {
    Named(Entrant),
    Python { make: Py<PyAny>, is_factory: bool, trouble: Trouble },
}

impl PartialEq for Player {
    fn eq(&self, other: &Player) -> bool {
        match (self, other) {
            (Player::Named(own), Player::Named(other)) => own == other,
            (Player::Python { make, .. }, Player::Python { make: other, .. }) => make.is(other),
            _ => false,
        }
    }
}

/// The first exception of a bot, which ends the run.
#[derive(Clone, Default)]
pub(crate) struct Trouble {
    error: Arc<Mutex<Option<PyErr>>>,
    pub(crate) stop: Arc<AtomicBool>,
}

impl Trouble {
    pub(crate) fn note(&self, error: PyErr) {
        if let Ok(mut place) = self.error.lock() {
            place.get_or_insert(error);
        }
        self.stop.store(true, Ordering::Relaxed);
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.error.lock().ok()?.take()
    }
}

impl Contestant for Player {
    type Bot = PlayerBot;

    fn enter(&self) -> Result<PlayerBot, EntryError> {
        match self {
            Player::Named(entrant) => Ok(PlayerBot::Named(Box::new(entrant.enter()?))),
            Player::Python { make, is_factory, trouble } => Python::attach(|py| {
                let bot = if *is_factory { make.call0(py) } else { Ok(make.clone_ref(py)) };
                bot.and_then(|bot| PythonBot::new(py, bot, trouble.clone())).map_err(|error| {
                    let words = error.to_string();
                    trouble.note(error);
                    EntryError(words)
                })
            })
            .map(|bot| PlayerBot::Python(Box::new(bot))),
        }
    }

    fn renew(&self, bot: &mut PlayerBot, seed: u64) {
        match (self, bot) {
            (Player::Named(entrant), PlayerBot::Named(bot)) => entrant.renew(bot, seed),
            (_, PlayerBot::Python(bot)) => bot.renew(seed),
            _ => {}
        }
    }

    fn failures(&self, bot: &PlayerBot) -> Failures {
        match (self, bot) {
            (Player::Named(entrant), PlayerBot::Named(bot)) => entrant.failures(bot),
            _ => Failures::default(),
        }
    }

    fn last_error<'a>(&self, bot: &'a PlayerBot) -> Option<&'a str> {
        match (self, bot) {
            (Player::Named(entrant), PlayerBot::Named(bot)) => entrant.last_error(bot),
            _ => None,
        }
    }
}

/// What it plays with.
pub(crate) enum PlayerBot {
    Named(Box<EntrantBot>),
    Python(Box<PythonBot>),
}

/// A bot written in Python: an object with `act(seen)`, or with `choose(observation, mask)`, the ids of docs/encoding.md
/// and arrays; and if it likes with `react(seen)`, `begin(seen)`, `see(event)` and `renew(seed)`.
pub(crate) struct PythonBot {
    bot: Py<PyAny>,
    chooses: bool,
    reacts: bool,
    begins: bool,
    sees: bool,
    renews: bool,
    rules: Option<Arc<Rules>>,
    /// Plays on after an exception, until the run has ended.
    autopilot: Random,
    trouble: Trouble,
}

impl PythonBot {
    fn new(py: Python<'_>, bot: Py<PyAny>, trouble: Trouble) -> PyResult<PythonBot> {
        let has = |name: &str| bot.bind(py).hasattr(name);
        let (chooses, acts) = (has("choose")?, has("act")?);
        if !chooses && !acts {
            return Err(PyTypeError::new_err("a bot has a method `act(seen)` or `choose(observation, mask)`"));
        }
        let (reacts, begins, sees, renews) = (has("react")?, has("begin")?, has("see")?, has("renew")?);
        let autopilot = Random::new(0);
        Ok(PythonBot { bot, chooses, reacts, begins, sees, renews, rules: None, autopilot, trouble })
    }

    fn renew(&mut self, seed: u64) {
        self.autopilot = Random::new(seed);
        if self.renews {
            self.call(|py, bot| bot.call_method1(intern!(py, "renew"), (seed,)).map(|_| ()));
        }
    }

    /// Calls into Python; `None` after an exception, which is kept.
    fn call<T>(&self, call: impl FnOnce(Python<'_>, &Bound<'_, PyAny>) -> PyResult<T>) -> Option<T> {
        if self.trouble.stop.load(Ordering::Relaxed) {
            return None;
        }
        Python::attach(|py| call(py, self.bot.bind(py)).map_err(|error| self.trouble.note(error)).ok())
    }

    fn seen(&self, sight: &Sight<'_>, legal: Vec<ChoiceForm>) -> PySeen {
        let rules = self.rules.clone().unwrap_or_else(|| Arc::new(sight.rules().clone()));
        PySeen::new(sight, rules, legal)
    }

    /// Lets the bot choose by numbers.
    fn deliberate(&self, sight: &Sight<'_>, reacting: bool) -> Option<Option<Action>> {
        let encoding = Encoding::of(sight.rules().spec().edition);
        let begin = if reacting { Decision::react } else { Decision::main };
        let Some(mut decision) = begin(sight, encoding, Unos::Called) else { return Some(None) };
        self.call(|py, bot| {
            loop {
                let mut observation = vec![0; encoding.observation()];
                encoding.observe(sight, Some(&decision), &mut observation);
                let mut mask = vec![false; encoding.actions()];
                decision.legal().write(&mut mask);
                let arrays = (PyArray1::from_vec(py, observation), PyArray1::from_vec(py, mask));
                let id: i64 = bot.call_method1(intern!(py, "choose"), arrays)?.call_method0("__index__")?.extract()?;
                let id = u16::try_from(id).unwrap_or(u16::MAX);
                let progress = decision.choose(sight, encoding, id);
                match progress.map_err(|why| errors::environment(&why.into()))? {
                    Progress::More => {}
                    Progress::Act(action) => return Ok(Some(action)),
                    Progress::Pass => return Ok(None),
                }
            }
        })
    }

    fn act(&mut self, sight: &Sight<'_>) -> Option<Action> {
        if self.chooses {
            return self.deliberate(sight, false)?;
        }
        let seen = self.seen(sight, ChoiceForm::all(sight));
        self.call(|py, bot| {
            let answer = bot.call_method1(intern!(py, "act"), (seen,))?;
            let action = values::action(&answer, sight.rules().palette())?;
            sight.check(&action).map_err(|refusal| errors::refusal(&refusal))?;
            Ok(action)
        })
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        if self.chooses && !self.reacts {
            return self.deliberate(sight, true)?;
        }
        if !self.reacts {
            return self.autopilot.react(sight);
        }
        let seen = self.seen(sight, ChoiceForm::all(sight));
        self.call(|py, bot| {
            let answer = bot.call_method1(intern!(py, "react"), (seen,))?;
            if answer.is_none() {
                return Ok(None);
            }
            let action = values::action(&answer, sight.rules().palette())?;
            sight.check(&action).map_err(|refusal| errors::refusal(&refusal))?;
            Ok(Some(action))
        })?
    }
}

impl Bot for PlayerBot {
    fn begin(&mut self, sight: &Sight<'_>) {
        match self {
            PlayerBot::Named(bot) => bot.begin(sight),
            PlayerBot::Python(bot) => {
                if bot.rules.as_ref().is_none_or(|rules| rules.spec() != sight.rules().spec()) {
                    bot.rules = Some(Arc::new(sight.rules().clone()));
                }
                if bot.begins {
                    let seen = bot.seen(sight, Vec::new());
                    bot.call(|py, bot| bot.call_method1(intern!(py, "begin"), (seen,)).map(|_| ()));
                }
            }
        }
    }

    fn listens(&self) -> bool {
        match self {
            PlayerBot::Named(bot) => bot.listens(),
            PlayerBot::Python(bot) => bot.sees,
        }
    }

    fn see(&mut self, event: &SeenEvent) {
        match self {
            PlayerBot::Named(bot) => bot.see(event),
            PlayerBot::Python(bot) => {
                let Some(rules) = bot.rules.clone() else { return };
                bot.call(|py, bot| {
                    let event = values::to_python(py, &EventForm::new(event, &rules))?;
                    bot.call_method1(intern!(py, "see"), (event,)).map(|_| ())
                });
            }
        }
    }

    fn act(&mut self, sight: &Sight<'_>) -> Action {
        match self {
            PlayerBot::Named(bot) => bot.act(sight),
            PlayerBot::Python(bot) => bot.act(sight).unwrap_or_else(|| bot.autopilot.act(sight)),
        }
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        match self {
            PlayerBot::Named(bot) => bot.react(sight),
            PlayerBot::Python(bot) => bot.react(sight),
        }
    }

    fn stand_in(&self) -> Option<LevelBot> {
        match self {
            PlayerBot::Named(bot) => bot.stand_in(),
            PlayerBot::Python(_) => None,
        }
    }
}

/// A line-up of names (`"hard"`, `"random*3"`), bots and pairs of a name and a bot.
pub(crate) fn line_up(players: &Bound<'_, PyAny>, trouble: &Trouble) -> PyResult<LineUp<Player>> {
    let mut entries = Vec::new();
    for entry in players.try_iter()? {
        let entry = entry?;
        if let Ok(word) = entry.cast::<PyString>() {
            let named = LineUp::entries(&word.to_cow()?, External::TIMEOUT).map_err(bad_line_up)?;
            entries.extend(named.into_iter().map(|(name, entrant)| (name, Player::Named(entrant))));
            continue;
        }
        let (name, make) = match entry.cast::<PyTuple>() {
            Ok(pair) => pair.extract::<(String, Bound<'_, PyAny>)>()?,
            Err(_) => (bot_name(&entry)?, entry.clone()),
        };
        if let Ok(word) = make.cast::<PyString>() {
            let entrant = Entrant::parse(&word.to_cow()?, External::TIMEOUT).map_err(bad_line_up)?;
            entries.push((name, Player::Named(entrant)));
            continue;
        }
        let is_type = make.is_instance_of::<pyo3::types::PyType>();
        let is_factory = is_type || !(make.hasattr("act")? || make.hasattr("choose")?);
        if is_factory && !make.is_callable() {
            return Err(PyTypeError::new_err("a player is a name, a bot, or a class or function that makes bots"));
        }
        entries.push((name, Player::Python { make: make.unbind(), is_factory, trouble: trouble.clone() }));
    }
    LineUp::new(entries).map_err(bad_line_up)
}

fn bad_line_up(why: unum_lab::LineUpError) -> PyErr {
    errors::bad_request(why.to_string())
}

fn bot_name(bot: &Bound<'_, PyAny>) -> PyResult<String> {
    match bot.getattr("__name__") {
        Ok(name) => name.extract(),
        Err(_) => bot.get_type().name()?.extract(),
    }
}
