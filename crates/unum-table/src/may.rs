//! Which types of requests somebody may make now.

use crate::state::{Member, State};
use crate::wire::Stage;

/// The types, as JSON names them. That one is listed does not mean that every request of the type is accepted.
pub(crate) fn requests(state: &State, viewer: &Member) -> Vec<&'static str> {
    let host = state.host == Some(viewer.person);
    let chair = state.chairs.iter().find(|chair| chair.person == Some(viewer.person));
    let seated = chair.is_some();
    let lobby = state.stage == Stage::Lobby;
    let playing = state.stage == Stage::Playing;
    let in_match = playing || state.stage == Stage::Scores;
    let room = state.chairs.len() < usize::from(state.settings.seats);
    let others = state.people.len() > 1;
    let bots = state.chairs.iter().any(|chair| chair.level.is_some());
    let accusable = playing && seated && state.rules.suggestion_penalty() > 0;
    let voting = state.accusation.iter().flat_map(|accusation| &accusation.voters);
    let judging = voting.into_iter().any(|(voter, vote)| *voter == viewer.person && vote.is_none());
    let list = [
        ("sit", lobby && !seated && room),
        ("stand", seated),
        ("leave", true),
        ("settings", lobby && host),
        ("accept", lobby && chair.is_some_and(|chair| !chair.accepted)),
        ("ready", seated && !playing && (!lobby || chair.is_some_and(|chair| chair.accepted))),
        ("start", lobby && host && state.can_start().is_ok()),
        ("reopen", !lobby && host),
        ("add_bot", lobby && host && room),
        ("remove_bot", lobby && host && bots),
        ("kick", host && others),
        ("pass_host", host && others),
        ("rename", true),
        ("act", playing && seated),
        ("autopilot", in_match && seated),
        ("chat", state.settings.chat),
        ("react", true),
        ("mute", others),
        ("accuse", accusable && state.accusation.is_none() && !viewer.accused),
        ("judge", judging),
    ];
    list.into_iter().filter(|(_, allowed)| *allowed).map(|(name, _)| name).collect()
}
