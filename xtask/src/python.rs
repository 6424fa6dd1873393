//! `cargo xtask python` and `cargo xtask bench-python`: the Python package, built into an environment of its own.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::{available, command, install_package, root, run as check};

/// What the tests need, in the versions they are known to pass with.
const PACKAGES: [&str; 9] = [
    "maturin==1.16.0",
    "numpy==2.4.6",
    "pytest==9.2.0",
    "mypy==2.4.1",
    "gymnasium==1.4.0",
    "pettingzoo==1.27.0",
    "rlcard==1.2.0",
    "open_spiel==2.0.2",
    "pyarrow==26.0.1",
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
    // Isolated: the folder of the script has the package without its native half.
    check(python.program("python", ["-I", "python/bench.py"]))
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
