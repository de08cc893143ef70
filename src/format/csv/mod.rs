//! Tables of moves as separated values (CSV).
//!
//! The first row names the columns. Commas, semicolons or tabs separate them, whichever gives columns that are known.
//! Names may be in any case, with blanks, `_` or `-` between their words.
//!
//! | column | holds |
//! | --- | --- |
//! | `moves` | all moves of a game: each row is a game |
//! | `move` (`uci`, `ucci`, `iccs`, `wxf`, `san`, 着法) | one move: each row is a ply |
//! | `round` with `red` and `black` (回合, 红方, 黑方) | the two moves of a round: each row is a round |
//! | `game`, `game_id` (局号) | what tells games apart; their rows need not stand together |
//! | `ply`, `move_index` (着序) | the number of the ply, from 0 or 1; what is missing is an omitted ply |
//! | `move_number` (回合) | the number of the round |
//! | `fen`, `start_fen` (起始局面) | the start position |
//! | `comment`, `remark`, `note` (备注) | a remark on the ply, or on the game where a row is a game |
//! | `clk`, `clock` (余时); `emt`, `elapsed` (用时) | the clock, kept as the comment `[%clk …]` or `[%emt …]` |
//! | `outcome` | the result, such as `RED_WINS` |
//! | any other | a tag of that name; where it changes from ply to ply, the comment `[%name …]` |
//!
//! An empty cell where a move is expected is an omitted ply, except at the end of a game.
//!
//! ```
//! use qijian::{format::csv, source::{Encoding, Text}};
//!
//! let text = Text::decode(b"game,ply,move,red\nx,1,h2e2,A\nx,2,h9g7,A\ny,1,c3c4,B\n", Encoding::Utf8);
//! let mut games = Vec::new();
//! csv::read(&text, &mut |record| games.push((record.tree.len(), record.tag("red").unwrap().value.to_string())));
//! assert_eq!(games, [(2, "A".to_owned()), (1, "B".to_owned())]);
//! ```

mod columns;
mod rows;

use std::{borrow::Cow, collections::HashMap};

use crate::{
    finding::{Code, Finding, Locate, Span, Words},
    record::{Comment, Marker, NodeId, Outcome, Record, Start, Tag, Written},
    source::Text,
};

use super::{
    moves::{Item, items},
    pgn,
};
use columns::{Columns, Layout, Role};
use rows::{Field, row};

/// A gap in the numbers of plies up to which omitted plies are put in for it; a longer one is an error of the numbers.
const LONGEST_GAP: u64 = 300;
/// Findings about the same kind of slip in one game.
const SLIPS: usize = 20;

/// Reads every game of `text`, handing each to `sink` as soon as it is complete; none where no column holds moves.
pub fn read<'t>(text: &'t Text<'_>, sink: &mut dyn FnMut(Record<'t>)) {
    let (string, locate) = (text.as_str(), text);
    let Some((columns, body)) = header(string) else { return };
    let table = Table { text: string, columns: &columns, locate };
    match columns.find(Role::Game).filter(|_| columns.layout != Layout::Game) {
        Some(column) => {
            for (number, rows) in (1..).zip(table.by_game(body, column)) {
                sink(table.game(number, &rows));
            }
        }
        None if columns.layout == Layout::Game => {
            for (number, at) in (1..).zip(table.rows(body)) {
                sink(table.game(number, &[at]));
            }
        }
        None => {
            let rows: Vec<usize> = table.rows(body).collect();
            if !rows.is_empty() {
                sink(table.game(1, &rows));
            }
        }
    }
}

/// Whether a text is such a table, with at least one move in it.
pub(super) fn is_table(text: &str) -> bool {
    let Some((columns, body)) = header(text) else { return false };
    let holds = |role| matches!(role, Role::Move | Role::Moves | Role::RedMove | Role::BlackMove);
    let table = Table { text, columns: &columns, locate: &crate::finding::Binary };
    let mut fields = Vec::new();
    table.rows(body).take(20).any(|at| {
        row(text, at, columns.delimiter, &mut fields);
        fields.iter().zip(&columns.all).any(|(field, (role, _))| {
            let (start, end) = field.trimmed(text);
            holds(*role) && pgn::any_move(&text[start..end]).is_some()
        })
    })
}

/// The columns, and where the rows below them begin.
fn header(text: &str) -> Option<(Columns, usize)> {
    const LONGEST: usize = 4096;
    let start = text.find(|c: char| !c.is_whitespace() && c != '\u{FEFF}')?;
    let end = pgn::line_end(text, start);
    if end - start > LONGEST {
        return None;
    }
    let mut fields = Vec::new();
    [b',', b'\t', b';'].into_iter().find_map(|delimiter| {
        let body = row(text, start, delimiter, &mut fields);
        Columns::new(text, &fields, delimiter).map(|columns| (columns, body))
    })
}

struct Table<'t, 'c> {
    text: &'t str,
    columns: &'c Columns,
    locate: &'c dyn Locate,
}

