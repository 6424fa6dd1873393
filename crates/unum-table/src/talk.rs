//! Chat, muting, and accusations by X1.

use unum_protocol::{MAX_CHAT, Person, Refusal, Stage, TableCode};
use unum_rules::Seat;

use crate::Fact;
use crate::permissions::about_x1;
use crate::state::State;
use crate::table::{Table, Turn};
use crate::text::clean;

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
    pub(crate) fn chat(&mut self, person: Person, text: &str, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let text =
            clean(text, MAX_CHAT).map_err(|error| Refusal::new(TableCode::BadText, format!("the text {error}")))?;
        self.commit(Fact::Chatted { person, text }, turn)
    }

    pub(crate) fn mute(
        &mut self,
        person: Person,
        other: Person,
        muted: bool,
        turn: &mut Turn<'_>,
    ) -> Result<(), Refusal> {
        self.state.check_person(other)?;
        if person == other {
            return Err(Refusal::new(TableCode::NoSuchPerson, "you cannot mute yourself"));
        }
        if self.state.check_person(person)?.muted.contains(&other) == muted {
            return Ok(());
        }
        self.commit(Fact::Muted { person, other, muted }, turn)
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

    /// Time to vote is up: an accusation not upheld by now is dismissed.
    pub(crate) fn end_judging(&mut self, turn: &mut Turn<'_>) {
        if let Some(seat) = self.state.accusation.as_ref().map(|accusation| accusation.seat) {
            let _ = self.commit(Fact::AccusationEnded { seat, upheld: false }, turn);
        }
    }
}
