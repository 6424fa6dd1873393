//! Metrics in Prometheus's text format.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// A counter.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    fn new() -> Counter {
        Counter::default()
    }

    fn write(&self, text: &mut String, name: &str, help: &str) {
        head(text, name, help, "counter");
        let _ = writeln!(text, "unum_{name} {}", self.0.load(Relaxed));
    }

    pub(crate) fn add(&self, count: u64) {
        self.0.fetch_add(count, Relaxed);
    }

    pub(crate) fn one(&self) {
        self.add(1);
    }

    /// Counts one more, and says which it is.
    pub(crate) fn number(&self) -> u64 {
        self.0.fetch_add(1, Relaxed) + 1
    }
}

/// A gauge: how many of something there are now.
#[derive(Debug, Default)]
pub(crate) struct Gauge(AtomicI64);

impl Gauge {
    fn new() -> Gauge {
        Gauge::default()
    }

    fn write(&self, text: &mut String, name: &str, help: &str) {
        head(text, name, help, "gauge");
        let _ = writeln!(text, "unum_{name} {}", self.get());
    }

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

/// The bounds of a histogram, and how many of the recorded numbers make one of the written ones.
#[derive(Clone, Copy, Debug)]
struct Scale {
    bounds: &'static [u64],
    unit: f64,
}

/// Recorded in microseconds, written in seconds.
const SECONDS: Scale = Scale {
    bounds: &[250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 1_000_000, 5_000_000],
    unit: 1e6,
};
const ENTRIES: Scale = Scale { bounds: &[1, 2, 4, 8, 16, 32, 64, 128, 256], unit: 1.0 };

/// How often values up to certain bounds occurred.
#[derive(Debug)]
pub(crate) struct Histogram {
    scale: Scale,
    counts: Vec<AtomicU64>,
    sum: AtomicU64,
}

impl Histogram {
    fn new(scale: Scale) -> Histogram {
        let counts = (0..=scale.bounds.len()).map(|_| AtomicU64::new(0)).collect();
        Histogram { scale, counts, sum: AtomicU64::new(0) }
    }

    pub(crate) fn record(&self, value: u64) {
        let place = self.scale.bounds.partition_point(|bound| *bound < value);
        self.counts[place].fetch_add(1, Relaxed);
        self.sum.fetch_add(value, Relaxed);
    }

    pub(crate) fn record_time(&self, time: Duration) {
        self.record(u64::try_from(time.as_micros()).unwrap_or(u64::MAX));
    }

    fn write(&self, text: &mut String, name: &str, help: &str) {
        head(text, name, help, "histogram");
        let Scale { bounds, unit } = self.scale;
        let mut total = 0;
        for (count, bound) in self.counts.iter().zip(bounds) {
            total += count.load(Relaxed);
            let _ = writeln!(text, "unum_{name}_bucket{{le=\"{}\"}} {total}", *bound as f64 / unit);
        }
        total += self.counts.last().map_or(0, |count| count.load(Relaxed));
        let _ = writeln!(text, "unum_{name}_bucket{{le=\"+Inf\"}} {total}");
        let _ = writeln!(text, "unum_{name}_sum {}", self.sum.load(Relaxed) as f64 / unit);
        let _ = writeln!(text, "unum_{name}_count {total}");
    }
}

/// The kind of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Counter,
    Gauge,
    Histogram,
}

/// What is known of a figure: its name without `unum_`, and what it means.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Figure {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    pub(crate) help: &'static str,
}

const fn counted(name: &'static str, help: &'static str) -> Figure {
    Figure { name, kind: Kind::Counter, help }
}

const fn gauged(name: &'static str, help: &'static str) -> Figure {
    Figure { name, kind: Kind::Gauge, help }
}

/// What the store counts.
pub(crate) const STORE: [Figure; 6] = [
    counted("store_commits_total", "Transactions that the disk has."),
    counted("store_failures_total", "Transactions that failed."),
    counted("store_jobs_total", "Batches and other changes that were asked for."),
    counted("store_write_seconds_total", "How long writing took."),
    counted("store_panics_total", "Changes that failed because of a bug."),
    gauged("store_waiting", "Changes that wait to be written."),
];

/// What a node of a cluster knows.
pub(crate) const CLUSTER: [Figure; 7] = [
    gauged("cluster_nodes", "Nodes that take part in the cluster."),
    gauged("cluster_nodes_draining", "Nodes that are about to stop."),
    gauged("cluster_tables", "Tables that nodes run."),
    gauged("node_tables", "Tables that this node has a lease for."),
    gauged("node_renewed_seconds", "How long ago the leases were renewed when it was looked up last."),
    gauged("node_links", "Connections to other nodes."),
    gauged("node_streams", "Clients and questions on these connections."),
];

