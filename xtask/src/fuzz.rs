//! `cargo xtask fuzz`.

use std::fs;
use std::time::Instant;

use anyhow::{Context as _, bail};

use crate::{available, command, root, run as check};

/// The targets, in `fuzz/fuzz_targets`.
const TARGETS: [&str; 3] = ["referee", "position", "record"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Only this target
    target: Option<String>,
    /// How long each target runs
    #[arg(long, default_value_t = 600)]
    seconds: u32,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    if let Some(target) = args.target.as_ref().filter(|target| !TARGETS.contains(&target.as_str())) {
        bail!("there is no target {target}: the targets are {}", TARGETS.join(", "));
    }
    if !available("cargo fuzz --version") {
        check(command("cargo install cargo-fuzz --locked"))?;
    }
    for target in TARGETS.iter().filter(|target| args.target.as_ref().is_none_or(|only| only == *target)) {
        let begin = Instant::now();
        fuzz(target, args.seconds)?;
        println!("fuzz {target}: no failure in {} s", begin.elapsed().as_secs());
    }
    Ok(())
}

fn fuzz(target: &str, seconds: u32) -> anyhow::Result<()> {
    let corpus = root().join("fuzz/corpus").join(target);
    fs::create_dir_all(&corpus).with_context(|| corpus.display().to_string())?;
    let mut fuzz = command("cargo +nightly fuzz run");
    fuzz.args([target, &format!("fuzz/corpus/{target}"), &format!("fuzz/seeds/{target}"), "--"]);
    fuzz.args(["-dict=fuzz/dictionary.txt", &format!("-max_total_time={seconds}"), "-print_final_stats=1"]);
    check(fuzz)
}
