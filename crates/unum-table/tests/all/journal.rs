//! Numbers, resuming, restoring.

use unum_rules::Edition;
use unum_table::Table;
use unum_table::sim::{SeededDice, Trial};
use unum_table::wire::{Request, ServerMsg, Stage};

use crate::people::{ADA, BEA, Script, first_choice, instant, lobby_of, match_of, settings};

fn play(trial: &mut Trial, moves: usize) {
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
    let bare = messages.iter().filter_map(|message| match message {
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
    assert_eq!(resumed.iter().filter(with_game).count(), 1, "only the last carries the game");
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
    while trial.snapshot.is_none() {
        play(&mut trial, 10_000);
        for guest in [ADA, BEA] {
            trial.ask(guest, Request::Ready { ready: true, entropy: None });
        }
    }
    play(&mut trial, 3);
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
            table.handle(
                unum_table::Input::Arrived { guest, name: String::new(), look: Default::default() },
                trial.now,
                &mut dice,
            );
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
