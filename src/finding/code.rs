//! The catalogue of codes. Each is described in `CODES.md`, which `qijian explain` prints.

use std::fmt;

use super::Words;

/// How bad a finding is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Not as it should be, but nothing is lost or contradicted.
    Warning,
    /// Wrong.
    Error,
}

impl Severity {
    /// `info`, `warning` or `error`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Severity::Info => "info",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// A code such as `QJ301`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Code(u16);

/// What the catalogue says of a code.
#[derive(Debug)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// Its name, such as `illegal-move`.
    pub name: &'static str,
    /// Its usual severity.
    pub severity: Severity,
    /// The article that it rests on, where there is one for all cases.
    pub article: Option<&'static str>,
    /// A title in Chinese and English.
    pub title: (&'static str, &'static str),
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "QJ{:03}", self.0)
    }
}

macro_rules! catalogue {
    ($($(#[$doc:meta])* $ident:ident = $number:literal $name:literal $severity:ident $article:expr, $zh:literal, $en:literal;)*) => {
        impl Code {
            $($(#[$doc])* pub const $ident: Code = Code($number);)*
        }

        /// Every code, in order.
        static CATALOGUE: &[Entry] = &[
            $(Entry { code: Code($number), name: $name, severity: Severity::$severity, article: $article, title: ($zh, $en) },)*
        ];
    };
}

catalogue! {
    /// The content is of no format that is read.
    UNKNOWN_FORMAT = 1 "unknown-format" Error None, "格式不识", "unknown format";
    /// The file ends in the middle of something.
    TRUNCATED = 2 "truncated" Error None, "文件不完整", "truncated file";
    /// Bytes after the end of the record.
    TRAILING_DATA = 3 "trailing-data" Warning None, "文件末尾有多余数据", "trailing data";
    /// A field of a binary file holds a value that it cannot have.
    BAD_FIELD = 4 "bad-field" Warning None, "字段值不合格式", "bad field value";
    /// The file cannot be read from the disk.
    UNREADABLE = 5 "unreadable" Error None, "文件无法读取", "unreadable file";
    /// A tag line, comment or variation of a text record is not closed or not well formed.
    BAD_SYNTAX = 6 "bad-syntax" Warning None, "书写格式有误", "malformed text";
    /// Bytes that are no text in the encoding of the file.
    UNDECODABLE_TEXT = 101 "undecodable-text" Error None, "文字无法解码", "undecodable text";
    /// A text where a move is expected, which is not understood.
    UNKNOWN_MOVE_TEXT = 201 "unknown-move-text" Error Some("7.5"), "着法文字不识", "unknown move text";
    /// A move text that fits several moves.
    AMBIGUOUS_MOVE = 202 "ambiguous-move" Warning Some("7.5"), "着法有多种读法", "ambiguous move";
    /// A move text that is understood but not standard.
    NONSTANDARD_NOTATION = 203 "nonstandard-notation" Warning Some("7.5"), "着法写法不规范", "nonstandard notation";
    /// A round number that does not follow.
    MOVE_NUMBER = 204 "move-number" Warning None, "回合数有误", "wrong move number";
    /// A move against the rules of moving.
    ILLEGAL_MOVE = 301 "illegal-move" Error Some("2.2"), "着法违规", "illegal move";
    /// A move after the game has ended on the board or in the record.
    MOVE_AFTER_END = 302 "move-after-end" Error None, "终局后仍有着法", "move after the end";
    /// A position that cannot arise in a game.
    IMPOSSIBLE_POSITION = 303 "impossible-position" Error Some("1.3"), "局面不可能出现", "impossible position";
    /// A start position that is not understood.
    UNREADABLE_POSITION = 304 "unreadable-position" Error None, "起始局面不识", "unreadable position";
    /// The side to move of the start position is not that of the first move.
    SIDE_TO_MOVE = 305 "side-to-move" Warning Some("2.1"), "先行方与首着不符", "side to move disagrees with the first move";
    /// The recorded result contradicts the board, or the record contradicts itself.
    RESULT_CONTRADICTS_BOARD = 401 "result-contradicts-board" Error None, "结果与局面不符", "result contradicts the board";
    /// The board shows the end of the game, the record leaves the result open.
    RESULT_UNSTATED = 402 "result-unstated" Warning None, "终局而未记结果", "result not stated";
    /// A result text that is not understood.
    UNKNOWN_RESULT = 403 "unknown-result" Warning None, "结果文字不识", "unknown result text";
    /// Moves left out.
    OMITTED_MOVES = 701 "omitted-moves" Warning Some("7.1"), "漏记着法", "omitted moves";
}

impl Code {
    /// The catalogue's entry.
    pub fn entry(self) -> &'static Entry {
        CATALOGUE
            .iter()
            .find(|entry| entry.code == self)
            .expect("codes are made only by the catalogue, which has an entry for each")
    }

    /// Every code of the catalogue, in order.
    pub fn all() -> impl Iterator<Item = Code> {
        CATALOGUE.iter().map(|entry| entry.code)
    }
}

impl Entry {
    /// The title in both languages.
    pub fn title(&self) -> Words {
        Words::new(self.title.0, self.title.1)
    }
}
