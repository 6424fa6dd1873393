//! A list of things to choose.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::super::form::Entry;
use super::super::look::{Paint, faint, strong};
use super::super::markup::{clip, width};
use super::{boxed, put};

/// The widest a list is drawn.
const WIDEST: u16 = 110;
/// Columns for a name.
const LABEL: usize = 16;
/// Columns for a value.
const VALUE: usize = 18;

/// Draws it in a box of its own, so that the line looked at is to be seen.
pub(super) fn draw(frame: &mut Frame<'_>, body: Rect, title: &str, entries: &[Entry], cursor: usize, paint: Paint) {
    let headings = entries.iter().filter(|entry| entry.heading.is_some()).count();
    let first = entries.first().is_some_and(|entry| entry.heading.is_some());
    let length = entries.len() + 2 * headings - usize::from(first);
    let high = u16::try_from(length + 2).unwrap_or(u16::MAX).min(body.height);
    let wide = body.width.min(WIDEST);
    let place =
        Rect { x: body.x + (body.width - wide) / 2, y: body.y + (body.height - high) / 4, width: wide, height: high };
    let mut lines: Vec<Line<'static>> = Vec::new();
    let mut focus = 0;
    let columns = place.width.saturating_sub(2);
    for (number, entry) in entries.iter().enumerate() {
        if let Some(heading) = entry.heading {
            if number > 0 {
                lines.push(Line::default());
            }
            lines.push(Line::from(Span::styled(format!("  {heading}"), faint())));
        }
        if number == cursor {
            focus = lines.len();
        }
        lines.push(line(entry, number == cursor, columns, paint));
    }
    let rows = usize::from(high.saturating_sub(2));
    let top = (focus + 2).min(lines.len()).saturating_sub(rows);
    let below = lines.len().saturating_sub(top + rows);
    let signs = paint.signs();
    let mut title = title.to_owned();
    for (sign, hidden) in [(signs.up, top), (signs.down, below)] {
        if hidden > 0 {
            title = format!("{title} {sign}{hidden}");
        }
    }
    let inside = boxed(frame, place, &title, paint);
    put(frame, inside, lines.into_iter().skip(top));
}

fn line(entry: &Entry, chosen: bool, columns: u16, paint: Paint) -> Line<'static> {
    let signs = paint.signs();
    let weight = if chosen { strong() } else { Style::new() };
    let sign = if chosen { signs.turn } else { " " };
    let mut spans = vec![Span::styled(format!("{sign} {:<LABEL$}", entry.label), weight)];
    let mut used = LABEL + 2;
    if let Some(value) = &entry.value {
        let value = clip(value, VALUE, paint);
        let pad = " ".repeat(VALUE - width(&value).min(VALUE));
        match (chosen, entry.typed) {
            (true, true) => {
                spans.push(Span::styled(format!("  {value}"), strong()));
                spans.push(Span::styled(" ", Style::new().add_modifier(Modifier::REVERSED)));
                spans.push(Span::raw(format!("{pad}  ")));
            }
            (true, false) => {
                spans.push(Span::styled(format!("{} {value} {}", signs.less, signs.more), strong()));
                spans.push(Span::raw(format!("{pad} ")));
            }
            (false, _) => spans.push(Span::raw(format!("  {value}{pad}   "))),
        }
        used += VALUE + 5;
    }
    let room = usize::from(columns).saturating_sub(used + 1);
    if room > 8 {
        spans.push(Span::styled(clip(&entry.meaning, room, paint), faint()));
    }
    Line::from(spans)
}
