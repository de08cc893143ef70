//! Announcements, offers, ends, and the foot of the sheet: each entry judged, and what it decides.

use crate::{
    board::Side,
    finding::{Code, Severity, Words},
    record::Outcome,
    replay::Termination,
    rules::{
        annotation::Event,
        offers::{self, Outcome as Answered},
    },
};

use super::{Deciding, Desk, side_words};

impl Desk<'_> {
    /// What the arbiter has announced (9.2).
    pub(super) fn announcements(&mut self) {
        let case = self.case;
        let mut noted: Vec<(Side, u32, &str, usize)> = Vec::new();
        for entry in &case.annotations.list {
            let (Event::Foul(code), Some(side)) = (&entry.event, entry.side) else { continue };
            // Two sheets may both note it.
            let again = case.sheets.len() > 1
                && noted.iter().rev().take(64).take_while(|(_, ply, ..)| ply + 1 >= entry.ply).any(
                    |(other, _, known, sheet)| {
                        *other == side && *known == code && *sheet != entry.sheet
                    },
                );
            if again {
                continue;
            }
            noted.push((side, entry.ply, code, entry.sheet));
            if self.found.fouls.announce(side, entry.ply, code, &self.profile.fouls).is_none() {
                let words = Words::new(
                    format!("规则中没有“{code}”这种犯规"),
                    format!("the rules know no foul {code:?}"),
                );
                let help = Words::new(
                    "写条号，如 9.1.3；qijian rules 列出各种犯规",
                    "name the article, such as 9.1.3; `qijian rules` lists the kinds",
                );
                let finding = self.finding(Code::MALFORMED_ANNOTATION, words, entry).help(help);
                self.found.findings.push(finding.with("why", "unknown foul"));
            }
        }
        for side in Side::ALL {
            for foul in self.found.fouls.of(side).iter().filter(|foul| foul.loses) {
                let lost = Deciding::lost(side, foul.ply, Termination::Foul, &foul.article, true);
                self.found.deciding.push(lost);
            }
        }
    }

    /// 23.1.
    pub(super) fn offers(&mut self) {
        let case = self.case;
        let alternate = self.profile.conduct.alternate_offers;
        let mover = |ply| case.mover(ply);
        for offers::Judged { entry, outcome } in
            offers::judge(case.annotations.list.iter(), mover, case.plies, alternate)
        {
            let Some(side) = entry.side else { continue };
            let (zh, en) = side_words(side);
            match outcome {
                Answered::Repeated { before } => {
                    let certain = !case.all_omit(before, entry.ply);
                    self.foul(side, entry.ply, "QJ811", "9.1.3", certain);
                    let announced = self.is_announced(side, entry.ply, "QJ811");
                    let words = match certain {
                        true => Words::new(
                            format!(
                                "{zh}方连续提和（上次在第 {before} 着，其间对方未提）：犯规一次"
                            ),
                            format!(
                                "{en} offers again, the other side not having offered since ply {before}: a foul"
                            ),
                        ),
                        false => Words::new(
                            format!(
                                "{zh}方再次提和（上次在第 {before} 着）；其间有漏记，对方是否提过不明"
                            ),
                            format!(
                                "{en} offers again after ply {before}; plies are missing in between, so whether the other side has offered is not known"
                            ),
                        ),
                    };
                    let finding = self
                        .finding(Code::DRAW_OFFER, words, entry)
                        .severity(match (announced, certain) {
                            (true, _) => Severity::Info,
                            (false, true) => Severity::Error,
                            (false, false) => Severity::Warning,
                        })
                        .with("kind", "repeated")
                        .with("side", side.as_str())
                        .with("before_ply", before);
                    self.found.findings.push(finding);
                }
                Answered::OutOfPlace => {
                    let words = Words::new(
                        format!("{zh}方提和不在自己走棋之后"),
                        format!("{en} offers a draw, but not after an own move"),
                    );
                    let finding = self
                        .finding(Code::DRAW_OFFER, words, entry)
                        .severity(Severity::Warning)
                        .with("kind", "out_of_place")
                        .with("side", side.as_str());
                    self.found.findings.push(finding);
                }
                Answered::NothingToAnswer => {
                    let words = Words::new(
                        format!("{zh}方应答，但没有待答的提和（走子即为拒绝）"),
                        format!("{en} answers, but no offer is open; a move refuses it"),
                    );
                    let finding = self.finding(Code::REPLY_WITHOUT_OFFER, words, entry);
                    self.found.findings.push(finding.with("side", side.as_str()));
                }
                Answered::Agreed => {
                    self.agreed = self.agreed.or(Some(entry.ply));
                    let draw = Deciding::drawn(entry.ply, Termination::Agreement, "4.2.2", true);
                    self.found.deciding.push(draw);
                }
                Answered::Proper | Answered::Refused => {}
            }
        }
    }

    /// Resignations (4.1.9).
    pub(super) fn resignations(&mut self) {
        for entry in &self.case.annotations.list {
            let (Event::Resign, Some(side)) = (&entry.event, entry.side) else { continue };
            // 22.5: a resignation stands although the other side did not press its clock in time.
            self.agreed = self.agreed.or(Some(entry.ply));
            let lost = Deciding::lost(side, entry.ply, Termination::Resignation, "4.1.9", true);
            self.found.deciding.push(lost);
        }
    }

    /// 4.1.8: so many fouls lose.
    pub(super) fn foul_limits(&mut self) {
        for reached in self.found.fouls.reached(&self.profile.fouls) {
            let reason = Termination::Foul;
            let lost = Deciding::lost(reached.side, reached.ply, reason, "4.1.8", reached.certain);
            let severity = match self.case.outcome {
                outcome if outcome == lost.result => Severity::Info,
                Outcome::Unknown => Severity::Warning,
                _ if reached.certain => Severity::Error,
                _ => Severity::Warning,
            };
            self.found.deciding.push(lost);
            let (zh, en) = side_words(reached.side);
            let (maybe_zh, maybe_en) =
                if reached.certain { ("已", "has made") } else { ("可能已", "may have made") };
            let count = reached.count;
            let words = Words::new(
                format!("{zh}方{maybe_zh}犯规 {count} 次，判负"),
                format!("{en} {maybe_en} {count} fouls, which lose"),
            );
            let finding = self.finding_at(Code::FOUL_LIMIT, words, reached.ply);
            let last = (reached.ply, Some(reached.side));
            let finding = self
                .at_entry(finding, last, |event| matches!(event, Event::Foul(_)))
                .severity(severity)
                .with("side", reached.side.as_str())
                .with("fouls", count)
                .with("limit", self.profile.fouls.limit)
                .with("certain", reached.certain);
            self.found.findings.push(finding);
        }
    }

    /// 10.1: signatures and fouls at the foot of the sheet.
    pub(super) fn foot(&mut self) {
        for (number, sheet) in self.case.sheets.iter().enumerate() {
            if !sheet.unsigned.is_empty() {
                let words = Words::new(
                    format!("未签字：{}", sheet.unsigned.join("、")),
                    format!("not signed: {}", sheet.unsigned.join(", ")),
                );
                let finding = self
                    .finding_at(Code::SHEET_FOOT, words, 0)
                    .with("check", "signatures")
                    .with("fields", sheet.unsigned.clone());
                let finding = self.on_sheet(finding, number);
                self.found.findings.push(finding);
            }
            for side in Side::ALL {
                let certain = self.found.fouls.of(side).iter().filter(|foul| foul.certain);
                let shown: u32 = certain.map(|foul| foul.count).sum();
                // More fouls than the record shows may have been given; fewer than are certain may not.
                let Some(noted) = sheet.fouls[side as usize].filter(|noted| *noted < shown) else {
                    continue;
                };
                let (zh, en) = side_words(side);
                let words = Words::new(
                    format!("{zh}方犯规记作 {noted} 次，按记录有 {shown} 次"),
                    format!("{en}'s fouls are noted as {noted}; the record shows {shown}"),
                );
                let finding = self
                    .finding_at(Code::SHEET_FOOT, words, 0)
                    .with("check", "fouls")
                    .with("side", side.as_str())
                    .with("noted", noted)
                    .with("fouls", shown);
                let finding = self.on_sheet(finding, number);
                self.found.findings.push(finding);
            }
        }
    }
}
