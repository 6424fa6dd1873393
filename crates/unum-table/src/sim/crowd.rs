//! Simulated people who do everything people do, and the invariants that must hold meanwhile.

use std::collections::BTreeMap;

use unum_protocol::Level;
use unum_rules::wire::ActionForm;
use unum_rules::{Chance, ColorName, CustomCard, Edition, House, RulesSpec, Scoring, Seeded, Stacking};

use crate::{AddressMark, Fact, GuestId, Input, SeededDice, Table};
use unum_protocol::{GameView, Look, LookId, Pace, Reaction, Request, RequestKind, ServerMsg, Settings, Stage};
use unum_witness::Verdict;

use super::{Trial, offers, veil};

/// More steps than any table needs to play its rounds.
const MAX_STEPS: u32 = 4_000;
/// More decisions in succession than bots need to end a round.
const MAX_IDEAS: u32 = 1_000;
/// Numbers of guests that cannot be mistaken for anything else in a message.
const FIRST_GUEST: u64 = 7_777_000_000_000_000;

/// What a run has seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Rounds played.
    pub rounds: u64,
    /// Matches played to their end.
    pub matches: u64,
    /// Messages that somebody got.
    pub messages: u64,
    /// Their bytes.
    pub bytes: u64,
    /// How often what a viewer is told was compared with a table that differs in what is hidden from them.
    pub compared: u64,
    /// How often cards were different there.
    pub redealt: u64,
    /// How often the table was rebuilt from its journal and compared.
    pub restored: u64,
    /// How often requests of every type were tried and compared with what was offered.
    pub offered: u64,
    /// Actions that somebody made.
    pub actions: u64,
    /// Deals that somebody's client compared with what it had seen before.
    pub witnessed: u64,
    /// How often somebody pledged a part and did not open it.
    pub withheld: u64,
    /// Rounds and deals that were broken off, and revealed.
    pub broken_off: u64,
}

impl std::ops::AddAssign for Report {
    fn add_assign(&mut self, more: Report) {
        self.rounds += more.rounds;
        self.matches += more.matches;
        self.messages += more.messages;
        self.bytes += more.bytes;
        self.compared += more.compared;
        self.redealt += more.redealt;
        self.restored += more.restored;
        self.offered += more.offered;
        self.actions += more.actions;
        self.witnessed += more.witnessed;
        self.withheld += more.withheld;
        self.broken_off += more.broken_off;
    }
}

/// Opens a table with settings made from the seed, and lets a crowd play `rounds` rounds there.
///
/// # Errors
/// Says what did not hold.
pub fn run(seed: u64, rounds: u64) -> Result<Report, String> {
    let mut rng = Seeded::new(seed);
    let settings = random_settings(&mut rng);
    let trial = Trial::open(guest(0), settings, seed).map_err(|refusal| format!("seed {seed}: {refusal:?}"))?;
    let mut crowd =
        Crowd { trial, rng, clients: BTreeMap::new(), newcomer: None, endless: false, report: Report::default() };
    crowd.play(rounds).and_then(|()| crowd.check_records()).map_err(|wrong| format!("seed {seed}: {wrong}"))?;
    Ok(crowd.report)
}

/// One of the people, as their client knows things.
#[derive(Clone, Debug, Default)]
struct Client {
    connected: bool,
    /// The number of the last change they know of.
    seq: Option<u64>,
    /// What they were last told they may do.
    may: Vec<RequestKind>,
}

fn guest(number: u32) -> GuestId {
    GuestId(FIRST_GUEST + u64::from(number))
}

struct Crowd {
    trial: Trial,
    rng: Seeded,
    clients: BTreeMap<GuestId, Client>,
    /// Who was greeted last.
    newcomer: Option<GuestId>,
    /// Whether bots go on and on.
    endless: bool,
    report: Report,
}

impl Crowd {
    fn play(&mut self, rounds: u64) -> Result<(), String> {
        self.fill()?;
        for _ in 0..MAX_STEPS {
            self.report.rounds = u64::from(self.trial.table.state.rounds);
            self.report.matches = u64::from(self.trial.table.matches());
            if self.report.rounds > rounds || self.trial.table.is_closed() || self.endless {
                break;
            }
            self.step()?;
        }
        // Perhaps nobody was ready, or a round never ends: the checks so far still count.
        Ok(())
    }

