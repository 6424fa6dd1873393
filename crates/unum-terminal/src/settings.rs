//! What a table agrees on, one setting at a time: its name, its value in words, what it means, and how it is changed, by a
//! step or by words. The start screen, the lobby's form and the command `set` all work with this list.

use std::ops::RangeInclusive;

use unum_rules::{
    CustomCard, CustomRule, Edition, House, MAX_PLAYERS, MIN_PLAYERS, RulesSpec, Scoring, Stacking, rulebook,
};
use unum_table::wire::{Pace, Settings};

use crate::story::{either, listed, tame};

/// The most cards that can be dealt to each, or drawn as a penalty.
const MOST_CARDS: u8 = 20;
/// Points to play for.
const TARGETS: RangeInclusive<u32> = 1..=10_000;
/// Points to play for, if nobody says otherwise.
const USUAL_TARGET: u32 = 500;
/// How far a step changes the points.
const TARGET_STEP: u32 = 50;
/// Seconds for a turn.
const CLOCKS: RangeInclusive<u16> = 5..=600;
/// Seconds for a turn that a step leads to.
const CLOCK_STEPS: [Option<u16>; 7] = [None, Some(10), Some(20), Some(30), Some(60), Some(120), Some(300)];
/// Seconds for a turn, if there have to be some.
const USUAL_CLOCK: u16 = 30;
/// Customizable cards in a deck.
const CUSTOM_CARDS: u8 = 3;
/// The starters on those cards, if nobody says otherwise.
const USUAL_STARTERS: [u8; 3] = [4, 7, 1];
/// The longest title of a table.
const LONGEST_TITLE: usize = unum_table::text::MAX_TITLE;

/// One thing that can be agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The sheet.
    Edition,
    /// How many Customizable cards there are (edition custom).
    CustomCards,
    /// What one of them carries, counted from 0.
    CustomCard(u8),
    /// How a match is scored.
    Scoring,
    /// The points to play for.
    Target,
    /// Seconds for a turn.
    Clock,
    /// How fast bots act.
    Pace,
    /// A house rule that is on or off.
    Switch(Switch),
    /// Attacks answered by attacks.
    Stacking,
    /// A number of cards.
    Number(Number),
    /// How many may sit.
    Seats,
    /// What the table is called.
    Title,
    /// Whether it is listed for all.
    Public,
    /// Whether people may look on.
    Spectators,
    /// Whether people may write.
    Chat,
}

/// A house rule that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are explained by `Setting::meaning`")]
pub enum Switch {
    SevenZero,
    JumpIn,
    DrawToMatch,
    ForcePlay,
    NoBluffing,
    NoChallenges,
    ReverseSkips,
}

/// A house rule that is a number of cards, or as printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are explained by `Setting::meaning`")]
pub enum Number {
    HandSize,
    UnoPenalty,
    SuggestionPenalty,
}

/// Settings that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    /// What is played, and how fast.
    Game,
    /// What differs from the sheet.
    House,
    /// Who may come.
    Table,
}

impl Group {
    /// What it is called.
    pub fn title(self) -> &'static str {
        match self {
            Group::Game => "The game",
            Group::House => "House rules",
            Group::Table => "The table",
        }
    }
}

const GAME: [Setting; 9] = [
    Setting::Edition,
    Setting::CustomCards,
    Setting::CustomCard(0),
    Setting::CustomCard(1),
    Setting::CustomCard(2),
    Setting::Scoring,
    Setting::Target,
    Setting::Clock,
    Setting::Pace,
];
const HOUSE: [Setting; 11] = [
    Setting::Stacking,
    Setting::Switch(Switch::SevenZero),
    Setting::Switch(Switch::JumpIn),
    Setting::Switch(Switch::DrawToMatch),
    Setting::Switch(Switch::ForcePlay),
    Setting::Switch(Switch::NoBluffing),
    Setting::Switch(Switch::NoChallenges),
    Setting::Switch(Switch::ReverseSkips),
    Setting::Number(Number::HandSize),
    Setting::Number(Number::UnoPenalty),
    Setting::Number(Number::SuggestionPenalty),
];
const TABLE: [Setting; 5] = [Setting::Seats, Setting::Title, Setting::Public, Setting::Spectators, Setting::Chat];

