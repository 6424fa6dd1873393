//! Every code a client can meet that is not about the game: why a connection ends, why a message or an HTTP request
//! is refused. docs/protocol.md lists them. The codes of refused requests at a table come from `unum-table`.

/// Why the server ends a connection: the `code` of a `bye` and the number of the WebSocket close frame after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ByeCode {
    /// The server is being stopped or started anew. Come back.
    Stopping,
    /// The same guest has connected to the same table again; the newer connection counts.
    Replaced,
    /// The journal could not be written. Nothing unacknowledged happened. Come back.
    Storage,
    /// The client reads too slowly: more waits for it than the server keeps. Come back and resume.
    Slow,
    /// The client went on sending much faster than allowed.
    Flood,
    /// A message was longer than 4096 bytes.
    TooLong,
    /// A binary message: everything here is text.
    NotText,
    /// A text message was not valid UTF-8.
    BadText,
    /// A frame broke the WebSocket protocol; compressed frames are among those, as compression was not agreed on.
    Protocol,
    /// The first message did not come in time.
    NoHello,
    /// The first message was no valid `hello`.
    BadHello,
    /// The client speaks another version of the protocol.
    BadVersion,
    /// Neither a cookie, nor a header, nor the `hello` has the token of a guest.
    NoGuest,
    /// There is no open table with that code.
    NoTable,
    /// The guest has as many connections as one guest may have, or the server as many tables as it may have.
    TooMany,
    /// Nothing was heard from the client, though it was pinged.
    Silent,
    /// The guest has left the table or was sent away.
    Dismissed,
}

impl ByeCode {
    /// All of them.
    pub const ALL: [ByeCode; 17] = [
        ByeCode::Stopping,
        ByeCode::Replaced,
        ByeCode::Storage,
        ByeCode::Slow,
        ByeCode::Flood,
        ByeCode::TooLong,
        ByeCode::NotText,
        ByeCode::BadText,
        ByeCode::Protocol,
        ByeCode::NoHello,
        ByeCode::BadHello,
        ByeCode::BadVersion,
        ByeCode::NoGuest,
        ByeCode::NoTable,
        ByeCode::TooMany,
        ByeCode::Silent,
        ByeCode::Dismissed,
    ];

    /// The code in a `bye`.
    pub fn id(self) -> &'static str {
        self.facts().0
    }

    /// The number in the close frame.
    pub fn close_code(self) -> u16 {
        self.facts().1
    }

    /// Milliseconds after which to come back, where that is worth it.
    pub fn retry(self) -> Option<u32> {
        self.facts().2
    }

    /// What people are told.
    pub fn message(self) -> &'static str {
        self.facts().3
    }

    fn facts(self) -> (&'static str, u16, Option<u32>, &'static str) {
        match self {
            ByeCode::Stopping => ("stopping", 1001, Some(2_000), "The server is stopping; nothing is lost."),
            ByeCode::Replaced => {
                ("replaced", 4001, None, "You have connected to this table again; this older connection ends.")
            }
            ByeCode::Storage => {
                ("storage", 4002, Some(2_000), "The server cannot write its journal at the moment; come back soon.")
            }
            ByeCode::Slow => ("slow", 4003, Some(1_000), "You read too slowly; come back and resume."),
            ByeCode::Flood => ("flood", 4004, Some(30_000), "You went on sending much faster than allowed."),
            ByeCode::TooLong => ("too_long", 1009, None, "A message has at most 4096 bytes."),
            ByeCode::NotText => ("not_text", 1003, None, "Messages are text, never binary."),
            ByeCode::BadText => ("bad_text", 1007, None, "A message was not valid UTF-8."),
            ByeCode::Protocol => {
                ("protocol", 1002, None, "A frame broke the WebSocket protocol; compression was not agreed on.")
            }
            ByeCode::NoHello => ("no_hello", 4005, Some(1_000), "The first message, hello, did not come in time."),
            ByeCode::BadHello => ("bad_hello", 4006, None, "The first message has to be hello."),
            ByeCode::BadVersion => ("bad_version", 4007, None, "The server speaks version 1 of the protocol."),
            ByeCode::NoGuest => {
                ("no_guest", 4008, None, "Your token is missing or unknown: POST /api/guests gives you one.")
            }
            ByeCode::NoTable => ("no_table", 4009, None, "There is no open table with that code."),
            ByeCode::TooMany => ("too_many", 4010, Some(10_000), "Too many connections or tables at the moment."),
            ByeCode::Silent => ("silent", 4011, Some(1_000), "Nothing was heard from you."),
            ByeCode::Dismissed => ("dismissed", 4012, None, "You have left the table or were sent away."),
        }
    }
}

