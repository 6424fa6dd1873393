//! People for the tests, and short ways to say what they do.

use unum_protocol::{
    Choice, GameView, Level, LobbyView, OwnView, Pace, Request, RequestKind, ServerMsg, Settings, Stage,
};
use unum_rules::wire::{ActionForm, ChoiceForm};
use unum_rules::{Edition, RulesSpec};
use unum_table::sim::Trial;
use unum_table::{Fact, GuestId, Input};

pub(crate) const ADA: GuestId = GuestId(7_000_000_000_000_001);
pub(crate) const BEA: GuestId = GuestId(7_000_000_000_000_002);
pub(crate) const CY: GuestId = GuestId(7_000_000_000_000_003);
pub(crate) const DAN: GuestId = GuestId(7_000_000_000_000_004);

pub(crate) fn settings(edition: Edition) -> Settings {
    Settings { rules: RulesSpec::of(edition), ..Settings::default() }
}

pub(crate) fn instant(edition: Edition) -> Settings {
    Settings { pace: Pace::Instant, ..settings(edition) }
}

/// A table with Ada as host and the others seated.
pub(crate) fn lobby_of(guests: &[GuestId], settings: Settings) -> Trial {
    let mut trial = Trial::open(guests[0], settings, 7).unwrap();
    for (guest, name) in guests.iter().zip(["Ada", "Bea", "Cy", "Dan"]) {
        trial.arrive(*guest, name, None);
    }
    trial
}

/// A match among these people and some normal bots.
pub(crate) fn match_of(guests: &[GuestId], bots: usize, settings: Settings) -> Trial {
    let mut trial = lobby_of(guests, settings);
    for _ in 0..bots {
        trial.must(guests[0], Request::AddBot { level: Level::Normal });
    }
    for guest in &guests[1..] {
        trial.must(*guest, Request::Accept { agreement: 1 });
        trial.must(*guest, Request::Ready { ready: true, pledge: None });
    }
    trial.must(guests[0], Request::Start { pledge: None });
    trial
}

pub(crate) trait Script {
    fn must(&mut self, guest: GuestId, request: Request);
    fn refused(&mut self, guest: GuestId, request: Request) -> &'static str;
    fn lobby(&self, guest: GuestId) -> LobbyView;
    fn own(&self, guest: GuestId) -> OwnView;
    fn may(&self, guest: GuestId, kind: RequestKind) -> bool;
    fn game(&self, guest: GuestId) -> GameView;
    fn stage(&self) -> Stage;
    fn facts(&self) -> Vec<Fact>;
    fn gone(&mut self, guest: GuestId);
    fn up(&self) -> Vec<GuestId>;
}

fn answers(trial: &Trial, from: usize, guest: GuestId) -> &[ServerMsg] {
    trial.inboxes.get(&guest).map_or(&[], |inbox| &inbox[from..])
}

impl Script for Trial {
    /// Asks, and expects that it is done.
    #[track_caller]
    fn must(&mut self, guest: GuestId, request: Request) {
        let before = self.inboxes.get(&guest).map_or(0, Vec::len);
        self.ask(guest, request.clone());
        for message in answers(self, before, guest) {
            assert!(!matches!(message, ServerMsg::Refused { .. }), "{request:?}: {message:?}");
        }
    }

    /// Asks, and expects a refusal, whose code this is.
    #[track_caller]
    fn refused(&mut self, guest: GuestId, request: Request) -> &'static str {
        let before = self.inboxes.get(&guest).map_or(0, Vec::len);
        let outcome = self.ask(guest, request.clone());
        assert!(outcome.entries.is_empty(), "a refusal changes nothing");
        match answers(self, before, guest) {
            [ServerMsg::Refused { refusal, .. }] => {
                assert!(!refusal.message.is_empty());
                refusal.code.as_str()
            }
            other => panic!("{request:?} was not refused: {other:?}"),
        }
    }

    fn lobby(&self, guest: GuestId) -> LobbyView {
        self.snapshot_for(guest).unwrap().0
    }

    fn own(&self, guest: GuestId) -> OwnView {
        self.own_for(guest).unwrap()
    }

    fn may(&self, guest: GuestId, kind: RequestKind) -> bool {
        self.own(guest).may.contains(&kind)
    }

    #[track_caller]
    fn game(&self, guest: GuestId) -> GameView {
        self.snapshot_for(guest).unwrap().1.unwrap()
    }

    fn stage(&self) -> Stage {
        self.lobby(self.table.guests().next().unwrap()).stage
    }

    fn facts(&self) -> Vec<Fact> {
        self.entries.iter().map(|entry| entry.fact.clone()).collect()
    }

    fn gone(&mut self, guest: GuestId) {
        self.input(Input::Gone { guest });
    }

    /// The guests who could act now without racing.
    fn up(&self) -> Vec<GuestId> {
        let can = |guest: &GuestId| self.game(*guest).legal.iter().any(|choice| !is_race(choice));
        self.table.guests().filter(can).collect()
    }
}

fn is_race(choice: &Choice) -> bool {
    matches!(choice.action, ChoiceForm::Action(ActionForm::CallUno {} | ActionForm::Catch { .. }))
}

/// The first thing in the list that is neither a catch nor a late call.
pub(crate) fn first_choice(game: &GameView) -> ActionForm {
    let choice = game.legal.iter().find(|choice| !is_race(choice));
    let choice = choice.unwrap_or_else(|| panic!("nothing to do: {:?}", game.legal));
    choice.action.first_action(game.view.hand.as_deref().unwrap())
}
