//! Seats that are kept for people who left, and claimed by people who came later.

use unum_protocol::{Away, Happened, Level, Request, RequestKind, ServerMsg, Settings, Stage};
use unum_rules::Edition;
use unum_table::sim::Trial;
use unum_table::{Fact, Input, Newcomer, records};

use crate::people::*;
use crate::play::{finish_match, ready, to_target};

const ANY: Request = Request::Take { seat: None };

fn take(seat: u8) -> Request {
    Request::Take { seat: Some(seat) }
}

/// Plays until a round is over. Everybody who is here has only to wait.
fn finish_round(trial: &mut Trial, guests: &[unum_table::GuestId]) {
    for guest in guests {
        trial.must(*guest, Request::Autopilot { on: true });
    }
    for _ in 0..10_000 {
        if trial.stage() != Stage::Playing {
            return;
        }
        trial.wait(10);
    }
    panic!("the round does not end");
}

fn fast(target: u32) -> Settings {
    Settings { pace: unum_protocol::Pace::Instant, ..to_target(target) }
}

#[test]
fn who_leaves_a_match_has_the_seat_and_the_hand_back() {
    let mut trial = match_of(&[ADA, BEA, CY], 0, settings(Edition::Original));
    let hand = trial.game(CY).view.hand;
    trial.ask(CY, Request::Leave {});
    let chair = trial.lobby(ADA).chairs[2].clone();
    assert_eq!((chair.person, chair.away), (None, Some(Away::Left)));
    assert!(trial.table.knows(CY) && !trial.lobby(ADA).people.iter().any(|person| person.name == "Cy"));
    trial.arrive(CY, "Cy", None);
    let chair = trial.lobby(ADA).chairs[2].clone();
    assert_eq!((chair.name.as_str(), chair.person, chair.away), ("Cy", Some(4), None), "the same name, no \"Cy 2\"");
    assert_eq!(trial.game(CY).view.hand, hand);
}

#[test]
fn a_locked_table_without_onlookers_lets_its_player_back_in() {
    let settings = Settings { spectators: false, ..settings(Edition::Original) };
    let mut trial = match_of(&[ADA, BEA, CY], 0, settings);
    trial.must(ADA, Request::Lock { locked: true });
    trial.ask(CY, Request::Leave {});
    assert!(trial.arrive(CY, "Cy", None).dismissed.is_empty());
    assert_eq!(trial.arrive(DAN, "Dan", None).dismissed, [DAN]);
}

#[test]
fn a_game_against_bots_waits_for_its_only_player() {
    let mut trial = match_of(&[ADA], 2, settings(Edition::Original));
    let hand = trial.game(ADA).view.hand;
    trial.ask(ADA, Request::Leave {});
    assert!(!trial.table.is_closed() && trial.table.is_left() && trial.table.knows(ADA));
    trial.wait(3_600_000);
    let mut restored = trial.restored(false).unwrap();
    let mut dice = unum_table::SeededDice::new(5);
    let arrived = Input::Arrived(Newcomer::named(ADA, "Ada"));
    restored.handle(arrived.clone(), trial.now, &mut dice);
    let mut from_snapshot = trial.restored(true).unwrap();
    from_snapshot.handle(arrived, trial.now, &mut dice);
    trial.arrive(ADA, "Ada", None);
    let lobby = trial.lobby(ADA);
    assert_eq!((lobby.host, lobby.acting, lobby.chairs[0].person), (Some(2), false, Some(2)));
    assert_eq!(trial.game(ADA).view.hand, hand, "nothing was played meanwhile");
    for table in [restored, from_snapshot] {
        let found = table.greet(ADA, None, trial.now).into_iter().find_map(|message| match message {
            ServerMsg::Snapshot { lobby, game, .. } => Some((lobby.host, game?.view.hand)),
            _ => None,
        });
        assert_eq!(found, Some((Some(2), hand.clone())));
    }
    trial.ask(ADA, Request::Quit {});
    assert!(trial.table.is_closed() && !trial.table.knows(ADA));
}

