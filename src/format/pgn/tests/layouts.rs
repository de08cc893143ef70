//! How files write moves, numbers, comments and variations.

use super::*;

#[test]
fn xqbase_repeats_the_number_behind_a_comment() {
    // xqbase/xqwlight 橘中秘: formats.md 5.2.
    let text = "{ 卷中\n}\n  1. 炮二进二\n{（一本）\n}\n  1.          炮８平５\n  2. 炮二平一 象７进９ *\n\
                ============================\n 欢迎访问《象棋百科全书网》 \n http://www.xqbase.com/\n";
    let record = game(text);
    assert_eq!(tree(&record), "1.炮二进二 1.炮８平５ 2.炮二平一 象７进９");
    assert_eq!(comments(&record), ["^: 卷中", "1.炮二进二: （一本）"]);
    assert!(record.findings.is_empty() && record.after_end.is_empty());
    assert_eq!(record.beside.len(), 2);
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
    // Only dots are a placeholder.
    assert_eq!(tree(&game("1. 炮二平五 {好} 1. --- 2. 马二进三")), "1.炮二平五 1._ 2.马二进三");
    // Who is to move behind plies that a remark says to be missing.
    for (remark, gap) in [("[%missing 1]", ""), ("[%missing 2]", "_ "), ("好", "_ ")] {
        let text = format!("1. 炮二平五 马8进7 {{{remark}}} 2... 车9平8 3. 车一平二");
        let gap = format!("1.炮二平五 马8进7 2.{gap}车9平8 3.车一平二");
        assert_eq!(tree(&game(&text)), gap, "{remark}");
    }
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
    assert_eq!(codes(&record), [Code::BAD_SYNTAX, Code::TEXT_BESIDE]);
    assert_eq!(record.beside[0].0, "escaped 炮二平五");
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
    assert_eq!(comments(&record), ["车1进1: 以下红方胜势"]);
    // Who gives up has lost: the words are the end marker.
    assert_eq!(record.result.as_ref().map(|end| end.text.as_ref()), Some("黑方认负"));
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

/// A comment that `/*` opens and nothing closes is a fault of its game, as one in braces is; later games may have theirs.
#[test]
fn comments_between_slashes_end_with_their_game() {
    let text =
        "[Red \"a\"]\n\n1. 炮二平五 /* x\n*\n\n[Red \"b\"]\n\n1. 炮二平五 /* y */ 马8进7 *\n";
    let found = games(text);
    assert_eq!(found.len(), 2);
    assert_eq!(found[0].findings.len(), 1);
    assert_eq!((found[1].tree.len(), found[1].tree.comments.len()), (2, 1));
    assert!(found[1].findings.is_empty());
}

/// Two start positions cannot both be meant: the first counts, and the other is told; the same one twice is no fault.
#[test]
fn another_start_position_is_told() {
    let first = "4k4/9/9/9/9/9/9/9/9/3K1R3 w - - 0 1";
    for (second, told) in [
        (first, &[][..]),
        ("", &[]),
        ("4k4/9/9/9/9/9/9/9/9/3K1R3 r", &[]),
        ("4k4/9/9/9/9/9/9/9/9/3K2R2 w", &[Code::BAD_SYNTAX]),
        ("4k4/9/9/9/9/9/9/9/9/3K1R3 b", &[Code::BAD_SYNTAX]),
    ] {
        let text = format!("[FEN \"{first}\"]\n[FEN \"{second}\"]\n\n1. R4+1 *\n");
        let record = game(&text);
        assert_eq!(codes(&record), told, "{second}");
        assert!(matches!(&record.start, Start::Fen { text, .. } if text == first), "{second}");
    }
}

/// Games of a forum, each below a line with its players and its result.
#[test]
fn titles_above_games_are_tags() {
    let text = "2009年象甲 第3轮\n广东 许银川 先胜 江苏 徐天红\n2009年5月1日弈于广州\n\n1. 炮二平五 马8进7\n2. 马二进三 车9平8\n\n\
                胡荣华（先和）赵国荣\n\n1. 炮二平五 马8进7\n2. 马二进三 车9平8\n（许银川 先胜 吕钦 一局与此相同）\n";
    let games = games(text);
    let tags = |record: &Record<'_>| {
        let tag = |tag: &crate::record::Tag<'_>| format!("{}={}", tag.name, tag.value);
        record.tags.iter().map(tag).collect::<Vec<_>>().join(" ")
    };
    let all: Vec<String> = games.iter().map(tags).collect();
    assert_eq!(
        all,
        [
            "RedTeam=广东 Red=许银川 Result=先胜 BlackTeam=江苏 Black=徐天红 Date=2009年5月1日 Site=广州",
            "Red=胡荣华 Result=先和 Black=赵国荣",
        ]
    );
    assert_eq!(tree(&games[0]), "1.炮二平五 马8进7 2.马二进三 车9平8");
    assert_eq!(comments(&games[0]), ["^: 2009年象甲 第3轮"]);
    assert_eq!(comments(&games[1]).len(), 1);
}

/// Live commentary names the mover before each move.
#[test]
fn the_mover_may_be_named() {
    for text in [
        "红：炮二平五 黑：马8进7\n红：马二进三 黑：车9平8",
        "红方：炮二平五\n黑方：马8进7\n红方: 马二进三\n黑方: 车9平8",
        "红方：许银川\n红：炮二平五 黑：马8进7 红：马二进三 黑：车9平8",
    ] {
        let record = game(text);
        assert_eq!(tree(&record), "炮二平五 马8进7 马二进三 车9平8", "{text}");
        assert!(record.findings.is_empty() && record.tree.comments.is_empty(), "{text}");
    }
    let numbered = game("1. 红：炮二平五 黑：马8进7\n2. 紅：马二进三 黑：车9平8");
    assert_eq!(tree(&numbered), "1.炮二平五 马8进7 2.马二进三 车9平8");
}

/// A result at the end of a variation is not that of the game.
#[test]
fn a_variation_may_end_in_a_result() {
    let record = game(
        "1. 炮二平五 (1. 兵七进一 卒7进1 1-0) 1... 马8进7 (1... 炮8平5 2. 炮五进四 * ) 2. 马二进三 0-1",
    );
    assert_eq!(
        tree(&record),
        "1.炮二平五 (1.兵七进一 卒7进1) 1.马8进7 (1.炮8平5 2.炮五进四) 2.马二进三"
    );
    assert_eq!(result(&record), Some(Outcome::BlackWins));
    assert_eq!(comments(&record), ["卒7进1: 1-0", "2.炮五进四: *"]);
    assert!(record.findings.is_empty() && record.after_end.is_empty());
    // Of a parenthesis that never closes it is.
    let open = game("1. 炮二平五 马8进7 (1... 炮8平5 2. 炮五进四 1-0");
    assert_eq!(result(&open), Some(Outcome::RedWins));
}
