//! Bots against bots on duplicate deals.

use std::ops::ControlFlow;

use serde::{Deserialize, Serialize};
use unum_rules::{Rules, RulesError, Seat};

use crate::adjust::{Adjustment, LuckMeter};
use crate::contestant::{Contestant, EntryError, LineUp};
use crate::crew::Crew;
use crate::estimate::{Estimate, Moments, REACH};
use crate::external::Failures;
use crate::game::{Game, GameResult, Unit, WIN};
use crate::part::{MergeError, Part};
use crate::recording::{RecordSink, RunError, Scribe};
use crate::seeds::derive;
use crate::sequential::{Question, Verdict};

/// Elo points for a tenfold chance to win.
pub(crate) const ELO_SCALE: f64 = 400.0;

/// The most points of a running estimate that are kept.
const TRACE: usize = 200;

/// A contest to run.
#[derive(Clone, Copy, Debug)]
pub struct Arena<'a, C> {
    /// The rules played.
    pub rules: &'a Rules,
    /// Who plays.
    pub line_up: &'a LineUp<C>,
    /// Whether a deal is one round or the first of a match.
    pub unit: Unit,
    /// How many deals. Each is played as often as there are players, the line-up moving on by one seat each time.
    pub deals: u64,
    /// Seed for the cards and the bots' random choices.
    pub seed: u64,
    /// Stop as soon as this is settled.
    pub question: Option<Question>,
    /// Take luck out of shares won. Of rounds only: a match has no chances of its own here.
    pub adjustment: Option<Adjustment>,
    /// Deal as records do, so that every game can be recorded.
    pub recorded: bool,
}

/// The results of a contest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArenaResult {
    /// Whether all deals were played, or enough of them to settle the question.
    pub complete: bool,
    /// Deals played, each with all rotations.
    pub deals: u64,
    /// Games played: deals times players.
    pub games: u64,
    /// Rounds played.
    pub rounds: u64,
    /// Rounds that nobody won.
    pub blocked: u64,
    /// The share of games a seat would win if all were equally strong.
    pub even: f64,
    /// The sides, in the order of the line-up.
    pub sides: Vec<SideResult>,
    /// What the sequential test says about the first side, if there was one.
    pub verdict: Option<Verdict>,
    /// How many times more deals the same accuracy would take without luck adjustment, by the shares of the first side.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth_of_adjustment: Option<f64>,
    /// How the estimates developed.
    pub trace: Vec<TracePoint>,
}

/// The results of one side.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SideResult {
    /// Its name.
    pub name: String,
    /// How many places of the line-up it had.
    pub places: u8,
    /// Share of games won, per seat.
    pub wins: Estimate,
    /// Points won per game and seat: what the others held when it went out.
    pub points: Estimate,
    /// The same minus what it held when others went out.
    pub net_points: Estimate,
    /// Strength on the Elo scale; `None` for a side that never won, or if the anchor never did.
    pub elo: Option<Estimate>,
    /// Actions that the rules refused, so that the autopilot had to act.
    pub refused: u64,
    /// How often a program failed, so that the autopilot had to act.
    pub failures: Failures,
    /// The last of these failures in words.
    pub last_error: Option<String>,
}

/// The estimates after a number of deals.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TracePoint {
    /// Deals played.
    pub deals: u64,
    /// Share of games won, per side.
    pub wins: Vec<Estimate>,
}

