//! A whole server on a free port, and clients on real sockets.

mod api;
mod codes;
mod faults;
mod limits;
mod play;
mod storage;
mod tools;
