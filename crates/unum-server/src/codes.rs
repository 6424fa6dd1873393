//! What the server's codes mean for a connection and for an answer over HTTP. docs/protocol.md lists them.

use unum_protocol::{Refusal, ServerCode, ServerMsg};
use unum_store::StoreError;

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Closing {
    /// The number in the WebSocket close frame.
    pub number: u16,
    /// After how many milliseconds to come back, if at all.
    pub retry: Option<u32>,
    /// What people are told.
    pub message: &'static str,
}

/// How a connection ends with a code; `None` for codes that no connection ends with.
pub fn closing(code: ServerCode) -> Option<Closing> {
    let end = |number, retry, message| Some(Closing { number, retry, message });
    match code {
        ServerCode::Stopping => end(1001, Some(2_000), "The server is restarting; nothing is lost."),
        ServerCode::Replaced => end(4001, None, "You have connected to this table again, so this connection ends."),
        ServerCode::Storage => end(4002, Some(2_000), "The server cannot write its journal right now; come back soon."),
        ServerCode::Slow => end(4003, Some(1_000), "You read too slowly; come back and resume."),
        ServerCode::Flood => end(4004, Some(30_000), "You kept sending much faster than allowed."),
        ServerCode::TooLong => end(1009, None, "A message has at most 4096 bytes."),
        ServerCode::NotText => end(1003, None, "Messages are text, never binary."),
        ServerCode::NotUtf8 => end(1007, None, "A message was not valid UTF-8."),
        ServerCode::Protocol => {
            end(1002, None, "A frame broke the WebSocket protocol; compression was not negotiated.")
        }
        ServerCode::NoHello => end(4005, Some(1_000), "The first message, hello, did not come in time."),
        ServerCode::BadHello => end(4006, None, "The first message must be hello."),
        ServerCode::BadVersion => end(4007, None, "The server speaks version 1 of the protocol."),
        ServerCode::NoGuest => end(4008, None, "Your token is missing or unknown: POST /api/guests gives you one."),
        ServerCode::NoTable => end(4009, None, "There is no open table with that code."),
        ServerCode::TooMany => end(4010, Some(10_000), "There are too many connections or tables right now."),
        ServerCode::Silent => end(4011, Some(1_000), "Nothing was heard from you."),
        ServerCode::Dismissed => end(4012, None, "You have left the table or were removed from it."),
        ServerCode::Damaged => end(4013, None, "This table cannot be restored. The server's log has the reason."),
        ServerCode::Quota => end(4014, None, "This table has used up its space. Open another."),
        ServerCode::Crashed => {
            end(4015, Some(2_000), "Something went wrong at this table. Nothing that was confirmed is lost; come back.")
        }
        ServerCode::SignedOut => end(4016, None, "You were signed out here."),
        ServerCode::TooFast => end(4017, Some(30_000), "Too many wrong codes were tried. Wait a minute."),
        ServerCode::Moved => end(4018, Some(100), "The table is moving to another machine; nothing is lost."),
        ServerCode::Newer => {
            end(4019, Some(10_000), "A newer version of the server has saved this table; come back after the update.")
        }
        ServerCode::Banned => end(4020, None, "Whoever runs this server has banned you for a time."),
        ServerCode::Muted
        | ServerCode::NoRoom
        | ServerCode::ForeignOrigin
        | ServerCode::WrongHost
        | ServerCode::NotFound
        | ServerCode::MethodNotAllowed
        | ServerCode::TooSlow
        | ServerCode::NotJson
        | ServerCode::UpgradeRequired => None,
    }
}

/// Why there is no way to a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unavailable {
    /// There is no such table, or it is closed.
    NoTable,
    /// It cannot be read or written right now.
    Storage,
    /// What is stored of it cannot be read.
    Damaged,
    /// It has reached its storage quota.
    Full,
    /// The limit on tables in memory is reached.
    TooMany,
    /// The server is stopping.
    Stopping,
    /// It has failed; it can be loaded again.
    Crashed,
    /// Too many wrong codes were tried.
    Guarded,
    /// Another node runs it, or is about to.
    Moved,
    /// Only newer nodes can run it.
    Newer,
}