impl<C: Contestant> Arena<'_, C> {
    /// Runs the contest.
    ///
    /// # Errors
    /// When a contestant cannot play.
    ///
    /// # Panics
    /// If that many cannot play by these rules: see [`Arena::check`].
    pub fn run(&self, crew: &mut Crew<'_>) -> Result<ArenaResult, EntryError> {
        self.run_recorded(None, crew).map_err(RunError::into_entry)
    }

    /// Runs the contest and hands the records of its games over, in order, if it is [`recorded`](Arena::recorded).
    ///
    /// # Errors
    /// When a contestant cannot play, or the records cannot be written.
    ///
    /// # Panics
    /// As [`Arena::run`].
    pub fn run_recorded(&self, records: Option<RecordSink<'_>>, crew: &mut Crew<'_>) -> Result<ArenaResult, RunError> {
        let mut score = Score::new(self, Part::WHOLE);
        self.play(&mut score, records, crew)?;
        Ok(self.result(&score.sums, score.verdict))
    }

    /// Runs a part of the contest: the sums of all parts, [merged](ArenaSums::merge), have the [result](Arena::result_of) of
    /// the whole. `None` if the crew was stopped before the part was finished.
    ///
    /// # Errors
    /// When a contestant cannot play, or the records cannot be written.
    ///
    /// # Panics
    /// As [`Arena::run`].
    pub fn run_part(
        &self,
        part: Part,
        records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<Option<ArenaSums>, RunError> {
        let sums = self.sums(part, records, crew)?;
        Ok((sums.deals == part.share_of(self.deals)).then_some(sums))
    }

    /// The sums of a part, as far as it came before the crew was stopped.
    pub(crate) fn sums(
        &self,
        part: Part,
        records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<ArenaSums, RunError> {
        let mut score = Score::new(self, part);
        self.play(&mut score, records, crew)?;
        Ok(score.sums)
    }

    /// Plays the deals of a part and counts them.
    fn play(
        &self,
        score: &mut Score<'_, C>,
        mut records: Option<RecordSink<'_>>,
        crew: &mut Crew<'_>,
    ) -> Result<(), RunError> {
        let range = score.part.range(self.deals);
        let (first, deals) = (range.start, range.end - range.start);
        let chunk = (deals / 256).clamp(1, 32);
        let mut failed = None;
        crew.run(
            deals.div_ceil(chunk),
            || self.line_up.enter(),
            |bots, number, stopped| {
                let from = first + number * chunk;
                let deals = from..(from + chunk).min(range.end);
                deals.map(|deal| (!stopped()).then(|| self.play_deal(deal, bots))).collect::<Option<Vec<_>>>()
            },
            |deals, progress| {
                let mut flow = ControlFlow::Continue(());
                for deal in &deals {
                    flow = score.count(deal);
                    if let Some(Err(error)) = records.as_mut().map(|sink| sink.write_all(&deal.records)) {
                        failed = Some(error);
                        flow = ControlFlow::Break(());
                    }
                    if flow.is_break() {
                        break;
                    }
                }
                progress(score.sums.deals);
                flow
            },
        )?;
        failed.map_or(Ok(()), |error| Err(RunError::Records(error)))
    }

    /// Whether that many can play by these rules.
    ///
    /// # Errors
    /// When they cannot.
    pub fn check(&self) -> Result<(), RulesError> {
        Game::check(self.rules, self.line_up.players())
    }

    /// Plays a deal with every rotation of the line-up. The bots are ordered by place, before and after.
    fn play_deal(&self, deal: u64, bots: &mut [C::Bot]) -> DealResult {
        let players = bots.len();
        let dealer = (deal % players as u64) as Seat;
        let game = Game {
            rules: self.rules,
            unit: self.unit,
            seed: derive(self.seed, &[deal]),
            dealer,
            recorded: self.recorded,
        };
        let mut result = DealResult::new(self.line_up.sides().len());
        let before = self.line_up.failures(bots);
        for rotation in 0..players {
            let place_at = |seat: usize| (seat + players - rotation) % players;
            for (seat, bot) in bots.iter_mut().enumerate() {
                let place = place_at(seat);
                let seed = derive(self.seed, &[deal, 1 + rotation as u64, place as u64]);
                self.side_at(place).renew(bot, seed);
            }
            let side_at = |seat: usize| self.line_up.places()[place_at(seat)];
            let mut scribe = self.recorded.then(Scribe::default);
            let outcome = match self.adjustment.filter(|_| self.unit == Unit::Round) {
                None => game.play(bots, &mut scribe),
                Some(adjustment) => {
                    // Alike for all rotations: as far as they are the same game, what the rollouts err by cancels, too.
                    let mut meter = LuckMeter::new(adjustment, derive(self.seed, &[deal, 0]));
                    let outcome = game.play(bots, &mut (&mut scribe, &mut meter));
                    result.take_out(&meter.luck[..players], side_at);
                    outcome
                }
            };
            if let Some(scribe) = scribe {
                let name_at = |seat: usize| self.line_up.sides()[side_at(seat)].name.as_str();
                scribe.write(&game, players, name_at, &mut result.records);
            }
            result.count(&outcome, side_at, players);
            bots.rotate_right(1);
        }
        let after = self.line_up.failures(bots);
        for (side, (before, after)) in before.into_iter().zip(after).enumerate().filter(|(_, (a, b))| a != b) {
            result.sides[side].failures = after - before;
            result.sides[side].last_error = self.line_up.last_error(side, bots);
        }
        result
    }

    fn side_at(&self, place: usize) -> &C {
        &self.line_up.sides()[self.line_up.places()[place]].contestant
    }
}

/// The results of one deal, over all rotations.
#[derive(Clone, Debug)]
struct DealResult {
    rounds: u32,
    blocked: u32,
    sides: Vec<SideDeal>,
    /// The records of its games, one a line.
    records: Vec<u8>,
}

#[derive(Clone, Debug, Default)]
struct SideDeal {
    wins: i64,
    /// Luck, in the same parts of a win.
    luck: f64,
    won: i64,
    given: i64,
    refused: u64,
    failures: Failures,
    last_error: Option<String>,
}

impl SideDeal {
    /// Parts of a win less that share of the luck, as whole numbers.
    fn without_luck(&self, share: f64) -> i64 {
        self.wins - (share * self.luck).round() as i64
    }
}

/// How much of the luck is taken out: as much as would have been best in the deals before. So it does not depend on the
/// deal it is taken from, and the mean stays what it is.
///
/// Rollouts are noisy, and stand-ins are not the players themselves. The better they are, the closer to one this is.
#[derive(Clone, Copy, Debug, Default)]
struct Share {
    deals: u64,
    products: f64,
    squares: f64,
}

impl Share {
    /// What is best as a rule, and how many deals it counts for: a few deals alone say little.
    const USUAL: f64 = 0.95;
    const WEIGHT: f64 = 20.0;

    fn now(&self) -> f64 {
        let deals = self.deals as f64;
        let best = if self.squares > 0.0 { self.products / self.squares } else { Share::USUAL };
        ((best * deals + Share::USUAL * Share::WEIGHT) / (deals + Share::WEIGHT)).clamp(0.0, 2.0)
    }

    /// Takes in a side's parts of a win above an even share, and its luck.
    fn learn(&mut self, ahead: f64, luck: f64) {
        self.products += ahead * luck;
        self.squares += luck * luck;
    }
}

impl DealResult {
    fn new(sides: usize) -> DealResult {
        DealResult { rounds: 0, blocked: 0, sides: vec![SideDeal::default(); sides], records: Vec::new() }
    }

    /// Notes the luck of a game, by seat.
    fn take_out(&mut self, luck: &[f64], side_at: impl Fn(usize) -> usize) {
        for (seat, luck) in luck.iter().enumerate() {
            self.sides[side_at(seat)].luck += luck * f64::from(WIN);
        }
    }

    fn count(&mut self, game: &GameResult, side_at: impl Fn(usize) -> usize, players: usize) {
        self.rounds += game.rounds;
        self.blocked += game.blocked;
        for seat in 0..players {
            let side = &mut self.sides[side_at(seat)];
            side.wins += i64::from(game.wins[seat]);
            side.won += i64::from(game.won[seat]);
            side.given += i64::from(game.given[seat]);
            side.refused += u64::from(game.refused[seat]);
        }
    }
}

/// The exact sums over some deals of a contest: those of parts can be merged.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArenaSums {
    deals: u64,
    rounds: u64,
    blocked: u64,
    sides: Vec<SideSums>,
    /// The sums of wins by side up to some deals, counted from the first deal of the contest.
    trace: Vec<TraceSums>,
}

