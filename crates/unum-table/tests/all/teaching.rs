//! The lesson, and hints.

use strum::VariantArray as _;
use unum_protocol::{LessonStep, Request, RequestKind, ServerMsg, Settings, Stage, TableCode};
use unum_rules::Edition;
use unum_rules::wire::ActionForm;
use unum_table::sim::Trial;
use unum_table::{Moment, SeededDice, Table};

use crate::people::{ADA, BEA, Script, first_choice, instant, match_of};

fn lesson() -> Trial {
    match_of(&[ADA], 2, Settings { lesson: true, title: "mine".to_owned(), ..Settings::default() })
}

#[test]
fn what_is_wrong_with_the_settings_of_a_lesson_is_refused_though_it_has_its_own() {
    let open = |clock| {
        let settings = Settings { lesson: true, clock: Some(clock), ..Settings::default() };
        Table::open("lesson", ADA, settings, Moment(1), &mut SeededDice::new(1))
    };
    assert_eq!(open(30).unwrap().0.settings().clock, None);
    assert_eq!(open(60_000).unwrap_err().code, TableCode::BadSettings.into());
}

/// Waits until the learner has something to do, or the lesson is over.
fn wait_for_learner(trial: &mut Trial) {
    for _ in 0..100 {
        if trial.stage() != Stage::Playing || !trial.game(ADA).legal.is_empty() {
            return;
        }
        trial.wait(500);
    }
    panic!("the bots do not go on");
}

/// What the learner is offered, as it has to be sent.
fn offered(trial: &Trial) -> ActionForm {
    let game = trial.game(ADA);
    assert_eq!(game.legal.len(), 1, "{:?}", game.legal);
    let action = game.legal[0].action.first_action(game.view.hand.as_deref().unwrap());
    match action {
        ActionForm::Play { card, color, .. } if game.legal[0].stakes.uno => {
            ActionForm::Play { card, color, uno: true, discard: Vec::new(), swap_with: None }
        }
        action => action,
    }
}

#[test]
fn a_lesson_leads_through_every_step_to_a_win() {
    let mut trial = lesson();
    let mut steps = Vec::new();
    while trial.stage() == Stage::Playing {
        wait_for_learner(&mut trial);
        let view = trial.game(ADA).lesson.unwrap();
        assert_eq!(usize::from(view.number), steps.len());
        steps.extend(view.step);
        let action = offered(&trial);
        trial.must(ADA, Request::Act { action, at: None });
        trial.wait(1_000);
    }
    assert_eq!(steps, LessonStep::VARIANTS);
    assert_eq!(trial.stage(), Stage::Over);
    let view = trial.game(ADA);
    assert_eq!(view.view.winners, Some(vec![0]));
    assert_eq!(view.lesson.map(|lesson| (lesson.step, lesson.number)), Some((None, lesson_steps())));
    assert!(
        trial.parts.is_empty() && unum_table::records(trial.entries.clone()).unwrap().is_empty(),
        "nothing of a lesson is recorded"
    );
}

fn lesson_steps() -> u8 {
    LessonStep::VARIANTS.len() as u8
}

#[test]
fn anything_else_is_refused_in_a_lesson() {
    let mut trial = lesson();
    wait_for_learner(&mut trial);
    assert_eq!(trial.refused(ADA, Request::Act { action: ActionForm::Draw {}, at: None }), "not_in_lesson");
    assert!(!trial.may(ADA, RequestKind::Hint));
    assert_eq!(trial.refused(ADA, Request::Hint { at: None }), "no_hints");
}

#[test]
fn a_bot_that_stands_in_follows_the_lesson() {
    let mut trial = lesson();
    wait_for_learner(&mut trial);
    trial.must(ADA, Request::Autopilot { on: true });
    for _ in 0..200 {
        trial.wait(1_000);
    }
    assert_eq!(trial.stage(), Stage::Over);
    assert_eq!(trial.game(ADA).view.winners, Some(vec![0]));
}

#[test]
fn a_lesson_is_for_one() {
    let mut trial = lesson();
    trial.arrive(BEA, "Bea", None);
    assert!(trial.table.guests().all(|guest| guest != BEA));
    let settings = trial.table.settings();
    assert!(settings.lesson && settings.title.is_empty() && !settings.public);
}

#[test]
fn a_table_does_not_become_a_lesson() {
    let mut trial = crate::people::lobby_of(&[ADA], Settings::default());
    let settings = Settings { lesson: true, ..Settings::default() };
    assert_eq!(trial.refused(ADA, Request::Settings { settings }), "bad_settings");
}

/// A match against bots in which it is Ada's turn.
fn alone() -> Trial {
    let mut trial = match_of(&[ADA], 2, instant(Edition::Original));
    for _ in 0..100 {
        if trial.up() == [ADA] {
            return trial;
        }
        trial.wait(100);
    }
    panic!("it never is Ada's turn");
}

fn hints(trial: &Trial) -> Vec<ActionForm> {
    let messages = trial.inboxes[&ADA].iter();
    let hint = |message: &ServerMsg| match message {
        ServerMsg::Hint { hint, .. } => Some(hint.action.clone()),
        _ => None,
    };
    messages.filter_map(hint).collect()
}

#[test]
fn a_hint_can_be_played() {
    let mut trial = alone();
    let at = Some(trial.game(ADA).at);
    assert!(trial.may(ADA, RequestKind::Hint));
    let before = trial.entries.len();
    trial.ask(ADA, Request::Hint { at });
    trial.wait(1_000);
    let [action] = &hints(&trial)[..] else { panic!("{:?}", hints(&trial)) };
    assert_eq!(trial.entries.len(), before, "a hint changes nothing");
    trial.must(ADA, Request::Act { action: action.clone(), at });
}

#[test]
fn a_hint_that_comes_too_late_is_refused() {
    let mut trial = alone();
    trial.ask(ADA, Request::Hint { at: None });
    assert_eq!(trial.refused(ADA, Request::Hint { at: None }), "too_soon");
    let action = first_choice(&trial.game(ADA));
    let before = trial.inboxes[&ADA].len();
    trial.ask(ADA, Request::Act { action, at: None });
    let refused =
        |message: &ServerMsg| matches!(message, ServerMsg::Refused { refusal, .. } if refusal.code.as_str() == "stale");
    assert!(trial.inboxes[&ADA][before..].iter().any(refused));
    assert!(hints(&trial).is_empty());
}

#[test]
fn there_are_no_hints_among_people() {
    let mut trial = match_of(&[ADA, BEA], 1, instant(Edition::Original));
    assert!(!trial.may(ADA, RequestKind::Hint));
    assert_eq!(trial.refused(ADA, Request::Hint { at: None }), "no_hints");
}
