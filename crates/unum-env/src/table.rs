//! A round as a sequence of decisions.

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::{Bot, LevelBot, Random};
use unum_lab::{Contestant, Thinker, derive};
use unum_rules::{Action, Chance, Event, Phase, Refusal, Round, Rules, RulesError, Seat, SeatSet, Sight, Sink, Viewer};

use crate::decision::{Decision, NotLegal, Progress, Unos};
use crate::encoding::{Choice, Encoding};
use crate::ids::IdSet;
use crate::observe::{InPlay, Laid};

/// More actions than any round needs; a round that takes them all is given up, and nobody wins it.
const MAX_ACTIONS: u32 = 20_000;

/// Why there can be no such environment, or no such step.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EnvError {
    /// That many cannot play by these rules.
    #[error("{0}")]
    Rules(#[from] RulesError),
    /// An id that is not legal.
    #[error("{0}")]
    NotLegal(#[from] NotLegal),
    /// Nobody is left to learn.
    #[error("every seat has a bot: leave at least one of the {0} seats free")]
    NoLearner(u8),
    /// A bot on a seat that does not exist.
    #[error("there are bots for {given} seats, but {players} play")]
    TooManyBots {
        /// How many seats have an entry.
        given: usize,
        /// How many play.
        players: u8,
    },
    /// Bots where every random event is chosen.
    #[error("bots decide by chance of their own: leave all seats free where chance is explicit")]
    BotsAndChance,
    /// The round is over.
    #[error("the round is over: reset the environment")]
    Over,
    /// The encoding offered something that the rules refuse: a defect of this crate.
    #[error("the rules refuse what was offered: {0}")]
    Refused(Refusal),
}

/// What a round pays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Payoff {
    /// 1 for the winner, shared as a loss by the others; nothing if the round was blocked.
    #[default]
    Win,
    /// A hundredth of the points of all other hands for the winner; the others lose those of their own.
    Points,
}

/// What is the same for all rounds of an environment.
#[derive(Clone, Debug)]
pub struct Setting {
    rules: Rules,
    players: u8,
    unos: Unos,
    encoding: &'static Encoding,
    /// By seat; empty if all seats are free.
    bots: Vec<Option<Thinker>>,
}

impl Setting {
    /// Rounds of that many who all learn.
    ///
    /// # Errors
    /// When that many cannot play by these rules.
    pub fn new(rules: Rules, players: u8, unos: Unos) -> Result<Setting, EnvError> {
        Round::deal(&rules, players, 0, &mut Pcg64Mcg::seed_from_u64(0), &mut ())?;
        let encoding = Encoding::of(rules.spec().edition);
        Ok(Setting { rules, players, unos, encoding, bots: Vec::new() })
    }

