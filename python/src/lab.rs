//! Arenas and simulations: whole, in parts for other processes and machines, and put together again.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use serde::Serialize;
use serde::de::DeserializeOwned;
use unum_bots::{Budget, Level};
use unum_lab::{
    Adjustment, Arena, ArenaSums, Crew, Entrant, EntryError, MergeError, Part, Question, Simulation, SimulationResult,
    SimulationSums, Thinker, Unit,
};
use unum_rules::RulesSpec;

use crate::env::cores;
use crate::players::{Player, Trouble, line_up};
use crate::rules::PyRules;
use crate::{errors, values};

/// Runs something long without the interpreter's lock. Ctrl-C ends it, as does an exception of a bot.
fn run<T: Send>(
    py: Python<'_>,
    threads: Option<usize>,
    trouble: &Trouble,
    work: impl FnOnce(&mut Crew<'_>) -> Result<T, EntryError> + Send,
) -> PyResult<T> {
    let threads = threads.unwrap_or_else(cores).clamp(1, 1024);
    let done = py.detach(|| {
        let stop = trouble.stop.clone();
        let mut progress = |_: u64| {
            if let Err(interrupt) = Python::attach(|py| py.check_signals()) {
                trouble.note(interrupt);
            }
        };
        work(&mut Crew { threads, stop: &stop, progress: &mut progress })
    });
    match trouble.take() {
        Some(error) => Err(error),
        None => done.map_err(|why| errors::bad_request(why.to_string())),
    }
}

/// One of several parts, by its number and how many there are.
fn part_of((number, of): (u64, u64)) -> PyResult<Part> {
    let part = Part { number, of };
    let wrong = || format!("there is no part {part}: the first of 16 is (1, 16), and there are {} at most", Part::MOST);
    if part.is_valid() { Ok(part) } else { Err(errors::bad_request(wrong())) }
}

/// The sums of a part as text.
fn write_sums<'py>(py: Python<'py>, sums: Option<impl Serialize>) -> PyResult<Bound<'py, PyAny>> {
    let sums = sums.ok_or_else(|| errors::bad_request("the part was stopped before it was finished"))?;
    let text = serde_json::to_string(&sums).map_err(|why| errors::bad_request(why.to_string()))?;
    Ok(PyString::new(py, &text).into_any())
}

/// The sums of all parts, from their texts.
fn read_sums<Sums: DeserializeOwned>(texts: &[String]) -> PyResult<Vec<Sums>> {
    let read = |(number, text): (usize, &String)| {
        let wrong = |why| errors::bad_request(format!("part {number} cannot be read: {why}"));
        serde_json::from_str(text).map_err(wrong)
    };
    (1..).zip(texts).map(read).collect()
}

fn bad_merge(why: MergeError) -> PyErr {
    errors::bad_request(why.to_string())
}

/// Lets players play each other on duplicate deals; docs/laboratory.md explains the figures. With `part` it plays a part
/// and returns its sums as text; with `sums`, the texts of all parts in order, it plays nothing and returns the result of the
/// whole.
#[pyfunction]
#[pyo3(signature = (
    players, rules=None, *, deals=10_000, matches=false, seed=1, threads=None, margin=None, adjust_luck=false,
    part=None, sums=None
))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn arena<'py>(
    py: Python<'py>,
    players: &Bound<'py, PyAny>,
    rules: Option<&Bound<'py, PyAny>>,
    deals: u64,
    matches: bool,
    seed: u64,
    threads: Option<usize>,
    margin: Option<f64>,
    adjust_luck: bool,
    part: Option<(u64, u64)>,
    sums: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyAny>> {
    let trouble = Trouble::default();
    let (rules, line_up) = (PyRules::from_any(rules)?, line_up(players, &trouble)?);
    if deals == 0 {
        return Err(errors::bad_request("`deals` is at least 1"));
    }
    if margin.is_some_and(|margin| !(margin > 0.0 && margin < 50.0)) {
        return Err(errors::bad_request("`margin` is above 0 and below 50 percentage points"));
    }
    let in_python = line_up.sides().iter().any(|side| !is_level(&side.contestant));
    if adjust_luck && (matches || in_python) {
        return Err(errors::bad_request("`adjust_luck` works on rounds of bots that can be cloned: the levels"));
    }
    if (part.is_some() || sums.is_some()) && (margin.is_some() || adjust_luck) {
        let why = "`margin` and `adjust_luck` look at all deals before, which a part does not know: leave them out";
        return Err(errors::bad_request(why));
    }
    let expert = line_up.sides().iter().find_map(|side| expert_budget(&side.contestant));
    let arena = Arena {
        rules: &rules,
        line_up: &line_up,
        unit: unit(matches),
        deals,
        seed,
        question: margin.map(|margin| Question { margin: margin / 100.0 }),
        adjustment: adjust_luck.then(|| Adjustment::usual(line_up.players(), expert)),
        recorded: false,
    };
    arena.check().map_err(|why| errors::rules(&why))?;
    if let Some(part) = part.map(part_of).transpose()? {
        let run_part =
            |crew: &mut Crew<'_>| arena.run_part(part, None, crew).map_err(|why| EntryError(why.to_string()));
        return write_sums(py, run(py, threads, &trouble, run_part)?);
    }
    let result = match sums {
        Some(sums) => arena.result_of(&ArenaSums::merge(&arena, &read_sums::<ArenaSums>(&sums)?).map_err(bad_merge)?),
        None => run(py, threads, &trouble, |crew| arena.run(crew))?,
    };
    let dict = values::to_python(py, &result)?;
    describe(&dict, rules.spec(), line_up.players(), arena.unit, seed)?;
    Ok(dict)
}

