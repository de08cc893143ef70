//! What a record says beside the moves (CONTRACT section 6): clocks, claims, offers and replies, fouls, touches, lateness,
//! plies left out, in PGN commands and in the words of scoresheets.
//!
//! | command | words of a sheet | what it says |
//! | --- | --- | --- |
//! | `[%clk H:MM:SS]` | 余时 3:20, a column 余时 | what is left on the mover's clock after the press |
//! | `[%emt H:MM:SS]` | 用时 0:12, a column 用时 | what the move took, up to the press |
//! | `[%xmt S]` | | what it had taken when the piece was let go, before the press (22.5) |
//! | `[%claim SIDE natural-limit]` | 提自然限着, 提出自然限着 | a claim of the natural limit (23.3) |
//! | `[%claim SIDE repetition]` | 提循环, 要求裁决 | a claim of a ruling (24) |
//! | `[%offer SIDE draw]` | 提和, `(=)` | an offer of a draw (23.1) |
//! | `[%reply SIDE refuse]`, `accept` | 不应, 拒绝, 同意 | the answer |
//! | `[%foul SIDE CODE]` | 红方犯规一次（9.1.3） | a foul that the arbiter has announced (9.2) |
//! | `[%touch e3 e6]`, `[%touch SIDE e3+e6]` | 摸子 e3 e6 | pieces touched, in order or at once (5.1 to 5.5) |
//! | `[%late SIDE M:SS]` | 黑方迟到12分 | lateness (21); also the tags `RedLate`, `BlackLate` in seconds |
//! | `[%missing N]` | 漏记四着 | plies left out behind this one |
//! | `[%flag SIDE]`, `[%resign SIDE]` | 红方超时, 黑方认输 behind the last move | a flag has fallen (22.2); a resignation (4.1.9) |
//! | `[%adjust SIDE +M:SS]` | | the arbiter has set a clock: time given, with `-` taken (22.4) |
//!
//! A side that is not named: in a sheet that has an owner it is the owner; else an offer is by the side that has just
//! moved (23.1), claims and replies are by the side to move (8.5), a reply never by the side that has offered. A side in words
//! is that of a row, not of a ply: an offer in words stands behind that side's last move.
//!
//! ```
//! use qijian::{board::Side, finding::Binary, format::pgn, rules::annotation::{Event, read}};
//!
//! pgn::read_str("1. 炮二平五 {[%offer draw]} 马8进7 {不应} *", &Binary, &mut |record| {
//!     let found = read(&record, Side::Red);
//!     assert_eq!(found.list[0].event, Event::Offer);
//!     assert_eq!((found.list[0].ply, found.list[0].side), (1, Some(Side::Red)));
//!     assert_eq!((found.list[1].ply, found.list[1].side), (2, Some(Side::Black)));
//! });
//! ```

mod commands;
mod time;
mod words;

pub use time::{HOUR, MINUTE, SECOND, Time};

use std::borrow::Cow;

use crate::{
    board::{Side, Square},
    finding::Span,
    record::{Comment, NodeId, Record, Written},
    replay::main_plies,
};

/// What is claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// 自然限着 (23.3)
    NaturalLimit,
    /// 循环, a ruling on it (24)
    Repetition,
}

/// How an offer is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reply {
    /// 拒绝
    Refuse,
    /// 同意
    Accept,
}

/// What happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Left on the clock after the press.
    Clock(Time),
    /// Taken by the move, up to the press.
    Elapsed(Time),
    /// Taken by the move when it was made, before the press.
    Made(Time),
    /// A claim.
    Claim(Claim),
    /// An offer of a draw.
    Offer,
    /// The answer to one.
    Reply(Reply),
    /// A foul that the arbiter has announced: its article, or its kind by a name that the profile knows.
    Foul(String),
    /// Pieces touched.
    Touch {
        /// Where they stood, in the order touched.
        squares: Vec<Square>,
        /// Whether they were touched at once (5.5).
        together: bool,
    },
    /// Late at the board.
    Late(Time),
    /// Plies left out behind this one.
    Missing(u32),
    /// The flag has fallen.
    Flag,
    /// Resigned.
    Resign,
    /// Time given by the arbiter, taken if negative.
    Adjust(Time),
}

