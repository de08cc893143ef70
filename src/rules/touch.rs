//! Touched pieces (摸子, articles 5.1 to 5.5; R023 to R027, R051, R052): which move was owed.

use crate::board::{Move, Position, Square};

/// What is owed after a touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owed {
    /// This piece takes that one.
    CaptureWith(Square, Square),
    /// This piece moves.
    Move(Square),
    /// That piece is taken, by whatever can.
    Capture(Square),
    /// Nothing: any move may be made.
    Free,
}

impl Owed {
    /// Whether `mv` does what is owed.
    pub fn is_met_by(self, mv: Move) -> bool {
        match self {
            Owed::CaptureWith(from, to) => mv.from == from && mv.to == to,
            Owed::Move(from) => mv.from == from,
            Owed::Capture(to) => mv.to == to,
            Owed::Free => true,
        }
    }
}

/// A touch judged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Duty {
    /// What is owed.
    pub owed: Owed,
    /// The article that says so.
    pub article: &'static str,
    /// Own pieces touched that cannot move (9.1.5).
    pub unmovable: Vec<Square>,
    /// Pieces of the other side touched that nothing can take (9.1.6).
    pub untakable: Vec<Square>,
}

impl Duty {
    /// The article of the foul that the touch is, if it is one. One touch is one foul, whatever was touched by it.
    pub fn foul(&self) -> Option<&'static str> {
        match (self.unmovable.is_empty(), self.untakable.is_empty()) {
            (false, _) => Some("9.1.5"),
            (true, false) => Some("9.1.6"),
            (true, true) => None,
        }
    }
}

