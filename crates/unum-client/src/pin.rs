//! Certificate pinning: a server that is known by a fingerprint, as those are that made their certificate themselves.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use tokio_rustls::rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use tokio_rustls::rustls::{
    CertificateError, ClientConfig, DigitallySignedStruct, Error, OtherError, RootCertStore, SignatureScheme,
};

/// The SHA-256 of a certificate, written as 64 hexadecimal digits with or without colons.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fingerprint(pub [u8; 32]);

impl Fingerprint {
    fn of(certificate: &[u8]) -> Fingerprint {
        Fingerprint(Sha256::digest(certificate).into())
    }

    /// Connects to servers with this fingerprint.
    pub(crate) fn connector(self) -> TlsConnector {
        let provider = Arc::new(ring::default_provider());
        let builder = ClientConfig::builder_with_provider(Arc::clone(&provider));
        let builder =
            builder.with_safe_default_protocol_versions().expect("the provider knows the versions it comes with");
        let verifier = Arc::new(Pinned { fingerprint: self, provider });
        let mut config = builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
        config.alpn_protocols = vec![b"http/1.1".to_vec()];
        TlsConnector::from(Arc::new(config))
    }
}

impl FromStr for Fingerprint {
    type Err = String;

    fn from_str(text: &str) -> Result<Fingerprint, String> {
        let wrong =
            || "a fingerprint is 64 hexadecimal digits, with or without colons, as the server shows it".to_owned();
        let digits: String = text.chars().filter(|letter| !matches!(letter, ':' | ' ')).collect();
        if digits.len() != 64 || !digits.is_ascii() {
            return Err(wrong());
        }
        let mut bytes = [0; 32];
        for (byte, at) in bytes.iter_mut().zip((0..64).step_by(2)) {
            *byte = u8::from_str_radix(&digits[at..at + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Fingerprint(bytes))
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, byte) in self.0.iter().enumerate() {
            write!(f, "{}{byte:02X}", if at == 0 { "" } else { ":" })?;
        }
        Ok(())
    }
}

/// A server showed another certificate than the expected one.
#[derive(Debug, thiserror::Error)]
#[error("the certificate has the fingerprint {0}")]
pub(crate) struct Stranger(pub(crate) Fingerprint);

impl Stranger {
    pub(crate) fn of(error: &OtherError) -> Option<&Stranger> {
        error.0.downcast_ref()
    }
}

/// Trusts one certificate, whatever names it is for, and what it has signed, for the names in there.
#[derive(Debug)]
struct Pinned {
    fingerprint: Fingerprint,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for Pinned {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        rest: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        // That the server has its key is shown by the handshake.
        if Fingerprint::of(certificate) == self.fingerprint {
            return Ok(ServerCertVerified::assertion());
        }
        let Some(authority) = rest.iter().find(|authority| Fingerprint::of(authority) == self.fingerprint) else {
            let found = Fingerprint::of(rest.last().unwrap_or(certificate));
            return Err(CertificateError::Other(OtherError(Arc::new(Stranger(found)))).into());
        };
        let mut roots = RootCertStore::empty();
        roots.add(authority.clone().into_owned())?;
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&self.provider));
        let verifier = verifier.build().map_err(|error| Error::General(error.to_string()))?;
        verifier.verify_server_cert(certificate, rest, name, ocsp, now)
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_read_as_they_are_shown() {
        let bytes = std::array::from_fn(|at| at as u8 * 8);
        let shown = Fingerprint(bytes).to_string();
        assert!(shown.starts_with("00:08:10:18") && shown.len() == 95, "{shown}");
        let bare = shown.replace(':', "").to_lowercase();
        for text in [shown.as_str(), &bare, &format!(" {bare}")] {
            assert_eq!(text.parse(), Ok(Fingerprint(bytes)));
        }
        for wrong in ["", "00", &bare[1..], &format!("{bare}0"), &format!("{}x", &bare[1..]), &"é".repeat(32)] {
            assert!(wrong.parse::<Fingerprint>().unwrap_err().contains("64 hexadecimal"), "{wrong}");
        }
    }
}
