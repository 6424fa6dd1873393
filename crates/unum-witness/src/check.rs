//! Compares what was published before a deal with what is revealed afterwards.

use serde::{Deserialize, Serialize};
use unum_protocol::FairView;
use unum_rules::fair::{Commitment, Entropy, FairDeal, Pledge};
use unum_rules::wire::{EventForm, VeiledForm, full_events};
use unum_rules::{CardName, Match, Rules, RulesError, RulesSpec, Seat};

/// Something that a fair table does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Finding {
    /// The secret does not match the table's commitment.
    OtherSecret,
    /// The table dealt with a commitment other than the one published when parts were pledged.
    OtherCommitment,
    /// A commitment was used for two deals.
    OldCommitment,
    /// The pledges changed after they were published.
    PledgesChanged,
    /// The client's own part arrived but was not used.
    OwnPartDropped,
    /// A player's part does not match their pledge.
    OtherPart(Seat),
    /// A part was used that nobody pledged.
    PartAdded(Seat),
    /// A pledged part is missing, and nobody was named for withholding it.
    PartDropped(Seat),
    /// The client's cards do not follow from the secret and the parts.
    OtherCards,
    /// The wrong seat dealt.
    OtherDealer,
    /// What was revealed is inconsistent.
    Malformed,
    /// A round ended or was broken off, and nothing was revealed.
    NotRevealed,
}

/// The outcome of checking a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// What was revealed matches everything that was published before the deal.
    Fair {
        /// The number of the round in the match.
        round: u32,
    },
    /// The client did not see what was published before the deal: it was restarted, or came later.
    NotCompared {
        /// The number of the round in the match.
        round: u32,
    },
    /// The table does not deal fairly, or somebody in between tampers with its messages.
    Unfair {
        /// The number of the round in the match, if it was dealt.
        round: Option<u32>,
        /// What is wrong; at least one finding.
        findings: Vec<Finding>,
    },
}

impl Verdict {
    pub(crate) fn unfair(round: Option<u32>, findings: Vec<Finding>) -> Verdict {
        Verdict::Unfair { round, findings }
    }

    /// Whether to alert the user at once.
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
    /// The client's own part, once opened.
    pub(crate) own: Option<(Seat, Entropy)>,
    /// Whether the table has confirmed that it arrived.
    pub(crate) heard: bool,
    /// Whether the client may have missed another attempt since.
    pub(crate) gap: bool,
}

impl Seen {
    pub(crate) fn of(fair: &FairView) -> Seen {
        let FairView { next, attempt, pledges, .. } = fair;
        Seen { commitment: *next, attempt: *attempt, pledges: pledges.clone(), own: None, heard: false, gap: false }
    }

    /// A deal without pledges.
    pub(crate) fn nothing_pledged(commitment: Commitment) -> Seen {
        Seen { commitment, attempt: 1, pledges: Vec::new(), own: None, heard: false, gap: false }
    }

    /// Whether it concerns the attempt that the deal came from, as far as the client can know.
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

    /// Checks a deal that was broken off. Parts may be missing, because not all were opened.
    pub(crate) fn check_broken_off(&self, deal: &FairDeal) -> Vec<Finding> {
        let mut findings = self.check(deal);
        findings.retain(|finding| !matches!(finding, Finding::PartDropped(_)));
        if deal.commitment() != self.commitment {
            findings.insert(0, Finding::OtherSecret);
        }
        findings
    }
}

/// The round in progress.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Round {
    pub(crate) number: u32,
    pub(crate) commitment: Commitment,
    pub(crate) seen: Option<Seen>,
    /// The client's seat when it was dealt, and its cards.
    pub(crate) seat: Option<Seat>,
    pub(crate) hand: Option<Vec<CardName>>,
    pub(crate) dealer: Option<Seat>,
    pub(crate) rules: Option<RulesSpec>,
}

/// The dealer, and everybody's hand.
type Dealt = (Seat, Vec<Vec<CardName>>);

impl Round {
    /// Compares it with what was revealed.
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

/// The dealer, and everybody's hand, that follow from a deal by some rules; `dealer` in every round but the first.
///
/// # Errors
/// When there can be no such rules, or that many cannot play by them.
pub fn deal_again(
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
    unum_rules::order::sort(&mut names);
    names
}
