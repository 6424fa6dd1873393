//! What concerns the page: its checks, whole games in a real browser, pictures of it, figures about it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::{available, command, root, run};

/// Where Debian, Fedora and others put the browser.
const BROWSERS: [&str; 4] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/// Lints, types and unit tests of the page, then every screen in Chromium against a development build, which most checks
/// before this one have made already.
pub(crate) fn test() -> anyhow::Result<()> {
    let server = build(Profile::Debug)?;
    run(npm(&["run", "check"]))?;
    run(npm(&["test"]))?;
    run(playwright("screens", &server)?)
}

/// All of that, and whole matches in Chromium, which take minutes each.
pub(crate) fn matches() -> anyhow::Result<()> {
    test()?;
    let server = build(Profile::Release)?;
    run(playwright("matches", &server)?)
}

/// Pictures of every main screen, phone and desktop, dark and light, into `target/screenshots`.
pub(crate) fn screenshots() -> anyhow::Result<()> {
    let server = build(Profile::Release)?;
    let folder = root().join("target/screenshots");
    let mut command = playwright("screenshots", &server)?;
    command.env("SHOTS", &folder);
    run(command)?;
    eprintln!("pictures are in {}", folder.display());
    Ok(())
}

/// How large the page is, how soon it can be used, how smoothly cards fly: printed as a table for docs/page.md.
pub(crate) fn measure() -> anyhow::Result<()> {
    let server = build(Profile::Release)?;
    run(playwright("measure", &server)?)
}

fn npm(arguments: &[&str]) -> Command {
    let mut npm = command("npm");
    npm.args(arguments).current_dir(root().join("web"));
    npm
}

/// How the server that the page talks to is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Profile {
    Debug,
    Release,
}

/// Builds the binary and says where it is. The build of the page installs its packages when others are wanted.
fn build(profile: Profile) -> anyhow::Result<PathBuf> {
    if !available("npm --version") {
        bail!("the page is built and tested with Node 20 or newer, whose `npm` was not found: install it");
    }
    // All members together, so that dependencies are the ones the tests have been built with.
    let mut build = command("cargo build --locked --workspace --bin unum");
    let folder = match profile {
        Profile::Debug => "debug",
        Profile::Release => "release",
    };
    if profile == Profile::Release {
        build.arg("--release");
    }
    run(build)?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(target.join(folder).join("unum"))
}

/// Playwright with the browser of the machine and that server.
fn playwright(project: &str, server: &Path) -> anyhow::Result<Command> {
    let browser = match browser() {
        Some(browser) => browser,
        None => install_browser()?,
    };
    let mut command = npm(&["exec", "--", "playwright", "test", "--project", project]);
    command.env("CHROMIUM", browser).env("PAGE_TEST_BIN", server);
    Ok(command)
}

fn browser() -> Option<PathBuf> {
    let given = env::var_os("CHROMIUM").map(PathBuf::from);
    given.or_else(|| BROWSERS.iter().map(PathBuf::from).find(|path| Path::exists(path)))
}

/// Gets Chromium from the system's packages, where this user may.
fn install_browser() -> anyhow::Result<PathBuf> {
    let advice = "games are tested in Chromium, which was not found: install it, or set CHROMIUM to its path";
    if !available("apt-get --version") {
        bail!("{advice}");
    }
    let apt = |arguments: &[&str]| {
        let mut apt = command("apt-get");
        apt.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        apt
    };
    run(apt(&["update"])).and_then(|()| run(apt(&["install", "--yes", "chromium"]))).context(advice)?;
    browser().context(advice)
}
