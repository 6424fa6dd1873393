//! `unum rules`: the rulebook on the terminal.
//!
//! The words come from [`unum_rules::rulebook`] and the deck contents from the presets; this file
//! only chooses what to show and lays it out.

use std::fmt::{Display, Write as _};

use anstyle::{AnsiColor, Style};
use anyhow::anyhow;
use serde::Serialize;
use unum_rules::rulebook::{self, EditionNotes, Rule, Section};
use unum_rules::{Card, Edition, Rules, Scoring};

use super::parse_edition;
use crate::output::{print, to_json};

/// Show the rules in plain words, by edition, section or rule id.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Rule ids (W4), section letters (W), house rules (stacking) or editions (frozen)
    #[arg(value_name = "ID")]
    ids: Vec<String>,

    /// Show the rules as they are played in this edition
    #[arg(long, value_name = "EDITION", value_parser = parse_edition)]
    edition: Option<Edition>,

    /// Show only our own rulings, on points where the rule sheets are silent
    #[arg(long)]
    rulings: bool,

    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
}

/// Prints what was asked for.
///
/// # Errors
/// If an id is unknown (the message names the nearest ones) or the output cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let request = Request::from_args(&args)?;
    let text = match (args.json, args.rulings) {
        (true, true) => to_json(&request.rulings_document())?,
        (true, false) => to_json(&request.document())?,
        (false, true) => request.rulings_page(),
        (false, false) => request.page(),
    };
    print(&text)
}

// What was asked for.

/// One thing to show.
#[derive(Clone, Copy)]
enum Topic {
    Rule(&'static Rule),
    Section(&'static Section),
    Edition(Edition),
}

impl Topic {
    fn parse(id: &str) -> anyhow::Result<Topic> {
        let rule = rulebook::find(id).map(Topic::Rule);
        let section = || rulebook::find_section(id).map(Topic::Section);
        let edition = || parse_edition(id).ok().map(Topic::Edition);
        rule.or_else(section).or_else(edition).ok_or_else(|| unknown(id))
    }

    fn edition(self) -> Option<Edition> {
        match self {
            Topic::Edition(edition) => Some(edition),
            Topic::Rule(_) | Topic::Section(_) => None,
        }
    }

    fn covers(self, rule: &Rule, lens: Option<Edition>) -> bool {
        match self {
            Topic::Rule(only) => only.id == rule.id,
            Topic::Section(section) => contains(section, rule) && lens.is_none_or(|edition| rule.applies_in(edition)),
            Topic::Edition(edition) => rule.applies_in(edition),
        }
    }
}

/// The topics to show, and the edition through which to see them.
struct Request {
    /// None: everything.
    topics: Vec<Topic>,
    lens: Option<Edition>,
}

impl Request {
    fn from_args(args: &Args) -> anyhow::Result<Request> {
        let topics = args.ids.iter().map(|id| Topic::parse(id));
        let mut topics: Vec<Topic> = topics.collect::<anyhow::Result<_>>()?;
        if topics.is_empty() {
            topics.extend(args.edition.map(Topic::Edition));
        }
        let lens = args.edition;
        Ok(Request { topics, lens })
    }

    fn editions(&self) -> Vec<Edition> {
        if self.topics.is_empty() {
            return Edition::ALL.to_vec();
        }
        let named = |edition: &Edition| {
            let mut topics = self.topics.iter();
            topics.any(|topic| topic.edition() == Some(*edition))
        };
        Edition::ALL.into_iter().filter(named).collect()
    }

    fn covers(&self, rule: &Rule) -> bool {
        let mut topics = self.topics.iter();
        self.topics.is_empty() || topics.any(|topic| topic.covers(rule, self.lens))
    }

    fn page(&self) -> String {
        let mut page = Page::new(width());
        if self.topics.is_empty() {
            page.overview();
        }
        for topic in &self.topics {
            page.topic(*topic, self.lens);
        }
        page.text
    }

    fn rulings_page(&self) -> String {
        let mut page = Page::new(width());
        page.rulings(&self.rulings_document());
        page.text
    }
}

fn contains(section: &Section, rule: &Rule) -> bool {
    section.rules.iter().any(|other| other.id == rule.id)
}

fn is_house_rule(rule: &Rule) -> bool {
    rulebook::find_section("House").is_some_and(|house| contains(house, rule))
}

fn title(edition: Edition) -> &'static str {
    rulebook::edition_notes(edition).title
}

// Ids that do not exist.

const MOST_SUGGESTIONS: usize = 6;

fn unknown(id: &str) -> anyhow::Error {
    let hint = "`unum rules` lists all rules";
    match nearest(id).as_slice() {
        [] => anyhow!("there is no rule, section or edition `{id}`; {hint}"),
        [only] => anyhow!("there is no rule, section or edition `{id}`: try {only}; {hint}"),
        [most @ .., last] => {
            let most = most.join(", ");
            anyhow!("there is no rule, section or edition `{id}`: try {most} or {last}; {hint}")
        }
    }
}

/// The ids most like an unknown one, best first.
fn nearest(id: &str) -> Vec<&'static str> {
    let id = id.to_ascii_lowercase();
    let limit = (id.chars().count() / 2).clamp(1, 3);
    let mut near: Vec<(usize, &str)> = known_ids()
        .map(|known| (unlikeness(&id, known), known))
        .filter(|(unlikeness, _)| *unlikeness <= limit)
        .collect();
    near.sort_by_key(|(unlikeness, _)| *unlikeness);
    near.truncate(MOST_SUGGESTIONS);
    near.into_iter().map(|(_, known)| known).collect()
}

