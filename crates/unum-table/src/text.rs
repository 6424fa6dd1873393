//! Texts that people write: names, titles, chat. They stay plain text, markup included; what does not show or turns
//! the direction of other text is taken out.

use unum_rules::{CustomCard, Effect, RulesSpec};

/// Longest name of a person, in characters.
pub const MAX_NAME: usize = 24;
/// Longest title of a table, in characters.
pub const MAX_TITLE: usize = 60;
/// Longest line of chat, in characters.
pub const MAX_CHAT: usize = 300;

/// Most marks on one letter.
const MAX_MARKS: usize = 3;

/// What is wrong with a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextError {
    /// Nothing that shows is in it.
    Empty,
    /// It has more characters than this.
    TooLong(usize),
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TextError::Empty => f.write_str("there is nothing in it that shows: write at least one letter"),
            TextError::TooLong(most) => write!(f, "it is too long: write at most {most} characters"),
        }
    }
}

impl std::error::Error for TextError {}

/// The text as others get to see it: white space is one space each, none around it, nothing invisible.
///
/// # Errors
/// When nothing is left, or more than `most` characters are.
pub fn clean(text: &str, most: usize) -> Result<String, TextError> {
    let mut cleaned = String::new();
    let mut marks = 0;
    for c in text.chars() {
        marks = if is_mark(c) { marks + 1 } else { 0 };
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

/// Controls, marks of direction, characters without width or ink, tags, what is no character at all.
fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}' | '\u{8e2}'
            | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{e000}'..='\u{f8ff}'
            | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{10ffff}')
}

/// Marks that sit on the letter before, and the two selectors of an emoji's look.
fn is_mark(c: char) -> bool {
    matches!(c,
        '\u{300}'..='\u{36f}' | '\u{483}'..='\u{489}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}' | '\u{fe0e}' | '\u{fe0f}' | '\u{fe20}'..='\u{fe2f}')
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
    fn heaps_of_marks_are_cut_down() {
        assert_eq!(clean(&format!("a{}", "\u{301}".repeat(50)), MAX_NAME).unwrap(), "a\u{301}\u{301}\u{301}");
    }
}
