//! From what a table decided to what the journal holds.

use std::sync::Arc;
use std::time::Instant;

use tokio::sync::oneshot;
use unum_protocol::rest::Listing;
use unum_store::{ListingChange, Part, Store, StoreError};
use unum_table::{Batch, Entry, Fact, GuestId, MatchPart};

use crate::metrics::Metrics;

/// A batch as the store takes it. `listing` is how the table is listed, if that has changed.
pub(crate) fn rows(code: &str, batch: &Batch, listing: Option<Option<&Listing>>) -> unum_store::Batch {
    let numbers = |guests: &[GuestId]| guests.iter().map(|guest| guest.0).collect();
    let row = |entry: &Entry| serde_json::to_vec(entry).expect("entries are made of names, numbers and lists");
    unum_store::Batch {
        table: code.to_owned(),
        invite: batch.renewed.clone(),
        after: batch.after,
        epoch: 0,
        entries: batch.entries.iter().map(row).collect(),
        snapshot: batch.snapshot.as_ref().map(|snapshot| (snapshot.seq, snapshot.body.clone().into_bytes())),
        parts: batch.parts.iter().map(part).collect(),
        owner: None,
        quiet: batch.entries.iter().all(|entry| matches!(entry.fact, Fact::Hushed {})),
        talk: batch.entries.iter().rev().find_map(talk),
        people: numbers(&batch.joined),
        left: numbers(&batch.left),
        listing: listing.map_or_else(ListingChange::default, shown),
        closed: batch.closed,
    }
}

fn part(part: &MatchPart) -> Part {
    Part { number: part.number, first: part.first, last: part.last, body: part.body.clone().into_bytes() }
}

/// Whether there is something to forget after an entry, if it says so.
fn talk(entry: &Entry) -> Option<bool> {
    match entry.fact {
        Fact::Chatted { .. } => Some(true),
        Fact::Hushed {} => Some(false),
        _ => None,
    }
}

fn shown(listing: Option<&Listing>) -> ListingChange {
    match listing.map(serde_json::to_string) {
        Some(Ok(text)) => ListingChange::Show(text),
        _ => ListingChange::Hide,
    }
}

/// Begins to write; the future resolves once the disk has it.
pub(crate) fn write(
    store: &Store,
    metrics: &Arc<Metrics>,
    batch: unum_store::Batch,
) -> impl Future<Output = Result<(), StoreError>> + use<> {
    let (sender, receiver) = oneshot::channel();
    let (metrics, begun, entries) = (Arc::clone(metrics), Instant::now(), batch.entries.len() as u64);
    store.append(batch, move |result| {
        // The task that waited may have been stopped.
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
