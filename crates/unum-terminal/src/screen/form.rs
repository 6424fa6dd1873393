//! Lists of things to choose, changed with the arrows: the start screen, and what is agreed in the lobby.

use unum_protocol::{SETTINGS, Setting, Settings};

use super::keys::Step;
use crate::settings;

/// A line of such a list, ready to be drawn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The heading above it, where a group begins.
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
    pub(crate) fn of(setting: &Setting, settings: &Settings, heading: Option<&'static str>) -> Entry {
        Entry {
            heading,
            label: settings::label(setting),
            value: Some(settings::value(setting, settings)),
            meaning: settings::meaning(setting, settings),
            typed: settings::is_text(setting),
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

/// The settings a host is about to propose.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Form {
    /// The settings as proposed.
    pub settings: Settings,
    /// The selected line.
    pub cursor: usize,
    /// Whether the table was asked for it.
    pub asked: bool,
}

impl Form {
    /// Nothing is changed yet.
    pub(crate) fn new(settings: Settings) -> Form {
        Form { settings, cursor: 0, asked: false }
    }

    /// The selected setting.
    pub(crate) fn setting(&self) -> &'static Setting {
        self.settings.list().nth(self.cursor).unwrap_or(&SETTINGS[0])
    }

    /// All lines.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        let mut group = None;
        let entry = |setting: &Setting| {
            let begins = group.replace(setting.group) != Some(setting.group);
            Entry::of(setting, &self.settings, begins.then(|| settings::title(setting.group)))
        };
        self.settings.list().map(entry).collect()
    }

    /// Selects another line.
    pub(crate) fn go(&mut self, step: Step) {
        self.cursor = moved(self.cursor, step, self.settings.list().count());
    }

    /// Changes the selected setting.
    pub(crate) fn change(&mut self, forward: bool) {
        self.settings = self.settings.step(self.setting().id, forward);
    }

    /// Types a letter, or takes the last one away.
    pub(crate) fn letter(&mut self, letter: Option<char>) {
        self.settings = settings::letter(self.setting(), &self.settings, letter);
    }
}
