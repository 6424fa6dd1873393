//! Findings in words, for text interfaces.

use std::fmt;

use crate::{Finding, Verdict};

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Finding::OtherSecret => f.write_str("the secret does not match the fingerprint published before the deal"),
            Finding::OtherCommitment => f.write_str("the table changed its fingerprint after you pledged your part"),
            Finding::OldCommitment => f.write_str("the table used the same secret twice"),
            Finding::PledgesChanged => f.write_str("the players' pledges changed after they were published"),
            Finding::OwnPartDropped => f.write_str("your part of the deal was not used"),
            Finding::OtherPart(seat) => write!(f, "the part of seat {seat} does not match its pledge"),
            Finding::PartAdded(seat) => write!(f, "a part was used for seat {seat} that nobody pledged"),
            Finding::PartDropped(seat) => write!(f, "the part of seat {seat} was silently left out"),
            Finding::OtherCards => f.write_str("the cards you were dealt do not follow from the secret and the parts"),
            Finding::OtherDealer => f.write_str("the wrong player dealt"),
            Finding::Malformed => f.write_str("what the table revealed is inconsistent"),
            Finding::NotRevealed => f.write_str("a round ended, but the table did not reveal its secret"),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Fair { round } => write!(f, "The deal of round {round} was checked: it was fair."),
            Verdict::NotCompared { round } => {
                write!(f, "The deal of round {round} was not compared: you did not see what was published before it.")
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
