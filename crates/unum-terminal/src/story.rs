//! What happens, in sentences: the one place for the words of `unum play` and `unum replay`.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Style};
use unum_rules::wire::{EventForm, VeiledForm};
use unum_rules::{Card, CardName, Color, ColorName, Direction, DrawReason, Face, Palette, Seat, Turned};
use unum_table::wire::{Away, Reaction};

/// How cards and colors are written in a sentence.
pub trait Look {
    /// A card.
    fn card(&self, card: CardName) -> String;
    /// A color.
    fn color(&self, color: ColorName) -> String;
    /// What stands between cards.
    fn gap(&self) -> &'static str {
        ", "
    }
    /// Something that stands out.
    fn strong(&self, text: &str) -> String {
        text.to_owned()
    }
}

/// Cards as people say them: `red 7`, `Wild Draw Four`. No escape sequences.
#[derive(Clone, Copy, Debug, Default)]
pub struct Spoken;

/// The same in color, for terminals; `anstream` takes the colors out where they do not belong.
#[derive(Clone, Copy, Debug, Default)]
pub struct Painted;

/// Cards as files have them, in color: `R7`, `W+4`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Short;

impl Look for Spoken {
    fn card(&self, card: CardName) -> String {
        spoken(card)
    }

    fn color(&self, color: ColorName) -> String {
        color.to_string()
    }
}

impl Look for Painted {
    fn card(&self, card: CardName) -> String {
        paint(&spoken(card), card_style(card))
    }

    fn color(&self, color: ColorName) -> String {
        paint(color.as_str(), color_style(color))
    }

    fn strong(&self, text: &str) -> String {
        paint(text, Style::new().bold())
    }
}

impl Look for Short {
    fn card(&self, card: CardName) -> String {
        paint(card.as_str(), card_style(card).bold())
    }

    fn gap(&self) -> &'static str {
        " "
    }

    fn color(&self, color: ColorName) -> String {
        Painted.color(color)
    }

    fn strong(&self, text: &str) -> String {
        Painted.strong(text)
    }
}

/// The card behind a name, and the color its deck prints on it.
pub fn parts(card: CardName) -> (Face, Option<ColorName>) {
    let palette = if card.as_str().starts_with('P') { Palette::Pink } else { Palette::Red };
    let card = card.card(palette).unwrap_or(Card::WILD);
    (card.face(), card.color().map(|color: Color| color.name(palette)))
}

