//! What `unum study` reports.

use serde::Serialize;
use unum_lab::{Compared, Entrant, Study, StudyResult, StudyRow};
use unum_rules::RulesSpec;

use super::chart::{self, Reference, Row, Scale};
use super::csv::Csv;
use super::page::Page;
use super::text::{self, Table};
use super::{Findings, Report};

/// What the first rules are called.
const BASE: &str = "base";

/// A study with all that is needed to repeat it.
#[derive(Serialize)]
pub(crate) struct Effects<'a> {
    /// The command that gives the same result.
    command: String,
    rules: &'a RulesSpec,
    players: u8,
    seed: u64,
    /// Whether the same command gives the same result: not with bots that think by the clock, and not with programs.
    repeatable: bool,
    bot: &'a str,
    better: &'a str,
    worse: &'a str,
    rounds_planned: u64,
    deals: u64,
    /// What is changed in each row after the first.
    changes: &'a [String],
    #[serde(flatten)]
    result: StudyResult,
}

/// A column of the table: its name for programs and people, and what it shows.
struct Column {
    id: &'static str,
    title: &'static str,
    is_share: bool,
    figure: fn(&StudyRow) -> Option<Compared>,
}

const COLUMNS: [Column; 6] = [
    Column { id: "turns", title: "turns", is_share: false, figure: |row| Some(row.turns) },
    Column { id: "cards_drawn", title: "cards drawn", is_share: false, figure: |row| Some(row.cards_drawn) },
    Column { id: "points", title: "points", is_share: false, figure: |row| Some(row.points) },
    Column { id: "first_seat", title: "first seat", is_share: true, figure: |row| Some(row.first_seat) },
    Column { id: "edge", title: "better bot", is_share: true, figure: |row| row.edge },
    Column { id: "blocked", title: "blocked", is_share: true, figure: |row| Some(row.blocked) },
];

impl<'a> Effects<'a> {
    pub(crate) fn new(
        command: String,
        changes: &'a [String],
        study: &Study<'a, Entrant>,
        result: StudyResult,
    ) -> Effects<'a> {
        let name = |line_up: &'a unum_lab::LineUp<Entrant>, side: usize| line_up.sides()[side].name.as_str();
        Effects {
            command,
            rules: study.rules[0].spec(),
            players: study.equals.players(),
            seed: study.seed,
            repeatable: study.equals.is_repeatable() && study.unequals.is_repeatable(),
            bot: name(study.equals, 0),
            better: name(study.unequals, 0),
            worse: name(study.unequals, 1),
            rounds_planned: study.rounds,
            deals: study.deals,
            changes,
            result,
        }
    }

    fn broken(&self) -> Option<String> {
        let StudyResult { failures, last_error, .. } = &self.result;
        (failures.total() > 0).then(|| text::failures("The program", 0, failures, last_error.as_deref()))
    }

    fn headline(&self) -> String {
        format!(
            "{}, {} players: {} rounds of {}, then {} deals of {} against {}, by every rule.",
            self.rules.edition,
            self.players,
            text::count(self.result.rounds),
            self.bot,
            text::count(self.deals),
            self.better,
            self.worse
        )
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = vec![
            format!(
                "Base rules in full; below, how much each change adds. \"First seat\" is how much more than an even share the seat to \
                 the left of the dealer wins, \"better bot\" the same for {} against {}: the less, the more luck.",
                self.better, self.worse
            ),
            "Differences in [brackets] may be chance.".to_owned(),
        ];
        if self.interrupted().is_some() {
            notes.push("Interrupted: rows are of the games that were finished.".to_owned());
        }
        notes
    }

    fn rows(&self) -> impl Iterator<Item = (&str, &StudyRow)> {
        std::iter::once(BASE).chain(self.changes.iter().map(String::as_str)).zip(&self.result.rows)
    }

    fn columns(&self) -> impl Iterator<Item = &'static Column> {
        let occurs = |column: &&Column| {
            let is_zero = |row: &StudyRow| (column.figure)(row).is_none_or(|compared| compared.figure.mean == 0.0);
            column.id != "blocked" || !self.result.rows.iter().all(is_zero)
        };
        COLUMNS.iter().filter(occurs)
    }

    fn table(&self) -> Table {
        let headings: Vec<&str> = std::iter::once("").chain(self.columns().map(|column| column.title)).collect();
        let mut table = Table::new(&headings);
        for (name, row) in self.rows() {
            let cells = self.columns().map(|column| cell(column, (column.figure)(row)));
            table.row(std::iter::once(name.to_owned()).chain(cells).collect::<Vec<_>>());
        }
        table
    }

    fn chart_rows(&self, column: &Column) -> Vec<Row<'_>> {
        let rows = self.rows().skip(1).enumerate();
        rows.filter_map(|(color, (label, row))| Some(Row { label, estimate: (column.figure)(row)?.difference?, color }))
            .collect()
    }
}

