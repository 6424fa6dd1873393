//! What `unum simulate` reports.

use serde::Serialize;
use unum_lab::{
    CardResult, Distribution, Entrant, Estimate, FaceResult, Measure, MeasureResult, Simulation, SimulationResult,
    Statistics, Unit, Variant,
};
use unum_rules::RulesSpec;

use super::chart::{self, Reference, Row, Scale, Stack};
use super::csv::Csv;
use super::page::Page;
use super::text::{self, Table};
use super::{Findings, Report};

/// Games with all that is needed to play them again.
#[derive(Serialize)]
pub(crate) struct Study<'a> {
    /// The command that gives the same result.
    command: String,
    rules: &'a RulesSpec,
    line_up: &'a [String],
    players: u8,
    unit: Unit,
    seed: u64,
    /// Whether the same command gives the same result: not with bots that think by the clock, and not with programs.
    repeatable: bool,
    /// How many games were planned.
    games_planned: u64,
    /// What is changed in each of the variants.
    compared: &'a [String],
    #[serde(flatten)]
    result: SimulationResult,
}

impl<'a> Study<'a> {
    pub(crate) fn new(
        command: String,
        line_up: &'a [String],
        compared: &'a [String],
        simulation: &Simulation<'a, Entrant>,
        result: SimulationResult,
    ) -> Study<'a> {
        Study {
            command,
            rules: simulation.rules[0].spec(),
            line_up,
            players: simulation.line_up.players(),
            unit: simulation.unit,
            seed: simulation.seed,
            repeatable: simulation.line_up.is_repeatable(),
            games_planned: simulation.games,
            compared,
            result,
        }
    }

    fn headline(&self) -> String {
        let games = self.result.games;
        let (number, word, players) = (text::count(games), self.unit.word(games), self.players);
        format!("{number} {word} of {}, {players} players: {}.", self.rules.edition, self.line_up.join(", "))
    }

    /// The length and the winner's points in one sentence.
    fn conclusions(&self) -> Vec<String> {
        let [turns, points] = [Measure::Turns, Measure::Points].map(|measure| self.measure(measure).estimate);
        let game = self.unit.word(1);
        let first = &self.result.base.positions[0];
        let advantage = match first.excludes(self.result.base.even) {
            true => format!("{} than an even share", if first.mean > self.result.base.even { "more" } else { "less" }),
            false => "not measurably different from an even share".to_owned(),
        };
        let mut sentences = vec![format!(
            "A {game} takes {} turns and is worth {} points. \
             The player left of the dealer wins {} of the {}, {advantage}.",
            text::estimate(&turns),
            text::estimate(&points),
            text::percent(first),
            self.unit.word(2)
        )];
        sentences.extend(self.result.worth_of_adjustment.map(|worth| {
            format!("The luck of the cards is taken out of the wins: as good as {worth:.1} times as many rounds.")
        }));
        sentences
    }

    /// What went wrong with programs.
    fn broken(&self) -> Option<String> {
        let SimulationResult { failures, last_error, .. } = &self.result;
        (failures.total() > 0).then(|| text::failures("The program", 0, failures, last_error.as_deref()))
    }

    fn measure(&self, measure: Measure) -> &MeasureResult {
        &self.result.base.measures[measure as usize]
    }

    /// The measures worth a row: those that are not the same in every game, and occur.
    fn measures(&self) -> impl Iterator<Item = Measure> {
        let occurs = |measure: &Measure| match measure {
            Measure::Rounds => self.unit == Unit::Match,
            Measure::Blocked | Measure::JumpIns | Measure::Refused | Measure::Reshuffles => self.occurs(*measure),
            _ => true,
        };
        Measure::ALL.into_iter().filter(occurs)
    }

    fn occurs(&self, measure: Measure) -> bool {
        let total = |statistics: &Statistics| statistics.measures[measure as usize].total;
        total(&self.result.base) > 0 || self.result.variants.iter().any(|variant| total(&variant.statistics) > 0)
    }

    fn measure_table(&self) -> Table {
        let mut table = Table::new(&["", &format!("per {}", self.unit.word(1)), "in all"]);
        for measure in self.measures() {
            let MeasureResult { estimate, total, .. } = self.measure(measure);
            table.row([measure.title().to_owned(), text::estimate(estimate), text::count(*total)]);
        }
        table
    }

    fn distributions(&self) -> Vec<(&'static str, &Distribution)> {
        let base = &self.result.base;
        let mut distributions = vec![("turns", &base.turns), ("points", &base.points)];
        if self.unit == Unit::Match {
            distributions.push(("rounds", &base.rounds));
        }
        distributions
    }

    fn spread_table(&self) -> Table {
        let heading = format!("per {}", self.unit.word(1));
        let mut table = Table::new(&[&heading, "least", "5 %", "25 %", "median", "75 %", "95 %", "most"]);
        for (name, distribution) in self.distributions() {
            let it = &distribution.spread;
            let values = [it.least, it.percent_5, it.percent_25, it.median, it.percent_75, it.percent_95, it.most];
            table.row([vec![name.to_owned()], values.map(|value| text::count(value.into())).to_vec()].concat());
        }
        table
    }

    fn share_table(&self) -> Table {
        let mut table = Table::new(&["share of", "", "of"]);
        for share in &self.result.base.shares {
            if let Some(estimate) = &share.share {
                table.row([share.title.to_owned(), text::percent(estimate), text::count(share.whole)]);
            }
        }
        table
    }

    fn position_table(&self) -> Table {
        let even = self.result.base.even;
        let mut table = Table::new(&["seat", "wins", "off even"]);
        for (position, wins) in self.result.base.positions.iter().enumerate() {
            let off = format!("{:+.2}", (wins.mean - even) * 100.0);
            table.row([self.position_name(position), text::percent(wins), off]);
        }
        table
    }

    /// A seat; in a match, counted from the first dealer.
    fn position_name(&self, position: usize) -> String {
        match position {
            0 => "left of the dealer".to_owned(),
            last if last + 1 == self.result.base.positions.len() => "the dealer".to_owned(),
            position => format!("{} places after", position + 1),
        }
    }

    fn side_table(&self) -> Table {
        let mut table = Table::new(&["bot", "seats", "wins"]);
        for side in &self.result.base.sides {
            table.row([side.name.clone(), side.places.to_string(), text::percent(&side.wins)]);
        }
        table
    }

    fn card_table(&self) -> Table {
        let game = self.unit.word(1);
        let mut table = Table::new(&["card", "in the deck", &format!("played per {game}"), "per copy"]);
        for face in &self.result.base.faces {
            let per_copy = face.plays.times(1.0 / f64::from(face.copies.max(1)));
            table.row([
                face.face.clone(),
                face.copies.to_string(),
                text::estimate(&face.plays),
                text::estimate(&per_copy),
            ]);
        }
        table
    }

    /// What the changed rules change, a column each.
    fn effect_table(&self) -> Table {
        let names = self.compared.iter().map(String::as_str);
        let headings: Vec<&str> = ["", "base"].into_iter().chain(names).collect();
        let mut table = Table::new(&headings);
        for measure in self.measures() {
            let base = &self.measure(measure).estimate;
            let changes = self.result.variants.iter().map(|variant| text::difference(&difference(variant, measure)));
            table
                .row([measure.title().to_owned(), text::estimate(base)].into_iter().chain(changes).collect::<Vec<_>>());
        }
        for (position, base) in self.result.base.positions.iter().enumerate() {
            let name = format!("wins, {} (points)", self.position_name(position));
            let changes = self.result.variants.iter().map(|variant| {
                let change = variant.position_differences[position].times(100.0);
                text::difference(&change)
            });
            table.row([name, text::percent(base)].into_iter().chain(changes).collect::<Vec<_>>());
        }
        table
    }

    /// All tables with their headings.
    fn tables(&self) -> Vec<(&'static str, Table)> {
        let mut tables = vec![
            ("Counts", self.measure_table()),
            ("Spread", self.spread_table()),
            ("Bluffs, challenges and \"UNO\"", self.share_table()),
            ("Seats", self.position_table()),
        ];
        if self.result.base.sides.len() > 1 {
            tables.push(("Bots", self.side_table()));
        }
        if !self.result.variants.is_empty() {
            tables.push(("Effect of the rules", self.effect_table()));
        }
        tables.push(("Cards", self.card_table()));
        tables
    }

    fn tiles(&self) -> Vec<(String, String)> {
        let game = self.unit.word(1);
        let mean = |measure| format!("{:.1}", self.measure(measure).estimate.mean);
        let mut tiles = vec![
            (text::count(self.result.games), self.unit.word(self.result.games).to_owned()),
            (mean(Measure::Turns), format!("turns per {game}")),
            (mean(Measure::Points), format!("points per {game}")),
            (mean(Measure::CardsDrawn), format!("cards drawn per {game}")),
        ];
        if self.unit == Unit::Match {
            tiles.insert(1, (mean(Measure::Rounds), "rounds per match".to_owned()));
        }
        let share =
            |id: &str| self.result.base.shares.iter().find(|share| share.id == id).and_then(|share| share.share);
        let percent = |share: Estimate| format!("{:.1} %", share.mean * 100.0);
        let rows = [("bluffed", "of Wild Draw Fours are bluffs"), ("challenge_won", "of challenges succeed")];
        tiles.extend(rows.into_iter().filter_map(|(id, label)| Some((percent(share(id)?), label.to_owned()))));
        tiles
    }

    fn charts(&self, page: &mut Page) {
        for (name, distribution) in self.distributions() {
            let measure = match name {
                "turns" => Measure::Turns,
                "points" => Measure::Points,
                _ => Measure::Rounds,
            };
            self.distribution_chart(page, measure, distribution);
        }
        let base = &self.result.base;
        let even = Reference { value: base.even, label: "even" };
        let names: Vec<String> = (0..base.positions.len()).map(|position| self.position_name(position)).collect();
        let positions = base.positions.iter().zip(&names);
        let rows: Vec<Row<'_>> = positions.map(|(wins, label)| Row { label, estimate: *wins, color: 0 }).collect();
        let note = "Share of games won by seat, counted from the dealer's left.";
        page.chart("Seats", note, &chart::whiskers("Wins by seat", &rows, Some(&even), Scale::Percent));
        if base.sides.len() > 1 {
            let sides = base.sides.iter().enumerate();
            let rows: Vec<Row<'_>> =
                sides.map(|(color, side)| Row { label: &side.name, estimate: side.wins, color }).collect();
            let note = "Share of games won per seat; the arena settles such questions with fewer games.";
            page.chart("Bots", note, &chart::whiskers("Wins by bot", &rows, Some(&even), Scale::Percent));
        }
        let note = format!("Times a card is played per {}, by color; wilds are gray.", self.unit.word(1));
        page.chart("Cards played", &note, &chart::stacks("Cards played", &self.stacks()));
        self.effect_charts(page);
    }

    fn distribution_chart(&self, page: &mut Page, measure: Measure, distribution: &Distribution) {
        let game = self.unit.word(1);
        let (heading, what) = match measure {
            Measure::Turns => ("Length", "Turns"),
            Measure::Points => ("Points", "Points"),
            _ => ("Rounds", "Rounds"),
        };
        let mean = self.measure(measure).estimate.mean;
        let median = distribution.spread.median;
        let marks = [(mean, format!("mean {mean:.1}")), (f64::from(median), format!("median {median}"))];
        let marks = [(marks[0].0, marks[0].1.as_str()), (marks[1].0, marks[1].1.as_str())];
        let it = &distribution.spread;
        let note = format!(
            "{what} per {game}: nine of ten {} lie between {} and {}.",
            self.unit.word(2),
            it.percent_5,
            it.percent_95
        );
        page.chart(heading, &note, &chart::histogram(heading, &distribution.bins, &marks));
    }

    /// One bar per face, its colors on top of each other.
    fn stacks(&self) -> Vec<Stack> {
        let base = &self.result.base;
        let has = |card: &CardResult, face: &str| {
            let name = card.card.as_str();
            name == face || (!name.starts_with('W') && &name[1..] == face)
        };
        let part = |card: &CardResult| {
            let name = card.card.as_str();
            (card.plays.mean, color_of(name), format!("{name}: {}", text::estimate(&card.plays)))
        };
        let stack = |face: &FaceResult| Stack {
            label: face.face.clone(),
            parts: base.cards.iter().filter(|card| has(card, &face.face)).map(part).collect(),
        };
        base.faces.iter().map(stack).collect()
    }

    /// What the changed rules change, in percent of what there was before.
    fn effect_charts(&self, page: &mut Page) {
        let shown = [Measure::Rounds, Measure::Turns, Measure::Points, Measure::CardsDrawn];
        for measure in self.measures().filter(|measure| shown.contains(measure)) {
            let before = self.measure(measure).estimate.mean;
            let game = self.unit.word(1);
            let note = format!("Change from {before:.2} per {game} under the base rules, on the same deals.");
            let heading = format!("Effect of rules on {}", measure.title());
            self.effect_chart(page, &heading, &note, |variant| difference(variant, measure).times(1.0 / before));
        }
        let wins = self.result.base.positions[0].mean * 100.0;
        let note = format!("Change from {wins:.2} % of games won, in percentage points.");
        let heading = format!("Effect of rules on the seat {}", self.position_name(0));
        self.effect_chart(page, &heading, &note, |variant| variant.position_differences[0]);
    }

    fn effect_chart(&self, page: &mut Page, heading: &str, note: &str, effect: impl Fn(&Variant) -> Estimate) {
        let zero = Reference { value: 0.0, label: "as before" };
        let variants = self.compared.iter().zip(&self.result.variants).enumerate();
        let row = |(color, (label, variant)): (usize, (&'a String, &Variant))| {
            let estimate = effect(variant);
            Row { label, estimate, color }
        };
        let rows: Vec<Row<'_>> = variants.map(row).filter(|row| row.estimate.mean.is_finite()).collect();
        if !rows.is_empty() {
            page.chart(heading, note, &chart::whiskers(heading, &rows, Some(&zero), Scale::SignedPercent));
        }
    }
}

