//! Where pieces go on a given occupation of the board, from tables built at compile time.
//!
//! Everything here works on plain 90-bit sets (`u128`, bit [`Square::index`]) and knows neither turn nor check. Lines
//! are cut with masks: of the ray from a square, the occupied part's lowest or highest bit is the first blocker. Legs
//! (马腿) and eyes (象眼) are stored beside the targets that they free. Articles 1.1 and 2.2 (R001, R005).

use super::{Side, Square};

const SQUARES: usize = Square::COUNT;

/// Directions of rays: towards Black, towards Red's right, towards Red, towards Red's left. Squares grow along the
/// first two and shrink along the others.
const DIRECTIONS: [(i8, i8); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const DIAGONALS: [(i8, i8); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const NORTH: usize = 0;
const EAST: usize = 1;
const SOUTH: usize = 2;
const WEST: usize = 3;

/// A square that must be empty, and the squares that this frees.
type Gate = (u128, u128);

/// Palace (九宫) of Red and Black.
pub(super) static PALACE: [u128; 2] = [region(3, 5, 0, 2), region(3, 5, 7, 9)];
/// The own side of the river (河界) of Red and Black.
pub(super) static HALF: [u128; 2] = [region(0, 8, 0, 4), region(0, 8, 5, 9)];

/// The squares in each direction from a square, to the edge.
static RAYS: [[u128; SQUARES]; 4] = rays();
/// All squares on the file and rank of a square, without itself.
pub(super) static CROSS: [u128; SQUARES] = cross();
/// One step along a line, palace not asked.
pub(super) static ORTHOGONAL: [u128; SQUARES] = steps(DIRECTIONS);
/// One step along a diagonal, palace not asked.
pub(super) static DIAGONAL: [u128; SQUARES] = steps(DIAGONALS);
/// Eye and target of the elephant's four moves, river not asked.
static ELEPHANT: [[Gate; 4]; SQUARES] = elephant_gates();
/// Targets of the elephant's moves on an empty board.
pub(super) static ELEPHANT_ZONE: [u128; SQUARES] = zone(&elephant_gates());
/// Leg and targets of the horse's moves.
static HORSE: [[Gate; 4]; SQUARES] = horse_gates(false);
/// Leg and origins of the horse moves that reach a square.
static HORSE_ORIGINS: [[Gate; 4]; SQUARES] = horse_gates(true);
/// The leg of the horse's move from one square to another, the eye of the elephant's; [`NO_GATE`] where it has no such move.
static LEGS: [[u8; SQUARES]; SQUARES] = gates_between(&horse_gates(false));
static EYES: [[u8; SQUARES]; SQUARES] = gates_between(&elephant_gates());
const NO_GATE: u8 = u8::MAX;
/// Origins of the horse moves that reach a square of an empty board.
pub(super) static HORSE_ZONE: [u128; SQUARES] = zone(&horse_gates(true));
/// For each square what a piece on another one has to do with a general on it, as [`LINE`], [`LEG`] and [`LEAP`]; of a line
/// the direction stands in the bits from [`DIRECTION`] on.
pub(super) static RELATIONS: [[u8; SQUARES]; SQUARES] = relations();
/// It stands on a line of the general.
pub(super) const LINE: u8 = 1;
/// It stands beside it on a diagonal, where the leg of a horse is that attacks it; or it is the general.
pub(super) const LEG: u8 = 2;
/// A horse there may attack it.
pub(super) const LEAP: u8 = 4;
const DIRECTION: u8 = 3;

/// Each square as a set; the entries past 90 let the index be masked instead of checked.
static BITS: [u128; 128] = bits();
/// The squares of each file.
static FILES: [u128; 9] = files();
/// Targets of a pawn of each side.
pub(super) static PAWN: [[u128; SQUARES]; 2] = [pawn_targets(1), pawn_targets(-1)];
/// Origins of the pawn moves of each side that reach a square.
pub(super) static PAWN_ORIGINS: [[u128; SQUARES]; 2] = [pawn_origins(1), pawn_origins(-1)];

const fn region(file_from: usize, file_to: usize, rank_from: usize, rank_to: usize) -> u128 {
    let mut set = 0;
    let mut rank = rank_from;
    while rank <= rank_to {
        let mut file = file_from;
        while file <= file_to {
            set |= 1 << (rank * 9 + file);
            file += 1;
        }
        rank += 1;
    }
    set
}

/// The set of the one square so far away, empty off the board.
const fn at(square: usize, files: i8, ranks: i8) -> u128 {
    let file = (square % 9) as i8 + files;
    let rank = (square / 9) as i8 + ranks;
    if 0 <= file && file < 9 && 0 <= rank && rank < 10 {
        1 << (rank as usize * 9 + file as usize)
    } else {
        0
    }
}

const fn rays() -> [[u128; SQUARES]; 4] {
    let mut table = [[0; SQUARES]; 4];
    let mut direction = 0;
    while direction < 4 {
        let (files, ranks) = DIRECTIONS[direction];
        let mut square = 0;
        while square < SQUARES {
            let mut step = 1;
            while step < 10 {
                table[direction][square] |= at(square, files * step, ranks * step);
                step += 1;
            }
            square += 1;
        }
        direction += 1;
    }
    table
}

const fn cross() -> [u128; SQUARES] {
    let rays = rays();
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] =
            rays[NORTH][square] | rays[EAST][square] | rays[SOUTH][square] | rays[WEST][square];
        square += 1;
    }
    table
}

