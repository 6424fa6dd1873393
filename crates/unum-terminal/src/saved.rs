//! Games saved as they go: one file each, one fact a line, in the user's folder.
//!
//! A line is on disk before it is shown (write-ahead log), so a killed process loses nothing. A line cut off by a power
//! failure was never shown, and is skipped when the game is read.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::Serialize;
use unum_protocol::Stage;
use unum_rules::Edition;
use unum_table::os::OsDice;
use unum_table::{Entry, Finished, Input, Moment, Newcomer, RestoreError, Table, records};

use crate::account::{keep, load};
use crate::local::{ME, Setup};
use crate::model::Model;

/// The end of the names of files.
const ENDING: &str = "game";

/// The folder with the saved games of one user.
#[derive(Clone, Debug)]
pub struct Shelf {
    folder: PathBuf,
}

/// Why a saved game cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SavedError {
    /// There is none of that number.
    #[error("there is no saved game {0}: `unum games` lists them")]
    NoSuchGame(u32),
    /// There is none that is not finished.
    #[error("there is no saved game to continue: `unum play` begins one")]
    NothingToContinue,
    /// Its file is there, but it was interrupted before anything was written.
    #[error("game {0} never began: `unum games --delete {0}` removes its empty file")]
    NeverBegan(u32),
    /// Another process plays it.
    #[error("game {0} is being played by another process: end that one first")]
    InUse(u32),
    /// No match of it has been played to its end.
    #[error("{}: no match is finished yet, and cards are shown only after the match", .0.display())]
    NotFinished(PathBuf),
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// Which file or folder.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// It does not contain a game.
    #[error("{}, line {line}: {message}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// Where.
        line: u64,
        /// What is wrong.
        message: String,
    },
}

/// A saved game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saved {
    /// Its number, for `unum play --continue` and `unum replay`.
    pub number: u32,
    /// When it began, in milliseconds since 1970.
    pub began: u64,
    /// When something happened last.
    pub last: u64,
    /// What is played.
    pub edition: Edition,
    /// The round.
    pub round: u32,
    /// Who plays, by seat.
    pub players: Vec<Score>,
    /// Whether the match is over.
    pub finished: bool,
    /// How many matches were played to their end.
    pub matches: u32,
}

/// The games that can be continued.
#[derive(Debug, Default)]
pub struct Unfinished {
    /// Them, the last one touched first.
    pub games: Vec<Saved>,
    /// Errors of the files that could not be read.
    pub unreadable: Vec<SavedError>,
}

/// A player of a saved game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Score {
    /// The name.
    pub name: String,
    /// The score in the match.
    pub score: u32,
}

/// The file of one game, open for writing and locked.
#[derive(Debug)]
pub(crate) struct Journal {
    number: u32,
    path: PathBuf,
    file: File,
}

fn fault(path: &Path) -> impl FnOnce(io::Error) -> SavedError {
    let path = path.to_owned();
    move |source| SavedError::File { path, source }
}

impl Shelf {
    /// The games in that folder of data.
    pub fn new(data: &Path) -> Shelf {
        Shelf { folder: data.join("games") }
    }

    fn path(&self, number: u32) -> PathBuf {
        self.folder.join(format!("{number}.{ENDING}"))
    }

