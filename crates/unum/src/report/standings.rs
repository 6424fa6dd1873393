//! What `unum tournament` reports.

use serde::Serialize;
use unum_lab::{Entrant, Estimate, PairingResult, Standing, Tournament, TournamentResult, Unit};
use unum_rules::RulesSpec;

use super::chart::{self, Reference, Row, Scale};
use super::csv::Csv;
use super::page::Page;
use super::text::{self, Table};
use super::{Findings, Report};

/// More standard deviations than chance is likely to explain.
const SURPRISING: f64 = 3.0;

/// A tournament with all that is needed to hold it again.
#[derive(Serialize)]
pub(crate) struct Standings<'a> {
    /// The command that gives the same result.
    command: String,
    rules: &'a RulesSpec,
    players: u8,
    unit: Unit,
    seed: u64,
    /// Whether the same command gives the same result: not with bots that think by the clock, and not with programs.
    repeatable: bool,
    deals_per_pairing: u64,
    deals_planned: u64,
    #[serde(flatten)]
    result: TournamentResult,
}

impl<'a> Standings<'a> {
    pub(crate) fn new(
        command: String,
        tournament: &Tournament<'a, Entrant>,
        result: TournamentResult,
        repeatable: bool,
    ) -> Standings<'a> {
        Standings {
            command,
            rules: tournament.rules.spec(),
            players: tournament.field.seats(),
            unit: tournament.unit,
            seed: tournament.seed,
            repeatable,
            deals_per_pairing: tournament.deals,
            deals_planned: tournament.deals.saturating_mul(tournament.field.pairings() as u64),
            result,
        }
    }

    fn broken(&self) -> impl Iterator<Item = &Standing> {
        self.result.standings.iter().filter(|bot| bot.refused + bot.failures.total() > 0)
    }

    /// What went wrong with programs, a sentence for each.
    fn warnings(&self) -> Vec<String> {
        let warning = |bot: &Standing| text::failures(&bot.name, bot.refused, &bot.failures, bot.last_error.as_deref());
        self.broken().map(warning).collect()
    }

    fn headline(&self) -> String {
        let TournamentResult { games, pairings, standings, .. } = &self.result;
        format!(
            "{} bots, {} pairings, {} deals of {} each, in all rotations of {} seats: {} {}.",
            standings.len(),
            pairings.len(),
            text::count(self.deals_per_pairing),
            self.rules.edition,
            self.players,
            text::count(*games),
            self.unit.word(*games)
        )
    }

    fn ratings(&self) -> Table {
        let mut table = Table::new(&["", "Elo", "ahead of the next", "wins", "net points"]);
        let optional = |estimate: Option<&Estimate>| estimate.map_or("-".to_owned(), text::difference);
        for bot in &self.result.standings {
            table.row([
                bot.name.clone(),
                optional(bot.rating.as_ref()),
                optional(bot.ahead.as_ref()),
                text::percent(&bot.wins),
                text::difference(&bot.net_points),
            ]);
        }
        table
    }

    fn pairings(&self) -> Table {
        let mut table = Table::new(&["", "against", "wins", "by the list"]);
        for pairing in &self.result.pairings {
            let expected = pairing.expected.map_or("-".to_owned(), |share| format!("{:.2} %", share * 100.0));
            table.row([pairing.first.clone(), pairing.second.clone(), text::percent(&pairing.wins), expected]);
        }
        table
    }

    /// The result in sentences.
    fn conclusions(&self) -> Vec<String> {
        let mut sentences = vec![self.who_is_first()];
        sentences.extend(self.how_well_it_fits());
        if self.result.blocked > 0 {
            let (blocked, rounds) = (text::count(self.result.blocked), text::count(self.result.rounds));
            sentences.push(format!("{blocked} of {rounds} rounds ended without a winner and count as shared."));
        }
        sentences
    }

    fn who_is_first(&self) -> String {
        let [first, second, ..] = &self.result.standings[..] else { return String::new() };
        let Some(ahead) = first.ahead else {
            return "There are no ratings: somebody has won or lost everything, so no number is large enough. The order is that of \
                    wins; play more deals."
                .to_owned();
        };
        match ahead.excludes(0.0) {
            true => format!("{} is first, by more than chance explains.", first.name),
            false => {
                format!("{} is first, but {} may be as strong: the difference may be chance.", first.name, second.name)
            }
        }
    }

    fn how_well_it_fits(&self) -> Option<String> {
        let fit = self.result.fit?;
        if fit.surprise() <= SURPRISING {
            return Some("One list explains all pairings as well as chance allows.".to_owned());
        }
        let gap = |pairing: &PairingResult| {
            let (margin, expected) = (pairing.wins.margin().unwrap_or(f64::MAX), pairing.expected.unwrap_or_default());
            (pairing.wins.mean - expected).abs() / margin
        };
        let worst = self.result.pairings.iter().max_by(|one, other| gap(one).total_cmp(&gap(other)))?;
        let wins = text::percent(&worst.wins);
        let expected = worst.expected.unwrap_or_default() * 100.0;
        Some(format!(
            "One list does not explain all pairings: {} wins {wins} against {}, by the list it would be {expected:.2} %.",
            worst.first, worst.second
        ))
    }

    fn title(&self) -> String {
        let names: Vec<&str> = self.result.standings.iter().map(|bot| bot.name.as_str()).collect();
        format!("Tournament of {}", names.join(", "))
    }

    fn rows(&self, figure: impl Fn(&Standing) -> Option<Estimate>) -> Vec<Row<'_>> {
        let bots = self.result.standings.iter().enumerate();
        bots.filter_map(|(color, bot)| Some(Row { label: &bot.name, estimate: figure(bot)?, color })).collect()
    }
}

