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
    /// Something that `--fix` would repair, if it could do so safely.
    NOT_REPAIRED = 13 "not-repaired" Warning None, "未修复", "not repaired";
    /// A tag whose name is not the standard one.
    TAG_NAME = 14 "tag-name" Info None, "标签名不规范", "nonstandard tag name";
    /// Text beside a game that is neither move nor comment.
    TEXT_BESIDE = 15 "text-beside" Info None, "对局之外的文字", "text beside the game";
    /// A game that is there in a richer form.
    DUPLICATE_GAME = 20 "duplicate-game" Warning None, "重复的棋局", "duplicate game";
    /// Bytes that are no text in the encoding of the file.
    UNDECODABLE_TEXT = 101 "undecodable-text" Error None, "文字无法解码", "undecodable text";
    /// Text in another encoding than UTF-8, or behind a byte order mark.
    TEXT_ENCODING = 102 "text-encoding" Info None, "文字编码不是 UTF-8", "text encoding other than UTF-8";
    /// A game in another encoding than the rest of its file.
    MIXED_ENCODINGS = 103 "mixed-encodings" Warning None, "一个文件混用编码", "mixed encodings in one file";
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
    /// A field behind the board of a start position that is not understood.
    POSITION_COUNTERS = 306 "position-counters" Warning None, "起始局面的计数不识", "position counters not understood";
    /// A tag that names another game than xiangqi.
    OTHER_GAME = 307 "other-game" Warning None, "标签写的不是象棋", "another game than xiangqi";
    /// The recorded result contradicts the board, or the record contradicts itself.
    RESULT_CONTRADICTS_BOARD = 401 "result-contradicts-board" Error None, "结果与局面不符", "result contradicts the board";
    /// The board shows the end of the game, the record leaves the result open.
    RESULT_UNSTATED = 402 "result-unstated" Info None, "终局而未记结果", "result not stated";
    /// A result text that is not understood.
    UNKNOWN_RESULT = 403 "unknown-result" Warning None, "结果文字不识", "unknown result text";
    /// Of result tag and end marker one gives a result, the other leaves it open.
    RESULT_HALF_STATED = 404 "result-half-stated" Info None, "结果只记了一处", "result stated in one place only";
    /// The recorded result contradicts what the record says of the events of the game.
    RESULT_CONTRADICTS_EVENT = 405 "result-contradicts-event" Error None, "结果与记载不符", "result contradicts an event";
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
    /// So many moves left out in a row that it is a foul.
    OMISSION_FOUL = 702 "omission-foul" Error Some("7.1"), "连续漏记犯规", "omission foul";
    /// Two sheets of one game that say different things.
    SHEETS_DISAGREE = 703 "sheets-disagree" Warning Some("7.1"), "两份记录不一致", "sheets disagree";
    /// A ply that no sheet has, and that follows from the others.
    RECONSTRUCTED = 704 "reconstructed" Info Some("7.3"), "推得的着法", "reconstructed move";
    /// Plies that a slip would make likelier than they are as written.
    PLACES_TO_LOOK = 705 "places-to-look" Info None, "可疑之处", "places to look";
    /// The foot of a scoresheet is not complete or does not agree with the rest.
    SHEET_FOOT = 706 "sheet-foot" Warning Some("10.1"), "记录末栏不全或不符", "foot of the sheet";
    /// An entry about clocks, claims, offers, fouls or touches that is not well formed.
    MALFORMED_ANNOTATION = 801 "malformed-annotation" Warning None, "标注不合格式", "malformed annotation";
    /// The time for a move or a period is overstepped.
    TIME_OVERSTEPPED = 802 "time-overstepped" Error Some("22.1"), "超时", "time overstepped";
    /// Times that cannot all be true.
    CLOCK_INCONSISTENT = 803 "clock-inconsistent" Warning Some("6"), "时间记录矛盾", "inconsistent clock";
    /// Late over the limit, or lateness not taken off the clock.
    LATENESS = 804 "lateness" Error Some("21.1"), "迟到", "lateness";
    /// An offer of a draw out of turn or place.
    DRAW_OFFER = 811 "draw-offer" Error Some("23.1"), "提和不合规定", "draw offer";
    /// An answer where no offer is open.
    REPLY_WITHOUT_OFFER = 812 "reply-without-offer" Warning Some("23.1"), "无提和而应答", "reply without an offer";
    /// A question raised in the opponent's time.
    OUT_OF_TURN = 813 "out-of-turn" Warning Some("8.5"), "不在自己走棋时间内提出", "out of turn";
    /// A claim of a ruling on a repetition.
    REPETITION_CLAIM = 814 "repetition-claim" Info Some("24"), "要求裁决循环", "repetition claim";
    /// A touched piece was not played as it had to be.
    TOUCHED_PIECE_NOT_PLAYED = 821 "touched-piece-not-played" Error Some("5.1"), "摸子未走", "touched piece not played";
    /// A touch that is a foul.
    TOUCH_FOUL = 822 "touch-foul" Error Some("9.1.5"), "摸子犯规", "touch foul";
    /// So many fouls that the game is lost.
    FOUL_LIMIT = 832 "foul-limit" Error Some("4.1.8"), "犯规达到判负次数", "foul limit";
    /// An entry of an event file that cannot be used.
    EVENT_ENTRY = 901 "event-entry" Error None, "赛事条目有误", "mistaken entry of an event file";
    /// The wrong side had Red.
    WRONG_COLOUR = 902 "wrong-colour" Error Some("13"), "先后走有误", "wrong colour";
    /// Two entrants were paired again.
    REMATCH = 903 "rematch" Error None, "重复相遇", "rematch";
    /// Somebody was paired twice in a round.
    PLAYER_TWICE = 904 "player-twice" Error None, "一轮中出场两次", "paired twice in a round";
    /// Somebody was not paired in a round that was played.
    NOT_PAIRED = 905 "not-paired" Warning None, "漏排", "not paired";
    /// Somebody had a bye twice.
    BYE_TWICE = 906 "bye-twice" Error None, "轮空两次", "bye twice";
    /// A line-up against the rules of the team event.
    LINE_UP = 907 "line-up" Error Some("12.2"), "出场顺序有误", "line-up out of order";
    /// Pairs that are not those of the order table.
    ORDER_TABLE = 908 "order-table" Error Some("13.1"), "与对局秩序表不符", "not by the order table";
    /// A result that cannot be.
    IMPOSSIBLE_RESULT = 909 "impossible-result" Error None, "成绩不可能", "impossible result";
    /// The table and the game record contradict each other.
    TABLE_CONTRADICTS_RECORD = 910 "table-contradicts-record" Error None, "成绩表与棋谱不符", "table contradicts record";
    /// A place that should not be shared is shared.
    SHARED_PLACE = 911 "shared-place" Warning Some("15.6"), "名次不宜并列", "place must not be shared";
    /// Pairs of unequal scores where nearer ones could be made.
    SCORE_GAP = 912 "score-gap" Warning None, "可以编得更近", "nearer scores could meet";
    /// Somebody who was out of the event played on.
    KNOCKED_OUT = 913 "knocked-out" Error Some("11.1"), "已淘汰者再次出场", "played on after being knocked out";
    /// A bye for somebody while another was due.
    UNDUE_BYE = 914 "undue-bye" Warning None, "轮空不当", "bye not due";
    /// Rapid tie-break games against the regulation.
    RAPID_TIE_BREAK = 915 "rapid-tie-break" Error None, "快棋加赛有误", "rapid tie-break against the regulation";
    /// What was published differs from what the results give.
    PUBLISHED_DIFFERS = 916 "published-differs" Warning None, "与公布的不符", "published otherwise";
    /// Results that are not there.
    RESULTS_MISSING = 917 "results-missing" Info None, "缺成绩", "results missing";
    /// A sanction by somebody who may not impose it.
    SANCTION_AUTHORITY = 918 "sanction-authority" Warning Some("18"), "处分越权", "sanction without authority";
    /// A result that the recorded lateness does not allow.
    LATE_FORFEIT = 919 "late-forfeit" Error Some("21"), "迟到的处理有误", "lateness and result disagree";
    /// What a withdrawal does to the table.
    WITHDRAWAL = 920 "withdrawal" Info Some("20"), "退出比赛的处理", "withdrawal";
    /// Two names that may be one person.
    SAME_PERSON = 921 "same-person" Info None, "可能是同一人", "may be the same person";
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
