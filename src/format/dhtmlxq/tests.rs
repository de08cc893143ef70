use std::{fs, io::Write, path::PathBuf};

use super::*;
use crate::{
    board::{Setup, Side},
    finding::Binary,
    format::{self, Format},
    record::{Start, Written},
    replay::{self, Game},
};

fn records(text: &str) -> Vec<Record<'_>> {
    let mut records = Vec::new();
    read_str(text, &Binary, &mut |record| records.push(record));
    records
}

fn replayed(record: &Record<'_>) -> Game {
    replay::replay(record, &Binary, &replay::Options { tree: true, ..replay::Options::default() })
}

fn moves(game: &Game) -> String {
    game.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// What must survive writing and reading: tags, position, tree with its comments.
fn shape(record: &Record<'_>) -> String {
    use std::fmt::Write;
    let mut out = String::new();
    for tag in record.tags.iter().filter(|tag| tag.name != "ver" && tag.name != "init") {
        let _ =
            writeln!(out, "{}={}", keys::name(&tag.name).unwrap_or(&tag.name), tag.value.trim());
    }
    let game = replayed(record);
    let _ = writeln!(out, "{:?}", game.start.map(|start| start.fen()));
    let tree = &record.tree;
    // Nodes in the order of the tree, with their depth.
    let mut stack: Vec<(NodeId, u32)> = tree.children(NodeId::ROOT).map(|id| (id, 1)).collect();
    stack.reverse();
    let note = |out: &mut String, id: NodeId| {
        let texts = tree.comments.iter().filter(|comment| comment.node == id);
        let texts: Vec<&str> = texts
            .map(|comment| comment.text.as_ref())
            .filter(|text| !text.trim().is_empty())
            .collect();
        let _ = writeln!(out, " {:?}", texts.join("\n"));
    };
    note(&mut out, NodeId::ROOT);
    while let Some((id, depth)) = stack.pop() {
        let text = match tree.node(id).written {
            Written::Squares { from: Some(from), to: Some(to), .. } => format!("{from}{to}"),
            other => format!("{other:?}"),
        };
        let _ = write!(out, "{depth} {text}");
        note(&mut out, id);
        let mut children: Vec<(NodeId, u32)> =
            tree.children(id).map(|id| (id, depth + 1)).collect();
        children.reverse();
        stack.extend(children);
    }
    out
}

use crate::record::NodeId;

fn data(name: &str) -> Vec<(String, Vec<u8>)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/data");
    let folder = PathBuf::from(root).join(name);
    if !folder.exists() {
        let _ = writeln!(std::io::stderr(), "SKIPPED: no shared data");
        return Vec::new();
    }
    let mut files: Vec<(String, Vec<u8>)> = walkdir::WalkDir::new(folder)
        .sort_by_file_name()
        .into_iter()
        .map(Result::unwrap)
        .filter(|entry| entry.file_type().is_file())
        .map(|entry| (entry.path().display().to_string(), fs::read(entry.path()).unwrap()))
        .collect();
    files.sort();
    files
}

// formats.md 9.7: h2e2 with a comment, h9g7, and c3c4 instead of the first.
#[test]
fn the_example_of_the_reference() {
    let text = "[DhtmlXQ][DhtmlXQ_title]A[/DhtmlXQ_title][DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
        [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]\n\
        [DhtmlXQ_movelist]77477062[/DhtmlXQ_movelist]\n\
        [DhtmlXQ_move_0_1_1]2625[/DhtmlXQ_move_0_1_1]\n\
        [DhtmlXQ_comment1]好[/DhtmlXQ_comment1][/DhtmlXQ]";
    let records = records(text);
    let [record] = &records[..] else { panic!("one game") };
    let game = replayed(record);
    assert_eq!(moves(&game), "h2e2 h9g7");
    assert_eq!(game.outcome.as_str(), "1-0");
    assert!(game.findings.is_empty(), "{:?}", game.findings);
    let first = record.tree.first_child(NodeId::ROOT).unwrap();
    assert_eq!(record.tree.comments[0].node, first);
    let other = record.tree.next_sibling(first).unwrap();
    assert_eq!(game.played[other.index()].unwrap().to_string(), "c3c4");
    // Spans are those of the digits.
    assert_eq!(&text[record.tree.node(other).span.range()], "2625");
}

