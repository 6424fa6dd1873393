//! Whole matches through the functions that a browser calls, with everything stored and given back as texts.

use std::collections::VecDeque;

use serde_json::{Value, json};
use unum_rules::record::Record;
use unum_rules::{Chance as _, Seeded};
use unum_web::Module;

/// A worker: asks the module, stores batches, and plays for the person.
struct Worker {
    module: Module,
    rng: Seeded,
    now: f64,
    code: String,
    /// What is stored.
    snapshot: Value,
    entries: VecDeque<(u64, String)>,
    parts: Vec<String>,
    finished: Vec<Value>,
    last: u64,
    closed: bool,
    /// What the person was told.
    told: Vec<Value>,
    next_id: u32,
    thinks: bool,
    wake: Option<f64>,
    batches: usize,
}

impl Worker {
    fn new(seed: u64) -> Worker {
        Worker {
            module: Module::default(),
            rng: Seeded::new(seed),
            now: 1_700_000_000_000.0,
            code: String::new(),
            snapshot: Value::Null,
            entries: VecDeque::new(),
            parts: Vec::new(),
            finished: Vec::new(),
            last: 0,
            closed: false,
            told: Vec::new(),
            next_id: 1,
            thinks: false,
            wake: None,
            batches: 0,
        }
    }

    fn raw(&mut self, question: &Value) -> Value {
        let random = std::array::from_fn(|_| self.rng.below(256) as u8);
        serde_json::from_str(&self.module.answer(&question.to_string(), self.now, random)).unwrap()
    }

    fn ask(&mut self, name: &str, given: Value) -> Value {
        let mut answer = self.raw(&json!({ name: given }));
        assert!(answer.get("error").is_none(), "{name}: {answer}");
        answer["answer"].take()
    }

    /// Stores a step and what follows from it.
    fn advance(&mut self, name: &str, given: Value) {
        let mut step = self.ask(name, given);
        loop {
            self.code = step["code"].as_str().unwrap().to_owned();
            for text in step["told"].as_array().unwrap() {
                let message: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
                if message["type"] == "update" || message["type"] == "snapshot" {
                    assert!(message["seq"].as_u64().unwrap() <= self.last, "told before it was stored: {message}");
                }
                self.told.push(message);
            }
            self.wake = step["wake"].as_f64();
            self.thinks = step["thinks"].as_bool().unwrap();
            let Some(batch) = step.get("batch").cloned() else { return };
            self.store(&batch);
            // While something is stored, nothing happens.
            let refused = self.raw(&json!({ "tick": {} }));
            assert_eq!(refused["error"]["code"], "wrong_stage");
            step = self.ask("stored", json!({}));
        }
    }

    fn store(&mut self, batch: &Value) {
        assert_eq!(batch["after"].as_u64(), Some(self.last));
        self.batches += 1;
        for entry in batch["entries"].as_array().unwrap() {
            self.last += 1;
            self.entries.push_back((self.last, entry.as_str().unwrap().to_owned()));
        }
        for part in batch["parts"].as_array().unwrap() {
            if part["first"] == true {
                self.parts.clear();
            }
            self.parts.push(part["body"].as_str().unwrap().to_owned());
            if part["last"] == true {
                self.parts.clear();
            }
        }
        if let Some(snapshot) = batch.get("snapshot") {
            let seq = snapshot["seq"].as_u64().unwrap();
            self.entries.retain(|(number, _)| *number > seq);
            self.snapshot = snapshot.clone();
        }
        self.finished.extend(batch["finished"].as_array().unwrap().iter().cloned());
        self.closed = batch["closed"] == true;
        assert_eq!(batch["summary"]["code"], self.code.as_str());
    }

    /// Another module goes on with what was stored.
    fn restart(&mut self) {
        self.module = Module::default();
        let entries: Vec<&String> = self.entries.iter().map(|(_, entry)| entry).collect();
        let given = json!({ "snapshot": self.snapshot, "entries": entries, "parts": self.parts });
        self.advance("restore", given);
        self.arrive(None);
    }

    fn arrive(&mut self, after: Option<u64>) {
        let hello = json!({ "hello": { "version": unum_protocol::VERSION, "table": self.code, "after": after } });
        self.advance("arrive", json!({ "hello": hello.to_string(), "name": "Ann", "look": {} }));
        let welcome = self.told.iter().rfind(|message| message["type"] == "welcome").expect("a welcome");
        self.next_id = welcome["last_id"].as_u64().unwrap() as u32 + 1;
    }

    fn request(&mut self, request: Value) {
        let text = json!({ "id": self.next_id, "request": request }).to_string();
        self.next_id += 1;
        self.advance("send", json!({ "text": text }));
    }