    /// Every match that was played to its end or broken off can be made a record of, which replays.
    fn check_records(&mut self) -> Result<(), String> {
        let finished = crate::records(self.trial.entries.iter().cloned()).map_err(|error| format!("{error:?}"))?;
        let matches = self.trial.table.matches() as usize;
        if finished.len() != matches {
            return Err(format!("{} records of {matches} matches", finished.len()));
        }
        let (witnessed, facts) = (&self.trial.verdicts, self.trial.entries.iter().map(|entry| &entry.fact));
        let compared = witnessed.iter().filter(|(_, verdict)| matches!(verdict, Verdict::Fair { .. }));
        self.report.witnessed = compared.count() as u64;
        self.report.withheld = facts.clone().filter(|fact| matches!(fact, Fact::Withheld { .. })).count() as u64;
        self.report.broken_off = facts.filter(|fact| matches!(fact, Fact::Reopened {})).count() as u64;
        for one in &finished {
            one.record.replay().map_err(|error| error.to_string())?;
            let parts = self.trial.parts_of(one.number);
            let noted = crate::finished(one.number, &parts).map_err(|error| error.to_string())?;
            if noted != *one {
                return Err(format!("match {} was noted differently than it was journaled", one.number));
            }
        }
        Ok(())
    }

    fn one_in(&mut self, chances: u32) -> bool {
        self.rng.below(chances) == 0
    }

    /// One to four people, and bots up to the number of seats or fewer.
    fn fill(&mut self) -> Result<(), String> {
        let people = 1 + self.rng.below(4);
        for number in 0..people {
            self.arrive(guest(number))?;
        }
        let host = guest(0);
        let wanted = 1 + self.rng.below(u32::from(self.trial.table.state.settings.seats));
        for _ in 0..wanted {
            let level = [Level::Random, Level::Easy, Level::Normal, Level::Hard][self.rng.below(4) as usize];
            if self.trial.table.state.has_room() {
                self.ask(host, Request::AddBot { level })?;
            }
        }
        Ok(())
    }

    /// Somebody does something, or time passes.
    fn step(&mut self) -> Result<(), String> {
        match self.rng.below(12) {
            0 => self.come_and_go()?,
            1 => self.talk()?,
            2..=4 => self.pass_time()?,
            _ => self.go_on()?,
        }
        if self.one_in(80) {
            self.compare_restored()?;
        }
        if self.one_in(20) {
            self.compare_offers()?;
        }
        Ok(())
    }

    /// Lets some time pass, and looks at everything that is told to anybody on the way.
    fn pass_time(&mut self) -> Result<(), String> {
        let longest = if self.one_in(20) { 70_000 } else { 2_500 };
        let end = self.trial.now.after(u64::from(self.rng.below(longest)));
        self.think()?;
        while let Some(due) = self.trial.table.deadline().filter(|due| *due <= end && !self.endless) {
            self.trial.now = self.trial.now.max(due);
            self.input(Input::Tick)?;
            self.think()?;
            if self.trial.table.deadline() == Some(due) && !self.endless {
                return Err(format!("what is due at {due:?} is not done by a tick: the server would never rest"));
            }
        }
        self.trial.now = end;
        Ok(())
    }

    /// Lets bots do what they have to do, up to a limit: penalties may fill hands faster than they are played.
    fn think(&mut self) -> Result<(), String> {
        for _ in 0..MAX_IDEAS {
            let thoughts = self.trial.table.thoughts(self.trial.now);
            if thoughts.is_empty() {
                return Ok(());
            }
            for thought in thoughts {
                self.input(Input::Thought(thought.think()))?;
            }
        }
        self.endless = true;
        Ok(())
    }

    fn input(&mut self, input: Input) -> Result<(), String> {
        let before = self.trial.table.seq();
        self.trial.input(input);
        self.read_inboxes(before)
    }

    fn arrive(&mut self, guest: GuestId) -> Result<(), String> {
        let before = self.trial.table.seq();
        let client = self.clients.entry(guest).or_default();
        client.connected = true;
        let after = client.seq;
        let forgets = self.rng.below(4) == 0;
        let worn = ["", "fox", "owl"].map(|id| LookId::parse(id).unwrap_or_default());
        self.trial.look = Look { avatar: pick(&worn, &mut self.rng), back: pick(&worn, &mut self.rng) };
        self.trial.address = Some(AddressMark(u64::from(self.rng.below(50))));
        let outcome = self.trial.arrive(guest, "Pat", after.filter(|_| !forgets));
        if outcome.dismissed.contains(&guest) {
            self.clients.remove(&guest);
        }
        self.newcomer = Some(guest);
        let done = self.read_inboxes(before);
        self.newcomer = None;
        done
    }

