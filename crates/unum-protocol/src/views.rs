//! A table as one viewer may see it.

use serde::{Deserialize, Serialize};
use unum_rules::fair::{Commitment, FairDeal, Pledge};
use unum_rules::wire::{ChoiceForm, ViewForm};
use unum_rules::{Seat, Stakes};

use crate::{LessonView, Level, Look, Person, RequestKind};

/// What a table is doing.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read, strum::VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Stage {
    /// Agreeing on rules, taking chairs.
    #[default]
    Lobby,
    /// A round is being played.
    Playing,
    /// A round is over; the scores are shown.
    Scores,
    /// The match is over.
    Over,
    /// Everybody has left.
    Closed,
}

/// Who sits where: the same for everybody at the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LobbyView {
    /// What the table is doing.
    pub stage: Stage,
    /// The code of the table, which invites others.
    pub code: String,
    /// The host; nobody until the guest who opened the table has come.
    pub host: Option<Person>,
    /// Whether the host stands in for the owner of the table, until they are back.
    pub acting: bool,
    /// Whether nobody new may enter.
    pub locked: bool,
    /// Whether the bots have played without a person for so long that they now wait for one.
    pub paused: bool,
    /// The chairs, by seat.
    pub chairs: Vec<ChairView>,
    /// Everybody at the table.
    pub people: Vec<PersonView>,
    /// The accusation that is voted on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub accusation: Option<AccusationView>,
    /// The fair deal: commitments, pledges, and what was revealed.
    pub fair: FairView,
}

/// What concerns only one person at a table.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnView {
    /// The types of requests they can make now. Each is accepted in at least one form, unless it comes too fast.
    pub may: Vec<RequestKind>,
    /// The people they have muted.
    pub muted: Vec<Person>,
    /// People removed from the table and kept out, oldest first; only the host is told.
    pub kicked: Vec<KickedView>,
}

/// Somebody who was removed from a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KickedView {
    /// The number they had.
    pub person: Person,
    /// Their name at that time.
    pub name: String,
    /// Whether newcomers from their address are kept out too.
    pub address: bool,
}

impl LobbyView {
    /// Where a person sits.
    pub fn seat_of(&self, person: Person) -> Option<Seat> {
        let place = self.chairs.iter().position(|chair| chair.person == Some(person))?;
        Seat::try_from(place).ok()
    }
}

/// A chair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChairView {
    /// The name on it.
    pub name: String,
    /// How they want to look.
    #[serde(default, skip_serializing_if = "Look::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub look: Look,
    /// The person; `None` for a bot.
    pub person: Option<Person>,
    /// The bot that sits there, or plays for the person at the moment.
    pub bot: Option<Level>,
    /// Why it plays for the person.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub away: Option<Away>,
    /// Whether they accepted the rules.
    pub accepted: bool,
    /// Whether they are ready.
    pub ready: bool,
    /// Whether somebody who came later can take it when the round is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub takeable: bool,
    /// Who takes it when the round is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub claim: Option<Person>,
}

/// Somebody at the table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PersonView {
    /// Their number.
    pub person: Person,
    /// Their name.
    pub name: String,
    /// How they want to look.
    #[serde(default, skip_serializing_if = "Look::is_none")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub look: Look,
    /// Where they sit; `None` for onlookers.
    pub seat: Option<Seat>,
    /// Whether they are connected.
    pub connected: bool,
    /// Whether they sit down when the next match begins.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub waiting: bool,
}

/// An accusation by X1.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AccusationView {
    /// Who accuses.
    pub by: Person,
    /// The accused.
    pub seat: Seat,
    /// Who has yet to vote.
    pub waiting: Vec<Person>,
    /// Milliseconds left to vote.
    pub left: u32,
}

/// The fair deal: commitments, pledges, and what was revealed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FairView {
    /// What the table is bound to for the next deal, before anybody pledges a part.
    pub next: Commitment,
    /// The attempt at the next deal: 2 after somebody did not open their part.
    pub attempt: u8,
    /// The pledges for the next deal, by seat; left out while there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub pledges: Vec<Option<Pledge>>,
    /// What the table waits for before it deals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub dealing: Option<DealingView>,
    /// What it was bound to for the round on the table, or for the one that was broken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub dealt: Option<Commitment>,
    /// Everything that determined the cards of that round, once it is over or broken off.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub revealed: Option<FairDeal>,
}

