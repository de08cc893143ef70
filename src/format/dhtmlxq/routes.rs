//! Variations: routes that leave other routes, put together to one tree.

use std::collections::HashMap;

use crate::{
    board::Square,
    finding::Span,
    record::{NodeId, Tree, Written},
};

/// A list of moves: the main line, or a variation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Route<'t> {
    /// The number by which others refer to it; the main line is 0.
    pub(super) id: u32,
    /// The route that it leaves.
    pub(super) parent: u32,
    /// The ply of the game that it replaces, from 1.
    pub(super) ply: u32,
    /// Four digits a move.
    pub(super) value: &'t str,
    /// Where the value stands.
    pub(super) at: usize,
}

/// What is wrong with a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fault {
    /// The route that it leaves does not exist, or is not so long.
    Unplaced,
    /// Characters that make no move.
    Digits,
}

/// A growing tree that finds the ply of a line without walking along it.
pub(super) struct Branches<'t> {
    pub(super) tree: Tree<'t>,
    /// For each node its ply, and an ancestor some way up: a walk by these takes a logarithm of steps.
    up: Vec<(u32, NodeId)>,
    /// The last node of each route.
    last: HashMap<u32, NodeId>,
    /// What is wrong, with the place.
    pub(super) faults: Vec<(Fault, Span)>,
}

impl<'t> Branches<'t> {
    pub(super) fn new() -> Self {
        Branches {
            tree: Tree::new(),
            up: vec![(0, NodeId::ROOT)],
            last: HashMap::new(),
            faults: Vec::new(),
        }
    }

    /// Adds a ply after `parent`.
    pub(super) fn add(&mut self, parent: NodeId, written: Written<'t>, span: Span) -> NodeId {
        let id = self.tree.add(parent, written, span);
        let (depth, jump) = self.up[parent.index()];
        let (jump_depth, jump_jump) = self.up[jump.index()];
        let even = depth - jump_depth == jump_depth - self.up[jump_jump.index()].0;
        self.up.push((depth + 1, if even { jump_jump } else { parent }));
        id
    }

    /// The node at `ply` on the way to `node`; `None` if that lies further on.
    fn ancestor(&self, node: NodeId, ply: u32) -> Option<NodeId> {
        let mut at = node;
        while self.up[at.index()].0 > ply {
            let (_, jump) = self.up[at.index()];
            at = if self.up[jump.index()].0 >= ply { jump } else { self.tree.parent(at)? };
        }
        (self.up[at.index()].0 == ply).then_some(at)
    }

    /// The node at `ply` of route `id`; `Err` with the nearest one if there is none.
    pub(super) fn find(&self, id: u32, ply: u32) -> Result<NodeId, NodeId> {
        let last = *self.last.get(&id).ok_or(NodeId::ROOT)?;
        self.ancestor(last, ply).ok_or(last)
    }

    /// Names the last node of the main line, for trees that are not made of routes.
    pub(super) fn set_main(&mut self, last: NodeId) {
        self.last.insert(0, last);
    }

    /// Puts `routes` together, in whatever order they refer to each other; the first is the main line. `flip` tells
    /// ranks counted from the bottom.
    pub(super) fn join(&mut self, routes: &[Route<'t>], flip: bool) {
        let mut children: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, route) in routes.iter().enumerate().skip(1) {
            children.entry(route.parent).or_default().push(index);
        }
        let mut placed = vec![false; routes.len()];
        let mut queue = vec![0];
        let mut next = 0;
        while let Some(&index) = queue.get(next) {
            next += 1;
            let Some(route) = routes.get(index) else { continue };
            let base = match index {
                0 => Some(NodeId::ROOT),
                _ => route.ply.checked_sub(1).and_then(|ply| self.find(route.parent, ply).ok()),
            };
            let Some(base) = base else { continue };
            placed[index] = true;
            let last = self.moves(base, route, flip);
            if self.last.contains_key(&route.id) {
                continue;
            }
            self.last.insert(route.id, last);
            queue.extend(children.remove(&route.id).unwrap_or_default());
        }
        for (route, _) in routes.iter().zip(&placed).filter(|(_, placed)| !**placed) {
            let span = Span::new(route.at, route.at + route.value.len());
            self.faults.push((Fault::Unplaced, span));
        }
    }

    /// Adds the moves of `route` after `base`; returns the last.
    fn moves(&mut self, base: NodeId, route: &Route<'t>, flip: bool) -> NodeId {
        let mut node = base;
        let (moves, odd) = moves(route.value);
        for found in moves {
            let span = Span::new(route.at + found.start, route.at + found.end);
            node = self.add(node, squares(found.digits, flip), span);
        }
        if let Some((start, end)) = odd {
            self.faults.push((Fault::Digits, Span::new(route.at + start, route.at + end)));
        }
        node
    }
}

/// Four digits in a text.
pub(in crate::format) struct Digits {
    pub(in crate::format) digits: [u8; 4],
    pub(in crate::format) start: usize,
    pub(in crate::format) end: usize,
}

