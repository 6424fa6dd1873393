//! Facts become state: the one way in, for what happens now and for what the journal remembers.

use std::sync::Arc;

use unum_bots::Bot;
use unum_rules::fair::FairDeal;
use unum_rules::wire::ActionForm;
use unum_rules::{Action, Event, Match, Phase, Rules, Seat, Sight, Viewer};

use crate::state::{
    Accusation, Chair, Change, Game, KEPT_CHANGES, KEPT_CHAT, KEPT_CHAT_BYTES, Link, Member, Standing, State,
};
use crate::table::Dice;
use crate::trouble::{Trouble, TroubleCode};
use crate::wire::{Away, ChatLine, Hand, Happened, Person, Settings, Stage};
use crate::{Entry, Fact, GuestId, Look, Moment};

/// What an entry did besides changing the state.
#[derive(Default)]
struct Effect {
    events: Vec<Event>,
    lobby: bool,
    game: bool,
}

impl Effect {
    const LOBBY: Effect = Effect { events: Vec::new(), lobby: true, game: false };
    const NONE: Effect = Effect { events: Vec::new(), lobby: false, game: false };
}

/// Somebody or something the entry speaks of is not there.
fn misfit(what: &'static str) -> Trouble {
    Trouble::new(TroubleCode::NoSuchPerson, what)
}

impl State {
    /// A table as its first entry opens it.
    pub(crate) fn opened(entry: &Entry) -> Result<State, Trouble> {
        let Fact::Opened { code, settings, secret } = &entry.fact else {
            return Err(misfit("the first entry does not open a table"));
        };
        let rules = Rules::new(settings.rules.clone())?;
        let mut state = State {
            code: code.clone(),
            seq: entry.seq,
            settings: settings.clone(),
            rules: Arc::new(rules),
            agreement: 1,
            stage: Stage::Lobby,
            host: None,
            next_person: 1,
            people: Vec::new(),
            kicked: Vec::new(),
            chairs: Vec::new(),
            secret: *secret,
            spent: false,
            standing: None,
            game: None,
            accusation: None,
            chat: Default::default(),
            rounds: 0,
            matches: 0,
            recent: Default::default(),
            seating: Arc::new([]),
        };
        state.remember(entry, Effect::LOBBY);
        Ok(state)
    }

