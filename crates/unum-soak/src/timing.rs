//! Latencies and their percentiles.

use std::time::Duration;

/// Measured times.
#[derive(Clone, Debug, Default)]
pub struct Times {
    micros: Vec<u32>,
}

impl Times {
    /// Notes one.
    pub fn add(&mut self, time: Duration) {
        self.micros.push(u32::try_from(time.as_micros()).unwrap_or(u32::MAX));
    }

    /// Takes over those of another list.
    pub fn extend(&mut self, other: Times) {
        self.micros.extend(other.micros);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.micros.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.micros.is_empty()
    }

    /// A percentile of the times; zero if there are none.
    pub fn percentile(&self, percent: f64) -> Duration {
        let mut sorted = self.micros.clone();
        sorted.sort_unstable();
        let place = (sorted.len() as f64 * percent / 100.0).ceil() as usize;
        let micros = sorted.get(place.saturating_sub(1)).copied().unwrap_or(0);
        Duration::from_micros(micros.into())
    }

    /// The median and the 99th percentile in words.
    pub fn describe(&self) -> String {
        format!("p50 {} ms, p99 {} ms", millis(self.percentile(50.0)), millis(self.percentile(99.0)))
    }
}

/// Milliseconds with one digit after the point.
pub(crate) fn millis(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_times_that_were_measured() {
        let mut times = Times::default();
        assert_eq!(times.percentile(99.0), Duration::ZERO);
        (1..=200).rev().for_each(|ms| times.add(Duration::from_millis(ms)));
        assert_eq!(times.percentile(50.0), Duration::from_millis(100));
        assert_eq!(times.percentile(99.0), Duration::from_millis(198));
        assert_eq!(times.percentile(100.0), Duration::from_millis(200));
    }
}
