//! A small board for the terminal.

use std::fmt::Write;

use crate::{
    board::{Piece, Side},
    finding::Lang,
};

/// Whose turn it is and the board of `fen`, in lines without a line end after the last; `None` if `fen` is not a FEN as
/// this program writes it.
///
/// Chinese: the characters of the discs, four columns each, Black's in brackets so that the sides differ without
/// colour, with the file numbers of both players. English: FEN letters. Ranks and files as in ICCS at the edges.
/// No character is of ambiguous width (UAX #11), so the lines stay straight in every terminal.
pub(super) fn diagram(fen: &str, lang: Lang, color: bool) -> Option<String> {
    let mut fields = fen.split_ascii_whitespace();
    let ranks = ranks(fields.next()?)?;
    let turn = match (fields.next(), lang) {
        (Some("b"), Lang::Zh) => "轮到黑方走",
        (Some("b"), Lang::En) => "Black to move",
        (_, Lang::Zh) => "轮到红方走",
        (_, Lang::En) => "Red to move",
    };
    let mut text = format!("{turn}\n");
    if lang == Lang::Zh {
        text.push_str("   １  ２  ３  ４  ５  ６  ７  ８  ９\n");
    }
    for (row, rank) in ranks.iter().enumerate() {
        if row == 5 {
            text.push_str(match lang {
                Lang::Zh => "       楚  河              汉  界\n",
                Lang::En => "  ~~~~~ river ~~~~~\n",
            });
        }
        let mut line = (9 - row).to_string();
        if lang == Lang::Zh {
            line.push(' ');
        }
        for square in rank {
            cell(&mut line, *square, lang, color);
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text.push_str(match lang {
        Lang::Zh => "   九  八  七  六  五  四  三  二  一\n   ａ  ｂ  ｃ  ｄ  ｅ  ｆ  ｇ  ｈ  ｉ",
        Lang::En => "  a b c d e f g h i",
    });
    Some(text)
}

/// The board field of a FEN: ten ranks from Black's side, nine squares each.
fn ranks(field: &str) -> Option<[[Option<Piece>; 9]; 10]> {
    let mut ranks = [[None; 9]; 10];
    let mut rows = field.split('/');
    for rank in &mut ranks {
        let mut file = 0;
        for letter in rows.next()?.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as usize,
                None => {
                    *rank.get_mut(file)? = Some(Piece::from_letter(letter)?);
                    file += 1;
                }
            }
        }
        if file != 9 {
            return None;
        }
    }
    rows.next().is_none().then_some(ranks)
}

fn cell(text: &mut String, square: Option<Piece>, lang: Lang, color: bool) {
    let (open, close) = match (square.map(|piece| piece.side), lang) {
        (Some(Side::Black), Lang::Zh) => ('[', "]"),
        (_, Lang::Zh) => (' ', " "),
        (_, Lang::En) => (' ', ""),
    };
    let sign = match (square, lang) {
        (Some(piece), Lang::Zh) => piece.glyph(),
        (Some(piece), Lang::En) => piece.letter(),
        (None, Lang::Zh) => '・',
        (None, Lang::En) => '.',
    };
    text.push(open);
    if color && square.is_some_and(|piece| piece.side == Side::Red) {
        let _ = write!(text, "\u{1b}[1;31m{sign}\u{1b}[0m");
    } else {
        text.push(sign);
    }
    text.push_str(close);
}

#[cfg(test)]
mod tests {
    use super::{
        super::{samples::START, width::width},
        *,
    };

    // Article 1.3: the start position, drawn by hand.
    #[test]
    fn the_start_position_in_letters() {
        let expected = "\
Red to move
9 r n b a k a b n r
8 . . . . . . . . .
7 . c . . . . . c .
6 p . p . p . p . p
5 . . . . . . . . .
  ~~~~~ river ~~~~~
4 . . . . . . . . .
3 P . P . P . P . P
2 . C . . . . . C .
1 . . . . . . . . .
0 R N B A K A B N R
  a b c d e f g h i";
        assert_eq!(diagram(START, Lang::En, false).unwrap(), expected);
    }

    #[test]
    fn every_disc_stands_under_its_file() {
        let text = diagram(START, Lang::Zh, false).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[2], "9 [车][马][象][士][将][士][象][马][车]");
        let at = |line: &str, sign: char| width(&line[..line.find(sign).unwrap()]);
        let (files, red) = (lines[14], lines[12]);
        assert_eq!(at(files, 'ａ'), at(red, '车'));
        assert_eq!(at(files, 'ｅ'), at(red, '帅'));
        assert_eq!(at(lines[13], '五'), at(red, '帅'));
        assert_eq!(at(lines[1], '５'), at(lines[2], '将'));
        // The cannon of 炮二平五 stands on h2, Red's second file.
        let cannon = width(&lines[10][..lines[10].rfind('炮').unwrap()]);
        assert_eq!(cannon, at(files, 'ｈ'));
        assert_eq!(cannon, at(lines[13], '二'));
        let ranks = lines.iter().filter(|line| line.starts_with(|c: char| c.is_ascii_digit()));
        for rank in ranks.clone() {
            let columns: Vec<usize> = rank
                .char_indices()
                .filter(|(_, c)| !c.is_ascii())
                .map(|(at, _)| width(&rank[..at]))
                .collect();
            assert_eq!(columns, [3, 7, 11, 15, 19, 23, 27, 31, 35], "{rank}");
        }
        assert_eq!(ranks.count(), 10);
    }

    #[test]
    fn the_sides_differ_without_colour_and_with() {
        let fen = "4k4/9/9/4h4/9/9/4N4/9/9/4K4 b";
        let plain = diagram(fen, Lang::Zh, false).unwrap();
        assert!(plain.contains("[马]") && plain.contains(" 马 "));
        assert!(plain.starts_with("轮到黑方走\n"));
        let colored = diagram(fen, Lang::Zh, true).unwrap();
        assert_eq!(colored.replace("\u{1b}[1;31m", "").replace("\u{1b}[0m", ""), plain);
        assert_eq!(colored.matches("\u{1b}[1;31m").count(), 2);
    }

    #[test]
    fn what_is_no_board_is_not_drawn() {
        for fen in [
            "",
            "9/9",
            "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABN",
            "x8/9/9/9/9/9/9/9/9/9",
            "9/9/9/9/9/9/9/9/9/9/9",
            "99/9/9/9/9/9/9/9/9/9",
            "99999999999999999999999k/9/9/9/9/9/9/9/9/9",
        ] {
            assert_eq!(diagram(fen, Lang::En, false), None, "{fen}");
        }
    }
}
