//! `cargo xtask python` and `cargo xtask bench-python`: the Python package, built into an environment of its own.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::{available, command, install_package, root, run as check};

/// What the tests need, in the versions they are known to pass with.
const PACKAGES: [&str; 11] = [
    "maturin==1.16.0",
    "numpy==2.4.6",
    "pytest==9.2.0",
    "mypy==2.4.1",
    "gymnasium==1.4.0",
    "pettingzoo==1.27.0",
    "rlcard==1.2.0",
    "open_spiel==2.0.2",
    "pyarrow==26.0.1",
    // For the worked example that learns, and for the laboratory on a cluster: 11 and 8 seconds to install.
    "jax==0.10.2",
    "ray==2.60.0",
];

/// Builds the wheel, installs it and runs its tests. Without Python this is skipped, and says so.
pub(crate) fn test() -> anyhow::Result<()> {
    let python = match Environment::find() {
        Ok(python) => python,
        Err(why) => {
            eprintln!("the Python package is NOT tested: {why:#}");
            return Ok(());
        }
    };
    check(command("cargo fmt --manifest-path python/Cargo.toml --check"))?;
    python.install_wheel("wheel-test")?;
    check(python.program("pytest", ["-q", "-c", "python/pyproject.toml", "python/tests"]))
}

/// Measures the environments next to RLCard, with a release build.
pub(crate) fn bench() -> anyhow::Result<()> {
    let python = Environment::find()?;
    python.install_wheel("release")?;
    check(python.script("python/bench.py"))
}

/// Trains a player and lets it play every level; docs/learning.md.
#[derive(clap::Args)]
pub(crate) struct Learn {
    /// Where the training goes, and from where it goes on
    #[arg(default_value = "target/learned")]
    folder: PathBuf,
    /// Settings of the training, such as --players 4 --iterations 400
    #[arg(last = true)]
    settings: Vec<String>,
}

/// Trains a player, and lets it play every level.
pub(crate) fn learn(args: &Learn) -> anyhow::Result<()> {
    let python = Environment::find()?;
    python.install_wheel("release")?;
    let mut train = python.script("python/examples/learn/train.py");
    train.arg(&args.folder).args(&args.settings);
    check(train)?;
    let mut evaluate = python.script("python/examples/learn/evaluate.py");
    evaluate.arg(args.folder.join("player.npz"));
    if let Some(place) = args.settings.iter().position(|word| word == "--players") {
        evaluate.args(args.settings.iter().skip(place).take(2));
    }
    check(evaluate)
}

/// Compares players that others have published with the levels.
#[derive(clap::Args)]
pub(crate) struct Standing {
    /// Networks that were trained by `cargo xtask learn`: FOLDER/player.npz
    learned: Vec<PathBuf>,
    /// How many deals
    #[arg(long, default_value_t = 10_000)]
    deals: u64,
}

/// Prints the table of docs/learning.md.
pub(crate) fn standing(args: &Standing) -> anyhow::Result<()> {
    let python = Environment::find()?;
    python.install_wheel("release")?;
    let mut compare = python.script("python/standing.py");
    compare.args(&args.learned).arg("--deals").arg(args.deals.to_string());
    check(compare)
}

/// A virtual environment below `target`.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// Makes it, unless it is there with the same packages.
    fn find() -> anyhow::Result<Environment> {
        if !available("python3 --version") {
            bail!("install Python 3.9 or newer");
        }
        // Debian's Python comes without it.
        if !available("python3 -m ensurepip --version") {
            install_package("python3-venv").context("Python's `venv` is missing")?;
        }
        let environment = Environment { folder: target().join("python-venv") };
        let list = environment.folder.join("packages.txt");
        if fs::read_to_string(&list).is_ok_and(|known| known == PACKAGES.join("\n")) {
            return Ok(environment);
        }
        let mut venv = command("python3 -m venv --clear");
        venv.arg(&environment.folder);
        check(venv)?;
        check(
            environment.program("pip", ["install", "--quiet", "--disable-pip-version-check"].iter().chain(&PACKAGES)),
        )?;
        fs::write(&list, PACKAGES.join("\n")).with_context(|| list.display().to_string())?;
        Ok(environment)
    }

    /// A program of the environment, in the workspace's folder.
    fn program(&self, name: &str, arguments: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Command {
        let mut program = Command::new(self.folder.join("bin").join(name));
        program.args(arguments).current_dir(root());
        program
    }

    /// A script of this repository.
    fn script(&self, path: &str) -> Command {
        // Isolated: the folder of some scripts has the package without its native half.
        self.program("python", ["-I", path])
    }

    /// Builds the wheel with that profile and installs it.
    fn install_wheel(&self, profile: &str) -> anyhow::Result<()> {
        let wheels = target().join("wheels").join(profile);
        // Wheels of earlier versions would be installed as well.
        if wheels.exists() {
            fs::remove_dir_all(&wheels).with_context(|| wheels.display().to_string())?;
        }
        let mut maturin = self.program("maturin", ["build", "--locked", "--manifest-path", "python/Cargo.toml"]);
        maturin.args(["--profile", profile, "--compatibility", "linux", "--interpreter"]);
        maturin.arg(self.folder.join("bin/python")).arg("--out").arg(&wheels);
        // In a folder of its own: the wheel's dependencies have other features than the workspace's.
        maturin.env("CARGO_TARGET_DIR", target().join("python"));
        check(maturin)?;
        let wheel = fs::read_dir(&wheels)?.next().context("maturin has built no wheel")??.path();
        eprintln!("{} has {} KB", wheel.display(), fs::metadata(&wheel)?.len() / 1024);
        let mut pip = self.program("pip", ["install", "--quiet", "--disable-pip-version-check", "--no-deps"]);
        pip.arg("--force-reinstall").arg(&wheel);
        check(pip)
    }
}

fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}
