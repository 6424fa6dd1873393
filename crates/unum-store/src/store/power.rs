//! Power cuts: whatever was acknowledged survives, whatever the disk did with unsynced writes.
//!
//! A few cuts in the everyday tests; `cargo xtask power` makes a thousand.

use std::collections::BTreeMap;

use tempfile::TempDir;
use unum_powercut::Disk;

use super::*;
use crate::journal::Store;
use crate::{Part, RecordRow};

/// The steps of the workload that is cut off.
const WORK: u64 = 240;
/// How many entries of a table lie between snapshots.
const SAVED: u64 = 10;

/// Numbers that look random.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as u32) % bound.max(1)
    }
}

/// The body of an entry, by its table and number.
fn body(table: u64, seq: u64) -> Vec<u8> {
    let length = 20 + (table * 7919 + seq * 104_729) % 1500;
    vec![(table * 31 + seq) as u8; length as usize]
}

/// What was acknowledged: for each table, how far its journal had got after how many disk operations; and the records.
#[derive(Default)]
struct Promised {
    journals: BTreeMap<u64, Vec<(usize, u64)>>,
    records: Vec<(usize, String)>,
}

/// Runs the workload on a store until all of it is acknowledged.
fn work(store: &Store, disk: &Disk, chance: &mut Chance) -> Promised {
    let (mut promised, mut ends) = (Promised::default(), BTreeMap::<u64, u64>::new());
    for step in 0..WORK {
        let mut waiting = Vec::new();
        // Several share a transaction.
        let busy: Vec<u64> = (0..8).filter(|_| chance.below(4) == 0).collect();
        for table in busy {
            let after = *ends.entry(table).or_default();
            let last = after + 1 + u64::from(chance.below(3));
            let saved = last / SAVED * SAVED;
            let batch = Batch {
                table: format!("T{table}"),
                after,
                entries: (after + 1..=last).map(|seq| body(table, seq)).collect(),
                snapshot: (saved > after).then(|| (saved, body(table, saved))),
                parts: vec![Part { number: 1, first: saved > after, last: false, body: body(table, last) }],
                ..Batch::default()
            };
            ends.insert(table, last);
            let (tell, told) = mpsc::channel();
            store.append(batch, move |result| tell.send(result).unwrap());
            waiting.push((table, last, told));
        }
        for (table, last, told) in waiting {
            told.recv().unwrap().unwrap();
            promised.journals.entry(table).or_default().push((disk.steps(), last));
        }
        if step % 20 == 0 {
            let id = format!("R{step}");
            let record = RecordRow {
                id: id.clone(),
                table: "T0".to_owned(),
                summary: String::new(),
                body: body(0, step),
                people: vec![Some(7)],
                number: 9,
                ..RecordRow::default()
            };
            store.put_record(record).unwrap();
            promised.records.push((disk.steps(), id));
        }
    }
    promised
}

/// What is missing after a cut although it was acknowledged before. It must be nothing.
fn missing(folder: &Path, moment: usize, promised: &Promised) -> Vec<String> {
    let store = match Store::open(folder) {
        Ok(store) => store,
        Err(error) => return vec![error.to_string()],
    };
    let mut missing = Vec::new();
    for (table, reached) in &promised.journals {
        let Some((_, last)) = reached.iter().rev().find(|(step, _)| *step <= moment) else { continue };
        match store.load(&format!("T{table}")) {
            Ok(Some(found)) => {
                let whole = found.entries.iter().all(|(seq, bytes)| *bytes == body(*table, *seq))
                    && found.snapshot.as_ref().is_none_or(|(seq, bytes)| *bytes == body(*table, *seq));
                if found.row.last < *last || !whole {
                    missing.push(format!("table {table} has {} of {last}, whole: {whole}", found.row.last));
                }
            }
            other => missing.push(format!("table {table}: {other:?}")),
        }
    }
    let kept = promised.records.iter().filter(|(step, _)| *step <= moment);
    missing.extend(kept.filter(|(_, id)| !matches!(store.record(id), Ok(Some(_)))).map(|(_, id)| id.clone()));
    missing
}

/// A store on an observed disk, with that level of syncing.
fn on(path: &Path, synchronous: &str) -> Store {
    let vfs = Some(unum_powercut::NAME);
    let connection = connect(path, OpenFlags::default(), vfs).unwrap();
    prepare(&connection).unwrap();
    connection.pragma_update(None, "synchronous", synchronous).unwrap();
    // Checkpoints happen all the time.
    connection.pragma_update(None, "wal_autocheckpoint", 40).unwrap();
    let context = Context::new(Options::default(), sql::latest(&connection).unwrap());
    let readers = vec![reader(path, vfs).unwrap()];
    Store::of_sqlite(Sqlite::start(Arc::new(Mutex::new(connection)), readers, context, Place::default()).unwrap())
}

/// Cuts the power that many times, and returns what was missing after which cut.
fn cut(times: usize, seed: u64, synchronous: &'static str) -> Vec<(usize, Vec<String>)> {
    let folder = TempDir::new().unwrap();
    let data = folder.path().join("data");
    Store::open(&data).unwrap().close();
    let disk = Disk::watch(&data).unwrap();
    let store = on(&data.join(DATABASE), synchronous);
    let mut chance = Chance(seed);
    let promised = work(&store, &disk, &mut chance);
    let steps = disk.steps();
    assert!(steps > 1000, "only {steps} steps");
    let mut moments: Vec<usize> = (0..times).map(|_| chance.below(steps as u32 + 1) as usize).collect();
    moments.sort_unstable();
    let mut below = |bound| chance.below(bound);
    let image = folder.path().join("image");
    let mut bad = Vec::new();
    for (moment, cut) in moments.iter().zip(disk.cuts(&moments, &mut below)) {
        cut.write_to(&image).unwrap();
        let missing = missing(&image, *moment, &promised);
        if !missing.is_empty() {
            bad.push((*moment, missing));
        }
    }
    bad
}

/// How many cuts: `cargo xtask power` asks for more.
fn times() -> usize {
    std::env::var("UNUM_POWER_CUTS").ok().and_then(|text| text.parse().ok()).unwrap_or(30)
}

#[test]
fn nothing_acknowledged_is_lost_in_a_power_cut() {
    let (mut left, mut seed) = (times(), 1);
    while left > 0 {
        let now = left.min(100);
        assert_eq!(cut(now, seed, "full"), []);
        (left, seed) = (left - now, seed + 1);
    }
    println!("{} cuts, nothing acknowledged was lost", times());
}

#[test]
fn a_missing_sync_would_be_found() {
    let bad = cut(30, 1, "off");
    assert!(bad.len() > 10, "only {} of 30 cuts lost anything without syncing", bad.len());
    // In WAL mode, `normal` syncs only at checkpoints: nothing is damaged, but the last commits can be lost.
    let bad = cut(30, 1, "normal");
    assert!(bad.len() > 5, "only {} of 30 cuts lost anything with too few syncs", bad.len());
}