/// One entry.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotation {
    /// The ply behind which it stands; 0 before the first.
    pub ply: u32,
    /// Whose it is; `None` for what concerns no side or where the record cannot say.
    pub side: Option<Side>,
    /// Whether a command names the side, or a number of missing plies, so that it is meant to the letter.
    pub exact: bool,
    /// What happened.
    pub event: Event,
    /// Which of several sheets says it, from 0.
    pub sheet: usize,
    /// Where it stands.
    pub span: Span,
}

/// An entry that is not well formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The ply behind which it stands.
    pub ply: u32,
    /// What is wrong with it, in English.
    pub why: &'static str,
    /// The text.
    pub text: String,
    /// Which of several sheets says it, from 0.
    pub sheet: usize,
    /// Where it stands.
    pub span: Span,
}

/// All entries of a record's main line, in the order of the plies.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Annotations {
    /// Those that are understood.
    pub list: Vec<Annotation>,
    /// Those that are not.
    pub faults: Vec<Fault>,
}

impl Annotations {
    /// What is told twice, as by a mark and by words or by both sheets, is kept once. The list is in the order of the plies.
    #[must_use]
    pub fn once(mut self) -> Annotations {
        // Nobody says so much about one ply; the bound is for those who try.
        const MOST: usize = 64;
        let mut from = 0;
        let mut kept: Vec<Annotation> = Vec::with_capacity(self.list.len());
        for entry in self.list {
            let single = matches!(
                entry.event,
                Event::Offer
                    | Event::Reply(_)
                    | Event::Claim(_)
                    | Event::Flag
                    | Event::Resign
                    | Event::Adjust(_)
            ) || matches!(entry.event, Event::Touch { .. });
            while kept.get(from).is_some_and(|other| other.ply < entry.ply) {
                from += 1;
            }
            // An offer behind a refusal is another one.
            let renews = |other: &&Annotation| {
                entry.event == Event::Offer
                    && other.event == Event::Reply(Reply::Refuse)
                    && (other.sheet, other.ply) == (entry.sheet, entry.ply)
            };
            let before = kept[from..].iter().rev().take(MOST).take_while(|other| !renews(other));
            let again = single
                && before.into_iter().any(|other| {
                    (other.ply, other.side, &other.event) == (entry.ply, entry.side, &entry.event)
                });
            if !again {
                kept.push(entry);
            }
        }
        self.list = kept;
        self
    }

    /// Whether there is nothing to judge.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty() && self.faults.is_empty()
    }
}

/// A claim of the natural limit in the text of a comment, in a command or in words. The side is `None` where it is not
/// named.
///
/// ```
/// use qijian::{board::Side, rules::annotation::natural_limit};
///
/// assert_eq!(natural_limit("[%claim red natural-limit]"), Some(Some(Side::Red)));
/// assert_eq!(natural_limit("提出自然限着"), Some(None));
/// assert_eq!(natural_limit("双方未提自然限着"), None);
/// ```
pub fn natural_limit(comment: &str) -> Option<Option<Side>> {
    let claimed = commands::commands(comment).into_iter().find_map(|(_, command)| match command {
        Ok((side, Event::Claim(Claim::NaturalLimit))) => Some(side),
        _ => None,
    });
    claimed.or_else(|| words::natural_limit(comment))
}

/// The entries of the main line of `record`, in which `first` moves first. Nothing is read from variations.
pub fn read(record: &Record<'_>, first: Side) -> Annotations {
    read_at(record, first, record.owner, None)
}

