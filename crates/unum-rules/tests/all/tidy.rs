//! Conventions that hold for the whole workspace, so that nobody has to remember them in a review.

use std::fs;
use std::path::{Path, PathBuf};

/// Which crate may depend on which. A new crate is entered here, and in the map of the architecture.
const ARROWS: &[(&str, &[&str])] = &[
    ("unum-derive", &[]),
    ("unum-rules", &["unum-derive"]),
    ("unum-protocol", &["unum-rules"]),
    ("unum-bots", &["unum-protocol", "unum-rules"]),
    ("unum-review", &["unum-bots", "unum-protocol", "unum-rules"]),
    ("unum-lab", &["unum-bots", "unum-protocol", "unum-review", "unum-rules"]),
    ("unum-env", &["unum-bots", "unum-lab", "unum-rules"]),
    // The folder `python`, a workspace of its own.
    ("unum-python", &["unum-bots", "unum-env", "unum-lab", "unum-review", "unum-rules"]),
    ("unum-table", &["unum-bots", "unum-protocol", "unum-rules", "unum-witness"]),
    ("unum-witness", &["unum-protocol", "unum-rules", "unum-table"]),
    ("unum-powercut", &[]),
    ("unum-scratch", &[]),
    // For tests alone.
    ("unum-store", &["unum-powercut", "unum-scratch"]),
    ("unum-page", &[]),
    (
        "unum-server",
        &[
            "unum-bots",
            "unum-client",
            "unum-page",
            "unum-protocol",
            "unum-review",
            "unum-rules",
            // For tests alone.
            "unum-scratch",
            "unum-store",
            "unum-table",
        ],
    ),
    ("unum-client", &["unum-protocol", "unum-rules", "unum-witness"]),
    (
        "unum-soak",
        &["unum-client", "unum-protocol", "unum-rules", "unum-scratch", "unum-server", "unum-store", "unum-table"],
    ),
    ("unum-terminal", &["unum-client", "unum-protocol", "unum-rules", "unum-table"]),
    ("unum-web", &["unum-bots", "unum-protocol", "unum-review", "unum-rules", "unum-table", "unum-witness"]),
    (
        "unum",
        &[
            "unum-bots",
            "unum-client",
            "unum-lab",
            "unum-page",
            "unum-protocol",
            "unum-review",
            "unum-rules",
            // For tests alone.
            "unum-scratch",
            "unum-server",
            "unum-soak",
            "unum-store",
            "unum-table",
            "unum-terminal",
        ],
    ),
    // The folder `examples/bot`; the arena is for its tests alone.
    ("example-bot", &["unum-lab", "unum-protocol", "unum-rules"]),
    ("xtask", &[]),
];

/// Made by tools or by nobody: not ours to tidy.
const SKIPPED_FOLDERS: &[&str] = &[".git", "target", "corpus", "artifacts", "coverage", "node_modules"];

/// Clocks, files, sockets, threads and generators: the game logic gets what it needs handed in.
const OUTSIDE_WORLD: &[&str] = &["std::time", "std::fs", "std::net", "std::io", "std::thread", "rand_"];

#[test]
fn crates_depend_only_along_the_arrows() {
    for (name, allowed) in ARROWS {
        let manifest = read(&folder_of(name).join("Cargo.toml"));
        for dependency in dependencies(&manifest) {
            let ours = ARROWS.iter().any(|(member, _)| *member == dependency);
            // A crate may want features of its own in its tests.
            let itself = dependency == *name;
            assert!(!ours || itself || allowed.contains(&dependency), "{name} must not depend on {dependency}");
        }
    }
}

#[test]
fn every_crate_is_on_the_map_of_arrows() {
    let mut folders: Vec<String> = children(&root().join("crates")).iter().map(|path| file_name(path)).collect();
    folders.extend(["example-bot", "unum-python", "xtask"].map(str::to_owned));
    folders.sort();
    let mut known: Vec<&str> = ARROWS.iter().map(|(name, _)| *name).collect();
    known.sort_unstable();
    assert_eq!(folders, known);
    for name in known {
        let manifest = read(&folder_of(name).join("Cargo.toml"));
        assert!(manifest.contains(&format!("name = \"{name}\"")), "the folder {name} is named as its crate");
    }
}

/// The files with unsafe code, and with the measured need for it. Their crates deny it everywhere else. The second is
/// part of no program: it is for tests of the journal. The third has attributes that give functions a name, and no other.
const UNSAFE: &[(&str, &str)] =
    &[("unum", "src/memory.rs"), ("unum-powercut", "src/vfs.rs"), ("unum-web", "src/abi.rs")];

#[test]
fn every_crate_forbids_unsafe_code_but_for_three_files() {
    for (name, _) in ARROWS {
        let src = folder_of(name).join("src");
        let roots: Vec<PathBuf> = ["lib.rs", "main.rs"].iter().map(|file| src.join(file)).collect();
        let roots: Vec<&PathBuf> = roots.iter().filter(|path| path.exists()).collect();
        assert!(!roots.is_empty(), "{name} has no root");
        for path in roots {
            let word = if UNSAFE.iter().any(|(crate_name, _)| crate_name == name) { "deny" } else { "forbid" };
            let forbids = read(path).lines().any(|line| line == format!("#![{word}(unsafe_code)]"));
            assert!(forbids, "{} does not {word} unsafe code", path.display());
        }
    }
    for (name, file) in UNSAFE {
        let mut allowing = Vec::new();
        collect_files(&folder_of(name).join("src"), &mut allowing);
        allowing.retain(|path| read(path).contains("allow(unsafe_code)"));
        assert_eq!(allowing, [folder_of(name).join(file)]);
    }
}

