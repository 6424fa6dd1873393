//! What happens, in sentences: the one place for the words of `unum play` and `unum replay`.

use unum_protocol::{Award, AwardKind, Away, Reaction};
use unum_rules::text::printable;
use unum_rules::wire::{EventForm, VeiledForm};
use unum_rules::{CardName, ColorName, Direction, DrawReason, Seat, Turned};

use crate::text::{Text, text};

/// The longest text of somebody else that is shown, in characters.
const LONGEST: usize = 1000;

/// Untrusted words, without terminal control sequences.
pub(crate) fn foreign(text: &str) -> String {
    isolated(printable(text, LONGEST))
}

/// Isolates right-to-left text ("first strong isolate" … "pop directional isolate"), so it does not reorder the words
/// around it. Everything else is unchanged.
fn isolated(text: String) -> String {
    let turns = |c: char| {
        matches!(c, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefe}'
            | '\u{10800}'..='\u{10fff}' | '\u{1e800}'..='\u{1efff}')
    };
    if text.chars().any(turns) { format!("\u{2068}{text}\u{2069}") } else { text }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", foreign(text))
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
pub fn either(words: &[String]) -> String {
    match words {
        [most @ .., last] if !most.is_empty() => format!("{} or {last}", most.join(", ")),
        _ => words.concat(),
    }
}

