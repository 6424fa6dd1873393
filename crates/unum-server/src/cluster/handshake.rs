//! Mutual authentication of nodes: both prove that they know the secret (challenge–response, HMAC-SHA256) before
//! anything else is read.
//!
//! Each sends a hello with its number and a nonce, then a MAC over its role and both hellos. A proof is valid for one
//! connection and one role, so it can be neither replayed nor reflected.

use std::io;

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use unum_protocol::node::NODE_VERSION;
use unum_table::Dice as _;
use unum_table::os::OsDice;

use super::frame::wrong;

const MAGIC: [u8; 8] = *b"unumnode";
/// Magic, version, node, nonce.
const HELLO: usize = 8 + 4 + 8 + 32;

type Hello = [u8; HELLO];

/// Authenticates a node that this one has dialed, and returns its number.
///
/// # Errors
/// When it is not a node, or does not know the secret.
pub(super) async fn dial(socket: &mut TcpStream, node: u64, secret: &str) -> io::Result<u64> {
    let mine = hello(node);
    socket.write_all(&mine).await?;
    let (theirs, peer) = read_hello(socket).await?;
    socket.write_all(&proof(secret, b"dialed", &mine, &theirs).finalize().into_bytes()).await?;
    check(socket, proof(secret, b"called", &mine, &theirs)).await?;
    Ok(peer)
}

/// Authenticates a node that has dialed this one, and returns its number. The caller proves itself first.
///
/// # Errors
/// As [`dial`].
pub(super) async fn answer(socket: &mut TcpStream, node: u64, secret: &str) -> io::Result<u64> {
    let (theirs, peer) = read_hello(socket).await?;
    let mine = hello(node);
    socket.write_all(&mine).await?;
    check(socket, proof(secret, b"dialed", &theirs, &mine)).await?;
    socket.write_all(&proof(secret, b"called", &theirs, &mine).finalize().into_bytes()).await?;
    Ok(peer)
}

fn hello(node: u64) -> Hello {
    let mut hello = [0; HELLO];
    hello[..8].copy_from_slice(&MAGIC);
    hello[8..12].copy_from_slice(&NODE_VERSION.to_le_bytes());
    hello[12..20].copy_from_slice(&node.to_le_bytes());
    hello[20..].copy_from_slice(&OsDice.roll());
    hello
}

async fn read_hello(socket: &mut TcpStream) -> io::Result<(Hello, u64)> {
    let mut hello = [0; HELLO];
    socket.read_exact(&mut hello).await?;
    if hello[..8] != MAGIC {
        return Err(wrong("that is not a node"));
    }
    if hello[8..12] != NODE_VERSION.to_le_bytes() {
        return Err(wrong("the node speaks another version"));
    }
    let mut number = [0; 8];
    number.copy_from_slice(&hello[12..20]);
    Ok((hello, u64::from_le_bytes(number)))
}

/// The MAC over a role, the hello of the caller and the hello of the called.
fn proof(secret: &str, role: &[u8], dialed: &Hello, called: &Hello) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key has any length");
    for part in [b"unum node ".as_slice(), role, dialed, called] {
        mac.update(part);
    }
    mac
}

/// Reads the other side's MAC, and compares it in constant time.
async fn check(socket: &mut TcpStream, expected: Hmac<Sha256>) -> io::Result<()> {
    let mut given = [0; 32];
    socket.read_exact(&mut given).await?;
    expected.verify_slice(&given).map_err(|_| wrong("the node does not know the secret"))
}

#[cfg(test)]
mod tests {
    use tokio::net::TcpListener;

    use super::*;

    async fn greet(own: &'static str, other: &'static str) -> (io::Result<u64>, io::Result<u64>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let dialing = tokio::spawn(async move {
            let mut socket = TcpStream::connect(address).await.unwrap();
            dial(&mut socket, 1, own).await
        });
        let (mut socket, _) = listener.accept().await.unwrap();
        let answered = answer(&mut socket, 2, other).await;
        drop(socket);
        (dialing.await.unwrap(), answered)
    }

    #[tokio::test]
    async fn only_nodes_with_the_same_secret_understand_each_other() {
        let (dialed, called) = greet("marmalade", "marmalade").await;
        assert_eq!((dialed.unwrap(), called.unwrap()), (2, 1));
        let (dialed, called) = greet("marmalade", "toast").await;
        assert!(dialed.is_err());
        assert_eq!(called.unwrap_err().to_string(), "the node does not know the secret");
    }
}
