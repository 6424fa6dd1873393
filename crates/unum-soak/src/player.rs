//! Somebody who plays: takes every step to a game, and then any legal action.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Deserialize;
use unum_client::{Client, ClientError, Kind, Message};
use unum_rules::wire::ActionForm;
use unum_rules::{Chance as _, Seeded};
use unum_table::wire::{Person, Request};

use crate::timing::Times;

/// What somebody has done and seen.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Requests that were carried out, with the number of the change: what the server has promised to keep.
    pub acknowledged: Vec<(u32, u64)>,
    /// Requests that were made.
    pub requests: u64,
    /// Requests that were answered, one way or another.
    pub answered: u64,
    /// Actions of the game among those that were carried out.
    pub actions: u64,
    /// From sending an action to its update.
    pub times: Times,
    /// Refusals by code.
    pub refusals: BTreeMap<String, u64>,
    /// Messages received.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Bytes sent.
    pub sent_bytes: u64,
    /// Rounds that ended.
    pub rounds: u64,
    /// One of the updates.
    pub sample: String,
}

impl Tally {
    /// Adds what another one has seen, but for the promises, which are a person's own.
    pub fn merge(&mut self, other: Tally) {
        self.requests += other.requests;
        self.answered += other.answered;
        self.actions += other.actions;
        self.times.extend(other.times);
        for (code, count) in other.refusals {
            *self.refusals.entry(code).or_default() += count;
        }
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.sent_bytes += other.sent_bytes;
        self.rounds += other.rounds;
    }
}

/// How somebody plays.
#[derive(Clone, Copy, Debug)]
pub struct Habits {
    /// How many sit at the table when the host starts, bots included.
    pub chairs: usize,
    /// How many of them are bots, seated by the host.
    pub bots: usize,
    /// How long to think before an action.
    pub think: Duration,
    /// Whether promises are noted, for a comparison with the journal.
    pub notes: bool,
}

/// Somebody who plays.
#[derive(Debug)]
pub struct Player {
    client: Client,
    habits: Habits,
    chance: Seeded,
    lobby: Option<Lobby>,
    /// The last game that was told and not acted upon.
    game: Option<Game>,
    waiting: Option<(u32, Instant, bool)>,
    /// What was seen so far.
    pub tally: Tally,
}

/// As much of a lobby as a player has to know.
#[derive(Debug, Deserialize)]
struct Lobby {
    stage: String,
    agreement: u32,
    chairs: Vec<Chair>,
    may: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Chair {
    person: Option<Person>,
    ready: bool,
}

#[derive(Deserialize)]
struct Parts {
    lobby: Option<Lobby>,
    game: Option<Game>,
    what: Option<What>,
}

#[derive(Deserialize)]
struct What {
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Debug, Deserialize)]
struct Game {
    at: u32,
    legal: Vec<serde_json::Value>,
    view: View,
}

#[derive(Debug, Deserialize)]
struct View {
    #[serde(default)]
    hand: Vec<String>,
}

