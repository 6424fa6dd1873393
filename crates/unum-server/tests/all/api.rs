//! The HTTP interface, by every path.

use serde_json::{Value, json};
use unum_client::{ClientError, Server as Remote};
use unum_protocol::rest::ErrorBody;

use crate::tools::{Guest, Raw, config, desk, exchange, quick, start};

async fn get(remote: &Remote, path: &str) -> Value {
    remote.call("GET", path, None, None).await.unwrap()
}

async fn refusal(
    remote: &Remote,
    method: &str,
    path: &str,
    token: Option<&str>,
    body: Option<&Value>,
) -> (u16, String) {
    match remote.call::<Value>(method, path, token, body).await.unwrap_err() {
        ClientError::Refused { status, code: Some(code), message } => {
            assert!(!message.is_empty());
            (status, code.to_string())
        }
        other => panic!("{other}"),
    }
}

/// The status of a request with a guest's token and neither query nor body.
fn expected(method: &str, path: &str) -> u16 {
    match (method, path) {
        (_, "/ws") => 426,
        // Nobody is blocked.
        ("DELETE", path) if path.contains("{id}") => 404,
        ("DELETE", _) => 200,
        // The opener has not come to the table yet.
        ("GET", path) if path.starts_with("/api/tables/{code}/") => 403,
        // There is no finished game.
        ("GET", path) if path.contains("{id}") => 404,
        ("GET", _) => 200,
        _ => 415,
    }
}

#[tokio::test]
async fn every_documented_path_answers_and_every_answer_is_safe_to_show() {
    let (running, remote) = start(config()).await;
    let document = get(&remote, "/api/openapi.json").await;
    let token = remote.sign_in("Ann").await.unwrap().token;
    let code = remote.open_table(&token, &json!({})).await.unwrap().code;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let method = method.to_uppercase();
            let concrete = path.replace("{code}", &code).replace("{id}", "nothing").replace("{edition}", "frozen");
            // A deleted guest can ask for nothing more.
            let gone = remote.sign_in("Gone").await.unwrap().token;
            let token = if method == "DELETE" { &gone } else { &token };
            let request = format!(
                "{method} {concrete} HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer {token}\r\n\
                 content-length: 0\r\n\r\n"
            );
            let answer = exchange(running.address(), &request).await;
            let status = expected(&method, path);
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{method} {path}: {answer}");
            assert!(
                operation["responses"][status.to_string()].is_object(),
                "{method} {path}: {status} is not documented"
            );
            is_safe_to_show(&answer);
            if status != 200 {
                let body = answer.split_once("\r\n\r\n").unwrap().1;
                let body: ErrorBody = serde_json::from_str(body).unwrap();
                let ours = ["no finished game", "blocked nobody"];
                let there = status != 404 || ours.iter().any(|words| body.error.message.contains(words));
                assert!(there, "{method} {path} has no handler: {}", body.error);
            }
        }
    }
    running.stop().await;
}

fn is_safe_to_show(answer: &str) {
    for header in [
        "content-security-policy: default-src 'none'",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
    ] {
        assert!(answer.contains(header), "no {header} in {answer}");
    }
    assert!(!answer.contains("unsafe-inline"));
}

#[tokio::test]
async fn pages_have_nothing_inline_and_nothing_that_people_write() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let settings = json!({"title": "<script>alert(1)</script>", "public": true});
    let table = remote.open_table(&ann.token, &settings).await.unwrap();
    for path in ["/".to_owned(), format!("/t/{}", table.code), "/api".to_owned()] {
        let answer =
            exchange(running.address(), &format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(!answer.contains("<script>") && !answer.contains("style="), "{answer}");
        assert!(!answer.contains("alert(1)"), "{answer}");
    }
    running.stop().await;
}

#[tokio::test]
async fn names_are_cleaned_or_refused() {
    let (running, remote) = start(config()).await;
    let guest = remote.sign_in("  A\u{202e}n\u{0007}n  <b> ").await.unwrap();
    assert_eq!(guest.name, "Ann <b>");
    for name in ["", "\u{200b}\u{202e}", &"x".repeat(10_000)] {
        let refused = refusal(&remote, "POST", "/api/guests", None, Some(&json!({ "name": name }))).await;
        assert_eq!(refused, (422, "bad_name".to_owned()));
    }
    let renamed: Value =
        remote.call("PATCH", "/api/me", Some(&guest.token), Some(&json!({"name": "Anna"}))).await.unwrap();
    assert_eq!(renamed["name"], "Anna");
    let me: Value = remote.call("GET", "/api/me", Some(&guest.token), None).await.unwrap();
    assert_eq!((me["name"].as_str(), me.get("token")), (Some("Anna"), None));
    assert_eq!(refusal(&remote, "GET", "/api/me", Some("guessed"), None).await, (401, "no_guest".to_owned()));
    running.stop().await;
}

