//! The end of a round or a match: who scored what, with which cards, and the awards.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use unum_protocol::Stage;
use unum_rules::{CardName, Scoring, Seat};

use super::super::look::{Paint, strong};
use super::super::markup::{clip, width, wrap};
use super::super::state::Screen;
use super::hand::face;
use super::{boxed, panels, put};
use crate::status;
use crate::story::listed;

/// Columns of a figure.
const FIGURE: usize = 7;
/// Columns of the word that says who is ready.
const READY: usize = 6;
/// Columns of the longest name.
const NAME: usize = unum_protocol::MAX_NAME;
/// A card in a frame, with a column of air.
const CARD: (u16, u16) = (8, 5);

/// Where the cards are that players were left with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hands {
    /// In a row of their own, below the figures.
    Below,
    /// Behind the figures.
    Beside,
    /// There is no room for them.
    Nowhere,
}

/// Draws it, with the log beside it where there is room for both.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen, compact: bool) {
    if compact {
        let fits = |lines: &Vec<Line<'static>>| lines.len() <= area.height.into();
        let with_hands = Some(lines(screen, area.width, Hands::Below)).filter(fits);
        return put(frame, area, with_hands.unwrap_or_else(|| lines(screen, area.width, Hands::Nowhere)));
    }
    let [left, right] = Layout::horizontal([Constraint::Percentage(58), Constraint::Fill(1)]).areas(area);
    if large(frame, left, screen) {
        return panels::log_box(frame, right, screen);
    }
    let below = lines(screen, left.width.saturating_sub(4), Hands::Below);
    let is_roomy = below.len() <= usize::from(left.height.saturating_sub(2));
    let (place, lines) = match is_roomy {
        true => (left, below),
        false => (area, lines(screen, area.width.saturating_sub(4), Hands::Beside)),
    };
    let inside = boxed(frame, place, &title(screen), screen.paint);
    put(frame, Rect { x: inside.x + 1, width: inside.width.saturating_sub(2), ..inside }, lines);
    if is_roomy {
        panels::log_box(frame, right, screen);
    }
}

/// Draws the hands as cards in frames, on terminals with room for them; `false` where there is none.
fn large(frame: &mut Frame<'_>, area: Rect, screen: &Screen) -> bool {
    let columns = area.width.saturating_sub(4);
    let in_a_row = usize::from(columns.saturating_sub(2) / CARD.0).max(1);
    let height = |seat: Seat| screen.model.left_with(seat).len().div_ceil(in_a_row) * usize::from(CARD.1);
    let lines = lines(screen, columns, Hands::Nowhere);
    let needed = lines.len() + screen.model.standings().into_iter().map(height).sum::<usize>();
    if needed > usize::from(area.height.saturating_sub(2)) {
        return false;
    }
    let inside = boxed(frame, area, &title(screen), screen.paint);
    let mut rest = Rect { x: inside.x + 1, width: columns, ..inside };
    let head = head_lines(columns) + usize::from(status::counts(&screen.model));
    let mut seats = screen.model.standings().into_iter();
    for (number, line) in lines.into_iter().enumerate() {
        put(frame, rest, [line]);
        rest = below(rest, 1);
        if let Some(seat) = (number + 1 > head).then(|| seats.next()).flatten() {
            cards(frame, rest, screen.model.left_with(seat), in_a_row, screen.paint);
            rest = below(rest, height(seat) as u16);
        }
    }
    true
}

/// What is left of an area below its first rows.
fn below(area: Rect, rows: u16) -> Rect {
    Rect { y: area.y + rows, height: area.height.saturating_sub(rows), ..area }
}

/// Cards in frames, a column of air beside each.
fn cards(frame: &mut Frame<'_>, area: Rect, cards: &[CardName], in_a_row: usize, paint: Paint) {
    for (row, y) in cards.chunks(in_a_row).zip((area.y..).step_by(CARD.1.into())) {
        for (card, x) in row.iter().zip((area.x + 2..).step_by(CARD.0.into())) {
            let place = Rect { x, y, width: CARD.0 - 1, height: CARD.1 };
            face(frame, place.intersection(area), *card, paint.card(*card), false, paint);
        }
    }
}

/// Lines before the figures: the headline, and a gap where there is room.
fn head_lines(columns: u16) -> usize {
    if is_small(columns) { 1 } else { 2 }
}

fn is_small(columns: u16) -> bool {
    columns < 42
}

