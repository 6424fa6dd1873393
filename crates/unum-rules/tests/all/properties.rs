//! What holds in every game: random tables, random play, checked step by step.
//!
//! `UNUM_TEST_SEED` varies the games, `UNUM_TEST_ROUNDS` their number (by default 100,000 rounds in all
//! editions together).

mod positions;
mod universe;
mod views;
mod walk;

use serde_json::from_str;
use unum_rules::{Action, Edition, Position, Rules, Seeded};

use crate::tables::random_table;
use walk::Walk;

fn setting(name: &str, default: u64) -> u64 {
    let value = std::env::var(name).ok();
    value.map_or(default, |value| value.parse().unwrap_or_else(|_| panic!("{name} is a number, not {value:?}")))
}

/// Plays a share of all rounds at random tables, and calls `check` after every step.
fn play(edition: Edition, share: u64, mut check: impl FnMut(&Walk, &mut Seeded)) -> u64 {
    let (seed, rounds) = (setting("UNUM_TEST_SEED", 1), setting("UNUM_TEST_ROUNDS", 100_000) / share);
    let (mut played, mut given_up) = (0, 0);
    for game in 0.. {
        if played >= rounds {
            break;
        }
        let mut rng = Seeded::new(seed.wrapping_mul(1 << 32).wrapping_add(game));
        let mut walk = Walk::start(random_table(edition, &mut rng), rng.clone());
        played += walk.finish(&mut |walk| check(walk, &mut rng));
        given_up += u64::from(!walk.round().is_over());
    }
    assert!(given_up * 50 <= played, "random play hardly ends: {given_up} rounds of {played} given up");
    played
}

/// Everything that is checked at every step, or often enough.
fn check_rounds(edition: Edition) {
    let mut step = 0;
    let played = play(edition, 5, |walk, rng| {
        step += 1;
        walk.check_cards();
        if step % 4 == 0 {
            universe::check_listed(walk, rng);
        } else {
            universe::check_one_listed(walk, rng);
        }
        if step % 64 == 0 {
            universe::check_all(walk, rng);
        }
    });
    println!("{edition}: {played} rounds, {step} steps");
}

#[test]
fn original_rounds_keep_every_promise() {
    check_rounds(Edition::Original);
}

#[test]
fn fairies_rounds_keep_every_promise() {
    check_rounds(Edition::Fairies);
}

#[test]
fn frozen_rounds_keep_every_promise() {
    check_rounds(Edition::Frozen);
}

#[test]
fn custom_rounds_keep_every_promise() {
    check_rounds(Edition::Custom);
}

#[test]
fn modern_rounds_keep_every_promise() {
    check_rounds(Edition::Modern);
}

#[test]
fn every_state_that_can_be_a_position_reads_back_as_itself() {
    for edition in Edition::ALL {
        play(edition, 100, |walk, rng| {
            if walk.steps().is_multiple_of(8) {
                positions::check_reads_back(walk, rng);
                positions::check_line(walk);
            }
        });
    }
}

/// X1: cards drawn as a penalty can make the drawn Wild Draw Four one that must not be played.
#[test]
fn a_state_reads_back_after_a_penalty_has_spoiled_the_drawn_card() {
    let rules = r#"{"edition":"original","house":{"no_bluffing":true}}"#;
    let position = r#"{"top":"R7","hands":[["B1","B2"],["G3","G4"]],"draw_pile":["W+4","R1","R2","R3","R4"]}"#;
    let rules = Rules::new(from_str(rules).expect("rules")).expect("rules");
    let position: Position = from_str(position).expect("a position");
    let mut game = position.into_match(rules.clone(), Seeded::new(1)).expect("a position");
    game.apply(1, &Action::Draw, &mut ()).expect("it is seat 1's turn");
    game.penalize(1, &mut ()).expect("seat 1 suggested a play");
    assert_eq!(game.round().legal_actions(&rules, 1), [Action::Keep]);
    let state = Position::of(&game);
    let resumed = state.clone().into_match(rules, Seeded::new(1)).expect("a state is a position");
    assert_eq!(Position::of(&resumed), state);
}

#[test]
fn two_states_alike_to_a_viewer_look_and_go_on_alike() {
    for edition in Edition::ALL {
        play(edition, 100, |walk, rng| {
            if walk.steps().is_multiple_of(8) {
                views::check_hidden_cards_do_not_show(walk, rng);
            }
        });
    }
}
