//! The rules of UNO: five editions, house rules, whole matches — exact, and fast enough for research.
//!
//! # A whole match
//!
//! ```
//! use unum_rules::{Edition, Match, Rules, playout::Casual, Seeded};
//!
//! let mut game = Match::new(Rules::of(Edition::Original), 3, 7)?; // three players, seed 7
//! let mut whims = Seeded::new(1); // how the random players below decide
//! while game.winners().is_none() {
//!     if game.round().is_over() {
//!         game.next_round(&mut ())?;
//!         continue;
//!     }
//!     let (seat, action) = Casual.choose(game.round(), game.rules(), &mut whims);
//!     game.apply(seat, &action, &mut ())?;
//! }
//! assert!(game.scores().iter().any(|score| *score >= 500));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the pieces are
//!
//! - [`Rules`] are data: an [`Edition`], a way of [`Scoring`], [`House`] rules, Customizable cards. The loose
//!   form, as tables agree on it and files hold it, is a [`RulesSpec`].
//! - A [`Round`] is one deal: plain data below one KiB, copied rather than shared, moved on by
//!   [`Round::apply`]. A [`Match`] is rounds with scores, and owns its rules and its source of chance.
//! - An [`Action`] goes in, [`Event`]s come out, or a [`Refusal`] with a stable [`Code`], the id of the rule
//!   behind it and a sentence; then nothing has changed.
//! - [`Round::legal`] lists what a seat can do. Several seats may be able to act at once.
//! - A [`View`] is what one seat or a spectator may know, [`Event::seen_by`] the same for events.
//! - A [`Sight`] is the same without copying, for players who decide millions of times a second; [`Sight::imagine`]
//!   fills in a guess for everything the seat cannot see, for players who search.
//! - A [`Position`] is a whole state in JSON, or a puzzle to start from.
//! - [`Chance`] is where shuffles come from: any generator of the `rand` family, the standard [`Seeded`] one, or a
//!   script of your own. The engine never generates random numbers itself.
//! - [`rulebook`] explains every rule in words, [`record`] saves and replays games, [`perft`] counts action
//!   sequences, [`referee`] speaks JSON on a pipe, [`wire`] is that vocabulary, [`playout`] plays at random.
//!
//! # Acting, refusals, events
//!
//! ```
//! use unum_rules::{Action, Card, Code, Color, Match, Play, Position, Rules, Seeded, Edition, Viewer, wire};
//!
//! // Seat 0 bluffs: a Wild Draw Four, though it holds a red card.
//! let position: Position = serde_json::from_str(
//!     r#"{"top":"R7","hands":[["R1","W+4","B2"],["G3","G4"]],"draw_pile":["Y1","Y2","Y3","Y4","Y5"],
//!         "phase":{"type":"turn","seat":0}}"#,
//! )?;
//! let mut game = position.into_match(Rules::of(Edition::Original), Seeded::new(0))?;
//!
//! let refusal = game.apply(1, &Action::Draw, &mut ()).unwrap_err();
//! assert_eq!((refusal.code(), refusal.rule()), (Code::NotYourTurn, Some("T1")));
//!
//! let mut events = Vec::new();
//! game.apply(0, &Play::wild(Card::WILD_DRAW_FOUR, Color::Green).into(), &mut events)?;
//! game.apply(1, &Action::Challenge, &mut events)?; // seat 1 smells it
//! assert_eq!(game.round().hand(0).len(), 2 + 4);
//! assert_eq!(game.view(Viewer::Seat(1)).shown[0].unwrap().len(), 2); // shown to the challenger alone
//! assert!(game.view(Viewer::Spectator).shown[0].is_none());
//!
//! let seen = wire::seen_events(&events, Viewer::Spectator, game.rules());
//! let json = serde_json::to_string(&seen)?;
//! assert!(json.contains(r#"{"type":"challenged","seat":1,"challenged":0,"guilty":true}"#));
//! assert!(!json.contains("R1"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Simulating fast
//!
//! Pass `&mut ()` for the events: they are then not even made. `apply` and `legal` never touch the heap.
//!
//! ```
//! use unum_rules::{Edition, Round, Rules, Seeded, playout::Casual};
//!
//! let rules = Rules::of(Edition::Modern);
//! let mut chance = Seeded::new(3);
//! let actions: u32 = (0..100)
//!     .map(|deal| {
//!         let mut round = Round::deal(&rules, 4, deal % 4, &mut chance, &mut ()).unwrap();
//!         Casual.finish(&mut round, &rules, &mut chance)
//!     })
//!     .sum();
//! assert!(actions > 1000);
//! ```

#![forbid(unsafe_code)]

// What `unum_derive` writes names this crate.
extern crate self as unum_rules;

/// The examples of the README, compiled.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

#[macro_use]
mod object;

mod action;
mod card;
mod chance;
mod custom;
mod edition;
mod event;
pub mod fair;
mod game;
mod hand;
pub mod json;
mod marks;
pub mod order;
pub mod perft;
pub mod playout;
mod position;
pub mod record;
pub mod referee;
mod refusal;
mod round;
pub mod rulebook;
mod rules;
mod seat;
mod sight;
mod stakes;
pub mod text;
mod view;
mod why;
pub mod wire;

pub use action::{Action, MAX_ALONG, Play};
pub use card::{Card, CardList, CardName, Cards, Color, ColorName, Face, KINDS, MAX_DECK, Palette};
pub use chance::{Chance, Seeded};
pub use custom::*;
pub use edition::{DealerChoice, Deck, Edition, StartPolicy};
pub use event::*;
pub use game::{Match, NextRoundError, RoundResult};
pub use hand::{CardSet, Hand};
pub use object::plain_words;
pub use position::{Position, PositionError};
pub use refusal::{Code, Deed, Obstacle, Reason, Refusal};
pub use round::{Banner, FaceUp, MAX_BANNERS, MAX_LISTED_DISCARDS, Phase, Round};
pub use rules::*;
pub use seat::{Direction, SEATS, Seat, SeatSet};
pub use sight::{Guess, Sight};
pub use stakes::{Stakes, UNO_FROM};
pub use view::View;
pub use why::Why;

/// The version of the rules' behavior, raised whenever the same deal and actions lead to a different state than before.
/// Journals and records carry it, so a table that no longer replays can say why.
pub const RULES_VERSION: u32 = 1;