fn title(screen: &Screen) -> String {
    let round = screen.model.game.as_ref().map_or(0, |game| game.round);
    match screen.model.stage() {
        Stage::Over => "The match is over".to_owned(),
        _ => format!("Round {round} is over"),
    }
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

/// The figures as a table, the best player first, then what else there is to say.
fn lines(screen: &Screen, columns: u16, hands: Hands) -> Vec<Line<'static>> {
    let model = &screen.model;
    if model.view().is_none() {
        return Vec::new();
    }
    let small = is_small(columns);
    let counts = status::counts(model);
    let figures = if counts { 3 * FIGURE } else { 0 };
    let longest = if hands == Hands::Beside { NAME / 2 } else { NAME };
    let name_width = usize::from(columns).saturating_sub(figures + READY).min(longest);
    let mut lines = vec![Line::from(Span::styled(headline(screen), strong()))];
    if !small {
        lines.push(Line::default());
    }
    if counts {
        let head = format!("{:<name_width$}{:>FIGURE$}{:>FIGURE$}{:>FIGURE$}", "", "cards", "round", "total");
        lines.push(Line::from(Span::styled(head, screen.paint.faint())));
    }
    for seat in model.standings() {
        let mut row = row(screen, seat, name_width, counts);
        let cards = model.left_with(seat);
        let room = usize::from(columns).saturating_sub(name_width + figures + READY);
        match hands {
            Hands::Beside => {
                row.spans.push(Span::raw(" ".repeat((name_width + figures + READY).saturating_sub(row.width()))));
                row.spans.extend(one_row(cards, room, screen.paint));
                lines.push(row);
            }
            Hands::Below => {
                lines.push(row);
                let rows = chips(cards, usize::from(columns).saturating_sub(2), screen.paint);
                lines.extend(rows.into_iter().map(|row| Line::from_iter([Span::raw("  ")].into_iter().chain(row))));
            }
            Hands::Nowhere => lines.push(row),
        }
    }
    lines.extend(rest(screen, columns, small));
    lines
}

/// Name, what the cards in hand count, what the round brought, the total, whether the player is ready.
fn row(screen: &Screen, seat: Seat, name_width: usize, counts: bool) -> Line<'static> {
    let model = &screen.model;
    let place = usize::from(seat);
    let ready = model.chair(seat).is_some_and(|chair| chair.ready && chair.bot.is_none());
    let name = clip(&model.name(seat), name_width, screen.paint);
    let gap = " ".repeat(name_width - width(&name).min(name_width));
    let result = model.view().and_then(|view| view.result.as_ref());
    let points = result.and_then(|result| result.points.get(place)).filter(|points| **points > 0);
    let plus = points.map(|points| format!("+{points}")).unwrap_or_default();
    let held = Some(model.held(seat)).filter(|worth| *worth > 0);
    let held = held.map(|worth| worth.to_string()).unwrap_or_default();
    let score = model.scores().get(place).copied().unwrap_or(0);
    let figures = match counts {
        true => format!("{held:>FIGURE$}{plus:>FIGURE$}{score:>FIGURE$}"),
        false => String::new(),
    };
    let ready = if ready { " ready" } else { "" };
    let weight = if Some(seat) == model.seat() { strong() } else { Style::new() };
    Line::from(Span::styled(format!("{name}{gap}{figures}{ready}"), weight))
}

/// Cards in rows of that many columns.
fn chips(cards: &[CardName], columns: usize, paint: Paint) -> Vec<Vec<Span<'static>>> {
    let chip = |card: &CardName| [Span::styled(format!("{:^4}", paint.short(*card)), paint.card(*card)), " ".into()];
    cards.chunks((columns / 5).max(1)).map(|row| row.iter().flat_map(chip).collect()).collect()
}

/// Cards in one row, with a sign where it was cut.
fn one_row(cards: &[CardName], columns: usize, paint: Paint) -> Vec<Span<'static>> {
    let mut rows = chips(cards, columns.saturating_sub(2), paint);
    let cut = rows.len() > 1;
    let mut row = if rows.is_empty() { Vec::new() } else { rows.swap_remove(0) };
    row.extend(cut.then(|| Span::raw(paint.signs().cut)));
    row
}

/// What the match is about, and at its end the awards.
fn rest(screen: &Screen, columns: u16, small: bool) -> Vec<Line<'static>> {
    let mut texts = status::awards(&screen.model);
    if texts.is_empty() && !small {
        texts.extend(goal(screen).map(Into::into));
    }
    if texts.is_empty() {
        return Vec::new();
    }
    let set = texts.iter().flat_map(|text| wrap(text, Style::new(), columns.into(), screen.paint));
    [Line::default()].into_iter().chain(set).collect()
}
