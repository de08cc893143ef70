//! What one ply of a cycle is: 将, 杀, 捉, or idle, with the evidence (articles 27 to 29, R107 to R109).

use crate::{
    board::{Kind, Move, Piece, Position, Square, SquareSet},
    finding::Words,
};

use super::{
    exchange::{has_crossed, worth},
    mate::{Proof, mate_by_checks, would_mate},
    profile::Repetition,
    threat::{Means, Threat, by_captures, by_check_sequences, passed},
};

/// What a ply is (CONTRACT section 5, `QJ501`), the heaviest name that fits (27.4).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Label {
    /// 将 (28.1)
    Check,
    /// 杀 (28.2)
    Kill,
    /// 捉 (28.3)
    Chase,
    /// 兑 (28.5)
    Exchange,
    /// 献 (28.6)
    Offer,
    /// 拦 (28.7)
    Block,
    /// 跟 (28.8)
    Follow,
    /// 闲 (28.9)
    Idle,
    /// A search reached its bound.
    Unproved,
}

impl Label {
    /// The word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Label::Check => "check",
            Label::Kill => "kill",
            Label::Chase => "chase",
            Label::Exchange => "exchange",
            Label::Offer => "offer",
            Label::Block => "block",
            Label::Follow => "follow",
            Label::Idle => "idle",
            Label::Unproved => "unproved",
        }
    }

    /// The Chinese name.
    pub const fn glyph(self) -> &'static str {
        match self {
            Label::Check => "将",
            Label::Kill => "杀",
            Label::Chase => "捉",
            Label::Exchange => "兑",
            Label::Offer => "献",
            Label::Block => "拦",
            Label::Follow => "跟",
            Label::Idle => "闲",
            Label::Unproved => "未断",
        }
    }

    /// The article that defines it.
    pub const fn article(self) -> &'static str {
        match self {
            Label::Check => "28.1",
            Label::Kill => "28.2",
            Label::Chase => "28.3",
            Label::Exchange => "28.5",
            Label::Offer => "28.6",
            Label::Block => "28.7",
            Label::Follow => "28.8",
            Label::Idle | Label::Unproved => "28.9",
        }
    }

    /// Whether the ply is none of 将, 杀, 捉 (28.9).
    pub const fn is_idle(self) -> bool {
        matches!(self, Label::Exchange | Label::Offer | Label::Block | Label::Follow | Label::Idle)
    }
}

/// A ply of a cycle with its label and what shows it.
#[derive(Clone, PartialEq, Debug)]
pub struct Labelled {
    /// The label.
    pub label: Label,
    /// The label if a pawn's own captures count, as they do once both sides attack all the time (27.2).
    pub with_pawns: Label,
    /// The pieces checked, chased or otherwise aimed at.
    pub targets: Vec<Square>,
    /// All pieces newly chased, whatever the label.
    pub chased: Vec<Square>,
    /// Why, in words.
    pub why: Words,
    /// The moves that show it, from the labelled side on, as if the other side passed.
    pub line: Vec<Move>,
}

/// Labels the ply `mv`, played on `before`. The heaviest name wins (27.4), so the lighter ones are looked for only
/// where the heavier do not hold.
pub fn label(before: &Position, mv: Move, rules: &Repetition) -> Labelled {
    let mut after = before.clone();
    after.play(mv);
    let side = before.side();
    let general: Vec<Square> = after.general(side.other()).into_iter().collect();
    // Where one piece must be chased all the time, a check that also chases it goes on with the chase.
    let chased = if rules.chase.one_victim {
        let (threats, _) = chased(before, &after, mv, rules);
        threats
            .iter()
            .filter(|threat| threat.by != Kind::Pawn)
            .map(|threat| threat.victim)
            .collect()
    } else {
        Vec::new()
    };
    let labelled = |label, with_pawns, targets, why, line| Labelled {
        label,
        with_pawns,
        targets,
        chased: chased.clone(),
        why,
        line,
    };
    if after.in_check(side.other()) {
        let why = Words::new("照将", "gives check");
        return labelled(Label::Check, Label::Check, general, why, Vec::new());
    }
    let kill = kill(before, &after, rules);
    if let Proof::Yes(line) = kill {
        let why = Words::new("下一着起连将可杀", "threatens mate by checks");
        return labelled(Label::Kill, Label::Kill, general, why, line);
    }
    let (threats, complete) = self::chased(before, &after, mv, rules);
    let (pawns, pieces): (Vec<Threat>, Vec<Threat>) =
        threats.into_iter().partition(|threat| threat.by == Kind::Pawn);
    if let Some(threat) = pieces.first() {
        let victims = pieces.iter().map(|threat| threat.victim).collect();
        let why = chase_words(&after, threat);
        return labelled(Label::Chase, Label::Chase, victims, why, threat.line.clone());
    }
    if kill == Proof::Unproved || !complete {
        let why = Words::new("搜索达到上限，未能断定", "a search reached its bound");
        return labelled(Label::Unproved, Label::Unproved, Vec::new(), why, Vec::new());
    }
    let (idle, targets, why) = idle(&after, mv);
    let (with_pawns, why) = match pawns.first().filter(|_| rules.chase.pawn_if_mutual) {
        Some(threat) => (
            Label::Chase,
            Words::new(
                format!("兵（卒）捉 {}，按闲（27.2）", threat.victim),
                format!("a pawn attacks {}, which is idle (27.2)", threat.victim),
            ),
        ),
        None => (idle, why),
    };
    labelled(idle, with_pawns, targets, why, Vec::new())
}

