//! The functions of the module, for callers outside Rust.
//!
//! A question takes three calls: [`unum_room`] makes room for it, and the caller writes 32 random bytes and the
//! question in UTF-8 there; [`unum_ask`] answers and returns the length of the answer; [`unum_answer`] says where it
//! lies, until the next call. Memory can grow in every call, so the caller must look it up again after each.
//!
//! No pointer is ever followed here: the caller reads and writes the memory of the module, which is its own, and Rust sees
//! vectors that are as long as they say. So this is safe code. The attributes count as unsafe because a second function of
//! the same name, in any other library, would be called in place of this one; there is no other library in the module, and
//! the names begin with its own.

#![allow(unsafe_code)]

use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::Module;
use unum_protocol::local::MAX_ASK;

/// How many random bytes come before a question.
pub const RANDOM: usize = 32;

#[derive(Default)]
struct Desk {
    module: Option<Module>,
    question: Vec<u8>,
    answer: String,
}

static DESK: Mutex<Desk> = Mutex::new(Desk { module: None, question: Vec::new(), answer: String::new() });

fn desk() -> MutexGuard<'static, Desk> {
    DESK.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for that many bytes, and says where: 32 random ones, then the question. Zero if that is too much.
#[unsafe(no_mangle)]
pub extern "C" fn unum_room(length: usize) -> usize {
    if length > MAX_ASK + RANDOM {
        return 0;
    }
    let mut desk = desk();
    desk.question = vec![0; length];
    desk.question.as_mut_ptr() as usize
}

/// Answers the question that was written, at a time in milliseconds since 1970. Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn unum_ask(now: f64) -> usize {
    let mut desk = desk();
    let asked = std::mem::take(&mut desk.question);
    let (random, question) = asked.split_first_chunk::<RANDOM>().unwrap_or((&[0; RANDOM], &[]));
    // Anything but UTF-8 is refused as invalid JSON.
    let question = std::str::from_utf8(question).unwrap_or_default();
    desk.answer = desk.module.get_or_insert_default().answer(question, now, *random);
    desk.answer.len()
}

/// Where the last answer lies.
#[unsafe(no_mangle)]
pub extern "C" fn unum_answer() -> usize {
    desk().answer.as_ptr() as usize
}
