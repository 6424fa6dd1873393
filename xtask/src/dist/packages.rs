//! Every package of others that is part of a release: what it is, by which license, and where that is written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use serde_json::Value;

use crate::{command, root};

/// Licenses under which anybody may pass on a program with its sources elsewhere, if the text comes along.
const ACCEPTED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "MIT-0",
    "OFL-1.1",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// The packages of npm whose code, or font, is in the page. All others only help to build it.
pub(super) const IN_PAGE: &[&str] =
    &["@fontsource-variable/fredoka", "@noble/hashes", "clsx", "esm-env", "svelte", "uqr"];

/// How files with a license begin.
const LICENSE_FILES: &[&str] = &["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE", "COPYRIGHT"];

/// Where a package is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Origin {
    Cargo,
    Npm,
}

/// A package of others.
#[derive(Clone, Debug)]
pub(super) struct Package {
    pub(super) origin: Origin,
    pub(super) name: String,
    pub(super) version: String,
    /// As its author has declared it (SPDX).
    pub(super) license: String,
    /// Whether its code is in what is released; otherwise it only helps to build that.
    pub(super) is_shipped: bool,
    /// The digest of its archive, in hexadecimal, if the lock file has it: the kind and the value.
    pub(super) digest: Option<(&'static str, String)>,
    /// What it needs, by the places in the list.
    pub(super) needs: BTreeSet<usize>,
    folder: PathBuf,
    authors: Vec<String>,
}

impl Package {
    /// Its name in the world (package URL).
    pub(super) fn url(&self) -> String {
        match self.origin {
            Origin::Cargo => format!("pkg:cargo/{}@{}", self.name, self.version),
            Origin::Npm => format!("pkg:npm/{}@{}", self.name.replace('@', "%40"), self.version),
        }
    }

