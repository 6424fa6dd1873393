//! The start screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::look::strong;
use super::super::markup::{width, wrap};
use super::super::start::Start;
use super::{Shape, Target, bar, form, is_too_small, page, put};

/// Draws it.
pub(crate) fn draw(frame: &mut Frame<'_>, start: &Start) {
    let area = frame.area();
    if is_too_small(frame, area) {
        return;
    }
    let [head, body, foot] = places(start, area);
    let dot = start.paint.signs().dot;
    bar(frame, head, &format!("unum {dot} UNO in the terminal"), "", start.paint);
    match &start.page {
        Some(page) => page::draw(frame, body, page, start.paint),
        None => form::draw(frame, body, "What shall we play?", &start.entries(), start.cursor, start.paint),
    }
    put(frame, foot, foot_lines(start, foot.width));
}

/// What keys have to know about the screen.
pub(crate) fn shape(start: &Start, area: Rect) -> Shape {
    let [_, body, _] = places(start, area);
    let (rows, lines) = start.page.as_ref().map_or((0, 0), |page| page::extent(page, body, start.paint));
    Shape { columns: 0, rows, lines }
}

fn places(start: &Start, area: Rect) -> [Rect; 3] {
    let foot = foot_lines(start, area.width).len().clamp(3, 6) as u16;
    let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(foot)];
    Layout::vertical(rows).areas(area)
}

/// What is there to be clicked on.
pub(crate) fn target(start: &Start, area: Rect, position: Position) -> Option<Target> {
    let [_, body, foot] = places(start, area);
    if foot.contains(position) {
        let (row, column) = (usize::from(position.y - foot.y), usize::from(position.x - foot.x));
        let is_hit = |laid: &Laid| laid.line == row && (laid.from..laid.from + laid.wide()).contains(&column);
        let hit = laid(start, foot.width).into_iter().find(is_hit).filter(|_| start.note.is_none());
        return hit.map(|laid| Target::Key(laid.key.to_owned()));
    }
    form::entry_at(body, &start.entries(), start.cursor, position).map(Target::Entry)
}

/// A key in the foot, and where it is.
struct Laid {
    key: &'static str,
    does: &'static str,
    line: usize,
    from: usize,
}

impl Laid {
    fn wide(&self) -> usize {
        width(self.key) + width(self.does) + 5
    }
}

/// The keys in lines of that many columns.
fn laid(start: &Start, columns: u16) -> Vec<Laid> {
    let arrows = if start.paint.symbols { ("↑↓", "←→") } else { ("up/down", "left/right") };
    let keys = match start.page {
        Some(_) => vec![("Esc", "close"), (arrows.0, "read on")],
        None => vec![(arrows.0, "choose"), (arrows.1, "change"), ("Enter", "begin"), ("?", "help"), ("Esc", "leave")],
    };
    let (mut line, mut from) = (0, 1);
    let place = |(key, does)| {
        let mut laid = Laid { key, does, line, from };
        // The two spaces behind the last key are not missed.
        if from + laid.wide() > usize::from(columns) + 2 {
            (line, from) = (line + 1, 1);
            (laid.line, laid.from) = (line, from);
        }
        from += laid.wide();
        laid
    };
    keys.into_iter().map(place).collect()
}

fn key_lines(start: &Start, columns: u16) -> Vec<Line<'static>> {
    let laid = laid(start, columns);
    let count = laid.last().map_or(0, |last| last.line + 1);
    let mut lines = vec![Line::from(" "); count];
    for key in laid {
        lines[key.line].push_span(Span::styled(format!(" {} ", key.key), start.paint.alert()));
        lines[key.line].push_span(Span::raw(format!(" {}  ", key.does)));
    }
    lines
}

fn foot_lines(start: &Start, columns: u16) -> Vec<Line<'static>> {
    if let Some(note) = &start.note {
        return wrap(&note.as_str().into(), strong(), columns.into(), start.paint);
    }
    let mut lines = key_lines(start, columns);
    if start.page.is_some() {
        return lines;
    }
    let meaning = start.meaning().into();
    let set = wrap(&meaning, Style::new(), usize::from(columns).saturating_sub(2), start.paint);
    lines.extend(set.into_iter().map(|mut line| {
        line.spans.insert(0, Span::raw(" "));
        line
    }));
    lines
}
