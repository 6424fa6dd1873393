//! The text form of records: tags, then moves, like PGN for chess.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use strum::VariantArray as _;

use super::{Check, Digest, MAX_MESSAGE, MoveForm, Outcome, PlayerName, Record, RecordError, Seeding, Setup, VERSION};
use crate::card::{CardName, ColorName};
use crate::edition::Edition;
use crate::fair::{Entropy, FairDeal, Secret};
use crate::rules::{CustomCard, House, MAX_PLAYERS, MIN_PLAYERS, RulesError, RulesSpec, Scoring};
use crate::seat::Seat;
use crate::text::{clip, is_invisible, printable};
use crate::wire::{ActionForm, clamp_seat};

/// How long lines of moves get.
const WIDTH: usize = 80;

/// What the tag `Rules` holds: the rules without the edition, which has a tag of its own.
#[derive(Default, PartialEq, Serialize, Deserialize, crate::json::Read)]
#[serde(default, deny_unknown_fields)]
struct Overrides {
    #[serde(skip_serializing_if = "Option::is_none")]
    scoring: Option<Scoring>,
    #[serde(skip_serializing_if = "is_printed")]
    house: House,
    #[serde(skip_serializing_if = "Option::is_none")]
    custom_cards: Option<Vec<CustomCard>>,
}

fn is_printed(house: &House) -> bool {
    *house == House::default()
}

impl Overrides {
    fn of(rules: &RulesSpec) -> Overrides {
        let RulesSpec { scoring, house, custom_cards, .. } = rules.clone();
        Overrides { scoring, house, custom_cards }
    }

    fn on(self, edition: Edition) -> RulesSpec {
        let Overrides { scoring, house, custom_cards } = self;
        RulesSpec { edition, scoring, house, custom_cards }
    }
}

// Tokens.

impl MoveForm {
    /// The move without its check; `round` is the one being played, or dealt.
    pub(super) fn token(&self, round: u32) -> String {
        match self {
            MoveForm::Act { seat, action } => format!("{seat}:{}", action_token(action)),
            MoveForm::Penalize { seat } => format!("{seat}:penalty"),
            MoveForm::NextRound => format!("round {round}"),
        }
    }

    fn parse(token: &str) -> Result<MoveForm, String> {
        let (seat, what) = token.split_once(':').ok_or("a move begins with its seat, as in 1:draw")?;
        let seat = parse_seat(seat)?;
        match what {
            "penalty" => Ok(MoveForm::Penalize { seat }),
            what => Ok(MoveForm::Act { seat, action: parse_action(what)? }),
        }
    }
}

fn action_token(action: &ActionForm) -> String {
    let color = |color: &Option<ColorName>| color.map_or("", ColorName::as_str);
    match action {
        ActionForm::Play { card, color, uno, discard, swap_with } => {
            play_token(*card, *color, discard, *swap_with) + call(*uno)
        }
        ActionForm::Draw {} => "draw".to_owned(),
        ActionForm::Keep {} => "keep".to_owned(),
        ActionForm::CallColor { color: called } => format!("call={}", color(called)),
        ActionForm::Take {} => "take".to_owned(),
        ActionForm::Challenge {} => "challenge".to_owned(),
        ActionForm::Block { color: called, uno } => format!("block={}{}", color(called), call(*uno)),
        ActionForm::CallUno {} => "uno".to_owned(),
        ActionForm::Catch { seat } => format!("catch={seat}"),
        ActionForm::Discard { cards, uno } => format!("discard({}){}", card_list(cards), call(*uno)),
        ActionForm::Vote { yes } => if *yes { "yes" } else { "no" }.to_owned(),
        ActionForm::Dare { accept } => if *accept { "accept" } else { "refuse" }.to_owned(),
    }
}

/// "UNO" called with a move.
fn call(uno: bool) -> &'static str {
    if uno { "!" } else { "" }
}

fn play_token(card: CardName, color: Option<ColorName>, discard: &[CardName], swap_with: Option<Seat>) -> String {
    let mut token = card.to_string();
    if let Some(color) = color {
        token = token + "=" + color.as_str();
    }
    if !discard.is_empty() {
        token = format!("{token}({})", card_list(discard));
    }
    match swap_with {
        Some(seat) => format!("{token}<>{seat}"),
        None => token,
    }
}