    /// The texts of its license.
    fn texts(&self) -> Vec<String> {
        let mut files: Vec<PathBuf> =
            fs::read_dir(&self.folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
        files.sort();
        let is_license = |path: &Path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            path.is_file() && LICENSE_FILES.iter().any(|start| name.starts_with(start))
        };
        let texts = files.iter().filter(|path| is_license(path)).filter_map(|path| fs::read(path).ok());
        texts.map(|bytes| String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim().to_owned()).collect()
    }
}

/// All packages that a release for a target is made of.
///
/// # Errors
/// When they cannot be listed, or one may not be passed on.
pub(super) fn all(target: &str) -> anyhow::Result<Vec<Package>> {
    let mut packages = cargo(target)?;
    let first = packages.len();
    packages.extend(npm()?);
    for package in &mut packages[first..] {
        package.needs = package.needs.iter().map(|at| at + first).collect();
    }
    for package in packages.iter().filter(|package| package.is_shipped) {
        if !is_accepted(&package.license) {
            bail!(
                "{} {} is licensed as {:?}, which is not in the list of accepted licenses",
                package.name,
                package.version,
                package.license
            );
        }
    }
    Ok(packages)
}

/// What the program is made of, as far as it is not ours.
fn cargo(target: &str) -> anyhow::Result<Vec<Package>> {
    let mut list = command("cargo metadata --format-version 1 --locked");
    let output = list.args(["--filter-platform", target]).output().context("cargo metadata")?;
    if !output.status.success() {
        bail!("cargo metadata: {}", String::from_utf8_lossy(&output.stderr));
    }
    let metadata: Value = serde_json::from_slice(&output.stdout)?;
    let digests = cargo_digests()?;
    let by_id: BTreeMap<&str, &Value> =
        list_of(&metadata, "packages").map(|package| (text(&package["id"]), package)).collect();
    let nodes: BTreeMap<&str, &Value> =
        list_of(&metadata["resolve"], "nodes").map(|node| (text(&node["id"]), node)).collect();
    let named = |id: &&str| {
        let package = by_id[*id];
        (text(&package["name"]).to_owned(), text(&package["version"]).to_owned())
    };
    let (shipped, used) = (tree(target, "normal")?, tree(target, "normal,build")?);
    let used: BTreeSet<&str> = by_id.keys().copied().filter(|id| used.contains(&named(id))).collect();
    let shipped: BTreeSet<&str> = used.iter().copied().filter(|id| shipped.contains(&named(id))).collect();
    let foreign: Vec<&str> = used.iter().copied().filter(|id| !by_id[id]["source"].is_null()).collect();
    let place: BTreeMap<&str, usize> = foreign.iter().enumerate().map(|(at, id)| (*id, at)).collect();
    let packages = foreign.iter().map(|id| {
        let package = by_id[id];
        let (name, version) = (text(&package["name"]).to_owned(), text(&package["version"]).to_owned());
        let needs = dependencies(nodes[id], &[Value::Null, Value::from("build")]);
        let is_macro =
            list_of(package, "targets").any(|target| list_of(target, "kind").any(|kind| kind == "proc-macro"));
        Package {
            origin: Origin::Cargo,
            license: text(&package["license"]).replace('/', " OR "),
            is_shipped: shipped.contains(id) && !is_macro,
            digest: digests.get(&(name.clone(), version.clone())).map(|digest| ("SHA-256", digest.clone())),
            needs: needs.iter().filter_map(|id| place.get(id).copied()).collect(),
            folder: Path::new(text(&package["manifest_path"])).parent().unwrap_or(Path::new("")).to_owned(),
            authors: list_of(package, "authors").map(|author| text(author).to_owned()).collect(),
            name,
            version,
        }
    });
    Ok(packages.collect())
}

/// The packages that the program needs, by name and version, with these kinds of dependencies. `cargo metadata` lists also
/// those that a feature would need which nobody has asked for.
fn tree(target: &str, edges: &str) -> anyhow::Result<BTreeSet<(String, String)>> {
    let mut list = command("cargo tree --locked --package unum --prefix none --no-dedupe --format {p}");
    let output = list.args(["--target", target, "--edges", edges]).output().context("cargo tree")?;
    if !output.status.success() {
        bail!("cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    }
    let lines = String::from_utf8(output.stdout)?;
    let named = lines.lines().filter_map(|line| {
        let (name, rest) = line.split_once(" v")?;
        Some((name.to_owned(), rest.split(' ').next()?.to_owned()))
    });
    Ok(named.collect())
}

fn dependencies<'a>(node: &'a Value, kinds: &[Value]) -> Vec<&'a str> {
    let wanted = |needed: &&Value| list_of(needed, "dep_kinds").any(|kind| kinds.contains(&kind["kind"]));
    list_of(node, "deps").filter(wanted).map(|needed| text(&needed["pkg"])).collect()
}

/// The digests in the lock file, which has one package per paragraph.
fn cargo_digests() -> anyhow::Result<BTreeMap<(String, String), String>> {
    let lock = fs::read_to_string(root().join("Cargo.lock"))?;
    let of = |paragraph: &str, key: &str| {
        let line = paragraph.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"'));
        line.map(str::to_owned)
    };
    let found = lock.split("[[package]]").filter_map(|paragraph| {
        Some(((of(paragraph, "name")?, of(paragraph, "version")?), of(paragraph, "checksum")?))
    });
    Ok(found.collect())
}

/// What the page is built with and made of.
fn npm() -> anyhow::Result<Vec<Package>> {
    let lock: Value = serde_json::from_slice(&fs::read(root().join("web/package-lock.json"))?)?;
    let packages = lock["packages"].as_object().context("the packages of the page")?;
    let packages: Vec<(&String, &Value)> = packages.iter().filter(|(path, _)| !path.is_empty()).collect();
    let name_of = |path: &str| path.rsplit_once("node_modules/").map_or(path, |(_, name)| name).to_owned();
    let found = packages.iter().map(|(path, package)| {
        let name = name_of(path);
        // A package's own copy of another is nearer than the one at the top.
        let near = |needed: &String| {
            let own = format!("{path}/node_modules/{needed}");
            let top = format!("node_modules/{needed}");
            packages.iter().position(|(at, _)| **at == own).or_else(|| packages.iter().position(|(at, _)| **at == top))
        };
        Package {
            origin: Origin::Npm,
            is_shipped: IN_PAGE.contains(&name.as_str()) && path.matches("node_modules/").count() == 1,
            version: text(&package["version"]).to_owned(),
            license: text(&package["license"]).to_owned(),
            digest: text(&package["integrity"])
                .strip_prefix("sha512-")
                .and_then(from_base64)
                .map(|digest| ("SHA-512", digest)),
            needs: package["dependencies"]
                .as_object()
                .into_iter()
                .flat_map(|needed| needed.keys())
                .filter_map(near)
                .collect(),
            folder: root().join("web").join(path),
            authors: Vec::new(),
            name,
        }
    });
    Ok(found.collect())
}

/// Base64 as hexadecimal.
fn from_base64(text: &str) -> Option<String> {
    let value = |letter: u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let (mut bits, mut count, mut hex) = (0_u32, 0, String::new());
    for letter in text.trim_end_matches('=').bytes() {
        bits = bits << 6 | u32::from(value(letter)?);
        count += 6;
        if count >= 8 {
            count -= 8;
            let _ = write!(hex, "{:02x}", bits >> count & 0xff);
        }
    }
    Some(hex)
}

/// The licenses of everything that is shipped, every text once.
///
/// # Errors
/// When a package has no text and no other has that of its license.
pub(super) fn licenses(packages: &[Package]) -> anyhow::Result<String> {
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut bare = Vec::new();
    for package in packages.iter().filter(|package| package.is_shipped) {
        let name = format!("{} {} ({})", package.name, package.version, package.license);
        let mut texts = package.texts();
        if package.name == "@fontsource-variable/fredoka" && texts.is_empty() {
            texts.push(fs::read_to_string(root().join("docs/licenses/fredoka.txt"))?);
        }
        if texts.is_empty() {
            bare.push(format!(
                "{name}, by {}",
                if package.authors.is_empty() { "its authors".to_owned() } else { package.authors.join(", ") }
            ));
        }
        for text in texts {
            by_text.entry(text).or_default().push(name.clone());
        }
    }
    let mut text = String::from("This program contains the packages below, each under its license.\n");
    let _ = writeln!(text, "\n{}\n{STANDARD_LIBRARY}", "=".repeat(78));
    if !bare.is_empty() {
        let _ = writeln!(
            text,
            "\n{}\nWithout a text of their own; the texts of these licenses are among those below:\n",
            "=".repeat(78)
        );
        bare.iter().for_each(|name| text.push_str(&format!("  {name}\n")));
    }
    for (license, names) in by_text {
        let _ = writeln!(text, "\n{}\n  {}\n\n{license}", "=".repeat(78), names.join("\n  "));
    }
    Ok(text)
}

/// What is in every program besides packages.
const STANDARD_LIBRARY: &str = "\
  the standard library of Rust (MIT OR Apache-2.0), Copyright (c) The Rust Project Contributors
  SQLite, in the public domain
  musl, the C library, in programs for x86_64-unknown-linux-musl and aarch64-unknown-linux-musl (MIT),
  Copyright (c) 2005-2020 Rich Felker, et al.

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation files
(the \"Software\"), to deal in the Software without restriction, including without limitation the rights to use, copy, modify, merge,
publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the Software is furnished to do
so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED \"AS IS\", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE
FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.";

/// Whether the terms of an SPDX expression can be met with accepted licenses.
fn is_accepted(expression: &str) -> bool {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace(" WITH ", "~");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let (accepted, rest) = any(&words);
    accepted && rest.is_empty()
}

/// One of several: `A OR B`.
fn any<'a>(words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
    let (mut accepted, mut rest) = every(words);
    while let Some(("OR", more)) = rest.split_first().map(|(word, more)| (*word, more)) {
        let (other, left) = every(more);
        (accepted, rest) = (accepted | other, left);
    }
    (accepted, rest)
}

/// All of several: `A AND B`, which binds closer.
fn every<'a>(words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
    let (mut accepted, mut rest) = single(words);
    while let Some(("AND", more)) = rest.split_first().map(|(word, more)| (*word, more)) {
        let (other, left) = single(more);
        (accepted, rest) = (accepted & other, left);
    }
    (accepted, rest)
}

