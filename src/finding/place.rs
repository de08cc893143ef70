//! Places in a source, and how a span of a record becomes one.

/// A range of bytes: of the decoded text for text formats, of the file for binary ones.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`; what lies past 4 GiB is clamped, as no decoded chunk is so long.
    pub fn new(start: usize, end: usize) -> Span {
        let clamp = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        Span { start: clamp(start), end: clamp(end) }
    }

    /// The range as `usize`.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// Where in the source as read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Place {
    /// 1-based line; `None` in binary sources.
    pub line: Option<u32>,
    /// 1-based column, in characters.
    pub column: Option<u32>,
    /// Byte in the source as read.
    pub offset: Option<u64>,
    /// The line around it, for printing.
    pub excerpt: Option<Excerpt>,
}

/// A piece of one line, with the range concerned in bytes of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Excerpt {
    /// The line, or a part of a very long one.
    pub line: String,
    /// The range in `line`.
    pub range: std::ops::Range<usize>,
}

/// Turns spans of a record into places of its source; several threads may ask.
pub trait Locate: Sync {
    /// The place of `span`.
    fn place(&self, span: Span) -> Place;
}

/// A binary source: spans are byte offsets of the file, there are no lines.
#[derive(Clone, Copy, Debug)]
pub struct Binary;

impl Locate for Binary {
    fn place(&self, span: Span) -> Place {
        Place { offset: Some(u64::from(span.start)), ..Place::default() }
    }
}