/// All that can be agreed on with these settings, in order; `shared` with whom may come, which a table for one person
/// does not need.
pub fn list(settings: &Settings, shared: bool) -> Vec<Setting> {
    let table = if shared { &TABLE[..] } else { &[] };
    GAME.iter().chain(&HOUSE).chain(table).copied().filter(|setting| setting.applies(settings)).collect()
}

/// What was changed, in words: `stacking any`.
pub fn changes(before: &Settings, after: &Settings) -> Vec<String> {
    let changed = |setting: &Setting| setting.told(before) != setting.told(after);
    list(after, true).into_iter().filter(changed).map(|setting| setting.told(after)).collect()
}

/// The house rules that are not as printed, in words.
pub fn house(settings: &Settings) -> Vec<String> {
    let printed = Settings::default();
    let told = |setting: &Setting| match setting {
        Setting::Switch(switch) => switch.of(&settings.rules.house).then(|| lower(setting.label())),
        setting => (setting.value(settings) != setting.value(&printed)).then(|| setting.told(settings)),
    };
    HOUSE.iter().filter_map(told).collect()
}

/// How the match is scored, if that is not as printed, and what the Customizable cards carry; in sentences.
pub fn special(settings: &Settings) -> Vec<String> {
    let mut lines = Vec::new();
    let points = target(&settings.rules);
    match settings.rules.scoring {
        None => {}
        Some(Scoring::SingleRound) => lines.push("Scoring: a single round, without points.".to_owned()),
        Some(Scoring::FirstTo(_)) => lines.push(format!("Scoring: first to {points} points.")),
        Some(Scoring::LowestAt(_)) => {
            lines.push(format!("Scoring: the lowest total when somebody has {points} points."))
        }
    }
    if settings.rules.edition == Edition::Custom {
        let cards = (0..CUSTOM_CARDS).map(Setting::CustomCard).filter(|card| card.applies(settings));
        let cards: Vec<String> = cards.map(|card| card.value(settings)).collect();
        lines.push(format!(
            "Customizable cards: {}.",
            if cards.is_empty() { "none".to_owned() } else { cards.join(", ") }
        ));
    }
    lines
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// Changes a setting by words, such as `stacking any` or `clock=60`.
///
/// # Errors
/// A sentence that says what would be right.
pub fn set(settings: &Settings, words: &str) -> Result<Settings, String> {
    let words = words.replace('=', " ");
    let tokens: Vec<&str> = words.split_whitespace().collect();
    let all = list(settings, true);
    // A name may be written in several words: "seven zero on".
    let split = |count: usize| {
        let name = tokens.get(..count)?.join("_").to_lowercase().replace('-', "_");
        find(&all, &name).map(|setting| (setting, tokens[count..].join(" ")))
    };
    let Some((setting, value)) = (1..=tokens.len().min(4)).rev().find_map(split) else {
        let names: Vec<String> = all.iter().map(|setting| setting.id()).collect();
        let typed: String = words.trim().chars().take(40).collect();
        return Err(format!("There is no setting {typed:?}. There are {}.", listed(&names)));
    };
    let mut changed = settings.clone();
    match setting.write(&mut changed, &value) {
        Some(()) => Ok(changed),
        None => Err(format!("Write set {} and {}.", setting.id(), setting.allowed())),
    }
}

/// A setting by its name, or a clear beginning of it.
fn find(all: &[Setting], name: &str) -> Option<Setting> {
    let name = &*name.replacen("card_", "card", 1);
    let exact = all.iter().find(|setting| setting.id() == name);
    let mut beginnings = all.iter().filter(|setting| setting.id().starts_with(name));
    let beginning = match (beginnings.next(), beginnings.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    };
    exact.or(beginning).copied()
}

impl Setting {
    /// Where it belongs.
    pub fn group(self) -> Group {
        match self {
            _ if HOUSE.contains(&self) => Group::House,
            _ if TABLE.contains(&self) => Group::Table,
            _ => Group::Game,
        }
    }

    /// Whether there is such a thing with these settings.
    fn applies(self, settings: &Settings) -> bool {
        match self {
            Setting::CustomCards => settings.rules.edition == Edition::Custom,
            Setting::CustomCard(place) => {
                settings.rules.edition == Edition::Custom && usize::from(place) < custom_cards(&settings.rules).len()
            }
            Setting::Target => matches!(settings.rules.scoring, Some(Scoring::FirstTo(_) | Scoring::LowestAt(_))),
            _ => true,
        }
    }

    /// Its name, as it is typed and as docs/protocol.md has it.
    pub fn id(self) -> String {
        match self {
            Setting::CustomCard(place) => format!("card{}", place + 1),
            Setting::Edition => "edition".to_owned(),
            Setting::CustomCards => "cards".to_owned(),
            Setting::Scoring => "scoring".to_owned(),
            Setting::Target => "target".to_owned(),
            Setting::Clock => "clock".to_owned(),
            Setting::Pace => "pace".to_owned(),
            Setting::Stacking => "stacking".to_owned(),
            Setting::Switch(switch) => switch.id().to_owned(),
            Setting::Number(number) => number.id().to_owned(),
            Setting::Seats => "seats".to_owned(),
            Setting::Title => "title".to_owned(),
            Setting::Public => "public".to_owned(),
            Setting::Spectators => "spectators".to_owned(),
            Setting::Chat => "chat".to_owned(),
        }
    }

    /// Its name as it is shown.
    pub fn label(self) -> &'static str {
        match self {
            Setting::Edition => "Edition",
            Setting::CustomCards => "Customizable",
            Setting::CustomCard(0) => "Card 1",
            Setting::CustomCard(1) => "Card 2",
            Setting::CustomCard(_) => "Card 3",
            Setting::Scoring => "Scoring",
            Setting::Target => "Points",
            Setting::Clock => "Clock",
            Setting::Pace => "Pace",
            Setting::Stacking => "Stacking",
            Setting::Switch(Switch::SevenZero) => "Seven and zero",
            Setting::Switch(Switch::JumpIn) => "Jump in",
            Setting::Switch(Switch::DrawToMatch) => "Draw to match",
            Setting::Switch(Switch::ForcePlay) => "Force play",
            Setting::Switch(Switch::NoBluffing) => "No bluffing",
            Setting::Switch(Switch::NoChallenges) => "No challenges",
            Setting::Switch(Switch::ReverseSkips) => "Reverse for two",
            Setting::Number(Number::HandSize) => "Cards dealt",
            Setting::Number(Number::UnoPenalty) => "Forgotten UNO",
            Setting::Number(Number::SuggestionPenalty) => "Suggestions",
            Setting::Seats => "Seats",
            Setting::Title => "Name",
            Setting::Public => "Public",
            Setting::Spectators => "Onlookers",
            Setting::Chat => "Chat",
        }
    }

    /// What is agreed, in a word or a few.
    pub fn value(self, settings: &Settings) -> String {
        let on = |on: bool| if on { "on" } else { "off" }.to_owned();
        let rules = &settings.rules;
        match self {
            Setting::Edition => rulebook::edition_notes(rules.edition).title.to_owned(),
            Setting::CustomCards => custom_cards(rules).len().to_string(),
            Setting::CustomCard(place) => match carried(rules, place) {
                Some(rule) => tame(&rule.title),
                None => "plain wild".to_owned(),
            },
            Setting::Scoring => match rules.scoring {
                None => "as printed",
                Some(Scoring::FirstTo(_)) => "first to",
                Some(Scoring::LowestAt(_)) => "lowest at",
                Some(Scoring::SingleRound) => "single round",
            }
            .to_owned(),
            Setting::Target => target(rules).to_string(),
            Setting::Clock => settings.clock.map_or("off".to_owned(), |seconds| format!("{seconds} s")),
            Setting::Pace => pace_id(settings.pace).to_owned(),
            Setting::Stacking => stacking_id(rules.house.stacking).to_owned(),
            Setting::Switch(switch) => on(switch.of(&rules.house)),
            Setting::Number(number) => match number.of(&rules.house) {
                None => "as printed".to_owned(),
                Some(0) => "off".to_owned(),
                Some(count) => count.to_string(),
            },
            Setting::Seats => settings.seats.to_string(),
            Setting::Title => tame(&settings.title),
            Setting::Public => on(settings.public),
            Setting::Spectators => on(settings.spectators),
            Setting::Chat => on(settings.chat),
        }
    }

    /// Name and value together.
    fn told(self, settings: &Settings) -> String {
        format!("{} {}", lower(self.label()), self.value(settings)).trim_end().to_owned()
    }

    /// What it means.
    pub fn meaning(self, settings: &Settings) -> String {
        match self {
            Setting::Edition => rulebook::edition_notes(settings.rules.edition).summary.to_owned(),
            Setting::CustomCards => "cards in the deck with a rule of their own, 0 to 3".to_owned(),
            Setting::CustomCard(place) => match carried(&settings.rules, place) {
                Some(rule) if rule.text.is_empty() => "a rule of your own".to_owned(),
                Some(rule) => tame(&rule.text),
                None => "a Wild, nothing else".to_owned(),
            },
            Setting::Scoring => match settings.rules.scoring {
                None => "the way of the edition",
                Some(Scoring::FirstTo(_)) => "who wins a round scores what the others hold",
                Some(Scoring::LowestAt(_)) => "all add what they hold; the lowest total wins in the end",
                Some(Scoring::SingleRound) => "who goes out wins, without points",
            }
            .to_owned(),
            Setting::Target => "points that end the match".to_owned(),
            Setting::Clock => "seconds for a turn; a bot plays on when they are over".to_owned(),
            Setting::Pace => "how fast the bots act".to_owned(),
            Setting::Stacking => "answer an attack with an attack: the same kind, or any".to_owned(),
            Setting::Switch(switch) => switch.meaning().to_owned(),
            Setting::Number(Number::HandSize) => "cards for each player, 1 to 20".to_owned(),
            Setting::Number(Number::UnoPenalty) => "cards for being caught without UNO; off: nobody calls".to_owned(),
            Setting::Number(Number::SuggestionPenalty) => "cards for suggesting a play (rule X1)".to_owned(),
            Setting::Seats => "how many may sit, 2 to 10".to_owned(),
            Setting::Title => "what the table is called".to_owned(),
            Setting::Public => "listed for everybody on the server's page".to_owned(),
            Setting::Spectators => "people may look on".to_owned(),
            Setting::Chat => "people may write to each other".to_owned(),
        }
    }

    /// Whether it is typed rather than chosen.
    pub fn is_text(self) -> bool {
        self == Setting::Title
    }

    /// The value after this one, or the one before.
    pub fn step(self, settings: &mut Settings, by: isize) {
        match self {
            Setting::Edition => {
                let edition = turn(&Edition::ALL, settings.rules.edition, by);
                choose_edition(&mut settings.rules, edition);
            }
            Setting::CustomCards => {
                let counts: Vec<usize> = (0..=CUSTOM_CARDS.into()).collect();
                let count = turn(&counts, custom_cards(&settings.rules).len(), by);
                resize_custom_cards(&mut settings.rules, count);
            }
            Setting::CustomCard(place) => {
                let all: Vec<Option<u8>> = std::iter::once(None).chain(starters().map(Some)).collect();
                let now = match custom_cards(&settings.rules).get(usize::from(place)) {
                    Some(CustomCard::Starter(number)) => Some(*number),
                    _ => None,
                };
                write_custom_card(&mut settings.rules, place, turn(&all, now, by));
            }
            Setting::Scoring => {
                let points = target(&settings.rules);
                let all =
                    [None, Some(Scoring::FirstTo(points)), Some(Scoring::LowestAt(points)), Some(Scoring::SingleRound)];
                settings.rules.scoring = turn(&all, settings.rules.scoring, by);
            }
            Setting::Target => {
                let points = target(&settings.rules);
                let below = points.saturating_sub(1) / TARGET_STEP * TARGET_STEP;
                let above = points / TARGET_STEP * TARGET_STEP + TARGET_STEP;
                let points = if by < 0 { below } else { above };
                write_target(&mut settings.rules, points.clamp(*TARGETS.start(), *TARGETS.end()));
            }
            Setting::Clock => {
                let public = settings.public;
                let all: Vec<Option<u16>> =
                    CLOCK_STEPS.into_iter().filter(|clock| clock.is_some() || !public).collect();
                settings.clock = turn(&all, settings.clock, by);
            }
            Setting::Pace => settings.pace = turn(&PACES, settings.pace, by),
            Setting::Stacking => settings.rules.house.stacking = turn(&STACKINGS, settings.rules.house.stacking, by),
            Setting::Switch(switch) => {
                let on = switch.of(&settings.rules.house);
                switch.write(&mut settings.rules.house, !on);
            }
            Setting::Number(number) => {
                let all: Vec<Option<u8>> = std::iter::once(None).chain(number.range().map(Some)).collect();
                let place = number.place(&mut settings.rules.house);
                *place = turn(&all, *place, by);
            }
            Setting::Seats => {
                let all: Vec<u8> = (MIN_PLAYERS..=MAX_PLAYERS).collect();
                settings.seats = turn(&all, settings.seats, by);
            }
            Setting::Title => {}
            Setting::Public => publish(settings, !settings.public),
            Setting::Spectators => settings.spectators = !settings.spectators,
            Setting::Chat => settings.chat = !settings.chat,
        }
    }

    /// Writes a value from its words; `None` when there is no such value.
    fn write(self, settings: &mut Settings, value: &str) -> Option<()> {
        let word = value.trim().to_lowercase();
        let rules = &mut settings.rules;
        let printed = matches!(word.as_str(), "printed" | "as printed" | "default" | "usual");
        match self {
            Setting::Edition => choose_edition(rules, Edition::ALL.into_iter().find(|edition| edition.id() == word)?),
            Setting::CustomCards => {
                let count = word.parse::<u8>().ok().filter(|count| *count <= CUSTOM_CARDS)?;
                resize_custom_cards(rules, count.into());
            }
            Setting::CustomCard(place) if matches!(word.as_str(), "plain" | "plain wild" | "wild") => {
                write_custom_card(rules, place, None);
            }
            Setting::CustomCard(place) => {
                let number = word.parse().ok().filter(|number| starters().any(|known| known == *number))?;
                write_custom_card(rules, place, Some(number));
            }
            Setting::Scoring => write_scoring(rules, &word, printed)?,
            Setting::Target => write_target(rules, word.parse().ok().filter(|points| TARGETS.contains(points))?),
            Setting::Clock => settings.clock = write_clock(&word, settings.public)?,
            Setting::Pace => settings.pace = PACES.into_iter().find(|pace| pace_id(*pace) == word)?,
            Setting::Stacking => {
                rules.house.stacking = STACKINGS.into_iter().find(|stacking| stacking_id(*stacking) == word)?;
            }
            Setting::Switch(switch) => switch.write(&mut rules.house, on_or_off(&word)?),
            Setting::Number(number) if printed => *number.place(&mut rules.house) = None,
            Setting::Number(number) => {
                let count = if word == "off" { 0 } else { word.parse().ok()? };
                *number.place(&mut rules.house) =
                    Some(count).filter(|count| number.range().contains(count)).map(Some)?;
            }
            Setting::Seats => {
                settings.seats = word.parse().ok().filter(|seats| (MIN_PLAYERS..=MAX_PLAYERS).contains(seats))?;
            }
            Setting::Title => settings.title = value.trim().chars().take(LONGEST_TITLE).collect(),
            Setting::Public => publish(settings, on_or_off(&word)?),
            Setting::Spectators => settings.spectators = on_or_off(&word)?,
            Setting::Chat => settings.chat = on_or_off(&word)?,
        }
        Some(())
    }

    /// The values it can have, in words.
    pub fn allowed(self) -> String {
        let words = |words: &[&str]| either(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>());
        match self {
            Setting::Edition => words(&Edition::ALL.map(Edition::id)),
            Setting::CustomCards => format!("a number from 0 to {CUSTOM_CARDS}"),
            Setting::CustomCard(_) => format!("plain, or the number of a starter, 1 to {}", starters().count()),
            Setting::Scoring => "printed, first_to 500, lowest_at 500 or single_round".to_owned(),
            Setting::Target => format!("points from {} to {}", TARGETS.start(), TARGETS.end()),
            Setting::Clock => format!("seconds from {} to {}, or off at a private table", CLOCKS.start(), CLOCKS.end()),
            Setting::Pace => words(&PACES.map(pace_id)),
            Setting::Stacking => words(&STACKINGS.map(stacking_id)),
            Setting::Number(number) => {
                format!("printed, or a number from {} to {}", number.range().start(), number.range().end())
            }
            Setting::Seats => format!("a number from {MIN_PLAYERS} to {MAX_PLAYERS}"),
            Setting::Title => "a name".to_owned(),
            Setting::Switch(_) | Setting::Public | Setting::Spectators | Setting::Chat => "on or off".to_owned(),
        }
    }

    /// Adds a letter to what is typed, or takes the last one away.
    pub fn letter(self, settings: &mut Settings, letter: Option<char>) {
        if self != Setting::Title {
            return;
        }
        match letter {
            None => drop(settings.title.pop()),
            Some(letter) if !letter.is_control() && settings.title.chars().count() < LONGEST_TITLE => {
                settings.title.push(letter);
            }
            Some(_) => {}
        }
    }
}

