//! Small inputs that a hostile reader of CONTRACT found wrong once, and large ones that took too long.

use qijian::{
    finding::{Code, Selection},
    format::pgn,
    record::Outcome,
    replay::{self, Game, Termination},
    source::{Encoding, Text},
};

fn games(text: &str) -> Vec<Game> {
    replayed(text, &replay::Options::default())
}

fn replayed(text: &str, options: &replay::Options) -> Vec<Game> {
    let text = Text::decode(text.as_bytes(), Encoding::Utf8);
    let mut games = Vec::new();
    pgn::read(&text, &mut |record| games.push(replay::replay(&record, &text, options)));
    games
}

fn game(text: &str) -> Game {
    let mut games = games(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0)
}

fn moves(game: &Game) -> Vec<String> {
    game.moves.iter().map(ToString::to_string).collect()
}

fn codes(game: &Game) -> Vec<String> {
    game.findings.iter().map(|finding| finding.code.to_string()).collect()
}

/// Vector 127 of notation.md: Red's chariot is pinned, and 五 and 六 are Red's digits. Black's chariot on e9 could
/// play the text too, but the FEN says Red.
#[test]
fn digits_of_the_stated_side_are_not_read_as_the_other_side() {
    let fen = "[FEN \"3kr4/9/9/9/9/9/9/4R4/9/4K4 w - - 0 1\"]";
    let pinned = game(&format!("{fen}\n\n1. 车五平六 车5进1 2. 车六进一 0-1"));
    assert_eq!(pinned.findings[0].code, Code::ILLEGAL_MOVE);
    assert_eq!(pinned.findings[0].data["reason"], "in_check");
    let rest = pinned.rest.as_ref().unwrap();
    assert_eq!((rest.from_ply, rest.status.as_str()), (1, "replayed_as_stood"));
    assert_eq!(
        rest.moves.iter().map(ToString::to_string).collect::<Vec<_>>(),
        ["e2d2", "e9e8", "d2d3"]
    );
}

/// Vectors 44 and 56: Black to move in the start position, with Red's digits. One text does not outweigh the field.
/// Two plies that each have their own side's digits do: many files have a wrong side field.
#[test]
fn one_text_does_not_outweigh_the_side_field() {
    let fen = "[FEN \"rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR b - - 0 1\"]";
    assert_eq!(moves(&game(&format!("{fen}\n\n1. 马八进七 *"))), ["h9g7"]);
    assert_eq!(moves(&game(&format!("{fen}\n\n1. 炮二平五 *"))), ["b7e7"]);
    let wrong = game(&format!("{fen}\n\n1. 炮二平五 马8进7 *"));
    assert_eq!(moves(&wrong), ["h2e2", "h9g7"]);
    assert_eq!(codes(&wrong), ["QJ305"]);
}

/// CONTRACT, `QJ701`: where an unmarked omission explains an impossible move, QJ301 stays and QJ701 is added. 车 names
/// no side, but 9 and 8 are Black's digits, and with a ply of Red before it all the rest can be played.
#[test]
fn digits_of_the_other_side_on_an_impossible_move_are_a_sign_of_an_omission() {
    let left_out = game("1. 炮二平五 马8进7 2. 车9平8 3. 马二进三 卒7进1 *");
    assert_eq!(codes(&left_out), ["QJ301", "QJ701", "QJ204"]);
    let gap = &left_out.findings[1].data;
    assert_eq!((&gap["after_ply"], &gap["missing"]), (&2.into(), &1.into()));
    assert_eq!(gap["sides"], serde_json::json!(["red"]));
    // A record that writes all digits alike gives no such sign.
    let alike = game("1. 炮二平五 马八进七 2. 马二进三 马七平六 *");
    assert_eq!(codes(&alike), ["QJ203", "QJ301"]);
}

/// Signs that books print behind a move stood for a ply of their own, and ended the game.
#[test]
fn evaluation_signs_are_marks() {
    let marked = game("1. 炮二平五± 马8进7 ∞ 2. 马二进三！⩲ *");
    assert_eq!(moves(&marked), ["h2e2", "h9g7", "h0g2"]);
    assert!(marked.findings.is_empty());
}

