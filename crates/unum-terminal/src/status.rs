//! How things stand, in sentences: the answers to `table`, `hand`, `scores`, `why` and the like.

use unum_rules::rulebook;
use unum_rules::wire::PhaseForm;
use unum_rules::{CardName, Seat};
use unum_table::wire::Stage;

use crate::model::Model;
use crate::settings::{self, Setting};
use crate::story::{count, listed, tame};
use crate::words::{self, GRAMMAR, Show};

/// How many lines of the log or the chat are shown.
const LAST: usize = 15;

/// What was asked for, as lines.
pub fn show(what: &Show, model: &Model) -> Vec<String> {
    match what {
        Show::Hand => hand(model),
        Show::Table => table(model),
        Show::Scores => scores(model),
        Show::Log => last(model.log.iter().map(|line| line.text.clone()).collect(), "Nothing has happened yet."),
        Show::Chat => {
            let said = model.chat.iter().map(|line| format!("{}: {}", tame(&line.name), tame(&line.text)));
            last(said.collect(), "Nobody has said anything yet.")
        }
        Show::People => people(model),
        Show::Settings => all_settings(model),
        Show::Choices => choices(model),
        Show::Rules(id) => rules(id.as_deref(), model),
        Show::Why => why(model),
        Show::Help(word) => help(word.as_deref()),
    }
}

fn last(mut lines: Vec<String>, none: &str) -> Vec<String> {
    if lines.is_empty() {
        return vec![none.to_owned()];
    }
    lines.split_off(lines.len().saturating_sub(LAST))
}

/// One's cards, and which of them can be played.
pub fn hand(model: &Model) -> Vec<String> {
    if model.view().and_then(|view| view.hand.as_ref()).is_none() {
        return vec!["You have no cards.".to_owned()];
    }
    let cards = model.hand();
    let mut lines = vec![format!("You hold {}: {}.", count(cards.len(), "card"), model.cards(cards))];
    lines.extend(playable(model));
    lines
}

/// Which cards can be played, and how that is written.
fn playable(model: &Model) -> Option<String> {
    let playable = model.playable();
    let told = |card: &CardName| format!("{} ({})", model.card(*card), words::short(*card));
    let list: Vec<String> = playable.iter().map(told).collect();
    match (model.is_my_turn(), list.is_empty()) {
        (_, false) => Some(format!("You can play {}.", list.join(", "))),
        (true, true) => Some("None of them can be played now.".to_owned()),
        (false, true) => None,
    }
}

/// Names and numbers, by seat, beginning after oneself.
fn around(model: &Model) -> Vec<Seat> {
    let players = u8::try_from(model.names().len()).unwrap_or(0);
    let first = model.seat().map_or(0, |seat| seat + 1);
    (0..players).map(|step| (first + step) % players.max(1)).filter(|seat| Some(*seat) != model.seat()).collect()
}

/// What lies on top, and what it asks for.
pub fn top(model: &Model) -> String {
    let Some(view) = model.view() else { return "No cards are dealt.".to_owned() };
    let wild = crate::story::parts(view.top).1.is_none();
    match (wild, view.color) {
        (true, Some(color)) => format!("On top lies {}, and {} is called.", model.card(view.top), model.color(color)),
        (true, None) => format!("On top lies {}, and no color is called yet.", model.card(view.top)),
        (false, _) => format!("On top lies {}.", model.card(view.top)),
    }
}

/// The whole table.
pub fn table(model: &Model) -> Vec<String> {
    let Some(view) = model.view() else { return people(model) };
    let mut lines = Vec::new();
    if let Some(game) = &model.game {
        lines.push(format!("Round {}. {}", game.round, top(model)));
    }
    let size = |seat: Seat| view.hand_sizes.get(usize::from(seat)).copied().unwrap_or(0);
    let others: Vec<String> = around(model)
        .into_iter()
        .map(|seat| format!("{} has {}", model.name(seat), count(size(seat).into(), "card")))
        .collect();
    lines.push(format!("{}.", others.join(", ")));
    let way = match view.direction {
        unum_rules::Direction::Left => "to the left",
        unum_rules::Direction::Right => "to the right",
    };
    lines.push(format!("Play goes {way}; {} to draw.", count(view.draw_count.into(), "card")));
    for (seat, cards) in &view.shown {
        lines.push(format!("{}'s hand lies open: {}.", model.name(*seat), model.cards(cards)));
    }
    for banner in &view.banners {
        lines.push(format!("A note on {}: \"{}\"", model.name(banner.seat), tame(&banner.text)));
    }
    for more in &view.draw_more {
        lines.push(format!("If stuck, {} has to draw {}.", model.name(more.seat), more.count));
    }
    if let Some((left, _)) = model.clock() {
        lines.push(format!("{} left for this turn.", count(left.as_secs() as usize, "second")));
    }
    lines.push(turn(model));
    lines.extend(hand(model));
    lines
}

