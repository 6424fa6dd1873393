//! Statistics of random rounds, compared with numbers published by an independent program.
//!
//! `cargo run --release -p unum-rules --example statistics -- --rounds 2000000 --seed 1` prints the tables
//! of `docs/statistics.md`, which says what is counted. Exit code 1 if a mean is more than 1 % off.

use std::fmt;
use std::process::ExitCode;

use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use unum_rules::{
    Action, Card, CardSet, Chance, Color, Edition, Event, Hand, House, Phase, Play, Refusal, Round, Rules, RulesError,
    RulesSpec, Seat, Sink,
};

/// What the other program found: players, mean turns per round, mean points for the winner.
const PUBLISHED: [(u8, f64, f64); 5] =
    [(2, 46.7, 45.3), (3, 46.5, 77.4), (4, 50.1, 117.1), (6, 60.8, 198.6), (10, 83.0, 379.0)];
/// How far off a mean may be, in percent.
const TOLERANCE: f64 = 1.0;

fn main() -> ExitCode {
    let result = Options::parse(std::env::args().skip(1)).and_then(|options| measure_all(&options));
    match result {
        Ok(rows) => {
            print!("{}", Report(&rows));
            ExitCode::from(u8::from(rows.iter().any(Row::is_off)))
        }
        Err(error) => {
            eprintln!("statistics: {error}");
            ExitCode::from(2)
        }
    }
}

#[derive(Debug)]
enum Error {
    Usage(String),
    Rules(RulesError),
    Refused(Refusal),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Usage(problem) => write!(f, "{problem}; usage: statistics [--rounds N] [--seed N]"),
            Error::Rules(why) => write!(f, "{why}"),
            Error::Refused(why) => write!(f, "{why}"),
        }
    }
}

impl From<RulesError> for Error {
    fn from(why: RulesError) -> Error {
        Error::Rules(why)
    }
}

impl From<Refusal> for Error {
    fn from(why: Refusal) -> Error {
        Error::Refused(why)
    }
}

/// How many rounds for each number of players, and the seed.
struct Options {
    rounds: u32,
    seed: u64,
}

impl Options {
    fn parse(mut words: impl Iterator<Item = String>) -> Result<Options, Error> {
        let mut options = Options { rounds: 200_000, seed: 1 };
        while let Some(word) = words.next() {
            let number = words.next().and_then(|number| number.parse::<u64>().ok());
            let number = number.ok_or_else(|| Error::Usage(format!("{word} needs a number")))?;
            match word.as_str() {
                "--rounds" => options.rounds = number.clamp(1, u32::MAX.into()) as u32,
                "--seed" => options.seed = number,
                _ => return Err(Error::Usage(format!("there is no option {word}"))),
            }
        }
        Ok(options)
    }
}

// What is measured.

/// A mean that knows its standard error.
#[derive(Clone, Copy, Default)]
struct Mean {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Mean {
    fn add(&mut self, value: u32) {
        let value = f64::from(value);
        self.count += 1.0;
        self.sum += value;
        self.squares += value * value;
    }

    fn mean(&self) -> f64 {
        self.sum / self.count
    }

    fn error(&self) -> f64 {
        let variance = self.squares / self.count - self.mean() * self.mean();
        (variance / self.count).sqrt()
    }
}

/// What one round came to.
#[derive(Clone, Copy, Default)]
struct Outcome {
    /// Turns in which somebody played or drew; drawing a card and playing it is one.
    turns: u32,
    /// Turns lost to a Skip, a Draw Two or a Wild Draw Four.
    lost: u32,
    /// What the winner scored.
    points: u32,
}

impl Sink for Outcome {
    fn push(&mut self, event: Event) {
        self.lost += u32::from(matches!(event, Event::Skipped { .. }));
    }
}

#[derive(Clone, Copy, Default)]
struct Means {
    turns: Mean,
    lost: Mean,
    points: Mean,
}

impl Means {
    fn add(&mut self, outcome: Outcome) {
        self.turns.add(outcome.turns);
        self.lost.add(outcome.lost);
        self.points.add(outcome.points);
    }
}

// Playing.

/// No bluffs and so no challenges, no penalty for a forgotten "UNO".
fn rules(reverse_skips_with_two: bool) -> Result<Rules, RulesError> {
    let house = House { no_bluffing: true, uno_penalty: Some(0), reverse_skips_with_two, ..House::default() };
    Rules::new(RulesSpec { house, ..RulesSpec::of(Edition::Original) })
}

/// A round in the making, with all that moves it on.
struct Table<'a> {
    round: Round,
    rules: &'a Rules,
    chance: &'a mut Pcg64Mcg,
    outcome: Outcome,
}

