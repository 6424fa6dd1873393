//! A certificate and its key in files, which somebody renews now and then.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use tokio::time::MissedTickBehavior;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};
use tokio_rustls::rustls::sign::CertifiedKey;
use tokio_rustls::rustls::{Error, InconsistentKeys};

use super::validity::not_after;
use super::{Shown, TlsError, digest};
use crate::app::App;

/// How often the files are looked at.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// The largest file that is read.
const LARGEST: u64 = 1 << 20;
/// How long before its end a certificate should have been renewed.
const DUE: Duration = Duration::from_secs(7 * 24 * 60 * 60);
/// How often that is said.
const SAY_EVERY: Duration = Duration::from_secs(24 * 60 * 60);

/// Where a certificate and its key are.
#[derive(Clone, Debug)]
pub(super) struct Files {
    cert: PathBuf,
    key: PathBuf,
}

/// What was read from them.
struct Contents {
    cert: Vec<u8>,
    key: Vec<u8>,
}

impl Contents {
    /// Tells contents apart without keeping the key.
    fn mark(&self) -> [u8; 32] {
        digest(&[digest(&self.cert), digest(&self.key)].concat())
    }
}

impl Files {
    pub(super) fn new(cert: &Path, key: &Path) -> Files {
        Files { cert: cert.to_owned(), key: key.to_owned() }
    }

    fn read(&self) -> Result<Contents, TlsError> {
        Ok(Contents { cert: read(&self.cert, "certificate")?, key: read(&self.key, "key of the certificate")? })
    }

    /// The certificate and its key, which belong together.
    pub(super) fn load(&self) -> Result<CertifiedKey, TlsError> {
        self.certified(&self.read()?)
    }

    fn certified(&self, contents: &Contents) -> Result<CertifiedKey, TlsError> {
        let no_certificate = || TlsError::Empty { what: "certificate", label: "CERTIFICATE", path: self.cert.clone() };
        let chain = CertificateDer::pem_slice_iter(&contents.cert).collect::<Result<Vec<_>, _>>();
        let chain = chain.ok().filter(|chain| !chain.is_empty()).ok_or_else(no_certificate)?;
        let key = PrivateKeyDer::from_pem_slice(&contents.key);
        let key = key.map_err(|_| TlsError::Empty { what: "key", label: "PRIVATE KEY", path: self.key.clone() })?;
        CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(|error| match error {
            Error::InconsistentKeys(InconsistentKeys::KeyMismatch) => {
                TlsError::Mismatch { key: self.key.clone(), cert: self.cert.clone() }
            }
            Error::InvalidCertificate(_) => TlsError::Unusable { path: self.cert.clone(), reason: error.to_string() },
            _ => TlsError::Unusable { path: self.key.clone(), reason: error.to_string() },
        })
    }

    /// Shows what is in the files whenever that changes and can be used. The two files may change one after the other, so
    /// a pair that cannot be used is looked at twice before anything is said.
    pub(super) async fn watch(&self, shown: &Shown, app: &App) {
        let mut watch = Watch::new(shown);
        let mut ticks = tokio::time::interval(LOOK_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = ticks.tick() => {}
                () = app.stopped() => return,
            }
            let files = self.clone();
            let read = tokio::task::spawn_blocking(move || {
                let contents = files.read()?;
                Ok((contents.mark(), files.certified(&contents)))
            });
            // A task that was not run because the server stops.
            let Ok(read) = read.await else { return };
            watch.look(read);
        }
    }
}

fn read(path: &Path, what: &'static str) -> Result<Vec<u8>, TlsError> {
    let mut bytes = Vec::new();
    let read = std::fs::File::open(path).and_then(|file| file.take(LARGEST).read_to_end(&mut bytes));
    read.map_err(|error| TlsError::Unreadable { what, path: path.to_owned(), reason: error.to_string() })?;
    Ok(bytes)
}

/// What was found in the files before.
struct Watch<'a> {
    shown: &'a Shown,
    /// What is shown; unknown at the beginning.
    good: Option<[u8; 32]>,
    /// What cannot be used, and whether that was said.
    bad: Option<(String, bool)>,
    /// When somebody was told last that the certificate ends.
    told: Option<Instant>,
}

/// What the files hold, and whether it can be used.
type Found = Result<([u8; 32], Result<CertifiedKey, TlsError>), TlsError>;

