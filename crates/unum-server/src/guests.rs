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

/// The cookie of a server on one kind of connection.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cookie<'a> {
    /// Whether the connection is encrypted.
    pub(crate) secure: bool,
    /// The path below which the server lies: empty, or such as `/uno`.
    pub(crate) base: &'a str,
}

/// The token that a request carries: a program's header, or else a browser's cookie.
pub(crate) fn token_in<'a>(headers: &'a HeaderMap, kind: Cookie<'_>) -> Option<&'a str> {
    bearer(headers).or_else(|| cookie(headers, &kind.name()))
}

impl Cookie<'_> {
    /// A host can have several servers below different paths, each with guests of its own.
    fn name(self) -> String {
        let name = if self.secure { SECURE_COOKIE_NAME } else { COOKIE_NAME };
        format!("{name}{}", self.base.replace('/', "."))
    }

    /// The cookie that gives a browser its token; no script can read it, no other site send it along.
    pub(crate) fn set(self, token: &str) -> HeaderValue {
        self.line(token, COOKIE_AGE)
    }

    /// The cookie that takes it away again.
    pub(crate) fn unset(self) -> HeaderValue {
        self.line("", 0)
    }

    fn line(self, token: &str, age: u32) -> HeaderValue {
        let (name, secure) = (self.name(), if self.secure { "; Secure" } else { "" });
        // Browsers take a name that begins with __Host- only for the whole host.
        let text = format!("{name}={token}; Path=/; HttpOnly; SameSite=Lax; Max-Age={age}{secure}");
        HeaderValue::try_from(text).expect("tokens and paths are plain letters")
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Cookie<'_> = Cookie { secure: false, base: "" };
    const SECURE: Cookie<'_> = Cookie { secure: true, base: "" };

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        lines.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::try_from(*value).unwrap())).collect()
    }

    #[test]
    fn tokens_are_found_in_headers_and_cookies() {
        fn token_in(headers: &HeaderMap) -> Option<&str> {
            super::token_in(headers, PLAIN)
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
        let cookie = SECURE.set("abc");
        let cookie = cookie.to_str().unwrap();
        for part in ["__Host-unum_guest=abc", "HttpOnly", "SameSite=Lax", "Path=/", "Secure"] {
            assert!(cookie.split("; ").any(|found| found == part), "{part} is missing in {cookie}");
        }
        let plain = PLAIN.set("abc");
        assert!(plain.to_str().unwrap().starts_with("unum_guest=abc") && !plain.to_str().unwrap().contains("Secure"));
        assert!(SECURE.unset().to_str().unwrap().contains("Max-Age=0"));
    }

    #[test]
    fn a_cookie_that_others_can_set_is_not_believed_where_there_is_a_safe_one() {
        let planted = headers(&[("cookie", "unum_guest=evil; __Host-unum_guest=own")]);
        assert_eq!(token_in(&planted, SECURE), Some("own"));
        assert_eq!(token_in(&headers(&[("cookie", "unum_guest=evil")]), SECURE), None);
    }

    #[test]
    fn servers_below_different_paths_of_a_host_have_cookies_of_their_own() {
        let [one, other] = ["/games/uno", "/uno"].map(|base| Cookie { secure: true, base });
        let set = one.set("abc");
        assert!(set.to_str().unwrap().starts_with("__Host-unum_guest.games.uno=abc; Path=/;"));
        let sent = headers(&[("cookie", "__Host-unum_guest.games.uno=abc; __Host-unum_guest=root")]);
        assert_eq!([one, other, SECURE].map(|kind| token_in(&sent, kind)), [Some("abc"), None, Some("root")]);
    }
}
