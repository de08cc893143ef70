//! What stands above a game in books and forums: `许银川 先胜 吕钦`, `1999年10月12日弈于上海`.

use std::ops::Range;

use crate::record::{Outcome, standard_key};

use super::{
    Reader,
    shape::is_space,
    tags::{TagLine, line_end, skip_blanks},
};

/// The longest such line, in bytes.
const LONGEST: usize = 200;
/// The longest name of a player or a team, in characters.
const NAME: usize = 16;

/// A tag that a line above a game amounts to: its name, and where its value stands.
type Part = (&'static str, Range<usize>);

/// The tags of the line at `at`, if it names both players and how it ended, or begins with a date, and where they end: what
/// follows a date on its line is read as ever.
pub(in crate::format) fn parse(text: &str, at: usize) -> Option<(Vec<Part>, usize)> {
    let end = line_end(text, at);
    if end - at > LONGEST {
        return None;
    }
    encounter(text, at..end).map(|parts| (parts, end)).or_else(|| date(text, at..end))
}

/// `广东 许银川 先胜 江苏 徐天红`: a player, before whom a team may stand, the result for Red, who moves first, and the other.
fn encounter(text: &str, line: Range<usize>) -> Option<Vec<Part>> {
    const RESULTS: [&str; 5] = ["先胜", "先勝", "先负", "先負", "先和"];
    let words = &text[line.clone()];
    let mut found = RESULTS.iter().flat_map(|result| words.match_indices(result));
    let ((from, result), None) = (found.next()?, found.next()) else { return None };
    Outcome::from_text(result)?;
    // The result stands apart, or in parentheses, and may say that Red moves first.
    let apart = |c: char| is_space(c) || matches!(c, '(' | ')' | '（' | '）');
    let before = words[..from].trim_end_matches(['红', '紅']);
    let behind = &words[from + result.len()..];
    if !before.ends_with(apart) || !behind.starts_with(apart) {
        return None;
    }
    let offset = |part: &str| part.as_ptr() as usize - text.as_ptr() as usize;
    let at = |part: &str| offset(part)..offset(part) + part.len();
    let [before, behind] = [before, behind].map(|part| part.trim_matches(apart));
    let (number, before) = numbered(before);
    let ((red_team, red), (black_team, black)) = (player(before)?, player(behind)?);
    let mut parts = Vec::with_capacity(6);
    parts.extend(number.map(|(name, number)| (name, at(number))));
    parts.extend(red_team.map(|team| ("RedTeam", at(team))));
    parts.push(("Red", at(red)));
    parts.push(("Result", line.start + from..line.start + from + result.len()));
    parts.extend(black_team.map(|team| ("BlackTeam", at(team))));
    parts.push(("Black", at(black)));
    Some(parts)
}

/// The round or the board that a line begins with, 第三轮 or 第2台, and the rest.
fn numbered(words: &str) -> (Option<(&'static str, &str)>, &str) {
    let found = words.strip_prefix('第').and_then(|_| words.split_once(is_space));
    let Some((first, rest)) = found else { return (None, words) };
    let name = match first.chars().next_back() {
        Some('轮' | '輪') => "Round",
        Some('局' | '台' | '臺' | '盘' | '盤') => "Board",
        _ => return (None, words),
    };
    (Some((name, first)), rest.trim_start_matches(is_space))
}

/// A player, with the team that may stand before him: 广东 许银川. Latin letters are a name in several words.
fn player(words: &str) -> Option<(Option<&str>, &str)> {
    if words.is_ascii() {
        let mut names = words.split(is_space).filter(|name| !name.is_empty());
        let all = names.clone().count() <= 3 && names.all(is_name);
        return (all && !words.is_empty()).then_some((None, words));
    }
    let mut names = words.split(is_space).filter(|name| !name.is_empty());
    match (names.next().filter(|name| is_name(name))?, names.next(), names.next()) {
        (name, None, _) => Some((None, name)),
        (team, Some(name), None) if is_name(name) => Some((Some(team), name)),
        _ => None,
    }
}

/// A name of letters or Chinese characters, no ordinal number.
fn is_name(word: &str) -> bool {
    !word.starts_with('第')
        && word.chars().count() <= NAME
        && word.chars().all(|c| c.is_alphabetic() || matches!(c, '·' | '-' | '.'))
}

/// `1999年10月12日`, and behind it `弈于上海`.
fn date(text: &str, line: Range<usize>) -> Option<(Vec<Part>, usize)> {
    let mut at = line.start;
    for (unit, most) in [('年', 4), ('月', 2), ('日', 2)] {
        let rest = &text[at..line.end];
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        if length == 0 || length > most || !rest[length..].starts_with(unit) {
            return None;
        }
        at += length + unit.len_utf8();
    }
    let mut parts = vec![("Date", line.start..at)];
    let next = skip_blanks(text, at).min(line.end);
    let place = ["弈于", "弈於"].iter().find_map(|word| text[next..line.end].strip_prefix(word));
    if let Some(place) = place {
        let start = line.end - place.len();
        let place = place.trim_end_matches(is_space);
        let is_place = !place.is_empty() && !place.contains(is_space);
        if is_place {
            parts.push(("Site", start..start + place.len()));
            return Some((parts, line.end));
        }
    }
    // Nothing else may stick to the date: 1999年10月12日的一局 is prose.
    (next > at || next == line.end).then_some((parts, next))
}

impl Reader<'_, '_> {
    /// Such a line before the moves, or where another game begins.
    pub(super) fn title(&mut self) -> bool {
        let behind = self.game.has_moves() || self.game.ended();
        let separate = self.line.blank || self.game.ended() || self.epilogue;
        let Some((parts, end)) = parse(self.text, self.at) else { return false };
        // Players and a result begin a game wherever they stand, a date may be a remark.
        let begins = parts.iter().any(|(name, _)| *name == "Red");
        if behind && !(separate || begins && !self.game.in_variation()) {
            return false;
        }
        let is_told = |name: &str| {
            let mut tags = self.game.record.tags.iter();
            tags.any(|tag| standard_key(&tag.name) == standard_key(name))
        };
        if !behind && parts.iter().any(|(name, _)| is_told(name)) {
            return false;
        }
        for (name, span) in parts {
            let value = &self.text[span.clone()];
            self.at = span.start;
            self.tag(TagLine { name, value, value_at: span.start, end: span.end, fault: None });
        }
        self.at = end;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(text: &str) -> Option<Vec<(&'static str, &str)>> {
        let (parts, _) = parse(text, 0)?;
        Some(parts.into_iter().map(|(name, span)| (name, &text[span])).collect())
    }

    #[test]
    fn players_teams_and_result() {
        let plain = vec![("Red", "许银川"), ("Result", "先胜"), ("Black", "吕钦")];
        for text in ["许银川 先胜 吕钦", "许银川（先胜）吕钦\n1. 炮二平五", "许银川 (红先胜) 吕钦"]
        {
            assert_eq!(parts(text), Some(plain.clone()), "{text}");
        }
        assert_eq!(
            parts("广东 許銀川 先和 江苏 徐天红"),
            Some(vec![
                ("RedTeam", "广东"),
                ("Red", "許銀川"),
                ("Result", "先和"),
                ("BlackTeam", "江苏"),
                ("Black", "徐天红"),
            ])
        );
    }

    #[test]
    fn rounds_boards_and_latin_names() {
        assert_eq!(
            parts("第3轮 广东队 许银川 先胜 吕钦"),
            Some(vec![
                ("Round", "第3轮"),
                ("RedTeam", "广东队"),
                ("Red", "许银川"),
                ("Result", "先胜"),
                ("Black", "吕钦"),
            ])
        );
        assert_eq!(parts("第一局 许银川 先负 吕钦").unwrap()[0], ("Board", "第一局"));
        assert_eq!(
            parts("ZHAO GuoRong 先和 KE YongQing"),
            Some(vec![("Red", "ZHAO GuoRong"), ("Result", "先和"), ("Black", "KE YongQing")])
        );
    }

    #[test]
    fn dates_and_places() {
        assert_eq!(parts("1999年10月12日"), Some(vec![("Date", "1999年10月12日")]));
        assert_eq!(
            parts("1999年10月12日弈于上海\n"),
            Some(vec![("Date", "1999年10月12日"), ("Site", "上海")])
        );
        let (_, end) = parse("2024年5月1日  结果：和棋", 0).unwrap();
        assert_eq!(&"2024年5月1日  结果：和棋"[end..], "结果：和棋");
    }

    #[test]
    fn prose_is_none() {
        for text in [
            "红方先胜一局",
            "本局先和后胜",
            "许银川 先胜",
            "先胜 吕钦",
            "许银川 先胜 吕钦 先和 徐天红",
            "第三轮 先胜 吕钦",
            "第三次 广东队 许银川 先胜 吕钦",
            "许银川 先胜 吕钦，全场最佳",
            "1999年10月12日的一局",
            "1999年",
            "3年5月",
        ] {
            assert_eq!(parts(text), None, "{text}");
        }
    }
}