fn difference(variant: &Variant, measure: Measure) -> Estimate {
    variant.differences[measure as usize].difference
}

fn color_of(card: &str) -> &'static str {
    match card.as_bytes().first() {
        Some(b'R' | b'P') => "red",
        Some(b'Y') => "yellow",
        Some(b'G') => "green",
        Some(b'B') => "blue",
        _ => "wild",
    }
}

/// All figures of one set of rules, a row each.
fn write_rows(csv: &mut Csv, rules: &str, statistics: &Statistics) {
    let mut row = |kind: &str, name: &str, count: &str, estimate: Option<&Estimate>| {
        csv.row(&[rules, kind, name, count], estimate);
    };
    for result in &statistics.measures {
        row("measure", result.measure.id(), &result.total.to_string(), Some(&result.estimate));
    }
    for share in &statistics.shares {
        row("share", share.id, &share.whole.to_string(), share.share.as_ref());
    }
    for (position, wins) in statistics.positions.iter().enumerate() {
        row("seat", &(position + 1).to_string(), "", Some(wins));
    }
    for side in &statistics.sides {
        row("bot", &side.name, &side.places.to_string(), Some(&side.wins));
    }
    for card in &statistics.cards {
        row("card", card.card.as_str(), &card.copies.to_string(), Some(&card.plays));
    }
    for face in &statistics.faces {
        row("face", &face.face, &face.copies.to_string(), Some(&face.plays));
    }
    let spreads = [("turns", &statistics.turns), ("points", &statistics.points), ("rounds", &statistics.rounds)];
    for (kind, distribution) in spreads {
        for bin in &distribution.bins {
            row(kind, &format!("{}-{}", bin.from, bin.to), &bin.count.to_string(), None);
        }
    }
}

