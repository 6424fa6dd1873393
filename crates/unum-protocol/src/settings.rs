//! Settings as data: one list that checks, explains and changes what a table agrees on.
//!
//! Each [`Setting`] has an id, a kind with its bounds, and the place of its value in [`Settings`] as JSON. Checking a
//! change, the terminal's form, its command `set`, the flags of the command line and the page's set-up all work with
//! this list. A new setting is a field, an id and an entry in [`SETTINGS`].

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use strum::{Display, EnumString, IntoStaticStr, VariantArray};
use unum_rules::{
    CustomRule, Edition, House, MAX_CARDS, MAX_PLAYERS, MAX_TARGET, MIN_PLAYERS, Rules, RulesSpec, Scoring, Stacking,
    json, rulebook,
};

use crate::{MAX_TITLE, RulesView};

/// The shortest and the longest time for a turn, in seconds.
const CLOCK: (u32, u32) = (5, 600);

/// The settings of a table, as chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields, remote = "Self")]
pub struct Settings {
    /// What the table is called.
    pub title: String,
    /// What is played.
    pub rules: RulesSpec,
    /// How many may sit.
    #[cfg_attr(feature = "schema", schemars(range(min = MIN_PLAYERS, max = MAX_PLAYERS)))]
    pub seats: u8,
    /// Whether the table is listed publicly.
    pub public: bool,
    /// Whether people may watch.
    pub spectators: bool,
    /// Whether people may write.
    pub chat: bool,
    /// Seconds for a turn; `None` for no limit (private tables only).
    #[cfg_attr(feature = "schema", schemars(range(min = CLOCK.0, max = CLOCK.1)))]
    pub clock: Option<u16>,
    /// How fast bots act.
    pub pace: Pace,
    /// Whether the table switches the house rule `reverse_skips_with_two` on while at most two chairs are taken, and
    /// off otherwise. Choosing that rule explicitly ends this.
    pub usual_for_two: bool,
    /// Where players can be accused of suggesting a play (X1).
    pub accusations: Accusations,
    /// Whether the table teaches one person the game: rules, cards and bots' moves are then the lesson's, and the other
    /// settings have no effect. Fixed when the table is opened.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub lesson: bool,
}

unum_rules::objects_only!(Settings);

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            title: String::new(),
            rules: RulesSpec::of(Edition::default()),
            seats: MAX_PLAYERS,
            public: false,
            spectators: true,
            chat: true,
            clock: Some(30),
            pace: Pace::default(),
            usual_for_two: false,
            accusations: Accusations::default(),
            lesson: false,
        }
    }
}

impl Settings {
    /// Whether players can accuse each other of suggesting a play.
    pub fn has_accusations(&self) -> bool {
        match self.accusations {
            Accusations::Private => !self.public,
            Accusations::Always => true,
            Accusations::Never => false,
        }
    }
}

/// Where players can be accused of suggesting a play (X1): strangers could take turns at it.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    unum_rules::json::Read,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Accusations {
    /// At private tables.
    #[default]
    Private,
    /// At any table.
    Always,
    /// Nowhere.
    Never,
}

/// How fast bots act.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    unum_rules::json::Read,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum Pace {
    /// Like people.
    #[default]
    Relaxed,
    /// Like people in a hurry.
    Brisk,
    /// At once: for programs.
    Instant,
}

/// The name of a [`Preset`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, VariantArray)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PresetId {
    /// As printed on the sheet.
    Official,
    /// The house rules most people know: attacks pile up, a 7 swaps hands, identical cards jump in.
    Party,
    /// One round against bots in a hurry.
    Quick,
}

/// Rules and a pace that go well together, for every edition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Preset {
    /// Its name.
    pub id: PresetId,
    /// How long a match is; `null` for what the edition prints.
    pub scoring: Option<Scoring>,
    /// The house rules.
    pub house: House,
    /// How fast bots act.
    pub pace: Pace,
}

impl Preset {
    /// The rules of a preset.
    pub fn of(id: PresetId) -> Preset {
        let (scoring, house, pace) = match id {
            PresetId::Official => (None, House::default(), Pace::Relaxed),
            PresetId::Party => (Some(Scoring::FirstTo(200)), Preset::party(), Pace::Relaxed),
            PresetId::Quick => (Some(Scoring::SingleRound), House::default(), Pace::Brisk),
        };
        Preset { id, scoring, house, pace }
    }

    fn party() -> House {
        House { stacking: Stacking::Same, seven_zero: true, jump_in: true, ..House::default() }
    }