#[tokio::test]
async fn looks_are_kept_with_the_guest() {
    let (running, remote) = start(config()).await;
    let look = json!({"avatar": "fox", "back": "night"});
    let guest: Value =
        remote.call("POST", "/api/guests", None, Some(&json!({"name": "Ann", "look": look}))).await.unwrap();
    assert_eq!(guest["look"], look);
    let token = guest["token"].as_str();
    let change = |body: Value| {
        let remote = &remote;
        async move { remote.call::<Value>("PATCH", "/api/me", token, Some(&body)).await.unwrap() }
    };
    assert_eq!(change(json!({"name": "Anna"})).await["look"], look);
    let changed = change(json!({"look": {"avatar": "owl"}})).await;
    assert_eq!((&changed["name"], &changed["look"]), (&json!("Anna"), &json!({"avatar": "owl"})));
    let me: Value = remote.call("GET", "/api/me", token, None).await.unwrap();
    assert_eq!((&me["name"], &me["look"]), (&json!("Anna"), &json!({"avatar": "owl"})));
    assert_eq!(change(json!({})).await, changed, "nothing is to change");
    for body in [json!({"look": {"avatar": "<b>"}}), json!({"look": {"hat": "red"}}), json!({"look": "fox"})] {
        let refused = refusal(&remote, "PATCH", "/api/me", token, Some(&body)).await;
        assert_eq!(refused, (400, "bad_request".to_owned()), "{body}");
    }
    assert_eq!(change(json!({"look": {}})).await.get("look"), None);
    running.stop().await;
}

#[tokio::test]
async fn forms_and_pages_of_other_sites_change_nothing() {
    let (running, _) = start(config()).await;
    let host = running.address();
    let body = r#"{"name":"Ann"}"#;
    for (headers, status) in [
        ("content-type: application/x-www-form-urlencoded\r\n", "415"),
        ("content-type: text/plain\r\n", "415"),
        ("", "415"),
        ("content-type: application/json\r\norigin: http://evil.example\r\n", "403"),
        ("content-type: application/json\r\norigin: null\r\n", "403"),
        ("content-type: application/json\r\nsec-fetch-site: cross-site\r\n", "403"),
        ("content-type: application/json\r\n", "201"),
    ] {
        let request = format!(
            "POST /api/guests HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n{headers}content-length: {}\r\n\r\n{body}",
            body.len()
        );
        let answer = exchange(host, &request).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{headers}: {answer}");
        assert_eq!(answer.contains("set-cookie: unum_guest="), status == "201");
    }
    running.stop().await;
}

#[tokio::test]
async fn tables_are_listed_looked_at_and_changed() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let mut settings = json!({"title": "Open to all", "public": true});
    let table = remote.open_table(&ann.token, &settings).await.unwrap();
    let private = remote.open_table(&ann.token, &quick()).await.unwrap();
    let listed = get(&remote, "/api/tables").await;
    assert!(listed.as_array().unwrap().is_empty(), "a table is listed once its opener has come");
    let seen = get(&remote, &format!("/api/tables/{}", private.code)).await;
    assert_eq!(seen["terms"]["settings"]["public"], false);

    let path = format!("/api/tables/{}/settings", table.code);
    let stranger = refusal(&remote, "PUT", &path, Some(&ann.token), Some(&settings)).await;
    assert_eq!(stranger, (403, "not_here".to_owned()), "who is not at the table changes nothing");
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    let listed = get(&remote, "/api/tables").await;
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["title"], "Open to all");
    settings["rules"] =
        json!({"edition": "custom", "custom_cards": [{"title": "x", "text": "y".repeat(300)}, null, 4]});
    let _: Value = remote.call("PUT", &path, Some(&ann.token), Some(&settings)).await.unwrap();
    let update = raw.next().await;
    assert_eq!(update["terms"]["settings"]["rules"]["edition"], "custom");
    settings["seats"] = json!(4.0);
    let _: Value = remote.call("PUT", &path, Some(&ann.token), Some(&settings)).await.unwrap();
    assert_eq!(raw.next().await["terms"]["settings"]["seats"], 4, "4.0 is the integer 4");
    for wrong in [json!(4.5), json!("4"), json!([4])] {
        settings["seats"] = wrong;
        assert_eq!(refusal(&remote, "PUT", &path, Some(&ann.token), Some(&settings)).await.0, 400);
    }
    settings["seats"] = json!(99);
    assert_eq!(refusal(&remote, "PUT", &path, Some(&ann.token), Some(&settings)).await.0, 422);
    for body in [json!([]), json!(null), json!(7), json!({"rules": ["modern"]}), json!({"seat": 4})] {
        let refused = refusal(&remote, "POST", "/api/tables", Some(&ann.token), Some(&body)).await;
        assert_eq!(refused, (400, "bad_request".to_owned()), "{body}");
    }
    let impossible = refusal(&remote, "POST", "/api/tables", Some(&ann.token), Some(&json!({"seats": 1}))).await;
    assert_eq!(impossible.0, 422);
    running.stop().await;
}

