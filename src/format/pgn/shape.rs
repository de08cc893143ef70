//! Which texts have the shape of a move, in any notation; legality is not asked.
//!
//! The lexer needs no more than the length of the token: the notation readers decide what it means.

use nom::{
    AsBytes, IResult, Parser,
    branch::alt,
    bytes::complete::tag,
    character::complete::{char, one_of},
    combinator::{opt, recognize},
    multi::many0_count,
};

use crate::notation::glyph::{self, Token, Verb};

/// Whether `c` separates tokens and means nothing: white space, U+3000, controls (NUL), and invisible marks.
pub(super) fn is_space(c: char) -> bool {
    match c {
        ' ' | '\n' | '\r' | '\t' | '\u{3000}' => true,
        '!'..='~' | '一'..='龥' => false,
        _ => {
            c.is_whitespace() || c.is_control() || matches!(c, '\u{FEFF}' | '\u{200B}'..='\u{200F}')
        }
    }
}

/// The first offset from `at` on that is not [`is_space`].
pub(in crate::format) fn skip_space(text: &str, at: usize) -> usize {
    text[at..].find(|c| !is_space(c)).map_or(text.len(), |skipped| at + skipped)
}

/// `c` as the ASCII character that it is the full-width form of, else itself.
pub(super) fn narrow(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '–' | '−' => '-',
        _ => c,
    }
}

/// The value of an ASCII or full-width digit.
pub(super) fn digit(c: char) -> Option<u32> {
    narrow(c).to_digit(10)
}

/// What a character can be in a Chinese move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// 车马炮…, and characters taken for them.
    Piece,
    /// 前中后
    Qualifier,
    /// A digit in Chinese writing.
    Digit,
    /// An ASCII digit, which may also begin a round number.
    Ascii,
    /// A full-width digit.
    Wide,
    /// 进退上下, which may stand without a step count.
    Vertical,
    /// 平
    Level,
    /// Another ideograph, such as a miswritten piece.
    Ideograph,
    /// Nothing of these.
    Other,
}

fn class(c: char) -> Class {
    match glyph::token(c) {
        Some(Token::Piece { .. }) => Class::Piece,
        Some(Token::Mark(_)) => Class::Qualifier,
        Some(Token::Number { .. }) if c.is_ascii() => Class::Ascii,
        Some(Token::Number { chinese: false, .. }) => Class::Wide,
        Some(Token::Number { .. }) => Class::Digit,
        Some(Token::Verb { verb: Verb::Traverse, .. }) => Class::Level,
        Some(Token::Verb { .. }) => Class::Vertical,
        _ => match c {
            // Numbers that no move has, but that slips have.
            '0' => Class::Ascii,
            '０' => Class::Wide,
            '〇' | '○' | '零' | '十' => Class::Digit,
            '\u{4E00}'..='\u{9FFF}' | '\u{3400}'..='\u{4DBF}' | '\u{FFFD}' => Class::Ideograph,
            _ => Class::Other,
        },
    }
}

impl Class {
    fn is_number(self) -> bool {
        matches!(self, Class::Digit | Class::Ascii | Class::Wide)
    }

    fn is_verb(self) -> bool {
        matches!(self, Class::Vertical | Class::Level)
    }
}

/// The bars of short notation (进 below, 退 above) after the last digit.
fn is_bar(c: char) -> bool {
    matches!(glyph::token(c), Some(Token::Bar(_)))
}

/// The classes of the characters at the start of `text` and where each ends; `spaced` looks across white space
/// and at most one line break.
fn classes(text: &str, spaced: bool) -> ([Class; 6], [usize; 6], usize) {
    let (mut found, mut ends, mut count) = ([Class::Other; 6], [0; 6], 0);
    let mut breaks = 0;
    for (at, c) in text.char_indices() {
        if spaced && is_space(c) {
            breaks += usize::from(c == '\n');
            if breaks > 1 || at > 96 {
                break;
            }
            continue;
        }
        let class = class(c);
        if count == 6 || class == Class::Other {
            break;
        }
        (found[count], ends[count]) = (class, at + c.len_utf8());
        count += 1;
    }
    (found, ends, count)
}

