//! The JSON form of records.

use serde::{Deserialize, Serialize};

use super::{
    Check, Digest, Entry, MAX_MESSAGE, Move, MoveForm, Outcome, PlayerName, Record, RecordError, Seeding, Setup,
    VERSION,
};
use crate::card::Palette;
use crate::fair::FairDeal;
use crate::json::{self, Part, spot};
use crate::rules::{RulesError, RulesSpec};
use crate::seat::Seat;
use crate::text::{clip, printable};
use crate::wire::{ActionForm, clamp_seat};

/// What a document says it is.
const FORMAT: &str = "unum-record";

/// What every version of the format has.
#[derive(Deserialize, crate::json::Read)]
struct HeadForm {
    format: String,
    version: u64,
}

/// The document. Rules and moves are read on their own, for errors that name them.
#[derive(Deserialize, crate::json::Read)]
#[serde(deny_unknown_fields)]
struct RecordForm<'a> {
    #[serde(rename = "format")]
    _format: String,
    version: u64,
    #[serde(borrow)]
    rules: Part<'a>,
    players: u8,
    #[serde(default)]
    names: Vec<Option<PlayerName>>,
    dealer: Option<u64>,
    seed: Option<u64>,
    deals: Option<Vec<FairDeal>>,
    deal: Check,
    #[serde(borrow)]
    moves: Vec<Part<'a>>,
    result: Outcome,
    #[serde(rename = "final")]
    final_state: Digest,
}

/// The part of the document that decides the deal.
#[derive(Serialize)]
struct SetupForm<'a> {
    rules: &'a RulesSpec,
    players: u8,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    names: Vec<Option<&'a PlayerName>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dealer: Option<Seat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    deals: Option<&'a [FairDeal]>,
}

/// A move: a request to the referee, and the check.
#[derive(Serialize, Deserialize, crate::json::Read)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum EntryForm {
    Act { seat: u64, action: ActionForm, check: Check },
    Penalize { seat: u64, check: Check },
    NextRound { check: Check },
}

impl EntryForm {
    fn new(entry: &Entry, palette: Palette) -> EntryForm {
        let check = entry.check;
        match entry.made {
            Move::Act { seat, ref action } => {
                EntryForm::Act { seat: seat.into(), action: ActionForm::new(action, palette), check }
            }
            Move::Penalize { seat } => EntryForm::Penalize { seat: seat.into(), check },
            Move::NextRound => EntryForm::NextRound { check },
        }
    }

    fn into_move(self) -> (MoveForm, Check) {
        match self {
            EntryForm::Act { seat, action, check } => (MoveForm::Act { seat: clamp_seat(seat), action }, check),
            EntryForm::Penalize { seat, check } => (MoveForm::Penalize { seat: clamp_seat(seat) }, check),
            EntryForm::NextRound { check } => (MoveForm::NextRound, check),
        }
    }
}

