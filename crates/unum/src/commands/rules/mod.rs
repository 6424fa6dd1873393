//! `unum rules`: the rulebook on the terminal.
//!
//! The words come from [`unum_rules::rulebook`]; this module chooses what to show, `page.rs` lays it out.

mod deck;
mod page;

use anyhow::anyhow;
use clap::builder::PossibleValue;
use serde::Serialize;
use unum_protocol::rulebook::{EditionView, RuleBook, RuleView, SectionView};
use unum_rules::Edition;
use unum_rules::rulebook::{self, Rule, Section};

use self::page::{Page, width};
use super::{edition_value, parse_edition};
use crate::output::{print, to_json};
use crate::usage::{OrUsage as _, Suggested, suggested};

/// Show the rules in plain words: how to play, an edition, a section, a rule, or every rule that mentions a word.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// Rule ids (W4), section letters (W), house rules (stacking), editions (frozen), `starters`, or any word (bluff)
    #[arg(value_name = "TOPIC", value_parser = topic_value(), hide_possible_values = true)]
    ids: Vec<String>,

    /// Show the rules as they are played in this edition
    #[arg(long, value_name = "EDITION", value_parser = edition_value(), hide_possible_values = true)]
    edition: Option<Edition>,

    /// Show only our own rulings, which are not on the sheets
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
    let request = Request::from_args(&args).or_usage()?;
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
#[derive(Clone)]
enum Topic {
    Rule(&'static Rule),
    Section(&'static Section),
    Edition(Edition),
    /// The ten ideas for Customizable cards.
    Starters,
    /// All rules that mention these words.
    Found(String),
}

impl Topic {
    fn parse(id: &str) -> anyhow::Result<Topic> {
        let rule = rulebook::find(id).map(Topic::Rule);
        let section = || rulebook::find_section(id).map(Topic::Section);
        let edition = || parse_edition(id).ok().map(Topic::Edition);
        let starters = || id.eq_ignore_ascii_case("starters").then_some(Topic::Starters);
        let found = || (!rulebook::search(id).is_empty()).then(|| Topic::Found(id.to_owned()));
        let known = rule.or_else(section).or_else(edition).or_else(starters);
        // A mistyped name is not a word to search for; the beginning of one is.
        let typed = id.to_lowercase();
        let is_word = || typed.chars().count() >= 3 && nearest(id).iter().all(|known| known.starts_with(&typed));
        let known = known.or_else(|| found().filter(|_| is_word()));
        known.ok_or_else(|| unknown(id))
    }

    fn edition(&self) -> Option<Edition> {
        match self {
            Topic::Edition(edition) => Some(*edition),
            _ => None,
        }
    }

    fn covers(&self, rule: &Rule, lens: Option<Edition>) -> bool {
        match self {
            Topic::Starters => rule.id == "C2",
            Topic::Found(words) => rulebook::search(words).iter().any(|found| found.id == rule.id),
            Topic::Rule(only) => only.id == rule.id,
            Topic::Section(section) => contains(section, rule) && lens.is_none_or(|edition| rule.applies_in(edition)),
            Topic::Edition(edition) => rule.applies_in(*edition),
        }
    }
}

/// The topics to show, and the edition to show them for.
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
        let lens = args.edition.or_else(|| named_lens(&mut topics));
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
            page.topic(topic.clone(), self.lens);
        }
        page.text
    }

    fn rulings_page(&self) -> String {
        let mut page = Page::new(width());
        page.rulings(&self.rulings_document());
        page.text
    }
}

/// `frozen W` is W as in frozen: one edition beside rules and sections is the way to see them.
fn named_lens(topics: &mut Vec<Topic>) -> Option<Edition> {
    let named: Vec<Edition> = topics.iter().filter_map(|topic| topic.edition()).collect();
    let [only] = named[..] else { return None };
    if topics.len() == 1 {
        return None;
    }
    topics.retain(|topic| topic.edition().is_none());
    Some(only)
}

fn contains(section: &Section, rule: &Rule) -> bool {
    section.rules.iter().any(|other| other.id == rule.id)
}

// Ids that do not exist.

fn unknown(id: &str) -> anyhow::Error {
    let hint = "`unum rules` lists all rules";
    match nearest(id).as_slice() {
        [] => anyhow!("there is no rule, section or edition `{id}`, and no rule mentions it; {hint}"),
        [only] => anyhow!("there is no rule, section or edition `{id}`: try {only}; {hint}"),
        [most @ .., last] => {
            let most = most.join(", ");
            anyhow!("there is no rule, section or edition `{id}`: try {most} or {last}; {hint}")
        }
    }
}

