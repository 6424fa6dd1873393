//! docs/protocol.md has every code there is.

use strum::VariantArray as _;
use unum_protocol::{Code, ServerCode};
use unum_server::codes::closing;

#[test]
fn every_code_is_documented() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    let document = std::fs::read_to_string(path).unwrap();
    for code in ServerCode::VARIANTS {
        if let Some(closing) = closing(*code) {
            let row = format!("| `{}` | {} |", Code::from(*code), closing.number);
            assert!(document.contains(&row), "no row {row}");
        }
    }
    for code in Code::all() {
        assert!(document.contains(&format!("`{code}`")), "{code} is missing");
    }
}
