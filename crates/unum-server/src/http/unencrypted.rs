//! What a server that encrypts says to those who do not know that yet.

use axum::body::Body;
use axum::http::header::{CACHE_CONTROL, CONNECTION, CONTENT_DISPOSITION, CONTENT_TYPE, HOST, LOCATION};
use axum::http::{Method, Request, Response, StatusCode};

use crate::config::Config;
use crate::origin::is_own_host;
use crate::tls::Tls;

/// Where the certificate is that people have to trust.
pub(crate) const AUTHORITY: &str = "/authority.crt";

/// The certificate of the server's own authority, for whoever asks for it: phones fetch it before they trust anything.
pub(crate) fn show_authority<B>(tls: &Tls, request: &Request<B>) -> Option<Response<Body>> {
    let is_asked = request.uri().path() == AUTHORITY && matches!(*request.method(), Method::GET | Method::HEAD);
    let authority = tls.authority().filter(|_| is_asked)?;
    let answer = Response::builder()
        .header(CONTENT_TYPE, "application/x-x509-ca-cert")
        .header(CONTENT_DISPOSITION, "attachment; filename=\"unum.crt\"")
        .header(CACHE_CONTROL, "no-store");
    answer.body(Body::from(authority.to_owned())).ok()
}

/// The same address with https. Nothing else is said in the clear.
pub(crate) fn point_to_https<B>(request: &Request<B>, config: &Config) -> Response<Body> {
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    let place = host.filter(|_| is_own_host(request.headers(), config)).map(|host| format!("https://{host}{path}"));
    let answer = Response::builder().header(CONNECTION, "close").header(CACHE_CONTROL, "no-store");
    let answer = match place {
        Some(place) => answer.status(StatusCode::PERMANENT_REDIRECT).header(LOCATION, place),
        None => answer.status(StatusCode::MISDIRECTED_REQUEST),
    };
    answer.body(Body::from("This server speaks https only.\n")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_writes_http_is_led_to_the_same_place_and_nowhere_else() {
        let led = |host: &str, path: &str| {
            let request = Request::builder().uri(path).header(HOST, host).body(()).unwrap();
            let answer = point_to_https(&request, &Config::default());
            let place = answer.headers().get(LOCATION).map(|place| place.to_str().unwrap().to_owned());
            (answer.status().as_u16(), place)
        };
        let there = |place: &str| (308, Some(place.to_owned()));
        assert_eq!(led("192.168.1.20:8080", "/t/abc?x=1"), there("https://192.168.1.20:8080/t/abc?x=1"));
        assert_eq!(led("localhost", "/"), there("https://localhost/"));
        assert_eq!(led("evil.example", "/"), (421, None));
    }
}
