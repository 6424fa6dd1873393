//! Learning environments: one table, or thousands at once.

use numpy::{PyArray1, PyReadonlyArray1, PyReadwriteArray1, PyReadwriteArrayDyn};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use unum_env::{Buffers, Encoding, Explicit, MAX_IDS, Payoff, Section, Setting, Stage, Table, Unos, Vector};
use unum_lab::{Entrant, External, Thinker};
use unum_rules::{Edition, Hand, Seat, View, Viewer};

use crate::rules::PyRules;
use crate::{errors, values};

/// What the numbers of actions and observations mean in one edition: docs/encoding.md.
#[pyclass(name = "Encoding", module = "unum_game", frozen)]
pub(crate) struct PyEncoding {
    encoding: &'static Encoding,
}

#[pymethods]
impl PyEncoding {
    #[new]
    #[pyo3(signature = (edition="original"))]
    fn new(edition: &str) -> PyResult<PyEncoding> {
        let found = Edition::parse(edition);
        let found = found.ok_or_else(|| errors::bad_request(format!("there is no edition {edition:?}")))?;
        Ok(PyEncoding { encoding: Encoding::of(found) })
    }

    /// For copies, and for other processes.
    fn __reduce__(slf: &Bound<'_, Self>) -> (Py<PyAny>, (&'static str,)) {
        (slf.get_type().into_any().unbind(), (slf.get().encoding.edition().id(),))
    }

    /// The version of the encoding.
    #[getter]
    fn version(&self) -> u32 {
        unum_env::ENCODING_VERSION
    }

    /// The edition.
    #[getter]
    fn edition(&self) -> &'static str {
        self.encoding.edition().id()
    }

    /// How many actions there are.
    #[getter]
    fn actions(&self) -> usize {
        self.encoding.actions()
    }

    /// How many numbers an observation has.
    #[getter]
    fn observation(&self) -> usize {
        self.encoding.observation()
    }

    /// Every action in words, by id.
    #[getter]
    fn names(&self) -> Vec<String> {
        (0..self.encoding.actions() as u16).filter_map(|id| self.encoding.name(id)).collect()
    }

    /// The kinds of card, in the order in which observations list them.
    #[getter]
    fn cards(&self) -> Vec<&'static str> {
        let palette = unum_rules::Rules::of(self.encoding.edition()).palette();
        self.encoding.kinds().iter().map(|card| card.name(palette).as_str()).collect()
    }

    /// The actions, section by section: name → (first id, how many).
    #[getter]
    fn action_sections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        sections(py, self.encoding.action_sections())
    }

    /// The observation, section by section: name → (first place, how many).
    #[getter]
    fn observation_sections<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        sections(py, self.encoding.observation_sections())
    }

    /// The largest value of every place of an observation, to divide by.
    #[getter]
    fn high<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let sections = self.encoding.observation_sections();
        let high = sections.iter().flat_map(|section| std::iter::repeat_n(section.high, usize::from(section.len)));
        PyArray1::from_iter(py, high)
    }
}

fn sections<'py>(py: Python<'py>, sections: &[Section]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for section in sections {
        dict.set_item(section.name, (section.start, section.len))?;
    }
    Ok(dict)
}

pub(crate) fn payoff(name: &str) -> PyResult<Payoff> {
    match name {
        "win" => Ok(Payoff::Win),
        "points" => Ok(Payoff::Points),
        other => Err(errors::bad_request(format!("`payoff` is \"win\" or \"points\", not {other:?}"))),
    }
}

fn setting(
    rules: Option<&Bound<'_, PyAny>>,
    players: i64,
    bots: Option<Vec<Option<String>>>,
    uno: &str,
) -> PyResult<Setting> {
    let unos = match uno {
        "called" => Unos::Called,
        "chosen" => Unos::Chosen,
        other => return Err(errors::bad_request(format!("`uno` is \"called\" or \"chosen\", not {other:?}"))),
    };
    // More than any table has: the rules say so in words.
    let players = u8::try_from(players).unwrap_or(u8::MAX);
    let setting = Setting::new(PyRules::from_any(rules)?, players, unos).map_err(|why| errors::environment(&why))?;
    let names = bots.unwrap_or_default();
    let bots = names.iter().map(|name| name.as_deref().map(thinker).transpose()).collect::<PyResult<Vec<_>>>()?;
    setting.with_bots(bots).map_err(|why| errors::environment(&why))
}

