//! How things look: 256 colors, sixteen or none; symbols or plain letters. Nothing is told by color alone.

use ratatui::style::{Color, Modifier, Style};
use ratatui::symbols::border;
use unum_rules::{CardName, ColorName, Face};

/// The colors of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colors {
    /// None.
    None,
    /// Sixteen, which every theme defines for itself.
    Sixteen,
    /// Sixteen, on a background that is known to be light: what such themes call white is often gray.
    SixteenOnLight,
    /// 256, most of which are the same everywhere: readable on light and dark backgrounds alike.
    Full,
}

/// What a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Paint {
    /// Its colors.
    pub colors: Colors,
    /// Whether there are signs beyond ASCII.
    pub symbols: bool,
}

/// Symbols, each with a plain stand-in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signs {
    /// In front of the player whose turn it is.
    pub turn: &'static str,
    /// Play goes down the list, or up.
    pub down: &'static str,
    /// The other way.
    pub up: &'static str,
    /// Between short facts.
    pub dot: &'static str,
    /// Around a value that can be changed.
    pub less: &'static str,
    /// The other side of it.
    pub more: &'static str,
    /// A card that is marked.
    pub mark: &'static str,
    /// Something cut off.
    pub cut: &'static str,
}

const PRETTY: Signs =
    Signs { turn: "▶", down: "↓", up: "↑", dot: "·", less: "◀", more: "▶", mark: "✓", cut: "…" };
const PLAIN: Signs = Signs { turn: ">", down: "v", up: "^", dot: "-", less: "<", more: ">", mark: "x", cut: "~" };

const ASCII_BORDER: border::Set<'static> = border::Set {
    top_left: "+",
    top_right: "+",
    bottom_left: "+",
    bottom_right: "+",
    vertical_left: "|",
    vertical_right: "|",
    horizontal_top: "-",
    horizontal_bottom: "-",
};

/// Whether `COLORFGBG`, which some terminals set (`0;15`, `0;default;15`), ends in a light color.
fn has_light_background(pair: &str) -> bool {
    pair.rsplit(';').next().and_then(|last| last.parse().ok()).is_some_and(|color: u8| matches!(color, 7 | 9..=15))
}

impl Paint {
    /// What the environment says: `NO_COLOR`, `TERM`, `COLORTERM`, `COLORFGBG`, and the locale's encoding.
    pub(crate) fn detect(variable: impl Fn(&str) -> Option<String>) -> Paint {
        let set = |name: &str| variable(name).filter(|value| !value.is_empty());
        let term = set("TERM").unwrap_or_default();
        let gray = ["vt100", "vt102", "vt220", "vt52", "dumb"].contains(&term.as_str())
            || term.ends_with("-m")
            || term.ends_with("-mono");
        let locale = set("LC_ALL").or_else(|| set("LC_CTYPE")).or_else(|| set("LANG")).unwrap_or_default();
        let locale = locale.to_lowercase();
        let unicode = locale.contains("utf-8") || locale.contains("utf8") || cfg!(windows);
        let colors = match set("NO_COLOR").is_none() && !gray {
            false => Colors::None,
            true if term.contains("256color") || term.contains("direct") || set("COLORTERM").is_some() => Colors::Full,
            true if set("COLORFGBG").is_some_and(|pair| has_light_background(&pair)) => Colors::SixteenOnLight,
            true => Colors::Sixteen,
        };
        Paint { colors, symbols: unicode && !gray }
    }

    /// The signs to use.
    pub(crate) fn signs(self) -> Signs {
        if self.symbols { PRETTY } else { PLAIN }
    }

