//! Time controls (计时方案, article 6): how much time for how many moves.
//!
//! Read are the forms of the PGN tag `TimeControl` (`40/5400:10/900`, `3600+30`, `1200`) and the words of scoresheets
//! (60分加30秒, 每方90分钟40着，以后每15分钟10着, 每着限时30秒, 包干20分钟). A last period with a number of moves repeats
//! until the end (直至对局结束).

use super::annotation::{HOUR, SECOND, Time};

/// One period.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Period {
    /// The moves to be made in it; `None` for all that are left.
    pub moves: Option<u32>,
    /// The time given, in milliseconds.
    pub ms: i64,
}

/// A time control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Control {
    /// The periods; the last repeats if it has a number of moves. Empty if only single moves are limited.
    pub periods: Vec<Period>,
    /// Time added by each move, in milliseconds.
    pub increment: i64,
    /// The most that one move may take, in milliseconds (R125).
    pub per_move: Option<i64>,
    /// Whether the text can only mean this: `60+30` may be minutes too, although the PGN standard says seconds.
    pub sure: bool,
}

impl Control {
    /// The control that `text` means; `None` for one that is not understood, `?` and `-` included.
    ///
    /// ```
    /// use qijian::rules::control::Control;
    ///
    /// let control = Control::parse("每方90分钟40着，以后每15分钟10着").unwrap();
    /// assert_eq!(Some(&control), Control::parse("40/5400:10/900").as_ref());
    /// assert_eq!(control.limit(40), Some(5_400_000));
    /// assert_eq!(control.limit(41), Some(6_300_000));
    /// assert_eq!(Control::parse("60分+30秒").unwrap().increment, 30_000);
    /// ```
    pub fn parse(text: &str) -> Option<Control> {
        const LONGEST: usize = 200;
        if text.len() > LONGEST {
            return None;
        }
        let plain: String = text
            .chars()
            .filter(|c| !c.is_whitespace())
            .map(fold)
            .flat_map(char::to_lowercase)
            .collect();
        let ascii = plain.chars().all(|c| c.is_ascii_digit() || matches!(c, '/' | '+' | ':'));
        if ascii { standard(&plain) } else { words(&plain) }
    }

    /// The time in which the first `move_number` moves must have been made, in milliseconds, saved time kept and nothing added
    /// (7.2 of the reference): that of all periods up to the one that the move belongs to. `None` if only single moves are
    /// limited.
    pub fn limit(&self, move_number: u32) -> Option<i64> {
        self.period(move_number).map(|at| at.total)
    }

    /// The period that the `move_number`th move belongs to.
    pub fn period(&self, move_number: u32) -> Option<At> {
        let mut at = At { number: 0, last_move: Some(0), own: 0, total: 0 };
        for period in &self.periods {
            let before = at.last_move?;
            at = At {
                number: at.number + 1,
                last_move: period.moves.map(|moves| before.saturating_add(moves)),
                own: period.ms,
                total: at.total + period.ms,
            };
            if at.last_move.is_none_or(|last| move_number <= last) {
                return Some(at);
            }
        }
        // The last period repeats.
        let last = self.periods.last()?;
        let (moves, before) = (last.moves?.max(1), at.last_move?);
        let times = (move_number - before).div_ceil(moves);
        Some(At {
            number: at.number + times,
            last_move: Some(before.saturating_add(times.saturating_mul(moves))),
            own: last.ms,
            total: at.total + i64::from(times) * last.ms,
        })
    }

    /// Whether there is a period after the one that the `move_number`th move belongs to.
    pub fn has_next(&self, move_number: u32) -> bool {
        self.period(move_number).is_some_and(|at| at.last_move.is_some())
    }
}

/// A period of a control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct At {
    /// Its number, from 1.
    pub number: u32,
    /// The last move of it; `None` for the rest of the game.
    pub last_move: Option<u32>,
    /// Its own time.
    pub own: i64,
    /// The time of it and all before it.
    pub total: i64,
}

/// Full-width, traditional and other characters as their usual forms.
fn fold(c: char) -> char {
    match c {
        '、' | '，' | '；' | ';' | '。' => ',',
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '時' => '时',
        '鐘' => '钟',
        '後' => '后',
        '內' => '内',
        '滿' => '满',
        '須' => '须',
        '過' => '过',
        '讀' => '读',
        '乾' => '干',
        '幹' => '干',
        '著' | '步' | '手' => '着',
        '紅' => '红',
        _ => c,
    }
}

