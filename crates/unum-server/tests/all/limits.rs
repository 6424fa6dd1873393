//! Every limit, made small and then reached.

use serde_json::{Value, json};
use unum_client::ClientError;
use unum_protocol::{Look, LookId, Request};
use unum_server::Config;
use unum_table::text::{MAX_BANNER, MAX_CUSTOM_TEXT};
use unum_table::{AddressMark, GuestId, Input, Moment, Newcomer, SeededDice, Table};

use crate::tools::{Raw, config, exchange, quick, start};

fn code(error: ClientError) -> String {
    match error {
        ClientError::Refused { status, code: Some(code), .. } => format!("{status} {code}"),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn connections_of_an_address_are_limited_and_free_when_closed() {
    let mut config = config();
    config.limits.connections_per_address = 2;
    let (running, _) = start(config).await;
    let first = Raw::connect(running.address()).await;
    let _second = Raw::connect(running.address()).await;
    let answer = exchange(running.address(), "GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n").await;
    assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 429"), "{answer}");
    drop(first);
    let healthy = async {
        let request = "GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
        while !exchange(running.address(), request).await.starts_with("HTTP/1.1 200") {
            tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        }
    };
    crate::tools::soon(healthy).await;
    running.stop().await;
}

#[tokio::test]
async fn connections_of_a_guest_are_limited() {
    let mut config = config();
    config.limits.connections_per_guest = 1;
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let _first = Raw::seated(running.address(), &ann.token, &table.code).await;
    let mut second = Raw::connect(running.address()).await;
    second.send(json!({"hello": {"version": 1, "table": table.code, "token": ann.token}})).await;
    assert_eq!(second.end().await, (Some("too_many".to_owned()), 4010));
    running.stop().await;
}

#[tokio::test]
async fn new_guests_and_new_tables_are_limited() {
    let mut config = config();
    (config.limits.new_guests_per_minute, config.limits.new_tables_per_minute) = (2, 3);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    remote.sign_in("Bob").await.unwrap();
    assert_eq!(code(remote.sign_in("Cy").await.unwrap_err()), "429 too_fast");
    for _ in 0..3 {
        remote.open_table(&ann.token, &quick()).await.unwrap();
    }
    assert_eq!(code(remote.open_table(&ann.token, &quick()).await.unwrap_err()), "429 too_fast");
    running.stop().await;
}

#[tokio::test]
async fn new_guests_and_new_tables_are_limited_in_all() {
    let mut config = config();
    (config.limits.new_guests_in_all_per_minute, config.limits.new_tables_in_all_per_minute) = (2, 1);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let bob = remote.sign_in("Bob").await.unwrap();
    assert_eq!(code(remote.sign_in("Cy").await.unwrap_err()), "429 too_fast");
    remote.open_table(&ann.token, &quick()).await.unwrap();
    assert_eq!(code(remote.open_table(&bob.token, &quick()).await.unwrap_err()), "429 too_fast");
    running.stop().await;
}

#[tokio::test]
async fn at_the_limit_of_tables_nothing_is_written() {
    let store = unum_store::Store::in_memory().unwrap();
    let mut config = config();
    config.limits.tables = 1;
    let running = unum_server::Server::start_with(config, store.clone()).await.unwrap();
    let remote = unum_client::Server::new(&format!("http://{}", running.address())).unwrap();
    let ann = remote.sign_in("Ann").await.unwrap();
    remote.open_table(&ann.token, &quick()).await.unwrap();
    for _ in 0..3 {
        assert_eq!(code(remote.open_table(&ann.token, &quick()).await.unwrap_err()), "429 too_many");
    }
    assert_eq!(store.open_tables().unwrap().len(), 1);
    running.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_that_are_brought_back_count_for_who_brought_them_back() {
    let mut config = config();
    config.limits.tables_per_address = 2;
    config.limits.unload_after = std::time::Duration::from_millis(50);
    let (running, remote) = start(config).await;
    let ann = remote.sign_in("Ann").await.unwrap();
    let mut codes = Vec::new();
    for _ in 0..3 {
        codes.push(remote.open_table(&ann.token, &quick()).await.unwrap().code);
        crate::tools::soon(async {
            while running.tables() > 0 {
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
        })
        .await;
    }
    let _first = Raw::seated(running.address(), &ann.token, &codes[0]).await;
    let _second = Raw::seated(running.address(), &ann.token, &codes[1]).await;
    let mut third = Raw::connect(running.address()).await;
    third.send(json!({"hello": {"version": 1, "table": codes[2], "token": ann.token}})).await;
    assert_eq!(third.end().await.0.as_deref(), Some("too_many"));
    let status = remote.fetch("GET", &format!("/api/tables/{}", codes[2]), None, None).await.unwrap().0;
    assert_eq!(status, 429);
    assert_eq!(code(remote.open_table(&ann.token, &quick()).await.unwrap_err()), "429 too_many");
    let status = remote.fetch("GET", &format!("/api/tables/{}", codes[0]), None, None).await.unwrap().0;
    assert_eq!(status, 200, "a table in memory costs nothing more");
    running.stop().await;
}

#[tokio::test]
async fn open_tables_are_limited_per_guest_per_address_and_in_all() {
    for (per_guest, per_address, all, expected) in
        [(1, 9, 9, "429 too_many"), (9, 1, 9, "429 too_many"), (9, 9, 1, "429 too_many")]
    {
        let mut config = config();
        (config.limits.tables_per_guest, config.limits.tables_per_address) = (per_guest, per_address);
        config.limits.tables = all;
        let (running, remote) = start(config).await;
        let ann = remote.sign_in("Ann").await.unwrap();
        remote.open_table(&ann.token, &quick()).await.unwrap();
        assert_eq!(code(remote.open_table(&ann.token, &quick()).await.unwrap_err()), expected);
        running.stop().await;
    }
}

#[tokio::test]
async fn requests_of_an_address_are_limited_and_proxies_are_believed_only_if_trusted() {
    for (trusted, served) in [(false, 3), (true, 6)] {
        let mut config = config();
        config.limits.requests_per_minute = 3;
        if trusted {
            config.trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
        }
        let (running, _) = start(config).await;
        let mut answered = 0;
        for number in 0..8 {
            let client = if number % 2 == 0 { "203.0.113.1" } else { "203.0.113.2" };
            let request =
                format!("GET /healthz HTTP/1.1\r\nhost: x\r\nx-forwarded-for: {client}\r\nconnection: close\r\n\r\n");
            answered += u32::from(exchange(running.address(), &request).await.starts_with("HTTP/1.1 200"));
        }
        assert_eq!(answered, served);
        running.stop().await;
    }
}

#[tokio::test]
async fn long_bodies_are_refused_in_words() {
    let (running, remote) = start(config()).await;
    let long = json!({"name": "x".repeat(40_000)});
    assert_eq!(
        code(remote.call::<serde_json::Value>("POST", "/api/guests", None, Some(&long)).await.unwrap_err()),
        "413 too_long"
    );
    running.stop().await;
}

/// A table as crowded and as wordy as one can be, and the longest thing it says to its host.
fn longest_message() -> usize {
    let words = |bytes: usize| "\"".repeat(bytes);
    let rule = |text: usize| {
        let rest = (MAX_CUSTOM_TEXT / 3 - 60 - text) / 300;
        let effects: Vec<Value> = (0..rest).map(|_| json!({"do": "perform", "prompt": words(300)})).collect();
        json!({"title": words(60), "text": words(text), "effects": effects})
    };
    let rules = json!({"edition": "custom", "custom_cards": [rule(300), rule(300), rule(300)]});
    let settings = json!({"title": "\u{1f3b4}".repeat(60), "rules": rules, "clock": null});
    let settings = serde_json::from_value(settings).unwrap();
    let (mut now, mut dice) = (Moment(1_000_000), SeededDice::new(1));
    let guest = |number: u64| GuestId(u64::MAX - number);
    let (mut table, _) = Table::open("k3m9pqx71vd0zt4h", guest(0), settings, now, &mut dice).unwrap();
    let mut put = |table: &mut Table, input: Input| {
        now.0 += 20_000;
        table.handle(input, now, &mut dice);
    };
    let name = |number: u64| format!("{number}{}", "\u{1f98a}".repeat(21));
    let look = Look { avatar: LookId::parse("marsupialfox").unwrap(), back: LookId::parse("harlequinred").unwrap() };
    let arrive = |number| {
        let address = Some(AddressMark(number));
        Input::Arrived(Newcomer { look, address, ..Newcomer::named(guest(number), name(number)) })
    };
    for number in 0..200 {
        put(&mut table, arrive(number));
        if (1..=100).contains(&number) {
            let request = Request::Kick { person: number as u32 + 1, address: true };
            put(&mut table, Input::Asked { guest: guest(0), id: 0, request });
        }
    }
    for _ in 0..40 {
        let request = Request::Chat { text: words(200) };
        put(&mut table, Input::Asked { guest: guest(0), id: 0, request });
    }
    let greeting = table.greet(guest(0), None, now);
    let longest = greeting.iter().map(|message| serde_json::to_string(message).unwrap().len()).max().unwrap();
    assert!(longest > 50_000, "{longest}: nearly everything should be as long as it can be");
    longest
}

#[test]
fn a_queue_has_room_for_two_of_the_longest_messages() {
    // A round adds the cards, what can be done, and notes on seats: each as long as it can be.
    let (notes, game) = (unum_rules::MAX_BANNERS * (2 * MAX_BANNER + 80), 16 * 1024);
    let longest = longest_message() + notes + game;
    assert!(2 * longest <= Config::default().limits.queue_bytes, "{longest}");
}

#[tokio::test]
async fn nothing_new_begins_in_a_database_that_is_nearly_full_while_games_go_on() {
    let mut config = config();
    config.limits.max_database_megabytes = 16;
    let store = unum_store::Store::in_memory_with(config.store_options()).unwrap();
    let running = unum_server::Server::start_with(config, store.clone()).await.unwrap();
    let remote = unum_client::Server::new(&format!("http://{}", running.address())).unwrap();
    let ann = remote.sign_in("Ann").await.unwrap();
    let table = remote.open_table(&ann.token, &quick()).await.unwrap();
    let mut raw = Raw::seated(running.address(), &ann.token, &table.code).await;
    // Three quarters are taken by something else.
    let (tell, told) = std::sync::mpsc::channel();
    let filler =
        unum_store::Batch { table: "filler".to_owned(), entries: vec![vec![7; 12 << 20]], ..Default::default() };
    store.append(filler, move |done| tell.send(done).unwrap());
    tokio::task::spawn_blocking(move || told.recv().unwrap()).await.unwrap().unwrap();
    assert_eq!(code(remote.sign_in("Bob").await.unwrap_err()), "507 no_room");
    assert_eq!(code(remote.open_table(&ann.token, &quick()).await.unwrap_err()), "507 no_room");
    raw.send(json!({"id": 1, "request": {"type": "chat", "text": "still here"}})).await;
    while raw.next().await["id"] != 1 {}
    running.stop().await;
}
