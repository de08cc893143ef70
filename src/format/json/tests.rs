use super::super::{Format, read as read_format};
use crate::{
    finding::Binary,
    format::pgn,
    record::{Start, Written},
    source::Encoding,
};

/// Start, tags, plies, comments and findings of each game.
#[derive(PartialEq, Debug)]
struct Read {
    start: String,
    tags: Vec<String>,
    plies: Vec<String>,
    comments: Vec<String>,
    result: Option<String>,
    findings: Vec<(String, Option<u32>)>,
}

fn read_all(text: &str) -> Vec<Read> {
    let mut games = Vec::new();
    read_format(text.as_bytes(), Format::Json, Some(Encoding::Utf8), &mut |record, _, _| {
        games.push(Read {
            start: match &record.start {
                Start::Fen { text, .. } => text.to_string(),
                _ => String::new(),
            },
            tags: record.tags.iter().map(|tag| format!("{}={}", tag.name, tag.value)).collect(),
            plies: record
                .tree
                .main_line()
                .map(|id| match record.tree.node(id).written {
                    Written::Text(text) => text.to_owned(),
                    _ => "…".to_owned(),
                })
                .collect(),
            comments: record
                .tree
                .comments
                .iter()
                .map(|comment| format!("{}:{}", comment.node.index(), comment.text))
                .collect(),
            result: record.result.as_ref().map(|result| result.text.to_string()),
            findings: record
                .findings
                .iter()
                .map(|finding| (finding.code.to_string(), finding.place.line))
                .collect(),
        });
    });
    games
}

fn plies(text: &str) -> Vec<usize> {
    read_all(text).iter().map(|game| game.plies.len()).collect()
}

#[test]
fn lists_lines_and_single_objects() {
    let game = r#"{"moves": ["h2e2", "h9g7"]}"#;
    for text in [
        format!("{game}\n{game}\n"),
        format!("[{game},\n {game}]"),
        format!("{{\"games\": [\n{game},\n{game}\n], \"summary\": {{\"files\": 1}}}}\n"),
        format!("\u{FEFF}{game}{game}"),
    ] {
        assert_eq!(plies(&text), [2, 2], "{text}");
        assert!(super::holds_game(&text));
    }
    assert_eq!(plies(game), [2]);
}