    /// The preset that settings amount to. What the table decides by itself does not count.
    pub fn in_force(settings: &Settings) -> Option<PresetId> {
        let automatic = settings.usual_for_two.then_some(settings.rules.house.reverse_skips_with_two);
        let is_it = |preset: &Preset| {
            let reverse_skips_with_two = automatic.unwrap_or(preset.house.reverse_skips_with_two);
            let house = House { reverse_skips_with_two, ..preset.house.clone() };
            (preset.scoring, preset.pace) == (settings.rules.scoring, settings.pace) && house == settings.rules.house
        };
        Preset::all().iter().find(|preset| is_it(preset)).map(|preset| preset.id)
    }

    /// All of them, in the order in which they are offered.
    pub fn all() -> Vec<Preset> {
        PresetId::VARIANTS.iter().map(|id| Preset::of(*id)).collect()
    }
}

/// The default number of players of a game against bots, the person included.
pub const USUAL_PLAYERS: u8 = 4;

/// The lengths of a match that a quick game offers.
pub const LENGTHS: [Scoring; 3] = [Scoring::SingleRound, Scoring::FirstTo(200), Scoring::FirstTo(500)];

/// The name of a setting.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    unum_rules::json::Read,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[allow(missing_docs, reason = "each is explained by its entry in `SETTINGS` and in the rule book")]
pub enum SettingId {
    Edition,
    Cards,
    Card1,
    Card2,
    Card3,
    Scoring,
    Target,
    Clock,
    Pace,
    Stacking,
    SevenZero,
    JumpIn,
    DrawToMatch,
    ForcePlay,
    NoBluffing,
    NoChallenges,
    ReverseSkipsWithTwo,
    UsualForTwo,
    HandSize,
    UnoPenalty,
    SuggestionPenalty,
    Seats,
    Title,
    Public,
    Spectators,
    Chat,
    Accusations,
}

impl SettingId {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Its entry in the list.
    pub fn setting(self) -> &'static Setting {
        &SETTINGS[SettingId::VARIANTS.iter().position(|id| *id == self).unwrap_or_default()]
    }
}

/// Settings that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// What is played, and how fast.
    Game,
    /// House rules: what differs from the sheet.
    House,
    /// Who may come.
    Table,
}

/// The values a setting can have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SettingKind {
    /// On or off.
    Switch {},
    /// One of some words.
    Choice {
        /// The words.
        values: Vec<String>,
    },
    /// A whole number.
    Number {
        /// The smallest.
        least: u32,
        /// The largest.
        most: u32,
        /// How far one step of a form goes.
        step: u32,
    },
    /// Words.
    Text {
        /// How many characters at most.
        longest: usize,
    },
    /// What a Customizable card carries: a rule, or the number of a starter.
    Card {
        /// How many starters there are.
        starters: u32,
    },
}

/// What a missing value means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Unset {
    /// As printed on the sheet.
    Printed,
    /// There is none: no clock, a plain wild.
    None,
}

/// A condition under which a setting exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Condition {
    /// The other setting.
    pub setting: SettingId,
    /// The values it must have.
    pub values: Vec<SettingValue>,
}

/// The value of a setting; `null` where it has none of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum SettingValue {
    /// No value of its own.
    Unset(()),
    /// On or off.
    Switch(bool),
    /// A number.
    Number(u32),
    /// A word, or a text.
    Word(String),
    /// A rule of the players' own.
    Rule(CustomRule),
}

/// One thing that can be agreed on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Setting {
    /// Its name.
    pub id: SettingId,
    /// Where it belongs.
    pub group: Group,
    /// The values it can have.
    #[serde(flatten)]
    pub kind: SettingKind,
    /// What `null` means; left out if it always has a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub unset: Option<Unset>,
    /// Where its value is in [`Settings`].
    pub path: Vec<String>,
    /// The rule that explains it, a key of the rule book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub rule: Option<String>,
    /// When there is such a setting; left out if always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub only: Option<Condition>,
    /// A setting that is switched off when this one is switched on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub excludes: Option<SettingId>,
    /// Whether everybody has to accept the rules again when it changes. The host changes settings, in the lobby.
    pub agreed: bool,
    /// What is in force when it has no value of its own, by edition.
    pub defaults: BTreeMap<Edition, SettingValue>,
}

