//! Watches a table for one client: takes part in every deal (commit-reveal) and checks what the table reveals
//! afterwards.
//!
//! A [`Witness`] sees every message that comes in and every request that goes out. It makes the client's part, pledges
//! and opens it, and remembers what was published: the table's commitment, everybody's pledges, its own part and cards.
//! When a round is over or broken off, it compares all that with what the table reveals and gives a [`Verdict`]. It
//! needs no clock, no network and no trust in the table, and can be saved as JSON. docs/fairness.md says what this
//! proves.

#![forbid(unsafe_code)]

mod check;
mod words;

pub use check::{Finding, Verdict, deal_again};

use check::{Round, Seen};
use serde::{Deserialize, Serialize};
use unum_protocol::{
    ChairView, DealingStep, GameView, Happened, LobbyView, OwnView, Person, Request, RequestKind, ServerMsg, Stage,
};
use unum_rules::fair::{Commitment, Entropy, Place, Pledge};
use unum_rules::wire::{EventForm, VeiledForm};
use unum_rules::{CardName, RulesSpec, Seat};

/// How many commitments are remembered, to catch one that is used twice.
const REMEMBERED: usize = 64;

/// A source of fresh random bytes.
pub type Roll<'a> = &'a mut dyn FnMut() -> [u8; 32];

/// What a message led to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Heard {
    /// Requests to send now, in this order.
    pub requests: Vec<Request>,
    /// The outcome of checking a deal.
    pub verdict: Option<Verdict>,
}

/// The client's own part of the next deal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Own {
    place: Place,
    part: Entropy,
    /// Whether the table has published its pledge on this connection.
    #[serde(skip)]
    published: bool,
    /// Whether a `pledge` request was sent, and whether the part was opened.
    #[serde(skip)]
    sent: bool,
    #[serde(skip)]
    opened: bool,
}

impl Own {
    fn pledge(&self) -> Pledge {
        self.part.pledge(self.place)
    }
}

/// Watches one table for one client.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    you: Option<Person>,
    seat: Option<Seat>,
    rules: Option<RulesSpec>,
    /// The commitment for the next deal and the attempt, as last published.
    next: Option<(Commitment, u8)>,
    own: Option<Own>,
    /// What was published when parts were opened.
    seen: Option<Seen>,
    /// The client's cards, until their round is known.
    hand: Option<Vec<CardName>>,
    /// The round in progress.
    round: Option<Round>,
    /// The number and the dealer of the previous round.
    last: Option<(u32, Seat)>,
    used: Vec<Commitment>,
    /// Whether `ready` is allowed now.
    #[serde(skip)]
    may_be_ready: bool,
    /// Whether messages may have been missed since the last look at the lobby.
    #[serde(skip, default = "missed")]
    gap: bool,
}

fn missed() -> bool {
    true
}

impl Witness {
    /// Puts the client's pledge into a request that carries one.
    pub fn prepare(&mut self, request: Request, roll: Roll<'_>) -> Request {
        match request {
            Request::Ready { ready: true, .. } => Request::Ready { ready: true, pledge: self.pledge(roll) },
            Request::Start { .. } => Request::Start { pledge: self.pledge(roll) },
            request => request,
        }
    }

    /// The client's own part for the next deal, if it has made one.
    pub fn part(&self) -> Option<Entropy> {
        self.own.as_ref().map(|own| own.part)
    }

    fn pledge(&mut self, roll: Roll<'_>) -> Option<Pledge> {
        let (seat, (commitment, attempt)) = (self.seat?, self.next?);
        // That one was already dealt with. The table asks for a pledge once it has published the next.
        if self.used.contains(&commitment) {
            return None;
        }
        Some(self.own(Place { commitment, attempt, seat }, roll).pledge())
    }

