//! What the result should be.

use crate::{
    board::Side,
    finding::{Code, Finding},
    record::Outcome,
    replay::{Game, Termination},
};

use super::Verdict;

/// The verdict on `game`: the board first, then a repetition that decides, then what is recorded.
pub(super) fn of(game: &Game, findings: &[Finding]) -> Verdict {
    let plies = u32::try_from(game.moves.len()).unwrap_or(u32::MAX);
    let verdict = |result, reason, ply, article: Option<&'static str>| Verdict {
        result,
        reason,
        ply,
        article: article.map(Into::into),
        alternatives: Vec::new(),
    };
    let ended = game.end.as_ref().filter(|end| {
        !game.moves.is_empty() && end.general(end.side()).is_some() && !end.has_legal_move()
    });
    if let Some(end) = ended {
        let winner = match end.side().other() {
            Side::Red => Outcome::RedWins,
            Side::Black => Outcome::BlackWins,
        };
        return match end.in_check(end.side()) {
            true => verdict(winner, Termination::Checkmate, plies, Some("4.1.1")),
            false => verdict(winner, Termination::Stalemate, plies, Some("4.1.3")),
        };
    }
    let ruled = findings
        .iter()
        .filter(|finding| finding.code == Code::REPETITION_RULING && finding.ply == plies)
        .find_map(|finding| {
            let result = match finding.data.get("verdict")?.as_str()? {
                "red_loses" => Outcome::BlackWins,
                "black_loses" => Outcome::RedWins,
                "draw" => Outcome::Draw,
                _ => return None,
            };
            let mut ruled = verdict(result, Termination::Repetition, finding.ply, None);
            ruled.article = finding.article.clone();
            Some(ruled)
        });
    ruled.unwrap_or_else(|| verdict(game.outcome, game.termination, plies, None))
}