const fn steps(directions: [(i8, i8); 4]) -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut n = 0;
        while n < 4 {
            table[square] |= at(square, directions[n].0, directions[n].1);
            n += 1;
        }
        square += 1;
    }
    table
}

const fn elephant_gates() -> [[Gate; 4]; SQUARES] {
    let mut table = [[(0, 0); 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut n = 0;
        while n < 4 {
            let (files, ranks) = DIAGONALS[n];
            table[square][n] = (at(square, files, ranks), at(square, 2 * files, 2 * ranks));
            n += 1;
        }
        square += 1;
    }
    table
}

/// Seen from the horse the leg is the orthogonal neighbour; seen from the target it is the diagonal neighbour.
const fn horse_gates(from_target: bool) -> [[Gate; 4]; SQUARES] {
    let mut table = [[(0, 0); 4]; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let mut n = 0;
        while n < 4 {
            table[square][n] = if from_target {
                let (f, r) = DIAGONALS[n];
                (at(square, f, r), at(square, 2 * f, r) | at(square, f, 2 * r))
            } else {
                let (f, r) = DIRECTIONS[n];
                (
                    at(square, f, r),
                    at(square, 2 * f + r, 2 * r + f) | at(square, 2 * f - r, 2 * r - f),
                )
            };
            n += 1;
        }
        square += 1;
    }
    table
}

/// The gate behind which one square stands for another.
const fn gates_between(gates: &[[Gate; 4]; SQUARES]) -> [[u8; SQUARES]; SQUARES] {
    let mut table = [[NO_GATE; SQUARES]; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut n = 0;
        while n < 4 {
            let (gate, mut targets) = gates[from][n];
            while targets != 0 {
                table[from][targets.trailing_zeros() as usize] = gate.trailing_zeros() as u8;
                targets &= targets - 1;
            }
            n += 1;
        }
        from += 1;
    }
    table
}

/// The squares behind the gates of each square, all of them open.
const fn zone(gates: &[[Gate; 4]; SQUARES]) -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        let [a, b, c, d] = gates[square];
        table[square] = a.1 | b.1 | c.1 | d.1;
        square += 1;
    }
    table
}

const fn relations() -> [[u8; SQUARES]; SQUARES] {
    let (rays, diagonals, leaps) = (rays(), steps(DIAGONALS), zone(&horse_gates(true)));
    let mut table = [[0; SQUARES]; SQUARES];
    let mut general = 0;
    while general < SQUARES {
        let mut other = 0;
        while other < SQUARES {
            let bit = 1 << other;
            let mut direction = 0;
            while direction < 4 {
                if rays[direction][general] & bit != 0 {
                    table[general][other] |= LINE | (direction as u8) << DIRECTION;
                }
                direction += 1;
            }
            if diagonals[general] & bit != 0 || general == other {
                table[general][other] |= LEG;
            }
            if leaps[general] & bit != 0 {
                table[general][other] |= LEAP;
            }
            other += 1;
        }
        general += 1;
    }
    table
}

const fn bits() -> [u128; 128] {
    let mut table = [0; 128];
    let mut square = 0;
    while square < SQUARES {
        table[square] = 1 << square;
        square += 1;
    }
    table
}

const fn files() -> [u128; 9] {
    let mut table = [0; 9];
    let mut file = 0;
    while file < 9 {
        table[file] = region(file, file, 0, 9);
        file += 1;
    }
    table
}

