//! The text of a value: escapes, HTML entities, line breaks.

use std::borrow::Cow;

/// The longest entity that is looked for, without `&` and `;`.
const LONGEST_ENTITY: usize = 10;

/// What `raw` says: `\uXXXX` (pairs of surrogates as one character) and HTML entities as their characters, `||` as a
/// line break, the line breaks around it dropped. What is no escape stays as it is.
pub(super) fn unescape(raw: &str) -> Cow<'_, str> {
    let raw = raw.trim_matches(['\r', '\n']);
    if !raw.contains(['\\', '&', '|', '\r']) {
        return Cow::Borrowed(raw);
    }
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find(['\\', '&', '|', '\r']) {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (c, length) = special(rest);
        match c {
            Some(c) => text.push(c),
            None => text.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    text.push_str(rest);
    Cow::Owned(text)
}

/// What the special character at the start of `rest` stands for, `None` for itself, and its length.
fn special(rest: &str) -> (Option<char>, usize) {
    if rest.starts_with("||") {
        return (Some('\n'), 2);
    }
    if rest.starts_with('\r') {
        return (Some('\n'), if rest.starts_with("\r\n") { 2 } else { 1 });
    }
    let found = if rest.starts_with('\\') { escape(rest) } else { entity(rest) };
    match found {
        Some((c, length)) => (Some(c), length),
        None => (None, 1),
    }
}

/// `\uXXXX` or a pair of them.
fn escape(rest: &str) -> Option<(char, usize)> {
    let high = unit(rest)?;
    let units = [high, unit(rest.get(6..)?).unwrap_or(0)];
    match char::decode_utf16(units).next()? {
        Ok(c) => Some((c, 6 * c.len_utf16())),
        Err(_) => None,
    }
}

fn unit(text: &str) -> Option<u16> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let valid = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    if valid { u16::from_str_radix(digits, 16).ok() } else { None }
}

/// `&lt;`, `&#60;`, `&#x3C;`.
fn entity(rest: &str) -> Option<(char, usize)> {
    let inner = rest.strip_prefix('&')?;
    let end = inner.bytes().take(LONGEST_ENTITY).position(|byte| byte == b';')?;
    let name = &inner[..end];
    let c = match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" => '\'',
        "nbsp" => ' ',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => number.parse().ok()?,
            };
            char::from_u32(code).filter(|c| *c != '\0')?
        }
    };
    Some((c, end + 2))
}

/// `text` as a value that [`unescape`] reads back: `||` for line breaks, `\uXXXX` for what the viewer writes so and for
/// what would end the value or be taken for an escape.
pub(super) fn escape_into(out: &mut String, text: &str) {
    let last = text.len();
    for (at, c) in text.char_indices() {
        match c {
            '\n' => out.push_str("||"),
            '?' | '&' | '=' | '\'' | '"' | '<' | '>' | '|' | '\\' | '[' | '\r' => push_unit(out, c),
            // A blank at either end may be lost on the way through forums.
            ' ' if at == 0 || at + 1 == last => push_unit(out, c),
            _ => out.push(c),
        }
    }
}

fn push_unit(out: &mut String, c: char) {
    use std::fmt::Write;
    // Writing to a String cannot fail.
    let _ = write!(out, "\\u{:04X}", c as u32);
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    // formats.md 9.1; the viewer of the real pages writes < > & ' " as \u003C and so on.
    #[test]
    fn escapes_entities_and_line_breaks() {
        for (raw, text) in [
            ("红胜", "红胜"),
            ("a||||b", "a\n\nb"),
            ("\\u003Cb\\u003E", "<b>"),
            ("&lt;b&gt;&nbsp;&amp;", "<b> &"),
            ("&#28846;&#x70AE;", "炮炮"),
            ("\\uD83D\\uDE00", "😀"),
            ("\\uD83D", "\\uD83D"),
            ("\\u12", "\\u12"),
            ("a|b & c; \\x", "a|b & c; \\x"),
            ("\\u0026amp;", "&amp;"),
            ("\r\n第一行\r\n第二行\r\n", "第一行\n第二行"),
            ("&#0;&#x110000;&;&nosuch;", "&#0;&#x110000;&;&nosuch;"),
        ] {
            assert_eq!(unescape(raw), text, "{raw}");
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "[a炮|&\\\\u0-9\\[\\]/=?'\"<> \nDhtmlXQ😀;#]{0,40}") {
            let mut raw = String::new();
            escape_into(&mut raw, &text);
            prop_assert!(!raw.contains('['));
            prop_assert_eq!(unescape(&raw), text);
        }
    }
}
