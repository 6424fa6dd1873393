//! `unum serve` from the outside: its configuration, its start and its end.

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Child, Command, Output, Stdio};

/// The binary with these arguments, with no configuration from outside.
fn unum(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unum"));
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("UNUM_")) {
        command.env_remove(name);
    }
    command.args(args).env("XDG_CONFIG_HOME", "/nowhere").stdin(Stdio::null());
    command
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn flags_count_more_than_the_environment_and_that_more_than_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("serve.toml");
    std::fs::write(&file, "port = 1\ntables = 11\nlog = \"info\"\n").unwrap();
    let file = file.to_str().unwrap();
    let mut command =
        unum(&["serve", "--print-config", "--config", file, "--port", "3", "--trusted-proxy", "10.0.0.0/8"]);
    let output = run(command.env("UNUM_PORT", "2").env("UNUM_TABLES", "22"));
    let printed = text(&output.stdout);
    for line in
        ["port = 3", "tables = 22", "log = \"info\"", "trusted_proxies = [\"10.0.0.0/8\"]", "queue_messages = 256"]
    {
        assert!(printed.lines().any(|found| found == line), "{line} is missing in\n{printed}");
    }
    let again = folder.path().join("again.toml");
    std::fs::write(&again, &printed).unwrap();
    let output = run(&mut unum(&["serve", "--print-config", "--config", again.to_str().unwrap()]));
    assert_eq!(text(&output.stdout), printed, "what is printed can be used as a file");
}

#[test]
fn mistakes_in_the_configuration_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("serve.toml");
    std::fs::write(&file, "prot = 1\n").unwrap();
    let output = run(&mut unum(&["serve", "--config", file.to_str().unwrap()]));
    assert!(!output.status.success());
    assert!(
        text(&output.stderr).contains("prot: there is no such setting. Did you mean port?"),
        "{}",
        text(&output.stderr)
    );
    let output = run(unum(&["serve"]).env("UNUM_PROT", "1"));
    assert!(text(&output.stderr).contains("UNUM_PROT"), "{}", text(&output.stderr));
    let output = run(&mut unum(&["serve", "--port", "many"]));
    assert!(text(&output.stderr).contains("the command line: port: expected a port"), "{}", text(&output.stderr));
}

/// A server that has said where it is, and the rest of its output.
fn started(args: &[&str]) -> (Child, u16, BufReader<std::process::ChildStdout>) {
    started_by(unum(&["serve", "--listen", "127.0.0.1", "--port", "0"]).args(args))
}

fn started_by(command: &mut Command) -> (Child, u16, BufReader<std::process::ChildStdout>) {
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("http://127.0.0.1:") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "the server ended before it said where it is");
    }
    let port = line.trim().rsplit(':').next().unwrap().parse().unwrap();
    (child, port, output)
}

#[test]
fn a_taken_port_is_an_error_that_says_what_to_do() {
    let (mut child, port, _output) = started(&["--ephemeral"]);
    let port = port.to_string();
    let output = run(&mut unum(&["serve", "--listen", "127.0.0.1", "--ephemeral", "--port", &port]));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!output.status.success());
    let message = text(&output.stderr);
    assert!(message.contains(&port) && message.contains("--port"), "{message}");
}

#[test]
fn with_debug_the_log_tells_who_comes_without_names() {
    let folder = tempfile::tempdir().unwrap();
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    let mut command = unum(&["serve", "--listen", "127.0.0.1", "--port", "0", "--ephemeral", "--log", "debug"]);
    let (mut child, port, _output) = started_by(command.stderr(log));
    let address = format!("http://127.0.0.1:{port}");
    let data = folder.path().to_str().unwrap();
    let played = run(&mut unum(&["play", &address, "--plain", "--name", "Wilhelmina", "--data", data]));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(played.status.success(), "{}", text(&played.stderr));
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    for line in ["a table was opened", "a guest joined a table"] {
        assert!(log.contains(line), "{log}");
    }
    let link = text(&played.stdout);
    let code = link.split("/t/").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a link");
    assert!(!log.contains("Wilhelmina") && !log.contains(code), "{log}");
    assert!(!log.contains('\x1b'), "colors are for terminals: {log}");
}

