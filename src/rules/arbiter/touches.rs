//! Touches in a game: whose they were, what was owed, and what was played.

use serde_json::{Value, json};

use crate::{
    board::{Move, Position, Square},
    finding::{Code, Finding, Severity, Words},
    notation::chinese,
    rules::{
        annotation::{Annotation, Event},
        touch::{Duty, Owed, duty},
    },
};

use super::{Desk, side_words};

/// A touch before one ply.
struct Reading {
    ply: u32,
    duty: Duty,
    position: Position,
    /// The move made then, if it is known.
    played: Option<Move>,
}

impl Reading {
    fn is_met(&self) -> Option<bool> {
        self.played.map(|mv| self.duty.owed.is_met_by(mv))
    }

    /// Whether nothing is wrong by this reading.
    fn is_fine(&self) -> bool {
        self.duty.foul().is_none() && self.is_met() == Some(true)
    }
}

/// Why a touch is not judged.
enum Unjudged {
    /// The side named was not to move: what is owed is owed in turn (5.1 to 5.5).
    OutOfTurn,
    /// Nothing stands on these squares, so that nobody knows what has been touched.
    Empty(Vec<Square>),
}

impl Unjudged {
    fn why(&self) -> &'static str {
        match self {
            Unjudged::OutOfTurn => "out of turn",
            Unjudged::Empty(_) => "no piece to touch",
        }
    }

    fn words(&self) -> Words {
        match self {
            Unjudged::OutOfTurn => Words::new(
                "不轮到所记的一方走子，此次摸子不判",
                "the side named was not to move: the touch is not judged",
            ),
            Unjudged::Empty(squares) => {
                let names = names(squares);
                Words::new(
                    format!("{} 处没有棋子可摸，此次摸子不判", names.join("、")),
                    format!(
                        "no piece to be touched stands on {}: the touch is not judged",
                        names.join(", ")
                    ),
                )
            }
        }
    }
}

