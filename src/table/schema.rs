//! The columns of the datasets, read from `SCHEMA.md`: the document is the schema.

use std::sync::LazyLock;

use super::cell::Kind;

/// The document.
pub const DOCUMENT: &str = include_str!("SCHEMA.md");

/// The version of the schema, in the metadata of every file. The first number changes when a column goes or changes its
/// meaning, the second when one is added.
pub const VERSION: &str = "1.0";

/// One of the datasets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Table {
    /// One row a game.
    Games,
    /// One row a ply of the main line, as far as it replays legally.
    Plies,
    /// One row a finding.
    Findings,
}

impl Table {
    /// All of them.
    pub const ALL: [Table; 3] = [Table::Games, Table::Plies, Table::Findings];

    /// The name of the folder and of the table.
    pub const fn as_str(self) -> &'static str {
        match self {
            Table::Games => "games",
            Table::Plies => "plies",
            Table::Findings => "findings",
        }
    }
}

/// How the plies tell the position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Positions {
    /// As FEN.
    Fen,
    /// As 46 bytes.
    Packed,
    /// Only its hash.
    None,
}

impl Positions {
    /// The option of this name.
    pub fn from_name(name: &str) -> Option<Positions> {
        match name {
            "fen" => Some(Positions::Fen),
            "packed" => Some(Positions::Packed),
            "none" => Some(Positions::None),
            _ => None,
        }
    }

    /// The name of the option.
    pub const fn as_str(self) -> &'static str {
        match self {
            Positions::Fen => "fen",
            Positions::Packed => "packed",
            Positions::None => "none",
        }
    }
}

/// One column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name, in lower snake case.
    pub name: &'static str,
    /// What it holds.
    pub kind: Kind,
    /// The unit of numbers and the values of words; empty where there is none.
    pub unit: &'static str,
    /// When it is null; empty if never.
    pub null: &'static str,
    /// What it says and where that comes from.
    pub source: &'static str,
}

/// The columns of `table`, in order.
pub fn columns(table: Table, positions: Positions) -> impl Iterator<Item = &'static Column> {
    let all = &COLUMNS[table as usize];
    let left_out = match positions {
        Positions::Fen => &["packed"][..],
        Positions::Packed => &["fen"],
        Positions::None => &["fen", "packed"],
    };
    all.iter().filter(move |column| table != Table::Plies || !left_out.contains(&column.name))
}

/// The name of the folder for one value of a column, as Hive, DuckDB, Polars and Spark read it: `year=1999`. Characters that
/// file systems or these programs take for something else are written as `%2F`; a name that is too long is cut and gets a hash.
///
/// ```
/// use qijian::table::partition_name;
///
/// assert_eq!(partition_name("event", Some("a/b=c")), "event=a%2Fb%3Dc");
/// assert_eq!(partition_name("year", None), "year=__HIVE_DEFAULT_PARTITION__");
/// ```
pub fn partition_name(column: &str, value: Option<&str>) -> String {
    /// Under the 255 bytes that file systems allow, with room for the hash.
    const MOST: usize = 180;
    let Some(value) = value else { return format!("{column}=__HIVE_DEFAULT_PARTITION__") };
    let mut name = format!("{column}=");
    for c in value.chars() {
        if c.is_control()
            || matches!(
                c,
                '/' | '\\'
                    | '='
                    | '%'
                    | ':'
                    | '*'
                    | '?'
                    | '"'
                    | '<'
                    | '>'
                    | '|'
                    | '#'
                    | '\''
                    | '{'
                    | '}'
                    | '['
                    | ']'
                    | '^'
            )
        {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes)
                .bytes()
                .for_each(|byte| name.push_str(&format!("%{byte:02X}")));
        } else {
            name.push(c);
        }
    }
    if name.len() > MOST {
        let hash = super::hash::of_bytes(value.as_bytes(), 0);
        let end = (0..=MOST).rev().find(|at| name.is_char_boundary(*at));
        name.truncate(end.unwrap_or(0));
        name.push_str(&format!("~{hash:016x}"));
    }
    name
}

/// The number of the column `name` of `table`.
pub(super) fn index(table: Table, name: &str) -> Option<usize> {
    columns(table, Positions::None).position(|column| column.name == name)
}

/// The tables of the document; each line of a table is a column.
static COLUMNS: LazyLock<[Vec<Column>; 3]> =
    LazyLock::new(|| Table::ALL.map(|table| read(DOCUMENT, table.as_str())));

/// The columns below the heading `heading` of `document`.
fn read(document: &'static str, heading: &str) -> Vec<Column> {
    let lines =
        document.lines().skip_while(|line| line.strip_prefix("## ") != Some(heading)).skip(1);
    let section = lines.take_while(|line| !line.starts_with("## "));
    section.filter_map(column).collect()
}

/// A line such as `` | `name` | type | unit | null | source | ``.
fn column(line: &'static str) -> Option<Column> {
    let mut cells = line.strip_prefix("| `")?.strip_suffix(" |")?.split(" | ");
    let name = cells.next()?.strip_suffix('`')?;
    let kind = Kind::from_name(cells.next()?)?;
    let mut word = || cells.next().map(|text| if text == "—" { "" } else { text });
    Some(Column { name, kind, unit: word()?, null: word()?, source: word()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A line of the document that is not understood would be a column lost.
    #[test]
    fn every_line_of_the_tables_is_a_column() {
        let lines = DOCUMENT.lines().filter(|line| line.starts_with("| `")).count();
        let columns: usize = COLUMNS.iter().map(Vec::len).sum();
        assert_eq!(columns, lines);
        assert!(COLUMNS.iter().all(|columns| columns.len() > 10));
        assert!(DOCUMENT.contains(&format!("version {VERSION}")));
    }

    #[test]
    fn names_are_unique() {
        for table in Table::ALL {
            let mut names: Vec<_> =
                columns(table, Positions::Fen).map(|column| column.name).collect();
            let count = names.len();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), count);
        }
    }
}
