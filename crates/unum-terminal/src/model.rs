//! What one person knows about a table, kept up to date from its messages. Every interface draws from this.

use std::collections::{HashMap, VecDeque};
use std::time::{Duration, Instant};

use unum_client::Verdict;
use unum_protocol::{
    ChairView, ChatLine, Choice, Code, CustomView, GameView, Happened, LobbyView, OwnView, Past, Person, PersonView,
    Refusal, Request, RequestKind, RulesView, ServerCode, ServerMsg, Settings, Stage, Terms,
};
use unum_rules::rulebook::{self, Rule};
use unum_rules::wire::{ActionForm, ChoiceForm, EventForm, PhaseForm, ViewForm};
use unum_rules::{CardName, ColorName, CustomRule, Rules, Seat, Stakes, Why};

use crate::game::{Ending, Event};
use crate::settings;
use crate::story::{self, Teller, foreign, listed};
use crate::text::{Span, Text, text};

/// How many lines are kept.
const LOG: usize = 500;

/// A line of the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// A whole sentence, or a few.
    pub text: Text,
    /// What it is about, for interfaces with colors.
    pub tone: Tone,
}

impl Line {
    fn new(text: impl Into<Text>, tone: Tone) -> Line {
        Line { text: text.into(), tone }
    }
}

/// What a line is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// The game goes on.
    Plain,
    /// Something the person must notice: "UNO!", a catch, an attack on them.
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

/// What one person knows about a table.
///
/// Feed it every [`Event`] with [`Model::take`]; it returns the lines that are new. Fields are as the table sent them;
/// what they mean for the viewer is in the methods.
#[derive(Default)]
pub struct Model {
    /// The table's code.
    pub code: String,
    /// The person's number at the table.
    pub you: Option<Person>,
    /// The terms: settings, and the rules that follow from them.
    pub terms: Option<Terms>,
    /// Stage, host, chairs and people.
    pub lobby: Option<LobbyView>,
    /// What the person may request, whom they have muted, whom they keep out.
    pub own: OwnView,
    /// The game, once there is one: round, view, legal choices.
    pub game: Option<GameView>,
    /// What happened, oldest first.
    pub log: VecDeque<Line>,
    /// What was said, oldest first.
    pub chat: VecDeque<ChatLine>,
    /// The last refusal; `None` again once a request was carried out.
    pub refusal: Option<Refusal>,
    /// Why the connection is down, while it is.
    pub lost: Option<String>,
    /// How it ended, once it has.
    pub ended: Option<Ending>,
    /// What is wrong with this table's deals: shown until the person leaves.
    pub alarm: Option<String>,
    /// Whether to call "UNO" with the next card that leaves one.
    pub uno_armed: bool,
    clock: Option<(Instant, Duration, Duration)>,
    asked: usize,
    /// The number of the last change that is in the log; `None` before the first snapshot.
    logged: Option<u64>,
    /// Whether the game is older than the log.
    unsettled: bool,
    untold: Vec<Happened>,
    changes: Vec<String>,
    /// Whether the bots have begun to wait and nobody was told yet.
    pause_news: bool,
    /// People's names as of the last line of the log.
    called: HashMap<Person, String>,
    /// Whether a report has been sent and not been answered yet.
    reporting: bool,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("lobby", &self.lobby).field("game", &self.game).finish_non_exhaustive()
    }
}

// Updating.

impl Model {
    /// What follows from messages of a table.
    pub(crate) fn of(messages: &[ServerMsg]) -> Model {
        let mut model = Model::default();
        messages.iter().for_each(|message| drop(model.message(message)));
        model
    }

    /// Takes an event, and returns what is new.
    pub fn take(&mut self, event: &Event) -> Vec<Line> {
        let lines = self.take_in(event);
        if self.is_settled() && !self.can_arm_uno() {
            self.uno_armed = false;
        }
        lines
    }

