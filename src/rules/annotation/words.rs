//! Words of scoresheets that are annotations: 提和，黑方不应; 提自然限着; 红方犯规一次（9.1.3）; 余时 3:20.

use crate::board::Side;

use super::{Claim, Event, Reply, Time, commands};

/// What words say: whose, what, and whether an end of the game is said, which counts only behind the last move.
pub(super) type Said = (Option<Side>, Event);

/// The longest remark of a sheet, in characters; a longer text tells a story, in which a word is no entry.
const LONGEST: usize = 60;

/// A claim of the natural limit in the text of a comment, in words such as 提自然限着. The side is `None` where it is not
/// named.
pub(super) fn natural_limit(comment: &str) -> Option<Option<Side>> {
    if !comment.contains("自然限") {
        return None;
    }
    const WORDS: [&str; 7] = [
        "提自然限着",
        "提出自然限着",
        "提自然限著",
        "提出自然限著",
        "要求按自然限着判和",
        "要求审核自然限着",
        "提和（自然限着）",
    ];
    let at = WORDS.iter().find_map(|words| comment.find(words))?;
    // 未提, 没有提, 不提: nobody claims.
    if comment[..at].chars().rev().take(2).any(|c| matches!(c, '未' | '没' | '沒' | '不')) {
        return None;
    }
    Some(comment[..at].chars().rev().take(3).find_map(|c| match c {
        '红' | '紅' => Some(Side::Red),
        '黑' | '黒' => Some(Side::Black),
        _ => None,
    }))
}

/// Whether a comment can hold words of ours, told cheaply: nearly all comments are about something else.
pub(super) fn may_speak(comment: &str) -> bool {
    comment.len() <= LONGEST * 4
        && (comment.contains("(=)")
            || comment.contains("（＝）")
            || comment.chars().any(|c| {
                // The first characters of what each kind of entry cannot do without.
                matches!(
                    c,
                    '提' | '求'
                        | '和'
                        | '应'
                        | '應'
                        | '拒'
                        | '允'
                        | '同'
                        | '裁'
                        | '循'
                        | '犯'
                        | '摸'
                        | '触'
                        | '觸'
                        | '迟'
                        | '遲'
                        | '漏'
                        | '缺'
                        | '余'
                        | '餘'
                        | '剩'
                        | '用'
                        | '超'
                        | '倒'
                        | '旗'
                        | '认'
                        | '認'
                        | '投'
                )
            }))
}

/// The entries that the words of a remark make, in order; clauses that are none are left as the remark they are. `Err`
/// for a clause that begins as an entry and does not say what it must.
pub(super) fn said(comment: &str) -> Vec<Result<Said, &'static str>> {
    let mut found = Vec::new();
    if comment.chars().count() > LONGEST {
        return found;
    }
    let plain: String = without_commands(comment).chars().map(fold).collect();
    if ["(=)", "和?", "="].contains(&plain.trim()) {
        return vec![Ok((None, Event::Offer))];
    }
    let plain = plain.replace("(=)", ",提和,");
    let clauses: Vec<&str> = plain
        .split(is_stop)
        .map(|clause| clause.trim().trim_matches(['(', ')', ':']))
        .filter(|clause| !clause.is_empty())
        .collect();
    let mut rest = clauses.as_slice();
    while let Some((clause, behind)) = rest.split_first() {
        let (side, words) = named(clause);
        let (taken, entry) = entry(words, behind);
        rest = &behind[taken..];
        match entry {
            Some(Ok(events)) => {
                // 提和被拒: who refuses is the other.
                for (index, event) in events.into_iter().enumerate() {
                    found.push(Ok((if index == 0 { side } else { side.map(Side::other) }, event)));
                }
            }
            Some(Err(why)) => found.push(Err(why)),
            None => {}
        }
    }
    found
}

fn is_stop(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '。' | '、' | '!' | '|' | '/')
}

