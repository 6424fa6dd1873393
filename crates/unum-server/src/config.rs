//! The configuration: one list of settings, from which flags, environment variables, the file and its documentation are
//! generated.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use unum_protocol::{OWN_PATHS, is_base_part};
use unum_store::DatabaseAddress;

use crate::address::Network;
use crate::admin::AdminToken;
use crate::cluster::NodeSecret;
use crate::traces::Collector;

/// The configuration of a server.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// The address to listen on.
    pub listen: IpAddr,
    /// The port to listen on; 0 for any that is free.
    pub port: u16,
    /// The folder of the database.
    pub data: PathBuf,
    /// The PostgreSQL databases to use in place of the one in the folder.
    pub database: Vec<DatabaseAddress>,
    /// A file with the password for them.
    pub database_password_file: Option<PathBuf>,
    /// Where to listen for other nodes on the same databases; `None` to be alone on them.
    pub node_listen: Option<SocketAddr>,
    /// How other nodes reach this one; `None` for the address it listens on.
    pub node_address: Option<String>,
    /// What all nodes know.
    pub node_secret: Option<NodeSecret>,
    /// A file with it.
    pub node_secret_file: Option<PathBuf>,
    /// How long a stopping node keeps serving after announcing it.
    pub drain_time: Duration,
    /// Whether this node keeps its tables though other nodes run fewer.
    pub hold_tables: bool,
    /// For tests only: for how long a silent node keeps its tables.
    pub lease_term: Option<Duration>,
    /// The certificate to encrypt with, and whatever leads from it to its authority.
    pub tls_cert: Option<PathBuf>,
    /// Its key.
    pub tls_key: Option<PathBuf>,
    /// Whether to encrypt with a certificate that the server makes for the local network.
    pub tls_self_made: bool,
    /// Keep nothing: no folder is used, everything is gone when the server stops.
    pub ephemeral: bool,
    /// How people reach the server, such as `https://uno.example.org` or `https://example.org/uno`; `None` for its own
    /// addresses.
    pub public_url: Option<String>,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Network>,
    /// Other sites whose pages may use this server.
    pub allowed_origins: Vec<String>,
    /// Names under which the server is reached, beside its public address, IP addresses and names of the local network.
    pub allowed_hosts: Vec<String>,
    /// Where to listen for operators; `None`: nowhere.
    pub admin: Option<SocketAddr>,
    /// What operators have to know; needed if others than this machine can reach them.
    pub admin_token: Option<AdminToken>,
    /// A file with it.
    pub admin_token_file: Option<PathBuf>,
    /// What lets somebody read figures there, and nothing else.
    pub metrics_token: Option<String>,
    /// For tests only: the codes and cards of all tables come from this number, so anybody can predict them. A server
    /// that keeps anything does not start with it.
    pub seed: Option<u64>,
    /// For tests only: keep entries in the journal after a snapshot, so all of it can be inspected.
    pub keep_journals: bool,
    /// What is logged.
    pub log: LogLevel,
    /// How it is written.
    pub log_format: LogFormat,
    /// Whether every request and every end of a WebSocket is logged, too.
    pub access_log: bool,
    /// The collector of OpenTelemetry that gets traces; `None`: there are none.
    pub otlp: Option<Collector>,
    /// The limits.
    pub limits: Limits,
}

/// How much is written to the log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LogLevel {
    Off,
    Error,
    #[default]
    Warn,
    Info,
    Debug,
}

/// How the log is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    #[default]
    Text,
    /// For programs: a JSON object a line.
    Json,
}

/// The target of the access log, as `tracing` calls it.
pub const ACCESS: &str = "unum::access";

impl LogLevel {
    const ALL: [(&'static str, LogLevel); 5] = [
        ("off", LogLevel::Off),
        ("error", LogLevel::Error),
        ("warn", LogLevel::Warn),
        ("info", LogLevel::Info),
        ("debug", LogLevel::Debug),
    ];

    /// Its name in the configuration.
    pub fn id(self) -> &'static str {
        LogLevel::ALL.iter().find(|(_, level)| *level == self).map_or("", |(id, _)| id)
    }
}

