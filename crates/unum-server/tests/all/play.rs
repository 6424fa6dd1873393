//! Whole games, connections that come and go, servers that stop and start.

use serde_json::{Value, json};
use unum_client::{Client, Server as Remote};
use unum_protocol::{Level, MessageKind, Request, Stage};
use unum_rules::fair::{Entropy, Place};
use unum_rules::record::Record;
use unum_server::{Config, Server};

use crate::tools::{Guest, Raw, config, quick, soon, start};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_and_two_bots_play_a_whole_match() {
    let (running, remote) = start(config()).await;
    let host = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&host.token, &quick()).await.unwrap();
    assert!(table.link.ends_with(&format!("/t/{}", table.code)));
    let mut ann = Guest::known(&remote, &host.token, &table.code).await;
    for level in [Level::Normal, Level::Hard] {
        assert_eq!(ann.ask(Request::AddBot { level }).await.head().kind, MessageKind::Update);
    }
    let mut bob = Guest::new(&remote, "Bob", &table.code).await;
    let both = async { tokio::join!(ann.play(), bob.play()) };
    soon(both).await;
    let chairs = &ann.lobby.as_ref().unwrap().chairs;
    assert_eq!(chairs.len(), 4);
    finished_games_are_told(&remote, &ann.token).await;
    running.stop().await;
}

