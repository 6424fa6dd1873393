//! What an expert would do, in words.

use unum_protocol::{HintReason, HintView};
use unum_rules::wire::ActionForm;
use unum_rules::{CardName, Seat};

use crate::story::listed;

/// A hint as a sentence, with players' names.
pub(crate) fn sentence(hint: &HintView, name: impl Fn(Seat) -> String) -> String {
    format!("Hint: {}. {}.", deed(&hint.action, name), why(hint.reason))
}

fn deed(action: &ActionForm, name: impl Fn(Seat) -> String) -> String {
    let spoken = |cards: &[CardName]| listed(&cards.iter().map(|card| card.spoken()).collect::<Vec<_>>());
    match action {
        ActionForm::Play { card, color, uno, .. } => {
            let color = color.map_or(String::new(), |color| format!(" and call {}", color.as_str()));
            let call = if *uno { "call UNO and " } else { "" };
            format!("{call}play {}{color}", card.spoken())
        }
        ActionForm::Draw {} => "draw".to_owned(),
        ActionForm::Keep {} => "keep the card".to_owned(),
        ActionForm::CallColor { color } => color.map_or("call a color".to_owned(), |c| format!("call {}", c.as_str())),
        ActionForm::Take {} => "take the cards".to_owned(),
        ActionForm::Challenge {} => "challenge".to_owned(),
        ActionForm::Block { color, .. } => {
            color.map_or("block".to_owned(), |color| format!("block and call {}", color.as_str()))
        }
        ActionForm::CallUno {} => "call UNO".to_owned(),
        ActionForm::Catch { seat } => format!("catch {}", name(*seat)),
        ActionForm::Discard { cards, .. } => format!("discard {}", spoken(cards)),
        ActionForm::Vote { yes } => format!("vote {}", if *yes { "yes" } else { "no" }),
        ActionForm::Dare { accept } => format!("{} the dare", if *accept { "accept" } else { "refuse" }),
    }
}

fn why(reason: HintReason) -> &'static str {
    match reason {
        HintReason::Wins => "It wins the round",
        HintReason::OnlyChoice => "Nothing else fits",
        HintReason::Catches => "It costs nothing, but be quick",
        HintReason::StopsNext => "The next player has few cards and loses the turn",
        HintReason::KeepsWild => "It keeps your wild for later",
        HintReason::BestColor => "It is the color you have most of",
        HintReason::ShedsPoints => "It gets rid of a card that counts a lot",
        HintReason::ChangesColor => "It changes the color, which is harder for the others to follow",
        HintReason::Waits => "Your other cards are worth more later",
        HintReason::LikelyBluff => "It was probably a bluff",
        HintReason::LikelyHonest => "It was probably honest",
        HintReason::Spares => "You don't have to draw",
        HintReason::WinsMost => "It won most often when thinking ahead",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_says_what_to_do_and_why() {
        let json = r#"{"at":3,"action":{"type":"play","card":"W","color":"green","uno":true},"reason":"best_color"}"#;
        let hint: HintView = serde_json::from_str(json).unwrap();
        let told = sentence(&hint, |seat| format!("seat {seat}"));
        assert_eq!(told, "Hint: call UNO and play Wild and call green. It is the color you have most of.");
        let json = r#"{"at":3,"action":{"type":"catch","seat":2},"reason":"catches"}"#;
        let hint: HintView = serde_json::from_str(json).unwrap();
        assert!(sentence(&hint, |seat| format!("seat {seat}")).starts_with("Hint: catch seat 2."));
    }
}
