//! Group commit: the batches of many tables as one statement, which is one transaction and one round trip.
//!
//! The statement decides about each batch separately. It is written if it follows the last entry of the table's
//! journal, its epoch (the fencing token) is that of the table's lease, and there is room. Two nodes can never both
//! succeed.

use tokio_postgres::types::{ToSql, Type};
use tokio_postgres::{Row, Statement};

use super::link::{Fault, Link, answered, int, text};
use super::sql::taken_by;
use crate::context::Context;
use crate::sql::{RESERVED, ROW};
use crate::{Batch, ListingChange, StoreError};

/// Where the outcome of a transaction is stored, so that it can be looked up if the answer was lost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Attempt {
    /// The node that writes.
    pub(crate) writer: i64,
    /// One of the node's few slots.
    pub(crate) slot: i64,
    /// Rises with every transaction.
    pub(crate) number: i64,
}

/// Batches of different tables, column by column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    codes: Vec<String>,
    after: Vec<i64>,
    last: Vec<i64>,
    /// How many bytes the table grows by, or its new size if it is pruned to a snapshot.
    grow: Vec<i64>,
    reset: Vec<bool>,
    /// How much room is needed.
    need: Vec<i64>,
    epochs: Vec<i64>,
    touch: Vec<bool>,
    /// Whether the listing changes, and the new one.
    listed: Vec<bool>,
    listings: Vec<Option<String>>,
    /// The time of the last chat message: 0 deletes it, `None` keeps it.
    talk: Vec<Option<i64>>,
    closed: Vec<bool>,
    invites: Vec<Option<String>>,
    owners: Vec<Option<i64>>,
    /// The last entry to prune; 0 for none.
    held: Vec<i64>,
    part_grow: Vec<i64>,
    /// How many bytes an unfinished match grows by.
    match_grow: Vec<i64>,
    entries: Column<(i64, Vec<u8>)>,
    snapshots: Column<(i64, Vec<u8>)>,
    parts: Column<PartRow>,
    people: Column<i64>,
    left: Column<i64>,
    now: i64,
    quota: i64,
    /// How many bytes the tables of one guest may take.
    guest_quota: i64,
    weight: usize,
}

/// Rows of batches, which are numbered from 1 within the group.
#[derive(Clone, Debug)]
struct Column<T> {
    places: Vec<i64>,
    rows: Vec<T>,
}

impl<T> Default for Column<T> {
    fn default() -> Column<T> {
        Column { places: Vec::new(), rows: Vec::new() }
    }
}

impl<T> Column<T> {
    fn push(&mut self, place: i64, row: T) {
        self.places.push(place);
        self.rows.push(row);
    }
}

#[derive(Clone, Debug)]
struct PartRow {
    number: i64,
    first: bool,
    ended: i64,
    body: Vec<u8>,
}

/// A number as the database stores it.
pub(crate) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn length(bytes: &[u8]) -> i64 {
    signed(bytes.len() as u64)
}

/// The size of a body with its row.
fn stored(body: &[u8]) -> i64 {
    signed(body.len() as u64 + ROW)
}