impl<'a> Watch<'a> {
    fn new(shown: &'a Shown) -> Watch<'a> {
        Watch { shown, good: None, bad: None, told: None }
    }

    fn look(&mut self, found: Found) {
        match found {
            Ok((mark, _)) if self.good == Some(mark) => self.bad = None,
            Ok((mark, Ok(key))) => {
                let ends = key.cert.first().and_then(|certificate| not_after(certificate));
                if self.good.is_some() || self.bad.is_some() {
                    tracing::info!("a new certificate is in use");
                }
                (self.good, self.bad, self.told) = (Some(mark), None, None);
                self.shown.replace(key);
                self.warn_of(ends);
                return;
            }
            Ok((mark, Err(error))) => self.complain(format!("{mark:x?}"), &error),
            Err(error) => self.complain(error.to_string(), &error),
        }
        let shown = self.shown.0.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        let ends = shown.cert.first().and_then(|certificate| not_after(certificate));
        drop(shown);
        self.warn_of(ends);
    }

    fn complain(&mut self, which: String, why: &TlsError) {
        match &mut self.bad {
            Some((before, said)) if *before == which => {
                if !std::mem::replace(said, true) {
                    tracing::warn!(%why, "the new certificate cannot be used; the old one stays in use");
                }
            }
            bad => *bad = Some((which, false)),
        }
    }

    fn warn_of(&mut self, ends: Option<SystemTime>) {
        let is_due = ends.is_some_and(|ends| ends < SystemTime::now() + DUE);
        if is_due && self.told.is_none_or(|told| told.elapsed() > SAY_EVERY) {
            self.told = Some(Instant::now());
            let left = ends.and_then(|ends| ends.duration_since(SystemTime::now()).ok()).unwrap_or_default();
            let hours = left.as_secs() / 3600;
            tracing::warn!(hours, "the certificate ends soon, or has ended: renew it");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::Arc;

    use tempfile::TempDir;

    use super::*;

    /// Files with a certificate for that name, and the certificate.
    fn written(folder: &Path, name: &str) -> (Files, CertificateDer<'static>) {
        let made = rcgen::generate_simple_self_signed([name.to_owned()]).unwrap();
        let files = Files::new(&folder.join("cert.pem"), &folder.join("key.pem"));
        fs::write(&files.cert, made.cert.pem()).unwrap();
        fs::write(&files.key, made.signing_key.serialize_pem()).unwrap();
        (files, made.cert.der().clone())
    }

    fn shown(shown: &Shown) -> CertificateDer<'static> {
        shown.0.read().unwrap().cert[0].clone()
    }

    fn found(files: &Files) -> Found {
        files.read().map(|contents| (contents.mark(), files.certified(&contents)))
    }

    #[test]
    fn a_new_pair_is_shown_and_a_broken_one_is_not() {
        let folder = TempDir::new().unwrap();
        let (files, first) = written(folder.path(), "one");
        let certificate = Shown::new(files.load().unwrap());
        let mut watch = Watch::new(&certificate);
        watch.look(found(&files));
        assert_eq!(shown(&certificate), first);
        let old_key = fs::read(&files.key).unwrap();
        let (_, second) = written(folder.path(), "two");
        let new_key = fs::read(&files.key).unwrap();
        fs::write(&files.key, &old_key).unwrap();
        watch.look(found(&files));
        assert_eq!(shown(&certificate), first, "the key is not there yet");
        assert!(matches!(watch.bad, Some((_, false))), "which may be a matter of a moment");
        watch.look(found(&files));
        assert!(matches!(watch.bad, Some((_, true))), "but is said if it lasts");
        fs::remove_file(&files.key).unwrap();
        watch.look(found(&files));
        assert_eq!(shown(&certificate), first);
        fs::write(&files.key, &new_key).unwrap();
        watch.look(found(&files));
        assert_eq!((shown(&certificate), watch.bad), (second, None));
        assert_eq!(Arc::strong_count(&certificate), 1);
    }

    #[test]
    fn what_is_wrong_with_the_files_is_named() {
        let folder = TempDir::new().unwrap();
        let (files, _) = written(folder.path(), "one");
        let swapped = Files::new(&files.key, &files.cert);
        let message = swapped.load().unwrap_err().to_string();
        assert!(message.contains("key.pem: there is no certificate in this file"), "{message}");
        let message = Files::new(&files.cert, &files.cert).load().unwrap_err().to_string();
        assert!(message.contains("cert.pem: there is no key in this file"), "{message}");
        let other = TempDir::new().unwrap();
        let (others, _) = written(other.path(), "one");
        let message = Files::new(&files.cert, &others.key).load().unwrap_err().to_string();
        assert!(message.contains("key.pem: this key does not belong to the certificate in "), "{message}");
        let message = Files::new(&folder.path().join("none"), &files.key).load().unwrap_err().to_string();
        assert!(message.contains("none: the file with the certificate cannot be read"), "{message}");
        fs::write(&files.cert, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n").unwrap();
        let message = files.load().unwrap_err().to_string();
        assert!(message.contains("cert.pem: it cannot be used"), "{message}");
    }
}
