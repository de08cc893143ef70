//! One line of written plies on the board, main line or variation.

use std::collections::VecDeque;

use crate::{
    board::{Move, Position, Reason},
    finding::{Code, Edit, Finding, Place, Words},
    notation::{self, Deviation, Deviations, Dialect, Notation, Reading},
    record::{Branches, NodeId, Written},
};

use super::{
    RestStatus, Scene, gap, illegal,
    likelihood::{Ending, Past},
    readings::{self, Ply, Search},
    repair,
    survey::Survey,
};

/// A line as far as it is legal.
pub(super) struct Line {
    pub(super) moves: Vec<Move>,
    /// The key of the position before, and after each move.
    pub(super) keys: Vec<u64>,
    /// Whether each move captures.
    pub(super) captures: Vec<bool>,
    pub(super) stop: Option<Stop>,
}

/// A place in a line: the plies from here on, the number of the first, and what was played before it.
#[derive(Clone, Copy)]
pub(super) struct Here<'l> {
    pub(super) line: &'l [NodeId],
    pub(super) ply: u32,
    pub(super) past: Past,
}

/// A line from its first ply, and the moves played up to where it stops.
#[derive(Clone, Copy)]
struct Whole<'l> {
    start: &'l Position,
    line: &'l [NodeId],
    moves: &'l [Move],
}

/// The past after `moves`, which were played after `before` plies not known here.
fn past(moves: &[Move], before: u32) -> Past {
    let mut latest = moves.iter().rev().copied();
    let plies = before + moves.len() as u32;
    Past { last: latest.next(), own: latest.next(), plies, ending: None }
}

/// Where and why a line stops.
pub(super) struct Stop {
    /// Position in the line.
    pub(super) index: usize,
    pub(super) kind: StopKind,
}

pub(super) enum StopKind {
    /// Plies are marked as not recorded; `said` of them by a remark.
    Gap { said: u32 },
    /// The text is understood, the move is illegal.
    Illegal { reason: Reason, mv: Option<Move> },
    /// The text is not understood.
    Unknown,
    /// The game has ended on the board; `mv` if the written move could be made all the same.
    AfterEnd { mv: Option<Move> },
}

impl Stop {
    /// The plies of the rest that no node stands for.
    pub(super) const fn said(&self) -> u32 {
        match self.kind {
            StopKind::Gap { said } => said,
            _ => 0,
        }
    }

    pub(super) fn status(&self, stood: bool) -> RestStatus {
        match self.kind {
            StopKind::Gap { .. } => RestStatus::AfterGap,
            _ if stood => RestStatus::ReplayedAsStood,
            _ => RestStatus::Unreadable,
        }
    }

    /// The move that both players may have overlooked to be illegal.
    fn overlooked(&self) -> Option<Move> {
        match self.kind {
            StopKind::Illegal { reason, mv } => mv.filter(|_| may_have_stood(reason)),
            StopKind::AfterEnd { mv } => mv,
            StopKind::Gap { .. } | StopKind::Unknown => None,
        }
    }
}

/// Whether a move that is illegal for this reason can be made on the board without anybody noticing.
fn may_have_stood(reason: Reason) -> bool {
    matches!(reason, Reason::GeneralsFacing | Reason::InCheck)
}

/// What a written ply means, and in which notation if that is not the game's.
pub(super) struct Read {
    pub(super) reading: Reading,
    pub(super) other: Option<Notation>,
}

