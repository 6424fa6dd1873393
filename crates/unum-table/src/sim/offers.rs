//! What is offered is accepted, and nothing else is: `may` compared with what becomes of requests of every type.

use strum::VariantArray as _;
use unum_protocol::{Level, Pace, Reaction, ReportKind, Request, RequestKind, SettingId, SettingValue, Settings};
use unum_rules::Seat;
use unum_rules::fair::{Entropy, Pledge};
use unum_rules::wire::{ActionForm, ChoiceForm};
use unum_witness::Witness;

use crate::state::State;
use crate::{GuestId, Input};

use super::Trial;

/// A title, a name and a text that nobody else has.
const NOVEL: &str = "Something new";

/// Tries requests of every type on copies of the table.
///
/// # Errors
/// Says which type was offered although every form of it is refused, or changed something although it was not offered.
pub(super) fn check(trial: &Trial, guest: GuestId) -> Result<(), String> {
    let state = &trial.table.state;
    let Some(member) = state.guest(guest) else { return Ok(()) };
    let (may, legal) = (state.may(member), legal(trial, guest));
    let part = trial.witnesses.get(&guest).and_then(Witness::part);
    for kind in RequestKind::VARIANTS {
        let forms = forms(*kind, state, &legal, part);
        let tried: Vec<Tried> = forms.iter().map(|request| attempt(trial, guest, request.clone())).collect();
        // In a round, what can be done is listed by `legal`, move by move.
        let in_turn = matches!(kind, RequestKind::Act | RequestKind::Hint);
        let offered = may.contains(kind) && (!in_turn || !legal.is_empty());
        let holds =
            if offered { tried.iter().any(|one| *one != Tried::Refused) } else { !tried.contains(&Tried::Changed) };
        if !holds {
            return Err(format!("{kind:?} is offered: {offered}, but {forms:?} became {tried:?}\n{may:?}"));
        }
    }
    Ok(())
}

/// What became of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    Refused,
    /// Carried out, and nothing had to change; or it waits for the end of somebody's grace.
    Accepted,
    Changed,
}

fn attempt(trial: &Trial, guest: GuestId, request: Request) -> Tried {
    let (mut table, mut dice) = (trial.table.clone(), trial.dice.clone());
    // What is offered is accepted unless it comes too fast.
    table.budgets = Default::default();
    let outcome = table.handle(Input::Asked { guest, id: 0, request }, trial.now, &mut dice);
    match outcome.answer {
        Some(Err(_)) => Tried::Refused,
        _ if outcome.entries.is_empty() => Tried::Accepted,
        _ => Tried::Changed,
    }
}

fn legal(trial: &Trial, guest: GuestId) -> Vec<ActionForm> {
    let Some((_, Some(game))) = trial.snapshot_for(guest) else { return Vec::new() };
    let hand = game.view.hand.unwrap_or_default();
    let first = |choice: &ChoiceForm| choice.first_action(&hand);
    game.legal.iter().map(|choice| first(&choice.action)).collect()
}

/// Requests of a type, at least one of which must be accepted if the type is offered.
fn forms(kind: RequestKind, state: &State, legal: &[ActionForm], part: Option<Entropy>) -> Vec<Request> {
    use RequestKind as Kind;
    let seats = || 0..=state.chairs.len() as Seat;
    let people = || 0..=state.next_person;
    let text = || NOVEL.to_owned();
    match kind {
        Kind::Sit => vec![Request::Sit {}],
        Kind::Stand => vec![Request::Stand {}],
        Kind::Take => seats().map(Some).chain([None]).map(|seat| Request::Take { seat }).collect(),
        Kind::Leave => vec![Request::Leave {}],
        Kind::Quit => vec![Request::Quit {}],
        Kind::Set => vec![Request::Set { setting: SettingId::Title, value: SettingValue::word(NOVEL) }],
        Kind::Settings => vec![Request::Settings { settings: Settings { title: text(), ..state.settings.clone() } }],
        Kind::Accept => vec![Request::Accept { agreement: state.agreement }],
        Kind::Ready => [true, false].map(|ready| Request::Ready { ready, pledge: None }).into(),
        Kind::Start => vec![Request::Start { pledge: None }],
        Kind::Pledge => vec![Request::Pledge { pledge: Pledge([1; 32]) }],
        Kind::Open => vec![Request::Open { part: part.unwrap_or(Entropy([0; 32])) }],
        Kind::Reopen => vec![Request::Reopen {}],
        Kind::AddBot => vec![Request::AddBot { level: Level::Normal }],
        Kind::RemoveBot => seats().map(|seat| Request::RemoveBot { seat }).collect(),
        Kind::Kick => people().map(|person| Request::Kick { person, address: person % 2 == 0 }).collect(),
        Kind::Unkick => people().map(|person| Request::Unkick { person }).collect(),
        Kind::Lock => [true, false].map(|locked| Request::Lock { locked }).into(),
        Kind::NewCode => vec![Request::NewCode {}],
        Kind::PassHost => people().map(|person| Request::PassHost { person }).collect(),
        Kind::Rename => vec![Request::Rename { name: text() }],
        Kind::Act if legal.is_empty() => vec![Request::Act { action: ActionForm::Draw {}, at: None }],
        Kind::Act => legal.iter().take(3).map(|action| Request::Act { action: action.clone(), at: None }).collect(),
        Kind::Hint => vec![Request::Hint { at: None }],
        Kind::Autopilot => [true, false].map(|on| Request::Autopilot { on }).into(),
        Kind::Pace => [Pace::Relaxed, Pace::Brisk].map(|pace| Request::Pace { pace }).into(),
        Kind::Chat => vec![Request::Chat { text: text() }],
        Kind::React => vec![Request::React { reaction: Reaction::Wow }],
        Kind::Mute => people().map(|person| Request::Mute { person, muted: true, always: person % 2 == 0 }).collect(),
        Kind::Report => {
            people().map(|person| Request::Report { person, kind: ReportKind::Spam, text: text() }).collect()
        }
        Kind::Accuse => seats().map(|seat| Request::Accuse { seat }).collect(),
        Kind::Judge => [true, false].map(|yes| Request::Judge { yes }).into(),
    }
}
