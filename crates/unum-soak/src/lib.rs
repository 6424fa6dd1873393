//! Drivers that load, kill and abuse a server, and look for leaks in everything it sends: docs/soak.md.
//!
//! The server is always a process of its own, as in production. `cargo xtask load | crash | drill | cluster | abuse | leaks` are the
//! long runs; the tests have small ones of most.

#![forbid(unsafe_code)]

pub mod abuse;
pub mod cluster;
pub mod crash;
mod crowd;
pub mod drill;
pub mod echo;
pub mod exhaust;
pub mod leaks;
pub mod load;
mod player;
pub mod prepared;
mod process;
mod promises;
mod proxy;
mod raw;
mod scan;
pub mod thinking;
mod timing;
mod verdict;

pub use crowd::{Crowd, Gathering};
pub use player::{Habits, Player, Tally};
pub use process::{ServerProcess, TOKEN, raise_file_limit};
pub use promises::Verdict;
pub use scan::Scanner;
pub use timing::Times;
pub use verdict::Line;