    fn take_in(&mut self, event: &Event) -> Vec<Line> {
        let lines = match event {
            Event::Message(message) => self.message(message),
            Event::Together(events) => return events.iter().flat_map(|event| self.take_in(event)).collect(),
            Event::Lost { why } => {
                let known = self.lost.replace(foreign(why)).is_some();
                let text = format!("The connection is lost ({}). Trying again.", foreign(why));
                if known { Vec::new() } else { vec![Line::new(text, Tone::Notice)] }
            }
            Event::Back => {
                self.lost = None;
                vec![Line::new("Connected again. Nothing is lost.", Tone::Notice)]
            }
            Event::Checked(verdict) => self.checked(verdict),
            Event::Ended(ending) => {
                self.ended = Some(ending.clone());
                match ending {
                    Ending::Closed => Vec::new(),
                    Ending::Failed(why) => vec![Line::new(foreign(why), Tone::Notice)],
                }
            }
        };
        for line in &lines {
            self.note(line.clone());
        }
        lines
    }

    /// A fair deal is not worth a line.
    fn checked(&mut self, verdict: &Verdict) -> Vec<Line> {
        match verdict {
            Verdict::Fair { .. } => Vec::new(),
            Verdict::NotCompared { .. } => vec![Line::new(verdict.to_string(), Tone::Notice)],
            Verdict::Unfair { .. } => {
                self.alarm = Some(verdict.to_string());
                vec![Line::new(verdict.to_string(), Tone::Alert)]
            }
        }
    }

    /// Notes that a request was sent: see [`Model::is_waiting`]. An armed "UNO" is used once.
    pub fn asked(&mut self, request: &Request) {
        self.asked += 1;
        self.reporting |= matches!(request, Request::Report { .. });
        if let Request::Act {
            action: ActionForm::Play { .. } | ActionForm::Block { .. } | ActionForm::Discard { .. },
            ..
        } = request
        {
            self.uno_armed = false;
        }
    }

    /// Whether a request has no answer yet.
    pub fn is_waiting(&self) -> bool {
        self.asked > 0
    }

    /// Whether a group of messages is complete: until then, the game is older than the log.
    pub fn is_settled(&self) -> bool {
        !self.unsettled
    }

    fn note(&mut self, line: Line) {
        if self.log.len() == LOG {
            self.log.pop_front();
        }
        self.log.push_back(line);
    }

    fn message(&mut self, message: &ServerMsg) -> Vec<Line> {
        let lines = self.told(message);
        let people = self.lobby.iter().flat_map(|lobby| &lobby.people);
        self.called.extend(people.map(|person| (person.person, foreign(&person.name))));
        lines
    }

    fn told(&mut self, message: &ServerMsg) -> Vec<Line> {
        match message {
            ServerMsg::Welcome { table, you, .. } => {
                self.you = Some(*you);
                self.code = foreign(table);
            }
            ServerMsg::Snapshot { seq, terms, lobby, own, game, chat, past } => {
                self.unsettled = false;
                self.own = (**own).clone();
                self.renew(Some(terms), Some(lobby), game.as_deref());
                self.game = game.as_deref().cloned();
                self.chat = chat.clone().into();
                return self.recall(*seq, past);
            }
            ServerMsg::Update { seq, earlier, id, what, events, terms, lobby, own, game } => {
                let mut lines = Vec::new();
                for past in earlier {
                    self.note_change(past.seq, past.id, &past.events);
                    lines.extend(self.update(&past.what, &past.events));
                }
                self.note_change(*seq, *id, events);
                self.renew_own(own.as_deref());
                self.renew(terms.as_deref(), lobby.as_deref(), game.as_deref());
                lines.extend(self.update(what, events));
                return lines;
            }
            ServerMsg::Presence { people, own } => {
                self.renew_own(own.as_deref());
                return self.presence(people);
            }
            ServerMsg::Done { .. } => {
                self.answered();
                if std::mem::take(&mut self.reporting) {
                    return vec![Line::new("Your report has been sent. Thank you.", Tone::Notice)];
                }
            }
            ServerMsg::Hint { hint, .. } => {
                self.answered();
                return vec![Line::new(crate::hint::sentence(hint, |seat| self.name(seat)), Tone::Notice)];
            }
            ServerMsg::Refused { refusal, .. } if refusal.code != Code::Server(ServerCode::TooFast) => {
                return self.refused(refusal);
            }
            ServerMsg::Announcement { text } => {
                return vec![Line::new(format!("The server says: {}", foreign(text)), Tone::Alert)];
            }
            ServerMsg::Refused { .. } | ServerMsg::Bye { .. } | ServerMsg::Pong {} => {}
        }
        Vec::new()
    }

