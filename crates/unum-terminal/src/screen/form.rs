//! Lists of things to choose, changed with the arrows: the start screen, and what is agreed in the lobby.

use unum_rules::Rules;
use unum_table::wire::Settings;

use super::keys::Step;
use crate::settings::{self, Setting};

/// A line of such a list, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// What stands above it, if something new begins here.
    pub heading: Option<&'static str>,
    /// What it is called.
    pub label: &'static str,
    /// What is chosen there; `None` where there is nothing to choose.
    pub value: Option<String>,
    /// What it means.
    pub meaning: String,
    /// Whether it is typed.
    pub typed: bool,
}

impl Entry {
    /// A setting as a line.
    pub(crate) fn of(setting: Setting, settings: &Settings, heading: Option<&'static str>) -> Entry {
        Entry {
            heading,
            label: setting.label(),
            value: Some(setting.value(settings)),
            meaning: setting.meaning(settings),
            typed: setting.is_text(),
        }
    }
}

/// The place a step leads to, in a list of that length.
pub(crate) fn moved(place: usize, step: Step, count: usize) -> usize {
    let last = count.saturating_sub(1);
    match step {
        Step::Up | Step::Previous | Step::Left => place.checked_sub(1).unwrap_or(last),
        Step::Down | Step::Next | Step::Right if place >= last => 0,
        Step::Down | Step::Next | Step::Right => place + 1,
        Step::First | Step::PageUp => 0,
        Step::Last | Step::PageDown => last,
    }
}

/// What a host is about to agree on with the others.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    /// How it would be.
    pub settings: Settings,
    /// Which line is looked at.
    pub cursor: usize,
}

impl Form {
    /// Nothing is changed yet.
    pub(crate) fn new(settings: Settings) -> Form {
        Form { settings, cursor: 0 }
    }

    fn list(&self) -> Vec<Setting> {
        settings::list(&self.settings, true)
    }

    /// The setting that is looked at.
    pub(crate) fn setting(&self) -> Setting {
        self.list().get(self.cursor).copied().unwrap_or(Setting::Edition)
    }

    /// All lines.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let mut group = None;
        let entry = |setting: Setting| {
            let begins = group.replace(setting.group()) != Some(setting.group());
            Entry::of(setting, &self.settings, begins.then(|| setting.group().title()))
        };
        self.list().into_iter().map(entry).collect()
    }

    /// Looks at another line.
    pub(crate) fn go(&mut self, step: Step) {
        self.cursor = moved(self.cursor, step, self.list().len());
    }

    /// Changes what is looked at.
    pub(crate) fn change(&mut self, by: isize) {
        self.setting().step(&mut self.settings, by);
    }

    /// Types a letter, or takes the last one away.
    pub(crate) fn letter(&mut self, letter: Option<char>) {
        self.setting().letter(&mut self.settings, letter);
    }

    /// Whether so many people and bots can play by it; if not, why not.
    pub(crate) fn check(&self, taken: usize) -> Result<(), String> {
        let players = u8::try_from(taken.max(2)).unwrap_or(u8::MAX);
        let checked = Rules::new(self.settings.rules.clone()).and_then(|rules| rules.check_players(players));
        checked.map_err(|error| error.to_string())?;
        match self.settings.seats < players {
            true => Err(format!("{players} sit at the table already: let there be as many seats.")),
            false => Ok(()),
        }
    }
}