/// Texts end a game with 黑方认输 or （红胜）; article 21.4 has + and - for games won without play.
#[test]
fn results_in_words_and_with_remarks() {
    let ended = |end: &str| game(&format!("1. 炮二平五 马8进7 {end}"));
    for (end, outcome) in [
        ("（红胜）", Outcome::RedWins),
        ("(和棋)", Outcome::Draw),
        ("黑方认输", Outcome::RedWins),
        ("红超时判负", Outcome::BlackWins),
    ] {
        let game = ended(end);
        assert_eq!((game.outcome, moves(&game).len()), (outcome, 2), "{end}");
        assert!(game.findings.is_empty(), "{end}");
    }
    // In the middle of a game it is a remark.
    let middle = game("1. 炮二平五 （红胜） 马8进7 2. 马二进三 *");
    assert_eq!((moves(&middle).len(), middle.outcome), (3, Outcome::Unknown));
    for (tag, outcome) in [
        ("红胜（超时）", Some(Outcome::RedWins)),
        ("红方认输", Some(Outcome::BlackWins)),
        ("黑方超時負", Some(Outcome::RedWins)),
        ("+/-", Some(Outcome::RedWins)),
        ("-/+", Some(Outcome::BlackWins)),
        ("红好", None),
        ("红", None),
        ("红方", None),
    ] {
        assert_eq!(Outcome::from_text(tag), outcome, "{tag}");
    }
}

#[test]
fn result_tags_that_disagree_are_reported() {
    let two = game("[Result \"1-0\"]\n[Result \"0-1\"]\n\n1. 炮二平五 马8进7 1-0");
    assert_eq!(codes(&two), ["QJ401"]);
    assert_eq!(two.findings[0].text.as_deref(), Some("0-1"));
    let agreed = game("[Result \"1-0\"]\n[Result \"红胜\"]\n\n1. 炮二平五 马8进7 1-0");
    assert!(agreed.findings.is_empty());
}

/// The values of the PGN standard.
#[test]
fn termination_tags() {
    for (value, termination) in [
        ("Normal", Termination::Unstated),
        ("time forfeit", Termination::Time),
        ("rules infraction", Termination::Foul),
        ("adjudication", Termination::Other),
        ("Checkmate", Termination::Checkmate),
    ] {
        let game = game(&format!("[Termination \"{value}\"]\n\n1. 炮二平五 马8进7 1-0"));
        assert_eq!(game.termination, termination, "{value}");
    }
}

/// CONTRACT section 5 names the families QJ0xx to QJ9xx, so scripts may ignore one that has no code yet.
#[test]
fn every_family_of_the_contract_is_a_prefix() {
    for digit in 0..=9 {
        assert!(Selection::new(&[format!("QJ{digit}")], &[]).is_ok(), "{digit}");
    }
    assert!(Selection::new(&["QJ99"], &[]).is_err());
}

/// Each of these took minutes, or seconds for a few megabytes: their time grew with the square of their size. Where findings
/// are to be repaired all of them are told.
#[test]
fn time_grows_with_the_size_of_the_input() {
    let options = replay::Options { repairs: true, ..replay::Options::default() };
    let game = |text: &str| replayed(text, &options).remove(0);
    let siblings = game(&format!("1. 炮二平五 {}*", "(1. 马二进四) ".repeat(60_000)));
    assert_eq!(siblings.findings.len(), 60_000);
    assert_eq!(siblings.findings[59_999].path, [(1, 60_000)]);
    let impossible = game(&"炮二平五 {abc} 马8进7 ".repeat(100_000));
    assert_eq!(
        (impossible.moves.len(), impossible.rest.map(|rest| rest.texts.len())),
        (2, Some(199_998))
    );
    let fen = "[FEN \"3k5/9/9/9/9/9/9/9/R8/4K4 w\"]";
    let rounds = "车九进一 (车九平九) 将4进1 (将4平4) 车九退一 (车九平九) 将4退1 (将4平4) ";
    let long = game(&format!("{fen}\n\n{}*", rounds.repeat(10_000)));
    assert_eq!((long.moves.len(), long.findings.len()), (40_000, 40_000));
    assert_eq!(long.findings[39_999].path, [(40_000, 1)]);
    let mut tags: String = (0..100_000).map(|number| format!("[T{number} \"v\"]\n")).collect();
    tags.push_str("\n1. 炮二平五 *");
    assert_eq!(games(&tags).len(), 1);
}

