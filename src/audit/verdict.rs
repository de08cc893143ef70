//! What the result should be, and why (articles 4, 9, 21 to 24).
//!
//! The earliest event that decides beyond doubt decides the game; what may have decided it before, but for a doubt that
//! the sheets leave, is an alternative. Where nothing decides, what is recorded stands.

use std::borrow::Cow;

use crate::{
    board::Side,
    finding::{Code, Finding},
    record::Outcome,
    replay::{Game, Termination},
    rules::{
        Profile,
        arbiter::{Arbitration, Deciding},
        case::Case,
        limit::counts,
    },
};

use super::{Alternative, Verdict};

/// The verdict on `case`. `findings` are those of the rules, among them the rulings on repetitions; `recorded` are the
/// results of the sheets.
pub(super) fn of(
    case: &Case,
    arbitration: &Arbitration,
    findings: &[Finding],
    recorded: &[Outcome],
    profile: &Profile,
) -> Verdict {
    let mut events = arbitration.deciding.clone();
    events.extend(by_board(case));
    let ended = is_ended(case, &events);
    events.extend(by_ruling(case, findings, !ended));
    events.extend(by_limit(case, profile));
    // Words of the record give the end of the game that nothing before has ended.
    events.sort_by_key(|event| (event.ply, rank(event.reason)));
    let decided = events.iter().find(|event| event.certain).cloned();
    let (decided, open) = match decided {
        Some(decided) => (decided, Vec::new()),
        None => as_recorded(case, recorded),
    };
    let key = |event: &Deciding| (event.result, event.reason, event.both_lose);
    let mut alternatives: Vec<Alternative> = Vec::new();
    let doubtful = events.iter().filter(|event| !event.certain && event.ply <= decided.ply);
    for event in doubtful.chain(&open).filter(|event| key(event) != key(&decided)) {
        let other = alternative(event);
        if !alternatives
            .iter()
            .any(|known| (known.result, known.reason) == (other.result, other.reason))
        {
            alternatives.push(other);
        }
    }
    let Alternative { result, reason, ply, article } = alternative(&decided);
    Verdict { result, reason, ply, article, both_lose: decided.both_lose, alternatives }
}

/// The verdict where the start position is not understood: what is recorded.
pub(super) fn unknown(game: &Game) -> Verdict {
    Verdict {
        result: game.outcome,
        reason: game.termination,
        ply: 0,
        article: None,
        both_lose: false,
        alternatives: Vec::new(),
    }
}

fn alternative(event: &Deciding) -> Alternative {
    let article = Some(event.article.clone()).filter(|article| !article.is_empty()).map(Cow::Owned);
    Alternative { result: event.result, reason: event.reason, ply: event.ply, article }
}

/// Which of two events behind the same ply came first: what happens before the move is complete, then what the move does,
/// then what is said of the position, then what both agree on.
const fn rank(reason: Termination) -> u8 {
    match reason {
        Termination::Forfeit => 0,
        Termination::IllegalMove => 1,
        Termination::Time => 2,
        Termination::Checkmate | Termination::Stalemate => 3,
        Termination::Repetition => 4,
        Termination::NaturalLimit => 5,
        Termination::Foul => 6,
        Termination::Agreement => 7,
        Termination::Resignation => 8,
        Termination::Other | Termination::Unstated => 9,
    }
}

/// Mate or stalemate behind the last move (3.1, 3.2, 4.1.1, 4.1.3).
fn by_board(case: &Case) -> Option<Deciding> {
    let end = case.end().filter(|_| case.plies > 0)?;
    let loser = end.side();
    if end.general(loser).is_none() || end.has_legal_move() {
        return None;
    }
    let (reason, article) = match end.in_check(loser) {
        true => (Termination::Checkmate, "4.1.1"),
        false => (Termination::Stalemate, "4.1.3"),
    };
    Some(Deciding::lost(loser, case.plies, reason, article, true))
}

/// Whether the record says how the game ended, or the events do: a ruling that nobody has claimed (24) is then not what
/// ended it.
fn is_ended(case: &Case, events: &[Deciding]) -> bool {
    let stated = !matches!(
        case.termination,
        Termination::Unstated | Termination::Repetition | Termination::Other
    );
    stated || events.iter().any(|event| event.certain && event.ply == case.plies)
}

