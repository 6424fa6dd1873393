//! The table in virtual time, with scripted and random people.

mod lobby;
mod people;
