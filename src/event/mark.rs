//! The result of a game as tables write it, and what it is worth.

use crate::{
    record::Outcome,
    rules::{DrawnGame, EventRules, Exact},
};

/// The result of one game as the table has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// `1-0`
    RedWins,
    /// `0-1`
    BlackWins,
    /// `1/2`
    Draw,
    /// `+/-`: Black did not play (21.4).
    RedByForfeit,
    /// `-/+`: Red did not play.
    BlackByForfeit,
    /// `-/-`: neither played (21.3).
    BothForfeit,
    /// `0-0`: both are punished.
    BothLose,
    /// `void`: erased.
    Void,
    /// `*`: not known.
    Open,
}

impl Mark {
    /// The result that a table writes as `text`; `None` if it is none.
    ///
    /// ```
    /// use qijian::event::Mark;
    /// assert_eq!(Mark::from_text("+/-"), Some(Mark::RedByForfeit));
    /// assert_eq!(Mark::from_text("红胜"), Some(Mark::RedWins));
    /// assert_eq!(Mark::from_text("3-1"), None);
    /// ```
    pub fn from_text(text: &str) -> Option<Mark> {
        let folded: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(|c| match c {
                '！'..='～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
                '–' | '—' | '−' => '-',
                _ => c,
            })
            .collect();
        Some(match folded.as_str() {
            "+/-" | "+--" | "+:-" => Mark::RedByForfeit,
            "-/+" | "--+" | "-:+" => Mark::BlackByForfeit,
            "-/-" | "---" | "-:-" | "双方弃权" => Mark::BothForfeit,
            "0-0" | "0:0" | "双负" => Mark::BothLose,
            "void" | "注销" | "無效" | "无效" => Mark::Void,
            "" => Mark::Open,
            text => match Outcome::from_text(text)? {
                Outcome::RedWins => Mark::RedWins,
                Outcome::BlackWins => Mark::BlackWins,
                Outcome::Draw => Mark::Draw,
                Outcome::Unknown => Mark::Open,
            },
        })
    }

    /// The result as tables write it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Mark::RedWins => "1-0",
            Mark::BlackWins => "0-1",
            Mark::Draw => "1/2",
            Mark::RedByForfeit => "+/-",
            Mark::BlackByForfeit => "-/+",
            Mark::BothForfeit => "-/-",
            Mark::BothLose => "0-0",
            Mark::Void => "void",
            Mark::Open => "*",
        }
    }

    /// Whether it was won or lost without play.
    pub const fn is_forfeit(self) -> bool {
        matches!(self, Mark::RedByForfeit | Mark::BlackByForfeit | Mark::BothForfeit)
    }

    /// Whether it was played over the board to an end.
    pub const fn is_played(self) -> bool {
        matches!(self, Mark::RedWins | Mark::BlackWins | Mark::Draw | Mark::BothLose)
    }

    /// What the sides get, first Red's; `None` while it is open or if it is erased (14.1, 21.4).
    pub fn points(self, rules: &EventRules) -> Option<[Exact; 2]> {
        let (win, draw, loss) = (rules.win, rules.draw, rules.loss);
        Some(match self {
            Mark::RedWins | Mark::RedByForfeit => [win, loss],
            Mark::BlackWins | Mark::BlackByForfeit => [loss, win],
            Mark::Draw if rules.drawn_game == DrawnGame::BlackWins => [loss, win],
            Mark::Draw => [draw, draw],
            Mark::BothForfeit | Mark::BothLose => [loss, loss],
            Mark::Void | Mark::Open => return None,
        })
    }

    /// Which side has won, 0 for Red, by the rules of the event.
    pub fn winner(self, rules: &EventRules) -> Option<usize> {
        match self {
            Mark::RedWins | Mark::RedByForfeit => Some(0),
            Mark::BlackWins | Mark::BlackByForfeit => Some(1),
            Mark::Draw if rules.drawn_game == DrawnGame::BlackWins => Some(1),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Profile;

    const MARKS: [Mark; 9] = [
        Mark::RedWins,
        Mark::BlackWins,
        Mark::Draw,
        Mark::RedByForfeit,
        Mark::BlackByForfeit,
        Mark::BothForfeit,
        Mark::BothLose,
        Mark::Void,
        Mark::Open,
    ];

    #[test]
    fn marks_are_read_back() {
        for mark in MARKS {
            assert_eq!(Mark::from_text(mark.as_str()), Some(mark));
        }
        for (text, mark) in
            [("２－０", Mark::RedWins), ("黑胜", Mark::BlackWins), ("＋／－", Mark::RedByForfeit)]
        {
            assert_eq!(Mark::from_text(text), Some(mark), "{text}");
        }
        assert_eq!(Mark::from_text("3-1"), None);
    }

    // 14.1, 21.4: a played or awarded game gives a win, two halves, or nothing to either.
    #[test]
    fn points_of_a_game_add_up() {
        let rules = Profile::default().event;
        for mark in MARKS {
            let sum = mark.points(&rules).map(|points| points[0] + points[1]);
            let due = match mark {
                Mark::BothForfeit | Mark::BothLose => Some(Exact::ZERO),
                Mark::Void | Mark::Open => None,
                _ => Some(Exact::whole(1)),
            };
            assert_eq!(sum, due, "{mark:?}");
            assert_eq!(
                mark.winner(&rules).is_some(),
                mark.points(&rules).is_some_and(|points| points[0] != points[1])
            );
        }
    }
}