#[test]
fn the_side_to_move_is_that_of_the_first_move() {
    let text = "[DhtmlXQ][DhtmlXQ_movelist]70627747[/DhtmlXQ_movelist][/DhtmlXQ]";
    let game = replayed(&records(text)[0]);
    assert_eq!(game.start.unwrap().side(), Side::Black);
    let fen = "4k4/9/9/9/9/9/9/9/9/3K5 b - - 0 1";
    let text = format!("[DhtmlXQ][DhtmlXQ_fen]{fen}[/DhtmlXQ_fen][/DhtmlXQ]");
    assert_eq!(replayed(&records(&text)[0]).start.unwrap().side(), Side::Black);
}

#[test]
fn a_fen_of_the_same_board_knows_the_side() {
    let (king, other) = ("4k4/9/9/9/9/9/9/9/9/3K5 b", "3k5/9/9/9/9/9/9/9/9/4K4 b");
    let setup = Setup::from_fen(king).unwrap();
    let binit = start::to_binit(&setup).unwrap();
    for (fen, side) in [(king, Side::Black), (other, Side::Red)] {
        let text = format!(
            "[DhtmlXQ][DhtmlXQ_binit]{binit}[/DhtmlXQ_binit][DhtmlXQ_fen]{fen}[/DhtmlXQ_fen][/DhtmlXQ]"
        );
        let start = replayed(&records(&text)[0]).start.unwrap();
        assert_eq!((start.side(), start.fen().starts_with("4k4/")), (side, true), "{fen}");
    }
}

#[test]
fn the_first_value_of_a_key_counts() {
    let text = "[DhtmlXQ][DhtmlXQ_red][/DhtmlXQ_red][DhtmlXQ_red]甲[/DhtmlXQ_red]\
        [DhtmlXQ_red]甲[/DhtmlXQ_red][DhtmlXQ_red]乙[/DhtmlXQ_red][/DhtmlXQ]";
    let records = records(text);
    let values: Vec<&str> = records[0].tags.iter().map(|tag| tag.value.as_ref()).collect();
    assert_eq!(values, ["甲", "乙"]);
    assert_eq!(records[0].tag("red").unwrap().value, "甲");
}

#[test]
fn other_is_the_comment_of_the_start_position_where_there_is_none() {
    let text =
        "[DhtmlXQ][DhtmlXQ_other]说明[/DhtmlXQ_other][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]";
    let record = &records(text)[0];
    assert_eq!(record.tree.comments[0].text, "说明");
    assert!(record.tags.is_empty());
    let both = format!("{text}[DhtmlXQ_comment0]开局[/DhtmlXQ_comment0]");
    let record = &records(&both)[0];
    assert_eq!(record.tree.comments.len(), 1);
    assert_eq!(record.tags[0].name, "other");
}

#[test]
fn games_of_dhj_count_ranks_from_the_bottom() {
    let board = "rheakaehr0000000000c00000c0p0p0p0p0p000000000000000000P0P0P0P0P0C00000C0000000000RHEAKAEHR";
    let text = format!(
        "[DHJHtmlXQ][DHJHtmlXQ_17]甲[/DHJHtmlXQ_17][DHJHtmlXQ_31]{board}[/DHJHtmlXQ_31]\
         [DHJHtmlXQ_32]0[/DHJHtmlXQ_32][DHJHtmlXQ_34]72427967[/DHJHtmlXQ_34]\
         [game_comment_0_2]应着[/comment_0_2][/DHJHtmlXQ]"
    );
    let record = &records(&text)[0];
    assert_eq!(moves(&replayed(record)), "h2e2 h9g7");
    assert_eq!(record.tag("red").unwrap().value, "甲");
    assert_eq!(record.tree.comments[0].node, record.tree.main_line().last().unwrap());
}

