//! Settings in English: labels, values, meanings, and the words that change them. [`unum_protocol::SETTINGS`] lists the
//! settings and their bounds.

use unum_protocol::{Group, Setting, SettingId, SettingKind, SettingValue, Settings, Unset};
use unum_rules::text::printable;
use unum_rules::{CustomRule, Scoring, rulebook};

use crate::story::{either, listed};

/// The longest quote of typed text.
const LONGEST: usize = 200;

/// A change of one setting.
pub type Change = (SettingId, SettingValue);

/// The name of a group of settings.
pub fn title(group: Group) -> &'static str {
    match group {
        Group::Game => "The game",
        Group::House => "House rules",
        Group::Table => "The table",
    }
}

/// The name of a setting, and what it means.
fn words(id: SettingId) -> (&'static str, &'static str) {
    match id {
        SettingId::Edition => ("Edition", "the sheet of rules"),
        SettingId::Cards => ("Customizable", "cards in the deck with a rule of their own"),
        SettingId::Card1 => ("Card 1", "a Wild, nothing else"),
        SettingId::Card2 => ("Card 2", "a Wild, nothing else"),
        SettingId::Card3 => ("Card 3", "a Wild, nothing else"),
        SettingId::Scoring => ("Scoring", "the edition's own"),
        SettingId::Target => ("Points", "points that end the match"),
        SettingId::Clock => ("Clock", "seconds per turn; then a bot plays on"),
        SettingId::Pace => ("Pace", "how fast the bots act"),
        SettingId::Stacking => ("Stacking", "answer an attack with an attack: the same kind, or any"),
        SettingId::SevenZero => ("Seven and zero", "a 7 swaps hands, a 0 passes all hands on"),
        SettingId::JumpIn => ("Jump in", "an identical colored card out of turn"),
        SettingId::DrawToMatch => ("Draw to match", "draw until a card can be played"),
        SettingId::ForcePlay => ("Force play", "if you can play, you must"),
        SettingId::NoBluffing => ("No bluffing", "a Wild Draw Four only when it is allowed"),
        SettingId::NoChallenges => ("No challenges", "a Wild Draw Four at any time"),
        SettingId::ReverseSkipsWithTwo => ("Reverse for two", "with two players a Reverse acts as a Skip"),
        SettingId::UsualForTwo => ("Usual for two", "Reverse for two is on with two players, off with more"),
        SettingId::HandSize => ("Cards dealt", "cards for each player"),
        SettingId::UnoPenalty => ("Forgotten UNO", "cards for being caught without UNO; off: nobody calls"),
        SettingId::SuggestionPenalty => ("Suggestions", "cards for suggesting a play (rule X1)"),
        SettingId::Seats => ("Seats", "how many may sit"),
        SettingId::Title => ("Name", "what the table is called"),
        SettingId::Public => ("Public", "listed for everybody on the server's page"),
        SettingId::Spectators => ("Onlookers", "people may watch"),
        SettingId::Chat => ("Chat", "people may write to each other"),
        SettingId::Accusations => ("Accusations", "where players can be accused of suggesting a play (rule X1)"),
    }
}

/// The name of a setting.
pub fn label(setting: &Setting) -> &'static str {
    words(setting.id).0
}

/// Its value in a few words.
pub fn value(setting: &Setting, settings: &Settings) -> String {
    match (settings.get(setting.id), setting.id) {
        (SettingValue::Word(_), SettingId::Edition) => rulebook::edition_notes(settings.rules.edition).title.to_owned(),
        (value, _) if matches!(setting.kind, SettingKind::Card { .. }) => {
            carried(&value).map_or("plain wild".to_owned(), |rule| printable(&rule.title, LONGEST))
        }
        (SettingValue::Unset(()), _) if setting.unset == Some(Unset::Printed) => "as printed".to_owned(),
        (SettingValue::Unset(()) | SettingValue::Switch(false), _) => "off".to_owned(),
        (SettingValue::Number(0), _) if setting.group == Group::House => "off".to_owned(),
        (SettingValue::Switch(true), _) => "on".to_owned(),
        (SettingValue::Number(number), SettingId::Clock) => format!("{number} s"),
        (SettingValue::Number(number), _) => number.to_string(),
        (SettingValue::Word(text), _) if is_text(setting) => printable(&text, LONGEST),
        (SettingValue::Word(word), _) => word.replace('_', " "),
        (SettingValue::Rule(rule), _) => printable(&rule.title, LONGEST),
    }
}

