//! Finished matches as records.

use allocation_counter::measure;
use unum_protocol::Request;
use unum_rules::fair::Entropy;
use unum_rules::record::Record;
use unum_table::sim::Trial;
use unum_table::{Entry, Fact, finished, records};

use crate::people::{ADA, BEA, CY, DAN, Script, match_of};
use crate::play::{finish_match, finish_round, ready, to_target};

#[test]
fn every_finished_match_becomes_a_record_that_replays() {
    let mut trial = match_of(&[ADA, BEA], 1, to_target(200));
    finish_match(&mut trial, &[ADA, BEA]);
    trial.must(ADA, ready());
    trial.must(BEA, ready());
    finish_match(&mut trial, &[ADA, BEA]);
    let finished = records(trial.entries.clone()).unwrap();
    let numbers: Vec<u32> = finished.iter().map(|one| one.number).collect();
    assert_eq!(numbers, [1, 2]);
    for one in &finished {
        assert_eq!(one.guests, [Some(ADA), Some(BEA), None]);
        assert_eq!(Record::parse(&one.record.to_text()).as_ref(), Ok(&one.record));
        assert!(one.record.replay().unwrap().winners().is_some());
        assert_eq!(one.record.setup.seeding.deals().len(), one.record.rounds() as usize);
        assert!(one.record.setup.name(0).is_some());
    }
    let last = finished.last().unwrap();
    assert_eq!(trial.game(ADA).view.scores, last.record.outcome.scores);
    let deals = trial.entries.iter().filter(|entry| matches!(entry.fact, Fact::Dealt {})).count();
    assert_eq!(deals as u32, finished.iter().map(|one| one.record.rounds()).sum::<u32>());
}

#[test]
fn an_unfinished_match_is_no_record_yet() {
    let trial = match_of(&[ADA, BEA], 0, to_target(200));
    assert_eq!(records(trial.entries.clone()), Ok(Vec::new()));
    assert_eq!(records(Vec::<Entry>::new()), Ok(Vec::new()));
}

#[test]
fn a_match_that_is_broken_off_is_a_record() {
    let mut trial = match_of(&[ADA, BEA], 0, to_target(200));
    trial.must(ADA, Request::Reopen {});
    let finished = records(trial.entries.clone()).unwrap();
    assert_eq!((finished.len(), trial.table.matches()), (1, 1));
    let (record, revealed) = (&finished[0].record, trial.lobby(BEA).fair.revealed.unwrap());
    assert_eq!(record.setup.seeding.deals(), [revealed]);
    assert_eq!(record.replay().unwrap().winners(), None);
    trial.must(BEA, Request::Ready { ready: true, pledge: None });
    trial.must(ADA, Request::Start { pledge: None });
    trial.must(BEA, Request::Quit {});
    trial.must(ADA, Request::Quit {});
    assert_eq!(records(trial.entries.clone()).unwrap().len(), 2);
}

#[test]
fn penalties_and_the_players_parts_are_in_the_record() {
    let mut trial = match_of(&[ADA, BEA, CY, DAN], 0, to_target(10));
    trial.must(ADA, Request::Accuse { seat: 1 });
    trial.must(CY, Request::Judge { yes: true });
    trial.must(DAN, Request::Judge { yes: true });
    finish_match(&mut trial, &[ADA, BEA, CY, DAN]);
    for guest in [ADA, BEA, CY, DAN] {
        trial.must(guest, Request::Ready { ready: true, pledge: None });
    }
    let opened = trial.facts().into_iter().filter_map(|fact| match fact {
        Fact::PartOpened { part, .. } => Some(part),
        _ => None,
    });
    let opened: Vec<Entropy> = opened.collect();
    finish_match(&mut trial, &[ADA, BEA, CY, DAN]);
    let finished = records(trial.entries.clone()).unwrap();
    assert!(finished[0].record.to_text().contains(" 1:penalty#"));
    let parts: Vec<Entropy> = finished[1].record.setup.seeding.deals()[0].entropy.iter().copied().flatten().collect();
    assert!(parts.len() == 4 && parts.iter().all(|part| opened[opened.len() - 4..].contains(part)));
    assert!(finished.iter().all(|one| one.record.replay().is_ok()));
}

