//! The grammar of commands, the same in every interface: `play r7`, `draw`, `uno`, `why`. docs/terminal.md lists it.
//!
//! A word can be shortened as far as it stays clear, the letters of the page's keys among the short forms. What is typed
//! is matched with what the table says is possible now; a card that is not is asked for all the same, because the
//! refusal says why.

use unum_client::entropy;
use unum_rules::wire::{ActionForm, PhaseForm};
use unum_rules::{Card, CardName, Color, ColorName, Face, Palette, Seat};
use unum_table::wire::{Person, Reaction, Request, Stage};

use crate::model::{Model, cards_gone, takes_uno};
use crate::settings;
use crate::story::{either, listed, parts, spoken};

/// What a line asks for.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// Requests to the table, in this order.
    Ask(Vec<Request>),
    /// Call "UNO" with the next card that leaves one.
    ArmUno,
    /// Something to be shown.
    Show(Show),
    /// The end.
    Quit,
}

/// What can be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Show {
    /// One's hand, and which cards can be played.
    Hand,
    /// How things stand.
    Table,
    /// The scores.
    Scores,
    /// What happened last.
    Log,
    /// What was said last.
    Chat,
    /// Who is here, what is agreed.
    People,
    /// What can be agreed on.
    Settings,
    /// What can be done now.
    Choices,
    /// The rules of the edition, or one rule.
    Rules(Option<String>),
    /// Why the last request was refused.
    Why,
    /// The commands, or one of them.
    Help(Option<String>),
}

/// One command of the grammar.
#[derive(Debug)]
pub struct Entry {
    /// The word.
    pub word: &'static str,
    /// Other words for it. The first one is the short form; where the page has a key, that key.
    pub aliases: &'static [&'static str],
    /// How it is written.
    pub form: &'static str,
    /// What it does.
    pub help: &'static str,
    verb: Verb,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verb {
    Play,
    Draw,
    Keep,
    Color,
    Take,
    Challenge,
    Block,
    Uno,
    Catch,
    Discard,
    Vote,
    Yes,
    No,
    Accept,
    Refuse,
    Next,
    Ready,
    Start,
    Reopen,
    Bot,
    Remove,
    Set,
    Sit,
    Stand,
    Leave,
    Kick,
    Host,
    Name,
    Autopilot,
    Say,
    React,
    Mute,
    Unmute,
    Accuse,
    Hand,
    Table,
    Choices,
    Scores,
    Log,
    Chat,
    People,
    Rules,
    Why,
    Help,
    Quit,
}

const fn entry(
    verb: Verb,
    word: &'static str,
    aliases: &'static [&'static str],
    form: &'static str,
    help: &'static str,
) -> Entry {
    Entry { word, aliases, form, help, verb }
}