/// Why a value is invalid for a setting, and which are valid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{setting}` {allowed}")]
pub struct SettingError {
    /// The setting.
    pub setting: SettingId,
    /// What would be right, as the end of a sentence that begins with its name.
    pub allowed: String,
}

/// Everything that can be agreed on, in the order of [`SettingId`].
pub static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
    let mut list: Vec<Setting> = SettingId::VARIANTS.iter().map(|id| bare(*id)).collect();
    let defaults: Vec<_> = list.iter().map(defaults).collect();
    list.iter_mut().zip(defaults).for_each(|(setting, defaults)| setting.defaults = defaults);
    list
});

fn words<T: Copy + Into<&'static str>>(all: &[T]) -> SettingKind {
    SettingKind::Choice { values: all.iter().map(|value| (*value).into().to_owned()).collect() }
}

fn number(least: impl Into<u32>, most: impl Into<u32>) -> SettingKind {
    SettingKind::Number { least: least.into(), most: most.into(), step: 1 }
}

fn only(setting: SettingId, values: &[&str]) -> Option<Condition> {
    Some(Condition { setting, values: values.iter().map(|word| SettingValue::word(word)).collect() })
}

/// An entry of the list, without the defaults.
fn bare(id: SettingId) -> Setting {
    use SettingId as Id;
    use SettingKind as Kind;
    let house = |kind| (Group::House, kind, vec!["rules", "house", id.as_str()]);
    let own = |group, kind| (group, kind, vec![id.as_str()]);
    let starters = CustomRule::starters().count() as u32;
    let card = |place| (Group::Game, Kind::Card { starters }, vec!["rules", "custom_cards", place]);
    let (group, kind, path) = match id {
        Id::Edition => (Group::Game, words(&Edition::ALL), vec!["rules", "edition"]),
        Id::Cards => {
            let most = Edition::Custom.customizable() as u32;
            (Group::Game, number(0u32, most), vec!["rules", "custom_cards", "length"])
        }
        Id::Card1 => card("0"),
        Id::Card2 => card("1"),
        Id::Card3 => card("2"),
        Id::Scoring => {
            let values = ["first_to", "lowest_at", "single_round"];
            (Group::Game, words(&values), vec!["rules", "scoring", "type"])
        }
        Id::Target => {
            (Group::Game, Kind::Number { least: 1, most: MAX_TARGET, step: 50 }, vec!["rules", "scoring", "target"])
        }
        Id::Clock => own(Group::Game, Kind::Number { least: CLOCK.0, most: CLOCK.1, step: 5 }),
        Id::Pace => own(Group::Game, words(Pace::VARIANTS)),
        Id::Stacking => house(words(Stacking::VARIANTS)),
        Id::SevenZero | Id::JumpIn | Id::DrawToMatch | Id::ForcePlay => house(Kind::Switch {}),
        Id::NoBluffing | Id::NoChallenges | Id::ReverseSkipsWithTwo => house(Kind::Switch {}),
        Id::UsualForTwo => own(Group::House, Kind::Switch {}),
        Id::HandSize => house(number(1u32, MAX_CARDS)),
        Id::UnoPenalty | Id::SuggestionPenalty => house(number(0u32, MAX_CARDS)),
        Id::Seats => own(Group::Table, number(MIN_PLAYERS, MAX_PLAYERS)),
        Id::Title => own(Group::Table, Kind::Text { longest: MAX_TITLE }),
        Id::Public | Id::Spectators | Id::Chat => own(Group::Table, Kind::Switch {}),
        Id::Accusations => own(Group::Table, words(Accusations::VARIANTS)),
    };
    let unset = match id {
        Id::Scoring | Id::HandSize | Id::UnoPenalty | Id::SuggestionPenalty => Some(Unset::Printed),
        Id::Clock | Id::Card1 | Id::Card2 | Id::Card3 => Some(Unset::None),
        _ => None,
    };
    let only = match id {
        Id::Cards | Id::Card1 | Id::Card2 | Id::Card3 => only(Id::Edition, &[Edition::Custom.id()]),
        Id::Target => only(Id::Scoring, &["first_to", "lowest_at"]),
        _ => None,
    };
    let excludes = match id {
        Id::NoBluffing => Some(Id::NoChallenges),
        Id::NoChallenges => Some(Id::NoBluffing),
        _ => None,
    };
    let explained = if id == Id::UsualForTwo { Id::ReverseSkipsWithTwo } else { id };
    let rule = rulebook::find(explained.as_str()).map(|rule| rule.id.to_owned());
    let agreed = path.first() == Some(&"rules");
    let path = path.into_iter().map(str::to_owned).collect();
    Setting { id, group, kind, unset, path, rule, only, excludes, agreed, defaults: BTreeMap::new() }
}

