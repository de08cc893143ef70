//! The rows that are counted: one function for each kind of thing, a column a fact.

use polars_core::prelude::{DataFrame, PolarsError};

use crate::{
    board::{Kind, Position, Side},
    notation::chinese,
};

use super::{
    super::{
        cell::{Batch, Cell, Kind as Type},
        names::{Names, Of},
        parquet,
        study::Study,
    },
    Asked,
};

/// What a row stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Base {
    /// A game.
    Games,
    /// A side of a game.
    Sides,
    /// A ply.
    Plies,
    /// A finding.
    Findings,
    /// A kind of piece of a side in a game from the start position.
    Pieces,
    /// The first plies of a game, for every number of them.
    Tree,
    /// Two players in a game, the one whose name comes first first.
    Pairs,
    /// A name as it is written.
    Names,
}

use Type::{Int, Text};

/// Of every game.
const DIMENSIONS: &[(&str, Type)] = &[
    ("year", Int),
    ("event", Text),
    ("opening", Text),
    ("source", Text),
    ("format", Text),
    ("result", Text),
    ("termination", Text),
];
const OUTCOMES: &[(&str, Type)] =
    &[("games", Int), ("wins", Int), ("draws", Int), ("losses", Int), ("open", Int)];
const OF_GAME: &[(&str, Type)] = &[
    ("opening_name", Text),
    ("first_move", Text),
    ("length", Int),
    ("first_capture", Int),
    ("drawn_by", Text),
    ("tagged", Text),
    ("tag_agrees", Text),
];
const OF_SIDE: &[(&str, Type)] =
    &[("player", Text), ("team", Text), ("side", Text), ("as_red", Int)];
const OF_PLY: &[(&str, Type)] = &[("ply", Int), ("plies", Int), ("captures", Int), ("checks", Int)];
const OF_FINDING: &[(&str, Type)] = &[
    ("code", Text),
    ("severity", Text),
    ("verdict", Text),
    ("findings", Int),
    ("games", Int),
    ("ruled_games", Int),
];
const OF_PIECE: &[(&str, Type)] = &[
    ("side", Text),
    ("piece", Text),
    ("order", Int),
    ("games", Int),
    ("start", Int),
    ("left", Int),
    ("gone", Int),
];
const OF_LINE: &[(&str, Type)] = &[("line", Text), ("moves", Text)];
const OF_PAIR: &[(&str, Type)] = &[("player", Text), ("opponent", Text), ("as_red", Int)];
const OF_NAME: &[(&str, Type)] =
    &[("kind", Text), ("name", Text), ("spelling", Text), ("rules", Text), ("games", Int)];

impl Base {
    fn columns(self) -> Vec<(&'static str, Type)> {
        let parts: &[&[(&str, Type)]] = match self {
            Base::Games => &[DIMENSIONS, OUTCOMES, OF_GAME],
            Base::Sides => &[DIMENSIONS, OUTCOMES, OF_GAME, OF_SIDE],
            Base::Plies => &[DIMENSIONS, OF_PLY],
            Base::Findings => &[DIMENSIONS, OF_FINDING],
            Base::Pieces => &[DIMENSIONS, OF_PIECE],
            Base::Tree => &[DIMENSIONS, OUTCOMES, OF_LINE],
            Base::Pairs => &[DIMENSIONS, OUTCOMES, OF_PAIR],
            Base::Names => &[OF_NAME],
        };
        parts.iter().flat_map(|part| part.iter().copied()).collect()
    }
}

/// Rows of one base.
pub(super) struct Facts {
    base: Base,
    names: Vec<&'static str>,
    batch: Batch,
}

impl Facts {
    pub(super) fn new(base: Base) -> Facts {
        let columns = base.columns();
        let names = columns.iter().map(|(name, _)| *name).collect();
        Facts { base, names, batch: Batch::of_kinds(columns.iter().map(|(_, kind)| *kind)) }
    }

