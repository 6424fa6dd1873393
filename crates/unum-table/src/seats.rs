//! Seats in a match that change hands: kept for people who left, claimed by people who came later.
//!
//! A person who leaves a match keeps the seat, and a bot plays there until they are back. Somebody who came later can
//! claim such a seat, a bot's, or one whose person has been gone for a whole round ([`Fact::Claimed`]). They get it
//! when the round is over ([`Fact::Sat`] with a seat), so nobody ever sees another player's cards. A chair that nobody
//! has sat in yet is for the next match, since the record of a match has one number of players.

use unum_protocol::rest::Entry;
use unum_protocol::{Away, MAX_PEOPLE, Person, Refusal, Stage, TableCode};
use unum_rules::Seat;

use crate::lobby::NOBODY;
use crate::state::{Chair, Member, State};
use crate::table::{Table, Turn};
use crate::{Fact, GuestId};

impl State {
    /// Whether a seat can be claimed by somebody.
    fn is_free_for(&self, chair: &Chair, person: Person) -> bool {
        chair.is_takeable() && chair.claim.is_none_or(|claim| claim == person)
    }

    /// Whether a seat is open to latecomers.
    pub(crate) fn is_open(&self, chair: &Chair) -> bool {
        let on = self.is_match_on() || self.stage == Stage::Over;
        on && chair.is_takeable()
    }

    /// Whether one more can sit down when the next match begins.
    fn has_room_later(&self) -> bool {
        let waiting = self.people.iter().filter(|member| member.waiting).count();
        let staying = self.chairs.iter().filter(|chair| !chair.is_abandoned()).count();
        let players = staying + waiting + 1;
        players <= usize::from(self.settings.seats) && self.rules.check_players(players as u8).is_ok()
    }

    /// How many seats are open to a newcomer: free chairs, and in a match those that can be claimed.
    pub(crate) fn free_seats(&self) -> u8 {
        let waiting = self.people.iter().filter(|member| member.waiting).count();
        let kept = usize::from(!self.came);
        let free = usize::from(self.settings.seats).saturating_sub(self.chairs.len() + waiting + kept);
        let open = self.chairs.iter().filter(|chair| self.is_open(chair) && chair.claim.is_none()).count();
        (free + open) as u8
    }

    /// What a newcomer would do here.
    pub(crate) fn entry(&self) -> Entry {
        match self.stage {
            Stage::Closed => Entry::Nothing,
            _ if self.locked || self.people.len() >= MAX_PEOPLE => Entry::Nothing,
            _ if self.has_room() => Entry::Sit,
            _ if !self.settings.spectators => Entry::Nothing,
            Stage::Lobby => Entry::Watch,
            _ if self.best_seat(0).is_some() || self.has_room_later() => Entry::Take,
            _ => Entry::Watch,
        }
    }

    /// Any seat that can be taken, if there is one.
    fn best_seat(&self, person: Person) -> Option<Seat> {
        let free = (0..).zip(&self.chairs).filter(|(_, chair)| self.is_free_for(chair, person));
        let best = free.min_by_key(|(_, chair)| (chair.claim.is_none(), chair.rank()));
        best.map(|(seat, _)| seat)
    }

    /// Whether somebody can take a seat, now or later.
    pub(crate) fn can_take(&self, member: &Member) -> Result<(), Refusal> {
        let person = member.person;
        if self.seat_of(person).is_some() {
            return Err(Refusal::new(TableCode::AlreadySeated, "you have a seat already"));
        }
        if member.waiting || self.best_seat(person).is_some() || self.has_room_later() {
            return Ok(());
        }
        let message = "all seats are taken: wait for somebody to leave";
        Err(Refusal::new(TableCode::NoChair, message))
    }

    /// Whether somebody waits for a seat.
    pub(crate) fn has_claim(&self, member: &Member) -> bool {
        member.waiting || self.chairs.iter().any(|chair| chair.claim == Some(member.person))
    }

    /// Who sits down now: somebody who is back at a seat that was kept, or who waited for the end of the round.
    pub(crate) fn seat_settled(&self) -> Option<Fact> {
        if self.dealing.is_some() || self.stage == Stage::Lobby {
            return None;
        }
        let mut chairs = (0..).zip(&self.chairs);
        let back = |chair: &Chair| {
            let member = self.guest(chair.kept?).filter(|member| member.link.connected)?;
            self.seat_of(member.person).is_none().then_some(member.person)
        };
        if let Some((seat, person)) = chairs.clone().find_map(|(seat, chair)| Some((seat, back(chair)?))) {
            return Some(Fact::Sat { person, seat: Some(seat) });
        }
        if self.stage == Stage::Playing {
            return None;
        }
        let (seat, chair, person) = chairs.find_map(|(seat, chair)| Some((seat, chair, chair.claim?)))?;
        let here = self.is_connected(person) && chair.is_takeable();
        Some(if here { Fact::Sat { person, seat: Some(seat) } } else { Fact::Unclaimed { person } })
    }
}