const PACES: [Pace; 3] = [Pace::Relaxed, Pace::Brisk, Pace::Instant];
const STACKINGS: [Stacking; 3] = [Stacking::Off, Stacking::Same, Stacking::Any];

fn pace_id(pace: Pace) -> &'static str {
    match pace {
        Pace::Relaxed => "relaxed",
        Pace::Brisk => "brisk",
        Pace::Instant => "instant",
    }
}

fn stacking_id(stacking: Stacking) -> &'static str {
    match stacking {
        Stacking::Off => "off",
        Stacking::Same => "same",
        Stacking::Any => "any",
    }
}

fn on_or_off(word: &str) -> Option<bool> {
    match word {
        // A name alone switches a rule on.
        "" | "on" | "yes" | "y" | "true" => Some(true),
        "off" | "no" | "n" | "false" => Some(false),
        _ => None,
    }
}

/// The value after or before this one, around the end. One that is not in the list comes before the first.
fn turn<T: Clone + PartialEq>(all: &[T], value: T, by: isize) -> T {
    let place = all.iter().position(|other| *other == value);
    let from = place.unwrap_or(if by > 0 { all.len() - 1 } else { 0 });
    all[(from + all.len()).saturating_add_signed(by) % all.len()].clone()
}

/// House rules stay when the edition changes, everything else is as the new one has it.
fn choose_edition(rules: &mut RulesSpec, edition: Edition) {
    if rules.edition != edition {
        let house = rules.house.clone();
        let custom = (edition == Edition::Custom).then(|| USUAL_STARTERS.map(CustomCard::Starter).to_vec());
        *rules = RulesSpec { house, custom_cards: custom, ..RulesSpec::of(edition) };
    }
}