#[test]
fn the_host_who_leaves_a_match_is_stood_in_for_at_once_and_is_host_again() {
    let mut trial = match_of(&[ADA, BEA, CY], 0, settings(Edition::Original));
    trial.ask(ADA, Request::Leave {});
    assert_eq!((trial.lobby(BEA).host, trial.lobby(BEA).acting), (Some(2), true));
    trial.arrive(ADA, "Ada", None);
    assert_eq!((trial.lobby(BEA).host, trial.lobby(BEA).acting), (Some(4), false));
    trial.ask(ADA, Request::Leave {});
    trial.must(BEA, Request::Reopen {});
    assert_eq!((trial.lobby(BEA).host, trial.lobby(BEA).acting), (Some(2), false), "nothing is kept in the lobby");
}

#[test]
fn a_seat_of_a_bot_is_taken_when_the_round_is_over() {
    let mut trial = match_of(&[ADA], 2, fast(5_000));
    trial.arrive(BEA, "Bea", None);
    assert!(trial.may(BEA, RequestKind::Take) && !trial.may(ADA, RequestKind::Take));
    assert_eq!(trial.refused(BEA, take(0)), "no_chair", "Ada plays there");
    assert_eq!(trial.refused(ADA, ANY), "already_seated");
    trial.must(BEA, take(1));
    let lobby = trial.lobby(ADA);
    assert_eq!((lobby.chairs[1].claim, lobby.chairs[1].person), (Some(2), None));
    assert_eq!(trial.game(BEA).view.hand, None, "they see no cards of the round that is played");
    trial.arrive(CY, "Cy", None);
    assert_eq!(trial.refused(CY, take(1)), "no_chair", "Bea was first");
    trial.must(CY, ANY);
    assert_eq!(trial.lobby(ADA).chairs[2].claim, Some(3));
    crate::play::finish_round(&mut trial);
    let chairs = trial.lobby(ADA).chairs;
    let seated: Vec<_> = chairs.iter().map(|chair| (chair.name.as_str(), chair.person, chair.ready)).collect();
    assert_eq!(seated, [("Ada", Some(1), false), ("Bea", Some(2), true), ("Cy", Some(3), true)]);
    let scores = trial.game(ADA).view.scores;
    trial.must(ADA, ready());
    assert_eq!(trial.stage(), Stage::Playing);
    assert!([ADA, BEA, CY].iter().all(|guest| trial.game(*guest).view.hand.is_some()));
    assert_eq!(trial.game(ADA).view.scores, scores, "the points of the seat stay with it");
    let parts = trial.facts().iter().rev().filter(|fact| matches!(fact, Fact::PartOpened { .. })).count();
    assert!(parts >= 3, "all three have added their part to the deal");
}

#[test]
fn a_newcomer_is_never_told_the_hand_of_the_seat_in_its_round() {
    let mut trial = match_of(&[ADA], 2, fast(5_000));
    trial.arrive(BEA, "Bea", None);
    trial.must(BEA, take(1));
    finish_round(&mut trial, &[ADA]);
    let told = trial.inboxes[&BEA].iter();
    let mut playing = true;
    for message in told {
        if let ServerMsg::Update { what: Happened::Sat { person: 2, .. }, .. } = message {
            playing = false;
        }
        if let ServerMsg::Update { game: Some(game), .. } = message
            && playing
        {
            assert!(game.view.hand.is_none());
        }
    }
    assert!(!playing, "they have the seat");
}

