//! The moves of a replayed record in another notation, each on the position where it was played.

use crate::{
    board::{Move, Position},
    finding::{Code, Finding, Locate, Words},
    notation::{self, Dialect, Notation, Reading},
    record::{NodeId, Record, Tree},
};

use super::{Clock, Game, line};

/// How many moves that the notation cannot tell are reported one by one in a game.
const REPORTED: usize = 100;

/// The texts of a game in one notation.
#[derive(Clone, Default, Debug)]
pub struct Rewritten {
    /// The text of each ply by [`NodeId::index`]; `None` where it was not played, so that it has to stay as written.
    pub texts: Vec<Option<String>>,
    /// The same of the moves behind the end marker.
    pub after_end: Vec<Option<String>>,
    /// `QJ206` for each move that the notation cannot tell from another.
    pub findings: Vec<Finding>,
}

/// Writes every move of `record` that `game`, its replay, has played, variations and moves played as they stood
/// included. The replay must have been made with [`Options::tree`](super::Options::tree).
///
/// Each text is read back on the position where it was played. One that is not read as that very move is replaced by
/// the least ambiguous text there is, Chinese or coordinates, and reported (`QJ206`, R04).
///
/// ```
/// use qijian::{finding::Binary, format::pgn, notation::Notation, replay};
///
/// pgn::read_str("1. 炮二平五 马8进7 (1... 炮8平5) *", &Binary, &mut |record| {
///     let options = replay::Options { tree: true, ..replay::Options::default() };
///     let game = replay::replay(&record, &Binary, &options);
///     let wxf = replay::rewrite(&record, &game, Notation::Wxf.into(), &Binary);
///     let texts: Vec<&str> = wxf.texts.iter().flatten().map(String::as_str).collect();
///     assert_eq!(texts, ["C2=5", "H8+7", "C8=5"]);
/// });
/// ```
pub fn rewrite(
    record: &Record<'_>,
    game: &Game,
    dialect: Dialect,
    locate: &dyn Locate,
) -> Rewritten {
    let mut rewritten = Rewritten {
        texts: vec![None; record.tree.len() + 1],
        after_end: vec![None; record.after_end.len()],
        findings: Vec::new(),
    };
    let Some(start) = &game.start else { return rewritten };
    let clock = Clock { first: start.side(), round: start.round() };
    let mut unclear: Vec<(NodeId, u32, String)> = Vec::new();
    let mut more = 0_usize;
    walk(&record.tree, game, start, &mut |id, ply, mv, position| {
        let (text, exact) = write(mv, dialect, position);
        if !exact && unclear.len() < REPORTED {
            unclear.push((id, ply, text.clone()));
        } else if !exact {
            more += 1;
        }
        rewritten.texts[id.index()] = Some(text);
    });
    rewritten.findings = unclear
        .into_iter()
        .map(|(id, ply, text)| {
            let node = record.tree.node(id);
            let mut finding = ambiguous(dialect.notation, text)
                .at(locate.place(node.span))
                .ply(ply, clock.round(ply), clock.side(ply))
                .text(node.written.text());
            finding.path = record.tree.branch(id).0;
            finding
        })
        .collect();
    if let Some(last) = rewritten.findings.last_mut().filter(|_| more > 0) {
        last.data.insert("more".to_owned(), more.into());
    }
    behind_the_end(record, game, dialect, &mut rewritten.after_end);
    rewritten
}

/// Calls `visit` for each node that was played, with its ply, its move and the position before it.
///
/// A line is followed to its end while the alternatives met on the way wait on a stack, one position for each place
/// where lines part: no recursion, and no more memory than the tree itself.
fn walk(
    tree: &Tree<'_>,
    game: &Game,
    start: &Position,
    visit: &mut dyn FnMut(NodeId, u32, Move, &Position),
) {
    let mut waiting: Vec<(NodeId, u32, Position)> = Vec::new();
    waiting.extend(tree.first_child(NodeId::ROOT).map(|first| (first, 1, start.clone())));
    while let Some((first, ply, mut position)) = waiting.pop() {
        let (mut next, mut ply) = (Some(first), ply);
        while let Some(id) = next {
            waiting.extend(tree.next_sibling(id).map(|other| (other, ply, position.clone())));
            // Nothing that follows an unplayed ply was played.
            let Some(mv) = game.played.get(id.index()).copied().flatten() else { break };
            visit(id, ply, mv, &position);
            position.play(mv);
            (next, ply) = (tree.first_child(id), ply.saturating_add(1));
        }
    }
}

/// The text of `mv`, and whether it is of `dialect` and reads back as `mv`.
fn write(mv: Move, dialect: Dialect, position: &Position) -> (String, bool) {
    let text = notation::write_as(mv, dialect, position);
    if is_read_as(&text, dialect, position) == Some(mv) {
        return (text, true);
    }
    let plain = [Notation::Chinese, Notation::Iccs].into_iter().find_map(|plain| {
        let text = notation::write(mv, plain, position);
        let other = is_read_as(&text, dialect, position).is_some_and(|read| read != mv);
        (!other && is_read_as(&text, plain.into(), position) == Some(mv)).then_some(text)
    });
    (plain.unwrap_or_else(|| mv.to_string()), false)
}

/// The one move that `text` is read as, legal or not.
fn is_read_as(text: &str, dialect: Dialect, position: &Position) -> Option<Move> {
    match notation::read_as(text, dialect, position) {
        Reading::Move { mv, .. } => Some(mv),
        Reading::Illegal { mv, .. } => mv,
        Reading::Ambiguous { .. } | Reading::Unknown { .. } => None,
    }
}

