//! Nothing shows that should not: views and events depend only on what the viewer may know.

use serde_json::to_string;
use unum_rules::wire::{PhaseForm, ViewForm, seen_events};
use unum_rules::{Action, CardName, Chance, Event, Face, Match, Play, Position, Round, Rules, Seat, Seeded, Viewer};

use super::positions::is_a_position;
use super::walk::{Walk, any_listed};
use crate::tables::{one_in, pick};

/// Deals the cards a viewer cannot see again, and compares what the viewer sees, now and one action later.
pub(super) fn check_hidden_cards_do_not_show(walk: &Walk, rng: &mut Seeded) {
    let round = walk.round();
    if !is_a_position(round) || round.is_over() {
        return;
    }
    let viewer = Viewer::from(Some(rng.below(u32::from(round.players()) + 1) as Seat).filter(|s| *s < round.players()));
    let state = Position::of(walk.game());
    let [seen, unseen] = [state.clone(), with_hidden_cards_shuffled(state, walk, viewer, rng)]
        .map(|position| position.into_match(walk.rules().clone(), rng.clone()));
    let (Ok(first), Ok(second)) = (seen, unseen) else {
        walk.ensure(false, "the hidden cards could not be shuffled");
        return;
    };
    if !was_shown_a_hand(round, viewer) {
        walk.ensure(view(walk.game(), viewer) == view(&first, viewer), "a position looks unlike its state");
    }
    walk.ensure(view(&first, viewer) == view(&second, viewer), format_args!("{viewer:?} sees a difference"));
    check_own_list(walk, &first, &second, viewer);
    check_events(walk, [first, second], viewer, rng);
}

/// W4: a hand shown to a challenger is the one thing a viewer knows that is not part of a position.
fn was_shown_a_hand(round: &Round, viewer: Viewer) -> bool {
    matches!(viewer, Viewer::Seat(seat) if round.shown_to(seat).is_some())
}

fn view(game: &Match, viewer: Viewer) -> String {
    to_string(&ViewForm::new(&game.view(viewer), game.rules())).expect("a view can be written")
}

/// What a seat may do depends on what it knows, too.
fn check_own_list(walk: &Walk, first: &Match, second: &Match, viewer: Viewer) {
    let Viewer::Seat(seat) = viewer else { return };
    let [first, second] = [first, second].map(|game| game.round().legal_actions(game.rules(), seat));
    walk.ensure(first == second, format_args!("hidden cards decide what seat {seat} may do"));
}

/// The same public action leads to the same events and the same view.
fn check_events(walk: &Walk, games: [Match; 2], viewer: Viewer, rng: &mut Seeded) {
    let seat = rng.below(u32::from(walk.round().players())) as Seat;
    let Some(action) = any_listed(walk.round(), walk.rules(), seat, rng) else { return };
    if hidden_cards_decide(walk.round(), walk.rules(), viewer, seat, &action) {
        return;
    }
    let [first, second] = games.map(|game| events_and_view(game, viewer, seat, &action));
    if let (Some(first), Some(second)) = (first, second) {
        walk.ensure(first == second, format_args!("{action:?} of seat {seat} tells {viewer:?}\n {first}\n {second}"));
    }
}

/// What a viewer sees of an action; nothing if it is refused, or if the round is over and all hands are counted.
fn events_and_view(mut game: Match, viewer: Viewer, seat: Seat, action: &Action) -> Option<String> {
    let mut events: Vec<Event> = Vec::new();
    game.apply(seat, action, &mut events).ok()?;
    let events = to_string(&seen_events(&events, viewer, game.rules())).expect("events can be written");
    (!game.round().is_over()).then(|| events + "\n " + &view(&game, viewer))
}