/// How many of `classes` are one move; 0 for none.
fn pattern(classes: &[Class]) -> usize {
    use Class::{Ascii, Digit, Ideograph, Piece, Qualifier, Vertical, Wide};
    let at = |index: usize| classes.get(index).copied().unwrap_or(Class::Other);
    let number = |index: usize| at(index).is_number();
    let verb = |index: usize| at(index).is_verb();
    match (at(0), at(1)) {
        // 炮二平五, 兵七进, 炮25
        (Piece, _) if number(1) && verb(2) && number(3) => 4,
        (Piece, _) if number(1) && at(2) == Vertical => 3,
        (Piece, _) if number(1) && number(2) && !verb(3) => 3,
        // 车前平五
        (Piece, Qualifier) if verb(2) && number(3) => 4,
        // 跑二平五, with a character that no piece has
        (Ideograph, _) if number(1) && verb(2) && number(3) => 4,
        // 前兵九平八, 前车退三, 前车退, 前车16, 前马4
        (Qualifier, Piece) if number(2) && verb(3) && number(4) => 5,
        (Qualifier, Piece) if verb(2) && number(3) => 4,
        (Qualifier, Piece) if at(2) == Vertical => 3,
        (Qualifier, Piece) if number(2) && number(3) => 4,
        (Qualifier, Piece) if number(2) && !verb(3) => 3,
        // 前九平八, 前45
        (Qualifier, _) if number(1) && verb(2) && number(3) => 4,
        (Qualifier, _) if number(1) && number(2) && !verb(3) => 3,
        // 二兵五平四, 二兵平六, 二7平6; an ASCII digit before a whole move is a round number
        (Digit | Wide, Piece) if number(2) && verb(3) && number(4) => 5,
        (Digit | Wide | Ascii, Piece) if verb(2) && number(3) => 4,
        (Digit | Wide, Digit | Wide | Ascii) if verb(2) && number(3) => 4,
        _ => 0,
    }
}

/// The length in bytes of the Chinese move at the start of `text`, in full or short notation. Characters set apart
/// by spaces, or a step count on the next line, belong to the move.
pub(super) fn chinese(text: &str) -> Option<usize> {
    if let Some(end) = complete(text) {
        return Some(end + bars(&text[end..]));
    }
    let (found, ends, count) = classes(text, false);
    let length = pattern(&found[..count]);
    if length == 0 {
        return None;
    }
    let mut end = ends[length - 1];
    if found[length - 1] == Class::Vertical {
        end = step_count(text, end).unwrap_or(end);
    }
    end += bars(&text[end..]);
    Some(end)
}

/// The length of the complete move, 炮二平五 or 马8进7, at the start of `text`: what [`pattern`] finds for nearly all
/// moves, without looking further.
fn complete(text: &str) -> Option<usize> {
    let mut rest = text.chars();
    let mut next = || rest.next().map_or(Class::Other, class);
    let is_move =
        next() == Class::Piece && next().is_number() && next().is_verb() && next().is_number();
    is_move.then(|| text.len() - rest.as_str().len())
}

/// The length of the bars of short notation at the start of `text`.
fn bars(text: &str) -> usize {
    match text.as_bytes().first() {
        Some(b' ' | b'\n' | b'\r' | b'\t') | None => 0,
        _ => text.find(|c| !is_bar(c)).unwrap_or(text.len()),
    }
}

/// The end of a step count that stands alone behind white space at `at` of `text`.
fn step_count(text: &str, at: usize) -> Option<usize> {
    let next = skip_space(text, at);
    let mut rest = text[next..].chars();
    let c = rest.next()?;
    let alone = rest.next().is_none_or(|c| is_space(c) || is_bracket(c) || c == ';');
    (next > at && class(c).is_number() && alone).then(|| next + c.len_utf8())
}

/// The length of a Chinese move at the start of `text` whose characters are set apart, `炮 二 平 五`.
pub(super) fn spaced_chinese(text: &str) -> Option<usize> {
    let (found, ends, count) = classes(text, true);
    let length = pattern(&found[..count]);
    // Three characters are too few to join: the fourth may have been left out or belong to another move.
    (length > 3).then(|| ends[length - 1])
}

