//! Randomness from the operating system, and the tokens, codes and secrets made of it.

use std::sync::atomic::{AtomicU64, Ordering};

use sha2::{Digest, Sha256};
use unum_protocol::{CODE_ALPHABET, CODE_LENGTH};
use unum_table::os::OsDice;
use unum_table::{Dice, SeededDice};

/// Characters of a guest's token: 160 bits.
const TOKEN_LENGTH: usize = 32;
/// Characters of the id under which a table is stored: it invites nobody, and no two tables have the same.
const ID_LENGTH: usize = 16;

/// Where tables get their codes and cards from: the operating system, or a seed in tests of clients.
#[derive(Debug)]
pub(crate) struct Randomness {
    seed: Option<u64>,
    /// How many tables were named.
    tables: AtomicU64,
}

impl Randomness {
    pub(crate) fn new(seed: Option<u64>) -> Randomness {
        Randomness { seed, tables: AtomicU64::new(0) }
    }

    /// An id for the next table, and its code, which is the invitation: nobody may guess it.
    pub(crate) fn table_names(&self) -> (String, String) {
        let number = self.tables.fetch_add(1, Ordering::Relaxed).to_string();
        let name = |length, what| letters(length, &mut *self.dice(&[what, &number]));
        (name(ID_LENGTH, "code"), name(CODE_LENGTH, "invite"))
    }

    /// What a table rolls for one purpose.
    pub(crate) fn table_dice(&self, code: &str, purpose: &str) -> Box<dyn Dice + Send> {
        self.dice(&[purpose, code])
    }

    /// With a seed, the same names give the same dice regardless of other rolls.
    fn dice(&self, names: &[&str]) -> Box<dyn Dice + Send> {
        let Some(seed) = self.seed else { return Box::new(OsDice) };
        let hash: [u8; 32] = Sha256::digest(format!("{seed} {}", names.join(" "))).into();
        let (first, _) = hash.split_first_chunk().unwrap_or((&[0; 8], &[]));
        Box::new(SeededDice::new(u64::from_le_bytes(*first)))
    }
}

/// A token for a guest.
pub(crate) fn guest_token() -> String {
    letters(TOKEN_LENGTH, &mut OsDice)
}

fn letters(count: usize, dice: &mut dyn Dice) -> String {
    let bytes = dice.roll();
    bytes[..count].iter().map(|byte| char::from(CODE_ALPHABET[usize::from(byte % 32)])).collect()
}

/// The stored hash of a token: reading the database does not let anybody impersonate a guest.
pub(crate) fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use unum_protocol::is_table_code;

    use super::*;

    #[test]
    fn codes_and_tokens_are_long_enough_and_never_the_same() {
        let random = Randomness::new(None);
        let names: Vec<(String, String)> = (0..1000).map(|_| random.table_names()).collect();
        let all: std::collections::HashSet<&String> = names.iter().flat_map(|(id, code)| [id, code]).collect();
        assert_eq!(all.len(), 2000);
        assert!(
            names.iter().all(|(id, code)| is_table_code(code) && code.len() == CODE_LENGTH && id.len() == ID_LENGTH)
        );
        assert!(CODE_LENGTH * 5 >= 40 && ID_LENGTH * 5 >= 80 && guest_token().len() * 5 >= 128);
        assert!(!is_table_code("../../etc/passwd") && !is_table_code("") && !is_table_code("ABCDEFGHJKMNPQRS"));
    }

    #[test]
    fn a_seed_decides_codes_and_dice() {
        let server = |seed| {
            let random = Randomness::new(Some(seed));
            let codes = [random.table_names(), random.table_names()].map(|(_, code)| code);
            let rolls = codes.clone().map(|code| random.table_dice(&code, "play").roll());
            (codes, rolls)
        };
        assert_eq!(server(7), server(7));
        let ((codes, rolls), other) = (server(7), server(8));
        assert!(codes.iter().all(|code| is_table_code(code)) && codes[0] != codes[1] && rolls[0] != rolls[1]);
        assert!(codes != other.0 && rolls != other.1);
    }
}
