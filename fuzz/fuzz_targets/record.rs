//! Anything as the record of a game, as text or as JSON.
//!
//! What can be read survives being written in both forms, and either replays to a sound match or says why not.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unum_fuzz::check;
use unum_rules::record::Record;

fuzz_target!(|data: &str| {
    let read = [Record::from_text(data), Record::from_json(data)];
    read.iter().flatten().for_each(inspect);
});

fn inspect(record: &Record) {
    let text = Record::from_text(&record.to_text()).expect("a record written as text can be read");
    assert_eq!(&text, record);
    let json = Record::from_json(&record.to_json()).expect("a record written as JSON can be read");
    assert_eq!(&json, record);
    if let Ok(game) = record.replay() {
        check(&game);
    }
}
