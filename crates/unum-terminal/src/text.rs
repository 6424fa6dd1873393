//! Sentences in pieces, so each interface can style cards, colors and emphasis in its own way.

use std::borrow::Cow;
use std::fmt;

use anstyle::{AnsiColor, Style};
use unum_rules::{CardName, ColorName};

/// A sentence in pieces. As a string, cards are as people say them: `red 7`, `Wild Draw Four`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Text(Vec<Span>);

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Span {
    /// Words. Other people's are made printable beforehand.
    Plain(String),
    /// Words that stand out.
    Strong(String),
    /// A card.
    Card(CardName),
    /// A color.
    Color(ColorName),
    /// What stands between cards.
    Gap,
    /// How to ask for the rule behind a refusal.
    AskWhy,
}

impl Span {
    /// The piece as it is said.
    pub fn spoken(&self) -> Cow<'_, str> {
        match self {
            Span::Plain(text) | Span::Strong(text) => text.into(),
            Span::Card(card) => card.spoken().into(),
            Span::Color(color) => color.as_str().into(),
            Span::Gap => ", ".into(),
            Span::AskWhy => "type why".into(),
        }
    }

    fn style(&self) -> Style {
        match self {
            Span::Plain(_) | Span::Gap | Span::AskWhy => Style::new(),
            Span::Strong(_) => Style::new().bold(),
            Span::Card(card) => card.color().map_or(Style::new().bold(), color_style),
            Span::Color(color) => color_style(*color),
        }
    }
}

fn color_style(color: ColorName) -> Style {
    match color {
        ColorName::Red => AnsiColor::Red,
        ColorName::Pink => AnsiColor::Magenta,
        ColorName::Yellow => AnsiColor::Yellow,
        ColorName::Green => AnsiColor::Green,
        ColorName::Blue => AnsiColor::Blue,
    }
    .on_default()
}

impl Text {
    /// Words that stand out.
    pub fn strong(text: impl Into<String>) -> Text {
        Text(vec![Span::Strong(text.into())])
    }

    /// Cards one after the other.
    pub fn list(cards: impl IntoIterator<Item = impl Into<Text>>) -> Text {
        let all = cards.into_iter().map(Into::into).reduce(|mut all: Text, next| {
            all.push(Span::Gap);
            all.push(next);
            all
        });
        all.unwrap_or_else(|| "nothing".into())
    }

    /// Adds something at the end.
    pub fn push(&mut self, more: impl Into<Text>) {
        self.0.extend(more.into().0);
    }

    /// The pieces.
    pub fn spans(&self) -> &[Span] {
        &self.0
    }

    /// In color, for terminals; `anstream` takes the colors out where they do not belong.
    pub fn painted(&self) -> String {
        self.write(|span| (span.spoken(), span.style()))
    }

    /// In color, with cards as files have them: `R7`, `W+4`.
    pub fn short(&self) -> String {
        self.write(|span| match span {
            Span::Card(card) => (card.as_str().into(), span.style().bold()),
            Span::Gap => (" ".into(), span.style()),
            _ => (span.spoken(), span.style()),
        })
    }

    fn write<'a>(&'a self, show: impl Fn(&'a Span) -> (Cow<'a, str>, Style)) -> String {
        let shown = self.0.iter().map(show).map(|(text, style)| format!("{style}{text}{style:#}"));
        shown.collect()
    }
}

impl fmt::Display for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|span| f.write_str(&span.spoken()))
    }
}

impl From<Span> for Text {
    fn from(span: Span) -> Text {
        Text(vec![span])
    }
}

impl From<String> for Text {
    fn from(text: String) -> Text {
        Span::Plain(text).into()
    }
}

impl From<&str> for Text {
    fn from(text: &str) -> Text {
        text.to_owned().into()
    }
}

impl From<CardName> for Text {
    fn from(card: CardName) -> Text {
        Span::Card(card).into()
    }
}

impl From<ColorName> for Text {
    fn from(color: ColorName) -> Text {
        Span::Color(color).into()
    }
}

/// A text of several parts.
macro_rules! text {
    ($($part:expr),+ $(,)?) => {{
        let mut text = $crate::text::Text::default();
        $(text.push($part);)+
        text
    }};
}
pub(crate) use text;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_said_painted_or_short() {
        let card = |name: &str| CardName::parse(name).unwrap();
        let told = text!["Ann plays ", Text::list([card("Y7"), card("W+4")]), " and calls ", ColorName::Blue, "."];
        assert_eq!(told.to_string(), "Ann plays yellow 7, Wild Draw Four and calls blue.");
        assert!(told.painted().contains("\u{1b}[33myellow 7\u{1b}[0m, \u{1b}[1mWild Draw Four\u{1b}[0m and"));
        assert!(told.short().contains("Y7\u{1b}[0m \u{1b}[1mW+4\u{1b}[0m"), "{:?}", told.short());
        assert_eq!(Text::list(Vec::<Text>::new()).to_string(), "nothing");
    }
}
