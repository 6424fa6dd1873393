//! A match that was begun on a device goes on at a server, with friends.

use serde_json::{Value, json};
use unum_client::Server as Remote;
use unum_protocol::rest::{Games, Opened};
use unum_protocol::review::Season;
use unum_protocol::{Request, Stage};
use unum_rules::fair::{Entropy, FairDeal, Secret};
use unum_rules::playout::Casual;
use unum_rules::record::{Record, Recorder, Setup};
use unum_rules::{Edition, RulesSpec, Scoring, Seeded};

use crate::tools::{Guest, config, soon, start};

const PATH: &str = "/api/tables/continued";

/// A match of one person and two bots after its first round.
fn begun() -> (Recorder, Value) {
    let rules = RulesSpec { scoring: Some(Scoring::FirstTo(200)), ..RulesSpec::of(Edition::Original) };
    for seed in 0..100 {
        let deal = FairDeal::new(Secret([seed; 32]), vec![Some(Entropy([1; 32])), None, None]);
        let mut recorder = Recorder::start(Setup::fair(rules.clone(), 3, vec![deal]), &mut ()).unwrap();
        let mut whims = Seeded::new(seed.into());
        while !recorder.game().round().is_over() {
            let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut whims);
            recorder.apply(seat, &action, &mut ()).unwrap();
        }
        if recorder.game().winners().is_none() && recorder.game().scores().iter().sum::<u32>() > 0 {
            let settings = json!({ "pace": "instant", "clock": null, "seats": 3 });
            let body =
                json!({ "settings": settings, "record": recorder.record().to_text(), "bots": [null, "easy", "hard"] });
            return (recorder, body);
        }
    }
    panic!("every match is over after a round");
}

async fn finished(remote: &Remote, token: &str) -> String {
    soon(async {
        loop {
            let games: Games = remote.call("GET", "/api/games", Some(token), None).await.unwrap();
            if let Some(game) = games.finished.first() {
                return game.id.clone();
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn friends_join_it_and_it_does_not_count_for_a_season() {
    let (running, remote) = start(config()).await;
    let (recorder, body) = begun();
    let token = remote.sign_in("Ann").await.unwrap().token;
    let opened: Opened = remote.call("POST", PATH, Some(&token), Some(&body)).await.unwrap();
    assert!(opened.link.ends_with(&format!("/t/{}", opened.code)));
    let mut ann = Guest::known(&remote, &token, &opened.code).await;
    assert_eq!((ann.stage(), ann.seat()), (Stage::Scores, Some(0)));
    let mut bea = Guest::new(&remote, "Bea", &opened.code).await;
    bea.ask(Request::Take { seat: None }).await;
    assert!(bea.seat().is_some());
    ann.ask(Request::Ready { ready: true, pledge: None }).await;
    bea.ask(Request::Ready { ready: true, pledge: None }).await;
    tokio::join!(ann.play(), bea.play());
    let id = finished(&remote, &token).await;
    let (status, text) = remote.fetch("GET", &format!("/api/games/{id}"), Some(&token), None).await.unwrap();
    assert_eq!(status, 200);
    let record = Record::parse(std::str::from_utf8(&text).unwrap()).unwrap();
    record.replay().unwrap();
    let before = recorder.record().moves.len();
    assert!(record.moves.iter().zip(&recorder.record().moves).all(|(one, other)| one.made == other.made));
    assert!(record.moves.len() > before);
    let device: Vec<bool> = record.setup.seeding.deals().iter().map(|deal| deal.device).collect();
    assert!(device[0] && device[1..].iter().all(|device| !device), "{device:?}");
    for guest in [&token, &bea.token] {
        let season: Season = remote.call("GET", "/api/me/season", Some(guest), None).await.unwrap();
        assert_eq!(season.games, 0);
    }
    running.stop().await;
}

#[tokio::test]
async fn what_is_not_such_a_match_is_refused_and_opens_nothing() {
    let (running, remote) = start(config()).await;
    let token = remote.sign_in("Ann").await.unwrap().token;
    let (_, good) = begun();
    let with = |key: &str, value: Value| {
        let mut body = good.clone();
        body[key] = value;
        body
    };
    for (body, expected) in [
        (with("record", json!("nonsense")), 422),
        (with("record", json!("x".repeat(200_000))), 413),
        (with("bots", json!([null, null, null])), 422),
        (with("bots", json!([])), 422),
        (with("settings", json!({ "lesson": true })), 422),
        (with("scores", json!([500, 0, 0])), 400),
    ] {
        let (status, _) = remote.fetch("POST", PATH, Some(&token), Some(&body)).await.unwrap();
        assert_eq!(status, expected, "{}", &body.to_string()[..200.min(body.to_string().len())]);
    }
    let (status, _) = remote.fetch("POST", PATH, None, Some(&good)).await.unwrap();
    assert_eq!(status, 401);
    let games: Games = remote.call("GET", "/api/games", Some(&token), None).await.unwrap();
    assert_eq!(games.open.len(), 0);
    running.stop().await;
}