#[test]
fn who_is_gone_for_a_whole_round_can_be_replaced() {
    let mut trial = match_of(&[ADA, BEA], 1, fast(5_000));
    trial.arrive(CY, "Cy", None);
    trial.gone(BEA);
    trial.wait(11_000);
    assert_eq!(trial.lobby(ADA).chairs[1].away, Some(Away::Disconnected));
    assert_eq!(trial.refused(CY, take(1)), "no_chair", "they were here when it was dealt");
    finish_round(&mut trial, &[ADA]);
    assert!(!trial.lobby(ADA).chairs[1].takeable);
    trial.must(ADA, ready());
    assert_eq!(trial.stage(), Stage::Playing);
    assert!(trial.lobby(ADA).chairs[1].takeable, "a bot plays this round for them from the deal on");
    trial.must(CY, take(1));
    trial.arrive(BEA, "Bea", None);
    let chair = trial.lobby(ADA).chairs[1].clone();
    assert_eq!((chair.person, chair.takeable, chair.claim), (Some(2), false, None), "back in time");
    trial.gone(BEA);
    trial.wait(11_000);
    finish_round(&mut trial, &[ADA]);
    trial.must(ADA, ready());
    trial.must(CY, take(1));
    finish_round(&mut trial, &[ADA]);
    assert_eq!(trial.lobby(ADA).chairs[1].person, Some(3));
    trial.arrive(BEA, "Bea", None);
    assert_eq!(trial.lobby(BEA).people[1].seat, None, "somebody else has taken it");
    trial.must(BEA, ANY);
    assert_eq!(trial.lobby(BEA).people[1].seat, Some(2), "there is a bot's, between two rounds at once");
}

#[test]
fn a_claim_is_dropped_by_who_changes_their_mind_or_is_gone() {
    let mut trial = match_of(&[ADA], 2, fast(5_000));
    trial.arrive(BEA, "Bea", None);
    assert_eq!(trial.refused(BEA, Request::Stand {}), "not_seated");
    trial.must(BEA, take(1));
    trial.must(BEA, take(2));
    let claims: Vec<_> = trial.lobby(ADA).chairs.iter().map(|chair| chair.claim).collect();
    assert_eq!(claims, [None, None, Some(2)], "one at a time");
    trial.must(BEA, Request::Stand {});
    assert!(trial.lobby(ADA).chairs.iter().all(|chair| chair.claim.is_none()));
    trial.must(BEA, take(1));
    trial.gone(BEA);
    finish_round(&mut trial, &[ADA]);
    let chair = trial.lobby(ADA).chairs[1].clone();
    assert_eq!((chair.person, chair.claim), (None, None), "nobody waits for somebody who is not here");
}

#[test]
fn a_free_chair_is_for_the_next_match() {
    let mut trial = match_of(&[ADA, BEA], 0, Settings { seats: 3, ..fast(1) });
    trial.arrive(CY, "Cy", None);
    trial.arrive(DAN, "Dan", None);
    trial.must(CY, ANY);
    assert!(trial.lobby(ADA).people[2].waiting);
    assert_eq!(trial.refused(DAN, ANY), "no_chair", "there is one chair");
    finish_match(&mut trial, &[ADA, BEA]);
    assert_eq!(trial.lobby(ADA).chairs.len(), 2);
    trial.must(ADA, ready());
    trial.must(BEA, ready());
    assert_eq!((trial.stage(), trial.game(CY).view.players), (Stage::Playing, 3));
    assert!(trial.game(CY).view.hand.is_some());
}

#[test]
fn a_record_names_who_had_the_seats_last_and_belongs_to_all() {
    let mut trial = match_of(&[ADA, BEA], 1, fast(5_000));
    trial.arrive(CY, "Cy", None);
    trial.ask(BEA, Request::Leave {});
    trial.must(CY, take(1));
    finish_round(&mut trial, &[ADA]);
    assert!(!trial.table.knows(BEA), "the seat is somebody else's");
    trial.must(ADA, Request::Reopen {});
    let finished = records(trial.entries.clone()).unwrap().remove(0);
    assert_eq!(finished.guests, [Some(ADA), Some(CY), None]);
    assert_eq!(finished.levels, [None, None, Some(Level::Normal)]);
    assert_eq!(finished.former, [BEA]);
    assert_eq!(finished.record.setup.name(1).map(|name| name.as_str()), Some("Cy"));
}

#[test]
fn a_guest_who_is_deleted_is_unknown_wherever_a_seat_was_kept() {
    let mut trial = match_of(&[ADA, BEA, CY], 0, settings(Edition::Original));
    trial.ask(CY, Request::Leave {});
    for guest in [CY, BEA] {
        trial.input(Input::Forget { guest });
        assert!(!trial.table.knows(guest));
    }
    let names: Vec<_> = trial.lobby(ADA).chairs.iter().map(|chair| chair.name.clone()).collect();
    assert_eq!(names, ["Ada", "a player 2", "a player"]);
}
