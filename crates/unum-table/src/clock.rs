//! Timers: what happens because time passes.

use unum_bots::{Bot, LevelBot};
use unum_rules::{Action, Seat, Sight};

use crate::apply::seed;
use crate::state::{STAND_IN, State};
use crate::table::{Table, Turn};
use crate::{Fact, Moment};
use unum_protocol::{Away, Pace, Person, Stage};

/// How long an accusation is voted on, in milliseconds.
pub(crate) const JUDGING: u64 = 30_000;
/// How long to wait for a lost connection when there is a turn clock.
const PATIENCE: u64 = 10_000;
/// How long to wait for a lost connection when there is none.
const LONG_PATIENCE: u64 = 60_000;
/// How long the table waits for its host.
const HOST_PATIENCE: u64 = 60_000;
/// How long a chair in the lobby is kept for somebody who is gone.
const CHAIR_PATIENCE: u64 = 60_000;
/// How long the scores are shown when there is a turn clock.
const SCORES: u64 = 60_000;
/// How long the scores are shown when nobody is there to be ready.
const SCORES_ALONE: u64 = 5_000;
/// The least time for a bot's turn and for the scores when no person is waiting.
pub(crate) const UNATTENDED: u64 = 50;
/// How many turns in a row may run out of time before a bot stands in.
const TIMEOUTS: u8 = 3;

/// How many of these milliseconds are left.
pub(crate) fn left(since: Moment, of: u64, now: Moment) -> u32 {
    since.0.saturating_add(of).saturating_sub(now.0).min(of) as u32
}

impl Moment {
    /// A time that many milliseconds later.
    pub(crate) fn after(self, milliseconds: u64) -> Moment {
        Moment(self.0.saturating_add(milliseconds))
    }
}

impl State {
    /// How long a turn may take, in milliseconds.
    pub(crate) fn turn_time(&self) -> Option<u64> {
        self.settings.clock.map(|seconds| u64::from(seconds) * 1000)
    }

    /// When the turns of the people the table waits for run out.
    fn turn_due(&self) -> Option<Moment> {
        let of = self.turn_time().filter(|_| !self.awaited_people().is_empty())?;
        Some(self.game.as_ref()?.since.after(of))
    }

    /// Who will be the next to have been disconnected for too long, and when.
    fn patience_due(&self) -> Option<(Moment, Seat)> {
        if self.stage != Stage::Playing {
            return None;
        }
        let patience = if self.settings.clock.is_some() { PATIENCE } else { LONG_PATIENCE };
        let chairs = (0..).zip(&self.chairs).filter(|(_, chair)| chair.away.is_none());
        let lost = chairs.filter_map(|(seat, chair)| {
            let link = &self.member(chair.person?)?.link;
            (!link.connected).then(|| (link.since.after(patience), seat))
        });
        lost.min()
    }

    /// When somebody stands in for a host who has gone or has not come yet.
    fn host_due(&self) -> Option<(Moment, Person)> {
        let since = match self.host.and_then(|host| self.member(host)) {
            Some(host) if host.link.connected => return None,
            Some(host) => host.link.since,
            None => self.hostless,
        };
        let next = self.successor(self.host).filter(|next| self.is_connected(*next))?;
        Some((since.after(HOST_PATIENCE), next))
    }

    /// Who is the next to lose their chair in the lobby for being gone too long, and when.
    fn chair_due(&self) -> Option<(Moment, Person)> {
        if self.stage != Stage::Lobby || self.dealing.is_some() {
            return None;
        }
        let seated = self.chairs.iter().filter_map(|chair| self.member(chair.person?));
        let gone = seated.filter(|member| !member.link.connected);
        gone.map(|member| (member.link.since.after(CHAIR_PATIENCE), member.person)).min()
    }

    fn judging_due(&self) -> Option<Moment> {
        self.accusation.as_ref().map(|accusation| accusation.since.after(JUDGING))
    }

    /// When the next round is dealt, whether or not everybody is ready.
    pub(crate) fn scores_due(&self) -> Option<Moment> {
        let waits = self.stage == Stage::Scores && self.dealing.is_none() && !self.is_paused();
        let game = self.game.as_ref().filter(|_| waits)?;
        let alone = self.present().next().is_none();
        let pause = if self.settings.pace == Pace::Instant { UNATTENDED } else { SCORES_ALONE };
        let limit = if alone { Some(pause) } else { self.settings.clock.map(|_| SCORES) };
        limit.map(|limit| game.since.after(limit))
    }

    /// Who becomes host: somebody with a chair, preferably somebody who is here. Onlookers never do.
    pub(crate) fn successor(&self, other_than: Option<Person>) -> Option<Person> {
        let seated = self.chairs.iter().filter_map(|chair| chair.person);
        seated.filter(|person| Some(*person) != other_than).min_by_key(|person| !self.is_connected(*person))
    }

