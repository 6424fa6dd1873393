//! `unum arena`, `unum tournament`, `unum simulate` and `unum study`, run as researchers run them.

use std::fs;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn unum(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unum"));
    command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(args: &[&str]) -> Output {
    unum(args).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is UTF-8")
}

/// What was printed by a run that went well, without a word on standard error.
fn printed(args: &[&str]) -> String {
    let output = run(args);
    assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{args:?}");
    text(&output.stdout)
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&printed(args)).expect("JSON")
}

const ARENA: [&str; 5] = ["arena", "me=random", "random*2", "--deals", "120"];
const TOURNAMENT: [&str; 6] = ["tournament", "random", "me=easy", "hard", "--deals", "60"];
const STUDY: [&str; 10] =
    ["study", "stacking=any", "hand_size=2", "--rounds", "300", "--deals", "40", "--bot", "random", "--players=3"];
const SIMULATE: [&str; 5] = ["simulate", "--players", "3", "--rounds", "400"];

#[test]
fn an_arena_says_in_words_who_is_ahead() {
    let report = printed(&ARENA);
    assert!(report.starts_with("120 deals of original, each played by all 3 rotations"), "{report}");
    assert!(report.contains("360 rounds.") && report.contains("\nme wins "), "{report}");
    assert!(report.contains("even would be 33.33 %"), "{report}");
    for heading in ["places", "wins", "off even", "points per round", "net points", "Elo"] {
        assert!(report.contains(heading), "{heading}: {report}");
    }
    assert!(printed(&["arena", "random*2", "--deals", "5"]).contains("random plays only against itself"));
}

#[test]
fn threads_make_no_difference() {
    for args in [&ARENA[..], &TOURNAMENT, &SIMULATE, &STUDY] {
        let results = ["1", "2", "5"].map(|threads| printed(&[args, &["--threads", threads, "--json"]].concat()));
        assert!(results[0] == results[1] && results[1] == results[2], "{args:?}");
    }
}

#[test]
fn the_command_in_a_report_gives_the_same_report() {
    let rules = ["--house", "stacking=any,hand_size=5", "--seed", "9", "--json"];
    for args in [
        [&ARENA[..], &rules].concat(),
        [&TOURNAMENT[..], &rules].concat(),
        [&STUDY[..], &rules].concat(),
        [&SIMULATE[..], &["--compare", "seven_zero"], &rules].concat(),
    ] {
        let report = json(&args);
        let command = report["command"].as_str().expect("a command").to_owned() + " --json";
        // The JSON of the rules is the only word that a shell would have to unquote.
        let words: Vec<&str> = command.split_whitespace().skip(1).map(|word| word.trim_matches('\'')).collect();
        assert_eq!(json(&words), report, "{command}");
    }
}

#[test]
fn an_arena_in_json_has_its_settings_and_intervals() {
    let report = json(&[&ARENA[..], &["--matches", "--scoring", "first_to:100", "--json"]].concat());
    assert_eq!(report["complete"], true);
    assert_eq!((&report["unit"], &report["deals"], &report["games"]), (&"match".into(), &120.into(), &360.into()));
    assert_eq!(report["rules"]["scoring"]["target"], 100);
    let side = &report["sides"][0];
    assert_eq!((&side["name"], &side["places"]), (&"me".into(), &1.into()));
    for figure in ["wins", "points", "net_points", "elo"] {
        let number = |end: &str| side[figure][end].as_f64().expect("a number");
        assert!(number("low") < number("mean") && number("mean") < number("high"), "{figure}");
    }
    assert_eq!(report["sides"][1]["elo"]["mean"], 0.0);
    assert!(report["trace"].as_array().is_some_and(|trace| trace.len() > 10));
}

