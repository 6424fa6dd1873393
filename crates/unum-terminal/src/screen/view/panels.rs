//! The table: players, piles, what happened.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear};
use unum_rules::wire::ViewForm;
use unum_rules::{Direction, Seat};

use super::super::look::strong;
use super::super::markup::{clip, width, wrap};
use super::super::state::Screen;
use super::hand::face;
use super::{boxed, put};
use crate::model::Tone;
use crate::status;
use crate::story::{count, foreign};
use crate::text::{Text, text};

/// Columns for the backs of a player's cards, where there is room.
const BAR: usize = 12;

/// The table in boxes side by side.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    let [players, table, log] = columns(area);
    let [players, more] = below_players(players, screen);
    let way = screen.model.view().map(|view| direction(view, screen)).unwrap_or_default();
    let inside = boxed(frame, players, &format!("Players {way}"), screen.paint);
    put(frame, inside, player_lines(screen, inside.width, inside.height));
    piles(frame, table, screen);
    log_box(frame, log, screen);
    if more.height > 0 {
        let inside = boxed(frame, more, "The game", screen.paint);
        put(frame, inside, facts(screen, inside.width));
    }
}

/// The box of the players, and one below it on terminals that have the room.
fn below_players(area: Rect, screen: &Screen) -> [Rect; 2] {
    let players = screen.model.view().map_or(0, |view| u16::from(view.players));
    let notes = notes(screen, area.width.saturating_sub(2)).len() as u16;
    let needed = players + 3 + notes;
    let facts = facts(screen, area.width.saturating_sub(2)).len() as u16 + 2;
    match area.height >= needed + facts {
        true => Layout::vertical([Constraint::Fill(1), Constraint::Length(facts)]).areas(area),
        false => [area, Rect { height: 0, ..area }],
    }
}

fn columns(area: Rect) -> [Rect; 3] {
    let widths = match area.width {
        ..100 => [Constraint::Length(29), Constraint::Length(21), Constraint::Fill(1)],
        100..120 => [Constraint::Length(44), Constraint::Length(28), Constraint::Fill(1)],
        120..150 => [Constraint::Length(46), Constraint::Length(30), Constraint::Fill(1)],
        _ => [Constraint::Length(60), Constraint::Length(40), Constraint::Fill(1)],
    };
    Layout::horizontal(widths).areas(area)
}

fn direction(view: &ViewForm, screen: &Screen) -> &'static str {
    let signs = screen.paint.signs();
    if view.direction == Direction::Left { signs.down } else { signs.up }
}

/// What to know about a player, apart from the number of cards.
fn flag(seat: Seat, view: &ViewForm, screen: &Screen) -> (&'static str, Style) {
    let chair = screen.model.lobby.as_ref().and_then(|lobby| lobby.chairs.get(usize::from(seat)));
    let size = view.hand_sizes.get(usize::from(seat)).copied().unwrap_or(0);
    let away = chair.is_some_and(|chair| chair.away.is_some() || chair.person.is_some() && chair.bot.is_some());
    if view.liable.contains(&seat) {
        ("UNO?", screen.paint.alert())
    } else if size == 1 {
        ("UNO!", strong())
    } else if away {
        ("away", screen.paint.faint())
    } else {
        ("", Style::new())
    }
}

/// All players, one a line, in the order of the seats.
fn player_lines(screen: &Screen, columns: u16, rows: u16) -> Vec<Line<'static>> {
    let Some(view) = screen.model.view() else { return Vec::new() };
    let awaited = screen.model.awaited();
    let bar = if columns >= 36 { BAR } else { 0 };
    // A space between the name and the backs, if there are any.
    let name_width = usize::from(columns).saturating_sub(2 + bar + 1 + 5 + 6 + 6);
    let head = format!("  {:<name_width$} {:>bar$}{:>5}{:>6}{:>6}", "", "", "", "cards", "score");
    let mut lines = vec![Line::from(Span::styled(head, screen.paint.faint()))];
    for (seat, size) in (0..).zip(&view.hand_sizes) {
        let up = awaited.contains(&seat);
        let sign = if up { screen.paint.signs().turn } else { " " };
        let name = clip(&screen.model.name(seat), name_width, screen.paint);
        let gap = " ".repeat(name_width - width(&name).min(name_width));
        let (flag, style) = flag(seat, view, screen);
        let score = view.scores.get(usize::from(seat)).copied().unwrap_or(0);
        let weight = if Some(seat) == screen.model.seat() || up { strong() } else { Style::new() };
        lines.push(Line::from(vec![
            Span::styled(format!("{sign} {name}{gap} "), weight),
            Span::raw(format!("{:<bar$} ", backs(*size, bar, screen))),
            Span::styled(format!("{flag:>4}"), style),
            Span::styled(format!("{size:>6}{score:>6}"), weight),
        ]));
    }
    let spare = usize::from(rows).saturating_sub(lines.len());
    lines.extend(notes(screen, columns).into_iter().take(spare));
    lines
}

