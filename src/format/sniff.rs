//! Which format a file has, by its content.

use crate::{
    record::standard_key,
    source::{Encoding, Text, detect},
};

use super::{
    Format, cbf, ccm, che, chn, csv, dhtmlxq, json, moves, mxq, pgn, sheet, ubb, wxf, xqr,
};

/// Bytes of a text that are looked at: the first moves are never further down than this.
const PREFIX: usize = 64 * 1024;
/// Bytes of an XQF file before which nothing can be told of it.
const XQF_LEAST: usize = 16;

/// What `bytes` are by their content, `None` if of no format that is read. `encoding` is the user's choice for text.
///
/// XQF is known by its magic and a version byte that the format has (at most 0x20), even when it is truncated. A text
/// is PGN if it has tag lines or if it consists mostly of moves, so that prose which quotes a move or two, and tables
/// (CSV, JSON, TOML) that hold moves, are not.
pub fn sniff(bytes: &[u8], encoding: Option<Encoding>) -> Option<Format> {
    if begins_xqf(bytes) {
        return Some(Format::Xqf);
    }
    if bytes.starts_with(b"CCBridge ") {
        return Some(Format::Cbr);
    }
    if bytes.starts_with(b"CCBridge") {
        return Some(Format::Cbl);
    }
    if xqr::is_xqr(bytes) {
        return Some(Format::Xqr);
    }
    if cbf::is_cbf(bytes) {
        return Some(Format::Cbf);
    }
    // Nearly all of an archive: a game that is PGN to its end, in whatever encoding, needs no other look.
    let is_plain = |encoding| pgn::plain::read(bytes, 0, encoding).is_some();
    if bytes.first() == Some(&b'[') && pgn::plain::ENCODINGS.into_iter().any(is_plain) {
        return Some(Format::Pgn);
    }
    if bytes.is_empty() || known_but_unread(bytes).is_some() {
        return None;
    }
    // What its comments quote, be it a game of another format, is no matter.
    if begins_pgn(bytes) {
        return Some(Format::Pgn);
    }
    if dhtmlxq::is_dhtmlxq(bytes) {
        return Some(Format::Dhtmlxq);
    }
    // Formats without a magic number are known by their whole structure.
    if mxq::is_mxq(bytes) {
        return Some(Format::Mxq);
    }
    if ccm::is_ccm(bytes) {
        return Some(Format::Ccm);
    }
    if chn::is_chn(bytes) {
        return Some(Format::Chn);
    }
    if let Some(format) = of_digits(bytes) {
        return Some(format);
    }
    let prefix = &bytes[..bytes.len().min(PREFIX)];
    let text = Text::decode(prefix, encoding.unwrap_or_else(|| detect(prefix)));
    if wxf::is_wxf(text.as_str()) {
        return Some(Format::Wxf);
    }
    list(text.as_str()).or_else(|| is_pgn(text.as_str()).then_some(Format::Pgn))
}

/// Lists and tables of moves, none of which is PGN.
fn list(text: &str) -> Option<Format> {
    if json::holds_game(text) {
        Some(Format::Json)
    } else if sheet::is_sheet(text) {
        Some(Format::Sheet)
    } else if csv::is_table(text) {
        Some(Format::Csv)
    } else {
        // A list has no place for players and results.
        let is_list = moves::is_list(text) && !(has_heading(text) && is_pgn(text));
        is_list.then_some(Format::Moves)
    }
}

/// Whether one of the first lines says something of the game: 红方：许银川, 许银川 先胜 吕钦.
fn has_heading(text: &str) -> bool {
    const FIRST: usize = 30;
    let mut starts =
        std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).take(FIRST);
    starts.any(|at| {
        let said = pgn::parse_labelled(text, at).or_else(|| pgn::parse_plain(text, at));
        said.is_some_and(|tag| pgn::any_move(tag.value).is_none())
            || pgn::parse_title(text, at).is_some()
    })
}

/// A text of digits alone, as game servers and forums have it.
fn of_digits(bytes: &[u8]) -> Option<Format> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    if bytes.iter().any(|byte| !byte.is_ascii() || byte.is_ascii_alphabetic()) {
        return None;
    }
    let text = std::str::from_utf8(bytes).ok()?;
    if ubb::is_ubb(text) {
        return Some(Format::Ubb);
    }
    che::is_che(text).then_some(Format::Che)
}

/// Whether `bytes` are an XQF file or the first piece of one, unlike [`super::xqf::is_xqf`], which asks for all of the
/// header.
fn begins_xqf(bytes: &[u8]) -> bool {
    bytes.starts_with(b"XQ") && bytes.len() >= XQF_LEAST && bytes[2] <= 0x20
}