/// A bot of a level, with its budget: `hard`, `expert:500w`.
pub(crate) fn thinker(name: &str) -> PyResult<Thinker> {
    match Entrant::parse(name, External::TIMEOUT) {
        Ok(Entrant::Level(thinker)) => Ok(thinker),
        Ok(Entrant::Program { .. }) => Err(errors::bad_request("programs play in arenas, not in environments")),
        Err(why) => Err(errors::bad_request(why.to_string())),
    }
}

fn stage_name(stage: Stage) -> &'static str {
    match stage {
        Stage::Turn => "turn",
        Stage::Drawn => "drawn",
        Stage::CallColor => "call_color",
        Stage::Respond => "respond",
        Stage::Discard => "discard",
        Stage::Vote => "vote",
        Stage::Dare => "dare",
        Stage::React => "react",
        Stage::Along => "along",
        Stage::Swap => "swap",
        Stage::Say => "say",
    }
}

/// One round as a sequence of numbered decisions.
#[pyclass(name = "Table", module = "unum_game", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct PyTable {
    setting: Setting,
    table: Table,
}

#[pymethods]
impl PyTable {
    #[new]
    #[pyo3(signature = (rules=None, players=4, *, bots=None, uno="called", seed=0, dealer=0))]
    fn new(
        rules: Option<&Bound<'_, PyAny>>,
        players: i64,
        bots: Option<Vec<Option<String>>>,
        uno: &str,
        seed: u64,
        dealer: i64,
    ) -> PyResult<PyTable> {
        let setting = setting(rules, players, bots, uno)?;
        let dealer = values::seat(dealer, setting.players())?;
        let table = setting.deal(seed, dealer);
        Ok(PyTable { setting, table })
    }

    /// Deals a new round. The same seed and dealer give the same round.
    #[pyo3(signature = (seed, dealer=0))]
    pub(crate) fn reset(&mut self, seed: u64, dealer: i64) -> PyResult<()> {
        let dealer = values::seat(dealer, self.setting.players())?;
        self.table = self.setting.deal(seed, dealer);
        Ok(())
    }

    /// Makes a choice for the seat that decides; who decides next, or `None` if the round is over.
    pub(crate) fn step(&mut self, action: i64) -> PyResult<Option<Seat>> {
        // No table has an id this large.
        let id = u16::try_from(action).unwrap_or(u16::MAX);
        self.table.step(&self.setting, id).map_err(|why| errors::environment(&why))?;
        Ok(self.table.seat())
    }

    /// Who decides; `None` when the round is over.
    #[getter]
    pub(crate) fn seat(&self) -> Option<Seat> {
        self.table.seat()
    }

