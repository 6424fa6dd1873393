//! Checks of deals: what follows from one, and witnesses that watch tables for a page.

use unum_protocol::local::{DealAgain, Finding, Heard, MAX_WITNESSES, Prepared, Verdict, VerdictKind};
use unum_protocol::{Refusal, Request, ServerCode, ServerMsg, TableCode};
use unum_rules::fair::FairDeal;
use unum_rules::{RulesSpec, Seat};
use unum_table::Dice as _;
use unum_witness::{Witness, deal_again};

use crate::dice::Dice;

/// What follows from a deal.
pub(crate) fn deal(deal: &FairDeal, rules: RulesSpec, dealer: Option<Seat>) -> Result<DealAgain, Refusal> {
    deal.check().map_err(|why| Refusal::new(TableCode::BadSettings, why))?;
    let bad = |why: unum_rules::RulesError| Refusal::new(TableCode::BadSettings, why.to_string());
    let (dealer, hands) = deal_again(rules, deal, dealer).map_err(bad)?;
    Ok(DealAgain {
        commitment: deal.commitment(),
        key: deal.key().iter().map(|byte| format!("{byte:02x}")).collect(),
        pledges: (0..hands.len() as Seat).map(|seat| deal.pledge(seat)).collect(),
        dealer,
        hands,
    })
}

/// Witnesses by the codes of their tables, the one that was asked last at the end.
#[derive(Default)]
pub(crate) struct Deals(Vec<(String, Witness)>);

impl Deals {
    fn witness(&mut self, table: &str) -> &mut Witness {
        let known = self.0.iter().position(|(other, _)| other == table);
        let found = known.map_or_else(|| (table.to_owned(), Witness::default()), |at| self.0.remove(at));
        if self.0.len() >= MAX_WITNESSES {
            self.0.remove(0);
        }
        self.0.push(found);
        let last = self.0.len() - 1;
        &mut self.0[last].1
    }

    pub(crate) fn hear(
        &mut self,
        table: &str,
        kept: Option<String>,
        message: &ServerMsg,
        dice: &mut Dice,
    ) -> Result<Heard, Refusal> {
        let witness = self.witness(table);
        if let Some(kept) = kept {
            // What cannot be read was written by another version: the deal is "not compared" then.
            *witness = serde_json::from_str(&kept).unwrap_or_default();
        }
        let heard = witness.hear(message, &mut || dice.roll());
        Ok(Heard { requests: heard.requests, verdict: heard.verdict.map(told), kept: written(witness)? })
    }

    pub(crate) fn prepare(&mut self, table: &str, request: Request, dice: &mut Dice) -> Result<Prepared, Refusal> {
        let witness = self.witness(table);
        let request = witness.prepare(request, &mut || dice.roll());
        Ok(Prepared { request, kept: written(witness)? })
    }
}

fn written(witness: &Witness) -> Result<String, Refusal> {
    serde_json::to_string(witness).map_err(|why| Refusal::new(ServerCode::Crashed, why.to_string()))
}

fn told(verdict: unum_witness::Verdict) -> Verdict {
    use unum_witness::Verdict as Found;
    let (kind, round, findings) = match verdict {
        Found::Fair { round } => (VerdictKind::Fair, Some(round), Vec::new()),
        Found::NotCompared { round } => (VerdictKind::NotCompared, Some(round), Vec::new()),
        Found::Unfair { round, findings } => (VerdictKind::Unfair, round, findings),
    };
    let mut all: Vec<Finding> = Vec::new();
    for finding in findings.into_iter().map(in_short) {
        if !all.contains(&finding) {
            all.push(finding);
        }
    }
    Verdict { kind, round, findings: all }
}

fn in_short(finding: unum_witness::Finding) -> Finding {
    use unum_witness::Finding as Found;
    match finding {
        Found::OtherSecret | Found::OtherCommitment | Found::OldCommitment => Finding::Secret,
        Found::PledgesChanged | Found::OtherPart(_) | Found::PartAdded(_) | Found::PartDropped(_) => Finding::Parts,
        Found::Malformed => Finding::Parts,
        Found::OwnPartDropped => Finding::Own,
        Found::OtherCards | Found::OtherDealer => Finding::Cards,
        Found::NotRevealed => Finding::Hidden,
    }
}