#[test]
fn the_log_of_a_played_game_is_json_and_names_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let log = std::fs::File::create(folder.path().join("log")).unwrap();
    let flags = ["--ephemeral", "--log", "debug", "--log-format", "json", "--access-log"];
    let mut command = unum(&["serve", "--listen", "127.0.0.1", "--port", "0", "--admin", "0"]);
    let (mut child, port, mut output) = started_by(command.args(flags).stderr(log));
    let mut line = String::new();
    while !line.contains("operators") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "the server does not say where operators reach it");
    }
    let desk = line.split("http://").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
    let address = format!("http://127.0.0.1:{port}");
    let data = folder.path().to_str().unwrap();
    let script = format!("say marmalade\nstart\n{}", "autopilot on\n".repeat(400));
    let mut player = unum(&["play", &address, "--plain", "--name", "Wilhelmina", "--data", data]);
    player.args(["--pace", "instant", "--scoring", "single_round", "--opponents", "random"]);
    let mut player = player.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let writing = player.stdin.take().unwrap();
    let writer = std::thread::spawn(move || std::io::Write::write_all(&mut { writing }, script.as_bytes()));
    let played = player.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let done = run(&mut unum(&["admin", "--at", &desk, "announce", "back at eight"]));
    assert!(done.status.success(), "{}", text(&done.stderr));
    child.kill().unwrap();
    child.wait().unwrap();
    let log = std::fs::read_to_string(folder.path().join("log")).unwrap();
    let link = text(&played.stdout);
    let code = link.split("/t/").nth(1).and_then(|rest| rest.split_whitespace().next()).expect("a link");
    let servers = std::fs::read_dir(folder.path().join("servers")).unwrap();
    let token_in = |path| {
        let kept: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(path).ok()?).ok()?;
        Some(kept["token"].as_str()?.to_owned())
    };
    let token = servers.filter_map(|entry| token_in(entry.ok()?.path())).next().expect("a token");
    for secret in ["Wilhelmina", "marmalade", "back at eight", code, token.as_str()] {
        assert!(!log.contains(secret), "{secret} is in the log");
    }
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))).collect();
    for line in &lines {
        assert!(line["at"].as_str().is_some_and(|at| at.ends_with('Z')) && line["level"].is_string(), "{line}");
    }
    let access = |route: &str| lines.iter().find(|line| line["from"] == "unum::access" && line["route"] == route);
    let opened = access("/api/tables").expect("the request that opened the table");
    assert_eq!((&opened["status"], &opened["method"]), (&201.into(), &"POST".into()));
    assert!(opened["request"].as_u64().is_some_and(|number| number > 0) && opened["micros"].is_u64(), "{opened}");
    let joined = lines.iter().find(|line| line["message"] == "a guest joined a table").unwrap();
    assert!(joined["request"].is_u64(), "{joined}");
    assert!(lines.iter().any(|line| line["message"] == "an operator acts" && line["act"] == "announce"));
}

#[cfg(unix)]
#[test]
fn a_server_that_is_told_to_stop_ends_in_good_order() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let (mut child, _, mut output) = started(&["--data", data.to_str().unwrap()]);
    let pid = rustix::process::Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::TERM).unwrap();
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success());
    assert!(rest.contains("Stopping") && rest.contains("Every game is saved"), "{rest}");
    assert!(data.join("unum.db").exists());
}

#[test]
fn what_is_damaged_is_named_set_aside_and_told_by_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let (data, aside) = (folder.path().join("data"), folder.path().join("aside.gz"));
    let (data, aside) = (data.to_str().unwrap(), aside.to_str().unwrap());
    let said = |words: &[&str]| {
        let output = run(&mut unum(&[words, &["--data", data]].concat()));
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    for command in [&["check"][..], &["backup", aside]] {
        let (code, _, errors) = said(command);
        assert_eq!(code, Some(1), "{errors}");
        assert!(errors.contains("has no database in it") && errors.contains("--data"), "{errors}");
    }
    let store = unum_store::Store::open(std::path::Path::new(data)).unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    let batch = unum_store::Batch { table: "T".to_owned(), entries: vec![b"nonsense".to_vec()], ..Default::default() };
    store.append(batch, move |result| tell.send(result).unwrap());
    told.recv().unwrap().unwrap();
    let (code, output, errors) = said(&["check"]);
    assert_eq!(code, Some(1), "{output}{errors}");
    assert!(output.contains("Damaged: table 1 (T): entry 1 "), "{output}");
    assert!(errors.contains("1 thing is damaged") && errors.contains("--set-aside"), "{errors}");
    let (code, _, errors) = said(&["check", "--set-aside", aside]);
    assert!(code == Some(1) && errors.contains("stop that one first"), "a server has it: {errors}");
    store.close();
    let (code, output, errors) = said(&["check", "--set-aside", aside]);
    assert_eq!(code, Some(0), "{output}{errors}");
    assert!(output.contains("Set aside. Tables: 1, entries: 1,") && output.contains("The rest is whole."), "{output}");
    let (code, output, _) = said(&["check"]);
    assert_eq!((code, output.contains("Tables: 0,")), (Some(0), true), "{output}");
}

#[test]
fn a_backup_goes_through_pipes_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let (data, again) = (folder.path().join("data"), folder.path().join("again"));
    let on = |command: &str, data: &std::path::Path| unum(&[command, "-", "--data", data.to_str().unwrap()]);
    unum_store::Store::open(&data).unwrap().close();
    let made = run(&mut on("backup", &data));
    assert!(made.status.success(), "{}", text(&made.stderr));
    assert!(text(&made.stderr).contains("Backed up and verified. Tables: 0,"), "{}", text(&made.stderr));
    let file = folder.path().join("unum-backup.gz");
    std::fs::write(&file, &made.stdout).unwrap();
    let read = || std::fs::File::open(&file).unwrap();
    let restored = run(on("restore", &again).stdin(read()));
    assert!(restored.status.success(), "{}", text(&restored.stderr));
    let cut = folder.path().join("cut.gz");
    std::fs::write(&cut, &made.stdout[..made.stdout.len() / 2]).unwrap();
    let refused = run(on("restore", &folder.path().join("other")).stdin(std::fs::File::open(&cut).unwrap()));
    assert!(!refused.status.success() && text(&refused.stderr).contains("is damaged"), "{}", text(&refused.stderr));
    for place in [&data, &again] {
        let left: Vec<_> = std::fs::read_dir(place).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(left.iter().all(|name| !name.to_string_lossy().contains("backup")), "{left:?}");
    }
}

