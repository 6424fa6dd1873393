//! Rounds, scores, matches, standing in.

use unum_protocol::{Away, Request, ServerMsg, Settings, Stage};
use unum_rules::wire::ActionForm;
use unum_rules::{CardName, Edition, House, RulesSpec, Scoring};
use unum_table::sim::Trial;
use unum_table::{Fact, GuestId, Input};

use crate::people::{ADA, BEA, CY, Script, first_choice, instant, lobby_of, match_of, settings};

pub(crate) fn ready() -> Request {
    Request::Ready { ready: true, pledge: None }
}

pub(crate) fn to_target(target: u32) -> Settings {
    let rules = RulesSpec { scoring: Some(Scoring::FirstTo(target)), ..RulesSpec::of(Edition::Original) };
    Settings { rules, ..instant(Edition::Original) }
}

/// Everybody plays the first thing they may until the round is over.
pub(crate) fn finish_round(trial: &mut Trial) {
    for _ in 0..10_000 {
        trial.wait(0);
        if trial.stage() != Stage::Playing {
            return;
        }
        let guest = trial.up()[0];
        let action = first_choice(&trial.game(guest));
        trial.must(guest, Request::Act { action, at: None });
    }
    panic!("the round does not end");
}

pub(crate) fn finish_match(trial: &mut Trial, guests: &[GuestId]) {
    finish_round(trial);
    while trial.stage() == Stage::Scores {
        trial.refill();
        guests.iter().for_each(|guest| trial.must(*guest, ready()));
        finish_round(trial);
    }
}

#[test]
fn a_match_with_bots_is_played_to_its_end_in_every_edition() {
    for edition in Edition::ALL {
        let mut trial = match_of(&[ADA, BEA], 2, instant(edition));
        finish_match(&mut trial, &[ADA, BEA]);
        assert_eq!(trial.stage(), Stage::Over);
        assert_eq!(trial.table.matches(), 1);
    }
}

#[test]
fn refusals_have_code_sentence_rule_and_reason() {
    let mut trial = match_of(&[ADA, BEA], 0, instant(Edition::Original));
    let waiting = if trial.up() == [ADA] { BEA } else { ADA };
    let outcome = trial.ask(waiting, Request::Act { action: ActionForm::Draw {}, at: None });
    let [delivery] = &outcome.deliveries[..] else { panic!("{outcome:?}") };
    let ServerMsg::Refused { refusal, .. } = &delivery.message else { panic!("{delivery:?}") };
    assert_eq!((refusal.code.as_str(), refusal.rule.as_deref()), ("not_your_turn", Some("T1")));
    assert!(refusal.message.contains("has to act first"));
    let seat = if waiting == ADA { 1 } else { 0 };
    let why = serde_json::to_value(refusal.why).unwrap();
    assert_eq!(why, serde_json::json!({ "type": "not_your_turn", "seat": seat }));
}

#[test]
fn a_reason_names_cards_as_the_deck_does() {
    let mut trial = match_of(&[ADA, BEA], 0, instant(Edition::Frozen));
    let guest = trial.up()[0];
    let hand = trial.game(guest).view.hand.unwrap();
    let mut pink = (0..10).filter_map(|number| CardName::parse(&format!("P{number}")));
    let card = pink.find(|card| !hand.contains(card)).unwrap();
    let play = ActionForm::Play { card, color: None, uno: false, discard: Vec::new(), swap_with: None };
    let outcome = trial.ask(guest, Request::Act { action: play, at: None });
    let ServerMsg::Refused { refusal, .. } = &outcome.deliveries[0].message else { panic!("{outcome:?}") };
    let why = serde_json::to_value(refusal.why).unwrap();
    assert_eq!(why, serde_json::json!({ "type": "not_in_hand", "card": card.as_str() }));
}

