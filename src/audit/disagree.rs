//! The findings about single plies of the sheets: contradictions, omissions that the other sheet fills, plies that no
//! sheet has.

use std::collections::HashSet;

use serde_json::{Value, json};

use crate::{
    board::{Move, Position, Side},
    finding::{Code, Finding, Place, Words},
    notation::{Reading, chinese},
    record::Written,
    replay::{self, Game},
};

use super::{
    Cell, CellState, Sheet, Witness,
    hand::{Hand, Told},
    lattice::Step,
    reconcile::{Reconciliation, cell, order, text},
    record::clock,
};

/// A ply that is settled and less likely than this is told, even where the sheets themselves do not differ.
const CERTAIN: f64 = 0.999;

/// What the findings are made from.
pub(super) struct Seen<'s, 'a> {
    pub(super) sheets: &'s [Sheet<'s, 'a>],
    pub(super) hands: &'s [Hand<'a>],
    pub(super) games: &'s [Game],
    pub(super) owners: &'s [Option<Side>],
    pub(super) start: &'s Position,
    pub(super) found: &'s Reconciliation,
}

impl Seen<'_, '_> {
    /// All of them, ply by ply.
    pub(super) fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut position = self.start.clone();
        let order: Vec<Vec<Option<u32>>> =
            (0..self.sheets.len()).map(|number| order(&self.found.steps, number)).collect();
        for (ply, step) in (1..).zip(&self.found.steps) {
            let written: Vec<Option<u32>> =
                order.iter().map(|cells| cells[ply as usize - 1]).collect();
            let contradicts = self.contradicts(step, &written);
            if contradicts {
                findings.push(self.contradiction(ply, &position, &written));
            }
            let settled = ply as usize <= self.found.reconciled.moves.len();
            let reconstructed = self.found.reconciled.witness.get(ply as usize - 1)
                == Some(&Witness::Reconstructed);
            if reconstructed {
                findings.push(self.reconstructed(ply, step.mv, &position));
            }
            if self.sheets.len() == 2
                && settled
                && !contradicts
                && !reconstructed
                && !step.only
                && step.p < CERTAIN
            {
                findings.push(self.doubt(ply, step, &position));
            }
            position.play(step.mv);
        }
        if self.sheets.len() == 2 {
            findings.extend(self.other_game());
            for number in 0..2 {
                findings.extend(self.surplus(number));
                findings.extend(self.omissions(number));
            }
        }
        findings
    }

    /// `QJ703` where two sheets agree on less than half of what the shorter one has: they may be of two games, and what
    /// follows from both together then says nothing. Two of which each has the moves of one side alone have nothing in common
    /// and contradict each other nowhere.
    fn other_game(&self) -> Option<Finding> {
        let says = |step: &Step, number: usize| matches!(step.told[number], Told::Says(_));
        let mover = |at: usize| clock(self.start, at as u32 + 1).0;
        let steps = self.found.steps.iter().enumerate();
        let both = steps.clone().filter(|(_, step)| says(step, 0) && says(step, 1)).count();
        let one_sided = (0..2).all(|number| {
            let mut movers =
                steps.clone().filter(|(_, step)| says(step, number)).map(|(at, _)| mover(at));
            movers.next().is_none_or(|first| movers.all(|side| side == first))
        });
        let written = |hand: &Hand<'_>| {
            hand.cells.iter().filter(|held| held.written != Written::Omitted).count()
        };
        let fewest = self.hands.iter().map(written).min()?;
        if both * 2 >= fewest || one_sided && both == 0 {
            return None;
        }
        let words = Words::new(
            format!("两份记录只有 {both} 着相同（较短的一份记了 {fewest} 着），可能不是同一局"),
            format!(
                "the sheets agree on {both} plies only, and the shorter one has {fewest}: they may be of two games"
            ),
        );
        let help = Words::new(
            "先查明是否同一局；不是同一局的，分别审核",
            "find out first whether they are of one game; if not, audit each by itself",
        );
        let finding = Finding::new(Code::SHEETS_DISAGREE, words)
            .help(help)
            .with("kind", "game")
            .with("agree", both)
            .with("written", fewest);
        Some(finding)
    }

    /// Whether two sheets have different moves at a ply, or one has its moves in another order there; `written` are the cells
    /// that stand there.
    fn contradicts(&self, step: &Step, written: &[Option<u32>]) -> bool {
        if self.sheets.len() < 2 {
            return false;
        }
        let differs = step.told.iter().any(|told| matches!(told, Told::Differs(_)));
        let out_of_order =
            written.iter().zip(step.told).any(|(written, told)| *written != cell(told));
        differs || out_of_order
    }

    /// The place of the first sheet that has a cell at a ply, completed with ply, round and side.
    fn at(&self, finding: Finding, ply: u32) -> Finding {
        let (side, round) = clock(self.start, ply);
        let finding = finding.ply(ply, round, side);
        let step = self.found.steps.get(ply as usize - 1);
        let place = |number: usize| {
            let held = &self.hands[number].cells[cell(step?.told[number])? as usize];
            let node = self.sheets[number].record.tree.node(held.node?);
            Some(self.sheets[number].locate.place(node.span))
        };
        match (0..self.sheets.len()).find_map(|number| Some((number, place(number)?))) {
            Some((0, place)) => finding.at(place),
            Some((number, place)) => finding.at(place).with("sheet_no", number + 1),
            None => finding,
        }
    }

    /// Where sheet `number` lacks the ply behind `at`: at its mark, else at the cell that stands there instead, else at its last.
    fn beside(&self, number: usize, at: usize) -> Option<Place> {
        let node =
            |step: &Step| self.hands[number].cells.get(cell(step.told[number])? as usize)?.node;
        let (before, behind) = self.found.steps.split_at(at);
        let node = behind.iter().find_map(node).or_else(|| before.iter().rev().find_map(node))?;
        let sheet = &self.sheets[number];
        Some(sheet.locate.place(sheet.record.tree.node(node).span))
    }

    /// `QJ703` of two moves at one ply.
    fn contradiction(&self, ply: u32, position: &Position, written: &[Option<u32>]) -> Finding {
        let step = &self.found.steps[ply as usize - 1];
        let says = |cell: &Option<u32>, hand: &Hand<'_>| {
            let written = &hand.cells[(*cell)? as usize].written;
            (*written != Written::Omitted).then(|| written.text())
        };
        let texts: Vec<Option<String>> =
            written.iter().zip(self.hands).map(|(cell, hand)| says(cell, hand)).collect();
        let leads: Vec<Value> = (0..self.sheets.len())
            .filter_map(|number| self.leads_to(number, ply, position, written[number]?))
            .collect();
        let settled = (ply as usize) <= self.found.reconciled.moves.len();
        let shown = |text: &Option<String>| text.clone().unwrap_or_else(|| "—".to_owned());
        let standing = chinese::write(step.mv, position);
        let (one, other) = (shown(&texts[0]), shown(&texts[1]));
        let words = match one == other {
            true => Words::new(
                format!("两份记录同作 {one}，但此着走不成"),
                format!("both sheets have {one}, which cannot be played here"),
            ),
            false => Words::new(
                format!("两份记录不一致：{one} / {other}"),
                format!("the sheets disagree: {one} / {other}"),
            ),
        };
        let mut finding = Finding::new(Code::SHEETS_DISAGREE, words)
        .help(match settled {
            true => Words::new(
                format!("取 {standing}：另一种与其后各着不合或可能甚小；请双方核实"),
                format!("{standing} is taken: the other does not fit what follows, or is unlikely; have both players confirm"),
            ),
            false => Words::new(
                "两种都说得通，留待裁定；请双方核实",
                "both are possible, so it stays open; have both players confirm",
            ),
        })
        .with("kind", "move")
        .with("texts", texts)
        .with("leads_to", leads)
        .with("taken", settled.then(|| step.mv.to_string()))
        .with("score", (step.p * 1e6).round() / 1e6);
        finding.board = Some(position.fen());
        self.at(finding, ply)
    }

    /// `QJ703` of a ply that is settled although other readings of the sheets have another move there.
    fn doubt(&self, ply: u32, step: &Step, position: &Position) -> Finding {
        let texts: Vec<Option<String>> =
            self.hands.iter().zip(step.told).map(|(hand, told)| text(hand, told)).collect();
        let standing = chinese::write(step.mv, position);
        let mut finding = Finding::new(
            Code::SHEETS_DISAGREE,
            Words::new(
                format!("此着取 {standing}；两份记录前后有出入，也可能是别的着法"),
                format!("{standing} is taken; the sheets differ nearby, and another move is possible here"),
            ),
        )
        .help(Words::new("请双方核实", "have both players confirm"))
        .with("kind", "doubt")
        .with("texts", texts)
        .with("taken", step.mv.to_string())
        .with("score", (step.p * 1e6).round() / 1e6);
        finding.board = Some(position.fen());
        self.at(finding, ply)
    }

    /// What the text of a sheet at a ply, that of cell `from`, leads to: whether it can be played, and how far its own later
    /// cells can then be.
    fn leads_to(&self, number: usize, ply: u32, position: &Position, from: u32) -> Option<Value> {
        let from = from as usize;
        let hand = &self.hands[number];
        let dialect = self.games[number].dialect;
        let mut position = position.clone();
        let mut first: Option<Move> = None;
        let mut reason = None;
        let mut plies = 0;
        for held in &hand.cells[from..] {
            match replay::read(&held.written, dialect, &position) {
                Reading::Move { mv, .. } => {
                    first.get_or_insert(mv);
                    position.play(mv);
                }
                Reading::Ambiguous { moves, .. } => {
                    let step = self.found.steps.get(ply as usize - 1 + plies as usize);
                    let stands = |mv: &&Move| step.is_some_and(|step| step.mv == **mv);
                    let mv = *moves.iter().find(stands).unwrap_or(&moves[0]);
                    first.get_or_insert(mv);
                    position.play(mv);
                }
                Reading::Illegal { reason: why, .. } => {
                    reason = Some(why.as_str());
                    break;
                }
                Reading::Unknown { .. } => break,
            }
            plies += 1;
        }
        let whole = from + plies as usize == hand.cells.len();
        Some(json!({
            "sheet": self.owners[number].map(Side::as_str),
            "move": first.map(|mv| mv.to_string()),
            "legal": first.is_some(),
            "replays_to_ply": ply - 1 + plies,
            "to_end": whole,
            "reason": reason,
        }))
    }

    /// `QJ704`.
    fn reconstructed(&self, ply: u32, mv: Move, position: &Position) -> Finding {
        let step = &self.found.steps[ply as usize - 1];
        let written: Vec<Option<String>> =
            self.hands.iter().zip(step.told).map(|(hand, told)| text(hand, told)).collect();
        let standing = chinese::write(mv, position);
        let words = match written.iter().flatten().next() {
            Some(text) => Words::new(
                format!("所记 {text} 走不成，由前后各着推得：{standing}"),
                format!(
                    "{text} as written cannot be played; from the other plies follows {standing}"
                ),
            ),
            None => Words::new(
                format!("此着无记录可凭，由前后各着推得：{standing}"),
                format!("no sheet has this ply; it follows from the others: {standing}"),
            ),
        };
        let finding = Finding::new(Code::RECONSTRUCTED, words)
            .help(Words::new("请双方核实", "have both players confirm"))
            .with("move", mv.to_string())
            .with("text", standing)
            .with("written", written)
            .with("only", step.only);
        self.at(finding, ply)
    }

    /// `QJ703` for cells of a sheet that tell no ply of the game.
    fn surplus(&self, number: usize) -> Vec<Finding> {
        let cells = &self.found.cells[number];
        let hand = &self.hands[number];
        let others = surplus(&self.found.cells[1 - number]);
        let mut before = 0;
        let mut findings = Vec::new();
        for (cell, held) in cells.iter().zip(&hand.cells) {
            before = cell.ply.unwrap_or(before);
            if cell.state != CellState::Surplus {
                continue;
            }
            let (side, round) = clock(self.start, before.max(1));
            let words = match others.contains(&(before, &cell.text)) {
                true => Words::new(
                    format!("两份都有此格着法而与对局不合，可能是重写：{}", cell.text),
                    format!(
                        "both sheets have this, which does not fit the game; written twice perhaps: {}",
                        cell.text
                    ),
                ),
                false => Words::new(
                    format!("此格着法另一份没有，可能是重写：{}", cell.text),
                    format!(
                        "the other sheet does not have this; written twice perhaps: {}",
                        cell.text
                    ),
                ),
            };
            let mut finding = Finding::new(Code::SHEETS_DISAGREE, words)
                .help(Words::new("请双方核实", "have both players confirm"))
                .with("kind", "surplus")
                .with("sheet", self.owners[number].map(Side::as_str))
                .with("sheet_no", number + 1)
                .text(cell.text.clone());
            if before > 0 {
                finding = finding.ply(before, round, side);
            }
            if let Some(node) = held.node {
                let sheet = &self.sheets[number];
                finding = finding.at(sheet.locate.place(sheet.record.tree.node(node).span));
            }
            findings.push(finding);
        }
        findings
    }

    /// `QJ701` for each run of plies that one sheet lacks, filled from the other.
    fn omissions(&self, number: usize) -> Vec<Finding> {
        let steps = &self.found.steps;
        let lacks = |at: usize| matches!(steps[at].told[number], Told::Lacks | Told::Marked(_));
        let mut findings = Vec::new();
        let mut at = 0;
        while at < steps.len() {
            let run = (at..steps.len()).take_while(|at| lacks(*at)).count();
            if run == 0 {
                at += 1;
                continue;
            }
            let plies = &steps[at..at + run];
            let marked = plies.iter().all(|step| matches!(step.told[number], Told::Marked(_)));
            let supplied = plies.iter().all(|step| matches!(step.told[1 - number], Told::Says(_)));
            let settled = at + run <= self.found.reconciled.moves.len();
            let moves: Vec<String> = plies.iter().map(|step| step.mv.to_string()).collect();
            let sides: Vec<&str> =
                (at..at + run).map(|at| clock(self.start, at as u32 + 1).0.as_str()).collect();
            let (zh, en) = match self.owners[number] {
                Some(Side::Red) => ("红方", "Red's"),
                Some(Side::Black) => ("黑方", "Black's"),
                // Two sheets always have owners, if only by their order.
                None => ("一方", "one"),
            };
            let finding = Finding::new(
                Code::OMITTED_MOVES,
                Words::new(
                    format!("{zh}记录在第 {at} 着之后漏记 {run} 着"),
                    format!("{en} sheet leaves out {run} after ply {at}"),
                ),
            )
            .help(match supplied {
                true => Words::new("另一份记录已补", "the other sheet has them"),
                false => Words::new("另一份记录也不全", "the other sheet lacks some of them too"),
            })
            .with("sheet", self.owners[number].map(Side::as_str))
            .with("after_ply", at)
            .with("missing", run)
            .with("marked", marked)
            .with("sides", sides)
            .with("candidates", vec![json!({ "moves": moves, "score": 1.0 })])
            .with("count", 1)
            .with("complete", supplied)
            .with("unique", supplied && settled);
            let (side, round) = clock(self.start, at as u32 + 1);
            let finding = finding.ply(at as u32 + 1, round, side).with("sheet_no", number + 1);
            findings.push(match self.beside(number, at) {
                Some(place) => finding.at(place),
                None => finding,
            });
            at += run;
        }
        findings
    }
}

/// The cells that tell no ply of the game, each with the ply before it.
fn surplus(cells: &[Cell]) -> HashSet<(u32, &String)> {
    let mut before = 0;
    let mut found = HashSet::new();
    for cell in cells {
        before = cell.ply.unwrap_or(before);
        if cell.state == CellState::Surplus {
            found.insert((before, &cell.text));
        }
    }
    found
}
