//! Programs at the table: one that behaves, and all the ways not to.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;
use unum_bots::{Bot, Random};
use unum_lab::{External, ExternalError, Failures, Outcome, Seating};
use unum_rules::{
    Action, CustomCard, Edition, House, Round, Rules, RulesSpec, SEATS, Seeded, SeenEvent, Sight, Stacking,
};

/// For programs that answer: long enough for the slowest machine.
const PATIENT: Duration = Duration::from_secs(30);
/// For programs that never answer.
const SHORT: Duration = Duration::from_millis(20);

/// Answers every question: the first legal action, or nothing where that is possible. `answer` prints, `log` is
/// called with every line.
const PLAYER: &str = r#"
first() { printf '%s\n' "$1" | sed 's/.*"legal":\[\({[^}]*}\).*/\1/'; }
log() { :; }
answer() { printf '%s\n' "$1"; }
play() {
    while IFS= read -r line; do
        log "$line"
        case $line in
            '{"type":"act"'*) answer "$(first "$line")" ;;
            '{"type":"react"'*) answer null ;;
        esac
    done
}
"#;

/// A program and its neighbors.
enum Player {
    External(Box<External>),
    Random(Random),
}

impl Bot for Player {
    fn begin(&mut self, sight: &Sight<'_>) {
        match self {
            Player::External(bot) => bot.begin(sight),
            Player::Random(bot) => bot.begin(sight),
        }
    }

    fn listens(&self) -> bool {
        match self {
            Player::External(bot) => bot.listens(),
            Player::Random(bot) => bot.listens(),
        }
    }

    fn see(&mut self, event: &SeenEvent) {
        match self {
            Player::External(bot) => bot.see(event),
            Player::Random(bot) => bot.see(event),
        }
    }

    fn act(&mut self, sight: &Sight<'_>) -> Action {
        match self {
            Player::External(bot) => bot.act(sight),
            Player::Random(bot) => bot.act(sight),
        }
    }

    fn react(&mut self, sight: &Sight<'_>) -> Option<Action> {
        match self {
            Player::External(bot) => bot.react(sight),
            Player::Random(bot) => bot.react(sight),
        }
    }
}

/// A table at which seat 0 is a program.
struct Table {
    rules: Rules,
    bots: Vec<Player>,
    chance: Seeded,
}

impl Table {
    fn new(bot: External, rules: Rules, players: u8) -> Table {
        let others = (1..u64::from(players)).map(|seed| Player::Random(Random::new(seed)));
        let bots = [Player::External(Box::new(bot))].into_iter().chain(others).collect();
        Table { rules, bots, chance: Seeded::new(u64::from(players)) }
    }

    fn original(bot: External) -> Table {
        Table::new(bot, Rules::of(Edition::Original), 3)
    }

    /// Plays a round; whatever the program does, the round ends and nobody's action is refused.
    fn play(&mut self) -> Outcome {
        let players = self.bots.len() as u8;
        let mut round = Round::deal(&self.rules, players, 0, &mut self.chance, &mut ()).expect("a deal");
        let outcome = Seating { rules: &self.rules, bots: &mut self.bots, scores: &[] }.play(
            &mut round,
            &mut self.chance,
            &mut (),
        );
        assert!(!outcome.given_up, "the round did not end");
        assert_eq!(outcome.refused, [0; SEATS]);
        outcome
    }

    fn play_rounds(&mut self, rounds: u32) {
        for _ in 0..rounds {
            self.play();
        }
    }

    fn play_until(&mut self, enough: impl Fn(&External) -> bool) {
        for _ in 0..200 {
            self.play();
            if enough(self.bot()) {
                return;
            }
        }
        panic!("after 200 rounds: {}, {:?}", self.bot().failures(), self.bot().last_error());
    }

    fn bot(&self) -> &External {
        match &self.bots[0] {
            Player::External(bot) => bot,
            Player::Random(_) => unreachable!("seat 0 is the program"),
        }
    }

    /// Sends everybody home; no child may remain.
    fn end(self) -> Failures {
        let (failures, id) = (self.bot().failures(), self.bot().process_id());
        drop(self);
        if let Some(id) = id {
            assert!(!exists(id), "the program is still there");
        }
        failures
    }
}