    /// What is being decided: `turn`, `respond`, `swap` and so on; `None` when the round is over.
    #[getter]
    fn stage(&self) -> Option<&'static str> {
        self.table.decision().map(|decision| stage_name(decision.stage()))
    }

    /// How many play.
    #[getter]
    pub(crate) fn players(&self) -> u8 {
        self.setting.players()
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules { rules: self.setting.rules().clone() }
    }

    /// The ids that can be chosen.
    fn legal(&self) -> Vec<u16> {
        self.table.legal().iter().collect()
    }

    /// Writes the mask of legal actions into an array of booleans.
    fn write_mask(&self, mut out: PyReadwriteArray1<'_, bool>) -> PyResult<()> {
        let out = out.as_slice_mut().map_err(|why| errors::bad_request(why.to_string()))?;
        check_size("mask", out.len(), self.setting.encoding().actions())?;
        self.table.legal().write(out);
        Ok(())
    }

    /// Writes what a seat may know into an array of bytes.
    fn write_observation(&self, seat: i64, mut out: PyReadwriteArray1<'_, u8>) -> PyResult<()> {
        let seat = values::seat(seat, self.setting.players())?;
        let out = out.as_slice_mut().map_err(|why| errors::bad_request(why.to_string()))?;
        check_size("observation", out.len(), self.setting.encoding().observation())?;
        self.table.observe(&self.setting, seat, out);
        Ok(())
    }

    /// What a seat may know, as a new array.
    fn observe<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = values::seat(seat, self.setting.players())?;
        let mut out = vec![0; self.setting.encoding().observation()];
        self.table.observe(&self.setting, seat, &mut out);
        Ok(PyArray1::from_vec(py, out))
    }

    /// The mask of legal actions, as a new array.
    fn mask<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<bool>> {
        let mut out = vec![false; self.setting.encoding().actions()];
        self.table.legal().write(&mut out);
        PyArray1::from_vec(py, out)
    }

    /// Both as PettingZoo wants them, in new arrays: `{"observation": bytes, "action_mask": 0 or 1 per id}`, all 0 for a seat
    /// that does not decide.
    fn look<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyDict>> {
        self.look_from(py, values::seat(seat, self.setting.players())?)
    }

    /// What everybody gets at the end of the round, by seat.
    #[pyo3(signature = (payoff="win"))]
    fn rewards(&self, payoff: &str) -> PyResult<Vec<f32>> {
        let mut rewards = vec![0.0; usize::from(self.setting.players())];
        self.table.pay(&self.setting, self::payoff(payoff)?, &mut rewards);
        Ok(rewards)
    }

    /// Who has won; `None` before the end, and if nobody has.
    #[getter]
    fn winner(&self) -> Option<Seat> {
        self.table.winner()
    }

    /// How many actions of the rules were carried out.
    #[getter]
    fn actions(&self) -> u32 {
        self.table.actions()
    }

    /// What a seat may know, in words; `None` for a spectator.
    fn view<'py>(&self, py: Python<'py>, seat: Option<i64>) -> PyResult<Bound<'py, PyAny>> {
        let viewer: Viewer = values::viewer(seat, self.setting.players())?;
        values::view(py, &View::of_round(self.table.round(), viewer), self.setting.rules())
    }

    /// All hands, hidden ones included: for debugging and for algorithms with perfect information.
    fn hands<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let palette = self.setting.rules().palette();
        let names = |hand: &Hand| hand.iter().map(|card| card.name(palette).as_str()).collect::<Vec<_>>();
        PyList::new(py, self.table.round().hands().iter().map(names).collect::<Vec<_>>())
    }

    /// A copy that goes on by itself, with the same coming shuffles.
    fn copy(&self) -> PyTable {
        self.clone()
    }

    fn __copy__(&self) -> PyTable {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> PyTable {
        self.clone()
    }
}

/// No encoding has more numbers in an observation.
const MOST_PLACES: usize = 1024;

fn too_large() -> PyErr {
    errors::bad_request(format!("an observation has at most {MOST_PLACES} numbers"))
}

impl PyTable {
    /// What `look` gives, for a seat that is there.
    pub(crate) fn look_from<'py>(&self, py: Python<'py>, seat: Seat) -> PyResult<Bound<'py, PyDict>> {
        let encoding = self.setting.encoding();
        // Written here and copied: asking whether an array may be written costs more than copying it.
        let mut places = [0u8; MOST_PLACES];
        let observation = places.get_mut(..encoding.observation()).ok_or_else(too_large)?;
        self.table.observe(&self.setting, seat, observation);
        let mut flags = [0i8; MAX_IDS];
        let mask = flags.get_mut(..encoding.actions()).ok_or_else(too_large)?;
        if self.table.seat() == Some(seat) {
            self.table.legal().iter().for_each(|id| mask[usize::from(id)] = 1);
        }
        let dict = PyDict::new(py);
        dict.set_item(intern!(py, "observation"), PyArray1::from_slice(py, observation))?;
        dict.set_item(intern!(py, "action_mask"), PyArray1::from_slice(py, mask))?;
        Ok(dict)
    }
}

