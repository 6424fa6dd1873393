//! `unum play` at a server behind a proxy that encrypts, as most servers on the internet are.
#![cfg(unix)]

mod piped;

use std::path::Path;
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use piped::{Piped, answer, output, printed, question, unum};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, date_time_ymd};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;
use unum_soak::ServerProcess;

/// A certificate authority of our own.
struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: tempfile::TempDir,
}

impl Authority {
    fn new(name: &str) -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("authority.pem"), issuer.pem()).unwrap();
        Authority { issuer, folder }
    }

    /// The binary, trusting this authority and nobody else.
    fn unum(&self, args: &[&str], data: &Path) -> Command {
        let mut command = unum(args, data);
        command.env("SSL_CERT_FILE", self.folder.path().join("authority.pem")).env_remove("SSL_CERT_DIR");
        command
    }

    /// A server's side of connections, with a certificate for that name and those years.
    fn acceptor(&self, name: &str, years: std::ops::Range<i32>) -> TlsAcceptor {
        let mut params = CertificateParams::new([name.to_owned()]).unwrap();
        params.not_before = date_time_ymd(years.start, 1, 1);
        params.not_after = date_time_ymd(years.end, 1, 1);
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
        let key = PrivateKeyDer::try_from(key.serialize_der()).unwrap();
        TlsAcceptor::from(Arc::new(config.with_single_cert(vec![certificate.der().clone()], key).unwrap()))
    }
}

/// A certificate that is as it should be.
const GOOD: (&str, std::ops::Range<i32>) = ("localhost", 2000..3000);

/// A proxy that takes encrypted connections and passes on what comes.
struct Proxy {
    port: u16,
    acceptor: Arc<Mutex<TlsAcceptor>>,
    connections: Arc<Mutex<JoinSet<()>>>,
    refused: Arc<AtomicUsize>,
}

impl Proxy {
    async fn start(to: &str, acceptor: TlsAcceptor) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let proxy = Proxy {
            port: listener.local_addr().unwrap().port(),
            acceptor: Arc::new(Mutex::new(acceptor)),
            connections: Arc::default(),
            refused: Arc::default(),
        };
        let (acceptor, connections, refused) =
            (Arc::clone(&proxy.acceptor), Arc::clone(&proxy.connections), Arc::clone(&proxy.refused));
        let to = to.to_owned();
        tokio::spawn(async move {
            while let Ok((tcp, _)) = listener.accept().await {
                let (acceptor, to, refused) = (acceptor.lock().unwrap().clone(), to.clone(), Arc::clone(&refused));
                connections.lock().unwrap().spawn(async move {
                    match acceptor.accept(tcp).await {
                        Ok(mut outside) => {
                            let mut inside = TcpStream::connect(to).await.unwrap();
                            // Either side may hang up as it likes.
                            let _ = tokio::io::copy_bidirectional(&mut outside, &mut inside).await;
                        }
                        Err(_) => drop(refused.fetch_add(1, Ordering::SeqCst)),
                    }
                });
            }
        });
        proxy
    }

    /// From now on shows another certificate; connections that are there break.
    fn present(&self, acceptor: TlsAcceptor) {
        *self.acceptor.lock().unwrap() = acceptor;
        self.hang_up();
    }

    /// Breaks all connections without a word.
    fn hang_up(&self) {
        self.connections.lock().unwrap().abort_all();
    }
}

