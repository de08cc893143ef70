//! GB18030 against Big5: nearly any Chinese text decodes as both, so the content decides.

use std::cmp::Ordering;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};

use super::Encoding;

/// The encoding of `bytes`, which are in GB18030 or Big5; GB18030 where nothing speaks for either.
///
/// What weighs, the first that differs: texts with the shape of a move; characters that records are full of; fewer
/// characters that cannot be; characters from the everyday part of each code table; the guess of `chardetng`. Only
/// as much of a large file is looked at as it takes.
///
/// ```
/// use qijian::source::{Encoding, detect_chinese};
///
/// assert_eq!(detect_chinese(b"\xba\xfa\xc8\xd9\xbb\xaa"), Encoding::Gb18030); // 胡荣华
/// assert_eq!(detect_chinese(b"\xadJ\xbaa\xb5\xd8"), Encoding::Big5); // 胡榮華
/// ```
pub fn detect_chinese(bytes: &[u8]) -> Encoding {
    by_moves(bytes).unwrap_or_else(|| {
        let evidence = Evidence::of(bytes);
        evidence.by_words().or_else(|| evidence.by_table()).unwrap_or_else(|| by_chardetng(bytes))
    })
}

/// The encoding of `bytes`, which are not UTF-8: GB18030, Big5, or UTF-8 for a text whose few bytes over 0x7F stand
/// alone and so belong to neither.
pub(super) fn detect_legacy(bytes: &[u8]) -> Encoding {
    by_moves(bytes).unwrap_or_else(|| {
        let stands_alone = || sample(bytes).all(is_without_pairs).then_some(Encoding::Utf8);
        let evidence = Evidence::of(bytes);
        evidence
            .by_words()
            .or_else(stands_alone)
            .or_else(|| evidence.by_table())
            .unwrap_or_else(|| by_chardetng(bytes))
    })
}

/// Decides by the texts with the shape of a move, such as 炮二平五 or 前马进三.
fn by_moves(bytes: &[u8]) -> Option<Encoding> {
    const CLEAR: usize = 8;
    let (mut gb, mut big5) = (0, 0);
    for part in sample(bytes) {
        gb += moves(part, Encoding::Gb18030);
        big5 += moves(part, Encoding::Big5);
        if gb.max(big5) >= CLEAR * gb.min(big5).max(1) {
            break;
        }
    }
    more(gb, big5)
}

/// How many texts with the shape of a move `bytes` hold under `encoding`.
pub(super) fn moves(bytes: &[u8], encoding: Encoding) -> usize {
    moves_up_to(usize::MAX, bytes, encoding)
}

/// The same, not counted further than `most`.
pub(super) fn moves_up_to(most: usize, bytes: &[u8], encoding: Encoding) -> usize {
    let (text, _) = encoding.codec().decode_without_bom_handling(bytes);
    let mut window = ['\0'; 4];
    let ends_move = |c| {
        window = [window[1], window[2], window[3], c];
        // Every move has its verb in third place, and verbs are rare: most characters need no more than this.
        is_verb(window[2]) && is_move(window.map(shape))
    };
    text.chars().map(ends_move).filter(|&is_move| is_move).take(most).count()
}

/// GB18030 if it has more of something, Big5 if that has.
fn more(gb: usize, big5: usize) -> Option<Encoding> {
    match gb.cmp(&big5) {
        Ordering::Greater => Some(Encoding::Gb18030),
        Ordering::Less => Some(Encoding::Big5),
        Ordering::Equal => None,
    }
}

/// What a text without moves holds, under GB18030 and under Big5.
#[derive(Clone, Copy, Default, Debug)]
struct Evidence {
    /// Characters that records are full of.
    words: [usize; 2],
    /// U+FFFD and private-use characters.
    bad: [usize; 2],
    /// Characters from the part of the code table where the everyday ones are.
    common: [usize; 2],
}

impl Evidence {
    fn of(bytes: &[u8]) -> Evidence {
        let mut found = Evidence::default();
        for part in sample(bytes) {
            for (i, encoding) in [Encoding::Gb18030, Encoding::Big5].into_iter().enumerate() {
                let (text, _) = encoding.codec().decode_without_bom_handling(part);
                for c in text.chars().filter(|c| !c.is_ascii()) {
                    found.words[i] += usize::from(is_record_word(c));
                    found.bad[i] += usize::from(is_impossible(c));
                }
                found.common[i] += common(part, encoding);
            }
        }
        found
    }

