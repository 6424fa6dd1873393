//! The operating system's clock and random bytes, for programs that run a table outside a browser.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::{Dice, Moment};

/// The operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsDice;

impl Dice for OsDice {
    fn roll(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        bytes
    }
}

/// A clock that starts at the system time and is monotonic from then on.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    started: Instant,
    at: Duration,
}

impl Clock {
    /// Starts now.
    pub fn start() -> Clock {
        Clock { started: Instant::now(), at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() }
    }

    /// The time.
    pub fn now(&self) -> Moment {
        Moment(u64::try_from((self.at + self.started.elapsed()).as_millis()).unwrap_or(u64::MAX))
    }

    /// How long until then; nothing if it is past.
    pub fn until(&self, moment: Moment) -> Duration {
        Duration::from_millis(moment.0.saturating_sub(self.now().0))
    }
}