/// What is in force when nothing is chosen, by edition.
fn defaults(setting: &Setting) -> BTreeMap<Edition, SettingValue> {
    let of = |edition| {
        let rules = RulesSpec::of(edition);
        let chosen = setting.read(&tree(&Settings { rules: rules.clone(), ..Settings::default() }));
        let rules = Rules::new(rules).map(|rules| RulesView::new(&rules));
        let printed = || {
            let view = json::to_value(&rules.ok()?).ok()?;
            let mut place = setting.path.iter().filter(|key| !matches!(key.as_str(), "rules" | "house"));
            place.try_fold(&view, |value, key| value.get(key)).and_then(SettingValue::of)
        };
        let value = if chosen == SettingValue::UNSET { printed().unwrap_or(chosen) } else { chosen };
        (edition, value)
    };
    // Not collected: that sorts first.
    let mut defaults = BTreeMap::new();
    defaults.extend(Edition::ALL.into_iter().map(of));
    defaults
}

fn tree(settings: &Settings) -> Value {
    json::to_value(settings).expect("settings are made of names, numbers and lists")
}

impl SettingValue {
    /// No value of its own.
    pub const UNSET: SettingValue = SettingValue::Unset(());

    /// A word.
    pub fn word(word: &str) -> SettingValue {
        SettingValue::Word(word.to_owned())
    }

    /// Whether it comes before a value that is not in the list of those that a form goes through.
    fn comes_before(&self, other: &SettingValue) -> bool {
        match (self, other) {
            (SettingValue::Number(number), SettingValue::Number(other)) => number < other,
            (value, _) => *value == SettingValue::UNSET,
        }
    }

    fn of(value: &Value) -> Option<SettingValue> {
        json::from_value(value).ok()
    }
}

impl Setting {
    /// Whether the setting exists, given the others.
    pub fn applies(&self, settings: &Settings) -> bool {
        let fits = |only: &Condition| only.values.contains(&settings.get(only.setting));
        let there = match (self.id, &settings.rules.custom_cards) {
            (SettingId::Card1 | SettingId::Card2 | SettingId::Card3, Some(cards)) => {
                self.path.last().and_then(|place| place.parse().ok()).is_some_and(|place: usize| place < cards.len())
            }
            _ => true,
        };
        there && self.only.as_ref().is_none_or(fits)
    }

    /// Reads its value in settings as JSON.
    fn read(&self, tree: &Value) -> SettingValue {
        let mut value = tree;
        for key in &self.path {
            let next = match value {
                Value::Array(list) if key == "length" => return SettingValue::Number(list.len() as u32),
                Value::Array(list) => key.parse().ok().and_then(|place: usize| list.get(place)),
                other => other.get(key),
            };
            let Some(next) = next else { return self.left_out() };
            value = next;
        }
        SettingValue::of(value).unwrap_or(SettingValue::UNSET)
    }

    /// What a missing field means.
    fn left_out(&self) -> SettingValue {
        match (&self.kind, self.id) {
            (SettingKind::Switch {}, _) => SettingValue::Switch(false),
            (SettingKind::Choice { values }, _) if self.unset.is_none() => {
                values.first().map_or(SettingValue::UNSET, |first| SettingValue::word(first))
            }
            (SettingKind::Number { most, .. }, SettingId::Cards) => SettingValue::Number(*most),
            _ => SettingValue::UNSET,
        }
    }

    /// Whether it can have that value.
    ///
    /// # Errors
    /// When it cannot; says what it can be.
    pub fn check(&self, value: &SettingValue) -> Result<(), SettingError> {
        let fits = match (&self.kind, value) {
            (_, SettingValue::Unset(())) => self.unset.is_some(),
            (SettingKind::Switch {}, SettingValue::Switch(_)) => true,
            (SettingKind::Choice { values }, SettingValue::Word(word)) => values.contains(word),
            (SettingKind::Number { least, most, .. }, SettingValue::Number(number)) => (least..=most).contains(&number),
            (SettingKind::Text { longest }, SettingValue::Word(text)) => text.chars().count() <= *longest,
            (SettingKind::Card { starters }, SettingValue::Number(number)) => (1..=*starters).contains(number),
            (SettingKind::Card { .. }, SettingValue::Rule(rule)) => rule.check().is_ok(),
            _ => false,
        };
        if fits { Ok(()) } else { Err(SettingError { setting: self.id, allowed: self.allowed() }) }
    }

