//! The statements of leases. Lease time is the database's clock.

use std::collections::HashSet;
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::time::{sleep, timeout};

use super::group::signed;
use super::link::{Connector, Fault, Link, int, ints, maybe_int, text, texts, yes_or_no};
use crate::lease::{Lease, Membership, NodeRow, NodeState, Owner, Terms};

type Result<T> = std::result::Result<T, Fault>;

/// How long the outcomes of a lost node's transactions are kept.
const NOTES_KEPT: &str = "1 day";

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

/// Registers a node that does not take part yet, and deletes those long gone.
pub(crate) async fn register(link: &Link, node: i64, slots: i64) -> Result<()> {
    let old = format!("SELECT id FROM nodes WHERE NOT alive AND renewed < now() - interval '{NOTES_KEPT}'");
    link.run(&format!("DELETE FROM attempts WHERE writer IN ({old})"), &[]).await?;
    link.run(&format!("DELETE FROM nodes WHERE id IN ({old})"), &[]).await?;
    let add = "INSERT INTO nodes (id, address, alive, renewed, expires) VALUES ($1, '', false, now(), now())";
    link.run(add, &[int(&node)]).await?;
    for slot in 0..slots {
        let sql = "INSERT INTO attempts (writer, slot, number, outcome) VALUES ($1, $2, 0, '{}')";
        link.run(sql, &[int(&node), int(&slot)]).await?;
    }
    Ok(())
}

/// Lets a node join. Idempotent, since the answer may be lost.
pub(crate) async fn join(
    link: &Link,
    node: i64,
    address: &str,
    terms: Terms,
    Membership { version, is_alone, .. }: &Membership,
) -> Result<u64> {
    let sql = "UPDATE nodes SET alive = true, address = $2, renewed = now(),
            expires = now() + $3 * interval '1 millisecond', version = $4, alone = $5
        WHERE id = $1 AND (address = '' OR alive)";
    let term = millis(terms.term);
    let values = [int(&node), text(&address), int(&term), text(version), yes_or_no(is_alone)];
    link.run(sql, &values).await
}

/// Lets a node that was declared dead join again, after it has put all its tables away. Tables that nobody has taken
/// are its own again, in a new epoch.
pub(crate) async fn rejoin(
    link: &Link,
    node: i64,
    address: &str,
    terms: Terms,
    slots: i64,
    membership: &Membership,
) -> Result<u64> {
    // Its rows may have been deleted meanwhile.
    let add = "INSERT INTO nodes (id, address, alive, renewed, expires) VALUES ($1, '', false, now(), now())
        ON CONFLICT DO NOTHING";
    link.run(add, &[int(&node)]).await?;
    for slot in 0..slots {
        let sql =
            "INSERT INTO attempts (writer, slot, number, outcome) VALUES ($1, $2, 0, '{}') ON CONFLICT DO NOTHING";
        link.run(sql, &[int(&node), int(&slot)]).await?;
    }
    link.run("UPDATE nodes SET address = '' WHERE id = $1 AND NOT alive", &[int(&node)]).await?;
    join(link, node, address, terms, membership).await
}

/// Announces that a node is about to stop.
pub(crate) async fn drain(link: &Link, node: i64) -> Result<u64> {
    link.run("UPDATE nodes SET draining = true WHERE id = $1 AND alive", &[int(&node)]).await
}

/// Renews all leases of a node in one statement, since they depend on its row. If nobody has renewed for a while, the
/// database was away or its clock has jumped: all leases start over. Returns whether the node is still a member.
pub(crate) async fn renew(link: &Link, node: i64, terms: Terms) -> Result<bool> {
    let sql = "WITH last AS (SELECT max(renewed) AS at FROM nodes WHERE alive),
        was AS (SELECT at < now() - $3 * interval '1 millisecond' OR at > now() + $3 * interval '1 millisecond' AS away
            FROM last)
        UPDATE nodes SET
            renewed = CASE WHEN id = $1 THEN now() ELSE least(renewed, now()) END,
            expires = CASE WHEN id = $1 OR was.away THEN now() + $2 * interval '1 millisecond'
                ELSE least(expires, now() + $2 * interval '1 millisecond') END
        FROM was
        WHERE alive AND (id = $1 OR was.away OR expires > now() + $2 * interval '1 millisecond')
        RETURNING id";
    let rows = link.rows(sql, &[int(&node), int(&millis(terms.term)), int(&millis(terms.gap()))]).await?;
    Ok(rows.iter().any(|row| row.get::<_, i64>(0) == node))
}

/// Declares nodes dead that have not renewed for a whole term, unless the database was away meanwhile. This is final:
/// they cannot renew any more, and others can take their tables.
pub(crate) async fn bury(link: &Link, node: i64, terms: Terms) -> Result<u64> {
    let sql = "UPDATE nodes SET alive = false WHERE alive AND id <> $1 AND expires <= now()
        AND (SELECT max(renewed) FROM nodes WHERE alive)
            BETWEEN now() - $2 * interval '1 millisecond' AND now() + $2 * interval '1 millisecond'";
    link.run(sql, &[int(&node), int(&millis(terms.gap()))]).await
}

/// Declares all nodes dead whose leases have expired. For a program that is not a node and has seen that they stay
/// silent.
pub(crate) async fn bury_silent(link: &Link) -> Result<u64> {
    link.run("UPDATE nodes SET alive = false WHERE alive AND expires <= now()", &[]).await
}

