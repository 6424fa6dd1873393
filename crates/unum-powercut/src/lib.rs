//! For tests only: a disk under SQLite that remembers every write and every sync, so that it can be shown as a power cut
//! at any moment would have left it.
//!
//! A kill leaves the operating system's cache alone, so a missing sync passes every test that kills. Here whatever was
//! not synced at the moment of the cut is lost, kept or torn, write by write and sector by sector.

#![deny(unsafe_code)]

mod vfs;

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use vfs::NAME;

/// The sector size: a disk writes a sector as a whole or not at all.
const SECTOR: usize = 512;

/// Something done to a file, by its name.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    file: String,
    what: What,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Write { offset: usize, bytes: Box<[u8]> },
    Truncate(usize),
    Sync,
}

/// Everything done to the files of one folder, in order.
pub(crate) type Log = Arc<Mutex<Vec<Step>>>;

/// A folder that is watched.
#[derive(Debug)]
pub struct Disk {
    folder: PathBuf,
    log: Log,
    /// The files as they were when the watch began, all of it synced.
    files: Files,
}

type Files = HashMap<String, Vec<u8>>;

impl Disk {
    /// Watches a folder from now on. What is done to it through the file system named [`NAME`] is remembered.
    ///
    /// # Errors
    /// When its files cannot be read.
    pub fn watch(folder: &Path) -> io::Result<Disk> {
        let mut files = Files::new();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            files.insert(name, std::fs::read(&path)?);
        }
        let log = vfs::watch(folder);
        Ok(Disk { folder: folder.to_owned(), log, files })
    }

    /// How many steps there were so far: what is acknowledged now has to survive every cut after that many.
    pub fn steps(&self) -> usize {
        self.log.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// The disk after power cuts at such moments, given as numbers of steps, in rising order. `chance` gives a number
    /// below another; it decides what happens to everything that was not synced.
    pub fn cuts<'a>(&self, moments: &'a [usize], chance: &'a mut dyn FnMut(u32) -> u32) -> Cuts<'a> {
        let steps = self.log.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Cuts { steps, next: 0, synced: self.files.clone(), unsynced: Vec::new(), moments: moments.iter(), chance }
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        vfs::unwatch(&self.folder);
    }
}

/// Disks after power cuts.
pub struct Cuts<'a> {
    steps: Vec<Step>,
    next: usize,
    synced: Files,
    /// Where in `steps` the writes are that were not synced yet.
    unsynced: Vec<usize>,
    moments: std::slice::Iter<'a, usize>,
    chance: &'a mut dyn FnMut(u32) -> u32,
}

impl Iterator for Cuts<'_> {
    type Item = Image;

    fn next(&mut self) -> Option<Image> {
        let moment = *self.moments.next()?;
        while self.next < moment.min(self.steps.len()) {
            self.advance();
        }
        let mut files = self.synced.clone();
        let mood = (self.chance)(4);
        for place in &self.unsynced {
            let Step { file, what } = &self.steps[*place];
            let file = files.entry(file.clone()).or_default();
            match mood {
                0 => {}
                1 => what.apply(file, |_| true),
                2 if (self.chance)(2) == 0 => what.apply(file, |_| true),
                2 => {}
                _ => what.apply(file, |_| (self.chance)(2) == 0),
            }
        }
        Some(Image { files })
    }
}

impl Cuts<'_> {
    fn advance(&mut self) {
        let place = self.next;
        self.next += 1;
        let Step { file, what } = &self.steps[place];
        match what {
            What::Write { .. } | What::Truncate(_) => self.unsynced.push(place),
            What::Sync => {
                let (now, later): (Vec<usize>, Vec<usize>) =
                    self.unsynced.iter().partition(|place| self.steps[**place].file == *file);
                let bytes = self.synced.entry(file.clone()).or_default();
                now.iter().for_each(|place| self.steps[*place].what.apply(bytes, |_| true));
                self.unsynced = later;
            }
        }
    }
}

impl What {
    /// Does it to a file, as far as the disk got: sector by sector.
    fn apply(&self, file: &mut Vec<u8>, mut kept: impl FnMut(usize) -> bool) {
        match self {
            What::Write { offset, bytes } => {
                let mut begin = 0;
                while begin < bytes.len() {
                    let at = offset + begin;
                    let end = bytes.len().min(begin + SECTOR - at % SECTOR);
                    if kept(at / SECTOR) {
                        let needed = file.len().max(offset + end);
                        file.resize(needed, 0);
                        file[at..offset + end].copy_from_slice(&bytes[begin..end]);
                    }
                    begin = end;
                }
            }
            What::Truncate(length) if kept(0) => file.truncate(*length),
            What::Truncate(_) | What::Sync => {}
        }
    }
}

/// What a power cut has left.
#[derive(Debug)]
pub struct Image {
    files: Files,
}

impl Image {
    /// Writes it into a folder, in place of what is there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_to(&self, folder: &Path) -> io::Result<()> {
        if folder.exists() {
            std::fs::remove_dir_all(folder)?;
        }
        std::fs::create_dir_all(folder)?;
        // The shared memory of a write-ahead log is in memory: nothing of it survives.
        let mut kept = self.files.iter().filter(|(name, _)| !name.ends_with("-shm"));
        kept.try_for_each(|(name, bytes)| std::fs::write(folder.join(name), bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_synced_stays_and_the_rest_is_lost_kept_or_torn() {
        let write = |offset, bytes: &[u8]| What::Write { offset, bytes: bytes.into() };
        let step = |what| Step { file: "f".to_owned(), what };
        let steps = vec![step(write(0, &[1; 2000])), step(What::Sync), step(write(0, &[2; 2000]))];
        let mut seen = [0; 3];
        for seed in 0..200_u32 {
            let mut state = seed;
            let mut chance = move |below: u32| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (state >> 16) % below
            };
            let files = Files::new();
            let moments = [1, 3];
            let cuts = Cuts {
                steps: steps.clone(),
                next: 0,
                synced: files,
                unsynced: vec![],
                moments: moments.iter(),
                chance: &mut chance,
            };
            let last = cuts.last().unwrap();
            let file = &last.files["f"];
            assert_eq!(file.len(), 2000);
            let new = file.iter().filter(|byte| **byte == 2).count();
            assert!(file.iter().all(|byte| *byte > 0), "what was synced is there");
            seen[if new == 0 {
                0
            } else if new == 2000 {
                1
            } else {
                2
            }] += 1;
        }
        assert!(seen.iter().all(|count| *count > 5), "{seen:?}");
    }
}
