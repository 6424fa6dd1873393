//! Turns that run out of time, connections that are lost.

use unum_protocol::{Actor, Away, Request, Settings};
use unum_rules::Edition;
use unum_table::Fact;
use unum_table::sim::Trial;

use crate::people::{ADA, BEA, Script, first_choice, match_of, settings};

fn timed_out(trial: &Trial) -> usize {
    let facts = trial.facts().into_iter();
    facts.filter(|fact| matches!(fact, Fact::Acted { actor: Actor::Autopilot, .. })).count()
}

#[test]
fn the_autopilot_acts_when_the_time_is_up() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    let clock = trial.game(ADA).clock.unwrap();
    assert_eq!((clock.left, clock.of), (30_000, 30_000));
    trial.wait(29_999);
    assert_eq!(trial.game(BEA).clock.unwrap().left, 1);
    assert_eq!(timed_out(&trial), 0);
    trial.wait(1);
    assert_eq!(timed_out(&trial), 1);
    assert_eq!(trial.game(ADA).clock.unwrap().left, 30_000);
}

#[test]
fn a_private_table_can_do_without_a_clock() {
    let mut trial = match_of(&[ADA, BEA], 0, Settings { clock: None, ..Settings::default() });
    assert_eq!(trial.game(ADA).clock, None);
    trial.wait(3_600_000);
    assert_eq!(timed_out(&trial), 0);
}

#[test]
fn three_time_outs_in_a_row_hand_the_seat_to_a_bot() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    for _ in 0..200 {
        if trial.lobby(ADA).chairs[0].away.is_some() {
            break;
        }
        if trial.up().contains(&BEA) {
            let action = first_choice(&trial.game(BEA));
            trial.must(BEA, Request::Act { action, at: None });
        } else {
            trial.wait(30_000);
        }
    }
    assert_eq!(trial.lobby(ADA).chairs[0].away, Some(Away::TimedOut));
    assert!(timed_out(&trial) >= 3);
    // An act, even one that is refused, is a sign of life.
    trial.ask(ADA, Request::Act { action: unum_rules::wire::ActionForm::CallUno {}, at: None });
    assert_eq!(trial.lobby(ADA).chairs[0].away, None);
}

#[test]
fn a_move_in_between_makes_the_count_begin_anew() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    let mut left_to_the_clock = 0;
    for _ in 0..12 {
        if trial.stage() != unum_protocol::Stage::Playing {
            break;
        }
        let guest = trial.up()[0];
        if left_to_the_clock % 3 < 2 && guest == ADA {
            left_to_the_clock += 1;
            trial.wait(30_000);
        } else {
            left_to_the_clock += usize::from(guest == ADA);
            let action = first_choice(&trial.game(guest));
            trial.must(guest, Request::Act { action, at: None });
        }
        assert_eq!(trial.lobby(ADA).chairs[0].away, None);
    }
}

#[test]
fn a_lost_connection_hands_the_seat_to_a_bot_until_the_person_returns() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    trial.gone(ADA);
    trial.wait(9_999);
    assert_eq!(trial.lobby(BEA).chairs[0].away, None);
    trial.wait(1);
    assert_eq!(trial.lobby(BEA).chairs[0].away, Some(Away::Disconnected));
    trial.wait(5_000);
    assert!(trial.up().contains(&BEA));
    trial.arrive(ADA, "Ada", None);
    assert_eq!(trial.lobby(BEA).chairs[0].away, None);
}

#[test]
fn without_a_clock_a_lost_connection_is_waited_for_longer() {
    let mut trial = match_of(&[ADA, BEA], 0, Settings { clock: None, ..Settings::default() });
    trial.gone(ADA);
    trial.wait(59_999);
    assert_eq!(trial.lobby(BEA).chairs[0].away, None);
    trial.wait(1);
    assert_eq!(trial.lobby(BEA).chairs[0].away, Some(Away::Disconnected));
}

#[test]
fn nothing_happens_while_nobody_is_connected() {
    let mut trial = match_of(&[ADA, BEA], 2, settings(Edition::Original));
    trial.gone(ADA);
    trial.gone(BEA);
    assert!(trial.table.is_idle());
    assert_eq!(trial.table.deadline(), None);
    let before = trial.table.seq();
    trial.wait(10_000_000);
    assert!(trial.table.thoughts(trial.now).is_empty());
    assert_eq!(trial.table.seq(), before);
    trial.arrive(ADA, "Ada", None);
    let clock = trial.game(ADA).clock;
    assert!(clock.is_none_or(|clock| clock.left == clock.of), "a turn gets its full time again");
    assert_eq!(trial.lobby(ADA).chairs[1].away, None, "so does a lost connection");
}
