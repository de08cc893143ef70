use super::*;
use crate::{finding::Locate, format::pgn as pgn_format, record::Written, source::Encoding};

#[derive(PartialEq, Debug)]
struct Read {
    tags: Vec<String>,
    /// Number, move and marks of each ply.
    plies: Vec<String>,
    comments: Vec<String>,
    result: Option<String>,
    owner: Option<Side>,
}

fn read_all(text: &str) -> Vec<Read> {
    let text = Text::decode(text.as_bytes(), Encoding::Utf8);
    let mut sheets = Vec::new();
    read(&text, &mut |record| {
        let plies = record.tree.main_line().map(|id| {
            let node = record.tree.node(id);
            let number = node.number.map(|number| format!("{number}.")).unwrap_or_default();
            let text = match node.written {
                Written::Text(text) => text,
                _ => "…",
            };
            format!("{number}{text}{}", node.marks)
        });
        let comments = record.tree.comments.iter();
        sheets.push(Read {
            tags: record.tags.iter().map(|tag| format!("{}={}", tag.name, tag.value)).collect(),
            plies: plies.collect(),
            comments: comments
                .map(|comment| format!("{}:{}", comment.node.index(), comment.text))
                .collect(),
            result: record.result.as_ref().map(|result| result.text.to_string()),
            owner: record.owner,
        });
    });
    sheets
}

fn plies(text: &str) -> Vec<String> {
    let mut sheets = read_all(text);
    assert_eq!(sheets.len(), 1, "{sheets:?}");
    sheets.remove(0).plies
}

const PLIES: [&str; 7] =
    ["1.炮二平五", "马8进7", "2.马二进三", "车9平8", "3.…", "卒7进1", "4.车二进六"];

#[test]
fn every_style_of_table() {
    let blanks = "回合  红方      黑方\n 1    炮二平五  马8进7\n 2    马二进三  车9平8\n\
                  \u{20}3              卒7进1\n 4    车二进六\n";
    let wide = "回合　　红方　　　　黑方\n１　　　炮二平五　　马8进7\n２　　　马二进三　　车9平8\n\
                ３　　　　　　　　　卒7进1\n４　　　车二进六\n";
    let tabs =
        "回合\t红方\t黑方\n1\t炮二平五\t马8进7\n2\t马二进三\t车9平8\n3\t\t卒7进1\n4\t车二进六\t\n";
    let markdown = "| 回合 | 红方 | 黑方 |\n|---|:-:|---|\n| 1 | 炮二平五 | 马8进7 |\n| 2 | 马二进三 | 车9平8 |\n\
                    | 3 | | 卒7进1 |\n| 4 | 车二进六 | |\n";
    let boxes = "┌──┬──┬──┐\n│回合│红方│黑方│\n├──┼──┼──┤\n│1│炮二平五│马8进7│\n├──┼──┼──┤\n\
                 │2│马二进三│车9平8│\n│3│　　│卒7进1│\n│4│车二进六│　　│\n└──┴──┴──┘\n";
    for text in [blanks, wide, tabs, markdown, boxes] {
        assert_eq!(plies(text), PLIES, "{text}");
        assert!(is_sheet(text), "{text}");
    }
}

#[test]
fn the_column_decides_whose_a_lone_move_is() {
    // The same words, two places.
    let head = "回合  红方        黑方\n1     炮二平五    马8进7\n";
    assert_eq!(
        plies(&format!("{head}2     车九平八\n3     车一平二  卒1进1\n"))[2..4],
        ["2.车九平八", "…"]
    );
    assert_eq!(
        plies(&format!("{head}2                 车9平8\n3     车一平二  卒1进1\n"))[2..4],
        ["2.…", "车9平8"]
    );
    // Rows that do not stand below their head: a whole row shows where the columns are.
    let shifted = "回合 红方 黑方\n  1.   炮二平五     马8进7\n  2.                车9平8\n  3.   车一平二     卒1进1\n";
    assert_eq!(plies(shifted)[2..4], ["2.…", "车9平8"]);
    let glued = "回合  红方      黑方\n1.炮二平五  马8进7\n2.马二进三  车9平8\n";
    assert_eq!(plies(glued), ["1.炮二平五", "马8进7", "2.马二进三", "车9平8"]);
}

