//! Batches as CSV and as JSON lines.

use std::io::{self, Write};

use serde_json::{Map, Value};

use super::{
    cell::{Batch, Cell},
    schema::{self, Positions, Table},
};

/// The header of a CSV file of `table`.
pub fn csv_head(table: Table, positions: Positions, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(schema::columns(table, positions).map(|column| column.name))?;
    writer.flush()
}

/// The rows of `batch` as CSV (RFC 4180): null is empty, `true` and `false`, dates `2001-03-13`, bytes hexadecimal. An
/// empty text does not occur beside null, so that nothing is lost.
pub fn csv_rows(batch: &Batch, out: &mut dyn Write) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for row in 0..batch.rows {
        for column in &batch.columns {
            writer.write_field(plain(&column.get(row)))?;
        }
        writer.write_record(None::<&[u8]>)?;
    }
    writer.flush()
}

/// The rows of `batch` as JSON lines: null is `null`, hashes are whole numbers past 2^53, so a reader needs 64 bits.
pub fn jsonl_rows(
    table: Table,
    positions: Positions,
    batch: &Batch,
    out: &mut dyn Write,
) -> io::Result<()> {
    for row in 0..batch.rows {
        let mut object = Map::new();
        for (column, values) in schema::columns(table, positions).zip(&batch.columns) {
            object.insert(column.name.to_owned(), json(&values.get(row)));
        }
        serde_json::to_writer(&mut *out, &object)?;
        out.write_all(b"\n")?;
    }
    Ok(())
}

/// A cell as text for CSV and for names of partitions.
pub(super) fn plain(cell: &Cell<'_>) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Bool(value) => value.to_string(),
        Cell::Int(value) => value.to_string(),
        Cell::Key(value) => value.to_string(),
        Cell::Real(value) => real(*value),
        Cell::Date(days) => civil(*days),
        Cell::Text(text) => text.clone().into_owned(),
        Cell::Bytes(bytes) => hex(bytes),
    }
}

fn json(cell: &Cell<'_>) -> Value {
    match cell {
        Cell::Null => Value::Null,
        Cell::Bool(value) => Value::from(*value),
        Cell::Int(value) => Value::from(*value),
        Cell::Key(value) => Value::from(*value),
        Cell::Real(value) => Value::from(*value),
        Cell::Date(_) | Cell::Bytes(_) | Cell::Text(_) => Value::from(plain(cell)),
    }
}

/// A real number with at most six decimals (CONTRACT section 4), and none where it is whole.
pub(super) fn real(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The civil date so many days after 1 January 1970.
fn civil(days: i32) -> String {
    let days = i64::from(days) + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Date, rows::Rows, study::tests::study};

    #[test]
    fn days_and_dates_agree() {
        for date in ["1970-01-01", "1969-07-20", "2000-02-29", "2026-11-30", "1600-03-01"] {
            let days = Date::parse(date).and_then(Date::days).unwrap();
            assert_eq!(civil(days), date);
        }
    }

    #[test]
    fn rows_in_both_formats() {
        let mut rows = Rows::new(Positions::None);
        rows.push(&study("h2e2 h9g7", &[("event", "a,\"b\"\n杯"), ("date", "2001.3.5")]));
        let mut text = Vec::new();
        csv_head(Table::Games, Positions::None, &mut text).unwrap();
        csv_rows(rows.of(Table::Games), &mut text).unwrap();
        let mut reader = csv::Reader::from_reader(&text[..]);
        let at = |name: &str| schema::index(Table::Games, name).unwrap();
        let record = reader.records().next().unwrap().unwrap();
        assert_eq!(&record[at("event")], "a,\"b\"\n杯");
        assert_eq!(&record[at("date")], "2001-03-05");
        assert_eq!(&record[at("red")], "");
        let mut lines = Vec::new();
        jsonl_rows(Table::Plies, Positions::None, rows.of(Table::Plies), &mut lines).unwrap();
        let first: Value =
            serde_json::from_slice(lines.split(|b| *b == b'\n').next().unwrap()).unwrap();
        assert_eq!(first["move_zh"], "炮二平五");
        assert_eq!(first["captured"], Value::Null);
        assert!(first["hash"].is_u64());
    }

    #[test]
    fn real_numbers_are_short() {
        for (value, text) in [(0.5, "0.5"), (1.0, "1"), (2.0 / 3.0, "0.666667"), (0.0, "0")] {
            assert_eq!(real(value), text);
        }
    }
}