/// The backs of somebody's cards, as many as fit.
fn backs(size: u8, columns: usize, screen: &Screen) -> String {
    let size = usize::from(size);
    let back = if screen.paint.symbols { "▮" } else { "|" };
    let cut = if size > columns && columns > 0 { screen.paint.signs().cut } else { "" };
    format!("{}{cut}", back.repeat(size.min(columns.saturating_sub(cut.len().min(1)))))
}

/// Notes on players and open hands, which the custom edition knows.
fn notes(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    let Some(view) = screen.model.view() else { return Vec::new() };
    let mut texts: Vec<Text> = Vec::new();
    for banner in &view.banners {
        texts.push(format!("{}: \"{}\"", screen.model.name(banner.seat), foreign(&banner.text)).into());
    }
    for (seat, cards) in &view.shown {
        texts.push(text![screen.model.name(*seat), " shows ", screen.model.cards(cards), "."]);
    }
    for more in &view.draw_more {
        texts.push(format!("If stuck, {} draws {}.", screen.model.name(more.seat), more.count).into());
    }
    texts.iter().flat_map(|text| wrap(text, Style::new(), columns.into(), screen.paint)).collect()
}

/// Where the two piles are, in the box of the table: the draw pile, then the discard pile.
fn pile_places(inside: Rect) -> (Rect, Rect) {
    let (wide, high) = if inside.width >= 38 && inside.height >= 18 {
        (18, 12)
    } else if inside.width >= 28 && inside.height >= 12 {
        (12, 8)
    } else if inside.width >= 24 && inside.height >= 11 {
        (11, 7)
    } else {
        (7, 5)
    };
    let left = inside.x + inside.width.saturating_sub(2 * wide + 2) / 2;
    let top = inside.y + inside.height.saturating_sub(high + 4) / 2;
    let stock = Rect { x: left, y: top + 1, width: wide, height: high }.intersection(inside);
    let pile = Rect { x: left + wide + 2, ..stock }.intersection(inside);
    (stock, pile)
}

/// The draw pile, on a screen that is not small.
pub(crate) fn draw_pile(body: Rect) -> Rect {
    let table = columns(body)[1];
    pile_places(Block::bordered().inner(table)).0
}

/// The two piles, and what is called.
fn piles(frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    let inside = boxed(frame, area, "Table", screen.paint);
    let Some(view) = screen.model.view() else { return };
    let (stock, pile) = pile_places(inside);
    let (top, high) = (stock.y.saturating_sub(1), stock.height);
    let label = |frame: &mut Frame<'_>, place: Rect, text: &str| {
        let row = Rect { y: top, height: 1, ..place }.intersection(inside);
        frame.render_widget(Line::from(Span::styled(text.to_owned(), screen.paint.faint())).centered(), row);
    };
    label(frame, stock, "draw");
    label(frame, pile, "top");
    frame.render_widget(Clear, stock);
    let block = Block::bordered().border_set(screen.paint.border());
    let middle = block.inner(stock);
    frame.render_widget(block, stock);
    let middle = Rect { y: middle.y + middle.height / 2, height: 1, ..middle }.intersection(inside);
    frame.render_widget(Line::from(Span::styled(view.draw_count.to_string(), strong())).centered(), middle);
    face(frame, pile, view.top, screen.paint.card(view.top), false, screen.paint);
    // A row of air, where there is one.
    let gap = u16::from(inside.height > high + 3);
    let from = top + high + 1 + gap;
    let below = Rect { y: from, height: inside.bottom().saturating_sub(from), ..inside }.intersection(inside);
    put(frame, below, below_piles(screen, view));
}

fn below_piles(screen: &Screen, view: &ViewForm) -> Vec<Line<'static>> {
    let called = match view.color {
        Some(color) => {
            let chip = Span::styled(format!(" {} ", color.as_str().to_uppercase()), screen.paint.ground(Some(color)));
            Line::from(vec![Span::raw("color "), chip])
        }
        None => Line::from("no color called yet"),
    };
    let way = if view.direction == Direction::Left { "left" } else { "right" };
    let way = format!("play goes {way} {}", direction(view, screen));
    let mut lines = vec![called.centered(), Line::from(way).centered()];
    if let Some((left, of)) = screen.model.clock() {
        let text = format!("{} of {} s", left.as_secs(), of.as_secs());
        let style = if left.as_secs() <= 5 { screen.paint.alert() } else { strong() };
        lines.push(Line::from(Span::styled(text, style)).centered());
    }
    lines
}

