//! Tag lines: `[Red "许银川"]` and what people make of it.

use crate::record::standard_key;

use super::shape::{is_space, skip_space};

/// A tag as it stands in the text; offsets are bytes of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::format) struct TagLine<'t> {
    /// The name.
    pub(in crate::format) name: &'t str,
    /// The value, without its quotes.
    pub(in crate::format) value: &'t str,
    /// Where the value begins.
    pub(super) value_at: usize,
    /// One past the tag.
    pub(in crate::format) end: usize,
    /// What is not as it should be.
    pub(super) fault: Option<Fault>,
}

/// What is wrong with a tag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::format) enum Fault {
    /// The closing quote is missing.
    Quote,
    /// The closing bracket is missing.
    Bracket,
    /// A quote stands inside the quotes.
    InnerQuote,
    /// The value goes over a line break.
    Broken,
}

/// The longest line of a plain scoresheet that can be a tag, in bytes.
const PLAIN: usize = 400;

fn is_double(c: char) -> bool {
    matches!(c, '"' | '“' | '”' | '＂' | '〝' | '〞')
}

fn is_single(c: char) -> bool {
    matches!(c, '\'' | '‘' | '’')
}

fn is_closing(c: char) -> bool {
    matches!(c, ']' | '］' | '】')
}

/// The end of the line that `at` is in: the offset of its break, or of the end of the text.
pub(in crate::format) fn line_end(text: &str, at: usize) -> usize {
    text.as_bytes()[at..]
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(text.len(), |length| at + length)
}

/// The bracket, name and blanks of a tag that opens at `at`: the name, and where its value begins.
fn head(text: &str, at: usize) -> Option<(&str, usize)> {
    let open = text[at..].chars().next().filter(|c| matches!(c, '[' | '［' | '【'))?;
    let start = skip_blanks(text, at + open.len_utf8());
    let mut end = start;
    for c in text[start..].chars().take(32) {
        if !(c.is_alphanumeric() || matches!(c, '_' | '-')) {
            break;
        }
        end += c.len_utf8();
    }
    let name = &text[start..end];
    name.chars().next().filter(|c| c.is_alphabetic())?;
    Some((name, skip_blanks(text, end)))
}

/// Skips white space of one line.
pub(super) fn skip_blanks(text: &str, at: usize) -> usize {
    text[at..]
        .find(|c| !is_space(c) || matches!(c, '\n' | '\r'))
        .map_or(text.len(), |skipped| at + skipped)
}

/// Whether an unmistakable tag, name and opening quote, begins at `at`. The lexer ends runaway comments there.
pub(super) fn is_plain_tag(text: &str, at: usize) -> bool {
    head(text, at).is_some_and(|(name, value)| {
        value > at + 1 + name.len() && text[value..].starts_with(is_double)
    })
}

/// The tag that opens with the bracket at `at`, if one does.
pub(in crate::format) fn parse(text: &str, at: usize) -> Option<TagLine<'_>> {
    let (name, value) = head(text, at)?;
    let next = text[value..].chars().next();
    match next {
        Some(c) if is_double(c) => Some(quoted(text, name, value, c, is_double)),
        Some(c) if is_single(c) => Some(quoted(text, name, value, c, is_single)),
        // `[注 …]` and `【着法数量：44】` are remarks, `[Red 许银川]` and `【红方：许银川】` tags without quotes.
        Some(c) if !is_closing(c) && standard_key(name).is_some() => {
            let colon = if matches!(c, ':' | '：') { c.len_utf8() } else { 0 };
            bare(text, name, value + colon)
        }
        _ => None,
    }
}

/// A value in quotes, which opens with `open` at `at`.
///
/// The value may hold quotes and brackets, so the tag ends at the quote and bracket behind which nothing or another
/// tag follows, else at the last quote and bracket of the line.
fn quoted<'t>(
    text: &'t str,
    name: &'t str,
    at: usize,
    open: char,
    is_quote: fn(char) -> bool,
) -> TagLine<'t> {
    let start = at + open.len_utf8();
    let tag = |value_end: usize, end: usize, fault: Option<Fault>| {
        let value = &text[start..value_end];
        let inner = || inner_quote(value).then_some(Fault::InnerQuote);
        TagLine { name, value, value_at: start, end, fault: fault.or_else(inner) }
    };
    if let Some((value_end, end)) = closing(text, start, is_quote) {
        return tag(value_end, end, None);
    }
    let line = line_end(text, start);
    if let Some(last) = text[start..line].rfind(is_quote) {
        return tag(start + last, line, Some(Fault::Bracket));
    }
    // A value that was broken over two lines still has its quote and bracket on the second.
    let second = skip_space(text, line);
    if !text[second..].starts_with(['[', '［', '【', '{', '('])
        && let Some((value_end, end)) = closing(text, second, is_quote)
        && at_line_end(text, skip_blanks(text, end))
    {
        return tag(value_end, end, Some(Fault::Broken));
    }
    let value = text[start..line].trim_end().trim_end_matches(is_closing);
    tag(start + value.len(), line, Some(Fault::Quote))
}

