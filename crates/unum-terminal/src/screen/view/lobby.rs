//! A table before the deal: who sits where, what is agreed, how others can join.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Block;

use super::super::look::strong;
use super::super::markup::{clip, width, wrap};
use super::super::state::Screen;
use super::{boxed, panels, put};
use crate::status;
use crate::story::{count, foreign};
use crate::text::{Text, text};

/// Draws it.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen, compact: bool) {
    if screen.model.lobby.is_none() {
        let text = screen.model.lost.as_ref().map_or("Looking for the table.".to_owned(), |why| {
            format!("The server cannot be reached ({why}). Trying again.")
        });
        put(frame, area, wrap(&text.into(), Style::new(), area.width.into(), screen.paint));
        return;
    }
    if compact {
        let mut lines = chairs(screen, area.width);
        lines.truncate(screen.model.names().len());
        lines.extend(invitation(screen, area.width));
        lines.extend(agreed(screen, area.width));
        put(frame, area, lines);
        return;
    }
    let [left, right] = halves(area);
    let inside = boxed(frame, left, "At the table", screen.paint);
    let invitation = invitation(screen, inside.width);
    put(frame, inside, chairs(screen, inside.width).into_iter().chain([Line::default()]).chain(invitation));
    let text = agreed(screen, right.width.saturating_sub(2));
    let high = u16::try_from(text.len()).unwrap_or(u16::MAX).saturating_add(2).min(right.height * 2 / 3);
    let [rules, log] = Layout::vertical([Constraint::Length(high), Constraint::Fill(1)]).areas(right);
    let inside = boxed(frame, rules, "Settings", screen.paint);
    put(frame, inside, text);
    panels::log_box(frame, log, screen);
}

/// The chair that is there, by its place.
pub(crate) fn chair_at(area: Rect, screen: &Screen, compact: bool, position: Position) -> Option<usize> {
    let inside = if compact { area } else { Block::bordered().inner(halves(area)[0]) };
    let row = usize::from(position.y.checked_sub(inside.y)?);
    Some(row).filter(|row| inside.contains(position) && *row < screen.model.names().len())
}

fn halves(area: Rect) -> [Rect; 2] {
    Layout::horizontal([Constraint::Percentage(45), Constraint::Fill(1)]).areas(area)
}

fn chairs(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    let Some(lobby) = &screen.model.lobby else { return Vec::new() };
    let mut lines = Vec::new();
    for (number, chair) in lobby.chairs.iter().enumerate() {
        let mut facts = Vec::new();
        if chair.person.is_some() && chair.person == screen.model.you {
            facts.push("you".to_owned());
        }
        if chair.person.is_some() && chair.person == lobby.host {
            facts.push("host".to_owned());
        }
        match (&chair.bot, chair.ready) {
            (Some(level), _) => facts.push(format!("bot, {level}")),
            (None, true) => facts.push("ready".to_owned()),
            (None, false) if chair.person != lobby.host => facts.push("not ready".to_owned()),
            (None, false) => {}
        }
        let gone = lobby.people.iter().any(|person| Some(person.person) == chair.person && !person.connected);
        if gone {
            facts.push("not connected".to_owned());
        }
        let facts = facts.join(", ");
        let room = usize::from(columns).saturating_sub(width(&facts) + 4);
        let name = clip(&foreign(&chair.name), room, screen.paint);
        let gap = " ".repeat(room.saturating_sub(width(&name)));
        let chosen = number == screen.cursor;
        let sign = if chosen { screen.paint.signs().turn } else { " " };
        let weight = if chosen { strong() } else { Style::new() };
        lines.push(Line::from(vec![
            Span::styled(format!("{sign} {name}{gap} "), weight),
            Span::styled(facts, Style::new()),
        ]));
    }
    let free =
        screen.model.settings().map_or(0, |settings| usize::from(settings.seats)).saturating_sub(lobby.chairs.len());
    if free > 0 {
        lines.push(Line::from(Span::styled(format!("  {}", count(free, "free seat")), screen.paint.faint())));
    }
    lines
}

/// How others can join.
fn invitation(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    let told = screen.invitation().map(|link| text!["Invite others: ", Text::strong(link)]);
    told.map(|told| wrap(&told, Style::new(), columns.into(), screen.paint)).unwrap_or_default()
}

fn agreed(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    // The first lines are what is agreed, the rest is who is here.
    let people = screen.model.lobby.as_ref().map_or(0, |lobby| lobby.chairs.len());
    let told = status::people(&screen.model);
    let keep = told.len().saturating_sub(people);
    let mut texts: Vec<Text> = told.into_iter().take(keep.max(1)).collect();
    texts.extend(screen.model.edition().map(Text::from));
    texts.iter().flat_map(|text| wrap(text, Style::new(), columns.into(), screen.paint)).collect()
}