async fn server(folder: &Path) -> ServerProcess {
    ServerProcess::start(Path::new(env!("CARGO_BIN_EXE_unum")), folder).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_behind_an_encrypting_proxy_that_drops_its_connections() {
    let (data, served, authority) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), Authority::new("a friend"));
    let server = server(served.path()).await;
    let proxy = Proxy::start(server.server().authority(), authority.acceptor(GOOD.0, GOOD.1)).await;
    let address = format!("https://localhost:{}", proxy.port);
    let args = ["play", "--plain", &address, "--pace", "instant", "--clock", "600"];
    let mut game = Piped::of(authority.unum(&args, data.path()));
    let link = game.wait_for("link", 0, |text| {
        let link = text.split("At the table ").nth(1)?;
        link.contains('\n').then(|| link.lines().next().unwrap_or_default().to_owned())
    });
    assert!(link.starts_with(&format!("{address}/t/")), "{link}");
    for line in ["bot normal", "bot easy", "start"] {
        game.send(line);
    }
    let mut from = game.wait_for("first cards", 0, |text| text.find("You hold "));
    for turn in 0..9 {
        let asked = game.wait_for("question", from, |new| question(new).map(str::to_owned));
        from += asked.len();
        if turn == 3 {
            proxy.hang_up();
        }
        if turn == 6 {
            // Somebody else's certificate is waited out: nothing is sent to its owner.
            proxy.present(Authority::new("a stranger").acceptor(GOOD.0, GOOD.1));
            game.wait_for("notice", from, |new| new.contains("The connection is lost").then_some(()));
            let began = Instant::now();
            while proxy.refused.load(Ordering::SeqCst) == 0 {
                assert!(began.elapsed() < Duration::from_secs(60), "nobody looks at the certificate");
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            proxy.present(authority.acceptor(GOOD.0, GOOD.1));
        }
        if turn == 3 || turn == 6 {
            game.wait_for("notice", from, |new| new.contains("Connected again.").then_some(()));
            from = game.length();
        }
        from = game.reply(&answer(&asked), from);
    }
    let (code, text) = game.end();
    assert_eq!(code, Some(0), "{text}");
    // The same link takes one back to the same seat.
    let again = printed(&output(authority.unum(&["play", &link], data.path()), "people\n"));
    assert!(again.contains("\nAnn: you, host."), "{again}");
}

/// The end of a program that does not get in: its code, and what it says about it.
fn refusal(output: &Output) -> String {
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    message
}

#[tokio::test(flavor = "multi_thread")]
async fn a_certificate_that_is_not_trusted_is_refused_with_a_reason() {
    let (data, served, authority) =
        (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap(), Authority::new("a friend"));
    let server = server(served.path()).await;
    let proxy = Proxy::start(server.server().authority(), authority.acceptor(GOOD.0, GOOD.1)).await;
    let (port, plain) = (proxy.port, server.server().authority().to_owned());
    let address = format!("https://localhost:{port}");
    let play = |address: &str| refusal(&output(authority.unum(&["play", address], data.path()), ""));
    for (acceptor, words) in [
        (Authority::new("a stranger").acceptor(GOOD.0, GOOD.1), "nobody this machine knows has signed it"),
        (Authority::new("a friend").acceptor(GOOD.0, GOOD.1), "nobody this machine knows has signed it"),
        (authority.acceptor("uno.example.org", GOOD.1), "it is for uno.example.org: is the address right?"),
        (authority.acceptor(GOOD.0, 2000..2020), "it has expired"),
        (authority.acceptor(GOOD.0, 2900..3000), "it is not valid yet"),
    ] {
        proxy.present(acceptor);
        let message = play(&address);
        assert!(message.contains(&format!("the certificate of localhost:{port} is not trusted: ")), "{message}");
        assert!(message.contains(words), "{message}");
    }
    assert!(!data.path().join("unum/servers").exists(), "nobody has signed in");
    let message = play(&format!("https://{plain}"));
    assert!(message.contains(&format!("the server at {plain} does not speak https")), "{message}");
    let message = play(&format!("http://localhost:{port}"));
    assert!(message.contains("write https:// instead of http://"), "{message}");
    let mut nobody = authority.unum(&["play", &address], data.path());
    nobody.env("SSL_CERT_FILE", data.path().join("no-such-file"));
    let message = refusal(&output(nobody, ""));
    assert!(message.contains("this machine trusts no certificates at all"), "{message}");
}