/// Full-width and traditional characters of the words below as their usual forms.
fn fold(c: char) -> char {
    match c {
        '〔' | '［' | '【' => '(',
        '〕' | '］' | '】' => ')',
        '！'..='～' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        '紅' => '红',
        '黒' => '黑',
        '應' => '应',
        '絕' => '绝',
        '議' => '议',
        '請' => '请',
        '環' => '环',
        '決' => '决',
        '規' => '规',
        '術' => '术',
        '觸' => '触',
        '遲' => '迟',
        '記' => '记',
        '著' => '着',
        '餘' => '余',
        '時' => '时',
        '鐘' => '钟',
        '認' => '认',
        '輸' => '输',
        '負' => '负',
        '兩' => '两',
        '對' => '对',
        '間' => '间',
        '審' => '审',
        _ => c,
    }
}

fn without_commands(comment: &str) -> String {
    let mut plain = String::with_capacity(comment.len());
    let mut rest = comment;
    while let Some(at) = rest.find("[%") {
        plain.push_str(&rest[..at]);
        plain.push(' ');
        rest = rest[at..].find(']').map_or("", |end| &rest[at + end + 1..]);
    }
    plain + rest
}

/// The side that a clause begins with, 红方 or 黑, and the rest; 对方 names nobody by itself.
fn named(clause: &str) -> (Option<Side>, &str) {
    let clause = ["裁判判", "裁判:", "判"]
        .iter()
        .find_map(|word| clause.strip_prefix(word))
        .unwrap_or(clause);
    for (word, side) in [("红", Side::Red), ("黑", Side::Black)] {
        if let Some(rest) = clause.strip_prefix(word) {
            let rest = rest.strip_prefix('方').unwrap_or(rest);
            return (Some(side), rest.strip_prefix(':').unwrap_or(rest));
        }
    }
    (None, clause.strip_prefix("对方").unwrap_or(clause))
}

type Entry = Option<Result<Vec<Event>, &'static str>>;

/// The entry that begins with `words`, and how many of the clauses behind belong to it.
fn entry(words: &str, behind: &[&str]) -> (usize, Entry) {
    let one = |event| (0, Some(Ok(vec![event])));
    match words {
        "提和" | "提议作和" | "提议和棋" | "提议和" | "求和" | "提出和棋" | "提出作和"
        | "再提和" | "提和棋" | "和?" | "再次提和" | "又提和" => {
            return one(Event::Offer);
        }
        "提和被拒" | "提和遭拒" | "提和未允" | "提和不允" | "提和不应" | "提和未果"
        | "求和被拒" | "求和未允" => {
            return (0, Some(Ok(vec![Event::Offer, Event::Reply(Reply::Refuse)])));
        }
        "不应" | "不允" | "未允" | "未应" | "拒绝" | "拒和" | "不同意" | "不同意和"
        | "拒绝和棋" | "未同意" => {
            return one(Event::Reply(Reply::Refuse));
        }
        "同意" | "同意和" | "同意和棋" | "同意作和" | "应允" | "接受" | "允和" =>
        {
            return one(Event::Reply(Reply::Accept));
        }
        "提循环"
        | "提出循环"
        | "要求裁决"
        | "请求裁决"
        | "申请裁决"
        | "提循环要求裁决"
        | "要求裁决循环" => {
            return one(Event::Claim(Claim::Repetition));
        }
        "超时" | "超时判负" | "超时负" | "超时作负" | "倒旗" | "旗落" | "落旗" =>
        {
            return one(Event::Flag);
        }
        "认输" | "认负" | "投子" | "投子认负" | "投子认输" => {
            return one(Event::Resign);
        }
        _ => {}
    }
    if let Some(rest) = strip(words, &["摸子", "触子", "触摸", "摸"]) {
        return touch(rest, behind);
    }
    if let Some(rest) = strip(words, &["迟到"]) {
        return timed(rest, behind, Event::Late, "how late: 迟到 12:30");
    }
    if let Some(rest) = strip(words, &["余时", "剩时", "剩余时间", "剩余", "余"]) {
        let (taken, entry) = timed(rest, behind, Event::Clock, "");
        return (taken, entry.filter(Result::is_ok));
    }
    if let Some(rest) = strip(words, &["用时"]) {
        let (taken, entry) = timed(rest, behind, Event::Elapsed, "");
        return (taken, entry.filter(Result::is_ok));
    }
    if let Some(rest) = strip(words, &["漏记", "漏", "缺"]) {
        let count = strip_suffix(rest, &["着", "步"]).and_then(count);
        return (0, count.map(|count| Ok(vec![Event::Missing(count)])));
    }
    foul(words, behind)
}

