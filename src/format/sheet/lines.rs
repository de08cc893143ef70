//! The lines around a scoresheet's table: `红方：甲`, rules, who kept the sheet.

use crate::{
    board::Side,
    finding::Span,
    record::{Record, standard_key},
};

use super::super::pgn;

/// Whether a line is drawn, not written: of dashes, bars and box corners only.
pub(super) fn is_rule(line: &str) -> bool {
    let drawn = |c: char| {
        matches!(
            c,
            '-' | '=' | '_' | '+' | '|' | ':' | '*' | '~' | '—' | '＝' | '｜' | '\u{2500}'
                ..='\u{257F}'
        )
    };
    let line = line.trim();
    line.chars().any(drawn) && line.chars().all(|c| drawn(c) || c.is_whitespace())
}

/// Whether a heading's value is a remark on the game.
pub(super) fn is_remark_name(name: &str) -> bool {
    matches!(
        name,
        "备注" | "備註" | "附注" | "附註" | "说明" | "說明" | "记事" | "記事" | "注" | "註"
    )
}

/// The longest line that is taken apart, in bytes.
pub(super) const LONGEST_PAIRS: usize = 2000;

/// The pairs of a line, name and value, as they stand in it. Two blanks, a wide blank, a tab or a bar part them, or a blank
/// before a name that is known.
pub(super) fn pairs(text: &str, start: usize, end: usize) -> Vec<(Span, Span)> {
    let mut pairs: Vec<(Span, Span)> = Vec::new();
    if end - start > LONGEST_PAIRS {
        return pairs;
    }
    for (from, to) in segments(text, start, end) {
        let name = text[from..to].find(is_colon).and_then(|colon| {
            let behind =
                from + colon + text[from + colon..].chars().next().map_or(0, char::len_utf8);
            is_name(text[from..from + colon].trim()).then_some((from + colon, behind))
        });
        match name {
            Some((colon, behind)) => {
                pairs.push((trim(text, from, colon), trim(text, behind, to)));
            }
            // What has no name goes on with the value before, such as the hour behind a date.
            None => match pairs.last_mut() {
                Some((_, value)) if value.start == value.end => *value = trim(text, from, to),
                Some((_, value)) => value.end = trim(text, from, to).end,
                None => return Vec::new(),
            },
        }
    }
    pairs
}

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '：')
}

/// Whether a text may be the name of a pair: short, with a letter, and no move.
fn is_name(name: &str) -> bool {
    const LONGEST: usize = 16;
    name.chars().next().is_some_and(char::is_alphabetic)
        && name.chars().nth(LONGEST).is_none()
        && pgn::any_move(name).is_none()
}

fn trim(text: &str, from: usize, to: usize) -> Span {
    let (start, end) = super::trimmed(text, from, to);
    Span::new(start.min(end), end)
}

/// Pieces of a line that may hold a pair each.
fn segments(text: &str, start: usize, end: usize) -> Vec<(usize, usize)> {
    let line = &text[start..end];
    let mut segments = Vec::new();
    let mut from = start;
    let mut blanks = 0;
    let mut filled = false;
    for (at, c) in line.char_indices() {
        let at = start + at;
        let wide = matches!(c, '\t' | '\u{3000}') || super::columns::is_bar(c);
        if c.is_whitespace() || wide {
            blanks += if wide { 2 } else { 1 };
            continue;
        }
        let known = || {
            let name: &str = text[at..end].split(is_colon).next().unwrap_or("");
            name.len() < end - at
                && name.len() <= 48
                && standard_key(name.trim()).is_some()
                && !name.trim().contains(' ')
        };
        if filled && (blanks > 1 || (blanks == 1 && known())) {
            segments.push((from, at));
            from = at;
        }
        blanks = 0;
        filled = true;
    }
    if filled {
        segments.push((from, end));
    }
    // Bars at the end of a piece are none of its value.
    for (from, to) in &mut segments {
        let piece = &text[*from..*to];
        *to = *from
            + piece
                .trim_end_matches(|c: char| c.is_whitespace() || super::columns::is_bar(c))
                .len();
        let piece = &text[*from..*to];
        *from = *to
            - piece
                .trim_start_matches(|c: char| c.is_whitespace() || super::columns::is_bar(c))
                .len();
    }
    segments
}

