//! A page that needs nothing but itself.

use unum_rules::text::escape_html;

use super::text::Table;

/// How the page looks, in the light and in the dark.
const STYLE: &str = include_str!("page.css");

/// A page in the making.
pub(crate) struct Page {
    title: String,
    body: String,
}

impl Page {
    /// A page with a title and the result in one or more sentences.
    pub(crate) fn new(title: &str, headline: &str, sentences: &[String]) -> Page {
        let sentences: String =
            sentences.iter().map(|text| format!("<p class=\"lead\">{}</p>\n", escape_html(text))).collect();
        let title = escape_html(title);
        let body =
            format!("<header>\n<h1>{title}</h1>\n<p>{}</p>\n{sentences}</header>\n<main>\n", escape_html(headline));
        Page { title, body }
    }

    /// Says that something is missing.
    pub(crate) fn warn(&mut self, text: &str) {
        self.body += &format!("<p class=\"warning\">{}</p>\n", escape_html(text));
    }

    /// A few numbers worth looking at first.
    pub(crate) fn tiles(&mut self, tiles: &[(String, String)]) {
        let tile = |(value, label): &(String, String)| {
            format!(
                "<div class=\"tile\"><strong>{}</strong><span>{}</span></div>\n",
                escape_html(value),
                escape_html(label)
            )
        };
        self.body += &format!("<div class=\"tiles\">\n{}</div>\n", tiles.iter().map(tile).collect::<String>());
    }

    /// A chart with its heading and a sentence about how to read it.
    pub(crate) fn chart(&mut self, heading: &str, note: &str, svg: &str) {
        self.section("", heading, &format!("<p class=\"note\">{}</p>\n{svg}", escape_html(note)));
    }

    /// The same over the whole width of the page.
    pub(crate) fn wide_chart(&mut self, heading: &str, note: &str, svg: &str) {
        self.section("wide", heading, &format!("<p class=\"note\">{}</p>\n{svg}", escape_html(note)));
    }

    fn section(&mut self, class: &str, heading: &str, content: &str) {
        self.body += &format!("<section class=\"{class}\">\n<h2>{}</h2>\n{content}</section>\n", escape_html(heading));
    }

    /// A table with its heading.
    pub(crate) fn table(&mut self, heading: &str, table: &Table) {
        let cells = |row: &[String], tag: &str| {
            row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escape_html(cell))).collect::<String>()
        };
        let mut rows = table.rows().iter();
        let head = rows.next().map_or(String::new(), |row| cells(row, "th"));
        let rows: String = rows.map(|row| format!("<tr>{}</tr>\n", cells(row, "td"))).collect();
        let class = if table.is_wide() { "wide" } else { "" };
        let table = format!("<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n");
        self.section(class, heading, &format!("<div class=\"scroll\"><table>\n{table}</table></div>\n"));
    }

    /// The whole page, with the command that was run.
    pub(crate) fn finish(self, command: &str, repeatable: bool) -> String {
        let Page { title, body } = self;
        let note = match repeatable {
            true => "The same command gives the same figures on every machine, with any number of threads.",
            false => {
                "Programs and bots that think by the clock do not repeat themselves, so the same command gives slightly \
                 different figures."
            }
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n\
             <style>\n{STYLE}</style>\n</head>\n<body>\n{body}\
             <section class=\"wide\">\n<h2>Run it again</h2>\n<pre><code>{}</code></pre>\n\
             <p class=\"note\">{note} All intervals are 95 % intervals.</p>\n</section>\n</main>\n\
             <footer>unum {}</footer>\n</body>\n</html>\n",
            escape_html(command),
            env!("CARGO_PKG_VERSION")
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_become_markup() {
        let mut page = Page::new("<b>", "a & b", &["\"quoted\"".to_owned()]);
        let mut table = Table::new(&["<i>"]);
        table.row(["</td>".to_owned()]);
        page.table("<script>", &table);
        page.tiles(&[("<u>".to_owned(), "<s>".to_owned())]);
        let html = page.finish("unum '<em>'", true);
        for tag in ["<b>", "<i>", "<script", "<u>", "<s>", "<em>", "</td></td>"] {
            assert!(!html.contains(tag), "{tag}");
        }
        assert!(html.contains("a &amp; b") && html.contains("&quot;quoted&quot;"));
    }

    #[test]
    fn a_page_needs_nothing_from_elsewhere() {
        let html = Page::new("a", "b", &[]).finish("unum", false);
        for word in ["http", "<script", "<link", "@import", "url("] {
            assert!(!html.contains(word), "{word}");
        }
    }
}
