//! Chat, muting, blocking, reports, and accusations by X1.

use unum_protocol::{Happened, MAX_CHAT, Person, Refusal, ReportBody, ReportKind, ReportLine, Stage, TableCode};
use unum_rules::Seat;

use crate::permissions::about_x1;
use crate::state::State;
use crate::table::{Blocked, Reported, Table, Turn};
use crate::text::{TextError, clean};
use crate::{Fact, GuestId, NOBODY};

/// How many lines a report has at most.
const LAST_LINES: usize = 40;

impl State {
    /// How the accusation has ended, if it has: by votes, or with the round.
    pub(crate) fn verdict(&self) -> Option<Fact> {
        let accusation = self.accusation.as_ref()?;
        let over = self.stage != Stage::Playing;
        let upheld = if over { Some(false) } else { accusation.verdict() }?;
        Some(self.accusation_ended(accusation.seat, upheld))
    }

    /// Upheld only if the penalty can be drawn: not by somebody who has gone out.
    fn accusation_ended(&self, seat: Seat, upheld: bool) -> Fact {
        let game = self.game.as_ref().filter(|_| upheld);
        let upheld = game.is_some_and(|game| game.play.clone().penalize(seat, &mut ()).is_ok());
        Fact::AccusationEnded { seat, upheld }
    }
}

impl State {
    /// What was said and done last by people, oldest first, as far as it is kept.
    fn last_lines(&self) -> Vec<ReportLine> {
        let line =
            |name: &str, did: &str, text: &str| ReportLine { name: name.into(), did: did.into(), text: text.into() };
        let name = |person| self.member(person).map_or(NOBODY, |member| &member.name);
        let first = self.recent.front().map_or(u64::MAX, |change| change.seq);
        let earlier = self.chat.iter().filter(|said| said.seq < first).map(|said| line(&said.name, "said", &said.text));
        let recent = self.recent.iter().filter_map(|change| {
            Some(match &change.what {
                Happened::Chatted { person, text } => line(name(*person), "said", text),
                Happened::Reacted { person, reaction } => line(name(*person), "reacted", reaction.into()),
                Happened::Renamed { person, name: new } => line(name(*person), "renamed", new),
                Happened::Joined { name, .. } => line(name, "joined", ""),
                Happened::Left { name, .. } => line(name, "left", ""),
                Happened::Kicked { name, .. } => line(name, "kicked", ""),
                _ => return None,
            })
        });
        let lines: Vec<ReportLine> = earlier.chain(recent).collect();
        lines[lines.len().saturating_sub(LAST_LINES)..].to_vec()
    }
}

impl Table {
    pub(crate) fn chat(&mut self, person: Person, text: &str, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let text =
            clean(text, MAX_CHAT).map_err(|error| Refusal::new(TableCode::BadText, format!("the text {error}")))?;
        self.commit(Fact::Chatted { person, text }, turn)
    }

    pub(crate) fn mute(
        &mut self,
        person: Person,
        other: Person,
        (muted, always): (bool, bool),
        turn: &mut Turn<'_>,
    ) -> Result<(), Refusal> {
        let (theirs, name) = self.state.check_person(other).map(|member| (member.guest, member.name.clone()))?;
        if person == other {
            return Err(Refusal::new(TableCode::NoSuchPerson, "you cannot mute yourself"));
        }
        if always || !muted {
            self.note_block(person, theirs, name, muted, turn);
        }
        if self.state.check_person(person)?.muted.contains(&other) == muted {
            return Ok(());
        }
        self.commit(Fact::Muted { person, other, muted }, turn)
    }

    /// Notes whom somebody blocks at every table, or no longer.
    fn note_block(&mut self, person: Person, other: GuestId, name: String, blocked: bool, turn: &mut Turn<'_>) {
        let Some(member) = self.state.member_mut(person) else { return };
        if member.link.blocks.contains(&other) == blocked {
            return;
        }
        member.link.blocks.retain(|known| *known != other);
        member.link.blocks.extend(blocked.then_some(other));
        turn.out.blocks.push(Blocked { guest: member.guest, other, name, blocked });
    }