#[test]
fn a_tournament_ranks_everybody_and_shows_every_pairing() {
    let report = json(&["tournament", "random", "me=easy", "hard", "--players", "4", "--deals", "300", "--json"]);
    let standings = report["standings"].as_array().expect("a list");
    let names: Vec<_> = standings.iter().map(|bot| bot["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["hard", "me", "random"]);
    assert!(standings[0]["ahead"]["low"].as_f64() > Some(0.0) && standings[2]["ahead"].is_null());
    assert_eq!((&report["deals"], &report["games"], &report["players"]), (&900.into(), &3600.into(), &4.into()));
    assert_eq!(report["pairings"].as_array().map(Vec::len), Some(3));
    let text = printed(&TOURNAMENT);
    assert!(
        text.starts_with("3 bots, 3 pairings, 60 deals of original each, in all rotations of 2 seats: 360 rounds."),
        "{text}"
    );
    for word in ["Elo", "ahead of the next", "by the list", " is first"] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let csv = printed(&[&TOURNAMENT[..], &["--csv"]].concat());
    assert!(csv.starts_with("bot,against,figure,mean,low,high\nhard,,elo,"), "{csv}");
    assert!(csv.contains("\nhard,random,wins,"), "{csv}");
}

#[test]
fn a_study_has_a_row_for_every_change() {
    let text = printed(&STUDY);
    assert!(
        text.starts_with("original, 3 players: 300 rounds of random, then 40 deals of hard against random"),
        "{text}"
    );
    for word in ["turns", "first seat", "better bot", "\nbase ", "\nstacking=any ", "\nhand_size=2 "] {
        assert!(text.contains(word), "{word}: {text}");
    }
    let report = json(&[&STUDY[..], &["--json"]].concat());
    let rows = report["rows"].as_array().expect("rows");
    assert_eq!((rows.len(), &rows[0]["turns"]["difference"]), (3, &Value::Null));
    assert!(rows[2]["turns"]["difference"]["high"].as_f64() < Some(0.0), "{report}");
    // Everything there is, but for what the rules say already.
    let all = json(&["study", "--rounds", "2", "--deals", "2", "--house", "jump_in", "--json"]);
    let changes: Vec<&str> = all["changes"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    for change in ["stacking=same", "stacking=any", "seven_zero", "force_play", "no_challenges"] {
        assert!(changes.contains(&change), "{changes:?}");
    }
    assert!(!changes.iter().any(|change| change.contains("jump_in") || change.contains("off")), "{changes:?}");
    assert!(printed(&[&STUDY[..], &["--csv"]].concat()).contains("\nstacking=any,difference,edge,"));
}

#[test]
fn a_settled_question_ends_an_arena_early() {
    let options = ["--until-settled", "--margin", "20", "--deals", "100000"];
    let report = json(&[&ARENA[..3], &options, &["--json"]].concat());
    assert_eq!((&report["verdict"], &report["complete"]), (&"even".into(), &true.into()));
    assert!(report["deals"].as_u64().is_some_and(|deals| deals < 10_000));
    let words = printed(&[&ARENA[..3], &options].concat());
    assert!(words.contains("Settled after ") && words.contains("closer to its even share"), "{words}");
    let open = printed(&[&ARENA[..], &["--until-settled", "--margin", "0.001"]].concat());
    assert!(open.contains("Not settled after 120 deals"), "{open}");
}

#[test]
fn a_simulation_counts_what_there_is_to_count() {
    let report = json(&[&SIMULATE[..], &["--json"]].concat());
    assert_eq!((&report["complete"], &report["games"]), (&true.into(), &400.into()));
    let measure = |id: &str| {
        let measures = report["measures"].as_array().expect("measures");
        measures.iter().find(|row| row["measure"] == id).expect(id)["mean"].as_f64().expect("a number")
    };
    assert!((30.0..70.0).contains(&measure("turns")), "{}", measure("turns"));
    assert!((50.0..110.0).contains(&measure("points")), "{}", measure("points"));
    assert_eq!(report["positions"].as_array().map(Vec::len), Some(3));
    assert_eq!(report["cards"].as_array().map(Vec::len), Some(54));
    let bins = report["turns"]["bins"].as_array().expect("bins");
    assert_eq!(bins.iter().filter_map(|bin| bin["count"].as_u64()).sum::<u64>(), 400);
    let tables = printed(&SIMULATE);
    for words in ["turns", "left of the dealer", "Wild Draw Fours", "median", "W+4", "A round takes "] {
        assert!(tables.contains(words), "{words}: {tables}");
    }
}

#[test]
fn house_rules_are_compared_on_the_same_deals() {
    let options = ["--compare", "hand_size=7", "--compare", "hand_size=12,jump_in", "--json"];
    let report = json(&[&SIMULATE[..], &options].concat());
    let turns = |variant: usize| &report["variants"][variant]["differences"][1];
    assert_eq!((&turns(0)["mean"], &turns(0)["high"]), (&0.0.into(), &0.0.into()));
    assert!(turns(1)["measure"] == "turns" && turns(1)["low"].as_f64().is_some_and(|low| low > 0.0));
    let table = printed(&[&SIMULATE[..], &options[..4]].concat());
    assert!(table.contains("hand_size=12,jump_in"), "{table}");
}

#[test]
fn csv_has_one_figure_a_row() {
    for (args, columns) in [(&ARENA[..], 6), (&SIMULATE, 7)] {
        let csv = printed(&[args, &["--csv"]].concat());
        assert!(csv.lines().count() > 5 && csv.lines().all(|line| line.split(',').count() == columns), "{csv}");
        assert!(csv.lines().next().is_some_and(|head| head.ends_with("mean,low,high")));
    }
}

#[test]
fn pages_stand_by_themselves() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("page.html");
    let file = file.to_str().expect("a path in UTF-8");
    for args in [&ARENA[..], &SIMULATE] {
        let table = printed(&[args, &["--html", file]].concat());
        assert_eq!(table, printed(args));
        let page = fs::read_to_string(file).expect("a page");
        assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
        assert!(page.contains("<svg") && page.contains("prefers-color-scheme: dark"));
        assert!(page.contains(&format!("unum {} ", args[0])) && page.contains("--seed 0"));
        for elsewhere in ["http:", "https:", "<script", "src=", "NaN", "inf"] {
            assert!(!page.contains(elsewhere), "{elsewhere}");
        }
    }
    let name = "<img>=random";
    printed(&["arena", name, "random", "--deals", "10", "--html", file]);
    assert!(!fs::read_to_string(file).expect("a page").contains("<img"));
}

#[test]
fn formats_can_be_combined() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path in UTF-8").to_owned();
    let (html, csv) = (path("a.html"), format!("--csv={}", path("a.csv")));
    let report = json(&[&ARENA[..], &["--json", &csv, "--html", &html]].concat());
    assert_eq!(report["deals"], 120);
    assert_eq!(fs::read_to_string(path("a.csv")).expect("rows"), printed(&[&ARENA[..], &["--csv"]].concat()));
    assert!(fs::read_to_string(html).expect("a page").contains("<svg"));
}

#[test]
fn what_cannot_be_run_is_refused_in_words() {
    for (args, words) in [
        (&["arena", "random", "wizard"][..], "the bots are random"),
        (&["arena", "random"], "2 to 10 can play, not 1"),
        (&["arena", "random", "me=program:no/such/bot"], "there is no program `no/such/bot`"),
        (&["arena", "random*2", "--bot-timeout", "0"], "--bot-timeout must be above 0 and at most"),
        (&["arena", "random*6", "random*6"], "2 to 10 can play, not 12"),
        (&["arena", "random*2", "--deals", "0"], "must be from 1 to"),
        (&["arena", "random*2", "--until-settled", "--margin", "0"], "--margin must be above 0 and below"),
        (&["arena", "random*2", "--json", "--csv"], "write --csv=FILE"),
        (&["arena", "random*2", "--html", "no/such/folder/x.html"], "no/such/folder/x.html"),
        (&["study", "stack=any"], "no house rule \"stack\""),
        (&["study", "--better", "hard", "--worse", "hard"], "two different bots"),
        (&["study", "--records", "x.jsonl"], "`unum simulate --compare` does"),
        (&["tournament", "random"], "2 to 40 different bots, not 1"),
        (&["tournament", "easy", "easy"], "\"easy\" is there twice"),
        (&["tournament", "easy*2", "hard"], "is there twice"),
        (&["tournament", "easy", "hard", "--players", "3"], "even, 2 to 10, not 3"),
        (&["tournament", "easy", "wizard"], "the bots are random"),
        (&["arena", "random*10", "--house", "hand_size=20"], "choose a smaller `hand_size`"),
        (&["arena", "random*2", "--house", "stack=any"], "no house rule \"stack\""),
        (&["simulate", "--players", "1"], "must be from 2 to 10"),
        (&["simulate", "--players", "11"], "must be from 2 to 10"),
        (&["simulate", "--bot", "wizard"], "the bots are random"),
        (&["simulate", "--rounds", "0"], "must be from 1 to 100,000,000,000"),
        (&["simulate", "--compare", "stack=any"], "--compare stack=any"),
        (&["simulate", "--compare", "no_bluffing,no_challenges"], "choose one"),
        (&["simulate", "--custom", "4"], "belongs to the edition `custom`"),
    ] {
        let output = run(args);
        // Neither a program nor a folder is looked for before all options are read.
        let code = if words.contains("no/such") { 1 } else { 2 };
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        assert!(text(&output.stderr).contains(words), "{args:?}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "", "{args:?}");
    }
    for args in
        [&["arena"][..], &["simulate", "--rounds", "1", "--matches", "1"], &["arena", "random", "--margin", "2"]]
    {
        assert_eq!(run(args).status.code(), Some(2), "{args:?}");
    }
}

/// A bot of one's own, in the one language that every machine with a shell has.
#[cfg(unix)]
#[test]
fn a_program_can_enter_and_its_failures_are_told() {
    let folder = tempfile::tempdir().expect("a folder");
    let bot = folder.path().join("bot.sh");
    fs::write(
        &bot,
        "while read -r line; do case $line in *'\"type\":\"act\"'*) echo nonsense;; *react*) echo null;; esac; done\n",
    )
    .expect("a program");
    let entry = format!("me=program:sh {}", bot.display());
    let failing = |args: &[&str]| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(1), "a script has to notice: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains("did not answer every question"), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    // Somebody forgets to call "UNO", so a reaction is asked for as well, and that answer is right.
    let report = failing(&["arena", &entry, "easy", "random", "--deals", "3", "--seed", "1", "--json"]);
    let report: Value = serde_json::from_str(&report).expect("JSON");
    assert_eq!(report["repeatable"], false);
    let side = &report["sides"][0];
    assert!(side["failures"]["asked"].as_u64() > side["failures"]["nonsense"].as_u64(), "{side}");
    assert!(side["failures"]["nonsense"].as_u64() > Some(10), "{side}");
    assert!(side["last_error"].as_str().is_some_and(|error| error.starts_with("answered nonsense")), "{side}");
    let table = failing(&["arena", &entry, "random", "--deals", "3", "--bot-timeout", "10"]);
    assert!(table.starts_with("me answered ") && table.contains("failures") && table.contains("nonsense"), "{table}");
    let study = failing(&["simulate", &entry, "random", "--rounds", "3"]);
    assert!(study.starts_with("The program answered "), "{study}");
}

#[test]
fn an_expert_repeats_itself_unless_it_thinks_by_the_clock() {
    let args = |bot: &'static str| ["arena", bot, "random", "--deals", "1", "--seed", "3", "--json"];
    let report = json(&args("expert:40w"));
    assert_eq!((&report["repeatable"], &report["version"]), (&true.into(), &env!("CARGO_PKG_VERSION").into()));
    assert_eq!(json(&args("expert:40w")), report);
    assert_eq!(json(&args("expert:1ms"))["repeatable"], false);
    let line_up = unum_lab::LineUp::parse(&["expert", "hard"], std::time::Duration::from_secs(1)).expect("a line-up");
    assert!(line_up.is_repeatable(), "an expert counts worlds in the laboratory");
}

/// Interrupts a run that would take for ever, some time after it has begun; the report on what there was.
#[cfg(unix)]
fn interrupted(args: &[&str], figure: &str) -> Value {
    use std::path::Path;
    use std::thread::sleep;
    use std::time::Duration;

    for patience in [100, 1_000, 10_000] {
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("page.html");
        let html = page.to_str().expect("a path in UTF-8");
        let mut child = unum(&[args, &["--json", "--html", html]].concat()).spawn().expect("the binary starts");
        // The file is made when Ctrl-C is already listened for.
        while !Path::new(html).exists() && child.try_wait().expect("a child").is_none() {
            sleep(Duration::from_millis(5));
        }
        sleep(Duration::from_millis(patience));
        let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill");
        assert!(killed.success());
        let output = child.wait_with_output().expect("the binary ends");
        assert_eq!(output.status.code(), Some(130), "{}", text(&output.stderr));
        if text(&output.stderr).contains("so there is nothing to report") {
            // Too soon: then there is no report, rather than one about nothing.
            assert!(output.stdout.is_empty());
            continue;
        }
        assert!(text(&output.stderr).contains("interrupted: these are the results of "), "{}", text(&output.stderr));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["complete"], false);
        assert!(fs::read_to_string(html).expect("a page").contains("Interrupted: "));
        if report[figure].as_u64().is_some_and(|done| done > 0) {
            return report;
        }
    }
    panic!("nothing was done in ten seconds");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_prints_what_there_is_so_far() {
    let arena = interrupted(&["arena", "random*2", "--deals", "100000000000"], "deals");
    let simulation = interrupted(&["simulate", "--rounds", "100000000000"], "games");
    assert!(arena["deals"].as_u64() < Some(100_000_000_000) && simulation["games"].as_u64() < Some(100_000_000_000));
    // What was finished is a beginning of the whole: it can be had again.
    let command = arena["command"].as_str().expect("a command").to_owned() + " --json";
    let words: Vec<&str> = command.split_whitespace().skip(1).map(|word| word.trim_matches('\'')).collect();
    assert_eq!(json(&words)["sides"], arena["sides"]);
}

#[test]
fn the_laboratory_measures_itself() {
    let args = ["bench", "lab", "--seconds", "0.01", "--players", "2", "--threads", "2", "--json"];
    let report = json(&args);
    let line = &report["lines"][0];
    for rate in ["bare", "simulate", "share_of_bare", "simulate_all_threads", "speed_up"] {
        assert!(line[rate].as_f64().is_some_and(|rate| rate > 0.0), "{rate}: {line}");
    }
    assert_eq!((&line["threads"], &report["levels"][0]["level"]), (&2.into(), &"random".into()));
    assert!(printed(&args[..8]).contains("speed-up"));
}

/// The parts of a run, as files in a folder.
fn parts(folder: &std::path::Path, args: &[&str], count: u64) -> Vec<String> {
    let part = |number: u64| {
        let file = folder.join(format!("{number}.json")).to_str().expect("a path in UTF-8").to_owned();
        let (part, json) = (format!("{number}/{count}"), format!("--json={file}"));
        assert_eq!(printed(&[args, &["--part", &part, &json]].concat()), "");
        file
    };
    (1..=count).map(part).collect()
}

/// What merging these files says, and whether it went well.
fn merged(files: &[String], options: &[&str]) -> (bool, String) {
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let output = run(&[&["merge"], &files[..], options].concat());
    let said = if output.status.success() { &output.stdout } else { &output.stderr };
    (output.status.success(), text(said))
}

#[test]
fn sixteen_parts_give_the_report_of_one_run_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a folder");
    let compared = [&SIMULATE[..], &["--compare", "stacking=any", "--seed", "9"]].concat();
    let tournament = [&TOURNAMENT[..], &["--players", "4"]].concat();
    for args in [&[&ARENA[..], &["--house", "jump_in"]].concat(), &tournament, &STUDY.to_vec(), &compared] {
        let mut files = parts(folder.path(), args, 16);
        files.reverse();
        let (html, csv, page) = (folder.path().join("a.html"), "--csv", folder.path().join("b.html"));
        let [html, page] = [&html, &page].map(|path| path.to_str().expect("a path in UTF-8"));
        assert_eq!(merged(&files, &["--html", html]), (true, printed(&[&args[..], &["--html", page]].concat())));
        assert_eq!(fs::read(html).expect("a page"), fs::read(page).expect("a page"));
        for format in ["--json", csv] {
            assert_eq!(merged(&files, &[format]), (true, printed(&[&args[..], &[format]].concat())), "{args:?}");
        }
    }
    let lucky = ["simulate", "hard*2", "--rounds", "6", "--adjust-luck"];
    let files = parts(folder.path(), &lucky, 4);
    assert_eq!(merged(&files, &["--json"]), (true, printed(&[&lucky[..], &["--json"]].concat())));
}

#[test]
fn parts_that_make_no_whole_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = parts(folder.path(), &ARENA, 5);
    let refused = |files: &[String]| {
        let (went_well, said) = merged(files, &[]);
        assert!(!went_well, "{said}");
        said
    };
    assert!(refused(&files[1..2]).contains("missing: parts 1, 3-5 of 5"));
    assert!(refused(&files[..4]).contains("missing: part 5 of 5"));
    let doubled = [&files[..], &files[2..3]].concat();
    assert!(refused(&doubled).contains("doubled: part 3/5 is in "), "{}", refused(&doubled));
    let other = folder.path().join("other");
    fs::create_dir(&other).expect("a folder");
    let foreign = parts(&other, &[&ARENA[..3], &["--deals", "121"]].concat(), 5);
    let said = refused(&[&files[..4], &foreign[4..]].concat());
    assert!(said.contains("foreign: ") && said.contains("unum arena me=random 'random*2' --deals 121"), "{said}");
    let whole = fs::read_to_string(&files[1]).expect("a part");
    for (changed, words) in [
        (whole.replacen("\"rounds\":7", "\"rounds\":8", 1), "its check does not fit"),
        (whole[..whole.len() / 2].to_owned(), "this is not a part of a run"),
        (String::new(), "that part was not finished"),
        (whole.replacen("\"version\":\"", "\"version\":\"9", 1), "its check does not fit"),
    ] {
        assert_ne!(changed, whole);
        fs::write(&files[1], changed).expect("a part");
        let said = refused(&files);
        assert!(said.contains("broken: ") && said.contains(words) && said.contains("missing: part 2 of 5"), "{said}");
    }
    assert!(refused(&["no/such/part".to_owned()]).contains("broken: no/such/part: "));
    for (options, words) in [
        (&["--until-settled"][..], "play a fixed number with --deals"),
        (&["--adjust-luck"], "all deals before"),
        (&["--csv"], "cannot be used with"),
        (&["--part", "6/5"], "as in 3/16"),
    ] {
        let part = if options[0] == "--part" { &[][..] } else { &["--part", "1/2"] };
        let output = run(&[&ARENA[..], part, options].concat());
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
}

#[test]
fn games_are_recorded_in_order_and_can_be_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("a path in UTF-8").to_owned();
    let (plain, packed) = (path("games.jsonl"), path("games.jsonl.gz"));
    let arena = ["arena", "me=hard", "random*2", "--deals", "12", "--edition", "frozen"];
    let report = json(&[&arena[..], &["--records", &plain, "--threads", "1", "--json"]].concat());
    let again = json(&[&arena[..], &["--records", &packed, "--threads", "3", "--json"]].concat());
    assert_eq!(report, again);
    let games = fs::read_to_string(&plain).expect("records");
    assert_eq!(games.lines().count(), 36);
    assert!(fs::metadata(&packed).expect("a file").len() < games.len() as u64 / 3);
    let verified = printed(&["verify", &plain]);
    assert!(verified.starts_with("verified: 36 games, 36 rounds, "), "{verified}");
    assert_eq!(printed(&["verify", &packed]), verified);
    let twelfth = printed(&["replay", &format!("{packed}#12"), "--to", "json"]);
    let line: Value = serde_json::from_str(games.lines().nth(11).expect("a line")).expect("JSON");
    assert_eq!(serde_json::from_str::<Value>(&twelfth).expect("JSON"), line);
    // The shares in the report are those of the games in the file.
    let wins = games.lines().filter(|line| {
        let line: Value = serde_json::from_str(line).expect("JSON");
        let winner = line["result"]["winners"][0].as_u64().expect("a winner") as usize;
        line["names"][winner] == "me"
    });
    let share = wins.count() as f64 / 36.0;
    assert!((report["sides"][0]["wins"]["mean"].as_f64().expect("a share") - share).abs() < 1e-9);
    let halves = [path("1.jsonl.gz"), path("2.jsonl.gz")];
    for (part, half) in ["1/2", "2/2"].iter().zip(&halves) {
        printed(&[&arena[..], &["--part", part, "--records", half]].concat());
    }
    let both = halves.map(|half| fs::read(half).expect("a file")).concat();
    fs::write(&packed, both).expect("a file");
    assert_eq!(printed(&["verify", &packed]), verified, "compressed parts can be laid end to end");
    let refused = |args: &[&str], words: &str| {
        let output = run(args);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    };
    refused(&["replay", &plain], "as in FILE#1");
    refused(&["replay", &format!("{plain}#37")], "there is no game 37: the file has 36");
    fs::write(&plain, games.replacen("\"seat\":0", "\"seat\":2", 40)).expect("a file");
    refused(&["verify", &plain], ", game ");
}
