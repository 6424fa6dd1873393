//! Every command in README.md, CONTRIBUTING.md and docs/: the lines of their `sh` blocks are run as they stand.
//!
//! These stand in for the reader's own: a server for the addresses in the documents, a table and a finished match there,
//! three saved games, the third of them finished, and, where PostgreSQL is installed, a database server.

#![cfg(unix)]

mod piped;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use piped::{printed, unum};
use serde_json::Value;
use unum_scratch::{Care, Scratch};
use unum_soak::{ServerProcess, TOKEN};

/// Commands that are not run, by how they begin, and why.
const NOT_RUN: &[(&str, &str)] = &[
    ("unum admin drain", "then no table begins any more; tests/all/admin.rs of unum-server does it"),
    ("cargo ", "builds, tests and long runs: `cargo xtask test` is what runs this test"),
    ("sudo ", "needs root"),
    ("journalctl ", "needs a service that root has started"),
    ("SSL_CERT_FILE=", "needs a server with a certificate; tests/tls.rs has one"),
    ("docker ", "needs a container engine; `cargo xtask deploy` checks the files"),
    ("UNUM_HOST=", "needs a container engine; `cargo xtask deploy` checks the files"),
    ("kubectl ", "needs a cluster; `cargo xtask deploy` checks the files"),
    ("createuser ", "asks for a password on the terminal; this test creates the user itself"),
    ("unum page --out", "needs a build with the page and its module; tests/cli.rs runs it where there is one"),
    ("pip install ./python", "compiles for minutes; `cargo xtask python` builds, installs and tests the same package"),
    ("unum bench", "measures for half a minute; tests/cli.rs runs a short one"),
    ("unum perft --all", "takes a minute; the tests of unum-rules count the same positions"),
];

/// Programs that not every machine has: their commands are run where they are installed.
const OPTIONAL: &[&str] = &["curl", "sqlite3"];

/// Sessions that are not run, by how a command begins, and why.
const NOT_SHOWN: &[(&str, &str)] = &[("unum verify game.unum --", "is about what the reader was shown before a deal")];

/// Servers run until they are stopped: instead they print what they would serve.
const SERVERS: &[&str] = &["unum", "unum --port", "unum --tls-self-made", "unum serve"];

/// Addresses in the documents that stand for a server.
const ADDRESSES: &[&str] =
    &["https://uno.example.org", "http://host:8080", "http://localhost:8080", "uno.example.org", "localhost:8080"];

/// Where operators reach it in the documents.
const DESK: &str = "http://localhost:9090";

/// The database in the documents.
const DATABASE: &str = "postgres://unum@db.example.org/unum";

/// Folders in the documents that need root: below the current one instead.
const SYSTEM: &[(&str, &str)] = &[("/etc/unum/", "etc/unum/"), ("/var/lib/unum", "var/lib/unum")];