/// Sums over deals.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SideSums {
    /// Shares won, less luck if that is taken out.
    wins: Moments,
    /// Shares won as they were.
    plain_wins: Moments,
    points: Moments,
    net: Moments,
    /// Products of wins with those of the anchor, for their covariance.
    with_anchor: i128,
    refused: u64,
    failures: Failures,
    last_error: Option<String>,
}

/// The sums after a number of deals.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TraceSums {
    deals: u64,
    wins: Vec<Moments>,
}

impl ArenaSums {
    fn new(sides: usize) -> ArenaSums {
        ArenaSums { sides: vec![SideSums::default(); sides], ..ArenaSums::default() }
    }

    /// Merges the sums of the parts of a contest, in their order.
    ///
    /// # Errors
    /// When a part is not one of this contest.
    pub fn merge<C>(arena: &Arena<'_, C>, parts: &[ArenaSums]) -> Result<ArenaSums, MergeError> {
        let sides = arena.line_up.sides().len();
        let mut all = ArenaSums::new(sides);
        for (number, part) in (1..).zip(parts) {
            let deals = Part { number, of: parts.len() as u64 }.share_of(arena.deals);
            let traced = part.trace.iter().all(|point| point.wins.len() == sides);
            if part.deals != deals || part.sides.len() != sides || !traced {
                return Err(MergeError { part: number });
            }
            all.append(part);
        }
        match all.is_plausible() {
            true => Ok(all),
            false => Err(MergeError { part: parts.len() as u64 }),
        }
    }

