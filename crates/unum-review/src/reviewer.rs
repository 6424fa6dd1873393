//! Reviews a record: luck at once, then decisions for as long as there are worlds to spend.

use std::ops::RangeInclusive;
use std::sync::Arc;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_bots::{Bot, Budget, Depth, Expert};
use unum_protocol::review::{
    Account, Cause, DecisionReview, FORMAT, Figure, Gap, LinePoint, MatchAccount, Review, RoundReview, SeatReview,
    Spot, StrokeReview, UnoReview,
};
use unum_rules::record::{Move, Record, RecordError};
use unum_rules::{Action, Card, Chance, Event, Phase, Round, Rules, SEATS, Seat, Sight, Sink, Viewer, order};

use crate::baseline::Baseline;
use crate::decision::{Decision, Scene};
use crate::level::standing;
use crate::luck::{Deed, Happening, RoundLuck, Stir, Stroke};
use crate::percentile;
use crate::stakes::Stakes;
use crate::value::{BySeat, chances, depth, gaps, outcome};
use crate::words::{action_review, explain, tell_standing};

/// Worlds every decision gets before any gets more. With fewer, it is not judged.
pub const LEAST_WORLDS: u32 = 64;
/// Decisions that get more worlds at a time.
const AT_ONCE: usize = 16;
/// A loss known this precisely, in rounds won, needs no more worlds.
const WELL_KNOWN: f64 = 0.0025;
/// Penalties tried to estimate what one costs.
const TRIES: u32 = 16;

/// A review in progress.
pub struct Reviewer {
    rules: Arc<Rules>,
    names: Vec<String>,
    players: u8,
    gaps: Vec<Gap>,
    rounds: Vec<Played>,
    decisions: Vec<Decision>,
    /// For each decision, the chances with all cards open: before it, and after it without luck.
    open: Vec<[BySeat; 2]>,
}

/// A round as it was played.
struct Played {
    number: u32,
    scores: Vec<u32>,
    stakes: Stakes,
    equity: [BySeat; 2],
    luck: RoundLuck,
    winner: Option<Seat>,
    line: Vec<LinePoint>,
    strokes: Vec<StrokeReview>,
    unos: Vec<UnoReview>,
    attention: BySeat,
    /// Its decisions, by place in the list of all.
    decisions: std::ops::Range<usize>,
    deeds: [Deeds; SEATS],
}

#[derive(Clone, Copy, Debug, Default)]
struct Deeds {
    challenges_right: u32,
    challenges_wrong: u32,
    bluffs: u32,
    bluffs_caught: u32,
}

/// More worlds for one decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Task {
    /// The decision's place among [`Reviewer::decisions_mut`].
    pub decision: usize,
    /// The number of worlds.
    pub worlds: u32,
}

impl Reviewer {
    /// Replays a record and computes the luck of all finished rounds. A round still being played is left out.
    ///
    /// # Errors
    /// When the record is wrong.
    pub fn new(record: &Record) -> Result<Reviewer, RecordError> {
        Reviewer::of_rounds(record, 1..=u32::MAX)
    }

    /// The same for some of the rounds, numbered from 1.
    ///
    /// # Errors
    /// When the record is wrong.
    pub fn of_rounds(record: &Record, rounds: RangeInclusive<u32>) -> Result<Reviewer, RecordError> {
        let mut scribe: Option<Scribe> = None;
        let mut replay = record.steps();
        while let Some(step) = replay.step()? {
            let scribe = scribe.get_or_insert_with(|| Scribe::new(step.game.rules(), step.game.players()));
            match step.made {
                None | Some(Move::NextRound) if !rounds.contains(&step.place.round) => scribe.pass_over(),
                None | Some(Move::NextRound) => {
                    // The effect of the start card has already happened.
                    scribe.deal(step.game.round(), step.game.scores(), (step.place.round, step.place.number));
                }
                Some(Move::Act { seat, action }) => {
                    scribe.moved((seat, Deed::Act(&action)), &step);
                }
                Some(Move::Penalize { seat }) => scribe.moved((seat, Deed::Penalize), &step),
            }
            if step.game.round().is_over() {
                scribe.end(step.game.scores());
            }
        }
        let names = (0..record.setup.players).map(|seat| match record.setup.name(seat) {
            Some(name) => name.to_string(),
            None => format!("Seat {seat}"),
        });
        let scribe =
            scribe.unwrap_or_else(|| Scribe::new(&Rules::of(record.setup.rules.edition), record.setup.players));
        Ok(scribe.into_reviewer(names.collect()))
    }

