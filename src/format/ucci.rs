//! UCCI lists: `position fen … moves …`, a line a game, as engines read them.

use crate::{
    board::{Move, Position, Setup, Side},
    finding::Span,
    record::{NodeId, Record, Start, Written},
};

use super::{Loss, Part};

/// Writes the start position and the main line of `record`, one line with its line break. `moves` are the moves that its
/// plies were played as, by [`NodeId::index`]; a ply without one is written by its own squares, if it has them.
///
/// Nothing else has room in such a line: every tag, comment, variation, mark and result is returned, and whatever
/// follows a ply that is not known. Without a start position that is understood the line is empty.
///
/// ```
/// use qijian::{finding::Binary, format::{ubb, ucci}};
///
/// ubb::read_str("77477062", &Binary, &mut |record| {
///     let (line, losses) = ucci::write(&record, &[]);
///     assert!(line.ends_with("/RNBAKABNR w - - 0 1 moves h2e2 h9g7\n"));
///     assert!(losses.is_empty());
/// });
/// ```
pub fn write(record: &Record<'_>, moves: &[Option<Move>]) -> (String, Vec<Loss>) {
    let mut losses = Vec::new();
    let mut lose =
        |part, node, span, text: String| losses.push(Loss::dropped(part, node, span, text));
    let tags = record.tags.iter().filter(|tag| !tag.value.trim().is_empty());
    for tag in tags.filter(|tag| !tag.name.eq_ignore_ascii_case("fen")) {
        lose(Part::Tag, NodeId::ROOT, tag.span, format!("{}: {}", tag.name, tag.value));
    }
    let tree = &record.tree;
    let mut line: Vec<(NodeId, Move)> = Vec::new();
    for id in tree.main_line() {
        let Some(mv) = played(record, moves, id) else { break };
        line.push((id, mv));
    }
    let start = start(record, line.first().map(|(_, mv)| *mv));
    if start.is_none() {
        line.clear();
        let span = match &record.start {
            Start::Fen { span, .. } | Start::Board { span, .. } => *span,
            Start::Standard => Span::default(),
        };
        lose(Part::Start, NodeId::ROOT, span, String::new());
    }
    let mut is_written = vec![false; tree.len() + 1];
    for (id, _) in &line {
        is_written[id.index()] = true;
    }
    for id in (1..=tree.len()).filter_map(|index| tree.nth(index)) {
        let node = tree.node(id);
        if !is_written[id.index()] {
            lose(Part::Move, id, node.span, text(&node.written));
        } else if !node.marks.is_empty() {
            lose(Part::Marks, id, node.span, node.marks.to_owned());
        }
    }
    for (written, span) in &record.after_end {
        lose(Part::Move, NodeId::ROOT, *span, text(written));
    }
    for comment in tree.comments.iter().filter(|comment| !comment.text.trim().is_empty()) {
        lose(Part::Comment, comment.node, comment.span, comment.text.to_string());
    }
    if let Some(marker) = &record.result {
        lose(Part::Result, NodeId::ROOT, marker.span, marker.text.to_string());
    }
    let Some(start) = start else { return (String::new(), losses) };
    let mut out = format!("position fen {}", start.fen());
    for (index, (_, mv)) in line.iter().enumerate() {
        out.push_str(if index == 0 { " moves " } else { " " });
        out.push_str(&mv.to_string());
    }
    out.push('\n');
    (out, losses)
}

/// The start position; where no side is stated, the first move tells it.
fn start(record: &Record<'_>, first: Option<Move>) -> Option<Position> {
    let setup = match &record.start {
        Start::Standard => Setup::start(),
        Start::Board { setup, .. } => (**setup).clone(),
        Start::Fen { text, .. } => Setup::from_fen(text).ok()?,
    };
    let mover = first.and_then(|mv| setup.squares[mv.from.index()]).map(|piece| piece.side);
    let side = mover.or(setup.side).unwrap_or(Side::Red);
    Some(Position::from_setup(&setup, side))
}

fn played(record: &Record<'_>, moves: &[Option<Move>], id: NodeId) -> Option<Move> {
    if let Some(Some(mv)) = moves.get(id.index()) {
        return Some(*mv);
    }
    match record.tree.node(id).written {
        Written::Squares { from: Some(from), to: Some(to), .. } => Some(Move { from, to }),
        _ => None,
    }
}

fn text(written: &Written<'_>) -> String {
    match written {
        Written::Text(text) => (*text).to_owned(),
        Written::Squares { from: Some(from), to: Some(to), .. } => format!("{from}{to}"),
        Written::Squares { raw: [from, to], .. } => format!("{from:02X} {to:02X}"),
        Written::Omitted => "……".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{finding::Binary, format::pgn, replay};

    #[test]
    fn the_main_line_and_what_is_lost() {
        let text = "[Red \"甲\"]\n\n1. 炮二平五 {当头} 马8进7! (炮8平5) 2. …… 车9平8 1-0";
        pgn::read_str(text, &Binary, &mut |record| {
            let options = replay::Options { tree: true, ..replay::Options::default() };
            let game = replay::replay(&record, &Binary, &options);
            let (line, losses) = write(&record, &game.played);
            let start = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";
            assert_eq!(line, format!("position fen {start} moves h2e2 h9g7\n"));
            let parts: Vec<&str> = losses.iter().map(|loss| loss.part.as_str()).collect();
            assert_eq!(parts, ["tag", "marks", "move", "move", "move", "comment", "result"]);
        });
    }

    #[test]
    fn black_begins_where_the_first_move_is_black_s() {
        let text = "[FEN \"4k4/9/9/9/9/9/9/9/9/3K5 w\"]\n1. ... 将5平6 *";
        pgn::read_str(text, &Binary, &mut |record| {
            let options = replay::Options { tree: true, ..replay::Options::default() };
            let game = replay::replay(&record, &Binary, &options);
            let (line, _) = write(&record, &game.played);
            assert_eq!(line, "position fen 4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1 moves e9f9\n");
        });
        pgn::read_str("[FEN \"x\"]\n1. ... 将5平6 *", &Binary, &mut |record| {
            let (line, losses) = write(&record, &[]);
            assert_eq!((line.as_str(), losses[0].part), ("", Part::Start));
        });
    }
}
