//! Watches the leases of this node: one that cannot renew them stops serving its tables before they end, and one that was
//! declared dead takes part again.

use std::sync::Arc;

use tokio::time::timeout;

use super::Cluster;
use crate::app::App;

/// Watches as long as the server runs.
pub(super) async fn watch(app: Arc<App>, cluster: Arc<Cluster>) {
    let mut served = vec![true; app.store.shards()];
    while timeout(cluster.terms.term / 40, app.ended()).await.is_err() {
        for (shard, served) in served.iter_mut().enumerate() {
            let serves = app.store.may_serve(shard);
            if *served && !serves {
                tracing::warn!(database = shard + 1, "the leases could not be renewed: the tables are put away");
                app.hub.evict(shard);
            }
            *served = serves;
        }
        if (0..served.len()).any(|shard| app.store.is_given_up(shard)) {
            rejoin(&app, &cluster).await;
        }
    }
}

/// Takes part again. If that does not succeed, it is tried again soon.
async fn rejoin(app: &App, cluster: &Cluster) {
    let (address, terms) = (cluster.address.clone(), cluster.terms);
    match app.store(move |store| store.rejoin(&address, terms)).await {
        Ok(()) => tracing::warn!("the other nodes had given this one up; it takes part again"),
        Err(error) => tracing::warn!(%error, "this node was given up by the others and cannot take part again yet"),
    }
}
