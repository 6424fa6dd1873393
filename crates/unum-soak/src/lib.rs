//! Drivers that load, kill and abuse a server, and look for leaks in everything it sends: docs/soak.md.
//!
//! The server is always a process of its own, as in production. `cargo xtask load | crash | abuse | leaks` are the long runs; the tests have small ones of most.

#![forbid(unsafe_code)]

pub mod abuse;
pub mod crash;
mod crowd;
pub mod echo;
pub mod exhaust;
pub mod leaks;
pub mod load;
mod player;
pub mod prepared;
mod process;
mod raw;
mod scan;
pub mod thinking;
mod timing;

pub use crowd::{Crowd, Gathering};
pub use player::{Habits, Player, Tally};
pub use process::{ServerProcess, raise_file_limit};
pub use scan::Scanner;
pub use timing::Times;
