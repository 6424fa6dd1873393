//! How long one action takes at a table of four people: deciding it, and serializing what everybody is told.
//!
//!     cargo run --release -p unum-table --example pace [ROUNDS]

use std::time::{Duration, Instant};

use unum_protocol::{Choice, Request, Settings, Stage};
use unum_rules::wire::{ActionForm, ChoiceForm};
use unum_rules::{Chance as _, Seeded};
use unum_table::sim::Trial;
use unum_table::{GuestId, Input, Outcome};

/// What was done, and how long it took.
#[derive(Default)]
struct Cost {
    actions: u32,
    messages: u32,
    bytes: usize,
    deciding: Duration,
    telling: Duration,
    noting: Duration,
}

impl Cost {
    fn of(&mut self, outcome: &Outcome, deciding: Duration) {
        self.actions += 1;
        self.deciding += deciding;
        let begun = Instant::now();
        for delivery in &outcome.deliveries {
            let text = serde_json::to_string(&delivery.message).expect("plain data");
            self.messages += delivery.to.len() as u32;
            self.bytes += text.len() * delivery.to.len();
        }
        self.telling += begun.elapsed();
        let begun = Instant::now();
        outcome.entries.iter().for_each(|entry| drop(serde_json::to_vec(entry)));
        self.noting += begun.elapsed();
    }
}

fn main() {
    let rounds = std::env::args().nth(1).and_then(|rounds| rounds.parse().ok()).unwrap_or(2_000);
    let mut trial = Trial::open(GuestId(1), Settings::default(), 1).expect("the settings are possible");
    let guests: Vec<GuestId> = (1..=4).map(GuestId).collect();
    for guest in &guests {
        trial.arrive(*guest, "Somebody", None);
    }
    let (mut chance, mut cost) = (Seeded::new(1), Cost::default());
    let mut played = 0;
    while played < rounds {
        let stage = trial.snapshot_for(guests[0]).map(|(lobby, _)| lobby.stage);
        if stage != Some(Stage::Playing) {
            played += 1;
            guests.iter().rev().for_each(|guest| begin(&mut trial, *guest));
            trial.wait(1);
        }
        trial.inboxes.clear();
        let acting = guests.iter().find_map(|guest| Some((*guest, action(&trial, *guest, &mut chance)?)));
        let Some((guest, request)) = acting else { continue };
        // A request without a number is always carried out.
        let input = Input::Asked { guest, id: 0, request };
        let begun = Instant::now();
        let outcome = trial.table.handle(input, trial.now, &mut trial.dice);
        cost.of(&outcome, begun.elapsed());
    }
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(cost.actions);
    println!("{} actions, {} messages of {} bytes", cost.actions, cost.messages, cost.bytes / cost.messages as usize);
    println!(
        "per action: deciding {:.1} µs, telling {:.1} µs, noting {:.1} µs",
        each(cost.deciding),
        each(cost.telling),
        each(cost.noting)
    );
}

/// What has to be done before the next deal.
fn begin(trial: &mut Trial, guest: GuestId) {
    trial.ask(guest, Request::Accept { agreement: trial.table.agreement() });
    trial.ask(guest, Request::Ready { ready: true, pledge: None });
    trial.ask(guest, Request::Start { pledge: None });
}

/// A play if there is one, or anything else except a catch, which would have to wait for the end of the grace period.
fn action(trial: &Trial, guest: GuestId, chance: &mut Seeded) -> Option<Request> {
    let (_, game) = trial.snapshot_for(guest)?;
    let game = game?;
    let is_catch = |choice: &Choice| matches!(choice.action, ChoiceForm::Action(ActionForm::Catch { .. }));
    let is_play = |choice: &Choice| matches!(choice.action, ChoiceForm::Action(ActionForm::Play { .. }));
    let plays = game.legal.iter().any(is_play);
    let choices: Vec<&Choice> =
        game.legal.iter().filter(|choice| if plays { is_play(choice) } else { !is_catch(choice) }).collect();
    let choice = choices.get(chance.below(choices.len().max(1) as u32) as usize)?;
    let action = choice.action.first_action(game.view.hand.as_deref().unwrap_or_default());
    Some(Request::Act { action, at: Some(game.at) })
}
