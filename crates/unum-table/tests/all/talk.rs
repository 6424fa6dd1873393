//! Chat, reactions, muting, accusations.

use unum_protocol::{Accusations, Happened, Reaction, ReportKind, Request, RequestKind, ServerMsg, Settings, Stage};
use unum_rules::{Edition, House, RulesSpec, Scoring};
use unum_table::sim::Trial;
use unum_table::{AddressMark, Fact, GuestId, Input, Newcomer};

use crate::people::{ADA, BEA, CY, DAN, Script, lobby_of, match_of, settings};

fn say(text: &str) -> Request {
    Request::Chat { text: text.to_owned() }
}

fn last_heard(trial: &Trial, guest: GuestId) -> Happened {
    let last = trial.inboxes[&guest].iter().rev().find_map(|message| match message {
        ServerMsg::Update { what, .. } => Some(what.clone()),
        _ => None,
    });
    last.unwrap()
}

fn chat_of(trial: &Trial, guest: GuestId) -> Vec<String> {
    let greeting = trial.table.greet(guest, None, trial.now);
    let lines = greeting.into_iter().find_map(|message| match message {
        ServerMsg::Snapshot { chat, .. } => Some(chat),
        _ => None,
    });
    lines.unwrap().into_iter().map(|line| line.text).collect()
}

#[test]
fn what_is_said_is_heard_as_plain_text() {
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    trial.must(ADA, say("  <script>\u{202e}alert(1)</script>\n"));
    let text = "<script>alert(1)</script>".to_owned();
    assert_eq!(last_heard(&trial, BEA), Happened::Chatted { person: 1, text });
    assert_eq!(trial.refused(ADA, say(" \u{200b} ")), "bad_text");
    assert_eq!(trial.refused(ADA, say(&"x".repeat(10_000))), "bad_text");
    assert_eq!(trial.refused(ADA, say(&"x".repeat(301))), "bad_text");
    trial.must(BEA, Request::React { reaction: Reaction::Cheers });
    assert_eq!(last_heard(&trial, ADA), Happened::Reacted { person: 2, reaction: Reaction::Cheers });
}

#[test]
fn nobody_writes_where_chat_is_off() {
    let mut trial = lobby_of(&[ADA], Settings { chat: false, ..Settings::default() });
    assert_eq!(trial.refused(ADA, say("hello")), "chat_off");
    assert!(!trial.may(ADA, RequestKind::Chat));
}

#[test]
fn the_last_thirty_lines_are_kept() {
    let mut trial = lobby_of(&[ADA], Settings::default());
    for number in 0..40 {
        trial.must(ADA, say(&number.to_string()));
        trial.wait(1_000);
    }
    let lines = chat_of(&trial, ADA);
    assert_eq!((lines.len(), lines[0].as_str()), (30, "10"));
}

#[test]
fn of_long_lines_fewer_are_kept() {
    let mut trial = lobby_of(&[ADA], Settings::default());
    for _ in 0..30 {
        trial.must(ADA, say(&"x".repeat(300)));
        trial.wait(2_000);
    }
    assert_eq!(chat_of(&trial, ADA).len(), 20);
}

#[test]
fn who_is_muted_is_not_heard_by_that_person_only() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    trial.must(ADA, Request::Mute { person: 2, muted: true, always: false });
    assert_eq!(trial.own(ADA).muted, [2]);
    assert!(trial.own(BEA).muted.is_empty() && trial.own(CY).muted.is_empty());
    let told = trial.inboxes[&ADA].len();
    trial.must(BEA, say("psst"));
    assert_eq!(trial.inboxes[&ADA].len(), told, "nothing is told to who may not hear it");
    assert!(matches!(last_heard(&trial, CY), Happened::Chatted { .. }));
    assert_eq!((chat_of(&trial, ADA).len(), chat_of(&trial, CY).len()), (0, 1));
    trial.must(BEA, Request::React { reaction: Reaction::Wow });
    trial.must(CY, Request::React { reaction: Reaction::Wow });
    let heard = trial.inboxes[&ADA][told..].iter().filter_map(|message| match message {
        ServerMsg::Update { what, .. } => Some(what.clone()),
        _ => None,
    });
    let wow = Happened::Reacted { person: 3, reaction: Reaction::Wow };
    assert_eq!(heard.collect::<Vec<_>>(), [Happened::Hidden {}, Happened::Hidden {}, wow], "numbers have no gaps");
    trial.must(ADA, Request::Mute { person: 2, muted: false, always: false });
    trial.must(BEA, say("hello"));
    assert!(matches!(last_heard(&trial, ADA), Happened::Chatted { .. }));
    assert_eq!(trial.refused(ADA, Request::Mute { person: 1, muted: true, always: false }), "no_such_person");
    assert_eq!(trial.refused(ADA, Request::Mute { person: 9, muted: true, always: false }), "no_such_person");
}

