//! The worked example of reference/formats.md 2.5, faults one by one, and writing.

use super::*;
use crate::{
    board::Move,
    record::{NodeId, Written},
};

fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

/// The board of 2.3, from Black's left corner row by row.
const BOARD: &str =
    "21 22 23 24 25 24 23 22 21  00 00 00 00 00 00 00 00 00  00 26 00 00 00 00 00 26 00
    27 00 27 00 27 00 27 00 27  00 00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00 00
    17 00 17 00 17 00 17 00 17  00 16 00 00 00 00 00 16 00  00 00 00 00 00 00 00 00 00
    11 12 13 14 15 14 13 12 11";

/// 2.5: h2e2 {好} (c3c4) h9g7, Red 甲 won against Black 乙.
fn example() -> Vec<u8> {
    let mut bytes = vec![0; 2214];
    bytes[..16].copy_from_slice(&hex("43 43 42 72 69 64 67 65 20 52 65 63 6F 72 64 00"));
    bytes[19] = 2;
    bytes[180..182].copy_from_slice(&hex("41 00"));
    bytes[1076..1078].copy_from_slice(&hex("32 75"));
    bytes[1300..1302].copy_from_slice(&hex("59 4E"));
    (bytes[2040], bytes[2076], bytes[2112], bytes[2116]) = (1, 1, 1, 1);
    bytes[2120..2210].copy_from_slice(&hex(BOARD));
    bytes[2210..2214].fill(0xFF);
    bytes.extend(hex("00 00 00 00  06 00 46 43 02 00 00 00 7D 59  01 00 07 18  01 00 38 2F"));
    bytes
}

fn moves(record: &Record<'_>) -> Vec<String> {
    let all = (1..=record.tree.len()).filter_map(|index| record.tree.nth(index));
    all.map(|id| match record.tree.node(id).written {
        Written::Squares { from: Some(from), to: Some(to), .. } => format!("{from}{to}"),
        _ => "?".to_owned(),
    })
    .collect()
}

/// The only finding of `bytes`, as code, offset and field.
#[track_caller]
fn only_finding(bytes: &[u8]) -> (String, u64, String) {
    let record = read(bytes);
    let [finding] = &record.findings[..] else { panic!("{:?}", record.findings) };
    let field = finding.data.get("field").and_then(|field| field.as_str()).unwrap_or_default();
    (finding.code.to_string(), finding.place.offset.unwrap(), field.to_owned())
}

#[test]
fn the_worked_example() {
    let bytes = example();
    assert_eq!(bytes.len(), 2236);
    let record = read(&bytes);
    assert_eq!(record.findings, []);
    let Start::Board { setup, .. } = &record.start else { panic!("no board") };
    assert_eq!(setup.squares, Setup::start().squares);
    assert_eq!((setup.side, setup.round), (None, None));
    let tags: Vec<_> = record.tags.iter().map(|tag| (&*tag.name, &*tag.value)).collect();
    assert_eq!(tags, [("Title", "A"), ("Red", "甲"), ("Black", "乙")]);
    assert_eq!(record.result.as_ref().unwrap().outcome, Outcome::RedWins);
    assert_eq!(moves(&record), ["h2e2", "h9g7", "c3c4"]);
    assert_eq!(record.tree.children(NodeId::ROOT).count(), 2);
    let [comment] = &record.tree.comments[..] else { panic!("one comment") };
    assert_eq!((&*comment.text, comment.node), ("好", record.tree.nth(1).unwrap()));
    assert_eq!(comment.span.range(), 2226..2228);
}

#[test]
fn a_zero_is_looked_for_at_even_offsets() {
    // formats.md 2.2: `001 一`, whose blank and 一 are 20 00 00 4E.
    let mut bytes = example();
    let title: Vec<u8> = "001 一".encode_utf16().flat_map(u16::to_le_bytes).collect();
    bytes[180..180 + title.len()].copy_from_slice(&title);
    // What is behind the zero may be anything.
    bytes[192..200].fill(0xAB);
    assert_eq!(read(&bytes).tags[0].value, "001 一");
}

