//! A recorded game: all hands, and what happened.

use ratatui::Frame as Canvas;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::super::film::{Frame, Watching};
use super::super::look::{faint, strong};
use super::super::markup::{clip, width, wrap};
use super::{bar, boxed, is_too_small, put};

/// Draws it.
pub(crate) fn draw(canvas: &mut Canvas<'_>, watching: &Watching) {
    let area = canvas.area();
    if is_too_small(canvas, area) {
        return;
    }
    let Some(frame) = watching.frame() else { return };
    let rows = [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(1)];
    let [head, body, foot] = Layout::vertical(rows).areas(area);
    let dot = format!(" {} ", watching.paint.signs().dot);
    let last = watching.film.frames.last().map_or(0, |frame| frame.number);
    let (round, right) = (format!("round {}", frame.round), format!("move {} of {last}", frame.number));
    let left = ["unum replay", &watching.film.title, &round];
    // Where it is narrow, the round counts more than what everybody knows.
    let fits = |parts: &&[&str]| width(&parts.join(&dot)) + width(&right) + 3 <= head.width.into();
    let left = [&left[..], &left[1..]].into_iter().find(fits).unwrap_or(&left[2..]).join(&dot);
    bar(canvas, head, &left, &right, watching.paint);
    let [table, log] = halves(body);
    let inside = boxed(canvas, table, "Table", watching.paint);
    put(canvas, inside, hands(watching, frame, inside.width));
    let inside = boxed(canvas, log, "What happened", watching.paint);
    put(canvas, inside, log_lines(watching, inside));
    put(canvas, foot, [keys(watching, foot.width)]);
}

/// Side by side where there is room, else one above the other.
fn halves(body: Rect) -> [Rect; 2] {
    match body.width >= 72 {
        true => Layout::horizontal([Constraint::Percentage(58), Constraint::Fill(1)]).areas(body),
        false => Layout::vertical([Constraint::Percentage(65), Constraint::Fill(1)]).areas(body),
    }
}

fn hands(watching: &Watching, frame: &Frame, columns: u16) -> Vec<Line<'static>> {
    let paint = watching.paint;
    let signs = paint.signs();
    let mut top = vec![Span::raw("Top "), Span::styled(format!(" {} ", paint.short(frame.top)), paint.card(frame.top))];
    if let (None, Some(color)) = (frame.top.color(), frame.color) {
        top.push(Span::raw(" called "));
        top.push(Span::styled(format!(" {} ", color.as_str().to_uppercase()), paint.ground(Some(color))));
    }
    let way = if frame.to_the_left { signs.down } else { signs.up };
    top.push(Span::raw(format!("  {} to draw  {way}", frame.draw_count)));
    let mut lines = vec![Line::from(top), Line::default()];
    for (seat, name) in watching.film.names.iter().enumerate() {
        let size = frame.sizes.get(seat).copied().unwrap_or(0);
        let score = frame.scores.get(seat).copied().unwrap_or(0);
        let up = frame.turn.map(usize::from) == Some(seat);
        let facts = format!("{} {} {score} points", crate::story::count(size, "card"), signs.dot);
        let name = clip(name, usize::from(columns).saturating_sub(width(&facts) + 5), paint);
        let weight = if up { strong() } else { Style::new() };
        let sign = if up { signs.turn } else { " " };
        lines.push(Line::from(vec![Span::styled(format!("{sign} {name}  "), weight), Span::styled(facts, faint())]));
        lines.extend(chips(watching, frame.hands.get(seat).cloned().flatten().unwrap_or_default(), columns));
    }
    lines
}

/// Cards in rows.
fn chips(watching: &Watching, cards: Vec<unum_rules::CardName>, columns: u16) -> Vec<Line<'static>> {
    let in_a_row = usize::from(columns.saturating_sub(2) / 5).max(1);
    let chip = |card: &unum_rules::CardName| {
        let text = format!("{:^4}", watching.paint.short(*card));
        [Span::styled(text, watching.paint.card(*card)), Span::raw(" ")]
    };
    let line = |row: &[unum_rules::CardName]| {
        Line::from([Span::raw("  ")].into_iter().chain(row.iter().flat_map(chip)).collect::<Vec<_>>())
    };
    cards.chunks(in_a_row).map(line).collect()
}

/// What happened up to now, the last move standing out.
fn log_lines(watching: &Watching, inside: Rect) -> Vec<Line<'static>> {
    let rows = usize::from(inside.height);
    let mut lines: Vec<Line<'static>> = Vec::new();
    for (number, frame) in watching.film.frames.iter().enumerate().take(watching.at + 1).rev() {
        let style = if number == watching.at { strong() } else { Style::new() };
        let told = frame.told.iter().flat_map(|text| wrap(text, style, inside.width.into(), watching.paint));
        let mut told: Vec<Line<'static>> = told.collect();
        told.append(&mut lines);
        lines = told;
        if lines.len() >= rows {
            break;
        }
    }
    lines.split_off(lines.len().saturating_sub(rows))
}

fn keys(watching: &Watching, columns: u16) -> Line<'static> {
    let arrows = if watching.paint.symbols { ["← →", "↑ ↓"] } else { ["left/right", "up/down"] };
    let all = [(arrows[0], "move"), (arrows[1], "ten"), ("PgUp PgDn", "round"), ("Home End", "ends"), ("q", "leave")];
    let wide = |key: &str, does: &str| width(key) + width(does) + 5;
    let mut spans = Vec::new();
    // How to leave is always to be seen.
    let mut used = wide("q", "leave");
    for (key, does) in all {
        if used + wide(key, does) > columns.into() && key != "q" {
            continue;
        }
        used += wide(key, does);
        spans.push(Span::styled(format!(" {key} "), watching.paint.alert()));
        spans.push(Span::raw(format!(" {does}  ")));
    }
    Line::from(spans)
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::super::film::tests::watching;
    use super::*;

    #[test]
    fn a_film_is_shown_at_every_size() {
        let mut watching = watching();
        watching.at = 7;
        for (columns, rows) in [(40, 12), (80, 24), (200, 60)] {
            let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
            terminal.draw(|canvas| draw(canvas, &watching)).unwrap();
            let text: String = terminal.backend().buffer().content.iter().map(|cell| cell.symbol()).collect();
            for words in ["round 2", "move 7 of 14", "R7", "W+4", "Move 7 is made.", "leave"] {
                assert!(text.contains(words), "{words} at {columns}x{rows}");
            }
            assert!(!text.contains("Move 8"));
        }
    }
}
