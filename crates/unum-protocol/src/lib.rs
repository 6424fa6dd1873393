//! One vocabulary: every type that crosses a process boundary, in both directions, over WebSocket and HTTP.
//!
//! A [`ClientMsg`] goes to a table, a [`ServerMsg`] comes back; [`rest`] has the bodies of HTTP, [`review`] what cards and
//! choices were worth, [`pipe`] what bots in other languages are told, [`node`] what the nodes of a cluster tell each
//! other, [`local`] what a page asks the module that runs a table inside it, [`admin`]
//! what operators are told. Cards, actions, phases, views, events and records are the vocabulary of [`unum_rules`], used from there. Every type can be written and read,
//! and has a TypeScript form (feature `ts`) and a JSON schema (feature `schema`) made from the same definition.
//!
//! This crate is data without behavior: what is allowed ([`SETTINGS`], bounds, codes), never who does it.
//! docs/protocol.md describes the protocol for client authors.

#![forbid(unsafe_code)]

pub mod admin;
mod client;
mod code;
mod hint;
mod invite;
mod lesson;
mod level;
pub mod local;
mod look;
mod moderation;
pub mod node;
pub mod pipe;
pub mod replay;
pub mod rest;
pub mod review;
pub mod rulebook;
mod server;
mod settings;
mod terms;
mod views;

pub use client::*;
pub use code::*;
pub use hint::*;
pub use invite::*;
pub use lesson::*;
pub use level::Level;
pub use look::{Look, LookId};
pub use moderation::*;
pub use server::*;
pub use settings::*;
pub use terms::*;
pub use views::*;

/// The version of the protocol. Types, codes and events are closed within a version; fields may be added.
pub const VERSION: u32 = 1;
/// The longest message a client may send, in bytes.
pub const MAX_MESSAGE: usize = 4096;
/// The longest name of a person, in characters.
pub const MAX_NAME: usize = 24;
/// The longest title of a table, in characters.
pub const MAX_TITLE: usize = 60;
/// The longest line of chat, in characters.
pub const MAX_CHAT: usize = 300;
/// Most people at a table, onlookers included.
pub const MAX_PEOPLE: usize = 100;

/// Somebody at one table: a number in order of arrival that means nothing elsewhere.
pub type Person = u32;
