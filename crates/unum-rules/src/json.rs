//! Reading JSON, with little code: a text becomes a tree ([`Node`]), and values are read from that ([`Read`]).
//!
//! [`from_str`] does that in the page's module alone. Everywhere else it is serde's, which is faster and checks the same, because
//! both follow the same attributes. Serde's code for a type exists once for each source of values, here it exists once and is
//! smaller: it was a third of the module.
//!
//! The messages are serde's, too, but for a few that name types. The place they name is where the wrong value begins.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
pub use unum_derive::Read;

/// How deep lists and objects may lie in each other.
const DEEPEST: u32 = 127;

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    line: usize,
    column: usize,
}

impl Error {
    /// The line, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    fn at(message: String, text: &str, offset: usize) -> Error {
        let (line, column) = place(text, offset);
        Error { message, line, column }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {} column {}", self.message, self.line, self.column)
    }
}

impl std::error::Error for Error {}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Error {
        let (line, column) = (error.line(), error.column());
        let mut message = error.to_string();
        if let Some(bare) = message.strip_suffix(&format!(" at line {line} column {column}")) {
            message.truncate(bare.len());
        }
        Error { message, line, column }
    }
}

/// Line and column of an offset, from 1; columns are characters.
fn place(text: &str, offset: usize) -> (usize, usize) {
    let before = text.get(..offset).unwrap_or_default();
    let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
    (before.matches('\n').count() + 1, column)
}

/// Where a part of a text lies in it, in bytes.
fn offset(text: &str, part: &str) -> usize {
    (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize)
}

/// Line and column of a part of a text, by where it lies in memory.
pub(crate) fn spot(text: &str, part: &str) -> (usize, usize) {
    place(text, offset(text, part))
}

/// Reads a value.
///
/// # Errors
/// When the text is not JSON, or not such a value.
pub fn from_str<'a, T: Deserialize<'a> + Read<'a>>(text: &'a str) -> Result<T, Error> {
    if cfg!(target_family = "wasm") { read(text) } else { Ok(serde_json::from_str(text)?) }
}

/// Reads a value from a tree, as the page's module does.
///
/// # Errors
/// When the text is not JSON, or not such a value.
pub fn read<'a, T: Read<'a>>(text: &'a str) -> Result<T, Error> {
    let node = Node::parse(text)?;
    T::read(&node).map_err(|wrong| Error::at(wrong.0.1, text, offset(text, wrong.0.0)))
}

/// Any value as serde's tree.
///
/// # Errors
/// When it has no form in JSON.
pub fn to_value<T: Serialize>(value: &T) -> Result<serde_json::Value, Error> {
    if cfg!(target_family = "wasm") { read(&serde_json::to_string(value)?) } else { Ok(serde_json::to_value(value)?) }
}

/// A value from serde's tree.
///
/// # Errors
/// When it is not such a value.
pub fn from_value<T: DeserializeOwned + for<'a> Read<'a>>(value: &serde_json::Value) -> Result<T, Error> {
    if cfg!(target_family = "wasm") { read(&value.to_string()) } else { Ok(T::deserialize(value)?) }
}

/// What can be read from a node.
pub trait Read<'a>: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// When the node has another form.
    fn read(node: &Node<'a>) -> Result<Self, Wrong<'a>>;

    /// What a field is that is left out, if it can be.
    fn absent() -> Option<Self> {
        None
    }
}

/// What is wrong with a node.
#[derive(Debug)]
pub struct Wrong<'a>(Box<(&'a str, String)>);

/// A value in a text.
#[derive(Clone, Debug)]
pub struct Node<'a> {
    /// How it is written.
    text: &'a str,
    value: Value<'a>,
}

