//! The page has a sentence in every language for what the server says no to: this is the list of codes it goes by.

use std::path::Path;

use unum_server::codes::{ApiCode, ByeCode, RefusalCode};

fn list() -> String {
    let bye: Vec<&str> = ByeCode::ALL.iter().map(|code| code.id()).collect();
    let refused = RefusalCode::ALL.iter().map(|code| code.id());
    let mut api: Vec<&str> = ApiCode::ALL.iter().map(|code| code.id()).chain(refused).collect();
    api.sort_unstable();
    api.dedup();
    format!(
        "// Codes of the server (docs/protocol.md). Made from the Rust side by `cargo xtask types`: do not edit.\n\n\
         /** Why a connection ends. */\nexport const BYE_CODES = {bye:?} as const;\n\
         /** Why a message or an HTTP request is refused by the server itself. */\nexport const API_CODES = {api:?} as const;\n"
    )
}

#[test]
fn the_codes_that_the_page_knows_are_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/codes.ts");
    if std::env::var_os("UNUM_WRITE_TYPES").is_some() {
        std::fs::write(&path, list()).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == list(), "{} is not current: run `cargo xtask types`", path.display());
}
