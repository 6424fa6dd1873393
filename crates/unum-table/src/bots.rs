//! Schedules bots: when they think, and when their decisions are carried out.

use std::sync::Arc;
use std::time::Duration;

use unum_bots::{Bot, Budget, Comparison, Level, LevelBot, Random};
use unum_rules::wire::ActionForm;
use unum_rules::{Action, Phase, Round, Rules, Seat, Sight, order};

use crate::apply::seed;
use crate::clock::UNATTENDED;
use crate::race::{GRACE, Held};
use crate::state::{Game, State};
use crate::table::{Dice, Table, Turn};
use crate::{Fact, Moment, hint};
use unum_protocol::{Actor, HintReason, Pace, Refusal, Stage};

/// How long after the grace period a bot waits for people to catch or call before it takes its turn.
const FAIR_TIME: u64 = 1_500;
/// How long to wait for an idea before the autopilot decides.
const LOST_IDEA: u64 = 20_000;
/// The least time a searching bot takes for a move, in milliseconds. It is more than the bot needs, so the time it
/// takes reveals nothing about its hand.
const SEARCH_TIME: u64 = 75;

/// A decision for a bot, self-contained so it can be made on another thread.
#[derive(Clone, Debug)]
pub struct Thought {
    seat: Seat,
    bot: LevelBot,
    round: Round,
    rules: Arc<Rules>,
    scores: Vec<u32>,
    at: u64,
    kind: Kind,
    /// The scripted move, if there is one.
    script: Option<Action>,
}

/// A bot's decision.
#[derive(Clone, Debug)]
pub struct Idea {
    /// The bot's seat.
    pub seat: Seat,
    /// What it would do; `None` for nothing.
    pub action: Option<Action>,
    /// The number of the last entry it knew that changed the round.
    pub at: u64,
    /// Why, if it is a hint.
    pub(crate) reason: Option<HintReason>,
    kind: Kind,
    /// The bot after thinking, with its generator advanced.
    bot: LevelBot,
}

/// What a bot is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    /// Whether to do something the table does not wait for.
    React,
    /// What to do, because the table waits for it.
    Act,
    /// A hint for a person who has asked for it.
    Hint,
}

impl Kind {
    fn is_slow_for(self, bot: &LevelBot) -> bool {
        self != Kind::React && matches!(bot, LevelBot::Expert(_))
    }
}

impl Thought {
    /// Whether this can take milliseconds and must not block anybody.
    pub fn is_slow(&self) -> bool {
        self.script.is_none() && self.kind.is_slow_for(&self.bot)
    }

    /// What an expert would do in a person's place.
    pub(crate) fn about_hint(seat: Seat, bot: LevelBot, game: &Game, state: &State) -> Thought {
        let task = Task { seat, kind: Kind::Hint, progress: Progress::Done };
        task.thought(bot, game, state)
    }

    /// The number of the last entry it knows that changed the round. Once there is a later one, the result is useless.
    pub fn at(&self) -> u64 {
        self.at
    }

    /// The fallback if thinking fails: the bot does nothing, and the autopilot decides if the table waits.
    pub fn given_up(&self) -> Idea {
        let (action, reason) = (None, None);
        Idea { seat: self.seat, action, at: self.at, reason, kind: self.kind, bot: self.bot.clone() }
    }

    /// Limits the thinking time, for a bot that searches.
    pub fn think_within(mut self, most: Duration) -> Idea {
        let LevelBot::Expert(bot) = &mut self.bot else { return self.think() };
        let usual = bot.budget();
        if let Budget::Time(time) = usual {
            bot.set_budget(Budget::Time(time.min(most)));
        }
        let mut idea = self.think();
        if let LevelBot::Expert(bot) = &mut idea.bot {
            bot.set_budget(usual);
        }
        idea
    }

    /// Thinks piece by piece.
    pub fn slowly(mut self) -> Pondering {
        let sight = Sight::new(&self.round, &self.rules, self.seat, &self.scores);
        let searches = match self.kind {
            Kind::React => false,
            Kind::Act => true,
            Kind::Hint => hint::is_for_search(&mut self.bot, &sight),
        };
        let comparison = match &mut self.bot {
            LevelBot::Expert(bot) if searches && self.script.is_none() => Some(bot.begin_comparing(&sight, true)),
            _ => None,
        };
        Pondering { thought: self, comparison }
    }

