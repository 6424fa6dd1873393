//! The start screen: what to play. Its state, and what keys do to it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unum_protocol::{Group, Level, MAX_NAME, SettingId};
use unum_rules::text::is_invisible;
use unum_rules::{MAX_PLAYERS, rulebook};

use super::form::{Entry, moved};
use super::keys::Step;
use super::look::Paint;
use crate::local::Setup;
use crate::saved::Saved;
use crate::settings;

/// Most bots there can be.
const MOST: usize = MAX_PLAYERS as usize - 1;

/// A line of the start screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Row {
    Continue,
    Begin,
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
    /// Nothing.
    Quit,
    /// Nothing, with Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
    /// Draw everything again.
    Redraw,
}

/// The start screen.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// What the terminal can show.
    pub paint: Paint,
    /// What will be played.
    pub setup: Setup,
    /// The game that can be continued.
    pub saved: Option<Saved>,
    /// Which line is looked at.
    pub cursor: usize,
    /// What is wrong with the choices, or with what is saved.
    pub note: Option<String>,
}

impl Start {
    /// A start screen with these choices made.
    pub(crate) fn new(paint: Paint, setup: Setup, saved: Option<Saved>) -> Start {
        Start { paint, setup, saved, cursor: 0, note: None }
    }

    /// All lines.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let mut rows = Vec::new();
        rows.extend(self.saved.as_ref().map(|_| Row::Continue));
        rows.push(Row::Begin);
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
        let plain = |label, value, meaning| Entry { heading: None, label, value, meaning, typed: row == Row::Name };
        match row {
            Row::Continue => plain("Continue", None, self.saved.as_ref().map(continued).unwrap_or_default()),
            Row::Begin => plain("New game", None, "deal the cards".to_owned()),
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

    /// What the line that is looked at means.
    pub(crate) fn meaning(&self) -> String {
        self.entry(self.row(), false).meaning
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
            (KeyCode::Enter, Row::Continue) => return self.saved.as_ref().map(|saved| Chosen::Continue(saved.number)),
            (KeyCode::Enter, _) => return self.begin(),
            (KeyCode::Up | KeyCode::BackTab, _) => self.go(Step::Up),
            (KeyCode::Down | KeyCode::Tab, _) => self.go(Step::Down),
            (KeyCode::Home | KeyCode::PageUp, _) => self.go(Step::First),
            (KeyCode::End | KeyCode::PageDown, _) => self.go(Step::Last),
            (KeyCode::Backspace, Row::Name) => drop(self.setup.name.pop()),
            (KeyCode::Char(letter), Row::Name) => self.letter(letter),
            (KeyCode::Left | KeyCode::Char('h' | '-'), row) => self.change(row, false),
            (KeyCode::Right | KeyCode::Char('l' | '+' | ' '), row) => self.change(row, true),
            (KeyCode::Char('k'), _) => self.go(Step::Up),
            (KeyCode::Char('j'), _) => self.go(Step::Down),
            (KeyCode::Char('q'), _) => return Some(Chosen::Quit),
            (KeyCode::Char('c'), _) => return self.saved.as_ref().map(|saved| Chosen::Continue(saved.number)),
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
        let code = if matches!(self.row(), Row::Continue | Row::Begin) { KeyCode::Enter } else { KeyCode::Right };
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

    fn begin(&mut self) -> Option<Chosen> {
        if self.setup.name.trim().is_empty() {
            self.setup.name = "Player".to_owned();
        }
        Some(Chosen::Begin(Box::new(self.setup.clone())))
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
            Row::Continue | Row::Begin | Row::Name => {}
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

fn continued(saved: &Saved) -> String {
    let players: Vec<String> = saved.players.iter().map(|player| format!("{} {}", player.name, player.score)).collect();
    let title = rulebook::edition_notes(saved.edition).title;
    format!("game {}: {title}, round {}, {}", saved.number, saved.round, players.join(", "))
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
        Start::new(Paint { colors: Colors::Sixteen, symbols: true }, setup, None)
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
        let keys = [KeyCode::Down, KeyCode::Right, KeyCode::Down, KeyCode::Char('9'), KeyCode::Down, KeyCode::Right];
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
