//! Rules that players write on Customizable cards (C1–C5): the effect vocabulary and the ten starters.

use serde::{Deserialize, Serialize};

use crate::card::Color;
use crate::hand::CardSet;
use crate::rules::{MAX_CARDS, RulesError};

/// Most effects one rule may have, nested ones included.
pub const MAX_EFFECTS: usize = 20;
/// How many lists deep effects may nest; the rule's own list is the first.
pub const MAX_DEPTH: usize = 3;
/// Longest title, in characters.
pub const MAX_TITLE: usize = 60;
/// Longest text or prompt, in characters.
pub const MAX_TEXT: usize = 300;

/// What is written on a Customizable card.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct CustomRule {
    /// A short name.
    pub title: String,
    /// The rule in words.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// What the card does, in order. Without effects the rule is left to the players' honor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<Effect>,
}

/// Who is affected, in order of play, starting after the player of the card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", remote = "Self")]
pub enum Who {
    /// The neighbor in the direction of play.
    Next,
    /// The player of the card.
    #[serde(rename = "self")]
    Player,
    /// Everybody else.
    Others,
    /// Everybody else, then the player of the card.
    All,
}

/// The only valid `who` for an effect that always concerns the next player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", remote = "Self")]
#[allow(missing_docs)]
pub enum NextPlayer {
    #[default]
    Next,
}

/// The color that ends a [`Effect::DrawUntilColor`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
#[allow(missing_docs)]
pub enum UntilColor {
    Red,
    Yellow,
    Green,
    Blue,
    /// The color just called.
    Called,
}

/// Which cards a [`Effect::DiscardAll`] takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase", remote = "Self")]
#[allow(missing_docs)]
pub enum Matching {
    Wild,
    Action,
    Number,
    Red,
    Yellow,
    Green,
    Blue,
}

/// How long a banner stays up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", remote = "Self")]
pub enum Until {
    /// Until somebody calls "UNO".
    Uno,
    /// Until the turn comes to the player of the card.
    NextTurn,
}

/// One thing a Customizable card does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields, remote = "Self")]
#[allow(missing_docs)]
pub enum Effect {
    /// They draw cards.
    Draw { who: Who, count: u8 },
    /// They draw until a card of the color comes.
    DrawUntilColor { who: Who, color: UntilColor },
    /// They discard every matching card.
    DiscardAll {
        who: Who,
        #[serde(rename = "match")]
        matching: Matching,
    },
    /// They draw or discard (by choice) until they hold exactly that many.
    Level { who: Who, to: u8 },
    /// They discard by choice down to that many.
    DiscardDown { who: Who, to: u8 },
    /// If they have nothing to play in their next turn, they draw that many instead of one.
    DrawMore { who: NextPlayer, count: u8 },
    /// The player goes again.
    ExtraTurn {},
    /// The next player loses the turn.
    Skip {},
    /// The direction changes.
    Reverse {},
    /// Their hands lie face up until the turn comes to the player of the card.
    Reveal { who: Who },
    /// The player performs, the others vote.
    Perform {
        prompt: String,
        #[serde(default)]
        success: Vec<Effect>,
        #[serde(default)]
        failure: Vec<Effect>,
    },
    /// The next player accepts a dare or refuses it.
    Dare {
        who: NextPlayer,
        prompt: String,
        #[serde(default)]
        refuse: Vec<Effect>,
    },
    /// A visible note on their seats.
    Banner { who: Who, text: String, until: Until },
}

objects_only!(CustomRule, Effect);
words_only!(Who, NextPlayer, UntilColor, Matching, Until);

impl CustomRule {
    /// Number 1–10 of the sheet's thought starters, in our own words.
    pub fn starter(number: usize) -> Option<CustomRule> {
        let (title, text, effects) = starter(number)?;
        Some(CustomRule { title: title.to_owned(), text: text.to_owned(), effects })
    }

    /// All ten starters.
    pub fn starters() -> impl Iterator<Item = CustomRule> {
        (1..).map_while(CustomRule::starter)
    }

    /// Checks the bounds of the vocabulary; the error says what is wrong and what would be right.
    pub fn check(&self) -> Result<(), RulesError> {
        if self.title.trim().is_empty() {
            return Err(RulesError::NoTitle);
        }
        if self.title.chars().count() > MAX_TITLE {
            return Err(RulesError::LongTitle);
        }
        check_text(&self.text)?;
        let mut effects = 0;
        check_list(&self.effects, 1, &mut effects)
    }
}

fn check_text(text: &str) -> Result<(), RulesError> {
    match text.chars().count() {
        0..=MAX_TEXT => Ok(()),
        given => Err(RulesError::LongText { given }),
    }
}

fn check_list(list: &[Effect], depth: usize, effects: &mut usize) -> Result<(), RulesError> {
    if depth > MAX_DEPTH && !list.is_empty() {
        return Err(RulesError::TooDeep);
    }
    list.iter().try_for_each(|effect| check_effect(effect, depth, effects))
}

