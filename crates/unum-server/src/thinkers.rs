//! Which searching bot thinks next: fair queueing by the address that a table counts for.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::oneshot;

use crate::address::AddressKey;

/// How long a bot may think when nobody waits, and when very many do.
const MOST: Duration = Duration::from_millis(50);
const LEAST: Duration = Duration::from_millis(4);

/// The threads that searching bots share. Somebody with a hundred tables waits for their own bots and delays nobody
/// else.
#[derive(Debug)]
pub(crate) struct Thinkers {
    threads: usize,
    queue: Mutex<Queue>,
}

#[derive(Debug, Default)]
struct Queue {
    busy: usize,
    waiting: HashMap<AddressKey, VecDeque<oneshot::Sender<Permit>>>,
    /// Whose turn is next; everybody who waits is in it once.
    turns: VecDeque<AddressKey>,
    count: usize,
}

/// The right to think. The next one gets it when it is dropped.
#[derive(Debug)]
pub(crate) struct Permit(Option<Arc<Thinkers>>);

impl Drop for Permit {
    fn drop(&mut self) {
        if let Some(thinkers) = self.0.take() {
            thinkers.pass_on();
        }
    }
}

impl Thinkers {
    pub(crate) fn new(threads: usize) -> Arc<Thinkers> {
        Arc::new(Thinkers { threads: threads.max(1), queue: Mutex::default() })
    }

    /// Waits for a turn.
    pub(crate) async fn turn(self: &Arc<Self>, who: AddressKey) -> Option<Permit> {
        let waiting = {
            let mut queue = self.lock();
            if queue.busy < self.threads {
                queue.busy += 1;
                return Some(Permit(Some(Arc::clone(self))));
            }
            queue.add(who)
        };
        waiting.await.ok()
    }

    /// How long one job may think: the more are waiting, the less.
    pub(crate) fn budget(&self) -> Duration {
        let (threads, waiting) = (self.threads, self.lock().count);
        let share = MOST.mul_f64(threads as f64 / (threads + waiting) as f64);
        share.max(LEAST)
    }

    /// Gives a turn that is over to the next who still wants it.
    fn pass_on(self: Arc<Self>) {
        let mut permit = Permit(Some(Arc::clone(&self)));
        loop {
            let next = {
                let mut queue = self.lock();
                let next = queue.next();
                queue.busy -= usize::from(next.is_none());
                next
            };
            let Some(next) = next else {
                permit.0 = None;
                return;
            };
            match next.send(permit) {
                Ok(()) => return,
                Err(back) => permit = back,
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Queue {
    fn add(&mut self, who: AddressKey) -> oneshot::Receiver<Permit> {
        let (sender, receiver) = oneshot::channel();
        let own = self.waiting.entry(who).or_default();
        if own.is_empty() {
            self.turns.push_back(who);
        }
        own.push_back(sender);
        self.count += 1;
        receiver
    }

    fn next(&mut self) -> Option<oneshot::Sender<Permit>> {
        let who = self.turns.pop_front()?;
        let own = self.waiting.get_mut(&who)?;
        let next = own.pop_front();
        if own.is_empty() {
            self.waiting.remove(&who);
        } else {
            self.turns.push_back(who);
        }
        self.count -= usize::from(next.is_some());
        next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u8) -> AddressKey {
        AddressKey::of([10, 0, 0, number].into())
    }

    #[tokio::test]
    async fn somebody_with_a_hundred_tables_does_not_hold_up_somebody_with_one() {
        let thinkers = Thinkers::new(1);
        let first = thinkers.turn(address(1)).await.unwrap();
        let order = Arc::new(Mutex::new(Vec::new()));
        let mut tasks = tokio::task::JoinSet::new();
        let mut wait = |who: u8| {
            let (thinkers, order) = (Arc::clone(&thinkers), Arc::clone(&order));
            tasks.spawn(async move {
                let permit = thinkers.turn(address(who)).await.unwrap();
                order.lock().unwrap().push(who);
                drop(permit);
            });
        };
        (0..100).for_each(|_| wait(1));
        (2..5).for_each(&mut wait);
        while thinkers.lock().count < 103 {
            tokio::task::yield_now().await;
        }
        assert_eq!(thinkers.budget(), LEAST);
        drop(first);
        while tasks.join_next().await.is_some() {}
        assert_eq!(order.lock().unwrap()[..5], [1, 2, 3, 4, 1]);
        assert_eq!(thinkers.lock().busy, 0);
        assert_eq!(thinkers.budget(), MOST);
    }

    #[tokio::test]
    async fn turns_that_nobody_wants_any_more_are_passed_on() {
        let thinkers = Thinkers::new(1);
        let first = thinkers.turn(address(1)).await.unwrap();
        let gone = thinkers.lock().add(address(2));
        let here = thinkers.lock().add(address(3));
        drop(gone);
        drop(first);
        drop(here.await.unwrap());
        let queue = thinkers.lock();
        assert_eq!((queue.busy, queue.count), (0, 0));
    }
}
