//! The real binary, run as people and programs run it.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use serde_json::Value;

const COMMANDS: [&str; 26] = [
    "play",
    "games",
    "tables",
    "rules",
    "record",
    "replay",
    "review",
    "analyze",
    "verify",
    "referee",
    "perft",
    "bench",
    "arena",
    "tournament",
    "simulate",
    "study",
    "merge",
    "serve",
    "page",
    "completions",
    "man",
    "backup",
    "restore",
    "check",
    "monitor",
    "admin",
];
const EDITIONS: [&str; 5] = ["original", "fairies", "frozen", "custom", "modern"];
const ESCAPE: char = '\x1b';

/// The binary with these arguments, its pipes open, without the caller's wishes about color.
fn unum(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unum"));
    command.args(args).env_remove("CLICOLOR_FORCE").env_remove("NO_COLOR");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn spawn(mut command: Command) -> Child {
    command.spawn().expect("the binary starts")
}

fn run(args: &[&str]) -> Output {
    unum(args).output().expect("the binary runs")
}

/// Runs with an input, written from a thread: neither side has to wait for the other's pipe.
fn run_with(args: &[&str], input: impl Into<Vec<u8>>) -> Output {
    let mut command = unum(args);
    command.stdin(Stdio::piped());
    let mut child = spawn(command);
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.into();
    let writer = thread::spawn(move || {
        // The program may stop reading early, on purpose; the tests look at the answer.
        let _ = stdin.write_all(&input);
    });
    let output = child.wait_with_output().expect("the binary ends");
    writer.join().expect("the writer ends");
    output
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is UTF-8")
}

/// What was printed by a run that went well.
fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}: {}", output.status, text(&output.stderr));
    assert_eq!(text(&output.stderr), "");
    text(&output.stdout)
}

/// What was complained about by a run that went wrong.
fn complaint(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    text(&output.stderr)
}

// Getting to know it.

#[test]
fn help_is_an_overview_of_every_command() {
    let overview = printed(&run(&["help"]));
    for command in COMMANDS {
        assert!(overview.contains(&format!("  unum {command}")), "{command}: {overview}");
    }
}

#[test]
fn every_command_explains_itself() {
    let help = printed(&run(&["--help"]));
    for command in COMMANDS {
        assert!(help.contains(&format!("\n  {command} ")), "{command}: {help}");
        let own = printed(&run(&[command, "--help"]));
        assert!(own.contains(&format!("Usage: unum {command}")), "{own}");
    }
}

#[test]
fn a_command_that_does_not_exist_is_an_error() {
    let output = run(&["rule"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("rules"), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), "");
}

// Rules.

/// What a wrong option is answered with: code 2 and a sentence.
fn refused(args: &[&str]) -> String {
    let output = run(args);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
    told
}

#[test]
fn wrong_options_have_their_code_and_a_sentence_with_advice() {
    for (args, words) in [
        (&["play", "--players", "1"][..], "must be from 2 to 10"),
        (&["play", "--players", "abc"], "\"abc\" is not a whole number"),
        (&["play", "--deals", "3"], "--deals"),
        (&["play", "--house", "stackng"], "Did you mean stacking?"),
        (&["play", "--house", "stacking"], "stacking takes off, same or any"),
        (&["play", "--scoring", "first"], "scoring takes printed, or first_to"),
        (&["play", "--clock", "2"], "write off, or a number from 5 to 600"),
        (&["play", "--name", ""], "a name must have 1 to"),
        (&["play", "--edition", "frzen"], "Did you mean frozen?"),
        (&["play", "--level", "hrad"], "Did you mean hard?"),
        (&["play", "--opponents", "easy", "--level", "hard"], "leave --level out"),
        (&["play", "--continue", "nothing"], "`unum games` lists them"),
        (&["play", "--continue", "--level", "hard"], "--level has no effect here"),
        (
            &["play", "http://127.0.0.1:1/t/k3m9pqx7t", "--players", "3", "--pace", "brisk"],
            "--players, --pace have no effect",
        ),
        (&["play", "http://127.0.0.1:1", "--level", "hard"], "--opponents"),
        (&["arena", "hard", "rndom"], "Did you mean random?"),
        (&["arena", "hard", "random", "--deals", "0"], "must be from 1 to"),
        (&["arena", "hard", "random", "--threads", "0"], "must be from 1 to"),
        (&["simulate", "--rounds", "0"], "must be from 1 to"),
        (&["simulate", "--players", "11"], "must be from 2 to 10"),
        (&["record", "--players", "1"], "must be from 2 to 10"),
        (&["record", "--seed", "x"], "is not a whole number"),
        (&["record", "--dealer", "9"], "unum: the dealer is one of the 3 players, not seat 9"),
        (&["perft", "--position", "x", "3"], "--position: "),
        (&["perft", "--rules", "x", "--position", "{}", "3"], "--rules: this is not JSON: see line 1, column 1"),
        (&["perft", "--position", "{}"], "needs a DEPTH"),
        (&["perft", "--divide"], "`--divide` needs a reference position"),
        (&["arena", "hard", "random", "--seed", "x"], "is not a whole number"),
        (&["perft", "stuck", "--seed", "x"], "is not a whole number"),
        (&["bench", "--players", "1"], "must be from 2 to 10"),
        (&["serve", "--port", "99999"], "port"),
        (&["--port", "99999"], "port"),
        (&["perft", "stuk"], "unum perft"),
        (&["help", "arna"], "Did you mean arena?"),
        (&["rules", "stakcing"], "stacking"),
    ] {
        let told = refused(args);
        assert!(told.contains(words), "{args:?}: {told}");
        for jargon in ["u8", "invalid digit", "non-zero", "2..=10", "boolean", "as a value"] {
            assert!(!told.contains(jargon), "{args:?}: {told}");
        }
    }
}

