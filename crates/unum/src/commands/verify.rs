//! `unum verify`: whether a recorded game was dealt fairly, every card worked out again.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context as _, bail, ensure};
use serde::Serialize;
use unum_rules::fair::{Commitment, Entropy, FairDeal, Pledge};
use unum_rules::record::{Record, Seeding, Setup, Step};
use unum_rules::wire::{EventForm, VeiledForm, full_events};
use unum_rules::{CardName, DrawReason, Position, Seat, Turned};
use unum_terminal::story::count;

use super::replay::{Content, load, name_of, read};
use crate::output::{print, to_json};
use crate::records::Lines;

/// Check that the cards of a recorded game were dealt fairly.
///
/// Recomputes every commitment, seed and card of every round, and reports what it checked. Compare that with what your
/// client was shown before the deal: docs/fairness.md says what this proves, and what it does not.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    /// A record, as JSON or text (- reads standard input), or one of many (games.jsonl.gz#12); a saved game, by its number or file (`unum games`); or the link
    /// of a finished match on a server (`unum games SERVER`)
    file: PathBuf,

    /// A commitment published before a deal: one of the rounds must have it (1:HEX for the first round)
    #[arg(long, value_name = "[ROUND:]HEX")]
    commitment: Vec<Claim<Commitment>>,

    /// What a seat pledged before a deal: its part must match (1:0=HEX for seat 0 in the first round)
    #[arg(long, value_name = "[ROUND:]SEAT=HEX")]
    pledge: Vec<Claim<(Seat, Pledge)>>,

    /// What a seat added to a deal: it must have been used (1:0=HEX for seat 0 in the first round)
    #[arg(long, value_name = "[ROUND:]SEAT=HEX")]
    entropy: Vec<Claim<(Seat, Entropy)>>,

    /// Print what was found as JSON, with all cards
    #[arg(long)]
    json: bool,

    /// Folder of saved games and server tokens [default: your data folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
}

/// Something a player saw, in one round or in any.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Claim<T> {
    round: Option<u32>,
    seen: T,
}

/// What can be seen.
trait Seen: Sized + Clone {
    fn read(text: &str) -> Result<Self, String>;
}

impl Seen for Commitment {
    fn read(text: &str) -> Result<Commitment, String> {
        Ok(Commitment::try_from(text.to_ascii_lowercase())?)
    }
}

impl Seen for (Seat, Entropy) {
    fn read(text: &str) -> Result<(Seat, Entropy), String> {
        let (seat, bytes) = seat_and_bytes(text)?;
        Ok((seat, Entropy::try_from(bytes)?))
    }
}

impl Seen for (Seat, Pledge) {
    fn read(text: &str) -> Result<(Seat, Pledge), String> {
        let (seat, bytes) = seat_and_bytes(text)?;
        Ok((seat, Pledge::try_from(bytes)?))
    }
}

fn seat_and_bytes(text: &str) -> Result<(Seat, String), String> {
    let (seat, bytes) = text.split_once('=').ok_or("a seat, `=` and what it added belong here, as in 0=HEX")?;
    Ok((seat.parse().map_err(|_| format!("{seat:?} is not a seat"))?, bytes.to_ascii_lowercase()))
}

impl<T: Seen> FromStr for Claim<T> {
    type Err = String;

    fn from_str(text: &str) -> Result<Claim<T>, String> {
        let Some((round, seen)) = text.split_once(':') else { return Ok(Claim { round: None, seen: T::read(text)? }) };
        let number = round.parse().ok().filter(|round| *round > 0);
        let number = number.ok_or_else(|| format!("{round:?} is not a round: rounds are counted from 1"))?;
        Ok(Claim { round: Some(number), seen: T::read(seen)? })
    }
}

/// Checks and says what was checked.
///
/// # Errors
/// If the record cannot be read or is wrong, or if something does not fit what was seen.
pub(crate) fn run(args: Args) -> anyhow::Result<()> {
    if let Some(lines) = many(&args)? {
        return verify_all(lines, &args);
    }
    let record = load(&args.file, args.data.as_deref())?;
    let report = check(&record, &args).with_context(|| name_of(&args.file))?;
    if args.json {
        return print(&to_json(&report)?);
    }
    print(&report.tell(&record.setup))
}