    /// Seats bots and deals.
    fn begin(&mut self, settings: Value, level: &str) {
        self.advance("open", json!({ "settings": settings }));
        assert!(self.code.starts_with("local-"), "{}", self.code);
        self.arrive(None);
        let snapshot = self.told.iter().rfind(|message| message["type"] == "snapshot").expect("a snapshot");
        let seats = snapshot["terms"]["settings"]["seats"].as_u64().unwrap();
        let agreement = snapshot["terms"]["agreement"].clone();
        for _ in 1..seats {
            self.request(json!({ "type": "add_bot", "level": level }));
        }
        self.request(json!({ "type": "accept", "agreement": agreement }));
        self.request(json!({ "type": "start" }));
        while !self.told.iter().any(|message| message["what"]["type"] == "dealt") {
            self.go_on();
        }
    }

    fn take_no_part(&mut self) {
        self.request(json!({ "type": "autopilot", "on": true }));
    }

    /// Lets time pass until something is due, or a bot think.
    fn go_on(&mut self) {
        if self.thinks {
            self.now += 1.0;
            return self.advance("think", json!({ "spent": 1.0 }));
        }
        let wake = self.wake.expect("the table waits for nobody");
        self.now = self.now.max(wake);
        self.advance("tick", json!({}));
    }

    fn play(&mut self, matches: usize, mut each: impl FnMut(&mut Worker, u32)) {
        for step in 0..200_000 {
            if self.finished.len() >= matches {
                return;
            }
            each(self, step);
            self.go_on();
        }
        panic!("the match does not end");
    }
}

fn quick(edition: &str, seats: u8) -> Value {
    json!({ "rules": { "edition": edition, "scoring": { "type": "single_round" } }, "seats": seats, "pace": "instant", "clock": null })
}

#[test]
fn whole_matches_in_every_edition_become_records_that_hold() {
    for (number, edition) in unum_rules::Edition::ALL.into_iter().enumerate() {
        let mut worker = Worker::new(number as u64);
        worker.begin(quick(edition.id(), 2 + number as u8), "hard");
        worker.take_no_part();
        worker.play(1, |_, _| ());
        let finished = worker.finished[0].clone();
        assert_eq!(finished["game"]["id"], format!("{}-1", worker.code));
        assert_eq!(finished["seat"], 0);
        let text = finished["record"].as_str().unwrap();
        let record = Record::parse(text).unwrap();
        record.replay().unwrap();
        assert_eq!(record.setup.name(0).map(|name| name.as_str()), Some("Ann"));
        let verified = worker.ask("verify", json!({ "record": text }));
        assert_eq!((&verified["fair"], &verified["rounds"]), (&json!(true), &json!(1)));
        assert_eq!(verified["final"], record.final_state.to_string());
        // In the other form it is the same record.
        let written = worker.ask("record", json!({ "record": text, "format": "text" }));
        assert_eq!(Record::parse(written["text"].as_str().unwrap()).unwrap(), record);
        let replay = worker.ask("replay", json!({ "record": text, "seat": 0, "from": 0 }));
        assert_eq!(replay["total"].as_u64().unwrap() as usize, record.moves.len() + 1);
    }
}

#[test]
fn a_record_with_a_card_changed_is_refused() {
    let mut worker = Worker::new(7);
    worker.begin(quick("original", 2), "easy");
    worker.take_no_part();
    worker.play(1, |_, _| ());
    let text = worker.finished[0]["record"].as_str().unwrap().to_owned();
    let secret = serde_json::from_str::<Value>(&text).unwrap().to_string();
    let at = secret.find("\"secret\":\"").expect("a secret") + 10;
    let other = if secret[at..].starts_with('0') { "1" } else { "0" };
    let forged = format!("{}{other}{}", &secret[..at], &secret[at + 1..]);
    let answer = worker.raw(&json!({ "verify": { "record": forged } }));
    assert_eq!(answer["error"]["code"], "damaged", "{answer}");
}

#[test]
fn a_match_goes_on_after_every_restart() {
    let mut worker = Worker::new(3);
    let settings = json!({ "rules": { "edition": "frozen", "scoring": { "type": "first_to", "target": 200 } }, "seats": 3, "pace": "instant" });
    worker.begin(settings, "normal");
    worker.take_no_part();
    let mut restarts = 0;
    worker.play(1, |worker, step| {
        if step % 37 == 36 {
            restarts += 1;
            worker.restart();
        }
        let waits = worker.told.last().is_some_and(|message| message.to_string().contains("\"scores\""));
        if waits && step % 5 == 0 {
            worker.request(json!({ "type": "ready", "ready": true }));
        }
    });
    assert!(restarts > 1, "{restarts}");
    let record = Record::parse(worker.finished[0]["record"].as_str().unwrap()).unwrap();
    record.replay().unwrap();
}

