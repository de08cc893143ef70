//! One line of a move list.

use std::borrow::Cow;

use crate::{finding::Span, record::Outcome};

use super::pgn;

/// What a line is, with the bytes of its parts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Line {
    Blank,
    Title(usize, usize),
    Remark(usize, usize),
    /// Moves from this byte on.
    Moves(usize),
    /// `position …`, with the FEN if there is one and where the moves begin.
    Command {
        start: usize,
        fen: Option<(usize, usize)>,
        moves: usize,
    },
    /// A FEN, and where the moves behind it begin.
    Fen {
        fen: (usize, usize),
        moves: usize,
    },
    /// A title, a FEN and moves, set apart by bars.
    Entry {
        title: (usize, usize),
        fen: (usize, usize),
        moves: usize,
    },
}

/// A token of a line of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::format) enum Item {
    Move,
    Omitted,
    End(Outcome),
}

/// What the line `at..end` of `text` is.
pub(super) fn classify(text: &str, at: usize, end: usize) -> Line {
    let line = text[at..end].trim();
    if line.is_empty() {
        return Line::Blank;
    }
    let start = end - text[at..end].trim_start().len();
    let stop = start + line.len();
    if is_remark(line) {
        return Line::Remark(start, stop);
    }
    if let Some(command) = command(text, start, stop) {
        return command;
    }
    if pgn::is_position(text, start) {
        let (fen, moves) = fen(text, start, stop);
        return Line::Fen { fen, moves };
    }
    if let Some(entry) = entry(text, start, stop) {
        return entry;
    }
    let balance = pgn::balance(text, start);
    if balance.end >= stop && !balance.is_numbered() && is_moves(text, start, stop) {
        return Line::Moves(start);
    }
    Line::Title(start, stop)
}

/// Whether the line is moves: its first word is one, or it has more moves than other words.
fn is_moves(text: &str, start: usize, end: usize) -> bool {
    let (mut moves, mut others, mut ends) = (0, 0, 0);
    for (span, item) in items(text, start, end) {
        match item {
            Item::Move if pgn::any_move(&text[span.range()]).is_some() => moves += 1,
            Item::Move => others += 1,
            Item::Omitted => {}
            Item::End(_) => ends += 1,
        }
    }
    moves > others || (ends > 0 && moves + others == 0)
}

fn is_remark(line: &str) -> bool {
    const ENGINE: [&str; 8] =
        ["info ", "bestmove", "go ", "ucci", "uci", "readyok", "isready", "setoption "];
    let same =
        |word: &&str| line.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    line.starts_with(['#', '%']) || line.starts_with("//") || ENGINE.iter().any(same)
}

/// `position fen … moves …`, `position startpos moves …`, `fen …`, `startpos …`.
fn command(text: &str, start: usize, end: usize) -> Option<Line> {
    let after = |at: usize, word: &str| {
        let rest = &text[at..end];
        let found = rest.get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        let next = at + word.len();
        let ends = || text[next..end].chars().next().is_none_or(char::is_whitespace);
        (found && ends()).then(|| end - text[next..end].trim_start().len())
    };
    let at = after(start, "position").unwrap_or(start);
    if let Some(at) = after(at, "startpos") {
        let moves = after(at, "moves").unwrap_or(at);
        return Some(Line::Command { start, fen: None, moves });
    }
    let at = after(at, "fen")?;
    let (fen, moves) = fen(text, at, end);
    Some(Line::Command { start, fen: Some(fen), moves })
}

/// `title|FEN|moves`, the moves left out or not: a line of an `.eglib` file.
fn entry(text: &str, start: usize, end: usize) -> Option<Line> {
    let bar = start + text[start..end].find('|')?;
    if !pgn::is_position(text, bar + 1) {
        return None;
    }
    let stop = text[bar + 1..end].find('|').map_or(end, |at| bar + 1 + at);
    let (fen, _) = fen(text, bar + 1, stop);
    Some(Line::Entry { title: (start, bar), fen, moves: (stop + 1).min(end) })
}

/// The fields of the FEN at `start`, and where the moves behind it begin.
fn fen(text: &str, start: usize, end: usize) -> ((usize, usize), usize) {
    let mut last = start;
    let mut at = start;
    for index in 0..6 {
        let rest = text[at..end].trim_start();
        let word = rest.split_whitespace().next().unwrap_or("");
        let field = match index {
            0 => true,
            1 => word.len() == 1,
            2 | 3 => word == "-",
            _ => !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()),
        };
        if !field {
            // Two fields may be left out: `board w 0 1`.
            if (2..4).contains(&index) {
                continue;
            }
            break;
        }
        at = end - rest.len() + word.len();
        last = at;
    }
    let mut moves = end - text[at..end].trim_start().len();
    if let Some(head) = text[moves..end].get(..5)
        && head.eq_ignore_ascii_case("moves")
    {
        moves += 5;
    }
    ((start, last), moves)
}