#[derive(Clone, Debug)]
enum Value<'a> {
    Null,
    Bool(bool),
    Whole(u64),
    Negative(i64),
    Real(f64),
    Text(Cow<'a, str>),
    List(Vec<Node<'a>>),
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
}

/// What a node is.
pub(crate) enum Kind {
    Null,
    Whole(u64),
    Object,
    Other,
}

impl<'a> Node<'a> {
    fn parse(text: &'a str) -> Result<Node<'a>, Error> {
        let mut parser = Parser { text, at: 0, depth: 0 };
        let node = parser.whole();
        node.map_err(|message| Error::at(message.to_owned(), text, parser.at))
    }

    /// It is wrong, for this reason.
    #[cold]
    #[inline(never)]
    pub fn wrong(&self, message: String) -> Wrong<'a> {
        Wrong(Box::new((self.text, message)))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn mismatch(&self, expected: &str) -> Wrong<'a> {
        self.wrong(format!("invalid type: {self}, expected {expected}"))
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn invalid(&self, expected: &str) -> Wrong<'a> {
        self.wrong(format!("invalid value: {self}, expected {expected}"))
    }

    /// No form of it is right.
    #[cold]
    #[inline(never)]
    pub fn unfit(&self) -> Wrong<'a> {
        self.wrong(format!("{self} has none of the forms that are possible here"))
    }

    /// What it is, as far as those who can be several things ask.
    pub(crate) fn kind(&self) -> Kind {
        match self.value {
            Value::Null => Kind::Null,
            Value::Whole(number) => Kind::Whole(number),
            Value::Object(_) => Kind::Object,
            _ => Kind::Other,
        }
    }

    /// Its text, if it is one.
    ///
    /// # Errors
    /// When it is something else.
    pub fn str(&self, expected: &str) -> Result<&str, Wrong<'a>> {
        match &self.value {
            Value::Text(text) => Ok(text),
            _ => Err(self.mismatch(expected)),
        }
    }

    fn integer(&self, least: i64, most: u64, expected: &str) -> Result<u64, Wrong<'a>> {
        match self.value {
            Value::Whole(number) if number <= most => Ok(number),
            Value::Negative(number) if number >= least => Ok(number as u64),
            Value::Whole(_) | Value::Negative(_) => Err(self.invalid(expected)),
            _ => Err(self.mismatch(expected)),
        }
    }

    fn items(&self) -> Result<&[Node<'a>], Wrong<'a>> {
        match &self.value {
            Value::List(list) => Ok(list),
            _ => Err(self.mismatch("a sequence")),
        }
    }

    /// The parts of a list of that length.
    ///
    /// # Errors
    /// When it is something else.
    pub fn parts(&self, count: usize) -> Result<&[Node<'a>], Wrong<'a>> {
        let items = self.items()?;
        if items.len() != count {
            return Err(self.wrong(format!("invalid length {}, expected an array of length {count}", items.len())));
        }
        Ok(items)
    }

    /// Its fields, if it is an object without other fields than these (if `strict`) and one with the name `tag`.
    ///
    /// # Errors
    /// When it is something else.
    pub fn fields<'n>(
        &'n self,
        names: &'static [&'static str],
        strict: bool,
        tag: &str,
    ) -> Result<Found<'n, 'a>, Wrong<'a>> {
        let Value::Object(entries) = &self.value else { return Err(self.mismatch("an object with named fields")) };
        for (place, (name, node)) in entries.iter().enumerate() {
            let known = names.contains(&name.as_ref());
            if !known && strict && name != tag {
                return Err(node.unknown("field", name, names));
            }
            if (known || name == tag) && entries[..place].iter().any(|(other, _)| other == name) {
                return Err(node.wrong(format!("duplicate field `{name}`")));
            }
        }
        Ok(Found { node: self, entries, names })
    }

    #[cold]
    #[inline(never)]
    fn unknown(&self, what: &str, name: &str, names: &[&str]) -> Wrong<'a> {
        let mut list = String::new();
        for name in names {
            let pause = if list.is_empty() {
                ""
            } else if names.len() == 2 {
                " or "
            } else {
                ", "
            };
            list.push_str(pause);
            list.push('`');
            list.push_str(name);
            list.push('`');
        }
        let expected = match names.len() {
            0 => format!("there are no {what}s"),
            1 | 2 => format!("expected {list}"),
            _ => format!("expected one of {list}"),
        };
        self.wrong(format!("unknown {what} `{name}`, {expected}"))
    }

    fn place(&self, word: &str, names: &[&str]) -> Result<usize, Wrong<'a>> {
        names.iter().position(|name| *name == word).ok_or_else(|| self.unknown("variant", word, names))
    }

    /// Which of these words it is.
    ///
    /// # Errors
    /// When it is none.
    pub fn word(&self, names: &[&str]) -> Result<usize, Wrong<'a>> {
        match &self.value {
            Value::Text(text) => self.place(text, names),
            _ => Err(self.unfit_word(names)),
        }
    }

    #[cold]
    #[inline(never)]
    fn unfit_word(&self, names: &[&str]) -> Wrong<'a> {
        let mut wrong = self.unknown("variant", "", names);
        if let Some((_, expected)) = wrong.0.1.split_once(", ") {
            wrong.0.1 = format!("invalid type: {self}, {expected}");
        }
        wrong
    }

    /// Which of these words it is, or has as its only key, and what stands there.
    ///
    /// # Errors
    /// When it is none.
    pub fn variant(&self, names: &[&str]) -> Result<(usize, Option<&Node<'a>>), Wrong<'a>> {
        match &self.value {
            Value::Object(entries) => match &entries[..] {
                [(word, content)] => Ok((self.place(word, names)?, Some(content))),
                _ => Err(self.mismatch("map with a single key")),
            },
            _ => Ok((self.word(names)?, None)),
        }
    }

    /// What stands at the word of a variant.
    ///
    /// # Errors
    /// When nothing does.
    pub fn content<'n>(&self, content: Option<&'n Node<'a>>) -> Result<&'n Node<'a>, Wrong<'a>> {
        content.ok_or_else(|| self.mismatch("an object with the word as its key"))
    }

    /// Which of these words its tag is.
    ///
    /// # Errors
    /// When it is none, or there is no tag.
    pub fn tagged(&self, tag: &'static str, names: &[&str]) -> Result<usize, Wrong<'a>> {
        let Value::Object(entries) = &self.value else { return Err(self.mismatch("an object with named fields")) };
        match entries.iter().find(|(name, _)| name == tag) {
            Some((_, word)) => word.word(names),
            None => Err(self.missing(tag)),
        }
    }

    #[cold]
    #[inline(never)]
    fn missing(&self, name: &str) -> Wrong<'a> {
        self.wrong(format!("missing field `{name}`"))
    }

    /// A value by another form of it.
    ///
    /// # Errors
    /// When it does not have that form, or the value is refused.
    pub fn convert<F: Read<'a>, T: TryFrom<F>>(&self) -> Result<T, Wrong<'a>>
    where
        T::Error: fmt::Display,
    {
        T::try_from(F::read(self)?).map_err(|why| self.wrong(why.to_string()))
    }
}

