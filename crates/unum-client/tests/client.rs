//! The client against a server that says what the test wants.

use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Frame;
use unum_client::{Client, ClientError, Patience, Server};
use unum_protocol::{Code, MessageKind, Request, RulesView, Settings, TableCode};
use unum_rules::{Edition, Rules};

type Peer = WebSocketStream<TcpStream>;

async fn listener() -> (TcpListener, Client) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = Server::new(&listener.local_addr().unwrap().to_string()).unwrap();
    let patience = Patience { first: Duration::from_millis(1), ..Patience::default() };
    (listener, Client::new(server, "token", "code").with_patience(patience))
}

/// Takes a connection; the hello that came over it.
async fn accept(listener: &TcpListener) -> (Peer, Value) {
    let (tcp, _) = listener.accept().await.unwrap();
    let mut peer = tokio_tungstenite::accept_async(tcp).await.unwrap();
    let hello = hear(&mut peer).await;
    (peer, hello)
}

async fn hear(peer: &mut Peer) -> Value {
    let frame = peer.next().await.unwrap().unwrap();
    serde_json::from_str(frame.to_text().unwrap()).unwrap()
}

async fn say(peer: &mut Peer, message: Value) {
    peer.send(Frame::text(message.to_string())).await.unwrap();
}

fn welcome(last_id: u32) -> Value {
    json!({"type": "welcome", "version": 1, "server": "test", "table": "code", "you": 3, "last_id": last_id})
}

fn snapshot(seq: u64) -> Value {
    let rules = RulesView::new(&Rules::of(Edition::Original));
    let lobby = json!({"stage": "lobby", "code": "code", "host": 3, "acting": false, "locked": false, "paused": false,
        "chairs": [], "people": [], "fair": {"next": "00".repeat(32), "attempt": 1}});
    let terms = json!({"agreement": 1, "settings": Settings::default(), "rules": rules});
    let own = json!({"may": [], "muted": [], "kicked": []});
    json!({"type": "snapshot", "seq": seq, "terms": terms, "lobby": lobby, "own": own, "chat": []})
}

fn update(seq: u64, id: Option<u32>) -> Value {
    let mut update = json!({"type": "update", "seq": seq, "what": {"type": "hidden"}});
    if let Some(id) = id {
        update["id"] = id.into();
    }
    update
}

#[tokio::test]
async fn unanswered_requests_are_sent_again_after_the_connection_broke() {
    let (listener, mut client) = listener().await;
    let table = async {
        let (mut peer, hello) = accept(&listener).await;
        assert_eq!(hello, json!({"hello": {"version": 1, "table": "code", "token": "token"}}));
        say(&mut peer, welcome(0)).await;
        say(&mut peer, snapshot(7)).await;
        for id in 1..=3 {
            assert_eq!(hear(&mut peer).await["id"], id);
        }
        say(&mut peer, update(8, Some(1))).await;
        drop(peer);
        let (mut peer, hello) = accept(&listener).await;
        assert_eq!(hello["hello"]["after"], 8);
        say(&mut peer, welcome(2)).await;
        let again = hear(&mut peer).await;
        assert_eq!((again["request"]["type"].as_str(), again["id"].as_u64()), (Some("leave"), Some(3)));
        say(&mut peer, update(9, None)).await;
        say(&mut peer, update(10, Some(3))).await;
    };
    let player = async {
        for request in [Request::Sit {}, Request::Stand {}, Request::Leave {}] {
            client.request(request).await;
        }
        while client.seen() != Some(10) {
            client.next().await.unwrap();
        }
        assert_eq!((client.unanswered(), client.you(), client.connections()), (0, Some(3), 2));
    };
    tokio::join!(table, player);
}

/// What the client says about a server that sends these after the welcome.
async fn verdict(messages: &[Value]) -> ClientError {
    let (listener, mut client) = listener().await;
    let table = async {
        let (mut peer, _) = accept(&listener).await;
        say(&mut peer, welcome(0)).await;
        for message in messages {
            say(&mut peer, message.clone()).await;
        }
    };
    let player = async {
        loop {
            if let Err(error) = client.next().await {
                return error;
            }
        }
    };
    tokio::join!(table, player).1
}

