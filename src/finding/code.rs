//! The catalogue of codes. Each is described in `CODES.md`, which `qijian explain` prints.

use std::{fmt, str::FromStr};

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

    /// The word for people: 提示, 警告, 错误.
    pub fn words(self) -> Words {
        let zh = match self {
            Severity::Info => "提示",
            Severity::Warning => "警告",
            Severity::Error => "错误",
        };
        Words::new(zh, self.as_str())
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
    /// An archive or compressed file that unpacks to more than is allowed.
    ARCHIVE_LIMIT = 7 "archive-limit" Error None, "压缩文件超出上限", "archive limit";
    /// A compressed file or a member of an archive that cannot be read.
    ARCHIVE_MEMBER = 8 "archive-member" Error None, "压缩文件或成员未读", "unread archive member";
    /// Something that the target of a conversion cannot hold as it is.
    NOT_REPRESENTABLE = 10 "not-representable" Warning None, "目标格式容纳不下", "not representable in the target";
    /// A tag that a conversion had to change, because it speaks of the file itself.
    TAG_ADAPTED = 11 "tag-adapted" Info None, "标签随转换改动", "tag adapted to the conversion";
    /// A game that its library marks as deleted.
    DELETED_RECORD = 12 "deleted-record" Info None, "库中已删除的棋谱", "deleted record";
    /// A game that is there in a richer form.
    DUPLICATE_GAME = 20 "duplicate-game" Warning None, "重复的棋局", "duplicate game";
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
    /// A game whose moves are written in several notations.
    MIXED_NOTATION = 205 "mixed-notation" Warning Some("7.5"), "一局中混用记谱法", "mixed notation";
    /// A move that the notation asked for cannot tell from another.
    TARGET_AMBIGUOUS = 206 "target-ambiguous" Warning Some("7.5"), "所求记谱法不能区别", "ambiguous in the target notation";
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
    RESULT_UNSTATED = 402 "result-unstated" Info None, "终局而未记结果", "result not stated";
    /// A result text that is not understood.
    UNKNOWN_RESULT = 403 "unknown-result" Warning None, "结果文字不识", "unknown result text";
    /// A position that has come back for the third time or more.
    REPETITION_RULING = 501 "repetition-ruling" Info None, "循环反复的裁定", "repetition ruling";
    /// So many rounds without a capture that a draw can be claimed.
    NATURAL_LIMIT_REACHED = 601 "natural-limit-reached" Info Some("4.2.4"), "自然限着已到", "natural limit reached";
    /// A claim of the natural limit that is true.
    NATURAL_LIMIT_CLAIM_TRUE = 602 "natural-limit-claim-true" Info Some("23.3"), "提自然限着属实", "natural-limit claim true";
    /// A claim of the natural limit that is false.
    NATURAL_LIMIT_CLAIM_FALSE = 603 "natural-limit-claim-false" Error Some("23.3"), "提自然限着不实", "natural-limit claim false";
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

    /// Whether the code begins with `prefix`, such as `QJ3` or `qj301`; a prefix has at least `QJ`.
    ///
    /// ```
    /// use qijian::finding::Code;
    /// assert!(Code::ILLEGAL_MOVE.matches_prefix("qj3"));
    /// assert!(!Code::ILLEGAL_MOVE.matches_prefix("QJ31"));
    /// assert!(!Code::ILLEGAL_MOVE.matches_prefix(""));
    /// ```
    pub fn matches_prefix(self, prefix: &str) -> bool {
        let code = self.to_string();
        prefix.len() >= 2
            && code.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    }
}

/// The text is no code of the catalogue.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("unknown code {0:?}")]
pub struct UnknownCode(pub String);

impl FromStr for Code {
    type Err = UnknownCode;

    /// Reads `QJ301` in any case.
    fn from_str(text: &str) -> Result<Code, UnknownCode> {
        Code::all()
            .find(|code| code.to_string().eq_ignore_ascii_case(text))
            .ok_or_else(|| UnknownCode(text.to_owned()))
    }
}

impl Entry {
    /// The title in both languages.
    pub fn title(&self) -> Words {
        Words::new(self.title.0, self.title.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_back_in_any_case() {
        for code in Code::all() {
            assert_eq!(code.to_string().parse(), Ok(code));
            assert_eq!(code.to_string().to_lowercase().parse(), Ok(code));
            assert!(code.matches_prefix(&code.to_string()));
            assert!(code.matches_prefix("qj"));
        }
        for bad in ["QJ999", "301", "", "QJ3", "QJ3011", "第"] {
            assert_eq!(bad.parse::<Code>(), Err(UnknownCode(bad.to_owned())));
        }
    }

    #[test]
    fn the_catalogue_is_in_order_and_without_doubles() {
        let codes: Vec<Code> = Code::all().collect();
        assert!(codes.is_sorted_by(|a, b| a < b));
        let mut names: Vec<&str> = codes.iter().map(|code| code.entry().name).collect();
        names.sort_unstable();
        assert!(names.is_sorted_by(|a, b| a < b));
    }

    #[test]
    fn a_prefix_is_a_prefix() {
        assert!(Code::UNKNOWN_FORMAT.matches_prefix("QJ0"));
        assert!(!Code::UNKNOWN_FORMAT.matches_prefix("QJ1"));
        assert!(!Code::UNKNOWN_FORMAT.matches_prefix("Q"));
        assert!(!Code::UNKNOWN_FORMAT.matches_prefix("QJ0011"));
        assert!(!Code::UNKNOWN_FORMAT.matches_prefix("第第"));
    }
}
