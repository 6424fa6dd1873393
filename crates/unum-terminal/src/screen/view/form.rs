//! A list of things to choose.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Block;

use super::super::form::Entry;
use super::super::look::{Paint, strong};
use super::super::markup::{clip, end, width};
use super::{boxed, put};

/// The widest a list is drawn.
const WIDEST: u16 = 110;
/// Columns for a name.
const LABEL: usize = 16;
/// Columns for a value.
const VALUE: usize = 18;

/// Where a list is, and which of its lines are visible.
struct Shown {
    place: Rect,
    /// For every line the entry it belongs to; `None` for headings and gaps.
    lines: Vec<Option<usize>>,
    /// How many lines are scrolled away.
    top: usize,
}

/// Lays a list out so that the selected entry is visible.
fn lay_out(body: Rect, entries: &[Entry], cursor: usize) -> Shown {
    let mut lines = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        if entry.heading.is_some() {
            lines.extend([None, None].iter().skip(usize::from(number == 0)));
        }
        lines.push(Some(number));
    }
    let high = u16::try_from(lines.len() + 2).unwrap_or(u16::MAX).min(body.height);
    let wide = body.width.min(WIDEST);
    let (x, y) = (body.x + (body.width - wide) / 2, body.y + (body.height - high) / 4);
    let focus = lines.iter().position(|line| *line == Some(cursor)).unwrap_or(0);
    let rows = usize::from(high.saturating_sub(2));
    let top = (focus + 2).min(lines.len()).saturating_sub(rows);
    Shown { place: Rect { x, y, width: wide, height: high }, lines, top }
}

/// The entry that is written there.
pub(super) fn entry_at(body: Rect, entries: &[Entry], cursor: usize, position: Position) -> Option<usize> {
    let Shown { place, lines, top } = lay_out(body, entries, cursor);
    let inside = Block::bordered().inner(place);
    let row = position.y.checked_sub(inside.y)?;
    inside.contains(position).then(|| lines.get(top + usize::from(row)).copied().flatten())?
}

/// Draws it in a box of its own.
pub(super) fn draw(frame: &mut Frame<'_>, body: Rect, title: &str, entries: &[Entry], cursor: usize, paint: Paint) {
    let Shown { place, lines, top } = lay_out(body, entries, cursor);
    let rows = usize::from(place.height.saturating_sub(2));
    let below = lines.len().saturating_sub(top + rows);
    let columns = place.width.saturating_sub(2);
    let drawn = |(number, shown): (usize, &Option<usize>)| match shown {
        Some(entry) => line(&entries[*entry], *entry == cursor, columns, paint),
        // A heading stands right above its first entry.
        None => match lines.get(number + 1) {
            Some(Some(next)) => {
                Line::from(Span::styled(format!("  {}", entries[*next].heading.unwrap_or_default()), paint.faint()))
            }
            _ => Line::default(),
        },
    };
    let drawn: Vec<Line<'static>> = lines.iter().enumerate().skip(top).map(drawn).collect();
    let signs = paint.signs();
    let mut title = title.to_owned();
    for (sign, hidden) in [(signs.up, top), (signs.down, below)] {
        if hidden > 0 {
            title = format!("{title} {sign}{hidden}");
        }
    }
    let inside = boxed(frame, place, &title, paint);
    put(frame, inside, drawn);
}

fn line(entry: &Entry, chosen: bool, columns: u16, paint: Paint) -> Line<'static> {
    let signs = paint.signs();
    let weight = if chosen { strong() } else { Style::new() };
    let sign = if chosen { signs.turn } else { " " };
    let mut spans = vec![Span::styled(format!("{sign} {:<LABEL$}", entry.label), weight)];
    let mut used = LABEL + 2;
    if chosen && entry.typed {
        let room = usize::from(columns).saturating_sub(used + 4);
        spans.push(Span::styled(format!("  {}", end(entry.value.as_deref().unwrap_or_default(), room)), strong()));
        spans.push(Span::styled(" ", Style::new().add_modifier(Modifier::REVERSED)));
        return Line::from(spans);
    }
    if let Some(value) = &entry.value {
        let value = clip(value, VALUE, paint);
        let pad = " ".repeat(VALUE - width(&value).min(VALUE));
        if chosen {
            spans.push(Span::styled(format!("{} {value} {}", signs.less, signs.more), strong()));
            spans.push(Span::raw(format!("{pad} ")));
        } else {
            spans.push(Span::raw(format!("  {value}{pad}   ")));
        }
        used += VALUE + 5;
    }
    let room = usize::from(columns).saturating_sub(used + 1);
    if room > 8 {
        spans.push(Span::styled(clip(&entry.meaning, room, paint), paint.faint()));
    }
    Line::from(spans)
}