fn custom_cards(rules: &RulesSpec) -> Vec<CustomCard> {
    rules.custom_cards.clone().unwrap_or_else(|| vec![CustomCard::Plain; CUSTOM_CARDS.into()])
}

/// The rule on a Customizable card.
fn carried(rules: &RulesSpec, place: u8) -> Option<CustomRule> {
    match custom_cards(rules).into_iter().nth(place.into())? {
        CustomCard::Plain => None,
        CustomCard::Starter(number) => CustomRule::starter(number.into()),
        CustomCard::Rule(rule) => Some(rule),
    }
}

fn starters() -> impl Iterator<Item = u8> {
    (1..).zip(CustomRule::starters()).map(|(number, _)| number)
}

fn resize_custom_cards(rules: &mut RulesSpec, count: usize) {
    let mut cards = custom_cards(rules);
    cards.resize(count, CustomCard::Plain);
    rules.custom_cards = Some(cards);
}

fn write_custom_card(rules: &mut RulesSpec, place: u8, starter: Option<u8>) {
    let mut cards = custom_cards(rules);
    if let Some(card) = cards.get_mut(usize::from(place)) {
        *card = starter.map_or(CustomCard::Plain, CustomCard::Starter);
    }
    rules.custom_cards = Some(cards);
}

fn target(rules: &RulesSpec) -> u32 {
    match rules.scoring {
        Some(Scoring::FirstTo(points) | Scoring::LowestAt(points)) => points,
        Some(Scoring::SingleRound) | None => USUAL_TARGET,
    }
}