/// Where a value that began before `from` ends, and where its tag does, within the line. Looks no further than the
/// tag, so that a line of many tags is read once.
fn closing(text: &str, from: usize, is_quote: fn(char) -> bool) -> Option<(usize, usize)> {
    let mut found = None;
    for (offset, c) in text[from..].char_indices() {
        if matches!(c, '\n' | '\r') {
            break;
        }
        if !is_quote(c) {
            continue;
        }
        let bracket = skip_blanks(text, from + offset + c.len_utf8());
        let Some(close) = text[bracket..].chars().next().filter(|c| is_closing(*c)) else {
            continue;
        };
        let end = bracket + close.len_utf8();
        found = Some((from + offset, end));
        let rest = skip_blanks(text, end);
        if at_line_end(text, rest) || is_plain_tag(text, rest) {
            break;
        }
    }
    found
}

/// Whether nothing follows on the line.
fn at_line_end(text: &str, at: usize) -> bool {
    text[at..].chars().next().is_none_or(|c| matches!(c, '\n' | '\r'))
}

fn inner_quote(value: &str) -> bool {
    let bytes = value.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| *byte == b'"' && (at == 0 || bytes[at - 1] != b'\\'))
}

/// A value without quotes, up to the bracket.
fn bare<'t>(text: &'t str, name: &'t str, at: usize) -> Option<TagLine<'t>> {
    let start = skip_blanks(text, at);
    let ends = |c| is_closing(c) || matches!(c, '\n' | '\r');
    let length = text[start..].find(ends).unwrap_or(text.len() - start);
    let close = text[start + length..].chars().next().filter(|c| is_closing(*c));
    let end = start + length + close.map_or(0, char::len_utf8);
    let fault = close.is_none().then_some(Fault::Bracket);
    let value = text[start..start + length].trim_end();
    (!value.is_empty() || fault.is_none()).then_some(TagLine {
        name,
        value,
        value_at: start,
        end,
        fault,
    })
}

/// A tag of a plain scoresheet, `红方：许银川`, that begins at `at`: only names that have a standard key count. It ends
/// before the next such name on the line, or with the line.
pub(in crate::format) fn parse_plain(text: &str, at: usize) -> Option<TagLine<'_>> {
    let line =
        text.as_bytes()[at..].iter().take(PLAIN).position(|byte| matches!(byte, b'\n' | b'\r'));
    let line = match line {
        Some(length) => at + length,
        None if text.len() - at <= PLAIN => text.len(),
        None => return None,
    };
    let (name, start) = plain_name(text, at, line)?;
    let mut end = line;
    let mut from = start;
    while let Some(gap) = text[from..line].find(is_space) {
        from = skip_blanks(text, from + gap);
        if from < line && plain_name(text, from, line).is_some() {
            end = from;
            break;
        }
    }
    let start = skip_blanks(text, start).min(end);
    let value = text[start..end].trim_end_matches(is_space);
    (!value.is_empty()).then_some(TagLine { name, value, value_at: start, end, fault: None })
}

/// A tag of a forum's heading, `【红方】许银川`, that begins at `at`: only names that have a standard key count. It ends before
/// the next bracket, or with the line.
pub(in crate::format) fn parse_labelled(text: &str, at: usize) -> Option<TagLine<'_>> {
    text[at..].strip_prefix('【')?;
    let (name, close) = head(text, at)?;
    standard_key(name)?;
    text[close..].strip_prefix('】')?;
    let start = skip_blanks(text, close + '】'.len_utf8());
    let line = line_end(text, start);
    let end = text[start..line].find('【').map_or(line, |length| start + length);
    let value = text[start..end].trim_end_matches(is_space);
    (!value.is_empty()).then_some(TagLine { name, value, value_at: start, end, fault: None })
}

