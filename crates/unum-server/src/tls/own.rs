//! A certificate that the server makes for itself, for networks where nobody can have another.
//!
//! It is signed by an authority of the server's own, which people trust once and which is kept next to the data. Name
//! constraints hold that authority to the local network: who trusts it need not fear for any site of the internet. The
//! certificate itself lives in memory. It is made at every start, again when it grows old, and again when somebody reaches
//! the server under an address that it does not name yet.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, ErrorKind, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use rcgen::{
    BasicConstraints, CertificateParams, CidrSubnet, DistinguishedName, DnType, ExtendedKeyUsagePurpose,
    GeneralSubtree, IsCa, Issuer, KeyPair, KeyUsagePurpose, NameConstraints, PublicKeyData as _,
};
use tokio_rustls::rustls::RootCertStore;
use tokio_rustls::rustls::client::WebPkiServerVerifier;
use tokio_rustls::rustls::client::danger::ServerCertVerifier as _;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use tokio_rustls::rustls::sign::CertifiedKey;
use unum_store::private_folder;

use super::validity::not_after;
use super::{TlsError, digest};
use crate::address::Network;
use crate::config::Config;
use crate::origin::name_of;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How long the authority is good for, and how long before its end there is another.
const AUTHORITY_LASTS: Duration = DAY.saturating_mul(3650);
const AUTHORITY_DUE: Duration = DAY.saturating_mul(90);
/// How long a certificate is good for, and after how long there is another. Phones accept 825 days at most.
const LASTS: Duration = DAY.saturating_mul(90);
const RENEWED_AFTER: Duration = DAY.saturating_mul(30);
/// Clocks may differ by this much.
const SKEW: Duration = DAY;
/// How many addresses under which the server was reached are remembered.
const MOST_ADDRESSES: usize = 16;

/// The folder in that of the data, and the files in it.
const FOLDER: &str = "tls";
const KEY_FILE: &str = "authority.key";
const CERT_FILE: &str = "authority.crt";

/// What the authority may sign for, beside the names of the machine: networks and names that nobody owns.
const NETWORKS: [&str; 8] = [
    "10.0.0.0/8",
    "172.16.0.0/12",
    "192.168.0.0/16",
    "100.64.0.0/10",
    "169.254.0.0/16",
    "127.0.0.0/8",
    "fc00::/7",
    "fe80::/10",
];
const NAMES: [&str; 6] = ["localhost", "local", "lan", "internal", "home.arpa", "test"];

/// The server's authority, and what it signs.
#[derive(Debug)]
pub(super) struct Own {
    authority: Authority,
    /// What the certificate is always for.
    names: Vec<String>,
    known: Mutex<Known>,
}

#[derive(Debug)]
struct Known {
    addresses: BTreeSet<IpAddr>,
    /// Addresses that the authority cannot vouch for, so that nobody has to find that out again.
    strange: BTreeSet<IpAddr>,
    made: SystemTime,
}

struct Authority {
    issuer: Issuer<'static, KeyPair>,
    certificate: CertificateDer<'static>,
    pem: String,
    verifier: Arc<WebPkiServerVerifier>,
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").field("certificate", &self.certificate.len()).finish_non_exhaustive()
    }
}

/// Whether the files of an authority, if there are any, can be used.
pub(super) fn check(config: &Config) -> Result<(), TlsError> {
    match folder(config) {
        Some(folder) => Authority::load(&folder).map(drop),
        None => Ok(()),
    }
}

/// The fingerprint of the authority that is kept; `None` if there is none.
pub(super) fn fingerprint_of(config: &Config) -> Result<Option<[u8; 32]>, TlsError> {
    let authority = folder(config).map(|folder| Authority::load(&folder)).transpose()?.flatten();
    Ok(authority.map(|authority| digest(&authority.certificate)))
}

fn folder(config: &Config) -> Option<PathBuf> {
    (!config.ephemeral).then(|| config.data.join(FOLDER))
}

