//! Manners between strangers: whose table it is, who may come, what one may ask for, who is told what.

use unum_protocol::{Happened, Level, Pace, Reaction, Request, RequestKind, ServerMsg, Settings, Stage};
use unum_rules::Edition;
use unum_table::sim::Trial;
use unum_table::{AddressMark, Fact, GuestId, Input};

use crate::people::{ADA, BEA, CY, DAN, Script, first_choice, instant, lobby_of, match_of, settings};

fn kick(person: u32) -> Request {
    Request::Kick { person, address: false }
}

/// A table of Ada's that she has not come to.
fn waiting_for_ada(settings: Settings) -> Trial {
    let mut trial = Trial::open(ADA, settings, 7).unwrap();
    trial.arrive(BEA, "Bea", None);
    trial
}

fn onlookers(trial: &mut Trial, count: u64) -> Vec<GuestId> {
    let guests: Vec<GuestId> = (0..count).map(|number| GuestId(8_000_000_000_000_000 + number)).collect();
    for guest in &guests {
        trial.refill();
        trial.arrive(*guest, "Onlooker", None);
    }
    trial.wait(1_000);
    guests
}

fn updates(messages: &[ServerMsg]) -> usize {
    messages.iter().filter(|message| matches!(message, ServerMsg::Update { .. })).count()
}

// Whose table it is.

#[test]
fn the_opener_is_host_though_somebody_else_came_first() {
    let mut trial = waiting_for_ada(Settings { public: true, ..Settings::default() });
    assert_eq!(trial.lobby(BEA).host, None);
    assert!(!trial.may(BEA, RequestKind::Settings) && !trial.may(BEA, RequestKind::Kick));
    assert_eq!(trial.table.listing(), None, "a table is listed once its opener has come");
    trial.arrive(ADA, "Ada", None);
    let lobby = trial.lobby(BEA);
    assert_eq!((lobby.host, lobby.acting), (Some(2), false));
    assert!(trial.table.listing().is_some());
}

#[test]
fn a_chair_is_kept_for_the_opener() {
    let mut trial = waiting_for_ada(Settings { seats: 2, ..Settings::default() });
    trial.arrive(CY, "Cy", None);
    assert_eq!(trial.refused(CY, Request::Sit {}), "no_chair");
    trial.arrive(ADA, "Ada", None);
    assert_eq!(trial.lobby(ADA).people[2].seat, Some(1));
}

#[test]
fn strangers_who_leave_do_not_close_the_table_of_an_opener_who_has_not_come() {
    let mut trial = waiting_for_ada(Settings::default());
    trial.ask(BEA, Request::Leave {});
    assert!(!trial.table.is_closed());
    trial.arrive(ADA, "Ada", None);
    assert_eq!(trial.lobby(ADA).host, Some(2));
}

#[test]
fn somebody_stands_in_for_an_opener_who_does_not_come_and_gives_way() {
    let mut trial = waiting_for_ada(Settings::default());
    trial.wait(61_000);
    let lobby = trial.lobby(BEA);
    assert_eq!((lobby.host, lobby.acting), (Some(1), true));
    assert!(trial.may(BEA, RequestKind::Settings));
    assert_eq!(trial.refused(BEA, Request::NewCode {}), "not_host");
    trial.arrive(ADA, "Ada", None);
    let lobby = trial.lobby(BEA);
    assert_eq!((lobby.host, lobby.acting), (Some(2), false));
}

