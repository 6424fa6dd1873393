//! Bots against bots on duplicate deals.

use std::ops::ControlFlow;

use serde::Serialize;
use unum_rules::{Rules, RulesError, Seat};

use crate::adjust::{Adjustment, LuckMeter};
use crate::contestant::{Contestant, EntryError, LineUp};
use crate::crew::Crew;
use crate::estimate::{Estimate, Moments, REACH};
use crate::external::Failures;
use crate::game::{Game, GameResult, Unit, WIN};
use crate::seeds::derive;
use crate::sequential::{Question, Verdict};

/// Elo points for a tenfold chance to win.
const ELO_SCALE: f64 = 400.0;

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
        let chunk = (self.deals / 256).clamp(1, 32);
        let chunks = self.deals.div_ceil(chunk);
        let mut score = Score::new(self);
        crew.run(
            chunks,
            || self.line_up.enter(),
            |bots, number, stopped| {
                let first = number * chunk;
                let deals = first..(first + chunk).min(self.deals);
                deals.map(|deal| (!stopped()).then(|| self.play_deal(deal, bots))).collect::<Option<Vec<_>>>()
            },
            |deals, progress| {
                let enough = deals.iter().any(|deal| score.count(deal).is_break());
                progress(score.deals);
                if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            },
        )?;
        Ok(score.result())
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
        let game = Game { rules: self.rules, unit: self.unit, seed: derive(self.seed, &[deal]), dealer };
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
            let outcome = match self.adjustment.filter(|_| self.unit == Unit::Round) {
                None => game.play(bots, &mut ()),
                Some(adjustment) => {
                    // Alike for all rotations: as far as they are the same game, what the rollouts err by cancels, too.
                    let mut meter = LuckMeter::new(adjustment, derive(self.seed, &[deal, 0]));
                    let outcome = game.play(bots, &mut meter);
                    result.take_out(&meter.luck[..players], side_at);
                    outcome
                }
            };
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
    /// Below that, all of it is taken out.
    const FEW: u64 = 20;

    fn now(&self) -> f64 {
        if self.deals < Share::FEW || self.squares <= 0.0 {
            1.0
        } else {
            (self.products / self.squares).clamp(0.0, 2.0)
        }
    }

    /// Takes in a side's parts of a win above an even share, and its luck.
    fn learn(&mut self, ahead: f64, luck: f64) {
        self.products += ahead * luck;
        self.squares += luck * luck;
    }
}

impl DealResult {
    fn new(sides: usize) -> DealResult {
        DealResult { rounds: 0, blocked: 0, sides: vec![SideDeal::default(); sides] }
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

/// The score of a contest, deal by deal.
struct Score<'a, C> {
    arena: &'a Arena<'a, C>,
    deals: u64,
    rounds: u64,
    blocked: u64,
    sides: Vec<SideScore>,
    share: Share,
    verdict: Verdict,
    trace: Trace,
}

/// Sums over deals.
#[derive(Clone, Default)]
struct SideScore {
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

impl<'a, C> Score<'a, C> {
    fn new(arena: &'a Arena<'a, C>) -> Score<'a, C> {
        let sides = vec![SideScore::default(); arena.line_up.sides().len()];
        let trace = Trace { every: 1, points: Vec::new() };
        let share = Share::default();
        Score { arena, deals: 0, rounds: 0, blocked: 0, sides, share, verdict: Verdict::Open, trace }
    }

