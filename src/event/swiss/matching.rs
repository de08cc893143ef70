//! The heaviest matching of a graph: Edmonds' blossoms with dual values, in time cubic in the number of vertices.
//!
//! The method needs only an ordered group, so weights that are compared lexicographically work as numbers do. Nothing
//! recurses: blossoms nest as deep as the graph is large.

use std::collections::VecDeque;

use super::weight::Weight;

/// Nobody, no edge.
const NONE: usize = usize::MAX;

/// What a vertex or blossom is in the forest that is being grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Label {
    /// Not in the forest.
    Free,
    /// An even number of steps from a root.
    Outer,
    /// An odd number.
    Inner,
}

/// Growing forests over the contracted graph. Vertices are `0..n`, blossoms `n..2n`.
struct Search<'a> {
    n: usize,
    weights: &'a [Option<Weight>],
    /// Dual values, doubled so that they stay whole.
    dual: Vec<Weight>,
    /// The edge in the graph that joins two vertices or blossoms best, as its two ends.
    edge: Vec<(usize, usize)>,
    /// The vertex at the far end of the matching edge.
    mate: Vec<usize>,
    /// The outermost blossom around a vertex or blossom; `NONE` for a blossom not in use.
    top: Vec<usize>,
    label: Vec<Label>,
    /// The vertex outside through which the forest reached it.
    parent: Vec<usize>,
    /// The outer vertex with the least slack to it.
    nearest: Vec<usize>,
    /// The ring of a blossom, its base first.
    ring: Vec<Vec<usize>>,
    /// The member of a blossom's ring that holds a vertex.
    member: Vec<usize>,
    visited: Vec<u32>,
    visit: u32,
    queue: VecDeque<usize>,
}

/// The heaviest matching of the graph with `n` vertices whose edge i–j weighs `weights[i * n + j]` (symmetric; `None`
/// where there is no edge; weights above zero). Gives each vertex its partner.
pub(super) fn heaviest(n: usize, weights: &[Option<Weight>]) -> Vec<Option<usize>> {
    let most = weights.iter().flatten().max().copied().unwrap_or(Weight::ZERO);
    let all = 2 * n;
    let mut search = Search {
        n,
        weights,
        dual: vec![most; all],
        edge: vec![(NONE, NONE); all * all],
        mate: vec![NONE; all],
        top: (0..all).map(|one| if one < n { one } else { NONE }).collect(),
        label: vec![Label::Free; all],
        parent: vec![NONE; all],
        nearest: vec![NONE; all],
        ring: vec![Vec::new(); all],
        member: vec![NONE; all * n],
        visited: vec![0; all],
        visit: 0,
        queue: VecDeque::new(),
    };
    for u in 0..n {
        search.member[u * n + u] = u;
        for v in 0..n {
            if weights[u * n + v].is_some() {
                search.edge[u * all + v] = (u, v);
            }
        }
    }
    while search.grow() {}
    (0..n).map(|u| Some(search.mate[u]).filter(|mate| *mate != NONE)).collect()
}