fn known_ids() -> impl Iterator<Item = &'static str> {
    let rules = rulebook::rules().map(|rule| rule.id);
    let sections = rulebook::SECTIONS.iter().map(|section| section.letter);
    let editions = Edition::ALL.into_iter().map(Edition::id);
    rules.chain(sections).chain(editions)
}

/// The edit distance, but a good beginning (`stack`) is as good as one typing mistake.
fn unlikeness(id: &str, known: &str) -> usize {
    let known = known.to_ascii_lowercase();
    if id.len() >= 3 && known.starts_with(id) {
        return 1;
    }
    edit_distance(id, &known)
}

/// How many letters must be added, removed or replaced to turn one word into the other.
fn edit_distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for letter in from.chars() {
        let mut diagonal = row[0];
        row[0] += 1;
        for (i, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[i + 1];
            row[i + 1] = replaced.min(row[i] + 1).min(diagonal + 1);
        }
    }
    row[to.len()]
}

// Decks.

/// A deck, counted for people.
struct DeckList {
    /// What each group of like colors holds: usually one group of all colors.
    colored: Vec<ColorGroup>,
    /// Names and numbers of the wilds.
    wilds: Vec<(&'static str, u32)>,
}

/// Colors with the same cards.
struct ColorGroup {
    colors: Vec<&'static str>,
    /// Faces (`7`, `+2`) and how many there are of each.
    faces: Vec<(String, u8)>,
}

impl DeckList {
    fn of(rules: &Rules) -> DeckList {
        let mut list = DeckList { colored: Vec::new(), wilds: Vec::new() };
        let mut by_color: Vec<ColorGroup> = Vec::new();
        for (card, copies) in cards(rules) {
            if card.is_wild() {
                list.add_wild(wild_name(&name(card, rules)), copies);
            } else {
                add_colored(&mut by_color, &name(card, rules), copies);
            }
        }
        by_color.into_iter().for_each(|group| list.add_group(group));
        list
    }

    fn add_wild(&mut self, name: &'static str, copies: u8) {
        match self.wilds.iter_mut().find(|(other, _)| *other == name) {
            Some((_, total)) => *total += u32::from(copies),
            None => self.wilds.push((name, u32::from(copies))),
        }
    }

    fn add_group(&mut self, group: ColorGroup) {
        let mut groups = self.colored.iter_mut();
        match groups.find(|other| other.faces == group.faces) {
            Some(like) => like.colors.extend(group.colors),
            None => self.colored.push(group),
        }
    }

