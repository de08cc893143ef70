//! Rows and fields of separated values (RFC 4180), with the place of each.
//!
//! The `csv` crate gives no place within a row, and a finding has to point at one.

use std::borrow::Cow;

/// A field, without its quotes.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Field {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether quotes stand doubled in it.
    pub(super) escaped: bool,
    /// Whether its closing quote is missing.
    pub(super) open: bool,
}

impl Field {
    /// The field as it stands in `text`, doubled quotes as they are, blanks around it left out.
    pub(super) fn trimmed(self, text: &str) -> (usize, usize) {
        let whole = &text[self.start..self.end];
        let start = self.end - whole.trim_start().len();
        (start, start + whole.trim().len())
    }

    /// What the field says.
    pub(super) fn value(self, text: &str) -> Cow<'_, str> {
        let (start, end) = self.trimmed(text);
        let raw = &text[start..end];
        if self.escaped { Cow::Owned(raw.replace("\"\"", "\"")) } else { Cow::Borrowed(raw) }
    }

    pub(super) fn is_blank(self, text: &str) -> bool {
        text[self.start..self.end].trim().is_empty()
    }
}

/// Reads the row at `at` into `fields`, which are emptied before; the start of the next row.
pub(super) fn row(text: &str, at: usize, delimiter: u8, fields: &mut Vec<Field>) -> usize {
    fields.clear();
    let bytes = text.as_bytes();
    let mut at = at;
    loop {
        let (field, end) = field(bytes, at, delimiter);
        fields.push(field);
        match bytes.get(end) {
            Some(byte) if *byte == delimiter => at = end + 1,
            Some(b'\r') if bytes.get(end + 1) == Some(&b'\n') => return end + 2,
            Some(_) => return end + 1,
            None => return end,
        }
    }
}

/// The field at `at`, and where its delimiter or line end stands.
fn field(bytes: &[u8], at: usize, delimiter: u8) -> (Field, usize) {
    let ends = |byte: &u8| *byte == delimiter || matches!(byte, b'\n' | b'\r');
    let until = |from: usize| bytes[from..].iter().position(ends).map_or(bytes.len(), |n| from + n);
    if bytes.get(at) != Some(&b'"') {
        let end = until(at);
        return (Field { start: at, end, ..Field::default() }, end);
    }
    let start = at + 1;
    let mut escaped = false;
    let mut end = start;
    loop {
        match bytes[end..].iter().position(|byte| *byte == b'"').map(|n| end + n) {
            None => {
                return (Field { start, end: bytes.len(), escaped, open: true }, bytes.len());
            }
            Some(quote) if bytes.get(quote + 1) == Some(&b'"') => {
                escaped = true;
                end = quote + 2;
            }
            Some(quote) => {
                return (Field { start, end: quote, escaped, open: false }, until(quote + 1));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(text: &str, delimiter: u8) -> Vec<Vec<String>> {
        let (mut fields, mut all, mut at) = (Vec::new(), Vec::new(), 0);
        while at < text.len() {
            at = row(text, at, delimiter, &mut fields);
            all.push(fields.iter().map(|field| field.value(text).into_owned()).collect());
        }
        all
    }

    #[test]
    fn quotes_hold_delimiters_line_ends_and_quotes() {
        assert_eq!(
            rows("a,\"b,\n\"\"c\"\"\"\r\n d ,\n", b','),
            [vec!["a", "b,\n\"c\""], vec!["d", ""]]
        );
        assert_eq!(rows("a\tb\n", b'\t'), [["a", "b"]]);
    }

    #[test]
    fn an_open_quote_goes_to_the_end_and_is_told() {
        let mut fields = Vec::new();
        row("a,\"b\nc", 0, b',', &mut fields);
        assert!(fields[1].open && !fields[0].open);
    }

    proptest! {
        // The csv crate as the independent reader.
        #[test]
        fn the_same_fields_as_the_csv_crate(
            rows_written in prop::collection::vec(prop::collection::vec("[a,\"\n炮]{1,4}", 2..4), 1..4)
        ) {
            let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
            for row in &rows_written {
                writer.write_record(row).unwrap();
            }
            let text = String::from_utf8(writer.into_inner().unwrap()).unwrap();
            let trimmed: Vec<Vec<String>> = rows_written
                .iter()
                .map(|row| row.iter().map(|value| value.trim().to_owned()).collect())
                .collect();
            prop_assert_eq!(rows(&text, b','), trimmed);
        }
    }
}
