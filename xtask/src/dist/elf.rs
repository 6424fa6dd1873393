//! What a Linux program needs from the machine it runs on.

/// Whether it needs no library at all: it has no interpreter, as static programs have none. `None` if it is no program of
/// Linux.
pub(super) fn is_static(program: &[u8]) -> Option<bool> {
    const INTERPRETER: u64 = 3;
    let is_elf = program.starts_with(b"\x7fELF\x02\x01");
    let field = |at: u64, size: usize| {
        let at = usize::try_from(at).ok()?;
        let bytes = program.get(at..at.checked_add(size)?)?;
        Some(bytes.iter().rev().fold(0_u64, |number, byte| number << 8 | u64::from(*byte)))
    };
    if !is_elf {
        return None;
    }
    let (table, size, count) = (field(32, 8)?, field(54, 2)?, field(56, 2)?);
    let kinds = (0..count).map(|at| field(table.checked_add(at * size)?, 4));
    let kinds = kinds.collect::<Option<Vec<u64>>>()?;
    Some(!kinds.contains(&INTERPRETER))
}

/// The version of the C library (glibc) that it needs; `None` if it needs none.
pub(super) fn needed_glibc(program: &[u8]) -> Option<(u32, u32)> {
    const MARK: &[u8] = b"\0GLIBC_";
    let versions =
        program.windows(MARK.len()).enumerate().filter(|(_, window)| *window == MARK).filter_map(|(at, _)| {
            let rest = program.get(at + MARK.len()..)?;
            let end = rest.iter().position(|byte| *byte == 0)?;
            let (major, rest) = std::str::from_utf8(&rest[..end]).ok()?.split_once('.')?;
            let minor = rest.split('.').next()?;
            Some((major.parse().ok()?, minor.parse().ok()?))
        });
    versions.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_tells_what_it_needs() {
        let own = std::fs::read(std::env::current_exe().unwrap()).unwrap();
        if cfg!(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64")) {
            assert_eq!(is_static(&own), Some(false));
            assert!(needed_glibc(&own).is_some_and(|version| version >= (2, 4)));
        }
        assert_eq!((is_static(b"MZ"), is_static(b"\x7fELF\x02\x01")), (None, None));
        assert_eq!(needed_glibc(b"\0GLIBC_2.34\0 \0GLIBC_2.4\0GLIBC_2.17\0GLIBC_PRIVATE\0"), Some((2, 34)));
    }
}