    /// Who becomes host at once: the owner, when they are here; somebody with a chair, when the table has no owner any
    /// more, or when the stand-in has given up their chair.
    pub(crate) fn host_settled(&self) -> Option<Fact> {
        let pass = |person: Person, acting: bool| Fact::HostPassed { person, acting };
        if let Some(owner) = self.owner().filter(|owner| owner.link.connected) {
            return (self.host != Some(owner.person)).then(|| pass(owner.person, false));
        }
        if self.owner.is_none() {
            let next = self.host.or_else(|| self.successor(None))?;
            return Some(pass(next, false));
        }
        // The owner has left for a while, or the stand-in has no chair any more.
        let vacant = match self.host {
            None => self.came,
            Some(host) => self.is_acting() && self.seat_of(host).is_none(),
        };
        let next = self.successor(self.host).filter(|next| vacant && self.is_connected(*next))?;
        Some(pass(next, true))
    }

    /// Ends a match that nobody plays any more, so that an onlooker can sit down.
    pub(crate) fn deserted(&self) -> Option<Fact> {
        let seated = self.chairs.iter().any(|chair| chair.person.is_some());
        let nobodys = self.owner.is_none() && self.host.is_none() && !seated && !self.people.is_empty();
        (nobodys && self.stage != Stage::Lobby).then_some(Fact::Reopened {})
    }

    /// What a sensible player would do in that seat.
    pub(crate) fn sensible(&self, seat: Seat, seed: u64) -> Option<Action> {
        let game = self.game.as_ref()?;
        Some(LevelBot::new(STAND_IN, seed).act(&Sight::new(game.play.round(), &self.rules, seat, game.play.scores())))
    }
}

impl Table {
    /// When to come back with a [`Input::Tick`](crate::Input::Tick), and to ask for [`Table::thoughts`] then, if nothing
    /// else happens before. `None` while nobody is connected: nothing runs then.
    pub fn deadline(&self) -> Option<Moment> {
        if self.is_idle() {
            return None;
        }
        let state = &self.state;
        let dues = [
            state.turn_due(),
            state.patience_due().map(|(due, _)| due),
            state.host_due().map(|(due, _)| due),
            state.chair_due().map(|(due, _)| due),
            state.judging_due(),
            state.scores_due(),
            state.dealing_due(),
            self.plan.due(),
            self.quips.due(),
            self.held_due(),
            self.gathered.due(),
        ];
        dues.into_iter().flatten().min()
    }

    pub(crate) fn tick(&mut self, turn: &mut Turn<'_>) {
        if self.is_idle() {
            return;
        }
        self.release(turn);
        let now = turn.now;
        if let Some((_, person)) = self.state.host_due().filter(|(due, _)| *due <= now) {
            let _ = self.commit(Fact::HostPassed { person, acting: true }, turn);
        }
        while let Some((_, person)) = self.state.chair_due().filter(|(due, _)| *due <= now) {
            if self.commit(Fact::ChairLost { person }, turn).is_err() {
                break;
            }
        }
        if self.state.judging_due().is_some_and(|due| due <= now) {
            self.end_judging(turn);
        }
        while let Some((_, seat)) = self.state.patience_due().filter(|(due, _)| *due <= now) {
            if self.commit(Fact::StoodIn { seat, why: Away::Disconnected }, turn).is_err() {
                break;
            }
        }
        if self.state.turn_due().is_some_and(|due| due <= now) {
            self.time_out(turn);
        }
        self.urge_bots(turn);
        self.quip(turn);
    }

    /// Lets the autopilot act for everybody whose time is up, which may start new clocks.
    fn time_out(&mut self, turn: &mut Turn<'_>) {
        for seat in self.state.awaited_people().iter() {
            let still = self.state.turn_due().is_some_and(|due| due <= turn.now);
            if !still || !self.state.awaited_people().contains(seat) || !self.act_instead(seat, turn) {
                continue;
            }
            if self.state.chair(seat).is_some_and(|chair| chair.timeouts >= TIMEOUTS) {
                let _ = self.commit(Fact::StoodIn { seat, why: Away::TimedOut }, turn);
            }
        }
    }

    /// A sensible player acts for a seat the table waits for.
    pub(crate) fn act_instead(&mut self, seat: Seat, turn: &mut Turn<'_>) -> bool {
        let tries = [self.state.sensible(seat, seed(turn.dice)), self.state.any_action(seat, seed(turn.dice))];
        tries.into_iter().flatten().any(|action| self.act_as_bot(seat, &action, turn))
    }
}
