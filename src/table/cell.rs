//! Rows and columns before they become a file: one value, one column, one batch of rows.

use std::borrow::Cow;

use super::schema::{self, Table};

/// What a column holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A whole number, 64 bits with sign.
    Int,
    /// A 64-bit hash, without sign.
    Key,
    /// A real number, 64 bits.
    Real,
    /// A civil date, days since 1 January 1970.
    Date,
    /// Text, UTF-8.
    Text,
    /// Bytes.
    Bytes,
}

impl Kind {
    /// The kind of this name.
    pub(super) fn from_name(name: &str) -> Option<Kind> {
        use Kind::{Bool, Bytes, Date, Int, Key, Real, Text};
        [Bool, Int, Key, Real, Date, Text, Bytes].into_iter().find(|kind| kind.as_str() == name)
    }

    /// The name in the document of the schema.
    pub const fn as_str(self) -> &'static str {
        match self {
            Kind::Bool => "boolean",
            Kind::Int => "int64",
            Kind::Key => "uint64",
            Kind::Real => "float64",
            Kind::Date => "date",
            Kind::Text => "string",
            Kind::Bytes => "binary",
        }
    }
}

/// One value.
#[derive(Clone, PartialEq, Debug)]
pub enum Cell<'a> {
    /// Not known, or not stated.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A hash.
    Key(u64),
    /// A real number.
    Real(f64),
    /// Days since 1 January 1970.
    Date(i32),
    /// Text.
    Text(Cow<'a, str>),
    /// Bytes.
    Bytes(Cow<'a, [u8]>),
}

impl<'a> Cell<'a> {
    /// A count.
    pub(super) fn count(n: impl TryInto<i64>) -> Cell<'a> {
        Cell::Int(n.try_into().unwrap_or(i64::MAX))
    }

    /// A text, or null.
    pub(super) fn text(text: Option<impl Into<Cow<'a, str>>>) -> Cell<'a> {
        text.map_or(Cell::Null, |text| Cell::Text(text.into()))
    }

    /// A count, or null.
    pub(super) fn maybe(n: Option<impl TryInto<i64>>) -> Cell<'a> {
        n.map_or(Cell::Null, Cell::count)
    }

    /// A real number, or null.
    pub(super) fn real(value: Option<f64>) -> Cell<'a> {
        value.map_or(Cell::Null, Cell::Real)
    }
}

/// Texts one behind the other: one allocation a column instead of one a row.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Packed {
    bytes: Vec<u8>,
    /// Where each value ends, and whether it is one.
    ends: Vec<(usize, bool)>,
}

impl Packed {
    fn push(&mut self, value: Option<&[u8]>) {
        self.bytes.extend_from_slice(value.unwrap_or_default());
        self.ends.push((self.bytes.len(), value.is_some()));
    }

    fn append(&mut self, other: Packed) {
        let before = self.bytes.len();
        self.bytes.extend(other.bytes);
        self.ends.extend(other.ends.into_iter().map(|(end, known)| (end + before, known)));
    }

    /// The value of row `row`.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        let (end, known) = *self.ends.get(row)?;
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before].0);
        known.then(|| &self.bytes[start..end])
    }

    /// The text of row `row`.
    pub fn text(&self, row: usize) -> Option<&str> {
        self.get(row).and_then(|bytes| std::str::from_utf8(bytes).ok())
    }
}

/// The values of one column.
#[derive(Clone, PartialEq, Debug)]
pub enum Column {
    /// See [`Kind::Bool`].
    Bool(Vec<Option<bool>>),
    /// See [`Kind::Int`].
    Int(Vec<Option<i64>>),
    /// See [`Kind::Key`].
    Key(Vec<Option<u64>>),
    /// See [`Kind::Real`].
    Real(Vec<Option<f64>>),
    /// See [`Kind::Date`].
    Date(Vec<Option<i32>>),
    /// See [`Kind::Text`].
    Text(Packed),
    /// See [`Kind::Bytes`].
    Bytes(Packed),
}

impl Column {
    fn new(kind: Kind) -> Column {
        match kind {
            Kind::Bool => Column::Bool(Vec::new()),
            Kind::Int => Column::Int(Vec::new()),
            Kind::Key => Column::Key(Vec::new()),
            Kind::Real => Column::Real(Vec::new()),
            Kind::Date => Column::Date(Vec::new()),
            Kind::Text => Column::Text(Packed::default()),
            Kind::Bytes => Column::Bytes(Packed::default()),
        }
    }