/// Whether there is a process, also one that has ended but was not waited for.
fn exists(id: u32) -> bool {
    let id = rustix::process::Pid::from_raw(id as i32).expect("an id");
    rustix::process::test_kill_process(id).is_ok()
}

fn shell(script: &str, timeout: Duration) -> External {
    External::start(&["sh", "-c", script], timeout).expect("every system of this kind has a shell")
}

fn simple() -> External {
    python(&root().join("examples/bots/simple.py"))
}

fn python(script: &Path) -> External {
    External::start(&["python3", &script.to_string_lossy()], PATIENT)
        .unwrap_or_else(|error| panic!("the examples are written in Python 3, and this test needs it: {error}"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Asked as often as that, and nothing went wrong.
fn without_failures(Failures { asked, .. }: Failures) -> Failures {
    Failures { asked, ..Failures::default() }
}

fn assert_well_behaved(table: &Table) {
    let bot = table.bot();
    let failures = bot.failures();
    assert!(failures.asked > 0, "the program was not asked at all");
    assert_eq!((without_failures(failures), bot.last_error()), (failures, None));
}

// A program that behaves.

#[test]
fn the_example_plays_every_edition_without_failures() {
    let mut bot = simple();
    for edition in Edition::ALL {
        for players in 2..=5 {
            let mut table = Table::new(bot, Rules::of(edition), players);
            table.play();
            table.play();
            assert_well_behaved(&table);
            bot = take_back(table);
        }
    }
}

#[test]
fn the_example_plays_house_rules_and_customizable_cards_without_failures() {
    let wild = House { stacking: Stacking::Any, seven_zero: true, jump_in: true, ..House::default() };
    let strict = House { force_play: true, no_bluffing: true, draw_to_match: true, ..House::default() };
    let mut bot = simple();
    for house in [wild, strict] {
        for first in 1..=8 {
            let mut spec = RulesSpec::of(Edition::Custom);
            spec.house = house.clone();
            spec.custom_cards = Some((first..first + 3).map(CustomCard::Starter).collect());
            let mut table = Table::new(bot, Rules::new(spec).expect("rules"), 4);
            table.play();
            assert_well_behaved(&table);
            bot = take_back(table);
        }
    }
}

/// A hand of twenty has so many discards that they are not listed.
#[test]
fn the_example_discards_what_is_too_much_to_list() {
    let mut spec = RulesSpec::of(Edition::Custom);
    spec.house.hand_size = Some(20);
    spec.custom_cards = Some(vec![CustomCard::Starter(5), CustomCard::Starter(6), CustomCard::Starter(8)]);
    let mut table = Table::new(simple(), Rules::new(spec).expect("rules"), 3);
    table.play_rounds(10);
    assert_well_behaved(&table);
}

#[test]
fn the_example_plays_better_than_the_yardstick() {
    let mut table = Table::new(simple(), Rules::of(Edition::Original), 2);
    let won = (0..400).filter(|_| table.play().winner == Some(0)).count();
    assert!(won > 200, "{won} of 400");
}

#[test]
fn the_smallest_bot_of_the_documentation_plays() {
    let page = fs::read_to_string(root().join("docs/bots-protocol.md")).expect("the page");
    let script = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).expect("a bot");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("bot.py");
    fs::write(&file, script).expect("a file");
    let mut table = Table::original(python(&file));
    table.play_rounds(5);
    assert_well_behaved(&table);
}

fn take_back(mut table: Table) -> External {
    match table.bots.swap_remove(0) {
        Player::External(bot) => *bot,
        Player::Random(_) => unreachable!("seat 0 is the program"),
    }
}

#[test]
fn a_program_is_told_the_round_and_what_happened_as_its_seat_may_see_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let script = format!("{PLAYER}\nlog() {{ printf '%s\\n' \"$1\" >> '{}'; }}\nplay", log.display());
    let mut table = Table::original(shell(&script, PATIENT));
    table.play_rounds(3);
    assert_well_behaved(&table);
    table.end();

    let messages = messages(&log);
    let kinds: Vec<&str> = messages.iter().map(|message| text(&message["type"])).collect();
    assert_eq!(kinds[..2], ["hello", "round"]);
    assert_eq!(kinds.iter().filter(|kind| **kind == "round").count(), 3);
    assert!(kinds.contains(&"events") && kinds.contains(&"act") && kinds.contains(&"react"));
    assert_eq!(messages[1]["rules"]["edition"], "original");
    assert_eq!((&messages[1]["seat"], &messages[1]["players"]), (&Value::from(0), &Value::from(3)));
    let last = messages.last().and_then(|message| message["events"].as_array()).and_then(|events| events.last());
    assert_eq!(last.expect("the end of the round")["type"], "went_out");
    for event in messages.iter().filter_map(|message| message["events"].as_array()).flatten() {
        let hidden = event["type"] == "drew" && event["seat"] != 0;
        assert!(!hidden || event.get("cards").is_none(), "{event}");
    }
    for question in messages.iter().filter(|message| message.get("view").is_some()) {
        assert_eq!(question["seat"], 0);
        assert!(question["view"]["hand"].is_array() && question["view"].get("hands").is_none());
        assert!(!question["legal"].as_array().expect("a list").is_empty());
    }
}

fn messages(log: &Path) -> Vec<Value> {
    let log = fs::read_to_string(log).expect("a log");
    log.lines().map(|line| serde_json::from_str(line).expect("every line is JSON")).collect()
}

fn text(value: &Value) -> &str {
    value.as_str().expect("a text")
}

// Programs that do not.

#[test]
fn a_program_that_crashes_at_once_is_given_up() {
    let mut table = Table::original(shell("echo oh no >&2; exit 3", PATIENT));
    table.play_until(External::is_given_up);
    assert_eq!(table.bot().last_error(), Some("crashed (exit status: 3), last words:\noh no"));
    table.play();
    let Failures { missed, .. } = table.bot().failures();
    assert!(missed > 0);
    assert_eq!(table.end(), Failures { asked: 5 + missed, crashes: 5, missed, ..Failures::default() });
}

#[test]
fn a_program_that_crashes_now_and_then_is_started_again_and_told_the_round() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = folder.path().join("log");
    let script = format!(
        "{PLAYER}\nleft=3\nlog() {{ [ $left = 0 ] && exit 1; printf '%s\\n' \"$1\" >> '{}'; }}\n\
         answer() {{ printf '%s\\n' \"$1\"; left=$((left - 1)); }}\nplay",
        log.display()
    );
    let mut table = Table::original(shell(&script, PATIENT));
    table.play_until(External::is_given_up);
    let Failures { asked, missed, .. } = table.bot().failures();
    // It answers three times after every start.
    assert!(asked > 21 + missed, "{asked} and {missed}");
    assert_eq!(table.end(), Failures { asked, crashes: 21, missed, ..Failures::default() });

    let messages = messages(&log);
    let starts = messages.windows(3).filter(|messages| messages[0]["type"] == "hello");
    let told = starts.filter(|messages| messages[1]["type"] == "round" && messages[2].get("view").is_some());
    assert!(told.count() >= 20, "after a restart, a program is told the round and asked at once");
}

