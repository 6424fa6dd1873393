//! A recorded game: all hands, and what happened.

use ratatui::Frame as Canvas;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use unum_rules::CardName;

use super::super::film::{Frame, Watching};
use super::super::look::strong;
use super::super::markup::{clip, width, wrap};
use super::hand::face;
use super::{bar, boxed, is_too_small, put};
use crate::story::count;

/// Columns for a name on a small screen.
const NAME: u16 = 6;
/// Cards with a column of air beside each, the largest first.
const SIZES: [(u16, u16); 3] = [(13, 8), (8, 5), (6, 3)];

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
    // Where it is narrow, the round matters more than the name of the program.
    let fits = |parts: &&[&str]| width(&parts.join(&dot)) + width(&right) + 3 <= head.width.into();
    let left = [&left[..], &left[1..]].into_iter().find(fits).unwrap_or(&left[2..]).join(&dot);
    bar(canvas, head, &left, &right, watching.paint);
    if body.width < 72 {
        small(canvas, body, watching, frame);
    } else {
        let [table, log] = Layout::horizontal([Constraint::Percentage(58), Constraint::Fill(1)]).areas(body);
        let inside = boxed(canvas, table, "Table", watching.paint);
        match size(watching, frame, inside) {
            Some(size) => large(canvas, inside, watching, frame, size),
            None => put(canvas, inside, hands(watching, frame, inside.width)),
        }
        let title = if watching.reviewing { "Review" } else { "What happened" };
        let inside = boxed(canvas, log, title, watching.paint);
        put(canvas, inside, side_lines(watching, frame, inside));
    }
    put(canvas, foot, [keys(watching, foot.width)]);
}

/// The visible cards of a seat.
fn cards(frame: &Frame, seat: usize) -> &[CardName] {
    frame.hands.get(seat).and_then(Option::as_deref).unwrap_or_default()
}

/// On a small screen: each hand behind its name, then as much of the log as fits. The player whose turn it is stays
/// in sight.
fn small(canvas: &mut Canvas<'_>, body: Rect, watching: &Watching, frame: &Frame) {
    let paint = watching.paint;
    let in_a_row = usize::from(body.width.saturating_sub(NAME + 2) / 4).max(1);
    let (mut lines, mut turn) = (Vec::new(), 0..0);
    for (seat, name) in watching.film.names.iter().enumerate() {
        let up = frame.turn.map(usize::from) == Some(seat);
        let from = lines.len();
        let name = clip(name, NAME.into(), paint);
        let gap = " ".repeat(usize::from(NAME).saturating_sub(width(&name)));
        let sign = if up { paint.signs().turn } else { " " };
        let weight = if up { strong() } else { Style::new() };
        let mut start = Span::styled(format!("{sign}{name}{gap} "), weight);
        let mut rest = cards(frame, seat).chunks(in_a_row);
        let mut row = rest.next();
        loop {
            let chip =
                |card: &CardName| [Span::styled(format!("{:^3}", paint.short(*card)), paint.card(*card)), " ".into()];
            lines.push(Line::from_iter([start].into_iter().chain(row.unwrap_or_default().iter().flat_map(chip))));
            start = Span::raw(" ".repeat(usize::from(NAME + 2)));
            row = rest.next();
            if row.is_none() {
                break;
            }
        }
        if frame.hands.get(seat).is_some_and(Option::is_none) {
            let size = frame.sizes.get(seat).copied().unwrap_or(0);
            lines.last_mut().into_iter().for_each(|line| line.push_span(count(size, "card")));
        }
        if up {
            turn = from..lines.len();
        }
    }
    // The top card, and at least two rows of the log.
    let room = usize::from(body.height).saturating_sub(3).max(1);
    let hidden = turn.end.saturating_sub(room).min(turn.start);
    let shown = lines.len().saturating_sub(hidden).min(room);
    let rows = [Constraint::Length(1), Constraint::Length(shown as u16), Constraint::Fill(1)];
    let [top, players, log] = Layout::vertical(rows).areas(body);
    put(canvas, top, [top_line(watching, frame)]);
    put(canvas, players, lines.into_iter().skip(hidden));
    put(canvas, log, side_lines(watching, frame, log));
}

