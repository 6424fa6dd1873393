//! Pledges, parts, and people who do not send them.

use unum_protocol::{Away, DealingStep, Happened, Request, ServerMsg, Stage};
use unum_rules::Edition;
use unum_rules::fair::{Entropy, Place, Pledge};
use unum_table::sim::Trial;
use unum_table::{Fact, GuestId};
use unum_witness::Verdict;

use crate::people::*;

fn ready() -> Request {
    Request::Ready { ready: true, pledge: None }
}

/// People in a lobby, all of them ready, whose host has pressed "start"; these people's clients do not open.
fn stuck(guests: &[GuestId], silent: &[GuestId]) -> Trial {
    let mut trial = lobby_of(guests, settings(Edition::Original));
    trial.silent.extend(silent);
    for guest in &guests[1..] {
        trial.must(*guest, Request::Accept { agreement: 1 });
        trial.must(*guest, ready());
    }
    trial.must(guests[0], Request::Start { pledge: None });
    trial
}

fn named(trial: &Trial, guest: GuestId) -> Vec<(Vec<u8>, bool)> {
    let messages = trial.inboxes[&guest].iter();
    let named = messages.filter_map(|message| match message {
        ServerMsg::Update { what: Happened::Withheld { seats, again }, .. } => Some((seats.clone(), *again)),
        _ => None,
    });
    named.collect()
}

fn fair_rounds(trial: &Trial, guest: GuestId) -> usize {
    trial.verdicts.iter().filter(|(who, verdict)| *who == guest && matches!(verdict, Verdict::Fair { .. })).count()
}

#[test]
fn nobody_opens_before_all_pledges_are_published() {
    let trial = match_of(&[ADA, BEA], 1, settings(Edition::Original));
    let facts = trial.facts();
    let place = |wanted: fn(&Fact) -> bool| facts.iter().position(wanted).unwrap();
    let closed = place(|fact| matches!(fact, Fact::PledgesClosed {}));
    assert!(place(|fact| matches!(fact, Fact::PartOpened { .. })) > closed);
    let pledged = facts.iter().filter(|fact| matches!(fact, Fact::Ready { pledge: Some(_), .. }));
    assert_eq!(pledged.count(), 2, "with `ready` and `start`, at no cost in time");
    assert_eq!(trial.stage(), Stage::Playing);
}

#[test]
fn a_player_who_does_not_open_is_named_and_the_others_pledge_again() {
    let mut trial = stuck(&[ADA, BEA, CY], &[BEA]);
    let fair = trial.lobby(ADA).fair;
    let dealing = fair.dealing.unwrap();
    assert_eq!((dealing.step, dealing.waiting), (DealingStep::Open, vec![1]));
    let first = fair.pledges;
    trial.wait(4_999);
    assert_eq!(trial.stage(), Stage::Lobby);
    trial.wait(1);
    assert_eq!(trial.stage(), Stage::Playing);
    for guest in [ADA, BEA, CY] {
        assert_eq!(named(&trial, guest), [(vec![1], true)]);
    }
    assert_eq!(trial.lobby(ADA).chairs[1].away, Some(Away::NoPart));
    let again = trial.facts().into_iter().filter_map(|fact| match fact {
        Fact::Pledged { pledge, .. } => Some(pledge),
        _ => None,
    });
    assert!(again.clone().count() == 2 && again.clone().all(|pledge| !first.contains(&Some(pledge))), "fresh parts");
    trial.must(ADA, Request::Reopen {});
    let deal = trial.lobby(ADA).fair.revealed.unwrap();
    assert_eq!((deal.attempt, deal.withheld.clone()), (2, vec![1]));
    assert_eq!(deal.entropy.iter().map(Option::is_some).collect::<Vec<_>>(), [true, false, true]);
    assert_eq!(deal.check(), Ok(()));
}

#[test]
fn a_bot_plays_the_whole_round_of_a_player_who_did_not_open() {
    let mut trial = stuck(&[ADA, BEA, CY], &[BEA]);
    trial.wait(5_000);
    assert_eq!(trial.refused(BEA, Request::Autopilot { on: false }), "no_part");
    let action = unum_rules::wire::ActionForm::Draw {};
    assert_eq!(trial.refused(BEA, Request::Act { action, at: None }), "no_part");
    trial.gone(BEA);
    trial.arrive(BEA, "Bea", None);
    assert_eq!(trial.lobby(ADA).chairs[1].away, Some(Away::NoPart), "coming back does not help");
    trial.silent.clear();
    for guest in [ADA, CY] {
        trial.must(guest, Request::Autopilot { on: true });
    }
    while trial.stage() == Stage::Playing {
        trial.wait(10_000);
    }
    assert_eq!(trial.lobby(ADA).chairs[1].away, None, "the next round is theirs again");
}

