//! Journals of this version and of earlier ones, restored as they were.
//!
//! `fixtures/VERSION/EDITION.json` has a table in the middle of a match: its last snapshot, all of its entries, and what
//! it looked like. Files of versions that were released never change; those of the version at work are written again by
//! `UNUM_WRITE_FIXTURES=1 cargo test -p unum-table fixtures`.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use unum_protocol::{Request, Stage};
use unum_rules::Edition;
use unum_table::{Entry, Moment, Seal, SeededDice, Snapshot, Table};

use crate::journal::play;
use crate::people::{ADA, BEA, Script, instant, match_of};

#[derive(Serialize, Deserialize)]
struct Fixture {
    seq: u64,
    seal: Seal,
    snapshot: (u64, String),
    entries: Vec<Entry>,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// A table in the middle of a round, with a snapshot some entries ago.
fn make(edition: Edition) -> Fixture {
    let mut trial = match_of(&[ADA, BEA], 1, instant(edition));
    let due =
        |trial: &unum_table::sim::Trial| trial.snapshot.as_ref().is_some_and(|last| trial.table.seq() > last.seq + 9);
    while !(due(&trial) && trial.stage() == Stage::Playing) {
        play(&mut trial, 1);
        if trial.stage() != Stage::Playing {
            for guest in [ADA, BEA] {
                trial.ask(guest, Request::Ready { ready: true, pledge: None });
            }
        }
    }
    let snapshot = trial.snapshot.unwrap();
    let (seq, seal) = (trial.table.seq(), trial.table.seal());
    Fixture { seq, seal, snapshot: (snapshot.seq, snapshot.body), entries: trial.entries }
}

fn write() {
    let folder = folder().join(env!("CARGO_PKG_VERSION"));
    std::fs::create_dir_all(&folder).unwrap();
    for edition in Edition::ALL {
        let text = serde_json::to_string(&make(edition)).unwrap();
        std::fs::write(folder.join(format!("{}.json", edition.id())), text + "\n").unwrap();
    }
}

#[test]
fn journals_of_all_versions_are_restored_as_they_were() {
    if std::env::var_os("UNUM_WRITE_FIXTURES").is_some() {
        write();
    }
    let mut count = 0;
    for version in std::fs::read_dir(folder()).unwrap() {
        for file in std::fs::read_dir(version.unwrap().path()).unwrap() {
            restore(&file.unwrap().path());
            count += 1;
        }
    }
    assert!(count >= Edition::ALL.len(), "only {count} journals");
}

fn restore(path: &Path) {
    let name = path.display();
    let Fixture { seq, seal, snapshot, entries } =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let snapshot = Snapshot { seq: snapshot.0, body: snapshot.1 };
    let recent = entries.iter().filter(|entry| entry.seq > snapshot.seq).cloned().collect();
    for (snapshot, entries) in [(None, entries), (Some(&snapshot), recent)] {
        let table = Table::restore(snapshot, entries, Moment(0), &mut SeededDice::new(1));
        let table = table.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!table.has_lost_round(), "{name}: the round does not come out as it was played");
        assert_eq!((table.seq(), table.seal().game), (seq, seal.game.clone()), "{name}");
    }
}
