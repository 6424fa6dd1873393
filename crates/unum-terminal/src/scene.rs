//! Parts of messages for tests, as a table would send them.

use serde_json::{Value, json};
use unum_protocol::{RulesView, ServerMsg, Settings, Terms};
use unum_rules::{Rules, RulesSpec};

use crate::game::Event;

/// A message as an event.
pub(crate) fn told(message: Value) -> Event {
    let message: ServerMsg = serde_json::from_value(message).unwrap();
    Event::Message(Box::new(message))
}

/// What is agreed on at a private table without a clock.
pub(crate) fn terms(agreement: u32, rules: &Value) -> Terms {
    let rules: RulesSpec = serde_json::from_value(rules.clone()).unwrap();
    let settings = Settings { rules: rules.clone(), clock: None, ..Settings::default() };
    Terms { agreement, settings, rules: RulesView::new(&Rules::new(rules).unwrap()), preset: None }
}

/// A fair deal.
pub(crate) fn fair() -> Value {
    json!({ "next": "00".repeat(32), "attempt": 1 })
}

/// Actions as choices of somebody with `hand` cards; where a Wild Draw Four is among them, it is a bluff or not.
pub(crate) fn choices(actions: &Value, hand: usize, bluff: bool) -> Value {
    let choice = |action: &Value| {
        let gone = match action["type"].as_str() {
            Some("play") => 1 + action["discard"].as_array().map_or(0, Vec::len),
            Some("block") => 1,
            Some("discard") => action["cards"].as_array().map_or(usize::MAX - 1, Vec::len),
            _ => usize::MAX - 1,
        };
        let attack = action["type"] == "take" || action["type"] == "challenge";
        let (draws, wins) = match action["type"].as_str() {
            Some("challenge") => (Some(6), Some(4)),
            _ => (attack.then_some(4), None),
        };
        json!({
            "action": action, "uno": hand == gone + 1, "bluff": bluff && action["card"] == "W+4",
            "draws": draws, "wins": wins,
        })
    };
    actions.as_array().unwrap().iter().map(choice).collect()
}
