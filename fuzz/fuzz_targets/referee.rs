//! Lines of anything for the referee.
//!
//! Every reply is one line of JSON that says `ok` or not; an error changes nothing; cards neither appear
//! nor vanish; and after every change the match is sound.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use unum_fuzz::{cards, check, deck};
use unum_rules::referee::Referee;
use unum_rules::{KINDS, Match, Position};

/// Lines beyond this number are left unread, to keep runs short.
const MOST_LINES: usize = 100;

fuzz_target!(|data: &[u8]| {
    let mut referee = Referee::default();
    for line in data.split(|byte| *byte == b'\n').take(MOST_LINES) {
        feed(&mut referee, line);
    }
});

fn feed(referee: &mut Referee, line: &[u8]) {
    let before = referee.game().cloned();
    if answer(referee, line) {
        accepted(referee, line, before.as_ref());
    } else {
        let states = [before.as_ref(), referee.game()].map(|game| game.map(Position::of));
        assert_eq!(states[0], states[1], "an error has changed the state");
    }
}

/// Whether the referee accepts the line.
fn answer(referee: &mut Referee, line: &[u8]) -> bool {
    let reply = referee.answer(line);
    assert!(!reply.contains('\n'), "a reply is one line");
    let reply: Value = serde_json::from_str(&reply).expect("a reply is JSON");
    let ok = reply["ok"].as_bool().expect("a reply says whether it is ok");
    assert!(ok || reply["error"]["code"].is_string() && reply["error"]["message"].is_string());
    ok
}

fn accepted(referee: &mut Referee, line: &[u8], before: Option<&Match>) {
    let request: Value = serde_json::from_slice(line).expect("an accepted request is JSON");
    let game = referee.game().expect("an accepted request has a match");
    check(game);
    if let Some(expected) = expected_cards(&request["op"], game, before) {
        assert_eq!(cards(game.round()), expected, "cards have appeared or vanished");
    }
    assert!(answer(referee, br#"{"op":"legal"}"#));
    assert!(answer(referee, br#"{"op":"view","seat":0}"#));
    assert!(answer(referee, br#"{"op":"view","seat":null}"#));
}

/// The cards there must be after a request; nothing is known of a position given.
fn expected_cards(op: &Value, game: &Match, before: Option<&Match>) -> Option<[u8; KINDS]> {
    match op.as_str() {
        Some("new" | "next_round") => Some(deck(game.rules())),
        Some("set") => None,
        _ => before.map(|before| cards(before.round())),
    }
}
