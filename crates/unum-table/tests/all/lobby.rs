//! Coming, going, chairs, agreements.

use unum_protocol::{Level, Request, RequestKind, ServerMsg, SettingId, SettingValue, Settings, Stage};
use unum_rules::{CustomCard, CustomRule, Edition, House, RulesSpec, Scoring};
use unum_table::sim::Trial;
use unum_table::{Fact, GuestId};

use crate::people::{ADA, BEA, CY, DAN, Script, lobby_of, match_of, settings};

fn accept(agreement: u32) -> Request {
    Request::Accept { agreement }
}

fn ready() -> Request {
    Request::Ready { ready: true, pledge: None }
}

fn start() -> Request {
    Request::Start { pledge: None }
}

#[test]
fn the_first_to_come_is_host_and_sits() {
    let trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    let lobby = trial.lobby(BEA);
    assert_eq!(lobby.host, Some(1));
    assert_eq!(lobby.chairs.iter().map(|chair| chair.person).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert_eq!(lobby.chairs.iter().map(|chair| chair.accepted).collect::<Vec<_>>(), [true, false]);
    assert!(matches!(trial.inboxes[&BEA][..], [ServerMsg::Welcome { you: 2, .. }, ServerMsg::Snapshot { .. }]));
}

#[test]
fn who_finds_no_chair_looks_on_or_is_turned_away() {
    let mut trial = lobby_of(&[ADA, BEA, CY], Settings { seats: 2, ..Settings::default() });
    assert_eq!(trial.lobby(CY).people[2].seat, None);
    assert_eq!(trial.refused(CY, Request::Sit {}), "no_chair");
    let mut trial = lobby_of(&[ADA, BEA], Settings { seats: 2, spectators: false, ..Settings::default() });
    let outcome = trial.arrive(CY, "Cy", None);
    assert_eq!(outcome.dismissed, [CY]);
    assert!(outcome.entries.is_empty());
    assert!(matches!(&trial.inboxes[&CY][..], [ServerMsg::Bye { code, .. }] if code.as_str() == "no_spectators"));
}

#[test]
fn chairs_move_up_when_somebody_leaves() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    trial.must(ADA, Request::AddBot { level: Level::Hard });
    trial.must(BEA, Request::Stand {});
    let lobby = trial.lobby(ADA);
    assert_eq!(lobby.chairs.iter().map(|chair| chair.person).collect::<Vec<_>>(), [Some(1), Some(3), None]);
    assert_eq!(lobby.chairs[2].bot, Some(Level::Hard));
    assert!(lobby.chairs[2].ready && lobby.chairs[2].accepted);
    trial.must(BEA, Request::Sit {});
    assert_eq!(trial.refused(BEA, Request::Sit {}), "already_seated");
    trial.must(ADA, Request::RemoveBot { seat: 2 });
    assert_eq!(trial.refused(ADA, Request::RemoveBot { seat: 0 }), "no_such_seat");
    assert_eq!(trial.lobby(ADA).chairs.len(), 3);
}

/// Whether a Reverse skips with two.
fn reverse_skips(trial: &Trial) -> bool {
    trial.table.settings().rules.house.reverse_skips_with_two
}

fn usual_for_two() -> Settings {
    Settings { usual_for_two: true, ..settings(Edition::Original) }
}