#[test]
fn a_journal_with_a_gap_is_refused() {
    let mut trial = match_of(&[ADA, BEA], 0, to_target(10));
    finish_match(&mut trial, &[ADA, BEA]);
    let mut entries = trial.entries.clone();
    entries.remove(5);
    assert_eq!(records(entries).unwrap_err().seq, 7);
    assert_eq!(records(trial.entries[1..].to_vec()).unwrap_err().seq, 2);
}

#[test]
fn a_record_is_made_from_its_own_match_alone() {
    let mut trial = match_of(&[ADA, BEA], 1, to_target(10));
    for number in 1..=12 {
        finish_match(&mut trial, &[ADA, BEA]);
        let parts = trial.parts_of(number);
        let noted: usize = parts.iter().map(|part| part.lines().count()).sum();
        let game = finished(number, &parts).unwrap();
        let (moves, rounds) = (game.record.moves.len(), game.record.rounds() as usize);
        // A beginning, an end, and a deal where the record has a move to the next round.
        assert_eq!(noted, moves + 3, "match {number} of {rounds} rounds");
        trial.refill();
        [ADA, BEA].into_iter().for_each(|guest| trial.must(guest, ready()));
    }
    assert!(finished(12, &trial.parts_of(12)[1..]).is_err() || trial.parts_of(12).len() == 1);
    assert!(finished(1, &[""; 0]).unwrap_err().message.contains("no beginning"));
}

/// What a store would answer with.
fn so_far(trial: &Trial) -> Option<Record> {
    let table = trial.restored(true).unwrap();
    assert_eq!(table.match_number(), trial.table.match_number());
    let parts = || trial.parts_of(table.match_number()).into_iter().map(str::to_owned).collect();
    let stored = table.rounds_so_far(parts()).unwrap();
    assert_eq!(stored, trial.table.rounds_so_far(parts()).unwrap(), "restored or not");
    stored
}

#[test]
fn rounds_of_a_running_match_can_be_watched_once_they_are_over() {
    let mut trial = match_of(&[ADA, BEA], 1, to_target(500));
    assert_eq!(so_far(&trial), None, "the first round is being played");
    for round in 1..=3 {
        finish_round(&mut trial);
        let record = so_far(&trial).unwrap();
        let played = record.replay().unwrap();
        assert!(played.round().is_over() && played.winners().is_none());
        assert_eq!((record.rounds(), record.setup.seeding.deals().len()), (round, round as usize));
        assert_eq!(trial.game(ADA).view.scores, record.outcome.scores);
        [ADA, BEA].into_iter().for_each(|guest| trial.must(guest, ready()));
        trial.refill();
        // Nothing of the round that has begun: neither its moves nor what decides its cards.
        assert_eq!(so_far(&trial), Some(record));
    }
}

#[test]
fn a_match_that_is_over_or_broken_off_has_no_rounds_so_far() {
    let mut trial = match_of(&[ADA, BEA], 0, to_target(500));
    finish_round(&mut trial);
    trial.must(ADA, Request::Reopen {});
    assert_eq!(so_far(&trial), None);
    trial.must(BEA, ready());
    trial.must(ADA, Request::Start { pledge: None });
    assert_eq!(so_far(&trial), None, "nothing of the match before");
}

/// A table may take three megabytes by default, so that making the record of its longest match takes less than 64.
#[test]
fn a_record_takes_less_than_twenty_times_the_memory_of_what_was_noted() {
    let mut trial = match_of(&[ADA, BEA], 1, to_target(600));
    finish_match(&mut trial, &[ADA, BEA]);
    let parts: Vec<String> = trial.parts_of(1).into_iter().map(str::to_owned).collect();
    let noted: usize = parts.iter().map(String::len).sum();
    let memory = measure(|| drop(finished(1, &parts).unwrap().record.to_json()));
    assert!(memory.bytes_max < 20 * noted as u64, "{} bytes for {noted}", memory.bytes_max);
}
