// Part of the build script: the module that plays inside the page, from `crates/unum-web`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// What the module is compiled for.
const TARGET: &str = "wasm32-unknown-unknown";
/// The crates it is made of.
pub(crate) const CRATES: [&str; 8] = [
    "unum-bots",
    "unum-derive",
    "unum-protocol",
    "unum-review",
    "unum-rules",
    "unum-table",
    "unum-web",
    "unum-witness",
];

/// Compiles the module, by the first way that works, and says where it is.
pub(crate) fn build(root: &Path, out: &Path) -> Result<PathBuf, String> {
    // Beside the folders of the profiles, so that all of them share it.
    let target = out.ancestors().nth(4).unwrap_or(out).join("module");
    let mut tried = Vec::new();
    for way in [Way::Installed, Way::Rustup, Way::Debian] {
        match way.prepare().and_then(|cargo| compile(cargo, root, &target)) {
            Ok(module) => return Ok(module),
            Err(why) => tried.push(format!("{}: {why}", way.name())),
        }
    }
    Err(tried.join("; "))
}

/// Where a compiler with a standard library for the module comes from.
#[derive(Clone, Copy)]
enum Way {
    /// The compiler at hand has it.
    Installed,
    /// rustup fetches it.
    Rustup,
    /// Debian's packages `rustc-web`, `cargo-web` and `rust-web-src`: it is compiled as well.
    Debian,
}

impl Way {
    fn name(self) -> &'static str {
        match self {
            Way::Installed => "installed target",
            Way::Rustup => "rustup target add",
            Way::Debian => "Debian's packages",
        }
    }

    /// The cargo to compile with.
    fn prepare(self) -> Result<Command, String> {
        let cargo = || Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        match self {
            Way::Installed => has_std().then(cargo).ok_or_else(|| "not there".to_owned()),
            Way::Rustup => {
                said(Command::new("rustup").args(["target", "add", TARGET]).output())?;
                has_std().then(cargo).ok_or_else(|| "it is still not there".to_owned())
            }
            Way::Debian => {
                let sources = "/usr/lib/rustlib/src/rust/library/std/Cargo.toml";
                if let Some(missing) =
                    ["/usr/bin/cargo", sources, "/usr/bin/rust-lld"].iter().find(|path| !Path::new(path).exists())
                {
                    // The linker is a link into a package of its own, which none of the others needs.
                    return Err(format!("no {missing}; `apt-get install rustc-web cargo-web rust-web-src {}`", lld()));
                }
                let mut cargo = Command::new("/usr/bin/cargo");
                cargo.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1").env("RUSTC", "/usr/bin/rustc");
                for name in ["RUSTUP_TOOLCHAIN", "RUSTUP_HOME"] {
                    cargo.env_remove(name);
                }
                Ok(cargo)
            }
        }
    }
}

/// The package that has the linker of Debian's compiler.
fn lld() -> String {
    let linker = fs::read_link("/usr/bin/rust-lld").ok();
    let name = linker.as_deref().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "lld".to_owned())
}

/// Whether the compiler at hand has a standard library for the module.
fn has_std() -> bool {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = said(output).map(|text| PathBuf::from(text.trim()));
    folder.is_ok_and(|folder| fs::read_dir(folder).is_ok_and(|mut files| files.next().is_some()))
}

fn compile(mut cargo: Command, root: &Path, target: &Path) -> Result<PathBuf, String> {
    // What is set for the build around this one is not meant for it.
    for (name, _) in env::vars_os() {
        let text = name.to_string_lossy();
        let foreign =
            ["CARGO_BUILD_", "CARGO_PROFILE_", "CARGO_TARGET_", "RUSTC_"].iter().any(|start| text.starts_with(start));
        if foreign && text != "RUSTC_BOOTSTRAP" || text == "RUSTFLAGS" {
            cargo.env_remove(&name);
        }
    }
    cargo.env("CARGO_ENCODED_RUSTFLAGS", flags(root).join("\u{1f}"));
    cargo.current_dir(root).arg("rustc").args(["--locked", "--quiet", "--package", "unum-web", "--lib"]);
    cargo.args(["--crate-type", "cdylib", "--profile", "module", "--target", TARGET, "--target-dir"]).arg(target);
    said(cargo.output())?;
    Ok(target.join(TARGET).join("module/unum_web.wasm"))
}

/// The same bytes wherever it is built: no path of this machine is in them.
fn flags(root: &Path) -> Vec<String> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let mut flags = vec![format!("--remap-path-prefix={}=unum", root.display())];
    let home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| env::var_os("HOME").map(|home| PathBuf::from(home).join(".cargo"))).unwrap_or_default();
    for sources in fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten() {
        flags.push(format!("--remap-path-prefix={}=crates", sources.path().display()));
    }
    flags.sort();
    flags
}

/// What a command has said, or what went wrong with it.
fn said(output: std::io::Result<Output>) -> Result<String, String> {
    let output = output.map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = text.lines().find(|line| line.contains("error")).or_else(|| text.lines().last());
    Err(line.unwrap_or("it failed and did not say why").trim().to_owned())
}
