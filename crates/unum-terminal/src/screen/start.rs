//! The start screen: what to play. Its state, and what keys do to it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unum_protocol::{Group, Level, MAX_NAME, SettingId};
use unum_rules::text::is_invisible;
use unum_rules::{MAX_PLAYERS, rulebook};

use super::form::{Entry, moved};
use super::keys::{self, Intent, Step};
use super::look::Paint;
use super::state::Page;
use super::view::Shape;
use crate::local::Setup;
use crate::saved::Saved;
use crate::settings;
use crate::text::Text;
use crate::visits::Visit;

/// The longest link that can be typed, in characters.
const LONGEST: usize = 200;

/// Most bots there can be.
const MOST: usize = MAX_PLAYERS as usize - 1;

/// A line of the start screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Row {
    Continue,
    Begin,
    Server,
    Opponents,
    Level,
    Name,
    Setting(SettingId),
}

/// What was chosen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Chosen {
    /// A new game.
    Begin(Box<Setup>),
    /// The saved game of that number.
    Continue(u32),
    /// A table on a server, by its link; or the server to open one on.
    Join(String),
    /// Nothing.
    Quit,
    /// Nothing, with Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
    /// Draw everything again.
    Redraw,
}

/// Something that can be continued.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unfinished {
    /// A game against bots.
    Game(Saved),
    /// A table on a server.
    Table(Visit),
}

impl Unfinished {
    /// Everything that can be continued, the latest first.
    pub(crate) fn sorted(games: Vec<Saved>, tables: Vec<Visit>) -> Vec<Unfinished> {
        let games = games.into_iter().map(|game| (game.last, Unfinished::Game(game)));
        let tables = tables.into_iter().map(|visit| (visit.last, Unfinished::Table(visit)));
        let mut all: Vec<(u64, Unfinished)> = games.chain(tables).collect();
        all.sort_by_key(|(last, _)| std::cmp::Reverse(*last));
        all.into_iter().map(|(_, unfinished)| unfinished).collect()
    }

    fn name(&self) -> String {
        match self {
            Unfinished::Game(saved) => format!("game {}", saved.number),
            Unfinished::Table(visit) => visit.code().to_owned(),
        }
    }

    fn meaning(&self) -> String {
        match self {
            Unfinished::Game(saved) => {
                let players = saved.players.iter().map(|player| format!("{} {}", player.name, player.score));
                let players: Vec<String> = players.collect();
                let title = rulebook::edition_notes(saved.edition).title;
                format!("{title}, round {}, {}", saved.round, players.join(", "))
            }
            Unfinished::Table(visit) => format!("the table {}", visit.link),
        }
    }

    fn chosen(&self) -> Chosen {
        match self {
            Unfinished::Game(saved) => Chosen::Continue(saved.number),
            Unfinished::Table(visit) => Chosen::Join(visit.link.clone()),
        }
    }
}

/// The start screen.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// What the terminal can show.
    pub paint: Paint,
    /// What will be played.
    pub setup: Setup,
    /// What can be continued, the latest first.
    pub unfinished: Vec<Unfinished>,
    /// Which of it is looked at.
    pub which: usize,
    /// The link or address that is being typed.
    pub server: String,
    /// A text that is being read.
    pub page: Option<Page>,
    /// The selected line.
    pub cursor: usize,
    /// What is wrong with the choices, or with what is saved.
    pub note: Option<String>,
}

impl Start {
    /// A start screen with these choices made.
    pub(crate) fn new(paint: Paint, setup: Setup, unfinished: Vec<Unfinished>) -> Start {
        Start { paint, setup, unfinished, which: 0, server: String::new(), page: None, cursor: 0, note: None }
    }

