//! Failures of the program itself: one table's, one bot's, one session's, one batch's, and nobody else's.

use std::time::Duration;

use serde_json::{Value, json};
use unum_client::Server as Remote;
use unum_protocol::Level;
use unum_server::Running;
use unum_store::Store;
use unum_store::failpoint::{Place, arm};

use crate::tools::{Guest, Raw, config, desk, quick, soon, start, start_on};

/// Says something at a table and waits for the answer with that number.
async fn chat(raw: &mut Raw, id: u32) -> Value {
    raw.send(json!({"id": id, "request": {"type": "chat", "text": "hello"}})).await;
    loop {
        let answer = raw.next().await;
        if answer["id"] == id || answer["type"] == "bye" {
            return answer;
        }
    }
}

/// The value of a figure.
async fn figure(running: &Running, name: &str) -> u64 {
    let (_, text) = desk(running).fetch("GET", "/metrics", None, None).await.unwrap();
    let text = String::from_utf8(text).unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')).unwrap();
    value.parse().unwrap()
}

async fn is_ready(remote: &Remote) -> bool {
    remote.fetch("GET", "/readyz", None, None).await.unwrap().0 == 200
}

/// Two tables with a person each: the second is not to notice what happens at the first.
struct Two {
    running: Running,
    remote: Remote,
    store: Store,
    token: String,
    code: String,
    raw: Raw,
    other: Raw,
}

/// The id of a table, by which the store and bots know it.
fn id_of(store: &Store, code: &str) -> String {
    store.invited(code).unwrap().unwrap()
}

async fn two_tables() -> Two {
    let (running, remote, store) = start_on(config()).await;
    let guest = remote.sign_in("Ann").await.unwrap();
    let code = remote.open_table(&guest.token, &quick()).await.unwrap().code;
    let other = remote.open_table(&guest.token, &quick()).await.unwrap().code;
    let raw = Raw::seated(running.address(), &guest.token, &code).await;
    let other = Raw::seated(running.address(), &guest.token, &other).await;
    Two { running, remote, store, token: guest.token, code, raw, other }
}

