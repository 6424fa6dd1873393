//! `unum review` and `unum analyze`, run as people and programs run them.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

fn unum(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_unum"));
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    // The program may end without reading; the tests look at the answer.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().unwrap()
}

fn printed(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn record(folder: &Path) -> String {
    let made = unum(&["record", "--names", "Ann,Bob,Cy", "--seed", "5"], "");
    let file = folder.join("game.unum");
    fs::write(&file, printed(&made)).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn a_record_is_reviewed_the_same_with_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let file = record(folder.path());
    let review = |threads: &str| {
        printed(&unum(&["review", &file, "--seat", "ann", "--budget", "64", "--json", "--threads", threads], ""))
    };
    let text = review("1");
    assert_eq!(text, review("2"));
    let review: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((review["format"].as_u64(), review["seat"].as_u64()), (Some(1), Some(0)));
    assert_eq!(review["names"][1], "Bob");
    let decisions = review["decisions"].as_array().unwrap();
    assert!(!decisions.is_empty() && decisions.iter().all(|decision| decision["seat"] == 0));
    assert!(decisions[0]["actions"][0]["ahead_error"].is_number());
    let luck = |seat: usize| review["seats"][seat]["luck"].as_f64().unwrap();
    assert!((luck(0) + luck(1) + luck(2)).abs() < 1e-5);
}

#[test]
fn text_and_page_tell_luck_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let file = record(folder.path());
    let page = folder.path().join("review.html");
    let text = printed(&unum(&["review", &file, "--budget", "0", "--html", page.to_str().unwrap()], ""));
    for words in ["Ann", "Luck ", "chances to win", "No decisions were judged.", "without luck", "rest"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains('\x1b'));
    let html = fs::read_to_string(page).unwrap();
    assert!(html.contains("<svg") && html.contains("prefers-color-scheme: dark") && html.contains("unum review"));
    assert!(!html.contains("http") && !html.contains("<script"));
}

#[test]
fn what_cannot_be_reviewed_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let file = record(folder.path());
    let nobody = unum(&["review", &file, "--seat", "Zoe"], "");
    assert_eq!(nobody.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("there is no player \"Zoe\""));
    let nothing = unum(&["review", "-"], "no record");
    assert_eq!(nothing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("standard input"));
}

const POSITION: &str = r#"{"dealer":1,"hands":[["R5","B3","RS","R7"],["G1","G2"]],"top":"R2",
    "draw_pile":["Y1","Y2","Y3","G5","B9","R1","G7","B4","Y6","R9"]}"#;

#[test]
fn a_position_is_analyzed() {
    let text = printed(&unum(&["analyze", "-", "--budget", "200"], POSITION));
    assert!(text.contains("play red 5") && text.contains("can follow"), "{text}");
    let json: Value =
        serde_json::from_str(&printed(&unum(&["analyze", "-", "--budget", "200", "--json"], POSITION))).unwrap();
    let values: Vec<f64> =
        json["actions"].as_array().unwrap().iter().map(|action| action["value"].as_f64().unwrap()).collect();
    assert!(values.len() > 2 && values.is_sorted_by(|a, b| a >= b), "{values:?}");
    let wrong = unum(&["analyze", "-", "--seat", "1"], POSITION);
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("it is seat 0's turn"));
}

#[test]
fn the_referee_analyzes_the_game_at_hand() {
    let requests = "{\"op\":\"analyze\"}\n\
        {\"op\":\"new\",\"rules\":{\"edition\":\"original\"},\"players\":3,\"seed\":7}\n\
        {\"op\":\"analyze\",\"worlds\":100}\n\
        {\"op\":\"analyze\",\"seat\":9}\n\
        {\"op\":\"analyze\",\"worlds\":0}\n\
        {\"op\":\"analyze\",\"who\":1}\n\
        {\"op\":\"state\"}\n";
    let text = printed(&unum(&["referee"], requests));
    let replies: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(replies.len(), 7);
    assert!(replies[2]["analysis"]["hands"].as_array().unwrap().len() == 2, "{}", replies[2]);
    assert!(!replies[2]["analysis"]["actions"].as_array().unwrap().is_empty());
    let codes: Vec<&str> = [0, 3, 4, 5].map(|place| replies[place]["error"]["code"].as_str().unwrap()).into();
    assert_eq!(codes, ["bad_request", "bad_seat", "bad_request", "bad_request"]);
    assert_eq!(replies[6]["ok"], true);
}