#[test]
fn numbers_may_be_written_as_the_help_writes_them() {
    for number in ["1,000", "1_000", "1e3"] {
        let output = run(&["simulate", "--rounds", number, "--players", "2"]);
        assert!(printed(&output).starts_with("1,000 rounds"), "{number}");
    }
}

#[test]
fn a_failure_is_told_once() {
    let output = run(&["play", "--plain", "http://127.0.0.1:1/t/k3m9pqx7t"]);
    let told = complaint(&output);
    assert_eq!(told.matches("refused").count(), 1, "{told}");
}

#[test]
fn the_page_is_written_as_plain_files_and_over_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("site");
    let write = |out: &std::path::Path| run(&["page", "--out", out.to_str().unwrap()]);
    let Ok(files) = unum_page::site() else {
        // A build without Node or without the module says what is missing.
        assert!(complaint(&write(&out)).contains("built without"));
        return;
    };
    assert!(printed(&write(&out)).contains(&format!("{} files", files.len())));
    for (path, bytes) in &files {
        assert_eq!(&fs::read(out.join(path)).unwrap()[..], &bytes[..], "{path}");
    }
    // Again, as an update; but not over somebody's documents.
    printed(&write(&out));
    fs::write(folder.path().join("letter.txt"), "Dear").unwrap();
    assert!(complaint(&write(folder.path())).contains("holds something else"));
}

#[test]
fn bare_options_are_those_of_the_server() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().to_str().unwrap();
    let config = printed(&run(&["--port", "18099", "--data", data, "--print-config"]));
    assert!(config.contains("port = 18099"), "{config}");
    let help = printed(&run(&["--help"]));
    assert!(help.contains("Without a command, unum starts a server") && help.contains("--port"), "{help}");
}

#[test]
fn one_rule_can_be_looked_up() {
    let page = printed(&run(&["rules", "W4"]));
    assert!(page.starts_with("W4  Challenging a Wild Draw Four\n"), "{page}");
    assert_eq!(printed(&run(&["rules", "w4"])), page);
}

#[test]
fn an_unknown_rule_is_an_error_that_suggests_the_nearest_one() {
    let complaint = refused(&["rules", "W44"]);
    assert!(complaint.starts_with("unum: ") && complaint.contains("try W4;"), "{complaint}");
}

/// The ids that refusals carry can be looked up.
#[test]
fn the_rule_of_a_refusal_can_be_looked_up() {
    let keep = r#"{"op":"act","seat":1,"action":{"type":"keep"}}"#;
    let replies = referee(format!("{NEW}\n{keep}\n"));
    let rule = replies[1]["error"]["rule"].as_str().expect("a rule");
    assert!(printed(&run(&["rules", rule])).starts_with(rule));
}

// Records.

