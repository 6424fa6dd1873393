//! The race to call "UNO", fair to slow connections.
//!
//! A catch within the grace period after the card landed waits for the owner's call. Anything that would begin a turn,
//! and so end the race, queues behind it. The queue is not in the journal.

use unum_protocol::Refusal;
use unum_rules::wire::ActionForm;

use crate::Moment;
use crate::bots::Idea;
use crate::state::State;
use crate::table::{Table, Turn};
use unum_protocol::{Person, Request, Stage};

/// How long after a card landed its owner's call comes before any catch, in milliseconds.
pub(crate) const GRACE: u64 = 800;

/// Something that waits.
#[derive(Clone, Debug)]
pub(crate) enum Held {
    /// Somebody's request.
    Request { person: Person, id: u32, request: Request },
    /// What a bot has in mind.
    Idea(Idea),
}

impl State {
    /// When the grace period of the player to catch ends, as long as they can be caught.
    fn end_of_grace(&self, request: &Request) -> Option<Moment> {
        let Request::Act { action: ActionForm::Catch { seat }, .. } = request else { return None };
        let game = self.game.as_ref().filter(|_| self.stage == Stage::Playing)?;
        Some(game.liable_since(*seat)?.after(GRACE))
    }
}

impl Table {
    /// Queues a request if it must wait; returns it if not.
    pub(crate) fn hold(&mut self, person: Person, id: u32, request: Request, now: Moment) -> Option<Request> {
        let calls = matches!(&request, Request::Act { action: ActionForm::CallUno {}, .. });
        let early = self.state.end_of_grace(&request).is_some_and(|end| now < end);
        let acts = matches!(&request, Request::Act { .. });
        let behind = !self.held.is_empty() && acts || self.holds_from(person);
        if calls || !early && !behind {
            return Some(request);
        }
        self.held.push_back(Held::Request { person, id, request });
        None
    }

    /// Whether a request of that number waits already.
    pub(crate) fn holds(&self, person: Person, id: u32) -> bool {
        let same = |held: &Held| matches!(held, Held::Request { person: p, id: i, .. } if (*p, *i) == (person, id));
        self.held.iter().any(same)
    }

    /// Whether a request of somebody waits.
    pub(crate) fn holds_from(&self, person: Person) -> bool {
        self.held.iter().any(|held| matches!(held, Held::Request { person: from, .. } if *from == person))
    }

    /// When the first thing that waits is due: a catch at the end of a grace period, which may be a
    /// later one by now if the target has played on; everything else at once.
    pub(crate) fn held_due(&self) -> Option<Moment> {
        match self.held.front()? {
            Held::Request { request, .. } => Some(self.state.end_of_grace(request).unwrap_or_default()),
            Held::Idea(_) => Some(Moment::default()),
        }
    }

    /// Handles what has waited long enough, in order.
    pub(crate) fn release(&mut self, turn: &mut Turn<'_>) {
        while self.held_due().is_some_and(|due| due <= turn.now)
            && let Some(first) = self.held.pop_front()
        {
            match first {
                Held::Request { person, id, request } => self.answer(person, id, request, turn),
                Held::Idea(idea) => self.carry_out_idea(idea, turn),
            }
            self.settle(turn);
        }
    }

    /// Carries out a request, and tells the sender if it was refused or changed nothing.
    pub(crate) fn answer(&mut self, person: Person, id: u32, request: Request, turn: &mut Turn<'_>) {
        let Some(guest) = self.state.member(person).map(|member| member.guest) else { return };
        turn.by = (id > 0).then_some((person, id));
        let before = turn.out.entries.len();
        let done: Result<(), Refusal> = self.decide(person, request, turn);
        let unacknowledged = turn.by.take().is_some();
        match done {
            Ok(()) if !unacknowledged && turn.out.entries.len() > before && id > 0 => {}
            Ok(()) if self.thinks_about(guest, id) || turn.reports(guest, id) => {}
            done => turn.answer(guest, id, done),
        }
    }
}
