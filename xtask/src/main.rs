//! Drivers for tests, fuzzing and measurements: `cargo xtask --help`.

#![forbid(unsafe_code)]

mod fuzz;
mod oracle;
mod page;
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
    /// Everything that has to hold: format, lints, tests, doc tests, the page in a browser. What CI runs.
    Test,
    /// The part of `test` that concerns the page: its lints and tests, its screens and whole matches in Chromium.
    Page,
    /// Take pictures of every screen of the page, into target/screenshots.
    Screenshots,
    /// Measure the page: its size, how soon it can be used, how smoothly cards fly.
    MeasurePage,
    /// Fuzz the referee, positions and records with cargo-fuzz; says what it ran.
    Fuzz(fuzz::Args),
    /// Write what the page takes from the Rust side: the types of the protocol, the ids and codes it has texts for.
    Types,
    /// A thousand tables at once over real sockets, next to an echo server; docs/soak.md.
    Load(soak::Args),
    /// Kill the server at random moments under load, and compare what it promised with what it kept.
    Crash(soak::Args),
    /// Floods, slow readers, broken frames: what the server says to them, and what others notice of it.
    Abuse(soak::Args),
    /// Look for hidden cards and secrets in everything that tables say to anybody.
    Leaks(soak::Args),
    /// Compare the engine with an independent implementation of the rules in Python.
    Oracle(oracle::Args),
}

fn main() -> ExitCode {
    let result = match Task::parse() {
        Task::Test => test::run(),
        Task::Page => page::Tools::find().and_then(|tools| page::test(&tools)),
        Task::Screenshots => page::screenshots(),
        Task::MeasurePage => page::measure(),
        Task::Fuzz(args) => fuzz::run(&args),
        Task::Types => types(),
        Task::Load(args) => soak::run("load", &args),
        Task::Crash(args) => soak::run("crash", &args),
        Task::Abuse(args) => soak::run("abuse", &args),
        Task::Leaks(args) => soak::run("leaks", &args),
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
    for tests in ["unum-client --test types", "unum-server --test all codes::"] {
        let mut command = command(&format!("cargo test --quiet --package {tests}"));
        command.env("UNUM_WRITE_TYPES", "1");
        run(command)?;
    }
    Ok(())
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
