//! The few HTTP requests a client makes, over one connection each.

use std::io;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio_rustls::rustls::pki_types::ServerName;

use crate::ClientError;
use crate::stream::Stream;

/// The longest answer that is read, in bytes.
const MAX_ANSWER: u64 = 16 << 20;
/// The usual port.
const PLAIN_PORT: u16 = 80;
/// The usual port for encrypted connections.
const ENCRYPTED_PORT: u16 = 443;
/// What an encrypted connection answers to letters: the beginning of an alert.
const ALERT: &[u8] = &[0x15, 0x03];
/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    authority: String,
    /// The name its certificate has to be for; `None` where nothing is encrypted.
    name: Option<ServerName<'static>>,
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
    /// A server by its address, such as `http://localhost:8080` or `https://uno.example.org`. With `https` its
    /// certificate is judged by those the machine trusts, or by those in the file that `SSL_CERT_FILE` names.
    ///
    /// # Errors
    /// When that is no address of this kind.
    pub fn new(address: &str) -> Result<Server, ClientError> {
        let wrong = || ClientError::Address(address.to_owned());
        let encrypted = address.strip_prefix("https://");
        let rest = encrypted.or_else(|| address.strip_prefix("http://")).unwrap_or(address);
        let authority = rest.split('/').next().unwrap_or_default();
        let plain = |c: char| c.is_ascii_alphanumeric() || ".-:[]_".contains(c);
        if authority.is_empty() || rest.contains("://") || !authority.chars().all(plain) {
            return Err(wrong());
        }
        let port = authority.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok());
        let host = port.map_or(authority, |(host, _)| host);
        let name = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
        let name = encrypted.map(|_| ServerName::try_from(name.to_owned())).transpose().map_err(|_| wrong())?;
        let default = if name.is_some() { ENCRYPTED_PORT } else { PLAIN_PORT };
        let authority = if port.is_some() { authority.to_owned() } else { format!("{authority}:{default}") };
        Ok(Server { authority, name })
    }

    /// Host and port.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// Whether all that is sent is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.name.is_some()
    }

    /// The address as people write it: `https://uno.example.org`.
    pub fn url(&self) -> String {
        format!("{}://{}", if self.is_encrypted() { "https" } else { "http" }, self.host())
    }

    pub(crate) fn socket_url(&self) -> String {
        format!("{}://{}/ws", if self.is_encrypted() { "wss" } else { "ws" }, self.host())
    }

    pub(crate) fn certified_name(&self) -> Option<&ServerName<'static>> {
        self.name.as_ref()
    }

    /// The host, with its port unless that is the usual one.
    fn host(&self) -> &str {
        let port = if self.is_encrypted() { ENCRYPTED_PORT } else { PLAIN_PORT };
        let usual = self.authority.rsplit_once(':').filter(|(_, given)| given.parse() == Ok(port));
        usual.map_or(self.authority.as_str(), |(host, _)| host)
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
        let answer = self.ask(method, path, token, body).await?;
        if let (300..400, Some(to)) = (answer.status, &answer.moved) {
            return Err(ClientError::Moved { address: self.url(), to: to.clone() });
        }
        if !(200..300).contains(&answer.status) {
            return Err(refusal(answer.status, &answer.body));
        }
        serde_json::from_slice(&answer.body).map_err(|error| ClientError::Protocol(format!("{method} {path}: {error}")))
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
        self.ask(method, path, token, body).await.map(|answer| (answer.status, answer.body))
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Answer, ClientError> {
        let request = self.written(method, path, token, body);
        let failed = |source| ClientError::Connection { address: self.authority.clone(), source };
        let answer = tokio::time::timeout(TIMEOUT, async {
            let stream = Stream::connect(self).await?;
            exchange(stream, request.as_bytes()).await.map_err(failed)
        });
        let answer = answer.await.unwrap_or_else(|_| Err(failed(io::ErrorKind::TimedOut.into())))?;
        if answer.starts_with(ALERT) {
            return Err(ClientError::Encrypted { address: self.authority.clone() });
        }
        parse_answer(&answer).ok_or_else(|| ClientError::Protocol(format!("{method} {path}: not an HTTP answer")))
    }

    fn written(&self, method: &str, path: &str, token: Option<&str>, body: Option<&Value>) -> String {
        let body = body.map(Value::to_string).unwrap_or_default();
        let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n")).unwrap_or_default();
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n{authorization}{kind}Content-Length: {}\r\n\r\n{body}",
            self.host(),
            body.len()
        )
    }
}

