//! JSON answers, compressed for clients that take it.

use std::io::Write as _;

use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;
use sha2::{Digest as _, Sha256};

/// Smaller answers fit into one packet anyway.
const WORTHWHILE: usize = 1024;

/// A JSON document in both forms.
#[derive(Clone, Debug)]
pub(crate) struct Packed {
    plain: Bytes,
    /// `None` where it is not worthwhile.
    gzip: Option<Bytes>,
    /// What tells it from other versions of the same document; `None` for what is made for one client.
    tag: Option<HeaderValue>,
}

impl Packed {
    pub(crate) fn of(document: &impl Serialize) -> Packed {
        let plain = serde_json::to_vec(document).expect("documents are made of names, numbers and lists");
        let digest: [u8; 32] = Sha256::digest(&plain).into();
        let digits: String = digest[..12].iter().map(|byte| format!("{byte:02x}")).collect();
        let tag = HeaderValue::try_from(format!("W/\"{digits}\"")).ok();
        Packed { tag, ..Packed::by(Compression::default(), plain) }
    }

    /// What is made for one client is packed quickly rather than well.
    pub(crate) fn quickly(plain: Vec<u8>) -> Packed {
        Packed::by(Compression::fast(), plain)
    }

    fn by(level: Compression, plain: Vec<u8>) -> Packed {
        let gzip = if plain.len() < WORTHWHILE { None } else { gzip(&plain, level) };
        Packed { plain: plain.into(), gzip: gzip.map(Bytes::from), tag: None }
    }

    /// The form that the client of a request with these headers takes.
    pub(crate) fn answer(&self, headers: &HeaderMap) -> Response {
        let named = [(CONTENT_TYPE, "application/json"), (VARY, "accept-encoding")];
        match self.gzip.clone().filter(|_| takes_gzip(headers)) {
            Some(gzip) => (named, [(CONTENT_ENCODING, "gzip")], gzip).into_response(),
            None => (named, self.plain.clone()).into_response(),
        }
    }
}

impl Packed {
    /// The same for a document that changes: a client with this version gets 304.
    pub(crate) fn answer_if_new(&self, headers: &HeaderMap) -> Response {
        let Some(tag) = self.tag.clone() else { return self.answer(headers) };
        let mut known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        let same = |value: &str| value.split(',').any(|one| one.trim().as_bytes() == tag.as_bytes());
        let mut response =
            if known.any(same) { StatusCode::NOT_MODIFIED.into_response() } else { self.answer(headers) };
        response.headers_mut().insert(ETAG, tag);
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }
}

fn gzip(plain: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(plain.len() / 4), level);
    encoder.write_all(plain).and_then(|()| encoder.finish()).ok()
}

fn takes_gzip(headers: &HeaderMap) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    let mut offers = values.flat_map(|value| value.split(',')).map(|offer| {
        let (name, weight) = offer.split_once(';').unwrap_or((offer, ""));
        let weight = weight.trim().strip_prefix("q=").map_or(1.0, |weight| weight.parse().unwrap_or(0.0));
        (name.trim().to_ascii_lowercase(), weight)
    });
    offers.any(|(name, weight)| name == "gzip" && weight > 0.0)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;

    #[test]
    fn gzip_is_for_those_who_take_it() {
        let takes =
            |offer: &str| takes_gzip(&[(ACCEPT_ENCODING, HeaderValue::try_from(offer).unwrap())].into_iter().collect());
        assert!(takes("gzip") && takes("br, GZIP;q=0.5") && takes("deflate,gzip"));
        assert!(
            !takes("br") && !takes("gzip;q=0") && !takes("gzip;q=no") && !takes("") && !takes_gzip(&HeaderMap::new())
        );
    }

    #[test]
    fn who_has_the_version_there_is_gets_no_other() {
        let (one, other) = (Packed::of(&["one"]), Packed::of(&["other"]));
        let fresh = one.answer_if_new(&HeaderMap::new());
        let tag = fresh.headers()[ETAG].clone();
        assert_eq!(fresh.status(), StatusCode::OK);
        assert_eq!(fresh.headers()[CACHE_CONTROL], "no-cache");
        let known = |tag: &str| {
            let headers = [(IF_NONE_MATCH, HeaderValue::try_from(tag).unwrap())].into_iter().collect();
            (one.answer_if_new(&headers).status(), other.answer_if_new(&headers).status())
        };
        let (same, changed) = (StatusCode::NOT_MODIFIED, StatusCode::OK);
        assert_eq!(known(tag.to_str().unwrap()), (same, changed));
        assert_eq!(known(&format!("\"x\", {}", tag.to_str().unwrap())), (same, changed));
        assert_eq!(known("\"x\""), (changed, changed));
    }

    #[test]
    fn what_is_packed_is_the_same() {
        let packed = Packed::of(&vec!["the same again"; 1000]);
        let gzip = packed.gzip.unwrap();
        assert!(gzip.len() * 10 < packed.plain.len());
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(&gzip[..]).read_to_end(&mut plain).unwrap();
        assert_eq!(plain, packed.plain);
        assert!(Packed::of(&1).gzip.is_none());
    }
}