    fn come_and_go(&mut self) -> Result<(), String> {
        let guest = guest(self.rng.below(5));
        let client = self.clients.get(&guest).cloned().unwrap_or_default();
        if !client.connected {
            return self.arrive(guest);
        }
        let before = self.trial.table.seq();
        if self.one_in(3) {
            self.trial.input(Input::Gone { guest });
            self.clients.insert(guest, Client { connected: false, ..client });
        }
        if !self.trial.silent.remove(&guest) && self.one_in(4) {
            self.trial.silent.insert(guest);
        }
        let others = self.trial.table.state.people.len() > 1;
        match self.rng.below(60) {
            0 if others => self.ask(guest, Request::Quit {})?,
            14..=16 if others => self.ask(guest, Request::Leave {})?,
            17..=24 => {
                let seat = if self.one_in(2) { None } else { Some(self.rng.below(4) as u8) };
                self.ask(guest, Request::Take { seat })?;
            }
            1 => self.ask(guest, Request::Stand {})?,
            2 => self.ask(guest, Request::Reopen {})?,
            3 | 4 => self.ask(guest, Request::Sit {})?,
            5 | 6 => {
                let on = self.one_in(2);
                self.ask(guest, Request::Autopilot { on })?;
            }
            7 => {
                let person = 1 + self.rng.below(6);
                self.ask(guest, Request::PassHost { person })?;
            }
            8 => {
                let (person, address) = (1 + self.rng.below(6), self.one_in(4));
                self.ask(guest, Request::Kick { person, address })?;
            }
            9 | 10 => {
                let person = 1 + self.rng.below(6);
                self.ask(guest, Request::Unkick { person })?;
            }
            11 | 12 => {
                let locked = self.one_in(3);
                self.ask(guest, Request::Lock { locked })?;
            }
            13 => self.ask(guest, Request::NewCode {})?,
            14 => {
                let pace = if self.one_in(2) { Pace::Instant } else { Pace::Brisk };
                self.ask(guest, Request::Pace { pace })?;
            }
            _ => {}
        }
        self.read_inboxes(before)
    }

    fn talk(&mut self) -> Result<(), String> {
        let Some(guest) = self.somebody() else { return Ok(()) };
        let person = 1 + self.rng.below(6);
        let request = match self.rng.below(8) {
            0 => Request::React { reaction: Reaction::Wow },
            1 => Request::Mute { person, muted: self.one_in(2), always: self.one_in(2) },
            2 => Request::Accuse { seat: self.rng.below(5) as u8 },
            3 => Request::Rename { name: format!("Pat {person}") },
            _ => Request::Chat { text: format!("<i>{}</i>", self.rng.below(1000)) },
        };
        self.ask(guest, request)
    }

    fn somebody(&mut self) -> Option<GuestId> {
        let connected: Vec<GuestId> =
            self.clients.iter().filter(|(_, client)| client.connected).map(|(guest, _)| *guest).collect();
        let count = connected.len() as u32;
        (count > 0).then(|| connected[self.rng.below(count) as usize])
    }

    /// Somebody does what the table needs to go on.
    fn go_on(&mut self) -> Result<(), String> {
        let Some(guest) = self.somebody() else { return self.come_and_go() };
        let Some((lobby, game)) = self.trial.snapshot_for(guest) else { return Ok(()) };
        let may = self.trial.own_for(guest).unwrap_or_default().may;
        let judging = may.contains(&RequestKind::Judge);
        let request = match (lobby.stage, game) {
            (Stage::Lobby, _) if may.contains(&RequestKind::Accept) => {
                Request::Accept { agreement: self.trial.table.agreement() }
            }
            (Stage::Lobby, _) if may.contains(&RequestKind::Start) => Request::Start { pledge: None },
            (Stage::Lobby, _) if may.contains(&RequestKind::Sit) => Request::Sit {},
            (Stage::Playing, Some(game)) => return self.play_on(guest, &game, judging),
            _ => Request::Ready { ready: true, pledge: None },
        };
        self.ask(guest, request)
    }

