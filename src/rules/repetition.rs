//! One repetition judged: labels of its plies, behaviours of the sides, verdict (articles 24 to 26, R099 to R106).

use crate::board::{Move, Position, Side, Square};

use super::{
    cycle::Cycle,
    label::{Label, Labelled, label},
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
pub fn judge(start: &Position, moves: &[Move], cycle: Cycle, rules: &Repetition) -> Ruling {
    let mut position = start.clone();
    for mv in &moves[..cycle.start] {
        position.play(*mv);
    }
    let first = position.side();
    let mut labels = Vec::new();
    let mut chased = Vec::new();
    // Where each piece stood at the beginning of the period, by its square now: who is who.
    let mut origin: Vec<Square> = Square::all().collect();
    for mv in &moves[cycle.start..cycle.end] {
        let labelled = label(&position, *mv, rules);
        origin[mv.to.index()] = origin[mv.from.index()];
        chased
            .push(labelled.chased.iter().map(|square| origin[square.index()]).collect::<Vec<_>>());
        labels.push(labelled);
        position.play(*mv);
    }
    let of = |side: Side| {
        let offset = usize::from(side != first);
        (offset..labels.len()).step_by(2)
    };
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
        behaviours = mutual(behaviours, [with_pawns(Side::Red), with_pawns(Side::Black)]);
    }
    let (verdict, article) = rules.table.verdict(behaviours[0], behaviours[1]);
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

/// Once one side attacks all the time, the pawn chases of the other count as chases too (相互长打, 27.2).
fn mutual(plain: [Behaviour; 2], with_pawns: [Behaviour; 2]) -> [Behaviour; 2] {
    let attacks = |behaviour| !matches!(behaviour, Behaviour::Allowed | Behaviour::Unproved);
    match (attacks(plain[0]), attacks(plain[1])) {
        (true, false) if attacks(with_pawns[1]) => [plain[0], with_pawns[1]],
        (false, true) if attacks(with_pawns[0]) => [with_pawns[0], plain[1]],
        _ => plain,
    }
}
