//! The HTTP interface, by every path.

use serde_json::{Value, json};
use unum_client::{ClientError, Server as Remote};

use crate::tools::{Guest, Raw, config, exchange, quick, start};

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
        ClientError::Refused { status, code, message } => {
            assert!(!message.is_empty());
            (status, code)
        }
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn every_documented_path_answers_and_every_answer_is_safe_to_show() {
    let (running, remote) = start(config()).await;
    let document = get(&remote, "/api/openapi.json").await;
    for (path, methods) in document["paths"].as_object().unwrap() {
        let path = path.replace("{code}", "0000000000000000").replace("{id}", "nothing").replace("{edition}", "frozen");
        for method in methods.as_object().unwrap().keys() {
            let method = method.to_uppercase();
            let request =
                format!("{method} {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
            let answer = exchange(running.address(), &request).await;
            let status = answer.split(' ').nth(1).unwrap_or_default();
            assert!(["200", "400", "401", "404", "415", "426"].contains(&status), "{method} {path}: {answer}");
            for header in [
                "content-security-policy: default-src 'none'",
                "x-content-type-options: nosniff",
                "referrer-policy: no-referrer",
            ] {
                assert!(answer.contains(header), "{method} {path} lacks {header}");
            }
            assert!(!answer.contains("unsafe-inline"));
            if status != "200" {
                let body = answer.split_once("\r\n\r\n").unwrap().1;
                let body: Value = serde_json::from_str(body).unwrap();
                assert!(body["error"]["code"].is_string() && body["error"]["message"].is_string(), "{body}");
            }
        }
    }
    running.stop().await;
}

#[tokio::test]
async fn pages_have_nothing_inline_and_escape_what_people_write() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let settings = json!({"title": "<script>alert(1)</script>", "public": true});
    let table = remote.open_table(&ann.token, &settings).await.unwrap();
    for path in ["/".to_owned(), format!("/t/{}", table.code), "/api".to_owned()] {
        let answer =
            exchange(running.address(), &format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n")).await;
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
        assert!(!answer.contains("<script>") && !answer.contains("style="), "{answer}");
        // The page that the binary carries says nothing about tables by itself; without it, plain words do.
        let says_title = path != "/api" && unum_page::index().is_none();
        assert_eq!(answer.contains("&lt;script&gt;alert(1)"), says_title, "{answer}");
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
        assert_eq!(refused, (400, "bad_name".to_owned()));
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
    for body in [json!({}), json!({"look": {"avatar": "<b>"}}), json!({"look": {"hat": "red"}}), json!({"look": "fox"})]
    {
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
    assert_eq!(listed.as_array().unwrap().len(), 1);
    assert_eq!(listed[0]["title"], "Open to all");
    let seen = get(&remote, &format!("/api/tables/{}", private.code)).await;
    assert_eq!(seen["settings"]["public"], false);

    let path = format!("/api/tables/{}/settings", table.code);
    let stranger = refusal(&remote, "PUT", &path, Some(&ann.token), Some(&settings)).await;
    assert_eq!(stranger, (422, "not_here".to_owned()), "who is not at the table changes nothing");
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    settings["rules"] =
        json!({"edition": "custom", "custom_cards": [{"title": "x", "text": "y".repeat(300)}, null, 4]});
    let _: Value = remote.call("PUT", &path, Some(&ann.token), Some(&settings)).await.unwrap();
    let update = raw.next().await;
    assert_eq!(update["lobby"]["settings"]["rules"]["edition"], "custom");
    settings["seats"] = json!(99);
    assert_eq!(refusal(&remote, "PUT", &path, Some(&ann.token), Some(&settings)).await.0, 422);
    let impossible = refusal(&remote, "POST", "/api/tables", Some(&ann.token), Some(&json!({"seats": 1}))).await;
    assert_eq!(impossible.0, 422);
    running.stop().await;
}

#[tokio::test]
async fn rules_and_editions_are_told() {
    let (running, remote) = start(config()).await;
    assert_eq!(get(&remote, "/api/editions").await.as_array().unwrap().len(), 5);
    let rules = get(&remote, "/api/rules").await;
    assert!(rules["sections"].as_array().unwrap().len() > 10);
    let frozen = get(&remote, "/api/rules/frozen").await;
    let text = frozen.to_string();
    assert!(text.contains("\"O1\"") && !text.contains("\"F1\""));
    assert_eq!(refusal(&remote, "GET", "/api/rules/klingon", None, None).await, (404, "not_found".to_owned()));
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn figures_count_what_happens() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let _guest = Guest::new(&remote, "Bob", &table.code).await;
    let (_, text) = remote.fetch("GET", "/metrics", None, None).await.unwrap();
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
