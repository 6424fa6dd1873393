//! What `unum arena` reports.

use serde::Serialize;
use unum_lab::{Arena, ArenaResult, Entrant, Estimate, SideResult, Unit, Verdict};
use unum_rules::RulesSpec;

use super::chart::{self, Reference, Row, Scale, Series};
use super::csv::Csv;
use super::page::Page;
use super::text::{self, Table};
use super::{Findings, Report};

/// A contest with all that is needed to hold it again.
#[derive(Serialize)]
pub(crate) struct Contest<'a> {
    /// The command that gives the same result.
    command: String,
    rules: &'a RulesSpec,
    players: u8,
    unit: Unit,
    seed: u64,
    /// Whether the same command gives the same result: not with bots that think by the clock, and not with programs.
    repeatable: bool,
    /// The most deals that were planned.
    deals_planned: u64,
    #[serde(flatten)]
    result: ArenaResult,
}

impl<'a> Contest<'a> {
    pub(crate) fn new(command: String, arena: &Arena<'a, Entrant>, result: ArenaResult) -> Contest<'a> {
        Contest {
            command,
            rules: arena.rules.spec(),
            players: arena.line_up.players(),
            unit: arena.unit,
            seed: arena.seed,
            repeatable: arena.line_up.is_repeatable(),
            deals_planned: arena.deals,
            result,
        }
    }

    /// What went wrong with programs, a sentence for each.
    fn broken(&self) -> Vec<String> {
        let broken = self.result.sides.iter().filter(|side| failures(side) > 0);
        broken
            .map(|side| text::failures(&side.name, side.refused, &side.failures, side.last_error.as_deref()))
            .collect()
    }

    fn headline(&self) -> String {
        let ArenaResult { deals, games, .. } = self.result;
        let played = if deals == 1 { "deal" } else { "deals" };
        format!(
            "{} {played} of {}, each played by all {} rotations of the line-up: {} {}.",
            text::count(deals),
            self.rules.edition,
            self.players,
            text::count(games),
            self.unit.word(games)
        )
    }

    fn table(&self) -> Table {
        let per = format!("points per {}", self.unit.word(1));
        let failures = self.result.sides.iter().any(|side| failures(side) > 0).then_some("failures");
        let headings = ["", "places", "wins", "off even", &per, "net points", "Elo"];
        let headings: Vec<&str> = headings.into_iter().chain(failures).collect();
        let mut table = Table::new(&headings);
        for side in &self.result.sides {
            let cells = [
                side.name.clone(),
                side.places.to_string(),
                text::percent(&side.wins),
                format!("{:+.2}", (side.wins.mean - self.result.even) * 100.0),
                text::estimate(&side.points),
                text::difference(&side.net_points),
                self.elo(side),
            ];
            let failures = failures.map(|_| text::count(self::failures(side)));
            table.row(cells.into_iter().chain(failures).collect::<Vec<_>>());
        }
        table
    }

    fn elo(&self, side: &SideResult) -> String {
        match &side.elo {
            None => "-".to_owned(),
            Some(elo) if elo.margin() == Some(0.0) => "0".to_owned(),
            Some(elo) => text::difference(elo),
        }
    }

    /// The result in sentences.
    fn conclusions(&self) -> Vec<String> {
        let mut sentences = vec![self.who_is_ahead()];
        sentences.extend(self.result.verdict.map(|verdict| self.settled(verdict)));
        sentences.extend(self.result.worth_of_adjustment.map(|worth| {
            format!("Luck of the draw is taken out of the wins: as good as {worth:.1} times as many deals.")
        }));
        if self.result.blocked > 0 {
            let blocked = text::count(self.result.blocked);
            let rounds = text::count(self.result.rounds);
            sentences.push(format!("{blocked} of {rounds} rounds ended without a winner and count as shared."));
        }
        sentences
    }

    fn who_is_ahead(&self) -> String {
        let first = &self.result.sides[0];
        if self.result.sides.len() == 1 {
            return format!("{} plays only against itself, so its share is even.", first.name);
        }
        let even = self.result.even;
        let ahead = match first.wins.excludes(even) {
            false => "the difference may be chance",
            true if first.wins.mean > even => "better than chance explains",
            true => "worse than chance explains",
        };
        let games = self.unit.word(2);
        let wins = text::percent(&first.wins);
        format!("{} wins {wins} of its {games}, even would be {:.2} %: {ahead}.", first.name, even * 100.0)
    }

    fn settled(&self, verdict: Verdict) -> String {
        let name = &self.result.sides[0].name;
        let deals = text::count(self.result.deals);
        match verdict {
            Verdict::Better => format!("Settled after {deals} deals: {name} wins more than its even share."),
            Verdict::Worse => format!("Settled after {deals} deals: {name} wins less than its even share."),
            Verdict::Even => {
                format!("Settled after {deals} deals: {name} is closer to its even share than the margin.")
            }
            Verdict::Open => format!("Not settled after {deals} deals: more are needed."),
        }
    }

    fn title(&self) -> String {
        let side = |side: &SideResult| match side.places {
            1 => side.name.clone(),
            places => format!("{places} × {}", side.name),
        };
        self.result.sides.iter().map(side).collect::<Vec<_>>().join(" against ")
    }

    fn rows(&self, figure: impl Fn(&SideResult) -> Option<Estimate>) -> Vec<Row<'_>> {
        let sides = self.result.sides.iter().enumerate();
        sides.filter_map(|(color, side)| Some(Row { label: &side.name, estimate: figure(side)?, color })).collect()
    }