#[test]
fn after_the_second_attempt_the_deal_goes_on_without() {
    let mut trial = stuck(&[ADA, BEA, CY], &[BEA]);
    trial.silent.insert(CY);
    trial.now.0 += 5_000;
    let outcome = trial.input(unum_table::Input::Tick);
    assert!(outcome.entries.iter().any(|entry| matches!(entry.fact, Fact::Withheld { .. })));
    let (seat, lobby) = (2, trial.lobby(CY));
    let place = Place { commitment: lobby.fair.next, attempt: lobby.fair.attempt, seat };
    assert_eq!(lobby.fair.attempt, 2);
    trial.must(CY, Request::Pledge { pledge: Entropy([3; 32]).pledge(place) });
    assert_eq!(trial.lobby(ADA).fair.dealing.unwrap().step, DealingStep::Open);
    trial.wait(5_000);
    assert_eq!(trial.stage(), Stage::Playing);
    assert_eq!(named(&trial, ADA), [(vec![1], true), (vec![2], false)]);
    trial.must(ADA, Request::Reopen {});
    let deal = trial.lobby(ADA).fair.revealed.unwrap();
    assert_eq!((deal.attempt, deal.withheld.clone()), (2, vec![1, 2]));
    assert_eq!(deal.entropy.iter().flatten().count(), 1);
}

#[test]
fn a_client_that_pledges_nothing_is_not_waited_for_long() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    trial.silent.insert(BEA);
    trial.must(BEA, Request::Accept { agreement: 1 });
    let raw = |trial: &mut Trial, guest, id, request| {
        trial.input(unum_table::Input::Asked { guest, id, request });
    };
    raw(&mut trial, BEA, 100, ready());
    trial.must(ADA, Request::Start { pledge: None });
    let dealing = trial.lobby(ADA).fair.dealing.unwrap();
    assert_eq!((dealing.step, dealing.waiting), (DealingStep::Pledge, vec![1]));
    trial.wait(5_000);
    assert_eq!(trial.stage(), Stage::Playing);
    assert_eq!(trial.lobby(ADA).chairs[1].away, Some(Away::TimedOut));
    assert_eq!(named(&trial, ADA), [], "nothing was opened, so nothing was withheld");
    raw(&mut trial, BEA, 101, Request::Autopilot { on: false });
    assert_eq!(trial.lobby(ADA).chairs[1].away, None, "and they can play at once");
}

/// A deal that waits for the pledge of Cy, whose client sends none; Ada and Bea have pledged.
fn waiting_for_cy() -> Trial {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    for guest in [BEA, CY] {
        trial.must(guest, Request::Accept { agreement: 1 });
    }
    trial.must(BEA, ready());
    trial.silent.insert(CY);
    trial.input(unum_table::Input::Asked { guest: CY, id: 100, request: ready() });
    trial.must(ADA, Request::Start { pledge: None });
    let fair = trial.lobby(ADA).fair;
    assert_eq!(fair.dealing.map(|dealing| (dealing.step, dealing.waiting)), Some((DealingStep::Pledge, vec![2])));
    assert_eq!(fair.pledges.iter().map(Option::is_some).collect::<Vec<_>>(), [true, true, false]);
    trial
}

#[test]
fn who_leaves_before_the_pledges_are_closed_takes_theirs_along() {
    let mut trial = waiting_for_cy();
    trial.must(BEA, Request::Leave {});
    assert_eq!(trial.lobby(ADA).fair.pledges.get(1), Some(&None));
    trial.arrive(BEA, "Bea", None);
    trial.wait(5_000);
    // Bea has her seat again, and her client does not say that a part of hers was left out.
    assert_eq!((trial.stage(), trial.lobby(BEA).chairs[1].away), (Stage::Playing, None));
    assert_eq!(named(&trial, ADA), [], "nobody could have opened that part");
    trial.must(ADA, Request::Reopen {});
    let deal = trial.lobby(ADA).fair.revealed.unwrap();
    assert_eq!((deal.attempt, deal.entropy.iter().map(Option::is_some).collect()), (1, vec![true, false, false]));
}

#[test]
fn who_was_away_from_the_second_attempt_to_the_end_of_the_round_raises_no_alarm() {
    let mut trial = stuck(&[ADA, BEA, CY], &[BEA]);
    assert_eq!(trial.lobby(CY).fair.attempt, 1, "Cy has seen the pledges of the first attempt");
    trial.gone(CY);
    trial.wait(5_000);
    for guest in [ADA, BEA] {
        trial.silent.remove(&guest);
    }
    trial.must(ADA, Request::Autopilot { on: true });
    while trial.stage() == Stage::Playing {
        trial.wait(10_000);
    }
    let deal = trial.lobby(ADA).fair.revealed.unwrap();
    assert_eq!((deal.attempt, deal.entropy[0].is_some()), (2, true));
    // The client of Cy compares nothing that it has not seen.
    trial.arrive(CY, "Cy", None);
    assert_eq!(fair_rounds(&trial, CY), 0);
}