/// What a written ply means on `position`; `Omitted` is not a move and not understood. A text that is none of
/// `dialect`'s is tried in the other notations that it has the shape of.
pub(super) fn read(written: &Written<'_>, dialect: Option<Dialect>, position: &Position) -> Read {
    let reading = match *written {
        Written::Text(text) => {
            let first = dialect.map(|dialect| notation::read_as(text, dialect, position));
            match first {
                Some(Reading::Unknown { .. }) | None => {
                    return read_other(text, dialect, first, position);
                }
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
    };
    Read { reading, other: None }
}

/// Reads a text that the game's own dialect does not understand.
fn read_other(
    text: &str,
    dialect: Option<Dialect>,
    first: Option<Reading>,
    position: &Position,
) -> Read {
    let own = dialect.map(|dialect| dialect.notation);
    let mut refused = None;
    for notation in notation::shapes(text).filter(|notation| Some(*notation) != own) {
        let reading = notation::read(text, notation, position);
        if matches!(reading, Reading::Move { .. }) {
            return Read { reading, other: Some(notation) };
        }
        refused = refused.or(Some(Read { reading, other: Some(notation) }));
    }
    refused.unwrap_or(Read { reading: first.unwrap_or(Reading::Unknown { at: 0 }), other: None })
}

impl Scene<'_, '_> {
    /// Plays `line`, whose first ply is number `before + 1`, on `position` until it ends or stops.
    pub(super) fn play_line(
        &mut self,
        line: &[NodeId],
        before: u32,
        position: &mut Position,
    ) -> Line {
        self.path = None;
        let start = position.clone();
        let mut moves = Vec::with_capacity(line.len());
        let mut keys = Vec::with_capacity(line.len() + 1);
        let mut captures = Vec::with_capacity(line.len());
        keys.push(position.key());
        let mut settled: VecDeque<Move> = VecDeque::new();
        for (index, id) in line.iter().enumerate() {
            let written = self.record.tree.node(*id).written;
            let ply = before + index as u32 + 1;
            let here = Here { line: &line[index..], ply, past: past(&moves, before) };
            let said = self.said_missing(*id);
            if said > 0 || written == Written::Omitted {
                let finding = gap::marked(self, here, said, position);
                let finding = self.place_at(finding, *id, ply).text(self.text_of(*id));
                self.findings.push(finding);
                let stop = Some(Stop { index, kind: StopKind::Gap { said } });
                return Line { moves, keys, captures, stop };
            }
            let read = read(&written, self.dialect, position);
            let (mv, deviations) = match read.reading {
                Reading::Move { mv, deviations } => (mv, deviations),
                Reading::Ambiguous { moves: choices, deviations } => {
                    if settled.is_empty() {
                        settled = self.settle(here, position);
                    }
                    // The survey keeps to `choices`, so it has settled at least this ply on one of them.
                    (settled.front().copied().unwrap_or(choices[0]), deviations)
                }
                Reading::Illegal { reason, mv, deviations } => {
                    let foreign = deviations.contains(Deviation::Digits);
                    let whole =
                        self.is_main(line).then_some(Whole { start: &start, line, moves: &moves });
                    let kind = self.stop_at_illegal(here, position, (reason, mv), foreign, whole);
                    let stop = Some(Stop { index, kind });
                    return Line { moves, keys, captures, stop };
                }
                Reading::Unknown { at } => {
                    self.report_unknown(*id, ply, position, at);
                    if self.is_main(line) {
                        self.explain(&start, line, &moves, false);
                    }
                    let stop = Some(Stop { index, kind: StopKind::Unknown });
                    return Line { moves, keys, captures, stop };
                }
            };
            settled.pop_front();
            if let Some(other) = read.other {
                self.mixed.push((*id, ply, other));
            }
            if !deviations.is_empty() {
                self.report_deviations(*id, ply, position, mv, deviations);
            }
            self.note_played(*id, mv);
            captures.push(position.play(mv).captured().is_some());
            keys.push(position.key());
            moves.push(mv);
        }
        Line { moves, keys, captures, stop: None }
    }

    /// How many plies a remark says to be missing before `id`.
    pub(super) fn said_missing(&self, id: NodeId) -> u32 {
        if self.said_missing.is_empty() {
            return 0;
        }
        let before = self.record.tree.parent(id).unwrap_or(NodeId::ROOT);
        self.said_missing.get(&before).copied().unwrap_or(0)
    }

    /// Whether `line` is the main line from its first ply on: only its faults are explained, as a record may have any
    /// number of variations that stop at once.
    fn is_main(&self, line: &[NodeId]) -> bool {
        let first = self.record.tree.first_child(NodeId::ROOT);
        first.is_some() && line.first().copied() == first
    }

    /// Reports an illegal move and says how the line ends with it; `foreign` if its digits are the other side's.
    fn stop_at_illegal(
        &mut self,
        here: Here<'_>,
        position: &Position,
        (reason, mv): (Reason, Option<Move>),
        foreign: bool,
        whole: Option<Whole<'_>>,
    ) -> StopKind {
        let id = here.line[0];
        // Without a general there is no mate, only a damaged position.
        if !position.has_legal_move() && position.general(position.side()).is_some() {
            self.report_after_end(id, here.ply, position);
            return StopKind::AfterEnd { mv: mv.filter(|_| may_have_stood(reason)) };
        }
        self.report_illegal(id, here.ply, position, reason, mv);
        let explained = whole.is_some_and(|Whole { start, line, moves }| {
            self.explain(start, line, moves, reason == Reason::WrongSide)
        });
        if explained {
            return StopKind::Illegal { reason, mv };
        }
        // Digits alone are a sign in a record that has kept them apart so far, and only if all the rest then fits.
        if reason == Reason::WrongSide || (foreign && !self.has_foreign_texts()) {
            let (finding, fits) = gap::unmarked(self, here, position);
            if reason == Reason::WrongSide || fits {
                let finding = self.place_at(finding, id, here.ply).text(self.text_of(id));
                self.findings.push(finding);
            }
        }
        StopKind::Illegal { reason, mv }
    }

    /// Whether a move before has been played in spite of digits or a piece name of the other side.
    pub(super) fn has_foreign_texts(&self) -> bool {
        let foreign = [Deviation::Digits.as_str(), Deviation::Glyph.as_str()];
        self.findings
            .iter()
            .filter(|finding| finding.code == Code::NONSTANDARD_NOTATION)
            .filter_map(|finding| finding.data.get("deviations")?.as_array())
            .any(|names| names.iter().any(|name| foreign.iter().any(|foreign| name == foreign)))
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
            let Reading::Move { mv, .. } = read(written, self.dialect, &position).reading else {
                break;
            };
            position.play(mv);
            moves.push(mv);
        }
        moves
    }

    /// Settles an ambiguous text and those after it by the whole rest of the line.
    fn settle(&mut self, here: Here<'_>, position: &Position) -> VecDeque<Move> {
        let survey = self.survey(here, position, &self.plies(here.line), None);
        if let Some(finding) = survey.finding(here.ply, position) {
            let parts_at = survey.parts_at().min(here.line.len() - 1);
            let id = here.line[parts_at];
            let finding =
                self.place_at(finding, id, here.ply + parts_at as u32).text(self.text_of(id));
            self.findings.push(finding);
        }
        survey.first().to_vec().into()
    }

    /// The readings of `plies` from `position`, which is that before `here`; of a gap of so many `missing` plies to the end of
    /// the line, with its fillings.
    pub(super) fn survey(
        &self,
        here: Here<'_>,
        position: &Position,
        plies: &[Ply<'_>],
        missing: Option<usize>,
    ) -> Survey {
        /// With more blanks nearly anything fits, and a long search tells nothing that a short one does not.
        const FEW: usize = 4;
        let accept = |end: &Position| self.fits_result(end);
        let blanks = plies.iter().filter(|ply| ply.written == Written::Omitted).count();
        let effort = match blanks > FEW {
            true => self.options.effort.min(super::Options::default().effort),
            false => self.options.effort,
        };
        let to_end = missing.is_some();
        let search = Search { dialect: self.dialect, effort, to_end, accept: &accept };
        let past = Past { ending: self.ending(here.line), ..here.past };
        let lattice = readings::follow(position, past, plies, search);
        Survey::of(&lattice, self.options.candidates, missing.unwrap_or(0))
    }

    /// The end of the game if `line` goes on to it.
    pub(super) fn ending(&self, line: &[NodeId]) -> Option<Ending> {
        let (count, last) =
            self.record.tree.main_line().fold((0_u32, None), |(n, _), id| (n + 1, Some(id)));
        let plies = self.said_missing.values().fold(count, |sum, said| sum.saturating_add(*said));
        (line.last().copied() == last).then(|| Ending { plies, outcome: self.stated() })
    }

    /// What is known of the plies of a line.
    pub(super) fn plies(&self, line: &[NodeId]) -> Vec<Ply<'_>> {
        let tree = &self.record.tree;
        let comments = self.comments.get_or_init(|| tree.comments_by_node());
        line.iter()
            .map(|id| {
                let spelled = comments.of(*id).next().map(|comment| comment.text.trim());
                Ply { written: tree.node(*id).written, spelled }
            })
            .collect()
    }

    /// Completes `finding` with path, ply and place of node `id`.
    pub(super) fn place_at(&mut self, mut finding: Finding, id: NodeId, ply: u32) -> Finding {
        // All plies of a line have taken the same branches, which are looked up once a line.
        let (tree, branches) = (&self.record.tree, &self.branches);
        let path = || branches.get_or_init(|| Branches::of(tree)).path(id);
        finding.path = self.path.get_or_insert_with(path).clone();
        finding.at(self.locate.place(self.record.tree.node(id).span)).ply(
            ply,
            self.clock.round(ply),
            self.clock.side(ply),
        )
    }

    fn report_deviations(
        &mut self,
        id: NodeId,
        ply: u32,
        position: &Position,
        mv: Move,
        deviations: Deviations,
    ) {
        let text = self.text_of(id);
        let standard = notation::write_as(mv, self.dialect.unwrap_or_default(), position);
        let mut finding = illegal::nonstandard(&text, deviations, &standard);
        if self.options.repairs {
            let dialect = self.dialect.unwrap_or_default();
            let now = repair::spelling(&text, &standard, mv, dialect, position);
            let span = self.record.tree.node(id).span;
            finding.repair.extend(now.map(|now| Edit::new(span, text.as_str(), now)));
        }
        let finding = self.place_at(finding, id, ply).text(text);
        self.tell(finding);
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
        let finding = illegal::illegal(&text, position, reason, mv, self.dialect);
        let finding = self.place_at(finding, id, ply).text(text);
        self.tell(finding);
    }

    fn report_unknown(&mut self, id: NodeId, ply: u32, position: &Position, at: usize) {
        let text = self.text_of(id);
        let mut span = self.record.tree.node(id).span;
        span.start = span.start.saturating_add(at as u32).min(span.end);
        let place: Place = self.locate.place(span);
        let finding = illegal::unknown(&text, at, position, self.dialect);
        let finding = self.place_at(finding, id, ply).at(place).text(text);
        self.tell(finding);
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
        self.tell(finding);
    }
}