#[test]
fn with_two_a_reverse_skips_until_a_third_sits_down() {
    let mut trial = lobby_of(&[ADA], usual_for_two());
    assert!(reverse_skips(&trial));
    trial.must(ADA, Request::AddBot { level: Level::Easy });
    assert!(reverse_skips(&trial));
    trial.arrive(BEA, "Bea", None);
    assert!(!reverse_skips(&trial));
    trial.must(BEA, accept(1));
    trial.must(BEA, ready());
    trial.inboxes.clear();
    trial.must(ADA, Request::RemoveBot { seat: 1 });
    assert!(reverse_skips(&trial));
    let told = |message: &ServerMsg| match message {
        ServerMsg::Update { terms: Some(terms), .. } => terms.settings.rules.house.reverse_skips_with_two,
        _ => false,
    };
    assert!(trial.inboxes[&BEA].iter().any(told), "{:?}", trial.inboxes[&BEA]);
    assert_eq!(trial.table.agreement(), 1);
    assert!(trial.lobby(BEA).chairs.iter().all(|chair| chair.accepted));
    trial.must(ADA, start());
    assert!(trial.restored(false).unwrap().settings().rules.house.reverse_skips_with_two);
}

#[test]
fn what_the_host_chooses_for_two_stays() {
    let mut trial = lobby_of(&[ADA, BEA], usual_for_two());
    trial.must(BEA, accept(1));
    let choose = |on| Request::Set { setting: SettingId::ReverseSkipsWithTwo, value: SettingValue::Switch(on) };
    trial.must(ADA, choose(false));
    assert!(!reverse_skips(&trial) && !trial.table.settings().usual_for_two);
    assert_eq!(trial.table.agreement(), 2);
    assert!(!trial.lobby(BEA).chairs[1].accepted);
    trial.must(ADA, choose(true));
    trial.arrive(CY, "Cy", None);
    assert!(reverse_skips(&trial));
    let automatic = Request::Set { setting: SettingId::UsualForTwo, value: SettingValue::Switch(true) };
    trial.must(ADA, automatic);
    assert!(!reverse_skips(&trial));
    assert_eq!(trial.table.agreement(), 4);
}

#[test]
fn a_rematch_of_two_after_a_third_has_left_follows_the_usual_rule() {
    let single = RulesSpec { scoring: Some(Scoring::SingleRound), ..RulesSpec::of(Edition::Original) };
    let mut trial =
        match_of(&[ADA, BEA, CY], 0, Settings { rules: single, usual_for_two: true, ..Settings::default() });
    assert!(!reverse_skips(&trial));
    trial.must(CY, Request::Leave {});
    assert!(!reverse_skips(&trial), "the match goes on with three chairs");
    trial.must(ADA, Request::Reopen {});
    assert!(reverse_skips(&trial));
}

#[test]
fn tables_of_programs_play_the_sheet() {
    let trial = lobby_of(&[ADA, BEA], Settings::default());
    assert!(!reverse_skips(&trial));
}

#[test]
fn rules_are_accepted_by_everybody_before_the_deal() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    assert_eq!(trial.refused(ADA, start()), "not_accepted");
    assert_eq!(trial.refused(BEA, ready()), "not_accepted");
    trial.must(BEA, accept(1));
    trial.must(CY, accept(1));
    assert_eq!(trial.refused(ADA, start()), "not_ready");
    trial.must(BEA, ready());
    trial.must(CY, ready());
    assert_eq!(trial.refused(BEA, start()), "not_host");
    trial.must(ADA, Request::Settings { settings: settings(Edition::Modern) });
    let lobby = trial.lobby(CY);
    assert_eq!(trial.table.agreement(), 2);
    assert_eq!(lobby.chairs.iter().map(|chair| chair.accepted).collect::<Vec<_>>(), [true, false, false]);
    assert_eq!(trial.refused(BEA, accept(1)), "old_agreement");
    for guest in [BEA, CY] {
        trial.must(guest, accept(2));
        trial.must(guest, ready());
    }
    trial.must(ADA, start());
    assert_eq!(trial.stage(), Stage::Playing);
}

#[test]
fn other_settings_than_rules_need_no_new_agreement() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    trial.must(BEA, accept(1));
    trial.must(ADA, Request::Settings { settings: Settings { clock: Some(60), ..Settings::default() } });
    assert_eq!(trial.table.agreement(), 1);
    assert!(trial.lobby(BEA).chairs[1].accepted);
}

