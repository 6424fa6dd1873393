//! A table that lies is caught, and one that does not is not accused.

use unum_protocol::{
    Away, DealingStep, FairView, Happened, LobbyView, Pace, Request, RequestKind, ServerMsg, Settings, Stage,
};
use unum_rules::fair::{Commitment, Entropy, Pledge, Secret};
use unum_rules::wire::{EventForm, VeiledForm};
use unum_rules::{CardName, Scoring};
use unum_table::sim::Trial;
use unum_table::{Entry, Fact, GuestId};
use unum_witness::{Finding, Verdict, Witness};

const ADA: GuestId = GuestId(7_000_000_000_000_001);
const BEA: GuestId = GuestId(7_000_000_000_000_002);
const OTHER: Secret = Secret([9; 32]);

fn lobby_in(message: &mut ServerMsg) -> Option<&mut LobbyView> {
    match message {
        ServerMsg::Snapshot { lobby, .. } | ServerMsg::Update { lobby: Some(lobby), .. } => Some(lobby),
        _ => None,
    }
}

fn fair_in(message: &mut ServerMsg) -> Option<&mut FairView> {
    lobby_in(message).map(|lobby| &mut lobby.fair)
}

/// Two people, ready to be dealt to.
fn table(lies: Option<fn(&mut ServerMsg)>) -> Trial {
    let mut settings = Settings { pace: Pace::Instant, clock: None, ..Settings::default() };
    settings.rules.scoring = Some(Scoring::FirstTo(10_000));
    let mut trial = Trial::open(ADA, settings, 5).unwrap();
    trial.lies = lies.map(|lie| (ADA, lie));
    trial.arrive(ADA, "Ada", None);
    trial.arrive(BEA, "Bea", None);
    trial.ask(BEA, Request::Accept { agreement: 1 });
    trial.ask(BEA, Request::Ready { ready: true, pledge: None });
    trial
}

fn verdicts(trial: &Trial) -> Vec<Verdict> {
    trial.verdicts.iter().filter(|(guest, _)| *guest == ADA).map(|(_, verdict)| verdict.clone()).collect()
}

/// What Ada finds about a round that is dealt and broken off by a table that lies to her.
fn findings(lie: fn(&mut ServerMsg)) -> Vec<Finding> {
    let mut trial = table(Some(lie));
    trial.ask(ADA, Request::Start { pledge: None });
    trial.wait(20_000);
    trial.ask(ADA, Request::Reopen {});
    let found = verdicts(&trial).into_iter().flat_map(|verdict| match verdict {
        Verdict::Unfair { findings, .. } => findings,
        _ => Vec::new(),
    });
    found.collect()
}

#[test]
fn a_fair_table_is_not_accused() {
    assert_eq!(findings(|_| ()), []);
    let mut trial = table(None);
    trial.ask(ADA, Request::Start { pledge: None });
    for round in 1..=3 {
        for guest in [ADA, BEA] {
            trial.ask(guest, Request::Autopilot { on: true });
        }
        while trial.snapshot_for(ADA).unwrap().1.unwrap().round == round {
            trial.wait(100);
        }
    }
    assert!(verdicts(&trial).iter().all(|verdict| !verdict.is_alarm()));
}

#[test]
fn another_secret_is_noticed() {
    let found = findings(|message| {
        if let Some(deal) = fair_in(message).and_then(|fair| fair.revealed.as_mut()) {
            deal.secret = OTHER;
        }
    });
    assert!(found.contains(&Finding::OtherSecret), "{found:?}");
}