#[test]
fn nonsense_costs_the_decision_and_nothing_else() {
    let answers = [
        ("", "answered an empty line: no action: "),
        ("hello", "answered hello: no action: "),
        ("null", "answered null: the table waits for an action"),
        ("5", "answered 5: no action: "),
        (r#""draw""#, "answered \"draw\": no action: "),
        (r#"["draw"]"#, "answered [\"draw\"]: a list where an action belongs"),
        (r#"{"type":"fly"}"#, "answered {\"type\":\"fly\"}: no action: unknown variant `fly`"),
        (r#"{"type":"draw","now":1}"#, "answered {\"type\":\"draw\",\"now\":1}: no action: unknown field `now`"),
        (r#"{"type":"draw"} {"type":"draw"}"#, "answered {\"type\":\"draw\"} {\"type\":\"draw\"}: no action: trailing"),
        (r#"{"type":"play","card":"Q7"}"#, "answered {\"type\":\"play\",\"card\":\"Q7\"}: "),
        (r#"{"type":"play","card":"P7"}"#, "answered {\"type\":\"play\",\"card\":\"P7\"}: P7 is not in the hand"),
        (r#"{"type":"catch","seat":0}"#, "answered {\"type\":\"catch\",\"seat\":0}: seat 0 owes no"),
        (r#"{"type":"catch","seat":7}"#, "answered {\"type\":\"catch\",\"seat\":7}: there is no seat 7"),
        (r#"{"type":"keep","uno":true}"#, "answered {\"type\":\"keep\",\"uno\":true}: no action: unknown field `uno`"),
    ];
    for (answer, error) in answers {
        let mut table = Table::original(shell(&format!("{PLAYER}\nfirst() {{ echo '{answer}'; }}\nplay"), PATIENT));
        let id = table.bot().process_id();
        table.play();
        assert_eq!(table.bot().process_id(), id, "the program lives on");
        let last_error = table.bot().last_error().expect("an error").to_owned();
        assert!(last_error.starts_with(error), "{last_error}");
        let failures = table.end();
        assert!(failures.nonsense > 0 && failures.nonsense <= failures.asked, "{failures}");
        assert_eq!(failures, Failures { nonsense: failures.nonsense, ..without_failures(failures) });
    }
}

#[test]
fn a_reaction_has_to_be_one() {
    let script = PLAYER.replace("answer null", r#"answer '{"type":"draw"}'"#) + "\nplay";
    let mut table = Table::original(shell(&script, PATIENT));
    table.play_until(|bot| bot.failures().nonsense > 0);
    let last_error = table.bot().last_error().expect("an error").to_owned();
    assert!(last_error.contains("this cannot be done before one is asked to act"), "{last_error}");
    let failures = table.end();
    assert_eq!(failures, Failures { nonsense: failures.nonsense, ..without_failures(failures) });
}

#[test]
fn a_line_too_many_is_counted_whether_it_is_taken_for_an_answer_or_not() {
    let script = format!("{PLAYER}\nanswer() {{ printf '%s\\nand that was that\\n' \"$1\"; }}\nplay");
    let mut table = Table::original(shell(&script, PATIENT));
    table.play();
    let failures = table.end();
    assert!(failures.nonsense > 0);
    assert_eq!(failures, Failures { nonsense: failures.nonsense, ..without_failures(failures) });
}

#[test]
fn a_greeting_is_not_taken_for_an_answer_if_it_comes_in_time() {
    let folder = tempfile::tempdir().unwrap();
    let said = folder.path().join("said");
    let bot = shell(&format!("echo good evening\n: > '{}'\n{PLAYER}\nplay", said.display()), PATIENT);
    while !said.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut table = Table::original(bot);
    table.play();
    assert!(table.end().nonsense > 0);
}

#[test]
fn a_program_that_never_answers_is_given_up() {
    let mut table = Table::original(shell("while read -r line; do :; done", SHORT));
    table.play_until(External::is_given_up);
    assert_eq!(table.bot().last_error(), Some("did not answer within 200ms"));
    let missed = table.bot().failures().missed;
    assert_eq!(table.end(), Failures { asked: 5 + missed, timeouts: 5, missed, ..Failures::default() });
}

#[test]
fn a_program_that_hangs_now_and_then_is_started_again() {
    let script = format!("{PLAYER}\nanswer() {{ printf '%s\\n' \"$1\"; exec sleep 1000; }}\nplay");
    let mut table = Table::original(shell(&script, Duration::from_millis(100)));
    table.play_until(External::is_given_up);
    let Failures { asked, timeouts, missed, .. } = table.bot().failures();
    assert!(asked >= timeouts + missed, "{asked}, {timeouts} and {missed}");
    // On a slow machine the answers come too late as well.
    assert!((5..=21).contains(&timeouts), "{timeouts}");
    assert_eq!(table.end(), Failures { asked, timeouts, missed, ..Failures::default() });
}

#[test]
fn a_program_that_does_not_read_is_given_up() {
    let mut table = Table::original(shell("exec sleep 1000", SHORT));
    table.play_until(External::is_given_up);
    let missed = table.bot().failures().missed;
    assert_eq!(table.end(), Failures { asked: 5 + missed, timeouts: 5, missed, ..Failures::default() });
}

#[test]
fn a_flood_without_lines_is_nonsense_and_ends_the_program() {
    let mut table = Table::original(shell("exec cat /dev/zero", PATIENT));
    table.play_until(External::is_given_up);
    assert_eq!(table.bot().last_error(), Some("wrote a line of more than 65536 bytes"));
    let missed = table.bot().failures().missed;
    assert_eq!(table.end(), Failures { asked: 5 + missed, nonsense: 5, missed, ..Failures::default() });
}

/// It is lucky now and then, but as it never reads, its input fills up.
#[test]
fn a_flood_of_lines_holds_nobody_up() {
    let mut table = Table::original(shell(r#"exec yes '{"type":"draw"}'"#, PATIENT));
    table.play_until(|bot| bot.failures().timeouts > 0);
    let failures = table.end();
    assert!(failures.nonsense > 0);
    assert_eq!(failures.crashes, 0);
}

#[test]
fn a_flood_of_errors_holds_nobody_up() {
    let script = format!("yes 'no end of trouble' >&2 &\n{PLAYER}\nplay");
    let mut table = Table::original(shell(&script, PATIENT));
    table.play();
    assert_well_behaved(&table);
    table.end();
}

#[test]
fn a_program_that_closes_its_output_has_crashed() {
    let mut table = Table::original(shell("exec >&-; exec sleep 1000", PATIENT));
    table.play_until(External::is_given_up);
    assert_eq!(table.bot().last_error(), Some("crashed: closed its output and did not end"));
    let missed = table.bot().failures().missed;
    assert_eq!(table.end(), Failures { asked: 5 + missed, crashes: 5, missed, ..Failures::default() });
}

// Coming and going.

#[test]
fn a_program_that_ignores_its_end_is_killed() {
    let bot = shell("trap '' HUP TERM; while :; do sleep 1; done", PATIENT);
    let id = bot.process_id().expect("an id");
    assert!(exists(id));
    drop(bot);
    assert!(!exists(id));
}

#[cfg(target_os = "linux")]
#[test]
fn what_a_program_has_started_ends_with_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("id");
    let bot = shell(&format!("sleep 1000 & echo $! > '{}'; wait", file.display()), PATIENT);
    let written = || fs::read_to_string(&file).is_ok_and(|id| id.ends_with('\n'));
    assert!(comes_true(written), "the program did not start");
    let id = fs::read_to_string(&file).expect("an id");
    assert!(!has_ended(id.trim()));
    drop(bot);
    assert!(comes_true(|| has_ended(id.trim())));
}

/// Whether a process has ended; it may still be a zombie.
#[cfg(target_os = "linux")]
fn has_ended(id: &str) -> bool {
    let state = |stat: String| stat.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'));
    fs::read_to_string(format!("/proc/{id}/stat")).map_or(true, state)
}

#[cfg(target_os = "linux")]
fn comes_true(condition: impl Fn() -> bool) -> bool {
    (0..3000).any(|_| {
        let holds = condition();
        if !holds {
            std::thread::sleep(Duration::from_millis(10));
        }
        holds
    })
}

#[test]
fn a_program_that_cannot_be_started_is_an_error() {
    let error = |command: &[&str]| External::start(command, PATIENT).expect_err("no program");
    assert!(matches!(error(&[]), ExternalError::NoCommand));
    assert!(matches!(error(&[""]), ExternalError::NoCommand));
    let missing = error(&["no-such-program-anywhere"]);
    assert!(matches!(missing, ExternalError::NotFound { .. }));
    assert!(missing.to_string().starts_with("there is no program `no-such-program-anywhere`"));
    let folder = tempfile::tempdir().expect("a folder");
    let not_executable = error(&[&folder.path().to_string_lossy()]);
    assert!(matches!(not_executable, ExternalError::NotStarted { .. }), "{not_executable:?}");
}
