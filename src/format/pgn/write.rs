//! Records to PGN text.
//!
//! What is written is read back at once and compared; what cannot be held as it is is told as a [`Loss`], never
//! dropped.
//!
//! # What the text looks like
//!
//! Tags in the order of the record, names and values as written. A value may hold quotation marks, nothing is escaped:
//! the reader ends a value at the quote and bracket behind which the line ends. Added are `FEN` for a start position
//! that no tag gives, `Format` where the moves are put into another notation than Chinese, and `[Event "?"]` (not
//! known) for a game without tags, because a tag is what separates games and tells that a text is PGN. Changed are, where the moves are put
//! into another notation, a `Format` that would no longer be true, and a `FEN` that names the wrong side to move.
//!
//! One round of the main line a line; numbers are made anew, `12...` where Black begins, or goes on behind a comment
//! or variation. Each ply is followed by its marks, its comments, then the variations of that ply in order. A line
//! always begins with a number, a parenthesis or a brace, so that nothing in it can be taken for a tag or a heading. An
//! omitted ply is `……`. The end marker is `1-0`, `0-1`, `1/2-1/2` or `*`, and `*` for a game that has none.
//!
//! # What text cannot hold
//!
//! A comment whose braces do not pair stands behind a semicolon if it has no line break. Otherwise characters are
//! written as references `&#x7B;`, as are those that the encoding lacks; `&#x` itself then becomes `&#x26;#x`. A ply
//! that move text cannot hold is written as an omitted one, with its text in a comment `{[%written …]}`. A comment of
//! blanks alone is not written, and `{}` may stand where dots would otherwise be taken for a placeholder.

use std::fmt::Write;

use crate::{
    board::Side,
    finding::Span,
    record::{NodeId, Written},
};

use super::{
    super::{Loss, Part},
    reread::{self, Mismatch},
    shape,
    sheet::{Count, OMITTED, Sheet, TagText, Unheld, as_comment},
};

/// A game as PGN.
#[derive(Clone, Debug)]
pub struct Page {
    /// The text, which ends with a line break.
    pub text: String,
    /// What it holds otherwise than the record does.
    pub losses: Vec<Loss>,
}

/// A line is broken before a number once it has so many bytes.
const WIDTH: usize = 100;

/// How often a game is written again because a ply was not read as one.
const ATTEMPTS: usize = 8;

/// Writes a game.
///
/// ```
/// use qijian::{finding::Binary, format::pgn};
///
/// let text = "[Red \"甲\"]\n炮二平五 {当头炮} 马8进7 (炮8平5) 红胜";
/// pgn::read_str(text, &Binary, &mut |record| {
///     let sheet = pgn::Sheet {
///         record: &record,
///         texts: &[],
///         after_end: &[],
///         start: None,
///         notation: None,
///         holds: &|_| true,
///     };
///     let page = pgn::write(&sheet);
///     assert_eq!(
///         page.text,
///         "[Red \"甲\"]\n\n1. 炮二平五 {当头炮} 1... 马8进7\n(1... 炮8平5)\n1-0\n"
///     );
///     assert!(page.losses.is_empty());
/// });
/// ```
pub fn write(sheet: &Sheet<'_, '_>) -> Page {
    let tags = sheet.tags();
    let count = sheet.count(&tags);
    let mut unheld = Unheld::new();
    let mut attempts = 1;
    loop {
        let mut page = Pen::new(sheet, &tags, count, &unheld).page();
        match reread::compare(sheet, &tags, &unheld, &page.text) {
            None => return page,
            Some(Mismatch::Ply(id)) if attempts < ATTEMPTS && unheld.insert(id) => attempts += 1,
            Some(mismatch) => {
                page.losses.push(mismatch.loss(sheet.record));
                return page;
            }
        }
    }
}

/// What is still to be written.
enum Step {
    Ply {
        id: NodeId,
        depth: u32,
        opens: bool,
    },
    /// The alternatives to a ply, from this one on.
    Others {
        next: Option<NodeId>,
        depth: u32,
    },
    Close,
}

