//! HTTP: the routes, and what holds for all of them.

mod api;
mod api_page;
mod app_page;
mod error;
mod extract;
mod games;
mod me;
mod openapi;
mod packed;
mod preview;
mod reviews;
mod routes;
mod socket;
mod unencrypted;

use std::net::IpAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::LOCATION;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use tracing::Instrument as _;

use crate::address::AddressKey;
use crate::app::App;
use crate::config::ACCESS;
use crate::origin::{is_foreign, is_own_host};
use crate::traces::{Place, Timed};
use extract::Secure;
use unum_protocol::{Code, ServerCode};

pub(crate) use api::Patience;
pub(crate) use error::{ApiError, refusal_bytes};
pub(crate) use extract::{JsonBody, Part};
pub(crate) use packed::Packed;
pub(crate) use unencrypted::{point_to_https, show_authority};

/// The other end of a connection, as the listener knows it. Every request has one.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// Whether the connection is encrypted, as far as this server knows.
    pub(crate) is_encrypted: bool,
    /// Counts the connection as long as anybody has it.
    pub(crate) _admission: Arc<crate::listener::Admission>,
}

/// The client behind a request: past trusted proxies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) AddressKey);

/// Everything that answers HTTP requests.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
    for route in routes::all() {
        router = router.route(route.path, route.handler);
    }
    router
        .method_not_allowed_fallback(async || {
            ApiError::new(ServerCode::MethodNotAllowed, "this path knows other methods only; see /api")
        })
        .fallback(async || ApiError::new(ServerCode::NotFound, "there is nothing here; see /api for what there is"))
        .layer(from_fn_with_state(Arc::clone(app), guard))
        .with_state(Arc::clone(app))
}

/// A request for the place below which everything lies, without the slash behind it.
#[derive(Clone, Copy, Debug)]
struct Bare;

/// Takes the path of the public address off a request, so that nothing else needs to know of it. A proxy may have done
/// so already, and this machine's own checks never add it.
pub(crate) fn enter<B>(base: &str, request: &mut axum::http::Request<B>) {
    let Some(rest) = request.uri().path().strip_prefix(base).filter(|_| !base.is_empty()) else { return };
    if !rest.is_empty() && !rest.starts_with('/') {
        return;
    }
    let is_bare = rest.is_empty();
    let query = request.uri().query().map(|query| format!("?{query}")).unwrap_or_default();
    let inside = format!("{}{query}", if is_bare { "/" } else { rest });
    if let Ok(uri) = inside.parse() {
        *request.uri_mut() = uri;
    }
    if is_bare {
        request.extensions_mut().insert(Bare);
    }
}

/// Where a browser goes that has left the slash off: relative addresses would lead it elsewhere.
fn with_slash(app: &App) -> Response {
    (StatusCode::PERMANENT_REDIRECT, [(LOCATION, format!("{}/", app.config.base_path()))]).into_response()
}

/// Middleware for every request: counting, rate limit, Host and Origin checks, security headers, and containment of
/// panics.
async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let _answering = app.metrics.answering.hold();
    let (number, begun) = (RequestId(app.metrics.requests.number()), Instant::now());
    request.extensions_mut().insert(number);
    let wanted = app.config.access_log.then(|| (request.method().clone(), route_of(&request)));
    let span = tracing::error_span!("request", request = number.0);
    let mut trace = trace(&app, &request, number);
    let mut response = match admit(&app, &mut request) {
        Ok(()) if request.extensions().get::<Bare>().is_some() => with_slash(&app),
        Ok(()) => {
            let answering = AssertUnwindSafe(next.run(request).instrument(span.clone())).catch_unwind();
            let answered = match &trace {
                Some(trace) => trace.around(answering).await,
                None => answering.await,
            };
            answered.unwrap_or_else(|_| {
                app.metrics.panics.one();
                ApiError::crashed().into_response()
            })
        }
        Err(error) => error.into_response(),
    };
    if let Some(trace) = &mut trace {
        trace.note("http.response.status_code", u64::from(response.status().as_u16()));
        if response.status().is_server_error() {
            trace.fail();
        }
    }
    protect(response.headers_mut(), unum_page::SERVED_POLICY);
    if let Some((method, route)) = wanted {
        let (status, micros) = (response.status().as_u16(), begun.elapsed().as_micros() as u64);
        span.in_scope(|| tracing::info!(target: ACCESS, %method, route, status, micros, "a request was answered"));
    }
    response
}