/// Rulings on repetitions (24) that nobody need have claimed: one at the end of the record `decides` where nothing else does;
/// one that play went on from may have.
fn by_ruling(case: &Case, findings: &[Finding], decides: bool) -> Vec<Deciding> {
    let rulings = findings.iter().filter(|finding| finding.code == Code::REPETITION_RULING);
    rulings
        .filter_map(|finding| {
            let at_end = finding.ply == case.plies;
            let article = finding.article.as_deref().unwrap_or_default();
            let reason = Termination::Repetition;
            let certain = at_end && decides;
            let lost = |side| Deciding::lost(side, finding.ply, reason, article, certain);
            match finding.data.get("verdict")?.as_str()? {
                "red_loses" => Some(lost(Side::Red)),
                "black_loses" => Some(lost(Side::Black)),
                "draw" if at_end => Some(Deciding::drawn(finding.ply, reason, article, certain)),
                _ => None,
            }
        })
        .collect()
}

/// 23.3: what nobody has claimed the arbiter may find.
fn by_limit(case: &Case, profile: &Profile) -> Option<Deciding> {
    let rules = &profile.natural_limit;
    if rules.rounds == 0
        || case.moves.len() < 2 * rules.rounds as usize
        || case.moves.len() as u32 != case.plies
    {
        return None;
    }
    let count = *counts(&case.start, &case.moves, rules).last()?;
    let reached = Side::ALL.into_iter().any(|side| count.is_true(side, rules));
    reached.then(|| Deciding::drawn(case.plies, Termination::NaturalLimit, "23.3", false))
}

