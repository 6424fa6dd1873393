//! Compiling a release, so that the same sources give the same bytes wherever they lie.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::{available, run};

/// What is built for if nothing else is said: on Linux a program that needs no library of the machine, if the compiler for
/// that is there or can be fetched.
pub(super) fn usual_target() -> anyhow::Result<String> {
    let host = host()?;
    let Some(architecture) = host.strip_suffix("-unknown-linux-gnu") else { return Ok(host) };
    let musl = format!("{architecture}-unknown-linux-musl");
    let has_std = || {
        let libraries = Command::new("rustc").args(["--print", "target-libdir", "--target", &musl]).output();
        let folder =
            libraries.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned()).unwrap_or_default();
        fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some())
    };
    if !has_std() {
        // Without rustup, or without a network, it is not there afterwards.
        let _ = Command::new("rustup").args(["target", "add", &musl]).status();
    }
    let compiler = c_compiler(&musl);
    if !available(&format!("{compiler} -v")) {
        let _ = crate::install_package("musl-tools");
    }
    if has_std() && available(&format!("{compiler} -v")) {
        return Ok(musl);
    }
    eprintln!(
        "no compiler for {musl} (rustup target add {musl}; Debian's musl-tools): the program will need the C library of this machine"
    );
    Ok(host)
}

fn host() -> anyhow::Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("rustc could not be started")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find_map(|line| line.strip_prefix("host: "));
    line.map(str::to_owned).context("rustc does not say what it compiles for")
}

/// The C compiler for programs with musl, which wraps that of the machine.
fn c_compiler(musl: &str) -> String {
    let architecture = musl.split('-').next().unwrap_or_default();
    if available(&format!("{architecture}-linux-musl-gcc -v")) {
        return format!("{architecture}-linux-musl-gcc");
    }
    "musl-gcc".to_owned()
}

/// Compiles the program from the sources in `source`, into `folder`.
///
/// # Errors
/// When it does not compile, or is not there afterwards.
pub(super) fn program(source: &Path, folder: &Path, target: &str, epoch: u64) -> anyhow::Result<PathBuf> {
    let source = source.canonicalize()?;
    let mut cargo = Command::new("cargo");
    cargo.current_dir(&source).args(["build", "--locked", "--release", "--package", "unum", "--bin", "unum"]);
    cargo.args(["--target", target, "--target-dir"]).arg(folder);
    cargo.env("REQUIRE_PAGE", "1").env("REQUIRE_MODULE", "1").env("SOURCE_DATE_EPOCH", epoch.to_string());
    let homes = sources_of_others();
    let mut flags = vec![format!("--remap-path-prefix={}=unum", source.display())];
    let mut c_flags = vec![
        format!("-ffile-prefix-map={}=unum", source.display()),
        format!("-ffile-prefix-map={}=target", folder.display()),
    ];
    for home in &homes {
        flags.push(format!("--remap-path-prefix={}=crates", home.display()));
        c_flags.push(format!("-ffile-prefix-map={}=crates", home.display()));
    }
    flags.push(format!("--remap-path-prefix={}=target", folder.display()));
    if target.starts_with("x86_64") {
        // As `.cargo/config.toml` has it, whose flags these replace.
        flags.extend(["-C".to_owned(), "target-cpu=x86-64-v2".to_owned()]);
    }
    cargo.env_remove("RUSTFLAGS").env("CARGO_ENCODED_RUSTFLAGS", flags.join("\u{1f}"));
    let own = target.replace('-', "_");
    if !target.contains("msvc") {
        cargo.env(format!("CFLAGS_{own}"), c_flags.join(" "));
    }
    if target.ends_with("-musl") {
        cargo.env(format!("CC_{own}"), c_compiler(target));
    }
    run(cargo)?;
    let name = if target.contains("windows") { "unum.exe" } else { "unum" };
    let program = folder.join(target).join("release").join(name);
    if !program.is_file() {
        bail!("{} is not there after the build", program.display());
    }
    Ok(program)
}

/// Where cargo keeps the sources of others.
fn sources_of_others() -> Vec<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home =
        home.or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo"))).unwrap_or_default();
    let mut found: Vec<PathBuf> =
        fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    found.sort();
    found
}
