//! A pool of threads that shares work and returns results in order.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

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
        let stopped = || self.stop.load(Ordering::Relaxed) || enough.load(Ordering::Relaxed);
        let worker = |results: mpsc::Sender<Result<(u64, T), EntryError>>| {
            let mut own = match enter() {
                Ok(own) => own,
                Err(error) => return drop(results.send(Err(error))),
            };
            loop {
                let chunk = next.fetch_add(1, Ordering::Relaxed);
                if chunk >= chunks || stopped() {
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
            let done = in_order(results, |result| merge(result, self.progress));
            enough.store(true, Ordering::Relaxed);
            done
        })
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
