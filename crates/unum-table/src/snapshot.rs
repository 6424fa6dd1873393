//! Whole tables as text, between two rounds.

use std::sync::Arc;

use unum_rules::Rules;

use crate::state::State;
use crate::table::{RestoreError, Snapshot};
use crate::{Fact, Moment};

impl State {
    /// Whether a snapshot is due before that fact: when a round is dealt that is not the first one.
    pub(crate) fn worth_saving(&self, fact: &Fact) -> bool {
        matches!(fact, Fact::Dealt {}) && self.rounds > 0
    }

    /// The table as text. The round that was played last is not in it: the next thing is a deal.
    pub(crate) fn save(&self) -> Snapshot {
        let body = serde_json::to_string(self).expect("a state has a form in JSON");
        Snapshot { seq: self.seq, body }
    }

    /// The table from its text.
    pub(crate) fn load(snapshot: &Snapshot) -> Result<State, RestoreError> {
        let error = |message: String| RestoreError { seq: snapshot.seq, message };
        let mut state: State = serde_json::from_str(&snapshot.body).map_err(|json| error(json.to_string()))?;
        let rules = Rules::new(state.settings.rules.clone()).map_err(|bad| error(bad.to_string()))?;
        state.rules = Arc::new(rules);
        state.note_seating();
        Ok(state)
    }

    /// Gives everything that runs out of time its full time again.
    pub(crate) fn restart_clocks(&mut self, now: Moment) {
        self.people.iter_mut().for_each(|member| member.link.since = now);
        if let Some(game) = &mut self.game {
            game.since = now;
        }
        if let Some(accusation) = &mut self.accusation {
            accusation.since = now;
        }
    }
}
