//! Boards as SVG: drawn without a font's help but for the characters on the discs, so that they print on any paper.
//!
//! Red's discs are white with red characters, Black's are dark with white ones: the sides differ without colour too.

use maud::{Markup, html};

use crate::{
    board::{Kind, Move, Piece, Position, Side, Square},
    finding::Lang,
};

/// Distance of two lines of the board, in units of the drawing.
const UNIT: i32 = 40;
/// Room around the lines, for half a disc and the numbers of the files.
const EDGE: i32 = 40;
const WIDTH: i32 = 8 * UNIT + 2 * EDGE;
const HEIGHT: i32 = 9 * UNIT + 2 * EDGE;
/// A font that has the characters of the discs, whatever the system.
const FONT: &str = "KaiTi, STKaiti, BiauKai, 'AR PL UKai CN', 'Noto Serif CJK SC', 'Noto Sans CJK SC', 'Songti SC', SimSun, serif";

/// The board of `position` as a document of its own, with `last`, the move that led there, marked.
///
/// ```
/// use qijian::{board::Position, finding::Lang, report::svg};
///
/// let drawing = svg::document(&Position::start(), None, Lang::Zh);
/// assert!(drawing.starts_with("<svg xmlns="));
/// assert_eq!(drawing.matches("<use ").count(), 32);
/// ```
pub fn document(position: &Position, last: Option<Move>, lang: Lang) -> String {
    let label = position.fen();
    let document = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(view()) width=(WIDTH) height=(HEIGHT) role="img" aria-label=(label) {
            (discs())
            (content(position, last, lang))
        }
    };
    document.into_string() + "\n"
}

/// The board of `position` inside a page, which must hold [`discs`] once.
pub(super) fn board(position: &Position, last: Option<Move>, lang: Lang) -> Markup {
    let label = position.fen();
    html! {
        svg class="board" viewBox=(view()) role="img" aria-label=(label) { (content(position, last, lang)) }
    }
}

/// The fourteen discs, to be used by their FEN letters as `#disc-R`.
pub(super) fn discs() -> Markup {
    let pieces = Side::ALL
        .into_iter()
        .flat_map(|side| Kind::ALL.into_iter().map(move |kind| Piece { side, kind }));
    html! {
        defs {
            @for piece in pieces {
                @let (face, ink) = match piece.side {
                    Side::Red => ("#fffdf7", "#b3131b"),
                    Side::Black => ("#2b2b2b", "#ffffff"),
                };
                g id={ "disc-" (piece.letter()) } {
                    circle r="18" fill=(face) stroke="#1a1a1a" stroke-width="1.2" {}
                    circle r="15.5" fill="none" stroke=(ink) stroke-width="0.8" {}
                    text y="8" text-anchor="middle" font-size="23" font-family=(FONT) fill=(ink) { (piece.glyph()) }
                }
            }
        }
    }
}

fn view() -> String {
    format!("0 0 {WIDTH} {HEIGHT}")
}

fn content(position: &Position, last: Option<Move>, lang: Lang) -> Markup {
    html! {
        rect width=(WIDTH) height=(HEIGHT) fill="#fbf6ea" {}
        path d=(lines()) fill="none" stroke="#444" stroke-width="1" {}
        rect x=(EDGE - 4) y=(EDGE - 4) width=(8 * UNIT + 8) height=(9 * UNIT + 8) fill="none" stroke="#444" stroke-width="2" {}
        (river())
        (numbers(lang))
        g class="marks" {
            @if let Some(last) = last { (mark(last)) }
        }
        g class="pieces" {
            @for square in Square::all() {
                @if let Some(piece) = position.piece_at(square) {
                    @let (x, y) = at(square);
                    use href={ "#disc-" (piece.letter()) } x=(x) y=(y) {}
                }
            }
        }
    }
}

/// The ring around the square left, and the frame around the one reached.
fn mark(mv: Move) -> Markup {
    let ((from_x, from_y), (to_x, to_y)) = (at(mv.from), at(mv.to));
    html! {
        circle class="from" cx=(from_x) cy=(from_y) r="9" fill="none" stroke="#1f5fbf" stroke-width="2" stroke-dasharray="4 3" {}
        rect class="to" x=(to_x - 20) y=(to_y - 20) width="40" height="40" rx="6" fill="none" stroke="#1f5fbf" stroke-width="2.5" {}
    }
}

fn at(square: Square) -> (i32, i32) {
    (EDGE + i32::from(square.file()) * UNIT, EDGE + (9 - i32::from(square.rank())) * UNIT)
}