    pub(super) fn frame(&self) -> Result<DataFrame, PolarsError> {
        parquet::named_frame(self.names.iter().copied(), &self.batch)
    }

    pub(super) fn add(&mut self, study: &Study, asked: &Asked, names: &Names) {
        match self.base {
            Base::Games => {
                let mut row = dimensions(study);
                row.extend(outcome(study, Side::Red));
                row.extend(of_game(study));
                self.batch.push(row);
            }
            Base::Sides => {
                for side in Side::ALL {
                    let mut row = dimensions(study);
                    row.extend(outcome(study, side));
                    row.extend(of_game(study));
                    let index = side as usize;
                    row.extend([
                        Cell::text(study.players[index].as_deref()),
                        Cell::text(study.teams[index].as_deref()),
                        Cell::Text(side.as_str().into()),
                        Cell::Int(i64::from(side == Side::Red)),
                    ]);
                    self.batch.push(row);
                }
            }
            Base::Plies => {
                for (index, ply) in study.plies.iter().enumerate() {
                    let mut row = dimensions(study);
                    row.extend([
                        Cell::count(index + 1),
                        Cell::Int(1),
                        Cell::Int(ply.captured.is_some().into()),
                        Cell::Int(ply.check.into()),
                    ]);
                    self.batch.push(row);
                }
            }
            Base::Findings => self.findings(study),
            Base::Pieces => self.pieces(study),
            Base::Tree => self.tree(study, asked.depth),
            Base::Pairs => self.pairs(study, &asked.players),
            Base::Names => self.names(study, names),
        }
    }

    fn findings(&mut self, study: &Study) {
        // A game counts once for each key of a table, however many findings it has.
        let mut coded: Vec<(String, &str)> = Vec::new();
        let mut ruled: Vec<(String, String)> = Vec::new();
        for finding in &study.report.findings {
            let verdict = finding.data.get("verdict").and_then(|verdict| verdict.as_str());
            let verdict = verdict.unwrap_or_default().to_owned();
            let code = finding.code.to_string();
            let kind = (code.clone(), finding.severity.as_str());
            let ruling = (code.clone(), verdict.clone());
            let (new_code, new_ruling) = (!coded.contains(&kind), !ruled.contains(&ruling));
            let mut row = dimensions(study);
            row.extend([
                Cell::Text(code.into()),
                Cell::Text(finding.severity.as_str().into()),
                Cell::Text(verdict.into()),
                Cell::Int(1),
                Cell::Int(new_code.into()),
                Cell::Int(new_ruling.into()),
            ]);
            self.batch.push(row);
            coded.extend(new_code.then_some(kind));
            ruled.extend(new_ruling.then_some(ruling));
        }
    }

    fn pieces(&mut self, study: &Study) {
        if !study.is_standard() {
            return;
        }
        for side in Side::ALL {
            for kind in Kind::ALL {
                let start = Position::start().pieces(side, kind).len();
                let left = study.left(side, kind).unwrap_or(0);
                let mut row = dimensions(study);
                row.extend([
                    Cell::Text(side.as_str().into()),
                    Cell::Text(crate::board::Piece { side, kind }.glyph().to_string().into()),
                    Cell::count(kind as usize),
                    Cell::Int(1),
                    Cell::count(start),
                    Cell::count(left),
                    Cell::Int((left == 0).into()),
                ]);
                self.batch.push(row);
            }
        }
    }

    fn tree(&mut self, study: &Study, depth: usize) {
        if !study.is_standard() {
            return;
        }
        let mut position = Position::start();
        let (mut line, mut moves) = (String::new(), String::new());
        for (index, ply) in study.plies.iter().take(depth).enumerate() {
            if index > 0 {
                line.push(' ');
                moves.push(' ');
            }
            moves.push_str(&chinese::write(ply.mv, &position));
            line.push_str(&ply.mv.to_string());
            position.play(ply.mv);
            let mut row = dimensions(study);
            row.extend(outcome(study, Side::Red));
            row.extend([Cell::Text(line.clone().into()), Cell::Text(moves.clone().into())]);
            self.batch.push(row);
        }
    }

