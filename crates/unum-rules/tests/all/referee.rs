//! The referee against requests that are not what they should be.

use serde_json::Value;
use unum_rules::referee::Referee;
use unum_rules::{Chance, Seeded};

const NEW: &str = r#"{"op":"new","rules":{"edition":"original"},"players":3,"seed":7}"#;
const STATE: &str = r#"{"op":"state"}"#;

/// Things that are not numbers, or numbers of the wrong kind.
const NO_COUNTS: &[&str] =
    &["-1", "2.5", "1e400", "-1e400", "1e2", "99999999999999999999", "\"3\"", "true", "[]", "{}"];

fn refereeing() -> Referee {
    let mut referee = Referee::default();
    let reply = referee.answer(NEW.as_bytes());
    assert!(reply.starts_with(r#"{"ok":true"#), "{reply}");
    referee
}

/// Sends a line that has to be refused with one of the codes, and checks that nothing came of it.
fn refuse(referee: &mut Referee, line: impl AsRef<[u8]>, codes: &[&str]) {
    let line = line.as_ref();
    let shown = String::from_utf8_lossy(&line[..line.len().min(200)]).into_owned();
    let before = referee.answer(STATE.as_bytes());
    let code = refusal(&referee.answer(line)).unwrap_or_else(|reply| panic!("{shown}\n {reply}"));
    assert!(codes.contains(&code.as_str()), "{shown}\n refused as {code}, not {codes:?}");
    assert_eq!(referee.answer(STATE.as_bytes()), before, "{shown}\n changed something");
}

/// The code of a refusal; anything else comes back as it is.
fn refusal(reply: &str) -> Result<String, String> {
    assert!(!reply.contains('\n'), "not one line: {reply}");
    let parsed: Value = serde_json::from_str(reply).unwrap_or_else(|error| panic!("{reply}: {error}"));
    match (&parsed["ok"], &parsed["error"]["code"], &parsed["error"]["message"]) {
        (Value::Bool(false), Value::String(code), Value::String(message)) if !message.is_empty() => Ok(code.clone()),
        _ => Err(reply.to_owned()),
    }
}

/// Refuses each line with its code, one referee for all.
fn refuse_all(lines: &[(&str, &str)]) {
    let mut referee = refereeing();
    for (line, code) in lines {
        refuse(&mut referee, line, &[code]);
    }
    let legal = referee.answer(br#"{"op":"legal"}"#);
    assert!(legal.starts_with(r#"{"ok":true,"legal":[{"#), "{legal}");
}

/// Sends a line that has to be accepted.
fn accept(line: &str) {
    let reply = refereeing().answer(line.as_bytes());
    assert!(reply.starts_with(r#"{"ok":true"#), "{line}\n {reply}");
}

#[test]
fn what_is_not_json_is_a_bad_request() {
    let lines =
        ["", " ", "state", "{", "}", "{]", "nul", "'op'", "{\"op\"}", "{\"op\":}", "{op:\"state\"}", "\"", "\\"];
    let more = [r#"{"op":"state",}"#, r#"{"op":"state"} {"op":"state"}"#, r#"{"op":"state"} // now"#, "\u{feff}{}"];
    let mut referee = refereeing();
    for line in lines.iter().chain(&more) {
        refuse(&mut referee, line, &["bad_request"]);
    }
}

#[test]
fn json_that_is_no_request_is_a_bad_request() {
    let lines = ["null", "true", "7", "[]", "{}", "\"state\"", "[{\"op\":\"state\"}]", r#"{"OP":"state"}"#];
    let more = [r#"{"op":null}"#, r#"{"op":1}"#, r#"{"op":["state"]}"#, r#"{"op":"State"}"#, r#"{"op":"quit"}"#];
    let mut referee = refereeing();
    for line in lines.iter().chain(&more) {
        refuse(&mut referee, line, &["bad_request"]);
    }
}

#[test]
fn bytes_that_are_no_text_are_a_bad_request() {
    let lines: [&[u8]; 9] = [
        b"\xff",
        b"\0",
        b"\0{\"op\":\"state\"}",
        b"{\"op\":\"state\"}\0",
        b"{\"op\":\"st\xffate\"}",
        b"{\"op\":\"state\0\"}",
        b"\xef\xbb{\"op\":\"state\"}",
        b"{\"op\":\"act\",\"seat\":1,\"action\":{\"type\":\"dr\xc3aw\"}}",
        b"{\"op\":\"act\",\"seat\":1,\"action\":{\"type\":\"play\",\"card\":\"W\",\"color\":\"r\xffd\"}}",
    ];
    let mut referee = refereeing();
    for line in lines {
        refuse(&mut referee, line, &["bad_request"]);
    }
    refuse(
        &mut referee,
        b"{\"op\":\"new\",\"rules\":{\"edition\":\"\xff\"},\"players\":3}",
        &["bad_request", "bad_rules"],
    );
}

#[test]
fn escaped_nul_bytes_name_nothing() {
    refuse_all(&[
        (r#"{"op":"state\u0000"}"#, "bad_request"),
        (r#"{"op":"act","seat":0,"action":{"type":"play","card":"R7\u0000"}}"#, "bad_request"),
        (r#"{"op":"new","rules":{"edition":"original\u0000"},"players":3}"#, "bad_rules"),
        (r#"{"op":"set","rules":{"edition":"original"},"position":{"top":"\u0000"}}"#, "bad_position"),
    ]);
}

#[test]
fn nothing_can_be_asked_before_a_match_begins() {
    let mut referee = Referee::default();
    for line in [
        r#"{"op":"act","seat":0,"action":{"type":"draw"}}"#,
        r#"{"op":"act","seat":99,"action":{"type":"draw"}}"#,
        r#"{"op":"penalize","seat":0}"#,
        r#"{"op":"next_round"}"#,
        r#"{"op":"legal"}"#,
        r#"{"op":"view","seat":0}"#,
        r#"{"op":"view","seat":null}"#,
        r#"{"op":"line"}"#,
        STATE,
    ] {
        refuse(&mut referee, line, &["bad_request"]);
    }
    assert!(referee.game().is_none());
    assert!(referee.answer(NEW.as_bytes()).starts_with(r#"{"ok":true"#));
}

#[test]
fn a_match_that_cannot_begin_leaves_the_old_one_alone() {
    refuse_all(&[
        (r#"{"op":"new","rules":{"edition":"original"},"players":1}"#, "bad_request"),
        (r#"{"op":"new","rules":{"edition":"original"},"players":11}"#, "bad_request"),
        (r#"{"op":"new","rules":{"edition":"original"},"players":18446744073709551615}"#, "bad_request"),
        (r#"{"op":"new","rules":{"edition":"original"},"players":3,"dealer":3}"#, "bad_seat"),
        (r#"{"op":"new","rules":{"edition":"original","house":{"hand_size":20}},"players":10}"#, "bad_rules"),
        (r#"{"op":"new","rules":{"edition":"classic"},"players":3}"#, "bad_rules"),
        (r#"{"op":"set","rules":{"edition":"original"},"position":{"top":"R7","hands":[["B1"]]}}"#, "bad_position"),
        (r#"{"op":"set","rules":{"edition":"original"},"position":{}}"#, "bad_position"),
    ]);
}

#[test]
fn a_position_may_be_a_line() {
    let mut referee = Referee::default();
    let rules = r#""rules":{"edition":"original"}"#;
    let set = |position: &str| format!(r#"{{"op":"set",{rules},"position":{position}}}"#);
    let by_line = referee.answer(set(r#""B1/R3W R7 Y3 turn:0""#).as_bytes());
    assert_eq!(referee.answer(br#"{"op":"line"}"#), r#"{"ok":true,"line":"B1/R3W R7 Y3 turn:0"}"#);
    let json = r#"{"top":"R7","hands":[["B1"],["W","R3"]],"draw_pile":["Y3"],"phase":{"type":"turn","seat":0}}"#;
    assert_eq!(by_line, Referee::default().answer(set(json).as_bytes()));
    for spoiled in [r#""B1/R3W""#, r#""B1/R3W X7""#, r#""B1/R3W P7""#, r#""R7/R7 R7 R7""#, r#""""#] {
        refuse(&mut referee, set(spoiled), &["bad_position"]);
    }
}

#[test]
fn every_request_needs_its_fields() {
    for line in [
        r#"{"op":"new"}"#,
        r#"{"op":"new","players":3}"#,
        r#"{"op":"new","rules":{"edition":"original"}}"#,
        r#"{"op":"set","rules":{"edition":"original"}}"#,
        r#"{"op":"set","position":{"top":"R7","hands":[["B1"],["B2"]]}}"#,
        r#"{"op":"act"}"#,
        r#"{"op":"act","seat":0}"#,
        r#"{"op":"act","action":{"type":"draw"}}"#,
        r#"{"op":"act","seat":null,"action":{"type":"draw"}}"#,
        r#"{"op":"penalize"}"#,
        r#"{"op":"penalize","seat":null}"#,
        r#"{"op":"view"}"#,
    ] {
        refuse_all(&[(line, "bad_request")]);
    }
}

/// Every field of the protocol with a value it may have, and the requests it belongs to.
const FIELDS: &[(&str, &str, &[&str])] = &[
    ("rules", r#"{"edition":"original"}"#, &["new", "set"]),
    ("players", "3", &["new"]),
    ("seed", "7", &["new", "set"]),
    ("dealer", "0", &["new"]),
    ("position", r#"{"top":"R7","hands":[["B1"],["B2"]]}"#, &["set"]),
    ("seat", "0", &["act", "penalize", "view"]),
    ("action", r#"{"type":"draw"}"#, &["act"]),
];

#[test]
fn fields_of_other_requests_are_refused() {
    let mut referee = refereeing();
    for op in ["new", "set", "act", "penalize", "next_round", "legal", "view", "state", "line"] {
        let own: String = fields_of(op, true).map(|(name, value)| format!(r#","{name}":{value}"#)).collect();
        for (name, value) in fields_of(op, false).chain([("unknown", "1"), ("Seat", "0"), ("", "null")]) {
            refuse(&mut referee, format!(r#"{{"op":"{op}"{own},"{name}":{value}}}"#), &["bad_request"]);
        }
    }
}

fn fields_of(op: &str, own: bool) -> impl Iterator<Item = (&'static str, &'static str)> {
    let fields = FIELDS.iter().filter(move |(_, _, ops)| ops.contains(&op) == own);
    fields.map(|(name, value, _)| (*name, *value))
}

#[test]
fn fields_given_twice_are_refused() {
    refuse_all(&[
        (r#"{"op":"state","op":"state"}"#, "bad_request"),
        (r#"{"op":"view","seat":0,"seat":0}"#, "bad_request"),
        (r#"{"op":"act","seat":0,"action":{"type":"draw"},"action":{"type":"draw"}}"#, "bad_request"),
        (r#"{"op":"act","seat":0,"action":{"type":"draw","type":"draw"}}"#, "bad_request"),
        (r#"{"op":"act","seat":0,"action":{"type":"play","card":"R7","card":"R7"}}"#, "bad_request"),
        (r#"{"op":"new","rules":{"edition":"original","edition":"modern"},"players":3}"#, "bad_rules"),
        (
            r#"{"op":"new","rules":{"edition":"original","house":{"jump_in":true,"jump_in":true}},"players":3}"#,
            "bad_rules",
        ),
        (
            r#"{"op":"new","rules":{"edition":"original","scoring":{"type":"first_to","target":5,"target":5}},"players":3}"#,
            "bad_rules",
        ),
        (
            r#"{"op":"set","rules":{"edition":"original"},"position":{"top":"R7","top":"R7","hands":[["B1"],["B2"]]}}"#,
            "bad_position",
        ),
        (
            r#"{"op":"set","rules":{"edition":"original"},"position":{"top":"R7","hands":[["B1"],["B2"]],"phase":{"type":"turn","seat":0,"seat":1}}}"#,
            "bad_position",
        ),
    ]);
}

#[test]
fn unknown_fields_in_rules_are_refused() {
    for rules in [
        r#"{"edition":"original","x":1}"#,
        r#"{"edition":"original","house":{"x":1}}"#,
        r#"{"edition":"original","scoring":{"type":"first_to","target":500,"x":1}}"#,
        r#"{"edition":"original","scoring":{"type":"single_round","target":500}}"#,
        r#"{"edition":"custom","custom_cards":[{"title":"t","x":1}]}"#,
        r#"{"edition":"custom","custom_cards":[{"title":"t","effects":[{"do":"skip","x":1}]}]}"#,
        r#"{"edition":"custom","custom_cards":[{"title":"t","effects":[{"do":"skip","who":"next"}]}]}"#,
        r#"{"edition":"custom","custom_cards":[{"title":"t","effects":[{"do":"draw","who":"next","count":1,"to":1}]}]}"#,
        r#"{"edition":"custom","custom_cards":[{"title":"t","effects":[{"do":"dare","who":"next","prompt":"p","refuse":[{"do":"reverse","x":1}]}]}]}"#,
    ] {
        refuse_all(&[(&format!(r#"{{"op":"new","rules":{rules},"players":3}}"#), "bad_rules")]);
    }
}

#[test]
fn scores_at_the_target_are_refused_before_the_match_is_over() {
    let set = |scoring: &str, rest: &str| {
        let rules = format!(r#"{{"edition":"original","scoring":{scoring}}}"#);
        format!(r#"{{"op":"set","rules":{rules},"position":{{"top":"R7",{rest}}}}}"#)
    };
    let over = |phase: &str, winner: &str| {
        format!(
            r#""hands":[[],["B2"]],"scores":[600,0],"phase":{{"type":"{phase}"}},"result":{{"winner":0,"points":[2,0]}}{winner}"#
        )
    };
    let turn = |scores: &str| format!(r#""hands":[["B1"],["B2"]],"scores":{scores}"#);
    for scoring in [r#"{"type":"first_to","target":500}"#, r#"{"type":"lowest_at","target":500}"#] {
        refuse_all(&[
            (&set(scoring, &turn("[600,0]")), "bad_position"),
            (&set(scoring, &turn("[0,500]")), "bad_position"),
            (&set(scoring, &over("round_over", "")), "bad_position"),
        ]);
        accept(&set(scoring, &turn("[499,0]")));
        accept(&set(scoring, &over("match_over", r#","winners":[0]"#)));
    }
    accept(&set(r#"{"type":"single_round"}"#, &turn("[600,0]")));
}

#[test]
fn unknown_fields_in_positions_are_refused() {
    for field in [
        r#""x":1"#,
        r#""seed":7"#,
        r#""hand_sizes":[1,1]"#,
        r#""phase":{"type":"turn","seat":0,"x":1}"#,
        r#""phase":{"type":"turn","seat":0,"cards":["B1"]}"#,
        r#""draw_more":[{"seat":0,"count":2,"x":1}]"#,
        r#""face_up":[{"seat":0,"until":1,"x":1}]"#,
        r#""banners":[{"seat":0,"text":"t","until":"uno","x":1}]"#,
        r#""phase":{"type":"round_over"},"result":{"winner":0,"points":[0,0],"x":1}"#,
    ] {
        let position = format!(r#"{{"top":"R7","hands":[["B1"],["B2"]],{field}}}"#);
        let line = format!(r#"{{"op":"set","rules":{{"edition":"original"}},"position":{position}}}"#);
        refuse_all(&[(&line, "bad_position")]);
    }
}

#[test]
fn unknown_fields_in_actions_are_refused() {
    for action in [
        r#"{"type":"play","card":"R7","x":1}"#,
        r#"{"type":"draw","x":1}"#,
        r#"{"type":"draw","uno":true}"#,
        r#"{"type":"keep","card":"R7"}"#,
        r#"{"type":"call_color","color":"red","uno":true}"#,
        r#"{"type":"take","cards":2}"#,
        r#"{"type":"challenge","seat":0}"#,
        r#"{"type":"block","color":"red","card":"WF"}"#,
        r#"{"type":"call_uno","uno":true}"#,
        r#"{"type":"catch","seat":2,"x":1}"#,
        r#"{"type":"discard","cards":["R7"],"color":"red"}"#,
        r#"{"type":"vote","yes":true,"x":1}"#,
        r#"{"type":"dare","accept":true,"x":1}"#,
    ] {
        refuse_all(&[(&format!(r#"{{"op":"act","seat":0,"action":{action}}}"#), "bad_request")]);
    }
}

#[test]
fn actions_of_the_wrong_shape_are_refused() {
    for action in [
        "null",
        "7",
        "\"draw\"",
        "[]",
        "{}",
        r#"{"type":"pass"}"#,
        r#"{"type":null}"#,
        r#"{"type":"play"}"#,
        r#"{"type":"play","card":7}"#,
        r#"{"type":"play","card":null}"#,
        r#"{"type":"play","card":"R10"}"#,
        r#"{"type":"play","card":"r7"}"#,
        r#"{"type":"play","card":"R7","uno":"yes"}"#,
        r#"{"type":"play","card":"R7","uno":1}"#,
        r#"{"type":"play","card":"W","color":7}"#,
        r#"{"type":"play","card":"WO","color":"red","discard":"R7"}"#,
        r#"{"type":"catch"}"#,
        r#"{"type":"discard"}"#,
        r#"{"type":"discard","cards":["R10"]}"#,
        r#"{"type":"vote"}"#,
        r#"{"type":"vote","yes":"yes"}"#,
        r#"{"type":"dare","accept":null}"#,
    ] {
        refuse_all(&[(&format!(r#"{{"op":"act","seat":0,"action":{action}}}"#), "bad_request")]);
    }
}

#[test]
fn numbers_that_are_no_counts_are_refused() {
    let position = r#"{"op":"set","rules":{"edition":"original"},"position":{"top":"R7","hands":[["B1"],["B2"]],"#;
    let mut referee = refereeing();
    for (template, code) in [
        (r#"{"op":"new","rules":{"edition":"original"},"players":N}"#, "bad_request"),
        (r#"{"op":"new","rules":{"edition":"original"},"players":3,"seed":N}"#, "bad_request"),
        (r#"{"op":"new","rules":{"edition":"original"},"players":3,"dealer":N}"#, "bad_request"),
        (r#"{"op":"new","rules":{"edition":"original","house":{"hand_size":N}},"players":3}"#, "bad_rules"),
        (r#"{"op":"new","rules":{"edition":"original","house":{"uno_penalty":N}},"players":3}"#, "bad_rules"),
        (
            r#"{"op":"new","rules":{"edition":"original","scoring":{"type":"first_to","target":N}},"players":3}"#,
            "bad_rules",
        ),
        (
            r#"{"op":"new","rules":{"edition":"custom","custom_cards":[{"title":"t","effects":[{"do":"level","who":"all","to":N}]}]},"players":3}"#,
            "bad_rules",
        ),
        (r#"{"op":"act","seat":N,"action":{"type":"draw"}}"#, "bad_request"),
        (r#"{"op":"act","seat":0,"action":{"type":"catch","seat":N}}"#, "bad_request"),
        (r#"{"op":"act","seat":0,"action":{"type":"play","card":"R7","swap_with":N}}"#, "bad_request"),
        (r#"{"op":"penalize","seat":N}"#, "bad_request"),
        (r#"{"op":"view","seat":N}"#, "bad_request"),
    ] {
        for number in NO_COUNTS {
            refuse(&mut referee, template.replace('N', number), &[code]);
        }
    }
    for field in ["\"dealer\":N", "\"idle\":N", "\"scores\":[N,0]", "\"liable\":[N]", "\"players\":N"] {
        for number in NO_COUNTS {
            refuse(&mut referee, format!("{position}{}}}}}", field.replace('N', number)), &["bad_position"]);
        }
    }
}

#[test]
fn numbers_out_of_range_are_refused() {
    for number in ["3", "15", "16", "255", "256", "4294967296", "18446744073709551615"] {
        let lines = [
            (r#"{"op":"act","seat":N,"action":{"type":"draw"}}"#, "bad_seat"),
            (r#"{"op":"act","seat":0,"action":{"type":"catch","seat":N}}"#, "bad_seat"),
            (r#"{"op":"penalize","seat":N}"#, "bad_seat"),
            (r#"{"op":"view","seat":N}"#, "bad_seat"),
            (r#"{"op":"new","rules":{"edition":"original"},"players":3,"dealer":N}"#, "bad_seat"),
        ];
        let lines = lines.map(|(line, code)| (line.replace('N', number), code));
        refuse_all(&lines.each_ref().map(|(line, code)| (line.as_str(), *code)));
    }
    for number in ["0", "21", "255", "256", "18446744073709551615"] {
        let rules = format!(r#"{{"edition":"original","house":{{"hand_size":{number}}}}}"#);
        refuse_all(&[(&format!(r#"{{"op":"new","rules":{rules},"players":3}}"#), "bad_rules")]);
    }
}

#[test]
fn deep_nesting_is_refused_and_breaks_nothing() {
    const DEPTH: usize = 100_000;
    let (open, close) = ("[".repeat(DEPTH), "]".repeat(DEPTH));
    let objects = r#"{"op":"#.repeat(DEPTH);
    let perform = r#"{"do":"perform","prompt":"","success":["#.repeat(DEPTH);
    let ends = "]}".repeat(DEPTH);
    let lists = format!("{open}{close}");
    let rule = format!(r#"{{"edition":"custom","custom_cards":[{{"title":"t","effects":[{perform}{ends}]}}]}}"#);
    let mut referee = refereeing();
    for (line, code) in [
        (open.clone(), "bad_request"),
        (lists.clone(), "bad_request"),
        (objects, "bad_request"),
        (format!(r#"{{"op":{lists}}}"#), "bad_request"),
        (format!(r#"{{"op":"act","seat":0,"action":{lists}}}"#), "bad_request"),
        (format!(r#"{{"op":"act","seat":0,"action":{{"type":"discard","cards":{lists}}}}}"#), "bad_request"),
        (format!(r#"{{"op":"new","players":3,"rules":{lists}}}"#), "bad_rules"),
        (format!(r#"{{"op":"new","players":3,"rules":{rule}}}"#), "bad_rules"),
        (format!(r#"{{"op":"set","rules":{{"edition":"original"}},"position":{lists}}}"#), "bad_position"),
        (format!(r#"{{"op":"set","rules":{{"edition":"original"}},"position":{{"hands":{lists}}}}}"#), "bad_position"),
    ] {
        refuse(&mut referee, line, &[code]);
    }
}

#[test]
fn long_texts_are_refused_with_short_answers() {
    let long = "x".repeat(500_000);
    let mut referee = refereeing();
    for (line, code) in [
        (format!(r#"{{"op":"{long}"}}"#), "bad_request"),
        (format!(r#"{{"op":"state","{long}":1}}"#), "bad_request"),
        (format!(r#"{{"op":"act","seat":0,"action":{{"type":"{long}"}}}}"#), "bad_request"),
        (format!(r#"{{"op":"act","seat":0,"action":{{"type":"play","card":"{long}"}}}}"#), "bad_request"),
        (format!(r#"{{"op":"act","seat":0,"action":{{"type":"play","card":"W","color":"{long}"}}}}"#), "no_such_color"),
        (format!(r#"{{"op":"new","players":3,"rules":{{"edition":"{long}"}}}}"#), "bad_rules"),
    ] {
        refuse(&mut referee, &line, &[code]);
        let length = referee.answer(line.as_bytes()).len();
        assert!(length < 2_000, "{}... is answered with {length} bytes", &line[..60]);
    }
}

/// What an object or a word is must not be a list, nor a word an object.
#[test]
fn other_forms_of_objects_and_words_are_refused() {
    let rules = |rules: &str| format!(r#"{{"op":"new","rules":{rules},"players":2}}"#);
    let custom = |effect: &str| {
        rules(&format!(r#"{{"edition":"custom","custom_cards":[{{"title":"x","effects":[{effect}]}}]}}"#))
    };
    let position = |field: &str| {
        format!(
            r#"{{"op":"set","rules":{{"edition":"original"}},"position":{{"top":"R1","hands":[["R2"],["R3"]],{field}}}}}"#
        )
    };
    let mut referee = refereeing();
    for line in [
        rules(r#"["original"]"#),
        rules(r#"{"edition":"original","house":[true,"any"]}"#),
        rules(r#"{"edition":"original","scoring":["first_to",300]}"#),
        rules(r#"{"edition":"original","scoring":{"type":{"first_to":null}}}"#),
        rules(r#"{"edition":{"original":null}}"#),
        rules(r#"{"edition":"original","house":{"stacking":{"any":null}}}"#),
        custom(r#"["draw","next",3]"#),
        custom(r#"{"do":"draw","who":{"next":null},"count":3}"#),
        custom(r#"{"do":"draw_until_color","who":"next","color":{"red":null}}"#),
        custom(r#"{"do":"draw_more","who":{"next":null},"count":3}"#),
        custom(r#"{"do":"discard_all","who":"next","match":{"wild":null}}"#),
        custom(r#"{"do":"banner","who":"next","text":"a","until":{"uno":null}}"#),
        position(r#""phase":["turn",0]"#),
        position(r#""banners":[[1,"x","uno",null]]"#),
        position(r#""banners":[{"seat":1,"text":"x","until":{"uno":null}}]"#),
        position(r#""draw_more":[[1,3]]"#),
        position(r#""face_up":[[1,0]]"#),
        position(r#""result":[1,[0,0]]"#),
        position(r#""direction":{"left":null}"#),
        r#"{"op":{"new":null},"rules":{"edition":"original"},"players":2}"#.to_owned(),
        r#"["state"]"#.to_owned(),
        r#"{"op":"act","seat":1,"action":["draw"]}"#.to_owned(),
    ] {
        refuse(&mut referee, &line, &["bad_rules", "bad_position", "bad_request"]);
    }
}

/// The sentence and the rule of a refusal, after a position was set.
fn told(rules: &str, position: &str, action: &str) -> (String, String) {
    let mut referee = Referee::default();
    let set = referee.answer(format!(r#"{{"op":"set","rules":{rules},"position":{position}}}"#).as_bytes());
    assert!(set.starts_with(r#"{"ok":true"#), "{set}");
    let reply = referee.answer(format!(r#"{{"op":"act","seat":1,"action":{action}}}"#).as_bytes());
    let reply: Value = serde_json::from_str(&reply).unwrap();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    (text(&reply["error"]["message"]), text(&reply["error"]["rule"]))
}

#[test]
fn a_refusal_says_what_would_be_right() {
    let fairies = r#"{"edition":"fairies"}"#;
    let stacking = r#"{"edition":"fairies","house":{"stacking":"same"}}"#;
    let attacked = r#"{"top":"R+2","hands":[["B1"],["WF","G1"]],"phase":{"type":"respond","seat":1,"by":0}}"#;
    let plain = r#"{"edition":"original"}"#;
    let turn = r#"{"top":"R5","hands":[["B1"],["G1","B2"]]}"#;
    for (rules, position, action, words, rule) in [
        (
            r#"{"edition":"modern","house":{"no_bluffing":true}}"#,
            r#"{"top":"R5","hands":[["B1"],["W+4","W","G1"]]}"#,
            r#"{"type":"play","card":"W+4","color":"red"}"#,
            "another wild counts as one",
            "no_bluffing",
        ),
        (
            r#"{"edition":"modern","house":{"no_bluffing":true}}"#,
            r#"{"top":"R5","hands":[["B1"],["W+4","R1","G1"]]}"#,
            r#"{"type":"play","card":"W+4","color":"red"}"#,
            "there is one for red",
            "no_bluffing",
        ),
        (fairies, attacked, r#"{"type":"play","card":"WF","color":"red"}"#, "send `block`", "F1"),
        (stacking, attacked, r#"{"type":"play","card":"WF","color":"red"}"#, "send `block`", "F1"),
        (
            plain,
            r#"{"top":"W","color":"green","hands":[["B1"],["B2","R1"]]}"#,
            r#"{"type":"play","card":"B2"}"#,
            "B2 does not match W: play green or a wild",
            "T1",
        ),
        (plain, turn, r#"{"type":"play","card":"B2"}"#, "the same number or symbol", "T1"),
        (plain, turn, r#"{"type":"catch","seat":1}"#, "seat 1 owes no \"UNO\"", "U5"),
        (plain, turn, r#"{"type":"challenge"}"#, "it is your turn", "W4"),
        (
            r#"{"edition":"custom"}"#,
            r#"{"top":"WH","hands":[["B1"],["B2","R1"]],"phase":{"type":"call_color","seat":1,"next":0}}"#,
            r#"{"type":"draw"}"#,
            "a color has to be called first",
            "H2",
        ),
        (
            plain,
            r#"{"top":"W","hands":[["B1"],["B2","R1"]],"phase":{"type":"call_color","seat":1}}"#,
            r#"{"type":"draw"}"#,
            "a color has to be called first",
            "S5",
        ),
    ] {
        let (message, named) = told(rules, position, action);
        assert!(message.contains(words), "{action}: {message}");
        assert_eq!(named, rule, "{action}: {message}");
    }
}

#[test]
fn what_cannot_be_read_is_told_in_the_words_of_the_documentation() {
    let mut referee = refereeing();
    for (line, words) in [
        ("", "an empty line"),
        ("  ", "an empty line"),
        (
            r#"{"op":"new","players":2,"rules":{"edition":"original","house":{"stacking":true}}}"#,
            "`off`, `same`, `any`",
        ),
        (r#"{"op":"new","players":"2","rules":{"edition":"original"}}"#, "a whole number"),
        (r#"{"op":"new","players":2,"rules":"original"}"#, "an object with named fields"),
        (r#"{"op":"new","players":2,"rules":{"edition":7}}"#, "`original`"),
        (r#"{"op":"act","seat":1,"action":{"type":7}}"#, "a word"),
        ("7", "an object with named fields"),
    ] {
        let reply: Value = serde_json::from_str(&referee.answer(line.as_bytes())).unwrap();
        let message = reply["error"]["message"].as_str().unwrap();
        assert!(message.contains(words), "{line}: {message}");
        for technical in ["struct", "enum", "variant", "u64", "u8", "column"] {
            assert!(!message.contains(technical), "{line}: {message}");
        }
    }
}

/// Requests that are all right, to be spoiled.
const REQUESTS: &[&str] = &[
    NEW,
    STATE,
    r#"{"op":"legal"}"#,
    r#"{"op":"view","seat":1}"#,
    r#"{"op":"next_round"}"#,
    r#"{"op":"penalize","seat":1}"#,
    r#"{"op":"act","seat":1,"action":{"type":"draw"}}"#,
    r#"{"op":"act","seat":1,"action":{"type":"play","card":"W+4","color":"red","uno":true}}"#,
    r#"{"op":"act","seat":0,"action":{"type":"play","card":"WO","color":"pink","discard":["P3","PS"]}}"#,
    r#"{"op":"new","rules":{"edition":"custom","house":{"stacking":"any"},"custom_cards":[8,null,{"title":"t","effects":[{"do":"draw","who":"all","count":3}]}]},"players":4,"dealer":2}"#,
    r#"{"op":"set","rules":{"edition":"original"},"position":{"dealer":1,"direction":"right","phase":{"type":"respond","seat":1,"by":0,"cards":4,"bluff":true},"top":"W+4","color":"red","hands":[["B1"],["R7","W"],["G0"]],"draw_pile":["Y3","B+2"],"discard_pile":["B7","W+4"],"liable":[0],"scores":[1,2,3]},"seed":7}"#,
];

#[test]
fn spoiled_requests_are_answered_and_change_nothing_when_refused() {
    let mut rng = Seeded::new(1);
    let mut referee = refereeing();
    for _ in 0..20_000 {
        let line = spoiled(REQUESTS[rng.below(REQUESTS.len() as u32) as usize].as_bytes(), &mut rng);
        let before = referee.answer(STATE.as_bytes());
        if refusal(&referee.answer(&line)).is_ok() {
            assert_eq!(referee.answer(STATE.as_bytes()), before, "{}", String::from_utf8_lossy(&line));
        }
    }
}

/// The line with a few bytes changed, left out, doubled, or moved in from elsewhere.
fn spoiled(line: &[u8], rng: &mut Seeded) -> Vec<u8> {
    let mut line = line.to_vec();
    for _ in 0..=rng.below(3) {
        let (place, other) = (rng.below(line.len() as u32) as usize, rng.below(line.len() as u32) as usize);
        match rng.below(5) {
            0 => line[place] = rng.below(256) as u8,
            1 => line[place] = b"0123456789-.eE\"[]{},:"[rng.below(21) as usize],
            2 => line.insert(place, line[other]),
            3 if line.len() > 1 => drop(line.remove(place)),
            _ => line.swap(place, other),
        }
    }
    line
}