    /// The client's own part for a deal, made once, so that its pledge never changes.
    fn own(&mut self, place: Place, roll: Roll<'_>) -> &mut Own {
        let kept = self.own.take().filter(|own| own.place == place);
        let made = || Own { place, part: Entropy(roll()), published: false, sent: false, opened: false };
        self.own.insert(kept.unwrap_or_else(made))
    }

    /// Takes the next message. Messages come in order.
    pub fn hear(&mut self, message: &ServerMsg, roll: Roll<'_>) -> Heard {
        match message {
            ServerMsg::Welcome { you, .. } => self.arrive(*you),
            ServerMsg::Snapshot { terms, lobby, own, game, .. } => {
                self.note_own(own);
                self.rules = Some(terms.settings.rules.clone());
                return self.look(lobby, game.as_deref(), roll);
            }
            ServerMsg::Update { terms, lobby, own, game, .. } => {
                own.iter().for_each(|own| self.note_own(own));
                let verdicts = message.changes().filter_map(|(what, events)| self.note(what, events));
                let verdict = verdicts.reduce(|first, _| first);
                let mut heard = match lobby {
                    Some(lobby) => self.look(lobby, game.as_deref(), roll),
                    None => Heard::default(),
                };
                // New terms are for the next round: the last one was dealt by the old ones.
                self.rules = terms.as_ref().map(|terms| terms.settings.rules.clone()).or(self.rules.take());
                heard.verdict = verdict.or(heard.verdict);
                return heard;
            }
            ServerMsg::Presence { own: Some(own), .. } => self.note_own(own),
            _ => {}
        }
        Heard::default()
    }

    fn note_own(&mut self, own: &OwnView) {
        self.may_be_ready = own.may.contains(&RequestKind::Ready);
    }

    fn arrive(&mut self, you: Person) {
        (self.you, self.gap) = (Some(you), true);
        // Another match, with other dealers, may have been played in the meantime, or another deal.
        (self.last, self.hand) = (None, None);
        if let Some(own) = &mut self.own {
            own.published = false;
        }
    }

    /// Notes what concerns a deal.
    fn note(&mut self, what: &Happened, events: &[EventForm]) -> Option<Verdict> {
        match what {
            Happened::Dealt { .. } => {
                let own = |event: &EventForm| match event {
                    EventForm::Dealt { seat, cards: VeiledForm::Cards(cards) } if Some(*seat) == self.seat => {
                        Some(cards.clone())
                    }
                    _ => None,
                };
                self.hand = events.iter().rev().find_map(own);
            }
            // A bot plays there now, and the table does not wait for this client's part.
            Happened::StoodIn { seat, .. } if Some(*seat) == self.seat => self.own = None,
            Happened::PartOpened { seat } if Some(*seat) == self.seat => {
                if let Some(seen) = &mut self.seen {
                    seen.heard = seen.own.is_some();
                }
            }
            Happened::Withheld { seats, .. } => {
                let named = self.seat.is_some_and(|seat| seats.contains(&seat));
                let heard = self.seen.as_ref().is_some_and(|seen| seen.heard);
                let unasked = !self.gap && self.own.as_ref().is_some_and(|own| own.published && !own.opened);
                return (named && (heard || unasked)).then(|| Verdict::unfair(None, vec![Finding::OwnPartDropped]));
            }
            _ => {}
        }
        None
    }

    fn look(&mut self, lobby: &LobbyView, game: Option<&GameView>, roll: Roll<'_>) -> Heard {
        let mut heard = Heard::default();
        self.seat = self.you.and_then(|you| lobby.seat_of(you));
        // A part belongs to one seat, and to a person who plays there.
        let stays = self.own_chair(lobby).is_some();
        self.own = self.own.take().filter(|own| stays && Some(own.place.seat) == self.seat);
        heard.verdict = self.conclude(lobby).or_else(|| self.break_off(lobby));
        if lobby.stage == Stage::Playing && self.round.is_none() {
            let verdict = self.begin(lobby, game);
            heard.verdict = heard.verdict.or(verdict);
        }
        self.recognize(lobby);
        if lobby.stage != Stage::Playing {
            // These cards are from a round that ended before anything else was heard of it.
            self.hand = None;
            let verdict = self.take_part(lobby, roll, &mut heard.requests);
            heard.verdict = heard.verdict.or(verdict);
        }
        (self.next, self.gap) = (Some((lobby.fair.next, lobby.fair.attempt)), false);
        heard
    }