#[test]
fn omissions_of_every_shape() {
    let text = "| 回合 | 红方 | 黑方 |\n| 1 | …… | 马8进7 |\n| 2 | ... | --- |\n| 3 | | |\n| 5 | 车一平二 | — |\n| 6 | | |\n";
    assert_eq!(plies(text), ["1.…", "马8进7", "2.…", "…", "3.…", "…", "5.车一平二", "…"]);
}

#[test]
fn black_may_begin_a_set_position() {
    let text = "FEN：4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1\n回合 | 红方 | 黑方\n1 | | 将5进1\n2 | 帅五进一 | \n";
    assert_eq!(plies(text), ["1.将5进1", "2.帅五进一"]);
}

#[test]
fn headings_times_remarks_and_signatures() {
    let text = "全国象棋个人赛记录表\n赛事：个人赛　日期：2024-05-01\n红方：甲  黑方：乙\n用时限：60分加30秒\n本记录为红方所记\n\n\
                回合  红方      用时  黑方      用时  备注\n\
                1     炮二平五  0:12  马8进7    0:30\n\
                2     马二进三  0:20  车9平8    1:00  提和 黑拒绝\n\
                \u{20}                                    （接上）再提\n\
                3     车一平二!? 0:40\n\n\
                结果：红胜\n红方签字：甲　　黑方签字：乙\n裁判：丙\n黑方超时\n";
    let sheet = &read_all(text)[0];
    assert_eq!(
        sheet.tags,
        [
            "赛事=个人赛",
            "日期=2024-05-01",
            "红方=甲",
            "黑方=乙",
            "用时限=60分加30秒",
            "红方签字=甲",
            "黑方签字=乙",
            "裁判=丙"
        ]
    );
    assert_eq!(sheet.plies[4], "3.车一平二!?");
    assert_eq!(
        sheet.comments,
        [
            "0:全国象棋个人赛记录表",
            "1:[%emt 0:12]",
            "2:[%emt 0:30]",
            "3:[%emt 0:20]",
            "4:[%emt 1:00]",
            "4:提和 黑拒绝",
            "4:（接上）再提",
            "5:[%emt 0:40]",
            "5:黑方超时"
        ]
    );
    assert_eq!((sheet.result.as_deref(), sheet.owner), (Some("红胜"), Some(Side::Red)));
}

#[test]
fn a_time_column_of_what_is_left_and_remarks_of_a_side() {
    let text = "| 回合 | 红方 | 红余时 | 黑方 | 黑余时 | 红方备注 | 黑方备注 |\n\
                | 1 | 炮二平五(=) | 59:48 | 马8进7 | 59:30 | 提和 | [%reply black refuse] |\n";
    let sheet = &read_all(text)[0];
    assert_eq!(
        sheet.comments,
        ["1:(=)", "1:[%clk 59:48]", "2:[%clk 59:30]", "1:提和", "2:[%reply black refuse]"]
    );
}

#[test]
fn several_sheets_and_further_pages() {
    let sheet = |red: &str, rows: &str| format!("红方：{red}\n回合 红方 黑方\n{rows}\n");
    let two = sheet("甲", "1 炮二平五 马8进7") + "\n" + &sheet("乙", "1 兵七进一 卒7进1");
    let read = read_all(&two);
    assert_eq!(
        read.iter().map(|sheet| &*sheet.tags[0]).collect::<Vec<_>>(),
        ["红方=甲", "红方=乙"]
    );
    // Without a heading the round tells.
    let page = "回合 红方 黑方\n1 炮二平五 马8进7\n\n回合 红方 黑方\n2 马二进三 车9平8\n";
    assert_eq!(plies(page).len(), 4);
    let next = page.replace("2 马二", "1 马二");
    assert_eq!(read_all(&next).len(), 2);
}

#[test]
fn tables_side_by_side_are_read_one_after_the_other() {
    let bars = "| 回合 | 红方 | 黑方 | 回合 | 红方 | 黑方 |\n| 1 | 炮二平五 | 马8进7 | 3 | 车一平二 | 卒7进1 |\n\
                | 2 | 马二进三 | 车9平8 | 4 | | |\n";
    let blanks = "回合 红方     黑方     回合 红方     黑方\n1    炮二平五 马8进7   3    车一平二 卒7进1\n2    马二进三 车9平8\n";
    for text in [bars, blanks] {
        assert_eq!(
            plies(text),
            ["1.炮二平五", "马8进7", "2.马二进三", "车9平8", "3.车一平二", "卒7进1"],
            "{text}"
        );
    }
}