#[tokio::test]
async fn rules_and_editions_are_told() {
    let (running, remote) = start(config()).await;
    assert_eq!(get(&remote, "/api/editions").await["editions"].as_array().unwrap().len(), 5);
    let rules = get(&remote, "/api/rules").await;
    assert!(rules["sections"].as_array().unwrap().len() > 10);
    let frozen = get(&remote, "/api/rules/frozen").await;
    let text = frozen.to_string();
    assert!(text.contains("\"O1\"") && !text.contains("\"F1\""));
    assert_eq!(refusal(&remote, "GET", "/api/rules/klingon", None, None).await, (404, "not_found".to_owned()));
    for path in ["/api/rules?edition=frozen", "/api/games/x?format=xml", "/api/games/x/replay?seat=0&chair=1"] {
        assert_eq!(refusal(&remote, "GET", path, None, None).await, (400, "bad_request".to_owned()), "{path}");
    }
    running.stop().await;
}

#[tokio::test]
async fn long_answers_are_compressed_for_those_who_take_it() {
    let (running, _) = start(config()).await;
    for path in ["/api/editions", "/api/rules", "/api/rules/frozen", "/api/openapi.json"] {
        let ask = |encodings: &str| {
            format!("GET {path} HTTP/1.1\r\nhost: x\r\naccept-encoding: {encodings}\r\nconnection: close\r\n\r\n")
        };
        let plain = exchange(running.address(), &ask("identity")).await;
        let packed = exchange(running.address(), &ask("br, gzip")).await;
        assert!(plain.contains("vary: accept-encoding") && !plain.contains("content-encoding"), "{path}");
        assert!(packed.contains("content-encoding: gzip") && packed.contains("vary: accept-encoding"), "{path}");
        let length = |answer: &str| -> usize {
            answer.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap().parse().unwrap()
        };
        assert!(length(&packed) * 2 < length(&plain), "{path}: {} of {}", length(&packed), length(&plain));
    }
    running.stop().await;
}

#[tokio::test]
async fn the_list_of_tables_follows_every_change() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    assert_eq!(get(&remote, "/api/tables").await, json!([]));
    let table = remote.open_table(&ann.token, &json!({"public": true, "title": "one"})).await.unwrap();
    assert_eq!(get(&remote, "/api/tables").await, json!([]), "listed once its opener has come");
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    assert_eq!(get(&remote, "/api/tables").await[0]["title"], "one");
    assert_eq!(get(&remote, "/api/tables").await[0]["people"], 1);
    raw.send(json!({"id": 1, "request": {"type": "set", "setting": "title", "value": "two"}})).await;
    while raw.next().await["id"] != 1 {}
    assert_eq!(get(&remote, "/api/tables").await[0]["title"], "two");
    raw.send(json!({"id": 2, "request": {"type": "set", "setting": "public", "value": false}})).await;
    while raw.next().await["id"] != 2 {}
    assert_eq!(get(&remote, "/api/tables").await, json!([]));
    running.stop().await;
}

#[tokio::test]
async fn names_that_lead_here_but_are_not_ours_are_refused() {
    let (running, _) = start(unum_server::Config { allowed_hosts: vec!["uno.lan".to_owned()], ..config() }).await;
    for (host, status) in [("127.0.0.1:80", 200), ("localhost", 200), ("uno.lan", 200), ("evil.example", 421)] {
        let request = format!("GET /healthz HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
        let answer = exchange(running.address(), &request).await;
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{host}: {answer}");
    }
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_count_what_happens() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let _guest = Guest::new(&remote, "Bob", &table.code).await;
    let (_, text) = desk(&running).fetch("GET", "/metrics", None, None).await.unwrap();
    let text = String::from_utf8(text).unwrap();
    for line in [
        "unum_sessions 1",
        "unum_tables 1",
        "# TYPE unum_journal_seconds histogram",
        "# TYPE unum_store_commits_total counter",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
    }
    let entries = text.lines().find_map(|line| line.strip_prefix("unum_entries_total ")).unwrap();
    assert!(entries.parse::<u64>().unwrap() >= 2);
    running.stop().await;
}
