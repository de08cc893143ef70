//! How the game ended: the recorded result, the board, and whether they agree (`QJ401` to `QJ403`).

use crate::{
    board::{Position, Side},
    finding::{Code, Finding, Words},
    record::{Marker, NodeId, Outcome, Tag, standard_key},
};

use super::{Game, Scene};

/// How a game ended: facts of the board first, then the words of the record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Termination {
    /// 将死
    Checkmate,
    /// 困毙
    Stalemate,
    /// 认输
    Resignation,
    /// 议和
    Agreement,
    /// 超时
    Time,
    /// 循环, 棋例
    Repetition,
    /// 自然限着
    NaturalLimit,
    /// 犯规
    Foul,
    /// 弃权, 迟到
    Forfeit,
    /// 违例
    IllegalMove,
    /// Stated in words that are none of these.
    Other,
    /// Not stated.
    Unstated,
}

impl Termination {
    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Termination::Checkmate => "checkmate",
            Termination::Stalemate => "stalemate",
            Termination::Resignation => "resignation",
            Termination::Agreement => "agreement",
            Termination::Time => "time",
            Termination::Repetition => "repetition",
            Termination::NaturalLimit => "natural_limit",
            Termination::Foul => "foul",
            Termination::Forfeit => "forfeit",
            Termination::IllegalMove => "illegal_move",
            Termination::Other => "other",
            Termination::Unstated => "unstated",
        }
    }

    /// What the remarks behind the last move say of a game with this result, [`Termination::Unstated`] if nothing.
    pub(super) fn of_remarks<'r>(
        mut remarks: impl Iterator<Item = &'r str>,
        outcome: Outcome,
    ) -> Termination {
        // A long remark speaks of many things, a short one of the end.
        const SHORT: usize = 30;
        let said = remarks.find_map(|text| {
            (text.chars().count() <= SHORT)
                .then(|| Termination::from_words(text, outcome))
                .flatten()
        });
        said.unwrap_or(Termination::Unstated)
    }

    /// What the words of a record say, `None` if they speak of no end. A draw that was offered has been agreed on where the
    /// game is drawn; whether a claim is true the rules say.
    fn from_words(text: &str, outcome: Outcome) -> Option<Termination> {
        // Most results are `1-0`: no words, nothing to search.
        if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_alphabetic()) {
            return None;
        }
        // What would have happened is no end: 若走车一平二，黑方认负.
        if ["若", "如果", "假如", "倘", "要是"].iter().any(|word| text.contains(word)) {
            return None;
        }
        let text = text.to_lowercase();
        if text == Termination::Time.as_str() {
            return Some(Termination::Time);
        }
        let says = |word: &&str| {
            text.match_indices(word).any(|(at, _)| {
                let before = &text[..at];
                let is_entry = command(&text, at).is_some_and(|command| {
                    ["claim", "foul"].iter().any(|name| command.starts_with(name))
                });
                let is_offer = *word == OFFER && (outcome != Outcome::Draw || is_refused(&text));
                let is_entry = is_entry || FOULS.contains(word) && is_one(&text[at + word.len()..]);
                !is_denied(before) && !is_claimed(before) && !is_entry && !is_offer
            })
        };
        WORDS.iter().find(|(_, words)| words.iter().any(says)).map(|(end, _)| *end)
    }
}

/// An offer of a draw (23.1): no agreement by itself.
const OFFER: &str = "提和";

/// A foul, which ends the game where it is not entered as one among others.
const FOULS: [&str; 3] = ["犯规", "犯規", "foul"];

/// Whether what follows the word for a foul is its article or says that it was the first: 犯规 9.1.1, 犯规一次.
fn is_one(behind: &str) -> bool {
    let behind = behind.trim_start_matches([' ', '　', '：', ':', '第']);
    behind.starts_with(|c: char| c.is_ascii_digit()) || behind.starts_with("一次")
}

/// The words that name an end of the game, those that need the least context first.
const WORDS: [(Termination, &[&str]); 8] = [
    (
        Termination::NaturalLimit,
        &[
            "自然限着",
            "自然限著",
            "限着作和",
            "回合无吃子",
            "回合不吃子",
            "natural limit",
            "natural_limit",
            "natural-limit",
        ],
    ),
    (
        Termination::Time,
        &["超时", "超時", "超時判負", "时间到", "time forfeit", "on time", "timeout"],
    ),
    (
        Termination::Repetition,
        &[
            "长将",
            "長將",
            "长捉",
            "長捉",
            "长打",
            "循环",
            "循環",
            "不变作和",
            "棋例",
            "repetition",
            "perpetual",
        ],
    ),
    (Termination::Foul, &FOULS),
    (Termination::Forfeit, &["弃权", "棄權", "缺席", "迟到", "遲到", "forfeit", "no show"]),
    (Termination::IllegalMove, &["违例", "違例", "illegal move", "illegal_move"]),
    (Termination::Resignation, &["认输", "認輸", "认负", "認負", "投子", "推枰", "resign"]),
    (Termination::Agreement, &["议和", "議和", OFFER, "同意和", "双方和", "agreement", "agreed"]),
];

