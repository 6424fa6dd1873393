//! A server below a path of a site: `https://example.org/games/uno`.

use unum_client::Server as Remote;
use unum_server::Config;

use crate::tools::{Guest, config, exchange, quick, start};

const PUBLIC: &str = "https://example.org/games/uno";

fn below() -> Config {
    Config { public_url: Some(PUBLIC.to_owned()), ..config() }
}

/// The status of an answer, and its text.
async fn get(remote: &Remote, path: &str) -> (u16, String) {
    let (status, body) = remote.fetch("GET", path, None, None).await.unwrap();
    (status, String::from_utf8_lossy(&body).into_owned())
}

#[tokio::test]
async fn people_play_below_a_path() {
    let (running, root) = start(below()).await;
    let remote = Remote::new(&format!("{}/games/uno/", root.url())).unwrap();
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    assert_eq!(table.link, format!("{PUBLIC}/t/{}", table.code));
    // A proxy may take the path off, or leave it on.
    let ann = Guest::known(&remote, &ann.token, &table.code).await;
    let bob = Guest::new(&root, "Bob", &table.code).await;
    assert_ne!(ann.person(), bob.person());
    running.stop().await;
}

#[tokio::test]
async fn everything_is_found_below_a_path_and_nothing_leads_out() {
    let (_running, root) = start(below()).await;
    let remote = Remote::new(&format!("{}/games/uno", root.url())).unwrap();
    for path in ["/healthz", "/readyz", "/api", "/api/editions", "/style.css", "/api/tables?"] {
        let (inside, plain) = (get(&remote, path).await, get(&root, path).await);
        assert_eq!((inside.0, plain.0), (200, 200), "{path}");
    }
    assert_eq!(get(&root, "/games/other/healthz").await.0, 404);
    assert_eq!(get(&root, "/games/unofficial").await.0, 404);
    let (_, interface) = get(&remote, "/api").await;
    assert!(!interface.contains("=\"/"), "{interface}");
    let (_, document) = get(&remote, "/api/openapi.json").await;
    let document: serde_json::Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["servers"][0]["url"], "/games/uno");
    let (status, _) = get(&remote, "").await;
    assert_eq!(status, 308, "without a slash behind it, relative addresses would lead elsewhere");
    if unum_page::index().is_some() {
        for path in ["/", "/t/k3m9pqx7t", "/g/7", "/rules/frozen"] {
            let (status, html) = get(&remote, path).await;
            assert_eq!(status, 200, "{path}");
            assert!(html.contains("data-folder=\"/games/uno/\""), "{html}");
            let mut addresses = html.split("=\"/").skip(1);
            assert!(addresses.all(|address| address.starts_with("games/uno/")), "{html}");
        }
        let (_, html) = get(&remote, "/t/k3m9pqx7t").await;
        assert!(html.contains(&format!("content=\"{PUBLIC}/icons/preview.png\"")), "{html}");
        for path in ["/sw.js", "/manifest.webmanifest", "/icons/preview.png"] {
            assert_eq!(get(&remote, path).await.0, 200, "{path}");
        }
    }
}

#[tokio::test]
async fn a_page_of_the_same_site_is_at_home_wherever_it_lies() {
    let (running, _) = start(below()).await;
    for (origin, status) in [("https://example.org", "201"), ("https://evil.example", "403")] {
        let request = format!(
            "POST /games/uno/api/guests HTTP/1.1\r\nhost: example.org\r\norigin: {origin}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: 14\r\n\r\n{{\"name\":\"Ann\"}}"
        );
        let answer = exchange(running.address(), &request).await;
        assert_eq!(answer.split(' ').nth(1), Some(status), "{answer}");
        if status == "201" {
            assert!(answer.contains("set-cookie: __Host-unum_guest.games.uno="), "{answer}");
        }
    }
}
