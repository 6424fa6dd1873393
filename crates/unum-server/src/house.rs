//! Housekeeping: deletes expired data and old chat, and gives space back to the disk.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::timeout;
use unum_store::{Change, Doubt, Forgotten, Retention};

use crate::app::App;
use crate::hub::{Opener, Reach};
use crate::mail::Mail;

/// The first run after a start: by then a wrong clock has been set.
const FIRST: Duration = Duration::from_secs(60 * 60);
/// How often it is kept.
const EVERY: Duration = Duration::from_secs(6 * 60 * 60);
/// How many tables are loaded at a time to delete their chat.
const HUSHED_AT_ONCE: u32 = 50;
/// How long to wait before the next ones, so that these have left memory.
const BREATH: Duration = Duration::from_secs(60);

fn days(days: u32) -> Duration {
    Duration::from_secs(u64::from(days) * 24 * 60 * 60)
}

/// Keeps house as long as the server runs.
pub(crate) async fn keep_house(app: Arc<App>) {
    let mut pause = FIRST;
    while timeout(pause, app.stopped()).await.is_err() {
        pause = EVERY;
        forget(&app).await;
        if let Err(error) = app.store(|store| store.moderate(Change::Tidy)).await {
            tracing::warn!(%error, "old reports could not be deleted");
        }
        hush(&app, days(app.config.limits.keep_chat_days), BREATH).await;
        if let Err(error) = app.store(|store| store.shrink()).await {
            tracing::warn!(%error, "the database could not be made smaller");
        }
    }
}

/// Deletes what nobody has touched for long, but no table that is in memory.
async fn forget(app: &Arc<App>) {
    let limits = &app.config.limits;
    let retention = Retention {
        tables: Some(days(limits.keep_tables_days)),
        guests: Some(days(limits.keep_guests_days)),
        records: Some(days(limits.keep_records_days)),
    };
    let hub = Arc::clone(&app.hub);
    match app.store(move |store| store.forget(retention, |code| hub.holds(code))).await {
        Ok(Forgotten { doubt: Some(doubt), .. }) => tell(doubt),
        Ok(Forgotten { tables: 0, guests: 0, records: 0, .. }) => {}
        Ok(Forgotten { tables, guests, records, .. }) => {
            tracing::info!(tables, guests, records, "old tables, guests and records are forgotten");
        }
        Err(error) => tracing::warn!(%error, "old tables could not be deleted"),
    }
}

/// Deletes the chat of tables where nothing was said for that long, a few tables at a time.
async fn hush(app: &Arc<App>, age: Duration, breath: Duration) {
    let mut last = Vec::new();
    loop {
        let tables = app.store(move |store| store.talkative(age, HUSHED_AT_ONCE)).await.unwrap_or_default();
        // The same again: they cannot be loaded, or somebody is there.
        if tables.is_empty() || tables == last {
            return;
        }
        for code in &tables {
            if let Ok(mailbox) = app.hub.find(code, Reach::Anywhere, || Some(Opener::house())) {
                // A table that is gone has nothing left to forget.
                let _ = mailbox.send(Mail::Hush).await;
            }
        }
        last = tables;
        if timeout(breath, app.stopped()).await.is_ok() {
            return;
        }
    }
}

/// Says why nothing is deleted.
fn tell(doubt: Doubt) {
    let why = match doubt {
        Doubt::Behind => "the clock is behind what is stored",
        Doubt::Ahead => "the clock is more than 30 days ahead of what is stored",
        Doubt::Jumped => {
            tracing::info!("nothing is deleted for some hours: the clock was set, or the machine slept");
            return;
        }
    };
    tracing::warn!(why, "nothing is deleted: check the clock; if it is right, restart the server");
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use unum_protocol::{Request, Settings};
    use unum_store::{Piece, Store};
    use unum_table::{Batch, GuestId, Input, Moment, Newcomer, SeededDice, Table};

    use super::*;
    use crate::config::Config;
    use crate::journal::rows;

    /// A table's id, and the code that invites to it.
    const ID: &str = "0000000000000000";
    const CODE: &str = "k3m9pqx7t";

    /// A store with a table at which somebody has said something.
    fn store_with_talk(word: &str) -> Store {
        let mut dice = SeededDice::new(1);
        let guest = GuestId(1);
        let (mut table, opening) = Table::open(CODE, guest, Settings::default(), Moment(1), &mut dice).unwrap();
        let mut entries = vec![opening];
        let name = "Ann".to_owned();
        entries.extend(table.handle(Input::Arrived(Newcomer::named(guest, name)), Moment(2), &mut dice).entries);
        let request = Request::Chat { text: word.to_owned() };
        entries.extend(table.handle(Input::Asked { guest, id: 1, request }, Moment(3), &mut dice).entries);
        let store = Store::in_memory().unwrap();
        let (tell, told) = std::sync::mpsc::channel();
        let batch = Batch { entries, renewed: Some(CODE.to_owned()), ..Batch::default() };
        store.append(rows(ID, &batch, None), move |result| tell.send(result).unwrap());
        told.recv().unwrap().unwrap();
        store
    }

    fn holds(store: &Store, word: &str) -> bool {
        let mut found = false;
        let look = |bytes: &[u8]| bytes.windows(word.len()).any(|window| window == word.as_bytes());
        let mut show = |piece: Piece<'_>| {
            found |= matches!(piece, Piece::Snapshot(_, body) | Piece::Entry(_, body) if look(body));
            true
        };
        assert_eq!(store.visit(ID, &mut show), Ok(true));
        found
    }

    #[tokio::test]
    async fn what_was_said_is_forgotten_after_a_while() {
        let store = store_with_talk("marmalade");
        assert!(holds(&store, "marmalade"));
        let app = Arc::new(App::new(Config { ephemeral: true, ..Config::default() }, store.clone()));
        hush(&app, Duration::from_secs(3600), Duration::from_millis(1)).await;
        assert!(holds(&store, "marmalade"), "not yet");
        let begun = Instant::now();
        while holds(&store, "marmalade") {
            assert!(begun.elapsed() < Duration::from_secs(60), "it is never forgotten");
            hush(&app, Duration::ZERO, Duration::from_millis(5)).await;
        }
        assert_eq!(store.talkative(Duration::ZERO, 9), Ok(Vec::new()));
    }

    #[tokio::test]
    async fn a_table_in_memory_is_not_deleted() {
        let store = store_with_talk("marmalade");
        let app = Arc::new(App::new(Config { ephemeral: true, ..Config::default() }, store.clone()));
        let mailbox = app.hub.find(CODE, Reach::Anywhere, || Some(Opener::house())).unwrap();
        assert!(app.hub.holds(CODE));
        let delete = || {
            let (hub, retention) =
                (Arc::clone(&app.hub), Retention { tables: Some(Duration::ZERO), ..Default::default() });
            app.store(move |store| store.forget(retention, |code| hub.holds(code)))
        };
        assert_eq!(delete().await.unwrap().tables, 0);
        app.hub.remove(CODE, &mailbox.downgrade());
        assert_eq!(delete().await.unwrap().tables, 1, "one that has left memory is");
    }
}