/// The form of the PGN standard.
fn standard(text: &str) -> Option<Control> {
    let mut control = Control { periods: Vec::new(), increment: 0, per_move: None, sure: true };
    for field in text.split(':') {
        let (moves, time) = match field.split_once('/') {
            Some((moves, time)) => (Some(number(moves).filter(|moves| *moves > 0)?), time),
            None => (None, field),
        };
        let (base, added) = time.split_once('+').unwrap_or((time, "0"));
        let (base, added) = (number(base)?, number(added)?);
        // Programs write minutes before the plus too.
        control.sure &= !(moves.is_none() && base <= 180 && time.contains('+'));
        control.increment = i64::from(added) * SECOND;
        control.periods.push(Period { moves, ms: i64::from(base) * SECOND });
    }
    let endless = control.periods.iter().rev().skip(1).any(|period| period.moves.is_none());
    (!endless && control.periods.iter().any(|period| period.ms > 0)).then_some(control)
}

/// The words of a sheet.
fn words(text: &str) -> Option<Control> {
    let mut control = Control { periods: Vec::new(), increment: 0, per_move: None, sure: true };
    let text = ["以后", "其后", "然后", "此后", "之后"]
        .iter()
        .fold(text.to_owned(), |text, word| text.replace(word, ","));
    for section in text.split(',').filter(|section| !section.is_empty()) {
        let (first, added) = match section.split_once(['加', '+']) {
            Some((first, added)) => (first, Some(added)),
            None => (section, None),
        };
        let first = Section::read(first)?;
        let each = first.each;
        match (first.ms, first.moves) {
            (Some(ms), None) if each && added.is_none() => {
                // 每着30秒 with a base before it may be added or be the limit.
                control.sure &= first.limit || control.periods.is_empty();
                control.per_move = Some(ms);
            }
            (Some(ms), moves) if !each => control.periods.push(Period { moves, ms }),
            // 第一时限 alone; 每走一着加30秒, where the time stands behind the plus.
            (None, None) => {}
            _ => return None,
        }
        if let Some(added) = added {
            let added = Section::read(added)?;
            if added.moves.is_some() || control.increment > 0 {
                return None;
            }
            control.increment = added.ms?;
        }
    }
    let endless = control.periods.iter().rev().skip(1).any(|period| period.moves.is_none());
    let empty = control.periods.is_empty() && control.per_move.is_none();
    (!endless && !empty).then_some(control)
}

/// A piece of words: a time, a number of moves, both or neither.
#[derive(Default)]
struct Section {
    ms: Option<i64>,
    moves: Option<u32>,
    /// It speaks of each move.
    each: bool,
    /// It speaks of a limit.
    limit: bool,
}

impl Section {
    /// `None` if it holds words that are not known.
    fn read(text: &str) -> Option<Section> {
        let mut section = Section::default();
        let mut rest = text.to_owned();
        for each in ["每走一着", "每一着", "每着", "一着棋", "/着"] {
            if rest.contains(each) {
                section.each = true;
                rest = rest.replace(each, "");
            }
        }
        const FILLERS: [&str; 18] = [
            "第一时限",
            "基本用时",
            "用时",
            "每方",
            "双方",
            "各",
            "必须",
            "走满",
            "走完",
            "时间",
            "包干",
            "的",
            "每",
            "走",
            "为",
            ":",
            "直至对局结束",
            "在",
        ];
        rest = FILLERS.iter().fold(rest, |text, word| text.replace(word, ""));
        for limit in ["限时", "不得超过", "不超过", "以内", "内", "限"] {
            section.limit |= rest.contains(limit);
            rest = rest.replace(limit, "");
        }
        let rest = rest.trim_matches(['(', ')', '/']);
        // The number of moves may stand before the time or behind it.
        let (time, moves) = match rest.find('着') {
            None => (rest, None),
            Some(at) => {
                let behind = &rest[at + '着'.len_utf8()..];
                let before = &rest[..at];
                let digits = before.len() - before.trim_end_matches(is_number).len();
                let (time, moves) = before.split_at(before.len() - digits);
                match (time.is_empty(), behind.is_empty()) {
                    (true, _) => (behind.trim_start_matches('/'), Some(moves)),
                    (false, true) => (time.trim_end_matches('/'), Some(moves)),
                    (false, false) => return None,
                }
            }
        };
        if let Some(moves) = moves {
            section.moves = Some(in_digits(moves)?.parse().ok().filter(|moves| *moves > 0)?);
        }
        if !time.is_empty() {
            let time = Time::parse(&in_digits(time)?)?;
            section.ms = Some(time.ms).filter(|ms| (1..=100 * HOUR).contains(ms));
            section.ms?;
        }
        Some(section)
    }
}

