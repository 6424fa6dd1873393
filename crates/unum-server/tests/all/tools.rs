//! Servers and clients for tests.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::time::Duration;

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::protocol::frame::coding::CloseCode;
use tokio_tungstenite::tungstenite::{Error, Message as Frame};
use tokio_tungstenite::{WebSocketStream, client_async};
use unum_client::{Client, ClientError, Message, Server as Remote};
use unum_protocol::{GameView, LobbyView, MessageKind, Person, Request, ServerMsg, Stage};
use unum_rules::Seat;
use unum_rules::wire::ChoiceForm;
use unum_server::{Config, Running, Server};
use unum_store::Store;

/// How long anything may take before a test gives up: far longer than it should.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// A configuration for tests: any port of this machine, nothing kept, nobody too fast, no waiting for the end.
pub(crate) fn config() -> Config {
    let mut config = Config { listen: [127, 0, 0, 1].into(), port: 0, ephemeral: true, ..Config::default() };
    config.admin = Some("127.0.0.1:0".parse().unwrap());
    config.limits.new_guests_per_minute = 1000;
    config.limits.new_tables_per_minute = 1000;
    config.limits.new_guests_in_all_per_minute = 100_000;
    config.limits.new_tables_in_all_per_minute = 100_000;
    config.limits.wrong_codes_per_minute = 100_000;
    config.limits.wrong_codes_in_all_per_minute = 100_000;
    config.limits.requests_per_minute = 100_000;
    config.limits.messages_per_second = 1_000_000;
    config.limits.messages_at_once = 1_000_000;
    config.limits.stop_timeout = Duration::from_millis(200);
    config
}

pub(crate) async fn start(config: Config) -> (Running, Remote) {
    let running = Server::start(config).await.unwrap();
    let remote = Remote::new(&format!("http://{}", running.address())).unwrap();
    (running, remote)
}

/// The same, with the store that the server keeps everything in.
pub(crate) async fn start_on(config: Config) -> (Running, Remote, Store) {
    let store = Store::in_memory_with(config.store_options()).unwrap();
    let running = Server::start_with(config, store.clone()).await.unwrap();
    let remote = Remote::new(&format!("http://{}", running.address())).unwrap();
    (running, remote, store)
}

/// Where operators reach a server.
pub(crate) fn desk(running: &Running) -> Remote {
    Remote::new(&format!("http://{}", running.admin_address().unwrap())).unwrap()
}

/// Settings of a table on which a match is one round and nobody waits.
pub(crate) fn quick() -> Value {
    json!({"rules": {"edition": "original", "scoring": {"type": "single_round"}}, "pace": "instant", "clock": null})
}

/// Whatever comes next, within patience.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("it should not take that long")
}

/// A guest at a table who knows the lobby.
pub(crate) struct Guest {
    pub(crate) client: Client,
    pub(crate) lobby: Option<LobbyView>,
    /// The number of what is agreed on.
    agreement: u32,
    pub(crate) token: String,
}

impl Guest {
    pub(crate) async fn new(remote: &Remote, name: &str, table: &str) -> Guest {
        let guest = remote.sign_in(name).await.unwrap();
        Guest::known(remote, &guest.token, table).await
    }

    /// The same for somebody who has signed in.
    pub(crate) async fn known(remote: &Remote, token: &str, table: &str) -> Guest {
        let client = Client::new(remote.clone(), token, table);
        let mut guest = Guest { client, lobby: None, agreement: 0, token: token.to_owned() };
        guest.until(|_, lobby| lobby.is_some()).await;
        guest
    }

    pub(crate) fn person(&self) -> Person {
        self.client.you().unwrap()
    }

    pub(crate) fn stage(&self) -> Stage {
        self.lobby.as_ref().unwrap().stage
    }

    pub(crate) fn seat(&self) -> Option<Seat> {
        self.lobby.as_ref().unwrap().seat_of(self.person())
    }

    pub(crate) async fn next(&mut self) -> Result<Message, ClientError> {
        let message = soon(self.client.next()).await?;
        let (terms, lobby) = match message.read()? {
            ServerMsg::Snapshot { terms, lobby, .. } => (Some(terms), Some(lobby)),
            ServerMsg::Update { terms, lobby, .. } => (terms, lobby),
            _ => (None, None),
        };
        self.agreement = terms.map_or(self.agreement, |terms| terms.agreement);
        self.lobby = lobby.map(|lobby| *lobby).or(self.lobby.take());
        Ok(message)
    }

    /// Reads on until something holds, and returns the message with which it did.
    pub(crate) async fn until(&mut self, mut holds: impl FnMut(&Message, &Option<LobbyView>) -> bool) -> Message {
        loop {
            let message = self.next().await.unwrap();
            if holds(&message, &self.lobby) {
                return message;
            }
        }
    }

    /// Asks for something and waits for the answer.
    pub(crate) async fn ask(&mut self, request: Request) -> Message {
        let id = self.client.request(request).await;
        self.until(|message, _| message.head().answers(id)).await
    }