    /// All lines.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        rows.extend(self.unfinished.first().map(|_| Row::Continue));
        rows.extend([Row::Begin, Row::Server]);
        for setting in settings::list(&self.setup.settings, false) {
            // Who plays comes after what is played, before how.
            if setting.id == SettingId::Scoring {
                rows.extend([Row::Opponents, Row::Level]);
            }
            if setting.group == Group::House && !rows.contains(&Row::Name) {
                rows.push(Row::Name);
            }
            rows.push(Row::Setting(setting.id));
        }
        rows
    }

    /// All lines, ready to be drawn.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let rows = self.rows();
        let house = rows.iter().position(|row| matches!(row, Row::Setting(id) if id.setting().group == Group::House));
        let entry = |(place, row): (usize, &Row)| self.entry(*row, Some(place) == house);
        rows.iter().enumerate().map(entry).collect()
    }

    fn entry(&self, row: Row, is_first_house: bool) -> Entry {
        let plain = |label, value, meaning| Entry { heading: None, label, value, meaning, typed: is_typed(row) };
        match row {
            Row::Continue => {
                let shown = self.unfinished.get(self.which);
                plain("Continue", shown.map(Unfinished::name), shown.map(Unfinished::meaning).unwrap_or_default())
            }
            Row::Begin => plain("New game", None, "against bots, by the rules below".to_owned()),
            Row::Server => {
                let meaning = "type an invite link, or an address to open a table there".to_owned();
                plain("On a server", Some(self.server.clone()), meaning)
            }
            Row::Opponents => {
                plain("Opponents", Some(self.setup.opponents.len().to_string()), format!("bots, 1 to {MOST}"))
            }
            Row::Level => {
                let mixed = self.setup.opponents.iter().any(|level| *level != self.level());
                let value = if mixed { "mixed" } else { self.level().id() };
                plain("Level", Some(value.to_owned()), skill(self.level()).to_owned())
            }
            Row::Name => plain("Your name", Some(self.setup.name.clone()), "type it".to_owned()),
            Row::Setting(id) => {
                let heading = is_first_house.then(|| settings::title(Group::House));
                Entry::of(id.setting(), &self.setup.settings, heading)
            }
        }
    }

    fn row(&self) -> Row {
        self.rows().get(self.cursor).copied().unwrap_or(Row::Begin)
    }

    /// What the selected line means.
    pub(crate) fn meaning(&self) -> String {
        self.entry(self.row(), false).meaning
    }

    /// Takes a key while a text is read.
    pub(crate) fn read(&mut self, key: KeyEvent, shape: Shape) {
        match keys::page(key.code, false) {
            Some(Intent::Scroll(step)) => self.page.iter_mut().for_each(|page| page.scroll(step, shape)),
            Some(Intent::Back) => self.page = None,
            _ => {}
        }
    }

    /// Takes a key.
    pub(crate) fn key(&mut self, key: KeyEvent) -> Option<Chosen> {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Some(Chosen::Interrupt),
                KeyCode::Char('z') => Some(Chosen::Suspend),
                KeyCode::Char('l') => Some(Chosen::Redraw),
                _ => None,
            };
        }
        self.note = None;
        match (key.code, self.row()) {
            (KeyCode::Esc, _) => return Some(Chosen::Quit),
            (KeyCode::Enter, Row::Continue) => return self.resume(),
            (KeyCode::Enter, Row::Server) => return self.join(),
            (KeyCode::Enter, _) => return self.begin(),
            (KeyCode::Up | KeyCode::BackTab, _) => self.go(Step::Up),
            (KeyCode::Down | KeyCode::Tab, _) => self.go(Step::Down),
            (KeyCode::Home | KeyCode::PageUp, _) => self.go(Step::First),
            (KeyCode::End | KeyCode::PageDown, _) => self.go(Step::Last),
            (KeyCode::Backspace, Row::Name) => drop(self.setup.name.pop()),
            (KeyCode::Backspace, Row::Server) => drop(self.server.pop()),
            (KeyCode::Char(letter), Row::Name) => self.letter(letter),
            (KeyCode::Char(letter), Row::Server) => self.letter_of_link(letter),
            (KeyCode::Char('?'), _) => self.page = Some(Page::new("Help", help())),
            (KeyCode::Left | KeyCode::Char('h' | '-'), row) => self.change(row, false),
            (KeyCode::Right | KeyCode::Char('l' | '+' | ' '), row) => self.change(row, true),
            (KeyCode::Char('k'), _) => self.go(Step::Up),
            (KeyCode::Char('j'), _) => self.go(Step::Down),
            (KeyCode::Char('q'), _) => return Some(Chosen::Quit),
            (KeyCode::Char('c'), _) => return self.resume(),
            (KeyCode::Char('n'), _) => return self.begin(),
            (KeyCode::Char(digit @ '1'..='9'), Row::Opponents) => self.opponents(usize::from(digit as u8 - b'0')),
            _ => {}
        }
        None
    }

    /// A click looks at a line; another one changes it, or begins.
    pub(crate) fn click(&mut self, entry: usize) -> Option<Chosen> {
        if self.cursor != entry {
            self.cursor = entry;
            return None;
        }
        let begins = matches!(self.row(), Row::Continue | Row::Begin | Row::Server);
        let code = if begins { KeyCode::Enter } else { KeyCode::Right };
        self.key(code.into())
    }

    fn go(&mut self, step: Step) {
        self.cursor = moved(self.cursor, step, self.rows().len());
    }

    fn letter(&mut self, letter: char) {
        if self.setup.name.chars().count() < MAX_NAME && !is_invisible(letter) {
            self.setup.name.push(letter);
        }
    }

    fn letter_of_link(&mut self, letter: char) {
        if self.server.chars().count() < LONGEST && !is_invisible(letter) && letter != ' ' {
            self.server.push(letter);
        }
    }

    fn resume(&self) -> Option<Chosen> {
        self.unfinished.get(self.which).map(Unfinished::chosen)
    }

    fn join(&mut self) -> Option<Chosen> {
        if self.server.is_empty() {
            self.note = Some("Type an invite link such as https://uno.example.org/t/CODE, then Enter.".to_owned());
            return None;
        }
        self.name_me();
        Some(Chosen::Join(self.server.clone()))
    }

    fn begin(&mut self) -> Option<Chosen> {
        self.name_me();
        Some(Chosen::Begin(Box::new(self.setup.clone())))
    }

    /// Nobody is without a name.
    fn name_me(&mut self) {
        if self.setup.name.trim().is_empty() {
            self.setup.name = "Player".to_owned();
        }
    }

    fn level(&self) -> Level {
        self.setup.opponents.first().copied().unwrap_or_default()
    }

    fn opponents(&mut self, count: usize) {
        let count = count.clamp(1, MOST);
        let level = self.level();
        self.setup.opponents.resize(count, level);
    }

    fn change(&mut self, row: Row, forward: bool) {
        let by = if forward { 1 } else { -1 };
        match row {
            Row::Begin | Row::Server | Row::Name => {}
            Row::Continue => {
                let step = if forward { Step::Down } else { Step::Up };
                self.which = moved(self.which, step, self.unfinished.len());
            }
            Row::Opponents => self.opponents(self.setup.opponents.len().saturating_add_signed(by)),
            Row::Level => {
                let place = Level::ALL.iter().position(|level| *level == self.level()).unwrap_or(0);
                let count = Level::ALL.len();
                self.setup.opponents.fill(Level::ALL[(place + count).saturating_add_signed(by) % count]);
            }
            Row::Setting(id) => self.setup.settings = self.setup.settings.step(id, forward),
        }
    }
}

