//! Reports by users of other programs: reference/peers.md section 3.

use super::*;

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