impl Group {
    pub(crate) fn new(context: &Context) -> Group {
        let quota = context.options.table_bytes.map_or(i64::MAX, signed);
        let guest_quota = context.options.guest_bytes.map_or(i64::MAX, signed);
        Group { now: signed(context.now()), quota, guest_quota, ..Group::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.codes.len()
    }

    /// The approximate number of bytes to write.
    pub(crate) fn weight(&self) -> usize {
        self.weight
    }

    pub(crate) fn holds(&self, table: &str) -> bool {
        self.codes.iter().any(|code| code == table)
    }

    /// Adds a batch. Its table must not be in the group yet.
    pub(crate) fn add(&mut self, batch: &Batch, context: &Context) -> Result<(), StoreError> {
        let last = batch.after + batch.entries.len() as u64;
        if batch.snapshot.as_ref().is_some_and(|(seq, _)| *seq > last) {
            return Err(StoreError::Rejected("a snapshot cannot contain entries that do not exist yet".to_owned()));
        }
        let place = signed(self.codes.len() as u64 + 1);
        let held = batch.snapshot.as_ref().filter(|_| !context.options.keep_journals).map_or(0, |(seq, _)| *seq);
        let mut grow = 0;
        for (seq, body) in (batch.after + 1..).zip(&batch.entries).filter(|(seq, _)| *seq > held) {
            grow += stored(body);
            self.entries.push(place, (signed(seq), body.clone()));
        }
        let parts: i64 = batch.parts.iter().map(|part| length(&part.body)).sum();
        self.need.push(grow + parts);
        self.match_grow.push(if batch.parts.iter().any(|part| part.last) { 0 } else { parts });
        let reset = held > 0 && held >= batch.after;
        if let Some((seq, body)) = &batch.snapshot {
            self.snapshots.push(place, (signed(*seq), body.clone()));
            grow += if reset { stored(body) } else { 0 };
        }
        self.grow.push(grow);
        self.reset.push(reset);
        self.held.push(signed(held));
        self.weight += batch.weight();
        self.add_parts(place, batch);
        self.add_facts(place, batch);
        self.after.push(signed(batch.after));
        self.last.push(signed(last));
        self.codes.push(batch.table.clone());
        Ok(())
    }

    /// A first part replaces earlier parts of its number, including those in the same batch.
    fn add_parts(&mut self, place: i64, batch: &Batch) {
        let mut grow = 0;
        for (at, part) in batch.parts.iter().enumerate() {
            let is_replaced = batch.parts[at + 1..].iter().any(|later| later.first && later.number == part.number);
            if is_replaced {
                continue;
            }
            grow += stored(&part.body);
            let (number, ended) = (i64::from(part.number), i64::from(part.last));
            self.parts.push(place, PartRow { number, first: part.first, ended, body: part.body.clone() });
        }
        self.part_grow.push(grow);
    }

    fn add_facts(&mut self, place: i64, batch: &Batch) {
        self.epochs.push(signed(batch.epoch));
        self.touch.push(!batch.quiet);
        self.listed.push(batch.closed || batch.listing != ListingChange::Keep);
        self.listings.push(match &batch.listing {
            ListingChange::Show(text) if !batch.closed => Some(text.clone()),
            _ => None,
        });
        self.talk.push(batch.talk.map(|talk| if talk { self.now } else { 0 }));
        self.closed.push(batch.closed);
        self.invites.push(batch.invite.clone());
        self.owners.push(batch.owner.map(signed));
        batch.people.iter().for_each(|guest| self.people.push(place, signed(*guest)));
        let gone = batch.left.iter().filter(|guest| !batch.people.contains(guest));
        gone.for_each(|guest| self.left.push(place, signed(*guest)));
    }

    /// Whether the group has only entries, like most: a smaller statement is enough then.
    fn is_plain(&self) -> bool {
        self.snapshots.rows.is_empty()
            && self.parts.rows.is_empty()
            && self.people.rows.is_empty()
            && self.left.rows.is_empty()
    }

    /// Writes the group, and returns for each batch whether it was written. Idempotent: if the answer is lost, the same
    /// attempt can be repeated and takes effect at most once.
    pub(crate) async fn write(&self, link: &Link, sql: &Prepared, attempt: Attempt) -> Result<Vec<bool>, Fault> {
        let result = answered(self.send(link, sql, attempt)).await;
        let rows = link.watched(result)?;
        let places: Vec<i64> = rows.iter().map(|row| row.get(0)).collect();
        // The mark means that the attempt took effect just now.
        if places.contains(&MARK) {
            return Ok(self.outcome(&places));
        }
        let sql = "SELECT number, outcome FROM attempts WHERE writer = $1 AND slot = $2";
        let row = link.row(sql, &[int(&attempt.writer), int(&attempt.slot)]).await?;
        match row {
            Some(row) if row.get::<_, i64>(0) == attempt.number => Ok(self.outcome(&row.get::<_, Vec<i64>>(1))),
            // The node was declared dead long ago, and its outcomes are deleted.
            _ => Err(Fault::Refused(StoreError::Away("this server was given up by the others".to_owned()))),
        }
    }

    fn outcome(&self, places: &[i64]) -> Vec<bool> {
        (1..).take(self.len()).map(|place: i64| places.contains(&place)).collect()
    }

    async fn send(&self, link: &Link, sql: &Prepared, attempt: Attempt) -> Result<Vec<Row>, tokio_postgres::Error> {
        let (entry_seqs, entry_bodies) = split(&self.entries.rows);
        let (snapshot_seqs, snapshot_bodies) = split(&self.snapshots.rows);
        let part_numbers: Vec<i64> = self.parts.rows.iter().map(|part| part.number).collect();
        let part_firsts: Vec<bool> = self.parts.rows.iter().map(|part| part.first).collect();
        let part_ends: Vec<i64> = self.parts.rows.iter().map(|part| part.ended).collect();
        let part_bodies: Vec<&[u8]> = self.parts.rows.iter().map(|part| part.body.as_slice()).collect();
        let Attempt { writer, slot, number } = attempt;
        let plain: [&(dyn ToSql + Sync); 22] = [
            &self.codes,
            &self.after,
            &self.last,
            &self.grow,
            &self.reset,
            &self.need,
            &self.epochs,
            &self.touch,
            &self.listed,
            &self.listings,
            &self.talk,
            &self.closed,
            &self.invites,
            &self.owners,
            &self.now,
            &self.quota,
            &writer,
            &slot,
            &number,
            &self.entries.places,
            &entry_seqs,
            &entry_bodies,
        ];
        if self.is_plain() {
            return link.query(&sql.plain, &plain).await;
        }
        let more: [&(dyn ToSql + Sync); 16] = [
            &self.held,
            &self.part_grow,
            &self.snapshots.places,
            &snapshot_seqs,
            &snapshot_bodies,
            &self.parts.places,
            &part_numbers,
            &part_firsts,
            &part_ends,
            &part_bodies,
            &self.people.places,
            &self.people.rows,
            &self.left.places,
            &self.left.rows,
            &self.match_grow,
            &self.guest_quota,
        ];
        let values: Vec<&(dyn ToSql + Sync)> = plain.into_iter().chain(more).collect();
        link.query(&sql.full, &values).await
    }

    /// Why a batch was not written, as far as can be told afterwards.
    pub(crate) async fn explain(&self, link: &Link, at: usize) -> Result<StoreError, Fault> {
        let sql = format!(
            "SELECT id, last, epoch, bytes + part_bytes + $2 > $3 OR NOT ({}) FROM tables WHERE code = $1",
            may_grow("$4", "$5")
        );
        let (need, grow) = (self.need[at], self.match_grow[at]);
        let values = [text(&self.codes[at]), int(&need), int(&self.quota), int(&grow), int(&self.guest_quota)];
        let row = link.row(&sql, &values).await?;
        let number = |row: &Row, column: usize| row.get::<_, i64>(column).unsigned_abs();
        let after = self.after[at].unsigned_abs();
        Ok(match row {
            None => StoreError::Conflict { table: 0, after, last: 0 },
            Some(row) if row.get::<_, i64>(2) != self.epochs[at] => StoreError::Fenced { table: number(&row, 0) },
            Some(row) if number(&row, 1) == after && row.get(3) => StoreError::OverQuota { table: number(&row, 0) },
            Some(row) => StoreError::Conflict { table: number(&row, 0), after, last: number(&row, 1) },
        })
    }
}

fn split(rows: &[(i64, Vec<u8>)]) -> (Vec<i64>, Vec<&[u8]>) {
    rows.iter().map(|(seq, body)| (*seq, body.as_slice())).unzip()
}

/// The place of the row that marks an attempt as effective now.
const MARK: i64 = -1;

/// The batches, and which tables they advance.
const HEAD: &str = "WITH batch AS MATERIALIZED (
    SELECT * FROM unnest($1::text[], $2::int8[], $3::int8[], $4::int8[], $5::bool[], $6::int8[], $7::int8[], $8::bool[],
        $9::bool[], $10::text[], $11::int8[], $12::bool[], $13::text[], $14::int8[]@MORE_ARRAYS)
        WITH ORDINALITY AS b (code, after, last, grow, reset, need, epoch, touch, listed, listing, talk, closed, invite,
            owner@MORE_NAMES, place)
), moved AS (
    UPDATE tables SET last = batch.last,
        bytes = CASE WHEN batch.reset THEN batch.grow ELSE tables.bytes + batch.grow END,
        touched = CASE WHEN batch.touch THEN $15 ELSE tables.touched END,
        listing = CASE WHEN batch.listed THEN batch.listing ELSE tables.listing END,
        talk = coalesce(batch.talk, tables.talk),
        closed = CASE WHEN batch.closed THEN coalesce(tables.closed, $15) ELSE tables.closed END,
        invite = coalesce(batch.invite, tables.invite)@MORE_CHANGES
    FROM batch
    WHERE tables.code = batch.code AND tables.last = batch.after AND tables.epoch = batch.epoch
        AND tables.bytes + tables.part_bytes + batch.need <= $16@MORE_CONDITIONS
    RETURNING batch.place, tables.id
), made AS (
    INSERT INTO tables (code, opened, touched, last, bytes, listing, talk, closed, invite, owner, epoch,
            node, format@MORE_COLUMNS)
        SELECT code, $15, $15, last, grow, listing, coalesce(talk, 0), CASE WHEN closed THEN $15 END, invite, owner, epoch,
            CASE WHEN epoch > 0 THEN $17 END, @FORMAT@MORE_VALUES
        FROM batch WHERE after = 0
    ON CONFLICT (code) DO NOTHING
    RETURNING id, code
), done AS (
    SELECT place, id FROM moved
    UNION ALL SELECT batch.place, made.id FROM made JOIN batch ON batch.code = made.code
), added AS (
    INSERT INTO journal (table_id, seq, body)
        SELECT done.id, e.seq, e.body FROM unnest($20::int8[], $21::int8[], $22::bytea[]) AS e (place, seq, body)
            JOIN done ON done.place = e.place
)";