/// The largest cards, each with a column of air, at which the hands fit during the whole round, so that nothing jumps.
fn size(watching: &Watching, frame: &Frame, inside: Rect) -> Option<(u16, u16)> {
    let seats = watching.film.names.len();
    let needed = |frame: &Frame, (wide, high): (u16, u16)| {
        let in_a_row = usize::from(inside.width.saturating_sub(2) / wide).max(1);
        let hands = (0..seats).map(|seat| cards(frame, seat).len().div_ceil(in_a_row) * usize::from(high) + 1);
        2 + hands.sum::<usize>()
    };
    let round = || watching.film.frames.iter().filter(|other| other.round == frame.round);
    let fits = |size: &(u16, u16)| round().all(|frame| needed(frame, *size) <= inside.height.into());
    SIZES.into_iter().find(fits)
}

/// The hands as cards in frames.
fn large(canvas: &mut Canvas<'_>, inside: Rect, watching: &Watching, frame: &Frame, (wide, high): (u16, u16)) {
    let paint = watching.paint;
    put(canvas, inside, [top_line(watching, frame)]);
    let in_a_row = usize::from(inside.width.saturating_sub(2) / wide).max(1);
    let mut y = inside.y + 2;
    for seat in 0..watching.film.names.len() {
        let heading = Rect { y, height: 1, ..inside }.intersection(inside);
        put(canvas, heading, [heading_line(watching, frame, seat, inside.width)]);
        y += 1;
        for row in cards(frame, seat).chunks(in_a_row) {
            for (card, column) in row.iter().zip(0..) {
                let area = Rect { x: inside.x + 2 + column * wide, y, width: wide - 1, height: high };
                face(canvas, area.intersection(inside), *card, paint.card(*card), false, paint);
            }
            y += high;
        }
    }
}

/// What lies on top, what is called, which way play goes.
fn top_line(watching: &Watching, frame: &Frame) -> Line<'static> {
    let paint = watching.paint;
    let mut top = vec![Span::raw("Top "), Span::styled(format!(" {} ", paint.short(frame.top)), paint.card(frame.top))];
    if let (None, Some(color)) = (frame.top.color(), frame.color) {
        top.push(Span::raw(" called "));
        top.push(Span::styled(format!(" {} ", color.as_str().to_uppercase()), paint.ground(Some(color))));
    }
    let way = if frame.to_the_left { paint.signs().down } else { paint.signs().up };
    top.push(Span::raw(format!("  {} to draw  {way}", frame.draw_count)));
    Line::from(top)
}

/// A player: the name, how many cards, how many points.
fn heading_line(watching: &Watching, frame: &Frame, seat: usize, columns: u16) -> Line<'static> {
    let (paint, signs) = (watching.paint, watching.paint.signs());
    let size = frame.sizes.get(seat).copied().unwrap_or(0);
    let score = frame.scores.get(seat).copied().unwrap_or(0) as usize;
    let up = frame.turn.map(usize::from) == Some(seat);
    let facts = format!("{} {} {}", count(size, "card"), signs.dot, count(score, "point"));
    let name = watching.film.names.get(seat).map_or("", String::as_str);
    let name = clip(name, usize::from(columns).saturating_sub(width(&facts) + 5), paint);
    let weight = if up { strong() } else { Style::new() };
    let sign = if up { signs.turn } else { " " };
    Line::from(vec![Span::styled(format!("{sign} {name}  "), weight), Span::styled(facts, paint.faint())])
}

fn hands(watching: &Watching, frame: &Frame, columns: u16) -> Vec<Line<'static>> {
    let mut lines = vec![top_line(watching, frame), Line::default()];
    for seat in 0..watching.film.names.len() {
        lines.push(heading_line(watching, frame, seat, columns));
        lines.extend(chips(watching, cards(frame, seat), columns));
    }
    lines
}

