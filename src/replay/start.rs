//! Where a game starts and who moves first.

use std::sync::LazyLock;

use crate::{
    board::{FenError, Piece, Position, Setup, SetupFault, Side},
    finding::{Code, Finding, Locate, Place, Severity, Span, Words},
    notation::{Deviation, Deviations, Dialect, Reading},
    record::{NodeId, Record, Start},
};

use super::line;

/// What most records say of their start, which has no fault.
static START: LazyLock<Setup> = LazyLock::new(Setup::start);

/// The start position of `record`, or `None` if what is written is not understood. Reports what is wrong with it.
///
/// The side to move is the field's, else Red (article 2.1, R004), unless the written moves speak for the other side
/// ([`plays_first`]): many files have a wrong side, or none.
pub(super) fn settle(
    record: &Record<'_>,
    locate: &dyn Locate,
    dialect: Option<Dialect>,
    main: &[NodeId],
    findings: &mut Vec<Finding>,
) -> Option<Position> {
    findings.extend(other_game(record, locate));
    let (setup, span) = match &record.start {
        Start::Standard => return Some(Position::start()),
        Start::Board { setup, span } => ((**setup).clone(), *span),
        Start::Fen { text, span } => match Setup::from_fen_board(text) {
            Ok((setup, fault)) => {
                findings.extend(fault.map(|fault| counters(text, &fault, locate, *span)));
                (setup, *span)
            }
            Err(error) => {
                findings.push(unreadable(text, error.at, error.what, locate, *span));
                return None;
            }
        },
    };
    let stated = setup.side.unwrap_or(Side::Red);
    let side = if plays_first(stated.other(), &setup, record, dialect, main) {
        stated.other()
    } else {
        stated
    };
    if side != stated && setup.side.is_some() {
        findings.push(wrong_side(side, &locate.place(span)));
    }
    let position = Position::from_setup(&setup, side);
    if setup.squares == START.squares {
        return Some(position);
    }
    let faults = setup.faults(side);
    if !faults.is_empty() {
        findings.push(impossible(&faults, &position, locate.place(span)));
    }
    Some(position)
}

/// Names of xiangqi in the tags `Variant` and `Game`, in lower case without blanks.
const XIANGQI: [&str; 12] = [
    "xiangqi",
    "chinesechess",
    "cchess",
    "chinese-chess",
    "象棋",
    "中国象棋",
    "中國象棋",
    "standard",
    "normal",
    "xq",
    "elephantchess",
    "cờtướng",
];

/// A tag that names another game than xiangqi (R15, R26).
fn other_game(record: &Record<'_>, locate: &dyn Locate) -> Option<Finding> {
    let named = |key: &str| record.tag(key).filter(|tag| names_another(&tag.value));
    let tag = named("variant").or_else(|| named("game"))?;
    let name = tag.value.trim();
    let finding = Finding::new(
        Code::OTHER_GAME,
        Words::new(
            format!("标签 {} 写的是“{name}”，不是象棋；仍按象棋规则复盘", tag.name),
            format!("the tag {} names {name}, not xiangqi; it is replayed as xiangqi", tag.name),
        ),
    );
    let help = Words::new(
        "若确是别的棋种，本程序的判断不适用；若是象棋，改正标签",
        "if it is another game, what follows does not apply; if it is xiangqi, correct the tag",
    );
    Some(finding.at(locate.place(tag.span)).text(tag.value.as_ref()).help(help))
}

/// Whether `value` names a game, and not xiangqi. Numbers and marks name none.
fn names_another(value: &str) -> bool {
    let folded: String =
        value.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    folded.chars().any(char::is_alphabetic) && !XIANGQI.contains(&folded.as_str())
}

/// How well a text suits a side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// The side cannot play it.
    Not,
    /// It can, but digits or a piece name are the other side's.
    Foreign,
    /// It can.
    Well,
}

/// Whether `other`, which is not the side that the record states, plays the first written move.
///
/// It does if the move suits it and is impossible for the stated side. Where digits or piece names are the only sign,
/// one text does not outweigh a field that is written: the next ply must suit the opponent of `other`, signs included.
fn plays_first(
    other: Side,
    setup: &Setup,
    record: &Record<'_>,
    dialect: Option<Dialect>,
    main: &[NodeId],
) -> bool {
    let Some(first) = main.first() else { return false };
    // In the start position Red is to move whatever the record says: a first move of Black there means that Red's is
    // missing, unless the format has no field that could say more.
    let standard = setup.squares == START.squares;
    if standard && other == Side::Black && setup.side.is_some() {
        return false;
    }
    let fit = |id: NodeId, position: &Position| {
        let written = &record.tree.node(id).written;
        match line::read(written, dialect, position).reading {
            Reading::Move { mv, deviations } => (fit(deviations), Some(mv)),
            Reading::Ambiguous { moves, deviations } => (fit(deviations), moves.first().copied()),
            Reading::Illegal { .. } | Reading::Unknown { .. } => (Fit::Not, None),
        }
    };
    let (stated_fit, _) = fit(*first, &Position::from_setup(setup, other.other()));
    let mut position = Position::from_setup(setup, other);
    let (other_fit, mv) = fit(*first, &position);
    if other_fit <= stated_fit {
        return false;
    }
    if setup.side.is_none() || (stated_fit == Fit::Not && other_fit == Fit::Well) {
        return true;
    }
    let (Some(mv), Some(second)) = (mv, main.get(1)) else { return false };
    position.play(mv);
    fit(*second, &position).0 == Fit::Well
}

