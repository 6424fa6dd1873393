//! Journals of this version and of earlier ones, restored as they were.
//!
//! `fixtures/VERSION/NAME.json` has a table: its last snapshot, all of its entries, and what it looked like. One per edition
//! is in the middle of a match; others have everything that people and bots can do. Files never change: `UNUM_WRITE_FIXTURES=1
//! cargo test -p unum-table fixtures` adds those that are new, or have become different, to the version at work.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use unum_protocol::{
    Level, Look, LookId, Pace, Reaction, Request, ServerMsg, SettingId, SettingValue, Settings, Stage,
};
use unum_rules::{Edition, json};
use unum_table::sim::Trial;
use unum_table::{AddressMark, Entry, Fact, GuestId, Input, Moment, Seal, SeededDice, Snapshot, Table};

use crate::journal::{play, restored_differently};
use crate::people::{ADA, BEA, CY, DAN, Script, instant, lobby_of, match_of, settings};
use crate::play::{ready, to_target};

#[derive(Serialize, Deserialize)]
struct Fixture {
    seq: u64,
    seal: Seal,
    snapshot: Option<(u64, String)>,
    entries: Vec<Entry>,
    /// What else there is beside the game; the oldest files do not have it.
    #[serde(default)]
    shown: Option<Shown>,
}

/// A table as people see it, but for the game.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Shown {
    code: String,
    stage: Stage,
    host: Option<u32>,
    locked: bool,
    people: Vec<(String, Option<u8>)>,
    chairs: Vec<String>,
    said: Vec<Vec<String>>,
    closed: bool,
}

const GUESTS: [GuestId; 4] = [ADA, BEA, CY, DAN];

