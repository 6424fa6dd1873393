//! The commit-reveal protocol before a deal: players pledge their parts of the seed, then open them.
//!
//! A deal begins with [`Fact::DealBegun`]. Every player pledges a part (most have done so with `ready`), which is
//! published; [`Fact::PledgesClosed`] ends that. Then everybody opens, and [`Fact::Dealt`] deals. Clients do all of it
//! without anybody pressing anything. A person whose pledge does not come in time plays without a part. A person who
//! pledged and does not open is named by [`Fact::Withheld`], a bot plays their round, and the others pledge again; if
//! that happens a second time, the deal goes on without the parts that are missing. docs/fairness.md says why.

use serde::{Deserialize, Serialize};
use unum_protocol::{Away, DealingStep, DealingView, FairView, Person, Refusal, Stage, TableCode};
use unum_rules::fair::{ATTEMPTS, Entropy, FairDeal, Place, Pledge};
use unum_rules::{Seat, order};

use crate::state::{Chair, State};
use crate::table::{Dice, Table, Turn};
use crate::{Fact, Moment, clock};

/// How long the table waits for pledges, and then for parts, in milliseconds.
pub(crate) const STEP: u64 = 5_000;

/// A deal in preparation.
#[derive(Clone, Debug, Serialize, Deserialize, unum_rules::json::Read)]
pub(crate) struct Dealing {
    /// From 1 to [`ATTEMPTS`].
    pub(crate) attempt: u8,
    /// Whether all pledges are published.
    pub(crate) opening: bool,
    /// Since when the table has been waiting.
    pub(crate) since: Moment,
    /// The seats that pledged and did not open, in order.
    pub(crate) withheld: Vec<Seat>,
}

impl Chair {
    /// Whether it has pledged a part and not opened it.
    pub(crate) fn is_owing(&self) -> bool {
        self.pledge.is_some() && self.part.is_none()
    }
}

impl State {
    /// The deal a part of that seat would be for.
    fn place(&self, seat: Seat) -> Place {
        let attempt = self.dealing.as_ref().map_or(1, |dealing| dealing.attempt);
        Place { commitment: self.secret.commitment(), attempt, seat }
    }

    fn seats(&self, wanted: impl Fn(&Chair) -> bool) -> Vec<Seat> {
        (0..).zip(&self.chairs).filter(|(_, chair)| wanted(chair)).map(|(seat, _)| seat).collect()
    }

    /// Whether all pledges are published and parts are being opened.
    pub(crate) fn is_opening(&self) -> bool {
        self.dealing.as_ref().is_some_and(|dealing| dealing.opening)
    }

    /// The seats whose clients the deal waits for: first for pledges of everybody present, then for parts of everybody
    /// who pledged.
    pub(crate) fn awaited_parts(&self) -> Vec<Seat> {
        let Some(dealing) = &self.dealing else { return Vec::new() };
        let here = |chair: &Chair| chair.person.is_some_and(|person| self.is_connected(person));
        let awaited = |chair: &Chair| match dealing.opening {
            true => chair.person.is_some() && chair.is_owing(),
            false => here(chair) && chair.pledge.is_none(),
        };
        self.seats(|chair| chair.away.is_none() && awaited(chair))
    }

    /// When the deal proceeds without the missing ones.
    pub(crate) fn dealing_due(&self) -> Option<Moment> {
        self.dealing.as_ref().map(|dealing| dealing.since.after(STEP))
    }

    /// What happens next, if a deal is being prepared and nothing is left to wait for.
    pub(crate) fn dealing_goes_on(&self, now: Moment) -> Option<Fact> {
        let dealing = self.dealing.as_ref()?;
        let late = self.is_watched() && self.dealing_due().is_some_and(|due| due <= now);
        let waiting = self.awaited_parts();
        match (waiting.first(), dealing.opening) {
            (Some(_), _) if !late => None,
            // Nothing has been opened yet, so they may come back at any time.
            (Some(seat), false) => Some(Fact::StoodIn { seat: *seat, why: Away::TimedOut }),
            (None, false) if self.chairs.iter().any(|chair| chair.pledge.is_some()) => Some(Fact::PledgesClosed {}),
            (None, false) => Some(Fact::Dealt {}),
            (_, true) => match self.seats(Chair::is_owing) {
                seats if seats.is_empty() => Some(Fact::Dealt {}),
                seats => Some(Fact::Withheld { seats }),
            },
        }
    }

    /// Somebody who is here, and whose round was played by a bot because their part was missing: that round is over.
    pub(crate) fn returning(&self) -> Option<Seat> {
        let between = matches!(self.stage, Stage::Scores | Stage::Over) && self.dealing.is_none();
        let here = |chair: &Chair| chair.person.is_some_and(|person| self.is_connected(person));
        let seats = self.seats(|chair| chair.away == Some(Away::NoPart) && here(chair));
        seats.first().copied().filter(|_| between)
    }

