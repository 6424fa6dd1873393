//! Rate limits at a table: token buckets for talk, personal changes, and the host's work.
//!
//! Playing itself has no budget: the rules and the connection limit it. A budget refills over time. It is not part of
//! the journal: replaying an entry costs nothing.

use std::collections::BTreeMap;

use unum_protocol::{Refusal, Request, RequestKind, TableCode};

use crate::table::Table;
use crate::{GuestId, Moment};

/// Kinds of requests with a budget each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Purse {
    /// Chat and reactions.
    Talk,
    /// A person's own name, chair, readiness and mutes.
    Person,
    /// The host's work: settings, bots, and who may come.
    Host,
    /// Coming to the table for the first time, or again after leaving it.
    Entry,
    /// Hints, which take as long as an expert's move.
    Hint,
    /// Reports to the operator.
    Report,
}

/// A token bucket: its size, and the milliseconds until it gains another token.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    burst: u64,
    every: u64,
}

impl Purse {
    /// What one person may spend.
    fn of_person(self) -> Allowance {
        match self {
            Purse::Talk => Allowance { burst: 5, every: 1_000 },
            Purse::Person => Allowance { burst: 10, every: 500 },
            Purse::Host => Allowance { burst: 20, every: 1_000 },
            Purse::Entry => Allowance { burst: 3, every: 10_000 },
            Purse::Hint => Allowance { burst: 4, every: 2_000 },
            Purse::Report => Allowance { burst: 3, every: 60_000 },
        }
    }

    /// What all onlookers together may spend, so they cannot use up the players' share; for the host's work and for
    /// entering, everybody together.
    fn of_all(self) -> Allowance {
        match self {
            Purse::Talk => Allowance { burst: 10, every: 500 },
            Purse::Person => Allowance { burst: 20, every: 200 },
            Purse::Host => Allowance { burst: 20, every: 1_000 },
            Purse::Entry => Allowance { burst: 50, every: 200 },
            Purse::Hint => Allowance { burst: 4, every: 2_000 },
            Purse::Report => Allowance { burst: 10, every: 20_000 },
        }
    }
}

/// What a request costs, if it costs anything.
fn price(request: &Request) -> Option<(Purse, u64)> {
    use RequestKind as Kind;
    // Being ready advances the game, and repeating it changes nothing.
    if matches!(request, Request::Ready { ready: true, .. }) {
        return None;
    }
    match request.kind() {
        Kind::Chat | Kind::React => Some((Purse::Talk, 1)),
        Kind::Hint => Some((Purse::Hint, 1)),
        Kind::Report => Some((Purse::Report, 1)),
        Kind::Sit | Kind::Take | Kind::Stand | Kind::Accept | Kind::Ready | Kind::Rename => Some((Purse::Person, 1)),
        Kind::Mute | Kind::Autopilot | Kind::Pace => Some((Purse::Person, 1)),
        // All settings at once can be as long as a message.
        Kind::Settings => Some((Purse::Host, 2)),
        Kind::Set | Kind::AddBot | Kind::RemoveBot | Kind::Kick | Kind::Unkick | Kind::Lock | Kind::NewCode => {
            Some((Purse::Host, 1))
        }
        Kind::PassHost | Kind::Reopen => Some((Purse::Host, 1)),
        // Moves are bounded by the rules, votes by the accusations, and everybody may leave.
        _ => None,
    }
}

/// When a budget will be full again: how buckets are stored.
#[derive(Clone, Copy, Debug, Default)]
struct Bucket(Moment);

impl Bucket {
    /// How many milliseconds until that much can be spent.
    fn missing(self, cost: u64, of: Allowance, now: Moment) -> u64 {
        let spent = self.0.0.saturating_sub(now.0);
        (spent + cost * of.every).saturating_sub(of.burst * of.every)
    }

    fn spend(&mut self, cost: u64, of: Allowance, now: Moment) {
        self.0 = self.0.max(now).after(cost * of.every);
    }
}

/// What has been spent.
#[derive(Clone, Debug, Default)]
pub(crate) struct Budgets {
    people: BTreeMap<(GuestId, Purse), Bucket>,
    all: BTreeMap<Purse, Bucket>,
}

