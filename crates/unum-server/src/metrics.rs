//! Figures for operators, in the text format of Prometheus.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Something that only grows.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Relaxed);
    }

    pub(crate) fn one(&self) {
        self.add(1);
    }
}

/// Something of which there are so many now.
#[derive(Debug, Default)]
pub(crate) struct Gauge(AtomicI64);

impl Gauge {
    /// One more, as long as the returned value is kept.
    pub(crate) fn hold(&self) -> Held<'_> {
        self.enter();
        Held(self)
    }

    /// One more.
    pub(crate) fn enter(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// One less.
    pub(crate) fn leave(&self) {
        self.0.fetch_sub(1, Relaxed);
    }

    pub(crate) fn get(&self) -> i64 {
        self.0.load(Relaxed)
    }
}

/// One that a [`Gauge`] counts.
#[derive(Debug)]
pub(crate) struct Held<'a>(&'a Gauge);

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// How often values up to certain bounds occurred.
#[derive(Debug)]
pub(crate) struct Histogram {
    bounds: &'static [u64],
    counts: Vec<AtomicU64>,
    sum: AtomicU64,
}

impl Histogram {
    fn new(bounds: &'static [u64]) -> Histogram {
        let counts = (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Histogram { bounds, counts, sum: AtomicU64::new(0) }
    }

    pub(crate) fn record(&self, value: u64) {
        let place = self.bounds.partition_point(|bound| *bound < value);
        self.counts[place].fetch_add(1, Relaxed);
        self.sum.fetch_add(value, Relaxed);
    }

    pub(crate) fn record_time(&self, time: Duration) {
        self.record(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    /// `unit` is how many of the recorded numbers make one of the written ones.
    fn write(&self, text: &mut String, name: &str, help: &str, unit: f64) {
        head(text, name, help, "histogram");
        let mut total = 0;
        for (count, bound) in self.counts.iter().zip(self.bounds) {
            total += count.load(Relaxed);
            let _ = writeln!(text, "unum_{name}_bucket{{le=\"{}\"}} {total}", *bound as f64 / unit);
        }
        total += self.counts.last().map_or(0, |count| count.load(Relaxed));
        let _ = writeln!(text, "unum_{name}_bucket{{le=\"+Inf\"}} {total}");
        let _ = writeln!(text, "unum_{name}_sum {}", self.sum.load(Relaxed) as f64 / unit);
        let _ = writeln!(text, "unum_{name}_count {total}");
    }
}

/// Writes a figure that is counted elsewhere.
pub(crate) fn write_plain(text: &mut String, name: &str, help: &str, kind: &str, value: f64) {
    head(text, name, help, kind);
    let _ = writeln!(text, "unum_{name} {value}");
}

fn head(text: &mut String, name: &str, help: &str, kind: &str) {
    let _ = writeln!(text, "# HELP unum_{name} {help}\n# TYPE unum_{name} {kind}");
}

const MICROSECONDS: &[u64] =
    &[250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000];
const ENTRIES: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256];

/// All figures of a server.
#[derive(Debug)]
pub(crate) struct Metrics {
    pub(crate) connections: Gauge,
    pub(crate) sessions: Gauge,
    pub(crate) tables: Gauge,
    pub(crate) thinking: Gauge,
    pub(crate) requests: Counter,
    pub(crate) messages: Counter,
    pub(crate) received: Counter,
    pub(crate) sent: Counter,
    pub(crate) sent_messages: Counter,
    pub(crate) carried_out: Counter,
    pub(crate) refused: Counter,
    pub(crate) too_fast: Counter,
    pub(crate) turned_away: Counter,
    pub(crate) slow_readers: Counter,
    pub(crate) entries: Counter,
    pub(crate) failed_writes: Counter,
    pub(crate) loads: Counter,
    pub(crate) unloads: Counter,
    pub(crate) records: Counter,
    pub(crate) journal_time: Histogram,
    pub(crate) batch_entries: Histogram,
    pub(crate) load_time: Histogram,
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        Metrics {
            connections: Gauge::default(),
            sessions: Gauge::default(),
            tables: Gauge::default(),
            thinking: Gauge::default(),
            requests: Counter::default(),
            messages: Counter::default(),
            received: Counter::default(),
            sent: Counter::default(),
            sent_messages: Counter::default(),
            carried_out: Counter::default(),
            refused: Counter::default(),
            too_fast: Counter::default(),
            turned_away: Counter::default(),
            slow_readers: Counter::default(),
            entries: Counter::default(),
            failed_writes: Counter::default(),
            loads: Counter::default(),
            unloads: Counter::default(),
            records: Counter::default(),
            journal_time: Histogram::new(MICROSECONDS),
            batch_entries: Histogram::new(ENTRIES),
            load_time: Histogram::new(MICROSECONDS),
        }
    }

    /// The text of `/metrics`.
    pub(crate) fn text(&self) -> String {
        let mut text = String::with_capacity(8 * 1024);
        for (name, help, gauge) in self.gauges() {
            head(&mut text, name, help, "gauge");
            let _ = writeln!(text, "unum_{name} {}", gauge.get());
        }
        for (name, help, counter) in self.counters() {
            head(&mut text, name, help, "counter");
            let _ = writeln!(text, "unum_{name} {}", counter.0.load(Relaxed));
        }
        let second = 1e6;
        self.journal_time.write(&mut text, "journal_seconds", "From a table's batch to its being durable.", second);
        self.batch_entries.write(&mut text, "batch_entries", "Entries in the batch of one table.", 1.0);
        self.load_time.write(&mut text, "load_seconds", "Time to bring a table back into memory.", second);
        text
    }

    fn gauges(&self) -> [(&'static str, &'static str, &Gauge); 4] {
        [
            ("connections", "Open TCP connections.", &self.connections),
            ("sessions", "WebSockets that are open.", &self.sessions),
            ("tables", "Tables in memory.", &self.tables),
            ("bots_thinking", "Slow bots that think at the moment.", &self.thinking),
        ]
    }

    fn counters(&self) -> [(&'static str, &'static str, &Counter); 15] {
        [
            ("http_requests_total", "HTTP requests.", &self.requests),
            ("messages_total", "Messages from clients.", &self.messages),
            ("received_bytes_total", "Bytes of messages from clients.", &self.received),
            ("sent_messages_total", "Messages to clients.", &self.sent_messages),
            ("sent_bytes_total", "Bytes of messages to clients.", &self.sent),
            ("requests_carried_out_total", "Requests of people at tables that were carried out.", &self.carried_out),
            ("requests_refused_total", "Requests of people at tables that were refused.", &self.refused),
            ("messages_too_fast_total", "Messages refused because they came too fast.", &self.too_fast),
            ("turned_away_total", "Connections and requests turned away by a limit.", &self.turned_away),
            ("slow_readers_total", "Clients let go because they did not read.", &self.slow_readers),
            ("entries_total", "Entries that the journal holds durably.", &self.entries),
            ("failed_writes_total", "Batches the journal could not write.", &self.failed_writes),
            ("table_loads_total", "Tables brought back into memory.", &self.loads),
            ("table_unloads_total", "Tables that left memory.", &self.unloads),
            ("records_total", "Records of finished matches that were stored.", &self.records),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histograms_count_up_to_their_bounds() {
        let metrics = Metrics::new();
        for entries in [1, 2, 2, 3, 1000] {
            metrics.batch_entries.record(entries);
        }
        let held = metrics.tables.hold();
        metrics.journal_time.record_time(Duration::from_millis(2));
        let text = metrics.text();
        for line in [
            "unum_batch_entries_bucket{le=\"1\"} 1",
            "unum_batch_entries_bucket{le=\"2\"} 3",
            "unum_batch_entries_bucket{le=\"256\"} 4",
            "unum_batch_entries_bucket{le=\"+Inf\"} 5",
            "unum_batch_entries_sum 1008",
            "unum_batch_entries_count 5",
            "unum_journal_seconds_bucket{le=\"0.0025\"} 1",
            "unum_tables 1",
            "# TYPE unum_sessions gauge",
        ] {
            assert!(text.lines().any(|found| found == line), "{line} is missing in\n{text}");
        }
        drop(held);
        assert_eq!(metrics.tables.get(), 0);
    }
}
