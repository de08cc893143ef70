//! What one ply of a cycle is: 将, 杀, 捉, or idle, with the evidence (articles 27 to 29, R107 to R109).

use crate::{
    board::{Kind, Move, Piece, Position, Side, Square, SquareSet},
    finding::Words,
};

use super::{
    budget::{Budget, Spent},
    checks::checks,
    exceptions::may_hold_a_simple_draw,
    exchange::worth,
    frame::Frame,
    idle::name,
    mate::{Bound, Proof, mate_but_for},
    profile::Repetition,
    sequence::{Ply, is_harmless, new_by_checks},
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
    /// Whether all that is chased is chased jointly (联合捉子): one piece alone would win nothing.
    pub joint: bool,
    /// Why, in words.
    pub why: Words,
    /// The moves that show it, from the labelled side on, as if the other side passed.
    pub line: Vec<Move>,
    /// Whether it is unproved because a search reached its bound.
    pub past_bound: bool,
}

/// Labels the ply `mv`, played on `before`. Article 27.4: of the names that fit the heaviest is given
/// (应从重称呼和裁处), so the lighter ones are looked for only where the heavier do not hold.
pub fn label(before: &Position, mv: Move, rules: &Repetition) -> Labelled {
    let mut left = rules.bound.nodes;
    label_within(before, mv, rules, rules.bound.nodes, &mut left)
}

/// The same within `most` positions, taken from those that are `left`.
pub(super) fn label_within(
    before: &Position,
    mv: Move,
    rules: &Repetition,
    most: u32,
    left: &mut u32,
) -> Labelled {
    let mut after = before.clone();
    after.play(mv);
    let nodes = most.min(*left);
    let frame = Frame::of(before, mv);
    let seen = frame.position(before);
    let mut next = seen.clone();
    next.play(frame.mv(mv));
    let mut ply = Judged {
        side: before.side(),
        after,
        mv,
        rules,
        frame,
        first: checks(&passed(&next), SquareSet::EMPTY),
        next: passed(&next),
        before: seen,
        played: frame.mv(mv),
        budget: Budget::new(Bound { nodes, ..rules.bound }),
        direct: None,
    };
    // Where one piece must be chased all the time, a check that also chases it goes on with the chase.
    let early = rules.chase.one_victim.then(|| ply.chased(true, true));
    let mut labelled = ply.heaviest(early.as_ref());
    if let Some((threats, _)) = early {
        labelled.chased = squares(threats.iter().filter(|threat| threat.by != Kind::Pawn));
    }
    *left -= nodes - ply.budget.nodes();
    labelled
}

/// The victims, each once, in order.
fn squares<'t>(threats: impl Iterator<Item = &'t Threat>) -> Vec<Square> {
    let set: SquareSet = threats.map(|threat| threat.victim).collect();
    set.collect()
}

/// A ply that is being labelled.
struct Judged<'p> {
    side: Side,
    after: Position,
    mv: Move,
    rules: &'p Repetition,
    /// How the board is held for the searches: `before`, `next`, `played` and `first` are seen so.
    frame: Frame,
    before: Position,
    /// The position after the ply with the same side to move again.
    next: Position,
    played: Move,
    /// The checks that can be given in it.
    first: Vec<Move>,
    /// What all searches of the ply may still look at.
    budget: Budget,
    direct: Option<Direct>,
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

/// The threats that need no checks.
struct Direct {
    now: Vec<Threat>,
    /// Those before the ply.
    old: Vec<Threat>,
    new: Vec<Threat>,
}

impl Direct {
    /// Whether another piece than a pawn chases.
    fn chases(&self) -> bool {
        self.new.iter().any(|threat| threat.by != Kind::Pawn)
    }
}

