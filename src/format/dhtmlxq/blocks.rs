//! The outer form: blocks of keys and values in any text.

/// Which program's keys.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Family {
    /// DhtmlXQ (东萍).
    Dhtml,
    /// DHJHtmlXQ (打虎将).
    Dhj,
}

/// A key with its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<'t> {
    pub(super) key: &'t str,
    pub(super) value: &'t str,
    /// Where the value stands.
    pub(super) at: usize,
    /// Whether something closes it.
    pub(super) closed: bool,
}

/// What stands between `[DhtmlXQ]` and `[/DhtmlXQ]`.
#[derive(Debug)]
pub(super) struct Block<'t> {
    pub(super) family: Family,
    pub(super) entries: Vec<Entry<'t>>,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether there is a tag that opens it.
    wrapped: bool,
    pub(super) ending: Ending,
}

/// How a block ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// As it should.
    Closed,
    /// Where the next one begins.
    Next,
    /// With the text.
    Cut,
}

/// A tag in brackets.
#[derive(Clone, Copy, Debug)]
struct Mark<'t> {
    family: Family,
    closing: bool,
    /// The key, `None` for the tag around a block.
    key: Option<&'t str>,
    /// Where it begins and ends.
    at: usize,
    end: usize,
}

/// Bytes of the longest key that is looked for.
const LONGEST: usize = 60;

/// Hands every block of `text` to `sink`; keys outside of blocks make blocks of their own.
pub(super) fn each<'t>(text: &'t str, sink: &mut dyn FnMut(Block<'t>)) {
    let mut at = 0;
    let mut block: Option<Block<'t>> = None;
    let mut emit = |block: &mut Option<Block<'t>>, end: usize, ending: Ending| {
        if let Some(mut done) = block.take().filter(|block| !block.entries.is_empty()) {
            // Keys without a tag around them need none behind them.
            (done.end, done.ending) = (end, if done.wrapped { ending } else { Ending::Closed });
            sink(done);
        }
    };
    while let Some(mark) = next(text, at) {
        at = mark.end;
        match (mark.key, mark.closing) {
            (None, false) => {
                // A wrapper within a wrapper opens nothing new.
                if block.as_ref().is_none_or(|block| !block.entries.is_empty()) {
                    emit(&mut block, mark.at, Ending::Next);
                    block = Some(Block::new(mark.family, mark.at, true));
                }
            }
            (None, true) => emit(&mut block, mark.end, Ending::Closed),
            (Some(_), true) => {}
            (Some(key), false) => {
                let family = mark.family;
                let close = next(text, at);
                let end = close.map_or(text.len(), |close| close.at);
                let closed = close.is_some_and(|close| close.closing);
                let entry = Entry { key, value: &text[at..end], at, closed };
                block.get_or_insert_with(|| Block::new(family, mark.at, false)).entries.push(entry);
                at = end;
            }
        }
    }
    emit(&mut block, text.trim_end().len(), Ending::Cut);
}

impl Block<'_> {
    fn new(family: Family, start: usize, wrapped: bool) -> Self {
        Block { family, entries: Vec::new(), start, end: start, wrapped, ending: Ending::Closed }
    }
}

/// The next tag from `at` on.
fn next(text: &str, at: usize) -> Option<Mark<'_>> {
    let mut from = at;
    loop {
        let at = from + text[from..].find('[')?;
        if let Some(mark) = mark(text, at) {
            return Some(mark);
        }
        from = at + 1;
    }
}

/// The tag whose bracket stands at `at`.
fn mark(text: &str, at: usize) -> Option<Mark<'_>> {
    let rest = &text[at + 1..];
    let (closing, rest) = match rest.strip_prefix('/') {
        Some(rest) => (true, rest),
        None => (false, rest),
    };
    let bytes = rest.as_bytes();
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'-';
    let length = bytes.iter().take(LONGEST).take_while(|byte| word(byte)).count();
    if bytes.get(length) != Some(&b']') {
        return None;
    }
    let name = &rest[..length];
    let end = text.len() - rest.len() + length + 1;
    let prefix = |prefix: &str| {
        let head = name.get(..prefix.len())?;
        head.eq_ignore_ascii_case(prefix).then(|| &name[prefix.len()..])
    };
    let (family, tail) = if let Some(tail) = prefix("DhtmlXQ") {
        (Family::Dhtml, tail)
    } else if let Some(tail) = prefix("DHJHtmlXQ") {
        (Family::Dhj, tail)
    } else {
        // Comments of DHJHtmlXQ: [game_comment_0_3] closed by [/comment_0_3].
        let numbers = prefix("game_comment_").or_else(|| prefix("comment_"))?;
        let valid = numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
        let key = &name[name.len() - numbers.len() - "comment_".len()..];
        return valid.then_some(Mark { family: Family::Dhj, closing, key: Some(key), at, end });
    };
    let key = match tail.strip_prefix('_') {
        Some(key) => Some(key),
        None if tail.bytes().all(|byte| byte.is_ascii_alphabetic()) => None,
        None => return None,
    };
    Some(Mark { family, closing, key, at, end })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks(text: &str) -> Vec<Vec<(String, String)>> {
        let mut found = Vec::new();
        each(text, &mut |block| {
            let entry = |entry: &Entry<'_>| (entry.key.to_owned(), entry.value.to_owned());
            found.push(block.entries.iter().map(entry).collect());
        });
        found
    }

    fn pair(key: &str, value: &str) -> (String, String) {
        (key.to_owned(), value.to_owned())
    }

    // formats.md 9.1; [DhtmlXQ_blacktime][/DhtmlXQ_time] stands in every file of the archive.
    #[test]
    fn blocks_keys_and_values() {
        let text = "<p>[DhtmlXQiFrame][DhtmlXQ]\n[DhtmlXQ_blacktime][/DhtmlXQ_time]\n[dhtmlxq_RED]甲[/DhtmlXQ_red]\
                    [/DhtmlXQ][/DhtmlXQiFrame]</p>[DhtmlXQ][DhtmlXQ_title]二[/DhtmlXQ_title][/DhtmlXQ]";
        let expected = [vec![pair("blacktime", ""), pair("RED", "甲")], vec![pair("title", "二")]];
        assert_eq!(blocks(text), expected);
    }

    #[test]
    fn what_is_not_closed_ends_at_the_next_key() {
        let expected = [vec![pair("red", "甲"), pair("black", "乙")]];
        assert_eq!(blocks("[DhtmlXQ_red]甲[DhtmlXQ_black]乙"), expected);
    }

    #[test]
    fn other_brackets_are_text() {
        let expected = [vec![pair("comment1", "[x] [DhtmlXQ [DhtmlXQ9] 好]")]];
        assert_eq!(
            blocks("[DhtmlXQ_comment1][x] [DhtmlXQ [DhtmlXQ9] 好][/DhtmlXQ_comment1]"),
            expected
        );
        assert!(blocks("[Event \"x\"] [DhtmlXQ]").is_empty());
    }

    #[test]
    fn comments_of_dhj() {
        let text = "[DHJHtmlXQ][DHJHtmlXQ_34]7242[/DHJHtmlXQ_34][game_comment_0_1]好[/comment_0_1][/DHJHtmlXQ]";
        assert_eq!(blocks(text), [vec![pair("34", "7242"), pair("comment_0_1", "好")]]);
    }
}
