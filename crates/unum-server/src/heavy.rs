//! Heavy requests: replays, records as text, exports. They run a few at a time, off the async workers, with a bounded
//! queue.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::metrics::Metrics;

/// How many are made at the same time. Each takes about 20 MiB for the longest match that is shown.
const AT_ONCE: usize = 1;
/// How many may wait, and how long.
const WAITING: usize = 256;
const PATIENCE: Duration = Duration::from_secs(20);
/// How many KiB of long answers may be on their way.
const ROOM: u32 = 8 * 1024;
/// How many requests a heavy one counts for.
pub(crate) const COST: u32 = 10;

/// Where heavy work is done.
#[derive(Debug)]
pub(crate) struct Heavy {
    workers: Arc<Semaphore>,
    waiting: AtomicUsize,
    /// Room for answers that are being sent, in KiB.
    room: Arc<Semaphore>,
    metrics: Arc<Metrics>,
}

/// Why heavy work was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undone {
    /// Too many wait already, or it took too long.
    Busy,
    /// It panicked.
    Panicked,
}

/// One that waits.
struct Waiting<'a>(&'a AtomicUsize);

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Heavy {
    pub(crate) fn new(metrics: Arc<Metrics>) -> Heavy {
        let (workers, room) = (Arc::new(Semaphore::new(AT_ONCE)), Arc::new(Semaphore::new(ROOM as usize)));
        Heavy { workers, waiting: AtomicUsize::new(0), room, metrics }
    }

    /// Room for a long answer, as long as it is being sent.
    pub(crate) fn room(&self, bytes: usize) -> Result<OwnedSemaphorePermit, Undone> {
        let wanted = u32::try_from(bytes / 1024 + 1).unwrap_or(ROOM).min(ROOM);
        Arc::clone(&self.room).try_acquire_many_owned(wanted).map_err(|_| Undone::Busy)
    }

    /// Runs a job when its turn comes, on a thread that may block.
    pub(crate) async fn run<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, Undone> {
        let permit = {
            let before = self.waiting.fetch_add(1, Ordering::Relaxed);
            let _waiting = Waiting(&self.waiting);
            if before >= WAITING {
                return Err(Undone::Busy);
            }
            let turn = tokio::time::timeout(PATIENCE, Arc::clone(&self.workers).acquire_owned()).await;
            turn.map_err(|_| Undone::Busy)?.map_err(|_| Undone::Busy)?
        };
        let done = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        done.await.map_err(|_| {
            self.metrics.panics.one();
            Undone::Panicked
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn few_work_few_wait_and_the_rest_is_refused() {
        let heavy = Arc::new(Heavy::new(Arc::new(Metrics::new())));
        let gate = Arc::new(std::sync::Barrier::new(2));
        let (begun, inside) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let mut tasks = tokio::task::JoinSet::new();
        let first = {
            let (heavy, gate) = (Arc::clone(&heavy), Arc::clone(&gate));
            tokio::spawn(async move { heavy.run(move || gate.wait()).await.is_ok() })
        };
        while heavy.workers.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        for _ in 0..WAITING + 50 {
            let (heavy, begun, inside) = (Arc::clone(&heavy), Arc::clone(&begun), Arc::clone(&inside));
            tasks.spawn(async move {
                heavy
                    .run(move || {
                        begun.fetch_add(1, Ordering::Relaxed);
                        assert_eq!(inside.fetch_add(1, Ordering::Relaxed), 0, "one at a time");
                        inside.fetch_sub(1, Ordering::Relaxed);
                    })
                    .await
            });
        }
        let mut refused = 0;
        while refused < 50 {
            assert_eq!(tasks.join_next().await.unwrap().unwrap(), Err(Undone::Busy));
            refused += 1;
        }
        gate.wait();
        assert!(first.await.unwrap());
        while let Some(done) = tasks.join_next().await {
            assert_eq!(done.unwrap(), Ok(()));
        }
        assert_eq!(begun.load(Ordering::Relaxed), WAITING);
        assert_eq!(heavy.run(|| panic!("on purpose")).await, Err::<(), _>(Undone::Panicked));
        assert_eq!(heavy.run(|| 7).await, Ok(7));
    }
}