    /// Does whatever brings the table forward: accepts, is ready, starts, plays something legal.
    pub(crate) async fn react(&mut self, message: &Message) {
        if !matches!(message.head().kind, MessageKind::Snapshot | MessageKind::Update | MessageKind::Refused) {
            return;
        }
        let (person, lobby) = (self.person(), self.lobby.clone().unwrap());
        let Some(seat) = self.seat() else { return };
        let chair = &lobby.chairs[usize::from(seat)];
        match lobby.stage {
            // Once: the answer to a second request would be no update, and nothing would be done about it.
            Stage::Lobby if !chair.accepted && self.client.unanswered() == 0 => {
                self.client.request(Request::Accept { agreement: self.agreement }).await;
            }
            Stage::Lobby | Stage::Scores if !chair.ready && self.client.unanswered() == 0 => {
                self.client.request(Request::Ready { ready: true, pledge: None }).await;
            }
            Stage::Lobby => {
                let all = lobby.chairs.iter().all(|chair| chair.person.is_none() || (chair.accepted && chair.ready));
                if all && lobby.host == Some(person) && lobby.chairs.len() > 1 && self.client.unanswered() == 0 {
                    self.client.request(Request::Start { pledge: None }).await;
                }
            }
            Stage::Playing => self.act(message).await,
            Stage::Scores | Stage::Over | Stage::Closed => {}
        }
    }

    async fn act(&mut self, message: &Message) {
        let Some(game) = game_in(message) else { return };
        let action = game.legal.into_iter().find_map(|choice| match choice.action {
            ChoiceForm::Action(action) => Some(action),
            ChoiceForm::AnyDiscard { .. } => None,
        });
        if let Some(action) = action {
            self.client.request(Request::Act { action, at: Some(game.at) }).await;
        }
    }

    /// Plays until the match is over.
    pub(crate) async fn play(&mut self) {
        self.play_to(Stage::Over).await;
    }

    /// Plays until the table is at that stage.
    pub(crate) async fn play_to(&mut self, stage: Stage) {
        while self.stage() != stage {
            let message = self.next().await.unwrap();
            self.react(&message).await;
        }
    }
}

/// The game as a message shows it, if it does.
fn game_in(message: &Message) -> Option<Box<GameView>> {
    match message.read().unwrap() {
        ServerMsg::Snapshot { game, .. } | ServerMsg::Update { game, .. } => game,
        _ => None,
    }
}

/// A WebSocket without any manners.
pub(crate) struct Raw {
    pub(crate) socket: WebSocketStream<TcpStream>,
    /// Changes that came together and were not looked at yet.
    unread: VecDeque<Value>,
}

impl Raw {
    pub(crate) async fn connect(address: SocketAddr) -> Raw {
        Raw::try_connect(address, &[]).await.unwrap()
    }

    pub(crate) async fn try_connect(address: SocketAddr, headers: &[(&'static str, &str)]) -> Result<Raw, Error> {
        let mut request = format!("ws://{address}/ws").into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        let stream = TcpStream::connect(address).await?;
        Ok(Raw { socket: client_async(request, stream).await?.0, unread: VecDeque::new() })
    }

    /// Connects as a guest to a table and reads the greeting.
    pub(crate) async fn seated(address: SocketAddr, token: &str, table: &str) -> Raw {
        let mut raw = Raw::connect(address).await;
        raw.send(json!({"hello": {"version": 1, "table": table, "token": token}})).await;
        assert_eq!(raw.next().await["type"], "welcome");
        assert_eq!(raw.next().await["type"], "snapshot");
        raw
    }

    pub(crate) async fn send(&mut self, value: Value) {
        self.frame(Frame::text(value.to_string())).await;
    }

    pub(crate) async fn frame(&mut self, frame: Frame) {
        self.socket.send(frame).await.unwrap();
    }

    /// The next message that is not about presence; changes that came together are messages of their own.
    pub(crate) async fn next(&mut self) -> Value {
        loop {
            if let Some(value) = self.unread.pop_front() {
                return value;
            }
            match soon(self.socket.next()).await.expect("a message, not the end").unwrap() {
                Frame::Text(text) => self.unread.extend(unfold(serde_json::from_str(&text).unwrap())),
                Frame::Close(frame) => panic!("closed: {frame:?}"),
                _ => {}
            }
        }
    }

    /// Reads on to the end: the code of the farewell, if there was one, and that of the close frame.
    pub(crate) async fn end(&mut self) -> (Option<String>, u16) {
        let mut bye = None;
        loop {
            match soon(self.socket.next()).await {
                Some(Ok(Frame::Text(text))) => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    if value["type"] == "bye" {
                        bye = value["code"].as_str().map(str::to_owned);
                    }
                }
                Some(Ok(Frame::Close(frame))) => return (bye, frame.map_or(0, |frame| u16::from(frame.code))),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return (bye, u16::from(CloseCode::Abnormal)),
            }
        }
    }
}

/// What a message tells, change by change, unless it is about presence.
fn unfold(mut message: Value) -> Vec<Value> {
    let earlier = message.as_object_mut().and_then(|fields| fields.remove("earlier"));
    let mut told = earlier.and_then(|list| list.as_array().cloned()).unwrap_or_default();
    told.iter_mut().for_each(|change| change["type"] = json!("update"));
    told.extend(Some(message).filter(|message| message["type"] != "presence"));
    told
}

/// Sends bytes and reads the whole answer.
pub(crate) async fn exchange(address: SocketAddr, request: &str) -> String {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    // A connection that is reset has said what it had to say.
    let _ = soon(stream.read_to_end(&mut answer)).await;
    String::from_utf8_lossy(&answer).into_owned()
}
