//! Searches everything a viewer is sent for what they may not know.
//!
//! Every place in a message where a card can be is known here, with who may see it there. A card in another place is a
//! leak until somebody has thought about it.

use serde_json::{Map, Value};
use unum_rules::CardName;

/// The fields that cards can be in; the functions below look at what is in them, where it matters who sees it. A card
/// anywhere else is a leak.
const CARD_FIELDS: [&str; 10] =
    ["card", "cards", "top", "hand", "discard_pile", "discard", "discarded", "shown", "deck", "custom"];
/// The fields that people write into.
const FREE_TEXTS: [&str; 6] = ["name", "title", "text", "prompt", "message", "table"];

/// Events in which cards are shown to their seat alone.
const PRIVATE: &[&str] = &["dealt", "drew", "received"];

/// One viewer, and what they know about themselves.
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    you: Option<u64>,
    seat: Option<u64>,
    /// A hand that a challenge has shown to this viewer: until the next move.
    challenged: Option<u64>,
    /// How many messages were looked at.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How many cards were found, all of them where they may be.
    pub cards: u64,
}

impl Scanner {
    /// Adds what another one has looked at.
    pub fn merge(&mut self, other: &Scanner) {
        self.messages += other.messages;
        self.bytes += other.bytes;
        self.cards += other.cards;
    }

    /// Looks at a message as it is sent.
    ///
    /// # Errors
    /// With what is in it that the viewer may not know.
    pub fn scan(&mut self, text: &str) -> Result<(), String> {
        self.messages += 1;
        self.bytes += text.len() as u64;
        let message: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let (you, seat) = (self.you, self.seat);
        let checked = cards_in_place(&message, false).and_then(|()| self.check(&message));
        checked.map_err(|what| format!("{what}, told to person {you:?} in seat {seat:?}: {text}"))
    }

    fn check(&mut self, message: &Value) -> Result<(), String> {
        self.you = message["you"].as_u64().or(self.you);
        if message["what"]["type"] == "acted" || message["type"] == "snapshot" {
            self.challenged = None;
        }
        let gone = ["stood", "left", "kicked"].iter().any(|kind| message["what"]["type"] == *kind);
        if gone && message["what"]["person"].as_u64() == self.you {
            self.seat = None;
        }
        if let Some(chairs) = message["lobby"]["chairs"].as_array() {
            let place =
                chairs.iter().position(|chair| chair["person"].is_u64() && chair["person"].as_u64() == self.you);
            self.seat = place.map(|seat| seat as u64);
        }
        let stage = &message["lobby"]["stage"];
        if message["lobby"]["fair"].get("revealed").is_some() && *stage != "scores" && *stage != "over" {
            return Err("the secret of a round that is played".to_owned());
        }
        for event in message["events"].as_array().into_iter().flatten() {
            self.event(event)?;
        }
        match message.get("game") {
            Some(game) => self.game(game, message["type"] == "snapshot"),
            None => Ok(()),
        }
    }

    fn event(&mut self, event: &Value) -> Result<(), String> {
        let (kind, seat) = (event["type"].as_str().unwrap_or_default(), event["seat"].as_u64());
        let Some(cards) = event.get("cards") else { return Ok(()) };
        self.cards += cards.as_array().map_or(0, Vec::len) as u64;
        let allowed = match kind {
            kind if PRIVATE.contains(&kind) => seat == self.seat && seat.is_some(),
            "hand_shown" => {
                let shown = event["to"].as_u64() == self.seat || seat == self.seat;
                self.challenged = seat.filter(|_| shown);
                shown && self.seat.is_some()
            }
            "discarded" => true,
            _ => false,
        };
        if allowed { Ok(()) } else { Err(format!("the cards of {event}")) }
    }

    fn game(&mut self, game: &Value, whole: bool) -> Result<(), String> {
        let view = &game["view"];
        let over = ["round_over", "match_over"].iter().any(|phase| view["phase"]["type"] == *phase);
        if view.get("hand").is_some() != self.seat.is_some() {
            return Err("a hand without a seat, or none with one".to_owned());
        }
        if self.seat.is_none() && game["legal"].as_array().is_none_or(|legal| !legal.is_empty()) {
            return Err("choices for an onlooker".to_owned());
        }
        phase(&view["phase"], self.seat)?;
        self.shown(view, over, whole)?;
        self.cards += view["hand"].as_array().map_or(0, Vec::len) as u64;
        own_choices(game)
    }

