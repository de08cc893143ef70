//! What must hold of every ruling: symmetry, and evidence that can be played out. Tried on every repetition of the real
//! archives and on cycles generated from the positions of real games.

use std::{collections::HashMap, fs};

use qijian::{
    board::{Kind, Move, Piece, Position, Setup, Side, Square},
    rules::{
        Profile, Verdict,
        cycle::{Cycle, repetitions},
        label::Label,
        repetition::{Ruling, judge},
    },
};
use serde_json::Value;

use crate::support::{ruled_archive, shared};

/// A line with a repetition in it.
struct Case {
    name: String,
    start: Position,
    moves: Vec<Move>,
    cycle: Cycle,
}

fn moves(game: &Value) -> Vec<Move> {
    let list = game["moves"].as_array().unwrap();
    list.iter().map(|mv| mv.as_str().unwrap().parse().unwrap()).collect()
}

fn cycles(start: &Position, moves: &[Move]) -> Vec<Cycle> {
    let mut position = start.clone();
    let mut keys = vec![position.key()];
    let mut captures = Vec::new();
    for mv in moves {
        captures.push(position.piece_at(mv.to).is_some());
        position.play(*mv);
        keys.push(position.key());
    }
    repetitions(&keys, &captures, 3)
}

/// Every repetition of the real archives with short periods, and cycles of two shuffling moves tried at some positions
/// of every fourth game. A fixed sequence of numbers stands for chance.
fn cases() -> Vec<Case> {
    if shared("data").is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut number = 1u64;
    let mut chance = |below: usize| {
        number =
            number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (number >> 33) as usize % below.max(1)
    };
    for (index, game) in ruled_archive().iter().enumerate() {
        let Some(start) = game["start_fen"].as_str() else { continue };
        let start = Position::from_fen(start).unwrap();
        let moves = moves(game);
        let name = format!("{} game {}", game["source"], game["game"]);
        for cycle in cycles(&start, &moves) {
            if cycle.end - cycle.start <= 12 {
                let (start, moves) = (start.clone(), moves[..cycle.end].to_vec());
                found.push(Case { name: name.clone(), start, moves, cycle });
            }
        }
        if index % 4 == 0 && moves.len() > 20 {
            let mut position = start.clone();
            let until = 10 + chance(moves.len() - 10);
            for mv in &moves[..until] {
                position.play(*mv);
            }
            // The first of a few tries that can be taken back by both sides.
            let shuffle = (0..6).find_map(|_| {
                let mut after = position.clone();
                let mut period = Vec::new();
                for _ in 0..2 {
                    let quiet: Vec<Move> = after
                        .legal_moves()
                        .into_iter()
                        .filter(|mv| after.piece_at(mv.to).is_none())
                        .collect();
                    let mv = *quiet.get(chance(quiet.len()))?;
                    after.play(mv);
                    period.push(mv);
                }
                for forth in period.clone() {
                    let back = Move { from: forth.to, to: forth.from };
                    if !after.is_legal(back) {
                        return None;
                    }
                    after.play(back);
                    period.push(back);
                }
                Some(period)
            });
            if let Some(period) = shuffle {
                let moves = [period.clone(), period].concat();
                let cycle = Cycle { start: 4, end: 8, occurrences: 3 };
                found.push(Case {
                    name: format!("{name}, shuffled at {until}"),
                    start: position,
                    moves,
                    cycle,
                });
            }
        }
    }
    assert!(found.len() > 3_000, "only {} cycles", found.len());
    found
}

/// The position under a map of squares, with the sides exchanged if `swap`.
fn mapped(position: &Position, square: &dyn Fn(Square) -> Square, swap: bool) -> Position {
    let side = |side: Side| if swap { side.other() } else { side };
    let mut setup = Setup::empty();
    for from in Square::all() {
        setup.squares[square(from).index()] =
            position.piece_at(from).map(|piece| Piece { side: side(piece.side), ..piece });
    }
    Position::from_setup(&setup, side(position.side()))
}