#[test]
fn a_host_who_slept_gets_the_table_back() {
    let mut trial = match_of(&[ADA, BEA, CY], 0, Settings { clock: None, ..settings(Edition::Original) });
    trial.gone(ADA);
    trial.wait(61_000);
    assert_eq!(trial.lobby(BEA).host, Some(2));
    assert_eq!(trial.refused(BEA, kick(1)), "not_host", "it is Ada's table");
    assert_eq!(trial.refused(BEA, kick(3)), "not_host", "nobody is removed from a match by who stands in");
    assert_eq!(trial.refused(BEA, Request::PassHost { person: 3 }), "not_host");
    assert!(!trial.may(BEA, RequestKind::Kick));
    trial.arrive(DAN, "Dan", None);
    assert!(trial.may(BEA, RequestKind::Kick), "an onlooker can be removed");
    trial.must(BEA, kick(4));
    trial.arrive(ADA, "Ada", None);
    assert_eq!((trial.lobby(BEA).host, trial.lobby(BEA).acting), (Some(1), false));
    trial.must(ADA, kick(3));
}

#[test]
fn onlookers_never_become_host() {
    let mut trial = match_of(&[ADA], 2, Settings { clock: None, ..settings(Edition::Original) });
    trial.arrive(BEA, "Bea", None);
    trial.gone(ADA);
    trial.wait(200_000);
    assert_eq!(trial.lobby(BEA).host, Some(1));
    trial.arrive(ADA, "Ada", None);
    trial.ask(ADA, Request::Quit {});
    let lobby = trial.lobby(BEA);
    assert_eq!((lobby.host, lobby.stage), (None, Stage::Lobby), "a match that nobody plays is over");
    trial.must(BEA, Request::Sit {});
    assert_eq!((trial.lobby(BEA).host, trial.lobby(BEA).acting), (Some(2), false));
}

#[test]
fn the_table_is_theirs_whom_the_host_makes_host() {
    let mut trial = lobby_of(&[ADA, BEA], Settings::default());
    trial.must(ADA, Request::PassHost { person: 2 });
    trial.gone(ADA);
    trial.arrive(ADA, "Ada", None);
    assert_eq!((trial.lobby(ADA).host, trial.lobby(ADA).acting), (Some(2), false));
}

#[test]
fn whose_table_it_is_survives_a_restart() {
    let mut trial = lobby_of(&[ADA, BEA], Settings::default());
    trial.gone(ADA);
    trial.wait(61_000);
    trial.table = trial.restored(false).unwrap();
    trial.arrive(BEA, "Bea", None);
    assert!(trial.lobby(BEA).acting);
    trial.arrive(ADA, "Ada", None);
    assert_eq!((trial.lobby(BEA).host, trial.lobby(BEA).acting), (Some(1), false));
}

// Who may come.

#[test]
fn a_kick_by_address_keeps_new_guests_of_that_address_out_until_it_is_taken_back() {
    let mut trial = lobby_of(&[ADA], Settings::default());
    let (home, school) = (Some(AddressMark(1)), Some(AddressMark(2)));
    trial.address = home;
    trial.arrive(BEA, "Bea", None);
    trial.arrive(CY, "Cy", None);
    trial.must(ADA, Request::Kick { person: 2, address: true });
    assert!(trial.lobby(ADA).people.len() == 2, "who is at the table stays");
    assert!(trial.arrive(DAN, "Dan", None).dismissed.contains(&DAN));
    trial.address = school;
    assert!(trial.arrive(BEA, "Bea", None).dismissed.contains(&BEA), "the guest is kept out wherever they come from");
    assert!(!trial.arrive(DAN, "Dan", None).dismissed.contains(&DAN));
    let kicked = trial.own(ADA).kicked;
    assert_eq!((kicked[0].person, kicked[0].name.as_str(), kicked[0].address), (2, "Bea", true));
    assert!(trial.own(CY).kicked.is_empty(), "only the host is told");
    assert_eq!(trial.refused(CY, Request::Unkick { person: 2 }), "not_host");
    assert_eq!(trial.refused(ADA, Request::Unkick { person: 3 }), "no_such_person");
    trial.must(ADA, Request::Unkick { person: 2 });
    assert!(!trial.may(ADA, RequestKind::Unkick));
    trial.address = home;
    assert!(!trial.arrive(BEA, "Bea", None).dismissed.contains(&BEA));
}

