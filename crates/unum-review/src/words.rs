//! Actions and reasons in plain English.

use unum_rules::{Action, Palette, Sight};

use crate::decision::{Decision, Features};

/// An action as an order: "play the red 5".
pub fn describe(action: &Action, palette: Palette) -> String {
    let color = |color: unum_rules::Color| color.name(palette);
    match action {
        Action::Play(play) => {
            let mut text = format!("play {}", play.card.name(palette).spoken());
            if let Some(called) = play.color {
                text += &format!(" and call {}", color(called));
            }
            if !play.discard.is_empty() {
                text += &format!(" with {} more", play.discard.len());
            }
            if let Some(with) = play.swap_with {
                text += &format!(" and swap with seat {with}");
            }
            text
        }
        Action::Draw => "draw".to_owned(),
        Action::Keep => "keep the card".to_owned(),
        Action::CallColor(called) => format!("call {}", color(*called)),
        Action::Take => "take the cards".to_owned(),
        Action::Challenge => "challenge".to_owned(),
        Action::Block { color: called, .. } => format!("block and call {}", color(*called)),
        Action::CallUno => "call UNO".to_owned(),
        Action::Catch(seat) => format!("catch seat {seat}"),
        Action::Discard { cards, .. } => {
            let names: Vec<String> = cards.iter().map(|card| card.name(palette).spoken()).collect();
            format!("discard {}", names.join(", "))
        }
        Action::Vote(yes) => if *yes { "vote yes" } else { "vote no" }.to_owned(),
        Action::Dare { accept } => if *accept { "accept the dare" } else { "refuse the dare" }.to_owned(),
    }
}

/// Why one action is better than another, by the feature that differs most; `None` when none differs much.
pub(crate) fn why(decision: &Decision, better: usize, played: usize) -> Option<String> {
    if let Some(odds) = decision.odds() {
        let needed = odds.break_even?;
        let percent = |share: f64| (share * 100.0).round();
        return Some(format!(
            "It was a bluff in {} of 100 worlds; a challenge needs {}.",
            percent(odds.bluff),
            percent(needed)
        ));
    }
    let (better, played) = (decision.features(better), decision.features(played));
    let sight = decision.sight();
    let reasons = reasons(&better, &played, &sight);
    reasons.into_iter().max_by(|a, b| a.0.total_cmp(&b.0)).filter(|reason| reason.0 >= 0.1).map(|reason| reason.1)
}

/// Sentences with how much they weigh, roughly in chances to win.
fn reasons(better: &Features, played: &Features, sight: &Sight<'_>) -> Vec<(f64, String)> {
    let tenths = |share: f64| (share * 10.0).round();
    let few = sight.smallest_other_hand() <= 3;
    let follow = played.next_follows - better.next_follows;
    let mut list = vec![
        (
            follow,
            format!(
                "The next player could follow in {} of 10 worlds instead of {}.",
                tenths(better.next_follows),
                tenths(played.next_follows)
            ),
        ),
        ((better.own_turn - played.own_turn) * 0.8, "The turn would come straight back.".to_owned()),
        (
            (better.own_fits - played.own_fits) * if few { 0.15 } else { 0.25 },
            format!("It leaves {} cards that fit next, instead of {}.", count(better.own_fits), count(played.own_fits)),
        ),
        (
            (played.own_cards - better.own_cards) * 0.35,
            format!("It leaves {} cards in hand instead of {}.", count(better.own_cards), count(played.own_cards)),
        ),
        (
            (better.others_drew - played.others_drew) * 0.2,
            format!("Others would draw {} cards, not {}.", count(better.others_drew), count(played.others_drew)),
        ),
        ((better.wilds - played.wilds) * 0.3, "It keeps a wild for later.".to_owned()),
    ];
    list.retain(|reason| reason.0 > 0.0);
    list
}

fn count(number: f64) -> String {
    let rounded = (number * 10.0).round() / 10.0;
    if (rounded - rounded.round()).abs() < 0.05 { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}