/// All commands, in the order in which help lists them.
pub static GRAMMAR: &[Entry] = &[
    entry(
        Verb::Play,
        "play",
        &["p"],
        "play CARD [COLOR] [with CARDS] [swap NAME] [uno]",
        "play a card; a card alone will do",
    ),
    entry(Verb::Draw, "draw", &["d"], "draw", "draw a card"),
    entry(Verb::Keep, "keep", &["k", "pass"], "keep", "keep the card you drew"),
    entry(Verb::Color, "color", &["colour", "call"], "color COLOR", "call a color; the color alone will do"),
    entry(Verb::Take, "take", &["t"], "take", "take the cards of an attack"),
    entry(Verb::Challenge, "challenge", &["c"], "challenge", "challenge a Wild Draw Four: was it a bluff?"),
    entry(Verb::Block, "block", &["b"], "block COLOR [uno]", "block an attack with Flitterific!"),
    entry(Verb::Uno, "uno", &["u", "uno!"], "uno", "call UNO now, or with the card you play next"),
    entry(Verb::Catch, "catch", &["x"], "catch [NAME]", "catch somebody who forgot to call UNO"),
    entry(Verb::Discard, "discard", &["throw"], "discard CARDS [uno]", "discard the cards you have to"),
    entry(Verb::Vote, "vote", &["v", "judge"], "vote yes|no", "vote on a performance or an accusation"),
    entry(Verb::Yes, "yes", &["y"], "yes", "vote yes, or accept"),
    entry(Verb::No, "no", &[], "no", "vote no, or refuse"),
    entry(Verb::Accept, "accept", &[], "accept", "accept a dare, or the rules in the lobby"),
    entry(Verb::Refuse, "refuse", &["decline"], "refuse", "refuse a dare"),
    entry(Verb::Next, "next", &["n", "again"], "next", "go on: the next round, or another match"),
    entry(Verb::Ready, "ready", &[], "ready [no]", "accept the rules and be ready, or not after all"),
    entry(Verb::Start, "start", &["deal"], "start", "deal (host)"),
    entry(Verb::Reopen, "reopen", &["lobby"], "reopen", "end the match and go back to the lobby (host)"),
    entry(Verb::Bot, "bot", &[], "bot [LEVEL]", "seat a bot in the lobby (host): easy, normal, hard, expert, random"),
    entry(Verb::Remove, "remove", &[], "remove NAME", "send a bot away (host)"),
    entry(Verb::Set, "set", &["settings"], "set [SETTING VALUE]", "change what is agreed (host); alone, what there is"),
    entry(Verb::Sit, "sit", &[], "sit", "take a chair in the lobby"),
    entry(Verb::Stand, "stand", &[], "stand", "give up the chair and look on"),
    entry(Verb::Leave, "leave", &[], "leave", "leave the table for good"),
    entry(Verb::Kick, "kick", &[], "kick NAME", "send somebody away for good (host)"),
    entry(Verb::Host, "host", &[], "host NAME", "make somebody else the host"),
    entry(Verb::Name, "name", &["rename"], "name NAME", "be called something else at this table"),
    entry(Verb::Autopilot, "autopilot", &["auto"], "autopilot on|off", "let a bot play for you, or play again"),
    entry(Verb::Say, "say", &["'"], "say TEXT", "say something to everybody"),
    entry(
        Verb::React,
        "react",
        &[],
        "react WORD",
        "hello, thanks, well_played, oops, laugh, wow, think, hurry, sorry or cheers",
    ),
    entry(Verb::Mute, "mute", &[], "mute NAME", "hear no more of somebody"),
    entry(Verb::Unmute, "unmute", &[], "unmute NAME", "hear somebody again"),
    entry(Verb::Accuse, "accuse", &[], "accuse NAME", "accuse somebody of suggesting a play (rule X1)"),
    entry(Verb::Hand, "hand", &["h", "cards"], "hand", "your cards, and which can be played"),
    entry(Verb::Table, "table", &["s", "status", "look"], "table", "how things stand"),
    entry(Verb::Choices, "choices", &["?", "what"], "choices", "what you can do now"),
    entry(Verb::Scores, "scores", &["points"], "scores", "the scores of the match"),
    entry(Verb::Log, "log", &["l"], "log", "what happened last"),
    entry(Verb::Chat, "chat", &["m", "messages"], "chat", "what was said last"),
    entry(Verb::People, "people", &["who"], "people", "who is here, and what is agreed"),
    entry(Verb::Rules, "rules", &["r", "rule"], "rules [ID]", "the rules of this edition, or one of them"),
    entry(Verb::Why, "why", &["w"], "why [CARD]", "why something was refused, or a card cannot be played"),
    entry(Verb::Help, "help", &["commands"], "help [COMMAND]", "this list, or one command"),
    entry(Verb::Quit, "quit", &["q", "exit"], "quit", "end; the game is saved, a seat on a server stays yours"),
];

/// Something one can do now, to be shown as a choice or a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    /// What to type.
    pub words: String,
    /// What it means.
    pub what: String,
}

/// Reads a line. The error is a sentence that says what would be right.
///
/// # Errors
/// When it is no command, or not complete.
pub fn parse(line: &str, model: &Model) -> Result<Command, String> {
    let line = line.trim();
    if let Some(text) = line.strip_prefix('\'') {
        return say(text);
    }
    let tokens: Vec<&str> = line.split_whitespace().collect();
    let Some((first, rest)) = tokens.split_first() else { return Ok(Command::Show(Show::Choices)) };
    let text = line[first.len()..].trim();
    let typed = first.to_lowercase();
    if let Some(verb) = exact(&typed).filter(|_| !is_card_first(&typed, &tokens, model)) {
        return Reader { model }.read(verb, rest, text);
    }
    if let Some((card, used)) = read_card(&tokens, model) {
        return Reader { model }.play(card, &tokens[used..]);
    }
    if let (Some(color), [_]) = (read_color(&typed, model), tokens.as_slice()) {
        return Reader { model }.color(Some(color));
    }
    let verb = abbreviated(&typed, model)?;
    Reader { model }.read(verb, rest, text)
}

/// `w` alone is "why", but `w red` is a Wild; `r 7` is a card, not the rules.
fn is_card_first(typed: &str, tokens: &[&str], model: &Model) -> bool {
    let followed = tokens.len() > 1 && read_card(tokens, model).is_some();
    let short = typed.chars().count() == 1 && matches!(typed, "w" | "r" | "b" | "y" | "p" | "g");
    let wild = typed != "w" || tokens.get(1).is_some_and(|next| read_color(&next.to_lowercase(), model).is_some());
    let longer = read_card(tokens, model).is_some_and(|(_, used)| used > 1);
    short && followed && (wild && typed == "w" || longer)
}

fn exact(typed: &str) -> Option<Verb> {
    GRAMMAR.iter().find(|entry| entry.word == typed || entry.aliases.contains(&typed)).map(|entry| entry.verb)
}

