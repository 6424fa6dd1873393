//! Chat, muting, and accusations by X1.

use unum_rules::Seat;

use crate::Fact;
use crate::state::State;
use crate::table::{Table, Turn};
use crate::text::{MAX_CHAT, clean};
use crate::trouble::{Trouble, TroubleCode};
use crate::wire::{Person, Stage};

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

impl Table {
    pub(crate) fn chat(&mut self, person: Person, text: &str, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        if !self.state.settings.chat {
            return Err(Trouble::new(TroubleCode::ChatOff, "nobody writes at this table: use the reactions"));
        }
        let text = clean(text, MAX_CHAT)
            .map_err(|error| Trouble::new(TroubleCode::BadText, format!("about the text: {error}")))?;
        self.commit(Fact::Chatted { person, text }, turn)
    }

    pub(crate) fn mute(
        &mut self,
        person: Person,
        other: Person,
        muted: bool,
        turn: &mut Turn<'_>,
    ) -> Result<(), Trouble> {
        self.state.check_person(other)?;
        if person == other {
            return Err(Trouble::new(TroubleCode::NoSuchPerson, "that is you: others can be muted"));
        }
        if self.state.check_person(person)?.muted.contains(&other) == muted {
            return Ok(());
        }
        self.commit(Fact::Muted { person, other, muted }, turn)
    }

    pub(crate) fn accuse(&mut self, person: Person, seat: Seat, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_stage(&[Stage::Playing], "accusations belong to a round that is being played")?;
        let own = self.state.check_seated(person)?;
        let state = &self.state;
        if state.rules.suggestion_penalty() == 0 {
            let message = "there is no penalty for suggestions in these rules: set `suggestion_penalty`";
            let code = TroubleCode::Rules(unum_rules::Code::BadRules);
            return Err(Trouble { rule: Some("X1"), ..Trouble::new(code, message) });
        }
        let accused = state.chair(seat).filter(|chair| chair.person.is_some() && seat != own);
        let refuse = |code, message: &'static str| Err(Trouble { rule: Some("X1"), ..Trouble::new(code, message) });
        if accused.is_none() {
            return refuse(TroubleCode::NoSuchSeat, "only another person who plays can be accused");
        }
        if state.accusation.is_some() {
            return refuse(TroubleCode::NoMoreAccusations, "another accusation is voted on: wait for its end");
        }
        if state.member(person).is_some_and(|member| member.accused) {
            return refuse(TroubleCode::NoMoreAccusations, "everybody can accuse somebody once in a round");
        }
        if state.judges(person, seat).next().is_none() {
            return refuse(TroubleCode::TooFew, "there is nobody else to judge: that takes a third person who plays");
        }
        self.commit(Fact::Accused { person, seat }, turn)
    }

    pub(crate) fn judge(&mut self, person: Person, yes: bool, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        let votes = self.state.accusation.iter().flat_map(|accusation| &accusation.voters);
        let open = votes.into_iter().any(|(voter, vote)| *voter == person && vote.is_none());
        if !open {
            let message = "there is no accusation that waits for your vote";
            return Err(Trouble { rule: Some("X1"), ..Trouble::new(TroubleCode::NothingToJudge, message) });
        }
        self.commit(Fact::Judged { person, yes }, turn)
    }

    /// The time to vote is over: what was not upheld by then is not.
    pub(crate) fn end_judging(&mut self, turn: &mut Turn<'_>) {
        if let Some(seat) = self.state.accusation.as_ref().map(|accusation| accusation.seat) {
            let _ = self.commit(Fact::AccusationEnded { seat, upheld: false }, turn);
        }
    }
}
