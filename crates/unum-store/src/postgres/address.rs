//! Where a PostgreSQL database is, and how to log in. Nothing here ever shows a password.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

/// What an address looks like, for messages.
const RIGHT: &str = "postgres://USER@HOST:PORT/DATABASE, with several HOST:PORT separated by commas if there are \
                     several; options follow a question mark: sslmode=disable or require, sslrootcert=FILE";

/// The address of a PostgreSQL database. It is displayed without its password.
#[derive(Clone, PartialEq, Eq)]
pub struct DatabaseAddress {
    config: Config,
    /// The address as given, without the password.
    shown: String,
    encryption: Encryption,
    /// A file with trusted certificates, instead of those that the machine trusts.
    root: Option<PathBuf>,
}

/// Whether connections are encrypted. If they are, the certificate and the name in it are always checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Encryption {
    /// Encrypted unless the host is this machine.
    Elsewhere,
    Always,
    Never,
}

impl DatabaseAddress {
    /// The same with this password, replacing that of the address.
    #[must_use]
    pub fn with_password(mut self, password: &str) -> DatabaseAddress {
        self.config.password(password);
        self
    }

    /// Whether the address itself contained a password.
    pub fn has_password(&self) -> bool {
        self.config.get_password().is_some()
    }

    /// The file with trusted certificates.
    pub(crate) fn root(&self) -> Option<&PathBuf> {
        self.root.as_ref()
    }

    /// A configuration for each host: they are tried separately, each with a time limit of its own.
    pub(crate) fn hosts(&self) -> Vec<Config> {
        let ports = self.config.get_ports();
        let port = |at: usize| ports.get(at).or(ports.first()).copied().unwrap_or(5432);
        let hosts = self.config.get_hosts().iter().enumerate();
        hosts.map(|(at, host)| self.single(host, port(at))).collect()
    }

    fn single(&self, host: &Host, port: u16) -> Config {
        let mut config = Config::new();
        match host {
            Host::Tcp(name) => config.host(name),
            #[cfg(unix)]
            Host::Unix(path) => config.host_path(path),
        };
        config.port(port).application_name("unum").target_session_attrs(TargetSessionAttrs::ReadWrite);
        let is_encrypted = match self.encryption {
            Encryption::Elsewhere => !is_here(host),
            Encryption::Always => true,
            Encryption::Never => false,
        };
        config.ssl_mode(if is_encrypted { SslMode::Require } else { SslMode::Disable });
        if let Some(user) = self.config.get_user() {
            config.user(user);
        }
        if let Some(password) = self.config.get_password() {
            config.password(password);
        }
        if let Some(name) = self.config.get_dbname() {
            config.dbname(name);
        }
        if let Some(options) = self.config.get_options() {
            config.options(options);
        }
        config
    }
}

/// Whether a host is this machine, so that nobody can eavesdrop.
fn is_here(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback()),
        #[cfg(unix)]
        Host::Unix(_) => true,
    }
}

impl FromStr for DatabaseAddress {
    type Err = String;

    /// The message never repeats the address, which may contain a password.
    fn from_str(text: &str) -> Result<DatabaseAddress, String> {
        let scheme = ["postgres://", "postgresql://"].into_iter().find(|scheme| text.starts_with(scheme));
        let scheme = scheme.ok_or_else(|| format!("an address of a database is {RIGHT}"))?;
        let (place, query) = text[scheme.len()..].split_once('?').unwrap_or((&text[scheme.len()..], ""));
        let (mut encryption, mut root, mut kept) = (Encryption::Elsewhere, None, Vec::new());
        for option in query.split('&').filter(|option| !option.is_empty()) {
            match option.split_once('=').unwrap_or((option, "")) {
                ("sslmode", mode) => encryption = encryption_of(mode)?,
                ("sslrootcert", path) => root = Some(PathBuf::from(path)),
                _ => kept.push(option),
            }
        }
        let plain = format!("{scheme}{place}{}{}", if kept.is_empty() { "" } else { "?" }, kept.join("&"));
        // The parser's message may repeat parts of the address.
        let config = plain.parse::<Config>().map_err(|_| format!("an address of a database is {RIGHT}"))?;
        if config.get_hosts().is_empty() {
            return Err(format!("the address of the database names no host: it is {RIGHT}"));
        }
        Ok(DatabaseAddress { config, shown: shown(scheme, place, query), encryption, root })
    }
}