/// A beginning of a word, if it is clear which: among several, the only one that is of use now.
fn abbreviated(typed: &str, model: &Model) -> Result<Verb, String> {
    let matching: Vec<&Entry> = GRAMMAR.iter().filter(|entry| entry.word.starts_with(typed)).collect();
    match matching.as_slice() {
        [only] => Ok(only.verb),
        [] => Err(format!("There is no command {:?}. {}", clip(typed), right_now(model))),
        several => {
            let mut useful = several.iter().filter(|entry| is_useful(entry.verb, model));
            match (useful.next(), useful.next()) {
                (Some(only), None) => Ok(only.verb),
                _ => {
                    let words: Vec<String> = several.iter().map(|entry| entry.word.to_owned()).collect();
                    Err(format!("{:?} can be {}: write a letter more.", clip(typed), either(&words)))
                }
            }
        }
    }
}

/// Whether a command is of use now.
fn is_useful(verb: Verb, model: &Model) -> bool {
    let can = |fits: fn(&ActionForm) -> bool| model.actions().any(fits);
    match verb {
        Verb::Play => can(|action| matches!(action, ActionForm::Play { .. })),
        Verb::Draw => can(|action| matches!(action, ActionForm::Draw {})),
        Verb::Keep => can(|action| matches!(action, ActionForm::Keep {})),
        Verb::Color => can(|action| matches!(action, ActionForm::CallColor { .. })),
        Verb::Take => can(|action| matches!(action, ActionForm::Take {})),
        Verb::Challenge => can(|action| matches!(action, ActionForm::Challenge {})),
        Verb::Block => can(|action| matches!(action, ActionForm::Block { .. })),
        Verb::Catch => can(|action| matches!(action, ActionForm::Catch { .. })),
        Verb::Uno => can(|action| matches!(action, ActionForm::CallUno {})) || model.is_uno_in_reach(),
        Verb::Discard => matches!(model.view().map(|view| &view.phase), Some(PhaseForm::Discard { .. })),
        Verb::Vote => can(|action| matches!(action, ActionForm::Vote { .. })) || model.may("judge"),
        Verb::Accept | Verb::Refuse => can(|action| matches!(action, ActionForm::Dare { .. })) || model.may("accept"),
        Verb::Next => matches!(model.stage(), Stage::Scores | Stage::Over),
        Verb::Ready => model.may("ready") || model.may("accept"),
        Verb::Start => model.may("start"),
        Verb::Bot => model.may("add_bot"),
        Verb::Remove => model.may("remove_bot"),
        Verb::Set => model.may("settings"),
        Verb::Sit => model.may("sit"),
        _ => false,
    }
}

fn right_now(model: &Model) -> String {
    let hints = hints(model);
    let words: Vec<String> = hints.iter().take(6).map(|hint| hint.words.clone()).collect();
    match words.is_empty() {
        true => "Type help for the list.".to_owned(),
        false => format!("Now you can type {}, or help for the list.", words.join(", ")),
    }
}

fn clip(text: &str) -> String {
    text.chars().take(40).collect()
}

fn say(text: &str) -> Result<Command, String> {
    match text.trim() {
        "" => Err("Say what? Write say, then the words.".to_owned()),
        text => Ok(Command::Ask(vec![Request::Chat { text: text.to_owned() }])),
    }
}

/// What one can do now, the most likely first.
pub fn hints(model: &Model) -> Vec<Hint> {
    let mut hints = Vec::new();
    let mut add = |words: String, what: &str| hints.push(Hint { words, what: what.to_owned() });
    match model.stage() {
        Stage::Lobby => lobby_hints(model, &mut add),
        Stage::Playing => play_hints(model, &mut add),
        Stage::Scores if model.may("ready") && !model.is_ready() => add("next".to_owned(), "deal the next round"),
        Stage::Over if model.may("ready") && !model.is_ready() => add("next".to_owned(), "play another match"),
        Stage::Scores | Stage::Over | Stage::Closed => {}
    }
    hints
}

fn lobby_hints(model: &Model, add: &mut dyn FnMut(String, &str)) {
    let host = model.lobby.as_ref().is_some_and(|lobby| lobby.host == model.you);
    if model.may("sit") {
        add("sit".to_owned(), "take a chair");
    }
    if host && model.names().len() > 1 {
        add("start".to_owned(), "deal");
    }
    if !host && model.seat().is_some() && !model.is_ready() {
        add("ready".to_owned(), "accept the rules and be ready");
    }
    if model.may("add_bot") {
        add("bot hard".to_owned(), "seat a bot: easy, normal, hard or expert");
    }
    if model.may("settings") {
        add("set".to_owned(), "see and change what is agreed");
    }
}

