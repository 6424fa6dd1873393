//! Bots say something now and then: rarely, a moment late, and never while nobody is there to see it.
//!
//! What they say is a fact in the journal; whether they do is derived from the number of a change, not from randomness.

use unum_protocol::{Happened, Pace, Reaction};
use unum_rules::{DrawReason, Event, Seat};

use crate::state::{Change, State};
use crate::table::{Table, Turn};
use crate::{Fact, Moment};

/// The least time between two quips at a table, in milliseconds.
const BETWEEN: u64 = 9_000;
/// How long a bot takes to say something.
const LEAST: u64 = 700;
const SPREAD: u64 = 900;
/// The fewest drawn cards worth a comment.
const MANY: u8 = 4;

/// What a bot is about to say.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quips {
    next: Option<(Moment, Seat, Reaction)>,
    quiet: Moment,
}

impl Quips {
    /// When the next reaction is due.
    pub(crate) fn due(&self) -> Option<Moment> {
        self.next.map(|(due, _, _)| due)
    }
}

/// Something worth a comment: who could say it, what, and with what probability in percent.
struct Occasion {
    who: Speaker,
    what: &'static [Reaction],
    percent: u64,
}

/// Who would say it.
#[derive(Clone, Copy)]
enum Speaker {
    /// That seat, if a bot sits there.
    Seat(Seat),
    /// Any bot but that seat.
    Another(Seat),
    Any,
}

const fn by(who: Speaker, percent: u64, what: &'static [Reaction]) -> Option<Occasion> {
    Some(Occasion { who, what, percent })
}

impl Change {
    /// The first thing in it worth a comment.
    fn occasion(&self) -> Option<Occasion> {
        use Reaction::{Hello, Thanks};
        match self.what {
            Happened::Dealt { round: 1 } => by(Speaker::Any, 60, &[Hello]),
            Happened::Reacted { reaction: Hello, .. } => by(Speaker::Any, 70, &[Hello]),
            Happened::Reacted { reaction: Reaction::WellPlayed, .. } => by(Speaker::Any, 50, &[Thanks]),
            _ => self.events.iter().find_map(occasion_of),
        }
    }
}

fn occasion_of(event: &Event) -> Option<Occasion> {
    use Reaction::{Cheers, Laugh, Oops, Sorry, Think, WellPlayed, Wow};
    use Speaker::{Another, Seat};
    match *event {
        Event::Challenged { challenged, guilty: true, .. } => by(Seat(challenged), 60, &[Oops, Sorry]),
        Event::Challenged { challenged, guilty: false, .. } => by(Seat(challenged), 60, &[Laugh]),
        Event::Caught { seat, .. } => by(Seat(seat), 50, &[Oops]),
        Event::Drew { seat, cards, reason: DrawReason::Attack } if cards.count() >= MANY => {
            by(Seat(seat), 45, &[Oops, Wow])
        }
        Event::HandsSwapped { seat, .. } | Event::HandsShuffled { seat } => by(Another(seat), 35, &[Wow, Oops]),
        Event::WentOut { seat } => by(Another(seat), 50, &[WellPlayed, Cheers]),
        Event::UnoCalled { seat } => by(Another(seat), 15, &[Wow, Think]),
        _ => None,
    }
}

/// A number that looks random and is the same for the same change of the same table.
fn mixed(code: &str, seq: u64) -> u64 {
    let start = code.bytes().fold(seq, |sum, byte| sum.wrapping_mul(0x0100_0000_01b3) ^ u64::from(byte));
    let spread = (start ^ (start >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let spread = (spread ^ (spread >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    spread ^ (spread >> 31)
}

impl State {
    /// Whether bots talk at this table at all.
    fn has_talking_bots(&self) -> bool {
        self.settings.chat && self.settings.pace != Pace::Instant && self.present().next().is_some()
    }

    fn is_bot(&self, seat: Seat) -> bool {
        self.chair(seat).is_some_and(|chair| chair.level.is_some())
    }

    /// What a bot would say about a change, and how many milliseconds later.
    fn quip(&self, change: &Change) -> Option<(u64, Seat, Reaction)> {
        let occasion = change.occasion()?;
        let chance = mixed(&self.code, change.seq);
        if chance % 100 >= occasion.percent {
            return None;
        }
        let could = |seat: &Seat| match occasion.who {
            Speaker::Seat(only) => *seat == only,
            Speaker::Another(other) => *seat != other,
            Speaker::Any => true,
        };
        let bots = (0..self.chairs.len() as Seat).filter(|seat| self.is_bot(*seat) && could(seat));
        let bots: Vec<Seat> = bots.collect();
        let pick = |count: usize, salt: u32| (chance.rotate_left(salt) % (count as u64).max(1)) as usize;
        let seat = *bots.get(pick(bots.len(), 17))?;
        let reaction = *occasion.what.get(pick(occasion.what.len(), 31))?;
        Some((LEAST + chance.rotate_left(43) % SPREAD, seat, reaction))
    }
}

impl Table {
    /// A bot may have something to say about what came after that number.
    pub(crate) fn plan_quip(&mut self, after: u64, turn: &mut Turn<'_>) {
        if self.quips.next.is_some() || turn.now < self.quips.quiet || !self.state.has_talking_bots() {
            return;
        }
        let said = self.state.changes_after(after).iter().rev().find_map(|change| self.state.quip(change));
        if let Some((later, seat, reaction)) = said {
            self.quips.next = Some((turn.now.after(later), seat, reaction));
        }
    }

    /// Says what is due, if there is still somebody to say and to see it.
    pub(crate) fn quip(&mut self, turn: &mut Turn<'_>) {
        let Some((_, seat, reaction)) = self.quips.next.take_if(|(due, _, _)| *due <= turn.now) else { return };
        self.quips.quiet = turn.now.after(BETWEEN);
        if self.state.has_talking_bots() && self.state.is_bot(seat) {
            let _ = self.commit(Fact::BotReacted { seat, reaction }, turn);
        }
    }
}
