//! The rows of the datasets: one function a table, cells in the order of `SCHEMA.md`.

use crate::{
    board::{Kind, Position, Side, Square},
    finding::Severity,
    notation::chinese,
};

use super::{
    cell::{Batch, Cell},
    schema::{Positions, Table},
    study::Study,
};

/// The rows of some games, table by table.
#[derive(Clone, PartialEq, Debug)]
pub struct Rows {
    /// How the plies tell the position.
    pub positions: Positions,
    /// The batches, in the order of [`Table::ALL`].
    pub batches: [Batch; 3],
}

impl Rows {
    /// No row.
    pub fn new(positions: Positions) -> Rows {
        Rows { positions, batches: Table::ALL.map(|table| Batch::new(table, positions)) }
    }

    /// The rows of `table`.
    pub fn of(&self, table: Table) -> &Batch {
        &self.batches[table as usize]
    }

    /// Adds the rows of one game.
    pub fn push(&mut self, study: &Study) {
        self.batches[Table::Games as usize].push(game(study));
        plies(study, self.positions, &mut self.batches[Table::Plies as usize]);
        findings(study, &mut self.batches[Table::Findings as usize]);
    }

    /// Adds the rows of `other`.
    pub fn append(&mut self, other: Rows) {
        for (batch, more) in self.batches.iter_mut().zip(other.batches) {
            batch.append(more);
        }
    }
}

/// The row of a game.
pub(super) fn game(study: &Study) -> Vec<Cell<'_>> {
    let report = &study.report;
    let tag = |key: &str| Cell::text(study.tag(key));
    let number = |key: &str| {
        let digits = study.tag(key).and_then(|text| text.parse::<i64>().ok());
        Cell::maybe(digits)
    };
    let known = study.start.is_some();
    let when = |cell: Cell<'static>| if known { cell } else { Cell::Null };
    let name = |name: &'_ Option<String>| Cell::text(name.clone());
    let [red, black] = &study.players;
    let [red_club, black_club] = &study.teams;
    let has = |codes: &[&str]| {
        let mut found = report.findings.iter().map(|finding| finding.code.to_string());
        found.any(|code| codes.contains(&code.as_str()))
    };
    let of = |severity| report.findings.iter().filter(|f| f.severity == severity).count();
    let count = |code: &str| report.findings.iter().filter(|f| f.code.to_string() == code).count();
    let occurrences = study.plies.iter().map(|ply| ply.occurrences).max().unwrap_or(1);
    vec![
        Cell::Key(study.id),
        Cell::Text(report.source.as_str().into()),
        Cell::count(report.game),
        Cell::text(report.format),
        Cell::text(report.encoding),
        Cell::text(report.notation),
        tag("event"),
        tag("site"),
        tag("round"),
        tag("title"),
        tag("date"),
        study.date.and_then(|date| date.days()).map_or(Cell::Null, Cell::Date),
        Cell::maybe(study.date.map(|date| date.year)),
        tag("red"),
        tag("black"),
        name(red),
        name(black),
        tag("red_team"),
        tag("black_team"),
        name(red_club),
        name(black_club),
        number("red_elo"),
        number("black_elo"),
        tag("time_control"),
        tag("annotator"),
        Cell::Text(report.result.into()),
        Cell::real(study.score()),
        Cell::Text(report.termination.into()),
        tag("ecco"),
        tag("opening"),
        Cell::text(study.opening.map(|opening| opening.code())),
        Cell::text(study.opening.map(|opening| opening.words().zh.into_owned())),
        Cell::maybe(study.opening.map(|opening| opening.ply)),
        when(Cell::Bool(study.is_standard())),
        Cell::text(study.start.as_ref().map(|start| start.side().as_str())),
        Cell::text(report.start_fen.as_deref()),
        Cell::text(report.final_fen.as_deref()),
        Cell::count(report.plies),
        Cell::count(report.rest.as_ref().map_or(0, |rest| rest.texts.len())),
        Cell::text(report.rest.as_ref().map(|rest| rest.status)),
        Cell::count(report.variations),
        Cell::count(report.comments),
        Cell::count(study.plies.iter().filter(|ply| ply.captured.is_some()).count()),
        Cell::count(study.plies.iter().filter(|ply| ply.check).count()),
        Cell::maybe(study.first_capture()),
        Cell::count(study.longest_quiet()),
        when(Cell::count(occurrences)),
        Cell::count(count("QJ501")),
        Cell::Bool(has(&["QJ601", "QJ602"])),
        Cell::text(study.end.as_ref().map(|end| material(end, Side::Red))),
        Cell::text(study.end.as_ref().map(|end| material(end, Side::Black))),
        when(Cell::Text(iccs(study).into())),
        study.line.map_or(Cell::Null, |line| Cell::Key(line.plain())),
        study.line.map_or(Cell::Null, |line| Cell::Key(line.either())),
        study.copied.as_ref().map_or(Cell::Null, |copied| Cell::Key(copied.of)),
        Cell::text(study.copied.as_ref().map(|copied| copied.kind.as_str())),
        Cell::count(report.findings.len()),
        Cell::count(of(Severity::Error)),
        Cell::count(of(Severity::Warning)),
        Cell::text(codes(study)),
    ]
}