impl Judged<'_> {
    fn heaviest(&mut self, early: Option<&(Vec<Threat>, bool)>) -> Labelled {
        let general: Vec<Square> = self.after.general(self.side.other()).into_iter().collect();
        let named = |label, with_pawns, targets, why, line| Labelled {
            label,
            with_pawns,
            targets,
            chased: Vec::new(),
            joint: false,
            why,
            line,
            past_bound: false,
        };
        if self.after.in_check(self.side.other()) {
            let why = Words::new("照将", "gives check");
            return named(Label::Check, Label::Check, general, why, Vec::new());
        }
        let harmless = self.is_harmless();
        let kill = if harmless { Kill::No } else { self.kill() };
        if let Kill::New(line) = kill {
            let why = Words::new("下一着起连将可杀", "threatens mate by checks");
            return named(Label::Kill, Label::Kill, general, why, line);
        }
        let (threats, complete) = match early {
            Some(early) => early.clone(),
            // What falls on the way of a mate that was threatened before is no new gain.
            None => {
                self.chased(!harmless && kill != Kill::Old, kill != Kill::No || !self.rules.kill)
            }
        };
        let (pawns, pieces): (Vec<Threat>, Vec<Threat>) =
            threats.into_iter().partition(|threat| threat.by == Kind::Pawn);
        if let Some(threat) = pieces.first() {
            let victims = squares(pieces.iter());
            if may_hold_a_simple_draw(&self.after, self.side, &victims, &self.rules.chase) {
                let why = Words::new(
                    "只捉士象，若占据防守要点、立即成简明和棋则按闲（27.3），未能断定",
                    "chases advisers or elephants only, which is idle where it holds a simple draw (27.3): not proved",
                );
                let line = threat.line.clone();
                return named(Label::Unproved, Label::Unproved, victims, why, line);
            }
            let why = chase_words(&self.after, threat);
            let joint = pieces.iter().all(|threat| is_joint(&self.after, threat));
            let chase = named(Label::Chase, Label::Chase, victims, why, threat.line.clone());
            return Labelled { joint, ..chase };
        }
        if kill == Kill::Unproved || !complete {
            let why = Words::new("搜索达到上限，未能断定", "a search reached its bound");
            let unproved = named(Label::Unproved, Label::Unproved, Vec::new(), why, Vec::new());
            return Labelled { past_bound: true, ..unproved };
        }
        let (idle, targets, why) = name(&self.after, self.mv);
        // 27.2 speaks of what the pawn itself takes (兵本身捉吃), not of what falls to it after checks.
        let pawn = pawns.iter().find(|threat| threat.means == Means::Capture);
        let (with_pawns, why) = match pawn.filter(|_| self.rules.chase.pawn_if_mutual) {
            Some(threat) => (
                Label::Chase,
                Words::new(
                    format!("兵（卒）捉 {}，按闲（27.2）", threat.victim),
                    format!("a pawn attacks {}, which is idle (27.2)", threat.victim),
                ),
            ),
            None => (idle, why),
        };
        named(idle, with_pawns, targets, why, Vec::new())
    }

    /// Whether one search shows that the ply threatens neither mate nor a gain by checks.
    fn is_harmless(&mut self) -> bool {
        if self.first.is_empty() {
            return true;
        }
        if !self.rules.kill || !self.rules.chase.by_checks {
            return false;
        }
        // Where it does not come to an end, half is left to tell kills from gains.
        let mut half = self.budget.half();
        let harmless = self.direct(&mut half).and_then(|direct| {
            if direct.chases() {
                return Ok(false);
            }
            let ply = self.ply(&direct);
            let harmless = is_harmless(&ply, &self.rules.chase, &mut half);
            self.direct = Some(direct);
            harmless
        });
        self.budget.charge(half);
        harmless == Ok(true)
    }

    /// Whether the ply threatens to mate by checks; a threat that was there before is none where the rules say so.
    fn kill(&mut self) -> Kill {
        if !self.rules.kill {
            return Kill::No;
        }
        let line = match mate_but_for(&self.next, SquareSet::EMPTY, &mut self.budget) {
            Proof::Yes(line) => self.frame.line(line),
            Proof::No => return Kill::No,
            Proof::Unproved => return Kill::Unproved,
        };
        if self.rules.old_kill {
            return Kill::New(line);
        }
        let excused = self.before.checkers(self.before.side());
        match mate_but_for(&self.before, excused, &mut self.budget) {
            Proof::Yes(_) => Kill::Old,
            Proof::No => Kill::New(line),
            Proof::Unproved => Kill::Unproved,
        }
    }

    /// The gains that the ply has newly made possible, by pair of attacker and victim (29.2, chapter 7 item 2).
    /// Sequences of checks are searched only where no piece is chased more plainly, and only if `sequences`; `mates`
    /// says whether some of them may mate. `false` where the bound was reached.
    fn chased(&mut self, sequences: bool, mates: bool) -> (Vec<Threat>, bool) {
        let mut budget = self.budget;
        let direct = self.direct.take().map_or_else(|| self.direct(&mut budget), Ok);
        let found = direct.map(|direct| {
            let none = !sequences || !self.rules.chase.by_checks || self.first.is_empty();
            if none || direct.chases() {
                return (direct.new, true);
            }
            let ply = self.ply(&direct);
            match new_by_checks(&ply, mates, &self.rules.chase, &mut budget) {
                Ok(by_checks) => ([direct.new, by_checks].concat(), true),
                Err(Spent) => (direct.new, false),
            }
        });
        self.budget = budget;
        let (threats, complete) = found.unwrap_or((Vec::new(), false));
        (threats.into_iter().map(|threat| self.frame.threat(threat)).collect(), complete)
    }

    /// The captures and exchanges that threaten to win, and which of them are new.
    fn direct(&self, budget: &mut Budget) -> Result<Direct, Spent> {
        let chase = &self.rules.chase;
        let now = by_captures(&self.next, chase, budget)?;
        if now.is_empty() && self.first.is_empty() {
            return Ok(Direct { now, old: Vec::new(), new: Vec::new() });
        }
        let old = by_captures(&self.before, chase, budget)?;
        let is_new = |threat: &&Threat| {
            let moved = threat.attacker == self.played.to;
            let attacker = if moved { self.played.from } else { threat.attacker };
            old.iter().all(|known| known.pair() != (attacker, threat.victim))
        };
        let new = now.iter().filter(is_new).cloned().collect();
        Ok(Direct { now, old, new })
    }

    fn ply<'d>(&'d self, direct: &'d Direct) -> Ply<'d> {
        Ply {
            next: &self.next,
            before: &self.before,
            mv: self.played,
            direct: [&direct.now, &direct.old],
            first: &self.first,
        }
    }
}

/// Whether `threat` takes what another piece guards and what is worth no more than the taker: it wins because others
/// stand behind the taker.
fn is_joint(after: &Position, threat: &Threat) -> bool {
    let worth = |square| after.piece_at(square).map_or(0, |piece| worth(piece, square));
    threat.means == Means::Capture
        && !threat.unguarded
        && worth(threat.victim) <= worth(threat.attacker)
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

    // Reports of users of another program (R53): the horse on f0 is pinned by the chariot on i0 and takes nothing; the
    // pawn stood between the chariot and the horse.
    #[test]
    fn reported_one_move_questions() {
        assert!(name_of("4k4/9/9/9/9/9/9/4c1N2/9/3K4r w", "g2f0") != "chase");
        assert_eq!(name_of("n4k3/9/9/9/9/9/9/9/p8/R2K5 w", "a0a1"), "chase");
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
