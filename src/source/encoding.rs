//! Which encoding a file has.

/// An encoding of text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Encoding {
    /// UTF-8 (and ASCII).
    Utf8,
    /// GB18030, which holds GBK and GB2312.
    Gb18030,
    /// Big5.
    Big5,
    /// UTF-16, little endian.
    Utf16Le,
    /// UTF-16, big endian.
    Utf16Be,
}

impl Encoding {
    /// `utf-8`, `gb18030`, `big5`, `utf-16le`, `utf-16be`.
    pub const fn as_str(self) -> &'static str {
        todo!()
    }
    /// The encoding called `name` on the command line; GBK and GB2312 are read as GB18030; labels of WHATWG and common spellings.
    pub fn from_name(_name: &str) -> Option<Encoding> {
        todo!()
    }
}

/// The encoding of `bytes`: BOM, UTF-8, UTF-16 by its zero bytes, else GB18030 or Big5 by the moves and words found under each.
pub fn detect(_bytes: &[u8]) -> Encoding {
    todo!()
}