/// The moves in ICCS.
fn iccs(study: &Study) -> String {
    let mut text = String::with_capacity(study.plies.len() * 5);
    for ply in &study.plies {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&ply.mv.to_string());
    }
    text
}

/// The distinct codes of the findings.
fn codes(study: &Study) -> Option<String> {
    let mut codes: Vec<String> =
        study.report.findings.iter().map(|finding| finding.code.to_string()).collect();
    codes.sort_unstable();
    codes.dedup();
    (!codes.is_empty()).then(|| codes.join(" "))
}

/// The letters of a side's pieces, in the order of [`Kind::ALL`].
pub(super) fn material(position: &Position, side: Side) -> String {
    let letters = Kind::ALL
        .into_iter()
        .flat_map(|kind| std::iter::repeat_n(kind.letter(), position.pieces(side, kind).len()));
    letters.collect()
}

fn plies(study: &Study, positions: Positions, batch: &mut Batch) {
    let Some(start) = &study.start else { return };
    let mut position = start.clone();
    let empty = super::study::Note::default();
    for (index, ply) in study.plies.iter().enumerate() {
        let side = position.side();
        let round = position.round();
        let text = chinese::write(ply.mv, &position);
        position.play(ply.mv);
        let note = study.notes.get(index).unwrap_or(&empty);
        let letter = |kind: Kind| Cell::Text(kind.letter().to_string().into());
        let mut row = vec![
            Cell::Key(study.id),
            Cell::count(index + 1),
            Cell::count(round),
            Cell::Text(side.as_str().into()),
            Cell::Text(ply.mv.to_string().into()),
            Cell::Text(text.into()),
            letter(ply.piece.kind),
            ply.captured.map_or(Cell::Null, |piece| letter(piece.kind)),
            Cell::Bool(ply.check),
        ];
        match positions {
            Positions::Fen => row.push(Cell::Text(position.fen().into())),
            Positions::Packed => row.push(Cell::Bytes(packed(&position).to_vec().into())),
            Positions::None => {}
        }
        row.extend([
            Cell::Key(ply.key),
            Cell::count(ply.occurrences),
            Cell::count(ply.since_capture),
            Cell::real(note.clock.remaining),
            Cell::real(note.clock.elapsed),
            Cell::text(Some(note.comment.as_str()).filter(|text| !text.is_empty())),
        ]);
        batch.push(row);
    }
}