    fn by_words(&self) -> Option<Encoding> {
        more(self.words[0], self.words[1])
    }

    fn by_table(&self) -> Option<Encoding> {
        more(self.bad[1], self.bad[0]).or_else(|| more(self.common[0], self.common[1]))
    }
}

fn is_impossible(c: char) -> bool {
    matches!(c, '\u{FFFD}' | '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
}

fn by_chardetng(bytes: &[u8]) -> Encoding {
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for part in sample(bytes) {
        detector.feed(part, false);
    }
    let guess = detector.guess(Some(b"cn"), Utf8Detection::Deny);
    if guess == encoding_rs::BIG5 { Encoding::Big5 } else { Encoding::Gb18030 }
}

/// Parts of `bytes` to look at, in order of promise: the head, the middle of a large file, then more and more of
/// what follows the head, up to 4 MiB. Each begins behind a line end where there is one near, as a line end is never
/// a part of a character in either encoding.
fn sample(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    const HEAD: usize = 1 << 10;
    const LARGE: usize = 256 << 10;
    const MOST: usize = 4 << 20;
    let head = line_start(bytes, HEAD);
    let middle = (bytes.len() > LARGE).then(|| {
        let start = line_start(bytes, bytes.len() / 2);
        &bytes[start..line_start(bytes, start + HEAD)]
    });
    let mut start = head;
    let rest = std::iter::from_fn(move || {
        let from = start;
        start = line_start(bytes, (2 * from).min(MOST)).max(from);
        (from < start).then(|| &bytes[from..start])
    });
    std::iter::once(&bytes[..head]).chain(middle).chain(rest)
}

/// The first line start at or behind `at`, or the best that can be done without going far.
fn line_start(bytes: &[u8], at: usize) -> usize {
    const NEAR: usize = 512;
    let Some(rest) = bytes.get(at..) else { return bytes.len() };
    let near = &rest[..rest.len().min(NEAR)];
    match near.iter().position(|&byte| byte == b'\n') {
        Some(end) => at + end + 1,
        None if near.len() < NEAR => bytes.len(),
        None => at,
    }
}

/// What a character can be in a move text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// 车马炮相仕帅兵
    Piece,
    /// 一 to 九, 1 to 9, also full-width
    Digit,
    /// 进退平
    Verb,
    /// 前后中
    Qualifier,
    Other,
}

/// The class of `c`, in simplified, traditional and variant forms.
fn shape(c: char) -> Shape {
    match c {
        '1'..='9' | '１'..='９' => Shape::Digit,
        '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' => Shape::Digit,
        c if is_verb(c) => Shape::Verb,
        '前' | '后' | '後' | '中' => Shape::Qualifier,
        '车' | '車' | '俥' | '马' | '馬' | '傌' | '炮' | '砲' | '包' | '相' | '象' | '仕'
        | '士' | '帅' | '帥' | '将' | '將' | '兵' | '卒' => Shape::Piece,
        _ => Shape::Other,
    }
}

fn is_verb(c: char) -> bool {
    matches!(c, '进' | '進' | '退' | '平')
}

fn is_move(window: [Shape; 4]) -> bool {
    use Shape::{Digit, Piece, Qualifier, Verb};
    matches!(
        window,
        [Piece, Digit, Verb, Digit]
            | [Qualifier, Piece, Verb, Digit]
            | [Piece, Qualifier, Verb, Digit]
            | [Qualifier, Digit, Verb, Digit]
    )
}

/// Characters of results, sides, headings and remarks, in both scripts where they differ.
fn is_record_word(c: char) -> bool {
    matches!(
        c,
        '红' | '紅'
            | '黑'
            | '胜'
            | '勝'
            | '负'
            | '負'
            | '和'
            | '先'
            | '后'
            | '後'
            | '回'
            | '合'
            | '棋'
            | '赛'
            | '賽'
            | '局'
            | '军'
            | '軍'
            | '杯'
            | '年'
            | '第'
            | '省'
            | '市'
            | '队'
            | '隊'
            | '手'
            | '攻'
            | '杀'
            | '殺'
            | '车'
            | '車'
            | '马'
            | '馬'
            | '炮'
            | '兵'
            | '卒'
    )
}

