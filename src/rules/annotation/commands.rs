//! Commands in comments: `[%clk 0:59:30]`, `[%claim red repetition]`.

use crate::board::{Side, Square};

use super::{Claim, Event, Reply, Time};

/// What a command says, or why it says nothing.
pub(super) type Command = Result<(Option<Side>, Event), &'static str>;

/// The commands of `text` that are ours, each with its bytes in the text. Others (`%eval`, `%csl` and the like) are not our
/// concern.
pub(super) fn commands(text: &str) -> Vec<(std::ops::Range<usize>, Command)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("[%").map(|at| from + at) {
        let body = &text[at + 2..];
        // What is not closed before the next command begins is not closed.
        let length = body.find(']').filter(|length| !body[..*length].contains("[%"));
        let open = body.find("[%").unwrap_or(body.len());
        let end = length.map_or(at + 2 + open, |length| at + 2 + length + 1);
        let inside = &body[..length.unwrap_or(open)];
        let (name, arguments) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        if let Some(read) = reader(name.trim()) {
            let command = if length.is_some() {
                read(arguments.trim())
            } else {
                Err("the command is not closed by ]")
            };
            found.push((at..end, command));
        }
        from = end;
    }
    found
}

fn reader(name: &str) -> Option<fn(&str) -> Command> {
    Some(match name.to_ascii_lowercase().as_str() {
        "clk" => |text| time(text).map(|time| (None, Event::Clock(time))),
        "emt" => |text| time(text).map(|time| (None, Event::Elapsed(time))),
        "xmt" => |text| time(text).map(|time| (None, Event::Made(time))),
        "claim" => claim,
        "offer" => offer,
        "reply" => reply,
        "foul" => foul,
        "touch" => touch,
        "late" => |text| sided(text, |rest| time(rest).map(Event::Late)),
        "missing" => missing,
        "flag" => |text| sided(text, |rest| empty(rest, Event::Flag)),
        "resign" => |text| sided(text, |rest| empty(rest, Event::Resign)),
        "adjust" => |text| sided(text, adjust),
        _ => return None,
    })
}

/// A side by its name.
pub(super) fn side(word: &str) -> Option<Side> {
    match word.to_ascii_lowercase().as_str() {
        "red" | "r" | "w" | "white" | "红" | "红方" | "紅" | "紅方" => Some(Side::Red),
        "black" | "b" | "黑" | "黑方" | "黒" | "黒方" => Some(Side::Black),
        _ => None,
    }
}

/// The side at the beginning of `text`, if it names one, and what is behind it.
fn split_side(text: &str) -> (Option<Side>, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    match side(first) {
        Some(side) => (Some(side), rest.trim()),
        None => (None, text),
    }
}

fn sided(text: &str, read: impl Fn(&str) -> Result<Event, &'static str>) -> Command {
    let (side, rest) = split_side(text);
    read(rest).map(|event| (side, event))
}

fn empty(rest: &str, event: Event) -> Result<Event, &'static str> {
    if rest.is_empty() { Ok(event) } else { Err("more words than the command has") }
}

fn time(text: &str) -> Result<Time, &'static str> {
    Time::parse_seconds(text).ok_or("no time: write H:MM:SS")
}

fn claim(text: &str) -> Command {
    sided(text, |rest| match rest.to_ascii_lowercase().as_str() {
        "natural-limit" | "natural_limit" | "limit" | "自然限着" | "自然限著" => {
            Ok(Event::Claim(Claim::NaturalLimit))
        }
        "repetition" | "cycle" | "循环" | "循環" => Ok(Event::Claim(Claim::Repetition)),
        _ => Err("a claim is of natural-limit or of repetition"),
    })
}

fn offer(text: &str) -> Command {
    sided(text, |rest| match rest.to_ascii_lowercase().as_str() {
        "" | "draw" | "和" | "和棋" => Ok(Event::Offer),
        _ => Err("an offer is of a draw"),
    })
}

fn reply(text: &str) -> Command {
    sided(text, |rest| match rest.to_ascii_lowercase().as_str() {
        "refuse" | "refused" | "decline" | "拒绝" | "拒絕" | "不同意" => {
            Ok(Event::Reply(Reply::Refuse))
        }
        "accept" | "accepted" | "agree" | "同意" => Ok(Event::Reply(Reply::Accept)),
        _ => Err("a reply is refuse or accept"),
    })
}

