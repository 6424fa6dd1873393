//! TLS: which certificates to trust, and what to say about those that cannot be trusted.

use std::io;
use std::sync::{Arc, OnceLock};

use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::{CertificateError, ClientConfig, Error, RootCertStore};

use crate::ClientError;
use crate::pin::{Fingerprint, Stranger};

/// Why a certificate is not trusted, and what can be done about it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Distrust {
    /// It is from an authority that this machine does not trust.
    #[error(
        "nobody this machine knows has signed it; if it is from an authority of your own, let SSL_CERT_FILE name the \
         file with that authority's certificate; if the server made it itself, give the fingerprint that the server shows \
         with --fingerprint"
    )]
    UnknownIssuer,
    /// It is not the one that was expected.
    #[error(
        "its fingerprint is {found}, not the one you gave: ask the server's host for the fingerprint that the server shows"
    )]
    OtherFingerprint {
        /// What was shown instead, the last of the chain.
        found: Fingerprint,
    },
    /// It is for another name.
    #[error("it is for {names}: is the address right?")]
    OtherName {
        /// The names it is for, in words.
        names: String,
    },
    /// It has expired.
    #[error("it has expired: the server's host has to renew it, unless the clock of this machine is wrong")]
    Expired,
    /// It is not valid yet.
    #[error("it is not valid yet: is the clock of this machine right?")]
    NotYet,
    /// Something else.
    #[error("it is not a server's certificate ({0}): the server's host needs another")]
    Unusable(String),
}

/// Makes encrypted connections to servers whose certificates the machine trusts. The trusted certificates are read
/// once.
///
/// # Errors
/// When the machine trusts no authority.
pub(crate) fn connector() -> Result<TlsConnector, ClientError> {
    static CONNECTOR: OnceLock<TlsConnector> = OnceLock::new();
    match CONNECTOR.get() {
        Some(connector) => Ok(connector.clone()),
        None => load().map(|connector| CONNECTOR.get_or_init(|| connector).clone()),
    }
}

fn load() -> Result<TlsConnector, ClientError> {
    let found = rustls_native_certs::load_native_certs();
    let mut roots = RootCertStore::empty();
    // Unreadable certificates are skipped: some machines still have ones in obsolete formats.
    roots.add_parsable_certificates(found.certs);
    if roots.is_empty() {
        let why = found.errors.first().map_or("there are none".to_owned(), ToString::to_string);
        return Err(ClientError::NobodyTrusted(why));
    }
    let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("the provider knows the versions it comes with");
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(TlsConnector::from(Arc::new(config)))
}

/// What went wrong in the TLS handshake.
pub(crate) fn explained(error: io::Error, address: &str) -> ClientError {
    let address = address.to_owned();
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(Error::InvalidCertificate(CertificateError::Other(other))) if Stranger::of(other).is_some() => {
            let found = Stranger::of(other).map_or_else(Fingerprint::default, |stranger| stranger.0);
            ClientError::Certificate { address, why: Distrust::OtherFingerprint { found } }
        }
        Some(Error::InvalidCertificate(problem)) => ClientError::Certificate { address, why: distrust(problem) },
        Some(Error::InvalidMessage(_)) => ClientError::NotEncrypted { address },
        _ => ClientError::Connection { address, source: error },
    }
}

fn distrust(problem: &CertificateError) -> Distrust {
    match problem {
        // The signature does not match if an authority of the same name was recreated.
        CertificateError::UnknownIssuer | CertificateError::BadSignature => Distrust::UnknownIssuer,
        CertificateError::Expired | CertificateError::ExpiredContext { .. } => Distrust::Expired,
        CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => Distrust::NotYet,
        CertificateError::NotValidForName => Distrust::OtherName { names: "somebody else".to_owned() },
        CertificateError::NotValidForNameContext { presented, .. } => Distrust::OtherName { names: names(presented) },
        other => Distrust::Unusable(other.to_string()),
    }
}

/// The names in a certificate, which come as `DnsName("uno.example.org")`.
fn names(presented: &[String]) -> String {
    let bare = |name: &String| {
        let inside = name.split_once('(').map_or(name.as_str(), |(_, inside)| inside.trim_end_matches(')'));
        let plain = |c: &char| c.is_ascii_alphanumeric() || ".-:*_".contains(*c);
        inside.chars().filter(plain).take(80).collect::<String>()
    };
    match presented {
        [] => "nobody in particular".to_owned(),
        several => several.iter().take(4).map(bare).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sentence(problem: CertificateError) -> String {
        let error = io::Error::new(io::ErrorKind::InvalidData, Error::InvalidCertificate(problem));
        explained(error, "uno.example.org:443").to_string()
    }

    #[test]
    fn every_reason_has_a_sentence_that_says_what_to_do() {
        let presented = vec!["DnsName(\"*.example.net\")".to_owned(), "IpAddress(127.0.0.1)".to_owned()];
        let expected = "uno.example.org".try_into().unwrap();
        for (problem, words) in [
            (CertificateError::UnknownIssuer, "SSL_CERT_FILE"),
            (CertificateError::BadSignature, "SSL_CERT_FILE"),
            (CertificateError::Expired, "has to renew it"),
            (CertificateError::NotValidYet, "is the clock of this machine right?"),
            (CertificateError::NotValidForName, "for somebody else: is the address right?"),
            (CertificateError::NotValidForNameContext { expected, presented }, "for *.example.net, 127.0.0.1:"),
            (CertificateError::Revoked, "needs another"),
        ] {
            let sentence = sentence(problem);
            assert!(sentence.starts_with("the certificate of uno.example.org:443 is not trusted: "), "{sentence}");
            assert!(sentence.contains(words), "{sentence}");
        }
    }

    #[test]
    fn names_of_strangers_do_not_command_the_terminal() {
        assert_eq!(names(&["DnsName(\"a\u{1b}[31m\")".to_owned()]), "a31m");
        assert_eq!(names(&[]), "nobody in particular");
    }

    #[test]
    fn a_server_without_encryption_is_told_from_a_broken_connection() {
        let plain = Error::InvalidMessage(tokio_rustls::rustls::InvalidMessage::InvalidContentType);
        let plain = explained(io::Error::new(io::ErrorKind::InvalidData, plain), "h:1");
        assert!(matches!(plain, ClientError::NotEncrypted { .. }), "{plain}");
        let broken = explained(io::ErrorKind::UnexpectedEof.into(), "h:1");
        assert!(matches!(broken, ClientError::Connection { .. }), "{broken}");
    }
}
