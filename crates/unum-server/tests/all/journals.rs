//! What is kept of tables: how little, how long, and what happens when it cannot be read.

use rusqlite::Connection;
use serde_json::json;
use tempfile::TempDir;
use unum_client::{ClientError, Server as Remote};
use unum_protocol::{Level, Request, Stage};
use unum_server::{Config, Running, Server};
use unum_store::{DATABASE, Options, Store};

use crate::tools::{Guest, Raw, config, quick, soon, start};

fn kept_in(folder: &TempDir) -> Config {
    Config { ephemeral: false, data: folder.path().to_owned(), ..config() }
}

fn database(folder: &TempDir) -> Connection {
    let connection = Connection::open(folder.path().join(DATABASE)).unwrap();
    connection.busy_timeout(std::time::Duration::from_secs(30)).unwrap();
    connection
}

fn count(connection: &Connection, sql: &str) -> u64 {
    connection.query_row(sql, (), |row| row.get(0)).unwrap()
}

fn code_of<T: std::fmt::Debug>(answer: Result<T, ClientError>) -> (u16, String) {
    match answer.unwrap_err() {
        ClientError::Refused { status, code: Some(code), .. } => (status, code.as_str().to_owned()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn matches_in_succession_leave_records_and_a_short_journal() {
    let folder = tempfile::tempdir().unwrap();
    let (running, remote) = start(kept_in(&folder)).await;
    let opener = remote.sign_in("Opener").await.unwrap();
    let table = remote.open_table(&opener.token, &quick()).await.unwrap();
    let mut ann = Guest::known(&remote, &opener.token, &table.code).await;
    ann.ask(Request::AddBot { level: Level::Normal }).await;
    let message = ann.ask(Request::AddBot { level: Level::Normal }).await;
    ann.react(&message).await;
    const MATCHES: u64 = 12;
    for _ in 0..MATCHES {
        ann.play().await;
        let mut message = ann.ask(Request::Ready { ready: true, pledge: None }).await;
        if ann.stage() == Stage::Over {
            message = ann.until(|_, lobby| lobby.as_ref().is_some_and(|lobby| lobby.stage != Stage::Over)).await;
        }
        ann.react(&message).await;
    }
    let look = database(&folder);
    soon(async {
        while count(&look, "SELECT count(*) FROM records") < MATCHES {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await;
    running.stop().await;
    let last = count(&look, "SELECT last FROM tables");
    assert!(last > 300, "only {last} entries");
    let (entries, parts) = (count(&look, "SELECT count(*) FROM journal"), "SELECT count(*) FROM parts WHERE ended > 0");
    assert!(entries < 128 + 64, "{entries} of {last} entries are kept");
    assert_eq!((count(&look, "SELECT count(*) FROM snapshots"), count(&look, parts)), (1, 0));
    let made_by: String = look.query_row("SELECT DISTINCT made_by FROM records", (), |row| row.get(0)).unwrap();
    assert!(made_by.starts_with("unum ") && made_by.contains("rules "), "{made_by}");
}

async fn knock(running: &Running, token: &str, code: &str) -> (Option<String>, u16) {
    let mut raw = Raw::connect(running.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": code, "token": token}})).await;
    raw.end().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_cannot_be_restored_is_told_as_such_and_not_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let (running, remote) = start(kept_in(&folder)).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let bob = remote.sign_in("Bob").await.unwrap();
    drop(Raw::seated(running.address(), &bob.token, &table.code).await);
    running.stop().await;
    let look = database(&folder);
    let exchange = |from: &str, to: &str| {
        let sql = "UPDATE journal SET body = CAST(replace(CAST(body AS TEXT), ?, ?) AS BLOB)";
        assert!(look.execute(sql, (from, to)).unwrap() > 0);
    };
    exchange("opened", "moaned");

    let (running, remote) = start(kept_in(&folder)).await;
    assert_eq!(knock(&running, &ann.token, &table.code).await, (Some("damaged".to_owned()), 4013));
    let path = format!("/api/tables/{}", table.code);
    let answer = remote.call::<serde_json::Value>("GET", &path, None, None).await;
    assert_eq!(code_of(answer), (500, "damaged".to_owned()));
    assert_eq!(remote.fetch("DELETE", "/api/me", Some(&bob.token), None).await.unwrap().0, 200, "it holds nobody");
    // It is not even looked at again, until the next start.
    exchange("moaned", "opened");
    assert_eq!(knock(&running, &ann.token, &table.code).await, (Some("damaged".to_owned()), 4013));
    running.stop().await;
    let (running, _) = start(kept_in(&folder)).await;
    Raw::seated(running.address(), &ann.token, &table.code).await;
    running.stop().await;
}

#[tokio::test]
async fn the_tables_of_a_guest_take_no_more_than_they_may() {
    let mut config = config();
    (config.limits.guest_megabytes, config.limits.tables_per_guest) = (1, 1000);
    config.limits.tables_per_address = 1000;
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    // A table counts for at least four KiB.
    let mut opened = 0;
    let refused = loop {
        match remote.open_table(&ann.token, &quick()).await {
            Ok(_) => opened += 1,
            error => break code_of(error),
        }
        assert!(opened <= 256, "there is no end to it");
    };
    assert_eq!(refused, (507, "quota".to_owned()));
    let bob = remote.sign_in("Bob").await.unwrap();
    remote.open_table(&bob.token, &quick()).await.unwrap();
    running.stop().await;
}

#[tokio::test]
async fn a_table_takes_no_more_than_it_may() {
    let store = Store::in_memory_with(Options { table_bytes: Some(3_000), ..Options::default() }).unwrap();
    let running = Server::start_with(config(), store).await.unwrap();
    let remote = Remote::new(&format!("http://{}", running.address())).unwrap();
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    for id in 1..=3 {
        raw.send(json!({"id": id, "request": {"type": "chat", "text": "字".repeat(300)}})).await;
    }
    assert_eq!(raw.end().await, (Some("quota".to_owned()), 4014));
    running.stop().await;
}

#[cfg(unix)]
#[tokio::test]
async fn on_a_disk_that_is_nearly_full_games_go_on_but_none_begin() {
    let folder = tempfile::tempdir().unwrap();
    let (running, remote) = start(kept_in(&folder)).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    running.stop().await;
    let mut config = kept_in(&folder);
    // No disk has as much.
    config.limits.free_megabytes = 1_000_000_000;
    let (running, remote) = start(config).await;
    assert_eq!(code_of(remote.sign_in("Bob").await), (507, "no_room".to_owned()));
    assert_eq!(code_of(remote.open_table(&ann.token, &quick()).await), (507, "no_room".to_owned()));
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    raw.send(json!({"id": 1, "request": {"type": "chat", "text": "still here"}})).await;
    assert_eq!(raw.next().await["id"], 1);
    running.stop().await;
}