/// Whether an update says no more than that others may act: most do, and need no closer look.
pub(crate) fn is_for_others(message: &Message) -> bool {
    let text = message.text();
    message.kind() == Kind::Update && text.contains(r#""legal":[]"#) && !text.contains(r#","lobby":{"#)
}

impl Game {
    /// Any action, but nobody is caught: a catch waits for the end of the grace, and a table with it.
    fn choice(self, chance: &mut Seeded) -> Result<Option<Request>, ClientError> {
        let kind = |action: &serde_json::Value| action["type"].as_str().unwrap_or_default().to_owned();
        let mut choices: Vec<_> = self.legal.into_iter().filter(|action| kind(action) != "catch").collect();
        if choices.iter().any(|action| kind(action) == "play") {
            choices.retain(|action| kind(action) == "play");
        }
        if choices.is_empty() {
            return Ok(None);
        }
        let choice = choices.swap_remove(chance.below(choices.len() as u32) as usize);
        let action = completed(choice, &self.view.hand)?;
        Ok(Some(Request::Act { action, at: Some(self.at) }))
    }
}

/// An action as it is sent: with "UNO" where it leaves one card, with cards where any will do.
fn completed(mut choice: serde_json::Value, hand: &[String]) -> Result<ActionForm, ClientError> {
    if let Some(count) = choice.get("count").and_then(serde_json::Value::as_u64) {
        choice = serde_json::json!({"type": "discard", "cards": &hand[..count as usize]});
    }
    let mut action = serde_json::from_value(choice).map_err(|error| ClientError::Protocol(error.to_string()))?;
    if let ActionForm::Play { uno, discard, .. } = &mut action {
        *uno = hand.len() == discard.len() + 2;
    }
    Ok(action)
}

/// Reads an update as a player does who is to act on it, and decides.
pub(crate) fn answer(update: &Message, chance: &mut Seeded) -> Result<Option<Request>, ClientError> {
    let parts: Parts = update.part()?;
    parts.game.map_or(Ok(None), |game| game.choice(chance))
}

/// Whether an update gives whoever gets it something to do.
fn is_for_me(message: &Message) -> bool {
    message.kind() == Kind::Update && message.text().contains(r#""legal":[{"#)
}

impl Player {
    /// Somebody at a table.
    pub fn new(client: Client, habits: Habits, seed: u64) -> Player {
        let (chance, tally) = (Seeded::new(seed), Tally::default());
        Player { client, habits, chance, lobby: None, game: None, waiting: None, tally }
    }

    /// The connection.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Breaks the connection off without a word; the next message comes over another one.
    pub fn hang_up(&mut self) {
        self.client.hang_up();
    }

    /// Leaves the connection.
    pub async fn close(self) -> Tally {
        self.client.close().await;
        self.tally
    }

    /// The next message. Nothing is lost if the waiting is given up.
    ///
    /// # Errors
    /// When the client gives up, or a promise was broken.
    pub async fn next(&mut self) -> Result<Message, ClientError> {
        let message = self.client.next().await?;
        self.note(&message)?;
        Ok(message)
    }

    /// Whether a request has no answer yet.
    pub fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// Does something about a message: a step towards a game, or an action.
    ///
    /// # Errors
    /// When the message is not of the protocol.
    pub async fn react(&mut self, message: &Message) -> Result<(), ClientError> {
        if !matches!(message.kind(), Kind::Update | Kind::Snapshot | Kind::Refused | Kind::Done) {
            return Ok(());
        }
        if is_for_others(message) {
            self.game = None;
            return Ok(());
        }
        let parts: Parts = message.part()?;
        // An acknowledgement without a lobby makes the last one old: a newer one follows.
        let old = message.kind() == Kind::Update && message.id().is_some();
        self.lobby = parts.lobby.or(self.lobby.take().filter(|_| !old));
        self.game = parts.game.or(self.game.take());
        if parts.what.is_some_and(|what| what.kind == "committed") {
            self.tally.rounds += 1;
        }
        if self.waiting.is_some() {
            return Ok(());
        }
        if let Some(game) = self.game.take_if(|game| !game.legal.is_empty()) {
            return self.act(game).await;
        }
        if let Some(request) = self.wish() {
            // The lobby that shows it done is waited for.
            self.lobby = None;
            self.ask(request, false).await;
        }
        Ok(())
    }

    /// What has to be done before a round begins.
    fn wish(&self) -> Option<Request> {
        let lobby = self.lobby.as_ref()?;
        let may = |kind: &str| lobby.may.iter().any(|allowed| allowed == kind);
        let bots = lobby.chairs.iter().filter(|chair| chair.person.is_none()).count();
        let chair = lobby.chairs.iter().find(|chair| chair.person == self.client.you());
        if may("accept") {
            Some(Request::Accept { agreement: lobby.agreement })
        } else if may("add_bot") && bots < self.habits.bots {
            Some(Request::AddBot { level: unum_bots::Level::Normal })
        } else if may("start") {
            let full = lobby.chairs.len() >= self.habits.chairs;
            full.then(|| Request::Start { entropy: Some(unum_client::entropy()) })
        } else if lobby.stage != "playing" && may("ready") && chair.is_some_and(|chair| !chair.ready) {
            Some(Request::Ready { ready: true, entropy: Some(unum_client::entropy()) })
        } else {
            None
        }
    }

    async fn act(&mut self, game: Game) -> Result<(), ClientError> {
        let Some(request) = game.choice(&mut self.chance)? else { return Ok(()) };
        if !self.habits.think.is_zero() {
            tokio::time::sleep(self.habits.think).await;
        }
        self.ask(request, true).await;
        Ok(())
    }

    async fn ask(&mut self, request: Request, action: bool) {
        self.tally.requests += 1;
        let sent = Instant::now();
        let id = self.client.request(request).await;
        self.waiting = Some((id, sent, action));
    }

    fn note(&mut self, message: &Message) -> Result<(), ClientError> {
        self.tally.messages += 1;
        self.tally.bytes += message.text().len() as u64;
        if self.tally.sample.len() < 600 && is_for_me(message) {
            message.text().clone_into(&mut self.tally.sample);
        }
        if message.kind() == Kind::Welcome {
            self.check_memory(message)?;
        }
        if let (Kind::Refused, Some(code)) = (message.kind(), message.code()) {
            *self.tally.refusals.entry(code.to_owned()).or_default() += 1;
        }
        let Some((id, sent, action)) = self.waiting else { return Ok(()) };
        let carried_out = message.kind() == Kind::Welcome && message.last_id().is_some_and(|last| last >= id);
        let comes_again = message.code() == Some("too_fast");
        if comes_again || message.id() != Some(id) && !carried_out {
            return Ok(());
        }
        self.waiting = None;
        self.tally.answered += 1;
        if let (Kind::Update, Some(seq)) = (message.kind(), message.seq()) {
            if self.habits.notes {
                self.tally.acknowledged.push((id, seq));
            }
            if action {
                self.tally.actions += 1;
                self.tally.times.add(sent.elapsed());
            }
        }
        Ok(())
    }

    /// A server that has forgotten what it has acknowledged breaks a promise.
    fn check_memory(&self, welcome: &Message) -> Result<(), ClientError> {
        let promised = self.tally.acknowledged.last().map_or(0, |(id, _)| *id);
        let kept = welcome.last_id().unwrap_or(0);
        if kept < promised {
            let sentence = format!("request {promised} was acknowledged, but the server remembers only {kept}");
            return Err(ClientError::Protocol(sentence));
        }
        Ok(())
    }
}
