//! A table on a server: an invite link, a seat, a connection that reconnects by itself.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};
use tokio::time::Instant;
use unum_client::{Client, ClientError, Link, Message, Patience, Server, Witness};
use unum_protocol::rest::{Opened, TableSummary};
use unum_protocol::{
    Code, EXAMPLE_CODE, Empty, Happened, Level, MAX_MESSAGE, Person, Refusal, Request, ServerCode, ServerMsg, Settings,
    TableCode, read_code,
};
use unum_rules::text::printable;

use crate::account::{Account, keep, load};
use crate::game::{Ending, Event, Game, Order, Sink};
use crate::visits::Visits;

/// The longest quote from a server, in characters.
const LONGEST: usize = 500;

/// How long to wait for an unreachable server.
const PATIENCE: Duration = Duration::from_secs(24 * 3600);

/// How long to wait for the table's update about new settings.
const NEWS: Duration = Duration::from_secs(2);

/// Where a link leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The server.
    pub server: Server,
    /// What is named there.
    pub place: Place,
}

/// What a link names on a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// The server itself.
    Server,
    /// A table, by its code: `/t/CODE`.
    Table(String),
    /// A finished match, by its id: `/g/ID`.
    Game(String),
}

/// What somebody asks for when they sit down.
#[derive(Clone, Debug, Default)]
pub struct Wishes {
    /// The name they gave; `None` keeps the one the server knows.
    pub name: Option<String>,
    /// The name of a guest the server does not know yet.
    pub default_name: String,
    /// The settings of a new table.
    pub settings: Settings,
    /// The bots to seat at a new table.
    pub bots: Vec<Level>,
}

/// Why playing there is impossible.
#[derive(Debug, thiserror::Error)]
pub enum RemoteError {
    /// The link leads nowhere.
    #[error("{0:?} is not an invite link: one looks like https://uno.example.org/t/{example}", example = EXAMPLE_CODE)]
    Link(String),
    /// The link names a finished match, which can only be watched.
    #[error("this is the link of a finished match: unum replay {0} shows it")]
    Finished(String),
    /// Nobody has signed in there from this machine.
    #[error("you have not played at {0} from here: unum play {0} opens a table")]
    Stranger(String),
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
    /// Reads the link of a table or a finished match, or the address of a server.
    ///
    /// # Errors
    /// When it is neither.
    pub fn parse(link: &str) -> Result<Invite, RemoteError> {
        let wrong = || RemoteError::Link(link.to_owned());
        let server = Server::new(link.trim())?;
        let rest = link.trim();
        let rest = rest.split_once("://").map_or(rest, |(_, rest)| rest);
        let path = rest.find('/').map_or("", |slash| &rest[slash..]);
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix(server.base()).unwrap_or(path);
        let parts: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let is_id = |id: &str| id.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') && id.len() <= 64;
        let place = match parts.as_slice() {
            [] => Place::Server,
            ["t", code] => Place::Table(read_code(code).ok_or_else(wrong)?),
            ["g", id] if is_id(id) => Place::Game((*id).to_owned()),
            _ => return Err(wrong()),
        };
        Ok(Invite { server, place })
    }
}

/// The witness's state for the last table on one server.
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
    /// Requests to make on arrival.
    errands: Vec<Request>,
    /// The name to take at the table, if it is another one.
    name: Option<String>,
    /// Where what is seen of the deals is kept.
    deals: PathBuf,
    /// Where the link is kept.
    visits: Visits,
}

