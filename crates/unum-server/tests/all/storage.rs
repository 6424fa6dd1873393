//! A disk that does not do what it should.

use serde_json::json;
use unum_client::Server as Remote;
use unum_server::{Server, StartError};
use unum_store::{Store, StoreError};

use crate::tools::{Raw, config, desk, quick, soon, start};

#[tokio::test]
async fn a_taken_port_and_a_used_folder_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config();
    (config.ephemeral, config.data) = (false, folder.path().to_owned());
    let (running, _) = start(config.clone()).await;
    let error = Server::start(config.clone()).await.unwrap_err();
    assert!(matches!(error, StartError::Store(StoreError::Locked { .. })), "{error}");
    (config.data, config.port) = (folder.path().join("another"), running.address().port());
    let error = Server::start(config.clone()).await.unwrap_err();
    assert!(matches!(error, StartError::PortTaken(_)) && error.to_string().contains("--port"), "{error}");
    assert!(!config.data.exists(), "a start that failed leaves nothing behind");
    running.stop().await;
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_named() {
    let mut config = config();
    // Nobody may make folders there, not even the superuser.
    (config.ephemeral, config.data) = (false, "/proc/unum".into());
    let error = Server::start(config).await.unwrap_err();
    assert!(matches!(error, StartError::Store(StoreError::Folder { .. })), "{error}");
    assert!(error.to_string().contains("/proc/unum"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_told_and_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let (full, empty) = (store.clone(), store.clone());
    outlives(store, || full.limit_size(1).unwrap(), "full", || empty.limit_size(1 << 30).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_held_by_another_program_is_told_and_nothing_acknowledged_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let other = rusqlite::Connection::open(folder.path().join(unum_store::DATABASE)).unwrap();
    let (hold, release) = ("BEGIN IMMEDIATE", "COMMIT");
    outlives(store, || other.execute_batch(hold).unwrap(), "program", || other.execute_batch(release).unwrap()).await;
}

/// A server whose store stops writing, says so with that word, and goes on when it is mended: what was acknowledged is
/// there.
async fn outlives(store: Store, spoil: impl FnOnce(), word: &str, mend: impl FnOnce()) {
    let running = Server::start_with(config(), store).await.unwrap();
    let remote = Remote::new(&format!("http://{}", running.address())).unwrap();
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    raw.send(json!({"id": 1, "request": {"type": "chat", "text": "while all is well"}})).await;
    assert_eq!(raw.next().await["id"], 1);
    spoil();
    let (mut id, mut acknowledged) = (1, 1);
    let texts = ["x", "y"].map(|letter| letter.repeat(300));
    // Change the settings until the journal takes no more.
    let bye = loop {
        id += 1;
        let prompts = vec![json!({"do": "perform", "prompt": texts[id % 2]}); 9];
        let rules = json!({"edition": "custom", "custom_cards": [{"title": "Talk", "effects": prompts}]});
        let settings = json!({"rules": rules, "pace": "instant", "clock": null});
        raw.send(json!({"id": id, "request": {"type": "settings", "settings": settings}})).await;
        let answer = raw.next().await;
        if answer["type"] == "bye" {
            break answer;
        }
        assert_eq!(answer["id"], id);
        match answer["retry"].as_u64() {
            Some(retry) => tokio::time::sleep(std::time::Duration::from_millis(retry)).await,
            None => acknowledged = id,
        }
    };
    assert_eq!(bye["code"], "storage");
    assert!(bye["retry"].is_number());
    let (status, why) = desk(&running).fetch("GET", "/readyz", None, None).await.unwrap();
    let why = String::from_utf8(why).unwrap();
    assert!(status == 503 && why.contains(word), "{status} {why}");
    let public = remote.fetch("GET", "/readyz", None, None).await.unwrap();
    assert_eq!(public, (503, b"not ready\n".to_vec()), "others are not told why");

    mend();
    soon(async {
        while remote.fetch("GET", "/readyz", None, None).await.unwrap().0 != 200 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    })
    .await;
    let mut raw = Raw::connect(running.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    assert_eq!(raw.next().await["last_id"], acknowledged);
    running.stop().await;
}
