//! Actions and reasons in plain English.

use unum_protocol::review::{ActionReview, Figure, Reason, Standing};
use unum_rules::wire::ActionForm;
use unum_rules::{Action, Palette};

use crate::decision::{Decision, Features, Valued};

/// An action as an imperative: "play the red 5".
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

/// An action as reviews show it.
pub(crate) fn action_review(valued: &Valued, palette: Palette) -> ActionReview {
    ActionReview {
        action: ActionForm::new(&valued.action, palette),
        words: describe(&valued.action, palette),
        value: Figure(valued.value),
        value_error: Figure(valued.value_error),
        ahead: Figure(valued.ahead),
        ahead_error: Figure(valued.error),
        worlds: valued.worlds,
    }
}

/// Why one action is better than another, by the feature that differs most. `None` if none differs much.
pub(crate) fn reason(decision: &Decision, better: usize, played: usize) -> Option<Reason> {
    let duels = |place: usize| matches!(decision.action(place), Action::Challenge | Action::Take);
    if let Some(odds) = decision.odds().filter(|_| duels(better) && duels(played)) {
        return Some(Reason::Odds { bluff: odds.bluff, needed: odds.break_even });
    }
    let catches = matches!(decision.action(better), Action::Catch(_));
    let (better, played) = (decision.features(better), decision.features(played));
    if catches {
        // The turn continues, so nothing else can be compared.
        return Some(Reason::OthersDraw { better: Figure(better.others_drew), played: Figure(played.others_drew) });
    }
    let few = decision.sight().smallest_other_hand() <= 3;
    let reasons = reasons(&better, &played, few);
    let weightiest = reasons.into_iter().max_by(|a, b| a.0.total_cmp(&b.0));
    weightiest.filter(|(weight, _)| *weight >= 0.1).map(|(_, reason)| reason)
}

/// Reasons and their weights. Near the end, own fitting cards count for less.
fn reasons(better: &Features, played: &Features, few: bool) -> [(f64, Reason); 8] {
    let pair = |figure: fn(&Features) -> f64| (Figure(figure(better)), Figure(figure(played)));
    let gain = |figure: fn(&Features) -> f64| figure(better) - figure(played);
    let next_out = pair(|one| one.next_out);
    let follows = pair(|one| one.next_follows);
    let fits = pair(|one| one.own_fits);
    let cards = pair(|one| one.own_cards);
    let drew = pair(|one| one.others_drew);
    [
        (gain(|one| one.wins) * 10.0, Reason::Wins),
        (-gain(|one| one.next_out) * 3.0, Reason::NextOut { better: next_out.0, played: next_out.1 }),
        (-gain(|one| one.next_follows), Reason::NextFollows { better: follows.0, played: follows.1 }),
        (gain(|one| one.own_turn) * 0.8, Reason::OwnTurn),
        (gain(|one| one.own_fits) * if few { 0.15 } else { 0.25 }, Reason::OwnFits { better: fits.0, played: fits.1 }),
        (-gain(|one| one.own_cards) * 0.35, Reason::OwnCards { better: cards.0, played: cards.1 }),
        (gain(|one| one.others_drew) * 0.2, Reason::OthersDraw { better: drew.0, played: drew.1 }),
        (gain(|one| one.wilds) * 0.3, Reason::KeepsWild),
    ]
}

/// A reason as a sentence.
pub fn explain(reason: &Reason) -> String {
    let tenths = |share: &Figure| (share.0 * 10.0).round();
    let percent = |share: &Figure| (share.0 * 100.0).round();
    match reason {
        Reason::Odds { bluff, needed } => {
            let needs = needed.map_or_else(String::new, |needed| format!("; a challenge needs {}", percent(&needed)));
            format!("It was a bluff in {} of 100 worlds{needs}.", percent(bluff))
        }
        Reason::Wins => "It wins the round at once.".to_owned(),
        Reason::NextOut { better, played } => {
            format!("The next player could go out in {} of 10 worlds instead of {}.", tenths(better), tenths(played))
        }
        Reason::NextFollows { better, played } => {
            format!("The next player could follow in {} of 10 worlds instead of {}.", tenths(better), tenths(played))
        }
        Reason::OwnTurn => "The turn would come straight back.".to_owned(),
        Reason::OwnFits { better, played } => {
            let fit = if count(better.0) == "1" { "fits" } else { "fit" };
            format!("It leaves {} that {fit} next, instead of {}.", cards(better.0), count(played.0))
        }
        Reason::OwnCards { better, played } => {
            format!("It leaves {} in hand instead of {}.", cards(better.0), count(played.0))
        }
        Reason::OthersDraw { better, played } => {
            format!("Others would draw {}, not {}.", cards(better.0), count(played.0))
        }
        Reason::KeepsWild => "It keeps a wild for later.".to_owned(),
    }
}

fn cards(number: f64) -> String {
    let count = count(number);
    if count == "1" { "1 card".to_owned() } else { format!("{count} cards") }
}

fn count(number: f64) -> String {
    let rounded = (number * 10.0).round() / 10.0;
    if (rounded - rounded.round()).abs() < 0.05 { format!("{rounded:.0}") } else { format!("{rounded:.1}") }
}

/// A standing in words: "like normal", "between normal and hard", "normal to expert".
pub fn tell_standing(standing: Standing) -> String {
    match standing {
        Standing::Below { level } => format!("below {level}"),
        Standing::Above { level } => format!("above {level}"),
        Standing::Like { level } => format!("like {level}"),
        Standing::Between { from, to } => format!("between {from} and {to}"),
        Standing::Range { from, to } => format!("{from} to {to}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_card_fits_and_several_fit() {
        let told = |better, played| explain(&Reason::OwnFits { better: Figure(better), played: Figure(played) });
        assert_eq!(told(1.0, 0.0), "It leaves 1 card that fits next, instead of 0.");
        assert_eq!(told(2.5, 1.0), "It leaves 2.5 cards that fit next, instead of 1.");
    }
}