/// The limits: in total, per address and per guest.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs, reason = "each is explained in the list of settings")]
pub struct Limits {
    pub connections: usize,
    pub connections_per_address: usize,
    pub connections_per_guest: usize,
    pub requests_per_minute: u32,
    pub new_guests_per_minute: u32,
    pub new_tables_per_minute: u32,
    pub new_guests_in_all_per_minute: u32,
    pub new_tables_in_all_per_minute: u32,
    pub wrong_codes_per_minute: u32,
    pub wrong_codes_in_all_per_minute: u32,
    pub tables: usize,
    pub tables_per_address: usize,
    pub tables_per_guest: usize,
    pub messages_per_second: u32,
    pub messages_at_once: u32,
    pub queue_messages: usize,
    pub queue_bytes: usize,
    pub body_bytes: usize,
    pub hello_timeout: Duration,
    pub request_timeout: Duration,
    pub ping_interval: Duration,
    pub unload_after: Duration,
    pub keep_tables_days: u32,
    pub keep_guests_days: u32,
    pub keep_records_days: u32,
    pub keep_chat_days: u32,
    pub table_megabytes: u32,
    pub guest_megabytes: u32,
    pub free_megabytes: u32,
    pub max_database_megabytes: u32,
    pub traces_per_second: u32,
    pub stop_timeout: Duration,
    pub bot_threads: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            connections: 10_000,
            connections_per_address: 100,
            connections_per_guest: 8,
            requests_per_minute: 600,
            new_guests_per_minute: 30,
            new_tables_per_minute: 10,
            new_guests_in_all_per_minute: 600,
            new_tables_in_all_per_minute: 300,
            wrong_codes_per_minute: 10,
            wrong_codes_in_all_per_minute: 300,
            tables: 10_000,
            tables_per_address: 100,
            tables_per_guest: 20,
            messages_per_second: 20,
            messages_at_once: 40,
            queue_messages: 256,
            queue_bytes: 256 * 1024,
            body_bytes: 32 * 1024,
            hello_timeout: Duration::from_secs(10),
            request_timeout: Duration::from_secs(10),
            ping_interval: Duration::from_secs(20),
            unload_after: Duration::from_secs(30),
            keep_tables_days: 90,
            keep_guests_days: 400,
            keep_records_days: 400,
            keep_chat_days: 7,
            table_megabytes: 3,
            guest_megabytes: 256,
            free_megabytes: 256,
            max_database_megabytes: 0,
            traces_per_second: 100,
            stop_timeout: Duration::from_secs(10),
            // One core is left for everything else.
            bot_threads: std::thread::available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1),
        }
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            port: 8080,
            data: default_data_folder(),
            database: Vec::new(),
            database_password_file: None,
            node_listen: None,
            node_address: None,
            node_secret: None,
            node_secret_file: None,
            drain_time: Duration::from_secs(1),
            hold_tables: false,
            lease_term: None,
            tls_cert: None,
            tls_key: None,
            tls_self_made: false,
            ephemeral: false,
            public_url: None,
            trusted_proxies: Vec::new(),
            allowed_origins: Vec::new(),
            allowed_hosts: Vec::new(),
            admin: None,
            admin_token: None,
            admin_token_file: None,
            metrics_token: None,
            seed: None,
            keep_journals: false,
            log: LogLevel::default(),
            log_format: LogFormat::default(),
            access_log: false,
            otlp: None,
            limits: Limits::default(),
        }
    }
}

impl Config {
    /// The address and port to listen on.
    pub fn address(&self) -> SocketAddr {
        SocketAddr::new(self.listen, self.port)
    }

    /// The public address without its path.
    pub fn public_origin(&self) -> Option<&str> {
        self.public_url.as_deref().map(|url| split_url(url).0)
    }

    /// The path below which everything lies: empty, or such as `/uno`.
    pub fn base_path(&self) -> &str {
        self.public_url.as_deref().map_or("", |url| split_url(url).1)
    }

    /// Whether connections are encrypted by the server itself.
    pub fn encrypts(&self) -> bool {
        self.tls_cert.is_some() || self.tls_self_made
    }

    /// The limits of the store.
    pub fn store_options(&self) -> unum_store::Options {
        let megabytes = |count: u32| Some(u64::from(count) << 20);
        unum_store::Options {
            table_bytes: megabytes(self.limits.table_megabytes),
            guest_bytes: megabytes(self.limits.guest_megabytes),
            most_bytes: megabytes(self.limits.max_database_megabytes).filter(|bytes| *bytes > 0),
            keep_journals: self.keep_journals,
            vfs: None,
            membership: unum_store::lease::Membership {
                version: env!("CARGO_PKG_VERSION").to_owned(),
                format: unum_table::FORMAT,
                is_alone: self.node_listen.is_none(),
                ..Default::default()
            },
        }
    }

    /// Combines layers into a configuration; later layers win. A layer is where values come from (for messages) and the
    /// values by key.
    ///
    /// # Errors
    /// When a layer has a key that does not exist or a value that is not possible.
    pub fn layered(layers: &[Layer]) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        for layer in layers {
            for (key, values) in &layer.values {
                let setting = find(key).ok_or_else(|| unknown(&layer.origin, key))?;
                let written = match layer.origin == COMMAND_LINE && setting.is_never_a_flag() {
                    true => Err(
                        "other users of this machine see the command line: name a file with --admin-token-file, or \
                                 set UNUM_ADMIN_TOKEN"
                            .to_owned(),
                    ),
                    false => (setting.write)(&mut config, values),
                };
                written.map_err(|message| ConfigError { origin: layer.origin.clone(), key: key.clone(), message })?;
            }
        }
        Ok(config)
    }

    /// The configuration as a file with comments, which read again gives the same configuration.
    pub fn to_toml(&self) -> String {
        let mut text = String::from(
            "# The configuration of unum serve. Every value can also be given as a flag or in the environment.\n",
        );
        for setting in SETTINGS {
            let values = (setting.read)(self);
            if setting.is_for_tests() && values.is_empty() {
                continue;
            }
            let _ = writeln!(text, "\n# {}", setting.help);
            let _ = writeln!(text, "# --{}  ·  {}", setting.flag(), setting.variable());
            let _ = match (setting.kind, values.as_slice()) {
                (Kind::Text, []) => writeln!(text, "# {} = \"…\"", setting.key),
                (Kind::Text, [value, ..]) => writeln!(text, "{} = {}", setting.key, quoted(value)),
                (Kind::List, values) => {
                    let values: Vec<String> = values.iter().map(|value| quoted(value)).collect();
                    writeln!(text, "{} = [{}]", setting.key, values.join(", "))
                }
                (Kind::Number | Kind::Switch, values) => writeln!(text, "{} = {}", setting.key, values.concat()),
            };
        }
        text
    }
}

fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// Values by key, and where they are from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Layer {
    /// Where: the path of a file, `the environment`, `the command line`.
    pub origin: String,
    /// What: several values only for lists.
    pub values: BTreeMap<String, Vec<String>>,
}