#[test]
fn records_of_all_editions_can_be_piped_into_replay() {
    for edition in EDITIONS {
        for format in ["text", "json"] {
            let mut record = spawn(unum(&["record", "--edition", edition, "--format", format]));
            let mut replay = unum(&["replay", "-", "--quiet"]);
            replay.stdin(record.stdout.take().expect("a pipe"));
            let verified = printed(&replay.output().expect("the binary runs"));
            assert!(verified.starts_with("verified: "), "{edition}: {verified}");
            assert!(record.wait().expect("the binary ends").success());
        }
    }
}

#[test]
fn a_record_in_a_file_is_replayed_move_by_move() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.unum");
    let file = file.to_str().expect("a path in UTF-8");
    assert_eq!(printed(&run(&["record", "--names", "Ann,Bob,Cy", "--edition", "modern", "--output", file])), "");
    let game = printed(&run(&["replay", file]));
    assert!(game.contains("Ann") && game.contains("Bob") && game.contains("Cy"), "{game}");
    assert_eq!(printed(&run(&["replay", file, "--to", "text"])), fs::read_to_string(file).expect("the record"));
}

#[test]
fn a_tampered_record_is_refused_and_the_first_wrong_move_named() {
    let record = printed(&run(&["record", "--edition", "modern"]));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("tampered.unum");
    let file = file.to_str().expect("a path in UTF-8");
    for number in [1, 3, 20] {
        let moved = nth_move(&record, number);
        fs::write(file, record.replacen(&moved, &forged(&moved), 1)).expect("a file");
        let complaint = complaint(&run(&["replay", file]));
        assert!(complaint.contains(&format!("move {number} ")), "{number}: {complaint}");
        assert!(complaint.contains(file), "{complaint}");
    }
}

#[test]
fn a_record_with_a_move_left_out_is_refused() {
    let record = printed(&run(&["record", "--edition", "modern"]));
    let moved = nth_move(&record, 3);
    let complaint = complaint(&run_with(&["replay", "-"], record.replacen(&moved, "", 1)));
    assert!(complaint.contains("move 3 "), "{complaint}");
}

/// A fairly dealt match as JSON.
fn fair_record(edition: &str, options: &[&str]) -> String {
    let args = ["record", "--fair", "--edition", edition, "--format", "json"];
    printed(&run(&[&args, options].concat()))
}

fn verify(record: &str, options: &[&str]) -> Output {
    run_with(&[&["verify", "-"], options].concat(), record)
}

#[test]
fn a_fairly_dealt_match_is_verified_in_both_forms() {
    let record = fair_record("original", &["--names", "Ann,Bob,Cy", "--seed", "3"]);
    let said = printed(&verify(&record, &[]));
    assert!(said.contains("Round 1\n  commitment  ") && said.contains(" by Bob\n"), "{said}");
    assert!(said.contains("each dealt from the secret behind its commitment"), "{said}");
    let text = printed(&run_with(&["replay", "-", "--to", "text"], record));
    assert_eq!(printed(&verify(&text, &[])), said);
}

#[test]
fn what_was_seen_before_the_deal_is_compared() {
    let record = fair_record("modern", &["--seed", "4"]);
    let report: Value = serde_json::from_str(&printed(&verify(&record, &["--json"]))).expect("JSON");
    let round = &report["rounds"][0];
    let commitment = round["commitment"].as_str().expect("a commitment");
    let entropy = round["entropy"][2].as_str().expect("entropy");
    let other = "ab".repeat(32);
    for seen in [commitment.to_owned(), format!("1:{commitment}"), format!("1:{}", commitment.to_uppercase())] {
        printed(&verify(&record, &["--commitment", &seen]));
    }
    printed(&verify(&record, &["--entropy", &format!("1:2={entropy}")]));
    let pledge = round["pledges"][2].as_str().expect("a pledge");
    printed(&verify(&record, &["--pledge", &format!("1:2={pledge}")]));
    for (option, seen, words) in [
        ("--commitment", other.clone(), "no round was dealt from a secret with the commitment abab"),
        ("--commitment", format!("2:{commitment}"), "there is no round 2: the record has 1 round"),
        ("--pledge", format!("1:1={pledge}"), "somebody swapped the part"),
        ("--entropy", format!("2={other}"), "left it out or changed it"),
        ("--entropy", format!("1:1={entropy}"), "round 1 was not dealt with"),
        ("--entropy", format!("9={entropy}"), "left it out or changed it"),
    ] {
        let said = complaint(&verify(&record, &[option, &seen]));
        assert!(said.contains(words), "{said}");
    }
    for bad in ["", "0", "0:ab", "x:ab", "ab"] {
        assert_eq!(verify(&record, &["--commitment", bad]).status.code(), Some(2), "{bad}");
    }
}