    /// Reads a value as people and JSON write it: `on`, `single_round`, `45`, `printed`, `none`.
    ///
    /// # Errors
    /// When it cannot have that value; says what it can be.
    pub fn parse(&self, text: &str) -> Result<SettingValue, SettingError> {
        let word = text.trim().to_lowercase().replace([' ', '-'], "_");
        let no_value = match self.unset {
            Some(Unset::Printed) => matches!(word.as_str(), "printed" | "as_printed" | "default" | "null"),
            Some(Unset::None) => matches!(word.as_str(), "none" | "off" | "no" | "plain" | "plain_wild" | "null"),
            None => false,
        };
        let value = match &self.kind {
            _ if no_value => SettingValue::UNSET,
            SettingKind::Switch {} => match word.as_str() {
                "on" | "yes" | "true" => SettingValue::Switch(true),
                "off" | "no" | "false" => SettingValue::Switch(false),
                _ => SettingValue::Word(word),
            },
            SettingKind::Choice { .. } => SettingValue::Word(word),
            SettingKind::Number { least: 0, .. } if word == "off" => SettingValue::Number(0),
            SettingKind::Number { .. } | SettingKind::Card { .. } => {
                word.trim_end_matches(['s', '_']).parse().map_or(SettingValue::Word(word), SettingValue::Number)
            }
            SettingKind::Text { .. } => SettingValue::word(text.trim()),
        };
        self.check(&value)?;
        Ok(value)
    }

    /// The values that a form goes through, in order: none of its own first, numbers in steps, no texts.
    pub fn values(&self) -> Vec<SettingValue> {
        let values: Vec<SettingValue> = match &self.kind {
            SettingKind::Switch {} => [false, true].map(SettingValue::Switch).into(),
            SettingKind::Choice { values } => values.iter().cloned().map(SettingValue::Word).collect(),
            SettingKind::Number { least, most, step } => {
                let is_step = |number: &u32| [least, most].contains(&number) || number.is_multiple_of(*step);
                (*least..=*most).filter(is_step).map(SettingValue::Number).collect()
            }
            SettingKind::Text { .. } => Vec::new(),
            SettingKind::Card { starters } => (1..=*starters).map(SettingValue::Number).collect(),
        };
        self.unset.map(|_| SettingValue::UNSET).into_iter().chain(values).collect()
    }

    /// What it can be, as the end of a sentence that begins with its name.
    fn allowed(&self) -> String {
        let unset = match self.unset {
            Some(Unset::Printed) => ", or `null` for what the edition prints",
            Some(Unset::None) => ", or `null` for none",
            None => "",
        };
        match &self.kind {
            SettingKind::Switch {} => "is `true` or `false`".to_owned(),
            SettingKind::Choice { values } => format!("is one of {}{unset}", values.join(", ")),
            SettingKind::Number { least, most, .. } => format!("goes from {least} to {most}{unset}"),
            SettingKind::Text { longest } => format!("has at most {longest} characters"),
            SettingKind::Card { starters } => {
                format!("is a rule, or the number of a starter from 1 to {starters}{unset}")
            }
        }
    }

    /// Writes its value into settings as JSON.
    fn write(&self, tree: &mut Value, value: &SettingValue) {
        let mut place = tree;
        for key in &self.path {
            if let (Value::Array(cards), "length") = (&mut *place, key.as_str()) {
                let SettingValue::Number(count) = value else { return };
                return cards.resize(*count as usize, Value::Null);
            }
            place = match place {
                Value::Array(list) => {
                    let Some(next) = key.parse().ok().and_then(|place: usize| list.get_mut(place)) else { return };
                    next
                }
                other => {
                    if !other.is_object() {
                        *other = Value::Object(serde_json::Map::new());
                    }
                    &mut other[key]
                }
            };
        }
        *place = json::to_value(value).unwrap_or_default();
    }
}

impl Settings {
    /// The value of a setting.
    pub fn get(&self, id: SettingId) -> SettingValue {
        id.setting().read(&tree(self))
    }