#[tokio::test]
async fn a_missing_number_is_noticed() {
    for messages in [&[update(1, None)][..], &[snapshot(4), update(6, None)], &[snapshot(4), snapshot(3)]] {
        let error = verdict(messages).await;
        assert!(matches!(error, ClientError::Protocol(_)), "{messages:?}: {error}");
    }
}

#[tokio::test]
async fn a_dismissed_client_stays_away() {
    let bye = json!({"type": "bye", "code": "kicked", "message": "The host sent you away."});
    let error = verdict(&[bye]).await;
    assert!(
        matches!(&error, ClientError::Dismissed { code, .. } if *code == Code::Table(TableCode::Kicked)),
        "{error}"
    );
}

#[tokio::test]
async fn what_came_too_fast_is_sent_again() {
    let (listener, mut client) = listener().await;
    let table = async {
        let (mut peer, _) = accept(&listener).await;
        say(&mut peer, welcome(0)).await;
        say(&mut peer, snapshot(1)).await;
        let first = hear(&mut peer).await;
        say(&mut peer, json!({"type": "refused", "id": 1, "code": "too_fast", "message": "slowly"})).await;
        assert_eq!(hear(&mut peer).await, first);
        say(&mut peer, update(2, Some(1))).await;
        peer
    };
    let player = async {
        client.request(Request::Sit {}).await;
        while client.seen() != Some(2) {
            client.next().await.unwrap();
        }
        assert_eq!(client.unanswered(), 0);
    };
    tokio::join!(table, player);
}

#[tokio::test]
async fn unknown_fields_are_passed_over_and_unknown_types_are_not() {
    let (listener, mut client) = listener().await;
    let table = async {
        let (mut peer, _) = accept(&listener).await;
        say(&mut peer, json!({"type": "pong", "volume": 11})).await;
        say(&mut peer, json!({"type": "fanfare"})).await;
        peer
    };
    let player = async { (client.next().await, client.next().await) };
    let (_peer, (pong, fanfare)) = tokio::join!(table, player);
    assert_eq!(pong.unwrap().head().kind, MessageKind::Pong);
    assert!(matches!(fanfare, Err(ClientError::Protocol(_))), "types are closed within a version");
}

#[tokio::test]
async fn giving_up_waiting_does_not_shorten_the_pauses_between_attempts() {
    let (listener, client) = listener().await;
    drop(listener);
    let (heard, mut links) = tokio::sync::mpsc::unbounded_channel();
    let patience = Patience { first: Duration::from_millis(100), ..Patience::default() };
    let listen = Box::new(move |link| drop(heard.send(link)));
    let mut client = client.with_patience(patience).with_listener(listen);
    let (until, mut attempts) = (tokio::time::Instant::now() + Duration::from_millis(600), 0);
    // As a program does that shows what becomes of the connection: each word of it interrupts the waiting.
    loop {
        tokio::select! {
            biased;
            _ = links.recv() => attempts += 1,
            () = tokio::time::sleep_until(until) => break,
            message = client.next() => panic!("{message:?}"),
        }
    }
    // At once, after 50 ms at the soonest, 100 more, 200 more, 400 more.
    assert!((1..=5).contains(&attempts), "{attempts} attempts in 0.6 s");
}

#[tokio::test]
async fn a_server_that_hangs_up_at_once_is_not_called_again_and_again() {
    let (listener, client) = listener().await;
    let patience = Patience { first: Duration::from_millis(100), ..Patience::default() };
    let mut client = client.with_patience(patience);
    let accepting = tokio::spawn(async move {
        let mut connections = 0;
        let until = tokio::time::Instant::now() + Duration::from_millis(600);
        while let Ok(accepted) = tokio::time::timeout_at(until, accept(&listener)).await {
            drop(accepted);
            connections += 1;
        }
        connections
    });
    tokio::select! {
        message = client.next() => panic!("{message:?}"),
        connections = accepting => assert!((1..=5).contains(&connections.unwrap())),
    }
}
