//! What is listed is accepted, and nothing else is.

use unum_rules::wire::{ChoiceForm, legal_forms};
use unum_rules::{Action, Card, CardList, Cards, Chance, Color, Face, Phase, Play, Round, Seat, Seeded, Sight};

use super::walk::{Walk, any_listed, leaves_one};
use crate::tables::{one_in, pick};

/// Every listed action of every seat is accepted, on a copy.
pub(super) fn check_listed(walk: &Walk, rng: &mut Seeded) {
    let (round, rules) = (walk.round(), walk.rules());
    for seat in 0..round.players() {
        round.legal(rules, seat, &mut |action| {
            let mut copy = *round;
            let accepted = copy.apply(rules, seat, action, rng, &mut ());
            walk.ensure(accepted.is_ok(), format_args!("seat {seat}: {action:?} is listed, yet {accepted:?}"));
            check_call(walk, seat, action, rng);
        });
    }
}

/// "UNO" goes with an action exactly if that leaves one card.
fn check_call(walk: &Walk, seat: Seat, action: &Action, rng: &mut Seeded) {
    let called = action.with_uno();
    if called == *action {
        return;
    }
    let mut copy = *walk.round();
    let accepted = copy.apply(walk.rules(), seat, &called, rng, &mut ()).is_ok();
    let right = accepted == leaves_one(walk.round(), seat, action);
    walk.ensure(right, format_args!("seat {seat}: {called:?}, accepted: {accepted}"));
    walk.ensure(accepted || copy == *walk.round(), "a refused call changed the round");
}

/// The same for one action, to be checked more often.
pub(super) fn check_one_listed(walk: &Walk, rng: &mut Seeded) {
    let seat = rng.below(u32::from(walk.round().players())) as Seat;
    if let Some(action) = any_listed(walk.round(), walk.rules(), seat, rng) {
        let mut copy = *walk.round();
        let accepted = copy.apply(walk.rules(), seat, &action, rng, &mut ());
        walk.ensure(accepted.is_ok(), format_args!("seat {seat}: {action:?} is listed, yet {accepted:?}"));
    }
}

/// Tries whatever could be said, by the seat to act and two others: accepted exactly if listed.
pub(super) fn check_all(walk: &Walk, rng: &mut Seeded) {
    let seats = u32::from(walk.round().players());
    check_seat(walk, walk.round().phase().seat().unwrap_or(0), rng);
    for _ in 0..2 {
        // One more than there are: nobody sits there, nothing is allowed.
        check_seat(walk, rng.below(seats + 1) as Seat, rng);
    }
}

fn check_seat(walk: &Walk, seat: Seat, rng: &mut Seeded) {
    let (round, rules) = (walk.round(), walk.rules());
    let listed = round.legal_actions(rules, seat);
    let sight = Sight::new(round, rules, seat, &[]);
    check_choices(walk, &sight);
    let mut copy = *round;
    let mut chance = rng.clone();
    each_action(round, seat, rng, &mut |action| {
        let applied = copy.apply(rules, seat, &action, &mut chance, &mut ());
        let checked = sight.check(&action);
        walk.ensure(checked == applied, format_args!("seat {seat}: {action:?}: {checked:?}, yet {applied:?}"));
        let accepted = applied.is_ok();
        let expected = is_listed(&listed, round, seat, &action);
        walk.ensure(
            accepted == expected,
            format_args!("seat {seat}: {action:?}, accepted: {accepted}, listed: {expected}"),
        );
        if accepted {
            copy = *round;
        } else {
            walk.ensure(copy == *round, format_args!("seat {seat}: {action:?} was refused, yet something changed"));
        }
    });
}

/// A seat's own list is its part of everybody's.
fn check_choices(walk: &Walk, sight: &Sight<'_>) {
    let all = legal_forms(walk.round(), walk.rules());
    let own = all.into_iter().find(|legal| legal.seat == sight.seat()).map(|legal| legal.actions);
    walk.ensure(ChoiceForm::all(sight) == own.unwrap_or_default(), "a seat's choices differ from the referee's list");
}

/// Whether it is in the list, or among the discards that are too many to list.
fn is_listed(listed: &[Action], round: &Round, seat: Seat, action: &Action) -> bool {
    match (action, round.phase()) {
        (Action::Discard { cards, .. }, Phase::Discard { seat: turn, count }) => {
            *turn == seat && cards.len() == *count as usize && round.hand(seat).contains_all(cards)
        }
        _ => listed.contains(&sorted(action)),
    }
}

/// Lists name cards in order.
fn sorted(action: &Action) -> Action {
    let mut action = *action;
    if let Action::Play(play) = &mut action {
        play.discard.as_mut_slice().sort();
    }
    action
}

fn each_action(round: &Round, seat: Seat, rng: &mut Seeded, visit: &mut impl FnMut(Action)) {
    for card in Card::all() {
        each_play(round, card, rng, visit);
    }
    for _ in 0..8 {
        visit(random_olaf(round, seat, rng).into());
        visit(random_discard(round, seat, rng));
    }
    for action in [Action::Draw, Action::Keep, Action::Take, Action::Challenge, Action::CallUno] {
        visit(action);
    }
    for color in Color::ALL {
        visit(Action::CallColor(color));
        visit(Action::Block { color, uno: false });
    }
    for yes in [false, true] {
        visit(Action::Vote(yes));
        visit(Action::Dare { accept: yes });
    }
    (0..=round.players()).for_each(|target| visit(Action::Catch(target)));
}

fn each_play(round: &Round, card: Card, rng: &mut Seeded, visit: &mut impl FnMut(Action)) {
    let plain = Play::card(card);
    visit(plain.into());
    Color::ALL.iter().for_each(|color| visit(Play::wild(card, *color).into()));
    let swaps = if card.face() == Face::Number(7) { 0..=round.players() } else { 0..=0 };
    swaps.for_each(|with| visit(Play { swap_with: Some(with), ..plain }.into()));
    if one_in(8, rng) {
        visit(Play { discard: random_cards(1, rng), ..plain }.into());
    }
}

/// Olaf with cards that may or may not be held, and may or may not be of one color.
fn random_olaf(round: &Round, seat: Seat, rng: &mut Seeded) -> Play {
    let held: Vec<Card> = round.hand(seat).iter().collect();
    let mut discard = random_cards(rng.below(4) as usize, rng);
    for card in discard.as_mut_slice() {
        if !held.is_empty() && !one_in(8, rng) {
            *card = pick(&held, rng);
        }
    }
    Play { discard, ..Play::wild(Card::OLAF, pick(&Color::ALL, rng)) }
}

fn random_cards<const N: usize>(count: usize, rng: &mut Seeded) -> Cards<N> {
    let all: Vec<Card> = Card::all().collect();
    Cards::try_from_iter((0..count).map(|_| pick(&all, rng))).unwrap_or(Cards::EMPTY)
}

/// A discard of about the right number of cards, most of them held.
fn random_discard(round: &Round, seat: Seat, rng: &mut Seeded) -> Action {
    let mut held = CardList::try_from_iter(round.hand(seat).iter()).unwrap_or(CardList::EMPTY);
    rng.shuffle(held.as_mut_slice());
    let wanted = match round.phase() {
        Phase::Discard { count, .. } => *count as usize,
        _ => 1,
    };
    let count = (wanted + rng.below(5) as usize / 2).saturating_sub(1);
    let mut cards = CardList::try_from_iter(held.iter().copied().take(count)).unwrap_or(CardList::EMPTY);
    if one_in(4, rng) {
        cards.push(random_cards::<1>(1, rng)[0]);
    }
    Action::Discard { cards, uno: false }
}