impl Layer {
    /// Reads a file.
    ///
    /// # Errors
    /// When it cannot be read or is not TOML.
    pub fn from_file(path: &Path) -> Result<Layer, ConfigError> {
        let origin = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| ConfigError {
            origin: origin.clone(),
            key: String::new(),
            message: format!("the file cannot be read: {error}"),
        })?;
        Layer::from_toml(origin, &text)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// When it is not TOML, or has values other than texts, numbers, switches and lists of texts.
    pub fn from_toml(origin: String, text: &str) -> Result<Layer, ConfigError> {
        let wrong = |key: &str, message: String| ConfigError { origin: origin.clone(), key: key.to_owned(), message };
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| wrong("", error.to_string()))?;
        let mut values = BTreeMap::new();
        for (key, value) in table {
            let texts = texts(&value)
                .ok_or_else(|| wrong(&key, "a value is a text, a number, true, false or a list of texts".to_owned()))?;
            values.insert(key, texts);
        }
        Ok(Layer { origin, values })
    }

    /// Takes what concerns unum from the variables of an environment; lists are separated by commas.
    ///
    /// # Errors
    /// When a variable that begins with `UNUM_` is not a setting.
    pub fn from_environment(variables: impl IntoIterator<Item = (String, String)>) -> Result<Layer, ConfigError> {
        let origin = "the environment".to_owned();
        let mut values = BTreeMap::new();
        for (name, value) in variables {
            if !name.starts_with(PREFIX) || name == CONFIG_VARIABLE {
                continue;
            }
            let setting = SETTINGS.iter().find(|setting| setting.variable() == name);
            let setting = setting.ok_or_else(|| unknown(&origin, &name))?;
            let texts = match setting.kind {
                // An address of a database can have commas in it.
                Kind::List if setting.key == "database" => value.split_whitespace().map(str::to_owned).collect(),
                Kind::List => {
                    value.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
                }
                _ => vec![value],
            };
            values.insert(setting.key.to_owned(), texts);
        }
        Ok(Layer { origin, values })
    }
}

fn texts(value: &toml::Value) -> Option<Vec<String>> {
    match value {
        toml::Value::String(text) => Some(vec![text.clone()]),
        toml::Value::Integer(number) => Some(vec![number.to_string()]),
        toml::Value::Float(number) => Some(vec![number.to_string()]),
        toml::Value::Boolean(switch) => Some(vec![switch.to_string()]),
        toml::Value::Array(list) => list.iter().map(|item| item.as_str().map(str::to_owned)).collect(),
        toml::Value::Datetime(_) | toml::Value::Table(_) => None,
    }
}

/// The origin of the layer with flags.
pub const COMMAND_LINE: &str = "the command line";
/// What every variable of the environment begins with.
const PREFIX: &str = "UNUM_";
/// The variable that names the file.
pub const CONFIG_VARIABLE: &str = "UNUM_CONFIG";

/// A configuration that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{origin}: {}{message}", if key.is_empty() { String::new() } else { format!("{key}: ") })]
pub struct ConfigError {
    /// Where the trouble is.
    pub origin: String,
    /// Which key; empty if the whole is wrong.
    pub key: String,
    /// What is wrong and what would be right.
    pub message: String,
}

fn unknown(origin: &str, key: &str) -> ConfigError {
    let known: Vec<&str> =
        SETTINGS.iter().filter(|setting| !setting.is_for_tests()).map(|setting| setting.key).collect();
    let message = format!("there is no such setting; there are {}", known.join(", "));
    ConfigError { origin: origin.to_owned(), key: key.to_owned(), message }
}

/// What kind of value a setting has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text, which can be missing.
    Text,
    /// A number; times are in seconds and can have a fraction.
    Number,
    /// On or off.
    Switch,
    /// Any number of texts.
    List,
}

/// Something that can be configured.
#[derive(Debug)]
pub struct Setting {
    /// Its name in the file.
    pub key: &'static str,
    /// What kind of value it has.
    pub kind: Kind,
    /// What to call its value in a help text.
    pub value_name: &'static str,
    /// What it means.
    pub help: &'static str,
    read: fn(&Config) -> Vec<String>,
    write: fn(&mut Config, &[String]) -> Result<(), String>,
}

impl Setting {
    /// Its flag, without the dashes in front; that of a list is in the singular, since it is given once for each.
    pub fn flag(&self) -> String {
        let flag = self.key.replace('_', "-");
        match self.kind {
            Kind::List => flag.replace("proxies", "proxy").replace("origins", "origin").replace("hosts", "host"),
            _ => flag,
        }
    }

    /// Its variable in the environment.
    pub fn variable(&self) -> String {
        format!("{PREFIX}{}", self.key.to_ascii_uppercase())
    }

    /// Whether hosts have no use for it: it is left out of help and examples.
    pub fn is_for_tests(&self) -> bool {
        matches!(self.key, "seed" | "keep_journals" | "lease_term")
    }

    /// Its default in words, the same on every machine.
    pub fn default_words(&self, defaults: &Config) -> String {
        match self.key {
            "bot_threads" => "one per core but one".to_owned(),
            _ => self.value(defaults),
        }
    }

    /// Whether it is refused on the command line, which is no place for a secret.
    pub fn is_never_a_flag(&self) -> bool {
        self.key == "admin_token"
    }

    /// Whether its value is for the server alone.
    pub fn is_secret(&self) -> bool {
        matches!(self.key, "metrics_token" | "node_secret" | "admin_token")
    }

    /// Its value in a configuration, as text.
    pub fn value(&self, config: &Config) -> String {
        (self.read)(config).join(", ")
    }
}

/// The setting with this key.
pub fn find(key: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.key == key)
}

/// What was expected, and what was found instead.
fn unlike(right: &str, found: &str) -> String {
    format!("expected {right}, found {found:?}")
}