fn card_list(cards: &[CardName]) -> String {
    let names: Vec<&str> = cards.iter().map(|card| card.as_str()).collect();
    names.join(",")
}

fn parse_action(text: &str) -> Result<ActionForm, String> {
    let (rest, uno) = text.strip_suffix('!').map_or((text, false), |rest| (rest, true));
    let action = match rest {
        "draw" => ActionForm::Draw {},
        "keep" => ActionForm::Keep {},
        "take" => ActionForm::Take {},
        "challenge" => ActionForm::Challenge {},
        "uno" => ActionForm::CallUno {},
        "yes" | "no" => ActionForm::Vote { yes: rest == "yes" },
        "accept" | "refuse" => ActionForm::Dare { accept: rest == "accept" },
        _ => return parse_compound(rest, uno),
    };
    if uno { Err(format!("\"UNO\" is not called with {rest}: no `!` here")) } else { Ok(action) }
}

/// An action with something behind it.
fn parse_compound(text: &str, uno: bool) -> Result<ActionForm, String> {
    if let Some(color) = text.strip_prefix("block=") {
        return Ok(ActionForm::Block { color: Some(parse_color(color)?), uno });
    }
    if let Some(cards) = text.strip_prefix("discard(").and_then(|rest| rest.strip_suffix(')')) {
        return Ok(ActionForm::Discard { cards: parse_cards(cards)?, uno });
    }
    let called = text.strip_prefix("call=").map(|color| Ok(ActionForm::CallColor { color: Some(parse_color(color)?) }));
    let caught = || text.strip_prefix("catch=").map(|seat| Ok(ActionForm::Catch { seat: parse_seat(seat)? }));
    match called.or_else(caught) {
        Some(_) if uno => Err("\"UNO\" is called with cards only: no `!` here".to_owned()),
        Some(action) => action,
        None => parse_play(text, uno),
    }
}

fn parse_play(text: &str, uno: bool) -> Result<ActionForm, String> {
    let (rest, swap_with) = split_optional(text, "<>");
    let (rest, discard) = match rest.split_once('(') {
        None => (rest, Vec::new()),
        Some((rest, cards)) => {
            let cards = cards.strip_suffix(')').ok_or("a list of cards ends with `)`")?;
            (rest, parse_cards(cards)?)
        }
    };
    let (card, color) = split_optional(rest, "=");
    Ok(ActionForm::Play {
        card: parse_card(card)?,
        color: color.map(parse_color).transpose()?,
        uno,
        discard,
        swap_with: swap_with.map(parse_seat).transpose()?,
    })
}

fn split_optional<'a>(text: &'a str, mark: &str) -> (&'a str, Option<&'a str>) {
    text.split_once(mark).map_or((text, None), |(before, after)| (before, Some(after)))
}

fn parse_cards(text: &str) -> Result<Vec<CardName>, String> {
    if text.is_empty() { Ok(Vec::new()) } else { text.split(',').map(parse_card).collect() }
}

fn parse_card(text: &str) -> Result<CardName, String> {
    CardName::parse(text).ok_or_else(|| format!("{:?} is neither a card nor another move", clip(text)))
}

fn parse_color(text: &str) -> Result<ColorName, String> {
    let known = ColorName::VARIANTS.iter().find(|color| color.as_str() == text);
    known.copied().ok_or_else(|| format!("{:?} is not a color", clip(text)))
}

fn parse_seat(text: &str) -> Result<Seat, String> {
    parse_number(text).map(clamp_seat)
}

/// A number in digits only: no sign, no leading zeros.
fn parse_number(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number: &u64| number.to_string() == text);
    number.ok_or_else(|| format!("{:?} is not a number: write digits alone, without leading zeros", clip(text)))
}

fn parse_numbers<T: TryFrom<u64>>(text: &str) -> Result<Vec<T>, String> {
    let number = |word: &str| T::try_from(parse_number(word)?).map_err(|_| format!("{} is too much", clip(word)));
    text.split(' ').map(number).collect()
}

