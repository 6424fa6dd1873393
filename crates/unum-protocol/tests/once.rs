//! Bounds, defaults and editions are known here and in `unum-rules`; clients are told, and do not know them a second time.

use std::fs;
use std::path::{Path, PathBuf};

use unum_protocol::{Level, MAX_CHAT, MAX_MESSAGE, MAX_NAME, MAX_PEOPLE, SETTINGS, SettingKind};
use unum_rules::Edition;

/// Smaller numbers mean too many other things, unless a line names what they bound.
const TELLING: usize = 100;
/// Numbers up to this are everywhere.
const COMMON: usize = 2;

fn sources(folder: &str, endings: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let (mut folders, mut files) = (vec![root.join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.unwrap().path();
            let is_source = endings.iter().any(|ending| path.to_string_lossy().ends_with(ending));
            let is_test = path.components().any(|part| part.as_os_str() == "tests")
                || path.file_name().is_some_and(|name| name == "tests.rs" || name.to_string_lossy().contains(".test."));
            if path.is_dir() {
                folders.push(path);
            } else if is_source && !is_test {
                files.push(path);
            }
        }
    }
    assert!(files.len() > 5, "{folder} has no sources");
    files
}

/// The lines of a file that are neither comments nor tests.
fn code(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).map(str::to_owned).collect()
}

fn assert_nowhere(files: &[PathBuf], wrong: impl Fn(&str) -> bool) {
    let found = files.iter().flat_map(|path| code(path).into_iter().map(move |line| (path, line)));
    let found: Vec<_> = found.filter(|(_, line)| wrong(line)).collect();
    assert!(found.is_empty(), "{found:#?}");
}

/// The whole numbers in a line of code, `10_000` and `10000` alike.
fn numbers(line: &str) -> Vec<usize> {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '.');
    words.filter_map(|word| word.replace('_', "").parse().ok()).collect()
}

#[test]
fn the_terminal_writes_no_bound_a_second_time() {
    let most = SETTINGS.iter().filter_map(|setting| match setting.kind {
        SettingKind::Number { most, .. } => Some(most as usize),
        SettingKind::Text { longest } => Some(longest),
        _ => None,
    });
    let bounds: Vec<usize> = most.chain([MAX_CHAT, MAX_MESSAGE, MAX_PEOPLE]).filter(|most| *most > TELLING).collect();
    assert!(bounds.len() >= 4, "{bounds:?}");
    let files = sources("crates/unum-terminal/src", &[".rs"]);
    assert_nowhere(&files, |line| numbers(line).iter().any(|number| bounds.contains(number)));
}

/// What a client might bound, as it is called in code, with the smallest and the largest number.
fn named_bounds() -> Vec<(String, Vec<usize>)> {
    let of_settings = SETTINGS.iter().filter_map(|setting| {
        let bounds = match setting.kind {
            SettingKind::Number { least, most, .. } => vec![least as usize, most as usize],
            SettingKind::Text { longest } => vec![longest],
            _ => return None,
        };
        Some((setting.id.as_str().replace('_', ""), bounds))
    });
    let others = [("name", MAX_NAME), ("chat", MAX_CHAT), ("people", MAX_PEOPLE)];
    let all = of_settings.chain(others.map(|(name, most)| (name.to_owned(), vec![most])));
    let mut all: Vec<_> = all.collect();
    all.iter_mut().for_each(|(_, bounds)| bounds.retain(|bound| *bound > COMMON));
    all
}

/// Whether a line names something and has one of its bounds as a number: `seats > 10`, `maxTitle = 60`.
fn bounds_by_number(line: &str, named: &[(String, Vec<usize>)]) -> bool {
    let numbers = numbers(line);
    let words =
        || line.split(|c: char| !c.is_alphanumeric() && c != '_').map(|word| word.replace('_', "").to_lowercase());
    let is_named = |name: &str| words().any(|word| word.strip_prefix("max").unwrap_or(&word) == name);
    named.iter().any(|(name, bounds)| bounds.iter().any(|bound| numbers.contains(bound)) && is_named(name))
}

