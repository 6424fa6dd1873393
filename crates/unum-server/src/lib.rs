//! A server for tables of UNO: HTTP for the lobby, one WebSocket per client for play, everything journaled before
//! anybody hears of it.
//!
//! [`Server::start`] takes a [`Config`] and gives a [`Running`] server. What travels over a WebSocket is described by
//! [`unum_protocol`]; the codes by which connections end are in [`codes`].

#![forbid(unsafe_code)]

mod address;
mod admin;
mod alarm;
mod app;
pub mod check;
mod cluster;
pub mod codes;
pub mod config;
mod connected;
mod frame;
mod guests;
mod heavy;
mod house;
mod http;
mod hub;
mod journal;
mod limits;
mod listener;
mod mail;
mod meter;
mod metrics;
mod moderation;
pub mod monitoring;
mod origin;
mod outbox;
mod random;
mod records;
mod reviews;
mod server;
mod session;
mod table_task;
mod thinkers;
mod tls;
mod traces;

pub use address::Network;
pub use admin::AdminToken;
pub use cluster::NodeSecret;
pub use config::{Config, ConfigError, Limits};
pub use server::{Running, Server, StartError, databases};
pub use tls::{Certificate, TlsError, fingerprint_of};
pub use traces::Collector;