/// Whether what follows `before` is denied: 没有超时, 不认输, but not 不得不认输.
fn is_denied(before: &str) -> bool {
    const DENIED: [&str; 12] = [
        "没有", "沒有", "没", "未", "不", "不肯", "不愿", "拒绝", "拒絕", "not ", "n't ", "never ",
    ];
    !before.ends_with("不得不") && DENIED.iter().any(|word| before.ends_with(word))
}

/// Whether an offer is refused in the same words: 提和，黑方不同意.
fn is_refused(text: &str) -> bool {
    const REFUSED: [&str; 8] = ["不同意", "未同意", "拒", "不应", "不應", "未应", "不允", "未允"];
    REFUSED.iter().any(|word| text.contains(word))
}

/// Whether what follows `before` is only claimed: 提自然限着.
fn is_claimed(before: &str) -> bool {
    const CLAIMED: [&str; 6] = ["提", "提出", "要求", "请求", "申请", "claims "];
    CLAIMED.iter().any(|word| before.ends_with(word))
}

/// The command (CONTRACT section 6) that the word at `at` is part of, and what follows it.
fn command(text: &str, at: usize) -> Option<&str> {
    let start = text[..at].rfind("[%")?;
    (!text[start..at].contains(']')).then_some(&text[start + 2..])
}

impl Scene<'_, '_> {
    /// Whether a game may have ended with `end` on the board: a mate or stalemate does not contradict the recorded
    /// result.
    pub(super) fn fits_result(&self, end: &Position) -> bool {
        end.has_legal_move() || !won_by(end.side().other()).contradicts(self.stated())
    }

    /// The result that the record states.
    pub(super) fn stated(&self) -> Outcome {
        let marker = self.record.result.as_ref().map(|marker| marker.outcome);
        let tag = || self.record.tag("result").and_then(|tag| Outcome::from_text(&tag.value));
        marker.or_else(tag).unwrap_or(Outcome::Unknown)
    }
}

/// The outcome in which `side` wins.
pub(super) const fn won_by(side: Side) -> Outcome {
    match side {
        Side::Red => Outcome::RedWins,
        Side::Black => Outcome::BlackWins,
    }
}

/// Settles result and termination of `game`, and reports what contradicts them.
pub(super) fn judge(scene: &mut Scene<'_, '_>, game: &mut Game) {
    let tag = scene.record.tag("result").map(|tag| Marker {
        text: tag.value.clone(),
        outcome: Outcome::from_text(&tag.value).unwrap_or(Outcome::Unknown),
        span: tag.span,
    });
    let written = tag.clone();
    let tag = tag.filter(|tag| !tag.text.trim().is_empty());
    if let Some(tag) = tag.as_ref().filter(|tag| Outcome::from_text(&tag.text).is_none()) {
        let finding = Finding::new(
            Code::UNKNOWN_RESULT,
            Words::new("结果标签的文字不识", "the result tag is not understood"),
        )
        .at(scene.locate.place(tag.span))
        .text(tag.text.as_ref())
        .help(Words::new("写作 1-0、0-1、1/2-1/2 或 *", "write 1-0, 0-1, 1/2-1/2 or *"));
        scene.findings.push(finding);
    }
    if let Some(tag) = &tag {
        let mut others = scene.record.tags.iter().filter(|other| {
            let outcome = || Outcome::from_text(&other.value);
            standard_key(&other.name) == Some("result")
                && outcome().is_some_and(|outcome| outcome.contradicts(tag.outcome))
        });
        if let Some(other) = others.next() {
            scene.findings.push(two_tags(tag, other, scene));
        }
    }
    let marker = scene.record.result.clone();
    if let (Some(tag), Some(marker)) = (&tag, &marker)
        && tag.outcome.contradicts(marker.outcome)
    {
        scene.findings.push(disagreement(tag, marker, scene));
    }
    // An empty tag says as much as `*`.
    if let (Some(tag), Some(marker)) = (&written, &marker)
        && (tag.outcome == Outcome::Unknown) != (marker.outcome == Outcome::Unknown)
        && (tag.text.trim().is_empty() || Outcome::from_text(&tag.text).is_some())
    {
        scene.findings.push(half_stated(tag, marker, scene));
    }
    let stated = marker.or(tag);
    game.outcome = stated.as_ref().map_or(Outcome::Unknown, |stated| stated.outcome);
    game.termination = match board_end(game) {
        Some((end, winner)) => {
            compare(scene, game, end, winner, stated.as_ref());
            end
        }
        None => words_end(scene, game.outcome),
    };
}

