//! How commands are told which server to trust.

use unum_client::Fingerprint;
use unum_terminal::Invite;

use crate::usage::OrUsage as _;

/// What a server is known by, if not by a certificate that this machine trusts.
#[derive(Debug, clap::Args)]
pub(crate) struct TrustArgs {
    /// The fingerprint of the server's certificate, as a server with a self-made one shows it at its start
    #[arg(long, value_name = "SHA-256")]
    fingerprint: Option<Fingerprint>,
}

impl TrustArgs {
    /// Reads the link of a server or of something there.
    ///
    /// # Errors
    /// If it is none.
    pub(crate) fn invite(&self, link: &str) -> anyhow::Result<Invite> {
        let mut invite = Invite::parse(link).or_usage()?;
        if let Some(fingerprint) = self.fingerprint {
            invite.server = invite.server.pinned(fingerprint);
        }
        Ok(invite)
    }

    /// Whether anything was said.
    pub(crate) fn is_given(&self) -> bool {
        self.fingerprint.is_some()
    }
}
