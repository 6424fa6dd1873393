//! Several servers on one database: clients at any node, tables that move, nodes that die.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use unum_client::Server as Remote;
use unum_protocol::{Level, MessageKind, Reaction, Request};
use unum_scratch::{Care, Scratch};
use unum_server::{Config, NodeSecret, Running, Server, StartError};

use crate::tools::{Guest, PATIENCE, Raw, config, quick, soon, start};

const SECRET: &str = "a secret of the nodes";

/// A private database with a schema for a test, or a word about why there is none.
fn database(schemas: &[&str]) -> Option<Scratch> {
    let database = Scratch::start(Care::None).inspect_err(|why| eprintln!("skipped: {why}")).ok()?;
    for schema in schemas {
        database.sql(&format!("CREATE SCHEMA {schema}")).unwrap();
    }
    Some(database)
}

/// A node, whose lease is short: a test need not wait for long until it has run out.
fn node(database: &Scratch, schemas: &[&str]) -> Config {
    let mut config = config();
    config.ephemeral = false;
    config.database = schemas.iter().map(|schema| database.address(schema).parse().unwrap()).collect();
    config.node_listen = Some("127.0.0.1:0".parse().unwrap());
    config.node_secret = Some(NodeSecret::new(SECRET).unwrap());
    config.lease_term = Some(Duration::from_secs(3));
    config.drain_time = Duration::ZERO;
    config.limits.stop_timeout = Duration::from_secs(5);
    config
}

fn number(database: &Scratch, sql: &str) -> u64 {
    database.sql(sql).unwrap().parse().unwrap()
}

/// Waits until something holds.
async fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "{what} never happens");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

async fn metric(running: &Running, name: &str) -> f64 {
    let remote = Remote::new(&format!("http://{}", running.address())).unwrap();
    let text = get(remote.authority(), "/metrics").await;
    let line = text.lines().find(|line| line.starts_with(&format!("unum_{name} "))).unwrap_or("x 0");
    line.split(' ').nth(1).unwrap().parse().unwrap()
}

/// A plain request over HTTP; the whole answer.
async fn get(authority: &str, path: &str) -> String {
    let mut socket = TcpStream::connect(authority).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: {authority}\r\nconnection: close\r\n\r\n");
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut text = String::new();
    socket.read_to_string(&mut text).await.unwrap();
    text
}

/// Reads until the answer to a request, and returns it.
async fn answer(raw: &mut Raw, id: u32) -> Value {
    soon(async {
        loop {
            let message = raw.next().await;
            if message["id"] == id {
                return message;
            }
        }
    })
    .await
}