    /// The numbers of all games, in order.
    ///
    /// # Errors
    /// When the folder cannot be read. A missing folder is not an error.
    pub fn numbers(&self) -> Result<Vec<u32>, SavedError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(fault(&self.folder)(error)),
        };
        let mut numbers = Vec::new();
        for entry in entries {
            let path = entry.map_err(fault(&self.folder))?.path();
            let number = path.file_stem().and_then(|stem| stem.to_str()?.parse::<u32>().ok());
            numbers.extend(number.filter(|_| path.extension().is_some_and(|ending| ending == ENDING)));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// All games, most recent first; an unreadable one is an error in the list.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn list(&self) -> Result<Vec<Result<Saved, SavedError>>, SavedError> {
        let mut list: Vec<_> = self.numbers()?.into_iter().map(|number| self.look(number)).collect();
        // Another process is about to deal, or was killed at that moment.
        list.retain(|saved| !matches!(saved, Err(SavedError::NeverBegan(_))));
        list.sort_by_key(|saved| std::cmp::Reverse(saved.as_ref().map_or(0, |saved| saved.last)));
        Ok(list)
    }

    /// The summary of one game.
    ///
    /// # Errors
    /// When it cannot be read, as for everything that follows.
    pub fn look(&self, number: u32) -> Result<Saved, SavedError> {
        let entries = self.entries(number)?;
        let (began, last) =
            (entries.first().map_or(0, |entry| entry.at.0), entries.last().map_or(0, |entry| entry.at.0));
        let mut table = self.restore(number, entries)?;
        let now = Moment(last);
        table.handle(Input::Arrived(Newcomer::named(ME, "")), now, &mut OsDice);
        let model = Model::of(&table.greet(ME, None, now));
        let scores = model.scores().iter().copied().chain(std::iter::repeat(0));
        Ok(Saved {
            number,
            began,
            last,
            edition: table.settings().rules.edition,
            round: model.game.as_ref().map_or(0, |game| game.round),
            players: model.names().into_iter().zip(scores).map(|(name, score)| Score { name, score }).collect(),
            finished: model.stage() == Stage::Over,
            matches: table.matches(),
        })
    }

    /// The unfinished games, and the errors of those that could not be read.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn unfinished(&self) -> Result<Unfinished, SavedError> {
        let mut unfinished = Unfinished::default();
        for saved in self.list()? {
            match saved {
                Ok(saved) if !saved.finished => unfinished.games.push(saved),
                Ok(_) => {}
                Err(error) => unfinished.unreadable.push(error),
            }
        }
        Ok(unfinished)
    }

    /// Saves the choices of the start screen for the next time. A failure loses only these.
    pub(crate) fn remember(&self, setup: &Setup) {
        let _ = keep(&self.choice(), setup);
    }

    /// What was chosen on the start screen last.
    pub fn last_choice(&self) -> Option<Setup> {
        load(&self.choice())
    }

    fn choice(&self) -> PathBuf {
        self.folder.join("last-choice.json")
    }

    /// Removes a game.
    ///
    /// # Errors
    /// When there is none, or another process plays it.
    pub fn delete(&self, number: u32) -> Result<(), SavedError> {
        let (journal, _) = self.reopen(number)?;
        fs::remove_file(&journal.path).map_err(fault(&journal.path))
    }

    /// Where a game is kept.
    ///
    /// # Errors
    /// When there is none of that number.
    pub fn find(&self, number: u32) -> Result<PathBuf, SavedError> {
        let path = self.path(number);
        if path.exists() { Ok(path) } else { Err(SavedError::NoSuchGame(number)) }
    }

    /// A file for a new game.
    pub(crate) fn create(&self) -> Result<Journal, SavedError> {
        private_folder(&self.folder).map_err(fault(&self.folder))?;
        let mut number = self.numbers()?.last().copied().unwrap_or(0);
        loop {
            number = number.saturating_add(1);
            let path = self.path(number);
            match private_file(OpenOptions::new().read(true).append(true).create_new(true)).open(&path) {
                Ok(file) => {
                    sync_folder(&self.folder).map_err(fault(&self.folder))?;
                    return Journal::lock(number, path, file);
                }
                // Another process has just taken the number.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < u32::MAX => {}
                Err(error) => return Err(fault(&path)(error)),
            }
        }
    }

    /// The file of a game, to resume it, and its content.
    pub(crate) fn reopen(&self, number: u32) -> Result<(Journal, Vec<Entry>), SavedError> {
        let path = self.path(number);
        let opened = OpenOptions::new().read(true).append(true).open(&path);
        let file = opened.map_err(|error| self.missing(number, error))?;
        let mut journal = Journal::lock(number, path, file)?;
        let text = journal.read()?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        if whole < text.len() {
            journal.file.set_len(whole as u64).map_err(fault(&journal.path))?;
        }
        let entries = parse(&journal.path, &text[..whole])?;
        Ok((journal, entries))
    }

    pub(crate) fn restore(&self, number: u32, entries: Vec<Entry>) -> Result<Table, SavedError> {
        if entries.is_empty() {
            return Err(SavedError::NeverBegan(number));
        }
        let now = Moment(entries.last().map_or(0, |entry| entry.at.0));
        Table::restore(None, entries, now, &mut OsDice).map_err(|error| damaged(&self.path(number), error))
    }

    /// The entries of a game, which may be in play elsewhere.
    fn entries(&self, number: u32) -> Result<Vec<Entry>, SavedError> {
        let path = self.path(number);
        let text = fs::read_to_string(&path).map_err(|error| self.missing(number, error))?;
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        parse(&path, &text[..whole])
    }

    fn missing(&self, number: u32, error: io::Error) -> SavedError {
        match error.kind() {
            io::ErrorKind::NotFound => SavedError::NoSuchGame(number),
            _ => fault(&self.path(number))(error),
        }
    }
}

