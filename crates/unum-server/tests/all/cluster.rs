//! Several servers on one database: clients at any node, tables that move, nodes that die.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use unum_protocol::rest::SignedIn;
use unum_protocol::{Level, MessageKind, Reaction, Request};
use unum_scratch::{Care, Scratch};
use unum_server::{Config, NodeSecret, Running, Server, StartError};

use crate::tools::{Guest, PATIENCE, Raw, config, desk, quick, soon, start};

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
    let text = get(desk(running).authority(), "/metrics").await;
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

/// Says something, and reads until the answer: 1 if it was heard, 0 if that was too much talk. Nothing may say that the table
/// has moved, and no number may be missing.
async fn chat_on(raw: &mut Raw, id: u32, last: &mut u64) -> u64 {
    raw.send(json!({"id": id, "request": {"type": "chat", "text": "toast"}})).await;
    soon(async {
        loop {
            let message = raw.next().await;
            assert!(message["type"] != "bye" && message["type"] != "welcome", "{message}");
            if let Some(seq) = message["seq"].as_u64() {
                assert!(*last == 0 || message["type"] == "snapshot" || seq == *last + 1, "{message} after {last}");
                *last = seq;
            }
            if message["id"] == id {
                assert!(message["type"] == "update" || message["code"] == "too_soon", "{message}");
                return u64::from(message["type"] == "update");
            }
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_stops_gives_its_tables_away_and_clients_of_others_do_not_notice() {
    let Some(database) = database(&["rolling"]) else { return };
    let mut config = node(&database, &["rolling"]);
    // Far longer than the test takes: what is given away is not waited for.
    config.lease_term = Some(Duration::from_secs(600));
    let (two, at_two) = start(config.clone()).await;
    let (three, at_three) = start(config.clone()).await;
    // It goes on for as long as the test needs.
    config.drain_time = Duration::from_secs(3);
    let (one, at_one) = start(config).await;
    let ann = at_two.sign_in("Ann").await.unwrap();
    let table = at_one.open_table(&ann.token, &quick()).await.unwrap();
    let mut ann = Raw::seated(two.address(), &ann.token, &table.code).await;
    let bob = at_three.sign_in("Bob").await.unwrap();
    let mut bob = Raw::seated(three.address(), &bob.token, &table.code).await;
    let cleo = at_one.sign_in("Cleo").await.unwrap();
    let mut cleo = Raw::seated(one.address(), &cleo.token, &table.code).await;
    let (mut seen, mut heard) = ([0; 3], 0);
    for id in 1..4 {
        heard += chat_on(&mut ann, id, &mut seen[0]).await;
    }
    let owner = database.sql("SELECT node FROM rolling.tables").unwrap();
    let stopping = tokio::spawn(one.stop());
    let mut id = 3;
    // Requests are on their way all the time.
    while database.sql("SELECT coalesce(node, 0) FROM rolling.tables").unwrap() == owner || id < 20 {
        id += 1;
        for (place, raw) in [&mut ann, &mut bob, &mut cleo].into_iter().enumerate() {
            heard += chat_on(raw, id, &mut seen[place]).await;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let said = "SELECT count(*) FROM rolling.journal WHERE convert_from(body, 'UTF8') LIKE '%chatted%'";
    assert_eq!(number(&database, said), heard, "each once");
    // Only those who were connected to the node itself have to come back, when it ends.
    let bye = soon(async {
        loop {
            let message = cleo.next().await;
            if message["type"] == "bye" {
                return message;
            }
        }
    })
    .await;
    assert_eq!((bye["code"].as_str(), bye["retry"].as_u64()), (Some("moved"), Some(100)));
    soon(stopping).await.unwrap();
    for id in id + 1..id + 4 {
        chat_on(&mut ann, id, &mut seen[0]).await;
        chat_on(&mut bob, id, &mut seen[1]).await;
    }
    assert_eq!((two.tables(), three.tables()), (1, 1), "one runs it, the other relays");
    two.stop().await;
    three.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_node_that_stops_lets_its_clients_come_back() {
    let Some(database) = database(&["last"]) else { return };
    let mut config = node(&database, &["last"]);
    config.lease_term = Some(Duration::from_secs(600));
    let (one, at_one) = start(config.clone()).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    let table = at_one.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(one.address(), &ann.token, &table.code).await;
    assert_eq!(say(&mut raw, 1, "marmalade").await["id"], 1);
    one.stop().await;
    let (two, at_two) = start(config).await;
    let mut ann = Guest::known(&at_two, &ann.token, &table.code).await;
    assert_eq!(ann.ask(Request::Chat { text: "again".to_owned() }).await.head().kind, MessageKind::Update);
    assert_eq!(two.tables(), 1, "it was taken, though the lease would have lasted");
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_node_gets_its_share_of_the_tables_in_play() {
    let Some(database) = database(&["shared"]) else { return };
    let mut config = node(&database, &["shared"]);
    config.lease_term = Some(Duration::from_secs(4));
    let (one, at_one) = start(config.clone()).await;
    let mut players = Vec::new();
    for number in 0..16 {
        let guest = at_one.sign_in(&format!("Guest {number}")).await.unwrap();
        let table = at_one.open_table(&guest.token, &quick()).await.unwrap();
        players.push((Raw::seated(one.address(), &guest.token, &table.code).await, 0, 0));
    }
    let (two, _) = start(config).await;
    let begun = Instant::now();
    let most = "SELECT max(count) FROM (SELECT count(*) FROM shared.tables WHERE node IS NOT NULL GROUP BY node) AS n";
    while number(&database, most) > 12 {
        assert!(begun.elapsed() < 2 * PATIENCE, "the new node is given nothing");
        for (raw, id, seen) in &mut players {
            *id += 1;
            chat_on(raw, *id, seen).await;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    for (raw, id, seen) in &mut players {
        chat_on(raw, *id + 1, seen).await;
    }
    two.stop().await;
    one.stop().await;
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

/// The first id of a guest in the second database.
const SECOND: u64 = 1 << 46;

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
    let are_enough = |guests: &[SignedIn]| {
        let first = guests.iter().filter(|guest| guest.id < SECOND).count();
        guests.len() >= 12 && first >= 2 && first < guests.len()
    };
    while !are_enough(&guests) {
        guests.push(at_two.sign_in(&format!("Guest {}", guests.len())).await.unwrap());
    }
    let counts =
        [number(&database, "SELECT count(*) FROM first.guests"), number(&other, "SELECT count(*) FROM second.guests")];
    assert!(counts[0] > 0 && counts[1] > 0, "{counts:?}");
    assert_eq!(counts.iter().sum::<u64>(), guests.len() as u64 + 1);
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
    let mut safe = guests.iter().filter(|guest| guest.id < SECOND);
    let (anybody, another) = (safe.next().unwrap(), safe.next().unwrap());
    let mut near = Raw::seated(one.address(), &anybody.token, &here[0]).await;
    let mut far = Raw::seated(two.address(), &another.token, &here[0]).await;
    other.crash().unwrap();
    for id in 1..20 {
        say(&mut near, id, "here").await;
    }
    assert_eq!(get(at_one.authority(), "/readyz").await.lines().next(), Some("HTTP/1.1 200 OK"));
    let _ = far.socket.close(None).await;
    other.begin().unwrap();
    let mut back = Guest::known(&at_two, &ann.token, &there[0]).await;
    assert_eq!(back.ask(Request::Chat { text: "back".to_owned() }).await.head().kind, MessageKind::Update);
    one.stop().await;
    two.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_starts_while_one_of_its_databases_is_away_and_joins_it_later() {
    let Some(database) = database(&["first"]) else { return };
    let Some(other) = self::database(&["second"]) else { return };
    let mut config = node(&database, &["first"]);
    config.database.push(other.address("second").parse().unwrap());
    (config.limits.tables_per_guest, config.limits.new_tables_per_minute) = (1000, 1000);
    // Both are known to be of one cluster.
    start(config.clone()).await.0.stop().await;
    other.crash().unwrap();
    let (one, at_one) = start(config).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    for _ in 0..8 {
        let table = at_one.open_table(&ann.token, &quick()).await.unwrap();
        let sql = format!("SELECT count(*) FROM first.tables WHERE invite = '{}'", table.code);
        assert_eq!(number(&database, &sql), 1, "the other database is away");
    }
    assert_eq!(get(at_one.authority(), "/readyz").await.lines().next(), Some("HTTP/1.1 200 OK"));
    other.begin().unwrap();
    eventually("that it joins", || number(&other, "SELECT count(*) FROM second.nodes WHERE alive") == 1).await;
    let begun = Instant::now();
    while number(&other, "SELECT count(*) FROM second.tables") == 0 {
        assert!(begun.elapsed() < PATIENCE, "no table is opened there");
        at_one.open_table(&ann.token, &quick()).await.unwrap();
    }
    one.stop().await;
    assert_eq!(number(&other, "SELECT count(*) FROM second.nodes WHERE alive"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_per_guest_are_of_all_nodes_together() {
    let Some(database) = database(&["limits"]) else { return };
    let mut config = node(&database, &["limits"]);
    (config.limits.connections_per_guest, config.limits.tables_per_guest) = (3, 3);
    let (one, at_one) = start(config.clone()).await;
    let (two, at_two) = start(config).await;
    let ann = at_one.sign_in("Ann").await.unwrap();
    let mut codes = Vec::new();
    for remote in [&at_one, &at_two, &at_one] {
        codes.push(remote.open_table(&ann.token, &quick()).await.unwrap().code);
    }
    let refusal = at_two.open_table(&ann.token, &quick()).await.unwrap_err().to_string();
    assert!(refusal.contains("as many tables open as you may"), "{refusal}");
    // Both know of each other: each has read who takes part.
    for running in [&one, &two] {
        let begun = Instant::now();
        while metric(running, "cluster_nodes").await < 2.0 {
            assert!(begun.elapsed() < PATIENCE, "a node does not know the other");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
    let mut seated = Vec::new();
    for (running, code) in [&one, &two, &one].into_iter().zip(&codes) {
        seated.push(Raw::seated(running.address(), &ann.token, code).await);
    }
    for running in [&one, &two] {
        let mut raw = Raw::connect(running.address()).await;
        raw.send(json!({"hello": {"version": 1, "table": codes[0], "token": ann.token}})).await;
        assert_eq!(soon(raw.next()).await["code"], "too_many");
    }
    seated.clear();
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

/// What an operator does at one node reaches the tables and the people of the other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acts_of_operators_take_effect_at_all_nodes() {
    let Some(database) = database(&["desk"]) else { return };
    let (one, at_one) = start(node(&database, &["desk"])).await;
    let (two, at_two) = start(node(&database, &["desk"])).await;
    let place = desk(&one);
    let ask = async |method: &str, path: &str, body: Option<Value>| {
        place.call::<Value>(method, path, None, body.as_ref()).await.unwrap()
    };
    soon(async {
        // Nodes look around from time to time.
        while ask("GET", "/api/status", None).await["nodes"].as_array().is_none_or(|nodes| nodes.len() < 2) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
    let ann = at_two.sign_in("Ann").await.unwrap();
    let eve = at_two.sign_in("Eve").await.unwrap();
    let table = at_two.open_table(&ann.token, &quick()).await.unwrap();
    let mut near = Raw::seated(one.address(), &ann.token, &table.code).await;
    let mut far = Raw::seated(two.address(), &eve.token, &table.code).await;
    ask("POST", "/api/announce", Some(json!({"text": "hello"}))).await;
    for raw in [&mut near, &mut far] {
        while soon(raw.next()).await != json!({"type": "announcement", "text": "hello"}) {}
    }
    let report = json!({"id": 1, "request": {"type": "report", "person": 2, "kind": "spam"}});
    near.send(report).await;
    assert_eq!(answer(&mut near, 1).await["type"], "done", "the table is at the other node");
    assert_eq!(ask("GET", "/api/reports", None).await[0]["guest"], eve.id);
    ask("POST", "/api/bans", Some(json!({"whom": eve.id.to_string(), "seconds": 60}))).await;
    assert_eq!(far.end().await, (Some("banned".to_owned()), 4020));
    for (at, remote) in [("one", &at_one), ("two", &at_two)] {
        let refused = remote.fetch("POST", "/api/tables", Some(&eve.token), Some(&quick())).await.unwrap();
        assert_eq!(refused.0, 403, "at node {at}");
    }
    ask("POST", &format!("/api/tables/{}/close", table.code), Some(json!({}))).await;
    assert_eq!(near.end().await.0.as_deref(), Some("closed"));
    let log = place.call::<Value>("GET", "/api/log", None, None).await.unwrap();
    assert_eq!(desk(&two).call::<Value>("GET", "/api/log", None, None).await.unwrap(), log, "there is one log");
    one.stop().await;
    two.stop().await;
}
