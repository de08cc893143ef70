//! Tokens of move text: numbers, dots, results, runs of moves and words, brackets.
//!
//! Each function looks at one place of the text and returns where its token ends. None looks further than it
//! consumes, or else says how far it looked, so that reading stays linear.

use crate::{finding::Span, record::Outcome};

use super::{
    shape::{self, digit, is_bracket, is_space, narrow, skip_space},
    tags,
};

/// A round number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Number {
    pub(super) value: u32,
    /// One past the number and its full stop.
    pub(super) end: usize,
    /// Whether something marks it as a number: a full stop, 回合.
    pub(super) marked: bool,
}

/// The round number at `at`: `1.`, `1．`, `1、`, `1)`, `第1回合`, and `1` before a move or dots.
pub(super) fn number(text: &str, at: usize) -> Option<Number> {
    let ordinal = text[at..].starts_with('第');
    let start = if ordinal { at + '第'.len_utf8() } else { at };
    let (mut value, mut end) = (0_u32, start);
    for c in text[start..].chars() {
        let Some(digit) = digit(c) else { break };
        value = value.saturating_mul(10).saturating_add(digit);
        end += c.len_utf8();
    }
    if end == start {
        return None;
    }
    if ordinal {
        let rest = &text[end..];
        let unit = ["回合", "合", "着", "步"].into_iter().find(|unit| rest.starts_with(unit))?;
        let end = end + unit.len();
        let colon = text[end..].chars().next().filter(|c| matches!(c, ':' | '：' | '.' | '、'));
        let end = end + colon.map_or(0, char::len_utf8);
        return Some(Number { value, end, marked: true });
    }
    let marked = |end| Some(Number { value, end, marked: true });
    let rest = &text[end..];
    let c = rest.chars().next()?;
    match c {
        '.' | '．' => {
            // One full stop belongs to the number, more are dots.
            let next = end + c.len_utf8();
            let more = text[next..].chars().next().is_some_and(is_dot);
            if c == '.' && text[next..].starts_with(|c: char| c.is_ascii_digit()) && at == start {
                // 0.5, 2.5, 1.2.3: not a number of a round, unless a move in digits follows.
                return shape::any_move(&text[next..]).and_then(|_| marked(next));
            }
            marked(if more { end } else { next })
        }
        // These mark a number only before a move: 7:30, 2001、.
        '、' | ')' | '）' | ':' | '：' | '。' => {
            let next = skip_space(text, end + c.len_utf8());
            let followed = shape::any_move(&text[next..]).is_some() || dots(text, next).is_some();
            followed.then_some(()).and_then(|()| marked(end + c.len_utf8()))
        }
        '…' => marked(end),
        '-' => shape::chinese(&text[end + 1..]).and_then(|_| marked(end + 1)),
        _ => {
            let next = skip_space(text, end);
            let rest = &text[next..];
            let glued = next == end;
            let whole =
                glued && shape::chinese(&text[at..]).is_some_and(|length| at + length > end);
            let followed = shape::any_move(rest).is_some()
                || (!glued
                    && (shape::spaced_chinese(rest).is_some() || dots(text, next).is_some()));
            (followed && !whole).then_some(Number { value, end, marked: false })
        }
    }
}

/// Where the digits of the number at `at` stand.
pub(super) fn digits_of(text: &str, at: usize) -> Span {
    let start = if text[at..].starts_with('第') { at + '第'.len_utf8() } else { at };
    let length = text[start..].find(|c| digit(c).is_none()).unwrap_or(text.len() - start);
    Span::new(start, start + length)
}

fn is_dot(c: char) -> bool {
    matches!(c, '.' | '．' | '…' | '。' | '⋯')
}

/// The end of the dots or dashes at `at` that stand for a ply: `...`, `……`, `---`, `——`.
pub(in crate::format) fn dots(text: &str, at: usize) -> Option<usize> {
    let end_of = |is: fn(char) -> bool| text[at..].find(|c| !is(c)).map_or(text.len(), |n| at + n);
    let end = end_of(is_dot);
    if end > at {
        let single = matches!(&text[at..end], "." | "．" | "。");
        return (!single).then_some(end);
    }
    let end = end_of(|c| matches!(c, '-' | '—' | '－' | '–'));
    (text[at..end].chars().nth(1).is_some()).then_some(end)
}

