//! Administration: its own listener, who may use it, and what operators do.

use serde_json::{Value, json};
use unum_client::{ClientError, Server as Remote};
use unum_protocol::{Happened, MessageKind, Reaction, ReportKind, Request, ServerMsg, Stage};
use unum_server::{AdminToken, Config, Running, Server, StartError};

use crate::tools::{Guest, Raw, config, desk, exchange, quick, start, start_on};

const TOKEN: &str = "0123456789abcdef";

async fn get(desk: &Remote, path: &str) -> Value {
    desk.call("GET", path, None, None).await.unwrap()
}

async fn post(desk: &Remote, path: &str, body: Value) -> Value {
    desk.call("POST", path, None, Some(&body)).await.unwrap()
}

/// The code of a refusal.
async fn refused(remote: &Remote, method: &str, path: &str, token: Option<&str>, body: Option<Value>) -> String {
    match remote.call::<Value>(method, path, token, body.as_ref()).await {
        Err(ClientError::Refused { status, code: Some(code), .. }) => format!("{status} {code}"),
        other => panic!("{method} {path}: {other:?}"),
    }
}

/// What operators did, oldest first: what, and on whom.
async fn acts(desk: &Remote) -> Vec<(String, String)> {
    let log = get(desk, "/api/log").await;
    let word = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    let mut acts: Vec<_> =
        log.as_array().unwrap().iter().map(|entry| (word(entry, "act"), word(entry, "on"))).collect();
    acts.reverse();
    acts
}

/// The status of an answer to the operators' listener, whatever is in it.
async fn status(running: &Running, method: &str, path: &str, headers: &str) -> u16 {
    let address = running.admin_address().unwrap();
    let host = if headers.contains("host:") { "" } else { "host: localhost\r\n" };
    let request = format!("{method} {path} HTTP/1.1\r\n{host}{headers}connection: close\r\ncontent-length: 0\r\n\r\n");
    exchange(address, &request).await.split(' ').nth(1).unwrap().parse().unwrap()
}

