//! Texts that people write: names, titles, chat. They stay plain text, markup included. Invisible and bidi characters
//! are removed, and letters are composed (Unicode NFC).

#[cfg(not(target_family = "wasm"))]
use unicode_normalization::{UnicodeNormalization as _, char::is_combining_mark};
#[cfg(not(target_family = "wasm"))]
use unicode_security::confusable_detection::skeleton;
use unum_rules::text::{is_invisible, is_mark};
use unum_rules::{CustomCard, Effect, RulesSpec};

/// Most marks on one letter.
const MAX_MARKS: usize = 3;
/// Most bytes of text on all Customizable cards of a table together, so one message can hold them.
pub const MAX_CUSTOM_TEXT: usize = 4096;
/// Most bytes of a note on a seat at a table: there can be many of them at once.
pub const MAX_BANNER: usize = 80;

/// What is wrong with a text, to follow the word for it: "the name is too long".
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// Nothing that shows is in it.
    #[error("is empty: write at least one letter")]
    Empty,
    /// It has more characters than this.
    #[error("is too long: write at most {0} characters")]
    TooLong(usize),
}

/// The text as others see it: white space collapsed and trimmed, nothing invisible.
///
/// # Errors
/// When nothing is left, or more than `most` characters are.
pub fn clean(text: &str, most: usize) -> Result<String, TextError> {
    let mut cleaned = String::new();
    let mut marks = 0;
    for c in composed(text) {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        if c.is_whitespace() {
            if !cleaned.is_empty() && !cleaned.ends_with(' ') {
                cleaned.push(' ');
            }
        } else if !is_invisible(c) && marks <= MAX_MARKS {
            cleaned.push(c);
        }
    }
    cleaned.truncate(cleaned.trim_end().len());
    if cleaned.chars().all(|c| is_mark(c) || c == ' ') {
        return Err(TextError::Empty);
    }
    if cleaned.chars().count() > most {
        return Err(TextError::TooLong(most));
    }
    Ok(cleaned)
}

/// The text with its letters composed.
#[cfg(not(target_family = "wasm"))]
fn composed(text: &str) -> impl Iterator<Item = char> + '_ {
    text.nfc()
}

/// In a browser the caller has composed them: what that takes is half as large as all the rest, and browsers have it.
#[cfg(target_family = "wasm")]
fn composed(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars()
}

#[cfg(target_family = "wasm")]
use is_mark as is_combining_mark;

/// Whether two names can be taken for each other: they differ at most in upper and lower case, or in letters that look
/// alike, such as those of Latin and Cyrillic.
#[cfg(not(target_family = "wasm"))]
pub fn look_alike(one: &str, other: &str) -> bool {
    let same = |one: &str, other: &str| skeleton(one).eq(skeleton(other));
    same(one, other) || same(&one.to_lowercase(), &other.to_lowercase())
}