fn one<T: std::str::FromStr>(values: &[String], right: &str) -> Result<T, String> {
    let [value] = values else { return Err(format!("one value is expected: {right}")) };
    value.trim().parse().map_err(|_| unlike(right, value))
}

fn seconds(values: &[String]) -> Result<Duration, String> {
    let right = "a number of seconds above 0, at most 86400";
    let seconds: f64 = one(values, right)?;
    let possible = seconds > 0.0 && seconds <= 86_400.0;
    possible.then(|| Duration::from_secs_f64(seconds)).ok_or_else(|| unlike(right, &seconds.to_string()))
}

fn origin(text: &str) -> Result<String, String> {
    let right = "an address of a site such as https://uno.example.org, without a path";
    let trimmed = text.trim().trim_end_matches('/');
    let host = trimmed.strip_prefix("https://").or_else(|| trimmed.strip_prefix("http://"));
    let good = host.is_some_and(|host| !host.is_empty() && !host.contains(['/', ' ', '?', '#', '@', '"', ',']));
    if good { Ok(trimmed.to_ascii_lowercase()) } else { Err(unlike(right, text)) }
}

/// An address as it is kept: the origin, and the path from its slash on, if there is one.
fn split_url(url: &str) -> (&str, &str) {
    let host = url.find("://").map_or(0, |at| at + 3);
    url[host..].find('/').map_or((url, ""), |slash| url.split_at(host + slash))
}

/// The longest path that everything can lie below.
const MOST_BASE: usize = 100;

/// A public address: that of a site, and perhaps a path.
fn public_url(text: &str) -> Result<String, String> {
    let right =
        "an address such as https://uno.example.org or https://example.org/uno, its path in letters, digits, - and _";
    let (site, path) = split_url(text.trim());
    let path = path.trim_end_matches('/');
    let segments = || path.split('/').skip(1);
    if path.len() > MOST_BASE || !segments().all(is_base_part) {
        return Err(unlike(right, text));
    }
    if let Some(own) = segments().find(|segment| OWN_PATHS.contains(segment)) {
        return Err(format!("the server itself has something at /{own}: choose another path"));
    }
    origin(site).map(|site| site + path).map_err(|_| unlike(right, text))
}

fn host(text: &str) -> Result<String, String> {
    let right = "the name of a host such as uno.example.org, without a port";
    let name = text.trim().trim_end_matches('.').to_ascii_lowercase();
    let good =
        !name.is_empty() && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-' || letter == '.');
    if good { Ok(name) } else { Err(unlike(right, text)) }
}

macro_rules! number {
    ($key:ident, $help:literal) => {
        Setting {
            key: stringify!($key),
            kind: Kind::Number,
            value_name: "N",
            help: $help,
            read: |config| vec![config.limits.$key.to_string()],
            write: |config, values| {
                let right = "a whole number from 1 to 1000000000";
                let number = one::<u32>(values, right)?;
                if !(1..=1_000_000_000).contains(&number) {
                    return Err(unlike(right, &number.to_string()));
                }
                config.limits.$key = number.try_into().map_err(|_| right.to_owned())?;
                Ok(())
            },
        }
    };
}

macro_rules! time {
    ($key:ident, $help:literal) => {
        Setting {
            key: stringify!($key),
            kind: Kind::Number,
            value_name: "SECONDS",
            help: $help,
            read: |config| vec![config.limits.$key.as_secs_f64().to_string()],
            write: |config, values| seconds(values).map(|time| config.limits.$key = time),
        }
    };
}

