//! Numbers, resuming, restoring.

use unum_protocol::{Happened, Pace, Request, ServerMsg, Settings, Stage};
use unum_rules::wire::ActionForm;
use unum_rules::{Edition, House, RulesSpec};
use unum_table::sim::Trial;
use unum_table::{Entry, Fact, Moment, SeededDice, Snapshot, Table, finished};

use crate::people::{ADA, BEA, CY, Script, first_choice, instant, lobby_of, match_of, settings};
use crate::play::{ready, to_target};

pub(crate) fn play(trial: &mut Trial, moves: usize) {
    for _ in 0..moves {
        trial.wait(0);
        if trial.stage() != Stage::Playing {
            return;
        }
        let guest = trial.up()[0];
        let action = first_choice(&trial.game(guest));
        trial.must(guest, Request::Act { action, at: None });
    }
}

/// Everything in an update but the lobby and the game after it.
fn changes(messages: &[ServerMsg]) -> Vec<String> {
    let bare = messages.iter().cloned().flat_map(ServerMsg::unfold).filter_map(|message| match message {
        ServerMsg::Update { seq, id, what, events, .. } => {
            Some(serde_json::to_string(&(seq, id, what, events)).unwrap())
        }
        _ => None,
    });
    bare.collect()
}

#[test]
fn who_comes_back_gets_what_they_missed_or_all_of_it() {
    let mut trial = match_of(&[ADA, BEA], 0, instant(Edition::Original));
    play(&mut trial, 20);
    let seq = trial.table.seq();
    let stayed = changes(&trial.inboxes[&ADA]);
    let resumed = trial.table.greet(ADA, Some(seq - 10), trial.now);
    assert!(matches!(resumed[0], ServerMsg::Welcome { .. }));
    assert!(matches!(resumed.last(), Some(ServerMsg::Presence { .. })));
    assert_eq!(changes(&resumed), stayed[stayed.len() - 10..]);
    let with_game = |message: &&ServerMsg| matches!(message, ServerMsg::Update { game: Some(_), .. });
    assert_eq!(resumed.iter().filter(with_game).count(), 1, "what was missed is one message");
    for after in [None, Some(0), Some(seq + 1), Some(u64::MAX)] {
        let greeting = trial.table.greet(ADA, after, trial.now);
        assert!(matches!(greeting[1], ServerMsg::Snapshot { seq: last, .. } if last == seq), "{after:?}");
    }
    let nothing = trial.table.greet(ADA, Some(seq), trial.now);
    assert!(matches!(nothing[..], [ServerMsg::Welcome { .. }, ServerMsg::Presence { .. }]));
}

#[test]
fn everybody_gets_one_update_for_every_entry() {
    let mut trial = match_of(&[ADA, BEA], 1, instant(Edition::Original));
    play(&mut trial, 50);
    for guest in [ADA, BEA] {
        let inbox = &trial.inboxes[&guest];
        let from = inbox.iter().find_map(|message| match message {
            ServerMsg::Snapshot { seq, .. } => Some(*seq),
            _ => None,
        });
        let numbers: Vec<u64> = inbox
            .iter()
            .filter_map(|message| if let ServerMsg::Update { seq, .. } = message { Some(*seq) } else { None })
            .collect();
        assert_eq!(numbers, (from.unwrap() + 1..=trial.table.seq()).collect::<Vec<_>>());
    }
    let numbers: Vec<u64> = trial.entries.iter().map(|entry| entry.seq).collect();
    assert_eq!(numbers, (1..=trial.table.seq()).collect::<Vec<_>>());
}

#[test]
fn entries_and_snapshots_survive_being_written_down() {
    let mut trial = match_of(&[ADA, BEA], 2, instant(Edition::Custom));
    while trial.snapshot.as_ref().is_none_or(|snapshot| snapshot.seq + 3 > trial.table.seq())
        || trial.stage() != Stage::Playing
    {
        play(&mut trial, 10);
        for guest in [ADA, BEA] {
            trial.ask(guest, Request::Ready { ready: true, pledge: None });
        }
    }
    for entry in &mut trial.entries {
        let text = serde_json::to_string(entry).unwrap();
        let read: unum_table::Entry = serde_json::from_str(&text).unwrap();
        assert_eq!(read, *entry);
        *entry = read;
    }
    let snapshot = trial.snapshot.clone().unwrap();
    let after = trial.entries.iter().filter(|entry| entry.seq > snapshot.seq).count();
    assert!(after < trial.entries.len() / 2, "a snapshot spares the rounds before it");
    for from_snapshot in [false, true] {
        let mut restored = trial.restored(from_snapshot).unwrap();
        assert!(restored.is_idle());
        let mut dice = SeededDice::new(5);
        for (guest, table) in [(ADA, &mut trial.table.clone()), (ADA, &mut restored)] {
            table.handle(unum_table::Input::Arrived(unum_table::Newcomer::named(guest, "")), trial.now, &mut dice);
        }
        assert_eq!(restored.seq(), trial.table.seq());
        assert!(restored.deadline().is_some());
    }
}

