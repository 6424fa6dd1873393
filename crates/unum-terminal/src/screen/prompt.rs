//! The question and the keys that answer it: the foot of the screen.

use unum_protocol::{Choice, RequestKind, Stage};
use unum_rules::wire::{ActionForm, ChoiceForm, PhaseForm};
use unum_rules::{CardName, Stakes};

use super::draft::{Draft, Question};
use super::state::{Answer, Screen};
use crate::model::Model;
use crate::story::{count, foreign, listed};
use crate::text::{Text, text};
use crate::{settings, status};

/// A key and what it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    /// The key as it is written on it.
    pub key: String,
    /// What it does.
    pub does: Text,
}

pub(crate) fn key(key: impl ToString, does: impl Into<Text>) -> Key {
    Key { key: key.to_string(), does: does.into() }
}

/// What is asked now, in a sentence or two.
pub(crate) fn question(screen: &Screen) -> Text {
    let model = &screen.model;
    if screen.leaving {
        let folder = &screen.whereabouts.folder;
        return match (screen.whereabouts.saved, screen.invitation()) {
            (Some(number), _) if model.stage() == Stage::Over => {
                format!("Leave? Saved as game {number}: unum replay {number}{folder} shows the match again.").into()
            }
            (Some(number), _) => {
                format!("Leave? Saved as game {number}: unum play --continue{folder} resumes it.").into()
            }
            (None, Some(link)) if model.seat().is_some() => {
                format!("Leave? Your seat is kept: unum play {link}{folder} takes you back.").into()
            }
            (None, Some(link)) => format!("Leave? unum play {link}{folder} takes you back.").into(),
            (None, None) if model.seat().is_some() => "Leave? Your seat is kept.".into(),
            (None, None) => "Leave?".into(),
        };
    }
    if let Some(form) = &screen.form {
        return sentence(&settings::meaning(form.setting(), &form.settings)).into();
    }
    if let Some(draft) = &screen.draft {
        return drafted(draft, screen);
    }
    match model.stage() {
        Stage::Lobby => lobby(screen).into(),
        Stage::Playing => playing(screen),
        Stage::Scores if model.is_ready() => "The next round is dealt when everybody is ready.".into(),
        Stage::Over if model.is_ready() => "Another match begins when everybody is ready.".into(),
        Stage::Scores => "The round is over.".into(),
        Stage::Over => "The match is over.".into(),
        Stage::Closed => "The table is closed.".into(),
    }
}

/// A note as a sentence.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let text: String = letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default();
    if text.ends_with(['.', '!', '?']) { text } else { format!("{text}.") }
}

fn lobby(screen: &Screen) -> String {
    let Some(lobby) = &screen.model.lobby else { return "Waiting for the table.".to_owned() };
    let host = screen.model.is_host();
    let least = screen.model.rules().map_or(0, |rules| usize::from(rules.players.least));
    let waiting: Vec<String> = lobby
        .chairs
        .iter()
        .filter(|chair| chair.bot.is_none() && !chair.ready && chair.person != lobby.host)
        .map(|chair| foreign(&chair.name))
        .collect();
    match (screen.model.seat().is_some(), host) {
        (false, _) => "You are watching. Take a seat to play.".to_owned(),
        (true, true) if lobby.chairs.len() < least => {
            "You are the host. Add a bot, or invite somebody with the link.".to_owned()
        }
        (true, true) if !waiting.is_empty() => format!("You are the host. {} not ready yet.", are(&waiting)),
        (true, true) => "You are the host. Everybody is ready.".to_owned(),
        (true, false) if screen.model.is_ready() => "You are ready. The host deals.".to_owned(),
        (true, false) => "Being ready means that you accept the settings. Press i to read them all.".to_owned(),
    }
}

fn are(names: &[String]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", listed(names))
}