/// The lines of a file with many records, unless one of them is named.
fn many(args: &Args) -> anyhow::Result<Option<Lines>> {
    if !args.file.is_file() {
        return Ok(None);
    }
    match read(&args.file).with_context(|| name_of(&args.file))? {
        Content::Many(lines) => Ok(Some(lines)),
        Content::One(_) => Ok(None),
    }
}

/// What was found in a file with many records.
#[derive(Default, Serialize)]
struct Summary {
    games: u64,
    rounds: u64,
    moves: u64,
}

/// Checks every game of a file, one after another.
fn verify_all(lines: Lines, args: &Args) -> anyhow::Result<()> {
    if !(args.commitment.is_empty() && args.entropy.is_empty() && args.pledge.is_empty()) {
        let file = args.file.display();
        bail!("{file} may have several games: name the one you saw by its number, as in {file}#1");
    }
    let mut all = Summary::default();
    for line in lines {
        let place = || format!("{}, game {}", name_of(&args.file), all.games + 1);
        let record = line.and_then(|line| Ok(Record::parse(&line)?)).with_context(place)?;
        record.replay().with_context(place)?;
        all.games += 1;
        all.rounds += u64::from(record.rounds());
        all.moves += record.moves.len() as u64;
    }
    if args.json {
        return print(&to_json(&all)?);
    }
    let (games, rounds) = (count(all.games as usize, "game"), count(all.rounds as usize, "round"));
    print(&format!("verified: {games}, {rounds}, {}\n", count(all.moves as usize, "move")))
}

/// Plays the record again and compares it with what was seen.
fn check(record: &Record, args: &Args) -> anyhow::Result<Report> {
    let report = Report::of(record)?;
    let deals = record.setup.seeding.deals();
    if deals.is_empty() && !(args.commitment.is_empty() && args.entropy.is_empty() && args.pledge.is_empty()) {
        bail!("this record has a plain seed: there were no commitments before the deal, and nobody added anything");
    }
    for claim in &args.commitment {
        check_commitment(claim, deals)?;
    }
    for claim in &args.pledge {
        check_pledge(claim, deals)?;
    }
    for claim in &args.entropy {
        check_entropy(claim, deals)?;
    }
    Ok(report)
}

/// The deals a claim may be about.
fn deals_of<'a, T>(claim: &Claim<T>, deals: &'a [FairDeal]) -> anyhow::Result<&'a [FairDeal]> {
    match claim.round {
        None => Ok(deals),
        Some(round) => {
            let index = round as usize - 1;
            deals
                .get(index..=index)
                .with_context(|| format!("there is no round {round}: the record has {}", count(deals.len(), "round")))
        }
    }
}

fn check_commitment(claim: &Claim<Commitment>, deals: &[FairDeal]) -> anyhow::Result<()> {
    let found = deals_of(claim, deals)?.iter().any(|deal| deal.commitment() == claim.seen);
    let (seen, which) = (claim.seen, which(claim.round));
    ensure!(
        found,
        "{which} dealt from a secret with the commitment {seen}: if that is what you were shown before the deal, \
         the table dealt from a different secret than the one it committed to"
    );
    Ok(())
}

fn check_pledge(claim: &Claim<(Seat, Pledge)>, deals: &[FairDeal]) -> anyhow::Result<()> {
    let (seat, seen) = claim.seen;
    ensure!(
        deals_of(claim, deals)?.iter().any(|deal| deal.pledge(seat) == Some(seen)),
        "{} dealt with a part of seat {seat} that fits the pledge {seen}: if that is what you were shown before \
         parts were opened, somebody swapped the part",
        which(claim.round)
    );
    Ok(())
}

fn check_entropy(claim: &Claim<(Seat, Entropy)>, deals: &[FairDeal]) -> anyhow::Result<()> {
    let (seat, seen) = claim.seen;
    let used = |deal: &FairDeal| deal.entropy.get(usize::from(seat)) == Some(&Some(seen));
    ensure!(
        deals_of(claim, deals)?.iter().any(used),
        "{} dealt with {seen} from seat {seat}: if your client added that, the table left it out or changed it",
        which(claim.round)
    );
    Ok(())
}