impl<'a> Table<'a> {
    fn deal(rules: &'a Rules, players: u8, dealer: Seat, chance: &'a mut Pcg64Mcg) -> Result<Table<'a>, Error> {
        let mut outcome = Outcome::default();
        let round = Round::deal(rules, players, dealer, chance, &mut outcome)?;
        Ok(Table { round, rules, chance, outcome })
    }

    /// Whether a wild lies there as start card.
    fn starts_with_wild(&self) -> bool {
        matches!(self.round.phase(), Phase::CallColor { .. })
    }

    fn finish(mut self) -> Result<Outcome, Error> {
        loop {
            match *self.round.phase() {
                Phase::Turn { seat } => self.take_turn(seat)?,
                Phase::CallColor { seat, .. } => {
                    let color = self.any_color();
                    self.act(seat, Action::CallColor(color))?;
                }
                Phase::Over { winner } => return Ok(self.score(winner)),
                // A card just drawn. Nothing else comes up by these rules.
                _ => self.play_drawn()?,
            }
        }
    }

    fn take_turn(&mut self, seat: Seat) -> Result<(), Error> {
        self.outcome.turns += 1;
        let playable = self.round.playable(self.rules, seat);
        match pick(self.round.hand(seat), playable, self.chance) {
            Some(card) => self.play(seat, card),
            None => self.act(seat, Action::Draw),
        }
    }

    /// What was drawn is played if it can be.
    fn play_drawn(&mut self) -> Result<(), Error> {
        let seat = self.round.phase().seat().unwrap_or(0);
        match self.round.drawn().and_then(|drawn| drawn.kinds().first()) {
            Some(card) => self.play(seat, card),
            None => self.act(seat, Action::Keep),
        }
    }

    fn play(&mut self, seat: Seat, card: Card) -> Result<(), Error> {
        let play = if card.is_wild() { Play::wild(card, self.any_color()) } else { Play::card(card) };
        self.act(seat, Action::Play(play))
    }

    fn act(&mut self, seat: Seat, action: Action) -> Result<(), Error> {
        Ok(self.round.apply(self.rules, seat, &action, self.chance, &mut self.outcome)?)
    }

    fn any_color(&mut self) -> Color {
        Color::ALL[self.chance.below(4) as usize]
    }

    fn score(&self, winner: Option<Seat>) -> Outcome {
        let held = self.round.hands().iter().map(|hand| self.rules.hand_points(hand));
        Outcome { points: winner.map_or(0, |_| held.sum()), ..self.outcome }
    }

    /// The other program's first turn on a wild as start card: any card follows. Here the player calls
    /// the color that allows it.
    fn play_any_card(&mut self) -> Result<(), Error> {
        let Some(seat) = self.round.phase().seat() else { return Ok(()) };
        let hand = *self.round.hand(seat);
        let Some(card) = pick(&hand, hand.kinds(), self.chance) else { return Ok(()) };
        let Some(color) = self.color_for(&hand, card) else { return Ok(()) };
        self.act(seat, Action::CallColor(color))?;
        self.outcome.turns += 1;
        self.play(seat, card)
    }

    /// The color under which a card may be played. A Wild Draw Four has none if the hand has all four.
    fn color_for(&mut self, hand: &Hand, card: Card) -> Option<Color> {
        if card != Card::WILD_DRAW_FOUR {
            return card.color().or_else(|| Some(self.any_color()));
        }
        Color::ALL.into_iter().find(|color| hand.kinds().and(CardSet::color(*color)).is_empty())
    }
}

/// A random card of the set, every copy in the hand being equally likely.
fn pick(hand: &Hand, set: CardSet, chance: &mut Pcg64Mcg) -> Option<Card> {
    let cards: u32 = set.iter().map(|card| u32::from(hand.count(card))).sum();
    let mut place = if cards > 0 { chance.below(cards) } else { 0 };
    set.iter().find(|card| {
        let copies = u32::from(hand.count(*card));
        let here = place < copies;
        place = place.wrapping_sub(copies);
        here
    })
}