    /// A value of another kind than the column's becomes null; [`super::rows`] has a test that there is none.
    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Column::Bool(values), Cell::Bool(value)) => values.push(Some(value)),
            (Column::Int(values), Cell::Int(value)) => values.push(Some(value)),
            (Column::Key(values), Cell::Key(value)) => values.push(Some(value)),
            (Column::Real(values), Cell::Real(value)) => values.push(Some(value)),
            (Column::Date(values), Cell::Date(value)) => values.push(Some(value)),
            (Column::Text(values), Cell::Text(value)) => values.push(Some(value.as_bytes())),
            (Column::Bytes(values), Cell::Bytes(value)) => values.push(Some(&value)),
            (Column::Bool(values), _) => values.push(None),
            (Column::Int(values), _) => values.push(None),
            (Column::Key(values), _) => values.push(None),
            (Column::Real(values), _) => values.push(None),
            (Column::Date(values), _) => values.push(None),
            (Column::Text(values) | Column::Bytes(values), _) => values.push(None),
        }
    }

    fn append(&mut self, other: Column) {
        match (self, other) {
            (Column::Bool(all), Column::Bool(more)) => all.extend(more),
            (Column::Int(all), Column::Int(more)) => all.extend(more),
            (Column::Key(all), Column::Key(more)) => all.extend(more),
            (Column::Real(all), Column::Real(more)) => all.extend(more),
            (Column::Date(all), Column::Date(more)) => all.extend(more),
            (Column::Text(all), Column::Text(more)) => all.append(more),
            (Column::Bytes(all), Column::Bytes(more)) => all.append(more),
            // Batches of one table have the same columns.
            _ => {}
        }
    }

    /// The value of row `row`; null past the last.
    pub fn get(&self, row: usize) -> Cell<'_> {
        match self {
            Column::Bool(values) => {
                values.get(row).copied().flatten().map_or(Cell::Null, Cell::Bool)
            }
            Column::Int(values) => values.get(row).copied().flatten().map_or(Cell::Null, Cell::Int),
            Column::Key(values) => values.get(row).copied().flatten().map_or(Cell::Null, Cell::Key),
            Column::Real(values) => {
                values.get(row).copied().flatten().map_or(Cell::Null, Cell::Real)
            }
            Column::Date(values) => {
                values.get(row).copied().flatten().map_or(Cell::Null, Cell::Date)
            }
            Column::Text(values) => Cell::text(values.text(row)),
            Column::Bytes(values) => {
                values.get(row).map_or(Cell::Null, |bytes| Cell::Bytes(bytes.into()))
            }
        }
    }
}

/// Rows of one table, column by column.
#[derive(Clone, PartialEq, Debug)]
pub struct Batch {
    /// The columns, in the order of [`schema::columns`].
    pub columns: Vec<Column>,
    /// How many rows there are.
    pub rows: usize,
}

impl Batch {
    /// No row of `table`; `positions` decides on the columns of plies.
    pub fn new(table: Table, positions: schema::Positions) -> Batch {
        let columns = schema::columns(table, positions);
        Batch { columns: columns.map(|column| Column::new(column.kind)).collect(), rows: 0 }
    }

    /// No row of columns of these kinds.
    #[cfg(feature = "tables")]
    pub(super) fn of_kinds(kinds: impl Iterator<Item = Kind>) -> Batch {
        Batch { columns: kinds.map(Column::new).collect(), rows: 0 }
    }

    /// Adds a row: one cell a column.
    pub(super) fn push(&mut self, row: Vec<Cell<'_>>) {
        debug_assert_eq!(row.len(), self.columns.len());
        for (column, cell) in self.columns.iter_mut().zip(row) {
            column.push(cell);
        }
        self.rows += 1;
    }

    /// Adds the rows of a batch of the same table.
    pub fn append(&mut self, other: Batch) {
        for (column, more) in self.columns.iter_mut().zip(other.columns) {
            column.append(more);
        }
        self.rows += other.rows;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_values_come_back_as_they_were() {
        let mut values = Packed::default();
        for value in [Some("炮"), None, Some(""), Some("ab")] {
            values.push(value.map(str::as_bytes));
        }
        let mut more = Packed::default();
        more.push(Some("卒".as_bytes()));
        values.append(more);
        let read: Vec<_> = (0..6).map(|row| values.text(row)).collect();
        assert_eq!(read, [Some("炮"), None, Some(""), Some("ab"), Some("卒"), None]);
    }
}
