use std::path::{Path, PathBuf};

use super::*;
use crate::{
    finding::{Binary, Code},
    record::{NodeId, Start},
    source::detect,
};

fn games(text: &str) -> Vec<Record<'_>> {
    let mut games = Vec::new();
    read_str(text, &Binary, &mut |record| games.push(record));
    games
}

fn game(text: &str) -> Record<'_> {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

/// The tree as text: the line, then in parentheses the alternatives to each ply behind it; `_` is an omitted ply,
/// numbers as written.
fn tree(record: &Record<'_>) -> String {
    line(record, record.tree.first_child(NodeId::ROOT))
}

fn line(record: &Record<'_>, mut next: Option<NodeId>) -> String {
    let mut words = Vec::new();
    while let Some(id) = next {
        words.push(ply(record, id));
        let first = record.tree.parent(id).and_then(|parent| record.tree.first_child(parent));
        if first == Some(id) {
            let mut other = record.tree.next_sibling(id);
            while let Some(sibling) = other {
                let mut alternative = ply(record, sibling);
                let rest = line(record, record.tree.first_child(sibling));
                if !rest.is_empty() {
                    alternative = format!("{alternative} {rest}");
                }
                words.push(format!("({alternative})"));
                other = record.tree.next_sibling(sibling);
            }
        }
        next = record.tree.first_child(id);
    }
    words.join(" ")
}

fn ply(record: &Record<'_>, id: NodeId) -> String {
    let node = record.tree.node(id);
    let number = node.number.map_or(String::new(), |number| format!("{number}."));
    let text = match node.written {
        Written::Text(text) => {
            assert!(!text.trim().is_empty());
            text
        }
        Written::Omitted => "_",
        Written::Squares { .. } => panic!("text has no squares"),
    };
    format!("{number}{text}{}", node.marks)
}

/// Comments with the text of their ply, `^` for the root.
fn comments(record: &Record<'_>) -> Vec<String> {
    let show = |comment: &crate::record::Comment<'_>| {
        let place =
            if comment.node == NodeId::ROOT { "^".into() } else { ply(record, comment.node) };
        format!("{place}: {}", comment.text.trim())
    };
    record.tree.comments.iter().map(show).collect()
}

fn codes(record: &Record<'_>) -> Vec<Code> {
    record.findings.iter().map(|finding| finding.code).collect()
}

fn result(record: &Record<'_>) -> Option<Outcome> {
    record.result.as_ref().map(|marker| marker.outcome)
}

// --- reports of reference/peers.md section 3 ---------------------------------------------------------------------

#[test]
fn r11_coordinates_and_engine_comments() {
    let record = game("1. b2e2 b9c7 2. h0g2");
    assert_eq!(tree(&record), "1.b2e2 b9c7 2.h0g2");
    let record = game("1. Cbe2 {+0.38/19} Hg7 2. Hc2 {+0.30/18 41} Cd7");
    assert_eq!(tree(&record), "1.Cbe2 Hg7 2.Hc2 Cd7");
    assert_eq!(comments(&record), ["1.Cbe2: +0.38/19", "2.Hc2: +0.30/18 41"]);
}

#[test]
fn r12_iccs_with_the_result_on_its_own_line() {
    let text =
        "[Format \"ICCS\"]\n[RedTeam \"-\"]\n1. H2-E2 B9-C7\n2. H0-G2 H9-G7\n54. C7-C3 \n1-0\n";
    let record = game(text);
    assert_eq!(tree(&record), "1.H2-E2 B9-C7 2.H0-G2 H9-G7 54.C7-C3");
    assert_eq!(result(&record), Some(Outcome::RedWins));
    assert_eq!(record.tag("red_team").unwrap().value, "-");
    assert!(record.findings.is_empty());
}

#[test]
fn r26_a_foreign_game_does_not_stop_the_others() {
    let text = "[Variant \"janggi\"]\n\n1. a1a2 Xyzzy 2. foo\n\n[Event \"b\"]\n1. 炮二平五 *\n";
    let games = games(text);
    assert_eq!(games.len(), 2);
    assert_eq!(tree(&games[1]), "1.炮二平五");
}