async fn say(raw: &mut Raw, id: u32, text: &str) -> Value {
    raw.send(json!({"id": id, "request": {"type": "chat", "text": text}})).await;
    answer(raw, id).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn people_at_different_nodes_play_at_one_table() {
    let Some(database) = database(&["relayed"]) else { return };
    let (one, at_one) = start(node(&database, &["relayed"])).await;
    let (two, at_two) = start(node(&database, &["relayed"])).await;
    let (three, at_three) = start(node(&database, &["relayed"])).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    let table = at_two.open_table(&ann.token, &quick()).await.unwrap();
    let mut ann = Guest::known(&at_one, &ann.token, &table.code).await;
    let mut bob = Guest::new(&at_two, "Bob", &table.code).await;
    let mut cleo = Guest::new(&at_three, "Cleo", &table.code).await;
    assert_eq!(metric(&two, "relayed_clients").await, 2.0);
    assert_eq!((one.tables(), metric(&one, "relays").await), (1, 1.0));
    let games = [ann.play(), bob.play(), cleo.play()];
    futures_util::future::join_all(games.map(Box::pin)).await;
    // What a table is can be asked at any node, as can the list of public ones and the rounds that were played.
    for remote in [&at_one, &at_two, &at_three] {
        let text = get(remote.authority(), &format!("/api/tables/{}", table.code)).await;
        assert!(text.contains("\"people\""), "{text}");
    }
    eventually("the record", || number(&database, "SELECT count(*) FROM relayed.records") == 1).await;
    let nodes = database.sql("SELECT count(DISTINCT node) FROM relayed.tables WHERE node IS NOT NULL").unwrap();
    assert_eq!(nodes, "1");
    for running in [one, two, three] {
        running.stop().await;
    }
    assert_eq!(number(&database, "SELECT count(*) FROM relayed.nodes WHERE alive"), 0);
}

/// The same messages, byte for byte but for what says who one is.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_relayed_client_is_told_what_a_local_one_is_told() {
    let Some(database) = database(&["same"]) else { return };
    let (one, at_one) = start(node(&database, &["same"])).await;
    let (two, at_two) = start(node(&database, &["same"])).await;
    let host = at_one.sign_in("Host").await.unwrap();
    let table = at_one.open_table(&host.token, &quick()).await.unwrap();
    let mut host = Raw::seated(one.address(), &host.token, &table.code).await;
    let (ann, bob) = (at_one.sign_in("Ann").await.unwrap(), at_two.sign_in("Bob").await.unwrap());
    let mut near = Raw::seated(one.address(), &ann.token, &table.code).await;
    let mut far = Raw::seated(two.address(), &bob.token, &table.code).await;
    for id in 1..=4 {
        assert_eq!(say(&mut host, id, "marmalade").await["id"], id);
    }
    let heard = async |raw: &mut Raw| {
        let mut heard = Vec::new();
        while heard.len() < 4 {
            let mut message = soon(raw.next()).await;
            if message["what"]["type"] == "chatted" {
                message.as_object_mut().unwrap().remove("own");
                heard.push(message);
            }
        }
        heard
    };
    assert_eq!(heard(&mut near).await, heard(&mut far).await);
    // A request that is not allowed is refused in the same words, one that is no request by the node itself.
    let wrong = json!({"id": 1, "request": {"type": "start"}});
    near.send(wrong.clone()).await;
    far.send(wrong).await;
    assert_eq!(answer(&mut near, 1).await, answer(&mut far, 1).await);
    one.stop().await;
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_hands_its_tables_over_under_play() {
    let Some(database) = database(&["rolling"]) else { return };
    let mut config = node(&database, &["rolling"]);
    // Far longer than the test takes: what is handed over is not waited for.
    config.lease_term = Some(Duration::from_secs(600));
    let (one, at_one) = start(config.clone()).await;
    let (two, at_two) = start(config.clone()).await;
    let ann = at_two.sign_in("Ann").await.unwrap();
    let table = at_one.open_table(&ann.token, &quick()).await.unwrap();
    let mut ann = Raw::seated(two.address(), &ann.token, &table.code).await;
    assert_eq!(say(&mut ann, 1, "marmalade").await["id"], 1);
    one.stop().await;
    // The relayed client is told to come back at once, and finds the table at its own node.
    let bye = soon(async {
        loop {
            let message = ann.next().await;
            if message["type"] == "bye" {
                return message;
            }
        }
    })
    .await;
    assert_eq!((bye["code"].as_str(), bye["retry"].as_u64()), (Some("moved"), Some(100)));
    assert_eq!(two.tables(), 0, "the relay has ended");
    let text = get(at_two.authority(), &format!("/api/tables/{}", table.code)).await;
    assert!(text.contains("200 OK"), "{text}");
    assert_eq!(two.tables(), 1, "it was taken, though the lease would have lasted");
    // A new node takes part; the old one's clients play on there while the second stops.
    let (three, at_three) = start(config).await;
    let remote = at_three.clone();
    let mut bob = Guest::new(&remote, "Bob", &table.code).await;
    assert_eq!(metric(&three, "relays").await, 1.0);
    let stopping = tokio::spawn(two.stop());
    for text in ["one", "two"] {
        let answer = bob.ask(Request::Chat { text: text.to_owned() }).await;
        assert_ne!(answer.head().kind, MessageKind::Refused, "nothing is refused");
    }
    soon(stopping).await.unwrap();
    assert_eq!(bob.ask(Request::Chat { text: "three".to_owned() }).await.head().kind, MessageKind::Update);
    let said = "SELECT count(*) FROM rolling.journal WHERE convert_from(body, 'UTF8') LIKE '%chatted%'";
    assert_eq!(number(&database, said), 4, "each once");
    three.stop().await;
}

/// Drops a server as a kill would: nobody is told, and no lease is given back.
fn kill(runtime: Runtime, running: Running) {
    runtime.shutdown_timeout(Duration::from_secs(10));
    drop(running);
}

#[test]
fn the_tables_of_a_node_that_dies_are_played_on_elsewhere() {
    let Some(database) = database(&["killed"]) else { return };
    let doomed = Runtime::new().unwrap();
    let (victim, at_victim) = doomed.block_on(start(node(&database, &["killed"])));
    Runtime::new().unwrap().block_on(async {
        let (heir, at_heir) = start(node(&database, &["killed"])).await;
        let ann = at_heir.sign_in("Ann").await.unwrap();
        let table = at_victim.open_table(&ann.token, &quick()).await.unwrap();
        let mut ann = Guest::known(&at_heir, &ann.token, &table.code).await;
        assert_eq!(victim.tables(), 1);
        for text in ["one", "two"] {
            assert_eq!(ann.ask(Request::Chat { text: text.to_owned() }).await.head().kind, MessageKind::Update);
        }
        tokio::task::spawn_blocking(move || kill(doomed, victim)).await.unwrap();
        // The client waits at its own node until the lease has run out, and goes on by itself.
        assert_eq!(ann.ask(Request::Chat { text: "three".to_owned() }).await.head().kind, MessageKind::Update);
        let said = "SELECT count(*) FROM killed.journal WHERE convert_from(body, 'UTF8') LIKE '%chatted%'";
        assert_eq!(number(&database, said), 3, "nothing is lost, nothing doubled");
        let message = ann.ask(Request::AddBot { level: Level::Easy }).await;
        ann.react(&message).await;
        ann.play().await;
        heir.stop().await;
    });
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_was_given_up_puts_its_tables_away_and_comes_back() {
    let Some(database) = database(&["zombie"]) else { return };
    let (one, at_one) = start(node(&database, &["zombie"])).await;
    let (two, at_two) = start(node(&database, &["zombie"])).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    let table = at_one.open_table(&ann.token, &quick()).await.unwrap();
    let mut ann = Guest::known(&at_one, &ann.token, &table.code).await;
    let owner = database.sql("SELECT node FROM zombie.tables").unwrap();
    // As if it had slept for longer than its lease, and the other had noticed.
    database.sql(&format!("UPDATE zombie.nodes SET alive = false WHERE id = {owner}")).unwrap();
    let mut bob = Guest::new(&at_two, "Bob", &table.code).await;
    assert_ne!(database.sql("SELECT node FROM zombie.tables").unwrap(), owner, "the other has taken it");
    // The old owner's client is told, and plays on at the new one's, by way of the same node, which takes part again.
    assert_eq!(ann.ask(Request::Chat { text: "toast".to_owned() }).await.head().kind, MessageKind::Update);
    assert_eq!(bob.ask(Request::Chat { text: "jam".to_owned() }).await.head().kind, MessageKind::Update);
    eventually("that it is back", || number(&database, "SELECT count(*) FROM zombie.nodes WHERE alive") == 2).await;
    eventually("the relay", || two.tables() == 1 && one.tables() == 1).await;
    let said = "SELECT count(*) FROM zombie.journal WHERE convert_from(body, 'UTF8') LIKE '%chatted%'";
    assert_eq!(number(&database, said), 2);
    one.stop().await;
    two.stop().await;
}

/// Where a node listens for others.
fn door(database: &Scratch, schema: &str) -> SocketAddr {
    database.sql(&format!("SELECT address FROM {schema}.nodes WHERE alive")).unwrap().parse().unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn strangers_and_those_who_break_the_protocol_are_hung_up_on() {
    let Some(database) = database(&["strangers"]) else { return };
    let (one, at_one) = start(node(&database, &["strangers"])).await;
    let address = door(&database, "strangers");
    // Somebody who speaks HTTP, somebody who says nothing right, somebody without the secret.
    let mut stranger = TcpStream::connect(address).await.unwrap();
    stranger.write_all(&[b'G'; 100]).await.unwrap();
    let mut answer = Vec::new();
    let _ = soon(stranger.read_to_end(&mut answer)).await;
    assert!(answer.is_empty());
    let mut other = node(&database, &["strangers"]);
    other.node_secret = Some(NodeSecret::new("another secret than theirs").unwrap());
    let (two, _) = start(other).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    let table = at_one.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::connect(two.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    let begun = Instant::now();
    while metric(&one, "refused_nodes_total").await < 2.0 {
        assert!(begun.elapsed() < PATIENCE, "the node without the secret is never refused");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(one.tables(), 1, "and nothing has come through");
    two.stop().await;
    one.stop().await;
}

#[tokio::test]
async fn a_node_without_all_it_needs_does_not_start() {
    let mut alone = config();
    alone.node_listen = Some("127.0.0.1:0".parse().unwrap());
    assert!(matches!(Server::start(alone.clone()).await, Err(StartError::Node(_))));
    alone.ephemeral = false;
    alone.database = vec!["postgres://nobody@127.0.0.1:1/none".parse().unwrap()];
    let Err(StartError::Node(message)) = Server::start(alone.clone()).await else { panic!("it starts") };
    assert!(message.contains("--node-secret-file"), "{message}");
    alone.node_secret = Some(NodeSecret::new(SECRET).unwrap());
    alone.node_listen = Some("0.0.0.0:0".parse().unwrap());
    let Err(StartError::Node(message)) = Server::start(alone).await else { panic!("it starts") };
    assert!(message.contains("--node-address"), "{message}");
    assert!(NodeSecret::new("too short").is_err());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_relayed_reader_holds_nobody_up() {
    let Some(database) = database(&["slow"]) else { return };
    let mut config = node(&database, &["slow"]);
    // Little room, so that it is used up soon.
    (config.limits.queue_messages, config.limits.queue_bytes) = (40, 16 * 1024);
    let (one, at_one) = start(config.clone()).await;
    let (two, at_two) = start(config).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    let mut settings = quick();
    (settings["seats"], settings["rules"]["scoring"]) = (json!(6), json!({"type": "first_to", "target": 10_000}));
    let table = at_one.open_table(&ann.token, &settings).await.unwrap();
    let mut player = Guest::known(&at_one, &ann.token, &table.code).await;
    for _ in 0..5 {
        player.ask(Request::AddBot { level: Level::Random }).await;
    }
    let mut watcher = Guest::new(&at_two, "Bob", &table.code).await;
    let cleo = at_two.sign_in("Cleo").await.unwrap();
    let _sleeper = Raw::seated(two.address(), &cleo.token, &table.code).await;
    let message = player.ask(Request::Ready { ready: true, pledge: None }).await;
    player.react(&message).await;
    let begun = Instant::now();
    // The sleeper's own node lets it go. Those who read, near and far, go on all the time.
    while two.sessions() > 1 {
        assert!(begun.elapsed() < 2 * PATIENCE, "the sleeper was not let go");
        tokio::select! {
            message = player.next() => player.react(&message.unwrap()).await,
            message = watcher.next() => drop(message.unwrap()),
        }
    }
    assert_eq!(watcher.ask(Request::React { reaction: Reaction::Wow }).await.head().kind, MessageKind::Update);
    one.stop().await;
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signing_out_and_deleting_count_at_all_nodes() {
    let Some(database) = database(&["people"]) else { return };
    let (one, at_one) = start(node(&database, &["people"])).await;
    let (two, at_two) = start(node(&database, &["people"])).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    let table = at_one.open_table(&ann.token, &quick()).await.unwrap();
    let mut near = Raw::seated(one.address(), &ann.token, &table.code).await;
    let bob = at_two.sign_in("Bob").await.unwrap();
    let mut far = Raw::seated(two.address(), &bob.token, &table.code).await;
    eventually("that they know each other", || number(&database, "SELECT count(*) FROM people.nodes WHERE alive") == 2)
        .await;
    let text = {
        let mut socket = TcpStream::connect(one.address()).await.unwrap();
        let head = format!(
            "DELETE /api/me HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\nconnection: close\r\n\r\n",
            one.address(),
            bob.token
        );
        socket.write_all(head.as_bytes()).await.unwrap();
        let mut text = String::new();
        soon(socket.read_to_string(&mut text)).await.unwrap();
        text
    };
    assert!(text.starts_with("HTTP/1.1 200"), "{text}");
    let bye = soon(async {
        loop {
            let message = far.next().await;
            if message["type"] == "bye" {
                return message["code"].clone();
            }
        }
    })
    .await;
    // Whichever comes first: the table's word, or that of the node.
    assert!(["signed_out", "dismissed", "not_here"].iter().any(|code| bye == *code), "{bye}");
    assert_eq!(number(&database, "SELECT count(*) FROM people.guests"), 1);
    say(&mut near, 1, "alone").await;
    one.stop().await;
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_are_spread_over_databases_and_one_that_is_gone_stops_only_its_own() {
    let Some(database) = database(&["first"]) else { return };
    let Some(other) = self::database(&["second"]) else { return };
    let mut config = node(&database, &["first"]);
    config.database.push(other.address("second").parse().unwrap());
    let (one, at_one) = start(config.clone()).await;
    let (two, at_two) = start(config.clone()).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    let (mut here, mut there) = (Vec::new(), Vec::new());
    while here.is_empty() || there.is_empty() {
        let table = at_one.open_table(&ann.token, &quick()).await.unwrap();
        let sql = format!("SELECT count(*) FROM first.tables WHERE invite = '{}'", table.code);
        if number(&database, &sql) == 1 { &mut here } else { &mut there }.push(table.code);
        assert!(here.len() + there.len() < 60, "all tables are in one database");
    }
    let mut guests = Vec::new();
    for name in 0..12 {
        guests.push(at_two.sign_in(&format!("Guest {name}")).await.unwrap());
    }
    let counts =
        [number(&database, "SELECT count(*) FROM first.guests"), number(&other, "SELECT count(*) FROM second.guests")];
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
    assert_eq!(counts.iter().sum::<u64>(), 13);
    for guest in &guests {
        Raw::seated(two.address(), &guest.token, &there[0]).await;
        Raw::seated(one.address(), &guest.token, &here[0]).await;
    }
    // Named in another order they are refused.
    let mut turned = config.clone();
    turned.database.reverse();
    let error = Server::start(turned).await.unwrap_err().to_string();
    assert!(error.contains("in the order"), "{error}");
    // One is gone: tables of the other are played at, relayed and not.
    let mut safe = Vec::new();
    while safe.len() < 2 {
        let guest = at_two.sign_in("Dora").await.unwrap();
        safe.extend((guest.id < 1 << 46).then_some(guest.token));
    }
    let mut near = Raw::seated(one.address(), &safe[0], &here[0]).await;
    let mut far = Raw::seated(two.address(), &safe[1], &here[0]).await;
    other.crash().unwrap();
    for id in 1..=2 {
        assert_eq!(say(&mut near, id, "here").await["type"], "update");
        assert_eq!(say(&mut far, id, "there").await["type"], "update");
    }
    assert_eq!(get(at_one.authority(), "/readyz").await.lines().next(), Some("HTTP/1.1 200 OK"));
    other.begin().unwrap();
    let mut back = Guest::known(&at_two, &ann.token, &there[0]).await;
    assert_eq!(back.ask(Request::Chat { text: "back".to_owned() }).await.head().kind, MessageKind::Update);
    one.stop().await;
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_of_a_newer_version_is_left_alone() {
    let Some(database) = database(&["newer"]) else { return };
    let (one, at_one) = start(node(&database, &["newer"])).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    let table = at_one.open_table(&ann.token, &quick()).await.unwrap();
    let format = number(&database, "SELECT format FROM newer.tables");
    one.stop().await;
    database.sql(&format!("UPDATE newer.tables SET format = {}", format + 1)).unwrap();
    let (two, at_two) = start(node(&database, &["newer"])).await;
    let mut raw = Raw::connect(two.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    assert_eq!(soon(raw.next()).await["code"], "newer");
    let text = get(at_two.authority(), &format!("/api/tables/{}", table.code)).await;
    assert!(text.starts_with("HTTP/1.1 503") && text.contains("newer version"), "{text}");
    assert_eq!(number(&database, "SELECT format FROM newer.tables"), format + 1);
    two.stop().await;
}