/// What a ruling says, without the lines, of which there may be several as good.
fn essence(ruling: &Ruling, square: &dyn Fn(Square) -> Square, swap: bool) -> String {
    let labels: Vec<String> = ruling
        .labels
        .iter()
        .map(|labelled| {
            let shown = matches!(labelled.label, Label::Check | Label::Kill);
            let mut targets: Vec<String> = labelled
                .targets
                .iter()
                .filter(|_| shown)
                .map(|at| square(*at).to_string())
                .collect();
            targets.sort();
            format!("{} {} {targets:?}", labelled.label.as_str(), labelled.with_pawns.as_str())
        })
        .collect();
    let [red, black] = ruling.behaviours;
    let (one, other) = if swap { (black, red) } else { (red, black) };
    let verdict = match (ruling.verdict, swap) {
        (Verdict::RedLoses, true) => Verdict::BlackLoses,
        (Verdict::BlackLoses, true) => Verdict::RedLoses,
        (Verdict::RedMustChange, true) => Verdict::BlackMustChange,
        (Verdict::BlackMustChange, true) => Verdict::RedMustChange,
        (verdict, _) => verdict,
    };
    format!("{} / {} {} {labels:?}", one.as_str(), other.as_str(), verdict.as_str())
}

#[test]
fn mirroring_and_swapping_colours_change_only_names() {
    let rules = Profile::default().repetition;
    let mirror = |s: Square| Square::new(8 - s.file(), s.rank()).unwrap();
    let turn = |s: Square| Square::new(s.file(), 9 - s.rank()).unwrap();
    let mut wrong = Vec::new();
    let cases = cases();
    for case in &cases {
        let plain = judge(&case.start, &case.moves, case.cycle, &rules);
        for (square, swap) in [(&mirror as &dyn Fn(Square) -> Square, false), (&turn, true)] {
            let start = mapped(&case.start, square, swap);
            let moves: Vec<Move> = case
                .moves
                .iter()
                .map(|mv| Move { from: square(mv.from), to: square(mv.to) })
                .collect();
            let other = judge(&start, &moves, case.cycle, &rules);
            let (ours, theirs) = (essence(&plain, square, false), essence(&other, &|s| s, swap));
            if ours != theirs {
                let line: Vec<String> = case.moves.iter().map(ToString::to_string).collect();
                wrong.push(format!(
                    "{} swap {swap}\n  {ours}\n  {theirs}\n  {} {}",
                    case.name,
                    case.start.fen(),
                    line.join(" ")
                ));
            }
        }
    }
    eprintln!("{} cycles, mirrored and swapped", cases.len());
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        cases.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

/// The position with the turn given back.
fn turned(position: &Position) -> Position {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let side = if fields[1] == "w" { "b" } else { "w" };
    Position::from_fen(&format!("{} {side} - - 0 1", fields[0])).unwrap()
}

/// The value of article 25.3, written down once more.
fn value(piece: Piece, square: Square) -> i32 {
    let crossed = match piece.side {
        Side::Red => square.rank() > 4,
        Side::Black => square.rank() < 5,
    };
    match piece.kind {
        Kind::Chariot => 10,
        Kind::Horse | Kind::Cannon => 5,
        Kind::Adviser | Kind::Elephant => 2,
        Kind::Pawn if crossed => 1,
        Kind::Pawn | Kind::General => 0,
    }
}

/// Plays out a line; the pieces of value that each side loses on it, those of the first mover first. `None` if a move is
/// illegal.
fn losses(start: &Position, line: &[Move]) -> Option<[Vec<Piece>; 2]> {
    let us = start.side();
    let mut position = start.clone();
    let mut lost = [Vec::new(), Vec::new()];
    let mut sum = [0, 0];
    for mv in line {
        if !position.is_legal(*mv) {
            return None;
        }
        if let Some(prey) = position.piece_at(mv.to).filter(|prey| value(*prey, mv.to) > 0) {
            let whose = usize::from(prey.side != us);
            sum[whose] += value(prey, mv.to);
            lost[whose].push(prey);
        }
        position.play(*mv);
    }
    Some(lost)
}

/// Whether the exchange is a gain for the first (25.3): one pawn for pieces, or a piece for pawns, is none.
fn is_gain([ours, theirs]: &[Vec<Piece>; 2]) -> bool {
    let sum = |lost: &[Piece]| -> i32 {
        let squares = |piece: &Piece| {
            // A pawn counted here has crossed, so any square across the river will do.
            let rank = if piece.side == Side::Red { 9 } else { 0 };
            value(*piece, Square::new(0, rank).unwrap())
        };
        lost.iter().map(squares).sum()
    };
    let pawns =
        |lost: &[Piece]| !lost.is_empty() && lost.iter().all(|piece| piece.kind == Kind::Pawn);
    let uneven = !ours.is_empty() && !theirs.is_empty() && pawns(ours) != pawns(theirs);
    !uneven && sum(theirs) > sum(ours)
}

/// Every move and every reply, nothing clever but that no position is looked at twice with as many checks to go.
#[derive(Default)]
struct Slow {
    known: HashMap<(u64, usize), bool>,
    /// What stood on the board at first, if a gain is enough and not mate alone.
    from: Option<Position>,
    /// How pawns are counted in a gain.
    strict: bool,
}

impl Slow {
    /// Whether the side to move mates, or gains if that is enough, within so many checks against every reply.
    fn wins(&mut self, position: &Position, checks: usize) -> bool {
        if let Some(known) = self.known.get(&(position.key(), checks)) {
            return *known;
        }
        let mut wins = self.from.as_ref().is_some_and(|from| takes(from, position, self.strict));
        if !wins && checks > 0 {
            wins = position.legal_moves().into_iter().any(|mv| {
                let mut after = position.clone();
                after.play(mv);
                after.in_check(after.side())
                    && after.legal_moves().into_iter().all(|reply| {
                        let mut next = after.clone();
                        next.play(reply);
                        self.wins(&next, checks - 1)
                    })
            });
        }
        self.known.insert((position.key(), checks), wins);
        wins
    }
}

/// Whether some capture leaves the side to move with a gain over what stood on `from`, however the other side takes back
/// on that square.
fn takes(from: &Position, position: &Position, strict: bool) -> bool {
    let us = position.side();
    position.legal_moves().into_iter().any(|mv| {
        let general = position.piece_at(mv.from).is_some_and(|piece| piece.kind == Kind::General);
        let prey = position.piece_at(mv.to).is_some_and(|piece| value(piece, mv.to) > 0);
        let mut after = position.clone();
        after.play(mv);
        prey && !general && settled(from, &after, mv.to, us, strict) > 0
    })
}

/// What `us` has won since `from` when both sides may take on `square` as long as they like.
fn settled(from: &Position, position: &Position, square: Square, us: Side, strict: bool) -> i32 {
    let ours = position.side() == us;
    let stand = balance(from, position, us, strict);
    position
        .legal_moves()
        .into_iter()
        .filter(|mv| mv.to == square && position.piece_at(square).is_some())
        .map(|mv| {
            let mut after = position.clone();
            after.play(mv);
            settled(from, &after, square, us, strict)
        })
        .fold(stand, |best, value| if ours { best.max(value) } else { best.min(value) })
}

/// What `us` has won since `from`, by the pieces that are missing. Of pawns it is not known which of them fell: all that
/// are missing count if `strict`, else only those that must have crossed.
fn balance(from: &Position, now: &Position, us: Side, strict: bool) -> i32 {
    let missing = |side: Side| -> Vec<Piece> {
        Kind::ALL
            .into_iter()
            .flat_map(|kind| {
                let piece = Piece { side, kind };
                let stood = from.pieces(side, kind);
                let uncrossed =
                    stood.filter(|at| value(Piece { side, kind: Kind::Pawn }, *at) == 0);
                let lost = stood.len().saturating_sub(now.pieces(side, kind).len());
                let spared = if kind == Kind::Pawn && !strict { uncrossed.count() } else { 0 };
                vec![piece; lost.saturating_sub(spared)]
            })
            .collect()
    };
    let lost = [missing(us), missing(us.other())];
    let (one, other) = (is_gain(&lost), is_gain(&[lost[1].clone(), lost[0].clone()]));
    i32::from(one) - i32::from(other)
}

#[test]
fn the_evidence_of_every_label_can_be_played_out() {
    let rules = Profile::default().repetition;
    let mut wrong = Vec::new();
    let (mut kills, mut chases, mut deep, mut by_checks, mut idle) = (0, 0, 0, 0, 0);
    for case in cases() {
        let ruling = judge(&case.start, &case.moves, case.cycle, &rules);
        let mut position = case.start.clone();
        for mv in &case.moves[..case.cycle.start] {
            position.play(*mv);
        }
        let plies = ruling.labels.iter().zip(&case.moves[case.cycle.start..]);
        for (ply, (labelled, mv)) in plies.enumerate() {
            position.play(*mv);
            let free = turned(&position);
            let line: Vec<String> = labelled.line.iter().map(ToString::to_string).collect();
            let mut complain = |what: &str| {
                wrong.push(format!(
                    "{}: {mv} {}: {what}: {} {line:?}",
                    case.name,
                    labelled.label.as_str(),
                    free.fen()
                ));
            };
            match labelled.label {
                Label::Check if !position.in_check(position.side()) => complain("no check"),
                Label::Check => {}
                Label::Kill => {
                    kills += 1;
                    let mut end = free.clone();
                    let legal = labelled.line.iter().all(|mv| {
                        let legal = end.is_legal(*mv);
                        end.play(*mv);
                        legal
                    });
                    if !legal || end.has_legal_move() || !end.in_check(end.side()) {
                        complain("does not end in mate");
                    }
                    let checks = labelled.line.len().div_ceil(2);
                    deep += usize::from(checks > 2);
                    if !Slow::default().wins(&free, checks) {
                        complain("does not hold against every reply");
                    }
                }
                Label::Chase => {
                    chases += 1;
                    let Some(lost) = losses(&free, &labelled.line) else {
                        complain("is illegal");
                        continue;
                    };
                    if !is_gain(&lost) {
                        complain("gains nothing");
                    }
                    // By checks: within some number of them it holds against every reply.
                    if labelled.why.en.contains("won by checks") {
                        by_checks += 1;
                        let holds = [false, true].into_iter().any(|strict| {
                            let from = Some(free.clone());
                            let mut slow = Slow { from, strict, ..Slow::default() };
                            (1..=5).any(|checks| slow.wins(&free, checks))
                        });
                        if !holds {
                            complain("does not hold against every reply");
                        }
                    }
                    // The victim falls on the line, and not to the general itself (27.1).
                    let first = labelled.line[0];
                    if free.piece_at(first.from).is_none_or(|piece| piece.side != free.side()) {
                        complain("is begun by the wrong side");
                    }
                }
                Label::Unproved => {}
                // Nothing is called idle that threatens a short mate, unless it was threatened before (old_kill).
                _ => {
                    idle += 1;
                    let mut before = case.start.clone();
                    for mv in &case.moves[..case.cycle.start + ply] {
                        before.play(*mv);
                    }
                    let mut slow = Slow::default();
                    if Slow::default().wins(&free, 2)
                        && !before.in_check(before.side())
                        && !(1..=12).any(|checks| slow.wins(&before, checks))
                    {
                        complain("threatens mate and is called idle");
                    }
                }
            }
        }
    }
    eprintln!(
        "{kills} kills, {deep} of three checks and more; {chases} chases, {by_checks} by checks; {idle} idle"
    );
    assert!(by_checks > 20 && deep > 20, "{by_checks} {deep}");
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
}

/// Motifs of official Chinese rulings whose boards are pictures: positions of our own in which exactly the described
/// motif occurs, with the labels and the ruling as published.
#[test]
fn constructed_motifs() {
    let text = include_str!("rulings-constructed.jsonl");
    let mut motifs = std::collections::BTreeSet::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        assert_eq!(row["constructed"], true);
        let text = |key: &str| row[key].as_str().unwrap();
        let id = text("id");
        let start = Position::from_fen(text("fen")).unwrap();
        let period: Vec<Move> = text("cycle").split(' ').map(|mv| mv.parse().unwrap()).collect();
        let moves = [period.clone(), period.clone()].concat();
        let mut position = start.clone();
        for mv in &moves {
            assert!(position.is_legal(*mv), "{id}: {mv}");
            position.play(*mv);
        }
        let found = cycles(&start, &moves);
        assert_eq!((found.len(), position.key()), (1, start.key()), "{id}");
        let rules = Profile::load(text("profile")).unwrap().repetition;
        let ruling = judge(&start, &moves, found[0], &rules);
        let labels: Vec<&str> = ruling
            .labels
            .iter()
            .map(|labelled| if labelled.label.is_idle() { "闲" } else { labelled.label.glyph() })
            .collect();
        let expected: Vec<&str> = text("labels")
            .split(' ')
            .map(|label| if "兑献拦跟".contains(label) { "闲" } else { label })
            .collect();
        assert_eq!(labels, expected, "{id}: {:?}", ruling.labels);
        assert_eq!(ruling.verdict.as_str(), text("verdict"), "{id}");
        motifs.insert(text("motif").to_owned());
    }
    assert!(motifs.len() >= 10, "{motifs:?}");
    let Some(published) = shared("cases/rulings-without-board.jsonl") else { return };
    let published = fs::read_to_string(published).unwrap();
    for motif in motifs {
        assert!(published.contains(&format!("\"{motif}\"")), "{motif} is not published");
    }
}
