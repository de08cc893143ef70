//! Where the fields of a record stand.

/// A string of fixed width, UTF-16 with a zero behind it.
pub(super) struct Field {
    /// The name of its tag.
    pub(super) name: &'static str,
    pub(super) at: usize,
    /// Bytes.
    pub(super) size: usize,
}

/// One kind of record.
pub(super) struct Layout {
    pub(super) fields: &'static [Field],
    /// The code of the opening, three ASCII characters or zeros.
    pub(super) ecco: Option<usize>,
    /// What is recorded: 1 in all files seen.
    pub(super) record_type: usize,
    pub(super) result: usize,
    /// 1 Red, 2 Black.
    pub(super) side: usize,
    /// The number of the first round, two bytes.
    pub(super) round: usize,
    pub(super) board: usize,
    pub(super) nodes: usize,
    /// Whether squares of moves are file and row in a nibble each, not numbers of points.
    pub(super) nibbles: bool,
}

/// Points of a board.
pub(super) const POINTS: usize = 90;

const fn field(name: &'static str, at: usize, size: usize) -> Field {
    Field { name, at, size }
}

/// The layout that programs write now.
pub(super) static KIND_2: Layout = Layout {
    fields: &[
        field("Script", 52, 128),
        field("Title", 180, 128),
        field("Category", 308, 256),
        field("Source", 564, 64),
        field("EventClass", 628, 64),
        field("Event", 692, 64),
        field("Round", 756, 64),
        field("Group", 820, 32),
        field("Table", 852, 32),
        field("Date", 884, 64),
        field("Site", 948, 64),
        field("TimeControl", 1012, 64),
        field("Red", 1076, 64),
        field("RedTeam", 1140, 64),
        field("RedTime", 1204, 64),
        field("RedElo", 1268, 32),
        field("Black", 1300, 64),
        field("BlackTeam", 1364, 64),
        field("BlackTime", 1428, 64),
        field("BlackElo", 1492, 32),
        field("Referee", 1524, 64),
        field("Recorder", 1588, 64),
        field("Annotator", 1652, 64),
        field("AnnotatorEmail", 1716, 64),
        field("Author", 1780, 64),
        field("AuthorEmail", 1844, 64),
        field("Created", 1908, 64),
        field("Modified", 1972, 64),
        field("Nature", 2044, 32),
        field("Termination", 2080, 32),
    ],
    ecco: Some(2036),
    record_type: 2040,
    result: 2076,
    side: 2112,
    round: 2116,
    board: 2120,
    nodes: 2214,
    nibbles: false,
};

/// The older layout, by the account of one other reader; no real file is known.
pub(super) static KIND_1: Layout = Layout {
    fields: &[
        field("Title", 52, 128),
        field("Category", 180, 256),
        field("Source", 436, 64),
        field("EventClass", 500, 64),
        field("Event", 564, 64),
        field("Round", 628, 64),
        field("Group", 692, 32),
        field("Table", 724, 32),
        field("Date", 756, 64),
        field("Site", 820, 64),
        field("TimeControl", 884, 64),
        field("Red", 948, 64),
        field("RedTeam", 1012, 64),
        field("RedTime", 1076, 64),
        field("RedElo", 1140, 32),
        field("Black", 1172, 64),
        field("BlackTeam", 1236, 64),
        field("BlackTime", 1300, 64),
        field("BlackElo", 1364, 32),
        field("Annotator", 1396, 64),
        field("AnnotatorEmail", 1460, 64),
        field("Author", 1524, 64),
        field("AuthorEmail", 1588, 64),
        field("Created", 1652, 64),
        field("Modified", 1716, 64),
        field("Nature", 1788, 32),
        field("Termination", 1824, 32),
    ],
    ecco: None,
    record_type: 1784,
    result: 1820,
    side: 1856,
    round: 1860,
    board: 1864,
    nodes: 1958,
    nibbles: true,
};