    /// The wilds that not every edition has, as text.
    fn own_cards(&self) -> String {
        let shared = ["Wild", "Wild Draw Four"];
        let own = self.wilds.iter().filter(|(name, _)| !shared.contains(name));
        let own: Vec<String> = own.map(|(name, n)| format!("{n} {name}")).collect();
        match own.as_slice() {
            [] => "none".to_owned(),
            own => own.join(", "),
        }
    }
}

impl ColorGroup {
    /// `one 0`, `two each of 1-9`, `two each of Skip, Reverse, Draw Two`.
    fn lines(&self) -> Vec<String> {
        let runs = self
            .faces
            .chunk_by(|(face, copies), (next, others)| copies == others && is_number(face) == is_number(next));
        runs.map(|run| format!("{} {}", each(run), faces(run))).collect()
    }
}

/// The cards of a deck with the number of copies, in order.
fn cards(rules: &Rules) -> Vec<(Card, u8)> {
    rules.deck().kinds().collect()
}

fn name(card: Card, rules: &Rules) -> String {
    card.name(rules.palette()).to_string()
}

fn add_colored(groups: &mut Vec<ColorGroup>, name: &str, copies: u8) {
    let (initial, face) = name.split_at(1);
    let color = color_name(initial);
    let face = (face.to_owned(), copies);
    match groups.last_mut().filter(|group| group.colors == [color]) {
        Some(group) => group.faces.push(face),
        None => groups.push(ColorGroup { colors: vec![color], faces: vec![face] }),
    }
}

fn color_name(initial: &str) -> &'static str {
    match initial {
        "R" => "red",
        "P" => "pink",
        "Y" => "yellow",
        "G" => "green",
        "B" => "blue",
        _ => "another color",
    }
}

fn wild_name(name: &str) -> &'static str {
    match name {
        "W" => "Wild",
        "W+4" => "Wild Draw Four",
        "WO" => "Olaf's Summertime",
        "WF" => "Flitterific!",
        "WH" => "Wild Shuffle Hands",
        "WC1" | "WC2" | "WC3" => "Wild Customizable",
        _ => "another wild",
    }
}

fn face_name(face: &str) -> &str {
    match face {
        "S" => "Skip",
        "R" => "Reverse",
        "+2" => "Draw Two",
        number => number,
    }
}

fn is_number(face: &str) -> bool {
    face.chars().all(|c| c.is_ascii_digit())
}

/// `one` of a single face, `two each of` several.
fn each(run: &[(String, u8)]) -> String {
    let number = run.first().map_or(0, |(_, copies)| *copies);
    let of = if run.len() > 1 { " each of" } else { "" };
    format!("{}{of}", number_word(number))
}

