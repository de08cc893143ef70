//! What explains a written move that cannot be played: the findings and proposals that come of [`super::mend`].

use serde_json::{Value, json};

use crate::{
    board::{Move, Position},
    finding::{Code, Finding, Words},
    notation::{self, chinese},
    record::{NodeId, Start},
};

use super::{
    Scene,
    likelihood::{FINE, Past, log_sum, probability},
    mend::{self, Bounds, Fault, Mending, Repair, Track},
    weigh::{self, Weighed},
};

/// An omission that explains less than this share of the likelihood is not reported: a slip explains more with less.
const LIKELY: f64 = 0.1;

/// What explains a stop, weighed.
pub(super) struct Explained<'t, 'a> {
    track: Track<'t, 'a>,
    mending: Mending,
    weighed: Vec<Weighed>,
    /// The probability of each of `weighed` among them all.
    shares: Vec<f64>,
}

impl<'t, 'a> Explained<'t, 'a> {
    /// Looks for what explains that `track` stops.
    pub(super) fn of(track: Track<'t, 'a>, effort: usize) -> Explained<'t, 'a> {
        let bounds = Bounds::of(effort);
        let mending = track.mend(bounds);
        let weighed = weigh::weigh(&track, mending.repairs.clone(), bounds);
        let sum = log_sum(weighed.iter().map(|one| one.log * FINE));
        let share = |one: &Weighed| probability(one.log * FINE - sum);
        let shares = weighed.iter().map(share).collect();
        Explained { track, mending, weighed, shares }
    }

    fn shares(&self) -> impl Iterator<Item = (&Repair, f64)> {
        self.weighed.iter().map(|one| &one.repair).zip(self.shares.iter().copied())
    }

    /// The corrections, the likeliest first.
    fn corrections(&self) -> impl Iterator<Item = (&Repair, f64)> {
        self.shares().filter(|(repair, _)| !matches!(repair.fault, Fault::Omission(_)))
    }

    /// How many plies are missing at least, if an omission is likely enough; `sure` takes it however unlikely it is.
    fn missing(&self, sure: bool) -> Option<u8> {
        let mut share = 0.0;
        let mut least: Option<u8> = None;
        for (repair, one) in self.shares() {
            if let Fault::Omission(count) = repair.fault {
                share += one;
                least = Some(least.map_or(count, |least| least.min(count)));
            }
        }
        least.filter(|_| sure || share >= LIKELY)
    }

    /// How far whatever is weighed gets at least.
    fn reach(&self) -> usize {
        self.weighed.iter().map(|one| one.repair.reach).min().unwrap_or(0)
    }

    /// Where as few plies may be missing, each with its share and the number of fillings, the likeliest first.
    fn locations(&self, missing: u8) -> Vec<Location> {
        let mut locations: Vec<Location> = Vec::new();
        for (repair, share) in self.shares() {
            if repair.fault == Fault::Omission(missing) {
                match locations.iter_mut().find(|one| one.at == repair.at) {
                    Some(one) => one.share += share,
                    None => locations.push(Location { at: repair.at, share, count: 0 }),
                }
            }
        }
        let reach = self.reach();
        for repair in &self.mending.repairs {
            if repair.fault != Fault::Omission(missing) || repair.reach < reach {
                continue;
            }
            match locations.iter_mut().find(|one| one.at == repair.at) {
                Some(one) => one.count += 1,
                None => locations.push(Location { at: repair.at, share: 0.0, count: 1 }),
            }
        }
        // Of equally likely places the last: there the reader is.
        locations.sort_by(|a, b| b.share.total_cmp(&a.share).then(b.at.cmp(&a.at)));
        locations
    }
}

/// A place where plies may be missing.
struct Location {
    at: usize,
    share: f64,
    count: usize,
}

