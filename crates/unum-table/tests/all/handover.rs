//! Matches that were begun on a device and go on at a table.

use unum_protocol::rest::Continuation;
use unum_protocol::{Level, Request, Settings, Stage};
use unum_rules::playout::Casual;
use unum_rules::record::{Move, PlayerName, Record, Recorder, Setup};
use unum_rules::{Edition, RulesSpec, Scoring, Seeded};
use unum_table::sim::Trial;
use unum_table::{Continued, GuestId, Table, finished};

use crate::people::{ADA, BEA, Script, instant, lobby_of};
use crate::play::{finish_round, ready, to_target};

/// Who plays on the device.
const ME: GuestId = GuestId(1);

/// A match against bots, after some rounds.
fn begun(settings: Settings, bots: &[Level], rounds: usize) -> Trial {
    let mut trial = lobby_of(&[ME], settings);
    bots.iter().for_each(|level| trial.must(ME, Request::AddBot { level: *level }));
    trial.must(ME, Request::Start { pledge: None });
    finish_round(&mut trial);
    for _ in 1..rounds {
        trial.refill();
        trial.must(ME, ready());
        finish_round(&mut trial);
    }
    assert_eq!(trial.stage(), Stage::Scores);
    trial
}

fn handed_over(trial: &Trial) -> Continuation {
    let parts = trial.parts_of(1).into_iter().map(str::to_owned).collect();
    trial.table.hand_over(ME, parts).unwrap()
}

fn two_bots() -> Trial {
    begun(to_target(2_000), &[Level::Easy, Level::Hard], 3)
}

#[test]
fn a_match_goes_on_with_its_scores_bots_and_round() {
    for edition in Edition::ALL {
        let rules = RulesSpec { scoring: Some(Scoring::FirstTo(2_000)), ..RulesSpec::of(edition) };
        let before = begun(Settings { rules, ..instant(edition) }, &[Level::Easy, Level::Hard], 2);
        let mut after = Trial::go_on(ADA, &handed_over(&before), 99).unwrap();
        after.arrive(ADA, "Ada", None);
        let (lobby, game) = (after.lobby(ADA), after.game(ADA));
        assert_eq!((lobby.stage, game.round), (Stage::Scores, 2));
        assert_eq!(game.view.scores, before.game(ME).view.scores);
        assert_eq!(game.standings, before.game(ME).standings);
        assert!(lobby.chairs[0].person.is_some(), "the seat was kept");
        let bots: Vec<_> = lobby.chairs.iter().map(|chair| chair.bot).collect();
        assert_eq!(bots, [None, Some(Level::Easy), Some(Level::Hard)]);
        let names =
            |lobby: &unum_protocol::LobbyView| lobby.chairs[1..].iter().map(|c| c.name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&lobby), names(&before.lobby(ME)));
        after.must(ADA, ready());
        assert_eq!((after.stage(), after.game(ADA).round), (Stage::Playing, 3));
        let players = 3;
        assert_eq!(after.game(ADA).view.dealer, (game.view.dealer + 1) % players);
    }
}

#[test]
fn a_friend_takes_a_bots_seat_and_the_record_says_which_rounds_the_device_dealt() {
    let before = two_bots();
    let mut after = Trial::go_on(ADA, &handed_over(&before), 99).unwrap();
    after.arrive(ADA, "Ada", None);
    after.arrive(BEA, "Bea", None);
    after.must(BEA, Request::Take { seat: None });
    while after.stage() == Stage::Scores {
        after.refill();
        after.must(ADA, ready());
        after.must(BEA, ready());
        finish_round(&mut after);
    }
    let one = finished(1, &after.parts_of(1)).unwrap();
    assert_eq!(one.guests.iter().flatten().copied().collect::<Vec<_>>(), [ADA, BEA]);
    assert!(one.record.rounds() > 3 && one.record.replay().unwrap().winners().is_some());
    let device: Vec<bool> = one.record.setup.seeding.deals().iter().map(|deal| deal.device).collect();
    assert_eq!(device[..3], [true; 3]);
    assert!(device[3..].iter().all(|device| !device));
    assert_eq!(Record::parse(&one.record.to_text()).as_ref(), Ok(&one.record));
    assert_eq!(Record::parse(&one.record.to_json()).as_ref(), Ok(&one.record));
}

#[test]
fn it_is_restored_from_its_journal_and_from_a_snapshot() {
    let mut after = Trial::go_on(ADA, &handed_over(&two_bots()), 99).unwrap();
    let same = |after: &Trial| {
        for from_snapshot in [false, true] {
            let restored: Table = after.restored(from_snapshot).unwrap();
            assert_eq!((restored.seq(), restored.seal()), (after.table.seq(), after.table.seal()));
            assert_eq!(restored.scores(), after.table.scores());
        }
    };
    same(&after);
    after.arrive(ADA, "Ada", None);
    same(&after);
    after.must(ADA, ready());
    finish_round(&mut after);
    same(&after);
}