fn number_word(number: u8) -> String {
    let words = ["no", "one", "two", "three", "four"];
    let word = words.get(usize::from(number));
    word.map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// `1-9`, or `Skip, Reverse, Draw Two`.
fn faces(run: &[(String, u8)]) -> String {
    match run {
        [(first, _), _, .., (last, _)] if is_number(first) => format!("{first}-{last}"),
        _ => {
            let names: Vec<&str> = run.iter().map(|(face, _)| face_name(face)).collect();
            names.join(", ")
        }
    }
}

fn match_ends(scoring: Scoring) -> String {
    match scoring {
        Scoring::FirstTo(target) => format!("first to {target}"),
        Scoring::LowestAt(target) => format!("lowest at {target}"),
        Scoring::SingleRound => "one round".to_owned(),
    }
}

// Pages of text.

const HEADING: Style = Style::new().bold().underline();
const ID: Style = AnsiColor::Cyan.on_default().bold();
const BOLD: Style = Style::new().bold();
const RULING: Style = AnsiColor::Yellow.on_default().bold();
const DIFFERENCE: Style = AnsiColor::Green.on_default().bold();
const QUIET: Style = Style::new().dimmed();

const RULING_MARK: &str = "Ruling: the sheets are silent here.";
const WIDTHS: std::ops::RangeInclusive<usize> = 30..=100;

const HINTS: &[(&str, &str)] = &[
    ("unum rules W4", "one rule in full"),
    ("unum rules W", "a whole section"),
    ("unum rules --edition frozen", "an edition, its deck and rules"),
    ("unum rules --rulings", "our rulings only"),
    ("unum rules --json", "everything, for programs"),
];

/// The columns to fill: those of the terminal, but lines never get too long to read.
fn width() -> usize {
    fitting_width(std::env::var("COLUMNS").ok().as_deref())
}

fn fitting_width(columns: Option<&str>) -> usize {
    let columns = columns.and_then(|text| text.trim().parse().ok());
    columns.unwrap_or(80).clamp(*WIDTHS.start(), *WIDTHS.end())
}

/// Splits a text into lines of at most `first`, then `rest` characters; a longer word gets a line
/// of its own.
fn wrap(text: &str, first: usize, rest: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let limit = if lines.is_empty() { first } else { rest };
        if !line.is_empty() && length(&line) + 1 + length(word) > limit {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

fn length(text: &str) -> usize {
    text.chars().count()
}

fn styled(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}

/// Text on its way to the terminal.
struct Page {
    text: String,
    width: usize,
}

impl Page {
    fn new(width: usize) -> Page {
        let text = String::new();
        Page { text, width }
    }

    fn line(&mut self, line: impl Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn heading(&mut self, text: &str) {
        if !self.text.is_empty() {
            self.line("");
        }
        for line in wrap(text, self.width, self.width) {
            self.line(styled(HEADING, line));
        }
        self.line("");
    }

    fn paragraph(&mut self, indent: usize, text: &str) {
        self.labeled(indent, indent, "", Style::new(), text);
    }

    fn bullet(&mut self, indent: usize, text: &str) {
        self.labeled(indent, indent + 2, "- ", Style::new(), text);
    }

    /// A label and a text after it; all lines but the first are indented by `hang`.
    fn labeled(&mut self, indent: usize, hang: usize, label: &str, style: Style, text: &str) {
        let first = self.width.saturating_sub(indent + length(label));
        let lines = wrap(text, first, self.width.saturating_sub(hang));
        let label = styled(style, label);
        for (i, line) in lines.iter().enumerate() {
            match i {
                0 => self.line(format_args!("{:indent$}{label}{line}", "")),
                _ => self.line(format_args!("{:hang$}{line}", "")),
            }
        }
    }

    fn topic(&mut self, topic: Topic, lens: Option<Edition>) {
        match topic {
            Topic::Rule(rule) => self.rule(rule, lens),
            Topic::Section(section) => self.section(section, lens),
            Topic::Edition(edition) => self.edition(edition),
        }
    }

    fn overview(&mut self) {
        self.heading("Editions");
        self.editions_table();
        for section in rulebook::SECTIONS {
            self.heading(&section_title(section));
            let widest = section.rules.iter().map(|rule| rule.id.len()).max();
            for rule in section.rules {
                self.list_entry(rule, widest.unwrap_or(0));
            }
        }
        self.heading("Read on");
        for (command, what) in HINTS {
            let command = styled(BOLD, format_args!("{command:<30}"));
            self.line(format_args!("  {command}{what}"));
        }
    }

    fn list_entry(&mut self, rule: &Rule, widest: usize) {
        let label = format!("{:<widest$}  ", rule.id);
        self.labeled(2, widest + 4, &label, ID, rule.title);
    }

    fn editions_table(&mut self) {
        let rows: Vec<EditionRow> = Edition::ALL.into_iter().map(EditionRow::of).collect();
        let widest = rows.iter().map(|row| length(&row.own_cards)).max();
        let room = self.width.saturating_sub(EditionRow::OTHER_COLUMNS).max(12);
        let own = widest.unwrap_or(0).clamp(10, room);
        let header = format!("{:<8}  cards  {:<own$}  match ends", "edition", "own cards");
        self.line(format_args!("  {}", styled(QUIET, header)));
        for row in rows {
            row.lines(own).iter().for_each(|line| self.line(line));
        }
    }

    fn edition(&mut self, edition: Edition) {
        let notes = rulebook::edition_notes(edition);
        let rules = Rules::of(edition);
        self.heading(&format!("The {} edition", notes.title.to_lowercase()));
        self.paragraph(0, notes.summary);
        self.deck(&rules, notes);
        self.heading("What it does differently");
        for text in notes.differences {
            self.bullet(2, text);
        }
        for section in rulebook::SECTIONS {
            self.section(section, Some(edition));
        }
    }

    fn deck(&mut self, rules: &Rules, notes: &EditionNotes) {
        let list = DeckList::of(rules);
        self.heading(&format!("The deck: {} cards", rules.deck().len()));
        for group in &list.colored {
            let colors = group.colors.join(", ");
            self.paragraph(2, &format!("In each color ({colors}):"));
            group.lines().iter().for_each(|line| self.bullet(4, line));
        }
        self.paragraph(2, "Wilds:");
        for (name, copies) in &list.wilds {
            self.bullet(4, &format!("{copies} {name}"));
        }
        self.ruling_list(notes.rulings);
    }

    fn section(&mut self, section: &Section, lens: Option<Edition>) {
        let shown = |rule: &&Rule| lens.is_none_or(|edition| rule.applies_in(edition));
        let mut rules = section.rules.iter().filter(shown).peekable();
        if rules.peek().is_none() && lens.is_some() {
            return;
        }
        self.heading(&section_title(section));
        for (i, rule) in rules.enumerate() {
            if i > 0 {
                self.line("");
            }
            self.entry(rule, lens);
        }
    }

    /// A rule on its own.
    fn rule(&mut self, rule: &Rule, lens: Option<Edition>) {
        if !self.text.is_empty() {
            self.line("");
        }
        self.entry(rule, lens);
    }

    fn entry(&mut self, rule: &Rule, lens: Option<Edition>) {
        let label = format!("{}  ", rule.id);
        self.labeled(0, 2, &label, ID, rule.title);
        self.paragraph(2, rule.text);
        match lens {
            Some(edition) => self.in_edition(rule, edition),
            None => self.by_edition(rule),
        }
        self.ruling_list(rule.rulings);
    }

    fn in_edition(&mut self, rule: &Rule, edition: Edition) {
        let here = title(edition);
        if !rule.applies_in(edition) {
            let label = format!("Not in {here}. ");
            self.labeled(2, 4, &label, DIFFERENCE, &applies(rule));
        }
        if let Some(text) = rule.difference_in(edition) {
            self.labeled(2, 4, &format!("Different in {here}: "), DIFFERENCE, text);
        }
    }

    fn by_edition(&mut self, rule: &Rule) {
        for (edition, text) in rule.differences {
            let label = format!("Different in {}: ", title(*edition));
            self.labeled(2, 4, &label, DIFFERENCE, text);
        }
        self.paragraph(2, &applies(rule));
    }

    fn ruling_list(&mut self, rulings: &[&str]) {
        if rulings.is_empty() {
            return;
        }
        self.line(format_args!("  {}", styled(RULING, RULING_MARK)));
        for ruling in rulings {
            self.bullet(4, ruling);
        }
    }

    fn rulings(&mut self, document: &RulingsDocument) {
        self.heading("Rulings: where the sheets are silent");
        if document.rulings.is_empty() {
            self.paragraph(0, "There are none here.");
        }
        for group in &document.rulings {
            self.labeled(0, 2, &format!("{}  ", group.id), ID, group.title);
            for ruling in group.rulings {
                self.bullet(2, ruling);
            }
        }
    }
}

fn section_title(section: &Section) -> String {
    match section.letter {
        "House" => format!("{} (House): a table can choose them", section.title),
        letter => format!("{letter} - {}", section.title),
    }
}

fn applies(rule: &Rule) -> String {
    let titles: Vec<&str> = rule.editions.iter().copied().map(title).collect();
    let editions = match titles.len() == Edition::ALL.len() {
        true => "every edition".to_owned(),
        false => titles.join(", "),
    };
    let choice = if is_house_rule(rule) { ", if the table chooses it" } else { "" };
    format!("Applies in: {editions}{choice}")
}

/// A row of the table of editions.
struct EditionRow {
    id: &'static str,
    cards: usize,
    own_cards: String,
    match_ends: String,
}

impl EditionRow {
    /// The room that all columns but `own_cards` take, gaps included.
    const OTHER_COLUMNS: usize = 2 + 8 + 2 + 5 + 2 + 2 + 12;

    fn of(edition: Edition) -> EditionRow {
        let rules = Rules::of(edition);
        EditionRow {
            id: edition.id(),
            cards: rules.deck().len(),
            own_cards: DeckList::of(&rules).own_cards(),
            match_ends: match_ends(rules.scoring()),
        }
    }

    /// The row with its own cards wrapped to `own` columns.
    fn lines(&self, own: usize) -> Vec<String> {
        let mut cells = wrap(&self.own_cards, own, own).into_iter();
        let first = cells.next().unwrap_or_default();
        let id = styled(ID, format_args!("{:<8}", self.id));
        let first = format!("  {id}  {:>5}  {first:<own$}  {}", self.cards, self.match_ends);
        let rest = cells.map(|cell| format!("{:19}{cell}", ""));
        std::iter::once(first).chain(rest).collect()
    }
}

// JSON.

#[derive(Serialize)]
struct Document {
    editions: Vec<EditionDocument>,
    sections: Vec<SectionDocument>,
}

#[derive(Serialize)]
struct EditionDocument {
    id: &'static str,
    title: &'static str,
    summary: &'static str,
    differences: &'static [&'static str],
    rulings: &'static [&'static str],
    scoring: Scoring,
    cards: usize,
    deck: Vec<CardDocument>,
}

#[derive(Serialize)]
struct CardDocument {
    card: String,
    copies: u8,
}

#[derive(Serialize)]
struct SectionDocument {
    letter: &'static str,
    title: &'static str,
    rules: Vec<RuleDocument>,
}

#[derive(Serialize)]
struct RuleDocument {
    id: &'static str,
    title: &'static str,
    text: &'static str,
    rulings: &'static [&'static str],
    editions: Vec<&'static str>,
    differences: Vec<DifferenceDocument>,
}

#[derive(Serialize)]
struct DifferenceDocument {
    edition: &'static str,
    text: &'static str,
}

/// Only the rulings, by the edition or rule they belong to.
#[derive(Serialize)]
struct RulingsDocument {
    rulings: Vec<RulingsOf>,
}

#[derive(Serialize)]
struct RulingsOf {
    id: &'static str,
    title: &'static str,
    rulings: &'static [&'static str],
}

