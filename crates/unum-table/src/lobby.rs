//! Coming, going, chairs, and what is agreed.

use unum_rules::{MAX_PLAYERS, MIN_PLAYERS, Rules, Seat};

use crate::state::{Member, State};
use crate::table::{Table, Turn};
use crate::text::{MAX_NAME, MAX_TITLE, TextError, clean, is_presentable};
use crate::trouble::{Trouble, TroubleCode};
use crate::wire::{Away, Person, Settings, Stage};
use crate::{Fact, GuestId, Look};

/// Most people at a table, onlookers included.
const MAX_PEOPLE: usize = 100;
/// Seconds of a turn.
const CLOCK: std::ops::RangeInclusive<u16> = 5..=600;
/// What bots are called.
const BOT_NAMES: [&str; 16] = [
    "Pip", "Juno", "Otto", "Mila", "Bruno", "Fern", "Gus", "Hazel", "Ivo", "Kiki", "Lumi", "Nils", "Olive", "Quinn",
    "Rosa", "Taavi",
];

/// The settings as they can be agreed on, for a table with so many chairs taken.
pub(crate) fn check_settings(mut settings: Settings, taken: u8) -> Result<Settings, Trouble> {
    let bad = |message: String| Trouble::new(TroubleCode::BadSettings, message);
    let rules = Rules::new(settings.rules.clone())?;
    rules.check_players(taken.max(MIN_PLAYERS))?;
    if !is_presentable(&settings.rules) {
        return Err(bad("a Customizable card has invisible characters in its texts: leave them out".to_owned()));
    }
    if !(MIN_PLAYERS..=MAX_PLAYERS).contains(&settings.seats) {
        return Err(bad(format!("`seats` goes from {MIN_PLAYERS} to {MAX_PLAYERS}, not {}", settings.seats)));
    }
    if settings.seats < taken {
        return Err(bad(format!("{taken} chairs are taken: choose at least that many `seats`")));
    }
    match settings.clock {
        Some(seconds) if !CLOCK.contains(&seconds) => {
            return Err(bad(format!("`clock` goes from {} to {} seconds, not {seconds}", CLOCK.start(), CLOCK.end())));
        }
        None if settings.public => return Err(bad("a public table needs a `clock`, such as 30 seconds".to_owned())),
        _ => {}
    }
    settings.title = match clean(&settings.title, MAX_TITLE) {
        Ok(title) => title,
        Err(TextError::Empty) => String::new(),
        Err(long) => return Err(bad(format!("about the `title`: {long}"))),
    };
    Ok(settings)
}

fn check_name(name: &str) -> Result<String, Trouble> {
    clean(name, MAX_NAME).map_err(|error| Trouble::new(TroubleCode::BadName, format!("about the name: {error}")))
}

impl State {
    /// Whether a person or a bot, other than that person, has the name.
    fn is_taken(&self, name: &str, but: Option<Person>) -> bool {
        let same = |known: &str| known.to_lowercase() == name.to_lowercase();
        let people = self.people.iter().filter(|member| Some(member.person) != but);
        let chairs = self.chairs.iter().filter(|chair| but.is_none() || chair.person != but);
        people.map(|member| &member.name).chain(chairs.map(|chair| &chair.name)).any(|known| same(known))
    }

