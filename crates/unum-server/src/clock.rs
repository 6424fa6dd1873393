//! The time: begins with the system's, then never jumps.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use unum_table::Moment;

/// A clock that shows the time of the world, but does not go back or leap when somebody sets that.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clock {
    started: Instant,
    at: Duration,
}

impl Clock {
    pub(crate) fn start() -> Clock {
        Clock { started: Instant::now(), at: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default() }
    }

    pub(crate) fn now(&self) -> Moment {
        Moment(u64::try_from((self.at + self.started.elapsed()).as_millis()).unwrap_or(u64::MAX))
    }

    /// How long until then; nothing if it is past.
    pub(crate) fn until(&self, moment: Moment) -> Duration {
        Duration::from_millis(moment.0.saturating_sub(self.now().0))
    }
}
