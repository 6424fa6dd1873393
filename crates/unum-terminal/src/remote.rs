//! A table on a server: an invite link, a guest's token that is kept, a connection that mends itself.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::Instant;
use unum_client::{Client, ClientError, Link, Message, Patience, Server, Witness};
use unum_protocol::rest::Opened;
use unum_protocol::{Code, EXAMPLE_CODE, MAX_MESSAGE, Refusal, Request, ServerMsg, Settings, TableCode, read_code};
use unum_rules::text::printable;

use crate::game::{Ending, Event, Game, Order, Sink};
use crate::saved::{private_file, private_folder};

/// The longest words of a server that are repeated, in characters.
const LONGEST: usize = 500;

/// How long a server that is away is waited for.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// How long the table's word about new settings is waited for.
const NEWS: Duration = Duration::from_secs(2);

/// Where an invite link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The server.
    pub server: Server,
    /// The code of the table; `None` if only the server was named.
    pub table: Option<String>,
}

/// Why one cannot play there.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The link leads nowhere.
    #[error("{0:?} is not an invite link. One looks like https://uno.example.org/t/{example}", example = EXAMPLE_CODE)]
    Link(String),
    /// The server cannot be reached or refuses.
    #[error(transparent)]
    Client(#[from] ClientError),
    /// The token cannot be kept.
    #[error("{}: {source}", path.display())]
    File {
        /// Where.
        path: PathBuf,
        /// What is wrong.
        source: std::io::Error,
    },
}

impl Invite {
    /// Reads an invite link, or the address of a server.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(link: &str) -> Result<Invite, RemoteError> {
        let wrong = || RemoteError::Link(link.to_owned());
        let server = Server::new(link.trim())?;
        let rest = link.trim();
        let rest = rest.split_once("://").map_or(rest, |(_, rest)| rest);
        let path = rest.split_once('/').map_or("", |(_, path)| path);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        match parts.as_slice() {
            [] => Ok(Invite { server, table: None }),
            ["t", code] => read_code(code).map(|code| Invite { server, table: Some(code) }).ok_or_else(wrong),
            _ => Err(wrong()),
        }
    }
}

/// Who one is on one server, kept between games: the same seat when one comes back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Identity {
    name: String,
    token: String,
}

/// What was seen of the deals at the table one played at last on one server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Deals {
    table: String,
    witness: Witness,
}

/// A seat at a table on a server, ready to be taken.
#[derive(Debug)]
pub struct Remote {
    server: Server,
    token: String,
    table: String,
    link: String,
    /// Where what is seen of the deals is kept.
    deals: PathBuf,
}

impl Remote {
    /// Signs in, or comes back as whom one was on that server, and finds the table or opens one with these settings.
    /// The default name is for whoever is new there and has not said otherwise.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses, there is no such table, or the token cannot be kept.
    pub fn join(
        invite: &Invite,
        name: Option<&str>,
        default_name: &str,
        settings: &Settings,
        data: &Path,
    ) -> Result<Remote, RemoteError> {
        let path = data.join("servers").join(file_name(&invite.server));
        let settings = serde_json::to_value(settings).unwrap_or_default();
        let runtime = runtime();
        runtime.block_on(async {
            let server = &invite.server;
            let known = load(&path);
            let identity = identify(server, known.as_ref(), name, default_name).await?;
            if known.as_ref() != Some(&identity) {
                keep(&path, &identity).map_err(|source| RemoteError::File { path: path.clone(), source })?;
            }
            let (table, link) = match &invite.table {
                Some(code) => {
                    let path = format!("/api/tables/{code}");
                    let _: serde_json::Value = server.call("GET", &path, Some(&identity.token), None).await?;
                    (code.clone(), format!("{}/t/{code}", server.url()))
                }
                None => {
                    let Opened { code, link } = server.open_table(&identity.token, &settings).await?;
                    // A server behind a proxy that was not told its public address knows nothing of the encryption.
                    let known = !server.is_encrypted() || link.starts_with("https://");
                    let link = if known { link } else { format!("{}/t/{code}", server.url()) };
                    (code, link)
                }
            };
            let (deals, link) = (path.with_extension("deals.json"), printable(&link, LONGEST));
            Ok(Remote { server: server.clone(), token: identity.token, table, link, deals })
        })
    }

