//! The page for playing in a browser, built from `web/` by this crate's build and carried in the binary, compressed.
#![forbid(unsafe_code)]

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A file of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct File {
    /// Its path below the page's root, without a slash in front.
    pub path: &'static str,
    /// The file as it is.
    pub plain: &'static [u8],
    /// Compressed by Brotli, if that is smaller.
    pub brotli: Option<&'static [u8]>,
    /// Compressed by gzip, if that is smaller.
    pub gzip: Option<&'static [u8]>,
}

impl File {
    /// What kind of file it is, as HTTP says it.
    pub fn content_type(&self) -> &'static str {
        match self.path.rsplit_once('.').map(|(_, ending)| ending) {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("woff2") => "font/woff2",
            Some("png") => "image/png",
            Some("webmanifest") => "application/manifest+json",
            Some("json") => "application/json",
            _ => "application/octet-stream",
        }
    }

    /// How long browsers may keep it: files with a hash in their name for good, others for a while, the page itself not
    /// at all, so that a new version is seen at once.
    pub fn cache_control(&self) -> &'static str {
        match self.path {
            "index.html" => "no-cache",
            path if path.starts_with("assets/") => "public, max-age=31536000, immutable",
            _ => "public, max-age=86400",
        }
    }

    /// The smallest form that a browser with that `Accept-Encoding` takes, and what it is called.
    pub fn for_encodings(&self, accepted: &str) -> (&'static [u8], Option<&'static str>) {
        let takes = |name: &str| accepted.split(',').any(|one| one.split(';').next().map(str::trim) == Some(name));
        match (self.brotli, self.gzip) {
            (Some(bytes), _) if takes("br") => (bytes, Some("br")),
            (_, Some(bytes)) if takes("gzip") => (bytes, Some("gzip")),
            _ => (self.plain, None),
        }
    }
}

/// The file at a path, with or without a slash in front.
pub fn file(path: &str) -> Option<&'static File> {
    let path = path.trim_start_matches('/');
    FILES.binary_search_by(|file| file.path.cmp(path)).ok().map(|at| &FILES[at])
}

/// The page itself; `None` if the binary was built without it.
pub fn index() -> Option<&'static File> {
    file("index.html")
}

/// Every file, by path.
pub fn files() -> &'static [File] {
    FILES
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The files of the page. A build without Node has none: then there is nothing to test, which is said aloud, and on
    /// CI is a failure.
    fn built() -> Option<&'static [File]> {
        if files().is_empty() {
            let ci = std::env::var_os("CI").is_some_and(|value| value == "true");
            let node = std::process::Command::new("node").arg("--version").output().is_ok();
            assert!(!ci && !node, "the page was not built; the warnings of the build say why");
            eprintln!("SKIPPED: there is no Node on this machine, so the page was not built");
        }
        Some(files()).filter(|files| !files.is_empty())
    }

    #[test]
    fn files_are_found_by_path() {
        let Some(files) = built() else { return };
        assert!(index().is_some());
        assert!(FILES.windows(2).all(|pair| pair[0].path < pair[1].path));
        for one in files {
            assert_eq!(file(one.path), Some(one));
            assert_eq!(file(&format!("/{}", one.path)), Some(one));
        }
        assert_eq!(file("../Cargo.toml"), None);
    }

    /// Its length as most clients get it, or longer.
    fn packed(one: &File) -> usize {
        one.gzip.map_or(one.plain.len(), <[u8]>::len)
    }

    #[test]
    fn the_first_load_is_small() {
        let Some(files) = built() else { return };
        let index = index().expect("a page");
        let text = String::from_utf8_lossy(index.plain);
        let first = files.iter().filter(|one| one.path.starts_with("assets/") && text.contains(one.path));
        let sum = packed(index) + first.map(packed).sum::<usize>();
        assert!((10 * 1024..=120 * 1024).contains(&sum), "{sum} bytes");
    }

    /// The texts of languages other than English are loaded only by those who read them.
    #[test]
    fn everything_one_visitor_can_load_is_small() {
        const LANGUAGES: [&str; 5] = ["de", "es", "fr", "pt", "zh"];
        let Some(files) = built() else { return };
        let is_of = |one: &File, language: &str| one.path.starts_with(&format!("assets/{language}-"));
        for own in LANGUAGES {
            assert!(files.iter().any(|one| is_of(one, own)), "no texts in {own}");
            let foreign = |one: &File| LANGUAGES.iter().any(|other| *other != own && is_of(one, other));
            let loaded = files.iter().filter(|one| one.path == "index.html" || one.path.starts_with("assets/"));
            let sum: usize = loaded.filter(|one| !foreign(one)).map(packed).sum();
            assert!((60 * 1024..=250 * 1024).contains(&sum), "{own}: {sum} bytes");
        }
    }

    #[test]
    fn browsers_get_the_smallest_form_they_take() {
        let one = File { path: "a.js", plain: b"plain", brotli: Some(b"br"), gzip: Some(b"gz") };
        assert_eq!(one.for_encodings("gzip, deflate, br;q=0.9"), (&b"br"[..], Some("br")));
        assert_eq!(one.for_encodings("gzip"), (&b"gz"[..], Some("gzip")));
        assert_eq!(one.for_encodings("identity"), (&b"plain"[..], None));
        assert_eq!(File { brotli: None, gzip: None, ..one }.for_encodings("br"), (&b"plain"[..], None));
    }
}