    /// All decisions, for callers that carry out the [`Reviewer::plan`] themselves. Decisions are independent, so any
    /// number of threads may work on them with the same result.
    pub fn decisions_mut(&mut self) -> &mut [Decision] {
        &mut self.decisions
    }

    /// The number of decisions.
    pub fn decisions(&self) -> usize {
        self.decisions.len()
    }

    /// What to consider next, with at most `left` worlds: first every decision briefly, then the most doubtful ones.
    /// Empty when nothing is worth more thought.
    pub fn plan(&self, left: u64, seat: Option<Seat>) -> Vec<Task> {
        let wanted = |decision: &Decision| seat.is_none_or(|seat| decision.spot.seat == seat);
        let open = |decision: &&(usize, &Decision)| wanted(decision.1) && !decision.1.is_unimaginable();
        let list: Vec<(usize, &Decision)> = self.decisions.iter().enumerate().collect();
        let fresh: Vec<usize> = list
            .iter()
            .filter(open)
            .filter(|(_, decision)| decision.worlds() < LEAST_WORLDS)
            .map(|(place, _)| *place)
            .collect();
        let tasks: Vec<Task> = if fresh.is_empty() {
            let mut doubts: Vec<(f64, usize)> = list
                .iter()
                .filter(open)
                .map(|(place, decision)| (decision.doubt(), *place))
                .filter(|(doubt, _)| *doubt > WELL_KNOWN)
                .collect();
            order::sort_by(&mut doubts, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
            let more = |place: usize| (self.decisions[place].worlds() / 2).clamp(LEAST_WORLDS, 4_096);
            doubts.iter().take(AT_ONCE).map(|(_, place)| Task { decision: *place, worlds: more(*place) }).collect()
        } else {
            fresh.into_iter().map(|decision| Task { decision, worlds: LEAST_WORLDS }).collect()
        };
        within(tasks, left)
    }

    /// Spends `worlds` worlds, on this thread.
    pub fn think(&mut self, worlds: u64, seat: Option<Seat>) {
        let mut left = worlds;
        loop {
            let tasks = self.plan(left, seat);
            if tasks.is_empty() {
                return;
            }
            for task in tasks {
                left -= u64::from(task.worlds);
                self.decisions[task.decision].consider(task.worlds);
            }
        }
    }

    /// The review so far.
    pub fn review(&self) -> Review {
        let decisions: Vec<DecisionReview> =
            self.rounds.iter().flat_map(|round| self.review_decisions(round)).collect();
        let rounds: Vec<RoundReview> = self.rounds.iter().map(|round| self.review_round(round)).collect();
        let seats = (0..self.players).map(|seat| self.review_seat(seat, &rounds, &decisions)).collect();
        Review {
            format: FORMAT,
            players: self.players,
            names: self.names.clone(),
            gaps: self.gaps.clone(),
            is_match: self.is_match(),
            worlds: self.decisions.iter().map(|decision| u64::from(decision.worlds())).sum(),
            rounds,
            seats,
            decisions,
        }
    }

    fn is_match(&self) -> bool {
        self.rules.scoring() != unum_rules::Scoring::SingleRound
    }

    fn review_decisions<'a>(&'a self, round: &'a Played) -> impl Iterator<Item = DecisionReview> + 'a {
        let judged = |place: &usize| self.decisions[*place].worlds() >= LEAST_WORLDS;
        round.decisions.clone().filter(judged).filter_map(|place| self.review_decision(round, place))
    }

    fn review_decision(&self, round: &Played, place: usize) -> Option<DecisionReview> {
        let decision = &self.decisions[place];
        let loss = decision.loss()?;
        let seat = usize::from(decision.spot.seat);
        let palette = self.rules.palette();
        let actions = decision.valued();
        let actions = actions.iter().map(|valued| action_review(valued, palette));
        let differs = loss.best != decision.played();
        let reason = if differs { decision.reason(loss.best, decision.played()) } else { None };
        Some(DecisionReview {
            spot: decision.spot,
            counts: decision.counts(),
            worlds: decision.worlds(),
            played: decision.played(),
            best: loss.best,
            error: Figure(loss.amount),
            standard_error: Figure(loss.error),
            marked: loss.is_marked(),
            match_error: self.is_match().then(|| Figure(-round.stakes.in_match(&loss.effect)[seat])),
            fog: Figure(decision.fog(&self.open[place][0], &self.open[place][1])[seat]),
            challenge: decision.odds(),
            why: reason.as_ref().map(explain),
            reason,
            actions: actions.collect(),
        })
    }

    fn review_round(&self, round: &Played) -> RoundReview {
        let (mut fog, mut effects) = ([0.0; SEATS], [[0.0; SEATS]; SEATS]);
        let mut line = round.line.clone();
        for place in round.decisions.clone() {
            let decision = &self.decisions[place];
            let Some(loss) = decision.loss() else { continue };
            add(&mut fog, &decision.fog(&self.open[place][0], &self.open[place][1]));
            if decision.counts() {
                add(&mut effects[usize::from(decision.spot.seat)], &loss.effect);
            }
            if let Some(point) = line.iter_mut().find(|point| point.number == decision.spot.number) {
                point.seen = Some(Figure(decision.seen_before()[usize::from(decision.spot.seat)]));
                if loss.is_marked() {
                    point.cause = Cause::Error;
                }
            }
        }
        let seats = (0..self.players).map(|seat| self.account(round, seat, &fog, &effects)).collect();
        RoundReview {
            round: round.number,
            winner: round.winner,
            seats,
            line,
            strokes: round.strokes.clone(),
            unos: round.unos.clone(),
        }
    }

    fn account(&self, round: &Played, seat: Seat, fog: &BySeat, effects: &[BySeat; SEATS]) -> Account {
        let (place, luck) = (usize::from(seat), &round.luck);
        let even = 1.0 / f64::from(self.players);
        let result = outcome(self.players, round.winner)[place];
        let own_errors = effects[place][place];
        let others_errors: f64 = effects.iter().map(|effect| effect[place]).sum::<f64>() - own_errors;
        let explained =
            luck.place[place] + luck.total(seat) + fog[place] + own_errors + others_errors + round.attention[place];
        Account {
            result: Figure(result),
            adjusted: Figure(luck.adjusted(seat, result)),
            place: Figure(luck.place[place]),
            deal: Figure(luck.deal[place]),
            own_draws: Figure(luck.own[place]),
            others_draws: Figure(luck.others[place]),
            fog: Figure(fog[place]),
            own_errors: Figure(own_errors),
            others_errors: Figure(others_errors),
            attention: Figure(round.attention[place]),
            rest: Figure(result - even - explained),
            luck: Figure(luck.total(seat)),
            spread: Figure(luck.spread(seat)),
            percentile: Figure(percentile::of(luck, seat)),
            in_match: self.is_match().then(|| match_account(round, place, &effects[place])),
        }
    }

    fn review_seat(&self, seat: Seat, rounds: &[RoundReview], decisions: &[DecisionReview]) -> SeatReview {
        let accounts = || rounds.iter().map(|round| &round.seats[usize::from(seat)]);
        let sum = |figure: fn(&Account) -> f64| Figure(accounts().map(figure).sum());
        let own: Vec<&DecisionReview> =
            decisions.iter().filter(|decision| decision.spot.seat == seat && decision.counts).collect();
        let lost: f64 = own.iter().map(|decision| decision.error.0).sum();
        let error = own.iter().map(|decision| decision.standard_error.0.powi(2)).sum::<f64>().sqrt();
        let count = own.len() as u32;
        let rate = |lost: f64| (count > 0).then(|| 1_000.0 * lost / f64::from(count));
        let deeds =
            |figure: fn(&Deeds) -> u32| self.rounds.iter().map(|round| figure(&round.deeds[usize::from(seat)])).sum();
        let standing =
            rate(lost).zip(rate(own_error(&own))).and_then(|(lost, error)| standing(self.players, lost, error));
        let unos = || rounds.iter().flat_map(|round| &round.unos).filter(|uno| uno.seat == seat);
        SeatReview {
            won: sum(|account| account.result.0),
            adjusted: sum(|account| account.adjusted.0),
            luck: sum(|account| account.luck.0),
            spread: Figure(accounts().map(|account| account.spread.0.powi(2)).sum::<f64>().sqrt()),
            percentile: Figure(
                accounts().map(|account| account.percentile.0).sum::<f64>() / rounds.len().max(1) as f64,
            ),
            decisions: count,
            lost: Figure(lost),
            lost_error: Figure(error),
            error_rate: rate(lost).map(Figure),
            error_rate_error: rate(error).map(Figure),
            level: standing.map(tell_standing),
            standing,
            unos_forgotten: unos().count() as u32,
            unos_caught: unos().filter(|uno| uno.caught_by.is_some()).count() as u32,
            challenges_right: deeds(|deeds| deeds.challenges_right),
            challenges_wrong: deeds(|deeds| deeds.challenges_wrong),
            bluffs: deeds(|deeds| deeds.bluffs),
            bluffs_caught: deeds(|deeds| deeds.bluffs_caught),
        }
    }
}

/// The standard error of the sum of these losses as a measure of the player: few decisions say little about somebody,
/// however precisely each is known.
fn own_error(own: &[&DecisionReview]) -> f64 {
    let count = own.len() as f64;
    let mean = own.iter().map(|decision| decision.error.0).sum::<f64>() / count.max(1.0);
    let squares: f64 = own.iter().map(|decision| (decision.error.0 - mean).powi(2)).sum();
    if count > 1.0 { (squares * count / (count - 1.0)).sqrt() } else { 1.0 }
}

fn match_account(round: &Played, seat: usize, own: &BySeat) -> MatchAccount {
    let luck: BySeat = std::array::from_fn(|seat| round.luck.total(seat as Seat));
    let luck = round.stakes.in_match(&luck)[seat];
    let [before, after] = [round.equity[0][seat], round.equity[1][seat]];
    MatchAccount {
        before: Figure(before),
        after: Figure(after),
        luck: Figure(luck),
        own_errors: Figure(round.stakes.in_match(own)[seat]),
        adjusted: Figure(after - before - luck),
    }
}

fn add(sum: &mut BySeat, value: &BySeat) {
    sum.iter_mut().zip(value).for_each(|(sum, value)| *sum += value);
}

/// The first tasks, as far as the worlds last.
fn within(tasks: Vec<Task>, mut left: u64) -> Vec<Task> {
    let mut kept = Vec::new();
    for task in tasks {
        let worlds = u64::from(task.worlds).min(left);
        if worlds < u64::from(task.worlds) && worlds < u64::from(LEAST_WORLDS) {
            break;
        }
        left -= worlds;
        kept.push(Task { worlds: worlds as u32, ..task });
    }
    kept
}

/// Follows a match and notes what a review needs.
struct Scribe {
    rules: Arc<Rules>,
    players: u8,
    baseline: Baseline,
    experts: Vec<Expert>,
    depth: Depth,
    gaps: Vec<Gap>,
    rounds: Vec<Played>,
    decisions: Vec<Decision>,
    open: Vec<[BySeat; 2]>,
    current: Option<Played>,
    /// The round after the last move, and its value.
    before: Option<(Round, BySeat)>,
}

impl Scribe {
    fn new(rules: &Rules, players: u8) -> Scribe {
        let gaps = gaps(rules);
        Scribe {
            rules: Arc::new(rules.clone()),
            players,
            baseline: Baseline::of(rules, players),
            experts: (0..players).map(|seat| Expert::new(u64::from(seat), Budget::STUDY)).collect(),
            depth: depth(&gaps),
            gaps,
            rounds: Vec::new(),
            decisions: Vec::new(),
            open: Vec::new(),
            current: None,
            before: None,
        }
    }

