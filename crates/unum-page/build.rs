//! Builds the page from `web/` and lists its files for the binary.
//!
//! Node is needed for this and for nothing else. Without it, or with `SKIP_PAGE=1`, the binary has no page and says so
//! to browsers; everything else works. With `REQUIRE_PAGE=1` there is no binary without a page: for releases.
//!
//! The page carries a WebAssembly module, `crates/unum-web`, with which it plays without a server. Where that cannot be
//! compiled, or with `SKIP_MODULE=1`, the page plays through the server alone. With `REQUIRE_MODULE=1` there is no page
//! without it.

mod module;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};

/// What the page is made of. Never `node_modules`: that is made by the build itself.
const INPUTS: [&str; 8] = [
    "index.html",
    "package-lock.json",
    "package.json",
    "public",
    "src",
    "svelte.config.js",
    "tsconfig.json",
    "vite.config.ts",
];

/// A copy of the lock file whose packages are installed.
const INSTALLED: &str = "node_modules/.installed-package-lock.json";

fn main() -> ExitCode {
    // Asked for when it runs: the script may have been compiled in another copy of the project that is gone by now.
    let folder = |name: &str| env::var_os(name).map(PathBuf::from);
    let (Some(out), Some(own)) = (folder("OUT_DIR"), folder("CARGO_MANIFEST_DIR")) else { return ExitCode::FAILURE };
    let web = own.join("../../web");
    let root = own.join("../..");
    for script in ["build.rs", "module.rs"] {
        println!("cargo::rerun-if-changed={script}");
    }
    for name in ["SKIP_PAGE", "REQUIRE_PAGE", "SKIP_MODULE", "REQUIRE_MODULE"] {
        println!("cargo::rerun-if-env-changed={name}");
    }
    for name in module::CRATES {
        for part in ["src", "Cargo.toml"] {
            println!("cargo::rerun-if-changed={}", root.join("crates").join(name).join(part).display());
        }
    }
    for file in ["Cargo.lock", "Cargo.toml"] {
        println!("cargo::rerun-if-changed={}", root.join(file).display());
    }
    for input in INPUTS {
        println!("cargo::rerun-if-changed={}", web.join(input).display());
    }
    let page = out.join("page");
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let built = if is_set("SKIP_PAGE") {
        Err("SKIP_PAGE is set".to_owned())
    } else {
        let made =
            if is_set("SKIP_MODULE") { Err("SKIP_MODULE is set".to_owned()) } else { module::build(&root, &out) };
        match made {
            Err(why) if is_set("REQUIRE_MODULE") => {
                println!("cargo::error=the page's module was not built, but REQUIRE_MODULE is set: {why}");
                return ExitCode::FAILURE;
            }
            Err(why) => {
                println!("cargo::warning=the page plays through the server only, its module was not built: {why}");
                build(&web, &page, None)
            }
            Ok(module) => build(&web, &page, Some(&module)),
        }
    };
    let files = match built {
        Ok(()) => list(&page).unwrap_or_default(),
        Err(why) if is_set("REQUIRE_PAGE") => {
            println!("cargo::error=the page was not built, but REQUIRE_PAGE is set: {why}");
            return ExitCode::FAILURE;
        }
        Err(why) => {
            println!("cargo::warning=the page was not built, so browsers get none: {why}");
            Vec::new()
        }
    };
    match fs::write(out.join("files.rs"), table(&page, &files)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("cargo::error=the list of the page's files could not be written: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Installs what the build needs, if it is not there or not up to date, and builds, with the module in it if there is one.
fn build(web: &Path, page: &Path, module: Option<&Path>) -> Result<(), String> {
    if is_stale(web) {
        // What is installed is what the lock file lists, and none of it runs anything while it is installed.
        npm(web, &["ci", "--ignore-scripts", "--no-audit", "--no-fund"], None)?;
        // If the note cannot be left, the packages are installed once more next time.
        let _ = fs::copy(web.join("package-lock.json"), web.join(INSTALLED));
    }
    let out = page.display().to_string();
    npm(web, &["run", "build", "--", "--outDir", &out, "--emptyOutDir", "--logLevel", "error"], module)
}

/// Whether other packages are installed than those the lock file lists.
fn is_stale(web: &Path) -> bool {
    match (fs::read(web.join("package-lock.json")), fs::read(web.join(INSTALLED))) {
        (Ok(wanted), Ok(installed)) => wanted != installed,
        _ => true,
    }
}

fn npm(web: &Path, arguments: &[&str], module: Option<&Path>) -> Result<(), String> {
    let program = if cfg!(windows) { "npm.cmd" } else { "npm" };
    let line = format!("npm {}", arguments.join(" "));
    let mut command = Command::new(program);
    command.args(arguments).current_dir(web).env_remove("UNUM_WASM").envs(module.map(|module| ("UNUM_WASM", module)));
    let output = command.output();
    let output = output.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => {
            "it is built with Node 20 or newer, whose `npm` was not found: install it, and build again".to_owned()
        }
        _ => format!("`{line}` could not be started: {error}"),
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = [output.stdout, output.stderr].concat();
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let last = lines[lines.len().saturating_sub(6)..].join(" | ");
    Err(format!("`{line}` in web/ failed: {last}"))
}

/// Every file below a folder, by its path in it, sorted.
fn list(folder: &Path) -> io::Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if let Ok(inside) = path.strip_prefix(folder) {
                found.push(inside.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Rust that carries the files: each with its compressed forms, if there are any beside it.
fn table(page: &Path, files: &[String]) -> String {
    let mut rust = String::from("pub(crate) static FILES: &[File] = &[\n");
    let bytes = |file: &str| format!("include_bytes!({:?})", page.join(file));
    let beside = |file: &str, ending: &str| {
        let packed = format!("{file}.{ending}");
        if files.contains(&packed) { format!("Some({})", bytes(&packed)) } else { "None".to_owned() }
    };
    for file in files.iter().filter(|file| !file.ends_with(".br") && !file.ends_with(".gz")) {
        let (plain, brotli, gzip) = (bytes(file), beside(file, "br"), beside(file, "gz"));
        let _ = writeln!(rust, "    File {{ path: {file:?}, plain: {plain}, brotli: {brotli}, gzip: {gzip} }},");
    }
    rust.push_str("];\n");
    rust
}
