//! The start screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::look::strong;
use super::super::markup::{width, wrap};
use super::super::start::Start;
use super::{Target, bar, form, is_too_small, put};

/// Draws it.
pub(crate) fn draw(frame: &mut Frame<'_>, start: &Start) {
    let area = frame.area();
    if is_too_small(frame, area) {
        return;
    }
    let [head, body, foot] = places(start, area);
    let dot = start.paint.signs().dot;
    bar(frame, head, &format!("unum {dot} a game against bots"), "", start.paint);
    form::draw(frame, body, "What shall we play?", &start.entries(), start.cursor, start.paint);
    put(frame, foot, foot_lines(start, foot.width));
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
        let mut from = 1;
        let keys = keys(start).into_iter().map(|(key, does)| {
            let (begin, wide) = (from, width(key) + width(does) + 5);
            from += wide;
            (key, begin..begin + wide)
        });
        let column = usize::from(position.x - foot.x);
        let first = position.y == foot.y && start.note.is_none();
        let mut hit = keys.filter(|(_, columns)| first && columns.contains(&column));
        return hit.next().map(|(key, _)| Target::Key(key.to_owned()));
    }
    form::entry_at(body, &start.entries(), start.cursor, position).map(Target::Entry)
}

fn keys(start: &Start) -> [(&'static str, &'static str); 4] {
    let arrows = if start.paint.symbols { ("↑↓", "←→") } else { ("up/down", "left/right") };
    [(arrows.0, "choose"), (arrows.1, "change"), ("Enter", "begin"), ("Esc", "leave")]
}

fn foot_lines(start: &Start, columns: u16) -> Vec<Line<'static>> {
    if let Some(note) = &start.note {
        return wrap(&note.as_str().into(), strong(), columns.into(), start.paint);
    }
    let mut spans = vec![Span::raw(" ")];
    for (key, does) in keys(start) {
        spans.push(Span::styled(format!(" {key} "), start.paint.alert()));
        spans.push(Span::raw(format!(" {does}  ")));
    }
    let mut lines = vec![Line::from(spans)];
    let meaning = start.meaning().into();
    lines.extend(wrap(&meaning, Style::new(), usize::from(columns).saturating_sub(2), start.paint).into_iter().map(
        |mut line| {
            line.spans.insert(0, Span::raw(" "));
            line
        },
    ));
    lines
}