/// Writes figures that are counted elsewhere.
pub(crate) fn write_each<const N: usize>(text: &mut String, figures: &[Figure; N], values: [f64; N]) {
    for (Figure { name, kind, help }, value) in figures.iter().zip(values) {
        head(text, name, help, if *kind == Kind::Counter { "counter" } else { "gauge" });
        let _ = writeln!(text, "unum_{name} {value}");
    }
}

/// Everything that `/metrics` can show, in its order.
pub(crate) fn all() -> Vec<Figure> {
    OWN.iter().chain(&STORE).chain(&CLUSTER).copied().collect()
}

fn head(text: &mut String, name: &str, help: &str, kind: &str) {
    let _ = writeln!(text, "# HELP unum_{name} {help}\n# TYPE unum_{name} {kind}");
}

/// Declares each figure once: its field, its name in `/metrics`, and what it means.
macro_rules! figures {
    ($($field:ident: $kind:ident $(($scale:ident))?, $name:literal, $help:literal;)+) => {
        /// What the server counts itself.
        const OWN: &[Figure] = &[$(Figure { name: $name, kind: Kind::$kind, help: $help },)+];

        /// All figures of a server.
        #[derive(Debug)]
        pub(crate) struct Metrics {
            $(pub(crate) $field: $kind,)+
        }

        impl Metrics {
            pub(crate) fn new() -> Metrics {
                Metrics { $($field: $kind::new($($scale)?),)+ }
            }

            /// The text of `/metrics`.
            pub(crate) fn text(&self) -> String {
                let mut text = String::with_capacity(8 * 1024);
                $(self.$field.write(&mut text, $name, $help);)+
                text
            }
        }
    };
}

figures! {
    connections: Gauge, "connections", "Open TCP connections.";
    sessions: Gauge, "sessions", "WebSockets that are open.";
    tables: Gauge, "tables", "Tables in memory.";
    relays: Gauge, "relays", "Tables of other nodes that clients of this one are at.";
    relayed: Gauge, "relayed_clients", "Clients of other nodes at tables of this one.";
    refused_nodes: Counter, "refused_nodes_total", "Connections to the port for nodes that were refused.";
    handed_over: Counter, "tables_handed_over_total", "Tables whose lease was given back.";
    evicted: Counter, "tables_evicted_total", "Tables put away because their lease could not be renewed.";
    answering: Gauge, "http_requests_in_progress", "HTTP requests that are being answered.";
    thinking: Gauge, "bots_thinking", "Searching bots at work; each counts equally long, whatever it thought about.";
    stale_thoughts: Counter, "stale_thoughts_total", "Thoughts dropped because the table had moved on.";
    panics: Counter, "panics_total", "Failures of the program that were contained: tables, bots, sessions, requests.";
    requests: Counter, "http_requests_total", "HTTP requests.";
    messages: Counter, "messages_total", "Messages from clients.";
    received: Counter, "received_bytes_total", "Bytes of messages from clients.";
    sent_messages: Counter, "sent_messages_total", "Messages to clients.";
    sent: Counter, "sent_bytes_total", "Bytes of messages to clients.";
    carried_out: Counter, "requests_carried_out_total", "Requests of people at tables that were carried out.";
    refused: Counter, "requests_refused_total", "Requests of people at tables that were refused.";
    too_fast: Counter, "messages_too_fast_total", "Messages refused because they came too fast.";
    turned_away: Counter, "turned_away_total", "Connections and requests turned away by a limit.";
    failed_handshakes: Counter, "tls_handshakes_failed_total", "Encrypted connections that did not come about.";
    slow_readers: Counter, "slow_readers_total", "Clients let go because they did not read.";
    entries: Counter, "entries_total", "Entries that the journal holds durably.";
    failed_writes: Counter, "failed_writes_total", "Batches the journal could not write.";
    loads: Counter, "table_loads_total", "Tables brought back into memory.";
    unloads: Counter, "table_unloads_total", "Tables that left memory.";
    lost_rounds: Counter, "lost_rounds_total", "Rounds that could not be restored and were dealt again.";
    records: Counter, "records_total", "Records of finished matches that were stored.";
    sent_spans: Counter, "trace_spans_total", "Spans of traces that the collector has taken.";
    dropped_spans: Counter, "trace_spans_dropped_total", "Spans of traces dropped because the collector was slow or away.";
    journal_time: Histogram(SECONDS), "journal_seconds", "From a table's batch to its being durable.";
    batch_entries: Histogram(ENTRIES), "batch_entries", "Entries in the batch of one table.";
    load_time: Histogram(SECONDS), "load_seconds", "Time to bring a table back into memory.";
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