/// The rule on a Customizable card.
fn carried(value: &SettingValue) -> Option<CustomRule> {
    match value {
        SettingValue::Number(number) => CustomRule::starter(*number as usize),
        SettingValue::Rule(rule) => Some(rule.clone()),
        _ => None,
    }
}

/// What it means.
pub fn meaning(setting: &Setting, settings: &Settings) -> String {
    let meaning = words(setting.id).1;
    match (&setting.kind, settings.get(setting.id)) {
        (_, SettingValue::Word(_)) if setting.id == SettingId::Edition => {
            rulebook::edition_notes(settings.rules.edition).summary.to_owned()
        }
        (_, SettingValue::Word(word)) if setting.id == SettingId::Scoring => {
            scored(&word).unwrap_or(meaning).to_owned()
        }
        (SettingKind::Card { .. }, value) => match carried(&value) {
            Some(rule) if rule.text.is_empty() => "a rule of your own".to_owned(),
            Some(rule) => printable(&rule.text, LONGEST),
            None => meaning.to_owned(),
        },
        (SettingKind::Number { least, most, .. }, _) => match meaning.split_once([';', ',']) {
            Some((first, rest)) => format!("{first}, {least} to {most};{rest}"),
            None => format!("{meaning}, {least} to {most}"),
        },
        _ => meaning.to_owned(),
    }
}

fn scored(word: &str) -> Option<&'static str> {
    Some(match word {
        "first_to" => "the winner of a round scores what the others hold",
        "lowest_at" => "everybody adds up what they hold; the lowest total wins",
        "single_round" => "the first to go out wins; no points",
        _ => return None,
    })
}

/// Whether it is typed rather than chosen.
pub fn is_text(setting: &Setting) -> bool {
    matches!(setting.kind, SettingKind::Text { .. })
}

/// The values it can have, as they are typed.
pub fn allowed(setting: &Setting) -> String {
    let unset = match setting.unset {
        Some(Unset::Printed) => "printed, or ",
        Some(Unset::None) if matches!(setting.kind, SettingKind::Card { .. }) => "plain, or ",
        Some(Unset::None) => "off, or ",
        None => "",
    };
    match &setting.kind {
        SettingKind::Switch {} => "on or off".to_owned(),
        SettingKind::Choice { values } => format!("{unset}{}", either(values)),
        SettingKind::Number { least, most, .. } => format!("{unset}a number from {least} to {most}"),
        SettingKind::Text { .. } => "a name".to_owned(),
        SettingKind::Card { starters } => format!("{unset}the number of a starter, 1 to {starters}"),
    }
}

/// All settings that exist given these values; `shared` includes who may come, which a table for one person does not
/// need.
pub fn list(settings: &Settings, shared: bool) -> impl Iterator<Item = &'static Setting> {
    settings.list().filter(move |setting| shared || setting.group != Group::Table)
}

/// Name and value together.
fn told(setting: &Setting, settings: &Settings) -> String {
    format!("{} {}", lower(label(setting)), value(setting, settings)).trim_end().to_owned()
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_lowercase().chain(letters).collect()).unwrap_or_default()
}

/// What was changed, in words: `stacking any`.
pub fn changes(before: &Settings, after: &Settings) -> Vec<String> {
    let changed = |setting: &&Setting| before.get(setting.id) != after.get(setting.id);
    after.list().filter(changed).map(|setting| told(setting, after)).collect()
}