/// Whether [`read`] finds no entry and no fault in `comment`, wherever it stands, in a record without an owner and without
/// other entries: most remarks are about something else, or say again how the game has ended.
///
/// ```
/// use qijian::rules::annotation::is_silent;
///
/// assert!(is_silent("好棋") && is_silent("认负") && is_silent("议和"));
/// assert!(!is_silent("红提和") && !is_silent("[%clk 1:00:00]"));
/// ```
pub fn is_silent(comment: &str) -> bool {
    if comment.contains("[%") || comment.contains("自然限") {
        return false;
    }
    let is_heard = |said: Result<words::Said, _>| match said {
        Ok((side, Event::Flag | Event::Resign | Event::Foul(_) | Event::Late(_))) => side.is_some(),
        Ok((_, Event::Reply(_))) => false,
        Ok(_) | Err(_) => true,
    };
    !words::may_speak(comment) || !words::said(comment).into_iter().any(is_heard)
}

/// The entries of one of two sheets, kept by `owner`, on the plies of the game that both tell: `places` has for each node of
/// the sheet's main line the ply of the game. What stands behind a ply that tells none stands behind the one before.
pub fn read_at(
    record: &Record<'_>,
    first: Side,
    owner: Option<Side>,
    places: Option<&[Option<u32>]>,
) -> Annotations {
    let mut reader = Reader {
        record,
        first,
        owner,
        places,
        plies: Vec::new(),
        last: record.tree.len() as u32,
        offered: None,
        found: Annotations::default(),
    };
    reader.late();
    for comment in &record.tree.comments {
        let commands = comment.text.contains("[%");
        let words = words::may_speak(&comment.text);
        if commands || words || comment.text.contains("自然限") {
            reader.comment(comment, commands, words);
        }
    }
    let mut found = reader.found;
    found.list.sort_by_key(|annotation| annotation.ply);
    found.once()
}

struct Reader<'r, 'a> {
    record: &'r Record<'a>,
    first: Side,
    owner: Option<Side>,
    /// For each ply of the sheet that of the game.
    places: Option<&'r [Option<u32>]>,
    /// For each node its ply on the main line from 1, 0 for others; made when first needed.
    plies: Vec<u32>,
    /// The last ply of the main line.
    last: u32,
    /// The last offer: its ply and whose.
    offered: Option<(u32, Side)>,
    found: Annotations,
}

/// An entry as it was said.
struct Said<'s> {
    ply: u32,
    side: Option<Side>,
    exact: bool,
    /// Whether it stands directly behind the text of a move.
    mark: bool,
    event: Event,
    span: Span,
    /// The command or comment.
    text: &'s str,
}

impl Reader<'_, '_> {
    /// The tags `RedLate` and `BlackLate`.
    fn late(&mut self) {
        for (side, name) in [(Side::Red, "redlate"), (Side::Black, "blacklate")] {
            let tag = self.record.tags.iter().find(|tag| tag.name.eq_ignore_ascii_case(name));
            let Some(tag) = tag.filter(|tag| !tag.value.trim().is_empty()) else { continue };
            match Time::parse_seconds(&tag.value) {
                Some(time) => self.push(0, Some(side), true, Event::Late(time), tag.span),
                None => self.fault(0, "no time: write H:MM:SS", &tag.value, tag.span),
            }
        }
    }

    /// The ply of a node of the main line.
    fn ply(&mut self, node: NodeId) -> Option<u32> {
        if node == NodeId::ROOT {
            return Some(0);
        }
        if self.plies.is_empty() {
            self.plies = vec![0; self.record.tree.len() + 1];
            let mut last = 0;
            for (index, (ply, id)) in main_plies(&self.record.tree).into_iter().enumerate() {
                last = match self.places {
                    Some(places) => places.get(index).copied().flatten().unwrap_or(last),
                    None => ply,
                };
                self.plies[id.index()] = last;
            }
            self.last = last;
        }
        self.plies.get(node.index()).copied().filter(|ply| *ply > 0)
    }

