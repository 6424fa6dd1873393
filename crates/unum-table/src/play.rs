//! Requests, dealing, acting.

use unum_rules::fair::Entropy;
use unum_rules::wire::ActionForm;

use crate::state::State;
use crate::table::{Table, Turn};
use crate::trouble::{Trouble, TroubleCode};
use crate::wire::{Away, Hand, Person, Request, ServerMsg, Stage};
use crate::{Fact, GuestId, Moment};

impl State {
    /// Whether the next round, or another match with the same people, is to be dealt now.
    pub(crate) fn is_next_deal_due(&self, now: Moment) -> bool {
        let mut present = self.present().peekable();
        let all_ready = present.peek().is_some() && present.all(|chair| chair.ready);
        match self.stage {
            Stage::Scores => all_ready || self.is_watched() && self.scores_due().is_some_and(|due| due <= now),
            Stage::Over => all_ready && self.chairs.iter().filter(|chair| !chair.is_abandoned()).count() > 1,
            _ => false,
        }
    }
}

impl Table {
    /// A guest wants something.
    pub(crate) fn ask(&mut self, guest: GuestId, id: u32, request: Request, turn: &mut Turn<'_>) {
        let Some(member) = self.state.guest(guest) else {
            let trouble = Trouble::new(TroubleCode::NotHere, "you are not at this table");
            return turn.tell(guest, trouble.refusal(Some(id)));
        };
        let (person, last_id) = (member.person, member.last_id);
        if id > 0 && id <= last_id {
            return turn.tell(guest, ServerMsg::Done { id });
        }
        if id > 0 && self.holds(person, id) {
            return;
        }
        if let Err(trouble) = self.check_fresh(&request) {
            return turn.tell(guest, trouble.refusal(Some(id)));
        }
        if let Some(request) = self.hold(person, id, request, turn.now) {
            self.answer(person, id, request, turn);
        }
    }

    /// Whether the player had seen all moves when they made the request. What waits is not asked again: moves that
    /// were made while it did are not the player's fault.
    fn check_fresh(&self, request: &Request) -> Result<(), Trouble> {
        let Request::Act { at: Some(at), .. } = request else { return Ok(()) };
        match &self.state.game {
            Some(game) if game.at != *at => {
                let message = format!("there were {} moves by now, not {at}: look again", game.at);
                Err(Trouble::new(TroubleCode::Stale, message))
            }
            _ => Ok(()),
        }
    }

    /// Carries out a request; without entries, if there was nothing to change.
    pub(crate) fn decide(&mut self, person: Person, request: Request, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        match request {
            Request::Sit {} => self.sit(person, turn),
            Request::Stand {} => self.stand(person, turn),
            Request::Leave {} => self.leave(person, turn),
            Request::Settings { settings } => self.change_settings(person, settings, turn),
            Request::Accept { agreement } => self.accept(person, agreement, turn),
            Request::Ready { ready, entropy } => self.ready(person, ready, entropy, turn),
            Request::Start { entropy } => self.start(person, entropy, turn),
            Request::Reopen {} => self.reopen(person, turn),
            Request::AddBot { level } => self.add_bot(person, level, turn),
            Request::RemoveBot { seat } => self.remove_bot(person, seat, turn),
            Request::Kick { person: other } => self.kick(person, other, turn),
            Request::PassHost { person: other } => self.pass_host(person, other, turn),
            Request::Rename { name } => self.rename(person, &name, turn),
            Request::Act { action, .. } => self.act(person, action, turn),
            Request::Autopilot { on } => self.autopilot(person, on, turn),
            Request::Chat { text } => self.chat(person, &text, turn),
            Request::React { reaction } => self.commit(Fact::Reacted { person, reaction }, turn),
            Request::Mute { person: other, muted } => self.mute(person, other, muted, turn),
            Request::Accuse { seat } => self.accuse(person, seat, turn),
            Request::Judge { yes } => self.judge(person, yes, turn),
        }
    }

    fn ready(
        &mut self,
        person: Person,
        ready: bool,
        entropy: Option<Entropy>,
        turn: &mut Turn<'_>,
    ) -> Result<(), Trouble> {
        let stages = [Stage::Lobby, Stage::Scores, Stage::Over];
        self.state.check_stage(&stages, "a round is being played: there is nothing to be ready for")?;
        let seat = self.state.check_seated(person)?;
        if let Some(chair) = self.state.chair(seat) {
            if self.state.stage == Stage::Lobby && !chair.accepted {
                let message = "accept the rules before you are ready";
                return Err(Trouble::new(TroubleCode::NotAccepted, message));
            }
            if chair.ready == ready && entropy.is_none() {
                return Ok(());
            }
            if chair.away.is_some() {
                self.commit_first(Fact::CameBack { seat }, turn)?;
            }
        }
        self.commit(Fact::Ready { person, ready, entropy }, turn)
    }

    fn start(&mut self, person: Person, entropy: Option<Entropy>, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_host(person)?;
        self.state.check_stage(&[Stage::Lobby], "the match has begun already")?;
        self.state.can_start()?;
        if self.state.seat_of(person).is_some() {
            self.commit(Fact::Ready { person, ready: true, entropy }, turn)?;
        }
        self.commit(Fact::Dealt {}, turn)
    }

    fn act(&mut self, person: Person, action: ActionForm, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_stage(&[Stage::Playing], "no round is being played")?;
        let seat = self.state.check_seated(person)?;
        if self.state.chair(seat).is_some_and(|chair| chair.away.is_some()) {
            self.commit_first(Fact::CameBack { seat }, turn)?;
        }
        self.commit(Fact::Acted { seat, action, hand: Hand::Person }, turn)
    }

    fn autopilot(&mut self, person: Person, on: bool, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        let stages = [Stage::Playing, Stage::Scores];
        self.state.check_stage(&stages, "a bot can stand in while a match is played")?;
        let seat = self.state.check_seated(person)?;
        let away = self.state.chair(seat).is_some_and(|chair| chair.away.is_some());
        match (on, away) {
            (true, false) => self.commit(Fact::StoodIn { seat, why: Away::Asked }, turn),
            (false, true) => self.commit(Fact::CameBack { seat }, turn),
            _ => Ok(()),
        }
    }
}