    /// How many deals.
    pub(crate) fn deals(&self) -> u64 {
        self.deals
    }

    /// How many rounds.
    pub(crate) fn rounds(&self) -> u64 {
        self.rounds
    }

    /// How many rounds nobody won.
    pub(crate) fn blocked(&self) -> u64 {
        self.blocked
    }

    /// Parts of a win that a side won, deal by deal.
    pub(crate) fn wins(&self, side: usize) -> &Moments {
        &self.sides[side].wins
    }

    /// Points that a side won minus those it gave, deal by deal.
    pub(crate) fn net_points(&self, side: usize) -> &Moments {
        &self.sides[side].net
    }

    /// How often a side's actions were refused and how often it failed, and the last failure in words.
    pub(crate) fn troubles(&self, side: usize) -> (u64, Failures, Option<String>) {
        let side = &self.sides[side];
        (side.refused, side.failures, side.last_error.clone())
    }

    fn append(&mut self, part: &ArenaSums) {
        for point in &part.trace {
            let wins = self.sides.iter().zip(&point.wins).map(|(before, wins)| before.wins.merged(wins));
            self.trace.push(TraceSums { deals: point.deals, wins: wins.collect() });
        }
        self.deals += part.deals;
        self.rounds = self.rounds.saturating_add(part.rounds);
        self.blocked = self.blocked.saturating_add(part.blocked);
        for (own, other) in self.sides.iter_mut().zip(&part.sides) {
            own.wins = own.wins.merged(&other.wins);
            own.plain_wins = own.plain_wins.merged(&other.plain_wins);
            own.points = own.points.merged(&other.points);
            own.net = own.net.merged(&other.net);
            own.with_anchor = own.with_anchor.saturating_add(other.with_anchor);
            own.refused = own.refused.saturating_add(other.refused);
            own.failures += other.failures;
            if other.last_error.is_some() {
                own.last_error.clone_from(&other.last_error);
            }
        }
    }

    /// Whether the figures can be worked out: sums read from a file may be anything.
    fn is_plausible(&self) -> bool {
        let whole = |moments: &Moments| moments.is_plausible() && moments.count() == self.deals;
        let side =
            |side: &SideSums| whole(&side.wins) && whole(&side.plain_wins) && whole(&side.points) && whole(&side.net);
        self.sides.iter().all(side)
            && self.trace.iter().flat_map(|point| &point.wins).all(Moments::is_plausible)
            && self.trace.is_sorted_by(|one, next| one.deals < next.deals)
    }

    fn trace_point(&self, deals: u64) -> TraceSums {
        TraceSums { deals, wins: self.sides.iter().map(|side| side.wins).collect() }
    }
}

/// The score of a contest, deal by deal.
struct Score<'a, C> {
    arena: &'a Arena<'a, C>,
    part: Part,
    /// Deals of the parts before.
    before: u64,
    sums: ArenaSums,
    share: Share,
    verdict: Verdict,
    thinning: Thinning,
}

impl<'a, C> Score<'a, C> {
    fn new(arena: &'a Arena<'a, C>, part: Part) -> Score<'a, C> {
        let sums = ArenaSums::new(arena.line_up.sides().len());
        let (before, thinning) = (part.range(arena.deals).start, Thinning::new(part, arena.deals));
        Score { arena, part, before, sums, share: Share::default(), verdict: Verdict::Open, thinning }
    }

    /// Counts a deal; breaks when the question is settled.
    fn count(&mut self, deal: &DealResult) -> ControlFlow<()> {
        let share = self.share.now();
        let anchor = deal.sides[self.arena.anchor()].without_luck(share);
        for (number, side) in deal.sides.iter().enumerate() {
            let even = self.arena.unit(number) * f64::from(WIN) / self.arena.players();
            self.share.learn(side.wins as f64 - even, side.luck);
        }
        self.share.deals += 1;
        for (score, side) in self.sums.sides.iter_mut().zip(&deal.sides) {
            let wins = side.without_luck(share);
            score.wins.add(wins);
            score.plain_wins.add(side.wins);
            score.points.add(side.won);
            score.net.add(side.won - side.given);
            score.with_anchor += i128::from(wins) * i128::from(anchor);
            score.refused += side.refused;
            score.failures += side.failures;
            if side.last_error.is_some() {
                score.last_error.clone_from(&side.last_error);
            }
        }
        self.sums.deals += 1;
        self.sums.rounds += u64::from(deal.rounds);
        self.sums.blocked += u64::from(deal.blocked);
        let deals = self.before + self.sums.deals;
        if self.thinning.wants(deals) {
            self.sums.trace.push(self.sums.trace_point(deals));
            self.thinning.thin_out(&mut self.sums.trace);
        }
        self.ask()
    }

    fn ask(&mut self) -> ControlFlow<()> {
        let Some(question) = &self.arena.question else { return ControlFlow::Continue(()) };
        if Question::looks_after(self.sums.deals) {
            let whole = self.arena.unit(0) * f64::from(WIN);
            self.verdict = question.verdict(&self.sums.sides[0].wins, whole / self.arena.players(), whole);
        }
        if self.verdict == Verdict::Open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }
}

