//! How much the searches of a ply may look at.

use super::mate::Bound;

/// The searches of a ply together have used up what they may look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Spent;

/// How much the searches of a ply may still look at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    /// Positions.
    nodes: u32,
    /// Checks in a row.
    checks: u32,
}

impl Budget {
    pub(super) fn new(bound: Bound) -> Budget {
        Budget { nodes: bound.nodes, checks: bound.checks }
    }

    /// The checks in a row that are looked at.
    pub(super) fn checks(self) -> u32 {
        self.checks
    }

    /// The positions that are left.
    pub(super) fn nodes(self) -> u32 {
        self.nodes
    }

    /// Half of what is left.
    pub(super) fn half(self) -> Budget {
        Budget { nodes: self.nodes / 2, ..self }
    }

    /// Takes off what was spent of a [`Budget::half`].
    pub(super) fn charge(&mut self, half: Budget) {
        self.nodes -= self.nodes / 2 - half.nodes;
    }

    pub(super) fn spend(&mut self) -> Result<(), Spent> {
        self.nodes = self.nodes.checked_sub(1).ok_or(Spent)?;
        Ok(())
    }
}
