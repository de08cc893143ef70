//! Plies left out: how many, whose, and which moves fill them (`QJ701`).
//!
//! A ply left out is a ply that may be any legal move; the search over readings does the rest. A filling fits if all
//! that is written after the gap can be played; where none does, those that get furthest are listed as `nearest`.

use std::collections::HashMap;

use serde_json::{Value, json};

use crate::{
    board::{Move, Position, Side},
    finding::{Code, Finding, Words},
    notation::chinese,
    record::{Comment, NodeId, Tree, Written},
};

use super::{
    Scene,
    line::Here,
    readings::Ply,
    survey::{Line, Survey},
};

/// The main line with the number of each ply, from 1. Plies that a remark says to be missing are counted like those that
/// are marked one by one: behind an odd number of them the other side moves.
///
/// ```
/// use qijian::{finding::Binary, format::pgn, replay};
///
/// pgn::read_str("1. 炮二平五 马8进7 {[%missing 1]} 2. 马8进7 *", &Binary, &mut |record| {
///     let plies: Vec<u32> = replay::main_plies(&record.tree).iter().map(|(ply, _)| *ply).collect();
///     assert_eq!(plies, [1, 2, 4]);
/// });
/// ```
pub fn main_plies(tree: &Tree<'_>) -> Vec<(u32, NodeId)> {
    let main: Vec<NodeId> = tree.main_line().collect();
    numbered(tree, &all_said(tree), &main)
}

/// `main`, the main line of `tree`, with the number of each ply; `said` tells of [`all_said`].
pub(super) fn numbered(
    tree: &Tree<'_>,
    said: &HashMap<NodeId, u32>,
    main: &[NodeId],
) -> Vec<(u32, NodeId)> {
    let mut ply = 0_u32;
    let mut number = |id: &NodeId| {
        ply = ply.saturating_add(1);
        if !said.is_empty() {
            let before = tree.parent(*id).unwrap_or(NodeId::ROOT);
            ply = ply.saturating_add(said.get(&before).copied().unwrap_or(0));
        }
        (ply, *id)
    };
    main.iter().map(&mut number).collect()
}

/// The plies that the comments of a record say to be missing, by the node behind which they are.
pub(super) fn all_said(tree: &Tree<'_>) -> HashMap<NodeId, u32> {
    let mut said = HashMap::new();
    for comment in &tree.comments {
        let missing = comment.missing();
        if missing > 0 {
            let all: &mut u32 = said.entry(comment.node).or_default();
            *all = all.saturating_add(missing).min(Comment::MOST_MISSING);
        }
    }
    said
}

/// A gap that the record marks, at the beginning of `here`: `said` plies by a remark, and all that are marked as such.
pub(super) fn marked(
    scene: &Scene<'_, '_>,
    here: Here<'_>,
    said: u32,
    position: &Position,
) -> Finding {
    let blank = Ply { written: Written::Omitted, spelled: None };
    let mut plies = vec![blank; said as usize];
    plies.extend(scene.plies(here.line));
    let missing = plies.iter().take_while(|ply| ply.written == Written::Omitted).count();
    Gap { here, plies, missing, marked: true }.finding(scene, position, marked_words(missing))
}

/// Tells of the gaps that the record marks in `line`, whose first ply is number `before + 1`, behind the one at `from`, if there
/// is one: what fills them hangs on all that stands before.
pub(super) fn further(scene: &mut Scene<'_, '_>, line: &[NodeId], before: u32, from: usize) {
    let mut ply = before.saturating_add(from as u32);
    let mut index = from;
    while let Some(id) = line.get(index) {
        let said = scene.said_missing(*id);
        let is_blank = |id: &&NodeId| scene.record.tree.node(**id).written == Written::Omitted;
        let blanks = line[index..].iter().take_while(is_blank).count();
        let missing = said.saturating_add(blanks as u32);
        if missing > 0 && index > from {
            let finding = unfilled(scene, ply + 1, missing);
            let finding = scene.place_at(finding, *id, ply + 1).text(scene.text_of(*id));
            scene.tell(finding);
        }
        // What follows blanks is a move, or a gap of its own that a remark tells of.
        let cells = blanks.max(1);
        ply = ply.saturating_add(said).saturating_add(cells as u32);
        index += cells;
    }
}

/// A gap of `missing` plies from `ply` on behind one that is not filled.
fn unfilled(scene: &Scene<'_, '_>, ply: u32, missing: u32) -> Finding {
    /// Nobody reads whose each of more plies would be.
    const SIDES: u32 = 1024;
    let sides: Vec<&str> = (0..missing.min(SIDES))
        .map(|more| scene.clock.side(ply.saturating_add(more)).as_str())
        .collect();
    let help = Words::new(
        "前面的着法接上之后才能推求补法",
        "what fills it can be told once all before it is settled",
    );
    Finding::new(Code::OMITTED_MOVES, marked_words(missing as usize))
        .help(help)
        .with("after_ply", ply - 1)
        .with("missing", missing)
        .with("marked", true)
        .with("sides", sides)
        .with("candidates", Vec::<Value>::new())
        .with("count", 0)
        .with("complete", false)
        .with("unique", false)
        .with("nearest", Vec::<Value>::new())
        .with("replays_to_ply", ply - 1)
}