impl Scene<'_, '_> {
    /// Looks for what explains that the main line stops behind `moves`: adds the corrections to the finding pushed last,
    /// and `QJ701` where plies are likely to be missing. `sure` if the text itself tells that they are. Says whether
    /// `QJ701` was added.
    pub(super) fn explain(
        &mut self,
        start: &Position,
        line: &[NodeId],
        moves: &[Move],
        sure: bool,
    ) -> bool {
        // What stands behind plies that a remark says to be missing cannot be played.
        let gap = line.iter().position(|id| self.said_missing(*id) > 0);
        let line = &line[..gap.unwrap_or(line.len()).max(moves.len() + 1)];
        let mut positions = vec![start.clone()];
        let mut position = start.clone();
        for mv in moves {
            position.play(*mv);
            positions.push(position.clone());
        }
        let plies = self.plies(line);
        let track = Track {
            plies: &plies,
            positions,
            moves: moves.to_vec(),
            past: Past { ending: self.ending(line), ..Past::default() },
            dialect: self.dialect,
            strict: !self.has_foreign_texts(),
            horizon: mend::horizon(&plies, moves.len()),
            jumps: self.jumps(line),
        };
        let explained = Explained::of(track, self.options.effort);
        let corrections = self.corrections(&explained);
        let help = self.correction_words(&explained);
        let omission = explained
            .missing(sure)
            .and_then(|missing| self.omission(&explained, missing, &explained.locations(missing)));
        let told = self.findings.last_mut().filter(|last| last.ply == moves.len() as u32 + 1);
        if let Some(last) = told {
            last.help = help.or(last.help.take());
            last.data.insert("corrections".to_owned(), corrections.into());
        }
        let Some(finding) = omission else { return false };
        let at = moves.len();
        let id = line[at];
        let finding = self.place_at(finding, id, at as u32 + 1).text(self.text_of(id));
        self.findings.push(finding);
        true
    }

    /// Where the round numbers jump: the place, and for how many plies there is room.
    fn jumps(&self, line: &[NodeId]) -> Vec<(usize, usize)> {
        let mut jumps = Vec::new();
        let mut shift = match self.record.start {
            Start::Standard => Some(0),
            _ => None,
        };
        for (index, id) in line.iter().enumerate() {
            let Some(written) = self.record.tree.node(*id).number else { continue };
            let ahead = i64::from(written) - i64::from(self.clock.round(index as u32 + 1));
            let jump = ahead - shift.unwrap_or(ahead);
            if (1..=16).contains(&jump) {
                jumps.push((index, 2 * jump as usize));
            }
            shift = Some(ahead);
        }
        jumps
    }

    /// The corrections as data, the likeliest first.
    fn corrections(&self, explained: &Explained<'_, '_>) -> Vec<Value> {
        let track = &explained.track;
        let written = |at: usize| track.plies[at].written.text();
        explained
            .corrections()
            .take(self.options.candidates)
            .map(|(repair, share)| {
                let ply = repair.at + 1;
                let mut value = json!({ "fault": repair.fault.as_str(), "ply": ply });
                match (repair.fault, repair.moves.first()) {
                    (Fault::Slip, Some(mv)) => {
                        value["written"] = written(repair.at).into();
                        value["move"] = mv.to_string().into();
                        value["text"] = self.text(*mv, &track.positions[repair.at]).into();
                    }
                    (Fault::Repeat(count), _) => value["count"] = count.into(),
                    (Fault::Swap, _) => value["with"] = (ply + 1).into(),
                    _ => value["with"] = (ply + 2).into(),
                }
                value["score"] = rounded(share).into();
                value
            })
            .collect()
    }

    fn text(&self, mv: Move, position: &Position) -> String {
        notation::write_as(mv, self.dialect.unwrap_or_default(), position)
    }

    /// The likeliest corrections in words.
    fn correction_words(&self, explained: &Explained<'_, '_>) -> Option<Words> {
        const SHOWN: usize = 3;
        let track = &explained.track;
        let words: Vec<(String, String)> = explained
            .corrections()
            .take(SHOWN)
            .map(|(repair, _)| {
                let ply = repair.at + 1;
                let here = repair.at == track.stop();
                match (repair.fault, repair.moves.first()) {
                    (Fault::Slip, Some(mv)) => {
                        let text = self.text(*mv, &track.positions[repair.at]);
                        if here {
                            (text.clone(), text)
                        } else {
                            let written = track.plies[repair.at].written.text();
                            (
                                format!("第 {ply} 着 {written} 应为 {text}"),
                                format!("{text} for {written} at ply {ply}"),
                            )
                        }
                    }
                    (Fault::Repeat(count), _) => (
                        format!("第 {ply} 着起 {count} 着重写"),
                        format!("{count} plies from ply {ply} on written twice"),
                    ),
                    (Fault::Swap, _) => (
                        format!("第 {ply}、{} 着写错了格", ply + 1),
                        format!("plies {ply} and {} each in the other's place", ply + 1),
                    ),
                    (Fault::Rounds, _) => (
                        format!("第 {ply} 着起两回合写颠倒"),
                        format!("two rounds from ply {ply} on exchanged"),
                    ),
                    _ => (
                        format!("第 {ply}、{} 着写颠倒", ply + 2),
                        format!("plies {ply} and {} exchanged", ply + 2),
                    ),
                }
            })
            .collect();
        if words.is_empty() {
            return None;
        }
        let (zh, en): (Vec<String>, Vec<String>) = words.into_iter().unzip();
        Some(Words::new(
            format!("可能是：{}", zh.join("；")),
            format!("it may be: {}", en.join("; ")),
        ))
    }

