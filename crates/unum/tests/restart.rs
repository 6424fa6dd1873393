//! A supervisor that keeps the listening socket open while the server is restarted: nobody notices but by waiting.
#![cfg(unix)]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// Passes the socket on as systemd does: as the third file, with the number of the process and that of the sockets in
/// the environment.
const PASS_ON: &str = r#"LISTEN_PID=$$ LISTEN_FDS=$1; export LISTEN_PID LISTEN_FDS; shift; exec "$@" 3<&0 </dev/null"#;

/// `unum serve` by a supervisor that passes on this socket.
fn supervised(socket: impl Into<OwnedFd>, sockets: &str, args: &[&str], data: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", PASS_ON, "sh", sockets, env!("CARGO_BIN_EXE_unum"), "serve"]).args(args);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("UNUM_")) {
        command.env_remove(name);
    }
    command.env("XDG_CONFIG_HOME", "/nowhere").arg("--data").arg(data).stdin(Stdio::from(socket.into()));
    command
}

/// The server and the rest of its output, once it has said that it is there.
fn start(listener: &TcpListener, data: &Path) -> (Child, BufReader<std::process::ChildStdout>) {
    // One address for many clients, and a port that must not matter.
    let limits = ["--requests-per-minute", "100000000", "--port", "1", "--listen", "127.0.0.1"];
    let mut child =
        supervised(listener.try_clone().unwrap(), "1", &limits, data).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("this machine") {
        line.clear();
        assert!(output.read_line(&mut line).unwrap() > 0, "the server ended before it said where it is");
    }
    let port = listener.local_addr().unwrap().port();
    assert!(line.trim().ends_with(&format!(":{port}")), "{line}");
    (child, output)
}

fn stop((mut child, mut output): (Child, BufReader<std::process::ChildStdout>)) {
    let pid = Pid::from_raw(child.id().try_into().unwrap()).unwrap();
    kill_process(pid, Signal::TERM).unwrap();
    let mut rest = String::new();
    output.read_to_string(&mut rest).unwrap();
    assert!(child.wait().unwrap().success(), "{rest}");
}

/// One question on a connection of its own. A server that stops while it is asked must answer, or leave the connection to
/// the next one.
fn ask(address: SocketAddr) -> std::io::Result<String> {
    let mut tcp = TcpStream::connect(address)?;
    // Nothing here is about how fast the machine is: this is only the end of a test that hangs.
    tcp.set_read_timeout(Some(Duration::from_secs(300)))?;
    tcp.write_all(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n")?;
    let mut answer = String::new();
    tcp.read_to_string(&mut answer)?;
    Ok(answer)
}

/// People who ask without a pause until they are told to stop.
struct Load {
    over: Arc<AtomicBool>,
    answered: Arc<AtomicUsize>,
    people: Vec<JoinHandle<Result<(), String>>>,
}

impl Load {
    fn begin(address: SocketAddr, people: usize) -> Load {
        let (over, answered) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
        let person = || {
            let (over, answered) = (Arc::clone(&over), Arc::clone(&answered));
            std::thread::spawn(move || {
                while !over.load(Ordering::Relaxed) {
                    let answer = ask(address).map_err(|error| error.to_string())?;
                    if !answer.starts_with("HTTP/1.1 200 ") {
                        return Err(format!("answered {answer:?}"));
                    }
                    answered.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            })
        };
        let people = (0..people).map(|_| person()).collect();
        Load { over, answered, people }
    }

    /// Waits until so many more have an answer.
    fn go_on(&self, answers: usize) {
        let enough = self.answered.load(Ordering::Relaxed) + answers;
        while self.answered.load(Ordering::Relaxed) < enough {
            assert!(!self.people.iter().any(JoinHandle::is_finished), "somebody was turned away");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn end(self) -> Result<usize, String> {
        self.over.store(true, Ordering::Relaxed);
        self.people.into_iter().try_for_each(|person| person.join().unwrap())?;
        Ok(self.answered.load(Ordering::Relaxed))
    }
}

#[test]
fn a_server_restarted_twenty_times_refuses_nobody() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut server = start(&listener, folder.path());
    let load = Load::begin(listener.local_addr().unwrap(), 8);
    for _ in 0..20 {
        load.go_on(20);
        stop(server);
        server = start(&listener, folder.path());
    }
    load.go_on(20);
    let ended = load.end();
    stop(server);
    assert!(ended.as_ref().is_ok_and(|answers| *answers >= 420), "{ended:?}");
}

#[test]
fn a_socket_that_is_no_use_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |socket: OwnedFd, sockets: &str| {
        let output = supervised(socket, sockets, &["--ephemeral"], folder.path()).output().unwrap();
        assert!(!output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let message = refused(std::fs::File::open("/dev/null").unwrap().into(), "1");
    assert!(message.contains("is not a TCP socket that listens") && message.contains("ListenStream="), "{message}");
    let message = refused(TcpListener::bind("127.0.0.1:0").unwrap().into(), "2");
    assert!(message.contains("2 sockets were passed on"), "{message}");
}

#[cfg(target_os = "linux")]
#[test]
fn the_supervisor_hears_when_the_server_is_ready_and_when_it_stops() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("notify");
    let heard = std::os::unix::net::UnixDatagram::bind(&path).unwrap();
    heard.set_read_timeout(Some(Duration::from_secs(300))).unwrap();
    let next = || {
        let mut bytes = [0; 64];
        let length = heard.recv(&mut bytes).unwrap();
        String::from_utf8_lossy(&bytes[..length]).into_owned()
    };
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut command = supervised(listener.try_clone().unwrap(), "1", &["--ephemeral"], folder.path());
    let mut child = command.env("NOTIFY_SOCKET", &path).stdout(Stdio::null()).spawn().unwrap();
    assert_eq!(next(), "READY=1");
    assert!(ask(listener.local_addr().unwrap()).unwrap().starts_with("HTTP/1.1 200 "));
    kill_process(Pid::from_raw(child.id().try_into().unwrap()).unwrap(), Signal::TERM).unwrap();
    assert_eq!(next(), "STOPPING=1");
    assert!(child.wait().unwrap().success());
}
