//! Messages as they travel: text frames of a WebSocket.

use std::cell::RefCell;

use bytes::Bytes;
use serde::Serialize;

/// The longest head of a frame.
const HEAD: usize = 10;
/// The first byte of a text that comes in one frame.
const TEXT: u8 = 0x81;

/// A message as one frame, from a server to a client: not masked.
pub(crate) fn text_frame(message: &impl Serialize) -> Bytes {
    thread_local!(static DESK: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) });
    DESK.with_borrow_mut(|desk| {
        desk.clear();
        desk.extend([0; HEAD]);
        serde_json::to_writer(&mut *desk, message).expect("messages are made of names, numbers and lists");
        let start = write_head(desk);
        Bytes::copy_from_slice(&desk[start..])
    })
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
            let frame = text_frame(&bye);
            let mut socket = WebSocket::from_raw_socket(std::io::Cursor::new(frame.to_vec()), Role::Client, None);
            let text = serde_json::to_string(&bye).unwrap();
            assert_eq!(socket.read().unwrap(), Message::text(text));
            assert_eq!(socket.get_ref().position(), frame.len() as u64);
        }
    }
}
