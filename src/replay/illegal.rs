//! Findings about one move text: illegal, not understood, not standard.

use crate::{
    board::{Move, Piece, Position, Reason, Side},
    finding::{Code, Finding, Words},
    notation::{
        self, Deviation, Deviations, Dialect,
        glyph::{Token, token},
    },
};

/// `QJ301`.
pub(super) fn illegal(
    text: &str,
    position: &Position,
    reason: Reason,
    mv: Option<Move>,
    dialect: Option<Dialect>,
) -> Finding {
    let piece = mv.and_then(|mv| position.piece_at(mv.from));
    let why = reason_words(reason, piece, position.side());
    let mut finding = Finding::new(
        Code::ILLEGAL_MOVE,
        Words::new(format!("着法违规：{}", why.zh), format!("illegal move: {}", why.en)),
    )
    .with("reason", reason.as_str())
    .with("move", mv.map(|mv| mv.to_string()));
    finding.article = Some(article(reason).into());
    finding.board = Some(position.fen());
    finding.help(help(position, text, dialect, &mut Vec::new()))
}

/// `QJ201`.
pub(super) fn unknown(
    text: &str,
    at: usize,
    position: &Position,
    dialect: Option<Dialect>,
) -> Finding {
    let mut near = Vec::new();
    let help = help(position, text, dialect, &mut near);
    let found = text.get(at..).and_then(|rest| rest.chars().next());
    let words = match found {
        Some(c) => Words::new(
            format!("着法不识：“{c}”处读不下去"),
            format!("move text not understood from `{c}` on"),
        ),
        None => Words::new("着法不完整", "the move text is not complete"),
    };
    Finding::new(Code::UNKNOWN_MOVE_TEXT, words).help(help).with("at", at).with("suggestions", near)
}

/// `QJ203`.
pub(super) fn nonstandard(text: &str, deviations: Deviations, standard: &str) -> Finding {
    let told: Vec<Words> = deviations.iter().map(deviation_words).collect();
    let zh: Vec<&str> = told.iter().map(|words| words.zh.as_ref()).collect();
    let en: Vec<&str> = told.iter().map(|words| words.en.as_ref()).collect();
    let names: Vec<&str> = deviations.iter().map(Deviation::as_str).collect();
    Finding::new(
        Code::NONSTANDARD_NOTATION,
        Words::new(
            format!("“{text}”写法不规范：{}", zh.join("；")),
            format!("`{text}` is not standard: {}", en.join("; ")),
        ),
    )
    .help(Words::new(format!("规范写法：{standard}"), format!("the standard form is {standard}")))
    .with("deviations", names)
    .with("standard", standard)
}

/// The article that a reason rests on.
fn article(reason: Reason) -> &'static str {
    match reason {
        Reason::NoSuchPiece | Reason::OffBoard => "7.5",
        Reason::WrongSide => "2.1",
        Reason::InCheck => "3.1",
        Reason::OwnPiece => "2.3",
        Reason::CannonScreen => "2.3",
        Reason::GeneralsFacing => "4.1.2",
        _ => "2.2",
    }
}