    fn deal(&mut self, round: &Round, scores: &[u32], (number, at): (u32, u32)) {
        for (seat, expert) in (0..).zip(&mut self.experts) {
            expert.begin(&Sight::new(round, &self.rules, seat, scores));
        }
        let stakes = Stakes::of(&self.rules, &self.baseline, scores);
        let value = chances(&self.rules, round);
        let first = self.decisions.len();
        let dealt = LinePoint {
            number: at,
            seat: None,
            text: format!("round {number}"),
            cause: Cause::Deal,
            open: figures(&value, self.players),
            seen: None,
        };
        self.current = Some(Played {
            number,
            scores: scores.to_vec(),
            equity: [stakes.even(); 2],
            stakes,
            luck: RoundLuck::dealt(&self.rules, round, &self.baseline),
            winner: None,
            line: vec![dealt],
            strokes: Vec::new(),
            unos: Vec::new(),
            attention: [0.0; SEATS],
            decisions: first..first,
            deeds: [Deeds::default(); SEATS],
        });
        self.before = Some((*round, value));
    }

    /// Skips a round that was not asked for.
    fn pass_over(&mut self) {
        self.current = None;
        self.before = None;
    }

    /// Tells each expert what its seat may know of the events.
    fn hear(&mut self, events: &[Event]) {
        for event in events {
            for (seat, expert) in (0..).zip(&mut self.experts) {
                expert.see(&event.seen_by(Viewer::Seat(seat)));
            }
        }
    }