fn is_level(player: &Player) -> bool {
    matches!(player, Player::Named(Entrant::Level(_)))
}

fn expert_budget(player: &Player) -> Option<Budget> {
    match player {
        Player::Named(Entrant::Level(Thinker { level: Level::Expert, budget })) => Some(*budget),
        _ => None,
    }
}

fn unit(matches: bool) -> Unit {
    if matches { Unit::Match } else { Unit::Round }
}

/// What was played, in addition to the result.
fn describe(dict: &Bound<'_, PyAny>, rules: &RulesSpec, players: u8, unit: Unit, seed: u64) -> PyResult<()> {
    let py = dict.py();
    let dict = dict.cast::<PyDict>().map_err(PyErr::from)?;
    dict.set_item("version", env!("CARGO_PKG_VERSION"))?;
    dict.set_item("rules", values::to_python(py, rules)?)?;
    dict.set_item("players", players)?;
    dict.set_item("unit", values::to_python(py, &unit)?)?;
    dict.set_item("seed", seed)
}

/// Plays rounds or matches by the million; docs/laboratory.md explains the figures. `compare` are other rules on the same
/// deals. `records` is a file for a record of every game, one a line. `part` and
/// `sums` are as in `arena`.
#[pyfunction]
#[pyo3(signature = (
    players, rules=None, *, games=100_000, matches=false, seed=1, threads=None, compare=None, records=None, part=None,
    sums=None
))]
#[allow(clippy::too_many_arguments)]
pub(crate) fn simulate<'py>(
    py: Python<'py>,
    players: &Bound<'py, PyAny>,
    rules: Option<&Bound<'py, PyAny>>,
    games: u64,
    matches: bool,
    seed: u64,
    threads: Option<usize>,
    compare: Option<Vec<Bound<'py, PyAny>>>,
    records: Option<PathBuf>,
    part: Option<(u64, u64)>,
    sums: Option<Vec<String>>,
) -> PyResult<Bound<'py, PyAny>> {
    let trouble = Trouble::default();
    let line_up = line_up(players, &trouble)?;
    if games == 0 {
        return Err(errors::bad_request("`games` is at least 1"));
    }
    let mut all = vec![PyRules::from_any(rules)?];
    for other in compare.unwrap_or_default() {
        all.push(PyRules::from_any(Some(&other))?);
    }
    let simulation = Simulation {
        rules: &all,
        line_up: &line_up,
        unit: unit(matches),
        games,
        seed,
        adjustment: None,
        recorded: records.is_some(),
    };
    simulation.check().map_err(|why| errors::rules(&why))?;
    let part = part.map(part_of).transpose()?;
    if let Some(texts) = sums {
        let sums = SimulationSums::merge(&simulation, &read_sums::<SimulationSums>(&texts)?).map_err(bad_merge)?;
        return told(py, &simulation, &simulation.result_of(&sums));
    }
    let mut file = records.map(File::create).transpose()?.map(BufWriter::new);
    let played = run(py, threads, &trouble, |crew| {
        let sink = file.as_mut().map(|file| file as &mut dyn Write);
        let played = match part {
            Some(part) => simulation.run_part(part, sink, crew).map(Played::Part),
            None => simulation.run_recorded(sink, crew).map(|result| Played::Whole(Box::new(result))),
        };
        played.map_err(|why| EntryError(why.to_string()))
    })?;
    file.map_or(Ok(()), |mut file| file.flush())?;
    match played {
        Played::Part(sums) => write_sums(py, sums),
        Played::Whole(result) => told(py, &simulation, &result),
    }
}

/// What was played of a simulation.
enum Played {
    Part(Option<SimulationSums>),
    Whole(Box<SimulationResult>),
}

/// The result of a whole simulation, with what was played.
fn told<'py>(
    py: Python<'py>,
    simulation: &Simulation<'_, Player>,
    result: &SimulationResult,
) -> PyResult<Bound<'py, PyAny>> {
    let dict = values::to_python(py, result)?;
    let Simulation { rules, line_up, unit, seed, .. } = simulation;
    describe(&dict, rules[0].spec(), line_up.players(), *unit, *seed)?;
    Ok(dict)
}