impl<C> Arena<'_, C> {
    fn players(&self) -> f64 {
        f64::from(self.line_up.players())
    }

    /// How many seats a side has over the games of one deal.
    fn unit(&self, side: usize) -> f64 {
        self.players() * f64::from(self.line_up.sides()[side].places)
    }

    /// The side whose Elo is 0: the baseline `random`, or else the last one.
    fn anchor(&self) -> usize {
        let sides = self.line_up.sides();
        sides.iter().position(|side| side.name == "random").unwrap_or(sides.len() - 1)
    }

    /// The share of its games that a side wins per seat.
    fn wins(&self, side: usize, wins: &Moments) -> Estimate {
        wins.estimate().times(1.0 / (self.unit(side) * f64::from(WIN)))
    }

    /// Strengths by which a seat wins with a chance proportional to 10^(Elo/400). All games have the same
    /// line-up, so the likeliest strengths are simply the shares won per seat.
    ///
    /// The interval is that of the logarithm of the ratio of two means over the same deals (delta method).
    fn elo(&self, sums: &ArenaSums, side: usize) -> Option<Estimate> {
        let anchor = self.anchor();
        let (own, other) = (&sums.sides[side], &sums.sides[anchor]);
        // With luck taken out, the share of a side that hardly wins can fall below zero.
        if own.wins.sum() <= 0 || other.wins.sum() <= 0 {
            return None;
        }
        let elo = ELO_SCALE * (self.wins(side, &own.wins).mean / self.wins(anchor, &other.wins).mean).log10();
        if side == anchor {
            return Some(Estimate::new(0.0, Some(0.0)));
        }
        let count = sums.deals as f64;
        let (mean, anchor_mean) = (own.wins.mean(), other.wins.mean());
        let covariance = (own.with_anchor as f64 / count - mean * anchor_mean) * count / (count - 1.0);
        let margin = own.wins.variance().zip(other.wins.variance()).map(|(variance, anchor_variance)| {
            let spread = variance / (mean * mean) + anchor_variance / (anchor_mean * anchor_mean)
                - 2.0 * covariance / (mean * anchor_mean);
            REACH * ELO_SCALE / std::f64::consts::LN_10 * (spread.max(0.0) / count).sqrt()
        });
        Some(Estimate::new(elo, margin))
    }

    /// How much smaller the variance is without luck.
    fn worth_of_adjustment(&self, sums: &ArenaSums) -> Option<f64> {
        self.adjustment?;
        let first = sums.sides.first()?;
        let (plain, adjusted) = (first.plain_wins.variance()?, first.wins.variance()?);
        (adjusted > 0.0).then(|| plain / adjusted)
    }

    /// What the sums of a whole contest say.
    pub fn result_of(&self, sums: &ArenaSums) -> ArenaResult {
        self.result(sums, Verdict::Open)
    }

    fn result(&self, sums: &ArenaSums, verdict: Verdict) -> ArenaResult {
        let last = sums.trace_point(sums.deals);
        let is_missing = sums.deals > 0 && sums.trace.last().is_none_or(|point| point.deals < sums.deals);
        let trace = sums.trace.iter().chain(is_missing.then_some(&last)).map(|point| TracePoint {
            deals: point.deals,
            wins: point.wins.iter().enumerate().map(|(side, wins)| self.wins(side, wins)).collect(),
        });
        ArenaResult {
            complete: sums.deals == self.deals || verdict != Verdict::Open,
            deals: sums.deals,
            games: sums.deals * u64::from(self.line_up.players()),
            rounds: sums.rounds,
            blocked: sums.blocked,
            even: 1.0 / self.players(),
            sides: (0..sums.sides.len()).map(|side| self.side_result(sums, side)).collect(),
            verdict: self.question.map(|_| verdict),
            worth_of_adjustment: self.worth_of_adjustment(sums),
            trace: trace.collect(),
        }
    }

    fn side_result(&self, sums: &ArenaSums, side: usize) -> SideResult {
        let score = &sums.sides[side];
        let per_seat = 1.0 / self.unit(side);
        SideResult {
            name: self.line_up.sides()[side].name.clone(),
            places: self.line_up.sides()[side].places,
            wins: self.wins(side, &score.wins),
            points: score.points.estimate().times(per_seat),
            net_points: score.net.estimate().times(per_seat),
            elo: self.elo(sums, side),
            refused: score.refused,
            failures: score.failures,
            last_error: score.last_error.clone(),
        }
    }
}