/// The log, wrapped; refusals are shown where they are needed.
fn log_lines(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    let style = |tone| match tone {
        Tone::Alert | Tone::Result => strong(),
        Tone::People | Tone::Notice => Style::new().add_modifier(Modifier::ITALIC),
        Tone::Plain | Tone::Talk | Tone::Refused => Style::new(),
    };
    let told = screen.model.log.iter().filter(|line| line.tone != Tone::Refused);
    told.flat_map(|line| wrap(&line.text, style(line.tone), columns.into(), screen.paint)).collect()
}

fn log_tail(screen: &Screen, columns: u16, rows: u16) -> Vec<Line<'static>> {
    let mut lines = log_lines(screen, columns);
    let back = screen.back.min(lines.len().saturating_sub(rows.into()));
    lines.truncate(lines.len() - back);
    lines.split_off(lines.len().saturating_sub(rows.into()))
}

fn log_inside(area: Rect) -> Rect {
    let log = columns(area)[2];
    Rect { width: log.width.saturating_sub(2), height: log.height.saturating_sub(2), ..log }
}

/// How many lines of the log are visible, and how many there are.
pub(crate) fn log_extent(screen: &Screen, body: Rect, compact: bool) -> (usize, usize) {
    let inside = if compact { body } else { log_inside(body) };
    (inside.height.into(), log_lines(screen, inside.width).len())
}

/// The log in a box.
pub(crate) fn log_box(frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    let title = if screen.back > 0 { "Log, scrolled back" } else { "Log" };
    let inside = boxed(frame, area, title, screen.paint);
    put(frame, inside, log_tail(screen, inside.width, inside.height));
}

/// What is played and agreed, where there is room for it.
fn facts(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    let mut texts = status::people(&screen.model);
    texts.push(Text::default());
    texts.extend(screen.model.edition().map(Text::from));
    if let Some(view) = screen.model.view() {
        texts.push(Text::default());
        texts.push(format!("{} on the discard pile.", count(view.discard_pile.len(), "card")).into());
    }
    texts.iter().flat_map(|text| wrap(text, Style::new(), columns.into(), screen.paint)).collect()
}

/// The table on a small screen: the top card, then players in a row, then as much of the log as fits.
pub(crate) fn compact(frame: &mut Frame<'_>, area: Rect, screen: &Screen) {
    let Some(view) = screen.model.view() else { return };
    let short = format!(" {} ", screen.paint.short(view.top));
    let mut top = vec![Span::raw("Top "), Span::styled(short, screen.paint.card(view.top))];
    if let Some(color) = view.color.filter(|_| view.top.color().is_none()) {
        top.push(Span::raw(" called "));
        top.push(Span::styled(format!(" {} ", color.as_str().to_uppercase()), screen.paint.ground(Some(color))));
    }
    top.push(Span::raw(format!("  {} to draw  {}", view.draw_count, direction(view, screen))));
    let mut lines = vec![Line::from(top)];
    let room = usize::from(area.height).saturating_sub(1);
    lines.extend(player_rows(screen, view, area.width).into_iter().take(room));
    let used = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let rest = area.height.saturating_sub(used);
    lines.extend(log_tail(screen, area.width, rest));
    put(frame, area, lines);
}

/// Rows that the top card and all players take on a small screen.
pub(crate) fn compact_height(screen: &Screen, columns: u16) -> u16 {
    let players = screen.model.view().map_or(0, |view| player_rows(screen, view, columns).len());
    u16::try_from(players + 1).unwrap_or(u16::MAX)
}

/// Players one after the other, as many in a row as fit.
fn player_rows(screen: &Screen, view: &ViewForm, columns: u16) -> Vec<Line<'static>> {
    let awaited = screen.model.awaited();
    let longest = match view.players {
        ..5 => 12,
        5..7 => 8,
        _ => 5,
    };
    let mut rows: Vec<Vec<Span<'static>>> = vec![Vec::new()];
    let mut used = 0;
    for (seat, size) in (0..).zip(&view.hand_sizes) {
        let sign = if awaited.contains(&seat) { screen.paint.signs().turn } else { " " };
        let name = clip(&screen.model.name(seat), longest, screen.paint);
        let (flag, style) = flag(seat, view, screen);
        let weight = if awaited.contains(&seat) { strong() } else { Style::new() };
        let flag = if flag.is_empty() { String::new() } else { format!(" {flag}") };
        let text = format!("{sign}{name} {size}");
        let wide = width(&text) + flag.len() + 1;
        if used > 0 && used + wide > columns.into() {
            rows.push(Vec::new());
            used = 0;
        }
        let Some(row) = rows.last_mut() else { continue };
        row.push(Span::styled(text, weight));
        row.push(Span::styled(flag, style));
        row.push(Span::raw(" "));
        used += wide;
    }
    rows.into_iter().map(Line::from).collect()
}
