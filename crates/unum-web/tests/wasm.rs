//! The compiled module next to the same code in this process: the same questions, at the same times and with the same random
//! bytes, have the same answers.
//!
//! The build of `unum-page` compiles the module. `cargo xtask module` plays 10,000 rounds here, and measures.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use unum_rules::playout::Casual;
use unum_rules::record::{Recorder, Setup};
use unum_rules::{Chance as _, CustomCard, Edition, House, RulesSpec, Scoring, Seeded, Stacking};
use unum_web::Module;

/// The module in Node, and the same code here.
struct Both {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    native: Module,
    rng: Seeded,
}

impl Both {
    /// `None` where there is no Node or no module, which is said aloud, and on CI is a failure.
    fn start() -> Option<Both> {
        let node = Command::new("node").arg("--version").output().is_ok();
        let module = module();
        if !node || !module.exists() {
            let ci = std::env::var_os("CI").is_some_and(|value| value == "true");
            let required = ci || std::env::var_os("UNUM_WASM_ROUNDS").is_some();
            assert!(!required, "there is no Node, or {} was not built: `cargo build -p unum-page`", module.display());
            eprintln!("SKIPPED: there is no Node here, or the module was not built");
            return None;
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wasm.mjs");
        let mut node = Command::new("node");
        node.arg(script).arg(module).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = node.spawn().unwrap();
        let (input, output) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
        Some(Both { child, input, output, native: Module::default(), rng: Seeded::new(1) })
    }

    fn exchange(&mut self, line: &Value) -> String {
        writeln!(self.input, "{line}").unwrap();
        let mut answer = String::new();
        self.output.read_line(&mut answer).unwrap();
        answer.trim_end().to_owned()
    }

    /// Asks both, and compares.
    fn ask(&mut self, now: f64, question: &str) -> Value {
        let random: [u8; 32] = std::array::from_fn(|_| self.rng.below(256) as u8);
        let native = self.native.answer(question, now, random);
        let hex: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let there = self.exchange(&json!({ "now": now, "random": hex, "ask": question }));
        assert!(native == there, "{question}\nhere:  {native}\nthere: {there}");
        serde_json::from_str(&native).unwrap()
    }
}

impl Drop for Both {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where the build of `unum-page` leaves it.
fn module() -> PathBuf {
    let beside = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("module");
    beside.join("wasm32-unknown-unknown/module/unum_web.wasm")
}

fn rounds() -> u64 {
    std::env::var("UNUM_WASM_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(200)
}

/// Any rules that can be played.
fn any_rules(edition: Edition, rng: &mut Seeded) -> RulesSpec {
    let mut one_in = |count: u32| rng.below(count) == 0;
    let mut house = House {
        reverse_skips_with_two: one_in(2),
        seven_zero: one_in(3),
        jump_in: one_in(3),
        draw_to_match: one_in(3),
        force_play: one_in(3),
        no_bluffing: one_in(4),
        ..House::default()
    };
    house.no_challenges = !house.no_bluffing && one_in(4);
    house.stacking = [Stacking::Off, Stacking::Same, Stacking::Any][rng.below(3) as usize];
    house.hand_size = (rng.below(3) == 0).then(|| 1 + rng.below(7) as u8);
    house.uno_penalty = (rng.below(3) == 0).then(|| rng.below(8) as u8);
    let mut rules = RulesSpec { house, scoring: Some(Scoring::SingleRound), ..RulesSpec::of(edition) };
    if edition == Edition::Custom {
        let any_card = |_| match rng.below(11) as u8 {
            0 => CustomCard::Plain,
            starter => CustomCard::Starter(starter),
        };
        rules.custom_cards = Some((0..3).map(any_card).collect());
    }
    rules
}

#[test]
fn the_same_seeds_and_actions_give_the_same_states() {
    let Some(mut both) = Both::start() else { return };
    let mut played = 0;
    for number in 0.. {
        if played >= rounds() {
            break;
        }
        let mut rng = Seeded::new(number);
        let edition = Edition::ALL[number as usize % Edition::ALL.len()];
        let (rules, players) = (any_rules(edition, &mut rng), 2 + rng.below(9) as u8);
        // Some rules cannot be played, or not by so many.
        let Ok(mut recorder) = Recorder::start(Setup::new(rules, players, number), &mut ()) else { continue };
        while !recorder.game().round().is_over() && recorder.len() < 1_000 {
            let (seat, action) = Casual.choose(recorder.game().round(), recorder.game().rules(), &mut rng);
            recorder.apply(seat, &action, &mut ()).unwrap();
        }
        let record = recorder.into_record();
        // The checks of a record are a chain over its setup, moves and states; it ends in a digest of the last state.
        let verified = both.ask(0.0, &json!({ "verify": { "record": record.to_json() } }).to_string());
        assert_eq!(verified["answer"]["final"], record.final_state.to_string(), "round {number}");
        if number % 50 == 0 {
            both.ask(0.0, &json!({ "replay": { "record": record.to_json(), "seat": null, "from": 0 } }).to_string());
        }
        played += 1;
    }
    eprintln!("{played} rounds are the same");
}

#[test]
fn a_table_says_the_same_word_for_word() {
    let Some(mut both) = Both::start() else { return };
    let mut now = 1_700_000_000_000.0;
    let settings = json!({ "rules": { "edition": "fairies", "scoring": { "type": "single_round" } }, "seats": 3, "pace": "instant" });
    let mut step = both.ask(now, &json!({ "open": { "settings": settings } }).to_string())["answer"].take();
    let hello = json!({ "hello": { "version": unum_protocol::VERSION, "table": step["code"] } }).to_string();
    let mut questions = vec![json!({ "arrive": { "hello": hello, "name": "Ann", "look": {} } })];
    let requests = [
        json!({ "type": "add_bot", "level": "normal" }),
        json!({ "type": "add_bot", "level": "hard" }),
        json!({ "type": "start" }),
    ];
    let send =
        |id: u32, request: &Value| json!({ "send": { "text": json!({ "id": id, "request": request }).to_string() } });
    questions.extend((1..).zip(&requests).map(|(id, request)| send(id, request)));
    questions.reverse();
    let mut dealt = false;
    for _ in 0..20_000 {
        if !dealt && step["told"].to_string().contains("\\\"type\\\":\\\"dealt\\\"") {
            dealt = true;
            questions.push(send(9, &json!({ "type": "autopilot", "on": true })));
        }
        if step["batch"]["finished"].as_array().is_some_and(|finished| !finished.is_empty()) {
            return;
        }
        let question = if step.get("batch").is_some() {
            json!({ "stored": {} })
        } else if let Some(question) = questions.pop() {
            question
        } else {
            now = step["wake"].as_f64().unwrap_or(now).max(now);
            json!({ "tick": {} })
        };
        step = both.ask(now, &question.to_string())["answer"].take();
        assert!(step.is_object(), "{question}");
    }
    panic!("the match does not end");
}

#[test]
fn the_module_is_small() {
    if Both::start().is_none() {
        return;
    }
    // At this quality it takes a moment; as the page is served, it is a ninth smaller.
    let script = "const z = require('zlib'), m = require('fs').readFileSync(process.argv[1]); \
        console.log(z.brotliCompressSync(m, { params: { [z.constants.BROTLI_PARAM_QUALITY]: 9 } }).length)";
    let output = Command::new("node").arg("-e").arg(script).arg(module()).output().unwrap();
    let size: usize = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
    eprintln!("{size} bytes");
    // As served it has at most 350 KiB.
    assert!(size <= 392 << 10, "{size} bytes");
}

/// Said, not judged: `cargo xtask module` shows it, with optimized code on both sides.
#[test]
fn the_module_plays_next_to_native_code() {
    let Some(mut both) = Both::start() else { return };
    let measured = std::env::var_os("UNUM_WASM_ROUNDS").is_some();
    let (rounds, times) = if measured { (2_000, 9) } else { (50, 1) };
    for edition in Edition::ALL {
        let question = json!({ "bench": { "edition": edition.id(), "players": 4, "rounds": rounds } }).to_string();
        let (mut here, mut there) = (Vec::new(), Vec::new());
        // Alternately, so that a busy machine is busy for both.
        for _ in 0..times {
            let begin = Instant::now();
            both.native.answer(&question, 0.0, [0; 32]);
            here.push(begin.elapsed().as_secs_f64());
            let line = json!({ "now": 0, "random": "00".repeat(32), "ask": question, "times": 1 });
            there.push(both.exchange(&line).parse::<f64>().unwrap() / 1_000.0);
        }
        let median = |times: &mut Vec<f64>| {
            times.sort_by(f64::total_cmp);
            f64::from(rounds) / times[times.len() / 2]
        };
        let (here, there) = (median(&mut here), median(&mut there));
        eprintln!("{edition:<9} {here:>9.0} rounds/s native, {there:>9.0} in Node: {:.2}", there / here);
    }
}
