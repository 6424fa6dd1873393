//! Every route: what answers it, and what its documentation says. The OpenAPI document is made from this list.

use std::sync::Arc;

use axum::extract::Request;
use axum::http::Method;
use axum::middleware::{Next, from_fn};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, delete, get, patch, post, put};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use unum_protocol::rest::{
    Continuation, Editions, Export, Games, Guest, GuestChange, Listing, NewGuest, Opened, RecordQuery, Replay,
    ReplayQuery, SignedIn, TableSummary,
};
use unum_protocol::review::{Analysis, MomentQuery, RoundQuery, Season, SeasonChange, ServedReview};
use unum_protocol::rulebook::RuleBook;
use unum_protocol::{BlockedPerson, Code, Empty, ServerCode, Settings, TableCode};
use unum_rules::Edition;

use super::error::ApiError;
use super::{api, api_page, app_page, games, me, reviews, socket};
use crate::app::App;

/// One route.
pub(super) struct Route {
    pub(super) method: Method,
    pub(super) path: &'static str,
    pub(super) handler: MethodRouter<Arc<App>>,
    /// `None` for pages and files, which are not for programs.
    pub(super) docs: Option<Docs>,
}

/// What programs have to know about a route.
pub(super) struct Docs {
    pub(super) summary: &'static str,
    pub(super) description: &'static str,
    /// Whether the token of a guest is needed.
    pub(super) guest: bool,
    /// What the part of the path in braces names, and its type.
    pub(super) part: Option<(&'static str, Type)>,
    /// The parameters behind the question mark.
    pub(super) query: Option<Type>,
    pub(super) body: Option<Type>,
    pub(super) status: u16,
    pub(super) answer: Content,
    /// The codes of errors that only this route has.
    pub(super) codes: Vec<Code>,
}

/// A type of the protocol, as a schema.
pub(super) type Type = fn(&mut SchemaGenerator) -> Schema;

/// What is in an answer.
pub(super) enum Content {
    Json(Type),
    /// A record, as JSON or as text.
    Record,
    Text,
    Html,
    /// The protocol is switched.
    Nothing,
}

fn schema<T: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<T>()
}

impl Route {
    fn new(method: Method, path: &'static str, handler: MethodRouter<Arc<App>>) -> Route {
        Route { method, path, handler, docs: None }
    }

    /// Documents a route that answers with JSON.
    fn answers<T: JsonSchema>(self, summary: &'static str) -> Route {
        self.documented(summary, Content::Json(schema::<T>))
    }

    fn documented(mut self, summary: &'static str, answer: Content) -> Route {
        let docs = Docs {
            summary,
            description: "",
            guest: false,
            part: None,
            query: None,
            body: None,
            status: 200,
            answer,
            codes: Vec::new(),
        };
        self.docs = Some(docs);
        self
    }

    fn with(mut self, change: impl FnOnce(&mut Docs)) -> Route {
        if let Some(docs) = &mut self.docs {
            change(docs);
        }
        self
    }

    fn describe(self, description: &'static str) -> Route {
        self.with(|docs| docs.description = description)
    }

    /// The token of a guest is needed.
    fn for_guests(self) -> Route {
        self.with(|docs| {
            docs.guest = true;
            docs.codes.push(ServerCode::NoGuest.into());
        })
    }

    fn names<T: JsonSchema>(self, part: &'static str, missing: ServerCode) -> Route {
        self.with(|docs| {
            docs.part = Some((part, schema::<T>));
            docs.codes.push(missing.into());
        })
    }

    fn asks<T: JsonSchema>(self) -> Route {
        self.with(|docs| {
            docs.query = Some(schema::<T>);
            docs.codes.push(Code::UNREADABLE);
        })
    }

    fn takes<T: JsonSchema>(self) -> Route {
        self.with(|docs| {
            docs.body = Some(schema::<T>);
            let codes = [ServerCode::TooSlow, ServerCode::TooLong, ServerCode::NotJson].map(Code::from);
            docs.codes.extend(codes.into_iter().chain([Code::UNREADABLE]));
        })
    }

