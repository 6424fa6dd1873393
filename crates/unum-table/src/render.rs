//! What each viewer is told: the one place where a table's state and changes become messages.
//!
//! Cards are redacted by the rules ([`unum_rules::View`], [`unum_rules::wire::seen_events`]); everything else here.

use unum_rules::wire::{ChoiceForm, ViewForm, seen_events};
use unum_rules::{Seat, Sight, Viewer};

use crate::clock;
use crate::state::{Change, Game, Member, State};
use crate::wire::{
    AccusationView, ChairView, ClockView, FairView, GameView, Happened, LobbyView, Person, PersonView, ServerMsg,
    Stage, VERSION,
};
use crate::{Moment, may};

/// The server's name and version, as the welcome tells them.
const SERVER: &str = concat!("unum ", env!("CARGO_PKG_VERSION"));

impl Change {
    /// What happened, as one of the people may know it.
    fn what_for(&self, viewer: &Member) -> Happened {
        let private = self.owner.is_some_and(|owner| owner != viewer.person);
        let unheard = match &self.what {
            Happened::Chatted { person, .. } | Happened::Reacted { person, .. } => viewer.muted.contains(person),
            _ => false,
        };
        if private || unheard { Happened::Hidden {} } else { self.what.clone() }
    }

    /// Through whose eyes a person saw it: those of the seat they had then.
    fn eyes_of(&self, person: Person) -> Viewer {
        let seat = self.seating.iter().position(|sitting| *sitting == Some(person));
        Viewer::from(seat.map(|seat| seat as Seat))
    }

    fn id_for(&self, person: Person) -> Option<u32> {
        self.by.filter(|(by, _)| *by == person).map(|(_, id)| id)
    }
}

impl State {
    /// One change as an update without lobby and game.
    fn bare_update(&self, change: &Change, viewer: &Member) -> ServerMsg {
        ServerMsg::Update {
            seq: change.seq,
            id: change.id_for(viewer.person),
            what: change.what_for(viewer),
            events: seen_events(&change.events, change.eyes_of(viewer.person), &self.rules),
            lobby: None,
            game: None,
        }
    }

    /// The changes after that number, as updates. The last one carries the lobby and the game, if they changed.
    pub(crate) fn updates(&self, viewer: &Member, after: u64, now: Moment) -> Vec<ServerMsg> {
        let changes = || self.recent.iter().filter(|change| change.seq > after);
        let mut updates: Vec<ServerMsg> = changes().map(|change| self.bare_update(change, viewer)).collect();
        if let Some(ServerMsg::Update { lobby, game, .. }) = updates.last_mut() {
            *lobby = changes().any(|change| change.lobby).then(|| Box::new(self.lobby_view(viewer, now)));
            *game = if changes().any(|change| change.game) { self.game_view(viewer, now) } else { None };
        }
        updates
    }

    /// The last words to somebody who has just left: the changes after that number, up to the one by which they did.
    pub(crate) fn farewell(&self, gone: &Member, after: u64) -> Vec<ServerMsg> {
        let left = |what: &Happened| matches!(what, Happened::Left { person } | Happened::Kicked { person } if *person == gone.person);
        let Some(last) = self.recent.iter().rev().find(|change| left(&change.what)) else { return Vec::new() };
        let missed = self.recent.iter().filter(|change| (after + 1..=last.seq).contains(&change.seq));
        missed.map(|change| self.bare_update(change, gone)).collect()
    }

    /// What somebody is told who comes (back): the welcome, what they missed or all of it, who is here.
    pub(crate) fn greeting(&self, viewer: &Member, after: Option<u64>, now: Moment) -> Vec<ServerMsg> {
        let mut messages = vec![ServerMsg::Welcome {
            version: VERSION,
            server: SERVER.to_owned(),
            table: self.code.clone(),
            you: viewer.person,
            last_id: viewer.last_id,
        }];
        match after.filter(|after| self.can_resume(viewer, *after)) {
            Some(after) => {
                messages.extend(self.updates(viewer, after, now));
                messages.push(self.presence(viewer));
            }
            None => messages.push(self.snapshot(viewer, now)),
        }
        messages
    }

