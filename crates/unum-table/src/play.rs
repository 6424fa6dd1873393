//! Requests, dealing, acting.

use unum_protocol::{Actor, Away, Person, Refusal, Request, Stage, TableCode};
use unum_rules::fair::Pledge;
use unum_rules::wire::ActionForm;

use crate::state::State;
use crate::table::{Table, Turn};
use crate::{Fact, GuestId, Moment};

impl State {
    /// How many would play another match.
    fn staying(&self) -> usize {
        let waiting = self.people.iter().filter(|member| member.waiting).count();
        waiting + self.chairs.iter().filter(|chair| !chair.is_abandoned()).count()
    }

    /// Whether the next round, or another match with the same people, is due.
    pub(crate) fn is_next_deal_due(&self, now: Moment) -> bool {
        let mut present = self.present().peekable();
        let all_ready = present.peek().is_some() && present.all(|chair| chair.ready);
        match self.stage {
            _ if self.dealing.is_some() => false,
            Stage::Scores => all_ready || self.is_watched() && self.scores_due().is_some_and(|due| due <= now),
            Stage::Over => all_ready && self.staying() > 1,
            _ => false,
        }
    }
}

impl Table {
    /// A guest makes a request.
    pub(crate) fn ask(&mut self, guest: GuestId, id: u32, request: Request, turn: &mut Turn<'_>) {
        let Some(member) = self.state.guest(guest) else {
            return turn.answer(guest, id, Err(Refusal::new(TableCode::NotHere, "you are not at this table")));
        };
        let (person, last_id) = (member.person, member.last_id);
        if id > 0 && id <= last_id {
            return turn.answer(guest, id, Ok(()));
        }
        if id > 0 && self.holds(person, id) {
            return;
        }
        if let Err(refusal) = self.check_fresh(&request) {
            return turn.answer(guest, id, Err(refusal));
        }
        if let Err(refusal) = self.check_player(person, &request) {
            return turn.answer(guest, id, Err(refusal));
        }
        if let Some(request) = self.hold(person, id, request, turn.now) {
            self.answer(person, id, request, turn);
        }
    }

    /// Whether the person who wants to act plays at all: an onlooker's catch delays nobody.
    fn check_player(&self, person: Person, request: &Request) -> Result<(), Refusal> {
        let Request::Act { .. } = request else { return Ok(()) };
        self.state.permit(self.state.check_person(person)?, request.kind())
    }

    /// Whether the player had seen all moves when they made the request. Requests that were held back are not checked
    /// again: moves made meanwhile are not the player's fault.
    fn check_fresh(&self, request: &Request) -> Result<(), Refusal> {
        let (Request::Act { at: Some(at), .. } | Request::Hint { at: Some(at) }) = request else { return Ok(()) };
        match &self.state.game {
            Some(game) if game.at != *at => {
                let message = format!("there have been {} moves by now, not {at}: look again", game.at);
                Err(Refusal::new(TableCode::Stale, message))
            }
            _ => Ok(()),
        }
    }

    /// Carries out a request; makes no entries if there is nothing to change.
    pub(crate) fn decide(&mut self, person: Person, request: Request, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let member = self.state.check_person(person)?;
        let guest = member.guest;
        self.state.permit(member, request.kind())?;
        self.pay(guest, &request, turn.now)?;
        match request {
            Request::Sit {} => self.sit(person, turn),
            Request::Take { seat } => self.take_seat(person, seat, turn),
            Request::Stand {} => self.stand(person, turn),
            Request::Leave {} => self.leave(person, false, turn),
            Request::Quit {} => self.leave(person, true, turn),
            Request::Set { setting, value } => self.set(setting, &value, turn),
            Request::Settings { settings } => self.change_settings(settings, turn),
            Request::Accept { agreement } => self.accept(person, agreement, turn),
            Request::Ready { ready, pledge } => self.ready(person, ready, pledge, turn),
            Request::Start { pledge } => self.start(person, pledge, turn),
            Request::Pledge { pledge } => self.pledge(person, pledge, turn),
            Request::Open { part } => self.open_part(person, part, turn),
            Request::Reopen {} => self.reopen(turn),
            Request::AddBot { level } => self.add_bot(level, turn),
            Request::RemoveBot { seat } => self.remove_bot(seat, turn),
            Request::Kick { person: other, address } => self.kick(person, other, address, turn),
            Request::Unkick { person: other } => self.unkick(other, turn),
            Request::Lock { locked } => self.lock(locked, turn),
            Request::NewCode {} => self.renew_code(turn),
            Request::PassHost { person: other } => self.pass_host(person, other, turn),
            Request::Rename { name } => self.rename(person, &name, turn),
            Request::Act { action, .. } => self.act(person, action, turn),
            Request::Hint { .. } => self.want_hint(person, turn),
            Request::Autopilot { on } => self.autopilot(person, on, turn),
            Request::Pace { pace } => self.change_pace(pace, turn),
            Request::Chat { text } => self.chat(person, &text, turn),
            Request::React { reaction } => self.commit(Fact::Reacted { person, reaction }, turn),
            Request::Mute { person: other, muted, always } => self.mute(person, other, (muted, always), turn),
            Request::Report { person: other, kind, text } => self.report(person, other, kind, &text, turn),
            Request::Accuse { seat } => self.accuse(person, seat, turn),
            Request::Judge { yes } => self.judge(person, yes, turn),
        }
    }

    fn ready(
        &mut self,
        person: Person,
        ready: bool,
        pledge: Option<Pledge>,
        turn: &mut Turn<'_>,
    ) -> Result<(), Refusal> {
        let seat = self.state.check_seated(person)?;
        if let Some(chair) = self.state.chair(seat) {
            if chair.ready == ready && (pledge.is_none() || pledge == chair.pledge) {
                return Ok(());
            }
            if chair.away.is_some() {
                self.commit_first(Fact::CameBack { seat }, turn)?;
            }
        }
        self.commit(Fact::Ready { person, ready, pledge }, turn)
    }

    fn start(&mut self, person: Person, pledge: Option<Pledge>, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let seat = self.state.seat_of(person);
        while let Some(person) = self.state.absentee() {
            self.commit_first(Fact::ChairLost { person }, turn)?;
        }
        // A pledge is for one seat: if they moved to another, their client pledges again.
        let pledge = pledge.filter(|_| self.state.seat_of(person) == seat);
        if self.state.seat_of(person).is_some() {
            self.commit(Fact::Ready { person, ready: true, pledge }, turn)?;
        }
        self.commit(Fact::DealBegun {}, turn)
    }

    fn act(&mut self, person: Person, action: ActionForm, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let seat = self.state.check_seated(person)?;
        self.state.check_lesson(seat, &action.action(self.state.rules.palette())?)?;
        if self.state.chair(seat).is_some_and(|chair| chair.away.is_some()) {
            self.commit_first(Fact::CameBack { seat }, turn)?;
        }
        self.commit(Fact::Acted { seat, action, actor: Actor::Person }, turn)
    }

    fn autopilot(&mut self, person: Person, on: bool, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let seat = self.state.check_seated(person)?;
        let away = self.state.chair(seat).is_some_and(|chair| chair.away.is_some());
        match (on, away) {
            (true, false) => self.commit(Fact::StoodIn { seat, why: Away::Asked }, turn),
            (false, true) => self.commit(Fact::CameBack { seat }, turn),
            _ => Ok(()),
        }
    }
}