struct Pen<'p, 's, 'a> {
    sheet: &'p Sheet<'s, 'a>,
    tags: &'p [TagText<'s>],
    count: Count,
    unheld: &'p Unheld,
    /// Comments by node and place in the record.
    comments: Vec<(NodeId, usize)>,
    text: String,
    losses: Vec<Loss>,
    /// Where the present line begins.
    line: usize,
    /// Whether no blank is due: at the start of a line or behind a parenthesis.
    fresh: bool,
    /// Whether the next ply needs a number even if it is Black's.
    due: bool,
    /// How many variations are open.
    open: usize,
    /// Whether a variation of the main line has just been closed.
    closed: bool,
}

impl<'p, 's, 'a> Pen<'p, 's, 'a> {
    fn new(
        sheet: &'p Sheet<'s, 'a>,
        tags: &'p [TagText<'s>],
        count: Count,
        unheld: &'p Unheld,
    ) -> Self {
        Pen {
            sheet,
            tags,
            count,
            unheld,
            comments: by_node(sheet),
            text: String::new(),
            losses: Vec::new(),
            line: 0,
            fresh: true,
            due: true,
            open: 0,
            closed: false,
        }
    }

    fn page(mut self) -> Page {
        for tag in self.tags {
            let at = self.text.len();
            // Writing to a string never fails.
            let _ = writeln!(self.text, "[{} \"{}\"]", tag.name, tag.value);
            if let Some(span) = tag.lost {
                let written = self.text[at..].trim_end().to_owned();
                self.lose(Part::Tag, NodeId::ROOT, span, written);
            }
        }
        if !self.tags.is_empty() {
            self.text.push('\n');
        }
        self.line = self.text.len();
        self.marks(NodeId::ROOT, "");
        self.comments_on(NodeId::ROOT, true);
        self.plies();
        self.break_line();
        self.text.push_str(self.sheet.outcome().as_str());
        let mut whole = true;
        for (text, span) in self.sheet.behind_the_end() {
            let lost = text.is_none();
            let written = text.unwrap_or(OMITTED.into());
            // Half a move would join with what follows it.
            self.text.push_str(if whole { " " } else { ", " });
            whole = shape::any_move(&written) == Some(written.len());
            self.text.push_str(&written);
            if lost {
                let written = written.into_owned();
                self.lose(Part::Move, NodeId::ROOT, span, written);
            }
        }
        self.text.push('\n');
        self.beside();
        Page { text: self.text, losses: self.losses }
    }

    /// Text beside the game: lines that every reader passes over (PGN standard, section 6).
    fn beside(&mut self) {
        for (text, span) in &self.sheet.record.beside {
            let line: String = text.split(['\n', '\r']).collect::<Vec<_>>().join(" ");
            let written = self.sheet.escape(&line, |_| false).unwrap_or(line);
            let _ = writeln!(self.text, "% {written}");
            if written != *text {
                self.lose(Part::Beside, NodeId::ROOT, *span, written);
            }
        }
    }

    /// The tree, along the line of play; what waits is as much as variations are nested, and not on the stack of calls.
    fn plies(&mut self) {
        let tree = &self.sheet.record.tree;
        let ply = |id, depth| Step::Ply { id, depth, opens: false };
        let mut steps: Vec<Step> = Vec::new();
        steps.extend(tree.first_child(NodeId::ROOT).map(|first| ply(first, 0)));
        while let Some(step) = steps.pop() {
            match step {
                Step::Ply { id, depth, opens } => {
                    self.ply(id, depth, opens);
                    steps.extend(tree.first_child(id).map(|next| ply(next, depth + 1)));
                    if !opens {
                        steps.push(Step::Others { next: tree.next_sibling(id), depth });
                    }
                }
                Step::Others { next: Some(id), depth } => {
                    steps.push(Step::Others { next: tree.next_sibling(id), depth });
                    steps.push(Step::Close);
                    steps.push(Step::Ply { id, depth, opens: true });
                    self.open();
                }
                Step::Others { next: None, .. } => {}
                Step::Close => self.close(),
            }
        }
    }

    fn open(&mut self) {
        if self.open == 0 || self.is_full() {
            self.break_line();
        }
        self.space();
        self.text.push('(');
        (self.fresh, self.due, self.closed) = (true, true, false);
        self.open += 1;
    }

    fn close(&mut self) {
        self.text.push(')');
        self.open -= 1;
        (self.fresh, self.due, self.closed) = (false, true, self.open == 0);
    }

    fn ply(&mut self, id: NodeId, depth: u32, opens: bool) {
        let node = self.sheet.record.tree.node(id);
        let text = self.sheet.ply(id).filter(|_| !self.unheld.contains(&id));
        let held = text.is_some();
        let text = text.unwrap_or(OMITTED.into());
        let bare = self.number(depth, opens);
        let dots = node.written == Written::Omitted || !held;
        let taken =
            opens || self.count.is_black_to_reader(depth) || (depth == 0 && self.count.set_up);
        if bare && dots && taken {
            // Directly behind the number the dots would stand for the other side's half of the line.
            self.text.push_str(" {}");
        }
        self.space();
        self.text.push_str(&text);
        let joined = shape::any_move(&text) == Some(text.len());
        self.marks(id, if joined { "" } else { " " });
        self.due = false;
        if !held {
            let comment = as_comment(self.sheet, id);
            self.lose(Part::Move, id, node.span, format!("{text} {{{comment}}}"));
            self.comment(&comment);
        }
        self.comments_on(id, false);
    }

    /// Writes the number of a ply where it needs one; whether it is one without dots.
    fn number(&mut self, depth: u32, opens: bool) -> bool {
        let red = self.count.side(depth) == Side::Red;
        let dots = !red && self.count.dots;
        // Where the reader would misunderstand the dots, Black's plies go without a number if they can.
        if !red && (!self.due || !(dots || opens || depth == 0)) {
            return false;
        }
        if self.is_full() || (self.open == 0 && (red || self.closed)) {
            self.break_line();
        }
        self.closed = false;
        self.space();
        let round = self.count.round(depth);
        // Writing to a string never fails.
        let _ = write!(self.text, "{round}{}", if dots { "..." } else { "." });
        !dots
    }

    fn marks(&mut self, id: NodeId, blank: &str) {
        let marks = self.sheet.marks(id);
        if !marks.is_empty() {
            self.text.push_str(if marks.starts_with('$') { " " } else { blank });
            self.text.push_str(&marks);
            self.fresh = false;
        }
    }

    /// The comments of a node; each on a line of its own if `apart`.
    fn comments_on(&mut self, id: NodeId, apart: bool) {
        let first = self.comments.partition_point(|(node, _)| *node < id);
        let mut index = first;
        while let Some((_, at)) = self.comments.get(index).copied().filter(|(node, _)| *node == id)
        {
            let comment = &self.sheet.record.tree.comments[at];
            if let Some(written) = self.comment(&comment.text) {
                self.lose(Part::Comment, id, comment.span, written);
            }
            if apart {
                self.break_line();
            }
            index += 1;
        }
    }

    /// Writes a comment; what was written, if characters had to be replaced.
    fn comment(&mut self, text: &str) -> Option<String> {
        let comment = self.sheet.comment(text);
        self.space();
        let at = self.text.len();
        self.text.push(if comment.line { ';' } else { '{' });
        self.text.push_str(&comment.text);
        if comment.line {
            self.break_line();
        } else {
            self.text.push('}');
        }
        self.due = true;
        comment.lost.then(|| self.text[at..].trim_end().to_owned())
    }

    fn lose(&mut self, part: Part, node: NodeId, span: Span, written: String) {
        self.losses.push(Loss::changed(part, node, span, written));
    }

    fn space(&mut self) {
        if !std::mem::take(&mut self.fresh) {
            self.text.push(' ');
        }
    }

    fn break_line(&mut self) {
        if self.text.len() > self.line {
            self.text.push('\n');
            self.line = self.text.len();
        }
        self.fresh = true;
    }

    fn is_full(&self) -> bool {
        self.text.len() - self.line > WIDTH
    }
}

