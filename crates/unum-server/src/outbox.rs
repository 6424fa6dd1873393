//! What waits to be sent to one client: bounded, and ended with a reason.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use tokio::sync::Notify;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use crate::codes::ByeCode;

/// The bounds of an [`Outbox`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    pub(crate) messages: usize,
    pub(crate) bytes: usize,
}

/// A queue of messages from a table to one connection. Pushing never waits: a client that does not read is let go.
#[derive(Debug)]
pub(crate) struct Outbox {
    bounds: Bounds,
    queue: Mutex<Queue>,
    /// Told whenever there is something to take, or an end.
    wake: Notify,
}

#[derive(Debug, Default)]
struct Queue {
    messages: VecDeque<Utf8Bytes>,
    bytes: usize,
    end: Option<ByeCode>,
}

/// What to do next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Send(Utf8Bytes),
    End(ByeCode),
    Wait,
}

impl Outbox {
    pub(crate) fn new(bounds: Bounds) -> Outbox {
        Outbox { bounds, queue: Mutex::default(), wake: Notify::new() }
    }

    /// Adds a message. One message always fits into an empty queue. Whoever has too much waiting already is ended as
    /// slow, and what waits is thrown away.
    pub(crate) fn push(&self, message: Utf8Bytes) {
        let mut queue = self.lock();
        if queue.end.is_some() {
            return;
        }
        if queue.messages.len() >= self.bounds.messages || queue.bytes >= self.bounds.bytes {
            *queue = Queue { end: Some(ByeCode::Slow), ..Queue::default() };
        } else {
            queue.bytes += message.len();
            queue.messages.push_back(message);
        }
        drop(queue);
        self.wake.notify_one();
    }

    /// Ends the connection, after what waits already. The first reason counts.
    pub(crate) fn end(&self, why: ByeCode) {
        self.lock().end.get_or_insert(why);
        self.wake.notify_one();
    }

    /// Whether the client has still much to read: a quarter of what it may have waiting.
    pub(crate) fn is_crowded(&self) -> bool {
        let queue = self.lock();
        queue.end.is_none()
            && (queue.messages.len() * 4 >= self.bounds.messages || queue.bytes * 4 >= self.bounds.bytes)
    }

    pub(crate) fn take(&self) -> Next {
        let mut queue = self.lock();
        match (queue.messages.pop_front(), queue.end) {
            (Some(message), _) => {
                queue.bytes -= message.len();
                if queue.messages.is_empty() {
                    queue.messages = VecDeque::new();
                }
                Next::Send(message)
            }
            (None, Some(why)) => Next::End(why),
            (None, None) => Next::Wait,
        }
    }

    /// Waits until [`Outbox::take`] may have something. It can wake for nothing.
    pub(crate) async fn changed(&self) {
        self.wake.notified().await;
    }

    /// Waits until the client has been given up as too slow.
    pub(crate) async fn given_up(&self) {
        loop {
            if self.lock().end == Some(ByeCode::Slow) {
                return;
            }
            self.wake.notified().await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_taken_in_order_and_the_end_comes_last() {
        let outbox = Outbox::new(Bounds { messages: 3, bytes: 100 });
        outbox.push("a".into());
        outbox.push("b".into());
        outbox.end(ByeCode::Stopping);
        outbox.end(ByeCode::Replaced);
        outbox.push("c".into());
        let taken = [outbox.take(), outbox.take(), outbox.take()];
        assert_eq!(taken, [Next::Send("a".into()), Next::Send("b".into()), Next::End(ByeCode::Stopping)]);
    }

    #[test]
    fn too_many_messages_or_bytes_end_a_client_and_free_what_waits() {
        for (bounds, message) in
            [(Bounds { messages: 3, bytes: 9000 }, "x"), (Bounds { messages: 90, bytes: 9 }, "xxxx")]
        {
            let outbox = Outbox::new(bounds);
            for _ in 0..3 {
                outbox.push(message.into());
                assert_eq!(outbox.lock().end, None);
            }
            outbox.push(message.into());
            assert_eq!(outbox.take(), Next::End(ByeCode::Slow));
            assert_eq!(outbox.lock().bytes, 0);
        }
    }
}