fn check_effect(effect: &Effect, depth: usize, effects: &mut usize) -> Result<(), RulesError> {
    *effects += 1;
    if *effects > MAX_EFFECTS {
        return Err(RulesError::TooManyEffects);
    }
    match effect {
        Effect::Draw { count, .. } | Effect::DrawMore { count, .. } => check_number("count", *count),
        Effect::Level { to, .. } | Effect::DiscardDown { to, .. } => check_number("to", *to),
        Effect::Banner { text, .. } => check_text(text),
        Effect::Perform { prompt, success, failure } => {
            check_text(prompt)?;
            check_list(success, depth + 1, effects)?;
            check_list(failure, depth + 1, effects)
        }
        Effect::Dare { prompt, refuse, .. } => {
            check_text(prompt)?;
            check_list(refuse, depth + 1, effects)
        }
        Effect::DrawUntilColor { .. }
        | Effect::DiscardAll { .. }
        | Effect::ExtraTurn {}
        | Effect::Skip {}
        | Effect::Reverse {}
        | Effect::Reveal { .. } => Ok(()),
    }
}

fn check_number(field: &'static str, number: u8) -> Result<(), RulesError> {
    match number {
        1..=MAX_CARDS => Ok(()),
        given => Err(RulesError::OutOfRange { field, least: 1, given }),
    }
}

fn starter(number: usize) -> Option<(&'static str, &'static str, Vec<Effect>)> {
    let next = NextPlayer::Next;
    Some(match number {
        1 => (
            "Keep digging",
            "The next player keeps drawing until a card of the color you called turns up.",
            vec![Effect::DrawUntilColor { who: Who::Next, color: UntilColor::Called }],
        ),
        2 => (
            "Tame the table",
            "All the others throw away every wild card they hold.",
            vec![Effect::DiscardAll { who: Who::Others, matching: Matching::Wild }],
        ),
        3 => (
            "Stuck means three",
            "If the next player has nothing to play, drawing costs three cards instead of one.",
            vec![Effect::DrawMore { who: next, count: 3 }],
        ),
        4 => ("Once more", "You play again right away.", vec![Effect::ExtraTurn {}]),
        5 => (
            "Back to seven",
            "The next player draws or discards to hold seven cards.",
            vec![Effect::Level { who: Who::Next, to: 7 }],
        ),
        6 => (
            "Three for all",
            "Every hand becomes three cards, by drawing or by discarding.",
            vec![Effect::Level { who: Who::All, to: 3 }],
        ),
        7 => (
            "Cards on the table",
            "All hands lie open until it is your turn again.",
            vec![Effect::Reveal { who: Who::All }],
        ),
        8 => (
            "Stand-up",
            "Make the table laugh and you keep a single card; fall flat and you draw four.",
            vec![Effect::Perform {
                prompt: "Tell the table your best joke. Did it get a laugh?".to_owned(),
                success: vec![Effect::DiscardDown { who: Who::Player, to: 1 }],
                failure: vec![Effect::Draw { who: Who::Player, count: 4 }],
            }],
        ),
        9 => (
            "Stiff arms",
            "The next player keeps both elbows straight until the next call of UNO.",
            vec![Effect::Banner {
                who: Who::Next,
                text: "Elbows straight until somebody calls UNO".to_owned(),
                until: Until::Uno,
            }],
        ),
        10 => (
            "Cock-a-doodle",
            "The next player crows like a rooster, or backs out and draws four.",
            vec![Effect::Dare {
                who: next,
                prompt: "Crow like a rooster, as well as you can".to_owned(),
                refuse: vec![Effect::Draw { who: Who::Next, count: 4 }],
            }],
        ),
        _ => return None,
    })
}

/// The number of a text in [`Rules`](crate::Rules).
pub(crate) type TextId = u8;

/// One step of a compiled rule. Nested lists are laid out one after the other, with jumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Draw {
        who: Who,
        count: u8,
    },
    /// `None`: the color called.
    DrawUntilColor {
        who: Who,
        color: Option<Color>,
    },
    DiscardAll {
        who: Who,
        matching: CardSet,
    },
    Level {
        who: Who,
        to: u8,
    },
    DiscardDown {
        who: Who,
        to: u8,
    },
    DrawMore {
        count: u8,
    },
    ExtraTurn,
    Skip,
    Reverse,
    Reveal {
        who: Who,
    },
    /// Success goes on with the next step, failure at `failure`.
    Perform {
        prompt: TextId,
        failure: u8,
    },
    /// Refusing goes on with the next step, accepting at `accept`.
    Dare {
        prompt: TextId,
        accept: u8,
    },
    Banner {
        who: Who,
        text: TextId,
        until: Until,
    },
    Jump {
        to: u8,
    },
}

/// Lays the effects of a checked rule out as steps. Texts are handed to `intern`.
pub(crate) fn compile(effects: &[Effect], intern: &mut impl FnMut(&str) -> TextId) -> Vec<Op> {
    let mut program = Vec::new();
    compile_list(effects, intern, &mut program);
    program
}

fn compile_list(list: &[Effect], intern: &mut impl FnMut(&str) -> TextId, program: &mut Vec<Op>) {
    for effect in list {
        compile_effect(effect, intern, program);
    }
}

