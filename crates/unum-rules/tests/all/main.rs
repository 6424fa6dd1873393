//! Tests of the rules through the public API, in one binary.

mod allocations;
mod properties;
mod referee;
mod rules;
mod scenarios;
mod tables;
mod tidy;
