//! A pool of threads that shares work and returns results in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use crate::EntryError;

/// How work is done: threads, cancellation, progress.
pub struct Crew<'a> {
    /// Number of threads.
    pub threads: usize,
    /// Set from outside to stop; finished work counts.
    pub stop: &'a AtomicBool,
    /// Told how many units have been counted so far.
    pub progress: &'a mut dyn FnMut(u64),
}

impl Crew<'_> {
    /// Does `chunks` chunks of work and yields the results in order, until there are no more, the crew is stopped or
    /// the results suffice.
    ///
    /// Every thread has its own state from `enter`. `work` gives up (`None`) when its last argument says that the
    /// result is no longer needed.
    ///
    /// # Errors
    /// Those of `enter`.
    pub fn run<W, T: Send>(
        &mut self,
        chunks: u64,
        enter: impl Fn() -> Result<W, EntryError> + Sync,
        work: impl Fn(&mut W, u64, &dyn Fn() -> bool) -> Option<T> + Sync,
        mut merge: impl FnMut(T, &mut dyn FnMut(u64)) -> ControlFlow<()>,
    ) -> Result<(), EntryError> {
        let next = AtomicU64::new(0);
        let enough = AtomicBool::new(false);
        let merged = Merged { window: AHEAD * self.threads.max(1) as u64, ..Merged::default() };
        let stopped = || self.stop.load(Ordering::Relaxed) || enough.load(Ordering::Relaxed);
        let worker = |results: mpsc::Sender<Result<(u64, T), EntryError>>| {
            let mut own = match enter() {
                Ok(own) => own,
                Err(error) => return drop(results.send(Err(error))),
            };
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks || !merged.wait_for(chunk, &stopped) {
                    return;
                }
                let Some(result) = work(&mut own, chunk, &stopped) else { return };
                if results.send(Ok((chunk, result))).is_err() {
                    return;
                }
            }
        };
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for _ in 0..self.threads.max(1) {
                let sender = sender.clone();
                let worker = &worker;
                scope.spawn(move || worker(sender));
            }
            drop(sender);
            let done = in_order(results, |result| {
                let flow = merge(result, self.progress);
                merged.one_more();
                flow
            });
            enough.store(true, Ordering::Relaxed);
            done
        })
    }
}

/// How many chunks per thread may be done before the results of an earlier one are merged: a slow chunk, or a slow disk, must
/// not fill the memory with results that wait.
const AHEAD: u64 = 8;

/// How long a worker sleeps before it looks whether the crew was stopped.
const NAP: Duration = Duration::from_millis(50);

/// How many chunks have been merged.
#[derive(Default)]
struct Merged {
    window: u64,
    chunks: Mutex<u64>,
    more: Condvar,
}

impl Merged {
    fn one_more(&self) {
        *self.chunks.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.more.notify_all();
    }

    /// Waits until a chunk may be begun; `false` if it is no longer needed.
    fn wait_for(&self, chunk: u64, stopped: &dyn Fn() -> bool) -> bool {
        let mut merged = self.chunks.lock().unwrap_or_else(PoisonError::into_inner);
        while !stopped() && chunk >= *merged + self.window {
            merged = self.more.wait_timeout(merged, NAP).unwrap_or_else(PoisonError::into_inner).0;
        }
        !stopped()
    }
}

/// Hands results over in the order of their numbers, however they come in. One that never comes is the end.
fn in_order<T>(
    results: mpsc::Receiver<Result<(u64, T), EntryError>>,
    mut merge: impl FnMut(T) -> ControlFlow<()>,
) -> Result<(), EntryError> {
    let mut waiting = BTreeMap::new();
    let mut next = 0;
    for result in results {
        let (number, result) = result?;
        waiting.insert(number, result);
        while let Some(result) = waiting.remove(&next) {
            next += 1;
            if merge(result).is_break() {
                return Ok(());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(threads: usize, chunks: u64, stop: &AtomicBool, last: u64) -> Result<Vec<u64>, EntryError> {
        let mut merged = Vec::new();
        let mut crew = Crew { threads, stop, progress: &mut |_| {} };
        let squares = |_: &mut (), chunk: u64, _: &dyn Fn() -> bool| Some(chunk * chunk);
        crew.run(
            chunks,
            || Ok(()),
            squares,
            |result, _| {
                merged.push(result);
                if result >= last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )?;
        Ok(merged)
    }

    #[test]
    fn results_come_in_order_whatever_the_number_of_threads() {
        let expected: Vec<u64> = (0..1000).map(|chunk| chunk * chunk).collect();
        for threads in [0, 1, 2, 5] {
            assert_eq!(run(threads, 1000, &AtomicBool::new(false), u64::MAX).unwrap(), expected);
        }
    }

    #[test]
    fn enough_is_enough() {
        for threads in [1, 2, 5] {
            assert_eq!(run(threads, u64::MAX, &AtomicBool::new(false), 9).unwrap(), [0, 1, 4, 9]);
        }
    }

    #[test]
    fn a_crew_that_is_stopped_does_nothing() {
        assert!(run(2, 1000, &AtomicBool::new(true), u64::MAX).unwrap().is_empty());
    }

    #[test]
    fn a_bot_that_cannot_enter_is_reported() {
        let mut crew = Crew { threads: 2, stop: &AtomicBool::new(false), progress: &mut |_| {} };
        let error = EntryError("no".to_owned());
        let result =
            crew.run(10, || Err::<(), _>(error.clone()), |_, chunk, _| Some(chunk), |_, _| ControlFlow::Continue(()));
        assert_eq!(result, Err(error));
    }
}