fn drafted(draft: &Draft, screen: &Screen) -> Text {
    let model = &screen.model;
    match (draft, screen.question()) {
        (Draft::Play { card, .. }, Question::Mark(_, most)) => {
            let along = format!(": which cards go along? Up to {most}, or none.");
            text![model.card(*card), along]
        }
        (Draft::Play { card, .. }, Question::Pick(choices))
            if matches!(choices.first().map(|choice| choice.answer), Some(Answer::Seat(_))) =>
        {
            text![model.card(*card), ": swap hands with whom?"]
        }
        (Draft::Play { card, .. }, _) => match bluff(*card, model) {
            Some(warning) => text![model.card(*card), ": which color? ", warning],
            None => text![model.card(*card), ": which color?"],
        },
        (Draft::Block, _) => "Flitterific! blocks the attack. Which color?".into(),
        (Draft::Catch, _) => "Catch whom?".into(),
        (Draft::Bot, _) => "Bot level?".into(),
    }
}

/// The warning that a play would be a bluff, as the table says.
fn bluff(card: CardName, model: &Model) -> Option<&'static str> {
    let bluffs = |choice: &Choice| choice.stakes.bluff && plays(choice, card);
    model
        .legal()
        .iter()
        .any(bluffs)
        .then_some("That would be a bluff: if it is challenged, you draw the cards yourself.")
}

fn plays(choice: &Choice, card: CardName) -> bool {
    matches!(&choice.action, ChoiceForm::Action(ActionForm::Play { card: legal, .. }) if *legal == card)
}

fn playing(screen: &Screen) -> Text {
    let model = &screen.model;
    if screen.is_away() {
        return "A bot plays for you.".into();
    }
    let phase = model.view().map(|view| &view.phase).filter(|_| model.is_my_turn());
    match phase {
        Some(PhaseForm::Turn { .. }) => turn(screen).into(),
        Some(PhaseForm::Respond { by, .. }) => attacked(&model.name(*by), model).into(),
        Some(PhaseForm::CallColor { .. }) => "The start card is wild, and you begin: call a color.".into(),
        Some(PhaseForm::Discard { count: number, .. }) => {
            format!("You have to discard {}: mark what goes.", count((*number).into(), "card")).into()
        }
        Some(_) => status::turn(model),
        None if model.may(RequestKind::Judge) => accusation(model).into(),
        None if model.seat().is_none() => text!["You are watching. ", status::turn(model)],
        None => status::turn(model),
    }
}

fn accusation(model: &Model) -> String {
    let accusation = model.lobby.as_ref().and_then(|lobby| lobby.accusation.as_ref());
    match accusation {
        Some(accusation) => format!("Did {} suggest a play (rule X1)?", model.name(accusation.seat)),
        None => "Was it a suggestion (rule X1)?".to_owned(),
    }
}

fn turn(screen: &Screen) -> String {
    let model = &screen.model;
    if model.may(RequestKind::Judge) {
        return accusation(model);
    }
    let more = model.stakes(&ActionForm::Draw {}).and_then(|stakes| stakes.draws).filter(|draws| *draws > 1);
    let more = more.map(|draws| format!(" If you draw, you draw {draws}."));
    let warning = screen.selected().filter(|card| model.is_playable(*card)).and_then(|card| bluff(card, model));
    let fate = match model.playable().is_empty() {
        true => " No card fits: draw.".to_owned(),
        false => warning.map(|warning| format!(" {warning}")).unwrap_or_default(),
    };
    let does = screen.selected().and_then(|card| model.carried(card)).map(|does| format!(" {does}"));
    format!("It is your turn.{}{fate}{}", more.unwrap_or_default(), does.unwrap_or_default())
}

/// What is at stake when one is attacked.
fn attacked(by: &str, model: &Model) -> String {
    let draws = |action| model.stakes(&action).and_then(|stakes| stakes.draws);
    let mut text = match draws(ActionForm::Take {}) {
        Some(number) => format!("{by} makes you draw {} and lose your turn.", count(number.into(), "card")),
        None => format!("{by} attacks you."),
    };
    if let Some(&Stakes { draws: Some(draws), wins: Some(wins), .. }) = model.stakes(&ActionForm::Challenge {}) {
        text = format!("{text} Challenge: if it was a bluff, {by} draws {wins} instead; if not, you draw {draws}.");
    }
    if !model.playable().is_empty() {
        text = format!("{text} Or answer with a card.");
    }
    text
}

