//! `unum completions` and `unum man`: what shells and manuals want to know, made from the commands themselves.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;

/// Print a script that completes unum's commands and options in a shell.
///
/// For instance `unum completions zsh > ~/.zfunc/_unum`, or in ~/.bashrc: `source <(unum completions bash)`.
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Print the manual page, or write those of all commands to a folder.
///
/// For instance `unum man | man -l -`, or `unum man ~/.local/share/man/man1`.
#[derive(Debug, clap::Args)]
pub(crate) struct ManArgs {
    /// Where to put unum.1, unum-play.1 and so on
    folder: Option<PathBuf>,
}

/// What is true of every command.
const EXIT_CODES: &str = "0 all went well. 1 something failed; a sentence on standard error says what. 2 wrong options. \
                          129 the terminal was closed, 130 Ctrl-C, 143 told to end: games are saved in every case.";

/// Prints a script.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn completions(args: &CompletionsArgs, mut cli: Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "unum", &mut script);
    Ok(io::Write::write_all(&mut io::stdout().lock(), &script)?)
}

/// Prints or writes manual pages.
///
/// # Errors
/// If they cannot be written.
pub(crate) fn man(args: &ManArgs, cli: Command) -> anyhow::Result<()> {
    let mut cli = cli.disable_help_flag(false);
    cli.build();
    let Some(folder) = &args.folder else {
        let page = page(&cli)?;
        return Ok(io::Write::write_all(&mut io::stdout().lock(), &page)?);
    };
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    write(folder, "unum", &cli)?;
    for command in cli.get_subcommands() {
        let name = format!("unum-{}", command.get_name());
        write(folder, &name, &command.clone().name(name.clone()))?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, command: &Command) -> anyhow::Result<()> {
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, page(command)?).with_context(|| path.display().to_string())
}

fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    page.extend(format!(".SH \"EXIT STATUS\"\n{EXIT_CODES}\n").bytes());
    Ok(page)
}