fn report(person: u32, text: &str) -> Request {
    Request::Report { person, kind: ReportKind::Abuse, text: text.to_owned() }
}

#[test]
fn a_report_has_what_was_said_and_done_last_and_is_answered_by_who_stores_it() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    for number in 0..3 {
        trial.must(BEA, say(&format!("word {number}")));
        trial.wait(1_000);
    }
    trial.must(CY, Request::React { reaction: Reaction::Wow });
    trial.must(BEA, Request::Rename { name: "Bea the Great".to_owned() });
    let told = trial.inboxes[&ADA].len();
    let outcome = trial.ask(ADA, report(2, "  so\nrude "));
    let [reported] = outcome.reports.as_slice() else { panic!("{:?}", outcome.reports) };
    assert_eq!((reported.reporter, reported.guest), (ADA, BEA));
    let body = &reported.body;
    assert_eq!((body.name.as_str(), body.text.as_str(), body.kind), ("Bea the Great", "so rude", ReportKind::Abuse));
    let lines: Vec<String> =
        body.lines.iter().map(|line| format!("{} {} {}", line.name, line.did, line.text)).collect();
    for line in ["Bea the Great said word 2", "Bea the Great renamed Bea the Great"] {
        assert!(lines.iter().any(|found| found == line), "{line} is not in {lines:?}");
    }
    assert!(lines.iter().any(|line| line.ends_with(" reacted wow")), "{lines:?}");
    assert_eq!(trial.inboxes[&ADA].len(), told, "whoever stores it answers");
    assert!(outcome.entries.is_empty(), "the journal has nothing of it");
    trial.wait(600_000);
    for (request, code) in [
        (report(1, ""), "no_such_person"),
        (report(9, ""), "no_such_person"),
        (report(2, &"x".repeat(301)), "bad_text"),
    ] {
        assert_eq!(trial.refused(ADA, request), code);
    }
    assert_eq!(trial.refused(ADA, report(2, "")), "too_soon");
    assert!(trial.refused(BEA, report(1, &"y".repeat(301))) == "bad_text", "others have their own budget");
    let alone = lobby_of(&[ADA], settings(Edition::Original));
    assert!(!alone.may(ADA, RequestKind::Report));
}

#[test]
fn who_is_blocked_is_muted_wherever_they_meet() {
    let mute = |muted, always| Request::Mute { person: 2, muted, always };
    let mut trial = lobby_of(&[ADA, BEA], settings(Edition::Original));
    let blocks = |outcome: unum_table::Outcome| -> Vec<(GuestId, GuestId, bool)> {
        outcome.blocks.iter().map(|block| (block.guest, block.other, block.blocked)).collect()
    };
    assert_eq!(blocks(trial.ask(ADA, mute(true, false))), [], "at this table alone");
    assert_eq!(blocks(trial.ask(ADA, mute(true, true))), [(ADA, BEA, true)]);
    assert_eq!(blocks(trial.ask(ADA, mute(true, true))), [], "they are blocked already");
    assert_eq!(blocks(trial.ask(ADA, mute(false, false))), [(ADA, BEA, false)], "unmuting ends both");
    assert!(trial.own(ADA).muted.is_empty());
    // Elsewhere: whoever of the two comes first.
    for order in [[ADA, BEA], [BEA, ADA]] {
        let mut other = Trial::open(order[0], settings(Edition::Original), 7).unwrap();
        for guest in order {
            let blocks = if guest == ADA { vec![BEA] } else { Vec::new() };
            other.input(Input::Arrived(Newcomer { blocks, ..Newcomer::named(guest, format!("Guest {}", guest.0)) }));
        }
        let muted = other.own_for(ADA).unwrap().muted;
        assert_eq!(muted.len(), 1, "{order:?}");
        assert!(other.own_for(BEA).unwrap().muted.is_empty(), "{order:?}");
    }
}