/// Snapshots with what they prune, parts of matches, people.
const REST: &str = ", pruned AS (
    DELETE FROM journal USING done JOIN batch ON batch.place = done.place
        WHERE journal.table_id = done.id AND journal.seq <= batch.held AND batch.held > 0
), kept AS (
    INSERT INTO snapshots (table_id, seq, body)
        SELECT done.id, s.seq, s.body FROM unnest($25::int8[], $26::int8[], $27::bytea[]) AS s (place, seq, body)
            JOIN done ON done.place = s.place
    ON CONFLICT (table_id) DO UPDATE SET seq = excluded.seq, body = excluded.body
), part AS MATERIALIZED (
    SELECT done.id AS table_id, p.* FROM unnest($28::int8[], $29::int8[], $30::bool[], $31::int8[], $32::bytea[])
        WITH ORDINALITY AS p (place, number, first, ended, body, ordinal) JOIN done ON done.place = p.place
), replaced AS (
    DELETE FROM parts USING part
        WHERE part.first AND parts.table_id = part.table_id AND parts.number = part.number
), parted AS (
    INSERT INTO parts (table_id, number, ended, body) SELECT table_id, number, ended, body FROM part ORDER BY ordinal
), came AS (
    INSERT INTO people (guest_id, table_id)
        SELECT p.guest, done.id FROM unnest($33::int8[], $34::int8[]) AS p (place, guest)
            JOIN done ON done.place = p.place
    ON CONFLICT DO NOTHING
), went AS (
    DELETE FROM people USING unnest($35::int8[], $36::int8[]) AS p (place, guest) JOIN done ON done.place = p.place
        WHERE people.guest_id = p.guest AND people.table_id = done.id
)";