/// Whether `bytes` begin with a tag of PGN that has a standard name: `[Event "`.
fn begins_pgn(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let Some(rest) = bytes.strip_prefix(b"[") else { return false };
    let length = rest.iter().take(32).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let (name, behind) = rest.split_at(length);
    behind.starts_with(b" \"")
        && std::str::from_utf8(name).is_ok_and(|name| standard_key(name).is_some())
}

/// The name of the format of `bytes` if it is one that is known but not read yet.
///
/// ```
/// use qijian::format::known_but_unread;
///
/// assert_eq!(known_but_unread(b"7z\xBC\xAF\x27\x1C"), Some("7z archive"));
/// assert_eq!(known_but_unread(b"hello"), None);
/// ```
pub fn known_but_unread(bytes: &[u8]) -> Option<&'static str> {
    const MAGIC: [(&[u8], &str); 10] = [
        (b"PK\x03\x04", "ZIP archive"),
        (b"PK\x05\x06", "ZIP archive"),
        (b"Rar!", "RAR archive"),
        (b"7z\xBC\xAF\x27\x1C", "7z archive"),
        (b"\x1F\x8B", "gzip archive"),
        (b"\xD0\xCF\x11\xE0", "OLE2 document"),
        (b"%PDF", "PDF document"),
        (b"\x89PNG", "PNG picture"),
        (b"\xFF\xD8\xFF", "JPEG picture"),
        (b"SQLite format 3", "SQLite database"),
    ];
    if let Some((_, name)) = MAGIC.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        return Some(name);
    }
    const WORDS: [(&[u8], &str); 1] = [(b"<n version=", "PFC")];
    let ascii: Vec<u8> = bytes.iter().take(PREFIX).copied().filter(|byte| *byte != 0).collect();
    let has = |word: &[u8]| ascii.windows(word.len()).any(|window| window == word);
    WORDS.iter().find(|(word, _)| has(word)).map(|(_, name)| *name)
}

/// Whether a text is PGN.
fn is_pgn(text: &str) -> bool {
    if is_json(text) {
        return false;
    }
    let (mut tags, mut strange) = (0, 0);
    let (mut moves, mut words, mut numbered, mut lines) = (0, 0, 0, 0);
    // Lines that begin with a round, the first with round 1, and how many of them.
    let (mut round, mut rounds) = (0, 0);
    let mut comments = pgn::Comments::default();
    let mut at = 0;
    loop {
        at = pgn::skip_space(text, at);
        if at == text.len() {
            break;
        }
        let end = pgn::line_end(text, at);
        let line = text[at..end].trim_end();
        let said = pgn::parse_labelled(text, at).or_else(|| pgn::parse_plain(text, at));
        if let Some(tag) = said.filter(|tag| pgn::any_move(tag.value).is_none()) {
            // What is said of a game, whatever its words.
            at = tag.end;
        } else if let Some((_, end)) = pgn::parse_title(text, at) {
            at = end;
        } else if line.starts_with(['[', '［', '【']) {
            match pgn::parse_tag(text, at) {
                Some(tag) if standard_key(tag.name).is_some() => return true,
                Some(_) => tags += 1,
                // A heading of a forum, 【着法】.
                None => strange += usize::from(!line.starts_with('【')),
            }
            at = end;
        } else if pgn::is_position(text, at) {
            // A list of moves with a position that is no FEN is of another format.
            strange += usize::from(!line.contains(' '));
            at = end;
        } else if is_table_row(line) {
            strange += 1;
            at = end;
        } else {
            let balance = pgn::balance(text, at);
            let (in_moves, in_words) = balance.counts();
            moves += in_moves;
            words += in_words;
            lines += usize::from(balance.has_moves());
            numbered += usize::from(balance.is_numbered());
            let first = leading_number(line).filter(|_| balance.is_numbered());
            if let Some(number) =
                first.filter(|number| *number > round && (round > 0 || *number == 1))
            {
                (round, rounds) = (number, rounds + 1);
            }
            // Comments count for nothing.
            let comment = text[balance.end..].starts_with('{');
            at = if comment { comments.end(text, balance.end + 1) } else { end };
        }
    }
    if tags > 1 && strange == 0 {
        return true;
    }
    // Binary files hold move texts too.
    let binary = text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{C}' | '\u{1A}'));
    // Rounds that follow each other are a game even below a long heading.
    let mostly = moves > words || rounds > 1 && moves * 3 > words;
    let mostly = !binary && mostly && strange * 4 <= lines;
    mostly && (numbered > 0 || moves >= 8)
}

