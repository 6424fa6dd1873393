//! Bytes from a terminal as keys and clicks.

use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};

/// The longest escape sequence.
const LONGEST: usize = 32;
const ESCAPE: u8 = 0x1b;

/// Turns bytes into events, and keeps what is not complete.
#[derive(Debug, Default)]
pub(crate) struct Decoder {
    pending: Vec<u8>,
}

impl Decoder {
    /// Whether something is not complete.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Takes bytes in.
    pub(crate) fn feed(&mut self, bytes: &[u8]) -> Vec<Event> {
        self.pending.extend_from_slice(bytes);
        let mut events = Vec::new();
        while !self.pending.is_empty() {
            match decode(&self.pending) {
                Found::Event(event, used) => {
                    self.pending.drain(..used);
                    events.push(event);
                }
                Found::Nothing(used) => drop(self.pending.drain(..used)),
                Found::Incomplete if self.pending.len() > LONGEST => self.pending.clear(),
                Found::Incomplete => break,
            }
        }
        events
    }

    /// Nothing followed for a while: it was the Escape key.
    pub(crate) fn flush(&mut self) -> Vec<Event> {
        let escape = self.pending.first() == Some(&ESCAPE);
        self.pending.clear();
        if escape { vec![key(KeyCode::Esc, KeyModifiers::NONE)] } else { Vec::new() }
    }
}

enum Found {
    /// An event, and the bytes it took.
    Event(Event, usize),
    /// That many bytes mean nothing here.
    Nothing(usize),
    Incomplete,
}

fn key(code: KeyCode, modifiers: KeyModifiers) -> Event {
    Event::Key(KeyEvent::new(code, modifiers))
}

fn plain(code: KeyCode, used: usize) -> Found {
    Found::Event(key(code, KeyModifiers::NONE), used)
}

fn decode(bytes: &[u8]) -> Found {
    match bytes {
        [] => Found::Incomplete,
        [ESCAPE] => Found::Incomplete,
        [ESCAPE, ESCAPE, ..] => plain(KeyCode::Esc, 1),
        [ESCAPE, b'[', b'[', rest @ ..] => {
            if rest.is_empty() {
                Found::Incomplete
            } else {
                Found::Nothing(4)
            }
        }
        [ESCAPE, b'[', rest @ ..] => sequence(rest),
        [ESCAPE, b'O', rest @ ..] => match rest.first() {
            Some(b'M') => plain(KeyCode::Enter, 3),
            Some(last) => arrow(*last).map_or(Found::Nothing(3), |code| plain(code, 3)),
            None => Found::Incomplete,
        },
        [ESCAPE, rest @ ..] => match letter(rest) {
            Found::Event(Event::Key(event), used) => {
                Found::Event(key(event.code, event.modifiers | KeyModifiers::ALT), used + 1)
            }
            Found::Event(_, used) | Found::Nothing(used) => Found::Nothing(used + 1),
            Found::Incomplete => Found::Incomplete,
        },
        _ => letter(bytes),
    }
}

/// A key that is not a sequence.
fn letter(bytes: &[u8]) -> Found {
    let Some(first) = bytes.first() else { return Found::Incomplete };
    match first {
        b'\r' | b'\n' => plain(KeyCode::Enter, 1),
        b'\t' => plain(KeyCode::Tab, 1),
        0x7f | 0x08 => plain(KeyCode::Backspace, 1),
        0x01..=0x1a => Found::Event(key(KeyCode::Char(char::from(first - 1 + b'a')), KeyModifiers::CONTROL), 1),
        0x00..0x20 => Found::Nothing(1),
        _ => utf8(bytes),
    }
}

fn utf8(bytes: &[u8]) -> Found {
    let length = match bytes[0] {
        0x00..0x80 => 1,
        0xc2..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..0xf5 => 4,
        _ => return Found::Nothing(1),
    };
    let Some(letter) = bytes.get(..length) else { return Found::Incomplete };
    match std::str::from_utf8(letter).ok().and_then(|text| text.chars().next()) {
        Some(c) => plain(KeyCode::Char(c), length),
        None => Found::Nothing(1),
    }
}

fn arrow(last: u8) -> Option<KeyCode> {
    Some(match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        b'H' => KeyCode::Home,
        b'F' => KeyCode::End,
        b'Z' => KeyCode::BackTab,
        _ => return None,
    })
}