impl Remote {
    /// Signs in, or comes back as the same guest, and finds the table or opens one.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses, there is no such table, or the token cannot be kept.
    pub fn join(invite: &Invite, wishes: &Wishes, data: &Path) -> Result<Remote, RemoteError> {
        if let Place::Game(id) = &invite.place {
            return Err(RemoteError::Finished(format!("{}/g/{id}", invite.server.url())));
        }
        let account = Account::of(&invite.server, data);
        runtime().block_on(async {
            let server = &invite.server;
            let identity = account.sign_in(wishes.name.as_deref(), &wishes.default_name).await?;
            let (table, link, bots) = match &invite.place {
                Place::Table(code) => {
                    let path = format!("/api/tables/{code}");
                    let _: TableSummary = server.call("GET", &path, Some(&identity.token), None).await?;
                    (code.clone(), format!("{}/t/{code}", server.url()), &[][..])
                }
                _ => {
                    let Opened { code, link } = server.open_table(&identity.token, &wishes.settings).await?;
                    // A server behind a proxy does not know about the encryption unless it was told its public address.
                    let known = !server.is_encrypted() || link.starts_with("https://");
                    let link = if known { link } else { format!("{}/t/{code}", server.url()) };
                    (code, link, wishes.bots.as_slice())
                }
            };
            let (deals, link) = (account.deals(), printable(&link, LONGEST));
            let errands = bots.iter().map(|level| Request::AddBot { level: *level }).collect();
            let (token, name, visits) = (identity.token, wishes.name.clone(), Visits::new(data));
            visits.note(&link);
            Ok(Remote { server: server.clone(), token, table, link, errands, name, deals, visits })
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
        // A connection that has ended takes no more requests.
        Game::new(Box::new(move |order| drop(orders.send(order))), thread)
    }

    async fn run(self, mut mail: UnboundedReceiver<Order>, sink: &mut Sink) -> Ending {
        let (tell, mut links) = unbounded_channel();
        let patience = Patience { total: PATIENCE, ..Patience::default() };
        let client = Client::new(self.server.clone(), &self.token, &self.table).with_patience(patience);
        // Nobody listens once the game is over.
        let client = client.with_listener(Box::new(move |link| drop(tell.send(link))));
        let kept = load(&self.deals).filter(|deals: &Deals| deals.table == self.table).map(|deals| deals.witness);
        let client = client.with_witness(kept.clone().unwrap_or_default());
        let mut line = Line {
            remote: self,
            client,
            sink,
            you: None,
            errands: Vec::new(),
            unanswered: Vec::new(),
            held: Vec::new(),
            gave_up: false,
            lost: false,
            owed: None,
            kept,
        };
        for errand in std::mem::take(&mut line.remote.errands) {
            line.run_errand(errand).await;
        }
        loop {
            let owed = line.owed;
            let ending = tokio::select! {
                biased;
                Some(link) = links.recv() => line.on_link(link),
                order = mail.recv() => line.on_order(order.unwrap_or(Order::Stop)).await,
                () = tokio::time::sleep_until(owed.unwrap_or_else(Instant::now)), if owed.is_some() => line.settle(),
                message = line.client.next() => line.on_message(message).await,
            };
            if let Some(ending) = ending {
                line.release();
                line.client.close().await;
                return ending;
            }
        }
    }
}

/// What to say when another program has taken the seat.
const REPLACED: &str = "another window or terminal of yours has taken this seat. For two players on one account, start one \
                        of them with --data FOLDER";

/// Whether somebody leaves the table.
fn is_leaving(what: &Happened, who: Option<Person>) -> bool {
    matches!(what, Happened::Left { person, .. } if Some(*person) == who)
}

/// Whether there is no way back to that table.
fn is_for_good(error: &ClientError) -> bool {
    let ClientError::Dismissed { code, .. } = error else { return false };
    let gone = [TableCode::Kicked, TableCode::Closed].map(Code::Table);
    gone.contains(code) || [ServerCode::NoTable, ServerCode::Dismissed].map(Code::Server).contains(code)
}

/// The link of a table that has another code now.
pub(crate) fn link_with_code(link: &str, code: &str) -> String {
    match link.rsplit_once('/') {
        Some((base, _)) if !code.is_empty() => format!("{base}/{code}"),
        _ => link.to_owned(),
    }
}

/// A table on a server, while it is played at.
struct Line<'a> {
    remote: Remote,
    client: Client,
    sink: &'a mut Sink,
    you: Option<Person>,
    /// Requests that the interface does not know about.
    errands: Vec<u32>,
    /// Those of them that are not answered yet.
    unanswered: Vec<u32>,
    /// Messages held back: no questions before the bots are seated and the requested name is taken.
    held: Vec<Event>,
    /// Whether the person asked to give up the seat.
    gave_up: bool,
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
                // After a lost connection, not every request gets its own answer.
                self.release();
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
            Order::Ask(request) => {
                self.gave_up |= matches!(request, Request::Quit {});
                self.client.request(request).await;
            }
            Order::Stop => return Some(Ending::Closed),
        }
        None
    }

    async fn on_message(&mut self, message: Result<Message, ClientError>) -> Option<Ending> {
        self.client.verdicts().for_each(|verdict| (self.sink)(Event::Checked(verdict)));
        match message.and_then(Message::into_whole) {
            // The farewell follows; until then a person who has left gets no more questions.
            Ok(message) if message.changes().any(|(what, _)| is_leaving(what, self.you)) => Some(self.left()),
            Ok(message) => {
                self.remember();
                self.follow(&message).await;
                let answered: Vec<u32> = self.unanswered.iter().copied().filter(|id| message.answers(*id)).collect();
                let news = matches!(message, ServerMsg::Update { .. });
                if let Some(message) = self.without_own(message) {
                    self.tell(message);
                }
                self.unanswered.retain(|id| !answered.contains(id));
                if self.unanswered.is_empty() {
                    self.release();
                }
                if news { self.settle() } else { None }
            }
            // It was reported above; the person decides whether to stay.
            Err(ClientError::Unfair(_)) => None,
            Err(ClientError::Dismissed { code: Code::Table(TableCode::NotHere), .. }) => Some(self.left()),
            Err(ClientError::Dismissed { code: Code::Server(ServerCode::Replaced), .. }) => {
                Some(Ending::Failed(REPLACED.to_owned()))
            }
            Err(error) => {
                if is_for_good(&error) {
                    self.remote.visits.forget(&self.remote.link);
                }
                Some(Ending::Failed(printable(&error.to_string(), LONGEST)))
            }
        }
    }

    /// The person is no longer at the table.
    fn left(&self) -> Ending {
        if self.gave_up {
            self.remote.visits.forget(&self.remote.link);
        }
        Ending::Closed
    }

    /// Asks for something whose answer the interface does not wait for.
    async fn run_errand(&mut self, request: Request) {
        let id = self.client.request(request).await;
        self.errands.push(id);
        self.unanswered.push(id);
    }

    /// Takes the name that was asked for, and notes a new link.
    async fn follow(&mut self, message: &ServerMsg) {
        match message {
            ServerMsg::Welcome { you, .. } => self.you = Some(*you),
            ServerMsg::Snapshot { lobby, .. } => {
                let Some(name) = self.remote.name.take() else { return };
                let called = lobby.people.iter().find(|person| Some(person.person) == self.you);
                if called.is_some_and(|person| person.name != name) {
                    self.run_errand(Request::Rename { name }).await;
                }
            }
            _ => {
                let Some(code) = message.renewed_code() else { return };
                let old = std::mem::take(&mut self.remote.link);
                self.remote.visits.forget(&old);
                self.remote.link = link_with_code(&old, &printable(code, LONGEST));
                self.remote.visits.note(&self.remote.link);
            }
        }
    }

    /// Nobody waits for answers to the client's own requests or to errands; a refused errand is reported.
    fn without_own(&self, mut message: ServerMsg) -> Option<ServerMsg> {
        let is_automatic = |id: u32| self.client.is_automatic(id);
        let is_own = |id: u32| is_automatic(id) || self.errands.contains(&id);
        match &mut message {
            ServerMsg::Done { id } if is_own(*id) => return None,
            ServerMsg::Refused { id: Some(id), .. } if is_automatic(*id) => return None,
            ServerMsg::Update { id, earlier, .. } => {
                for id in earlier.iter_mut().map(|past| &mut past.id).chain([id]) {
                    *id = id.filter(|id| !is_own(*id));
                }
            }
            _ => {}
        }
        Some(message)
    }

    /// Saves the witness's state, so leaving in the middle of a round does not lose it.
    fn remember(&mut self) {
        let now = self.client.witness();
        if self.kept.as_ref() != Some(now) {
            self.kept = Some(now.clone());
            // If it cannot be stored, this round's deal will not be checked.
            let _ = keep(&self.remote.deals, &Deals { table: self.remote.table.clone(), witness: now.clone() });
        }
    }

    fn tell(&mut self, message: ServerMsg) {
        let event = Event::Message(Box::new(message));
        if self.unanswered.is_empty() {
            (self.sink)(event);
        } else {
            self.held.push(event);
        }
    }

    /// Releases the held messages, and stops holding.
    fn release(&mut self) {
        self.unanswered.clear();
        if !self.held.is_empty() {
            (self.sink)(Event::Together(std::mem::take(&mut self.held)));
        }
    }

    /// Gives the answer that is owed.
    fn settle(&mut self) -> Option<Ending> {
        if self.owed.take().is_some() {
            self.tell(ServerMsg::Done { id: 0 });
        }
        None
    }

    /// Changes settings over HTTP, for long ones.
    async fn change(&self, settings: &Settings) -> Result<(), Refusal> {
        let body = serde_json::to_value(settings).unwrap_or_default();
        let Remote { server, token, table, .. } = &self.remote;
        let path = format!("/api/tables/{table}/settings");
        let answer: Result<Empty, ClientError> = server.call("PUT", &path, Some(token), Some(&body)).await;
        match answer {
            Ok(Empty {}) => Ok(()),
            Err(ClientError::Refused { code: Some(code), message, .. }) => Err(Refusal::new(code, message)),
            Err(error) => Err(Refusal::new(TableCode::BadSettings, error.to_string())),
        }
    }
}

pub(crate) fn runtime() -> tokio::runtime::Runtime {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("the operating system gives what a connection needs")
}

/// Whether settings do not fit in a message: custom rules can have long texts.
fn is_long(settings: &Settings) -> bool {
    const REST: usize = 100;
    serde_json::to_string(settings).is_ok_and(|text| text.len() + REST > MAX_MESSAGE)
}
