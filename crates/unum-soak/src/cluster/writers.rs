//! Two writers race for the same tables without leases: the database alone decides who wins each sequence number.

use std::sync::mpsc;
use std::time::Instant;

use anyhow::{anyhow, bail, ensure};
use unum_scratch::{Care, Scratch};
use unum_store::{Batch, DatabaseAddress, Options, Store, StoreError};

use super::Plan;
use crate::verdict::Line;

/// Tables contested at the same time, so that commits are shared as in production.
const TABLES: u64 = 32;

/// The result of a race.
struct Race {
    numbers: u64,
    /// Numbers won by each of the two.
    won: [u64; 2],
    /// Numbers won by both or neither, or whose entry is not the winner's.
    wrong: u64,
}

/// Has two stores race for every number of every table.
pub(crate) async fn race(plan: &Plan) -> anyhow::Result<Vec<Line>> {
    let tries = plan.tries;
    let begun = Instant::now();
    let race = tokio::task::spawn_blocking(move || fight(tries)).await??;
    let measured = format!(
        "{} numbers of {TABLES} tables in {:.0} s: {} and {} won, {} wrong",
        race.numbers,
        begun.elapsed().as_secs_f64(),
        race.won[0],
        race.won[1],
        race.wrong
    );
    let both = race.won.iter().all(|won| *won > 0);
    let must = "exactly one of two writers wins each number".to_owned();
    Ok(vec![Line { what: "writers", must, measured, holds: race.wrong == 0 && both, timed: false }])
}

fn fight(tries: u64) -> anyhow::Result<Race> {
    let server = Scratch::start(Care::None).map_err(|why| anyhow!(why))?;
    server.sql("CREATE SCHEMA race").map_err(|why| anyhow!(why))?;
    let address: DatabaseAddress = server.address("race").parse().map_err(|why: String| anyhow!(why))?;
    let stores = [Store::connect(&address, Options::default())?, Store::connect(&address, Options::default())?];
    let rounds = tries.div_ceil(TABLES);
    let mut race = Race { numbers: rounds * TABLES, won: [0; 2], wrong: 0 };
    for after in 0..rounds {
        let winners = fight_for(&stores, after)?;
        for won in &winners {
            match won {
                [true, false] => race.won[0] += 1,
                [false, true] => race.won[1] += 1,
                _ => race.wrong += 1,
            }
        }
        if (after + 1) % 500 == 0 {
            eprintln!("{} of {} numbers", (after + 1) * TABLES, race.numbers);
        }
    }
    race.wrong += check(&stores[0], rounds, race.won)?;
    stores.into_iter().for_each(Store::close);
    Ok(race)
}

/// Both stores try to write the next number of every table. Returns which of them succeeded. They alternate in asking
/// first, so that both have a chance.
fn fight_for(stores: &[Store; 2], after: u64) -> anyhow::Result<Vec<[bool; 2]>> {
    let (tell, told) = mpsc::channel();
    for table in 0..TABLES {
        for turn in 0..2 {
            let who = ((turn + table + after) % 2) as usize;
            let entries = vec![vec![who as u8]];
            let batch = Batch { table: format!("T{table}"), after, entries, ..Batch::default() };
            let tell = tell.clone();
            stores[who].append(batch, move |result| drop(tell.send((table, who, result))));
        }
    }
    drop(tell);
    let mut winners = vec![[false; 2]; TABLES as usize];
    for (table, who, result) in told {
        match result {
            Ok(()) => winners[table as usize][who] = true,
            Err(StoreError::Conflict { .. }) => {}
            Err(error) => bail!("writer {who}, table {table}, number {}: {error}", after + 1),
        }
    }
    Ok(winners)
}

/// Checks that the journals have every number once, and as many entries of each writer as it has won.
fn check(store: &Store, rounds: u64, won: [u64; 2]) -> anyhow::Result<u64> {
    let mut found = [0_u64; 2];
    for table in 0..TABLES {
        let journal = store.journal(&format!("T{table}"))?;
        ensure!(journal.len() as u64 == rounds, "table {table} has {} entries in place of {rounds}", journal.len());
        for (number, (seq, body)) in (1..).zip(journal) {
            ensure!(seq == number && body.len() == 1 && body[0] < 2, "table {table}: {body:?} as number {seq}");
            found[usize::from(body[0])] += 1;
        }
    }
    Ok(found[0].abs_diff(won[0]) + found[1].abs_diff(won[1]))
}
