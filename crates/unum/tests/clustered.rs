//! Several nodes on a real PostgreSQL, as processes: small versions of what `cargo xtask cluster` does at length. What a slow
//! machine could break is not checked here.

use std::path::Path;
use std::time::Duration;

use unum_soak::cluster::{Cut, Plan, Scenario, judge, missing};

/// A run of seconds.
fn brief() -> Plan {
    Plan {
        tables: 6,
        lease: Some(Duration::from_secs(2)),
        think: Duration::from_millis(50),
        kills: 1,
        stops: 1,
        cuts: 1,
        crashes: 2,
        failovers: 1,
        rolls: 1,
        away: Duration::from_secs(4),
        trouble: Duration::from_secs(2),
        compared: 8,
        turn: Duration::from_secs(1),
        turns: 1,
        tries: 640,
        ..Plan::new(Path::new(env!("CARGO_BIN_EXE_unum")).to_owned())
    }
}

async fn holds(plan: &Plan, scenario: Scenario) {
    if let Some(why) = missing(scenario) {
        return eprintln!("skipped: {why}");
    }
    let lines = judge(plan, scenario).await.unwrap_or_else(|error| panic!("{error:#}"));
    assert!(!lines.is_empty());
    for line in lines.iter().filter(|line| !line.timed) {
        assert!(line.holds, "{}: {}", line.must, line.measured);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_writers_by_force_one_wins_each_number() {
    holds(&brief(), Scenario::Writers).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tables_of_a_killed_node_play_on_elsewhere() {
    holds(&brief(), Scenario::Kill).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_slept_through_its_lease_changes_nothing() {
    holds(&brief(), Scenario::Stop).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_that_is_cut_off_loses_nothing() {
    let ways = vec![Cut::AnswersOfDatabase, Cut::Nodes];
    holds(&Plan { ways, ..brief() }, Scenario::Cuts).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_are_restarted_one_by_one_and_nothing_is_refused() {
    holds(&brief(), Scenario::Rolling).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_at_another_node_is_relayed() {
    holds(&brief(), Scenario::Relay).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_killed_and_started_again_loses_nothing() {
    holds(&Plan { nodes: 1, ..brief() }, Scenario::Postgres).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_trouble_is_told_in_words_and_recovered_from() {
    holds(&Plan { nodes: 1, ..brief() }, Scenario::Slow).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn postgres_and_sqlite_serve_the_same_game() {
    holds(&brief(), Scenario::Compare).await;
}