#[test]
fn a_part_that_was_withheld_is_named() {
    let record = fair_record("original", &["--names", "Ann,Bob,Cy", "--seed", "5"]);
    let said = printed(&verify(&record, &[]));
    assert!(said.contains("nothing, though a part was pledged, by "), "{said}");
    assert!(said.contains("  attempt     2: the players pledged again"), "{said}");
}

#[test]
fn a_forged_secret_is_found() {
    let record = fair_record("frozen", &["--seed", "5"]);
    let (head, rest) = record.split_once("\"secret\":\"").expect("a secret");
    let forged = format!("{head}\"secret\":\"{}{}", "00".repeat(32), &rest[64..]);
    let said = complaint(&verify(&forged, &[]));
    assert!(said.contains("standard input: move 0, the deal: "), "{said}");
}

#[test]
fn a_plain_seed_proves_only_the_replay() {
    let record = printed(&run(&["record", "--edition", "modern", "--seed", "7"]));
    let said = printed(&verify(&record, &[]));
    assert!(said.contains("follows from the plain seed 7") && said.contains("That is all it proves"), "{said}");
    let said = complaint(&verify(&record, &["--commitment", &"ab".repeat(32)]));
    assert!(said.contains("this record has a plain seed"), "{said}");
}

/// A script of this repository, with a record in a file and further arguments.
fn python(script: &str, record: &str, options: &[&str]) -> String {
    let file = tempfile::NamedTempFile::new().expect("a file");
    fs::write(file.path(), record).expect("a file that can be written");
    let script = format!("{}/../../{script}", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3").arg(script).args(options).arg(file.path()).output().expect("Python runs");
    printed(&output)
}

/// Every shuffle: of hands, of discards, of a pile with a Wild Draw Four on top. The script has the shuffles from
/// docs/fairness.md, the rules from the oracle, and compares every state.
#[test]
fn whole_fair_matches_are_played_again_without_the_engine() {
    let long = r#"{"house":{"draw_to_match":true,"stacking":"any"}}"#;
    for (edition, options) in [
        ("original", ["--seed", "103", "--players", "5"]),
        ("frozen", ["--seed", "107", "--players", "9"]),
        ("custom", ["--seed", "103", "--players", "5"]),
        ("modern", ["--seed", "105", "--players", "7"]),
    ] {
        let record = fair_record(edition, &[&options[..], &["--rules", long]].concat());
        let report: Value = serde_json::from_str(&printed(&verify(&record, &["--json"]))).expect("JSON");
        let rounds = report["rounds"].as_array().expect("rounds");
        assert!(rounds.iter().any(|round| round["reshuffles"] != 0), "{edition} has a reshuffle");
        let said = python("oracle/fair.py", &record, &["--unum", env!("CARGO_BIN_EXE_unum")]);
        assert!(said.contains(&format!("{} rounds are the same", rounds.len())), "{said}");
    }
}

/// The example of a client that checks deals is lied to in every way.
#[test]
fn the_example_client_finds_lies() {
    let script = format!("{}/../../examples/bots/test_fair.py", env!("CARGO_MANIFEST_DIR"));
    let output = Command::new("python3").arg(script).output().expect("Python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// examples/verify.py is written from docs/fairness.md and knows nothing of the engine.
#[test]
fn a_program_in_another_language_works_out_the_same_cards() {
    for (edition, options) in [
        ("original", &["--seed", "1", "--players", "4"][..]),
        ("fairies", &["--seed", "2", "--players", "10"]),
        ("frozen", &["--seed", "3", "--dealer", "1"]),
        ("custom", &["--seed", "4"]),
        ("custom", &["--seed", "5", "--rules", r#"{"house":{"hand_size":3},"custom_cards":[8,10]}"#]),
        ("modern", &["--seed", "6", "--players", "2", "--rules", r#"{"scoring":{"type":"first_to","target":500}}"#]),
    ] {
        let record = fair_record(edition, options);
        let report: Value = serde_json::from_str(&printed(&verify(&record, &["--json"]))).expect("JSON");
        let lines = python("examples/verify.py", &record, &[]);
        let rounds: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(rounds.len(), report["rounds"].as_array().map_or(0, Vec::len), "{edition}");
        for (theirs, ours) in rounds.iter().zip(report["rounds"].as_array().into_iter().flatten()) {
            for (field, value) in theirs.as_object().expect("an object") {
                assert_eq!(*value, ours[field], "{edition}, round {}: {field}", ours["round"]);
            }
        }
    }
}

#[test]
fn the_program_in_another_language_says_what_is_wrong_with_a_file() {
    let json = printed(&unum(&["record", "--format", "json"]).output().expect("unum runs"));
    for (record, words) in [
        (printed(&unum(&["record"]).output().expect("unum runs")), "a record as text"),
        (json[..300].to_owned(), "cut off"),
        (json, "version 3"),
        ("{}".to_owned(), "not a record"),
    ] {
        let file = tempfile::NamedTempFile::new().expect("a file");
        fs::write(file.path(), record).expect("a file that can be written");
        let script = format!("{}/../../examples/verify.py", env!("CARGO_MANIFEST_DIR"));
        let output = Command::new("python3").arg(script).arg(file.path()).output().expect("Python runs");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && message.contains(words) && message.lines().count() == 1, "{message}");
    }
}

/// Move 1, 2, … of the first round, with the space around it: `round 1#1c3f` comes before them.
fn nth_move(record: &str, number: usize) -> String {
    let (_, moves) = record.split_once("\n\n").expect("tags, an empty line, moves");
    let moved = moves.split_whitespace().nth(number + 1).expect("enough moves");
    assert_eq!(record.matches(moved).count(), 1, "{moved} stands once in the record");
    moved.to_owned()
}

/// The same move with another check.
fn forged(moved: &str) -> String {
    let (rest, last) = moved.split_at(moved.len() - 1);
    format!("{rest}{}", if last == "0" { "1" } else { "0" })
}

#[test]
fn what_is_no_record_is_refused() {
    for input in [&b""[..], b"hello", b"{", b"\xff\xfe", &[0; 1000]] {
        let complaint = complaint(&run_with(&["replay", "-"], input));
        assert!(complaint.starts_with("unum: standard input"), "{complaint}");
    }
    assert!(complaint(&run(&["replay", "no/such/file"])).contains("no/such/file"));
}

// The referee.

const NEW: &str = r#"{"op":"new","rules":{"edition":"original"},"players":3,"dealer":0,"seed":7}"#;
const STATE: &str = r#"{"op":"state"}"#;

/// The replies to an input: every line is one JSON object that says whether it is `ok`.
fn referee(input: impl Into<Vec<u8>>) -> Vec<Value> {
    let output = printed(&run_with(&["referee"], input));
    assert!(output.is_empty() || output.ends_with('\n'), "{output}");
    let replies: Vec<Value> =
        output.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect();
    assert!(replies.iter().all(|reply| reply["ok"].is_boolean()), "{output}");
    replies
}

/// Sends something between two good requests. It is answered by one error and changes nothing.
fn assert_refused(line: &[u8]) {
    let input = [NEW.as_bytes(), b"\n", line, b"\n", STATE.as_bytes(), b"\n"].concat();
    let replies = referee(input);
    let shown: String = String::from_utf8_lossy(line).chars().take(60).collect();
    assert_eq!(replies.len(), 3, "{shown}");
    assert_eq!(replies[1]["error"]["code"], "bad_request", "{shown}");
    assert_eq!(replies[2]["ok"], true, "{shown}");
    assert_eq!(replies[0]["state"], replies[2]["state"], "{shown}");
}

#[test]
fn garbage_is_refused_and_the_next_request_works() {
    for line in ["", " ", "hello", "{", "[]", "null", "1e999", "\"\\ud800\"", r#"{"op":"state"}{"op":"state"}"#, "\0"] {
        assert_refused(line.as_bytes());
    }
    assert_refused("[".repeat(100_000).as_bytes());
}

#[test]
fn a_line_of_ten_megabytes_is_refused_and_the_next_request_works() {
    assert_refused(&vec![b'x'; 10_000_000]);
    assert_refused(&vec![b' '; 10_000_000]);
}

#[test]
fn a_line_may_be_exactly_one_mebibyte_long() {
    let mut line = vec![b' '; (1 << 20) - STATE.len()];
    line.extend_from_slice(STATE.as_bytes());
    let replies = referee([NEW.as_bytes(), b"\n", &line, b"\n"].concat());
    assert_eq!(replies[1]["ok"], true);
    line.push(b' ');
    assert_refused(&line);
}

#[test]
fn invalid_utf_8_is_refused_and_the_next_request_works() {
    assert_refused(b"\xff\xfe\xfd");
    assert_refused(b"{\"op\":\"state\xc3\"}");
}

#[test]
fn a_last_line_without_an_end_is_answered_too() {
    let replies = referee(format!("{NEW}\n{STATE}"));
    assert_eq!(replies.len(), 2);
    assert_eq!(replies[1]["ok"], true);
}

#[test]
fn no_input_is_no_output() {
    assert!(referee("").is_empty());
}

#[test]
fn line_ends_of_windows_are_understood() {
    let replies = referee(format!("{NEW}\r\n{STATE}\r\n"));
    assert_eq!(replies.len(), 2);
    assert!(replies.iter().all(|reply| reply["ok"] == true));
}

#[test]
fn a_thousand_requests_at_once_are_answered_in_order() {
    let seat = |number: usize| 3 + number % 200;
    let mut input = format!("{NEW}\n");
    for number in 0..1000 {
        input += &format!("{{\"op\":\"view\",\"seat\":{}}}\n", seat(number));
    }
    let replies = referee(input + STATE);
    assert_eq!(replies.len(), 1002);
    for (number, reply) in replies[1..=1000].iter().enumerate() {
        let message = reply["error"]["message"].as_str().expect("a message");
        assert!(message.starts_with(&format!("there is no seat {}:", seat(number))), "{number}: {message}");
    }
    assert_eq!(replies[1001]["state"], replies[0]["state"]);
}

/// A program may wait for each reply before it sends the next request.
#[test]
fn a_reply_comes_before_the_next_request() {
    let mut command = unum(&["referee"]);
    command.stdin(Stdio::piped());
    let mut child = spawn(command);
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut replies = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    for request in [NEW, r#"{"op":"legal"}"#, r#"{"op":"view","seat":null}"#, STATE] {
        writeln!(stdin, "{request}").expect("the referee reads");
        let reply = replies.next().expect("a reply").expect("a line");
        assert!(reply.starts_with(r#"{"ok":true,"#), "{reply}");
    }
    drop(stdin);
    assert!(replies.next().is_none());
    assert!(child.wait().expect("the referee ends").success());
}

#[test]
fn the_same_request_gives_the_same_match() {
    assert_eq!(run_with(&["referee"], NEW).stdout, run_with(&["referee"], NEW).stdout);
}

// The laboratory.

#[test]
fn a_reference_position_has_its_published_numbers() {
    let counts = printed(&run(&["perft", "turn", "6"]));
    let counts: Vec<&str> = counts.lines().filter_map(|line| line.strip_prefix("perft ")).collect();
    let counts: Vec<&str> = counts.iter().filter_map(|line| line.split_whitespace().last()).collect();
    assert_eq!(counts, ["8", "15", "39", "82", "238", "576"]);
    assert!(refused(&["perft", "nowhere"]).contains("`unum perft` lists them"));
}

#[test]
fn the_benchmark_prints_a_ratio_and_the_signature() {
    let table = printed(&run(&["bench", "--seconds", "0.01", "--edition", "original", "--players", "2"]));
    let line = table.lines().find(|line| line.contains(" original ")).expect("a line for the edition");
    let ratio: f64 = line.split_whitespace().last().and_then(|word| word.parse().ok()).expect("a number");
    assert!(ratio.is_finite() && ratio > 0.0, "{line}");
    let signature = table.lines().find_map(|line| line.strip_prefix("signature ")).expect("a signature");
    assert!(signature.len() == 16 && signature.bytes().all(|byte| byte.is_ascii_hexdigit()), "{signature}");
}

// Terminals and pipes.

/// A reader that stops early, as `head` does, must not cause a panic.
#[test]
fn a_closed_pipe_is_no_panic() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.unum");
    let file = file.to_str().expect("a path in UTF-8");
    printed(&run(&["record", "--output", file]));
    for args in [&["rules"][..], &["rules", "--json"], &["record"], &["replay", file], &["replay", file, "--state"]] {
        let output = run_without_reader(unum(args), "");
        assert!(output.status.success(), "{args:?}: {}", output.status);
        assert_eq!(text(&output.stderr), "", "{args:?}");
    }
}

#[test]
fn a_referee_whose_reader_is_gone_ends_without_a_panic() {
    let output = run_without_reader(unum(&["referee"]), &format!("{NEW}\n{STATE}\n").repeat(100));
    assert!(!text(&output.stderr).contains("panicked"), "{}", text(&output.stderr));
    assert!(output.status.code().is_some_and(|code| code <= 1), "{}", output.status);
}

/// Closes standard output before anything can have been written to it: a program that reads its input
/// waits for it, and starting a program takes longer than closing a pipe.
fn run_without_reader(mut command: Command, input: &str) -> Output {
    command.stdin(Stdio::piped());
    let mut child = spawn(command);
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().expect("a pipe");
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

#[test]
fn pipes_get_no_escape_codes() {
    let record = printed(&run(&["record", "--edition", "modern"]));
    assert!(!record.contains(ESCAPE));
    assert!(!printed(&run_with(&["replay", "-"], record)).contains(ESCAPE));
    for args in [&["help"][..], &["--help"], &["rules"], &["rules", "W4"], &["perft"], &["rules", "--help"]] {
        assert!(!printed(&run(args)).contains(ESCAPE), "{args:?}");
    }
    assert!(!refused(&["rules", "W44"]).contains(ESCAPE));
}

#[test]
fn shells_and_manuals_know_every_command() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = printed(&run(&["completions", shell]));
        let asks = ["bash", "zsh", "fish"].contains(&shell);
        // Others get the names of options and commands alone.
        let values: &[&str] = if asks {
            &["fairies", "expert", "stacking=any", "seven_zero", "W4", "starters", "flitterific-last"]
        } else {
            &[]
        };
        for word in COMMANDS.iter().chain(&["continue", "edition"]).chain(values) {
            assert!(script.contains(word), "{shell}: {word}");
        }
        assert_eq!(script.contains("unum games --ids"), asks, "{shell}");
    }
    assert_eq!(run(&["completions", "sh"]).status.code(), Some(2));
    let page = printed(&run(&["man"]));
    assert!(page.contains(".TH unum 1") && page.contains("EXIT STATUS"), "{page}");
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("man1");
    let told = printed(&run(&["man", folder.to_str().expect("a name")]));
    let files: Vec<_> = fs::read_dir(&folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    assert!(told.starts_with(&format!("{} pages are in", files.len())), "{told}");
    for page in files.iter().map(|file| fs::read_to_string(file).expect("a page")) {
        // A page names those below it, such as unum\-store\-copy(1).
        let names = page.split_whitespace().filter_map(|word| word.strip_suffix("(1)"));
        for name in names.map(|name| name.replace('\\', "")).filter(|name| name.starts_with("unum")) {
            assert!(folder.join(format!("{name}.1")).exists(), "{name}");
        }
    }
    for command in COMMANDS {
        let page = fs::read_to_string(folder.join(format!("unum-{command}.1"))).expect(command);
        assert!(page.contains(&format!("unum\\-{command}")) && !page.contains("EXTRA"), "{page}");
        for section in ["EXAMPLES", "EXIT STATUS", "FILES", "ENVIRONMENT"] {
            assert!(page.contains(section), "{command}: {section}");
        }
    }
    for name in ["unum", "unum-help", "unum-store-copy", "unum-cluster-status", "unum-bench-lab"] {
        assert!(folder.join(format!("{name}.1")).exists(), "{name}");
    }
}

#[test]
fn help_knows_commands_below_commands() {
    assert!(printed(&run(&["help", "store", "copy"])).contains("Usage: unum store copy"));
    assert!(refused(&["help", "store", "copi"]).contains("Did you mean copy?"));
    assert!(refused(&["help", "nope"]).contains("`unum help` lists them"));
}

#[test]
fn no_color_wins_over_colors_asked_for() {
    let page = |setting: &[(&str, &str)]| {
        let mut command = unum(&["rules", "W4"]);
        command.envs(setting.iter().copied());
        printed(&command.output().expect("the binary runs"))
    };
    assert!(page(&[("CLICOLOR_FORCE", "1")]).contains(ESCAPE));
    assert!(!page(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")]).contains(ESCAPE));
}

#[test]
fn a_bot_can_be_asked_over_the_pipe() {
    let ask = |requests: &[&str]| -> Vec<Value> {
        let output = run_with(&["referee"], requests.join("\n"));
        let lines = String::from_utf8(output.stdout).expect("UTF-8");
        lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let set = r#"{"op":"set","rules":{"edition":"original"},"position":{"hands":[["R5","R9","W"],["G1","G2"]],"top":"R7","dealer":1,"draw_pile":["Y1","Y2","Y3"]}}"#;
    let replies = ask(&[
        r#"{"op":"suggest"}"#,
        set,
        r#"{"op":"suggest"}"#,
        r#"{"op":"suggest","level":"expert","worlds":40,"seed":3}"#,
        r#"{"op":"legal"}"#,
        r#"{"op":"suggest","seat":1}"#,
        r#"{"op":"suggest","seat":1,"react":true}"#,
        r#"{"op":"suggest","level":"exprt"}"#,
        r#"{"op":"suggest","level":"hard","worlds":40}"#,
        r#"{"op":"suggest","seat":7}"#,
        r#"{"op":"suggest","depth":7}"#,
    ]);
    let error = |reply: &Value, words: &str| {
        assert!(reply["error"]["message"].as_str().is_some_and(|message| message.contains(words)), "{reply}");
    };
    error(&replies[0], "send `new` or `set` first");
    let legal = replies[4]["legal"][0]["actions"].as_array().expect("actions");
    for reply in &replies[2..4] {
        assert_eq!((&reply["ok"], &reply["seat"]), (&true.into(), &0.into()), "{reply}");
        assert!(legal.contains(&reply["action"]), "{reply}");
    }
    error(&replies[5], "it is seat 0's turn");
    assert_eq!((&replies[6]["ok"], &replies[6]["action"]), (&true.into(), &Value::Null));
    error(&replies[7], "Did you mean expert?");
    error(&replies[8], "is for the level `expert`");
    error(&replies[9], "seats are numbered 0 to 1");
    error(&replies[10], "depth");
}

#[test]
fn every_json_has_the_version_of_the_program() {
    let position = r#"{"hands":[["R5","B3"],["G1","G2"]],"top":"R7","draw_pile":["Y1","Y2","Y3"]}"#;
    for args in [
        &["rules", "--json"][..],
        &["rules", "--rulings", "--json"],
        &["perft", "turn", "2", "--json"],
        &["perft", "--json"],
        &["analyze", position, "--budget", "40", "--json"],
        &["games", "--data", "no/such/folder", "--json"],
        &["arena", "random*2", "--deals", "2", "--json"],
        &["tournament", "easy", "random", "--deals", "2", "--json"],
        &["simulate", "--rounds", "2", "--json"],
        &["study", "seven_zero", "--rounds", "2", "--deals", "2", "--json"],
    ] {
        let json: Value = serde_json::from_str(&printed(&run(args))).expect("JSON");
        assert_eq!(json["version"], env!("CARGO_PKG_VERSION"), "{args:?}");
    }
    let record = printed(&run(&["record", "--max-moves", "10"]));
    let output = run_with(&["verify", "-", "--json"], record);
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["version"], env!("CARGO_PKG_VERSION"));
}

#[test]
fn a_position_may_be_one_line() {
    let (line, json) =
        ("R5B3/G1G2 R7 Y1Y2Y3", r#"{"hands":[["R5","B3"],["G1","G2"]],"top":"R7","draw_pile":["Y1","Y2","Y3"]}"#);
    let analyzed = |position: &str| printed(&run(&["analyze", position, "--budget", "40", "--json"]));
    assert_eq!(analyzed(line), analyzed(json));
    let counted = |position: &str| {
        let mut count: Value =
            serde_json::from_str(&printed(&run(&["perft", "--position", position, "3", "--json"]))).expect("JSON");
        count["seconds"].take();
        count
    };
    assert_eq!(counted(line), counted(json));
    let said = String::from_utf8(run(&["analyze", "R5B3/X1 R7"]).stderr).expect("words");
    assert!(said.contains("\"X1\" does not begin with a card"), "{said}");
}
