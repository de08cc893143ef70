//! One line of written plies on the board, main line or variation.

use std::collections::VecDeque;

use crate::{
    board::{Move, Position, Reason},
    finding::{Code, Finding, Place, Words},
    notation::{self, Deviations, Notation, Reading},
    record::{NodeId, Written},
};

use super::{RestStatus, Scene, illegal, readings, variations::path_of};

/// A line as far as it is legal.
pub(super) struct Line {
    pub(super) moves: Vec<Move>,
    pub(super) stop: Option<Stop>,
}

/// Where and why a line stops.
pub(super) struct Stop {
    /// Position in the line.
    pub(super) index: usize,
    pub(super) kind: StopKind,
}

pub(super) enum StopKind {
    /// Plies are marked as not recorded.
    Gap,
    /// The text is understood, the move is illegal.
    Illegal { reason: Reason, mv: Option<Move> },
    /// The text is not understood.
    Unknown,
    /// The game has ended on the board; `mv` if the written move could be made all the same.
    AfterEnd { mv: Option<Move> },
}

impl Stop {
    pub(super) fn status(&self, stood: bool) -> RestStatus {
        match self.kind {
            StopKind::Gap => RestStatus::AfterGap,
            _ if stood => RestStatus::ReplayedAsStood,
            _ => RestStatus::Unreadable,
        }
    }

    /// The move that both players may have overlooked to be illegal.
    fn overlooked(&self) -> Option<Move> {
        match self.kind {
            StopKind::Illegal { reason, mv } => mv.filter(|_| may_have_stood(reason)),
            StopKind::AfterEnd { mv } => mv,
            StopKind::Gap | StopKind::Unknown => None,
        }
    }
}

/// Whether a move that is illegal for this reason can be made on the board without anybody noticing.
fn may_have_stood(reason: Reason) -> bool {
    matches!(reason, Reason::GeneralsFacing | Reason::InCheck)
}

/// What a written ply means on `position`; `Omitted` is not a move and not understood.
pub(super) fn read(
    written: &Written<'_>,
    notation: Option<Notation>,
    position: &Position,
) -> Reading {
    match *written {
        Written::Text(text) => {
            let first = notation.map(|notation| notation::read(text, notation, position));
            match first {
                Some(Reading::Unknown { .. }) | None => notation::guess(text)
                    .filter(|guess| Some(*guess) != notation)
                    .map(|guess| notation::read(text, guess, position))
                    .or(first)
                    .unwrap_or(Reading::Unknown { at: 0 }),
                Some(reading) => reading,
            }
        }
        Written::Squares { from: Some(from), to: Some(to), .. } => {
            let mv = Move { from, to };
            let deviations = Deviations::default();
            match position.legality(mv) {
                Ok(()) => Reading::Move { mv, deviations },
                Err(reason) => Reading::Illegal { reason, mv: Some(mv), deviations },
            }
        }
        Written::Squares { .. } => Reading::Illegal {
            reason: Reason::OffBoard,
            mv: None,
            deviations: Deviations::default(),
        },
        Written::Omitted => Reading::Unknown { at: 0 },
    }
}

impl Scene<'_, '_> {
    /// Plays `line`, whose first ply is number `before + 1`, on `position` until it ends or stops.
    pub(super) fn play_line(
        &mut self,
        line: &[NodeId],
        before: u32,
        position: &mut Position,
    ) -> Line {
        let mut moves = Vec::with_capacity(line.len());
        let mut settled: VecDeque<Move> = VecDeque::new();
        for (index, id) in line.iter().enumerate() {
            let node = self.record.tree.node(*id);
            let ply = before + index as u32 + 1;
            if node.written == Written::Omitted {
                self.report_gap(&line[index..], ply);
                return Line { moves, stop: Some(Stop { index, kind: StopKind::Gap }) };
            }
            let (mv, deviations) = match read(&node.written, self.notation, position) {
                Reading::Move { mv, deviations } => (mv, deviations),
                Reading::Ambiguous { moves: choices, deviations } => {
                    if settled.is_empty() {
                        settled = self.settle(&line[index..], ply, position);
                    }
                    // The survey keeps to `choices`, so it has settled at least this ply on one of them.
                    (settled.front().copied().unwrap_or(choices[0]), deviations)
                }
                Reading::Illegal { reason, mv, deviations: _ } => {
                    let kind = if position.has_legal_move()
                        || position.general(position.side()).is_none()
                    {
                        self.report_illegal(*id, ply, position, reason, mv);
                        StopKind::Illegal { reason, mv }
                    } else {
                        self.report_after_end(*id, ply, position);
                        StopKind::AfterEnd { mv: mv.filter(|_| may_have_stood(reason)) }
                    };
                    return Line { moves, stop: Some(Stop { index, kind }) };
                }
                Reading::Unknown { at } => {
                    self.report_unknown(*id, ply, position, at);
                    return Line { moves, stop: Some(Stop { index, kind: StopKind::Unknown }) };
                }
            };
            settled.pop_front();
            if !deviations.is_empty() {
                self.report_deviations(*id, ply, deviations);
            }
            self.note_played(*id, mv);
            position.play(mv);
            moves.push(mv);
        }
        Line { moves, stop: None }
    }

