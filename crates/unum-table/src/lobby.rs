//! The lobby: coming, going, chairs and settings.

use unum_protocol::{
    Away, CODE_ALPHABET, CODE_LENGTH, Level, MAX_NAME, MAX_PEOPLE, MAX_TITLE, Person, Refusal, ServerMsg, SettingId,
    SettingValue, Settings, Stage, TableCode,
};
use unum_rules::{MIN_PLAYERS, Rules, Seat};

use crate::state::{CHAIRS_PER_ADDRESS, Chair, Member, State};
use crate::table::{Dice, Newcomer, Table, Turn};
use crate::text::{
    MAX_BANNER, MAX_CUSTOM_TEXT, TextError, clean, custom_text, is_presentable, longest_banner, look_alike,
};
use crate::{AddressMark, Fact, GuestId, lesson};

/// The name of deleted guests.
pub const NOBODY: &str = "a player";
/// The names of bots.
pub(crate) const BOT_NAMES: [&str; 16] = [
    "Pip", "Juno", "Otto", "Mila", "Bruno", "Fern", "Gus", "Hazel", "Ivo", "Kiki", "Lumi", "Nils", "Olive", "Quinn",
    "Rosa", "Taavi",
];

/// The settings as they can be agreed on, for a table with `taken` chairs taken.
pub(crate) fn check_settings(mut settings: Settings, taken: u8) -> Result<Settings, Refusal> {
    let bad = |message: String| Refusal::new(TableCode::BadSettings, message);
    let rules = Rules::new(settings.rules.clone())?;
    rules.check_players(taken.max(MIN_PLAYERS))?;
    if !is_presentable(&settings.rules) {
        return Err(bad("a Customizable card has invisible characters in its texts: leave them out".to_owned()));
    }
    if custom_text(&settings.rules) > MAX_CUSTOM_TEXT {
        let message = format!("the Customizable cards have more than {MAX_CUSTOM_TEXT} bytes of text: write less");
        return Err(bad(message));
    }
    if longest_banner(&settings.rules) > MAX_BANNER {
        return Err(bad(format!("a note on a seat has more than {MAX_BANNER} bytes: write less")));
    }
    settings.title = match clean(&settings.title, MAX_TITLE) {
        Ok(title) => title,
        Err(TextError::Empty) => String::new(),
        Err(long) => return Err(bad(format!("the `title` {long}"))),
    };
    for setting in settings.list().filter(|setting| !setting.agreed) {
        setting.check(&settings.get(setting.id))?;
    }
    if settings.seats < taken {
        return Err(bad(format!("{taken} seats are taken: choose at least as many `seats`")));
    }
    if settings.public && settings.clock.is_none() {
        return Err(bad("a public table needs a `clock`, such as 30 seconds".to_owned()));
    }
    // A lesson has its own, but what is wrong is wrong.
    Ok(if settings.lesson { lesson::settings() } else { settings })
}

/// An unguessable code.
fn new_code(dice: &mut dyn Dice) -> String {
    let letters = dice.roll().into_iter().take(CODE_LENGTH);
    letters.map(|byte| char::from(CODE_ALPHABET[usize::from(byte) % CODE_ALPHABET.len()])).collect()
}

fn check_name(name: &str) -> Result<String, Refusal> {
    clean(name, MAX_NAME).map_err(|error| Refusal::new(TableCode::BadName, format!("the name {error}")))
}

impl State {
    /// Whether another person or bot has that name or one that looks like it.
    fn is_taken(&self, name: &str, but: Option<Person>) -> bool {
        let same = |known: &str| look_alike(known, name);
        let people = self.people.iter().filter(|member| Some(member.person) != but);
        let chairs = self.chairs.iter().filter(|chair| but.is_none() || chair.person != but);
        people.map(|member| &member.name).chain(chairs.map(|chair| &chair.name)).any(|known| same(known))
    }