/// Stores the outcome for a repeated attempt.
const TAIL: &str = ", noted AS (
    UPDATE attempts SET number = $19, outcome = (SELECT coalesce(array_agg(place), '{}') FROM done)
        WHERE writer = $17 AND slot = $18 AND number < $19
    RETURNING writer
)
SELECT place FROM done UNION ALL SELECT -1 FROM noted";

/// The size of the parts that are replaced.
fn part_change() -> String {
    format!(
        ", part_bytes = tables.part_bytes + batch.part_grow - (
            SELECT coalesce(sum(length(parts.body) + {ROW}), 0)::int8 FROM parts WHERE parts.table_id = tables.id
                AND parts.number IN (SELECT p.number FROM unnest($28::int8[], $29::int8[], $30::bool[])
                    AS p (place, number, first) WHERE p.place = batch.place AND p.first))"
    )
}

/// Whether a match may grow. As on SQLite, the owner's total is checked whenever a match has grown by [`RESERVED`].
/// Batches of one group do not see each other, so each may exceed the quota by one reservation.
fn may_grow(by: &str, most: &str) -> String {
    format!(
        "tables.part_bytes / {RESERVED} = (tables.part_bytes + {by}) / {RESERVED}
            OR tables.owner IS NULL OR ({} tables.owner) <= {most}",
        taken_by()
    )
}

