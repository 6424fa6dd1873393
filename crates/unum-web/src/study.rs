//! What is over: replays, reviews, analyses and checks of records.

use unum_protocol::local::{More, SeasonEntry, Text, Verified};
use unum_protocol::replay::{self, PageError};
use unum_protocol::rest::{MAX_REPLAY_STEPS, RecordFormat, ReplayQuery};
use unum_protocol::review::{Analysis, GameFigures, ReviewProgress, Season, ServedReview};
use unum_protocol::{Refusal, ServerCode, TableCode};
use unum_review::Reviewer;
use unum_review::season::{self, SeasonGame};
use unum_review::serving::{Look, Sitting, served};
use unum_rules::Seat;
use unum_rules::record::{MAX_RECORD, Record};

/// How often a review or an analysis looks up before it lets others do something: about a millisecond each.
const LOOKS: u32 = 4;

/// Reads a record.
pub(crate) fn read(text: &str) -> Result<Record, Refusal> {
    if text.len() > MAX_RECORD {
        return Err(Refusal::new(ServerCode::TooLong, format!("a record has at most {MAX_RECORD} bytes")));
    }
    Record::parse(text).map_err(|why| Refusal::new(ServerCode::Damaged, why.to_string()))
}

/// A record in another form.
pub(crate) fn write(text: &str, format: RecordFormat) -> Result<Text, Refusal> {
    let record = read(text)?;
    Ok(Text {
        text: match format {
            RecordFormat::Json => record.to_json(),
            RecordFormat::Text => record.to_text(),
        },
    })
}

/// Some steps, as JSON.
pub(crate) fn replay(record: &Record, seat: Option<Seat>, from: u32) -> Result<Vec<u8>, Refusal> {
    let query = ReplayQuery { seat, from, count: MAX_REPLAY_STEPS };
    replay::page(record, &query).map_err(|why| match why {
        PageError::NoSeat { .. } => Refusal::new(TableCode::NoSuchSeat, why.to_string()),
        PageError::Damaged => Refusal::new(ServerCode::Damaged, why.to_string()),
    })
}

/// Plays a record again.
pub(crate) fn verify(text: &str) -> Result<Verified, Refusal> {
    let record = read(text)?;
    record.replay().map_err(|why| Refusal::new(ServerCode::Damaged, why.to_string()))?;
    let seeding = &record.setup.seeding;
    let fair = seeding.number().is_none();
    let alone = (1..).zip(seeding.deals()).filter(|(_, deal)| deal.entropy.iter().all(Option::is_none));
    Ok(Verified {
        fair,
        rounds: record.rounds(),
        moves: record.moves.len() as u32,
        unaided: alone.map(|(round, _)| round).collect(),
        final_state: record.final_state.to_string(),
    })
}

/// What a season keeps of a game before anybody has looked at its review: luck alone. `None` if that cannot be told.
pub(crate) fn luck(record: &Record) -> Option<String> {
    let review = Reviewer::new(record).ok()?.review();
    serde_json::to_string(&season::figures(&review)).ok()
}

/// Luck and play over many games.
pub(crate) fn season(on: bool, games: Vec<SeasonEntry>) -> Season {
    let read = |SeasonEntry { id, ended, seat, levels, figures }: SeasonEntry| {
        let figures: GameFigures = unum_rules::json::from_str(&figures).ok()?;
        SeasonGame::of((id, ended), &figures, &levels, seat)
    };
    season::season(games.into_iter().filter_map(read).collect(), on)
}

/// The review and the analysis that are being made.
#[derive(Default)]
pub(crate) struct Study {
    review: Option<(String, Sitting, bool)>,
    look: Option<Look>,
}

impl Study {
    /// Whether it is that review.
    pub(crate) fn reviews(&self, key: &str) -> bool {
        self.review.as_ref().is_some_and(|(other, ..)| other == key)
    }

    pub(crate) fn begin_review(&mut self, key: String, record: &Record, round: Option<u32>) -> Result<(), Refusal> {
        let rounds = round.map_or(1..=u32::MAX, |round| round..=round);
        let sitting = Sitting::new(record, rounds).map_err(|why| {
            let (code, sentence) = why.tell();
            Refusal::new(code, sentence)
        })?;
        self.review = Some((key, sitting, true));
        Ok(())
    }

    pub(crate) fn review(&self, seat: Option<Seat>) -> Result<ServedReview, Refusal> {
        let (_, sitting, goes_on) = self.review.as_ref().ok_or_else(nothing)?;
        let progress = if *goes_on { ReviewProgress::Thinking } else { ReviewProgress::Done };
        Ok(ServedReview { progress, seat, review: Some(served(sitting.review())) })
    }

    pub(crate) fn figures(&self) -> Result<Text, Refusal> {
        let (_, sitting, _) = self.review.as_ref().ok_or_else(nothing)?;
        let odd = |why: serde_json::Error| Refusal::new(ServerCode::Crashed, why.to_string());
        Ok(Text { text: serde_json::to_string(&season::figures(&sitting.review())).map_err(odd)? })
    }

    pub(crate) fn review_more(&mut self) -> More {
        let Some((_, sitting, goes_on)) = &mut self.review else { return More { more: false } };
        *goes_on = *goes_on && sitting.think(counted());
        More { more: *goes_on }
    }

    pub(crate) fn look(&mut self, record: &Record, step: u32) -> Result<More, Refusal> {
        let look = Look::new(record, step).map_err(|why| Refusal::new(why.code(), why.to_string()))?;
        self.look = Some(look);
        Ok(More { more: true })
    }

    pub(crate) fn look_more(&mut self) -> More {
        More { more: self.look.as_mut().is_some_and(|look| look.think(counted())) }
    }

    pub(crate) fn analysis(&mut self) -> Result<Analysis, Refusal> {
        self.look.take().map(|look| look.analysis()).ok_or_else(nothing)
    }
}

fn nothing() -> Refusal {
    Refusal::new(ServerCode::NotFound, "nothing was begun that could be told")
}

/// Enough after some looks: there is no clock here.
fn counted() -> impl FnMut() -> bool {
    let mut looks = 0;
    move || {
        looks += 1;
        looks >= LOOKS
    }
}
