//! The end of a round or a match: who scored what.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unum_protocol::Stage;
use unum_rules::{Scoring, Seat};

use super::super::look::strong;
use super::super::markup::{clip, width, wrap};
use super::super::state::Screen;
use super::{boxed, panels, put};
use crate::story::listed;

/// Draws it, with the log beside it where there is room.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen, compact: bool) {
    let model = &screen.model;
    if compact {
        put(frame, area, lines(screen, area.width));
        return;
    }
    let round = model.game.as_ref().map_or(0, |game| game.round);
    let title = match model.stage() {
        Stage::Over => "The match is over".to_owned(),
        _ => format!("Round {round} is over"),
    };
    let [left, right] = Layout::horizontal([Constraint::Percentage(58), Constraint::Fill(1)]).areas(area);
    let inside = boxed(frame, left, &title, screen.paint);
    let inside = Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside };
    put(frame, inside, lines(screen, inside.width));
    panels::log_box(frame, right, screen);
}

fn headline(screen: &Screen) -> String {
    let model = &screen.model;
    let name = |seat: Seat| if Some(seat) == model.seat() { "You".to_owned() } else { model.name(seat) };
    let verb = |seat: Option<Seat>| if seat == model.seat() && seat.is_some() { "win" } else { "wins" };
    let view = model.view();
    if let Some(winners) = view.and_then(|view| view.winners.as_ref()) {
        let names: Vec<String> = winners.iter().map(|seat| name(*seat)).collect();
        return match winners.as_slice() {
            [only] => format!("{} {} the match.", name(*only), verb(Some(*only))),
            _ => format!("{} share the match.", listed(&names)),
        };
    }
    match view.and_then(|view| view.result.as_ref()).map(|result| result.winner) {
        Some(Some(seat)) => format!("{} {} the round.", name(seat), verb(Some(seat))),
        Some(None) => "Nobody wins the round.".to_owned(),
        None => "The round is over.".to_owned(),
    }
}

fn goal(screen: &Screen) -> Option<String> {
    Some(match screen.model.rules()?.scoring {
        Scoring::FirstTo(target) => format!("The first player to reach {target} points wins the match."),
        Scoring::LowestAt(target) => format!("When somebody has {target} points, the lowest score wins the match."),
        Scoring::SingleRound => "One round is a match.".to_owned(),
    })
}

fn lines(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    let model = &screen.model;
    let Some(view) = model.view() else { return Vec::new() };
    let small = columns < 42;
    let name_width = usize::from(columns).saturating_sub(22).min(30);
    let mut lines = vec![Line::from(Span::styled(headline(screen), strong()))];
    if !small {
        lines.push(Line::default());
    }
    let head = format!("{:<name_width$}{:>8}{:>8}", "", "round", "total");
    lines.push(Line::from(Span::styled(head, screen.paint.faint())));
    let points = view.result.as_ref().map(|result| result.points.as_slice()).unwrap_or_default();
    let mut seats: Vec<usize> = (0..view.scores.len()).collect();
    let lowest = matches!(model.rules().map(|rules| rules.scoring), Some(Scoring::LowestAt(_)));
    seats.sort_by_key(|seat| if lowest { i64::from(view.scores[*seat]) } else { -i64::from(view.scores[*seat]) });
    for seat in seats {
        let chair = model.lobby.as_ref().and_then(|lobby| lobby.chairs.get(seat));
        let ready = chair.is_some_and(|chair| chair.ready && chair.bot.is_none());
        let name = clip(&model.name(seat as Seat), name_width, screen.paint);
        let gap = " ".repeat(name_width - width(&name).min(name_width));
        let plus =
            points.get(seat).filter(|points| **points > 0).map(|points| format!("+{points}")).unwrap_or_default();
        let weight = if Some(seat as Seat) == model.seat() { strong() } else { Style::new() };
        let ready = if ready { " ready" } else { "" };
        let text = format!("{name}{gap}{plus:>8}{:>8}{ready}", view.scores[seat]);
        lines.push(Line::from(Span::styled(text, weight)));
    }
    if !small {
        lines.push(Line::default());
        let goal = goal(screen).unwrap_or_default().into();
        lines.extend(wrap(&goal, Style::new(), columns.into(), screen.paint));
    }
    lines
}