/// The beginning of a sentence about what did not happen.
fn which(round: Option<u32>) -> String {
    match round {
        Some(round) => format!("round {round} was not"),
        None => "no round was".to_owned(),
    }
}

/// What was found.
#[derive(Debug, PartialEq, Eq, Serialize)]
struct Report {
    /// Whether there was a secret and a commitment for every round, or a plain seed.
    fair: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    moves: usize,
    rounds: Vec<RoundReport>,
    /// The digest of the last state.
    #[serde(rename = "final")]
    final_state: String,
}

/// One round.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
struct RoundReport {
    round: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    commitment: Option<Commitment>,
    /// The key of the generator.
    #[serde(skip_serializing_if = "Option::is_none")]
    key: Option<String>,
    /// In which attempt the cards were dealt.
    #[serde(skip_serializing_if = "Option::is_none")]
    attempt: Option<u8>,
    /// What the seats had to publish before anybody opened a part.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pledges: Vec<Option<Pledge>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entropy: Vec<Option<Entropy>>,
    /// The seats that pledged a part and did not open it.
    #[serde(skip_serializing_if = "Option::is_none")]
    withheld: Option<Vec<Seat>>,
    /// Whether a player's own device dealt.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    device: bool,
    dealer: Seat,
    /// What everybody was dealt, by seat, sorted.
    hands: Vec<Vec<CardName>>,
    /// The cards turned up, the start card last.
    turned_up: Vec<CardName>,
    /// The draw pile when the start card lay there, the next card first.
    draw_pile: Vec<CardName>,
    drawn: usize,
    reshuffles: usize,
    moves: usize,
}

impl Report {
    /// Plays the record again; every step is checked on the way.
    fn of(record: &Record) -> anyhow::Result<Report> {
        let mut rounds: Vec<RoundReport> = Vec::new();
        let mut replay = record.steps();
        while let Some(step) = replay.step()? {
            match rounds.last_mut() {
                Some(round) if round.round == step.place.round => round.go_on(&step),
                _ => rounds.push(RoundReport::of(&step, &record.setup.seeding)),
            }
        }
        Ok(Report {
            fair: record.setup.seeding.number().is_none(),
            seed: record.setup.seeding.number(),
            moves: record.moves.len(),
            rounds,
            final_state: record.final_state.to_string(),
        })
    }

    /// In words.
    fn tell(&self, setup: &Setup) -> String {
        let mut text = String::new();
        self.rounds.iter().for_each(|round| round.tell(setup, &mut text));
        let sum = |of: fn(&RoundReport) -> usize| self.rounds.iter().map(of).sum::<usize>();
        let rounds = count(self.rounds.len(), "round");
        let what = format!(
            "{} dealt, {} drawn, {}, {}",
            count(sum(RoundReport::dealt), "card"),
            sum(|round| round.drawn),
            count(sum(|round| round.reshuffles), "reshuffle"),
            count(self.moves, "move")
        );
        for round in self.rounds.iter().filter(|round| round.device) {
            let _ = writeln!(
                text,
                "Round {} was dealt on a player's own device, who could have chosen the cards.",
                round.round
            );
        }
        let unaided = |round: &&RoundReport| self.fair && !round.device && round.entropy.iter().all(Option::is_none);
        for round in self.rounds.iter().filter(unaided) {
            let _ = writeln!(
                text,
                "Nobody added anything to round {}: the table could have tried secrets until it liked one.",
                round.round
            );
        }
        let each = if self.rounds.len() == 1 { "" } else { "each " };
        let _ = match self.seed {
            None => write!(
                text,
                "Verified: {rounds}, {each}dealt from the secret behind its commitment and from what the players added.\n\
                 {what}: every card follows from them and from the moves, to the last state.\n\
                 Only players can tell whether these commitments and pledges are the ones they were shown before the\n\
                 deals. Our clients compare them by themselves; or use --commitment, --pledge, and --entropy for what\n\
                 your client added (docs/fairness.md).\n"
            ),
            Some(seed) => write!(
                text,
                "Replayed: {rounds}. {what}: every card follows from the plain seed {seed} and the moves.\n\
                 That is all it proves: nobody was bound to the seed before the deal, and anybody who knew it knew the cards.\n"
            ),
        };
        text
    }
}