    /// Somebody who has just joined is muted for those who have blocked them, and the other way around.
    pub(crate) fn mute_blocked(&mut self, person: Person, turn: &mut Turn<'_>) {
        let Some(new) = self.state.member(person) else { return };
        let (guest, blocks) = (new.guest, &new.link.blocks);
        let others = || self.state.people.iter().filter(|member| member.person != person);
        let by_them = others().filter(|member| member.link.blocks.contains(&guest)).map(|other| (other.person, person));
        let by_new = others().filter(|member| blocks.contains(&member.guest)).map(|other| (person, other.person));
        let muted =
            |(who, whom): &(Person, Person)| self.state.member(*who).is_some_and(|member| member.muted.contains(whom));
        let pairs: Vec<(Person, Person)> = by_them.chain(by_new).filter(|pair| !muted(pair)).collect();
        for (person, other) in pairs {
            // Nothing is lost if it is refused: they can be muted by hand.
            let _ = self.commit_first(Fact::Muted { person, other, muted: true }, turn);
        }
    }

    /// Passes a report on, with what was said and done last.
    pub(crate) fn report(
        &mut self,
        person: Person,
        other: Person,
        kind: ReportKind,
        text: &str,
        turn: &mut Turn<'_>,
    ) -> Result<(), Refusal> {
        let (by, member) = (self.state.check_person(person)?, self.state.check_person(other)?);
        if person == other {
            return Err(Refusal::new(TableCode::NoSuchPerson, "you cannot report yourself"));
        }
        let text = match clean(text, MAX_CHAT) {
            Ok(text) => text,
            Err(TextError::Empty) => String::new(),
            Err(long) => return Err(Refusal::new(TableCode::BadText, format!("the text {long}"))),
        };
        let Some((_, id)) = turn.by else { return Ok(()) };
        let (reporter, guest, table) = (by.guest, member.guest, self.state.code.clone());
        let body = ReportBody {
            kind,
            text,
            by: by.name.clone(),
            name: member.name.clone(),
            table,
            lines: self.state.last_lines(),
        };
        turn.out.reports.push(Reported { id, reporter, guest, body });
        Ok(())
    }

    pub(crate) fn accuse(&mut self, person: Person, seat: Seat, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let refuse = |code, message: &'static str| Err(about_x1(Refusal::new(code, message)));
        if self.state.chair(seat).is_none_or(|chair| chair.person.is_none_or(|accused| accused == person)) {
            return refuse(TableCode::NoSuchSeat, "only another person who plays can be accused");
        }
        if !self.state.can_be_accused(seat, person) {
            let message = "they have already been accused in this round, or too few can judge: it takes two others, \
                           connected from different addresses";
            return refuse(TableCode::TooFew, message);
        }
        let voters = self.state.judges(person, seat);
        self.commit(Fact::Accused { person, seat, voters }, turn)
    }

    pub(crate) fn judge(&mut self, person: Person, yes: bool, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        self.commit(Fact::Judged { person, yes }, turn)
    }

    /// The operator closes the table: everybody is told and goes.
    pub(crate) fn close(&mut self, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        if self.is_closed() {
            return Ok(());
        }
        let people = self.state.people.clone();
        self.commit(Fact::Closed {}, turn)?;
        let why = || Refusal::new(TableCode::Closed, "the operator of this server has closed the table");
        turn.out.parting.extend(people.into_iter().map(|member| (member, why())));
        Ok(())
    }

    /// Time to vote is up: an accusation not upheld by now is dismissed.
    pub(crate) fn end_judging(&mut self, turn: &mut Turn<'_>) {
        if let Some(seat) = self.state.accusation.as_ref().map(|accusation| accusation.seat) {
            let _ = self.commit(Fact::AccusationEnded { seat, upheld: false }, turn);
        }
    }
}