    /// The link that lets others join.
    pub fn link(&self) -> &str {
        &self.link
    }

    pub(crate) fn open(self, mut sink: Sink) -> Game {
        let (orders, mail) = unbounded_channel();
        let thread = std::thread::spawn(move || {
            let ending = runtime().block_on(self.run(mail, &mut sink));
            sink(Event::Ended(ending));
        });
        // A connection that has ended hears nothing more.
        Game::new(Box::new(move |order| drop(orders.send(order))), thread)
    }

    async fn run(self, mut mail: UnboundedReceiver<Order>, sink: &mut Sink) -> Ending {
        let (tell, mut links) = unbounded_channel();
        let patience = Patience { total: PATIENCE, ..Patience::default() };
        let client = Client::new(self.server.clone(), &self.token, &self.table).with_patience(patience);
        // Nobody listens any more when the game is over.
        let client = client.with_listener(Box::new(move |link| drop(tell.send(link))));
        let kept = load(&self.deals).filter(|deals: &Deals| deals.table == self.table).map(|deals| deals.witness);
        let client = client.with_witness(kept.clone().unwrap_or_default());
        let mut line = Line { remote: self, client, sink, lost: false, owed: None, kept };
        loop {
            let owed = line.owed;
            let ending = tokio::select! {
                biased;
                Some(link) = links.recv() => line.on_link(link),
                order = mail.recv() => line.on_order(order.unwrap_or(Order::Stop)).await,
                () = tokio::time::sleep_until(owed.unwrap_or_else(Instant::now)), if owed.is_some() => line.settle(),
                message = line.client.next() => line.on_message(message),
            };
            if let Some(ending) = ending {
                line.client.close().await;
                return ending;
            }
        }
    }
}

/// A table on a server, while it is played at.
struct Line<'a> {
    remote: Remote,
    client: Client,
    sink: &'a mut Sink,
    lost: bool,
    /// When to say at the latest that settings were changed: after the table has told what is new, if anything is.
    owed: Option<Instant>,
    /// What was kept last of what was seen of the deals.
    kept: Option<Witness>,
}