#[test]
fn all_roots_that_were_seen() {
    // formats.md 2.4: 0 moves follow, 4 comment and moves, 1 no moves, 5 comment and no moves.
    let header = &example()[..2214];
    for (nodes, plies, comments) in [
        ("00 00 00 00  01 00 46 43", 1, 0),
        ("04 00 00 00 02 00 00 00 7D 59  01 00 46 43", 1, 1),
        ("01 00 00 00", 0, 0),
        ("05 00 00 00 02 00 00 00 7D 59", 0, 1),
    ] {
        let bytes = [header, &hex(nodes)].concat();
        let record = read(&bytes);
        assert_eq!(record.findings, [], "{nodes}");
        assert_eq!((record.tree.len(), record.tree.comments.len()), (plies, comments), "{nodes}");
    }
}

#[test]
fn each_fault_has_its_place() {
    let with = |at: usize, value: u8| {
        let mut bytes = example();
        bytes[at] = value;
        bytes
    };
    let is = |code: &str, at: u64, field: &str| (code.to_owned(), at, field.to_owned());
    assert_eq!(only_finding(&example()[..100]), is("QJ002", 100, ""));
    assert_eq!(only_finding(&example()[..2220]), is("QJ002", 2218, ""));
    assert_eq!(only_finding(&with(2076, 9)), is("QJ004", 2076, "result"));
    assert_eq!(only_finding(&with(2112, 0)), is("QJ004", 2112, "side"));
    assert_eq!(only_finding(&with(2129, 0x18)), is("QJ004", 2129, "board"));
    // A comment that is longer than the file.
    assert_eq!(only_finding(&with(2222, 0x80)), is("QJ002", 2236, ""));
    let trailing = [example(), vec![1, 2]].concat();
    assert_eq!(only_finding(&trailing), is("QJ003", 2236, ""));
    let padded = [example(), vec![0; 4]].concat();
    assert_eq!(read(&padded).findings, []);
    // Half of a pair of surrogates (formats.md 2.7).
    let mut half = example();
    half[180..182].copy_from_slice(&[0x00, 0xD8]);
    assert_eq!(only_finding(&half), is("QJ101", 180, ""));
}

#[test]
fn a_kind_that_nobody_has_described_is_refused() {
    let mut bytes = example();
    bytes[19] = 3;
    assert_eq!(only_finding(&bytes), ("QJ001".into(), 19, String::new()));
    let record = read(&bytes);
    assert_eq!((record.game, record.tree.len()), (0, 0));
}

#[test]
fn a_tree_that_never_ends_and_padding_within_it() {
    // Flags all 2: each node has a continuation and an alternative.
    let mut bytes = example()[..2218].to_vec();
    bytes.extend([2, 0, 70, 67].repeat(10_000));
    let record = read(&bytes);
    assert_eq!((record.tree.len(), record.findings.len()), (10_000, 1));
    // Padding where a move is announced: what follows is no move.
    let mut bytes = example()[..2218].to_vec();
    bytes.extend([0; 64]);
    assert_eq!(read(&bytes).tree.len(), 0);
    assert!(read(&bytes).findings.iter().any(|finding| finding.code == Code::TRUNCATED));
}

#[test]
fn kind_1_by_its_description() {
    // formats.md 2.6: fields 128 bytes earlier, squares in nibbles (file, row from the top).
    let mut bytes = vec![0; 1958];
    bytes[..16].copy_from_slice(MAGIC);
    bytes[19] = 1;
    bytes[52..54].copy_from_slice(&hex("41 00"));
    bytes[948..950].copy_from_slice(&hex("32 75"));
    (bytes[1784], bytes[1820], bytes[1856]) = (1, 3, 2);
    bytes[1864..1954].copy_from_slice(&hex(BOARD));
    bytes.extend(hex("00 00 00 00  01 00 77 47"));
    let record = read(&bytes);
    assert_eq!(record.findings, []);
    assert_eq!(moves(&record), ["h2e2"]);
    assert_eq!(record.tag("red").unwrap().value, "甲");
    assert_eq!(record.result.as_ref().unwrap().outcome, Outcome::Draw);
    let Start::Board { setup, .. } = &record.start else { panic!("no board") };
    assert_eq!(setup.side, Some(Side::Black));
}