fn encryption_of(mode: &str) -> Result<Encryption, String> {
    match mode {
        "disable" => Ok(Encryption::Never),
        "require" | "verify-ca" | "verify-full" => Ok(Encryption::Always),
        _ => Err("sslmode is disable or require; certificates are always checked".to_owned()),
    }
}

/// The address without passwords.
fn shown(scheme: &str, place: &str, query: &str) -> String {
    let (authority, path) = place.split_once('/').map_or((place, String::new()), |(a, p)| (a, format!("/{p}")));
    let authority = match authority.rsplit_once('@') {
        Some((user, hosts)) => format!("{}@{hosts}", user.split(':').next().unwrap_or_default()),
        None => authority.to_owned(),
    };
    let options: Vec<&str> =
        query.split('&').filter(|option| !option.is_empty() && !option.starts_with("password")).collect();
    let mark = if options.is_empty() { "" } else { "?" };
    format!("{scheme}{authority}{path}{mark}{}", options.join("&"))
}

impl fmt::Display for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for DatabaseAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.shown, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> DatabaseAddress {
        text.parse().unwrap()
    }

    #[test]
    fn a_password_is_never_shown() {
        let addresses = [
            "postgres://ann:hunter2@db.example/unum",
            "postgres://ann:hun%40ter2@a:1,b:2/unum?sslmode=require",
            "postgresql://ann@h/unum?password=hunter2&sslmode=disable",
        ];
        for address in addresses {
            let address = read(address);
            assert!(address.has_password());
            let shown = format!("{address} {address:?} {:?}", address.clone().with_password("hunter3"));
            assert!(!shown.contains("hun"), "{shown}");
            assert!(shown.contains("ann@"), "{shown}");
        }
        for wrong in
            ["mysql://ann:hunter2@h/d", "postgres://ann:hunter2@h:port/d", "postgres://ann:hunter2@h/d?x=hunter2"]
        {
            let message = wrong.parse::<DatabaseAddress>().unwrap_err();
            assert!(!message.contains("hunter2") && message.contains("postgres://USER@HOST"), "{message}");
        }
    }

    #[test]
    fn every_host_is_tried_by_itself() {
        let hosts = read("postgres://ann@a:1,b:2,[::1]:3/unum?options=-cx%3D1").hosts();
        let ports: Vec<u16> = hosts.iter().flat_map(|host| host.get_ports().to_vec()).collect();
        assert_eq!(ports, [1, 2, 3]);
        for host in &hosts {
            assert_eq!((host.get_hosts().len(), host.get_user(), host.get_dbname()), (1, Some("ann"), Some("unum")));
            assert_eq!(host.get_target_session_attrs(), TargetSessionAttrs::ReadWrite);
            assert_eq!(host.get_options(), Some("-cx=1"));
        }
    }

    #[test]
    fn connections_to_other_machines_are_encrypted_unless_that_is_forbidden() {
        let modes = |text: &str| read(text).hosts().iter().map(Config::get_ssl_mode).collect::<Vec<_>>();
        assert_eq!(
            modes("postgres://ann@localhost,127.0.0.1,db/unum"),
            [SslMode::Disable, SslMode::Disable, SslMode::Require]
        );
        assert_eq!(modes("postgres://ann@db/unum?sslmode=disable"), [SslMode::Disable]);
        assert_eq!(modes("postgres://ann@localhost/unum?sslmode=verify-full"), [SslMode::Require]);
        let error = "postgres://ann@db/unum?sslmode=prefer".parse::<DatabaseAddress>().unwrap_err();
        assert!(error.contains("disable or require"), "{error}");
        assert_eq!(read("postgres://ann@db/u?sslrootcert=/etc/ca.pem").root(), Some(&PathBuf::from("/etc/ca.pem")));
    }
}
