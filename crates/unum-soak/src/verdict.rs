//! Requirements next to measurements.

use anyhow::ensure;

/// One thing that has to hold, and whether it does.
#[derive(Clone, Debug)]
pub struct Line {
    /// What was done.
    pub what: &'static str,
    /// What has to hold.
    pub must: String,
    /// What was measured.
    pub measured: String,
    /// Whether it holds.
    pub holds: bool,
    /// Whether a slow or busy machine can be the reason that it does not.
    pub timed: bool,
}

/// Prints all lines.
///
/// # Errors
/// When something does not hold.
pub(crate) fn tell(lines: &[Line]) -> anyhow::Result<()> {
    let width = lines.iter().map(|line| line.must.chars().count()).max().unwrap_or(0).max(46);
    println!("{:<10} {:<width$} {:<4} measured", "what", "must hold", "");
    for Line { what, must, measured, holds, .. } in lines {
        println!("{what:<10} {must:<width$} {:<4} {measured}", if *holds { "pass" } else { "FAIL" });
    }
    let broken: Vec<String> =
        lines.iter().filter(|line| !line.holds).map(|line| format!("{}: {}", line.what, line.measured)).collect();
    ensure!(broken.is_empty(), "{} of {} do not hold: {}", broken.len(), lines.len(), broken.join("; "));
    Ok(())
}