/// The keys that can be used now, most important first.
pub(crate) fn keys(screen: &Screen) -> Vec<Key> {
    if screen.leaving {
        return vec![key("y", "leave"), key("n", "stay")];
    }
    if let Some(page) = &screen.page {
        let close = key("Esc", if page.from.is_some() { "back" } else { "close" });
        if page.links.is_some() {
            let arrows = if screen.paint.symbols { "↑↓" } else { "up/down" };
            return vec![key("Enter", "read"), key(arrows, "choose"), close, key(":", "command")];
        }
        let on = if screen.paint.symbols { "↑↓ Space" } else { "Space" };
        return vec![close, key(on, "read on"), key(":", "command")];
    }
    if screen.form.is_some() {
        let arrows = if screen.paint.symbols { ("↑↓", "←→") } else { ("up/down", "left/right") };
        let done = key("Enter", "propose");
        return vec![key(arrows.0, "choose"), key(arrows.1, "change"), done, key("Esc", "cancel")];
    }
    let mut keys = match screen.question() {
        // Nothing can be decided before the table has answered.
        _ if screen.is_busy() => Vec::new(),
        Question::Pick(choices) => {
            let mut keys: Vec<Key> = choices.into_iter().map(|choice| key(choice.key, choice.label)).collect();
            keys.extend(screen.draft.is_some().then(|| key("Esc", "back")));
            keys
        }
        Question::Mark(_, most) => {
            let done = if screen.draft.is_some() { "go on" } else { "discard" };
            let done = key("Enter", format!("{done} ({} of {most})", screen.marks.len()));
            let mut keys = vec![key("Space", "mark"), done];
            keys.extend(screen.draft.is_some().then(|| key("Esc", "back")));
            keys
        }
        Question::Open => open_keys(screen),
    };
    if screen.is_remote() {
        keys.push(key("m", "say"));
    }
    keys.extend([key("?", "help"), key("q", "leave")]);
    keys
}

fn open_keys(screen: &Screen) -> Vec<Key> {
    let model = &screen.model;
    match model.stage() {
        Stage::Lobby => lobby_keys(screen),
        Stage::Playing => play_keys(screen),
        Stage::Scores if !model.is_ready() && model.may(RequestKind::Ready) => vec![key("Enter", "next round")],
        Stage::Over if !model.is_ready() && model.may(RequestKind::Ready) => {
            let mut keys = vec![key("Enter", "another match")];
            keys.extend((model.may(RequestKind::Reopen) && screen.is_remote()).then(|| key("o", "back to the lobby")));
            keys
        }
        Stage::Scores | Stage::Over | Stage::Closed => Vec::new(),
    }
}

fn lobby_keys(screen: &Screen) -> Vec<Key> {
    let model = &screen.model;
    let Some(lobby) = &model.lobby else { return Vec::new() };
    let host = model.is_host();
    let mut keys = Vec::new();
    match (model.seat().is_some(), host) {
        (false, _) if model.may(RequestKind::Sit) => keys.push(key("Enter", "sit down")),
        (false, _) => {}
        (true, true) if lobby.chairs.len() > 1 => keys.push(key("Enter", "deal")),
        (true, true) => {}
        (true, false) if model.is_ready() => keys.push(key("Enter", "not ready")),
        (true, false) => keys.push(key("Enter", "accept and be ready")),
    }
    if model.may(RequestKind::AddBot) {
        keys.push(key("b", "add a bot"));
    }
    if model.may(RequestKind::Settings) {
        keys.push(key("e", "settings"));
    }
    if model.may(RequestKind::RemoveBot) {
        keys.push(key("-", "remove a bot"));
    }
    if model.may(RequestKind::Lock) && screen.is_remote() {
        keys.push(key("o", if model.is_locked() { "let people in" } else { "lock the table" }));
    }
    if model.may(RequestKind::Stand) {
        keys.push(key("s", "watch"));
    }
    keys
}