    fn note_change(&mut self, seq: u64, id: Option<u32>, events: &[EventForm]) {
        self.logged = Some(seq);
        if id.is_some() {
            self.answered();
        }
        self.unsettled |= !events.is_empty();
    }

    fn renew_own(&mut self, own: Option<&OwnView>) {
        if let Some(own) = own {
            self.own = own.clone();
        }
    }

    /// Applies a message.
    fn renew(&mut self, terms: Option<&Terms>, lobby: Option<&LobbyView>, game: Option<&GameView>) {
        if let Some(terms) = terms {
            let before = self.settings();
            self.changes = before.map(|before| settings::changes(before, &terms.settings)).unwrap_or_default();
            self.terms = Some(terms.clone());
        }
        if let Some(lobby) = lobby {
            self.pause_news |= lobby.paused && !self.is_paused();
            self.code = foreign(&lobby.code);
            self.lobby = Some(lobby.clone());
        }
        if let Some(game) = game {
            let milliseconds = |number: u32| Duration::from_millis(number.into());
            self.clock = game.clock.map(|clock| (Instant::now(), milliseconds(clock.left), milliseconds(clock.of)));
            self.game = Some(game.clone());
            self.unsettled = false;
        }
    }

    fn update(&mut self, what: &Happened, events: &[EventForm]) -> Vec<Line> {
        let mut lines = self.catch_up();
        if self.knows(what) {
            lines.extend(self.happened(what));
        } else {
            self.untold.push(what.clone());
        }
        lines.extend(events.iter().filter_map(|event| self.tell(event)));
        if std::mem::take(&mut self.pause_news) {
            lines.push(Line::new("The bots are waiting: nobody has played for a while.", Tone::Notice));
        }
        lines
    }

    /// Adds what happened before a snapshot to the log. New are the changes the person has missed, and a deal nobody
    /// has acted on.
    fn recall(&mut self, seq: u64, past: &[Past]) -> Vec<Line> {
        let before = self.logged.replace(seq);
        let (mut news, last) = (Vec::new(), past.last().map(|past| past.seq));
        for past in past.iter().filter(|past| before.is_none_or(|before| past.seq > before)) {
            let lines = self.recalled(past);
            let fresh = before.is_some() || Some(past.seq) == last && matches!(past.what, Happened::Dealt { .. });
            if fresh { news.extend(lines) } else { lines.into_iter().for_each(|line| self.note(line)) }
        }
        news
    }

    fn recalled(&mut self, past: &Past) -> Vec<Line> {
        // The current chairs do not tell when somebody sat down.
        let sat = matches!(past.what, Happened::Sat { .. });
        let mut lines: Vec<Line> = if sat { None } else { self.happened(&past.what) }.into_iter().collect();
        lines.extend(past.events.iter().filter_map(|event| self.tell(event)));
        lines
    }

    /// Whether bots wait for a person.
    pub fn is_paused(&self) -> bool {
        self.lobby.as_ref().is_some_and(|lobby| lobby.paused)
    }

    fn answered(&mut self) {
        self.asked = self.asked.saturating_sub(1);
        if self.asked == 0 {
            self.refusal = None;
        }
    }

    fn refused(&mut self, refusal: &Refusal) -> Vec<Line> {
        self.asked = self.asked.saturating_sub(1);
        self.reporting = false;
        let rule = refusal.rule.as_deref().filter(|rule| rulebook::find(rule).is_some());
        let mut text = text!["No: ", self.reason(refusal)];
        if let Some(rule) = rule {
            text.push(text![format!(" (rule {rule}: "), Span::AskWhy, ")"]);
        }
        text.push(".");
        self.refusal = Some(refusal.clone());
        vec![Line::new(text, Tone::Refused)]
    }

    /// Why something was refused, with names in place of seats.
    pub fn reason(&self, refusal: &Refusal) -> String {
        let name = |seat: Seat| self.name(seat);
        match refusal.why {
            Some(Why::NotYourTurn { seat }) => format!("it is {}'s turn", name(seat)),
            Some(Why::NotLiable { seat }) => format!("{} does not owe an UNO call", name(seat)),
            Some(Why::GoneOut { seat }) => format!("{} has gone out", name(seat)),
            _ => foreign(&refusal.message).trim_end_matches('.').to_owned(),
        }
    }