#[test]
fn r27_a_missing_end_marker_before_the_next_tags() {
    let games =
        games("[Event \"a\"]\n[Result \"*\"]\n1. 炮二平五 马８进７\n[Event \"b\"]\n1. 兵七进一 *");
    let trees: Vec<_> = games.iter().map(tree).collect();
    assert_eq!(trees, ["1.炮二平五 马８进７", "1.兵七进一"]);
    assert_eq!((result(&games[0]), games[0].findings.len()), (None, 0));
}

#[test]
fn r42_blank_lines_do_not_count() {
    let text =
        "[Event \"a\"]\n\n\n[Red \"甲\"]\n\n1. 炮二平五\n\n\n马８进７\n\n1-0\n\n\n".repeat(8);
    let games = games(&text);
    assert_eq!(games.len(), 8);
    assert!(games.iter().all(|record| record.tags.len() == 2 && record.tree.len() == 2));
}

#[test]
fn r43_records_of_a_position_alone() {
    let text = "[FEN \"4k4/9/9/9/9/9/9/9/9/4K4 w\"]\n*\n\n[Event \"b\"]\n[FEN \"3k5/9/9/9/9/9/9/9/9/4K4 b\"]\n\n\
                [Event \"c\"]\n[FEN \"5k3/9/9/9/9/9/9/9/9/4K4 w\"]\n*\n";
    let games = games(text);
    assert_eq!(games.len(), 3);
    assert!(games.iter().all(|record| record.tree.is_empty()));
    assert!(games.iter().all(|record| matches!(record.start, Start::Fen { .. })));
    assert_eq!((result(&games[0]), result(&games[1])), (Some(Outcome::Unknown), None));
}

#[test]
fn r44_a_line_for_each_move() {
    let record = game("  1. 炮二平五\n     马８进７\n  2. 马二进三\n     车９平８\n");
    assert_eq!(tree(&record), "1.炮二平五 马８进７ 2.马二进三 车９平８");
}

#[test]
fn r48_tag_and_marker_are_both_kept() {
    let record = game("[Result \"1-0\"]\n1. 炮二平五 1/2-1/2");
    assert_eq!(record.tag("result").unwrap().value, "1-0");
    assert_eq!(result(&record), Some(Outcome::Draw));
}

#[test]
fn r49_results_with_blanks_and_in_words() {
    for (text, outcome) in [
        ("1 - 0", Outcome::RedWins),
        ("0.5 - 0.5", Outcome::Draw),
        ("红胜", Outcome::RedWins),
        ("先胜", Outcome::RedWins),
        ("和棋", Outcome::Draw),
        ("黑勝", Outcome::BlackWins),
        ("未知", Outcome::Unknown),
        ("和", Outcome::Draw),
        ("０－１", Outcome::BlackWins),
    ] {
        for text in [format!("1. 炮二平五 {text}"), format!("1. 炮二平五 马8进7\n{text}\n")]
        {
            let record = game(&text);
            assert_eq!(result(&record), Some(outcome), "{text}");
            assert!(codes(&record).is_empty(), "{text}");
        }
    }
}

#[test]
fn r65_a_record_goes_on_past_a_repetition() {
    let text = format!("1. 炮五平六 将4平5 {}", "炮六平五 将5平4 炮五平六 将4平5 ".repeat(5));
    assert_eq!(game(&text).tree.main_line().count(), 22);
}

#[test]
fn r75_r76_clocks_stay_in_comments() {
    let record =
        game("1. 炮二平五 {[%clk 1:59:00]} {[%emt 0:00:58]} 马8进7 2. 马二进三 {[%clk 1:58:00]}");
    assert_eq!(
        comments(&record),
        ["1.炮二平五: [%clk 1:59:00]", "1.炮二平五: [%emt 0:00:58]", "2.马二进三: [%clk 1:58:00]"]
    );
}