    /// After a stop, plays on as it stood: the moves made, none if the stop is of another kind.
    pub(super) fn play_on(
        &mut self,
        main: &[NodeId],
        stop: &Stop,
        position: &mut Position,
    ) -> Vec<Move> {
        let mut stood = Vec::new();
        let Some(mut overlooked) = stop.overlooked() else { return stood };
        let mut index = stop.index;
        loop {
            self.note_played(main[index], overlooked);
            position.play(overlooked);
            stood.push(overlooked);
            index += 1;
            // With a general gone from the board the game is over, whatever else is written.
            if index >= main.len() || position.general(position.side()).is_none() {
                return stood;
            }
            let line = self.play_line(&main[index..], index as u32, position);
            stood.extend(&line.moves);
            match line.stop {
                Some(next) => match next.overlooked() {
                    Some(mv) => overlooked = mv,
                    None => return stood,
                },
                None => return stood,
            }
            index = stop.index + stood.len();
        }
    }

    fn note_played(&mut self, id: NodeId, mv: Move) {
        if let Some(played) = self.played.get_mut(id.index()) {
            *played = Some(mv);
        }
    }

    /// Moves written behind the end marker, as far as they can be played.
    pub(super) fn play_after_end(&self, end: &Position) -> Vec<Move> {
        let mut position = end.clone();
        let mut moves = Vec::new();
        for (written, _) in &self.record.after_end {
            let Reading::Move { mv, .. } = read(written, self.notation, &position) else { break };
            position.play(mv);
            moves.push(mv);
        }
        moves
    }

    /// Settles an ambiguous text and those after it by the whole rest of the line.
    fn settle(&mut self, line: &[NodeId], ply: u32, position: &Position) -> VecDeque<Move> {
        let written: Vec<Written<'_>> =
            line.iter().map(|id| self.record.tree.node(*id).written).collect();
        let survey = readings::survey(position, &written, self.notation, self.options);
        if let Some(finding) = survey.finding(ply) {
            let id = line[(survey.parts_at()).min(line.len() - 1)];
            let at = ply + survey.parts_at() as u32;
            let finding = self.place_at(finding, id, at).text(self.text_of(id));
            self.findings.push(finding);
        }
        survey.first().into()
    }

    /// Completes `finding` with path, ply and place of node `id`.
    pub(super) fn place_at(&self, mut finding: Finding, id: NodeId, ply: u32) -> Finding {
        finding.path = path_of(&self.record.tree, id);
        finding.at(self.locate.place(self.record.tree.node(id).span)).ply(
            ply,
            self.clock.round(ply),
            self.clock.side(ply),
        )
    }

    fn report_deviations(&mut self, id: NodeId, ply: u32, deviations: Deviations) {
        let text = self.text_of(id);
        let finding = illegal::nonstandard(&text, deviations);
        let finding = self.place_at(finding, id, ply).text(text);
        self.findings.push(finding);
    }

    fn report_illegal(
        &mut self,
        id: NodeId,
        ply: u32,
        position: &Position,
        reason: Reason,
        mv: Option<Move>,
    ) {
        let text = self.text_of(id);
        let finding = illegal::illegal(&text, position, reason, mv, self.notation);
        let finding = self.place_at(finding, id, ply).text(text);
        self.findings.push(finding);
    }

    fn report_unknown(&mut self, id: NodeId, ply: u32, position: &Position, at: usize) {
        let text = self.text_of(id);
        let mut span = self.record.tree.node(id).span;
        span.start = span.start.saturating_add(at as u32).min(span.end);
        let place: Place = self.locate.place(span);
        let finding = illegal::unknown(&text, at, position, self.notation);
        let finding = self.place_at(finding, id, ply).at(place).text(text);
        self.findings.push(finding);
    }

    fn report_after_end(&mut self, id: NodeId, ply: u32, position: &Position) {
        let mated = position.in_check(position.side());
        let (zh, en) = if mated { ("将死", "checkmate") } else { ("困毙", "stalemate") };
        let finding = Finding::new(
            Code::MOVE_AFTER_END,
            Words::new(
                format!("棋局已{zh}，其后还有着法"),
                format!("the game has ended by {en}, yet a move follows"),
            ),
        )
        .help(Words::new(
            "核对此前的着法，或删去终局后的着法",
            "check the moves before, or drop those after the end",
        ))
        .with("after", en);
        let text = self.text_of(id);
        let mut finding = self.place_at(finding, id, ply).text(text);
        finding.article = Some(if mated { "3.1" } else { "3.2" }.into());
        finding.board = Some(position.fen());
        self.findings.push(finding);
    }

    fn report_gap(&mut self, line: &[NodeId], ply: u32) {
        let marked = line
            .iter()
            .take_while(|id| self.record.tree.node(**id).written == Written::Omitted)
            .count();
        let sides: Vec<&str> =
            (0..marked.min(2)).map(|more| self.clock.side(ply + more as u32).as_str()).collect();
        let finding = Finding::new(
            Code::OMITTED_MOVES,
            Words::new(
                format!("漏记 {marked} 着，其后的着法不接"),
                format!("{marked} plies are marked as not recorded"),
            ),
        )
        .help(Words::new(
            "用另一方的记录补上这些着法",
            "fill them in from the other player's sheet",
        ))
        .with("after_ply", ply - 1)
        .with("missing", marked)
        .with("marked", true)
        .with("sides", sides)
        .with("candidates", Vec::<serde_json::Value>::new())
        .with("count", 0)
        .with("complete", false)
        .with("unique", false);
        let finding = self.place_at(finding, line[0], ply).text(self.text_of(line[0]));
        self.findings.push(finding);
    }
}