/// The comments of a record by node, those of one node in the order written; without those of blanks alone.
pub(super) fn by_node(sheet: &Sheet<'_, '_>) -> Vec<(NodeId, usize)> {
    let all = sheet.record.tree.comments.iter().enumerate();
    let comments = all.filter(|(_, comment)| !comment.text.trim().is_empty());
    let mut sorted: Vec<_> = comments.map(|(index, comment)| (comment.node, index)).collect();
    sorted.sort_unstable();
    sorted
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::{
        board::Position,
        finding::Binary,
        format::{Fate, pgn},
        record::Record,
    };

    use super::*;

    fn sheet<'s, 'a>(record: &'s Record<'a>, holds: &'s dyn Fn(char) -> bool) -> Sheet<'s, 'a> {
        Sheet { record, texts: &[], after_end: &[], start: None, notation: None, holds }
    }

    fn page_of(record: &Record<'_>, holds: &dyn Fn(char) -> bool) -> Page {
        write(&sheet(record, holds))
    }

    /// What stands behind the tags.
    fn moves(page: &Page) -> &str {
        page.text.split_once("\"]\n\n").map_or("no tags", |(_, moves)| moves)
    }

    fn pages(text: &str) -> Vec<Page> {
        let mut pages = Vec::new();
        pgn::read_str(text, &Binary, &mut |record| pages.push(page_of(&record, &|_| true)));
        pages
    }

    /// Writes the one game of `text`, which must be held without loss, and gives the moves without the tags.
    #[track_caller]
    fn body(text: &str) -> String {
        let pages = pages(text);
        assert_eq!(pages.len(), 1, "{text}");
        assert_eq!(pages[0].losses, [], "{}", pages[0].text);
        moves(&pages[0]).to_owned()
    }

    /// R84: the dots of a variation that Black begins. R85: variations of ply 1 and of ply 2 stay where they are.
    #[test]
    fn numbers_begin_anew_in_and_behind_variations() {
        assert_eq!(
            body("1. h2e2 h9g7 (1... h7e7 2. h0g2) *"),
            "1. h2e2 h9g7\n(1... h7e7 2. h0g2)\n*\n"
        );
        assert_eq!(
            body("1. h2e2 (1. b2e2) 1... h9g7 (1... b9c7 2. h0g2 (2. b0c2) i9h9) 2. h0g2 *"),
            "1. h2e2\n(1. b2e2)\n1... h9g7\n(1... b9c7 2. h0g2 (2. b0c2) 2... i9h9)\n2. h0g2\n*\n"
        );
    }

    /// R83: a comment before the first move of a variation belongs to that move, not to the game.
    #[test]
    fn a_comment_before_a_variation_stays_in_it() {
        assert_eq!(
            body("{开头} 1. h2e2 ({变着之前} 1. b2e2) h9g7 *"),
            "{开头}\n1. h2e2\n(1. b2e2 {变着之前})\n1... h9g7\n*\n"
        );
    }

    /// R75: commands in comments are comments, kept to the character.
    #[test]
    fn clocks_are_kept() {
        assert_eq!(body("1. h2e2 {[%clk 0:10:00]} *"), "1. h2e2 {[%clk 0:10:00]}\n*\n");
    }

    /// R27: a game without a marker gets that of its tag, or the one that says that nothing is known.
    #[test]
    fn there_is_always_an_end_marker() {
        assert_eq!(body("[Event \"x\"]\n\n1. h2e2"), "1. h2e2\n*\n");
        assert_eq!(body("[Event \"x\"]\n"), "*\n");
        assert_eq!(body("1. h2e2 和棋"), "1. h2e2\n1/2-1/2\n");
        assert_eq!(body("[Result \"1-0\"]\n\n1. h2e2"), "1. h2e2\n1-0\n");
        assert_eq!(body("[Result \"1-0\"]\n\n1. h2e2 *"), "1. h2e2\n*\n");
    }

    #[test]
    fn omitted_plies_and_marks_are_kept() {
        assert_eq!(body("1. h2e2!? …… 2. …… h9g7 $3 *"), "1. h2e2!? ……\n2. …… h9g7 $3\n*\n");
        assert_eq!(body("1. …… h9g7 2. h0g2 {a} …… *"), "1. …… h9g7\n2. h0g2 {a} 2... ……\n*\n");
    }

    /// CONTRACT section 6: dots directly behind a number are Black's placeholder only where Black is to move.
    #[test]
    fn black_begins_with_dots() {
        let fen = "[FEN \"3k5/9/9/9/9/9/4r4/9/4A4/3K5 b - - 0 7\"]";
        assert_eq!(body(&format!("{fen}\n7... e3d3 8. e1d2 *")), "7... e3d3\n8. e1d2\n*\n");
    }

    /// A FEN that names the wrong side stays as it is, and no dots of ours become plies.
    #[test]
    fn a_wrong_side_in_the_fen_makes_no_plies() {
        let board = "3k5/9/9/9/9/9/4r4/9/4A4/3K5";
        for (field, first, moves, written) in [
            (
                "w",
                "b",
                "1... e3d3 {a} 2. e1d2 {b} d3d2",
                "1... e3d3 {a}\n2. e1d2 {b} 2... d3d2\n*\n",
            ),
            (
                "b",
                "w",
                "1. e1d2 {a} e3d3 (e3e2) 2. d0d1",
                "1. e1d2 {a} e3d3\n(1. e3e2)\n2. d0d1\n*\n",
            ),
        ] {
            let text = format!("[FEN \"{board} {field} - - 0 1\"]\n\n{moves} *");
            let start = Position::from_fen(&format!("{board} {first}")).expect("a FEN");
            pgn::read_str(&text, &Binary, &mut |record| {
                let page = write(&Sheet { start: Some(&start), ..sheet(&record, &|_| true) });
                assert_eq!(page.text.split_once("\n\n").map(|(_, body)| body), Some(written));
                assert_eq!(page.losses, []);
            });
        }
    }

    /// Texts that no one understands stay where they are, and so does what stands behind the end.
    #[test]
    fn unread_moves_and_texts_behind_the_end_are_kept() {
        assert_eq!(body("1. h2e2 xxxx 2. 马二平 h9g7 1-0 h0g2"), {
            "1. h2e2 xxxx\n2. 马二平 h9g7\n1-0 h0g2\n"
        });
    }

    #[test]
    fn tags_are_kept_as_written() {
        let tags =
            "[Event \"a \"quoted\" name\"]\n[天气 \"晴\"]\n[Site \"x] y\"]\n[Empty \"\"]\n\n";
        let text = format!("{tags}*\n");
        assert_eq!(pages(&text)[0].text, text);
        assert_eq!(pages(&text)[0].losses, []);
    }

    fn with_comment(text: &'static str) -> Record<'static> {
        let mut record = Record::new(1);
        let id = record.tree.add(NodeId::ROOT, Written::Text("h2e2"), Span::default());
        let comment = crate::record::Comment { node: id, text: text.into(), span: Span::new(3, 9) };
        record.tree.comments.push(comment);
        record
    }

    #[test]
    fn braces_in_comments_do_not_end_them() {
        for (text, written) in [("a {b} c", "{a {b} c}"), ("a } b", ";a } b"), ("a { b", ";a { b")]
        {
            let page = page_of(&with_comment(text), &|_| true);
            assert_eq!(moves(&page), format!("1. h2e2 {written}\n*\n"));
            assert_eq!(page.losses, []);
        }
        let page = page_of(&with_comment("a }\n&#x7D;"), &|_| true);
        assert_eq!(moves(&page), "1. h2e2 {a &#x7D;\n&#x26;#x7D;}\n*\n");
        assert_eq!(page.losses[0].part, Part::Comment);
        assert_eq!(page.losses[0].span, Span::new(3, 9));
        let page = page_of(&with_comment("a\n\n[Event \"b\"]"), &|_| true);
        assert_eq!(moves(&page), "1. h2e2 {a\n\n&#x5B;Event \"b\"]}\n*\n");
    }

    #[test]
    fn characters_that_the_encoding_lacks_are_told() {
        let ascii = |c: char| c.is_ascii();
        let page = page_of(&with_comment("a马b"), &ascii);
        assert_eq!(moves(&page), "1. h2e2 {a&#x9A6C;b}\n*\n");
        assert_eq!(page.losses.len(), 1);
        // Move characters have a traditional form, which is the same move; nothing is lost.
        let mut record = Record::new(1);
        record.tree.add(NodeId::ROOT, Written::Text("马二进三"), Span::default());
        let page = page_of(&record, &|c| c != '马' && c != '进');
        assert_eq!((moves(&page), page.losses.len()), ("1. 馬二進三\n*\n", 0));
    }

    /// A square off the board has no text.
    #[test]
    fn a_ply_without_a_text_is_kept_in_a_comment() {
        let mut record = Record::new(1);
        let off = Written::Squares { from: None, to: None, raw: [0x58, 0xFF] };
        let id = record.tree.add(NodeId::ROOT, off, Span::new(1, 2));
        record.tree.add(id, Written::Text("h9g7"), Span::default());
        let page = page_of(&record, &|_| true);
        assert_eq!(moves(&page), "1. …… {[%written 58 FF]} 1... h9g7\n*\n");
        assert_eq!((page.losses.len(), page.losses[0].part), (1, Part::Move));
    }

    /// A word that the reader takes for prose in that place.
    #[test]
    fn a_ply_that_would_not_be_read_as_one_is_kept_in_a_comment() {
        let mut record = Record::new(1);
        let id = record.tree.add(NodeId::ROOT, Written::Text("h2e2"), Span::default());
        record.tree.add(id, Written::Text("黑方认负"), Span::new(4, 9));
        let page = page_of(&record, &|_| true);
        assert_eq!(moves(&page), "1. h2e2 …… {[%written 黑方认负]}\n*\n");
        assert_eq!(page.losses.len(), 1);
    }

    #[test]
    fn tag_values_that_would_be_misread_are_escaped_and_told() {
        let mut record = Record::new(1);
        for value in ["a\"]", "b\"] [Red \"c", "d\ne\nf"] {
            record.tags.push(crate::record::Tag {
                name: "Event2".into(),
                value: value.into(),
                span: Span::default(),
            });
        }
        let page = page_of(&record, &|_| true);
        let lines: Vec<&str> = page.text.lines().take(3).collect();
        assert_eq!(lines[1], "[Event2 \"b&#x22;&#x5D; [Red &#x22;c\"]");
        assert_eq!(lines[2], "[Event2 \"d&#xA;e&#xA;f\"]");
        assert!(page.losses.iter().all(|loss| loss.part == Part::Tag));
    }

    proptest! {
        /// Whatever is read is written so that it is read again and written the same.
        #[test]
        fn any_text_is_written_stably(
            tokens in prop::collection::vec(prop::sample::select(TOKENS), 0..40),
            fen in prop::sample::select(&[
                "",
                "[FEN \"3k5/9/9/9/9/9/4r4/9/4A4/3K5 b - - 0 7\"]\n\n",
                "[FEN \"3k5/9/9/9/9/9/4r4/9/4A4/3K5 w\"]\n\n",
            ][..]),
        ) {
            let text = format!("{fen}{}", tokens.join(" "));
            for page in pages(&text) {
                // Told, and so not silent; hardly anything but slips that join with what follows them.
                if page.losses.iter().any(|loss| loss.fate == Fate::Differs) {
                    continue;
                }
                let again = pages(&page.text);
                prop_assert_eq!(again.len(), 1, "{}", page.text);
                prop_assert_eq!(&again[0].text, &page.text, "{}", text);
                prop_assert!(again[0].losses.is_empty(), "{:?} {}", again[0].losses, page.text);
            }
        }
    }

    const TOKENS: &[&str] = &[
        "1.",
        "2.",
        "3...",
        "4",
        "1...",
        "h2e2",
        "炮二平五",
        "马8进7",
        "C2=5",
        "……",
        "...",
        "---",
        "(",
        "(",
        ")",
        ")",
        "{a}",
        "{b } c}",
        "{",
        "}",
        "; x\n",
        "!",
        "?!",
        "$3",
        "1-0",
        "*",
        "红胜",
        "xxxx",
        "好棋",
        "马二平",
        "\n",
        "\n\n",
        "[Event \"x\"]\n",
        "[%clk 1]",
        "(=)",
        "（注）",
        "0-炮二平五",
        "前",
        "14=5",
        "车二进\n三",
        "黑方认负",
        "====\n",
    ];

    #[test]
    fn a_deep_and_a_wide_tree_need_no_stack() {
        let mut record = Record::new(1);
        let mut last = NodeId::ROOT;
        for _ in 0..30_000 {
            record.tree.add(last, Written::Text("h2e2"), Span::default());
            last = record.tree.add(last, Written::Text("b2e2"), Span::default());
        }
        let page = page_of(&record, &|_| true);
        assert_eq!(page.text.matches('(').count(), 30_000);
        assert_eq!(page.losses, []);
    }
}