#[test]
fn r77_paste_of_xqstudio_with_its_footer() {
    let text = "  1. 炮二平五  马８进７    2. 马二进三  卒７进１\n  3. 车一平二\n----------\n\
                棋谱由XQStudio生成 (http://www.xqstudio.com)\n";
    let record = game(text);
    assert_eq!(tree(&record), "1.炮二平五 马８进７ 2.马二进三 卒７进１ 3.车一平二");
    assert!(record.findings.is_empty());
}

#[test]
fn r83_a_comment_before_a_variation_stays_in_it() {
    let record = game("1. 炮二平五 炮8平5 ({也可} 1... 马8进7 2. 马二进三) 2. 马八进七");
    assert_eq!(tree(&record), "1.炮二平五 炮8平5 (1.马8进7 2.马二进三) 2.马八进七");
    assert_eq!(comments(&record), ["1.马8进7: 也可"]);
    let record = game("1. 炮二平五 炮8平5 ({只有文字}) 2. 马八进七");
    assert_eq!(comments(&record), ["炮8平5: ({只有文字})"]);
}

#[test]
fn r84_dots_in_a_variation_are_no_ply() {
    let record = game("1. 炮二平五 炮8平5 (1... 马8进7 2. 马二进三)");
    assert_eq!(tree(&record), "1.炮二平五 炮8平5 (1.马8进7 2.马二进三)");
}

#[test]
fn r85_variations_at_the_first_two_plies() {
    let record = game("1. 炮二平五 (1. 兵七进一) 1... 炮8平5 (1... 马8进7)");
    assert_eq!(tree(&record), "1.炮二平五 (1.兵七进一) 1.炮8平5 (1.马8进7)");
    assert!(record.tree.comments.is_empty());
}

#[test]
fn m02_to_m05_what_cchess_cuts() {
    let record = game("1. 炮二平五 {当头炮} 马８进７");
    assert_eq!(tree(&record), "1.炮二平五 马８进７");
    assert_eq!(tree(&game("1.炮二平五 马８进７")), "1.炮二平五 马８进７");
    assert_eq!(games("[Event \"a\"]\n1. 炮二平五 *\n\n[Event \"b\"]\n1. 炮二平五 *").len(), 2);
    assert_eq!(tree(&game("1. 炮二平五 馬８進７")), "1.炮二平五 馬８進７");
}

#[test]
fn m11_doubled_quotes_and_full_width_wxf() {
    let record = game("[Event \"\"Huangshan Cup\" final\"]\n1. Ｃ２＝５ Ｈ８＋７\n");
    assert_eq!(record.tag("event").unwrap().value, "\"Huangshan Cup\" final");
    assert_eq!(codes(&record), [Code::BAD_SYNTAX]);
    assert_eq!(tree(&record), "1.Ｃ２＝５ Ｈ８＋７");
}

// --- layouts -----------------------------------------------------------------------------------------------------

#[test]
fn xqbase_repeats_the_number_behind_a_comment() {
    // xqbase/xqwlight 橘中秘: formats.md 5.2.
    let text = "{ 卷中\n}\n  1. 炮二进二\n{（一本）\n}\n  1.          炮８平５\n  2. 炮二平一 象７进９ *\n\
                ============================\n 欢迎访问《象棋百科全书网》 \n http://www.xqbase.com/\n";
    let record = game(text);
    assert_eq!(tree(&record), "1.炮二进二 1.炮８平５ 2.炮二平一 象７进９");
    assert_eq!(comments(&record), ["^: 卷中", "1.炮二进二: （一本）"]);
    assert!(record.findings.is_empty() && record.after_end.is_empty());
}

