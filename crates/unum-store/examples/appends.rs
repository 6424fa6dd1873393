//! How fast entries become durable, next to plain SQLite in the same run, and how fast tables are read again.
//!
//! `cargo run --release -p unum-store --example appends [FOLDER]` writes below the given folder (the system's temporary
//! one if there is none): choose one on the disk you want to measure.

use std::error::Error;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use unum_store::{Batch, Store};

/// How long every figure is measured.
const TIME: Duration = Duration::from_secs(2);
/// How many bytes an entry has.
const BYTES: usize = 200;
/// How many tables with how many entries are read again.
const TABLES: usize = 1000;
const ENTRIES: u64 = 300;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = match std::env::args_os().nth(1) {
        Some(parent) => tempfile::tempdir_in(parent)?,
        None => tempfile::tempdir()?,
    };
    println!("entries of {BYTES} bytes that the disk has, per second");
    println!("{:>10} {:>12} {:>12} {:>7}", "at once", "SQLite", "unum-store", "ratio");
    for group in [1, 16, 256, 1000] {
        let plain = plain_appends(&folder.path().join(format!("plain{group}")), group)?;
        let store = store_appends(&folder.path().join(format!("store{group}")), group)?;
        println!("{group:>10} {plain:>12.0} {store:>12.0} {:>7.2}", store / plain);
    }
    reads(&folder.path().join("reads"))
}

/// One insert per entry into a table with the same index, so many in a transaction.
fn plain_appends(folder: &Path, group: usize) -> Result<f64, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let connection = Connection::open(folder.join("plain.db"))?;
    connection.execute_batch(
        "PRAGMA journal_mode = wal; PRAGMA synchronous = full; PRAGMA wal_autocheckpoint = 4000;
         CREATE TABLE journal (id INTEGER PRIMARY KEY, table_id INTEGER, seq INTEGER, body BLOB);
         CREATE UNIQUE INDEX journal_by_table ON journal (table_id, seq);",
    )?;
    let body = vec![b'x'; BYTES];
    measure(group, |round| {
        let transaction = connection.unchecked_transaction()?;
        let mut insert = transaction.prepare_cached("INSERT INTO journal (table_id, seq, body) VALUES (?, ?, ?)")?;
        for table in 0..group {
            insert.execute((table, round, &body))?;
        }
        drop(insert);
        Ok(transaction.commit()?)
    })
}

/// So many tables, each of which waits for its entry before it sends the next.
fn store_appends(folder: &Path, group: usize) -> Result<f64, Box<dyn Error>> {
    let store = Store::open(folder)?;
    let codes: Vec<String> = (0..group).map(|table| format!("T{table}")).collect();
    let (tell, told) = mpsc::channel();
    measure(group, |round| {
        for code in &codes {
            let entries = vec![vec![b'x'; BYTES]];
            let batch = Batch { table: code.clone(), after: round, entries, ..Batch::default() };
            let tell = tell.clone();
            store.append(batch, move |result| drop(tell.send(result)));
        }
        Ok(told.iter().take(group).collect::<Result<(), _>>()?)
    })
}

/// Rounds per second times the size of the group.
fn measure(group: usize, mut round: impl FnMut(u64) -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
    let begun = Instant::now();
    let mut rounds = 0;
    while begun.elapsed() < TIME {
        round(rounds)?;
        rounds += 1;
    }
    Ok(rounds as f64 * group as f64 / begun.elapsed().as_secs_f64())
}

/// Many tables, opened and read from the first entry to the last.
fn reads(folder: &Path) -> Result<(), Box<dyn Error>> {
    let store = Store::open(folder)?;
    let (tell, told) = mpsc::channel();
    // One entry per table and round, as tables that are played at the same time write them.
    for after in 0..ENTRIES {
        for table in 0..TABLES {
            let entries = vec![vec![b'x'; BYTES]];
            let batch = Batch { table: format!("T{table}"), after, entries, ..Batch::default() };
            let tell = tell.clone();
            store.append(batch, move |result| drop(tell.send(result)));
        }
        told.iter().take(TABLES).collect::<Result<(), _>>()?;
    }
    store.close();
    let begun = Instant::now();
    let store = Store::open(folder)?;
    let opened = begun.elapsed();
    let mut times = Vec::new();
    for row in store.open_tables()? {
        let begun = Instant::now();
        let table = store.load(&row.code)?.ok_or("a table is missing")?;
        times.push(begun.elapsed());
        assert_eq!(table.entries.len() as u64, ENTRIES);
    }
    times.sort();
    let all: Duration = times.iter().sum();
    println!("{TABLES} tables with {ENTRIES} entries: opened in {opened:.0?}, all read in {all:.0?},");
    println!("one in {:.0?} (median), {:.0?} (99 of 100)", times[TABLES / 2], times[TABLES * 99 / 100]);
    Ok(())
}
