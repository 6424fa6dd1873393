//! `cargo xtask test`.

use std::path::Path;
use std::time::Instant;

use crate::page::{self, Tools};
use crate::python;
use crate::{api, deploy};
use crate::{available, command, install_package, run as check};

/// Runs every check, each in turn, and stops at the first that fails.
fn run_all() -> anyhow::Result<()> {
    let tools = Tools::find()?;
    find_postgres();
    find_module_compiler();
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
    let is_there = available("initdb --version") || Path::new("/usr/lib/postgresql").exists();
    if let Err(why) = if is_there { Ok(()) } else { install_package("postgresql") } {
        eprintln!("the journal is tested on SQLite only: {why:#}");
    }
}

/// The build makes the page's module with the compiler at hand if that has the target, or rustup can add it; elsewhere with
/// Debian's packages, if they are there. Without any of them the page is tested without the module.
fn find_module_compiler() {
    let target = "wasm32-unknown-unknown";
    let folder = command(&format!("rustc --print target-libdir --target {target}")).output();
    let folder = folder.ok().and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    if Path::new(folder.trim()).is_dir() || available(&format!("rustup target add {target}")) {
        return;
    }
    let linker = Path::new("/usr/bin/rust-lld");
    let compiler = || ["rustc-web", "cargo-web", "rust-web-src"].into_iter().try_for_each(install_package);
    let installed = if linker.exists() { Ok(()) } else { compiler() };
    // The linker is a link into a package of its own, which none of the others needs.
    let installed = installed.and_then(|()| match std::fs::read_link(linker) {
        Ok(package) if !linker.exists() => install_package(&package.to_string_lossy()),
        _ => Ok(()),
    });
    if let Err(why) = installed {
        eprintln!("the page is tested without games on the device: {why:#}");
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