#[test]
fn black_may_begin() {
    let fen = "[FEN \"4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1\"]\n";
    for moves in [
        "1. 車５平８\n2. 炮二平五 馬８進７",
        "1.          車５平８\n2. 炮二平五 馬８進７",
        "1. ... 車５平８ 2. 炮二平五 馬８進７",
        "1. ………… 車５平８\n2. 炮二平五 馬８進７",
        "1...車５平８ 2.炮二平五馬８進７",
    ] {
        let text = format!("{fen}{moves}");
        assert_eq!(tree(&game(&text)), "1.車５平８ 2.炮二平五 馬８進７", "{moves}");
    }
    // A set-up position whose side field contradicts the dots: the dots are a placeholder still.
    let text = "[FEN \"4k4/9/9/9/9/9/9/9/9/4K4 w\"]\n1... 車５平８ 2. 炮二平五 2... 馬８進７";
    assert_eq!(tree(&game(text)), "1.車５平８ 2.炮二平五 2.馬８進７");
}

#[test]
fn dots_elsewhere_are_omitted_plies() {
    // CONTRACT section 6.
    assert_eq!(
        tree(&game("1. 炮二平五 …… 2. 马二进三 --- 3. ... ... 4. 车一平二")),
        "1.炮二平五 _ 2.马二进三 _ 3._ _ 4.车一平二"
    );
    assert_eq!(tree(&game("1. …… 马8进7 2. 马二进三")), "1._ 马8进7 2.马二进三");
    assert_eq!(
        tree(&game("1. 炮二平五 {好} 1... 马8进7 2. ... 车9平8")),
        "1.炮二平五 1.马8进7 2._ 车9平8"
    );
    assert_eq!(tree(&game("1. 炮二平五 1... ... 2. 马二进三")), "1.炮二平五 1._ 2.马二进三");
}

#[test]
fn numbers_in_many_hands() {
    let expected = "1.炮二平五 马8进7 2.马二进三";
    for text in [
        "1．炮二平五 马8进7 2．马二进三",
        "1、炮二平五 马8进7 2、马二进三",
        "1) 炮二平五 马8进7 2) 马二进三",
        "第1回合 炮二平五 马8进7 第2回合：马二进三",
        "1 炮二平五 马8进7 2 马二进三",
        "1.炮二平五马8进72.马二进三",
        "１．炮二平五　马8进7　２．马二进三",
        "1. 炮二平五，马8进7；2. 马二进三。",
    ] {
        assert_eq!(tree(&game(text)), expected, "{text}");
    }
    assert_eq!(tree(&game("炮二平五 马8进7\r马二进三")), "炮二平五 马8进7 马二进三");
}

#[test]
fn notations_are_one_token_a_move() {
    for text in [
        "1.C2.5 h8+7 2.C2=5 P3+1",
        "1.P2-5 M8.7 2.Xt-5 P8/1",
        "1.Che2 g5 2.Cxe6+ ixi5",
        "1.h2e2 h9g7 2.H0-G2 I9-H9",
        "1.炮25 马87 2.车12 前马4",
        "1.前兵九平八 二7平6 2.兵七进 卒7进1",
    ] {
        let record = game(text);
        assert_eq!(tree(&record), text, "{text}");
    }
    assert_eq!(tree(&game("h2e2h9g7h0g2")), "h2e2 h9g7 h0g2");
}

#[test]
fn a_move_may_be_set_apart_or_broken() {
    let record = game("1. 炮 二 平 五  马 8 进 7\n2. 马二进\n三 车9平8");
    let texts: Vec<_> = record.tree.main_line().map(|id| record.tree.node(id).written).collect();
    assert_eq!(texts[0], Written::Text("炮 二 平 五"));
    assert_eq!(texts[2], Written::Text("马二进\n三"));
    assert_eq!(texts.len(), 4);
}

#[test]
fn marks_belong_to_the_ply_before() {
    assert_eq!(
        tree(&game("1. 炮二平五! 马8进7？！ !2. 马二进三 $3 $5")),
        "1.炮二平五! 马8进7？！ ! 2.马二进三$3 $5"
    );
    let record = game("1. R5.6+ h2e2# 炮二平五（好）(=)");
    assert_eq!(tree(&record), "1.R5.6+ h2e2# 炮二平五");
    assert_eq!(comments(&record), ["炮二平五: （好）", "炮二平五: (=)"]);
}

