//! Files with many records: one a line, compressed or not.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read as _, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, anyhow, bail};
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use unum_rules::record::{MAX_RECORD, Record};

/// How a compressed file begins.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// Where the records of a run go, if anywhere.
pub(crate) struct RecordFile(Option<(PathBuf, Writer)>);

enum Writer {
    Plain(BufWriter<File>),
    Gzip(GzEncoder<BufWriter<File>>),
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Writer::Plain(file) => file.write(bytes),
            Writer::Gzip(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Writer::Plain(file) => file.flush(),
            Writer::Gzip(file) => file.flush(),
        }
    }
}

impl RecordFile {
    /// Creates the file; one that ends in `.gz` is compressed.
    ///
    /// # Errors
    /// When it cannot be created.
    pub(crate) fn create(path: Option<&Path>) -> anyhow::Result<RecordFile> {
        let Some(path) = path else { return Ok(RecordFile(None)) };
        let file = BufWriter::new(File::create(path).with_context(|| path.display().to_string())?);
        let is_packed = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("gz"));
        let writer = match is_packed {
            true => Writer::Gzip(GzEncoder::new(file, Compression::default())),
            false => Writer::Plain(file),
        };
        Ok(RecordFile(Some((path.to_owned(), writer))))
    }

    /// Where lines go, if there is a file.
    pub(crate) fn sink(&mut self) -> Option<&mut dyn Write> {
        self.0.as_mut().map(|(_, writer)| writer as _)
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn finish(self) -> anyhow::Result<()> {
        let Some((path, writer)) = self.0 else { return Ok(()) };
        let written = match writer {
            Writer::Plain(mut file) => file.flush(),
            Writer::Gzip(file) => file.finish().and_then(|mut file| file.flush()),
        };
        written.with_context(|| path.display().to_string())
    }
}

/// Opens a file, or standard input if that is `-`, and unpacks what is compressed.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut input: Box<dyn BufRead> = match path == Path::new("-") {
        true => Box::new(io::stdin().lock()),
        false => Box::new(BufReader::new(File::open(path)?)),
    };
    let is_packed = input.fill_buf()?.starts_with(&GZIP);
    Ok(if is_packed { Box::new(BufReader::new(MultiGzDecoder::new(input))) } else { input })
}

/// Reads at most a record's worth of bytes, up to the end of a line or of the input.
///
/// # Errors
/// When it is more, or not UTF-8.
pub(crate) fn read_some(input: &mut dyn BufRead, is_line: bool) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    let mut input = input.take(MAX_RECORD as u64 + 1);
    if is_line {
        input.read_until(b'\n', &mut bytes)?
    } else {
        input.read_to_end(&mut bytes)?
    };
    if bytes.len() > MAX_RECORD {
        bail!("a record has at most {MAX_RECORD} bytes");
    }
    String::from_utf8(bytes).map_err(|_| anyhow!("this is not a record: it is not UTF-8 text"))
}

/// Whether a line is a whole record, so that its file may have many.
pub(crate) fn is_record_line(line: &str) -> bool {
    let line = line.trim();
    let head = line.trim_start_matches('\u{feff}').strip_prefix("{\"format\":").map(str::trim_start);
    head.is_some_and(|rest| rest.starts_with("\"unum-record\"")) && line.ends_with('}')
}

/// The file and the number of the game in it, as in `games.jsonl.gz#12`; counted from 1.
pub(crate) fn split_game(path: &Path) -> (PathBuf, Option<u64>) {
    let split = || {
        let (file, number) = path.to_str().filter(|_| !path.exists())?.rsplit_once('#')?;
        Some((PathBuf::from(file), Some(number.parse().ok()?)))
    };
    split().unwrap_or_else(|| (path.to_owned(), None))
}

/// The lines of a file with many records; the first has been read already.
pub(crate) struct Lines {
    pub(crate) first: Option<String>,
    pub(crate) input: Box<dyn BufRead>,
}

impl Iterator for Lines {
    type Item = anyhow::Result<String>;

    fn next(&mut self) -> Option<anyhow::Result<String>> {
        let line = match self.first.take() {
            Some(line) => Ok(line),
            None => read_some(&mut *self.input, true),
        };
        // Blank lines at the end are nothing; one in between is refused as the record it is not.
        (!line.as_ref().is_ok_and(String::is_empty)).then_some(line)
    }
}

impl Lines {
    /// The record of that number, from 1 on, or the only one.
    ///
    /// # Errors
    /// When there is none, or several to choose from.
    pub(crate) fn pick(mut self, number: Option<u64>) -> anyhow::Result<Record> {
        let wanted = number.unwrap_or(1);
        if wanted == 0 {
            bail!("games are counted from 1");
        }
        for at in 1..wanted {
            if self.next().transpose()?.is_none() {
                bail!("there is no game {wanted}: the file has {}", at - 1);
            }
        }
        let line = self
            .next()
            .transpose()?
            .with_context(|| format!("there is no game {wanted}: the file has {}", wanted - 1))?;
        if number.is_none() && self.next().is_some() {
            bail!("there are several games in this file: name one by its number, as in FILE#1");
        }
        Ok(Record::parse(&line)?)
    }
}