fn single<'a>(words: &'a [&'a str]) -> (bool, &'a [&'a str]) {
    match words.split_first() {
        Some((&"(", inside)) => {
            let (accepted, rest) = any(inside);
            (accepted && rest.first() == Some(&")"), rest.get(1..).unwrap_or_default())
        }
        Some((word, rest)) => (ACCEPTED.contains(&word.replace('~', " WITH ").as_str()), rest),
        // Something is missing: what is left over says so.
        None => (false, &["nothing"]),
    }
}

fn list_of<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> + use<'a> {
    value[key].as_array().into_iter().flatten()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_license_is_accepted_if_its_terms_can_be_met() {
        for good in [
            "MIT",
            "MIT OR Apache-2.0",
            "GPL-3.0-only OR MIT",
            "(MIT OR GPL-2.0-only) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception OR Apache-2.0 OR MIT",
            "Apache-2.0 AND ISC",
        ] {
            assert!(is_accepted(good), "{good}");
        }
        for bad in ["", "GPL-3.0-only", "MIT AND GPL-3.0-only", "(MIT", "MIT OR", "MIT MIT", "Apache-2.0 WITH anything"]
        {
            assert!(!is_accepted(bad), "{bad}");
        }
    }

    #[test]
    fn digests_of_npm_are_turned_into_those_of_others() {
        assert_eq!(from_base64("AAH/").as_deref(), Some("0001ff"));
        assert_eq!(from_base64("Zg==").as_deref(), Some("66"));
        assert_eq!(from_base64("Zm8=").as_deref(), Some("666f"));
        assert_eq!(from_base64("*"), None);
    }

    #[test]
    fn what_the_page_imports_is_known_to_be_shipped() {
        let mut open = vec![root().join("web/src")];
        let mut imported = BTreeSet::new();
        while let Some(path) = open.pop() {
            if path.is_dir() {
                open.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
                continue;
            }
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let is_code = [".ts", ".svelte", ".css"].iter().any(|end| name.ends_with(end)) && !name.contains(".test.");
            for line in fs::read_to_string(&path).ok().filter(|_| is_code).unwrap_or_default().lines() {
                let from = line
                    .split_once(" from ")
                    .map(|(_, from)| from)
                    .or_else(|| line.trim_start().strip_prefix("import "));
                let Some(from) = from.and_then(|from| from.trim_start().strip_prefix(['\'', '"'])) else { continue };
                let parts: Vec<&str> = from.split(['\'', '"']).next().unwrap().split('/').collect();
                let name = if from.starts_with('@') { parts[..2].join("/") } else { parts[0].to_owned() };
                if !name.starts_with('.') && !name.starts_with("virtual:") && !name.starts_with('$') {
                    imported.insert(name);
                }
            }
        }
        assert!(imported.contains("svelte"), "{imported:?}");
        for name in imported.iter().filter(|name| !name.starts_with("node:")) {
            assert!(IN_PAGE.contains(&name.as_str()), "{name} is in the page: add it to IN_PAGE");
        }
    }
}