/// The house rules that are not as printed, in words.
pub fn house(settings: &Settings) -> Vec<String> {
    let edition = settings.rules.edition;
    let is_own = |setting: &&Setting| {
        let house = setting.group == Group::House && setting.agreed;
        house && settings.effective(setting.id) != setting.defaults[&edition]
    };
    let words = |setting: &Setting| match setting.kind {
        SettingKind::Switch {} => lower(label(setting)),
        _ => told(setting, settings),
    };
    settings.list().filter(is_own).map(words).collect()
}

/// How the match is scored, if that is not as printed, and whether the custom edition is without its cards; in sentences.
pub fn special(settings: &Settings) -> Vec<String> {
    let scoring = settings.rules.scoring.map(|scoring| match scoring {
        Scoring::SingleRound => "Scoring: a single round, without points.".to_owned(),
        Scoring::FirstTo(points) => format!("Scoring: first to {points} points."),
        Scoring::LowestAt(points) => format!("Scoring: the lowest total when somebody has {points} points."),
    });
    let has_cards = settings.list().any(|setting| setting.id == SettingId::Cards);
    let is_card = |setting: &'static Setting| matches!(setting.kind, SettingKind::Card { .. });
    let without = has_cards && !settings.list().any(is_card);
    scoring.into_iter().chain(without.then(|| "Customizable cards: none.".to_owned())).collect()
}

/// Reads changes from words, such as `stacking any`, `clock=60` or `scoring first_to 300`, and checks them.
///
/// # Errors
/// A sentence that says what would be right.
pub fn parse(settings: &Settings, words: &str) -> Result<Vec<Change>, String> {
    let words = words.replacen('=', " ", 1);
    let tokens: Vec<&str> = words.split_whitespace().collect();
    let all: Vec<&Setting> = settings.list().collect();
    // A name may be written in several words: "seven zero on".
    let split = |count: usize| {
        let name = tokens.get(..count)?.join("_").to_lowercase().replace('-', "_");
        find(&all, &name).map(|setting| (setting, &tokens[count..]))
    };
    let Some((setting, value)) = (1..=tokens.len().min(4)).rev().find_map(split) else {
        let names: Vec<String> = all.iter().map(|setting| setting.id.to_string()).collect();
        return Err(format!("There is no setting {:?}. There are {}.", printable(words.trim(), 40), listed(&names)));
    };
    let changes = read(setting, value).ok_or_else(|| format!("Type set {} and {}.", setting.id, allowed(setting)))?;
    apply(settings, &changes)?;
    Ok(changes)
}

/// The settings with these changes.
///
/// # Errors
/// When they are not possible; in words.
pub fn apply(settings: &Settings, changes: &[Change]) -> Result<Settings, String> {
    let change = |settings: Settings, (id, value): &Change| settings.with(*id, value);
    changes.iter().try_fold(settings.clone(), change).map_err(|error| format!("The setting {error}."))
}