const fn is_number(c: char) -> bool {
    c.is_ascii_digit()
        || matches!(
            c,
            '一' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十' | '百' | '两'
        )
}

/// `text` with Chinese numbers up to 999 as digits; `None` where they are none.
fn in_digits(text: &str) -> Option<String> {
    const ONES: &str = "零一二三四五六七八九";
    let mut out = String::new();
    let (mut total, mut digit, mut open) = (0_usize, None, false);
    for c in text.chars().chain([' ']) {
        let value = if c == '两' { Some(2) } else { ONES.chars().position(|one| one == c) };
        match (c, value) {
            (_, Some(value)) => {
                digit = Some(value);
                open = true;
            }
            ('十' | '百', _) => {
                total += digit.take().unwrap_or(1) * if c == '十' { 10 } else { 100 };
                open = true;
            }
            _ => {
                if open {
                    out += &(total + digit.take().unwrap_or(0)).to_string();
                    (total, open) = (0, false);
                }
                if c != ' ' {
                    out.push(c);
                }
            }
        }
        if total > 999 {
            return None;
        }
    }
    Some(out)
}

fn number(text: &str) -> Option<u32> {
    (text.len() <= 6 && !text.is_empty()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::annotation::MINUTE;

    fn control(text: &str) -> Control {
        Control::parse(text).unwrap_or_else(|| panic!("{text}"))
    }

    // 6.1 to 6.5, R113, R125.
    #[test]
    fn words_mean_what_the_standard_form_means() {
        for (words, standard) in [
            ("每方90分钟40着，以后每15分钟10着", "40/5400:10/900"),
            (
                "第一时限，每方在90分钟内必须走满40着。以后每15分钟内必须走满10着，直至对局结束。",
                "40/5400:10/900",
            ),
            ("60分鐘30步，其後每10分鐘10步", "30/3600:10/600"),
            ("40着/10分；以后30着/5分", "40/600:30/300"),
            ("每5分钟内必须走满30着", "30/300"),
            ("包干20分钟", "1200"),
            ("每方20分钟包干", "1200"),
            ("60分+30秒", "3600+30"),
            ("60分加30秒", "3600+30"),
            ("每方60分钟，每走一步加30秒", "3600+30"),
            ("基本用时10分钟，每走一着加10秒", "600+10"),
            ("每方用时六十分钟，每步加三十秒", "3600+30"),
            ("1小时30分+30秒", "5400+30"),
            ("60分钟+30秒/着", "3600+30"),
            ("６０分＋３０秒", "3600+30"),
        ] {
            let words = Control::parse(words).unwrap_or_else(|| panic!("{words}"));
            assert_eq!(words, control(standard), "{standard}");
        }
        assert_eq!(control("每着限时30秒").per_move, Some(30 * SECOND));
        assert_eq!(control("每步不超过60秒").per_move, Some(60 * SECOND));
        assert!(control("每步不超过60秒").periods.is_empty());
    }

    // The worked cases of the reference, 7.2.
    #[test]
    fn the_time_of_each_move() {
        let control = control("40/5400:10/900");
        let minutes = |n| control.limit(n).unwrap() / MINUTE;
        assert_eq!([1, 40, 41, 50, 51, 60].map(minutes), [90, 90, 105, 105, 120, 120]);
        assert_eq!(control.period(55).unwrap().number, 3);
        assert!(control.has_next(99) && !Control::parse("1200").unwrap().has_next(99));
        assert_eq!(control.limit(u32::MAX).map(|ms| ms > 0), Some(true));
    }

    #[test]
    fn what_is_not_understood_is_unknown() {
        for text in [
            "",
            "?",
            "-",
            "10-5-0",
            "8-4-0",
            "慢棋",
            "6.1",
            "*180",
            "40/",
            "/5400",
            "0/60",
            "60分加30秒加10秒",
            "读秒30秒三次",
            "包干",
            "1200:600",
            "很久",
        ] {
            assert_eq!(Control::parse(text), None, "{text}");
        }
        // Seconds by the standard, minutes by many programs.
        assert!(!control("60+30").sure && control("3600+30").sure);
    }
}
