//! Bots at the table.

use unum_protocol::{Actor, Level, Pace, Request, RequestKind, Settings, Stage};
use unum_rules::Edition;
use unum_table::{Fact, Input};

use crate::people::{ADA, BEA, Script, lobby_of, match_of, settings};

fn bot_moves(trial: &unum_table::sim::Trial) -> Vec<u64> {
    let entries = trial.entries.iter();
    let moves = entries.filter(|entry| matches!(entry.fact, Fact::Acted { actor: Actor::Bot, .. }));
    moves.map(|entry| entry.at.0).collect()
}

#[test]
fn bots_of_every_level_play_on_their_own() {
    let mut trial = lobby_of(&[ADA], Settings { pace: Pace::Instant, ..settings(Edition::Original) });
    for level in Level::ALL {
        trial.must(ADA, Request::AddBot { level: *level });
    }
    trial.must(ADA, Request::Start { pledge: None });
    trial.must(ADA, Request::Autopilot { on: true });
    for _ in 0..10_000 {
        if trial.stage() != Stage::Playing {
            break;
        }
        trial.wait(10);
    }
    assert_ne!(trial.stage(), Stage::Playing, "a round of bots ends soon where they do not hesitate");
    assert!(bot_moves(&trial).len() > 4);
}

/// Whether there was much to think about or only one thing to do, and however long the machine took.
#[test]
fn how_long_an_expert_takes_says_nothing_about_its_hand() {
    let mut trial = lobby_of(&[ADA], Settings { pace: Pace::Instant, ..settings(Edition::Original) });
    for _ in 0..3 {
        trial.must(ADA, Request::AddBot { level: Level::Expert });
    }
    trial.must(ADA, Request::Start { pledge: None });
    let mut pauses = Vec::new();
    for _ in 0..60 {
        // Near the end of a round somebody may forget to call, and then there is more to do than to play.
        if trial.stage() != Stage::Playing || trial.game(ADA).view.hand_sizes.iter().any(|size| *size < 3) {
            break;
        }
        let begun = trial.now.0;
        let thoughts = trial.table.thoughts(trial.now);
        if thoughts.is_empty() {
            let action = crate::people::first_choice(&trial.game(ADA));
            trial.must(ADA, Request::Act { action, at: None });
            continue;
        }
        for thought in thoughts {
            let slow = thought.is_slow();
            let idea = thought.think_within(std::time::Duration::from_millis(1));
            let told = trial.input(Input::Thought(idea));
            assert!(!slow || told.entries.is_empty(), "an expert acts when it is due, not when it has thought");
        }
        let before = bot_moves(&trial).len();
        while bot_moves(&trial).len() == before && trial.stage() == Stage::Playing && trial.now.0 < begun + 500 {
            trial.now.0 += 1;
            trial.input(Input::Tick);
        }
        pauses.push(trial.now.0 - begun);
    }
    assert!(pauses.len() > 5 && pauses.iter().all(|pause| *pause == 75), "{pauses:?}");
}

#[test]
fn an_idea_that_was_given_up_is_decided_by_somebody_else_at_once() {
    let mut trial = match_of(&[ADA], 1, Settings { pace: Pace::Instant, ..settings(Edition::Original) });
    let thought = loop {
        match trial.table.thoughts(trial.now).pop() {
            Some(thought) => break thought,
            None => {
                let action = crate::people::first_choice(&trial.game(ADA));
                trial.must(ADA, Request::Act { action, at: None });
            }
        }
    };
    let before = bot_moves(&trial).len();
    trial.input(Input::Thought(thought.given_up()));
    assert_eq!(bot_moves(&trial).len(), before + 1);
}

#[test]
fn bots_take_their_time_according_to_the_pace() {
    for (pace, least, most) in [(Pace::Brisk, 400, 800), (Pace::Relaxed, 900, 1_900)] {
        let mut trial = match_of(&[ADA], 3, Settings { pace, ..settings(Edition::Original) });
        trial.must(ADA, Request::Autopilot { on: true });
        let begin = trial.now.0;
        trial.wait(12_000);
        let mut before = begin;
        for entry in &trial.entries {
            if let Fact::Acted { action, .. } = &entry.fact {
                let pause = entry.at.0 - before;
                assert!(pause >= least && pause <= most + 2_500, "{pause} ms for {action:?}");
                before = entry.at.0;
            }
        }
        assert!(before > begin);
    }
}

