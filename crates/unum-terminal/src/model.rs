//! What one person knows about a table, kept up to date from its messages. Every interface draws from this.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde::Deserialize;
use unum_client::{Choice, Game, Kind, Lobby, Message};
use unum_rules::rulebook::{self, Rule};
use unum_rules::wire::{ActionForm, EventForm, PhaseForm, ViewForm};
use unum_rules::{CardName, ColorName, Face, Rules, Seat};
use unum_table::wire::{ChatLine, Happened, Person, PersonView, ServerMsg, Stage};

use crate::game::{Ending, Event};
use crate::settings;
use crate::story::{self, Look, Spoken, Teller, tame};

/// How many lines are kept.
const LOG: usize = 500;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// A whole sentence, or a few.
    pub text: String,
    /// What it is about, for interfaces with colors.
    pub tone: Tone,
}

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The game goes on.
    Plain,
    /// Something one has to notice: "UNO!", a catch, an attack on oneself.
    Alert,
    /// The end of a round or a match.
    Result,
    /// People: who comes, goes, becomes host.
    People,
    /// Somebody says something.
    Talk,
    /// A request was refused.
    Refused,
    /// The connection.
    Notice,
}

/// A request that was refused, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// For programs.
    pub code: String,
    /// For people.
    pub message: String,
    /// The id of the rule behind it: [`Model::explain`] has its words.
    pub rule: Option<String>,
}

/// What one person knows about a table.
///
/// Feed it every [`Event`] with [`Model::take`]; it answers with the lines that are news. Fields are as the table sent
/// them; what they mean for the viewer is in the methods.
pub struct Model {
    /// The table's code.
    pub code: String,
    /// Who one is at the table.
    pub you: Option<Person>,
    /// Stage, settings, host, chairs, people, and what one may ask for.
    pub lobby: Option<Lobby>,
    /// The game, once there is one: round, view, legal choices.
    pub game: Option<Game>,
    /// What happened, oldest first.
    pub log: VecDeque<Line>,
    /// What was said, oldest first.
    pub chat: VecDeque<ChatLine>,
    /// The last refusal; `None` again once a request was carried out.
    pub refusal: Option<Refusal>,
    /// Why there is no connection, while there is none.
    pub lost: Option<String>,
    /// How it ended, once it has.
    pub ended: Option<Ending>,
    /// Whether "UNO" is to be called with the next card that leaves one.
    pub uno_armed: bool,
    look: Box<dyn Look + Send>,
    rules: Option<Rules>,
    clock: Option<(Instant, Duration, Duration)>,
    asked: usize,
    settled: bool,
    untold: Vec<Happened>,
    changes: Vec<String>,
}

impl Default for Model {
    fn default() -> Model {
        Model::new(Box::new(Spoken))
    }
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("lobby", &self.lobby).field("game", &self.game).finish_non_exhaustive()
    }
}

// Keeping it.