#[test]
fn impossible_settings_are_refused_in_words() {
    let with = |change: fn(&mut Settings)| {
        let mut settings = Settings::default();
        change(&mut settings);
        settings
    };
    let hidden = |settings: &mut Settings| {
        let rule = CustomRule { title: "Turn\u{202e}".to_owned(), text: String::new(), effects: Vec::new() };
        settings.rules =
            RulesSpec { custom_cards: Some(vec![CustomCard::Rule(rule)]), ..RulesSpec::of(Edition::Custom) };
    };
    let bad = [
        with(|settings| settings.seats = 1),
        with(|settings| settings.seats = 11),
        with(|settings| settings.clock = Some(4)),
        with(|settings| settings.clock = Some(601)),
        with(|settings| (settings.public, settings.clock) = (true, None)),
        with(|settings| settings.title = "x".repeat(61)),
        with(|settings| {
            settings.rules.house = House { no_bluffing: true, no_challenges: true, ..House::default() };
        }),
        with(hidden),
    ];
    let mut trial = lobby_of(&[ADA, BEA, CY], Settings::default());
    for settings in bad {
        trial.refill();
        assert!(Trial::open(ADA, settings.clone(), 1).is_err(), "{settings:?}");
        assert_eq!(trial.refused(ADA, Request::Settings { settings }), "bad_settings");
    }
    let fewer = Settings { seats: 2, ..Settings::default() };
    assert_eq!(trial.refused(ADA, Request::Settings { settings: fewer }), "bad_settings");
    assert_eq!(trial.refused(BEA, Request::Settings { settings: Settings::default() }), "not_host");
}

#[test]
fn too_many_for_the_hand_size_cannot_start() {
    let house = House { hand_size: Some(20), ..House::default() };
    let rules = RulesSpec { house, ..RulesSpec::of(Edition::Original) };
    let mut trial = lobby_of(&[ADA], Settings { rules, ..Settings::default() });
    for _ in 0..6 {
        trial.must(ADA, Request::AddBot { level: Level::Easy });
    }
    assert_eq!(trial.refused(ADA, start()), "bad_settings");
}

#[test]
fn one_alone_cannot_start() {
    let mut trial = lobby_of(&[ADA], settings(Edition::Original));
    assert_eq!(trial.refused(ADA, start()), "too_few");
    assert!(!trial.may(ADA, RequestKind::Start));
    trial.must(ADA, Request::AddBot { level: Level::Easy });
    assert!(trial.may(ADA, RequestKind::Start));
    trial.must(ADA, start());
}

#[test]
fn kicked_is_kicked_for_good() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    assert_eq!(trial.refused(BEA, Request::Kick { person: 3, address: false }), "not_host");
    assert_eq!(trial.refused(ADA, Request::Kick { person: 1, address: false }), "no_such_person");
    assert_eq!(trial.refused(ADA, Request::Kick { person: 9, address: false }), "no_such_person");
    let outcome = trial.ask(ADA, Request::Kick { person: 2, address: false });
    assert_eq!(outcome.dismissed, [BEA]);
    assert!(matches!(trial.inboxes[&BEA].last(), Some(ServerMsg::Bye { code, .. }) if code.as_str() == "kicked"));
    let outcome = trial.arrive(BEA, "Bea again", None);
    assert_eq!(outcome.dismissed, [BEA]);
    assert_eq!(trial.lobby(ADA).people.len(), 2);
}

#[test]
fn the_host_passes_on_when_the_host_leaves() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    trial.must(BEA, Request::Stand {});
    let outcome = trial.ask(ADA, Request::Leave {});
    assert_eq!(outcome.dismissed, [ADA]);
    assert!(trial.inboxes[&ADA].iter().any(|message| matches!(message, ServerMsg::Update { id: Some(1), .. })));
    assert_eq!(trial.lobby(BEA).host, Some(3), "who sits comes before who looks on");
    trial.must(CY, Request::PassHost { person: 2 });
    assert_eq!(trial.lobby(CY).host, Some(2));
    trial.ask(BEA, Request::Leave {});
    trial.ask(CY, Request::Leave {});
    assert!(trial.table.is_closed());
    assert_eq!(trial.facts().last(), Some(&Fact::Closed {}));
    let outcome = trial.arrive(DAN, "Dan", None);
    assert_eq!(outcome.dismissed, [DAN]);
}

