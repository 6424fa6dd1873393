//! Counts WebSocket frames as they arrive: a message can be split into any number of them, even empty ones, which the
//! library joins without a limit.

use std::io;
use std::time::Instant;

use crate::limits::Bucket;

/// How many frames may come for each message that may.
const FRAMES: u32 = 16;
/// The longest head of a frame.
const HEAD: usize = 14;

/// Finds the frames in what a client sends, and bounds their number.
#[derive(Debug)]
pub(crate) struct Meter {
    rate: f32,
    burst: f32,
    bucket: Bucket,
    /// The head that is being read, as far as it has come.
    head: [u8; HEAD],
    have: usize,
    /// How much of the frame's content is still to come.
    content: u64,
}

/// Too many frames.
#[derive(Debug, thiserror::Error)]
#[error("more frames than allowed")]
struct Flood;

impl Meter {
    /// For a connection with these limits: messages in a second, and at once.
    pub(crate) fn new(per_second: u32, at_once: u32) -> Meter {
        let [rate, burst] = [per_second, at_once].map(|count| count.saturating_mul(FRAMES) as f32);
        let bucket = Bucket::full(burst, Instant::now());
        Meter { rate, burst, bucket, head: [0; HEAD], have: 0, content: 0 }
    }

    /// Whether that is the error of too many frames.
    pub(crate) fn is_flood(error: &io::Error) -> bool {
        error.get_ref().is_some_and(|error| error.is::<Flood>())
    }

    /// Looks at what has arrived.
    ///
    /// # Errors
    /// When there are too many frames.
    pub(crate) fn look(&mut self, bytes: &[u8]) -> io::Result<()> {
        let frames = self.count(bytes);
        if frames == 0 {
            return Ok(());
        }
        let now = Instant::now();
        let fine = (0..frames).all(|_| self.bucket.take(self.rate, self.burst, now));
        if fine { Ok(()) } else { Err(io::Error::other(Flood)) }
    }

    /// How many frames begin here.
    fn count(&mut self, mut bytes: &[u8]) -> usize {
        let mut frames = 0;
        while let Some((first, rest)) = bytes.split_first() {
            if self.content > 0 {
                let taken = bytes.len().min(usize::try_from(self.content).unwrap_or(usize::MAX));
                self.content -= taken as u64;
                bytes = &bytes[taken..];
                continue;
            }
            self.head[self.have] = *first;
            self.have += 1;
            bytes = rest;
            if let Some(content) = self.read_head() {
                (self.have, self.content) = (0, content);
                frames += 1;
            }
        }
        frames
    }

    /// The length of the content, if the head is complete.
    fn read_head(&self) -> Option<u64> {
        let head = self.head.get(..self.have).filter(|head| head.len() >= 2)?;
        let key = if head[1] & 0x80 == 0 { 0 } else { 4 };
        let more = match head[1] & 0x7f {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        if head.len() < 2 + more + key {
            return None;
        }
        let long = head[2..2 + more].iter().fold(0_u64, |length, byte| length << 8 | u64::from(*byte));
        Some(if more == 0 { u64::from(head[1] & 0x7f) } else { long })
    }
}

#[cfg(test)]
mod tests {
    use tokio_tungstenite::tungstenite::Message;
    use tokio_tungstenite::tungstenite::protocol::{Role, WebSocket};

    use super::*;

    #[test]
    fn frames_of_every_length_are_counted_wherever_they_are_cut() {
        let mut sent = WebSocket::from_raw_socket(io::Cursor::new(Vec::new()), Role::Client, None);
        let lengths = [0, 1, 125, 126, 127, 1_000, 65_535, 65_536, 70_000, 0, 0];
        for length in lengths {
            sent.send(Message::text("x".repeat(length))).unwrap();
        }
        let bytes = sent.get_ref().get_ref().clone();
        for step in [1, 2, 3, 7, 4_096, bytes.len()] {
            let mut meter = Meter::new(1, 1);
            let frames: usize = bytes.chunks(step).map(|part| meter.count(part)).sum();
            assert_eq!(frames, lengths.len(), "in steps of {step}");
        }
    }

    #[test]
    fn empty_frames_are_a_flood_too() {
        let mut meter = Meter::new(1, 2);
        let empty = [0x00, 0x80, 1, 2, 3, 4];
        for _ in 0..2 * FRAMES {
            meter.look(&empty).unwrap();
        }
        assert!(Meter::is_flood(&meter.look(&empty).unwrap_err()));
        assert!(!Meter::is_flood(&io::Error::other("else")));
    }
}