impl Model {
    /// Nothing known yet. Lines will have cards in that look.
    pub fn new(look: Box<dyn Look + Send>) -> Model {
        Model {
            code: String::new(),
            you: None,
            lobby: None,
            game: None,
            log: VecDeque::new(),
            chat: VecDeque::new(),
            refusal: None,
            lost: None,
            ended: None,
            uno_armed: false,
            look,
            rules: None,
            clock: None,
            asked: 0,
            settled: true,
            untold: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// What follows from messages of a table in this process.
    pub(crate) fn of(messages: &[ServerMsg]) -> Model {
        let mut model = Model::default();
        for message in messages {
            let text = serde_json::to_string(message).unwrap_or_default();
            if let Ok(message) = Message::parse(text) {
                model.take(&Event::Message(Box::new(message)));
            }
        }
        model
    }

    /// Takes an event in, and tells what is news. A message of a later version is passed over.
    pub fn take(&mut self, event: &Event) -> Vec<Line> {
        let lines = match event {
            Event::Message(message) => self.message(message),
            Event::Together(events) => return events.iter().flat_map(|event| self.take(event)).collect(),
            Event::Lost { why } => {
                let known = self.lost.replace(tame(why)).is_some();
                let text = format!("The connection is lost ({}). Trying again.", tame(why));
                if known { Vec::new() } else { vec![Line { text, tone: Tone::Notice }] }
            }
            Event::Back => {
                self.lost = None;
                vec![Line { text: "Connected again. Nothing is lost.".to_owned(), tone: Tone::Notice }]
            }
            Event::Ended(ending) => {
                self.ended = Some(ending.clone());
                match ending {
                    Ending::Closed => Vec::new(),
                    Ending::Failed(why) => vec![Line { text: tame(why), tone: Tone::Notice }],
                }
            }
        };
        for line in &lines {
            self.note(line.clone());
        }
        lines
    }

    /// Says that a request is on its way: see [`Model::is_waiting`].
    pub fn asked(&mut self) {
        self.asked += 1;
    }

    /// Whether a request has no answer yet.
    pub fn is_waiting(&self) -> bool {
        self.asked > 0
    }

    /// Whether all that belongs together has come: in between, the game is older than the log.
    pub fn is_settled(&self) -> bool {
        self.settled
    }

    fn note(&mut self, line: Line) {
        if self.log.len() == LOG {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }

    fn message(&mut self, message: &Message) -> Vec<Line> {
        match message.kind() {
            Kind::Welcome => self.welcome(message),
            Kind::Snapshot => self.snapshot(message),
            Kind::Update => return self.update(message),
            Kind::Presence => return self.presence(message),
            Kind::Done => self.answered(),
            Kind::Refused if message.code() != Some("too_fast") => return self.refused(message),
            Kind::Refused | Kind::Bye | Kind::Pong | Kind::Unknown => {}
        }
        Vec::new()
    }

    fn welcome(&mut self, message: &Message) {
        #[derive(Deserialize)]
        struct Part {
            table: String,
        }
        self.you = message.you();
        self.code = message.part::<Part>().map(|part| tame(&part.table)).unwrap_or_default();
    }

    fn snapshot(&mut self, message: &Message) {
        self.settled = true;
        self.renew(message);
        if message.game().is_ok_and(|game| game.is_none()) {
            self.game = None;
        }
        self.chat = message.chat().unwrap_or_default().into();
    }

    /// Takes over the lobby and the game, if they are in the message.
    fn renew(&mut self, message: &Message) {
        if let Ok(Some(lobby)) = message.lobby() {
            let changed = self.lobby.as_ref().is_none_or(|old| old.settings.rules != lobby.settings.rules);
            if changed {
                self.rules = Rules::new(lobby.settings.rules.clone()).ok();
            }
            let before = self.lobby.as_ref().map(|old| &old.settings);
            self.changes = before.map(|before| settings::changes(before, &lobby.settings)).unwrap_or_default();
            self.lobby = Some(lobby);
        }
        if let Ok(Some(game)) = message.game() {
            let milliseconds = |number: u32| Duration::from_millis(number.into());
            let clock = game.clock.map(|clock| (Instant::now(), milliseconds(clock.left), milliseconds(clock.of)));
            self.clock = clock;
            self.game = Some(game);
            self.settled = true;
        }
    }

    fn update(&mut self, message: &Message) -> Vec<Line> {
        if message.id().is_some() {
            self.answered();
        }
        let events = message.events().unwrap_or_default();
        if !events.is_empty() {
            self.settled = false;
        }
        self.renew(message);
        #[derive(Deserialize)]
        struct Part {
            what: Happened,
        }
        // What a later version may tell is passed over.
        let what = message.part::<Part>().map_or(Happened::Hidden {}, |part| part.what);
        let mut lines = self.catch_up();
        if self.knows(&what) {
            lines.extend(self.happened(&what));
        } else {
            self.untold.push(what);
        }
        lines.extend(events.iter().filter_map(|event| self.tell(event)));
        lines
    }

    fn answered(&mut self) {
        self.asked = self.asked.saturating_sub(1);
        if self.asked == 0 {
            self.refusal = None;
        }
    }

    fn refused(&mut self, message: &Message) -> Vec<Line> {
        #[derive(Deserialize)]
        struct Part {
            rule: Option<String>,
        }
        self.asked = self.asked.saturating_sub(1);
        let rule = message.part::<Part>().ok().and_then(|part| part.rule);
        let rule = rule.filter(|rule| rulebook::find(rule).is_some());
        let text = tame(message.sentence().unwrap_or("that is not possible"));
        let code = message.code().unwrap_or_default().to_owned();
        self.refusal = Some(Refusal { code, message: text.clone(), rule: rule.clone() });
        let rule = rule.map(|rule| format!(" (rule {rule}: type why)")).unwrap_or_default();
        vec![Line { text: format!("No: {text}{rule}."), tone: Tone::Refused }]
    }

    fn presence(&mut self, message: &Message) -> Vec<Line> {
        let (Ok(people), Some(lobby)) = (message.people(), self.lobby.as_mut()) else { return Vec::new() };
        let before = std::mem::replace(&mut lobby.people, people);
        let you = self.you;
        let changed = |person: &&PersonView| {
            let old = before.iter().find(|old| old.person == person.person);
            let seated = person.seat.is_some() && Some(person.person) != you;
            seated && old.is_some_and(|old| old.connected != person.connected)
        };
        let lines = lobby.people.iter().filter(changed).map(|person| {
            let fate = if person.connected { "is here again" } else { "has lost the connection" };
            Line { text: format!("{} {fate}.", tame(&person.name)), tone: Tone::People }
        });
        lines.collect()
    }
}

// Words.

impl Model {
    /// Whether everybody in it has a name by now: of several changes at once, only the last tells the names.
    fn knows(&self, what: &Happened) -> bool {
        match what {
            Happened::Joined { person } | Happened::HostPassed { person } => self.person(*person).is_some(),
            Happened::BotAdded { seat, .. } => self.chair(*seat).is_some(),
            _ => true,
        }
    }

    fn catch_up(&mut self) -> Vec<Line> {
        let (told, untold) = std::mem::take(&mut self.untold).into_iter().partition(|what| self.knows(what));
        self.untold = untold;
        let told: Vec<Happened> = told;
        told.iter().filter_map(|what| self.happened(what)).collect()
    }

    fn person(&self, person: Person) -> Option<String> {
        let people = self.lobby.iter().flat_map(|lobby| &lobby.people);
        let mut found = people.filter(|other| other.person == person);
        found.next().map(|person| tame(&person.name))
    }

    fn happened(&mut self, what: &Happened) -> Option<Line> {
        let person = |person: &Person| match self.person(*person) {
            _ if self.you == Some(*person) => "You".to_owned(),
            name => name.unwrap_or_else(|| "Somebody".to_owned()),
        };
        let own = |person: &Person| self.you == Some(*person);
        let (tone, text) = match what {
            Happened::Joined { person: new } if !own(new) => (Tone::People, format!("{} has joined.", person(new))),
            Happened::Left { person: gone } if !own(gone) => (Tone::People, format!("{} has left.", person(gone))),
            Happened::Kicked { person: gone } if own(gone) => (Tone::People, "You were sent away.".to_owned()),
            Happened::Kicked { person: gone } => (Tone::People, format!("{} was sent away.", person(gone))),
            Happened::Renamed { person: who, .. } if own(who) => {
                (Tone::People, format!("You are called {} now.", self.person(*who).unwrap_or_default()))
            }
            Happened::Renamed { name, .. } => (Tone::People, format!("Somebody is called {} now.", tame(name))),
            Happened::HostPassed { person: host } if own(host) => (Tone::People, "You are the host now.".to_owned()),
            Happened::HostPassed { person: host } => (Tone::People, format!("{} is the host now.", person(host))),
            Happened::SettingsChanged {} if self.changes.is_empty() => {
                (Tone::People, "The settings have changed.".to_owned())
            }
            Happened::SettingsChanged {} => (Tone::People, format!("Agreed anew: {}.", self.changes.join(", "))),
            Happened::Ready { person: who, ready: true } if !own(who) => {
                (Tone::People, format!("{} is ready.", person(who)))
            }
            Happened::BotAdded { seat, .. } => (Tone::People, format!("{}, a bot, sits down.", self.name(*seat))),
            Happened::Dealt { round } => (Tone::Result, format!("Round {round}.")),
            Happened::StoodIn { seat, why } => (Tone::People, story::away(&self.name(*seat), *why)),
            Happened::CameBack { seat } => (Tone::People, format!("{} is back.", self.name(*seat))),
            Happened::Reopened {} => (Tone::People, "Back to the lobby.".to_owned()),
            Happened::Chatted { person: who, text } => {
                let name = self.person(*who).unwrap_or_else(|| "Somebody".to_owned());
                (Tone::Talk, format!("{name}: {}", tame(text)))
            }
            Happened::Reacted { person: who, reaction } => {
                let name = self.person(*who).unwrap_or_else(|| "Somebody".to_owned());
                (Tone::Talk, format!("{name}: {}", story::reaction(*reaction)))
            }
            Happened::Accused { person: who, seat } => {
                let accused = self.name(*seat);
                let accuses = if own(who) { "accuse" } else { "accuses" };
                (Tone::Alert, format!("{} {accuses} {accused} of suggesting a play (rule X1).", person(who)))
            }
            Happened::AccusationEnded { seat, upheld } => {
                let verdict = if *upheld { "upheld" } else { "dismissed" };
                (Tone::Alert, format!("The accusation against {} is {verdict}.", self.name(*seat)))
            }
            Happened::Closed {} => (Tone::People, "The table is closed.".to_owned()),
            _ => return None,
        };
        if let Happened::Chatted { person, text } = what {
            let name = self.person(*person).unwrap_or_default();
            self.chat.push_back(ChatLine { seq: 0, person: *person, name, text: tame(text) });
        }
        Some(Line { text, tone })
    }

    /// An event of the game in words.
    fn tell(&self, event: &EventForm) -> Option<Line> {
        let me = self.seat();
        let silent = match event {
            // Everybody is dealt the same number; one's own cards are told.
            EventForm::Dealt { seat, .. } => Some(*seat) != me,
            EventForm::DrewForDealer { .. } => true,
            EventForm::Received { seat, .. } => Some(*seat) != me,
            _ => false,
        };
        if silent {
            return None;
        }
        let tone = match event {
            EventForm::RoundScored { .. } | EventForm::MatchWon { .. } | EventForm::RoundBlocked {} => Tone::Result,
            EventForm::UnoCalled { .. } | EventForm::Caught { .. } | EventForm::Challenged { .. } => Tone::Alert,
            EventForm::Skipped { seat } if Some(*seat) == me => Tone::Alert,
            _ => Tone::Plain,
        };
        let name = |seat| self.name(seat);
        let titled = Titled { model: self };
        Teller { name: &name, me, look: &titled }.event(event).map(|text| Line { text, tone })
    }

    /// A card in the look of the lines, a Customizable one with its title.
    pub fn card(&self, card: CardName) -> String {
        let text = self.look.card(card);
        match self.title(card) {
            Some(title) => format!("{text} ({title})"),
            None => text,
        }
    }

    /// A color in the look of the lines.
    pub fn color(&self, color: ColorName) -> String {
        self.look.color(color)
    }

    /// Cards in the look of the lines.
    pub fn cards(&self, cards: &[CardName]) -> String {
        story::cards(cards, &Titled { model: self })
    }

    /// What is written on a Customizable card.
    pub fn title(&self, card: CardName) -> Option<String> {
        let (Face::Customizable(number), _) = story::parts(card) else { return None };
        let rule = self.rules.as_ref()?.custom_rule(number.into())?;
        Some(tame(&rule.title))
    }

    /// A rule with its words, as `unum rules` prints it: what it says, and how this edition differs.
    pub fn explain(&self, rule: &Rule) -> String {
        let mut text = format!("{} {}: {}", rule.id, rule.title, rule.text);
        let edition = self.rules.as_ref().map(Rules::edition);
        if let Some(difference) = edition.and_then(|edition| rule.difference_in(edition)) {
            text = format!("{text} {difference}");
        }
        text
    }
}

/// Cards with the titles of Customizable ones.
struct Titled<'a> {
    model: &'a Model,
}

impl Look for Titled<'_> {
    fn card(&self, card: CardName) -> String {
        self.model.card(card)
    }

    fn color(&self, color: ColorName) -> String {
        self.model.look.color(color)
    }

    fn gap(&self) -> &'static str {
        self.model.look.gap()
    }