fn play_keys(screen: &Screen) -> Vec<Key> {
    let model = &screen.model;
    if screen.is_away() {
        return vec![key("a", "play again yourself")];
    }
    let mut keys = Vec::new();
    let can = |fits: fn(&ActionForm) -> bool| screen.can(fits);
    if can(|action| matches!(action, ActionForm::CallUno {})) {
        keys.push(key("u", "call UNO!"));
    }
    let catchable = model.catchable();
    if !catchable.is_empty() {
        let names: Vec<String> = catchable.iter().map(|seat| model.name(*seat)).collect();
        keys.push(key("x", format!("catch {}", names.join(" or "))));
    }
    if let Some(card) = screen.selected().filter(|card| model.is_playable(*card)) {
        keys.push(key("Enter", text!["play ", model.card(card)]));
    }
    let draws = model.stakes(&ActionForm::Take {}).and_then(|stakes| stakes.draws);
    if can(|action| matches!(action, ActionForm::Draw {})) {
        keys.push(key("d", "draw"));
    }
    if can(|action| matches!(action, ActionForm::Keep {})) {
        keys.push(key("k", "keep"));
    }
    if can(|action| matches!(action, ActionForm::Take {})) {
        keys.push(key("t", draws.map_or("take".to_owned(), |draws| format!("take {draws}"))));
    }
    if can(|action| matches!(action, ActionForm::Challenge {})) {
        keys.push(key("c", "challenge"));
    }
    if can(|action| matches!(action, ActionForm::Block { .. })) {
        keys.push(key("b", "block"));
    }
    if model.can_arm_uno() && !can(|action| matches!(action, ActionForm::CallUno {})) {
        keys.push(key("u", if model.uno_armed { "do not say UNO" } else { "say UNO with the card" }));
    }
    let blocked = screen.selected().filter(|card| !model.is_playable(*card)).filter(|_| model.is_my_turn());
    keys.extend(blocked.map(|_| key("w", "why not")));
    keys
}

/// All keys, for the help page.
pub(crate) fn help(screen: &Screen) -> Vec<Text> {
    let arrows = if screen.paint.symbols { "← → ↑ ↓" } else { "arrows" };
    let rows = [
        (arrows, "select another card, seat or answer"),
        ("Tab", "the next card that can be played; Shift-Tab the one before"),
        ("1-9, 0", "select the card with that number; again plays it"),
        ("Enter, p", "play the selected card; answer; next round; deal; be ready"),
        ("Space", "mark a card, when you must discard"),
        ("r y g b p", "a color, when you are asked for one"),
        ("d", "draw"),
        ("k", "keep the card you drew"),
        ("t", "take the cards of an attack"),
        ("c", "challenge a Wild Draw Four"),
        ("b", "block an attack with Flitterific!; in the lobby, seat a bot"),
        ("-", "in the lobby, remove a bot"),
        ("e", "in the lobby, change the settings (host)"),
        ("s", "how things stand, in sentences; in the lobby, sit or watch"),
        ("u", "call UNO; before your play, say it with the card"),
        ("x", "catch somebody who forgot to call UNO"),
        ("y n", "yes or no: a vote, a dare, an accusation"),
        ("w", "why the selected card cannot be played"),
        ("g", "the rules of this edition; Enter opens one"),
        ("l", "what happened; Page up and Page down scroll the log"),
        ("i", "who is here, and the settings"),
        ("m", "say something, at a table on a server"),
        ("a", "let a bot play for you, or play again"),
        (": /", "a command, as with --plain: play r7, accuse Ann, help"),
        ("Esc", "back"),
        ("Ctrl-Z", "suspend; Ctrl-L redraws the screen"),
        ("q", "leave: the game is saved, your seat on a server is kept"),
    ];
    let mut lines: Vec<Text> = rows.iter().map(|(key, does)| format!("{key:<10} {does}").into()).collect();
    lines.push(Text::default());
    lines.push("A card that cannot be played is dim. Each card shows the letter of its color, then its face: + draws, S or a struck circle skips, R or two arrows reverse, W is wild.".into());
    lines
}
