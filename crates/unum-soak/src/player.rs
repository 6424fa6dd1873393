//! A simulated player: takes every step toward a game, and then any legal action.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use unum_client::{Client, ClientError, Message};
use unum_protocol::{
    Choice, Code, GameView, Happened, Head, Level, LobbyView, MessageKind, OwnView, Request, RequestKind, ServerCode,
    ServerMsg, Stage,
};
use unum_rules::wire::{ActionForm, ChoiceForm};
use unum_rules::{Chance as _, Seeded};

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
    /// From one change to the next that a bot makes: how long bots let people wait.
    pub bots: Times,
    /// Refusals by code.
    pub refusals: BTreeMap<&'static str, u64>,
    /// Messages received.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
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
        self.bots.extend(other.bots);
        for (code, count) in other.refusals {
            *self.refusals.entry(code).or_default() += count;
        }
        self.messages += other.messages;
        self.bytes += other.bytes;
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
    /// How well they play.
    pub level: Level,
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
    agreement: u32,
    lobby: Option<Box<LobbyView>>,
    own: Box<OwnView>,
    /// The last request that was not an action, in case it came too soon.
    wish: Option<Request>,
    /// The last game that was told and not acted upon.
    game: Option<Box<GameView>>,
    waiting: Option<(u32, Instant, bool)>,
    /// When the last change was told.
    changed: Instant,
    /// What was seen so far.
    pub tally: Tally,
}