fn write_target(rules: &mut RulesSpec, points: u32) {
    if let Some(Scoring::FirstTo(target) | Scoring::LowestAt(target)) = &mut rules.scoring {
        *target = points;
    }
}

fn write_scoring(rules: &mut RulesSpec, words: &str, printed: bool) -> Option<()> {
    let words = words.replace([':', '_', '-'], " ");
    let tokens: Vec<&str> = words.split_whitespace().collect();
    let (kind, points) = match tokens.as_slice() {
        [first, second] => ([*first, *second], target(rules)),
        [first, second, points] => ([*first, *second], points.parse().ok()?),
        _ => (["", ""], 0),
    };
    rules.scoring = match kind {
        _ if printed => None,
        ["first", "to"] if TARGETS.contains(&points) => Some(Scoring::FirstTo(points)),
        ["lowest", "at"] if TARGETS.contains(&points) => Some(Scoring::LowestAt(points)),
        ["single", "round"] if tokens.len() == 2 => Some(Scoring::SingleRound),
        _ => return None,
    };
    Some(())
}

fn write_clock(word: &str, public: bool) -> Option<Option<u16>> {
    match word {
        "off" | "none" | "no" => (!public).then_some(None),
        seconds => {
            let seconds = seconds.trim_end_matches(['s', ' ']).parse().ok();
            seconds.filter(|seconds| CLOCKS.contains(seconds)).map(Some)
        }
    }
}