#[test]
fn comments_of_all_kinds() {
    let text = "%escaped 炮二平五\n1. 炮二平五 ; 到行末 马8进7\n马8进7 {a {b} c} } 2. 马二进三 {多\n行} (此着好 (真的)) 车9平8";
    let record = game(text);
    assert_eq!(tree(&record), "1.炮二平五 马8进7 2.马二进三 车9平8");
    assert_eq!(
        comments(&record),
        [
            "1.炮二平五: 到行末 马8进7",
            "马8进7: a {b} c",
            "2.马二进三: 多\n行",
            "2.马二进三: (此着好 (真的))"
        ]
    );
    assert_eq!(codes(&record), [Code::BAD_SYNTAX]);
}

#[test]
fn variations_nest_and_may_stand_early() {
    let record = game(
        "1. 炮二平五 炮8平5 (1... 马8进7 2. 马二进三 (2. 马八进七 车9平8) 2... 卒7进1) 2. 车一进一",
    );
    assert_eq!(
        tree(&record),
        "1.炮二平五 炮8平5 (1.马8进7 2.马二进三 (2.马八进七 车9平8) 2.卒7进1) 2.车一进一"
    );
    // Before any ply, and with the number of the ply to come.
    let record =
        game("(1. 兵七进一 卒7进1) 1. 炮二平五 (1... 马8进7) 炮8平5 (2. 马二进三) 2. 马八进七");
    assert_eq!(
        tree(&record),
        "1.炮二平五 (1.兵七进一 卒7进1) 炮8平5 (1.马8进7) 2.马八进七 (2.马二进三)"
    );
}

#[test]
fn what_is_not_closed_is_kept_and_reported() {
    let games = games(
        "[Event \"a\"]\n1. 炮二平五 {没有完\n马8进7\n\n[Event \"b\"]\n1. 炮二平五 {完} (1. 兵七进一 *\n",
    );
    assert_eq!(games.len(), 2);
    assert_eq!(comments(&games[0]), ["1.炮二平五: 没有完\n马8进7"]);
    assert_eq!(codes(&games[0]), [Code::BAD_SYNTAX]);
    assert_eq!(tree(&games[1]), "1.炮二平五 (1.兵七进一)");
    assert_eq!(codes(&games[1]), [Code::BAD_SYNTAX]);
    assert_eq!(result(&games[1]), Some(Outcome::Unknown));
}

#[test]
fn behind_the_end_marker() {
    let record = game("1. 炮二平五 马8进7 1-0\n马二进三 车9平8\n欢迎访问");
    assert_eq!(record.after_end.len(), 2);
    let games = games(
        "1. 炮二平五 马8进7 1-0\n1. 兵七进一 卒7进1 0-1\n\n1.马二进三 马8进7\n2.车一进一\n\n1.炮二平五",
    );
    let trees: Vec<_> = games.iter().map(tree).collect();
    assert_eq!(
        trees,
        ["1.炮二平五 马8进7", "1.兵七进一 卒7进1", "1.马二进三 马8进7 2.车一进一", "1.炮二平五"]
    );
}

#[test]
fn words_are_moves_only_where_a_move_is_due() {
    let record = game(
        "1. 炮二平五 xxxx\n2. 马二进三 炮２平X\n3. 车一进一 车1进1\n以下红方胜势\n4. 车一平四 黑方认负",
    );
    assert_eq!(tree(&record), "1.炮二平五 xxxx 2.马二进三 炮２平X 3.车一进一 车1进1 4.车一平四");
    assert_eq!(comments(&record), ["车1进1: 以下红方胜势", "4.车一平四: 黑方认负"]);
    assert_eq!(codes(&record), [Code::BAD_SYNTAX]);
}

#[test]
fn plain_scoresheets() {
    let text =
        "赛事：全国个人赛\n红方：甲　黑方：乙\n\n1. 炮二平五 马8进7\n2. 马二进三\n结果：红胜\n";
    let record = game(text);
    assert_eq!(record.tag("event").unwrap().value, "全国个人赛");
    assert_eq!(record.tag("black").unwrap().value, "乙");
    assert_eq!(tree(&record), "1.炮二平五 马8进7 2.马二进三");
    assert_eq!(result(&record), Some(Outcome::RedWins));
}