#[test]
fn no_client_writes_a_small_bound_next_to_what_it_bounds() {
    let named = named_bounds();
    assert!(bounds_by_number(&format!("const MAX_NAME: usize = {MAX_NAME};"), &named));
    assert!(bounds_by_number("if (settings.seats >= 10) return", &named));
    assert_nowhere(&sources("crates/unum-terminal/src", &[".rs"]), |line| bounds_by_number(line, &named));
    for folder in ["web/src/screens", "web/src/parts", "web/src/lib"] {
        let mut files = sources(folder, &[".svelte", ".ts"]);
        files.retain(|path| !path.to_string_lossy().contains("/i18n/"));
        // Pictures are drawn with names and titles at places in pixels.
        assert_nowhere(&files, |line| {
            !line.contains("viewBox") && !line.contains("write(pen") && bounds_by_number(line, &named)
        });
    }
}

#[test]
fn the_terminal_never_asks_for_the_edition() {
    let files = sources("crates/unum-terminal/src", &[".rs"]);
    assert_nowhere(&files, |line| Edition::ALL.iter().any(|edition| line.contains(&format!("Edition::{edition:?}"))));
}

#[test]
fn the_page_writes_no_bound_a_second_time() {
    for folder in ["web/src/screens", "web/src/parts"] {
        let files = sources(folder, &[".svelte", ".ts"]);
        assert_nowhere(&files, |line| {
            let bound = |word: &str| {
                let after = line.split(word).nth(1).unwrap_or_default().trim_start_matches(['"', '{']);
                after.starts_with(|c: char| c.is_ascii_digit())
            };
            // A slider from 0 to 1 has no bound that a table could have.
            let ends_at = |word: &str| bound(word) && !line.contains(&format!("{word}\"1\""));
            bound("maxlength=") || bound("minlength=") || ends_at(" max=") || ends_at(" aria-valuemax=")
        });
    }
}

/// How cards look is the page's business (`cards/`, and the edition a card is drawn in), texts have a key for each edition,
/// and the check of a deal works everything out for itself on purpose.
#[test]
fn the_page_never_asks_for_the_edition() {
    for folder in ["web/src/screens", "web/src/parts", "web/src/lib"] {
        let mut files = sources(folder, &[".svelte", ".ts"]);
        files.retain(|path| ["/fair/", "/i18n/"].iter().all(|part| !path.to_string_lossy().contains(part)));
        assert_nowhere(&files, |line| {
            let drawn = line.contains("<Card ");
            let is_fact = line.trim_start().starts_with("case ");
            !drawn && !is_fact && Edition::ALL.iter().any(|edition| is_quoted(line, edition.id()))
        });
    }
}

fn is_quoted(line: &str, word: &str) -> bool {
    ["'", "\"", "`"].iter().any(|mark| line.contains(&format!("{mark}{word}{mark}")))
}

/// Help texts, too, are made from the lists.
#[test]
fn the_command_line_lists_no_editions_and_levels() {
    let levels: Vec<&str> = Level::ALL.iter().map(|level| level.id()).collect();
    let lists = [Edition::ALL.map(Edition::id).join(", "), levels.join(", ")];
    let beginnings = lists.map(|list| list.splitn(3, ", ").take(2).collect::<Vec<_>>().join(", "));
    for path in sources("crates/unum/src/commands", &[".rs"]) {
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let listed = beginnings.iter().find(|beginning| text.contains(beginning.as_str()));
        assert!(listed.is_none(), "{} lists {listed:?}", path.display());
    }
}

/// What a game begins with when nothing is said is known to `unum-rules` and here: see `Edition::default`,
/// `Level::default` and `Settings::default`.
#[test]
fn clients_write_no_default_a_second_time() {
    let usual = [format!("Edition::{:?}", Edition::default()), format!("Level::{:?}", Level::default())];
    for folder in ["crates/unum-terminal/src", "crates/unum-client/src", "crates/unum/src/commands"] {
        let files = sources(folder, &[".rs"]);
        assert_nowhere(&files, |line| line.contains("unwrap_or") && usual.iter().any(|word| line.contains(word)));
    }
    let mut files = sources("web/src/lib", &[".ts"]);
    files.retain(|path| !path.to_string_lossy().contains("/i18n/"));
    assert_nowhere(&files, |line| {
        [Edition::default().id(), Level::default().id()].iter().any(|word| is_quoted(line, word))
    });
}