/// A public table has a clock.
fn publish(settings: &mut Settings, public: bool) {
    settings.public = public;
    if public {
        settings.clock.get_or_insert(USUAL_CLOCK);
    }
}

impl Switch {
    fn id(self) -> &'static str {
        match self {
            Switch::SevenZero => "seven_zero",
            Switch::JumpIn => "jump_in",
            Switch::DrawToMatch => "draw_to_match",
            Switch::ForcePlay => "force_play",
            Switch::NoBluffing => "no_bluffing",
            Switch::NoChallenges => "no_challenges",
            Switch::ReverseSkips => "reverse_skips_with_two",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Switch::SevenZero => "a 7 swaps hands, a 0 passes all hands on",
            Switch::JumpIn => "an identical colored card out of turn",
            Switch::DrawToMatch => "draw until a card can be played",
            Switch::ForcePlay => "who can play must",
            Switch::NoBluffing => "a Wild Draw Four only when it is allowed",
            Switch::NoChallenges => "a Wild Draw Four at any time",
            Switch::ReverseSkips => "with two players a Reverse acts as a Skip",
        }
    }

    fn of(self, house: &House) -> bool {
        match self {
            Switch::SevenZero => house.seven_zero,
            Switch::JumpIn => house.jump_in,
            Switch::DrawToMatch => house.draw_to_match,
            Switch::ForcePlay => house.force_play,
            Switch::NoBluffing => house.no_bluffing,
            Switch::NoChallenges => house.no_challenges,
            Switch::ReverseSkips => house.reverse_skips_with_two,
        }
    }

    /// The last two exclude each other.
    fn write(self, house: &mut House, on: bool) {
        match self {
            Switch::SevenZero => house.seven_zero = on,
            Switch::JumpIn => house.jump_in = on,
            Switch::DrawToMatch => house.draw_to_match = on,
            Switch::ForcePlay => house.force_play = on,
            Switch::NoBluffing => {
                house.no_bluffing = on;
                house.no_challenges &= !on;
            }
            Switch::NoChallenges => {
                house.no_challenges = on;
                house.no_bluffing &= !on;
            }
            Switch::ReverseSkips => house.reverse_skips_with_two = on,
        }
    }
}

