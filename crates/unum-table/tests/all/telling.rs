//! What a table tells of the past, what it counts, and what its bots say.

use unum_protocol::{Happened, Level, Past, Request, ServerMsg, Settings, Stage, Standings};
use unum_rules::wire::{EventForm, VeiledForm};
use unum_rules::{Edition, RulesSpec, Scoring};
use unum_table::sim::Trial;
use unum_table::{Fact, GuestId, Table};

use crate::people::{ADA, BEA, CY, Script, first_choice, instant, lobby_of, match_of, settings};
use crate::play::{finish_match, to_target};

fn past_of(table: &Table, guest: GuestId, trial: &Trial) -> Vec<Past> {
    let greeting = table.greet(guest, None, trial.now);
    let past = greeting.into_iter().find_map(|message| match message {
        ServerMsg::Snapshot { past, .. } => Some(past),
        _ => None,
    });
    past.unwrap()
}

/// Whose dealt cards somebody finds in their past, by seat.
fn dealt_to(past: &[Past]) -> Vec<bool> {
    let events = past.iter().flat_map(|past| &past.events);
    let dealt = events.filter_map(|event| match event {
        EventForm::Dealt { cards, .. } => Some(matches!(cards, VeiledForm::Cards(_))),
        _ => None,
    });
    dealt.collect()
}

#[test]
fn who_comes_back_is_told_the_round_from_its_deal_on_through_their_own_eyes() {
    let mut trial = match_of(&[ADA, BEA], 0, instant(Edition::Original));
    let guest = trial.up()[0];
    let action = first_choice(&trial.game(guest));
    trial.must(guest, Request::Act { action, at: None });
    trial.arrive(CY, "Cy", None);
    let told = |guest| past_of(&trial.table, guest, &trial);
    assert_eq!(dealt_to(&told(ADA)), [true, false]);
    assert_eq!(dealt_to(&told(BEA)), [false, true]);
    assert_eq!(dealt_to(&told(CY)), [false, false], "an onlooker has seen nobody's cards");
    assert!(told(CY).iter().any(|past| matches!(past.what, Happened::Acted { .. }) && !past.events.is_empty()));
    let restored = trial.restored(true).unwrap();
    assert_eq!(past_of(&restored, ADA, &trial), told(ADA), "a restart forgets nothing of it");
}

#[test]
fn the_past_has_names_and_no_talk() {
    let mut trial = lobby_of(&[ADA, BEA, CY], settings(Edition::Original));
    trial.must(ADA, Request::Mute { person: 3, muted: true, always: false });
    trial.must(CY, Request::Chat { text: "psst".to_owned() });
    trial.must(CY, Request::Quit {});
    let whats = |guest| past_of(&trial.table, guest, &trial).into_iter().map(|past| past.what).collect::<Vec<_>>();
    let left = Happened::Left { person: 3, name: "Cy".to_owned() };
    assert!(whats(ADA).contains(&left) && whats(BEA).contains(&left));
    assert!(whats(BEA).contains(&Happened::Joined { person: 3, name: "Cy".to_owned() }));
    let elsewhere =
        |what: &Happened| matches!(what, Happened::Chatted { .. } | Happened::Muted { .. } | Happened::Hidden {});
    assert!(!whats(BEA).iter().any(elsewhere), "talk has a list of its own");
}

#[test]
fn nothing_is_told_of_cards_under_other_rules() {
    let mut trial = match_of(&[ADA, BEA], 0, instant(Edition::Frozen));
    trial.must(ADA, Request::Reopen {});
    trial.must(ADA, Request::Settings { settings: instant(Edition::Original) });
    assert!(past_of(&trial.table, BEA, &trial).iter().all(|past| past.events.is_empty()));
}

fn standings(table: &Table, guest: GuestId, trial: &Trial) -> Option<Standings> {
    table.greet(guest, None, trial.now).into_iter().find_map(|message| match message {
        ServerMsg::Snapshot { game, .. } => game?.standings,
        _ => None,
    })
}

#[test]
fn ranks_and_awards_are_the_same_for_everybody_and_after_a_restart() {
    let mut trial = match_of(&[ADA, BEA], 2, to_target(300));
    assert_eq!(standings(&trial.table, ADA, &trial), None, "nothing stands while a round is played");
    finish_match(&mut trial, &[ADA, BEA]);
    let told = standings(&trial.table, ADA, &trial).unwrap();
    let scores = trial.game(ADA).view.scores;
    for (seat, rank) in told.ranks.iter().enumerate() {
        let better = scores.iter().filter(|score| **score > scores[seat]).count();
        assert_eq!(usize::from(*rank), better + 1);
    }
    assert!(!told.awards.is_empty() && told.awards.len() <= 4, "{told:?}");
    assert_eq!(standings(&trial.table, BEA, &trial).as_ref(), Some(&told));
    for from_snapshot in [true, false] {
        let restored = trial.restored(from_snapshot).unwrap();
        assert_eq!(standings(&restored, ADA, &trial).as_ref(), Some(&told));
    }
}

#[test]
fn the_lowest_total_ranks_first_where_the_lowest_wins() {
    let rules = RulesSpec { scoring: Some(Scoring::LowestAt(60)), ..RulesSpec::of(Edition::Original) };
    let mut trial = match_of(&[ADA, BEA], 1, Settings { rules, ..instant(Edition::Original) });
    finish_match(&mut trial, &[ADA, BEA]);
    let (ranks, view) = (standings(&trial.table, ADA, &trial).unwrap().ranks, trial.game(ADA).view);
    let lowest = view.scores.iter().min().unwrap();
    for (seat, score) in view.scores.iter().enumerate() {
        assert_eq!(ranks[seat] == 1, score == lowest);
    }
}

/// When bots said something while people and bots played for a while, by the entries' times.
fn quips(settings: Settings) -> Vec<u64> {
    let mut trial = lobby_of(&[ADA], settings);
    for _ in 0..3 {
        trial.must(ADA, Request::AddBot { level: Level::Normal });
    }
    trial.must(ADA, Request::Start { pledge: None });
    for _ in 0..2_000 {
        trial.wait(1_000);
        if trial.stage() == Stage::Scores {
            trial.ask(ADA, Request::Ready { ready: true, pledge: None });
        } else if trial.stage() == Stage::Playing && trial.up() == [ADA] {
            let action = first_choice(&trial.game(ADA));
            trial.ask(ADA, Request::Act { action, at: None });
        }
    }
    let said = trial.entries.iter().filter(|entry| matches!(entry.fact, Fact::BotReacted { .. }));
    said.map(|entry| entry.at.0).collect()
}

#[test]
fn bots_say_something_now_and_then() {
    let said = quips(settings(Edition::Original));
    assert!(!said.is_empty());
    assert!(said.windows(2).all(|pair| pair[1] - pair[0] >= 9_000), "{said:?}");
    assert!(quips(Settings { chat: false, ..settings(Edition::Original) }).is_empty());
    assert!(quips(instant(Edition::Original)).is_empty());
}