    fn pairs(&mut self, study: &Study, wanted: &[String]) {
        let [Some(red), Some(black)] = &study.players else { return };
        let asked = wanted.is_empty() || [red, black].iter().all(|name| wanted.contains(name));
        if red == black || !asked {
            return;
        }
        // In the order of the names, or in that in which two were asked for.
        let red_first = match wanted {
            [first, _] => red == first,
            _ => red < black,
        };
        let (first, second) = if red_first { (red, black) } else { (black, red) };
        let side = if red_first { Side::Red } else { Side::Black };
        let mut row = dimensions(study);
        row.extend(outcome(study, side));
        row.extend([
            Cell::Text(first.as_str().into()),
            Cell::Text(second.as_str().into()),
            Cell::Int(red_first.into()),
        ]);
        self.batch.push(row);
    }

    fn names(&mut self, study: &Study, names: &Names) {
        let all = [
            ("red", Of::Player),
            ("black", Of::Player),
            ("red_team", Of::Team),
            ("black_team", Of::Team),
        ];
        for (tag, of) in all {
            let Some(spelling) = study.tag(tag) else { continue };
            let Some((name, rules)) = names.explain(of, spelling) else { continue };
            let rules: Vec<&str> = rules.iter().map(|rule| rule.as_str()).collect();
            let kind = if of == Of::Player { "player" } else { "team" };
            self.batch.push(vec![
                Cell::Text(kind.into()),
                Cell::Text(name.into()),
                Cell::Text(spelling.into()),
                Cell::Text(rules.join(" ").into()),
                Cell::Int(1),
            ]);
        }
    }
}

fn dimensions(study: &Study) -> Vec<Cell<'_>> {
    vec![
        Cell::maybe(study.date.map(|date| date.year)),
        Cell::text(study.tag("event")),
        Cell::text(study.opening.map(|opening| opening.code())),
        Cell::Text(study.report.source.as_str().into()),
        Cell::text(study.report.format),
        Cell::Text(study.report.result.into()),
        Cell::Text(study.report.termination.into()),
    ]
}

/// The outcome as `side` sees it.
fn outcome(study: &Study, side: Side) -> [Cell<'static>; 5] {
    let own = study.score().map(|score| if side == Side::Red { score } else { 1.0 - score });
    let is = |score: Option<f64>| Cell::Int((own == score).into());
    [Cell::Int(1), is(Some(1.0)), is(Some(0.5)), is(Some(0.0)), is(None)]
}

fn of_game(study: &Study) -> [Cell<'_>; 7] {
    let first = study.plies.first().filter(|_| study.is_standard());
    let first = first.map(|ply| chinese::write(ply.mv, &Position::start()));
    let drawn = (study.score() == Some(0.5)).then_some(study.report.termination);
    let tag = study.tag("ecco").filter(|tag| is_code(tag)).and_then(|tag| tag.get(..3));
    let tag = tag.filter(|_| study.opening.is_some());
    let agrees = tag.zip(study.opening).map(|(tag, opening)| {
        let same = tag.bytes().zip(opening.code().bytes()).take_while(|(a, b)| a == b).count();
        ["none", "letter", "family", "code"][same.min(3)]
    });
    [
        Cell::text(study.opening.map(|opening| opening.words().zh.into_owned())),
        Cell::text(first),
        Cell::count(study.plies.len()),
        Cell::maybe(study.first_capture()),
        Cell::text(drawn),
        Cell::text(tag),
        Cell::text(agrees),
    ]
}

/// Whether a tag holds a code of the ECCO: a letter and two digits.
fn is_code(tag: &str) -> bool {
    let bytes = tag.as_bytes();
    bytes.len() >= 3 && bytes[0].is_ascii_uppercase() && bytes[1..3].iter().all(u8::is_ascii_digit)
}
