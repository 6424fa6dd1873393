//! A review for people and programs.

use std::fmt::Write as _;

use serde::Serialize;
use unum_lab::Estimate;
use unum_review::value::gap_words;
use unum_review::{Account, Cause, DecisionReview, Review, RoundReview, SeatReview};
use unum_rules::Seat;
use unum_rules::record::Record;
use unum_terminal::screen::{Moment as Mistake, Notes};

use super::Report;
use super::chart::{self, Moment};
use super::csv::Csv;
use super::page::Page;
use super::text::{Table, count};

/// How many moments are told.
const MOMENTS: usize = 3;
/// How many moves a line of the picture has at most.
const COLUMNS: usize = 64;
/// The heights of a column of the picture.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Standard errors in a 95 % interval.
const REACH: f64 = 1.96;

/// A review with what is needed to tell it.
#[derive(Serialize)]
pub(crate) struct Reviewed {
    command: String,
    edition: String,
    /// Whose decisions were judged; everybody's if nobody is named.
    seat: Option<Seat>,
    #[serde(flatten)]
    review: Review,
}

impl Reviewed {
    pub(crate) fn new(review: Review, record: &Record, seat: Option<Seat>, command: String) -> Reviewed {
        Reviewed { command, edition: record.setup.rules.edition.to_string(), seat, review }
    }

    fn name(&self, seat: Seat) -> &str {
        self.review.names.get(usize::from(seat)).map_or("somebody", String::as_str)
    }

    fn told(&self) -> impl Iterator<Item = Seat> + '_ {
        (0..self.review.players).filter(|seat| self.seat.is_none_or(|only| only == *seat))
    }

    fn headline(&self) -> String {
        let rounds = self.review.rounds.len();
        let judged = self.review.decisions.iter().filter(|decision| decision.counts).count();
        format!(
            "{}, {} of {}: {} decisions that count, judged in {} worlds.",
            self.review.names.join(", "),
            if rounds == 1 { "one round".to_owned() } else { format!("{rounds} rounds") },
            self.edition,
            count(judged as u64),
            count(self.review.worlds)
        )
    }

    /// What happened to a seat, in a sentence or two.
    fn sentence(&self, seat: Seat) -> String {
        let whole = &self.review.seats[usize::from(seat)];
        let rounds = self.review.rounds.len() as f64;
        let share = (whole.percentile.0 * 100.0).round();
        let luck = match self.review.rounds.len() {
            1 => format!("luckier than {share} of 100 rounds"),
            _ => format!("give or take {} by chance", points(whole.spread.0)),
        };
        let won = if rounds == 1.0 {
            if whole.won.0 > 0.99 { "won".to_owned() } else { "did not win".to_owned() }
        } else {
            format!("won {} of {} rounds", plain(whole.won.0), rounds)
        };
        let mut text = format!("{} {won}. Luck {}, {luck}", self.name(seat), signed(whole.luck.0));
        if whole.decisions > 0 {
            let _ = write!(
                text,
                "; own choices lost {} ±{} in {}",
                points(whole.lost.0.max(0.0)),
                points(whole.lost_error.0 * REACH),
                if whole.decisions == 1 { "one decision".to_owned() } else { format!("{} decisions", whole.decisions) }
            );
        }
        text + "."
    }

    fn seats_table(&self) -> Table {
        let mut table = Table::new(&[
            "",
            "won",
            "luck",
            "luckier than",
            "without luck",
            "decisions",
            "error rate",
            "level",
            "UNO forgotten",
            "challenges",
            "bluffs",
        ]);
        for seat in self.told() {
            let one = &self.review.seats[usize::from(seat)];
            table.row(vec![
                self.name(seat).to_owned(),
                plain(one.won.0),
                signed(one.luck.0),
                format!("{:.0} %", one.percentile.0 * 100.0),
                points(one.adjusted.0),
                one.decisions.to_string(),
                rate(one),
                one.level.clone().unwrap_or_else(|| "-".to_owned()),
                of(one.unos_forgotten, one.unos_caught, "caught"),
                of(one.challenges_right + one.challenges_wrong, one.challenges_right, "right"),
                of(one.bluffs, one.bluffs_caught, "caught"),
            ]);
        }
        table
    }

    /// Where results came from, summed over rounds.
    fn account_table(&self) -> Table {
        let mut table = Table::new(&[
            "",
            "result",
            "even",
            "place",
            "deal",
            "own cards",
            "others' cards",
            "hidden cards",
            "own choices",
            "others' choices",
            "UNO",
            "rest",
        ]);
        for seat in self.told() {
            let sum = |figure: fn(&Account) -> f64| {
                self.review.rounds.iter().map(|round| figure(&round.seats[usize::from(seat)])).sum::<f64>()
            };
            let even = self.review.rounds.len() as f64 / f64::from(self.review.players);
            table.row(vec![
                self.name(seat).to_owned(),
                points(sum(|account| account.result.0)),
                points(even),
                signed(sum(|account| account.place.0)),
                signed(sum(|account| account.deal.0)),
                signed(sum(|account| account.own_draws.0)),
                signed(sum(|account| account.others_draws.0)),
                signed(sum(|account| account.fog.0)),
                signed(sum(|account| account.own_errors.0)),
                signed(sum(|account| account.others_errors.0)),
                signed(sum(|account| account.attention.0)),
                signed(sum(|account| account.rest.0)),
            ]);
        }
        table
    }

    /// Chances to win the match, round by round.
    fn match_table(&self) -> Option<Table> {
        if !self.review.is_match {
            return None;
        }
        let mut table = Table::new(&["", "round", "before", "after", "luck", "own choices", "without luck"]);
        for seat in self.told() {
            for round in &self.review.rounds {
                let account = round.seats[usize::from(seat)].in_match?;
                table.row(vec![
                    self.name(seat).to_owned(),
                    round.round.to_string(),
                    points(account.before.0),
                    points(account.after.0),
                    signed(account.luck.0),
                    signed(account.own_errors.0),
                    signed(account.adjusted.0),
                ]);
            }
        }
        Some(table)
    }

    /// The largest clear errors.
    fn moments(&self) -> Vec<&DecisionReview> {
        let mut moments: Vec<&DecisionReview> = self.review.decisions.iter().filter(|one| one.marked).collect();
        moments.sort_by(|a, b| b.error.0.total_cmp(&a.error.0));
        moments.truncate(MOMENTS);
        moments
    }

    fn moment(&self, one: &DecisionReview) -> String {
        let words = |place: usize| one.actions.get(place).map_or("", |action| action.words.as_str());
        let mut text = format!(
            "Move {} (round {}): {} chose to {}. Better by {} ±{} points: {}.",
            one.spot.number,
            one.spot.round,
            self.name(one.spot.seat),
            words(one.played),
            points(one.error.0),
            points(one.standard_error.0 * REACH),
            words(one.best)
        );
        if let Some(why) = &one.why {
            text.push(' ');
            text += why;
        }
        text
    }

    fn no_moments(&self) -> &'static str {
        if self.review.worlds == 0 { "No decisions were judged." } else { "No choice was clearly a mistake." }
    }

    fn picture(&self, round: &RoundReview) -> String {
        let width = self.review.names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let step = round.line.len().div_ceil(COLUMNS).max(1);
        let points: Vec<_> = round.line.chunks(step).filter_map(<[_]>::last).collect();
        let mut text = format!("Round {}: chances to win, all cards open, after every move\n", round.round);
        for seat in 0..self.review.players {
            let bars = points.iter().map(|point| block(point.open[usize::from(seat)].0));
            let _ = writeln!(text, "  {:<width$} {}", self.name(seat), bars.collect::<String>());
        }
        let marks: String = round.line.chunks(step).map(|moves| mark(moves.iter().map(|point| point.cause))).collect();
        let _ = writeln!(text, "  {:<width$} {}", "", marks.trim_end());
        text
    }
}

