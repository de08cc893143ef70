//! Text measured in terminal columns: a Chinese character takes two.

use std::borrow::Cow;

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How many terminal columns `text` takes.
pub(super) fn width(text: &str) -> usize {
    text.width()
}

/// `text` on one line and without what could move the cursor: a source chooses its own names and values.
pub fn printable(text: &str) -> String {
    printable_lines(text).replace('\n', "␊")
}

/// [`printable`], but a line end stays a line end.
pub(super) fn printable_lines(text: &str) -> String {
    annotate_snippets::normalize_untrusted_str(&without_c1(text))
}

/// `text` with `¿` for the control characters U+0080 to U+009F, which start control sequences in some terminals and
/// which annotate-snippets lets through; it takes as many bytes.
pub(super) fn without_c1(text: &str) -> String {
    text.replace(|c| matches!(c, '\u{80}'..='\u{9f}'), "¿")
}

/// As much of `text` as `columns` hold, with `...` where something is left out.
pub(super) fn clip(text: &str, columns: usize) -> Cow<'_, str> {
    let full = end_within(text, columns);
    if full == text.len() {
        return Cow::Borrowed(text);
    }
    let end = end_within(text, columns.saturating_sub(3));
    Cow::Owned(format!("{}...", &text[..end]))
}

/// `text` with blanks behind it up to `columns`.
pub(super) fn pad(text: &str, columns: usize) -> String {
    format!("{text}{}", " ".repeat(columns.saturating_sub(width(text))))
}

/// The byte where the first `columns` of `text` end.
pub(super) fn end_within(text: &str, columns: usize) -> usize {
    let mut used = 0;
    for (at, c) in text.char_indices() {
        used += c.width().unwrap_or(1);
        if used > columns {
            return at;
        }
    }
    text.len()
}

/// How a column of a table is set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Align {
    /// Words.
    Left,
    /// Numbers.
    Right,
}

/// `rows` as lines, two spaces between columns.
pub(super) fn table<const N: usize>(rows: &[[String; N]], align: [Align; N]) -> String {
    let rows: Vec<&[String]> = rows.iter().map(|row| &row[..]).collect();
    table_of(&rows, &align)
}

/// [`table`] of any number of columns, as many in each row as in `align`.
pub(super) fn table_of(rows: &[&[String]], align: &[Align]) -> String {
    let mut widths = vec![0; align.len()];
    for row in rows {
        for (widest, cell) in widths.iter_mut().zip(*row) {
            *widest = width(cell).max(*widest);
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (index, cell) in row.iter().enumerate().take(align.len()) {
            let gap = if index == 0 { "" } else { "  " };
            let fill = " ".repeat(widths[index] - width(cell));
            line.push_str(gap);
            match align[index] {
                Align::Left => line.extend([cell.as_str(), &fill]),
                Align::Right => line.extend([fill.as_str(), cell]),
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clipped_text_fits() {
        assert_eq!(clip("全国个人赛", 10), "全国个人赛");
        assert_eq!(clip("全国个人赛", 9), "全国个...");
        assert_eq!(clip("abc", 2), "...");
        assert_eq!(clip("", 0), "");
    }

    // ECMA-48: ESC and CSI (U+009B) start control sequences, CR and BS move the cursor; U+202E reverses the text after it.
    #[test]
    fn nothing_moves_the_cursor() {
        let text = printable("a\u{1b}[31m\r\u{8}\n\u{202e}b\u{7f}\u{9b}1m");
        assert!(!text.chars().any(|c| c.is_control() || c == '\u{202e}'), "{text:?}");
        assert_eq!(printable_lines("a\nb"), "a\nb");
    }

    #[test]
    fn columns_line_up_under_wide_characters() {
        let row = |a: &str, b: &str, c: &str| [a.to_owned(), b.to_owned(), c.to_owned()];
        let text = table(
            &[row("着法违规", "错误", "3"), row("a", "bc", "12")],
            [Align::Left, Align::Left, Align::Right],
        );
        assert_eq!(text, "着法违规  错误   3\na         bc    12\n");
        let widths: Vec<usize> = text.lines().map(width).collect();
        assert_eq!(widths[0], widths[1]);
    }
}
