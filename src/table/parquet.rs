//! Batches as Polars data frames and as Parquet.

use std::io::{self, Write};

use polars_core::prelude::{
    Column as Series, DataFrame, DataType, IntoColumn, NamedFrom, PolarsError, Schema,
    Series as Values,
};
use polars_io::parquet::write::{
    BatchedWriter, KeyValueMetadata, ParquetCompression, ParquetWriter,
};

use super::{
    cell::{Batch, Column, Kind},
    schema::{self, Positions, Table},
};

/// A Parquet file that is being written.
pub(super) struct ParquetFile<W: Write + Send> {
    table: Table,
    positions: Positions,
    writer: BatchedWriter<W>,
}

impl<W: Write + Send> ParquetFile<W> {
    pub(super) fn new(table: Table, positions: Positions, out: W) -> io::Result<ParquetFile<W>> {
        let types = schema::columns(table, positions)
            .map(|column| (column.name.into(), data_type(column.kind)));
        let types: Schema = types.collect();
        let metadata =
            metadata(table, positions).into_iter().map(|(key, value)| (key.to_owned(), value));
        let writer = ParquetWriter::new(out)
            .with_compression(ParquetCompression::Zstd(None))
            .with_key_value_metadata(Some(KeyValueMetadata::from_static(metadata.collect())))
            .set_parallel(false)
            .batched(&types)
            .map_err(failed)?;
        Ok(ParquetFile { table, positions, writer })
    }

    /// Adds a row group.
    pub(super) fn write(&mut self, batch: &Batch) -> io::Result<()> {
        let frame = frame(self.table, self.positions, batch).map_err(failed)?;
        self.writer.write_batch(&frame).map_err(failed)
    }

    pub(super) fn finish(self) -> io::Result<()> {
        self.writer.finish().map(|_| ()).map_err(failed)
    }
}

/// What stands in the metadata of a file, beside what Parquet puts there.
fn metadata(table: Table, positions: Positions) -> Vec<(&'static str, String)> {
    let columns: Vec<serde_json::Value> = schema::columns(table, positions)
        .map(|column| {
            serde_json::json!({
                "name": column.name, "type": column.kind.as_str(), "unit": column.unit,
                "null": column.null, "source": column.source,
            })
        })
        .collect();
    vec![
        ("qijian.schema_version", schema::VERSION.to_owned()),
        ("qijian.table", table.as_str().to_owned()),
        ("qijian.schema", serde_json::Value::from(columns).to_string()),
    ]
}

fn data_type(kind: Kind) -> DataType {
    match kind {
        Kind::Bool => DataType::Boolean,
        Kind::Int => DataType::Int64,
        Kind::Key => DataType::UInt64,
        Kind::Real => DataType::Float64,
        Kind::Date => DataType::Date,
        Kind::Text => DataType::String,
        Kind::Bytes => DataType::Binary,
    }
}

/// The rows of `batch` as a Polars data frame with the columns of [`schema::columns`].
///
/// # Errors
///
/// The batch is none of `table` with `positions`.
pub fn frame(table: Table, positions: Positions, batch: &Batch) -> Result<DataFrame, PolarsError> {
    named_frame(schema::columns(table, positions).map(|column| column.name), batch)
}

/// The rows of `batch` under these names.
pub(super) fn named_frame<'n>(
    names: impl Iterator<Item = &'n str>,
    batch: &Batch,
) -> Result<DataFrame, PolarsError> {
    let columns = names
        .zip(&batch.columns)
        .map(|(name, values)| series(name, values, batch.rows))
        .collect::<Result<Vec<Series>, _>>()?;
    DataFrame::new(batch.rows, columns)
}

fn series(name: &str, values: &Column, rows: usize) -> Result<Series, PolarsError> {
    let name = name.into();
    let values = match values {
        Column::Bool(values) => Values::new(name, values),
        Column::Int(values) => Values::new(name, values),
        Column::Key(values) => Values::new(name, values),
        Column::Real(values) => Values::new(name, values),
        Column::Date(values) => Values::new(name, values).cast(&DataType::Date)?,
        Column::Text(values) => {
            Values::new(name, (0..rows).map(|row| values.text(row)).collect::<Vec<_>>())
        }
        Column::Bytes(values) => {
            Values::new(name, (0..rows).map(|row| values.get(row)).collect::<Vec<_>>())
        }
    };
    Ok(values.into_column())
}

fn failed(error: PolarsError) -> io::Error {
    match error {
        PolarsError::IO { error, .. } => io::Error::new(error.kind(), error.to_string()),
        other => io::Error::other(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{rows::Rows, study::tests::study};

    #[test]
    fn a_batch_becomes_a_frame_with_its_types() {
        let mut rows = Rows::new(Positions::Packed);
        rows.push(&study("h2e2 h9g7", &[("date", "2001-02-03"), ("red", "甲")]));
        for table in Table::ALL {
            let frame = frame(table, Positions::Packed, rows.of(table)).unwrap();
            assert_eq!(frame.height(), rows.of(table).rows);
            for (column, values) in schema::columns(table, Positions::Packed).zip(frame.columns()) {
                assert_eq!(values.dtype(), &data_type(column.kind), "{}", column.name);
            }
        }
    }

    #[test]
    fn the_metadata_hold_the_schema() {
        let metadata = metadata(Table::Plies, Positions::None);
        assert!(
            metadata
                .iter()
                .any(|(key, value)| *key == "qijian.schema" && value.contains("move_zh"))
        );
    }
}
