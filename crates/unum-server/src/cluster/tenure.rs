//! Watches this node's leases. A node that cannot renew them stops serving its tables before they expire; one that was
//! declared dead joins again.

use std::sync::Arc;
use std::time::Instant;

use tokio::time::timeout;

use super::Cluster;
use crate::app::App;

/// Watches until the server stops.
pub(super) async fn watch(app: Arc<App>, cluster: Arc<Cluster>) {
    let mut served: Vec<bool> = (0..app.store.shards()).map(|shard| app.store.may_serve(shard)).collect();
    let mut tried = None;
    while timeout(cluster.terms.term / 40, app.ended()).await.is_err() {
        for (shard, served) in served.iter_mut().enumerate() {
            let serves = app.store.may_serve(shard);
            if *served && !serves {
                tracing::warn!(database = shard + 1, "the leases could not be renewed: the tables are put away");
                app.hub.evict(shard);
            }
            *served = serves;
        }
        let is_due = tried.is_none_or(|at: Instant| at.elapsed() >= cluster.terms.renewed_every());
        if is_due && (0..served.len()).any(|shard| app.store.is_given_up(shard)) {
            tried = (!rejoin(&app, &cluster).await).then(Instant::now);
        }
    }
}

/// Joins again, or for the first time in a database that was unreachable at the start. Returns whether that succeeded.
async fn rejoin(app: &App, cluster: &Cluster) -> bool {
    let (address, terms) = (cluster.address.clone(), cluster.terms);
    match app.store(move |store| store.rejoin(&address, terms)).await {
        Ok(()) => tracing::warn!("this node was given up by the others, or a database was away; it takes part again"),
        Err(ref error) => {
            tracing::warn!(%error, "this node cannot take part again yet");
            return false;
        }
    }
    true
}