/// The moves of `value`, four digits each, with whatever else than letters between them, and where the first thing
/// stands that makes no move: a letter, or digits that are not four.
pub(in crate::format) fn moves(value: &str) -> (Vec<Digits>, Option<(usize, usize)>) {
    let mut moves = Vec::with_capacity(value.len() / 4);
    let mut odd = None;
    let mut digits = [0; 4];
    let (mut count, mut start, mut last) = (0, 0, 0);
    for (at, c) in value.char_indices() {
        let end = at + c.len_utf8();
        match c.to_digit(10).and_then(|digit| u8::try_from(digit).ok()) {
            Some(digit) => {
                if count == 0 {
                    start = at;
                }
                (digits[count], last) = (digit, end);
                count += 1;
                if count == 4 {
                    moves.push(Digits { digits, start, end });
                    count = 0;
                }
            }
            None if c.is_alphanumeric() => {
                odd = odd.or(Some((if count > 0 { start } else { at }, end)));
                count = 0;
            }
            None => {}
        }
    }
    if count > 0 {
        odd = odd.or(Some((start, last)));
    }
    (moves, odd)
}

/// The move of four digits: files from Red's left, ranks from the top, or from the bottom with `flip`. The raw bytes
/// show the digits in hexadecimal.
pub(in crate::format) fn squares(digits: [u8; 4], flip: bool) -> Written<'static> {
    let [x1, y1, x2, y2] = digits;
    let square = |x, y| Square::new(x, if flip { y } else { 9 - y });
    Written::Squares { from: square(x1, y1), to: square(x2, y2), raw: [x1 << 4 | y1, x2 << 4 | y2] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(id: u32, parent: u32, ply: u32, value: &str) -> Route<'_> {
        Route { id, parent, ply, value, at: 0 }
    }

    fn raw(tree: &Tree<'_>, id: NodeId) -> String {
        match tree.node(id).written {
            Written::Squares { raw: [a, b], .. } => format!("{a:02X}{b:02X}"),
            _ => unreachable!("all are squares"),
        }
    }

    #[test]
    fn routes_in_any_order() {
        let routes = [
            route(0, 0, 1, "77477062 2625"),
            // Leaves route 1 before route 1 itself leaves the main line.
            route(3, 2, 1, "1747"),
            route(2, 1, 4, "0919"),
            route(1, 0, 3, "89790919"),
            route(9, 8, 1, "7747"),
        ];
        let mut branches = Branches::new();
        branches.join(&routes, false);
        let tree = &branches.tree;
        let first: Vec<String> = tree.children(NodeId::ROOT).map(|id| raw(tree, id)).collect();
        assert_eq!(first, ["7747", "1747"]);
        let second = tree.main_line().nth(1).unwrap();
        let third: Vec<String> = tree.children(second).map(|id| raw(tree, id)).collect();
        assert_eq!(third, ["2625", "8979"]);
        let varied = branches.find(1, 3).unwrap();
        let fourth: Vec<String> = tree.children(varied).map(|id| raw(tree, id)).collect();
        assert_eq!(fourth, ["0919", "0919"]);
        assert_eq!(branches.faults, [(Fault::Unplaced, Span::new(0, 4))]);
        assert_eq!(branches.find(1, 2), Ok(second));
        assert_eq!(branches.find(7, 0), Err(NodeId::ROOT));
    }

    #[test]
    fn circles_and_odd_digits_are_told() {
        let routes = [route(0, 0, 1, "7747706"), route(1, 2, 1, "1747"), route(2, 1, 1, "1747")];
        let mut branches = Branches::new();
        branches.join(&routes, false);
        assert_eq!(branches.tree.len(), 1);
        let faults: Vec<Fault> = branches.faults.iter().map(|(fault, _)| *fault).collect();
        assert_eq!(faults, [Fault::Digits, Fault::Unplaced, Fault::Unplaced]);
    }

    #[test]
    fn ancestors_of_a_long_line() {
        let value = "7747".repeat(1000);
        let mut branches = Branches::new();
        branches.join(&[route(0, 0, 1, &value)], false);
        for ply in 0..=1000 {
            let id = branches.find(0, ply).unwrap();
            assert_eq!(id.index(), ply as usize);
        }
        assert!(branches.find(0, 1001).is_err());
    }

    // A variation on each ply of the variation before it: every look-up walks the whole way but for the jumps.
    #[test]
    fn deep_references_are_cheap() {
        let routes: Vec<Route<'_>> = (0..60_000)
            .map(|n: u32| match n {
                0 => route(0, 0, 1, "7747"),
                1..30_000 => route(n, n - 1, n + 1, "7747"),
                _ => route(n, 29_999, 3, "7747"),
            })
            .collect();
        let mut branches = Branches::new();
        branches.join(&routes, false);
        assert_eq!(branches.tree.len(), 60_000);
        assert!(branches.faults.is_empty());
    }

    #[test]
    fn squares_count_from_the_top_or_the_bottom() {
        let h2e2 = [Square::new(7, 2), Square::new(4, 2)];
        for (digits, flip) in [([7, 7, 4, 7], false), ([7, 2, 4, 2], true)] {
            let Written::Squares { from, to, .. } = squares(digits, flip) else { unreachable!() };
            assert_eq!([from, to], h2e2);
        }
        let Written::Squares { from, raw, .. } = squares([9, 9, 4, 7], false) else {
            unreachable!()
        };
        assert_eq!((from, raw), (None, [0x99, 0x47]));
    }
}
