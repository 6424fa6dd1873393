//! How much memory a table takes.

use allocation_counter::measure;
use unum_protocol::{Level, Request};
use unum_rules::Edition;
use unum_table::Input;

use crate::people::{ADA, BEA, Script, lobby_of, settings};

const MOST: i64 = 16 * 1024;

#[test]
fn an_idle_table_in_a_match_fits_into_sixteen_kib() {
    for edition in Edition::ALL {
        let mut trial = lobby_of(&[ADA, BEA], settings(edition));
        for _ in 0..2 {
            trial.must(ADA, Request::AddBot { level: Level::Hard });
        }
        trial.must(BEA, Request::Accept { agreement: 1 });
        trial.must(BEA, Request::Ready { ready: true, pledge: None });
        trial.must(ADA, Request::Start { pledge: None });
        for _ in 0..30 {
            trial.must(ADA, Request::Chat { text: "字".repeat(300) });
            trial.wait(2_000);
        }
        for guest in [ADA, BEA] {
            trial.input(Input::Gone { guest });
        }
        let mut table = None;
        let memory = measure(|| {
            let mut restored = Box::new(trial.restored(true).unwrap());
            restored.shrink();
            table = Some(restored);
        });
        println!("{edition}: {} bytes", memory.bytes_current);
        assert!(memory.bytes_current <= MOST, "{edition}: {} bytes", memory.bytes_current);
    }
}
