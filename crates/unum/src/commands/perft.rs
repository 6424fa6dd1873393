//! `unum perft`: counts the action sequences of a position, to check the engine against known numbers.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read as _;
use std::time::Instant;

use anyhow::{Context as _, anyhow, bail};
use clap::builder::PossibleValue;
use serde::Serialize;
use serde::de::DeserializeOwned;
use unum_rules::perft::{Branch, Reference, Start, references};
use unum_rules::wire::ActionForm;
use unum_rules::{Edition, Palette, Position, RulesSpec, Seat};

use crate::output::{print, to_json};
use crate::report::text::count as thousands;
use crate::usage::{OrUsage as _, Suggested, number, suggested};
use unum_terminal::nearest::did_you_mean;

/// Count the action sequences of a position, to check the engine against known numbers.
///
/// Without arguments it lists the reference positions. docs/perft.md says what is counted.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A reference position
    #[arg(value_parser = name_value(), hide_possible_values = true)]
    name: Option<String>,

    /// Length of the sequences [default: as deep as the reference numbers go]
    depth: Option<u32>,

    /// Check the numbers of all reference positions
    #[arg(long, conflicts_with_all = ["name", "depth", "position", "divide"])]
    all: bool,

    /// Count from this position instead: one line or JSON, @FILE, or - for standard input
    #[arg(long, value_name = "POSITION")]
    position: Option<String>,

    /// Its rules: JSON, @FILE, or - for standard input
    #[arg(long, value_name = "JSON", requires = "position", default_value_t = usual_rules())]
    rules: String,

    /// Seed for shuffles along the way
    #[arg(long, value_name = "N", requires = "position", default_value_t = 0, value_parser = number)]
    seed: u64,

    /// Show how many sequences begin with each first action
    #[arg(long)]
    divide: bool,

    /// Print JSON, for programs
    #[arg(long)]
    json: bool,

    /// Print the table of docs/perft.md
    #[arg(long, requires = "all", conflicts_with = "json")]
    markdown: bool,
}

fn usual_rules() -> String {
    format!(r#"{{"edition":"{}"}}"#, Edition::default())
}

/// The name of a reference position, or a depth: told apart later.
fn name_value() -> Suggested<String> {
    let words =
        || references().unwrap_or_default().into_iter().map(|reference| PossibleValue::new(reference.name)).collect();
    suggested(words, |text| Ok(text.to_owned()))
}

/// Counts what was asked for.
///
/// # Errors
/// If the input is wrong, the output cannot be written, or a number differs from its reference.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    let known = references().context("the reference positions")?;
    if args.all {
        return check_all(&args, &known);
    }
    let Some((name, start, depth)) = choose(&args, &known)? else {
        return print(&if args.json { list_json(&known)? } else { list(&known) });
    };
    if args.divide {
        let division = Division::count(&start, depth);
        return print(&if args.json { to_json(&division)? } else { division.page() });
    }
    let reference = known.iter().find(|reference| Some(&reference.name) == name.as_ref());
    let counted = Counted::new(name.unwrap_or_else(|| "position".to_owned()), &start, depth, reference);
    print(&if args.json { to_json(&counted)? } else { counted.page() })?;
    complain(&[counted])
}

// What to count.

type Chosen = (Option<String>, Start, u32);

/// The position to count from, and how deep; nothing where the list is wanted.
fn choose(args: &Args, known: &[Reference]) -> anyhow::Result<Option<Chosen>> {
    if let Some(position) = &args.position {
        let (start, depth) = given(args, position).or_usage()?;
        return Ok(Some((None, start, depth)));
    }
    let Some(name) = &args.name else {
        if args.divide {
            return Err(anyhow!("`--divide` needs a reference position or `--position`")).or_usage();
        }
        return Ok(None);
    };
    let reference = find(name, known)?;
    let depth = args.depth.unwrap_or(reference.depth());
    Ok(Some((Some(name.clone()), reference.start()?, depth)))
}

fn find<'a>(name: &str, known: &'a [Reference]) -> anyhow::Result<&'a Reference> {
    let found = known.iter().find(|reference| reference.name == name);
    let near = || did_you_mean(name, known.iter().map(|reference| reference.name.as_str()));
    let unknown = || format!("there is no reference position {name:?}: `unum perft` lists them.{}", near());
    found.with_context(unknown).or_usage()
}

/// A position of the caller's own. The only word beside it is the depth.
fn given(args: &Args, position: &str) -> anyhow::Result<(Start, u32)> {
    let depth = match (&args.name, args.depth) {
        (Some(depth), None) => depth.parse().with_context(|| format!("the depth is a number, not {depth:?}"))?,
        (None, _) => bail!("`--position` needs a DEPTH"),
        (Some(_), Some(_)) => bail!("`--position` takes the place of NAME: give only the DEPTH"),
    };
    if position == "-" && args.rules == "-" {
        bail!("only one of `--position` and `--rules` can come from standard input");
    }
    let rules: RulesSpec = read("--rules", &args.rules)?;
    let position = read_position("--position", position)?;
    Ok((Start::new(rules, position, args.seed)?, depth))
}

