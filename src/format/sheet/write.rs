//! Records to scoresheets.

use std::{borrow::Cow, fmt::Write};

use unicode_width::UnicodeWidthStr;

use crate::{
    board::Side,
    finding::Span,
    record::{Marker, NodeId, Outcome, Record, Start, Tag, Written, standard_key},
};

use super::{
    super::{Loss, Part, pgn},
    columns::is_bar,
    lines,
    row::is_omitted,
    side_name,
};

/// One game as a scoresheet, which [`super::read`](super) reads back; and what a sheet cannot hold as it is: variations,
/// line breaks and bars in remarks and headings.
///
/// `texts` has the text of each ply by [`NodeId::index`]; `None`, and plies beyond the end, stay as written. `start` is
/// the FEN of the start position for a record that has none as text.
///
/// ```
/// use qijian::{finding::Binary, format::{pgn, sheet}};
///
/// pgn::read_str("[Red \"甲\"]\n1. 炮二平五 马8进7 {好} 2. ... 车9平8 1-0", &Binary, &mut |record| {
///     let (text, losses) = sheet::write(&record, &[], None);
///     assert_eq!(
///         text,
///         "红方：甲\n\n\
///          | 回合 | 红方     | 黑方   | 备注 |\n\
///          | ---- | -------- | ------ | ---- |\n\
///          | 1    | 炮二平五 | 马8进7 | 好   |\n\
///          | 2    | ……       | 车9平8 |      |\n\n\
///          结果：1-0\n"
///     );
///     assert!(losses.is_empty());
/// });
/// ```
pub fn write(
    record: &Record<'_>,
    texts: &[Option<String>],
    start: Option<&str>,
) -> (String, Vec<Loss>) {
    let mut pen = Pen { record, texts, losses: Vec::new(), text: String::new() };
    pen.heading(start);
    pen.table();
    pen.ending();
    (pen.text, pen.losses)
}

struct Pen<'r, 'a> {
    record: &'r Record<'a>,
    texts: &'r [Option<String>],
    losses: Vec<Loss>,
    text: String,
}

/// Columns are lined up to this width; one long remark must not make every row as long.
const WIDEST: usize = 60;

/// A row of the table: the round, the moves, the remarks on Red's move, and on the last of the row.
type Cells = [String; 5];

impl Pen<'_, '_> {
    fn changed(&mut self, part: Part, node: NodeId, span: Span, written: &str) {
        self.losses.push(Loss::changed(part, node, span, written));
    }

    fn dropped(&mut self, part: Part, node: NodeId, span: Span, text: &str) {
        self.losses.push(Loss::dropped(part, node, span, text));
    }