fn foul(text: &str) -> Command {
    sided(text, |code| {
        let plain = code.chars().all(|c| c.is_alphanumeric() || matches!(c, '.' | '-' | '_'));
        if code.is_empty() || !plain || code.len() > 64 {
            return Err("a foul names its article or kind: [%foul red 9.1.3]");
        }
        Ok(Event::Foul(code.to_owned()))
    })
}

/// `e3 e6` in order, `e3+e6` at once.
fn touch(text: &str) -> Command {
    sided(text, |rest| {
        let together = rest.contains('+');
        let squares: Option<Vec<Square>> = rest
            .split(|c: char| c.is_whitespace() || c == '+' || c == ',')
            .filter(|word| !word.is_empty())
            .map(square)
            .collect();
        match squares {
            Some(squares) if !squares.is_empty() && squares.len() <= 8 => {
                Ok(Event::Touch { squares, together })
            }
            _ => Err("a touch names squares: [%touch e3 e6]"),
        }
    })
}

/// A square such as `e3`.
pub(super) fn square(word: &str) -> Option<Square> {
    match *word.as_bytes() {
        [file @ (b'a'..=b'i' | b'A'..=b'I'), rank @ b'0'..=b'9'] => {
            Square::new(file.to_ascii_lowercase() - b'a', rank - b'0')
        }
        _ => None,
    }
}

fn missing(text: &str) -> Command {
    const MOST: u32 = 300;
    match text.parse() {
        Ok(count) if (1..=MOST).contains(&count) => Ok((None, Event::Missing(count))),
        _ => Err("how many plies are missing: [%missing 2]"),
    }
}

fn adjust(text: &str) -> Result<Event, &'static str> {
    let signed = text.strip_prefix('+').unwrap_or(text);
    time(signed).map(Event::Adjust)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Command> {
        commands(text).into_iter().map(|(_, command)| command).collect()
    }

    #[test]
    fn every_command_of_the_contract() {
        let text = "[%clk 1:59:00] [%emt 0:00:58][%xmt 3] [%claim black natural-limit] [%claim repetition] \
                    [%offer red draw] [%reply black refuse] [%foul red 9.1.3] [%touch e3 e6] [%late black 12:30] \
                    [%missing 2] [%eval 0.3] [%csl Ga1]";
        let at = |square: &str| super::square(square).unwrap();
        let expected: Vec<Command> = vec![
            Ok((None, Event::Clock(Time::seconds(7140)))),
            Ok((None, Event::Elapsed(Time::seconds(58)))),
            Ok((None, Event::Made(Time::seconds(3)))),
            Ok((Some(Side::Black), Event::Claim(Claim::NaturalLimit))),
            Ok((None, Event::Claim(Claim::Repetition))),
            Ok((Some(Side::Red), Event::Offer)),
            Ok((Some(Side::Black), Event::Reply(Reply::Refuse))),
            Ok((Some(Side::Red), Event::Foul("9.1.3".into()))),
            Ok((None, Event::Touch { squares: vec![at("e3"), at("e6")], together: false })),
            Ok((Some(Side::Black), Event::Late(Time::seconds(750)))),
            Ok((None, Event::Missing(2))),
        ];
        assert_eq!(read(text), expected);
    }

    #[test]
    fn what_is_malformed_says_why() {
        for text in [
            "[%clk soon]",
            "[%clk]",
            "[%claim red]",
            "[%claim natural]",
            "[%offer red money]",
            "[%reply]",
            "[%foul red]",
            "[%foul red a b]",
            "[%touch]",
            "[%touch e3 z9]",
            "[%late red]",
            "[%missing 0]",
            "[%missing 301]",
            "[%missing]",
            "[%flag red twice]",
            "[%adjust red]",
            "[%claim",
        ] {
            let found = read(text);
            assert!(matches!(found[..], [Err(_)]), "{text}: {found:?}");
        }
        // A command that is not closed does not hide the next.
        assert_eq!(read("[%foul [%missing 2]").len(), 2);
        assert!(read("[%eval x] [% ] 提和 [%").is_empty());
    }
}
