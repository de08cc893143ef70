//! Comments of a PGN text: in braces, between `/*` and `*/`, in parentheses that open no variation, in brackets.

use crate::{finding::Span, record::Outcome};

use super::{
    Reader,
    lexer::{self, Enclosed},
    shape::skip_space,
    tags,
};

impl Reader<'_, '_> {
    pub(super) fn brace(&mut self, from: usize) {
        let found = self.braces.find(self.text, from, &['{', '｛'], &['}', '｝']);
        if !found.closed {
            let (zh, en) = ("注释的花括号没有关闭", "the brace of a comment is not closed");
            self.game.slip(self.locate, Span::new(self.at, from), zh, en);
        }
        self.enclosed(from, found);
    }

    /// A comment between `/*` and `*/`, as WXF files have it.
    pub(super) fn slash_comment(&mut self, from: usize) {
        match lexer::slash_comment(self.text, from) {
            Ok(found) => self.enclosed(from, found),
            Err(boundary) => {
                self.slashes = boundary;
                let (zh, en) = ("注释没有以 */ 结束", "the comment is not closed by */");
                self.game.slip(self.locate, Span::new(self.at, from), zh, en);
                let end = tags::line_end(self.text, from);
                self.enclosed(from, Enclosed { inner: end, end, closed: false });
            }
        }
    }

    fn enclosed(&mut self, from: usize, found: Enclosed) {
        self.game.comment(Span::new(from, found.inner), Span::new(self.at, found.end));
        self.at = found.end;
    }

    pub(super) fn parenthesis(&mut self, from: usize) {
        if lexer::opens_variation(self.text, from, &mut self.braces) {
            self.game.open(self.at);
            self.at = from;
        } else {
            self.remark(from);
        }
    }

    /// A comment in parentheses, which stay part of it.
    pub(super) fn remark(&mut self, from: usize) {
        let found = self.parentheses.find(self.text, from, &['(', '（'], &[')', '）']);
        let end = if found.closed { found.end } else { tags::line_end(self.text, from) };
        if !found.closed {
            let (zh, en) = ("括号没有关闭", "the parenthesis is not closed");
            self.game.slip(self.locate, Span::new(self.at, from), zh, en);
        }
        let whole = Span::new(self.at, end);
        match self.result_in_parentheses(whole) {
            Some(outcome) if found.closed => self.game.end(outcome, whole, self.locate),
            _ => self.game.comment(whole, whole),
        }
        self.at = end;
    }

    /// The outcome of `（红胜）` where it is the last thing of its game.
    fn result_in_parentheses(&self, whole: Span) -> Option<Outcome> {
        const LONGEST: usize = 30;
        let last = self.game.has_moves() && !self.game.ended() && !self.game.in_variation();
        if !last || whole.range().len() > LONGEST {
            return None;
        }
        let next = skip_space(self.text, whole.end as usize);
        let ends = next == self.text.len() || tags::is_plain_tag(self.text, next);
        ends.then(|| Outcome::from_text(&self.text[whole.range()])).flatten()
    }

    /// A remark in brackets; a bracket that does not close soon is skipped.
    pub(super) fn bracket(&mut self, next: usize) {
        let mut ahead = self.text[next..].char_indices().take(60);
        let close = ahead.find(|(_, c)| matches!(c, ']' | '］' | '】' | '\n'));
        match close {
            Some((length, c)) if c != '\n' => {
                let whole = Span::new(self.at, next + length + c.len_utf8());
                if self.behind() {
                    self.game.beside(whole);
                } else {
                    self.game.comment(whole, whole);
                }
                self.at = whole.end as usize;
            }
            _ => self.at = next,
        }
    }
}
