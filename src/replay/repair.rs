//! What would repair a record safely: the standard spelling of settled moves, round numbers where every move is
//! legal, results that the evidence settles. Nothing is changed here; the findings say what could be
//! ([`Finding::repair`](crate::finding::Finding::repair)).

use crate::{
    board::{Move, Position},
    finding::{Code, Edit, Finding, Span},
    notation::{
        self, Dialect, Notation, Reading,
        glyph::{Token, token},
    },
    record::{NodeId, Outcome, Start, Tree, standard_key},
};

use super::{Game, Scene, outcome};

/// Findings after which nobody knows whether a round number is wrong or moves are missing.
const DOUBTFUL: [Code; 6] = [
    Code::UNKNOWN_MOVE_TEXT,
    Code::AMBIGUOUS_MOVE,
    Code::ILLEGAL_MOVE,
    Code::MOVE_AFTER_END,
    Code::SIDE_TO_MOVE,
    Code::OMITTED_MOVES,
];

/// Completes the findings of a replayed game with what would repair them.
pub(super) fn propose(scene: &mut Scene<'_, '_>, game: &Game, main: &[NodeId]) {
    withdraw_unsettled(&mut scene.findings, game);
    let whole = game.start.is_some() && game.rest.is_none() && game.moves.len() == main.len();
    let doubtful = scene.findings.iter().any(|f| f.path.is_empty() && DOUBTFUL.contains(&f.code));
    if whole && !doubtful {
        numbers(scene, main);
        results(scene, game);
    }
}

/// Takes back the spelling of moves behind a place where several readings survive or an illegal move stood: there the
/// moves are the likeliest, not the only ones.
fn withdraw_unsettled(findings: &mut [Finding], game: &Game) {
    let mut doubts: Vec<(Vec<(u32, u32)>, u32)> = findings
        .iter()
        .filter(|finding| finding.code == Code::AMBIGUOUS_MOVE)
        .map(|finding| (finding.path.clone(), finding.ply))
        .collect();
    doubts.extend(game.rest.as_ref().map(|rest| (Vec::new(), rest.from_ply)));
    for finding in findings.iter_mut().filter(|f| f.code == Code::NONSTANDARD_NOTATION) {
        let behind = |(path, ply): &(Vec<(u32, u32)>, u32)| {
            let Some(further) = finding.path.strip_prefix(path.as_slice()) else { return false };
            match further.first() {
                Some((parts_at, _)) => parts_at > ply,
                None => finding.ply >= *ply,
            }
        };
        if doubts.iter().any(behind) {
            finding.repair.clear();
        }
    }
}

/// `text` in standard form with as few changes as can be: characters that mean the same as those of `standard` stay,
/// script and width of digits too. `None` where nothing is found that reads as `mv` and nothing else.
pub(super) fn spelling(
    text: &str,
    standard: &str,
    mv: Move,
    dialect: Dialect,
    position: &Position,
) -> Option<String> {
    let own = match notation::read_as(text, dialect, position) {
        Reading::Move { mv: read, .. } => read == mv,
        Reading::Ambiguous { moves, .. } => moves.contains(&mv),
        Reading::Illegal { .. } | Reading::Unknown { .. } => false,
    };
    if !own {
        return None;
    }
    let kept = (dialect.notation == Notation::Chinese).then(|| respelled(text, standard));
    let is_standard = |text: &String| {
        matches!(
            notation::read_as(text, dialect, position),
            Reading::Move { mv: read, deviations } if read == mv && deviations.is_empty()
        )
    };
    kept.into_iter().chain([standard.to_owned()]).find(|now| now != text && is_standard(now))
}

/// `standard` in the characters of `text` where those stand for the same, in its script elsewhere.
fn respelled(text: &str, standard: &str) -> String {
    let traditional = text.chars().any(|c| "車馬進後帥將俥傌硨".contains(c));
    let wide = text.chars().any(|c| ('１'..='９').contains(&c));
    let respell = |c: char| {
        let same = |other: &char| *other == c || token(*other) == token(c);
        text.chars().find(same).unwrap_or(match c {
            '进' if traditional => '進',
            '后' if traditional => '後',
            '车' if traditional => '車',
            '马' if traditional => '馬',
            '帅' if traditional => '帥',
            '将' if traditional => '將',
            '1'..='9' if wide => char::from_u32(c as u32 + 0xFEE0).unwrap_or(c),
            _ => c,
        })
    };
    let is_note = |c: &char| token(*c) == Some(Token::Note);
    let mut notes: Vec<char> = text.chars().rev().take_while(is_note).collect();
    notes.reverse();
    standard.chars().map(respell).chain(notes).collect()
}

