//! The grammar of commands, the same in every interface: `play r7`, `draw`, `uno`, `why`. docs/terminal.md lists it.
//!
//! A word can be shortened while it stays unambiguous; the page's keys are short forms too. Input is matched against
//! what the table says is possible now; an impossible card is requested anyway, because the refusal says why.

use strum::VariantArray as _;
use unum_protocol::{Level, Person, Reaction, ReportKind, Request, RequestKind, Stage};
use unum_rules::text::printable;
use unum_rules::wire::{ActionForm, PhaseForm};
use unum_rules::{CardName, ColorName, Face, Seat};

use crate::model::{Model, sorted, with_uno};
use crate::nearest::did_you_mean;
use crate::settings;
use crate::story::{either, listed};

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
    /// The hand, and which cards can be played.
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
    /// All settings.
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
    read: Read,
}

/// Reads what follows a word.
type Read = fn(&Reader<'_>, &Rest<'_>) -> Answer;

/// A command, or a sentence that says what would be right.
type Answer = Result<Command, String>;

const fn entry(
    word: &'static str,
    aliases: &'static [&'static str],
    form: &'static str,
    help: &'static str,
    read: Read,
) -> Entry {
    Entry { word, aliases, form, help, read }
}

fn ask(request: Request) -> Answer {
    Ok(Command::Ask(vec![request]))
}

fn show(show: Show) -> Answer {
    Ok(Command::Show(show))
}