impl<'a> SetupForm<'a> {
    fn new(setup: &'a Setup) -> SetupForm<'a> {
        let mut names: Vec<Option<&PlayerName>> = setup.names.iter().map(Option::as_ref).collect();
        if !names.is_empty() {
            names.resize(names.len().max(setup.players.into()), None);
        }
        let Setup { ref rules, players, dealer, ref seeding, .. } = *setup;
        let (seed, deals) = match seeding {
            Seeding::Number(seed) => (Some(*seed), None),
            Seeding::Fair(deals) => (None, Some(&deals[..])),
        };
        SetupForm { rules, players, names, dealer, seed, deals }
    }
}

/// The setup as the deal's check has it: compact, in this order.
pub(super) fn setup(setup: &Setup) -> String {
    line(&SetupForm::new(setup))
}

fn line(part: &impl Serialize) -> String {
    serde_json::to_string(part).expect("records are plain data")
}

/// Writes a record, one field and one move a line.
pub(super) fn write(record: &Record) -> String {
    let form = SetupForm::new(&record.setup);
    let palette = record.setup.palette();
    let mut fields = vec![
        ("format", line(&FORMAT)),
        ("version", line(&record.setup.seeding.version())),
        ("rules", line(form.rules)),
        ("players", line(&form.players)),
    ];
    if !form.names.is_empty() {
        fields.push(("names", line(&form.names)));
    }
    fields.extend(form.dealer.map(|dealer| ("dealer", line(&dealer))));
    fields.extend(form.seed.map(|seed| ("seed", line(&seed))));
    fields.extend(form.deals.map(|deals| ("deals", list(deals))));
    fields.extend([
        ("deal", line(&record.deal)),
        ("moves", moves(&record.moves, palette)),
        ("result", line(&record.outcome)),
        ("final", line(&record.final_state)),
    ]);
    let lines: Vec<String> = fields.iter().map(|(name, value)| format!("  \"{name}\": {value}")).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

fn moves(entries: &[Entry], palette: Palette) -> String {
    let forms: Vec<EntryForm> = entries.iter().map(|entry| EntryForm::new(entry, palette)).collect();
    list(&forms)
}

/// A list with a line for each of its parts.
fn list(parts: &[impl Serialize]) -> String {
    if parts.is_empty() {
        return "[]".to_owned();
    }
    let lines: Vec<String> = parts.iter().map(|part| format!("    {}", line(part))).collect();
    format!("[\n{}\n  ]", lines.join(",\n"))
}

/// Reads a record.
pub(super) fn read(text: &str) -> Result<Record, RecordError> {
    let text = text.trim_start_matches('\u{feff}');
    let head: HeadForm = json::from_str(text).map_err(|error| syntax(&error))?;
    if head.format != FORMAT {
        let message = format!("`format` is {FORMAT:?}, not {:?}", clip(&head.format));
        return Err(RecordError::Syntax { line: 1, column: 1, message });
    }
    if ![1, VERSION].contains(&head.version) {
        return Err(RecordError::UnsupportedVersion(head.version.to_string()));
    }
    let form: RecordForm<'_> = json::from_str(text).map_err(|error| syntax(&error))?;
    let record = Record {
        setup: read_setup(&form)?,
        deal: form.deal,
        moves: Vec::new(),
        outcome: form.result,
        final_state: form.final_state,
    };
    record.with_moves(form.moves.iter().map(|part| read_move(*part, text)))
}

fn read_setup(form: &RecordForm<'_>) -> Result<Setup, RecordError> {
    let rules = json::from_str(form.rules.get())
        .map_err(|error| RecordError::BadRules(RulesError::Unreadable(format!("`rules`: {}", bare(&error)))))?;
    let dealer = form.dealer.map(clamp_seat);
    let seeding = read_seeding(form)?;
    Ok(Setup { rules, players: form.players, names: form.names.clone(), dealer, seeding }.normalized())
}

fn read_seeding(form: &RecordForm<'_>) -> Result<Seeding, RecordError> {
    match (form.version, form.seed, &form.deals) {
        (1, Some(seed), None) => Ok(Seeding::Number(seed)),
        (VERSION, None, Some(deals)) if !deals.is_empty() => Ok(Seeding::Fair(deals.clone())),
        _ => {
            let message =
                "version 1 has `seed` and no `deals`, version 3 has `deals`, at least one, and no `seed`".to_owned();
            Err(RecordError::Syntax { line: 1, column: 1, message })
        }
    }
}

fn read_move(part: Part<'_>, text: &str) -> Result<(MoveForm, Check), RecordError> {
    let form: EntryForm = json::from_str(part.get()).map_err(|error| {
        let (line, column) = spot(text, part.get());
        RecordError::Syntax { line, column, message: format!("this is not a move: {}", bare(&error)) }
    })?;
    Ok(form.into_move())
}

fn syntax(error: &json::Error) -> RecordError {
    RecordError::Syntax { line: error.line(), column: error.column(), message: bare(error) }
}

/// The message without the place, which errors of records name themselves.
fn bare(error: &json::Error) -> String {
    printable(error.message(), MAX_MESSAGE)
}
