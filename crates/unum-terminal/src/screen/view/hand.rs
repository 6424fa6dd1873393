//! The player's own cards: large where there is room, small elsewhere.

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear};
use unum_rules::CardName;

use super::super::draft::Question;
use super::super::look::{Paint, strong};
use super::super::state::Screen;
use super::{boxed, glyphs};
use crate::story::count;

/// A small card: what marks it, a bracket, three letters, a bracket.
const SMALL: (u16, u16) = (6, 1);
/// Larger cards, each with the line below it, the largest first.
const LARGE: [(u16, u16); 4] = [(19, 13), (13, 9), (8, 6), (6, 4)];
/// The least height of a terminal with the largest ones.
const TALL: u16 = 50;
/// Rows that the table above the hand needs: the piles, or the players with a heading, and a frame.
const TABLE: u16 = 10;

/// Rows inside the box, on a terminal of that size. They depend only on the terminal and the players, so nothing moves
/// when the hand grows.
pub(crate) fn height(screen: &Screen, area: Rect) -> u16 {
    let players = screen.model.view().map_or(0, |view| u16::from(view.players));
    let rest = area.height.saturating_sub(1 + super::foot::HEIGHT + 2 + TABLE.max(players + 3));
    let most = rest.min(area.height * 2 / 5);
    let mut sizes = LARGE.iter().map(|size| size.1).skip(usize::from(area.height < TALL));
    sizes.find(|high| *high <= most).unwrap_or(most.clamp(1, 3))
}

/// Rows of small cards on a terminal of that width.
pub(crate) fn rows(screen: &Screen, width: u16) -> u16 {
    let columns = usize::from((width / SMALL.0).max(1));
    u16::try_from(screen.model.hand().len().div_ceil(columns)).unwrap_or(u16::MAX)
}

fn inner(area: Rect, compact: bool) -> Rect {
    if compact {
        area
    } else {
        Rect {
            x: area.x + 1,
            y: area.y + 1,
            width: area.width.saturating_sub(2),
            height: area.height.saturating_sub(2),
        }
    }
}

/// The largest size at which all cards fit, and how many of them make a row.
fn fit(area: Rect, cards: usize) -> ((u16, u16), usize) {
    let columns = |size: &(u16, u16)| usize::from(area.width / size.0);
    let fits = |size: &&(u16, u16)| cards <= columns(size) * usize::from(area.height / size.1);
    match LARGE.iter().find(fits) {
        Some(size) => (*size, columns(size)),
        None => (SMALL, columns(&SMALL).max(1)),
    }
}

/// How many cards are in a row.
pub(crate) fn columns(screen: &Screen, area: Rect, compact: bool) -> usize {
    fit(inner(area, compact), screen.model.hand().len()).1
}

/// The visible cards, each with its place on the screen.
pub(crate) fn cells(screen: &Screen, area: Rect, compact: bool) -> Vec<(usize, Rect)> {
    let area = inner(area, compact);
    let cards = screen.model.hand().len();
    let ((wide, high), columns) = fit(area, cards);
    let rows = usize::from(area.height / high);
    let first = (screen.cursor / columns + 1).saturating_sub(rows);
    let place = |number: usize| {
        let (row, column) = (number / columns, number % columns);
        let (row, column) = (u16::try_from(row.checked_sub(first)?).ok()?, u16::try_from(column).ok()?);
        let cell = Rect { x: area.x + column * wide, y: area.y + row * high, width: wide, height: high };
        (usize::from(row) < rows).then_some((number, cell))
    };
    (0..cards).filter_map(place).collect()
}