/// A review as the replay in the terminal shows it.
pub(crate) fn notes(review: Review, record: &Record, is_done: bool) -> Notes {
    let told = Reviewed::new(review, record, None, String::new());
    let mut moments: Vec<Mistake> = (told.review.decisions.iter().filter(|one| one.marked))
        .map(|one| Mistake { number: one.spot.number, text: told.moment(one) })
        .collect();
    moments.sort_by_key(|moment| moment.number);
    let line = told.review.rounds.iter().flat_map(|round| &round.line);
    Notes {
        sentences: told.told().map(|seat| told.sentence(seat)).collect(),
        chances: line.map(|point| (point.number, point.open.iter().map(|chance| chance.0).collect())).collect(),
        moments,
        is_done,
    }
}

/// One column of the picture.
fn block(chance: f64) -> char {
    BLOCKS[((chance * BLOCKS.len() as f64) as usize).min(BLOCKS.len() - 1)]
}

/// What to note under a column: a mistake before luck.
fn mark(causes: impl Iterator<Item = Cause>) -> char {
    causes.fold(' ', |mark, cause| match (mark, cause) {
        (_, Cause::Error) => '!',
        (' ', Cause::Luck) => '·',
        (mark, _) => mark,
    })
}

/// Hundredths of a round.
fn points(share: f64) -> String {
    plain_zero(format!("{:.1}", share * 100.0))
}

fn signed(share: f64) -> String {
    let text = format!("{:+.1}", share * 100.0);
    if text == "-0.0" || text == "+0.0" { "0.0".to_owned() } else { text }
}

fn plain_zero(text: String) -> String {
    if text == "-0.0" { "0.0".to_owned() } else { text }
}