impl Table {
    /// Takes a seat: at once between two rounds, or when the round is over.
    pub(crate) fn take_seat(&mut self, person: Person, seat: Option<Seat>, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let state = &self.state;
        if let Some(seat) = seat
            && !state.chair(seat).is_some_and(|chair| state.is_free_for(chair, person))
        {
            let message = "that seat cannot be taken: somebody plays there, or somebody else was faster";
            return Err(Refusal::new(TableCode::NoChair, message));
        }
        // Between matches a new chair takes nobody's place.
        let later = state.stage == Stage::Over && state.has_room_later();
        let seat = seat.or_else(|| state.best_seat(person).filter(|_| !later));
        let claimed = seat.and_then(|seat| state.chair(seat)).is_some_and(|chair| chair.claim == Some(person));
        let waits = seat.is_none() && state.check_person(person)?.waiting;
        match seat {
            _ if waits => Ok(()),
            Some(_) if state.stage != Stage::Playing => self.commit(Fact::Sat { person, seat }, turn),
            Some(_) if claimed => Ok(()),
            seat => self.commit(Fact::Claimed { person, seat }, turn),
        }
    }

    /// Leaves the table. In a match the seat is kept, unless it is given up.
    pub(crate) fn leave(&mut self, person: Person, quits: bool, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let state = &self.state;
        let member = state.check_person(person)?.clone();
        let playing = state.is_match_on() || state.dealing.is_some();
        // Somebody who pledged a part and leaves before opening it gives up the seat: leaving and coming back must not
        // be an advantage.
        let owes = state.is_opening();
        let chair = state.seat_of(person).and_then(|seat| state.chair(seat));
        let withholds = |chair: &Chair| owes && chair.is_owing() || chair.away == Some(Away::NoPart);
        let kept = playing && !quits && chair.is_some_and(|chair| !withholds(chair));
        self.commit(Fact::Left { person, kept }, turn)?;
        // The code tells what they did; it is not an error.
        turn.out.parting.push((member, Refusal::new(TableCode::NotHere, "you have left the table")));
        Ok(())
    }

    /// A guest is deleted: they leave for good, and the table forgets their name and what they said. So does the
    /// journal, since a snapshot replaces it.
    pub(crate) fn forget(&mut self, guest: GuestId, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let name = self.state.unique(NOBODY);
        if let Some(person) = self.state.guest(guest).map(|member| member.person) {
            self.commit(Fact::Forgotten { person, name }, turn)?;
            return self.leave(person, true, turn);
        }
        match self.state.kept_for(guest) {
            Some(seat) => self.commit(Fact::Released { seat, name }, turn),
            None => Ok(()),
        }
    }

    /// Guests whose seats are kept for them.
    pub fn kept(&self) -> impl Iterator<Item = GuestId> + '_ {
        self.state.chairs.iter().filter_map(|chair| chair.kept)
    }

    /// Whether a guest is at the table, or has a seat there to come back to.
    pub fn knows(&self, guest: GuestId) -> bool {
        self.state.guest(guest).is_some() || self.state.kept_for(guest).is_some()
    }

    /// Whether everybody has left: nobody is expected back soon.
    pub fn is_left(&self) -> bool {
        self.state.people.is_empty() && self.state.came
    }
}

// Applying facts.

impl State {
    /// A chair in a match becomes somebody's: it was a bot's, or its person is gone, or it was kept for them.
    pub(crate) fn take_chair(&mut self, member: &Member, seat: Seat) -> Result<(), Refusal> {
        let misfit = |what: &'static str| Refusal::new(TableCode::NoSuchSeat, what);
        let stage = self.stage;
        let chair = self.chair_mut(seat).filter(|_| stage != Stage::Lobby);
        let chair = chair.filter(|chair| chair.is_takeable()).ok_or_else(|| misfit("that seat cannot be taken"))?;
        let displaced = chair.person;
        // Somebody who waited for the seat wants to play.
        let ready = chair.claim == Some(member.person);
        *chair = Chair { look: member.look, ready, ..Chair::of(member.person, &member.name, true) };
        if let Some(displaced) = displaced.and_then(|person| self.member_mut(person)) {
            displaced.lost_chair = true;
        }
        Ok(())
    }

    /// Somebody wants a seat.
    pub(crate) fn claim(&mut self, person: Person, seat: Option<Seat>) -> Result<(), Refusal> {
        self.unclaim(person);
        let missing = || Refusal::new(TableCode::NoSuchSeat, "that seat or person does not exist");
        match seat {
            Some(seat) => self.chair_mut(seat).ok_or_else(missing)?.claim = Some(person),
            None => self.member_mut(person).ok_or_else(missing)?.waiting = true,
        }
        // Bots that waited for somebody play the round to its end.
        self.alone = 0;
        Ok(())
    }

    /// Somebody no longer wants a seat, or has one.
    pub(crate) fn unclaim(&mut self, person: Person) {
        self.chairs.iter_mut().filter(|chair| chair.claim == Some(person)).for_each(|chair| chair.claim = None);
        if let Some(member) = self.member_mut(person) {
            member.waiting = false;
        }
    }

    /// People who waited for the next match sit down.
    pub(crate) fn seat_waiting(&mut self) {
        let waiting: Vec<Member> = self.people.iter().filter(|member| member.waiting).cloned().collect();
        for member in waiting {
            self.unclaim(member.person);
            if self.chairs.len() < usize::from(self.settings.seats) {
                let accepted = self.stage != Stage::Lobby;
                self.chairs.push(Chair { look: member.look, ..Chair::of(member.person, &member.name, accepted) });
            }
        }
        self.note_seating();
    }

    /// An owner who is gone and has no seat to come back to loses the table.
    pub(crate) fn settle_owner(&mut self) {
        let at_home = |owner: &GuestId| self.guest(*owner).is_some() || self.kept_for(*owner).is_some();
        if self.came && !self.owner.as_ref().is_some_and(at_home) {
            self.owner = None;
        }
    }
}
