//! The page for operators: three files without anything from elsewhere, and nothing in them that is secret.

use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse};

pub(super) async fn index() -> Html<&'static str> {
    Html(include_str!("admin.html"))
}

pub(super) async fn script() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("admin.js"))
}

pub(super) async fn style() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("admin.css"))
}
