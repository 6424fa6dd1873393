//! A guest's account on one server: the token kept between games, and what the server knows about the guest.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use unum_client::{ClientError, Server};
use unum_protocol::rest::{Games, Guest, GuestChange, Listing};
use unum_protocol::review::Season;

use crate::remote::{RemoteError, runtime};
use crate::saved::{private_file, private_folder};

/// A guest's account on one server.
#[derive(Clone, Debug)]
pub struct Account {
    server: Server,
    path: PathBuf,
}

/// The identity on one server: the same guest, and so the same seat, on the next visit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    name: String,
    pub(crate) token: String,
}

impl Account {
    /// The account on that server, stored in that data folder.
    pub fn of(server: &Server, data: &Path) -> Account {
        Account { server: server.clone(), path: data.join("servers").join(file_name(server)) }
    }

    /// The public tables, which can be listed without signing in.
    ///
    /// # Errors
    /// When the server cannot be reached or refuses, as for everything that follows.
    pub fn public_tables(&self) -> Result<Vec<Listing>, RemoteError> {
        Ok(runtime().block_on(self.server.call("GET", "/api/tables", None, None))?)
    }

    /// The guest's tables, and the matches they have played.
    ///
    /// # Errors
    /// Also when the guest has never signed in there.
    pub fn games(&self) -> Result<Games, RemoteError> {
        let known = self.known().ok_or_else(|| RemoteError::Stranger(self.server.url()))?;
        Ok(runtime().block_on(self.server.call("GET", "/api/games", Some(&known.token), None))?)
    }

    /// Luck and play over the games there.
    ///
    /// # Errors
    /// Also when one has never signed in there.
    pub fn season(&self) -> Result<Season, RemoteError> {
        let known = self.known().ok_or_else(|| RemoteError::Stranger(self.server.url()))?;
        Ok(runtime().block_on(self.server.call("GET", "/api/me/season", Some(&known.token), None))?)
    }

    /// The record of a finished match, as JSON.
    ///
    /// # Errors
    /// Also when there is none, or only its players may see it.
    pub fn record(&self, id: &str) -> Result<String, RemoteError> {
        let token = self.known().map(|known| known.token);
        let path = format!("/api/games/{id}");
        let record: serde_json::Value = runtime().block_on(self.server.call("GET", &path, token.as_deref(), None))?;
        Ok(record.to_string())
    }

    fn known(&self) -> Option<Identity> {
        load(&self.path)
    }

    /// Where the witness's state is stored.
    pub(crate) fn deals(&self) -> PathBuf {
        self.path.with_extension("deals.json")
    }

    /// The same guest as before, under the requested name, or a new one; stored for the next time.
    pub(crate) async fn sign_in(&self, name: Option<&str>, default_name: &str) -> Result<Identity, RemoteError> {
        let known = self.known();
        let identity = identify(&self.server, known.as_ref(), name, default_name).await?;
        if known.as_ref() != Some(&identity) {
            keep(&self.path, &identity).map_err(|source| RemoteError::File { path: self.path.clone(), source })?;
        }
        Ok(identity)
    }
}

/// The guest as the server knows them: the same as before if it still does, under the requested name.
async fn identify(
    server: &Server,
    known: Option<&Identity>,
    name: Option<&str>,
    default_name: &str,
) -> Result<Identity, ClientError> {
    if let Some(known) = known {
        let token = Some(known.token.as_str());
        let (status, _) = server.fetch("GET", "/api/me", token, None).await?;
        match name.filter(|name| *name != known.name) {
            Some(name) if status == 200 => {
                let change = GuestChange { name: Some(name.to_owned()), look: None };
                let body = serde_json::to_value(change).unwrap_or_default();
                let guest: Guest = server.call("PATCH", "/api/me", token, Some(&body)).await?;
                return Ok(Identity { name: guest.name, token: known.token.clone() });
            }
            None if status == 200 => return Ok(known.clone()),
            _ => {}
        }
    }
    let guest = server.sign_in(name.or(known.map(|known| known.name.as_str())).unwrap_or(default_name)).await?;
    Ok(Identity { name: guest.name, token: guest.token })
}

/// A file name for a server that is valid on any file system.
fn file_name(server: &Server) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '_' };
    // A token received over an encrypted connection is never sent in the clear.
    let kind = if server.is_encrypted() { "https_" } else { "" };
    let place = server.authority().chars().chain(server.base().chars());
    kind.chars().chain(place.map(plain)).chain(".json".chars()).collect()
}

pub(crate) fn load<T: for<'a> Deserialize<'a>>(path: &Path) -> Option<T> {
    serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
}

/// Writes to a temporary file first, so there is never half a token.
pub(crate) fn keep(path: &Path, what: &impl Serialize) -> std::io::Result<()> {
    private_folder(path.parent().unwrap_or(Path::new(".")))?;
    let beside = path.with_extension(format!("{}.new", std::process::id()));
    let text = serde_json::to_vec(what)?;
    let mut file = private_file(OpenOptions::new().write(true).create(true).truncate(true)).open(&beside)?;
    file.write_all(&text)?;
    file.sync_all()?;
    fs::rename(&beside, path)
}