/// Everything that can be configured.
pub const SETTINGS: &[Setting] = &[
    Setting {
        key: "listen",
        kind: Kind::Text,
        value_name: "ADDRESS",
        help: "The address to listen on: 0.0.0.0 for the whole network, 127.0.0.1 for this machine only, :: for IPv6 too",
        read: |config| vec![config.listen.to_string()],
        write: |config, values| one(values, "an IP address such as 0.0.0.0").map(|listen| config.listen = listen),
    },
    Setting {
        key: "port",
        kind: Kind::Number,
        value_name: "PORT",
        help: "The port to listen on; 0 for any free one",
        read: |config| vec![config.port.to_string()],
        write: |config, values| one(values, "a port, 0 to 65535").map(|port| config.port = port),
    },
    Setting {
        key: "data",
        kind: Kind::Text,
        value_name: "DIR",
        help: "The folder of the database: tables, guests, finished games",
        read: |config| vec![config.data.display().to_string()],
        write: |config, values| one(values, "a folder").map(|data| config.data = data),
    },
    Setting {
        key: "database",
        kind: Kind::List,
        value_name: "URL",
        help: "A PostgreSQL database in place of the one in the folder: postgres://USER@HOST/NAME (docs/scale.md); never \
               printed with its password. Several share the tables; in the environment they are separated by spaces",
        read: |config| config.database.iter().map(DatabaseAddress::to_string).collect(),
        write: |config, values| {
            config.database = values.iter().map(|value| value.trim().parse()).collect::<Result<_, _>>()?;
            Ok(())
        },
    },
    Setting {
        key: "database_password_file",
        kind: Kind::Text,
        value_name: "FILE",
        help: "A file with the password for the database, which keeps it out of the process list and the environment",
        read: |config| config.database_password_file.iter().map(|path| path.display().to_string()).collect(),
        write: |config, values| one(values, "a file").map(|path| config.database_password_file = Some(path)),
    },
    Setting {
        key: "node_listen",
        kind: Kind::Text,
        value_name: "ADDRESS:PORT",
        help: "Where to listen for other servers on the same database, in a network of their own; makes this one a node \
               (docs/scale.md)",
        read: |config| config.node_listen.iter().map(SocketAddr::to_string).collect(),
        write: |config, values| {
            one(values, "an IP address with a port such as 10.0.0.11:7500")
                .map(|address| config.node_listen = Some(address))
        },
    },
    Setting {
        key: "node_address",
        kind: Kind::Text,
        value_name: "HOST:PORT",
        help: "How other nodes reach this one, if not at the address it listens on",
        read: |config| config.node_address.iter().cloned().collect(),
        write: |config, values| {
            let right = "a host with a port such as node1.example:7500";
            let address: String = one(values, right)?;
            let good = address.rsplit_once(':').is_some_and(|(host, port)| {
                !host.is_empty()
                    && port.parse::<u16>().is_ok_and(|port| port > 0)
                    && !address.contains(char::is_whitespace)
            });
            if !good {
                return Err(unlike(right, &address));
            }
            config.node_address = Some(address);
            Ok(())
        },
    },
    Setting {
        key: "node_secret",
        kind: Kind::Text,
        value_name: "SECRET",
        help: "The secret that all nodes of a cluster share, at least 16 characters; better in a file. It is never printed",
        read: |_| Vec::new(),
        write: |config, values| {
            config.node_secret = Some(NodeSecret::new(&one::<String>(values, "one secret")?)?);
            Ok(())
        },
    },
    Setting {
        key: "node_secret_file",
        kind: Kind::Text,
        value_name: "FILE",
        help: "A file with that secret",
        read: |config| config.node_secret_file.iter().map(|path| path.display().to_string()).collect(),
        write: |config, values| one(values, "a file").map(|path| config.node_secret_file = Some(path)),
    },
    Setting {
        key: "drain_time",
        kind: Kind::Number,
        value_name: "SECONDS",
        help: "Seconds a stopping node keeps serving after /readyz says so, for load balancers to notice",
        read: |config| vec![config.drain_time.as_secs_f64().to_string()],
        write: |config, values| {
            let right = "a number of seconds, at most 3600";
            let seconds: f64 = one(values, right)?;
            if !(0.0..=3600.0).contains(&seconds) {
                return Err(unlike(right, &seconds.to_string()));
            }
            config.drain_time = Duration::from_secs_f64(seconds);
            Ok(())
        },
    },
    Setting {
        key: "hold_tables",
        kind: Kind::Switch,
        value_name: "",
        help: "Give no tables in play to nodes that run fewer; without it, each node gets its share",
        read: |config| vec![config.hold_tables.to_string()],
        write: |config, values| one(values, "true or false").map(|keep| config.hold_tables = keep),
    },
    Setting {
        key: "lease_term",
        kind: Kind::Number,
        value_name: "SECONDS",
        help: "For tests only: seconds for which a silent node keeps its tables",
        read: |config| config.lease_term.iter().map(|term| term.as_secs_f64().to_string()).collect(),
        write: |config, values| seconds(values).map(|term| config.lease_term = Some(term)),
    },
    Setting {
        key: "tls_cert",
        kind: Kind::Text,
        value_name: "FILE",
        help: "Encrypt, with the certificate in this file (PEM, with those between it and its authority); it is read again \
               when it changes",
        read: |config| config.tls_cert.iter().map(|path| path.display().to_string()).collect(),
        write: |config, values| one(values, "a file").map(|path| config.tls_cert = Some(path)),
    },
    Setting {
        key: "tls_key",
        kind: Kind::Text,
        value_name: "FILE",
        help: "The key of that certificate (PEM)",
        read: |config| config.tls_key.iter().map(|path| path.display().to_string()).collect(),
        write: |config, values| one(values, "a file").map(|path| config.tls_key = Some(path)),
    },
    Setting {
        key: "tls_self_made",
        kind: Kind::Switch,
        value_name: "",
        help: "Encrypt with a certificate that the server makes for the local network; phones and browsers have to trust it \
               once (docs/hosting.md)",
        read: |config| vec![config.tls_self_made.to_string()],
        write: |config, values| one(values, "true or false").map(|own| config.tls_self_made = own),
    },
    Setting {
        key: "ephemeral",
        kind: Kind::Switch,
        value_name: "",
        help: "Keep everything in memory; it is gone when the server stops",
        read: |config| vec![config.ephemeral.to_string()],
        write: |config, values| one(values, "true or false").map(|ephemeral| config.ephemeral = ephemeral),
    },
    Setting {
        key: "public_url",
        kind: Kind::Text,
        value_name: "URL",
        help: "How people reach the server, such as https://uno.example.org: for links, and with https for secure cookies. \
               With a path, such as https://example.org/uno, everything lies below it",
        read: |config| config.public_url.iter().cloned().collect(),
        write: |config, values| {
            config.public_url = Some(public_url(&one::<String>(values, "one address")?)?);
            Ok(())
        },
    },
    Setting {
        key: "trusted_proxies",
        kind: Kind::List,
        value_name: "NETWORK",
        help: "Reverse proxies whose X-Forwarded-For is trusted, such as 127.0.0.1 or 10.0.0.0/8",
        read: |config| config.trusted_proxies.iter().map(Network::to_string).collect(),
        write: |config, values| {
            config.trusted_proxies = values.iter().map(|value| value.parse()).collect::<Result<_, _>>()?;
            Ok(())
        },
    },
    Setting {
        key: "allowed_origins",
        kind: Kind::List,
        value_name: "URL",
        help: "Other sites whose pages may use this server, such as http://localhost:5173",
        read: |config| config.allowed_origins.clone(),
        write: |config, values| {
            config.allowed_origins = values.iter().map(|value| origin(value)).collect::<Result<_, _>>()?;
            Ok(())
        },
    },
    Setting {
        key: "allowed_hosts",
        kind: Kind::List,
        value_name: "NAME",
        help: "Other names of this server, such as uno.lan; its public_url, IP addresses, localhost, names without a dot and \
               those in .local are always accepted",
        read: |config| config.allowed_hosts.clone(),
        write: |config, values| {
            config.allowed_hosts = values.iter().map(|value| host(value)).collect::<Result<_, _>>()?;
            Ok(())
        },
    },
    Setting {
        key: "admin",
        kind: Kind::Text,
        value_name: "ADDRESS:PORT",
        help: "Where operators reach the server: a page, /metrics, and what `unum admin` does. A port alone is on this \
               machine only; any other address needs a token",
        read: |config| config.admin.iter().map(SocketAddr::to_string).collect(),
        write: |config, values| {
            let right = "a port such as 9090, or an IP address with a port such as 10.0.0.5:9090";
            let text: String = one(values, right)?;
            let local = text.trim().parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
            let address = local.ok().or_else(|| text.trim().parse().ok());
            config.admin = Some(address.ok_or_else(|| unlike(right, &text))?);
            Ok(())
        },
    },
    Setting {
        key: "admin_token",
        kind: Kind::Text,
        value_name: "SECRET",
        help: "The token that operators need, at least 16 characters: in the environment or, better, in a file. It is never \
               printed",
        read: |_| Vec::new(),
        write: |config, values| {
            config.admin_token = Some(AdminToken::new(&one::<String>(values, "one token")?)?);
            Ok(())
        },
    },
    Setting {
        key: "admin_token_file",
        kind: Kind::Text,
        value_name: "FILE",
        help: "A file with that token",
        read: |config| config.admin_token_file.iter().map(|path| path.display().to_string()).collect(),
        write: |config, values| one(values, "a file").map(|path| config.admin_token_file = Some(path)),
    },
    Setting {
        key: "metrics_token",
        kind: Kind::Text,
        value_name: "SECRET",
        help: "A bearer token for /metrics, /healthz and /readyz of the listener for operators, and for nothing else there",
        read: |config| config.metrics_token.iter().cloned().collect(),
        write: |config, values| {
            let right = "a secret of at least 16 visible characters without spaces";
            let token: String = one(values, right)?;
            if token.len() < 16 || !token.chars().all(|letter| letter.is_ascii_graphic()) {
                return Err(right.to_owned());
            }
            config.metrics_token = Some(token);
            Ok(())
        },
    },
    Setting {
        key: "log",
        kind: Kind::Text,
        value_name: "LEVEL",
        help: "How much to log on standard error: off, error, warn, info, debug; never names, tokens or the codes of tables",
        read: |config| vec![config.log.id().to_owned()],
        write: |config, values| {
            let id: String = one(values, "one level")?;
            let level = LogLevel::ALL.iter().find(|(known, _)| *known == id);
            let (_, level) = level.ok_or_else(|| unlike("one of off, error, warn, info, debug", &id))?;
            config.log = *level;
            Ok(())
        },
    },
    Setting {
        key: "log_format",
        kind: Kind::Text,
        value_name: "FORMAT",
        help: "How the log is written: text for people, json for programs, with the ids of requests and tables",
        read: |config| vec![if config.log_format == LogFormat::Json { "json" } else { "text" }.to_owned()],
        write: |config, values| {
            config.log_format = match one::<String>(values, "text or json")?.as_str() {
                "text" => LogFormat::Text,
                "json" => LogFormat::Json,
                other => return Err(unlike("text or json", other)),
            };
            Ok(())
        },
    },
    Setting {
        key: "access_log",
        kind: Kind::Switch,
        value_name: "",
        help: "Log every HTTP request and every end of a WebSocket, too: what kind, how it went, how long it took",
        read: |config| vec![config.access_log.to_string()],
        write: |config, values| one(values, "true or false").map(|on| config.access_log = on),
    },
    Setting {
        key: "otlp",
        kind: Kind::Text,
        value_name: "URL",
        help: "Send traces to the OpenTelemetry collector at this address, such as http://localhost:4318 (OTLP over HTTP, JSON): \
               how long requests and turns of tables take, without names, tokens or codes",
        read: |config| config.otlp.iter().map(Collector::to_string).collect(),
        write: |config, values| {
            config.otlp = Some(one::<String>(values, "one address")?.parse()?);
            Ok(())
        },
    },
    Setting {
        key: "seed",
        kind: Kind::Number,
        value_name: "N",
        help: "For tests only, with --ephemeral: deal from this seed; anybody can then predict the cards",
        read: |config| config.seed.iter().map(u64::to_string).collect(),
        write: |config, values| one(values, "a whole number").map(|seed| config.seed = Some(seed)),
    },
    Setting {
        key: "keep_journals",
        kind: Kind::Switch,
        value_name: "",
        help: "For tests only: keep all entries of journals",
        read: |config| config.keep_journals.then(|| "true".to_owned()).into_iter().collect(),
        write: |config, values| one(values, "true or false").map(|keep| config.keep_journals = keep),
    },
    number!(connections, "Connections at once"),
    number!(
        connections_per_address,
        "Connections at once from one address; a /64 of IPv6 counts as one, a /56 as 4, a /48 as 16"
    ),
    number!(connections_per_guest, "Connections to tables at once, per guest"),
    number!(requests_per_minute, "HTTP requests per minute from one address, including WebSocket handshakes"),
    number!(new_guests_per_minute, "New guests per minute from one address"),
    number!(new_tables_per_minute, "New tables per minute from one address, and per guest"),
    number!(new_guests_in_all_per_minute, "New guests per minute from everywhere"),
    number!(new_tables_in_all_per_minute, "New tables per minute from everywhere"),
    number!(wrong_codes_per_minute, "Codes of tables that do not exist, tried per minute from one address"),
    number!(wrong_codes_in_all_per_minute, "The same from everywhere; above it, only public tables let strangers in"),
    number!(tables, "Tables in memory at once; tables without people leave it"),
    number!(tables_per_address, "Tables in memory at once that were opened or brought back from one address"),
    number!(tables_per_guest, "Tables in memory at once that were opened or brought back by one guest"),
    number!(messages_per_second, "Messages per second on one connection, sustained"),
    number!(messages_at_once, "Messages on one connection that may come in a burst"),
    number!(queue_messages, "Messages that may wait for a client to read them before it is disconnected as too slow"),
    number!(queue_bytes, "Bytes that may wait for a client to read them before it is disconnected as too slow"),
    number!(body_bytes, "Bytes in the body of an HTTP request"),
    time!(hello_timeout, "Seconds for the first message on a WebSocket"),
    time!(request_timeout, "Seconds for an HTTP request to arrive, its head and its body each"),
    time!(ping_interval, "Seconds between pings; a connection silent for three of them is closed"),
    time!(unload_after, "Seconds after which a table without people leaves memory; it comes back when somebody comes"),
    number!(keep_tables_days, "Days after which a table that nobody has touched is deleted; finished games stay"),
    number!(keep_guests_days, "Days after which a guest who has not come back, and sits nowhere, is forgotten"),
    number!(keep_records_days, "Days after which the record of a finished game is deleted"),
    number!(keep_chat_days, "Days after the last message at a table until its chat is deleted"),
    number!(table_megabytes, "Megabytes a table may take; beyond that it takes no more moves"),
    number!(guest_megabytes, "Megabytes the tables of one guest may take; their finished games may take as much again"),
    number!(free_megabytes, "Megabytes of free disk space below which there are no new tables and guests"),
    Setting {
        key: "max_database_megabytes",
        kind: Kind::Number,
        value_name: "N",
        help: "The most megabytes the database may take; shortly before, no new tables and guests are admitted; 0 for no limit",
        read: |config| vec![config.limits.max_database_megabytes.to_string()],
        write: |config, values| {
            let right = "0, or a whole number from 16 to 1000000000";
            let number = one::<u32>(values, right)?;
            if number != 0 && !(16..=1_000_000_000).contains(&number) {
                return Err(unlike(right, &number.to_string()));
            }
            config.limits.max_database_megabytes = number;
            Ok(())
        },
    },
    number!(traces_per_second, "Traces per second, at most, if there is a collector (otlp); others are left out"),
    time!(stop_timeout, "Seconds a stopping server waits for connections to end"),
    number!(bot_threads, "Searching bots (experts) that may think at the same time"),
];

