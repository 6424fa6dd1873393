//! Accepts connections, with limits in total, per address, and on idle time.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{mpsc, watch};

use crate::address::AddressKey;
use crate::app::App;
use crate::http::{Peer, enter, point_to_https, refusal_bytes, show_authority};
use crate::limits::Ticket;
use crate::tls::{HANDSHAKE, Tls, Transport};

/// Connections that wait to be accepted.
const BACKLOG: u32 = 1024;
/// What the system keeps for a client that does not read, and of one that writes too much.
const SYSTEM_BUFFER: u32 = 64 * 1024;
/// Bytes of a request's head, and what is read at once.
const HEAD: usize = 16 * 1024;
/// How long a connection may be used for HTTP before the client has to reconnect.
const LIFETIME: Duration = Duration::from_secs(300);
/// How long an answer may take to be sent when the connection has to end.
const FAREWELL: Duration = Duration::from_secs(2);

/// A connection that was let in; it counts until all that use it are done.
#[derive(Debug)]
pub(crate) struct Admission {
    app: Arc<App>,
    _address: Option<Vec<Ticket<AddressKey>>>,
    _alive: mpsc::Sender<()>,
}

impl Drop for Admission {
    fn drop(&mut self) {
        self.app.metrics.connections.leave();
    }
}

/// Takes a port.
pub(crate) fn bind(address: SocketAddr) -> std::io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    if cfg!(unix) {
        socket.set_reuseaddr(true)?;
    }
    socket.set_send_buffer_size(SYSTEM_BUFFER)?;
    socket.set_recv_buffer_size(SYSTEM_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Makes a socket that listens already, for example for a supervisor, like one of [`bind`].
pub(crate) fn adopt(socket: std::net::TcpListener) -> std::io::Result<TcpListener> {
    let options = socket2::SockRef::from(&socket);
    // Connections inherit them.
    options.set_send_buffer_size(SYSTEM_BUFFER as usize)?;
    options.set_recv_buffer_size(SYSTEM_BUFFER as usize)?;
    socket.set_nonblocking(true)?;
    TcpListener::from_std(socket)
}

/// Accepts connections until the server stops. `alive` is kept by every one of them.
pub(crate) async fn listen(app: Arc<App>, listener: TcpListener, router: Router, alive: mpsc::Sender<()>) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = app.stopped() => return,
        };
        match accepted {
            Ok((stream, peer)) => match admit(&app, peer.ip(), &alive) {
                Some(admission) => {
                    let peer = Peer { address: peer.ip(), is_encrypted: false, _admission: Arc::new(admission) };
                    tokio::spawn(welcome(Arc::clone(&app), stream, peer, router.clone()));
                }
                None => turn_away(&app, &stream),
            },
            Err(error) => {
                // Too many open files, most likely: connections that end make room.
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        }
    }
}

fn admit(app: &Arc<App>, peer: IpAddr, alive: &mpsc::Sender<()>) -> Option<Admission> {
    let limits = &app.config.limits;
    if app.metrics.connections.get() >= i64::try_from(limits.connections).unwrap_or(i64::MAX) {
        return None;
    }
    let address = match app.is_proxy(peer) {
        true => None,
        false => {
            Some(app.address_connections.admit_all(AddressKey::of(peer).counted(), limits.connections_per_address)?)
        }
    };
    app.metrics.connections.enter();
    Some(Admission { app: Arc::clone(app), _address: address, _alive: alive.clone() })
}

fn turn_away(app: &App, stream: &TcpStream) {
    app.metrics.turned_away.one();
    // This little fits into any socket buffer; if it does not arrive, the client still sees the connection end.
    let _ = stream.try_write(refusal_bytes());
}

/// Encrypts a connection if the server does that, and serves it.
async fn welcome(app: Arc<App>, stream: TcpStream, mut peer: Peer, router: Router) {
    // Without it answers are only slower.
    let _ = stream.set_nodelay(true);
    let Some(tls) = &app.tls else { return serve(app, Transport::Plain(stream), peer, router).await };
    // A handshake is work, so it counts as a request.
    if !app.is_proxy(peer.address) && !app.allows(AddressKey::of(peer.address), 1) {
        return;
    }
    let greeting = tokio::time::timeout(app.config.limits.request_timeout, greet(tls, stream));
    let mut greeting = std::pin::pin!(greeting);
    let greeted = tokio::select! {
        greeted = greeting.as_mut() => greeted,
        // Who has just connected is still answered.
        () = app.stopped() => tokio::time::timeout(FAREWELL, greeting).await.unwrap_or_else(Err),
    };
    match greeted {
        Ok(Ok(transport)) => {
            peer.is_encrypted = transport.is_encrypted();
            serve(Arc::clone(&app), transport, peer, router).await;
        }
        // Somebody who connects and says nothing, or does not trust the certificate.
        Ok(Err(_)) | Err(_) => app.metrics.failed_handshakes.one(),
    }
}

/// The handshake, unless the client does not know that there is one: it is told over plain HTTP.
async fn greet(tls: &Tls, stream: TcpStream) -> std::io::Result<Transport> {
    let mut first = [0];
    match stream.peek(&mut first).await? {
        0 => Err(std::io::ErrorKind::UnexpectedEof.into()),
        _ if first == [HANDSHAKE] => tls.accept(stream).await,
        _ => Ok(Transport::Plain(stream)),
    }
}

async fn serve(app: Arc<App>, stream: Transport, peer: Peer, router: Router) {
    let inner = TowerToHyperService::new(router);
    let entered = Arc::clone(&app);
    let (asked, mut is_asked) = watch::channel(false);
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        asked.send_replace(true);
        let (entered, peer, inner) = (Arc::clone(&entered), peer.clone(), inner.clone());
        async move {
            let special = match &entered.tls {
                Some(tls) => {
                    let wants = show_authority(tls, &request);
                    wants.or_else(|| (!peer.is_encrypted).then(|| point_to_https(&request, &entered.config)))
                }
                None => None,
            };
            match special {
                Some(answer) => Ok(answer),
                None => {
                    enter(entered.config.base_path(), &mut request);
                    request.extensions_mut().insert(peer);
                    inner.call(request).await
                }
            }
        }
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(app.config.limits.request_timeout).max_buf_size(HEAD);
    let connection = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let mut connection = std::pin::pin!(connection);
    tokio::select! {
        // How the connection ends does not matter.
        _ = connection.as_mut() => return,
        () = app.stopped() => {}
        () = tokio::time::sleep(LIFETIME) => {}
    }
    // Who has just connected, and asks a server that stops, gets an answer: nobody else would take that connection.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = is_asked.wait_for(|asked| *asked) => {}
        () = tokio::time::sleep(FAREWELL) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = tokio::time::timeout(FAREWELL, connection).await;
}