    /// `text` on one line and without bars, blanks around it left out.
    fn plain<'t>(&mut self, text: &'t str, part: Part, node: NodeId, span: Span) -> Cow<'t, str> {
        let trimmed = text.trim();
        if !trimmed.contains(|c: char| c.is_control() || is_bar(c)) {
            return Cow::Borrowed(trimmed);
        }
        let plain: String = trimmed
            .chars()
            .filter(|c| *c != '\r')
            .map(|c| {
                if is_bar(c) {
                    '/'
                } else if c.is_control() {
                    ' '
                } else {
                    c
                }
            })
            .collect();
        self.changed(part, node, span, &plain);
        Cow::Owned(plain)
    }

    fn heading(&mut self, start: Option<&str>) {
        let record = self.record;
        for tag in &record.tags {
            self.tag(tag);
        }
        let has_fen = record.tag("fen").is_some();
        let fen = match &record.start {
            Start::Standard => None,
            Start::Fen { text, .. } => Some(text.as_ref()),
            Start::Board { span, .. } => {
                if start.is_none() {
                    self.dropped(Part::Start, NodeId::ROOT, *span, "");
                }
                start
            }
        };
        if let Some(fen) = fen.filter(|_| !has_fen) {
            let _ = writeln!(self.text, "FEN：{fen}");
        }
        let told = record
            .tags
            .iter()
            .any(|tag| lines::owner_of(&tag.name, &tag.value, record) == record.owner);
        if let Some(owner) = record.owner.filter(|_| !told) {
            let _ = writeln!(self.text, "记录者：{}", side_name(owner));
        }
        for comment in record.tree.comments.iter().filter(|comment| comment.node == NodeId::ROOT) {
            let text = self.plain(&comment.text, Part::Comment, NodeId::ROOT, comment.span);
            // A line too long to be taken apart is a remark as a whole.
            let name = if text.len() > lines::LONGEST_PAIRS { "" } else { "备注：" };
            let _ = writeln!(self.text, "{name}{text}");
        }
        self.text.push('\n');
    }

    fn tag(&mut self, tag: &Tag<'_>) {
        let name = match standard_key(&tag.name).and_then(chinese_name) {
            Some(name) => Cow::Borrowed(name),
            None => self.plain(&tag.name, Part::Tag, NodeId::ROOT, tag.span),
        };
        let value = self.plain(&tag.value, Part::Tag, NodeId::ROOT, tag.span);
        let line = format!("{name}：{value}");
        let read = lines::pairs(&line, 0, line.len());
        let same = |(named, said): &(Span, Span)| {
            line[named.range()] == *name && line[said.range()] == *value
        };
        if !matches!(&read[..], [pair] if same(pair)) || lines::is_remark_name(&name) {
            self.changed(Part::Tag, NodeId::ROOT, tag.span, &line);
        }
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn table(&mut self) {
        let rows = self.rows();
        let red_remarks = rows.iter().any(|cells| !cells[3].is_empty());
        let names = ["回合", "红方", "黑方", "红方备注", "备注"];
        let shown: Vec<usize> = (0..5).filter(|index| *index != 3 || red_remarks).collect();
        let width = |index: usize| {
            let cells = rows.iter().map(|cells| cells[index].width());
            cells.chain([names[index].width()]).max().unwrap_or(0).min(WIDEST)
        };
        let widths: Vec<usize> = shown.iter().map(|index| width(*index)).collect();
        let mut line = |cells: &mut dyn Iterator<Item = &str>| {
            for (cell, width) in cells.zip(&widths) {
                let blank = width.saturating_sub(cell.width());
                let _ = write!(self.text, "| {cell}{} ", " ".repeat(blank));
            }
            self.text.push_str("|\n");
        };
        line(&mut shown.iter().map(|index| names[*index]));
        let rules: Vec<String> = widths.iter().map(|width| "-".repeat(*width)).collect();
        line(&mut rules.iter().map(String::as_str));
        for cells in &rows {
            line(&mut shown.iter().map(|index| cells[*index].as_str()));
        }
    }

    fn rows(&mut self) -> Vec<Cells> {
        let tree = &self.record.tree;
        let mut comments: Vec<Vec<usize>> = vec![Vec::new(); tree.len() + 1];
        for (index, comment) in tree.comments.iter().enumerate() {
            comments[comment.node.index()].push(index);
        }
        let mut main = vec![false; tree.len() + 1];
        main[NodeId::ROOT.index()] = true;
        let mut side = self.first_side();
        let mut round = 0;
        let mut rows: Vec<Cells> = Vec::new();
        let mut pending: Vec<Cells> = Vec::new();
        for id in tree.main_line() {
            main[id.index()] = true;
            let node = tree.node(id);
            if side == Side::Red || rows.is_empty() {
                round = node.number.unwrap_or(round + 1);
                rows.append(&mut pending);
                rows.push(std::array::from_fn(|index| {
                    if index == 0 { round.to_string() } else { String::new() }
                }));
            }
            let cell = self.ply(id, node.written, node.span, node.marks);
            let last = rows.len() - 1;
            rows[last][1 + side as usize] = cell;
            // The last ply of a row has the column 备注.
            let column = if side == Side::Red && tree.first_child(id).is_some() { 3 } else { 4 };
            for index in &comments[id.index()] {
                let comment = &tree.comments[*index];
                let text = self.plain(&comment.text, Part::Comment, id, comment.span).into_owned();
                if text.is_empty() {
                    continue;
                }
                if rows[last][column].is_empty() {
                    rows[last][column] = text;
                } else {
                    let mut more = Cells::default();
                    more[column] = text;
                    pending.push(more);
                }
            }
            side = side.other();
        }
        rows.append(&mut pending);
        for (index, main) in main.iter().enumerate() {
            if let Some(id) = tree.nth(index).filter(|_| !main) {
                let node = tree.node(id);
                let text = self.ply(id, node.written, node.span, "");
                self.dropped(Part::Move, id, node.span, &text);
                for comment in &comments[index] {
                    let comment = &tree.comments[*comment];
                    self.dropped(Part::Comment, id, comment.span, &comment.text);
                }
            }
        }
        rows
    }

    /// The side in whose column the first ply stands.
    fn first_side(&self) -> Side {
        match &self.record.start {
            Start::Fen { text, .. } => {
                crate::board::Setup::from_fen(text).ok().and_then(|setup| setup.side)
            }
            Start::Board { setup, .. } => setup.side,
            Start::Standard => None,
        }
        .unwrap_or(Side::Red)
    }

    fn ply(&mut self, id: NodeId, written: Written<'_>, span: Span, marks: &str) -> String {
        let text = match (self.texts.get(id.index()), written) {
            (_, Written::Omitted) => return "……".to_owned(),
            (Some(Some(text)), _) => text.clone(),
            (_, Written::Text(text)) => text.to_owned(),
            (_, Written::Squares { from: Some(from), to: Some(to), .. }) => format!("{from}{to}"),
            (_, Written::Squares { raw, .. }) => format!("{:02x}{:02x}", raw[0], raw[1]),
        };
        let plain = self.plain(&text, Part::Move, id, span).into_owned();
        // What the reader would not take for this ply.
        if plain.is_empty() || is_omitted(&plain) || Outcome::from_text(&plain).is_some() {
            self.changed(Part::Move, id, span, "……");
            return "……".to_owned();
        }
        let is_plain =
            marks.chars().all(|c| matches!(c, '!' | '?')) && pgn::any_move(&plain).is_some();
        if marks.is_empty() || is_plain {
            return plain + marks;
        }
        self.dropped(Part::Marks, id, span, marks);
        plain
    }

    fn ending(&mut self) {
        let record = self.record;
        for (written, span) in &record.after_end {
            let text = match written {
                Written::Text(text) => *text,
                _ => "……",
            };
            self.dropped(Part::Move, NodeId::ROOT, *span, text);
        }
        if let Some(Marker { text, outcome, span }) = &record.result {
            let written = self.plain(text, Part::Result, NodeId::ROOT, *span);
            let same = Outcome::from_text(&written) == Some(*outcome);
            let written = if same { written } else { Cow::Borrowed(outcome.as_str()) };
            let _ = writeln!(self.text, "\n结果：{written}");
        }
    }
}

/// The word of a scoresheet for a standard key.
fn chinese_name(key: &str) -> Option<&'static str> {
    Some(match key {
        "event" => "赛事",
        "site" => "地点",
        "date" => "日期",
        "round" => "轮次",
        "red" => "红方",
        "black" => "黑方",
        "red_team" => "红方单位",
        "black_team" => "黑方单位",
        "result" => "结果",
        "opening" => "开局",
        "title" => "标题",
        _ => return None,
    })
}