/// What follows `ESC [`: numbers, then a letter.
fn sequence(rest: &[u8]) -> Found {
    let Some(end) = rest.iter().position(|byte| (0x40..=0x7e).contains(byte)) else { return Found::Incomplete };
    let (numbers, last, used) = (&rest[..end], rest[end], end + 3);
    if let [b'<', numbers @ ..] = numbers {
        return mouse(numbers, last).map_or(Found::Nothing(used), |event| Found::Event(event, used));
    }
    let code = match (last, numbers.split(|byte| *byte == b';').next()) {
        (b'~', Some(b"1" | b"7")) => Some(KeyCode::Home),
        (b'~', Some(b"4" | b"8")) => Some(KeyCode::End),
        (b'~', Some(b"3")) => Some(KeyCode::Delete),
        (b'~', Some(b"5")) => Some(KeyCode::PageUp),
        (b'~', Some(b"6")) => Some(KeyCode::PageDown),
        (last, _) => arrow(last),
    };
    code.map_or(Found::Nothing(used), |code| plain(code, used))
}

/// `button;column;row`, counted from 1; `M` when it is pressed.
fn mouse(numbers: &[u8], last: u8) -> Option<Event> {
    let text = std::str::from_utf8(numbers).ok()?;
    let mut numbers = text.split(';').map(|number| number.parse::<u16>().ok());
    let (button, column, row) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let kind = match (button & !0b1_1100, last) {
        (0, b'M') => MouseEventKind::Down(MouseButton::Left),
        (64, b'M') => MouseEventKind::ScrollUp,
        (65, b'M') => MouseEventKind::ScrollDown,
        _ => return None,
    };
    let (column, row) = (column.checked_sub(1)?, row.checked_sub(1)?);
    Some(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(bytes: &[u8]) -> Vec<KeyCode> {
        let mut decoder = Decoder::default();
        let mut events = decoder.feed(bytes);
        events.extend(decoder.flush());
        events.into_iter().filter_map(|event| event.as_key_event().map(|key| key.code)).collect()
    }

    #[test]
    fn keys_of_all_kinds_of_terminals() {
        assert_eq!(codes(b"a\r\t\x7f"), [KeyCode::Char('a'), KeyCode::Enter, KeyCode::Tab, KeyCode::Backspace]);
        assert_eq!(codes("é日".as_bytes()), [KeyCode::Char('é'), KeyCode::Char('日')]);
        assert_eq!(
            codes(b"\x1b[A\x1bOB\x1b[1;5C\x1b[Z"),
            [KeyCode::Up, KeyCode::Down, KeyCode::Right, KeyCode::BackTab]
        );
        assert_eq!(codes(b"\x1b[5~\x1b[6~\x1b[1~\x1b[8~\x1b[3~").len(), 5);
        assert_eq!(codes(b"\x1b"), [KeyCode::Esc]);
        assert_eq!(codes(b"\x1b\x1b[A"), [KeyCode::Esc, KeyCode::Up]);
        assert_eq!(codes(b"\x1b[[A\x1b[15~x"), [KeyCode::Char('x')]);
        let control = Decoder::default().feed(b"\x03\x1ax");
        assert_eq!(control[0], key(KeyCode::Char('c'), KeyModifiers::CONTROL));
        assert_eq!(control[1], key(KeyCode::Char('z'), KeyModifiers::CONTROL));
        assert_eq!(Decoder::default().feed(b"\x1bx"), [key(KeyCode::Char('x'), KeyModifiers::ALT)]);
    }

    #[test]
    fn what_comes_in_pieces_is_put_together() {
        let bytes = "\x1b[A\x1b[<0;12;5Mé\x1bOC".as_bytes();
        let whole = Decoder::default().feed(bytes);
        let mut decoder = Decoder::default();
        let pieces: Vec<Event> = bytes.iter().flat_map(|byte| decoder.feed(&[*byte])).collect();
        assert_eq!(pieces, whole);
        assert_eq!(whole.len(), 4);
        let click = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(
            whole[1],
            Event::Mouse(MouseEvent { kind: click, column: 11, row: 4, modifiers: KeyModifiers::NONE })
        );
    }

    #[test]
    fn noise_is_passed_over() {
        let mut state = 1u32;
        let mut decoder = Decoder::default();
        for _ in 0..20_000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let byte = [0x1b, b'[', b'<', b';', b'1', b'~', 0xff, 0xc3, 0][(state >> 24) as usize % 9];
            decoder.feed(&[byte]);
            assert!(decoder.pending.len() <= LONGEST + 1);
        }
        decoder.flush();
        assert_eq!(decoder.feed(b"a"), [key(KeyCode::Char('a'), KeyModifiers::NONE)]);
    }
}