// Writing.

/// Writes a record.
pub(super) fn write(record: &Record) -> String {
    let mut text = String::new();
    for (key, value) in tags(record) {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{key} \"{value}\"]");
    }
    let palette = record.setup.palette();
    let mut round = 1;
    begin_round(&mut text, round, record.deal);
    for entry in &record.moves {
        let form = MoveForm::new(&entry.made, palette);
        if matches!(form, MoveForm::NextRound) {
            round += 1;
            begin_round(&mut text, round, entry.check);
        } else {
            append(&mut text, &format!("{}#{}", form.token(round), entry.check));
        }
    }
    text.push('\n');
    text
}

fn tags(record: &Record) -> Vec<(String, String)> {
    let setup = &record.setup;
    let mut tags = vec![
        ("Unum".to_owned(), setup.seeding.version().to_string()),
        ("Edition".to_owned(), setup.rules.edition.to_string()),
    ];
    let overrides = Overrides::of(&setup.rules);
    if overrides != Overrides::default() {
        tags.push(("Rules".to_owned(), serde_json::to_string(&overrides).expect("rules are plain data")));
    }
    tags.push(("Players".to_owned(), setup.players.to_string()));
    let names = (0..).zip(&setup.names);
    tags.extend(names.filter_map(|(seat, name)| Some((name_key(seat), name.as_ref()?.to_string()))));
    tags.extend(setup.dealer.map(|dealer| ("Dealer".to_owned(), dealer.to_string())));
    match &setup.seeding {
        Seeding::Number(seed) => tags.push(("Seed".to_owned(), seed.to_string())),
        Seeding::Fair(deals) => {
            tags.extend((1..).zip(deals).map(|(round, deal)| (deal_key(round), deal_value(deal))));
        }
    }
    tags.push(("Result".to_owned(), record.outcome.to_string()));
    tags.push(("Final".to_owned(), record.final_state.to_string()));
    tags
}

fn deal_key(round: usize) -> String {
    format!("Deal{round}")
}

/// The word before the parts of a second attempt.
const AGAIN: &str = "again";
/// The word before the parts of a deal that a player's own device made.
const DEVICE: &str = "device";

/// The secret, `again` for a second attempt, `device` for a deal made on one, then by seat the part, a dash, or `!` for one
/// that was withheld.
fn deal_value(deal: &FairDeal) -> String {
    let again = (deal.attempt > 1).then(|| AGAIN.to_owned());
    let device = deal.device.then(|| DEVICE.to_owned());
    let parts = (0..).zip(&deal.entropy).map(|(seat, part)| match part {
        Some(part) => part.to_string(),
        None if deal.withheld.contains(&seat) => "!".to_owned(),
        None => "-".to_owned(),
    });
    let words: Vec<String> = std::iter::once(deal.secret.to_string()).chain(again).chain(device).chain(parts).collect();
    words.join(" ")
}

fn read_deal(text: &str) -> Result<FairDeal, String> {
    let mut words = text.split(' ').peekable();
    let secret = Secret::try_from(words.next().unwrap_or_default().to_owned())?;
    let attempt = if words.next_if_eq(&AGAIN).is_some() { 2 } else { 1 };
    let device = words.next_if_eq(&DEVICE).is_some();
    let words: Vec<&str> = words.collect();
    let entropy = words.iter().map(|word| match *word {
        "-" | "!" => Ok(None),
        word => Entropy::try_from(word.to_owned()).map(Some),
    });
    let entropy = entropy.collect::<Result<_, _>>()?;
    let withheld = (0..).zip(&words).filter(|(_, word)| **word == "!").map(|(seat, _)| seat).collect();
    Ok(FairDeal { secret, attempt, entropy, withheld, device })
}

/// Every round is a paragraph.
fn begin_round(text: &mut String, round: u32, check: Check) {
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let _ = write!(text, "\nround {round}#{check}");
}

/// Puts a token on the last line, or on a new one when it is full.
fn append(text: &mut String, token: &str) {
    let line = text.len() - text.rfind('\n').map_or(0, |end| end + 1);
    text.push(if line + 1 + token.len() > WIDTH { '\n' } else { ' ' });
    text.push_str(token);
}