#[test]
fn settings_that_cannot_be_have_a_reason() {
    let mut trial = lobby_of(&[ADA], settings(Edition::Original));
    let house = House { no_bluffing: true, no_challenges: true, ..Default::default() };
    let rules = RulesSpec { house, ..RulesSpec::of(Edition::Original) };
    let outcome = trial.ask(ADA, Request::Settings { settings: Settings { rules, ..Settings::default() } });
    let ServerMsg::Refused { refusal, .. } = &outcome.deliveries[0].message else { panic!("{outcome:?}") };
    assert_eq!(refusal.code.as_str(), "bad_settings");
    assert_eq!(serde_json::to_value(refusal.why).unwrap(), serde_json::json!({ "type": "exclude_each_other" }));
}

#[test]
fn a_move_made_without_having_seen_the_last_one_is_stale() {
    let mut trial = match_of(&[ADA, BEA], 0, instant(Edition::Original));
    let guest = trial.up()[0];
    let game = trial.game(guest);
    let act = |at| Request::Act { action: first_choice(&game), at: Some(at) };
    assert_eq!(trial.refused(guest, act(game.at + 1)), "stale");
    trial.must(guest, act(game.at));
    assert_eq!(trial.game(guest).at, game.at + 1);
}

#[test]
fn a_request_sent_again_is_not_carried_out_again() {
    let mut trial = match_of(&[ADA, BEA], 0, instant(Edition::Original));
    let guest = trial.up()[0];
    let request = Request::Act { action: first_choice(&trial.game(guest)), at: None };
    let first = trial.input(Input::Asked { guest, id: 50, request: request.clone() });
    let acknowledged = |message: &ServerMsg| matches!(message, ServerMsg::Update { id: Some(50), .. });
    let to_actor = first.deliveries.iter().filter(|delivery| acknowledged(&delivery.message));
    assert_eq!(to_actor.map(|delivery| delivery.to.clone()).collect::<Vec<_>>(), [[guest]]);
    let again = trial.input(Input::Asked { guest, id: 50, request });
    assert!(again.entries.is_empty());
    assert!(matches!(again.deliveries[0].message, ServerMsg::Done { id: 50 }));
    assert!(matches!(trial.table.greet(guest, None, trial.now)[0], ServerMsg::Welcome { last_id: 50, .. }));
}

#[test]
fn the_next_round_comes_when_everybody_present_has_seen_the_scores() {
    let mut trial = match_of(&[ADA, BEA, CY], 0, to_target(10_000));
    finish_round(&mut trial);
    assert_eq!(trial.stage(), Stage::Scores);
    assert!(trial.game(ADA).view.result.is_some());
    trial.must(ADA, ready());
    trial.gone(CY);
    assert_eq!(trial.stage(), Stage::Scores);
    trial.must(BEA, ready());
    assert_eq!(trial.stage(), Stage::Playing);
    assert_eq!(trial.game(ADA).round, 2);
}

#[test]
fn the_scores_are_not_looked_at_for_ever() {
    let mut trial = match_of(&[ADA, BEA], 0, to_target(10_000));
    finish_round(&mut trial);
    trial.wait(59_000);
    assert_eq!(trial.stage(), Stage::Scores);
    trial.wait(2_000);
    assert_eq!(trial.stage(), Stage::Playing);
    let mut trial = match_of(&[ADA, BEA], 0, Settings { clock: None, ..to_target(10_000) });
    finish_round(&mut trial);
    trial.wait(600_000);
    assert_eq!(trial.stage(), Stage::Scores, "without a clock everybody takes their time");
}

#[test]
fn another_match_with_the_same_people_follows_when_all_are_ready() {
    let mut trial = match_of(&[ADA, BEA], 1, to_target(1));
    finish_match(&mut trial, &[ADA, BEA]);
    assert_eq!(trial.stage(), Stage::Over);
    trial.wait(600_000);
    assert_eq!(trial.stage(), Stage::Over);
    trial.must(ADA, ready());
    trial.must(BEA, ready());
    assert_eq!(trial.stage(), Stage::Playing);
    let game = trial.game(ADA);
    assert_eq!((game.round, game.view.scores), (1, vec![0, 0, 0]));
}

