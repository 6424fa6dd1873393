//! Rows out of SQLite and into it.

use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, params_from_iter};

use super::{Cell, Section};
use crate::StoreError;

pub(crate) fn export(connection: &Connection, section: &Section, after: &[Cell]) -> Result<Vec<Vec<Cell>>, StoreError> {
    let mut statement = connection.prepare_cached(&section.query(after.is_empty(), |place| format!("?{place}")))?;
    let columns = section.columns.len();
    let rows = statement.query_map(params_from_iter(after.iter().cloned().map(value)), |row| {
        (0..columns).map(|column| Ok(cell(row.get_ref(column)?))).collect::<rusqlite::Result<Vec<Cell>>>()
    })?;
    Ok(rows.collect::<rusqlite::Result<_>>()?)
}

pub(crate) fn import(connection: &Connection, section: &Section, rows: Vec<Vec<Cell>>) -> Result<u64, StoreError> {
    let marks = vec!["?"; section.columns.len()].join(", ");
    let sql = format!("INSERT INTO {} ({}) VALUES ({marks})", section.name, section.names());
    let mut statement = connection.prepare_cached(&sql)?;
    let mut count = 0;
    for row in rows {
        count += statement.execute(params_from_iter(row.into_iter().map(value)))? as u64;
    }
    Ok(count)
}

fn value(cell: Cell) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Int(number) => Value::Integer(number),
        Cell::Text(text) => Value::Text(text),
        Cell::Bytes(bytes) => Value::Blob(bytes),
    }
}

fn cell(value: ValueRef<'_>) -> Cell {
    match value {
        ValueRef::Integer(number) => Cell::Int(number),
        ValueRef::Text(text) => Cell::Text(String::from_utf8_lossy(text).into_owned()),
        ValueRef::Blob(bytes) => Cell::Bytes(bytes.to_vec()),
        // No column has fractions.
        ValueRef::Null | ValueRef::Real(_) => Cell::Null,
    }
}