    fn comment(&mut self, comment: &Comment<'_>, has_commands: bool, has_words: bool) {
        let Some(ply) = self.ply(comment.node) else { return };
        let text: &str = &comment.text;
        let node = self.record.tree.node(comment.node);
        let gap = comment.span.start.checked_sub(node.span.end);
        // Directly behind the text of its move, as in a cell `炮二平五(=)`.
        let mark = matches!(node.written, Written::Text(_)) && gap == Some(0);
        let mut claimed = false;
        if has_commands {
            for (range, command) in commands::commands(text) {
                let span = part(comment, &range);
                // A number alone in a column may be seconds or minutes.
                let bare = is_column(comment) && !text.contains([':', '：']) && is_bare(text);
                match if bare { Err(UNTOLD) } else { command } {
                    Ok((side, event)) => {
                        claimed |= event == Event::Claim(Claim::NaturalLimit);
                        let exact = side.is_some() || matches!(event, Event::Missing(_));
                        let text = &text[range];
                        self.entry(Said { ply, side, exact, mark, event, span, text });
                    }
                    Err(why) => {
                        let why = if is_column(comment) { UNTOLD } else { why };
                        // A dash in a column of times says that nothing was noted.
                        let blank =
                            is_column(comment) && !text.contains(|c: char| c.is_ascii_digit());
                        if !blank {
                            self.fault(ply, why, &text[range], span);
                        }
                    }
                }
            }
        }
        if !claimed && let Some(side) = words::natural_limit(text) {
            let event = Event::Claim(Claim::NaturalLimit);
            let span = comment.span;
            self.entry(Said { ply, side, exact: false, mark, event, span, text });
        }
        if has_words {
            for said in words::said(text) {
                match said {
                    Ok((side, event)) => {
                        let span = comment.span;
                        self.words(Said { ply, side, exact: false, mark, event, span, text });
                    }
                    Err(why) => self.fault(ply, why, text, comment.span),
                }
            }
        }
    }

    /// An entry in words: what ends the game counts behind the last move and with a side only, and a reply only to an offer,
    /// for else they tell of something else.
    fn words(&mut self, said: Said<'_>) {
        let Said { ply, side, .. } = said;
        let heard = match said.event {
            Event::Flag | Event::Resign => side.is_some() && ply == self.last,
            Event::Reply(_) => self.offered.is_some_and(|(offered, _)| ply <= offered + 1),
            Event::Foul(_) | Event::Late(_) | Event::Touch { .. } => {
                side.is_some() || self.owner.is_some() || self.record.sided_remarks
            }
            _ => true,
        };
        if heard {
            self.entry(said);
        }
    }

    /// Settles whose an entry is, and behind which ply.
    fn entry(&mut self, said: Said<'_>) {
        let Said { ply, side: named, exact, mark, event, span, text } = said;
        let mover = self.mover(ply);
        let owner = if self.record.sided_remarks { mover } else { self.owner };
        let to_move = mover.map_or(self.first, Side::other);
        // The last ply of `side` up to this one.
        let own = |side: Side| if mover == Some(side) { ply } else { ply.saturating_sub(1) };
        let (ply, side) = match event {
            Event::Clock(_) | Event::Elapsed(_) | Event::Made(_) => match named {
                Some(side) => (own(side), Some(side)),
                None => (ply, mover),
            },
            Event::Offer => {
                // A mark on the move itself is the mover's, whoever kept the sheet.
                let side = named.or(owner.filter(|_| !mark)).or(mover);
                let at = if exact { ply } else { side.map_or(ply, own) };
                (at, side)
            }
            Event::Reply(_) => {
                let offered =
                    self.offered.filter(|(offered, _)| ply <= offered + 1).map(|(_, side)| side);
                let side = match offered {
                    Some(offered) => named.unwrap_or(offered.other()),
                    None => named.or(owner).unwrap_or(to_move),
                };
                (ply, Some(side))
            }
            Event::Claim(_) => (ply, Some(named.or(owner).unwrap_or(to_move))),
            Event::Touch { .. } => match named.or(owner) {
                // In a sheet the row is told, not the ply.
                Some(side) if !exact => (own(side), Some(side)),
                side => (ply, side),
            },
            Event::Missing(_) => (ply, None),
            Event::Foul(_) | Event::Late(_) | Event::Flag | Event::Resign | Event::Adjust(_) => {
                let Some(side) = named.or(owner) else {
                    return self.fault(ply, "whose: name the side, red or black", text, span);
                };
                (ply, Some(side))
            }
        };
        if let (Event::Offer, Some(side)) = (&event, side) {
            self.offered = Some((ply, side));
        }
        self.push(ply, side, exact, event, span);
    }