/// In a browser: one person and bots whose names are known. Letters of other scripts that look like theirs deceive nobody.
#[cfg(target_family = "wasm")]
pub fn look_alike(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

/// How many bytes of text are on the Customizable cards.
pub(crate) fn custom_text(rules: &RulesSpec) -> usize {
    let cards = rules.custom_cards.iter().flatten();
    let bytes = cards.map(|card| match card {
        CustomCard::Rule(rule) => rule.title.len() + rule.text.len() + effects_text(&rule.effects),
        _ => 0,
    });
    bytes.sum()
}

fn effects_text(effects: &[Effect]) -> usize {
    let bytes = effects.iter().map(|effect| match effect {
        Effect::Perform { prompt, success, failure } => prompt.len() + effects_text(success) + effects_text(failure),
        Effect::Dare { prompt, refuse, .. } => prompt.len() + effects_text(refuse),
        Effect::Banner { text, .. } => text.len(),
        _ => 0,
    });
    bytes.sum()
}

/// The most bytes a note on a seat has.
pub(crate) fn longest_banner(rules: &RulesSpec) -> usize {
    let cards = rules.custom_cards.iter().flatten();
    let longest = cards.map(|card| match card {
        CustomCard::Rule(rule) => longest_note(&rule.effects),
        _ => 0,
    });
    longest.max().unwrap_or_default()
}

fn longest_note(effects: &[Effect]) -> usize {
    let longest = effects.iter().map(|effect| match effect {
        Effect::Perform { success, failure, .. } => longest_note(success).max(longest_note(failure)),
        Effect::Dare { refuse, .. } => longest_note(refuse),
        Effect::Banner { text, .. } => text.len(),
        _ => 0,
    });
    longest.max().unwrap_or_default()
}

/// Whether the texts on Customizable cards show just as they are.
pub(crate) fn is_presentable(rules: &RulesSpec) -> bool {
    let shows = |text: &str| !text.chars().any(is_invisible);
    rules.custom_cards.iter().flatten().all(|card| match card {
        CustomCard::Rule(rule) => shows(&rule.title) && shows(&rule.text) && effects_show(&rule.effects, &shows),
        _ => true,
    })
}

fn effects_show(effects: &[Effect], shows: &impl Fn(&str) -> bool) -> bool {
    effects.iter().all(|effect| match effect {
        Effect::Perform { prompt, success, failure } => {
            shows(prompt) && effects_show(success, shows) && effects_show(failure, shows)
        }
        Effect::Dare { prompt, refuse, .. } => shows(prompt) && effects_show(refuse, shows),
        Effect::Banner { text, .. } => shows(text),
        _ => true,
    })
}

#[cfg(test)]
mod tests {
    use unum_protocol::{MAX_CHAT, MAX_NAME};

    use super::*;

    #[test]
    fn white_space_is_one_space_and_none_around() {
        assert_eq!(clean(" \t Ada \n\u{a0} Lovelace\r\n", MAX_NAME).unwrap(), "Ada Lovelace");
    }

    #[test]
    fn markup_stays_text() {
        assert_eq!(clean("<b>&amp;</b>", MAX_NAME).unwrap(), "<b>&amp;</b>");
    }

    #[test]
    fn controls_and_marks_of_direction_are_taken_out() {
        assert_eq!(clean("a\u{202e}b\u{2066}c\u{0}d\u{200b}e\u{feff}f\u{1b}[31m", MAX_NAME).unwrap(), "abcdef[31m");
    }

    #[test]
    fn emoji_and_letters_of_the_world_stay() {
        for text in ["Žofie", "李小龙", "مريم", "🐓 Kikeriki", "❤\u{fe0f}"] {
            assert_eq!(clean(text, MAX_NAME).unwrap(), text);
        }
    }

    #[test]
    fn what_does_not_show_is_empty() {
        for text in ["", "   ", "\u{200b}\u{200d}", "\u{301}\u{301}", "\u{3164}", "\u{fe0f}"] {
            assert_eq!(clean(text, MAX_NAME), Err(TextError::Empty), "{text:?}");
        }
    }

    #[test]
    fn too_long_is_refused_and_not_cut() {
        assert_eq!(clean(&"x".repeat(10_000), MAX_CHAT), Err(TextError::TooLong(MAX_CHAT)));
        assert_eq!(clean(&"é".repeat(MAX_NAME), MAX_NAME).unwrap().chars().count(), MAX_NAME);
    }

    #[test]
    fn heaps_of_marks_are_cut_down_in_every_script() {
        for (letter, mark) in [("x", "\u{301}"), ("\u{e01}", "\u{e49}"), ("\u{628}", "\u{64e}"), ("\u{915}", "\u{93e}")]
        {
            let cleaned = clean(&format!("{letter}{}", mark.repeat(50)), MAX_NAME).unwrap();
            assert_eq!(cleaned, format!("{letter}{}", mark.repeat(3)), "{letter:?} {mark:?}");
        }
    }

    #[test]
    fn letters_are_composed() {
        assert_eq!(clean("Ame\u{301}lie", MAX_NAME).unwrap(), "Am\u{e9}lie");
    }

    #[test]
    fn names_that_look_alike_are_told_apart() {
        for (one, other) in [
            ("Ann", "ANN"),
            ("Ann", "\u{410}nn"),
            ("Am\u{e9}lie", "Ame\u{301}lie"),
            ("Ilya", "llya"),
            ("Bob", "B\u{3bf}b"),
        ] {
            assert!(look_alike(one, other), "{one} {other}");
        }
        for (one, other) in
            [("Ann", "Anna"), ("Ann", "Anne"), ("Zoe", "Zo\u{eb}"), ("\u{674e}", "\u{738b}"), ("Pip 2", "Pip 3")]
        {
            assert!(!look_alike(one, other), "{one} {other}");
        }
    }
}