/// The end marker in digits at `at`: `1-0`, `1/2-1/2`, `½-½`, `0.5 - 0.5`, `１－０`, `*`.
pub(in crate::format) fn marker(text: &str, at: usize) -> Option<(usize, Outcome)> {
    if text[at..].starts_with(['*', '＊']) {
        let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
        return Some((end, Outcome::Unknown));
    }
    let first = points(text, at)?;
    let blanks = |from: usize| text[from..].find(|c| c != ' ').map_or(text.len(), |n| from + n);
    let dash = blanks(first);
    let c = text[dash..].chars().next().filter(|c| matches!(narrow(*c), '-' | '—' | ':'));
    let end = match c {
        Some(':' | '：') if dash > first => return None,
        Some(c) => points(text, blanks(dash + c.len_utf8()))?,
        None if &text[at..first] == "1/2" => first,
        None => return None,
    };
    let glued = |c: char| c.is_alphanumeric() || matches!(c, '/' | '-' | ':');
    if text[end..].starts_with(glued) {
        return None;
    }
    Outcome::from_text(&text[at..end]).map(|outcome| (end, outcome))
}

/// The end of the points of one player at `at`.
fn points(text: &str, at: usize) -> Option<usize> {
    let mut rest = text[at..].char_indices().map(|(n, c)| (at + n + c.len_utf8(), narrow(c)));
    let (end, c) = rest.next()?;
    match c {
        '½' => Some(end),
        '0'..='2' => match (rest.next(), rest.next()) {
            (Some((_, '/')), Some((half, '2'))) if c == '1' => Some(half),
            (Some((_, '.')), Some((half, '5'))) if c == '0' => Some(half),
            _ => Some(end),
        },
        _ => None,
    }
}

/// Whether `c` ends a run of moves and words.
fn ends_run(c: char) -> bool {
    is_space(c)
        || is_bracket(c)
        || matches!(c, ';' | ',' | '，' | '。' | '；' | '、' | '"' | '“' | '”' | '|')
}

/// Characters between white space, and what they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Run {
    pub(super) end: usize,
    /// The end of the move that it begins with, if no number stands before it.
    pub(super) first: Option<usize>,
    pub(super) kind: Kind,
}

/// What a [`Run`] is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Moves, glued or one alone, with numbers and marks among them.
    Moves,
    /// One move whose characters are set apart by spaces.
    Spaced,
    /// Something that was meant as a move.
    Broken,
    /// A result in words.
    Result(Outcome),
    /// Prose.
    Word,
}

/// The run at `at`, where no space or bracket stands.
pub(super) fn run(text: &str, at: usize) -> Run {
    let (mut end, mut moves, mut numbers) = (at, 0, 0);
    let mut first = None;
    let mut complete = true;
    while let Some(c) = text[end..].chars().next().filter(|c| !ends_run(*c)) {
        let step = if digit(c).is_some() || c == '第' { number(text, end) } else { None };
        if let Some(number) = step {
            (end, numbers) = (number.end, numbers + 1);
        } else if let Some(length) = shape::any_move(&text[end..]) {
            (end, moves) = (end + length, moves + 1);
            first = first.or((numbers == 0).then_some(end));
        } else if moves > 0 && !c.is_alphanumeric() && c != '\u{FFFD}' {
            end += c.len_utf8();
        } else {
            complete = false;
            break;
        }
    }
    if moves > 0 && (complete || moves + numbers > 1) {
        return Run { end, first, kind: Kind::Moves };
    }
    if let Some(length) = (moves == 0).then(|| shape::spaced_chinese(&text[at..])).flatten() {
        return Run { end: at + length, first: None, kind: Kind::Spaced };
    }
    let end = text[end..].find(ends_run).map_or(text.len(), |length| end + length);
    // A lone character that no run begins with, such as a quote.
    let end = end.max(at + text[at..].chars().next().map_or(0, char::len_utf8));
    let word = &text[at..end];
    let kind = if shape::is_broken_move(word) {
        Kind::Broken
    } else if let Some(outcome) = result_word(text, word, end) {
        Kind::Result(outcome)
    } else {
        Kind::Word
    };
    Run { end, first: None, kind }
}