/// Whose turn it is, and what for.
pub fn turn(model: &Model) -> String {
    match model.stage() {
        Stage::Lobby => return "The table is in the lobby.".to_owned(),
        Stage::Scores => return "The round is over.".to_owned(),
        Stage::Over => return "The match is over.".to_owned(),
        Stage::Closed => return "The table is closed.".to_owned(),
        Stage::Playing => {}
    }
    let awaited: Vec<String> = model.awaited().into_iter().map(|seat| model.name(seat)).collect();
    match (model.is_my_turn(), model.view().map(|view| &view.phase)) {
        (true, Some(phase)) => asked(phase, model),
        _ => format!("It is {}'s turn.", listed(&awaited)),
    }
}

/// What the table wants of this person.
fn asked(phase: &PhaseForm, model: &Model) -> String {
    match phase {
        PhaseForm::Turn { .. } => "It is your turn.".to_owned(),
        PhaseForm::Drawn { cards, .. } => {
            let drawn = cards.as_deref().map(|cards| model.cards(cards)).unwrap_or_default();
            format!("You drew {drawn}: play it or keep it.")
        }
        PhaseForm::CallColor { .. } => "Call a color.".to_owned(),
        PhaseForm::Respond { by, cards, .. } => {
            let cards = cards.map_or_else(|| "cards".to_owned(), |cards| count(cards.into(), "card"));
            format!("{} attacks you with {cards}.", model.name(*by))
        }
        PhaseForm::Discard { count: number, .. } => format!("You have to discard {}.", count((*number).into(), "card")),
        PhaseForm::Vote { seat, prompt, .. } => {
            format!("Was {}'s performance a success? \"{}\"", model.name(*seat), tame(prompt))
        }
        PhaseForm::Dare { prompt, .. } => format!("Do you accept the dare? \"{}\"", tame(prompt)),
        PhaseForm::RoundOver {} | PhaseForm::MatchOver {} => "The round is over.".to_owned(),
    }
}

/// What to say when this person is asked: the question, the top card, the hand, the choices.
pub fn question(model: &Model) -> Vec<String> {
    let mut lines = Vec::new();
    match model.stage() {
        Stage::Playing if model.is_my_turn() => {
            lines.push(format!("{} {}", turn(model), top(model)));
            lines.extend(hand(model));
            lines.extend(other_choices("Type", model));
        }
        Stage::Playing => lines.extend(other_choices("You may type", model)),
        Stage::Lobby => {
            lines.extend(people(model));
            lines.extend(other_choices("Type", model));
        }
        Stage::Scores | Stage::Over => {
            lines.extend(scores(model));
            lines.extend(other_choices("Type", model));
        }
        Stage::Closed => lines.push(turn(model)),
    }
    lines
}

/// The choices that are not cards of the hand.
fn other_choices(lead: &str, model: &Model) -> Option<String> {
    let hints = words::hints(model);
    let others: Vec<String> =
        hints.into_iter().filter(|hint| !hint.words.starts_with("play ")).map(|hint| hint.words).collect();
    match others.is_empty() {
        true if model.playable().is_empty() => None,
        true => Some(format!("{lead} play and a card.")),
        false => Some(format!("{lead} {}.", others.join(", or "))),
    }
}

/// Everything that can be typed now.
pub fn choices(model: &Model) -> Vec<String> {
    let hints = words::hints(model);
    if hints.is_empty() {
        return vec![format!("{} There is nothing to do for you now.", turn(model))];
    }
    let mut lines = vec![turn(model)];
    lines.extend(hints.into_iter().map(|hint| format!("{}: {}.", hint.words, hint.what)));
    lines
}

/// The scores, and what counts.
pub fn scores(model: &Model) -> Vec<String> {
    let names = model.names();
    let told: Vec<String> = names.iter().zip(model.scores()).map(|(name, score)| format!("{name} {score}")).collect();
    let mut lines = match told.is_empty() {
        true => vec!["Nobody has scored yet.".to_owned()],
        false => vec![format!("Scores: {}.", told.join(", "))],
    };
    if let Some(winners) = model.view().and_then(|view| view.winners.as_ref()) {
        let winners: Vec<String> = winners.iter().map(|seat| model.name(*seat)).collect();
        lines.push(format!("The match is over. Won by {}.", listed(&winners)));
    }
    lines
}