fn marked_words(missing: usize) -> Words {
    Words::new(
        format!("漏记 {missing} 着，其后的着法不接"),
        match missing {
            1 => "a ply is marked as not recorded; what follows is not attached".to_owned(),
            _ => {
                format!("{missing} plies are marked as not recorded; what follows is not attached")
            }
        },
    )
}

/// A ply of the side to move that seems to be missing before `here`, whose text is the other side's; and whether some
/// filling fits.
pub(super) fn unmarked(
    scene: &Scene<'_, '_>,
    here: Here<'_>,
    position: &Position,
) -> (Finding, bool) {
    let mut plies = vec![Ply { written: Written::Omitted, spelled: None }];
    plies.extend(scene.plies(here.line));
    let (zh, en) = match scene.clock.side(here.ply) {
        Side::Red => ("红", "Red"),
        Side::Black => ("黑", "Black"),
    };
    let words = Words::new(
        format!("所记是对方的着法，可能漏记了{zh}方一着"),
        format!("the text is the other side's: a ply of {en} may be missing"),
    );
    let finding = Gap { here, plies, missing: 1, marked: false }.finding(scene, position, words);
    let fits = finding.data.get("count").and_then(Value::as_u64).is_some_and(|count| count > 0);
    (finding, fits)
}

/// The plies up to the most omitted ones that are searched through: each may be any legal move, so that time and memory
/// of the search grow with them, whatever its bound on positions.
fn searched<'p, 'a>(plies: &'p [Ply<'a>]) -> &'p [Ply<'a>] {
    const MOST: usize = 24;
    let omitted = plies.iter().enumerate().filter(|(_, ply)| ply.written == Written::Omitted);
    let end = omitted.map(|(index, _)| index).nth(MOST).unwrap_or(plies.len());
    &plies[..end]
}

struct Gap<'l, 'a> {
    here: Here<'l>,
    /// The missing plies and all that is written behind them.
    plies: Vec<Ply<'a>>,
    missing: usize,
    marked: bool,
}

impl Gap<'_, '_> {
    fn finding(&self, scene: &Scene<'_, '_>, position: &Position, words: Words) -> Finding {
        let searched = searched(&self.plies);
        let mut survey = scene.survey(self.here, position, searched, Some(self.missing));
        survey.complete &= searched.len() == self.plies.len();
        let fits = survey.first().len() == self.plies.len();
        let fillings = fillings(&survey);
        let (candidates, nearest) =
            if fits { (fillings, Vec::new()) } else { (Vec::new(), fillings) };
        let count = if fits { survey.beginnings[self.missing] } else { 0 };
        let sides: Vec<&str> = (0..self.missing as u32)
            .map(|more| scene.clock.side(self.here.ply + more).as_str())
            .collect();
        let help = if fits {
            let likeliest = self.chinese(&survey, position);
            Words::new(
                format!(
                    "能使其后各着都成立的补法有 {count} 种，最可能的是 {likeliest}；须由另一方记录核实"
                ),
                format!(
                    "{count} fillings fit all that follows, the likeliest {likeliest}; confirm by the other sheet"
                ),
            )
        } else if !survey.complete {
            Words::new(
                "在搜索上限内没有找到能使其后各着都成立的补法",
                "no filling that fits all that follows was found within the bound of the search",
            )
        } else {
            Words::new(
                "没有一种补法能使其后各着都成立，后面可能还有错漏",
                "no filling fits all that follows; there may be another fault behind",
            )
        };
        let unique = fits && count == 1 && survey.complete;
        Finding::new(Code::OMITTED_MOVES, words)
            .help(help)
            .with("after_ply", self.here.ply - 1)
            .with("missing", self.missing)
            .with("marked", self.marked)
            .with("sides", sides)
            .with("candidates", candidates)
            .with("count", count)
            .with("complete", survey.complete)
            .with("unique", unique)
            .with("nearest", nearest)
            .with("replays_to_ply", self.here.ply as usize - 1 + survey.first().len())
    }

    /// The likeliest filling in full Chinese notation.
    fn chinese(&self, survey: &Survey, position: &Position) -> String {
        let mut position = position.clone();
        let texts: Vec<String> = survey
            .first()
            .iter()
            .take(self.missing)
            .map(|mv| {
                let text = chinese::write(*mv, &position);
                position.play(*mv);
                text
            })
            .collect();
        texts.join(" ")
    }
}

/// The fillings as data, the likeliest first.
fn fillings(survey: &Survey) -> Vec<Value> {
    let filling = |line: &Line| {
        let moves: Vec<String> = line.moves.iter().map(Move::to_string).collect();
        json!({ "moves": moves, "score": (line.score.min(1.0) * 1e6).round() / 1e6 })
    };
    survey.begun.iter().map(filling).collect()
}
