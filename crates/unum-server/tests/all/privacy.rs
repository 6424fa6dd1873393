//! What guests can do about what is stored of them, and who may see finished games.

use serde_json::{Value, json};
use unum_client::Server as Remote;
use unum_protocol::rest::{Export, Replay, SignedIn};
use unum_protocol::{Level, MessageKind, Request, Stage};
use unum_rules::record::Record;
use unum_server::Running;

use crate::tools::{Guest, Raw, config, exchange, quick, soon, start};

/// A finished match of Ann and Bob.
struct Played {
    running: Running,
    remote: Remote,
    ann: Guest,
    bob: Guest,
    table: String,
    id: String,
}

async fn played(settings: Value) -> Played {
    let (running, remote) = start(config()).await;
    let opener = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&opener.token, &settings).await.unwrap().code;
    let mut ann = Guest::known(&remote, &opener.token, &table).await;
    let mut bob = Guest::new(&remote, "Bob", &table).await;
    soon(async { tokio::join!(ann.play(), bob.play()) }).await;
    let id = soon(async {
        loop {
            let games: Value = remote.call("GET", "/api/games", Some(&ann.token), None).await.unwrap();
            match games["finished"][0]["id"].as_str() {
                Some(id) => return id.to_owned(),
                None => tokio::time::sleep(std::time::Duration::from_millis(10)).await,
            }
        }
    })
    .await;
    Played { running, remote, ann, bob, table, id }
}