impl Search<'_> {
    fn edge(&self, a: usize, b: usize) -> (usize, usize) {
        self.edge[a * 2 * self.n + b]
    }

    fn set_edge(&mut self, a: usize, b: usize, edge: (usize, usize)) {
        self.edge[a * 2 * self.n + b] = edge;
    }

    /// How far an edge is from being tight.
    fn slack(&self, (u, v): (usize, usize)) -> Weight {
        let weight = self.weights[u * self.n + v].unwrap_or(Weight::ZERO);
        self.dual[u] + self.dual[v] - weight - weight
    }

    /// Vertices and blossoms in use that are in no other.
    fn tops(&self) -> impl Iterator<Item = usize> + '_ {
        (0..2 * self.n).filter(|one| self.top[*one] == *one)
    }

    fn offer_nearest(&mut self, u: usize, x: usize) {
        let known = self.nearest[x];
        if known == NONE || self.slack(self.edge(u, x)) < self.slack(self.edge(known, x)) {
            self.nearest[x] = u;
        }
    }

    fn find_nearest(&mut self, x: usize) {
        self.nearest[x] = NONE;
        for u in 0..self.n {
            let outside = self.top[u] != x && self.label[self.top[u]] == Label::Outer;
            if outside && self.edge(u, x).0 != NONE {
                self.offer_nearest(u, x);
            }
        }
    }

    /// Calls `visit` for everything inside `x`, itself included.
    fn within(&self, x: usize) -> Vec<usize> {
        let mut found = vec![x];
        let mut next = 0;
        while next < found.len() {
            let one = found[next];
            next += 1;
            if one >= self.n {
                found.extend(&self.ring[one]);
            }
        }
        found
    }

    fn enqueue(&mut self, x: usize) {
        for one in self.within(x) {
            if one < self.n {
                self.queue.push_back(one);
            }
        }
    }

    fn set_top(&mut self, x: usize, top: usize) {
        for one in self.within(x) {
            self.top[one] = top;
        }
    }

    /// The position of `member` in the ring of `b`, the ring turned so that the way to it from the base is even.
    fn even_position(&mut self, b: usize, member: usize) -> usize {
        let ring = &mut self.ring[b];
        let at = ring.iter().position(|one| *one == member).unwrap_or(0);
        if at % 2 == 0 {
            return at;
        }
        ring[1..].reverse();
        ring.len() - at
    }

    /// Matches `u` with `v`, and inside a blossom everything that follows.
    fn set_mate(&mut self, u: usize, v: usize) {
        let mut todo = vec![(u, v)];
        while let Some((u, v)) = todo.pop() {
            let edge = self.edge(u, v);
            self.mate[u] = edge.1;
            if u < self.n {
                continue;
            }
            let base = self.member[u * self.n + edge.0];
            let at = self.even_position(u, base);
            for index in 0..at {
                todo.push((self.ring[u][index], self.ring[u][index ^ 1]));
            }
            todo.push((base, v));
            self.ring[u].rotate_left(at);
        }
    }

    /// Changes the matching along the way from `u` to its root, `v` being its new partner.
    fn augment(&mut self, mut u: usize, mut v: usize) {
        loop {
            let before = self.mate[u];
            self.set_mate(u, v);
            if before == NONE {
                return;
            }
            let inner = self.top[before];
            let outer = self.top[self.parent[inner]];
            self.set_mate(inner, outer);
            (u, v) = (outer, inner);
        }
    }

    /// Where the ways from `u` and `v` to their roots meet.
    fn common(&mut self, mut u: usize, mut v: usize) -> Option<usize> {
        self.visit += 1;
        while u != NONE || v != NONE {
            if u != NONE {
                if self.visited[u] == self.visit {
                    return Some(u);
                }
                self.visited[u] = self.visit;
                u = match self.mate[u] {
                    NONE => NONE,
                    mate => self.top[self.parent[self.top[mate]]],
                };
            }
            std::mem::swap(&mut u, &mut v);
        }
        None
    }

    /// Contracts the odd ring through `u`, `base` and `v`.
    fn contract(&mut self, u: usize, base: usize, v: usize) {
        let (n, all) = (self.n, 2 * self.n);
        // There are never more blossoms than vertices.
        let Some(b) = (n..all).find(|b| self.top[*b] == NONE) else { return };
        let way = |search: &mut Self, mut x: usize| {
            let mut way = Vec::new();
            while x != base {
                let y = search.top[search.mate[x]];
                way.extend([x, y]);
                search.enqueue(y);
                x = search.top[search.parent[y]];
            }
            way
        };
        let mut ring = way(self, u);
        ring.push(base);
        ring.reverse();
        ring.extend(way(self, v));
        self.dual[b] = Weight::ZERO;
        self.label[b] = Label::Outer;
        self.mate[b] = self.mate[base];
        self.ring[b].clone_from(&ring);
        self.set_top(b, b);
        for x in 0..all {
            self.set_edge(b, x, (NONE, NONE));
            self.set_edge(x, b, (NONE, NONE));
        }
        self.member[b * n..(b + 1) * n].fill(NONE);
        for one in ring {
            for x in 0..all {
                let edge = self.edge(one, x);
                let known = self.edge(b, x);
                let in_use = x < n || self.top[x] != NONE;
                if in_use
                    && edge.0 != NONE
                    && (known.0 == NONE || self.slack(edge) < self.slack(known))
                {
                    self.set_edge(b, x, edge);
                    self.set_edge(x, b, self.edge(x, one));
                }
            }
            for x in 0..n {
                if self.member[one * n + x] != NONE {
                    self.member[b * n + x] = one;
                }
            }
        }
        self.find_nearest(b);
    }

    /// Takes an inner blossom apart.
    fn expand(&mut self, b: usize) {
        for one in self.ring[b].clone() {
            self.set_top(one, one);
        }
        let entry = self.member[b * self.n + self.edge(b, self.parent[b]).0];
        let at = self.even_position(b, entry);
        let ring = std::mem::take(&mut self.ring[b]);
        for pair in ring[..at].chunks(2) {
            let (inner, outer) = (pair[0], pair[1]);
            self.parent[inner] = self.edge(outer, inner).0;
            self.label[inner] = Label::Inner;
            self.label[outer] = Label::Outer;
            self.nearest[inner] = NONE;
            self.find_nearest(outer);
            self.enqueue(outer);
        }
        self.label[entry] = Label::Inner;
        self.parent[entry] = self.parent[b];
        for one in &ring[at + 1..] {
            self.label[*one] = Label::Free;
            self.find_nearest(*one);
        }
        self.top[b] = NONE;
    }

    /// Uses a tight edge from an outer vertex. Whether the matching has grown.
    fn take(&mut self, edge: (usize, usize)) -> bool {
        let (u, v) = (self.top[edge.0], self.top[edge.1]);
        match self.label[v] {
            Label::Free => {
                self.parent[v] = edge.0;
                self.label[v] = Label::Inner;
                let next = self.top[self.mate[v]];
                self.nearest[v] = NONE;
                self.nearest[next] = NONE;
                self.label[next] = Label::Outer;
                self.enqueue(next);
                false
            }
            Label::Outer => match self.common(u, v) {
                Some(base) => {
                    self.contract(u, base, v);
                    false
                }
                None => {
                    self.augment(u, v);
                    self.augment(v, u);
                    true
                }
            },
            Label::Inner => false,
        }
    }

    /// One stage: grows forests from all unmatched vertices until the matching grows. Whether it has.
    fn grow(&mut self) -> bool {
        self.label.fill(Label::Free);
        self.nearest.fill(NONE);
        self.queue.clear();
        let roots: Vec<usize> = self.tops().filter(|one| self.mate[*one] == NONE).collect();
        if roots.is_empty() {
            return false;
        }
        for root in roots {
            self.parent[root] = NONE;
            self.label[root] = Label::Outer;
            self.enqueue(root);
        }
        loop {
            while let Some(u) = self.queue.pop_front() {
                if self.label[self.top[u]] == Label::Inner {
                    continue;
                }
                for v in 0..self.n {
                    let edge = self.edge(u, v);
                    if edge.0 == NONE || self.top[u] == self.top[v] {
                        continue;
                    }
                    if self.slack(edge) == Weight::ZERO {
                        if self.take(edge) {
                            return true;
                        }
                    } else {
                        self.offer_nearest(u, self.top[v]);
                    }
                }
            }
            let Some(step) = self.step() else { return false };
            if !self.shift(step) {
                return false;
            }
            let tops: Vec<usize> = self.tops().collect();
            for x in &tops {
                let from = self.nearest[*x];
                let is_top = self.top[*x] == *x;
                if is_top
                    && from != NONE
                    && self.top[from] != *x
                    && self.slack(self.edge(from, *x)) == Weight::ZERO
                    && self.take(self.edge(from, *x))
                {
                    return true;
                }
            }
            for b in self.n..2 * self.n {
                if self.top[b] == b && self.label[b] == Label::Inner && self.dual[b] == Weight::ZERO
                {
                    self.expand(b);
                }
            }
        }
    }

    /// How far the dual values can be shifted until something becomes tight.
    fn step(&self) -> Option<Weight> {
        let blossoms = (self.n..2 * self.n)
            .filter(|b| self.top[*b] == *b && self.label[*b] == Label::Inner)
            .map(|b| self.dual[b].half());
        let edges = self.tops().filter(|x| self.nearest[*x] != NONE).filter_map(|x| {
            let slack = self.slack(self.edge(self.nearest[x], x));
            match self.label[x] {
                Label::Free => Some(slack),
                Label::Outer => Some(slack.half()),
                Label::Inner => None,
            }
        });
        blossoms.chain(edges).min()
    }

    /// Shifts the dual values; `false` where an unmatched vertex would gain nothing from a partner any more.
    fn shift(&mut self, step: Weight) -> bool {
        let exhausted = |u: usize| self.label[self.top[u]] == Label::Outer && self.dual[u] <= step;
        if (0..self.n).any(exhausted) {
            return false;
        }
        for u in 0..self.n {
            match self.label[self.top[u]] {
                Label::Outer => self.dual[u] = self.dual[u] - step,
                Label::Inner => self.dual[u] = self.dual[u] + step,
                Label::Free => {}
            }
        }
        for b in self.n..2 * self.n {
            if self.top[b] == b {
                match self.label[b] {
                    Label::Outer => self.dual[b] = self.dual[b] + step + step,
                    Label::Inner => self.dual[b] = self.dual[b] - step - step,
                    Label::Free => {}
                }
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::{super::weight::Layout, *};
    use crate::event::Lots;

    /// The heaviest matching by trying them all.
    fn brute(n: usize, weights: &[Option<Weight>], used: &mut Vec<bool>, from: usize) -> Weight {
        let Some(u) = (from..n).find(|u| !used[*u]) else { return Weight::ZERO };
        used[u] = true;
        let mut best = brute(n, weights, used, u + 1);
        for v in u + 1..n {
            if let (false, Some(weight)) = (used[v], weights[u * n + v]) {
                used[v] = true;
                best = best.max(weight + brute(n, weights, used, u + 1));
                used[v] = false;
            }
        }
        used[u] = false;
        best
    }

    fn random(n: usize, density: u64, range: u64, lots: &mut Lots) -> Vec<Option<Weight>> {
        let layout = Layout::new(&[n as i64, 4000, 4000, 4000]);
        let mut weights = vec![None; n * n];
        for u in 0..n {
            for v in u + 1..n {
                if lots.below(100) < density {
                    let one = |lots: &mut Lots| 400 - lots.below(range) as i64;
                    let weight = layout.weight(&[1, one(lots), one(lots), one(lots)]);
                    weights[u * n + v] = Some(weight);
                    weights[v * n + u] = Some(weight);
                }
            }
        }
        weights
    }

    #[test]
    fn it_is_as_heavy_as_the_best_of_all_matchings() {
        let mut lots = Lots::new(7);
        for round in 0..3000 {
            let n = 2 + (round % 9);
            let density = [30, 60, 100][round % 3];
            let range = [2, 5, 400][(round / 3) % 3];
            let weights = random(n, density, range, &mut lots);
            let mates = heaviest(n, &weights);
            let mut sum = Weight::ZERO;
            for (u, mate) in mates.iter().enumerate() {
                if let Some(v) = *mate {
                    assert_eq!(mates[v], Some(u));
                    if u < v {
                        sum = sum + weights[u * n + v].unwrap();
                    }
                }
            }
            assert_eq!(sum, brute(n, &weights, &mut vec![false; n], 0), "case {round}");
        }
    }

    #[test]
    fn large_graphs_are_matched_whole() {
        let mut lots = Lots::new(11);
        for (n, density) in [(60, 100), (61, 20), (90, 8)] {
            let weights = random(n, density, 3, &mut lots);
            let mates = heaviest(n, &weights);
            let paired = mates.iter().flatten().count();
            assert!(paired + 1 >= n || density < 100 && paired + 6 >= n, "{n}: {paired}");
        }
        assert!(heaviest(0, &[]).is_empty());
        assert_eq!(heaviest(3, &[None; 9]), [None; 3]);
    }
}