/// One round in which every random event is chosen by the caller: chance as a player.
#[pyclass(name = "Explicit", module = "unum_game", skip_from_py_object)]
#[derive(Clone)]
pub(crate) struct PyExplicit {
    setting: Setting,
    round: Explicit,
}

#[pymethods]
impl PyExplicit {
    #[new]
    #[pyo3(signature = (rules=None, players=2, *, uno="called", dealer=0))]
    fn new(rules: Option<&Bound<'_, PyAny>>, players: i64, uno: &str, dealer: i64) -> PyResult<PyExplicit> {
        let setting = setting(rules, players, None, uno)?;
        let dealer = values::seat(dealer, setting.players())?;
        let round = Explicit::new(&setting, dealer).map_err(|why| errors::environment(&why))?;
        Ok(PyExplicit { setting, round })
    }

    /// The outcomes of the random event that comes next, with their probabilities; empty if a seat decides or the round is
    /// over. Where cards are shuffled, an outcome is the kind of the next card.
    fn chance_outcomes(&self) -> Vec<(u16, f64)> {
        let outcomes = self.round.outcomes();
        let all: u32 = outcomes.iter().map(|(_, ways)| ways).sum();
        outcomes.iter().map(|(outcome, ways)| (*outcome, f64::from(*ways) / f64::from(all))).collect()
    }

    /// Lets chance decide.
    fn happen(&mut self, outcome: u16) -> PyResult<()> {
        self.round.happen(&self.setting, outcome).map_err(|why| errors::environment(&why))
    }

    /// Makes a choice for the seat that decides.
    fn step(&mut self, action: i64) -> PyResult<()> {
        let id = u16::try_from(action).unwrap_or(u16::MAX);
        self.round.step(&self.setting, id).map_err(|why| errors::environment(&why))
    }

    /// Who decides; `None` while chance does, and when the round is over.
    #[getter]
    fn seat(&self) -> Option<Seat> {
        self.round.table().and_then(Table::seat)
    }

    /// Whether the round is over.
    #[getter]
    fn over(&self) -> bool {
        self.round.table().is_some_and(|table| table.seat().is_none())
    }

    /// The ids that can be chosen.
    fn legal(&self) -> Vec<u16> {
        self.round.table().map(|table| table.legal().iter().collect()).unwrap_or_default()
    }

    /// What a seat may know; zeros while chance decides.
    fn observe<'py>(&self, py: Python<'py>, seat: i64) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let seat = values::seat(seat, self.setting.players())?;
        let mut out = vec![0; self.setting.encoding().observation()];
        if let Some(table) = self.round.table() {
            table.observe(&self.setting, seat, &mut out);
        }
        Ok(PyArray1::from_vec(py, out))
    }

    /// What everybody gets at the end of the round, by seat; zeros before.
    #[pyo3(signature = (payoff="win"))]
    fn rewards(&self, payoff: &str) -> PyResult<Vec<f32>> {
        let mut rewards = vec![0.0; usize::from(self.setting.players())];
        self.round.pay(&self.setting, self::payoff(payoff)?, &mut rewards);
        Ok(rewards)
    }

    /// A copy.
    fn copy(&self) -> PyExplicit {
        self.clone()
    }

    fn __copy__(&self) -> PyExplicit {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> PyExplicit {
        self.clone()
    }
}

fn check_size(name: &str, given: usize, wanted: usize) -> PyResult<()> {
    if given == wanted {
        return Ok(());
    }
    Err(errors::bad_request(format!("`{name}` has {given} entries, not {wanted}")))
}

/// The most tables at once.
const MAX_TABLES: usize = 1 << 20;

/// Many rounds side by side, written into arrays of the caller.
#[pyclass(name = "Vector", module = "unum_game")]
pub(crate) struct PyVector {
    vector: Vector,
}

