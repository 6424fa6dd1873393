//! Rules as pages of text: styles, wrapping, tables.

use std::fmt::{Display, Write as _};

use anstyle::{AnsiColor, Style};
use unum_protocol::RulesView;
use unum_rules::rulebook::{self, EditionNotes, Rule, Section};
use unum_rules::{CustomRule, Edition, Rules, Scoring};

use super::deck::DeckList;
use super::{RulingsDocument, Topic, contains};

const HEADING: Style = Style::new().bold().underline();
const ID: Style = AnsiColor::Cyan.on_default().bold();
const BOLD: Style = Style::new().bold();
const RULING: Style = AnsiColor::Yellow.on_default().bold();
const DIFFERENCE: Style = AnsiColor::Green.on_default().bold();
const QUIET: Style = Style::new().dimmed();

pub(super) const RULING_MARK: &str = "Our rulings, not on the sheets:";
/// The rule that is about the starters.
const STARTERS: &str = "C2";
/// How many rules found by a word are shown in full.
const FEW: usize = 3;
const WIDTHS: std::ops::RangeInclusive<usize> = 30..=100;

const HINTS: &[(&str, &str)] = &[
    ("unum rules W4", "one rule in full"),
    ("unum rules W", "a whole section"),
    ("unum rules bluff", "every rule about bluffing"),
    ("unum rules frozen", "an edition in its own words, with its deck"),
    ("unum rules stacking", "a house rule"),
    ("unum rules starters", "the ten ideas for Customizable cards"),
    ("unum rules --rulings", "our rulings, not on the sheets"),
    ("unum rules --json", "everything, for programs"),
];

