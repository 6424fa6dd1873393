//! Administration on a listener of its own, never on the public port: a page and an API for operators, health with
//! reasons, and figures. docs/server.md describes it.

mod acts;
mod looks;
mod page;

use std::fmt;
use std::net::SocketAddr;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::FutureExt as _;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use unum_protocol::{Code, ServerCode};

use crate::address::AddressKey;
use crate::app::App;
use crate::guests::bearer;
use crate::http::{ApiError, protect};
use crate::origin::{is_foreign, is_own_host};
use crate::random::token_hash;

/// Connections of operators at a time; more of them wait.
const CONNECTIONS: usize = 64;
/// How long a connection may be used.
const LIFETIME: Duration = Duration::from_secs(300);
/// Bytes of a request's head.
const HEAD: usize = 16 * 1024;
/// The fewest characters of a token.
const SHORTEST: usize = 16;

/// The token of operators, which is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct AdminToken(String);

impl AdminToken {
    /// A token of at least 16 characters.
    ///
    /// # Errors
    /// When it is shorter, or cannot be sent in a header.
    pub fn new(text: &str) -> Result<AdminToken, String> {
        let text = text.trim();
        if text.len() < SHORTEST || !text.chars().all(|letter| letter.is_ascii_graphic()) {
            return Err(format!("a token of at least {SHORTEST} letters, digits and signs, without spaces"));
        }
        Ok(AdminToken(text.to_owned()))
    }

    /// The token itself, to send it.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken(…)")
    }
}

/// Whether a token is the right one, in a time that does not depend on where they differ.
fn is_same(token: &str, given: &str) -> bool {
    let (token, given) = (token_hash(token), token_hash(given));
    token.iter().zip(given).fold(0, |differ, (one, other)| differ | (one ^ other)) == 0
}

/// What the listener knows beside the application.
#[derive(Clone, Debug)]
struct Desk {
    app: Arc<App>,
    token: Option<AdminToken>,
}

/// Who makes a request, for the audit log.
#[derive(Clone, Debug)]
struct Who(String);

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
struct From(SocketAddr);

/// What a request may see and do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// The page itself, which holds nothing.
    Page,
    /// Health and figures.
    Figures,
    /// Everything.
    All,
}

impl Reach {
    fn of(path: &str) -> Reach {
        match path {
            "/" | "/admin.js" | "/admin.css" => Reach::Page,
            "/healthz" | "/readyz" | "/metrics" => Reach::Figures,
            _ => Reach::All,
        }
    }
}

fn router(desk: Desk) -> Router {
    let app = Arc::clone(&desk.app);
    Router::new()
        .route("/", get(page::index))
        .route("/admin.js", get(page::script))
        .route("/admin.css", get(page::style))
        .route("/healthz", get(async || "ok\n"))
        .route("/readyz", get(looks::readiness))
        .route("/metrics", get(looks::metrics))
        .route("/api/status", get(looks::status))
        .route("/api/tables", get(looks::tables))
        .route("/api/people", get(looks::people))
        .route("/api/bans", get(looks::bans).post(acts::ban))
        .route("/api/mutes", get(looks::mutes).post(acts::mute))
        .route("/api/reports", get(looks::reports))
        .route("/api/log", get(looks::log))
        .route("/api/reports/{id}", get(acts::report))
        .route("/api/reports/{id}/done", post(acts::done))
        .route("/api/tables/{code}/close", post(acts::close))
        .route("/api/unban", post(acts::unban))
        .route("/api/unmute", post(acts::unmute))
        .route("/api/announce", post(acts::announce))
        .route("/api/drain", post(acts::drain))
        .method_not_allowed_fallback(async || {
            ApiError::new(ServerCode::MethodNotAllowed, "this path knows other methods only")
        })
        .fallback(async || {
            ApiError::new(ServerCode::NotFound, "there is nothing here; docs/server.md lists what there is")
        })
        .layer(from_fn_with_state(desk, guard))
        .with_state(app)
}

async fn guard(State(desk): State<Desk>, mut request: Request, next: Next) -> Response {
    let mut response = match admit(&desk, &request) {
        Ok(who) => {
            request.extensions_mut().insert(who);
            AssertUnwindSafe(next.run(request)).catch_unwind().await.unwrap_or_else(|_| {
                desk.app.metrics.panics.one();
                ApiError::crashed().into_response()
            })
        }
        Err(error) => error.into_response(),
    };
    protect(response.headers_mut(), POLICY);
    response
}