/// Draws the hand.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen, compact: bool) {
    let hand = screen.model.hand();
    if area.height == 0 || hand.is_empty() {
        return;
    }
    let cells = cells(screen, area, compact);
    if !compact {
        let part = if cells.len() < hand.len() {
            let (first, last) = (cells.first().map_or(0, |cell| cell.0 + 1), cells.last().map_or(0, |cell| cell.0 + 1));
            format!(", showing {first} to {last}")
        } else {
            String::new()
        };
        boxed(frame, area, &format!("Your hand: {}{part}", count(hand.len(), "card")), screen.paint);
    }
    let playable = screen.model.playable();
    let marking = matches!(screen.question(), Question::Mark(..));
    for (number, cell) in cells {
        let card = hand[number];
        let place = playable.iter().position(|other| *other == card);
        let sign = match (marking, place) {
            (true, _) if screen.marks.contains(&number) => screen.paint.signs().mark.to_owned(),
            (true, _) => " ".to_owned(),
            (false, Some(place @ 0..=8)) => (place + 1).to_string(),
            (false, Some(9)) => "0".to_owned(),
            (false, Some(_)) => "+".to_owned(),
            (false, None) => " ".to_owned(),
        };
        let look = CardLook {
            card,
            sign,
            selected: number == screen.cursor,
            dim: screen.model.is_my_turn() && !marking && place.is_none(),
        };
        if cell.height == SMALL.1 {
            small(frame, cell, &look, screen.paint)
        } else {
            large(frame, cell, &look, screen.paint)
        }
    }
}

struct CardLook {
    card: CardName,
    sign: String,
    selected: bool,
    dim: bool,
}

fn ground(look: &CardLook, paint: Paint) -> Style {
    let style = paint.card(look.card);
    if look.dim { style.remove_modifier(Modifier::BOLD).add_modifier(Modifier::DIM) } else { style }
}

fn small(frame: &mut Frame<'_>, cell: Rect, look: &CardLook, paint: Paint) {
    let bracket = if look.selected { paint.alert() } else { Style::new() };
    let (open, close) = if look.selected { ("[", "]") } else { (" ", " ") };
    let line = Line::from(vec![
        Span::styled(look.sign.clone(), strong()),
        Span::styled(open, bracket),
        Span::styled(format!("{:^3}", paint.short(look.card)), ground(look, paint)),
        Span::styled(close, bracket),
    ]);
    frame.render_widget(line, cell);
}

fn large(frame: &mut Frame<'_>, cell: Rect, look: &CardLook, paint: Paint) {
    let card = Rect { width: cell.width - 1, height: cell.height - 1, ..cell };
    face(frame, card, look.card, ground(look, paint), look.selected, paint);
    let label = match (look.selected, look.sign.as_str()) {
        (true, sign) => Span::styled(format!(" [{sign}] "), paint.alert()),
        (false, " ") => Span::styled(String::new(), paint.faint()),
        (false, sign) => Span::styled(sign.to_owned(), strong()),
    };
    let below = Rect { y: cell.y + card.height, height: 1, width: card.width, ..cell };
    frame.render_widget(Line::from(label).centered(), below);
}

/// A card in a frame: its name in two corners, its face in the middle, as large as there is room for.
pub(crate) fn face(frame: &mut Frame<'_>, area: Rect, card: CardName, style: Style, selected: bool, paint: Paint) {
    let border = if selected { paint.strong_border() } else { paint.border() };
    frame.render_widget(Clear, area);
    let block = Block::bordered().border_set(border).style(style);
    let inside = block.inner(area);
    frame.render_widget(block, area);
    let letter = card.as_str().get(..1).unwrap_or_default();
    let row = |offset: u16| Rect { y: inside.y + offset, height: 1, ..inside };
    if inside.height >= 3 {
        frame.render_widget(Line::from(Span::styled(letter, style)), row(0));
        frame.render_widget(Line::from(Span::styled(letter, style)).right_aligned(), row(inside.height - 1));
    }
    let middle = if inside.height >= 3 { paint.face(card) } else { paint.short(card) };
    let scale = if inside.height >= 10 { 2 } else { 1 };
    let large = glyphs::large(&middle, scale).filter(|_| paint.symbols && inside.height >= 6);
    let lines = large.unwrap_or_else(|| vec![middle]);
    let top = (usize::from(inside.height).saturating_sub(lines.len())).div_ceil(2);
    for (line, offset) in lines.into_iter().zip(top..) {
        let Ok(offset) = u16::try_from(offset) else { return };
        frame.render_widget(Line::from(Span::styled(line, style)).centered(), row(offset).intersection(inside));
    }
}
