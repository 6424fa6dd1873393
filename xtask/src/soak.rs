//! The long runs against a server of its own: builds both sides and starts them.

use crate::{command, root};

/// Options of the run itself, such as `--seconds 5`.
#[derive(clap::Args)]
#[command(disable_help_flag = true)]
pub(crate) struct Args {
    /// Passed on; `--help` among them lists what there is.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// Builds `unum` and the driver, and runs one of its commands.
pub(crate) fn run(name: &str, args: &Args) -> anyhow::Result<()> {
    crate::run(command("cargo build --release --package unum --bin unum"))?;
    let mut driver = command("cargo run --release --package unum-soak --example soak --");
    driver.arg(name).arg("--unum").arg(target().join("release/unum")).args(&args.options);
    crate::run(driver)
}

/// Where cargo puts what it builds.
fn target() -> std::path::PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into)
}
