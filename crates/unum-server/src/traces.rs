//! Traces for OpenTelemetry: how long requests and turns of tables take, and where the time goes. Off unless a collector is
//! named.
//!
//! Spans go to a collector as OTLP over HTTP, in JSON. Nothing waits for it: spans that find the queue full are dropped and
//! counted. As in the log, there are numbers of requests and ids of tables, never names, tokens, codes or addresses.

use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use axum::body::Body;
use http_body_util::{BodyExt as _, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::timeout;
use unum_table::Dice as _;
use unum_table::os::OsDice;

use crate::app::App;
use crate::limits::Bucket;
use crate::metrics::Metrics;

/// Spans that wait for the collector; more of them are dropped.
const QUEUE: usize = 4096;
/// Spans sent at once.
const BATCH: usize = 512;
/// How long spans are gathered before they are sent.
const GATHER: Duration = Duration::from_secs(1);
/// How long the collector may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// The same while the server stops.
const FAREWELL: Duration = Duration::from_secs(1);
/// The longest pause after the collector has failed; the first is a second.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);
/// The longest answer that is read.
const ANSWER: usize = 64 * 1024;

/// Where a collector listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Collector {
    /// The host and port.
    authority: String,
    /// What the paths of all signals begin with.
    path: String,
}

impl FromStr for Collector {
    type Err = String;

    fn from_str(text: &str) -> Result<Collector, String> {
        let wrong = || format!("expected the address of a collector such as http://localhost:4318, found {text:?}");
        let rest = text.trim().strip_prefix("http://").ok_or_else(wrong)?;
        let (authority, path) = rest.find('/').map_or((rest, ""), |slash| rest.split_at(slash));
        let (host, port) = authority.rsplit_once(':').ok_or_else(wrong)?;
        let is_plain = |text: &str| text.chars().all(|letter| letter.is_ascii_graphic() && !"@?#\"".contains(letter));
        if host.is_empty() || !port.parse().is_ok_and(|port: u16| port > 0) || !is_plain(rest) {
            return Err(wrong());
        }
        Ok(Collector { authority: authority.to_owned(), path: path.trim_end_matches('/').to_owned() })
    }
}

impl fmt::Display for Collector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "http://{}{}", self.authority, self.path)
    }
}

/// What a span says beside its name and times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    Number(u64),
    Text(String),
}

impl From<u64> for Fact {
    fn from(number: u64) -> Fact {
        Fact::Number(number)
    }
}

impl From<&str> for Fact {
    fn from(text: &str) -> Fact {
        Fact::Text(text.to_owned())
    }
}

/// OpenTelemetry's numbers for kinds of spans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Internal = 1,
    Server = 2,
}

/// Something that took time, and is over.
#[derive(Debug)]
struct Span {
    place: Place,
    parent: Option<u64>,
    name: Cow<'static, str>,
    kind: Kind,
    /// In nanoseconds since 1970.
    times: (u64, u64),
    facts: Vec<(&'static str, Fact)>,
    has_failed: bool,
}

/// A span's trace, and its own number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    trace: u128,
    span: u64,
}

impl Place {
    /// What a proxy says of the trace that a request belongs to: W3C's `traceparent`. `None` if that makes no sense; the
    /// switch says whether the trace is kept.
    pub(crate) fn of_header(text: &str) -> Option<(Place, bool)> {
        let parts: Vec<&str> = text.trim().split('-').collect();
        let [version, trace, span, flags, ..] = parts[..] else { return None };
        let is_hex = |text: &str, length| text.len() == length && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let known = version != "ff" && (version != "00" || parts.len() == 4);
        if !known || !is_hex(version, 2) || !is_hex(trace, 32) || !is_hex(span, 16) || !is_hex(flags, 2) {
            return None;
        }
        let place = Place { trace: u128::from_str_radix(trace, 16).ok()?, span: u64::from_str_radix(span, 16).ok()? };
        let flags = u8::from_str_radix(flags, 16).ok()?;
        (place.trace != 0 && place.span != 0).then_some((place, flags & 1 == 1))
    }
}

/// What begins traces and passes on what they consist of.
#[derive(Debug)]
pub(crate) struct Traces {
    collector: Collector,
    sender: Sender<Span>,
    /// Taken by the one who sends.
    receiver: Mutex<Option<Receiver<Span>>>,
    metrics: Arc<Metrics>,
    /// The most traces in a second.
    rate: f32,
    bucket: Mutex<Bucket>,
    /// Tells this process from others.
    instance: u64,
    count: AtomicU64,
}