/// Writes the moves behind the end marker as far as they can be played from the end of the main line.
fn behind_the_end(
    record: &Record<'_>,
    game: &Game,
    dialect: Dialect,
    texts: &mut [Option<String>],
) {
    let whole = game.moves.len() == record.tree.main_line().count();
    let Some(mut position) = game.end.clone().filter(|_| whole) else { return };
    for ((written, _), text) in record.after_end.iter().zip(texts) {
        let read = line::read(written, game.dialect, &position);
        let Reading::Move { mv, .. } = read.reading else { break };
        *text = Some(write(mv, dialect, &position).0);
        position.play(mv);
    }
}

fn ambiguous(notation: Notation, text: String) -> Finding {
    let name = notation.as_str();
    Finding::new(
        Code::TARGET_AMBIGUOUS,
        Words::new(
            format!("用 {name} 写不能与别的着法区别，改写作 {text}"),
            format!("{name} cannot tell this move from another; written as {text}"),
        ),
    )
    .help(Words::new(
        "另用一种记谱法，坐标（iccs）总能区别",
        "use another notation; coordinates (iccs) always tell",
    ))
    .with("notation", name)
    .with("written", text)
}

#[cfg(test)]
mod tests {
    use crate::{
        finding::Binary,
        format::pgn,
        record::Written,
        replay::{Options, replay},
    };

    use super::*;

    fn rewritten(text: &str, notation: Notation) -> Rewritten {
        let mut found = None;
        pgn::read_str(text, &Binary, &mut |record| {
            let game = replay(&record, &Binary, &Options { tree: true, ..Options::default() });
            found = Some(rewrite(&record, &game, notation.into(), &Binary));
        });
        found.expect("one game")
    }

    fn texts(text: &str, notation: Notation) -> Vec<String> {
        rewritten(text, notation).texts.into_iter().flatten().collect()
    }

    /// R04: two cannons on the file, the front one moves; 前 must not get lost.
    #[test]
    fn the_front_cannon_is_told_from_the_rear_one() {
        let front = "1. h2e2 h9g7 2. b2b4 i9h9 3. b4e4 h9h8 4. e4e5 *";
        let chinese = texts(front, Notation::Chinese);
        assert_eq!(chinese[6], "前炮进一");
        assert_eq!(texts(front, Notation::Wxf)[6], "C++1");
    }

    /// Every node has its own position: a variation of ply 3 does not see ply 3 of the main line.
    #[test]
    fn variations_are_written_on_their_own_positions() {
        let text = "1. 炮二平五 马8进7 2. 炮八平六 (2. 炮八平七 (2. 马二进三) 车9平8) 车9平8 *";
        let iccs = texts(text, Notation::Iccs);
        assert_eq!(iccs, ["h2e2", "h9g7", "b2d2", "b2c2", "h0g2", "i9h9", "i9h9"]);
    }

    /// What stands behind an illegal move stays as written, and so does what was left out.
    #[test]
    fn what_was_not_played_has_no_text() {
        let broken = rewritten("1. 炮二平五 马8进7 2. 马二进四 车9平8 *", Notation::Wxf);
        assert_eq!(broken.texts.iter().filter(|text| text.is_some()).count(), 2);
        let gap = rewritten("1. 炮二平五 …… 2. 马二进三 *", Notation::Wxf);
        assert_eq!(gap.texts.iter().filter(|text| text.is_some()).count(), 1);
    }

    /// Both players overlook the check of the cannon (samples/overlooked-check.pgn): the moves were played all the same.
    #[test]
    fn moves_played_as_they_stood_are_written() {
        let text = "1. 炮二平五 炮8平5 2. 炮五进四 马8进7 3. 马二进三 *";
        let out = rewritten(text, Notation::Iccs);
        let iccs: Vec<String> = out.texts.into_iter().flatten().collect();
        assert_eq!(iccs, ["h2e2", "h7e7", "e2e6", "h9g7", "h0g2"]);
        assert!(out.findings.is_empty());
    }

    #[test]
    fn moves_behind_the_end_are_written_as_far_as_they_go() {
        let out = rewritten("1. 炮二平五 马8进7 1-0 马二进三 兵五平六 车9平8", Notation::Iccs);
        assert_eq!(out.after_end, [Some("h0g2".to_owned()), None, None]);
    }

    /// Four cannons on a file (impossible, but files have such boards): the letters of WXF have front and rear only.
    #[test]
    fn a_move_that_the_notation_cannot_tell_is_written_otherwise_and_reported() {
        let fen = "3k5/9/4C4/4C4/4C4/4C4/9/9/9/4K4 w - - 0 1";
        let text = format!("[FEN \"{fen}\"]\n\n1. e5d5 *");
        let out = rewritten(&text, Notation::Wxf);
        assert_eq!(out.texts[1].as_deref(), Some("三炮平六"));
        assert_eq!(out.findings.len(), 1);
        assert_eq!(out.findings[0].code, Code::TARGET_AMBIGUOUS);
        assert_eq!((out.findings[0].ply, out.findings[0].text.as_deref()), (1, Some("e5d5")));
        for notation in [Notation::Chinese, Notation::Iccs] {
            assert!(rewritten(&text, notation).findings.is_empty());
        }
    }

    #[test]
    fn a_branch_has_its_path_and_ply() {
        pgn::read_str("1. h2e2 h9g7 (1... b9c7 2. h0g2) *", &Binary, &mut |record| {
            let last = record.tree.nth(4).expect("four plies");
            assert_eq!(record.tree.branch(last), (vec![(2, 1)], 3));
            assert_eq!(record.tree.branch(NodeId::ROOT), (Vec::new(), 0));
            assert_eq!(record.tree.node(last).written, Written::Text("h0g2"));
        });
    }
}