/// A deal in preparation. Clients take part by themselves, without anybody pressing anything.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DealingView {
    /// What the table waits for.
    pub step: DealingStep,
    /// Whose clients it waits for.
    pub waiting: Vec<Seat>,
    /// Milliseconds left for them.
    pub left: u32,
}

/// The two steps before a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum DealingStep {
    /// Everybody pledges a part.
    Pledge,
    /// All pledges are published: everybody opens their part.
    Open,
}

/// The game as one viewer may know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameView {
    /// The number of the round in the match, from 1.
    pub round: u32,
    /// How many moves there were in the round.
    pub at: u32,
    /// What the viewer sees.
    pub view: ViewForm,
    /// What the viewer can do now.
    pub legal: Vec<Choice>,
    /// The clock that runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub clock: Option<ClockView>,
    /// How the match stands, once the round is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub standings: Option<Standings>,
    /// Where the viewer is in the lesson, at a table that teaches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "ts", ts(optional))]
    pub lesson: Option<LessonView>,
}

/// How a match stands after a round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Standings {
    /// The rank of each seat, from 1; equals share one.
    pub ranks: Vec<u8>,
    /// What each seat's cards count that were left when the round ended.
    pub hands: Vec<u32>,
    /// What the points of each seat add up from: the hands that count for it. Nothing where the round brought none.
    pub sums: Vec<Vec<u32>>,
    /// Awards for the match, once it is over, the most telling first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional = nullable))]
    pub awards: Vec<Award>,
}

/// Something a seat did more than any other seat in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Award {
    /// What for.
    pub kind: AwardKind,
    /// Who gets it.
    pub seat: Seat,
    /// How many: cards, times.
    pub count: u32,
}

/// What an award is given for. The first ones are given first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::VariantArray)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum AwardKind {
    /// Wild Draw Fours that were bluffs and went through.
    Bluffs,
    /// Bluffs seen through by a challenge.
    Exposed,
    /// Cards others had to draw because of one's own cards.
    HandedOut,
    /// Players caught without "UNO".
    Catches,
    /// The most cards in one hand.
    BiggestHand,
    /// Cards drawn for any reason.
    Drawn,
    /// Times caught without "UNO".
    Caught,
    /// Attacks blocked.
    Blocks,
    /// Turns lost to others.
    Skipped,
    /// Times "UNO" was called.
    Unos,
}

/// An action the viewer can take, and its stakes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Choice {
    /// The action, without the optional `uno`.
    pub action: ChoiceForm,
    /// What it would mean.
    #[serde(flatten)]
    pub stakes: Stakes,
}

/// A clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ClockView {
    /// Milliseconds left.
    pub left: u32,
    /// Milliseconds in all.
    pub of: u32,
}

/// A line of chat.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChatLine {
    /// The number of the change.
    pub seq: u64,
    /// Who wrote it.
    pub person: Person,
    /// Their name at that time.
    pub name: String,
    /// The words.
    pub text: String,
}

/// What can be said with one tap.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    unum_rules::json::Read,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[strum(serialize_all = "snake_case")]
#[allow(missing_docs)]
pub enum Reaction {
    Hello,
    Thanks,
    WellPlayed,
    Oops,
    Laugh,
    Wow,
    Think,
    Hurry,
    Sorry,
    Cheers,
}

/// Who moved a seat's cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    /// The person in that seat.
    Person,
    /// The bot in that seat.
    Bot,
    /// A bot for a person who is away or out of time.
    Autopilot,
}

/// Why a bot plays for a person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, unum_rules::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Away {
    /// They asked for it.
    Asked,
    /// Too many turns ran out of time.
    TimedOut,
    /// The connection was lost.
    Disconnected,
    /// They have left the table.
    Left,
    /// They did not open their part of the deal: the bot plays the whole round.
    NoPart,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_be_done_is_read_as_it_is_written() {
        for json in [
            r#"{"action":{"type":"draw"},"draws":1}"#,
            r#"{"action":{"type":"play","card":"W+4","color":"red"},"uno":true,"bluff":true}"#,
            r#"{"action":{"type":"discard","cards":["R7"]}}"#,
            r#"{"action":{"type":"discard","count":2}}"#,
        ] {
            let choice: Choice = serde_json::from_str(json).unwrap();
            assert_eq!(serde_json::to_string(&choice).unwrap(), json);
        }
    }
}