#[test]
fn the_example_is_written_as_it_was() {
    let bytes = example();
    let (written, losses) = write(&read(&bytes), &[]);
    assert_eq!((written, losses), (bytes, vec![]));
}

#[test]
fn a_changed_record_changes_only_what_was_changed() {
    let mut bytes = example();
    // What no reader looks at.
    bytes[300] = 0x77;
    bytes[2219] = 1;
    let mut record = read(&bytes);
    record.tags[1].value = "丙".into();
    let (written, _) = write(&record, &[]);
    let differ: Vec<usize> = (0..bytes.len()).filter(|at| bytes[*at] != written[*at]).collect();
    assert_eq!(differ, [1076, 1077]);
    assert_eq!(written[1076..1078], hex("19 4E"));
}

/// A record that came as text: moves by the replay, tags in other words, and things that CBR cannot hold.
#[test]
fn a_text_record_and_what_is_lost_of_it() {
    let mut record = Record::new(1);
    let mut tag = |name: &'static str, value: &'static str| {
        record.tags.push(Tag { name: name.into(), value: value.into(), span: Span::default() });
    };
    tag("Game", "Chinese Chess");
    tag("White", "甲");
    tag("WhiteTeam", "一个名字长得三十二个字的栏目放不下的队伍名称一二三四五六七八九十");
    tag("Weather", "雨");
    tag("Result", "1-0");
    let first = record.tree.add(NodeId::ROOT, Written::Text("炮二平五"), Span::default());
    let odd = record.tree.add(first, Written::Text("不明"), Span::default());
    record.tree.add(odd, Written::Text("马二进三"), Span::default());
    record.tree.node_mut(first).marks = "!";
    record
        .tree
        .comments
        .push(Comment { node: odd, text: "甲\n乙".into(), span: Span::default() });
    let at = |text: &str| text.parse::<Move>().unwrap();
    let played = [None, Some(at("h2e2")), None, Some(at("h0g2"))];
    let (written, losses) = write(&record, &played);
    let back = read(&written);
    assert_eq!(back.findings, []);
    assert_eq!(moves(&back), ["h2e2", "?", "h0g2"]);
    assert_eq!(back.tree.comments[0].text, "[%written 不明]\n甲\n乙");
    assert_eq!(back.tag("red").unwrap().value, "甲");
    assert_eq!(back.tag("red_team").unwrap().value.chars().count(), 31);
    assert_eq!(back.result.as_ref().unwrap().outcome, Outcome::RedWins);
    let mut parts: Vec<_> = losses.iter().map(|loss| loss.part.as_str()).collect();
    parts.sort_unstable();
    assert_eq!(parts, ["marks", "move", "tag", "tag"]);
}

#[test]
fn comments_read_back_as_they_were() {
    for text in ["好", "两行\n评注", "行尾\n", "\n", "a\r\nb", "𠮷", "||"] {
        let mut record = Record::new(1);
        let comment = Comment { node: NodeId::ROOT, text: text.into(), span: Span::default() };
        record.tree.comments.push(comment.clone());
        let (written, losses) = write(&record, &[]);
        assert_eq!(losses, []);
        assert_eq!(read(&written).tree.comments[0].text, text);
        record.tree.comments.push(comment);
        assert_eq!(write(&record, &[]).1.len(), 1, "two comments become one");
    }
}

/// Equal records give equal files, other records another GUID.
#[test]
fn the_guid_depends_on_the_content() {
    let one = write(&Record::new(1), &[]).0;
    assert_eq!(one, write(&Record::new(2), &[]).0);
    let mut other = Record::new(1);
    other.result =
        Some(Marker { text: "1-0".into(), outcome: Outcome::RedWins, span: Span::default() });
    let other = write(&other, &[]).0;
    assert_ne!(one[GUID..GUID + 16], other[GUID..GUID + 16]);
}