/// The first table fails at the next request, tells why, and can be gone on with; the second plays on.
async fn fails_and_comes_back(place: Place, code: &str, number: u16, counted: &str) {
    let mut two = two_tables().await;
    assert_eq!(chat(&mut two.raw, 1).await["type"], "update");
    let table = if place == Place::Writer { id_of(&two.store, &two.code) } else { two.code.clone() };
    arm(place, &table);
    assert_eq!(chat(&mut two.other, 1).await["type"], "update", "a failure of one table is armed");
    two.raw.send(json!({"id": 2, "request": {"type": "chat", "text": "now"}})).await;
    assert_eq!(two.raw.end().await, (Some(code.to_owned()), number));
    assert_eq!(chat(&mut two.other, 2).await["type"], "update", "the other table goes on");
    let mut again = Raw::connect(two.running.address()).await;
    again.send(json!({"hello": {"version": 1, "table": two.code, "token": two.token}})).await;
    assert_eq!(again.next().await["last_id"], 1, "what was acknowledged is there, and nothing else");
    assert_eq!(chat(&mut again, 2).await["type"], "update");
    assert_eq!(figure(&two.running, counted).await, 1);
    assert!(is_ready(&two.remote).await);
    assert_eq!(chat(&mut two.other, 3).await["type"], "update");
    two.running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_panics_tells_its_people_and_is_loaded_again() {
    fails_and_comes_back(Place::Table, "crashed", 4015, "unum_panics_total").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_that_panics_is_that_of_one_person() {
    fails_and_comes_back(Place::Session, "crashed", 4015, "unum_panics_total").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_batch_that_panics_in_the_writer_is_that_of_one_table() {
    fails_and_comes_back(Place::Writer, "storage", 4002, "unum_store_panics_total").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_whose_session_panicked_knows_that_nobody_is_there() {
    let mut config = config();
    config.limits.unload_after = Duration::from_millis(50);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    arm(Place::Session, &table.code);
    raw.send(json!({"id": 1, "request": {"type": "chat", "text": "now"}})).await;
    assert_eq!(raw.end().await.0.as_deref(), Some("crashed"));
    drop(raw);
    leaves_memory(&running).await;
    running.stop().await;
}

async fn leaves_memory(running: &Running) {
    soon(async {
        while running.tables() > 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_panics_while_it_is_loaded_is_loaded_again() {
    let mut config = config();
    config.limits.unload_after = Duration::from_millis(50);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    leaves_memory(&running).await;
    arm(Place::Loading, &table.code);
    let path = format!("/api/tables/{}", table.code);
    assert_eq!(remote.fetch("GET", &path, None, None).await.unwrap().0, 500);
    assert_eq!(remote.fetch("GET", &path, None, None).await.unwrap().0, 200);
    leaves_memory(&running).await;
    arm(Place::Loading, &table.code);
    let mut raw = Raw::connect(running.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    assert_eq!(raw.end().await.0.as_deref(), Some("crashed"));
    assert_eq!(remote.fetch("GET", &path, None, None).await.unwrap().0, 200);
    drop(raw);
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    assert_eq!(chat(&mut raw, 1).await["type"], "update");
    assert_eq!(figure(&running, "unum_panics_total").await, 2);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_that_panic_are_decided_for_and_the_match_goes_on() {
    for level in [Level::Normal, Level::Expert] {
        let (running, remote, store) = start_on(config()).await;
        let opener = remote.sign_in("Ann").await.unwrap();
        let table = remote.open_table(&opener.token, &quick()).await.unwrap();
        let mut ann = Guest::known(&remote, &opener.token, &table.code).await;
        ann.ask(unum_protocol::Request::AddBot { level }).await;
        let id = id_of(&store, &table.code);
        arm(Place::Bot, &id);
        arm(Place::Bot, &id);
        let mut message = ann.ask(unum_protocol::Request::Sit {}).await;
        soon(async {
            while figure(&running, "unum_panics_total").await < 2 {
                ann.react(&message).await;
                message = ann.next().await.unwrap();
            }
            ann.react(&message).await;
            ann.play().await;
        })
        .await;
        assert!(is_ready(&remote).await);
        running.stop().await;
    }
}

/// Between a table's decision to leave memory and its being gone, somebody may come: they are not to be forgotten.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_client_that_comes_while_a_table_leaves_memory_is_heard() {
    let mut config = config();
    config.limits.unload_after = Duration::from_nanos(1);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let path = format!("/api/tables/{}", table.code);
    let visitors = tokio::spawn({
        let remote = remote.clone();
        async move {
            for _ in 0..300 {
                let (status, body) = remote.fetch("GET", &path, None, None).await.unwrap();
                assert_eq!(status, 200, "{}", String::from_utf8_lossy(&body));
            }
        }
    });
    for id in 1..=200 {
        let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
        // Too soon is an answer as well.
        assert_ne!(chat(&mut raw, id).await["type"], "bye");
    }
    visitors.await.unwrap();
    leaves_memory(&running).await;
    running.stop().await;
}

/// Somebody who comes back every two seconds does so for ever if nobody says that it is of no use.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_panics_whenever_it_is_loaded_is_damaged() {
    let mut config = config();
    config.limits.unload_after = Duration::from_millis(50);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let [table, other] = [quick(), quick()];
    let table = remote.open_table(&ann.token, &table).await.unwrap();
    let other = remote.open_table(&ann.token, &other).await.unwrap();
    leaves_memory(&running).await;
    let path = format!("/api/tables/{}", table.code);
    for _ in 0..5 {
        arm(Place::Loading, &table.code);
        let (status, body) = remote.fetch("GET", &path, None, None).await.unwrap();
        assert!(status == 500 && String::from_utf8_lossy(&body).contains("crashed"));
    }
    let (_, body) = remote.fetch("GET", &path, None, None).await.unwrap();
    assert!(String::from_utf8_lossy(&body).contains("damaged"));
    let mut raw = Raw::connect(running.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    assert_eq!(raw.end().await, (Some("damaged".to_owned()), 4013), "nobody comes back for that");
    assert_eq!(figure(&running, "unum_panics_total").await, 5);
    assert_eq!(remote.fetch("GET", &format!("/api/tables/{}", other.code), None, None).await.unwrap().0, 200);
    assert!(is_ready(&remote).await);
    running.stop().await;
}
