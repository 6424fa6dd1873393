//! HTTP: the routes, and what holds for all of them.

mod api;
mod error;
mod games;
mod page;
mod pages;
mod reading;
mod socket;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, patch, post, put};

use crate::address::AddressKey;
use crate::app::App;
use crate::codes::ApiCode;
use crate::origin::is_foreign;
use error::ApiError;

pub(crate) use error::refusal_bytes;

/// The other end of a connection, as the listener knows it. Every request has one.
#[derive(Clone, Debug)]
pub(crate) struct Peer {
    pub(crate) address: IpAddr,
    /// Counts the connection as long as anybody has it.
    pub(crate) _admission: Arc<crate::listener::Admission>,
}

/// The client behind a request: past trusted proxies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Client(pub(crate) AddressKey);

/// Every route: its method, its path and what answers.
fn routes() -> Vec<(Method, &'static str, MethodRouter<Arc<App>>)> {
    vec![
        (Method::GET, "/", get(page::home)),
        (Method::GET, "/t/{code}", get(page::table)),
        (Method::GET, "/g/{id}", get(page::index)),
        (Method::GET, "/rules/{edition}", get(page::index)),
        (Method::GET, "/assets/{file}", get(page::file)),
        (Method::GET, "/icons/{file}", get(page::file)),
        (Method::GET, "/manifest.webmanifest", get(page::file)),
        (Method::GET, "/style.css", get(pages::style)),
        (Method::GET, "/ws", get(socket::open)),
        (Method::GET, "/healthz", get(api::health)),
        (Method::GET, "/readyz", get(api::readiness)),
        (Method::GET, "/metrics", get(api::metrics)),
        (Method::GET, "/api", get(pages::api)),
        (Method::GET, "/api/openapi.json", get(api::openapi)),
        (Method::GET, "/api/editions", get(api::editions)),
        (Method::GET, "/api/rules", get(api::rules)),
        (Method::GET, "/api/rules/{edition}", get(api::rules_of)),
        (Method::POST, "/api/guests", post(api::new_guest)),
        (Method::GET, "/api/me", get(api::me)),
        (Method::PATCH, "/api/me", patch(api::change_me)),
        (Method::GET, "/api/tables", get(api::tables)),
        (Method::POST, "/api/tables", post(api::new_table)),
        (Method::GET, "/api/tables/{code}", get(api::table)),
        (Method::PUT, "/api/tables/{code}/settings", put(api::settings)),
        (Method::GET, "/api/games", get(games::mine)),
        (Method::GET, "/api/games/{id}", get(games::record)),
        (Method::GET, "/api/games/{id}/replay", get(games::replay)),
    ]
}

/// Everything that answers HTTP requests.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let mut router = Router::new();
    for (_, path, method_router) in routes() {
        router = router.route(path, method_router);
    }
    router
        .method_not_allowed_fallback(async || {
            ApiError::new(ApiCode::MethodNotAllowed, "this path knows other methods only; see /api")
        })
        .fallback(async || ApiError::new(ApiCode::NotFound, "there is nothing here; see /api for what there is"))
        .layer(from_fn_with_state(Arc::clone(app), guard))
        .with_state(Arc::clone(app))
}

/// What holds for every request: it is counted, not too fast, not of another site's page, and its answer is safe to
/// show in a browser.
async fn guard(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    app.metrics.requests.one();
    let mut response = match admit(&app, &mut request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    protect(response.headers_mut());
    response
}

fn admit(app: &App, request: &mut Request) -> Result<(), ApiError> {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.address);
    let peer = peer.ok_or_else(|| ApiError::new(ApiCode::BadRequest, "the connection has no address"))?;
    let client = AddressKey::of(app.client(peer, request.headers()));
    if !app.requests.allow(client, Instant::now()) {
        app.metrics.turned_away.one();
        return Err(ApiError::new(ApiCode::TooFast, "too many requests from your address; wait a moment"));
    }
    let changes = !request.method().is_safe() || request.uri().path() == "/ws";
    if changes && is_foreign(request.headers(), &app.config) {
        return Err(ApiError::new(ApiCode::ForeignOrigin, "pages of other sites may not use this server"));
    }
    request.extensions_mut().insert(Client(client));
    Ok(())
}

/// No scripts, styles or frames but our own, no guessing of types, no telling of addresses.
const PROTECTION: [(&str, &str); 6] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; \
         connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

fn protect(headers: &mut HeaderMap) {
    for (name, value) in PROTECTION {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry("cache-control").or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The parts of the interface that are pages or files, not for programs.
    const NOT_DOCUMENTED: [&str; 8] = [
        "/",
        "/style.css",
        "/t/{code}",
        "/g/{id}",
        "/rules/{edition}",
        "/assets/{file}",
        "/icons/{file}",
        "/manifest.webmanifest",
    ];

    #[test]
    fn the_openapi_document_has_every_route_and_no_other() {
        let document: serde_json::Value = serde_json::from_str(pages::OPENAPI).unwrap();
        let mut documented: Vec<String> = Vec::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for method in methods.as_object().unwrap().keys() {
                documented.push(format!("{} {path}", method.to_uppercase()));
            }
        }
        let routes = routes().into_iter().filter(|(_, path, _)| !NOT_DOCUMENTED.contains(path));
        let mut existing: Vec<String> = routes.map(|(method, path, _)| format!("{method} {path}")).collect();
        documented.sort();
        existing.sort();
        assert_eq!(documented, existing);
    }
}
