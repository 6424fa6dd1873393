//! A whole server on a free port, and clients on real sockets.

mod admin;
mod api;
mod below;
mod cluster;
mod encrypted;
mod faults;
mod handover;
mod journals;
mod limits;
mod lying;
mod panics;
mod people;
mod play;
mod postgres;
mod privacy;
mod reviews;
mod storage;
mod tools;
mod traces;