/// Why the server, not the table, refuses a message: the `code` of a `refused`. The connection stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalCode {
    /// The message could not be read.
    BadRequest,
    /// Too many messages in a short time; send it again in a moment.
    TooFast,
}

impl RefusalCode {
    /// All of them.
    pub const ALL: [RefusalCode; 2] = [RefusalCode::BadRequest, RefusalCode::TooFast];

    /// The code in a `refused`.
    pub fn id(self) -> &'static str {
        match self {
            RefusalCode::BadRequest => "bad_request",
            RefusalCode::TooFast => "too_fast",
        }
    }
}

/// Why an HTTP request is refused: the `code` in `{"error":{"code","message"}}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiCode {
    /// The request could not be read.
    BadRequest,
    /// Such a name is not possible.
    BadName,
    /// No token, or an unknown one.
    NoGuest,
    /// The request comes from another site's page.
    ForeignOrigin,
    /// There is no such thing.
    NotFound,
    /// The path does not know this method.
    MethodNotAllowed,
    /// The request took too long to arrive.
    TooSlow,
    /// The body is longer than allowed.
    TooLong,
    /// The body is not `application/json`.
    NotJson,
    /// A WebSocket handshake was expected.
    UpgradeRequired,
    /// Too many requests in a short time.
    TooFast,
    /// A limit on what may exist at once is reached.
    TooMany,
    /// The journal cannot be read or written at the moment.
    Storage,
    /// The server is stopping.
    Stopping,
}

impl ApiCode {
    /// All of them.
    pub const ALL: [ApiCode; 14] = [
        ApiCode::BadRequest,
        ApiCode::BadName,
        ApiCode::NoGuest,
        ApiCode::ForeignOrigin,
        ApiCode::NotFound,
        ApiCode::MethodNotAllowed,
        ApiCode::TooSlow,
        ApiCode::TooLong,
        ApiCode::NotJson,
        ApiCode::UpgradeRequired,
        ApiCode::TooFast,
        ApiCode::TooMany,
        ApiCode::Storage,
        ApiCode::Stopping,
    ];

    /// The code in the answer.
    pub fn id(self) -> &'static str {
        self.facts().0
    }

    /// The HTTP status of the answer.
    pub fn status(self) -> u16 {
        self.facts().1
    }

    fn facts(self) -> (&'static str, u16) {
        match self {
            ApiCode::BadRequest => ("bad_request", 400),
            ApiCode::BadName => ("bad_name", 400),
            ApiCode::NoGuest => ("no_guest", 401),
            ApiCode::ForeignOrigin => ("foreign_origin", 403),
            ApiCode::NotFound => ("not_found", 404),
            ApiCode::MethodNotAllowed => ("method_not_allowed", 405),
            ApiCode::TooSlow => ("too_slow", 408),
            ApiCode::TooLong => ("too_long", 413),
            ApiCode::NotJson => ("not_json", 415),
            ApiCode::UpgradeRequired => ("upgrade_required", 426),
            ApiCode::TooFast => ("too_fast", 429),
            ApiCode::TooMany => ("too_many", 429),
            ApiCode::Storage => ("storage", 503),
            ApiCode::Stopping => ("stopping", 503),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_different_from_each_other() {
        let mut ids: Vec<&str> = ByeCode::ALL.iter().map(|code| code.id()).collect();
        let mut numbers: Vec<u16> = ByeCode::ALL.iter().map(|code| code.close_code()).collect();
        ids.sort_unstable();
        ids.dedup();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!((ids.len(), numbers.len()), (ByeCode::ALL.len(), ByeCode::ALL.len()));
        let mut ids: Vec<&str> = ApiCode::ALL.iter().map(|code| code.id()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), ApiCode::ALL.len());
    }
}