// Reading.

/// The rest of a text, and its position.
#[derive(Clone, Copy)]
struct Cursor<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Cursor<'a> {
    fn new(text: &'a str) -> Cursor<'a> {
        Cursor { rest: text.trim_start_matches('\u{feff}'), line: 1, column: 1 }
    }

    fn error(&self, message: impl Into<String>) -> RecordError {
        RecordError::Syntax { line: self.line, column: self.column, message: printable(&message.into(), MAX_MESSAGE) }
    }

    /// Skips up to that many characters.
    fn pass(&mut self, part: &str) -> &'a str {
        let (passed, rest) = self.rest.split_at_checked(part.len()).unwrap_or((self.rest, ""));
        self.rest = rest;
        for c in passed.chars() {
            (self.line, self.column) = if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        passed
    }

    /// Skips all characters of a kind.
    fn pass_while(&mut self, kind: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !kind(c)).unwrap_or(self.rest.len());
        self.pass(&self.rest[..end])
    }

    /// Skips white space and comments.
    fn pass_blank(&mut self) -> Result<(), RecordError> {
        loop {
            self.pass_while(char::is_whitespace);
            if !self.rest.starts_with('{') {
                return Ok(());
            }
            let start = *self;
            self.pass_while(|c| c != '}');
            self.expect("}").map_err(|_| start.error("this comment does not end: `}` is missing"))?;
        }
    }

    fn expect(&mut self, mark: &str) -> Result<(), RecordError> {
        if !self.rest.starts_with(mark) {
            return Err(self.error(format!("`{mark}` is missing here")));
        }
        self.pass(mark);
        Ok(())
    }

    /// The next word of the moves; `None` at the end.
    fn word(&mut self) -> Result<Option<(&'a str, Cursor<'a>)>, RecordError> {
        self.pass_blank()?;
        let start = *self;
        let word = self.pass_while(|c| !c.is_whitespace() && c != '{');
        Ok((!word.is_empty()).then_some((word, start)))
    }

    fn tag(&mut self) -> Result<Tag<'a>, RecordError> {
        self.expect("[")?;
        self.pass_blank()?;
        let at = *self;
        let key = self.pass_while(|c| c.is_ascii_alphanumeric());
        self.pass_blank()?;
        self.expect("\"")?;
        let value = self.quoted()?;
        self.pass_blank()?;
        self.expect("]")?;
        Ok(Tag { key, value, at })
    }

    /// The rest of a quoted text; `\"` and `\\` stand for a quotation mark and a backslash.
    fn quoted(&mut self) -> Result<String, RecordError> {
        let mut value = String::new();
        loop {
            value.push_str(self.pass_while(|c| c != '"' && c != '\\' && !is_invisible(c)));
            match self.rest.as_bytes() {
                [b'"', ..] => {
                    self.pass("\"");
                    return Ok(value);
                }
                [b'\\', b'"' | b'\\', ..] => value.push_str(&self.pass("\\\"")[1..]),
                [b'\\', ..] => return Err(self.error("only `\\\"` and `\\\\` begin with a backslash")),
                _ => return Err(self.error("this value does not end on its line: `\"` is missing")),
            }
        }
    }
}

/// One `[Key "value"]`.
struct Tag<'a> {
    key: &'a str,
    value: String,
    at: Cursor<'a>,
}

/// The tags of a record.
struct Tags<'a> {
    version: u64,
    tags: Vec<Tag<'a>>,
    /// `Deal1` and so on, which there may be many of.
    deals: Vec<FairDeal>,
    /// Where they end.
    end: Cursor<'a>,
}

