//! Why a table refuses something.

use std::borrow::Cow;

use unum_rules::wire::WireError;
use unum_rules::{Code, Refusal, RulesError, Why};

use crate::wire::ServerMsg;

/// A stable code for programs: one of the table's own, or one of the rules'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleCode {
    /// Only the host may do that.
    NotHost,
    /// Only who has a chair may do that.
    NotSeated,
    /// Not while the table is doing what it does now.
    WrongStage,
    /// There were moves the player had not seen.
    Stale,
    /// All chairs are taken.
    NoChair,
    /// One has a chair already.
    AlreadySeated,
    /// Somebody has not accepted the rules.
    NotAccepted,
    /// Somebody is not ready.
    NotReady,
    /// Another agreement is on the table than the one that was accepted.
    OldAgreement,
    /// Too few to play, or to judge.
    TooFew,
    /// There is nobody of that number at the table.
    NoSuchPerson,
    /// There is no such seat, or not what was looked for in it.
    NoSuchSeat,
    /// The guest was sent away by the host.
    Kicked,
    /// Such settings are not possible.
    BadSettings,
    /// Such a name is not possible.
    BadName,
    /// Such a text is not possible.
    BadText,
    /// Nobody writes at this table.
    ChatOff,
    /// Nobody looks on at this table.
    NoSpectators,
    /// There are too many at the table.
    TooMany,
    /// There is no accusation one could vote on.
    NothingToJudge,
    /// An accusation has to wait, or is one too many.
    NoMoreAccusations,
    /// The table is closed.
    Closed,
    /// The guest is not at this table.
    NotHere,
    /// The rules of the game forbid it.
    Rules(Code),
}

impl TroubleCode {
    /// All of the table's own.
    pub const ALL: [TroubleCode; 23] = [
        TroubleCode::NotHost,
        TroubleCode::NotSeated,
        TroubleCode::WrongStage,
        TroubleCode::Stale,
        TroubleCode::NoChair,
        TroubleCode::AlreadySeated,
        TroubleCode::NotAccepted,
        TroubleCode::NotReady,
        TroubleCode::OldAgreement,
        TroubleCode::TooFew,
        TroubleCode::NoSuchPerson,
        TroubleCode::NoSuchSeat,
        TroubleCode::Kicked,
        TroubleCode::BadSettings,
        TroubleCode::BadName,
        TroubleCode::BadText,
        TroubleCode::ChatOff,
        TroubleCode::NoSpectators,
        TroubleCode::TooMany,
        TroubleCode::NothingToJudge,
        TroubleCode::NoMoreAccusations,
        TroubleCode::Closed,
        TroubleCode::NotHere,
    ];

    /// The word for it, as messages have it.
    pub fn as_str(self) -> &'static str {
        match self {
            TroubleCode::NotHost => "not_host",
            TroubleCode::NotSeated => "not_seated",
            TroubleCode::WrongStage => "wrong_stage",
            TroubleCode::Stale => "stale",
            TroubleCode::NoChair => "no_chair",
            TroubleCode::AlreadySeated => "already_seated",
            TroubleCode::NotAccepted => "not_accepted",
            TroubleCode::NotReady => "not_ready",
            TroubleCode::OldAgreement => "old_agreement",
            TroubleCode::TooFew => "too_few",
            TroubleCode::NoSuchPerson => "no_such_person",
            TroubleCode::NoSuchSeat => "no_such_seat",
            TroubleCode::Kicked => "kicked",
            TroubleCode::BadSettings => "bad_settings",
            TroubleCode::BadName => "bad_name",
            TroubleCode::BadText => "bad_text",
            TroubleCode::ChatOff => "chat_off",
            TroubleCode::NoSpectators => "no_spectators",
            TroubleCode::TooMany => "too_many",
            TroubleCode::NothingToJudge => "nothing_to_judge",
            TroubleCode::NoMoreAccusations => "no_more_accusations",
            TroubleCode::Closed => "closed",
            TroubleCode::NotHere => "not_here",
            TroubleCode::Rules(code) => code.as_str(),
        }
    }
}

/// Something refused: a code, a sentence that says what was wrong and what would be right, the rule behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// For programs.
    pub code: TroubleCode,
    /// For people.
    pub message: Cow<'static, str>,
    /// The id of the rule of the game behind it.
    pub rule: Option<&'static str>,
    /// What the sentence says, as data, if the rules say no.
    pub why: Option<Why>,
}

impl Trouble {
    pub(crate) fn new(code: TroubleCode, message: impl Into<Cow<'static, str>>) -> Trouble {
        Trouble { code, message: message.into(), rule: None, why: None }
    }

    /// The answer to a request.
    pub fn refusal(self, id: Option<u32>) -> ServerMsg {
        ServerMsg::Refused {
            id,
            code: self.code.as_str().to_owned(),
            message: self.message.into_owned(),
            rule: self.rule.map(str::to_owned),
            why: self.why,
        }
    }

    /// The last word to somebody who cannot stay.
    pub(crate) fn bye(self) -> ServerMsg {
        ServerMsg::Bye { code: self.code.as_str().to_owned(), message: self.message.into_owned(), retry: None }
    }
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Trouble {}

impl From<Refusal> for Trouble {
    fn from(refusal: Refusal) -> Trouble {
        let code = TroubleCode::Rules(refusal.code());
        let message = refusal.to_string().into();
        Trouble { code, message, rule: refusal.rule(), why: Some(refusal.why()) }
    }
}

impl From<WireError> for Trouble {
    fn from(error: WireError) -> Trouble {
        Trouble::new(TroubleCode::Rules(error.code), error.message)
    }
}

impl From<RulesError> for Trouble {
    fn from(error: RulesError) -> Trouble {
        Trouble { why: error.why(), ..Trouble::new(TroubleCode::BadSettings, error.to_string()) }
    }
}