    /// `QJ701` where nothing marks the gap.
    fn omission(
        &self,
        explained: &Explained<'_, '_>,
        missing: u8,
        locations: &[Location],
    ) -> Option<Finding> {
        let best = locations.first()?;
        let track = &explained.track;
        let here =
            |repair: &Repair| repair.fault == Fault::Omission(missing) && repair.at == best.at;
        // What gets less far than the best fits no more than they.
        let least = explained.reach();
        let mut candidates: Vec<(&[Move], f64)> = explained
            .shares()
            .filter(|(repair, _)| here(repair))
            .map(|(repair, share)| (repair.moves.as_slice(), share / best.share))
            .collect();
        let others = explained.mending.repairs.iter();
        for repair in others.filter(|repair| here(repair) && repair.reach >= least) {
            if candidates.len() >= self.options.candidates {
                break;
            }
            if candidates.iter().all(|(moves, _)| *moves != repair.moves) {
                candidates.push((&repair.moves, 0.0));
            }
        }
        candidates.truncate(self.options.candidates);
        let reach = explained.weighed.first()?.repair.reach;
        let sides: Vec<&str> = (0..u32::from(missing))
            .map(|more| self.clock.side(best.at as u32 + 1 + more).as_str())
            .collect();
        let listed: Vec<Value> = candidates
            .iter()
            .map(|(moves, share)| {
                let moves: Vec<String> = moves.iter().map(Move::to_string).collect();
                json!({ "moves": moves, "score": rounded(*share) })
            })
            .collect();
        let likeliest = candidates.first().map_or_else(String::new, |(moves, _)| {
            let mut position = track.positions[best.at].clone();
            let texts: Vec<String> = moves
                .iter()
                .map(|mv| {
                    let text = chinese::write(*mv, &position);
                    position.play(*mv);
                    text
                })
                .collect();
            texts.join(" ")
        });
        let complete = explained.mending.complete;
        let places: Vec<Value> = locations
            .iter()
            .map(|one| json!({ "after_ply": one.at, "count": one.count, "score": rounded(one.share) }))
            .collect();
        let (at, count) = (best.at, best.count);
        let all = reach >= track.horizon;
        let words = Words::new(
            format!("第 {at} 着之后可能漏记 {missing} 着"),
            match missing {
                1 => format!("a ply may be missing after ply {at}"),
                _ => format!("{missing} plies may be missing after ply {at}"),
            },
        );
        let help = Words::new(
            format!(
                "如补 {likeliest}，其后{}；须由另一方记录核实",
                if all {
                    "各着都成立".to_owned()
                } else {
                    format!("能走到第 {reach} 着")
                }
            ),
            format!(
                "with {likeliest} {}; confirm by the other sheet",
                if all {
                    "all that follows can be played".to_owned()
                } else {
                    format!("what follows can be played up to ply {reach}")
                }
            ),
        );
        let unique = count == 1 && complete && locations.len() == 1;
        Some(
            Finding::new(Code::OMITTED_MOVES, words)
                .help(help)
                .with("after_ply", at)
                .with("missing", missing)
                .with("marked", false)
                .with("sides", sides)
                .with("candidates", listed)
                .with("count", count)
                .with("complete", complete)
                .with("unique", unique)
                .with("nearest", Vec::<Value>::new())
                .with("replays_to_ply", reach)
                .with("locations", places)
                .with("score", rounded(locations.iter().map(|one| one.share).sum())),
        )
    }
}

