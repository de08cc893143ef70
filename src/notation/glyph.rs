//! Every character that a move text may hold, and what it stands for.
//!
//! The table is `grammars/charset.toml`, embedded and laid out once so that a look-up costs two loads.
//!
//! ```
//! use qijian::notation::glyph::{Token, token};
//!
//! assert_eq!(token('砲'), token('炮'));
//! assert!(matches!(token('５'), Some(Token::Number { value: 5, chinese: false })));
//! assert_eq!(token('跑'), None);
//! ```

use std::{collections::BTreeMap, num::NonZeroU8, sync::LazyLock};

use serde::Deserialize;

use crate::board::{Kind, Side};

/// The text of the table, for tools that want to read it themselves.
pub const CHARSET: &str = include_str!("../../grammars/charset.toml");

/// 进, 退 or 平.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    /// 进, toward the opponent.
    Advance,
    /// 退, toward oneself.
    Retreat,
    /// 平, along the rank.
    Traverse,
}

impl Verb {
    /// 进, 退, 平.
    pub const ALL: [Verb; 3] = [Verb::Advance, Verb::Retreat, Verb::Traverse];
}

/// 前, 中 or 后.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// 前, the nearest to the opponent.
    Front,
    /// 中
    Middle,
    /// 后
    Rear,
}

/// A bar on the last digit of the short form (简写).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bar {
    /// Under the digit.
    Below,
    /// Over the digit.
    Above,
}

/// What a character stands for in a Chinese move text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Token {
    /// The name of a piece.
    Piece {
        /// Its kind.
        kind: Kind,
        /// The side, where the character tells it.
        side: Option<Side>,
        /// Whether it only resembles the name (卯 for 卒).
        look_alike: bool,
    },
    /// A number from 1 to 9.
    Number {
        /// 1 to 9.
        value: u8,
        /// Chinese, plain or formal; else Arabic, half or full width.
        chinese: bool,
    },
    /// A verb.
    Verb {
        /// Which.
        verb: Verb,
        /// 上 or 下.
        old: bool,
    },
    /// 前, 中, 后.
    Mark(Mark),
    /// A bar of the short form.
    Bar(Bar),
    /// `!`, `?`, `+`, `#` after the move.
    Note,
    /// A blank of any width.
    Blank,
}

/// What `c` stands for; `None` for characters that no move text holds.
#[inline]
pub fn token(c: char) -> Option<Token> {
    TABLE.token(c)
}

/// A character of complete notation in its standard writing, in one byte: names of pieces, numbers, 进退平, 前中后. What only
/// resembles one of them, and 上 and 下, is none.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sign(NonZeroU8);

impl Sign {
    /// What `c` is.
    ///
    /// ```
    /// use qijian::notation::glyph::{Sign, token};
    ///
    /// assert_eq!(Sign::of('砲').map(Sign::token), token('炮'));
    /// assert_eq!(Sign::of('上'), None);
    /// ```
    pub fn of(c: char) -> Option<Sign> {
        let token = token(c).filter(|token| *token != Token::Blank)?;
        let number = SIGNS.iter().position(|sign| *sign == token)?;
        NonZeroU8::new(number as u8).map(Sign)
    }

    /// What it stands for.
    #[inline]
    pub fn token(self) -> Token {
        // Every sign is the number of a token; the mask spares a check.
        SIGNS[usize::from(self.0.get() & 63)]
    }
}

/// Every character that is a sign.
///
/// ```
/// use qijian::notation::glyph::{Sign, signs};
///
/// assert!(signs().any(|(c, sign)| c == '砲' && Some(sign) == Sign::of('炮')));
/// ```
pub fn signs() -> impl Iterator<Item = (char, Sign)> {
    let blocks = (0_u32..).zip(&TABLE.page_of).filter(|(_, page)| **page != 0);
    let chars = blocks.flat_map(|(block, _)| block << 8..(block + 1) << 8);
    chars.filter_map(char::from_u32).filter_map(|c| Some((c, Sign::of(c)?)))
}

/// The token of each sign; number 0 is none, and a blank is no sign.
static SIGNS: [Token; 64] = {
    let mut signs = [Token::Blank; 64];
    let mut count = 1;
    let mut value = 1;
    while value <= 9 {
        signs[count] = Token::Number { value, chinese: false };
        signs[count + 1] = Token::Number { value, chinese: true };
        (count, value) = (count + 2, value + 1);
    }
    let mut kind = 0;
    while kind < Kind::ALL.len() {
        let sides = [None, Some(Side::Red), Some(Side::Black)];
        let mut side = 0;
        while side < sides.len() {
            let (kind, side_of) = (Kind::ALL[kind], sides[side]);
            signs[count] = Token::Piece { kind, side: side_of, look_alike: false };
            (count, side) = (count + 1, side + 1);
        }
        kind += 1;
    }
    let mut verb = 0;
    while verb < Verb::ALL.len() {
        signs[count] = Token::Verb { verb: Verb::ALL[verb], old: false };
        (count, verb) = (count + 1, verb + 1);
    }
    signs[count] = Token::Mark(Mark::Front);
    signs[count + 1] = Token::Mark(Mark::Middle);
    signs[count + 2] = Token::Mark(Mark::Rear);
    signs
};