    fn strong(&self, text: &str) -> String {
        self.model.look.strong(text)
    }
}

// Asking it.

impl Model {
    /// What the table is doing.
    pub fn stage(&self) -> Stage {
        self.lobby.as_ref().map_or(Stage::Lobby, |lobby| lobby.stage)
    }

    /// The rules that are played.
    pub fn rules(&self) -> Option<&Rules> {
        self.rules.as_ref()
    }

    /// Where one sits; `None` for an onlooker.
    pub fn seat(&self) -> Option<Seat> {
        self.lobby.as_ref()?.seat_of(self.you?)
    }

    fn chair(&self, seat: Seat) -> Option<&unum_client::Chair> {
        self.lobby.as_ref()?.chairs.get(usize::from(seat))
    }

    /// The name on a chair.
    pub fn name(&self, seat: Seat) -> String {
        self.chair(seat).map_or_else(|| format!("Seat {seat}"), |chair| tame(&chair.name))
    }

    /// All names, by seat.
    pub fn names(&self) -> Vec<String> {
        let chairs = self.lobby.iter().flat_map(|lobby| &lobby.chairs);
        chairs.map(|chair| tame(&chair.name)).collect()
    }

    /// The scores of the match, by seat.
    pub fn scores(&self) -> &[u32] {
        self.view().map_or(&[], |view| &view.scores)
    }