/// A setting by its name, or a clear beginning of it.
fn find(all: &[&'static Setting], name: &str) -> Option<&'static Setting> {
    let name = &*name.replacen("card_", "card", 1);
    let exact = all.iter().find(|setting| setting.id.as_str() == name);
    let mut beginnings = all.iter().filter(|setting| setting.id.as_str().starts_with(name));
    let beginning = match (beginnings.next(), beginnings.next()) {
        (Some(only), None) => Some(only),
        _ => None,
    };
    exact.or(beginning).copied()
}

/// A value in words; one more word is for the setting that depends on it, as in `scoring first_to 300`.
fn read(setting: &'static Setting, words: &[&str]) -> Option<Vec<Change>> {
    // A name alone switches a rule on.
    let alone = words.is_empty() && setting.kind == SettingKind::Switch {};
    let text = if alone { "on".to_owned() } else { words.join(" ") };
    if let Ok(value) = setting.parse(&text) {
        return Some(vec![(setting.id, value)]);
    }
    let depends = |other: &&Setting| other.only.as_ref().is_some_and(|only| only.setting == setting.id);
    let further = unum_protocol::SETTINGS.iter().find(depends)?;
    let (first, rest) = text.rsplit_once([' ', ':'])?;
    Some(vec![(setting.id, setting.parse(first).ok()?), (further.id, further.parse(rest).ok()?)])
}

/// Adds a letter to what is typed, or takes the last one away.
pub(crate) fn letter(setting: &Setting, settings: &Settings, letter: Option<char>) -> Settings {
    let SettingValue::Word(mut text) = settings.get(setting.id) else { return settings.clone() };
    match letter {
        None => drop(text.pop()),
        Some(letter) => text.push_str(&printable(letter.encode_utf8(&mut [0; 4]), 1)),
    }
    let changed = Some(text).filter(|_| is_text(setting)).map(SettingValue::Word);
    changed.and_then(|text| settings.with(setting.id, &text).ok()).unwrap_or_else(|| settings.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(settings: &Settings, words: &str) -> Result<Settings, String> {
        apply(settings, &parse(settings, words)?)
    }

    fn custom() -> Settings {
        set(&Settings::default(), "edition custom").unwrap()
    }

    #[test]
    fn what_is_shown_can_be_typed() {
        let mut settings = set(&custom(), "scoring first_to 300").unwrap();
        for setting in list(&settings.clone(), true).filter(|setting| setting.id != SettingId::Edition) {
            assert!(!label(setting).is_empty() && !meaning(setting, &settings).is_empty());
            if matches!(setting.kind, SettingKind::Card { .. } | SettingKind::Text { .. }) {
                continue;
            }
            for _ in 0..25 {
                settings = settings.step(setting.id, true);
                let line = format!("{} {}", setting.id, value(setting, &settings));
                let typed = set(&settings, &line).unwrap_or_else(|mistake| panic!("{line}: {mistake}"));
                assert_eq!(typed.get(setting.id), settings.get(setting.id));
            }
            settings = set(&custom(), "scoring first_to 300").unwrap();
        }
    }

    #[test]
    fn words_change_settings() {
        for (words, id, expected) in [
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
            let setting = find(&changed.list().collect::<Vec<_>>(), id).unwrap();
            assert_eq!(value(setting, &changed), expected, "{words}");
        }
        let cards = set(&set(&custom(), "card2 5").unwrap(), "card1 plain").unwrap();
        let values = [SettingId::Card1, SettingId::Card2].map(|id| cards.get(id));
        assert_eq!(values, [SettingValue::UNSET, SettingValue::Number(5)]);
    }

    #[test]
    fn what_is_no_setting_is_answered_with_what_would_be_right() {
        for (words, answer) in [
            ("stacking all", "set stacking and off, same or any"),
            ("s any", "There is no setting \"s any\""),
            ("card1 2", "There is no setting"),
            ("hand_size 0", "a number from 1 to 20"),
            ("clock 4", "a number from 5 to 600"),
            ("clock 99999", "a number from 5 to 600"),
            ("scoring best_of 3", "printed, or first_to"),
            ("scoring first_to 0", "printed, or first_to"),
            ("edition classic", "original"),
            ("chat maybe", "on or off"),
            ("", "There are edition"),
        ] {
            let mistake = set(&Settings::default(), words).unwrap_err();
            assert!(mistake.contains(answer), "{words}: {mistake}");
        }
        let public = Settings { public: true, ..Settings::default() };
        assert!(set(&public, "clock off").unwrap_err().contains("public"));
    }

    #[test]
    fn changes_are_told() {
        let before = Settings::default();
        let after = set(&set(&before, "stacking any").unwrap(), "clock 60").unwrap();
        assert_eq!(changes(&before, &after), ["clock 60 s", "stacking any"]);
        assert!(changes(&before, &before).is_empty());
        let agreed = set(&set(&after, "jump_in").unwrap(), "uno_penalty 4").unwrap();
        assert_eq!(house(&agreed), ["stacking any", "jump in", "forgotten UNO 4"]);
        assert!(house(&set(&before, "hand_size 7").unwrap()).is_empty(), "as printed");
        assert_eq!(special(&set(&after, "scoring first_to 200").unwrap()), ["Scoring: first to 200 points."]);
        assert!(special(&custom()).is_empty(), "{:?}", special(&custom()));
        assert_eq!(special(&set(&custom(), "cards 0").unwrap()), ["Customizable cards: none."]);
    }
}