    /// The name, or the name with a number if it is taken.
    fn unique(&self, name: &str) -> String {
        let numbered = (2u32..).map(|number| format!("{name} {number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !self.is_taken(name, None)).unwrap_or_default()
    }

    /// A name for a new bot.
    pub(crate) fn bot_name(&self, chance: u64) -> String {
        let count = BOT_NAMES.len();
        let rotated = BOT_NAMES.iter().cycle().skip(chance as usize % count).take(count);
        let free = rotated.copied().find(|name| !self.is_taken(name, None));
        self.unique(free.unwrap_or(BOT_NAMES[chance as usize % count]))
    }

    pub(crate) fn has_room(&self) -> bool {
        self.stage == Stage::Lobby && self.chairs.len() < usize::from(self.settings.seats)
    }

    /// Whether the first round can be dealt.
    pub(crate) fn can_start(&self) -> Result<(), Trouble> {
        if self.chairs.len() < usize::from(MIN_PLAYERS) {
            let message = "at least two have to sit at the table: wait for somebody, or add a bot";
            return Err(Trouble::new(TroubleCode::TooFew, message));
        }
        self.rules.check_players(self.chairs.len() as u8)?;
        if let Some(chair) = self.chairs.iter().find(|chair| !chair.accepted) {
            let message = format!("{} has not accepted the rules yet", chair.name);
            return Err(Trouble::new(TroubleCode::NotAccepted, message));
        }
        let waits = |ready: bool, person: Option<Person>| !ready && person != self.host;
        match self.chairs.iter().find(|chair| waits(chair.ready, chair.person)) {
            Some(chair) => Err(Trouble::new(TroubleCode::NotReady, format!("{} is not ready yet", chair.name))),
            None => Ok(()),
        }
    }

    pub(crate) fn check_host(&self, person: Person) -> Result<(), Trouble> {
        if self.host == Some(person) {
            return Ok(());
        }
        let host = self.host.and_then(|host| self.member(host)).map_or("nobody", |host| &host.name);
        Err(Trouble::new(TroubleCode::NotHost, format!("only the host can do that, and that is {host}")))
    }

    pub(crate) fn check_stage(&self, stages: &[Stage], when: &'static str) -> Result<(), Trouble> {
        let fits = stages.contains(&self.stage);
        fits.then_some(()).ok_or_else(|| Trouble::new(TroubleCode::WrongStage, when))
    }

    pub(crate) fn check_seated(&self, person: Person) -> Result<Seat, Trouble> {
        let message = "only who has a chair can do that: take one in the lobby";
        self.seat_of(person).ok_or_else(|| Trouble::new(TroubleCode::NotSeated, message))
    }

    pub(crate) fn check_person(&self, person: Person) -> Result<&Member, Trouble> {
        let message = "there is nobody of that number at the table";
        self.member(person).ok_or_else(|| Trouble::new(TroubleCode::NoSuchPerson, message))
    }
}

const IN_LOBBY: &str = "that is possible in the lobby only: the host can reopen the table";

impl Table {
    pub(crate) fn arrive(&mut self, guest: GuestId, name: &str, look: Look, turn: &mut Turn<'_>) {
        turn.newcomer = Some(guest);
        let known = self.state.guest(guest).map(|member| member.person);
        let person = match known {
            Some(person) => person,
            None => match self.admit(guest, name, look, turn) {
                Ok(person) => person,
                Err(trouble) => {
                    turn.tell(guest, trouble.bye());
                    turn.out.dismissed.push(guest);
                    return;
                }
            },
        };
        self.connect(person, turn);
        if self.state.member(person).is_some_and(|member| member.look != look) {
            let _ = self.commit(Fact::Dressed { person, look }, turn);
        }
        if known.is_none() && self.state.has_room() {
            let _ = self.commit(Fact::Sat { person }, turn);
        }
        self.welcome_back(person, turn);
    }

    /// Lets somebody new in.
    fn admit(&mut self, guest: GuestId, name: &str, look: Look, turn: &mut Turn<'_>) -> Result<Person, Trouble> {
        let state = &self.state;
        if state.stage == Stage::Closed {
            return Err(Trouble::new(TroubleCode::Closed, "this table is closed: open another one"));
        }
        if state.kicked.contains(&guest) {
            return Err(Trouble::new(TroubleCode::Kicked, "the host has sent you away from this table"));
        }
        if !state.has_room() && !state.settings.spectators {
            let message = "there is no chair free, and nobody looks on at this table";
            return Err(Trouble::new(TroubleCode::NoSpectators, message));
        }
        if state.people.len() >= MAX_PEOPLE {
            return Err(Trouble::new(TroubleCode::TooMany, "there are too many people at this table: try later"));
        }
        let person = state.next_person;
        let name = state.unique(&check_name(name)?);
        self.commit(Fact::Joined { person, guest, name, look }, turn)?;
        Ok(person)
    }

    fn connect(&mut self, person: Person, turn: &mut Turn<'_>) {
        if self.is_idle() {
            self.state.restart_clocks(turn.now);
        }
        let Some(member) = self.state.member_mut(person) else { return };
        if !member.link.connected {
            (member.link.connected, member.link.since) = (true, turn.now);
            turn.presence = true;
        }
    }

    /// Somebody who was away against their will plays again.
    fn welcome_back(&mut self, person: Person, turn: &mut Turn<'_>) {
        let Some(seat) = self.state.seat_of(person) else { return };
        let away = self.state.chair(seat).and_then(|chair| chair.away);
        if matches!(away, Some(Away::Disconnected | Away::TimedOut)) {
            let _ = self.commit(Fact::CameBack { seat }, turn);
        }
    }

    pub(crate) fn go(&mut self, guest: GuestId, turn: &mut Turn<'_>) {
        let Some(person) = self.state.guest(guest).map(|member| member.person) else { return };
        if let Some(member) = self.state.member_mut(person).filter(|member| member.link.connected) {
            (member.link.connected, member.link.since) = (false, turn.now);
            turn.presence = true;
        }
    }

    pub(crate) fn sit(&mut self, person: Person, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_stage(&[Stage::Lobby], IN_LOBBY)?;
        if self.state.seat_of(person).is_some() {
            return Err(Trouble::new(TroubleCode::AlreadySeated, "you have a chair already"));
        }
        if !self.state.has_room() {
            return Err(Trouble::new(TroubleCode::NoChair, "all chairs are taken: look on, or ask for more"));
        }
        self.commit(Fact::Sat { person }, turn)
    }

    pub(crate) fn stand(&mut self, person: Person, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_seated(person)?;
        if !self.state.settings.spectators {
            let message = "nobody looks on at this table: leave it instead";
            return Err(Trouble::new(TroubleCode::NoSpectators, message));
        }
        self.commit(Fact::Stood { person }, turn)
    }

    pub(crate) fn leave(&mut self, person: Person, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        let member = self.state.check_person(person)?.clone();
        self.commit(Fact::Left { person }, turn)?;
        // The code is the name of what they did: this is no trouble at all.
        turn.parting.push((member, Trouble::new(TroubleCode::NotHere, "you have left the table")));
        Ok(())
    }

    pub(crate) fn change_settings(
        &mut self,
        person: Person,
        settings: Settings,
        turn: &mut Turn<'_>,
    ) -> Result<(), Trouble> {
        self.state.check_host(person)?;
        self.state.check_stage(&[Stage::Lobby], IN_LOBBY)?;
        let settings = check_settings(settings, self.state.chairs.len() as u8)?;
        if settings == self.state.settings {
            return Ok(());
        }
        self.commit(Fact::SettingsChanged { settings }, turn)
    }

    pub(crate) fn accept(&mut self, person: Person, agreement: u32, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_stage(&[Stage::Lobby], IN_LOBBY)?;
        let seat = self.state.check_seated(person)?;
        if agreement != self.state.agreement {
            let message = format!("the rules have changed: agreement {} is to be read now", self.state.agreement);
            return Err(Trouble::new(TroubleCode::OldAgreement, message));
        }
        if self.state.chair(seat).is_some_and(|chair| chair.accepted) {
            return Ok(());
        }
        self.commit(Fact::Accepted { person }, turn)
    }

    pub(crate) fn add_bot(
        &mut self,
        person: Person,
        level: unum_bots::Level,
        turn: &mut Turn<'_>,
    ) -> Result<(), Trouble> {
        self.state.check_host(person)?;
        self.state.check_stage(&[Stage::Lobby], IN_LOBBY)?;
        if !self.state.has_room() {
            return Err(Trouble::new(TroubleCode::NoChair, "all chairs are taken: allow for more `seats`"));
        }
        let name = self.state.bot_name(crate::apply::seed(turn.dice));
        self.commit(Fact::BotAdded { level, name }, turn)
    }

    pub(crate) fn remove_bot(&mut self, person: Person, seat: Seat, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_host(person)?;
        self.state.check_stage(&[Stage::Lobby], IN_LOBBY)?;
        if self.state.chair(seat).is_none_or(|chair| chair.level.is_none()) {
            return Err(Trouble::new(TroubleCode::NoSuchSeat, format!("no bot sits in seat {seat}")));
        }
        self.commit(Fact::BotRemoved { seat }, turn)
    }

    pub(crate) fn kick(&mut self, person: Person, other: Person, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_host(person)?;
        if person == other {
            return Err(Trouble::new(TroubleCode::NoSuchPerson, "that is you: leave the table instead"));
        }
        let member = self.state.check_person(other)?.clone();
        self.commit(Fact::Kicked { person: other }, turn)?;
        turn.parting.push((member, Trouble::new(TroubleCode::Kicked, "the host has sent you away from this table")));
        Ok(())
    }

    pub(crate) fn pass_host(&mut self, person: Person, other: Person, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_host(person)?;
        self.state.check_person(other)?;
        if person == other {
            return Ok(());
        }
        self.commit(Fact::HostPassed { person: other }, turn)
    }

    pub(crate) fn rename(&mut self, person: Person, name: &str, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        let name = check_name(name)?;
        if self.state.check_person(person)?.name == name {
            return Ok(());
        }
        if self.state.is_taken(&name, Some(person)) {
            let message = "somebody at this table is called that: choose another name";
            return Err(Trouble::new(TroubleCode::BadName, message));
        }
        self.commit(Fact::Renamed { person, name }, turn)
    }

    pub(crate) fn reopen(&mut self, person: Person, turn: &mut Turn<'_>) -> Result<(), Trouble> {
        self.state.check_host(person)?;
        let stages = [Stage::Playing, Stage::Scores, Stage::Over];
        self.state.check_stage(&stages, "the table is in the lobby already")?;
        self.commit(Fact::Reopened {}, turn)
    }
}