#[test]
fn a_commitment_that_comes_late_is_noticed() {
    // Told only with the secret, as the commitment of the round.
    let found = findings(|message| {
        if let Some(fair) = fair_in(message)
            && let Some(deal) = &mut fair.revealed
        {
            deal.secret = OTHER;
            fair.dealt = Some(OTHER.commitment());
        }
    });
    assert!(found.contains(&Finding::OtherCommitment), "{found:?}");
    // Told with the cards, when all parts were known.
    let found = findings(|message| {
        if let Some(lobby) = lobby_in(message)
            && lobby.fair.dealt.is_some()
        {
            lobby.fair.dealt = Some(OTHER.commitment());
            lobby.fair.revealed.iter_mut().for_each(|deal| deal.secret = OTHER);
        }
    });
    assert!(found.contains(&Finding::OtherCommitment), "{found:?}");
    // Told when all pledges were known.
    let found = findings(|message| {
        if let Some(fair) = fair_in(message)
            && fair.dealing.is_some()
        {
            fair.next = OTHER.commitment();
        }
    });
    assert!(found.contains(&Finding::OtherCommitment), "{found:?}");
}

#[test]
fn a_part_that_is_dropped_or_changed_is_noticed() {
    let found = findings(|message| {
        if let Some(deal) = fair_in(message).and_then(|fair| fair.revealed.as_mut()) {
            deal.entropy[0] = None;
        }
    });
    assert!(found.contains(&Finding::OwnPartDropped) && found.contains(&Finding::PartDropped(0)), "{found:?}");
    let found = findings(|message| {
        if let Some(deal) = fair_in(message).and_then(|fair| fair.revealed.as_mut()) {
            deal.entropy[0] = None;
            deal.withheld = vec![0];
        }
    });
    assert!(found.contains(&Finding::OwnPartDropped), "named, although it came: {found:?}");
    let found = findings(|message| {
        if let Some(deal) = fair_in(message).and_then(|fair| fair.revealed.as_mut()) {
            deal.entropy[1] = Some(Entropy([9; 32]));
        }
    });
    assert!(found.contains(&Finding::OtherPart(1)), "{found:?}");
}

#[test]
fn a_part_that_nobody_pledged_is_noticed() {
    let found = findings(|message| {
        if let Some(fair) = fair_in(message)
            && fair.dealing.is_some()
            && let Some(pledge) = fair.pledges.get_mut(1)
        {
            *pledge = None;
        }
    });
    assert!(found.contains(&Finding::PartAdded(1)), "{found:?}");
}

#[test]
fn pledges_that_change_are_noticed() {
    let mut trial = table(Some(|message| {
        let renamed = matches!(message, ServerMsg::Update { what: Happened::Renamed { .. }, .. });
        if let Some(fair) = fair_in(message).filter(|_| renamed) {
            fair.pledges[1] = Some(Pledge([9; 32]));
        }
    }));
    // All pledges are published, and while the table waits for Bea's part hers is another one.
    trial.silent.insert(BEA);
    trial.ask(ADA, Request::Start { pledge: None });
    trial.ask(BEA, Request::Rename { name: "Bee".to_owned() });
    let found = verdicts(&trial);
    let changed = |verdict: &Verdict| matches!(verdict, Verdict::Unfair { findings, .. } if findings.contains(&Finding::PledgesChanged));
    assert!(found.iter().any(changed), "{found:?}");
}

/// The pledge that the table had published as Ada's has changed when parts are opened.
#[test]
fn an_own_pledge_that_changes_is_noticed_and_nothing_is_opened() {
    let mut trial = table(Some(|message| {
        if let Some(fair) = fair_in(message)
            && fair.dealing.as_ref().is_some_and(|dealing| dealing.step == DealingStep::Open)
        {
            fair.pledges[0] = Some(Pledge([9; 32]));
        }
    }));
    trial.ask(ADA, Request::Ready { ready: true, pledge: None });
    assert!(trial.snapshot_for(ADA).unwrap().0.fair.pledges[0].is_some(), "it was published");
    trial.ask(ADA, Request::Start { pledge: None });
    let changed = Verdict::Unfair { round: None, findings: vec![Finding::PledgesChanged] };
    assert_eq!(verdicts(&trial).first(), Some(&changed));
    let opened = |entry: &&Entry| matches!(entry.fact, Fact::PartOpened { person: 1, .. });
    assert_eq!(trial.entries.iter().find(opened), None, "her part stays hers");
}