/// The number of a request since the start, which the log has instead of who asked and for what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RequestId(pub(crate) u64);

/// The methods that traces name.
const METHODS: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// What a collector is told of a request, if there is one. Only trusted proxies say which trace it belongs to.
fn trace(app: &App, request: &Request, number: RequestId) -> Option<Timed> {
    let traces = app.hub.traces.as_ref()?;
    let is_trusted = request.extensions().get::<Peer>().is_some_and(|peer| app.is_proxy(peer.address));
    let header = request.headers().get("traceparent").filter(|_| is_trusted).and_then(|value| value.to_str().ok());
    let (method, route) = (request.method().as_str(), route_of(request));
    // Anybody can make up methods.
    let method = if METHODS.contains(&method) { method } else { "_OTHER" };
    let mut trace = traces.request(format!("{method} {route}"), header.and_then(Place::of_header))?;
    trace.note("http.request.method", method);
    trace.note("http.route", &*route);
    trace.note("unum.request", number.0);
    Some(trace)
}

/// The route of a request as it is declared: the path itself can have the code of a table in it.
fn route_of(request: &Request) -> String {
    request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str).to_owned()
}

fn admit(app: &App, request: &mut Request) -> Result<(), ApiError> {
    let peer = request.extensions().get::<Peer>().map(|peer| (peer.address, peer.is_encrypted));
    let (peer, is_encrypted) = peer.ok_or_else(|| ApiError::new(Code::UNREADABLE, "the connection has no address"))?;
    let client = AddressKey::of(app.client(peer, request.headers()));
    if !app.allows(client, 1) {
        return Err(ApiError::too_fast());
    }
    if !is_own_host(request.headers(), &app.config) {
        let message =
            "this server is not known by that name; its operator can add it with --allowed-host or --public-url";
        return Err(ApiError::new(ServerCode::WrongHost, message));
    }
    if app.is_barred(client) && !is_open_to_all(request.method(), request.uri().path()) {
        return Err(ApiError::banned());
    }
    let changes = !request.method().is_safe() || request.uri().path() == "/ws";
    if changes && is_foreign(request.headers(), &app.config) {
        return Err(ApiError::new(ServerCode::ForeignOrigin, "pages of other sites may not use this server"));
    }
    let secure = Secure(is_encrypted || app.is_secure(peer, request.headers()));
    request.extensions_mut().insert(secure);
    request.extensions_mut().insert(Client(client));
    Ok(())
}

/// Whether a request is answered even for those who are banned: the page, which tells them, health checks, and what
/// everybody may have, their own data. Sockets say it themselves, since browsers show no page why one was refused.
fn is_open_to_all(method: &Method, path: &str) -> bool {
    let own = matches!((method, path), (&Method::GET | &Method::DELETE, "/api/me") | (&Method::GET, "/api/me/export"));
    own || !path.starts_with("/api/")
}

/// No frames of others, no type sniffing, no referrer.
const PROTECTION: [(&str, &str); 5] = [
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

/// The headers of every answer; `policy` says what a page may load.
pub(crate) fn protect(headers: &mut HeaderMap, policy: &'static str) {
    for (name, value) in PROTECTION.into_iter().chain([("content-security-policy", policy)]) {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry("cache-control").or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_the_public_address_is_taken_off() {
        let entered = |base: &str, uri: &str| {
            let mut request = axum::http::Request::builder().uri(uri).body(()).unwrap();
            enter(base, &mut request);
            (request.uri().to_string(), request.extensions().get::<Bare>().is_some())
        };
        for (uri, inside, is_bare) in [
            ("/uno/api/tables?x=/uno/", "/api/tables?x=/uno/", false),
            ("/uno/", "/", false),
            ("/uno", "/", true),
            ("/uno?x", "/?x", true),
            ("/unofficial", "/unofficial", false),
            ("/healthz", "/healthz", false),
            ("/uno//evil.example/x", "//evil.example/x", false),
        ] {
            assert_eq!(entered("/uno", uri), (inside.to_owned(), is_bare), "{uri}");
        }
        assert_eq!(entered("", "/uno/x"), ("/uno/x".to_owned(), false));
    }
}
