//! Drivers for tests, fuzzing and measurements: `cargo xtask --help`.

#![forbid(unsafe_code)]

mod api;
mod deploy;
mod dist;
mod fuzz;
mod oracle;
mod page;
mod python;
mod soak;
mod test;

use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{Context as _, bail};
use clap::Parser;

/// Tasks around the project.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", max_term_width = 100)]
enum Task {
    /// Run every check: format, lints, tests, doc tests, the page in a browser. CI runs this.
    Test,
    /// The part of `test` that concerns the page: its lints and tests, its screens and whole matches in Chromium.
    Page,
    /// Take pictures of every screen of the page, into target/screenshots.
    Screenshots,
    /// Measure the page: its size, how soon it can be used, how smoothly cards fly.
    MeasurePage,
    /// Compare the page's module in Node with the same code compiled for this machine, and measure both.
    Module {
        /// How many rounds to compare, over all editions and house rules.
        #[arg(long, default_value_t = 10_000)]
        rounds: u32,
    },
    /// Fuzz the referee, positions and records with cargo-fuzz.
    Fuzz(fuzz::Args),
    /// Write what the page takes from the Rust side: protocol types, and the ids and codes it has texts for.
    Types,
    /// Play at a thousand tables at once over real sockets, next to an echo server; docs/soak.md.
    Load(soak::Args),
    /// Kill the server at random moments under load, and compare what it promised with what it kept.
    Crash(soak::Args),
    /// Back up a server at random moments under load, restore every backup, and compare it with what was acknowledged.
    Drill(soak::Args),
    /// Fail nodes, network and database of a cluster under load; `--up` starts one to play with. docs/soak.md,
    /// docs/scale.md.
    Cluster(soak::Args),
    /// Attack a server while others play: broken frames, floods, slow readers, strangers who exhaust every limit.
    Abuse(soak::Args),
    /// Look for hidden cards and secrets in everything that tables say to anybody.
    Leaks(soak::Args),
    /// Cut the power of the journal's disk at random moments, and compare what was acknowledged with what is left.
    Power {
        /// How many times.
        #[arg(long, default_value_t = 1000)]
        cuts: u32,
    },
    /// Test the HTTP interface against its own description with schemathesis.
    Api(api::Args),
    /// Check the files for container engines and Kubernetes in deploy/ against their schemas.
    Deploy,
    /// Make everything that people download, into target/dist: archive, Debian package, container image, list of parts.
    Dist(dist::Args),
    /// Check that version, changelog and files agree, and make everything that people download.
    Release(dist::Args),
    /// Build the Python package into a virtual environment and run its tests.
    Python,
    /// Measure the Python package next to RLCard; docs/speed.md.
    BenchPython,
    /// Train a player with the worked example of the Python package, and let it play every level; docs/learning.md.
    Learn(python::Learn),
    /// Compare players that others have published with the levels; docs/learning.md.
    Standing(python::Standing),
    /// Compare the engine with an independent implementation of the rules in Python.
    Oracle(oracle::Args),
}

fn main() -> ExitCode {
    let result = match Task::parse() {
        Task::Test => test::run(),
        Task::Page => page::Tools::find().and_then(|tools| page::test(&tools)),
        Task::Screenshots => page::screenshots(),
        Task::MeasurePage => page::measure(),
        Task::Module { rounds } => module(rounds),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Types => types(),
        Task::Load(args) => soak::run("load", &args),
        Task::Crash(args) => soak::run("crash", &args),
        Task::Drill(args) => soak::run("drill", &args),
        Task::Cluster(args) => soak::cluster(&args),
        Task::Abuse(args) => soak::run("abuse", &args),
        Task::Leaks(args) => soak::run("leaks", &args),
        Task::Power { cuts } => power(cuts),
        Task::Api(args) => api::run(&args),
        Task::Deploy => deploy::test(),
        Task::Dist(args) => dist::run(&args),
        Task::Release(args) => dist::release(&args),
        Task::Python => python::test(),
        Task::BenchPython => python::bench(),
        Task::Learn(args) => python::learn(&args),
        Task::Standing(args) => python::standing(&args),
        Task::Oracle(args) => oracle::run(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Lets the tests that check the types and the lists of ids and codes write them.
fn types() -> anyhow::Result<()> {
    let mut command = command("cargo test --quiet --package unum-protocol --test types");
    command.env("UNUM_WRITE_TYPES", "1");
    run(command)
}

/// Lets the tests that compare the module play that many rounds, after a build that has made it.
fn module(rounds: u32) -> anyhow::Result<()> {
    run(command("cargo build --locked --release --package unum-page"))?;
    let mut command =
        command("cargo test --locked --release --package unum-web --test wasm -- --nocapture --test-threads 1");
    command.env("UNUM_WASM_ROUNDS", rounds.to_string());
    run(command)
}

/// Lets the test of power cuts make that many.
fn power(cuts: u32) -> anyhow::Result<()> {
    let mut command = command("cargo test --quiet --package unum-store --lib power -- --nocapture");
    command.env("UNUM_POWER_CUTS", cuts.to_string());
    run(command)
}

/// The folder of the workspace.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."))
}

/// A command in the workspace's folder; a `program` of several words has its first arguments with it.
fn command(line: &str) -> Command {
    let mut words = line.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cargo"));
    command.args(words).current_dir(root());
    command
}

/// Runs a command in place of this program, so that Ctrl-C reaches that one alone.
#[cfg(unix)]
fn become_command(mut command: Command) -> anyhow::Result<()> {
    let line = describe(&command);
    eprintln!("$ {line}");
    let error = std::os::unix::process::CommandExt::exec(&mut command);
    Err(error).with_context(|| format!("{line} could not be started"))
}

/// Where there is no such thing, the command is waited for.
#[cfg(not(unix))]
fn become_command(command: Command) -> anyhow::Result<()> {
    run(command)
}

/// Runs a command to its end, its output shown.
fn run(mut command: Command) -> anyhow::Result<()> {
    let line = describe(&command);
    eprintln!("$ {line}");
    let status = command.status().with_context(|| format!("{line} could not be started"))?;
    if !status.success() {
        bail!("{line} failed ({status})");
    }
    Ok(())
}

fn describe(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Whether a command can be run at all.
fn available(line: &str) -> bool {
    command(line).output().is_ok_and(|output| output.status.success())
}

/// Installs a package of the system, where this user may. None is removed for it.
fn install_package(name: &str) -> anyhow::Result<()> {
    if !available("apt-get --version") {
        bail!("{name} is missing, and there is no apt-get to install it with");
    }
    let apt = |arguments: &[&str]| {
        let mut apt = command("apt-get");
        apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    run(apt(&["update"])).and_then(|()| run(apt(&["install", "--yes", "--no-remove", name])))
}