    /// Makes a move of those listed, or one that is not.
    fn play_on(&mut self, guest: GuestId, game: &GameView, judging: bool) -> Result<(), String> {
        if judging && self.one_in(2) {
            let yes = self.one_in(2);
            return self.ask(guest, Request::Judge { yes });
        }
        if self.one_in(8) {
            let action = self.unlikely_action();
            return self.ask(guest, Request::Act { action, at: None });
        }
        let count = game.legal.len() as u32;
        if count == 0 {
            return Ok(());
        }
        let choice = &game.legal[self.rng.below(count) as usize];
        let action = choice.action.first_action(game.view.hand.as_deref().unwrap_or_default());
        self.make_legal_move(guest, action, game.at)
    }

    /// What is listed as legal must not be refused, unless it had to wait.
    fn make_legal_move(&mut self, guest: GuestId, action: ActionForm, at: u32) -> Result<(), String> {
        let waits = matches!(action, ActionForm::Catch { .. }) || !self.trial.table.held.is_empty();
        let from = self.trial.inboxes.get(&guest).map_or(0, Vec::len);
        self.report.actions += 1;
        let answers = self.trial.ask(guest, Request::Act { action: action.clone(), at: Some(at) });
        let before = answers.entries.first().map_or(self.trial.table.seq(), |entry| entry.seq - 1);
        let inbox = self.trial.inboxes.get(&guest).map_or(&[][..], |inbox| &inbox[from..]);
        if let Some(refusal) = inbox.iter().find(|message| matches!(message, ServerMsg::Refused { .. }))
            && !waits
        {
            return Err(format!("{action:?} was listed as legal, but: {refusal:?}"));
        }
        self.read_inboxes(before)
    }

