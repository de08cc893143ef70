//! One repetition judged: labels of its plies, behaviours of the sides, verdict (articles 24 to 26, R099 to R106).

use crate::board::{Move, Position, Side, Square};

use super::{
    cycle::Cycle,
    exceptions::mutual_pawn_chases,
    label::{Label, Labelled, label_within},
    profile::Repetition,
    verdict::{Behaviour, Verdict},
};

/// A repetition with everything that decides it.
#[derive(Clone, PartialEq, Debug)]
pub struct Ruling {
    /// The repetition.
    pub cycle: Cycle,
    /// The plies of its last period, labelled.
    pub labels: Vec<Labelled>,
    /// What Red and Black do.
    pub behaviours: [Behaviour; 2],
    /// What the arbiter says.
    pub verdict: Verdict,
    /// The article that decides.
    pub article: String,
}

/// Judges `cycle` of a line that starts from `start`.
///
/// Each ply is labelled within `bound.nodes` positions, all of them within `bound.ruling`. What is left of that is spent
/// on the plies that are not proved and on which the behaviour of their side hangs, because no other ply of it is idle.
pub fn judge(start: &Position, moves: &[Move], cycle: Cycle, rules: &Repetition) -> Ruling {
    let mut position = start.clone();
    for mv in &moves[..cycle.start] {
        position.play(*mv);
    }
    let (first, period) = (position.side(), &moves[cycle.start..cycle.end]);
    let mut befores = Vec::with_capacity(period.len());
    let mut left = rules.bound.ruling;
    let mut labels = Vec::with_capacity(period.len());
    for mv in period {
        labels.push(label_within(&position, *mv, rules, rules.bound.nodes, &mut left));
        befores.push(position.clone());
        position.play(*mv);
    }
    let of = |side: Side| (usize::from(side != first)..period.len()).step_by(2);
    for side in [first, first.other()] {
        for ply in of(side) {
            if of(side).any(|ply| labels[ply].label.is_idle()) {
                break;
            }
            if labels[ply].past_bound {
                let deeper = label_within(&befores[ply], period[ply], rules, u32::MAX, &mut left);
                labels[ply] = deeper;
            }
        }
    }
    // Where each piece stood at the beginning of the period, by its square now: who is who.
    let mut origin: Vec<Square> = Square::all().collect();
    let mut chased = Vec::with_capacity(period.len());
    for (mv, labelled) in period.iter().zip(&labels) {
        origin[mv.to.index()] = origin[mv.from.index()];
        let pieces = labelled.chased.iter().map(|square| origin[square.index()]);
        chased.push(pieces.collect::<Vec<_>>());
    }
    let plain = |side: Side| {
        if rules.chase.one_victim && !chases_one(of(side).map(|ply| &chased[ply])) {
            let checks = of(side).all(|ply| labels[ply].label == Label::Check);
            return if checks { Behaviour::LongCheck } else { Behaviour::Allowed };
        }
        if rules.chase.one_victim && !of(side).all(|ply| labels[ply].label == Label::Check) {
            return Behaviour::LongChase;
        }
        Behaviour::of(&of(side).map(|ply| labels[ply].label).collect::<Vec<_>>())
    };
    let with_pawns =
        |side: Side| Behaviour::of(&of(side).map(|ply| labels[ply].with_pawns).collect::<Vec<_>>());
    let mut behaviours = [plain(Side::Red), plain(Side::Black)];
    if rules.chase.pawn_if_mutual {
        behaviours =
            mutual_pawn_chases(behaviours, [with_pawns(Side::Red), with_pawns(Side::Black)]);
    }
    let (mut verdict, mut article) = rules.table.verdict(behaviours[0], behaviours[1]);
    if rules.chase.joint_is_lighter && behaviours == [Behaviour::LongChase; 2] {
        let joint = |side: Side| of(side).any(|ply| labels[ply].joint);
        // Of the edition only the figures are known, not the number of the article.
        match (joint(Side::Red), joint(Side::Black)) {
            (false, true) => (verdict, article) = (Verdict::RedMustChange, ""),
            (true, false) => (verdict, article) = (Verdict::BlackMustChange, ""),
            _ => {}
        }
    }
    let late = cycle.occurrences > rules.occurrences;
    let verdict = if late || !rules.must_change { verdict.one_cycle_later() } else { verdict };
    Ruling { cycle, labels, behaviours, verdict, article: article.to_owned() }
}

/// Whether one and the same piece is chased by every ply (Asian rules).
fn chases_one<'c>(mut plies: impl Iterator<Item = &'c Vec<Square>>) -> bool {
    let Some(first) = plies.next() else { return false };
    let mut common = first.clone();
    for chased in plies {
        common.retain(|piece| chased.contains(piece));
    }
    !common.is_empty()
}