/// Lets each `QJ204` say how the numbers from there on become right. The numbers of variations that have slipped with
/// the main line follow.
fn numbers(scene: &mut Scene<'_, '_>, main: &[NodeId]) {
    let is_slip = |finding: &Finding| finding.code == Code::MOVE_NUMBER && finding.path.is_empty();
    let Some(first) = scene.findings.iter().filter(|f| is_slip(f)).map(|f| f.ply).min() else {
        return;
    };
    // Whether the writer has counted the plies that a remark says to be missing is not known.
    if !scene.said_missing.is_empty() {
        return;
    }
    let tree = &scene.record.tree;
    let free = scene.record.start != Start::Standard;
    let written = |id: NodeId| tree.node(id).number.map(i64::from);
    let round = |ply: u32| i64::from(scene.clock.round(ply));
    let opening = (1..).zip(main).find_map(|(ply, id)| Some(written(*id)? - round(ply)));
    let base = if free { opening.unwrap_or(0) } else { 0 };
    // For each ply of the main line how far its number, or the last before it, has slipped.
    let mut slipped = Vec::with_capacity(main.len());
    let mut slip = 0;
    let mut edits: Vec<(u32, Edit)> = Vec::new();
    for (ply, id) in (1..).zip(main) {
        if let Some(number) = written(*id) {
            slip = number - base - round(ply);
        }
        slipped.push(slip);
    }
    let plies = plies(tree);
    let mut on_main = vec![false; plies.len()];
    main.iter().for_each(|id| on_main[id.index()] = true);
    for index in 1..plies.len() {
        let (Some(id), ply) = (tree.nth(index), plies[index]) else { continue };
        let Some(number) = written(id).filter(|_| ply >= first) else { continue };
        let slip = slipped.get(ply as usize - 1).or(slipped.last()).copied().unwrap_or(0);
        let expected = round(ply) + base;
        let (is_main, is_right) = (on_main[index], number == expected);
        let slipped_along = slip != 0 && number - slip == expected;
        if is_right || !(is_main || slipped_along) {
            continue;
        }
        match edit_of_number(tree, id, expected) {
            Some(edit) => edits.push((ply, edit)),
            None if is_main => return,
            None => {}
        }
    }
    // Every edit goes with the last slip before it; a slip back to the right number needs none of its own.
    let mut slips: Vec<&mut Finding> = scene.findings.iter_mut().filter(|f| is_slip(f)).collect();
    slips.sort_by_key(|finding| finding.ply);
    for (ply, edit) in edits {
        let behind = slips.partition_point(|finding| finding.ply <= ply);
        if let Some(finding) = slips.get_mut(behind.max(1) - 1) {
            finding.repair.push(edit);
        }
    }
    for finding in slips.iter_mut().filter(|finding| finding.repair.is_empty()) {
        let node = main.get(finding.ply as usize - 1).map(|id| tree.node(*id));
        let unchanged = node.and_then(|node| {
            Some(Edit::new(node.number_span, node.number?.to_string(), node.number?.to_string()))
        });
        finding.repair.extend(unchanged);
    }
}

/// The ply of each node by its index; 0 for the root.
fn plies(tree: &Tree<'_>) -> Vec<u32> {
    let mut plies = vec![0; tree.len() + 1];
    for index in 1..plies.len() {
        let parent = tree.nth(index).and_then(|id| tree.parent(id));
        plies[index] = parent.map_or(0, |parent| plies[parent.index()]) + 1;
    }
    plies
}

/// `expected` in the place of the number before `id`, in its width of digits; `None` where its place is not known.
fn edit_of_number(tree: &Tree<'_>, id: NodeId, expected: i64) -> Option<Edit> {
    let node = tree.node(id);
    let now = u32::try_from(expected).ok()?.to_string();
    (node.number_span != Span::default())
        .then(|| Edit::new(node.number_span, node.number.unwrap_or_default().to_string(), now))
}

/// Lets the findings about the result say what the evidence settles.
///
/// Where the board shows the end, every statement that agrees with it or says nothing is certain; one that says
/// otherwise is wrong only if another statement agrees with the board. Without an end on the board, an empty tag
/// follows the end marker.
fn results(scene: &mut Scene<'_, '_>, game: &Game) {
    let record = scene.record;
    let tags = record.tags.iter().filter(|tag| standard_key(&tag.name) == Some("result"));
    let mut stated: Vec<(Outcome, &str, Span)> = Vec::new();
    for tag in tags {
        let open = tag.value.trim().is_empty();
        let outcome = if open { Some(Outcome::Unknown) } else { Outcome::from_text(&tag.value) };
        // A text that is not understood may say anything.
        let Some(outcome) = outcome else { return };
        stated.push((outcome, tag.value.as_ref(), tag.span));
    }
    stated.extend(record.result.as_ref().map(|m| (m.outcome, m.text.as_ref(), m.span)));
    let settled = match outcome::winner_on_board(game) {
        Some(board) => {
            let says = |wanted: bool| {
                stated.iter().any(|(outcome, ..)| {
                    *outcome != Outcome::Unknown && (*outcome == board) == wanted
                })
            };
            (says(true) || !says(false)).then_some(board)
        }
        None => {
            let marker = record.result.as_ref().map(|marker| marker.outcome);
            let settled = marker.filter(|outcome| *outcome != Outcome::Unknown);
            settled.filter(|one| stated.iter().all(|(outcome, ..)| !outcome.contradicts(*one)))
        }
    };
    let Some(settled) = settled else { return };
    let edits: Vec<Edit> = stated
        .iter()
        .filter(|(outcome, ..)| *outcome != settled)
        .map(|(_, was, span)| Edit::new(*span, *was, settled.as_str()))
        .collect();
    let about_result = |finding: &&mut Finding| {
        matches!(
            finding.code,
            Code::RESULT_CONTRADICTS_BOARD | Code::RESULT_UNSTATED | Code::RESULT_HALF_STATED
        )
    };
    for finding in scene.findings.iter_mut().filter(about_result) {
        finding.repair.clone_from(&edits);
    }
}
