//! The screen, drawn from [`Screen`] and nothing else.

pub(super) mod film;
mod foot;
mod form;
mod glyphs;
mod hand;
mod lobby;
mod page;
mod panels;
pub(super) mod start;
mod summary;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Paragraph};
use unum_protocol::Stage;
use unum_rules::rulebook;

use super::look::{Paint, strong};
use super::markup::{clip, width};
use super::state::Screen;

/// The smallest terminal that is enough.
pub(crate) const LEAST: (u16, u16) = (40, 12);

/// How much the terminal shows, as far as keys depend on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Cards in a row of the hand.
    pub columns: usize,
    /// Rows of the text that can be scrolled.
    pub rows: usize,
    /// Lines of that text.
    pub lines: usize,
}

/// Where everything is.
struct Places {
    head: Rect,
    body: Rect,
    hand: Rect,
    foot: Rect,
    compact: bool,
}

fn places(screen: &Screen, area: Rect) -> Places {
    let compact = area.width < 72 || area.height < 20;
    let has_hand = screen.model.stage() == Stage::Playing && !screen.model.hand().is_empty();
    let foot = if compact { foot::height(screen, area.width) } else { foot::HEIGHT };
    let hand = match (has_hand, compact) {
        (false, _) => 0,
        (true, false) => hand::height(screen, area) + 2,
        (true, true) => {
            let table = panels::compact_height(screen, area.width);
            let spare = area.height.saturating_sub(foot + 1 + table);
            hand::rows(screen, area.width).clamp(1, spare.max(2))
        }
    };
    let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(hand), Constraint::Length(foot)];
    let [head, body, hand, foot] = Layout::vertical(rows).areas(area);
    Places { head, body, hand, foot, compact }
}

/// Draws a game.
pub(crate) fn draw(frame: &mut Frame<'_>, screen: &Screen) {
    let area = frame.area();
    if is_too_small(frame, area) {
        return;
    }
    let places = places(screen, area);
    head(frame, places.head, screen);
    match (screen.model.stage(), &screen.form) {
        _ if screen.page.is_some() => {}
        (_, Some(form)) => {
            form::draw(frame, places.body, "Table settings", &form.entries(), form.cursor, screen.paint);
        }
        (Stage::Lobby, None) => lobby::draw(frame, places.body, screen, places.compact),
        (Stage::Scores | Stage::Over, None) => summary::draw(frame, places.body, screen, places.compact),
        (Stage::Playing | Stage::Closed, None) if places.compact => panels::compact(frame, places.body, screen),
        (Stage::Playing | Stage::Closed, None) => panels::draw(frame, places.body, screen),
    }
    match &screen.page {
        Some(page) => page::draw(frame, places.body.union(places.hand), page, screen.paint),
        None => hand::draw(frame, places.hand, screen, places.compact),
    }
    foot::draw(frame, places.foot, screen, places.compact);
}

/// What keys have to know about the screen.
pub(crate) fn shape(screen: &Screen, area: Rect) -> Shape {
    let places = places(screen, area);
    let columns = hand::columns(screen, places.hand, places.compact);
    let (rows, lines) = match &screen.page {
        Some(page) => page::extent(page, places.body.union(places.hand), screen.paint),
        None => panels::log_extent(screen, places.body, places.compact),
    };
    Shape { columns, rows, lines }
}

/// What can be clicked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// A card of the hand, by its place.
    Card(usize),
    /// The draw pile.
    DrawPile,
    /// A chair in the lobby, by its place.
    Chair(usize),
    /// A line of a list.
    Entry(usize),
    /// A key in the foot, as it is written there.
    Key(String),
}