#[test]
fn a_table_that_the_operator_closes_tells_everybody() {
    let mut trial = match_of(&[ADA, BEA], 0, settings(Edition::Original));
    let outcome = trial.input(Input::Close);
    assert_eq!(outcome.answer, Some(Ok(())));
    let mut gone = outcome.dismissed.clone();
    gone.sort_by_key(|guest| guest.0);
    assert_eq!(gone, [ADA, BEA]);
    for guest in [ADA, BEA] {
        let last = trial.inboxes[&guest].last().unwrap();
        assert!(matches!(last, ServerMsg::Bye { code, .. } if code.as_str() == "closed"), "{last:?}");
    }
    assert!(trial.table.is_closed() && trial.table.listing().is_none());
    assert_eq!(trial.input(Input::Close).answer, Some(Ok(())), "it can be closed again");
}

fn penalties(trial: &Trial) -> Vec<bool> {
    let facts = trial.facts().into_iter();
    facts.filter_map(|fact| if let Fact::AccusationEnded { upheld, .. } = fact { Some(upheld) } else { None }).collect()
}

fn cards(trial: &Trial, guest: GuestId) -> usize {
    trial.game(guest).view.hand.unwrap().len()
}

#[test]
fn a_majority_upholds_an_accusation_and_the_penalty_is_drawn() {
    let mut trial = match_of(&[ADA, BEA, CY, DAN], 1, settings(Edition::Original));
    let before = cards(&trial, BEA);
    trial.must(ADA, Request::Accuse { seat: 1 });
    let accusation = trial.lobby(DAN).accusation.unwrap();
    assert_eq!((accusation.by, accusation.seat, accusation.waiting), (1, 1, vec![3, 4]));
    assert_eq!(trial.refused(ADA, Request::Judge { yes: true }), "nothing_to_judge");
    assert_eq!(trial.refused(BEA, Request::Judge { yes: false }), "nothing_to_judge");
    assert_eq!(trial.refused(CY, Request::Accuse { seat: 0 }), "no_more_accusations");
    trial.must(CY, Request::Judge { yes: true });
    assert_eq!(trial.refused(CY, Request::Judge { yes: true }), "nothing_to_judge");
    trial.must(DAN, Request::Judge { yes: true });
    assert_eq!(penalties(&trial), [true]);
    assert_eq!(cards(&trial, BEA), before + 4);
    assert_eq!(trial.refused(ADA, Request::Accuse { seat: 2 }), "no_more_accusations");
}

#[test]
fn half_the_votes_are_not_enough() {
    let mut trial = match_of(&[ADA, BEA, CY, DAN], 0, settings(Edition::Original));
    trial.must(ADA, Request::Accuse { seat: 1 });
    trial.must(CY, Request::Judge { yes: true });
    trial.must(DAN, Request::Judge { yes: false });
    assert_eq!(penalties(&trial), [false]);
}

#[test]
fn an_accusation_nobody_votes_on_ends_after_a_while() {
    let mut trial = match_of(&[ADA, BEA, CY, DAN], 0, Settings { clock: Some(600), ..settings(Edition::Original) });
    trial.must(ADA, Request::Accuse { seat: 1 });
    trial.wait(29_999);
    assert_eq!(penalties(&trial), [false; 0]);
    trial.wait(1);
    assert_eq!(penalties(&trial), [false]);
}

#[test]
fn an_accusation_needs_a_penalty_a_person_and_a_judge() {
    let mut trial = match_of(&[ADA, BEA], 1, settings(Edition::Original));
    assert_eq!(trial.refused(ADA, Request::Accuse { seat: 1 }), "too_few");
    let mut trial = match_of(&[ADA, BEA, CY], 1, settings(Edition::Original));
    assert_eq!(trial.refused(ADA, Request::Accuse { seat: 1 }), "too_few", "one voter is no jury");
    assert!(!trial.may(ADA, RequestKind::Accuse));
    let mut trial = match_of(&[ADA, BEA, CY, DAN], 1, settings(Edition::Original));
    for nobody in [0, 4, 77] {
        assert_eq!(trial.refused(ADA, Request::Accuse { seat: nobody }), "no_such_seat");
    }
    let house = House { suggestion_penalty: Some(0), ..House::default() };
    let rules = RulesSpec { house, ..RulesSpec::of(Edition::Original) };
    let mut trial = match_of(&[ADA, BEA, CY], 0, Settings { rules, ..Settings::default() });
    assert_eq!(trial.refused(ADA, Request::Accuse { seat: 1 }), "bad_rules");
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    assert_eq!(trial.refused(ADA, Request::Accuse { seat: 1 }), "wrong_stage");
}

