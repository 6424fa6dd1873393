//! Bytes nobody can guess, from the operating system, and what is made of them.

use sha2::{Digest, Sha256};
use unum_table::Dice;

/// The alphabet of codes and tokens: no letter that looks like another, none that makes words by accident.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Characters of a table's code: 80 bits.
pub(crate) const CODE_LENGTH: usize = 16;
/// Characters of a guest's token: 160 bits.
const TOKEN_LENGTH: usize = 32;

/// The operating system's generator.
#[derive(Clone, Copy, Debug, Default)]
pub struct OsDice;

impl Dice for OsDice {
    fn roll(&mut self) -> [u8; 32] {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the operating system gives random bytes");
        bytes
    }
}

/// A code for a table: it is the invitation, so nobody may guess it.
pub(crate) fn table_code() -> String {
    letters(CODE_LENGTH)
}

/// A token for a guest.
pub(crate) fn guest_token() -> String {
    letters(TOKEN_LENGTH)
}

fn letters(count: usize) -> String {
    let bytes = OsDice.roll();
    bytes[..count].iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect()
}

/// Whether a text can be the code of a table at all.
pub(crate) fn is_code(text: &str) -> bool {
    text.len() == CODE_LENGTH && text.bytes().all(|byte| ALPHABET.contains(&byte))
}

/// What is kept of a token: whoever reads the database cannot pass for anybody.
pub(crate) fn token_hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_and_tokens_are_long_enough_and_never_the_same() {
        let codes: std::collections::HashSet<String> = (0..1000).map(|_| table_code()).collect();
        assert_eq!(codes.len(), 1000);
        assert!(codes.iter().all(|code| is_code(code)));
        assert!(CODE_LENGTH * 5 >= 80 && guest_token().len() * 5 >= 128);
        assert!(!is_code("../../etc/passwd") && !is_code("") && !is_code("ABCDEFGHJKMNPQRS"));
    }
}