/// Acquires a table that no live node runs. This starts a new epoch, even if the table was this node's already.
/// Its entries have this node's format from now on, so nodes that do not know it leave the table alone.
pub(crate) async fn take(link: &Link, node: i64, code: &str, format: u64) -> Result<Owner> {
    let format = signed(format);
    let sql = "UPDATE tables SET epoch = epoch + 1, node = $1, format = $3
        WHERE code = $2 AND format <= $3 AND EXISTS (SELECT 1 FROM nodes WHERE id = $1 AND alive)
            AND (node IS NULL OR node = $1 OR NOT EXISTS (SELECT 1 FROM nodes WHERE nodes.id = tables.node AND alive))
        RETURNING epoch";
    if let Some(row) = link.row(sql, &[int(&node), text(&code), int(&format)]).await? {
        return Ok(Owner::Here { epoch: row.get::<_, i64>(0).unsigned_abs() });
    }
    let sql = "SELECT nodes.id, address, format FROM tables LEFT JOIN nodes ON nodes.id = node AND alive
        WHERE code = $1";
    Ok(match link.row(sql, &[text(&code)]).await? {
        None => Owner::Nobody,
        Some(row) if row.get::<_, Option<i64>>(0).is_none() && row.get::<_, i64>(2) > format => {
            Owner::Newer { format: row.get::<_, i64>(2).unsigned_abs() }
        }
        Some(row) => Owner::Elsewhere {
            node: row.get::<_, Option<i64>>(0).unwrap_or(0).unsigned_abs(),
            address: row.get::<_, Option<String>>(1).unwrap_or_default(),
        },
    })
}

/// Hands tables to another node, or releases them, each in a new epoch. Returns which of them were this node's.
pub(crate) async fn pass(link: &Link, node: i64, leases: &[Lease], to: Option<u64>) -> Result<Vec<bool>> {
    let to = to.map(signed);
    let (codes, epochs): (Vec<&str>, Vec<i64>) =
        leases.iter().map(|lease| (lease.table.as_str(), signed(lease.epoch))).unzip();
    let sql = "UPDATE tables SET epoch = tables.epoch + 1, node = $4
        FROM unnest($1::text[], $3::int8[]) AS passed (code, epoch)
        WHERE tables.code = passed.code AND tables.node = $2 AND tables.epoch = passed.epoch
        RETURNING tables.code";
    let rows = link.rows(sql, &[texts(&codes), int(&node), ints(&epochs), maybe_int(&to)]).await?;
    let passed: HashSet<&str> = rows.iter().map(|row| row.get(0)).collect();
    Ok(codes.iter().map(|code| passed.contains(code)).collect())
}

/// Releases all tables of a node that stops.
pub(crate) async fn leave(link: &Link, node: i64) -> Result<u64> {
    link.run("UPDATE nodes SET alive = false WHERE id = $1 AND alive", &[int(&node)]).await
}

/// The nodes that ever took part and are still listed.
pub(crate) async fn nodes(link: &Link, node: i64) -> Result<Vec<NodeRow>> {
    let sql = "SELECT id, address, CASE WHEN alive THEN (SELECT count(*) FROM tables WHERE tables.node = nodes.id)
            ELSE 0 END, version, alone, alive, draining,
            greatest(0, extract(epoch FROM now() - renewed) * 1000)::int8, expires <= now()
        FROM nodes WHERE address <> '' ORDER BY alive DESC, renewed DESC, id LIMIT 1000";
    let rows = link.rows(sql, &[]).await?;
    let read = |row: &tokio_postgres::Row| NodeRow {
        id: row.get::<_, i64>(0).unsigned_abs(),
        address: row.get(1),
        tables: row.get::<_, i64>(2).unsigned_abs(),
        is_this: row.get::<_, i64>(0) == node,
        version: row.get(3),
        is_alone: row.get(4),
        state: match (row.get(5), row.get(6), row.get(8)) {
            (true, _, true) => NodeState::Silent,
            (true, false, false) => NodeState::Alive,
            (true, true, false) => NodeState::Draining,
            (false, ..) => NodeState::Gone,
        },
        silent_for: Duration::from_millis(row.get::<_, i64>(7).unsigned_abs()),
    };
    Ok(rows.iter().map(read).collect())
}

/// How long a node may serve its tables, by a monotonic clock.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tenancy {
    /// `None` before it has joined and after it was declared dead.
    pub(crate) until: Option<Instant>,
    /// Whether it was declared dead.
    pub(crate) is_over: bool,
}

pub(crate) type Tenure = Arc<Mutex<Tenancy>>;

/// Renews the leases of a node over a connection of its own, until it is declared dead.
pub(crate) async fn keep(connector: Rc<Connector>, node: i64, terms: Terms, tenure: Tenure) {
    let set = |until: Option<Instant>, is_over| {
        *tenure.lock().unwrap_or_else(PoisonError::into_inner) = Tenancy { until, is_over };
    };
    let (mut link, mut failed) = (None, false);
    loop {
        // Do not wait longer than necessary for a database that was away.
        sleep(if failed { terms.renewed_every() / 4 } else { terms.renewed_every() }).await;
        // The time of asking counts: the answer may have come long after.
        let asked = Instant::now();
        let renewed = timeout(terms.gap(), once(&connector, &mut link, node, terms)).await;
        failed = !matches!(renewed, Ok(Ok(_)));
        match renewed.unwrap_or_else(|_| Err(Fault::Lost("no answer in time".to_owned()))) {
            Ok(true) => set(Some(asked + terms.served_for()), false),
            Ok(false) => return set(None, true),
            // It is tried again; meanwhile the lease keeps running down.
            Err(_) => link = None,
        }
    }
}

async fn once(connector: &Connector, link: &mut Option<Link>, node: i64, terms: Terms) -> Result<bool> {
    let link = match link {
        Some(link) => link,
        None => link.insert(connector.connect().await?),
    };
    let is_alive = renew(link, node, terms).await?;
    if is_alive {
        bury(link, node, terms).await?;
    }
    Ok(is_alive)
}
