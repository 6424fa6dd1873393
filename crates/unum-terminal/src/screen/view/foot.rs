//! The foot of the screen: what is asked, the keys, what is typed.

use ratatui::Frame;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};

use super::super::draft::Question;
use super::super::look::strong;
use super::super::markup::{end, spans, width, wrap};
use super::super::prompt;
use super::super::state::{Screen, TypingKind};
use super::put;
use crate::text::Text;

/// Its height where there is room: a note, two lines for the question, two for the keys.
pub(crate) const HEIGHT: u16 = 5;
/// The most lines of a question on a small screen.
const QUESTION: usize = 4;
/// The most lines of keys on a small screen.
const KEYS: usize = 3;

/// Its height on a small screen.
pub(crate) fn height(screen: &Screen, columns: u16) -> u16 {
    let lines = question_lines(screen, columns).len().min(QUESTION) + key_lines(screen, columns).len().min(KEYS);
    u16::try_from(lines).unwrap_or(u16::MAX)
}

/// The question, or what is more urgent than it.
fn question_lines(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    let wrapped = |text: &Text, style| wrap(text, style, columns.into(), screen.paint);
    if let Some(typing) = &screen.typing {
        let sign = match typing.kind {
            TypingKind::Command => ": ",
            TypingKind::Chat => "Say: ",
        };
        return vec![typed(sign, &typing.text, columns)];
    }
    match &screen.note {
        // A refusal that comes late does not hide the question whether to leave.
        Some(note) if !screen.leaving => wrapped(note, strong()),
        _ => wrapped(&prompt::question(screen), strong()),
    }
}

/// The end of a line that is being typed, with a cursor behind it.
fn typed(sign: &str, text: &str, columns: u16) -> Line<'static> {
    let room = usize::from(columns).saturating_sub(width(sign) + 1);
    Line::from(vec![
        Span::styled(sign.to_owned(), strong()),
        Span::raw(end(text, room).to_owned()),
        Span::styled(" ", Style::new().add_modifier(Modifier::REVERSED)),
    ])
}

/// A key in the foot, and where it is.
struct Laid {
    key: String,
    line: usize,
    from: usize,
    wide: usize,
}

/// The keys in lines, and where each of them is.
fn lay_out(screen: &Screen, columns: u16) -> (Vec<Line<'static>>, Vec<Laid>) {
    let keys = match &screen.typing {
        Some(_) => vec![prompt::key("Enter", "done"), prompt::key("Esc", "back")],
        None => prompt::keys(screen),
    };
    let picks = matches!(screen.question(), Question::Pick(_))
        && screen.typing.is_none()
        && screen.page.is_none()
        && !screen.leaving;
    let (mut lines, mut laid): (Vec<Vec<Span<'static>>>, Vec<Laid>) = (vec![Vec::new()], Vec::new());
    let mut used = 0;
    for (number, key) in keys.into_iter().enumerate() {
        let chosen = picks && number == screen.option;
        let weight = if chosen { strong().add_modifier(Modifier::UNDERLINED) } else { Style::new() };
        let does = spans(&key.does, weight, screen.paint);
        let wide = width(&key.key) + 3 + does.iter().map(|span| width(&span.content)).sum::<usize>();
        if used > 0 && used + 2 + wide > columns.into() {
            lines.push(Vec::new());
            used = 0;
        }
        let row = lines.len() - 1;
        let Some(line) = lines.last_mut() else { continue };
        if used > 0 {
            line.push(Span::raw("  "));
            used += 2;
        }
        laid.push(Laid { key: key.key.clone(), line: row, from: used, wide });
        line.push(Span::styled(format!(" {} ", key.key), screen.paint.alert()));
        line.push(Span::raw(" "));
        line.extend(does);
        used += wide;
    }
    (lines.into_iter().map(Line::from).collect(), laid)
}

fn key_lines(screen: &Screen, columns: u16) -> Vec<Line<'static>> {
    lay_out(screen, columns).0
}

/// Leaves as many lines as there is room for; a sign says that there were more.
fn shorten(lines: &mut Vec<Line<'static>>, room: usize, columns: u16, cut: &'static str) {
    let is_cut = lines.len() > room;
    lines.truncate(room);
    let Some(last) = lines.last_mut().filter(|_| is_cut) else { return };
    let too_wide = last.width() + width(cut) > columns.into();
    if let Some(span) = last.spans.last_mut() {
        let mut text = span.content.trim_end().to_owned();
        if too_wide {
            for _ in 0..width(cut) {
                text.pop();
            }
        }
        text.push_str(cut);
        span.content = text.into();
    }
}

/// The lines of the question and of the keys, and the area they are in.
fn parts(area: Rect, screen: &Screen, compact: bool) -> (Rect, Vec<Line<'static>>, Vec<Line<'static>>) {
    let area = if compact { area } else { Rect { x: area.x + 1, width: area.width.saturating_sub(2), ..area } };
    let mut question = question_lines(screen, area.width);
    let keys = key_lines(screen, area.width);
    let room = usize::from(area.height).saturating_sub(keys.len().min(KEYS));
    shorten(&mut question, room, area.width, screen.paint.signs().cut);
    if !compact {
        // The keys stay where they are, whatever is asked.
        let fixed = usize::from(HEIGHT).saturating_sub(keys.len().max(2));
        question.resize(fixed.min(room), Line::default());
    }
    (area, question, keys)
}

/// The key that is written there.
pub(crate) fn key_at(area: Rect, screen: &Screen, compact: bool, position: Position) -> Option<String> {
    let (inside, question, _) = parts(area, screen, compact);
    let row = usize::from(position.y.checked_sub(inside.y)?).checked_sub(question.len())?;
    let column = usize::from(position.x.checked_sub(inside.x)?);
    let (_, laid) = lay_out(screen, inside.width);
    let is_hit = |laid: &Laid| laid.line == row && (laid.from..laid.from + laid.wide).contains(&column);
    laid.into_iter().find(is_hit).map(|laid| laid.key)
}

/// Draws it.
pub(crate) fn draw(frame: &mut Frame<'_>, area: Rect, screen: &Screen, compact: bool) {
    let (area, question, keys) = parts(area, screen, compact);
    put(frame, area, question.into_iter().chain(keys));
}