    /// What one sees of the round.
    pub fn view(&self) -> Option<&ViewForm> {
        self.game.as_ref().map(|game| &game.view)
    }

    /// One's hand, sorted.
    pub fn hand(&self) -> &[CardName] {
        self.view().and_then(|view| view.hand.as_deref()).unwrap_or_default()
    }

    /// Everything one may do now, as the table listed it; the optional `uno` is left out.
    pub fn legal(&self) -> &[Choice] {
        let playing = self.stage() == Stage::Playing;
        self.game.as_ref().filter(|_| playing).map_or(&[], |game| &game.legal)
    }

    /// The actions among it.
    pub fn actions(&self) -> impl Iterator<Item = &ActionForm> {
        self.legal().iter().filter_map(|choice| match choice {
            Choice::Action(action) => Some(action),
            Choice::AnyDiscard { .. } => None,
        })
    }

    /// Whether a card can be played now.
    pub fn is_playable(&self, card: CardName) -> bool {
        self.actions().any(|action| matches!(action, ActionForm::Play { card: legal, .. } if *legal == card))
    }

    /// The cards that can be played now, each once.
    pub fn playable(&self) -> Vec<CardName> {
        let mut cards: Vec<CardName> = self.hand().to_vec();
        cards.dedup();
        cards.retain(|card| self.is_playable(*card));
        cards
    }

