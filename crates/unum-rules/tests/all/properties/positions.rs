//! States are positions: written out and read in they are the same, and go on the same.

use serde_json::{from_str, to_string};
use unum_rules::{Chance, MAX_BANNERS, MAX_EFFECTS, Match, Phase, Position, Round, Seat, Seeded};

use super::walk::{Walk, any_listed};

/// A state, in every phase, reads back from its line as itself.
pub(super) fn check_line(walk: &Walk) {
    let line = Position::line(walk.game());
    walk.ensure(!line.contains(['\n', '\r']), "its line is more than one");
    let position = Position::parse(&line);
    walk.ensure(position == Ok(Position::of(walk.game())), format_args!("{line} reads back as {position:?}"));
}

/// A state, in every phase that positions know, is read back as itself.
pub(super) fn check_reads_back(walk: &Walk, rng: &mut Seeded) {
    let text = to_string(&Position::of(walk.game())).expect("a state can be written");
    let position: Position = from_str(&text).expect("a written state can be read");
    let resumed = position.into_match(walk.rules().clone(), rng.clone());
    if !is_a_position(walk.round()) {
        walk.ensure(resumed.is_err(), "the effects behind this phase are not in the notation");
        return;
    }
    let resumed = resumed.unwrap_or_else(|error| {
        walk.ensure(false, format_args!("not a position: {error}"));
        unreachable!()
    });
    walk.ensure(to_string(&Position::of(&resumed)).ok() == Some(text), "it reads back as another state");
    check_goes_on(walk, &resumed, rng);
}

/// Discards, votes and dares hang on effects that positions do not tell.
pub(super) fn is_a_position(round: &Round) -> bool {
    !matches!(round.phase(), Phase::Discard { .. } | Phase::Vote { .. } | Phase::Dare { .. })
}

/// The same is allowed, and has the same outcome.
fn check_goes_on(walk: &Walk, resumed: &Match, rng: &mut Seeded) {
    let (round, rules) = (walk.round(), walk.rules());
    for seat in 0..round.players() {
        let same = round.legal_actions(rules, seat) == resumed.round().legal_actions(resumed.rules(), seat);
        walk.ensure(same, format_args!("read back, seat {seat} is allowed something else"));
    }
    let seat = rng.below(u32::from(round.players())) as Seat;
    let Some(action) = any_listed(round, rules, seat, rng).filter(|_| has_room_for_banners(round)) else { return };
    let [first, second] = [(round, rules), (resumed.round(), resumed.rules())].map(|(round, rules)| {
        let mut copy = *round;
        let accepted = copy.apply(rules, seat, &action, &mut rng.clone(), &mut ()).is_ok();
        (accepted, facts(&copy))
    });
    walk.ensure(first == second, format_args!("read back, {action:?} by seat {seat} has another outcome"));
}

/// When banners become too many the oldest come down, and positions do not tell which of two seats' is older.
fn has_room_for_banners(round: &Round) -> bool {
    let most_at_once = MAX_EFFECTS * round.players() as usize;
    round.banners().len() + most_at_once <= MAX_BANNERS
}

/// All that makes a round, as text.
fn facts(round: &Round) -> String {
    let piles = (round.hands(), round.draw_pile(), round.discard_pile());
    let turn = (round.phase(), round.drawn(), round.color(), round.direction(), round.idle(), round.liable());
    let draw_more: Vec<Option<u8>> = (0..round.players()).map(|seat| round.draw_more(seat)).collect();
    format!("{piles:?} {turn:?} {draw_more:?} {:?} {:?}", round.face_up(), round.banners())
}