/// Ranks, files broken by the river (河界), the diagonals of the palaces (九宫), and the corners that mark where cannons
/// and pawns start.
fn lines() -> String {
    let x = |file: i32| EDGE + file * UNIT;
    let y = |row: i32| EDGE + row * UNIT;
    let mut path = String::new();
    let mut line = |x1: i32, y1: i32, x2: i32, y2: i32| {
        path.push_str(&format!("M{x1} {y1}L{x2} {y2}"));
    };
    for row in 0..10 {
        line(x(0), y(row), x(8), y(row));
    }
    for file in 0..9 {
        if file == 0 || file == 8 {
            line(x(file), y(0), x(file), y(9));
        } else {
            line(x(file), y(0), x(file), y(4));
            line(x(file), y(5), x(file), y(9));
        }
    }
    for top in [0, 7] {
        line(x(3), y(top), x(5), y(top + 2));
        line(x(5), y(top), x(3), y(top + 2));
    }
    let stations = [1, 7].into_iter().flat_map(|file| [(file, 2), (file, 7)]);
    let pawns = (0..5).flat_map(|n| [(2 * n, 3), (2 * n, 6)]);
    for (file, row) in stations.chain(pawns) {
        for (dx, dy) in [(-1, -1), (-1, 1), (1, -1), (1, 1)] {
            if (0..9).contains(&(file + dx)) {
                let (near_x, near_y) = (x(file) + 4 * dx, y(row) + 4 * dy);
                line(near_x + 6 * dx, near_y, near_x, near_y);
                line(near_x, near_y, near_x, near_y + 6 * dy);
            }
        }
    }
    path
}

fn river() -> Markup {
    let middle = EDGE + 4 * UNIT + UNIT / 2 + 8;
    html! {
        g font-size="22" font-family=(FONT) fill="#777" text-anchor="middle" {
            text x=(EDGE + 2 * UNIT) y=(middle) { "楚 河" }
            text x=(EDGE + 6 * UNIT) y=(middle) { "漢 界" }
        }
    }
}

/// The numbers of the files as each player counts them from the right, or the letters and ranks of ICCS.
fn numbers(lang: Lang) -> Markup {
    let x = |file: usize| EDGE + file as i32 * UNIT;
    html! {
        g font-size="13" font-family="sans-serif" fill="#555" text-anchor="middle" {
            @for file in 0..9 {
                @match lang {
                    Lang::Zh => {
                        text x=(x(file)) y="15" { (file + 1) }
                        @let sign = "九八七六五四三二一".chars().nth(file).unwrap_or_default();
                        text x=(x(file)) y=(HEIGHT - 6) { (sign) }
                    }
                    Lang::En => {
                        @let letter = char::from(b'a' + file as u8);
                        text x=(x(file)) y=(HEIGHT - 6) { (letter) }
                    }
                }
            }
            @if lang == Lang::En {
                @for rank in 0..10 {
                    text x="10" y=(EDGE + (9 - rank) * UNIT + 5) { (rank) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // A document must be read by XML parsers: quick-xml is the one that the CBF reader uses.
    #[test]
    fn a_document_is_well_formed() {
        let last: Move = "h2e2".parse().unwrap();
        let mut position = Position::start();
        position.play(last);
        for lang in [Lang::Zh, Lang::En] {
            let drawing = document(&position, Some(last), lang);
            let mut reader = quick_xml::Reader::from_str(&drawing);
            let mut depth = 0;
            loop {
                match reader.read_event().unwrap() {
                    quick_xml::events::Event::Start(_) => depth += 1,
                    quick_xml::events::Event::End(_) => depth -= 1,
                    quick_xml::events::Event::Eof => break,
                    _ => {}
                }
            }
            assert_eq!(depth, 0);
            assert!(
                drawing.contains("rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b")
            );
        }
    }

    // Article 1.2: nine files of lines and ten ranks; i0 is Red's right corner.
    #[test]
    fn squares_stand_on_the_crossings() {
        let corners: Move = "a9i0".parse().unwrap();
        assert_eq!(at(corners.from), (EDGE, EDGE));
        assert_eq!(at(corners.to), (EDGE + 8 * UNIT, EDGE + 9 * UNIT));
        let drawing = document(&Position::start(), None, Lang::Zh);
        assert!(drawing.contains(r##"<use href="#disc-K" x="200" y="400">"##));
        assert!(drawing.contains(r##"<use href="#disc-k" x="200" y="40">"##));
    }
}