impl Findings for Study<'_> {
    fn interrupted(&self) -> Option<String> {
        let (played, planned) = (text::count(self.result.games), text::count(self.games_planned));
        (!self.result.complete).then(|| format!("{played} of {planned} {}", self.unit.word(2)))
    }

    fn failed(&self) -> Vec<String> {
        self.broken().map(|_| "the program".to_owned()).into_iter().collect()
    }
}

impl Report for Study<'_> {
    fn to_text(&self) -> String {
        let tables = self.tables();
        let tables = tables.iter().map(|(_, table)| table.to_text()).collect::<Vec<_>>().join("\n");
        let broken: String = self.broken().map(|sentence| format!("{sentence}\n\n")).unwrap_or_default();
        format!("{broken}{}\n\n{tables}\n{}\n", self.headline(), self.conclusions().join("\n"))
    }

    fn to_csv(&self) -> String {
        let mut csv = Csv::new(&["rules", "kind", "name", "count", "mean", "low", "high"]);
        write_rows(&mut csv, "base", &self.result.base);
        for (changes, variant) in self.compared.iter().zip(&self.result.variants) {
            write_rows(&mut csv, changes, &variant.statistics);
            for row in &variant.differences {
                csv.row(&[changes, "difference", row.measure.id(), ""], Some(&row.difference));
            }
            for (position, difference) in variant.position_differences.iter().enumerate() {
                csv.row(&[changes, "seat_difference", &(position + 1).to_string(), ""], Some(difference));
            }
        }
        csv.into_text()
    }

    fn to_html(&self) -> String {
        let title = format!("{} players, edition {}", self.players, self.rules.edition);
        let mut page = Page::new(&title, &self.headline(), &self.conclusions());
        self.broken().iter().for_each(|sentence| page.warn(sentence));
        if let Some(played) = self.interrupted() {
            page.warn(&format!("Interrupted: these are the results of {played}."));
        }
        page.tiles(&self.tiles());
        if self.result.games > 0 {
            self.charts(&mut page);
        }
        let mut tables = self.tables();
        // Those that stand side by side should be about as long.
        tables.sort_by_key(|(_, table)| (table.is_wide(), usize::MAX - table.rows().len()));
        tables.iter().for_each(|(heading, table)| page.table(heading, table));
        page.finish(&self.command, self.repeatable)
    }
}
