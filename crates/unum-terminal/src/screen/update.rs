//! Intents carried out.

use unum_protocol::{Level, Request, RequestKind, Stage};
use unum_rules::CardName;
use unum_rules::wire::ActionForm;

use super::draft::{self, Draft, Question};
use super::form::Form;
use super::keys::{Intent, Step};
use super::prompt;
use super::state::{Page, Screen, Typing, TypingKind, scrolled};
use super::view::Shape;
use crate::text::text;
use crate::words::{self, Command, Show};

/// How many typed commands are remembered.
const HISTORY: usize = 100;

/// What the loop has to do about it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Effect {
    /// Ask the table.
    Ask(Request),
    /// End.
    Quit,
    /// End as Ctrl-C does.
    Interrupt,
    /// Stop the process until it is continued.
    Suspend,
    /// Draw everything again.
    Redraw,
}

impl Screen {
    /// Carries out an intent, on a screen of that shape.
    pub(crate) fn apply(&mut self, intent: Intent, shape: Shape) -> Vec<Effect> {
        if !matches!(intent, Intent::Scroll(_) | Intent::Redraw | Intent::Suspend) {
            self.note = None;
        }
        match intent {
            Intent::Move(step) => match &mut self.form {
                Some(form) => form.go(step),
                None => self.go(step, shape.columns),
            },
            Intent::Edit => self.edit(),
            Intent::Change(forward) => self.form.iter_mut().for_each(|form| form.change(forward)),
            Intent::Agree => return self.agree(),
            Intent::Number(number) => return self.number(number),
            Intent::Choose => return self.choose(),
            Intent::Pick(answer) if !self.is_busy() => {
                let request = draft::answer(self, answer);
                return self.ask(request);
            }
            Intent::Mark => self.mark(),
            Intent::Confirm if !self.is_busy() => match draft::confirm(self) {
                Ok(request) => return self.ask(request),
                Err(mistake) => self.note = Some(mistake.into()),
            },
            Intent::Begin(draft) => self.begin(draft),
            Intent::Words(words) if !self.is_busy() => return self.carry_out(words),
            Intent::Pick(_) | Intent::Confirm | Intent::Words(_) => {}
            Intent::RemoveBot => return self.remove_bot(),
            Intent::Uno => return self.uno(),
            Intent::Why => return self.why(),
            Intent::Help => self.page = Some(Page::new("Keys", prompt::help(self))),
            Intent::Show(what) => self.open(&what),
            Intent::Type(kind) => self.typing = Some(Typing { kind, text: String::new() }),
            Intent::Letter(letter) => self.letter(letter),
            Intent::Erase => self.erase(),
            Intent::EraseAll => self.typing.iter_mut().for_each(|typing| typing.text.clear()),
            Intent::Recall(back) => self.recall(back),
            Intent::Complete => self.complete(),
            Intent::Submit => return self.submit(),
            Intent::Open => self.open_link(),
            Intent::Scroll(step) => self.scroll(step, shape),
            Intent::Back => self.back_out(),
            Intent::Leave => self.leaving = true,
            Intent::Quit => return vec![Effect::Quit],
            Intent::Interrupt => return vec![Effect::Interrupt],
            Intent::Suspend => return vec![Effect::Suspend],
            Intent::Redraw => return vec![Effect::Redraw],
        }
        Vec::new()
    }

    fn ask(&mut self, requests: impl IntoIterator<Item = Request>) -> Vec<Effect> {
        let requests: Vec<Request> = requests.into_iter().collect();
        requests.iter().for_each(|request| self.model.asked(request));
        requests.into_iter().map(Effect::Ask).collect()
    }

    fn go(&mut self, step: Step, columns: usize) {
        let (place, count) = match self.question() {
            Question::Pick(choices) => (&mut self.option, choices.len()),
            _ if self.model.stage() == Stage::Lobby => (&mut self.cursor, self.model.names().len()),
            _ => {
                let hand = self.model.hand();
                if matches!(step, Step::Next | Step::Previous) {
                    self.cursor = next_playable(hand, self.cursor, step, |card| self.model.is_playable(card));
                    return self.look();
                }
                if matches!(step, Step::Up | Step::Down) {
                    return self.go_row(step, columns);
                }
                (&mut self.cursor, hand.len())
            }
        };
        let last = count.saturating_sub(1);
        *place = match step {
            Step::Left | Step::Up | Step::Previous => place.checked_sub(1).unwrap_or(last),
            Step::Right | Step::Down | Step::Next => {
                if *place >= last {
                    0
                } else {
                    *place + 1
                }
            }
            Step::First | Step::PageUp => 0,
            Step::Last | Step::PageDown => last,
        };
        self.look();
    }

