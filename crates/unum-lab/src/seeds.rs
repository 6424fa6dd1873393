//! Derives a seed for every game, seat and round from one.

/// The seed for one thing among many: the same path always leads to the same seed, other paths to others.
#[inline]
pub fn derive(seed: u64, path: &[u64]) -> u64 {
    path.iter().fold(mix(seed), |seed, step| mix(seed.wrapping_add(*step)))
}

/// SplitMix64: one step of its counter, well stirred.
#[inline]
fn mix(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_a_seed_of_its_own() {
        let mut seeds = std::collections::HashSet::new();
        for seed in 0..10 {
            assert!(seeds.insert(derive(seed, &[])));
            for first in 0..100 {
                assert!(seeds.insert(derive(seed, &[first])));
                assert!((0..10).all(|second| seeds.insert(derive(seed, &[first, second]))));
            }
        }
        assert_eq!(derive(1, &[2, 3]), derive(1, &[2, 3]));
    }
}