impl<'a> Tags<'a> {
    fn read(cursor: &mut Cursor<'a>) -> Result<Tags<'a>, RecordError> {
        let mut tags = Tags { version: 0, tags: Vec::new(), deals: Vec::new(), end: *cursor };
        loop {
            cursor.pass_blank()?;
            tags.end = *cursor;
            if !cursor.rest.starts_with('[') {
                return Ok(tags);
            }
            tags.add(cursor.tag()?)?;
        }
    }

    /// The first tag says that this is a record, and which version.
    fn add(&mut self, tag: Tag<'a>) -> Result<(), RecordError> {
        if self.version == 0 {
            self.version = read_version(&tag)?;
        } else if tag.key.strip_prefix("Deal").is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit())) {
            self.add_deal(&tag)?;
        } else {
            check_tag(&tag, &self.tags)?;
            self.tags.push(tag);
        }
        Ok(())
    }

    /// The deals stand in the order of the rounds.
    fn add_deal(&mut self, tag: &Tag<'_>) -> Result<(), RecordError> {
        let key = deal_key(self.deals.len() + 1);
        if tag.key != key {
            return Err(tag.at.error(format!("the tag {key} would come here, not {}", clip(tag.key))));
        }
        self.deals.push(read_deal(&tag.value).map_err(|why| tag.at.error(format!("{key}: {why}")))?);
        Ok(())
    }

    fn take(&mut self, key: &str) -> Option<Tag<'a>> {
        let place = self.tags.iter().position(|tag| tag.key == key)?;
        Some(self.tags.remove(place))
    }

    fn optional<T>(&mut self, key: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, RecordError> {
        let Some(tag) = self.take(key) else { return Ok(None) };
        read(&tag.value).map(Some).map_err(|why| tag.at.error(format!("{key}: {why}")))
    }

    fn required<T>(&mut self, key: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<T, RecordError> {
        let end = self.end;
        self.optional(key, read)?.ok_or_else(|| end.error(format!("the tag {key} is missing")))
    }
}

/// The tags there are, beside `Unum`, `Name0` to `Name9` and those of deals.
const KEYS: [&str; 7] = ["Edition", "Rules", "Players", "Dealer", "Seed", "Result", "Final"];

fn read_version(tag: &Tag<'_>) -> Result<u64, RecordError> {
    match (tag.key, parse_number(&tag.value)) {
        ("Unum", Ok(version @ (1 | VERSION))) => Ok(version),
        ("Unum", _) => Err(RecordError::UnsupportedVersion(format!("{:?}", clip(&tag.value)))),
        _ => Err(tag.at.error("a record begins with the tag [Unum \"1\"]")),
    }
}

/// Every tag is known and stands once.
fn check_tag(tag: &Tag<'_>, before: &[Tag<'_>]) -> Result<(), RecordError> {
    if tag.key == "Unum" {
        return Err(tag.at.error("the tag Unum stands here twice"));
    }
    let is_name = (0..MAX_PLAYERS).any(|seat| tag.key == name_key(seat));
    if !is_name && !KEYS.contains(&tag.key) {
        return Err(tag.at.error(format!("there is no tag {:?}: remarks go into braces", clip(tag.key))));
    }
    if before.iter().any(|other| other.key == tag.key) {
        return Err(tag.at.error(format!("the tag {} stands here twice", tag.key)));
    }
    Ok(())
}

fn name_key(seat: Seat) -> String {
    format!("Name{seat}")
}

/// Reads a record.
pub(super) fn read(text: &str) -> Result<Record, RecordError> {
    let mut cursor = Cursor::new(text);
    let mut tags = Tags::read(&mut cursor)?;
    if tags.version == 0 {
        return Err(tags.end.error("a record begins with the tag [Unum \"1\"]"));
    }
    let setup = read_setup(&mut tags)?;
    let outcome = tags.required("Result", read_outcome)?;
    let final_state =
        tags.required("Final", |text| Digest::parse(text).ok_or("64 lower-case hex digits belong here".to_owned()))?;
    let mut moves = Moves { cursor, round: 0, number: 0 };
    let deal = moves.first()?;
    Record { setup, deal, moves: Vec::new(), outcome, final_state }.with_moves(moves)
}

fn read_setup(tags: &mut Tags<'_>) -> Result<Setup, RecordError> {
    let edition = tags.required("Edition", |id| Edition::parse(id).ok_or_else(|| format!("{:?} is none", clip(id))))?;
    let overrides = match tags.take("Rules") {
        None => Overrides::default(),
        Some(tag) => crate::json::from_str(&tag.value).map_err(|why| {
            RecordError::BadRules(RulesError::Unreadable(printable(&format!("the tag Rules: {why}"), MAX_MESSAGE)))
        })?,
    };
    let players = tags.required("Players", read_small)?;
    let names = read_names(tags)?;
    let dealer = tags.optional("Dealer", parse_seat)?;
    let seeding = read_seeding(tags)?;
    Ok(Setup { rules: overrides.on(edition), players, names, dealer, seeding }.normalized())
}

