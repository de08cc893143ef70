//! The short strings of the header.

use crate::finding::{Finding, Span, Words};

use super::{bad_field, header::Header};

/// A string of the header: a length, then room for so many bytes less one.
pub(super) struct Layout {
    pub(super) name: &'static str,
    pub(super) at: usize,
    pub(super) size: usize,
}

const TITLE: &str = "Title";
const SECOND_TITLE: &str = "Title2";

/// The strings in the order of the file. The second title is reserved in the note on version 1.0.
pub(super) const LAYOUT: [Layout; 12] = [
    Layout { name: TITLE, at: 80, size: 64 },
    Layout { name: SECOND_TITLE, at: 144, size: 64 },
    Layout { name: "Event", at: 208, size: 64 },
    Layout { name: "Date", at: 272, size: 16 },
    Layout { name: "Site", at: 288, size: 16 },
    Layout { name: "Red", at: 304, size: 16 },
    Layout { name: "Black", at: 320, size: 16 },
    Layout { name: "TimeControl", at: 336, size: 64 },
    Layout { name: "RedTime", at: 400, size: 16 },
    Layout { name: "BlackTime", at: 416, size: 16 },
    Layout { name: "Annotator", at: 464, size: 16 },
    Layout { name: "Author", at: 480, size: 16 },
];

/// One string as it stands in the file.
pub(super) struct Field<'a> {
    /// The name of its tag.
    pub(super) name: &'static str,
    pub(super) bytes: &'a [u8],
    /// Where the text stands.
    pub(super) span: Span,
    /// The length written, where it is more than there is room for, and the room.
    too_long: Option<(u8, usize)>,
}

/// The strings that are not empty.
pub(super) fn read<'a>(header: &Header<'a>) -> Vec<Field<'a>> {
    let mut fields: Vec<Field<'a>> = Vec::new();
    for layout in &LAYOUT {
        let Some(length) = header.byte(layout.at) else { break };
        let mut room = layout.size - 1;
        // A real file of version 1.0 has a title of 70 bytes that runs on through the second title, which no
        // program of that time fills.
        if layout.name == TITLE && (64..128).contains(&length) {
            room += 64;
        }
        if layout.name == SECOND_TITLE && fields.first().is_some_and(Field::covers_second_title) {
            continue;
        }
        let stored = header.slice(layout.at + 1, usize::from(length).min(room));
        let padding = stored.iter().rev().take_while(|&&byte| byte == 0).count();
        let bytes = &stored[..stored.len() - padding];
        let too_long = (usize::from(length) >= layout.size).then_some((length, layout.size - 1));
        if !bytes.is_empty() || too_long.is_some() {
            let start = layout.at + 1;
            let span = Span::new(start, start + bytes.len());
            fields.push(Field { name: layout.name, bytes, span, too_long });
        }
    }
    fields
}

impl Field<'_> {
    fn covers_second_title(&self) -> bool {
        self.name == TITLE && self.bytes.len() > 63
    }

    /// A finding if the length is more than there is room for.
    pub(super) fn finding(&self) -> Option<Finding> {
        let (length, room) = self.too_long?;
        let name = self.name;
        let words = Words::new(
            format!("字段 {name} 的长度 {length} 超出上限 {room}，请核对其文字"),
            format!("the length of {name} is {length}, its room {room}; check its text"),
        );
        let at = self.span.range().start - 1;
        Some(bad_field(at, at + 1, name, words).with("value", length))
    }
}