    /// Thinks.
    pub fn think(self) -> Idea {
        let Thought { seat, mut bot, round, rules, scores, at, kind, script } = self;
        let sight = Sight::new(&round, &rules, seat, &scores);
        let (action, reason) = match kind {
            _ if script.is_some() => (script, None),
            Kind::Act => (Some(bot.act(&sight)), None),
            Kind::React => (bot.react(&sight), None),
            Kind::Hint => hint::ponder(&mut bot, &sight).unzip(),
        };
        Idea { seat, action, at, reason, kind, bot }
    }
}

/// A slow decision that is made piece by piece, by a caller that looks at the clock in between.
#[derive(Clone, Debug)]
pub struct Pondering {
    thought: Thought,
    comparison: Option<Comparison>,
}

impl Pondering {
    /// The number of the last entry it knows that changed the round: see [`Thought::at`].
    pub fn at(&self) -> u64 {
        self.thought.at
    }

    /// How long it may take in all.
    pub fn time(&self) -> Duration {
        match &self.thought.bot {
            LevelBot::Expert(bot) => match bot.budget() {
                Budget::Time(time) => time,
                Budget::Worlds(_) => Duration::MAX,
            },
            _ => Duration::ZERO,
        }
    }

    /// Thinks on in some more worlds. Says whether that could go on.
    pub fn go_on(&mut self, worlds: u32) -> bool {
        let Thought { seat, bot, round, rules, scores, .. } = &mut self.thought;
        let (LevelBot::Expert(bot), Some(comparison)) = (bot, &mut self.comparison) else { return false };
        bot.compare_more(&Sight::new(round, rules, *seat, scores), comparison, worlds)
    }

    /// The decision, with what was found by now.
    pub fn decide(self) -> Idea {
        let Pondering { mut thought, comparison } = self;
        let Some(comparison) = comparison else { return thought.think() };
        let LevelBot::Expert(expert) = &mut thought.bot else { return thought.given_up() };
        let sight = Sight::new(&thought.round, &thought.rules, thought.seat, &thought.scores);
        let action = expert.decide(&sight, comparison);
        let reason = (thought.kind == Kind::Hint).then(|| unum_bots::reason(&sight, &action));
        let Thought { seat, at, kind, bot, .. } = thought;
        Idea { seat, action: Some(action), at, reason, kind, bot }
    }
}

/// The bots' plans since the last move.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plan {
    /// The number of the entry it was made after.
    stamp: u64,
    tasks: Vec<Task>,
    /// Ideas that arrived before it was time to act on them.
    early: Vec<(Moment, Idea)>,
}

#[derive(Clone, Copy, Debug)]
struct Task {
    seat: Seat,
    kind: Kind,
    progress: Progress,
}

#[derive(Clone, Copy, Debug)]
enum Progress {
    /// It begins to think at that moment.
    Waits(Moment),
    /// It thinks, and acts when it is due; if there is no idea by then, the autopilot decides.
    Thinks { due: Moment, until: Moment },
    /// It has decided to do nothing.
    Done,
}

impl Plan {
    /// When the next step of it is due.
    pub(crate) fn due(&self) -> Option<Moment> {
        let due = |task: &Task| match task.progress {
            Progress::Waits(due) | Progress::Thinks { until: due, .. } => Some(due),
            Progress::Done => None,
        };
        let early = self.early.iter().map(|(due, _)| *due);
        self.tasks.iter().filter_map(due).chain(early).min()
    }

    fn find(&mut self, seat: Seat, kind: Kind) -> Option<&mut Task> {
        self.tasks.iter_mut().find(|task| (task.seat, task.kind) == (seat, kind))
    }

    /// Keeps an idea until it is due; returns it if it is due now.
    fn keep(&mut self, idea: Idea, now: Moment) -> Option<Idea> {
        let task = self.tasks.iter().find(|task| (task.seat, task.kind) == (idea.seat, idea.kind));
        let Some(Progress::Thinks { due, .. }) = task.map(|task| task.progress) else { return Some(idea) };
        if idea.at != self.stamp || due <= now {
            return Some(idea);
        }
        self.early.push((due, idea));
        None
    }

    /// The thoughts that are due, reactions first. Those that take long begin at once.
    pub(crate) fn hand_out(&mut self, state: &State, now: Moment) -> Vec<Thought> {
        let Some(game) = state.game.as_ref().filter(|game| game.stamp == self.stamp) else { return Vec::new() };
        let mut thoughts = Vec::new();
        for task in &mut self.tasks {
            let Progress::Waits(due) = task.progress else { continue };
            let Some(bot) = state.chair(task.seat).and_then(|chair| chair.bot.as_ref()) else { continue };
            if due <= now || task.kind.is_slow_for(bot) {
                task.progress = Progress::Thinks { due, until: now.max(due).after(LOST_IDEA) };
                thoughts.push(task.thought(bot.clone(), game, state));
            }
        }
        order::sort_by_key(&mut thoughts, |thought| thought.kind);
        thoughts
    }
}