fn fit(deviations: Deviations) -> Fit {
    let foreign = [Deviation::Digits, Deviation::Glyph];
    if foreign.iter().any(|sign| deviations.contains(*sign)) { Fit::Foreign } else { Fit::Well }
}

fn unreadable(text: &str, at: usize, what: &str, locate: &dyn Locate, mut span: Span) -> Finding {
    span.start = span.start.saturating_add(at as u32).min(span.end);
    let read = text.get(..at).map_or(at, |read| read.chars().count());
    Finding::new(
        Code::UNREADABLE_POSITION,
        Words::new(
            format!("起始局面（FEN）第 {} 个字符处读不下去，着法无从复盘", read + 1),
            format!("the start position (FEN) is not understood: {what}"),
        ),
    )
    .at(locate.place(span))
    .text(text)
    .help(Words::new("改正 FEN，共十行，每行九格", "correct the FEN: ten ranks of nine files each"))
    .with("at", at)
}

/// The board is understood, a field behind it is not.
fn counters(text: &str, fault: &FenError, locate: &dyn Locate, mut span: Span) -> Finding {
    span.start = span.start.saturating_add(fault.at as u32).min(span.end);
    let field = text.get(fault.at..).and_then(|rest| rest.split_whitespace().next());
    let field = field.unwrap_or_default();
    Finding::new(
        Code::POSITION_COUNTERS,
        Words::new(
            format!("起始局面（FEN）的棋盘读得懂，其后“{field}”不懂，按没有写处理"),
            format!(
                "the board of the FEN is understood, {field:?} behind it is not: {}",
                fault.what
            ),
        ),
    )
    .at(locate.place(span))
    .text(field)
    .help(Words::new(
        "棋盘之后依次是 w 或 b、-、-、无吃子着数、回合数",
        "behind the board stand w or b, -, -, plies since the last capture, round",
    ))
    .with("at", fault.at)
}

fn wrong_side(first: Side, place: &Place) -> Finding {
    let (zh, en) = match first {
        Side::Red => ("红", "Red"),
        Side::Black => ("黑", "Black"),
    };
    Finding::new(
        Code::SIDE_TO_MOVE,
        Words::new(
            format!("首着是{zh}方走的，与所记先行方不符"),
            format!("the first move is {en}'s, the record says otherwise"),
        ),
    )
    .at(place.clone())
    .help(Words::new(format!("把先行方改为{zh}方"), format!("change the side to move to {en}")))
    .with("first", first.as_str())
}

fn impossible(faults: &[SetupFault], position: &Position, place: Place) -> Finding {
    let told: Vec<Words> = faults.iter().map(fault_words).collect();
    let join = |words: Vec<&str>, comma: &str| words.join(comma);
    let zh = join(told.iter().map(|words| words.zh.as_ref()).collect(), "；");
    let en = join(told.iter().map(|words| words.en.as_ref()).collect(), "; ");
    let names: Vec<&str> = faults.iter().map(fault_name).collect();
    let mut finding = Finding::new(
        Code::IMPOSSIBLE_POSITION,
        Words::new(
            format!("起始局面不可能出现：{zh}"),
            format!("the start position cannot arise: {en}"),
        ),
    )
    .severity(Severity::Error)
    .at(place)
    .help(Words::new(
        "核对起始局面；着法仍按所记局面复盘",
        "check the start position; the moves are replayed from it as it stands",
    ))
    .with("faults", names);
    finding.board = Some(position.fen());
    finding
}

fn fault_name(fault: &SetupFault) -> &'static str {
    match fault {
        SetupFault::NoGeneral(_) => "no_general",
        SetupFault::ManyGenerals(_) => "many_generals",
        SetupFault::TooMany(_) => "too_many",
        SetupFault::Misplaced(..) => "misplaced",
        SetupFault::OpponentInCheck(_) => "opponent_in_check",
        SetupFault::GeneralsFacing => "generals_facing",
    }
}

fn fault_words(fault: &SetupFault) -> Words {
    let zh = |side: &Side| if *side == Side::Red { "红方" } else { "黑方" };
    let en = |side: &Side| if *side == Side::Red { "Red" } else { "Black" };
    let general = |side: &Side| Piece { side: *side, kind: crate::board::Kind::General }.glyph();
    match fault {
        SetupFault::NoGeneral(side) => Words::new(
            format!("{}无{}", zh(side), general(side)),
            format!("{} has no general", en(side)),
        ),
        SetupFault::ManyGenerals(side) => Words::new(
            format!("{}不止一个{}", zh(side), general(side)),
            format!("{} has more than one general", en(side)),
        ),
        SetupFault::TooMany(piece) => Words::new(
            format!("{}的{}过多", zh(&piece.side), piece.glyph()),
            format!("{} has more pieces {} than the set", en(&piece.side), piece.letter()),
        ),
        SetupFault::Misplaced(piece, square) => Words::new(
            format!("{}{}不可能在 {square}", zh(&piece.side), piece.glyph()),
            format!("{}'s {} can never stand on {square}", en(&piece.side), piece.letter()),
        ),
        SetupFault::OpponentInCheck(side) => Words::new(
            format!("{}已被将军而轮到对方走", zh(side)),
            format!("{} stands in check and the other side is to move", en(side)),
        ),
        SetupFault::GeneralsFacing => Words::new("将帅照面", "the generals face each other"),
    }
}