fn skill(level: Level) -> &'static str {
    match level {
        Level::Random => "plays any card that fits",
        Level::Easy => "makes the mistakes people make",
        Level::Normal => "plays sensibly, without tricks",
        Level::Hard => "counts cards, remembers, bluffs",
        Level::Expert => "thinks ahead",
    }
}

fn is_typed(row: Row) -> bool {
    matches!(row, Row::Name | Row::Server)
}

/// What can be done here.
fn help() -> Vec<Text> {
    let lines = [
        "Up and down choose a line, left and right change it. Enter begins.",
        "Continue (c): the game you played last. Left and right show older ones, and tables on servers.",
        "New game (n): against bots, by the rules below. It is saved as you play.",
        "On a server: type an invite link to sit down at a table, or the address of a server to open one there; then Enter.",
        "Opponents: type a number from 1 to 9. Your name: type it.",
        "The foot of the screen says what each line means.",
        "",
        "How to play: be the first to get rid of all your cards. Play a card that matches the top card by color, number or \
         symbol, or a wild; or draw one. Call UNO with the card that leaves you one.",
        "During a game, ? lists the keys, w says why a card cannot be played, g shows the rules. unum rules prints them.",
    ];
    lines.into_iter().map(Text::from).collect()
}

#[cfg(test)]
mod tests {
    use unum_protocol::Settings;
    use unum_rules::Edition;

    use super::super::look::Colors;
    use super::*;

    fn start() -> Start {
        let setup = Setup {
            name: "You".to_owned(),
            settings: Settings { clock: None, ..Settings::default() },
            opponents: vec![Level::Normal; 3],
        };
        Start::new(Paint { colors: Colors::Sixteen, symbols: true }, setup, Vec::new())
    }

    fn with(words: &str, start: &Start) -> Settings {
        let settings = &start.setup.settings;
        settings::apply(settings, &settings::parse(settings, words).unwrap()).unwrap()
    }

    fn press(start: &mut Start, codes: &[KeyCode]) -> Option<Chosen> {
        codes.iter().filter_map(|code| start.key((*code).into())).last()
    }