#[test]
fn other_cards_are_noticed() {
    let found = findings(|message| {
        let ServerMsg::Update { events, .. } = message else { return };
        for event in events {
            if let EventForm::Dealt { seat: 0, cards: VeiledForm::Cards(cards) } = event {
                cards[0] = CardName::parse(if cards[0].as_str() == "W" { "R0" } else { "W" }).unwrap();
            }
        }
    });
    assert_eq!(found, [Finding::OtherCards]);
}

#[test]
fn another_dealer_is_noticed() {
    let found = findings(|message| {
        if let ServerMsg::Update { game: Some(game), .. } = message {
            game.view.dealer = 1 - game.view.dealer;
        }
    });
    assert_eq!(found, [Finding::OtherDealer]);
}

#[test]
fn a_round_that_is_broken_off_and_not_revealed_is_noticed() {
    let found = findings(|message| {
        if let Some(lobby) = lobby_in(message)
            && lobby.stage == Stage::Lobby
        {
            (lobby.fair.dealt, lobby.fair.revealed) = (None, None);
        }
    });
    assert_eq!(found, [Finding::NotRevealed]);
}

#[test]
fn a_table_that_deals_without_asking_is_noticed() {
    let found = findings(|message| {
        if let Some(fair) = fair_in(message) {
            fair.dealing = None;
        }
    });
    assert!(found.contains(&Finding::OwnPartDropped), "{found:?}");
}

#[test]
fn an_old_commitment_is_noticed() {
    let mut trial = table(None);
    trial.ask(ADA, Request::Start { pledge: None });
    trial.ask(ADA, Request::Reopen {});
    trial.lies = Some((ADA, |message| {
        if let Some(lobby) = lobby_in(message)
            && lobby.stage == Stage::Playing
        {
            lobby.fair.dealt = FIRST.get().copied();
        }
    }));
    FIRST.set(trial.snapshot_for(BEA).unwrap().0.fair.dealt.unwrap()).unwrap();
    trial.ask(BEA, Request::Ready { ready: true, pledge: None });
    trial.ask(ADA, Request::Start { pledge: None });
    let found = verdicts(&trial);
    assert!(matches!(&found[1], Verdict::Unfair { findings, .. } if findings.contains(&Finding::OldCommitment)));
}

static FIRST: std::sync::OnceLock<Commitment> = std::sync::OnceLock::new();

#[test]
fn with_nothing_stored_nothing_is_compared() {
    let mut trial = table(None);
    trial.ask(ADA, Request::Start { pledge: None });
    trial.gone(ADA);
    trial.witnesses.insert(ADA, Witness::default());
    trial.arrive(ADA, "Ada", None);
    trial.ask(ADA, Request::Reopen {});
    assert_eq!(verdicts(&trial), [Verdict::NotCompared { round: 1 }]);
}

#[test]
fn what_was_stored_is_enough() {
    let mut trial = table(None);
    trial.ask(ADA, Request::Start { pledge: None });
    trial.gone(ADA);
    let stored = serde_json::to_string(&trial.witnesses[&ADA]).unwrap();
    trial.witnesses.insert(ADA, serde_json::from_str(&stored).unwrap());
    trial.arrive(ADA, "Ada", None);
    trial.ask(ADA, Request::Reopen {});
    assert_eq!(verdicts(&trial), [Verdict::Fair { round: 1 }]);
}

#[test]
fn a_part_that_was_lost_is_made_again_in_time() {
    let mut trial = table(None);
    trial.gone(BEA);
    trial.witnesses.insert(BEA, Witness::default());
    trial.arrive(BEA, "Bea", None);
    trial.ask(ADA, Request::Start { pledge: None });
    let (lobby, _) = trial.snapshot_for(BEA).unwrap();
    assert_eq!((lobby.stage, lobby.chairs[1].away), (Stage::Playing, None::<Away>));
    assert!(!trial.own_for(BEA).unwrap().may.contains(&RequestKind::Open));
}

trait Leave {
    fn gone(&mut self, guest: GuestId);
}

impl Leave for Trial {
    fn gone(&mut self, guest: GuestId) {
        self.input(unum_table::Input::Gone { guest });
    }
}