#[test]
fn games_of_moves_and_headings_alone() {
    // maksimKorzh/wukong-xiangqi puzzle_generator/games.pgn.
    let text = "ZHAO GuoRong - KE YongQing\nCup 1997 EOD\nh2e2 h9g7 h0g2 \n\nLIU DaHua - HUANG Yong\nCup 1991 EOD\nh2e2 b9c7\n";
    let games = games(text);
    let trees: Vec<_> = games.iter().map(tree).collect();
    assert_eq!(trees, ["h2e2 h9g7 h0g2", "h2e2 b9c7"]);
    assert_eq!(comments(&games[1]), ["^: LIU DaHua - HUANG Yong\nCup 1991 EOD"]);
}

#[test]
fn numbers_of_parents() {
    // hbsxcjp/cchess_con output/01.pgn; the same tree stands as PGN in hbsxcjp/cchess hist/out.pgn.
    let text =
        "[win \"红胜\"]\n0-马四进三{好} 0-马四进五 1-炮４退９ 1-炮４退７ 2-炮４退９ 3-马三进五 ";
    let record = game(text);
    assert_eq!(tree(&record), "马四进三 (马四进五 炮４退９) 炮４退９ (炮４退７) 马三进五");
    assert_eq!(comments(&record), ["马四进三: 好"]);
    assert_eq!(tree(&game("0. 炮二平五 马8进7 1. 马二进三")), "炮二平五 马8进7 1.马二进三");
}

#[test]
fn trees_drawn_as_diagrams() {
    // The layout of hbsxcjp/cchess_c 01_0.pgn_cc, whose tree stands in 01.pgn_zh as PGN; shortened.
    let text = [
        "[Result \"和棋\"]",
        "",
        "　开始　　　　　　　　　　　　　",
        "　　↓　　　　　　　　　　　　　",
        "马四进三………………马四进五　",
        "　　↓　　　　　　　　　　↓　　",
        "炮４退９…炮４退七　炮４退８　",
        "　　　　　　↓　　　　　　　　　",
        "　　　　　马三进五　　　　　　　",
        "　　　　　　　　　　　　　　　　",
        "",
        "(1,0): {好}",
        "(2,1): {缓}",
    ];
    let text = text.join("\n");
    let record = game(&text);
    assert_eq!(tree(&record), "马四进三 (马四进五 炮４退８) 炮４退９ (炮４退七 马三进五)");
    assert_eq!(comments(&record), ["马四进三: 好", "炮４退七: 缓"]);
    assert!(record.findings.is_empty());
}

#[test]
fn a_position_on_a_line_of_its_own() {
    let text = "4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1\n1... 将5平4 2. 帅五进一\n";
    let record = game(text);
    assert!(
        matches!(&record.start, Start::Fen { text, .. } if text == "4k4/9/9/9/9/9/9/9/9/4K4 b - - 0 1")
    );
    assert_eq!(tree(&record), "1.将5平4 2.帅五进一");
}

#[test]
fn empty_files_and_tags_alone() {
    assert!(games("").is_empty());
    assert!(games(" \n\0\u{3000}\u{FEFF}\n").is_empty());
    assert!(games("只有文字\n").is_empty());
    assert_eq!(game("[Event \"a\"]\n[Red \"甲\"]\n").tags.len(), 2);
}

#[test]
fn spans_cover_what_belongs_to_the_game() {
    let text = "x y\n[Red \"甲\"]\n1. 炮二平五 *\n====\n广告\n";
    let record = game(text);
    assert_eq!(&text[record.span.range()], "x y\n[Red \"甲\"]\n1. 炮二平五 *");
    assert_eq!(&text[record.tags[0].span.range()], "甲");
}

// --- any input ---------------------------------------------------------------------------------------------------