    fn charts(&self, page: &mut Page) {
        let game = self.unit.word(1);
        let even = Reference { value: self.result.even, label: "even" };
        let zero = |label| Reference { value: 0.0, label };
        let wins = self.rows(|side| Some(side.wins));
        let note = format!("Share of its {} that a seat wins, with 95 % intervals.", self.unit.word(2));
        page.chart("Who wins", &note, &chart::whiskers("Wins", &wins, Some(&even), Scale::Percent));
        let net = self.rows(|side| Some(side.net_points));
        let note = format!("Points won minus points given, per {game} and seat.");
        page.chart("Net points", &note, &chart::whiskers("Net points", &net, Some(&zero("even")), Scale::Signed));
        let elo = self.rows(|side| side.elo);
        let note = "400 more make a seat ten times as likely to win.";
        page.chart("Elo", note, &chart::whiskers("Elo", &elo, Some(&zero("anchor")), Scale::Signed));
        let points = self.rows(|side| Some(side.points));
        let note = format!("What the others held when it went out, per {game} and seat.");
        page.chart("Points won", &note, &chart::whiskers("Points won", &points, None, Scale::Plain));
        let note = "How the estimated wins converged as deals were played; the bands are the intervals.";
        page.wide_chart("Deal by deal", note, &chart::running("Wins by deals", &self.series(), &even, Scale::Percent));
    }

    fn series(&self) -> Vec<Series<'_>> {
        let sides = self.result.sides.iter().enumerate();
        sides
            .map(|(number, side)| {
                let points = self.result.trace.iter().map(|point| (point.deals, point.wins[number])).collect();
                Series { label: &side.name, points }
            })
            .collect()
    }
}

/// How often the autopilot had to act.
fn failures(side: &SideResult) -> u64 {
    side.refused + side.failures.total()
}

impl Findings for Contest<'_> {
    fn interrupted(&self) -> Option<String> {
        let (played, planned) = (text::count(self.result.deals), text::count(self.deals_planned));
        (!self.result.complete).then(|| format!("{played} of {planned} deals"))
    }

    fn failed(&self) -> Vec<String> {
        let failed = self.result.sides.iter().filter(|side| failures(side) > 0);
        failed.map(|side| side.name.clone()).collect()
    }
}

impl Report for Contest<'_> {
    fn to_text(&self) -> String {
        let broken: String = self.broken().iter().map(|sentence| format!("{sentence}\n\n")).collect();
        format!("{broken}{}\n\n{}\n{}\n", self.headline(), self.table().to_text(), self.conclusions().join("\n"))
    }

    fn to_csv(&self) -> String {
        let mut csv = Csv::new(&["side", "places", "figure", "mean", "low", "high"]);
        for side in &self.result.sides {
            let places = side.places.to_string();
            let mut row = |figure, estimate| csv.row(&[&side.name, &places, figure], estimate);
            row("wins", Some(&side.wins));
            row("points", Some(&side.points));
            row("net_points", Some(&side.net_points));
            row("elo", side.elo.as_ref());
            row("failures", Some(&Estimate::new(failures(side) as f64, None)));
        }
        csv.into_text()
    }

    fn to_html(&self) -> String {
        let mut page = Page::new(&self.title(), &self.headline(), &self.conclusions());
        self.broken().iter().for_each(|sentence| page.warn(sentence));
        if let Some(played) = self.interrupted() {
            page.warn(&format!("Interrupted: these are the results of {played}."));
        }
        if self.result.deals > 0 {
            self.charts(&mut page);
        }
        page.table("All figures", &self.table());
        page.finish(&self.command, self.repeatable)
    }
}
