//! Where to look for slips that leave everything legal (`QJ705`): such a slip can't be proved, since most wrong moves can
//! be played on from. What can be said is which plies a slip would make likelier than they are as written.

use serde_json::{Value, json};

use crate::{
    board::Move,
    finding::{Code, Finding, Words},
    notation::chinese,
    replay::{
        Game,
        likelihood::{self, NAT, Past},
        slip::Slips,
    },
};

use super::{Sheet, hand::Hand};

/// Places listed at most.
const MOST: usize = 5;
/// A ply is listed if another move with its slip is at most this much less likely than the move as written.
const NEAR: i32 = NAT;
/// Plies looked at.
const PLIES: usize = 400;

/// The places of a sheet's game, one finding; none where every ply is likelier as written.
pub(super) fn places(sheet: &Sheet<'_, '_>, hand: &Hand<'_>, game: &Game) -> Option<Finding> {
    let start = game.start.as_ref()?;
    let mut position = start.clone();
    let mut past = Past::default();
    let mut found: Vec<(i32, Value)> = Vec::new();
    for (index, (mv, held)) in game.moves.iter().zip(&hand.cells).take(PLIES).enumerate() {
        let logs = likelihood::log_likelihoods(&position, past);
        let of = |mv: Move| {
            logs.iter().find(|(legal, _)| *legal == mv).map_or(-20 * NAT, |(_, log)| *log)
        };
        let as_written = of(*mv);
        let slips = Slips::of(held.written, game.dialect);
        let others = logs.iter().filter(|(other, _)| other != mv);
        let best = others.map(|(other, log)| (log - slips.cost(*other, &position), *other)).max();
        if let Some((log, other)) = best
            && log > as_written - NEAR
        {
            let place = json!({
                "ply": index + 1,
                "written": held.written.text(),
                "instead": other.to_string(),
                "text": chinese::write(other, &position),
                "nats": rounded(log - as_written),
            });
            found.push((log - as_written, place));
        }
        position.play(*mv);
        past = past.after(*mv);
    }
    found.sort_by_key(|(gain, _)| std::cmp::Reverse(*gain));
    found.truncate(MOST);
    let first = found.first()?.1["ply"].as_u64()? as u32;
    let plies: Vec<String> = found.iter().map(|(_, place)| place["ply"].to_string()).collect();
    let list: Vec<Value> = found.into_iter().map(|(_, place)| place).collect();
    let (side, round) = super::record::clock(start, first);
    let finding = Finding::new(
        Code::PLACES_TO_LOOK,
        Words::new(
            format!("若有不违规的笔误，最可能在第 {} 着", plies.join("、")),
            format!("a slip that breaks no rule would be likeliest at ply {}", plies.join(", ")),
        ),
    )
    .help(Words::new(
        "这只是查看之处，不是错误；对照另一份记录",
        "places to look, not faults; compare the other sheet",
    ))
    .with("places", list)
    .ply(first, round, side);
    let node = hand.cells.get(first as usize - 1)?.node?;
    Some(finding.at(sheet.locate.place(sheet.record.tree.node(node).span)))
}

fn rounded(nats: i32) -> f64 {
    (f64::from(nats) / f64::from(NAT) * 1e3).round() / 1e3
}