/// Whether a move begins at `at`.
pub(super) fn begins_move(text: &str, at: usize) -> bool {
    let rest = &text[at..];
    shape::any_move(rest).or_else(|| shape::spaced_chinese(rest)).is_some()
}

/// 红胜, 和棋 …; a single character only where nothing follows on its line.
fn result_word(text: &str, word: &str, end: usize) -> Option<Outcome> {
    if word.len() > 15 || word.is_ascii() {
        return None;
    }
    let alone = || {
        let next = tags::skip_blanks(text, end);
        text[next..].chars().next().is_none_or(|c| matches!(c, '\n' | '\r'))
    };
    if word.chars().nth(1).is_none() && !alone() {
        return None;
    }
    Outcome::from_text(word)
}

/// How the rest of a line divides between moves and words.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::format) struct Balance {
    words: usize,
    moves: usize,
    numbered: bool,
    /// Where it stopped: the end of the line, a bracket, or a tag.
    pub(in crate::format) end: usize,
}

impl Balance {
    /// Whether the line is prose.
    pub(in crate::format) fn is_prose(self) -> bool {
        self.words > 0 && !self.numbered && self.words >= self.moves
    }

    /// Whether the line is moves, so far as it goes.
    pub(in crate::format) fn has_moves(self) -> bool {
        self.moves > 0 && !self.is_prose()
    }

    /// Characters that belong to moves, and that do not.
    pub(in crate::format) fn counts(self) -> (usize, usize) {
        (self.moves, self.words)
    }

    /// Whether a round number with its mark precedes a move.
    pub(in crate::format) fn is_numbered(self) -> bool {
        self.numbered
    }
}

/// Weighs the line from `at` on, up to a bracket of comment or variation.
pub(in crate::format) fn balance(text: &str, at: usize) -> Balance {
    let mut balance = Balance::default();
    let mut at = at;
    let mut number_before = false;
    while let Some(c) = text[at..].chars().next().filter(|c| !matches!(c, '\n' | '\r')) {
        if matches!(c, '{' | '(' | ';') || (c == '[' && tags::is_plain_tag(text, at)) {
            break;
        }
        if ends_run(c) {
            at += c.len_utf8();
            continue;
        }
        if let Some(found) = (digit(c).is_some() || c == '第').then(|| number(text, at)).flatten()
        {
            at = found.end;
            number_before = found.marked;
            continue;
        }
        if let Some(end) = dots(text, at).or_else(|| marker(text, at).map(|(end, _)| end)) {
            at = end;
            continue;
        }
        if let Some(length) = shape::mover(&text[at..]) {
            at += length;
            continue;
        }
        let run = run(text, at);
        let length = text[at..run.end].chars().count();
        match run.kind {
            Kind::Moves | Kind::Spaced | Kind::Broken => {
                balance.moves += length;
                balance.numbered |= number_before || text[at..].starts_with(|c| digit(c).is_some());
            }
            Kind::Result(_) => {}
            Kind::Word => balance.words += length,
        }
        number_before = false;
        at = run.end;
    }
    balance.end = at;
    balance
}

/// Whether the line at `at` is a rule such as `=====`.
pub(super) fn is_rule(text: &str, at: usize) -> bool {
    let is_rule = |c: char| {
        matches!(c, '=' | '-' | '_' | '~' | '#' | '+' | '*' | ' ' | '—' | '─' | '━' | '＝')
    };
    let length = text[at..].find(|c| !is_rule(c)).unwrap_or(text.len() - at);
    let rule = text[at..at + length].trim_end();
    let next = tags::skip_blanks(text, at + length);
    let ends = text[next..].chars().next().is_none_or(|c| matches!(c, '\n' | '\r'));
    let least = if rule.starts_with(['-', '—']) { 5 } else { 3 };
    ends && rule.chars().nth(least - 1).is_some()
}

