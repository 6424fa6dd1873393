//! `cargo xtask oracle`.

use crate::{command, run as check};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// How long to compare
    #[arg(long, default_value_t = 60)]
    seconds: u32,
    /// Where the random games come from
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only this edition
    #[arg(long)]
    edition: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<()> {
    check(command("cargo build --release --package unum"))?;
    check(command("python3 oracle/test_oracle.py"))?;
    let mut compare = command("python3 oracle/differential.py --unum target/release/unum --keep-going");
    compare.args(["--seconds", &args.seconds.to_string(), "--seed", &args.seed.to_string()]);
    if let Some(edition) = &args.edition {
        compare.args(["--edition", edition]);
    }
    check(compare)
}