/// What the side to move of `position` owes after touching the pieces on `squares` in this order, or at once
/// (`together`). `None` if no piece stands on one of them. Of several pieces of a side each counts, in the order touched.
///
/// ```
/// use qijian::{board::Position, rules::touch::{Owed, duty}};
///
/// // The cannon of b2 can take the horse of b9: touching both, in this order, it must (5.3).
/// let (cannon, horse) = ("b2b9".parse::<qijian::board::Move>().map(|mv| (mv.from, mv.to))).unwrap();
/// let found = duty(&Position::start(), &[cannon, horse], false).unwrap();
/// assert_eq!((found.owed, found.article), (Owed::CaptureWith(cannon, horse), "5.3"));
/// ```
pub fn duty(position: &Position, squares: &[Square], together: bool) -> Option<Duty> {
    let mine = position.occupied_by(position.side());
    if !squares.iter().all(|square| position.occupied().contains(*square)) {
        return None;
    }
    let (own, other): (Vec<Square>, Vec<Square>) =
        squares.iter().partition(|square| mine.contains(**square));
    let moves = position.legal_moves();
    let moves_from = |square: Square| moves.iter().any(|mv| mv.from == square);
    let is_taken = |square: Square| moves.iter().any(|mv| mv.to == square);
    let pairs = own.iter().flat_map(|from| other.iter().map(move |to| (*from, *to)));
    let pair = pairs
        .into_iter()
        .find(|(from, to)| moves.iter().any(|mv| mv.from == *from && mv.to == *to))
        .map(|(from, to)| Owed::CaptureWith(from, to));
    let step = own.iter().copied().find(|square| moves_from(*square)).map(Owed::Move);
    let capture = other.iter().copied().find(|square| is_taken(*square)).map(Owed::Capture);
    let own_first = squares.first().is_some_and(|square| mine.contains(*square));
    let (article, owed) = match (own.is_empty(), other.is_empty()) {
        (false, true) => ("5.1", step),
        (true, false) => ("5.2", capture),
        (true, true) => return None,
        _ if together => ("5.5", pair.or(capture).or(step)),
        _ if own_first => ("5.3", pair.or(step).or(capture)),
        _ => ("5.4", pair.or(capture).or(step)),
    };
    Some(Duty {
        owed: owed.unwrap_or(Owed::Free),
        article,
        unmovable: own.into_iter().filter(|square| !moves_from(*square)).collect(),
        untakable: other.into_iter().filter(|square| !is_taken(*square)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(square: &str) -> Square {
        format!("{square}a0").parse::<Move>().unwrap().from
    }

    fn judged(fen: &str, squares: &[&str], together: bool) -> Duty {
        let squares: Vec<Square> = squares.iter().map(|square| at(square)).collect();
        duty(&Position::from_fen(fen).unwrap(), &squares, together).unwrap()
    }

    // Red: chariot a1 can take a5 and no other; horse h0 can move; cannon i0 shut in by i1 and h0.
    // Black: pawn a5 hangs, adviser d9 does not.
    const FEN: &str = "3aka3/9/9/9/p8/9/9/9/R7P/3K3NC w";

    #[test]
    fn own_pieces() {
        let found = judged(FEN, &["a1"], false);
        assert_eq!((found.owed, found.article, found.foul()), (Owed::Move(at("a1")), "5.1", None));
        // A cannon between two own pieces at the edge cannot move: a foul, and any move may be made.
        let found = judged(FEN, &["i0"], false);
        assert_eq!((found.owed, found.foul()), (Owed::Free, Some("9.1.5")));
        // The first that can move moves.
        assert_eq!(judged(FEN, &["i0", "h0"], false).owed, Owed::Move(at("h0")));
    }

    #[test]
    fn pieces_of_the_other_side() {
        let found = judged(FEN, &["a5"], false);
        assert_eq!(
            (found.owed, found.article, found.foul()),
            (Owed::Capture(at("a5")), "5.2", None)
        );
        let found = judged(FEN, &["d9"], false);
        assert_eq!((found.owed, found.foul()), (Owed::Free, Some("9.1.6")));
    }

    // 5.3: take with it, move it, take with another, free.
    #[test]
    fn own_then_other() {
        let owed = |squares: &[&str]| judged(FEN, squares, false).owed;
        assert_eq!(owed(&["a1", "a5"]), Owed::CaptureWith(at("a1"), at("a5")));
        assert_eq!(owed(&["h0", "a5"]), Owed::Move(at("h0")));
        assert_eq!(owed(&["i0", "a5"]), Owed::Capture(at("a5")));
        let free = judged(FEN, &["i0", "d9"], false);
        assert_eq!((free.owed, free.article, free.foul()), (Owed::Free, "5.3", Some("9.1.5")));
        assert_eq!((free.unmovable, free.untakable), (vec![at("i0")], vec![at("d9")]));
    }

    // 5.4 and 5.5: take with it, take with another, move it, free.
    #[test]
    fn other_then_own_or_both_at_once() {
        let owed = |squares: &[&str], together| judged(FEN, squares, together).owed;
        for together in [false, true] {
            assert_eq!(owed(&["a5", "a1"], together), Owed::CaptureWith(at("a1"), at("a5")));
            assert_eq!(owed(&["a5", "h0"], together), Owed::Capture(at("a5")));
            assert_eq!(owed(&["d9", "h0"], together), Owed::Move(at("h0")));
            assert_eq!(owed(&["d9", "i0"], together), Owed::Free);
        }
        // At once, the order written says nothing.
        assert_eq!(judged(FEN, &["h0", "a5"], true).article, "5.5");
        assert_eq!(owed(&["h0", "a5"], true), Owed::Capture(at("a5")));
    }

    // A pinned piece cannot move, by the rules of moving: no duty.
    #[test]
    fn legal_means_legal() {
        let pinned = "3k5/9/9/9/9/9/9/9/3R5/3K5 w";
        assert_eq!(judged(pinned, &["d1"], false).owed, Owed::Move(at("d1")));
        let pinned = "4k4/4r4/9/9/9/9/9/9/4C4/4K4 w";
        assert_eq!(judged(pinned, &["e1"], false).owed, Owed::Move(at("e1")));
        let horse = "4k4/4r4/9/9/9/9/9/9/4N4/4K4 w";
        assert_eq!(judged(horse, &["e1"], false).foul(), Some("9.1.5"));
        assert_eq!(duty(&Position::start(), &[at("e4")], false), None);
        assert_eq!(duty(&Position::start(), &[], false), None);
    }

    #[test]
    fn met_or_not() {
        let mv = |text: &str| text.parse::<Move>().unwrap();
        let capture = Owed::CaptureWith(at("a1"), at("a5"));
        assert!(capture.is_met_by(mv("a1a5")) && !capture.is_met_by(mv("a1a4")));
        assert!(Owed::Move(at("a1")).is_met_by(mv("a1a4")));
        assert!(!Owed::Capture(at("a5")).is_met_by(mv("a1a4")) && Owed::Free.is_met_by(mv("a1a4")));
    }
}
