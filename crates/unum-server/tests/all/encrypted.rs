//! A server that encrypts by itself.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use unum_client::{Client, ClientError, Fingerprint, Server as Remote};
use unum_protocol::{Request, ServerMsg};
use unum_server::{Config, Running, Server};

use crate::tools::{config, desk, exchange, quick, soon};

async fn start(config: Config) -> (Running, Remote) {
    let running = Server::start(Config { tls_self_made: true, ..config }).await.unwrap();
    let fingerprint = Fingerprint(running.certificate().unwrap().fingerprint);
    let remote = Remote::new(&format!("https://{}", running.address())).unwrap().pinned(fingerprint);
    (running, remote)
}

#[tokio::test]
async fn a_table_is_played_at_over_an_encrypted_connection() {
    let (running, remote) = start(config()).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    assert!(table.link.starts_with("https://"), "{}", table.link);
    let mut client = Client::new(remote.clone(), &ann.token, &table.code);
    for _ in 0..3 {
        client.request(Request::AddBot { level: unum_protocol::Level::Random }).await;
    }
    soon(async {
        loop {
            let message = client.next().await.unwrap();
            if let ServerMsg::Update { lobby: Some(lobby), .. } = message.read().unwrap()
                && lobby.chairs.len() == 4
            {
                return;
            }
        }
    })
    .await;
    drop(client);
    running.stop().await;
}

#[tokio::test]
async fn cookies_are_for_encrypted_connections_only() {
    let (running, remote) = start(config()).await;
    let stranger = Remote::new(&remote.url()).unwrap().pinned(Fingerprint([7; 32]));
    let refused = stranger.sign_in("Ann").await.unwrap_err();
    assert!(matches!(refused, ClientError::Certificate { .. }), "{refused}");
    let message = refused.to_string();
    let shown = Fingerprint(running.certificate().unwrap().fingerprint).to_string();
    assert!(message.contains(&format!("its fingerprint is {shown}, not the one you gave")), "{message}");
    running.stop().await;
}

#[tokio::test]
async fn in_the_clear_there_is_only_the_way_to_https_and_the_authority() {
    let (running, _) = start(config()).await;
    let ask = async |request: &str| {
        exchange(running.address(), &format!("{request} HTTP/1.1\r\nhost: uno:8080\r\nconnection: close\r\n\r\n")).await
    };
    let answer = ask("POST /api/guests?x").await;
    assert!(
        answer.starts_with("HTTP/1.1 308") && answer.contains("location: https://uno:8080/api/guests?x\r\n"),
        "{answer}"
    );
    let authority = ask("GET /authority.crt").await;
    assert!(authority.contains("application/x-x509-ca-cert"), "{authority}");
    assert!(authority.contains("-----BEGIN CERTIFICATE-----") && !authority.contains("PRIVATE"), "{authority}");
    running.stop().await;
}

/// Waits until the server has closed that connection.
async fn closed(mut stream: TcpStream) -> Vec<u8> {
    let mut rest = Vec::new();
    // A reset is an end, too.
    let _ = soon(stream.read_to_end(&mut rest)).await;
    rest
}

#[tokio::test]
async fn who_connects_and_does_not_shake_hands_is_let_go() {
    let mut config = config();
    config.limits.request_timeout = Duration::from_millis(100);
    let (running, _) = start(config).await;
    let silent = TcpStream::connect(running.address()).await.unwrap();
    let mut halfway = TcpStream::connect(running.address()).await.unwrap();
    halfway.write_all(&[0x16, 0x03, 0x01, 0x02]).await.unwrap();
    let mut nonsense = TcpStream::connect(running.address()).await.unwrap();
    nonsense.write_all(&[0x16; 600]).await.unwrap();
    assert_eq!((closed(silent).await.len(), closed(halfway).await.len()), (0, 0));
    closed(nonsense).await;
    let counted = async {
        loop {
            let (_, text) = desk(&running).fetch("GET", "/metrics", None, None).await.unwrap();
            let text = String::from_utf8(text).unwrap();
            if text.lines().any(|line| line == "unum_tls_handshakes_failed_total 3") {
                return;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    soon(counted).await;
    running.stop().await;
}

#[tokio::test]
async fn handshakes_of_an_address_are_limited() {
    let mut config = config();
    config.limits.requests_per_minute = 4;
    let (running, remote) = start(config).await;
    let mut refused = 0;
    for _ in 0..4 {
        // Each costs two: the handshake and the request.
        refused += u32::from(!matches!(remote.fetch("GET", "/healthz", None, None).await, Ok((200, _))));
    }
    assert_eq!(refused, 2);
    running.stop().await;
}