/// The columns to fill: those of the terminal, but lines never get too long to read.
pub(super) fn width() -> usize {
    let columns = terminal_size::terminal_size().map(|(width, _)| width.0);
    usize::from(columns.unwrap_or(80)).clamp(*WIDTHS.start(), *WIDTHS.end())
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
pub(super) struct Page {
    pub(super) text: String,
    width: usize,
}

impl Page {
    pub(super) fn new(width: usize) -> Page {
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

    pub(super) fn topic(&mut self, topic: Topic, lens: Option<Edition>) {
        match topic {
            Topic::Rule(rule) => self.rule(rule, lens),
            Topic::Section(section) => {
                self.section(section, lens);
                if let Some(edition) =
                    lens.filter(|edition| !section.rules.iter().any(|rule| rule.applies_in(*edition)))
                {
                    self.missing_section(section, edition);
                }
            }
            Topic::Edition(edition) => self.edition(edition),
            Topic::Starters => self.all_starters(),
            Topic::Found(words) => self.found(&words, lens),
        }
    }

    /// The rules that mention some words: in full if they are few.
    fn found(&mut self, words: &str, lens: Option<Edition>) {
        let found = rulebook::search(words);
        self.heading(&format!("Rules about \"{words}\""));
        if found.len() <= FEW {
            for (i, rule) in found.into_iter().enumerate() {
                if i > 0 {
                    self.line("");
                }
                self.entry(rule, lens);
            }
            return;
        }
        let widest = found.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
        found.into_iter().for_each(|rule| self.list_entry(rule, widest));
    }

    /// The ten ideas of the sheet, each with what it is as data.
    fn all_starters(&mut self) {
        self.heading("The ten starters for Customizable cards");
        self.paragraph(0, "In a game: unum play --edition custom --custom 4,null,7 puts starters 4 and 7 on the first and third card.");
        for (number, rule) in (1..).zip(CustomRule::starters()) {
            self.line("");
            self.labeled(0, 4, &format!("{number:>2}  "), ID, &rule.title);
            self.paragraph(4, &rule.text);
            let effects: Vec<String> =
                rule.effects.iter().filter_map(|effect| serde_json::to_string(effect).ok()).collect();
            // With spaces it is the same JSON, and lines can end there.
            let effects: Vec<String> = effects
                .iter()
                .map(|json| json.replace("\":", "\": ").replace(",\"", ", \"").replace("},{", "}, {"))
                .collect();
            let effects = if effects.is_empty() { "none: the players see to it".to_owned() } else { effects.join(" ") };
            self.labeled(4, 6, "Effects: ", QUIET, &effects);
        }
    }

    pub(super) fn overview(&mut self) {
        self.heading("How to play");
        for (title, text) in rulebook::HOW_TO_PLAY {
            self.labeled(0, 2, &format!("{title}. "), BOLD, text);
        }
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
        let header = format!("{:<8}    cards  {:<own$}  match ends", "edition", "own cards");
        self.line(format_args!("  {}", styled(QUIET, header)));
        for row in rows {
            row.lines(own).iter().for_each(|line| self.line(line));
        }
    }

    fn edition(&mut self, edition: Edition) {
        let notes = rulebook::edition_notes(edition);
        let rules = RulesView::new(&Rules::of(edition));
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

    fn deck(&mut self, rules: &RulesView, notes: &EditionNotes) {
        let list = DeckList::of(rules);
        let cards: usize = rules.deck.iter().map(|kind| usize::from(kind.copies)).sum();
        self.heading(&format!("The deck: {cards} cards"));
        for group in &list.colored {
            let colors: Vec<&str> = group.colors.iter().map(|color| color.as_str()).collect();
            let colors = colors.join(", ");
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

    /// A section that an edition does not have.
    fn missing_section(&mut self, section: &Section, edition: Edition) {
        self.heading(&section_title(section));
        let label = format!("Not in {}. ", title(edition));
        let elsewhere = section.rules.first().map(applies).unwrap_or_default();
        self.labeled(2, 4, &label, DIFFERENCE, &elsewhere);
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
        let here = lens.filter(|edition| rule.applies_in(*edition));
        self.paragraph(2, here.map_or(rule.text, |edition| rule.text_in(edition).0));
        if rule.id == STARTERS {
            self.starters();
        }
        match lens {
            Some(edition) => self.in_edition(rule, edition),
            None => self.by_edition(rule),
        }
        match here {
            Some(edition) => self.ruling_list(&rule.rulings_in(edition).collect::<Vec<_>>()),
            None => self.ruling_list(rule.rulings),
        }
    }

    /// The ten ideas of the sheet for Customizable cards.
    fn starters(&mut self) {
        for (number, rule) in (1..).zip(CustomRule::starters()) {
            self.labeled(4, 8, &format!("{number:>2}  "), ID, &format!("{}: {}", rule.title, rule.text));
        }
    }

    fn in_edition(&mut self, rule: &Rule, edition: Edition) {
        let here = title(edition);
        if !rule.applies_in(edition) {
            let label = format!("Not in {here}. ");
            self.labeled(2, 4, &label, DIFFERENCE, &applies(rule));
        }
        if let (_, Some(text)) = rule.text_in(edition) {
            self.labeled(2, 4, &format!("In {here} also: "), DIFFERENCE, text);
        }
    }

    fn by_edition(&mut self, rule: &Rule) {
        for (edition, text) in rule.differences {
            let label = match rule.replaced.contains(edition) {
                true => format!("Different in {}: ", title(*edition)),
                false => format!("In {} also: ", title(*edition)),
            };
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

    pub(super) fn rulings(&mut self, document: &RulingsDocument) {
        self.heading("Our rulings, not on the sheets");
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
    /// A table of `custom` chooses how many Customizable cards are in.
    cards: String,
    own_cards: String,
    match_ends: String,
}

impl EditionRow {
    /// The room that all columns but `own_cards` take, gaps included.
    const OTHER_COLUMNS: usize = 2 + 8 + 2 + 7 + 2 + 2 + 12;

    fn of(edition: Edition) -> EditionRow {
        let rules = Rules::of(edition);
        EditionRow {
            id: edition.id(),
            cards: match rules.deck().len() {
                all if edition.customizable() > 0 => format!("{}-{all}", all - edition.customizable()),
                all => all.to_string(),
            },
            own_cards: DeckList::of(&RulesView::new(&rules)).own_cards(),
            match_ends: match_ends(rules.scoring()),
        }
    }

    /// The row with its own cards wrapped to `own` columns.
    fn lines(&self, own: usize) -> Vec<String> {
        let mut cells = wrap(&self.own_cards, own, own).into_iter();
        let first = cells.next().unwrap_or_default();
        let id = styled(ID, format_args!("{:<8}", self.id));
        let first = format!("  {id}  {:>7}  {first:<own$}  {}", self.cards, self.match_ends);
        let rest = cells.map(|cell| format!("{:21}{cell}", ""));
        std::iter::once(first).chain(rest).collect()
    }
}

fn match_ends(scoring: Scoring) -> String {
    match scoring {
        Scoring::FirstTo(target) => format!("first to {target}"),
        Scoring::LowestAt(target) => format!("lowest at {target}"),
        Scoring::SingleRound => "one round".to_owned(),
    }
}

fn is_house_rule(rule: &Rule) -> bool {
    rulebook::find_section("House").is_some_and(|house| contains(house, rule))
}

fn title(edition: Edition) -> &'static str {
    rulebook::edition_notes(edition).title
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