/// What is there to be clicked on.
pub(crate) fn target(screen: &Screen, area: Rect, position: Position) -> Option<Target> {
    let places = places(screen, area);
    if places.foot.contains(position) {
        return foot::key_at(places.foot, screen, places.compact, position).map(Target::Key);
    }
    if screen.page.is_some() {
        return page::link_at(screen, places.body.union(places.hand), position).map(Target::Entry);
    }
    if let Some(form) = &screen.form {
        return form::entry_at(places.body, &form.entries(), form.cursor, position).map(Target::Entry);
    }
    match screen.model.stage() {
        Stage::Lobby => lobby::chair_at(places.body, screen, places.compact, position).map(Target::Chair),
        Stage::Playing if places.hand.contains(position) => {
            let cells = hand::cells(screen, places.hand, places.compact);
            cells.into_iter().find(|(_, cell)| cell.contains(position)).map(|(number, _)| Target::Card(number))
        }
        Stage::Playing if !places.compact => {
            panels::draw_pile(places.body).contains(position).then_some(Target::DrawPile)
        }
        _ => None,
    }
}

/// Whether the terminal is too small, in which case it says so.
fn is_too_small(frame: &mut Frame<'_>, area: Rect) -> bool {
    let small = area.width < LEAST.0 || area.height < LEAST.1;
    if small {
        let text = format!(
            "Too small: {}x{}.\nunum needs {}x{}.\nNothing is lost.",
            area.width, area.height, LEAST.0, LEAST.1
        );
        frame.render_widget(Paragraph::new(text), area);
    }
    small
}

/// The line at the top: what is played, and what to know at any time.
fn head(frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    let model = &screen.model;
    let dot = format!(" {} ", screen.paint.signs().dot);
    let mut left = vec!["unum".to_owned()];
    if let Some(rules) = model.rules() {
        left.push(rulebook::edition_notes(rules.edition).title.to_owned());
    }
    if let Some(game) = model.game.as_ref().filter(|_| model.stage() != Stage::Lobby) {
        left.push(format!("round {}", game.round));
    }
    let mut right = Vec::new();
    if let Some((time, _)) = model.clock() {
        right.push(format!("{} s left", time.as_secs()));
    }
    if model.uno_armed {
        right.push("UNO is armed".to_owned());
    }
    if model.alarm.is_some() {
        right.insert(0, "THE DEAL WAS NOT FAIR".to_owned());
    }
    match (&model.lost, screen.whereabouts.saved) {
        (Some(_), _) => right.push("no connection, trying again".to_owned()),
        (None, Some(number)) if area.width >= 60 => right.push(format!("saved as game {number}")),
        (None, None) if area.width >= 60 && !model.code.is_empty() => right.push(format!("table {}", model.code)),
        _ => {}
    }
    bar(frame, area, &left.join(&dot), &right.join(&dot), screen.paint);
}

/// A line in reverse video, with something at each end.
fn bar(frame: &mut Frame<'_>, area: Rect, left: &str, right: &str, paint: Paint) {
    let columns = usize::from(area.width);
    let right = clip(right, columns.saturating_sub(8), paint);
    let left = clip(left, columns.saturating_sub(width(&right) + 3), paint);
    let gap = " ".repeat(columns.saturating_sub(width(&left) + width(&right) + 2));
    let style = Style::new().add_modifier(Modifier::REVERSED);
    let line = Line::from(vec![
        Span::styled(format!(" {left}{gap}"), style.add_modifier(Modifier::BOLD)),
        Span::styled(format!("{right} "), style),
    ]);
    frame.render_widget(line, area);
}

/// A box with a title; what is inside of it.
fn boxed(frame: &mut Frame<'_>, area: Rect, title: &str, paint: Paint) -> Rect {
    let title = clip(title, usize::from(area.width).saturating_sub(4), paint);
    let title =
        if title.is_empty() { Line::default() } else { Line::from(Span::styled(format!(" {title} "), strong())) };
    let block = Block::bordered().border_set(paint.border()).title(title);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    inner
}

/// Lines from the top of an area, as many as fit.
fn put(frame: &mut Frame<'_>, area: Rect, lines: impl IntoIterator<Item = Line<'static>>) {
    for (line, row) in lines.into_iter().zip(area.rows()) {
        frame.render_widget(line, row);
    }
}