    #[test]
    fn keys_choose_what_is_played() {
        let mut start = start();
        let keys = [
            KeyCode::Down,
            KeyCode::Down,
            KeyCode::Right,
            KeyCode::Down,
            KeyCode::Char('9'),
            KeyCode::Down,
            KeyCode::Right,
        ];
        assert_eq!(press(&mut start, &keys), None);
        let Some(Chosen::Begin(setup)) = press(&mut start, &[KeyCode::Enter]) else { panic!("no game") };
        assert_eq!((setup.settings.rules.edition, setup.opponents), (Edition::Fairies, vec![Level::Hard; 9]));
    }

    #[test]
    fn a_name_is_typed_and_never_empty() {
        let mut start = start();
        start.cursor = start.rows().iter().position(|row| *row == Row::Name).unwrap();
        press(&mut start, &[KeyCode::Backspace, KeyCode::Backspace, KeyCode::Backspace, KeyCode::Char('q')]);
        assert_eq!(start.setup.name, "q");
        press(&mut start, &[KeyCode::Backspace, KeyCode::Backspace, KeyCode::Enter]);
        assert_eq!(start.setup.name, "Player");
    }

    #[test]
    fn what_was_left_unfinished_can_be_chosen() {
        let saved = |number, last| Saved {
            number,
            began: 0,
            last,
            edition: Edition::Frozen,
            round: 2,
            players: Vec::new(),
            finished: false,
            matches: 0,
        };
        let visit = Visit { link: "http://host:8080/t/k3m9pqx7t".to_owned(), last: 20 };
        let mut start = start();
        start.unfinished = Unfinished::sorted(vec![saved(1, 10), saved(2, 30)], vec![visit.clone()]);
        assert_eq!(press(&mut start, &[KeyCode::Enter]), Some(Chosen::Continue(2)));
        assert_eq!(press(&mut start, &[KeyCode::Right, KeyCode::Enter]), Some(Chosen::Join(visit.link)));
        assert_eq!(press(&mut start, &[KeyCode::Right, KeyCode::Enter]), Some(Chosen::Continue(1)));
    }

    #[test]
    fn a_link_is_typed_and_an_empty_one_is_asked_for() {
        let mut start = start();
        start.cursor = start.rows().iter().position(|row| *row == Row::Server).unwrap();
        assert_eq!(press(&mut start, &[KeyCode::Enter]), None);
        assert!(start.note.as_ref().is_some_and(|note| note.contains("link")), "{:?}", start.note);
        let typed: Vec<KeyCode> = "host?:8080".chars().map(KeyCode::Char).collect();
        press(&mut start, &typed);
        assert_eq!(press(&mut start, &[KeyCode::Enter]), Some(Chosen::Join("host?:8080".to_owned())));
    }

    #[test]
    fn help_opens_scrolls_and_closes() {
        let mut start = start();
        press(&mut start, &[KeyCode::Char('?')]);
        let shape = Shape { columns: 0, rows: 4, lines: 10 };
        let top = |start: &Start| start.page.as_ref().map(|page| page.top);
        start.read(KeyCode::End.into(), shape);
        assert_eq!(top(&start), Some(6));
        start.read(KeyCode::Up.into(), shape);
        assert_eq!(top(&start), Some(5));
        start.read(KeyCode::Esc.into(), shape);
        assert_eq!(top(&start), None);
    }

    #[test]
    fn every_line_can_be_changed_there_and_back() {
        let mut start = start();
        for place in 0..start.rows().len() {
            start.cursor = place;
            let before = start.entries()[place].clone();
            for code in [KeyCode::Right, KeyCode::Left] {
                for _ in 0..5 {
                    press(&mut start, &[code]);
                    assert!(start.entries().iter().all(|entry| !entry.meaning.is_empty() && !entry.label.is_empty()));
                }
            }
            assert_eq!(start.entries()[place].value, before.value, "{before:?}");
        }
    }

    #[test]
    fn lines_come_with_what_they_depend_on() {
        let mut start = start();
        let labels = |start: &Start| start.entries().iter().map(|entry| entry.label).collect::<Vec<_>>();
        assert!(!labels(&start).contains(&"Card 1") && !labels(&start).contains(&"Points"));
        start.setup.settings = with("edition custom", &start);
        start.setup.settings = with("scoring first_to 200", &start);
        assert!(labels(&start).contains(&"Card 3") && labels(&start).contains(&"Points"));
        assert_eq!(start.entries().iter().filter(|entry| entry.heading.is_some()).count(), 1);
    }
}