    /// The same with bots, by seat. Seats without one are free.
    ///
    /// # Errors
    /// When there are more entries than players, or no seat is free.
    pub fn with_bots(mut self, bots: Vec<Option<Thinker>>) -> Result<Setting, EnvError> {
        if bots.len() > usize::from(self.players) {
            return Err(EnvError::TooManyBots { given: bots.len(), players: self.players });
        }
        if bots.iter().flatten().count() == usize::from(self.players) {
            return Err(EnvError::NoLearner(self.players));
        }
        self.bots = if bots.iter().all(Option::is_none) { Vec::new() } else { bots };
        Ok(self)
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many play.
    pub fn players(&self) -> u8 {
        self.players
    }

    /// What the numbers mean.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Whether "UNO" is called by itself.
    pub fn unos(&self) -> Unos {
        self.unos
    }

    /// Deals a round. Where bots play the first turns, they have played when this returns; a round that they finish
    /// before anybody else could decide is dealt again.
    ///
    /// # Panics
    /// If there is no such dealer.
    pub fn deal(&self, seed: u64, dealer: Seat) -> Table {
        let mut again = 0;
        loop {
            let mut table = self.deal_once(derive(seed, &[again]), dealer);
            table.advance(self);
            if table.decides || again > 1_000 {
                return table;
            }
            again += 1;
        }
    }

    /// Whether some seats have bots.
    pub(crate) fn has_bots(&self) -> bool {
        !self.bots.is_empty()
    }

    /// A round with another source of chance, without bots.
    pub(crate) fn deal_with<C: Chance>(&self, mut chance: C, dealer: Seat) -> Table<C> {
        let round = Round::deal(&self.rules, self.players, dealer, &mut chance, &mut ());
        let round = round.expect("that many can play by these rules");
        let mut table = self.table(round, chance, Vec::new());
        table.advance(self);
        table
    }

    fn deal_once(&self, seed: u64, dealer: Seat) -> Table {
        let mut chance = Pcg64Mcg::seed_from_u64(seed);
        let round = Round::deal(&self.rules, self.players, dealer, &mut chance, &mut ());
        let round = round.expect("that many can play by these rules");
        let mut bots = Vec::new();
        for (place, thinker) in (0u64..).zip(&self.bots) {
            let bot = thinker.as_ref().and_then(|thinker| {
                let mut bot = thinker.enter().ok()?;
                thinker.renew(&mut bot, derive(seed, &[1 + place]));
                bot.begin(&Sight::new(&round, &self.rules, place as Seat, &[]));
                Some(bot)
            });
            bots.push(bot);
        }
        self.table(round, chance, bots)
    }

    /// A table just dealt, before anybody decides.
    fn table<C: Chance>(&self, round: Round, chance: C, bots: Vec<Option<LevelBot>>) -> Table<C> {
        let in_play = InPlay::of(&Sight::new(&round, &self.rules, 0, &[]));
        let decision = Decision::none(self.unos);
        Table { round, chance, in_play, seat: 0, decides: false, decision, race: None, actions: 0, bots }
    }
}

/// What everybody gets for a round, by seat.
pub(crate) fn pay(round: &Round, rules: &Rules, winner: Option<Seat>, payoff: Payoff, rewards: &mut [f32]) {
    rewards.fill(0.0);
    let Some(winner) = winner.map(usize::from) else { return };
    let others = f32::from(round.players()) - 1.0;
    for (seat, reward) in rewards.iter_mut().enumerate().take(usize::from(round.players())) {
        *reward = match payoff {
            Payoff::Win if seat == winner => 1.0,
            Payoff::Win => -1.0 / others,
            Payoff::Points => -(rules.hand_points(round.hand(seat as Seat)) as f32) / 100.0,
        };
    }
    if payoff == Payoff::Points
        && let Some(place) = rewards.get_mut(winner)
    {
        *place = 0.0;
        let lost: f32 = rewards.iter().sum();
        rewards[winner] = -lost;
    }
}

/// Asking seat after seat whether they do something out of turn.
#[derive(Clone, Copy, Debug)]
struct Race {
    first: Seat,
    asked: u8,
}

/// A round in progress.
#[derive(Clone, Debug)]
pub struct Table<C = Pcg64Mcg> {
    round: Round,
    chance: C,
    /// The cards outside the discard pile, kept up to date because every observation needs them.
    in_play: InPlay,
    seat: Seat,
    /// Whether a seat decides; if not, the decision is an old one.
    decides: bool,
    decision: Decision,
    race: Option<Race>,
    actions: u32,
    bots: Vec<Option<LevelBot>>,
}

impl<C: Chance> Table<C> {
    /// Who decides; `None` when the round is over.
    #[inline]
    pub fn seat(&self) -> Option<Seat> {
        self.decides.then_some(self.seat)
    }

    /// What is being decided.
    #[inline]
    pub fn decision(&self) -> Option<&Decision> {
        self.decides.then_some(&self.decision)
    }

    /// The round itself, hidden cards included.
    pub fn round(&self) -> &Round {
        &self.round
    }