impl Request {
    fn document(&self) -> Document {
        let editions = self.editions().into_iter().map(EditionDocument::of);
        let sections = rulebook::SECTIONS.iter();
        let sections = sections.map(|section| self.section_document(section));
        Document { editions: editions.collect(), sections: sections.filter(|it| !it.rules.is_empty()).collect() }
    }

    fn section_document(&self, section: &Section) -> SectionDocument {
        let rules = section.rules.iter().filter(|rule| self.covers(rule));
        SectionDocument {
            letter: section.letter,
            title: section.title,
            rules: rules.map(|rule| self.rule_document(rule)).collect(),
        }
    }

    fn rule_document(&self, rule: &Rule) -> RuleDocument {
        let seen = |edition| self.lens.is_none_or(|lens| lens == edition);
        let differences = rule.differences.iter().copied();
        let differences = differences.filter(|(edition, _)| seen(*edition));
        RuleDocument {
            id: rule.id,
            title: rule.title,
            text: rule.text,
            rulings: rule.rulings,
            editions: rule.editions.iter().map(|edition| edition.id()).collect(),
            differences: differences.map(DifferenceDocument::from).collect(),
        }
    }

    fn rulings_document(&self) -> RulingsDocument {
        let editions = self.editions().into_iter().map(RulingsOf::edition);
        let rules = rulebook::rules().filter(|rule| self.covers(rule));
        let rulings = editions.chain(rules.map(RulingsOf::rule));
        RulingsDocument { rulings: rulings.filter(|it| !it.rulings.is_empty()).collect() }
    }
}

