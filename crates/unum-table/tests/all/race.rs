//! The race to call "UNO".

use unum_protocol::{Actor, Pace, Request, ServerMsg, Settings};
use unum_rules::wire::ActionForm;
use unum_rules::{Edition, House, RulesSpec};
use unum_table::sim::Trial;
use unum_table::{Fact, GuestId, Input};

use crate::people::{ADA, BEA, CY, Script, first_choice, match_of};

fn small_hands(pace: Pace) -> Settings {
    let house = House { hand_size: Some(2), ..House::default() };
    Settings { rules: RulesSpec { house, ..RulesSpec::of(Edition::Original) }, pace, ..Settings::default() }
}

/// A table of people at which somebody has just played down to one card without calling; who, and the others.
fn somebody_forgot(bots: usize, pace: Pace) -> (Trial, GuestId, Vec<GuestId>) {
    let mut trial = match_of(&[ADA, BEA, CY], bots, small_hands(pace));
    loop {
        trial.wait(0);
        let Some(guest) = trial.up().first().copied() else {
            trial.wait(500);
            continue;
        };
        let action = first_choice(&trial.game(guest));
        trial.must(guest, Request::Act { action, at: None });
        let seat = trial.table.guests().position(|known| known == guest).unwrap() as u8;
        if trial.game(guest).view.liable == [seat] {
            let others = [ADA, BEA, CY].into_iter().filter(|other| *other != guest).collect();
            return (trial, guest, others);
        }
    }
}

fn seat_of(guest: GuestId) -> u8 {
    [ADA, BEA, CY].iter().position(|known| *known == guest).unwrap() as u8
}

fn catch(guest: GuestId) -> Request {
    Request::Act { action: ActionForm::Catch { seat: seat_of(guest) }, at: None }
}

fn call() -> Request {
    Request::Act { action: ActionForm::CallUno {}, at: None }
}

fn cards(trial: &Trial, guest: GuestId) -> usize {
    trial.game(guest).view.hand.unwrap().len()
}

fn last_refusal(trial: &Trial, guest: GuestId) -> Option<&str> {
    trial.inboxes[&guest].iter().rev().find_map(|message| match message {
        ServerMsg::Refused { refusal, .. } => Some(refusal.code.as_str()),
        _ => None,
    })
}

#[test]
fn a_catch_within_the_grace_waits_and_is_then_carried_out() {
    let (mut trial, forgot, others) = somebody_forgot(0, Pace::Relaxed);
    trial.wait(300);
    let outcome = trial.ask(others[0], catch(forgot));
    assert!(outcome.entries.is_empty() && outcome.deliveries.is_empty(), "nothing is promised yet");
    trial.wait(499);
    assert_eq!(cards(&trial, forgot), 1);
    trial.wait(1);
    assert_eq!(cards(&trial, forgot), 3);
}

#[test]
fn a_call_within_the_grace_beats_an_earlier_catch() {
    let (mut trial, forgot, others) = somebody_forgot(0, Pace::Relaxed);
    trial.ask(others[0], catch(forgot));
    trial.wait(700);
    trial.must(forgot, call());
    assert_eq!(last_refusal(&trial, others[0]), Some("not_liable"));
    trial.wait(1_000);
    assert_eq!(cards(&trial, forgot), 1);
}

#[test]
fn a_catch_after_the_grace_is_carried_out_at_once() {
    let (mut trial, forgot, others) = somebody_forgot(0, Pace::Relaxed);
    trial.wait(800);
    trial.must(others[1], catch(forgot));
    assert_eq!(cards(&trial, forgot), 3);
    assert_eq!(trial.refused(forgot, call()), "nothing_to_call");
}

#[test]
fn a_turn_waits_behind_a_catch_that_waits() {
    let (mut trial, forgot, others) = somebody_forgot(0, Pace::Relaxed);
    let next = trial.up()[0];
    let catcher = others.into_iter().find(|other| *other != next).unwrap_or(next);
    trial.ask(catcher, catch(forgot));
    let at = trial.game(next).at;
    let action = first_choice(&trial.game(next));
    let outcome = trial.ask(next, Request::Act { action, at: Some(at) });
    assert!(outcome.entries.is_empty());
    trial.wait(800);
    let acted: Vec<Fact> = trial.facts().into_iter().rev().take(2).collect();
    assert!(matches!(&acted[1], Fact::Acted { action: ActionForm::Catch { .. }, .. }), "{acted:?}");
    assert!(matches!(&acted[0], Fact::Acted { actor: Actor::Person, .. }));
    assert_eq!(cards(&trial, forgot), 3);
}

