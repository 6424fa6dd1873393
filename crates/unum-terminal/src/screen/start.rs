//! The start screen: what is to be played. Its state, and what keys do to it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unum_bots::Level;
use unum_rules::{Edition, House, MAX_PLAYERS, Rules, RulesSpec, Stacking, rulebook};
use unum_table::wire::Pace;

use super::look::Paint;
use crate::local::Setup;
use crate::saved::Saved;

/// The longest name.
const LONGEST: usize = 24;
/// The most cards that can be dealt to each.
const MOST_CARDS: u8 = 20;
/// Seconds for a turn.
const CLOCKS: [Option<u16>; 6] = [None, Some(10), Some(20), Some(30), Some(60), Some(120)];

/// A line of the start screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Row {
    Continue,
    Begin,
    Edition,
    Opponents,
    Level,
    Pace,
    Clock,
    Name,
    House(HouseRow),
}

/// A house rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum HouseRow {
    Stacking,
    SevenZero,
    JumpIn,
    DrawToMatch,
    ForcePlay,
    NoBluffing,
    NoChallenges,
    ReverseSkips,
    HandSize,
}

const HOUSE: [HouseRow; 9] = [
    HouseRow::Stacking,
    HouseRow::SevenZero,
    HouseRow::JumpIn,
    HouseRow::DrawToMatch,
    HouseRow::ForcePlay,
    HouseRow::NoBluffing,
    HouseRow::NoChallenges,
    HouseRow::ReverseSkips,
    HouseRow::HandSize,
];

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
    /// Everything is to be drawn again.
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
    /// What is wrong with the choices.
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
        rows.extend([Row::Begin, Row::Edition, Row::Opponents, Row::Level, Row::Pace, Row::Clock, Row::Name]);
        rows.extend(HOUSE.map(Row::House));
        rows
    }

    fn row(&self) -> Row {
        self.rows().get(self.cursor).copied().unwrap_or(Row::Begin)
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
        let last = self.rows().len() - 1;
        match (key.code, self.row()) {
            (KeyCode::Esc, _) => return Some(Chosen::Quit),
            (KeyCode::Enter, Row::Continue) => return self.saved.as_ref().map(|saved| Chosen::Continue(saved.number)),
            (KeyCode::Enter, _) => return self.begin(),
            (KeyCode::Up | KeyCode::BackTab, _) => self.cursor = self.cursor.checked_sub(1).unwrap_or(last),
            (KeyCode::Down | KeyCode::Tab, _) => self.cursor = if self.cursor >= last { 0 } else { self.cursor + 1 },
            (KeyCode::Home | KeyCode::PageUp, _) => self.cursor = 0,
            (KeyCode::End | KeyCode::PageDown, _) => self.cursor = last,
            (KeyCode::Backspace, Row::Name) => drop(self.setup.name.pop()),
            (KeyCode::Char(letter), Row::Name) => self.letter(letter),
            (KeyCode::Left | KeyCode::Char('h' | '-'), row) => self.change(row, -1),
            (KeyCode::Right | KeyCode::Char('l' | '+' | ' '), row) => self.change(row, 1),
            (KeyCode::Char('k'), _) => self.cursor = self.cursor.checked_sub(1).unwrap_or(last),
            (KeyCode::Char('j'), _) => self.cursor = if self.cursor >= last { 0 } else { self.cursor + 1 },
            (KeyCode::Char('q'), _) => return Some(Chosen::Quit),
            (KeyCode::Char('c'), _) => return self.saved.as_ref().map(|saved| Chosen::Continue(saved.number)),
            (KeyCode::Char('n'), _) => return self.begin(),
            (KeyCode::Char(digit @ '1'..='9'), Row::Opponents) => self.opponents(usize::from(digit as u8 - b'0')),
            _ => {}
        }
        None
    }

    fn letter(&mut self, letter: char) {
        if self.setup.name.chars().count() < LONGEST && !letter.is_control() {
            self.setup.name.push(letter);
        }
    }

    fn begin(&mut self) -> Option<Chosen> {
        let players = u8::try_from(self.setup.opponents.len() + 1).unwrap_or(u8::MAX);
        let checked = Rules::new(self.setup.rules.clone()).and_then(|rules| rules.check_players(players));
        if let Err(error) = checked {
            self.note = Some(error.to_string());
            return None;
        }
        if self.setup.name.trim().is_empty() {
            self.setup.name = "Player".to_owned();
        }
        Some(Chosen::Begin(Box::new(self.setup.clone())))
    }

    fn level(&self) -> Level {
        self.setup.opponents.first().copied().unwrap_or(Level::Normal)
    }

    fn opponents(&mut self, count: usize) {
        let count = count.clamp(1, usize::from(MAX_PLAYERS) - 1);
        let level = self.level();
        self.setup.opponents.resize(count, level);
    }

    fn change(&mut self, row: Row, by: isize) {
        let setup = &mut self.setup;
        match row {
            Row::Continue | Row::Begin | Row::Name => {}
            Row::Edition => {
                let edition = turn(&Edition::ALL, setup.rules.edition, by);
                let house = setup.rules.house.clone();
                setup.rules = RulesSpec { house, ..RulesSpec::of(edition) };
            }
            Row::Opponents => {
                let count = setup.opponents.len().saturating_add_signed(by);
                self.opponents(count);
            }
            Row::Level => {
                let level = turn(&Level::ALL, self.level(), by);
                self.setup.opponents.fill(level);
            }
            Row::Pace => setup.pace = turn(&[Pace::Relaxed, Pace::Brisk, Pace::Instant], setup.pace, by),
            Row::Clock => setup.clock = turn(&CLOCKS, setup.clock, by),
            Row::House(rule) => change_house(&mut setup.rules.house, rule, by),
        }
    }

    /// What a line is called.
    pub(crate) fn label(&self, row: Row) -> &'static str {
        match row {
            Row::Continue => "Continue",
            Row::Begin => "New game",
            Row::Edition => "Edition",
            Row::Opponents => "Opponents",
            Row::Level => "Level",
            Row::Pace => "Pace",
            Row::Clock => "Clock",
            Row::Name => "Your name",
            Row::House(HouseRow::Stacking) => "Stacking",
            Row::House(HouseRow::SevenZero) => "Seven and zero",
            Row::House(HouseRow::JumpIn) => "Jump in",
            Row::House(HouseRow::DrawToMatch) => "Draw to match",
            Row::House(HouseRow::ForcePlay) => "Force play",
            Row::House(HouseRow::NoBluffing) => "No bluffing",
            Row::House(HouseRow::NoChallenges) => "No challenges",
            Row::House(HouseRow::ReverseSkips) => "Reverse for two",
            Row::House(HouseRow::HandSize) => "Cards dealt",
        }
    }

    /// What is chosen there; `None` where there is nothing to choose.
    pub(crate) fn value(&self, row: Row) -> Option<String> {
        let on = |on: bool| if on { "on" } else { "off" }.to_owned();
        let house = &self.setup.rules.house;
        Some(match row {
            Row::Continue | Row::Begin => return None,
            Row::Edition => rulebook::edition_notes(self.setup.rules.edition).title.to_owned(),
            Row::Opponents => self.setup.opponents.len().to_string(),
            Row::Level => {
                let mixed = self.setup.opponents.iter().any(|level| *level != self.level());
                if mixed { "mixed".to_owned() } else { self.level().id().to_owned() }
            }
            Row::Pace => match self.setup.pace {
                Pace::Relaxed => "relaxed",
                Pace::Brisk => "brisk",
                Pace::Instant => "instant",
            }
            .to_owned(),
            Row::Clock => self.setup.clock.map_or("off".to_owned(), |seconds| format!("{seconds} s")),
            Row::Name => self.setup.name.clone(),
            Row::House(HouseRow::Stacking) => match house.stacking {
                Stacking::Off => "off",
                Stacking::Same => "same",
                Stacking::Any => "any",
            }
            .to_owned(),
            Row::House(HouseRow::SevenZero) => on(house.seven_zero),
            Row::House(HouseRow::JumpIn) => on(house.jump_in),
            Row::House(HouseRow::DrawToMatch) => on(house.draw_to_match),
            Row::House(HouseRow::ForcePlay) => on(house.force_play),
            Row::House(HouseRow::NoBluffing) => on(house.no_bluffing),
            Row::House(HouseRow::NoChallenges) => on(house.no_challenges),
            Row::House(HouseRow::ReverseSkips) => on(house.reverse_skips_with_two),
            Row::House(HouseRow::HandSize) => house.hand_size.map_or("as printed".to_owned(), |size| size.to_string()),
        })
    }

    /// What it means.
    pub(crate) fn meaning(&self, row: Row) -> String {
        match row {
            Row::Continue => self.saved.as_ref().map(continued).unwrap_or_default(),
            Row::Begin => "deal the cards".to_owned(),
            Row::Edition => rulebook::edition_notes(self.setup.rules.edition).summary.to_owned(),
            Row::Opponents => "bots, 1 to 9".to_owned(),
            Row::Level => match self.level() {
                Level::Random => "plays any card that fits",
                Level::Easy => "makes the mistakes people make",
                Level::Normal => "plays sensibly, without tricks",
                Level::Hard => "counts cards, remembers, bluffs",
                Level::Expert => "thinks ahead",
            }
            .to_owned(),
            Row::Pace => "how fast the bots act".to_owned(),
            Row::Clock => "seconds for your turn; a bot plays on when they are over".to_owned(),
            Row::Name => "type it".to_owned(),
            Row::House(HouseRow::Stacking) => "answer an attack with an attack: the same kind, or any".to_owned(),
            Row::House(HouseRow::SevenZero) => "a 7 swaps hands, a 0 passes all hands on".to_owned(),
            Row::House(HouseRow::JumpIn) => "an identical colored card out of turn".to_owned(),
            Row::House(HouseRow::DrawToMatch) => "draw until a card can be played".to_owned(),
            Row::House(HouseRow::ForcePlay) => "who can play must".to_owned(),
            Row::House(HouseRow::NoBluffing) => "a Wild Draw Four only when it is allowed".to_owned(),
            Row::House(HouseRow::NoChallenges) => "a Wild Draw Four at any time".to_owned(),
            Row::House(HouseRow::ReverseSkips) => "with two players a Reverse acts as a Skip".to_owned(),
            Row::House(HouseRow::HandSize) => "cards for each player, 1 to 20".to_owned(),
        }
    }
}

