//! `unum analyze`: what to play in a position. Also the request `analyze` of `unum referee`.

use serde::{Deserialize, Serialize};
use unum_lab::REACH;
use unum_review::value::gap_words;
use unum_review::{Analysis, AnalysisError, analyze};
use unum_rules::referee::Referee;
use unum_rules::{Match, Rules, RulesSpec, Seat, Seeded, plain_words};

use super::perft::{read, read_position};
use crate::output::{print, to_json};
use crate::report::text::Table;
use crate::usage::{OrUsage as _, number_in};

/// What to play in a position, how sure that is, and what the others are likely to hold.
///
/// Actions are valued by worlds that fit what the player to act can see: only the sizes of other hands count. A
/// position has no history, so a Wild Draw Four that waits for an answer is assumed to be honest. docs/review.md says
/// more.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  unum analyze @position.json
  unum analyze 'R5B3/G1G2 R7 - turn:0'
  unum analyze '{\"hands\":[[\"R5\",\"B3\"],[\"G1\",\"G2\"]],\"top\":\"R7\",\"draw_pile\":[\"Y1\",\"Y2\",\"Y3\"]}'
  unum analyze - --rules '{\"edition\":\"frozen\"}' --json < position.json")]
pub(crate) struct Args {
    /// The position, in one line or in the referee's words as JSON; or @FILE, or - for standard input
    position: String,

    /// Its rules: JSON, @FILE, or - for standard input
    #[arg(long, value_name = "JSON", default_value = r#"{"edition":"original"}"#)]
    rules: String,

    /// For this seat, which must be the one to act [default: the one to act]
    #[arg(long, value_name = "SEAT")]
    seat: Option<Seat>,

    /// How many worlds to imagine
    #[arg(long, value_name = "WORLDS", default_value = "2,000", value_parser = parse_budget)]
    budget: u32,

    /// Print JSON, for programs
    #[arg(long)]
    json: bool,
}

/// The most worlds that can be asked for, and how many a request of the referee gets unless it says otherwise.
pub(super) const MAX_BUDGET: u32 = 100_000;
const USUAL_BUDGET: u32 = 2_000;

fn parse_budget(text: &str) -> Result<u32, String> {
    number_in(text, 1, MAX_BUDGET.into())
}

/// Analyzes a position.
///
/// # Errors
/// If position or rules are wrong, nobody or somebody else is to act, or the output cannot be written.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    if args.position == "-" && args.rules == "-" {
        return Err(anyhow::anyhow!("only one of the position and `--rules` can come from standard input")).or_usage();
    }
    let rules: RulesSpec = read("--rules", &args.rules)?;
    let position = read_position("the position", &args.position)?;
    let game: Match = position.into_match(Rules::new(rules)?, Seeded::new(0))?;
    let analysis = analyze(&game, args.seat, args.budget)?;
    print(&if args.json { to_json(&analysis)? } else { tell(&analysis) })
}

fn tell(analysis: &Analysis) -> String {
    let percent = |share: f64| format!("{:.1} %", share * 100.0);
    let mut text = format!("Seat {} is to act; {} worlds imagined.\n\n", analysis.seat, analysis.worlds);
    let mut actions = Table::new(&["action", "wins", "±", "worlds"]);
    for one in &analysis.actions {
        let known = one.worlds > 0;
        actions.row(vec![
            one.words.clone(),
            if known { percent(one.value.0) } else { "-".to_owned() },
            if known { format!("{:.1}", one.value_error.0 * REACH * 100.0) } else { "-".to_owned() },
            one.worlds.to_string(),
        ]);
    }
    text += &actions.to_text();
    if let Some(why) = &analysis.why {
        text += &format!("\nWhy the first rather than the second: {why}\n");
    }
    if let Some(odds) = analysis.challenge {
        let needed =
            odds.break_even.map_or(String::new(), |share| format!("; a challenge pays from {}", percent(share.0)));
        text += &format!("\nA bluff in {} of the worlds{needed}.\n", percent(odds.bluff.0));
    }
    let colors: Vec<&str> =
        analysis.hands.first().map_or(Vec::new(), |hand| hand.colors.iter().map(|(name, _)| name.as_str()).collect());
    let headings: Vec<&str> = ["hand", "cards"].into_iter().chain(colors).chain(["wild", "can follow"]).collect();
    let mut hands = Table::new(&headings);
    for hand in &analysis.hands {
        let mut row = vec![format!("seat {}", hand.seat), hand.cards.to_string()];
        row.extend(hand.colors.iter().map(|(_, mean)| format!("{:.1}", mean.0)));
        row.extend([format!("{:.1}", hand.wilds.0), percent(hand.fits.0)]);
        hands.row(row);
    }
    text += &format!("\n{}", hands.to_text());
    analysis.gaps.iter().for_each(|gap| text += &format!("Note: {}\n", gap_words(*gap)));
    text
}

