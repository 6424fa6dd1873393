//! Untrusted text: which characters are visible, and how much of it messages quote.

use crate::marks::RUNS;

/// Control, bidi, zero-width, blank, tag, private and unassigned characters: invisible, or changing how other text
/// displays. An unassigned character may be a letter or emoji of a later Unicode version, unless it is a noncharacter or among the
/// tags.
pub fn is_invisible(c: char) -> bool {
    u32::from(c) & 0xfffe == 0xfffe
        || matches!(c,
            '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}'
            | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{e000}'..='\u{f8ff}' | '\u{fdd0}'..='\u{fdef}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..)
        || is_blank(c)
}

/// Letters and marks that take up space but leave no ink.
fn is_blank(c: char) -> bool {
    matches!(c,
        '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{2800}'
        | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{ffa0}' | '\u{fffc}' | '\u{e0100}'..='\u{e01ef}')
}

/// Marks that sit on the letter before; the two selectors of an emoji's look are among them.
pub fn is_mark(c: char) -> bool {
    let mut end = 0;
    let passed = RUNS.iter().take_while(|run| {
        end += u32::from(**run);
        end <= u32::from(c)
    });
    let passed = passed.count();
    passed % 2 == 1 && passed < RUNS.len()
}

/// The beginning of an untrusted text, safe for a message or a terminal: at most `most` visible characters, on one
/// line.
pub fn printable(text: &str, most: usize) -> String {
    let shown = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c }).filter(|c| !is_invisible(*c));
    shown.take(most).collect()
}

/// Text escaped for HTML, in a paragraph or an attribute.
pub fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            c => escaped.push(c),
        }
    }
    escaped
}

/// The beginning of an untrusted text, short enough to quote in a sentence.
pub(crate) fn clip(text: &str) -> String {
    printable(text, 40)
}

#[cfg(test)]
mod tests {
    use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

    use super::*;

    #[test]
    fn the_tables_are_those_of_unicode() {
        for c in '\0'..=char::MAX {
            let (category, group) = (c.general_category(), c.general_category_group());
            let invisible = match category {
                GeneralCategory::SpaceSeparator => false,
                GeneralCategory::Unassigned => {
                    u32::from(c) & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}' | '\u{e0000}'..)
                }
                _ => is_blank(c) || matches!(group, GeneralCategoryGroup::Other | GeneralCategoryGroup::Separator),
            };
            assert_eq!(is_invisible(c), invisible, "{c:?}");
            let mark = matches!(category, GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark);
            assert_eq!(is_mark(c), mark && !is_blank(c), "{c:?}");
        }
    }

    #[test]
    fn what_does_not_show_is_left_out() {
        assert_eq!(printable("a\u{202e}b\u{2066}c\u{0}d\u{200b}e\u{feff}f\u{1b}[31m\tg\nh", 40), "abcdef[31m g h");
        assert_eq!(printable("ŽÄé 李小龙 مريم 🐓 ❤\u{fe0f}", 40), "ŽÄé 李小龙 مريم 🐓 ❤\u{fe0f}");
        assert_eq!(printable("abcdef", 3), "abc");
        for c in ['\u{ad}', '\u{3164}', '\u{e0041}', '\u{e000}', '\u{2028}', '\u{fff9}', '\u{180e}', '\u{110bd}'] {
            assert!(is_invisible(c), "{c:?}");
        }
        for c in ['a', ' ', '\u{a0}', '\u{301}', '\u{fe0f}', '7', '+', '…', '\u{5b0}'] {
            assert!(!is_invisible(c), "{c:?}");
        }
    }

    #[test]
    fn markup_is_shown_not_obeyed() {
        assert_eq!(escape_html("<b a='1'>&\"</b>"), "&lt;b a=&#39;1&#39;&gt;&amp;&quot;&lt;/b&gt;");
    }

    #[test]
    fn marks_of_every_script_are_marks() {
        for c in ['\u{301}', '\u{5b0}', '\u{64b}', '\u{e31}', '\u{20dd}', '\u{fe0f}', '\u{1e8d0}'] {
            assert!(is_mark(c), "{c:?}");
        }
        for c in ['a', '\u{34f}', '\u{200d}', '1'] {
            assert!(!is_mark(c), "{c:?}");
        }
    }
}