    /// Counts a deal; breaks when the question is settled.
    fn count(&mut self, deal: &DealResult) -> ControlFlow<()> {
        let share = self.share.now();
        let anchor = deal.sides[self.anchor()].without_luck(share);
        for (number, side) in deal.sides.iter().enumerate() {
            let even = self.unit(number) * f64::from(WIN) / self.players();
            self.share.learn(side.wins as f64 - even, side.luck);
        }
        self.share.deals += 1;
        for (score, side) in self.sides.iter_mut().zip(&deal.sides) {
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
        self.deals += 1;
        self.rounds += u64::from(deal.rounds);
        self.blocked += u64::from(deal.blocked);
        if self.trace.wants(self.deals) {
            let point = self.trace_point();
            self.trace.push(point);
        }
        self.ask()
    }

    fn ask(&mut self) -> ControlFlow<()> {
        let Some(question) = &self.arena.question else { return ControlFlow::Continue(()) };
        if Question::looks_after(self.deals) {
            let unit = self.unit(0);
            self.verdict =
                question.verdict(&self.sides[0].wins, unit * f64::from(WIN) / self.players(), unit * f64::from(WIN));
        }
        if self.verdict == Verdict::Open { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    }

    fn players(&self) -> f64 {
        f64::from(self.arena.line_up.players())
    }

    /// How many seats a side has over the games of one deal.
    fn unit(&self, side: usize) -> f64 {
        self.players() * f64::from(self.arena.line_up.sides()[side].places)
    }

    /// The side whose Elo is 0: the baseline `random`, or else the last one.
    fn anchor(&self) -> usize {
        let sides = self.arena.line_up.sides();
        sides.iter().position(|side| side.name == "random").unwrap_or(sides.len() - 1)
    }

    fn wins(&self, side: usize) -> Estimate {
        self.sides[side].wins.estimate().times(1.0 / (self.unit(side) * f64::from(WIN)))
    }

    /// Strengths by which a seat wins with a chance proportional to 10^(Elo/400). All games have the same
    /// line-up, so the likeliest strengths are simply the shares won per seat.
    ///
    /// The interval is that of the logarithm of the ratio of two means over the same deals (delta method).
    fn elo(&self, side: usize) -> Option<Estimate> {
        let anchor = self.anchor();
        let (own, other) = (&self.sides[side], &self.sides[anchor]);
        // With luck taken out, the share of a side that hardly wins can fall below zero.
        if own.wins.sum() <= 0 || other.wins.sum() <= 0 {
            return None;
        }
        let elo = ELO_SCALE * (self.wins(side).mean / self.wins(anchor).mean).log10();
        if side == anchor {
            return Some(Estimate::new(0.0, Some(0.0)));
        }
        let count = self.deals as f64;
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
    fn worth_of_adjustment(&self) -> Option<f64> {
        self.arena.adjustment?;
        let first = self.sides.first()?;
        let (plain, adjusted) = (first.plain_wins.variance()?, first.wins.variance()?);
        (adjusted > 0.0).then(|| plain / adjusted)
    }

    fn trace_point(&self) -> TracePoint {
        TracePoint { deals: self.deals, wins: (0..self.sides.len()).map(|side| self.wins(side)).collect() }
    }

    fn result(mut self) -> ArenaResult {
        if self.deals > 0 && self.trace.points.last().is_none_or(|point| point.deals < self.deals) {
            let point = self.trace_point();
            self.trace.points.push(point);
        }
        let sides = (0..self.sides.len()).map(|side| self.side_result(side)).collect();
        ArenaResult {
            complete: self.deals == self.arena.deals || self.verdict != Verdict::Open,
            deals: self.deals,
            games: self.deals * u64::from(self.arena.line_up.players()),
            rounds: self.rounds,
            blocked: self.blocked,
            even: 1.0 / self.players(),
            sides,
            verdict: self.arena.question.map(|_| self.verdict),
            worth_of_adjustment: self.worth_of_adjustment(),
            trace: self.trace.points,
        }
    }

    fn side_result(&self, side: usize) -> SideResult {
        let score = &self.sides[side];
        let per_seat = 1.0 / self.unit(side);
        SideResult {
            name: self.arena.line_up.sides()[side].name.clone(),
            places: self.arena.line_up.sides()[side].places,
            wins: self.wins(side),
            points: score.points.estimate().times(per_seat),
            net_points: score.net.estimate().times(per_seat),
            elo: self.elo(side),
            refused: score.refused,
            failures: score.failures,
            last_error: score.last_error.clone(),
        }
    }
}

/// A running estimate, thinned out as it gets longer.
struct Trace {
    every: u64,
    points: Vec<TracePoint>,
}

impl Trace {
    fn wants(&self, deals: u64) -> bool {
        deals > 1 && deals.is_multiple_of(self.every)
    }

    fn push(&mut self, point: TracePoint) {
        self.points.push(point);
        if self.points.len() > TRACE {
            self.every *= 2;
            let every = self.every;
            self.points.retain(|point| point.deals.is_multiple_of(every));
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
        Arena { rules, line_up, unit: Unit::Round, deals, seed: 7, question: None, adjustment: None }
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
        let adjusted = Arena { adjustment: Some(Adjustment { pairs: 16, draws: 3, deals: 0 }), ..plain };
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
    fn traces_stay_short() {
        let rules = Rules::of(Edition::Original);
        let line_up = line_up(&[("a", Tester::Random), ("b", Tester::Random)]);
        let result = run(&arena(&rules, &line_up, 5001), 2);
        assert!(result.trace.len() <= TRACE + 1 && result.trace.len() >= TRACE / 2);
        assert_eq!(result.trace.last().unwrap().deals, 5001);
        assert!(result.trace.is_sorted_by_key(|point| point.deals));
    }
}