    fn creates(self) -> Route {
        self.with(|docs| docs.status = 201)
    }

    /// Refuses a query where none is expected. Health checks may add one to bypass caches.
    fn strict(mut self) -> Route {
        if self.path.starts_with("/api/") && self.docs.as_ref().is_some_and(|docs| docs.query.is_none()) {
            self.handler = self.handler.layer(from_fn(refuse_query));
            self = self.refuses([Code::UNREADABLE]);
        }
        self
    }

    fn refuses(self, codes: impl IntoIterator<Item = Code>) -> Route {
        self.with(|docs| docs.codes.extend(codes))
    }
}

/// Like a body, a query has nothing that is not expected.
async fn refuse_query(request: Request, next: Next) -> Response {
    match request.uri().query() {
        None | Some("") => next.run(request).await,
        Some(_) => ApiError::new(Code::UNREADABLE, "nothing is expected behind a question mark here").into_response(),
    }
}

/// All of them.
pub(super) fn all() -> Vec<Route> {
    pages().into_iter().chain(operations().into_iter().map(Route::strict)).collect()
}

fn pages() -> Vec<Route> {
    let page = |path, handler| Route::new(Method::GET, path, handler);
    vec![
        page("/", get(app_page::index)),
        page("/t/{code}", get(app_page::table)),
        page("/g/{id}", get(app_page::index)),
        page("/rules/{edition}", get(app_page::index)),
        page("/assets/{file}", get(app_page::file)),
        page("/icons/{file}", get(app_page::file)),
        page("/manifest.webmanifest", get(app_page::file)),
        page("/sw.js", get(app_page::file)),
        page("/style.css", get(api_page::style)),
    ]
}

