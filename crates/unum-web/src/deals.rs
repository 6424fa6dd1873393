//! Checks of deals: what follows from one.

use unum_protocol::local::DealAgain;
use unum_protocol::{Refusal, TableCode};
use unum_rules::fair::FairDeal;
use unum_rules::{RulesSpec, Seat};
use unum_witness::deal_again;

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