/// Mate or stalemate at the end of the main line, with the winner. A stalemated side has lost (articles 3.1, 3.2,
/// R007 to R011).
pub(super) fn board_end(game: &Game) -> Option<(Termination, Side)> {
    let position = game.end.as_ref()?;
    let side = position.side();
    // Without a general there is no mate; without a move played, a position is a diagram, not a game's end.
    if position.general(side).is_none() || position.has_legal_move() {
        return None;
    }
    let end = if position.in_check(side) { Termination::Checkmate } else { Termination::Stalemate };
    Some((end, side.other()))
}

/// The result that the board shows at the end of the main line, where it shows an end.
pub(super) fn winner_on_board(game: &Game) -> Option<Outcome> {
    let played = !game.moves.is_empty();
    board_end(game).filter(|_| played).map(|(_, winner)| won_by(winner))
}

fn words_end(scene: &Scene<'_, '_>, outcome: Outcome) -> Termination {
    let record = scene.record;
    let last = record.tree.main_line().last().unwrap_or(NodeId::ROOT);
    let tag = record
        .tag("termination")
        .map(|tag| tag.value.as_ref())
        .filter(|value| !value.trim().is_empty());
    if let Some(value) = tag {
        // The values that the PGN standard lists and that name no word of ours.
        return match value.trim().to_ascii_lowercase().as_str() {
            "normal" | "unterminated" | "?" => Termination::Unstated,
            "checkmate" | "将死" | "將死" => Termination::Checkmate,
            "stalemate" | "困毙" | "困斃" => Termination::Stalemate,
            "rules infraction" => Termination::Foul,
            _ => Termination::from_words(value, outcome).unwrap_or(Termination::Other),
        };
    }
    let result = record.tag("result").map(|tag| tag.value.as_ref());
    let marker = record.result.as_ref().map(|marker| marker.text.as_ref());
    let comments = record.tree.comments.iter().filter(|comment| comment.node == last);
    let mut stated = result.into_iter().chain(marker);
    let said = stated.find_map(|text| Termination::from_words(text, outcome));
    let remarks = comments.map(|comment| comment.text.as_ref());
    said.unwrap_or_else(|| Termination::of_remarks(remarks, outcome))
}

/// The board has decided: does the record agree?
fn compare(
    scene: &mut Scene<'_, '_>,
    game: &Game,
    end: Termination,
    winner: Side,
    stated: Option<&Marker<'_>>,
) {
    let board = won_by(winner);
    let (mate, en) = match end {
        Termination::Checkmate => ("将死", "checkmate"),
        _ => ("困毙", "stalemate, which loses"),
    };
    let zh = match winner {
        Side::Red => "红胜",
        Side::Black => "黑胜",
    };
    let Some(stated) = stated else { return };
    let finding = if board.contradicts(stated.outcome) {
        Finding::new(
            Code::RESULT_CONTRADICTS_BOARD,
            Words::new(
                format!("终局是{mate}，应为{zh}，记作“{}”", stated.text),
                format!(
                    "the board shows {en}: {}; the record says {}",
                    board.as_str(),
                    stated.text
                ),
            ),
        )
    } else if stated.outcome == Outcome::Unknown && !game.moves.is_empty() {
        Finding::new(
            Code::RESULT_UNSTATED,
            Words::new(
                format!("终局是{mate}，{zh}，结果未记"),
                format!("the board shows {en}: {}; the record leaves it open", board.as_str()),
            ),
        )
    } else {
        return;
    };
    let ply = game.moves.len() as u32;
    let place = scene.locate.place(stated.span);
    let mut finding = finding
        .at(place)
        .text(stated.text.as_ref())
        .help(Words::new(
            format!("结果改为 {}", board.as_str()),
            format!("change the result to {}", board.as_str()),
        ))
        .with("kind", "board")
        .with("board", end.as_str())
        .with("expected", board.as_str())
        .with("recorded", stated.outcome.as_str());
    if ply > 0 {
        finding = finding.ply(ply, scene.clock.round(ply), scene.clock.side(ply));
    }
    finding.article = Some(if end == Termination::Checkmate { "4.1.1" } else { "4.1.3" }.into());
    finding.board = game.end.as_ref().map(Position::fen);
    scene.findings.push(finding);
}

