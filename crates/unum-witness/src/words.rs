//! Findings in words, for interfaces made of letters.

use std::fmt;

use crate::{Finding, Verdict};

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::OtherSecret => f.write_str("the secret does not fit the fingerprint published before the deal"),
            Finding::OtherCommitment => {
                f.write_str("the table exchanged its fingerprint after you had pledged your part")
            }
            Finding::OldCommitment => f.write_str("the table used a secret for a second time"),
            Finding::PledgesChanged => f.write_str("the players' pledges changed after they were published"),
            Finding::OwnPartDropped => f.write_str("your part of the deal was not used"),
            Finding::OtherPart(seat) => write!(f, "the part of seat {seat} is not the one that was pledged"),
            Finding::PartAdded(seat) => write!(f, "a part of seat {seat} was used that nobody had pledged"),
            Finding::PartDropped(seat) => write!(f, "the part of seat {seat} was left out without a word"),
            Finding::OtherCards => f.write_str("the cards you were dealt do not follow from the secret and the parts"),
            Finding::OtherDealer => f.write_str("another player dealt than the rules say"),
            Finding::Malformed => f.write_str("what the table revealed does not fit together"),
            Finding::NotRevealed => f.write_str("a round ended and the table did not reveal its secret"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Fair { round } => write!(f, "The deal of round {round} was checked: it was fair."),
            Verdict::NotCompared { round } => {
                write!(
                    f,
                    "The deal of round {round} was not compared: nothing is known of what was published before it."
                )
            }
            Verdict::Unfair { round, findings } => {
                f.write_str("THE DEAL WAS NOT FAIR")?;
                if let Some(round) = round {
                    write!(f, " (round {round})")?;
                }
                for (place, finding) in findings.iter().enumerate() {
                    write!(f, "{}{finding}", if place == 0 { ": " } else { "; " })?;
                }
                f.write_str(". Do not trust this table.")
            }
        }
    }
}