// Measuring.

/// The means for one number of players.
struct Row {
    label: String,
    /// Turns and points of the other program.
    theirs: (f64, f64),
    /// Whether a difference counts: not for rows that only show another reading.
    checked: bool,
    ours: Means,
    /// The same rounds, except that any card may follow a wild start card.
    loose: Means,
}

impl Row {
    fn is_off(&self) -> bool {
        let turns = percent(self.ours.turns.mean(), self.theirs.0);
        let points = percent(self.ours.points.mean(), self.theirs.1);
        self.checked && (turns.abs() > TOLERANCE || points.abs() > TOLERANCE)
    }
}

fn percent(ours: f64, theirs: f64) -> f64 {
    (ours / theirs - 1.0) * 100.0
}

fn measure_all(options: &Options) -> Result<Vec<Row>, Error> {
    let rules_as_usual = rules(true)?;
    let mut rows = Vec::new();
    for (players, turns, points) in PUBLISHED {
        let (ours, loose) = measure(&rules_as_usual, players, options)?;
        rows.push(Row { label: players.to_string(), theirs: (turns, points), checked: true, ours, loose });
    }
    let (players, turns, points) = PUBLISHED[0];
    let (ours, loose) = measure(&rules(false)?, players, options)?;
    let label = "2, Reverse to the letter".to_owned();
    rows.push(Row { label, theirs: (turns, points), checked: false, ours, loose });
    Ok(rows)
}

fn measure(rules: &Rules, players: u8, options: &Options) -> Result<(Means, Means), Error> {
    let mut chance = Pcg64Mcg::seed_from_u64(options.seed);
    let (mut ours, mut loose) = (Means::default(), Means::default());
    for number in 0..options.rounds {
        let dealer = (number % u32::from(players)) as Seat;
        let (outcome, loosely) = play_both(rules, players, dealer, &mut chance)?;
        ours.add(outcome);
        loose.add(loosely);
    }
    Ok((ours, loose))
}

/// Plays a round, and once more by the other program's rule if that makes a difference.
fn play_both(rules: &Rules, players: u8, dealer: Seat, chance: &mut Pcg64Mcg) -> Result<(Outcome, Outcome), Error> {
    let table = Table::deal(rules, players, dealer, chance)?;
    if !table.starts_with_wild() {
        let outcome = table.finish()?;
        return Ok((outcome, outcome));
    }
    let (round, dealt) = (table.round, table.outcome);
    let outcome = table.finish()?;
    let mut again = Table { round, rules, chance, outcome: dealt };
    again.play_any_card()?;
    Ok((outcome, again.finish()?))
}

// Telling.

struct Report<'a>(&'a [Row]);

impl fmt::Display for Report<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "| players | turns per round | ± | published | difference | any card follows | other turns lost |"
        )?;
        writeln!(f, "| --- | ---: | ---: | ---: | ---: | ---: | ---: |")?;
        for row in self.0 {
            let lost = format!(" {:.2} |", row.ours.lost.mean());
            write_row(f, row, &row.ours.turns, &row.loose.turns, row.theirs.0, &lost)?;
        }
        writeln!(f, "\n| players | points for the winner | ± | published | difference | any card follows |")?;
        writeln!(f, "| --- | ---: | ---: | ---: | ---: | ---: |")?;
        for row in self.0 {
            write_row(f, row, &row.ours.points, &row.loose.points, row.theirs.1, "")?;
        }
        Ok(())
    }
}

/// One row of a table; `±` is the standard error of the mean.
fn write_row(f: &mut fmt::Formatter<'_>, row: &Row, ours: &Mean, loose: &Mean, theirs: f64, rest: &str) -> fmt::Result {
    let (mean, error, difference) = (ours.mean(), ours.error(), percent(ours.mean(), theirs));
    let loosely = percent(loose.mean(), theirs);
    let Row { label, checked, .. } = row;
    let note = if *checked && difference.abs() > TOLERANCE { " too far" } else { "" };
    writeln!(
        f,
        "| {label} | {mean:.2} | {error:.2} | {theirs:.1} | {difference:+.2} %{note} | {:.2} ({loosely:+.2} %) |{rest}",
        loose.mean()
    )
}