impl RoundReport {
    /// The deal of a round.
    fn of(step: &Step<'_>, seeding: &Seeding) -> RoundReport {
        let deal = seeding.deals().get(step.place.round as usize - 1);
        let key = |deal: &FairDeal| deal.key().iter().map(|byte| format!("{byte:02x}")).collect();
        let mut round = RoundReport {
            round: step.place.round,
            commitment: deal.map(FairDeal::commitment),
            key: deal.map(key),
            attempt: deal.map(|deal| deal.attempt),
            pledges: deal.map_or(Vec::new(), |deal| (0..step.game.players()).map(|seat| deal.pledge(seat)).collect()),
            entropy: deal.map_or(Vec::new(), |deal| deal.entropy.clone()),
            withheld: deal.map(|deal| deal.withheld.clone()),
            device: deal.is_some_and(|deal| deal.device),
            dealer: step.game.round().dealer(),
            hands: vec![Vec::new(); step.game.players().into()],
            ..RoundReport::default()
        };
        full_events(step.events, step.game.rules()).into_iter().for_each(|event| round.note_deal(event));
        round.draw_pile.extend(Position::of(step.game).draw_pile);
        round
    }

    fn note_deal(&mut self, event: EventForm) {
        match event {
            EventForm::Dealt { seat, cards: VeiledForm::Cards(cards) } => self.hands[usize::from(seat)] = cards,
            EventForm::DealtAgain {} => self.turned_up.clear(),
            EventForm::TurnedUp { card, turned } => {
                self.turned_up.push(card);
                self.reshuffles += usize::from(turned == Turned::Returned);
            }
            // Cards drawn because of the start card were on the pile before.
            EventForm::Drew { reason: DrawReason::Start, cards: VeiledForm::Cards(cards), .. } => {
                self.drawn += cards.len();
                self.draw_pile.extend(cards);
            }
            _ => {}
        }
    }

    /// A move.
    fn go_on(&mut self, step: &Step<'_>) {
        self.moves += 1;
        for event in full_events(step.events, step.game.rules()) {
            match event {
                EventForm::Drew { cards: VeiledForm::Cards(cards), .. } => self.drawn += cards.len(),
                EventForm::Reshuffled { .. } | EventForm::HandsShuffled { .. } => self.reshuffles += 1,
                _ => {}
            }
        }
    }

    fn dealt(&self) -> usize {
        self.hands.iter().map(Vec::len).sum()
    }

    fn tell(&self, setup: &Setup, text: &mut String) {
        let name = |seat: Seat| setup.name(seat).map_or_else(|| format!("seat {seat}"), |name| name.to_string());
        let _ = writeln!(text, "Round {}", self.round);
        if let (Some(commitment), Some(key)) = (&self.commitment, &self.key) {
            let _ = writeln!(text, "  commitment  {commitment}\n  seed        {key}");
            let withheld = |seat| self.withheld.iter().flatten().any(|other| *other == seat);
            for (seat, entropy) in (0..).zip(&self.entropy) {
                let part = match entropy {
                    Some(entropy) => entropy.to_string(),
                    None if withheld(seat) => "nothing, though a part was pledged,".to_owned(),
                    None => "nothing".to_owned(),
                };
                let _ = writeln!(text, "  added       {part} by {}", name(seat));
            }
            for (seat, pledge) in (0..).zip(&self.pledges).filter_map(|(seat, pledge)| Some((seat, (*pledge)?))) {
                let _ = writeln!(text, "  pledged     {pledge} by {}", name(seat));
            }
            if self.attempt == Some(2) {
                let _ = writeln!(text, "  attempt     2: the players pledged again, as a part was withheld");
            }
        }
        let start = self.turned_up.last().map_or("none", |card| card.as_str());
        let _ = writeln!(
            text,
            "  dealt       {} by {}, start card {start}",
            count(self.dealt(), "card"),
            name(self.dealer)
        );
        let _ = writeln!(
            text,
            "  played      {}, {} drawn, {}\n",
            count(self.moves, "move"),
            count(self.drawn, "card"),
            count(self.reshuffles, "reshuffle")
        );
    }
}
