//! Files that were joined from games in different encodings.
//!
//! One decision for a file stays the rule. A game is decoded by itself only where it is whole, from its first tag to
//! the next game's, and its bytes weigh clearly for another encoding: it is UTF-8 throughout in a file that is not, or
//! hardly any of it is in one that is, or its moves are moves under the other encoding alone. Names are never enough to
//! tell GB18030 from Big5.

use super::{Encoding, weigh};

/// Three-byte sequences that make a block without a fault UTF-8.
const LONG: usize = 3;
/// Moves that make a block what they are moves under.
const MOVES: usize = 4;
/// Characters without moves that must all be everyday ones.
const CHARACTERS: usize = 4;
/// How much of a block is looked at where it is as the rest of the file, in bytes.
const HEAD: usize = 1 << 10;
/// How much of it is weighed.
const WEIGHED: usize = 64 << 10;

/// Where stretches of one encoding begin, in order, the first at 0; none where all of `bytes` is in `encoding`, which
/// was decided for the file. `faulty`: some of it does not decode. `beside`: there are games in that encoding beside these
/// bytes.
pub(super) fn parts(
    bytes: &[u8],
    encoding: Encoding,
    faulty: bool,
    beside: bool,
) -> Vec<(usize, Encoding)> {
    let text = match encoding {
        Encoding::Utf8 => faulty,
        Encoding::Gb18030 | Encoding::Big5 => true,
        Encoding::Utf16Le | Encoding::Utf16Be => false,
    };
    if !text {
        return Vec::new();
    }
    let mut parts: Vec<(usize, Encoding)> = Vec::new();
    let mut add = |start: usize, end: usize| {
        let block = &bytes[start..end];
        let own = match block.is_ascii() {
            // It belongs to whatever is around it.
            true => parts.last().map(|(_, before)| *before),
            false => other(block, encoding),
        };
        let own = own.unwrap_or(encoding);
        if parts.last().is_none_or(|(_, before)| *before != own) {
            parts.push((start, own));
        }
    };
    let starts = games(bytes);
    if starts.is_empty() && !beside {
        return Vec::new();
    }
    let mut from = 0;
    for start in starts {
        add(from, start);
        from = start;
    }
    add(from, bytes.len());
    // Where no part is as was decided, the file is not mixed but of one encoding that the statistics missed.
    let is_mixed = parts.len() > 1 || (beside && parts[0].1 != encoding);
    if is_mixed { parts } else { Vec::new() }
}

/// Whether a tag stands at the start of `line`, or of several.
pub(super) fn begins_tag(line: &[u8]) -> bool {
    matches!(line, [b'[', b'A'..=b'Z' | b'a'..=b'z', ..])
        && matches!(memchr::memchr2(b'"', b'\n', line), Some(at) if line[at] == b'"')
}

/// Where games begin but the first: at a tag that stands behind something else than tags.
fn games(bytes: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut at = 0;
    let (mut seen, mut behind_moves) = (false, false);
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        // A file that was joined to another may have kept its mark.
        match line.strip_prefix(Encoding::Utf8.bom()).unwrap_or(line) {
            line if begins_tag(line) => {
                if seen && behind_moves {
                    starts.push(at);
                }
                (seen, behind_moves) = (true, false);
            }
            line if line.iter().all(u8::is_ascii_whitespace) => {}
            _ => behind_moves = true,
        }
        at += line.len();
    }
    starts
}

/// The encoding that `block` is in beyond doubt, if that is not the `file`'s.
fn other(block: &[u8], file: Encoding) -> Option<Encoding> {
    match file {
        Encoding::Utf8 => legacy_in_utf8(block),
        _ if is_utf8(block) => Some(Encoding::Utf8),
        Encoding::Gb18030 => among_legacy(block, file, Encoding::Big5),
        _ => among_legacy(block, file, Encoding::Gb18030),
    }
}

fn is_utf8(block: &[u8]) -> bool {
    std::str::from_utf8(block).is_ok() && block.iter().filter(|byte| **byte >= 0xE0).count() >= LONG
}

/// GB18030 or Big5, for a block of a UTF-8 file that is hardly UTF-8.
fn legacy_in_utf8(block: &[u8]) -> Option<Encoding> {
    let (mut long, mut bad) = (0_usize, 0_usize);
    for chunk in block.utf8_chunks() {
        long += chunk.valid().bytes().filter(|byte| *byte >= 0xE0).count();
        bad += usize::from(!chunk.invalid().is_empty());
    }
    if bad == 0 || long * 8 >= bad {
        return None;
    }
    let found = weigh::detect_legacy(block);
    (found != Encoding::Utf8 && is_weighty(block, found)).then_some(found)
}

fn is_weighty(block: &[u8], encoding: Encoding) -> bool {
    let head = &block[..block.len().min(WEIGHED)];
    let (text, _) = encoding.codec().decode_without_bom_handling(head);
    let bad = text.chars().filter(|c| *c == '\u{FFFD}').count();
    let moves = weigh::moves(head, encoding);
    if moves >= MOVES {
        return bad * 8 <= moves;
    }
    let characters = text.chars().filter(|c| !c.is_ascii()).count();
    bad == 0 && characters >= CHARACTERS && weigh::common(head, encoding) == characters
}