#[test]
fn a_kick_without_the_address_keeps_one_guest_out() {
    let mut trial = lobby_of(&[ADA], Settings::default());
    trial.address = Some(AddressMark(77_777_777));
    trial.arrive(BEA, "Bea", None);
    trial.must(ADA, kick(2));
    assert!(!trial.arrive(CY, "Cy", None).dismissed.contains(&CY), "a household shares an address");
    let journal = serde_json::to_string(&trial.entries).unwrap();
    assert!(!journal.contains("77777777"), "an address is kept only if it has to be");
}

#[test]
fn nobody_new_enters_a_locked_table() {
    let mut trial = lobby_of(&[ADA, BEA], Settings { public: true, ..Settings::default() });
    assert_eq!(trial.refused(BEA, Request::Lock { locked: true }), "not_host");
    trial.must(ADA, Request::Lock { locked: true });
    assert!(trial.lobby(BEA).locked && trial.table.listing().is_none() && trial.table.summary(None).listing.locked);
    trial.arrive(CY, "Cy", None);
    assert!(matches!(trial.inboxes[&CY].last(), Some(ServerMsg::Bye { code, .. }) if code.as_str() == "locked"));
    trial.gone(BEA);
    assert!(trial.arrive(BEA, "Bea", None).dismissed.is_empty(), "who is at the table comes and goes");
    trial.must(ADA, Request::Lock { locked: false });
    assert!(trial.arrive(CY, "Cy", None).dismissed.is_empty());
}

#[test]
fn a_new_code_is_told_to_everybody_at_the_table() {
    let mut trial = lobby_of(&[ADA, BEA], Settings::default());
    assert_eq!(trial.refused(BEA, Request::NewCode {}), "not_host");
    trial.must(ADA, Request::NewCode {});
    let code = trial.table.code().to_owned();
    assert!(unum_protocol::is_table_code(&code), "{code}");
    for guest in [ADA, BEA] {
        let told = trial.inboxes[&guest].iter().rev().find_map(|message| match message {
            ServerMsg::Update { what: Happened::CodeRenewed { code }, lobby: Some(lobby), .. } => {
                Some((code.clone(), lobby.code.clone()))
            }
            _ => None,
        });
        assert_eq!(told, Some((code.clone(), code.clone())));
    }
    assert_eq!(trial.restored(false).unwrap().code(), code);
}

// Chairs.

#[test]
fn who_is_gone_from_the_lobby_loses_the_chair_and_gets_it_back_if_it_is_free() {
    let mut trial = lobby_of(&[ADA, BEA], Settings { seats: 2, ..Settings::default() });
    trial.gone(BEA);
    trial.wait(59_000);
    assert_eq!(trial.lobby(ADA).chairs.len(), 2);
    trial.wait(2_000);
    assert_eq!(trial.facts().last(), Some(&Fact::ChairLost { person: 2 }));
    trial.arrive(BEA, "Bea", None);
    assert_eq!(trial.lobby(ADA).people[1].seat, Some(1));
    trial.gone(BEA);
    trial.wait(61_000);
    trial.arrive(CY, "Cy", None);
    trial.arrive(BEA, "Bea", None);
    assert_eq!(trial.lobby(ADA).people.iter().map(|one| one.seat).collect::<Vec<_>>(), [Some(0), None, Some(1)]);
}

#[test]
fn where_nobody_looks_on_a_chair_that_was_given_away_is_gone() {
    let mut trial = lobby_of(&[ADA, BEA], Settings { seats: 2, spectators: false, ..Settings::default() });
    trial.gone(BEA);
    trial.wait(61_000);
    trial.arrive(CY, "Cy", None);
    assert_eq!(trial.arrive(BEA, "Bea", None).dismissed, [BEA]);
    assert_eq!(trial.lobby(ADA).people.len(), 2);
}

