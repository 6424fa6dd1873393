//! `unum completions` and `unum man`: what shells and manuals want to know, made from the commands themselves.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Command;
use clap::builder::Resettable;
use clap_complete::Shell;
use clap_mangen::Man;

use super::house_words;
use crate::output::print;

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
const EXIT_CODES: &str = "0 success. 1 something failed; a sentence on standard error says what. 2 a wrong option. 129 the terminal \
                          was closed, 130 Ctrl-C, 143 terminated: games are saved in every case.";

/// Where things are kept.
const FILES: &[(&str, &str)] = &[
    (
        "$XDG_DATA_HOME/unum, usually ~/.local/share/unum",
        "The data folder: everything below, unless --data names another.",
    ),
    ("games/", "Games against bots, one file each."),
    ("servers/", "Your tokens on servers. A token is your seat: keep it private."),
    ("tables/", "Links of the tables on servers you have been to."),
    ("unum.db", "The database of the server."),
    (
        "tls/",
        "The authority behind a server's self-made certificate: authority.crt to be trusted, authority.key to be kept private.",
    ),
    ("$XDG_CONFIG_HOME/unum/serve.toml, usually ~/.config/unum/serve.toml", "The configuration of the server."),
];

/// Environment variables that matter.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("UNUM_...", "Every option of the server, such as UNUM_PORT; UNUM_CONFIG names its configuration file."),
    ("XDG_DATA_HOME, XDG_CONFIG_HOME", "Where data and configuration are kept."),
    ("NO_COLOR, TERM, COLORTERM, COLORFGBG", "Whether to use colors, how many, and on which background."),
    ("LC_ALL, LC_CTYPE, LANG", "Whether the terminal can show more than ASCII."),
    ("SSL_CERT_FILE, SSL_CERT_DIR", "Certificates to trust instead of the machine's."),
    ("USER", "Your default name."),
];

/// Examples for the manual, by command.
fn examples(command: &str) -> &'static [&'static str] {
    match command {
        "unum-backup" => &["unum backup unum-backup.gz", "unum backup unum-backup.gz --data /var/lib/unum"],
        "unum-restore" => &["unum restore unum-backup.gz --data restored"],
        "unum-health" => &["unum health", "unum health --ready http://localhost:9000"],
        "unum-monitor" => &["unum monitor dashboard > unum-dashboard.json", "unum monitor alerts > unum-alerts.yml"],
        "unum-admin" => &["unum admin status", "unum admin ban 17 --for 2h --why insults", "unum admin report 3"],
        "unum-check" => &["unum check --data /var/lib/unum", "unum check --set-aside damaged.gz"],
        "unum" => &["unum", "unum --port 9000", "unum play", "unum rules", "unum arena hard random"],
        "unum-play" => {
            &["unum play", "unum play --edition frozen --level hard", "unum play https://uno.example.org/t/CODE"]
        }
        "unum-games" => &["unum games", "unum games https://uno.example.org", "unum games --delete-finished"],
        "unum-tables" => &["unum tables https://uno.example.org"],
        "unum-serve" => {
            &["unum serve --port 9000 --data ~/uno", "unum serve --print-config", "unum serve --check-config"]
        }
        "unum-page" => &["unum page --out site"],
        "unum-cluster" | "unum-cluster-status" => &["unum cluster status --database postgres://unum@localhost/unum"],
        "unum-store" | "unum-store-copy" => &["unum store copy ~/.local/share/unum postgres://unum@localhost/unum"],
        "unum-rules" => &["unum rules", "unum rules W4 stacking", "unum rules frozen", "unum rules bluff"],
        "unum-record" => &["unum record --names Ann,Bob,Cy > game.unum"],
        "unum-replay" => &["unum replay game.unum", "unum replay 3", "unum replay https://uno.example.org/g/ID"],
        "unum-review" => &["unum review 3", "unum review game.unum --seat Ann --html review.html"],
        "unum-analyze" => &["unum analyze @position.json", "unum analyze - --json < position.json"],
        "unum-verify" => &["unum verify 3"],
        "unum-referee" => {
            &["echo '{\"op\":\"new\",\"players\":2,\"seed\":7,\"rules\":{\"edition\":\"original\"}}' | unum referee"]
        }
        "unum-perft" => &["unum perft --all"],
        "unum-bench" => &["unum bench --players 4", "unum bench lab"],
        "unum-bench-lab" => &["unum bench lab --players 4"],
        "unum-arena" => &["unum arena hard random", "unum arena 'me=program:python3 bot.py' normal --until-settled"],
        "unum-tournament" => {
            &["unum tournament random easy normal hard", "unum tournament easy hard --players 4 --html list.html"]
        }
        "unum-simulate" => &["unum simulate --players 4", "unum simulate --compare stacking=any --html effect.html"],
        "unum-study" => &["unum study", "unum study stacking=any seven_zero --players 2 --html effects.html"],
        "unum-merge" => &["unum arena hard random --part 3/16 --json=part-3.json", "unum merge part-*.json"],
        "unum-completions" => &["unum completions zsh > ~/.zfunc/_unum"],
        "unum-man" => &["unum man | man -l -", "unum man ~/.local/share/man/man1"],
        "unum-help" => &["unum help", "unum help arena", "unum help store copy"],
        _ => &[],
    }
}

/// Prints a script.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn completions(args: &CompletionsArgs, mut cli: Command) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut cli, "unum", &mut script);
    let mut script = with_more(args.shell, String::from_utf8(script)?);
    if args.shell == Shell::Fish {
        script.extend(cli.get_subcommands().map(fish_values));
    }
    Ok(io::Write::write_all(&mut io::stdout().lock(), script.as_bytes())?)
}

