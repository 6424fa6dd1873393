//! The table in virtual time, with scripted and random people.

mod crowd;
mod lobby;
mod people;