impl Unavailable {
    /// The code by which a connection ends that waits for the table.
    pub(crate) fn code(self) -> ServerCode {
        match self {
            Unavailable::NoTable => ServerCode::NoTable,
            Unavailable::Storage => ServerCode::Storage,
            Unavailable::Damaged => ServerCode::Damaged,
            Unavailable::Full => ServerCode::Quota,
            Unavailable::TooMany => ServerCode::TooMany,
            Unavailable::Stopping => ServerCode::Stopping,
            Unavailable::Crashed => ServerCode::Crashed,
            Unavailable::Guarded => ServerCode::TooFast,
            Unavailable::Moved => ServerCode::Moved,
            Unavailable::Newer => ServerCode::Newer,
        }
    }

    /// What another node says by a code.
    pub(crate) fn of(code: ServerCode) -> Unavailable {
        let all = [
            Unavailable::NoTable,
            Unavailable::Storage,
            Unavailable::Damaged,
            Unavailable::Full,
            Unavailable::TooMany,
            Unavailable::Stopping,
            Unavailable::Crashed,
            Unavailable::Guarded,
            Unavailable::Newer,
        ];
        all.into_iter().find(|why| why.code() == code).unwrap_or(Unavailable::Moved)
    }
}

impl From<Unavailable> for Refusal {
    fn from(why: Unavailable) -> Refusal {
        let message = match why {
            Unavailable::NoTable => "there is no open table with that code",
            Unavailable::Storage => "the journal cannot be used right now; try again",
            Unavailable::Damaged => "this table cannot be restored; the server's log has the reason",
            Unavailable::Full => "this table has used up its space; open another",
            Unavailable::TooMany => "there are too many tables right now; try again later",
            Unavailable::Stopping => "the server is stopping; try again in a moment",
            Unavailable::Crashed => "something went wrong at this table; try again",
            Unavailable::Guarded => "too many wrong codes were tried; wait a minute",
            Unavailable::Moved => "the table is moving to another machine; try again at once",
            Unavailable::Newer => "a newer version of the server has saved this table; try again after the update",
        };
        Refusal::new(why.code(), message)
    }
}

/// What a client is told when the store fails.
pub(crate) fn storage(error: StoreError) -> Refusal {
    match error {
        StoreError::Closed => Unavailable::Stopping.into(),
        error => Refusal::new(ServerCode::Storage, error.to_string()),
    }
}

/// The last message of a connection that ends with a code.
pub(crate) fn bye(code: ServerCode) -> ServerMsg {
    let closing = closing(code);
    let (message, retry) = closing.map_or(("", None), |closing| (closing.message, closing.retry));
    ServerMsg::Bye { code: code.into(), message: message.into(), retry }
}

/// The HTTP status that goes with a code. 400 is for malformed requests, 422 for well-formed ones that are still not
/// possible.
pub(crate) fn status(code: unum_protocol::Code) -> u16 {
    use unum_protocol::{Code, TableCode};
    match code {
        Code::Game(unum_rules::Code::BadRequest) => 400,
        Code::Table(TableCode::NotHere | TableCode::NotHost) => 403,
        Code::Table(TableCode::WrongStage) => 409,
        Code::Game(_) | Code::Table(_) => 422,
        Code::Server(code) => match code {
            ServerCode::NoGuest => 401,
            ServerCode::ForeignOrigin | ServerCode::Banned | ServerCode::Muted => 403,
            ServerCode::NotFound | ServerCode::NoTable => 404,
            ServerCode::MethodNotAllowed => 405,
            ServerCode::TooSlow => 408,
            ServerCode::TooLong => 413,
            ServerCode::NotJson => 415,
            ServerCode::WrongHost => 421,
            ServerCode::UpgradeRequired => 426,
            ServerCode::TooFast | ServerCode::TooMany => 429,
            ServerCode::Crashed => 500,
            ServerCode::Storage | ServerCode::Stopping | ServerCode::Moved | ServerCode::Newer => 503,
            ServerCode::Damaged => 500,
            ServerCode::Quota | ServerCode::NoRoom => 507,
            _ => 400,
        },
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray as _;

    use super::*;

    #[test]
    fn close_frames_have_numbers_of_their_own() {
        let mut numbers: Vec<u16> =
            ServerCode::VARIANTS.iter().filter_map(|code| closing(*code)).map(|closing| closing.number).collect();
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!((numbers.len(), count), (count, 25));
    }

    #[test]
    fn sentences_name_the_bounds_there_are() {
        let sentence = |code| closing(code).unwrap().message;
        assert!(sentence(ServerCode::TooLong).contains(&unum_protocol::MAX_MESSAGE.to_string()));
        assert!(sentence(ServerCode::BadVersion).contains(&format!("version {}", unum_protocol::VERSION)));
    }
}