/// Whether a text is a saved game, rather than a record.
pub fn is_saved_game(text: &str) -> bool {
    text.starts_with("{\"seq\":1,")
}

/// The matches of a saved game that were played to their end.
///
/// # Errors
/// When it holds something else, or none was.
pub fn finished(path: &Path, text: &str) -> Result<Vec<Finished>, SavedError> {
    let whole = text.rfind('\n').map_or(0, |at| at + 1);
    let finished = records(parse(path, &text[..whole])?).map_err(|error| damaged(path, error))?;
    if finished.is_empty() { Err(SavedError::NotFinished(path.to_owned())) } else { Ok(finished) }
}

fn damaged(path: &Path, error: RestoreError) -> SavedError {
    SavedError::Damaged { path: path.to_owned(), line: error.seq, message: error.message }
}

fn parse(path: &Path, text: &str) -> Result<Vec<Entry>, SavedError> {
    let read = |(line, text): (u64, &str)| {
        let damaged = |error: serde_json::Error| SavedError::Damaged {
            path: path.to_owned(),
            line,
            message: format!("this is not part of a game: {error}"),
        };
        serde_json::from_str(text).map_err(damaged)
    };
    (1..).zip(text.lines()).map(read).collect()
}

impl Journal {
    fn lock(number: u32, path: PathBuf, file: File) -> Result<Journal, SavedError> {
        match file.try_lock() {
            Ok(()) => Ok(Journal { number, path, file }),
            Err(TryLockError::WouldBlock) => Err(SavedError::InUse(number)),
            // Some file systems have no locks; a single player does not need them.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                Ok(Journal { number, path, file })
            }
            Err(TryLockError::Error(error)) => Err(fault(&path)(error)),
        }
    }

    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    fn read(&mut self) -> Result<String, SavedError> {
        let mut text = String::new();
        self.file.seek(SeekFrom::Start(0)).map_err(fault(&self.path))?;
        self.file.read_to_string(&mut text).map_err(fault(&self.path))?;
        Ok(text)
    }

    /// Puts entries on the disk.
    pub(crate) fn append(&mut self, entries: &[Entry]) -> Result<(), SavedError> {
        let mut text = Vec::new();
        for entry in entries {
            serde_json::to_writer(&mut text, entry).map_err(|error| fault(&self.path)(error.into()))?;
            text.push(b'\n');
        }
        self.file.write_all(&text).and_then(|()| self.file.sync_data()).map_err(fault(&self.path))
    }
}

/// A folder that only its owner may look into.
pub(crate) fn private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Makes a new file survive a power cut.
fn sync_folder(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    // Other systems cannot open folders this way.
    let _ = folder;
    Ok(())
}

/// A file that only its owner may read: it holds hidden cards, or proves who somebody is.
pub(crate) fn private_file(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}
