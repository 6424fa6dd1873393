//! A text over the table: help, rules, the whole log.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::look::Paint;
use super::super::markup::wrap;
use super::super::state::{Page, Screen};
use super::{boxed, put};
use crate::text::Text;

/// The widest a text is set, for the sake of the eyes.
const WIDEST: u16 = 96;

/// The rows of a page, each with the number of the line it belongs to.
fn rows_of(page: &Page, columns: u16, paint: Paint) -> Vec<(usize, Line<'static>)> {
    let looked_at = page.links.as_ref().map(|links| links.first + links.at);
    let set = |(number, text): (usize, &Text)| {
        let style = if looked_at == Some(number) { paint.alert() } else { Style::new() };
        let rows = wrap(text, style, columns.into(), paint);
        rows.into_iter().map(move |row| (number, row))
    };
    page.lines.iter().enumerate().flat_map(set).collect()
}

/// How many rows are scrolled away: the selection stays in sight.
fn top(page: &Page, rows: &[(usize, Line<'_>)], height: usize) -> usize {
    let farthest = rows.len().saturating_sub(height);
    let Some(links) = &page.links else { return page.top.min(farthest) };
    let at = rows.iter().position(|(number, _)| *number == links.first + links.at).unwrap_or(0);
    // Half a page of what comes next is in sight, too.
    (at + 1).saturating_sub(height.div_ceil(2)).min(farthest)
}

fn place(area: Rect) -> Rect {
    let width = area.width.min(WIDEST);
    Rect { x: area.x + (area.width - width) / 2, width, ..area }
}

fn inside(area: Rect) -> Rect {
    let area = place(area);
    Rect { width: area.width.saturating_sub(4), height: area.height.saturating_sub(2), ..area }
}

/// How many lines of it are visible, and how many there are.
pub(crate) fn extent(page: &Page, area: Rect, paint: Paint) -> (usize, usize) {
    let inside = inside(area);
    (inside.height.into(), rows_of(page, inside.width, paint).len())
}

/// The rule of a list that is written there, by its place.
pub(crate) fn link_at(screen: &Screen, area: Rect, position: Position) -> Option<usize> {
    let page = screen.page.as_ref()?;
    let links = page.links.as_ref()?;
    let (frame, inside) = (place(area), inside(area));
    let rows = rows_of(page, inside.width, screen.paint);
    let row = usize::from(position.y.checked_sub(frame.y + 1)?);
    if !frame.contains(position) || row >= usize::from(inside.height) {
        return None;
    }
    let (number, _) = rows.get(top(page, &rows, inside.height.into()) + row)?;
    number.checked_sub(links.first).filter(|place| *place < links.ids.len())
}

/// Draws it.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, page: &Page, paint: Paint) {
    let height = usize::from(inside(area).height);
    let rows = rows_of(page, inside(area).width, paint);
    let (top, count) = (top(page, &rows, height), rows.len());
    let title = match count > height {
        true => format!("{} ({} to {} of {count})", page.title, top + 1, (top + height).min(count)),
        false => page.title.clone(),
    };
    let inner = boxed(frame, place(area), &title, paint);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    put(frame, inner, rows.into_iter().skip(top).map(|(_, row)| row));
}
