//! What a supervisor such as systemd and this program tell each other: the socket that is passed on (`LISTEN_FDS`), and
//! whether the server is ready (`NOTIFY_SOCKET`).

use std::net::TcpListener;

/// What the server says to its supervisor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// It can be connected to.
    Ready,
    /// It stops.
    Stopping,
}

impl State {
    /// As the protocol of `sd_notify` has it.
    fn line(self) -> &'static str {
        match self {
            State::Ready => "READY=1",
            State::Stopping => "STOPPING=1",
        }
    }
}

/// The listening socket that was passed on; `None` if there is none. To be asked once, before there are threads: it takes
/// the variables out of the environment.
///
/// # Errors
/// When it is no listening TCP socket, or not the only one.
#[cfg(unix)]
pub(crate) fn socket() -> anyhow::Result<Option<TcpListener>> {
    use anyhow::{Context as _, bail};
    let mut passed = listenfd::ListenFd::from_env();
    match passed.len() {
        0 => Ok(None),
        1 => passed.take_tcp_listener(0).context(
            "the socket that was passed on (LISTEN_FDS) is not a TCP socket that listens: the unit of the socket needs \
             ListenStream= with a port",
        ),
        more => bail!("{more} sockets were passed on (LISTEN_FDS): the server takes one, the one it listens on"),
    }
}

/// The listening socket that was passed on: there are none on this system.
///
/// # Errors
/// None.
#[cfg(not(unix))]
pub(crate) fn socket() -> anyhow::Result<Option<TcpListener>> {
    Ok(None)
}

/// Tells the supervisor, if there is one that listens.
pub(crate) fn tell(state: State) {
    #[cfg(target_os = "linux")]
    if let Some(place) = std::env::var_os("NOTIFY_SOCKET") {
        // Nobody listens there any more, then: a server needs no supervisor.
        let _ = tell_at(&place, state);
    }
    #[cfg(not(target_os = "linux"))]
    let _ = state.line();
}

/// A place is a path, or with an at sign in front a name that is no file.
#[cfg(target_os = "linux")]
fn tell_at(place: &std::ffi::OsStr, state: State) -> std::io::Result<()> {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram};
    let to = match place.as_bytes().strip_prefix(b"@") {
        Some(name) => SocketAddr::from_abstract_name(name)?,
        None => SocketAddr::from_pathname(place)?,
    };
    UnixDatagram::unbound()?.send_to_addr(state.line().as_bytes(), &to).map(drop)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::os::linux::net::SocketAddrExt as _;
    use std::os::unix::net::{SocketAddr, UnixDatagram};

    use super::*;

    fn heard(socket: &UnixDatagram) -> String {
        let mut bytes = [0; 64];
        let length = socket.recv(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    }

    #[test]
    fn a_supervisor_is_told_at_a_path_and_at_a_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify");
        let at_path = UnixDatagram::bind(&path).unwrap();
        tell_at(path.as_os_str(), State::Ready).unwrap();
        assert_eq!(heard(&at_path), "READY=1");
        let name = format!("unum-test-{}", std::process::id());
        let at_name = UnixDatagram::bind_addr(&SocketAddr::from_abstract_name(&name).unwrap()).unwrap();
        tell_at(format!("@{name}").as_ref(), State::Stopping).unwrap();
        assert_eq!(heard(&at_name), "STOPPING=1");
        assert!(tell_at(folder.path().join("nobody").as_os_str(), State::Ready).is_err());
    }
}
