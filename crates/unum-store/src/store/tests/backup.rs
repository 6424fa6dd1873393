//! Backups of stores in use, and what is restored from them.

use std::sync::atomic::{AtomicBool, AtomicU64};

use super::*;
use crate::backup::{BackupError, Place, Step, back_up, restore, verify};
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
            assert_eq!(verify(&file, &mut |_| {}), Ok(written));
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

/// Who restores a service's database is root, and the service is not.
#[cfg(unix)]
#[test]
fn what_root_restores_belongs_to_the_owner_of_the_folder() {
    use std::os::unix::fs::{MetadataExt as _, chown};
    const SERVICE: u32 = 65_532;
    let (source, target, files) = (folder(), folder(), folder());
    if chown(target.path(), Some(SERVICE), Some(SERVICE)).is_err() {
        return eprintln!("skipped: only root can give a folder to somebody");
    }
    let store = open(&source);
    append_now(&store, batch("A", 0, 3)).unwrap();
    let file = files.path().join("all.unum");
    back_up(&place(&source), &file, &mut |_| {}).unwrap();
    restore(&file, &place(&target), &Options::default(), &mut |_| {}).unwrap();
    let owners = || {
        let owner = |entry: std::fs::DirEntry| (entry.file_name(), entry.metadata().unwrap());
        std::fs::read_dir(target.path()).unwrap().map(|entry| owner(entry.unwrap())).collect::<Vec<_>>()
    };
    assert!(owners().iter().any(|(name, _)| name == crate::DATABASE));
    for (name, found) in owners() {
        assert_eq!((found.uid(), found.gid()), (SERVICE, SERVICE), "{}", name.display());
    }
    // So do the files that come and go with the database, whoever opens it.
    let again = open(&target);
    append_now(&again, batch("A", 3, 4)).unwrap();
    for (name, found) in owners() {
        assert_eq!(found.uid(), SERVICE, "{}", name.display());
    }
    again.close();
    // Nor can whoever owns the folder have root give them a file from elsewhere.
    let (other, secret) = (folder(), files.path().join("secret"));
    std::fs::write(&secret, "secret").unwrap();
    std::os::unix::fs::symlink(&secret, other.path().join(crate::LOCK)).unwrap();
    chown(other.path(), Some(SERVICE), Some(SERVICE)).unwrap();
    assert!(restore(&file, &place(&other), &Options::default(), &mut |_| {}).is_err());
    assert_eq!(
        (std::fs::read_to_string(&secret).unwrap().as_str(), std::fs::metadata(&secret).unwrap().uid()),
        ("secret", 0)
    );
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
    let nowhere = source.path().join("nowhere");
    let refused = back_up(&Place::Folder(nowhere.clone()), &file, &mut |_| {});
    assert_eq!(refused, Err(BackupError::Nothing { folder: nowhere.clone() }));
    assert!(!nowhere.exists(), "a mistyped folder is not made");
    assert_eq!(std::fs::read_dir(files.path()).unwrap().count(), 1, "no unfinished file and no copy is left");
    assert!(verify(&file, &mut |_| {}).is_ok(), "the older backup is still there");
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
    let more = |bytes: &[u8]| [&whole, bytes].concat();
    let bent = [cut, flipped(whole.len() / 2), flipped(whole.len() - 6), Vec::new(), b"hello".to_vec()];
    // What follows the end may be another file of the same kind.
    for bytes in bent.into_iter().chain([more(&[0]), more(b"\n"), more(&whole)]) {
        std::fs::write(&file, bytes).unwrap();
        let target = folder();
        let refused = restore(&file, &place(&target), &Options::default(), &mut |_| {});
        assert!(matches!(refused, Err(BackupError::Damaged { .. })), "{refused:?}");
        assert_eq!(std::fs::read_dir(target.path()).unwrap().count(), 0);
    }
}

#[test]
fn a_backup_says_how_far_it_is() {
    let (source, files, target) = (folder(), folder(), folder());
    let store = open(&source);
    append_now(&store, batch("A", 0, 30)).unwrap();
    let file = files.path().join("all.unum");
    let mut told = Vec::new();
    back_up(&place(&source), &file, &mut |progress| told.push(progress)).unwrap();
    restore(&file, &place(&target), &Options::default(), &mut |progress| told.push(progress)).unwrap();
    let mut steps: Vec<Step> = told.iter().map(|progress| progress.step).collect();
    steps.dedup();
    // The last item ends the file, so it is told of again after the comparison of what is in it.
    assert_eq!(steps, [Step::Copying, Step::Writing, Step::Reading, Step::Storing, Step::Comparing]);
    for step in &steps[1..] {
        let last = told.iter().rfind(|progress| progress.step == *step).unwrap();
        assert_eq!(Some(last.done), last.total, "{step:?} ends with everything");
    }
}

#[test]
fn while_a_backup_is_written_the_log_starts_over() {
    let (source, files) = (folder(), folder());
    let store = open(&source);
    append_now(&store, Batch { entries: vec![vec![7; 300_000]; 4], ..batch("A", 0, 4) }).unwrap();
    let log = || std::fs::metadata(source.path().join("unum.db-wal")).unwrap().len();
    let (mut after, mut longest) = (0, 0);
    back_up(&place(&source), &files.path().join("all.unum"), &mut |progress| {
        // Far more is written meanwhile than the log holds before it starts over.
        while progress.step == Step::Writing && after < 220 {
            append_now(&store, Batch { entries: vec![vec![7; 300_000]; 4], ..batch("B", after, after + 4) }).unwrap();
            after += 4;
            longest = longest.max(log());
        }
    })
    .unwrap();
    assert_eq!(after, 220, "rows were written");
    assert!(longest < 40 << 20, "the log took {longest} bytes for 66,000,000");
}
