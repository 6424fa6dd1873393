//! Reviews of what is over, never of what is being played; seasons that can be switched off and deleted.

use serde_json::{Value, json};
use unum_client::Server as Remote;
use unum_protocol::review::{Opponents, ReviewProgress, Season, ServedReview};
use unum_protocol::{Level, Request};

use crate::tools::{Guest, config, quick, soon, start};

/// A match against two bots, played to its end; its id.
async fn play(remote: &Remote, token: &str) -> (Guest, String) {
    let before = finished(remote, token).await.len();
    let table = remote.open_table(token, &quick()).await.unwrap();
    let mut ann = Guest::known(remote, token, &table.code).await;
    ann.ask(Request::AddBot { level: Level::Normal }).await;
    let message = ann.ask(Request::AddBot { level: Level::Hard }).await;
    ann.react(&message).await;
    soon(ann.play()).await;
    let id = soon(async {
        loop {
            let games = finished(remote, token).await;
            if games.len() > before {
                return games[0].clone();
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    (ann, id)
}

async fn finished(remote: &Remote, token: &str) -> Vec<String> {
    let games: Value = remote.call("GET", "/api/games", Some(token), None).await.unwrap();
    let list = games["finished"].as_array().unwrap();
    list.iter().map(|game| game["id"].as_str().unwrap().to_owned()).collect()
}

async fn reviewed(remote: &Remote, path: &str, token: &str) -> ServedReview {
    soon(async {
        loop {
            let served: ServedReview = remote.call("GET", path, Some(token), None).await.unwrap();
            if served.progress == ReviewProgress::Done {
                return served;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

async fn season(remote: &Remote, token: &str) -> Season {
    remote.call("GET", "/api/me/season", Some(token), None).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_finished_match_is_reviewed_kept_and_counted() {
    let mut config = config();
    config.limits.requests_per_minute = 1_000_000;
    let (running, remote) = start(config).await;
    let token = remote.sign_in("Ann").await.unwrap().token;
    let (ann, id) = play(&remote, &token).await;
    let luck = soon(async {
        loop {
            let season = season(&remote, &token).await;
            if season.rounds > 0 {
                return season;
            }
            tokio::task::yield_now().await;
        }
    })
    .await;
    assert_eq!((luck.games, luck.sizes[0].decisions), (1, 0), "luck is counted before anybody has looked");
    assert_eq!((luck.sizes[0].players, luck.sizes[0].against), (3, Opponents::Mixed), "normal and hard");

    let path = format!("/api/games/{id}/review");
    let served = reviewed(&remote, &path, &token).await;
    assert_eq!(served.seat, Some(0));
    let review = served.review.unwrap();
    assert!(review.names.is_empty() && !review.rounds.is_empty() && review.worlds > 0);
    let again = reviewed(&remote, &path, &token).await;
    assert_eq!(again.review.unwrap(), review, "it is kept");
    let judged = season(&remote, &token).await;
    assert!(judged.sizes[0].decisions > 0 && judged.rounds == luck.rounds && judged.luck == luck.luck);

    let other = remote.sign_in("Eve").await.unwrap().token;
    let (status, _) = remote.fetch("GET", &path, Some(&other), None).await.unwrap();
    assert_eq!(status, 404, "it is for those who played");
    assert_eq!(season(&remote, &other).await.games, 0);

    let off = json!({"on": false});
    remote.fetch("PUT", "/api/me/season", Some(&token), Some(&off)).await.unwrap();
    drop(ann);
    play(&remote, &token).await;
    let unchanged = season(&remote, &token).await;
    assert_eq!((unchanged.on, unchanged.games), (false, 1), "games played while it is off are not counted");
    remote.fetch("DELETE", "/api/me/season", Some(&token), None).await.unwrap();
    let empty = season(&remote, &token).await;
    assert_eq!((empty.games, finished(&remote, &token).await.len()), (0, 2), "the games stay");
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_that_is_being_played_is_not_reviewed() {
    let (running, remote) = start(config()).await;
    let token = remote.sign_in("Ann").await.unwrap().token;
    let table = remote.open_table(&token, &quick()).await.unwrap();
    let mut ann = Guest::known(&remote, &token, &table.code).await;
    ann.ask(Request::AddBot { level: Level::Normal }).await;
    ann.ask(Request::Ready { ready: true, pledge: None }).await;
    let path = format!("/api/tables/{}/review", table.code);
    let (status, _) = remote.fetch("GET", &path, Some(&token), None).await.unwrap();
    assert_eq!(status, 404, "no round is over");
    let (status, _) = remote.fetch("GET", &format!("{path}?round=1"), Some(&token), None).await.unwrap();
    assert_eq!(status, 404);
    let other = remote.sign_in("Eve").await.unwrap().token;
    let (status, _) = remote.fetch("GET", &path, Some(&other), None).await.unwrap();
    assert_eq!(status, 403, "it is for those at the table");
    running.stop().await;
}
