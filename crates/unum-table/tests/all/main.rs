//! The table in virtual time, with scripted and random people.

mod bots;
mod clock;
mod crowd;
mod dealing;
mod fixtures;
mod handover;
mod journal;
mod lobby;
mod looks;
mod manners;
mod memory;
mod people;
mod play;
mod race;
mod records;
mod seats;
mod talk;
mod teaching;
mod telling;
