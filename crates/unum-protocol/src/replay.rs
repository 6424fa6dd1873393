//! Finished matches, step by step: pages of a replay.

use unum_rules::record::{Record, Step};
use unum_rules::wire::{ViewForm, full_events, seen_events};
use unum_rules::{Position, Rules, Seat, Viewer};

use crate::RulesView;
use crate::rest::{MAX_REPLAY_STEPS, Replay, ReplayQuery, ReplayStep};

/// About how many bytes of steps a page has at most; at least one step is in it.
const PAGE: usize = 256 * 1024;

/// Why there is no page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageError {
    /// Nobody sat there.
    #[error("there are seats 0 to {last}")]
    NoSeat {
        /// The last seat.
        last: Seat,
    },
    /// The record contradicts itself.
    #[error("the record is damaged")]
    Damaged,
}

/// Some steps as JSON. Every step is written as it is made, so they are never all in memory.
///
/// # Errors
/// When there is no such seat, or the record is damaged.
pub fn page(record: &Record, query: &ReplayQuery) -> Result<Vec<u8>, PageError> {
    let setup = &record.setup;
    if query.seat.is_some_and(|seat| seat >= setup.players) {
        return Err(PageError::NoSeat { last: setup.players - 1 });
    }
    let total = u32::try_from(record.moves.len()).unwrap_or(u32::MAX).saturating_add(1);
    let from = query.from.min(total);
    let mut replay = record.steps_from(from).map_err(|_| PageError::Damaged)?;
    let (mut steps, mut rounds) = (Vec::new(), None);
    for _ in 0..query.count.clamp(1, MAX_REPLAY_STEPS).min(total - from) {
        let Some(step) = replay.step().map_err(|_| PageError::Damaged)? else { break };
        let (first, _) = rounds.unwrap_or((step.place.round, 0));
        rounds = Some((first, step.place.round));
        if !steps.is_empty() {
            steps.push(b',');
        }
        serde_json::to_writer(&mut steps, &step_of(&step, query.seat)).map_err(|_| PageError::Damaged)?;
        if steps.len() >= PAGE {
            break;
        }
    }
    let head = head_of(record, from, total, rounds)?;
    let mut page = serde_json::to_vec(&head).map_err(|_| PageError::Damaged)?;
    // The list of steps is the last field, and empty.
    page.truncate(page.len() - 2);
    page.extend(steps);
    page.extend(b"]}");
    Ok(page)
}

/// Everything but the steps. `rounds`: the first and the last that the steps belong to.
fn head_of(record: &Record, from: u32, total: u32, rounds: Option<(u32, u32)>) -> Result<Replay, PageError> {
    let setup = &record.setup;
    let rules = Rules::new(setup.rules.clone()).map_err(|_| PageError::Damaged)?;
    let names = (0..setup.players).map(|seat| setup.name(seat).map(|name| name.as_str().to_owned()));
    let (deals, (first, last)) = (setup.seeding.deals(), rounds.unwrap_or((1, 0)));
    let deals = deals.get(first as usize - 1..last as usize).unwrap_or_default();
    Ok(Replay {
        names: names.collect(),
        rules: RulesView::new(&rules),
        total,
        rounds: record.deals_at().collect(),
        from,
        deals: deals.to_vec(),
        steps: Vec::new(),
    })
}

fn step_of(step: &Step<'_>, seat: Option<Seat>) -> ReplayStep {
    let (game, place) = (step.game, &step.place);
    let rules = game.rules();
    ReplayStep {
        round: place.round,
        number: place.number,
        seat: place.seat,
        notation: place.text.clone(),
        events: match seat {
            Some(seat) => seen_events(step.events, Viewer::Seat(seat), rules),
            None => full_events(step.events, rules),
        },
        view: seat.map(|seat| Box::new(ViewForm::new(&game.view(Viewer::Seat(seat)), rules))),
        state: seat.is_none().then(|| Box::new(Position::of(game))),
    }
}

#[cfg(test)]
mod tests {
    use unum_rules::playout::Casual;
    use unum_rules::record::{Recorder, Setup};
    use unum_rules::{Edition, RulesSpec, Seeded};

    use super::*;

    /// A match of bots that plays for some hundred moves.
    fn played(moves: usize) -> Record {
        let setup = Setup::new(RulesSpec::of(Edition::Original), 4, 7);
        let (mut recorder, mut chance) = (Recorder::start(setup, &mut ()).unwrap(), Seeded::new(1));
        while recorder.len() < moves && recorder.game().winners().is_none() {
            if recorder.game().round().is_over() {
                recorder.next_round(&mut ()).unwrap();
                continue;
            }
            let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut chance);
            recorder.apply(seat, &action, &mut ()).unwrap();
        }
        recorder.into_record()
    }

    #[test]
    fn pages_fit_together_to_what_all_steps_are() {
        let record = played(700);
        for seat in [None, Some(2)] {
            let mut all = Vec::new();
            let mut steps = record.steps();
            while let Some(step) = steps.step().unwrap() {
                all.push(step_of(&step, seat));
            }
            let mut paged: Vec<ReplayStep> = Vec::new();
            loop {
                let query = ReplayQuery { seat, from: paged.len() as u32, count: 97 };
                let page: Replay = serde_json::from_slice(&page(&record, &query).unwrap()).unwrap();
                assert_eq!((page.from, page.total as usize), (query.from, all.len()));
                assert!(page.steps.len() <= 97);
                for (round, at) in (1..).zip(&page.rounds) {
                    assert_eq!((all[*at as usize].round, all[*at as usize].seat), (round, None), "a deal");
                }
                if page.steps.is_empty() {
                    break;
                }
                paged.extend(page.steps);
            }
            assert!(paged == all, "the steps differ");
        }
    }

    #[test]
    fn a_page_is_never_long() {
        let record = played(700);
        for (count, most) in [(0, 1), (1, 1), (u32::MAX, MAX_REPLAY_STEPS as usize)] {
            let bytes = page(&record, &ReplayQuery { seat: None, from: 3, count }).unwrap();
            let page: Replay = serde_json::from_slice(&bytes).unwrap();
            assert!(page.steps.len() == most || bytes.len() >= PAGE, "{} steps", page.steps.len());
            assert!(bytes.len() < 2 * PAGE, "{} bytes", bytes.len());
        }
        let beyond = page(&record, &ReplayQuery { seat: None, from: u32::MAX, count: 5 }).unwrap();
        let beyond: Replay = serde_json::from_slice(&beyond).unwrap();
        assert!(beyond.steps.is_empty() && beyond.from == beyond.total);
    }
}
