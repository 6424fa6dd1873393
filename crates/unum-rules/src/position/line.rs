//! A position in one line of text, as FEN is for chess: docs/referee.md, "A position in one line".

use std::fmt::Write as _;
use std::str::FromStr;

use super::{Position, PositionError, wrong};
use crate::card::{CardName, ColorName};
use crate::chance::Chance;
use crate::custom::Until;
use crate::game::Match;
use crate::object::plain_words;
use crate::seat::{Direction, Seat};
use crate::text::clip;
use crate::wire::{BannerForm, DrawMoreForm, FaceUpForm, PhaseForm, ResultForm};

/// Stands for no cards, and for nobody.
const NONE: &str = "-";
/// What may follow the hands and the piles, each once.
const KEYS: &str = "dealer, direction, liable, idle, draw_more, face_up, banners, scores, result, winners";

impl Position {
    /// The whole state of a match in one line. [`Position::parse`] reads it back as [`Position::of`] that match.
    ///
    /// ```
    /// use unum_rules::{Edition, Match, Position, Rules, Seeded};
    ///
    /// let position = Position::parse("B1/R3W R7 Y3G5")?;
    /// let game = position.into_match(Rules::of(Edition::Original), Seeded::new(0))?;
    /// assert_eq!(Position::line(&game), "B1/R3W R7 Y3G5 turn:1");
    /// # Ok::<(), unum_rules::PositionError>(())
    /// ```
    pub fn line<C: Chance>(game: &Match<C>) -> String {
        write(&Position::of(game))
    }

    /// Reads a position in one line.
    ///
    /// # Errors
    /// When it is not one. Whether it contradicts the rules is up to [`Position::into_match`].
    pub fn parse(line: &str) -> Result<Position, PositionError> {
        let mut words = line.split_whitespace().peekable();
        let mut field = || words.next_if(|word| !word.contains('='));
        let (Some(hands), Some(discards)) = (field(), field()) else {
            return wrong("a position in one line begins with the hands and the discard pile, as in \"B1/R3W R7\"");
        };
        let mut position = Position::default();
        position.read_cards_of_line(hands, discards)?;
        position.draw_pile = field().map_or(Ok(Vec::new()), cards)?;
        position.phase = field().map(phase).transpose()?;
        let mut known = Vec::new();
        for word in words {
            let Some((key, value)) = word.split_once('=') else {
                return wrong(format!(
                    "{:?} is out of place: after the phase come {KEYS}, each as in idle=1",
                    clip(word)
                ));
            };
            if known.contains(&key) {
                return wrong(format!("{:?} is there twice", clip(key)));
            }
            known.push(key);
            position.set(key, value)?;
        }
        Ok(position)
    }

    /// Reads a position as JSON or in one line.
    ///
    /// # Errors
    /// When it is neither.
    pub fn read(text: &str) -> Result<Position, PositionError> {
        if text.trim_start().starts_with(['{', '[']) {
            return serde_json::from_str(text).map_err(|why| PositionError(plain_words(&why)));
        }
        Position::parse(text)
    }

    fn read_cards_of_line(&mut self, hands: &str, discards: &str) -> Result<(), PositionError> {
        self.hands = hands.split('/').map(cards).collect::<Result<_, _>>()?;
        self.players = u8::try_from(self.hands.len()).ok();
        self.scores = vec![0; self.hands.len()];
        let (pile, called) = discards.split_once(':').map_or((discards, None), |(pile, color)| (pile, Some(color)));
        let pile = cards(pile)?;
        self.top = pile.last().copied();
        let printed = self.top.and_then(CardName::color);
        self.color = called.map(color).transpose()?.or(printed);
        self.discard_pile = Some(pile);
        Ok(())
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), PositionError> {
        match key {
            "dealer" => self.dealer = number(value)?,
            "direction" => {
                self.direction = match value {
                    "left" => Direction::Left,
                    "right" => Direction::Right,
                    _ => return wrong(format!("the direction is left or right, not {:?}", clip(value))),
                }
            }
            "liable" => self.liable = list(value, number)?,
            "idle" => self.idle = number(value)?,
            "draw_more" => {
                self.draw_more = list(value, |one| pair(one).map(|(seat, count)| DrawMoreForm { seat, count }))?;
            }
            "face_up" => {
                self.face_up = list(value, |one| pair(one).map(|(seat, until)| FaceUpForm { seat, until }))?;
            }
            "banners" => self.banners = list(value, banner)?,
            "scores" => self.scores = list(value, number)?,
            "result" => self.result = Some(result(value)?),
            "winners" => self.winners = Some(list(value, number)?),
            _ => return wrong(format!("there is no {:?} in a position: there are {KEYS}", clip(key))),
        }
        Ok(())
    }
}

// Writing.