/// Whether the outcome hangs on hidden cards, or shows the viewer some of them.
fn hidden_cards_decide(round: &Round, rules: &Rules, viewer: Viewer, seat: Seat, action: &Action) -> bool {
    let looks = |seat: Seat| viewer == Viewer::Seat(seat);
    let open = |seat: Seat| round.face_up().iter().any(|open| open.seat == seat);
    let victim = round.next(seat);
    match action {
        // Whether the card drawn can be played is seen by all.
        Action::Draw | Action::Challenge => true,
        Action::Take => looks(seat) || open(seat),
        Action::Catch(target) => looks(*target) || open(*target),
        Action::Play(play) => play_shows_cards(rules, play, &|seat| looks(seat) || open(seat), victim),
        _ => false,
    }
}

fn play_shows_cards(rules: &Rules, play: &Play, sees: &impl Fn(Seat) -> bool, victim: Seat) -> bool {
    match play.card.face() {
        Face::Customizable(_) | Face::ShuffleHands => true,
        Face::DrawTwo | Face::WildDrawFour => sees(victim),
        // Open hands move on, and the viewer gets a new one.
        Face::Number(0 | 7) => rules.house().seven_zero,
        _ => false,
    }
}

/// The same position, but for what the viewer cannot see: hands of others, the draw pile, whether an attack is a
/// bluff, which card was drawn.
fn with_hidden_cards_shuffled(state: Position, walk: &Walk, viewer: Viewer, rng: &mut Seeded) -> Position {
    let changed = change_drawn_card(shuffle_hidden(&state, viewer, None, rng), viewer, rng);
    if changed.clone().into_match(walk.rules().clone(), rng.clone()).is_ok() {
        return changed;
    }
    // A player who drew keeps the whole hand, so that what could be played still can.
    shuffle_hidden(&state, viewer, seat_that_drew(&state), rng)
}

fn seat_that_drew(state: &Position) -> Option<Seat> {
    match state.phase {
        Some(PhaseForm::Drawn { seat, .. }) => Some(seat),
        _ => None,
    }
}

/// Deals hidden cards again, but for one hand that is `kept`.
fn shuffle_hidden(state: &Position, viewer: Viewer, kept: Option<Seat>, rng: &mut Seeded) -> Position {
    let mut position = state.clone();
    let mut pool = std::mem::take(&mut position.draw_pile);
    let hidden = hidden_seats(state, viewer, kept);
    for seat in &hidden {
        pool.append(&mut position.hands[*seat]);
    }
    shuffle(&mut pool, rng);
    for seat in hidden {
        position.hands[seat] = pool.split_off(pool.len() - state.hands[seat].len());
    }
    position.draw_pile = pool;
    flip_bluff(&mut position, viewer, rng);
    position
}

/// Seats whose cards the viewer cannot see, without one that is kept as it is.
fn hidden_seats(state: &Position, viewer: Viewer, kept: Option<Seat>) -> Vec<usize> {
    let open = |seat: Seat| state.face_up.iter().any(|open| open.seat == seat);
    let hidden = |seat: &Seat| viewer != Viewer::Seat(*seat) && !open(*seat) && kept != Some(*seat);
    (0..state.hands.len() as Seat).filter(hidden).map(usize::from).collect()
}

fn shuffle(pool: &mut [CardName], rng: &mut Seeded) {
    for last in (1..pool.len()).rev() {
        pool.swap(last, rng.below(last as u32 + 1) as usize);
    }
}

fn flip_bluff(position: &mut Position, viewer: Viewer, rng: &mut Seeded) {
    let wild = position.top.is_some_and(|top| top.as_str() == "W+4");
    if let Some(PhaseForm::Respond { by, bluff, .. }) = &mut position.phase
        && wild
        && viewer != Viewer::Seat(*by)
    {
        *bluff = Some(one_in(2, rng));
    }
}

/// Another card for the one a hidden hand has just drawn; whether it can be played shows when it is read.
fn change_drawn_card(mut position: Position, viewer: Viewer, rng: &mut Seeded) -> Position {
    if let Some(PhaseForm::Drawn { seat, cards: Some(cards) }) = &mut position.phase
        && viewer != Viewer::Seat(*seat)
    {
        let hand = &position.hands[usize::from(*seat)];
        *cards = vec![pick(hand, rng)];
    }
    position
}
