//! Clients without manners: each is refused or closed with the documented code, and nobody else notices.

use std::time::Duration;

use futures_util::StreamExt as _;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::tungstenite::protocol::frame::coding::{Data, OpCode};
use tokio_tungstenite::tungstenite::protocol::frame::{Frame as RawFrame, FrameHeader};
use unum_protocol::{Level, MessageKind, Reaction, Request};
use unum_server::Running;

use crate::tools::{Guest, PATIENCE, Raw, config, quick, soon, start};

async fn seated() -> (Running, Raw, String, String) {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    (running, raw, ann.token, table.code)
}

#[tokio::test]
async fn a_message_of_4096_bytes_is_read_and_one_of_4097_is_not() {
    let (running, mut raw, ..) = seated().await;
    let padded = |length: usize| {
        let text = r#"{"ping":{}}"#;
        format!("{text}{}", " ".repeat(length - text.len()))
    };
    raw.frame(Frame::text(padded(4096))).await;
    assert_eq!(raw.next().await["type"], "pong");
    raw.frame(Frame::text(padded(4097))).await;
    assert_eq!(raw.end().await, (Some("too_long".to_owned()), 1009));
    running.stop().await;
}

#[tokio::test]
async fn binary_and_invalid_utf8_and_compressed_frames_are_closed() {
    let compressed =
        FrameHeader { rsv1: true, opcode: OpCode::Data(Data::Text), is_final: true, ..FrameHeader::default() };
    let bad_text = FrameHeader { opcode: OpCode::Data(Data::Text), is_final: true, ..FrameHeader::default() };
    for (frame, code, number) in [
        (Frame::binary(vec![1, 2, 3]), "not_text", 1003),
        (Frame::Frame(RawFrame::from_payload(bad_text, vec![0xff, 0xfe, b'{'].into())), "not_utf8", 1007),
        (Frame::Frame(RawFrame::from_payload(compressed, vec![0; 40].into())), "protocol", 1002),
    ] {
        let (running, mut raw, ..) = seated().await;
        raw.frame(frame).await;
        assert_eq!(raw.end().await, (Some(code.to_owned()), number));
        running.stop().await;
    }
}

