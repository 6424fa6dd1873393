//! Sentences on the screen: pieces in their colors, long lines broken into several.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::look::{Paint, strong};
use crate::text::{Span as Piece, Text};

fn style(piece: &Piece, paint: Paint) -> Style {
    match piece {
        Piece::Plain(_) | Piece::Gap | Piece::AskWhy => Style::new(),
        Piece::Strong(_) => strong(),
        Piece::Card(card) => card.color().map_or(strong(), |color| paint.ink(color)),
        Piece::Color(color) => paint.ink(*color),
    }
}

/// A text as pieces in their styles, on top of the one given.
pub(crate) fn spans(text: &Text, plain: Style, paint: Paint) -> Vec<Span<'static>> {
    let shown = |piece: &Piece| match piece {
        Piece::AskWhy => "press w".to_owned(),
        piece => piece.spoken().into_owned(),
    };
    text.spans().iter().map(|piece| Span::styled(shown(piece), plain.patch(style(piece, paint)))).collect()
}

/// How many columns a text takes.
pub(crate) fn width(text: &str) -> usize {
    Span::raw(text).width()
}

/// As much of a text as fits, with a sign where it was cut.
pub(crate) fn clip(text: &str, columns: usize, paint: Paint) -> String {
    if width(text) <= columns {
        return text.to_owned();
    }
    let mut clipped = String::new();
    let mut used = 0;
    for c in text.chars() {
        if used + wide(c) + 1 > columns {
            break;
        }
        clipped.push(c);
        used += wide(c);
    }
    if columns > 0 {
        clipped.push_str(paint.signs().cut);
    }
    clipped
}

/// The end of a text, as much as fits: where one types.
pub(crate) fn end(text: &str, columns: usize) -> &str {
    let mut shown = text;
    while width(shown) > columns {
        let mut chars = shown.chars();
        chars.next();
        shown = chars.as_str();
    }
    shown
}

/// A text in lines of at most `columns` columns, broken between words where that is possible.
pub(crate) fn wrap(text: &Text, plain: Style, columns: usize, paint: Paint) -> Vec<Line<'static>> {
    let columns = columns.max(1);
    let mut lines: Vec<Vec<(char, Style)>> = vec![Vec::new()];
    let mut used = 0;
    for word in words(text, plain, paint) {
        let letters = word.iter().rposition(|(c, _)| *c != ' ').map_or(0, |last| last + 1);
        let tight: usize = word[..letters].iter().map(|(c, _)| wide(*c)).sum();
        if used > 0 && used + tight > columns {
            lines.push(Vec::new());
            used = 0;
        }
        for (place, (c, style)) in word.into_iter().enumerate() {
            if used + wide(c) > columns && place < letters {
                lines.push(Vec::new());
                used = 0;
            }
            // A space that does not fit is not missed, and a letter that never fits is left out.
            if used + wide(c) <= columns {
                used += wide(c);
                lines.last_mut().into_iter().for_each(|line| line.push((c, style)));
            }
        }
    }
    lines.into_iter().map(joined).collect()
}

fn wide(c: char) -> usize {
    width(c.encode_utf8(&mut [0; 4]))
}

/// Letters in their styles, up to and with the spaces after a word.
fn words(text: &Text, plain: Style, paint: Paint) -> Vec<Vec<(char, Style)>> {
    let mut words: Vec<Vec<(char, Style)>> = Vec::new();
    let mut space = true;
    for span in spans(text, plain, paint) {
        for c in span.content.chars() {
            if space && c != ' ' {
                words.push(Vec::new());
            }
            space = c == ' ';
            if words.is_empty() {
                words.push(Vec::new());
            }
            words.last_mut().into_iter().for_each(|word| word.push((c, span.style)));
        }
    }
    words
}

/// Letters of one line without the spaces at its end, joined where their style is the same.
fn joined(mut letters: Vec<(char, Style)>) -> Line<'static> {
    letters.truncate(letters.iter().rposition(|(c, _)| *c != ' ').map_or(0, |last| last + 1));
    let mut spans: Vec<Span<'static>> = Vec::new();
    for (c, style) in letters {
        match spans.last_mut() {
            Some(span) if span.style == style => span.content.to_mut().push(c),
            _ => spans.push(Span::styled(c.to_string(), style)),
        }
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use unum_rules::{CardName, ColorName};

    use super::super::look::Colors;
    use super::*;
    use crate::text::text;

    const PAINT: Paint = Paint { colors: Colors::Sixteen, symbols: true };

    fn wrapped(text: impl Into<Text>, columns: usize) -> Vec<String> {
        wrap(&text.into(), Style::new(), columns, PAINT).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn cards_in_sentences_are_colored() {
        let text = text!["Ann plays ", CardName::parse("Y7").unwrap(), "."];
        let pieces = spans(&text, Style::new(), PAINT);
        let words: Vec<&str> = pieces.iter().map(|span| span.content.as_ref()).collect();
        assert_eq!(words, ["Ann plays ", "yellow 7", "."]);
        assert_eq!(pieces[1].style, PAINT.ground(Some(ColorName::Yellow)));
    }

    #[test]
    fn lines_are_broken_between_words_and_wide_letters_count_twice() {
        assert_eq!(wrapped("one two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("  indented text", 10), ["  indented", "text"]);
        assert_eq!(wrapped(text!["one ", Text::strong("two"), ", three"], 7), ["one", "two,", "three"]);
        assert_eq!(wrapped("unbreakable", 4), ["unbr", "eaka", "ble"]);
        assert_eq!(wrapped("日本語", 4), ["日本", "語"]);
        assert_eq!(wrapped("", 4), [""]);
        assert_eq!(clip("日本語", 5, PAINT), "日本…");
        assert_eq!(clip("Ann", 3, PAINT), "Ann");
        assert_eq!(clip("Anna", 0, PAINT), "");
    }

    #[test]
    fn no_width_makes_it_stumble() {
        let text = text!["a ", ColorName::Yellow, " and a-very-long-word  with  spaces"];
        for columns in 0..12 {
            for line in wrapped(text.clone(), columns) {
                assert!(width(&line) <= columns.max(1), "{line:?} in {columns}");
            }
        }
    }
}