impl Task {
    fn thought(&self, bot: LevelBot, game: &Game, state: &State) -> Thought {
        Thought {
            seat: self.seat,
            bot,
            round: *game.play.round(),
            rules: state.rules.clone(),
            scores: game.play.scores().to_vec(),
            at: game.stamp,
            kind: self.kind,
            script: state.expected(game).filter(|(seat, _)| *seat == self.seat).map(|(_, action)| action),
        }
    }
}

impl State {
    /// What the bots have to think about now.
    fn questions(&self) -> Vec<(Seat, Kind)> {
        let playing = self.stage == Stage::Playing && !self.is_paused();
        let Some(game) = self.game.as_ref().filter(|_| playing) else { return Vec::new() };
        if let Some((seat, _)) = self.expected(game) {
            return if self.is_bot_run(seat) { vec![(seat, Kind::Act)] } else { Vec::new() };
        }
        let bots = (0..self.chairs.len() as Seat).filter(|seat| self.is_bot_run(*seat));
        let mut questions = Vec::new();
        for seat in bots {
            if self.can_react(game, seat) {
                questions.push((seat, Kind::React));
            }
            if game.awaited().contains(seat) {
                questions.push((seat, Kind::Act));
            }
        }
        questions
    }

    /// Whether there is a race to call, or the seat holds a card to jump in with.
    fn can_react(&self, game: &Game, seat: Seat) -> bool {
        let round = game.play.round();
        let jumps_in = self.rules.house().jump_in
            && matches!(round.phase(), Phase::Turn { seat: turn } if *turn != seat)
            && round.hand(seat).contains(round.top());
        !round.liable().is_empty() || jumps_in
    }

    /// When a bot should act on it.
    fn acting_time(&self, seat: Seat, kind: Kind, now: Moment, dice: &mut dyn Dice) -> Moment {
        let due = self.thinking_time(seat, kind, now, dice);
        let searches = self.chair(seat).and_then(|chair| chair.bot.as_ref()).is_some_and(|bot| kind.is_slow_for(bot));
        if searches { due.max(now.after(SEARCH_TIME)) } else { due }
    }

    /// When a fast bot should begin to think about it: with a pause if no person is kept waiting.
    fn thinking_time(&self, seat: Seat, kind: Kind, now: Moment, dice: &mut dyn Dice) -> Moment {
        let attended = self.present().next().is_some();
        let due = self.thinking_time_among_people(seat, kind, now, dice);
        if attended { due } else { due.max(now.after(UNATTENDED)) }
    }

    fn thinking_time_among_people(&self, seat: Seat, kind: Kind, now: Moment, dice: &mut dyn Dice) -> Moment {
        let race = self.game.iter().flat_map(|game| &game.race);
        let landed = race.map(|(_, since)| *since).max();
        let pace = self.settings.pace;
        match (kind, landed) {
            (Kind::Act, None) => now.after(jitter(hesitation(pace), dice)),
            (Kind::Act, Some(_)) if pace == Pace::Instant => now,
            (Kind::Act, Some(landed)) => now.after(jitter(hesitation(pace), dice)).max(landed.after(GRACE + FAIR_TIME)),
            (Kind::Hint, _) => now,
            (Kind::React, None) => now.after(jitter(hesitation(pace), dice) * 2 / 3),
            (Kind::React, Some(_)) if pace == Pace::Instant && self.only_bots_race() => now,
            (Kind::React, Some(landed)) => {
                let level = self.chair(seat).and_then(|chair| chair.player()).unwrap_or_default();
                now.max(landed.after(GRACE + jitter(alertness(level, pace), dice)))
            }
        }
    }

    /// Whether everybody who owes an "UNO" is a bot.
    fn only_bots_race(&self) -> bool {
        self.game.iter().flat_map(|game| &game.race).all(|(seat, _)| self.is_bot_run(*seat))
    }

    /// Any legal action for a seat the table waits for.
    pub(crate) fn any_action(&self, seat: Seat, seed: u64) -> Option<Action> {
        let game = self.game.as_ref()?;
        Some(Random::new(seed).act(&Sight::new(game.play.round(), &self.rules, seat, game.play.scores())))
    }
}

/// How long bots take for a turn, in milliseconds.
fn hesitation(pace: Pace) -> (u64, u64) {
    match pace {
        Pace::Instant => (0, 0),
        Pace::Brisk => (400, 800),
        Pace::Relaxed => (900, 1_900),
    }
}

