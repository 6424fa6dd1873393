//! Every command in README.md, CONTRIBUTING.md and docs/: the lines of their `sh` blocks are run as they stand.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Commands that are not run, by how they begin, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("cargo ", "builds, tests and long runs: `cargo xtask test` is what runs this test"),
    ("unum play https://uno.example.org", "needs a server on another machine"),
    ("unum play uno.example.org", "needs a server on another machine"),
    ("unum play http://host:8080", "needs a server on another machine"),
    ("SSL_CERT_FILE=", "needs a server on another machine"),
    ("unum games https://uno.example.org", "needs a server on another machine"),
    ("unum games uno.example.org", "needs a server on another machine"),
    ("unum tables ", "needs a running server; tests/play.rs lists tables"),
    ("unum replay https://uno.example.org", "needs a server on another machine"),
    ("unum replay 3", "needs a finished game of that number; tests/play.rs replays one"),
    ("unum review 3", "needs a finished game of that number; tests/review.rs reviews a record"),
    ("unum verify 3", "needs a finished game of that number; tests/play.rs verifies one"),
    ("unum play --continue 3", "needs a saved game of that number; tests/play.rs continues one"),
    ("unum games --delete 3", "needs a saved game of that number; tests/play.rs deletes one"),
    ("python3 examples/bots/table.py http://localhost", "needs a running server; tests/served.rs runs it"),
    ("unum bench", "measures for half a minute; tests/cli.rs runs a short one"),
    ("unum perft --position @position.json", "needs a file of the reader's"),
    ("unum perft --all", "takes a minute; the tests of unum-rules count the same positions"),
    ("unum arena \"mine=program:./mybot", "is about a program of the reader's"),
];

/// Sessions that are not run, by how a command begins, and why.
const NOT_SHOWN: &[(&str, &str)] = &[("unum verify game.unum --", "is about what the reader was shown before a deal")];

/// Servers run until they are stopped: instead they print what they would serve.
const SERVERS: &[&str] = &["unum", "unum --port", "unum serve"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn documents() -> Vec<PathBuf> {
    let docs = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let mut documents: Vec<PathBuf> = docs.filter(|path| path.extension().is_some_and(|end| end == "md")).collect();
    documents.extend(["README.md", "CONTRIBUTING.md"].map(|name| root().join(name)));
    documents.sort();
    documents
}

/// The lines of all `sh` blocks, without comments.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            line if inside && !line.is_empty() => commands.push(without_comment(line).to_owned()),
            _ => {}
        }
    }
    commands.retain(|command| !command.is_empty());
    commands
}

/// The commands of all `console` blocks, each with what they print.
fn sessions(text: &str) -> Vec<(String, Vec<String>)> {
    let mut sessions: Vec<(String, Vec<String>)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        match (line.trim(), line.strip_prefix("$ ")) {
            ("```console", _) => inside = true,
            ("```", _) => inside = false,
            (_, Some(command)) if inside => sessions.push((without_comment(command).to_owned(), Vec::new())),
            (printed, None) if inside => {
                sessions.last_mut().into_iter().for_each(|(_, lines)| lines.push(printed.to_owned()));
            }
            _ => {}
        }
    }
    sessions
}

fn without_comment(line: &str) -> &str {
    if line.starts_with('#') {
        return "";
    }
    line.split_once(" #").map_or(line, |(command, _)| command).trim()
}

fn is_server(command: &str) -> bool {
    let exact = command == SERVERS[0];
    exact || SERVERS[1..].iter().any(|server| command.starts_with(server))
}

/// What is run for a command; `None` if it is on the list of those that are not.
fn runnable(command: &str) -> Option<String> {
    let listed = NOT_RUN.iter().any(|(beginning, _)| command.starts_with(beginning));
    match command {
        _ if listed => None,
        command if is_server(command) => Some(format!("{command} --print-config")),
        command => Some(command.to_owned()),
    }
}

/// Runs a command in a shell, in a folder with the examples, with data of its own. Nothing is typed. Says whether it went
/// well, and what it printed.
fn run(command: &str, folder: &Path) -> (bool, String) {
    let binary = Path::new(env!("CARGO_BIN_EXE_unum")).parent().unwrap();
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", command]).current_dir(folder).stdin(Stdio::null());
    shell.env("PATH", path).env("XDG_DATA_HOME", folder.join("data")).env("HOME", folder).env("USER", "Ann");
    let output = shell.output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    (output.status.success(), printed.into_owned())
}

/// A folder to run commands in.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("examples"), folder.path().join("examples")).unwrap();
    folder
}

#[test]
fn every_command_in_the_documents_works() {
    let mut count = 0;
    for document in documents() {
        let folder = folder();
        for command in commands(&fs::read_to_string(&document).unwrap()) {
            if let Some(command) = runnable(&command) {
                eprintln!("{}: {command}", document.file_name().unwrap().display());
                let (went_well, printed) = run(&command, folder.path());
                assert!(went_well, "{command}\n{printed}");
                count += 1;
            }
        }
    }
    assert!(count > 25, "only {count} commands were run");
}

#[test]
fn every_session_in_the_documents_goes_as_shown() {
    let mut count = 0;
    for document in documents() {
        let folder = folder();
        for (command, shown) in sessions(&fs::read_to_string(&document).unwrap()) {
            if NOT_SHOWN.iter().any(|(beginning, _)| command.starts_with(beginning)) {
                continue;
            }
            let (_, printed) = run(&command, folder.path());
            for line in shown {
                assert!(printed.lines().any(|other| other.trim() == line), "{command}\n{line}\nnot in\n{printed}");
                count += 1;
            }
        }
    }
    assert!(count > 2, "only {count} lines were compared");
}

#[test]
fn every_exception_is_still_needed() {
    let texts: Vec<String> = documents().iter().map(|document| fs::read_to_string(document).unwrap()).collect();
    let shown = texts.iter().flat_map(|text| sessions(text)).map(|(command, _)| command);
    let all: Vec<String> = texts.iter().flat_map(|text| commands(text)).chain(shown).collect();
    for (beginning, reason) in NOT_RUN.iter().chain(NOT_SHOWN) {
        let used = all.iter().any(|command| command.starts_with(beginning));
        assert!(used && !reason.is_empty(), "{beginning} is in no document");
    }
}

#[test]
fn documents_use_the_installed_program() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let stray = text.lines().find(|line| line.trim_start().starts_with("cargo run --release --"));
        assert_eq!(stray, None, "{}: write unum", document.display());
    }
}