#[test]
fn the_crate_with_a_disk_that_forgets_is_used_by_tests_only() {
    for (name, _) in ARROWS {
        let manifest = read(&folder_of(name).join("Cargo.toml"));
        let programs = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        assert!(*name == "unum-powercut" || !programs.contains("unum-powercut"), "{name} has it in its program");
    }
}

#[test]
fn the_game_logic_knows_no_outside_world() {
    assert_absent(&game_logic(), OUTSIDE_WORLD);
}

/// Editions are data: the logic asks what the rules say, never which sheet they are from.
#[test]
fn the_game_logic_never_asks_for_the_edition() {
    assert_absent(&game_logic(), &["Edition::", "if edition", "match edition", ".edition()"]);
}

/// The words are put together here, so that this file does not mention them either.
#[test]
fn no_file_names_the_host_of_a_package_registry() {
    let hosts = [["crates", ".io"].concat(), ["npm", "js"].concat(), ["pypi", ".org"].concat()];
    let hosts: Vec<&str> = hosts.iter().map(String::as_str).collect();
    let mut files = Vec::new();
    collect_files(&root(), &mut files);
    assert!(files.len() > 50, "only {} files found", files.len());
    // Lock files are written by cargo, which names its index in them.
    files.retain(|path| file_name(path) != "Cargo.lock");
    assert_absent(&files, &hosts);
}

/// Crates that talk to each other. What they say is declared in `unum-protocol`, and in `unum-rules` for the referee's
/// vocabulary, once for both sides.
const SPEAKERS: &[&str] = &["unum-client", "unum-server", "unum-soak", "unum-terminal"];

/// Their files with forms that are never sent, only written to the disk of the player: who one is on a server, the setup
/// of a game against bots, what was seen of the deals, the lists of saved games, and the links of tables one has been to.
const KEPT_AT_HOME: &[&str] = &["account.rs", "local.rs", "remote.rs", "saved.rs", "visits.rs"];

#[test]
fn no_form_of_a_message_is_declared_by_those_who_send_it() {
    for name in SPEAKERS {
        let mut files = Vec::new();
        collect_files(&folder_of(name).join("src"), &mut files);
        files.retain(|path| !KEPT_AT_HOME.contains(&file_name(path).as_str()));
        assert!(files.len() > 3, "{name} has no sources");
        assert_absent(&files, &["Serialize)]", "Serialize, ", "Deserialize)]", "Deserialize, ", "#[serde"]);
    }
}

#[test]
fn the_readme_links_to_every_document() {
    let readme = read(&root().join("README.md"));
    for path in children(&root().join("docs")) {
        let link = format!("docs/{}", file_name(&path));
        assert!(!link.ends_with(".md") || readme.contains(&format!("({link}")), "README.md has no link to {link}");
    }
}

// Reading the workspace.

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn folder_of(name: &str) -> PathBuf {
    let flat = root().join("crates").join(name);
    match name {
        "example-bot" => root().join("examples/bot"),
        "unum-python" => root().join("python"),
        _ if flat.exists() => flat,
        _ => root().join(name),
    }
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// What is in a folder, sorted.
fn children(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    paths
}

fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for path in children(folder) {
        if !path.is_dir() {
            files.push(path);
        } else if !SKIPPED_FOLDERS.contains(&file_name(&path).as_str()) {
            collect_files(&path, files);
        }
    }
}

/// The sources of rounds and matches.
fn game_logic() -> Vec<PathBuf> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = vec![src.join("game.rs")];
    collect_files(&src.join("round"), &mut files);
    files
}

/// Fails with every place where one of the words is. Binary files are skipped.
fn assert_absent(files: &[PathBuf], words: &[&str]) {
    let mut found = Vec::new();
    for path in files {
        let bytes = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let Ok(text) = String::from_utf8(bytes) else { continue };
        for (number, line) in (1..).zip(text.lines()) {
            let hits = words.iter().filter(|word| line.contains(**word));
            found.extend(hits.map(|word| format!("{}:{number}: {word}", path.display())));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// The names of all dependencies in a manifest: keys of tables such as `[dev-dependencies]` or
/// `[target.….dependencies]`, and tables of their own such as `[dependencies.name]`.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut names = Vec::new();
    let mut inside = false;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            inside = header.ends_with("dependencies");
            names.extend(header.split_once("dependencies.").map(|(_, name)| name));
        } else if inside && !line.is_empty() && !line.starts_with('#') {
            names.extend(line.split(['.', ' ', '=']).next());
        }
    }
    names
}

#[test]
fn dependencies_are_found_in_every_kind_of_table() {
    let manifest = "[package]\nname = \"x\"\n[dependencies]\n# why\na.workspace = true\nb = \"1\"\n\
        [target.'cfg(unix)'.dependencies]\nc = { version = \"1\" }\n[dev-dependencies.d]\nversion = \"1\"\n[lints]\ne = 1\n";
    assert_eq!(dependencies(manifest), ["a", "b", "c", "d"]);
}
