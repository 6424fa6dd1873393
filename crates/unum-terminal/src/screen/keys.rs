//! Turns keys into intents, without side effects; [`Screen::apply`] carries them out.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use unum_protocol::{RequestKind, Stage};

use super::draft::{Draft, Question};
use super::state::{Answer, Screen, TypingKind};
use crate::settings::is_text;
use crate::words::Show;

/// What a person wants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    /// Select another card, seat or answer.
    Move(Step),
    /// Select the playable card with that number, counted from 0; or play it, if it is selected.
    Number(usize),
    /// Play the selected card, or give the selected answer.
    Choose,
    /// Give this answer.
    Pick(Answer),
    /// Mark a card, or remove the mark.
    Mark,
    /// Confirm the marked cards.
    Confirm,
    /// Begin a decision.
    Begin(Draft),
    /// Carry out a command of the grammar.
    Words(&'static str),
    /// Open the settings.
    Edit,
    /// The next value of the selected setting, or the one before.
    Change(bool),
    /// Propose the settings.
    Agree,
    /// Remove the bot on the selected chair.
    RemoveBot,
    /// Call "UNO", or arm the call.
    Uno,
    /// Why the selected card cannot be played.
    Why,
    /// The keys.
    Help,
    /// Read something.
    Show(Show),
    /// Type something.
    Type(TypingKind),
    /// Another letter.
    Letter(char),
    /// One letter less.
    Erase,
    /// No letter left.
    EraseAll,
    /// An earlier command, or a later one.
    Recall(bool),
    /// The rest of the word.
    Complete,
    /// The typed line is complete.
    Submit,
    /// Open the selected rule.
    Open,
    /// Read on, or back, in the text or the log.
    Scroll(Step),
    /// Close what is open, or drop what was begun.
    Back,
    /// Leave, but ask first.
    Leave,
    /// Leave.
    Quit,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
    /// Draw everything again.
    Redraw,
}

/// Which way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub(crate) enum Step {
    Left,
    Right,
    Up,
    Down,
    PageUp,
    PageDown,
    First,
    Last,
    /// The next card that can be played.
    Next,
    /// The one before.
    Previous,
}

fn step(code: KeyCode) -> Option<Step> {
    Some(match code {
        KeyCode::Left => Step::Left,
        KeyCode::Right => Step::Right,
        KeyCode::Up => Step::Up,
        KeyCode::Down => Step::Down,
        KeyCode::PageUp => Step::PageUp,
        KeyCode::PageDown => Step::PageDown,
        KeyCode::Home => Step::First,
        KeyCode::End => Step::Last,
        KeyCode::Tab => Step::Next,
        KeyCode::BackTab => Step::Previous,
        _ => return None,
    })
}

/// The key with this label in the foot.
pub(crate) fn written(key: &str) -> KeyEvent {
    let code = match key {
        "Enter" => KeyCode::Enter,
        "Esc" => KeyCode::Esc,
        "↑↓" | "up/down" => KeyCode::Down,
        "←→" | "left/right" => KeyCode::Right,
        // "Space" alone or after the arrows.
        word if word.ends_with("Space") => KeyCode::Char(' '),
        word => word.chars().next().map_or(KeyCode::Null, KeyCode::Char),
    };
    code.into()
}

/// What a key means on this screen.
pub(crate) fn intent(screen: &Screen, key: KeyEvent) -> Option<Intent> {
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return control(key.code, screen);
    }
    if key.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    if screen.leaving {
        return leaving(key.code);
    }
    if screen.typing.is_some() {
        return typing(key.code);
    }
    if let Some(open) = &screen.page {
        return page(key.code, open.links.is_some());
    }
    if let Some(form) = &screen.form {
        return change(key.code, is_text(form.setting()));
    }
    decision(screen, key.code).or_else(|| anywhere(screen, key.code))
}