fn play_hints(model: &Model, add: &mut dyn FnMut(String, &str)) {
    for card in model.playable() {
        let what = spoken(card);
        match plays_of(model, card).any(|action| matches!(action, ActionForm::Play { color: Some(_), .. })) {
            true => add(format!("play {} COLOR", short(card)), &format!("play {what} and call a color")),
            false => add(format!("play {}", short(card)), &format!("play {what}")),
        }
    }
    let mut seen = Vec::new();
    for action in model.actions() {
        let (words, what) = match action {
            ActionForm::Draw {} => ("draw".to_owned(), "draw a card"),
            ActionForm::Keep {} => ("keep".to_owned(), "keep the card you drew"),
            ActionForm::Take {} => ("take".to_owned(), "take the cards"),
            ActionForm::Challenge {} => ("challenge".to_owned(), "say that it was a bluff"),
            ActionForm::Block { .. } => ("block COLOR".to_owned(), "block the attack with Flitterific!"),
            ActionForm::CallColor { .. } => ("color COLOR".to_owned(), "call a color"),
            ActionForm::CallUno {} => ("uno".to_owned(), "call UNO before somebody catches you"),
            ActionForm::Vote { .. } => ("vote yes or vote no".to_owned(), "judge the performance"),
            ActionForm::Dare { .. } => ("accept or refuse".to_owned(), "answer the dare"),
            ActionForm::Catch { seat } => {
                let name = model.name(Seat::try_from(*seat).unwrap_or(Seat::MAX));
                (format!("catch {name}"), "catch whoever forgot to call UNO")
            }
            ActionForm::Play { .. } | ActionForm::Discard { .. } => continue,
        };
        if !seen.contains(&words) {
            seen.push(words.clone());
            add(words, what);
        }
    }
    if let Some(PhaseForm::Discard { seat, count }) = model.view().map(|view| &view.phase)
        && Some(*seat) == model.seat()
    {
        let cards = model.hand().iter().take((*count).into()).map(|card| short(*card));
        add(format!("discard {}", cards.collect::<Vec<_>>().join(" ")), "discard so many cards of your choice");
    }
    if model.is_uno_in_reach() && !model.uno_armed {
        add("uno".to_owned(), "call UNO with the card you play");
    }
    if model.may("judge") {
        add("vote yes or vote no".to_owned(), "judge the accusation");
    }
}

/// A card as it is typed: `r7`, `w+4`.
pub fn short(card: CardName) -> String {
    card.as_str().to_lowercase()
}

fn plays_of(model: &Model, card: CardName) -> impl Iterator<Item = &ActionForm> {
    model.actions().filter(move |action| matches!(action, ActionForm::Play { card: legal, .. } if *legal == card))
}

fn palette(model: &Model) -> Palette {
    model.rules().map_or(Palette::Red, unum_rules::Rules::palette)
}

/// A color by its name or its first letter.
fn read_color(typed: &str, model: &Model) -> Option<ColorName> {
    let colors = Color::ALL.map(|color| color.name(palette(model)));
    colors.into_iter().find(|color| typed == color.as_str() || typed == &color.as_str()[..1])
}

/// A card at the beginning of the words, and how many words it takes.
fn read_card(tokens: &[&str], model: &Model) -> Option<(CardName, usize)> {
    let palette = palette(model);
    let fits = |used: usize| {
        let typed = tokens.get(..used)?.concat().to_lowercase();
        let card = Card::all().map(|card| card.name(palette)).find(|card| is_called(*card, &typed))?;
        Some((card, used))
    };
    (1..=tokens.len().min(4)).rev().find_map(fits)
}

/// Whether a card goes by that name, written without spaces.
fn is_called(card: CardName, typed: &str) -> bool {
    let any = |names: &[&str]| names.contains(&typed);
    let (face, color) = parts(card);
    let Some(color) = color else {
        return match face {
            Face::Wild => any(&["w", "wild"]),
            Face::WildDrawFour => any(&["w+4", "+4", "w4", "wild+4", "wilddrawfour", "wilddraw4", "drawfour", "draw4"]),
            Face::Olaf => any(&["wo", "olaf", "summertime", "olaf'ssummertime", "olafssummertime"]),
            Face::Flitterific => any(&["wf", "flitterific", "flitterific!", "flit"]),
            Face::ShuffleHands => any(&["wh", "shuffle", "shufflehands", "wildshuffle", "wildshufflehands"]),
            Face::Customizable(number) => {
                let prefixes = ["wc", "custom", "customizable", "wildcustomizable", "wildcustom"];
                prefixes.iter().any(|prefix| typed == format!("{prefix}{}", number + 1))
            }
            _ => false,
        };
    };
    let rest = |prefix: &str| typed.strip_prefix(prefix).filter(|rest| is_face(face, rest)).is_some();
    rest(color.as_str()) || rest(&color.as_str()[..1])
}

fn is_face(face: Face, typed: &str) -> bool {
    match face {
        Face::Number(number) => typed == number.to_string(),
        Face::Skip => matches!(typed, "s" | "skip"),
        Face::Reverse => matches!(typed, "r" | "rev" | "reverse"),
        Face::DrawTwo => matches!(typed, "+2" | "d" | "d2" | "drawtwo" | "draw2"),
        _ => false,
    }
}

