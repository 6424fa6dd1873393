//! Applies facts to the state, identically for live changes and for replaying the journal.

use std::sync::Arc;

use unum_bots::{Bot, LevelBot};
use unum_rules::wire::ActionForm;
use unum_rules::{Action, Event, Match, Phase, Rules, Seat, Sight, Viewer};

use crate::records::Noted;
use crate::snapshot::Anchor;
use crate::state::{
    Accusation, Chair, Change, Game, KEPT_CHANGES, KEPT_CHAT, KEPT_CHAT_BYTES, KEPT_OUT, Kicked, Link, Member,
    Standing, State,
};
use crate::table::Dice;
use crate::tallies::Tallies;
use unum_protocol::Look;
use unum_protocol::{Actor, Away, ChatLine, Person, Settings, Stage};
use unum_protocol::{Refusal, TableCode};

use crate::{AddressMark, Entry, Fact, GuestId, Moment, lesson};

/// How many rounds somebody must wait to accuse again after an accusation of theirs was dismissed.
pub(crate) const COOL_DOWN: u32 = 3;

/// Side effects of an entry.
#[derive(Default)]
pub(crate) struct Effect {
    events: Vec<Event>,
    terms: bool,
    lobby: bool,
    game: bool,
}

impl Effect {
    const NONE: Effect = Effect { events: Vec::new(), terms: false, lobby: false, game: false };
    const LOBBY: Effect = Effect { events: Vec::new(), terms: false, lobby: true, game: false };
    const TERMS: Effect = Effect { events: Vec::new(), terms: true, lobby: true, game: false };
}

/// The entry refers to somebody or something that does not exist.
fn misfit(what: &'static str) -> Refusal {
    Refusal::new(TableCode::NoSuchPerson, what)
}

impl State {
    /// A table as its first entry opens it.
    pub(crate) fn opened(entry: &Entry) -> Result<State, Refusal> {
        let Fact::Opened { code, opener, settings, secret, continued } = &entry.fact else {
            return Err(misfit("the first entry does not open a table"));
        };
        let settings = if continued.is_some() { settings.clone() } else { settings.clone().fitted(0) };
        let rules = Rules::new(settings.rules.clone())?;
        let mut state = State {
            code: code.clone(),
            seq: entry.seq,
            settings,
            rules: Arc::new(rules),
            agreement: 1,
            stage: Stage::Lobby,
            owner: Some(*opener),
            came: false,
            host: None,
            hostless: entry.at,
            next_person: 1,
            people: Vec::new(),
            kicked: Vec::new(),
            locked: false,
            chairs: Vec::new(),
            secret: *secret,
            spent: false,
            dealing: None,
            aborted: None,
            standing: None,
            game: None,
            accusation: None,
            chat: Default::default(),
            rounds: 0,
            matches: 0,
            earlier: None,
            notes: Default::default(),
            saved: 0,
            lost: false,
            alone: 0,
            recent: Default::default(),
            seating: Arc::new([]),
        };
        if let Some(continued) = continued {
            state.take_over(continued, *opener, entry)?;
        }
        state.remember(entry, Effect::TERMS, String::new());
        Ok(state)
    }