/// Whether the line at `at` begins with the board of a FEN.
pub(in crate::format) fn is_position(text: &str, at: usize) -> bool {
    let board = text.as_bytes()[at..].iter().take(100);
    let mut slashes = 0;
    for byte in board.take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'/') {
        slashes += usize::from(*byte == b'/');
    }
    slashes == 9
}

/// What a bracket encloses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Enclosed {
    /// End of the text inside.
    pub(super) inner: usize,
    /// One past the closing bracket.
    pub(super) end: usize,
    /// Whether there is a closing bracket.
    pub(super) closed: bool,
}

/// Finds closing brackets, and remembers in which stretches of the text there is none, so that no stretch is
/// searched twice in vain.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Closer {
    unbalanced: usize,
    missing: usize,
}

impl Closer {
    /// The end of what was opened before `from`. Brackets inside nest where they balance; the search ends at a
    /// blank line that a tag follows, because there the next game begins.
    pub(super) fn find(
        &mut self,
        text: &str,
        from: usize,
        open: &[char],
        close: &[char],
    ) -> Enclosed {
        if from >= self.unbalanced {
            match search(text, from, open, close) {
                Ok(found) => return found,
                Err(boundary) => self.unbalanced = boundary.max(from + 1),
            }
        }
        if from >= self.missing {
            match search(text, from, &[], close) {
                Ok(found) => return found,
                Err(boundary) => self.missing = boundary.max(from + 1),
            }
        }
        let end = self.missing.min(text.len());
        Enclosed { inner: end, end, closed: false }
    }
}

/// The end of a comment that `/*` has opened before `from`, or where the search for it ends: as that of brackets, at a blank
/// line that a tag follows.
pub(super) fn slash_comment(text: &str, from: usize) -> Result<Enclosed, usize> {
    let mut at = from;
    while let Some(length) = text[at..].find(['*', '\n', '\r']) {
        at += length;
        if text[at..].starts_with("*/") {
            return Ok(Enclosed { inner: at, end: at + "*/".len(), closed: true });
        }
        let (breaks, after) = line_breaks(text, at);
        if breaks > 1 && tags::is_plain_tag(text, after) {
            return Err(at);
        }
        at = after.max(at + 1);
    }
    Err(text.len())
}

/// Skips comments for those who only want to know where they end.
#[derive(Clone, Copy, Default, Debug)]
pub(in crate::format) struct Comments(Closer);

impl Comments {
    /// One past the comment whose brace opens before `from`.
    pub(in crate::format) fn end(&mut self, text: &str, from: usize) -> usize {
        self.0.find(text, from, &['{'], &['}']).end
    }
}

fn search(text: &str, from: usize, open: &[char], close: &[char]) -> Result<Enclosed, usize> {
    let mut depth = 0_usize;
    let mut at = from;
    while let Some(c) = text[at..].chars().next() {
        let next = at + c.len_utf8();
        if close.contains(&c) {
            if depth == 0 {
                return Ok(Enclosed { inner: at, end: next, closed: true });
            }
            depth -= 1;
        } else if open.contains(&c) {
            depth += 1;
        } else if matches!(c, '\n' | '\r') {
            let (breaks, after) = line_breaks(text, at);
            if breaks > 1 && tags::is_plain_tag(text, after) {
                return Err(at);
            }
            at = after;
            continue;
        }
        at = next;
    }
    Err(text.len())
}

/// How many line breaks stand in the white space at `at`, and where it ends.
pub(super) fn line_breaks(text: &str, at: usize) -> (usize, usize) {
    let (mut breaks, mut end, mut before) = (0, at, ' ');
    for c in text[at..].chars().take_while(|c| is_space(*c)) {
        breaks += usize::from(c == '\r' || (c == '\n' && before != '\r'));
        end += c.len_utf8();
        before = c;
    }
    (breaks, end)
}