/// How many guests' budgets are kept, until those that are full again are dropped.
const KEPT: usize = 500;

impl Budgets {
    /// Spends if there is enough; otherwise returns how many milliseconds to wait.
    pub(crate) fn spend(
        &mut self,
        guest: GuestId,
        (purse, cost): (Purse, u64),
        shared: bool,
        now: Moment,
    ) -> Result<(), u64> {
        let (own, all) = (purse.of_person(), purse.of_all());
        let key = (guest, purse);
        let missing = self.people.get(&key).copied().unwrap_or_default().missing(cost, own, now);
        let missing_in_all = self.all.get(&purse).copied().unwrap_or_default().missing(cost, all, now);
        match missing.max(if shared { missing_in_all } else { 0 }) {
            0 => {}
            missing => return Err(missing),
        }
        self.people.entry(key).or_default().spend(cost, own, now);
        if shared {
            self.all.entry(purse).or_default().spend(cost, all, now);
        }
        if self.people.len() > KEPT {
            self.people.retain(|_, bucket| bucket.0 > now);
        }
        Ok(())
    }
}

/// The refusal of too many requests.
fn too_soon(missing: u64) -> Refusal {
    let seconds = missing.div_ceil(1_000);
    let message = match seconds {
        1 => "that was too soon: try again in a second".to_owned(),
        _ => format!("that was too soon: try again in {seconds} seconds"),
    };
    let retry = Some(u32::try_from(missing).unwrap_or(u32::MAX));
    Refusal { retry, ..Refusal::new(TableCode::TooSoon, message) }
}

impl Table {
    /// Pays for a request.
    ///
    /// # Errors
    /// When it comes too fast.
    pub(crate) fn pay(&mut self, guest: GuestId, request: &Request, now: Moment) -> Result<(), Refusal> {
        let Some(price) = price(request) else { return Ok(()) };
        let seated = self.state.guest(guest).is_some_and(|member| self.state.seat_of(member.person).is_some());
        let shared = !seated || price.0 == Purse::Host;
        self.budgets.spend(guest, price, shared, now).map_err(too_soon)
    }

    /// Pays for entering.
    ///
    /// # Errors
    /// When too many do.
    pub(crate) fn pay_entry(&mut self, guest: GuestId, now: Moment) -> Result<(), Refusal> {
        self.budgets.spend(guest, (Purse::Entry, 1), true, now).map_err(too_soon)
    }

    /// Pays for a new look, which comes along with a connection.
    pub(crate) fn pay_look(&mut self, guest: GuestId, now: Moment) -> bool {
        self.budgets.spend(guest, (Purse::Person, 1), false, now).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_at_once_and_fills_up_with_time() {
        let (mut budgets, guest, price) = (Budgets::default(), GuestId(1), (Purse::Talk, 1));
        for _ in 0..5 {
            assert_eq!(budgets.spend(guest, price, false, Moment(1_000)), Ok(()));
        }
        assert_eq!(budgets.spend(guest, price, false, Moment(1_000)), Err(1_000));
        assert_eq!(budgets.spend(guest, price, false, Moment(1_400)), Err(600));
        assert_eq!(budgets.spend(guest, price, false, Moment(2_000)), Ok(()));
        assert_eq!(budgets.spend(guest, price, false, Moment(2_000)), Err(1_000));
        assert_eq!(budgets.spend(GuestId(2), price, false, Moment(2_000)), Ok(()), "others have their own");
    }

    #[test]
    fn onlookers_share_a_budget_that_players_do_not_touch() {
        let (mut budgets, now) = (Budgets::default(), Moment(0));
        let spent = (0..100).filter(|number| budgets.spend(GuestId(*number), (Purse::Talk, 1), true, now).is_ok());
        assert_eq!(spent.count(), 10);
        assert_eq!(budgets.spend(GuestId(200), (Purse::Talk, 1), false, now), Ok(()));
    }

    #[test]
    fn budgets_of_those_who_are_gone_are_forgotten() {
        let mut budgets = Budgets::default();
        for number in 0..10_000 {
            let _ = budgets.spend(GuestId(number), (Purse::Entry, 1), true, Moment(number * 1_000));
        }
        assert!(budgets.people.len() <= KEPT + 1);
    }
}