fn reason_words(reason: Reason, piece: Option<Piece>, side: Side) -> Words {
    let glyph = piece.map_or_else(String::new, |piece| piece.glyph().to_string());
    let (zh_side, en_side) = match side {
        Side::Red => ("红", "Red"),
        Side::Black => ("黑", "Black"),
    };
    match reason {
        Reason::NoSuchPiece => Words::new("没有这样的棋子", "there is no such piece"),
        Reason::EmptySquare => {
            Words::new("起点没有棋子", "no piece stands on the square it leaves")
        }
        Reason::WrongSide => Words::new(
            format!("该{zh_side}方走，所记是对方的着法，可能漏记一着"),
            format!("it is {en_side}'s turn, the move is the other side's; a move may be missing"),
        ),
        Reason::OffBoard => Words::new("走出棋盘", "the target is off the board"),
        Reason::OwnPiece => {
            Words::new("落点有己方棋子", "the mover's own piece stands on the target")
        }
        Reason::Shape => {
            Words::new(format!("{glyph}不能这样走"), "the piece does not move like that")
        }
        Reason::Palace => {
            Words::new(format!("{glyph}不能出九宫"), "the piece would leave the palace")
        }
        Reason::River => match piece.map(|piece| piece.kind) {
            Some(crate::board::Kind::Pawn) => Words::new(
                format!("{glyph}未过河，不能横走"),
                "a pawn moves sideways only across the river",
            ),
            _ => Words::new(format!("{glyph}不能过河"), "an elephant does not cross the river"),
        },
        Reason::HorseLeg => Words::new("蹩马腿", "the horse is hobbled"),
        Reason::ElephantEye => Words::new("塞象眼", "the elephant's eye is blocked"),
        Reason::Blocked => Words::new("中间有子阻挡", "a piece stands in the way"),
        Reason::CannonScreen => {
            Words::new("炮吃子须隔且只隔一子", "a cannon captures over exactly one piece")
        }
        Reason::GeneralsFacing => Words::new("走后将帅照面", "the generals would face each other"),
        Reason::InCheck => {
            Words::new("走后己方将帅被将军", "the mover's own general would be in check")
        }
    }
}

fn deviation_words(deviation: Deviation) -> Words {
    match deviation {
        Deviation::Digits => Words::new("用了对方的数字", "digits of the other side"),
        Deviation::Glyph => Words::new("用了对方的棋子名", "piece name of the other side"),
        Deviation::Verb => Words::new("上、下应作进、退", "上 and 下 stand for 进 and 退"),
        Deviation::NoStep => Words::new("缺步数", "the step count is missing"),
        Deviation::NoQualifier => Words::new(
            "同线有两子，缺前后",
            "two such pieces stand on the file, 前 or 后 is missing",
        ),
        Deviation::NoFile => {
            Words::new("两线有重兵，缺线路", "pawns are doubled on two files, the file is missing")
        }
        Deviation::Order => Words::new("前后应写在棋子之前", "前 or 后 belongs before the piece"),
        Deviation::LookAlike => Words::new("有形近误字", "a look-alike character"),
        Deviation::Ordinal => {
            Words::new("兵的次序写法不合通例", "pawns are numbered by another convention")
        }
    }
}

/// Proposes the legal moves whose text differs from `text` in one character; nothing is ever applied.
fn help(
    position: &Position,
    text: &str,
    dialect: Option<Dialect>,
    near: &mut Vec<String>,
) -> Words {
    const MOST: usize = 5;
    let dialect = dialect.unwrap_or_default();
    let similar: Vec<(Move, String)> = position
        .legal_moves()
        .into_iter()
        .map(|mv| (mv, notation::write_as(mv, dialect, position)))
        .filter(|(_, legal)| differs_in_one(legal, text))
        .take(MOST)
        .collect();
    if similar.is_empty() {
        return Words::new("对照原始记录改正", "correct it from the original record");
    }
    near.extend(similar.iter().map(|(mv, _)| mv.to_string()));
    let list: Vec<&str> = similar.iter().map(|(_, text)| text.as_str()).collect();
    Words::new(format!("可能是：{}", list.join("、")), format!("it may be: {}", list.join(", ")))
}

/// Whether `text`, blanks apart, is as long as `legal` and differs from it in one character at most. Variant
/// characters and digits of any kind are the same.
fn differs_in_one(legal: &str, text: &str) -> bool {
    let text: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    legal.chars().count() == text.len()
        && legal.chars().zip(&text).filter(|(a, b)| !same(*a, **b)).count() <= 1
}

/// Whether two characters of move texts stand for the same thing.
pub(super) fn same(a: char, b: char) -> bool {
    match (token(a), token(b)) {
        (Some(Token::Piece { kind: a, .. }), Some(Token::Piece { kind: b, .. })) => a == b,
        (Some(Token::Number { value: a, .. }), Some(Token::Number { value: b, .. })) => a == b,
        (Some(Token::Verb { verb: a, .. }), Some(Token::Verb { verb: b, .. })) => a == b,

        _ => a == b,
    }
}
