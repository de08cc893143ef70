//! Any input: deep, long, and random.

use super::*;

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
        "(1,0): {a} ",
        "[A \"b\"] x ",
        "红方：a ",
        "1 ",
        "好 ",
        "1-0 1. 炮二平五 ",
        "/* ",
        "[A \"b\"]\n\n1. 炮二平五 /* x\n\n",
    ] {
        let text = piece.repeat(260_000 / piece.len());
        let _ = games(&text);
        let _ = games(&format!("1. 炮二平五 {text}"));
        let _ = games(&format!("[Event \"a\"]\n\n1. 炮二平五\n{}", text.replace(' ', "\n")));
    }
}

mod any_text {
    use proptest::prelude::*;

    use super::*;

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
