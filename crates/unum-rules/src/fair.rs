//! Fair dealing, a commit-reveal protocol: how a secret and the players' parts become the seed of a deal.
//!
//! Before a deal the table publishes the [`Commitment`] of a [`Secret`], and every player the [`Pledge`] of a part,
//! their [`Entropy`]. Only when all pledges are published does anybody open a part. The key of the deal's [`Seeded`]
//! generator is a hash of all of it, so nobody can choose the cards. Once the round is over the secret is revealed, and
//! anybody can recompute every card. docs/fairness.md has it step by step.

use sha2::{Digest as _, Sha256};

use crate::chance::Seeded;
use crate::seat::Seat;

/// Hash prefix of a commitment.
const COMMIT: &[u8] = b"unum deal 2 commit\n";
/// Hash prefix of a pledge.
const PLEDGE: &[u8] = b"unum deal 2 part\n";
/// Hash prefix of a seed.
const SEED: &[u8] = b"unum deal 2 seed\n";
/// Most pledging attempts per deal: one, and another if somebody does not open their part.
pub const ATTEMPTS: u8 = 2;

/// 32 bytes, written as 64 lower-case hex digits.
macro_rules! bytes {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, serde::Deserialize, crate::json::Read)]
        #[cfg_attr(feature = "ts", derive(ts_rs::TS))]
        #[cfg_attr(feature = "ts", ts(type = "string"))]
        #[serde(try_from = "String")]
        pub struct $name(pub [u8; 32]);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(hex(&self.0, &mut [0; 64]))
            }
        }

        impl TryFrom<String> for $name {
            type Error = &'static str;

            fn try_from(text: String) -> Result<$name, &'static str> {
                crate::record::parse_hex(&text).map($name).ok_or("32 bytes are written as 64 lower-case hex digits")
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(hex(&self.0, &mut [0; 64]))
            }
        }

        #[cfg(feature = "schema")]
        impl schemars::JsonSchema for $name {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($name).into()
            }

            fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                schemars::json_schema!({ "type": "string", "pattern": "^[0-9a-f]{64}$" })
            }
        }
    };
}

/// Writes bytes as hex digits.
fn hex<'a>(bytes: &[u8; 32], digits: &'a mut [u8; 64]) -> &'a str {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
    std::str::from_utf8(digits).unwrap_or_default()
}

bytes! {
    /// What the table keeps secret until the round is over.
    Secret
}
bytes! {
    /// What the table publishes before anybody pledges a part.
    #[derive(Debug)]
    Commitment
}
bytes! {
    /// A player's part of the seed: secret until everybody's pledge is published.
    #[derive(Debug)]
    Entropy
}
bytes! {
    /// What a player publishes before anybody opens a part.
    #[derive(Debug)]
    Pledge
}

/// The deal a part is for: a pledge is valid for no other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Place {
    /// The table's commitment, which stands for the table and the round: every deal has a fresh secret.
    pub commitment: Commitment,
    /// From 1 to [`ATTEMPTS`].
    pub attempt: u8,
    /// Whose part it is.
    pub seat: Seat,
}

impl Entropy {
    /// The pledge to open this part.
    pub fn pledge(&self, place: Place) -> Pledge {
        let hash = Sha256::new().chain_update(PLEDGE).chain_update(place.commitment.0);
        Pledge(hash.chain_update([place.attempt, place.seat]).chain_update(self.0).finalize().into())
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Secret {
    /// The commitment to this secret.
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::new().chain_update(COMMIT).chain_update(self.0).finalize().into())
    }
}

/// Everything that determines the cards of one round.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize, crate::json::Read)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, remote = "Self")]
pub struct FairDeal {
    /// The table's part.
    pub secret: Secret,
    /// The attempt it was dealt in: 2 if somebody did not open their part in the first.
    #[serde(default = "first", skip_serializing_if = "is_first")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<u8>"))]
    pub attempt: u8,
    /// The players' parts, by seat; `None` for seats that added nothing, such as those of bots.
    pub entropy: Vec<Option<Entropy>>,
    /// The seats that pledged a part and did not open it, in this attempt or the one before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<Vec<Seat>>"))]
    pub withheld: Vec<Seat>,
    /// Whether a player's own device dealt, before the match went on at a table with others: whose device it is could choose
    /// the secret.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "ts", ts(optional, as = "Option<bool>"))]
    pub device: bool,
}

fn first() -> u8 {
    1
}

fn is_first(attempt: &u8) -> bool {
    *attempt == 1
}

objects_only!(FairDeal);

impl FairDeal {
    /// A deal from the first attempt, in which nobody withheld a part.
    pub fn new(secret: Secret, entropy: Vec<Option<Entropy>>) -> FairDeal {
        FairDeal { secret, attempt: 1, entropy, withheld: Vec::new(), device: false }
    }

    /// What had to be published before the deal.
    pub fn commitment(&self) -> Commitment {
        self.secret.commitment()
    }

    /// What a seat had to publish beforehand, if it opened a part.
    pub fn pledge(&self, seat: Seat) -> Option<Pledge> {
        let part = self.entropy.get(usize::from(seat))?.as_ref()?;
        Some(part.pledge(Place { commitment: self.commitment(), attempt: self.attempt, seat }))
    }