    /// The name, or the name with a number if it is taken.
    pub(crate) fn unique(&self, name: &str) -> String {
        let numbered = (2u32..).map(|number| format!("{name} {number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !self.is_taken(name, None)).unwrap_or_default()
    }

    /// The name of a newcomer; a name on a seat that is kept for them is already theirs.
    fn name_for(&self, guest: GuestId, name: &str) -> String {
        let kept = self.kept_for(guest).and_then(|seat| self.chair(seat));
        let theirs = kept.filter(|chair| look_alike(&chair.name, name));
        let taken = theirs.is_none_or(|_| self.people.iter().any(|member| look_alike(&member.name, name)));
        if taken { self.unique(name) } else { name.to_owned() }
    }

    /// A name for a new bot.
    pub(crate) fn bot_name(&self, chance: u64) -> String {
        let count = BOT_NAMES.len();
        let rotated = BOT_NAMES.iter().cycle().skip(chance as usize % count).take(count);
        let free = rotated.copied().find(|name| !self.is_taken(name, None));
        self.unique(free.unwrap_or(BOT_NAMES[chance as usize % count]))
    }

    /// Whether a chair is free. One is reserved for the opener until they have come.
    pub(crate) fn has_room(&self) -> bool {
        let kept = usize::from(!self.came);
        let free = self.chairs.len() + kept < usize::from(self.settings.seats);
        self.stage == Stage::Lobby && self.dealing.is_none() && free
    }

    /// Whether a chair is free for somebody who connects from there. At public tables clients of one address cannot take all
    /// chairs, except at the owner's own address.
    pub(crate) fn has_room_for(&self, address: Option<AddressMark>) -> bool {
        let at_home = self.owner().is_some_and(|owner| owner.link.address == address);
        let bounded = self.settings.public && address.is_some() && !at_home;
        let seated = self.chairs.iter().filter_map(|chair| self.member(chair.person?));
        let near = seated.filter(|member| member.link.address == address).count();
        self.has_room() && (!bounded || near < CHAIRS_PER_ADDRESS)
    }

    /// Whether the person of a chair is gone and was not ready, so that nobody waits for them.
    fn is_absent(&self, chair: &Chair) -> bool {
        let gone = chair.person.is_some_and(|person| !self.is_connected(person));
        gone && !(chair.accepted && chair.ready)
    }

    /// Somebody who loses their chair when the match begins.
    pub(crate) fn absentee(&self) -> Option<Person> {
        self.chairs.iter().find(|chair| self.is_absent(chair)).and_then(|chair| chair.person)
    }

    /// Whether the first round can be dealt.
    pub(crate) fn can_start(&self) -> Result<(), Refusal> {
        let mut chairs = self.chairs.iter().filter(|chair| !self.is_absent(chair));
        let players = chairs.clone().count();
        if players < usize::from(MIN_PLAYERS) {
            let message = "at least two players are needed: wait for somebody, or add a bot";
            return Err(Refusal::new(TableCode::TooFew, message));
        }
        self.rules.check_players(players as u8)?;
        if let Some(chair) = chairs.clone().find(|chair| !chair.accepted) {
            let message = format!("{} has not accepted the rules yet", chair.name);
            return Err(Refusal::new(TableCode::NotAccepted, message));
        }
        let waits = |ready: bool, person: Option<Person>| !ready && person != self.host;
        match chairs.find(|chair| waits(chair.ready, chair.person)) {
            Some(chair) => Err(Refusal::new(TableCode::NotReady, format!("{} is not ready yet", chair.name))),
            None => Ok(()),
        }
    }

    /// Whether somebody new may come in.
    fn check_entry(&self, guest: GuestId, address: Option<AddressMark>) -> Result<(), Refusal> {
        let refuse = |code, message: &'static str| Err(Refusal::new(code, message));
        if self.kicked.iter().any(|kicked| kicked.guest == guest) {
            return refuse(TableCode::Kicked, "the host has removed you from this table");
        }
        if address.is_some() && self.kicked.iter().any(|kicked| kicked.address == address) {
            return refuse(TableCode::Kicked, "the host keeps out newcomers from your address");
        }
        let learning = self.settings.lesson && self.owner != Some(guest);
        if self.locked || learning {
            return refuse(TableCode::Locked, "the host has locked this table to newcomers");
        }
        if !self.has_room_for(address) && !self.settings.spectators {
            return refuse(TableCode::NoSpectators, "there is no seat for you, and nobody can watch at this table");
        }
        if self.people.len() >= MAX_PEOPLE {
            return refuse(TableCode::Full, "there are too many people at this table: try later");
        }
        Ok(())
    }

    /// Whether a host may remove somebody: a stand-in can remove neither the owner nor players of a match.
    pub(crate) fn check_kick(&self, by: &Member, other: &Member) -> Result<(), Refusal> {
        let refuse = |code, message: &'static str| Err(Refusal::new(code, message));
        if by.person == other.person {
            return refuse(TableCode::NoSuchPerson, "that is you: leave the table instead");
        }
        let acting = Some(by.guest) != self.owner;
        if acting && Some(other.guest) == self.owner {
            return refuse(TableCode::NotHost, "it is their table: you stand in until they are back");
        }
        if acting && self.is_match_on() && self.seat_of(other.person).is_some() {
            return refuse(TableCode::NotHost, "a stand-in host cannot remove players from a match");
        }
        Ok(())
    }

    pub(crate) fn check_person(&self, person: Person) -> Result<&Member, Refusal> {
        let message = "nobody at the table has that number";
        self.member(person).ok_or_else(|| Refusal::new(TableCode::NoSuchPerson, message))
    }
}

impl Table {
    pub(crate) fn arrive(&mut self, newcomer: &Newcomer, turn: &mut Turn<'_>) {
        let Newcomer { guest, look, address, .. } = *newcomer;
        turn.out.newcomer = Some(guest);
        let known = self.state.guest(guest).map(|member| member.person);
        let person = match known {
            Some(person) => self.readmit(person, turn),
            None => self.admit(newcomer, turn),
        };
        let person = match person {
            Ok(person) => person,
            Err(refusal) => {
                turn.tell(guest, ServerMsg::dismissed(refusal));
                turn.out.dismissed.push(guest);
                return;
            }
        };
        self.connect(person, newcomer, turn);
        self.mute_blocked(person, turn);
        if self.state.member(person).is_some_and(|member| member.look != look) && self.pay_look(guest, turn.now) {
            let _ = self.commit(Fact::Dressed { person, look }, turn);
        }
        let wants_chair = known.is_none() || self.state.member(person).is_some_and(|member| member.lost_chair);
        if wants_chair && self.state.has_room_for(address) {
            let _ = self.commit(Fact::Sat { person, seat: None }, turn);
        }
        self.welcome_back(person, turn);
    }

    /// Lets somebody back in, unless their chair has been taken and onlookers are not admitted.
    fn readmit(&mut self, person: Person, turn: &mut Turn<'_>) -> Result<Person, Refusal> {
        let state = &self.state;
        let owns = state.owner().is_some_and(|owner| owner.person == person);
        let chair = state.member(person).is_some_and(|member| !member.lost_chair) || state.has_room();
        if chair || owns || state.settings.spectators {
            return Ok(person);
        }
        self.commit(Fact::Left { person, kept: false }, turn)?;
        let message = "your chair was given away while you were gone, and nobody can watch at this table";
        Err(Refusal::new(TableCode::NoSpectators, message))
    }

    /// Lets somebody new in.
    fn admit(&mut self, newcomer: &Newcomer, turn: &mut Turn<'_>) -> Result<Person, Refusal> {
        let Newcomer { guest, look, address, .. } = *newcomer;
        if self.state.stage == Stage::Closed {
            return Err(Refusal::new(TableCode::Closed, "this table is closed: open another one"));
        }
        // The owner of the table always gets in, and so does anybody with a seat to come back to.
        if self.state.owner != Some(guest) {
            if self.state.kept_for(guest).is_none() {
                self.state.check_entry(guest, address)?;
            }
            self.pay_entry(guest, turn.now)?;
        }
        let person = self.state.next_person;
        let name = self.state.name_for(guest, &check_name(&newcomer.name)?);
        self.commit(Fact::Joined { person, guest, name, look }, turn)?;
        Ok(person)
    }

    fn connect(&mut self, person: Person, newcomer: &Newcomer, turn: &mut Turn<'_>) {
        if self.is_idle() {
            self.state.restart_clocks(turn.now);
        }
        let Some(member) = self.state.member_mut(person) else { return };
        member.link.address = newcomer.address;
        member.link.blocks.clone_from(&newcomer.blocks);
        if !member.link.connected {
            (member.link.connected, member.link.since) = (true, turn.now);
            turn.out.presence = true;
        }
    }

    /// Somebody who was away involuntarily plays again.
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
            turn.out.presence = true;
        }
    }