    /// Open hands: all when the round is over, those that lie face up, and what a challenge has just shown. A
    /// challenger who comes back sees it again, in the snapshot.
    fn shown(&mut self, view: &Value, over: bool, whole: bool) -> Result<(), String> {
        let open = |seat: u64| view["face_up"].as_array().is_some_and(|list| list.iter().any(|up| up["seat"] == seat));
        for (seat, hand) in view["shown"].as_object().unwrap_or(&Map::new()) {
            let seat: u64 = seat.parse().map_err(|_| format!("a seat {seat}"))?;
            self.cards += hand.as_array().map_or(0, Vec::len) as u64;
            let challenged = self.challenged == Some(seat) || whole && self.seat.is_some();
            if Some(seat) == self.seat || !(over || open(seat) || challenged) {
                return Err(format!("the hand of seat {seat}"));
            }
        }
        Ok(())
    }
}

/// Drawn cards are their seat's own, and nobody is told of a bluff.
fn phase(phase: &Value, seat: Option<u64>) -> Result<(), String> {
    let drawn = phase["type"] == "drawn" && phase.get("cards").is_some();
    if drawn && phase["seat"].as_u64() != seat || phase.get("bluff").is_some() {
        return Err(format!("the phase {phase}"));
    }
    Ok(())
}

/// What one may play is in one's hand.
fn own_choices(game: &Value) -> Result<(), String> {
    let hand: Vec<&Value> = game["view"]["hand"].as_array().into_iter().flatten().collect();
    for action in game["legal"].as_array().into_iter().flatten().map(|choice| &choice["action"]) {
        let lists = [&action["cards"], &action["discard"]].into_iter().filter_map(Value::as_array).flatten();
        let mut named = lists.chain(action.get("card"));
        if let Some(card) = named.find(|card| !hand.contains(card)) {
            return Err(format!("a choice of {card}, which is not in the hand"));
        }
    }
    Ok(())
}

/// Whether every card is in a field where cards can be.
fn cards_in_place(value: &Value, allowed: bool) -> Result<(), String> {
    match value {
        Value::Object(object) => object.iter().try_for_each(|(name, value)| {
            let free = FREE_TEXTS.contains(&name.as_str());
            cards_in_place(value, free || allowed || CARD_FIELDS.contains(&name.as_str()))
                .map_err(|what| format!("{what} in {name}"))
        }),
        Value::Array(list) => list.iter().try_for_each(|value| cards_in_place(value, allowed)),
        Value::String(text) if !allowed && CardName::parse(text).is_some() => Err(format!("the card {text}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scanner() -> Scanner {
        Scanner { you: Some(1), seat: Some(0), ..Scanner::default() }
    }

    #[test]
    fn a_leak_is_found_wherever_it_is() {
        let game = |view: &str| {
            format!(r#"{{"type":"update","seq":9,"what":{{"type":"acted"}},"game":{{"legal":[],"view":{view}}}}}"#)
        };
        let hand = r#""hand":["R1"],"shown":{}"#;
        for leak in [
            r#"{"type":"update","events":[{"type":"drew","seat":1,"reason":"turn","cards":["R7"]}]}"#.to_owned(),
            r#"{"type":"update","events":[{"type":"hand_shown","seat":1,"to":2,"cards":["R7"]}]}"#.to_owned(),
            r#"{"type":"update","draw_pile":["R7"]}"#.to_owned(),
            game(r#"{"phase":{"type":"turn","seat":0},"hand":["R1"],"shown":{"1":["R7"]}}"#),
            game(&format!(r#"{{"phase":{{"type":"drawn","seat":1,"cards":["R7"]}},{hand}}}"#)),
            game(&format!(r#"{{"phase":{{"type":"respond","seat":1,"by":0,"cards":4,"bluff":true}},{hand}}}"#)),
            game(r#"{"phase":{"type":"turn","seat":0},"shown":{}}"#),
            r#"{"type":"update","lobby":{"stage":"playing","fair":{"revealed":{}}}}"#.to_owned(),
            game(&format!(r#"{{"phase":{{"type":"turn","seat":0}},{hand}}}"#))
                .replace(r#""legal":[]"#, r#""legal":[{"action":{"type":"play","card":"R7"}}]"#),
        ] {
            assert!(scanner().scan(&leak).is_err(), "{leak}");
        }
    }

    #[test]
    fn what_one_may_know_is_no_leak() {
        let text = r#"{"type":"update","seq":9,"what":{"type":"acted"},"events":[{"type":"drew","seat":0,"reason":"turn","cards":["R7"]},
            {"type":"drew","seat":1,"reason":"turn","count":1},{"type":"hand_shown","seat":2,"to":0,"cards":["R7"]}],
            "game":{"legal":[{"action":{"type":"play","card":"R7"}}],"view":{"phase":{"type":"drawn","seat":0,"cards":["R7"]},"hand":["R7"],"shown":{"2":["R7"]}}}}"#;
        let mut scanner = scanner();
        scanner.scan(text).unwrap();
        assert_eq!(scanner.cards, 4);
    }
}