/// Puts events into sentences.
pub struct Teller<'a> {
    /// The names, by seat.
    pub name: &'a dyn Fn(Seat) -> String,
    /// Who is told, and called "you".
    pub me: Option<Seat>,
    /// What is written on Customizable cards.
    pub title: &'a dyn Fn(CardName) -> Option<String>,
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

    fn verb<'a>(&self, seat: Seat, she: &'a str, you: &'a str) -> &'a str {
        if self.me == Some(seat) { you } else { she }
    }

    /// "Ann plays", "You play".
    fn does(&self, seat: Seat, she: &str, you: &str) -> String {
        format!("{} {}", self.subject(seat), self.verb(seat, she, you))
    }

    /// A card, a Customizable one with its title.
    fn card(&self, card: CardName) -> Text {
        titled(card, (self.title)(card))
    }

    fn cards(&self, list: &[CardName]) -> Text {
        Text::list(list.iter().map(|card| self.card(*card)))
    }

    fn veiled(&self, veiled: &VeiledForm) -> Text {
        match veiled {
            VeiledForm::Cards(list) => self.cards(list),
            VeiledForm::Count(1) => "a card".into(),
            VeiledForm::Count(number) => format!("{number} cards").into(),
        }
    }

    /// A sentence; `None` where there is nothing to say.
    pub fn event(&self, event: &EventForm) -> Option<Text> {
        self.deal_event(event).or_else(|| self.play_event(event)).or_else(|| self.effect_event(event))
    }

    /// The deal and the end.
    fn deal_event(&self, event: &EventForm) -> Option<Text> {
        Some(match event {
            EventForm::DrewForDealer { seat, card } => {
                text![self.does(*seat, "draws ", "draw "), self.card(*card), " for the deal."]
            }
            EventForm::DealerChosen { seat } => text![self.does(*seat, "deals.", "deal.")],
            EventForm::Dealt { seat, cards } => {
                text![self.does(*seat, "is dealt ", "are dealt "), self.veiled(cards), "."]
            }
            EventForm::DealtAgain {} => "There is no start card: the cards are dealt again.".into(),
            EventForm::TurnedUp { card, turned } => {
                let fate = match turned {
                    Turned::Start => "The start card is ",
                    Turned::Ignored => "Turned up and ignored: ",
                    Turned::Returned => "Turned up and put back into the pile: ",
                };
                text![fate, self.card(*card), "."]
            }
            EventForm::WentOut { seat } => text![self.does(*seat, "goes out.", "go out.")],
            EventForm::RoundBlocked {} => "Nobody can go on: the round is blocked.".into(),
            EventForm::RoundScored { winner, points } => self.scored(*winner, points).into(),
            EventForm::MatchWon { winners } => Text::strong(self.won(winners)),
            _ => return None,
        })
    }

    fn won(&self, winners: &[Seat]) -> String {
        match winners {
            [only] => self.does(*only, "wins the match.", "win the match."),
            _ => {
                let names: Vec<String> = winners.iter().map(|seat| self.subject(*seat)).collect();
                format!("{} share the match.", listed(&names))
            }
        }
    }

    fn scored(&self, winner: Option<Seat>, points: &[u32]) -> String {
        let result = match winner {
            Some(seat) => self.does(seat, "wins the round", "win the round"),
            None => "Nobody wins the round".to_owned(),
        };
        let scored = (0..)
            .zip(points)
            .filter(|(_, points)| **points > 0)
            .map(|(seat, points)| format!("{} {} {points}", self.object(seat), self.verb(seat, "scores", "score")));
        let scored: Vec<String> = scored.collect();
        let alone =
            winner.and_then(|seat| points.get(usize::from(seat))).filter(|points| **points > 0 && scored.len() == 1);
        match (alone, winner) {
            (Some(points), Some(seat)) => format!("{result} and {} {points}.", self.verb(seat, "scores", "score")),
            _ if scored.is_empty() => format!("{result}."),
            _ => format!("{result}: {}.", scored.join(", ")),
        }
    }

    /// What players do.
    fn play_event(&self, event: &EventForm) -> Option<Text> {
        Some(match event {
            EventForm::Played { seat, card, color, discarded, jumped_in } => {
                let (she, you) = if *jumped_in { ("jumps in with ", "jump in with ") } else { ("plays ", "play ") };
                text![self.does(*seat, she, you), self.played(*seat, *card, *color, discarded), "."]
            }
            EventForm::Drew { seat, reason, cards } => self.drew(*seat, *reason, cards),
            EventForm::Kept { seat } => text![self.does(*seat, "keeps it.", "keep it.")],
            EventForm::ColorCalled { seat, color } => text![self.does(*seat, "calls ", "call "), *color, "."],
            EventForm::Challenged { seat, challenged, guilty } => {
                let outcome = if *guilty { ", rightly: it was a bluff." } else { ", wrongly: it was not a bluff." };
                text![self.does(*seat, "challenges ", "challenge "), self.object(*challenged), outcome]
            }
            EventForm::HandShown { seat, to, hand } => {
                let shows = self.does(*seat, "shows", "show");
                text![format!("{shows} {} the hand: ", self.object(*to)), self.veiled(hand), "."]
            }
            EventForm::Blocked { seat, color } => {
                let (she, you) = ("blocks with Flitterific! and calls ", "block with Flitterific! and call ");
                text![self.does(*seat, she, you), *color, "."]
            }
            EventForm::UnoCalled { seat } => text![self.does(*seat, "calls ", "call "), Text::strong("UNO!")],
            EventForm::Caught { seat, by } => {
                format!("{} {} without UNO.", self.does(*by, "catches", "catch"), self.object(*seat)).into()
            }
            EventForm::Penalized { seat } => format!("The referee penalizes {}.", self.object(*seat)).into(),
            EventForm::Discarded { seat, cards } => {
                text![self.does(*seat, "discards ", "discard "), self.cards(cards), "."]
            }
            EventForm::Voted { seat, yes } => {
                format!("{} {}.", self.does(*seat, "votes", "vote"), if *yes { "yes" } else { "no" }).into()
            }
            EventForm::DareAnswered { seat, accept: true } => {
                text![self.does(*seat, "accepts the dare.", "accept the dare.")]
            }
            EventForm::DareAnswered { seat, accept: false } => {
                text![self.does(*seat, "refuses the dare.", "refuse the dare.")]
            }
            _ => return None,
        })
    }

    fn played(&self, seat: Seat, card: CardName, color: Option<ColorName>, discarded: &[CardName]) -> Text {
        let mut text = self.card(card);
        if !discarded.is_empty() {
            text.push(text![" with ", self.cards(discarded)]);
        }
        if let Some(color) = color {
            text.push(text![self.verb(seat, " and calls ", " and call "), color]);
        }
        text
    }

    fn drew(&self, seat: Seat, reason: DrawReason, cards: &VeiledForm) -> Text {
        let why = match reason {
            DrawReason::Turn | DrawReason::Effect => ".",
            DrawReason::Attack => " for the attack.",
            DrawReason::Challenge => " for the challenge.",
            DrawReason::Caught => " for being caught.",
            DrawReason::Suggestion => " for a suggestion.",
            DrawReason::Start => " for the start card.",
        };
        let none = matches!(cards, VeiledForm::Count(0)) || matches!(cards, VeiledForm::Cards(list) if list.is_empty());
        match none {
            true => text![self.does(seat, "finds no card to draw", "find no card to draw"), why],
            false => text![self.does(seat, "draws ", "draw "), self.veiled(cards), why],
        }
    }

    /// What cards cause.
    fn effect_event(&self, event: &EventForm) -> Option<Text> {
        let sentence = match event {
            EventForm::Received { seat, cards } => {
                return Some(text![self.does(*seat, "now holds ", "now hold "), self.veiled(cards), "."]);
            }
            EventForm::Reshuffled { count: cards } => {
                format!("The discard pile is shuffled: {} to draw.", count((*cards).into(), "card"))
            }
            EventForm::Skipped { seat } => self.does(*seat, "loses a turn.", "lose a turn."),
            EventForm::Reversed { direction } => format!("Play turns to the {}.", side(*direction)),
            EventForm::HandsSwapped { seat, with } => {
                format!("{} and {} swap hands.", self.subject(*seat), self.object(*with))
            }
            EventForm::HandsPassed { direction } => format!("All hands go to the {}.", side(*direction)),
            EventForm::HandsShuffled { seat } => {
                let (she, you) = ("shuffles all hands and deals them again.", "shuffle all hands and deal them again.");
                self.does(*seat, she, you)
            }
            EventForm::MustDrawMore { seat, count } => {
                format!("If stuck, {} {} {count}.", self.object(*seat), self.verb(*seat, "draws", "draw"))
            }
            EventForm::ExtraTurn { seat } => self.does(*seat, "goes again.", "go again."),
            EventForm::FacedUp { seat, until } => {
                let until = if self.me == Some(*until) { "your".to_owned() } else { self.whose(*until) };
                format!("{} hand lies open until {until} turn.", self.whose(*seat))
            }
            EventForm::BannerRaised { seat, text } => format!("A note on {}: {}", self.object(*seat), quoted(text)),
            EventForm::PerformanceBegan { seat, prompt } => {
                format!("{}: {}", self.does(*seat, "performs", "perform"), quoted(prompt))
            }
            EventForm::PerformanceEnded { success: true, .. } => "The performance is a success.".to_owned(),
            EventForm::PerformanceEnded { success: false, .. } => "The performance fails.".to_owned(),
            EventForm::Dared { seat, prompt } => {
                format!("{}: {}", self.does(*seat, "is dared", "are dared"), quoted(prompt))
            }
            _ => return None,
        };
        Some(sentence.into())
    }
}

