//! What concerns the page: its checks, whole games in a real browser, pictures of it, figures about it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::bail;

use crate::{available, command, root, run};

/// Where Debian, Fedora and others put the browser.
const BROWSERS: [&str; 4] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/// Lints, types and unit tests of the page, then games in Chromium against the release binary.
pub(crate) fn test() -> anyhow::Result<()> {
    install()?;
    run(npm(&["run", "check"]))?;
    run(npm(&["test"]))?;
    run(playwright("play")?)
}

/// Pictures of every main screen, phone and desktop, dark and light, into `target/screenshots`.
pub(crate) fn screenshots() -> anyhow::Result<()> {
    install()?;
    let folder = root().join("target/screenshots");
    let mut command = playwright("screenshots")?;
    command.env("SHOTS", &folder);
    run(command)?;
    eprintln!("pictures are in {}", folder.display());
    Ok(())
}

/// How large the page is, how soon it can be used, how smoothly cards fly: printed as a table for docs/page.md.
pub(crate) fn measure() -> anyhow::Result<()> {
    install()?;
    run(playwright("measure")?)
}

fn npm(arguments: &[&str]) -> Command {
    let mut npm = command("npm");
    npm.args(arguments).current_dir(root().join("web"));
    npm
}

fn install() -> anyhow::Result<()> {
    if !available("npm --version") {
        bail!("the page is built and tested with Node 20 or newer, whose `npm` was not found: install it");
    }
    // The build of the page installs the packages when they are missing or others are wanted.
    run(command("cargo build --release --locked --package unum"))
}

/// Playwright with the browser of the machine and the binary just built.
fn playwright(project: &str) -> anyhow::Result<Command> {
    let Some(browser) = browser() else {
        bail!("games are tested in Chromium, which was not found: install it, or set CHROMIUM to its path")
    };
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    let mut command = npm(&["exec", "--", "playwright", "test", "--project", project]);
    command.env("CHROMIUM", browser).env("PAGE_TEST_BIN", target.join("release/unum"));
    Ok(command)
}

fn browser() -> Option<PathBuf> {
    let given = env::var_os("CHROMIUM").map(PathBuf::from);
    given.or_else(|| BROWSERS.iter().map(PathBuf::from).find(|path| Path::exists(path)))
}