/// Counts the two-byte characters of `bytes` from the everyday part of the code table: the first level of GB 2312,
/// leads B0 to D7 with trails from A1, or the first level of Big5, leads A4 to C6.
pub(super) fn common(bytes: &[u8], encoding: Encoding) -> usize {
    let mut count = 0;
    let mut rest = bytes;
    while let [lead, tail @ ..] = rest {
        rest = tail;
        let Some(&trail) = tail.first().filter(|&&trail| *lead > 0x80 && trail >= 0x40) else {
            continue;
        };
        rest = &tail[1..];
        count += usize::from(match encoding {
            Encoding::Big5 => (0xA4..=0xC6).contains(lead),
            _ => (0xB0..=0xD7).contains(lead) && trail >= 0xA1,
        });
    }
    count
}

/// Whether no two bytes over 0x7F stand side by side.
fn is_without_pairs(bytes: &[u8]) -> bool {
    bytes.windows(2).all(|pair| pair[0] < 0x80 || pair[1] < 0x80)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use encoding_rs::{BIG5, GB18030};

    use super::*;

    #[test]
    fn every_shape_of_move_counts_in_both_scripts() {
        // Article 7.5: 炮二平五, 前马进三; the rest are spellings of reference/notation.md.
        for text in ["炮二平五", "馬８進７", "前馬退六", "马后进4", "中兵平五", "前3进1", "俥1平2"]
        {
            let bytes = GB18030.encode(text).0;
            assert_eq!(moves(&bytes, Encoding::Gb18030), 1, "{text}");
        }
        assert_eq!(moves(&GB18030.encode("平平五二炮一三进").0, Encoding::Gb18030), 0);
    }

    #[test]
    fn moves_far_behind_a_long_comment_are_found() {
        // Traditional text in GBK before the moves: all characters exist in both encodings.
        let text = format!("{{{}}}\n1. 炮二平五 馬8進7", "此局紅方先手佔優\n".repeat(2000));
        assert_eq!(detect_chinese(&GB18030.encode(&text).0), Encoding::Gb18030);
        assert_eq!(detect_chinese(&BIG5.encode(&text).0), Encoding::Big5);
    }

    #[test]
    fn words_decide_without_moves() {
        for text in ["紅勝", "和棋", "[Result \"黑勝\"]", "第三回合"] {
            assert_eq!(detect_chinese(&GB18030.encode(text).0), Encoding::Gb18030, "{text}");
            assert_eq!(detect_chinese(&BIG5.encode(text).0), Encoding::Big5, "{text}");
        }
    }

    #[test]
    fn names_decide_by_everyday_characters() {
        // Players and places, written in the script that goes with each encoding.
        for (simplified, traditional) in [
            ("吕钦", "呂欽"),
            ("许银川", "許銀川"),
            ("赵国荣", "趙國榮"),
            ("柳大华", "柳大華"),
            ("王天一", "王天一"),
            ("广东", "廣東"),
            ("广州日报", "廣州日報"),
        ] {
            assert_eq!(detect_chinese(&GB18030.encode(simplified).0), Encoding::Gb18030);
            assert_eq!(
                detect_chinese(&BIG5.encode(traditional).0),
                Encoding::Big5,
                "{traditional}"
            );
        }
    }

    #[test]
    fn nothing_is_gb18030() {
        assert_eq!(detect_chinese(b""), Encoding::Gb18030);
        assert_eq!(detect_chinese(b"plain"), Encoding::Gb18030);
    }

    #[test]
    fn samples_do_not_overlap_and_end() {
        for len in [0, 1, 2047, 2048, 2049, 5000, 300_000, 9 << 20] {
            let bytes = b"123456789\n".repeat(len / 10 + 1);
            let bytes = &bytes[..len];
            let total: usize = sample(bytes).map(<[u8]>::len).sum();
            assert!(total <= len.min((4 << 20) + 1024) + (4 << 10), "{len}: {total}");
            assert!(total >= len.min(4 << 20), "{len}: {total}");
        }
    }

    #[test]
    fn real_archives_without_a_wrong_answer() {
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data/");
        // The manifest and reference/formats.md 13.3: CCPD is Big5, the walker8088 archive is GBK.
        for (folder, expected) in [("pgn-big5-ccpd", "big5"), ("pgn-gbk-online", "gb18030")] {
            let path = std::path::PathBuf::from(data).join(folder);
            if !path.exists() {
                let _ = writeln!(std::io::stderr(), "SKIPPED: {} is absent", path.display());
                return;
            }
            for input in crate::source::inputs(&[path]) {
                let input = input.unwrap();
                let decided = crate::source::detect(&input.read().unwrap());
                assert_eq!(decided.as_str(), expected, "{}", input.name);
            }
        }
    }
}
