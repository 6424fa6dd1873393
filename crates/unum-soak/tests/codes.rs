//! docs/protocol.md has every code there is.

use unum_rules::Code;
use unum_server::codes::{ByeCode, RefusalCode};
use unum_table::TroubleCode;

#[test]
fn every_code_is_documented() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocol.md");
    let document = std::fs::read_to_string(path).unwrap();
    for code in ByeCode::ALL {
        let row = format!("| `{}` | {} |", code.id(), code.close_code());
        assert!(document.contains(&row), "no row {row}");
    }
    let game = GAME.iter().map(|code| code.as_str());
    let refusals = game.chain(RefusalCode::ALL.iter().map(|code| code.id()));
    for code in refusals.chain(TroubleCode::ALL.iter().map(|code| code.as_str())) {
        assert!(document.contains(&format!("`{code}`")), "{code} is missing");
    }
}

const GAME: [Code; 18] = [
    Code::BadRequest,
    Code::BadRules,
    Code::BadPosition,
    Code::BadSeat,
    Code::NotYourTurn,
    Code::WrongPhase,
    Code::NotInHand,
    Code::DoesNotMatch,
    Code::NotTheDrawnCard,
    Code::ColorRequired,
    Code::NoSuchColor,
    Code::BadDiscard,
    Code::BadSwap,
    Code::MustPlay,
    Code::BluffNotAllowed,
    Code::NotLiable,
    Code::NothingToCall,
    Code::Over,
];
