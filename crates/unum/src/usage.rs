//! Errors of the command line: exit codes, sentences, and values that clap reads.

use std::fmt;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, Error};
use unum_rules::plain_words;

use crate::report::text::count;

/// The exit code of a wrong option, as clap has it.
pub(crate) const WRONG_OPTION: u8 = 2;

/// A wrong option that is found only after all have been parsed.
#[derive(Debug)]
pub(crate) struct Usage(anyhow::Error);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&told(&self.0))
    }
}

impl std::error::Error for Usage {}

/// Results whose errors are wrong options.
pub(crate) trait OrUsage<T> {
    /// Marks an error as a wrong option: the program ends with code 2.
    fn or_usage(self) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> OrUsage<T> for Result<T, E> {
    fn or_usage(self) -> anyhow::Result<T> {
        self.map_err(|error| Usage(error.into()).into())
    }
}

/// An error with its causes, each printed once: many errors already quote their cause.
pub(crate) fn told(error: &anyhow::Error) -> String {
    let mut text = String::new();
    for cause in error.chain().map(in_words) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// An error as people should read it: not in the words of a library.
fn in_words(error: &(dyn std::error::Error + 'static)) -> String {
    match error.downcast_ref::<serde_json::Error>() {
        Some(error) => plain_words(error),
        None => without_codes(&error.to_string()),
    }
}

/// A text without the operating system's codes: "no such file" says more than "os error 2".
fn without_codes(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let mut words = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        words.push_str(part.split_once(')').map_or(part, |(_, rest)| rest));
    }
    words
}

/// The same error without the parser's advice to pass an unknown option as a value, which nobody wants.
pub(crate) fn plain(mut error: Error) -> Error {
    if let Some(ContextValue::StyledStrs(tips)) = error.remove(ContextKind::Suggested) {
        let tips: Vec<_> = tips.into_iter().filter(|tip| !tip.to_string().contains("as a value")).collect();
        if !tips.is_empty() {
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
        }
    }
    error
}

/// A whole number as people write it: `10000`, `10,000`, `10_000` or `1e4`.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text:?} is not a whole number, such as 4 or 10,000");
    let plain = text.replace([',', '_'], "");
    let (digits, zeros) = match plain.split_once(['e', 'E']) {
        Some((digits, zeros)) => (digits.to_owned(), zeros.parse::<u32>().map_err(|_| wrong())?),
        None => (plain, 0),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let value = digits.parse::<u64>().ok().filter(|_| is_number);
    let factor = 10_u64.checked_pow(zeros);
    value.zip(factor).and_then(|(value, factor)| value.checked_mul(factor)).ok_or_else(wrong)
}

/// A whole number between two bounds.
pub(crate) fn number_in<T: TryFrom<u64>>(text: &str, least: u64, most: u64) -> Result<T, String> {
    let bounds = || format!("must be from {} to {}", count(least), count(most));
    let value = number(text)?;
    T::try_from(value).ok().filter(|_| (least..=most).contains(&value)).ok_or_else(bounds)
}

/// A value read by a function, with the words that shells complete and messages suggest.
#[derive(Clone)]
pub(crate) struct Suggested<T: 'static> {
    /// The words.
    words: fn() -> Vec<PossibleValue>,
    /// Reads one, or says in a sentence what is wrong.
    read: fn(&str) -> Result<T, String>,
}

/// A value with suggestions: see [`Suggested`].
pub(crate) fn suggested<T>(words: fn() -> Vec<PossibleValue>, read: fn(&str) -> Result<T, String>) -> Suggested<T> {
    Suggested { words, read }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for Suggested<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &std::ffi::OsStr) -> Result<T, Error> {
        let read = self.read;
        StringValueParser::new().try_map(move |text| read(&text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.words)().into_iter()))
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context as _;

    use super::*;

    #[test]
    fn codes_of_the_system_are_left_out() {
        let error = anyhow::anyhow!("the folder x cannot be used (No such file (os error 2)): choose another");
        assert_eq!(told(&error), "the folder x cannot be used (No such file): choose another");
        assert_eq!(without_codes("Connection refused (os error 111)"), "Connection refused");
        assert_eq!(without_codes("all is well"), "all is well");
    }

    #[test]
    fn no_library_speaks() {
        let read = serde_json::from_str::<u8>("x").context("--position");
        assert_eq!(told(&read.unwrap_err()), "--position: this is not JSON: see line 1, column 1");
    }

    #[test]
    fn numbers_are_read_as_the_help_writes_them() {
        for text in ["10000", "10,000", "10_000", "1e4", "10E3"] {
            assert_eq!(number(text), Ok(10_000), "{text}");
        }
        for text in ["", "ten", "-1", "1.5", ",", "1e99", "0x10", "99999999999999999999"] {
            let message = number(text).unwrap_err();
            assert!(message.contains("is not a whole number"), "{text}: {message}");
        }
        assert_eq!(number_in::<u8>("300", 2, 10), Err("must be from 2 to 10".to_owned()));
        assert_eq!(number_in::<u8>("4", 2, 10), Ok(4));
    }

    #[test]
    fn causes_are_told_once() {
        let refused = || std::io::Error::other("connection refused");
        let error = anyhow::Error::from(refused()).context(format!("no server: {}", refused()));
        assert_eq!(told(&error), "no server: connection refused");
        let error: anyhow::Result<()> = Err(refused()).context("no server");
        assert_eq!(told(&error.unwrap_err()), "no server: connection refused");
    }
}
