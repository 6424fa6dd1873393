//! The few HTTP requests a client makes, over one connection each.

use std::io;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use crate::ClientError;

/// The longest answer that is read, in bytes.
const MAX_ANSWER: u64 = 16 << 20;
/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    authority: String,
}

/// Somebody who has signed in.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Guest {
    /// What others call them.
    pub name: String,
    /// What proves who they are: to be kept secret.
    pub token: String,
}

/// A table that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OpenedTable {
    /// Its code, which is all one needs to join.
    pub code: String,
    /// The link to share.
    pub link: String,
}

impl Server {
    /// A server by its address, such as `http://localhost:8080`. Encrypted connections are left to a proxy.
    ///
    /// # Errors
    /// When that is no address of this kind.
    pub fn new(address: &str) -> Result<Server, ClientError> {
        let wrong = || ClientError::Address(address.to_owned());
        let rest = address.strip_prefix("http://").unwrap_or(address);
        let authority = rest.split('/').next().unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]_".contains(c);
        if authority.is_empty() || rest.contains("://") || !authority.chars().all(plain) {
            return Err(wrong());
        }
        let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| port.parse::<u16>().is_ok());
        let authority = if has_port { authority.to_owned() } else { format!("{authority}:80") };
        Ok(Server { authority })
    }

    /// Host and port.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Makes a guest of that name.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses.
    pub async fn sign_in(&self, name: &str) -> Result<Guest, ClientError> {
        self.call("POST", "/api/guests", None, Some(&serde_json::json!({"name": name}))).await
    }

    /// Opens a table with these settings; what is left out is as usual.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses.
    pub async fn open_table(&self, token: &str, settings: &Value) -> Result<OpenedTable, ClientError> {
        self.call("POST", "/api/tables", Some(token), Some(settings)).await
    }

    /// Makes any other request whose answer is JSON.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses, or the answer is not of that kind.
    pub async fn call<T: DeserializeOwned>(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<T, ClientError> {
        let (status, answer) = self.fetch(method, path, token, body).await?;
        if !(200..300).contains(&status) {
            return Err(refusal(status, &answer));
        }
        serde_json::from_slice(&answer).map_err(|error| ClientError::Protocol(format!("{method} {path}: {error}")))
    }

    /// Makes a request; the status and the body of the answer.
    ///
    /// # Errors
    /// When the server cannot be reached or does not speak HTTP.
    pub async fn fetch(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<(u16, Vec<u8>), ClientError> {
        let request = self.written(method, path, token, body);
        let answer = tokio::time::timeout(TIMEOUT, exchange(&self.authority, request.as_bytes())).await;
        let answer = answer.unwrap_or_else(|_| Err(io::Error::from(io::ErrorKind::TimedOut)));
        let answer = answer.map_err(|source| ClientError::Connection { address: self.authority.clone(), source })?;
        parse_answer(&answer).ok_or_else(|| ClientError::Protocol(format!("{method} {path}: not an HTTP answer")))
    }

    fn written(&self, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> String {
        let body = body.map(Value::to_string).unwrap_or_default();
        let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{authorization}{kind}Content-Length: {}\r\n\r\n{body}",
            self.authority,
            body.len()
        )
    }
}

async fn exchange(authority: &str, request: &[u8]) -> io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(authority).await?;
    stream.write_all(request).await?;
    let mut answer = Vec::new();
    stream.take(MAX_ANSWER).read_to_end(&mut answer).await?;
    Ok(answer)
}

/// Status and body of a whole answer.
fn parse_answer(answer: &[u8]) -> Option<(u16, Vec<u8>)> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let mut lines = head.split("\r\n");
    let status = lines.next()?.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    let body = &answer[end + 4..];
    let chunked = lines.any(|line| line.eq_ignore_ascii_case("transfer-encoding: chunked"));
    Some((status, if chunked { unchunked(body)? } else { body.to_vec() }))
}

fn unchunked(mut body: &[u8]) -> Option<Vec<u8>> {
    let mut whole = Vec::new();
    loop {
        let end = body.windows(2).position(|window| window == b"\r\n")?;
        let length = usize::from_str_radix(std::str::from_utf8(&body[..end]).ok()?.trim(), 16).ok()?;
        body = &body[end + 2..];
        if length == 0 {
            return Some(whole);
        }
        whole.extend_from_slice(body.get(..length)?);
        body = body.get(length + 2..)?;
    }
}

fn refusal(status: u16, answer: &[u8]) -> ClientError {
    let value: Value = serde_json::from_slice(answer).unwrap_or_default();
    let field = |name: &str| value.get(name).or_else(|| value.get("error")?.get(name)).and_then(Value::as_str);
    let code = field("code").unwrap_or_default().to_owned();
    let message = field("message").map_or_else(|| String::from_utf8_lossy(answer).into_owned(), str::to_owned);
    ClientError::Refused { status, code, message }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_host_and_perhaps_a_port() {
        assert_eq!(Server::new("http://localhost:8080").unwrap().authority(), "localhost:8080");
        assert_eq!(Server::new("http://localhost/t/abc").unwrap().authority(), "localhost:80");
        assert_eq!(Server::new("127.0.0.1:99").unwrap().authority(), "127.0.0.1:99");
        for wrong in ["", "https://localhost", "http://a b", "ftp://x", "http://x\r\ny"] {
            assert!(Server::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn answers_come_whole_or_in_chunks() {
        let whole = b"HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nhi";
        assert_eq!(parse_answer(whole), Some((201, b"hi".to_vec())));
        let chunks = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n";
        assert_eq!(parse_answer(chunks), Some((200, b"hi!".to_vec())));
        for broken in ["", "HTTP/1.1 200 OK\r\n", "SSH-2.0\r\n\r\n", "HTTP/1.1 x\r\n\r\n"] {
            assert_eq!(parse_answer(broken.as_bytes()), None);
        }
        assert_eq!(unchunked(b"ffffffffffffffff\r\nhi"), None);
    }
}