    /// A player who withheld their part must wait for the next round.
    pub(crate) fn check_not_excluded(&self, seat: Seat) -> Result<(), Refusal> {
        let excluded = self.chair(seat).is_some_and(|chair| chair.away == Some(Away::NoPart));
        let message = "your part of the deal did not come in time: a bot plays this round for you";
        if excluded && self.stage == Stage::Playing { Err(Refusal::new(TableCode::NoPart, message)) } else { Ok(()) }
    }

    /// Everything that determines the cards, as collected so far.
    pub(crate) fn fair_deal(&self) -> FairDeal {
        let entropy = self.chairs.iter().map(|chair| chair.part).collect();
        let deal = FairDeal::new(self.secret, entropy);
        match &self.dealing {
            Some(Dealing { attempt, withheld, .. }) => {
                FairDeal { attempt: *attempt, withheld: withheld.clone(), ..deal }
            }
            None => deal,
        }
    }

    /// What to reveal of a deal or a round that is broken off now.
    pub(crate) fn broken_off(&self) -> Option<FairDeal> {
        let playing = self.game.as_ref().filter(|game| game.play.result().is_none());
        playing.map(|game| game.fair.clone()).or_else(|| self.dealing.as_ref().map(|_| self.fair_deal()))
    }

    pub(crate) fn fair_view(&self, now: Moment) -> FairView {
        let game = self.game.as_ref();
        let over = game.filter(|game| game.play.result().is_some());
        let anybody = self.chairs.iter().any(|chair| chair.pledge.is_some());
        FairView {
            next: self.secret.commitment(),
            attempt: self.dealing.as_ref().map_or(1, |dealing| dealing.attempt),
            pledges: self.chairs.iter().filter(|_| anybody).map(|chair| chair.pledge).collect(),
            dealing: self.dealing.as_ref().map(|dealing| DealingView {
                step: if dealing.opening { DealingStep::Open } else { DealingStep::Pledge },
                waiting: self.awaited_parts(),
                left: clock::left(dealing.since, STEP, now),
            }),
            dealt: game.map(|game| game.commitment).or(self.aborted.as_ref().map(FairDeal::commitment)),
            revealed: over.map(|game| game.fair.clone()).or_else(|| self.aborted.clone().filter(|_| game.is_none())),
        }
    }
}

// Applying facts.

impl State {
    /// Seats are fixed from now on: chairs that were left behind in the last match are gone.
    pub(crate) fn begin_deal(&mut self, since: Moment) {
        if self.standing.is_none() {
            self.clear_abandoned();
            self.seat_waiting();
        }
        self.dealing = Some(Dealing { attempt: 1, opening: false, since, withheld: Vec::new() });
    }

    pub(crate) fn close_pledges(&mut self, since: Moment) {
        if let Some(dealing) = &mut self.dealing {
            (dealing.opening, dealing.since) = (true, since);
        }
    }

    /// Names everybody who did not open. In the first attempt all others pledge again.
    pub(crate) fn withhold(&mut self, seats: &[Seat], since: Moment, dice: &mut dyn Dice) -> Result<(), Refusal> {
        for seat in seats {
            if self.chair(*seat).is_some_and(|chair| chair.person.is_some()) {
                self.stand_in(*seat, Away::NoPart, dice)?;
            }
            if let Some(chair) = self.chair_mut(*seat) {
                chair.pledge = None;
            }
        }
        let Some(dealing) = &mut self.dealing else { return Ok(()) };
        dealing.withheld.extend(seats);
        order::sort(&mut dealing.withheld);
        if dealing.attempt < ATTEMPTS {
            (dealing.attempt, dealing.opening, dealing.since) = (dealing.attempt + 1, false, since);
            self.forget_parts();
        }
        Ok(())
    }

    /// Pledges are bound to seats: when seats change, or the deal is made, they are void.
    pub(crate) fn forget_parts(&mut self) {
        self.chairs.iter_mut().for_each(|chair| (chair.pledge, chair.part) = (None, None));
    }
}

// Requests.

impl State {
    /// Whether the deal waits for a person to do that.
    pub(crate) fn check_awaited(&self, person: Person, step: DealingStep) -> Result<(), Refusal> {
        let opening = self.dealing.as_ref().map(|dealing| dealing.opening);
        let now = opening == Some(step == DealingStep::Open);
        let awaited = self.seat_of(person).is_some_and(|seat| self.awaited_parts().contains(&seat));
        let message = "the table does not wait for that: look at `fair.dealing`";
        if now && awaited { Ok(()) } else { Err(Refusal::new(TableCode::WrongStage, message)) }
    }
}

impl Table {
    pub(crate) fn pledge(&mut self, person: Person, pledge: Pledge, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        self.commit(Fact::Pledged { person, pledge }, turn)
    }

    pub(crate) fn open_part(&mut self, person: Person, part: Entropy, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let seat = self.state.check_seated(person)?;
        let pledged = self.state.chair(seat).and_then(|chair| chair.pledge);
        if pledged != Some(part.pledge(self.state.place(seat))) {
            let message = "this part does not fit what you pledged for this deal, this attempt and this seat";
            return Err(Refusal::new(TableCode::BadPart, message));
        }
        self.commit(Fact::PartOpened { person, part }, turn)
    }
}