#[test]
fn a_closed_tab_does_not_keep_others_from_starting() {
    let mut trial = lobby_of(&[ADA, BEA, CY, DAN], settings(Edition::Original));
    for guest in [BEA, CY] {
        trial.must(guest, Request::Accept { agreement: 1 });
        trial.must(guest, Request::Ready { ready: true, pledge: None });
    }
    assert_eq!(trial.refused(ADA, Request::Start { pledge: None }), "not_accepted");
    trial.gone(CY);
    trial.gone(DAN);
    trial.wait(300);
    let told = trial.inboxes[&ADA].iter().rev().find_map(|message| match message {
        ServerMsg::Presence { own: Some(own), .. } | ServerMsg::Update { own: Some(own), .. } => {
            Some(own.may.contains(&RequestKind::Start))
        }
        _ => None,
    });
    assert_eq!(told, Some(true), "the host is told that nobody has to be waited for");
    trial.must(ADA, Request::Start { pledge: None });
    let names: Vec<String> = trial.lobby(ADA).chairs.into_iter().map(|chair| chair.name).collect();
    assert_eq!(names, ["Ada", "Bea", "Cy"], "who was ready keeps the chair");
}

// What one may ask for.

#[test]
fn talk_has_a_budget_and_says_when_to_try_again() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    for _ in 0..5 {
        trial.must(ADA, Request::React { reaction: Reaction::Wow });
    }
    trial.ask(ADA, Request::Chat { text: "more".to_owned() });
    let Some(ServerMsg::Refused { refusal, .. }) = trial.inboxes[&ADA].last() else { panic!("not refused") };
    assert_eq!((refusal.code.as_str(), refusal.retry), ("too_soon", Some(1_000)));
    trial.must(BEA, Request::Chat { text: "mine is full".to_owned() });
    trial.wait(1_000);
    trial.must(ADA, Request::Chat { text: "more".to_owned() });
    trial.table = trial.restored(false).unwrap();
    trial.arrive(ADA, "Ada", None);
    trial.must(ADA, Request::Chat { text: "entries cost nothing".to_owned() });
}

#[test]
fn onlookers_leave_players_their_budget() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    let crowd = onlookers(&mut trial, 40);
    trial.refill();
    let before = trial.entries.len();
    for guest in &crowd {
        for _ in 0..5 {
            trial.ask(*guest, Request::React { reaction: Reaction::Wow });
            trial.ask(*guest, Request::Rename { name: format!("Crowd {}", trial.entries.len()) });
        }
    }
    assert_eq!(trial.entries.len() - before, 30, "ten reactions and twenty names");
    trial.must(ADA, Request::React { reaction: Reaction::Wow });
}

#[test]
fn settings_ready_and_coming_have_budgets() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    trial.must(BEA, Request::Accept { agreement: 1 });
    let before = trial.entries.len();
    for number in 0..100 {
        trial.ask(BEA, Request::Ready { ready: number % 2 == 0, pledge: None });
    }
    assert_eq!(trial.entries.len() - before, 19, "to be ready costs nothing, not to be ready any more does");
    let before = trial.entries.len();
    for number in 0..100 {
        let settings = Settings { title: format!("Title {number}"), ..settings(Edition::Original) };
        trial.ask(ADA, Request::Settings { settings });
    }
    assert_eq!(trial.entries.len() - before, 10);
    let before = trial.entries.len();
    for _ in 0..20 {
        trial.arrive(CY, "Cy", None);
        trial.ask(CY, Request::Leave {});
    }
    let joined = trial.facts()[before..].iter().filter(|fact| matches!(fact, Fact::Joined { .. })).count();
    assert_eq!(joined, 3);
    let Some(ServerMsg::Bye { code, retry, .. }) =
        trial.inboxes[&CY].iter().rev().find(|message| matches!(message, ServerMsg::Bye { .. }))
    else {
        panic!("no goodbye")
    };
    assert_eq!((code.as_str(), *retry), ("too_soon", Some(10_000)));
}

