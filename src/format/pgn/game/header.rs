//! What surrounds the moves of a game: its tags, its start position, and text that is no part of it.

use std::borrow::Cow;

use crate::{
    finding::{Code, Edit, Finding, Locate, Span, Words},
    record::{Start, Tag, standard_key},
};

use super::{
    super::tags::{Fault, TagLine},
    Game, SLIPS, START_BOARD,
};

impl<'t> Game<'t> {
    pub(in crate::format::pgn) fn tag(&mut self, tag: TagLine<'t>, at: usize, locate: &dyn Locate) {
        let span = Span::new(tag.value_at, tag.value_at + tag.value.len());
        self.cover(Span::new(at, tag.end));
        if let Some(fault) = tag.fault {
            let (zh, en) = match fault {
                Fault::Quote => ("标签缺少右引号", "the tag has no closing quote"),
                Fault::Bracket => ("标签缺少右方括号", "the tag has no closing bracket"),
                Fault::InnerQuote => {
                    ("标签值中有引号", "a quote stands inside the value of the tag")
                }
                Fault::Broken => ("标签值跨行", "the value of the tag goes over a line break"),
            };
            self.slip(locate, Span::new(at, tag.end), zh, en);
            self.closing(fault, span, tag.end);
            if fault == Fault::Bracket {
                self.beside(Span::new(span.end as usize, tag.end));
            }
        }
        if standard_key(tag.name) == Some("fen") {
            if self.is_another_start(tag.value) {
                let (zh, en) = (
                    "又有一个不同的起始局面，以前一个为准",
                    "another start position, which differs; the first one counts",
                );
                self.slip(locate, span, zh, en);
            }
            self.position(tag.value, span);
        }
        self.named.insert(tag.name.to_ascii_lowercase());
        self.record.tags.push(Tag {
            name: Cow::Borrowed(tag.name),
            value: Cow::Borrowed(tag.value),
            span,
        });
    }

    /// Lets the slip just reported say how a tag that lacks its quote or bracket is closed.
    fn closing(&mut self, fault: Fault, value: Span, end: usize) {
        let opened = self.text[..value.start as usize].ends_with('"');
        let rest = &self.text[value.end as usize..end];
        let behind = rest.trim_end_matches([' ', '\t']);
        let now = match fault {
            Fault::Quote if matches!(behind, "" | "]") => "\"]",
            Fault::Bracket if behind == "\"" => "\"]",
            _ => return,
        };
        let told = self.slips <= SLIPS;
        if let Some(finding) = self.record.findings.last_mut().filter(|_| opened && told) {
            let start = value.end as usize;
            let span = Span::new(start, start + behind.len());
            finding.repair.push(Edit::new(span, behind, now));
        }
    }

    /// Keeps text that is no part of the game; signs alone say nothing.
    pub(in crate::format::pgn) fn beside(&mut self, span: Span) {
        if !self.text[span.range()].contains(char::is_alphanumeric) {
            return;
        }
        match self.beside.last_mut() {
            Some(last)
                if !self.text[last.end as usize..span.start as usize]
                    .contains(|c: char| c.is_alphanumeric() || matches!(c, '\n' | '\r')) =>
            {
                last.end = span.end;
            }
            _ => self.beside.push(span),
        }
    }

    /// Reports what stands beside the game (`QJ015`), and puts it into the record.
    pub(super) fn report_beside(&mut self, locate: &dyn Locate) {
        const SHOWN: usize = 40;
        let spans = std::mem::take(&mut self.beside);
        let text = self.text;
        let beside = spans.iter().map(|span| (Cow::Borrowed(text[span.range()].trim()), *span));
        self.record.beside = beside.collect();
        let told = || self.record.beside.iter().filter(|(text, _)| !is_advertising(text));
        let Some((text, first)) = told().next() else { return };
        let (text, first, count) = (text.clone(), *first, told().count());
        let cut = text.char_indices().nth(SHOWN).map_or(text.len(), |(at, _)| at);
        let words = Words::new(
            format!("对局之外还有 {count} 行文字，未作注释读入"),
            format!("lines of text beside the game, not read as comments: {count}"),
        );
        let finding = Finding::new(Code::TEXT_BESIDE, words).at(locate.place(first));
        let finding = finding.text(&text[..cut]).with("lines", count);
        self.record.findings.push(finding.help(Words::new(
            "要作为注释保留，放进花括号；转换为 PGN 时写在局末，行首加 %",
            "put it into braces to keep it as a comment; conversion to PGN writes it behind the game, behind %",
        )));
    }

    /// Whether `fen` has other pieces, or another side to move, than the start position given before.
    fn is_another_start(&self, fen: &str) -> bool {
        // Red is `w` or `r`, and to move where no side is given.
        let meant = |fen: &str| {
            let mut fields = fen.split_whitespace().map(str::to_owned);
            (fields.next(), fields.next().is_some_and(|side| side.eq_ignore_ascii_case("b")))
        };
        match &self.record.start {
            Start::Fen { text, .. } => !fen.trim().is_empty() && meant(text) != meant(fen),
            _ => false,
        }
    }

    /// The start position as FEN; the first one counts.
    pub(in crate::format::pgn) fn position(&mut self, fen: &'t str, span: Span) {
        if self.record.start != Start::Standard || fen.trim().is_empty() {
            return;
        }
        let mut fields = fen.split_whitespace();
        self.set_up = fields.next().is_some_and(|board| board != START_BOARD);
        self.black_first = fields.next().is_some_and(|side| side.eq_ignore_ascii_case("b"));
        self.record.start = Start::Fen { text: Cow::Borrowed(fen), span };
        self.cover(span);
    }
}

/// Whether a line is the footer of a program that has written the file (R77): 欢迎访问《象棋百科全书网》,
/// 推荐用《象棋巫师》观赏棋谱, an address. It is kept, and not worth a finding.
pub(in crate::format::pgn) fn is_advertising(line: &str) -> bool {
    let address = line.starts_with("http://") || line.starts_with("https://");
    let footer = ["欢迎访问", "推荐用", "棋谱由"].iter().any(|words| line.starts_with(words));
    address && !line.contains(' ') || footer
}