/// The prepared statements of a connection.
pub(crate) struct Prepared {
    plain: Statement,
    full: Statement,
}

impl Prepared {
    /// Prepares the statements. They never scan a whole table, even with outdated statistics.
    /// `format`: the format of the entries.
    pub(crate) async fn on(link: &Link, format: u64) -> Result<Prepared, Fault> {
        // Compatible databases may not know this setting; their own planner decides then.
        let _ = answered(link.batch_execute("SET enable_seqscan = off")).await;
        let filled = |more, rest| filled(more, rest).replace("@FORMAT", &signed(format).to_string());
        let plain = filled([""; 6], "");
        let condition = format!("\n        AND ({})", may_grow("batch.match_grow", "$38"));
        let arrays = ", $23::int8[], $24::int8[], $37::int8[]";
        let names = ", held, part_grow, match_grow";
        let full = filled([arrays, names, &part_change(), &condition, ", part_bytes", ", part_grow"], REST);
        let types = types();
        let (plain, full) = (link.prepare_typed(&plain, &types[..22]), link.prepare_typed(&full, &types));
        Ok(Prepared { plain: answered(plain).await?, full: answered(full).await? })
    }
}

fn filled(more: [&str; 6], rest: &str) -> String {
    let gaps = ["@MORE_ARRAYS", "@MORE_NAMES", "@MORE_CHANGES", "@MORE_CONDITIONS", "@MORE_COLUMNS", "@MORE_VALUES"];
    let head = gaps.iter().zip(more).fold(HEAD.to_owned(), |text, (gap, with)| text.replace(gap, with));
    format!("{head}{rest}{TAIL}")
}

fn types() -> Vec<Type> {
    let (ints, bools, texts) = (Type::INT8_ARRAY, Type::BOOL_ARRAY, Type::TEXT_ARRAY);
    let bodies = Type::BYTEA_ARRAY;
    let plain = [
        &texts,
        &ints,
        &ints,
        &ints,
        &bools,
        &ints,
        &ints,
        &bools,
        &bools,
        &texts,
        &ints,
        &bools,
        &texts,
        &ints,
        &Type::INT8,
        &Type::INT8,
        &Type::INT8,
        &Type::INT8,
        &Type::INT8,
        &ints,
        &ints,
        &bodies,
    ];
    let more = [
        &ints,
        &ints,
        &ints,
        &ints,
        &bodies,
        &ints,
        &ints,
        &bools,
        &ints,
        &bodies,
        &ints,
        &ints,
        &ints,
        &ints,
        &ints,
        &Type::INT8,
    ];
    plain.into_iter().chain(more).cloned().collect()
}