fn compile_effect(effect: &Effect, intern: &mut impl FnMut(&str) -> TextId, program: &mut Vec<Op>) {
    let op = match *effect {
        Effect::Draw { who, count } => Op::Draw { who, count },
        Effect::DrawUntilColor { who, color } => Op::DrawUntilColor { who, color: color.color() },
        Effect::DiscardAll { who, matching } => Op::DiscardAll { who, matching: matching.set() },
        Effect::Level { who, to } => Op::Level { who, to },
        Effect::DiscardDown { who, to } => Op::DiscardDown { who, to },
        Effect::DrawMore { who: NextPlayer::Next, count } => Op::DrawMore { count },
        Effect::ExtraTurn {} => Op::ExtraTurn,
        Effect::Skip {} => Op::Skip,
        Effect::Reverse {} => Op::Reverse,
        Effect::Reveal { who } => Op::Reveal { who },
        Effect::Banner { who, ref text, until } => Op::Banner { who, text: intern(text), until },
        Effect::Perform { ref prompt, ref success, ref failure } => {
            let prompt = intern(prompt);
            let perform = program.len();
            program.push(Op::Perform { prompt, failure: 0 });
            compile_list(success, intern, program);
            let jump = program.len();
            program.push(Op::Jump { to: 0 });
            program[perform] = Op::Perform { prompt, failure: program.len() as u8 };
            compile_list(failure, intern, program);
            program[jump] = Op::Jump { to: program.len() as u8 };
            return;
        }
        Effect::Dare { who: NextPlayer::Next, ref prompt, ref refuse } => {
            let prompt = intern(prompt);
            let dare = program.len();
            program.push(Op::Dare { prompt, accept: 0 });
            compile_list(refuse, intern, program);
            program[dare] = Op::Dare { prompt, accept: program.len() as u8 };
            return;
        }
    };
    program.push(op);
}

impl UntilColor {
    fn color(self) -> Option<Color> {
        match self {
            UntilColor::Red => Some(Color::Red),
            UntilColor::Yellow => Some(Color::Yellow),
            UntilColor::Green => Some(Color::Green),
            UntilColor::Blue => Some(Color::Blue),
            UntilColor::Called => None,
        }
    }
}

impl Matching {
    fn set(self) -> CardSet {
        match self {
            Matching::Wild => CardSet::WILDS,
            Matching::Action => CardSet::ACTIONS,
            Matching::Number => CardSet::NUMBERS,
            Matching::Red => CardSet::color(Color::Red),
            Matching::Yellow => CardSet::color(Color::Yellow),
            Matching::Green => CardSet::color(Color::Green),
            Matching::Blue => CardSet::color(Color::Blue),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ten_starters_are_within_the_bounds() {
        let starters: Vec<CustomRule> = CustomRule::starters().collect();
        assert_eq!(starters.len(), 10);
        for rule in starters {
            assert_eq!(rule.check(), Ok(()));
            let json = serde_json::to_string(&rule).unwrap();
            assert_eq!(serde_json::from_str::<CustomRule>(&json).unwrap(), rule);
        }
        assert_eq!(CustomRule::starter(0), None);
        assert_eq!(CustomRule::starter(11), None);
    }

    #[test]
    fn nested_lists_become_jumps() {
        let rule = CustomRule::starter(8).unwrap();
        let program = compile(&rule.effects, &mut |_| 5);
        assert_eq!(
            program,
            [
                Op::Perform { prompt: 5, failure: 3 },
                Op::DiscardDown { who: Who::Player, to: 1 },
                Op::Jump { to: 4 },
                Op::Draw { who: Who::Player, count: 4 },
            ]
        );
    }

    #[test]
    fn bounds_are_kept() {
        let rule = |effects: &str| -> Result<(), String> {
            let text = format!(r#"{{"title":"t","effects":{effects}}}"#);
            let rule: CustomRule = serde_json::from_str(&text).map_err(|e| e.to_string())?;
            rule.check().map_err(|e| e.to_string())
        };
        assert!(rule(r#"[{"do":"draw","who":"next","count":20}]"#).is_ok());
        assert!(rule(r#"[{"do":"draw","who":"next","count":21}]"#).is_err());
        assert!(rule(r#"[{"do":"draw","who":"next","count":0}]"#).is_err());
        assert!(rule(r#"[{"do":"draw","who":"next"}]"#).is_err());
        assert!(rule(r#"[{"do":"skip","who":"next"}]"#).is_err());
        assert!(rule(r#"[{"do":"draw_more","who":"all","count":2}]"#).is_err());
        let many = vec![r#"{"do":"skip"}"#; 21].join(",");
        assert!(rule(&format!("[{many}]")).is_err());
        let dare = |inner: &str| format!(r#"[{{"do":"dare","who":"next","prompt":"p","refuse":{inner}}}]"#);
        assert!(rule(&dare(&dare(r#"[{"do":"skip"}]"#))).is_ok());
        assert!(rule(&dare(&dare(&dare(r#"[{"do":"skip"}]"#)))).is_err());
    }
}