/// The ids most like an unknown one, best first.
fn nearest(id: &str) -> Vec<&'static str> {
    unum_terminal::nearest::nearest(id, known_ids())
}

/// Words for shells to complete.
fn topic_value() -> Suggested<String> {
    let words = || known_ids().chain(["starters"]).map(PossibleValue::new).collect();
    suggested(words, |text| Ok(text.to_owned()))
}

fn known_ids() -> impl Iterator<Item = &'static str> {
    let rules = rulebook::rules().map(|rule| rule.id);
    let sections = rulebook::SECTIONS.iter().map(|section| section.letter);
    let editions = Edition::ALL.into_iter().map(Edition::id);
    rules.chain(sections).chain(editions)
}

// JSON.

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
    fn document(&self) -> RuleBook {
        let editions = self.editions().into_iter().map(EditionView::of);
        let sections = rulebook::SECTIONS.iter().map(|section| self.section_document(section));
        RuleBook {
            editions: editions.collect(),
            sections: sections.filter(|section| !section.rules.is_empty()).collect(),
        }
    }

    fn section_document(&self, section: &'static Section) -> SectionView {
        let rules = section.rules.iter().filter(|rule| self.covers(rule));
        SectionView {
            letter: section.letter.into(),
            title: section.title.into(),
            rules: rules.map(|rule| RuleView::of(rule, self.lens)).collect(),
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

#[cfg(test)]
mod tests {
    use super::page::RULING_MARK;
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
    fn an_edition_is_told_in_its_own_words() {
        let modern = page(&[], Some(Edition::Modern));
        assert!(modern.contains("It is not put back.") && !modern.contains("It is put back among"), "{modern}");
        assert!(!modern.contains("Different in"), "{modern}");
        let original = page(&[], Some(Edition::Original));
        assert!(!original.contains("modern sheet does not say how"), "{original}");
        let fairies = page(&["A1"], Some(Edition::Fairies));
        assert!(fairies.contains("In Fairies also: That player can use"), "{fairies}");
    }

    #[test]
    fn words_are_looked_for_and_starters_are_listed() {
        let text = page(&["bluff"], None);
        assert!(
            text.starts_with("Rules about \"bluff\"") && text.contains("W3") && text.contains("no_bluffing"),
            "{text}"
        );
        let text = page(&["starters"], None);
        assert!(text.contains(" 1  ") && text.contains("10  ") && text.contains("Effects: {\"do\": "), "{text}");
        assert!(page(&[], None).starts_with("How to play"));
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
    fn a_section_of_another_edition_says_where_it_applies() {
        for letter in ["F", "O", "H", "C", "X"] {
            let text = page(&[letter], Some(Edition::Modern));
            assert!(text.contains("Not in Modern. Applies in: "), "{letter}: {text}");
        }
        assert!(!page(&[], Some(Edition::Modern)).contains("Not in Modern"));
    }

    #[test]
    fn an_edition_beside_rules_is_the_way_to_see_them() {
        assert_eq!(page(&["modern", "W2"], None), page(&["W2"], Some(Edition::Modern)));
        assert!(page(&["modern", "frozen"], None).contains("The frozen edition"));
    }

    #[test]
    fn the_ten_starters_are_listed() {
        for text in [page(&["C2"], None), page(&["custom"], None)] {
            for rule in unum_rules::CustomRule::starters() {
                assert!(text.contains(&format!("{}: ", rule.title)), "{}", rule.title);
            }
        }
    }

    #[test]
    fn the_deck_of_custom_has_a_range() {
        let text = page(&[], None);
        assert!(text.contains("109-112"), "{text}");
        assert!(nearest("").is_empty());
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

    /// The page reads this, too.
    #[test]
    fn json_of_an_edition_is_in_its_own_words() {
        for edition in Edition::ALL {
            let book = request(&[], Some(edition)).unwrap().document();
            let views: Vec<&RuleView> = book.sections.iter().flat_map(|section| &section.rules).collect();
            let rules: Vec<&Rule> = rulebook::rules().filter(|rule| rule.applies_in(edition)).collect();
            assert_eq!(views.len(), rules.len());
            for (view, rule) in views.into_iter().zip(rules) {
                let (text, more) = rule.text_in(edition);
                let added: Vec<&str> = view.differences.iter().map(|difference| &*difference.text).collect();
                assert_eq!((&*view.id, &*view.text, added), (rule.id, text, more.into_iter().collect()));
                assert_eq!(view.rulings, rule.rulings_in(edition).collect::<Vec<_>>());
                assert!(view.places.iter().zip(&view.rulings).all(|(place, text)| rule.rulings[*place] == text));
            }
        }
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
