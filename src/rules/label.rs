//! What one ply of a cycle is: 将, 杀, 捉, or idle, with the evidence (articles 27 to 29, R107 to R109).

use crate::{
    board::{Kind, Move, Piece, Position, Side, Square, SquareSet},
    finding::Words,
};

use super::{
    exchange::worth,
    idle::name,
    mate::{Proof, checks, mate_but_for, mate_by_checks},
    profile::Repetition,
    sequence::new_by_checks,
    threat::{Means, Threat, by_captures, passed},
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
    let in_check = after.in_check(side.other());
    // Where one piece must be chased all the time, a check that also chases it goes on with the chase.
    let early = rules.chase.one_victim.then(|| chased(before, &after, mv, rules, true));
    let labelled = |label, with_pawns, targets, why, line| Labelled {
        label,
        with_pawns,
        targets,
        chased: early.as_ref().map_or_else(Vec::new, |(threats, _)| {
            squares(threats.iter().filter(|threat| threat.by != Kind::Pawn))
        }),
        why,
        line,
    };
    if in_check {
        let why = Words::new("照将", "gives check");
        return labelled(Label::Check, Label::Check, general, why, Vec::new());
    }
    let kill = kill(before, &after, rules);
    if let Kill::New(line) = kill {
        let why = Words::new("下一着起连将可杀", "threatens mate by checks");
        return labelled(Label::Kill, Label::Kill, general, why, line);
    }
    let (threats, complete) = match early.clone() {
        Some(early) => early,
        None => chased(before, &after, mv, rules, !matches!(kill, Kill::Old)),
    };
    let (pawns, pieces): (Vec<Threat>, Vec<Threat>) =
        threats.into_iter().partition(|threat| threat.by == Kind::Pawn);
    if let Some(threat) = pieces.first() {
        let victims = squares(pieces.iter());
        if rules.chase.key_point && may_hold_a_simple_draw(&after, side, &victims) {
            let why = Words::new(
                "只捉士象，若占据防守要点、立即成简明和棋则按闲（27.3），未能断定",
                "chases advisers or elephants only, which is idle where it holds a simple draw (27.3): not proved",
            );
            return labelled(Label::Unproved, Label::Unproved, victims, why, threat.line.clone());
        }
        let why = chase_words(&after, threat);
        return labelled(Label::Chase, Label::Chase, victims, why, threat.line.clone());
    }
    if kill == Kill::Unproved || !complete {
        let why = Words::new("搜索达到上限，未能断定", "a search reached its bound");
        return labelled(Label::Unproved, Label::Unproved, Vec::new(), why, Vec::new());
    }
    let (idle, targets, why) = name(&after, mv);
    // 27.2 speaks of what the pawn itself takes (兵本身捉吃), not of what falls to it after checks.
    let pawn = pawns.iter().find(|threat| threat.means == Means::Capture);
    let (with_pawns, why) = match pawn.filter(|_| rules.chase.pawn_if_mutual) {
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

/// The victims, each once, in order.
fn squares<'t>(threats: impl Iterator<Item = &'t Threat>) -> Vec<Square> {
    let set: SquareSet = threats.map(|threat| threat.victim).collect();
    set.collect()
}

/// Whether article 27.3 may apply: only advisers and elephants are chased, and the chaser is the side that defends,
/// with at most one piece that attacks against an enemy who has more, in an ending of few such pieces. Whether the draw
/// is simple (简明和棋) is not proved here.
fn may_hold_a_simple_draw(after: &Position, side: Side, victims: &[Square]) -> bool {
    let kind = |square: &Square| after.piece_at(*square).map(|piece| piece.kind);
    if !victims.iter().all(|square| matches!(kind(square), Some(Kind::Adviser | Kind::Elephant))) {
        return false;
    }
    // The pieces that attack, and what they are worth.
    let force = |side: Side| {
        after
            .occupied_by(side)
            .filter_map(|square| Some((after.piece_at(square)?, square)))
            .filter(|(piece, _)| !matches!(piece.kind, Kind::Adviser | Kind::Elephant))
            .map(|(piece, square)| worth(piece, square))
            .filter(|worth| *worth > 0)
            .fold((0, 0), |(pieces, sum), worth| (pieces + 1, sum + worth))
    };
    let ((ours, our_worth), (theirs, their_worth)) = (force(side), force(side.other()));
    ours <= 1 && ours + theirs <= 4 && our_worth < their_worth
}

/// Whether a ply threatens to mate by checks.
#[derive(PartialEq)]
enum Kill {
    /// It does, and this is how.
    New(Vec<Move>),
    /// It does, but did so before, which is idle.
    Old,
    No,
    Unproved,
}

/// Whether the ply threatens to mate by checks; a threat that was there before is none where the rules say so.
fn kill(before: &Position, after: &Position, rules: &Repetition) -> Kill {
    if !rules.kill {
        return Kill::No;
    }
    let line = match mate_by_checks(&passed(after), rules.bound) {
        Proof::Yes(line) => line,
        Proof::No => return Kill::No,
        Proof::Unproved => return Kill::Unproved,
    };
    if rules.old_kill {
        return Kill::New(line);
    }
    match mate_but_for(before, before.checkers(before.side()), rules.bound) {
        Proof::Yes(_) => Kill::Old,
        Proof::No => Kill::New(line),
        Proof::Unproved => Kill::Unproved,
    }
}

/// The gains that the ply has newly made possible, by pair of attacker and victim (29.2, chapter 7 item 2). Sequences
/// of checks are searched only where no piece is chased more plainly, and only if `sequences`: what falls on the way of
/// a mate that was threatened before is no new gain. `false` where their bound was reached.
fn chased(
    before: &Position,
    after: &Position,
    mv: Move,
    rules: &Repetition,
    sequences: bool,
) -> (Vec<Threat>, bool) {
    let (next, chase) = (passed(after), &rules.chase);
    let now = by_captures(&next, chase);
    let old = (!now.is_empty()).then(|| by_captures(before, chase));
    let is_new = |threat: &&Threat| {
        let attacker = if threat.attacker == mv.to { mv.from } else { threat.attacker };
        let pair = (attacker, threat.victim);
        old.as_ref().is_none_or(|old| old.iter().all(|known| known.pair() != pair))
    };
    let mut new: Vec<Threat> = now.iter().filter(is_new).cloned().collect();
    if !sequences
        || !chase.by_checks
        || new.iter().any(|threat| threat.by != Kind::Pawn)
        || checks(&next, SquareSet::EMPTY).is_empty()
    {
        return (new, true);
    }
    let old = old.unwrap_or_else(|| by_captures(before, chase));
    match new_by_checks(&next, before, mv, [&now, &old], chase, rules.bound.nodes) {
        Some(by_checks) => new.extend(by_checks),
        None => return (new, false),
    }
    (new, true)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    fn labelled(profile: &str, fen: &str, mv: &str) -> Labelled {
        let rules = Profile::load(profile).unwrap().repetition;
        let before = Position::from_fen(fen).unwrap();
        let mv: Move = mv.parse().unwrap();
        assert!(before.is_legal(mv), "{fen} {mv}");
        label(&before, mv, &rules)
    }

    fn name_of(fen: &str, mv: &str) -> &'static str {
        labelled("cxa-classic", fen, mv).label.as_str()
    }

    // 27.4: a check that also attacks is a check; a kill that also attacks is a kill.
    #[test]
    fn the_heavier_name_wins() {
        assert!(labelled("cxa-classic", "3k5/9/9/9/n8/9/9/9/9/R4K3 w", "a0a1").label.is_idle());
        assert_eq!(name_of("3k5/9/9/3n5/9/9/9/9/9/R4K3 w", "a0a9"), "check");
        // The cannon threatens mate on h9 over the adviser; on a chariot's file it is guarded all the same.
        assert_eq!(name_of("4ka3/4a4/9/8r/9/9/R7C/9/9/3K5 w", "i3h3"), "kill");
    }

    // 29.2: the same chariot attacked the same horse before: from chase to chase is idle.
    #[test]
    fn an_old_attack_is_idle() {
        assert!(labelled("cxa-classic", "3k5/9/9/2n6/9/9/9/9/9/2R2K3 w", "c0c1").label.is_idle());
        assert_eq!(name_of("3k5/9/9/2n6/9/9/9/9/9/R4K3 w", "a0c0"), "chase");
    }

    // The horse was attacked before Black gave check; the answer to the check makes no new chase.
    #[test]
    fn the_answer_to_a_check_makes_no_old_attack_new() {
        assert!(labelled("cxa-classic", "3k5/9/9/2n6/9/9/9/9/9/2R1Kr3 w", "e0e1").label.is_idle());
    }

    // Chapter 7 item 2 and the Asian diagram A1: a piece that cuts the root makes the attack of another new.
    #[test]
    fn cutting_a_root_is_a_chase() {
        // The chariot on c9 guards the horse on c6 until the cannon steps between.
        let fen = "2r2k3/9/C8/2n6/9/9/9/9/9/2R1K4 w";
        let cut = labelled("cxa-classic", fen, "a7c7");
        assert_eq!((cut.label, cut.targets.len()), (Label::Chase, 1), "{cut:?}");
        assert!(name_of(fen, "a7b7") != "chase");
    }

    // 27.2: a pawn's attack is idle by itself, and counts once both sides attack all the time.
    #[test]
    fn a_pawns_attack_is_idle_by_itself() {
        let pawn = labelled("cxa-classic", "3k5/9/2r6/1P7/9/9/1N7/9/9/2B1K4 w", "b6c6");
        assert!(pawn.label.is_idle() && pawn.with_pawns == Label::Chase, "{pawn:?}");
        let later = labelled("cxa-2020", "3k5/9/2r6/1P7/9/9/1N7/9/9/2B1K4 w", "b6c6");
        assert!(later.with_pawns.is_idle());
    }

    // 27.3: one cannon against more, and only an adviser is attacked: whether the draw is simple is not proved.
    #[test]
    fn a_key_point_is_not_proved() {
        let fen = "2c2k3/3P5/9/9/R8/9/9/3A5/9/3K5 b";
        let ours = labelled("cxa-classic", fen, "c9d9");
        assert_eq!((ours.label, ours.targets.len()), (Label::Unproved, 1), "{ours:?}");
        assert_eq!(labelled("axf", fen, "c9d9").label, Label::Chase);
        // With a horse more it is no defender of a simple draw.
        assert_eq!(name_of("2c2kn2/3P5/9/9/R8/9/9/3A5/9/3K5 b", "c9d9"), "chase");
    }

    #[test]
    fn the_bound_of_a_search_is_told() {
        let mut rules = Profile::default().repetition;
        rules.bound.nodes = 0;
        let before = Position::from_fen("3k5/9/9/9/9/9/9/9/R8/5K3 w").unwrap();
        let unproved = label(&before, "a1a2".parse().unwrap(), &rules);
        assert_eq!(unproved.label, Label::Unproved);
    }
}
