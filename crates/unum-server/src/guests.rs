//! Guests: people without accounts. Their token identifies them from then on, on any device.

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use unum_protocol::Look;
use unum_table::GuestId;

/// The name of the cookie, and where connections are encrypted: browsers let nobody else set one of that name, neither
/// another site below the same domain nor somebody on the way.
const COOKIE_NAME: &str = "unum_guest";
const SECURE_COOKIE_NAME: &str = "__Host-unum_guest";
/// How long browsers keep it, in seconds: about thirteen months.
const COOKIE_AGE: u32 = 400 * 24 * 60 * 60;

/// A guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guest {
    pub(crate) id: GuestId,
    pub(crate) name: String,
    pub(crate) look: Look,
}

/// The token that a request carries: a program's header, or else a browser's cookie. `secure`: whether the connection is
/// encrypted.
pub(crate) fn token_in(headers: &HeaderMap, secure: bool) -> Option<&str> {
    bearer(headers).or_else(|| cookie(headers, cookie_name(secure)))
}

fn cookie_name(secure: bool) -> &'static str {
    if secure { SECURE_COOKIE_NAME } else { COOKIE_NAME }
}

/// The token of an `Authorization: Bearer`.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn cookie<'a>(headers: &'a HeaderMap, wanted: &str) -> Option<&'a str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == wanted).map(|(_, token)| token)
}

/// The cookie that gives a browser its token; no script can read it, no other site send it along.
pub(crate) fn set_cookie(token: &str, secure: bool) -> HeaderValue {
    cookie_line(token, secure, COOKIE_AGE)
}

/// The cookie that takes it away again.
pub(crate) fn unset_cookie(secure: bool) -> HeaderValue {
    cookie_line("", secure, 0)
}

fn cookie_line(token: &str, secure: bool, age: u32) -> HeaderValue {
    let (name, secure) = (cookie_name(secure), if secure { "; Secure" } else { "" });
    let text = format!("{name}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}");
    HeaderValue::try_from(text).expect("tokens are plain letters")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        lines.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::try_from(*value).unwrap())).collect()
    }

    #[test]
    fn tokens_are_found_in_headers_and_cookies() {
        fn token_in(headers: &HeaderMap) -> Option<&str> {
            super::token_in(headers, false)
        }
        assert_eq!(token_in(&headers(&[])), None);
        assert_eq!(token_in(&headers(&[("authorization", "Bearer abc")])), Some("abc"));
        assert_eq!(token_in(&headers(&[("authorization", "Basic abc")])), None);
        assert_eq!(token_in(&headers(&[("cookie", "a=b; unum_guest=xyz; c=d")])), Some("xyz"));
        assert_eq!(token_in(&headers(&[("cookie", "unum_guestx=xyz")])), None);
        let both = headers(&[("cookie", "unum_guest=xyz"), ("authorization", "bearer abc")]);
        assert_eq!(token_in(&both), Some("abc"));
    }

    #[test]
    fn cookies_are_out_of_reach_of_scripts_and_other_sites() {
        let cookie = set_cookie("abc", true);
        let cookie = cookie.to_str().unwrap();
        for part in ["__Host-unum_guest=abc", "HttpOnly", "SameSite=Lax", "Path=/", "Secure"] {
            assert!(cookie.split("; ").any(|found| found == part), "{part} is missing in {cookie}");
        }
        let plain = set_cookie("abc", false);
        assert!(plain.to_str().unwrap().starts_with("unum_guest=abc") && !plain.to_str().unwrap().contains("Secure"));
        assert!(unset_cookie(true).to_str().unwrap().contains("Max-Age=0"));
    }

    #[test]
    fn a_cookie_that_others_can_set_is_not_believed_where_there_is_a_safe_one() {
        let planted = headers(&[("cookie", "unum_guest=evil; __Host-unum_guest=own")]);
        assert_eq!(token_in(&planted, true), Some("own"));
        assert_eq!(token_in(&headers(&[("cookie", "unum_guest=evil")]), true), None);
    }
}