impl RulingsOf {
    fn edition(edition: Edition) -> RulingsOf {
        let notes = rulebook::edition_notes(edition);
        RulingsOf { id: edition.id(), title: notes.title, rulings: notes.rulings }
    }

    fn rule(rule: &'static Rule) -> RulingsOf {
        RulingsOf { id: rule.id, title: rule.title, rulings: rule.rulings }
    }
}

impl EditionDocument {
    fn of(edition: Edition) -> EditionDocument {
        let notes = rulebook::edition_notes(edition);
        let rules = Rules::of(edition);
        EditionDocument {
            id: edition.id(),
            title: notes.title,
            summary: notes.summary,
            differences: notes.differences,
            rulings: notes.rulings,
            scoring: rules.scoring(),
            cards: rules.deck().len(),
            deck: deck_document(&rules),
        }
    }
}

fn deck_document(rules: &Rules) -> Vec<CardDocument> {
    let named = cards(rules).into_iter().map(|(card, copies)| CardDocument { card: name(card, rules), copies });
    named.collect()
}

impl From<(Edition, &'static str)> for DifferenceDocument {
    fn from((edition, text): (Edition, &'static str)) -> DifferenceDocument {
        let edition = edition.id();
        DifferenceDocument { edition, text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(ids: &[&str], edition: Option<Edition>) -> anyhow::Result<Request> {
        Request::from_args(&Args {
            ids: ids.iter().map(|id| (*id).to_owned()).collect(),
            edition,
            rulings: false,
            json: false,
        })
    }

    fn page(ids: &[&str], edition: Option<Edition>) -> String {
        let page = request(ids, edition).unwrap().page();
        anstream::adapter::strip_str(&page).to_string()
    }

    #[test]
    fn the_width_follows_the_terminal_within_limits() {
        assert_eq!(fitting_width(None), 80);
        assert_eq!(fitting_width(Some("72")), 72);
        assert_eq!(fitting_width(Some("300")), 100);
        assert_eq!(fitting_width(Some("0")), 30);
        assert_eq!(fitting_width(Some("wide")), 80);
    }

    #[test]
    fn wrapping_fills_lines_without_overflowing_them() {
        assert_eq!(wrap("one two three four", 8, 8), ["one two", "three", "four"]);
        assert_eq!(wrap("one two three four", 3, 14), ["one", "two three four"]);
        assert_eq!(wrap("one two", 7, 7), ["one two"]);
    }

    #[test]
    fn wrapping_gives_a_long_word_its_own_line() {
        let wrapped = wrap("a reverse_skips_with_two b", 5, 5);
        assert_eq!(wrapped, ["a", "reverse_skips_with_two", "b"]);
        assert_eq!(wrap("", 5, 5), [""]);
    }

    #[test]
    fn labels_count_toward_the_width() {
        let mut page = Page::new(12);
        page.labeled(2, 4, "ab: ", Style::new(), "cdef gh ijklmnop");
        assert_eq!(page.text, "  ab: cdef\n    gh\n    ijklmnop\n");
    }

    #[test]
    fn pages_stay_within_their_width() {
        for width in [40, 80, 100] {
            let mut page = Page::new(width);
            Edition::ALL.into_iter().for_each(|it| page.edition(it));
            let text = anstream::adapter::strip_str(&page.text).to_string();
            let wide = text.lines().find(|line| length(line) > width);
            assert_eq!(wide, None);
        }
    }

    #[test]
    fn edit_distances() {
        assert_eq!(edit_distance("w4", "w4"), 0);
        assert_eq!(edit_distance("w44", "w4"), 1);
        assert_eq!(edit_distance("jumpin", "jump_in"), 1);
        assert_eq!(edit_distance("", "abc"), 3);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }

    #[test]
    fn near_ids_are_suggested() {
        assert_eq!(nearest("jumpin"), ["jump_in"]);
        assert_eq!(nearest("stack"), ["stacking"]);
        assert_eq!(nearest("frosen"), ["frozen"]);
        assert_eq!(nearest("W10").first(), Some(&"W1"));
        assert!(nearest("W0").iter().all(|id| id.starts_with('W')));
        assert!(nearest("nothing like it").is_empty());
    }

    #[test]
    fn an_unknown_id_is_an_error_with_advice() {
        let error = request(&["W4", "jumpin"], None).err().unwrap();
        let message = error.to_string();
        assert!(message.contains("jump_in"), "{message}");
        assert!(message.contains("`unum rules`"), "{message}");
    }

    #[test]
    fn the_overview_names_every_rule_and_edition() {
        let text = page(&[], None);
        for id in known_ids() {
            assert!(text.contains(id), "{id}");
        }
    }

    #[test]
    fn a_rule_shows_its_rulings_and_differences() {
        let text = page(&["w2"], None);
        assert!(text.starts_with("W2  When"), "{text}");
        assert!(text.contains(RULING_MARK), "{text}");
        assert!(text.contains("Different in Modern:"), "{text}");
        assert!(text.contains("Applies in: every edition"), "{text}");
    }

    #[test]
    fn an_edition_hides_what_others_do() {
        let text = page(&["W2"], Some(Edition::Frozen));
        assert!(!text.contains("Different in"), "{text}");
        let text = page(&["F1"], Some(Edition::Frozen));
        assert!(text.contains("Not in Frozen. Applies in: Fairies"), "{text}");
    }

    #[test]
    fn a_section_and_an_edition_can_be_asked_for_by_name() {
        assert!(page(&["o"], None).contains("O3  "));
        let by_option = page(&[], Some(Edition::Frozen));
        assert_eq!(page(&["Frozen"], None), by_option);
        assert!(by_option.contains("O1  ") && !by_option.contains("F1  "));
    }

    #[test]
    fn decks_are_grouped_by_color() {
        let list = DeckList::of(&Rules::of(Edition::Frozen));
        let [group] = list.colored.as_slice() else {
            panic!("all colors hold the same cards");
        };
        assert_eq!(group.colors, ["pink", "yellow", "green", "blue"]);
        let lines = ["one 0", "two each of 1-9", "two each of Skip, Reverse, Draw Two"];
        assert_eq!(group.lines(), lines);
        assert_eq!(list.own_cards(), "4 Olaf's Summertime");
    }

    #[test]
    fn customizable_cards_are_counted_together() {
        let list = DeckList::of(&Rules::of(Edition::Custom));
        let own = "1 Wild Shuffle Hands, 3 Wild Customizable";
        assert_eq!(list.own_cards(), own);
    }

    #[test]
    fn json_holds_everything_or_what_was_asked_for() {
        let all = request(&[], None).unwrap().document();
        assert_eq!(all.editions.len(), Edition::ALL.len());
        assert_eq!(all.sections.len(), rulebook::SECTIONS.len());
        let one = request(&["W2"], Some(Edition::Frozen)).unwrap().document();
        assert!(one.editions.is_empty());
        let [section] = one.sections.as_slice() else {
            panic!("one rule is in one section");
        };
        assert_eq!(section.rules.len(), 1);
        assert!(section.rules[0].differences.is_empty());
    }

    #[test]
    fn rulings_come_from_rules_and_editions() {
        let ids = |request: Request| {
            let groups = request.rulings_document().rulings.into_iter();
            groups.map(|group| group.id).collect::<Vec<_>>()
        };
        let all = ids(request(&[], None).unwrap());
        assert!(all.contains(&"modern") && all.contains(&"W5"));
        assert_eq!(ids(request(&["W5", "W6"], None).unwrap()), ["W5"]);
        assert!(ids(request(&["W6"], None).unwrap()).is_empty());
    }
}
