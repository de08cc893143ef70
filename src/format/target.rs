//! What the formats that can be written hold.

use crate::{notation::Notation, source::Encoding};

use super::Format;

impl Format {
    /// The formats that can be written.
    pub const WRITTEN: [Format; 8] = [
        Format::Pgn,
        Format::Xqf,
        Format::Cbr,
        Format::Dhtmlxq,
        Format::Wxf,
        Format::Moves,
        Format::Sheet,
        Format::Json,
    ];

    /// The extension of files that are written: `jsonl` for JSON, which has a game a line, `ucci` for lists of moves,
    /// `txt` for scoresheets, else the name.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Json => "jsonl",
            Format::Moves => "ucci",
            Format::Sheet => "txt",
            _ => self.as_str(),
        }
    }

    /// The format to write into a file with this extension, in any case; `None` for one that says nothing, such as
    /// `txt`.
    ///
    /// ```
    /// use qijian::format::Format;
    ///
    /// assert_eq!(Format::from_extension("XQF"), Some(Format::Xqf));
    /// assert_eq!(Format::from_extension("json"), Some(Format::Json));
    /// assert_eq!(Format::from_extension("txt"), None);
    /// ```
    pub fn from_extension(extension: &str) -> Option<Format> {
        let extension = extension.to_ascii_lowercase();
        let named = |format: &Format| {
            *format != Format::Sheet && format.extension() == extension
                || format.as_str() == extension
        };
        Format::WRITTEN.into_iter().find(named)
    }

    /// Whether a file can hold several games.
    pub const fn holds_many(self) -> bool {
        !matches!(self, Format::Xqf | Format::Cbr)
    }

    /// Whether moves can be written in `notation`.
    pub const fn holds_notation(self, notation: Notation) -> bool {
        match self {
            Format::Pgn | Format::Sheet | Format::Json => true,
            Format::Wxf => matches!(notation, Notation::Wxf),
            Format::Moves => matches!(notation, Notation::Iccs),
            _ => false,
        }
    }

    /// The encodings that text can be written in, the usual one first.
    pub const fn encodings(self) -> &'static [Encoding] {
        use Encoding::{Big5, Gb18030, Utf8, Utf16Be, Utf16Le};
        match self {
            Format::Xqf => &[Gb18030, Big5],
            Format::Cbr => &[Utf16Le],
            Format::Json => &[Utf8],
            // Words of theirs, such as 红方, are not in Big5.
            Format::Sheet | Format::Dhtmlxq => &[Utf8, Gb18030, Utf16Le, Utf16Be],
            _ => &[Utf8, Gb18030, Big5, Utf16Le, Utf16Be],
        }
    }

    /// What stands between two games of a file.
    pub(crate) const fn separator(self) -> &'static str {
        match self {
            Format::Json => "",
            _ => "\n",
        }
    }
}
