//! Pages to read: a welcome, a table's invitation, and the interface for programs. Plain HTML without scripts.

use std::fmt::Write as _;
use std::sync::{Arc, LazyLock};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};
use serde_json::Value;
use unum_rules::Edition;
use unum_rules::rulebook::edition_notes;

use super::api::look;
use crate::app::App;
use crate::codes::{ApiCode, ByeCode};

/// The description of the interface, for programs.
pub(crate) const OPENAPI: &str = include_str!("openapi.json");
const STYLE: &str = include_str!("style.css");
/// How many public tables the welcome page shows.
const SHOWN: usize = 50;

pub(crate) async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response()
}

/// The welcome page.
pub(crate) async fn home(State(app): State<Arc<App>>) -> Html<String> {
    let mut body = String::from(
        "<h1>unum</h1><p>A server for playing UNO. It runs, and programs can play here: see the \
         <a href=\"/api\">interface</a> and the protocol in <code>docs/protocol.md</code>. \
         This program was built without its page for playing in the browser: with Node 20 or newer installed, build it \
         again.</p><h2>Public tables</h2>",
    );
    let tables = app.hub.listings(SHOWN);
    if tables.is_empty() {
        body.push_str("<p>There is none at the moment.</p>");
    } else {
        body.push_str("<table><tr><th>Table</th><th>Edition</th><th>People</th><th>Bots</th><th>Chairs</th></tr>");
        for table in tables {
            let title = if table.title.is_empty() { table.code.as_str() } else { table.title.as_str() };
            let _ = write!(
                body,
                "<tr><td><a href=\"/t/{}\">{}</a></td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                escape(&table.code),
                escape(title),
                table.edition.id(),
                table.people,
                table.bots,
                table.seats
            );
        }
        body.push_str("</table>");
    }
    body.push_str("<h2>Editions</h2><dl>");
    for notes in Edition::ALL.map(edition_notes) {
        let id = notes.edition.id();
        let (title, summary) = (escape(notes.title), escape(notes.summary));
        let _ = write!(body, "<dt><a href=\"/api/rules/{id}\">{title}</a></dt><dd>{summary}</dd>");
    }
    body.push_str("</dl>");
    page("unum", &body)
}

/// What an invite link leads to.
pub(crate) async fn table(State(app): State<Arc<App>>, Path(code): Path<String>) -> Response {
    let Ok(summary) = look(&app, &code).await else {
        let body =
            "<h1>No such table</h1><p>The link is wrong, or everybody has left. <a href=\"/\">To the start</a></p>";
        return (StatusCode::NOT_FOUND, page("No such table", body)).into_response();
    };
    let listing = &summary.listing;
    let body = format!(
        "<h1>{}</h1><p>You are invited to a table of UNO: {} edition, {} people and {} bots on {} chairs.</p>\
         <p>Programs join over the WebSocket <code>/ws</code> with the code <code>{}</code>.</p>",
        escape(if listing.title.is_empty() { "A table" } else { &listing.title }),
        listing.edition.id(),
        listing.people,
        listing.bots,
        listing.seats,
        escape(&listing.code)
    );
    page("An invitation", &body).into_response()
}

/// The interface for programs, made from its description.
pub(crate) async fn api() -> Html<String> {
    static PAGE: LazyLock<String> = LazyLock::new(|| page("The interface of unum", &api_body()).0);
    Html(PAGE.clone())
}

fn api_body() -> String {
    let document: Value = serde_json::from_str(OPENAPI).unwrap_or_default();
    let mut body = format!("<h1>{}</h1>", text(&document["info"]["title"]));
    for paragraph in document["info"]["description"].as_str().unwrap_or_default().split("\n\n") {
        let _ = write!(body, "<p>{}</p>", escape(paragraph));
    }
    body.push_str("<p>For programs: <a href=\"/api/openapi.json\">openapi.json</a></p>");
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let _ = write!(body, "<h2><code>{} {}</code></h2>", method.to_uppercase(), escape(path));
            let _ = write!(body, "<p>{}</p>", text(&operation["summary"]));
            describe(&mut body, operation);
        }
    }
    codes(&mut body);
    body
}

fn describe(body: &mut String, operation: &Value) {
    if let Some(description) = operation["description"].as_str() {
        let _ = write!(body, "<p>{}</p>", escape(description));
    }
    let example = &operation["requestBody"]["content"]["application/json"]["example"];
    if !example.is_null() {
        let _ = write!(body, "<pre>{}</pre>", escape(&format!("{example:#}")));
    }
    body.push_str("<ul>");
    for parameter in operation["parameters"].as_array().into_iter().flatten() {
        let (name, description) = (text(&parameter["name"]), text(&parameter["description"]));
        let _ = write!(body, "<li><code>{name}</code>: {description}</li>");
    }
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        let _ = write!(body, "<li>{}: {}", escape(status), text(&response["description"]));
        let example = &response["content"]["application/json"]["example"];
        if !example.is_null() {
            let _ = write!(body, "<pre>{}</pre>", escape(&format!("{example:#}")));
        }
        body.push_str("</li>");
    }
    body.push_str("</ul>");
}

fn codes(body: &mut String) {
    body.push_str("<h2>Codes of errors</h2><table><tr><th>Code</th><th>Status</th></tr>");
    for code in ApiCode::ALL {
        let _ = write!(body, "<tr><td><code>{}</code></td><td>{}</td></tr>", code.id(), code.status());
    }
    body.push_str("</table><h2>How connections end</h2><table><tr><th>Code</th><th>Close</th><th>Why</th></tr>");
    for code in ByeCode::ALL {
        let (id, number, why) = (code.id(), code.close_code(), escape(code.message()));
        let _ = write!(body, "<tr><td><code>{id}</code></td><td>{number}</td><td>{why}</td></tr>");
    }
    body.push_str("</table>");
}

fn text(value: &Value) -> String {
    escape(value.as_str().unwrap_or_default())
}

fn page(title: &str, body: &str) -> Html<String> {
    Html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>\
         <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" href=\"/style.css\"></head>\
         <body><main>{body}</main></body></html>",
        escape(title)
    ))
}

/// Text as HTML shows it, whatever is in it.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_shown_not_obeyed() {
        assert_eq!(escape("<b a='1'>&\"</b>"), "&lt;b a=&#39;1&#39;&gt;&amp;&quot;&lt;/b&gt;");
    }

    #[test]
    fn the_page_of_the_interface_has_every_path_and_no_inline_code() {
        let body = api_body();
        for path in ["GET /api/tables", "PUT /api/tables/{code}/settings", "GET /ws"] {
            assert!(body.contains(path), "{path}");
        }
        assert!(!body.contains("<script") && !body.contains("style="));
    }
}