impl Number {
    fn id(self) -> &'static str {
        match self {
            Number::HandSize => "hand_size",
            Number::UnoPenalty => "uno_penalty",
            Number::SuggestionPenalty => "suggestion_penalty",
        }
    }

    fn range(self) -> RangeInclusive<u8> {
        match self {
            Number::HandSize => 1..=MOST_CARDS,
            Number::UnoPenalty | Number::SuggestionPenalty => 0..=MOST_CARDS,
        }
    }

    fn of(self, house: &House) -> Option<u8> {
        match self {
            Number::HandSize => house.hand_size,
            Number::UnoPenalty => house.uno_penalty,
            Number::SuggestionPenalty => house.suggestion_penalty,
        }
    }

    fn place(self, house: &mut House) -> &mut Option<u8> {
        match self {
            Number::HandSize => &mut house.hand_size,
            Number::UnoPenalty => &mut house.uno_penalty,
            Number::SuggestionPenalty => &mut house.suggestion_penalty,
        }
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::Rules;

    use super::*;

    fn custom() -> Settings {
        set(&Settings::default(), "edition custom").unwrap()
    }

    #[test]
    fn every_setting_goes_all_the_way_round_and_stays_playable() {
        let mut settings = set(&custom(), "scoring first_to 300").unwrap();
        for setting in list(&settings.clone(), true) {
            let before = settings.clone();
            for by in [1, -1] {
                for _ in 0..60 {
                    setting.step(&mut settings, by);
                    assert!(Rules::new(settings.rules.clone()).is_ok(), "{setting:?}: {:?}", settings.rules);
                    assert!(!setting.label().is_empty() && !setting.meaning(&settings).is_empty());
                    assert!(settings.clock.is_some() || !settings.public);
                }
            }
            settings = before;
        }
    }

    #[test]
    fn what_is_shown_can_be_typed() {
        let mut settings = set(&custom(), "scoring first_to 300").unwrap();
        for setting in list(&settings.clone(), true) {
            if matches!(setting, Setting::CustomCard(_) | Setting::Edition | Setting::Scoring | Setting::Title) {
                continue;
            }
            for _ in 0..25 {
                setting.step(&mut settings, 1);
                let typed = set(&Settings { public: settings.public, ..custom() }, "scoring first_to 1").unwrap();
                let line = format!("{} {}", setting.id(), setting.value(&settings));
                let typed = set(&typed, &line).unwrap_or_else(|mistake| panic!("{line}: {mistake}"));
                assert_eq!(setting.value(&typed), setting.value(&settings));
            }
        }
    }

    #[test]
    fn words_change_settings() {
        for (words, id, value) in [
            ("stacking any", "stacking", "any"),
            ("stack=same", "stacking", "same"),
            ("Seven Zero on", "seven_zero", "on"),
            ("seven-zero", "seven_zero", "on"),
            ("edition frozen", "edition", "Frozen"),
            ("scoring lowest_at:200", "target", "200"),
            ("scoring single_round", "scoring", "single round"),
            ("clock 45", "clock", "45 s"),
            ("clock off", "clock", "off"),
            ("uno_penalty 0", "uno_penalty", "off"),
            ("hand 5", "hand_size", "5"),
            ("title Friday night", "title", "Friday night"),
            ("spectators no", "spectators", "off"),
            ("public", "public", "on"),
        ] {
            let changed = set(&Settings::default(), words).unwrap_or_else(|mistake| panic!("{words}: {mistake}"));
            let setting = find(&list(&changed, true), id).unwrap();
            assert_eq!(setting.value(&changed), value, "{words}");
        }
        let cards = set(&set(&custom(), "card2 5").unwrap(), "card1 plain").unwrap();
        let expected = [CustomCard::Plain, CustomCard::Starter(5), CustomCard::Starter(1)];
        assert_eq!(cards.rules.custom_cards.as_deref(), Some(&expected[..]));
    }

    #[test]
    fn what_is_no_setting_is_answered_with_what_would_be_right() {
        for (words, answer) in [
            ("stacking all", "set stacking and off, same or any"),
            ("s any", "There is no setting \"s any\""),
            ("card1 2", "There is no setting"),
            ("hand_size 0", "a number from 1 to 20"),
            ("clock 4", "seconds from 5 to 600"),
            ("clock 99999", "seconds from 5 to 600"),
            ("scoring best_of 3", "first_to 500"),
            ("scoring first_to 0", "first_to 500"),
            ("edition classic", "original"),
            ("chat maybe", "on or off"),
            ("", "There are edition"),
        ] {
            let mistake = set(&Settings::default(), words).unwrap_err();
            assert!(mistake.contains(answer), "{words}: {mistake}");
        }
        let public = Settings { public: true, ..Settings::default() };
        assert!(set(&public, "clock off").is_err());
    }

    #[test]
    fn changes_are_told() {
        let before = Settings::default();
        let after = set(&set(&before, "stacking any").unwrap(), "clock 60").unwrap();
        assert_eq!(changes(&before, &after), ["clock 60 s", "stacking any"]);
        assert!(changes(&before, &before).is_empty());
        let agreed = set(&set(&after, "jump_in").unwrap(), "uno_penalty 4").unwrap();
        assert_eq!(house(&agreed), ["stacking any", "jump in", "forgotten UNO 4"]);
        assert_eq!(special(&set(&after, "scoring first_to 200").unwrap()), ["Scoring: first to 200 points."]);
        assert!(special(&custom()).concat().contains("Once more"), "{:?}", special(&custom()));
    }
}