    fn unlikely_action(&mut self) -> ActionForm {
        match self.rng.below(8) {
            0 => ActionForm::Draw {},
            1 => ActionForm::Challenge {},
            2 => ActionForm::CallUno {},
            3 => ActionForm::Catch { seat: self.rng.below(12) as u8 },
            4 => ActionForm::Take {},
            5 => ActionForm::Vote { yes: true },
            6 => ActionForm::CallColor { color: Some(ColorName::Red) },
            _ => serde_json::from_str(r#"{"type":"play","card":"G7"}"#).unwrap_or(ActionForm::Keep {}),
        }
    }

    fn ask(&mut self, guest: GuestId, request: Request) -> Result<(), String> {
        veil::check_answer(&self.trial.table, guest, &request, self.trial.now, &mut self.rng)?;
        let before = self.trial.table.seq();
        let outcome = self.trial.ask(guest, request);
        for gone in outcome.dismissed {
            self.clients.remove(&gone);
        }
        self.read_inboxes(before)
    }

    /// Looks at what everybody was told: numbers without gaps, nothing hidden.
    fn read_inboxes(&mut self, before: u64) -> Result<(), String> {
        let secrets: Vec<String> = self.trial.entries.iter().filter_map(veil::secret_of).collect();
        for (guest, inbox) in std::mem::take(&mut self.trial.inboxes) {
            for message in inbox {
                self.read_message(guest, &message, &secrets)?;
            }
        }
        self.compare_told()?;
        let quiet = self.trial.table.seq() == before && self.newcomer.is_none();
        if quiet { Ok(()) } else { self.compare_redealt(before) }
    }

    fn read_message(&mut self, guest: GuestId, message: &ServerMsg, secrets: &[String]) -> Result<(), String> {
        let text = serde_json::to_string(message).map_err(|error| error.to_string())?;
        self.report.messages += 1;
        self.report.bytes += text.len() as u64;
        veil::check_message(secrets, message, &text)?;
        let Some(client) = self.clients.get_mut(&guest) else { return Ok(()) };
        if let ServerMsg::Snapshot { own, .. }
        | ServerMsg::Update { own: Some(own), .. }
        | ServerMsg::Presence { own: Some(own), .. } = message
        {
            client.may.clone_from(&own.may);
        }
        match message {
            ServerMsg::Snapshot { seq, .. } => client.seq = Some(*seq),
            ServerMsg::Update { seq, .. } if client.seq.is_none_or(|known| known + 1 == *seq) => {
                client.seq = Some(*seq);
            }
            ServerMsg::Update { seq, .. } => {
                return Err(format!("after change {:?} a client got change {seq}", client.seq));
            }
            _ => {}
        }
        Ok(())
    }

    fn compare_redealt(&mut self, before: u64) -> Result<(), String> {
        let viewers: Vec<GuestId> = self.trial.table.guests().collect();
        for guest in viewers {
            // Those just greeted may have been told everything; the others could be, if they came now.
            let whole = self.newcomer == Some(guest) || self.one_in(8);
            let after = (!whole).then_some(before);
            let differs = veil::check(&self.trial.table, guest, after, self.trial.now, &mut self.rng)?;
            self.report.compared += 1;
            self.report.redealt += u64::from(differs);
        }
        Ok(())
    }

    /// What people are told they may do is what they may do.
    fn compare_offers(&mut self) -> Result<(), String> {
        let guests: Vec<GuestId> = self.trial.table.guests().collect();
        for guest in guests {
            offers::check(&self.trial, guest)?;
            self.report.offered += 1;
        }
        Ok(())
    }

    /// Nobody has an old list of what they may do.
    fn compare_told(&self) -> Result<(), String> {
        let state = &self.trial.table.state;
        if self.trial.table.gathered.is_pending() {
            return Ok(());
        }
        for (guest, client) in self.clients.iter().filter(|(_, client)| client.connected) {
            let Some(member) = state.guest(*guest) else { continue };
            let may = state.may(member);
            if client.may != may {
                return Err(format!("somebody was told {:?}, but may {may:?}", client.may));
            }
        }
        Ok(())
    }

    /// The table must be the same when it is rebuilt from its journal.
    fn compare_restored(&mut self) -> Result<(), String> {
        let restored = match self.rng.below(3) {
            0 => self.trial.restored(false),
            1 => self.trial.restored(true),
            // A snapshot of just now, whatever the table is doing.
            _ => {
                let snapshot = self.trial.table.clone().state.save();
                Table::restore(Some(&snapshot), [], self.trial.now, &mut SeededDice::new(1))
            }
        };
        let mut restored = restored.map_err(|error| error.to_string())?;
        let [here, there] = [&self.trial.table, &restored].map(Table::seal);
        if here != there || restored.has_lost_round() {
            return Err("the journal gives another game".to_owned());
        }
        restored.adopt_presence(&self.trial.table);
        for guest in self.trial.table.guests() {
            let [here, there] = [&self.trial.table, &restored].map(|table| table.greet(guest, None, self.trial.now));
            if here != there {
                return Err(format!("the journal gives another table:\n{here:?}\n{there:?}"));
            }
        }
        self.report.restored += 1;
        Ok(())
    }
}

/// Random settings; every third table plays an edition as printed.
fn random_settings(rng: &mut Seeded) -> Settings {
    let mut rules = RulesSpec::of(Edition::ALL[rng.below(Edition::ALL.len() as u32) as usize]);
    if rng.below(3) > 0 {
        rules.house = random_house(rng);
    }
    let target = 30 + rng.below(150);
    rules.scoring = Some(pick(&[Scoring::FirstTo(target), Scoring::LowestAt(target), Scoring::SingleRound], rng));
    if rules.edition == Edition::Custom {
        let card = |rng: &mut Seeded| pick(&[None, Some(1 + rng.below(10) as u8)], rng);
        let cards = (0..rng.below(4)).map(|_| card(rng).map_or(CustomCard::Plain, CustomCard::Starter));
        rules.custom_cards = Some(cards.collect());
    }
    Settings {
        rules,
        seats: 2 + rng.below(9) as u8,
        spectators: rng.below(4) > 0,
        clock: pick(&[None, Some(5), Some(30)], rng),
        pace: pick(&[Pace::Instant, Pace::Brisk, Pace::Relaxed], rng),
        usual_for_two: rng.below(2) > 0,
        ..Settings::default()
    }
}

fn random_house(rng: &mut Seeded) -> House {
    let mut on = |chances: u32| rng.below(chances) == 0;
    let no_bluffing = on(4);
    House {
        reverse_skips_with_two: on(2),
        stacking: if on(2) { Stacking::Any } else { Stacking::Same },
        seven_zero: on(3),
        jump_in: on(3),
        draw_to_match: on(4),
        force_play: on(4),
        no_bluffing,
        no_challenges: !no_bluffing && on(4),
        hand_size: on(3).then_some(3),
        uno_penalty: on(4).then_some(4),
        suggestion_penalty: on(2).then_some(2),
    }
}

fn pick<T: Copy>(choices: &[T], rng: &mut Seeded) -> T {
    choices[rng.below(choices.len() as u32) as usize]
}