fn control(code: KeyCode, screen: &Screen) -> Option<Intent> {
    match code {
        KeyCode::Char('c') => Some(Intent::Interrupt),
        KeyCode::Char('z') => Some(Intent::Suspend),
        KeyCode::Char('l') => Some(Intent::Redraw),
        KeyCode::Char('u') if screen.typing.is_some() => Some(Intent::EraseAll),
        KeyCode::Char('h') if screen.typing.is_some() => Some(Intent::Erase),
        _ => None,
    }
}

fn leaving(code: KeyCode) -> Option<Intent> {
    match code {
        KeyCode::Char('y' | 'Y' | 'q') | KeyCode::Enter => Some(Intent::Quit),
        KeyCode::Char('n' | 'N') | KeyCode::Esc => Some(Intent::Back),
        _ => None,
    }
}

fn typing(code: KeyCode) -> Option<Intent> {
    match code {
        KeyCode::Char(letter) => Some(Intent::Letter(letter)),
        KeyCode::Backspace => Some(Intent::Erase),
        KeyCode::Up => Some(Intent::Recall(true)),
        KeyCode::Down => Some(Intent::Recall(false)),
        KeyCode::Tab => Some(Intent::Complete),
        KeyCode::Enter => Some(Intent::Submit),
        KeyCode::Esc => Some(Intent::Back),
        _ => None,
    }
}

/// Keys for a text that is read.
pub(super) fn page(code: KeyCode, has_links: bool) -> Option<Intent> {
    match code {
        KeyCode::Enter if has_links => Some(Intent::Open),
        KeyCode::Esc | KeyCode::Enter | KeyCode::Char('q' | '?') => Some(Intent::Back),
        KeyCode::Char(' ') => Some(Intent::Scroll(Step::PageDown)),
        KeyCode::Char('j') => Some(Intent::Scroll(Step::Down)),
        KeyCode::Char('k') => Some(Intent::Scroll(Step::Up)),
        KeyCode::Char(':' | '/') => Some(Intent::Type(TypingKind::Command)),
        code => step(code).map(Intent::Scroll),
    }
}

/// Keys for the settings.
fn change(code: KeyCode, is_text: bool) -> Option<Intent> {
    match code {
        KeyCode::Esc => Some(Intent::Back),
        KeyCode::Enter => Some(Intent::Agree),
        KeyCode::Char(letter) if is_text => Some(Intent::Letter(letter)),
        KeyCode::Backspace if is_text => Some(Intent::Erase),
        KeyCode::Left | KeyCode::Char('h' | '-') => Some(Intent::Change(false)),
        KeyCode::Right | KeyCode::Char('l' | '+' | ' ') => Some(Intent::Change(true)),
        KeyCode::Char('k') => Some(Intent::Move(Step::Up)),
        KeyCode::Char('j') => Some(Intent::Move(Step::Down)),
        KeyCode::Char('q') => Some(Intent::Back),
        KeyCode::Char('?') => Some(Intent::Help),
        code => step(code).map(Intent::Move),
    }
}

/// Keys that answer what is asked.
fn decision(screen: &Screen, code: KeyCode) -> Option<Intent> {
    match (screen.question(), code) {
        (Question::Pick(choices), KeyCode::Char(key)) => {
            let chosen = choices.iter().find(|choice| choice.key == key.to_ascii_lowercase());
            chosen.map(|choice| Intent::Pick(choice.answer))
        }
        (Question::Pick(_), KeyCode::Enter) => Some(Intent::Choose),
        (Question::Mark(..), KeyCode::Char(' ')) => Some(Intent::Mark),
        (Question::Mark(..), KeyCode::Enter) => Some(Intent::Confirm),
        (Question::Open, code) => match screen.model.stage() {
            Stage::Lobby => lobby(screen, code),
            Stage::Playing => playing(screen, code),
            Stage::Scores | Stage::Over => match code {
                KeyCode::Enter | KeyCode::Char('n') => Some(Intent::Words("next")),
                KeyCode::Char('o') => Some(Intent::Words("reopen")),
                _ => None,
            },
            Stage::Closed => None,
        },
        _ => None,
    }
}