/// Where the database is if nothing else is said: the platform's folder for the data of programs.
pub fn default_data_folder() -> PathBuf {
    user_folder("XDG_DATA_HOME", ".local/share").join("unum")
}

/// Where the file is looked for if nothing else is said.
pub fn default_config_file() -> PathBuf {
    user_folder("XDG_CONFIG_HOME", ".config").join("unum").join("serve.toml")
}

fn user_folder(variable: &str, in_home: &str) -> PathBuf {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        return named("LOCALAPPDATA").unwrap_or_else(|| PathBuf::from("."));
    }
    if cfg!(target_os = "macos") && named(variable).is_none() {
        return named("HOME").unwrap_or_else(|| PathBuf::from(".")).join("Library/Application Support");
    }
    named(variable).or_else(|| named("HOME").map(|home| home.join(in_home))).unwrap_or_else(|| PathBuf::from("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layer(origin: &str, values: &[(&str, &[&str])]) -> Layer {
        let values = values
            .iter()
            .map(|(key, values)| ((*key).to_owned(), values.iter().map(|value| (*value).to_owned()).collect()));
        Layer { origin: origin.to_owned(), values: values.collect() }
    }

    #[test]
    fn later_layers_win_key_by_key() {
        let file = Layer::from_toml("f.toml".into(), "port = 1\nlog = \"info\"\nping_interval = 0.5").unwrap();
        let variables = [("UNUM_PORT", "2"), ("UNUM_TRUSTED_PROXIES", "10.0.0.0/8, ::1"), ("PATH", "/bin")];
        let variables = variables.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let environment = Layer::from_environment(variables).unwrap();
        let flags = layer("the command line", &[("ephemeral", &["true"]), ("port", &["3"])]);
        let config = Config::layered(&[file, environment, flags]).unwrap();
        assert_eq!((config.port, config.log, config.ephemeral), (3, LogLevel::Info, true));
        assert_eq!(config.limits.ping_interval, Duration::from_millis(500));
        assert_eq!(config.trusted_proxies.len(), 2);
        assert_eq!(config.limits.tables, Limits::default().tables);
    }

    #[test]
    fn what_is_printed_reads_back_as_the_same() {
        let flags = layer(
            "x",
            &[
                ("public_url", &["https://UNO.example.org/"]),
                ("allowed_origins", &["http://a:1", "http://b"]),
                ("data", &["/tmp/a \"b\""]),
                ("stop_timeout", &["2.5"]),
                ("allowed_hosts", &["Uno.LAN", "b.example."]),
                ("metrics_token", &["0123456789abcdef"]),
                ("seed", &["7"]),
                ("max_database_megabytes", &["512"]),
                ("database", &["postgres://unum@a:5432,b:5433/unum?sslmode=require"]),
                ("database_password_file", &["/run/secrets/unum"]),
                ("tls_cert", &["/etc/unum/cert.pem"]),
                ("tls_key", &["/etc/unum/key.pem"]),
                ("tls_self_made", &["true"]),
                ("otlp", &["http://localhost:4318/"]),
            ],
        );
        for config in [Config::default(), Config::layered(&[flags]).unwrap()] {
            let text = config.to_toml();
            let again = Config::layered(&[Layer::from_toml("p".into(), &text).unwrap()]).unwrap();
            assert_eq!(again, config, "{text}");
        }
    }

    #[test]
    fn the_password_of_the_database_is_never_printed() {
        let read = |url: &str| Config::layered(&[layer("the environment", &[("database", &[url])])]);
        let config = read("postgres://unum:hunter2@db/unum").unwrap();
        let shown = format!("{config:?} {}", config.to_toml());
        assert!(shown.contains("postgres://unum@db/unum") && !shown.contains("hunter2"), "{shown}");
        for wrong in ["postgres://unum:hunter2@db:x/unum", "mysql://unum:hunter2@db", "hunter2"] {
            let message = read(wrong).unwrap_err().to_string();
            assert!(message.contains("postgres://USER@HOST") && !message.contains("hunter2"), "{message}");
        }
    }

    #[test]
    fn the_listener_for_operators_is_on_this_machine_unless_an_address_says_otherwise() {
        let read = |text: &str| Config::layered(&[layer("f", &[("admin", &[text])])]);
        assert_eq!(Config::default().admin, None);
        for (text, address) in [("9090", "127.0.0.1:9090"), ("[::1]:9090", "[::1]:9090"), ("0.0.0.0:0", "0.0.0.0:0")] {
            assert_eq!(read(text).unwrap().admin, Some(address.parse().unwrap()), "{text}");
        }
        for wrong in ["", "host:9090", "10.0.0.5", "70000"] {
            assert!(read(wrong).unwrap_err().message.contains("a port such as 9090"), "{wrong}");
        }
    }

    #[test]
    fn the_token_of_operators_is_never_a_flag_and_never_printed() {
        let token = |origin: &str, text: &str| Config::layered(&[layer(origin, &[("admin_token", &[text])])]);
        let config = token("the environment", "correct-horse-battery").unwrap();
        assert!(!format!("{config:?} {}", config.to_toml()).contains("horse"));
        let refused = token(COMMAND_LINE, "correct-horse-battery").unwrap_err().to_string();
        assert!(refused.contains("UNUM_ADMIN_TOKEN") && !refused.contains("horse"), "{refused}");
        assert!(token("the environment", "short").unwrap_err().message.contains("at least 16"));
    }

    #[test]
    fn mistakes_are_named() {
        let read = |text: &str| {
            let layer = Layer::from_toml("f.toml".into(), text);
            layer.and_then(|layer| Config::layered(&[layer])).unwrap_err().to_string()
        };
        assert!(read("prot = 1").starts_with("f.toml: prot: there is no such setting; there are listen, port"));
        assert!(read("port = \"many\"").contains("port: expected a port, 0 to 65535"));
        assert!(read("port = 70000").contains("70000"));
        assert!(read("tables = 0").contains("from 1"));
        assert!(read("max_database_megabytes = 3").contains("from 16"));
        assert!(read("log = \"loud\"").contains("off, error"));
        assert!(read("ping_interval = -1").contains("seconds"));
        assert!(read("public_url = \"uno.example.org\"").contains("https://"));
        for path in ["a b", "a//b", "../x", "%41", "a?b", "a#b", "uno.d"] {
            let message = read(&format!("public_url = \"https://example.org/{path}\""));
            assert!(message.contains("https://example.org/uno, its path in letters"), "{message}");
        }
        assert!(read("public_url = \"https://example.org/games/api\"").contains("has something at /api"));
        assert!(read("trusted_proxies = [\"nobody\"]").contains("a network is"));
        assert!(read("allowed_hosts = [\"a b\"]").contains("the name of a host"));
        assert!(read("metrics_token = \"short\"").contains("at least 16"));
        assert!(read("trusted_proxies = [1]").contains("a list of texts"));
        assert!(read("port = ").contains("f.toml"));
        let variable = [("UNUM_PROT".to_owned(), "1".to_owned())];
        assert!(Layer::from_environment(variable).unwrap_err().to_string().contains("UNUM_PROT"));
    }

    #[test]
    fn a_public_address_may_have_a_path() {
        for (written, origin, base) in [
            ("https://UNO.example.org", "https://uno.example.org", ""),
            ("https://example.org/", "https://example.org", ""),
            ("https://Example.org/uno/", "https://example.org", "/uno"),
            ("http://example.org:8080/Games/uno_2", "http://example.org:8080", "/Games/uno_2"),
        ] {
            let config = Config::layered(&[layer("f", &[("public_url", &[written])])]).unwrap();
            assert_eq!((config.public_origin(), config.base_path()), (Some(origin), base));
            assert_eq!(config.public_url, Some(format!("{origin}{base}")));
        }
        assert_eq!((Config::default().public_origin(), Config::default().base_path()), (None, ""));
    }

    #[test]
    fn keys_flags_and_variables_belong_together() {
        for setting in SETTINGS {
            assert!(setting.key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_'));
            assert!(!setting.help.ends_with('.'), "{}", setting.key);
        }
        assert!(
            !Config::default().to_toml().contains("seed")
                && !Config::default().to_toml().contains("journals")
                && !unknown("f", "x").message.contains("seed")
        );
        let proxies = find("trusted_proxies").unwrap();
        assert_eq!((proxies.flag().as_str(), proxies.variable().as_str()), ("trusted-proxy", "UNUM_TRUSTED_PROXIES"));
    }
}
