//! Nothing of a text file is dropped unreported: every letter and digit belongs to a tag, a number, a move, a comment,
//! a result, text beside a game, or stands where a finding points.

use std::collections::BTreeMap;

use qijian::{
    finding::Span,
    format::{self, Format},
    record::{Record, Start},
    source::{Text, inputs},
};

use crate::support::{root, shared};

/// The letters and digits of `text` that no part of a record covers, a stretch each.
fn uncovered(bytes: &[u8], format: Format) -> Vec<String> {
    let text = format::text(bytes, format, None).expect("a text format");
    let string = text.as_str();
    let mut covered = vec![false; string.len()];
    format::read(bytes, format, None, &mut |record, _, _| cover(&record, &text, &mut covered));
    let mut left: Vec<String> = Vec::new();
    let mut last = 0;
    for (at, c) in string.char_indices() {
        if c.is_alphanumeric() && !covered[at] && c != '\u{FFFD}' {
            match left.last_mut() {
                Some(run) if last == at => run.push(c),
                _ => left.push(c.to_string()),
            }
            last = at + c.len_utf8();
        }
    }
    left
}

fn cover(record: &Record<'_>, text: &Text<'_>, covered: &mut [bool]) {
    let string = text.as_str();
    let mut add = |span: Span| {
        let range = span.range();
        covered[range.start.min(string.len())..range.end.min(string.len())].fill(true);
    };
    for tag in &record.tags {
        // Its name stands before it on the line, or on the line before a broken value.
        add(tag.span);
        let before = &string[..tag.span.range().start];
        let name = before.rfind(tag.name.as_ref()).filter(|at| before.len() - at < 200);
        if let Some(at) = name {
            add(Span::new(at, before.len()));
        }
    }
    if let Start::Fen { span, .. } | Start::Board { span, .. } = &record.start {
        add(*span);
    }
    for id in (1..=record.tree.len()).filter_map(|index| record.tree.nth(index)) {
        let node = record.tree.node(id);
        add(node.span);
        add(node.number_span);
        // Marks, `$3`, stand directly behind.
        if !node.marks.is_empty() {
            let base = string.as_ptr() as usize;
            let at =
                (node.marks.as_ptr() as usize).checked_sub(base).filter(|at| *at < string.len());
            if let Some(at) = at {
                add(Span::new(at, at + node.marks.len()));
            }
        }
    }
    record.tree.comments.iter().for_each(|comment| add(comment.span));
    record.result.iter().for_each(|marker| add(marker.span));
    record.after_end.iter().for_each(|(_, span)| add(*span));
    record.beside.iter().for_each(|(_, span)| add(*span));
}

/// Words that belong to the layout of a format, not to a game.
fn is_layout(format: Format, run: &str) -> bool {
    let words: &[&str] = match format {
        // 开始 is the root of a drawn tree.
        Format::Pgn => &["第", "回合", "开始"],
        // Keywords, under which tags have their usual names.
        Format::Wxf => &[
            "FORMAT", "WXF", "START", "END", "CCP", "GAME", "RED", "BLACK", "DATE", "EVENT",
            "RESULT",
        ],
        Format::Moves => &["position", "fen", "startpos", "moves", "ucci", "bestmove"],
        // 本记录为黑方所记 tells the owner, which is kept as such.
        Format::Sheet => &[
            "回合",
            "红方",
            "黑方",
            "用时",
            "备注",
            "第",
            "结果",
            "红余时",
            "黑余时",
            "红方备注",
            "黑方备注",
            "本记录为黑方所记",
        ],
        _ => &[],
    };
    words.contains(&run) || run.chars().all(|c| c.is_ascii_digit())
}

fn leftovers(paths: &[std::path::PathBuf]) -> BTreeMap<&'static str, (usize, Vec<String>)> {
    let mut found: BTreeMap<&'static str, (usize, Vec<String>)> = BTreeMap::new();
    for input in inputs(paths).flatten() {
        let Ok(bytes) = input.read() else { continue };
        let Some(format) = format::sniff(&bytes, None) else { continue };
        if !matches!(format, Format::Pgn | Format::Wxf | Format::Moves | Format::Sheet) {
            continue;
        }
        let entry = found.entry(format.as_str()).or_default();
        entry.0 += 1;
        for run in uncovered(&bytes, format).into_iter().filter(|run| !is_layout(format, run)) {
            entry.1.push(format!("{}: {run}", input.name));
        }
    }
    found
}

fn assert_covered(paths: &[std::path::PathBuf]) -> usize {
    let mut files = 0;
    for (format, (count, left)) in leftovers(paths) {
        files += count;
        let shown: Vec<&String> = left.iter().take(40).collect();
        assert!(left.is_empty(), "{format}: {} of {count} files\n{shown:#?}", left.len());
    }
    files
}

#[test]
fn every_letter_of_the_samples_is_somewhere() {
    assert!(assert_covered(&[root().join("samples")]) > 30);
}

#[test]
fn every_letter_of_real_text_files_is_somewhere() {
    let Some(data) = shared("data") else { return };
    let folders = ["pgn-misc", "pgn-gbk-online", "wxf-txt", "uci-plain-niu2x"];
    assert!(assert_covered(&folders.map(|folder| data.join(folder))) > 100);
}

#[test]
fn what_stands_beside_a_game_is_kept() {
    let text = "[Event \"x\"]\n% a line\n1. 炮二平五 马8进7 1-0 红胜\n\nwords behind\n======\nhttp://example.org 12\n[注]\n";
    let mut beside: Vec<Vec<String>> = Vec::new();
    format::read(text.as_bytes(), Format::Pgn, None, &mut |record, _, _| {
        beside.push(record.beside.iter().map(|(text, _)| text.to_string()).collect());
    });
    assert_eq!(beside, [["a line", "红胜", "words behind", "http://example.org 12", "[注]"]]);
    assert_eq!(uncovered(text.as_bytes(), Format::Pgn), Vec::<String>::new());
}

/// Written and read again, and not once more multiplied.
#[test]
fn conversion_to_pgn_keeps_it_and_other_targets_say_that_they_do_not() {
    use qijian::{
        finding::Code,
        run::{Conversion, convert},
    };

    let text = "[Event \"x\"]\n\n1. 炮二平五 1-0\n====\n裁判长注：[Red \"甲\"] 黑方超时\n";
    let once =
        convert("a.pgn", text.as_bytes(), true, &Conversion::default(), &mut |_| {}).unwrap();
    let expected = "[Event \"x\"]\n\n1. 炮二平五\n1-0\n% 裁判长注：[Red \"甲\"] 黑方超时\n";
    assert_eq!(String::from_utf8_lossy(&once), expected);
    let twice = convert("a.pgn", &once, true, &Conversion::default(), &mut |_| {}).unwrap();
    assert_eq!(twice, once);
    let to = Conversion { to: Format::Xqf, ..Conversion::default() };
    let mut told = Vec::new();
    convert("a.pgn", text.as_bytes(), true, &to, &mut |report| told.extend(report.findings));
    let lost = told.iter().find(|finding| finding.code == Code::NOT_REPRESENTABLE).unwrap();
    assert_eq!(lost.data["part"], "beside");
}