#[test]
fn a_journal_that_does_not_fit_is_refused_in_words() {
    let trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    let restore = |entries: Vec<unum_table::Entry>| {
        Table::restore(None, entries, trial.now, &mut SeededDice::new(1)).unwrap_err().to_string()
    };
    assert!(restore(Vec::new()).contains("no entry"));
    assert!(restore(trial.entries[1..].to_vec()).contains("entry 2"));
    let mut gap = trial.entries.clone();
    gap.remove(3);
    assert!(restore(gap).contains("gap"));
}

#[test]
fn a_number_of_a_person_means_nothing_elsewhere() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    trial.ask(BEA, Request::Leave {});
    trial.arrive(BEA, "Bea", Some(1));
    let greeting = &trial.inboxes[&BEA];
    assert!(greeting.iter().any(|message| matches!(message, ServerMsg::Welcome { you: 3, last_id: 0, .. })));
    assert!(matches!(greeting.last(), Some(ServerMsg::Snapshot { .. })), "a new person has missed nothing");
}

// Rounds that cannot be restored.

/// A match of two people in its second round.
fn second_round() -> Trial {
    let mut trial = match_of(&[ADA, BEA], 1, to_target(5000));
    play(&mut trial, 10_000);
    assert_eq!(trial.stage(), Stage::Scores);
    [ADA, BEA].into_iter().for_each(|guest| trial.must(guest, ready()));
    play(&mut trial, 5);
    assert_eq!((trial.stage(), trial.game(ADA).round), (Stage::Playing, 2));
    trial
}

/// The table as another version of the rules would restore it, by which the last deal comes out differently.
pub(crate) fn restored_differently(trial: &Trial) -> Table {
    let mut entries = trial.entries.clone();
    let deal = entries.iter_mut().rev().find(|entry| matches!(entry.fact, Fact::Dealt { .. })).unwrap();
    deal.seal.as_mut().unwrap().game = Some("0123456789abcdef".to_owned());
    Table::restore(None, entries, trial.now, &mut SeededDice::new(3)).unwrap()
}

/// The same, but the round does not come out differently until one of its moves, which is not possible any more.
fn restored_until_a_move(trial: &Trial) -> Table {
    let mut entries = trial.entries.clone();
    let moved = entries.iter_mut().rev().find(|entry| matches!(entry.fact, Fact::Acted { .. })).unwrap();
    let Fact::Acted { seat, .. } = &mut moved.fact else { unreachable!() };
    *seat = (*seat + 1) % 3;
    Table::restore(None, entries, trial.now, &mut SeededDice::new(3)).unwrap()
}

/// Both people come back to a table, the first with the number of the last change they know.
fn come_back(mut trial: Trial, table: Table) -> Trial {
    let seq = trial.table.seq();
    trial.table = table;
    trial.inboxes.clear();
    trial.arrive(ADA, "Ada", Some(seq));
    trial.arrive(BEA, "Bea", None);
    trial
}

#[test]
fn a_round_that_comes_out_differently_falls_back_to_the_scores_before_it() {
    let trial = second_round();
    for table in [restored_differently(&trial), restored_until_a_move(&trial)] {
        falls_back_to_the_scores(trial.clone(), table);
    }
}

fn falls_back_to_the_scores(before: Trial, table: Table) {
    let scores = before.game(ADA).view.scores;
    assert!(table.has_lost_round());
    let last = before.table.seq();
    let mut trial = come_back(before, table);
    assert_eq!((trial.stage(), trial.game(ADA).round), (Stage::Scores, 1));
    assert_eq!(trial.game(ADA).view.scores, scores, "nobody loses points");
    let told = |message: &ServerMsg| matches!(message, ServerMsg::Update { what: Happened::RoundLost {}, .. });
    assert!(trial.inboxes[&ADA].iter().any(told), "people are told");
    let lost = trial.entries.iter().find(|entry| matches!(entry.fact, Fact::RoundLost {})).unwrap();
    assert_eq!(lost.seq, last + 1);
    assert!(trial.snapshot.as_ref().unwrap().seq > last, "what cannot be replayed is needed no more");
    assert!(!trial.restored(true).unwrap().has_lost_round());
    // The match goes on and is recorded, without the round that was lost.
    for _ in 0..200 {
        if trial.stage() == Stage::Over {
            break;
        }
        trial.refill();
        [ADA, BEA].into_iter().for_each(|guest| drop(trial.ask(guest, ready())));
        play(&mut trial, 10_000);
    }
    assert_eq!(trial.stage(), Stage::Over);
    let game = finished(1, &trial.parts_of(1)).unwrap();
    assert_eq!(game.record.outcome.scores, trial.game(ADA).view.scores);
    assert!(game.record.replay().is_ok());
}