/// All commands, in the order in which help lists them.
pub static GRAMMAR: &[Entry] = &[
    entry(
        "play",
        &["p"],
        "play CARD [COLOR] [with CARDS] [swap NAME] [uno]",
        "play a card; a card alone will do",
        |reader, rest| reader.play_what(rest),
    ),
    entry("draw", &["d"], "draw", "draw a card", |reader, _| reader.act(ActionForm::Draw {})),
    entry("keep", &["k", "pass"], "keep", "keep the card you drew", |reader, _| reader.act(reader.keep_or_take())),
    entry("color", &["colour", "call"], "color COLOR", "call a color; the color alone will do", |reader, rest| {
        reader.color(rest.first().and_then(|word| read_color(&word, reader.model)))
    }),
    entry("take", &["t"], "take", "take the cards of an attack", |reader, _| reader.act(ActionForm::Take {})),
    entry("challenge", &["c"], "challenge", "challenge a Wild Draw Four: was it a bluff?", |reader, _| {
        reader.act(ActionForm::Challenge {})
    }),
    entry("block", &["b"], "block COLOR [uno]", "block an attack with Flitterific!", |reader, rest| {
        reader.block(rest.words)
    }),
    entry("uno", &["u", "uno!"], "uno", "call UNO now, or with the card you play next", |reader, _| reader.uno()),
    entry("catch", &["x"], "catch [NAME]", "catch somebody who forgot to call UNO", |reader, rest| {
        reader.catch(rest.text)
    }),
    entry("discard", &["throw"], "discard CARDS [uno]", "discard the cards you must", |reader, rest| {
        reader.discard(rest.words)
    }),
    entry("vote", &["v", "judge"], "vote yes|no", "vote on a performance or an accusation", |reader, rest| {
        rest.yes_or_no().map_or(Err("Vote how? Type vote yes or vote no.".to_owned()), |yes| reader.vote(yes))
    }),
    entry("yes", &["y"], "yes", "vote yes, or accept", |reader, _| reader.answer(true)),
    entry("no", &[], "no", "vote no, or refuse", |reader, _| reader.answer(false)),
    entry("accept", &[], "accept", "accept a dare, or the rules in the lobby", |reader, _| reader.accept_what()),
    entry("refuse", &["decline"], "refuse", "refuse a dare", |reader, _| {
        reader.act(ActionForm::Dare { accept: false })
    }),
    entry("next", &["n", "again"], "next", "go on: the next round, or another match", |reader, rest| {
        reader.ready(rest.yes_or_no().unwrap_or(true))
    }),
    entry("ready", &[], "ready [no]", "accept the rules and be ready; no: not ready after all", |reader, rest| {
        reader.ready(rest.yes_or_no().unwrap_or(true))
    }),
    entry("start", &["deal"], "start", "deal (host)", |reader, _| reader.with_accept(Request::Start { pledge: None })),
    entry("reopen", &["lobby"], "reopen", "end the match and go back to the lobby (host)", |_, _| {
        ask(Request::Reopen {})
    }),
    entry(
        "bot",
        &[],
        "bot [LEVEL]",
        "seat a bot in the lobby (host): easy, normal, hard, expert, random",
        |reader, rest| reader.bot(rest.first()),
    ),
    entry("remove", &[], "remove NAME", "remove a bot (host)", |reader, rest| {
        ask(Request::RemoveBot { seat: reader.seat(rest.text)? })
    }),
    entry(
        "set",
        &["settings"],
        "set [SETTING VALUE]",
        "change a setting (host); without arguments, list them",
        |reader, rest| reader.set(rest.text),
    ),
    entry("sit", &[], "sit", "take a seat; during a match, a bot's when the round is over", |reader, _| reader.sit()),
    entry("stand", &[], "stand", "give up your seat and watch", |_, _| ask(Request::Stand {})),
    entry("leave", &[], "leave", "leave the table; your seat is kept until somebody takes it", |_, _| {
        ask(Request::Leave {})
    }),
    entry("giveup", &["resign"], "giveup", "leave the table and give up your seat", |_, _| ask(Request::Quit {})),
    entry(
        "kick",
        &[],
        "kick NAME [and address]",
        "remove somebody and keep them out, or their whole address (host)",
        |reader, rest| reader.kick(rest.text),
    ),
    entry("unkick", &[], "unkick NAME", "let a removed person come back (host)", |reader, rest| {
        ask(Request::Unkick { person: reader.kicked(rest.text)? })
    }),
    entry("lock", &[], "lock", "let nobody new in (host)", |_, _| ask(Request::Lock { locked: true })),
    entry("unlock", &[], "unlock", "let people in again (host)", |_, _| ask(Request::Lock { locked: false })),
    entry("newcode", &["renew"], "newcode", "give the table a new code; old links stop working (host)", |_, _| {
        ask(Request::NewCode {})
    }),
    entry("host", &[], "host NAME", "make somebody else the host", |reader, rest| {
        ask(Request::PassHost { person: reader.person(rest.text)? })
    }),
    entry("name", &["rename"], "name NAME", "change your name at this table", |_, rest| rename(rest.text)),
    entry("hint", &["tip"], "hint", "what an expert would do, where only bots play against you", |_, _| {
        ask(Request::Hint { at: None })
    }),
    entry("autopilot", &["auto"], "autopilot on|off", "let a bot play for you, or play again", |_, rest| {
        autopilot(rest)
    }),
    entry("say", &["'"], "say TEXT", "say something to everybody", |_, rest| say(rest.text)),
    entry(
        "react",
        &[],
        "react WORD",
        "hello, thanks, well_played, oops, laugh, wow, think, hurry, sorry or cheers",
        |_, rest| react(rest.text),
    ),
    entry("mute", &[], "mute NAME [always]", "mute somebody, or with `always` at every table", |reader, rest| {
        let name = rest.text.strip_suffix(" always");
        let person = reader.person(name.unwrap_or(rest.text))?;
        ask(Request::Mute { person, muted: true, always: name.is_some() })
    }),
    entry("unmute", &[], "unmute NAME", "unmute somebody", |reader, rest| {
        ask(Request::Mute { person: reader.person(rest.text)?, muted: false, always: false })
    }),
    entry(
        "report",
        &[],
        "report NAME [WHY]",
        "report somebody to whoever runs the server: abuse, name, spam, cheating or other",
        |reader, rest| reader.report(rest.text),
    ),
    entry("accuse", &[], "accuse NAME", "accuse somebody of suggesting a play (rule X1)", |reader, rest| {
        ask(Request::Accuse { seat: reader.seat(rest.text)? })
    }),
    entry("hand", &["h", "cards"], "hand", "your cards, and which can be played", |_, _| show(Show::Hand)),
    entry("table", &["s", "status", "look"], "table", "how things stand", |_, _| show(Show::Table)),
    entry("choices", &["?", "what"], "choices", "what you can do now", |_, _| show(Show::Choices)),
    entry(
        "scores",
        &["points"],
        "scores",
        "the scores, the cards left after a round, and the awards of a match",
        |_, _| show(Show::Scores),
    ),
    entry("log", &["l"], "log", "what happened last", |_, _| show(Show::Log)),
    entry("chat", &["m", "messages"], "chat", "what was said last", |_, _| show(Show::Chat)),
    entry("people", &["who"], "people", "who is here, and the settings", |_, _| show(Show::People)),
    entry("rules", &["r", "rule"], "rules [ID]", "the rules of this edition, or one of them", |_, rest| {
        show(Show::Rules(rest.words.first().map(|id| (*id).to_owned())))
    }),
    entry("why", &["w"], "why [CARD]", "why something was refused, or a card cannot be played", |reader, rest| {
        reader.why(rest.words)
    }),
    entry("help", &["commands"], "help [COMMAND]", "this list, or one command", |_, rest| {
        show(Show::Help(rest.first()))
    }),
    entry("quit", &["q", "exit"], "quit", "leave; the game is saved, your seat on a server is kept", |_, _| {
        Ok(Command::Quit)
    }),
];