fn strip<'w>(words: &'w str, prefixes: &[&str]) -> Option<&'w str> {
    prefixes.iter().find_map(|prefix| words.strip_prefix(prefix))
}

fn strip_suffix<'w>(words: &'w str, suffixes: &[&str]) -> Option<&'w str> {
    suffixes.iter().find_map(|suffix| words.strip_suffix(suffix))
}

fn touch(rest: &str, behind: &[&str]) -> (usize, Entry) {
    let together = rest.contains('+') || behind.first().is_some_and(|clause| clause.contains('+'));
    let parts = |clause: &str| {
        let words =
            clause.split(['+', ':', '(', ')']).map(str::trim).filter(|word| !word.is_empty());
        words.map(commands::square).collect::<Option<Vec<_>>>()
    };
    let Some(mut squares) = parts(rest) else { return (0, None) };
    let mut taken = 0;
    while let Some(more) = behind.get(taken).and_then(|clause| parts(clause)) {
        squares.extend(more);
        taken += 1;
    }
    squares.truncate(8);
    if squares.is_empty() {
        return (0, Some(Err("a touch names squares: 摸子 e3 e6")));
    }
    (taken, Some(Ok(vec![Event::Touch { squares, together }])))
}

/// An entry with a time in `rest` or in the next clause.
fn timed(
    rest: &str,
    behind: &[&str],
    event: fn(Time) -> Event,
    why: &'static str,
) -> (usize, Entry) {
    let rest = rest.trim_start_matches(['了', ':']);
    let (taken, text) = match (rest.is_empty(), behind.first()) {
        (true, Some(next)) => (1, *next),
        _ => (0, rest),
    };
    match Time::parse(text) {
        Some(time) => (taken, Some(Ok(vec![event(time)]))),
        // 迟到 with other words behind is a remark on something else.
        None if rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_digit()) => {
            (0, Some(Err(why)))
        }
        None => (0, None),
    }
}

/// A foul: 犯规, 犯规一次, 技术犯规, 被判犯规(9.1.3); its article may be the next clause: 犯规，违反9.1.3.
fn foul(words: &str, behind: &[&str]) -> (usize, Entry) {
    let words = strip(words, &["被判", "判"]).unwrap_or(words);
    let words = words.strip_prefix("技术").unwrap_or(words);
    let Some(rest) = words.strip_prefix("犯规") else { return (0, None) };
    let rest = strip(rest, &["一次", "1次"]).unwrap_or(rest);
    let (taken, code) = match rest.trim_matches(['(', ')', ':', ' ']) {
        "" => match behind.first().and_then(|clause| article(clause)) {
            Some(code) if code.contains('.') => (1, code),
            _ => (0, "9.1"),
        },
        code => match article(code) {
            Some(code) => (0, code),
            None => return (0, None),
        },
    };
    (taken, Some(Ok(vec![Event::Foul(code.to_owned())])))
}

/// The number of an article, 9.1.3, as in 违反第9.1.3条.
fn article(clause: &str) -> Option<&str> {
    let clause = strip(clause, &["违反", "依", "按", "见"]).unwrap_or(clause);
    let clause = strip(clause, &["规则"]).unwrap_or(clause);
    let clause = clause.strip_prefix('第').unwrap_or(clause);
    let code = clause.strip_suffix('条').unwrap_or(clause);
    let is_code = code.len() <= 12 && code.starts_with(|c: char| c.is_ascii_digit());
    (is_code && code.chars().all(|c| c.is_ascii_digit() || c == '.')).then_some(code)
}

