//! How the C library's allocator gives memory back.

/// How many bytes must be free at the end of a heap before they are given back.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const TRIM_THRESHOLD: i32 = 4 << 20;

/// Lets the allocator give memory back in larger pieces.
///
/// By default glibc shrinks a heap whenever more than 128 KiB at its end are free, down to just these 128 KiB. Under load
/// that is a system call, and page faults, for nearly every action of a game: a tenth of the
/// server's processor time (`cargo xtask load`, with and without `MALLOC_TRIM_THRESHOLD_=4194304` in the environment of a
/// server that does not call this). Idle tables and connections take no more memory than before.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[allow(unsafe_code)]
pub(crate) fn trim_seldom() {
    // SAFETY: called once, before there are other threads; it only sets a parameter, and has no other preconditions. If it
    // fails, everything is as before.
    unsafe { libc::mallopt(libc::M_TRIM_THRESHOLD, TRIM_THRESHOLD) };
}

/// Other allocators are left alone.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn trim_seldom() {}
