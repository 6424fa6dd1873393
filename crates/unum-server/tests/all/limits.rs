//! Every limit, made small and then reached.

use serde_json::json;
use unum_client::ClientError;

use crate::tools::{Raw, config, exchange, quick, start};

fn code(error: ClientError) -> String {
    match error {
        ClientError::Refused { status, code, .. } => format!("{status} {code}"),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn connections_of_an_address_are_limited_and_free_when_closed() {
    let mut config = config();
    config.limits.connections_per_address = 2;
    let (running, _) = start(config).await;
    let first = Raw::connect(running.address()).await;
    let _second = Raw::connect(running.address()).await;
    let answer = exchange(running.address(), "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 429"), "{answer}");
    drop(first);
    let healthy = async {
        let request = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        while !exchange(running.address(), request).await.starts_with("HTTP/1.1 200") {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    crate::tools::soon(healthy).await;
    running.stop().await;
}

#[tokio::test]
async fn connections_of_a_guest_are_limited() {
    let mut config = config();
    config.limits.connections_per_guest = 1;
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let _first = Raw::seated(running.address(), &ann.token, &table.code).await;
    let mut second = Raw::connect(running.address()).await;
    second.send(json!({"type": "hello", "version": 1, "table": table.code, "token": ann.token})).await;
    assert_eq!(second.end().await, (Some("too_many".to_owned()), 4010));
    running.stop().await;
}

#[tokio::test]
async fn new_guests_and_new_tables_are_limited() {
    let mut config = config();
    (config.limits.new_guests_per_minute, config.limits.new_tables_per_minute) = (2, 3);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    remote.sign_in("Bob").await.unwrap();
    assert_eq!(code(remote.sign_in("Cy").await.unwrap_err()), "429 too_fast");
    for _ in 0..3 {
        remote.open_table(&ann.token, &quick()).await.unwrap();
    }
    assert_eq!(code(remote.open_table(&ann.token, &quick()).await.unwrap_err()), "429 too_fast");
    running.stop().await;
}

#[tokio::test]
async fn open_tables_are_limited_per_guest_per_address_and_in_all() {
    for (per_guest, per_address, all, expected) in
        [(1, 9, 9, "429 too_many"), (9, 1, 9, "429 too_many"), (9, 9, 1, "429 too_many")]
    {
        let mut config = config();
        (config.limits.tables_per_guest, config.limits.tables_per_address) = (per_guest, per_address);
        config.limits.tables = all;
        let (running, remote) = start(config).await;
        let ann = remote.sign_in("Ann").await.unwrap();
        remote.open_table(&ann.token, &quick()).await.unwrap();
        assert_eq!(code(remote.open_table(&ann.token, &quick()).await.unwrap_err()), expected);
        running.stop().await;
    }
}

#[tokio::test]
async fn requests_of_an_address_are_limited_and_proxies_are_believed_only_if_trusted() {
    for (trusted, served) in [(false, 3), (true, 6)] {
        let mut config = config();
        config.limits.requests_per_minute = 3;
        if trusted {
            config.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        }
        let (running, _) = start(config).await;
        let mut answered = 0;
        for number in 0..8 {
            let client = if number % 2 == 0 { "203.0.113.1" } else { "203.0.113.2" };
            let request =
                format!("GET /healthz HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {client}\r\nconnection: close\r\n\r\n");
            answered += u32::from(exchange(running.address(), &request).await.starts_with("HTTP/1.1 200"));
        }
        assert_eq!(answered, served);
        running.stop().await;
    }
}

#[tokio::test]
async fn long_bodies_are_refused_in_words() {
    let (running, remote) = start(config()).await;
    let long = json!({"name": "x".repeat(40_000)});
    assert_eq!(
        code(remote.call::<serde_json::Value>("POST", "/api/guests", None, Some(&long)).await.unwrap_err()),
        "413 too_long"
    );
    running.stop().await;
}