fn plain_name(text: &str, at: usize, line: usize) -> Option<(&str, usize)> {
    let (length, colon) =
        text[at..line].char_indices().take(14).find(|(_, c)| matches!(c, ':' | '：'))?;
    let name = text[at..at + length].trim_end();
    standard_key(name)?;
    Some((name, at + length + colon.len_utf8()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> (&str, &str, Option<Fault>) {
        let tag = parse(text, 0).unwrap();
        assert_eq!(&text[tag.value_at..tag.value_at + tag.value.len()], tag.value);
        (tag.name, tag.value, tag.fault)
    }

    #[test]
    fn values_keep_their_quotes_and_brackets() {
        // M11: maksimKorzh/wukong-xiangqi and 32 files of the CCPD archive write doubled quotes.
        let fault = Some(Fault::InnerQuote);
        assert_eq!(
            value(r#"[Event ""Huangshan Cup" final"]"#),
            ("Event", r#""Huangshan Cup" final"#, fault)
        );
        assert_eq!(value(r#"[Event ""Huangshan Cup""]"#).1, r#""Huangshan Cup""#);
        assert_eq!(value(r#"[Site "a] b"]"#), ("Site", "a] b", None));
        assert_eq!(value(r#"[Site "a \"b\" c"]"#), ("Site", r#"a \"b\" c"#, None));
    }

    #[test]
    fn several_tags_stand_on_one_line() {
        let text = r#"[Red "甲"] [Black "乙"]"#;
        let first = parse(text, 0).unwrap();
        assert_eq!(first.value, "甲");
        let second = parse(text, skip_space(text, first.end)).unwrap();
        assert_eq!((second.name, second.value, second.end), ("Black", "乙", text.len()));
    }

    #[test]
    fn missing_ends_reach_to_the_end_of_the_line() {
        assert_eq!(value("[Red \"甲]\n1."), ("Red", "甲", Some(Fault::Quote)));
        assert_eq!(value("[Red \"甲\"\n1."), ("Red", "甲", Some(Fault::Bracket)));
        assert_eq!(value("[Red \"甲\n[Black \"乙\"]"), ("Red", "甲", Some(Fault::Quote)));
        // hbsxcjp/cchess head/01.pgn_iccs has a title that begins with a line break.
        assert_eq!(
            value("[TitleA \"\n四量拨千斤\"]\n"),
            ("TitleA", "\n四量拨千斤", Some(Fault::Broken))
        );
    }

    #[test]
    fn other_brackets_and_quotes() {
        assert_eq!(value("［Red “甲”］"), ("Red", "甲", None));
        assert_eq!(value("【红方：许银川】"), ("红方", "许银川", None));
        assert_eq!(value("[Red '甲']"), ("Red", "甲", None));
        assert_eq!(value("[Red 甲]"), ("Red", "甲", None));
        assert_eq!(value("[Red \"\"]"), ("Red", "", None));
    }

    #[test]
    fn remarks_are_no_tags() {
        for text in ["[注 好棋]", "【着法数量：44】", "[%clk 0:10:00]", "[]", "[1]", "[DhtmlXQ]"]
        {
            assert_eq!(parse(text, 0), None, "{text}");
        }
    }

    #[test]
    fn headings_of_forums_have_their_names_in_brackets() {
        let text = "【红方】许银川 【黑方】 吕钦\n";
        let red = parse_labelled(text, 0).unwrap();
        assert_eq!((red.name, red.value), ("红方", "许银川"));
        let black = parse_labelled(text, red.end).unwrap();
        assert_eq!((black.name, black.value, black.end), ("黑方", "吕钦", text.len() - 1));
        for none in ["【红方】\n甲", "【注】甲", "[红方]甲", "【红方：甲】"] {
            assert_eq!(parse_labelled(none, 0), None, "{none}");
        }
    }

    #[test]
    fn plain_scoresheets_have_names_and_colons() {
        let text = "红方：许银川　黑方: 吕钦\n";
        let red = parse_plain(text, 0).unwrap();
        assert_eq!((red.name, red.value), ("红方", "许银川"));
        let black = parse_plain(text, red.end).unwrap();
        assert_eq!((black.name, black.value), ("黑方", "吕钦"));
        assert_eq!(parse_plain("注意：甲", 0), None);
    }
}