#[test]
fn a_first_round_that_comes_out_differently_falls_back_to_the_lobby() {
    let mut trial = match_of(&[ADA, BEA], 1, to_target(200));
    play(&mut trial, 5);
    trial.arrive(CY, "Cy", None);
    let table = restored_differently(&trial);
    let trial = come_back(trial, table);
    assert_eq!(trial.stage(), Stage::Lobby);
    let lobby = trial.lobby(ADA);
    assert_eq!(lobby.chairs.len(), 3, "everybody keeps the chair");
    assert!(trial.table.guests().any(|guest| guest == CY), "who came meanwhile has come");
}

#[test]
fn a_saved_round_that_cannot_be_read_is_lost_but_not_the_table() {
    let mut trial = second_round();
    let saved = |trial: &Trial| {
        let seq = trial.snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
        let dealt = |entry: &&Entry| matches!(entry.fact, Fact::Dealt { .. });
        trial.stage() == Stage::Playing && trial.entries.iter().rev().find(dealt).is_some_and(|deal| deal.seq < seq)
    };
    while !saved(&trial) {
        play(&mut trial, 1);
        if trial.stage() == Stage::Scores {
            [ADA, BEA].into_iter().for_each(|guest| drop(trial.ask(guest, ready())));
        }
    }
    let round = trial.game(ADA).round;
    let whole = trial.snapshot.clone().unwrap();
    let broken =
        Snapshot { body: whole.body.replace("\"game\":{\"position\"", "\"game\":{\"situation\""), ..whole.clone() };
    assert_ne!(whole, broken);
    let entries = trial.entries.iter().filter(|entry| entry.seq > whole.seq).cloned();
    let table = Table::restore(Some(&broken), entries, trial.now, &mut SeededDice::new(3)).unwrap();
    assert!(table.has_lost_round());
    let trial = come_back(trial, table);
    assert_eq!((trial.stage(), trial.game(BEA).round), (Stage::Scores, round - 1));
}

// Clocks that jump.

#[test]
fn a_clock_that_jumps_stops_no_table() {
    const HOUR: u64 = 60 * 60 * 1000;
    let mut trial = match_of(&[ADA, BEA, CY], 1, Settings { pace: Pace::Brisk, clock: Some(30), ..small_hands() });
    // On until somebody owes an "UNO".
    while trial.game(ADA).view.liable.is_empty() {
        match trial.up().first().copied() {
            None => trial.wait(500),
            Some(guest) => {
                let action = first_choice(&trial.game(guest));
                trial.must(guest, Request::Act { action, at: None });
            }
        }
        assert_eq!(trial.stage(), Stage::Playing);
    }
    for now in [trial.now.0 - trial.now.0.min(2 * HOUR), trial.now.0 + 2 * HOUR, trial.now.0 + 10_000 * HOUR] {
        let mut jumped = trial.clone();
        jumped.now = Moment(now);
        jumped.table = jumped.restored(false).unwrap();
        for guest in [ADA, BEA, CY] {
            jumped.arrive(guest, "", None);
        }
        let due = jumped.table.deadline().unwrap().0;
        assert!(due <= now + 60_000, "the table waits for {} ms", due - now);
        // A catch is carried out within the grace time, and the table plays on.
        let seat = jumped.game(ADA).view.liable[0];
        let catcher =
            [ADA, BEA, CY].into_iter().find(|guest| jumped.lobby(*guest).seat_of(person(*guest)) != Some(seat));
        let action = ActionForm::Catch { seat };
        jumped.ask(catcher.unwrap(), Request::Act { action, at: None });
        jumped.wait(1_000);
        assert!(jumped.game(ADA).view.liable.is_empty(), "at {now}");
        let before = jumped.table.seq();
        jumped.wait(10 * 60_000);
        assert!(jumped.table.seq() > before + 3, "at {now}");
    }
}

/// The numbers of the people at the tables of these tests.
fn person(guest: unum_table::GuestId) -> u32 {
    [ADA, BEA, CY].iter().position(|known| *known == guest).unwrap() as u32 + 1
}

fn small_hands() -> Settings {
    let house = House { hand_size: Some(3), ..House::default() };
    Settings { rules: RulesSpec { house, ..RulesSpec::of(Edition::Original) }, ..Settings::default() }
}
