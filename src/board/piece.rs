//! Sides, kinds of piece, pieces.

/// A player: Red (红方) moves first (article 2.1, R004).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// 红方
    Red,
    /// 黑方
    Black,
}

impl Side {
    /// Red, then Black.
    pub const ALL: [Side; 2] = [Side::Red, Side::Black];

    /// The opponent.
    #[must_use]
    pub const fn other(self) -> Side {
        match self {
            Side::Red => Side::Black,
            Side::Black => Side::Red,
        }
    }

    /// `red` or `black`, the word used in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Side::Red => "red",
            Side::Black => "black",
        }
    }
}

/// One of the seven kinds of piece (article 1.2, R002).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// 帅 / 将
    General,
    /// 仕 / 士
    Adviser,
    /// 相 / 象
    Elephant,
    /// 马
    Horse,
    /// 车
    Chariot,
    /// 炮
    Cannon,
    /// 兵 / 卒
    Pawn,
}

impl Kind {
    /// All kinds, General first.
    pub const ALL: [Kind; 7] = [
        Kind::General,
        Kind::Adviser,
        Kind::Elephant,
        Kind::Horse,
        Kind::Chariot,
        Kind::Cannon,
        Kind::Pawn,
    ];

    /// The FEN letter in upper case: `K A B N R C P`.
    pub const fn letter(self) -> char {
        match self {
            Kind::General => 'K',
            Kind::Adviser => 'A',
            Kind::Elephant => 'B',
            Kind::Horse => 'N',
            Kind::Chariot => 'R',
            Kind::Cannon => 'C',
            Kind::Pawn => 'P',
        }
    }
}

/// A piece of one side.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Piece {
    /// Whose piece it is.
    pub side: Side,
    /// What it is.
    pub kind: Kind,
}

impl Piece {
    /// The piece of a FEN letter: upper case is Red; `n` or `h` the horse, `b`, `e` or `m` the elephant,
    /// `a` or `g` the adviser (G for guard), as old programs write them.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() { Side::Red } else { Side::Black };
        let kind = match letter.to_ascii_lowercase() {
            'k' => Kind::General,
            'a' | 'g' => Kind::Adviser,
            'b' | 'e' | 'm' => Kind::Elephant,
            'n' | 'h' => Kind::Horse,
            'r' => Kind::Chariot,
            'c' => Kind::Cannon,
            'p' => Kind::Pawn,
            _ => return None,
        };
        Some(Piece { side, kind })
    }

    /// The FEN letter: upper case for Red.
    pub const fn letter(self) -> char {
        match self.side {
            Side::Red => self.kind.letter(),
            Side::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The character on the disc: 帅仕相马车炮兵 for Red, 将士象马车炮卒 for Black.
    pub const fn glyph(self) -> char {
        match (self.side, self.kind) {
            (Side::Red, Kind::General) => '帅',
            (Side::Red, Kind::Adviser) => '仕',
            (Side::Red, Kind::Elephant) => '相',
            (Side::Red, Kind::Pawn) => '兵',
            (Side::Black, Kind::General) => '将',
            (Side::Black, Kind::Adviser) => '士',
            (Side::Black, Kind::Elephant) => '象',
            (Side::Black, Kind::Pawn) => '卒',
            (_, Kind::Horse) => '马',
            (_, Kind::Chariot) => '车',
            (_, Kind::Cannon) => '炮',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters of formats.md 6.1 and R08 of the references.
    #[test]
    fn letters_and_pieces_match() {
        for letter in "KABNRCPkabnrcp".chars() {
            assert_eq!(Piece::from_letter(letter).unwrap().letter(), letter);
        }
        for (other, letter) in "HEMGhemg".chars().zip("NBBAnbba".chars()) {
            assert_eq!(Piece::from_letter(other).unwrap().letter(), letter);
        }
        for letter in "dfijloqstuvwxyz1/帅\0".chars() {
            assert_eq!(Piece::from_letter(letter), None, "{letter}");
        }
    }
}