impl Desk<'_> {
    /// 5.1 to 5.5, 9.1.5, 9.1.6.
    pub(super) fn touches(&mut self) {
        let case = self.case;
        let mut position = case.start.clone();
        let mut played = 0;
        for entry in &case.annotations.list {
            let Event::Touch { squares, together } = &entry.event else { continue };
            let before = entry.ply.saturating_sub(1) as usize;
            // Behind a gap nobody knows where the pieces stood.
            if before > case.moves.len() {
                return;
            }
            while played < before {
                position.play(case.moves[played]);
                played += 1;
            }
            match self.reading(entry, &position, squares, *together) {
                Ok(reading) => self.judge_touch(entry, &reading, squares),
                Err(unjudged) => {
                    let words = unjudged.words();
                    let finding = self.finding(Code::MALFORMED_ANNOTATION, words, entry);
                    self.found.findings.push(finding.with("why", unjudged.why()));
                }
            }
        }
    }

    /// Before which ply the touch was: an entry behind a ply is about that ply, or comes before the next. A side that is
    /// named decides. Where none is, the first of the two readings by which all is well is taken, so that nobody is accused
    /// of what the other reading explains; then the first that is possible.
    fn reading(
        &self,
        entry: &Annotation,
        before: &Position,
        squares: &[Square],
        together: bool,
    ) -> Result<Reading, Unjudged> {
        let case = self.case;
        let own = |ply: u32, position: &Position| {
            let is_empty = |square: &&Square| !position.occupied().contains(**square);
            let empty: Vec<Square> = squares.iter().filter(is_empty).copied().collect();
            let duty = duty(position, squares, together).ok_or(Unjudged::Empty(empty))?;
            let played = case.moves.get(ply as usize - 1).copied();
            Ok(Reading { ply, duty, position: position.clone(), played })
        };
        let this = || match entry.ply {
            0 => Err(Unjudged::OutOfTurn),
            ply => own(ply, before),
        };
        let next = || {
            let mut position = before.clone();
            if entry.ply > 0 {
                let last = case.moves.get(entry.ply as usize - 1).ok_or(Unjudged::OutOfTurn)?;
                position.play(*last);
            }
            own(entry.ply + 1, &position)
        };
        match entry.side {
            Some(side) if case.mover(entry.ply) == Some(side) => this(),
            Some(side) if case.to_move(entry.ply) == side => next(),
            // Before the first move only one side can be to move.
            Some(_) => Err(Unjudged::OutOfTurn),
            None => match (this(), next()) {
                (Ok(this), Ok(next)) if !this.is_fine() && next.is_fine() => Ok(next),
                (Ok(this), _) => Ok(this),
                (Err(_), next) => next,
            },
        }
    }

    fn judge_touch(&mut self, entry: &Annotation, reading: &Reading, squares: &[Square]) {
        let side = reading.position.side();
        let (zh, en) = side_words(side);
        let names = names(squares);
        let (list_zh, list_en) = (names.join("、"), names.join(", "));
        let at = Annotation { ply: reading.ply.min(self.case.plies), ..entry.clone() };
        let complete = |mut finding: Finding, article: &'static str| {
            finding.article = Some(article.into());
            finding.board = Some(reading.position.fen());
            finding
                .with("side", side.as_str())
                .with("squares", names.clone())
                .with("owed", owed_json(reading.duty.owed))
                .with("played", reading.played.map(|mv| mv.to_string()))
        };
        if let Some(article) = reading.duty.foul() {
            self.foul(side, reading.ply, "QJ822", article, true);
            let announced = self.is_announced(side, reading.ply, "QJ822");
            let (what_zh, what_en) = match article {
                "9.1.5" => ("不可能走动的己方棋子", "an own piece that cannot move"),
                _ => ("无法吃掉的对方棋子", "a piece of the opponent that nothing can take"),
            };
            let words = Words::new(
                format!("{zh}方摸触了{what_zh}（{list_zh}）：犯规一次"),
                format!("{en} touched {what_en} ({list_en}): a foul"),
            );
            let severity = if announced { Severity::Info } else { Severity::Error };
            let finding = self.finding(Code::TOUCH_FOUL, words, &at).severity(severity);
            self.found.findings.push(complete(finding, article));
        }
        if reading.is_met() == Some(false) {
            let owed = owed_words(reading);
            let words = Words::new(
                format!("{zh}方摸子 {list_zh}，{}，而走了别的着法", owed.zh),
                format!("{en} touched {list_en}: {}, but another move was made", owed.en),
            );
            let finding = self.finding(Code::TOUCHED_PIECE_NOT_PLAYED, words, &at);
            self.found.findings.push(complete(finding, reading.duty.article));
        }
    }
}

fn names(squares: &[Square]) -> Vec<String> {
    squares.iter().map(ToString::to_string).collect()
}

/// What is owed, in words.
fn owed_words(reading: &Reading) -> Words {
    match reading.duty.owed {
        Owed::CaptureWith(from, to) => {
            let text = chinese::write(Move { from, to }, &reading.position);
            Words::new(format!("应走 {text}"), format!("{from}{to} ({text}) was owed"))
        }
        Owed::Move(square) => Words::new(
            format!("应走动 {square} 的棋子"),
            format!("the piece on {square} had to move"),
        ),
        Owed::Capture(square) => Words::new(
            format!("应吃 {square} 的棋子"),
            format!("the piece on {square} had to be taken"),
        ),
        Owed::Free => Words::new("可任意走子", "any move could be made"),
    }
}

fn owed_json(owed: Owed) -> Value {
    match owed {
        Owed::CaptureWith(from, to) => json!({ "move": format!("{from}{to}") }),
        Owed::Move(square) => json!({ "from": square.to_string() }),
        Owed::Capture(square) => json!({ "to": square.to_string() }),
        Owed::Free => Value::Null,
    }
}
