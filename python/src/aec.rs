//! The part of the PettingZoo environment that runs once per step: a loop in Python is slow enough.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use unum_lab::derive;
use unum_rules::Seat;

use crate::env::PyTable;
use crate::errors;

/// What `unum_game.pettingzoo.UnoEnv` is built on. While a round lasts, whose turn it is and what it sees come from here; what
/// happens once when it ends is in Python.
#[pyclass(name = "Aec", module = "unum_game", subclass)]
pub(crate) struct PyAec {
    table: Option<Py<PyTable>>,
    /// The names of the agents and their `infos`, by seat.
    agents: Vec<Py<PyAny>>,
    infos: Vec<Py<PyAny>>,
    /// Who decides; `None` when the round is over.
    seat: Option<Seat>,
    /// Whom the environment has selected after that.
    selected: Option<Py<PyAny>>,
    /// Whether Python wants to know of every step.
    shows: bool,
}

impl PyAec {
    fn table(&self) -> PyResult<&Py<PyTable>> {
        self.table.as_ref().ok_or_else(|| errors::bad_request("there is no table: `UnoEnv.__init__` makes it"))
    }
}

fn by_seat(list: &[Py<PyAny>], py: Python<'_>, seat: Seat) -> Py<PyAny> {
    list.get(usize::from(seat)).map_or_else(|| py.None(), |entry| entry.clone_ref(py))
}

#[pymethods]
impl PyAec {
    #[new]
    #[pyo3(signature = (*_args, **_options))]
    fn new(_args: &Bound<'_, PyTuple>, _options: Option<&Bound<'_, PyDict>>) -> PyAec {
        PyAec { table: None, agents: Vec::new(), infos: Vec::new(), seat: None, selected: None, shows: false }
    }

    /// The table. Setting it ends what is going on.
    #[getter(_table)]
    fn get_table(&self, py: Python<'_>) -> PyResult<Py<PyTable>> {
        Ok(self.table()?.clone_ref(py))
    }

    #[setter(_table)]
    fn set_table(&mut self, table: Py<PyTable>) {
        (self.table, self.seat) = (Some(table), None);
    }

    /// Who plays, and whether every step is shown.
    fn _invite(&mut self, agents: Vec<Py<PyAny>>, shows: bool) {
        (self.agents, self.shows) = (agents, shows);
    }

    /// Deals a round: that of this number after this seed. A dealer that is not given is drawn by lot.
    fn _deal(
        &mut self,
        py: Python<'_>,
        seed: u64,
        number: u64,
        dealer: Option<i64>,
        infos: Vec<Py<PyAny>>,
    ) -> PyResult<()> {
        let mut table = self.table()?.borrow_mut(py);
        let lot = derive(seed, &[number, 1]) % u64::from(table.players());
        table.reset(derive(seed, &[number]), dealer.unwrap_or(lot as i64))?;
        let seat = table.seat();
        drop(table);
        self.selected = self.agents.first().map(|agent| agent.clone_ref(py));
        (self.seat, self.infos) = (seat, infos);
        Ok(())
    }

    /// Who decides.
    #[getter]
    fn get_agent_selection(&self, py: Python<'_>) -> Py<PyAny> {
        match self.seat {
            Some(seat) => by_seat(&self.agents, py, seat),
            None => self.selected.as_ref().map_or_else(|| py.None(), |agent| agent.clone_ref(py)),
        }
    }

    #[setter]
    fn set_agent_selection(&mut self, agent: Py<PyAny>) {
        self.selected = Some(agent);
    }

    /// What the agent that decides has to know: what it sees, what it got, whether its round is over.
    #[pyo3(signature = (observe=true))]
    fn last<'py>(slf: &Bound<'py, PyAec>, observe: bool) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let aec = slf.borrow();
        let Some(seat) = aec.seat else {
            drop(aec);
            return slf.call_method1(pyo3::intern!(py, "_last_of_all"), (observe,));
        };
        let seen = if observe { Some(aec.table()?.borrow(py).look_from(py, seat)?) } else { None };
        let told = (seen, 0.0, false, false, by_seat(&aec.infos, py, seat));
        told.into_pyobject(py).map(Bound::into_any)
    }

    /// Makes a choice for the agent that decides.
    fn step(slf: &Bound<'_, PyAec>, action: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = slf.py();
        let mut aec = slf.borrow_mut();
        if aec.seat.is_none() {
            drop(aec);
            slf.call_method1(pyo3::intern!(py, "_step_of_the_dead"), (action,))?;
            return Ok(());
        }
        let action: i64 = action.extract()?;
        let seat = aec.table()?.borrow_mut(py).step(action)?;
        if seat.is_none() {
            aec.selected = Some(aec.get_agent_selection(py));
        }
        aec.seat = seat;
        let shows = aec.shows;
        drop(aec);
        if seat.is_none() {
            slf.call_method0(pyo3::intern!(py, "_settle"))?;
        } else if shows {
            slf.call_method0(pyo3::intern!(py, "render"))?;
        }
        Ok(())
    }

    /// The agents that decide, one after the other, until all are done.
    #[pyo3(signature = (max_iter=u64::MAX))]
    fn agent_iter(slf: Py<PyAec>, max_iter: u64) -> PyAgents {
        PyAgents { env: slf, left: max_iter }
    }

    /// The same moment, for a copy of the environment.
    fn _resume(&mut self, py: Python<'_>, other: &Bound<'_, PyAec>, infos: Vec<Py<PyAny>>) -> PyResult<()> {
        let other = other.borrow();
        self.infos = infos;
        self.table = Some(Py::new(py, other.table()?.borrow(py).clone())?);
        self.agents = other.agents.iter().map(|agent| agent.clone_ref(py)).collect();
        self.selected = other.selected.as_ref().map(|agent| agent.clone_ref(py));
        (self.seat, self.shows) = (other.seat, other.shows);
        Ok(())
    }
}

/// Yields the agent that decides.
#[pyclass(name = "Agents", module = "unum_game")]
pub(crate) struct PyAgents {
    env: Py<PyAec>,
    left: u64,
}

#[pymethods]
impl PyAgents {
    fn __iter__(slf: PyRef<'_, PyAgents>) -> PyRef<'_, PyAgents> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let env = self.env.bind(py);
        let aec = env.borrow();
        if aec.seat.is_none() {
            drop(aec);
            let is_over = !env.getattr(pyo3::intern!(py, "agents"))?.is_truthy()?;
            return Ok((!is_over).then(|| env.borrow().get_agent_selection(py)));
        }
        Ok(Some(aec.get_agent_selection(py)))
    }
}