    /// A row up or down in the hand.
    fn go_row(&mut self, step: Step, columns: usize) {
        let count = self.model.hand().len();
        let moved = match step {
            Step::Up => self.cursor.checked_sub(columns),
            _ => Some(self.cursor + columns).filter(|place| *place < count),
        };
        self.cursor = moved.unwrap_or(self.cursor);
        self.look();
    }

    fn number(&mut self, number: usize) -> Vec<Effect> {
        let Some(card) = self.model.playable().get(number).copied() else { return Vec::new() };
        if self.selected() == Some(card) {
            return self.choose();
        }
        self.cursor = self.model.hand().iter().position(|other| *other == card).unwrap_or(self.cursor);
        self.look();
        Vec::new()
    }

    fn choose(&mut self) -> Vec<Effect> {
        if self.is_busy() {
            return Vec::new();
        }
        if let Question::Pick(choices) = self.question() {
            let Some(choice) = choices.get(self.option) else { return Vec::new() };
            let request = draft::answer(self, choice.answer);
            return self.ask(request);
        }
        let Some(card) = self.selected() else { return Vec::new() };
        if self.model.is_playable(card) {
            let request = draft::play(self, card);
            return self.ask(request);
        }
        // It is requested anyway: the refusal says why.
        self.carry_out(&format!("play {}", words::short(card)))
    }

    fn mark(&mut self) {
        let Question::Mark(_, most) = self.question() else { return };
        match self.marks.iter().position(|place| *place == self.cursor) {
            Some(place) => drop(self.marks.remove(place)),
            None if self.marks.len() < most => self.marks.push(self.cursor),
            None => {
                self.note = Some(format!("No more than {most}: space on a marked card takes the mark away.").into())
            }
        }
    }

    fn begin(&mut self, draft: Draft) {
        if draft.is_possible(&self.model) {
            self.drop_draft();
            if draft == Draft::Bot {
                self.option = Level::ALL.iter().position(|level| *level == Level::default()).unwrap_or(0);
            }
            self.draft = Some(draft);
        } else if draft == Draft::Block {
            self.note = Some("There is nothing to block, or nothing to block with.".into());
        }
    }

    fn edit(&mut self) {
        let settings = self.model.settings().filter(|_| self.model.may(RequestKind::Settings));
        self.form = settings.cloned().map(Form::new);
    }

    /// Proposes what the form says. It stays open until the table has agreed.
    fn agree(&mut self) -> Vec<Effect> {
        let Some(form) = self.form.as_mut().filter(|form| !form.asked) else { return Vec::new() };
        let settings = form.settings.clone();
        if self.model.settings() == Some(&settings) {
            self.form = None;
            return Vec::new();
        }
        form.asked = true;
        self.ask([Request::Settings { settings }])
    }

    fn remove_bot(&mut self) -> Vec<Effect> {
        let chairs = self.model.lobby.as_ref().map(|lobby| lobby.chairs.as_slice()).unwrap_or_default();
        let is_bot =
            |place: usize| chairs.get(place).is_some_and(|chair| chair.person.is_none() && chair.bot.is_some());
        let place = Some(self.cursor).filter(|place| is_bot(*place));
        let place = place.or_else(|| (0..chairs.len()).rev().find(|place| is_bot(*place)));
        match place.and_then(|place| place.try_into().ok()) {
            Some(seat) => self.ask([Request::RemoveBot { seat }]),
            None => {
                self.note = Some("There is no bot to remove.".into());
                Vec::new()
            }
        }
    }

    fn uno(&mut self) -> Vec<Effect> {
        if self.can(|action| matches!(action, ActionForm::CallUno {})) {
            return self.ask([Request::Act { action: ActionForm::CallUno {}, at: None }]);
        }
        if self.model.can_arm_uno() {
            self.model.uno_armed = !self.model.uno_armed;
        } else {
            self.note = Some("UNO is called with the card that leaves you one.".into());
        }
        Vec::new()
    }