/// A command that can be used now, to show as a choice or a key.
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
/// When it is not a command, or not complete.
pub fn parse(line: &str, model: &Model) -> Result<Command, String> {
    let line = line.trim();
    if let Some(text) = line.strip_prefix('\'') {
        return say(text);
    }
    let tokens: Vec<&str> = line.split_whitespace().collect();
    let Some((first, rest)) = tokens.split_first() else { return Ok(Command::Show(Show::Choices)) };
    let reader = Reader { model };
    let rest = Rest { words: rest, text: line[first.len()..].trim() };
    let typed = first.to_lowercase();
    if let Some(entry) = exact(&typed).filter(|_| !is_card_first(&typed, &tokens, model)) {
        return (entry.read)(&reader, &rest);
    }
    if let Some((card, used)) = read_card(&tokens, model) {
        return reader.play(card, &tokens[used..]);
    }
    if let (Some(color), [_]) = (read_color(&typed, model), tokens.as_slice()) {
        return reader.color(Some(color));
    }
    (abbreviated(&typed, model)?.read)(&reader, &rest)
}

/// `w` alone is "why", but `w red` is a Wild; `r 7` is a card, not the rules.
fn is_card_first(typed: &str, tokens: &[&str], model: &Model) -> bool {
    let followed = tokens.len() > 1 && read_card(tokens, model).is_some();
    let short = typed.chars().count() == 1 && matches!(typed, "w" | "r" | "b" | "y" | "p" | "g");
    let wild = typed != "w" || tokens.get(1).is_some_and(|next| read_color(&next.to_lowercase(), model).is_some());
    let longer = read_card(tokens, model).is_some_and(|(_, used)| used > 1);
    short && followed && (wild && typed == "w" || longer)
}

fn exact(typed: &str) -> Option<&'static Entry> {
    GRAMMAR.iter().find(|entry| entry.word == typed || entry.aliases.contains(&typed))
}

