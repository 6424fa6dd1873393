//! Charts as SVG. Colors are classes and variables of the page, so that they follow the light and the dark theme.

use std::fmt::Write;

use unum_lab::{Bin, Estimate};
use unum_rules::text::escape_html;

use super::text::count;

/// How wide charts are, in the units of the drawing; the page stretches them.
const WIDTH: f64 = 640.0;

/// How wide a chart over the whole page is.
const PAGE_WIDTH: f64 = 1310.0;

/// How numbers on an axis are written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    /// As they are.
    Plain,
    /// With a sign.
    Signed,
    /// As percentages.
    Percent,
    /// As percentages with a sign.
    SignedPercent,
}

impl Scale {
    fn write(self, value: f64, decimals: usize) -> String {
        // A zero has no sign.
        let value = if value.abs() < 1e-12 { 0.0 } else { value };
        match self {
            Scale::Signed if value != 0.0 => format!("{value:+.decimals$}").replace('-', "−"),
            Scale::Plain | Scale::Signed => format!("{value:.decimals$}").replace('-', "−"),
            Scale::SignedPercent if value != 0.0 => format!("{:+.decimals$} %", value * 100.0).replace('-', "−"),
            Scale::Percent | Scale::SignedPercent => format!("{:.decimals$} %", value * 100.0).replace('-', "−"),
        }
    }

    fn factor(self) -> f64 {
        if matches!(self, Scale::Percent | Scale::SignedPercent) { 100.0 } else { 1.0 }
    }

    fn tick(self, value: f64, step: f64) -> String {
        let decimals = (-(step * self.factor()).log10().floor()).clamp(0.0, 6.0) as usize;
        self.write(value, decimals)
    }
}

/// A range of values laid over a range of places.
#[derive(Clone, Copy)]
struct Axis {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Axis {
    /// An axis that holds all these values and a little more.
    fn around(values: impl Iterator<Item = f64> + Clone, from: f64, to: f64) -> Axis {
        let low = values.clone().fold(f64::INFINITY, f64::min);
        let high = values.fold(f64::NEG_INFINITY, f64::max);
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let space = if high > low { (high - low) * 0.06 } else { low.abs().max(1.0) * 0.05 };
        Axis { low: low - space, high: high + space, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        let share = (value.clamp(self.low, self.high) - self.low) / (self.high - self.low);
        self.from + share * (self.to - self.from)
    }

    /// Round values about evenly over the axis, and the step between them.
    fn ticks(&self, about: f64) -> (Vec<f64>, f64) {
        let rough = (self.high - self.low) / about;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|digit| digit * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(rough);
        let first = (self.low / step).ceil() as i64;
        let last = (self.high / step).floor() as i64;
        ((first..=last).map(|number| number as f64 * step).collect(), step)
    }
}

/// A drawing in the making.
struct Drawing {
    body: String,
    width: f64,
    height: f64,
}

impl Drawing {
    fn new(width: f64, height: f64) -> Drawing {
        Drawing { body: String::new(), width, height }
    }

    fn line(&mut self, class: &str, (x1, y1): (f64, f64), (x2, y2): (f64, f64), style: &str) {
        let _ = writeln!(
            self.body,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\" style=\"{style}\"/>"
        );
    }

    fn text(&mut self, class: &str, (x, y): (f64, f64), text: &str) {
        let _ = writeln!(self.body, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape_html(text));
    }

    /// A bar with a tooltip.
    fn bar(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), color: &str, hint: &str) {
        let (width, height) = (width.max(0.5), height.max(0.0));
        let _ = writeln!(
            self.body,
            "<rect class=\"bar\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
             style=\"fill:var(--{color})\"><title>{}</title></rect>",
            escape_html(hint)
        );
    }

    /// Vertical lines with numbers under them.
    fn x_axis(&mut self, axis: &Axis, scale: Scale, top: f64, bottom: f64) {
        let (ticks, step) = axis.ticks(6.0);
        for tick in ticks {
            let x = axis.place(tick);
            self.line("grid", (x, top), (x, bottom), "");
            self.text("soft middle", (x, bottom + 18.0), &scale.tick(tick, step));
        }
    }

    /// Horizontal lines with numbers beside them.
    fn y_axis(&mut self, axis: &Axis, scale: Scale, left: f64, right: f64) {
        let (ticks, step) = axis.ticks(5.0);
        for tick in ticks {
            let y = axis.place(tick);
            self.line("grid", (left, y), (right, y), "");
            self.text("soft end", (left - 8.0, y + 4.0), &scale.tick(tick, step));
        }
    }