impl<'t> Table<'t, '_> {
    /// Where each row that is not blank begins.
    fn rows(&self, body: usize) -> impl Iterator<Item = usize> + '_ {
        let mut at = body;
        let mut fields = Vec::new();
        std::iter::from_fn(move || {
            while at < self.text.len() {
                let start = at;
                at = row(self.text, start, self.columns.delimiter, &mut fields);
                if !fields.iter().all(|field| field.is_blank(self.text)) {
                    return Some(start);
                }
            }
            None
        })
    }

    /// The rows of each game, games in the order in which they first appear.
    fn by_game(&self, body: usize, column: usize) -> Vec<Vec<usize>> {
        let mut numbers: HashMap<Cow<'_, str>, usize> = HashMap::new();
        let mut games: Vec<Vec<usize>> = Vec::new();
        let mut fields = Vec::new();
        for at in self.rows(body) {
            row(self.text, at, self.columns.delimiter, &mut fields);
            let key = fields.get(column).map(|field| field.value(self.text)).unwrap_or_default();
            let number = *numbers.entry(key).or_insert_with(|| {
                games.push(Vec::new());
                games.len() - 1
            });
            games[number].push(at);
        }
        games
    }

    fn game(&self, number: u32, rows: &[usize]) -> Record<'t> {
        let mut game = Game {
            text: self.text,
            locate: self.locate,
            record: Record::new(number),
            last: NodeId::ROOT,
            slips: 0,
        };
        let mut fields = Vec::new();
        let mut first: Vec<Field> = Vec::new();
        let mut varies = vec![false; self.columns.all.len()];
        for (index, at) in rows.iter().enumerate() {
            let end = row(self.text, *at, self.columns.delimiter, &mut fields);
            game.check(&fields, self.columns.all.len(), *at);
            let start = game.record.span.start as usize;
            game.record.span = Span::new(if index == 0 { *at } else { start }, end);
            if index == 0 {
                first.clone_from(&fields);
            }
            let say = |fields: &[Field], column: usize| {
                fields.get(column).map(|field| field.value(self.text)).unwrap_or_default()
            };
            for (column, varies) in varies.iter_mut().enumerate() {
                *varies = *varies || say(&fields, column) != say(&first, column);
            }
        }
        for (column, ((role, name), field)) in self.columns.all.iter().zip(&first).enumerate() {
            game.about_game(*role, *name, *field, varies[column], self.columns.layout);
        }
        if self.columns.layout == Layout::Game {
            return game.record;
        }
        let rows = self.in_order(rows);
        // Counting begins at 0 where a game has a ply 0.
        let base = rows.first().map_or(1, |(number, _)| (*number).min(1));
        let mut plies = Plies { columns: self.columns, varies: &varies, base, round: None };
        for (_, at) in rows {
            row(self.text, at, self.columns.delimiter, &mut fields);
            plies.add(&mut game, &fields);
        }
        game.drop_blanks();
        game.record
    }

    /// The rows by the number of their ply, where they have one.
    fn in_order(&self, rows: &[usize]) -> Vec<(u64, usize)> {
        let mut fields = Vec::new();
        let column = self.columns.find(Role::Ply);
        let mut last = 0;
        let mut numbered: Vec<(u64, usize)> = rows
            .iter()
            .map(|at| {
                row(self.text, *at, self.columns.delimiter, &mut fields);
                let field = column.and_then(|column| fields.get(column));
                last = field.and_then(|field| field.value(self.text).parse().ok()).unwrap_or(last);
                (last, *at)
            })
            .collect();
        numbered.sort_by_key(|(number, _)| *number);
        numbered
    }
}

/// A game under construction.
struct Game<'t, 'c> {
    text: &'t str,
    locate: &'c dyn Locate,
    record: Record<'t>,
    last: NodeId,
    slips: usize,
}