/// Files of the reader's that documents mention.
const FILES: &[(&str, &str)] = &[
    ("position.json", r#"{"top":"Y7","hands":[["B1","Y2"],["Y3","W"]],"draw_pile":["G1","G2"]}"#),
    ("mybot", "#!/bin/sh\nexec python3 examples/bots/simple.py\n"),
    ("etc/unum/password", "secret\n"),
];

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

/// The lines of all `sh` blocks, without comments. The superuser of PostgreSQL is the one who runs this test.
fn commands(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut inside = false;
    for line in text.replace("\\\n", "").lines() {
        match line.trim() {
            "```sh" => inside = true,
            "```" => inside = false,
            line if inside && !line.is_empty() => {
                let command = without_comment(line);
                commands.push(command.strip_prefix("sudo -u postgres ").unwrap_or(command).to_owned());
            }
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

/// Commands within sentences: `unum play --plain`. (`unum deal 2 …` labels what is hashed.)
fn mentions(text: &str) -> Vec<String> {
    let outside: String = text.split("```").step_by(2).collect();
    let one_line = |code: &str| code.split_whitespace().collect::<Vec<_>>().join(" ");
    let quoted = outside.split('`').skip(1).step_by(2).map(one_line);
    quoted.filter(|code| code.starts_with("unum ") && !code.starts_with("unum deal ")).collect()
}

fn without_comment(line: &str) -> &str {
    if line.starts_with('#') {
        return "";
    }
    line.split_once(" #").map_or(line, |(command, _)| command).trim()
}

fn is_server(command: &str) -> bool {
    let command = command.split_once(' ').filter(|(word, _)| word.contains('=')).map_or(command, |(_, rest)| rest);
    let exact = command == SERVERS[0];
    exact || SERVERS[1..].iter().any(|server| command.starts_with(server))
}

/// What stands in for the reader's own.
struct World {
    server: String,
    /// Where its operators reach it.
    desk: String,
    /// The code of a table there.
    code: String,
    /// The id of a finished match there.
    game: String,
    /// A data folder with saved games, and the token of a guest of the server.
    data: tempfile::TempDir,
    /// A data folder of a server that has stopped.
    stopped: tempfile::TempDir,
    /// PostgreSQL, where it is installed, with the user of the documents.
    database: Option<Scratch>,
}

impl World {
    /// Plays a match that is one round against a bot, by autopilot, and ends at the scores.
    const MATCH: [&str; 7] = ["play", "--pace", "instant", "--scoring", "single_round", "--opponents", "random"];

    fn new(server: String, desk: String) -> World {
        let data = tempfile::tempdir().unwrap();
        let play = |args: &[&str], script: &str| printed(&piped::run(args, data.path(), script));
        for _ in 0..3 {
            play(&World::MATCH, "autopilot on\n");
        }
        // The deal takes a moment: until then nobody can stand in.
        let script = format!("start\n{}", "autopilot on\n".repeat(400));
        let told = play(&[&World::MATCH[..], &[&server]].concat(), &script);
        let code = told.split("/t/").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        let stopped = tempfile::tempdir().unwrap();
        World { game: finished(&server, data.path()), server, desk, code, data, stopped, database: database() }
    }

    /// What is run for a command; `None` if it is on the list of those that are not.
    fn runnable(&self, command: &str) -> Option<String> {
        let program = command.split(' ').next().unwrap_or_default();
        let needs_database = program == "createdb" || (command.contains(DATABASE) && !is_server(command));
        let is_missing =
            (OPTIONAL.contains(&program) && !is_installed(program)) || (needs_database && self.database.is_none());
        if is_missing || NOT_RUN.iter().any(|(beginning, _)| command.starts_with(beginning)) {
            return None;
        }
        if is_server(command) {
            let told = ["--print-config", "--check-config"].iter().any(|flag| command.contains(flag));
            return Some(if told { command.to_owned() } else { format!("{command} --print-config") });
        }
        let mut place =
            command.replace("/t/CODE", &format!("/t/{}", self.code)).replace("/g/ID", &format!("/g/{}", self.game));
        for (path, here) in SYSTEM {
            place = place.replace(path, here);
        }
        if let Some(database) = &self.database {
            place = place.replace(DATABASE, &format!("postgres://unum@127.0.0.1:{}/unum", database.port()));
        }
        if program == "unum" && command.starts_with("unum store copy ~") {
            place = place.replace("~/.local/share/unum", &self.stopped.path().to_string_lossy());
        }
        let place = place.replace(DESK, &self.desk);
        let address = ADDRESSES.iter().find(|address| place.contains(**address));
        Some(address.map_or(place.clone(), |address| place.replace(address, &self.server)))
    }

    /// Runs a command in a shell, in a folder with the examples, with the data of this world. Only a password is typed.
    /// Returns whether it succeeded, and what it printed.
    fn run(&self, command: &str, folder: &Path) -> (bool, String) {
        let data = tempfile::tempdir().unwrap();
        copy(self.data.path(), data.path());
        let binary = Path::new(env!("CARGO_BIN_EXE_unum")).parent().unwrap();
        let postgres = unum_scratch::programs().unwrap_or_default();
        let path = format!("{}:{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default(), postgres.display());
        let mut shell = Command::new("sh");
        if let Some(database) = &self.database {
            shell.env("PGHOST", "127.0.0.1").env("PGUSER", "postgres").env("PGPORT", database.port().to_string());
        }
        if command.starts_with("unum admin") {
            shell.env("UNUM_ADMIN", self.desk.trim_start_matches("http://")).env("UNUM_ADMIN_TOKEN", TOKEN);
        }
        let typed = folder.join("typed");
        fs::write(&typed, if command.contains("cat > ") { "secret\n" } else { "" }).unwrap();
        shell.args(["-c", command]).current_dir(folder).stdin(fs::File::open(typed).unwrap());
        shell.env("PATH", path).env("XDG_DATA_HOME", data.path()).env("HOME", folder).env("USER", "Ann");
        let output = shell.output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
        (output.status.success(), printed.into_owned())
    }
}

/// A PostgreSQL server with the user of the documents; `None` where it is not installed.
fn database() -> Option<Scratch> {
    let scratch = Scratch::start(Care::None).map_err(|why| eprintln!("without a database: {why}")).ok()?;
    scratch.sql("CREATE ROLE unum LOGIN PASSWORD 'secret'").unwrap();
    Some(scratch)
}

/// The finished match of the guest whose data that is, once its record is made.
fn finished(server: &str, data: &Path) -> String {
    for _ in 0..600 {
        let games: Value = serde_json::from_str(&printed(&piped::run(&["games", server, "--json"], data, ""))).unwrap();
        if let Some(id) = games["finished"][0]["id"].as_str() {
            return id.to_owned();
        }
        std::thread::sleep(std::time::Duration::from_millis(100));
    }
    panic!("the match is not recorded")
}

fn is_installed(program: &str) -> bool {
    let run = Command::new(program).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).status();
    run.is_ok_and(|status| status.success())
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            fs::create_dir(&target).unwrap();
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}

/// A folder to run commands in.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(root().join("examples"), folder.path().join("examples")).unwrap();
    fs::create_dir_all(folder.path().join("var/lib")).unwrap();
    for (name, text) in FILES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    folder
}

/// Puts the database of a server where its host would find it, as the data folder and as the current one.
fn link_database(served: &Path, folder: &Path) {
    let data = folder.join(".local/share");
    fs::create_dir_all(&data).unwrap();
    std::os::unix::fs::symlink(served, data.join("unum")).unwrap();
    std::os::unix::fs::symlink(served.join("unum.db"), folder.join("unum.db")).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn every_command_in_the_documents_works() {
    let served = tempfile::tempdir().unwrap();
    let mut server = ServerProcess::start(Path::new(env!("CARGO_BIN_EXE_unum")), served.path()).await.unwrap();
    let world = World::new(server.server().url(), server.desk().unwrap());
    server.kill().unwrap();
    copy(served.path(), world.stopped.path());
    server.restart().await.unwrap();
    let mut count = 0;
    for document in documents() {
        let folder = folder();
        link_database(served.path(), folder.path());
        for command in commands(&fs::read_to_string(&document).unwrap()) {
            if let Some(command) = world.runnable(&command) {
                eprintln!("{}: {command}", document.file_name().unwrap().display());
                let (went_well, printed) = world.run(&command, folder.path());
                assert!(went_well, "{command}\n{printed}");
                count += 1;
            }
        }
    }
    assert!(count > 60, "only {count} commands were run");
}

#[test]
fn every_session_in_the_documents_goes_as_shown() {
    let (data, stopped) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let world = World {
        server: String::new(),
        desk: String::new(),
        code: String::new(),
        game: String::new(),
        data,
        stopped,
        database: None,
    };
    let mut count = 0;
    for document in documents() {
        let folder = folder();
        for (command, shown) in sessions(&fs::read_to_string(&document).unwrap()) {
            if NOT_SHOWN.iter().any(|(beginning, _)| command.starts_with(beginning)) {
                continue;
            }
            let (_, printed) = world.run(&command, folder.path());
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

/// Commands within sentences are not run, but their options exist.
#[test]
fn every_option_that_is_mentioned_exists() {
    let data = tempfile::tempdir().unwrap();
    let mut helps: BTreeMap<String, String> = BTreeMap::new();
    let mut count = 0;
    for document in documents() {
        for mention in mentions(&fs::read_to_string(&document).unwrap()) {
            let command = mention.split('|').next().unwrap_or_default();
            let mut words = command.split_whitespace().skip(1).peekable();
            let name = words.next_if(|word| !word.starts_with("--")).unwrap_or("serve").to_owned();
            let help = helps
                .entry(name.clone())
                .or_insert_with(|| printed(&piped::output(unum(&[&name, "--help"], data.path()), "")));
            for option in words.filter(|word| word.starts_with("--")) {
                let option = option.split(['=', ',', ')', '/']).next().unwrap_or_default();
                assert!(help.contains(option), "{}: {mention}: there is no {option}", document.display());
                count += 1;
            }
        }
    }
    assert!(count > 15, "only {count} options were looked for");
}

/// The name by which a heading can be linked to.
fn anchor(heading: &str) -> String {
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = text.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

/// The text of a document without its blocks of commands, in which `#` begins a comment.
fn without_blocks(path: &Path) -> String {
    fs::read_to_string(path).unwrap().split("```").step_by(2).collect()
}

#[test]
fn every_link_between_documents_leads_somewhere() {
    let mut count = 0;
    let others = ["CHANGELOG.md", "ARCHITECTURE.md"].map(|name| root().join(name));
    for document in documents().into_iter().chain(others) {
        let text = without_blocks(&document);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split([')', ' ', '\n']).next()) {
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (path, place) = link.split_once('#').unwrap_or((link, ""));
            let target = if path.is_empty() { document.clone() } else { document.parent().unwrap().join(path) };
            assert!(target.exists(), "{}: {link}: there is no such file", document.display());
            if !place.is_empty() && target.extension().is_some_and(|end| end == "md") {
                let there = without_blocks(&target);
                let found = there.lines().any(|line| line.starts_with('#') && anchor(line) == place);
                assert!(found, "{}: {link}: there is no such heading", document.display());
            }
            count += 1;
        }
    }
    assert!(count > 100, "only {count} links were looked at");
}

#[test]
fn commands_stand_in_blocks_that_are_run() {
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        let programs = ["unum ", "cargo ", "curl ", "sqlite3 ", "sudo ", "python3 ", "npm ", "npx "];
        let indented = |line: &&str| {
            line.strip_prefix("    ").is_some_and(|rest| programs.iter().any(|word| rest.starts_with(word)))
        };
        assert_eq!(text.lines().find(indented), None, "{}: put it between ```sh and ```", document.display());
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