/// Whether the ply threatens to mate by checks; a threat that was there before is none where the rules say so.
fn kill(before: &Position, after: &Position, rules: &Repetition) -> Proof<Vec<Move>> {
    if !rules.kill {
        return Proof::No;
    }
    let kill = mate_by_checks(&passed(after), rules.bound);
    if rules.old_kill || !matches!(kill, Proof::Yes(_)) {
        return kill;
    }
    let was = if before.in_check(before.side()) {
        would_mate(before, rules.bound)
    } else {
        matches!(mate_by_checks(before, rules.bound), Proof::Yes(_))
    };
    if was { Proof::No } else { kill }
}

/// The gains that the ply has newly made possible, by pair of attacker and victim (29.2, chapter 7 item 2). Sequences
/// of checks are searched only where no piece is chased more plainly; `false` where their bound was reached.
fn chased(
    before: &Position,
    after: &Position,
    mv: Move,
    rules: &Repetition,
) -> (Vec<Threat>, bool) {
    let next = passed(after);
    let is_new = |threat: &Threat, old: &[Threat]| {
        let attacker = if threat.attacker == mv.to { mv.from } else { threat.attacker };
        !old.iter().any(|known| known.attacker == attacker && known.victim == threat.victim)
    };
    let mut now = by_captures(&next, &rules.chase);
    if !now.is_empty() {
        let old = by_captures(before, &rules.chase);
        now.retain(|threat| is_new(threat, &old));
    }
    if !rules.chase.by_checks || now.iter().any(|threat| threat.by != Kind::Pawn) {
        return (now, true);
    }
    let Some(mut by_checks) = by_check_sequences(&next, &rules.chase, rules.bound.nodes) else {
        return (now, false);
    };
    if !by_checks.is_empty() {
        // A gain that was there before in a plainer form is no new one.
        let mut old = by_captures(before, &rules.chase);
        let Some(sequences) = by_check_sequences(before, &rules.chase, rules.bound.nodes) else {
            return (now, false);
        };
        old.extend(sequences);
        by_checks.retain(|threat| is_new(threat, &old));
    }
    now.extend(by_checks);
    (now, true)
}

fn chase_words(after: &Position, threat: &Threat) -> Words {
    let glyph = |square| after.piece_at(square).map_or('子', Piece::glyph);
    let (attacker, victim) = (glyph(threat.attacker), glyph(threat.victim));
    let (zh, en) = match threat.means {
        Means::Capture if threat.unguarded => ("无根", "unprotected"),
        Means::Capture => ("根不足", "not sufficiently protected"),
        Means::Checks => ("连将得子", "won by checks"),
        Means::Exchange => ("交换得子", "won by an exchange"),
    };
    Words::new(
        format!("{attacker}捉{victim}（{}，{zh}）", threat.victim),
        format!("chases the {} on {} ({en})", piece_word(after, threat.victim), threat.victim),
    )
}

/// Which kind of idle ply it is (28.5 to 28.9). The name changes no verdict.
fn idle(after: &Position, mv: Move) -> (Label, Vec<Square>, Words) {
    let Some(mover) = after.piece_at(mv.to) else {
        return (Label::Idle, Vec::new(), Words::new("闲着", "idle"));
    };
    let enemy = mover.side.other();
    let aimed: Vec<Square> = (after.reach(mv.to) & after.occupied_by(enemy))
        .filter(|square| after.piece_at(*square).is_some_and(|piece| worth(piece, *square) > 0))
        .collect();
    let attacked = !after.attackers(mv.to, enemy).is_empty();
    let guarded = !after.attackers(mv.to, mover.side).is_empty();
    let same: Vec<Square> = aimed
        .iter()
        .copied()
        .filter(|square| {
            after
                .piece_at(*square)
                .is_some_and(|piece| worth(piece, *square) == worth(mover, mv.to))
        })
        .collect();
    let valuable =
        worth(mover, mv.to) > 0 && (mover.kind != Kind::Pawn || has_crossed(mover.side, mv.to));
    if attacked && guarded && !same.is_empty() {
        return (Label::Exchange, same, Words::new("邀兑", "offers an exchange"));
    }
    if attacked && !guarded && valuable {
        return (Label::Offer, vec![mv.to], Words::new("献子", "offers a piece"));
    }
    if !aimed.is_empty() {
        return (Label::Follow, aimed, Words::new("跟住有根子", "follows a protected piece"));
    }
    if blocks(after, mv) {
        return (Label::Block, Vec::new(), Words::new("拦挡", "blocks a line"));
    }
    (Label::Idle, Vec::new(), Words::new("闲着", "idle"))
}

/// Whether the piece that has moved stands in a line of an enemy chariot or cannon towards a piece of its own side.
fn blocks(after: &Position, mv: Move) -> bool {
    let Some(mover) = after.piece_at(mv.to) else { return false };
    let enemy = mover.side.other();
    let sliders = after.pieces(enemy, Kind::Chariot) | after.pieces(enemy, Kind::Cannon);
    sliders.into_iter().any(|slider| {
        let own = after.occupied_by(mover.side);
        own.into_iter().filter(|square| *square != mv.to).any(|square| {
            let between = SquareSet::between(slider, square);
            between.contains(mv.to) && (between & after.occupied()).len() == 1
        })
    })
}

/// The English name of what stands on `square`.
fn piece_word(position: &Position, square: Square) -> &'static str {
    match position.piece_at(square).map(|piece| piece.kind) {
        Some(Kind::General) => "general",
        Some(Kind::Adviser) => "adviser",
        Some(Kind::Elephant) => "elephant",
        Some(Kind::Horse) => "horse",
        Some(Kind::Chariot) => "chariot",
        Some(Kind::Cannon) => "cannon",
        Some(Kind::Pawn) => "pawn",
        None => "piece",
    }
}
