//! The writer's queue, bounded in jobs and bytes.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rusqlite::Connection;

use crate::StoreError;

/// How many jobs may wait.
pub(crate) const MAX_JOBS: usize = 1 << 16;
/// How many bytes may wait.
pub(crate) const MAX_BYTES: usize = 64 << 20;

/// Something to write. It returns a number, such as the id of what was added, which `done` gets once the disk has it.
pub(crate) struct Job {
    /// Does the writing, which is undone if it fails.
    pub(crate) work: Work,
    /// Gets the result.
    pub(crate) done: Done,
    /// Roughly how many bytes it holds.
    pub(crate) weight: usize,
}

pub(crate) type Work = Box<dyn FnOnce(&Connection) -> Result<u64, StoreError> + Send>;
pub(crate) type Done = Box<dyn FnOnce(Result<u64, StoreError>) + Send>;

/// Jobs in order of arrival, with bounded memory.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    jobs: VecDeque<Job>,
    bytes: usize,
    closed: bool,
    /// Whether the next `take` panics.
    #[cfg(test)]
    fails: bool,
}

impl Waiting {
    fn is_idle(&self) -> bool {
        #[cfg(test)]
        let awake = self.closed || self.fails;
        #[cfg(not(test))]
        let awake = self.closed;
        self.jobs.is_empty() && !awake
    }
}

impl Queue {
    /// Queues a job, or hands it back with the reason why it cannot wait.
    pub(crate) fn push(&self, job: Job) -> Result<(), (Job, StoreError)> {
        let mut waiting = self.lock();
        if waiting.closed {
            return Err((job, StoreError::Closed));
        }
        if waiting.jobs.len() >= MAX_JOBS || (waiting.bytes + job.weight > MAX_BYTES && !waiting.jobs.is_empty()) {
            return Err((job, StoreError::Busy));
        }
        waiting.bytes += job.weight;
        waiting.jobs.push_back(job);
        // The writer sleeps only while the queue is empty, and waking it is a system call.
        if waiting.jobs.len() == 1 {
            self.changed.notify_one();
        }
        Ok(())
    }

    /// Waits for jobs and takes up to `most` of them. The list is empty if none came in time; `None` means closed and
    /// empty.
    pub(crate) fn take(&self, most: usize, patience: Option<Duration>) -> Option<Vec<Job>> {
        let idle = |waiting: &mut Waiting| waiting.is_idle();
        let guard = self.lock();
        let mut waiting = match patience {
            None => self.changed.wait_while(guard, idle).unwrap_or_else(PoisonError::into_inner),
            Some(time) => self.changed.wait_timeout_while(guard, time, idle).unwrap_or_else(PoisonError::into_inner).0,
        };
        #[cfg(test)]
        assert!(!std::mem::take(&mut waiting.fails), "on purpose");
        if waiting.closed && waiting.jobs.is_empty() {
            return None;
        }
        let count = waiting.jobs.len().min(most);
        let jobs: Vec<Job> = waiting.jobs.drain(..count).collect();
        waiting.bytes -= jobs.iter().map(|job| job.weight).sum::<usize>();
        Some(jobs)
    }

    /// Accepts no more jobs; those that wait are still handed out.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Makes the writer panic.
    #[cfg(test)]
    pub(crate) fn fail(&self) {
        self.lock().fails = true;
        self.changed.notify_all();
    }

    /// How many jobs wait.
    pub(crate) fn len(&self) -> usize {
        self.lock().jobs.len()
    }

    fn lock(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(weight: usize) -> Job {
        Job { work: Box::new(|_| Ok(0)), done: Box::new(|_| ()), weight }
    }

    fn refusal(queue: &Queue, weight: usize) -> Option<StoreError> {
        queue.push(job(weight)).err().map(|(_, error)| error)
    }

    #[test]
    fn more_bytes_than_fit_are_refused_until_some_are_taken() {
        let queue = Queue::default();
        assert_eq!(refusal(&queue, MAX_BYTES), None);
        assert_eq!(refusal(&queue, 1), Some(StoreError::Busy));
        assert_eq!(queue.take(9, None).map(|jobs| jobs.len()), Some(1));
        assert_eq!(refusal(&queue, 1), None);
    }

    #[test]
    fn more_jobs_than_fit_are_refused() {
        let queue = Queue::default();
        assert!((0..MAX_JOBS).all(|_| refusal(&queue, 0).is_none()));
        assert_eq!(refusal(&queue, 0), Some(StoreError::Busy));
    }

    #[test]
    fn a_closed_queue_hands_out_what_waits_and_takes_no_more() {
        let queue = Queue::default();
        assert_eq!(refusal(&queue, 0), None);
        queue.close();
        assert_eq!(refusal(&queue, 0), Some(StoreError::Closed));
        assert_eq!(queue.take(9, None).map(|jobs| jobs.len()), Some(1));
        assert!(queue.take(9, None).is_none());
    }
}