async fn exchange(mut stream: Stream, request: &[u8]) -> io::Result<Vec<u8>> {
    stream.write_all(request).await?;
    stream.flush().await?;
    let mut answer = Vec::new();
    match stream.take(MAX_ANSWER).read_to_end(&mut answer).await {
        // Some servers hang up an encrypted connection without saying so. Whether all is there, its length tells.
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof && !answer.is_empty() => Ok(answer),
        read => read.map(|_| answer),
    }
}

/// What a server answered.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    /// Where the server says to be instead: scheme and host.
    moved: Option<String>,
    body: Vec<u8>,
}

/// A whole answer.
fn parse_answer(answer: &[u8]) -> Option<Answer> {
    let end = answer.windows(4).position(|window| window == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..end]).ok()?;
    let (first, fields) = head.split_once("\r\n").unwrap_or((head, ""));
    let status = first.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    let field = |name: &str| {
        let mut fields = fields.split("\r\n").filter_map(|line| line.split_once(':'));
        fields.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
    };
    let body = &answer[end + 4..];
    let chunked = field("transfer-encoding").is_some_and(|coding| coding.eq_ignore_ascii_case("chunked"));
    let body = match field("content-length") {
        _ if chunked => unchunked(body)?,
        Some(length) => body.get(..length.parse().ok()?)?.to_vec(),
        None => body.to_vec(),
    };
    let moved = field("location").and_then(|place| Server::new(place).ok().filter(|_| place.contains("://")));
    Some(Answer { status, moved: moved.map(|server| server.url()), body })
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
        for (address, authority, url) in [
            ("http://localhost:8080", "localhost:8080", "http://localhost:8080"),
            ("http://localhost/t/abc", "localhost:80", "http://localhost"),
            ("127.0.0.1:99", "127.0.0.1:99", "http://127.0.0.1:99"),
            ("https://uno.example.org/t/abc", "uno.example.org:443", "https://uno.example.org"),
            ("https://localhost:8443", "localhost:8443", "https://localhost:8443"),
            ("https://[::1]:443/", "[::1]:443", "https://[::1]"),
            ("http://uno.example.org:443", "uno.example.org:443", "http://uno.example.org:443"),
        ] {
            let server = Server::new(address).unwrap();
            assert_eq!((server.authority(), server.url().as_str()), (authority, url));
            assert_eq!(server.is_encrypted(), address.starts_with("https"));
        }
        for wrong in ["", "https://", "https://-", "http://a b", "ftp://x", "http://x\r\ny", "https://[::1"] {
            assert!(Server::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn answers_come_whole_or_in_chunks() {
        let body = |text: &str| parse_answer(text.as_bytes()).map(|answer| (answer.status, answer.body));
        let whole = "HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nhi";
        assert_eq!(body(whole), Some((201, b"hi".to_vec())));
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n";
        assert_eq!(body(chunks), Some((200, b"hi!".to_vec())));
        let short = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi";
        for broken in ["", "HTTP/1.1 200 OK\r\n", "SSH-2.0\r\n\r\n", "HTTP/1.1 x\r\n\r\n", short] {
            assert_eq!(body(broken), None);
        }
        assert_eq!(unchunked(b"ffffffffffffffff\r\nhi"), None);
    }

    #[test]
    fn an_answer_may_say_where_the_server_is() {
        let moved = |place: &str| {
            let answer = format!("HTTP/1.1 301 Moved\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n");
            parse_answer(answer.as_bytes()).unwrap().moved
        };
        assert_eq!(moved("https://uno.example.org/api/guests").as_deref(), Some("https://uno.example.org"));
        assert_eq!((moved("/elsewhere"), moved("https://a b")), (None, None));
    }
}