/// Which points of a running estimate are kept: all multiples of a number, which doubles as there are more of them.
struct Thinning {
    every: u64,
    is_fixed: bool,
}

impl Thinning {
    /// A part keeps what the whole run would have kept in the end, which depends on the number of deals alone.
    fn new(part: Part, deals: u64) -> Thinning {
        if part == Part::WHOLE {
            return Thinning { every: 1, is_fixed: false };
        }
        let mut every = 1;
        while deals / every - u64::from(every == 1) > TRACE as u64 {
            every *= 2;
        }
        Thinning { every, is_fixed: true }
    }

    fn wants(&self, deals: u64) -> bool {
        deals > 1 && deals.is_multiple_of(self.every)
    }

    fn thin_out(&mut self, points: &mut Vec<TraceSums>) {
        if points.len() > TRACE && !self.is_fixed {
            self.every *= 2;
            points.retain(|point| point.deals.is_multiple_of(self.every));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::AtomicBool;

    use unum_bots::{Bot, Level, LevelBot};
    use unum_rules::{Action, Edition, Hand, Sight};

    use super::*;

    /// Plays the first legal action, without a generator.
    struct First;

    /// A contestant of the tests.
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Tester {
        First,
        Random,
    }

    enum TestBot {
        First(First),
        Random(LevelBot),
    }

    impl Contestant for Tester {
        type Bot = TestBot;

        fn enter(&self) -> Result<TestBot, EntryError> {
            Ok(match self {
                Tester::First => TestBot::First(First),
                Tester::Random => TestBot::Random(LevelBot::new(Level::Random, 0)),
            })
        }

        fn renew(&self, bot: &mut TestBot, seed: u64) {
            if let TestBot::Random(bot) = bot {
                Level::Random.renew(bot, seed);
            }
        }
    }

    impl Bot for First {
        fn act(&mut self, sight: &Sight<'_>) -> Action {
            let mut first = None;
            sight.legal(&mut |action| first = first.or(Some(*action)));
            first.unwrap_or(Action::Draw)
        }

        fn react(&mut self, _: &Sight<'_>) -> Option<Action> {
            None
        }
    }

    impl Bot for TestBot {
        fn act(&mut self, sight: &Sight<'_>) -> Action {
            match self {
                TestBot::First(bot) => bot.act(sight),
                TestBot::Random(bot) => bot.act(sight),
            }
        }

        fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
            match self {
                TestBot::First(bot) => bot.react(sight),
                TestBot::Random(bot) => bot.react(sight),
            }
        }
    }

    fn line_up(testers: &[(&str, Tester)]) -> LineUp<Tester> {
        LineUp::new(testers.iter().map(|(name, tester)| ((*name).to_owned(), *tester))).unwrap()
    }

    fn arena<'a, C>(rules: &'a Rules, line_up: &'a LineUp<C>, deals: u64) -> Arena<'a, C> {
        Arena { rules, line_up, unit: Unit::Round, deals, seed: 7, question: None, adjustment: None, recorded: false }
    }

    fn run<C: Contestant>(arena: &Arena<'_, C>, threads: usize) -> ArenaResult {
        let mut crew = Crew { threads, stop: &AtomicBool::new(false), progress: &mut |_| {} };
        arena.run(&mut crew).unwrap()
    }

    #[test]
    fn the_number_of_threads_makes_no_difference() {
        let rules = Rules::of(Edition::Original);
        let line_up = line_up(&[("a", Tester::First), ("b", Tester::Random), ("b", Tester::Random)]);
        for (unit, question) in
            [(Unit::Round, None), (Unit::Match, None), (Unit::Round, Some(Question { margin: 0.05 }))]
        {
            let deals = if unit == Unit::Match { 30 } else { 700 };
            let arena = Arena { unit, question, ..arena(&rules, &line_up, deals) };
            let alone = run(&arena, 1);
            assert!(alone.complete);
            assert_eq!(alone, run(&arena, 2));
            assert_eq!(alone, run(&arena, 5));
        }
    }

    /// The intervals promise to hold the truth 19 times out of 20, and for equals the truth is known.
    #[test]
    fn equals_are_even_as_often_as_the_intervals_promise() {
        let rules = Rules::of(Edition::Original);
        let line_up = line_up(&[("a", Tester::Random), ("b", Tester::Random), ("b", Tester::Random)]);
        let results: Vec<ArenaResult> =
            (0..200).map(|seed| run(&Arena { seed, ..arena(&rules, &line_up, 200) }, 1)).collect();
        let misses = |miss: fn(&SideResult, f64) -> bool| {
            results.iter().filter(|result| miss(&result.sides[0], result.even)).count()
        };
        let wins = misses(|side, even| side.wins.excludes(even));
        let points = misses(|side, _| side.net_points.excludes(0.0));
        let elo = misses(|side, _| side.elo.unwrap().excludes(0.0));
        // Ten are expected, with a standard deviation of three.
        assert!([wins, points, elo].iter().all(|misses| (1..=22).contains(misses)), "{wins} {points} {elo}");
        let shares: f64 = results[0].sides.iter().map(|side| side.wins.mean * f64::from(side.places)).sum();
        assert!((shares - 1.0).abs() < 1e-9);
        assert_eq!((results[0].games, results[0].rounds), (600, 600));
    }

    /// Without a generator of its own, a bot that plays itself gets exactly its share of every deal.
    #[test]
    fn luck_cancels_out() {
        let rules = Rules::of(Edition::Original);
        let line_up = line_up(&[("a", Tester::First), ("b", Tester::First), ("c", Tester::First)]);
        let question = Some(Question { margin: 0.01 });
        let result = run(&Arena { question, ..arena(&rules, &line_up, 100_000) }, 2);
        for side in &result.sides {
            assert_eq!((side.wins.margin(), side.net_points.mean), (Some(0.0), 0.0));
            assert!((side.wins.mean - result.even).abs() < 1e-12);
        }
        assert_eq!(result.verdict, Some(Verdict::Even));
        assert!(result.complete && result.deals < 100_000);
    }

    #[test]
    fn elo_of_two_is_the_logarithm_of_their_odds() {
        let rules = Rules::of(Edition::Original);
        let line_up = line_up(&[("first", Tester::First), ("random", Tester::Random)]);
        let result = run(&arena(&rules, &line_up, 500), 2);
        let share = result.sides[0].wins.mean;
        let elo = result.sides[0].elo.unwrap();
        assert!((elo.mean - 400.0 * (share / (1.0 - share)).log10()).abs() < 1e-9);
        // Both ends of the interval of the share, turned into Elo, are about the ends of the interval of Elo.
        let low = result.sides[0].wins.low.unwrap();
        assert!((elo.low.unwrap() - 400.0 * (low / (1.0 - low)).log10()).abs() < 0.5, "{elo:?}");
        assert_eq!(result.sides[1].elo, Some(Estimate::new(0.0, Some(0.0))));
    }

    /// Writes down what it is dealt.
    struct Scribe<'a>(&'a Mutex<Vec<(u8, Hand)>>);

