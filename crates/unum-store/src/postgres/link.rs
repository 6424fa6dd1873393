//! Connections to PostgreSQL with time limits of our own, and what their failures mean.

use std::future::Future;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use tokio::task::AbortHandle;
use tokio::time::{sleep, timeout};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Client, Config, Row};

use super::address::DatabaseAddress;
use super::tls::Encrypted;
use crate::StoreError;

/// How long one host may take to log us in. The library's own limit covers only the TCP connection.
const CONNECTING: Duration = Duration::from_secs(3);
/// The head start of a host before the next one is tried in parallel.
const HEAD_START: Duration = Duration::from_millis(100);
/// How long a statement may take, commit included. After that, the connection is dropped. Nothing is ever canceled: a
/// canceled commit that waits for its standby succeeds without it.
const ANSWERING: Duration = Duration::from_secs(10);

/// Why a statement failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// The connection is gone or silent, so it is unknown whether the statement took effect.
    Lost(String),
    /// Conflict with other transactions: nothing was written, and the statement can be retried.
    Again,
    /// This statement cannot be carried out. Nothing was written; other statements are not affected.
    Own(StoreError),
    /// The database cannot carry out such statements at the moment. Nothing was written.
    Refused(StoreError),
}

impl From<Fault> for StoreError {
    fn from(fault: Fault) -> StoreError {
        match fault {
            Fault::Lost(why) => StoreError::Away(why),
            Fault::Again => StoreError::Busy,
            Fault::Own(error) | Fault::Refused(error) => error,
        }
    }
}

impl From<tokio_postgres::Error> for Fault {
    fn from(error: tokio_postgres::Error) -> Fault {
        let Some(answer) = error.as_db_error() else { return unanswered(&chain(&error)) };
        let (code, message) = (answer.code(), answer.message().to_owned());
        match code.code() {
            "40001" | "40P01" => Fault::Again,
            "53100" => Fault::Refused(StoreError::Full),
            _ if *code == SqlState::READ_ONLY_SQL_TRANSACTION => Fault::Refused(StoreError::ReadOnly),
            "42501" => Fault::Refused(StoreError::ReadOnly),
            // The server closes the connection, perhaps while a commit waits for its standby.
            "57P01" | "57P02" | "57P03" | "57P05" | "40003" => Fault::Lost(message),
            code if code.starts_with("08") => Fault::Lost(message),
            code if code.starts_with("22") || code.starts_with("23") => Fault::Own(StoreError::Rejected(message)),
            code if code.starts_with("53") => Fault::Refused(StoreError::Away(message)),
            code if code.starts_with("28") => Fault::Refused(StoreError::Login(message)),
            code => Fault::Refused(StoreError::Io(format!("{message}, {code}"))),
        }
    }
}

/// The meaning of a failure without an answer. The library has no other sign for a missing password or missing TLS.
fn unanswered(why: &str) -> Fault {
    if why.contains("password missing") {
        Fault::Refused(StoreError::Login("it asks for a password, and none was given".to_owned()))
    } else if why.contains("server does not support TLS") {
        Fault::Lost("it offers no TLS: switch `ssl` on there, or add ?sslmode=disable to its address".to_owned())
    } else {
        Fault::Lost(why.to_owned())
    }
}

/// An error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut reason = error.source();
    while let Some(next) = reason {
        text = format!("{text}: {next}");
        reason = next.source();
    }
    text
}

/// Waits for an answer, within the time limit.
pub(crate) async fn answered<T>(work: impl Future<Output = Result<T, impl Into<Fault>>>) -> Result<T, Fault> {
    match timeout(ANSWERING, work).await {
        Ok(result) => result.map_err(Into::into),
        Err(_) => Err(Fault::Lost(format!("no answer within {} s", ANSWERING.as_secs()))),
    }
}

/// A connection. On drop, a broken one is cut and a working one is closed properly.
pub(crate) struct Link {
    client: Client,
    task: AbortHandle,
    broken: AtomicBool,
}

impl Link {
    /// Runs a query with typed values, which saves a round trip and works behind any pooler.
    pub(crate) async fn rows(&self, sql: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        let result = answered(self.client.query_typed(sql, values)).await;
        self.watched(result)
    }