    /// The settings that exist here, in order.
    pub fn list(&self) -> impl Iterator<Item = &'static Setting> {
        SETTINGS.iter().filter(|setting| setting.applies(self))
    }

    /// The settings with one of them changed. Whatever conflicts with the new value changes too: another edition brings
    /// its own scoring and cards, a public table has a clock, of two settings that exclude each other the other one is
    /// switched off, and a rule that is chosen is no longer automatic.
    ///
    /// # Errors
    /// When the setting does not exist here, or cannot have that value.
    pub fn with(&self, id: SettingId, value: &SettingValue) -> Result<Settings, SettingError> {
        let setting = id.setting();
        setting.check(value)?;
        if !setting.applies(self) {
            return Err(SettingError { setting: id, allowed: setting.needs() });
        }
        let mut tree = tree(self);
        if tree["rules"]["custom_cards"].is_null() && setting.path.contains(&"custom_cards".to_owned()) {
            tree["rules"]["custom_cards"] = vec![Value::Null; self.rules.edition.customizable()].into();
        }
        match (id, value) {
            (SettingId::Edition, SettingValue::Word(word)) if self.get(id) != *value => {
                let edition = Edition::parse(word).unwrap_or_default();
                let rules = RulesSpec { house: self.rules.house.clone(), ..RulesSpec::suggested(edition) };
                tree["rules"] = json::to_value(&rules).unwrap_or_default();
            }
            (SettingId::Scoring, SettingValue::Unset(())) => tree["rules"]["scoring"] = Value::Null,
            (SettingId::Scoring, SettingValue::Word(word)) => {
                if word == "single_round" {
                    tree["rules"]["scoring"] = Value::Null;
                }
                setting.write(&mut tree, value);
            }
            _ => setting.write(&mut tree, value),
        }
        if id == SettingId::ReverseSkipsWithTwo {
            SettingId::UsualForTwo.setting().write(&mut tree, &SettingValue::Switch(false));
        }
        if let (Some(other), SettingValue::Switch(true)) = (setting.excludes, value) {
            other.setting().write(&mut tree, &SettingValue::Switch(false));
        }
        if tree["public"] == true && tree["clock"].is_null() {
            if id == SettingId::Clock {
                return Err(SettingError { setting: id, allowed: "has to run at a public table".to_owned() });
            }
            tree["clock"] = Settings::default().clock.into();
        }
        let changed = json::from_value::<Settings>(&tree);
        changed.map_err(|_| SettingError { setting: id, allowed: setting.allowed() })
    }

    /// The settings with one of them a step forward or back in the list of its values, wrapping around.
    #[must_use]
    pub fn step(&self, id: SettingId, forward: bool) -> Settings {
        let (mut values, now) = (id.setting().values(), self.get(id));
        let place = values.iter().position(|value| *value == now).unwrap_or_else(|| {
            let place = values.iter().take_while(|value| value.comes_before(&now)).count();
            values.insert(place, now);
            place
        });
        let count = values.len();
        let ahead = |steps: usize| &values[(place + if forward { steps } else { count - steps }) % count];
        (1..count).find_map(|steps| self.with(id, ahead(steps)).ok()).unwrap_or_else(|| self.clone())
    }

    /// The settings with that many chairs taken, automatic ones resolved.
    #[must_use]
    pub fn fitted(mut self, taken: usize) -> Settings {
        if self.usual_for_two {
            self.rules.house.reverse_skips_with_two = taken <= usize::from(MIN_PLAYERS);
        }
        self
    }

    /// The value in force: the setting's own, or its default.
    pub fn effective(&self, id: SettingId) -> SettingValue {
        match self.get(id) {
            SettingValue::Unset(()) => {
                id.setting().defaults.get(&self.rules.edition).cloned().unwrap_or(SettingValue::UNSET)
            }
            value => value,
        }
    }
}

