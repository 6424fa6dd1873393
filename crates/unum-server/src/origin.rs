//! Origin and Host checks: which pages may use this server.

use axum::http::HeaderMap;
use axum::http::header::{HOST, ORIGIN};

use crate::config::Config;

/// Whether a request comes from another site's page. Programs send no `Origin` and are welcome.
pub(crate) fn is_foreign(headers: &HeaderMap, config: &Config) -> bool {
    let Some(origin) = headers.get(ORIGIN) else { return fetched_from_elsewhere(headers) };
    let Ok(origin) = origin.to_str() else { return true };
    let origin = origin.to_ascii_lowercase();
    let named = config
        .public_origin()
        .into_iter()
        .chain(config.allowed_origins.iter().map(String::as_str))
        .any(|known| known == origin);
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

/// Whether a request is for this server. With DNS rebinding, an attacker's page sends the attacker's host name. IP
/// addresses and names that cannot be registered are never the attacker's.
pub(crate) fn is_own_host(headers: &HeaderMap, config: &Config) -> bool {
    let Some(host) = headers.get(HOST) else { return true };
    let Some(name) = host.to_str().ok().and_then(name_of) else { return false };
    let public = config.public_origin().and_then(|url| name_of(url.split_once("://")?.1));
    let named = public.iter().chain(&config.allowed_hosts).any(|known| *known == name);
    named || is_local(&name)
}

/// The name in a host, without its port, as it is compared.
pub(crate) fn name_of(host: &str) -> Option<String> {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    Some(name.trim_end_matches('.').to_ascii_lowercase())
}

fn is_local(name: &str) -> bool {
    let local = ["localhost", "local"];
    name.parse::<std::net::IpAddr>().is_ok()
        || !name.contains('.')
        || name.rsplit_once('.').is_some_and(|(_, last)| local.contains(&last))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn names_that_somebody_else_could_own_are_refused_unless_they_were_named() {
        let config = Config {
            public_url: Some("https://uno.example.org:8443/uno".into()),
            allowed_hosts: vec!["uno.lan".into()],
            ..Config::default()
        };
        let own =
            |host: &str| is_own_host(&[(HOST, HeaderValue::try_from(host).unwrap())].into_iter().collect(), &config);
        for host in [
            "uno.example.org",
            "UNO.example.org.:8443",
            "uno.lan:80",
            "192.168.1.2:8080",
            "[::1]:8080",
            "[fe80::1]",
            "localhost:8080",
            "play.localhost",
            "raspberrypi:8080",
            "raspberrypi.local",
        ] {
            assert!(own(host), "{host}");
        }
        for host in ["evil.example", "evil.example:8080", "uno.example.org.evil.example", "local.evil.example", "[::1"]
        {
            assert!(!own(host), "{host}");
        }
        assert!(is_own_host(&HeaderMap::new(), &config), "a program without a Host");
    }

    #[test]
    fn only_own_and_named_pages_are_at_home() {
        let config = Config {
            public_url: Some("https://uno.example.org/uno".into()),
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
