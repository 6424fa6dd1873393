//! `unum tables`: the public tables of a server.

use std::collections::BTreeMap;
use std::path::Path;

use unum_protocol::Stage;
use unum_protocol::rest::Listing;
use unum_rules::text::printable;
use unum_terminal::Account;

use super::trust::TrustArgs;
use crate::output::{print, to_json};
use crate::report::text::Table;

/// List the public tables of a server.
///
/// `unum play LINK` sits down at one, or watches where all seats are taken.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// The address of the server, such as uno.example.org or http://localhost:8080
    server: String,

    #[command(flatten)]
    trust: TrustArgs,

    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
}

/// Lists them.
///
/// # Errors
/// If the server cannot be reached or the output cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let invite = args.trust.invite(&args.server)?;
    // Nobody signs in, so nothing is kept either.
    let tables = Account::of(&invite.server, Path::new("")).public_tables()?;
    print(&if args.json {
        to_json(&BTreeMap::from([("tables", &tables)]))?
    } else {
        page(&tables, &invite.server.url())
    })
}

fn page(tables: &[Listing], url: &str) -> String {
    if tables.is_empty() {
        return format!("No table at {url} is public now: unum play {url} opens one.\n");
    }
    let mut table = Table::new(&["table", "edition", "seats taken", "now", "link"]);
    for listing in tables {
        let title = printable(&listing.title, 40);
        let now = match listing.stage {
            Stage::Lobby => "waiting for players",
            Stage::Playing | Stage::Scores => "playing",
            Stage::Over => "match over",
            Stage::Closed => "closed",
        };
        table.row([
            if title.is_empty() { "(no title)".to_owned() } else { title },
            listing.edition.to_string(),
            format!("{} of {}", listing.people.saturating_add(listing.bots), listing.seats),
            now.to_owned(),
            format!("{url}/t/{}", printable(&listing.code, 64)),
        ]);
    }
    table.to_text()
}
