//! Frames between nodes: length of the body, kind, stream, body. The length is checked before the body is read.

use std::io::{self, ErrorKind};

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt as _};
use unum_protocol::node::{FrameKind, MAX_BODY};

/// The bytes before the body.
const HEAD: usize = 9;

/// A received frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) kind: FrameKind,
    pub(super) stream: u32,
    pub(super) body: Bytes,
}

/// Appends a frame to the output. The body has at most [`MAX_BODY`] bytes.
pub(super) fn write(to: &mut Vec<u8>, kind: FrameKind, stream: u32, body: &[u8]) {
    debug_assert!(body.len() <= MAX_BODY);
    to.extend((body.len() as u32).to_le_bytes());
    to.push(kind as u8);
    to.extend(stream.to_le_bytes());
    to.extend(body);
}

/// Reads the next frame.
///
/// # Errors
/// When the connection ends, or the other side violates the protocol.
pub(super) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Frame> {
    let mut head = [0; HEAD];
    from.read_exact(&mut head).await?;
    let [a, b, c, d, kind, e, f, g, h] = head;
    let (length, stream) = (u32::from_le_bytes([a, b, c, d]) as usize, u32::from_le_bytes([e, f, g, h]));
    let kind = FrameKind::of(kind).ok_or_else(|| wrong("a frame of an unknown kind"))?;
    if length > MAX_BODY {
        return Err(wrong("a frame is too long"));
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).await?;
    Ok(Frame { kind, stream, body: body.into() })
}

/// The other side violates the protocol.
pub(super) fn wrong(what: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn frames_are_read_as_they_are_written_and_bounded() {
        let mut bytes = Vec::new();
        write(&mut bytes, FrameKind::Open, 7, b"body");
        write(&mut bytes, FrameKind::Ping, 0, b"");
        let mut from = bytes.as_slice();
        let first = Frame { kind: FrameKind::Open, stream: 7, body: Bytes::from_static(b"body") };
        assert_eq!(read(&mut from).await.unwrap(), first);
        assert_eq!(read(&mut from).await.unwrap().kind, FrameKind::Ping);
        assert_eq!(read(&mut from).await.unwrap_err().kind(), ErrorKind::UnexpectedEof);
        let mut long = (MAX_BODY as u32 + 1).to_le_bytes().to_vec();
        long.extend([FrameKind::Data as u8, 0, 0, 0, 0]);
        assert_eq!(read(&mut long.as_slice()).await.unwrap_err().to_string(), "a frame is too long");
        let unknown = [0, 0, 0, 0, 77, 0, 0, 0, 0];
        assert!(read(&mut unknown.as_slice()).await.unwrap_err().to_string().contains("unknown"));
    }
}
