//! What a part of a run writes: its exact sums, and which run it belongs to.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use unum_lab::Part;
use unum_rules::plain_words;
use unum_rules::record::Digest;

/// What a part says it is.
const FORMAT: &str = "unum-part";

/// The most bytes of a part.
const MAX_PART: u64 = 64 << 20;

/// A part of a run, as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PartFile {
    format: String,
    /// The version of the program that played it.
    pub(crate) version: String,
    /// The words of the whole run's command.
    pub(crate) command: Vec<String>,
    pub(crate) part: Part,
    pub(crate) sums: Box<RawValue>,
    /// SHA-256 of everything before, which finds what was altered by accident.
    check: String,
}

impl PartFile {
    /// The digest of what it says.
    fn digest(&self) -> anyhow::Result<String> {
        let head = serde_json::to_string(&(&self.format, &self.version, &self.command, self.part))?;
        Ok(Digest::of(&[&head, self.sums.get()]).to_string())
    }

    /// Reads a part.
    ///
    /// # Errors
    /// When it is not one, or was altered.
    pub(crate) fn read(file: &Path) -> anyhow::Result<PartFile> {
        let mut text = String::new();
        File::open(file)?.take(MAX_PART + 1).read_to_string(&mut text)?;
        ensure!(text.len() as u64 <= MAX_PART, "a part has at most {MAX_PART} bytes");
        ensure!(!text.trim().is_empty(), "it is empty: that part was not finished");
        let unreadable =
            |error: serde_json::Error| anyhow::anyhow!("this is not a part of a run: {}", plain_words(&error));
        let part: PartFile = serde_json::from_str(&text).map_err(unreadable)?;
        if part.format != FORMAT || !part.part.is_valid() {
            bail!(
                "this is not a part of a run: `format` is {FORMAT:?}, and `part` has a number and how many there are"
            );
        }
        ensure!(part.check == part.digest()?, "it was altered or damaged: its check does not fit");
        Ok(part)
    }
}

/// A part as it is written, in one line.
///
/// # Errors
/// Never for sums.
pub(crate) fn write(part: Part, command: &[String], sums: &impl Serialize) -> anyhow::Result<String> {
    let mut file = PartFile {
        format: FORMAT.to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        command: command.to_vec(),
        part,
        sums: to_raw_value(sums).context("sums are plain numbers")?,
        check: String::new(),
    };
    file.check = file.digest()?;
    Ok(serde_json::to_string(&file)? + "\n")
}

/// The sums of all parts, in the order of the parts.
///
/// # Errors
/// When one is not what a part of this version holds.
pub(crate) fn sums_of<Sums: DeserializeOwned>(parts: &[Box<RawValue>]) -> anyhow::Result<Vec<Sums>> {
    let read = |part: &RawValue| serde_json::from_str(part.get()).context("the sums of a part cannot be read");
    parts.iter().map(|part| read(part)).collect()
}