#[test]
fn a_match_is_handed_over_between_two_rounds_only() {
    let mut worker = Worker::new(4);
    let settings = json!({ "rules": { "edition": "modern", "scoring": { "type": "first_to", "target": 2_000 } }, "seats": 3, "pace": "instant" });
    worker.begin(settings, "hard");
    worker.take_no_part();
    assert_eq!(worker.raw(&json!({ "hand_over": {} }))["error"]["code"], "wrong_stage");
    let refused = |worker: &mut Worker| worker.raw(&json!({ "hand_over": {} })).get("error").is_some();
    for rounds in 1..=3 {
        while refused(&mut worker) {
            worker.go_on();
        }
        // What was stored is enough.
        worker.restart();
        let given: unum_protocol::rest::Continuation =
            serde_json::from_value(worker.ask("hand_over", json!({}))).unwrap();
        assert_eq!(given.bots.iter().map(Option::is_some).collect::<Vec<_>>(), [false, true, true]);
        assert_eq!(Record::parse(&given.record).unwrap().rounds(), rounds);
        let (agreed, _) = unum_table::Continued::check(&given, unum_table::GuestId(9)).unwrap();
        assert_eq!(agreed.seats, 3);
        assert_eq!(agreed.rules.edition, unum_rules::Edition::Modern);
        while !refused(&mut worker) {
            worker.go_on();
        }
    }
}

#[test]
fn an_expert_thinks_in_pieces_and_gives_hints() {
    let mut worker = Worker::new(5);
    worker.begin(quick("original", 3), "expert");
    worker.take_no_part();
    let mut pieces = 0;
    worker.play(1, |worker, _| pieces += u32::from(worker.thinks));
    assert!(pieces > 20, "{pieces}");
    // At another table the person plays, and asks.
    let mut worker = Worker::new(6);
    worker.begin(quick("original", 3), "expert");
    let may_act = |worker: &Worker| {
        let game = worker.told.iter().rev().find_map(|message| message.get("game"));
        game.and_then(|game| game["legal"].as_array()).is_some_and(|legal| !legal.is_empty())
    };
    while !may_act(&worker) {
        worker.go_on();
    }
    worker.request(json!({ "type": "hint" }));
    while worker.thinks {
        worker.go_on();
    }
    assert!(worker.told.iter().any(|message| message["type"] == "hint"), "{:?}", worker.told.last());
}

#[test]
fn rounds_that_are_over_are_replayed_reviewed_and_analyzed_at_the_table() {
    let mut worker = Worker::new(11);
    worker.begin(quick("original", 2), "easy");
    worker.take_no_part();
    let early = worker.raw(&json!({ "replay": { "record": null, "seat": null, "from": 0 } }));
    assert_eq!(early["error"]["code"], "not_found");
    worker.play(1, |_, _| ());
    let record = worker.finished[0]["record"].clone();
    let review =
        |worker: &mut Worker| worker.ask("review", json!({ "key": "a", "record": record, "round": 1, "seat": 0 }));
    assert_eq!(review(&mut worker)["progress"], "thinking");
    while worker.ask("review_more", json!({}))["more"] == true {}
    let done = review(&mut worker);
    assert_eq!((&done["progress"], &done["seat"]), (&json!("done"), &json!(0)));
    assert_eq!(done["review"]["rounds"].as_array().unwrap().len(), 1);
    let mut step = 0;
    while worker.raw(&json!({ "look": { "record": record, "step": step } })).get("error").is_some() {
        step += 1;
    }
    while worker.ask("look_more", json!({}))["more"] == true {}
    assert!(!worker.ask("analysis", json!({}))["actions"].as_array().unwrap().is_empty());
    assert_eq!(worker.raw(&json!({ "analysis": {} }))["error"]["code"], "not_found", "it is told once");
}

#[test]
fn what_follows_from_a_deal_is_what_was_dealt() {
    let mut worker = Worker::new(13);
    worker.begin(quick("custom", 3), "easy");
    worker.take_no_part();
    worker.play(1, |_, _| ());
    let text = worker.finished[0]["record"].as_str().unwrap().to_owned();
    let record = Record::parse(&text).unwrap();
    let deal = &record.setup.seeding.deals()[0];
    let given = json!({ "deal": deal, "rules": record.setup.rules, "dealer": null });
    let again = worker.ask("deal", given);
    assert_eq!(again["commitment"], deal.commitment().to_string());
    let replay = worker.ask("replay", json!({ "record": text, "seat": null, "from": 0 }));
    let events = replay["steps"][0]["events"].as_array().unwrap().iter();
    let dealt: Vec<&Value> = events.filter(|event| event["type"] == "dealt").collect();
    assert_eq!(dealt.len(), 3);
    for event in dealt {
        assert_eq!(event["cards"], again["hands"][event["seat"].as_u64().unwrap() as usize]);
    }
    let odd = json!({ "deal": { "deal": deal, "rules": { "edition": "modern", "house": { "hand_size": 77 } }, "dealer": null } });
    assert_eq!(worker.raw(&odd)["error"]["code"], "bad_settings");
}

