//! Guests: people without accounts. A token, kept by them, makes them the same person tomorrow and elsewhere.

use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use unum_table::{GuestId, Look};

/// The name of the cookie.
const COOKIE_NAME: &str = "unum_guest";
/// How long browsers keep it, in seconds: about thirteen months.
const COOKIE_AGE: u32 = 400 * 24 * 60 * 60;

/// A guest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Guest {
    pub(crate) id: GuestId,
    pub(crate) name: String,
    pub(crate) look: Look,
}

/// The token that a request carries: a program's header, or else a browser's cookie.
pub(crate) fn token_in(headers: &HeaderMap) -> Option<&str> {
    bearer(headers).or_else(|| cookie(headers))
}

fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    pairs.find(|(name, _)| *name == COOKIE_NAME).map(|(_, token)| token)
}

/// The cookie that gives a browser its token; no script can read it, no other site send it along.
pub(crate) fn set_cookie(token: &str, secure: bool) -> HeaderValue {
    let secure = if secure { "; Secure" } else { "" };
    let text = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={COOKIE_AGE}{secure}");
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
        for part in ["unum_guest=abc", "HttpOnly", "SameSite=Lax", "Path=/", "Secure"] {
            assert!(cookie.split("; ").any(|found| found == part), "{part} is missing in {cookie}");
        }
        assert!(!set_cookie("abc", false).to_str().unwrap().contains("Secure"));
    }
}