/// The number of a round that a line begins with: `1.`, `1、`, not 1.5 and not 1 alone.
fn leading_number(line: &str) -> Option<u32> {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let (number, rest) = line.split_at(digits);
    let rest = rest.trim_start().strip_prefix(['.', '．', '、', ':', '：'])?;
    (!rest.starts_with(|c: char| c.is_ascii_digit())).then(|| number.parse().ok())?
}

/// A list or an object of JSON.
fn is_json(text: &str) -> bool {
    let mut chars = text.chars().filter(|c| !c.is_whitespace() && *c != '\u{FEFF}');
    match (chars.next(), chars.next()) {
        (Some('{'), Some('"' | '}')) => true,
        (Some('['), Some(c)) => matches!(c, '"' | '{' | '[' | ']' | '-') || c.is_ascii_digit(),
        _ => false,
    }
}

/// A row of a table, or data of another kind, that may hold moves.
fn is_table_row(line: &str) -> bool {
    let has = |mark: char| line.contains(mark);
    let quoted = has('"') && (has(':') || has(',') || has('='));
    let commas = line.matches(',').count() + line.matches('，').count();
    let cells = line.matches('\t').count();
    let numbered =
        line.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', '．', '、']);
    quoted || line.starts_with(['|', '#', '>']) || (!numbered && (commas > 1 || cells > 1))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn records_with_and_without_tags_are_pgn() {
        let texts = [
            "[Event \"x\"]\n\n1. 炮二平五 马8进7 *",
            "[Game \"Chinese Chess\"]\n",
            "\u{FEFF}[FEN \"4k4/9/9/9/9/9/9/9/9/4K4 w\"]\n*",
            "1. 炮二平五 马8进7\n2. 马二进三",
            "1.炮二平五马8进72.马二进三车9平8",
            // Headings of forums, longer than the moves below them.
            "2009年全国象棋甲级联赛 第3轮\n广东 许银川 红先胜 江苏 徐天红\n1. 炮二平五 马8进7\n2. 马二进三 车9平8",
            "【红方】许银川 【黑方】吕钦 【结果】红胜\n1. 炮二平五 马8进7",
            "红：炮二平五 黑：马8进7\n红：马二进三 黑：车9平8\n红：车一平二 黑：马2进3",
            "红方：炮二平五\n黑方：马8进7",
            "【赛事】个人赛\n【着法】\n1. 炮二平五 马8进7",
            "赛事：全国个人赛  轮次：第三轮  地点：北京\n日期：2024年5月1日\n1. 炮二平五 马8进7",
            // R11, R12
            "1. b2e2 b9c7 2. h0g2 h9g7",
            "1. H2-E2 B9-C7\n2. H0-G2 H9-G7\n54. C7-C3 \n1-0",
            "1. Cbe2 {+0.38/19} Hg7 2. Hc2 {+0.30/18 41} Cd7",
            "{    橘中秘 卷上 }\n  1. 炮二平五\n{（一本）\n}\n  1.          炮２平５",
            "ZHAO GuoRong - KE YongQing\nCup 1997 EOD\nh2e2 h9g7 h0g2 i9h9 c3c4 g6g5 b0c2 b9c7 i0i1 c9e7 i1f1 h7h5",
            "【红方：许银川】\n1、炮二平五 马8进7",
        ];
        for text in texts {
            assert!(is_pgn(text), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not() {
        let texts = [
            "",
            "# 棋谱\n\n本程序读取 PGN，例如 `1. 炮二平五 马8进7`，并输出报告。更多内容请看文档。\n",
            "This program reads moves such as h2e2 and C2.5 from many files.\n",
            "{\"source\": \"a\", \"moves\": [\"h2e2\", \"h9g7\"]}\n{\"source\": \"b\"}\n",
            "round,red,black\n1,炮二平五,马8进7\n2,马二进三,车9平8\n",
            "1\t炮二平五\t马8进7\n2\t马二进三\t车9平8\n",
            "[event]\nname = \"x\"\nrounds = 7\n[rules]\nprofile = \"cxa\"\n",
            "[[a, b]](http://x)\n| 1 | 炮二平五 |\n",
            "d6f7h8f8d8d9e9e8\n2bakab2/3R3r1/9/3N5/9/6C2/9/4B4/9/3K1c1r1w\n",
            "红方先行，黑方应走车8进5。",
            "1. 安装程序\n2. 打开文件\n3. 退出\n",
        ];
        for text in texts {
            assert!(!is_pgn(text), "{text}");
        }
    }

    #[test]
    fn a_list_below_a_heading_is_pgn() {
        let moves = "炮二平五 马8进7 马二进三 车9平8";
        assert_eq!(sniff(moves.as_bytes(), None), Some(Format::Moves));
        for heading in ["红方：许银川", "许银川 先胜 吕钦", "【红方】许银川"] {
            let text = format!("{heading}\n{moves}\n");
            assert_eq!(sniff(text.as_bytes(), None), Some(Format::Pgn), "{heading}");
        }
    }

    /// A game of another format in a comment does not hide those of the file.
    #[test]
    fn a_quoted_game_is_no_format() {
        let quoted = "[DhtmlXQ]\n[DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n[/DhtmlXQ]";
        let pgn = format!("\n[Event \"x\"]\n\n1. 炮二平五 {{见 {quoted}}} 马8进7 *");
        assert_eq!(sniff(pgn.as_bytes(), None), Some(Format::Pgn));
        assert_eq!(sniff(quoted.as_bytes(), None), Some(Format::Dhtmlxq));
        let page = format!("[Page \"x\"]\n{quoted}");
        assert_eq!(sniff(page.as_bytes(), None), Some(Format::Dhtmlxq));
    }

    #[test]
    fn xqf_is_known_by_its_first_bytes() {
        let mut bytes = vec![0; 1024];
        bytes[..3].copy_from_slice(b"XQ\x12");
        assert_eq!(sniff(&bytes, None), Some(Format::Xqf));
        assert_eq!(sniff(&bytes[..16], None), Some(Format::Xqf));
        assert_eq!(sniff(b"XQWizard is a program", None), None);
    }

    #[test]
    fn other_formats_have_names() {
        assert_eq!(known_but_unread(b"PK\x03\x04..."), Some("ZIP archive"));
        assert_eq!(known_but_unread(b"[Event \"x\"]"), None);
    }

    /// The folders of the archive are named for what programs that read them took them for.
    #[test]
    fn real_archives_are_told_apart() {
        let data = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data");
        if !std::path::Path::new(data).exists() {
            let _ = writeln!(std::io::stderr(), "SKIPPED: no shared data");
            return;
        }
        let mut wrong = Vec::new();
        for entry in walkdir::WalkDir::new(data).min_depth(2) {
            let entry = entry.unwrap();
            if !entry.file_type().is_file() {
                continue;
            }
            let name = entry.path().strip_prefix(data).unwrap().to_string_lossy().into_owned();
            let bytes = std::fs::read(entry.path()).unwrap();
            let expected = match name.split('/').next().unwrap() {
                "cbr" => Some(Format::Cbr),
                "cbl" | "cbl-old" => Some(Format::Cbl),
                "xqr" => Some(Format::Xqr),
                "cbf" => Some(Format::Cbf),
                // One file of this folder is a directory of a disk.
                "xqf" => bytes.starts_with(b"XQ").then_some(Format::Xqf),
                // Titles and moves without tags or numbers, whatever its name says.
                "pgn-misc" if name.ends_with("puzzle_generator/games.pgn") => Some(Format::Moves),
                "pgn-big5-ccpd" | "pgn-gbk-online" | "pgn-misc" => {
                    (!bytes.is_empty()).then_some(Format::Pgn)
                }
                "wxf-txt" if bytes.starts_with(b"FORMAT") => Some(Format::Wxf),
                // Numbered moves in WXF letters without the WXF file's head are loose moves, which PGN covers.
                "wxf-txt" => Some(Format::Pgn),
                "mxq" => Some(Format::Mxq),
                "dhtmlxq" if name.ends_with("game1.ubb") => Some(Format::Ubb),
                "dhtmlxq" | "dhtmlxq-html" | "dhtmlxq-rules" => Some(Format::Dhtmlxq),
                "uci-plain-niu2x" | "eglib" => Some(Format::Moves),
                "csv-elephantchess" => Some(Format::Csv),
                "expected.jsonl" => Some(Format::Json),
                _ => None,
            };
            let found = sniff(&bytes, None);
            if found != expected {
                wrong.push(format!("{name}: {found:?}, known as {:?}", known_but_unread(&bytes)));
            }
        }
        assert!(
            wrong.is_empty(),
            "{} files:\n{}",
            wrong.len(),
            wrong[..wrong.len().min(40)].join("\n")
        );
    }
}