impl Traces {
    pub(crate) fn new(collector: Collector, rate: u32, metrics: Arc<Metrics>) -> Arc<Traces> {
        let (sender, receiver) = mpsc::channel(QUEUE);
        let roll = OsDice.roll();
        let (instance, _) = roll.split_first_chunk().unwrap_or((&[1; 8], &[]));
        Arc::new(Traces {
            collector,
            sender,
            receiver: Mutex::new(Some(receiver)),
            metrics,
            rate: rate as f32,
            bucket: Mutex::new(Bucket::full(rate as f32, Instant::now())),
            instance: u64::from_le_bytes(*instance) | 1,
            count: AtomicU64::new(0),
        })
    }

    /// A number that nothing else has, and that is never zero.
    fn number(&self) -> u64 {
        // SplitMix64, a permutation: only one number in 2⁶⁴ becomes zero.
        let mut mixed =
            self.instance.wrapping_add(self.count.fetch_add(1, Relaxed).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)).max(1)
    }

    fn has_room(&self) -> bool {
        let mut bucket = self.bucket.lock().unwrap_or_else(PoisonError::into_inner);
        bucket.take(self.rate, self.rate, Instant::now())
    }

    /// A request over HTTP, which may belong to a trace of the proxy; `None` if there are too many traces already.
    pub(crate) fn request(self: &Arc<Self>, name: String, within: Option<(Place, bool)>) -> Option<Timed> {
        let within = match within {
            Some((_, false)) => return None,
            Some((place, true)) => Some(place),
            None => None,
        };
        self.has_room().then(|| self.timed(name.into(), Kind::Server, within, Instant::now()))
    }

    /// Something that began a while ago; `None` if there are too many traces already.
    pub(crate) fn since(self: &Arc<Self>, name: &'static str, begun: Instant) -> Option<Timed> {
        self.has_room().then(|| self.timed(name.into(), Kind::Internal, None, begun))
    }

    fn timed(self: &Arc<Self>, name: Cow<'static, str>, kind: Kind, within: Option<Place>, begun: Instant) -> Timed {
        let place = match within {
            Some(Place { trace, .. }) => Place { trace, span: self.number() },
            None => Place { trace: u128::from(self.instance) << 64 | u128::from(self.number()), span: self.number() },
        };
        let span = Span {
            place,
            parent: within.map(|within| within.span),
            name,
            kind,
            times: (0, 0),
            facts: Vec::new(),
            has_failed: false,
        };
        Timed { traces: Arc::clone(self), begun, span: Some(span) }
    }
}

/// Something that takes time, until this is dropped.
#[derive(Debug)]
pub(crate) struct Timed {
    traces: Arc<Traces>,
    begun: Instant,
    span: Option<Span>,
}

impl Timed {
    /// A part of it that begins now.
    pub(crate) fn part(&self, name: &'static str) -> Timed {
        self.part_since(name, Instant::now())
    }

    /// A part of it that began a while ago.
    pub(crate) fn part_since(&self, name: &'static str, begun: Instant) -> Timed {
        let within = self.span.as_ref().map(|span| span.place);
        self.traces.timed(name.into(), Kind::Internal, within, begun)
    }

    pub(crate) fn note(&mut self, key: &'static str, fact: impl Into<Fact>) {
        if let Some(span) = &mut self.span {
            span.facts.push((key, fact.into()));
        }
    }

    pub(crate) fn fail(&mut self) {
        if let Some(span) = &mut self.span {
            span.has_failed = true;
        }
    }

    /// Lets what `work` does with the store be parts of this.
    pub(crate) async fn around<T>(&self, work: impl Future<Output = T>) -> T {
        let place = self.span.as_ref().map(|span| span.place);
        CURRENT.scope((Arc::clone(&self.traces), place), work).await
    }
}

impl Drop for Timed {
    fn drop(&mut self) {
        let Some(mut span) = self.span.take() else { return };
        let nanos = |time: Duration| u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let now = nanos(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default());
        span.times = (now.saturating_sub(nanos(self.begun.elapsed())), now);
        if self.traces.sender.try_send(span).is_err() {
            self.traces.metrics.dropped_spans.one();
        }
    }
}

tokio::task_local! {
    /// What this task is part of, if that is traced.
    static CURRENT: (Arc<Traces>, Option<Place>);
}

/// A part of whatever this task is traced as; `None` if it is not.
pub(crate) fn part(name: &'static str) -> Option<Timed> {
    let timed = |(traces, place): &(Arc<Traces>, Option<Place>)| {
        traces.timed(name.into(), Kind::Internal, *place, Instant::now())
    };
    CURRENT.try_with(timed).ok()
}