#[test]
fn a_host_who_is_gone_for_long_passes_on() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    trial.gone(ADA);
    trial.wait(59_000);
    assert_eq!(trial.lobby(BEA).host, Some(1));
    trial.wait(2_000);
    assert_eq!((trial.lobby(BEA).host, trial.lobby(BEA).acting), (Some(2), true));
}

#[test]
fn names_are_clean_and_everybody_has_their_own() {
    let mut trial = lobby_of(&[ADA], settings(Edition::Original));
    trial.arrive(BEA, " ADA\u{202e}\n", None);
    assert_eq!(trial.lobby(ADA).people[1].name, "ADA 2");
    assert_eq!(trial.refused(BEA, Request::Rename { name: "ada".to_owned() }), "bad_name");
    assert_eq!(trial.refused(BEA, Request::Rename { name: "\u{200b}".to_owned() }), "bad_name");
    assert_eq!(trial.refused(BEA, Request::Rename { name: "x".repeat(10_000) }), "bad_name");
    trial.must(BEA, Request::Rename { name: "<b>Bea</b>".to_owned() });
    assert_eq!(trial.lobby(ADA).chairs[1].name, "<b>Bea</b>");
    let outcome = trial.arrive(CY, &"y".repeat(10_000), None);
    assert_eq!(outcome.dismissed, [CY]);
    for _ in 0..8 {
        trial.must(ADA, Request::AddBot { level: Level::Easy });
    }
    let mut names: Vec<String> = trial.lobby(ADA).chairs.into_iter().map(|chair| chair.name).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 10);
}

#[test]
fn what_one_may_ask_for_is_listed() {
    let trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    let (host, guest) = (trial.own(ADA).may, trial.own(BEA).may);
    assert!(
        host.contains(&RequestKind::Settings)
            && host.contains(&RequestKind::AddBot)
            && host.contains(&RequestKind::Kick)
    );
    assert!(
        !guest.contains(&RequestKind::Settings)
            && guest.contains(&RequestKind::Accept)
            && !guest.contains(&RequestKind::Ready)
    );
    let trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    let (host, guest) = (trial.own(ADA).may, trial.own(BEA).may);
    assert!(host.contains(&RequestKind::Reopen) && !host.contains(&RequestKind::Settings));
    assert!(
        guest.contains(&RequestKind::Act)
            && guest.contains(&RequestKind::Autopilot)
            && !guest.contains(&RequestKind::Ready)
    );
}

#[test]
fn a_public_table_is_listed_until_it_is_closed() {
    let mut trial = lobby_of(&[ADA], Settings { public: true, title: "Come <in>".to_owned(), ..Settings::default() });
    let listing = trial.table.listing().unwrap();
    assert_eq!((listing.title.as_str(), listing.people, listing.bots, listing.seats), ("Come <in>", 1, 0, 10));
    trial.ask(ADA, Request::Leave {});
    assert_eq!(trial.table.listing(), None);
    assert_eq!(lobby_of(&[ADA], Settings::default()).table.listing(), None);
}

#[test]
fn strangers_are_refused() {
    let mut trial = lobby_of(&[ADA], settings(Edition::Original));
    assert_eq!(trial.refused(GuestId(5), Request::Sit {}), "not_here");
    let greeting = trial.table.greet(GuestId(5), None, trial.now);
    assert!(matches!(&greeting[..], [ServerMsg::Bye { code, .. }] if code.as_str() == "not_here"));
}