/// The values of a command's own arguments for fish, which the generator leaves out.
fn fish_values(command: &Command) -> String {
    let values = command.get_positionals().flat_map(clap::Arg::get_possible_values);
    let names: Vec<String> = values.map(|value| value.get_name().to_owned()).collect();
    if names.is_empty() {
        return String::new();
    }
    let (command, names) = (command.get_name(), names.join(" "));
    format!("complete -c unum -n \"__fish_seen_subcommand_from {command}\" -a \"{names}\"\n")
}

/// The script, which also completes saved games and lists of house rules. Games are looked up when they are needed.
fn with_more(shell: Shell, script: String) -> String {
    let house = house_words().join(" ");
    match shell {
        Shell::Bash => script + &BASH_MORE.replace("@HOUSE@", &house),
        Shell::Zsh => {
            // What takes a game, and what takes a list of house rules.
            let script = script.replace(":GAME:_default", ":GAME:_unum_games");
            let record = |line: &str| match line.contains(RECORD_ARGUMENT) {
                true => line.replace(":_files'", ":_unum_records'"),
                false => line.to_owned(),
            };
            let script = script.lines().map(record).collect::<Vec<_>>().join("\n");
            let script = script.replace(&format!(":({house})"), ":_unum_house");
            let (head, body) = script.split_once('\n').unwrap_or((&script, ""));
            format!("{head}\n{}{body}", ZSH_MORE.replace("@HOUSE@", &house))
        }
        Shell::Fish => script + FISH_MORE,
        _ => script,
    }
}

/// How the argument of `unum replay`, `unum verify` and `unum review` begins in the script of zsh.
const RECORD_ARGUMENT: &str = "':file -- A record";
const BASH_MORE: &str = r#"
_unum_more() {
    local line="${COMP_LINE:0:COMP_POINT}" word value whole
    if [[ "$line" =~ [[:space:]](--house|--compare)[[:space:]=]+([^[:space:]]*)$ ]]; then
        # Bash takes = for the end of a word, so only what follows it is replaced.
        value="${BASH_REMATCH[2]}"
        COMPREPLY=()
        compopt -o nospace
        for word in @HOUSE@; do
            whole="${value%"${value##*,}"}$word"
            [[ "$whole" == "$value"* ]] && COMPREPLY+=("${whole:$((${#value} - ${#2}))}")
        done
        return
    fi
    case "$3" in
        --continue|--delete) COMPREPLY=($(compgen -W "$(unum games --ids 2>/dev/null)" -- "$2")) ;;
        replay|verify|review) COMPREPLY=($(compgen -W "$(unum games --ids 2>/dev/null)" -- "$2") $(compgen -f -- "$2")) ;;
        *) _unum "$@" ;;
    esac
}
complete -F _unum_more -o bashdefault -o default unum
"#;
const ZSH_MORE: &str = r#"
_unum_games() {
    local -a games
    games=(${(f)"$(unum games --ids 2>/dev/null)"})
    compadd -a games
}
_unum_records() {
    _unum_games
    _files
}
_unum_house() {
    _sequence compadd - @HOUSE@
}
"#;
const FISH_MORE: &str = r#"
complete -c unum -n "__fish_seen_subcommand_from play" -l continue -x -a "(unum games --ids 2>/dev/null)"
complete -c unum -n "__fish_seen_subcommand_from games" -l delete -x -a "(unum games --ids 2>/dev/null)"
complete -c unum -n "__fish_seen_subcommand_from replay verify review" -a "(unum games --ids 2>/dev/null)"
"#;

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
    let written = write(folder, "unum", &cli)?;
    print(&format!("{written} pages are in {}; read one with man -l.\n", folder.display()))
}

/// Writes the pages of a command and of those below it; returns how many there are.
fn write(folder: &Path, name: &str, command: &Command) -> anyhow::Result<usize> {
    let path = folder.join(format!("{name}.1"));
    fs::write(&path, page(&command.clone().name(name.to_owned()))?).with_context(|| path.display().to_string())?;
    let below =
        command.get_subcommands().map(|command| write(folder, &format!("{name}-{}", command.get_name()), command));
    Ok(1 + below.sum::<anyhow::Result<usize>>()?)
}

fn page(command: &Command) -> anyhow::Result<Vec<u8>> {
    let mut page = Vec::new();
    // The examples have a section of their own.
    let man = Man::new(command.clone().after_help(Resettable::Reset).after_long_help(Resettable::Reset));
    man.render(&mut page)?;
    let examples: String = examples(command.get_name()).iter().map(|line| format!("{}\n", escaped(line))).collect();
    if !examples.is_empty() {
        page.extend(format!(".SH EXAMPLES\n.nf\n{examples}.fi\n").bytes());
    }
    page.extend(format!(".SH \"EXIT STATUS\"\n{EXIT_CODES}\n").bytes());
    page.extend(section("FILES", FILES).bytes());
    page.extend(section("ENVIRONMENT", ENVIRONMENT).bytes());
    Ok(page)
}

/// A section of terms and what they mean.
fn section(title: &str, terms: &[(&str, &str)]) -> String {
    let term = |(term, meaning): &(&str, &str)| format!(".TP\n{}\n{}\n", escaped(term), escaped(meaning));
    format!(".SH {title}\n{}", terms.iter().map(term).collect::<String>())
}

/// Text that roff takes as it is.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('-', "\\-");
    if text.starts_with(['.', '\'']) { format!("\\&{text}") } else { text }
}