#[test]
fn faults_have_their_places() {
    let cases = [
        ("[DhtmlXQ][DhtmlXQ_movelist]7747706[/DhtmlXQ_movelist][/DhtmlXQ]", "QJ006", "706"),
        ("[DhtmlXQ][DhtmlXQ_movelist]7747x7062[/DhtmlXQ_movelist][/DhtmlXQ]", "QJ006", "x"),
        ("[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist]", "QJ002", ""),
        (
            "[DhtmlXQ][DhtmlXQ_red]甲[DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]",
            "QJ006",
            "甲",
        ),
        (
            "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_comment9]好[/DhtmlXQ_comment9][/DhtmlXQ]",
            "QJ006",
            "好",
        ),
        (
            "[DhtmlXQ][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][DhtmlXQ_move_5_1_1]1747[/DhtmlXQ_move_5_1_1][/DhtmlXQ]",
            "QJ006",
            "1747",
        ),
        (
            "[DhtmlXQ][DhtmlXQ_binit]897969[/DhtmlXQ_binit][DhtmlXQ_movelist]7747[/DhtmlXQ_movelist][/DhtmlXQ]",
            "QJ006",
            "897969",
        ),
    ];
    for (text, code, at) in cases {
        let records = records(text);
        let findings = &records[0].findings;
        assert_eq!(findings.len(), 1, "{text}: {findings:?}");
        assert_eq!(findings[0].code.to_string(), code, "{text}");
        assert!(text[findings[0].place.offset.unwrap() as usize..].starts_with(at), "{text}");
        assert!(records[0].tree.len() <= 2);
    }
}

/// The 11 games with published rulings, the other files and the pages: every ply replays, in main lines and variations.
/// Two pages are viewers, whose program is no game.
#[test]
fn real_files_replay() {
    let (mut games, mut plies) = (0, 0);
    for folder in ["dhtmlxq", "dhtmlxq-html", "dhtmlxq-rules"] {
        for (name, bytes) in data(folder) {
            if name.ends_with("game1.ubb") {
                continue;
            }
            assert_eq!(format::sniff(&bytes, None), Some(Format::Dhtmlxq), "{name}");
            let mut count = 0;
            format::read(&bytes, Format::Dhtmlxq, None, &mut |record, locate, _| {
                count += 1;
                assert!(record.findings.is_empty(), "{name}: {:?}", record.findings);
                let game = replay::replay(&record, locate, &replay::Options::default());
                assert_eq!(game.replayed, record.tree.len(), "{name}: {:?}", game.findings);
                plies += record.tree.len();
                // The pages write W, L for Red; their titles say the same between the names.
                if let Some(title) = record.tag("title").filter(|_| name.ends_with(".html")) {
                    let expected = if title.value.contains("(W)") { "1-0" } else { "0-1" };
                    assert_eq!(game.outcome.as_str(), expected, "{name}");
                }
                let has_variations = record.tree.variations();
                assert_eq!(
                    has_variations,
                    if name.ends_with("game.ubb") { 3 } else { 0 },
                    "{name}"
                );
            });
            let is_viewer = name.ends_with("dpxq.html") || name.ends_with("ubb_parser.html");
            assert_eq!(count, if is_viewer { 0 } else { 1 }, "{name}");
            games += count;
        }
    }
    assert!(games == 0 || (games, plies) == (19, 851), "{games} games, {plies} plies");
}