impl Findings for Standings<'_> {
    fn interrupted(&self) -> Option<String> {
        let (played, planned) = (text::count(self.result.deals), text::count(self.deals_planned));
        (!self.result.complete).then(|| format!("{played} of {planned} deals"))
    }

    fn failed(&self) -> Vec<String> {
        self.broken().map(|bot| bot.name.clone()).collect()
    }
}

impl Report for Standings<'_> {
    fn to_text(&self) -> String {
        let broken: String = self.warnings().iter().map(|sentence| format!("{sentence}\n\n")).collect();
        let (ratings, pairings) = (self.ratings().to_text(), self.pairings().to_text());
        format!("{broken}{}\n\n{ratings}\n{pairings}\n{}\n", self.headline(), self.conclusions().join("\n"))
    }

    fn to_csv(&self) -> String {
        let mut csv = Csv::new(&["bot", "against", "figure", "mean", "low", "high"]);
        for bot in &self.result.standings {
            csv.row(&[&bot.name, "", "elo"], bot.rating.as_ref());
            csv.row(&[&bot.name, "", "ahead"], bot.ahead.as_ref());
            csv.row(&[&bot.name, "", "wins"], Some(&bot.wins));
            csv.row(&[&bot.name, "", "net_points"], Some(&bot.net_points));
            let failures = bot.refused + bot.failures.total();
            csv.row(&[&bot.name, "", "failures"], Some(&Estimate::new(failures as f64, None)));
        }
        for PairingResult { first, second, wins, expected, .. } in &self.result.pairings {
            csv.row(&[first, second, "wins"], Some(wins));
            csv.row(&[first, second, "expected"], expected.map(|share| Estimate::new(share, None)).as_ref());
        }
        csv.into_text()
    }

    fn to_html(&self) -> String {
        let mut page = Page::new(&self.title(), &self.headline(), &self.conclusions());
        self.warnings().iter().for_each(|sentence| page.warn(sentence));
        if let Some(played) = self.interrupted() {
            page.warn(&format!("Interrupted: these are the results of {played}."));
        }
        let reference = |value, label| Reference { value, label };
        let elo = self.rows(|bot| bot.rating);
        if !elo.is_empty() {
            let note = "400 more make a bot ten times as likely to win; 0 is the mean of all. With 95 % intervals.";
            page.chart("Ratings", note, &chart::whiskers("Elo", &elo, Some(&reference(0.0, "mean")), Scale::Signed));
        }
        let wins = self.rows(|bot| Some(bot.wins));
        let note = format!("Share of its {} that a bot wins, over all opponents.", self.unit.word(2));
        page.chart("Wins", &note, &chart::whiskers("Wins", &wins, Some(&reference(0.5, "even")), Scale::Percent));
        page.table("Ratings", &self.ratings());
        page.table("Every two", &self.pairings());
        page.finish(&self.command, self.repeatable)
    }
}