    pub(crate) fn sit(&mut self, person: Person, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        self.commit(Fact::Sat { person, seat: None }, turn)
    }

    pub(crate) fn stand(&mut self, person: Person, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let seated = self.state.seat_of(person).is_some();
        self.commit(if seated { Fact::Stood { person } } else { Fact::Unclaimed { person } }, turn)
    }

    /// Changes one setting.
    pub(crate) fn set(&mut self, id: SettingId, value: &SettingValue, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let settings = self.state.settings.with(id, value)?;
        self.change_settings(settings, turn)
    }

    pub(crate) fn change_settings(&mut self, settings: Settings, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let taken = self.state.chairs.len();
        let settings = check_settings(settings, taken as u8)?.fitted(taken);
        if settings.lesson != self.state.settings.lesson {
            let message = "a table becomes a lesson only when it is opened: open another one";
            return Err(Refusal::new(TableCode::BadSettings, message));
        }
        if settings == self.state.settings {
            return Ok(());
        }
        self.commit(Fact::SettingsChanged { settings }, turn)
    }

    pub(crate) fn accept(&mut self, person: Person, agreement: u32, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let seat = self.state.check_seated(person)?;
        if agreement != self.state.agreement {
            let message = format!("the rules have changed: read and accept agreement {}", self.state.agreement);
            return Err(Refusal::new(TableCode::OldAgreement, message));
        }
        if self.state.chair(seat).is_some_and(|chair| chair.accepted) {
            return Ok(());
        }
        self.commit(Fact::Accepted { person }, turn)
    }