/// A card, with what is written on it if it is a Customizable one.
pub(crate) fn titled(card: CardName, title: Option<String>) -> Text {
    match title {
        Some(title) => text![card, format!(" ({title})")],
        None => card.into(),
    }
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
        Away::NoPart => format!("{name} did not open their part of the deal; a bot plays this round."),
    }
}

/// An award, and what it is for.
pub(crate) fn award(award: Award, name: &str) -> String {
    let (cards, times) = (|| count(award.count as usize, "card"), || times(award.count));
    let (title, deed) = match award.kind {
        AwardKind::Bluffs => ("Poker face", format!("bluffed {}, and nobody noticed", times())),
        AwardKind::Exposed => ("Lie detector", format!("called a bluff {}", times())),
        AwardKind::HandedOut => ("Most generous", format!("made others draw {}", cards())),
        AwardKind::Catches => ("Hawk eye", format!("caught a forgotten UNO {}", times())),
        AwardKind::BiggestHand => ("Full house", format!("held {} at once", cards())),
        AwardKind::Drawn => ("Collector", format!("drew {}", cards())),
        AwardKind::Caught => ("Dreamer", format!("forgot UNO {}", times())),
        AwardKind::Blocks => ("Shield bearer", format!("blocked an attack {}", times())),
        AwardKind::Skipped => ("Patience of a saint", format!("lost a turn {}", times())),
        AwardKind::Unos => ("UNO, UNO, UNO", format!("called UNO {}", times())),
    };
    format!("{title}: {name} {deed}.")
}

fn times(number: u32) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
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
    use strum::VariantNames as _;

    use super::*;

    fn told(event: &serde_json::Value, me: Option<Seat>) -> String {
        let name = |seat: Seat| ["Ann", "Bob"][usize::from(seat)].to_owned();
        let event: EventForm = serde_json::from_value(event.clone()).unwrap();
        let event = Teller { name: &name, me, title: &|_| None }.event(&event);
        event.map(|text| text.to_string()).unwrap_or_default()
    }

    #[test]
    fn the_reader_is_called_you() {
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
                "Ann wins the round and scores 31.",
                "You win the round and score 31.",
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
    fn every_event_has_a_sentence_but_the_turn() {
        let fields = serde_json::json!({
            "seat": 0, "card": "R7", "turned": "start", "reason": "turn", "cards": ["R7"], "color": "blue", "count": 2,
            "direction": "left", "challenged": 1, "guilty": true, "to": 1, "by": 1, "with": 1,
            "until": 1, "text": "Hm", "prompt": "Sing", "yes": true, "success": true, "accept": true, "winner": 0,
            "points": [1, 0], "winners": [0],
        });
        for name in EventForm::VARIANTS {
            let mut event = fields.clone();
            event["type"] = (*name).into();
            assert_eq!(told(&event, None).is_empty(), *name == "turn_came", "{name}");
        }
    }

    #[test]
    fn texts_of_others_do_not_command_the_terminal() {
        assert_eq!(quoted("a\u{1b}[31m\nb"), "\"a[31m b\"");
        let event = serde_json::json!({"type": "dared", "seat": 1, "prompt": "\u{1b}]0;x\u{7}"});
        assert!(!told(&event, None).contains(|c: char| c.is_control()));
    }
}
