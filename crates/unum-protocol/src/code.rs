//! Why something is refused or a connection ends: one family of stable codes for programs.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};
use unum_rules::Code as GameCode;

/// A stable code for programs, the same in `refused`, in `bye` and in the errors of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Code {
    /// The rules of the game say no, or the message could not be read.
    Game(GameCode),
    /// The table says no.
    Table(TableCode),
    /// The server says no.
    Server(ServerCode),
}

impl Code {
    /// The refusal of a message that cannot be read.
    pub const UNREADABLE: Code = Code::Game(GameCode::BadRequest);

    /// Every code there is.
    pub fn all() -> impl Iterator<Item = Code> {
        let table = TableCode::VARIANTS.iter().copied().map(Code::Table);
        let server = ServerCode::VARIANTS.iter().copied().map(Code::Server);
        GameCode::VARIANTS.iter().copied().map(Code::Game).chain(table).chain(server)
    }

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Code::Game(code) => code.into(),
            Code::Table(code) => code.into(),
            Code::Server(code) => code.into(),
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl From<GameCode> for Code {
    fn from(code: GameCode) -> Code {
        Code::Game(code)
    }
}

impl From<TableCode> for Code {
    fn from(code: TableCode) -> Code {
        Code::Table(code)
    }
}

impl From<ServerCode> for Code {
    fn from(code: ServerCode) -> Code {
        Code::Server(code)
    }
}

/// Why a table refuses a request or a newcomer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, IntoStaticStr, VariantArray)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum TableCode {
    /// Only the host may do that.
    NotHost,
    /// Only players with a seat may do that.
    NotSeated,
    /// Not at this stage of the table.
    WrongStage,
    /// There have been moves the player had not seen.
    Stale,
    /// All chairs are taken.
    NoChair,
    /// The person has a chair already.
    AlreadySeated,
    /// Somebody has not accepted the rules.
    NotAccepted,
    /// Somebody is not ready.
    NotReady,
    /// The agreement has changed since the one that was accepted.
    OldAgreement,
    /// Too few to play, or to judge.
    TooFew,
    /// Nobody at the table has that number.
    NoSuchPerson,
    /// There is no such seat, or it does not hold what the request expects.
    NoSuchSeat,
    /// The host has removed the guest, or somebody at the same address.
    Kicked,
    /// The host has locked the table.
    Locked,
    /// The settings are invalid.
    BadSettings,
    /// The name is invalid.
    BadName,
    /// The text is invalid.
    BadText,
    /// Chat is off at this table.
    ChatOff,
    /// This table does not admit onlookers.
    NoSpectators,
    /// There is no room for another person, not even to watch.
    Full,
    /// There is no accusation for the person to vote on.
    NothingToJudge,
    /// It is too soon for an accusation, or there have been too many.
    NoMoreAccusations,
    /// Accusations are off at this table.
    AccusationsOff,
    /// The table is closed.
    Closed,
    /// The guest is not at this table.
    NotHere,
    /// A part of the deal does not match its pledge.
    BadPart,
    /// The person's part of the deal did not come in time: a bot plays this round for them.
    NoPart,
    /// The person or the table has used up a budget: `retry` says when to try again.
    TooSoon,
    /// The lesson asks for something else at this point.
    NotInLesson,
    /// Hints are not given where other people play.
    NoHints,
}

/// Why a server refuses a message or a request over HTTP, or ends a connection.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, unum_rules::json::Read, IntoStaticStr, VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
pub enum ServerCode {
    /// The server is stopping or restarting.
    Stopping,
    /// The same guest has connected to the same table again; the newer connection counts.
    Replaced,
    /// The journal cannot be read or written. Nothing unacknowledged happened.
    Storage,
    /// The client reads too slowly: more waits for it than the server keeps.
    Slow,
    /// The client went on sending much faster than allowed.
    Flood,
    /// A message or a body is longer than allowed.
    TooLong,
    /// A binary message: everything here is text.
    NotText,
    /// A text message is not valid UTF-8.
    NotUtf8,
    /// A frame broke the WebSocket protocol. Compressed frames do: compression is not negotiated.
    Protocol,
    /// The first message did not come in time.
    NoHello,
    /// The first message is not a valid hello.
    BadHello,
    /// The client speaks another version of the protocol.
    BadVersion,
    /// The token of a guest is missing or unknown.
    NoGuest,
    /// No open table has that code.
    NoTable,
    /// A limit on connections or tables is reached.
    TooMany,
    /// The client did not answer a ping.
    Silent,
    /// The guest has left the table or was removed from it.
    Dismissed,
    /// The table or the request failed because of a bug. Nothing that was confirmed is lost.
    Crashed,
    /// The guest was signed out: they have a new token, ended their other connections, or were deleted.
    SignedOut,
    /// Too many messages or requests in a short time; try again in a moment.
    TooFast,
    /// The request comes from another site's page.
    ForeignOrigin,
    /// The request is for another host than this server.
    WrongHost,
    /// There is nothing at that path, or no such thing.
    NotFound,
    /// The path does not support this method.
    MethodNotAllowed,
    /// The request took too long to arrive.
    TooSlow,
    /// The body is not `application/json`.
    NotJson,
    /// A WebSocket handshake was expected.
    UpgradeRequired,
    /// The stored table cannot be read, and trying again will not help.
    Damaged,
    /// The table, or the guest's tables together, have reached their storage quota.
    Quota,
    /// The server is short of disk space: games go on, but nothing new begins.
    NoRoom,
    /// The table moves to another machine; come back at once. Nothing is lost.
    Moved,
    /// A newer version of the server has written to the table, and no node of that version is running.
    Newer,
    /// The operator of the server has banned the guest or the address for a time.
    Banned,
    /// The operator of the server has muted the guest for a time: what they say is not passed on.
    Muted,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_different_from_each_other_and_read_as_they_are_written() {
        let mut words: Vec<&str> = Code::all().map(Code::as_str).collect();
        for code in Code::all() {
            let json = serde_json::to_string(&code).unwrap();
            assert_eq!(json, format!("{:?}", code.as_str()));
            assert_eq!(serde_json::from_str::<Code>(&json).unwrap(), code);
        }
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
        assert!(serde_json::from_str::<Code>(r#""no_match""#).is_err());
    }
}
