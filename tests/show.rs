//! `qijian show`: the terminal, SVG and the page.

use crate::support::{qijian, root, stdout};

fn text(arguments: &[&str]) -> String {
    let output = qijian(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    stdout(&output)
}

// The sample's moves as make_samples.py wrote them; in English in WXF.
#[test]
fn the_board_follows_the_ply_that_is_asked_for() {
    let first = text(&["show", "samples/valid-1.8.xqf", "--ply", "1", "--lang", "en"]);
    assert!(first.contains("Black to move"));
    assert!(first.contains("\n2 . C . . C . . . .\n"), "炮二平五 stands on e2:\n{first}");
    assert!(first.contains("   2. H2+3  R9=8\n"), "{first}");
    let start = text(&["show", "samples/valid-1.8.xqf", "--ply", "0", "--lang", "en"]);
    assert!(start.contains("\n2 . C . . . . . C .\n"));
    let chinese = text(&["show", "samples/valid-1.8.xqf", "--lang", "zh"]);
    assert!(chinese.contains("   1. 炮二平五\n      当头炮\n      (兵七进一 {仙人指路} 炮2平3)\n"));
    assert!(chinese.contains("结果  1/2-1/2"));
}

#[test]
fn what_cannot_be_shown_is_said_with_status_2() {
    for (arguments, words) in [
        (&["show", "samples/valid-1.8.xqf", "--ply", "99"][..], "only 8 plies"),
        (&["show", "samples/valid-many-games.pgn", "--game", "99"], "holds"),
        (&["show", "samples/unknown-format.txt"], "not a game record"),
        (&["show", "samples/unreadable-position.pgn", "--svg"], "start position"),
        (&["show", "no-such-file"], "no-such-file"),
        (&["show", "samples/valid-1.8.xqf", "--svg", "--html"], "cannot be used with"),
    ] {
        let output = qijian(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words), "{arguments:?}: {said}");
    }
}

#[test]
fn games_count_on_within_a_file() {
    let second = text(&["show", "samples/valid-many-games.pgn", "--game", "2", "--lang", "zh"]);
    let first = text(&["show", "samples/valid-many-games.pgn", "--lang", "zh"]);
    assert_ne!(first, second);
}

// 32 pieces at the start, one captured.
#[test]
fn an_svg_has_a_disc_for_each_piece() {
    let board = text(&["show", "samples/valid-1.8.xqf", "--ply", "0", "--svg"]);
    assert_eq!(board.matches("<use ").count(), 32);
}

#[test]
fn a_record_cannot_put_script_into_the_page() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("a.pgn");
    let hostile = "</script><script>alert(1)</script><img src=x onerror=alert(1)>";
    let pgn = format!(
        "[Red \"{hostile}\"]\n[Black \"b\"]\n\n1. 炮二平五 {{{hostile}}} 马8进7 ({hostile}) *\n"
    );
    std::fs::write(&path, pgn).unwrap();
    let page = text(&["show", path.to_str().unwrap(), "--html", "--lang", "zh"]);
    assert!(!page.contains("<script>alert"));
    assert!(!page.contains("<img"));
    assert!(page.contains("&lt;/script&gt;"));
    assert_eq!(page.matches("</script>").count(), 2);
}

#[test]
fn every_sample_is_shown_or_refused() {
    for entry in std::fs::read_dir(root().join("samples")).unwrap() {
        let path = entry.unwrap().path();
        for how in ["--html", "--svg", "--lang=zh"] {
            let output = qijian(&["show", path.to_str().unwrap(), how]);
            let status = output.status.code();
            assert!(matches!(status, Some(0 | 2)), "{}: {status:?}", path.display());
            assert_eq!(status == Some(0), output.stderr.is_empty(), "{}", path.display());
        }
    }
}