/// As in messages.
impl fmt::Display for Node<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match &self.value {
            Value::Null => return f.write_str("null"),
            Value::List(_) => return f.write_str("sequence"),
            Value::Object(_) => return f.write_str("map"),
            Value::Text(text) => return write!(f, "string {text:?}"),
            Value::Bool(_) => "boolean",
            Value::Whole(_) | Value::Negative(_) => "integer",
            Value::Real(_) => "floating point",
        };
        write!(f, "{kind} `{}`", self.text)
    }
}

/// The fields of an object.
pub struct Found<'n, 'a> {
    node: &'n Node<'a>,
    entries: &'n [(Cow<'a, str>, Node<'a>)],
    names: &'static [&'static str],
}

impl<'n, 'a> Found<'n, 'a> {
    /// A field, by the place of its name.
    pub fn find(&self, place: usize) -> Option<&'n Node<'a>> {
        let name = self.names[place];
        self.entries.iter().find(|(other, _)| other == name).map(|(_, node)| node)
    }

    /// It is missing.
    pub fn missing(&self, place: usize) -> Wrong<'a> {
        self.node.missing(self.names[place])
    }

    /// A field that has to be there, unless it can be left out by its kind.
    ///
    /// # Errors
    /// When it is missing or wrong.
    pub fn need<T: Read<'a>>(&self, place: usize) -> Result<T, Wrong<'a>> {
        match self.find(place) {
            Some(node) => T::read(node),
            None => T::absent().ok_or_else(|| self.missing(place)),
        }
    }

    /// A field that may be left out.
    ///
    /// # Errors
    /// When it is wrong.
    pub fn or_default<T: Read<'a> + Default>(&self, place: usize) -> Result<T, Wrong<'a>> {
        self.find(place).map_or_else(|| Ok(T::default()), T::read)
    }
}