/// Reads what follows a command.
struct Reader<'a> {
    model: &'a Model,
}

impl Reader<'_> {
    fn read(&self, verb: Verb, rest: &[&str], text: &str) -> Result<Command, String> {
        let ask = |request| Ok(Command::Ask(vec![request]));
        let show = |show| Ok(Command::Show(show));
        let word = || rest.first().map(|word| word.to_lowercase());
        match verb {
            Verb::Play => match read_card(rest, self.model) {
                Some((card, used)) => self.play(card, &rest[used..]),
                None if rest.is_empty() => Err(format!("Play which card? {}", self.playable())),
                None => Err(format!("{:?} is no card of this deck. {}", clip(text), self.playable())),
            },
            Verb::Draw => self.act(ActionForm::Draw {}),
            Verb::Keep => self.act(self.keep_or_take()),
            Verb::Take => self.act(ActionForm::Take {}),
            Verb::Challenge => self.act(ActionForm::Challenge {}),
            Verb::Color => self.color(word().and_then(|word| read_color(&word, self.model))),
            Verb::Block => self.block(rest),
            Verb::Uno => self.uno(),
            Verb::Catch => self.catch(text),
            Verb::Discard => self.discard(rest),
            Verb::Vote => match word().as_deref().and_then(yes_or_no) {
                Some(yes) => self.vote(yes),
                None => Err("Vote how? Write vote yes or vote no.".to_owned()),
            },
            Verb::Yes => self.answer(true),
            Verb::No => self.answer(false),
            Verb::Accept if self.model.stage() == Stage::Lobby => Ok(Command::Ask(self.accept())),
            Verb::Accept => self.act(ActionForm::Dare { accept: true }),
            Verb::Refuse => self.act(ActionForm::Dare { accept: false }),
            Verb::Next | Verb::Ready => self.ready(word().as_deref().and_then(yes_or_no).unwrap_or(true)),
            Verb::Start => Ok(Command::Ask(self.with_accept(Request::Start { entropy: Some(entropy()) }))),
            Verb::Reopen => ask(Request::Reopen {}),
            Verb::Bot => self.bot(word()),
            Verb::Remove => ask(Request::RemoveBot { seat: self.seat(text)? }),
            Verb::Set if text.is_empty() => show(Show::Settings),
            Verb::Set => self.set(text),
            Verb::Sit => ask(Request::Sit {}),
            Verb::Stand => ask(Request::Stand {}),
            Verb::Leave => ask(Request::Leave {}),
            Verb::Kick => ask(Request::Kick { person: self.person(text)? }),
            Verb::Host => ask(Request::PassHost { person: self.person(text)? }),
            Verb::Name if text.is_empty() => Err("Which name? Write name, then the new one.".to_owned()),
            Verb::Name => ask(Request::Rename { name: text.to_owned() }),
            Verb::Autopilot => match word().as_deref().map_or(Some(true), yes_or_no) {
                Some(on) => ask(Request::Autopilot { on }),
                None => Err("Write autopilot on or autopilot off.".to_owned()),
            },
            Verb::Say => say(text),
            Verb::React => self.react(text),
            Verb::Mute => ask(Request::Mute { person: self.person(text)?, muted: true }),
            Verb::Unmute => ask(Request::Mute { person: self.person(text)?, muted: false }),
            Verb::Accuse => ask(Request::Accuse { seat: self.seat(text)? }),
            Verb::Hand => show(Show::Hand),
            Verb::Table => show(Show::Table),
            Verb::Choices => show(Show::Choices),
            Verb::Scores => show(Show::Scores),
            Verb::Log => show(Show::Log),
            Verb::Chat => show(Show::Chat),
            Verb::People => show(Show::People),
            Verb::Rules => show(Show::Rules(rest.first().map(|id| (*id).to_owned()))),
            Verb::Why => self.why(rest),
            Verb::Help => show(Show::Help(rest.first().map(|word| word.to_lowercase()))),
            Verb::Quit => Ok(Command::Quit),
        }
    }

    /// What is possible is judged by the state it meets; what is not must not become so on the way, so it names the move
    /// the player was looking at.
    fn act(&self, action: ActionForm) -> Result<Command, String> {
        let at = self.model.game.as_ref().map(|game| game.at);
        let possible = self.model.actions().any(|legal| *legal == without_uno(&action));
        Ok(Command::Ask(vec![Request::Act { action, at: at.filter(|_| !possible) }]))
    }

    /// The page has one key for both, as there is never a choice between them.
    fn keep_or_take(&self) -> ActionForm {
        let takes = self.model.actions().any(|action| matches!(action, ActionForm::Take {}));
        if takes { ActionForm::Take {} } else { ActionForm::Keep {} }
    }

    fn playable(&self) -> String {
        match self.model.playable().as_slice() {
            [] => right_now(self.model),
            cards => {
                let words: Vec<String> = cards.iter().map(|card| format!("play {}", short(*card))).collect();
                format!("Now you can type {}.", words.join(", "))
            }
        }
    }

    /// Everything after the card: a color, cards that go along, a player to swap with, "uno".
    fn play(&self, card: CardName, rest: &[&str]) -> Result<Command, String> {
        let mut chosen = Chosen::default();
        let mut words = rest;
        while let Some((first, after)) = words.split_first() {
            let word = first.to_lowercase();
            if matches!(word.as_str(), "uno" | "uno!") {
                chosen.uno = true;
            } else if let (None, Some(color), true) = (chosen.color, read_color(&word, self.model), names_color(card)) {
                chosen.color = Some(color);
            } else if let Some((other, used)) = read_card(words, self.model) {
                chosen.discard.push(other);
                words = &words[used..];
                continue;
            } else if !matches!(word.as_str(), "with" | "and" | "swap" | "discard" | "calling" | "call") {
                let name = words.iter().filter(|word| !word.eq_ignore_ascii_case("uno"));
                chosen.uno |= words.iter().any(|word| word.eq_ignore_ascii_case("uno"));
                chosen.swap = Some(self.seat(&name.copied().collect::<Vec<_>>().join(" "))?);
                break;
            }
            words = after;
        }
        self.choose(card, chosen)
    }

    /// The one legal play that fits; or the question that is still open; or a refusal to be asked for.
    fn choose(&self, card: CardName, chosen: Chosen) -> Result<Command, String> {
        if !self.model.hand().contains(&card) && self.model.seat().is_some() {
            let hand = self.model.cards(self.model.hand());
            return Err(format!("You do not hold {}. You hold {hand}.", spoken(card)));
        }
        let legal: Vec<&ActionForm> = plays_of(self.model, card).collect();
        if legal.is_empty() {
            let first = Color::Red.name(palette(self.model));
            let color = names_color(card).then(|| chosen.color.unwrap_or(first).to_string());
            let (uno, discard, swap_with) = (false, chosen.discard, chosen.swap.map(u64::from));
            return self.act(ActionForm::Play { card, color, uno, discard, swap_with });
        }
        let mut fitting: Vec<&ActionForm> = legal.iter().copied().filter(|action| chosen.fits(action)).collect();
        if fitting.is_empty() && chosen.discard.is_empty() {
            return Err(format!("{} cannot be played like that. {}", capital(&spoken(card)), self.ways(card)));
        }
        if fitting.is_empty() {
            // The table says what is wrong with these cards.
            let color = chosen.color.map(|color| color.to_string());
            return self.act(ActionForm::Play { card, color, uno: false, discard: chosen.discard, swap_with: None });
        }
        // Whoever names no cards to go along wants none to.
        if fitting.len() > 1 && chosen.discard.is_empty() && fitting.iter().any(|action| cards_gone(action) == 1) {
            fitting.retain(|action| cards_gone(action) == 1);
        }
        let Some((first, others)) = fitting.split_first() else { return Err(self.ways(card)) };
        let one = Chosen::of(first);
        let several_colors = others.iter().any(|other| Chosen::of(other).color != one.color);
        if several_colors {
            return Err(format!("Which color? {}", self.ways(card)));
        }
        if !others.is_empty() && chosen.swap.is_none() && one.swap.is_some() {
            return Err(format!("Swap hands with whom? {}", self.ways(card)));
        }
        self.with_uno((*first).clone(), chosen.uno)
    }

    /// How a card can be played, as examples.
    fn ways(&self, card: CardName) -> String {
        let mut ways: Vec<String> = Vec::new();
        for action in plays_of(self.model, card).filter(|action| cards_gone(action) == 1) {
            let chosen = Chosen::of(action);
            let color = chosen.color.map(|color| format!(" {color}")).unwrap_or_default();
            let swap = chosen.swap.map(|seat| format!(" swap {}", self.model.name(seat))).unwrap_or_default();
            ways.push(format!("play {}{color}{swap}", short(card)));
        }
        ways.dedup();
        ways.truncate(9);
        format!("Write {}.", either(&ways))
    }

    /// Adds the call of "UNO" if it was asked for or is armed, and belongs to the action.
    fn with_uno(&self, mut action: ActionForm, wanted: bool) -> Result<Command, String> {
        let leaves_one = takes_uno(&action) && self.model.hand().len().checked_sub(cards_gone(&action)) == Some(1);
        if wanted && !leaves_one {
            return Err("UNO is called with the card that leaves you one: leave uno out.".to_owned());
        }
        if leaves_one
            && (wanted || self.model.uno_armed)
            && let ActionForm::Play { uno, .. } | ActionForm::Block { uno, .. } | ActionForm::Discard { uno, .. } =
                &mut action
        {
            *uno = true;
        }
        self.act(action)
    }

    fn color(&self, color: Option<ColorName>) -> Result<Command, String> {
        let colors: Vec<String> = Color::ALL.map(|color| color.name(palette(self.model)).to_string()).into();
        match color {
            Some(color) => self.act(ActionForm::CallColor { color: Some(color.to_string()) }),
            None => Err(format!("Which color? Write color, then {}.", either(&colors))),
        }
    }

    fn block(&self, rest: &[&str]) -> Result<Command, String> {
        let color = rest.iter().find_map(|word| read_color(&word.to_lowercase(), self.model));
        let Some(color) = color else {
            return Err("Block and call which color? Write block, then a color.".to_owned());
        };
        let wanted = rest.iter().any(|word| word.eq_ignore_ascii_case("uno"));
        self.with_uno(ActionForm::Block { color: Some(color.to_string()), uno: false }, wanted)
    }

    fn uno(&self) -> Result<Command, String> {
        let owed = self.model.actions().any(|action| matches!(action, ActionForm::CallUno {}));
        if !owed && self.model.is_uno_in_reach() {
            return Ok(Command::ArmUno);
        }
        self.act(ActionForm::CallUno {})
    }

    fn catch(&self, text: &str) -> Result<Command, String> {
        let seat = match (text.is_empty(), self.model.catchable().as_slice()) {
            (true, [only]) => *only,
            (true, []) => return Err("There is nobody to catch now.".to_owned()),
            (true, several) => {
                let names: Vec<String> =
                    several.iter().map(|seat| format!("catch {}", self.model.name(*seat))).collect();
                return Err(format!("Catch whom? Write {}.", either(&names)));
            }
            (false, _) => self.seat(text)?,
        };
        self.act(ActionForm::Catch { seat: seat.into() })
    }

    fn discard(&self, rest: &[&str]) -> Result<Command, String> {
        let (mut cards, mut wanted, mut words) = (Vec::new(), false, rest);
        while let Some((first, after)) = words.split_first() {
            match read_card(words, self.model) {
                Some((card, used)) => {
                    cards.push(card);
                    words = &words[used..];
                }
                None if matches!(first.to_lowercase().as_str(), "uno" | "uno!") => (wanted, words) = (true, after),
                None if matches!(first.to_lowercase().as_str(), "and" | "with") => words = after,
                None => return Err(format!("{:?} is no card of this deck.", clip(first))),
            }
        }
        if cards.is_empty() {
            let hand: Vec<String> = self.model.hand().iter().map(|card| short(*card)).collect();
            return Err(format!("Discard which cards? You hold {}.", hand.join(" ")));
        }
        self.with_uno(ActionForm::Discard { cards, uno: false }, wanted)
    }

    fn vote(&self, yes: bool) -> Result<Command, String> {
        let votes = self.model.actions().any(|action| matches!(action, ActionForm::Vote { .. }));
        if !votes && self.model.may("judge") {
            return Ok(Command::Ask(vec![Request::Judge { yes }]));
        }
        self.act(ActionForm::Vote { yes })
    }

    fn answer(&self, yes: bool) -> Result<Command, String> {
        match self.model.actions().any(|action| matches!(action, ActionForm::Dare { .. })) {
            true => self.act(ActionForm::Dare { accept: yes }),
            false => self.vote(yes),
        }
    }

    fn accept(&self) -> Vec<Request> {
        let agreement = self.model.lobby.as_ref().map_or(0, |lobby| lobby.agreement);
        vec![Request::Accept { agreement }]
    }

    /// The request, after accepting the rules if that has still to be done.
    fn with_accept(&self, request: Request) -> Vec<Request> {
        let mut requests = if self.model.may("accept") { self.accept() } else { Vec::new() };
        requests.push(request);
        requests
    }

    fn ready(&self, ready: bool) -> Result<Command, String> {
        let request = Request::Ready { ready, entropy: ready.then(entropy) };
        Ok(Command::Ask(if ready { self.with_accept(request) } else { vec![request] }))
    }

    fn bot(&self, level: Option<String>) -> Result<Command, String> {
        let known = unum_bots::Level::ALL;
        let level = level.unwrap_or_else(|| unum_bots::Level::Normal.id().to_owned());
        match known.into_iter().find(|known| known.id().starts_with(&level)) {
            Some(level) => Ok(Command::Ask(vec![Request::AddBot { level }])),
            None => {
                let ids: Vec<String> = known.map(|level| format!("bot {}", level.id())).into();
                Err(format!("Which bot? Write {}.", either(&ids)))
            }
        }
    }

    fn set(&self, text: &str) -> Result<Command, String> {
        let Some(lobby) = &self.model.lobby else { return Err("Nothing is agreed yet.".to_owned()) };
        let settings = settings::set(&lobby.settings, text)?;
        Ok(Command::Ask(vec![Request::Settings { settings }]))
    }

    fn react(&self, text: &str) -> Result<Command, String> {
        let word = text.trim().to_lowercase().replace(' ', "_");
        match serde_json::from_value::<Reaction>(word.into()) {
            Ok(reaction) => Ok(Command::Ask(vec![Request::React { reaction }])),
            Err(_) => Err(format!(
                "Write react, then {}.",
                GRAMMAR.iter().find(|e| e.verb == Verb::React).map_or("", |e| e.help)
            )),
        }
    }

    /// A card is asked for, and the refusal is the answer; nothing can come of it, because it is not legal.
    fn why(&self, rest: &[&str]) -> Result<Command, String> {
        if rest.is_empty() {
            return Ok(Command::Show(Show::Why));
        }
        let Some((card, _)) = read_card(rest, self.model) else {
            return Err(format!("{:?} is no card of this deck: write why r7.", clip(&rest.join(" "))));
        };
        if self.model.is_playable(card) {
            return Err(format!("{} can be played now. {}", capital(&spoken(card)), self.ways(card)));
        }
        self.choose(card, Chosen::default())
    }

    /// Somebody with a chair, by name or a clear beginning of it.
    fn seat(&self, text: &str) -> Result<Seat, String> {
        let names = self.model.names();
        let found = find_name(&names, text);
        let names: Vec<String> =
            (0..).zip(names).filter(|(seat, _)| Some(*seat) != self.model.seat()).map(|(_, name)| name).collect();
        match found {
            Some(place) => Ok(place as Seat),
            None if text.trim().is_empty() => Err(format!("Whom? There are {}.", listed(&names))),
            None => Err(format!("Nobody here is called {:?}. There are {}.", clip(text), listed(&names))),
        }
    }

    /// Somebody at the table, onlookers included.
    fn person(&self, text: &str) -> Result<Person, String> {
        let people = self.model.lobby.as_ref().map(|lobby| lobby.people.as_slice()).unwrap_or_default();
        let names: Vec<String> = people.iter().map(|person| person.name.clone()).collect();
        match find_name(&names, text) {
            Some(place) => Ok(people[place].person),
            None => Err(format!("No person here is called {:?}. There are {}.", clip(text), listed(&names))),
        }
    }
}

