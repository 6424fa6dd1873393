//! `unum serve` as a process, with real sockets: small versions of what `cargo xtask crash | abuse | leaks` do at length.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use unum_soak::{ServerProcess, abuse, crash};

fn unum() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_unum"))
}

#[tokio::test(flavor = "multi_thread")]
async fn killed_again_and_again_a_server_keeps_what_it_acknowledged() {
    let plan = crash::Plan { unum: unum().to_owned(), kills: 4, tables: 4, resume: 0, seed: 1 };
    let (verdict, _) = crash::kill_and_compare(&plan).await.unwrap();
    assert!(verdict.acknowledged > 50, "{verdict:?}");
    assert_eq!((verdict.lost, verdict.doubled, verdict.restored), (0, 0, 4));
}

#[tokio::test(flavor = "multi_thread")]
async fn abuse_is_answered_as_documented() {
    let folder = tempfile::tempdir().unwrap();
    let plan = abuse::Plan { unum: unum().to_owned(), tables: 0, time: Duration::ZERO, stalled: 0 };
    let process = abuse::start(&plan, folder.path()).await.unwrap();
    let answers = abuse::answers(process.server()).await.unwrap_or_else(|error| panic!("{error:#}"));
    assert!(answers.len() > 12, "{answers:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_example_in_python_plays_whole_matches() {
    if !Command::new("python3").arg("--version").output().is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: there is no python3 to run examples/bots/table.py with");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let process = ServerProcess::start(unum(), folder.path()).await.unwrap();
    let url = format!("http://{}", process.server().authority());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots/table.py");
    let mut python = Command::new("python3");
    python.arg(script).args([&url, "--matches", "2", "--bots", "2"]).stdin(Stdio::null());
    let output = tokio::task::spawn_blocking(move || python.output().unwrap()).await.unwrap();
    let (told, complaints) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{told}{complaints}");
    assert_eq!(told.lines().filter(|line| line.ends_with(" won")).count(), 2, "{told}{complaints}");
    assert!(!complaints.contains("refused"), "{complaints}");
}