macro_rules! integers {
    ($($kind:ident),+) => {$(
        impl<'a> Read<'a> for $kind {
            fn read(node: &Node<'a>) -> Result<$kind, Wrong<'a>> {
                node.integer($kind::MIN as i64, $kind::MAX as u64, stringify!($kind)).map(|number| number as $kind)
            }
        }
    )+};
}

integers!(u8, u16, u32, u64, usize, i8, i16, i32, i64);

impl<'a> Read<'a> for f64 {
    fn read(node: &Node<'a>) -> Result<f64, Wrong<'a>> {
        match node.value {
            Value::Real(number) => Ok(number),
            Value::Whole(number) => Ok(number as f64),
            Value::Negative(number) => Ok(number as f64),
            _ => Err(node.mismatch("f64")),
        }
    }
}

impl<'a> Read<'a> for bool {
    fn read(node: &Node<'a>) -> Result<bool, Wrong<'a>> {
        match node.value {
            Value::Bool(value) => Ok(value),
            _ => Err(node.mismatch("a boolean")),
        }
    }
}

impl<'a> Read<'a> for () {
    fn read(node: &Node<'a>) -> Result<(), Wrong<'a>> {
        match node.value {
            Value::Null => Ok(()),
            _ => Err(node.mismatch("unit")),
        }
    }
}

impl<'a> Read<'a> for String {
    fn read(node: &Node<'a>) -> Result<String, Wrong<'a>> {
        node.str("a string").map(str::to_owned)
    }
}

impl<'a> Read<'a> for Box<str> {
    fn read(node: &Node<'a>) -> Result<Box<str>, Wrong<'a>> {
        node.str("a string").map(Box::from)
    }
}

impl<'a, T: Read<'a>> Read<'a> for Option<T> {
    fn read(node: &Node<'a>) -> Result<Option<T>, Wrong<'a>> {
        match node.value {
            Value::Null => Ok(None),
            _ => T::read(node).map(Some),
        }
    }

    fn absent() -> Option<Option<T>> {
        Some(None)
    }
}

impl<'a, T: Read<'a>> Read<'a> for Box<T> {
    fn read(node: &Node<'a>) -> Result<Box<T>, Wrong<'a>> {
        T::read(node).map(Box::new)
    }
}

impl<'a, T: Read<'a>> Read<'a> for Vec<T> {
    fn read(node: &Node<'a>) -> Result<Vec<T>, Wrong<'a>> {
        let items = node.items()?;
        let mut list = Vec::with_capacity(items.len());
        for item in items {
            list.push(T::read(item)?);
        }
        Ok(list)
    }
}

impl<'a, T: Read<'a>> Read<'a> for VecDeque<T> {
    fn read(node: &Node<'a>) -> Result<VecDeque<T>, Wrong<'a>> {
        Vec::read(node).map(VecDeque::from)
    }
}

impl<'a, T: Read<'a>, const N: usize> Read<'a> for [T; N] {
    fn read(node: &Node<'a>) -> Result<[T; N], Wrong<'a>> {
        node.parts(N)?;
        Vec::read(node)?.try_into().map_err(|_| node.unfit())
    }
}

impl<'a, T: Read<'a>, U: Read<'a>> Read<'a> for (T, U) {
    fn read(node: &Node<'a>) -> Result<(T, U), Wrong<'a>> {
        let parts = node.parts(2)?;
        Ok((T::read(&parts[0])?, U::read(&parts[1])?))
    }
}

impl<'a, T: Read<'a>> Read<'a> for BTreeMap<String, T> {
    fn read(node: &Node<'a>) -> Result<BTreeMap<String, T>, Wrong<'a>> {
        let Value::Object(entries) = &node.value else { return Err(node.mismatch("a map")) };
        let mut map = BTreeMap::new();
        for (key, value) in entries {
            map.insert(key.as_ref().to_owned(), T::read(value)?);
        }
        Ok(map)
    }
}

impl<'a> Read<'a> for serde_json::Value {
    fn read(node: &Node<'a>) -> Result<serde_json::Value, Wrong<'a>> {
        Ok(match &node.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(value) => (*value).into(),
            Value::Whole(number) => (*number).into(),
            Value::Negative(number) => (*number).into(),
            Value::Real(number) => (*number).into(),
            Value::Text(text) => text.as_ref().into(),
            Value::List(list) => serde_json::Value::Array(list.iter().map(Read::read).collect::<Result<_, _>>()?),
            Value::Object(entries) => {
                let mut map = serde_json::Map::new();
                for (key, value) in entries {
                    map.insert(key.as_ref().to_owned(), Read::read(value)?);
                }
                serde_json::Value::Object(map)
            }
        })
    }
}

/// A value as it is written, to be read later.
#[derive(Clone, Copy, Debug)]
pub struct Part<'a>(&'a str);

impl<'a> Part<'a> {
    /// How it is written.
    pub fn get(self) -> &'a str {
        self.0
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Part<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Part<'a>, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Part(raw.get()))
    }
}

impl<'a> Read<'a> for Part<'a> {
    fn read(node: &Node<'a>) -> Result<Part<'a>, Wrong<'a>> {
        Ok(Part(node.text))
    }
}

/// Makes a tree of a text.
struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

type Parsed<T> = Result<T, &'static str>;

impl<'a> Parser<'a> {
    fn whole(&mut self) -> Parsed<Node<'a>> {
        let node = self.node()?;
        match self.next() {
            None => Ok(node),
            Some(_) => Err("trailing characters"),
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    /// The next byte that is not white space.
    fn next(&mut self) -> Option<u8> {
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.at += 1;
        }
        self.byte()
    }

    fn node(&mut self) -> Parsed<Node<'a>> {
        let next = self.next();
        let begin = self.at;
        let value = match next {
            None => return Err("EOF while parsing a value"),
            Some(b'"') => Value::Text(self.string()?),
            Some(b'[') => self.nested(Parser::list)?,
            Some(b'{') => self.nested(Parser::object)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'n') => self.ident("null", Value::Null)?,
            Some(b't') => self.ident("true", Value::Bool(true))?,
            Some(b'f') => self.ident("false", Value::Bool(false))?,
            Some(_) => return Err("expected value"),
        };
        Ok(Node { text: &self.text[begin..self.at], value })
    }

    fn ident(&mut self, word: &str, value: Value<'a>) -> Parsed<Value<'a>> {
        if !self.text.as_bytes()[self.at..].starts_with(word.as_bytes()) {
            return Err("expected ident");
        }
        self.at += word.len();
        Ok(value)
    }

    fn nested(&mut self, read: fn(&mut Self) -> Parsed<Value<'a>>) -> Parsed<Value<'a>> {
        if self.depth == DEEPEST {
            return Err("recursion limit exceeded");
        }
        self.depth += 1;
        self.at += 1;
        let value = read(self);
        self.depth -= 1;
        value
    }

    fn list(&mut self) -> Parsed<Value<'a>> {
        let mut list = Vec::new();
        if self.next() == Some(b']') {
            self.at += 1;
            return Ok(Value::List(list));
        }
        loop {
            list.push(self.node()?);
            let next = self.next();
            self.at += usize::from(next.is_some());
            match next {
                Some(b']') => return Ok(Value::List(list)),
                Some(b',') if self.next() == Some(b']') => return Err("trailing comma"),
                Some(b',') => {}
                Some(_) => return Err("expected `,` or `]`"),
                None => return Err("EOF while parsing a list"),
            }
        }
    }

    fn object(&mut self) -> Parsed<Value<'a>> {
        let mut entries = Vec::new();
        if self.next() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(entries));
        }
        loop {
            match self.next() {
                Some(b'"') => {}
                Some(b'}') => return Err("trailing comma"),
                Some(_) => return Err("key must be a string"),
                None => return Err("EOF while parsing an object"),
            }
            let key = self.string()?;
            match self.next() {
                Some(b':') => self.at += 1,
                Some(_) => return Err("expected `:`"),
                None => return Err("EOF while parsing an object"),
            }
            entries.push((key, self.node()?));
            let next = self.next();
            self.at += usize::from(next.is_some());
            match next {
                Some(b'}') => return Ok(Value::Object(entries)),
                Some(b',') => {}
                Some(_) => return Err("expected `,` or `}`"),
                None => return Err("EOF while parsing an object"),
            }
        }
    }

    /// A text, which may lie in the source just as it is.
    fn string(&mut self) -> Parsed<Cow<'a, str>> {
        self.at += 1;
        let mut begin = self.at;
        let mut copied = String::new();
        loop {
            let Some(byte) = self.byte() else { return Err("EOF while parsing a string") };
            match byte {
                b'"' | b'\\' => {
                    let plain = &self.text[begin..self.at];
                    self.at += 1;
                    if byte == b'"' && copied.is_empty() {
                        return Ok(Cow::Borrowed(plain));
                    }
                    copied.push_str(plain);
                    if byte == b'"' {
                        return Ok(Cow::Owned(copied));
                    }
                    copied.push(self.escape()?);
                    begin = self.at;
                }
                0..0x20 => return Err("control character (\\u0000-\\u001F) found while parsing a string"),
                _ => self.at += 1,
            }
        }
    }

    fn escape(&mut self) -> Parsed<char> {
        let Some(byte) = self.byte() else { return Err("EOF while parsing a string") };
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => byte.into(),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let unit = self.unit()?;
                let code = match unit {
                    0xd800..0xdc00 if self.text.as_bytes()[self.at..].starts_with(b"\\u") => {
                        self.at += 2;
                        match self.unit()? {
                            second @ 0xdc00..0xe000 => 0x1_0000 + ((unit - 0xd800) << 10) + (second - 0xdc00),
                            _ => unit,
                        }
                    }
                    unit => unit,
                };
                return char::from_u32(code).ok_or("lone leading surrogate in hex escape");
            }
            _ => return Err("invalid escape"),
        })
    }

    /// Four hexadecimal digits.
    fn unit(&mut self) -> Parsed<u32> {
        let mut unit = 0;
        for _ in 0..4 {
            let Some(byte) = self.byte() else { return Err("EOF while parsing a string") };
            let Some(digit) = char::from(byte).to_digit(16) else { return Err("invalid escape") };
            unit = unit * 16 + digit;
            self.at += 1;
        }
        Ok(unit)
    }

    fn number(&mut self) -> Parsed<Value<'a>> {
        let negative = self.byte() == Some(b'-');
        self.at += usize::from(negative);
        let begin = self.at;
        // The digits that fit, and by how many powers of ten they are to be multiplied.
        let (mut digits, mut power) = (0_u64, 0_i32);
        let mut whole = true;
        let mut exact = true;
        loop {
            match self.byte() {
                Some(byte @ b'0'..=b'9') => {
                    let more = digits.checked_mul(10).and_then(|digits| digits.checked_add(u64::from(byte - b'0')));
                    match more.filter(|_| exact) {
                        Some(more) => (digits, power) = (more, power - i32::from(!whole)),
                        None => (exact, power) = (false, power.saturating_add(i32::from(whole))),
                    }
                    if whole && self.at > begin && self.text.as_bytes()[begin] == b'0' {
                        return Err("invalid number");
                    }
                }
                Some(b'.') if whole && self.at > begin => {
                    whole = false;
                    if !matches!(self.text.as_bytes().get(self.at + 1), Some(b'0'..=b'9')) {
                        return Err("invalid number");
                    }
                }
                _ => break,
            }
            self.at += 1;
        }
        if self.at == begin {
            return Err("invalid number");
        }
        if let Some(b'e' | b'E') = self.byte() {
            (whole, power) = (false, power.saturating_add(self.exponent()?));
        }
        if whole && exact {
            match (negative, 0_i64.checked_sub_unsigned(digits)) {
                (false, _) => return Ok(Value::Whole(digits)),
                (true, Some(number)) if number != 0 => return Ok(Value::Negative(number)),
                _ => {}
            }
        }
        let number = scaled(digits as f64, power);
        if number.is_infinite() {
            return Err("number out of range");
        }
        Ok(Value::Real(if negative { -number } else { number }))
    }

    fn exponent(&mut self) -> Parsed<i32> {
        self.at += 1;
        let negative = self.byte() == Some(b'-');
        self.at += usize::from(matches!(self.byte(), Some(b'-' | b'+')));
        let begin = self.at;
        let mut exponent = 0_i32;
        while let Some(byte @ b'0'..=b'9') = self.byte() {
            exponent = exponent.saturating_mul(10).saturating_add(i32::from(byte - b'0'));
            self.at += 1;
        }
        if self.at == begin {
            return Err("invalid number");
        }
        Ok(if negative { -exponent } else { exponent })
    }
}