    /// The ids that can be chosen.
    #[inline]
    pub fn legal(&self) -> &IdSet {
        self.decision().map_or(&IdSet::EMPTY, Decision::legal)
    }

    /// Who has won; `None` before the end, and if nobody has.
    pub fn winner(&self) -> Option<Seat> {
        match *self.round.phase() {
            Phase::Over { winner } => winner,
            _ => None,
        }
    }

    /// How many actions of the rules were carried out.
    pub fn actions(&self) -> u32 {
        self.actions
    }

    /// Writes what a seat may know. Only the seat that decides sees how far its decision has come.
    #[inline]
    pub fn observe(&self, setting: &Setting, seat: Seat, out: &mut [u8]) {
        let own = self.decision().filter(|_| seat == self.seat);
        let sight = Sight::new(&self.round, &setting.rules, seat, &[]);
        setting.encoding.observe_in_play(&sight, own, &self.in_play, out);
    }

    /// Makes a choice for the seat that decides, and lets the game go on to the next decision or to its end.
    ///
    /// # Errors
    /// When the id is not legal or the round is over; nothing has changed then.
    #[inline]
    pub fn step(&mut self, setting: &Setting, id: u16) -> Result<(), EnvError> {
        if !self.decides {
            return Err(EnvError::Over);
        }
        if !self.step_at_once(setting, id).map_err(EnvError::Refused)? {
            let sight = Sight::new(&self.round, &setting.rules, self.seat, &[]);
            match self.decision.choose(&sight, setting.encoding, id)? {
                Progress::More => return Ok(()),
                Progress::Act(action) => {
                    self.apply(setting, self.seat, &action).map_err(EnvError::Refused)?;
                    self.race = None;
                }
                Progress::Pass => {
                    if let Some(race) = &mut self.race {
                        race.asked += 1;
                    }
                }
            }
        }
        self.decides = false;
        self.advance(setting);
        Ok(())
    }

    /// The most frequent choices, which are whole actions, without the detour over an [`Action`] of any kind. Whether this is one.
    #[inline]
    fn step_at_once(&mut self, setting: &Setting, id: u16) -> Result<bool, Refusal> {
        if !self.decision.legal().contains(id) || !self.bots.is_empty() {
            return Ok(false);
        }
        let Table { round, chance, in_play, seat, .. } = self;
        let (rules, seat) = (&setting.rules, *seat);
        let laid = match setting.encoding.choice(id) {
            Some(Choice::Play(card, color)) => {
                let sight = Sight::new(round, rules, seat, &[]);
                let Some(play) = self.decision.whole_play(&sight, card, color) else { return Ok(false) };
                round.play(rules, seat, &play, chance, &mut ())?;
                Laid::by_play(card)
            }
            Some(Choice::Draw) => {
                round.draw(rules, seat, chance, &mut ())?;
                Laid::Nothing
            }
            Some(Choice::Keep) => {
                round.apply(rules, seat, &Action::Keep, chance, &mut ())?;
                Laid::Nothing
            }
            _ => return Ok(false),
        };
        in_play.follow(&Sight::new(round, rules, seat, &[]), laid);
        self.actions += 1;
        self.race = None;
        Ok(true)
    }

    /// What everybody gets when the round is over, by seat.
    pub fn pay(&self, setting: &Setting, payoff: Payoff, rewards: &mut [f32]) {
        pay(&self.round, &setting.rules, self.winner(), payoff, rewards);
    }

    /// Replaces the source of chance.
    pub(crate) fn set_chance(&mut self, chance: C) {
        self.chance = chance;
    }

    /// The source of chance.
    pub(crate) fn chance_mut(&mut self) -> &mut C {
        &mut self.chance
    }

    fn is_over(&self) -> bool {
        self.round.is_over() || self.actions >= MAX_ACTIONS
    }