/// A card as people say it.
pub fn spoken(card: CardName) -> String {
    let (face, color) = parts(card);
    match (face, color) {
        (Face::Number(number), Some(color)) => format!("{color} {number}"),
        (Face::Skip, Some(color)) => format!("{color} Skip"),
        (Face::Reverse, Some(color)) => format!("{color} Reverse"),
        (Face::DrawTwo, Some(color)) => format!("{color} Draw Two"),
        (Face::WildDrawFour, _) => "Wild Draw Four".to_owned(),
        (Face::Olaf, _) => "Olaf's Summertime".to_owned(),
        (Face::Flitterific, _) => "Flitterific!".to_owned(),
        (Face::ShuffleHands, _) => "Wild Shuffle Hands".to_owned(),
        (Face::Customizable(number), _) => format!("Wild Customizable {}", number + 1),
        _ => "Wild".to_owned(),
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

fn card_style(card: CardName) -> Style {
    parts(card).1.map_or(Style::new().bold(), color_style)
}

fn paint(text: &str, style: Style) -> String {
    format!("{style}{text}{style:#}")
}

/// Words that anybody may have written: nothing in them commands the terminal.
pub fn tame(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", tame(text))
}

/// `1 card`, `2 cards`.
pub fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

/// `Ann`, `Ann and Bob`, `Ann, Bob and Cy`.
pub fn listed(names: &[String]) -> String {
    match names {
        [] => "nobody".to_owned(),
        [only] => only.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn either(words: &[String]) -> String {
    match words {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => words.concat(),
    }
}

/// Cards one after the other.
pub fn cards(list: &[CardName], look: &dyn Look) -> String {
    if list.is_empty() {
        return "nothing".to_owned();
    }
    let names: Vec<String> = list.iter().map(|card| look.card(*card)).collect();
    names.join(look.gap())
}

/// Puts events into sentences.
pub struct Teller<'a> {
    /// The names, by seat.
    pub name: &'a dyn Fn(Seat) -> String,
    /// Who is told, and called "you".
    pub me: Option<Seat>,
    /// How cards look.
    pub look: &'a dyn Look,
}

impl Teller<'_> {
    /// A name, or "You" at the beginning of a sentence.
    fn subject(&self, seat: Seat) -> String {
        if self.me == Some(seat) { "You".to_owned() } else { (self.name)(seat) }
    }

    /// A name, or "you".
    fn object(&self, seat: Seat) -> String {
        if self.me == Some(seat) { "you".to_owned() } else { (self.name)(seat) }
    }

    fn whose(&self, seat: Seat) -> String {
        if self.me == Some(seat) { "Your".to_owned() } else { format!("{}'s", (self.name)(seat)) }
    }

    /// "Ann plays", "You play".
    fn does(&self, seat: Seat, she: &str, you: &str) -> String {
        format!("{} {}", self.subject(seat), if self.me == Some(seat) { you } else { she })
    }

    fn cards(&self, list: &[CardName]) -> String {
        cards(list, self.look)
    }

    fn veiled(&self, veiled: &VeiledForm) -> String {
        match veiled {
            VeiledForm::Cards(list) => self.cards(list),
            VeiledForm::Count(1) => "a card".to_owned(),
            VeiledForm::Count(number) => format!("{number} cards"),
        }
    }

    /// A sentence; `None` where there is nothing to say.
    pub fn event(&self, event: &EventForm) -> Option<String> {
        self.deal_event(event).or_else(|| self.play_event(event)).or_else(|| self.effect_event(event))
    }

    /// The deal and the end.
    fn deal_event(&self, event: &EventForm) -> Option<String> {
        Some(match event {
            EventForm::DrewForDealer { seat, card } => {
                format!("{} {} for the deal.", self.does(*seat, "draws", "draw"), self.look.card(*card))
            }
            EventForm::DealerChosen { seat } => format!("{}.", self.does(*seat, "deals", "deal")),
            EventForm::Dealt { seat, cards } => {
                format!("{} {}.", self.does(*seat, "is dealt", "are dealt"), self.veiled(cards))
            }
            EventForm::DealtAgain {} => "There is no start card: the cards are dealt again.".to_owned(),
            EventForm::TurnedUp { card, turned } => {
                let fate = match turned {
                    Turned::Start => "is the start card",
                    Turned::Ignored => "is ignored",
                    Turned::Returned => "goes back into the pile",
                };
                format!("{} is turned up and {fate}.", self.look.card(*card))
            }
            EventForm::WentOut { seat } => format!("{} out.", self.does(*seat, "goes", "go")),
            EventForm::RoundBlocked {} => "Nobody can go on: the round is blocked.".to_owned(),
            EventForm::RoundScored { winner, points } => self.scored(*winner, points),
            EventForm::MatchWon { winners } => self.look.strong(&self.won(winners)),
            _ => return None,
        })
    }

    fn won(&self, winners: &[Seat]) -> String {
        match winners {
            [only] => format!("{} the match.", self.does(*only, "wins", "win")),
            _ => {
                let names: Vec<String> = winners.iter().map(|seat| self.subject(*seat)).collect();
                format!("{} share the match.", listed(&names))
            }
        }
    }

    fn scored(&self, winner: Option<Seat>, points: &[u32]) -> String {
        let result = match winner {
            Some(seat) => format!("{} the round", self.does(seat, "wins", "win")),
            None => "Nobody wins the round".to_owned(),
        };
        let scored: Vec<String> = (0..)
            .zip(points)
            .filter(|(_, points)| **points > 0)
            .map(|(seat, points)| {
                format!("{} {points}", lower(&self.does(seat, "scores", "score"), self.me == Some(seat)))
            })
            .collect();
        if scored.is_empty() { format!("{result}.") } else { format!("{result}: {}.", scored.join(", ")) }
    }

    /// What players do.
    fn play_event(&self, event: &EventForm) -> Option<String> {
        Some(match event {
            EventForm::Played { seat, card, color, discarded, jumped_in } => {
                let (she, you) = if *jumped_in { ("jumps in with", "jump in with") } else { ("plays", "play") };
                let what = self.played(*card, *color, discarded, self.me == Some(*seat));
                format!("{} {what}.", self.does(*seat, she, you))
            }
            EventForm::Drew { seat, reason, cards } => self.drew(*seat, *reason, cards),
            EventForm::Kept { seat } => format!("{} it.", self.does(*seat, "keeps", "keep")),
            EventForm::ColorCalled { seat, color } => {
                format!("{} {}.", self.does(*seat, "calls", "call"), self.look.color(*color))
            }
            EventForm::Challenged { seat, challenged, guilty } => {
                let outcome = if *guilty { "rightly: it was a bluff" } else { "wrongly: it was no bluff" };
                format!("{} {}, {outcome}.", self.does(*seat, "challenges", "challenge"), self.object(*challenged))
            }
            EventForm::HandShown { seat, to, hand } => {
                let shows = self.does(*seat, "shows", "show");
                format!("{shows} {} the hand: {}.", self.object(*to), self.veiled(hand))
            }
            EventForm::Blocked { seat, color } => {
                let blocks = self.does(*seat, "blocks", "block");
                let calls = if self.me == Some(*seat) { "call" } else { "calls" };
                format!("{blocks} with Flitterific! and {calls} {}.", self.look.color(*color))
            }
            EventForm::UnoCalled { seat } => {
                format!("{} {}", self.does(*seat, "calls", "call"), self.look.strong("UNO!"))
            }
            EventForm::Caught { seat, by } => {
                format!("{} {} without UNO.", self.does(*by, "catches", "catch"), self.object(*seat))
            }
            EventForm::Penalized { seat } => format!("The referee penalizes {}.", self.object(*seat)),
            EventForm::Discarded { seat, cards } => {
                format!("{} {}.", self.does(*seat, "discards", "discard"), self.cards(cards))
            }
            EventForm::Voted { seat, yes } => {
                format!("{} {}.", self.does(*seat, "votes", "vote"), if *yes { "yes" } else { "no" })
            }
            EventForm::DareAnswered { seat, accept: true } => {
                format!("{} the dare.", self.does(*seat, "accepts", "accept"))
            }
            EventForm::DareAnswered { seat, accept: false } => {
                format!("{} the dare.", self.does(*seat, "refuses", "refuse"))
            }
            _ => return None,
        })
    }

    fn played(&self, card: CardName, color: Option<ColorName>, discarded: &[CardName], mine: bool) -> String {
        let mut text = self.look.card(card);
        if !discarded.is_empty() {
            let _ = write!(text, " with {}", self.cards(discarded));
        }
        if let Some(color) = color {
            let calls = if mine { "call" } else { "calls" };
            let _ = write!(text, " and {calls} {}", self.look.color(color));
        }
        text
    }

    fn drew(&self, seat: Seat, reason: DrawReason, cards: &VeiledForm) -> String {
        let why = match reason {
            DrawReason::Turn | DrawReason::Effect => "",
            DrawReason::Attack => " for the attack",
            DrawReason::Challenge => " for the challenge",
            DrawReason::Caught => " for being caught",
            DrawReason::Suggestion => " for a suggestion",
            DrawReason::Start => " for the start card",
        };
        let none = matches!(cards, VeiledForm::Count(0)) || matches!(cards, VeiledForm::Cards(list) if list.is_empty());
        match none {
            true => format!("{} no card to draw{why}.", self.does(seat, "finds", "find")),
            false => format!("{} {}{why}.", self.does(seat, "draws", "draw"), self.veiled(cards)),
        }
    }

    /// What cards bring about.
    fn effect_event(&self, event: &EventForm) -> Option<String> {
        Some(match event {
            EventForm::Reshuffled { count: cards } => {
                format!("The discard pile is shuffled: {} to draw.", count((*cards).into(), "card"))
            }
            EventForm::Skipped { seat } => format!("{} a turn.", self.does(*seat, "loses", "lose")),
            EventForm::Reversed { direction } => format!("Play turns to the {}.", side(*direction)),
            EventForm::HandsSwapped { seat, with } => {
                format!("{} and {} swap hands.", self.subject(*seat), self.object(*with))
            }
            EventForm::HandsPassed { direction } => format!("All hands go to the {}.", side(*direction)),
            EventForm::HandsShuffled { seat } => {
                let deals = if self.me == Some(*seat) { "deal" } else { "deals" };
                format!("{} all hands and {deals} them again.", self.does(*seat, "shuffles", "shuffle"))
            }
            EventForm::Received { seat, cards } => {
                format!("{} {}.", self.does(*seat, "now holds", "now hold"), self.veiled(cards))
            }
            EventForm::MustDrawMore { seat, count } => {
                format!("If stuck, {} {count}.", lower(&self.does(*seat, "draws", "draw"), self.me == Some(*seat)))
            }
            EventForm::ExtraTurn { seat } => format!("{} again.", self.does(*seat, "goes", "go")),
            EventForm::FacedUp { seat, until } => {
                let until = lower(&self.whose(*until), self.me == Some(*until));
                format!("{} hand lies open until {until} turn.", self.whose(*seat))
            }
            EventForm::BannerRaised { seat, text } => format!("A note on {}: {}", self.object(*seat), quoted(text)),
            EventForm::PerformanceBegan { seat, prompt } => {
                format!("{}: {}", self.does(*seat, "performs", "perform"), quoted(prompt))
            }
            EventForm::PerformanceEnded { success: true, .. } => "The performance is a success.".to_owned(),
            EventForm::PerformanceEnded { success: false, .. } => "The performance fails.".to_owned(),
            EventForm::Dared { seat, prompt } => {
                format!("{} dared: {}", self.does(*seat, "is", "are"), quoted(prompt))
            }
            _ => return None,
        })
    }
}

/// "you" within a sentence.
fn lower(text: &str, you: bool) -> String {
    if you { text.replacen('Y', "y", 1) } else { text.to_owned() }
}

fn side(direction: Direction) -> &'static str {
    match direction {
        Direction::Left => "left",
        Direction::Right => "right",
    }
}

/// Why a bot plays for somebody.
pub(crate) fn away(name: &str, why: Away) -> String {
    match why {
        Away::Asked => format!("A bot plays for {name}."),
        Away::TimedOut => format!("{name} ran out of time; a bot plays on."),
        Away::Disconnected => format!("{name} has lost the connection; a bot plays on."),
        Away::Left => format!("{name} has left; a bot plays on."),
    }
}

/// What a reaction says.
pub fn reaction(reaction: Reaction) -> &'static str {
    match reaction {
        Reaction::Hello => "Hello!",
        Reaction::Thanks => "Thanks",
        Reaction::WellPlayed => "Well played",
        Reaction::Oops => "Oops",
        Reaction::Laugh => "Ha ha",
        Reaction::Wow => "Wow",
        Reaction::Think => "Let me think",
        Reaction::Hurry => "Hurry up",
        Reaction::Sorry => "Sorry",
        Reaction::Cheers => "Cheers",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(event: &serde_json::Value, me: Option<Seat>) -> String {
        let name = |seat: Seat| ["Ann", "Bob"][usize::from(seat)].to_owned();
        let event: EventForm = serde_json::from_value(event.clone()).unwrap();
        Teller { name: &name, me, look: &Spoken }.event(&event).unwrap_or_default()
    }

    #[test]
    fn whoever_listens_is_called_you() {
        for (event, third, second) in [
            (
                serde_json::json!({"type": "played", "seat": 0, "card": "W+4", "color": "blue"}),
                "Ann plays Wild Draw Four and calls blue.",
                "You play Wild Draw Four and call blue.",
            ),
            (
                serde_json::json!({"type": "drew", "seat": 0, "reason": "attack", "count": 2}),
                "Ann draws 2 cards for the attack.",
                "You draw 2 cards for the attack.",
            ),
            (
                serde_json::json!({"type": "caught", "seat": 0, "by": 1}),
                "Bob catches Ann without UNO.",
                "Bob catches you without UNO.",
            ),
            (
                serde_json::json!({"type": "round_scored", "winner": 0, "points": [31, 0]}),
                "Ann wins the round: Ann scores 31.",
                "You win the round: you score 31.",
            ),
            (
                serde_json::json!({"type": "faced_up", "seat": 1, "until": 0}),
                "Bob's hand lies open until Ann's turn.",
                "Bob's hand lies open until your turn.",
            ),
            (serde_json::json!({"type": "match_won", "winners": [0]}), "Ann wins the match.", "You win the match."),
        ] {
            assert_eq!(told(&event, None), third);
            assert_eq!(told(&event, Some(0)), second);
        }
    }

    #[test]
    fn texts_of_others_do_not_command_the_terminal() {
        assert_eq!(quoted("a\u{1b}[31m\nb"), "\"a [31m b\"");
        let event = serde_json::json!({"type": "dared", "seat": 1, "prompt": "\u{1b}]0;x\u{7}"});
        assert!(!told(&event, None).contains(|c: char| c.is_control()));
    }
}