fn operations() -> Vec<Route> {
    let read = |path, handler| Route::new(Method::GET, path, handler);
    let rules = [Code::Game(unum_rules::Code::BadRules), TableCode::BadSettings.into()];
    vec![
        read("/healthz", get(api::health)).documented("Whether the process is alive", Content::Text),
        read("/readyz", get(api::readiness))
            .documented("Whether the server can do its work", Content::Text)
            .describe("Only whether, not why: the listener for operators tells that. The server recovers by itself."),
        read("/ws", get(socket::open))
            .documented("Play: a WebSocket", Content::Nothing)
            .describe("The first message is hello, within ten seconds. See docs/protocol.md.")
            .with(|docs| docs.status = 101)
            .refuses([ServerCode::UpgradeRequired.into(), ServerCode::ForeignOrigin.into()]),
        read("/api", get(api_page::page)).documented("This interface, for people", Content::Html),
        read("/api/openapi.json", get(api::openapi)).answers::<serde_json::Value>("This document"),
        read("/api/editions", get(api::editions))
            .answers::<Editions>("What can be played")
            .describe("Editions with their rules in full, and every setting of a table with its bounds and defaults."),
        read("/api/rules", get(api::rules)).answers::<RuleBook>("The rule book"),
        read("/api/rules/{edition}", get(api::rules_of))
            .answers::<RuleBook>("The rule book of one edition")
            .names::<Edition>("the id of an edition", ServerCode::NotFound),
        Route::new(Method::POST, "/api/guests", post(api::new_guest))
            .answers::<SignedIn>("Become a guest")
            .describe("The token in the answer, and in the cookie beside it, is the guest: keep it secret.")
            .takes::<NewGuest>()
            .creates()
            .refuses([TableCode::BadName.into(), ServerCode::NoRoom.into()]),
        read("/api/me", get(me::me)).answers::<Guest>("Who one is").for_guests(),
        Route::new(Method::PATCH, "/api/me", patch(me::change))
            .answers::<Guest>("Take another name or look")
            .for_guests()
            .takes::<GuestChange>()
            .refuses([TableCode::BadName.into()]),
        Route::new(Method::DELETE, "/api/me", delete(me::delete))
            .answers::<Empty>("Delete a guest")
            .describe("The guest leaves all tables, their name in finished games becomes \"a player\", their token is void.")
            .for_guests()
            .refuses([ServerCode::NoTable.into()]),
        read("/api/me/export", get(me::export)).answers::<Export>("Everything that is stored of a guest").for_guests(),
        Route::new(Method::POST, "/api/me/token", post(me::new_token))
            .answers::<SignedIn>("Get a new token")
            .describe("The old one is void, and connections that were made with it end.")
            .for_guests()
            .takes::<Empty>(),
        Route::new(Method::DELETE, "/api/me/connections", delete(me::disconnect))
            .answers::<Empty>("End all connections of a guest to tables")
            .for_guests(),
        read("/api/me/blocked", get(me::blocked))
            .answers::<Vec<BlockedPerson>>("Whom a guest has blocked")
            .describe("At a table, the request `mute` with `always` blocks somebody.")
            .for_guests(),
        Route::new(Method::DELETE, "/api/me/blocked/{id}", delete(me::unblock))
            .answers::<Empty>("Block somebody no longer")
            .describe("At tables where both are, they stay muted until that is taken back there.")
            .names::<u64>("the number of the person", ServerCode::NotFound)
            .for_guests(),
        read("/api/tables", get(api::tables))
            .answers::<Vec<Listing>>("Public tables")
            .describe("The answer has an `ETag`: asked again with `If-None-Match`, it is 304 while nothing has changed."),
        Route::new(Method::POST, "/api/tables", post(api::new_table))
            .answers::<Opened>("Open a table")
            .describe("Settings that are left out have their defaults: {} will do.")
            .for_guests()
            .takes::<Settings>()
            .creates()
            .refuses(rules)
            .refuses([ServerCode::TooMany, ServerCode::Quota, ServerCode::NoRoom].map(Code::from)),
        Route::new(Method::POST, "/api/tables/continued", post(api::continued_table))
            .answers::<Opened>("Open a table at which a match goes on")
            .describe(
                "For a match against bots that was begun on a device, between two rounds: others can then take the seats of \
                 the bots. It is played again here, and its rounds are marked in the record of the match, which does not \
                 count for the season. Counts as ten requests.",
            )
            .for_guests()
            .takes::<Continuation>()
            .creates()
            .refuses(rules)
            .refuses([ServerCode::TooMany, ServerCode::Quota, ServerCode::NoRoom].map(Code::from)),
        read("/api/tables/{code}", get(api::table))
            .answers::<TableSummary>("A table, as anybody who has its code may know it")
            .names::<String>("the code of a table", ServerCode::NoTable)
            .refuses([ServerCode::Damaged.into()]),
        Route::new(Method::PUT, "/api/tables/{code}/settings", put(api::settings))
            .answers::<Empty>("Change all settings of a table")
            .describe("For rules of one's own that are too long for a message. The request `settings` does the same.")
            .names::<String>("the code of a table", ServerCode::NoTable)
            .for_guests()
            .takes::<Settings>()
            .refuses(rules)
            .refuses([TableCode::NotHere, TableCode::NotHost, TableCode::WrongStage].map(Code::from))
            .refuses([ServerCode::Damaged, ServerCode::Quota].map(Code::from)),
        read("/api/tables/{code}/replay", get(games::rounds))
            .answers::<Replay>("The rounds of a running match that are over, step by step")
            .describe("For people at the table. In pages, like the replay of a finished game. Counts as ten requests.")
            .names::<String>("the code of a table", ServerCode::NoTable)
            .for_guests()
            .asks::<ReplayQuery>()
            .refuses([TableCode::NotHere, TableCode::NoSuchSeat].map(Code::from))
            .refuses([ServerCode::NotFound, ServerCode::TooLong, ServerCode::Damaged].map(Code::from)),
        read("/api/games", get(games::mine)).answers::<Games>("The games of a guest").for_guests(),
        read("/api/games/{id}", get(games::record))
            .documented("A finished game as a record", Content::Record)
            .describe(
                "docs/records.md has the format. Games of public tables are for everybody, others for those who played \
                 them. Counts for ten requests.",
            )
            .names::<String>("the id of a finished game", ServerCode::NotFound)
            .asks::<RecordQuery>()
            .refuses([ServerCode::TooLong.into()]),
        read("/api/games/{id}/replay", get(games::replay))
            .answers::<Replay>("A finished game, step by step")
            .describe(
                "At most 200 steps at a time, fewer if they are long: go on at `from` plus the number of steps. For the \
                 same readers as the record. Counts for ten requests.",
            )
            .names::<String>("the id of a finished game", ServerCode::NotFound)
            .asks::<ReplayQuery>()
            .refuses([TableCode::NoSuchSeat.into(), ServerCode::TooLong.into()]),
    ]
    .into_iter()
    .chain(review_operations())
    .collect()
}

