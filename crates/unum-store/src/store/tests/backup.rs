//! Backups of stores in use, and what is restored from them.

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::*;
use crate::backup::{BackupError, Place, back_up, restore, verify};
use crate::copy::CopyError;

fn place(folder: &TempDir) -> Place {
    Place::Folder(folder.path().to_owned())
}

/// Restores into a new folder.
fn restored(file: &Path) -> (TempDir, Store) {
    let target = folder();
    restore(file, &place(&target), &Options::default(), &mut |_| {}).unwrap();
    let store = open(&target);
    (target, store)
}

#[test]
fn a_drill_under_load_misses_nothing_that_was_acknowledged() {
    let (source, files) = (folder(), folder());
    let store = open(&source);
    let acknowledged: Vec<AtomicU64> = (0..6).map(|_| AtomicU64::new(0)).collect();
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for (number, last) in acknowledged.iter().enumerate() {
            let (store, is_over) = (&store, &is_over);
            scope.spawn(move || {
                for after in 0.. {
                    if is_over.load(Ordering::SeqCst) {
                        break;
                    }
                    let snapshot = (after % 17 == 16).then(|| (after + 1, body(after + 1)));
                    append_now(store, Batch { snapshot, ..batch(&format!("T{number}"), after, after + 1) }).unwrap();
                    last.store(after + 1, Ordering::SeqCst);
                }
            });
        }
        for drill in 0..4_u64 {
            // How far a table must have come makes each drill begin at another moment.
            let at = drill * 23 + 5;
            eventually("load", || acknowledged[(drill % 6) as usize].load(Ordering::SeqCst) >= at);
            let before: Vec<u64> = acknowledged.iter().map(|last| last.load(Ordering::SeqCst)).collect();
            let file = files.path().join(format!("{drill}.unum"));
            let written = back_up(&place(&source), &file, &mut |_| {}).unwrap();
            assert_eq!(verify(&file), Ok(written));
            let (_target, again) = restored(&file);
            for (number, before) in before.into_iter().enumerate().filter(|(_, before)| *before > 0) {
                let table = again.load(&format!("T{number}")).unwrap().unwrap();
                assert!(table.row.last >= before, "T{number} ends at {}, not {before}", table.row.last);
                let from = table.snapshot.as_ref().map_or(0, |(seq, _)| *seq);
                assert_eq!(seqs(&table), (from + 1..=table.row.last).collect::<Vec<_>>());
                append_now(&again, batch(&format!("T{number}"), table.row.last, table.row.last + 1)).unwrap();
            }
        }
        is_over.store(true, Ordering::SeqCst);
    });
}

#[test]
fn a_backup_is_private_and_nothing_is_overwritten_by_restoring() {
    let (source, files) = (folder(), folder());
    let store = open(&source);
    append_now(&store, batch("A", 0, 3)).unwrap();
    let file = files.path().join("all.unum");
    back_up(&place(&source), &file, &mut |_| {}).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let again = |target: &TempDir| restore(&file, &place(target), &Options::default(), &mut |_| {});
    assert!(matches!(again(&source), Err(BackupError::Copy(CopyError::Store(StoreError::Locked { .. })))));
    store.close();
    assert_eq!(again(&source), Err(CopyError::NotEmpty.into()));
    let nowhere = Place::Folder(source.path().join("nowhere"));
    assert!(back_up(&nowhere, &file, &mut |_| {}).is_err());
    assert_eq!(std::fs::read_dir(files.path()).unwrap().count(), 1, "no unfinished file is left");
    assert!(verify(&file).is_ok(), "the older backup is still there");
}

#[test]
fn a_backup_that_was_damaged_is_refused_before_anything_is_made() {
    let (source, files) = (folder(), folder());
    let store = open(&source);
    append_now(&store, batch("A", 0, 30)).unwrap();
    let file = files.path().join("all.unum");
    back_up(&place(&source), &file, &mut |_| {}).unwrap();
    let whole = std::fs::read(&file).unwrap();
    let flipped = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    let cut = whole[..whole.len() - 9].to_vec();
    let more = [whole.clone(), vec![0]].concat();
    for bytes in [cut, flipped(whole.len() / 2), flipped(whole.len() - 6), Vec::new(), b"hello".to_vec()] {
        std::fs::write(&file, bytes).unwrap();
        let target = folder();
        let refused = restore(&file, &place(&target), &Options::default(), &mut |_| {});
        assert!(matches!(refused, Err(BackupError::Damaged { .. })), "{refused:?}");
        assert_eq!(std::fs::read_dir(target.path()).unwrap().count(), 0);
    }
    // What follows the end of the compressed data is not looked at.
    std::fs::write(&file, more).unwrap();
    assert!(verify(&file).is_ok());
}
