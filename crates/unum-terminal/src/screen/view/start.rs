//! The start screen.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::super::look::{faint, strong};
use super::super::markup::{clip, width, wrap};
use super::super::start::{Row, Start};
use super::{bar, boxed, is_too_small, put};

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
    let list = start.rows();
    // A heading stands between the game and the house rules.
    let house = list.iter().position(|row| matches!(row, Row::House(_))).unwrap_or(list.len());
    let high = u16::try_from(list.len() + 4).unwrap_or(u16::MAX).min(body.height);
    let wide = body.width.min(110);
    let place =
        Rect { x: body.x + (body.width - wide) / 2, y: body.y + (body.height - high) / 4, width: wide, height: high };
    let inside = boxed(frame, place, "What shall we play?", start.paint);
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut focus = 0;
    for (number, row) in list.iter().enumerate() {
        if number == house {
            lines.push(Line::default());
            lines.push(Line::from(Span::styled("  House rules", faint())));
        }
        if number == start.cursor {
            focus = lines.len();
        }
        lines.push(line(start, *row, number == start.cursor, inside.width));
    }
    let rows = usize::from(inside.height);
    let top = (focus + 2).min(lines.len()).saturating_sub(rows);
    put(frame, inside, lines.into_iter().skip(top));
    put(frame, foot, foot_lines(start, foot.width));
}

fn line(start: &Start, row: Row, chosen: bool, columns: u16) -> Line<'static> {
    let signs = start.paint.signs();
    let weight = if chosen { strong() } else { Style::new() };
    let sign = if chosen { signs.turn } else { " " };
    let mut spans = vec![Span::styled(format!("{sign} {:<16}", start.label(row)), weight)];
    let mut used = 18;
    if let Some(value) = start.value(row) {
        let value = clip(&value, 14, start.paint);
        let pad = " ".repeat(14 - width(&value).min(14));
        match (chosen, row) {
            (true, Row::Name) => {
                spans.push(Span::styled(value, strong()));
                spans.push(Span::styled(" ", Style::new().add_modifier(Modifier::REVERSED)));
                spans.push(Span::raw(format!("{pad}  ")));
            }
            (true, _) => {
                spans.push(Span::styled(format!("{} {value} {}", signs.less, signs.more), strong()));
                spans.push(Span::raw(pad.get(1..).unwrap_or_default().to_owned()));
            }
            (false, _) => spans.push(Span::raw(format!("{value}{pad}   "))),
        }
        used += 17;
    }
    let room = usize::from(columns).saturating_sub(used + 1);
    if room > 8 {
        spans.push(Span::styled(clip(&start.meaning(row), room, start.paint), faint()));
    }
    Line::from(spans)
}

fn foot_lines(start: &Start, columns: u16) -> Vec<Line<'static>> {
    if let Some(note) = &start.note {
        return wrap(note, strong(), columns.into(), start.paint);
    }
    let arrows = if start.paint.symbols { ("↑↓", "←→") } else { ("up/down", "left/right") };
    let keys = [(arrows.0, "choose"), (arrows.1, "change"), ("Enter", "begin"), ("Esc", "leave")];
    let mut spans = vec![Span::raw(" ")];
    for (key, does) in keys {
        spans.push(Span::styled(format!(" {key} "), start.paint.alert()));
        spans.push(Span::raw(format!(" {does}  ")));
    }
    let row = start.rows().get(start.cursor).copied().unwrap_or(Row::Begin);
    let mut lines = vec![Line::from(spans)];
    let meaning = start.meaning(row);
    lines.extend(wrap(&meaning, Style::new(), usize::from(columns).saturating_sub(2), start.paint).into_iter().map(
        |mut line| {
            line.spans.insert(0, Span::raw(" "));
            line
        },
    ));
    lines
}