#[test]
fn what_is_written_reads_back() {
    let written = |record: &Record<'_>, moves: &[Option<crate::board::Move>], name: &str| {
        let (text, losses) = write(record, moves);
        assert!(losses.is_empty(), "{name}: {losses:?}");
        let again = records(&text);
        assert_eq!(again.len(), 1, "{name}");
        assert!(again[0].findings.is_empty(), "{name}: {:?}", again[0].findings);
        assert_eq!(shape(record), shape(&again[0]), "{name}");
    };
    for folder in ["dhtmlxq", "dhtmlxq-html", "dhtmlxq-rules"] {
        for (name, bytes) in data(folder) {
            format::read(&bytes, Format::Dhtmlxq, None, &mut |record, _, _| {
                written(&record, &[], &name);
            });
        }
    }
    // XQF trees with variations and comments; the largest would only take time.
    let xqf = data("xqf").into_iter().filter(|(_, bytes)| (3000..60_000).contains(&bytes.len()));
    for (name, bytes) in xqf.step_by(12).take(120) {
        format::read(&bytes, Format::Xqf, None, &mut |mut record, _, _| {
            record.result =
                record.result.filter(|marker| marker.outcome != crate::record::Outcome::Unknown);
            let result = record.result.take();
            written(&record, &[], &name);
            record.result = result;
            let (text, _) = write(&record, &[]);
            let again = records(&text);
            assert_eq!(
                again[0].tag("result").map(|tag| tag.value.as_ref()),
                record.result.as_ref().map(|marker| marker.text.as_ref()),
                "{name}"
            );
        });
    }
}

#[test]
fn what_cannot_be_written_is_told() {
    let text = "[Red \"甲\"]\n[天气 \"晴\"]\n[FEN \"4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 3 9\"]\n\n\
                9. 车五平六! 将5平4 (9... xxx 将5平4) 10. 车六进一 {好} 1-0 11. 车六退一";
    let text = Text::decode(text.as_bytes(), crate::source::Encoding::Utf8);
    let mut seen = 0;
    crate::format::pgn::read(&text, &mut |record| {
        seen += 1;
        let game = replay::replay(
            &record,
            &text,
            &replay::Options { tree: true, ..replay::Options::default() },
        );
        let (written, losses) = write(&record, &game.played);
        let parts: Vec<&str> = losses.iter().map(|loss| loss.part.as_str()).collect();
        assert!(
            parts.contains(&"tag") && parts.contains(&"marks") && parts.contains(&"move"),
            "{losses:?}"
        );
        assert!(written.contains("[DhtmlXQ_fen]4k4/9/9/9/9/9/9/9/4R4/3K5 w - - 3 9[/DhtmlXQ_fen]"));
        let again = replayed(&records(&written)[0]);
        assert_eq!(again.start.map(|start| start.fen()), game.start.map(|start| start.fen()));
        assert_eq!(again.moves, game.moves[..again.moves.len()]);
    });
    assert_eq!(seen, 1);
}

#[test]
fn a_set_that_binit_cannot_hold_is_told() {
    let mut record = Record::new(1);
    let mut setup = Setup::start();
    setup.squares[44] = setup.squares[0];
    record.start =
        Start::Board { setup: Box::new(setup.clone()), span: crate::finding::Span::default() };
    let (text, losses) = write(&record, &[]);
    assert_eq!(losses[0].part.as_str(), "start");
    assert_eq!(
        replayed(&records(&text)[0]).start.unwrap().fen(),
        replayed(&record).start.unwrap().fen()
    );
}

/// Hostile shapes: each must end, and soon.
#[test]
fn hostile_texts() {
    let n = 20_000;
    let texts = [
        "[DhtmlXQ_".repeat(n),
        "[DhtmlXQ]".repeat(n),
        "[DhtmlXQ_movelist]".repeat(n),
        "[[[[".repeat(n),
        format!("[DhtmlXQ][DhtmlXQ_movelist]{}", "7747".repeat(n)),
        (1..n).map(|k| format!("[DhtmlXQ_move_{}_{k}_{k}]7747[/DhtmlXQ_x]", k - 1)).collect(),
        (1..n).map(|k| format!("[DhtmlXQ_comment{k}]a[/DhtmlXQ_x]")).collect(),
        format!("[DhtmlXQ_movelist]{}", "7747aaX0".repeat(n)),
        format!("[DhtmlXQ_title]{}", "\\u&||".repeat(n)),
    ];
    for text in texts {
        for record in records(&text) {
            assert!(record.findings.len() <= 21);
            let _ = write(&record, &[]);
        }
    }
}
