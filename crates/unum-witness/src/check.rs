//! What was seen, compared with what is revealed.

use serde::{Deserialize, Serialize};
use unum_protocol::FairView;
use unum_rules::fair::{Commitment, Entropy, FairDeal, Pledge};
use unum_rules::wire::{EventForm, VeiledForm, full_events};
use unum_rules::{CardName, Match, Rules, RulesError, RulesSpec, Seat};

/// Something a fair table does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// The secret is not the one the table had committed to.
    OtherSecret,
    /// The table dealt by another commitment than it had published when parts were pledged.
    OtherCommitment,
    /// A commitment was used for a second deal.
    OldCommitment,
    /// The pledges changed after they were published.
    PledgesChanged,
    /// The client's own part arrived and was not used.
    OwnPartDropped,
    /// A player's part is not the one they had pledged.
    OtherPart(Seat),
    /// A part was used that nobody had pledged.
    PartAdded(Seat),
    /// A part that was pledged is missing, and nobody was named for it.
    PartDropped(Seat),
    /// The cards one was dealt do not follow from the secret and the parts.
    OtherCards,
    /// Another seat dealt than the rules say.
    OtherDealer,
    /// What is revealed does not fit together.
    Malformed,
    /// A round ended or was broken off, and nothing was revealed.
    NotRevealed,
}

/// What came of checking a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything that was published before the deal fits what was revealed.
    Fair {
        /// The number of the round in the match.
        round: u32,
    },
    /// Nothing is known of what was published before the deal, as after a restart, or when one came later.
    NotCompared {
        /// The number of the round in the match.
        round: u32,
    },
    /// The table does not deal fairly, or somebody in between changes what it says.
    Unfair {
        /// The number of the round in the match, once it was dealt.
        round: Option<u32>,
        /// What does not fit; at least one thing.
        findings: Vec<Finding>,
    },
}

impl Verdict {
    pub(crate) fn unfair(round: Option<u32>, findings: Vec<Finding>) -> Verdict {
        Verdict::Unfair { round, findings }
    }

    /// Whether a person has to be told at once.
    pub fn is_alarm(&self) -> bool {
        matches!(self, Verdict::Unfair { .. })
    }
}

/// What was published when parts were opened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Seen {
    pub(crate) commitment: Commitment,
    pub(crate) attempt: u8,
    pub(crate) pledges: Vec<Option<Pledge>>,
    /// The own part, once it was opened.
    pub(crate) own: Option<(Seat, Entropy)>,
    /// Whether the table has said that it came.
    pub(crate) heard: bool,
    /// Whether another attempt may have been missed afterwards.
    pub(crate) gap: bool,
}

impl Seen {
    pub(crate) fn of(fair: &FairView) -> Seen {
        let FairView { next, attempt, pledges, .. } = fair;
        Seen { commitment: *next, attempt: *attempt, pledges: pledges.clone(), own: None, heard: false, gap: false }
    }

    /// A deal to which nobody pledged anything.
    pub(crate) fn nothing_pledged(commitment: Commitment) -> Seen {
        Seen { commitment, attempt: 1, pledges: Vec::new(), own: None, heard: false, gap: false }
    }

    /// Whether it is about the attempt that a deal came from, as far as one can know.
    fn is_about(&self, deal: &FairDeal) -> bool {
        deal.attempt == self.attempt || !self.gap
    }

    fn check(&self, deal: &FairDeal) -> Vec<Finding> {
        if !self.is_about(deal) {
            return Vec::new();
        }
        let pledged = |seat: Seat| {
            let pledges = Some(&self.pledges).filter(|_| deal.attempt == self.attempt)?;
            pledges.get(usize::from(seat)).copied().flatten()
        };
        let seats = (0..).zip(&deal.entropy);
        let mut findings: Vec<Finding> =
            seats.filter_map(|(seat, _)| self.check_seat(seat, pledged(seat), deal)).collect();
        let dropped = |(seat, part): (Seat, Entropy)| deal.entropy.get(usize::from(seat)) != Some(&Some(part));
        if self.heard && self.own.is_some_and(dropped) && deal.attempt == self.attempt {
            findings.insert(0, Finding::OwnPartDropped);
        }
        findings
    }