fn continued(saved: &Saved) -> String {
    let players: Vec<String> = saved.players.iter().map(|player| format!("{} {}", player.name, player.score)).collect();
    let title = rulebook::edition_notes(saved.edition).title;
    format!("game {}: {title}, round {}, {}", saved.number, saved.round, players.join(", "))
}

/// The value after or before this one, around the end.
fn turn<T: Copy + PartialEq>(all: &[T], value: T, by: isize) -> T {
    let place = all.iter().position(|other| *other == value).unwrap_or(0);
    let place = (place + all.len()).saturating_add_signed(by) % all.len();
    all[place]
}

fn change_house(house: &mut House, rule: HouseRow, by: isize) {
    match rule {
        HouseRow::Stacking => {
            house.stacking = turn(&[Stacking::Off, Stacking::Same, Stacking::Any], house.stacking, by)
        }
        HouseRow::SevenZero => house.seven_zero = !house.seven_zero,
        HouseRow::JumpIn => house.jump_in = !house.jump_in,
        HouseRow::DrawToMatch => house.draw_to_match = !house.draw_to_match,
        HouseRow::ForcePlay => house.force_play = !house.force_play,
        HouseRow::NoBluffing => {
            house.no_bluffing = !house.no_bluffing;
            house.no_challenges &= !house.no_bluffing;
        }
        HouseRow::NoChallenges => {
            house.no_challenges = !house.no_challenges;
            house.no_bluffing &= !house.no_challenges;
        }
        HouseRow::ReverseSkips => house.reverse_skips_with_two = !house.reverse_skips_with_two,
        HouseRow::HandSize => {
            let all: Vec<Option<u8>> = std::iter::once(None).chain((1..=MOST_CARDS).map(Some)).collect();
            house.hand_size = turn(&all, house.hand_size, by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Start {
        let setup = Setup {
            name: "You".to_owned(),
            rules: RulesSpec::of(Edition::Original),
            opponents: vec![Level::Normal; 3],
            clock: None,
            pace: Pace::Brisk,
        };
        Start::new(Paint { colors: true, symbols: true }, setup, None)
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
        assert_eq!((setup.rules.edition, setup.opponents), (Edition::Fairies, vec![Level::Hard; 9]));
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
    fn every_line_can_be_changed_all_the_way_round() {
        let mut start = start();
        for (place, row) in start.rows().into_iter().enumerate() {
            start.cursor = place;
            let before = start.value(row);
            for code in [KeyCode::Right, KeyCode::Left] {
                for _ in 0..60 {
                    press(&mut start, &[code]);
                    assert!(!start.meaning(row).is_empty() && !start.label(row).is_empty());
                }
            }
            if !matches!(row, Row::Opponents) {
                assert_eq!(start.value(row), before, "{row:?}");
            }
        }
    }

    #[test]
    fn what_cannot_be_played_is_said_at_once() {
        let mut start = start();
        start.setup.opponents = vec![Level::Easy; 9];
        start.setup.rules.house.hand_size = Some(20);
        assert_eq!(press(&mut start, &[KeyCode::Enter]), None);
        assert!(start.note.is_some());
    }
}