/// Whether the parenthesis that opens before `at` is a variation: its first token behind numbers, dots and comments
/// is a move, or another parenthesis.
pub(super) fn opens_variation(text: &str, at: usize, braces: &mut Closer) -> bool {
    let (mut at, mut numbered, mut dotted) = (at, false, false);
    loop {
        at = skip_space(text, at);
        let Some(c) = text[at..].chars().next() else { return false };
        match c {
            '(' => return true,
            ')' => return numbered && dotted,
            '{' => at = braces.find(text, at + 1, &['{'], &['}']).end,
            _ => {
                if marker(text, at).is_some() {
                    return false;
                }
                if let Some(found) = (!numbered).then(|| number(text, at)).flatten() {
                    (at, numbered) = (found.end, true);
                } else if let Some(end) = (!dotted && numbered).then(|| dots(text, at)).flatten() {
                    (at, dotted) = (end, true);
                } else if ends_run(c) {
                    return false;
                } else {
                    return match run(text, at).kind {
                        Kind::Moves | Kind::Spaced => true,
                        Kind::Broken => numbered,
                        Kind::Result(_) | Kind::Word => false,
                    };
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_one_full_stop() {
        let read = |text| number(text, 0).map(|number| (number.value, &text[number.end..]));
        assert_eq!(read("12.炮二平五"), Some((12, "炮二平五")));
        assert_eq!(read("１２．炮二平五"), Some((12, "炮二平五")));
        assert_eq!(read("3...炮8平5"), Some((3, "...炮8平5")));
        assert_eq!(read("3. ... 炮8平5"), Some((3, " ... 炮8平5")));
        assert_eq!(read("第3回合：炮二平五"), Some((3, "炮二平五")));
        assert_eq!(read("3 炮二平五"), Some((3, " 炮二平五")));
        assert_eq!(read("2.C2.5"), Some((2, "C2.5")));
        assert_eq!(read("2001年"), None);
        assert_eq!(read("第三局"), None);
        // notation.md 2.1: an ASCII ordinal before a pawn move is part of the move, a number before a whole move not.
        assert_eq!(read("2兵平6"), None);
        assert_eq!(read("2兵四平五"), Some((2, "兵四平五")));
    }

    #[test]
    fn markers_in_digits() {
        use Outcome::{BlackWins, Draw, RedWins, Unknown};
        let cases = [
            ("1-0", RedWins),
            ("0-1", BlackWins),
            ("1/2-1/2", Draw),
            ("½-½", Draw),
            ("*", Unknown),
            ("１－０", RedWins),
            ("1 - 0", RedWins),
            ("0.5 - 0.5", Draw),
            ("1/2", Draw),
        ];
        for (text, outcome) in cases {
            assert_eq!(marker(text, 0), Some((text.len(), outcome)), "{text}");
        }
        for text in ["1.", "1-", "0-马四进三", "1-0-1", "2001-1"] {
            assert_eq!(marker(text, 0), None, "{text}");
        }
    }

    #[test]
    fn glued_moves_are_one_run() {
        for text in
            ["炮二平五马8进7", "1.炮二平五马8进72.马二进三", "h2e2h9g7", "C2.5H8+7", "炮二平五!?"]
        {
            let run = run(text, 0);
            assert_eq!((run.end, run.kind), (text.len(), Kind::Moves), "{text}");
        }
        assert_eq!(run("炮二平五是稳健的着法", 0).kind, Kind::Word);
        assert_eq!(
            run("炮 二 平 五 马8进7", 0),
            Run { end: "炮 二 平 五".len(), first: None, kind: Kind::Spaced }
        );
    }

    #[test]
    fn brackets_nest_or_end_at_the_first() {
        let find = |text: &str| Closer::default().find(text, 1, &['{'], &['}']);
        assert_eq!(find("{a {b} c} d").end, 9);
        assert_eq!(find("{a {b c} d").end, 8);
        let text = "{a b\n\n[Event \"x\"]\n{c}";
        assert_eq!(find(text), Enclosed { inner: 4, end: 4, closed: false });
    }

    #[test]
    fn rules_are_no_omitted_moves() {
        for text in ["====", "  =========".trim(), "----------", "* * *", "_____"] {
            assert!(is_rule(text, 0), "{text}");
        }
        for text in ["---", "...", "*", "1-0", "== a"] {
            assert!(!is_rule(text, 0), "{text}");
        }
    }
}
