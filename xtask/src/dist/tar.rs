//! Archives whose bytes depend on nothing but what is in them: sorted, with one time for everything and no names of users.

use std::collections::BTreeMap;
use std::io::Write as _;

use anyhow::bail;
use flate2::{Compression, GzBuilder};

/// The size of a tar block.
const BLOCK: usize = 512;

/// Something in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File(Vec<u8>),
}

/// An entry: what it is, who may use it, and whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    kind: Kind,
    mode: u32,
    owner: u32,
}

/// A tree of files, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tree(BTreeMap<String, Entry>);

impl Tree {
    /// Adds a file, and the folders it lies in.
    pub(super) fn file(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.add(path, Entry { kind: Kind::File(bytes.into()), mode: 0o644, owner: 0 });
    }

    /// Adds a program.
    pub(super) fn program(&mut self, path: &str, bytes: impl Into<Vec<u8>>) {
        self.add(path, Entry { kind: Kind::File(bytes.into()), mode: 0o755, owner: 0 });
    }

    /// Adds a folder that belongs to a user alone.
    pub(super) fn private_folder(&mut self, path: &str, owner: u32) {
        self.add(path, Entry { kind: Kind::Folder, mode: 0o700, owner });
    }

    fn add(&mut self, path: &str, entry: Entry) {
        let mut folder = path;
        while let Some((outer, _)) = folder.rsplit_once('/') {
            let entry = Entry { kind: Kind::Folder, mode: 0o755, owner: 0 };
            self.0.entry(outer.to_owned()).or_insert(entry);
            folder = outer;
        }
        self.0.insert(path.to_owned(), entry);
    }

    /// The same below a folder.
    pub(super) fn below(&self, folder: &str) -> Tree {
        let mut below = Tree::default();
        for (path, entry) in &self.0 {
            below.add(&format!("{folder}/{path}"), entry.clone());
        }
        below
    }

    /// The paths and contents of all files.
    pub(super) fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.0.iter().filter_map(|(path, entry)| match &entry.kind {
            Kind::File(bytes) => Some((path.as_str(), bytes.as_slice())),
            _ => None,
        })
    }

    /// The bytes of a tar archive (ustar); `prefix` precedes every path.
    ///
    /// # Errors
    /// When a path is too long for the format.
    pub(super) fn to_tar(&self, prefix: &str, epoch: u64) -> anyhow::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        for (path, entry) in &self.0 {
            let slash = if entry.kind == Kind::Folder { "/" } else { "" };
            bytes.extend(head(&format!("{prefix}{path}{slash}"), entry, epoch)?);
            if let Kind::File(content) = &entry.kind {
                bytes.extend(content);
                bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
            }
        }
        bytes.resize(bytes.len() + 2 * BLOCK, 0);
        Ok(bytes)
    }
}

fn head(path: &str, entry: &Entry, epoch: u64) -> anyhow::Result<[u8; BLOCK]> {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, text: &[u8]| block[at..at + text.len()].copy_from_slice(text);
    if path.len() > 100 {
        bail!("{path} is too long for an archive");
    }
    let (size, tag) = match &entry.kind {
        Kind::Folder => (0, b'5'),
        Kind::File(bytes) => (bytes.len(), b'0'),
    };
    put(0, path.as_bytes());
    put(100, format!("{:07o}", entry.mode).as_bytes());
    put(108, format!("{:07o}", entry.owner).as_bytes());
    put(116, format!("{:07o}", entry.owner).as_bytes());
    put(124, format!("{size:011o}").as_bytes());
    put(136, format!("{epoch:011o}").as_bytes());
    put(148, b"        ");
    put(156, &[tag]);
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|byte| u32::from(*byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    Ok(block)
}

/// Compresses, without a time or a name.
///
/// # Errors
/// Never, in memory.
pub(super) fn gzip(bytes: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut packed = GzBuilder::new().mtime(0).operating_system(255).write(Vec::new(), Compression::best());
    packed.write_all(bytes)?;
    Ok(packed.finish()?)
}
