//! What a bot behind pipes is told, one message a line: docs/bots-protocol.md. It answers with an action, or `null`.

use serde::{Deserialize, Serialize};
use unum_rules::wire::{ChoiceForm, EventForm, ViewForm};
use unum_rules::{RulesSpec, Seat};

/// The version of this protocol.
pub const PROTOCOL: u32 = 1;

/// One line to the bot. `act` and `react` are questions; the rest expects no answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Message {
    /// The first line.
    Hello {
        /// The version of this protocol.
        protocol: u32,
    },
    /// A round begins.
    Round {
        /// The bot's own seat.
        seat: Seat,
        /// How many play.
        players: u8,
        /// The rules, as they were chosen.
        rules: RulesSpec,
    },
    /// What happened since the last line, as the bot may see it.
    Events {
        /// In order.
        events: Vec<EventForm>,
    },
    /// The table waits for the bot.
    Act {
        /// The bot's own seat.
        seat: Seat,
        /// What it sees.
        view: Box<ViewForm>,
        /// What it can do.
        legal: Vec<ChoiceForm>,
    },
    /// The bot can act although the table does not wait for it.
    React {
        /// The bot's own seat.
        seat: Seat,
        /// What it sees.
        view: Box<ViewForm>,
        /// What it can do.
        legal: Vec<ChoiceForm>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The dialogue of the documentation: what goes to the bot, with broken lines joined, where nothing is left out.
    fn documented() -> Vec<String> {
        let document = include_str!("../../../docs/bots-protocol.md");
        let dialogue = document.split("```text\n> {").nth(1).and_then(|rest| rest.split("```").next());
        let joined = format!("> {{{}", dialogue.unwrap_or_default()).replace("\n  ", "");
        let told = joined.lines().filter_map(|line| line.strip_prefix("> "));
        told.filter(|line| !line.contains('…')).map(str::to_owned).collect()
    }

    #[test]
    fn the_documented_dialogue_is_read_and_written_alike() {
        let mut kinds = std::collections::HashSet::new();
        for line in documented() {
            let message: Message = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}"));
            let plain: serde_json::Value = serde_json::from_str(&line).unwrap();
            assert_eq!(serde_json::to_value(&message).unwrap(), plain);
            kinds.insert(std::mem::discriminant(&message));
        }
        assert_eq!(kinds.len(), 4, "hello, round, events and act are shown whole");
    }
}