#[tokio::test]
async fn figures_reasons_and_acts_are_on_a_listener_of_their_own() {
    let (running, remote) = start(config()).await;
    for path in ["/metrics", "/api/status", "/api/log", "/admin.js"] {
        let (status, _) = remote.fetch("GET", path, None, None).await.unwrap();
        assert!(status == 404, "{path} is {status} for everybody");
        assert_eq!(desk(&running).fetch("GET", path, None, None).await.unwrap().0, 200, "{path}");
    }
    for (path, text) in [("/healthz", "ok\n"), ("/readyz", "ready\n")] {
        for place in [&remote, &desk(&running)] {
            assert_eq!(place.fetch("GET", path, None, None).await.unwrap(), (200, text.as_bytes().to_vec()), "{path}");
        }
    }
    let page =
        exchange(running.admin_address().unwrap(), "GET / HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    let page = page.await;
    assert!(page.contains("default-src 'none'; script-src 'self'") && !page.contains("<script>"), "{page}");
    assert_eq!(desk(&running).fetch("GET", "/ws", None, None).await.unwrap().0, 404, "nobody plays there");
    running.stop().await;
    let (running, _) = start(Config { admin: None, ..config() }).await;
    assert_eq!(running.admin_address(), None);
    running.stop().await;
}

#[tokio::test]
async fn whoever_comes_from_elsewhere_needs_the_token() {
    let (open, _) = start(config()).await;
    for (method, path, headers, wanted) in [
        ("GET", "/api/status", "", 200),
        ("GET", "/api/status", "x-forwarded-for: 203.0.113.1\r\n", 401),
        ("GET", "/metrics", "forwarded: for=203.0.113.1\r\n", 401),
        ("GET", "/api/status", "host: evil.example\r\n", 421),
        ("POST", "/api/drain", "origin: http://evil.example\r\n", 403),
        ("POST", "/api/drain", "sec-fetch-site: cross-site\r\n", 403),
        ("POST", "/api/drain", "", 415),
        ("DELETE", "/api/bans", "", 405),
    ] {
        assert_eq!(status(&open, method, path, headers).await, wanted, "{method} {path} {headers}");
    }
    open.stop().await;
    let token = Some(AdminToken::new(TOKEN).unwrap());
    let figures = Some("for-figures-alone".to_owned());
    let (closed, _) = start(Config { admin_token: token, metrics_token: figures, ..config() }).await;
    for (path, given, wanted) in [
        ("/", None, 200),
        ("/api/status", None, 401),
        ("/api/status", Some(TOKEN), 200),
        ("/api/status", Some("0123456789abcdeg"), 401),
        ("/api/status", Some("for-figures-alone"), 401),
        ("/metrics", None, 401),
        ("/metrics", Some("for-figures-alone"), 200),
        ("/metrics", Some(TOKEN), 200),
        ("/readyz", Some("for-figures-alone"), 200),
    ] {
        let header = given.map_or_else(String::new, |given| format!("authorization: Bearer {given}\r\n"));
        assert_eq!(status(&closed, "GET", path, &header).await, wanted, "{path} {given:?}");
    }
    for _ in 0..20 {
        status(&closed, "GET", "/api/status", "authorization: Bearer guess\r\n").await;
    }
    let right = format!("authorization: Bearer {TOKEN}\r\n");
    assert_eq!(
        status(&closed, "GET", "/api/status", &right).await,
        429,
        "after many guesses nobody may try for a minute"
    );
    closed.stop().await;
}

#[tokio::test]
async fn without_a_token_operators_are_reached_from_this_machine_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let everywhere = Config { admin: Some("0.0.0.0:0".parse().unwrap()), ..config() };
    let refused = |config: &Config, word: &str| match Server::check(config) {
        Err(StartError::Admin(message)) => assert!(message.contains(word), "{message}"),
        other => panic!("{other:?}"),
    };
    refused(&everywhere, "--admin-token-file");
    assert!(matches!(Server::start(everywhere.clone()).await, Err(StartError::Admin(_))));
    let with_file = Config { admin_token_file: Some(file.clone()), ..everywhere };
    std::fs::write(&file, "short\n").unwrap();
    refused(&with_file, "at least 16");
    std::fs::write(&file, format!("{TOKEN}\n")).unwrap();
    let (running, _) = start(with_file).await;
    let place = Remote::new(&format!("http://127.0.0.1:{}", running.admin_address().unwrap().port())).unwrap();
    assert_eq!(place.fetch("GET", "/api/status", None, None).await.unwrap().0, 401);
    assert_eq!(place.fetch("GET", "/api/status", Some(TOKEN), None).await.unwrap().0, 200);
    running.stop().await;
    refused(&Config { admin: None, metrics_token: Some(TOKEN.to_owned()), ..config() }, "--admin");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_banned_guest_is_out_until_the_ban_ends_and_keeps_their_data() {
    let (running, remote) = start(config()).await;
    let desk_ = desk(&running);
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    let ban = json!({"whom": ann.id.to_string(), "seconds": 3600, "why": "insults"});
    assert_eq!(post(&desk_, "/api/bans", ban.clone()).await, json!({"connections": 1}));
    assert_eq!(raw.end().await, (Some("banned".to_owned()), 4020));
    let mut raw = Raw::connect(running.address()).await;
    raw.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    assert_eq!(raw.end().await, (Some("banned".to_owned()), 4020));
    let token = Some(ann.token.as_str());
    assert_eq!(refused(&remote, "POST", "/api/tables", token, Some(quick())).await, "403 banned");
    let look = format!("/api/tables/{}", table.code);
    assert_eq!(refused(&remote, "GET", &look, token, None).await, "403 banned");
    assert_eq!(refused(&remote, "PATCH", "/api/me", token, Some(json!({"name": "Eve"}))).await, "403 banned");
    for path in ["/api/me", "/api/me/export"] {
        assert_eq!(remote.fetch("GET", path, token, None).await.unwrap().0, 200, "{path} stays theirs");
    }
    let bans = get(&desk_, "/api/bans").await;
    assert_eq!(
        (&bans[0]["whom"], &bans[0]["name"], &bans[0]["why"]),
        (&json!(ann.id.to_string()), &json!("Ann"), &json!("insults"))
    );
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_ban_outlives_a_restart_and_can_be_lifted() {
    let folder = tempfile::tempdir().unwrap();
    let kept = Config { ephemeral: false, data: folder.path().to_owned(), ..config() };
    let (running, remote) = start(kept.clone()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let whom = ann.id.to_string();
    post(&desk(&running), "/api/bans", json!({"whom": whom, "seconds": 3600})).await;
    running.stop().await;
    let (running, remote) = start(kept).await;
    let token = Some(ann.token.as_str());
    assert_eq!(refused(&remote, "POST", "/api/tables", token, Some(quick())).await, "403 banned");
    let place = desk(&running);
    post(&place, "/api/unban", json!({"whom": whom})).await;
    remote.open_table(&ann.token, &quick()).await.unwrap();
    assert_eq!(refused(&place, "POST", "/api/unban", None, Some(json!({"whom": whom}))).await, "404 not_found");
    let log = acts(&place).await;
    let ban = ("ban".to_owned(), whom.clone());
    assert_eq!(log, [ban, ("unban".to_owned(), whom.clone()), ("unban".to_owned(), whom)]);
    assert_eq!(get(&place, "/api/log").await[0]["who"], "this machine");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_banned_address_is_out_on_every_way_in() {
    let mut config = config();
    config.trusted_proxies = vec!["127.0.0.1".parse().unwrap()];
    let (running, remote) = start(config).await;
    let place = desk(&running);
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let ban = |whom: &str| json!({"whom": whom, "seconds": 60});
    post(&place, "/api/bans", ban("203.0.113.7")).await;
    post(&place, "/api/bans", ban("2001:db8:1:2:3::4")).await;
    for (from, banned) in
        [("203.0.113.7", true), ("203.0.113.8", false), ("2001:db8:1:2:ffff::1", true), ("2001:db8:1:3::1", false)]
    {
        let ask = async |request: &str| {
            let request = format!("{request}host: x\r\nx-forwarded-for: {from}\r\nconnection: close\r\n\r\n");
            exchange(running.address(), &request).await
        };
        let answer = ask("GET /api/tables HTTP/1.1\r\n").await;
        assert_eq!(answer.contains("\"banned\""), banned, "{from}: {answer}");
        assert_eq!(answer.starts_with("HTTP/1.1 403"), banned, "{from}");
        assert!(ask("GET / HTTP/1.1\r\n").await.starts_with("HTTP/1.1 200"), "the page tells them");
        let mut raw = Raw::try_connect(running.address(), &[("x-forwarded-for", from)]).await.unwrap();
        raw.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
        match banned {
            true => assert_eq!(raw.end().await, (Some("banned".to_owned()), 4020), "{from}"),
            false => assert_eq!(raw.next().await["type"], "welcome", "{from}"),
        }
    }
    for (whom, code) in [
        ("127.0.0.1", "400 bad_request"),
        ("127.0.0.0/16", "400 bad_request"),
        ("10.0.0.0/8", "400 bad_request"),
        ("Ann", "400 bad_request"),
        ("999999", "404 not_found"),
    ] {
        assert_eq!(refused(&place, "POST", "/api/bans", None, Some(ban(whom))).await, code, "{whom}");
    }
    let forever = json!({"whom": "203.0.113.9", "seconds": 0});
    assert_eq!(refused(&place, "POST", "/api/bans", None, Some(forever)).await, "400 bad_request");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_a_muted_guest_says_is_not_passed_on() {
    let (running, remote) = start(config()).await;
    let place = desk(&running);
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut ann_ = Guest::known(&remote, &ann.token, &table.code).await;
    let mut bob = Guest::new(&remote, "Bob", &table.code).await;
    post(&place, "/api/mutes", json!({"whom": ann.id.to_string(), "seconds": 60})).await;
    assert_eq!(
        get(&place, "/api/people").await.as_array().unwrap().iter().filter(|one| one["muted"] == true).count(),
        1
    );
    let wow = || Request::React { reaction: Reaction::Wow };
    let name = || Request::Rename { name: "Rude".to_owned() };
    let word = || Request::Chat { text: "psst".to_owned() };
    for request in [word(), wow(), name()] {
        let answer = ann_.ask(request).await;
        assert_eq!(answer.head().code.map(|code| code.to_string()), Some("muted".to_owned()));
    }
    assert_eq!(ann_.ask(Request::Stand {}).await.head().kind, MessageKind::Update, "everything else is as before");
    post(&place, "/api/unmute", json!({"whom": ann.id.to_string()})).await;
    assert_eq!(ann_.ask(wow()).await.head().kind, MessageKind::Update);
    let mut heard = Vec::new();
    bob.until(|message, _| {
        if let Ok(ServerMsg::Update { what, .. }) = message.read() {
            heard.push(what);
        }
        matches!(heard.last(), Some(Happened::Reacted { .. }))
    })
    .await;
    assert!(!heard.iter().any(|what| matches!(what, Happened::Chatted { .. } | Happened::Renamed { .. })), "{heard:?}");
    let network = json!({"whom": "203.0.113.7", "seconds": 60});
    assert_eq!(refused(&place, "POST", "/api/mutes", None, Some(network)).await, "400 bad_request");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn everybody_who_is_connected_hears_an_announcement() {
    let (running, remote) = start(config()).await;
    let place = desk(&running);
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raws = Vec::new();
    for _ in 0..2 {
        let guest = remote.sign_in("Bob").await.unwrap();
        raws.push(Raw::seated(running.address(), &guest.token, &table.code).await);
    }
    let said = post(&place, "/api/announce", json!({"text": "  Back in a\nminute "})).await;
    assert_eq!(said, json!({"connections": 2}));
    for raw in &mut raws {
        let mut message = raw.next().await;
        while message["type"] == "update" {
            message = raw.next().await;
        }
        assert_eq!(message, json!({"type": "announcement", "text": "Back in a minute"}));
    }
    for text in ["", &"x".repeat(301)] {
        let body = json!({"text": text});
        assert_eq!(refused(&place, "POST", "/api/announce", None, Some(body)).await, "422 bad_text");
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_is_closed_lets_everybody_go_and_nobody_in() {
    let (running, remote) = start(config()).await;
    let place = desk(&running);
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    let listed = get(&place, "/api/tables").await;
    assert_eq!(
        (&listed[0]["code"], &listed[0]["public"], &listed[0]["people"]),
        (&json!(table.code), &json!(false), &json!(1))
    );
    post(&place, &format!("/api/tables/{}/close", table.code.to_uppercase()), json!({})).await;
    let (code, number) = raw.end().await;
    assert_eq!((code.as_deref(), number), (Some("closed"), 4012));
    let look = format!("/api/tables/{}", table.code);
    assert_eq!(refused(&remote, "GET", &look, None, None).await, "404 no_table");
    assert_eq!(get(&place, "/api/tables").await, json!([]));
    let close = format!("/api/tables/{}/close", table.code);
    assert_eq!(refused(&place, "POST", &close, None, Some(json!({}))).await, "404 no_table");
    let log = acts(&place).await;
    assert!(
        log[0] == ("close".to_owned(), "table 1".to_owned()) && !format!("{log:?}").contains(&table.code),
        "{log:?}"
    );
    assert_eq!(get(&remote, "/api/tables").await, json!([]));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn while_a_server_drains_games_go_on_and_none_begin() {
    let (running, remote) = start(config()).await;
    let place = desk(&running);
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut guest = Guest::known(&remote, &ann.token, &table.code).await;
    post(&place, "/api/drain", json!({"on": true})).await;
    assert_eq!(remote.fetch("GET", "/readyz", None, None).await.unwrap().0, 503);
    let (_, why) = place.fetch("GET", "/readyz", None, None).await.unwrap();
    assert!(String::from_utf8(why).unwrap().contains("takes no new tables"));
    assert_eq!(refused(&remote, "POST", "/api/tables", Some(&ann.token), Some(quick())).await, "503 stopping");
    assert_eq!(get(&place, "/api/status").await["draining"], true);
    let message = guest.ask(Request::AddBot { level: unum_protocol::Level::Easy }).await;
    guest.react(&message).await;
    guest.play().await;
    assert_eq!(guest.stage(), Stage::Over);
    post(&place, "/api/drain", json!({"on": false})).await;
    assert_eq!(remote.fetch("GET", "/readyz", None, None).await.unwrap().0, 200);
    remote.open_table(&ann.token, &quick()).await.unwrap();
    running.stop().await;
}

fn report(person: u32, kind: ReportKind, text: &str) -> Request {
    Request::Report { person, kind, text: text.to_owned() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_report_reaches_operators_with_what_was_said() {
    let (running, remote) = start(config()).await;
    let place = desk(&running);
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut ann_ = Guest::known(&remote, &ann.token, &table.code).await;
    let eve = remote.sign_in("Eve").await.unwrap();
    let mut eve_ = Guest::known(&remote, &eve.token, &table.code).await;
    eve_.ask(Request::Chat { text: "you are all marmalade".to_owned() }).await;
    eve_.ask(Request::React { reaction: Reaction::Hurry }).await;
    let person = eve_.person();
    assert_eq!(ann_.ask(report(person, ReportKind::Abuse, " very\nrude ")).await.head().kind, MessageKind::Done);
    let own = ann_.person();
    for (wrong, code) in [
        (report(own, ReportKind::Spam, ""), "no_such_person"),
        (report(99, ReportKind::Spam, ""), "no_such_person"),
        (report(person, ReportKind::Other, "a fourth within a minute"), "too_soon"),
    ] {
        let answer = ann_.ask(wrong).await;
        assert_eq!(answer.head().code.map(|code| code.to_string()).as_deref(), Some(code));
    }
    let list = get(&place, "/api/reports").await;
    assert_eq!(list.as_array().unwrap().len(), 1);
    assert_eq!(list[0]["lines"], json!([]), "what was said is looked at one by one");
    let id = list[0]["id"].as_u64().unwrap();
    let whole = get(&place, &format!("/api/reports/{id}")).await;
    assert_eq!(
        (&whole["kind"], &whole["text"], &whole["by"], &whole["name"]),
        (&json!("abuse"), &json!("very rude"), &json!("Ann"), &json!("Eve"))
    );
    assert_eq!((&whole["guest"], &whole["reporter"]), (&json!(eve.id), &json!(ann.id)));
    let lines = whole["lines"].as_array().unwrap();
    for line in [
        json!({"name": "Eve", "did": "said", "text": "you are all marmalade"}),
        json!({"name": "Eve", "did": "reacted", "text": "hurry"}),
    ] {
        assert!(lines.contains(&line), "{line} is not in {lines:?}");
    }
    assert_eq!(get(&place, "/api/status").await["reports"], 1);
    post(&place, &format!("/api/reports/{id}/done"), json!({})).await;
    assert_eq!(get(&place, "/api/status").await["reports"], 0);
    let report = format!("report {id}");
    assert_eq!(acts(&place).await, [("report".to_owned(), report.clone()), ("done".to_owned(), report)]);
    assert_eq!(refused(&place, "GET", "/api/reports/77", None, None).await, "404 not_found");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_blocked_is_not_heard_at_another_table_either() {
    let (running, remote, store) = start_on(config()).await;
    let [ann, eve] = [remote.sign_in("Ann").await.unwrap(), remote.sign_in("Eve").await.unwrap()];
    let open = async || remote.open_table(&ann.token, &quick()).await.unwrap().code;
    let (one, other) = (open().await, open().await);
    let mut ann_ = Guest::known(&remote, &ann.token, &one).await;
    let eve_ = Guest::known(&remote, &eve.token, &one).await;
    let mute = |person, muted, always| Request::Mute { person, muted, always };
    ann_.ask(mute(eve_.person(), true, true)).await;
    let token = Some(ann.token.as_str());
    let blocked = async || remote.call::<Value>("GET", "/api/me/blocked", token, None).await.unwrap();
    // It is stored beside the table's journal.
    while store.blocks_of(ann.id).unwrap().is_empty() {
        tokio::task::yield_now().await;
    }
    assert_eq!((&blocked().await[0]["id"], &blocked().await[0]["name"]), (&json!(eve.id), &json!("Eve")));
    // Whoever of the two comes first, it is known when the other comes.
    let mut ann_ = Guest::known(&remote, &ann.token, &other).await;
    let mut eve_ = Guest::known(&remote, &eve.token, &other).await;
    eve_.ask(Request::Chat { text: "marmalade".to_owned() }).await;
    ann_.ask(Request::Chat { text: "hello".to_owned() }).await;
    let mut again = Raw::seated(running.address(), &ann.token, &other).await;
    again.send(json!({"ping": {}})).await;
    assert_eq!(again.next().await["type"], "pong");
    let mut fresh = Raw::connect(running.address()).await;
    fresh.send(json!({"hello": {"version": 1, "table": other, "token": ann.token}})).await;
    assert_eq!(fresh.next().await["type"], "welcome");
    let snapshot = fresh.next().await;
    assert_eq!(snapshot["own"]["muted"], json!([eve_.person()]));
    let chat: Vec<&Value> = snapshot["chat"].as_array().unwrap().iter().map(|line| &line["text"]).collect();
    assert_eq!(chat, ["hello"]);
    let path = format!("/api/me/blocked/{}", eve.id);
    remote.call::<Value>("DELETE", &path, token, None).await.unwrap();
    assert_eq!(blocked().await, json!([]));
    assert_eq!(refused(&remote, "DELETE", &path, token, None).await, "404 not_found");
    running.stop().await;
}