/// Who kept the sheet, from a pair such as `记录者：红方`, or `记录者：许银川` where that is a player.
pub(super) fn owner_of(name: &str, value: &str, record: &Record<'_>) -> Option<Side> {
    const NAMES: [&str; 10] = [
        "记录",
        "记录者",
        "记录方",
        "记录人",
        "本记录",
        "持有者",
        "記錄",
        "記錄者",
        "owner",
        "Owner",
    ];
    if !NAMES.contains(&name) {
        return None;
    }
    let player = |key| record.tag(key).is_some_and(|tag| tag.value.trim() == value.trim());
    match (one_side(value), player("red"), player("black")) {
        (Some(side), ..) => Some(side),
        (None, true, false) => Some(Side::Red),
        (None, false, true) => Some(Side::Black),
        _ => None,
    }
}

/// Who kept the sheet, from a line such as 本记录为红方所记.
pub(super) fn owner_said(line: &str) -> Option<Side> {
    let line = line.trim();
    let speaks = line.contains("记录") || line.contains("記錄");
    (speaks && line.chars().count() <= 20).then(|| one_side(line)).flatten()
}

/// The side that a text names, if it names only one.
fn one_side(text: &str) -> Option<Side> {
    let has = |words: [&str; 3]| {
        words.iter().any(|word| text.contains(word) || text.eq_ignore_ascii_case(word))
    };
    match (has(["红", "紅", "red"]), has(["黑", "黒", "black"])) {
        (true, false) => Some(Side::Red),
        (false, true) => Some(Side::Black),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<(&str, &str)> {
        let spans = pairs(line, 0, line.len());
        spans.into_iter().map(|(name, value)| (&line[name.range()], &line[value.range()])).collect()
    }

    #[test]
    fn pairs_share_a_line() {
        let expected = [("红方", "许 银川"), ("黑方", "吕钦")];
        for line in [
            "红方：许 银川  黑方：吕钦",
            "红方: 许 银川 黑方: 吕钦",
            "　红方：许 银川　黑方：吕钦　",
            "| 红方：许 银川 | 黑方：吕钦 |",
        ] {
            assert_eq!(read(line), expected, "{line}");
        }
        assert_eq!(read("日期：2024-05-01  14:30"), [("日期", "2024-05-01  14:30")]);
        assert_eq!(read("红方签字：　　黑方签字："), [("红方签字", ""), ("黑方签字", "")]);
        assert_eq!(read("中国象棋对局记录表"), []);
        assert_eq!(read("炮二平五：好"), []);
        assert_eq!(read("14:30"), []);
    }

    #[test]
    fn who_kept_the_sheet() {
        let record = Record::new(1);
        assert_eq!(owner_of("记录者", "红方", &record), Some(Side::Red));
        assert_eq!(owner_of("记录", "黑方 乙", &record), Some(Side::Black));
        assert_eq!(owner_of("记录者", "红黑双方", &record), None);
        assert_eq!(owner_of("裁判", "红方", &record), None);
        assert_eq!(owner_said("本记录为黑方所记"), Some(Side::Black));
        assert_eq!(owner_said("红方胜"), None);
    }

    #[test]
    fn rules_are_no_rows() {
        for rule in ["| --- | :-: |", "┌──┬──┐", "=====", "+----+---+"] {
            assert!(is_rule(rule), "{rule}");
        }
        for other in ["1 --- ---", "", "红方", "| 1 | | |"] {
            assert!(!is_rule(other), "{other}");
        }
    }
}
