//! Traces: what a collector of OpenTelemetry is told, what it is not, and that nobody waits for it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use unum_protocol::Request;
use unum_server::Config;

use crate::tools::{Guest, config, desk, exchange, quick, soon, start};

/// A collector that keeps what it is sent.
#[derive(Clone)]
struct Collector {
    address: String,
    requests: Arc<Mutex<Vec<(String, Value)>>>,
}

impl Collector {
    /// One that answers every request with that; with nothing, it never does.
    async fn start(answer: &'static str) -> Collector {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let collector = Collector { address, requests: Arc::default() };
        let kept = collector.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(kept.clone().serve(stream, answer));
            }
        });
        collector
    }

    async fn serve(self, mut stream: TcpStream, answer: &'static str) {
        let mut bytes = Vec::new();
        let (head, body) = loop {
            if stream.read_buf(&mut bytes).await.unwrap_or(0) == 0 {
                return;
            }
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
            let length =
                head.to_lowercase().lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
            if Some(body.len()) == length {
                break (head.to_owned(), body.to_owned());
            }
        };
        self.requests.lock().unwrap().push((head, serde_json::from_str(&body).unwrap()));
        if answer.is_empty() {
            std::future::pending::<()>().await;
        }
        stream.write_all(answer.as_bytes()).await.unwrap();
    }

    fn spans(&self) -> Vec<Value> {
        let mut spans = Vec::new();
        for (_, body) in self.requests.lock().unwrap().iter() {
            let scopes = body["resourceSpans"][0]["scopeSpans"].as_array().unwrap();
            spans.extend(scopes.iter().flat_map(|scope| scope["spans"].as_array().unwrap()).cloned());
        }
        spans
    }
}

const GOOD: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}";
const BROKEN: &str = "HTTP/1.1 503 Service Unavailable\r\ncontent-length: 0\r\n\r\n";

fn traced(collector: &str) -> Config {
    let mut config = Config { otlp: Some(collector.parse().unwrap()), ..config() };
    config.limits.traces_per_second = 1_000_000;
    config.limits.stop_timeout = std::time::Duration::from_secs(10);
    config
}

fn fact<'a>(span: &'a Value, key: &str) -> Option<&'a Value> {
    let facts = span["attributes"].as_array()?;
    facts.iter().find(|fact| fact["key"] == key)?["value"].as_object()?.values().next()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_is_told_how_long_requests_and_turns_take_and_nothing_of_people() {
    let collector = Collector::start(GOOD).await;
    let (running, remote) = start(traced(&collector.address)).await;
    let ann = remote.sign_in("Annabella").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut guest = Guest::known(&remote, &ann.token, &table.code).await;
    guest.ask(Request::Chat { text: "hush-hush".to_owned() }).await;
    let look = format!("/api/tables/{}", table.code);
    remote.call::<Value>("GET", &look, Some(&ann.token), None).await.unwrap();
    let strange = exchange(running.address(), "FOO /x HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
    assert!(strange.await.starts_with("HTTP/1.1 4"));
    // What has not been sent by then is sent before the server ends.
    running.stop().await;
    let spans = collector.spans();
    let names: BTreeSet<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    for name in
        ["POST /api/tables", "GET /api/tables/{code}", "GET /ws", "store", "turn", "decide", "journal", "deliver"]
    {
        assert!(names.contains(name), "{name} is not among {names:?}");
    }
    assert!(names.iter().any(|name| name.starts_with("_OTHER ")), "{names:?}");
    let ids: BTreeSet<&str> = spans.iter().map(|span| span["spanId"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), spans.len(), "every span has a number of its own");
    for span in &spans {
        let (start, end) = (&span["startTimeUnixNano"], &span["endTimeUnixNano"]);
        let time = |value: &Value| value.as_str().unwrap().parse::<u64>().unwrap();
        assert!(time(start) <= time(end) && time(start) > 1_700_000_000_000_000_000, "{span}");
        let is_part = ["store", "decide", "journal", "deliver"].contains(&span["name"].as_str().unwrap());
        let parent = span["parentSpanId"].as_str();
        assert_eq!(parent.is_some_and(|parent| ids.contains(parent)), is_part, "{span}");
    }
    let turn = spans.iter().find(|span| span["name"] == "turn").unwrap();
    assert!(fact(turn, "unum.table_id").is_some() && fact(turn, "unum.entries").is_some(), "{turn}");
    let look = spans.iter().find(|span| span["name"] == "GET /api/tables/{code}").unwrap();
    assert_eq!(fact(look, "http.response.status_code"), Some(&json!("200")));
    let (head, body) = collector.requests.lock().unwrap()[0].clone();
    assert!(head.starts_with("POST /v1/traces HTTP/1.1") && head.contains("application/json"), "{head}");
    let resource = &body["resourceSpans"][0]["resource"];
    assert_eq!(fact(resource, "service.name"), Some(&json!("unum")));
    let told = format!("{:?}", collector.requests.lock().unwrap());
    for secret in ["Annabella", "hush-hush", &ann.token, &table.code] {
        assert!(!told.contains(secret), "{secret} is in the traces");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn only_trusted_proxies_say_which_trace_a_request_belongs_to() {
    let header = "traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let request = format!("GET /api/tables HTTP/1.1\r\nhost: localhost\r\n{header}\r\nconnection: close\r\n\r\n");
    for is_trusted in [true, false] {
        let collector = Collector::start(GOOD).await;
        let mut config = traced(&collector.address);
        config.trusted_proxies = is_trusted.then(|| "127.0.0.1".parse().unwrap()).into_iter().collect();
        let (running, _) = start(config).await;
        exchange(running.address(), &request).await;
        running.stop().await;
        let spans = collector.spans();
        let span = spans.iter().find(|span| span["name"] == "GET /api/tables").unwrap();
        assert_eq!(span["traceId"] == "0af7651916cd43dd8448eb211c80319c", is_trusted, "{span}");
        assert_eq!(span["parentSpanId"] == "b7ad6b7169203331", is_trusted, "{span}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_collector_that_is_away_or_fails_is_noticed_by_nobody_but_operators() {
    // Nobody listens on the first; the second fails, the third never answers.
    let away = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap();
    let (failing, silent) = (Collector::start(BROKEN).await, Collector::start("").await);
    for collector in [format!("http://{away}"), failing.address.clone(), silent.address.clone()] {
        let (running, remote) = start(traced(&collector)).await;
        let ann = remote.sign_in("Ann").await.unwrap();
        let table = remote.open_table(&ann.token, &quick()).await.unwrap();
        let mut guest = Guest::known(&remote, &ann.token, &table.code).await;
        guest.ask(Request::Stand {}).await;
        let dropped = async {
            loop {
                let (_, figures) = desk(&running).fetch("GET", "/metrics", None, None).await.unwrap();
                let figures = String::from_utf8(figures).unwrap();
                assert!(figures.contains("unum_trace_spans_total 0\n"), "nothing was taken");
                if !figures.contains("unum_trace_spans_dropped_total 0\n") {
                    return;
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        soon(dropped).await;
        soon(running.stop()).await;
    }
}