#[test]
fn a_turn_that_comes_before_any_catch_ends_the_race() {
    let (mut trial, forgot, others) = somebody_forgot(0, Pace::Relaxed);
    let next = trial.up()[0];
    assert_ne!(next, forgot);
    let action = first_choice(&trial.game(next));
    trial.must(next, Request::Act { action, at: None });
    let late = others.into_iter().find(|other| *other != next).unwrap();
    trial.ask(late, catch(forgot));
    trial.wait(2_000);
    assert_eq!(last_refusal(&trial, late), Some("not_liable"));
}

#[test]
fn a_catch_that_waits_is_not_doubled_when_it_is_sent_again() {
    let (mut trial, forgot, others) = somebody_forgot(0, Pace::Relaxed);
    for _ in 0..3 {
        trial.input(Input::Asked { guest: others[0], id: 90, request: catch(forgot) });
    }
    trial.wait(900);
    assert_eq!(cards(&trial, forgot), 3);
    let catches = trial.facts().into_iter();
    let catches = catches.filter(|fact| matches!(fact, Fact::Acted { action: ActionForm::Catch { .. }, .. }));
    assert_eq!(catches.count(), 1);
    assert_eq!(last_refusal(&trial, others[0]), None);
}

#[test]
fn bots_never_catch_within_the_grace_and_leave_a_fair_time() {
    for _ in 0..3 {
        let (mut trial, forgot, _) = somebody_forgot(2, Pace::Brisk);
        let landed = trial.now;
        let before = trial.entries.len();
        trial.wait(6_000);
        let acted = trial.entries[before..].iter().find(|entry| match &entry.fact {
            Fact::Acted { actor: Actor::Bot, .. } => true,
            Fact::Acted { .. } => panic!("nobody else acted"),
            _ => false,
        });
        let _ = forgot;
        if let Some(entry) = acted {
            assert!(entry.at.0 >= landed.0 + 800, "{entry:?}");
        }
    }
}

#[test]
fn who_leaves_behind_a_catch_that_waits_is_told_of_it_first() {
    let (mut trial, forgot, others) = somebody_forgot(0, Pace::Relaxed);
    let leaver = others[0];
    trial.ask(leaver, catch(forgot));
    let outcome = trial.ask(leaver, Request::Leave {});
    assert!(outcome.entries.is_empty(), "what somebody asks for later does not come first");
    trial.inboxes.remove(&leaver);
    trial.wait(800);
    let told: Vec<u64> = trial.inboxes[&leaver].iter().filter_map(seq).collect();
    assert!(told.len() >= 2, "the catch and the leaving: {told:?}");
    assert!(told.windows(2).all(|pair| pair[1] == pair[0] + 1), "{told:?}");
    assert!(matches!(trial.inboxes[&leaver].last(), Some(ServerMsg::Bye { .. })));
}

fn seq(message: &ServerMsg) -> Option<u64> {
    if let ServerMsg::Update { seq, .. } = message { Some(*seq) } else { None }
}

/// A catch is asked for before its victim has even played, and waits behind another one. When it comes to the front,
/// the victim's grace has just begun.
#[test]
fn a_catch_that_waited_waits_for_a_grace_that_began_later() {
    let (mut trial, forgot, others) = somebody_forgot(0, Pace::Relaxed);
    let next = trial.up()[0];
    assert_eq!(cards(&trial, next), 2, "the next player is about to play down to one card");
    let play = first_choice(&trial.game(next));
    assert!(matches!(play, ActionForm::Play { .. }), "{play:?}");
    let catcher = others.into_iter().find(|other| *other != next).unwrap();
    trial.ask(catcher, catch(forgot));
    trial.ask(next, Request::Act { action: play, at: None });
    trial.ask(forgot, catch(next));
    trial.wait(300);
    trial.must(forgot, call());
    assert_eq!(cards(&trial, next), 1, "the play had waited behind the catch only");
    assert_eq!(trial.table.deadline().map(|due| due.0), Some(trial.now.0 + 800), "nothing is due before");
    trial.wait(799);
    assert_eq!(cards(&trial, next), 1);
    trial.wait(1);
    assert_eq!(cards(&trial, next), 3);
}
