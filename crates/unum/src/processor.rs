//! Whether this processor can run this program.

/// What the program was built for and this processor lacks, if anything. Checked before anything else, since the first
/// missing instruction would kill the program without a message.
#[cfg(all(target_arch = "x86_64", target_feature = "popcnt"))]
pub(crate) fn missing() -> Option<&'static str> {
    // `is_x86_feature_detected!` says yes to whatever the program was built for, so the processor is asked itself.
    let features = core::arch::x86_64::__cpuid(1).ecx;
    let wanted = [(0, "SSE3"), (9, "SSSE3"), (13, "CMPXCHG16B"), (19, "SSE4.1"), (20, "SSE4.2"), (23, "POPCNT")];
    wanted.into_iter().find(|(bit, _)| features & (1 << bit) == 0).map(|(_, name)| name)
}

/// Nothing: it was built for every processor of its kind.
#[cfg(not(all(target_arch = "x86_64", target_feature = "popcnt")))]
pub(crate) fn missing() -> Option<&'static str> {
    None
}

#[cfg(test)]
mod tests {
    #[test]
    fn whatever_runs_the_tests_can_run_the_program() {
        assert_eq!(super::missing(), None);
    }
}
