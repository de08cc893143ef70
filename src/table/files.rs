//! One file of a dataset while it is written: Parquet, CSV or JSON lines.

use std::io::{self, Write};

use super::{
    cell::Batch,
    schema::{Positions, Table},
    text,
};

/// The format of the files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileFormat {
    /// Apache Parquet, with the schema in its metadata.
    Parquet,
    /// CSV with a header (RFC 4180).
    Csv,
    /// One JSON object a line.
    Jsonl,
}

impl FileFormat {
    /// The format of this name, where this build can write it.
    pub fn from_name(name: &str) -> Option<FileFormat> {
        match name {
            "parquet" if cfg!(feature = "tables") => Some(FileFormat::Parquet),
            "csv" => Some(FileFormat::Csv),
            "jsonl" => Some(FileFormat::Jsonl),
            _ => None,
        }
    }

    /// The name, which is the extension too.
    pub const fn as_str(self) -> &'static str {
        match self {
            FileFormat::Parquet => "parquet",
            FileFormat::Csv => "csv",
            FileFormat::Jsonl => "jsonl",
        }
    }
}

/// A file of one table, open for rows.
pub struct TableFile<W: Write + Send> {
    table: Table,
    positions: Positions,
    kind: Open<W>,
}

enum Open<W: Write + Send> {
    #[cfg(feature = "tables")]
    Parquet(Box<super::parquet::ParquetFile<W>>),
    Csv(W),
    Jsonl(W),
}

impl<W: Write + Send> TableFile<W> {
    /// Begins a file of `table`.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn new(
        format: FileFormat,
        table: Table,
        positions: Positions,
        mut out: W,
    ) -> io::Result<TableFile<W>> {
        let kind = match format {
            #[cfg(feature = "tables")]
            FileFormat::Parquet => {
                Open::Parquet(Box::new(super::parquet::ParquetFile::new(table, positions, out)?))
            }
            #[cfg(not(feature = "tables"))]
            FileFormat::Parquet => return Err(io::Error::from(io::ErrorKind::Unsupported)),
            FileFormat::Csv => {
                text::csv_head(table, positions, &mut out)?;
                Open::Csv(out)
            }
            FileFormat::Jsonl => Open::Jsonl(out),
        };
        Ok(TableFile { table, positions, kind })
    }

    /// Adds rows; in Parquet they are a row group.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn write(&mut self, batch: &Batch) -> io::Result<()> {
        match &mut self.kind {
            #[cfg(feature = "tables")]
            Open::Parquet(file) => file.write(batch),
            Open::Csv(out) => text::csv_rows(batch, out),
            Open::Jsonl(out) => text::jsonl_rows(self.table, self.positions, batch, out),
        }
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// What the system says.
    pub fn finish(self) -> io::Result<()> {
        match self.kind {
            #[cfg(feature = "tables")]
            Open::Parquet(file) => file.finish(),
            Open::Csv(mut out) | Open::Jsonl(mut out) => out.flush(),
        }
    }
}
