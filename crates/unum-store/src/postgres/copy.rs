//! Reads rows from PostgreSQL and writes them into it, for `unum store copy`.

use tokio_postgres::Row;
use tokio_postgres::types::{ToSql, Type};

use super::group::signed;
use super::link::{Fault, Link, Value, bytes, int, ints, text};
use crate::copy::{Cell, Kind, Section};
use crate::sharded::BITS;

type Result<T> = std::result::Result<T, Fault>;

pub(crate) async fn export(link: &Link, section: &Section, after: &[Cell]) -> Result<Vec<Vec<Cell>>> {
    let sql = section.query(after.is_empty(), |place| format!("${place}"));
    let values: Vec<Value<'_>> = after.iter().filter_map(key).collect();
    let rows = link.rows(&sql, &values).await?;
    let columns = || section.columns.iter().enumerate();
    let cells = |row: &Row| columns().map(|(column, (_, kind))| cell(row, column, *kind)).collect();
    Ok(rows.iter().map(cells).collect())
}

fn key(cell: &Cell) -> Option<Value<'_>> {
    match cell {
        Cell::Null => None,
        Cell::Int(number) => Some(int(number)),
        Cell::Text(word) => Some(text(word)),
        Cell::Bytes(body) => Some(bytes(body)),
    }
}

fn cell(row: &Row, column: usize, kind: Kind) -> Cell {
    match kind {
        Kind::Int => row.get::<_, Option<i64>>(column).map_or(Cell::Null, Cell::Int),
        Kind::Text => row.get::<_, Option<String>>(column).map_or(Cell::Null, Cell::Text),
        Kind::Bytes => row.get::<_, Option<Vec<u8>>>(column).map_or(Cell::Null, Cell::Bytes),
    }
}

/// A column of many rows.
enum Column {
    Int(Vec<Option<i64>>),
    Text(Vec<Option<String>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Column {
    fn of(rows: &[Vec<Cell>], column: usize, kind: Kind) -> Column {
        let cells = rows.iter().map(|row| row.get(column).unwrap_or(&Cell::Null));
        match kind {
            Kind::Int => {
                Column::Int(cells.map(|cell| if let Cell::Int(number) = cell { Some(*number) } else { None }).collect())
            }
            Kind::Text => Column::Text(
                cells.map(|cell| if let Cell::Text(text) = cell { Some(text.clone()) } else { None }).collect(),
            ),
            Kind::Bytes => Column::Bytes(
                cells.map(|cell| if let Cell::Bytes(body) = cell { Some(body.clone()) } else { None }).collect(),
            ),
        }
    }

    fn value(&self) -> (&(dyn ToSql + Sync), Type) {
        match self {
            Column::Int(values) => (values, Type::INT8_ARRAY),
            Column::Text(values) => (values, Type::TEXT_ARRAY),
            Column::Bytes(values) => (values, Type::BYTEA_ARRAY),
        }
    }
}

/// Rows that are there already are skipped: an answer may have been lost.
pub(crate) async fn import(link: &Link, section: &Section, rows: &[Vec<Cell>]) -> Result<u64> {
    let kinds = section.columns.iter().enumerate();
    let columns: Vec<Column> = kinds.map(|(column, (_, kind))| Column::of(rows, column, *kind)).collect();
    let values: Vec<Value<'_>> = columns.iter().map(Column::value).collect();
    let marks: Vec<String> = (1..=columns.len()).map(|place| format!("${place}")).collect();
    let (name, names) = (section.name, section.names());
    let sql = format!("INSERT INTO {name} ({names}) SELECT * FROM unnest({}) ON CONFLICT DO NOTHING", marks.join(", "));
    link.run(&sql, &values).await
}

pub(crate) async fn import_journal(link: &Link, table: i64, entries: &[(u64, Vec<u8>)]) -> Result<u64> {
    let numbers: Vec<i64> = entries.iter().map(|(seq, _)| signed(*seq)).collect();
    let bodies: Vec<&[u8]> = entries.iter().map(|(_, body)| body.as_slice()).collect();
    let sql = "INSERT INTO journal (table_id, seq, body) SELECT $1, * FROM unnest($2, $3) ON CONFLICT DO NOTHING";
    link.run(sql, &[int(&table), ints(&numbers), (&bodies, Type::BYTEA_ARRAY)]).await
}

/// Makes new numbers start above the existing ones, within the range of this database.
pub(crate) async fn finish(link: &Link) -> Result<u64> {
    let shard = link.row("SELECT number FROM shard WHERE one = 1", &[]).await?;
    let first = shard.map_or(0, |row| row.get::<_, i64>(0)) << BITS;
    let numbered = [("tables", "id"), ("guests", "id"), ("records", "number"), ("parts", "id"), ("sanctions", "id")];
    for (table, column) in numbered.into_iter().chain([("reports", "id"), ("acts", "id")]) {
        let next =
            link.row(&format!("SELECT greatest(coalesce(max({column}), 0), {first}) + 1 FROM {table}"), &[]).await?;
        let next: i64 = next.map_or(1, |row| row.get(0));
        link.batch(&format!("ALTER TABLE {table} ALTER COLUMN {column} RESTART WITH {next}")).await?;
    }
    Ok(1)
}