/// A figure of the base rules, or what a change adds to it.
fn cell(column: &Column, compared: Option<Compared>) -> String {
    let Some(Compared { figure, difference }) = compared else { return "-".to_owned() };
    let factor = if column.is_share { 100.0 } else { 1.0 };
    let unit = if column.is_share { " %" } else { "" };
    match difference {
        None => {
            let figure = figure.times(factor);
            let sign = if column.is_share && column.id != "blocked" {
                text::difference(&figure)
            } else {
                text::estimate(&figure)
            };
            format!("{sign}{unit}")
        }
        Some(difference) => {
            let words = format!("{}{unit}", text::difference(&difference.times(factor)));
            if difference.excludes(0.0) { words } else { format!("[{words}]") }
        }
    }
}

impl Findings for Effects<'_> {
    fn interrupted(&self) -> Option<String> {
        (!self.result.complete).then(|| "the games that were finished".to_owned())
    }

    fn failed(&self) -> Vec<String> {
        self.broken().map(|_| "the program".to_owned()).into_iter().collect()
    }
}

impl Report for Effects<'_> {
    fn to_text(&self) -> String {
        let broken: String = self.broken().iter().map(|sentence| format!("{sentence}\n\n")).collect();
        format!("{broken}{}\n\n{}\n{}\n", self.headline(), self.table().to_text(), self.notes().join("\n"))
    }

    fn to_csv(&self) -> String {
        let mut csv = Csv::new(&["rules", "kind", "figure", "mean", "low", "high"]);
        for (name, row) in self.rows() {
            for column in &COLUMNS {
                let Some(Compared { figure, difference }) = (column.figure)(row) else { continue };
                csv.row(&[name, "figure", column.id], Some(&figure));
                if difference.is_some() {
                    csv.row(&[name, "difference", column.id], difference.as_ref());
                }
            }
        }
        csv.into_text()
    }

    fn to_html(&self) -> String {
        let mut page = Page::new("What house rules do", &self.headline(), &self.notes());
        self.broken().iter().for_each(|sentence| page.warn(sentence));
        let none = Reference { value: 0.0, label: BASE };
        for column in self.columns() {
            let rows = self.chart_rows(column);
            if rows.is_empty() {
                continue;
            }
            let scale = if column.is_share { Scale::Percent } else { Scale::Signed };
            let note = "How much each change adds, with 95 % intervals.";
            page.chart(column.title, note, &chart::whiskers(column.title, &rows, Some(&none), scale));
        }
        page.table("All figures", &self.table());
        page.finish(&self.command, self.repeatable)
    }
}

#[cfg(test)]
mod tests {
    use unum_lab::Estimate;

    use super::*;

    #[test]
    fn what_may_be_chance_stands_in_brackets() {
        let [turns, .., edge, _] = &COLUMNS;
        let compared = |difference| Compared { figure: Estimate::new(0.25, Some(0.01)), difference };
        assert_eq!(cell(edge, Some(compared(None))), "+25.0 ±1.0 %");
        assert_eq!(cell(edge, Some(compared(Some(Estimate::new(-0.05, Some(0.01)))))), "-5.0 ±1.0 %");
        assert_eq!(cell(turns, Some(compared(Some(Estimate::new(-0.5, Some(1.0)))))), "[-0.5 ±1.0]");
        assert_eq!(cell(edge, None), "-");
    }
}
