//! The OpenAPI document, made from the list of routes and the types of the protocol.

use std::collections::BTreeMap;

use schemars::SchemaGenerator;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};
use unum_protocol::rest::ErrorBody;
use unum_protocol::{Code, ServerCode};

use super::routes::{Content, Docs, Route, all};
use crate::codes::status;

const DESCRIPTION: &str = "Everything about guests, tables and finished games that is not play itself. Play goes over one \
WebSocket per client, /ws, which docs/protocol.md describes.\n\nA guest has a token: programs send it as `Authorization: \
Bearer TOKEN`, browsers as a cookie. Errors are `{\"error\":{\"code\":\"…\",\"message\":\"…\"}}`, the code for programs, the \
message for people. Bodies are JSON with `content-type: application/json`; unknown fields are an error. Cards, actions \
and rules are written as in docs/referee.md.";

/// The document as JSON, for a server that lies below a path, or at the root if that is empty.
pub(crate) fn document(base: &str) -> String {
    let mut document = value();
    if !base.is_empty() {
        document["servers"] = json!([{ "url": base }]);
    }
    format!("{document:#}")
}

/// The document.
pub(super) fn value() -> Value {
    let mut generator = SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.definitions_path = "/components/schemas".into();
            settings.meta_schema = None;
        })
        .into_generator();
    let error = generator.subschema_for::<ErrorBody>().to_value();
    let mut paths: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for Route { method, path, docs, .. } in all() {
        let Some(docs) = docs else { continue };
        let operation = operation(&method, path, &docs, &error, &mut generator);
        paths.entry(path).or_default().insert(method.as_str().to_lowercase(), operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "The interface of unum", "version": "1", "description": DESCRIPTION },
        "paths": paths,
        "components": {
            "schemas": generator.take_definitions(true),
            "securitySchemes": { "guest": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn operation(
    method: &axum::http::Method,
    path: &str,
    docs: &Docs,
    error: &Value,
    generator: &mut SchemaGenerator,
) -> Value {
    let mut operation = json!({ "summary": docs.summary, "responses": responses(method, docs, error, generator) });
    if !docs.description.is_empty() {
        operation["description"] = docs.description.into();
    }
    let parameters = parameters(path, docs, generator);
    if !parameters.is_empty() {
        operation["parameters"] = parameters.into();
    }
    if let Some(body) = docs.body {
        let content = json!({ "application/json": { "schema": body(generator) } });
        operation["requestBody"] = json!({ "required": true, "content": content });
    }
    if docs.guest {
        operation["security"] = json!([{ "guest": [] }]);
    }
    operation
}

fn parameters(path: &str, docs: &Docs, generator: &mut SchemaGenerator) -> Vec<Value> {
    let name = path.split_once('{').and_then(|(_, rest)| rest.split_once('}')).map(|(name, _)| name);
    let part = docs.part.zip(name).map(|((description, schema), name)| {
        let schema = schema(generator);
        json!({ "name": name, "in": "path", "required": true, "description": description, "schema": schema })
    });
    part.into_iter().chain(query(docs, generator)).collect()
}

/// The fields of the query's type, each as a parameter.
fn query(docs: &Docs, generator: &mut SchemaGenerator) -> Vec<Value> {
    let Some(query) = docs.query else { return Vec::new() };
    let reference = query(generator).to_value();
    let name = reference["$ref"].as_str().and_then(|path| path.rsplit('/').next()).unwrap_or_default().to_owned();
    let definition = generator.definitions().get(&name).cloned().unwrap_or_default();
    let fields = definition["properties"].as_object().cloned().unwrap_or_default();
    let field = |(name, mut schema): (String, Value)| {
        let description = schema.as_object_mut().and_then(|schema| schema.remove("description"));
        // Nothing is `null` in a query: what is not there is left out.
        if let Some(kinds) = schema.get("type").and_then(Value::as_array) {
            schema["type"] = kinds.first().cloned().unwrap_or_default();
        }
        json!({ "name": name, "in": "query", "required": false, "description": description, "schema": schema })
    };
    fields.into_iter().map(field).collect()
}

fn responses(
    method: &axum::http::Method,
    docs: &Docs,
    error: &Value,
    generator: &mut SchemaGenerator,
) -> BTreeMap<String, Value> {
    let text = json!({ "schema": { "type": "string" } });
    let content = match docs.answer {
        Content::Json(schema) => json!({ "application/json": { "schema": schema(generator) } }),
        Content::Record => json!({ "application/json": { "schema": { "type": "object" } }, "text/plain": text }),
        Content::Text => json!({ "text/plain": text }),
        Content::Html => json!({ "text/html": text }),
        Content::Nothing => Value::Null,
    };
    let mut success = json!({ "description": "As asked for." });
    if !content.is_null() {
        success["content"] = content;
    }
    let mut errors: BTreeMap<u16, Vec<&str>> = BTreeMap::new();
    let mut common = vec![ServerCode::TooFast, ServerCode::TooMany, ServerCode::Storage, ServerCode::Stopping];
    common.extend([ServerCode::WrongHost, ServerCode::Crashed, ServerCode::Banned]);
    if !method.is_safe() {
        common.push(ServerCode::ForeignOrigin);
    }
    for code in docs.codes.iter().copied().chain(common.into_iter().map(Code::from)) {
        let words = errors.entry(status(code)).or_default();
        if !words.contains(&code.as_str()) {
            words.push(code.as_str());
        }
    }
    let refused = |words: Vec<&str>| {
        let description = words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        json!({ "description": description, "content": { "application/json": { "schema": error } } })
    };
    let errors = errors.into_iter().map(|(status, words)| (status.to_string(), refused(words)));
    std::iter::once((docs.status.to_string(), success)).chain(errors).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_document_has_every_operation_and_refers_to_nothing_that_is_missing() {
        let document = value();
        let operations = all().into_iter().filter(|route| route.docs.is_some());
        for Route { method, path, .. } in operations {
            let operation = &document["paths"][path][method.as_str().to_lowercase()];
            assert!(operation["summary"].is_string(), "{method} {path}");
        }
        let text = document.to_string();
        let schemas = document["components"]["schemas"].as_object().unwrap();
        let names: Vec<&str> =
            text.split("#/components/schemas/").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(names.len() > 50);
        for name in names {
            assert!(schemas.contains_key(name), "{name} is missing");
        }
    }
}