/// The match just played, as a list, a record in both forms, and step by step.
async fn finished_games_are_told(remote: &Remote, token: &str) {
    let id = soon(async {
        loop {
            let games: Value = remote.call("GET", "/api/games", Some(token), None).await.unwrap();
            if let Some(id) = games["finished"][0]["id"].as_str() {
                assert_eq!(games["finished"][0]["players"][0], "Ann");
                return id.to_owned();
            }
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    })
    .await;
    let (_, text) = remote.fetch("GET", &format!("/api/games/{id}"), Some(token), None).await.unwrap();
    let record = Record::parse(std::str::from_utf8(&text).unwrap()).unwrap();
    assert!(record.replay().is_ok());
    let (_, text) = remote.fetch("GET", &format!("/api/games/{id}?format=text"), Some(token), None).await.unwrap();
    assert_eq!(Record::parse(std::str::from_utf8(&text).unwrap()).unwrap(), record);
    let open: Value = remote.call("GET", &format!("/api/games/{id}/replay"), Some(token), None).await.unwrap();
    let seen: Value = remote.call("GET", &format!("/api/games/{id}/replay?seat=1"), Some(token), None).await.unwrap();
    assert!(open["steps"][0]["state"]["hands"].is_array() && seen["steps"][0]["view"]["hand"].is_array());
    assert_eq!(open["steps"].as_array().unwrap().len(), seen["steps"].as_array().unwrap().len());
    let (status, _) = remote.fetch("GET", &format!("/api/games/{id}/replay?seat=9"), Some(token), None).await.unwrap();
    assert_eq!(status, 422);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_comes_back_gets_what_was_missed_without_gaps() {
    let (running, remote) = start(config()).await;
    let opener = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&opener.token, &quick()).await.unwrap();
    let ann = Guest::known(&remote, &opener.token, &table.code).await;
    let seen = ann.client.seen().unwrap();
    let mut bob = Guest::new(&remote, "Bob", &table.code).await;
    for text in ["one", "two", "three"] {
        bob.ask(Request::Chat { text: text.to_owned() }).await;
    }
    let last = bob.client.seen().unwrap();
    let mut again = Raw::connect(running.address()).await;
    again.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token, "after": seen}})).await;
    assert_eq!(again.next().await["type"], "welcome");
    for seq in seen + 1..=last {
        let update = again.next().await;
        assert_eq!((update["type"].as_str(), update["seq"].as_u64()), (Some("update"), Some(seq)));
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_newer_connection_replaces_the_older() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut older = Raw::seated(running.address(), &ann.token, &table.code).await;
    let mut newer = Raw::seated(running.address(), &ann.token, &table.code).await;
    assert_eq!(older.end().await, (Some("replaced".to_owned()), 4001));
    newer.send(json!({"id": 1, "request": {"type": "chat", "text": "still here"}})).await;
    assert_eq!(newer.next().await["id"], 1);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_server_says_so_and_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config();
    (config.ephemeral, config.data) = (false, folder.path().to_owned());
    let (running, remote) = start(config.clone()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    raw.send(json!({"id": 1, "request": {"type": "add_bot", "level": "normal"}})).await;
    assert_eq!(raw.next().await["id"], 1);
    soon(running.stop()).await;
    assert_eq!(raw.end().await, (Some("stopping".to_owned()), 1001));

    let (running, _) = start(config).await;
    let mut raw = Raw::connect(running.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    let welcome = raw.next().await;
    assert_eq!(welcome["last_id"], 1, "what was acknowledged is known");
    let snapshot = raw.next().await;
    assert_eq!(snapshot["lobby"]["chairs"].as_array().unwrap().len(), 2);
    raw.send(json!({"id": 1, "request": {"type": "add_bot", "level": "normal"}})).await;
    let answer = raw.next().await;
    assert_eq!((answer["type"].as_str(), answer["id"].as_u64()), (Some("done"), Some(1)), "not carried out twice");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_without_people_leave_memory_and_come_back() {
    let mut config = config();
    config.limits.unload_after = std::time::Duration::from_millis(50);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    drop(raw);
    soon(async {
        while running.tables() > 0 {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    })
    .await;
    let again = Raw::seated(running.address(), &ann.token, &table.code).await;
    assert_eq!(running.tables(), 1);
    drop(again);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_removed_player_is_told_and_cannot_return() {
    let (running, remote) = start(config()).await;
    let opener = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&opener.token, &quick()).await.unwrap();
    let mut ann = Guest::known(&remote, &opener.token, &table.code).await;
    let bob = remote.sign_in("Bob").await.unwrap();
    let mut raw = Raw::seated(running.address(), &bob.token, &table.code).await;
    ann.until(|_, lobby| lobby.as_ref().is_some_and(|lobby| lobby.people.len() == 2)).await;
    let kicked = ann.lobby.as_ref().unwrap().people.iter().find(|person| person.name == "Bob").unwrap().person;
    assert_eq!(ann.ask(Request::Kick { person: kicked, address: false }).await.head().kind, MessageKind::Update);
    assert_eq!(raw.end().await, (Some("kicked".to_owned()), 4012));
    let mut raw = Raw::connect(running.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": table.code, "token": bob.token}})).await;
    assert_eq!(raw.end().await, (Some("kicked".to_owned()), 4012));
    assert_eq!(ann.stage(), Stage::Lobby);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_kicked_with_their_address_does_not_return_as_another_guest() {
    let (running, remote) = start(config()).await;
    let opener = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&opener.token, &quick()).await.unwrap();
    let mut ann = Guest::known(&remote, &opener.token, &table.code).await;
    let away = remote.clone().from_address("127.0.0.2".parse().unwrap());
    let bob = Guest::new(&away, "Bob", &table.code).await;
    let kick = Request::Kick { person: bob.person(), address: true };
    assert_eq!(ann.ask(kick).await.head().kind, MessageKind::Update);
    let cy = away.sign_in("Cy").await.unwrap();
    let refused = Client::new(away.clone(), &cy.token, &table.code).next().await.unwrap();
    assert_eq!(refused.head().code.map(|code| code.as_str()), Some("kicked"));
    assert_eq!(ann.ask(Request::Unkick { person: bob.person() }).await.head().kind, MessageKind::Update);
    drop(Guest::known(&away, &cy.token, &table.code).await);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_code_lets_in_and_the_old_one_does_not_even_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let stored = || Config { ephemeral: false, data: folder.path().to_owned(), ..config() };
    let (running, remote) = start(stored()).await;
    let opener = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&opener.token, &quick()).await.unwrap();
    let mut ann = Guest::known(&remote, &opener.token, &table.code).await;
    assert_eq!(ann.ask(Request::NewCode {}).await.head().kind, MessageKind::Update);
    let code = ann.client.table().to_owned();
    assert!(code != table.code && ann.lobby.as_ref().unwrap().code == code);
    ann.client.hang_up();
    assert_eq!(ann.ask(Request::AddBot { level: Level::Easy }).await.head().kind, MessageKind::Update);
    drop(ann);
    let tried = |address, code: String, token: String| async move {
        let mut raw = Raw::connect(address).await;
        raw.send(json!({"hello": {"version": 1, "table": code, "token": token}})).await;
        let first = raw.next().await;
        first["code"].as_str().or(first["type"].as_str()).unwrap_or_default().to_owned()
    };
    let bob = remote.sign_in("Bob").await.unwrap();
    assert_eq!(tried(running.address(), table.code.clone(), bob.token.clone()).await, "no_table");
    assert_eq!(tried(running.address(), code.clone(), bob.token.clone()).await, "welcome");
    running.stop().await;
    let (running, remote) = start(stored()).await;
    let games: Value = remote.call("GET", "/api/games", Some(&opener.token), None).await.unwrap();
    assert_eq!(games["open"][0]["table"], json!(code));
    assert_eq!(tried(running.address(), table.code.clone(), bob.token.clone()).await, "no_table");
    assert_eq!(tried(running.address(), code.clone(), bob.token.clone()).await, "welcome");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bots_in_a_hurry_keep_nobody_waiting() {
    let (running, remote) = start(config()).await;
    let opener = remote.sign_in("Ann").await.unwrap();
    let mut settings = quick();
    settings["rules"]["scoring"] = json!({"type": "first_to", "target": 10_000});
    let table = remote.open_table(&opener.token, &settings).await.unwrap();
    let mut ann = Guest::known(&remote, &opener.token, &table.code).await;
    let mut message = ann.ask(Request::AddBot { level: Level::Easy }).await;
    while ann.stage() == Stage::Lobby {
        ann.react(&message).await;
        message = ann.next().await.unwrap();
    }
    // From now on a bot plays for Ann, too; and somebody else still gets a word in.
    ann.client.request(Request::Autopilot { on: true }).await;
    let mut bob = Guest::new(&remote, "Bob", &table.code).await;
    assert_eq!(bob.ask(Request::Chat { text: "hello".to_owned() }).await.head().kind, MessageKind::Update);
    running.stop().await;
}

/// The code of a table, what it is bound to before the deal, and the hand that its host is dealt.
async fn first_deal(seed: u64) -> [String; 3] {
    let (running, remote) = start(Config { seed: Some(seed), ..config() }).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &json!({"clock": null})).await.unwrap();
    let mut raw = Raw::connect(running.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    raw.next().await;
    let commitment = raw.next().await["lobby"]["fair"]["next"].clone();
    let part = Entropy([7; 32]);
    let place = Place { commitment: serde_json::from_value(commitment.clone()).unwrap(), attempt: 1, seat: 0 };
    let requests = [json!({"type": "add_bot", "level": "easy"}), json!({"type": "ready", "ready": true})];
    let requests = requests.into_iter().chain([json!({"type": "start", "pledge": part.pledge(place)})]);
    for (id, request) in requests.enumerate() {
        raw.send(json!({"id": id + 1, "request": request})).await;
    }
    let hand = loop {
        let message = raw.next().await;
        assert_ne!(message["type"], "refused", "{message}");
        if message["what"]["type"] == "pledges_closed" {
            raw.send(json!({"id": 4, "request": {"type": "open", "part": part}})).await;
        }
        if message.get("game").is_some() {
            break message["game"]["view"]["hand"].to_string();
        }
    };
    running.stop().await;
    [table.code, commitment.to_string(), hand]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_seed_deals_the_same_cards() {
    let (one, same, other) = (first_deal(1).await, first_deal(1).await, first_deal(2).await);
    assert_eq!(one, same);
    assert!((0..3).all(|part| one[part] != other[part]), "{one:?} {other:?}");
}

#[tokio::test]
async fn a_seed_needs_a_server_that_keeps_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let config = Config { seed: Some(1), ephemeral: false, data: folder.path().to_owned(), ..config() };
    assert!(Server::start(config).await.unwrap_err().to_string().contains("--ephemeral"));
}
