//! Claims that a record carries, in PGN commands and in the words of scoresheets (CONTRACT section 6).

use crate::board::Side;

/// A claim of the natural limit in the text of a comment: `[%claim SIDE natural-limit]`, 提自然限着, 提出自然限着. The side
/// is `None` where it is not named: it is then the side to move (8.5).
///
/// ```
/// use qijian::{board::Side, rules::claim::natural_limit};
///
/// assert_eq!(natural_limit("[%claim red natural-limit]"), Some(Some(Side::Red)));
/// assert_eq!(natural_limit("黑方提自然限着"), Some(Some(Side::Black)));
/// assert_eq!(natural_limit("提出自然限着"), Some(None));
/// assert_eq!(natural_limit("自然限着尚早"), None);
/// ```
pub fn natural_limit(comment: &str) -> Option<Option<Side>> {
    // Nearly all comments are about something else.
    if !comment.contains("自然限") && !comment.contains("natural-limit") {
        return None;
    }
    for command in comment.split("[%claim").skip(1) {
        let words: Vec<&str> =
            command.split(']').next().unwrap_or_default().split_whitespace().collect();
        if words.contains(&"natural-limit") {
            return Some(words.iter().find_map(|word| side(word)));
        }
    }
    const WORDS: [&str; 6] = [
        "提自然限着",
        "提出自然限着",
        "提自然限著",
        "提出自然限著",
        "要求按自然限着判和",
        "提和（自然限着）",
    ];
    let at = WORDS.iter().find_map(|words| comment.find(words))?;
    // 未提, 没有提, 不提: nobody claims.
    if comment[..at].chars().rev().take(2).any(|c| matches!(c, '未' | '没' | '沒' | '不')) {
        return None;
    }
    Some(comment[..at].chars().rev().take(3).find_map(|c| match c {
        '红' | '紅' => Some(Side::Red),
        '黑' => Some(Side::Black),
        _ => None,
    }))
}

fn side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "red" | "r" | "w" | "红" | "红方" => Some(Side::Red),
        "black" | "b" | "黑" | "黑方" => Some(Side::Black),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_and_words() {
        for (comment, expected) in [
            ("[%clk 0:10:00] [%claim black natural-limit]", Some(Some(Side::Black))),
            ("[%claim natural-limit]", Some(None)),
            ("[%claim red repetition]", None),
            ("红方提出自然限着，裁判审核", Some(Some(Side::Red))),
            ("黑提自然限着", Some(Some(Side::Black))),
            ("要求按自然限着判和", Some(None)),
            ("双方未提自然限着", None),
            ("[%claim", None),
            ("", None),
        ] {
            assert_eq!(natural_limit(comment), expected, "{comment}");
        }
    }
}
