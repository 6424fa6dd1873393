//! Which pages may use this server: its own, and those of sites that were named.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

use crate::config::Config;

/// Whether a request comes from another site's page. Programs send no `Origin` and are welcome.
pub(crate) fn is_foreign(headers: &HeaderMap, config: &Config) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return fetched_from_elsewhere(headers) };
    let Ok(origin) = origin.to_str() else { return true };
    let origin = origin.to_ascii_lowercase();
    let named = config.public_url.iter().chain(&config.allowed_origins).any(|known| *known == origin);
    let own = is_host(&origin, headers) && !fetched_from_elsewhere(headers);
    !named && !own
}

/// Whether the browser itself says that the page is another site's.
fn fetched_from_elsewhere(headers: &HeaderMap) -> bool {
    let site = headers.get("sec-fetch-site").map(|value| value.as_bytes());
    site.is_some_and(|site| site != b"same-origin" && site != b"none")
}

fn is_host(origin: &str, headers: &HeaderMap) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let named = origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://"));
    host.zip(named).is_some_and(|(host, named)| host.eq_ignore_ascii_case(named))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn only_own_and_named_pages_are_at_home() {
        let config = Config {
            public_url: Some("https://uno.example.org".into()),
            allowed_origins: vec!["http://localhost:5173".into()],
            ..Config::default()
        };
        let foreign = |lines: &[(&'static str, &str)]| {
            let lines =
                lines.iter().map(|(name, value)| (name.parse().unwrap(), HeaderValue::try_from(*value).unwrap()));
            is_foreign(&lines.collect(), &config)
        };
        let host = ("host", "192.168.1.2:8080");
        assert!(!foreign(&[host]), "a program");
        assert!(!foreign(&[host, ("origin", "http://192.168.1.2:8080")]));
        assert!(!foreign(&[host, ("origin", "https://uno.example.org")]));
        assert!(!foreign(&[host, ("origin", "http://localhost:5173"), ("sec-fetch-site", "cross-site")]));
        assert!(!foreign(&[host, ("sec-fetch-site", "same-origin")]));
        for origin in ["null", "", "http://evil.example", "http://192.168.1.2", "http://192.168.1.2:8080.evil.example"]
        {
            assert!(foreign(&[host, ("origin", origin)]), "{origin}");
        }
        assert!(foreign(&[host, ("sec-fetch-site", "cross-site")]));
        assert!(foreign(&[host, ("sec-fetch-site", "same-site")]));
        assert!(foreign(&[("origin", "http://192.168.1.2:8080")]), "no host to compare with");
    }
}