    fn check_seat(&self, seat: Seat, pledged: Option<Pledge>, deal: &FairDeal) -> Option<Finding> {
        match (pledged, deal.pledge(seat)) {
            (Some(pledged), Some(used)) => (pledged != used).then_some(Finding::OtherPart(seat)),
            (None, Some(_)) => Some(Finding::PartAdded(seat)),
            (Some(_), None) => (!deal.withheld.contains(&seat)).then_some(Finding::PartDropped(seat)),
            (None, None) => None,
        }
    }

    /// A deal that was broken off: parts may be missing, as not all were opened.
    pub(crate) fn check_broken_off(&self, deal: &FairDeal) -> Vec<Finding> {
        let mut findings = self.check(deal);
        findings.retain(|finding| !matches!(finding, Finding::PartDropped(_)));
        if deal.commitment() != self.commitment {
            findings.insert(0, Finding::OtherSecret);
        }
        findings
    }
}

/// A round that is being played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    pub(crate) number: u32,
    pub(crate) commitment: Commitment,
    pub(crate) seen: Option<Seen>,
    /// Where one sat when it was dealt, and the cards one was dealt.
    pub(crate) seat: Option<Seat>,
    pub(crate) hand: Option<Vec<CardName>>,
    pub(crate) dealer: Option<Seat>,
    pub(crate) rules: Option<RulesSpec>,
}

/// Who dealt, and everybody's hand.
type Dealt = (Seat, Vec<Vec<CardName>>);

impl Round {
    /// Compares it with what is revealed.
    pub(crate) fn check(&self, deal: &FairDeal) -> Vec<Finding> {
        let mut findings = Vec::new();
        if deal.commitment() != self.commitment {
            findings.push(Finding::OtherSecret);
        }
        if deal.check().is_err() {
            findings.push(Finding::Malformed);
        }
        findings.extend(self.seen.iter().flat_map(|seen| seen.check(deal)));
        match self.deal_again(deal) {
            Some(Err(_)) => findings.push(Finding::Malformed),
            Some(Ok((dealer, hands))) => {
                let dealt = |seat: Seat| hands.get(usize::from(seat)).map(|hand| sorted(hand));
                let seen = self.hand.as_ref().map(|hand| Some(sorted(hand)));
                if self.seat.zip(seen).is_some_and(|(seat, seen)| dealt(seat) != seen) {
                    findings.push(Finding::OtherCards);
                }
                if self.dealer.is_some_and(|told| told != dealer) {
                    findings.push(Finding::OtherDealer);
                }
            }
            None => {}
        }
        findings
    }

    pub(crate) fn verdict(&self, deal: &FairDeal, findings: Vec<Finding>) -> Verdict {
        let round = self.number;
        match (self.seen.as_ref().filter(|seen| seen.is_about(deal)), findings.is_empty()) {
            (_, false) => Verdict::unfair(Some(round), findings),
            (Some(_), true) => Verdict::Fair { round },
            (None, true) => Verdict::NotCompared { round },
        }
    }

    /// The dealer and the hands that follow from a deal.
    fn deal_again(&self, deal: &FairDeal) -> Option<Result<Dealt, RulesError>> {
        let (rules, dealer) = (self.rules.clone()?, self.dealer?);
        Some(deal_again(rules, deal, (self.number > 1).then_some(dealer)))
    }
}

fn deal_again(
    spec: RulesSpec,
    deal: &FairDeal,
    dealer: Option<Seat>,
) -> Result<(Seat, Vec<Vec<CardName>>), RulesError> {
    let (rules, players) = (Rules::new(spec)?, deal.entropy.len());
    let count = u8::try_from(players).unwrap_or(u8::MAX);
    let mut events = Vec::new();
    let game = Match::start(rules, count, dealer, deal.chance(), &mut events)?;
    let mut hands = vec![Vec::new(); players];
    for event in full_events(&events, game.rules()) {
        if let EventForm::Dealt { seat, cards: VeiledForm::Cards(cards) } = event
            && let Some(hand) = hands.get_mut(usize::from(seat))
        {
            *hand = cards;
        }
    }
    Ok((game.round().dealer(), hands))
}

fn sorted(cards: &[CardName]) -> Vec<&'static str> {
    let mut names: Vec<&str> = cards.iter().map(|card| card.as_str()).collect();
    names.sort_unstable();
    names
}
