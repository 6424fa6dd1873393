//! The start screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::look::strong;
use super::super::markup::wrap;
use super::super::start::Start;
use super::{bar, form, is_too_small, put};

/// Draws it.
pub(crate) fn draw(frame: &mut Frame<'_>, start: &Start) {
    let area = frame.area();
    if is_too_small(frame, area) {
        return;
    }
    let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(3)];
    let [head, body, foot] = Layout::vertical(rows).areas(area);
    let dot = start.paint.signs().dot;
    bar(frame, head, &format!("unum {dot} a game against bots"), "", start.paint);
    form::draw(frame, body, "What shall we play?", &start.entries(), start.cursor, start.paint);
    put(frame, foot, foot_lines(start, foot.width));
}

fn foot_lines(start: &Start, columns: u16) -> Vec<Line<'static>> {
    if let Some(note) = &start.note {
        return wrap(&note.as_str().into(), strong(), columns.into(), start.paint);
    }
    let arrows = if start.paint.symbols { ("↑↓", "←→") } else { ("up/down", "left/right") };
    let keys = [(arrows.0, "choose"), (arrows.1, "change"), ("Enter", "begin"), ("Esc", "leave")];
    let mut spans = vec![Span::raw(" ")];
    for (key, does) in keys {
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
