//! The bot as a program: `unum arena me=program:target/release/example-bot random`.

#![forbid(unsafe_code)]

use std::io::{self, BufRead as _, Write as _};

use example_bot::Watcher;

fn main() -> io::Result<()> {
    let mut bot = Watcher::default();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        // Messages of a later version of the protocol may be unknown: they expect no answer of ours.
        let Ok(message) = serde_json::from_str(&line?) else { continue };
        if let Some(answer) = bot.hear(&message) {
            serde_json::to_writer(&mut out, &answer)?;
            out.write_all(b"\n")?;
            // An answer that waits in a buffer is no answer.
            out.flush()?;
        }
    }
    Ok(())
}