#[test]
fn playing_has_no_budget() {
    let mut trial = match_of(&[ADA, BEA], 0, instant(Edition::Original));
    for _ in 0..60 {
        if trial.stage() != Stage::Playing {
            return;
        }
        let guest = trial.up()[0];
        let action = first_choice(&trial.game(guest));
        trial.must(guest, Request::Act { action, at: None });
    }
}

#[test]
fn an_onlookers_catch_is_refused_at_once_and_holds_nobody_up() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    trial.arrive(CY, "Cy", None);
    for seat in 0..3 {
        let action = unum_rules::wire::ActionForm::Catch { seat };
        assert_eq!(trial.refused(CY, Request::Act { action, at: None }), "not_seated");
    }
}

// Bots among themselves.

#[test]
fn instant_bots_take_their_time_when_no_player_is_there() {
    let mut trial = match_of(&[ADA], 3, instant(Edition::Original));
    trial.must(ADA, Request::Autopilot { on: true });
    let begin = trial.now.0;
    trial.wait(10_000);
    let moves: Vec<u64> = trial
        .entries
        .iter()
        .filter(|one| one.at.0 > begin && matches!(one.fact, Fact::Acted { .. }))
        .map(|one| one.at.0)
        .collect();
    assert!(moves.len() > 20 && moves.len() <= 200, "{}", moves.len());
}

#[test]
fn bots_wait_for_a_person_after_a_thousand_moves() {
    let rules = unum_rules::RulesSpec {
        scoring: Some(unum_rules::Scoring::FirstTo(10_000)),
        ..unum_rules::RulesSpec::of(Edition::Original)
    };
    let mut trial = match_of(&[ADA], 3, Settings { rules, pace: Pace::Instant, ..Settings::default() });
    trial.arrive(BEA, "Bea", None);
    trial.must(ADA, Request::Autopilot { on: true });
    trial.wait(600_000);
    let moves = |trial: &Trial| trial.facts().iter().filter(|fact| matches!(fact, Fact::Acted { .. })).count();
    let (before, told) = (moves(&trial), trial.inboxes[&BEA].len());
    assert!((1_000..=1_010).contains(&before), "{before}");
    assert!(trial.lobby(BEA).paused);
    trial.gone(ADA);
    trial.wait(3_600_000);
    assert_eq!(moves(&trial), before);
    assert!(trial.inboxes[&BEA].len() < told + 5);
    assert_eq!(trial.restored(true).unwrap().seq(), trial.table.seq());
    trial.arrive(ADA, "Ada", None);
    assert!(trial.lobby(BEA).paused, "who asked for a bot has to say that they play again");
    trial.must(ADA, Request::Autopilot { on: false });
    assert!(!trial.lobby(BEA).paused);
    trial.must(ADA, Request::Autopilot { on: true });
    trial.wait(10_000);
    assert!(moves(&trial) > before + 20);
}

// Who is told what.

#[test]
fn whom_somebody_mutes_is_told_to_nobody_else() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    let outcome = trial.ask(ADA, Request::Mute { person: 2, muted: true, always: false });
    let to: Vec<GuestId> = outcome.deliveries.iter().flat_map(|delivery| delivery.to.clone()).collect();
    assert_eq!(to, [ADA]);
}

#[test]
fn one_message_serves_all_onlookers_and_they_get_few() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    let crowd = onlookers(&mut trial, 50);
    for (number, guest) in crowd.iter().enumerate() {
        trial.refill();
        trial.must(*guest, Request::Mute { person: 3 + ((number as u32 + 1) % 50), muted: true, always: false });
    }
    trial.must(BEA, Request::React { reaction: Reaction::Hello });
    trial.wait(1_000);
    trial.refill();
    let outcome = trial.ask(ADA, Request::Rename { name: "Ada the first".to_owned() });
    let for_crowd: Vec<_> =
        outcome.deliveries.iter().filter(|delivery| delivery.to.iter().any(|guest| crowd.contains(guest))).collect();
    let lobbies =
        for_crowd.iter().filter(|one| matches!(one.message, ServerMsg::Update { lobby: Some(_), .. })).count();
    assert_eq!(lobbies, 1, "whom they have muted does not make their messages different");
    trial.inboxes.clear();
    for number in 0..8 {
        trial.must(ADA, Request::Rename { name: format!("Ada {number}") });
    }
    assert!(!trial.inboxes.contains_key(&crowd[0]), "a quarter of a second is not over");
    trial.wait(250);
    let inbox = &trial.inboxes[&crowd[0]];
    let lobbies = inbox.iter().filter(|one| matches!(one, ServerMsg::Update { lobby: Some(_), .. })).count();
    assert_eq!((updates(inbox), lobbies), (8, 1), "the lobby is told once for all of them");
    assert_eq!(updates(&trial.inboxes[&BEA]), 8);
}