/// Cards in rows.
fn chips(watching: &Watching, cards: &[CardName], columns: u16) -> Vec<Line<'static>> {
    let in_a_row = usize::from(columns.saturating_sub(2) / 5).max(1);
    let chip = |card: &CardName| {
        let text = format!("{:^4}", watching.paint.short(*card));
        [Span::styled(text, watching.paint.card(*card)), Span::raw(" ")]
    };
    let line = |row: &[CardName]| {
        Line::from([Span::raw("  ")].into_iter().chain(row.iter().flat_map(chip)).collect::<Vec<_>>())
    };
    cards.chunks(in_a_row).map(line).collect()
}

/// What is told beside the hands.
fn side_lines(watching: &Watching, frame: &Frame, inside: Rect) -> Vec<Line<'static>> {
    if watching.reviewing { review_lines(watching, frame, inside) } else { log_lines(watching, inside) }
}

/// Heights of a column of the picture, and what stands for them where there are no symbols.
const BLOCKS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const PLAIN: [char; 8] = ['0', '1', '2', '3', '4', '5', '6', '7'];

/// The mistake that comes next, if one does; everybody's chances in this round; what luck and play did.
fn review_lines(watching: &Watching, frame: &Frame, inside: Rect) -> Vec<Line<'static>> {
    let (notes, paint, columns) = (&watching.notes, watching.paint, usize::from(inside.width));
    if notes.chances.is_empty() {
        let words =
            if notes.is_done { "No round of this game is over: there is nothing to review." } else { "Thinking…" };
        return wrap(&words.into(), Style::new(), columns, paint);
    }
    let mut lines = Vec::new();
    if let Some(moment) = watching.moment() {
        lines.extend(wrap(&moment.text.clone().into(), strong(), columns, paint));
    }
    if inside.height > 6 || lines.is_empty() {
        lines.extend((0..watching.film.names.len()).map(|seat| chance_line(watching, frame, seat, columns)));
    }
    let clear = notes.moments.len();
    let words = match (notes.is_done, clear) {
        (false, _) => "Thinking…".to_owned(),
        (true, 0) => "No choice was clearly a mistake.".to_owned(),
        (true, _) => format!("{}: Tab goes to the next.", count(clear, "clear mistake")),
    };
    lines.extend(wrap(&words.into(), paint.faint(), columns, paint));
    for sentence in &notes.sentences {
        lines.extend(wrap(&sentence.clone().into(), Style::new(), columns, paint));
    }
    lines
}