#[test]
fn leaving_before_opening_is_withholding() {
    let mut trial = stuck(&[ADA, BEA, CY], &[BEA]);
    trial.must(BEA, Request::Leave {});
    assert_eq!(trial.stage(), Stage::Playing);
    assert_eq!(named(&trial, ADA), [(vec![1], true)]);
    assert_eq!(trial.game(ADA).view.players, 3, "a bot has the chair");
}

#[test]
fn wrong_parts_and_parts_out_of_turn_are_refused() {
    let mut trial = stuck(&[ADA, BEA], &[BEA]);
    assert_eq!(trial.refused(BEA, Request::Open { part: Entropy([9; 32]) }), "bad_part");
    assert_eq!(trial.refused(BEA, Request::Pledge { pledge: Pledge([9; 32]) }), "wrong_stage");
    assert_eq!(trial.refused(ADA, Request::Open { part: Entropy([9; 32]) }), "wrong_stage");
    assert_eq!(trial.refused(BEA, ready()), "wrong_stage");
    assert_eq!(trial.refused(ADA, Request::AddBot { level: unum_protocol::Level::Easy }), "wrong_stage");
    let part = trial.witnesses[&BEA].part().unwrap();
    trial.must(BEA, Request::Open { part });
    assert_eq!(trial.stage(), Stage::Playing);
    assert_eq!(trial.refused(BEA, Request::Open { part }), "wrong_stage");
}

#[test]
fn a_deal_that_is_being_prepared_survives_a_restart() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    trial.must(BEA, Request::Accept { agreement: 1 });
    trial.must(BEA, ready());
    trial.gone(BEA);
    trial.must(ADA, Request::Start { pledge: None });
    assert_eq!(trial.lobby(ADA).fair.dealing.unwrap().waiting, [1]);
    trial.table = trial.restored(true).unwrap();
    assert_eq!(trial.table.deadline(), None, "nothing runs while nobody is there");
    trial.now.0 += 3_600_000;
    trial.arrive(ADA, "Ada", None);
    trial.arrive(BEA, "Bea", None);
    assert_eq!(trial.stage(), Stage::Playing, "Bea's client still has the part");
}

#[test]
fn a_pledge_is_void_when_seats_change() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    for guest in [BEA, CY] {
        trial.must(guest, Request::Accept { agreement: 1 });
        trial.must(guest, ready());
    }
    assert_eq!(trial.lobby(ADA).fair.pledges.iter().flatten().count(), 2);
    trial.must(BEA, Request::Leave {});
    assert_eq!(trial.lobby(ADA).fair.pledges, []);
    trial.must(ADA, Request::Start { pledge: None });
    assert_eq!(trial.stage(), Stage::Playing);
    trial.must(ADA, Request::Reopen {});
    let deal = trial.lobby(CY).fair.revealed.unwrap();
    assert_eq!(deal.entropy.iter().flatten().count(), 2, "both pledged again, by themselves");
    assert_eq!((fair_rounds(&trial, ADA), fair_rounds(&trial, CY)), (1, 1));
}

#[test]
fn what_is_broken_off_is_revealed_and_its_secret_is_not_used_again() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    let dealt = trial.lobby(ADA).fair.dealt.unwrap();
    trial.must(ADA, Request::Reopen {});
    let fair = trial.lobby(BEA).fair;
    assert_eq!((fair.dealt, fair.revealed.unwrap().commitment()), (Some(dealt), dealt));
    assert_ne!(fair.next, dealt);
    assert_eq!((fair_rounds(&trial, ADA), fair_rounds(&trial, BEA)), (1, 1));
}

#[test]
fn a_deal_that_is_broken_off_is_revealed() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    for guest in [ADA, BEA] {
        trial.must(guest, Request::Autopilot { on: true });
    }
    while trial.stage() == Stage::Playing {
        trial.wait(1_000);
    }
    for guest in [ADA, BEA] {
        trial.must(guest, Request::Autopilot { on: false });
    }
    trial.silent.insert(BEA);
    trial.must(BEA, ready());
    trial.must(ADA, ready());
    let next = trial.lobby(ADA).fair.next;
    assert!(trial.lobby(ADA).fair.dealing.is_some());
    trial.must(ADA, Request::Reopen {});
    let fair = trial.lobby(BEA).fair;
    assert_eq!((fair.dealt, fair.revealed.unwrap().commitment()), (Some(next), next));
    assert_ne!(fair.next, next, "the parts that were opened tell nothing about the next deal");
}

/// Somebody presses "ready" in the very moment in which a round ends: the pledge would meet another commitment, and be
/// taken for the table's lie.
#[test]
fn nothing_is_pledged_to_a_commitment_that_is_spent() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    assert_eq!(trial.stage(), Stage::Playing);
    let early = trial.witnesses.get_mut(&ADA).unwrap().prepare(ready(), &mut || [7; 32]);
    assert_eq!(early, ready());
}