/// What `--check-config` says, and its exit code.
fn checked(command: &mut Command) -> (Option<i32>, String) {
    let output = run(command.arg("--check-config"));
    (output.status.code(), text(&output.stdout) + &text(&output.stderr))
}

#[test]
fn a_configuration_can_be_checked_while_a_server_runs() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    let data = data.to_str().unwrap();
    let (mut child, port, _output) = started(&["--data", data]);
    let file = folder.path().join("serve.toml");
    std::fs::write(&file, "tables = 11\nlog = \"info\"\nadmin = 9090\nmetrics_token = \"0123456789abcdef\"\n").unwrap();
    let mut command = unum(&["serve", "--config", file.to_str().unwrap(), "--port", &port.to_string(), "--data", data]);
    let (code, said) = checked(command.env("UNUM_LOG", "warn"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(code, Some(0), "{said}");
    let file = file.display();
    for line in [
        format!("port = {port}   (the command line)"),
        format!("tables = 11   ({file})"),
        "log = warn   (the environment)".to_owned(),
        format!("admin = 127.0.0.1:9090   ({file})"),
        format!("metrics_token = (not shown)   ({file})"),
        format!("listens at     0.0.0.0:{port}"),
        format!("data           {data}"),
    ] {
        assert!(said.lines().any(|found| found.trim() == line), "{line} is missing in\n{said}");
    }
    let (code, said) = checked(&mut unum(&["serve"]));
    assert!(code == Some(0) && said.contains("every setting has its default"), "{said}");
}

#[test]
fn a_configuration_that_cannot_be_used_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "short\n").unwrap();
    let (file, missing) = (file.to_str().unwrap(), folder.path().join("missing"));
    let missing = missing.to_str().unwrap();
    let postgres = ["--database", "postgres://unum@db/unum"];
    let node = [&postgres[..], &["--node-listen", "0.0.0.0:7500"]].concat();
    for (args, words) in [
        (vec!["--port", "many"], "port: expected a port, 0 to 65535"),
        (vec!["--public-url", "https://example.org/a b"], "https://example.org/uno"),
        (vec!["--data", file], "is not a folder: name a folder"),
        (vec!["--seed", "1"], "needs --ephemeral"),
        (vec!["--config", missing], "the file cannot be read"),
        ([&postgres[..], &["--database-password-file", missing]].concat(), "check its path and permissions"),
        (node.clone(), "--node-secret-file"),
        ([&node[..], &["--node-secret-file", file]].concat(), "at least 16"),
        ([&node[..], &["--node-secret", "0123456789abcdef"]].concat(), "--node-address HOST:PORT"),
    ] {
        let (code, said) = checked(unum(&["serve"]).args(&args));
        assert_eq!(code, Some(2), "{args:?}: {said}");
        assert!(said.contains(words), "{args:?}: {said}");
    }
    assert!(!folder.path().join("missing").exists());
}

#[test]
fn terminals_play_at_a_server_below_a_path() {
    let folder = tempfile::tempdir().unwrap();
    let (mut child, port, _output) = started(&["--ephemeral", "--public-url", "http://uno.local/games/uno"]);
    let (address, data) = (format!("http://127.0.0.1:{port}/games/uno"), folder.path().to_str().unwrap());
    let opened = run(&mut unum(&["play", &address, "--plain", "--name", "Ann", "--data", data]));
    let link = text(&opened.stdout);
    let link = link.split_whitespace().find(|word| word.starts_with("http://uno.local/games/uno/t/")).expect("a link");
    let code = link.rsplit('/').next().unwrap().to_owned();
    let again = run(&mut unum(&["play", &format!("{address}/t/{code}"), "--plain", "--data", data]));
    let tables = run(&mut unum(&["tables", &address]));
    let wrong = run(&mut unum(&["play", &format!("{address}/page.html"), "--plain", "--data", data]));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(again.status.success() && tables.status.success(), "{again:?} {tables:?}");
    assert!(text(&again.stdout).contains(&code), "{}", text(&again.stdout));
    assert!(text(&tables.stdout).contains(&address), "{}", text(&tables.stdout));
    assert!(text(&wrong.stderr).contains("is not an invite link"), "{}", text(&wrong.stderr));
    let tokens: Vec<_> = std::fs::read_dir(folder.path().join("servers")).unwrap().flatten().collect();
    let names: Vec<_> = tokens.iter().map(|file| file.file_name().into_string().unwrap()).collect();
    assert!(names.iter().any(|name| name.contains("games_uno")), "a token for each path: {names:?}");
}