/// Every omitted ply may be any legal move: the bound on positions did not bound time and memory of 80 000 of them.
#[test]
fn many_omitted_plies_are_not_searched_through() {
    let gap = game(&format!("1. 炮二平五 {}*", "--- ".repeat(20_000)));
    assert_eq!(codes(&gap), ["QJ701"]);
    assert_eq!(gap.findings[0].data["missing"], 20_000);
    assert_eq!(gap.findings[0].data["complete"], false);
}

/// Each finding has its whole path, so findings in variations that stand in each other would take space with the square
/// of their depth.
#[test]
fn variations_very_deep_in_each_other_are_not_replayed() {
    let plies = ["车九上一", "将4上1", "车九下一", "将4下1"];
    let mut text = format!("[FEN \"3k5/9/9/9/9/9/9/9/R8/4K4 w\"]\n\n{} ", plies[0]);
    for index in 1..3_000 {
        let ply = plies[index % 4];
        text.push_str(&format!("{ply} ({ply} "));
    }
    text.push_str(&")".repeat(2_999));
    let deep = game(&text);
    let paths: usize = deep.findings.iter().map(|finding| finding.path.len()).sum();
    assert!(paths < 50_000, "{paths}");
    assert_eq!(codes(&deep).iter().filter(|code| *code == "QJ006").count(), 1);
}

/// One number is wrong: the next one, which is right again, is not told too (`QJ204`); one that follows the slip is no other.
#[test]
fn a_number_that_is_right_again_is_no_slip() {
    let moves = |numbers: [u32; 4]| {
        let [one, two, three, four] = numbers;
        format!(
            "{one}. 炮二平五 马8进7 {two}. 马二进三 车9平8 {three}. 车一平二 卒7进1 {four}. 车二进六 马2进3 *"
        )
    };
    let told =
        |numbers| codes(&game(&moves(numbers))).iter().filter(|code| *code == "QJ204").count();
    assert_eq!(told([1, 2, 2, 4]), 1);
    assert_eq!(told([1, 2, 2, 3]), 1);
    assert_eq!(told([1, 2, 3, 4]), 0);
}

/// CONTRACT, `QJ701`: the candidates are the best of those that are counted, however much is open behind the gap. By hand: Black's
/// chariot can go to file 8 after its horse has left, or after it has advanced by one.
#[test]
fn a_further_gap_takes_no_candidates_away() {
    let gaps = game("1. 炮二平五 ... 2. 马二进三 车9平8 ... ... 4. 车一平二 *");
    let gap = &gaps.findings[0].data;
    assert_eq!((&gap["count"], &gap["complete"]), (&3.into(), &true.into()));
    let candidates = gap["candidates"].as_array().unwrap();
    let scores: Vec<f64> = candidates.iter().map(|one| one["score"].as_f64().unwrap()).collect();
    let mut moves: Vec<&str> =
        candidates.iter().map(|one| one["moves"][0].as_str().unwrap()).collect();
    moves.sort_unstable();
    assert_eq!(moves, ["h9g7", "h9i7", "i9i8"]);
    assert!(scores.is_sorted_by(|one, other| one >= other), "{scores:?}");
}

/// The same where nothing marks the gap: with any candidate put in, all the rest can be played.
#[test]
fn candidates_of_an_unmarked_gap_fit() {
    let fen = "[FEN \"3k5/4r4/9/9/9/9/9/9/4C4/R3K4 w - - 4 10\"]";
    let rest = "炮五平四 车5进8 11. 车九进一 将4进1 12. 车九平五 *";
    let broken = game(&format!("{fen}\n\n10. {rest}"));
    let gap = broken.findings.iter().find(|one| one.code.to_string() == "QJ701").unwrap();
    let candidates = gap.data["candidates"].as_array().unwrap();
    assert_eq!(gap.data["count"], candidates.len());
    for candidate in candidates {
        let [red, black] = [0, 1].map(|at| candidate["moves"][at].as_str().unwrap());
        let filled = game(&format!("{fen}\n\n{red} {black} {rest}"));
        let illegal = codes(&filled).iter().filter(|code| *code == "QJ301").count();
        assert_eq!(illegal, 0, "{candidate}");
    }
}
