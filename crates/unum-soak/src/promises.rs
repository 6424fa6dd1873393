//! What a server has promised, compared with what its journal has: every acknowledged request is there once, under the
//! number that was told, and every table can be restored.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Context as _, ensure};
use unum_store::{Options, Store};
use unum_table::{Dice, Entry, Moment, Table};

use crate::crowd::Report;

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Requests that had been acknowledged.
    pub acknowledged: u64,
    /// Those of them that the journal does not have, or has elsewhere.
    pub lost: u64,
    /// Requests that the journal has more than once.
    pub doubled: u64,
    /// Entries of the journal.
    pub entries: u64,
    /// Tables that could be restored from it.
    pub restored: u64,
}

impl Verdict {
    /// Whether every promise was kept, at that many tables.
    pub fn holds(&self, tables: usize) -> bool {
        (self.lost, self.doubled, self.restored) == (0, 0, tables as u64)
    }
}

/// The options of a store that keeps all entries.
pub(crate) fn keeping() -> Options {
    Options { keep_journals: true, ..Options::default() }
}

/// Looks up everything that was acknowledged in the journal.
///
/// # Errors
/// When a table is missing, has gaps or cannot be restored, or somebody saw what the journal does not have.
pub(crate) fn compare(store: &Store, reports: &[Report]) -> anyhow::Result<Verdict> {
    let mut by_table: BTreeMap<&str, Vec<&Report>> = BTreeMap::new();
    for report in reports {
        by_table.entry(&report.code).or_default().push(report);
    }
    let mut verdict = Verdict::default();
    for (code, reports) in by_table {
        let entries = journal(store, code)?;
        verdict.entries += entries.len() as u64;
        count_broken(&entries, &reports, &mut verdict);
        let last = entries.last().map_or(0, |entry| entry.seq);
        ensure!(
            reports.iter().all(|report| report.seen <= last),
            "table {code}: somebody saw more than the journal has"
        );
        let table = Table::restore(None, entries, Moment(0), &mut Fixed).with_context(|| format!("table {code}"))?;
        verdict.restored += u64::from(table.seq() == last);
    }
    Ok(verdict)
}

/// All entries of a table, whose numbers have to be without gaps.
fn journal(store: &Store, code: &str) -> anyhow::Result<Vec<Entry>> {
    let mut entries: Vec<Entry> = Vec::new();
    let id = store.invited(code)?.with_context(|| format!("table {code} is not in the journal"))?;
    for (number, (seq, body)) in (1..).zip(store.journal(&id)?) {
        let entry: Entry = serde_json::from_slice(&body).with_context(|| format!("table {code}, entry {seq}"))?;
        ensure!(seq == number && entry.seq == seq, "table {code}: entry {seq} in place {number}");
        entries.push(entry);
    }
    Ok(entries)
}

fn count_broken(entries: &[Entry], reports: &[&Report], verdict: &mut Verdict) {
    let mut places: HashMap<(u32, u32), Vec<u64>> = HashMap::new();
    for entry in entries {
        if let Some(by) = entry.by {
            places.entry(by).or_default().push(entry.seq);
        }
    }
    verdict.doubled += places.values().filter(|seqs| seqs.len() > 1).count() as u64;
    for report in reports {
        verdict.acknowledged += report.tally.acknowledged.len() as u64;
        for (id, seq) in &report.tally.acknowledged {
            verdict.lost += u64::from(places.get(&(report.person, *id)).is_none_or(|seqs| !seqs.contains(seq)));
        }
    }
}

/// For a restored table that is only looked at.
struct Fixed;

impl Dice for Fixed {
    fn roll(&mut self) -> [u8; 32] {
        [0; 32]
    }
}
