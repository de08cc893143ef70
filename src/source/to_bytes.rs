//! Text to bytes.

use std::borrow::Cow;

use super::Encoding;

impl Encoding {
    /// Whether `c` can be written in this encoding and is then read back as itself. Big5 is taken without the
    /// characters that Hong Kong has added from FA40 on.
    ///
    /// ```
    /// use qijian::source::Encoding;
    ///
    /// assert!(Encoding::Big5.holds('馬') && !Encoding::Big5.holds('马'));
    /// assert!(Encoding::Gb18030.holds('马') && Encoding::Gb18030.holds('馬'));
    /// ```
    pub fn holds(self, c: char) -> bool {
        if c.is_ascii() || !matches!(self, Encoding::Gb18030 | Encoding::Big5) {
            return true;
        }
        let mut buffer = [0; 4];
        let text: &str = c.encode_utf8(&mut buffer);
        let (bytes, _, unmappable) = self.codec().encode(text);
        // What Hong Kong has added to Big5 old programs cannot read.
        let added = self == Encoding::Big5 && bytes.first().is_some_and(|lead| *lead >= 0xFA);
        !unmappable && !added && self.codec().decode_without_bom_handling(&bytes).0 == text
    }

    /// `text` as the bytes of a file. UTF-16 begins with a BOM, without which it is hardly recognised; the others do
    /// not. What [`Encoding::holds`] denies becomes a numeric reference `&#…;`.
    ///
    /// ```
    /// use qijian::source::Encoding;
    ///
    /// assert_eq!(Encoding::Gb18030.encode("炮".into()), b"\xc5\xda");
    /// assert_eq!(Encoding::Utf16Le.encode("炮".into()), b"\xff\xfe\xae\x70");
    /// ```
    pub fn encode(self, text: String) -> Vec<u8> {
        match self {
            Encoding::Utf8 => text.into_bytes(),
            Encoding::Utf16Le | Encoding::Utf16Be => [self.bom(), &self.units(&text)].concat(),
            Encoding::Gb18030 | Encoding::Big5 => match self.codec().encode(&text).0 {
                Cow::Owned(bytes) => bytes,
                Cow::Borrowed(_) => text.into_bytes(),
            },
        }
    }

    /// `text` as bytes within a file, never with a BOM.
    pub fn units(self, text: &str) -> Vec<u8> {
        match self {
            Encoding::Utf16Le => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            Encoding::Utf16Be => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            Encoding::Utf8 | Encoding::Gb18030 | Encoding::Big5 => self.encode(text.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::source::{Text, detect};

    use super::*;

    /// A sentence of a record in each encoding is found again by its bytes alone.
    #[test]
    fn what_is_encoded_is_recognised_and_decoded() {
        for (encoding, text) in [
            (Encoding::Utf8, "1. 炮二平五 马8进7 {好棋 𠮷}"),
            (Encoding::Gb18030, "1. 炮二平五 马8进7 {好棋 𠮷}"),
            (Encoding::Big5, "1. 炮二平五 馬8進7 {好棋}"),
            (Encoding::Utf16Le, "1. 炮二平五 马8进7 {好棋 𠮷}"),
            (Encoding::Utf16Be, "1. 炮二平五 马8进7 {好棋 𠮷}"),
        ] {
            assert!(text.chars().all(|c| encoding.holds(c)), "{encoding:?}");
            let bytes = encoding.encode(text.to_owned());
            assert_eq!(detect(&bytes), encoding);
            assert_eq!(Text::decode(&bytes, encoding).as_str(), text);
        }
    }

    /// Big5 has no simplified characters of its own and nothing beyond the basic plane (Unicode, BIG5.TXT).
    #[test]
    fn big5_lacks_simplified_characters() {
        for c in ['马', '车', '进', '帅', '将', '赛', '荣', '😀'] {
            assert!(!Encoding::Big5.holds(c), "{c}");
        }
        for c in ['馬', '車', '進', '帥', '將', '賽', '…', '炮', '后'] {
            assert!(Encoding::Big5.holds(c), "{c}");
        }
        assert!(Encoding::Utf8.holds('😀') && Encoding::Gb18030.holds('😀'));
    }
}
