//! Records as WXF files.

use crate::{
    board::{Setup, Side},
    finding::Span,
    record::{NodeId, Outcome, Record, Start, Tag, Written, standard_key},
};

use super::super::{Loss, Part};

/// Writes the main line of `record`. `texts` are its plies in WXF notation by [`NodeId::index`], as `replay::rewrite`
/// gives them; a ply without one is written as it stands, if it is a text.
///
/// Comments stand between `/*` and `*/` behind their ply, marks behind their move. What has no room is returned:
/// variations, tags without a keyword, plies that are no text with all that follows them, comments that hold `*/`.
///
/// ```
/// use qijian::{finding::Binary, format::{pgn, wxf}};
///
/// pgn::read_str("[Red \"Lv Qin\"]\n1. C2.5 {x} H8+7 *", &Binary, &mut |record| {
///     let (text, losses) = wxf::write(&record, &[]);
///     assert!(text.contains("RED\tLv Qin;;;\n") && text.contains("1. C2.5 /* x */ H8+7\n"));
///     assert!(losses.is_empty());
/// });
/// ```
pub fn write(record: &Record<'_>, texts: &[Option<String>]) -> (String, Vec<Loss>) {
    let mut pen = Pen { record, texts, text: String::from("FORMAT\tWXF\n"), losses: Vec::new() };
    pen.head();
    pen.body();
    (pen.text, pen.losses)
}

/// Keywords with the keys of their parts.
const KEYWORDS: [(&str, &[&str]); 10] = [
    ("GAME", &["game"]),
    ("RED", &["red", "red_team", "redcountry", "red_elo"]),
    ("BLACK", &["black", "black_team", "blackcountry", "black_elo"]),
    ("DATE", &["date"]),
    ("EVENT", &["event", "group"]),
    ("SITE", &["site"]),
    ("ROUND", &["round"]),
    ("OPENING", &["opening"]),
    ("AUTHOR", &["author"]),
    ("TITLE", &["title"]),
];

struct Pen<'p, 'a> {
    record: &'p Record<'a>,
    texts: &'p [Option<String>],
    text: String,
    losses: Vec<Loss>,
}

/// The standard key of a tag, or its own name in lower case.
fn key_of(tag: &Tag<'_>) -> String {
    standard_key(&tag.name).map_or_else(|| tag.name.to_ascii_lowercase(), str::to_owned)
}

/// Whether `value` can be a part of a line.
fn fits(value: &str, parts: usize) -> bool {
    !value.contains(['\n', '\r']) && (parts == 1 || !value.contains(';')) && !value.contains("/*")
}

impl Pen<'_, '_> {
    fn lose(&mut self, part: Part, node: NodeId, span: Span, text: impl Into<String>) {
        self.losses.push(Loss::dropped(part, node, span, text));
    }

    fn head(&mut self) {
        let record = self.record;
        let filled = |tag: &&Tag<'_>| !tag.value.trim().is_empty();
        let mut written = vec![false; record.tags.len()];
        for (keyword, keys) in KEYWORDS {
            let mut values = vec![""; keys.len()];
            for (index, tag) in record.tags.iter().enumerate().filter(|(_, tag)| filled(tag)) {
                let part = keys.iter().position(|key| *key == key_of(tag));
                if let Some(part) = part.filter(|part| values[*part].is_empty())
                    && fits(tag.value.trim(), keys.len())
                {
                    values[part] = tag.value.trim();
                    written[index] = true;
                }
            }
            let must = matches!(keyword, "RED" | "BLACK");
            if must || values.iter().any(|value| !value.is_empty()) {
                self.text.push_str(&format!("{keyword}\t{}\n", values.join(";")));
            }
        }
        self.result(&mut written);
        for (tag, _) in record.tags.iter().zip(&written).filter(|(_, written)| !**written) {
            // The format is this one, and the position stands in the record by itself.
            if filled(&tag) && !matches!(standard_key(&tag.name), Some("format" | "fen")) {
                self.lose(
                    Part::Tag,
                    NodeId::ROOT,
                    tag.span,
                    format!("{}: {}", tag.name, tag.value),
                );
            }
        }
        self.start();
    }

    fn result(&mut self, written: &mut [bool]) {
        let record = self.record;
        let index = record.tags.iter().position(|tag| standard_key(&tag.name) == Some("result"));
        let stated = index.and_then(|index| {
            let outcome = Outcome::from_text(&record.tags[index].value)?;
            written[index] = true;
            Some(outcome)
        });
        if let Some(marker) = &record.result
            && stated.is_some_and(|stated| stated != marker.outcome)
        {
            self.lose(Part::Result, NodeId::ROOT, marker.span, marker.text.as_ref());
        }
        let outcome = stated.or(record.result.as_ref().map(|marker| marker.outcome));
        if let Some(outcome) = outcome {
            self.text.push_str(&format!("RESULT\t{}\n", outcome.as_str()));
        }
    }

    fn start(&mut self) {
        let (text, span) = match &self.record.start {
            Start::Standard => return,
            Start::Fen { text, span } => (text.trim().to_owned(), *span),
            Start::Board { setup, .. } if setup.squares == Setup::start().squares => return,
            Start::Board { setup, span } => {
                let side = setup.side.unwrap_or(Side::Red);
                (crate::board::Position::from_setup(setup, side).fen(), *span)
            }
        };
        if fits(&text, 1) {
            self.text.push_str(&format!("FEN\t{text}\n"));
        } else {
            self.lose(Part::Start, NodeId::ROOT, span, text);
        }
    }

