//! The files for container engines and Kubernetes against their schemas, which come from packages of Python.

use std::path::PathBuf;

use anyhow::{Context as _, bail};

use crate::{available, command, install_package, root, run as check};

/// Where the schemas are: of Kubernetes, with the program that uses them, and of compose files.
const PACKAGES: [&str; 2] = ["kubernetes-validate==1.37.0", "docker-compose==1.29.2"];

/// Checks every file below `deploy`.
///
/// # Errors
/// When one is not as its schema, or this project, wants it.
pub(crate) fn test() -> anyhow::Result<()> {
    let folder = install()?;
    let mut tests = std::process::Command::new(folder.join("bin/python"));
    tests.current_dir(root()).args(["xtask/deploy.py", "deploy"]);
    check(tests)
}

/// An environment with the schemas.
fn install() -> anyhow::Result<PathBuf> {
    let folder = root().join("target/deploy-venv");
    let list = folder.join("packages.txt");
    if std::fs::read_to_string(&list).is_ok_and(|known| known == PACKAGES.join("\n")) {
        return Ok(folder);
    }
    if !available("python3 --version") {
        bail!("the schemas are in packages of Python: install Python 3.10 or newer");
    }
    // Debian's Python comes without it.
    if !available("python3 -m ensurepip --version") {
        install_package("python3-venv")?;
    }
    let mut environment = command("python3 -m venv --clear");
    environment.arg(&folder);
    check(environment)?;
    let [kubernetes, compose] = PACKAGES;
    // The program of the second is not needed, nor what it would need: only the schema in it.
    for words in [&[kubernetes][..], &["--no-deps", compose]] {
        let mut pip = std::process::Command::new(folder.join("bin/pip"));
        pip.args(["install", "--quiet", "--disable-pip-version-check"]).args(words);
        check(pip)?;
    }
    std::fs::write(&list, PACKAGES.join("\n")).with_context(|| list.display().to_string())?;
    Ok(folder)
}
