//! `unum serve` that encrypts by itself, and the programs that connect to it.
#![cfg(unix)]

mod piped;

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use piped::{Piped, output, printed, unum};
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair};

/// A server that has said where it is: its banner, and its address.
fn serving(flags: &[&str], data: &Path) -> (Piped, String, String) {
    let data_folder = data.join("data");
    let place = ["serve", "--listen", "127.0.0.1", "--port", "0", "--data", data_folder.to_str().unwrap()];
    let mut command = unum(&[&place[..], flags].concat(), data);
    command.env("XDG_CONFIG_HOME", "/nowhere");
    let server = Piped::of(command);
    let banner = server.wait_for("banner", 0, |text| text.contains("Ctrl-C").then(|| text.to_owned()));
    let address = banner.split_whitespace().find(|word| word.contains("://127.0.0.1:")).expect("an address").to_owned();
    (server, banner, address)
}

/// What the banner says behind a word.
fn fingerprint(banner: &str) -> String {
    let (_, rest) = banner.split_once("fingerprint").expect("a fingerprint");
    rest.split("(SHA-256)").next().unwrap().split_whitespace().collect()
}

/// The error of a command.
fn complaint(command: Command) -> String {
    let output = output(command, "");
    assert!(!output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_server_with_a_certificate_of_its_own_making() {
    let folder = tempfile::tempdir().unwrap();
    let (server, banner, address) = serving(&["--tls-self-made"], folder.path());
    let plain = address.replacen("https", "http", 1);
    assert!(address.starts_with("https://") && banner.contains(&format!("{plain}/authority.crt")), "{banner}");
    let known = fingerprint(&banner);
    let data = folder.path();
    let tables = printed(&output(unum(&["tables", &address, "--fingerprint", &known], data), ""));
    assert!(tables.contains(&format!("No table at {address}")), "{tables}");
    let played = ["play", "--plain", &address, "--fingerprint", &known];
    let text = printed(&output(unum(&played, data), "people\n"));
    assert!(text.contains(&format!("At the table {address}/t/")) && text.contains("Ann: you, host."), "{text}");
    let games = printed(&output(unum(&["games", &address, "--fingerprint", &known], data), ""));
    assert!(games.contains(&address), "{games}");
    // Who trusts the authority needs no fingerprint.
    let mut trusting = unum(&["tables", &address], data);
    trusting.env("SSL_CERT_FILE", data.join("data/tls/authority.crt"));
    printed(&output(trusting, ""));
    // Nobody else gets in.
    let message = complaint(unum(&["tables", &address, "--fingerprint", &known.replace('A', "B")], data));
    assert!(message.contains("not the one you gave") || !known.contains('A'), "{message}");
    let mut elsewhere = unum(&["tables", &address], data);
    let stranger = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    fs::write(data.join("stranger.pem"), stranger.cert.pem()).unwrap();
    elsewhere.env("SSL_CERT_FILE", data.join("stranger.pem"));
    let message = complaint(elsewhere);
    assert!(message.contains("--fingerprint"), "{message}");
    let message = complaint(unum(&["tables", &plain], data));
    assert!(message.contains(&format!("it says {address}")), "{message}");
    // Supervisors know it by its data.
    let port = address.rsplit(':').next().unwrap();
    let mut health = unum(&["health", "--ready"], data);
    health.env("UNUM_PORT", port).env("UNUM_LISTEN", "127.0.0.1").env("UNUM_TLS_SELF_MADE", "true");
    health.env("UNUM_DATA", data.join("data"));
    assert_eq!(printed(&output(health, "")), "ready\n");
    server.signal(rustix::process::Signal::TERM);
    assert_eq!(server.end().0, Some(0));
    // It is the same one at the next start.
    let (_server, banner, _) = serving(&["--tls-self-made"], folder.path());
    assert_eq!(fingerprint(&banner), known);
}

#[test]
fn health_is_told_by_the_exit_code() {
    let folder = tempfile::tempdir().unwrap();
    let (server, _, address) = serving(&["--ephemeral"], folder.path());
    assert_eq!(printed(&output(unum(&["health", &address], folder.path()), "")), "alive\n");
    server.signal(rustix::process::Signal::TERM);
    server.end();
    let message = complaint(unum(&["health", &address], folder.path()));
    assert!(message.contains("the connection to"), "{message}");
}

struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new(folder: &Path, name: &str) -> Authority {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.distinguished_name.push(DnType::CommonName, name);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let issuer = CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap();
        fs::write(folder.join(format!("{name}.pem")), issuer.pem()).unwrap();
        Authority(issuer)
    }

    /// A certificate and its key, in PEM.
    fn certificate(&self) -> (String, String) {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(["127.0.0.1".to_owned()]).unwrap();
        (params.signed_by(&key, &self.0).unwrap().pem(), key.serialize_pem())
    }
}

#[test]
fn certificates_in_files_are_read_again_when_they_change() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path();
    let (cert, key) = (data.join("cert.pem"), data.join("key.pem"));
    let (first, second) = (Authority::new(data, "first"), Authority::new(data, "second"));
    let put = |path: &Path, text: &str| {
        fs::write(data.join("draft"), text).unwrap();
        fs::rename(data.join("draft"), path).unwrap();
    };
    let (certificate, secret) = first.certificate();
    put(&cert, &certificate);
    put(&key, &secret);
    let flags = ["--tls-cert", cert.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
    let checked = ["serve", "--check-config", "--ephemeral"];
    let check = |words: &[&str]| unum(&[&checked[..], words].concat(), data);
    let text = printed(&output(check(&flags), ""));
    assert!(text.contains("tls_cert = "), "{text}");
    assert!(complaint(check(&flags[..2])).contains("tls_cert and tls_key belong together"));
    assert!(
        complaint(check(&[&flags[..], &["--tls-self-made"]].concat())).contains("tls_self_made makes a certificate")
    );
    assert!(complaint(check(&["--tls-self-made", "--public-url", "http://uno.example.org"])).contains("https://"));
    let (_server, banner, address) = serving(&flags, data);
    assert!(address.starts_with("https://") && !banner.contains("fingerprint"), "{banner}");
    let is_trusted = |by: &str| {
        let mut command = unum(&["tables", &address], data);
        command.env("SSL_CERT_FILE", data.join(format!("{by}.pem"))).env_remove("SSL_CERT_DIR");
        output(command, "").status.success()
    };
    assert!(is_trusted("first") && !is_trusted("second"));
    // A new certificate without its key changes nothing.
    let (certificate, secret) = second.certificate();
    put(&cert, &certificate);
    assert!(complaint(check(&flags)).contains("this key does not belong to the certificate"));
    assert!(is_trusted("first"));
    put(&key, &secret);
    let until = Instant::now() + Duration::from_secs(60);
    while !is_trusted("second") {
        assert!(Instant::now() < until, "the new certificate is never shown");
        std::thread::sleep(Duration::from_millis(50));
    }
    assert!(!is_trusted("first"));
}
