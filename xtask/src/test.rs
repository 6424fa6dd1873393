//! `cargo xtask test`.

use std::time::Instant;

use crate::page::{self, Tools};
use crate::python;
use crate::{api, deploy};
use crate::{available, command, install_package, run as check};

/// Runs every check, each in turn, and stops at the first that fails.
fn run_all() -> anyhow::Result<()> {
    let tools = Tools::find()?;
    find_postgres();
    check(command("cargo fmt --all --check"))?;
    check(command("cargo clippy --workspace --all-targets --locked -- -D warnings"))?;
    // nextest runs each test in a process of its own and is faster; cargo test is everywhere.
    if available("cargo nextest --version") {
        // A test that passes on the second try is reported as flaky: worth a look, but no reason to block a change.
        check(command("cargo nextest run --workspace --locked --no-fail-fast --retries 1"))?;
    } else {
        check(command("cargo test --workspace --locked --all-targets"))?;
    }
    check(command("cargo test --workspace --locked --doc"))?;
    check(doc_command())?;
    python::test()?;
    api::quick()?;
    deploy::test()?;
    page::test(&tools)
}

/// The journal is also tested on PostgreSQL where it is installed; elsewhere its tests say that they are skipped.
fn find_postgres() {
    let is_there = available("initdb --version") || std::path::Path::new("/usr/lib/postgresql").exists();
    if let Err(why) = if is_there { Ok(()) } else { install_package("postgresql") } {
        eprintln!("the journal is tested on SQLite only: {why:#}");
    }
}

/// The documentation has no broken links.
fn doc_command() -> std::process::Command {
    let mut doc = command("cargo doc --workspace --locked --no-deps --quiet");
    doc.env("RUSTDOCFLAGS", "-D warnings");
    doc
}

pub(crate) fn run() -> anyhow::Result<()> {
    let begin = Instant::now();
    run_all()?;
    eprintln!("all checks passed in {} s", begin.elapsed().as_secs());
    Ok(())
}