#[test]
fn who_is_ready_is_told_to_players_four_times_a_second_at_most() {
    let mut trial = lobby_of(&[ADA, BEA, CY, DAN], settings(Edition::Original));
    for guest in [BEA, CY, DAN] {
        trial.must(guest, Request::Accept { agreement: 1 });
    }
    trial.inboxes.clear();
    trial.must(BEA, Request::Ready { ready: true, pledge: None });
    trial.must(CY, Request::Ready { ready: true, pledge: None });
    assert_eq!(updates(&trial.inboxes[&BEA]), 1, "one's own request is answered at once");
    assert_eq!(updates(&trial.inboxes[&CY]), 2, "with all that was not told before");
    assert!(!trial.inboxes.contains_key(&ADA), "others can wait");
    trial.wait(250);
    assert_eq!(updates(&trial.inboxes[&ADA]), 2);
    let lobbies = trial.inboxes[&ADA].iter().filter(|one| matches!(one, ServerMsg::Update { lobby: Some(_), .. }));
    assert_eq!(lobbies.count(), 1);
    trial.inboxes.clear();
    trial.must(CY, Request::Ready { ready: false, pledge: None });
    trial.must(ADA, Request::Chat { text: "Ready?".to_owned() });
    assert_eq!(updates(&trial.inboxes[&DAN]), 2, "what cannot wait takes along what can");
}

#[test]
fn what_clients_add_to_a_deal_is_told_with_the_cards() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    for guest in [BEA, CY] {
        trial.must(guest, Request::Accept { agreement: 1 });
        trial.must(guest, Request::Ready { ready: true, pledge: None });
    }
    trial.inboxes.clear();
    let outcome = trial.ask(ADA, Request::Start { pledge: None });
    let opened = |what: &Happened| matches!(what, Happened::PartOpened { .. });
    let whats = |guest| {
        let inbox: &Vec<ServerMsg> = &trial.inboxes[&guest];
        inbox.iter().filter_map(|message| match message {
            ServerMsg::Update { what, lobby, .. } => Some((what.clone(), lobby.is_some())),
            _ => None,
        })
    };
    assert_eq!(outcome.entries.iter().filter(|entry| matches!(entry.fact, Fact::PartOpened { .. })).count(), 3);
    for guest in [ADA, BEA, CY] {
        assert_eq!(whats(guest).filter(|(what, _)| opened(what)).count(), 3, "everybody hears of every part");
        assert!(!whats(guest).any(|(what, lobby)| opened(&what) && lobby), "and sees the table once, with the cards");
        assert!(whats(guest).any(|(what, lobby)| matches!(what, Happened::Dealt { .. }) && lobby));
    }
}

#[test]
fn who_comes_and_goes_is_told_four_times_a_second_at_most() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    trial.wait(1_000);
    trial.inboxes.clear();
    for _ in 0..100 {
        trial.input(Input::Gone { guest: BEA });
        trial.arrive(BEA, "Bea", None);
        trial.wait(10);
    }
    trial.wait(1_000);
    let told = trial.inboxes[&ADA].iter().filter(|one| matches!(one, ServerMsg::Presence { .. })).count();
    assert!((2..=6).contains(&told), "{told}");
    let last = trial.inboxes[&ADA].iter().rev().find_map(|message| match message {
        ServerMsg::Presence { people, .. } => Some(people.iter().all(|person| person.connected)),
        _ => None,
    });
    assert_eq!(last, Some(true));
}

