//! What concerns the page: its checks, whole games in a real browser, pictures of it, figures about it.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, bail};

use crate::{available, command, install_package, root, run};

/// Where Debian, Fedora and others put the browser.
const BROWSERS: [&str; 4] =
    ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];

/// What the checks of the page need, found or installed before anything that takes long.
pub(crate) struct Tools {
    browser: PathBuf,
}

impl Tools {
    pub(crate) fn find() -> anyhow::Result<Tools> {
        if !available("npm --version") {
            bail!("the page is built and tested with Node 20 or newer, whose `npm` was not found: install it");
        }
        Ok(Tools { browser: browser()? })
    }
}

/// Lints, types and unit tests of the page, then every screen, whole matches and rare moments in Chromium, against a
/// development build, which most checks before this one have made already.
pub(crate) fn test(tools: &Tools) -> anyhow::Result<()> {
    let server = build(Profile::Debug)?;
    run(npm(&["run", "check"]))?;
    let mut tests = npm(&["test"]);
    // What the page's module does is tested with the one that the build has made, if it could.
    let module = target().join("module/wasm32-unknown-unknown/module/unum_web.wasm");
    tests.envs(module.exists().then_some(("UNUM_WASM", module)));
    run(tests)?;
    run(playwright("tests", tools, &server))
}

/// Pictures of every screen and dialog in five sizes, dark and light, and strips of moments that move, into
/// `target/screenshots`.
pub(crate) fn screenshots() -> anyhow::Result<()> {
    let tools = Tools::find()?;
    let server = build(Profile::Release)?;
    let folder = root().join("target/screenshots");
    let mut command = playwright("screenshots", &tools, &server);
    command.args(["--project", "strip"]).env("SHOTS", &folder);
    run(command)?;
    eprintln!("pictures are in {}", folder.display());
    Ok(())
}

/// How large the page is, how soon it can be used, how smoothly cards fly: printed as a table for docs/page.md.
pub(crate) fn measure() -> anyhow::Result<()> {
    let tools = Tools::find()?;
    let server = build(Profile::Release)?;
    // One at a time: what is measured is how smooth it is.
    let mut command = playwright("measure", &tools, &server);
    command.args(["--workers", "1"]);
    run(command)
}

fn npm(arguments: &[&str]) -> Command {
    let mut npm = command("npm");
    npm.args(arguments).current_dir(root().join("web"));
    npm
}

/// How the server that the page talks to is built.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Profile {
    Debug,
    Release,
}

/// Builds the binary and says where it is. The build of the page installs its packages when others are wanted.
pub(crate) fn build(profile: Profile) -> anyhow::Result<PathBuf> {
    // All members together and with a test, so that dependencies have the features that the tests have built them with;
    // otherwise most of them would be compiled again.
    let mut build = command("cargo build --locked --workspace --bin unum");
    let folder = match profile {
        Profile::Debug => {
            build.args(["--test", "docs"]);
            "debug"
        }
        Profile::Release => {
            build.arg("--release");
            "release"
        }
    };
    run(build)?;
    Ok(target().join(folder).join("unum"))
}

/// Where builds are.
fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Playwright with the browser of the machine and that server.
fn playwright(project: &str, tools: &Tools, server: &Path) -> Command {
    let mut command = npm(&["exec", "--", "playwright", "test", "--project", project]);
    command.env("CHROMIUM", &tools.browser).env("PAGE_TEST_BIN", server);
    command
}

/// What to do where there is no browser.
const ADVICE: &str = "the page is tested in Chromium: install it, or set CHROMIUM to its path";

/// The browser that was asked for, one of the machine's, or one that is installed for it.
fn browser() -> anyhow::Result<PathBuf> {
    if let Some(given) = env::var_os("CHROMIUM").map(PathBuf::from) {
        let works = starts(&given);
        return works.then_some(given).context("CHROMIUM is set, but what it names cannot be started");
    }
    let found = || BROWSERS.iter().map(PathBuf::from).find(|path| starts(path));
    match found() {
        Some(browser) => Ok(browser),
        None => install_package("chromium")
            .and_then(|()| found().context("the package brought none of the usual names"))
            .context(ADVICE),
    }
}

/// Whether it is there and is more than a hint to install something else.
fn starts(browser: &Path) -> bool {
    Command::new(browser).arg("--version").output().is_ok_and(|output| output.status.success())
}