/// The ASCII sign or letter that `c` is, or is a full-width or typographic form of.
#[inline]
pub fn ascii(c: char) -> Option<u8> {
    if c.is_ascii() {
        return Some(c as u8);
    }
    let table = &TABLE.latin;
    table.binary_search_by_key(&c, |row| row.0).ok().map(|at| table[at].1)
}

/// What was probably meant by `c`, a character that no move holds: 炮 for 跑. For repairs, never applied in reading.
pub fn suggestion(c: char) -> Option<char> {
    TABLE.suggestions.iter().find(|row| row.0 == c).map(|row| row.1)
}

/// The alphabets in which Latin notations name pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Alphabet {
    /// WXF, AXF and xqbase letters.
    Wxf,
    /// Letters of SAN.
    San,
    /// Vietnamese; the general, `Tg`, is not in it.
    Viet,
}

/// The kind that `letter` (either case) names, if any.
#[inline]
pub fn letter_kind(letter: u8, alphabet: Alphabet) -> Option<Kind> {
    let index = letter.to_ascii_uppercase().wrapping_sub(b'A');
    *TABLE.letters[alphabet as usize].get(index as usize)?
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let file =
        toml::from_str(CHARSET).expect("the table is part of the program, and a test reads it");
    Table::new(&file)
});

#[derive(Deserialize)]
struct CharsetFile {
    pieces: PerKind<Names>,
    numbers: Numbers,
    verbs: Verbs,
    marks: Marks,
    signs: Signs,
    look_alikes: BTreeMap<char, char>,
    suggestions: BTreeMap<char, char>,
    latin: Latin,
    letters: Letters,
}

#[derive(Deserialize)]
struct PerKind<T> {
    general: T,
    adviser: T,
    elephant: T,
    horse: T,
    chariot: T,
    cannon: T,
    pawn: T,
}

impl<T> PerKind<T> {
    fn each(&self) -> [(Kind, &T); 7] {
        [
            (Kind::General, &self.general),
            (Kind::Adviser, &self.adviser),
            (Kind::Elephant, &self.elephant),
            (Kind::Horse, &self.horse),
            (Kind::Chariot, &self.chariot),
            (Kind::Cannon, &self.cannon),
            (Kind::Pawn, &self.pawn),
        ]
    }
}

#[derive(Deserialize)]
struct Names {
    #[serde(default)]
    red: String,
    #[serde(default)]
    black: String,
    #[serde(default)]
    both: String,
}

#[derive(Deserialize)]
struct Numbers {
    chinese: [String; 9],
    arabic: [String; 9],
}

#[derive(Deserialize)]
struct Verbs {
    advance: String,
    advance_old: String,
    retreat: String,
    retreat_old: String,
    traverse: String,
}

#[derive(Deserialize)]
struct Marks {
    front: String,
    middle: String,
    rear: String,
}

#[derive(Deserialize)]
struct Signs {
    notes: String,
    blanks: String,
    below: String,
    above: String,
}

#[derive(Deserialize)]
struct Latin {
    full_width: String,
    ascii: String,
    hyphens: String,
}

#[derive(Deserialize)]
struct Letters {
    wxf: PerKind<String>,
    san: PerKind<String>,
    viet: PerKind<String>,
}

type Page = [Option<Token>; 256];

struct Table {
    /// Number of the page of each block of 256 characters of the basic plane; page 0 is empty.
    page_of: [u8; 256],
    pages: Vec<Page>,
    latin: Vec<(char, u8)>,
    suggestions: Vec<(char, char)>,
    letters: [[Option<Kind>; 26]; 3],
}

impl Table {
    #[inline]
    fn token(&self, c: char) -> Option<Token> {
        let code = c as usize;
        let page = *self.page_of.get(code >> 8)?;
        self.pages[page as usize][code & 0xFF]
    }