    /// The client's chair, unless a bot stands in.
    fn own_chair<'a>(&self, lobby: &'a LobbyView) -> Option<&'a ChairView> {
        self.seat.and_then(|seat| lobby.chairs.get(usize::from(seat))).filter(|chair| chair.away.is_none())
    }

    /// Checks a round that is over against what is revealed.
    fn conclude(&mut self, lobby: &LobbyView) -> Option<Verdict> {
        let fair = &lobby.fair;
        let is_on = |round: &Round| lobby.stage == Stage::Playing && fair.dealt == Some(round.commitment);
        let round = self.round.take_if(|round| !is_on(round))?;
        // After a gap this may be another match, in which that was not the previous round.
        let same = !self.gap || fair.dealt == Some(round.commitment);
        self.last = round.dealer.filter(|_| same).map(|dealer| (round.number, dealer));
        match &fair.revealed {
            Some(deal) if lobby.stage != Stage::Playing && (fair.dealt == Some(round.commitment) || !self.gap) => {
                let mut findings = round.check(deal);
                if fair.dealt != Some(round.commitment) {
                    findings.insert(0, Finding::OtherCommitment);
                }
                Some(round.verdict(deal, findings))
            }
            // While a bot stands in, or the client looks on, the next round may have begun at the same moment.
            _ if self.gap || lobby.stage == Stage::Closed || self.own_chair(lobby).is_none() => None,
            _ => Some(Verdict::unfair(Some(round.number), vec![Finding::NotRevealed])),
        }
    }

    /// Checks a deal that was broken off before any card was dealt.
    fn break_off(&mut self, lobby: &LobbyView) -> Option<Verdict> {
        let fair = &lobby.fair;
        let over = fair.dealing.is_none() && lobby.stage != Stage::Playing;
        let mut seen = self.seen.take_if(|_| over)?;
        // During a gap it may have been dealt in another attempt, and the round may be over.
        seen.gap = self.gap;
        match &fair.revealed {
            Some(deal) if fair.dealt == Some(seen.commitment) => {
                let findings = seen.check_broken_off(deal);
                (!findings.is_empty()).then(|| Verdict::unfair(None, findings))
            }
            _ if self.gap || lobby.stage == Stage::Closed => None,
            _ => Some(Verdict::unfair(None, vec![Finding::NotRevealed])),
        }
    }

    /// Notes that a round begins, or that the client joins in the middle of it.
    fn begin(&mut self, lobby: &LobbyView, game: Option<&GameView>) -> Option<Verdict> {
        let (commitment, game) = (lobby.fair.dealt?, game?);
        let (own, hand) = (self.own.take(), self.hand.take());
        let mut findings = Vec::new();
        if self.used.contains(&commitment) && !self.gap {
            findings.push(Finding::OldCommitment);
        }
        let published = self.next.filter(|_| !self.gap).map(|(next, _)| next);
        let mut seen = self.seen.take().or_else(|| published.map(Seen::nothing_pledged));
        if seen.as_ref().is_some_and(|seen| seen.commitment != commitment) {
            let had_part = seen.take().is_some_and(|seen| seen.own.is_some());
            findings.extend((had_part && !self.gap).then_some(Finding::OtherCommitment));
        }
        if let Some(seen) = &mut seen {
            seen.gap = self.gap;
        }
        let skipped = own.is_some_and(|own| own.published && !own.opened && own.place.commitment == commitment);
        if skipped && !self.gap && self.own_chair(lobby).is_some() {
            findings.push(Finding::OwnPartDropped);
        }
        let (number, dealer) = (game.round, game.view.dealer);
        let after = |before: Seat| (u16::from(before) + 1) % u16::from(game.view.players.max(1));
        // After a gap this may be another match.
        if let Some((last, before)) = self.last
            && !self.gap
            && last.checked_add(1) == Some(number)
            && after(before) != u16::from(dealer)
        {
            findings.push(Finding::OtherDealer);
        }
        self.used.push(commitment);
        let old = self.used.len().saturating_sub(REMEMBERED);
        self.used.drain(..old);
        let rules = self.rules.clone();
        let seat = self.seat;
        self.round = Some(Round { number, commitment, seen, seat, hand, dealer: Some(dealer), rules });
        (!findings.is_empty()).then(|| Verdict::unfair(Some(number), findings))
    }

    /// Notes that the table has published the client's pledge.
    fn recognize(&mut self, lobby: &LobbyView) {
        if let Some(own) = &mut self.own {
            let published = lobby.fair.pledges.get(usize::from(own.place.seat)).copied().flatten();
            own.published |= own.place.commitment == lobby.fair.next && published == Some(own.pledge());
        }
    }

    /// Pledges and opens when the table asks for it.
    fn take_part(&mut self, lobby: &LobbyView, roll: Roll<'_>, requests: &mut Vec<Request>) -> Option<Verdict> {
        let (fair, seat) = (&lobby.fair, self.seat);
        let place = seat.map(|seat| Place { commitment: fair.next, attempt: fair.attempt, seat });
        let Some(dealing) = &fair.dealing else {
            self.replace_lost_pledge(lobby, place?, roll, requests);
            return None;
        };
        let place = place.filter(|place| dealing.waiting.contains(&place.seat));
        if dealing.step == DealingStep::Pledge {
            self.seen = None;
            let own = self.own(place?, roll);
            if !std::mem::replace(&mut own.sent, true) {
                requests.push(Request::Pledge { pledge: own.pledge() });
            }
            return None;
        }
        let now = Seen::of(fair);
        let known = self.seen.take().filter(|seen| (seen.commitment, seen.attempt) == (now.commitment, now.attempt));
        let changed = known.as_ref().is_some_and(|known| known.pledges != now.pledges);
        self.seen = known.or(Some(now));
        if changed {
            return Some(Verdict::unfair(None, vec![Finding::PledgesChanged]));
        }
        self.open(lobby, place?, requests)
    }

    /// Opens the client's part if the table has published the commitment it was pledged for.
    fn open(&mut self, lobby: &LobbyView, place: Place, requests: &mut Vec<Request>) -> Option<Verdict> {
        let (own, seen) = (self.own.as_mut()?, self.seen.as_mut()?);
        let published = lobby.fair.pledges.get(usize::from(place.seat)).copied().flatten();
        if own.place == place && published == Some(own.pledge()) {
            seen.own = Some((place.seat, own.part));
            if !std::mem::replace(&mut own.opened, true) {
                requests.push(Request::Open { part: own.part });
            }
            return None;
        }
        let finding = if own.place == place { Finding::PledgesChanged } else { Finding::OtherCommitment };
        (own.published || published == Some(own.pledge())).then(|| Verdict::unfair(None, vec![finding]))
    }

    /// Pledges again if the part was lost, for example by a restart, while there is time.
    fn replace_lost_pledge(&mut self, lobby: &LobbyView, place: Place, roll: Roll<'_>, requests: &mut Vec<Request>) {
        let chair = lobby.chairs.get(usize::from(place.seat));
        let pledged = lobby.fair.pledges.get(usize::from(place.seat)).is_some_and(Option::is_some);
        let lost = pledged && self.own.as_ref().is_none_or(|own| own.place != place);
        if lost && chair.is_some_and(|chair| chair.ready) && self.may_be_ready {
            let pledge = Some(self.own(place, roll).pledge());
            requests.push(Request::Ready { ready: true, pledge });
        }
    }
}