const fn pawn_targets(forward: i8) -> [u128; SQUARES] {
    let mut table = [0; SQUARES];
    let mut square = 0;
    while square < SQUARES {
        table[square] = at(square, 0, forward);
        if (forward > 0) == (square >= 45) {
            table[square] |= at(square, 1, 0) | at(square, -1, 0);
        }
        square += 1;
    }
    table
}

const fn pawn_origins(forward: i8) -> [u128; SQUARES] {
    let targets = pawn_targets(forward);
    let mut table = [0; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            if targets[from] >> to & 1 == 1 {
                table[to] |= 1 << from;
            }
            to += 1;
        }
        from += 1;
    }
    table
}

/// The lowest bit of a set as a set, empty for the empty set.
const fn lowest(set: u128) -> u128 {
    set & set.wrapping_neg()
}

/// The highest bit of a set as a set, empty for the empty set.
const fn highest(set: u128) -> u128 {
    if set == 0 { 0 } else { 1 << (127 - set.leading_zeros()) }
}

/// The blocker nearest to the origin of a ray.
const fn nearest(direction: usize, blockers: u128) -> u128 {
    if direction == NORTH || direction == EAST { lowest(blockers) } else { highest(blockers) }
}

/// The part of the ray from `square` up to and including the one square of `stop`, all of it if `stop` is empty.
fn ray_to(direction: usize, square: Square, stop: u128) -> u128 {
    let ray = RAYS[direction][square.index()];
    match Square::from_index(stop.trailing_zeros() as u8) {
        Some(stop) => ray ^ RAYS[direction][stop.index()],
        None => ray,
    }
}

/// The squares strictly between two squares of one file or rank, else empty.
pub(super) fn between(a: Square, b: Square) -> u128 {
    let relation = |from: Square, to: Square| RELATIONS[from.index()][to.index()];
    line_of(a, relation(a, b)) & line_of(b, relation(b, a))
}

/// Squares that a chariot (车) on `square` reaches or captures on, own pieces not told apart.
pub(super) fn chariot(square: Square, occupied: u128) -> u128 {
    let mut reach = 0;
    for (direction, rays) in RAYS.iter().enumerate() {
        let stop = nearest(direction, rays[square.index()] & occupied);
        reach |= ray_to(direction, square, stop);
    }
    reach
}

/// Squares that a cannon (炮) on `square` moves to, and those that it captures on: the second piece of each line
/// (R006), own pieces not told apart.
pub(super) fn cannon(square: Square, occupied: u128) -> (u128, u128) {
    let (mut quiet, mut captures) = (0, 0);
    for (direction, rays) in RAYS.iter().enumerate() {
        let blockers = rays[square.index()] & occupied;
        let screen = nearest(direction, blockers);
        quiet |= ray_to(direction, square, screen) & !screen;
        captures |= nearest(direction, blockers & !screen);
    }
    (quiet, captures)
}

/// Squares from which a cannon captures on `square`: behind the first piece of each line, up to the second one.
pub(super) fn cannon_origins(square: Square, occupied: u128) -> u128 {
    let mut origins = 0;
    for (direction, rays) in RAYS.iter().enumerate() {
        let blockers = rays[square.index()] & occupied;
        let screen = nearest(direction, blockers);
        if let Some(behind) = Square::from_index(screen.trailing_zeros() as u8) {
            let second = nearest(direction, blockers & !screen);
            origins |= ray_to(direction, behind, second);
        }
    }
    origins
}

/// Of the lines of `square` the one on which stands what has this relation to it; empty if it stands on none.
pub(super) fn line_of(square: Square, relation: u8) -> u128 {
    if relation & LINE == 0 {
        0
    } else {
        RAYS[usize::from(relation >> DIRECTION & 3)][square.index()]
    }
}

/// The square that must be empty for a horse to move so; `None` if none does.
pub(super) fn leg(from: Square, to: Square) -> Option<Square> {
    Square::from_index(LEGS[from.index()][to.index()])
}

/// The square that must be empty for an elephant to move so, river not asked; `None` if none does.
pub(super) fn eye(from: Square, to: Square) -> Option<Square> {
    Square::from_index(EYES[from.index()][to.index()])
}

fn through(gates: &[Gate; 4], occupied: u128) -> u128 {
    gates
        .iter()
        .fold(0, |set, (gate, targets)| if gate & occupied == 0 { set | targets } else { set })
}

