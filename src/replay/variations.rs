//! Variations: the branches other than the main line, replayed from the positions of the main line.

use crate::{
    board::{Move, Position},
    record::{NodeId, Tree},
};

use super::Scene;

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

/// A variation that waits: its first ply, how many plies come before it, and the position there.
type Waiting = (NodeId, u32, Position);

/// Replays the alternatives to `node` and all variations within them. Depth costs memory on the heap, not stack.
fn branches(scene: &mut Scene<'_, '_>, node: NodeId, before: u32, position: &Position) -> usize {
    let mut replayed = 0;
    let mut waiting: Vec<Waiting> = Vec::new();
    push_alternatives(&scene.record.tree, node, before, position, &mut waiting);
    while let Some((first, before, start)) = waiting.pop() {
        let tree = &scene.record.tree;
        let line: Vec<NodeId> =
            std::iter::successors(Some(first), |id| tree.first_child(*id)).collect();
        let mut end = start.clone();
        let played = scene.play_line(&line, before, &mut end);
        replayed += played.moves.len();
        let mut position = start;
        for (index, mv) in played.moves.iter().enumerate() {
            position.play(*mv);
            if let Some(next) = line.get(index + 1) {
                let before = before + index as u32 + 1;
                push_alternatives(&scene.record.tree, *next, before, &position, &mut waiting);
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
    waiting: &mut Vec<Waiting>,
) {
    let mut next = tree.next_sibling(node);
    while let Some(id) = next {
        waiting.push((id, before, position.clone()));
        next = tree.next_sibling(id);
    }
}

/// The branches taken from the start to `id`: `(ply, index)` for each ply that is not the first continuation.
pub(super) fn path_of(tree: &Tree<'_>, id: NodeId) -> Vec<(u32, u32)> {
    let line: Vec<NodeId> = std::iter::successors(Some(id), |id| tree.parent(*id)).collect();
    let mut path = Vec::new();
    for (ply, pair) in line.windows(2).rev().enumerate() {
        let (id, parent) = (pair[0], pair[1]);
        let index = tree.children(parent).position(|child| child == id).unwrap_or(0);
        if index > 0 {
            path.push((ply as u32 + 1, index as u32));
        }
    }
    path
}