    /// Whether all of it fits together.
    ///
    /// # Errors
    /// Says what does not.
    pub fn check(&self) -> Result<(), &'static str> {
        if !(1..=ATTEMPTS).contains(&self.attempt) {
            return Err("there are two attempts at a deal, 1 and 2");
        }
        if self.attempt > 1 && self.withheld.is_empty() {
            return Err("there is a second attempt only after somebody withheld their part");
        }
        let opened = |seat: &Seat| self.entropy.get(usize::from(*seat)).is_none_or(Option::is_some);
        if self.withheld.iter().any(opened) || !self.withheld.is_sorted_by(|one, next| one < next) {
            return Err("`withheld` has seats that did not add a part, in order and each once");
        }
        Ok(())
    }

    /// The key of the deal's generator: the hash of the secret, the attempt and, by seat, a byte 1 and the part, or a
    /// byte 0.
    pub fn key(&self) -> [u8; 32] {
        let mut hash = Sha256::new().chain_update(SEED).chain_update(self.secret.0).chain_update([self.attempt]);
        for entropy in &self.entropy {
            match entropy {
                Some(entropy) => hash.update([&[1][..], &entropy.0].concat()),
                None => hash.update([0]),
            }
        }
        hash.finalize().into()
    }

    /// The generator of all shuffles of the round.
    pub fn chance(&self) -> Seeded {
        Seeded::from_key(self.key())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::edition::Edition;
    use crate::game::Match;
    use crate::position::Position;
    use crate::rules::{Rules, RulesSpec};

    /// 32 bytes that count up.
    fn counting(from: u8) -> [u8; 32] {
        std::array::from_fn(|index| from + index as u8)
    }

    fn example() -> FairDeal {
        let entropy = vec![Some(Entropy(counting(32))), None, Some(Entropy(counting(64)))];
        FairDeal::new(Secret(counting(0)), entropy)
    }

    fn spaced(words: impl IntoIterator<Item = impl ToString>) -> String {
        let words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
        words.join(" ")
    }

    /// Test vectors for other implementations, as in docs/fairness.md.
    fn assert_published(lines: &[String]) {
        let page = include_str!("../../../docs/fairness.md");
        let flat = spaced(page.split_whitespace());
        for line in lines {
            assert!(flat.contains(line), "docs/fairness.md lacks: {line}");
        }
    }

    #[test]
    fn the_published_numbers_hold() {
        let deal = example();
        let rules = Rules::new(RulesSpec::of(Edition::Original)).unwrap();
        let mut cards = rules.deck().cards().to_vec();
        deal.chance().shuffle(&mut cards);
        let mut chance = deal.chance();
        assert_published(&[
            format!("commitment {}", deal.commitment()),
            format!("pledge of seat 0 {}", deal.pledge(0).unwrap()),
            format!("pledge of seat 2 {}", deal.pledge(2).unwrap()),
            format!("key {}", Commitment(deal.key())),
            format!("from the beginning: {} the", spaced((0..8).map(|_| chance.below(1000)))),
            format!("first place first: {} ```", spaced(cards.iter().map(|card| card.name(rules.palette())))),
        ]);
    }

    #[test]
    fn the_published_deal_holds() {
        let rules = Rules::new(RulesSpec::of(Edition::Original)).unwrap();
        let game = Match::start(rules, 3, None, example().chance(), &mut ()).unwrap();
        let state = Position::of(&game);
        let mut lines = vec![format!("dealer {}", game.round().dealer())];
        lines.extend(state.hands.iter().enumerate().map(|(seat, hand)| format!("seat {seat} {}", spaced(hand))));
        let top = game.round().top().name(game.rules().palette());
        lines.push(format!("start card {top} draw pile {} …", spaced(&state.draw_pile[..5])));
        assert_published(&lines);
    }

    #[test]
    fn every_part_counts() {
        let deal = example();
        let mut others = vec![deal.clone(); 6];
        others[0].secret.0[31] ^= 1;
        others[1].entropy[0] = None;
        others[2].entropy[1] = Some(Entropy([0; 32]));
        others[3].entropy.swap(0, 2);
        others[4].entropy.push(None);
        others[5].attempt = 2;
        assert!(others.iter().all(|other| other.key() != deal.key()));
        assert_ne!(others[0].commitment(), deal.commitment());
    }

    #[test]
    fn a_pledge_fits_one_deal_one_attempt_and_one_seat() {
        let place = Place { commitment: Commitment([1; 32]), attempt: 1, seat: 0 };
        let pledge = Entropy([5; 32]).pledge(place);
        for other in [
            Place { commitment: Commitment([2; 32]), ..place },
            Place { attempt: 2, ..place },
            Place { seat: 1, ..place },
        ] {
            assert_ne!(Entropy([5; 32]).pledge(other), pledge);
        }
        assert_ne!(Entropy([6; 32]).pledge(place), pledge);
        assert_eq!(example().pledge(1), None);
    }

    #[test]
    fn deals_that_cannot_be_are_refused() {
        let deal = |attempt, withheld: &[Seat]| FairDeal { attempt, withheld: withheld.to_vec(), ..example() }.check();
        assert!(deal(1, &[]).is_ok() && deal(1, &[1]).is_ok() && deal(2, &[1]).is_ok());
        for (attempt, withheld) in [(0, &[][..]), (3, &[1]), (2, &[]), (1, &[0]), (1, &[3]), (1, &[1, 1])] {
            assert!(deal(attempt, withheld).is_err(), "{attempt} {withheld:?}");
        }
    }

    #[test]
    fn a_secret_is_not_printed_by_accident() {
        assert!(!format!("{:?}", example()).contains("000102"));
    }
}
