//! The few HTTP requests a client makes, over one connection each.

use std::io;
use std::net::IpAddr;
use std::time::Duration;

use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use hyper::body::Bytes;
use hyper::client::conn::http1::handshake;
use hyper::header::{AUTHORIZATION, CONNECTION, CONTENT_TYPE, HOST, LOCATION};
use hyper::{Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use tokio_rustls::rustls::pki_types::ServerName;
use unum_protocol::rest::{ErrorBody, NewGuest, Opened, SignedIn};
use unum_protocol::{Look, base_in};

use crate::ClientError;
use crate::pin::Fingerprint;
use crate::stream::{SpeaksTls, Stream};

/// The longest answer that is read, in bytes.
const MAX_ANSWER: usize = 16 << 20;
/// The longest quote from a server's answer, in characters.
pub(crate) const LONGEST: usize = 300;
/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(30);
/// The default port.
const PLAIN_PORT: u16 = 80;
/// The default port for encrypted connections.
const ENCRYPTED_PORT: u16 = 443;

/// Where a server is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Server {
    authority: String,
    /// The path below which it lies: empty, or such as `/uno`.
    base: String,
    /// The name its certificate has to be for; `None` where nothing is encrypted.
    name: Option<ServerName<'static>>,
    /// The address of this machine to connect from, if it matters.
    local: Option<IpAddr>,
    /// The certificate it has to show, or one that was signed by it, in place of what the machine trusts.
    pinned: Option<Fingerprint>,
}

impl Server {
    /// A server by its address, such as `http://localhost:8080`, `https://uno.example.org` or `https://example.org/uno`, or
    /// by a link of it. With `https` its
    /// certificate is judged by those the machine trusts, or by those in the file that `SSL_CERT_FILE` names. Without a
    /// scheme it means `https`, unless it is this machine or in a private network: a token must not cross the internet
    /// in the clear because nobody typed a scheme.
    ///
    /// # Errors
    /// When it is not the address of a server.
    pub fn new(address: &str) -> Result<Server, ClientError> {
        Server::parse(address).ok_or_else(|| ClientError::Address(address.to_owned()))
    }