    pub(crate) fn add_bot(&mut self, level: Level, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let name = self.state.bot_name(crate::apply::seed(turn.dice));
        self.commit(Fact::BotAdded { level, name }, turn)
    }

    pub(crate) fn remove_bot(&mut self, seat: Seat, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        if self.state.chair(seat).is_none_or(|chair| chair.level.is_none()) {
            return Err(Refusal::new(TableCode::NoSuchSeat, format!("no bot sits in seat {seat}")));
        }
        self.commit(Fact::BotRemoved { seat }, turn)
    }

    pub(crate) fn kick(
        &mut self,
        person: Person,
        other: Person,
        address: bool,
        turn: &mut Turn<'_>,
    ) -> Result<(), Refusal> {
        let member = self.state.check_person(other)?.clone();
        self.state.check_kick(self.state.check_person(person)?, &member)?;
        let address = member.link.address.filter(|_| address);
        self.commit(Fact::Kicked { person: other, address }, turn)?;
        turn.out.parting.push((member, Refusal::new(TableCode::Kicked, "the host has removed you from this table")));
        Ok(())
    }

    pub(crate) fn unkick(&mut self, person: Person, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        if !self.state.kicked.iter().any(|kicked| kicked.person == person) {
            return Err(Refusal::new(TableCode::NoSuchPerson, "nobody with that number was removed from this table"));
        }
        self.commit(Fact::Unkicked { person }, turn)
    }

    pub(crate) fn lock(&mut self, locked: bool, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        if self.state.locked == locked {
            return Ok(());
        }
        self.commit(Fact::Locked { locked }, turn)
    }

    pub(crate) fn renew_code(&mut self, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let code = new_code(turn.dice);
        self.commit(Fact::CodeRenewed { code }, turn)
    }

    pub(crate) fn pass_host(&mut self, person: Person, other: Person, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        self.state.check_person(other)?;
        if person == other {
            return Ok(());
        }
        self.commit(Fact::HostPassed { person: other, acting: false }, turn)
    }

    pub(crate) fn rename(&mut self, person: Person, name: &str, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        let name = check_name(name)?;
        if self.state.check_person(person)?.name == name {
            return Ok(());
        }
        if self.state.is_taken(&name, Some(person)) {
            let message = "somebody at this table has that name: choose another";
            return Err(Refusal::new(TableCode::BadName, message));
        }
        self.commit(Fact::Renamed { person, name }, turn)
    }

    pub(crate) fn reopen(&mut self, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        self.commit(Fact::Reopened {}, turn)
    }
}