/// A command by the beginning of its word, if unambiguous; among several, the only one usable now.
fn abbreviated(typed: &str, model: &Model) -> Result<&'static Entry, String> {
    let matching: Vec<&Entry> = GRAMMAR.iter().filter(|entry| entry.word.starts_with(typed)).collect();
    match matching.as_slice() {
        [only] => Ok(only),
        [] => {
            let near = did_you_mean(typed, GRAMMAR.iter().map(|entry| entry.word));
            Err(format!("There is no command {:?}.{near} {}", clip(typed), right_now(model)))
        }
        several => {
            let hints = hints(model);
            let of_use = |word: &str| hints.iter().any(|hint| hint.words.split(' ').any(|other| other == word));
            let mut useful = several.iter().filter(|entry| of_use(entry.word));
            match (useful.next(), useful.next()) {
                (Some(only), None) => Ok(only),
                _ => {
                    let words: Vec<String> = several.iter().map(|entry| entry.word.to_owned()).collect();
                    Err(format!("{:?} could be {}: type another letter.", clip(typed), either(&words)))
                }
            }
        }
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

/// What was typed, short enough to be repeated.
fn clip(text: &str) -> String {
    printable(text, 40)
}

fn say(text: &str) -> Answer {
    match text.trim() {
        "" => Err("Say what? Type say, then the words.".to_owned()),
        text => ask(Request::Chat { text: text.to_owned() }),
    }
}

fn rename(name: &str) -> Answer {
    match name {
        "" => Err("What name? Type name, then the new one.".to_owned()),
        name => ask(Request::Rename { name: name.to_owned() }),
    }
}

fn autopilot(rest: &Rest<'_>) -> Answer {
    match (rest.words.is_empty(), rest.yes_or_no()) {
        (true, _) => ask(Request::Autopilot { on: true }),
        (false, Some(on)) => ask(Request::Autopilot { on }),
        (false, None) => Err("Type autopilot on or autopilot off.".to_owned()),
    }
}

fn react(text: &str) -> Answer {
    let word = text.trim().to_lowercase().replace(' ', "_");
    let reaction = Reaction::VARIANTS.iter().find(|reaction| <&str>::from(**reaction) == word);
    match reaction {
        Some(reaction) => ask(Request::React { reaction: *reaction }),
        None => {
            let words: Vec<String> = Reaction::VARIANTS.iter().map(|word| <&str>::from(*word).to_owned()).collect();
            Err(format!("Type react, then {}.", either(&words)))
        }
    }
}

/// The commands that can be used now, most likely first.
pub fn hints(model: &Model) -> Vec<Hint> {
    let mut hints = Vec::new();
    let mut add = |words: String, what: &str| hints.push(Hint { words, what: what.to_owned() });
    match model.stage() {
        Stage::Lobby => lobby_hints(model, &mut add),
        Stage::Playing if model.is_away() => {}
        Stage::Playing => play_hints(model, &mut add),
        Stage::Scores if model.may(RequestKind::Ready) && !model.is_ready() => {
            add("next".to_owned(), "deal the next round")
        }
        Stage::Over if model.may(RequestKind::Ready) && !model.is_ready() => {
            add("next".to_owned(), "play another match")
        }
        Stage::Scores | Stage::Over | Stage::Closed => {}
    }
    hints
}

fn lobby_hints(model: &Model, add: &mut dyn FnMut(String, &str)) {
    let host = model.is_host();
    if model.may(RequestKind::Sit) {
        add("sit".to_owned(), "take a seat");
    }
    if host && model.names().len() > 1 {
        add("start".to_owned(), "deal");
    }
    if !host && model.seat().is_some() && !model.is_ready() {
        add("ready".to_owned(), "accept the rules and be ready");
    }
    if model.may(RequestKind::AddBot) {
        add("bot hard".to_owned(), "seat a bot: easy, normal, hard or expert");
    }
    if model.may(RequestKind::Settings) {
        add("set".to_owned(), "see and change the settings");
    }
}

fn play_hints(model: &Model, add: &mut dyn FnMut(String, &str)) {
    for card in model.playable() {
        let what = card.spoken();
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
            ActionForm::Challenge {} => ("challenge".to_owned(), "challenge it as a bluff"),
            ActionForm::Block { .. } => ("block COLOR".to_owned(), "block the attack with Flitterific!"),
            ActionForm::CallColor { .. } => ("color COLOR".to_owned(), "call a color"),
            ActionForm::CallUno {} => ("uno".to_owned(), "call UNO before somebody catches you"),
            ActionForm::Vote { .. } => ("vote yes or vote no".to_owned(), "judge the performance"),
            ActionForm::Dare { .. } => ("accept or refuse".to_owned(), "answer the dare"),
            ActionForm::Catch { seat } => {
                (format!("catch {}", model.name(*seat)), "catch them: they forgot to call UNO")
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
        add(format!("discard {}", cards.collect::<Vec<_>>().join(" ")), "discard that many cards of your choice");
    }
    if model.is_uno_in_reach() && !model.uno_armed {
        add("uno".to_owned(), "call UNO with the card you play");
    }
    if model.may(RequestKind::Judge) {
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

/// A color by its name or its first letter.
fn read_color(typed: &str, model: &Model) -> Option<ColorName> {
    model.colors().iter().copied().find(|color| typed == color.as_str() || typed == &color.as_str()[..1])
}

/// A card at the beginning of the words, and how many words it takes.
fn read_card(tokens: &[&str], model: &Model) -> Option<(CardName, usize)> {
    let deck = &model.rules()?.deck;
    let fits = |used: usize| {
        let typed = tokens.get(..used)?.concat().to_lowercase();
        let kind = deck.iter().find(|kind| is_called(kind.card, &typed))?;
        Some((kind.card, used))
    };
    (1..=tokens.len().min(4)).rev().find_map(fits)
}

/// Whether a card goes by that name, written without spaces.
fn is_called(card: CardName, typed: &str) -> bool {
    let any = |names: &[&str]| names.contains(&typed);
    let face = card.kind().face();
    let Some(color) = card.color() else {
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

/// What follows a command, as words and as it was written.
struct Rest<'a> {
    words: &'a [&'a str],
    text: &'a str,
}

impl Rest<'_> {
    fn first(&self) -> Option<String> {
        self.words.first().map(|word| word.to_lowercase())
    }

    fn yes_or_no(&self) -> Option<bool> {
        yes_or_no(&self.first()?)
    }
}

/// Turns words into requests that fit what is known about the table.
struct Reader<'a> {
    model: &'a Model,
}

impl Reader<'_> {
    fn play_what(&self, rest: &Rest<'_>) -> Answer {
        match read_card(rest.words, self.model) {
            Some((card, used)) => self.play(card, &rest.words[used..]),
            None if rest.words.is_empty() => Err(format!("Play which card? {}", self.playable())),
            None => Err(format!("{:?} is not a card of this deck. {}", clip(rest.text), self.playable())),
        }
    }

    /// A legal action is judged by the state it meets. An illegal one must not become legal on the way, so it carries
    /// the move the player was looking at.
    fn act(&self, action: ActionForm) -> Answer {
        let at = self.model.game.as_ref().map(|game| game.at);
        let possible = self.model.stakes(&action).is_some();
        ask(Request::Act { action, at: at.filter(|_| !possible) })
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
    fn play(&self, card: CardName, rest: &[&str]) -> Answer {
        let mut chosen = Chosen::default();
        let mut words = rest;
        while let Some((first, after)) = words.split_first() {
            let word = first.to_lowercase();
            if matches!(word.as_str(), "uno" | "uno!") {
                chosen.uno = true;
            } else if let (None, Some(color), true) =
                (chosen.color, read_color(&word, self.model), card.kind().names_color())
            {
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

    /// The one legal play that fits; or the open question; or a play to request for its refusal.
    fn choose(&self, card: CardName, chosen: Chosen) -> Answer {
        if !self.model.hand().contains(&card) && self.model.seat().is_some() {
            let hand = self.model.cards(self.model.hand());
            return Err(format!("You do not hold {}. You hold {hand}.", card.spoken()));
        }
        let legal: Vec<&ActionForm> = plays_of(self.model, card).collect();
        if legal.is_empty() {
            let color = chosen.color.or(self.model.colors().first().copied()).filter(|_| card.kind().names_color());
            let Chosen { discard, swap: swap_with, .. } = chosen;
            return self.act(ActionForm::Play { card, color, uno: false, discard, swap_with });
        }
        let mut fitting: Vec<&ActionForm> = legal.iter().copied().filter(|action| chosen.fits(action)).collect();
        if fitting.is_empty() && chosen.discard.is_empty() {
            return Err(format!("{} cannot be played like that. {}", capital(&card.spoken()), self.ways(card)));
        }
        if fitting.is_empty() {
            // The table says what is wrong with these cards.
            let Chosen { color, discard, .. } = chosen;
            return self.act(ActionForm::Play { card, color, uno: false, discard, swap_with: None });
        }
        // Without cards named to go along, none do.
        if chosen.discard.is_empty() && fitting.iter().any(|action| is_alone(action)) {
            fitting.retain(|action| is_alone(action));
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
        for action in plays_of(self.model, card).filter(|action| is_alone(action)) {
            let chosen = Chosen::of(action);
            let color = chosen.color.map(|color| format!(" {color}")).unwrap_or_default();
            let swap = chosen.swap.map(|seat| format!(" swap {}", self.model.name(seat))).unwrap_or_default();
            ways.push(format!("play {}{color}{swap}", short(card)));
        }
        ways.dedup();
        ways.truncate(9);
        format!("Type {}.", either(&ways))
    }

    /// Adds the call of "UNO" if it was asked for or is armed, and belongs to the action.
    fn with_uno(&self, action: ActionForm, wanted: bool) -> Answer {
        let leaves_one = self.model.stakes(&action).is_some_and(|stakes| stakes.uno);
        if wanted && !leaves_one {
            return Err("UNO is called with the card that leaves you one: leave uno out.".to_owned());
        }
        self.act(with_uno(action, leaves_one && (wanted || self.model.uno_armed)))
    }

    fn color(&self, color: Option<ColorName>) -> Answer {
        let colors: Vec<String> = self.model.colors().iter().map(ToString::to_string).collect();
        match color {
            Some(color) => self.act(ActionForm::CallColor { color: Some(color) }),
            None => Err(format!("Which color? Type color, then {}.", either(&colors))),
        }
    }

    fn block(&self, rest: &[&str]) -> Answer {
        let color = rest.iter().find_map(|word| read_color(&word.to_lowercase(), self.model));
        let Some(color) = color else {
            return Err("Block and call which color? Type block, then a color.".to_owned());
        };
        let wanted = rest.iter().any(|word| word.eq_ignore_ascii_case("uno"));
        self.with_uno(ActionForm::Block { color: Some(color), uno: false }, wanted)
    }

    fn uno(&self) -> Answer {
        let owed = self.model.actions().any(|action| matches!(action, ActionForm::CallUno {}));
        if !owed && self.model.is_uno_in_reach() {
            return Ok(Command::ArmUno);
        }
        self.act(ActionForm::CallUno {})
    }

    fn catch(&self, text: &str) -> Answer {
        let seat = match (text.is_empty(), self.model.catchable().as_slice()) {
            (true, [only]) => *only,
            (true, []) => return Err("There is nobody to catch.".to_owned()),
            (true, several) => {
                let names: Vec<String> =
                    several.iter().map(|seat| format!("catch {}", self.model.name(*seat))).collect();
                return Err(format!("Catch whom? Type {}.", either(&names)));
            }
            (false, _) => self.seat(text)?,
        };
        self.act(ActionForm::Catch { seat })
    }

    fn discard(&self, rest: &[&str]) -> Answer {
        let (mut cards, mut wanted, mut words) = (Vec::new(), false, rest);
        while let Some((first, after)) = words.split_first() {
            match read_card(words, self.model) {
                Some((card, used)) => {
                    cards.push(card);
                    words = &words[used..];
                }
                None if matches!(first.to_lowercase().as_str(), "uno" | "uno!") => (wanted, words) = (true, after),
                None if matches!(first.to_lowercase().as_str(), "and" | "with") => words = after,
                None => return Err(format!("{:?} is not a card of this deck.", clip(first))),
            }
        }
        if cards.is_empty() {
            let hand: Vec<String> = self.model.hand().iter().map(|card| short(*card)).collect();
            return Err(format!("Discard which cards? You hold {}.", hand.join(" ")));
        }
        self.with_uno(ActionForm::Discard { cards, uno: false }, wanted)
    }

    fn vote(&self, yes: bool) -> Answer {
        let votes = self.model.actions().any(|action| matches!(action, ActionForm::Vote { .. }));
        if !votes && self.model.may(RequestKind::Judge) {
            return ask(Request::Judge { yes });
        }
        self.act(ActionForm::Vote { yes })
    }

    fn answer(&self, yes: bool) -> Answer {
        match self.model.actions().any(|action| matches!(action, ActionForm::Dare { .. })) {
            true => self.act(ActionForm::Dare { accept: yes }),
            false => self.vote(yes),
        }
    }

    fn accept(&self) -> Request {
        Request::Accept { agreement: self.model.terms.as_ref().map_or(0, |terms| terms.agreement) }
    }

    fn accept_what(&self) -> Answer {
        match self.model.stage() {
            Stage::Lobby => ask(self.accept()),
            _ => self.act(ActionForm::Dare { accept: true }),
        }
    }

    /// The request, after accepting the rules if that has still to be done.
    fn with_accept(&self, request: Request) -> Answer {
        let accepted = self.model.seat().and_then(|seat| self.model.chair(seat)).is_none_or(|chair| chair.accepted);
        let accept = (!accepted && self.model.may(RequestKind::Accept)).then(|| self.accept());
        Ok(Command::Ask(accept.into_iter().chain([request]).collect()))
    }

    fn sit(&self) -> Answer {
        match self.model.stage() {
            Stage::Lobby => ask(Request::Sit {}),
            _ => ask(Request::Take { seat: None }),
        }
    }

    fn ready(&self, ready: bool) -> Answer {
        let request = Request::Ready { ready, pledge: None };
        if ready { self.with_accept(request) } else { ask(request) }
    }

    fn bot(&self, level: Option<String>) -> Answer {
        let level = level.unwrap_or_else(|| Level::default().id().to_owned());
        match Level::ALL.iter().find(|known| known.id().starts_with(&level)) {
            Some(level) => ask(Request::AddBot { level: *level }),
            None => {
                let ids: Vec<String> = Level::ALL.iter().map(|level| format!("bot {level}")).collect();
                let near = did_you_mean(&level, Level::ALL.iter().map(|level| level.id()));
                Err(format!("Which bot?{near} Type {}.", either(&ids)))
            }
        }
    }

    fn set(&self, text: &str) -> Answer {
        if text.is_empty() {
            return show(Show::Settings);
        }
        let Some(agreed) = self.model.settings() else { return Err("There are no settings yet.".to_owned()) };
        let changes = settings::parse(agreed, text)?;
        let requests = changes.into_iter().map(|(setting, value)| Request::Set { setting, value });
        Ok(Command::Ask(requests.collect()))
    }

    /// The card is requested, and its refusal is the answer; it cannot succeed, because it is not legal.
    fn why(&self, rest: &[&str]) -> Answer {
        if rest.is_empty() {
            return show(Show::Why);
        }
        let Some((card, _)) = read_card(rest, self.model) else {
            return Err(format!("{:?} is not a card of this deck: type why r7.", clip(&rest.join(" "))));
        };
        if self.model.is_playable(card) {
            return Err(format!("{} can be played now. {}", capital(&card.spoken()), self.ways(card)));
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
            None if text.trim().is_empty() => Err(format!("Which player? There are {}.", listed(&names))),
            None => Err(format!("Nobody here is called {:?}. There are {}.", clip(text), listed(&names))),
        }
    }

    /// Removes somebody, and keeps their address out if that follows the name.
    fn kick(&self, text: &str) -> Answer {
        let name = text.strip_suffix("and address").map(str::trim_end);
        ask(Request::Kick { person: self.person(name.unwrap_or(text))?, address: name.is_some() })
    }

    /// Reports somebody; the last word says why, if it is one of those there are.
    fn report(&self, text: &str) -> Answer {
        let why = text.rsplit_once(' ').and_then(|(name, word)| Some((name, ReportKind::parse(word)?)));
        let (name, kind) = why.unwrap_or((text, ReportKind::Other));
        ask(Request::Report { person: self.person(name)?, kind, text: String::new() })
    }

    /// Somebody who was removed.
    fn kicked(&self, text: &str) -> Result<Person, String> {
        let kicked = &self.model.own.kicked;
        let names: Vec<String> = kicked.iter().map(|kicked| kicked.name.clone()).collect();
        match find_name(&names, text) {
            Some(place) => Ok(kicked[place].person),
            None if names.is_empty() => Err("Nobody is kept out, or only the host knows who is.".to_owned()),
            None => Err(format!("Nobody called {:?} was removed. There are {}.", clip(text), listed(&names))),
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
        Chosen { color: *color, swap: *swap_with, discard: discard.clone(), uno: *uno }
    }

    /// Whether a legal play agrees with everything that was chosen.
    fn fits(&self, action: &ActionForm) -> bool {
        let legal = Chosen::of(action);
        let color = self.color.is_none_or(|color| legal.color == Some(color));
        let swap = self.swap.is_none_or(|seat| legal.swap == Some(seat));
        color && swap && (self.discard.is_empty() || sorted(&self.discard) == sorted(&legal.discard))
    }
}

/// Whether no cards go along with a play.
fn is_alone(action: &ActionForm) -> bool {
    matches!(action, ActionForm::Play { discard, .. } if discard.is_empty())
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

pub(crate) fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests;
