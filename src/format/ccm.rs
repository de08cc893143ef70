//! CCM, the format of 中国游戏中心: records of seven bytes, one a move, and nothing else. Layout: `grammars/ccm.ksy`.
//!
//! Known from the readers of other programs; no real file was at hand. What bytes 0 to 2 say is not known, except that
//! byte 0 of the first record is 1; no name, result or start position is known to be stored.

use crate::{
    finding::{Binary, Code, Finding, Locate, Span, Words},
    record::Record,
};

use super::coordinates::{self, Quad};

/// Bytes of a record.
const RECORD: usize = 7;
/// Records below which nothing can be told.
const LEAST: usize = 2;

fn quads(bytes: &[u8]) -> Vec<Quad> {
    bytes
        .chunks_exact(RECORD)
        .enumerate()
        .map(|(index, record)| Quad {
            from: (u16::from(record[3]), u16::from(record[5])),
            to: (u16::from(record[4]), u16::from(record[6])),
            span: Span::new(index * RECORD, (index + 1) * RECORD),
        })
        .collect()
}

/// Whether `bytes` are a CCM file, which has no magic number: whole records, every square on the board, the first moves
/// legal.
pub fn is_ccm(bytes: &[u8]) -> bool {
    bytes.len() >= LEAST * RECORD && bytes.len().is_multiple_of(RECORD) && bytes[0] == 1 && {
        let quads = quads(bytes);
        coordinates::is_game(&quads, coordinates::is_turned(&quads))
    }
}

/// Reads the game of a CCM file. Total: any bytes give a record with findings.
///
/// ```
/// use qijian::format::ccm;
///
/// let record = ccm::read(&[1, 0, 0, 7, 4, 7, 7]);
/// assert_eq!(record.tree.len(), 1);
/// ```
pub fn read(bytes: &[u8]) -> Record<'static> {
    let mut record = Record::new(1);
    record.span = Span::new(0, bytes.len());
    let quads = quads(bytes);
    coordinates::add(&mut record, &quads, coordinates::is_turned(&quads));
    let odd = bytes.len() % RECORD;
    if odd > 0 || bytes.is_empty() {
        let at = bytes.len() - odd;
        let words = Words::new(
            format!("最后一条记录只有 {odd} 字节，应为 {RECORD} 字节"),
            format!("the last record has {odd} of its {RECORD} bytes"),
        );
        let place = Binary.place(Span::new(at, bytes.len()));
        record.findings.push(Finding::new(Code::TRUNCATED, words).at(place));
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay;

    // formats.md 11.2: turned, h2e2 is 01 xx xx 01 04 02 02.
    const GAME: [u8; 14] = [1, 9, 9, 1, 4, 2, 2, 0, 9, 9, 1, 2, 9, 7];

    #[test]
    fn a_game_turned_by_half() {
        assert!(is_ccm(&GAME));
        let record = read(&GAME);
        let game = replay::replay(&record, &Binary, &replay::Options::default());
        let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["h2e2", "h9g7"]);
    }

    #[test]
    fn other_files_are_not() {
        for bytes in [&GAME[..7], &GAME[..13], &[0; 14], b"\x01abcdefghijklm"] {
            assert!(!is_ccm(bytes));
        }
        assert_eq!(read(&GAME[..13]).findings[0].code, Code::TRUNCATED);
        assert_eq!(read(b"").findings[0].code, Code::TRUNCATED);
    }
}