fn lobby(screen: &Screen, code: KeyCode) -> Option<Intent> {
    let model = &screen.model;
    let may = |request| model.may(request);
    match code {
        KeyCode::Enter if model.seat().is_none() => Some(Intent::Words("sit")),
        KeyCode::Enter if model.is_host() => Some(Intent::Words("start")),
        KeyCode::Enter if model.is_ready() => Some(Intent::Words("ready no")),
        KeyCode::Enter => Some(Intent::Words("ready")),
        KeyCode::Char('b' | '+') if may(RequestKind::AddBot) => Some(Intent::Begin(Draft::Bot)),
        KeyCode::Char('-') | KeyCode::Delete | KeyCode::Backspace if model.is_host() => Some(Intent::RemoveBot),
        KeyCode::Char('e') if may(RequestKind::Settings) => Some(Intent::Edit),
        KeyCode::Char('o') if may(RequestKind::Lock) && screen.is_remote() => {
            Some(Intent::Words(if model.is_locked() { "unlock" } else { "lock" }))
        }
        KeyCode::Char('s') if may(RequestKind::Stand) => Some(Intent::Words("stand")),
        KeyCode::Char('s') if may(RequestKind::Sit) => Some(Intent::Words("sit")),
        _ => None,
    }
}

fn playing(screen: &Screen, code: KeyCode) -> Option<Intent> {
    match code {
        KeyCode::Enter | KeyCode::Char(' ' | 'p') => Some(Intent::Choose),
        KeyCode::Char(digit @ '1'..='9') => Some(Intent::Number(usize::from(digit as u8 - b'1'))),
        KeyCode::Char('0') => Some(Intent::Number(9)),
        KeyCode::Char('d') => Some(Intent::Words("draw")),
        KeyCode::Char('k') => Some(Intent::Words("keep")),
        KeyCode::Char('t') => Some(Intent::Words("take")),
        KeyCode::Char('c') => Some(Intent::Words("challenge")),
        KeyCode::Char('b') => Some(Intent::Begin(Draft::Block)),
        KeyCode::Char('u') => Some(Intent::Uno),
        KeyCode::Char('x') if screen.model.catchable().len() > 1 => Some(Intent::Begin(Draft::Catch)),
        KeyCode::Char('x') => Some(Intent::Words("catch")),
        KeyCode::Char('a') if screen.is_away() => Some(Intent::Words("autopilot off")),
        KeyCode::Char('a') => Some(Intent::Words("autopilot on")),
        _ => None,
    }
}

/// Keys that mean the same everywhere.
fn anywhere(screen: &Screen, code: KeyCode) -> Option<Intent> {
    match code {
        KeyCode::PageUp => Some(Intent::Scroll(Step::PageUp)),
        KeyCode::PageDown => Some(Intent::Scroll(Step::PageDown)),
        KeyCode::Esc => Some(Intent::Back),
        KeyCode::Char('?') => Some(Intent::Help),
        KeyCode::Char('w') => Some(Intent::Why),
        KeyCode::Char('g') => Some(Intent::Show(Show::Rules(None))),
        KeyCode::Char('l') => Some(Intent::Show(Show::Log)),
        KeyCode::Char('s') => Some(Intent::Show(Show::Table)),
        KeyCode::Char('i') => Some(Intent::Show(Show::People)),
        KeyCode::Char('m' | '\'') if screen.is_remote() => Some(Intent::Type(TypingKind::Chat)),
        KeyCode::Char(':' | '/') => Some(Intent::Type(TypingKind::Command)),
        KeyCode::Char('q') => Some(Intent::Leave),
        code => step(code).map(Intent::Move),
    }
}
