//! CHN, the format of 联众: a header of 188 bytes, then records of 32, one a move. Layout: `grammars/chn.ksy`.
//!
//! Known from the reader of another program; no real file was at hand. What the header says is not known, and of the 16
//! numbers of a record only four are; no name, result or start position is known to be stored.

use crate::{
    finding::{Binary, Code, Finding, Locate, Span, Words},
    record::Record,
};

use super::coordinates::{self, Quad};

/// Bytes before the first record.
const HEADER: usize = 188;
/// Bytes of a record.
const RECORD: usize = 32;

fn quads(bytes: &[u8]) -> Vec<Quad> {
    let records = bytes.get(HEADER..).unwrap_or_default().chunks_exact(RECORD);
    records
        .enumerate()
        .map(|(index, record)| {
            let number = |at: usize| u16::from_le_bytes([record[2 * at], record[2 * at + 1]]);
            let start = HEADER + index * RECORD;
            Quad {
                from: (number(2), number(3)),
                to: (number(4), number(5)),
                span: Span::new(start, start + RECORD),
            }
        })
        .collect()
}

/// Whether `bytes` are a CHN file, which has no known magic number: whole records behind the header, every square on
/// the board, the first moves legal.
pub fn is_chn(bytes: &[u8]) -> bool {
    bytes.len() > HEADER && (bytes.len() - HEADER).is_multiple_of(RECORD) && {
        let quads = quads(bytes);
        coordinates::is_game(&quads, coordinates::is_turned(&quads))
    }
}

/// Reads the game of a CHN file. Total: any bytes give a record with findings.
///
/// ```
/// use qijian::format::chn;
///
/// let record = chn::read(b"too short");
/// assert_eq!(record.findings[0].code.to_string(), "QJ002");
/// ```
pub fn read(bytes: &[u8]) -> Record<'static> {
    let mut record = Record::new(1);
    record.span = Span::new(0, bytes.len());
    let quads = quads(bytes);
    coordinates::add(&mut record, &quads, coordinates::is_turned(&quads));
    let behind = bytes.len().checked_sub(HEADER);
    let odd = behind.map_or(bytes.len(), |behind| behind % RECORD);
    if odd > 0 || behind.is_none() {
        let (zh, en) = match behind {
            None => ("文件头", "the header"),
            Some(_) => ("最后一条记录", "the last record"),
        };
        let whole = if behind.is_none() { HEADER } else { RECORD };
        let words = Words::new(
            format!("{zh}只有 {odd} 字节，应为 {whole} 字节"),
            format!("{en} has {odd} of its {whole} bytes"),
        );
        let place = Binary.place(Span::new(bytes.len() - odd, bytes.len()));
        record.findings.push(Finding::new(Code::TRUNCATED, words).at(place));
    }
    record
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replay;

    fn file(moves: &[[u16; 4]]) -> Vec<u8> {
        let mut bytes = vec![0xAA; HEADER];
        for mv in moves {
            let mut record = [7_u16; 16];
            record[2..6].copy_from_slice(mv);
            bytes.extend(record.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes
    }

    // formats.md 11.4: h2e2 is x 7, y 7 to x 4, y 7.
    #[test]
    fn a_game() {
        let bytes = file(&[[7, 7, 4, 7], [7, 0, 6, 2]]);
        assert!(is_chn(&bytes));
        let record = read(&bytes);
        let game = replay::replay(&record, &Binary, &replay::Options::default());
        let moves: Vec<String> = game.moves.iter().map(ToString::to_string).collect();
        assert_eq!(moves, ["h2e2", "h9g7"]);
        assert!(record.findings.is_empty());
    }

    #[test]
    fn other_files_are_not() {
        let bytes = file(&[[7, 7, 4, 7]]);
        for bytes in [&bytes[..HEADER], &bytes[..HEADER + 31], &vec![0; HEADER + RECORD][..], b""] {
            assert!(!is_chn(bytes));
        }
        for length in [0, 100, HEADER + 1, HEADER + 31] {
            assert_eq!(read(&bytes[..length]).findings[0].code, Code::TRUNCATED, "{length}");
        }
    }
}
