//! Round numbers as written against the plies counted (`QJ204`).

use crate::{
    finding::{Code, Finding, Words},
    record::{NodeId, Start},
};

use super::Scene;

/// Reports every number of the main line, given with its plies, that does not follow from the one before. A game that
/// starts from a position of its own may start at any number, and behind plies that a remark says to be missing the writer
/// may have counted them or not.
pub(super) fn check(scene: &mut Scene<'_, '_>, main: &[(u32, NodeId)]) {
    let free = scene.record.start != Start::Standard;
    let mut shift: Option<i64> = (!free).then_some(0);
    // The ply that follows if nothing is missing, and the rounds that a remark has passed over since the last number.
    let (mut next, mut passed) = (1, 0);
    for (ply, id) in main {
        let ply = *ply;
        let round = i64::from(scene.clock.round(ply));
        passed += round - i64::from(scene.clock.round(next));
        next = ply.saturating_add(1);
        let Some(written) = scene.record.tree.node(*id).number else { continue };
        let passed = std::mem::take(&mut passed);
        let expected = round + shift.unwrap_or(i64::from(written) - round);
        // The numbers after a slip usually follow the slip: each is reported once.
        shift = Some(i64::from(written) - round);
        // Back at the right number the slip is over.
        let is_right = !free && i64::from(written) == round;
        if is_right || i64::from(written) == expected || i64::from(written) == expected - passed {
            continue;
        }
        let finding = Finding::new(
            Code::MOVE_NUMBER,
            Words::new(
                format!("回合数应为 {expected}，写作 {written}"),
                format!("the round number should be {expected}, it is {written}"),
            ),
        )
        .help(Words::new("核对是否漏记或多记了着法", "check whether moves are missing or doubled"))
        .with("written", written)
        .with("expected", expected);
        let finding = scene.place_at(finding, *id, ply).text(scene.text_of(*id));
        scene.tell(finding);
    }
}