#[test]
fn what_is_no_move_in_a_column_of_moves_is_kept_for_the_replay() {
    let text = "| 回合 | 红方 | 黑方 |\n| 1 | 炮二平 | xxxx |\n| 2 | 认输 | |\n";
    let sheet = &read_all(text)[0];
    assert_eq!(sheet.plies, ["1.炮二平", "xxxx"]);
    assert_eq!(sheet.comments, ["2:认输"]);
    let text = "| 回合 | 红方 | 黑方 |\n| 1 | 炮二平五 | 红胜 |\n| 2 | 马二进三 | |\n";
    let sheet = &read_all(text)[0];
    assert_eq!((sheet.plies.len(), sheet.result.as_deref()), (1, Some("红胜")));
}

#[test]
fn places_are_exact() {
    let source =
        "红方：甲\r\n| 回合 | 红方 | 黑方 |\r\n| 1 | 炮二平五 | |\r\n| 2 | 马二进三 | 马8进9 |\r\n";
    let text = Text::decode(source.as_bytes(), Encoding::Utf8);
    read(&text, &mut |record| {
        let place = |ply| {
            let place = text.place(record.tree.node(record.tree.nth(ply).unwrap()).span);
            (place.line.unwrap(), place.column.unwrap())
        };
        assert_eq!(place(1), (3, 7));
        // The empty cell, behind its bar and blank.
        assert_eq!(place(2), (3, 14));
        assert_eq!(place(4), (4, 14));
    });
}

#[test]
fn other_texts_are_no_sheets() {
    for other in [
        "",
        "红方：甲\n1. 炮二平五 马8进7\n",
        "回合 红方 黑方\n",
        "红方 黑方\n甲 乙\n丙 丁\n",
        "本表有回合、红方、黑方三栏。\n1 炮二平五 马8进7\n",
    ] {
        assert!(!is_sheet(other), "{other}");
    }
}

#[test]
fn hostile_sheets() {
    let head = "回合 红方 黑方\n";
    let long = format!("{head}1 炮二平五 马8进7 {}\n", "x ".repeat(100_000));
    assert_eq!(read_all(&long)[0].plies.len(), 2);
    let bars = format!("| 回合 | 红方 | 黑方 |\n|{}\n", "|".repeat(200_000));
    assert_eq!(read_all(&bars).len(), 1);
    let rows = format!("{head}{}", "1 炮二平五 马8进7\n".repeat(20_000));
    assert_eq!(read_all(&rows)[0].plies.len(), 40_000);
    let heads = head.repeat(20_000);
    assert_eq!(read_all(&heads).len(), 1);
    let names = format!("{}\n{head}", "红方：甲 ".repeat(20_000));
    assert_eq!(read_all(&names).len(), 1);
}

#[test]
fn what_is_written_reads_back() {
    let text = "[Event \"赛\"]\n[Red \"甲\"]\n[Arbiter \"丙  丁\"]\n[FEN \"4k4/9/9/9/9/9/9/9/9/R3K4 b - - 3 7\"]\n{前}\n\
                7... 将5进1 8. 车九进一!? {一} {二} ... 9. 车九退一 {a|b\nc} 将5退1 红胜";
    pgn_format::read_str(text, &crate::finding::Binary, &mut |record| {
        let (written, losses) = super::write(&record, &[], None);
        let lost: Vec<&str> = losses.iter().map(|loss| loss.part.as_str()).collect();
        assert_eq!(lost, ["comment"], "{written}");
        let sheet = &read_all(&written)[0];
        assert_eq!(
            sheet.plies,
            ["7.将5进1", "8.车九进一!?", "…", "9.车九退一", "将5退1"],
            "{written}"
        );
        assert_eq!(sheet.comments, ["0:前", "2:一", "2:二", "4:a/b c"]);
        assert_eq!(sheet.result.as_deref(), Some("红胜"));
    });
}

#[test]
fn variations_are_told_not_dropped_in_silence() {
    let text = "1. 炮二平五 (1. 兵七进一 {指路} 卒7进1) 马8进7 *";
    pgn_format::read_str(text, &crate::finding::Binary, &mut |record| {
        let (_, losses) = super::write(&record, &[], None);
        let lost: Vec<(&str, &str)> =
            losses.iter().map(|loss| (loss.part.as_str(), &*loss.text)).collect();
        assert_eq!(lost, [("move", "兵七进一"), ("comment", "指路"), ("move", "卒7进1")]);
    });
}