#[tokio::test]
async fn garbage_is_refused_in_words_and_the_connection_stays() {
    let (running, mut raw, ..) = seated().await;
    for (text, id) in [
        ("{", None),
        (r#"{"id":4,"request":{"type":"fly"}}"#, Some(4)),
        (r#"{"hello":{"version":1,"table":"x"}}"#, None),
    ] {
        raw.frame(Frame::text(text)).await;
        let answer = raw.next().await;
        assert_eq!((answer["type"].as_str(), answer["code"].as_str()), (Some("refused"), Some("bad_request")));
        assert_eq!(answer["id"].as_u64(), id);
    }
    raw.send(json!({"ping": {}})).await;
    assert_eq!(raw.next().await["type"], "pong");
    running.stop().await;
}

#[tokio::test]
async fn a_wrong_hello_is_told_what_is_wrong() {
    let (running, _raw, token, table) = seated().await;
    for (hello, code) in [
        (json!({"ping": {}}), "bad_hello"),
        (json!({"hello": {}}), "bad_hello"),
        (json!({"hello": {"version": 99, "table": table, "token": token}}), "bad_version"),
        (json!({"hello": {"version": 1, "table": table}}), "no_guest"),
        (json!({"hello": {"version": 1, "table": table, "token": "guessed"}}), "no_guest"),
        (json!({"hello": {"version": 1, "table": "0000000000000000", "token": token}}), "no_table"),
        (json!({"hello": {"version": 1, "table": "'; DROP TABLE", "token": token}}), "no_table"),
    ] {
        let mut other = Raw::connect(running.address()).await;
        other.send(hello.clone()).await;
        assert_eq!(other.end().await.0.as_deref(), Some(code), "{hello}");
    }
    running.stop().await;
}

#[tokio::test]
async fn cookies_and_headers_open_the_door_too() {
    let (running, _raw, token, table) = seated().await;
    for (name, value) in [("cookie", format!("unum_guest={token}")), ("authorization", format!("Bearer {token}"))] {
        let mut other = Raw::try_connect(running.address(), &[(name, &value)]).await.unwrap();
        other.send(json!({"hello": {"version": 1, "table": table}})).await;
        assert_eq!(other.next().await["type"], "welcome");
    }
    running.stop().await;
}

#[tokio::test]
async fn pages_of_other_sites_get_no_socket() {
    let (running, ..) = seated().await;
    let own = format!("http://{}", running.address());
    for origin in ["null", "http://evil.example", "https://evil.example:443"] {
        let refused = Raw::try_connect(running.address(), &[("origin", origin)]).await;
        assert!(refused.is_err(), "{origin}");
    }
    assert!(Raw::try_connect(running.address(), &[("origin", &own)]).await.is_ok());
    running.stop().await;
}

#[tokio::test]
async fn a_flood_is_refused_and_then_closed() {
    let mut config = config();
    (config.limits.messages_per_second, config.limits.messages_at_once) = (1, 10);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    for id in 1..=100 {
        raw.send(json!({"id": id, "request": {"type": "react", "reaction": "wow"}})).await;
    }
    let (mut refused, mut bye) = (0, None);
    while bye.is_none() {
        let message = raw.next().await;
        refused += u32::from(message["code"] == "too_fast" && message["type"] == "refused");
        bye = (message["type"] == "bye").then(|| message["code"].as_str().unwrap().to_owned());
    }
    assert_eq!(bye.as_deref(), Some("flood"));
    assert!((25..=31).contains(&refused), "{refused}");
    running.stop().await;
}

#[tokio::test]
async fn frames_without_end_are_a_flood_even_if_no_message_comes_of_them() {
    let mut config = config();
    (config.limits.messages_per_second, config.limits.messages_at_once) = (1, 2);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    let part = |opcode| FrameHeader { opcode: OpCode::Data(opcode), is_final: false, ..FrameHeader::default() };
    raw.frame(Frame::Frame(RawFrame::from_payload(part(Data::Text), vec![b'{'].into()))).await;
    for _ in 0..100 {
        raw.frame(Frame::Frame(RawFrame::from_payload(part(Data::Continue), Vec::new().into()))).await;
    }
    assert_eq!(raw.end().await, (Some("flood".to_owned()), 4004));
    running.stop().await;
}

#[tokio::test]
async fn a_silent_client_is_let_go() {
    let mut config = config();
    config.limits.hello_timeout = Duration::from_millis(50);
    config.limits.request_timeout = Duration::from_millis(200);
    let (running, _) = start(config).await;
    let mut raw = Raw::connect(running.address()).await;
    assert_eq!(raw.end().await, (Some("no_hello".to_owned()), 4005));
    // Half a head, and then nothing.
    let mut slow = TcpStream::connect(running.address()).await.unwrap();
    slow.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
    let mut rest = Vec::new();
    let _ = soon(slow.read_to_end(&mut rest)).await;
    // Not a byte at all.
    let mut silent = TcpStream::connect(running.address()).await.unwrap();
    let _ = soon(silent.read_to_end(&mut rest)).await;
    running.stop().await;
}

#[tokio::test]
async fn half_open_connections_are_found_out() {
    let mut config = config();
    config.limits.ping_interval = Duration::from_millis(50);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    // A client that never reads does not answer pings.
    let raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    let silent = async {
        while running.sessions() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    soon(silent).await;
    drop(raw);
    // A client that reads does, and stays.
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    let stays = tokio::time::timeout(Duration::from_millis(500), raw.socket.next());
    let heard = stays.await;
    assert!(matches!(heard, Err(_) | Ok(Some(Ok(Frame::Ping(_) | Frame::Text(_))))), "{heard:?}");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slow_reader_is_let_go_and_others_are_not() {
    let mut config = config();
    (config.limits.queue_messages, config.limits.queue_bytes) = (40, 16 * 1024);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let bob = remote.sign_in("Bob").await.unwrap();
    let mut settings = quick();
    (settings["seats"], settings["rules"]["scoring"]) = (json!(6), json!({"type": "first_to", "target": 10_000}));
    let table = remote.open_table(&ann.token, &settings).await.unwrap();
    let mut player = Guest::known(&remote, &ann.token, &table.code).await;
    for _ in 0..5 {
        player.ask(Request::AddBot { level: Level::Random }).await;
    }
    let mut sleeper = Raw::seated(running.address(), &bob.token, &table.code).await;
    let mut message = player.ask(Request::Ready { ready: true, pledge: None }).await;
    let (mut messages, deadline) = (0, tokio::time::Instant::now() + 2 * PATIENCE);
    while running.sessions() > 1 {
        assert!(tokio::time::Instant::now() < deadline, "the sleeper was not let go after {messages} messages");
        player.react(&message).await;
        message = player.next().await.unwrap();
        messages += 1;
    }
    assert_eq!(sleeper.end().await.0, None, "no room for a goodbye");
    assert_eq!(player.ask(Request::React { reaction: Reaction::Wow }).await.head().kind, MessageKind::Update);
    running.stop().await;
}

#[tokio::test]
async fn nobody_acts_for_another_seat_or_twice() {
    let (running, mut raw, _, table) = seated().await;
    let remote = unum_client::Server::new(&format!("http://{}", running.address())).unwrap();
    let bob = remote.sign_in("Bob").await.unwrap();
    let mut other = Raw::seated(running.address(), &bob.token, &table).await;
    // Only the host may; and the id is not used up for others.
    other.send(json!({"id": 1, "request": {"type": "add_bot", "level": "easy"}})).await;
    assert_eq!(other.next().await["code"], "not_host");
    raw.send(json!({"id": 5, "request": {"type": "add_bot", "level": "easy"}})).await;
    while raw.next().await["id"] != 5 {}
    for old in [5, 3] {
        raw.send(json!({"id": old, "request": {"type": "add_bot", "level": "easy"}})).await;
        let answer = raw.next().await;
        assert_eq!((answer["type"].as_str(), answer["id"].as_u64()), (Some("done"), Some(old)));
    }
    running.stop().await;
}