    /// Lines around something.
    pub(crate) fn border(self) -> border::Set<'static> {
        if self.symbols { border::ROUNDED } else { ASCII_BORDER }
    }

    /// Lines around the selected card.
    pub(crate) fn strong_border(self) -> border::Set<'static> {
        if self.symbols {
            border::DOUBLE
        } else {
            border::Set { horizontal_top: "=", horizontal_bottom: "=", ..ASCII_BORDER }
        }
    }

    /// A color as background for its name or a card. Both colors are set, so it works on any terminal background.
    pub(crate) fn ground(self, color: Option<ColorName>) -> Style {
        let strong = Style::new().add_modifier(Modifier::BOLD);
        let Some(color) = color else { return strong.add_modifier(Modifier::REVERSED) };
        if self.colors == Colors::Full {
            let (letters, ground) = match color {
                ColorName::Red => (231, 160),
                ColorName::Pink => (231, 162),
                ColorName::Yellow => (16, 220),
                ColorName::Green => (231, 28),
                ColorName::Blue => (231, 25),
            };
            return strong.fg(Color::Indexed(letters)).bg(Color::Indexed(ground));
        }
        if self.colors == Colors::None {
            return strong;
        }
        let ground = match color {
            ColorName::Red => Color::Red,
            ColorName::Pink => Color::Magenta,
            ColorName::Yellow => return Style::new().fg(Color::Black).bg(Color::Yellow),
            ColorName::Green => return Style::new().fg(Color::Black).bg(Color::Green),
            ColorName::Blue => Color::Blue,
        };
        match self.colors {
            // The letters get the color of the background.
            Colors::SixteenOnLight => strong.fg(ground).add_modifier(Modifier::REVERSED),
            _ => strong.fg(Color::White).bg(ground),
        }
    }

    /// A color in running text: ink where it can be read on any background, else a ground.
    pub(crate) fn ink(self, color: ColorName) -> Style {
        let ink = match color {
            _ if self.colors != Colors::Full => return self.ground(Some(color)),
            ColorName::Red => 160,
            ColorName::Pink => 162,
            ColorName::Yellow => 136,
            ColorName::Green => 28,
            ColorName::Blue => 32,
        };
        strong().fg(Color::Indexed(ink))
    }

    /// The ground of a card.
    pub(crate) fn card(self, card: CardName) -> Style {
        match (card.color(), self.colors) {
            (None, Colors::Full) => strong().fg(Color::Indexed(231)).bg(Color::Indexed(238)),
            (None, Colors::Sixteen | Colors::SixteenOnLight) => self.ground(None),
            (None, Colors::None) => strong(),
            (color, _) => self.ground(color),
        }
    }

    /// A card in two or three letters: the color's letter, then the face. `W+4` is as it is.
    pub(crate) fn short(self, card: CardName) -> String {
        let letter = card.as_str().get(..1).unwrap_or_default();
        match (card.kind().face(), card.color()) {
            (Face::Skip, Some(_)) if self.symbols => format!("{letter}⊘"),
            (Face::Reverse, Some(_)) if self.symbols => format!("{letter}⇄"),
            _ => card.as_str().to_owned(),
        }
    }

    /// What stands in the middle of a large card.
    pub(crate) fn face(self, card: CardName) -> String {
        let short = self.short(card);
        match (card.kind().face(), card.color()) {
            (Face::Skip, _) if !self.symbols => "SKIP".to_owned(),
            (Face::Reverse, _) if !self.symbols => "REV".to_owned(),
            (_, Some(_)) => short.chars().skip(1).collect(),
            (Face::Wild, None) => "WILD".to_owned(),
            (Face::WildDrawFour, None) => "+4".to_owned(),
            (Face::Olaf, None) => "OLAF".to_owned(),
            (Face::Flitterific, None) => "FLIT".to_owned(),
            (Face::ShuffleHands, None) => "MIX".to_owned(),
            _ => short,
        }
    }

    /// Less important: a gray readable on light and dark backgrounds, where the terminal's grays are fixed.
    pub(crate) fn faint(self) -> Style {
        match self.colors {
            Colors::Full => Style::new().fg(Color::Indexed(243)),
            _ => Style::new().add_modifier(Modifier::DIM),
        }
    }

    /// What must be noticed.
    pub(crate) fn alert(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD | Modifier::REVERSED)
    }
}

/// More important.
pub(crate) fn strong() -> Style {
    Style::new().add_modifier(Modifier::BOLD)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(variables: &[(&str, &str)]) -> (Colors, bool) {
        let find =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned());
        let paint = Paint::detect(find);
        (paint.colors, paint.symbols)
    }

    #[test]
    fn the_environment_says_what_a_terminal_can_show() {
        assert_eq!(detect(&[("TERM", "xterm-256color"), ("LANG", "en_US.UTF-8")]), (Colors::Full, true));
        let sixteen = Colors::Sixteen;
        assert_eq!(detect(&[("TERM", "linux"), ("LANG", "C.utf8")]), (sixteen, true));
        assert_eq!(detect(&[("TERM", "xterm"), ("COLORTERM", "truecolor"), ("LANG", "C")]), (Colors::Full, false));
        assert_eq!(detect(&[("TERM", "xterm"), ("LANG", "C")]), (sixteen, false));
        let with_background = |pair| detect(&[("TERM", "xterm"), ("LANG", "C"), ("COLORFGBG", pair)]).0;
        for light in ["0;15", "0;7", "0;default;15"] {
            assert_eq!(with_background(light), Colors::SixteenOnLight, "{light}");
        }
        for dark in ["15;0", "15;8", "15;default;0", "15;default", "", "light"] {
            assert_eq!(with_background(dark), sixteen, "{dark}");
        }
        assert_eq!(detect(&[("TERM", "xterm"), ("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")]), (sixteen, false));
        assert_eq!(detect(&[("TERM", "xterm"), ("LANG", "de_DE.UTF-8"), ("NO_COLOR", "1")]), (Colors::None, true));
        assert_eq!(detect(&[("TERM", "xterm"), ("LANG", "de_DE.UTF-8"), ("NO_COLOR", "")]), (sixteen, true));
        assert_eq!(detect(&[("TERM", "vt100"), ("LANG", "de_DE.UTF-8")]), (Colors::None, false));
    }

    #[test]
    fn no_card_relies_on_a_white_that_a_light_theme_may_paint_gray() {
        for color in ["R7", "P7", "Y7", "G7", "B7"].map(|name| CardName::parse(name).unwrap().color()) {
            let style = Paint { colors: Colors::SixteenOnLight, symbols: true }.ground(color);
            let takes_the_background = style.add_modifier.contains(Modifier::REVERSED) && style.bg.is_none();
            assert!(takes_the_background || style.fg == Some(Color::Black), "{color:?}: {style:?}");
        }
        let faint = Paint { colors: Colors::Full, symbols: true }.faint();
        assert!(faint.fg.is_some() && faint.add_modifier.is_empty(), "{faint:?}");
    }

    #[test]
    fn every_card_shows_its_color_as_a_letter() {
        for symbols in [true, false] {
            let paint = Paint { colors: Colors::None, symbols };
            for name in ["R7", "P0", "YS", "GR", "B+2", "W", "W+4", "WO", "WF", "WH", "WC3"] {
                let card = CardName::parse(name).unwrap();
                assert!(paint.short(card).starts_with(&name[..1]), "{name}");
                assert!(paint.short(card).chars().count() <= 3, "{name}");
                assert!(paint.face(card).chars().count() <= 4, "{name}");
            }
        }
    }
}