/// How long bots take to notice a forgotten call, after the grace period.
fn alertness(level: Level, pace: Pace) -> (u64, u64) {
    let (least, most) = match level {
        Level::Easy => (800, 3_000),
        Level::Random | Level::Normal => (400, 1_800),
        Level::Hard | Level::Expert => (200, 1_200),
    };
    match pace {
        Pace::Instant => (0, 0),
        Pace::Brisk => (least / 2, most / 2),
        Pace::Relaxed => (least, most),
    }
}

/// A number between the two.
fn jitter((least, most): (u64, u64), dice: &mut dyn Dice) -> u64 {
    if least == most { least } else { least + seed(dice) % (most - least + 1) }
}

impl Table {
    /// Changes the pace of the bots, including those that are already waiting to act.
    pub(crate) fn change_pace(&mut self, pace: Pace, turn: &mut Turn<'_>) -> Result<(), Refusal> {
        if pace == self.state.settings.pace {
            return Ok(());
        }
        self.plan = Plan::default();
        self.commit(Fact::PaceChanged { pace }, turn)
    }

    /// Brings the plan up to date with what the table waits for.
    pub(crate) fn plan_bots(&mut self, turn: &mut Turn<'_>) {
        let stamp = self.state.game.as_ref().map_or(0, |game| game.stamp);
        if self.is_idle() || self.plan.stamp != stamp {
            self.plan = Plan { stamp, ..Plan::default() };
        }
        if self.is_idle() {
            return;
        }
        let questions = self.state.questions();
        self.plan.tasks.retain(|task| questions.contains(&(task.seat, task.kind)));
        for (seat, kind) in questions {
            if self.plan.find(seat, kind).is_none() {
                let due = self.state.acting_time(seat, kind, turn.now, turn.dice);
                self.plan.tasks.push(Task { seat, kind, progress: Progress::Waits(due) });
            }
        }
    }

    /// A bot has made up its mind. Outdated ideas are dropped, and the bot is asked again.
    pub(crate) fn consider(&mut self, idea: Idea, turn: &mut Turn<'_>) {
        if idea.kind == Kind::Hint {
            return self.give_hint(&idea, turn);
        }
        let Some(idea) = self.plan.keep(idea, turn.now) else { return };
        let begins_a_turn = !matches!(idea.action, None | Some(Action::CallUno | Action::Catch(_)));
        if begins_a_turn && !self.held.is_empty() {
            self.held.push_back(Held::Idea(idea));
        } else {
            self.carry_out_idea(idea, turn);
        }
    }

    pub(crate) fn carry_out_idea(&mut self, idea: Idea, turn: &mut Turn<'_>) {
        let Idea { seat, action, at, kind, bot, .. } = idea;
        let current = self.state.game.as_ref().is_some_and(|game| game.stamp == at) && self.plan.stamp == at;
        let Some(task) = self.plan.find(seat, kind).filter(|_| current) else { return };
        task.progress = Progress::Done;
        if let Some(chair) = self.state.chair_mut(seat) {
            chair.bot = Some(bot);
        }
        let done = action.is_some_and(|action| self.act_as_bot(seat, &action, turn));
        if !done && kind == Kind::Act {
            self.act_instead(seat, turn);
        }
    }

    pub(crate) fn act_as_bot(&mut self, seat: Seat, action: &Action, turn: &mut Turn<'_>) -> bool {
        let bot = self.state.chair(seat).is_some_and(|chair| chair.level.is_some());
        let actor = if bot { Actor::Bot } else { Actor::Autopilot };
        let action = ActionForm::new(action, self.state.rules.palette());
        self.commit(Fact::Acted { seat, action, actor }, turn).is_ok()
    }

    /// Lets bots act when they are due, and decides for bots whose ideas never arrived.
    pub(crate) fn urge_bots(&mut self, turn: &mut Turn<'_>) {
        while let Some(at) = self.plan.early.iter().position(|(due, _)| *due <= turn.now) {
            let (_, idea) = self.plan.early.swap_remove(at);
            self.consider(idea, turn);
        }
        let lost = |task: &&mut Task| matches!(task.progress, Progress::Thinks { until, .. } if until <= turn.now);
        let Some(task) = self.plan.tasks.iter_mut().find(lost) else { return };
        task.progress = Progress::Done;
        let Task { seat, kind, .. } = *task;
        let current = self.state.game.as_ref().is_some_and(|game| game.stamp == self.plan.stamp);
        if current && kind == Kind::Act {
            self.act_instead(seat, turn);
        }
    }
}