/// Who asks, if they may.
fn admit(desk: &Desk, request: &Request) -> Result<Who, ApiError> {
    let (app, headers) = (&desk.app, request.headers());
    let From(peer) = *request.extensions().get().ok_or_else(|| ApiError::new(Code::UNREADABLE, "no address"))?;
    if !is_own_host(headers, &app.config) {
        let message = "this server is not known by that name; its operator can add it with --allowed-host";
        return Err(ApiError::new(ServerCode::WrongHost, message));
    }
    if !request.method().is_safe() && is_foreign(headers, &app.config) {
        return Err(ApiError::new(ServerCode::ForeignOrigin, "pages of other sites may not use this"));
    }
    let reach = Reach::of(request.uri().path());
    if reach == Reach::Page {
        return Ok(Who(String::new()));
    }
    let Some(AdminToken(token)) = &desk.token else { return admit_without_token(app, peer, headers) };
    let client = AddressKey::of(peer.ip());
    if !app.wrong_tokens.has_left(client.counted(), Instant::now()) {
        return Err(ApiError::new(ServerCode::TooFast, "too many wrong tokens; wait a minute"));
    }
    let given = bearer(headers);
    if given.is_some_and(|given| is_same(token, given)) {
        return Ok(Who(format!("token from {}", peer.ip().to_canonical())));
    }
    let of_figures = app.config.metrics_token.as_deref().filter(|_| reach == Reach::Figures);
    if of_figures.zip(given).is_some_and(|(token, given)| is_same(token, given)) {
        return Ok(Who(String::new()));
    }
    if given.is_some() {
        app.wrong_tokens.charge(client.counted(), Instant::now());
    }
    Err(ApiError::new(ServerCode::NoGuest, "the operator's token is needed, as `Authorization: Bearer TOKEN`"))
}

/// Without a token only this machine reaches the listener, unless a proxy on it lets everybody in.
fn admit_without_token(app: &App, peer: SocketAddr, headers: &HeaderMap) -> Result<Who, ApiError> {
    if app.is_here(peer.ip(), headers) {
        return Ok(Who("this machine".to_owned()));
    }
    let message = "to be reached through a proxy, the listener for operators needs a token: --admin-token-file";
    Err(ApiError::new(ServerCode::NoGuest, message))
}

/// Only our own script and style.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'";

/// Serves operators until the server has ended.
pub(crate) async fn serve(app: Arc<App>, listener: TcpListener, token: Option<AdminToken>) {
    let router = router(Desk { app: Arc::clone(&app), token });
    let room = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let Ok(permit) = Arc::clone(&room).acquire_owned().await else { return };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = app.ended() => return,
        };
        let Ok((stream, peer)) = accepted else {
            // Too many open files, most likely: connections that end make room.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (app, router) = (Arc::clone(&app), router.clone());
        tokio::spawn(async move {
            let _permit = permit;
            converse(&app, stream, peer, router).await;
        });
    }
}

async fn converse(app: &App, stream: TcpStream, peer: SocketAddr, router: Router) {
    // Without it answers are only slower.
    let _ = stream.set_nodelay(true);
    let inner = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        request.extensions_mut().insert(From(peer));
        inner.call(request)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(app.config.limits.request_timeout).max_buf_size(HEAD);
    let connection = http.serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        // How a connection ends does not matter.
        _ = connection => {}
        () = app.ended() => {}
        () = tokio::time::sleep(LIFETIME) => {}
    }
}

type Answer<T> = Result<Json<T>, ApiError>;

/// Text for Prometheus or for people.
fn plain(status: StatusCode, text: String) -> Response {
    (status, [(CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], text).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_compared_as_a_whole() {
        assert!(is_same("0123456789abcdef", "0123456789abcdef"));
        for other in ["", "0123456789abcdeg", "0123456789abcde", "0123456789abcdef0"] {
            assert!(!is_same("0123456789abcdef", other), "{other}");
        }
        assert_eq!(format!("{:?}", AdminToken::new(" 0123456789abcdef ")), "Ok(AdminToken(…))");
    }
}
