//! The lock of a data folder, which the operating system takes back when the process ends, however it ends.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::Path;

use crate::{LOCK, StoreError};

/// Held as long as this lives.
pub(crate) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Makes the folder if need be and takes its lock.
    pub(crate) fn take(folder: &Path) -> Result<FolderLock, StoreError> {
        let unusable =
            |error: std::io::Error| StoreError::Folder { folder: folder.to_owned(), detail: error.to_string() };
        std::fs::create_dir_all(folder).map_err(unusable)?;
        let path = folder.join(LOCK);
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path).map_err(unusable)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Locked { folder: folder.to_owned(), process: holder(&mut file) });
            }
            Err(TryLockError::Error(error)) => return Err(unusable(error)),
        }
        sign(&mut file).map_err(unusable)?;
        Ok(FolderLock { _file: file })
    }
}

/// Whose lock it is. Some systems do not let anybody else read a locked file.
fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn sign(file: &mut File) -> std::io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}