/// Squares that a horse (马) on `square` reaches.
pub(super) fn horse(square: Square, occupied: u128) -> u128 {
    through(&HORSE[square.index()], occupied)
}

/// The horses of `horses` that reach `square`.
pub(super) fn horse_origins(square: Square, horses: u128, occupied: u128) -> u128 {
    if horses & HORSE_ZONE[square.index()] == 0 {
        return 0;
    }
    through(&HORSE_ORIGINS[square.index()], occupied) & horses
}

/// The elephants of `elephants` that reach `square`, if that lies before their river.
pub(super) fn elephants_at(square: Square, elephants: u128, occupied: u128) -> u128 {
    if elephants & ELEPHANT_ZONE[square.index()] == 0 {
        return 0;
    }
    elephant_origins(square, occupied) & elephants
}

/// The legs of the moves by which `horses` would reach `square`.
pub(super) fn horse_legs(square: Square, horses: u128) -> u128 {
    let gates = HORSE_ORIGINS[square.index()].iter();
    gates.fold(0, |set, (leg, origins)| if origins & horses == 0 { set } else { set | leg })
}

/// The set of one square: a look-up costs less than to shift so wide a number.
pub(super) fn bit(square: Square) -> u128 {
    BITS[square.index() & 127]
}

/// The file of a square.
pub(super) fn file(square: Square) -> u128 {
    FILES[usize::from(square.file())]
}

/// Squares that an elephant (相/象) of `side` on `square` reaches.
pub(super) fn elephant(square: Square, side: Side, occupied: u128) -> u128 {
    elephant_origins(square, occupied) & HALF[side as usize]
}

/// Squares from which an elephant reaches `square`, if that lies before its river.
fn elephant_origins(square: Square, occupied: u128) -> u128 {
    through(&ELEPHANT[square.index()], occupied)
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn squares() -> std::ops::Range<usize> {
        0..SQUARES
    }

    /// Counted on a drawn board: five and nine points in each palace, 45 on each side of the river.
    #[test]
    fn regions_have_the_points_of_article_1_1() {
        for side in Side::ALL {
            assert_eq!(PALACE[side as usize].count_ones(), 9);
            assert_eq!(HALF[side as usize].count_ones(), 45);
        }
        assert_eq!(HALF[0] & HALF[1], 0);
        assert_eq!(PALACE[1].trailing_zeros(), 7 * 9 + 3);
    }

    /// A chariot sees eight points of its rank and nine of its file from anywhere.
    #[test]
    fn every_cross_has_seventeen_points() {
        assert!(squares().all(|square| CROSS[square].count_ones() == 17));
    }

    /// One table from the target back, one from the piece on.
    #[test]
    fn cannon_tables_are_inverse() {
        let occupied = Square::all()
            .filter(|square| square.index() % 3 == 0)
            .fold(0, |set, square| set | 1 << square.index());
        for target in Square::all() {
            let occupied = occupied | 1 << target.index();
            let slow =
                Square::all().filter(|from| cannon(*from, occupied).1 >> target.index() & 1 == 1);
            let slow = slow.fold(0, |set: u128, from| set | 1 << from.index());
            assert_eq!(cannon_origins(target, occupied), slow, "{target}");
        }
    }

    /// An empty board has 4 * 8 * 8 moves one file over and 4 * 7 * 9 two files over.
    #[test]
    fn horse_tables_are_inverse() {
        let on_empty = |square| horse(square, 0);
        assert_eq!(Square::all().map(|square| on_empty(square).count_ones()).sum::<u32>(), 508);
        for (from, to) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
            for leg in Square::all() {
                let occupied = 1 << leg.index();
                let reaches = horse(from, occupied) >> to.index() & 1 == 1;
                let origin = horse_origins(to, 1 << from.index(), occupied) != 0;
                assert_eq!(reaches, origin, "{from}{to} {leg}");
            }
        }
    }

    #[test]
    fn between_is_symmetric_and_only_on_lines() {
        for (a, b) in Square::all().flat_map(|a| Square::all().map(move |b| (a, b))) {
            let files = a.file().abs_diff(b.file());
            let ranks = a.rank().abs_diff(b.rank());
            let count =
                if files == 0 || ranks == 0 { (files + ranks).saturating_sub(1) } else { 0 };
            assert_eq!(between(a, b).count_ones(), u32::from(count), "{a} {b}");
            assert_eq!(between(a, b), between(b, a));
        }
    }
}