    fn why(&mut self) -> Vec<Effect> {
        let card = self.selected().filter(|_| self.model.stage() == Stage::Playing);
        match card {
            Some(card) if self.model.is_playable(card) => {
                let lines = vec![
                    text!["You can play ", self.model.card(card), " now: press Enter."],
                    "Esc closes this. Then choose another card and press w again, or g for the rules.".into(),
                ];
                self.page = Some(Page::new("Why", lines));
                Vec::new()
            }
            Some(card) if !self.is_busy() => {
                self.wants_why = true;
                self.carry_out(&format!("why {}", words::short(card)))
            }
            _ => {
                self.open(&Show::Why);
                Vec::new()
            }
        }
    }

    fn letter(&mut self, letter: char) {
        let Some(typing) = &mut self.typing else {
            return self.form.iter_mut().for_each(|form| form.letter(Some(letter)));
        };
        if typing.text.chars().count() < unum_protocol::MAX_CHAT && !letter.is_control() {
            typing.text.push(letter);
        }
    }

    fn erase(&mut self) {
        let Some(typing) = &mut self.typing else {
            return self.form.iter_mut().for_each(|form| form.letter(None));
        };
        if typing.text.pop().is_none() {
            self.typing = None;
        }
    }

    fn submit(&mut self) -> Vec<Effect> {
        let Some(Typing { kind, text }) = self.typing.take() else { return Vec::new() };
        self.page = None;
        match kind {
            _ if text.trim().is_empty() => Vec::new(),
            TypingKind::Command => {
                self.history.retain(|old| *old != text);
                self.history.push(text.clone());
                self.history.drain(..self.history.len().saturating_sub(HISTORY));
                self.carry_out(&text)
            }
            TypingKind::Chat => self.carry_out(&format!("say {text}")),
        }
    }

    /// Replaces the input with an earlier or later command.
    fn recall(&mut self, back: bool) {
        let Some(typing) = self.typing.as_mut().filter(|typing| typing.kind == TypingKind::Command) else { return };
        let at = self.history.iter().position(|old| *old == typing.text).unwrap_or(self.history.len());
        let place = if back { at.checked_sub(1) } else { Some(at + 1) };
        typing.text = place.and_then(|place| self.history.get(place)).cloned().unwrap_or_default();
    }

    /// Completes the word of a command, as far as it is clear.
    fn complete(&mut self) {
        let Some(typing) = self.typing.as_mut().filter(|typing| typing.kind == TypingKind::Command) else { return };
        let mut fitting = words::GRAMMAR.iter().filter(|entry| entry.word.starts_with(typing.text.as_str()));
        if let (Some(entry), None) = (fitting.next(), fitting.next()) {
            typing.text = format!("{} ", entry.word);
        }
    }

    /// Carries out a command of the grammar.
    fn carry_out(&mut self, line: &str) -> Vec<Effect> {
        match words::parse(line, &self.model) {
            Ok(Command::Ask(requests)) => {
                self.drop_draft();
                self.ask(requests)
            }
            Ok(Command::ArmUno) => {
                self.model.uno_armed = true;
                Vec::new()
            }
            Ok(Command::Show(what)) => {
                self.open(&what);
                Vec::new()
            }
            Ok(Command::Quit) => vec![Effect::Quit],
            Err(mistake) => {
                self.wants_why = false;
                self.note = Some(mistake.into());
                Vec::new()
            }
        }
    }

    fn scroll(&mut self, step: Step, shape: Shape) {
        match &mut self.page {
            Some(page) => page.scroll(step, shape),
            None => self.back = scrolled(self.back, step, false, shape),
        }
    }

    fn back_out(&mut self) {
        if self.leaving {
            self.leaving = false;
        } else if self.typing.is_some() {
            self.typing = None;
        } else if let Some(page) = self.page.take() {
            self.page = page.from.map(|from| *from);
        } else if self.form.is_some() {
            self.form = None;
        } else if self.draft.is_some() {
            self.drop_draft();
        } else {
            self.marks.clear();
            self.back = 0;
        }
    }
}

fn next_playable(hand: &[CardName], from: usize, step: Step, playable: impl Fn(CardName) -> bool) -> usize {
    let count = hand.len();
    let places = (1..=count).map(|distance| match step {
        Step::Previous => (from + count - distance % count.max(1)) % count,
        _ => (from + distance) % count,
    });
    let mut places = places
        .filter(|place| hand.get(*place).is_some_and(|card| playable(*card) && hand[from.min(count - 1)] != *card));
    places.next().unwrap_or(from)
}