fn review_operations() -> Vec<Route> {
    let read = |path, handler| Route::new(Method::GET, path, handler);
    vec![
        read("/api/games/{id}/review", get(reviews::game))
            .answers::<ServedReview>("What luck and play did in a finished game")
            .describe(
                "Luck is told at once; choices are judged as long as somebody asks again every few seconds, until \
                 `progress` is `done`. Then the review is kept. For the same readers as the record. docs/review.md has the \
                 figures.",
            )
            .names::<String>("the id of a finished game", ServerCode::NotFound)
            .refuses([ServerCode::TooLong, ServerCode::TooMany].map(Code::from)),
        read("/api/tables/{code}/review", get(reviews::round))
            .answers::<ServedReview>("The same for a round of a running match that is over")
            .describe("For those who are at the table. Counts for ten requests. A round that is being played is never reviewed.")
            .names::<String>("the code of a table", ServerCode::NoTable)
            .for_guests()
            .asks::<RoundQuery>()
            .refuses([TableCode::NotHere.into()])
            .refuses([ServerCode::NotFound, ServerCode::TooLong, ServerCode::TooMany, ServerCode::Damaged].map(Code::from)),
        read("/api/games/{id}/analysis", get(reviews::game_analysis))
            .answers::<Analysis>("What every action was worth at a moment of a finished game")
            .describe(
                "For the player whose turn it was, by what that player had seen. For the same readers as the record. Counts \
                 for ten requests.",
            )
            .names::<String>("the id of a finished game", ServerCode::NotFound)
            .asks::<MomentQuery>()
            .refuses([ServerCode::TooLong.into()]),
        read("/api/tables/{code}/analysis", get(reviews::round_analysis))
            .answers::<Analysis>("The same for the rounds of a running match that are over")
            .describe("For those who are at the table. Counts for ten requests.")
            .names::<String>("the code of a table", ServerCode::NoTable)
            .for_guests()
            .asks::<MomentQuery>()
            .refuses([TableCode::NotHere.into()])
            .refuses([ServerCode::NotFound, ServerCode::TooLong, ServerCode::Damaged].map(Code::from)),
        read("/api/me/season", get(reviews::my_season))
            .answers::<Season>("Luck and play of a guest over many games")
            .describe("Counts for ten requests.")
            .for_guests(),
        Route::new(Method::PUT, "/api/me/season", put(reviews::change_season))
            .answers::<Empty>("Switch the season on or off, for games to come")
            .for_guests()
            .takes::<SeasonChange>(),
        Route::new(Method::DELETE, "/api/me/season", delete(reviews::forget_season))
            .answers::<Empty>("Delete the season")
            .describe("The games stay, and are not counted any more.")
            .for_guests(),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn links_tell_the_own_paths_from_the_path_below_which_they_lie() {
        let firsts = super::all().iter().filter_map(|route| route.path.split('/').nth(1)).collect::<BTreeSet<_>>();
        let listed: BTreeSet<_> = unum_protocol::OWN_PATHS.into_iter().chain([""]).collect();
        assert_eq!(firsts, listed);
    }
}