impl Line<'_> {
    fn on_link(&mut self, link: Link) -> Option<Ending> {
        match link {
            Link::Lost(why) => {
                self.lost = true;
                (self.sink)(Event::Lost { why });
            }
            Link::Made if self.lost => {
                self.lost = false;
                (self.sink)(Event::Back);
            }
            Link::Made => {}
        }
        None
    }

    async fn on_order(&mut self, order: Order) -> Option<Ending> {
        match order {
            Order::Ask(Request::Settings { settings }) if is_long(&settings) => match self.change(&settings).await {
                Ok(()) => self.owed = Some(Instant::now() + NEWS),
                Err(refusal) => self.tell(ServerMsg::Refused { id: None, refusal }),
            },
            Order::Ask(request) => drop(self.client.request(request).await),
            Order::Stop => return Some(Ending::Closed),
        }
        None
    }

    fn on_message(&mut self, message: Result<Message, ClientError>) -> Option<Ending> {
        self.client.verdicts().for_each(|verdict| (self.sink)(Event::Checked(verdict)));
        match message.and_then(Message::into_whole) {
            Ok(message) => {
                self.remember();
                let news = matches!(message, ServerMsg::Update { .. });
                if let Some(message) = self.without_own(message) {
                    self.tell(message);
                }
                if news { self.settle() } else { None }
            }
            // It was told above, and it is for the person to decide whether to stay.
            Err(ClientError::Unfair(_)) => None,
            Err(ClientError::Dismissed { code: Code::Table(TableCode::NotHere), .. }) => Some(Ending::Closed),
            Err(error) => Some(Ending::Failed(printable(&error.to_string(), LONGEST))),
        }
    }

    /// Nobody here waits for answers to what the client asks for by itself.
    fn without_own(&self, mut message: ServerMsg) -> Option<ServerMsg> {
        let is_own = |id: u32| self.client.is_automatic(id);
        match &mut message {
            ServerMsg::Done { id } | ServerMsg::Refused { id: Some(id), .. } if is_own(*id) => return None,
            ServerMsg::Update { id, .. } => *id = id.filter(|id| !is_own(*id)),
            _ => {}
        }
        Some(message)
    }

    /// Keeps what was seen of the deals, so that leaving in the middle of a round does not lose it.
    fn remember(&mut self) {
        let now = self.client.witness();
        if self.kept.as_ref() != Some(now) {
            self.kept = Some(now.clone());
            // Without a place to keep it, the deal of this round is not compared.
            let _ = keep(&self.remote.deals, &Deals { table: self.remote.table.clone(), witness: now.clone() });
        }
    }

    fn tell(&mut self, message: ServerMsg) {
        (self.sink)(Event::Message(Box::new(message)));
    }

    /// Gives the answer that is owed.
    fn settle(&mut self) -> Option<Ending> {
        if self.owed.take().is_some() {
            self.tell(ServerMsg::Done { id: 0 });
        }
        None
    }

    /// Changes settings by the way for long ones.
    async fn change(&self, settings: &Settings) -> Result<(), Refusal> {
        let body = serde_json::to_value(settings).unwrap_or_default();
        let Remote { server, token, table, .. } = &self.remote;
        let path = format!("/api/tables/{table}/settings");
        let answer: Result<serde_json::Value, ClientError> = server.call("PUT", &path, Some(token), Some(&body)).await;
        match answer {
            Ok(_) => Ok(()),
            Err(ClientError::Refused { message, .. }) => Err(Refusal::new(TableCode::BadSettings, message)),
            Err(error) => Err(Refusal::new(TableCode::BadSettings, error.to_string())),
        }
    }
}

fn runtime() -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("the operating system gives what a connection needs")
}

/// Whether settings do not fit in a message: rules of one's own can have long texts.
fn is_long(settings: &Settings) -> bool {
    const REST: usize = 100;
    serde_json::to_string(settings).is_ok_and(|text| text.len() + REST > MAX_MESSAGE)
}

/// Whom the server knows one as: the same guest as before if it still does, under the name one wants.
async fn identify(
    server: &Server,
    known: Option<&Identity>,
    name: Option<&str>,
    default_name: &str,
) -> Result<Identity, ClientError> {
    if let Some(known) = known {
        let token = Some(known.token.as_str());
        let (status, _) = server.fetch("GET", "/api/me", token, None).await?;
        match name.filter(|name| *name != known.name) {
            Some(name) if status == 200 => {
                let body = serde_json::json!({ "name": name });
                let _: serde_json::Value = server.call("PATCH", "/api/me", token, Some(&body)).await?;
                return Ok(Identity { name: name.to_owned(), token: known.token.clone() });
            }
            None if status == 200 => return Ok(known.clone()),
            _ => {}
        }
    }
    let guest = server.sign_in(name.or(known.map(|known| known.name.as_str())).unwrap_or(default_name)).await?;
    Ok(Identity { name: guest.name, token: guest.token })
}

/// A name for the file of a server that any file system takes.
fn file_name(server: &Server) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '_' };
    // A token that came encrypted is never sent otherwise.
    let kind = if server.is_encrypted() { "https_" } else { "" };
    kind.chars().chain(server.authority().chars().map(plain)).chain(".json".chars()).collect()
}

fn load<T: for<'a> Deserialize<'a>>(path: &Path) -> Option<T> {
    serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
}

/// Writes beside it first, so that there is never half a token.
fn keep(path: &Path, what: &impl Serialize) -> std::io::Result<()> {
    private_folder(path.parent().unwrap_or(Path::new(".")))?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let text = serde_json::to_vec(what)?;
    let mut file = private_file(OpenOptions::new().write(true).create(true).truncate(true)).open(&beside)?;
    file.write_all(&text)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}
