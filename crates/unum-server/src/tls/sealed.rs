//! An encrypted WebSocket's connection, which any thread can write to without waiting, as it can to a plain socket.

use std::io::{self, ErrorKind, IoSlice, Read, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use tokio::io::{Interest, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::rustls::ServerConnection;
use tokio_rustls::server::TlsStream;

/// How often the socket is read for one answer.
const MOST_READS: usize = 32;

/// A socket, and what encrypts it.
#[derive(Debug)]
pub(crate) struct Sealed {
    socket: TcpStream,
    tls: Mutex<ServerConnection>,
}

impl Sealed {
    pub(crate) fn new(stream: TlsStream<TcpStream>) -> Sealed {
        let (socket, tls) = stream.into_inner();
        Sealed { socket, tls: Mutex::new(tls) }
    }

    /// Encrypts and sends as many bytes as the socket takes now. What was encrypted and not sent yet is sent first: there is
    /// never more of it than one frame.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] if nothing was taken, and those of the socket.
    pub(crate) fn try_write(&self, bytes: &[u8]) -> io::Result<usize> {
        let mut tls = self.lock();
        if !self.send(&mut tls)? {
            return Err(ErrorKind::WouldBlock.into());
        }
        let mut taken = 0;
        while taken < bytes.len() {
            taken += tls.writer().write(&bytes[taken..])?;
            if !self.send(&mut tls)? {
                break;
            }
        }
        Ok(taken)
    }

    /// Sends what is encrypted already; whether that was all.
    pub(crate) fn flush(&self) -> io::Result<bool> {
        self.send(&mut self.lock())
    }

    /// Whether something is encrypted that the socket has not taken.
    pub(crate) fn is_behind(&self) -> bool {
        self.lock().wants_write()
    }

    /// Waits until the socket takes more.
    pub(crate) async fn writable(&self) -> io::Result<()> {
        self.socket.ready(Interest::WRITABLE).await.map(drop)
    }

    /// Says that nothing else will be sent.
    pub(crate) fn close(&self) {
        let mut tls = self.lock();
        tls.send_close_notify();
        // A client that is gone, or reads nothing, need not be told.
        let _ = self.send(&mut tls);
        let _ = socket2::SockRef::from(&self.socket).shutdown(std::net::Shutdown::Write);
    }

    pub(crate) fn poll_read(&self, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        for _ in 0..MOST_READS {
            match self.read(into) {
                Ok(true) => return Poll::Ready(Ok(())),
                Ok(false) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => ready!(self.socket.poll_read_ready(context))?,
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
        // Others have their turn: a client can send much that has nothing in it.
        context.waker().wake_by_ref();
        Poll::Pending
    }

    /// Reads what has arrived; whether that led to anything. As with any reader, nothing read means that nothing will be.
    fn read(&self, into: &mut ReadBuf<'_>) -> io::Result<bool> {
        let mut tls = self.lock();
        for is_fresh in [false, true] {
            match tls.reader().read(into.initialize_unfilled()) {
                Ok(count) => {
                    into.advance(count);
                    return Ok(true);
                }
                // The client hung up without a word, as many do.
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => return Ok(true),
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                Err(error) => return Err(error),
            }
            if is_fresh {
                break;
            }
            tls.read_tls(&mut Direct(&self.socket))?;
            if let Err(error) = tls.process_new_packets() {
                // It says why, if it can.
                let _ = self.send(&mut tls);
                return Err(io::Error::new(ErrorKind::InvalidData, error));
            }
            // Answers of the protocol itself; what the socket does not take goes with the next frame.
            self.send(&mut tls)?;
        }
        Ok(false)
    }

    fn send(&self, tls: &mut ServerConnection) -> io::Result<bool> {
        while tls.wants_write() {
            match tls.write_tls(&mut Direct(&self.socket)) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    fn lock(&self) -> MutexGuard<'_, ServerConnection> {
        self.tls.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The socket as the TLS library wants it: what it does not do now it refuses.
struct Direct<'a>(&'a TcpStream);

impl Read for Direct<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.0.try_read(into)
    }
}

impl Write for Direct<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.try_write(bytes)
    }

    fn write_vectored(&mut self, pieces: &[IoSlice<'_>]) -> io::Result<usize> {
        self.0.try_write_vectored(pieces)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