fn read_seeding(tags: &mut Tags<'_>) -> Result<Seeding, RecordError> {
    let deals = std::mem::take(&mut tags.deals);
    let seed = tags.optional("Seed", parse_number)?;
    match (tags.version, seed, deals.is_empty()) {
        (1, Some(seed), true) => Ok(Seeding::Number(seed)),
        (1, None, true) => Err(tags.end.error("the tag Seed is missing")),
        (VERSION, None, false) => Ok(Seeding::Fair(deals)),
        (VERSION, None, true) => Err(tags.end.error("the tag Deal1 is missing")),
        _ => Err(tags.end.error("version 1 has the tag Seed and no deals, version 3 has deals and no seed")),
    }
}

fn read_small(text: &str) -> Result<u8, String> {
    u8::try_from(parse_number(text)?).map_err(|_| format!("{MIN_PLAYERS} to {MAX_PLAYERS} can play"))
}

fn read_names(tags: &mut Tags<'_>) -> Result<Vec<Option<PlayerName>>, RecordError> {
    let read = |name: &str| PlayerName::new(name).map_err(|why| why.to_string());
    (0..MAX_PLAYERS).map(|seat| tags.optional(&name_key(seat), read)).collect()
}

fn read_outcome(text: &str) -> Result<Outcome, String> {
    let (state, scores) = text.split_once(", scores ").ok_or("`, scores` and the scores are missing")?;
    let winners = match (state, state.strip_prefix("won by ")) {
        ("unfinished", _) => None,
        (_, Some(winners)) => Some(parse_numbers(winners)?),
        _ => return Err("it begins with `won by` or `unfinished`".to_owned()),
    };
    Ok(Outcome { scores: parse_numbers(scores)?, winners })
}

/// The moves of a text, up to the first token that is not one.
struct Moves<'a> {
    cursor: Cursor<'a>,
    /// The round being played.
    round: u32,
    /// How many moves there were, the deal counted.
    number: u32,
}

impl Moves<'_> {
    /// The check of the deal.
    fn first(&mut self) -> Result<Check, RecordError> {
        let at = self.cursor;
        match self.read()? {
            Some((MoveForm::NextRound, check)) => Ok(check),
            _ => Err(at.error("the moves begin with `round 1` and the check of the deal, as in round 1#a3f1")),
        }
    }

    fn read(&mut self) -> Result<Option<(MoveForm, Check)>, RecordError> {
        let Some((word, at)) = self.cursor.word()? else { return Ok(None) };
        let read = if word == "round" { self.read_round() } else { read_move(word) };
        let number = self.number;
        self.number += 1;
        read.map(Some).map_err(|why| at.error(format!("move {number}, {}: {why}", clip(word))))
    }

    /// The number behind `round`, which has to be the right one.
    fn read_round(&mut self) -> Result<(MoveForm, Check), String> {
        let word = self.cursor.word().map_err(|error| error.to_string())?;
        let (number, check) = split_check(word.map_or("", |(word, _)| word))?;
        self.round += 1;
        if number != self.round.to_string() {
            return Err(format!("this would be round {}, not {:?}", self.round, clip(number)));
        }
        Ok((MoveForm::NextRound, check))
    }
}

impl Iterator for Moves<'_> {
    type Item = Result<(MoveForm, Check), RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

fn read_move(word: &str) -> Result<(MoveForm, Check), String> {
    let (token, check) = split_check(word)?;
    Ok((MoveForm::parse(token)?, check))
}

fn split_check(word: &str) -> Result<(&str, Check), String> {
    let missing = "a move ends with its check, `#` and four lower-case hex digits";
    let (token, check) = word.rsplit_once('#').ok_or(missing)?;
    Ok((token, Check::parse(check).ok_or(missing)?))
}