/// A player's chances to win the round, move by move, and what they are now.
fn chance_line(watching: &Watching, frame: &Frame, seat: usize, columns: usize) -> Line<'static> {
    let (paint, notes) = (watching.paint, &watching.notes);
    let chance = |number: u32| notes.chances.get(&number).and_then(|all| all.get(seat)).copied();
    let round: Vec<u32> =
        watching.film.frames.iter().filter(|other| other.round == frame.round).map(|other| other.number).collect();
    let room = columns.saturating_sub(usize::from(NAME) + 7).max(1);
    let step = round.len().div_ceil(room).max(1);
    let heights = if paint.symbols { BLOCKS } else { PLAIN };
    let name = clip(watching.film.names.get(seat).map_or("", String::as_str), NAME.into(), paint);
    let gap = " ".repeat(usize::from(NAME).saturating_sub(width(&name)));
    let now = chance(frame.number).map_or_else(String::new, |chance| format!("{:.0} %", chance * 100.0));
    let mut spans = vec![Span::raw(format!("{name}{gap} {now:>5} "))];
    for moves in round.chunks(step) {
        let last = moves.last().and_then(|number| chance(*number)).unwrap_or(0.0);
        let height = heights[((last * 8.0) as usize).min(7)];
        let style = if moves.contains(&frame.number) { paint.alert() } else { Style::new() };
        spans.push(Span::styled(height.to_string(), style));
    }
    Line::from(spans)
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
    let review = if watching.reviewing { ("Tab", "moment") } else { ("Home End", "ends") };
    let all =
        [(arrows[0], "move"), ("r", "review"), (arrows[1], "ten"), ("PgUp PgDn", "round"), review, ("q", "leave")];
    let wide = |key: &str, does: &str| width(key) + width(does) + 5;
    let mut spans = Vec::new();
    // How to leave is always shown.
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

    use super::super::super::film::Notes;
    use super::super::super::film::tests::{reviewed, watching};
    use super::*;

    fn drawn(watching: &Watching, columns: u16, rows: u16) -> String {
        let mut terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        terminal.draw(|canvas| draw(canvas, watching)).unwrap();
        terminal.backend().buffer().content.iter().map(|cell| cell.symbol()).collect()
    }

    #[test]
    fn a_film_is_shown_at_every_size() {
        let mut watching = watching();
        watching.at = 7;
        for (columns, rows) in [(40, 12), (80, 24), (200, 60)] {
            let text = drawn(&watching, columns, rows);
            for words in ["round 2", "move 7 of 14", "R7", "5 cards", "Move 7 is made.", "leave"] {
                assert!(text.contains(words), "{words} at {columns}x{rows}");
            }
            assert!(!text.contains("Move 8"));
        }
        assert!(drawn(&watching, 40, 12).contains("W+4"));
        let cards = |text: String| text.matches('╭').count() - 2;
        assert_eq!(cards(drawn(&watching, 200, 60)), 2, "where there is room, cards have frames");
    }

    #[test]
    fn the_review_is_shown_at_every_size() {
        let mut watching = reviewed();
        for (columns, rows) in [(40, 12), (80, 24), (200, 60)] {
            watching.at = 3;
            let text = drawn(&watching, columns, rows);
            assert!(text.contains("Better than move 4: draw."), "{columns}x{rows}: {text}");
            watching.at = 5;
            let text = drawn(&watching, columns, rows);
            assert!(text.contains("33 %") && text.contains("2 clear mistakes"), "{columns}x{rows}: {text}");
        }
        assert!(drawn(&watching, 80, 24).contains("Ann was lucky."));
        watching.paint.symbols = false;
        assert!(drawn(&watching, 80, 24).contains("33 % 23344"), "without symbols there are digits");
        watching.notes = Notes::default();
        assert!(drawn(&watching, 80, 24).contains("Thinking"));
    }

    #[test]
    fn all_hands_are_seen_on_a_small_screen_and_the_turn_always() {
        let mut watching = watching();
        let hand = ["R0", "R1", "Y2", "Y3", "G4", "B5", "W"].map(|name| CardName::parse(name).unwrap()).to_vec();
        let mut seat = |players: usize, turn: u8| {
            watching.film.names = (0..players).map(|seat| format!("Name{seat}")).collect();
            for frame in &mut watching.film.frames {
                frame.hands = vec![Some(hand.clone()); players];
                (frame.sizes, frame.scores, frame.turn) = (vec![7; players], vec![0; players], Some(turn));
            }
            drawn(&watching, 40, 12)
        };
        let four = seat(4, 0);
        assert!((0..4).all(|seat| four.contains(&format!("Name{seat}"))), "{four}");
        assert_eq!(four.matches(" B5 ").count(), 4);
        let ten = seat(10, 9);
        assert!(ten.contains("Name9") && ten.contains("Move 0 is made."), "{ten}");
    }

    #[test]
    fn cards_keep_their_size_for_a_round() {
        let mut watching = watching();
        let many = vec![CardName::parse("R0").unwrap(); 60];
        watching.film.frames[9].hands[0] = Some(many);
        let inside = Rect::new(0, 0, 60, 40);
        let size_at = |at: usize| size(&watching, &watching.film.frames[at], inside);
        assert_eq!(size_at(5), size_at(9));
        assert!(size_at(5) < size_at(4), "{:?} {:?}", size_at(5), size_at(4));
    }
}
