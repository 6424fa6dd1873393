//! One module per command.

pub(crate) mod agreement;
pub(crate) mod arena;
pub(crate) mod bench;
mod bench_lab;
pub(crate) mod games;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod record;
pub(crate) mod referee;
pub(crate) mod replay;
pub(crate) mod rules;
pub(crate) mod serve;
pub(crate) mod shell;
pub(crate) mod simulate;
pub(crate) mod verify;

use unum_rules::Edition;

/// Reads the id of an edition.
pub(crate) fn parse_edition(text: &str) -> Result<Edition, String> {
    Edition::parse(&text.to_ascii_lowercase()).ok_or_else(|| {
        let ids = Edition::ALL.map(Edition::id).join(", ");
        format!("the editions are {ids}")
    })
}
