//! How commands are told of PostgreSQL databases.

use std::path::PathBuf;

use anyhow::Context as _;
use unum_store::DatabaseAddress;

use crate::usage::OrUsage as _;

/// The password of databases that are named without one.
#[derive(Debug, clap::Args)]
pub(crate) struct PasswordArgs {
    /// A file with the password for PostgreSQL [env: UNUM_DATABASE_PASSWORD_FILE]
    #[arg(long, value_name = "FILE", visible_alias = "password-file")]
    database_password_file: Option<PathBuf>,
}

impl PasswordArgs {
    /// The addresses that these texts are, each with the password unless it has one of its own.
    ///
    /// # Errors
    /// If one is no address, or the file cannot be read.
    pub(crate) fn addresses(&self, texts: &[impl AsRef<str>]) -> anyhow::Result<Vec<DatabaseAddress>> {
        let password = self.password()?;
        let read = |text: &str| -> anyhow::Result<DatabaseAddress> {
            let address: DatabaseAddress = text.parse::<DatabaseAddress>().map_err(anyhow::Error::msg).or_usage()?;
            Ok(match &password {
                Some(password) if !address.has_password() => address.with_password(password),
                _ => address,
            })
        };
        texts.iter().map(|text| read(text.as_ref())).collect()
    }

    fn password(&self) -> anyhow::Result<Option<String>> {
        let file = self.database_password_file.clone();
        let file = file.or_else(|| std::env::var_os("UNUM_DATABASE_PASSWORD_FILE").map(PathBuf::from));
        let Some(path) = file else { return Ok(None) };
        let text = std::fs::read_to_string(&path).with_context(|| format!("{} cannot be read", path.display()))?;
        Ok(Some(text.trim_end_matches(['\r', '\n']).to_owned()))
    }
}