/// A position in 46 bytes: a nibble a square, then the side to move.
///
/// ```
/// use qijian::{board::Position, table::packed};
///
/// let bytes = packed(&Position::start());
/// assert_eq!(bytes[0], 0x45); // a0: a chariot, 5; b0: a horse, 4
/// assert_eq!(bytes[45], 0);
/// ```
pub fn packed(position: &Position) -> [u8; 46] {
    let mut bytes = [0; 46];
    for square in Square::all() {
        if let Some(piece) = position.piece_at(square) {
            let code = 1 + 7 * piece.side as u8 + piece.kind as u8;
            bytes[square.index() / 2] |= code << (4 * (square.index() % 2));
        }
    }
    bytes[45] = position.side() as u8;
    bytes
}

fn findings(study: &Study, batch: &mut Batch) {
    for finding in &study.report.findings {
        let path = serde_json::to_string(&finding.path).unwrap_or_default();
        let data = serde_json::to_string(&finding.data).unwrap_or_default();
        batch.push(vec![
            Cell::Key(study.id),
            Cell::Text(finding.code.to_string().into()),
            Cell::Text(finding.code.entry().name.into()),
            Cell::Text(finding.severity.as_str().into()),
            Cell::Text(path.into()),
            Cell::count(finding.ply),
            Cell::maybe(finding.round),
            Cell::text(finding.side.map(|side| side.as_str())),
            Cell::text(finding.text.as_deref()),
            Cell::maybe(finding.place.line),
            Cell::maybe(finding.place.column),
            Cell::maybe(finding.place.offset),
            Cell::text(finding.article.as_deref()),
            Cell::Text(finding.message.en.as_ref().into()),
            Cell::Text(finding.message.zh.as_ref().into()),
            Cell::Text(data.into()),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        finding::{Code, Finding, Words},
        table::{cell, schema, study::tests::study},
    };

    /// A cell of another kind than its column's would become null in silence.
    #[test]
    fn rows_fit_the_schema() {
        let mut study = study(
            "h2e2 h9g7 e2e6",
            &[("red", "甲"), ("date", "2001-02-03"), ("red_elo", "2500"), ("ecco", "C00")],
        );
        study.report.findings.push(Finding::new(Code::TRUNCATED, Words::new("断", "cut")));
        for positions in [Positions::Fen, Positions::Packed, Positions::None] {
            let mut rows = Rows::new(positions);
            rows.push(&study);
            for table in Table::ALL {
                let batch = rows.of(table);
                let columns: Vec<_> = schema::columns(table, positions).collect();
                assert_eq!(batch.columns.len(), columns.len());
                for (column, values) in columns.iter().zip(&batch.columns) {
                    if column.null.is_empty() {
                        assert_ne!(values.get(0), Cell::Null, "{}", column.name);
                    }
                }
            }
        }
        let cells = game(&study);
        assert_eq!(cells.len(), schema::columns(Table::Games, Positions::Fen).count());
        for (column, cell) in schema::columns(Table::Games, Positions::Fen).zip(cells) {
            let kind = match cell {
                Cell::Null => continue,
                Cell::Bool(_) => cell::Kind::Bool,
                Cell::Int(_) => cell::Kind::Int,
                Cell::Key(_) => cell::Kind::Key,
                Cell::Real(_) => cell::Kind::Real,
                Cell::Date(_) => cell::Kind::Date,
                Cell::Text(_) => cell::Kind::Text,
                Cell::Bytes(_) => cell::Kind::Bytes,
            };
            assert_eq!(column.kind, kind, "{}", column.name);
        }
    }

    #[test]
    fn a_packed_position_tells_every_piece() {
        let start = packed(&Position::start());
        let nibbles: Vec<u8> = start[..45].iter().flat_map(|byte| [byte & 15, byte >> 4]).collect();
        assert_eq!(nibbles.iter().filter(|nibble| **nibble != 0).count(), 32);
        // The order of Kind::ALL: R is the fifth, so a0 is 5 and a9 12.
        assert_eq!((nibbles[0], nibbles[81]), (5, 12));
        assert_eq!(material(&Position::start(), Side::Red).len(), 16);
    }
}
