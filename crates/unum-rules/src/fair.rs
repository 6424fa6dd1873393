//! Fair dealing: how a secret that was committed to and what the players added become the seed of a deal.
//!
//! Before a deal the table publishes the [`Commitment`] of a [`Secret`]. Then the players' clients add [`Entropy`]. The
//! key of the deal's [`Seeded`] generator is a hash of all of it, so that nobody could choose the cards; once the round
//! is over the secret is told, and everybody can work out every card again. docs/fairness.md has it step by step.

use sha2::{Digest as _, Sha256};

use crate::chance::Seeded;

/// What goes before the secret when it is committed to.
const COMMIT: &[u8] = b"unum deal 1 commit\n";
/// What goes before all parts of a seed.
const SEED: &[u8] = b"unum deal 1 seed\n";

/// 32 bytes, written as 64 lower-case hex digits.
macro_rules! bytes {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, serde::Deserialize)]
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
    /// What the table keeps to itself until the round is over.
    Secret
}
bytes! {
    /// What the table publishes before anybody adds entropy.
    #[derive(Debug)]
    Commitment
}
bytes! {
    /// What a player adds.
    #[derive(Debug)]
    Entropy
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

/// All that decides the cards of one round.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "ts", derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub struct FairDeal {
    /// The table's part.
    pub secret: Secret,
    /// The players' parts, by seat; `None` for who added nothing, such as bots.
    pub entropy: Vec<Option<Entropy>>,
}

impl FairDeal {
    /// What was to be published beforehand.
    pub fn commitment(&self) -> Commitment {
        self.secret.commitment()
    }

    /// The key of the deal's generator: the hash of the secret and, by seat, a byte 1 and the entropy, or a byte 0.
    pub fn key(&self) -> [u8; 32] {
        let mut hash = Sha256::new().chain_update(SEED).chain_update(self.secret.0);
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
        FairDeal { secret: Secret(counting(0)), entropy }
    }

    fn spaced(words: impl IntoIterator<Item = impl ToString>) -> String {
        let words: Vec<String> = words.into_iter().map(|word| word.to_string()).collect();
        words.join(" ")
    }

    /// Whoever writes this again in another language compares with docs/fairness.md.
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
        let mut others = vec![deal.clone(); 5];
        others[0].secret.0[31] ^= 1;
        others[1].entropy[0] = None;
        others[2].entropy[1] = Some(Entropy([0; 32]));
        others[3].entropy.swap(0, 2);
        others[4].entropy.push(None);
        assert!(others.iter().all(|other| other.key() != deal.key()));
        assert_ne!(others[0].commitment(), deal.commitment());
    }

    #[test]
    fn a_secret_is_not_printed_by_accident() {
        assert!(!format!("{:?}", example()).contains("000102"));
    }
}
