//! `unum referee`: the rules engine on a pipe.

use std::io::{self, BufRead, Write};

use unum_rules::referee::{MAX_LINE, Referee};

use super::{analyze, suggest};

/// Answer JSON requests, one per line, until the input ends.
///
/// Start with {"op":"new","rules":{"edition":"original"},"players":3,"seed":7}; docs/referee.md has the
/// whole vocabulary. {"op":"analyze"} says what to play in the current position (docs/review.md), and
/// {"op":"suggest","level":"hard"} what a bot would do.
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: Args) -> anyhow::Result<()> {
    let mut referee = Referee::default();
    let mut input = io::stdin().lock();
    let mut output = io::BufWriter::new(io::stdout().lock());
    let mut line = Vec::new();
    loop {
        let reply = match read_line(&mut input, &mut line)? {
            Line::End => return Ok(()),
            Line::Read => analyze::answer(&referee, &line)
                .or_else(|| suggest::answer(&referee, &line))
                .unwrap_or_else(|| referee.answer(&line)),
            Line::TooLong => Referee::line_too_long(),
        };
        output.write_all(reply.as_bytes())?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
}

enum Line {
    Read,
    TooLong,
    End,
}

/// Reads a line without its end. Of one that is too long nothing is kept.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<Line> {
    line.clear();
    let mut too_long = false;
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            let nothing = line.is_empty() && !too_long;
            return Ok(if nothing { Line::End } else { finish(too_long) });
        }
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let part = &buffer[..end.unwrap_or(buffer.len())];
        if too_long || line.len() + part.len() > MAX_LINE {
            too_long = true;
            line.clear();
        } else {
            line.extend_from_slice(part);
        }
        let used = part.len() + usize::from(end.is_some());
        input.consume(used);
        if end.is_some() {
            return Ok(finish(too_long));
        }
    }
}

fn finish(too_long: bool) -> Line {
    if too_long { Line::TooLong } else { Line::Read }
}