    /// Carries out an entry. Refused, it leaves the state as it was.
    pub(crate) fn apply(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<(), Trouble> {
        if entry.seq != self.seq + 1 {
            return Err(misfit("the numbers of the entries have a gap"));
        }
        let effect = self.carry_out(entry, dice)?;
        self.seq = entry.seq;
        if let Some((person, id)) = entry.by
            && let Some(member) = self.member_mut(person)
        {
            member.last_id = member.last_id.max(id);
        }
        self.remember(entry, effect);
        Ok(())
    }

    /// Drops the oldest changes. Only between inputs: what one leads to has to be told whole, however much it is.
    pub(crate) fn forget_old_changes(&mut self) {
        let old = self.recent.len().saturating_sub(KEPT_CHANGES);
        self.recent.drain(..old);
    }

    fn remember(&mut self, entry: &Entry, effect: Effect) {
        self.recent.push_back(Arc::new(Change {
            seq: entry.seq,
            by: entry.by,
            what: self.told(&entry.fact),
            owner: if let Fact::Muted { person, .. } = entry.fact { Some(person) } else { None },
            events: effect.events.into(),
            seating: self.seating.clone(),
            lobby: effect.lobby,
            game: effect.game,
        }));
    }

    fn carry_out(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<Effect, Trouble> {
        match &entry.fact {
            Fact::Opened { .. } => return Err(misfit("the table is open already")),
            Fact::Dealt {} => return self.deal(entry, dice),
            Fact::Acted { seat, action, hand } => return self.act(*seat, action, *hand, entry),
            Fact::AccusationEnded { seat, upheld } => return self.end_accusation(*seat, *upheld, entry),
            Fact::StoodIn { seat, why } => return self.stand_in(*seat, *why, dice),
            Fact::CameBack { seat } => return self.come_back(*seat),
            Fact::Committed { secret } => {
                (self.secret, self.spent) = (*secret, false);
                return Ok(Effect { game: self.game.is_some(), ..Effect::LOBBY });
            }
            Fact::Chatted { person, text } => return self.chatted(*person, text, entry.seq),
            Fact::Reacted { .. } => return Ok(Effect::NONE),
            Fact::Joined { person, guest, name, look } => self.join(*person, *guest, name, *look, entry),
            Fact::Sat { person } => self.sit(*person)?,
            Fact::Stood { person } => self.vacate(*person, dice),
            Fact::Left { person } => self.leave(*person, dice)?,
            Fact::Kicked { person } => {
                let guest = self.member_or_misfit(*person)?.guest;
                self.kicked.push(guest);
                self.leave(*person, dice)?;
            }
            Fact::Renamed { person, name } => self.rename(*person, name)?,
            Fact::Dressed { person, look } => self.dress(*person, *look)?,
            Fact::HostPassed { person } => self.host = Some(*person),
            Fact::SettingsChanged { settings } => self.change_settings(settings)?,
            Fact::Accepted { person } => self.chair_or_misfit(*person)?.accepted = true,
            Fact::Ready { person, ready, entropy } => {
                let chair = self.chair_or_misfit(*person)?;
                chair.ready = *ready;
                chair.entropy = entropy.or(chair.entropy);
            }
            Fact::BotAdded { level, name } => self.add_chair(Chair::bot(name, *level)),
            Fact::BotRemoved { seat } => self.remove_bot(*seat)?,
            Fact::Reopened {} => self.reopen(),
            Fact::Muted { person, other, muted } => self.mute(*person, *other, *muted)?,
            Fact::Accused { person, seat } => self.accuse(*person, *seat, entry.at)?,
            Fact::Judged { person, yes } => self.judge(*person, *yes)?,
            Fact::Closed {} => self.close(),
        }
        Ok(Effect::LOBBY)
    }

    fn chair_or_misfit(&mut self, person: Person) -> Result<&mut Chair, Trouble> {
        self.chair_of_mut(person).ok_or_else(|| misfit("that person has no chair"))
    }

    fn member_or_misfit(&mut self, person: Person) -> Result<&mut Member, Trouble> {
        self.member_mut(person).ok_or_else(|| misfit("that person is not at the table"))
    }

    fn join(&mut self, person: Person, guest: GuestId, name: &str, look: Look, entry: &Entry) {
        self.next_person = person.saturating_add(1);
        self.host = self.host.or(Some(person));
        self.people.push(Member {
            person,
            guest,
            name: name.to_owned(),
            look,
            joined: entry.seq,
            last_id: 0,
            muted: Vec::new(),
            accused: false,
            link: Link { connected: false, since: entry.at },
        });
    }

    fn add_chair(&mut self, chair: Chair) {
        self.chairs.push(chair);
        self.note_seating();
    }

    fn sit(&mut self, person: Person) -> Result<(), Trouble> {
        let accepted = self.host == Some(person);
        let Member { name, look, .. } = self.member_or_misfit(person)?.clone();
        self.add_chair(Chair { look, ..Chair::of(person, &name, accepted) });
        Ok(())
    }

    /// Somebody gives up their chair: in the lobby it vanishes, in a match a bot keeps it.
    fn vacate(&mut self, person: Person, dice: &mut dyn Dice) {
        let Some(seat) = self.seat_of(person) else { return };
        if let Some(accusation) = &mut self.accusation {
            accusation.voters.retain(|(voter, _)| *voter != person);
        }
        if self.stage == Stage::Lobby {
            self.chairs.remove(usize::from(seat));
        } else {
            let _ = self.stand_in(seat, Away::Left, dice);
            if let Some(chair) = self.chair_mut(seat) {
                (chair.person, chair.ready, chair.entropy) = (None, true, None);
            }
        }
        self.note_seating();
    }

    fn leave(&mut self, person: Person, dice: &mut dyn Dice) -> Result<(), Trouble> {
        self.member_or_misfit(person)?;
        self.vacate(person, dice);
        self.people.retain(|member| member.person != person);
        self.people.iter_mut().for_each(|member| member.muted.retain(|muted| *muted != person));
        if self.host == Some(person) {
            self.host = None;
        }
        Ok(())
    }

    fn rename(&mut self, person: Person, name: &str) -> Result<(), Trouble> {
        name.clone_into(&mut self.member_or_misfit(person)?.name);
        if let Some(chair) = self.chair_of_mut(person) {
            name.clone_into(&mut chair.name);
        }
        Ok(())
    }

    fn dress(&mut self, person: Person, look: Look) -> Result<(), Trouble> {
        self.member_or_misfit(person)?.look = look;
        if let Some(chair) = self.chair_of_mut(person) {
            chair.look = look;
        }
        Ok(())
    }

    /// Other rules are another agreement, which everybody but the host has to accept anew.
    fn change_settings(&mut self, settings: &Settings) -> Result<(), Trouble> {
        if settings.rules != self.settings.rules {
            self.rules = Arc::new(Rules::new(settings.rules.clone())?);
            self.agreement += 1;
            let host = self.host;
            for chair in self.chairs.iter_mut().filter(|chair| chair.person.is_some() && chair.person != host) {
                (chair.accepted, chair.ready) = (false, false);
            }
        }
        self.settings = settings.clone();
        Ok(())
    }

    fn remove_bot(&mut self, seat: Seat) -> Result<(), Trouble> {
        self.chair(seat).filter(|chair| chair.level.is_some()).ok_or_else(|| misfit("no bot sits there"))?;
        self.chairs.remove(usize::from(seat));
        self.note_seating();
        Ok(())
    }

    fn mute(&mut self, person: Person, other: Person, muted: bool) -> Result<(), Trouble> {
        let member = self.member_or_misfit(person)?;
        member.muted.retain(|known| *known != other);
        if muted {
            member.muted.push(other);
        }
        Ok(())
    }

    fn chatted(&mut self, person: Person, text: &str, seq: u64) -> Result<Effect, Trouble> {
        let name = self.member_or_misfit(person)?.name.clone();
        self.chat.push_back(ChatLine { seq, person, name, text: text.to_owned() });
        let mut bytes: usize = self.chat.iter().map(|line| line.text.len()).sum();
        while self.chat.len() > KEPT_CHAT || bytes > KEPT_CHAT_BYTES {
            bytes -= self.chat.pop_front().map_or(bytes, |line| line.text.len());
        }
        Ok(Effect::NONE)
    }

    fn accuse(&mut self, person: Person, seat: Seat, since: Moment) -> Result<(), Trouble> {
        self.member_or_misfit(person)?.accused = true;
        let voters = self.judges(person, seat).map(|voter| (voter, None)).collect();
        self.accusation = Some(Accusation { by: person, seat, voters, since });
        Ok(())
    }

    /// Who would vote on an accusation: the other people who play.
    pub(crate) fn judges(&self, by: Person, seat: Seat) -> impl Iterator<Item = Person> + '_ {
        let chairs = (0..).zip(&self.chairs).filter(move |(place, chair)| *place != seat && chair.away.is_none());
        chairs.filter_map(|(_, chair)| chair.person).filter(move |person| *person != by)
    }

    fn judge(&mut self, person: Person, yes: bool) -> Result<(), Trouble> {
        let voters = self.accusation.iter_mut().flat_map(|accusation| &mut accusation.voters);
        let voter = voters.into_iter().find(|(voter, _)| *voter == person);
        voter.ok_or_else(|| misfit("that person has no vote"))?.1 = Some(yes);
        Ok(())
    }

    fn end_accusation(&mut self, seat: Seat, upheld: bool, entry: &Entry) -> Result<Effect, Trouble> {
        let mut events = Vec::new();
        if upheld {
            let game = self.game.as_mut().ok_or_else(|| misfit("there is no game"))?;
            game.play.penalize(seat, &mut events)?;
            game.moved(entry);
            self.tell_bots(&events);
        }
        self.accusation = None;
        Ok(Effect { events, lobby: true, game: upheld })
    }

    fn stand_in(&mut self, seat: Seat, why: Away, dice: &mut dyn Dice) -> Result<Effect, Trouble> {
        let seed = seed(dice);
        let chair = self.chair_mut(seat).ok_or_else(|| misfit("there is no such seat"))?;
        chair.away = Some(why);
        chair.bot = chair.player().map(|level| level.bot(seed));
        self.introduce(seat);
        Ok(Effect { game: self.game.is_some(), ..Effect::LOBBY })
    }

    fn come_back(&mut self, seat: Seat) -> Result<Effect, Trouble> {
        let chair = self.chair_mut(seat).ok_or_else(|| misfit("there is no such seat"))?;
        (chair.away, chair.bot, chair.timeouts) = (None, None, 0);
        Ok(Effect { game: self.game.is_some(), ..Effect::LOBBY })
    }

    /// Back to the lobby: who has left loses the chair, everybody else keeps it.
    fn reopen(&mut self) {
        self.stage = Stage::Lobby;
        (self.game, self.standing, self.accusation) = (None, None, None);
        self.clear_abandoned();
        for chair in &mut self.chairs {
            (chair.away, chair.bot, chair.timeouts) = (None, None, 0);
            chair.ready = chair.level.is_some();
        }
    }

    fn clear_abandoned(&mut self) {
        self.chairs.retain(|chair| !chair.is_abandoned());
        self.note_seating();
    }

    fn close(&mut self) {
        self.stage = Stage::Closed;
        (self.game, self.standing, self.accusation) = (None, None, None);
        self.people.clear();
        self.chairs.clear();
        self.host = None;
        self.note_seating();
    }

    fn deal(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<Effect, Trouble> {
        if self.standing.is_none() {
            self.clear_abandoned();
        }
        let entropy = self.chairs.iter().map(|chair| chair.entropy).collect();
        let fair = FairDeal { secret: self.secret, entropy };
        let mut events = Vec::new();
        let rules = Rules::clone(&self.rules);
        let (play, round) = match &self.standing {
            None => (Match::start(rules, self.chairs.len() as u8, None, fair.chance(), &mut events)?, 1),
            Some(Standing { scores, dealer, round }) => {
                let dealer = (dealer + 1) % (scores.len() as u8).max(1);
                (Match::go_on(rules, scores, dealer, fair.chance(), &mut events)?, round + 1)
            }
        };
        let (commitment, race) = (fair.commitment(), Vec::new());
        let game = Game { play, round, at: 0, fair, commitment, stamp: entry.seq, since: entry.at, race };
        self.game = Some(Box::new(game));
        (self.stage, self.spent, self.standing) = (Stage::Playing, true, None);
        self.rounds += 1;
        self.people.iter_mut().for_each(|member| member.accused = false);
        self.seat_bots(dice);
        Ok(Effect { events, lobby: true, game: true })
    }

    /// Every bot takes up its cards; those who played the last round remember what they know of the others.
    fn seat_bots(&mut self, dice: &mut dyn Dice) {
        for chair in &mut self.chairs {
            (chair.ready, chair.entropy) = (chair.person.is_none(), None);
            match chair.player() {
                Some(level) if chair.bot.is_none() => chair.bot = Some(level.bot(seed(dice))),
                Some(_) => {}
                None => chair.bot = None,
            }
        }
        (0..self.chairs.len()).for_each(|seat| self.introduce(seat as Seat));
    }

    /// A bot looks at the round for the first time.
    fn introduce(&mut self, seat: Seat) {
        let Some(game) = &self.game else { return };
        if let Some(bot) = self.chairs.get_mut(usize::from(seat)).and_then(|chair| chair.bot.as_mut()) {
            bot.begin(&Sight::new(game.play.round(), &self.rules, seat, game.play.scores()));
        }
    }

    /// The bots see what they may of what happened.
    fn tell_bots(&mut self, events: &[Event]) {
        for (seat, chair) in (0..).zip(&mut self.chairs) {
            if let Some(bot) = chair.bot.as_mut().filter(|bot| bot.listens()) {
                events.iter().for_each(|event| bot.see(&event.seen_by(Viewer::Seat(seat))));
            }
        }
    }

    fn act(&mut self, seat: Seat, form: &ActionForm, hand: Hand, entry: &Entry) -> Result<Effect, Trouble> {
        let action = form.action(self.rules.palette())?;
        let mut events = Vec::new();
        let game = self.game.as_mut().ok_or_else(|| misfit("there is no game"))?;
        let before = *game.play.round().phase();
        game.play.apply(seat, &action, &mut events)?;
        game.moved(entry);
        if restarts_clock(&action, &before, game.play.round().phase()) {
            game.since = entry.at;
        }
        self.tell_bots(&events);
        self.count_timeouts(seat, hand);
        let over = self.end_round();
        Ok(Effect { events, lobby: over, game: true })
    }

    fn count_timeouts(&mut self, seat: Seat, hand: Hand) {
        let Some(chair) = self.chair_mut(seat) else { return };
        match hand {
            Hand::Person => chair.timeouts = 0,
            Hand::Autopilot if chair.away.is_none() => chair.timeouts = chair.timeouts.saturating_add(1),
            _ => {}
        }
    }

    /// Whether the round is over, and what comes of that.
    fn end_round(&mut self) -> bool {
        let Some(game) = self.game.as_ref().filter(|game| game.play.result().is_some()) else { return false };
        if game.play.winners().is_some() {
            self.stage = Stage::Over;
            self.matches += 1;
        } else {
            let play = &game.play;
            let (scores, dealer) = (play.scores().to_vec(), play.round().dealer());
            self.standing = Some(Standing { scores, dealer, round: game.round });
            self.stage = Stage::Scores;
        }
        self.chairs.iter_mut().for_each(|chair| chair.ready = chair.person.is_none());
        true
    }
}

impl Game {
    /// The round has changed by an entry.
    fn moved(&mut self, entry: &Entry) {
        self.at += 1;
        self.stamp = entry.seq;
        self.watch_race(entry.at);
    }
}

impl Chair {
    fn of(person: Person, name: &str, accepted: bool) -> Chair {
        Chair {
            name: name.to_owned(),
            look: Look::default(),
            person: Some(person),
            level: None,
            away: None,
            accepted,
            ready: false,
            entropy: None,
            timeouts: 0,
            bot: None,
        }
    }

    fn bot(name: &str, level: unum_bots::Level) -> Chair {
        Chair { person: None, level: Some(level), ready: true, ..Chair::of(0, name, true) }
    }
}

/// Whether the table waits for something new after an action: not after a late call or a catch, which change nothing
/// about whose turn it is, and not after one of several votes.
fn restarts_clock(action: &Action, before: &Phase, after: &Phase) -> bool {
    match action {
        Action::CallUno | Action::Catch(_) => before != after,
        Action::Vote(_) => !matches!(after, Phase::Vote { .. }),
        _ => true,
    }
}

/// A number nobody can guess.
pub(crate) fn seed(dice: &mut dyn Dice) -> u64 {
    let bytes = dice.roll();
    bytes.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}

/// What happened, in the words of the wire. What only some may know is hidden by [`Change::what_for`].
impl State {
    fn told(&self, fact: &Fact) -> Happened {
        match fact {
            Fact::Opened { .. } => Happened::Opened {},
            Fact::Joined { person, .. } => Happened::Joined { person: *person },
            Fact::Sat { person } => Happened::Sat { person: *person, seat: self.seat_of(*person).unwrap_or_default() },
            Fact::Stood { person } => Happened::Stood { person: *person },
            Fact::Left { person } => Happened::Left { person: *person },
            Fact::Kicked { person } => Happened::Kicked { person: *person },
            Fact::Renamed { person, name } => Happened::Renamed { person: *person, name: name.clone() },
            Fact::Dressed { person, .. } => Happened::Dressed { person: *person },
            Fact::HostPassed { person } => Happened::HostPassed { person: *person },
            Fact::SettingsChanged { .. } => Happened::SettingsChanged {},
            Fact::Accepted { person } => Happened::Accepted { person: *person },
            Fact::Ready { person, ready, .. } => Happened::Ready { person: *person, ready: *ready },
            Fact::BotAdded { level, .. } => {
                Happened::BotAdded { seat: self.chairs.len().saturating_sub(1) as Seat, level: *level }
            }
            Fact::BotRemoved { seat } => Happened::BotRemoved { seat: *seat },
            Fact::Committed { secret } => Happened::Committed { commitment: secret.commitment() },
            Fact::Dealt {} => Happened::Dealt { round: self.game.as_ref().map_or(1, |game| game.round) },
            Fact::Acted { seat, hand, .. } => Happened::Acted { seat: *seat, by: *hand },
            Fact::StoodIn { seat, why } => Happened::StoodIn { seat: *seat, why: *why },
            Fact::CameBack { seat } => Happened::CameBack { seat: *seat },
            Fact::Reopened {} => Happened::Reopened {},
            Fact::Chatted { person, text } => Happened::Chatted { person: *person, text: text.clone() },
            Fact::Reacted { person, reaction } => Happened::Reacted { person: *person, reaction: *reaction },
            Fact::Muted { other, muted, .. } => Happened::Muted { person: *other, muted: *muted },
            Fact::Accused { person, seat } => Happened::Accused { person: *person, seat: *seat },
            Fact::Judged { person, yes } => Happened::Judged { person: *person, yes: *yes },
            Fact::AccusationEnded { seat, upheld } => Happened::AccusationEnded { seat: *seat, upheld: *upheld },
            Fact::Closed {} => Happened::Closed {},
        }
    }
}
