//! A server whose journal is on PostgreSQL.

use serde_json::json;
use unum_client::Server as Remote;
use unum_scratch::{Care, Scratch};
use unum_server::Server;

use crate::tools::{Raw, config, quick, soon, start};

/// One server after the other on a private database: what was acknowledged is there, also after the database crashed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_goes_on_though_server_and_database_are_restarted() {
    let database = match Scratch::start(Care::None) {
        Ok(database) => database,
        Err(why) => return eprintln!("skipped: {why}"),
    };
    database.sql("CREATE SCHEMA served").unwrap();
    let mut config = config();
    (config.ephemeral, config.database) = (false, vec![database.address("served").parse().unwrap()]);
    let (running, _) = start(config.clone()).await;
    let remote = Remote::new(&format!("http://{}", running.address())).unwrap();
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    raw.send(json!({"id": 1, "request": {"type": "chat", "text": "marmalade"}})).await;
    assert_eq!(raw.next().await["id"], 1);
    running.stop().await;
    assert_eq!(database.sql("SELECT count(*) FROM served.nodes WHERE alive").unwrap(), "0", "it left");
    let (running, _) = start(config.clone()).await;
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    // The database crashes while somebody plays: the answer comes when it is back.
    database.crash().unwrap();
    raw.send(json!({"id": 2, "request": {"type": "chat", "text": "toast"}})).await;
    database.begin().unwrap();
    let told = async {
        loop {
            if raw.next().await["id"] == 2 {
                break;
            }
        }
    };
    soon(told).await;
    running.stop().await;
    let said = "SELECT count(*) FROM served.journal WHERE convert_from(body, 'UTF8') LIKE '%toast%'";
    assert_eq!(database.sql(said).unwrap(), "1", "written once");
    // A wrong password or name is told without the address's secrets.
    let wrong = format!("postgres://nobody:hunter2@127.0.0.1:{}/postgres", database.port());
    config.database = vec![wrong.parse().unwrap()];
    let error = Server::start(config).await.unwrap_err().to_string();
    assert!(error.contains("nobody") && !error.contains("hunter2"), "{error}");
}