impl Own {
    /// The authority of the data folder, which is made if there is none.
    pub(super) fn of(config: &Config) -> Result<Own, TlsError> {
        let given = given_names(config);
        let authority = match folder(config) {
            None => Authority::new(&given).map_err(|reason| unusable(Path::new(FOLDER), reason))?.0,
            Some(folder) => match Authority::load(&folder)? {
                Some(authority) => authority,
                None => Authority::make(&folder, &given)?,
            },
        };
        let (names, strange): (Vec<_>, Vec<_>) = given.into_iter().partition(|name| authority.covers(name));
        for name in strange {
            tracing::warn!(%name, "the self-made certificate was not made for this name: to have a new one, remove the folder tls");
        }
        let known = Known { addresses: BTreeSet::new(), strange: BTreeSet::new(), made: SystemTime::UNIX_EPOCH };
        let own = Own { authority, names, known: Mutex::new(known) };
        for address in [IpAddr::V4(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into(), config.listen] {
            own.note(address);
        }
        Ok(own)
    }

    pub(super) fn fingerprint(&self) -> [u8; 32] {
        digest(&self.authority.certificate)
    }

    pub(super) fn authority(&self) -> &str {
        &self.authority.pem
    }

    /// A new certificate if it is time for one, or the server was reached under an address that is new.
    pub(super) fn renewed(&self, reached: Option<IpAddr>) -> Option<CertifiedKey> {
        let is_new = reached.is_some_and(|address| self.note(address));
        let made = self.lock().made;
        // A clock that was set back makes a new one, too.
        let is_young = made.elapsed().is_ok_and(|age| age < RENEWED_AFTER);
        if is_young && !is_new {
            return None;
        }
        let key = self.certified();
        key.inspect_err(|why| tracing::warn!(%why, "the self-made certificate could not be renewed")).ok()
    }

    /// Whether an address is one more for the certificate.
    fn note(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let known = self.lock();
        let is_known = known.addresses.contains(&address) || known.strange.contains(&address);
        let is_full = known.addresses.len() + known.strange.len() >= MOST_ADDRESSES;
        drop(known);
        if address.is_unspecified() || is_known || is_full {
            return false;
        }
        // A certificate with a name beyond the constraints would be worth nothing.
        let is_covered = self.authority.covers(&address.to_string());
        let mut known = self.lock();
        let list = if is_covered { &mut known.addresses } else { &mut known.strange };
        list.insert(address) && is_covered
    }

    /// A certificate for everything that is known, made now.
    pub(super) fn certified(&self) -> Result<CertifiedKey, TlsError> {
        let mut known = self.lock();
        let addresses = known.addresses.iter().map(IpAddr::to_string);
        let names = self.names.iter().cloned().chain(addresses).collect::<Vec<_>>();
        let made = self.authority.sign(names).map_err(|reason| unusable(Path::new(FOLDER), reason));
        known.made = SystemTime::now();
        made
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn unusable(folder: &Path, reason: impl std::fmt::Display) -> TlsError {
    TlsError::Own { folder: folder.to_owned(), reason: reason.to_string() }
}

impl Authority {
    /// One with a new key, for these names beside those of every local network.
    fn new(names: &[String]) -> Result<(Authority, String), rcgen::Error> {
        let key = KeyPair::generate()?;
        let mut params = description(&key);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.name_constraints =
            Some(NameConstraints { permitted_subtrees: permitted(names), excluded_subtrees: Vec::new() });
        lasting(&mut params, AUTHORITY_LASTS);
        let certificate = params.self_signed(&key)?;
        let secret = key.serialize_pem();
        let authority = Authority::of(key, certificate.der().clone(), certificate.pem());
        authority.map(|authority| (authority, secret)).ok_or(rcgen::Error::CouldNotParseCertificate)
    }

    fn of(key: KeyPair, certificate: CertificateDer<'static>, pem: String) -> Option<Authority> {
        let mut roots = RootCertStore::empty();
        roots.add(certificate.clone()).ok()?;
        let provider = Arc::new(ring::default_provider());
        let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build().ok()?;
        Some(Authority { issuer: Issuer::new(description(&key), key), certificate, pem, verifier })
    }

    /// Makes one and keeps it. The certificate is written last: without it, there is none yet.
    fn make(folder: &Path, names: &[String]) -> Result<Authority, TlsError> {
        let (authority, key) = Authority::new(names).map_err(|reason| unusable(folder, reason))?;
        let written = private_folder(folder)
            .and_then(|()| write(&folder.join(KEY_FILE), key.as_bytes()))
            .and_then(|()| write(&folder.join(CERT_FILE), authority.pem.as_bytes()));
        written.map_err(|reason| unusable(folder, reason))?;
        Ok(authority)
    }

    /// The one that is kept in a folder; `None` if there is none, or it is about to end.
    fn load(folder: &Path) -> Result<Option<Authority>, TlsError> {
        let pem = match fs::read_to_string(folder.join(CERT_FILE)) {
            Ok(pem) => pem,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(unusable(folder, format!("{CERT_FILE}: {error}"))),
        };
        let key = fs::read_to_string(folder.join(KEY_FILE));
        let key = key.map_err(|error| unusable(folder, format!("{KEY_FILE}: {error}")))?;
        let key = KeyPair::from_pem(&key).map_err(|error| unusable(folder, format!("{KEY_FILE}: {error}")))?;
        let certificate = CertificateDer::from_pem_slice(pem.as_bytes());
        let certificate = certificate.map_err(|_| unusable(folder, format!("{CERT_FILE}: it is no certificate")))?;
        let ends = not_after(&certificate);
        let authority = Authority::of(key, certificate, pem);
        // That it can vouch for this machine shows that key and certificate belong together.
        let authority = authority.filter(|authority| authority.covers("localhost"));
        let authority =
            authority.ok_or_else(|| unusable(folder, format!("{KEY_FILE} does not belong to {CERT_FILE}")))?;
        if ends.is_none_or(|ends| ends < SystemTime::now() + AUTHORITY_DUE) {
            tracing::warn!(
                "the server's own authority ends soon: a new one takes its place, which phones have to trust again"
            );
            return Ok(None);
        }
        Ok(Some(authority))
    }

    /// A certificate for these names and addresses.
    fn sign(&self, names: Vec<String>) -> Result<CertifiedKey, rcgen::Error> {
        let (certificate, key) = self.certificate(names)?;
        let key = PrivateKeyDer::try_from(key.serialize_der()).map_err(|_| rcgen::Error::CouldNotParseKeyPair)?;
        let chain = vec![certificate, self.certificate.clone()];
        CertifiedKey::from_der(chain, key, &ring::default_provider()).map_err(|_| rcgen::Error::CouldNotParseKeyPair)
    }

    fn certificate(&self, names: Vec<String>) -> Result<(CertificateDer<'static>, KeyPair), rcgen::Error> {
        let mut params = CertificateParams::new(names)?;
        params.distinguished_name = called("unum");
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        params.use_authority_key_identifier_extension = true;
        lasting(&mut params, LASTS);
        let key = KeyPair::generate()?;
        Ok((params.signed_by(&key, &self.issuer)?.der().clone(), key))
    }

    /// Whether a certificate from this authority is believed for that name or address.
    fn covers(&self, name: &str) -> bool {
        let Ok(expected) = ServerName::try_from(name.to_owned()) else { return false };
        let Ok((certificate, _)) = self.certificate(vec![name.to_owned()]) else { return false };
        self.verifier.verify_server_cert(&certificate, &[], &expected, &[], UnixTime::now()).is_ok()
    }
}

/// What the authority is in every certificate that it signs; it follows from the key, so nothing else needs to be kept.
fn description(key: &KeyPair) -> CertificateParams {
    let [first, second, third, fourth, ..] = digest(&key.subject_public_key_info());
    let mut params = CertificateParams::default();
    params.distinguished_name = called(&format!("unum {first:02X}{second:02X}{third:02X}{fourth:02X} (local network)"));
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    params
}

fn called(name: &str) -> DistinguishedName {
    let mut called = DistinguishedName::new();
    called.push(DnType::CommonName, name);
    called
}

fn lasting(params: &mut CertificateParams, time: Duration) {
    let now = SystemTime::now();
    (params.not_before, params.not_after) = ((now - SKEW).into(), (now + time).into());
}

fn permitted(names: &[String]) -> Vec<GeneralSubtree> {
    let networks = NETWORKS.iter().filter_map(|network| network.parse::<Network>().ok());
    let networks = networks.map(|network| CidrSubnet::from_addr_prefix(network.address(), network.length()));
    let loopback = CidrSubnet::from_addr_prefix(Ipv6Addr::LOCALHOST.into(), 128);
    let known = NAMES.iter().map(|name| (*name).to_owned());
    let given = names.iter().filter(|name| name.parse::<IpAddr>().is_err()).cloned();
    let given_addresses = names.iter().filter_map(|name| name.parse::<IpAddr>().ok());
    let given_addresses =
        given_addresses.map(|address| CidrSubnet::from_addr_prefix(address, if address.is_ipv4() { 32 } else { 128 }));
    let addresses = networks.chain([loopback]).chain(given_addresses).map(GeneralSubtree::IpAddress);
    addresses.chain(known.chain(given).map(GeneralSubtree::DnsName)).collect()
}

/// The names that the machine has, and those that its host has given to the server.
fn given_names(config: &Config) -> Vec<String> {
    let public = config.public_origin().and_then(|url| name_of(url.split_once("://")?.1));
    let machine = machine().into_iter().flat_map(|name| [format!("{name}.local"), name]);
    let all = ["localhost".to_owned()].into_iter().chain(machine).chain(public).chain(config.allowed_hosts.clone());
    let possible = |name: &String| ServerName::try_from(name.clone()).is_ok();
    let mut seen = BTreeSet::new();
    all.filter(possible).filter(|name| seen.insert(name.clone())).collect()
}

/// The name of this machine, without its domain.
fn machine() -> Option<String> {
    #[cfg(unix)]
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    #[cfg(not(unix))]
    let name = std::env::var("COMPUTERNAME").unwrap_or_default();
    let label = name.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let is_label = !label.is_empty() && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_label.then_some(label)
}

/// Writes a file that only this user can read, as a whole or not at all.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let draft = path.with_extension("new");
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&draft)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(draft, path)
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;

    use super::*;

    fn config(folder: &Path) -> Config {
        Config {
            data: folder.to_owned(),
            tls_self_made: true,
            allowed_hosts: vec!["uno.lan".to_owned(), "uno.example.org".to_owned()],
            ..Config::default()
        }
    }

    /// Whether who trusts the authority believes this certificate for a name.
    fn is_believed(own: &Own, key: &CertifiedKey, name: &str) -> bool {
        let expected = ServerName::try_from(name.to_owned()).unwrap();
        own.authority.verifier.verify_server_cert(&key.cert[0], &key.cert[1..], &expected, &[], UnixTime::now()).is_ok()
    }

    #[test]
    fn it_is_for_local_names_and_every_address_that_is_used() {
        let folder = TempDir::new().unwrap();
        let own = Own::of(&config(folder.path())).unwrap();
        let key = own.certified().unwrap();
        for name in ["localhost", "127.0.0.1", "::1", "uno.lan", "uno.example.org"] {
            assert!(is_believed(&own, &key, name), "{name}");
        }
        assert!(!is_believed(&own, &key, "192.168.1.20"));
        assert!(own.renewed(Some([127, 0, 0, 1].into())).is_none(), "nothing is new");
        let key = own.renewed(Some("::ffff:192.168.1.20".parse().unwrap())).unwrap();
        assert!(is_believed(&own, &key, "192.168.1.20") && is_believed(&own, &key, "localhost"));
        assert!(own.renewed(Some([192, 168, 1, 20].into())).is_none());
        assert!(own.renewed(Some([203, 0, 113, 7].into())).is_none(), "an address of the internet is not covered");
        for last in 30..60 {
            own.renewed(Some([192, 168, 1, last].into()));
        }
        let known = own.lock();
        assert_eq!(known.addresses.len() + known.strange.len(), MOST_ADDRESSES);
        drop(known);
        own.lock().made = SystemTime::now() - RENEWED_AFTER;
        assert!(own.renewed(None).is_some(), "it is old");
        own.lock().made = SystemTime::now() + DAY;
        assert!(own.renewed(None).is_some(), "the clock was set back");
    }

    #[test]
    fn who_trusts_it_need_not_fear_for_other_sites() {
        let folder = TempDir::new().unwrap();
        let own = Own::of(&config(folder.path())).unwrap();
        for name in
            ["example.org", "evil.example.org", "local.example.org", "8.8.8.8", "2001:db8::1", "localhost.evil.example"]
        {
            assert!(!own.authority.covers(name), "{name}");
        }
        for name in ["raspberrypi.local", "10.1.2.3", "172.31.0.1", "fd00::1", "fe80::1", "play.lan"] {
            assert!(own.authority.covers(name), "{name}");
        }
    }

    #[test]
    fn the_authority_outlives_the_server_and_its_key_is_private() {
        let folder = TempDir::new().unwrap();
        let config = config(folder.path());
        check(&config).unwrap();
        assert!(!folder.path().join(FOLDER).exists(), "a check makes nothing");
        let first = Own::of(&config).unwrap();
        check(&config).unwrap();
        let second = Own::of(&config).unwrap();
        assert_eq!(first.fingerprint(), second.fingerprint());
        assert!(is_believed(&first, &second.certified().unwrap(), "localhost"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            let files = folder.path().join(FOLDER);
            assert_eq!((mode(&files), mode(&files.join(KEY_FILE))), (0o700, 0o600));
        }
        // A name that came later is left out, and everything else goes on.
        let named = Config { allowed_hosts: vec!["late.example.org".to_owned()], ..config };
        let later = Own::of(&named).unwrap();
        let key = later.certified().unwrap();
        assert!(is_believed(&later, &key, "localhost") && !is_believed(&later, &key, "late.example.org"));
        let nothing_kept = Config { ephemeral: true, ..named };
        assert_ne!(Own::of(&nothing_kept).unwrap().fingerprint(), first.fingerprint());
    }

    #[test]
    fn damaged_files_are_named_and_an_old_authority_is_replaced() {
        let folder = TempDir::new().unwrap();
        let (config, files) = (config(folder.path()), folder.path().join(FOLDER));
        let first = Own::of(&config).unwrap().fingerprint();
        let key = fs::read(files.join(KEY_FILE)).unwrap();
        fs::write(files.join(KEY_FILE), KeyPair::generate().unwrap().serialize_pem()).unwrap();
        let message = check(&config).unwrap_err().to_string();
        assert!(message.contains("authority.key does not belong to authority.crt"), "{message}");
        fs::write(files.join(KEY_FILE), "nonsense").unwrap();
        assert!(Own::of(&config).unwrap_err().to_string().contains("remove that folder"));
        fs::write(files.join(KEY_FILE), &key).unwrap();
        assert_eq!(Own::of(&config).unwrap().fingerprint(), first);
        // One that was written halfway was never shown to anybody.
        fs::remove_file(files.join(CERT_FILE)).unwrap();
        let second = Own::of(&config).unwrap().fingerprint();
        assert_ne!(second, first);
        let key = KeyPair::from_pem(&fs::read_to_string(files.join(KEY_FILE)).unwrap()).unwrap();
        let mut params = description(&key);
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        lasting(&mut params, AUTHORITY_DUE - DAY);
        fs::write(files.join(CERT_FILE), params.self_signed(&key).unwrap().pem()).unwrap();
        assert_ne!(Own::of(&config).unwrap().fingerprint(), second);
    }
}