#[test]
fn the_coming_cards_do_not_depend_on_what_the_device_sent() {
    let given = handed_over(&two_bots());
    let hand = |seed: u64| {
        let mut after = Trial::go_on(ADA, &given, seed).unwrap();
        after.arrive(ADA, "Ada", None);
        after.must(ADA, ready());
        after.game(ADA).view.hand
    };
    assert_ne!(hand(1), hand(2), "the table has a secret of its own");
}

fn why(given: &Continuation) -> String {
    let refusal = Continued::check(given, ADA).unwrap_err();
    format!("{}: {}", refusal.code, refusal.message)
}

#[test]
fn what_does_not_hold_together_is_refused() {
    let trial = two_bots();
    let good = handed_over(&trial);
    assert!(Continued::check(&good, ADA).is_ok());
    let with = |change: &dyn Fn(&mut Continuation)| {
        let mut changed = good.clone();
        change(&mut changed);
        why(&changed)
    };
    assert!(with(&|given| given.record.clear()).contains("`record`"));
    assert!(
        with(&|given| given.record = given.record.replace("unfinished, scores ", "unfinished, scores 9"))
            .contains("`record`")
    );
    for bots in [vec![None, Some(Level::Easy)], vec![None; 3], vec![Some(Level::Easy); 3], Vec::new()] {
        assert!(with(&|given| given.bots.clone_from(&bots)).contains("`bots`"), "{bots:?}");
    }
    assert!(with(&|given| given.settings.lesson = true).contains("lesson"));
    assert!(with(&|given| (given.settings.public, given.settings.clock) = (true, None)).contains("clock"));
    // A record without deals, of a round that goes on, and of a match that is over.
    let record = Record::parse(&good.record).unwrap();
    let mut cut = Recorder::start(record.setup.clone(), &mut ()).unwrap();
    assert!(
        with(&|given| given.record = cut.record().to_text()).contains("`record`"),
        "deals of rounds that were not played"
    );
    let one = Setup::fair(record.setup.rules.clone(), 3, record.setup.seeding.deals()[..1].to_vec());
    cut = Recorder::start(one, &mut ()).unwrap();
    assert!(with(&|given| given.record = cut.record().to_text()).contains("finish the round"));
    let mut seeded = Recorder::start(Setup::new(record.setup.rules.clone(), 3, 1), &mut ()).unwrap();
    let mut whims = Seeded::new(1);
    while !seeded.game().round().is_over() {
        let (seat, action) = Casual.choose(seeded.game().round(), seeded.game().rules(), &mut whims);
        seeded.apply(seat, &action, &mut ()).unwrap();
    }
    assert!(with(&|given| given.record = seeded.record().to_text()).contains("a deal of its own"));
}

#[test]
fn names_of_bots_are_the_tables() {
    let given = handed_over(&two_bots());
    let record = Record::parse(&given.record).unwrap();
    let mut setup = record.setup.clone();
    let rude = PlayerName::new("The Server").unwrap();
    setup.names = vec![setup.names[0].clone(), Some(rude.clone()), Some(rude)];
    let mut recorder = Recorder::start(setup, &mut ()).unwrap();
    for entry in &record.moves {
        match entry.made {
            Move::Act { seat, action } => recorder.apply(seat, &action, &mut ()).unwrap(),
            Move::Penalize { seat } => recorder.penalize(seat, &mut ()).unwrap(),
            Move::NextRound => recorder.next_round(&mut ()).unwrap(),
        }
    }
    let renamed = Continuation { record: recorder.record().to_text(), ..given };
    let mut after = Trial::go_on(ADA, &renamed, 99).unwrap();
    after.arrive(ADA, "Ada", None);
    let names: Vec<String> = after.lobby(ADA).chairs.iter().map(|chair| chair.name.clone()).collect();
    assert!(names[1] != names[2] && names.iter().all(|name| name != "The Server"), "{names:?}");
}

#[test]
fn only_a_match_of_one_person_between_two_rounds_is_handed_over() {
    let trial = lobby_of(&[ME], to_target(2_000));
    assert!(trial.table.hand_over(ME, Vec::new()).is_err());
    let mut trial = two_bots();
    assert!(trial.table.hand_over(BEA, Vec::new()).is_err());
    trial.refill();
    trial.must(ME, ready());
    assert!(trial.table.hand_over(ME, Vec::new()).is_err());
}

#[test]
fn the_rule_for_two_stays_as_it_was() {
    let rules = RulesSpec { scoring: Some(Scoring::FirstTo(2_000)), ..RulesSpec::of(Edition::Original) };
    for bots in [&[Level::Easy][..], &[Level::Easy; 3]] {
        let settings = Settings { usual_for_two: true, rules: rules.clone(), ..instant(Edition::Original) };
        let before = begun(settings, bots, 1);
        let mut after = Trial::go_on(ADA, &handed_over(&before), 5).unwrap();
        after.arrive(ADA, "Ada", None);
        assert_eq!(after.table.settings().rules, before.table.settings().rules);
        after.must(ADA, ready());
        assert_eq!(after.table.settings().rules, before.table.settings().rules);
    }
}