    /// Applies an entry. If it is refused, the state is unchanged.
    pub(crate) fn apply(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<(), Refusal> {
        if entry.seq != self.seq + 1 {
            return Err(misfit("the numbers of the entries have a gap"));
        }
        let (matches, paused) = (self.matches, self.is_paused());
        let gone = self.leaving(&entry.fact);
        let mut effect = self.carry_out(entry, dice)?;
        self.settle_owner();
        effect.terms |= self.stage == Stage::Lobby && self.fit_rules()?;
        self.pass(entry);
        self.count_alone(&entry.fact);
        effect.lobby |= self.is_paused() != paused;
        self.note(entry, matches);
        self.remember(entry, effect, gone);
        Ok(())
    }

    /// The name of somebody a fact removes.
    fn leaving(&self, fact: &Fact) -> String {
        match fact {
            Fact::Left { person, .. } | Fact::Kicked { person, .. } => {
                self.member(*person).map(|member| member.name.clone()).unwrap_or_default()
            }
            _ => String::new(),
        }
    }

    /// The entry is applied: notes its number, and that of the request it carried out.
    pub(crate) fn pass(&mut self, entry: &Entry) {
        self.seq = entry.seq;
        if let Some((person, id)) = entry.by
            && let Some(member) = self.member_mut(person)
        {
            member.last_id = member.last_id.max(id);
        }
    }

    /// Notes whether only bots are playing.
    fn count_alone(&mut self, fact: &Fact) {
        if self.has_people() {
            self.alone = 0;
        } else if matches!(fact, Fact::Acted { .. }) {
            self.alone = self.alone.saturating_add(1);
        }
    }

    /// Drops the oldest changes. Only between inputs: everything one input leads to must be sent, however much it is.
    pub(crate) fn forget_old_changes(&mut self) {
        let old = self.recent.len().saturating_sub(KEPT_CHANGES);
        self.recent.drain(..old);
    }

    fn remember(&mut self, entry: &Entry, effect: Effect, gone: String) {
        self.recent.push_back(Arc::new(Change {
            seq: entry.seq,
            by: entry.by,
            what: self.told(&entry.fact, gone),
            owner: if let Fact::Muted { person, .. } = entry.fact { Some(person) } else { None },
            events: effect.events.into(),
            seating: self.seating.clone(),
            terms: effect.terms,
            lobby: effect.lobby,
            game: effect.game,
        }));
    }

    pub(crate) fn carry_out(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<Effect, Refusal> {
        match &entry.fact {
            Fact::Opened { .. } => return Err(misfit("the table is open already")),
            Fact::Dealt {} => return self.deal(entry, dice),
            Fact::Acted { seat, action, actor } => return self.act(*seat, action, *actor, entry),
            Fact::AccusationEnded { seat, upheld } => return self.end_accusation(*seat, *upheld, entry),
            Fact::StoodIn { seat, why } => return self.stand_in(*seat, *why, dice),
            Fact::CameBack { seat } => return self.come_back(*seat),
            Fact::Committed { secret } => {
                (self.secret, self.spent) = (*secret, false);
                return Ok(Effect { game: self.game.is_some(), ..Effect::LOBBY });
            }
            Fact::Chatted { person, text } => return self.chatted(*person, text, entry.seq),
            Fact::Reacted { .. } | Fact::BotReacted { .. } => return Ok(Effect::NONE),
            Fact::Joined { person, guest, name, look } => self.join(*person, *guest, name, *look, entry),
            Fact::Sat { person, seat } => {
                self.sit(*person, *seat)?;
                return Ok(Effect { game: self.game.is_some(), ..Effect::LOBBY });
            }
            Fact::Claimed { person, seat } => self.claim(*person, *seat)?,
            Fact::Unclaimed { person } => self.unclaim(*person),
            Fact::Stood { person } => self.vacate(*person, None, dice),
            Fact::Left { person, kept } => self.leave(*person, *kept, dice)?,
            Fact::Released { seat, name } => {
                let chair = self.chair_mut(*seat).ok_or_else(|| misfit("there is no such seat"))?;
                chair.kept = None;
                name.clone_into(&mut chair.name);
            }
            Fact::Kicked { person, address } => self.kick(*person, *address, dice)?,
            Fact::Unkicked { person } => self.kicked.retain(|kicked| kicked.person != *person),
            Fact::Locked { locked } => self.locked = *locked,
            Fact::CodeRenewed { code } => self.code.clone_from(code),
            Fact::ChairLost { person } => {
                self.vacate(*person, None, dice);
                self.member_or_misfit(*person)?.lost_chair = true;
            }
            Fact::Renamed { person, name } => self.rename(*person, name)?,
            Fact::Forgotten { person, name } => {
                self.rename(*person, name)?;
                self.chat.retain(|line| line.person != *person);
            }
            Fact::Dressed { person, look } => self.dress(*person, *look)?,
            Fact::HostPassed { person, acting } => self.pass_host(*person, *acting)?,
            Fact::SettingsChanged { settings } => {
                self.change_settings(settings)?;
                return Ok(Effect::TERMS);
            }
            Fact::PaceChanged { pace } => {
                self.settings.pace = *pace;
                return Ok(Effect::TERMS);
            }
            Fact::Accepted { person } => self.chair_or_misfit(*person)?.accepted = true,
            Fact::Ready { person, ready, pledge } => {
                let chair = self.chair_or_misfit(*person)?;
                chair.ready = *ready;
                chair.pledge = pledge.or(chair.pledge);
            }
            Fact::DealBegun {} => self.begin_deal(entry.at),
            Fact::Pledged { person, pledge } => self.chair_or_misfit(*person)?.pledge = Some(*pledge),
            Fact::PledgesClosed {} => self.close_pledges(entry.at),
            Fact::PartOpened { person, part } => self.chair_or_misfit(*person)?.part = Some(*part),
            Fact::Withheld { seats } => self.withhold(seats, entry.at, dice)?,
            Fact::BotAdded { level, name } => self.add_chair(Chair::bot(name, *level)),
            Fact::BotRemoved { seat } => self.remove_bot(*seat)?,
            Fact::Reopened {} => {
                self.break_off();
                self.reopen();
            }
            Fact::RoundLost {} => {
                // A table that was restored without the round has already fallen back.
                if !std::mem::take(&mut self.lost) {
                    self.lose_round();
                }
                return Ok(Effect { game: true, ..Effect::LOBBY });
            }
            Fact::Hushed {} => {
                self.chat.clear();
                return Ok(Effect::NONE);
            }
            Fact::Muted { person, other, muted } => {
                self.mute(*person, *other, *muted)?;
                return Ok(Effect::NONE);
            }
            Fact::Accused { person, seat, voters } => self.accuse(*person, *seat, voters, entry.at)?,
            Fact::Judged { person, yes } => self.judge(*person, *yes)?,
            Fact::Closed {} => self.close(),
        }
        Ok(Effect::LOBBY)
    }

    fn chair_or_misfit(&mut self, person: Person) -> Result<&mut Chair, Refusal> {
        self.chair_of_mut(person).ok_or_else(|| misfit("that person has no chair"))
    }

    fn member_or_misfit(&mut self, person: Person) -> Result<&mut Member, Refusal> {
        self.member_mut(person).ok_or_else(|| misfit("that person is not at the table"))
    }

    fn join(&mut self, person: Person, guest: GuestId, name: &str, look: Look, entry: &Entry) {
        self.next_person = person.saturating_add(1);
        if self.owner == Some(guest) {
            (self.host, self.came) = (Some(person), true);
        }
        self.people.push(Member {
            person,
            guest,
            name: name.to_owned(),
            look,
            joined: entry.seq,
            last_id: 0,
            muted: Vec::new(),
            accuses_from: 0,
            accused_in: 0,
            lost_chair: false,
            waiting: false,
            link: Link { since: entry.at, ..Link::default() },
        });
    }

    fn add_chair(&mut self, chair: Chair) {
        self.chairs.push(chair);
        self.note_seating();
    }

    fn sit(&mut self, person: Person, seat: Option<Seat>) -> Result<(), Refusal> {
        let accepted = self.host == Some(person);
        if self.seat_of(person).is_some() {
            return Err(misfit("that person has a chair already"));
        }
        let member = self.member_or_misfit(person)?.clone();
        match seat {
            Some(seat) => self.take_chair(&member, seat)?,
            None => self.chairs.push(Chair { look: member.look, ..Chair::of(person, &member.name, accepted) }),
        }
        self.member_or_misfit(person)?.lost_chair = false;
        self.unclaim(person);
        self.note_seating();
        Ok(())
    }

    /// Somebody gives up their chair: in the lobby it vanishes, in a match a bot keeps it, for a guest or for nobody.
    fn vacate(&mut self, person: Person, kept: Option<GuestId>, dice: &mut dyn Dice) {
        self.unclaim(person);
        let Some(seat) = self.seat_of(person) else { return };
        if let Some(accusation) = &mut self.accusation {
            accusation.voters.retain(|(voter, _)| *voter != person);
        }
        if self.stage == Stage::Lobby && self.dealing.is_none() {
            self.chairs.remove(usize::from(seat));
            self.forget_parts();
        } else {
            let _ = self.stand_in(seat, Away::Left, dice);
            if let Some(chair) = self.chair_mut(seat) {
                (chair.person, chair.ready, chair.kept) = (None, true, kept);
            }
        }
        self.note_seating();
    }

    fn leave(&mut self, person: Person, kept: bool, dice: &mut dyn Dice) -> Result<(), Refusal> {
        let guest = self.member_or_misfit(person)?.guest;
        self.vacate(person, Some(guest).filter(|_| kept), dice);
        self.people.retain(|member| member.person != person);
        self.people.iter_mut().for_each(|member| member.muted.retain(|muted| *muted != person));
        if self.host == Some(person) {
            self.host = None;
        }
        Ok(())
    }

    /// Somebody is removed and kept out.
    fn kick(&mut self, person: Person, address: Option<AddressMark>, dice: &mut dyn Dice) -> Result<(), Refusal> {
        let Member { guest, name, .. } = self.member_or_misfit(person)?.clone();
        self.kicked.push(Kicked { person, guest, name, address });
        let over = self.kicked.len().saturating_sub(KEPT_OUT);
        self.kicked.drain(..over);
        self.leave(person, false, dice)
    }

    /// Somebody becomes the host, and the owner too unless they only stand in.
    fn pass_host(&mut self, person: Person, acting: bool) -> Result<(), Refusal> {
        let guest = self.member_or_misfit(person)?.guest;
        self.host = Some(person);
        if !acting {
            self.owner = Some(guest);
        }
        Ok(())
    }

    fn rename(&mut self, person: Person, name: &str) -> Result<(), Refusal> {
        name.clone_into(&mut self.member_or_misfit(person)?.name);
        if let Some(chair) = self.chair_of_mut(person) {
            name.clone_into(&mut chair.name);
        }
        Ok(())
    }

    fn dress(&mut self, person: Person, look: Look) -> Result<(), Refusal> {
        self.member_or_misfit(person)?.look = look;
        if let Some(chair) = self.chair_of_mut(person) {
            chair.look = look;
        }
        Ok(())
    }

    /// Applies what depends on the number of chairs taken; returns whether that changed the rules. It is not a new agreement:
    /// the players have agreed that this rule follows their number.
    fn fit_rules(&mut self) -> Result<bool, Refusal> {
        let fitted = self.settings.clone().fitted(self.chairs.len());
        let changed = fitted.rules != self.settings.rules;
        if changed {
            self.rules = Arc::new(Rules::new(fitted.rules.clone())?);
            self.settings = fitted;
        }
        Ok(changed)
    }

    /// New rules are a new agreement, which everybody but the host must accept.
    fn change_settings(&mut self, settings: &Settings) -> Result<(), Refusal> {
        let settings = settings.clone().fitted(self.chairs.len());
        if settings.rules != self.settings.rules {
            self.rules = Arc::new(Rules::new(settings.rules.clone())?);
            self.agreement += 1;
            let host = self.host;
            for chair in self.chairs.iter_mut().filter(|chair| chair.person.is_some() && chair.person != host) {
                (chair.accepted, chair.ready) = (false, false);
            }
        }
        self.settings = settings;
        Ok(())
    }

    fn remove_bot(&mut self, seat: Seat) -> Result<(), Refusal> {
        self.chair(seat).filter(|chair| chair.level.is_some()).ok_or_else(|| misfit("no bot sits there"))?;
        self.chairs.remove(usize::from(seat));
        self.forget_parts();
        self.note_seating();
        Ok(())
    }

    fn mute(&mut self, person: Person, other: Person, muted: bool) -> Result<(), Refusal> {
        let member = self.member_or_misfit(person)?;
        member.muted.retain(|known| *known != other);
        if muted {
            member.muted.push(other);
        }
        Ok(())
    }

    fn chatted(&mut self, person: Person, text: &str, seq: u64) -> Result<Effect, Refusal> {
        let name = self.member_or_misfit(person)?.name.clone();
        self.chat.push_back(ChatLine { seq, person, name, text: text.to_owned() });
        let mut bytes: usize = self.chat.iter().map(|line| line.text.len()).sum();
        while self.chat.len() > KEPT_CHAT || bytes > KEPT_CHAT_BYTES {
            bytes -= self.chat.pop_front().map_or(bytes, |line| line.text.len());
        }
        Ok(Effect::NONE)
    }

    fn accuse(&mut self, person: Person, seat: Seat, voters: &[Person], since: Moment) -> Result<(), Refusal> {
        let round = self.rounds;
        self.member_or_misfit(person)?.accuses_from = round.saturating_add(1);
        if let Some(accused) = self.chair(seat).and_then(|chair| chair.person) {
            self.member_or_misfit(accused)?.accused_in = round;
        }
        // Older journals do not say who votes: it was everybody who could.
        let voters = if voters.is_empty() { self.judges(person, seat) } else { voters.to_vec() };
        let voters = voters.into_iter().map(|voter| (voter, None)).collect();
        self.accusation = Some(Accusation { by: person, seat, voters, since });
        Ok(())
    }

    /// Who would vote on an accusation: the other people who play, one per address, and none at the accuser's. However
    /// many clients a household has, it is one voter.
    pub(crate) fn judges(&self, by: Person, seat: Seat) -> Vec<Person> {
        let address = |person| self.member(person).and_then(|member| member.link.address);
        let mut heard: Vec<AddressMark> = address(by).into_iter().collect();
        let chairs = (0..).zip(&self.chairs).filter(|(place, chair)| *place != seat && chair.away.is_none());
        let others = chairs.filter_map(|(_, chair)| chair.person).filter(|person| *person != by);
        let independent = others.filter(|person| match address(*person) {
            Some(mark) if heard.contains(&mark) => false,
            mark => {
                heard.extend(mark);
                true
            }
        });
        independent.collect()
    }

    fn judge(&mut self, person: Person, yes: bool) -> Result<(), Refusal> {
        let voters = self.accusation.iter_mut().flat_map(|accusation| &mut accusation.voters);
        let voter = voters.into_iter().find(|(voter, _)| *voter == person);
        voter.ok_or_else(|| misfit("that person has no vote"))?.1 = Some(yes);
        Ok(())
    }

    fn end_accusation(&mut self, seat: Seat, upheld: bool, entry: &Entry) -> Result<Effect, Refusal> {
        let mut events = Vec::new();
        if upheld {
            let game = self.game.as_mut().ok_or_else(|| misfit("there is no game"))?;
            let anchor = game.anchor_here();
            game.play.penalize(seat, &mut events)?;
            game.moved(entry, anchor, Noted::Penalized(seat));
            game.tallies.count(&events, None, game.play.round());
            self.tell_bots(&events);
        }
        let accuser = self.accusation.take().map(|accusation| accusation.by).filter(|_| !upheld);
        let free = self.rounds.saturating_add(1 + COOL_DOWN);
        if let Some(member) = accuser.and_then(|by| self.member_mut(by)) {
            member.accuses_from = free;
        }
        Ok(Effect { events, game: upheld, ..Effect::LOBBY })
    }

    pub(crate) fn stand_in(&mut self, seat: Seat, why: Away, dice: &mut dyn Dice) -> Result<Effect, Refusal> {
        let seed = seed(dice);
        let bound = self.is_opening();
        let chair = self.chair_mut(seat).ok_or_else(|| misfit("there is no such seat"))?;
        chair.away = Some(why);
        // Until pledges are closed nobody is bound by theirs, and a bot opens nothing.
        chair.pledge = chair.pledge.filter(|_| bound);
        chair.bot = chair.player().map(|level| LevelBot::new(level, seed));
        self.introduce(seat);
        Ok(Effect { game: self.game.is_some(), ..Effect::LOBBY })
    }

    fn come_back(&mut self, seat: Seat) -> Result<Effect, Refusal> {
        let chair = self.chair_mut(seat).ok_or_else(|| misfit("there is no such seat"))?;
        (chair.away, chair.bot, chair.timeouts) = (None, None, 0);
        (chair.missed, chair.claim) = (false, None);
        Ok(Effect { game: self.game.is_some(), ..Effect::LOBBY })
    }

    /// A match or a deal ends before its time: what decided the cards is revealed.
    fn break_off(&mut self) {
        self.aborted = self.broken_off();
        self.count_broken_match();
        self.spent |= self.dealing.take().is_some();
    }

    /// Back to the lobby: people who have left lose their chairs, everybody else keeps theirs.
    pub(crate) fn reopen(&mut self) {
        self.stage = Stage::Lobby;
        (self.game, self.standing, self.accusation, self.earlier) = (None, None, None, None);
        self.clear_abandoned();
        self.forget_parts();
        for chair in &mut self.chairs {
            (chair.away, chair.bot, chair.timeouts) = (None, None, 0);
            (chair.missed, chair.claim) = (false, None);
            chair.ready = chair.level.is_some();
        }
        self.seat_waiting();
    }

    pub(crate) fn clear_abandoned(&mut self) {
        let before = self.chairs.len();
        self.chairs.retain(|chair| !chair.is_abandoned());
        if self.chairs.len() < before {
            self.forget_parts();
        }
        self.note_seating();
    }

    /// A match that ends before somebody has won is kept too, because its deals can be checked.
    fn count_broken_match(&mut self) {
        let playing = self.game.as_ref().is_some_and(|game| game.play.winners().is_none());
        self.matches += u32::from(playing);
    }

    fn close(&mut self) {
        self.count_broken_match();
        self.stage = Stage::Closed;
        (self.game, self.standing, self.accusation, self.earlier) = (None, None, None, None);
        (self.dealing, self.aborted) = (None, None);
        self.people.clear();
        self.chairs.clear();
        self.host = None;
        self.note_seating();
    }

    fn deal(&mut self, entry: &Entry, dice: &mut dyn Dice) -> Result<Effect, Refusal> {
        let terms = self.standing.is_none() && self.fit_rules()?;
        if self.dealing.is_none() {
            return Err(misfit("no deal has begun"));
        }
        let fair = self.fair_deal();
        let mut events = Vec::new();
        let rules = Rules::clone(&self.rules);
        let (play, round) = match &self.standing {
            None if self.is_lesson() => {
                let play = lesson::deal(rules, fair.chance(), &mut events);
                (play.map_err(|_| misfit("the lesson does not fit the rules"))?, 1)
            }
            None => (Match::start(rules, self.chairs.len() as u8, None, fair.chance(), &mut events)?, 1),
            Some(Standing { scores, dealer, round }) => {
                let dealer = (dealer + 1) % (scores.len() as u8).max(1);
                (Match::go_on(rules, scores, dealer, fair.chance(), &mut events)?, round + 1)
            }
        };
        let (commitment, race) = (fair.commitment(), Vec::new());
        let (stamp, since) = (entry.seq, entry.at);
        let earlier = self.game.as_ref().filter(|_| round > 1);
        let mut tallies = earlier.map_or_else(|| Tallies::of(play.players()), |game| game.tallies.clone());
        tallies.count(&events, None, play.round());
        let (anchor, standings) = (None, None);
        let game = Game { play, round, at: 0, fair, commitment, stamp, since, race, anchor, tallies, standings };
        self.earlier = self.game.take().filter(|_| round > 1).map(|game| game.to_text());
        self.game = Some(Box::new(game));
        (self.stage, self.spent, self.standing) = (Stage::Playing, true, None);
        (self.dealing, self.aborted) = (None, None);
        self.forget_parts();
        self.rounds += 1;
        self.seat_bots(dice);
        Ok(Effect { events, terms, game: true, ..Effect::LOBBY })
    }

    /// Every bot takes up its cards; bots that played the last round remember what they know about the others.
    fn seat_bots(&mut self, dice: &mut dyn Dice) {
        for chair in &mut self.chairs {
            chair.ready = chair.person.is_none();
            chair.missed = chair.person.is_some() && chair.is_gone();
            match chair.player() {
                Some(level) if chair.bot.is_none() => chair.bot = Some(LevelBot::new(level, seed(dice))),
                Some(_) => {}
                None => chair.bot = None,
            }
        }
        (0..self.chairs.len()).for_each(|seat| self.introduce(seat as Seat));
    }

    /// A bot looks at the round for the first time.
    pub(crate) fn introduce(&mut self, seat: Seat) {
        let Some(game) = &self.game else { return };
        if let Some(bot) = self.chairs.get_mut(usize::from(seat)).and_then(|chair| chair.bot.as_mut()) {
            bot.begin(&Sight::new(game.play.round(), &self.rules, seat, game.play.scores()));
        }
    }

    /// Shows the bots the events they may see.
    fn tell_bots(&mut self, events: &[Event]) {
        for (seat, chair) in (0..).zip(&mut self.chairs) {
            if let Some(bot) = chair.bot.as_mut().filter(|bot| bot.listens()) {
                events.iter().for_each(|event| bot.see(&event.seen_by(Viewer::Seat(seat))));
            }
        }
    }

    fn act(&mut self, seat: Seat, form: &ActionForm, actor: Actor, entry: &Entry) -> Result<Effect, Refusal> {
        let action = form.action(self.rules.palette())?;
        let mut events = Vec::new();
        let game = self.game.as_mut().ok_or_else(|| misfit("there is no game"))?;
        let before = *game.play.round().phase();
        let anchor = game.anchor_here();
        game.play.apply(seat, &action, &mut events)?;
        game.moved(entry, anchor, Noted::Acted(seat, form.clone()));
        game.tallies.count(&events, Some(&before), game.play.round());
        game.stand();
        if restarts_clock(&action, &before, game.play.round().phase()) {
            game.since = entry.at;
        }
        self.tell_bots(&events);
        self.count_timeouts(seat, actor);
        let over = self.end_round();
        Ok(Effect { events, lobby: over, game: true, ..Effect::NONE })
    }

    fn count_timeouts(&mut self, seat: Seat, actor: Actor) {
        let Some(chair) = self.chair_mut(seat) else { return };
        match actor {
            Actor::Person => chair.timeouts = 0,
            Actor::Autopilot if chair.away.is_none() => chair.timeouts = chair.timeouts.saturating_add(1),
            _ => {}
        }
    }

    /// Whether the round is over, and what follows from that.
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
    fn moved(&mut self, entry: &Entry, anchor: Anchor, made: Noted) {
        self.keep_anchor(anchor, made);
        self.at += 1;
        self.stamp = entry.seq;
        self.watch_race(entry.at);
    }
}

impl Chair {
    pub(crate) fn of(person: Person, name: &str, accepted: bool) -> Chair {
        Chair {
            name: name.to_owned(),
            look: Look::default(),
            person: Some(person),
            level: None,
            away: None,
            accepted,
            ready: false,
            pledge: None,
            part: None,
            timeouts: 0,
            kept: None,
            claim: None,
            missed: false,
            bot: None,
        }
    }

    pub(crate) fn bot(name: &str, level: unum_bots::Level) -> Chair {
        Chair { person: None, level: Some(level), ready: true, ..Chair::of(0, name, true) }
    }
}

/// Whether the table waits for something new after an action: not after a late call or a catch, which do not change
/// whose turn it is, and not after one of several votes.
fn restarts_clock(action: &Action, before: &Phase, after: &Phase) -> bool {
    match action {
        Action::CallUno | Action::Catch(_) => before != after,
        Action::Vote(_) => !matches!(after, Phase::Vote { .. }),
        _ => true,
    }
}

/// An unguessable number.
pub(crate) fn seed(dice: &mut dyn Dice) -> u64 {
    let bytes = dice.roll();
    bytes.iter().take(8).fold(0, |seed, byte| seed << 8 | u64::from(*byte))
}