    fn finish(self, title: &str) -> String {
        let title = escape_html(title);
        format!(
            "<svg viewBox=\"0 0 {:.0} {:.0}\" role=\"img\" aria-label=\"{title}\">\n{}</svg>\n",
            self.width, self.height, self.body
        )
    }
}

/// A value to compare with.
pub(crate) struct Reference<'a> {
    pub(crate) value: f64,
    pub(crate) label: &'a str,
}

/// A mean with a name.
pub(crate) struct Row<'a> {
    pub(crate) label: &'a str,
    pub(crate) estimate: Estimate,
    /// The number of its color.
    pub(crate) color: usize,
}

/// Means as dots, with whiskers over their intervals.
pub(crate) fn whiskers(title: &str, rows: &[Row<'_>], reference: Option<&Reference<'_>>, scale: Scale) -> String {
    const ROW: f64 = 34.0;
    let (left, right, top) = (150.0, WIDTH - 140.0, 24.0);
    let bottom = top + ROW * rows.len() as f64;
    let ends = rows.iter().flat_map(|row| {
        let Estimate { mean, low, high } = row.estimate;
        [mean, low.unwrap_or(mean), high.unwrap_or(mean)]
    });
    let axis = Axis::around(ends.chain(reference.map(|reference| reference.value)), left, right);
    let mut drawing = Drawing::new(WIDTH, bottom + 26.0);
    drawing.x_axis(&axis, scale, top, bottom);
    if let Some(reference) = reference {
        let x = axis.place(reference.value);
        drawing.line("reference", (x, top - 4.0), (x, bottom), "");
        drawing.text("soft middle", (x, top - 10.0), reference.label);
    }
    for (number, row) in rows.iter().enumerate() {
        let y = top + ROW * (number as f64 + 0.5);
        let color = format!("stroke:var(--c{0});fill:var(--c{0})", row.color % 10);
        let Estimate { mean, low, high } = row.estimate;
        let (low, high) = (axis.place(low.unwrap_or(mean)), axis.place(high.unwrap_or(mean)));
        drawing.text("end", (left - 12.0, y + 5.0), &shortened(row.label, 18));
        drawing.line("whisker", (low, y), (high, y), &color);
        let _ = writeln!(
            drawing.body,
            "<circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"5.5\" style=\"{color}\"/>",
            axis.place(mean)
        );
        drawing.text("", (right + 14.0, y + 5.0), &with_margin(&row.estimate, scale));
    }
    drawing.finish(title)
}

fn with_margin(estimate: &Estimate, scale: Scale) -> String {
    let decimals = super::text::decimals(&estimate.times(scale.factor()));
    let margin = estimate.margin().filter(|margin| *margin > 0.0);
    let margin = margin.map(|margin| format!(" ±{:.decimals$}", margin * scale.factor()));
    scale.write(estimate.mean, decimals) + &margin.unwrap_or_default()
}

fn shortened(label: &str, most: usize) -> String {
    if label.chars().count() <= most {
        return label.to_owned();
    }
    label.chars().take(most - 1).collect::<String>() + "…"
}

/// How many games fell into which range, with marks at some values.
pub(crate) fn histogram(title: &str, bins: &[Bin], marks: &[(f64, &str)]) -> String {
    let (left, right, top, bottom) = (52.0, WIDTH - 8.0, 30.0, 230.0);
    let total = bins.iter().map(|bin| bin.count).sum::<u64>().max(1) as f64;
    let highest = bins.iter().map(|bin| bin.count as f64 / total).fold(0.0, f64::max);
    let mut drawing = Drawing::new(WIDTH, bottom + 26.0);
    let heights = Axis { low: 0.0, high: highest.max(1e-9) * 1.02, from: bottom, to: top };
    drawing.y_axis(&heights, Scale::Percent, left, right);
    let width = bins.first().map_or(1, |bin| bin.to - bin.from + 1);
    let wide = (right - left) / bins.len().max(1) as f64;
    let every = bins.len().div_ceil(9);
    for (number, bin) in bins.iter().enumerate() {
        let x = left + wide * number as f64;
        let share = bin.count as f64 / total;
        let open = number + 1 == bins.len() && bin.to - bin.from + 1 > width;
        let range = match (open, width) {
            (true, _) => format!("{} to {}", bin.from, bin.to),
            (false, 1) => bin.from.to_string(),
            (false, _) => format!("{}–{}", bin.from, bin.to),
        };
        let hint = format!("{range}: {} ({:.2} %)", count(bin.count), share * 100.0);
        let y = heights.place(share);
        drawing.bar((x + 1.0, y), (wide - 2.0, bottom - y), "c0", &hint);
        if number % every == 0 && number + every.max(3) / 2 < bins.len() - 1 {
            let middle = if width == 1 { x + wide / 2.0 } else { x };
            drawing.text("soft middle", (middle, bottom + 18.0), &bin.from.to_string());
        } else if open {
            drawing.text("soft end", (right, bottom + 18.0), &format!("{}+", bin.from));
        }
    }
    drawing.line("axis", (left, bottom), (right, bottom), "");
    for (number, (value, label)) in marks.iter().enumerate() {
        let x = (left + (value + 0.5) / f64::from(width) * wide).min(right);
        let below = marks.iter().enumerate().any(|(other, mark)| other != number && mark.0 > *value);
        drawing.line("mark", (x, top - 16.0), (x, bottom), "");
        let (class, x) = if below { ("soft end", x - 5.0) } else { ("soft", x + 5.0) };
        drawing.text(class, (x, top - 7.0), label);
    }
    drawing.finish(title)
}

/// One bar of stacked parts: each with its height, its color and what it is.
pub(crate) struct Stack {
    pub(crate) label: String,
    pub(crate) parts: Vec<(f64, &'static str, String)>,
}

/// Bars of stacked parts, side by side.
pub(crate) fn stacks(title: &str, stacks: &[Stack]) -> String {
    let (left, right, top, bottom) = (46.0, WIDTH - 8.0, 12.0, 230.0);
    let height = |stack: &Stack| stack.parts.iter().map(|part| part.0).sum::<f64>();
    let highest = stacks.iter().map(height).fold(0.0, f64::max);
    let axis = Axis { low: 0.0, high: highest.max(1e-9) * 1.02, from: bottom, to: top };
    let mut drawing = Drawing::new(WIDTH, bottom + 26.0);
    drawing.y_axis(&axis, Scale::Plain, left, right);
    let wide = (right - left) / stacks.len().max(1) as f64;
    for (number, stack) in stacks.iter().enumerate() {
        let x = left + wide * number as f64;
        let mut reached = 0.0;
        for (value, color, hint) in &stack.parts {
            let (from, to) = (axis.place(reached), axis.place(reached + value));
            drawing.bar((x + 2.0, to), (wide - 4.0, from - to), color, hint);
            reached += value;
        }
        drawing.text("soft middle", (x + wide / 2.0, bottom + 18.0), &stack.label);
    }
    drawing.line("axis", (left, bottom), (right, bottom), "");
    drawing.finish(title)
}

/// An estimate as it developed: the number of deals, the mean and its interval.
pub(crate) struct Series<'a> {
    pub(crate) label: &'a str,
    pub(crate) points: Vec<(u64, Estimate)>,
}

/// Running estimates with bands over their intervals; every doubling of the deals takes the same room.
pub(crate) fn running(title: &str, series: &[Series<'_>], reference: &Reference<'_>, scale: Scale) -> String {
    let (left, right, top, bottom) = (62.0, PAGE_WIDTH - 8.0, 34.0, 300.0);
    let last = series.iter().filter_map(|series| series.points.last()).map(|point| point.0).max().unwrap_or(1);
    // The first deals say nothing, and would flatten all that follows.
    let from = (last / 100).max(2);
    let shown = || series.iter().flat_map(|series| series.points.iter()).filter(move |point| point.0 >= from);
    let worth = shown().filter(|point| point.0 >= last / 20);
    let ends =
        worth.flat_map(|(_, estimate)| [estimate.low.unwrap_or(estimate.mean), estimate.high.unwrap_or(estimate.mean)]);
    let y = Axis::around(ends.chain([reference.value]), bottom, top);
    let x = Axis { low: (from as f64).log2(), high: (last.max(from + 1) as f64).log2(), from: left, to: right };
    let mut drawing = Drawing::new(PAGE_WIDTH, bottom + 26.0);
    drawing.y_axis(&y, scale, left, right);
    drawing.line("reference", (left, y.place(reference.value)), (right, y.place(reference.value)), "");
    for deals in round_numbers(from, last) {
        let place = x.place((deals as f64).log2());
        drawing.line("axis", (place, bottom), (place, bottom + 4.0), "");
        drawing.text("soft middle", (place, bottom + 18.0), &count(deals));
    }
    let mut legend = left;
    for (number, series) in series.iter().enumerate() {
        let points: Vec<_> = series.points.iter().filter(|point| point.0 >= from).collect();
        let at = |deals: u64, value: f64| format!("{:.1},{:.1}", x.place((deals as f64).log2()), y.place(value));
        let low = points.iter().map(|(deals, estimate)| at(*deals, estimate.low.unwrap_or(estimate.mean)));
        let high = points.iter().rev().map(|(deals, estimate)| at(*deals, estimate.high.unwrap_or(estimate.mean)));
        let band: Vec<String> = low.chain(high).collect();
        let line: Vec<String> = points.iter().map(|(deals, estimate)| at(*deals, estimate.mean)).collect();
        let color = number % 10;
        let _ = writeln!(
            drawing.body,
            "<polygon class=\"band\" style=\"fill:var(--c{color})\" points=\"{}\"/>",
            band.join(" ")
        );
        let _ = writeln!(
            drawing.body,
            "<polyline class=\"series\" style=\"stroke:var(--c{color})\" points=\"{}\"/>",
            line.join(" ")
        );
        let label = shortened(series.label, 18);
        drawing.bar((legend, 8.0), (12.0, 12.0), &format!("c{color}"), series.label);
        drawing.text("", (legend + 18.0, 19.0), &label);
        legend += 40.0 + 8.5 * label.chars().count() as f64;
    }
    drawing.finish(title)
}

/// 1, 2 and 5 times the powers of ten in a range; of many only the powers.
fn round_numbers(from: u64, to: u64) -> Vec<u64> {
    let powers = (0..19).map(|power| 10u64.pow(power));
    let all: Vec<u64> = powers.clone().flat_map(|power| [power, 2 * power, 5 * power]).collect();
    let inside = |number: &u64| (from..=to).contains(number);
    let all: Vec<u64> = all.into_iter().filter(inside).collect();
    if all.len() <= 9 { all } else { powers.filter(inside).collect() }
}

/// Everybody's chances after a move.
pub(crate) struct Moment {
    pub(crate) label: String,
    /// By seat, adding up to one.
    pub(crate) chances: Vec<f64>,
    /// Who moved.
    pub(crate) mover: Option<usize>,
    /// Whether cards were drawn.
    pub(crate) luck: bool,
    /// Whether it was a mistake.
    pub(crate) error: bool,
}

/// Chances to win, move by move: a line for every seat, with marks at the mover's line.
pub(crate) fn chances(title: &str, names: &[String], moments: &[Moment]) -> String {
    let (left, right, top, bottom) = (62.0, PAGE_WIDTH - 8.0, 34.0, 300.0);
    let y = Axis { low: 0.0, high: 1.0, from: bottom, to: top };
    let x = Axis { low: 0.0, high: (moments.len().max(2) - 1) as f64, from: left, to: right };
    let mut drawing = Drawing::new(PAGE_WIDTH, bottom + 12.0);
    drawing.y_axis(&y, Scale::Percent, left, right);
    let mut legend = left;
    for (seat, name) in names.iter().enumerate() {
        let color = seat % 10;
        let at = |(number, moment): (usize, &Moment)| {
            format!("{:.1},{:.1}", x.place(number as f64), y.place(moment.chances.get(seat).copied().unwrap_or(0.0)))
        };
        let line: Vec<String> = moments.iter().enumerate().map(at).collect();
        let _ = writeln!(
            drawing.body,
            "<polyline class=\"series\" style=\"stroke:var(--c{color})\" points=\"{}\"/>",
            line.join(" ")
        );
        let label = shortened(name, 18);
        drawing.bar((legend, 8.0), (12.0, 12.0), &format!("c{color}"), name);
        drawing.text("", (legend + 18.0, 19.0), &label);
        legend += 40.0 + 8.5 * label.chars().count() as f64;
    }
    for (number, moment) in moments.iter().enumerate().filter(|(_, moment)| moment.luck || moment.error) {
        drawing.moment((x.place(number as f64), &y), moment);
    }
    drawing.finish(title)
}

impl Drawing {
    /// A mark at the mover's line, with a tooltip.
    fn moment(&mut self, (x, axis): (f64, &Axis), moment: &Moment) {
        let Some(seat) = moment.mover else { return };
        let chance = moment.chances.get(seat).copied().unwrap_or(0.0);
        let color = seat % 10;
        let (radius, style) = match moment.error {
            true => (7.0, format!("fill:none;stroke:var(--c{color});stroke-width:2.5")),
            false => (2.6, format!("fill:var(--c{color})")),
        };
        let _ = writeln!(
            self.body,
            "<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"{radius}\" style=\"{style}\"><title>{}: {:.0} %</title></circle>",
            axis.place(chance),
            escape_html(&moment.label),
            chance * 100.0
        );
    }
}