type Step<'a> = IResult<&'a [u8], &'a [u8]>;

const PIECES: &str = "KAEBGHNRCPMS";
const ANY_PIECE: &str = "KAEBGHNRCPMSXTkaebghnrcpmsxt";

fn file(input: &[u8]) -> IResult<&[u8], char> {
    one_of("abcdefghiABCDEFGHI").parse(input)
}

fn rank(input: &[u8]) -> Step<'_> {
    alt((tag("10"), recognize(one_of("0123456789")))).parse(input)
}

fn square(input: &[u8]) -> Step<'_> {
    recognize((file, rank)).parse(input)
}

/// `h2e2`, `H2-E2`: ICCS, UCCI, UCI.
fn coordinates(input: &[u8]) -> Step<'_> {
    recognize((square, opt(one_of("-=:x")), square)).parse(input)
}

/// `C2.5`, `R+=5`, `+R=5`, `Pa.5`, `14=5`, `P2-5`, `P8/1`, `Xt-5`, `Tg5.1`: WXF, AXF, Vietnamese.
fn relative(input: &[u8]) -> Step<'_> {
    let verb = || one_of("+-=./");
    let step = || one_of("123456789");
    alt((
        recognize((tag("Tg"), one_of("123456789tsg"), verb(), step())),
        recognize((one_of(ANY_PIECE), one_of("123456789+-=.tsgabcdeABCDE"), verb(), step())),
        recognize((one_of("+-=."), one_of(ANY_PIECE), verb(), step())),
        recognize((one_of("12345"), step(), one_of("=+"), step())),
    ))
    .parse(input)
}

/// `Che2`, `Cxe6`, `ixi5`, `A10e9`, `g5`: algebraic, as western programs write it.
fn algebraic(input: &[u8]) -> Step<'_> {
    let piece = || opt(one_of(PIECES));
    let takes = || opt(char('x'));
    alt((
        recognize((piece(), square, takes(), square)),
        recognize((piece(), file, takes(), square)),
        recognize((piece(), rank, takes(), square)),
        recognize((piece(), takes(), square)),
    ))
    .parse(input)
}

/// `C25`, `m8+7`: short notation in letters.
fn short(input: &[u8]) -> Step<'_> {
    recognize((one_of(ANY_PIECE), one_of("123456789"), one_of("123456789"))).parse(input)
}

fn latin_move(input: &[u8]) -> Step<'_> {
    let checks = many0_count(one_of("+#"));
    recognize((alt((coordinates, relative, algebraic, short)), checks)).parse(input)
}

/// The length in bytes of the move in Latin letters at the start of `text`, half or full width: ICCS, UCI, WXF,
/// algebraic, Vietnamese. Check and mate signs belong to the token.
pub(super) fn latin(text: &str) -> Option<usize> {
    let (mut folded, mut ends, mut count) = ([0; 14], [0; 14], 0);
    for (at, c) in text.char_indices().take(14) {
        let Some(byte) = glyph::ascii(c).filter(u8::is_ascii_graphic) else { break };
        (folded[count], ends[count]) = (byte, at + c.len_utf8());
        count += 1;
    }
    let (rest, _) = latin_move(folded[..count].as_bytes()).ok()?;
    let length = count - rest.len();
    // A letter or digit that begins no other move shows that this was part of a word.
    let glued = rest.first().is_some_and(u8::is_ascii_alphanumeric)
        && latin_move(rest).is_err()
        && length < 13;
    (!glued).then(|| ends[length - 1])
}

/// The length of the move at the start of `text`, in any notation.
pub(in crate::format) fn any_move(text: &str) -> Option<usize> {
    let first = narrow(text.chars().next()?);
    if first.is_ascii() && !first.is_ascii_digit() {
        latin(text)
    } else {
        chinese(text).or_else(|| latin(text))
    }
}