    /// Whether all changes after that number are at hand and were this person's to see.
    fn can_resume(&self, viewer: &Member, after: u64) -> bool {
        let first_kept = self.recent.front().map_or(self.seq + 1, |change| change.seq);
        (viewer.joined..=self.seq).contains(&after) && after + 1 >= first_kept
    }

    fn snapshot(&self, viewer: &Member, now: Moment) -> ServerMsg {
        let heard = self.chat.iter().filter(|line| !viewer.muted.contains(&line.person));
        ServerMsg::Snapshot {
            seq: self.seq,
            lobby: Box::new(self.lobby_view(viewer, now)),
            game: self.game_view(viewer, now),
            chat: heard.cloned().collect(),
        }
    }

    pub(crate) fn presence(&self, viewer: &Member) -> ServerMsg {
        ServerMsg::Presence { people: self.people_views(viewer) }
    }

    fn people_views(&self, viewer: &Member) -> Vec<PersonView> {
        let view = |member: &Member| PersonView {
            person: member.person,
            name: member.name.clone(),
            look: member.look,
            seat: self.seat_of(member.person),
            connected: member.link.connected,
            muted: viewer.muted.contains(&member.person),
        };
        self.people.iter().map(view).collect()
    }

    fn chair_views(&self) -> Vec<ChairView> {
        let chairs = self.chairs.iter().map(|chair| ChairView {
            name: chair.name.clone(),
            look: chair.look,
            person: chair.person,
            bot: chair.player(),
            away: chair.away,
            accepted: chair.accepted,
            ready: chair.ready,
        });
        chairs.collect()
    }

    fn lobby_view(&self, viewer: &Member, now: Moment) -> LobbyView {
        LobbyView {
            stage: self.stage,
            settings: self.settings.clone(),
            agreement: self.agreement,
            host: self.host,
            chairs: self.chair_views(),
            people: self.people_views(viewer),
            accusation: self.accusation_view(now),
            commitment: self.secret.commitment(),
            may: may::requests(self, viewer),
        }
    }

    fn accusation_view(&self, now: Moment) -> Option<AccusationView> {
        let accusation = self.accusation.as_ref()?;
        let waiting = accusation.voters.iter().filter(|(_, vote)| vote.is_none());
        Some(AccusationView {
            by: accusation.by,
            seat: accusation.seat,
            waiting: waiting.map(|(voter, _)| *voter).collect(),
            left: clock::left(accusation.since, clock::JUDGING, now),
        })
    }

    fn game_view(&self, viewer: &Member, now: Moment) -> Option<Box<GameView>> {
        let game = self.game.as_ref()?;
        let seat = self.seat_of(viewer.person);
        Some(Box::new(GameView {
            round: game.round,
            at: game.at,
            view: ViewForm::new(&game.play.view(Viewer::from(seat)), &self.rules),
            legal: seat.map_or(Vec::new(), |seat| self.legal(game, seat)),
            clock: self.clock_view(now),
            fair: FairView { commitment: game.commitment, revealed: game.play.result().map(|_| game.fair.clone()) },
        }))
    }

    fn legal(&self, game: &Game, seat: Seat) -> Vec<ChoiceForm> {
        Sight::new(game.play.round(), &self.rules, seat, game.play.scores()).choices()
    }

    fn clock_view(&self, now: Moment) -> Option<ClockView> {
        let of = self.turn_time().filter(|_| self.stage == Stage::Playing && !self.awaited_people().is_empty())?;
        let since = self.game.as_ref()?.since;
        Some(ClockView { left: clock::left(since, of, now), of: of as u32 })
    }
}
