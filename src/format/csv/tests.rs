use super::*;
use crate::source::Encoding;

/// Tags, plies and comments of each game.
type Game = (Vec<String>, Vec<String>, Vec<String>);

fn read_all(text: &str) -> Vec<Game> {
    let text = Text::decode(text.as_bytes(), Encoding::Utf8);
    let mut games = Vec::new();
    read(&text, &mut |record| {
        let tags = record.tags.iter().map(|tag| format!("{}={}", tag.name, tag.value));
        let plies = record.tree.main_line().map(|id| match record.tree.node(id).written {
            Written::Text(text) => text.to_owned(),
            _ => "…".to_owned(),
        });
        let comments = record
            .tree
            .comments
            .iter()
            .map(|comment| format!("{}:{}", comment.node.index(), comment.text));
        games.push((tags.collect(), plies.collect(), comments.collect()));
    });
    games
}

fn plies(text: &str) -> Vec<Vec<String>> {
    read_all(text).into_iter().map(|(_, plies, _)| plies).collect()
}

#[test]
fn a_row_a_game() {
    let text =
        "game;red;moves;result\n1;甲;h2e2 h9g7;1-0\n2;\"乙;丙\";\"炮二平五,马8进7 ... 车9平8\";\n";
    let games = read_all(text);
    assert_eq!(games[0].0, ["game=1", "red=甲", "result=1-0"]);
    assert_eq!(games[0].1, ["h2e2", "h9g7"]);
    assert_eq!(games[1].0, ["game=2", "red=乙;丙"]);
    assert_eq!(games[1].1, ["炮二平五", "马8进7", "…", "车9平8"]);
}

#[test]
fn a_row_a_ply() {
    let text = "\u{FEFF}Game ID\tMove Index\tMove\tclk\tEvent\tnote\n\
                a\t0\th2e2\t1:00:00\tx\t\nb\t0\tc3c4\t\ty\t\na\t1\th9g7\t0:59:58\tx\t好\n";
    let games = read_all(text);
    assert_eq!(games[0].0, ["Game ID=a", "Event=x"]);
    assert_eq!(games[0].1, ["h2e2", "h9g7"]);
    assert_eq!(games[0].2, ["1:[%clk 1:00:00]", "2:[%clk 0:59:58]", "2:好"]);
    assert_eq!(games[1].1, ["c3c4"]);
}

#[test]
fn plies_come_in_the_order_of_their_numbers_and_gaps_are_omissions() {
    assert_eq!(plies("ply,move\n2,h9g7\n1,h2e2\n5,i0h0\n"), [["h2e2", "h9g7", "…", "…", "i0h0"]]);
    assert_eq!(plies("ply,move\n0,h2e2\n2,h0g2\n"), [["h2e2", "…", "h0g2"]]);
    assert_eq!(plies("ply,move\n1,h2e2\n2,\n3,h0g2\n4,\n"), [["h2e2", "…", "h0g2"]]);
    // A number that cannot be meant makes no million plies.
    assert_eq!(plies("ply,move\n1,h2e2\n4000000000,h9g7\n"), [["h2e2", "h9g7"]]);
}

#[test]
fn a_row_a_round() {
    let text = "回合,红方,黑方,备注\n1,炮二平五,马8进7,\n2,,车9平8,漏记\n3,车一平二,,\n";
    let games = read_all(text);
    assert_eq!(games[0].1, ["炮二平五", "马8进7", "…", "车9平8", "车一平二"]);
    assert_eq!(games[0].2, ["4:漏记"]);
}

#[test]
fn a_varying_column_is_kept_with_the_ply() {
    let games = read_all("move,score\nh2e2,12\nh9g7,-3\n");
    assert_eq!(games[0].2, ["1:[%score 12]", "2:[%score -3]"]);
}

#[test]
fn tables_without_moves_are_none() {
    for other in [
        "",
        "a,b\n1,2\n",
        "move,b\nx,y\n",
        "moves\nh2e2\n",
        "red,black,result\n甲,乙,1-0\n",
        "set\trepo\tcommit\tpath\nxqf\ta\tb\tc\n",
        "炮二平五,马8进7\n马二进三,车9平8\n",
    ] {
        assert!(!is_table(other), "{other}");
    }
    assert!(is_table("game,ply,move\n1,1,h2e2\n"));
    assert!(is_table("round,red,black\n1,炮二平五,马8进7\n2,马二进三,车9平8\n"));
}

#[test]
fn places_are_exact() {
    let source = "ply,move\r\n1,h2e2\r\n2,\"h9g8\"\r\n3,h0g2,x\r\n";
    let text = Text::decode(source.as_bytes(), Encoding::Utf8);
    read(&text, &mut |record| {
        let place = |ply| {
            let place = text.place(record.tree.node(record.tree.nth(ply).unwrap()).span);
            (place.line, place.column, place.offset)
        };
        assert_eq!(place(1), (Some(2), Some(3), Some(12)));
        assert_eq!(place(3), (Some(4), Some(3), Some(30)));
        assert_eq!(record.findings.len(), 1);
        assert_eq!(record.findings[0].place.line, Some(4));
    });
}

#[test]
fn hostile_tables() {
    let open = format!("ply,move\n1,\"{}", "h2e2 ".repeat(100_000));
    assert_eq!(read_all(&open).len(), 1);
    let wide = format!("ply,move\n1,h2e2{}\n", ",".repeat(200_000));
    assert_eq!(plies(&wide), [["h2e2"]]);
    let games: String =
        (0..20_000).map(|n| format!("{},{},h2e2\n", n % 5_000, n / 5_000)).collect();
    assert_eq!(read_all(&format!("game,ply,move\n{games}")).len(), 5_000);
}
