//! Anything as a position: first a byte that chooses the rules, then JSON or the notation in one line, up to the end of the line.
//!
//! A position that is accepted survives being written and read, and the rest of the input plays on from
//! it: every listed action applies, and the match stays sound.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unum_fuzz::{can_be_written, cards, check, check_round_trip, rules};
use unum_rules::playout::Casual;
use unum_rules::{Action, Match, Position, Rules, Seat, Seeded};

/// Actions beyond this number are not taken, to keep runs short.
const MOST_ACTIONS: usize = 100;

fuzz_target!(|data: &[u8]| {
    let Some((number, rest)) = data.split_first() else { return };
    let (json, choices) = match rest.iter().position(|byte| *byte == b'\n') {
        Some(end) => (&rest[..end], &rest[end + 1..]),
        None => (rest, &[][..]),
    };
    let Some(position) = std::str::from_utf8(json).ok().and_then(|text| Position::read(text).ok()) else { return };
    let rules = rules(*number);
    if let Ok(game) = position.into_match(rules.clone(), Seeded::new(7)) {
        play(game, &rules, choices);
    }
});

fn play(mut game: Match, rules: &Rules, choices: &[u8]) {
    check(&game);
    check_round_trip(&game, rules, Seeded::new(7));
    assert_eq!(Position::parse(&Position::line(&game)), Ok(Position::of(&game)), "a line reads back as another state");
    for choice in choices.iter().take(MOST_ACTIONS) {
        if game.round().is_over() {
            if game.next_round(&mut ()).is_err() {
                return;
            }
        } else {
            act(&mut game, *choice);
        }
        check(&game);
        if choice.is_multiple_of(8) && can_be_written(&game) {
            check_round_trip(&game, rules, Seeded::new(7));
        }
    }
}

/// Takes one of the listed actions; the cards stay the same.
fn act(game: &mut Match, choice: u8) {
    let before = cards(game.round());
    let (seat, action) = choose(game, choice);
    if choice.is_multiple_of(4) {
        try_with_uno(game, seat, &action);
    }
    game.apply(seat, &action, &mut ()).unwrap_or_else(|why| panic!("listed but refused: {seat} {action:?}: {why}"));
    assert_eq!(cards(game.round()), before, "cards have appeared or vanished");
}

fn choose(game: &Match, choice: u8) -> (Seat, Action) {
    let mut all = Vec::new();
    for seat in 0..game.players() {
        game.round().legal(game.rules(), seat, &mut |action| all.push((seat, *action)));
    }
    match all.len() {
        // A discard with too many choices to list.
        0 => Casual.choose(game.round(), game.rules(), &mut Seeded::new(choice.into())),
        listed => all[choice as usize * 7 % listed],
    }
}

/// Tries the action with "UNO" on a copy: either that is accepted, or refused without a trace.
fn try_with_uno(game: &Match, seat: Seat, action: &Action) {
    let mut copy = game.clone();
    match copy.apply(seat, &action.with_uno(), &mut ()) {
        Ok(()) => check(&copy),
        Err(_) => assert_eq!(Position::of(&copy), Position::of(game), "a refusal has changed the state"),
    }
}