impl Setting {
    /// What a setting that does not exist here would need.
    fn needs(&self) -> String {
        let values = |only: &Condition| {
            let words = only.values.iter().filter_map(|value| match value {
                SettingValue::Word(word) => Some(word.as_str()),
                _ => None,
            });
            words.collect::<Vec<_>>().join(" or ")
        };
        match &self.only {
            Some(only) => format!("needs the `{}` {}", only.setting, values(only)),
            None => "does not exist here".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::CustomCard;

    use super::*;

    fn with(settings: &Settings, id: SettingId, value: impl Into<Value>) -> Result<Settings, SettingError> {
        settings.with(id, &SettingValue::of(&value.into()).unwrap())
    }

    #[test]
    fn settings_come_to_a_preset_until_something_is_chosen() {
        for preset in Preset::all() {
            let mut settings = Settings { pace: preset.pace, ..Settings::default() };
            (settings.rules.scoring, settings.rules.house) = (preset.scoring, preset.house.clone());
            assert_eq!(Preset::in_force(&settings), Some(preset.id));
            let two = Settings { usual_for_two: true, ..settings.clone() }.fitted(2);
            assert!(two.rules.house.reverse_skips_with_two);
            assert_eq!(Preset::in_force(&two), Some(preset.id), "the table decides that by itself");
            let chosen = with(&settings, SettingId::ReverseSkipsWithTwo, true).unwrap();
            assert_eq!(Preset::in_force(&chosen), None);
            assert_eq!(Preset::in_force(&with(&settings, SettingId::DrawToMatch, true).unwrap()), None);
            assert_eq!(Preset::in_force(&Settings { pace: Pace::Instant, ..settings }), None);
        }
    }

    #[test]
    fn every_setting_has_a_place_and_a_default_in_every_edition() {
        for (setting, id) in SETTINGS.iter().zip(SettingId::VARIANTS) {
            assert_eq!(setting.id, *id);
            for edition in Edition::ALL {
                let default = &setting.defaults[&edition];
                let settings = Settings { rules: RulesSpec::suggested(edition), ..Settings::default() };
                if setting.applies(&settings) {
                    assert_eq!(setting.check(default), Ok(()), "{id} in {edition}: {default:?}");
                    let changed = settings.with(*id, &settings.get(*id)).unwrap();
                    assert_eq!(changed.get(*id), settings.get(*id), "{id} in {edition}");
                }
            }
            let house = setting.group == Group::House && *id != SettingId::UsualForTwo;
            assert_eq!(house, setting.path.get(1).is_some_and(|key| key == "house"));
            assert!(setting.group != Group::House || setting.rule.is_some(), "{id} has no entry in the rule book");
        }
    }

    #[test]
    fn what_is_written_is_read_and_bounds_hold() {
        let settings = Settings::default();
        for setting in settings.list() {
            let (inside, outside): (Vec<Value>, Value) = match &setting.kind {
                SettingKind::Switch {} => (vec![true.into(), false.into()], 1.into()),
                SettingKind::Choice { values } => {
                    (values.iter().map(|word| word.as_str().into()).collect(), "?".into())
                }
                SettingKind::Number { least, most, .. } => (vec![(*least).into(), (*most).into()], (most + 1).into()),
                SettingKind::Text { longest } => (vec!["Friday".into(), "".into()], "x".repeat(longest + 1).into()),
                SettingKind::Card { starters } => (vec![1.into()], (starters + 1).into()),
            };
            for value in inside {
                let changed = with(&settings, setting.id, value.clone()).unwrap();
                assert_eq!(changed.get(setting.id), SettingValue::of(&value).unwrap(), "{}", setting.id);
                assert!(Rules::new(changed.rules).is_ok());
            }
            let error = with(&settings, setting.id, outside).unwrap_err();
            assert!(error.to_string().starts_with(&format!("`{}` ", setting.id)), "{error}");
        }
    }

    #[test]
    fn values_are_read_from_words() {
        for (id, text, value) in [
            (SettingId::Stacking, " Any ", SettingValue::word("any")),
            (SettingId::Scoring, "single round", SettingValue::word("single_round")),
            (SettingId::Scoring, "as printed", SettingValue::UNSET),
            (SettingId::JumpIn, "yes", SettingValue::Switch(true)),
            (SettingId::Clock, "45 s", SettingValue::Number(45)),
            (SettingId::Clock, "off", SettingValue::UNSET),
            (SettingId::UnoPenalty, "off", SettingValue::Number(0)),
            (SettingId::HandSize, "null", SettingValue::UNSET),
            (SettingId::Card1, "plain wild", SettingValue::UNSET),
            (SettingId::Card1, "7", SettingValue::Number(7)),
            (SettingId::Title, " Friday Night ", SettingValue::word("Friday Night")),
        ] {
            assert_eq!(id.setting().parse(text), Ok(value), "{id} {text}");
        }
        for (id, text) in [
            (SettingId::Stacking, "all"),
            (SettingId::JumpIn, "maybe"),
            (SettingId::HandSize, "0"),
            (SettingId::HandSize, "off"),
            (SettingId::Clock, "4"),
            (SettingId::Card1, "99"),
        ] {
            assert!(id.setting().parse(text).is_err(), "{id} {text}");
        }
    }

    #[test]
    fn steps_go_through_all_values_both_ways() {
        let custom = with(&Settings::default(), SettingId::Edition, "custom").unwrap();
        let settings = with(&custom, SettingId::Scoring, "first_to").unwrap();
        for setting in settings.list() {
            let values = setting.values();
            for forward in [true, false] {
                let mut now = settings.clone();
                let mut seen = Vec::new();
                for _ in &values {
                    now = now.step(setting.id, forward);
                    seen.push(now.get(setting.id));
                    assert!(Rules::new(now.rules.clone()).is_ok());
                }
                assert_eq!(now.get(setting.id), settings.get(setting.id), "{}", setting.id);
                assert!(values.iter().all(|value| seen.contains(value)), "{}: {seen:?}", setting.id);
            }
        }
        let odd = with(&settings, SettingId::Clock, 37).unwrap();
        assert_eq!(
            (odd.step(SettingId::Clock, true).clock, odd.step(SettingId::Clock, false).clock),
            (Some(40), Some(35))
        );
        let public = with(&settings, SettingId::Public, true).unwrap();
        let most = with(&public, SettingId::Clock, 600).unwrap();
        assert_eq!(most.step(SettingId::Clock, true).clock, Some(5), "a public table has a clock");
    }

    #[test]
    fn what_does_not_go_together_is_changed_along() {
        let settings = Settings { clock: None, ..Settings::default() };
        let public = with(&settings, SettingId::Public, true).unwrap();
        assert_eq!(public.clock, Some(30));
        assert!(with(&public, SettingId::Clock, Value::Null).is_err());
        assert_eq!(with(&settings, SettingId::Clock, Value::Null).unwrap().clock, None);
        let custom = with(&settings, SettingId::Edition, "custom").unwrap();
        assert_eq!(custom.get(SettingId::Cards), SettingValue::Number(3));
        let two = with(&with(&custom, SettingId::Cards, 2).unwrap(), SettingId::Card2, 5).unwrap();
        let starters = |numbers: &[u8]| Some(numbers.iter().map(|number| CustomCard::Starter(*number)).collect());
        assert_eq!(two.rules.custom_cards, starters(&[4, 5]));
        assert!(with(&two, SettingId::Card3, 1).is_err() && with(&settings, SettingId::Cards, 1).is_err());
        assert_eq!(with(&two, SettingId::Edition, "frozen").unwrap().rules.custom_cards, None);
        let tame = with(&with(&settings, SettingId::NoBluffing, true).unwrap(), SettingId::NoChallenges, true).unwrap();
        assert!(tame.rules.house.no_challenges && !tame.rules.house.no_bluffing);
        let lowest = with(&with(&settings, SettingId::Scoring, "first_to").unwrap(), SettingId::Target, 300).unwrap();
        let lowest = with(&lowest, SettingId::Scoring, "lowest_at").unwrap();
        assert_eq!(lowest.rules.scoring, Some(unum_rules::Scoring::LowestAt(300)));
        let single = with(&lowest, SettingId::Scoring, "single_round").unwrap();
        assert_eq!(single.rules.scoring, Some(unum_rules::Scoring::SingleRound));
        assert!(with(&single, SettingId::Target, 100).is_err());
        assert_eq!(with(&single, SettingId::Scoring, Value::Null).unwrap().rules.scoring, None);
    }

    #[test]
    fn every_preset_can_be_played_in_every_edition() {
        for edition in Edition::ALL {
            for Preset { scoring, house, .. } in Preset::all() {
                let rules = RulesSpec { scoring, house, ..RulesSpec::suggested(edition) };
                assert!(Rules::new(rules).is_ok(), "{edition:?}");
            }
            for scoring in LENGTHS {
                let rules = RulesSpec { scoring: Some(scoring), ..RulesSpec::suggested(edition) };
                assert!(Rules::new(rules).is_ok(), "{edition:?}");
            }
        }
        assert_eq!(Preset::of(PresetId::Official).house, House::default());
        assert_ne!(Preset::of(PresetId::Party).house, House::default());
    }

    #[test]
    fn what_is_in_force_is_known_without_asking_for_the_edition() {
        let modern = with(&Settings::default(), SettingId::Edition, "modern").unwrap();
        assert_eq!(modern.effective(SettingId::Scoring), SettingValue::word("single_round"));
        assert_eq!(Settings::default().effective(SettingId::Scoring), SettingValue::word("first_to"));
        assert_eq!(modern.effective(SettingId::HandSize), SettingValue::Number(7));
        assert_eq!(Settings::default().effective(SettingId::SuggestionPenalty), SettingValue::Number(4));
    }
}