impl<'t> Game<'t, '_> {
    fn slip(&mut self, span: Span, zh: &'static str, en: &'static str) {
        self.slips += 1;
        if self.slips <= SLIPS {
            let finding = Finding::new(Code::BAD_SYNTAX, Words::new(zh, en));
            self.record.findings.push(finding.at(self.locate.place(span)));
        }
    }

    /// Whether a row is as the header has it.
    fn check(&mut self, fields: &[Field], columns: usize, at: usize) {
        if let Some(open) = fields.iter().find(|field| field.open) {
            let span = Span::new(open.start, open.start);
            self.slip(span, "引号没有关闭", "the quote of a cell is not closed");
        } else if fields.len() != columns {
            let (zh, en) = ("该行的列数与表头不同", "the row has not as many cells as the header");
            self.slip(Span::new(at, at), zh, en);
        }
    }

    /// What a column says of the game as a whole.
    fn about_game(&mut self, role: Role, name: Field, field: Field, varies: bool, layout: Layout) {
        let (start, end) = field.trimmed(self.text);
        let span = Span::new(start, end);
        let value = field.value(self.text);
        if value.is_empty() {
            return;
        }
        match role {
            Role::Moves => self.moves(start, end),
            Role::Fen => self.record.start = Start::Fen { text: value, span },
            Role::Remark if layout == Layout::Game => {
                self.record.tree.comments.push(Comment { node: NodeId::ROOT, text: value, span });
            }
            Role::Game | Role::Outcome | Role::Other if !varies => {
                if role == Role::Outcome
                    && let Some(outcome) = Outcome::from_text(&value.replace('_', ""))
                {
                    self.record.result = Some(Marker { text: value.clone(), outcome, span });
                }
                self.record.tags.push(Tag { name: name.value(self.text), value, span });
            }
            _ => {}
        }
    }

    /// All moves of a game in one cell.
    fn moves(&mut self, start: usize, end: usize) {
        for (span, item) in items(self.text, start, end) {
            match item {
                Item::Move => {
                    self.ply(Written::Text(&self.text[span.range()]), span);
                }
                Item::Omitted => {
                    self.ply(Written::Omitted, span);
                }
                Item::End(outcome) => {
                    let text = Cow::Borrowed(&self.text[span.range()]);
                    self.record.result.get_or_insert(Marker { text, outcome, span });
                }
            }
        }
    }

    fn ply(&mut self, written: Written<'t>, span: Span) {
        self.last = self.record.tree.add(self.last, written, span);
    }

    /// A cell that should hold one move.
    fn cell(&mut self, field: Field) {
        let (start, end) = field.trimmed(self.text);
        let span = Span::new(start, end);
        if start == end || pgn::dots(&self.text[start..end], 0).is_some() {
            self.ply(Written::Omitted, span);
        } else {
            self.ply(Written::Text(&self.text[start..end]), span);
        }
    }

    fn comment(&mut self, text: Cow<'t, str>, span: Span) {
        self.record.tree.comments.push(Comment { node: self.last, text, span });
    }

    /// Takes empty cells at the end for what they are: the game was over. Omitted plies that are marked stay.
    fn drop_blanks(&mut self) {
        let tree = &self.record.tree;
        let is_blank = |id: NodeId| {
            let node = tree.node(id);
            node.written == Written::Omitted && node.span.start == node.span.end
        };
        let mut keep: Vec<NodeId> = tree.main_line().collect();
        while keep.pop_if(|id| is_blank(*id)).is_some() {}
        if keep.len() == tree.len() {
            return;
        }
        let mut shorter = crate::record::Tree::new();
        let mut last = NodeId::ROOT;
        for id in &keep {
            let node = tree.node(*id);
            last = shorter.add(last, node.written, node.span);
            shorter.node_mut(last).number = node.number;
        }
        shorter.comments.clone_from(&tree.comments);
        for comment in &mut shorter.comments {
            if comment.node.index() > keep.len() {
                comment.node = last;
            }
        }
        self.record.tree = shorter;
    }
}

/// Rows as plies.
struct Plies<'c> {
    columns: &'c Columns,
    varies: &'c [bool],
    /// The number of the first ply.
    base: u64,
    round: Option<u32>,
}

impl Plies<'_> {
    fn add(&mut self, game: &mut Game<'_, '_>, fields: &[Field]) {
        let get = |role| self.columns.find(role).and_then(|column| fields.get(column)).copied();
        let number = |field: Field| field.value(game.text).parse::<u32>().ok();
        let round = get(Role::Round).and_then(number);
        if let Some(field) = get(Role::Ply) {
            self.fill(game, field);
        }
        let before = game.record.tree.len();
        let cells: &[Role] = match self.columns.layout {
            Layout::Round => &[Role::RedMove, Role::BlackMove],
            _ => &[Role::Move],
        };
        for role in cells {
            // A row may be too short.
            let end = fields.last().map_or(0, |field| field.end);
            game.cell(get(*role).unwrap_or(Field { start: end, end, ..Field::default() }));
        }
        if let Some(round) = round.filter(|round| self.round != Some(*round))
            && let Some(first) = game.record.tree.nth(before + 1)
        {
            self.round = Some(round);
            game.record.tree.node_mut(first).number = Some(round);
        }
        for ((role, name), (field, varies)) in
            self.columns.all.iter().zip(fields.iter().zip(self.varies))
        {
            let (start, end) = field.trimmed(game.text);
            let span = Span::new(start, end);
            let value = field.value(game.text);
            if value.is_empty() {
                continue;
            }
            let text = match role {
                Role::Remark => value,
                Role::Clock => Cow::Owned(format!("[%clk {value}]")),
                Role::Elapsed => Cow::Owned(format!("[%emt {value}]")),
                Role::Other | Role::Outcome if *varies => {
                    Cow::Owned(format!("[%{} {value}]", name.value(game.text)))
                }
                _ => continue,
            };
            game.comment(text, span);
        }
    }

    /// Puts in the plies that the number of the next one says are missing.
    fn fill(&self, game: &mut Game<'_, '_>, field: Field) {
        let (start, end) = field.trimmed(game.text);
        let span = Span::new(start, end);
        let Ok(number) = field.value(game.text).parse::<u64>() else { return };
        let due = game.record.tree.len() as u64 + self.base;
        if number < due || number - due > LONGEST_GAP {
            game.slip(span, "着序有误", "the number of the ply does not follow");
            return;
        }
        for _ in due..number {
            game.ply(Written::Omitted, span);
        }
    }
}

#[cfg(test)]
mod tests;