    /// Who has moved last, `None` before the first ply.
    fn mover(&self, ply: u32) -> Option<Side> {
        (ply > 0).then(|| if ply % 2 == 1 { self.first } else { self.first.other() })
    }

    fn push(&mut self, ply: u32, side: Option<Side>, exact: bool, event: Event, span: Span) {
        self.found.list.push(Annotation { ply, side, exact, event, sheet: 0, span });
    }

    fn fault(&mut self, ply: u32, why: &'static str, text: &str, span: Span) {
        const LONGEST: usize = 80;
        let text = text.trim().chars().take(LONGEST).collect();
        self.found.faults.push(Fault { ply, why, text, sheet: 0, span });
    }
}

/// What is wrong with a cell in a column of times.
const UNTOLD: &str = "no time: write M:SS or H:MM:SS";

/// Whether a command of a time holds a number without a unit.
fn is_bare(command: &str) -> bool {
    let time = command.rsplit_once(' ').map_or("", |(_, time)| time.trim_end_matches(']'));
    !time.is_empty() && time.chars().all(|c| c.is_ascii_digit() || c == '.')
}

/// Whether a comment was made by a reader from a cell of a column: its text is longer than what stands in the source.
fn is_column(comment: &Comment<'_>) -> bool {
    comment.text.len() > (comment.span.end - comment.span.start) as usize
}

