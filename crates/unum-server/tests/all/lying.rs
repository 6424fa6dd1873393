//! A server that lies about its deals, as somebody between a real one and a client can make it.

use std::net::SocketAddr;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::Message as Frame;
use tokio_tungstenite::{accept_async, client_async};
use unum_client::{Client, ClientError, Finding, Server as Remote, Verdict};
use unum_protocol::{Level, MessageKind, Request, ServerMsg, Stage};
use unum_rules::fair::Secret;

use crate::tools::{config, quick, soon, start};

type Lie = fn(&mut Value);

/// Passes WebSockets on to a server, and changes what it says on the way back.
async fn liar(server: SocketAddr, lie: Lie) -> Remote {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(pass_on(stream, server, lie));
        }
    });
    Remote::new(&format!("http://{address}")).unwrap()
}

async fn pass_on(stream: TcpStream, server: SocketAddr, lie: Lie) {
    let client = accept_async(stream).await.unwrap();
    let upstream = TcpStream::connect(server).await.unwrap();
    let (upstream, _) = client_async(format!("ws://{server}/ws"), upstream).await.unwrap();
    let ((mut to_client, mut from_client), (mut to_server, mut from_server)) = (client.split(), upstream.split());
    let there = async {
        while let Some(Ok(frame)) = from_client.next().await {
            if to_server.send(frame).await.is_err() {
                return;
            }
        }
    };
    let back = async {
        while let Some(Ok(frame)) = from_server.next().await {
            let frame = match frame {
                Frame::Text(text) => {
                    let mut message: Value = serde_json::from_str(&text).unwrap();
                    lie(&mut message);
                    Frame::text(message.to_string())
                }
                other => other,
            };
            if to_client.send(frame).await.is_err() {
                return;
            }
        }
    };
    tokio::select! {
        () = there => {}
        () = back => {}
    }
}

/// What a client finds out about a round that is dealt and broken off.
async fn round_with(lie: Lie) -> Vec<Verdict> {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut client = Client::new(liar(running.address(), lie).await, &ann.token, &table.code);
    let (mut verdicts, mut reopened, mut errors) = (Vec::new(), None, 0);
    client.request(Request::AddBot { level: Level::Easy }).await;
    client.request(Request::Accept { agreement: 1 }).await;
    let mut asked = false;
    loop {
        let message = match soon(client.next()).await {
            Ok(message) => message,
            Err(ClientError::Unfair(verdict)) => {
                errors += 1;
                assert!(verdict.is_alarm() && verdict.to_string().contains("NOT FAIR"));
                if reopened.is_some() {
                    break;
                }
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        verdicts.extend(client.verdicts());
        assert!(message.head().kind != MessageKind::Refused, "{}", message.text());
        if verdicts.iter().any(|verdict: &Verdict| !verdict.is_alarm()) {
            break;
        }
        let ServerMsg::Update { lobby, own, .. } = message.read().unwrap() else { continue };
        if !asked && own.is_some_and(|own| own.may.contains(&unum_protocol::RequestKind::Start)) {
            asked = true;
            client.request(Request::Start { pledge: None }).await;
        }
        if lobby.is_some_and(|lobby| lobby.stage == Stage::Playing) && reopened.is_none() {
            reopened = Some(client.request(Request::Reopen {}).await);
        }
    }
    let alarms = verdicts.iter().filter(|verdict| verdict.is_alarm()).count();
    assert_eq!(errors, alarms.min(errors.max(1)), "every alarm is an error, too");
    running.stop().await;
    verdicts
}

async fn findings(lie: Lie) -> Vec<Finding> {
    let found = round_with(lie).await.into_iter().flat_map(|verdict| match verdict {
        Verdict::Unfair { findings, .. } => findings,
        _ => Vec::new(),
    });
    found.collect()
}

fn revealed(message: &mut Value) -> Option<&mut Value> {
    message.pointer_mut("/lobby/fair/revealed")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_server_that_does_not_lie_is_fair() {
    assert_eq!(round_with(|_| ()).await, [Verdict::Fair { round: 1 }]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_finds_out_about_another_secret() {
    let found = findings(|message| {
        if let Some(deal) = revealed(message) {
            deal["secret"] = json!(Secret([9; 32]));
        }
    });
    assert!(found.await.contains(&Finding::OtherSecret));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_finds_out_about_a_late_commitment() {
    let found = findings(|message| {
        let secret = Secret([9; 32]);
        if let Some(dealt) = message.pointer_mut("/lobby/fair/dealt") {
            *dealt = json!(secret.commitment());
        }
        if let Some(deal) = revealed(message) {
            deal["secret"] = json!(secret);
        }
    });
    assert!(found.await.contains(&Finding::OtherCommitment));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_finds_out_about_a_dropped_part() {
    let found = findings(|message| {
        if let Some(deal) = revealed(message) {
            deal["entropy"][0] = Value::Null;
        }
    });
    assert!(found.await.contains(&Finding::OwnPartDropped));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_finds_out_about_swapped_cards() {
    let found = findings(|message| {
        for event in message["events"].as_array_mut().into_iter().flatten() {
            if event["type"] == "dealt" && event.get("cards").is_some() {
                event["cards"] = json!(["W", "W", "W", "W", "W+4", "W+4", "W+4"]);
            }
        }
    });
    assert_eq!(found.await, [Finding::OtherCards]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_finds_out_about_a_round_that_is_not_revealed() {
    let found = findings(|message| {
        if message["lobby"]["stage"] == "lobby" {
            let fair = message["lobby"]["fair"].as_object_mut().unwrap();
            fair.remove("dealt");
            fair.remove("revealed");
        }
    });
    assert_eq!(found.await, [Finding::NotRevealed]);
}
