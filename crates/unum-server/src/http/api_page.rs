//! The interface for programs, as a page to read: plain HTML without scripts, made from the OpenAPI document.

use std::fmt::Write as _;
use std::sync::LazyLock;

use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};
use serde_json::Value;
use unum_rules::text::escape_html;

use super::openapi;

const STYLE: &str = include_str!("style.css");

pub(crate) async fn style() -> Response {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], STYLE).into_response()
}

pub(crate) async fn page() -> Html<&'static str> {
    static PAGE: LazyLock<String> = LazyLock::new(|| {
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>The interface of unum</title>\
             <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" href=\"style.css\"></head>\
             <body><main>{}</main></body></html>",
            body()
        )
    });
    Html(&PAGE)
}

fn body() -> String {
    let document = openapi::value();
    let mut body = format!("<h1>{}</h1>", text(&document["info"]["title"]));
    for paragraph in document["info"]["description"].as_str().unwrap_or_default().split("\n\n") {
        let _ = write!(body, "<p>{}</p>", escape_html(paragraph));
    }
    body.push_str("<p>With every type: <a href=\"api/openapi.json\">openapi.json</a></p>");
    for (path, methods) in document["paths"].as_object().into_iter().flatten() {
        for (method, operation) in methods.as_object().into_iter().flatten() {
            let _ = write!(body, "<h2><code>{} {}</code></h2>", method.to_uppercase(), escape_html(path));
            let _ = write!(body, "<p>{} {}</p><ul>", text(&operation["summary"]), text(&operation["description"]));
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let (name, description) = (text(&parameter["name"]), text(&parameter["description"]));
                let _ = write!(body, "<li><code>{name}</code>: {description}</li>");
            }
            for (status, response) in operation["responses"].as_object().into_iter().flatten() {
                let _ = write!(body, "<li>{status}: {}</li>", text(&response["description"]));
            }
            body.push_str("</ul>");
        }
    }
    body
}

fn text(value: &Value) -> String {
    escape_html(value.as_str().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_the_interface_has_every_path_and_no_inline_code() {
        let body = body();
        for path in ["GET /api/tables", "PUT /api/tables/{code}/settings", "GET /ws"] {
            assert!(body.contains(path), "{path}");
        }
        assert!(!body.contains("<script") && !body.contains("style="));
    }
}