#[test]
fn deep_and_long_inputs_end() {
    let count = 60_000;
    let deep = format!("1. 炮二平五 {} 马8进7", "(1. 炮二平五 ".repeat(count));
    assert_eq!(game(&deep).tree.len(), count + 2);
    for piece in [
        "(",
        "{",
        "({",
        "(x ",
        "{a{b} ",
        "[",
        "[Event \"",
        "炮",
        "1.",
        "…",
        "!",
        "炮二平五",
        "1-",
        "%",
        ")",
        "}",
        "a ",
        "\n\n[A \"",
        "（",
        "红方：",
        "开始\n↓\n",
        "\n",
        "兵七进 ",
        "---",
        "(1,0): {",
        "\0",
        "0-马四进三",
        "“",
        "第",
        "$",
    ] {
        let text = piece.repeat(260_000 / piece.len());
        let _ = games(&text);
        let _ = games(&format!("1. 炮二平五 {text}"));
        let _ = games(&format!("[Event \"a\"]\n\n1. 炮二平五\n{}", text.replace(' ', "\n")));
    }
}

mod any_text {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        /// Spans are in the text, at character boundaries, and hold what the record says.
        #[test]
        fn gives_records_that_point_into_it(
            text in proptest::collection::vec(
                proptest::sample::select(vec![
                    "1.", "2. ", "...", "……", "炮二平五", "马8进7", " ", "\n", "\n\n", "(", ")", "{", "}", "[Red \"甲\"]", "\"", "]",
                    "1-0", "*", "红胜", "h2e2", "C2.5", "好棋", ";", "!", "$1", "[", "【红方：甲】", "红方：乙", "（", "）", "开始", "↓", "-", "====",
                    "0-", "炮", "二", "平", "\u{3000}", "\u{FFFD}", "%", "x", "第", "回合", "(1,0): {",
                ]), 0..40)
        ) {
            let text = text.concat();
            for record in games(&text) {
                let _ = &text[record.span.range()];
                for id in (1..=record.tree.len()).filter_map(|index| record.tree.nth(index)) {
                    let node = record.tree.node(id);
                    if let Written::Text(written) = node.written {
                        prop_assert_eq!(written, &text[node.span.range()]);
                    }
                }
                for comment in &record.tree.comments {
                    prop_assert!(text[comment.span.range()].contains(&*comment.text));
                }
                for tag in &record.tags {
                    prop_assert_eq!(&*tag.value, &text[tag.span.range()]);
                }
            }
        }
    }
}

// --- real archives -----------------------------------------------------------------------------------------------

fn shared(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(path)
}

fn decoded(path: &Path) -> String {
    let bytes = std::fs::read(path).unwrap();
    Text::decode(&bytes, detect(&bytes)).as_str().to_owned()
}

/// Plies and result of each PGN file as an independent program read them; its moves need a board, their number not.
#[test]
fn archives_have_the_plies_that_another_program_found() {
    let Ok(expected) = std::fs::read_to_string(shared("expected.jsonl")) else {
        eprintln!("SKIPPED: no shared data");
        return;
    };
    let (mut count, mut wrong) = (0, Vec::new());
    for line in expected.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        let source = value["source"].as_str().unwrap();
        if !source.starts_with("pgn") || !value["stopped"].is_null() {
            continue;
        }
        count += 1;
        let plies = value["moves"].as_str().unwrap().split_whitespace().count();
        let text = decoded(&shared(source));
        let games = games(&text);
        let read = games.first().map_or(0, |record| record.tree.main_line().count());
        let outcome = games.first().and_then(result).map(Outcome::as_str);
        let result = value["result"].as_str().or(Some("*"));
        if games.len() != 1 || read != plies || (outcome.is_some() && outcome != result) {
            wrong.push(format!(
                "{source}: {} games, {read} plies for {plies}, {outcome:?} for {result:?}",
                games.len()
            ));
        }
    }
    eprintln!("{count} files, {} otherwise:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 7000);
    assert!(wrong.is_empty());
}