#[test]
fn who_gives_up_their_seat_is_replaced_until_the_match_ends() {
    let mut trial = match_of(&[ADA, BEA, CY], 0, to_target(1));
    trial.ask(CY, Request::Quit {});
    let chair = trial.lobby(ADA).chairs[2].clone();
    assert_eq!((chair.name.as_str(), chair.person, chair.away), ("Cy", None, Some(Away::Left)));
    trial.arrive(CY, "Cy", None);
    assert_eq!(trial.lobby(CY).people[2].seat, None, "back as an onlooker");
    assert_eq!(trial.refused(CY, Request::Sit {}), "wrong_stage");
    finish_match(&mut trial, &[ADA, BEA]);
    trial.must(ADA, ready());
    trial.must(BEA, ready());
    assert_eq!(trial.lobby(ADA).chairs.len(), 2);
    assert_eq!(trial.game(ADA).view.players, 2);
}

#[test]
fn the_host_can_go_back_to_the_lobby_at_any_time() {
    let mut trial = match_of(&[ADA, BEA], 1, to_target(500));
    assert_eq!(trial.refused(BEA, Request::Reopen {}), "not_host");
    let commitment = trial.lobby(ADA).fair.next;
    trial.must(BEA, Request::Leave {});
    trial.must(ADA, Request::Reopen {});
    let lobby = trial.lobby(ADA);
    assert_eq!((lobby.stage, lobby.chairs.len()), (Stage::Lobby, 2));
    assert_ne!(lobby.fair.next, commitment, "a secret is used once");
    assert_eq!(trial.snapshot_for(ADA).unwrap().1, None);
    trial.must(ADA, Request::Start { pledge: None });
    assert_eq!(trial.game(ADA).round, 1);
}

#[test]
fn autopilot_plays_until_it_is_switched_off() {
    let mut trial = match_of(&[ADA, BEA], 0, instant(Edition::Original));
    trial.must(ADA, Request::Autopilot { on: true });
    assert_eq!(trial.lobby(BEA).chairs[0].away, Some(Away::Asked));
    trial.wait(0);
    assert_eq!(trial.up(), [BEA]);
    trial.must(ADA, Request::Autopilot { on: false });
    assert_eq!(trial.lobby(BEA).chairs[0].away, None);
}

#[test]
fn cards_follow_from_the_secret_and_what_players_added() {
    let mut trial = match_of(&[ADA, BEA], 1, to_target(10_000));
    finish_round(&mut trial);
    let fair = trial.lobby(ADA).fair;
    assert_eq!(Some(fair.revealed.unwrap().commitment()), fair.dealt);
    let promised = fair.next;
    trial.must(ADA, ready());
    let first = trial.witnesses[&ADA].part();
    assert_eq!(trial.lobby(BEA).fair.pledges.iter().flatten().count(), 1, "pledges are public");
    trial.must(BEA, ready());
    let fair = trial.lobby(ADA).fair;
    assert_eq!((fair.dealt, fair.revealed), (Some(promised), None));
    finish_round(&mut trial);
    let deal = trial.lobby(ADA).fair.revealed.unwrap();
    assert!(first.is_some() && deal.entropy[0] == first && deal.entropy[1].is_some() && deal.entropy[2].is_none());
    assert_eq!(deal.commitment(), promised, "published before anybody pledged anything");
}

#[test]
fn every_round_has_a_secret_of_its_own() {
    let mut trial = match_of(&[ADA, BEA], 0, to_target(10_000));
    for _ in 0..3 {
        finish_round(&mut trial);
        trial.must(ADA, ready());
        trial.must(BEA, ready());
    }
    let mut secrets: Vec<String> = trial
        .facts()
        .iter()
        .filter_map(|fact| match fact {
            Fact::Opened { secret, .. } | Fact::Committed { secret } => Some(secret.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(secrets.len(), 4);
    secrets.sort();
    secrets.dedup();
    assert_eq!(secrets.len(), 4);
}

#[test]
fn a_bot_that_cannot_win_does_not_hold_the_host() {
    let house = House { no_bluffing: true, ..House::default() };
    let rules = RulesSpec { house, ..RulesSpec::of(Edition::Modern) };
    let mut trial = match_of(&[ADA], 2, Settings { rules, ..instant(Edition::Modern) });
    trial.wait(1_000);
    trial.must(ADA, Request::Reopen {});
    assert_eq!(trial.stage(), Stage::Lobby);
}
