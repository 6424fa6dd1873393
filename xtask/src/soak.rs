//! The long runs against a server of its own: builds both sides and starts them.

use std::path::Path;

use crate::{become_command, command, install_package, root};

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
    become_command(driver)
}

/// What a cluster is made of, apart from `unum`: a program of each package.
const PACKAGES: [(&str, &str); 7] = [
    ("/usr/lib/postgresql", "postgresql"),
    ("/usr/bin/etcd", "etcd-server"),
    ("/usr/bin/patroni", "patroni"),
    ("/usr/lib/python3/dist-packages/etcd", "python3-etcd"),
    ("/usr/sbin/haproxy", "haproxy"),
    ("/usr/sbin/nft", "nftables"),
    ("/usr/bin/ip", "iproute2"),
];

/// The same for a cluster. What is missing is installed where this user may; the driver says what it cannot do without.
pub(crate) fn cluster(args: &Args) -> anyhow::Result<()> {
    for (program, package) in PACKAGES.iter().filter(|(program, _)| !Path::new(program).exists()) {
        if let Err(why) = install_package(package) {
            eprintln!("{program} is missing: {why:#}");
        }
    }
    run("cluster", args)
}

/// Where cargo puts what it builds.
fn target() -> std::path::PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), Into::into)
}
