//! The rule book as JSON: the same for `GET /api/rules` and `unum rules --json`.

use serde::{Deserialize, Serialize};
use unum_rules::rulebook::{EditionNotes, Rule, SECTIONS, Section, edition_notes};
use unum_rules::{CustomRule, Edition, Rules, RulesSpec};

use crate::RulesView;

type Text = std::borrow::Cow<'static, str>;

/// The rule book, or the part of it that one edition plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleBook {
    /// The editions it is about.
    pub editions: Vec<EditionView>,
    /// The rules, by section.
    pub sections: Vec<SectionView>,
}

/// One edition.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EditionView {
    /// Its id.
    pub id: Edition,
    /// Its name.
    pub title: Text,
    /// What is special about it, in a sentence.
    pub summary: Text,
    /// How it differs from the other editions.
    pub differences: Vec<Text>,
    /// Our rulings where its sheet is silent.
    pub rulings: Vec<Text>,
    /// How many cards its deck has.
    pub cards: usize,
    /// Its rules with nothing left out: scoring, penalties, deck, bounds.
    pub rules: RulesView,
    /// The settings a table of this edition begins with.
    pub suggested: RulesSpec,
    /// The thought starters for its Customizable cards.
    pub starters: Vec<CustomRule>,
}

/// Rules that belong together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SectionView {
    /// The letter their ids begin with.
    pub letter: Text,
    /// What they are about.
    pub title: Text,
    /// The rules.
    pub rules: Vec<RuleView>,
}

/// One rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleView {
    /// Its id, such as `W2` or `stacking`.
    pub id: Text,
    /// Its name.
    pub title: Text,
    /// What it says; in the book of one edition, in that edition's own words.
    pub text: Text,
    /// Whether the text is that edition's alone, in place of the one the others have.
    pub own: bool,
    /// Our rulings where the sheets are silent; in the book of one edition, only those that concern it.
    pub rulings: Vec<Text>,
    /// The places of these rulings among all rulings of the rule, from 0: for translations.
    pub places: Vec<usize>,
    /// The editions that play by it.
    pub editions: Vec<Edition>,
    /// Editions that play it differently; in the book of one edition, what that edition adds to the text.
    pub differences: Vec<Difference>,
}

/// How an edition differs from a rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// The edition.
    pub edition: Edition,
    /// The difference.
    pub text: Text,
}

fn texts(texts: &'static [&'static str]) -> Vec<Text> {
    texts.iter().map(|text| Text::Borrowed(text)).collect()
}

impl RuleBook {
    /// The rules of one edition, or of all, that pass.
    pub fn of(edition: Option<Edition>, passes: impl Fn(&Rule) -> bool) -> RuleBook {
        let section = |section: &'static Section| SectionView::of(section, edition, &passes);
        let sections = SECTIONS.iter().map(section).filter(|section| !section.rules.is_empty());
        let editions = Edition::ALL.into_iter().filter(|other| edition.is_none_or(|edition| edition == *other));
        RuleBook { editions: editions.map(EditionView::of).collect(), sections: sections.collect() }
    }
}

impl EditionView {
    /// One edition.
    pub fn of(edition: Edition) -> EditionView {
        let &EditionNotes { title, summary, differences, rulings, .. } = edition_notes(edition);
        let rules = RulesView::new(&Rules::of(edition));
        let starters = if rules.custom.is_empty() { Vec::new() } else { CustomRule::starters().collect() };
        EditionView {
            id: edition,
            title: title.into(),
            summary: summary.into(),
            differences: texts(differences),
            rulings: texts(rulings),
            cards: rules.deck.iter().map(|kind| usize::from(kind.copies)).sum(),
            rules,
            suggested: RulesSpec::suggested(edition),
            starters,
        }
    }
}

impl SectionView {
    fn of(section: &'static Section, lens: Option<Edition>, passes: impl Fn(&Rule) -> bool) -> SectionView {
        let applies = |rule: &&Rule| lens.is_none_or(|edition| rule.applies_in(edition)) && passes(rule);
        let rules = section.rules.iter().filter(applies).map(|rule| RuleView::of(rule, lens));
        SectionView { letter: section.letter.into(), title: section.title.into(), rules: rules.collect() }
    }
}

impl RuleView {
    /// One rule, as one edition or all of them play it.
    pub fn of(rule: &'static Rule, lens: Option<Edition>) -> RuleView {
        let here = lens.filter(|edition| rule.applies_in(*edition));
        let (text, _) = here.map_or((rule.text, None), |edition| rule.text_in(edition));
        let own = here.is_some_and(|edition| rule.replaced.contains(&edition));
        let seen = |edition| lens.is_none_or(|lens| lens == edition && !own);
        let differences = rule.differences.iter().filter(|(edition, _)| seen(*edition));
        let concerns = |place: &usize| here.is_none_or(|edition| rule.is_ruled_in(*place, edition));
        let places: Vec<usize> = (0..rule.rulings.len()).filter(concerns).collect();
        RuleView {
            id: rule.id.into(),
            title: rule.title.into(),
            text: text.into(),
            own,
            rulings: places.iter().map(|place| rule.rulings[*place].into()).collect(),
            places,
            editions: rule.editions.to_vec(),
            differences: differences
                .map(|(edition, text)| Difference { edition: *edition, text: (*text).into() })
                .collect(),
        }
    }
}