/// JSON as it stands, from a file, or from standard input.
pub(crate) fn read<T: DeserializeOwned>(option: &str, source: &str) -> anyhow::Result<T> {
    serde_json::from_str(&read_text(option, source)?).with_context(|| option.to_owned())
}

/// A position from the same places, as JSON or in one line.
pub(crate) fn read_position(option: &str, source: &str) -> anyhow::Result<Position> {
    Position::read(&read_text(option, source)?).with_context(|| option.to_owned())
}

fn read_text(option: &str, source: &str) -> anyhow::Result<String> {
    Ok(match source.strip_prefix('@') {
        Some(path) => std::fs::read_to_string(path).with_context(|| format!("{option}: cannot read {path}"))?,
        None if source == "-" => {
            let mut text = String::new();
            std::io::stdin().read_to_string(&mut text).with_context(|| format!("{option}: standard input"))?;
            text
        }
        None => source.to_owned(),
    })
}

// Counting.

/// The numbers of one position.
#[derive(Serialize)]
struct Counted {
    name: String,
    counts: Vec<Count>,
    seconds: f64,
}

#[derive(Serialize)]
struct Count {
    depth: u32,
    count: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<u64>,
}

impl Count {
    fn differs(&self) -> bool {
        self.expected.is_some_and(|expected| expected != self.count)
    }
}

impl Counted {
    fn new(name: String, start: &Start, depth: u32, reference: Option<&Reference>) -> Counted {
        let began = Instant::now();
        let count = |depth| {
            let expected = reference.and_then(|reference| reference.count(depth));
            Count { depth, count: start.perft(depth), expected }
        };
        let counts = (depth.min(1)..=depth).map(count).collect();
        Counted { name, counts, seconds: began.elapsed().as_secs_f64() }
    }

    fn differs(&self) -> bool {
        self.counts.iter().any(Count::differs)
    }

    fn total(&self) -> u64 {
        self.counts.iter().fold(0, |sum, count| sum.saturating_add(count.count))
    }

    fn page(&self) -> String {
        let mut page = String::new();
        for Count { depth, count, .. } in &self.counts {
            let _ = writeln!(page, "perft {depth:>2} {count:>20}");
        }
        page + &speed(self.total(), self.seconds)
    }

    fn line(&self) -> String {
        let deepest = self.counts.last().map_or((0, 1), |count| (count.depth, count.count));
        let verdict = if self.differs() { "DIFFERS" } else { "ok" };
        format!("{:<20} perft {:>2} {:>12}  {verdict}\n", self.name, deepest.0, thousands(deepest.1))
    }
}

/// Nodes are the sequences counted, as is usual for perft.
fn speed(count: u64, seconds: f64) -> String {
    if seconds < 0.001 {
        return format!("{} in less than a millisecond\n", thousands(count));
    }
    let millions = count as f64 / seconds / 1e6;
    format!("{} in {seconds:.3} s: {millions:.1} million nodes a second\n", thousands(count))
}

/// An error that names every number that differs from its reference.
fn complain(all: &[Counted]) -> anyhow::Result<()> {
    let mut differences = String::new();
    for counted in all {
        for Count { depth, count, expected } in counted.counts.iter().filter(|count| count.differs()) {
            let expected = expected.unwrap_or_default();
            let _ = write!(differences, "\n  {} at depth {depth}: {count}, not {expected}", counted.name);
        }
    }
    if !differences.is_empty() {
        bail!("these numbers are not the reference numbers:{differences}");
    }
    Ok(())
}

// All references.

fn check_all(args: &Args, known: &[Reference]) -> anyhow::Result<()> {
    let mut all = Vec::new();
    for reference in known {
        let start = reference.start().with_context(|| reference.name.clone())?;
        let counted = Counted::new(reference.name.clone(), &start, reference.depth(), Some(reference));
        if !args.json && !args.markdown {
            print(&counted.line())?;
        }
        all.push(counted);
    }
    print(&summary(args, known, &all)?)?;
    complain(&all)
}

fn summary(args: &Args, known: &[Reference], all: &[Counted]) -> anyhow::Result<String> {
    if args.json {
        return to_json(&BTreeMap::from([("positions", all)]));
    }
    if args.markdown {
        return Ok(markdown(known, all));
    }
    let seconds = all.iter().map(|counted| counted.seconds).sum();
    Ok(speed(all.iter().map(Counted::total).sum(), seconds))
}

/// The table of `docs/perft.md`.
fn markdown(known: &[Reference], all: &[Counted]) -> String {
    let mut table = "| position | edition | what it covers | depth 1, 2, 3 … |\n| --- | --- | --- | --- |\n".to_owned();
    for (Reference { name, covers, rules, .. }, counted) in known.iter().zip(all) {
        let counts: Vec<String> = counted.counts.iter().map(|count| thousands(count.count)).collect();
        let (edition, counts) = (rules.edition.id(), counts.join(" · "));
        let _ = writeln!(table, "| `{name}` | {edition} | {covers} | {counts} |");
    }
    table
}