/// The status of a record and of its replay.
async fn statuses(remote: &Remote, id: &str, token: Option<&str>) -> [u16; 3] {
    let mut statuses = [0; 3];
    for (status, rest) in statuses.iter_mut().zip(["", "?format=text", "/replay"]) {
        *status = remote.fetch("GET", &format!("/api/games/{id}{rest}"), token, None).await.unwrap().0;
    }
    statuses
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_private_tables_are_for_those_who_were_there() {
    let Played { running, remote, ann, bob, id, .. } = played(quick()).await;
    let cy = remote.sign_in("Cy").await.unwrap();
    assert_eq!(statuses(&remote, &id, Some(&ann.token)).await, [200; 3]);
    assert_eq!(statuses(&remote, &id, Some(&bob.token)).await, [200; 3]);
    assert_eq!(statuses(&remote, &id, Some(&cy.token)).await, [404; 3]);
    assert_eq!(statuses(&remote, &id, None).await, [404; 3]);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_public_tables_are_for_all() {
    let mut settings = quick();
    (settings["public"], settings["clock"]) = (json!(true), json!(600));
    let Played { running, remote, id, .. } = played(settings).await;
    assert_eq!(statuses(&remote, &id, None).await, [200; 3]);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rounds_that_are_over_are_for_those_at_the_table() {
    let (running, remote) = start(config()).await;
    let opener = remote.sign_in("Ann").await.unwrap();
    let mut settings = quick();
    settings["rules"]["scoring"] = json!({"type": "first_to", "target": 5000});
    let table = remote.open_table(&opener.token, &settings).await.unwrap().code;
    let mut ann = Guest::known(&remote, &opener.token, &table).await;
    ann.ask(Request::AddBot { level: Level::Normal }).await;
    let path = format!("/api/tables/{table}/replay");
    assert_eq!(remote.fetch("GET", &path, Some(&ann.token), None).await.unwrap().0, 404, "no round is over");
    ann.client.request(Request::Start { pledge: None }).await;
    soon(ann.play_to(Stage::Scores)).await;
    let first: Replay = remote.call("GET", &path, Some(&ann.token), None).await.unwrap();
    assert_eq!((first.rounds.as_slice(), first.deals.len()), ([0].as_slice(), 1));
    assert_eq!(Some(&first.deals[0]), ann.lobby.as_ref().unwrap().fair.revealed.as_ref());
    let end = format!("{path}?from={}", first.total - 1);
    let end: Value = remote.call("GET", &end, Some(&ann.token), None).await.unwrap();
    assert_eq!(end["steps"][0]["state"]["phase"]["type"], "round_over");
    ann.client.request(Request::Ready { ready: true, pledge: None }).await;
    ann.until(|_, lobby| lobby.as_ref().is_some_and(|lobby| lobby.stage == Stage::Playing)).await;
    let second: Replay = remote.call("GET", &path, Some(&ann.token), None).await.unwrap();
    assert_eq!(second, first, "nothing of the round that is played");
    let cy = remote.sign_in("Cy").await.unwrap();
    assert_eq!(remote.fetch("GET", &path, Some(&cy.token), None).await.unwrap().0, 403);
    assert_eq!(remote.fetch("GET", &path, None, None).await.unwrap().0, 401);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_comes_in_pages() {
    let Played { running, remote, ann, id, .. } = played(quick()).await;
    let mut steps = Vec::new();
    let total = loop {
        let path = format!("/api/games/{id}/replay?seat=1&count=7&from={}", steps.len());
        let page: Replay = remote.call("GET", &path, Some(&ann.token), None).await.unwrap();
        assert!(page.steps.len() <= 7 && page.from as usize == steps.len() && page.rounds == [0]);
        steps.extend(page.steps);
        if steps.len() >= page.total as usize {
            break page.total;
        }
        assert_eq!(page.deals.len(), 1);
    };
    let numbers: Vec<u32> = steps.iter().map(|step| step.number).collect();
    assert_eq!(numbers, (0..total).collect::<Vec<_>>());
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everything_stored_of_a_guest_can_be_had() {
    let Played { running, remote, mut ann, mut bob, table, id } = played(quick()).await;
    for guest in [&mut ann, &mut bob] {
        let text = format!("said by {}", guest.token.len());
        assert_eq!(guest.ask(unum_protocol::Request::Chat { text }).await.head().kind, MessageKind::Update);
    }
    let export: Export = remote.call("GET", "/api/me/export", Some(&ann.token), None).await.unwrap();
    assert_eq!((export.guest.name.as_str(), &export.open[0].table, &export.finished[0].id), ("Ann", &table, &id));
    assert!(export.created > 0 && export.seen >= export.created);
    let said: Vec<(&str, &str)> = export.chat.iter().map(|said| (said.table.as_str(), said.text.as_str())).collect();
    assert_eq!(said, [(table.as_str(), format!("said by {}", ann.token.len()).as_str())], "and nobody else's words");
    assert!(export.complete);
    assert_eq!(remote.fetch("GET", "/api/me/export", None, None).await.unwrap().0, 401);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_new_token_makes_the_old_one_void_and_ends_what_was_made_with_it() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    let new: SignedIn = remote.call("POST", "/api/me/token", Some(&ann.token), Some(&json!({}))).await.unwrap();
    assert_eq!(raw.end().await, (Some("signed_out".to_owned()), 4016));
    assert_eq!((new.id, new.name.as_str()), (ann.id, "Ann"));
    assert_eq!(remote.fetch("GET", "/api/me", Some(&ann.token), None).await.unwrap().0, 401);
    let mut old = Raw::connect(running.address()).await;
    old.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    assert_eq!(old.end().await.0.as_deref(), Some("no_guest"));
    let mut raw = Raw::seated(running.address(), &new.token, &table.code).await;
    // Ending connections leaves the token as it is.
    let _: Value = remote.call("DELETE", "/api/me/connections", Some(&new.token), None).await.unwrap();
    assert_eq!(raw.end().await, (Some("signed_out".to_owned()), 4016));
    assert_eq!(remote.fetch("GET", "/api/me", Some(&new.token), None).await.unwrap().0, 200);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_deleted_guest_is_a_player_in_what_others_keep() {
    let Played { running, remote, mut ann, mut bob, table, id } = played(quick()).await;
    let (mut settings, token) = (quick(), ann.token.clone());
    settings["title"] = json!("another");
    let other = remote.open_table(&token, &settings).await.unwrap().code;
    let mut raw = Raw::seated(running.address(), &token, &other).await;
    let _: Value = remote.call("DELETE", "/api/me", Some(&token), None).await.unwrap();
    assert_eq!(raw.end().await.0.as_deref(), Some("signed_out"));
    soon(async { while ann.client.next().await.is_ok() {} }).await;
    bob.until(|_, lobby| lobby.as_ref().is_some_and(|lobby| lobby.people.iter().all(|person| person.name != "Ann")))
        .await;
    for path in ["/api/me", "/api/games", "/api/me/export"] {
        assert_eq!(remote.fetch("GET", path, Some(&token), None).await.unwrap().0, 401);
    }
    let (_, record) = remote.fetch("GET", &format!("/api/games/{id}"), Some(&bob.token), None).await.unwrap();
    let record = String::from_utf8(record).unwrap();
    assert!(!record.contains("\"Ann\"") && record.contains("\"a player\"") && record.contains("\"Bob\""), "{record}");
    assert!(Record::parse(&record).unwrap().replay().is_ok(), "it can still be checked");
    let games: Value = remote.call("GET", "/api/games", Some(&bob.token), None).await.unwrap();
    assert_eq!(games["finished"][0]["players"], json!(["a player", "Bob"]));
    let summary = remote.fetch("GET", &format!("/api/tables/{table}"), None, None).await.unwrap();
    assert_eq!(summary.0, 200);
    assert_eq!(
        bob.ask(unum_protocol::Request::Chat { text: "gone".to_owned() }).await.head().kind,
        MessageKind::Update
    );
    running.stop().await;
}

#[tokio::test]
async fn cookies_are_bound_to_the_host_where_a_trusted_proxy_says_https() {
    for (trusted, cookie) in [(true, "__Host-unum_guest="), (false, "unum_guest=")] {
        let mut config = config();
        if trusted {
            config.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        }
        let (running, _) = start(config).await;
        let body = r#"{"name":"Ann"}"#;
        let request = format!(
            "POST /api/guests HTTP/1.1\r\nhost: x\r\nx-forwarded-proto: https\r\ncontent-type: application/json\r\n\
             connection: close\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = exchange(running.address(), &request).await;
        let line = answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
        assert!(line.starts_with(cookie) && line.contains("Secure") == trusted, "{line}");
        let cookie = line.split(';').next().unwrap();
        let request = format!(
            "GET /api/me HTTP/1.1\r\nhost: x\r\nx-forwarded-proto: https\r\ncookie: {cookie}\r\nconnection: close\r\n\r\n"
        );
        assert!(exchange(running.address(), &request).await.starts_with("HTTP/1.1 200"));
        running.stop().await;
    }
}