    fn moved(&mut self, (seat, deed): (Seat, Deed<'_>), step: &unum_rules::record::Step<'_>) {
        let Some((before, value)) = self.before else { return };
        let after = step.game.round();
        let mut stir = Stir::default();
        step.events.iter().for_each(|event| stir.push(*event));
        let number = step.place.number;
        let happening =
            Happening { rules: &self.rules, before: &before, after, seat, deed, stir, number: number.into() };
        let stroke = happening.stroke();
        let now = chances(&self.rules, after);
        let luck = stroke.map_or([0.0; SEATS], |stroke| stroke.luck);
        let without_luck: BySeat = std::array::from_fn(|seat| now[seat] - luck[seat]);
        if let Deed::Act(action) = deed {
            self.decide(&before, (seat, action), number, [value, without_luck]);
        }
        if let Some(current) = &mut self.current {
            current.note(step, &now, stroke.as_ref().map(|stroke| (stroke, stir)), self.players);
            current.note_deeds(&self.rules, step.events, &before, (seat, deed));
            let late = matches!(deed, Deed::Act(Action::CallUno));
            for event in step.events {
                current.note_caught(event, late, [&value, &without_luck]);
            }
            let forgot = after.liable().contains(seat) && !before.liable().contains(seat);
            if forgot {
                let cost = cost_of_catch(&self.rules, after, seat);
                let uno = UnoReview { number, seat, caught_by: None, called_late: false, cost: Figure(cost) };
                current.unos.push(uno);
            }
        }
        self.hear(step.events);
        self.before = Some((*after, now));
    }

    fn decide(&mut self, before: &Round, (seat, action): (Seat, &Action), number: u32, open: [BySeat; 2]) {
        let Some(current) = &mut self.current else { return };
        let scene = Scene {
            rules: Arc::clone(&self.rules),
            round: *before,
            scores: current.scores.clone(),
            expert: self.experts[usize::from(seat)].clone(),
            seat,
        };
        let spot = Spot { round: current.number, number, seat };
        if let Some(decision) = Decision::new(scene, spot, action, self.depth) {
            self.decisions.push(decision);
            self.open.push(open);
            current.decisions.end = self.decisions.len();
        }
    }

    fn end(&mut self, scores: &[u32]) {
        let (Some(mut current), Some((round, _))) = (self.current.take(), self.before.take()) else { return };
        current.winner = match *round.phase() {
            Phase::Over { winner } => winner,
            _ => None,
        };
        let over = self.rules.scoring().winners(scores, current.winner);
        current.equity[1] = match over {
            Some(winners) => {
                let share = 1.0 / winners.iter().count().max(1) as f64;
                std::array::from_fn(|seat| if winners.contains(seat as Seat) { share } else { 0.0 })
            }
            None => Stakes::of(&self.rules, &self.baseline, scores).even(),
        };
        self.rounds.push(current);
    }

    fn into_reviewer(mut self, names: Vec<String>) -> Reviewer {
        // The decisions of an unfinished round stay secret.
        let kept = self.rounds.last().map_or(0, |round| round.decisions.end);
        self.decisions.truncate(kept);
        self.open.truncate(kept);
        Reviewer {
            rules: self.rules,
            names,
            players: self.players,
            gaps: self.gaps,
            rounds: self.rounds,
            decisions: self.decisions,
            open: self.open,
        }
    }
}

impl Played {
    fn note(
        &mut self,
        step: &unum_rules::record::Step<'_>,
        now: &BySeat,
        stroke: Option<(&Stroke, Stir)>,
        players: u8,
    ) {
        let number = step.place.number;
        if let Some((stroke, stir)) = stroke {
            self.luck.count(stroke, stir.drawer);
            self.strokes.push(StrokeReview {
                number,
                drawer: stir.drawer,
                cards: stir.drawn,
                luck: figures(&stroke.luck, players),
                spread: figures(&stroke.variance.map(f64::sqrt), players),
            });
        }
        self.line.push(LinePoint {
            number,
            seat: step.place.seat,
            text: step.place.text.clone(),
            cause: if stroke.is_some() { Cause::Luck } else { Cause::Play },
            open: figures(now, players),
            seen: None,
        });
    }