    /// Lets bots act until somebody else decides or the round is over.
    #[inline]
    fn advance(&mut self, setting: &Setting) {
        while !self.is_over() {
            if self.ask_out_of_turn(setting) {
                if self.decides {
                    return;
                }
                continue;
            }
            let Some(seat) = self.round.awaited() else { return };
            if let Some(bot) = self.bots.get_mut(usize::from(seat)).and_then(Option::as_mut) {
                let action = bot.act(&Sight::new(&self.round, &setting.rules, seat, &[]));
                self.apply_for_bot(setting, seat, &action);
                continue;
            }
            self.seat = seat;
            let sight = Sight::new(&self.round, &setting.rules, seat, &[]);
            self.decides = self.decision.begin(&sight, setting.encoding);
            return;
        }
    }

    /// Asks who could call late, catch or jump in, in turn from a random seat on, as the laboratory does. Whether
    /// somebody was found: a seat that decides, or a bot that has acted.
    #[inline]
    fn ask_out_of_turn(&mut self, setting: &Setting) -> bool {
        let can_jump_in = setting.rules.house().jump_in && matches!(self.round.phase(), Phase::Turn { .. });
        if self.round.liable().is_empty() && !can_jump_in {
            return false;
        }
        let players = setting.players;
        let mut race = match self.race {
            Some(race) => race,
            None => Race { first: self.chance.below(u32::from(players)) as Seat, asked: 0 },
        };
        while race.asked < players {
            let seat = (race.first + race.asked) % players;
            self.race = Some(race);
            let sight = Sight::new(&self.round, &setting.rules, seat, &[]);
            let asked = Decision::react(&sight, setting.encoding, setting.unos);
            if let Some(decision) = asked {
                let Some(bot) = self.bots.get_mut(usize::from(seat)).and_then(Option::as_mut) else {
                    self.seat = seat;
                    (self.decision, self.decides) = (decision, true);
                    return true;
                };
                if let Some(action) = bot.react(&sight) {
                    self.apply_for_bot(setting, seat, &action);
                    return true;
                }
            }
            race.asked += 1;
        }
        self.race = Some(race);
        false
    }

    /// What a bot wants, or what the autopilot does if the rules refuse it.
    fn apply_for_bot(&mut self, setting: &Setting, seat: Seat, action: &Action) {
        self.race = None;
        if self.apply(setting, seat, action).is_err() {
            let mut autopilot = Random::new(u64::from(self.chance.below(u32::MAX)));
            let instead = autopilot.act(&Sight::new(&self.round, &setting.rules, seat, &[]));
            // A refusal changes nothing, and the limit on actions ends the round.
            if self.apply(setting, seat, &instead).is_err() {
                self.actions += 1;
            }
        }
    }

    #[inline]
    fn apply(&mut self, setting: &Setting, seat: Seat, action: &Action) -> Result<(), Refusal> {
        let Table { round, chance, bots, in_play, .. } = self;
        if bots.is_empty() {
            round.apply(&setting.rules, seat, action, chance, &mut ())?;
        } else {
            let listeners = listeners(bots);
            round.apply(&setting.rules, seat, action, chance, &mut Audience { bots, listeners })?;
        }
        in_play.follow(&Sight::new(round, &setting.rules, seat, &[]), Laid::by(action));
        self.actions += 1;
        Ok(())
    }
}

fn listeners(bots: &[Option<LevelBot>]) -> SeatSet {
    let listening = (0..).zip(bots).filter(|(_, bot)| bot.as_ref().is_some_and(Bot::listens));
    listening.map(|(seat, _)| seat).collect()
}

/// Tells the bots what they may know of every event.
struct Audience<'a> {
    bots: &'a mut [Option<LevelBot>],
    listeners: SeatSet,
}

impl Sink for Audience<'_> {
    fn push(&mut self, event: Event) {
        let seen = |seat| event.seen_by(Viewer::Seat(seat));
        for seat in self.listeners.iter() {
            if let Some(bot) = &mut self.bots[usize::from(seat)] {
                bot.see(&seen(seat));
            }
        }
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