/// A number in digits or in Chinese up to twenty.
fn count(text: &str) -> Option<u32> {
    const ONES: &str = "零一二三四五六七八九";
    let digit = |c: char| match c {
        '两' => Some(2),
        c => ONES.chars().position(|one| one == c).map(|value| value as u32),
    };
    let value = match text.chars().collect::<Vec<_>>()[..] {
        ['十'] => 10,
        ['十', one] => 10 + digit(one)?,
        [one] if !one.is_ascii_digit() => digit(one)?,
        _ if text.len() <= 3 => text.parse().ok()?,
        _ => return None,
    };
    (1..=300).contains(&value).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Option<Side> = Some(Side::Red);
    const BLACK: Option<Side> = Some(Side::Black);

    fn one(comment: &str) -> Vec<Said> {
        assert!(may_speak(comment), "{comment}");
        said(comment).into_iter().map(|entry| entry.unwrap()).collect()
    }

    #[test]
    fn words_of_sheets() {
        let refuse = Event::Reply(Reply::Refuse);
        let at = |square| commands::square(square).unwrap();
        for (comment, expected) in [
            ("(=)", vec![(None, Event::Offer)]),
            ("（＝）", vec![(None, Event::Offer)]),
            ("和？", vec![(None, Event::Offer)]),
            ("提和，黑方不应", vec![(None, Event::Offer), (BLACK, refuse.clone())]),
            ("紅方提和 黑拒絕", vec![(RED, Event::Offer), (BLACK, refuse.clone())]),
            ("黑方提和被拒。", vec![(BLACK, Event::Offer), (RED, refuse.clone())]),
            ("提和，对方同意", vec![(None, Event::Offer), (None, Event::Reply(Reply::Accept))]),
            ("红方要求裁决", vec![(RED, Event::Claim(Claim::Repetition))]),
            ("提循環", vec![(None, Event::Claim(Claim::Repetition))]),
            ("判红方犯规一次（9.1.3）", vec![(RED, Event::Foul("9.1.3".into()))]),
            ("红方犯规 9.1.1", vec![(RED, Event::Foul("9.1.1".into()))]),
            ("黑方犯规，违反第9.1.2条", vec![(BLACK, Event::Foul("9.1.2".into()))]),
            ("犯规，提和", vec![(None, Event::Foul("9.1".into())), (None, Event::Offer)]),
            ("黑方技術犯規", vec![(BLACK, Event::Foul("9.1".into()))]),
            (
                "红方摸子 e3 e6",
                vec![(RED, Event::Touch { squares: vec![at("e3"), at("e6")], together: false })],
            ),
            (
                "摸子e3+e6",
                vec![(None, Event::Touch { squares: vec![at("e3"), at("e6")], together: true })],
            ),
            ("黑方迟到12分30秒", vec![(BLACK, Event::Late(Time::seconds(750)))]),
            ("黑遲到 15:00", vec![(BLACK, Event::Late(Time::seconds(900)))]),
            ("余时 2:50", vec![(None, Event::Clock(Time::seconds(170)))]),
            ("红方用时0:12", vec![(RED, Event::Elapsed(Time::seconds(12)))]),
            ("漏记四着", vec![(None, Event::Missing(4))]),
            ("黑超时负。", vec![(BLACK, Event::Flag)]),
            ("黑方认输！！", vec![(BLACK, Event::Resign)]),
        ] {
            assert_eq!(one(comment), expected, "{comment}");
        }
        assert_eq!(said("红方摸子"), [Err("a touch names squares: 摸子 e3 e6")]);
        assert_eq!(said("红方迟到"), [Err("how late: 迟到 12:30")]);
    }

    // From comments of real archives.
    #[test]
    fn prose_is_no_entry() {
        for comment in [
            "胡提和，蔡允，遂和",
            "，右车叫将红可车六退九，故不算犯规。",
            "此着漏记，可能不确。",
            "（此着因漏记，系推测）",
            "黑方亦可求和机会不大",
            "红方用时渐紧而无法细算",
            "裁决：两打一还打；由两打的黑方变着",
            "对手求和竟是多余的",
            "[%eval 0.3] 好棋",
            "余下略",
            "缺士怕炮",
        ] {
            assert_eq!(said(comment), [], "{comment}");
        }
        let story = "提和，".repeat(40);
        assert_eq!(said(&story), []);
    }

    #[test]
    fn claims_of_the_natural_limit() {
        for (comment, expected) in [
            ("红方提出自然限着，裁判审核", Some(RED)),
            ("黑提自然限着", Some(BLACK)),
            ("要求按自然限着判和", Some(None)),
            ("双方未提自然限着", None),
            ("自然限着尚早", None),
            ("", None),
        ] {
            assert_eq!(natural_limit(comment), expected, "{comment}");
        }
    }
}