/// Whether an update says no more than that others may act: most do, and need no closer look.
pub(crate) fn is_for_others(message: &Message) -> bool {
    let text = message.text();
    let kind = message.head().kind;
    kind == MessageKind::Update
        && text.contains(r#""legal":[]"#)
        && !text.contains(r#","lobby":{"#)
        && !text.contains(r#","own":{"#)
}

/// Any action, but nobody is caught: a catch waits for the end of the grace, and a table with it.
fn choose(game: &GameView, chance: &mut Seeded) -> Option<Request> {
    let is_play = |choice: &&Choice| matches!(choice.action, ChoiceForm::Action(ActionForm::Play { .. }));
    let is_catch = |choice: &&Choice| matches!(choice.action, ChoiceForm::Action(ActionForm::Catch { .. }));
    let mut choices: Vec<&Choice> = game.legal.iter().filter(is_play).collect();
    if choices.is_empty() {
        choices = game.legal.iter().filter(|choice| !is_catch(choice)).collect();
    }
    if choices.is_empty() {
        return None;
    }
    let choice = choices[chance.below(choices.len() as u32) as usize];
    let mut action = choice.action.first_action(game.view.hand.as_deref().unwrap_or_default());
    if let ActionForm::Play { uno, .. } = &mut action {
        *uno = choice.stakes.uno;
    }
    Some(Request::Act { action, at: Some(game.at) })
}

/// Reads an update as a player about to act would, and decides.
pub(crate) fn answer(update: &Message, chance: &mut Seeded) -> Result<Option<Request>, ClientError> {
    Ok(match update.read()? {
        ServerMsg::Update { game: Some(game), .. } => choose(&game, chance),
        _ => None,
    })
}

/// Whether an update gives its receiver something to do.
fn is_for_me(message: &Message) -> bool {
    message.head().kind == MessageKind::Update && message.text().contains(r#""legal":[{"#)
}

impl Player {
    /// Somebody at a table.
    pub fn new(client: Client, habits: Habits, seed: u64) -> Player {
        let (chance, tally) = (Seeded::new(seed), Tally::default());
        let (agreement, lobby, own, wish, game, waiting) = Default::default();
        let changed = Instant::now();
        Player { client, habits, chance, agreement, lobby, own, wish, game, waiting, changed, tally }
    }

    /// The connection.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Drops the connection without closing it; the next message comes over another one.
    pub fn hang_up(&mut self) {
        self.client.hang_up();
    }

    /// Leaves the connection.
    pub async fn close(self) -> Tally {
        self.client.close().await;
        self.tally
    }

    /// The next message. Cancel safe.
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
    pub async fn react(&mut self, message: Message) -> Result<(), ClientError> {
        if is_for_others(&message) {
            self.game = None;
            return Ok(());
        }
        let answers = message.head().answered().next().is_some();
        let whole = message.into_whole()?;
        let rounds = whole.changes().filter(|(what, _)| matches!(what, Happened::Committed { .. })).count() as u64;
        match whole {
            ServerMsg::Snapshot { terms, lobby, own, game, .. } => {
                (self.agreement, self.own) = (terms.agreement, own);
                (self.lobby, self.game) = (Some(lobby), game);
            }
            ServerMsg::Update { terms, lobby, own, game, .. } => {
                self.own = own.unwrap_or(std::mem::take(&mut self.own));
                self.agreement = terms.map_or(self.agreement, |terms| terms.agreement);
                // An acknowledgment without a lobby makes the last one old: a newer one follows.
                self.lobby = lobby.or(self.lobby.take().filter(|_| !answers));
                self.game = game.or(self.game.take());
                self.tally.rounds += rounds;
            }
            ServerMsg::Refused { refusal, .. } => {
                if let (Some(retry), Some(wish)) = (refusal.retry, self.wish.take()) {
                    tokio::time::sleep(Duration::from_millis(retry.into())).await;
                    self.ask_for(wish).await;
                    return Ok(());
                }
            }
            ServerMsg::Presence { own: Some(own), .. } => self.own = own,
            ServerMsg::Done { .. } | ServerMsg::Hint { .. } | ServerMsg::Announcement { .. } => {}
            ServerMsg::Welcome { .. } | ServerMsg::Presence { .. } | ServerMsg::Pong {} | ServerMsg::Bye { .. } => {
                return Ok(());
            }
        }
        if self.waiting.is_some() {
            return Ok(());
        }
        if let Some(game) = self.game.take_if(|game| !game.legal.is_empty()) {
            self.act(&game).await;
        } else if let Some(request) = self.wish() {
            // The lobby that shows it done is waited for.
            self.lobby = None;
            self.ask_for(request).await;
        }
        Ok(())
    }

    /// Makes a request that is not an action.
    async fn ask_for(&mut self, request: Request) {
        self.wish = Some(request.clone());
        self.ask(request, false).await;
    }

    /// What has to be done before a round begins.
    fn wish(&self) -> Option<Request> {
        let lobby = self.lobby.as_ref()?;
        let may = |kind| self.own.may.contains(&kind);
        let bots = lobby.chairs.iter().filter(|chair| chair.person.is_none()).count();
        let chair = lobby.chairs.iter().find(|chair| chair.person == self.client.you());
        if lobby.stage == Stage::Lobby && chair.is_some_and(|chair| !chair.accepted) {
            Some(Request::Accept { agreement: self.agreement })
        } else if may(RequestKind::AddBot) && bots < self.habits.bots {
            Some(Request::AddBot { level: self.habits.level })
        } else if may(RequestKind::Start) {
            let full = lobby.chairs.len() >= self.habits.chairs;
            full.then_some(Request::Start { pledge: None })
        } else if may(RequestKind::Ready) && chair.is_some_and(|chair| !chair.ready) {
            Some(Request::Ready { ready: true, pledge: None })
        } else {
            None
        }
    }

    async fn act(&mut self, game: &GameView) {
        let Some(request) = choose(game, &mut self.chance) else { return };
        if !self.habits.think.is_zero() {
            tokio::time::sleep(self.habits.think).await;
        }
        self.ask(request, true).await;
    }

    async fn ask(&mut self, request: Request, action: bool) {
        self.tally.requests += 1;
        let sent = Instant::now();
        let id = self.client.request(request).await;
        self.waiting = Some((id, sent, action));
    }

    fn note(&mut self, message: &Message) -> Result<(), ClientError> {
        let head = message.head();
        self.tally.messages += 1;
        self.tally.bytes += message.text().len() as u64;
        if self.tally.sample.len() < 600 && is_for_me(message) {
            message.text().clone_into(&mut self.tally.sample);
        }
        if head.kind == MessageKind::Welcome {
            self.check_memory(head)?;
        }
        if let (MessageKind::Refused, Some(code)) = (head.kind, head.code) {
            *self.tally.refusals.entry(code.as_str()).or_default() += 1;
        }
        if self.habits.bots > 0 && head.kind == MessageKind::Update {
            let waited = std::mem::replace(&mut self.changed, Instant::now()).elapsed();
            if message.text().contains(r#""by":"bot""#) {
                self.tally.bots.add(waited);
            }
        }
        let Some((id, sent, action)) = self.waiting else { return Ok(()) };
        let carried_out = head.kind == MessageKind::Welcome && head.last_id.is_some_and(|last| last >= id);
        let comes_again = head.code == Some(Code::Server(ServerCode::TooFast));
        if comes_again || !head.answers(id) && !carried_out {
            return Ok(());
        }
        self.waiting = None;
        self.tally.answered += 1;
        if let (MessageKind::Update, Some(seq)) = (head.kind, head.number_of(id)) {
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

    /// A server that forgets what it acknowledged breaks a promise.
    fn check_memory(&self, welcome: &Head) -> Result<(), ClientError> {
        let promised = self.tally.acknowledged.last().map_or(0, |(id, _)| *id);
        let kept = welcome.last_id.unwrap_or(0);
        if kept < promised {
            let sentence = format!("request {promised} was acknowledged, but the server remembers only {kept}");
            return Err(ClientError::Protocol(sentence));
        }
        Ok(())
    }
}
