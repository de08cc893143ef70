//! Variations: the branches other than the main line, replayed from the positions of the main line.

use crate::{
    board::{Move, Position},
    finding::{Code, Finding, Words},
    record::{NodeId, Tree},
};

use super::{Scene, gap};

/// Replays every variation that hangs on the main line as far as `on_board` goes, and the variations in them.
/// Returns how many plies could be played.
pub(super) fn replay(
    scene: &mut Scene<'_, '_>,
    start: &Position,
    main: &[NodeId],
    on_board: &[Move],
) -> usize {
    if scene.record.tree.variations() == 0 {
        return 0;
    }
    let mut replayed = 0;
    let mut position = start.clone();
    // The ply that failed may have alternatives too, so one more than the plies played.
    for (index, id) in main.iter().enumerate().take(on_board.len() + 1) {
        replayed += branches(scene, *id, index as u32, &position);
        if let Some(mv) = on_board.get(index) {
            position.play(*mv);
        }
    }
    replayed
}

/// How deep variations are replayed, counted in variations that each stand in the one before. People write ten at
/// most; every finding tells its whole path, so that a thousand in each other would take a million branches to tell.
const DEEPEST: usize = 200;

/// A variation that waits.
struct Waiting {
    /// Its first ply.
    first: NodeId,
    /// How many plies come before it.
    before: u32,
    /// The position there.
    start: Position,
    /// How many variations it stands in.
    depth: usize,
}

/// Replays the alternatives to `node` and all variations within them. Depth costs memory on the heap, not stack.
fn branches(scene: &mut Scene<'_, '_>, node: NodeId, before: u32, position: &Position) -> usize {
    let mut replayed = 0;
    let mut waiting: Vec<Waiting> = Vec::new();
    push_alternatives(&scene.record.tree, node, before, position, 0, &mut waiting);
    while let Some(Waiting { first, before, start, depth }) = waiting.pop() {
        if depth == DEEPEST {
            report_too_deep(scene, first, before + 1);
            continue;
        }
        let tree = &scene.record.tree;
        let line: Vec<NodeId> =
            std::iter::successors(Some(first), |id| tree.first_child(*id)).collect();
        let mut end = start.clone();
        let played = scene.play_line(&line, before, &mut end);
        replayed += played.moves.len();
        if let Some(stop) = &played.stop {
            gap::further(scene, &line, before, stop.index);
        }
        let mut position = start;
        for (index, mv) in played.moves.iter().enumerate() {
            position.play(*mv);
            if let Some(next) = line.get(index + 1) {
                let before = before + index as u32 + 1;
                let tree = &scene.record.tree;
                push_alternatives(tree, *next, before, &position, depth + 1, &mut waiting);
            }
        }
    }
    replayed
}

/// Puts the younger siblings of `node` on the heap.
fn push_alternatives(
    tree: &Tree<'_>,
    node: NodeId,
    before: u32,
    position: &Position,
    depth: usize,
    waiting: &mut Vec<Waiting>,
) {
    let mut next = tree.next_sibling(node);
    while let Some(id) = next {
        waiting.push(Waiting { first: id, before, start: position.clone(), depth });
        next = tree.next_sibling(id);
    }
}

fn report_too_deep(scene: &mut Scene<'_, '_>, first: NodeId, ply: u32) {
    let finding = Finding::new(
        Code::BAD_SYNTAX,
        Words::new(
            format!("变着套变着超过 {DEEPEST} 层，此处起不复盘"),
            format!(
                "variations stand in each other more than {DEEPEST} deep; not replayed from here"
            ),
        ),
    );
    scene.path = None;
    let finding = scene.place_at(finding, first, ply).text(scene.text_of(first));
    scene.tell(finding);
}