    fn presence(&mut self, people: &[PersonView]) -> Vec<Line> {
        let Some(lobby) = self.lobby.as_mut() else { return Vec::new() };
        let before = std::mem::replace(&mut lobby.people, people.to_vec());
        let you = self.you;
        let changed = |person: &&PersonView| {
            let old = before.iter().find(|old| old.person == person.person);
            let seated = person.seat.is_some() && Some(person.person) != you;
            seated && old.is_some_and(|old| old.connected != person.connected)
        };
        let lines = people.iter().filter(changed).map(|person| {
            let fate = if person.connected { "is here again" } else { "has lost the connection" };
            Line::new(format!("{} {fate}.", foreign(&person.name)), Tone::People)
        });
        lines.collect()
    }
}

// Words.

impl Model {
    /// Whether everybody in it has a name yet: of several changes at once, only the last carries names.
    fn knows(&self, what: &Happened) -> bool {
        match what {
            Happened::HostPassed { person } => self.person(*person).is_some(),
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
        found.next().map(|person| foreign(&person.name))
    }

    /// Stores somebody's name, and returns the previous one.
    fn call(&mut self, what: &Happened) -> Option<String> {
        match what {
            Happened::Joined { person, name } | Happened::Renamed { person, name } => {
                self.called.insert(*person, foreign(name))
            }
            _ => None,
        }
    }

    fn happened(&mut self, what: &Happened) -> Option<Line> {
        let before = self.call(what);
        let person = |person: &Person| match self.person(*person) {
            _ if self.you == Some(*person) => "You".to_owned(),
            name => name.unwrap_or_else(|| "Somebody".to_owned()),
        };
        let own = |person: &Person| self.you == Some(*person);
        let (tone, text) = match what {
            Happened::Joined { person: new, name } if !own(new) => {
                (Tone::People, format!("{} has joined.", foreign(name)))
            }
            Happened::Sat { person: new, .. } if self.stage() != Stage::Lobby => {
                let sits = if own(new) { "sit" } else { "sits" };
                (Tone::People, format!("{} {sits} at the table now.", person(new)))
            }
            Happened::SeatClaimed { person: new, seat: Some(seat) } => {
                let takes = if own(new) { "take" } else { "takes" };
                let seat = self.name(*seat);
                (Tone::People, format!("{} {takes} {seat}'s seat when the round is over.", person(new)))
            }
            Happened::SeatClaimed { person: new, seat: None } => {
                let plays = if own(new) { "play" } else { "plays" };
                (Tone::People, format!("{} {plays} from the next match on.", person(new)))
            }
            Happened::Left { person: gone, name } if !own(gone) => {
                (Tone::People, format!("{} has left.", foreign(name)))
            }
            Happened::Kicked { person: gone, .. } if own(gone) => {
                (Tone::People, "You were removed from the table.".to_owned())
            }
            Happened::Kicked { name, .. } => (Tone::People, format!("{} was removed.", foreign(name))),
            Happened::Unkicked { .. } => (Tone::People, "Somebody who was removed may come back.".to_owned()),
            Happened::Locked { locked: true } => (Tone::People, "The table is locked: nobody new can join.".to_owned()),
            Happened::Locked { locked: false } => (Tone::People, "The table is open again.".to_owned()),
            Happened::CodeRenewed { code } => {
                let code = foreign(code);
                (Tone::People, format!("The table has a new code, {code}: old links no longer work."))
            }
            Happened::ChairLost { person: gone } => {
                (Tone::People, format!("{} was gone for too long: the chair is free.", person(gone)))
            }
            Happened::Renamed { person: who, name } if own(who) => {
                (Tone::People, format!("Your name is now {}.", foreign(name)))
            }
            Happened::Renamed { name, .. } => {
                let before = before.unwrap_or_else(|| "Somebody".to_owned());
                (Tone::People, format!("{before} is now called {}.", foreign(name)))
            }
            Happened::HostPassed { person: host } if own(host) && self.is_acting() => {
                (Tone::People, "You stand in as host until the host is back.".to_owned())
            }
            Happened::HostPassed { person: host } if own(host) => (Tone::People, "You are the host now.".to_owned()),
            Happened::HostPassed { person: host } => (Tone::People, format!("{} is the host now.", person(host))),
            Happened::SettingsChanged {} if self.changes.is_empty() => {
                (Tone::People, "The settings have changed.".to_owned())
            }
            Happened::SettingsChanged {} => (Tone::People, format!("New settings: {}.", self.changes.join(", "))),
            Happened::Ready { person: who, ready: true } if !own(who) => {
                (Tone::People, format!("{} is ready.", person(who)))
            }
            Happened::BotAdded { seat, .. } => (Tone::People, format!("{}, a bot, sits down.", self.name(*seat))),
            Happened::Withheld { seats, again } => {
                let names: Vec<String> = seats.iter().map(|seat| self.name(*seat)).collect();
                let rest = if *again { "Everybody else pledges again." } else { "The cards are dealt without it." };
                let whose = story::listed(&names);
                (Tone::Alert, format!("{whose} pledged a part of the deal and did not open it. {rest}"))
            }
            Happened::Dealt { round } => (Tone::Result, format!("Round {round}.")),
            Happened::StoodIn { seat, why } => (Tone::People, story::away(&self.name(*seat), *why)),
            Happened::CameBack { seat } => (Tone::People, format!("{} is back.", self.name(*seat))),
            Happened::Reopened {} => (Tone::People, "Back to the lobby.".to_owned()),
            Happened::RoundLost {} => {
                (Tone::Alert, "The round could not be restored and will be dealt again.".to_owned())
            }
            Happened::Chatted { person: who, text } => {
                let name = self.person(*who).unwrap_or_else(|| "Somebody".to_owned());
                (Tone::Talk, format!("{name}: {}", foreign(text)))
            }
            Happened::Reacted { person: who, reaction } => {
                let name = self.person(*who).unwrap_or_else(|| "Somebody".to_owned());
                (Tone::Talk, format!("{name}: {}", story::reaction(*reaction)))
            }
            Happened::BotReacted { seat, reaction } => {
                (Tone::Talk, format!("{}: {}", self.name(*seat), story::reaction(*reaction)))
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
            self.chat.push_back(ChatLine { seq: 0, person: *person, name, text: foreign(text) });
        }
        Some(Line::new(text, tone))
    }

    /// An event of the game in words.
    fn tell(&self, event: &EventForm) -> Option<Line> {
        let me = self.seat();
        let silent = match event {
            // Everybody is dealt the same number of cards; only the person's own are shown.
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
        let title = |card| self.title(card);
        Teller { name: &name, me, title: &title }.event(event).map(|text| Line { text, tone })
    }

    /// A card, a Customizable one with its title.
    pub fn card(&self, card: CardName) -> Text {
        story::titled(card, self.title(card))
    }

    /// Cards one after the other.
    pub fn cards(&self, cards: &[CardName]) -> Text {
        Text::list(cards.iter().map(|card| self.card(*card)))
    }

    /// What is written on a Customizable card.
    pub fn title(&self, card: CardName) -> Option<String> {
        let carries = |custom: &&CustomView| custom.card == card;
        let rule = self.rules()?.custom.iter().find(carries)?.rule.as_ref()?;
        Some(foreign(&rule.title))
    }

    /// What a Customizable card does, in words; `None` for a plain wild.
    pub fn carried(&self, card: CardName) -> Option<String> {
        let carries = |custom: &&CustomView| custom.card == card;
        let rule = self.rules()?.custom.iter().find(carries)?.rule.as_ref()?;
        let (title, text) = (foreign(&rule.title), foreign(&rule.text));
        Some(if text.is_empty() { title } else { format!("{title}. {text}") })
    }

    /// What each Customizable card of the deck does, a line each.
    pub(crate) fn custom_cards(&self) -> Vec<Text> {
        let customs = self.rules().map(|rules| rules.custom.as_slice()).unwrap_or_default();
        let told = |card| self.carried(card).unwrap_or_else(|| "a plain wild.".to_owned());
        customs.iter().map(|custom| text![custom.card, format!(": {}", told(custom.card))]).collect()
    }

    /// A rule as `unum rules` prints it: in the words of this edition, with our rulings.
    pub fn explain(&self, rule: &Rule) -> Vec<String> {
        let edition = self.rules().map(|rules| rules.edition);
        let here = edition.filter(|edition| rule.applies_in(*edition));
        let (told, more) = here.map_or((rule.text, None), |edition| rule.text_in(edition));
        let mut lines = vec![format!("{} {}: {told}", rule.id, rule.title)];
        if rule.id == "C2" {
            lines.extend(starters());
        }
        if let (Some(edition), None) = (edition, here) {
            let elsewhere = rule.editions.iter().map(|other| rulebook::edition_notes(*other).title.to_owned());
            let (title, elsewhere) = (rulebook::edition_notes(edition).title, listed(&elsewhere.collect::<Vec<_>>()));
            lines.push(format!("Not in {title}. It applies in {elsewhere}."));
        }
        lines.extend(more.map(str::to_owned));
        let rulings: Vec<&str> = match here {
            Some(edition) => rule.rulings_in(edition).collect(),
            None => rule.rulings.to_vec(),
        };
        if !rulings.is_empty() {
            lines.push(format!("Our rulings, not on the sheets: {}", rulings.join(" ")));
        }
        lines
    }
}

/// The ideas of the sheet for Customizable cards, with their numbers.
fn starters() -> impl Iterator<Item = String> {
    (1..).zip(CustomRule::starters()).map(|(number, rule)| format!("{number} {}: {}", rule.title, rule.text))
}

// Queries.

impl Model {
    /// What the table is doing.
    pub fn stage(&self) -> Stage {
        self.lobby.as_ref().map_or(Stage::Lobby, |lobby| lobby.stage)
    }

    /// The settings as chosen.
    pub fn settings(&self) -> Option<&Settings> {
        self.terms.as_ref().map(|terms| &terms.settings)
    }

    /// The rules that are played, with nothing left out.
    pub fn rules(&self) -> Option<&RulesView> {
        self.terms.as_ref().map(|terms| &terms.rules)
    }

    /// The edition in a few sentences; if the match is scored differently, only its deck.
    pub(crate) fn edition(&self) -> Option<&'static str> {
        let rules = self.rules()?;
        let notes = rulebook::edition_notes(rules.edition);
        let is_printed = rules.scoring == Rules::of(rules.edition).scoring();
        Some(if is_printed { notes.summary } else { notes.deck() })
    }

    /// The colors of the deck.
    pub fn colors(&self) -> &[ColorName] {
        self.rules().map_or(&[], |rules| &rules.colors)
    }

    /// Whether this person is the host.
    pub fn is_host(&self) -> bool {
        self.lobby.as_ref().is_some_and(|lobby| lobby.host.is_some() && lobby.host == self.you)
    }

    /// The person's seat; `None` for an onlooker.
    pub fn seat(&self) -> Option<Seat> {
        self.lobby.as_ref()?.seat_of(self.you?)
    }

    pub(crate) fn chair(&self, seat: Seat) -> Option<&ChairView> {
        self.lobby.as_ref()?.chairs.get(usize::from(seat))
    }

    /// The name on a chair.
    pub fn name(&self, seat: Seat) -> String {
        self.chair(seat).map_or_else(|| format!("Seat {seat}"), |chair| foreign(&chair.name))
    }

    /// All names, by seat.
    pub fn names(&self) -> Vec<String> {
        let chairs = self.lobby.iter().flat_map(|lobby| &lobby.chairs);
        chairs.map(|chair| foreign(&chair.name)).collect()
    }

    /// The scores of the match, by seat.
    pub fn scores(&self) -> &[u32] {
        self.view().map_or(&[], |view| &view.scores)
    }

    /// The person's view of the round.
    pub fn view(&self) -> Option<&ViewForm> {
        self.game.as_ref().map(|game| &game.view)
    }

    /// The cards a player was left with, once a round is over.
    pub fn left_with(&self, seat: Seat) -> &[CardName] {
        let shown = || self.view().and_then(|view| view.shown.get(&seat)).map(Vec::as_slice).unwrap_or_default();
        if self.seat() == Some(seat) { self.hand() } else { shown() }
    }

    /// What a player's cards count, once a round is over.
    pub fn held(&self, seat: Seat) -> u32 {
        let standings = self.game.as_ref().and_then(|game| game.standings.as_ref());
        standings.and_then(|standings| standings.hands.get(usize::from(seat))).copied().unwrap_or(0)
    }

    /// All seats, the best first: by rank, then by who won the round, then by how few cards were left.
    pub fn standings(&self) -> Vec<Seat> {
        let Some(game) = &self.game else { return Vec::new() };
        let ranks = game.standings.as_ref().map(|standings| standings.ranks.as_slice()).unwrap_or_default();
        let winner = game.view.result.as_ref().and_then(|result| result.winner);
        let mut seats: Vec<Seat> = (0..game.view.players).collect();
        seats.sort_by_key(|seat| {
            let rank = ranks.get(usize::from(*seat)).copied().unwrap_or(u8::MAX);
            (rank, winner != Some(*seat), self.left_with(*seat).len())
        });
        seats
    }

    /// The person's hand, sorted.
    pub fn hand(&self) -> &[CardName] {
        self.view().and_then(|view| view.hand.as_deref()).unwrap_or_default()
    }

    /// All legal choices, as the table listed them, without the optional `uno`.
    pub fn legal(&self) -> &[Choice] {
        let playing = self.stage() == Stage::Playing;
        self.game.as_ref().filter(|_| playing).map_or(&[], |game| &game.legal)
    }

    /// The actions among it.
    pub fn actions(&self) -> impl Iterator<Item = &ActionForm> {
        self.legal().iter().filter_map(|choice| match &choice.action {
            ChoiceForm::Action(action) => Some(action),
            ChoiceForm::AnyDiscard(_) => None,
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

    /// The seats that can be caught now.
    pub fn catchable(&self) -> Vec<Seat> {
        let seats = self.actions().filter_map(|action| match action {
            ActionForm::Catch { seat } => Some(*seat),
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

    /// Whether a bot plays for this person.
    pub fn is_away(&self) -> bool {
        self.seat().and_then(|seat| self.chair(seat)).is_some_and(|chair| chair.away.is_some())
    }

    /// Whether the table waits for this person to act in the game.
    pub fn is_my_turn(&self) -> bool {
        let awaited = self.seat().is_some_and(|seat| self.awaited().contains(&seat));
        self.stage() == Stage::Playing && awaited && !self.is_away()
    }

    /// Whether the table waits for this person to do something: act, be ready, judge, decide in the lobby. Nobody waits
    /// for an onlooker, who may act at any time.
    pub fn is_up_to_me(&self) -> bool {
        match self.stage() {
            _ if self.is_dealing() => false,
            _ if self.seat().is_none() => true,
            Stage::Playing => self.is_my_turn() || self.may(RequestKind::Judge),
            Stage::Lobby => true,
            Stage::Scores | Stage::Over => !self.is_ready(),
            Stage::Closed => true,
        }
    }

    /// Whether the cards are about to be dealt, which clients handle by themselves.
    pub fn is_dealing(&self) -> bool {
        self.lobby.as_ref().is_some_and(|lobby| lobby.fair.dealing.is_some())
    }

    /// Whether the host stands in for the owner.
    fn is_acting(&self) -> bool {
        self.lobby.as_ref().is_some_and(|lobby| lobby.acting)
    }

    /// Whether nobody new may enter.
    pub fn is_locked(&self) -> bool {
        self.lobby.as_ref().is_some_and(|lobby| lobby.locked)
    }

    /// Whether the person is ready.
    pub fn is_ready(&self) -> bool {
        self.seat().and_then(|seat| self.chair(seat)).is_some_and(|chair| chair.ready)
    }

    /// Whether the person may make requests of that type now.
    pub fn may(&self, request: RequestKind) -> bool {
        self.own.may.contains(&request)
    }

    /// The time left on the clock that runs, and of how much.
    pub fn clock(&self) -> Option<(Duration, Duration)> {
        let (since, left, of) = self.clock.filter(|_| self.stage() == Stage::Playing)?;
        Some((left.saturating_sub(since.elapsed()), of))
    }

    /// Whether "UNO" could be called with a card that is played soon.
    pub fn can_arm_uno(&self) -> bool {
        self.stage() == Stage::Playing && (self.is_uno_in_reach() || self.is_uno_next())
    }

    /// Whether the next card played leaves one, by what the table says.
    fn is_uno_next(&self) -> bool {
        self.rules().is_some_and(|rules| self.hand().len() == usize::from(rules.uno_from))
    }

    /// Whether some legal action leaves one card, so "UNO" can be called with it.
    pub fn is_uno_in_reach(&self) -> bool {
        self.legal().iter().any(|choice| choice.stakes.uno)
    }

    /// What the table says about an action, "UNO" or not; `None` if it is not possible now.
    pub fn stakes(&self, action: &ActionForm) -> Option<&Stakes> {
        let plain = with_uno(action.clone(), false);
        let is_it = |choice: &&Choice| match (&choice.action, &plain) {
            (ChoiceForm::Action(ActionForm::Discard { cards: legal, .. }), ActionForm::Discard { cards, .. }) => {
                sorted(legal) == sorted(cards)
            }
            (ChoiceForm::Action(legal), _) => *legal == plain,
            (ChoiceForm::AnyDiscard(any), ActionForm::Discard { cards, .. }) => cards.len() == usize::from(any.count),
            (ChoiceForm::AnyDiscard(_), _) => false,
        };
        self.legal().iter().find(is_it).map(|choice| &choice.stakes)
    }
}

/// Cards in canonical order.
pub(crate) fn sorted(cards: &[CardName]) -> Vec<&'static str> {
    let mut names: Vec<&str> = cards.iter().map(|card| card.as_str()).collect();
    names.sort_unstable();
    names
}

/// An action with "UNO" called along with it, or without.
pub(crate) fn with_uno(mut action: ActionForm, called: bool) -> ActionForm {
    if let ActionForm::Play { uno, .. } | ActionForm::Block { uno, .. } | ActionForm::Discard { uno, .. } = &mut action
    {
        *uno = called;
    }
    action
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::scene::{fair, terms, told};

    /// A table of Ann (oneself) and Bob, about which that is told.
    fn lines(past: &serde_json::Value, updates: &[serde_json::Value]) -> Vec<String> {
        let lobby = |bob: &str| {
            let person =
                |number: u32, name: &str| json!({"person": number, "name": name, "seat": null, "connected": true});
            json!({
                "stage": "lobby", "code": "x", "host": 1, "acting": false, "locked": false, "paused": false,
                "fair": fair(), "chairs": [], "people": [person(1, "Ann"), person(2, bob)],
            })
        };
        let welcome = json!({"type": "welcome", "version": 1, "server": "", "table": "x", "you": 1, "last_id": 0});
        let snapshot = json!({
            "type": "snapshot", "seq": 9, "chat": [], "terms": terms(2, &json!({"edition": "original"})),
            "lobby": lobby("Bob"), "own": {"may": [], "muted": [], "kicked": []}, "past": past,
        });
        let mut model = Model::default();
        model.take(&told(welcome));
        model.take(&told(snapshot));
        for (what, seq) in updates.iter().zip(10..) {
            let name = what["name"].as_str().filter(|_| what["person"] == 2).unwrap_or("Bob");
            model.take(&told(json!({"type": "update", "seq": seq, "what": what, "events": [], "lobby": lobby(name)})));
        }
        model.log.iter().map(|line| line.text.to_string()).collect()
    }

    #[test]
    fn a_new_name_is_told_with_the_old_one() {
        let renamed = |person: u32, name: &str| json!({"type": "renamed", "person": person, "name": name});
        let updates = [renamed(2, "Bert"), renamed(2, "Bo"), renamed(1, "Anna")];
        let told = ["Bob is now called Bert.", "Bert is now called Bo.", "Your name is now Anna."];
        assert_eq!(lines(&json!([]), &updates), told);
        let past = json!([
            {"seq": 3, "what": {"type": "joined", "person": 2, "name": "Rob"}, "events": []},
            {"seq": 4, "what": renamed(2, "Bob"), "events": []},
            {"seq": 5, "what": renamed(3, "Cy"), "events": []},
        ]);
        assert_eq!(lines(&past, &[]), ["Rob has joined.", "Rob is now called Bob.", "Somebody is now called Cy."]);
    }
}
