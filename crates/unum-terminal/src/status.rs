//! The state in sentences: the answers to `table`, `hand`, `scores`, `why` and the like.

use unum_protocol::{RequestKind, Setting, Settings, Stage};
use unum_rules::rulebook::{self, Rule};
use unum_rules::wire::{PhaseForm, ViewForm};
use unum_rules::{CardName, Direction, Edition, Face, Scoring, Seat};

use crate::model::Model;
use crate::nearest::did_you_mean;
use crate::settings;
use crate::story::{self, count, foreign, listed};
use crate::text::{Text, text};
use crate::words::{self, GRAMMAR, Show, capital};

/// How many lines of the log or the chat are shown.
const LAST: usize = 15;

/// What was asked for, as lines.
pub fn show(what: &Show, model: &Model) -> Vec<Text> {
    match what {
        Show::Hand => hand(model),
        Show::Table => table(model),
        Show::Scores => scores(model),
        Show::Log => last(model.log.iter().map(|line| line.text.clone()).collect(), "Nothing has happened yet."),
        Show::Chat => {
            let said = model.chat.iter().map(|line| format!("{}: {}", foreign(&line.name), foreign(&line.text)).into());
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

fn last(mut lines: Vec<Text>, none: &str) -> Vec<Text> {
    if lines.is_empty() {
        return vec![none.into()];
    }
    lines.split_off(lines.len().saturating_sub(LAST))
}

/// The person's cards, and which can be played.
pub fn hand(model: &Model) -> Vec<Text> {
    if model.view().and_then(|view| view.hand.as_ref()).is_none() {
        return vec!["You have no cards.".into()];
    }
    let cards = model.hand();
    let mut lines = vec![text![format!("You hold {}: ", count(cards.len(), "card")), model.cards(cards), "."]];
    lines.extend(playable(model));
    lines
}

/// Which cards can be played, and how that is written.
fn playable(model: &Model) -> Option<Text> {
    let playable = model.playable();
    let told = |card: &CardName| text![model.card(*card), format!(" ({})", words::short(*card))];
    match (model.is_my_turn(), playable.is_empty()) {
        (_, false) => Some(text!["You can play ", Text::list(playable.iter().map(told)), "."]),
        (true, true) if model.hand().len() == 1 => Some("It cannot be played now.".into()),
        (true, true) => Some("None of them can be played now.".into()),
        (false, true) => None,
    }
}

/// Names and numbers by seat, starting after the viewer.
fn around(model: &Model) -> Vec<Seat> {
    let players = u8::try_from(model.names().len()).unwrap_or(0);
    let first = model.seat().map_or(0, |seat| seat + 1);
    (0..players).map(|step| (first + step) % players.max(1)).filter(|seat| Some(*seat) != model.seat()).collect()
}

/// The top card, and the color in force.
pub fn top(model: &Model) -> Text {
    let Some(view) = model.view() else { return "No cards are dealt.".into() };
    let card = model.card(view.top);
    match (view.top.color(), view.color) {
        (Some(_), _) => text!["The top card is ", card, "."],
        (None, Some(color)) => text!["The top card is ", card, "; the color is ", color, "."],
        (None, None) => text!["The top card is ", card, "; no color is called yet."],
    }
}

/// The whole table.
pub fn table(model: &Model) -> Vec<Text> {
    let Some(game) = &model.game else { return people(model) };
    let mut lines = vec![text![format!("Round {}. ", game.round), top(model)]];
    lines.extend(stand(model, &game.view).into_iter().map(Text::from));
    for (seat, cards) in game.view.shown.iter().filter(|(_, cards)| !cards.is_empty()) {
        lines.push(text![format!("{}'s hand lies open: ", model.name(*seat)), model.cards(cards), "."]);
    }
    lines.push(turn(model));
    lines.extend(hand(model));
    lines
}

/// How many cards everybody has, which way play goes, what is noted, how much time is left.
fn stand(model: &Model, view: &ViewForm) -> Vec<String> {
    let size = |seat: Seat| view.hand_sizes.get(usize::from(seat)).copied().unwrap_or(0);
    let has = |seat: Seat| format!("{} has {}", model.name(seat), count(size(seat).into(), "card"));
    let others: Vec<String> = around(model).into_iter().map(has).collect();
    let way = match view.direction {
        Direction::Left => "to the left",
        Direction::Right => "to the right",
    };
    let mut lines = vec![
        format!("{}.", others.join(", ")),
        format!("Play goes {way}; {} to draw.", count(view.draw_count.into(), "card")),
    ];
    for banner in &view.banners {
        lines.push(format!("A note on {}: \"{}\"", model.name(banner.seat), foreign(&banner.text)));
    }
    for more in &view.draw_more {
        lines.push(format!("If stuck, {} must draw {}.", model.name(more.seat), more.count));
    }
    if let Some((left, _)) = model.clock() {
        lines.push(format!("{} left for this turn.", count(left.as_secs() as usize, "second")));
    }
    lines
}

/// Whose turn it is, and what for.
pub fn turn(model: &Model) -> Text {
    match model.stage() {
        Stage::Lobby => return "The table is in the lobby.".into(),
        Stage::Scores => return "The round is over.".into(),
        Stage::Over => return "The match is over.".into(),
        Stage::Closed => return "The table is closed.".into(),
        Stage::Playing => {}
    }
    let awaited: Vec<String> = model.awaited().into_iter().map(|seat| model.name(seat)).collect();
    match (model.is_my_turn(), model.view().map(|view| &view.phase)) {
        (true, Some(phase)) => asked(phase, model),
        _ => format!("It is {}'s turn.", listed(&awaited)).into(),
    }
}

/// What the table asks this person.
fn asked(phase: &PhaseForm, model: &Model) -> Text {
    match phase {
        PhaseForm::Turn { .. } => "It is your turn.".into(),
        PhaseForm::Drawn { cards, .. } => {
            text!["You drew ", model.cards(cards.as_deref().unwrap_or_default()), ": play it or keep it."]
        }
        PhaseForm::CallColor { .. } => "Call a color.".into(),
        PhaseForm::Respond { by, cards, .. } => {
            let cards = cards.map_or_else(|| "cards".to_owned(), |cards| count(cards.into(), "card"));
            format!("{} makes you draw {cards}.", model.name(*by)).into()
        }
        PhaseForm::Discard { count: number, .. } => {
            format!("You have to discard {}.", count((*number).into(), "card")).into()
        }
        PhaseForm::Vote { seat, prompt, .. } => {
            format!("Was {}'s performance a success? \"{}\"", model.name(*seat), foreign(prompt)).into()
        }
        PhaseForm::Dare { prompt, .. } => format!("Do you accept the dare? \"{}\"", foreign(prompt)).into(),
        PhaseForm::RoundOver {} | PhaseForm::MatchOver {} => "The round is over.".into(),
    }
}

/// What to say when this person is asked: the question, the top card, the hand, the choices.
pub fn question(model: &Model) -> Vec<Text> {
    let mut lines = Vec::new();
    match model.stage() {
        Stage::Playing if model.is_my_turn() => {
            lines.push(text![turn(model), " ", top(model)]);
            lines.extend(hand(model));
            let lead = if model.playable().is_empty() { "Type" } else { "Or type" };
            lines.extend(other_choices(lead, model));
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
fn other_choices(lead: &str, model: &Model) -> Option<Text> {
    let hints = words::hints(model);
    let others: Vec<String> =
        hints.into_iter().filter(|hint| !hint.words.starts_with("play ")).map(|hint| hint.words).collect();
    match others.is_empty() {
        true if model.playable().is_empty() => None,
        true => Some("Type play and a card.".into()),
        false => Some(format!("{lead} {}.", others.join(", or ")).into()),
    }
}

/// Everything that can be typed now.
pub fn choices(model: &Model) -> Vec<Text> {
    let hints = words::hints(model);
    if model.is_away() {
        return vec![text![turn(model), " A bot plays for you: type autopilot off to play again."]];
    }
    if hints.is_empty() {
        return vec![text![turn(model), " You have nothing to do right now."]];
    }
    let mut lines = vec![turn(model)];
    lines.extend(hints.into_iter().map(|hint| format!("{}: {}.", hint.words, hint.what).into()));
    lines
}

/// The scores, and what counts.
pub fn scores(model: &Model) -> Vec<Text> {
    let names = model.names();
    let told: Vec<String> = names.iter().zip(model.scores()).map(|(name, score)| format!("{name} {score}")).collect();
    let mut lines = match (told.is_empty(), counts(model)) {
        (true, _) => vec!["Nobody has scored yet.".into()],
        (false, true) => vec![format!("Scores: {}.", told.join(", ")).into()],
        (false, false) => vec!["There are no points: one round is a match.".into()],
    };
    if let Some(winners) = model.view().and_then(|view| view.winners.as_ref()) {
        let winners: Vec<String> = winners.iter().map(|seat| model.name(*seat)).collect();
        lines.push(format!("The match is over. Won by {}.", listed(&winners)).into());
    }
    lines.extend(left_over(model));
    lines.extend(awards(model));
    lines
}

/// Whether points count.
pub(crate) fn counts(model: &Model) -> bool {
    model.rules().is_some_and(|rules| rules.scoring != Scoring::SingleRound)
}

/// The cards everybody was left with after a round, and what they count.
fn left_over(model: &Model) -> Vec<Text> {
    if !matches!(model.stage(), Stage::Scores | Stage::Over) {
        return Vec::new();
    }
    let told = |seat: Seat| {
        let cards = model.left_with(seat);
        let whose =
            if model.seat() == Some(seat) { "You have".to_owned() } else { format!("{} has", model.name(seat)) };
        let points = counts(model).then(|| format!(", {}", count(model.held(seat) as usize, "point")));
        let told = || text![format!("{whose} "), model.cards(cards), " left", points.unwrap_or_default(), "."];
        (!cards.is_empty()).then(told)
    };
    model.standings().into_iter().filter_map(told).collect()
}

/// The awards of a match that is over.
pub(crate) fn awards(model: &Model) -> Vec<Text> {
    let standings = model.game.as_ref().and_then(|game| game.standings.as_ref());
    let awards = standings.map(|standings| standings.awards.as_slice()).unwrap_or_default();
    let name = |seat: Seat| if model.seat() == Some(seat) { "you".to_owned() } else { model.name(seat) };
    awards.iter().map(|award| story::award(*award, &name(award.seat)).into()).collect()
}

/// Who is here, and what is agreed.
pub fn people(model: &Model) -> Vec<Text> {
    let Some(lobby) = &model.lobby else { return vec!["Not connected yet.".into()] };
    let mut lines = Vec::new();
    lines.extend(model.settings().into_iter().flat_map(agreed));
    lines.extend(model.custom_cards());
    if lobby.locked {
        lines.push("The table is locked: nobody new can join.".into());
    }
    let kept_out: Vec<String> = model.own.kicked.iter().map(|kicked| foreign(&kicked.name)).collect();
    if !kept_out.is_empty() {
        lines.push(format!("Removed and kept out: {}.", listed(&kept_out)).into());
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
        let host = match chair.person.is_some() && chair.person == lobby.host {
            true if lobby.acting => ", stands in as host",
            true => ", host",
            false => "",
        };
        lines.push(format!("{}: {kind}{host}.", foreign(&chair.name)).into());
    }
    let looking: Vec<String> =
        lobby.people.iter().filter(|person| person.seat.is_none()).map(|person| foreign(&person.name)).collect();
    if !looking.is_empty() {
        lines.push(format!("Watching: {}.", listed(&looking)).into());
    }
    lines
}

/// What is agreed, in sentences.
pub fn agreed(settings: &Settings) -> Vec<Text> {
    let clock = settings.clock.map_or("no clock".to_owned(), |seconds| format!("{seconds} seconds a turn"));
    let title = rulebook::edition_notes(settings.rules.edition).title;
    let mut lines = vec![format!("{title}, {clock}.").into()];
    lines.extend(settings::special(settings).into_iter().map(Text::from));
    let house = settings::house(settings);
    if !house.is_empty() {
        lines.push(format!("House rules: {}.", house.join(", ")).into());
    }
    lines
}

/// Everything that can be agreed on, its value, and how it is changed.
pub fn all_settings(model: &Model) -> Vec<Text> {
    let Some(agreed) = model.settings() else { return vec!["Not connected yet.".into()] };
    let mut lines = Vec::new();
    let mut group = None;
    for setting in settings::list(agreed, true) {
        if group.replace(setting.group) != Some(setting.group) {
            lines.push(format!("{}:", settings::title(setting.group)).into());
        }
        lines.push(setting_line(setting, agreed).into());
    }
    lines.push(match model.may(RequestKind::Settings) {
        true => "Type set, a name and a value, such as set stacking any.".into(),
        false => "The host can change them in the lobby.".into(),
    });
    lines
}

fn setting_line(setting: &Setting, agreed: &Settings) -> String {
    let value = Some(settings::value(setting, agreed)).filter(|value| !value.is_empty());
    let meaning = settings::meaning(setting, agreed);
    format!(
        "{}: {} ({}); {}.",
        setting.id,
        value.as_deref().unwrap_or("none"),
        meaning.trim_end_matches('.'),
        settings::allowed(setting)
    )
}

/// The id of the introduction in the list of rules.
pub(crate) const HOW: &str = "how";

/// The rules of the edition, the introduction, or one rule in full.
pub fn rules(id: Option<&str>, model: &Model) -> Vec<Text> {
    let edition = model.rules().map(|rules| rules.edition);
    match (id, edition) {
        (Some(id), Some(edition)) if id.eq_ignore_ascii_case(HOW) => how_to_play(edition),
        (Some(id), _) => match (rulebook::find(id), rulebook::find_section(id)) {
            (Some(rule), _) => explained(rule, model),
            (None, Some(section)) => section.rules.iter().flat_map(|rule| explained(rule, model)).collect(),
            (None, None) => match card_rule(id, model) {
                Some(lines) => lines,
                None => {
                    let near = did_you_mean(id, rulebook::rules().map(|rule| rule.id));
                    vec![format!("There is no rule {:?}.{near} Type rules for the list.", foreign(id)).into()]
                }
            },
        },
        (None, Some(edition)) => {
            let title = rulebook::edition_notes(edition).title;
            let mut lines: Vec<Text> = vec![rulebook::edition_notes(edition).summary.into()];
            lines.push(format!("{HOW} The game in short, and what is special about {title}").into());
            let list = rulebook::for_edition(edition).map(|rule| format!("{} {}", rule.id, rule.title).into());
            lines.extend(list);
            lines.push("Type rules and an id to read one.".into());
            lines
        }
        (None, None) => vec!["There are no settings yet.".into()],
    }
}

/// The game in short, then what is special about an edition.
fn how_to_play(edition: Edition) -> Vec<Text> {
    let notes = rulebook::edition_notes(edition);
    let steps = rulebook::HOW_TO_PLAY.iter().map(|(title, text)| text![Text::strong(format!("{title}: ")), *text]);
    let mut lines: Vec<Text> = steps.collect();
    lines.push(Text::default());
    lines.push(Text::strong(format!("What is special about {}", notes.title)));
    lines.extend(notes.differences.iter().map(|difference| Text::from(*difference)));
    if !notes.rulings.is_empty() {
        lines.push(format!("Our rulings, not on the sheets: {}", notes.rulings.join(" ")).into());
    }
    lines
}

/// What a Customizable card does, asked for by its name: `rules wc1`.
fn card_rule(id: &str, model: &Model) -> Option<Vec<Text>> {
    let card =
        CardName::parse(&id.to_ascii_uppercase()).filter(|card| matches!(card.kind().face(), Face::Customizable(_)))?;
    let told = model.carried(card).unwrap_or_else(|| "a plain wild: play it on anything and call a color".to_owned());
    Some(vec![text![card, format!(": {}.", told.trim_end_matches('.'))]])
}

fn explained(rule: &Rule, model: &Model) -> Vec<Text> {
    model.explain(rule).into_iter().map(Text::from).collect()
}

/// Why the last request was refused.
pub fn why(model: &Model) -> Vec<Text> {
    let Some(refusal) = &model.refusal else {
        let mut lines = vec!["Nothing was refused. Type why and a card to learn why it cannot be played.".into()];
        lines.extend(choices(model));
        return lines;
    };
    let mut lines: Vec<Text> = vec![format!("{}.", capital(&model.reason(refusal))).into()];
    let rule = refusal.rule.as_deref().and_then(rulebook::find);
    lines.extend(rule.into_iter().flat_map(|rule| explained(rule, model)));
    lines
}

/// With a period, unless it already ends in punctuation.
fn sentence(words: &str) -> String {
    if words.ends_with(['?', '!']) { words.to_owned() } else { format!("{words}.") }
}

/// The grammar, or one command of it.
pub fn help(word: Option<&str>) -> Vec<Text> {
    let matching = |word: &str| {
        let mut entries = GRAMMAR.iter();
        entries.find(|entry| entry.word == word || entry.aliases.contains(&word))
    };
    match word.map(|word| (word, matching(word))) {
        Some((_, Some(entry))) => {
            let short =
                if entry.aliases.is_empty() { String::new() } else { format!(" Short: {}.", entry.aliases.join(", ")) };
            vec![format!("{}: {}{short}", entry.form, sentence(entry.help)).into()]
        }
        Some((word, None)) => {
            let near = did_you_mean(word, GRAMMAR.iter().map(|entry| entry.word));
            vec![format!("There is no command {:?}.{near} Type help for the list.", foreign(word)).into()]
        }
        None => {
            let mut lines: Vec<Text> =
                GRAMMAR.iter().map(|entry| format!("{}: {}", entry.form, sentence(entry.help)).into()).collect();
            lines.push(
                "Cards: r7, y+2, gs (Skip), br (Reverse), w, w+4; or in words: red 7, blue draw two, wild.".into(),
            );
            lines.push("Words can be shortened while they stay unambiguous.".into());
            lines
        }
    }
}
