//! From what a table decided to what the journal holds.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::oneshot;
use unum_store::{Batch, ListingChange, Store, StoreError};
use unum_table::{Fact, Listing, Outcome, Table};

use crate::metrics::Metrics;

/// Puts outcomes of one table together. `after` is the number of the last entry before them; `listed` is whether the
/// list of public tables has to learn of a change.
pub(crate) fn batch_of(
    code: &str,
    after: u64,
    outcomes: impl IntoIterator<Item = Outcome>,
    table: &Table,
    listed: bool,
) -> Batch {
    let mut batch = Batch { table: code.to_owned(), after, closed: table.is_closed(), ..Batch::default() };
    for outcome in outcomes {
        for entry in &outcome.entries {
            batch.entries.push(serde_json::to_vec(entry).expect("entries are made of names, numbers and lists"));
            if let Fact::Joined { guest, .. } = entry.fact {
                batch.people.push(guest.0);
            }
        }
        if let Some(snapshot) = outcome.snapshot {
            batch.snapshot = Some((snapshot.seq, snapshot.body.into_bytes()));
        }
        batch.left.extend(outcome.dismissed.iter().map(|guest| guest.0));
    }
    if listed {
        batch.listing = shown(table.listing().as_ref());
    }
    batch
}

fn shown(listing: Option<&Listing>) -> ListingChange {
    match listing.map(serde_json::to_string) {
        Some(Ok(text)) => ListingChange::Show(text),
        _ => ListingChange::Hide,
    }
}

/// Begins to write; what is returned comes true when the disk has it.
pub(crate) fn write(
    store: &Store,
    metrics: &Arc<Metrics>,
    batch: Batch,
) -> impl Future<Output = Result<(), StoreError>> + use<> {
    let (sender, receiver) = oneshot::channel();
    let (metrics, begun, entries) = (Arc::clone(metrics), Instant::now(), batch.entries.len() as u64);
    store.append(batch, move |result| {
        // Whoever waited may have been stopped.
        let _ = sender.send(result);
    });
    async move {
        let result = receiver.await.unwrap_or(Err(StoreError::Closed));
        match &result {
            Ok(()) => {
                metrics.journal_time.record_time(begun.elapsed());
                metrics.batch_entries.record(entries);
                metrics.entries.add(entries);
            }
            Err(error) => {
                metrics.failed_writes.one();
                tracing::warn!(%error, "the journal could not be written");
            }
        }
        result
    }
}