/// What was chosen for a play.
#[derive(Clone, Debug, Default)]
struct Chosen {
    color: Option<ColorName>,
    swap: Option<Seat>,
    discard: Vec<CardName>,
    uno: bool,
}

impl Chosen {
    fn of(action: &ActionForm) -> Chosen {
        let ActionForm::Play { color, uno, discard, swap_with, .. } = action else { return Chosen::default() };
        let colors = [ColorName::Red, ColorName::Pink, ColorName::Yellow, ColorName::Green, ColorName::Blue];
        Chosen {
            color: colors.into_iter().find(|known| color.as_deref() == Some(known.as_str())),
            swap: swap_with.and_then(|seat| Seat::try_from(seat).ok()),
            discard: discard.clone(),
            uno: *uno,
        }
    }

    /// Whether a legal play agrees with everything that was chosen.
    fn fits(&self, action: &ActionForm) -> bool {
        let legal = Chosen::of(action);
        let color = self.color.is_none_or(|color| legal.color == Some(color));
        let swap = self.swap.is_none_or(|seat| legal.swap == Some(seat));
        color && swap && (self.discard.is_empty() || sorted(&self.discard) == sorted(&legal.discard))
    }
}

fn sorted(cards: &[CardName]) -> Vec<&'static str> {
    let mut names: Vec<&str> = cards.iter().map(|card| card.as_str()).collect();
    names.sort_unstable();
    names
}

fn names_color(card: CardName) -> bool {
    let (face, color) = parts(card);
    color.is_none() && face != Face::ShuffleHands
}

fn without_uno(action: &ActionForm) -> ActionForm {
    let mut action = action.clone();
    if let ActionForm::Play { uno, .. } | ActionForm::Block { uno, .. } | ActionForm::Discard { uno, .. } = &mut action
    {
        *uno = false;
    }
    action
}

fn yes_or_no(word: &str) -> Option<bool> {
    match word {
        "yes" | "y" | "on" | "true" => Some(true),
        "no" | "n" | "off" | "false" | "not" => Some(false),
        _ => None,
    }
}

fn find_name(names: &[String], text: &str) -> Option<usize> {
    let text = text.trim().to_lowercase();
    if text.is_empty() {
        return None;
    }
    let whole = names.iter().position(|name| name.to_lowercase() == text);
    let mut beginnings = (0..).zip(names).filter(|(_, name)| name.to_lowercase().starts_with(&text));
    let beginning = match (beginnings.next(), beginnings.next()) {
        (Some((place, _)), None) => Some(place),
        _ => None,
    };
    whole.or(beginning)
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
