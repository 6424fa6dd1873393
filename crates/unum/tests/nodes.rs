//! `unum serve --node-listen` and `unum cluster status` from the outside: nodes as processes that are killed and stopped.

use std::io::{BufRead as _, BufReader, Lines};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use unum_scratch::{Care, Scratch};

/// The binary with these arguments, with no configuration from outside.
fn unum(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unum"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("UNUM_")) {
        command.env_remove(name);
    }
    command.args(args).env("XDG_CONFIG_HOME", "/nowhere").stdin(Stdio::null());
    command
}

/// A node that has said where it is, and its output, which is not closed before it ends.
fn node(database: &str, secret: &str) -> (Child, Lines<BufReader<ChildStdout>>) {
    let mut command =
        unum(&["serve", "--listen", "127.0.0.1", "--port", "0", "--lease-term", "2", "--drain-time", "0"]);
    command.args(["--database", database, "--node-listen", "127.0.0.1:0", "--node-secret-file", secret]);
    let mut node = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(node.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("this machine")), "it does not start");
    (node, lines)
}

fn states(database: &str) -> Vec<String> {
    let output = unum(&["cluster", "status", "--json", "--database", database]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let status: Value = serde_json::from_slice(&output.stdout).unwrap();
    let nodes = status["nodes"].as_array().unwrap().iter();
    nodes.map(|node| node["state"].as_str().unwrap().to_owned()).collect()
}

fn alive(database: &str) -> usize {
    states(database).iter().filter(|state| *state == "alive").count()
}

fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_secs(60), "{what} never happens");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn nodes_are_listed_as_they_come_and_go() {
    let scratch = match Scratch::start(Care::None) {
        Ok(scratch) => scratch,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    scratch.sql("CREATE SCHEMA nodes").unwrap();
    let database = scratch.address("nodes");
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "marmalade and toast\n").unwrap();
    let secret = secret.to_str().unwrap();
    let ((mut one, _one), (mut two, _two)) = (node(&database, secret), node(&database, secret));
    assert_eq!(alive(&database), 2);
    let output = unum(&["cluster", "status"]).env("UNUM_DATABASE", &database).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("database 1") && text.contains("nodes: 2, tables: 0"), "{text}");
    // One is killed: the other says so when its lease has run out.
    one.kill().unwrap();
    one.wait().unwrap();
    eventually("that the other has given it up", || states(&database).contains(&"gone".to_owned()));
    assert_eq!(alive(&database), 1);
    // The other is told to stop.
    let stop = Command::new("kill").args(["-TERM", &two.id().to_string()]).status().unwrap();
    assert!(stop.success() && two.wait().unwrap().success());
    assert_eq!(states(&database).iter().filter(|state| *state == "gone").count(), 2);
    // Nobody is told of passwords, and a database that cannot be reached is named.
    let nowhere = "postgres://nobody:hunter2@127.0.0.1:1/none";
    let output = unum(&["cluster", "status", "--database", nowhere]).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && !message.contains("hunter2"), "{message}");
}

#[test]
fn a_database_whose_only_node_was_killed_can_be_copied() {
    let scratch = match Scratch::start(Care::None) {
        Ok(scratch) => scratch,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    scratch.sql("CREATE SCHEMA lonely").unwrap();
    let database = scratch.address("lonely");
    let folder = tempfile::tempdir().unwrap();
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "marmalade and toast\n").unwrap();
    let (mut node, _output) = node(&database, secret.to_str().unwrap());
    let target = folder.path().join("target");
    let copy = || unum(&["store", "copy", &database, target.to_str().unwrap()]).output().unwrap();
    let refused = copy();
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && message.contains("stop it first"), "{message}");
    assert!(!target.exists(), "a copy that is refused leaves nothing behind");
    node.kill().unwrap();
    node.wait().unwrap();
    // Nobody is left to declare it dead.
    eventually("the end of its lease", || states(&database) == ["silent"]);
    let copied = copy();
    let message = String::from_utf8_lossy(&copied.stderr);
    assert!(copied.status.success(), "{message}");
    assert_eq!(states(&database), ["gone"]);
}