#[test]
fn there_are_no_accusations_at_public_tables_unless_the_host_wants_them() {
    for (public, accusations, offered) in [
        (false, Accusations::Private, true),
        (true, Accusations::Private, false),
        (true, Accusations::Always, true),
        (false, Accusations::Never, false),
    ] {
        let settings = Settings { public, accusations, ..settings(Edition::Original) };
        let mut trial = match_of(&[ADA, BEA, CY, DAN], 0, settings);
        assert_eq!(trial.may(ADA, RequestKind::Accuse), offered, "{public} {accusations:?}");
        if !offered {
            assert_eq!(trial.refused(ADA, Request::Accuse { seat: 1 }), "accusations_off");
        }
    }
}

#[test]
fn who_was_wrong_accuses_nobody_for_a_while_and_nobody_is_accused_twice_in_a_round() {
    let rules = RulesSpec { scoring: Some(Scoring::FirstTo(10_000)), ..RulesSpec::of(Edition::Original) };
    let mut trial = match_of(&[ADA, BEA, CY, DAN], 0, Settings { clock: None, rules, ..Settings::default() });
    trial.must(ADA, Request::Accuse { seat: 1 });
    trial.must(CY, Request::Judge { yes: false });
    assert_eq!(penalties(&trial), [false]);
    assert_eq!(trial.refused(CY, Request::Accuse { seat: 1 }), "too_few");
    assert!(trial.may(CY, RequestKind::Accuse), "others can be accused");
    for round in 1..=5 {
        trial.must(ADA, Request::Autopilot { on: true });
        for guest in [BEA, CY, DAN] {
            trial.must(guest, Request::Autopilot { on: true });
        }
        while trial.stage() == Stage::Playing {
            trial.wait(100);
        }
        for guest in [ADA, BEA, CY, DAN] {
            trial.must(guest, Request::Autopilot { on: false });
        }
        for guest in [ADA, BEA, CY, DAN] {
            trial.must(guest, Request::Ready { ready: true, pledge: None });
        }
        assert_eq!(trial.may(ADA, RequestKind::Accuse), round >= 4, "round {}", round + 1);
    }
}

/// Four people who play, of the given addresses.
fn four_at(addresses: [u64; 4]) -> Trial {
    let mut trial = match_of(&[ADA, BEA, CY, DAN], 0, settings(Edition::Original));
    for (guest, address) in [ADA, BEA, CY, DAN].into_iter().zip(addresses) {
        trial.gone(guest);
        trial.address = Some(AddressMark(address));
        trial.arrive(guest, "", None);
    }
    trial
}

#[test]
fn a_household_is_one_voter_and_nobody_judges_for_the_accuser() {
    let mut trial = four_at([1, 2, 3, 4]);
    trial.must(ADA, Request::Accuse { seat: 1 });
    assert_eq!(trial.lobby(ADA).accusation.unwrap().waiting, [3, 4]);
    for addresses in [[1, 2, 1, 3], [1, 2, 3, 3], [1, 1, 1, 1]] {
        let mut trial = four_at(addresses);
        assert_eq!(trial.refused(ADA, Request::Accuse { seat: 1 }), "too_few", "{addresses:?}");
    }
    assert!(!four_at([1, 1, 1, 1]).may(ADA, RequestKind::Accuse), "a household settles it by itself");
}

#[test]
fn who_votes_stays_the_same_after_a_restart() {
    let mut trial = four_at([1, 2, 3, 4]);
    trial.must(ADA, Request::Accuse { seat: 1 });
    trial.table = trial.restored(false).unwrap();
    for guest in [ADA, BEA, CY, DAN] {
        trial.address = Some(AddressMark(9));
        trial.arrive(guest, "", None);
    }
    assert_eq!(trial.lobby(ADA).accusation.unwrap().waiting, [3, 4]);
}
