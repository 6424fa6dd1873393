//! The page for playing in a browser, built from `web/` by this crate's build and carried in the binary, compressed.
#![forbid(unsafe_code)]

use std::borrow::Cow;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Only the page's own scripts, styles, pictures and answers; nothing inline. `wasm-unsafe-eval` lets it run the module,
/// which is WebAssembly, and nothing else that a script made up.
macro_rules! policy {
    () => {
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
         font-src 'self'; connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'none'"
    };
}

/// The Content-Security-Policy of the page, for a meta tag: without what only a header can say.
pub const POLICY: &str = policy!();

/// The Content-Security-Policy of the page, for a header.
pub const SERVED_POLICY: &str = concat!(policy!(), "; frame-ancestors 'none'");

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
            Some("wasm") => "application/wasm",
            _ => "application/octet-stream",
        }
    }

    /// How long browsers may keep it: files with a hash in their name for good, others for a while, the page itself and
    /// its service worker not at all, so that a new version is seen at once.
    pub fn cache_control(&self) -> &'static str {
        match self.path {
            "index.html" | "sw.js" => "no-cache",
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

/// Whether the page can run tables by itself: whether the module is among its files.
pub fn has_module() -> bool {
    FILES.iter().any(is_module)
}

fn is_module(file: &File) -> bool {
    file.path.ends_with(".wasm")
}

/// A file of a site without a server: its path below the site's folder, and what is in it.
pub type SiteFile = (&'static str, Cow<'static, [u8]>);

/// The page as plain files that any web host can serve, in any folder. Its HTML names the other files by relative addresses,
/// says that there is no server, and carries the policy that a server would send as a header.
///
/// # Errors
/// If the binary was built without the page, or without the module: such a site could do nothing.
pub fn site() -> Result<Vec<SiteFile>, &'static str> {
    let index = index().ok_or("this unum was built without its page: install Node 20 or newer and build it again")?;
    if !has_module() {
        return Err(
            "this unum was built without the WebAssembly module, and a page without a server needs it to play: \
                    `rustup target add wasm32-unknown-unknown`, and build it again",
        );
    }
    let others = FILES.iter().filter(|file| file.path != index.path).map(|file| (file.path, Cow::Borrowed(file.plain)));
    let html = standalone(&String::from_utf8_lossy(index.plain));
    let own = [(index.path, html.into_bytes()), ("_headers", headers().into_bytes()), (".nojekyll", Vec::new())];
    Ok(others.chain(own.map(|(path, bytes)| (path, Cow::Owned(bytes)))).collect())
}

/// The page's HTML for a site without a server.
fn standalone(html: &str) -> String {
    let policy = format!("<head>\n    <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\" />");
    let marked = html.replacen("<html ", "<html data-site=\"files\" ", 1).replacen("<head>", &policy, 1);
    marked.replace("=\"/", "=\"./")
}

/// The page's HTML for a server that lies below a path, such as `/uno`, or at the root if that is empty.
pub fn below(html: &str, base: &str) -> String {
    if base.is_empty() {
        return html.to_owned();
    }
    // The mark comes last: it is an address already.
    let html = html.replace("=\"/", &format!("=\"{base}/"));
    html.replacen("<html ", &format!("<html data-folder=\"{base}/\" "), 1)
}

/// Headers for hosts that read them from a file of this name (Netlify, Cloudflare Pages).
fn headers() -> String {
    format!(
        "/*\n  Content-Security-Policy: {SERVED_POLICY}\n  X-Content-Type-Options: nosniff\n  Referrer-Policy: no-referrer\n\
         /assets/*\n  Cache-Control: public, max-age=31536000, immutable\n/sw.js\n  Cache-Control: no-cache\n"
    )
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
            // The module has a budget of its own, and is loaded when nobody waits.
            let loaded = files.iter().filter(|one| one.path == "index.html" || one.path.starts_with("assets/"));
            let loaded = loaded.filter(|one| !is_module(one));
            let sum: usize = loaded.filter(|one| !foreign(one)).map(packed).sum();
            assert!((60 * 1024..=250 * 1024).contains(&sum), "{own}: {sum} bytes");
        }
    }

    #[test]
    fn a_site_without_a_server_finds_its_files_in_any_folder() {
        let html = "<!doctype html><html lang=\"en\"><head><link href=\"/a.css\" /></head><script src=\"/assets/b.js\"></script>";
        let made = standalone(html);
        assert!(made.contains("<html data-site=\"files\" lang") && made.contains("content=\"default-src 'none'"));
        assert!(made.contains("href=\"./a.css\"") && made.contains("src=\"./assets/b.js\"") && !made.contains("\"/"));
    }

    #[test]
    fn the_page_of_a_server_below_a_path_finds_its_files_there() {
        let html = "<!doctype html>\n<html lang=\"en\"><head><link href=\"/a.css\" /></head><script src=\"/assets/b.js\"></script>";
        let made = below(html, "/games/uno");
        assert!(made.contains("<html data-folder=\"/games/uno/\" lang=\"en\">"), "{made}");
        assert!(
            made.contains("href=\"/games/uno/a.css\"") && made.contains("src=\"/games/uno/assets/b.js\""),
            "{made}"
        );
        assert_eq!(below(html, ""), html);
        if let Some(page) = built().and_then(|_| index()) {
            let made = below(&String::from_utf8_lossy(page.plain), "/uno");
            let addresses = made.split("=\"/").skip(1).map(|rest| rest.split('"').next().unwrap_or_default());
            let addresses: Vec<&str> = addresses.collect();
            assert!(addresses.len() > 3 && addresses.iter().all(|address| address.starts_with("uno/")), "{made}");
        }
    }

    #[test]
    fn a_site_without_a_server_has_every_file() {
        if built().is_none() {
            return;
        }
        match site() {
            Err(why) => assert!(!has_module() && why.contains("wasm32-unknown-unknown"), "{why}"),
            Ok(made) => {
                let paths: Vec<&str> = made.iter().map(|(path, _)| *path).collect();
                assert!(files().iter().all(|file| paths.contains(&file.path)));
                let (_, html) = made.iter().find(|(path, _)| *path == "index.html").expect("a page");
                let html = String::from_utf8_lossy(html);
                assert!(html.contains("data-site=\"files\"") && !html.contains("=\"/"), "{html}");
            }
        }
    }

    #[test]
    fn no_file_names_an_address_at_the_root() {
        let Some(files) = built() else { return };
        for one in files.iter().filter(|one| one.path.ends_with(".js") || one.path.ends_with(".css")) {
            let text = String::from_utf8_lossy(one.plain);
            for sign in ["\"/assets/", "'/assets/", "`/assets/", "url(/assets/"] {
                assert!(!text.contains(sign), "{}: {sign}", one.path);
            }
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