    fn new(file: &CharsetFile) -> Table {
        let mut table = Table {
            page_of: [0; 256],
            pages: vec![[None; 256]],
            latin: Vec::new(),
            suggestions: file.suggestions.iter().map(|(&from, &to)| (from, to)).collect(),
            letters: [&file.letters.wxf, &file.letters.san, &file.letters.viet].map(alphabet),
        };
        for (kind, names) in file.pieces.each() {
            let name = |side| Token::Piece { kind, side, look_alike: false };
            table.add(&names.red, name(Some(Side::Red)));
            table.add(&names.black, name(Some(Side::Black)));
            table.add(&names.both, name(None));
        }
        for (chinese, rows) in [(true, &file.numbers.chinese), (false, &file.numbers.arabic)] {
            for (value, row) in (1..).zip(rows) {
                table.add(row, Token::Number { value, chinese });
            }
        }
        for (row, verb, old) in [
            (&file.verbs.advance, Verb::Advance, false),
            (&file.verbs.advance_old, Verb::Advance, true),
            (&file.verbs.retreat, Verb::Retreat, false),
            (&file.verbs.retreat_old, Verb::Retreat, true),
            (&file.verbs.traverse, Verb::Traverse, false),
        ] {
            table.add(row, Token::Verb { verb, old });
        }
        table.add(&file.marks.front, Token::Mark(Mark::Front));
        table.add(&file.marks.middle, Token::Mark(Mark::Middle));
        table.add(&file.marks.rear, Token::Mark(Mark::Rear));
        table.add(&file.signs.notes, Token::Note);
        table.add(&file.signs.blanks, Token::Blank);
        table.add(&file.signs.below, Token::Bar(Bar::Below));
        table.add(&file.signs.above, Token::Bar(Bar::Above));
        for (&from, &to) in &file.look_alikes {
            if let Some(Token::Piece { kind, side, .. }) = table.token(to) {
                table.set(from, Token::Piece { kind, side, look_alike: true });
            }
        }
        let folded = file.latin.full_width.chars().zip(file.latin.ascii.bytes());
        let hyphens = file.latin.hyphens.chars().map(|c| (c, b'-'));
        table.latin = folded.chain(hyphens).collect();
        table.latin.sort_unstable();
        table
    }

    fn add(&mut self, row: &str, token: Token) {
        row.chars().for_each(|c| self.set(c, token));
    }

    fn set(&mut self, c: char, token: Token) {
        let code = c as usize;
        let Some(page) = self.page_of.get_mut(code >> 8) else { return };
        if *page == 0 {
            *page = self.pages.len() as u8;
            self.pages.push([None; 256]);
        }
        self.pages[*page as usize][code & 0xFF] = Some(token);
    }
}

fn alphabet(rows: &PerKind<String>) -> [Option<Kind>; 26] {
    let mut letters = [None; 26];
    for (kind, row) in rows.each() {
        for letter in row.bytes().filter(u8::is_ascii_uppercase) {
            letters[usize::from(letter - b'A')] = Some(kind);
        }
    }
    letters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_on_the_discs_is_in_the_table() {
        for side in Side::ALL {
            for kind in Kind::ALL {
                let glyph = crate::board::Piece { side, kind }.glyph();
                match token(glyph) {
                    Some(Token::Piece { kind: read, side: hint, look_alike: false }) => {
                        assert_eq!(read, kind, "{glyph}");
                        assert_ne!(hint, Some(side.other()), "{glyph}");
                    }
                    other => panic!("{glyph}: {other:?}"),
                }
            }
        }
    }

    #[test]
    fn no_character_stands_in_two_rows() {
        let file: toml::Table = toml::from_str(CHARSET).unwrap();
        let mut seen = std::collections::HashMap::new();
        let mut visit = |row: &toml::Value, name: &str| {
            for c in row.as_str().unwrap_or_default().chars() {
                if let Some(first) = seen.insert(c, name.to_owned()) {
                    panic!("{c} stands in {first} and {name}");
                }
            }
        };
        for section in ["verbs", "marks", "signs"] {
            for (name, row) in file[section].as_table().unwrap() {
                visit(row, name);
            }
        }
        for (kind, rows) in file["pieces"].as_table().unwrap() {
            for (_, row) in rows.as_table().unwrap() {
                visit(row, kind);
            }
        }
        for name in ["chinese", "arabic"] {
            for row in file["numbers"][name].as_array().unwrap() {
                visit(row, name);
            }
        }
    }

    #[test]
    fn full_width_letters_pair_with_ascii_ones_as_unicode_orders_them() {
        let file: CharsetFile = toml::from_str(CHARSET).unwrap();
        assert_eq!(file.latin.full_width.chars().count(), file.latin.ascii.len());
        for (wide, narrow) in file.latin.full_width.chars().zip(file.latin.ascii.chars()) {
            assert_eq!(wide as u32 - 0xFEE0, narrow as u32, "{wide}");
        }
    }

    #[test]
    fn side_hints_follow_the_reference() {
        let side = |c| match token(c) {
            Some(Token::Piece { side, .. }) => side,
            other => panic!("{c}: {other:?}"),
        };
        assert_eq!(side('士'), None, "rules of 1999, article 1.2");
        assert_eq!(side('車'), None, "notation.md 2.3: in records 車 does not tell the side");
        assert_eq!(side('砲'), None);
        assert_eq!(side('俥'), Some(Side::Red));
        assert_eq!(side('卯'), Some(Side::Black), "stands for 卒");
    }

    #[test]
    fn suggestions_are_not_read() {
        assert_eq!(token('跑'), None, "vector 41");
        assert_eq!(suggestion('跑'), Some('炮'));
        assert_eq!(suggestion('炮'), None);
        assert_eq!(ascii('Ｃ'), Some(b'C'));
        assert_eq!(ascii('–'), Some(b'-'));
        assert_eq!(ascii('炮'), None);
        assert_eq!(token('\u{20000}'), None, "beyond the basic plane");
    }
}
