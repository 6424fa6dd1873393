//! Codes, invitations and coming back.

use serde_json::{Value, json};
use unum_client::{ClientError, Server as Remote};
use unum_protocol::{CODE_LENGTH, Level, Request, Stage, show_code};

use crate::tools::{Guest, Raw, config, exchange, quick, start};

async fn get(remote: &Remote, path: &str, token: Option<&str>) -> Value {
    remote.call("GET", path, token, None).await.unwrap()
}

async fn refused(remote: &Remote, path: &str, token: Option<&str>) -> String {
    match remote.call::<Value>("GET", path, token, None).await {
        Err(ClientError::Refused { status, code: Some(code), .. }) => format!("{status} {code}"),
        other => panic!("{other:?}"),
    }
}

/// What a WebSocket to a table ends with.
async fn turned_away(address: std::net::SocketAddr, token: &str, table: &str) -> (Option<String>, u16) {
    let mut raw = Raw::connect(address).await;
    raw.send(json!({"hello": {"version": 1, "table": table, "token": token}})).await;
    raw.end().await
}

const WRONG: &str = "000000000";

#[tokio::test]
async fn codes_are_short_and_forgiving_and_records_do_not_carry_them() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    assert_eq!(table.code.len(), CODE_LENGTH);
    for typed in [
        table.code.to_uppercase(),
        show_code(&table.code).replace(' ', "-"),
        show_code(&table.code).replace(' ', "%20"),
    ] {
        assert_eq!(get(&remote, &format!("/api/tables/{typed}"), None).await["code"], table.code.as_str(), "{typed}");
    }
    let mut guest = Guest::known(&remote, &ann.token, &show_code(&table.code)).await;
    let message = guest.ask(Request::AddBot { level: Level::Easy }).await;
    guest.react(&message).await;
    guest.play().await;
    let finished = loop {
        let games = get(&remote, "/api/games", Some(&ann.token)).await;
        if games["finished"].as_array().is_some_and(|games| !games.is_empty()) {
            break games["finished"][0].clone();
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    };
    assert!(!finished["id"].as_str().unwrap().contains(&table.code));
    let id = finished["table"].as_str().unwrap();
    assert_eq!(refused(&remote, &format!("/api/tables/{id}"), None).await, "404 no_table", "the id invites nobody");
    running.stop().await;
}

#[tokio::test]
async fn wrong_codes_are_limited_by_address() {
    let mut config = config();
    config.limits.wrong_codes_per_minute = 3;
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let (right, wrong) = (format!("/api/tables/{}", table.code), format!("/api/tables/{WRONG}"));
    for _ in 0..10 {
        get(&remote, &right, None).await;
        assert_eq!(refused(&remote, "/api/tables/nonsense", None).await, "404 no_table", "no code at all is no guess");
    }
    assert_eq!(refused(&remote, &wrong, None).await, "404 no_table");
    assert_eq!(turned_away(running.address(), &ann.token, WRONG).await, (Some("no_table".to_owned()), 4009));
    assert_eq!(refused(&remote, &wrong, None).await, "404 no_table");
    assert_eq!(refused(&remote, &wrong, None).await, "429 too_fast");
    assert_eq!(refused(&remote, &right, None).await, "429 too_fast", "a right one looks the same");
    assert_eq!(turned_away(running.address(), &ann.token, &table.code).await, (Some("too_fast".to_owned()), 4017));
    running.stop().await;
}

#[tokio::test]
async fn while_everybody_guesses_tables_are_for_those_they_know() {
    let mut config = config();
    config.limits.wrong_codes_in_all_per_minute = 2;
    let (running, remote) = start(config).await;
    let (ann, bob) = (remote.sign_in("Ann").await.unwrap(), remote.sign_in("Bob").await.unwrap());
    let private = remote.open_table(&ann.token, &quick()).await.unwrap();
    let public = remote.open_table(&ann.token, &json!({"public": true})).await.unwrap();
    let _ann = Raw::seated(running.address(), &ann.token, &private.code).await;
    let _host = Raw::seated(running.address(), &ann.token, &public.code).await;
    for _ in 0..2 {
        assert_eq!(refused(&remote, &format!("/api/tables/{WRONG}"), None).await, "404 no_table");
    }
    let look = format!("/api/tables/{}", private.code);
    assert_eq!(refused(&remote, &look, Some(&bob.token)).await, "429 too_fast");
    assert_eq!(turned_away(running.address(), &bob.token, &private.code).await, (Some("too_fast".to_owned()), 4017));
    assert_eq!(get(&remote, &look, Some(&ann.token)).await["known"], true);
    Raw::seated(running.address(), &ann.token, &private.code).await;
    get(&remote, &format!("/api/tables/{}", public.code), Some(&bob.token)).await;
    Raw::seated(running.address(), &bob.token, &public.code).await;
    running.stop().await;
}