/// A number times a power of ten: the nearest one if both fit into a float, which is so for all that people write.
fn scaled(mut number: f64, mut power: i32) -> f64 {
    while power != 0 && number != 0.0 && number.is_finite() {
        let step = power.clamp(-22, 22);
        let factor = 10_f64.powi(step.abs());
        number = if step < 0 { number / factor } else { number * factor };
        power -= step;
    }
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chance as _, Seeded};

    /// The same text by both readers.
    fn both(text: &str) -> (Option<serde_json::Value>, Option<serde_json::Value>) {
        (serde_json::from_str(text).ok(), read(text).ok())
    }

    #[test]
    fn texts_are_read_as_serde_reads_them() {
        let texts = [
            "",
            " ",
            "null",
            "nul",
            "true ",
            "false",
            "[]",
            "[1,]",
            "[1 2]",
            "{}",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{1:2}",
            "0",
            "-0",
            "00",
            "01",
            "-",
            "-1",
            "1.",
            ".5",
            "1.5",
            "-1.25e2",
            "1e",
            "1e+",
            "1E-3",
            "1e400",
            "-1e400",
            "1e-400",
            "18446744073709551615",
            "18446744073709551616",
            "-9223372036854775808",
            "-9223372036854775809",
            "123456789012345678901234567890",
            "0.1",
            "0.30000000000000004",
            "\"a\\n\\u0041\\ud83d\\ude00\\\\\\\"/\\/\"",
            "\"\\ud83d\"",
            "\"\\ud83dx\"",
            "\"\\udc00\"",
            "\"\\ud83d\\u0041\"",
            "\"\u{1}\"",
            "\"é😀\"",
            "\"abc",
            "\"a\\",
            "\"\\x\"",
            "\"\\u12",
            "[[[[1]]]]",
            "[null,true,\"x\",{\"a\":[{}]}] x",
            "1 1",
            "{\"a\":1,\"b\":{\"c\":[1,2.5,-3]}}",
        ];
        for text in texts {
            let (serde, own) = both(text);
            assert_eq!(serde, own, "{text}");
        }
        for depth in [126, 127, 128, 129] {
            let text = "[".repeat(depth) + &"]".repeat(depth);
            let (serde, own) = both(&text);
            assert_eq!(serde, own, "{depth}");
        }
    }

    #[test]
    fn broken_texts_are_refused_as_serde_refuses_them() {
        let whole = "{\"a\": [1, -2.5, true, null, \"x\\u00e9\\n\"], \"b\": {\"c\": 1e3, \"\": \"\"}}";
        let mut chance = Seeded::new(1);
        for _ in 0..20_000 {
            let mut bytes = whole.as_bytes().to_vec();
            for _ in 0..=chance.below(3) {
                let place = chance.below(bytes.len() as u32) as usize;
                match chance.below(3) {
                    0 => drop(bytes.remove(place)),
                    1 => bytes[place] = b"{}[]\",:\\0-.e1 u"[chance.below(15) as usize],
                    _ => bytes.insert(place, b"{}[]\",:\\0-.e1 u"[chance.below(15) as usize]),
                }
            }
            let text = String::from_utf8(bytes).unwrap();
            let (serde, own) = both(&text);
            assert_eq!(serde, own, "{text}");
        }
    }

    #[test]
    fn rules_are_read_and_refused_in_the_same_words() {
        for text in [
            r#"{"edition":"original"}"#,
            r#"{"edition":"custom","house":{"jump_in":true,"hand_size":7,"stacking":"any"},"custom_cards":[null,3,{"title":"A","text":"B","effects":[]}]}"#,
            r#"{"edition":"original","scoring":{"type":"first_to","target":300}}"#,
            r#"{"edition":"original","scoring":{"type":"first_to"}}"#,
            r#"{"edition":"original","scoring":{"target":3,"type":"lowest_at"}}"#,
            r#"{}"#,
            r#"{"edition":"orginal"}"#,
            r#"{"edition":7}"#,
            r#"{"edition":"original","house":{"hand_size":300}}"#,
            r#"{"edition":"original","house":{"hand_size":-3}}"#,
            r#"{"edition":"original","house":{"hand_size":"x"}}"#,
            r#"{"edition":"original","house":{"hand":1}}"#,
            r#"{"edition":"original","edition":"modern"}"#,
            r#"{"edition":"original","scoring":{"type":"best_of"}}"#,
            r#"{"edition":"original","scoring":{"type":"first_to","target":0}}"#,
            r#"{"edition":"original","scoring":{}}"#,
            r#"{"edition":"original","house":{"stacking":"all"}}"#,
            r#"{"edition":"original","house":{"stacking":true}}"#,
            r#"["original"]"#,
        ] {
            let serde = serde_json::from_str::<crate::RulesSpec>(text).map_err(|why| Error::from(why).message);
            let own = read::<crate::RulesSpec>(text).map_err(|why| why.message);
            assert_eq!(serde, own, "{text}");
        }
    }
}
