//! What goes out to the terminal: cursor moves, letters, and the sixteen colors every terminal knows.
//!
//! The library's own backend emits 256-color codes even for the basic sixteen, which old terminals take for blinking.
//! Here a style is a single complete sequence, and a frame is one write.

use std::io::{self, Write};

use ratatui::backend::{Backend, ClearType, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::{Color, Modifier};

/// A terminal that knows sixteen colors or none.
#[derive(Debug)]
pub(crate) struct Ansi<W: Write> {
    out: W,
    frame: Vec<u8>,
    cursor: Position,
}

impl<W: Write> Ansi<W> {
    /// Writes to this.
    pub(crate) fn new(out: W) -> Ansi<W> {
        Ansi { out, frame: Vec::new(), cursor: Position::ORIGIN }
    }
}

fn color_code(color: Color) -> Option<u8> {
    Some(match color {
        Color::Black => 0,
        Color::Red => 1,
        Color::Green => 2,
        Color::Yellow => 3,
        Color::Blue => 4,
        Color::Magenta => 5,
        Color::Cyan => 6,
        Color::Gray => 7,
        _ => return None,
    })
}

/// The codes for a color of letters (from 30) or of the ground (from 40).
fn color_codes(color: Color, from: u8) -> Vec<u8> {
    match color {
        Color::Indexed(number) => vec![from + 8, 5, number],
        // Terminals without a brighter white ignore the second code and keep the first.
        Color::White => vec![from + 7, from + 67],
        color => color_code(color).map(|code| from + code).into_iter().collect(),
    }
}

/// The size of the terminal that is written to; the library would ask another one that the process belongs to.
#[cfg(unix)]
pub(super) fn size() -> io::Result<Size> {
    let size = rustix::termios::tcgetwinsize(io::stdout())?;
    Ok(Size { width: size.ws_col, height: size.ws_row })
}

#[cfg(not(unix))]
pub(super) fn size() -> io::Result<Size> {
    ratatui::crossterm::terminal::size().map(|(width, height)| Size { width, height })
}

/// The sequence for a style, from nothing.
fn style(fg: Color, bg: Color, modifier: Modifier) -> String {
    let mut codes = vec![0];
    let known = [
        (Modifier::BOLD, 1),
        (Modifier::DIM, 2),
        (Modifier::ITALIC, 3),
        (Modifier::UNDERLINED, 4),
        (Modifier::REVERSED, 7),
    ];
    codes.extend(known.iter().filter(|(bit, _)| modifier.contains(*bit)).map(|(_, code)| *code));
    codes.extend(color_codes(fg, 30));
    codes.extend(color_codes(bg, 40));
    let codes: Vec<String> = codes.iter().map(ToString::to_string).collect();
    format!("\x1b[{}m", codes.join(";"))
}

impl<W: Write> Backend for Ansi<W> {
    type Error = io::Error;

    fn draw<'a, I>(&mut self, content: I) -> io::Result<()>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        let mut next = None;
        let mut last = None;
        for (x, y, cell) in content {
            if next != Some((x, y)) {
                write!(self.frame, "\x1b[{};{}H", y + 1, x + 1)?;
            }
            let look = (cell.fg, cell.bg, cell.modifier);
            if last != Some(look) {
                self.frame.write_all(style(cell.fg, cell.bg, cell.modifier).as_bytes())?;
                last = Some(look);
            }
            self.frame.write_all(cell.symbol().as_bytes())?;
            // The cursor's position is certain only after a single-column letter.
            next = (cell.symbol().len() == 1).then_some((x + 1, y));
        }
        if last.is_some() {
            self.frame.write_all(b"\x1b[0m")?;
        }
        Ok(())
    }

    fn hide_cursor(&mut self) -> io::Result<()> {
        self.frame.write_all(b"\x1b[?25l")
    }

    fn show_cursor(&mut self) -> io::Result<()> {
        self.frame.write_all(b"\x1b[?25h")
    }

    fn get_cursor_position(&mut self) -> io::Result<Position> {
        Ok(self.cursor)
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> io::Result<()> {
        self.cursor = position.into();
        write!(self.frame, "\x1b[{};{}H", self.cursor.y + 1, self.cursor.x + 1)
    }

    fn clear(&mut self) -> io::Result<()> {
        self.frame.write_all(b"\x1b[0m\x1b[2J")
    }

    fn clear_region(&mut self, kind: ClearType) -> io::Result<()> {
        let code = match kind {
            ClearType::All => return self.clear(),
            ClearType::AfterCursor => "\x1b[J",
            ClearType::BeforeCursor => "\x1b[1J",
            ClearType::CurrentLine => "\x1b[2K",
            ClearType::UntilNewLine => "\x1b[K",
        };
        self.frame.write_all(code.as_bytes())
    }

    fn size(&self) -> io::Result<Size> {
        size()
    }

    fn window_size(&mut self) -> io::Result<WindowSize> {
        Ok(WindowSize { columns_rows: self.size()?, pixels: Size::ZERO })
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.out.write_all(&self.frame).and_then(|()| self.out.flush());
        self.frame.clear();
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(cells: &[(u16, u16, Cell)]) -> String {
        let mut out = Vec::new();
        let mut backend = Ansi::new(&mut out);
        backend.draw(cells.iter().map(|(x, y, cell)| (*x, *y, cell))).unwrap();
        Backend::flush(&mut backend).unwrap();
        drop(backend);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn colors_of_a_theme_and_fixed_ones() {
        let mut cell = Cell::new("7");
        cell.fg = Color::Black;
        cell.bg = Color::Yellow;
        cell.modifier = Modifier::BOLD;
        assert_eq!(drawn(&[(2, 1, cell)]), "\x1b[2;3H\x1b[0;1;30;43m7\x1b[0m");
        let mut cell = Cell::new("7");
        (cell.fg, cell.bg) = (Color::White, Color::Red);
        assert_eq!(drawn(&[(0, 0, cell)]), "\x1b[1;1H\x1b[0;37;97;41m7\x1b[0m");
        let mut cell = Cell::new("7");
        (cell.fg, cell.bg) = (Color::Indexed(231), Color::Indexed(160));
        assert_eq!(drawn(&[(0, 0, cell)]), "\x1b[1;1H\x1b[0;38;5;231;48;5;160m7\x1b[0m");
    }

    #[test]
    fn neighbors_need_no_move_and_equal_styles_no_sequence() {
        let cells = [(0, 0, Cell::new("a")), (1, 0, Cell::new("b")), (2, 0, Cell::new("é")), (3, 0, Cell::new("c"))];
        assert_eq!(drawn(&cells), "\x1b[1;1H\x1b[0mabé\x1b[1;4Hc\x1b[0m");
        assert_eq!(drawn(&[]), "");
    }
}
