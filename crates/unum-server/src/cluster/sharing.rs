//! Hands tables over to other nodes: all of them when this node stops, some when others run fewer (rebalancing).

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::sync::{mpsc, oneshot};
use unum_store::lease::{Lease, NodeRow, NodeState};

use super::{Cluster, Link};
use crate::app::App;
use crate::hub::Mailbox;
use crate::mail::{Heir, Mail};

/// Tables handed over at the same time. Each pauses until it is loaded elsewhere; play continues at the others.
const AT_ONCE: usize = 16;
/// How far above its share a node must be before it gives tables away: in tables, and as a part of its share.
const SLACK: usize = 4;
const SLACK_PART: usize = 8;
/// For how many checks in a row, so that a node that comes and goes gets none.
const LOOKS: u32 = 3;

/// A lease to release or hand over.
#[derive(Debug)]
pub(super) struct Pass {
    lease: Lease,
    to: Option<u64>,
    done: oneshot::Sender<bool>,
}

/// Hands leases over until the server stops. Those that wait go in one batch.
pub(super) async fn pass_leases(app: Arc<App>, mut asked: mpsc::UnboundedReceiver<Pass>) {
    while let Some(first) = asked.recv().await {
        let mut waiting = vec![first];
        while let Ok(next) = asked.try_recv() {
            waiting.push(next);
        }
        while let Some(to) = waiting.first().map(|pass| pass.to) {
            let (some, others): (Vec<Pass>, Vec<Pass>) = waiting.into_iter().partition(|pass| pass.to == to);
            waiting = others;
            let (leases, told): (Vec<Lease>, Vec<_>) = some.into_iter().map(|pass| (pass.lease, pass.done)).unzip();
            let passed = app.store(move |store| store.hand_over(&leases, to)).await;
            if let Err(error) = &passed {
                tracing::warn!(%error, "tables could not be given away; others take them when this node is gone");
            }
            let passed = passed.unwrap_or_default().into_iter().chain(std::iter::repeat(false));
            for (done, passed) in told.into_iter().zip(passed) {
                // The table may have ended meanwhile.
                let _ = done.send(passed);
            }
        }
    }
}

/// A node that can take tables, and how many it has.
struct Taker {
    node: u64,
    link: Arc<Link>,
    tables: usize,
}

impl Cluster {
    /// Releases a lease, or hands it to another node. Returns whether that succeeded.
    pub(crate) async fn pass(&self, table: &str, epoch: u64, to: Option<u64>) -> bool {
        let (done, passed) = oneshot::channel();
        let lease = Lease { table: table.to_owned(), epoch };
        let asked = self.passes.send(Pass { lease, to, done });
        asked.is_ok() && passed.await.unwrap_or(false)
    }

    /// Hands all tables over to the other nodes, some at a time. Tables that no node can take stay.
    pub(crate) async fn give_all_away(&self, app: &App) {
        let nodes = app.store(|store| store.nodes()).await.unwrap_or_else(|_| self.nodes());
        let mut takers = self.takers(&nodes, usize::MAX).await;
        self.give(app.hub.leased(), &mut takers).await;
    }

    /// Hands some tables over if others have had fewer for a while. `looks` counts for how long.
    pub(super) async fn share(&self, app: &App, looks: &mut u32) {
        let tables = app.hub.leased();
        let nodes: Vec<NodeRow> = self.nodes().into_iter().filter(|node| self.can_take(node)).collect();
        let others: usize = nodes.iter().map(tables_of).sum();
        let fair = (tables.len() + others).div_ceil(nodes.len() + 1);
        let most = fair + SLACK.max(fair / SLACK_PART);
        *looks = if tables.len() > most && !app.draining.load(Ordering::Relaxed) { *looks + 1 } else { 0 };
        if *looks < LOOKS {
            return;
        }
        let mut takers = self.takers(&nodes, fair).await;
        // Other nodes may give to the same ones.
        let count = ((tables.len() - fair) / 2).min(AT_ONCE);
        self.give(tables.into_iter().take(count).collect(), &mut takers).await;
    }

    /// The nodes that can take tables and have fewer than `most`.
    async fn takers(&self, nodes: &[NodeRow], most: usize) -> Vec<Taker> {
        let mut takers = Vec::new();
        for row in nodes.iter().filter(|row| self.can_take(row) && tables_of(row) < most) {
            if let Some(link) = self.link(row.id, &row.address).await.filter(|link| link.is_answering()) {
                takers.push(Taker { node: row.id, link, tables: tables_of(row) });
            }
        }
        takers
    }

    /// Whether a node can be given tables: it is not stopping, and can read what this one has written.
    fn can_take(&self, row: &NodeRow) -> bool {
        let is_recent = row.silent_for < self.terms.renewed_every() * 3;
        row.id != self.node
            && row.state == NodeState::Alive
            && !row.is_alone
            && is_recent
            && numbers(&row.version) >= numbers(env!("CARGO_PKG_VERSION"))
    }

    async fn give(&self, tables: Vec<Mailbox>, takers: &mut [Taker]) {
        for some in tables.chunks(AT_ONCE) {
            let mut waiting = Vec::new();
            for mailbox in some {
                let Some(taker) = takers.iter_mut().min_by_key(|taker| taker.tables) else { return };
                taker.tables += 1;
                let (done, gone) = oneshot::channel();
                let heir = Heir { node: taker.node, link: Arc::clone(&taker.link), at: Instant::now(), done };
                // A table that has ended meanwhile stays.
                if mailbox.send(Mail::HandOver(Box::new(heir))).await.is_ok() {
                    waiting.push(gone);
                }
            }
            for gone in waiting {
                // Nothing is sent: the sender is dropped.
                let _ = gone.await;
            }
        }
    }
}

fn tables_of(row: &NodeRow) -> usize {
    usize::try_from(row.tables).unwrap_or(usize::MAX)
}

/// The numbers of a version, for comparison.
fn numbers(version: &str) -> Vec<u64> {
    version.split(['.', '-', '+']).map_while(|part| part.parse().ok()).collect()
}

/// The pause between stopping relays, so that not all clients reconnect at once.
const BREATH: Duration = Duration::from_millis(20);

/// Stops tasks, some at a time: waits for those with tables, and spreads the clients of relays over time.
pub(crate) async fn stop_all(mailboxes: &[Mailbox]) {
    for some in mailboxes.chunks(AT_ONCE) {
        for mailbox in some {
            // A table that has ended needs no message.
            let _ = mailbox.send(Mail::Stop).await;
        }
        for mailbox in some {
            mailbox.closed().await;
        }
        tokio::time::sleep(BREATH).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_compared_by_their_numbers() {
        assert!(numbers("0.10.0") > numbers("0.9.3"));
        assert!(numbers("1.0.0-rc.1") >= numbers("1.0.0"));
        assert!(numbers("0.1.0") < numbers("0.1.1"));
    }
}