/// Who is here, and what is agreed.
pub fn people(model: &Model) -> Vec<String> {
    let Some(lobby) = &model.lobby else { return vec!["Not connected yet.".to_owned()] };
    let mut lines = Vec::new();
    let edition = lobby.settings.rules.edition;
    let clock = lobby.settings.clock.map_or("no clock".to_owned(), |seconds| format!("{seconds} seconds a turn"));
    lines.push(format!("{}, {clock}.", rulebook::edition_notes(edition).title));
    lines.extend(settings::special(&lobby.settings));
    let house = settings::house(&lobby.settings);
    if !house.is_empty() {
        lines.push(format!("House rules: {}.", house.join(", ")));
    }
    for chair in &lobby.chairs {
        let kind = match (&chair.person, &chair.bot) {
            (Some(person), _) if Some(*person) == model.you => "you".to_owned(),
            (Some(_), Some(level)) => format!("away, a bot ({level}) plays"),
            (None, Some(level)) => format!("bot, {level}"),
            _ if chair.ready => "ready".to_owned(),
            _ if lobby.stage == Stage::Lobby => "not ready yet".to_owned(),
            _ => "a person".to_owned(),
        };
        let host = if chair.person.is_some() && chair.person == lobby.host { ", host" } else { "" };
        lines.push(format!("{}: {}{host}.", tame(&chair.name), tame(&kind)));
    }
    let looking: Vec<String> =
        lobby.people.iter().filter(|person| person.seat.is_none()).map(|person| tame(&person.name)).collect();
    if !looking.is_empty() {
        lines.push(format!("Looking on: {}.", listed(&looking)));
    }
    lines
}

/// Everything that can be agreed on, its value, and how it is changed.
pub fn all_settings(model: &Model) -> Vec<String> {
    let Some(lobby) = &model.lobby else { return vec!["Not connected yet.".to_owned()] };
    let mut lines = Vec::new();
    let mut group = None;
    for setting in settings::list(&lobby.settings, true) {
        if group.replace(setting.group()) != Some(setting.group()) {
            lines.push(format!("{}:", setting.group().title()));
        }
        lines.push(setting_line(setting, lobby));
    }
    lines.push(match model.may("settings") {
        true => "Type set, a name and a value, such as set stacking any.".to_owned(),
        false => "The host can change them in the lobby.".to_owned(),
    });
    lines
}

fn setting_line(setting: Setting, lobby: &unum_client::Lobby) -> String {
    let (id, value) = (setting.id(), setting.value(&lobby.settings));
    let value = if value.is_empty() { "none".to_owned() } else { value };
    match setting {
        Setting::Edition => format!("{id}: {value}; {}.", setting.allowed()),
        _ => {
            let meaning = setting.meaning(&lobby.settings);
            format!("{id}: {value} ({}); {}.", meaning.trim_end_matches('.'), setting.allowed())
        }
    }
}

/// The rules of the edition, or one rule in full.
pub fn rules(id: Option<&str>, model: &Model) -> Vec<String> {
    let edition = model.rules().map(unum_rules::Rules::edition);
    match (id, edition) {
        (Some(id), _) => match (rulebook::find(id), rulebook::find_section(id)) {
            (Some(rule), _) => vec![model.explain(rule)],
            (None, Some(section)) => section.rules.iter().map(|rule| model.explain(rule)).collect(),
            (None, None) => vec![format!("There is no rule {:?}: type rules for the list.", tame(id))],
        },
        (None, Some(edition)) => {
            let mut lines = vec![rulebook::edition_notes(edition).summary.to_owned()];
            let list = rulebook::for_edition(edition).map(|rule| format!("{} {}", rule.id, rule.title));
            lines.extend(list);
            lines.push("Type rules and an id to read one.".to_owned());
            lines
        }
        (None, None) => vec!["Nothing is agreed yet.".to_owned()],
    }
}

/// Why the last request was refused.
pub fn why(model: &Model) -> Vec<String> {
    let Some(refusal) = &model.refusal else {
        let mut lines = vec!["Nothing was refused. Write why and a card to hear why it cannot be played.".to_owned()];
        lines.extend(choices(model));
        return lines;
    };
    let mut lines = vec![format!("{}.", refusal.message.trim_end_matches('.'))];
    let rule = refusal.rule.as_deref().and_then(rulebook::find);
    lines.extend(rule.map(|rule| model.explain(rule)));
    lines
}

/// The grammar, or one command of it.
pub fn help(word: Option<&str>) -> Vec<String> {
    let matching = |word: &str| {
        let mut entries = GRAMMAR.iter();
        entries.find(|entry| entry.word == word || entry.aliases.contains(&word))
    };
    match word.map(|word| (word, matching(word))) {
        Some((_, Some(entry))) => {
            let short =
                if entry.aliases.is_empty() { String::new() } else { format!(" Short: {}.", entry.aliases.join(", ")) };
            vec![format!("{}: {}.{short}", entry.form, entry.help)]
        }
        Some((word, None)) => vec![format!("There is no command {:?}: type help for the list.", tame(word))],
        None => {
            let mut lines: Vec<String> =
                GRAMMAR.iter().map(|entry| format!("{}: {}.", entry.form, entry.help)).collect();
            lines.push(
                "Cards: r7, y+2, gs (Skip), br (Reverse), w, w+4; or in words: red 7, blue draw two, wild.".to_owned(),
            );
            lines.push("Words can be shortened as far as they stay clear.".to_owned());
            lines
        }
    }
}