fn plain(number: f64) -> String {
    if number.fract().abs() < 1e-9 { format!("{number:.0}") } else { format!("{number:.2}") }
}

fn rate(one: &SeatReview) -> String {
    match (one.error_rate, one.error_rate_error) {
        (Some(rate), Some(error)) => format!("{:.1} ±{:.1}", rate.0.max(0.0), error.0 * REACH),
        _ => "-".to_owned(),
    }
}

fn of(all: u32, part: u32, what: &str) -> String {
    if all == 0 { "0".to_owned() } else { format!("{all}, {part} {what}") }
}

/// How to read the tables.
const READING: &str = "Figures are points, hundredths of a round. Luck compares the cards that came with those that could have \
                       come; without luck is the result less luck. Error rate: thousandths of a round lost per decision that \
                       counts, with its 95 % interval; level: where that lies among the bots.";
const TERMS: &str = "The columns from even to rest add up to the result. Hidden cards: what the others happened to hold when you \
                     chose. Rest: what this evaluation cannot explain.";

impl Report for Reviewed {
    fn to_text(&self) -> String {
        let mut text = self.headline() + "\n\n";
        self.told().for_each(|seat| text += &(self.sentence(seat) + "\n"));
        for round in &self.review.rounds {
            text.push('\n');
            text += &self.picture(round);
        }
        text += "  · cards drawn   ! a mistake\n\nMoments\n";
        let moments = self.moments();
        for one in &moments {
            let _ = writeln!(text, "  {}", self.moment(one));
        }
        if moments.is_empty() {
            let _ = writeln!(text, "  {}", self.no_moments());
        }
        let _ = write!(text, "\n{}\n{}\n", self.seats_table().to_text(), self.account_table().to_text());
        if let Some(table) = self.match_table() {
            let _ = write!(text, "Chances to win the match\n{}\n", table.to_text());
        }
        let _ = writeln!(text, "{READING}\n{TERMS}");
        self.review.gaps.iter().for_each(|gap| text += &format!("Note: {}\n", gap_words(*gap)));
        text
    }

    fn to_csv(&self) -> String {
        let mut csv = Csv::new(&["round", "seat", "name", "figure", "mean", "low", "high"]);
        for round in &self.review.rounds {
            for (seat, account) in (0..).zip(&round.seats) {
                let (number, place) = (round.round.to_string(), seat.to_string());
                for (figure, value) in figures(account) {
                    let estimate = Estimate::new(value, None);
                    csv.row(&[&number, &place, self.name(seat), figure], Some(&estimate));
                }
            }
        }
        csv.into_text()
    }

    fn to_html(&self) -> String {
        let sentences: Vec<String> = self.told().map(|seat| self.sentence(seat)).collect();
        let mut page = Page::new("Game review", &self.headline(), &sentences);
        self.review.gaps.iter().for_each(|gap| page.warn(gap_words(*gap)));
        for round in &self.review.rounds {
            let title = format!("Round {}: chances to win", round.round);
            page.wide_chart(
                &title,
                "With all cards open, after every move. Rings mark mistakes, dots cards drawn.",
                &self.chart(&title, round),
            );
        }
        let mut moments = Table::new(&["Moments"]);
        self.moments().iter().for_each(|one| moments.row(vec![self.moment(one)]));
        if moments.rows().len() == 1 {
            moments.row(vec![self.no_moments().to_owned()]);
        }
        page.table("What could have been played better", &moments);
        page.table("Players", &self.seats_table());
        page.table("Where the results came from", &self.account_table());
        if let Some(table) = self.match_table() {
            page.table("Chances to win the match", &table);
        }
        page.chart("How to read this", READING, &format!("<p class=\"note\">{TERMS}</p>"));
        page.finish(&self.command, true)
    }
}

impl Reviewed {
    fn chart(&self, title: &str, round: &RoundReview) -> String {
        let moments: Vec<Moment> = round
            .line
            .iter()
            .map(|point| Moment {
                label: format!("{} {}", point.number, point.text),
                chances: point.open.iter().map(|chance| chance.0).collect(),
                mover: point.seat.map(usize::from),
                luck: point.cause == Cause::Luck,
                error: point.cause == Cause::Error,
            })
            .collect();
        chart::chances(title, &self.review.names, &moments)
    }
}

fn figures(account: &Account) -> [(&'static str, f64); 14] {
    [
        ("result", account.result.0),
        ("adjusted", account.adjusted.0),
        ("luck", account.luck.0),
        ("spread", account.spread.0),
        ("percentile", account.percentile.0),
        ("place", account.place.0),
        ("deal", account.deal.0),
        ("own_draws", account.own_draws.0),
        ("others_draws", account.others_draws.0),
        ("fog", account.fog.0),
        ("own_errors", account.own_errors.0),
        ("others_errors", account.others_errors.0),
        ("attention", account.attention.0),
        ("rest", account.rest.0),
    ]
}