    fn parse(address: &str) -> Option<Server> {
        let whole = if address.contains("://") { address.to_owned() } else { with_scheme(address)? };
        let uri: Uri = whole.parse().ok()?;
        let default = match uri.scheme_str()? {
            "http" => PLAIN_PORT,
            "https" => ENCRYPTED_PORT,
            _ => return None,
        };
        let host = uri.host().filter(|host| !host.is_empty())?;
        // The rest is a user, or a port that is not a number.
        if uri.port().is_none() && uri.authority()?.as_str() != host || uri.authority()?.as_str().contains('@') {
            return None;
        }
        let name = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host).to_owned();
        let name = (default == ENCRYPTED_PORT).then(|| ServerName::try_from(name).ok());
        let authority = format!("{host}:{}", uri.port_u16().unwrap_or(default));
        let base = base_in(uri.path()).to_owned();
        Some(Server {
            authority,
            base,
            name: name.map_or(Some(None), |name| name.map(Some))?,
            local: None,
            pinned: None,
        })
    }

    /// The same server, reached from one of this machine's own addresses.
    #[must_use]
    pub fn from_address(mut self, local: IpAddr) -> Server {
        self.local = Some(local);
        self
    }

    /// The same server, known by the fingerprint of its certificate, or of its own authority: nothing else is trusted. Where
    /// nothing is encrypted, that means nothing.
    #[must_use]
    pub fn pinned(mut self, fingerprint: Fingerprint) -> Server {
        self.pinned = Some(fingerprint);
        self
    }

    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        self.pinned
    }

    pub(crate) fn local(&self) -> Option<IpAddr> {
        self.local
    }

    /// Host and port.
    pub fn authority(&self) -> &str {
        &self.authority
    }

    /// The path below which it lies: empty, or such as `/uno`.
    pub fn base(&self) -> &str {
        &self.base
    }

    /// Whether the connection is encrypted.
    pub fn is_encrypted(&self) -> bool {
        self.name.is_some()
    }

    /// The address as people write it: `https://uno.example.org`.
    pub fn url(&self) -> String {
        format!("{}://{}{}", if self.is_encrypted() { "https" } else { "http" }, self.host(), self.base)
    }

    pub(crate) fn socket_url(&self) -> String {
        format!("{}://{}{}/ws", if self.is_encrypted() { "wss" } else { "ws" }, self.host(), self.base)
    }

    pub(crate) fn certified_name(&self) -> Option<&ServerName<'static>> {
        self.name.as_ref()
    }

    /// The host, with its port unless it is the default.
    fn host(&self) -> &str {
        let port = if self.is_encrypted() { ENCRYPTED_PORT } else { PLAIN_PORT };
        let usual = self.authority.rsplit_once(':').filter(|(_, given)| given.parse() == Ok(port));
        usual.map_or(self.authority.as_str(), |(host, _)| host)
    }

    /// Creates a guest of that name.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses.
    pub async fn sign_in(&self, name: &str) -> Result<SignedIn, ClientError> {
        let guest = NewGuest { name: name.to_owned(), look: Look::default() };
        self.post("/api/guests", None, &guest).await
    }

    /// Opens a table with these [`Settings`](unum_protocol::Settings), or only those that differ from the defaults.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses.
    pub async fn open_table(&self, token: &str, settings: &impl Serialize) -> Result<Opened, ClientError> {
        self.post("/api/tables", Some(token), settings).await
    }

    async fn post<T: DeserializeOwned>(
        &self,
        path: &str,
        token: Option<&str>,
        body: &impl Serialize,
    ) -> Result<T, ClientError> {
        let body = serde_json::to_value(body).map_err(|error| ClientError::Protocol(error.to_string()))?;
        self.call("POST", path, token, Some(&body)).await
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
        if let (true, Some(to)) = (answer.status.is_redirection(), answer.moved) {
            return Err(ClientError::Moved { address: self.url(), to });
        }
        if !answer.status.is_success() {
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
        let answer = self.ask(method, path, token, body).await?;
        Ok((answer.status.as_u16(), answer.body.into()))
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Answer, ClientError> {
        let what = format!("{method} {path}");
        let request = self.request(method, path, token, body);
        let request = request.map_err(|error| ClientError::Protocol(format!("{what}: {error}")))?;
        let answer = tokio::time::timeout(TIMEOUT, async {
            let stream = Stream::connect(self).await?;
            exchange(stream, request).await.map_err(|error| self.explained(&*error, &what))
        });
        answer.await.unwrap_or_else(|_| Err(self.broken(io::ErrorKind::TimedOut.into())))
    }

    fn request(
        &self,
        method: &str,
        path: &str,
        token: Option<&str>,
        body: Option<&Value>,
    ) -> Result<Request<String>, hyper::http::Error> {
        let mut request =
            Request::builder().method(method).uri(format!("{}{path}", self.base)).header(HOST, self.host());
        request = request.header(CONNECTION, "close");
        if let Some(token) = token {
            request = request.header(AUTHORIZATION, format!("Bearer {token}"));
        }
        if body.is_some() {
            request = request.header(CONTENT_TYPE, "application/json");
        }
        request.body(body.map(Value::to_string).unwrap_or_default())
    }

    fn broken(&self, source: io::Error) -> ClientError {
        ClientError::Connection { address: self.authority.clone(), source }
    }

    /// What went wrong between a request and its answer.
    fn explained(&self, error: &(dyn std::error::Error + 'static), what: &str) -> ClientError {
        if error.is::<LengthLimitError>() {
            return ClientError::Protocol(format!("{what}: an answer of more than {MAX_ANSWER} bytes"));
        }
        match error.source().and_then(|source| source.downcast_ref::<io::Error>()) {
            Some(error) if SpeaksTls::is_in(error) => ClientError::Encrypted { address: self.authority.clone() },
            Some(error) => self.broken(io::Error::new(error.kind(), error.to_string())),
            None => ClientError::Protocol(format!("{what}: not an HTTP answer ({error})")),
        }
    }
}

/// An address with the scheme it implies.
fn with_scheme(address: &str) -> Option<String> {
    let plain = format!("http://{address}");
    let host = plain.parse::<Uri>().ok()?.host()?.to_ascii_lowercase();
    Some(if is_near(&host) { plain } else { format!("https://{address}") })
}

/// Whether a host is this machine or in a private network, judging by its name or address.
fn is_near(host: &str) -> bool {
    let host = host.trim_start_matches('[').trim_end_matches(']').trim_end_matches('.');
    match host.parse::<IpAddr>().map(|address| address.to_canonical()) {
        Ok(IpAddr::V4(address)) => address.is_loopback() || address.is_private() || address.is_link_local(),
        Ok(IpAddr::V6(address)) => {
            address.is_loopback() || address.is_unique_local() || address.is_unicast_link_local()
        }
        Err(_) => host == "localhost" || host.ends_with(".localhost") || host.ends_with(".local"),
    }
}

/// What a server answered.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    status: StatusCode,
    /// Where the server says it is instead: scheme and host.
    moved: Option<String>,
    body: Bytes,
}

/// Sends a request over a connection of its own, and reads the whole answer.
async fn exchange(
    stream: Stream,
    request: Request<String>,
) -> Result<Answer, Box<dyn std::error::Error + Send + Sync>> {
    let (mut sender, connection) = handshake(TokioIo::new(stream)).await?;
    let answer = async {
        let (head, body) = sender.send_request(request).await?.into_parts();
        let place = head.headers.get(LOCATION).and_then(|place| place.to_str().ok());
        let moved = place.filter(|place| place.contains("://")).and_then(|place| Server::new(place).ok());
        let body = Limited::new(body, MAX_ANSWER).collect().await?.to_bytes();
        Ok(Answer { status: head.status, moved: moved.map(|server| server.url()), body })
    };
    // The answer says how the connection ended, if it ended too early.
    let driven = async {
        let _ = connection.await;
        std::future::pending().await
    };
    tokio::select! {
        answer = answer => answer,
        never = driven => never,
    }
}

fn refusal(status: StatusCode, answer: &[u8]) -> ClientError {
    let status = status.as_u16();
    match serde_json::from_slice::<ErrorBody>(answer) {
        Ok(ErrorBody { error }) => {
            let message = unum_rules::text::printable(&error.message, LONGEST);
            ClientError::Refused { status, code: Some(error.code), message }
        }
        Err(_) => {
            let message = unum_rules::text::printable(&String::from_utf8_lossy(answer), LONGEST);
            ClientError::Refused { status, code: None, message }
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn an_address_has_a_host_and_perhaps_a_port() {
        for (address, authority, url) in [
            ("http://localhost:8080", "localhost:8080", "http://localhost:8080"),
            ("http://localhost/t/abc", "localhost:80", "http://localhost"),
            ("https://example.org/uno/", "example.org:443", "https://example.org/uno"),
            ("https://example.org/games/uno/t/abc?x#y", "example.org:443", "https://example.org/games/uno"),
            ("127.0.0.1:99", "127.0.0.1:99", "http://127.0.0.1:99"),
            ("localhost/t/abc", "localhost:80", "http://localhost"),
            ("https://uno.example.org/t/abc", "uno.example.org:443", "https://uno.example.org"),
            ("uno.example.org/t/abc", "uno.example.org:443", "https://uno.example.org"),
            ("uno.example.org:8443", "uno.example.org:8443", "https://uno.example.org:8443"),
            ("local.example.org", "local.example.org:443", "https://local.example.org"),
            ("203.0.113.7:8080", "203.0.113.7:8080", "https://203.0.113.7:8080"),
            ("[2001:db8::1]", "[2001:db8::1]:443", "https://[2001:db8::1]"),
            ("192.168.1.20:8080", "192.168.1.20:8080", "http://192.168.1.20:8080"),
            ("10.0.0.2", "10.0.0.2:80", "http://10.0.0.2"),
            ("172.16.0.9:8080", "172.16.0.9:8080", "http://172.16.0.9:8080"),
            ("169.254.1.1:8080", "169.254.1.1:8080", "http://169.254.1.1:8080"),
            ("[fd00::7]:8080", "[fd00::7]:8080", "http://[fd00::7]:8080"),
            ("[::1]:8080", "[::1]:8080", "http://[::1]:8080"),
            ("Den.local:8080", "Den.local:8080", "http://Den.local:8080"),
            ("https://localhost:8443", "localhost:8443", "https://localhost:8443"),
            ("https://[::1]:443/", "[::1]:443", "https://[::1]"),
            ("http://uno.example.org:443", "uno.example.org:443", "http://uno.example.org:443"),
        ] {
            let server = Server::new(address).unwrap();
            assert_eq!((server.authority(), server.url().as_str()), (authority, url));
            assert_eq!(server.is_encrypted(), url.starts_with("https"));
        }
        for wrong in [
            "",
            "https://",
            "https://-",
            "http://a b",
            "ftp://x",
            "http://x\r\ny",
            "https://[::1",
            "http://a:b",
            "http://a:99999",
            "http://me@a",
        ] {
            assert!(Server::new(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn words_of_a_server_are_made_printable() {
        let hostile = br#"{"error":{"code":"not_found","message":"\u001b]52;c;cm0gLXJm\u0007gone\u202e"}}"#;
        let told = refusal(StatusCode::NOT_FOUND, hostile).to_string();
        assert!(told.contains("gone") && !told.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{told:?}");
    }

    /// What comes of asking a server that answers with these bytes.
    async fn served<T>(answer: &[u8], ask: impl AsyncFnOnce(&Server) -> T) -> T {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Server::new(&listener.local_addr().unwrap().to_string()).unwrap();
        let serve = async {
            let (mut tcp, _) = listener.accept().await.unwrap();
            // All of the request first: a server that hangs up on unread bytes breaks the connection.
            let mut request = [0; 4096];
            let _ = tcp.read(&mut request).await.unwrap();
            // A reader that has enough closes the connection.
            let _ = tcp.write_all(answer).await;
        };
        tokio::join!(serve, ask(&server)).1
    }

    async fn answered(answer: &[u8]) -> Result<Answer, ClientError> {
        served(answer, async |server| server.ask("GET", "/", None, None).await).await
    }

    #[tokio::test]
    async fn a_server_that_wants_encryption_says_so() {
        let signed_in = async |answer: &[u8]| served(answer, async |server| server.sign_in("Ann").await).await;
        let moved = b"HTTP/1.1 301 Moved Permanently\r\nLocation: https://uno.example.org/api/guests\r\n\
            Content-Length: 0\r\n\r\n";
        let error = signed_in(moved).await.unwrap_err();
        assert!(matches!(&error, ClientError::Moved { to, .. } if to == "https://uno.example.org"), "{error}");
        let error = signed_in(b"\x15\x03\x01\x00\x02\x02\x46").await.unwrap_err();
        assert!(matches!(&error, ClientError::Encrypted { .. }), "{error}");
    }

    #[tokio::test]
    async fn answers_come_whole_or_in_chunks() {
        let body =
            async |text: &str| answered(text.as_bytes()).await.map(|answer| (answer.status.as_u16(), answer.body));
        let whole = "HTTP/1.1 201 Created\r\ncontent-length: 2\r\n\r\nhi";
        assert_eq!(body(whole).await.unwrap(), (201, "hi".into()));
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n1\r\n!\r\n0\r\n\r\n";
        assert_eq!(body(chunks).await.unwrap(), (200, "hi!".into()));
        let after_hints = "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n";
        assert_eq!(body(after_hints).await.unwrap(), (200, "".into()));
        let short = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nhi";
        let long = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nhi";
        for broken in ["", "HTTP/1.1 200 OK\r\n", "SSH-2.0\r\n\r\n", "HTTP/1.1 x\r\n\r\n", short, long] {
            assert!(body(broken).await.is_err(), "{broken}");
        }
    }

    #[tokio::test]
    async fn an_answer_has_bounds() {
        let mut answer = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
        answer.resize(answer.len() + MAX_ANSWER + 1, b'x');
        let error = answered(&answer).await.unwrap_err();
        assert!(matches!(&error, ClientError::Protocol(why) if why.contains("more than")), "{error}");
    }

    #[tokio::test]
    async fn an_answer_may_say_where_the_server_is() {
        let moved = async |place: &str| {
            let answer = format!("HTTP/1.1 301 Moved\r\nLocation: {place}\r\nContent-Length: 0\r\n\r\n");
            answered(answer.as_bytes()).await.unwrap().moved
        };
        assert_eq!(moved("https://uno.example.org/api/guests").await.as_deref(), Some("https://uno.example.org"));
        assert_eq!((moved("/elsewhere").await, moved("https://a b").await), (None, None));
    }
}
