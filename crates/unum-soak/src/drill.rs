//! Restore drills: backups of a server at random moments under load, each restored and compared with what the server had
//! acknowledged before the backup began, and with what it did in the end.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow, ensure};
use tempfile::TempDir;
use unum_protocol::Level;
use unum_rules::{Chance as _, Seeded};
use unum_scratch::{Care, Scratch};
use unum_store::{DatabaseAddress, Store};

use crate::crash::wait_for_progress;
use crate::crowd::{Crowd, Gathering, gather};
use crate::process::{ServerProcess, raise_file_limit, without_limits};
use crate::promises::{self, Verdict};

/// What to run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program `unum`.
    pub unum: PathBuf,
    /// How many backups are made and restored.
    pub drills: u32,
    /// How many tables are played at meanwhile, with two people and two bots each.
    pub tables: usize,
    /// What decides the moments.
    pub seed: u64,
    /// Whether everything is kept in PostgreSQL instead of folders.
    pub postgres: bool,
}

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Changes that had been acknowledged when the backups began, added up over all tables and drills.
    pub acknowledged: u64,
    /// Those of them that a restored database does not have.
    pub missing: u64,
    /// Entries of restored journals, all of them compared with the server's own.
    pub entries: u64,
    /// How long the slowest backup took.
    pub slowest: Duration,
    /// What the server itself had kept in the end.
    pub verdict: Verdict,
}

/// Runs it and prints what was found.
///
/// # Errors
/// When something cannot be started, or a restored database lacks something.
pub async fn run(plan: &Plan) -> anyhow::Result<()> {
    let Outcome { acknowledged, missing, entries, slowest, verdict } = drill(plan).await?;
    println!("drills          {}, with {} tables of two people and two bots", plan.drills, plan.tables);
    println!("acknowledged    {acknowledged} changes before the backups began: {missing} missing");
    println!("restored        {entries} entries, all of them the server's; `unum check` found no damage");
    println!("backups         at most {:.2} s", slowest.as_secs_f64());
    println!(
        "meanwhile       {} requests acknowledged: {} lost, {} doubled",
        verdict.acknowledged, verdict.lost, verdict.doubled
    );
    Ok(())
}

/// Where databases are made.
enum Ground {
    Folders,
    Postgres(Scratch),
}

impl Ground {
    fn new(plan: &Plan) -> anyhow::Result<Ground> {
        match plan.postgres {
            false => Ok(Ground::Folders),
            true => Ok(Ground::Postgres(Scratch::start(Care::None).map_err(|why| anyhow!(why))?)),
        }
    }

    /// A place for another database, which has nothing in it.
    fn place(&self, name: &str) -> anyhow::Result<Place> {
        match self {
            Ground::Folders => Ok(Place::Folder(TempDir::new()?)),
            Ground::Postgres(server) => {
                server.sql(&format!("CREATE SCHEMA {name}")).map_err(|why| anyhow!(why))?;
                Ok(Place::Schema(server.address(name)))
            }
        }
    }
}

/// Where a database is.
enum Place {
    Folder(TempDir),
    Schema(String),
}

impl Place {
    /// How commands are told.
    fn flags(&self) -> [String; 2] {
        match self {
            Place::Folder(folder) => ["--data".to_owned(), folder.path().display().to_string()],
            Place::Schema(address) => ["--database".to_owned(), address.clone()],
        }
    }

    fn open(&self) -> anyhow::Result<Store> {
        Ok(match self {
            Place::Folder(folder) => Store::open_with(folder.path(), promises::keeping())?,
            Place::Schema(address) => {
                let address: DatabaseAddress = address.parse().map_err(|why: String| anyhow!(why))?;
                Store::connect(&address, promises::keeping())?
            }
        })
    }
}

/// A restored database, and the last change of every table that had been acknowledged when its backup began.
struct Restored {
    place: Place,
    before: Vec<(String, u64)>,
}

/// Makes backups while people play, restores and compares them.
///
/// # Errors
/// When something cannot be started, or a restored database lacks something.
pub async fn drill(plan: &Plan) -> anyhow::Result<Outcome> {
    let gathering =
        Gathering { tables: plan.tables, people: 2, bots: 2, think: Duration::ZERO, notes: true, level: Level::Normal };
    raise_file_limit(plan.tables as u64 * 6 + 500)?;
    let (ground, files) = (Ground::new(plan)?, TempDir::new()?);
    let live = ground.place("live")?;
    let mut flags = without_limits();
    flags.push("--keep-journals".to_owned());
    if let Place::Schema(_) = &live {
        flags.extend(live.flags());
    }
    let data = match &live {
        Place::Folder(folder) => folder.path(),
        Place::Schema(_) => files.path(),
    };
    let mut process = ServerProcess::start_with(&plan.unum, data, flags).await?;
    let tables = gather(process.server(), gathering).await?;
    let mut crowd = Crowd::begin(&tables, gathering).await?;
    let mut chance = Seeded::new(plan.seed);
    let (mut outcome, mut restored) = (Outcome::default(), Vec::new());
    for number in 0..plan.drills {
        wait_for_progress(&mut crowd, plan.tables).await?;
        tokio::time::sleep(Duration::from_millis(chance.below(300).into())).await;
        crowd.check()?;
        let (before, begun) = (crowd.acknowledged(), Instant::now());
        let file = files.path().join(format!("{number}.gz"));
        unum(plan, "backup", Some(&file), &live).await?;
        outcome.slowest = outcome.slowest.max(begun.elapsed());
        let place = ground.place(&format!("drill{number}"))?;
        unum(plan, "restore", Some(&file), &place).await?;
        unum(plan, "check", None, &place).await?;
        restored.push(Restored { place, before });
    }
    // The server that is played at is looked through as well.
    unum(plan, "check", None, &live).await?;
    wait_for_progress(&mut crowd, plan.tables).await?;
    let reports = crowd.end().await?;
    process.kill()?;
    // A store of PostgreSQL blocks.
    let compared = tokio::task::spawn_blocking(move || {
        let store = live.open()?;
        outcome.verdict = promises::compare(&store, &reports)?;
        for drill in &restored {
            compare(&store, drill, &mut outcome)?;
        }
        store.close();
        anyhow::Ok(outcome)
    });
    let outcome = compared.await??;
    ensure!(outcome.verdict.holds(plan.tables) && outcome.missing == 0, "{outcome:?}");
    Ok(outcome)
}

/// Every restored journal has to be a beginning of the server's own, and to go at least as far as was acknowledged.
fn compare(store: &Store, drill: &Restored, outcome: &mut Outcome) -> anyhow::Result<()> {
    let again = drill.place.open()?;
    for (code, last) in &drill.before {
        let id = again.invited(code)?.with_context(|| format!("table {code} is missing"))?;
        let (there, own) = (again.journal(&id)?, store.journal(&id)?);
        ensure!(own.starts_with(&there), "table {code}: what was restored is not what the server has");
        outcome.acknowledged += last;
        outcome.missing += last.saturating_sub(there.len() as u64);
        outcome.entries += there.len() as u64;
    }
    again.close();
    Ok(())
}

/// Runs a command on a database.
async fn unum(plan: &Plan, name: &'static str, file: Option<&Path>, place: &Place) -> anyhow::Result<()> {
    let mut command = Command::new(&plan.unum);
    command.arg(name).args(file).args(place.flags());
    let output = tokio::task::spawn_blocking(move || command.output()).await??;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "unum {name}: {} {said}", output.status);
    Ok(())
}