impl Shown {
    /// The table as the first guest who is still there sees it.
    fn of(table: &Table, now: Moment) -> Shown {
        let greeted = table.guests().find_map(|guest| {
            table.greet(guest, None, now).into_iter().find_map(|message| match message {
                ServerMsg::Snapshot { lobby, .. } => Some(lobby),
                _ => None,
            })
        });
        let lobby = greeted.as_deref();
        Shown {
            code: table.code().to_owned(),
            stage: lobby.map_or(Stage::Closed, |lobby| lobby.stage),
            host: lobby.and_then(|lobby| lobby.host),
            locked: lobby.is_some_and(|lobby| lobby.locked),
            people: lobby.map_or(Vec::new(), |lobby| {
                lobby.people.iter().map(|person| (person.name.clone(), person.seat)).collect()
            }),
            chairs: lobby.map_or(Vec::new(), |lobby| lobby.chairs.iter().map(|chair| chair.name.clone()).collect()),
            said: GUESTS.iter().map(|guest| table.said_by(*guest)).collect(),
            closed: table.is_closed(),
        }
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
}

/// A table in the middle of a round, with a snapshot some entries ago.
fn in_a_match(edition: Edition) -> Trial {
    let mut trial = match_of(&[ADA, BEA], 1, instant(edition));
    let due = |trial: &Trial| trial.snapshot.as_ref().is_some_and(|last| trial.table.seq() > last.seq + 9);
    while !(due(&trial) && trial.stage() == Stage::Playing) {
        play(&mut trial, 1);
        if trial.stage() != Stage::Playing {
            for guest in [ADA, BEA] {
                trial.ask(guest, Request::Ready { ready: true, pledge: None });
            }
        }
    }
    trial
}

/// A lobby in which people do all that can be done there.
fn in_the_lobby() -> Trial {
    let mut trial = lobby_of(&[ADA, BEA, CY], Settings { seats: 6, ..settings(Edition::Original) });
    trial.address = Some(AddressMark(77));
    trial.look = Look { avatar: LookId::parse("fox").unwrap(), back: LookId::default() };
    trial.arrive(DAN, "Dan", None);
    for (guest, request) in [
        (ADA, Request::Set { setting: SettingId::Spectators, value: SettingValue::Switch(false) }),
        (ADA, Request::Set { setting: SettingId::Spectators, value: SettingValue::Switch(true) }),
        (BEA, Request::Accept { agreement: 1 }),
        (BEA, Request::Ready { ready: true, pledge: None }),
        (BEA, Request::Ready { ready: false, pledge: None }),
        (CY, Request::Rename { name: "Cyd".to_owned() }),
        (CY, Request::Stand {}),
        (CY, Request::Sit {}),
        (CY, Request::Mute { person: 2, muted: true, always: false }),
        (ADA, Request::AddBot { level: Level::Hard }),
        (ADA, Request::AddBot { level: Level::Random }),
        (ADA, Request::RemoveBot { seat: 4 }),
        (ADA, Request::Kick { person: 4, address: true }),
    ] {
        trial.must(guest, request);
    }
    trial.must(ADA, Request::Unkick { person: 4 });
    trial.arrive(DAN, "Dan", None);
    trial.look.back = LookId::parse("waves").unwrap();
    trial.arrive(DAN, "Dan", None);
    for (guest, request) in [
        (DAN, Request::Chat { text: "hello".to_owned() }),
        (ADA, Request::Kick { person: 5, address: true }),
        (BEA, Request::React { reaction: Reaction::Wow }),
        (ADA, Request::NewCode {}),
        (ADA, Request::Lock { locked: true }),
        (ADA, Request::PassHost { person: 2 }),
    ] {
        trial.must(guest, request);
    }
    trial.gone(ADA);
    trial.wait(61_000);
    trial.input(Input::Forget { guest: CY });
    trial.must(BEA, Request::Chat { text: "stays".to_owned() });
    trial
}

/// A match in which people come and go and accuse each other, and bots say something.
fn with_events() -> Trial {
    let settings = Settings { seats: 6, clock: None, pace: Pace::Brisk, ..to_target(5_000) };
    let mut trial = match_of(&GUESTS, 1, settings);
    trial.must(ADA, Request::Accuse { seat: 2 });
    trial.must(BEA, Request::Judge { yes: true });
    trial.must(DAN, Request::Judge { yes: true });
    trial.must(CY, Request::Autopilot { on: true });
    trial.must(CY, Request::Autopilot { on: false });
    let is_quiet = |trial: &Trial| !trial.facts().iter().any(|fact| matches!(fact, Fact::BotReacted { .. }));
    for _ in 0..20 {
        if is_quiet(&trial) {
            trial.refill();
            trial.must(ADA, Request::React { reaction: Reaction::Hello });
            trial.wait(10_000);
        }
    }
    // Somebody who comes later wants the bot's seat, and then does not.
    let eve = GuestId(9);
    trial.arrive(eve, "Eve", None);
    trial.must(eve, Request::Take { seat: Some(4) });
    trial.must(eve, Request::Stand {});
    for guest in [CY, DAN] {
        trial.ask(guest, Request::Leave {});
    }
    trial.input(Input::Forget { guest: CY });
    trial
}

/// A round for which somebody has pledged a part and not opened it.
fn withheld() -> Trial {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    trial.silent.insert(BEA);
    for guest in [BEA, CY] {
        trial.must(guest, Request::Accept { agreement: 1 });
        trial.must(guest, ready());
    }
    trial.must(ADA, Request::Start { pledge: None });
    trial.wait(5_000);
    trial
}

/// Somebody alone with bots, who hurries them, breaks off a match, and loses a round to another version of the rules.
fn alone() -> Trial {
    let mut trial = match_of(&[ADA], 2, Settings { clock: None, ..settings(Edition::Modern) });
    trial.must(ADA, Request::Pace { pace: Pace::Instant });
    trial.must(ADA, Request::Chat { text: "gone tomorrow".to_owned() });
    trial.gone(ADA);
    trial.input(Input::Hush);
    trial.arrive(ADA, "Ada", None);
    trial.must(ADA, Request::Reopen {});
    trial.must(ADA, Request::Start { pledge: None });
    play(&mut trial, 5);
    let known = trial.table.seq();
    trial.table = restored_differently(&trial);
    trial.arrive(ADA, "Ada", Some(known));
    trial.must(ADA, Request::Start { pledge: None });
    play(&mut trial, 2);
    trial
}

fn closed() -> Trial {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    for guest in [BEA, ADA] {
        trial.ask(guest, Request::Leave {});
    }
    trial
}

/// All of them, with their names.
fn made() -> Vec<(String, Fixture)> {
    let editions = Edition::ALL.into_iter().map(|edition| (edition.id(), in_a_match(edition)));
    let others = [
        ("lobby", in_the_lobby()),
        ("events", with_events()),
        ("withheld", withheld()),
        ("alone", alone()),
        ("closed", closed()),
    ];
    let kept = editions.chain(others).map(|(name, trial)| {
        let (seq, seal, shown) = (trial.table.seq(), trial.table.seal(), Shown::of(&trial.table, trial.now));
        let snapshot = trial.snapshot.map(|snapshot| (snapshot.seq, snapshot.body));
        (name.to_owned(), Fixture { seq, seal, snapshot, entries: trial.entries, shown: Some(shown) })
    });
    kept.collect()
}

/// Adds the files that are missing, and those whose tables have become different under another name.
fn write() {
    let folder = folder().join(env!("CARGO_PKG_VERSION"));
    std::fs::create_dir_all(&folder).unwrap();
    for (name, fixture) in made() {
        let text = serde_json::to_string(&fixture).unwrap() + "\n";
        let names = std::iter::once(name.clone()).chain((2..).map(|number| format!("{name}-{number}")));
        for path in names.map(|name| folder.join(format!("{name}.json"))) {
            match std::fs::read_to_string(&path) {
                Ok(found) if found == text => break,
                Ok(_) => {}
                Err(_) => {
                    std::fs::write(path, text).unwrap();
                    break;
                }
            }
        }
    }
}

/// The names of all facts, as an entry with none of them is refused.
fn all_facts() -> BTreeSet<String> {
    let error = serde_json::from_str::<Fact>(r#"{"type":"?"}"#).unwrap_err().to_string();
    let names: BTreeSet<String> = error.split('`').skip(3).step_by(2).map(str::to_owned).collect();
    assert!(names.contains("opened") && names.contains("closed"), "{error}");
    names
}

fn name_of(fact: &Fact) -> String {
    serde_json::to_value(fact).unwrap()["type"].as_str().unwrap().to_owned()
}

#[test]
fn journals_of_all_versions_are_restored_as_they_were() {
    if std::env::var_os("UNUM_WRITE_FIXTURES").is_some() {
        write();
    }
    let (mut count, mut facts) = (0, BTreeSet::new());
    for version in std::fs::read_dir(folder()).unwrap() {
        for file in std::fs::read_dir(version.unwrap().path()).unwrap() {
            let entries = restore(&file.unwrap().path());
            facts.extend(entries.iter().map(|entry| name_of(&entry.fact)));
            count += 1;
        }
    }
    assert!(count >= Edition::ALL.len(), "only {count} journals");
    let missing: Vec<String> = all_facts().difference(&facts).cloned().collect();
    assert!(missing.is_empty(), "no journal has {missing:?}: let a table do that, and write its fixture");
}

fn restore(path: &Path) -> Vec<Entry> {
    let name = path.display();
    let Fixture { seq, seal, snapshot, entries, shown } =
        serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    for entry in &entries {
        let text = serde_json::to_string(entry).unwrap();
        assert_eq!(json::read(&text).as_ref(), Ok(entry), "the page's module reads the same");
    }
    let snapshot = snapshot.map(|(seq, body)| Snapshot { seq, body });
    let last = snapshot.as_ref().map_or(0, |snapshot| snapshot.seq);
    let recent: Vec<Entry> = entries.iter().filter(|entry| entry.seq > last).cloned().collect();
    for (snapshot, entries) in [(None, entries.clone()), (snapshot.as_ref(), recent)] {
        let table = Table::restore(snapshot, entries, Moment(0), &mut SeededDice::new(1));
        let table = table.unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(!table.has_lost_round(), "{name}: the round does not come out as it was played");
        assert_eq!((table.seq(), table.seal().game), (seq, seal.game.clone()), "{name}");
        if let Some(shown) = &shown {
            assert_eq!(Shown::of(&table, Moment(0)), *shown, "{name}");
        }
    }
    entries
}