/// Sends spans to the collector until the server has ended, and what is left then.
pub(crate) async fn export(app: Arc<App>, _alive: mpsc::Sender<()>) {
    let Some(traces) = app.hub.traces.clone() else { return };
    let receiver = traces.receiver.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(mut receiver) = receiver else { return };
    let mut pause = Duration::ZERO;
    let mut batch = Vec::new();
    loop {
        tokio::select! {
            () = gather(&mut receiver, &mut batch, pause) => {}
            () = app.ended() => break,
        }
        let sent = tokio::select! {
            sent = traces.send(&batch, PATIENCE) => sent,
            () = app.ended() => break,
        };
        traces.note_sent(batch.len(), &sent);
        if let Err(why) = &sent
            && pause.is_zero()
        {
            tracing::warn!(why, "the collector of traces does not take them");
        }
        pause = if sent.is_ok() { Duration::ZERO } else { (pause * 2).clamp(GATHER, LONGEST_PAUSE) };
        batch.clear();
    }
    while let Ok(span) = receiver.try_recv() {
        batch.push(span);
    }
    let sent = traces.send(&batch, FAREWELL).await;
    traces.note_sent(batch.len(), &sent);
}

/// Waits for spans, and after the first for others to send with it.
async fn gather(receiver: &mut Receiver<Span>, batch: &mut Vec<Span>, pause: Duration) {
    tokio::time::sleep(pause).await;
    receiver.recv_many(batch, BATCH).await;
    let more = async {
        while batch.len() < BATCH {
            let room = BATCH - batch.len();
            receiver.recv_many(batch, room).await;
        }
    };
    // What has come by then is enough.
    let _ = timeout(GATHER, more).await;
}

impl Traces {
    fn note_sent(&self, count: usize, sent: &Result<(), String>) {
        let counter = if sent.is_ok() { &self.metrics.sent_spans } else { &self.metrics.dropped_spans };
        counter.add(count as u64);
    }

    async fn send(&self, batch: &[Span], patience: Duration) -> Result<(), String> {
        if batch.is_empty() {
            return Ok(());
        }
        let sent = timeout(patience, self.post(self.document(batch).to_string())).await;
        sent.unwrap_or_else(|_| Err("it does not answer in time".to_owned()))
    }

    async fn post(&self, body: String) -> Result<(), String> {
        let Collector { authority, path } = &self.collector;
        let said = |error: hyper::Error| error.to_string();
        let stream = TcpStream::connect(authority).await.map_err(|error| error.to_string())?;
        let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await.map_err(said)?;
        let request = hyper::Request::post(format!("{path}/v1/traces"))
            .header("host", authority)
            .header("content-type", "application/json")
            .header("connection", "close")
            .body(Body::from(body))
            .map_err(|error| error.to_string())?;
        let asking = async {
            let answer = sender.send_request(request).await.map_err(said)?;
            let status = answer.status();
            // So that the collector can finish; what it says does not matter.
            let _ = Limited::new(answer.into_body(), ANSWER).collect().await;
            if status.is_success() { Ok(()) } else { Err(format!("it answers {status}")) }
        };
        let mut asking = std::pin::pin!(asking);
        tokio::select! {
            answer = asking.as_mut() => answer,
            // The connection has ended; if that was after the answer, it is there now.
            _ = connection => asking.await,
        }
    }

    /// The body of a request to the collector.
    fn document(&self, batch: &[Span]) -> Value {
        let about = [
            ("service.name", Fact::from("unum")),
            ("service.version", Fact::from(env!("CARGO_PKG_VERSION"))),
            ("service.instance.id", Fact::Text(format!("{:016x}", self.instance))),
        ];
        json!({ "resourceSpans": [{
            "resource": { "attributes": about.iter().map(attribute).collect::<Vec<_>>() },
            "scopeSpans": [{
                "scope": { "name": "unum", "version": env!("CARGO_PKG_VERSION") },
                "spans": batch.iter().map(span_value).collect::<Vec<_>>(),
            }],
        }] })
    }
}

/// A span as OTLP has it: ids in hexadecimal, and numbers of 64 bits as texts.
fn span_value(span: &Span) -> Value {
    let mut value = json!({
        "traceId": format!("{:032x}", span.place.trace),
        "spanId": format!("{:016x}", span.place.span),
        "name": span.name,
        "kind": span.kind as u8,
        "startTimeUnixNano": span.times.0.to_string(),
        "endTimeUnixNano": span.times.1.to_string(),
        "attributes": span.facts.iter().map(attribute).collect::<Vec<_>>(),
        "status": if span.has_failed { json!({ "code": 2 }) } else { json!({}) },
    });
    if let Some(parent) = span.parent {
        value["parentSpanId"] = format!("{parent:016x}").into();
    }
    value
}

