//! The lock of a data folder. The operating system releases it when the process ends, however it ends.

use std::fs::{DirBuilder, File, OpenOptions, TryLockError};
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use crate::{LOCK, StoreError};

/// The lock; released on drop.
pub(crate) struct FolderLock {
    _file: File,
}

impl FolderLock {
    /// Creates the folder if needed and takes its lock.
    pub(crate) fn take(folder: &Path) -> Result<FolderLock, StoreError> {
        let unusable =
            |error: std::io::Error| StoreError::Folder { folder: folder.to_owned(), detail: error.to_string() };
        private_folder(folder).map_err(unusable)?;
        let mut file = private_file(&folder.join(LOCK)).map_err(unusable)?;
        leave_to_owner(folder, &file).map_err(unusable)?;
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

/// Creates a folder, if it is missing, that only its owner can read: journals hold the cards of rounds in progress.
///
/// # Errors
/// When the system does not let it.
pub fn private_folder(folder: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}

/// Opens a file for reading and writing. A missing file is created, for its owner alone. A link is not followed: whoever may
/// write to the folder could make root write anywhere.
///
/// # Errors
/// When the system does not let it.
pub fn private_file(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600).custom_flags(rustix::fs::OFlags::NOFOLLOW.bits().cast_signed());
    }
    options.open(path)
}

/// Gives a file that root has made to the owner of the folder it is in: a server that does not run as root has to be able to
/// use what root restores for it.
///
/// # Errors
/// When the system does not let it.
pub(crate) fn leave_to_owner(folder: &Path, file: &File) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let (owner, made) = (std::fs::metadata(folder)?, file.metadata()?);
        // A file with another name elsewhere was not made here.
        if made.uid() == 0 && owner.uid() != 0 && made.nlink() == 1 {
            fchown(file, Some(owner.uid()), Some(owner.gid()))?;
        }
    }
    #[cfg(not(unix))]
    let _ = (folder, file);
    Ok(())
}

/// The paths that people other than the owner can access.
pub(crate) fn open_to_others(paths: &[&Path]) -> Vec<PathBuf> {
    #[cfg(unix)]
    let is_open = |path: &&&Path| {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::metadata(path).is_ok_and(|found| found.permissions().mode() & 0o077 != 0)
    };
    #[cfg(not(unix))]
    let is_open = |_: &&&Path| false;
    paths.iter().filter(is_open).map(|path| path.to_path_buf()).collect()
}

/// The process that holds the lock. Some systems do not let others read a locked file.
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