/// The length of the words at the start of `text` that say whose move follows: 红：炮二平五, 黑方：马8进7.
pub(super) fn mover(text: &str) -> Option<usize> {
    let rest = text.strip_prefix(['红', '紅', '黑'])?;
    let rest = rest.strip_prefix('方').unwrap_or(rest);
    let rest = rest.strip_prefix([':', '：'])?.trim_start_matches([' ', '\u{3000}']);
    any_move(rest).map(|_| text.len() - rest.len())
}

/// Whether `c` opens or closes anything in move text, and so ends a word.
pub(super) fn is_bracket(c: char) -> bool {
    matches!(
        c,
        '{' | '}' | '(' | ')' | '[' | ']' | '（' | '）' | '｛' | '｝' | '［' | '］' | '【' | '】'
    )
}

/// Whether `word` looks like a move that went wrong rather than like prose: short, and at least two of its
/// characters are where a move has them.
pub(super) fn is_broken_move(word: &str) -> bool {
    let (mut pieces, mut numbers, mut verbs, mut count) = (0, 0, 0, 0);
    let mut letters = 0;
    for (index, c) in word.chars().enumerate() {
        if index == 6 {
            return false;
        }
        count += 1;
        match class(c) {
            Class::Piece | Class::Qualifier if index < 2 => pieces += 1,
            class if class.is_number() => numbers += 1,
            Class::Vertical | Class::Level if index > 0 => verbs += 1,
            Class::Other
                if index == 0
                    && (ANY_PIECE.contains(narrow(c)) || file(word.as_bytes()).is_ok()) =>
            {
                letters += 1;
            }
            Class::Other if index > 0 && "+-=./x".contains(narrow(c)) => verbs += 1,
            _ => {}
        }
    }
    let kinds = [pieces + letters, numbers, verbs].iter().filter(|kind| **kind > 0).count();
    let ascii = letters > 0;
    (2..=6).contains(&count) && kinds >= 2 && (!ascii || (numbers > 0 && count <= 5))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each text of reference/notation.md sections 2 to 6 is one token as a whole.
    #[test]
    fn every_notation_gives_one_token() {
        let texts = [
            "炮二平五",
            "砲２平５",
            "前车退三",
            "前兵九平八",
            "前九平八",
            "二兵平六",
            "一卒平5",
            "二7平6",
            "兵七进",
            "车前平五",
            "跑二平五",
            "卯5进1",
            "炮25",
            "马87",
            "前马4",
            "后车1\u{332}",
            "前45",
            "h2e2",
            "H2-E2",
            "a10b10",
            "C2.5",
            "C2=5",
            "Ｃ２＝５",
            "R+=5",
            "+R=5",
            "P++1",
            "14=5",
            "Pa.5",
            "Che2",
            "Cxe6+",
            "g5",
            "ixi5",
            "A10e9",
            "Rxd1#",
            "P2-5",
            "M8.7",
            "P8/1",
            "Xt-5",
            "Tg5.1",
            "C25",
            "p25",
            "m8+7",
            "傌二進三",
        ];
        for text in texts {
            assert_eq!(any_move(text), Some(text.len()), "{text}");
        }
    }

    #[test]
    fn prose_is_no_move() {
        for text in [
            "Champion",
            "EOD",
            "红方优势",
            "http://a",
            "炮",
            "e2e4x9",
            "中国象棋",
            "第三轮",
            "2001",
        ] {
            assert_eq!(any_move(text), None, "{text}");
        }
    }

    #[test]
    fn characters_set_apart_are_joined() {
        assert_eq!(spaced_chinese("炮 二 平 五 马"), Some("炮 二 平 五".len()));
        assert_eq!(chinese("车二进\n三\n"), Some("车二进\n三".len()));
        assert_eq!(chinese("兵七进 3. 马"), Some("兵七进".len()));
    }

    #[test]
    fn broken_moves_are_told_from_words() {
        for text in ["炮２平X", "車\u{FFFD}平５", "H2-X", "马二平"] {
            assert!(is_broken_move(text), "{text}");
        }
        for text in ["马到成功", "红优", "Champion", "EOD", "先手"] {
            assert!(!is_broken_move(text), "{text}");
        }
    }
}
