//! A text over the table: help, rules, the whole log.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Line;

use super::super::markup::wrap;
use super::super::state::Screen;
use super::{boxed, put};
use crate::text::Text;

/// The widest a text is set, for the sake of the eyes.
const WIDEST: u16 = 96;

fn lines(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    let Some(page) = &screen.page else { return Vec::new() };
    let set = |text: &Text| wrap(text, Style::new(), columns.into(), screen.paint);
    page.lines.iter().flat_map(set).collect()
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
pub(crate) fn extent(screen: &Screen, area: Rect) -> (usize, usize) {
    let inside = inside(area);
    (inside.height.into(), lines(screen, inside.width).len())
}

/// Draws it.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    let Some(page) = &screen.page else { return };
    let (rows, count) = extent(screen, area);
    let top = page.top.min(count.saturating_sub(rows));
    let title = match count > rows {
        true => format!("{} ({} to {} of {count})", page.title, top + 1, (top + rows).min(count)),
        false => page.title.clone(),
    };
    let inner = boxed(frame, place(area), &title, screen.paint);
    let inner = Rect { x: inner.x + 1, width: inner.width.saturating_sub(2), ..inner };
    put(frame, inner, lines(screen, inner.width).into_iter().skip(top));
}