/// Where `range` of a comment stands. The span has the marks around the text too: nothing, a semicolon or an open brace, two
/// braces, or `/*` and `*/`. A text that is not as it stands in the source has the place of the whole comment.
fn part(comment: &Comment<'_>, range: &std::ops::Range<usize>) -> Span {
    let span = comment.span;
    let marks = ((span.end - span.start) as usize).checked_sub(comment.text.len());
    let opening = match (marks, &comment.text) {
        (Some(0), _) => 0,
        (Some(1 | 2), Cow::Borrowed(_)) => 1,
        (Some(4), Cow::Borrowed(_)) => 2,
        _ => return span,
    };
    let start = span.start as usize + opening;
    Span::new(start + range.start, start + range.end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        finding::Binary,
        format::{pgn, sheet},
        source::{Encoding, Text},
    };

    type Told = (u32, Option<Side>, Event);

    fn told(found: &Annotations) -> Vec<Told> {
        let entries = found.list.iter();
        entries.map(|entry| (entry.ply, entry.side, entry.event.clone())).collect()
    }

    /// CONTRACT section 6: each command of a comment has its own place, and behind an odd number of missing plies the mover is
    /// the other side.
    #[test]
    fn commands_have_their_own_places() {
        let text = "1. 炮二平五 {[%offer red draw] [%touch e3]} 炮8平5 {[%missing 1]} 2. 马8进7 {[%offer draw]} *";
        let found = of_pgn(text);
        let at = |words: &str| text.find(words).unwrap() as u32;
        let starts: Vec<u32> = found.list.iter().map(|entry| entry.span.start).collect();
        let commands = ["[%offer red", "[%touch", "[%missing", "[%offer draw"];
        assert_eq!(starts, commands.map(at));
        let last = found.list.last().unwrap();
        assert_eq!((last.ply, last.side), (4, Some(Side::Black)));
    }

    fn of_pgn(moves: &str) -> Annotations {
        let mut found = None;
        pgn::read_str(moves, &Binary, &mut |record| found = Some(read(&record, Side::Red)));
        found.unwrap()
    }

    fn of_sheet(text: &str) -> Annotations {
        let text = Text::decode(text.as_bytes(), Encoding::Utf8);
        let mut found = None;
        sheet::read(&text, &mut |record| found = Some(read(&record, Side::Red)));
        found.unwrap()
    }

    const RED: Option<Side> = Some(Side::Red);
    const BLACK: Option<Side> = Some(Side::Black);

    // CONTRACT section 6: who is meant where no side is named.
    #[test]
    fn sides_that_are_not_named() {
        let found = of_pgn(
            "1. 炮二平五 {[%clk 0:59:48] [%offer draw]} 马8进7 {[%reply refuse]} 2. 马二进三 {[%claim repetition]} *",
        );
        assert_eq!(
            told(&found),
            [
                (1, RED, Event::Clock(Time::seconds(3588))),
                (1, RED, Event::Offer),
                // Black has just moved, and it is Black who answers.
                (2, BLACK, Event::Reply(Reply::Refuse)),
                (3, BLACK, Event::Claim(Claim::Repetition)),
            ]
        );
        assert!(found.faults.is_empty());
    }

    #[test]
    fn a_remark_is_the_owners_and_of_a_row() {
        let table = "回合  红方      黑方      备注\n 1    炮二平五  马8进7    提和\n 2    马二进三  车9平8    提自然限着\n";
        let red = of_sheet(&format!("记录者：红方\n{table}"));
        assert_eq!(
            told(&red),
            [(1, RED, Event::Offer), (4, RED, Event::Claim(Claim::NaturalLimit))]
        );
        let black = of_sheet(&format!("记录者：黑方\n{table}"));
        assert_eq!(told(&black)[0], (2, BLACK, Event::Offer));
        // Without an owner the rule for records holds: an offer is by the side that has just moved.
        assert_eq!(told(&of_sheet(table))[0], (2, BLACK, Event::Offer));
        // Columns of the sides say whose a remark is.
        let sided = of_sheet(
            "记录者：黑方\n| 回合 | 红方 | 黑方 | 红方备注 | 黑方备注 |\n| 1 | 炮二平五 | 马8进7 | 提和 | 不应 |\n",
        );
        assert_eq!(told(&sided), [(1, RED, Event::Offer), (2, BLACK, Event::Reply(Reply::Refuse))]);
        // A mark on a move is the mover's.
        let marked = of_sheet("记录者：红方\n回合 红方 黑方\n1 炮二平五 马8进7(=)\n");
        assert_eq!(told(&marked), [(2, BLACK, Event::Offer)]);
    }

    #[test]
    fn what_is_malformed_is_kept_with_its_place() {
        let found = of_pgn("1. 炮二平五 {[%foul 9.1.1] [%clk soon]} *");
        let whys: Vec<&str> = found.faults.iter().map(|fault| fault.text.as_str()).collect();
        assert_eq!(whys, ["[%foul 9.1.1]", "[%clk soon]"]);
        // A dash in a column of times is nothing noted; a word is.
        let sheet = "| 回合 | 红方 | 红用时 | 黑方 |\n| 1 | 炮二平五 | — | 马8进7 |\n| 2 | 马二进三 | 12 | 车9平8 |\n";
        assert_eq!(of_sheet(sheet).faults.len(), 1);
    }

    #[test]
    fn tags_of_lateness_and_variations() {
        let found =
            of_pgn("[BlackLate \"750\"]\n[RedLate \"soon\"]\n\n1. 炮二平五 (1. 炮八平五 {提和}) *");
        assert_eq!(told(&found), [(0, BLACK, Event::Late(Time::seconds(750)))]);
        assert_eq!(found.faults.len(), 1);
    }

    // {黑方认输！！} stands in the middle of a game of the real archives.
    #[test]
    fn the_end_in_words_counts_behind_the_last_move() {
        assert_eq!(told(&of_pgn("1. 炮二平五 {黑方认输！！} 马8进7 *")), []);
        assert_eq!(told(&of_pgn("1. 炮二平五 {黑方认输！！} *")), [(1, BLACK, Event::Resign)]);
        assert_eq!(told(&of_pgn("1. 炮二平五 {同意} *")), []);
    }
}