fn write(state: &Position) -> String {
    let hands: Vec<String> = state.hands.iter().map(|hand| joined(hand)).collect();
    let mut line = format!("{} {}", hands.join("/"), joined(state.discard_pile.as_deref().unwrap_or_default()));
    let printed = state.top.and_then(CardName::color);
    if let Some(color) = state.color.filter(|_| printed.is_none()) {
        let _ = write!(line, ":{color}");
    }
    let _ = write!(line, " {}", joined(&state.draw_pile));
    if let Some(phase) = &state.phase {
        let _ = write!(line, " {}", phase_word(phase));
    }
    for (key, value) in options(state) {
        let _ = write!(line, " {key}={value}");
    }
    line
}

fn joined(cards: &[CardName]) -> String {
    if cards.is_empty() { NONE.to_owned() } else { cards.iter().map(|card| card.as_str()).collect() }
}

fn phase_word(phase: &PhaseForm) -> String {
    let optional = |value: Option<String>| value.map_or(String::new(), |value| format!(":{value}"));
    match phase {
        PhaseForm::Turn { seat } => format!("turn:{seat}"),
        PhaseForm::Drawn { seat, cards } => format!("drawn:{seat}{}", optional(cards.as_deref().map(joined))),
        PhaseForm::CallColor { seat, next } => {
            format!("call_color:{seat}{}", optional(next.map(|next| next.to_string())))
        }
        PhaseForm::Respond { seat, by, cards, bluff } => {
            let bluff = if *bluff == Some(true) { ":bluff" } else { "" };
            format!("respond:{seat}:{by}{}{bluff}", optional(cards.map(|cards| cards.to_string())))
        }
        PhaseForm::Discard { seat, count } => format!("discard:{seat}:{count}"),
        PhaseForm::Vote { seat, prompt, waiting } => format!("vote:{seat}:{}:{}", commas(waiting), escaped(prompt)),
        PhaseForm::Dare { seat, prompt } => format!("dare:{seat}:{}", escaped(prompt)),
        PhaseForm::RoundOver {} => "round_over".to_owned(),
        PhaseForm::MatchOver {} => "match_over".to_owned(),
    }
}

/// What differs from what is meant when it is left out.
fn options(state: &Position) -> impl Iterator<Item = (&'static str, String)> {
    let pairs = |pairs: Vec<(u8, u8)>| commas(&pairs.iter().map(|(a, b)| format!("{a}:{b}")).collect::<Vec<_>>());
    let draw_more = state.draw_more.iter().map(|form| (form.seat, form.count)).collect();
    let face_up = state.face_up.iter().map(|form| (form.seat, form.until)).collect();
    let banner = |banner: &BannerForm| {
        let until = banner.by.map_or("uno".to_owned(), |by| by.to_string());
        format!("{}:{until}:{}", banner.seat, escaped(&banner.text))
    };
    let result = state.result.as_ref().map(|result| {
        let winner = result.winner.map_or(NONE.to_owned(), |winner| winner.to_string());
        format!("{winner}:{}", commas(&result.points))
    });
    let options = [
        ("dealer", (state.dealer > 0).then(|| state.dealer.to_string())),
        ("direction", (state.direction == Direction::Right).then(|| "right".to_owned())),
        ("liable", (!state.liable.is_empty()).then(|| commas(&state.liable))),
        ("idle", (state.idle > 0).then(|| state.idle.to_string())),
        ("draw_more", (!state.draw_more.is_empty()).then(|| pairs(draw_more))),
        ("face_up", (!state.face_up.is_empty()).then(|| pairs(face_up))),
        ("banners", (!state.banners.is_empty()).then(|| commas(&state.banners.iter().map(banner).collect::<Vec<_>>()))),
        ("scores", state.scores.iter().any(|score| *score > 0).then(|| commas(&state.scores))),
        ("result", result),
        ("winners", state.winners.as_ref().map(|winners| commas(winners))),
    ];
    options.into_iter().filter_map(|(key, value)| Some((key, value?)))
}

fn commas(values: &[impl ToString]) -> String {
    values.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

/// Free text as one word: letters, digits, `-`, `_` and `.` as they are, every other byte as `%` and two hexadecimal digits.
fn escaped(text: &str) -> String {
    let mut word = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_alphanumeric() || "-_.".contains(c) {
            word.push(c);
        } else {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|byte| {
                let _ = write!(word, "%{byte:02X}");
            });
        }
    }
    word
}

// Reading.

