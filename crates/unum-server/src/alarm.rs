//! A lazily re-armed timer.

use std::pin::Pin;
use std::time::Instant;

use tokio::time::{Sleep, sleep_until};

/// May fire early, so pushing a deadline back, as every move does, does not touch the timer wheel.
#[derive(Debug, Default)]
pub(crate) struct Alarm(Option<Pin<Box<Sleep>>>);

impl Alarm {
    /// Waits until that time, or a shorter time.
    pub(crate) async fn ring_by(&mut self, due: Instant) {
        let due = due.into();
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(due)));
        if sleep.deadline() > due {
            sleep.as_mut().reset(due);
        }
        sleep.await;
        self.0 = None;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn it_rings_in_time_whether_put_off_or_brought_forward() {
        let (begun, mut alarm) = (Instant::now(), Alarm::default());
        let far = begun + Duration::from_secs(3600);
        let given_up = tokio::time::timeout(Duration::from_millis(1), alarm.ring_by(far)).await;
        assert!(given_up.is_err());
        let near = begun + Duration::from_millis(20);
        alarm.ring_by(near).await;
        assert!(Instant::now() >= near);
    }
}