#[pymethods]
impl PyVector {
    #[new]
    #[pyo3(signature = (rules, players, tables, *, bots=None, uno="called", payoff="win", threads=None))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        rules: Option<&Bound<'_, PyAny>>,
        players: i64,
        tables: usize,
        bots: Option<Vec<Option<String>>>,
        uno: &str,
        payoff: &str,
        threads: Option<usize>,
    ) -> PyResult<PyVector> {
        if !(1..=MAX_TABLES).contains(&tables) {
            return Err(errors::bad_request(format!("`tables` goes from 1 to {MAX_TABLES}, not {tables}")));
        }
        let setting = setting(rules, players, bots, uno)?;
        let payoff = self::payoff(payoff)?;
        let threads = threads.unwrap_or_else(cores).clamp(1, 1024);
        Ok(PyVector { vector: py.detach(|| Vector::new(setting, payoff, tables, 0, threads)) })
    }

    /// Deals all rounds again with this seed.
    #[allow(clippy::too_many_arguments)]
    fn reset(
        &mut self,
        py: Python<'_>,
        seed: u64,
        observations: PyReadwriteArrayDyn<'_, u8>,
        masks: PyReadwriteArrayDyn<'_, bool>,
        rewards: PyReadwriteArrayDyn<'_, f32>,
        seats: PyReadwriteArrayDyn<'_, u8>,
        dones: PyReadwriteArrayDyn<'_, bool>,
    ) -> PyResult<()> {
        let mut arrays = Arrays { observations, masks, rewards, seats, dones };
        let buffers = arrays.buffers()?;
        let vector = &mut self.vector;
        py.detach(|| vector.reset(seed, buffers)).map_err(|why| errors::step(&why))
    }

    /// Makes one choice at every table, on all threads and without the interpreter's lock.
    #[allow(clippy::too_many_arguments)]
    fn step(
        &mut self,
        py: Python<'_>,
        actions: PyReadonlyArray1<'_, i64>,
        observations: PyReadwriteArrayDyn<'_, u8>,
        masks: PyReadwriteArrayDyn<'_, bool>,
        rewards: PyReadwriteArrayDyn<'_, f32>,
        seats: PyReadwriteArrayDyn<'_, u8>,
        dones: PyReadwriteArrayDyn<'_, bool>,
    ) -> PyResult<()> {
        let actions = actions.as_slice().map_err(|why| errors::bad_request(why.to_string()))?;
        let mut arrays = Arrays { observations, masks, rewards, seats, dones };
        let buffers = arrays.buffers()?;
        let vector = &mut self.vector;
        py.detach(|| vector.step(actions, buffers)).map_err(|why| errors::step(&why))
    }

    /// Writes a random legal action for every table.
    fn sample(&mut self, py: Python<'_>, mut actions: PyReadwriteArray1<'_, i64>) -> PyResult<()> {
        let actions = actions.as_slice_mut().map_err(|why| errors::bad_request(why.to_string()))?;
        let vector = &mut self.vector;
        py.detach(|| vector.sample(actions)).map_err(|why| errors::step(&why))
    }
}

/// How many threads there are by default.
pub(crate) fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The arrays of a step, borrowed for as long as it takes.
struct Arrays<'py> {
    observations: PyReadwriteArrayDyn<'py, u8>,
    masks: PyReadwriteArrayDyn<'py, bool>,
    rewards: PyReadwriteArrayDyn<'py, f32>,
    seats: PyReadwriteArrayDyn<'py, u8>,
    dones: PyReadwriteArrayDyn<'py, bool>,
}

impl Arrays<'_> {
    fn buffers(&mut self) -> PyResult<Buffers<'_>> {
        let scattered = |why: numpy::AsSliceError| errors::bad_request(why.to_string());
        Ok(Buffers {
            observations: self.observations.as_slice_mut().map_err(scattered)?,
            masks: self.masks.as_slice_mut().map_err(scattered)?,
            rewards: self.rewards.as_slice_mut().map_err(scattered)?,
            seats: self.seats.as_slice_mut().map_err(scattered)?,
            dones: self.dones.as_slice_mut().map_err(scattered)?,
        })
    }
}