    /// The first row of a query.
    pub(crate) async fn row(&self, sql: &str, values: &[Value<'_>]) -> Result<Option<Row>, Fault> {
        Ok(self.rows(sql, values).await?.into_iter().next())
    }

    /// Runs a statement and returns how many rows it changed.
    pub(crate) async fn run(&self, sql: &str, values: &[Value<'_>]) -> Result<u64, Fault> {
        let result = answered(self.client.execute_typed(sql, values)).await;
        self.watched(result)
    }

    /// Runs statements without values.
    pub(crate) async fn batch(&self, sql: &str) -> Result<(), Fault> {
        let result = answered(self.client.batch_execute(sql)).await;
        self.watched(result)
    }

    /// Does several things in one transaction.
    pub(crate) async fn transact<T>(&self, work: impl AsyncFnOnce(&Link) -> Result<T, Fault>) -> Result<T, Fault> {
        self.batch("BEGIN").await?;
        match work(self).await {
            Ok(value) => self.batch("COMMIT").await.map(|()| value),
            Err(fault) => {
                // If that fails as well, the connection is not used again.
                let _ = self.batch("ROLLBACK").await;
                Err(fault)
            }
        }
    }

    /// Notes whether the connection can be used again.
    pub(crate) fn watched<T>(&self, result: Result<T, Fault>) -> Result<T, Fault> {
        if matches!(result, Err(Fault::Lost(_) | Fault::Refused(_))) {
            self.broken.store(true, Ordering::Relaxed);
        }
        result
    }

    pub(crate) fn is_usable(&self) -> bool {
        !self.broken.load(Ordering::Relaxed) && !self.client.is_closed()
    }
}

impl Deref for Link {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if !self.is_usable() {
            self.task.abort();
        }
    }
}

/// A value with its type.
pub(crate) type Value<'a> = (&'a (dyn ToSql + Sync), Type);

/// A whole number.
pub(crate) fn int(value: &i64) -> Value<'_> {
    (value, Type::INT8)
}

/// An optional whole number.
pub(crate) fn maybe_int(value: &Option<i64>) -> Value<'_> {
    (value, Type::INT8)
}

/// Yes or no.
pub(crate) fn yes_or_no(value: &bool) -> Value<'_> {
    (value, Type::BOOL)
}

/// A text.
pub(crate) fn text<'a>(value: &'a (impl ToSql + Sync)) -> Value<'a> {
    (value, Type::TEXT)
}

/// Bytes.
pub(crate) fn bytes<'a>(value: &'a (impl ToSql + Sync)) -> Value<'a> {
    (value, Type::BYTEA)
}

/// Many texts.
pub(crate) fn texts<'a>(value: &'a (impl ToSql + Sync)) -> Value<'a> {
    (value, Type::TEXT_ARRAY)
}

/// Many whole numbers.
pub(crate) fn ints(value: &Vec<i64>) -> Value<'_> {
    (value, Type::INT8_ARRAY)
}

/// Connects to a database with one or more hosts, one of which accepts writes.
pub(crate) struct Connector {
    hosts: Vec<Config>,
    encrypted: Encrypted,
    /// The host of the last connection, which is tried first.
    last: AtomicUsize,
}

impl Connector {
    pub(crate) fn new(address: &DatabaseAddress) -> Result<Connector, StoreError> {
        let encrypted = Encrypted::trusting(address.root().map(AsRef::as_ref))?;
        Ok(Connector { hosts: address.hosts(), encrypted, last: AtomicUsize::new(0) })
    }

    /// Opens a connection to the host that accepts writes. Tries the last one first, then each of the others a moment
    /// later, so that a silent host delays nobody.
    pub(crate) async fn connect(&self) -> Result<Link, Fault> {
        let first = self.last.load(Ordering::Relaxed);
        let mut attempts: FuturesUnordered<_> = (0..self.hosts.len())
            .map(|step| async move {
                sleep(HEAD_START * u32::try_from(step).unwrap_or(u32::MAX)).await;
                let at = (first + step) % self.hosts.len();
                (at, self.connect_to(&self.hosts[at]).await)
            })
            .collect();
        let mut fault = Fault::Lost("no host".to_owned());
        while let Some((at, attempt)) = attempts.next().await {
            match attempt {
                Ok(link) => {
                    self.last.store(at, Ordering::Relaxed);
                    return Ok(link);
                }
                Err(other) => fault = other,
            }
        }
        Err(fault)
    }

    async fn connect_to(&self, host: &Config) -> Result<Link, Fault> {
        let silent = || Fault::Lost(format!("a host did not answer within {} s", CONNECTING.as_secs()));
        let (client, connection) =
            timeout(CONNECTING, host.connect(self.encrypted.clone())).await.map_err(|_| silent())??;
        let task = tokio::spawn(async move {
            // Those who wait for an answer are told why it ended.
            let _ = connection.await;
        });
        Ok(Link { client, task: task.abort_handle(), broken: AtomicBool::new(false) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_that_is_missing_is_no_broken_connection() {
        let missing = unanswered("error connecting: invalid configuration: password missing");
        assert!(matches!(missing, Fault::Refused(StoreError::Login(_))), "{missing:?}");
        assert_eq!(unanswered("connection closed"), Fault::Lost("connection closed".to_owned()));
        let plain = unanswered("error performing TLS handshake: server does not support TLS");
        assert!(matches!(&plain, Fault::Lost(why) if why.contains("sslmode=disable")), "{plain:?}");
    }
}