fn cards(text: &str) -> Result<Vec<CardName>, PositionError> {
    let mut cards = Vec::new();
    let mut rest = if text == NONE { "" } else { text };
    if text.is_empty() {
        return wrong(format!("no cards are written as {NONE}"));
    }
    while !rest.is_empty() {
        // The longest name first: W+4 begins with W.
        let name = (1..=3).rev().find_map(|length| CardName::parse(rest.get(..length)?));
        let Some(name) = name else {
            return wrong(format!("{:?} does not begin with a card such as R7, B+2 or W+4", clip(rest)));
        };
        cards.push(name);
        rest = &rest[name.as_str().len()..];
    }
    Ok(cards)
}

fn phase(word: &str) -> Result<PhaseForm, PositionError> {
    let parts: Vec<&str> = word.split(':').collect();
    Ok(match parts[..] {
        ["turn", seat] => PhaseForm::Turn { seat: number(seat)? },
        ["drawn", seat] => PhaseForm::Drawn { seat: number(seat)?, cards: None },
        ["drawn", seat, drawn] => PhaseForm::Drawn { seat: number(seat)?, cards: Some(cards(drawn)?) },
        ["call_color", seat] => PhaseForm::CallColor { seat: number(seat)?, next: None },
        ["call_color", seat, next] => PhaseForm::CallColor { seat: number(seat)?, next: Some(number(next)?) },
        ["respond", seat, by] => PhaseForm::Respond { seat: number(seat)?, by: number(by)?, cards: None, bluff: None },
        ["respond", seat, by, cards, ref bluff @ ..] if matches!(bluff, [] | ["bluff"]) => PhaseForm::Respond {
            seat: number(seat)?,
            by: number(by)?,
            cards: Some(number(cards)?),
            bluff: Some(!bluff.is_empty()),
        },
        ["discard", seat, count] => PhaseForm::Discard { seat: number(seat)?, count: number(count)? },
        ["vote", seat, waiting, prompt] => {
            PhaseForm::Vote { seat: number(seat)?, waiting: list(waiting, number)?, prompt: text(prompt)? }
        }
        ["dare", seat, prompt] => PhaseForm::Dare { seat: number(seat)?, prompt: text(prompt)? },
        ["round_over"] => PhaseForm::RoundOver {},
        ["match_over"] => PhaseForm::MatchOver {},
        _ => {
            return wrong(format!(
                "{:?} is no phase: there are turn:SEAT, drawn:SEAT:CARDS, call_color:SEAT:NEXT, \
                 respond:SEAT:BY:CARDS:bluff, round_over and match_over",
                clip(word)
            ));
        }
    })
}

fn banner(word: &str) -> Result<BannerForm, PositionError> {
    let parts: Vec<&str> = word.split(':').collect();
    let [seat, until, words] = parts[..] else {
        return wrong(format!("a banner is SEAT:uno:TEXT or SEAT:BY:TEXT, not {:?}", clip(word)));
    };
    let (until, by) = if until == "uno" { (Until::Uno, None) } else { (Until::NextTurn, Some(number(until)?)) };
    Ok(BannerForm { seat: number(seat)?, text: text(words)?, until, by })
}

fn result(value: &str) -> Result<ResultForm, PositionError> {
    let Some((winner, points)) = value.split_once(':') else {
        return wrong(format!("a result is WINNER:POINTS,POINTS with {NONE} for no winner, not {:?}", clip(value)));
    };
    let winner = if winner == NONE { None } else { Some(number(winner)?) };
    Ok(ResultForm { winner, points: list(points, number)? })
}

fn color(word: &str) -> Result<ColorName, PositionError> {
    let known = [ColorName::Red, ColorName::Pink, ColorName::Yellow, ColorName::Green, ColorName::Blue];
    let named = known.into_iter().find(|color| color.as_str() == word);
    named.ok_or_else(|| PositionError(format!("{:?} is no color: write it as in W:blue", clip(word))))
}

fn number<N: FromStr>(word: &str) -> Result<N, PositionError> {
    // Signs would be another way to write the same.
    let plain = word.bytes().all(|byte| byte.is_ascii_digit());
    let number = word.parse().ok().filter(|_| plain);
    number.ok_or_else(|| PositionError(format!("{:?} is not a number that can stand here", clip(word))))
}

fn pair(word: &str) -> Result<(Seat, u8), PositionError> {
    match word.split_once(':') {
        Some((seat, other)) => Ok((number(seat)?, number(other)?)),
        None => wrong(format!("two numbers with a colon between them belong here, not {:?}", clip(word))),
    }
}

fn list<T>(value: &str, one: impl Fn(&str) -> Result<T, PositionError>) -> Result<Vec<T>, PositionError> {
    value.split(',').filter(|_| !value.is_empty()).map(one).collect()
}

fn text(word: &str) -> Result<String, PositionError> {
    let mut bytes = Vec::with_capacity(word.len());
    let mut rest = word.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { hexadecimal(&mut rest).ok_or_else(|| not_text(word))? } else { byte });
    }
    String::from_utf8(bytes).map_err(|_| not_text(word))
}