#[test]
fn names_that_look_alike_are_told_apart() {
    let mut trial = lobby_of(&[ADA], settings(Edition::Original));
    trial.arrive(BEA, "\u{410}d\u{430}", None);
    assert_eq!(trial.lobby(ADA).people[1].name, "\u{410}d\u{430} 2");
    assert_eq!(trial.refused(BEA, Request::Rename { name: "Ad\u{430}".to_owned() }), "bad_name");
    trial.must(ADA, Request::AddBot { level: Level::Easy });
}

// Chairs.

#[test]
fn clients_of_one_address_take_no_more_than_two_chairs_at_a_public_table() {
    for (public, seated) in [(true, 3), (false, 4)] {
        let settings = Settings { public, clock: Some(30), seats: 5, ..Settings::default() };
        let mut trial = Trial::open(ADA, settings, 1).unwrap();
        trial.address = Some(AddressMark(1));
        trial.arrive(ADA, "Ada", None);
        trial.address = Some(AddressMark(2));
        for guest in [BEA, CY, DAN] {
            trial.arrive(guest, "Guest", None);
        }
        assert_eq!(trial.lobby(ADA).chairs.len(), seated, "public: {public}");
        assert!(!trial.may(DAN, RequestKind::Sit), "{public}");
        if public {
            assert_eq!(trial.refused(DAN, Request::Sit {}), "no_chair");
            trial.must(BEA, Request::Stand {});
            trial.must(DAN, Request::Sit {});
        }
    }
}

#[test]
fn at_home_there_are_as_many_chairs_as_people_want() {
    let settings = Settings { public: true, clock: Some(30), seats: 5, ..Settings::default() };
    let mut trial = Trial::open(ADA, settings, 1).unwrap();
    trial.address = Some(AddressMark(1));
    for guest in [ADA, BEA, CY, DAN] {
        trial.arrive(guest, "Guest", None);
    }
    assert_eq!(trial.lobby(ADA).chairs.len(), 4);
}

// Being deleted.

#[test]
fn guests_who_are_deleted_leave_neither_name_nor_words() {
    let mut trial = lobby_of(&[ADA, BEA, CY], Settings::default());
    trial.must(BEA, Request::Chat { text: "marmalade".to_owned() });
    trial.must(CY, Request::Chat { text: "biscuits".to_owned() });
    for (guest, left) in [(BEA, 2), (CY, 1)] {
        trial.input(Input::Forget { guest });
        assert_eq!(trial.lobby(ADA).people.len(), left);
    }
    let renamed = trial.facts().into_iter().filter_map(|fact| match fact {
        Fact::Forgotten { name, .. } => Some(name),
        _ => None,
    });
    assert_eq!(renamed.collect::<Vec<_>>(), ["a player", "a player"], "the first has left when the second is renamed");
    let snapshot = trial.snapshot.clone().unwrap();
    let since = trial.entries.iter().filter(|entry| entry.seq > snapshot.seq);
    let kept = snapshot.body.clone() + &serde_json::to_string(&since.collect::<Vec<_>>()).unwrap();
    for word in ["Bea", "Cy", "marmalade", "biscuits"] {
        assert!(!kept.contains(word), "{word} in {kept}");
    }
}

#[test]
fn players_who_are_deleted_in_a_match_are_told_apart() {
    let mut trial = match_of(&[ADA, BEA, CY], 0, settings(Edition::Original));
    for guest in [BEA, CY] {
        trial.input(Input::Forget { guest });
    }
    let names: Vec<String> = trial.lobby(ADA).chairs.into_iter().map(|chair| chair.name).collect();
    assert_eq!(names, ["Ada", "a player", "a player 2"]);
}