    /// The text of a ply.
    fn ply(&self, id: NodeId) -> Option<&str> {
        if let Some(Some(text)) = self.texts.get(id.index()) {
            return Some(text);
        }
        match self.record.tree.node(id).written {
            Written::Text(text) if fits(text, 1) => Some(text),
            _ => None,
        }
    }

    fn body(&mut self) {
        let record = self.record;
        let tree = &record.tree;
        let mut line = Vec::new();
        for id in tree.main_line() {
            let Some(text) = self.ply(id) else { break };
            line.push((id, format!("{text}{}", tree.node(id).marks)));
        }
        let mut notes: Vec<Vec<usize>> = vec![Vec::new(); tree.len() + 1];
        for (index, comment) in record.tree.comments.iter().enumerate() {
            notes[comment.node.index()].push(index);
        }
        self.notes(&std::mem::take(&mut notes[0]), "\n");
        self.text.push_str("START{\n");
        for (ply, (id, text)) in line.iter().enumerate() {
            match ply % 2 {
                0 => self.text.push_str(&format!("{}. {text}", ply / 2 + 1)),
                _ => self.text.push_str(&format!(" {text}")),
            }
            let mine = std::mem::take(&mut notes[id.index()]);
            self.notes(&mine, "");
            if ply % 2 == 1 || ply + 1 == line.len() {
                self.text.push('\n');
            }
        }
        self.text.push_str("}END\n");
        let mut is_written = vec![false; tree.len() + 1];
        line.iter().for_each(|(id, _)| is_written[id.index()] = true);
        for id in (1..=tree.len()).filter(|n| !is_written[*n]).filter_map(|n| tree.nth(n)) {
            let text = self.ply(id).unwrap_or("……").to_owned();
            self.lose(Part::Move, id, tree.node(id).span, text);
        }
        for (written, span) in &record.after_end {
            let text = if let Written::Text(text) = written { text } else { "……" };
            self.lose(Part::Move, NodeId::ROOT, *span, text);
        }
        for comment in notes.iter().flatten().map(|index| &tree.comments[*index]) {
            self.lose(Part::Comment, comment.node, comment.span, comment.text.as_ref());
        }
    }

    /// Comments, each before `after` or a blank.
    fn notes(&mut self, notes: &[usize], after: &str) {
        let record = self.record;
        for comment in notes.iter().map(|index| &record.tree.comments[*index]) {
            let text = comment.text.trim();
            if text.contains("*/") {
                self.lose(Part::Comment, comment.node, comment.span, comment.text.as_ref());
            } else if !text.is_empty() {
                let before = if after.is_empty() { " " } else { "" };
                self.text.push_str(&format!("{before}/* {text} */{after}"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        finding::Binary,
        format::{pgn, wxf},
        notation::Notation,
        replay::{self, Game, Options},
    };

    fn replayed(record: &Record<'_>) -> Game {
        replay::replay(record, &Binary, &Options { tree: true, ..Options::default() })
    }

    #[test]
    fn what_is_written_reads_back() {
        let text = "[Event \"杯赛\"]\n[Red \"甲\"]\n[RedTeam \"队\"]\n[BlackElo \"1800\"]\n[天气 \"晴\"]\n\n\
                    {开局} 1. 炮二平五! {当头} 马8进7 (炮8平5) 2. 马二进三 车9平8 {a */ b} 1/2-1/2";
        pgn::read_str(text, &Binary, &mut |record| {
            let game = replayed(&record);
            let texts = replay::rewrite(&record, &game, Notation::Wxf.into(), &Binary).texts;
            let (written, losses) = write(&record, &texts);
            let parts: Vec<&str> = losses.iter().map(|loss| loss.part.as_str()).collect();
            assert_eq!(parts, ["tag", "comment", "move"]);
            assert!(wxf::is_wxf(&written), "{written}");
            let mut games = 0;
            wxf::read_str(&written, &Binary, &mut |again| {
                games += 1;
                let second = replayed(&again);
                assert_eq!(second.moves, game.moves);
                assert_eq!(second.outcome, game.outcome);
                assert!(second.findings.is_empty(), "{:?}", second.findings);
                for key in ["event", "red", "red_team", "black_elo"] {
                    assert_eq!(again.tag(key).unwrap().value, record.tag(key).unwrap().value);
                }
                let comments: Vec<&str> =
                    again.tree.comments.iter().map(|comment| comment.text.trim()).collect();
                assert_eq!(comments, ["开局", "当头"]);
                assert_eq!(
                    again.tree.node(again.tree.first_child(NodeId::ROOT).unwrap()).marks,
                    "!"
                );
            });
            assert_eq!(games, 1);
        });
    }

    #[test]
    fn black_begins_where_the_position_says_so() {
        let text = "[FEN \"4k4/9/9/9/9/9/9/9/9/3K5 b\"]\n1. ... 将5平6 2. 帅六进一 *";
        pgn::read_str(text, &Binary, &mut |record| {
            let game = replayed(&record);
            let texts = replay::rewrite(&record, &game, Notation::Wxf.into(), &Binary).texts;
            let (written, losses) = write(&record, &texts);
            assert!(losses.is_empty(), "{losses:?}");
            wxf::read_str(&written, &Binary, &mut |again| {
                assert_eq!(replayed(&again).moves, game.moves, "{written}");
                assert!(replayed(&again).findings.is_empty(), "{:?}", replayed(&again).findings);
            });
        });
    }
}