/// A FEN whose fields are not set apart from its board (`…/4K4w`, `…/4K4w--01`), with blanks between them.
pub(super) fn spaced_fen(fen: &str) -> Cow<'_, str> {
    let last = fen.match_indices('/').nth(8).map_or(fen.len(), |(at, _)| at + 1);
    let mut files = 0;
    let whole = fen[last..].char_indices().find(|(_, c)| {
        let before = files;
        files += c.to_digit(10).unwrap_or(1);
        before == 9
    });
    let Some((at, side)) = whole.filter(|_| fen.is_ascii()) else { return Cow::Borrowed(fen) };
    let (board, rest) = fen.split_at(last + at);
    if !matches!(side, 'w' | 'W' | 'b' | 'B' | 'r' | 'R') {
        return Cow::Borrowed(fen);
    }
    let (side, rest) = rest.split_at(1);
    let counters =
        rest.strip_prefix("--").filter(|digits| digits.bytes().all(|c| c.is_ascii_digit()));
    match counters {
        Some("") => Cow::Owned(format!("{board} {side} - -")),
        // Longer ones could be parted in more than one way.
        Some(counters) if counters.len() == 2 => {
            Cow::Owned(format!("{board} {side} - - {} {}", &counters[..1], &counters[1..]))
        }
        _ => Cow::Owned(format!("{board} {side}{rest}")),
    }
}

/// The tokens of the moves `at..end`; what is not understood is a move, for the replay to report.
pub(in crate::format) fn items(
    text: &str,
    at: usize,
    end: usize,
) -> impl Iterator<Item = (Span, Item)> + '_ {
    let mut at = at;
    std::iter::from_fn(move || {
        let line = &text[..end];
        loop {
            let c = line[at..].chars().next()?;
            if !is_separator(c) {
                break;
            }
            at += c.len_utf8();
        }
        let start = at;
        if let Some((stop, outcome)) = pgn::marker(line, start) {
            at = stop;
            return Some((Span::new(start, stop), Item::End(outcome)));
        }
        if let Some((stop, outcome)) = result_word(line, start) {
            at = stop;
            return Some((Span::new(start, stop), Item::End(outcome)));
        }
        if let Some(stop) = pgn::dots(line, start) {
            at = stop;
            return Some((Span::new(start, stop), Item::Omitted));
        }
        let stop = match pgn::any_move(&line[start..]) {
            Some(length) => start + length,
            None => start + line[start..].find(is_separator).unwrap_or(end - start),
        };
        at = stop + line[stop..].find(|c| !is_sign(c)).unwrap_or(end - stop);
        Some((Span::new(start, stop), Item::Move))
    })
}

/// A result in Chinese words that ends the line, 红胜.
fn result_word(line: &str, start: usize) -> Option<(usize, Outcome)> {
    const LONGEST: usize = 8;
    let word: usize = line[start..]
        .chars()
        .take(LONGEST)
        .take_while(|c| !is_separator(*c))
        .map(char::len_utf8)
        .sum();
    let stop = start + word;
    let rest = line[stop..].chars().take(LONGEST);
    let alone = rest.clone().all(char::is_whitespace) && rest.count() < LONGEST;
    let word = &line[start..stop];
    if !alone || word.is_ascii() {
        return None;
    }
    Outcome::from_text(word).map(|outcome| (stop, outcome))
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | '，' | ';' | '；' | '、' | '|' | '"' | '\'' | '\u{FEFF}')
}

/// Signs behind a move that say nothing new.
fn is_sign(c: char) -> bool {
    matches!(c, '+' | '#' | '!' | '?' | '！' | '？')
}

/// Whether a text is a bare list: its lines are what this module reads, and more of it is moves than words.
pub(in crate::format) fn is_list(text: &str) -> bool {
    let (mut positions, mut moves, mut words, mut singles) = (0, 0, 0, 0);
    let mut at = 0;
    while at < text.len() {
        let end = pgn::line_end(text, at);
        match classify(text, at, end) {
            Line::Blank | Line::Remark(..) => {}
            Line::Title(start, stop) => {
                let line = &text[start..stop];
                let other = line.starts_with(['[', '［', '【', '<', '|', '{', '(', ';', '>']);
                if other || pgn::balance(text, start).is_numbered() {
                    return false;
                }
                words += line.chars().count();
            }
            Line::Moves(start) => {
                for (span, item) in items(text, start, end) {
                    let length = text[span.range()].chars().count();
                    if item == Item::Move && pgn::any_move(&text[span.range()]).is_some() {
                        moves += length;
                        singles += 1;
                    } else if item == Item::Move {
                        words += length;
                    }
                }
            }
            Line::Command { moves: start, .. }
            | Line::Fen { moves: start, .. }
            | Line::Entry { moves: start, .. } => {
                positions += 1;
                moves += 20 + end.saturating_sub(start);
            }
        }
        at = end + 1;
    }
    let binary = text
        .chars()
        .any(|c| c.is_control() && !matches!(c, '\t' | '\n' | '\r' | '\u{C}' | '\u{1A}'));
    !binary && moves > words && (positions > 0 || singles > 1)
}
