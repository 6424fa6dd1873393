//! Players at the tables of a cluster under faults, and the comparison of what they were told with the journals.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use anyhow::ensure;
use tempfile::TempDir;
use unum_client::Server;
use unum_protocol::Level;
use unum_store::Store;

use super::Plan;
use super::base::Base;
use super::site::{OWNERS, Setting, Site};
use crate::crash::wait_for_progress;
use crate::crowd::{Crowd, Gathering, Seats, gather_at};
use crate::player::Tally;
use crate::promises::{self, Verdict};
use crate::timing::Times;
use crate::verdict::Line;

/// How long a table may pause before the run is given up.
pub(crate) const GIVE_UP: Duration = Duration::from_secs(90);

/// How people play.
pub(crate) fn gathering(plan: &Plan) -> Gathering {
    Gathering { tables: plan.tables, people: 2, bots: 2, think: plan.think, notes: true, level: Level::Normal }
}

/// A cluster with people at its tables.
pub(crate) struct Game {
    pub(crate) base: Base,
    pub(crate) site: Site,
    pub(crate) tables: Vec<Seats>,
    pub(crate) crowd: Crowd,
    _folder: TempDir,
}

impl Game {
    /// Starts a database, the nodes and all players, who play for a moment.
    pub(crate) async fn begin(plan: &Plan, nodes: usize, settings: &[(&str, &str)]) -> anyhow::Result<Game> {
        let setting = Setting { lease: plan.lease, ..Setting::default() };
        Game::begin_with(plan, nodes, settings, &setting).await
    }

    /// The same with flags for the nodes.
    pub(crate) async fn begin_with(
        plan: &Plan,
        nodes: usize,
        settings: &[(&str, &str)],
        setting: &Setting,
    ) -> anyhow::Result<Game> {
        let folder = TempDir::new()?;
        let address = setting.network.as_ref().map_or(Ipv4Addr::LOCALHOST, |network| network.home());
        let base = Base::start_at(address, nodes, settings).await?;
        let site = Site::start(&plan.unum, folder.path(), &base.addresses(), setting).await?;
        let (tables, crowd) = seat(plan, &site.servers()).await?;
        Ok(Game { base, site, tables, crowd, _folder: folder })
    }

    /// Notes the longest pause of every table since [`Crowd::watch_pauses`], separately for tables of the affected
    /// node.
    pub(crate) fn note(&self, owners: &Owners, victim: usize, pauses: &mut Pauses) {
        for (code, pause) in self.crowd.pauses() {
            let own = owners.get(&code) == Some(&victim);
            if own { pauses.own.add(pause) } else { pauses.others.add(pause) }
        }
    }

    /// Which node runs each table.
    pub(crate) fn owners(&self) -> anyhow::Result<Owners> {
        Ok(self.site.owners(&self.base.ask(OWNERS)?))
    }

    /// Lets everybody finish, and compares what they were told with the journals.
    pub(crate) async fn end(self) -> anyhow::Result<Outcome> {
        let Game { base, site, crowd, tables, _folder } = self;
        let outcome = finish(crowd, tables.len(), async || base.journals().await).await;
        drop(site);
        outcome
    }
}

/// Which node runs a table, by the table's code.
pub(crate) type Owners = std::collections::HashMap<String, usize>;

/// Opens the tables and lets everybody play a little.
pub(crate) async fn seat(plan: &Plan, servers: &[Server]) -> anyhow::Result<(Vec<Seats>, Crowd)> {
    let tables = gather_at(servers, gathering(plan)).await?;
    let mut crowd = Crowd::begin(&tables, gathering(plan)).await?;
    wait_for_progress(&mut crowd, plan.tables).await?;
    Ok((tables, crowd))
}

/// Lets everybody finish, and compares what they were told with the journals.
pub(crate) async fn finish(
    mut crowd: Crowd,
    tables: usize,
    journals: impl AsyncFnOnce() -> anyhow::Result<Store>,
) -> anyhow::Result<Outcome> {
    wait_for_progress(&mut crowd, tables).await?;
    let reports = crowd.end().await?;
    let unanswered: u64 = reports.iter().map(|report| report.unanswered).sum();
    ensure!(unanswered == 0, "{unanswered} requests were not answered");
    let store = journals().await?;
    let (verdict, reports) = tokio::task::spawn_blocking(move || {
        let verdict = promises::compare(&store, &reports);
        store.close();
        verdict.map(|verdict| (verdict, reports))
    })
    .await??;
    let mut tally = Tally::default();
    let connections = reports.iter().map(|report| report.connections).sum();
    reports.into_iter().for_each(|report| tally.merge(report.tally));
    Ok(Outcome { verdict, tables, refusals: tally.refusals, times: tally.times, connections })
}

/// The result of a run.
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    pub(crate) tables: usize,
    /// By code.
    pub(crate) refusals: BTreeMap<&'static str, u64>,
    /// From sending an action to its update.
    pub(crate) times: Times,
    /// The number of connections made.
    pub(crate) connections: u64,
}

impl Outcome {
    /// Checks that nothing acknowledged is lost or doubled, and that every table can be restored.
    pub(crate) fn promises(&self, what: &'static str, harm: &str) -> Line {
        let Verdict { acknowledged, lost, doubled, entries, restored } = self.verdict;
        let must = "0 acknowledged lost, 0 doubled, all tables restorable".to_owned();
        let refusals = if self.refusals.is_empty() { String::new() } else { format!("; refused {:?}", self.refusals) };
        let measured = format!(
            "{harm}; {acknowledged} acknowledged, {lost} lost, {doubled} doubled; {entries} entries, {restored} of {} \
             tables restored; {} connections{refusals}",
            self.tables, self.connections
        );
        Line { what, must, measured, holds: self.verdict.holds(self.tables), timed: false }
    }
}

/// The pauses of tables over all faults.
#[derive(Default)]
pub(crate) struct Pauses {
    /// Tables of the affected node.
    pub(crate) own: Times,
    /// All others.
    pub(crate) others: Times,
}

/// A bound on pauses: the 99th percentile of tables and faults, or the longest.
pub(crate) fn bounded(what: &'static str, of: &str, times: &Times, percent: f64, most: Duration) -> Line {
    let which = if percent < 100.0 { format!("p{percent:.0}") } else { "longest".to_owned() };
    let holds = times.percentile(percent) <= most && !times.is_empty();
    let measured = format!(
        "p50 {:.2} s, p99 {:.2} s, longest {:.2} s, {} pauses",
        times.percentile(50.0).as_secs_f64(),
        times.percentile(99.0).as_secs_f64(),
        times.percentile(100.0).as_secs_f64(),
        times.len()
    );
    Line { what, must: format!("{of}: {which} ≤ {:.1} s", most.as_secs_f64()), measured, holds, timed: true }
}

/// Waits until every table has continued after a moment, and returns the time since `from`.
pub(crate) async fn until_all_play(crowd: &mut Crowd, since: Instant, from: Instant) -> anyhow::Result<Duration> {
    crowd.play_on_since(since, GIVE_UP).await?;
    Ok(from.elapsed())
}
