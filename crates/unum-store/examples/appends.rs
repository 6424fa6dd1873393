//! How fast entries become durable on SQLite and on PostgreSQL, next to plain SQLite in the same run, and how fast tables
//! are read again. PostgreSQL is a private server that syncs every commit; where there is none, its column is empty.
//!
//! `cargo run --release -p unum-store --example appends [FOLDER]` writes below the given folder (the system's temporary
//! one if there is none): choose one on the disk you want to measure.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use unum_scratch::{Care, Scratch};
use unum_store::{Batch, Options, Store};

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
    let parent = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let postgres = Scratch::start_in(&parent, Care::Synced).map_err(|why| println!("without PostgreSQL: {why}")).ok();
    println!(
        "{:>10} {:>12} {:>12} {:>7} {:>12} {:>7}",
        "at once", "plain SQLite", "on SQLite", "ratio", "PostgreSQL", "ratio"
    );
    for group in [1, 16, 256, 1000] {
        let plain = plain_appends(&folder.path().join(format!("plain{group}")), group)?;
        let embedded = store_appends(Store::open(&folder.path().join(format!("store{group}")))?, group)?;
        print!("{group:>10} {plain:>12.0} {embedded:>12.0} {:>7.2}", embedded / plain);
        if let Some(postgres) = &postgres {
            let far = store_appends(on_postgres(postgres, group)?, group)?;
            print!(" {far:>12.0} {:>7.2}", far / embedded);
        }
        println!();
    }
    println!("The ratios: on SQLite to plain SQLite, and PostgreSQL to SQLite.");
    reads(&folder.path().join("reads"))
}

/// One insert per entry into a table with the same index, several to a transaction.
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

/// A store in a schema of its own.
fn on_postgres(server: &Scratch, group: usize) -> Result<Store, Box<dyn Error>> {
    let schema = format!("appends{group}");
    server.sql(&format!("CREATE SCHEMA {schema}"))?;
    Ok(Store::connect(&server.address(&schema).parse()?, Options::default())?)
}

/// Several tables, each of which waits for its entry before it sends the next.
fn store_appends(store: Store, group: usize) -> Result<f64, Box<dyn Error>> {
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
