//! `unum serve` as a process, with real sockets: small versions of what `cargo xtask crash | drill | abuse | leaks` do at length.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use unum_soak::abuse::{Attack, Plan};
use unum_soak::{ServerProcess, abuse, crash, drill, exhaust};

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
async fn backups_made_at_random_moments_under_load_miss_nothing_that_was_acknowledged() {
    backups_miss_nothing(false).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn backups_of_postgres_under_load_miss_nothing_that_was_acknowledged() {
    if unum_scratch::programs().is_none() {
        return eprintln!("skipped: PostgreSQL is not installed");
    }
    backups_miss_nothing(true).await;
}

async fn backups_miss_nothing(postgres: bool) {
    let plan = drill::Plan { unum: unum().to_owned(), drills: 3, tables: 4, seed: 1, postgres };
    let outcome = drill::drill(&plan).await.unwrap_or_else(|error| panic!("{error:#}"));
    assert!(outcome.acknowledged > 50 && outcome.entries >= outcome.acknowledged, "{outcome:?}");
    assert_eq!(outcome.missing, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn abuse_is_answered_as_documented() {
    let folder = tempfile::tempdir().unwrap();
    let process = abuse::start(unum(), folder.path()).await.unwrap();
    let answers = abuse::answers(process.server()).await.unwrap_or_else(|error| panic!("{error:#}"));
    assert!(answers.len() > 12, "{answers:?}");
}

/// Attacks of seconds. What they take is bounded by counts and bytes, whatever the machine's speed.
fn brief() -> Plan {
    Plan {
        tables: 1,
        turns: 1,
        time: Duration::from_secs(2),
        changes: 5_000,
        moves: 3_000,
        reviews: 8,
        together: Duration::from_secs(4),
        crowd: 12,
        watching: Duration::ZERO,
        ..Plan::new(unum().to_owned())
    }
}

const MOST: u64 = 64 << 20;

async fn costs_little(attack: Attack) -> exhaust::Costs {
    let costs = exhaust::siege(&brief(), attack).await.unwrap_or_else(|error| panic!("{error:#}"));
    assert!(costs.done > 0, "{costs:?}");
    assert!(costs.memory.iter().all(|bytes| *bytes <= MOST), "{:?}", costs.memory);
    assert!(costs.disk <= MOST, "{} bytes", costs.disk);
    costs
}

#[tokio::test(flavor = "multi_thread")]
async fn matches_without_end_take_little() {
    costs_little(Attack::Matches).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replays_without_end_take_little() {
    costs_little(Attack::Replays).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reviews_without_end_take_little() {
    costs_little(Attack::Reviews).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn restless_onlookers_take_little_and_are_refused_most_of_it() {
    let costs = costs_little(Attack::Onlookers).await;
    assert!(costs.refused > 0, "{}", costs.effort);
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_with_experts_take_little() {
    costs_little(Attack::Experts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_with_many_changes_is_loaded_from_a_few() {
    let loading = exhaust::load_long_journal(&brief()).await.unwrap_or_else(|error| panic!("{error:#}"));
    assert!(loading.journal.changes >= 5_000 && loading.journal.kept <= 200, "{loading:?}");
    assert!(loading.memory <= MOST && loading.journal.bytes <= 64 << 10, "{loading:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn all_attacks_together_stay_within_the_quota() {
    let disk = exhaust::together(&brief()).await.unwrap_or_else(|error| panic!("{error:#}"));
    assert!(disk.bytes[2] <= MOST && disk.memory <= 2 * MOST && disk.owners == 4, "{disk:?}");
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