#[test]
fn an_idea_about_what_has_changed_is_dropped_and_thought_again() {
    let mut trial = match_of(&[ADA, BEA], 2, Settings { pace: Pace::Instant, ..settings(Edition::Original) });
    for _ in 0..40 {
        let thoughts = trial.table.thoughts(trial.now);
        let Some(thought) = thoughts.into_iter().next() else {
            let guest = trial.up()[0];
            let action = crate::people::first_choice(&trial.game(guest));
            trial.must(guest, Request::Act { action, at: None });
            continue;
        };
        let idea = thought.think();
        let seat = idea.seat;
        assert_eq!(trial.input(Input::Thought(idea.clone())).entries.len(), 1);
        let again = trial.input(Input::Thought(idea));
        assert!(again.entries.is_empty(), "seat {seat} moved twice: {again:?}");
        if trial.stage() != Stage::Playing {
            return;
        }
    }
}

#[test]
fn a_thought_that_is_lost_does_not_stop_the_table() {
    let mut trial = match_of(&[ADA], 1, Settings { pace: Pace::Instant, ..settings(Edition::Original) });
    if trial.table.thoughts(trial.now).is_empty() {
        let action = crate::people::first_choice(&trial.game(ADA));
        trial.must(ADA, Request::Act { action, at: None });
        trial.table.thoughts(trial.now);
    }
    let before = bot_moves(&trial).len();
    trial.wait(20_000);
    assert!(bot_moves(&trial).len() > before);
}

#[test]
fn a_bot_is_not_asked_for_a_person_who_is_back() {
    let mut trial = match_of(&[ADA, BEA], 0, Settings { pace: Pace::Instant, ..settings(Edition::Original) });
    let guest = trial.up()[0];
    trial.must(guest, Request::Autopilot { on: true });
    trial.now.0 += 50;
    let thought = trial.table.thoughts(trial.now).pop().unwrap();
    trial.must(guest, Request::Autopilot { on: false });
    assert!(trial.input(Input::Thought(thought.think())).entries.is_empty());
    assert_eq!(trial.up(), [guest]);
}

/// When the next bot acts, at the earliest, after a person has.
fn pause_after_own_move(trial: &mut unum_table::sim::Trial) -> u64 {
    let (before, begun) = (bot_moves(trial).len(), trial.now.0);
    while bot_moves(trial).len() == before && trial.now.0 < begun + 10_000 {
        trial.wait(10);
    }
    trial.now.0 - begun
}

#[test]
fn a_player_alone_with_bots_can_hurry_them() {
    let mut trial = match_of(&[ADA], 2, Settings { clock: None, ..settings(Edition::Original) });
    assert!(trial.own(ADA).may.contains(&RequestKind::Pace));
    while trial.game(ADA).legal.is_empty() {
        trial.wait(10);
    }
    let action = crate::people::first_choice(&trial.game(ADA));
    trial.must(ADA, Request::Act { action, at: None });
    // A bot that hesitates already does not go on hesitating.
    trial.must(ADA, Request::Pace { pace: Pace::Instant });
    assert!(pause_after_own_move(&mut trial) < 100);
    assert_eq!(trial.table.settings().pace, Pace::Instant);
    let facts = trial.entries.iter().filter(|entry| matches!(entry.fact, Fact::PaceChanged { .. })).count();
    trial.must(ADA, Request::Pace { pace: Pace::Instant });
    let again = trial.entries.iter().filter(|entry| matches!(entry.fact, Fact::PaceChanged { .. })).count();
    assert_eq!((facts, again), (1, 1), "the same pace again changes nothing");
}

#[test]
fn among_people_the_pace_stays_as_it_was_agreed() {
    let mut trial = match_of(&[ADA, BEA], 1, settings(Edition::Original));
    assert!(!trial.own(ADA).may.contains(&RequestKind::Pace));
    assert_eq!(trial.refused(ADA, Request::Pace { pace: Pace::Instant }), "wrong_stage");
    trial.must(BEA, Request::Autopilot { on: true });
    assert!(trial.own(ADA).may.contains(&RequestKind::Pace), "a bot plays for the other person");
}
