//! Messages as they travel: text frames of a WebSocket.

use std::cell::RefCell;

use bytes::Bytes;
use serde::Serialize;

/// The longest head of a frame.
const HEAD: usize = 10;
/// The first byte of a text that comes in one frame.
const TEXT: u8 = 0x81;
/// How many bytes of room a desk begins with, which is what a table says after one action, and how many it keeps for the
/// next frames.
const ROOM: usize = 4 << 10;
const KEPT: usize = 2 * ROOM;

/// Where a frame lies on a [`Desk`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    from: usize,
    to: usize,
}

impl Frame {
    pub(crate) fn len(self) -> usize {
        self.to - self.from
    }
}

/// The frames of one table that wait for the journal, in one buffer that is used again and again: most go into their
/// sockets straight from there, and nothing is allocated for them.
#[derive(Debug, Default)]
pub(crate) struct Desk {
    bytes: Vec<u8>,
    /// Copies of frames that some socket did not take, shared by all that have to wait.
    copies: RefCell<Vec<(Frame, Bytes)>>,
}

impl Desk {
    /// Writes a message as one frame, from a server to a client: not masked.
    pub(crate) fn write(&mut self, message: &impl Serialize) -> Frame {
        if self.bytes.capacity() == 0 {
            self.bytes.reserve_exact(ROOM);
        }
        let begin = self.bytes.len();
        self.bytes.extend([0; HEAD]);
        serde_json::to_writer(&mut self.bytes, message).expect("messages are made of names, numbers and lists");
        let from = begin + write_head(&mut self.bytes[begin..]);
        Frame { from, to: self.bytes.len() }
    }

    pub(crate) fn get(&self, frame: Frame) -> &[u8] {
        &self.bytes[frame.from..frame.to]
    }

    /// A copy that can wait.
    pub(crate) fn copy(&self, frame: Frame) -> Bytes {
        let mut copies = self.copies.borrow_mut();
        if let Some((_, copy)) = copies.iter().find(|(other, _)| *other == frame) {
            return copy.clone();
        }
        let copy = Bytes::copy_from_slice(self.get(frame));
        copies.push((frame, copy.clone()));
        copy
    }

    /// Several frames in one piece.
    pub(crate) fn gather(&self, frames: impl Iterator<Item = Frame> + Clone) -> Bytes {
        let mut piece = Vec::with_capacity(frames.clone().map(Frame::len).sum());
        frames.for_each(|frame| piece.extend_from_slice(self.get(frame)));
        piece.into()
    }

    /// Nothing waits any more.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        if self.bytes.capacity() > KEPT {
            self.bytes = Vec::new();
        }
        self.copies.take();
    }

    /// Gives the room back, too.
    pub(crate) fn shrink(&mut self) {
        if self.bytes.is_empty() {
            *self = Desk::default();
        }
    }
}

/// A message as one frame that is not a table's.
pub(crate) fn frame_of(message: &impl Serialize) -> Bytes {
    let mut desk = Desk::default();
    let frame = desk.write(message);
    desk.copy(frame)
}

/// Writes the head just before the text, and says where it begins.
fn write_head(frame: &mut [u8]) -> usize {
    let length = frame.len() - HEAD;
    if let Ok(short @ 0..=125) = u8::try_from(length) {
        frame[8..HEAD].copy_from_slice(&[TEXT, short]);
        8
    } else if let Ok(middle) = u16::try_from(length) {
        frame[6..8].copy_from_slice(&[TEXT, 126]);
        frame[8..HEAD].copy_from_slice(&middle.to_be_bytes());
        6
    } else {
        frame[..2].copy_from_slice(&[TEXT, 127]);
        frame[2..HEAD].copy_from_slice(&(length as u64).to_be_bytes());
        0
    }
}

#[cfg(test)]
mod tests {
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::protocol::{Role, WebSocket};

    use super::*;

    #[test]
    fn frames_of_every_length_are_read_as_what_they_say() {
        for length in [0, 1, 30, 80, 90, 91, 92, 93, 94, 95, 96, 97, 98, 99, 100, 1000, 65_490, 65_536, 70_000] {
            let bye = "x".repeat(length);
            let mut desk = Desk::default();
            let (other, frame) = (desk.write(&"before"), desk.write(&bye));
            let bytes = desk.get(frame).to_vec();
            let mut socket = WebSocket::from_raw_socket(std::io::Cursor::new(bytes), Role::Client, None);
            let text = serde_json::to_string(&bye).unwrap();
            assert_eq!(socket.read().unwrap(), Message::text(text));
            assert_eq!(socket.get_ref().position(), frame.len() as u64);
            assert_eq!(desk.gather([other, frame].into_iter()), [desk.get(other), desk.get(frame)].concat());
            assert_eq!((&*desk.copy(other), &*desk.copy(frame)), (desk.get(other), desk.get(frame)));
            assert_eq!(desk.copy(frame).as_ptr(), desk.copy(frame).as_ptr(), "all who wait share a copy");
        }
    }
}