fn rounded(share: f64) -> f64 {
    // Sums of shares may be over one by what is lost in adding them.
    (share.min(1.0) * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use crate::{
        finding::Binary,
        format::pgn,
        replay::{Game, Options, replay},
    };

    use super::*;

    fn game(text: &str) -> Game {
        let mut found = None;
        pgn::read_str(text, &Binary, &mut |record| {
            found = Some(replay(&record, &Binary, &Options::default()));
        });
        found.expect("one game")
    }

    fn data(game: &Game, code: Code) -> &serde_json::Map<String, Value> {
        &game.findings.iter().find(|finding| finding.code == code).expect("the finding").data
    }

    fn first_correction(text: &str) -> Value {
        data(&game(text), Code::ILLEGAL_MOVE)["corrections"][0].clone()
    }

    /// CONTRACT section 5, `QJ701`: 车一平二 needs the horse gone, so Red's ply and Black's reply are missing.
    #[test]
    fn a_round_left_out_is_found() {
        let game = game("1. 炮二平五 马8进7 2. 车一平二 车9平8 3. 车二进六 *");
        let gap = data(&game, Code::OMITTED_MOVES);
        assert_eq!((&gap["missing"], &gap["after_ply"]), (&2.into(), &2.into()));
        assert_eq!(gap["sides"], json!(["red", "black"]));
        assert_eq!((&gap["marked"], &gap["complete"]), (&false.into(), &true.into()));
        assert_eq!(gap["candidates"][0]["moves"][0], "h0g2");
    }

    /// The round numbers say the same where they jump.
    #[test]
    fn jumping_numbers_are_a_sign() {
        let game = game("1. 炮二平五 马8进7 3. 车一平二 车9平8 4. 车二进六 *");
        let gap = data(&game, Code::OMITTED_MOVES);
        assert_eq!((&gap["missing"], &gap["after_ply"]), (&2.into(), &2.into()));
        assert!(game.findings.iter().any(|finding| finding.code == Code::MOVE_NUMBER));
    }

    /// CONTRACT section 6: `[%missing N]` marks a gap of so many plies.
    #[test]
    fn a_remark_marks_a_gap() {
        let game = game("1. 炮二平五 马8进7 {[%missing 2]} 2. 车一平二 车9平8 3. 车二进六 *");
        let gap = data(&game, Code::OMITTED_MOVES);
        assert_eq!((&gap["missing"], &gap["after_ply"]), (&2.into(), &2.into()));
        assert_eq!(gap["marked"], true);
        let rest = game.rest.expect("a rest");
        assert_eq!(rest.texts[..3], ["……", "……", "车一平二"]);
    }

    /// CONTRACT section 5: one finding for each gap, though only the first can be filled; three plies behind the first of them
    /// Black is to move again.
    #[test]
    fn every_marked_gap_is_told() {
        let text = "1. 炮二平五 …… 2. 马二进三 {[%missing 2]} …… 3. 车一平二 车9平8 *";
        let game = game(text);
        let gaps: Vec<_> = game
            .findings
            .iter()
            .filter(|finding| finding.code == Code::OMITTED_MOVES)
            .map(|gap| {
                let of = |key| gap.data[key].clone();
                (gap.ply, of("after_ply"), of("missing"), of("sides"), of("complete"))
            })
            .collect();
        let second = json!(["black", "red", "black"]);
        assert_eq!(gaps.len(), 2);
        assert_eq!((gaps[0].0, &gaps[0].2, &gaps[0].3), (2, &json!(1), &json!(["black"])));
        assert_eq!(gaps[1], (4, json!(3), json!(3), second, json!(false)));
    }

    /// By hand: 马八进七 and 炮八平九 exchanged, so that the cannon's way is not the horse's; a round written twice.
    #[test]
    fn other_faults_are_found() {
        let twice = "1. 炮二平五 马8进7 2. 马二进三 车9平8 3. 马二进三 车9平8 4. 车一平二 卒7进1 *";
        let repeat = first_correction(twice);
        assert_eq!((&repeat["fault"], &repeat["count"]), (&"repeat".into(), &2.into()));
        let exchanged =
            "1. 炮二平五 马8进7 2. 车一平二 车9平8 3. 马二进三 卒7进1 4. 车二进六 马2进3 *";
        let exchange = first_correction(exchanged);
        assert_eq!((&exchange["fault"], &exchange["ply"]), (&"exchange".into(), &3.into()));
    }

    /// Nothing to say where nothing explains anything.
    #[test]
    fn nonsense_has_no_explanation() {
        let game = game("1. 炮二平五 马8进7 2. 相三进九 相三进九 3. 相三进九 相三进九 *");
        assert!(game.findings.iter().all(|finding| finding.code != Code::OMITTED_MOVES));
    }

    /// A text of megabytes with the same slip in every move is told of as far as anybody reads; where each is to be repaired,
    /// each is told.
    #[test]
    fn no_game_has_findings_without_number() {
        let text = "炮2平5 马八进七 炮5平2 马七退八 ".repeat(2_000);
        let told = |repairs: bool| {
            let mut found = Vec::new();
            pgn::read_str(&text, &Binary, &mut |record| {
                found =
                    replay(&record, &Binary, &Options { repairs, ..Options::default() }).findings;
            });
            found.retain(|finding| finding.code == Code::NONSTANDARD_NOTATION);
            let more = found.last().and_then(|last| last.data.get("more").cloned());
            (found.len(), more)
        };
        assert_eq!(told(false), (4_096, Some((8_000 - 4_096).into())));
        assert_eq!(told(true), (8_000, None));
    }
}