/// `candidate`, where the moves of the block are moves under it and not under the file's encoding.
fn among_legacy(block: &[u8], file: Encoding, candidate: Encoding) -> Option<Encoding> {
    let has_moves = |head: usize| {
        let head = &block[..block.len().min(head)];
        weigh::moves_up_to(2, head, file) == 2
    };
    if has_moves(HEAD / 2) || has_moves(HEAD) {
        return None;
    }
    let head = &block[..block.len().min(WEIGHED)];
    let moves = weigh::moves(head, candidate);
    let clear = moves >= MOVES && moves >= 8 * weigh::moves(head, file);
    (clear && is_weighty(block, candidate)).then_some(candidate)
}

#[cfg(test)]
mod tests {
    use super::*;

    const UTF8: Encoding = Encoding::Utf8;
    const GB: Encoding = Encoding::Gb18030;
    const BIG5: Encoding = Encoding::Big5;

    fn game(red: &str, encoding: Encoding) -> Vec<u8> {
        let text = format!(
            "[Event \"x\"]\n[Red \"{red}\"]\n\n1. 炮二平五 馬8進7\n2. 馬二進三 車9平8\n3. 車一平二 卒7進1\n*\n\n"
        );
        encoding.encode(text)
    }

    fn found(games: &[(&str, Encoding)]) -> (Encoding, Vec<Encoding>) {
        let bytes: Vec<u8> =
            games.iter().flat_map(|(red, encoding)| game(red, *encoding)).collect();
        let file = super::super::detect(&bytes);
        let faulty = file.codec().decode_without_bom_handling(&bytes).1;
        (
            file,
            parts(&bytes, file, faulty, false).into_iter().map(|(_, encoding)| encoding).collect(),
        )
    }

    #[test]
    fn each_mix_of_two_is_found() {
        let all = [UTF8, GB, BIG5];
        for one in all {
            for two in all.into_iter().filter(|two| *two != one) {
                let games = [("甲", one), ("乙", one), ("丙", two), ("丁", one), ("戊", two)];
                let (file, parts) = found(&games);
                assert!([one, two].contains(&file), "{one:?} {two:?}");
                assert_eq!(parts, [one, two, one, two], "{one:?} {two:?}");
            }
        }
    }

    #[test]
    fn one_encoding_is_never_split() {
        for encoding in [UTF8, GB, BIG5] {
            let (_, parts) = found(&[("胡榮華", encoding), ("呂欽", encoding), ("", encoding)]);
            assert_eq!(parts, [], "{encoding:?}");
        }
    }

    /// R30: a Latin-1 name or one bad byte in a game of a UTF-8 file stays a fault of that game.
    #[test]
    fn single_bad_bytes_do_not_split() {
        let iccs = b"[Red \"J\xfcrgen M\xfcller\"]\n\n1. h2e2 h9g7 *\n\n";
        let bytes = [&game("甲", UTF8)[..], iccs, &game("乙", UTF8)].concat();
        assert_eq!(parts(&bytes, UTF8, true, false), []);
        let mut broken = game("丙", UTF8);
        broken.insert(30, 0xFF);
        let bytes = [&game("甲", UTF8)[..], &broken, &game("乙", UTF8)].concat();
        assert_eq!(parts(&bytes, UTF8, true, false), []);
    }

    /// `copy /b` keeps the mark of each file.
    #[test]
    fn a_joined_file_may_keep_its_mark() {
        let marked = [&b"\xEF\xBB\xBF"[..], &game("乙", UTF8)].concat();
        let bytes = [&game("甲", GB)[..], &marked, &game("丙", GB)].concat();
        let text = super::super::Text::decode_games(&bytes);
        assert!(text.is_mixed() && !text.as_str().contains('\u{FEFF}'), "{}", text.as_str());
        let second = "乙".as_bytes();
        let offset = bytes.windows(second.len()).position(|part| part == second);
        assert_eq!(text.as_str().find('乙').map(|at| text.offset(at)), offset);
        assert_eq!(
            text.offset(text.as_str().find("丙").expect("there")),
            bytes.len() - game("丙", GB).len() + 18
        );
    }

    /// Names alone tell GBK from UTF-8, never from Big5.
    #[test]
    fn names_alone() {
        let iccs = |name: &str, encoding: Encoding| {
            encoding.encode(format!("[Red \"{name}\"]\n[Event \"{name}\"]\n\n1. h2e2 h9g7 *\n\n"))
        };
        let bytes = [game("甲", UTF8), iccs("许银川", GB), game("乙", UTF8)].concat();
        let found = parts(&bytes, UTF8, true, false);
        assert_eq!(
            found.iter().map(|(_, encoding)| *encoding).collect::<Vec<_>>(),
            [UTF8, GB, UTF8]
        );
        let bytes = [game("甲", GB), iccs("許銀川", BIG5), game("乙", GB)].concat();
        assert_eq!(parts(&bytes, GB, true, false), []);
    }
}