fn list(known: &[Reference]) -> String {
    let mut page = String::new();
    for Reference { name, covers, rules, counts, .. } in known {
        let (edition, depth) = (rules.edition.id(), counts.len());
        let _ = writeln!(page, "{name:<20} {edition:<9} to depth {depth:<2} {covers}");
    }
    page
}

#[derive(Serialize)]
struct Listed<'a> {
    name: &'a str,
    covers: &'a str,
    rules: &'a RulesSpec,
    position: &'a Position,
    seed: u64,
    counts: &'a [u64],
}

fn list_json(known: &[Reference]) -> anyhow::Result<String> {
    let listed = known.iter().map(|Reference { name, covers, rules, position, seed, counts }| Listed {
        name,
        covers,
        rules,
        position,
        seed: *seed,
        counts,
    });
    to_json(&BTreeMap::from([("positions", listed.collect::<Vec<_>>())]))
}

// Division.

/// How many sequences begin with each first action.
#[derive(Serialize)]
struct Division {
    depth: u32,
    count: u64,
    divide: Vec<Part>,
    #[serde(skip)]
    seconds: f64,
}

#[derive(Serialize)]
struct Part {
    seat: Seat,
    action: ActionForm,
    count: u64,
}

impl Part {
    fn new(Branch { seat, action, count }: Branch, palette: Palette) -> Part {
        Part { seat, action: ActionForm::new(&action, palette), count }
    }
}

impl Division {
    fn count(start: &Start, depth: u32) -> Division {
        let began = Instant::now();
        let branches = start.divide(depth);
        let seconds = began.elapsed().as_secs_f64();
        let count = match depth {
            0 => 1,
            _ => branches.iter().fold(0u64, |sum, branch| sum.saturating_add(branch.count)),
        };
        let palette = start.rules().palette();
        let divide = branches.into_iter().map(|branch| Part::new(branch, palette)).collect();
        Division { depth, count, divide, seconds }
    }

    fn page(&self) -> String {
        let mut page = String::new();
        for Part { seat, action, count } in &self.divide {
            let action = serde_json::to_string(action).unwrap_or_default();
            let _ = writeln!(page, "seat {seat} {count:>14}  {action}");
        }
        page + &speed(self.count, self.seconds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(line: &str) -> Args {
        use clap::{Args as _, FromArgMatches as _};
        let command = Args::augment_args(clap::Command::new("perft").no_binary_name(true));
        let matches = command.try_get_matches_from(line.split(' ')).expect("these arguments are right");
        Args::from_arg_matches(&matches).expect("these arguments are right")
    }

    fn refusal(line: &str) -> String {
        let known = references().expect("the reference positions");
        format!("{:#}", choose(&args(line), &known).expect_err("these arguments are wrong"))
    }

    #[test]
    fn the_documentation_has_the_reference_numbers() {
        let known = references().expect("the reference positions");
        let counted = known.iter().map(|reference| Counted {
            name: reference.name.clone(),
            counts: (1..)
                .zip(&reference.counts)
                .map(|(depth, count)| Count { depth, count: *count, expected: None })
                .collect(),
            seconds: 0.0,
        });
        let table = markdown(&known, &counted.collect::<Vec<_>>());
        let page = include_str!("../../../../docs/perft.md");
        assert!(page.contains(&table), "run `unum perft --all --markdown` and put the table into docs/perft.md");
    }

    #[test]
    fn wrong_input_is_told_in_words() {
        assert!(refusal("nonsense").contains("no reference position \"nonsense\""));
        assert!(refusal("--position {}").contains("needs a DEPTH"));
        assert!(refusal("--position {} turn 3").contains("give only the DEPTH"));
        assert!(refusal("--position {} three").contains("the depth is a number"));
        assert!(refusal("--position {} 3").contains("the position: "));
        assert!(refusal("--position {\"tops\":1} 3").contains("unknown field `tops`"));
        assert!(refusal("--position {} --rules {\"edition\":\"none\"} 3").contains("--rules"));
        assert!(refusal("--position @/no/such/file 3").contains("cannot read /no/such/file"));
        assert!(refusal("--position - --rules - 3").contains("only one"));
        assert!(refusal("--divide").contains("needs a reference position"));
    }

    #[test]
    fn a_number_that_differs_is_an_error_that_names_it() {
        let count = |count| Count { depth: 2, count, expected: Some(5) };
        let counted = |number| [Counted { name: "turn".to_owned(), counts: vec![count(number)], seconds: 1.0 }];
        assert!(complain(&counted(5)).is_ok());
        let why = complain(&counted(6)).expect_err("6 is not 5").to_string();
        assert!(why.ends_with("turn at depth 2: 6, not 5"), "{why}");
    }

    #[test]
    fn thousands_are_thousands() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