#[tokio::test]
async fn a_game_that_was_left_is_found_again_and_its_seat_given_back() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let path = format!("/api/tables/{}", table.code);
    let mut guest = Guest::known(&remote, &ann.token, &table.code).await;
    let message = guest.ask(Request::AddBot { level: Level::Easy }).await;
    guest.react(&message).await;
    while guest.stage() != Stage::Playing {
        let message = guest.next().await.unwrap();
        guest.react(&message).await;
    }
    guest.client.request(Request::Leave {}).await;
    while guest.next().await.is_ok() {}
    let games = get(&remote, "/api/games", Some(&ann.token)).await;
    assert_eq!(games["open"][0]["table"], table.code.as_str(), "it can be continued");
    let seen = get(&remote, &path, Some(&ann.token)).await;
    assert_eq!((&seen["known"], &seen["entry"], &seen["stage"]), (&json!(true), &json!("take"), &json!("playing")));
    assert_eq!(seen["players"][0]["name"], "Ann");
    let mut guest = Guest::known(&remote, &ann.token, &table.code).await;
    assert_eq!(guest.seat(), Some(0));
    guest.client.request(Request::Quit {}).await;
    while guest.next().await.is_ok() {}
    assert_eq!(refused(&remote, &path, Some(&ann.token)).await, "404 no_table");
    assert_eq!(get(&remote, "/api/games", Some(&ann.token)).await["open"], json!([]));
    running.stop().await;
}

#[tokio::test]
async fn a_list_that_has_not_changed_is_not_sent_again() {
    let (running, remote) = start(config()).await;
    let ask = async |tag: String| {
        let request = format!("GET /api/tables HTTP/1.1\r\nhost: x\r\nconnection: close\r\n{tag}\r\n");
        exchange(running.address(), &request).await
    };
    let first = ask(String::new()).await;
    let tag = first.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let same = ask(format!("if-none-match: {tag}\r\n")).await;
    assert!(same.starts_with("HTTP/1.1 304") && !same.contains("[]"), "{same}");
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &json!({"public": true, "title": "Friday"})).await.unwrap();
    let _ann = Raw::seated(running.address(), &ann.token, &table.code).await;
    let changed = ask(format!("if-none-match: {tag}\r\n")).await;
    assert!(changed.starts_with("HTTP/1.1 200") && changed.contains("\"host\":\"Ann\""), "{changed}");
    assert!(changed.contains("\"free\":9") && changed.contains("\"entry\":\"sit\""), "{changed}");
    running.stop().await;
}

#[tokio::test]
async fn links_have_a_preview_that_tells_only_what_is_public() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let title = "<script>alert(1)</script> & \"friends\"";
    let private = remote.open_table(&ann.token, &json!({"title": "Secret"})).await.unwrap();
    let public = remote.open_table(&ann.token, &json!({"title": title, "public": true})).await.unwrap();
    let _private = Raw::seated(running.address(), &ann.token, &private.code).await;
    let _public = Raw::seated(running.address(), &ann.token, &public.code).await;
    let page = async |code: &str| {
        let request = format!("GET /t/{code} HTTP/1.1\r\nhost: uno.local\r\nconnection: close\r\n\r\n");
        exchange(running.address(), &request).await
    };
    let without = |page: String, code: &str| page.split("\r\n\r\n").nth(1).unwrap().replace(code, "CODE");
    let secret = page(&private.code).await;
    if secret.contains("built without its page") {
        return running.stop().await;
    }
    assert!(secret.contains("og:title") && secret.contains("http://uno.local/icons/preview.png"), "{secret}");
    assert!(secret.contains("content-security-policy: default-src 'none'") && !secret.contains("Secret"), "{secret}");
    let nowhere = page(WRONG).await;
    assert_eq!(without(secret, &private.code), without(nowhere, WRONG), "it does not tell whether there is a table");
    let open = page(&public.code).await;
    assert!(open.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;friends&quot;"), "{open}");
    assert!(!open.contains("<script>") && open.contains("Original edition"), "{open}");
    running.stop().await;
}