    fn note_deeds(&mut self, rules: &Rules, events: &[Event], before: &Round, (seat, deed): (Seat, Deed<'_>)) {
        if let Deed::Act(Action::Challenge) = deed
            && let Phase::Respond { by, bluff, .. } = *before.phase()
        {
            let own = &mut self.deeds[usize::from(seat)];
            own.challenges_right += u32::from(bluff);
            own.challenges_wrong += u32::from(!bluff);
            self.deeds[usize::from(by)].bluffs_caught += u32::from(bluff);
        }
        let fours = events.iter().any(|event| matches!(event, Event::Played { card: Card::WILD_DRAW_FOUR, .. }));
        if fours && before.would_bluff(rules, seat) {
            self.deeds[usize::from(seat)].bluffs += 1;
        }
    }

    fn note_caught(&mut self, event: &Event, late: bool, [before, after]: [&BySeat; 2]) {
        let unos = &mut self.unos;
        match *event {
            Event::Caught { seat, by } => {
                if let Some(uno) = unos.iter_mut().rev().find(|uno| uno.seat == seat) {
                    uno.caught_by = Some(by);
                }
                for place in 0..SEATS {
                    self.attention[place] += after[place] - before[place];
                }
            }
            Event::UnoCalled { seat } if late => {
                if let Some(uno) = unos.iter_mut().rev().find(|uno| uno.seat == seat && uno.caught_by.is_none()) {
                    uno.called_late = true;
                }
            }
            _ => {}
        }
    }
}

/// What being caught now would cost, on average over the cards that may come.
pub fn cost_of_catch(rules: &Rules, round: &Round, seat: Seat) -> f64 {
    let now = chances(rules, round);
    let mut chance = Pcg64Mcg::seed_from_u64(0xCA_7C4);
    let catcher = (seat + 1) % round.players();
    let mut sum = 0.0;
    let mut sorted = *round;
    sorted.reorder_draw_pile(order::sort);
    for _ in 0..TRIES {
        let mut caught = sorted;
        caught.reorder_draw_pile(|pile| chance.shuffle(pile));
        if caught.apply(rules, catcher, &Action::Catch(seat), &mut chance, &mut ()).is_err() {
            return 0.0;
        }
        sum += chances(rules, &caught)[usize::from(seat)];
    }
    now[usize::from(seat)] - sum / f64::from(TRIES)
}

fn figures(values: &BySeat, players: u8) -> Vec<Figure> {
    values[..usize::from(players)].iter().map(|value| Figure(*value)).collect()
}