fn two_tags(first: &Marker<'_>, other: &Tag<'_>, scene: &Scene<'_, '_>) -> Finding {
    let outcome = Outcome::from_text(&other.value).unwrap_or(Outcome::Unknown);
    Finding::new(
        Code::RESULT_CONTRADICTS_BOARD,
        Words::new(
            format!("两个结果标签“{}”与“{}”不一致", first.text, other.value),
            format!("two result tags disagree: {} and {}", first.text, other.value),
        ),
    )
    .at(scene.locate.place(other.span))
    .text(other.value.as_ref())
    .help(Words::new("查明胜负，改正其一", "find out which is right and correct the other"))
    .with("kind", "record")
    .with("tag", outcome.as_str())
    .with("recorded", first.outcome.as_str())
}

/// One of tag and end marker gives a result, the other leaves it open (R48).
fn half_stated(tag: &Marker<'_>, marker: &Marker<'_>, scene: &Scene<'_, '_>) -> Finding {
    Finding::new(
        Code::RESULT_HALF_STATED,
        Words::new(
            format!("结果标签为“{}”，局末为“{}”，一处未记", tag.text, marker.text),
            format!(
                "the result tag says {}, the end of the game {}: one of them leaves it open",
                tag.text, marker.text
            ),
        ),
    )
    .at(scene.locate.place(tag.span))
    .text(tag.text.as_ref())
    .help(Words::new("两处写成一样", "make them the same"))
    .with("tag", tag.outcome.as_str())
    .with("recorded", marker.outcome.as_str())
}

fn disagreement(tag: &Marker<'_>, marker: &Marker<'_>, scene: &Scene<'_, '_>) -> Finding {
    Finding::new(
        Code::RESULT_CONTRADICTS_BOARD,
        Words::new(
            format!("结果标签“{}”与局末“{}”不一致", tag.text, marker.text),
            format!("the result tag says {}, the end of the game says {}", tag.text, marker.text),
        ),
    )
    .at(scene.locate.place(tag.span))
    .text(tag.text.as_ref())
    .help(Words::new("查明胜负，改正其一", "find out which is right and correct the other"))
    .with("kind", "record")
    .with("tag", tag.outcome.as_str())
    .with("recorded", marker.outcome.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By the plain sense of the words.
    #[test]
    fn words_mean_what_they_say() {
        use Termination::{Agreement, Foul, NaturalLimit, Repetition, Resignation, Time, Unstated};
        let said = |text, outcome| Termination::of_remarks([text].into_iter(), outcome);
        for (text, outcome, end) in [
            ("红方认输", Outcome::BlackWins, Resignation),
            ("不得不认输", Outcome::BlackWins, Resignation),
            ("红方不认输", Outcome::Unknown, Unstated),
            ("并未超时", Outcome::Unknown, Unstated),
            ("没有超时，黑方超时", Outcome::RedWins, Time),
            ("did not resign", Outcome::Unknown, Unstated),
            ("双方议和", Outcome::Draw, Agreement),
            ("不同意和棋", Outcome::RedWins, Unstated),
            ("自然限着作和", Outcome::Draw, NaturalLimit),
            // An offer ends a game only if it is drawn; claims may be false, in words or as commands.
            ("黑方提和", Outcome::RedWins, Unstated),
            ("黑方提和", Outcome::Draw, Agreement),
            ("提自然限着", Outcome::Draw, Unstated),
            ("[%claim red natural-limit]", Outcome::Draw, Unstated),
            ("提循环", Outcome::RedWins, Unstated),
            ("[%claim repetition]", Outcome::RedWins, Unstated),
            ("长将不变", Outcome::RedWins, Repetition),
            // An entry of the ledger ends nothing by itself.
            ("[%foul red 9.1.5]", Outcome::Draw, Unstated),
            ("红方提和，黑方不同意", Outcome::Draw, Unstated),
            ("若红走车一平二，黑方认负", Outcome::RedWins, Unstated),
            ("红方若走马二进三，则黑方认输", Outcome::BlackWins, Unstated),
            ("犯规 9.1.1", Outcome::RedWins, Unstated),
            ("黑方犯规一次", Outcome::RedWins, Unstated),
            ("黑方犯规判负", Outcome::RedWins, Foul),
            ("黑方三次犯规", Outcome::RedWins, Foul),
            ("[%resign]", Outcome::Unknown, Resignation),
        ] {
            assert_eq!(said(text, outcome), end, "{text} {outcome:?}");
        }
    }
}