    struct Scribbler<'a>(&'a Mutex<Vec<(u8, Hand)>>, First);

    impl<'a> Contestant for Scribe<'a> {
        type Bot = Scribbler<'a>;

        fn enter(&self) -> Result<Scribbler<'a>, EntryError> {
            Ok(Scribbler(self.0, First))
        }

        fn renew(&self, _: &mut Scribbler<'a>, _: u64) {}
    }

    impl PartialEq for Scribe<'_> {
        fn eq(&self, _: &Self) -> bool {
            true
        }
    }

    impl Bot for Scribbler<'_> {
        fn begin(&mut self, sight: &Sight<'_>) {
            self.0.lock().unwrap().push((sight.seat(), *sight.hand()));
        }

        fn act(&mut self, sight: &Sight<'_>) -> Action {
            self.1.act(sight)
        }

        fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
            self.1.react(sight)
        }
    }

    #[test]
    fn every_rotation_gets_the_same_cards_and_every_place_every_seat() {
        let rules = Rules::of(Edition::Original);
        let dealt: [Mutex<Vec<(u8, Hand)>>; 3] = Default::default();
        let sides = dealt.iter().zip(["a", "b", "c"]).map(|(dealt, name)| (name.to_owned(), Scribe(dealt)));
        let line_up = LineUp::new(sides).unwrap();
        run(&arena(&rules, &line_up, 10), 1);
        let dealt = dealt.map(|dealt| dealt.into_inner().unwrap());
        for deal in 0..10 {
            let mut hands = dealt.each_ref().map(|dealt| dealt[deal * 3..deal * 3 + 3].to_vec());
            hands.iter_mut().for_each(|hands| hands.sort_by_key(|(seat, _)| *seat));
            assert!(hands[0].iter().map(|(seat, _)| *seat).eq(0..3));
            assert!(hands.iter().all(|others| *others == hands[0]));
        }
    }

    #[test]
    fn what_is_finished_when_a_crew_is_stopped_counts() {
        let rules = Rules::of(Edition::Original);
        let line_up = line_up(&[("a", Tester::Random), ("b", Tester::Random)]);
        let arena = arena(&rules, &line_up, 100_000);
        let stop = AtomicBool::new(false);
        let mut progress = |done| {
            if done >= 200 {
                stop.store(true, std::sync::atomic::Ordering::Relaxed);
            }
        };
        let result = arena.run(&mut Crew { threads: 2, stop: &stop, progress: &mut progress }).unwrap();
        assert!(!result.complete && result.deals >= 200 && result.deals < 100_000, "{}", result.deals);
        let whole = run(&Arena { deals: result.deals, ..arena }, 2);
        assert_eq!(whole.sides, result.sides);
    }

    #[test]
    fn without_luck_the_games_are_the_same_and_the_interval_is_tighter() {
        let rules = Rules::of(Edition::Original);
        let sides = [("hard", Level::Hard), ("normal", Level::Normal)];
        let line_up = LineUp::new(sides.into_iter().map(|(name, level)| (name.to_owned(), level))).unwrap();
        let plain = arena(&rules, &line_up, 120);
        let adjusted = Arena { adjustment: Some(Adjustment { pairs: 16, draws: 3, values: 2, deals: 0 }), ..plain };
        let (one, other) = (run(&plain, 2), run(&adjusted, 2));
        assert_eq!(other, run(&adjusted, 1), "the number of threads makes no difference");
        assert_eq!((one.rounds, &one.sides[0].points), (other.rounds, &other.sides[0].points), "the same games");
        let [before, after] = [&one.sides[0].wins, &other.sides[0].wins];
        assert!((before.mean - after.mean).abs() < before.margin().unwrap() * 1.5, "{before:?} {after:?}");
        assert!(after.margin().unwrap() < before.margin().unwrap() * 0.9, "{before:?} {after:?}");
        let worth = (before.margin().unwrap() / after.margin().unwrap()).powi(2);
        assert!((other.worth_of_adjustment.unwrap() / worth - 1.0).abs() < 0.01);
        assert_eq!(one.worth_of_adjustment, None);
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let rules = Rules::of(Edition::Original);
        let line_up = line_up(&[("a", Tester::First), ("b", Tester::Random), ("b", Tester::Random)]);
        for (deals, parts) in [(1, 1), (1, 2), (201, 7), (202, 7), (1003, 16)] {
            let arena = arena(&rules, &line_up, deals);
            let sums = |number| {
                let mut crew = Crew { threads: 2, stop: &AtomicBool::new(false), progress: &mut |_| {} };
                let sums = arena.run_part(Part { number, of: parts }, None, &mut crew).unwrap().unwrap();
                let json = serde_json::to_string(&sums).unwrap();
                serde_json::from_str::<ArenaSums>(&json).unwrap()
            };
            let mut all: Vec<ArenaSums> = (1..=parts).map(sums).collect();
            let merged = ArenaSums::merge(&arena, &all).unwrap();
            assert_eq!(arena.result_of(&merged), run(&arena, 2), "{deals} deals in {parts} parts");
            all[0].deals += 1;
            assert_eq!(ArenaSums::merge(&arena, &all), Err(MergeError { part: 1 }));
            all[0].deals -= 1;
            all[0].sides[1].points = Moments::from_sums(all[0].deals, i128::MAX, i128::MAX);
            assert!(ArenaSums::merge(&arena, &all).is_err(), "sums from a file may be anything");
        }
    }

    #[test]
    fn traces_stay_short() {
        let rules = Rules::of(Edition::Original);
        let line_up = line_up(&[("a", Tester::Random), ("b", Tester::Random)]);
        let result = run(&arena(&rules, &line_up, 5001), 2);
        assert!(result.trace.len() <= TRACE + 1 && result.trace.len() >= TRACE / 2);
        assert_eq!(result.trace.last().unwrap().deals, 5001);
        assert!(result.trace.is_sorted_by_key(|point| point.deals));
    }
}