/// What is recorded, where nothing decides; of sheets that disagree, each is an alternative.
fn as_recorded(case: &Case, recorded: &[Outcome]) -> (Deciding, Vec<Deciding>) {
    let article = match (case.termination, case.outcome) {
        (Termination::Checkmate, _) => "4.1.1",
        (Termination::Stalemate, _) => "4.1.3",
        (Termination::Resignation, _) => "4.1.9",
        (Termination::Agreement, _) => "4.2.2",
        (Termination::Time, _) => "4.1.4",
        (Termination::Repetition, Outcome::Draw) => "4.2.3",
        (Termination::Repetition, _) => "4.1.7",
        (Termination::NaturalLimit, _) => "4.2.4",
        (Termination::Foul, _) => "4.1.8",
        (Termination::Forfeit, _) => "4.1.5",
        (Termination::IllegalMove, _) => "4.1.6",
        (Termination::Other | Termination::Unstated, _) => "",
    };
    let stated = |result| Deciding {
        ply: case.plies,
        result,
        both_lose: false,
        reason: case.termination,
        article: article.to_owned(),
        certain: true,
    };
    let mut known: Vec<Outcome> =
        recorded.iter().copied().filter(|one| *one != Outcome::Unknown).collect();
    known.dedup();
    match known[..] {
        [] | [_] => (stated(known.first().copied().unwrap_or(case.outcome)), Vec::new()),
        _ => (
            Deciding {
                reason: Termination::Unstated,
                article: String::new(),
                ..stated(Outcome::Unknown)
            },
            known.into_iter().map(stated).collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        audit::{Audit, Options, Sheet, audit},
        finding::Binary,
        format::pgn,
    };

    use super::*;

    fn audited(text: &str) -> Audit {
        let mut found = None;
        pgn::read_str(text, &Binary, &mut |record| {
            let sheet = Sheet { source: "a.pgn", record: &record, locate: &Binary };
            found = Some(audit(&[sheet], &Options::default()).audit);
        });
        found.unwrap()
    }

    type Told<'a> = (&'a str, &'a str, u32, Option<&'a str>);

    fn verdict(text: &str) -> (String, String, u32, Option<String>, usize) {
        let verdict = audited(text).verdict;
        (
            verdict.result.as_str().into(),
            verdict.reason.as_str().into(),
            verdict.ply,
            verdict.article.map(Cow::into_owned),
            verdict.alternatives.len(),
        )
    }

    fn assert_verdict(text: &str, expected: Told<'_>, alternatives: usize) {
        let (result, reason, ply, article) = expected;
        let expected =
            (result.to_owned(), reason.to_owned(), ply, article.map(str::to_owned), alternatives);
        assert_eq!(verdict(text), expected, "{text}");
    }

    const MATE: &str = "[FEN \"4k4/R8/9/9/9/9/9/9/1R7/3K5 w - - 0 1\"]\n";

    #[test]
    fn the_board_decides() {
        assert_verdict(&format!("{MATE}\n1. b1b9 0-1"), ("1-0", "checkmate", 1, Some("4.1.1")), 0);
        // What was agreed before came first.
        let agreed = "1. h2e2 {[%offer draw] [%reply accept]} *";
        assert_verdict(agreed, ("1/2-1/2", "agreement", 1, Some("4.2.2")), 0);
    }

    #[test]
    fn what_is_recorded_stands_where_nothing_decides() {
        assert_verdict("1. h2e2 h9g7 1-0", ("1-0", "unstated", 2, None), 0);
        assert_verdict("1. h2e2 h9g7 {黑方认输} 1-0", ("1-0", "resignation", 2, Some("4.1.9")), 0);
        assert_verdict("1. h2e2 h9g7 *", ("*", "unstated", 2, None), 0);
    }

    // 22.5: a mate by a move that was made in time stands; if nobody knows when it was made, there are two verdicts.
    #[test]
    fn a_mate_and_the_flag() {
        let game = |times: &str| format!("{MATE}[TimeControl \"60\"]\n\n1. b1b9 {{{times}}} *");
        let mate = ("1-0", "checkmate", 1, Some("4.1.1"));
        assert_verdict(&game("[%emt 0:01:05] [%xmt 50]"), mate, 0);
        assert_verdict(&game("[%emt 0:01:05]"), mate, 1);
        assert_verdict(&game("[%emt 0:01:05] [%xmt 62]"), ("0-1", "time", 1, Some("4.1.4")), 0);
    }

    // 4.1.8, 4.1.9, 4.2.2: what the players did ends the game; a repetition that nobody claimed (24) is another possibility.
    #[test]
    fn a_repetition_that_nobody_claimed() {
        let idle = "1. h0i2 h9i7 2. i2h0 i7h9 3. h0i2 h9i7 4. i2h0 i7h9";
        let draw = ("1/2-1/2", "repetition", 8);
        let (result, reason, ply, ..) = verdict(&format!("{idle} 0-1"));
        assert_eq!((result.as_str(), reason.as_str(), ply), draw);
        let (result, reason, ply, ..) = verdict(&format!("{idle} {{[%claim red repetition]}} 0-1"));
        assert_eq!((result.as_str(), reason.as_str(), ply), draw);
        assert_verdict(
            &format!("{idle} {{[%resign red]}} 0-1"),
            ("0-1", "resignation", 8, Some("4.1.9")),
            1,
        );
        let fouls = format!("{idle} {{[%foul red 9.1.1] [%foul red 9.1.2] [%foul red 9.1.8]}} 0-1");
        assert_verdict(&fouls, ("0-1", "foul", 8, Some("4.1.8")), 1);
        // A chariot that checks for ever, and a draw agreed all the same.
        let check = "[FEN \"3k5/9/9/9/9/9/9/9/4R4/5K3 w - - 0 1\"]\n\n1. e1d1 d9e9 2. d1e1 e9d9 3. e1d1 d9e9 4. d1e1 e9d9 5. e1d1";
        let agreed = format!("{check} {{[%offer red draw] [%reply black accept]}} 1/2-1/2");
        assert_verdict(&agreed, ("1/2-1/2", "agreement", 9, Some("4.2.2")), 1);
    }

    // 23.3, 24: a claim that is not true decides nothing, whatever the result.
    #[test]
    fn a_false_claim_ends_no_game() {
        for claim in
            ["[%claim red natural-limit]", "提自然限着", "[%claim red repetition]", "提循环"]
        {
            let drawn = format!("1. h2e2 h9g7 {{{claim}}} 1/2-1/2");
            assert_verdict(&drawn, ("1/2-1/2", "unstated", 2, None), 0);
        }
    }

    // 4.1.6: an illegal last move loses; one that was played on from is a slip of the pen or has been let stand (5.8).
    #[test]
    fn illegal_moves() {
        assert_verdict("1. h2e2 h9h8 *", ("1-0", "illegal_move", 2, Some("4.1.6")), 0);
        let (result, reason, ..) = verdict("1. h2e2 h9h8 2. h0g2 1-0");
        assert_eq!((result.as_str(), reason.as_str()), ("1-0", "unstated"));
    }

    #[test]
    fn fouls_and_lateness() {
        let fouls = "1. h2e2 {[%foul black 9.1.1]} h9g7 {[%foul black 9.1.2]} 2. h0g2 {[%foul black 9.1.8]} i9h9 *";
        assert_verdict(fouls, ("1-0", "foul", 3, Some("4.1.8")), 0);
        let late = "[LateLimit \"900\"]\n[RedLate \"901\"]\n\n1. h2e2 *";
        assert_verdict(late, ("0-1", "forfeit", 0, Some("4.1.5")), 0);
        let both =
            audited("[LateLimit \"900\"]\n[RedLate \"901\"]\n[BlackLate \"902\"]\n\n *").verdict;
        assert!(both.both_lose && both.result == Outcome::Unknown);
        assert_eq!(both.article.as_deref(), Some("21.3"));
    }
}