#[test]
fn what_makes_no_sense_is_refused_and_changes_nothing() {
    let mut worker = Worker::new(17);
    for question in [
        "",
        "null",
        "{}",
        "[]",
        "{\"open\":{}}",
        "{\"tick\":{}}",
        "{\"stored\":{}}",
        "{\"open\":{\"settings\":{\"seats\":99}}}",
    ] {
        let answer = worker.module.answer(question, f64::NAN, [0; 32]);
        assert!(answer.starts_with("{\"error\":{\"code\":"), "{question}: {answer}");
    }
    worker.begin(quick("original", 2), "easy");
    worker.take_no_part();
    let questions = [
        r#"{"send":{"text":"{\"id\":1,\"request\":{\"type\":\"sit\"}}"}}"#.to_owned(),
        json!({ "restore": { "snapshot": { "seq": 1, "body": "{}" }, "entries": [], "parts": [] } }).to_string(),
        json!({ "restore": { "snapshot": null, "entries": ["{}"], "parts": [] } }).to_string(),
        json!({ "verify": { "record": "unum 1" } }).to_string(),
        json!({ "deal": { "deal": { "secret": "00", "entropy": [] }, "rules": { "edition": "original" }, "dealer": 3 } }).to_string(),
        json!({ "bench": { "edition": "modern", "players": 0, "rounds": 3 } }).to_string(),
        json!({ "think": { "spent": -1e300 } }).to_string(),
    ];
    let mut rng = Seeded::new(1);
    let mut refused = 0;
    for round in 0..20_000 {
        let mut bytes = questions[round % questions.len()].clone().into_bytes();
        for _ in 0..rng.below(4) {
            let at = rng.below(bytes.len() as u32) as usize;
            match rng.below(3) {
                0 => bytes[at] = rng.below(128) as u8,
                1 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"{}[]\",:0-"[rng.below(9) as usize]),
            }
        }
        let answer = worker.module.answer(&String::from_utf8_lossy(&bytes), worker.now, [1; 32]);
        let answer: Value = serde_json::from_str(&answer).expect("an answer is JSON");
        refused += usize::from(answer.get("error").is_some());
    }
    assert!(refused > 10_000, "{refused}");
}

#[test]
fn what_cannot_be_stored_ends_the_table_and_can_be_brought_back() {
    let mut worker = Worker::new(19);
    worker.begin(quick("original", 2), "easy");
    worker.take_no_part();
    let step = worker.ask("give_up", json!({ "code": "storage" }));
    assert_eq!(step["ended"], true);
    assert!(step["told"][0].as_str().unwrap().contains("\"storage\""));
    assert_eq!(worker.raw(&json!({ "tick": {} }))["error"]["code"], "no_table");
    worker.restart();
    worker.take_no_part();
    worker.play(1, |_, _| ());
}

#[test]
fn the_lesson_and_the_settings_of_a_table_work_here_too() {
    let mut worker = Worker::new(23);
    worker.advance("open", json!({ "settings": { "lesson": true } }));
    worker.arrive(None);
    assert_eq!(worker.ask("table", json!({}))["code"], worker.code.as_str());
    let mut worker = Worker::new(29);
    worker.advance("open", json!({ "settings": quick("original", 2) }));
    worker.arrive(None);
    let mut settings = worker.ask("table", json!({}))["terms"]["settings"].clone();
    settings["seats"] = json!(4);
    worker.advance("settings", json!({ "settings": settings }));
    assert_eq!(worker.ask("table", json!({}))["terms"]["settings"]["seats"], 4);
    settings["seats"] = json!(77);
    assert_eq!(worker.raw(&json!({ "settings": { "settings": settings } }))["error"]["code"], "bad_settings");
    worker.request(json!({ "type": "new_code" }));
    assert_eq!(worker.told.last().unwrap()["type"], "refused");
}

#[test]
fn what_can_be_played_and_its_rules_are_what_a_server_tells() {
    let mut worker = Worker::new(31);
    let editions = worker.ask("editions", json!({}));
    assert_eq!(editions, serde_json::to_value(unum_protocol::rest::Editions::all()).unwrap());
    for edition in unum_rules::Edition::ALL {
        let book = worker.ask("rules", json!({ "edition": edition.id() }));
        assert!(book.to_string().len() > 10_000);
    }
}