/// The request `analyze`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    #[serde(rename = "op")]
    _op: Analyze,
    seat: Option<Seat>,
    worlds: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Analyze {
    Analyze,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Reply {
    Analysis { ok: bool, analysis: Box<Analysis> },
    Error { ok: bool, error: Complaint },
}

#[derive(Serialize)]
pub(super) struct Complaint {
    code: unum_rules::Code,
    message: String,
}

/// A refusal in the referee's words.
pub(super) fn complain(code: unum_rules::Code, message: String) -> Complaint {
    Complaint { code, message }
}

/// Whether a line is the request of that name. Most requests are something else, and should not be read twice.
pub(super) fn is_request(line: &[u8], name: &str) -> bool {
    /// The name of any request.
    #[derive(Deserialize)]
    struct Named<'a> {
        #[serde(borrow)]
        op: Option<&'a str>,
    }
    let quoted = format!("\"{name}\"");
    line.windows(quoted.len()).any(|part| part == quoted.as_bytes())
        && serde_json::from_slice::<Named<'_>>(line).is_ok_and(|named| named.op == Some(name))
}

/// The reply to a line of `unum referee`; `None` if it is another request, which the referee answers.
pub(crate) fn answer(referee: &Referee, line: &[u8]) -> Option<String> {
    is_request(line, "analyze").then_some(())?;
    let reply = match reply(referee, line) {
        Ok(analysis) => Reply::Analysis { ok: true, analysis: Box::new(analysis) },
        Err(error) => Reply::Error { ok: false, error },
    };
    serde_json::to_string(&reply).ok()
}

fn reply(referee: &Referee, line: &[u8]) -> Result<Analysis, Complaint> {
    use unum_rules::Code;
    let wrong = |why: serde_json::Error| complain(Code::BadRequest, format!("not a request: {}", plain_words(&why)));
    let request: Request = serde_json::from_slice(line).map_err(wrong)?;
    let worlds = request.worlds.unwrap_or(USUAL_BUDGET);
    if !(1..=MAX_BUDGET).contains(&worlds) {
        return Err(complain(Code::BadRequest, format!("`worlds` goes from 1 to {MAX_BUDGET}")));
    }
    let nothing = || complain(Code::BadRequest, "there is no match yet: send `new` or `set` first".to_owned());
    let game = referee.game().ok_or_else(nothing)?;
    if request.seat.is_some_and(|seat| seat >= game.players()) {
        return Err(complain(Code::BadSeat, format!("seats are numbered 0 to {}", game.players() - 1)));
    }
    analyze(game, request.seat, worlds).map_err(|why| {
        let code = match why {
            AnalysisError::Over => Code::Over,
            AnalysisError::NotAwaited { .. } => Code::NotYourTurn,
            AnalysisError::Unimaginable => Code::BadPosition,
            // These are about records, and this is about a match.
            AnalysisError::NoMove { .. } | AnalysisError::Running | AnalysisError::Damaged | AnalysisError::TooLong => {
                Code::BadRequest
            }
        };
        complain(code, why.to_string())
    })
}