    /// The seats one could catch now.
    pub fn catchable(&self) -> Vec<Seat> {
        let seats = self.actions().filter_map(|action| match action {
            ActionForm::Catch { seat } => Seat::try_from(*seat).ok(),
            _ => None,
        });
        seats.collect()
    }

    /// Whom the table waits for.
    pub fn awaited(&self) -> Vec<Seat> {
        match self.view().map(|view| &view.phase) {
            Some(PhaseForm::Vote { waiting, .. }) => waiting.clone(),
            Some(
                PhaseForm::Turn { seat }
                | PhaseForm::Drawn { seat, .. }
                | PhaseForm::CallColor { seat, .. }
                | PhaseForm::Respond { seat, .. }
                | PhaseForm::Discard { seat, .. }
                | PhaseForm::Dare { seat, .. },
            ) => vec![*seat],
            Some(PhaseForm::RoundOver {} | PhaseForm::MatchOver {}) | None => Vec::new(),
        }
    }

    /// Whether the table waits for this person to act in the game.
    pub fn is_my_turn(&self) -> bool {
        let away = self.seat().and_then(|seat| self.chair(seat)).is_some_and(|chair| chair.away.is_some());
        let awaited = self.seat().is_some_and(|seat| self.awaited().contains(&seat));
        self.stage() == Stage::Playing && awaited && !away
    }

    /// Whether nothing goes on before this person does something: acts, is ready, judges, decides in the lobby. Nobody
    /// waits for an onlooker, whose time is always now.
    pub fn is_up_to_me(&self) -> bool {
        match self.stage() {
            _ if self.seat().is_none() => true,
            Stage::Playing => self.is_my_turn() || self.may("judge"),
            Stage::Lobby => true,
            Stage::Scores | Stage::Over => !self.is_ready(),
            Stage::Closed => true,
        }
    }

    /// Whether one has said to be ready.
    pub fn is_ready(&self) -> bool {
        self.seat().and_then(|seat| self.chair(seat)).is_some_and(|chair| chair.ready)
    }

    /// Whether one may make requests of that type now (`"start"`, `"add_bot"`, `"judge"`).
    pub fn may(&self, request: &str) -> bool {
        self.lobby.as_ref().is_some_and(|lobby| lobby.may.iter().any(|may| may == request))
    }

    /// The time left on the clock that runs, and of how much.
    pub fn clock(&self) -> Option<(Duration, Duration)> {
        let (since, left, of) = self.clock.filter(|_| self.stage() == Stage::Playing)?;
        Some((left.saturating_sub(since.elapsed()), of))
    }

    /// Whether some legal action leaves one card, so that "UNO" belongs to it.
    pub fn is_uno_in_reach(&self) -> bool {
        let hand = self.hand().len();
        let any_discard = self.legal().iter().any(|choice| match choice {
            Choice::AnyDiscard { count } => hand.checked_sub((*count).into()) == Some(1),
            Choice::Action(_) => false,
        });
        any_discard || self.actions().any(|action| hand.checked_sub(cards_gone(action)) == Some(1) && takes_uno(action))
    }
}

/// How many cards an action takes out of the hand.
pub(crate) fn cards_gone(action: &ActionForm) -> usize {
    match action {
        ActionForm::Play { discard, .. } => 1 + discard.len(),
        ActionForm::Block { .. } => 1,
        ActionForm::Discard { cards, .. } => cards.len(),
        _ => 0,
    }
}

/// Whether "UNO" can be called with an action.
pub(crate) fn takes_uno(action: &ActionForm) -> bool {
    matches!(action, ActionForm::Play { .. } | ActionForm::Block { .. } | ActionForm::Discard { .. })
}
