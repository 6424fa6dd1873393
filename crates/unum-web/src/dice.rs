//! Random bytes from those that the caller hands over with a question.

use sha2::{Digest as _, Sha256};

/// As many bytes as a question needs, from 32 that nobody can guess: hashes of them and a counter.
#[derive(Clone, Debug)]
pub(crate) struct Dice {
    random: [u8; 32],
    count: u64,
}

impl Dice {
    pub(crate) fn new(random: [u8; 32]) -> Dice {
        Dice { random, count: 0 }
    }
}

impl unum_table::Dice for Dice {
    fn roll(&mut self) -> [u8; 32] {
        self.count += 1;
        let hash = Sha256::new().chain_update(b"unum web dice\n").chain_update(self.random);
        hash.chain_update(self.count.to_le_bytes()).finalize().into()
    }
}

#[cfg(test)]
mod tests {
    use unum_table::Dice as _;

    use super::*;

    #[test]
    fn every_roll_is_another_and_the_same_bytes_give_the_same_rolls() {
        let rolls = |random| {
            let mut dice = Dice::new([random; 32]);
            (0..100).map(|_| dice.roll()).collect::<Vec<_>>()
        };
        let mut all = [rolls(1), rolls(2)].concat();
        assert_eq!(rolls(1), all[..100]);
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 200);
    }
}