fn hexadecimal(rest: &mut impl Iterator<Item = u8>) -> Option<u8> {
    let mut digit = || char::from(rest.next()?).to_digit(16);
    u8::try_from(digit()? * 16 + digit()?).ok()
}

fn not_text(word: &str) -> PositionError {
    PositionError(format!("{:?} is not text: after % come two hexadecimal digits of UTF-8", clip(word)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edition, Rules, Seeded};

    fn resumed(line: &str) -> Match {
        let position = Position::parse(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        position.into_match(Rules::of(Edition::Original), Seeded::new(1)).unwrap_or_else(|why| panic!("{line}: {why}"))
    }

    #[test]
    fn what_is_left_out_means_what_it_means_in_json() {
        let json = r#"{"top":"W","color":"blue","hands":[["B1"],["R3","W+4"]],"dealer":1,"draw_pile":["Y3"]}"#;
        let json: Position = serde_json::from_str(json).unwrap();
        let json = json.into_match(Rules::of(Edition::Original), Seeded::new(1)).unwrap();
        let game = resumed("B1/W+4R3 W:blue Y3 dealer=1");
        assert_eq!(Position::of(&game), Position::of(&json));
        assert_eq!(Position::line(&game), "B1/R3W+4 W:blue Y3 turn:0 dealer=1");
        assert_eq!(Position::line(&resumed("B1/R3 R7")), "B1/R3 R7 - turn:1");
    }

    #[test]
    fn every_phase_and_option_reads_back() {
        for line in [
            "R7B1/R3/W W:red Y3R1 respond:1:0:4:bluff direction=right scores=0,20,435",
            "R7B1/R3/W W+4:red - respond:1:0:8 dealer=2 liable=1,2 idle=2",
            "R7/R3W/B2 R5R6 G1 drawn:1:R3W draw_more=0:3,2:20 face_up=0:1,2:0",
            "R7/R3W/B2 W G1 call_color:1:2 banners=0:uno:%C2%ABUno%21%C2%BB,1:2:h%C3%B6here%20Karten%3A%2C%25",
            "R7/-/B2 R5 G1 round_over scores=0,9,0 result=1:0,9,0",
            "R7/-/B2 R5 G1 match_over scores=0,509,0 result=1:0,9,0 winners=1",
            "R7/B1/B2 R5 - round_over result=-:0,0,0",
        ] {
            let position = Position::parse(line).unwrap_or_else(|why| panic!("{line}: {why}"));
            let again = write(&position);
            assert_eq!(Position::parse(&again).unwrap(), position, "{line}");
            assert_eq!(again.replace('ö', "%C3%B6"), line);
        }
    }

    #[test]
    fn what_is_no_position_is_refused_in_words() {
        for (line, words) in [
            ("", "begins with the hands and the discard pile"),
            ("R7/B1", "begins with the hands and the discard pile"),
            ("R7/ B1", "no cards are written as -"),
            ("R7/X1 B1", "\"X1\" does not begin with a card"),
            ("R7/Ré B1", "does not begin with a card"),
            ("R7/B1 W:mauve", "\"mauve\" is no color"),
            ("R7/B1 R5 - turn", "\"turn\" is no phase"),
            ("R7/B1 R5 - respond:0:1:2:lie", "is no phase"),
            ("R7/B1 R5 - turn:-1", "\"-1\" is not a number"),
            ("R7/B1 R5 - turn:256", "\"256\" is not a number"),
            ("R7/B1 R5 - turn:1 extra", "\"extra\" is out of place"),
            ("R7/B1 R5 idle=1 - turn:1", "\"-\" is out of place"),
            ("R7/B1 R5 idle=1 idle=1", "\"idle\" is there twice"),
            ("R7/B1 R5 tempo=1", "there is no \"tempo\" in a position: there are dealer,"),
            ("R7/B1 R5 banners=0:uno:%4", "is not text"),
            ("R7/B1 R5 banners=0:uno:%FF", "is not text"),
            ("R7/B1 R5 banners=0:uno", "a banner is SEAT:uno:TEXT"),
            ("R7/B1 R5 face_up=0", "two numbers with a colon"),
            ("R7/B1 R5 result=1", "a result is WINNER:POINTS"),
            ("R7/B1 R5 direction=up", "left or right"),
        ] {
            let why = Position::parse(line).expect_err(line).to_string();
            assert!(why.contains(words), "{line}: {why}");
        }
    }

    #[test]
    fn json_and_lines_are_told_apart() {
        let line = Position::read(" B1/R3 R7\n").unwrap();
        let json = serde_json::to_string(&line).unwrap();
        assert_eq!(Position::read(&json).unwrap(), line);
        assert_eq!(Position::read("[]").unwrap_err().to_string(), "a list, expected an object with named fields");
    }
}
