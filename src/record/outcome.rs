//! Results of games.

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Outcome {
    /// 红胜
    RedWins,
    /// 黑胜
    BlackWins,
    /// 和棋
    Draw,
    /// Not known, or the game goes on.
    Unknown,
}

impl Outcome {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::RedWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }

    /// The outcome that `text` means, in the spellings of real records: `1-0`, `1 - 0`, `0.5-0.5`, full-width
    /// forms, 红胜, 先负, 和棋, 未知, 黑方认输 and the like, `+/-` for a game won without play (article 21.4), each with
    /// or without a remark in parentheses behind it; `None` for any other text, the empty text included.
    pub fn from_text(text: &str) -> Option<Outcome> {
        let folded: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(fold)
            .collect::<String>()
            .to_ascii_lowercase();
        let folded = match folded.split_once('(') {
            Some((before, remark)) if !before.is_empty() && remark.ends_with(')') => before,
            _ => folded.as_str(),
        };
        let outcome =
            match folded.trim_matches(|c| matches!(c, '(' | ')' | '[' | ']' | '"' | '\'')) {
                "1-0" | "1:0" | "2-0" | "2:0" | "+--" | "+/-" | "红胜" | "先胜" | "红方胜"
                | "红先胜" | "胜" | "redwins" | "redwin" | "whitewins" | "red" | "w" => {
                    Outcome::RedWins
                }
                "0-1" | "0:1" | "0-2" | "0:2" | "--+" | "-/+" | "黑胜" | "先负" | "红负"
                | "黑方胜" | "后胜" | "红先负" | "负" | "blackwins" | "blackwin" | "black"
                | "l" => Outcome::BlackWins,
                "1/2-1/2" | "1/2" | "½-½" | "½" | "0.5-0.5" | "1-1" | "1:1" | "=-=" | "和"
                | "和棋" | "和局" | "先和" | "红先和" | "红和" | "双方和" | "作和" | "draw"
                | "drawn" | "d" => Outcome::Draw,
                "*" | "?" | "未知" | "不详" | "未定" | "未完" | "unknown" | "多种结果" => {
                    Outcome::Unknown
                }
                words => return lost_by(words),
            };
        Some(outcome)
    }

    /// Whether `self` and `other` cannot both be true; `Unknown` contradicts nothing.
    pub fn contradicts(self, other: Outcome) -> bool {
        self != other && self != Outcome::Unknown && other != Outcome::Unknown
    }
}

/// The outcome where `words` say which side gave up or lost by a rule: 红方认输, 黑超时判负.
fn lost_by(words: &str) -> Option<Outcome> {
    let sides = [("红", Outcome::BlackWins), ("黑", Outcome::RedWins)];
    let (how, outcome) = sides
        .iter()
        .find_map(|(side, outcome)| words.strip_prefix(side).map(|how| (how, *outcome)))?;
    let how = how.strip_prefix('方').unwrap_or(how);
    let lost = ["判负", "作负", "负"].iter().find_map(|lost| how.strip_suffix(lost));
    let known = match lost.unwrap_or(how) {
        "" | "认" => lost.is_some(),
        "认输" | "投子" | "投子认" | "投子认输" | "超时" | "弃权" => true,
        _ => false,
    };
    known.then_some(outcome)
}

/// Full-width and traditional characters of result texts as their usual forms.
fn fold(c: char) -> char {
    match c {
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '–' | '—' | '−' => '-',
        '紅' => '红',
        '勝' => '胜',
        '負' => '负',
        '後' => '后',
        '雙' => '双',
        '詳' => '详',
        '認' => '认',
        '輸' => '输',
        '時' => '时',
        '棄' => '弃',
        '權' => '权',
        _ => c,
    }
}
