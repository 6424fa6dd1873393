//! The tables on servers that the user has visited: a small file each, so links are not lost with the screen.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::account::{keep, load};

/// The most tables that are remembered.
const MOST: usize = 50;

/// The folder with the tables of one user.
#[derive(Clone, Debug)]
pub struct Visits {
    folder: PathBuf,
}

/// A visited table on a server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Visit {
    /// Its link.
    pub link: String,
    /// The time of the last visit, in milliseconds since 1970.
    pub last: u64,
}

impl Visit {
    /// The code of the table.
    pub fn code(&self) -> &str {
        self.link.rsplit('/').next().unwrap_or_default()
    }
}

impl Visits {
    /// The tables noted in that folder of data.
    pub fn new(data: &Path) -> Visits {
        Visits { folder: data.join("tables") }
    }

    /// All tables, the latest first. A missing folder is not an error.
    pub fn list(&self) -> Vec<Visit> {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut visits: Vec<Visit> = files.filter_map(|file| load(&file.path())).collect();
        visits.sort_by_key(|visit| std::cmp::Reverse(visit.last));
        visits
    }

    /// The table with that code or link.
    pub fn find(&self, name: &str) -> Option<Visit> {
        self.list().into_iter().find(|visit| visit.link == name || visit.code() == name)
    }

    /// Records a visit. A failure loses only this note.
    pub(crate) fn note(&self, link: &str) {
        let last = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let visit = Visit { link: link.to_owned(), last: u64::try_from(last).unwrap_or(u64::MAX) };
        let _ = keep(&self.path(link), &visit);
        self.list().into_iter().skip(MOST).for_each(|old| self.forget(&old.link));
    }

    /// Forgets a table there is no way back to.
    pub fn forget(&self, link: &str) {
        // There may be nothing to forget.
        let _ = fs::remove_file(self.path(link));
    }

    fn path(&self, link: &str) -> PathBuf {
        let plain = |c: char| if c.is_ascii_alphanumeric() || ".-".contains(c) { c } else { '_' };
        let name: String = link.chars().map(plain).take(200).collect();
        self.folder.join(format!("{name}.json"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_noted_found_and_forgotten() {
        let data = tempfile::tempdir().unwrap();
        let visits = Visits::new(data.path());
        assert!(visits.list().is_empty());
        visits.note("http://localhost:8080/t/abc");
        visits.note("https://uno.example.org/t/xyz");
        visits.note("http://localhost:8080/t/abc");
        assert_eq!(visits.list().len(), 2);
        assert_eq!(visits.find("abc").unwrap().link, "http://localhost:8080/t/abc");
        assert_eq!(visits.find("https://uno.example.org/t/xyz").unwrap().code(), "xyz");
        visits.forget("http://localhost:8080/t/abc");
        assert!(visits.find("abc").is_none() && visits.list().len() == 1);
    }

    #[test]
    fn only_the_latest_are_kept() {
        let data = tempfile::tempdir().unwrap();
        let visits = Visits::new(data.path());
        for number in 0..MOST + 3 {
            visits.note(&format!("http://localhost/t/{number}"));
        }
        assert_eq!(visits.list().len(), MOST);
    }
}