#[test]
fn moves_as_one_text_with_gaps_and_escapes() {
    assert_eq!(read_all(r#"{"moves": "h2e2 h9g7, h0g2 1-0"}"#)[0].plies, ["h2e2", "h9g7", "h0g2"]);
    assert_eq!(
        read_all(r#"{"moves": ["炮二平五", null, "", "...", "马８进７"]}"#)[0].plies,
        ["炮二平五", "…", "…", "…", "马８进７"]
    );
    // What Python's json.dumps makes of 炮二平五.
    let escaped = r#"{"moves": ["\u70ae\u4e8c\u5e73\u4e94"], "red": "\u7532"}"#;
    let games = read_all(escaped);
    assert_eq!((&*games[0].plies[0], &*games[0].tags[0]), ("炮二平五", "red=甲"));
    assert_eq!(
        read_all(r#"{"moves": "\u70ae\u4e8c\u5e73\u4e94 \u9a6c8\u8fdb7"}"#)[0].plies.len(),
        2
    );
    assert!(super::holds_game(escaped));
}

#[test]
fn tags_of_all_kinds() {
    let text = r#"{"tags": {"red": "甲", "event": "x", "other": {"red#2": "乙", "Arbiter": "丙"}},
        "fen": "4k4/9/9/9/9/9/9/9/9/4K4 w", "moves": [], "rating": 2000, "result": "1-0", "id": "x#1"}"#;
    let game = &read_all(text)[0];
    assert_eq!(game.tags, ["red=甲", "event=x", "red=乙", "Arbiter=丙", "rating=2000", "id=x#1"]);
    assert_eq!(game.start, "4k4/9/9/9/9/9/9/9/9/4K4 w");
    assert_eq!(game.result.as_deref(), Some("1-0"));
}

#[test]
fn what_check_tells_of_files_without_games_is_no_game() {
    assert!(
        read_all(r#"{"source": "a", "game": 0, "plies": 0, "start_fen": null, "findings": []}"#)
            .is_empty()
    );
    assert!(
        read_all(r#"{"source": "a", "game": 1, "plies": 9, "start_fen": "x", "findings": []}"#)
            .is_empty()
    );
    assert!(read_all(r#"{"name": "package", "version": 1}"#).is_empty());
}

#[test]
fn the_rest_of_a_game_goes_on() {
    let text = r#"{"game": 1, "plies": 1, "moves": ["h2e2"], "rest": {"from_ply": 2, "moves": [], "texts": ["马8进9", "……"],
        "status": "unreadable"}, "result": "*", "termination": "unstated", "findings": []}"#;
    let game = &read_all(text)[0];
    assert_eq!(game.plies, ["h2e2", "马8进9", "…"]);
    assert!(game.tags.is_empty() && game.result.is_none());
}

#[test]
fn a_fault_is_told_and_the_next_line_goes_on() {
    let text =
        "{\"moves\": [\"h2e2\"]}\n{\"moves\": [\"h2e2\", }\n{\"moves\": [\"h2e2\", \"h9g7\"]}\n";
    let games = read_all(text);
    assert_eq!(games.iter().map(|game| game.plies.len()).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(games[0].findings, [("QJ006".to_owned(), Some(2))]);
    // Cut in the middle.
    let games = read_all("[{\"moves\": [\"h2e2\"]},\n{\"moves\": [\"h2");
    assert_eq!(games[0].findings, [("QJ006".to_owned(), Some(2))]);
}

#[test]
fn places_are_exact() {
    let text = "\n{\"moves\":\n  [\"h2e2\", \"h9g8\"]}\n{\"moves\": \"h2e2 h9g8\"}";
    let mut places = Vec::new();
    read_format(text.as_bytes(), Format::Json, None, &mut |record, locate, _| {
        let place = locate.place(record.tree.node(record.tree.nth(2).unwrap()).span);
        places.push((place.line.unwrap(), place.column.unwrap(), place.offset.unwrap()));
    });
    assert_eq!(places, [(3, 13, 23), (4, 17, 47)]);
}

#[test]
fn hostile_json() {
    let deep = format!("{{\"moves\": {}", "[".repeat(200_000));
    assert!(read_all(&deep).is_empty());
    let deep = format!(
        "{{\"moves\": [\"h2e2\"], \"x\": {}1{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    assert_eq!(plies(&deep), [1]);
    assert!(read_all(&"{\"a\":\n".repeat(20_000)).is_empty());
    assert!(read_all(&"{\"a\":[\n".repeat(20_000)).is_empty());
    assert!(read_all(&"[".repeat(300_000)).is_empty());
    assert!(read_all(&"\"".repeat(30_001)).is_empty());
    let long = format!("{{\"moves\": \"{}\"}}", "h2e2 h9g7 ".repeat(50_000));
    assert_eq!(plies(&long), [100_000]);
}

#[test]
fn what_is_written_reads_back() {
    let text = "[Red \"甲\"]\n[Red \"乙\"]\n[FEN \"4k4/9/9/9/9/9/9/9/9/R3K4 w - - 3 7\"]\n{前}\n7. 车九进一 $1 {\"好\"\\} 将5进1 8. ... \
                ... 9. 车九进一 红胜\n帅五进一";
    pgn::read_str(text, &Binary, &mut |record| {
        let (json, losses) = super::write(&record, &[], None);
        assert_eq!(losses, []);
        read_format(json.as_bytes(), Format::Json, None, &mut |back, _, _| {
            let (again, _) = super::write(&back, &[], None);
            assert_eq!(again, json);
            let nodes = |record: &crate::record::Record<'_>| -> Vec<String> {
                let ids = record.tree.main_line();
                ids.map(|id| {
                    let node = record.tree.node(id);
                    format!("{:?} {:?} {}", node.written, node.number, node.marks)
                })
                .collect()
            };
            assert_eq!(nodes(&back), nodes(&record));
            assert_eq!(back.after_end.len(), record.after_end.len());
            assert_eq!(back.result.as_ref().unwrap().text, "红胜");
        });
    });
}

#[test]
fn variations_are_told_not_dropped_in_silence() {
    pgn::read_str(
        "1. 炮二平五 (1. 兵七进一 {指路} 卒7进1) 马8进7 *",
        &Binary,
        &mut |record| {
            let (text, losses) = super::write(&record, &[], None);
            let lost: Vec<(&str, &str)> =
                losses.iter().map(|loss| (loss.part.as_str(), &*loss.text)).collect();
            assert_eq!(lost, [("move", "兵七进一"), ("move", "卒7进1"), ("comment", "指路")]);
            assert!(text.contains(r#""moves":["炮二平五","马8进7"]"#));
        },
    );
}