fn attribute((key, fact): &(&'static str, Fact)) -> Value {
    match fact {
        Fact::Number(number) => json!({ "key": key, "value": { "intValue": number.to_string() } }),
        Fact::Text(text) => json!({ "key": key, "value": { "stringValue": text } }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn traces(rate: u32) -> Arc<Traces> {
        Traces::new("http://localhost:4318".parse().unwrap(), rate, Arc::new(Metrics::new()))
    }

    #[test]
    fn a_collector_is_named_by_its_address() {
        for (text, authority, path) in [
            ("http://localhost:4318", "localhost:4318", ""),
            (" http://[::1]:4318/ ", "[::1]:4318", ""),
            ("http://collector:80/otlp/", "collector:80", "/otlp"),
        ] {
            let collector: Collector = text.parse().unwrap();
            assert_eq!((collector.authority.as_str(), collector.path.as_str()), (authority, path));
            assert_eq!(collector.to_string().parse(), Ok(collector));
        }
        for wrong in [
            "",
            "localhost:4318",
            "https://localhost:4318",
            "http://localhost",
            "http://:1",
            "http://a:0",
            "http://u@a:1",
        ] {
            assert!(wrong.parse::<Collector>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_proxy_says_which_trace_a_request_belongs_to() {
        let trace = "0af7651916cd43dd8448eb211c80319c";
        let header = |rest: &str| Place::of_header(&format!("00-{trace}-{rest}"));
        let place = Place { trace: 0x0af7_6519_16cd_43dd_8448_eb21_1c80_319c, span: 0xb7ad_6b71_6920_3331 };
        assert_eq!(header("b7ad6b7169203331-01"), Some((place, true)));
        assert_eq!(header("b7ad6b7169203331-00"), Some((place, false)));
        for wrong in [
            "b7ad6b716920333-01",
            "0000000000000000-01",
            "b7ad6b7169203331-01-x",
            "b7ad6b7169203331",
            "+7ad6b7169203331-01",
        ] {
            assert_eq!(header(wrong), None, "{wrong}");
        }
        assert_eq!(Place::of_header("ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"), None);
    }

    #[test]
    fn parts_belong_to_what_they_are_part_of() {
        let traces = traces(9);
        let mut receiver = traces.receiver.lock().unwrap().take().unwrap();
        let mut whole = traces.since("turn", Instant::now() - Duration::from_millis(5)).unwrap();
        drop(whole.part("journal"));
        whole.note("table_id", "abc");
        whole.note("entries", 3);
        whole.fail();
        drop(whole);
        let (part, whole) = (receiver.try_recv().unwrap(), receiver.try_recv().unwrap());
        assert_eq!((part.parent, part.place.trace), (Some(whole.place.span), whole.place.trace));
        assert!(whole.times.1 - whole.times.0 >= 5_000_000 && part.times.0 >= whole.times.0);
        let document = traces.document(&[part, whole]);
        let [part, whole] = [0, 1].map(|at| document["resourceSpans"][0]["scopeSpans"][0]["spans"][at].clone());
        assert_eq!(part["parentSpanId"], whole["spanId"]);
        assert_eq!((whole.get("parentSpanId"), whole["status"]["code"].as_u64()), (None, Some(2)));
        let facts = json!([
            { "key": "table_id", "value": { "stringValue": "abc" } },
            { "key": "entries", "value": { "intValue": "3" } },
        ]);
        assert_eq!((&whole["attributes"], whole["traceId"].as_str().unwrap().len()), (&facts, 32));
    }

    #[test]
    fn what_is_too_much_is_dropped_and_counted() {
        let few = traces(2);
        let begun = (0..5).filter(|_| few.request("GET /".to_owned(), None).is_some()).count();
        assert_eq!(begun, 2, "more than the rate");
        let place = Place { trace: 1, span: 1 };
        assert!(traces(9).request("GET /".to_owned(), Some((place, false))).is_none(), "the proxy does not keep it");
        let many = traces(1_000_000);
        for _ in 0..=QUEUE {
            drop(many.since("turn", Instant::now()));
        }
        assert!(many.metrics.text().contains("unum_trace_spans_dropped_total 1\n"), "{}", many.metrics.text());
    }
}
