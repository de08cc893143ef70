//! Findings about entries, with their places.

use crate::{
    board::Side,
    finding::{Code, Finding, Words},
    replay::Termination,
    rules::annotation::{Claim, Event, Reply},
};

use super::{Annotation, Desk};

impl Desk<'_> {
    /// `QJ801` for entries that are not well formed; of many times in a column one finding, with their number.
    pub(super) fn faults(&mut self) {
        let faults = &self.case.annotations.faults;
        let mut told: Vec<&str> = Vec::new();
        for fault in faults {
            let of_times = fault.why.starts_with("no time");
            if of_times && told.contains(&fault.why) {
                continue;
            }
            let mut count = 1;
            if of_times {
                told.push(fault.why);
                count = faults.iter().filter(|other| other.why == fault.why).count();
            }
            let (zh, en) = fault_words(fault.why);
            let finding = self
                .finding_at(Code::MALFORMED_ANNOTATION, Words::new(zh, en), fault.ply)
                .at((self.locate)(fault.sheet, fault.span))
                .text(fault.text.clone())
                .with("why", fault.why)
                .with("count", count);
            let finding = self.on_sheet(finding, fault.sheet);
            self.found.findings.push(finding);
        }
    }

    /// `QJ405`: the first thing that decides beyond doubt, where no other finding sets it against the recorded result.
    pub(super) fn contradiction(&mut self) {
        let certain = self.found.deciding.iter().filter(|deciding| deciding.certain);
        let Some(first) = certain.min_by_key(|deciding| deciding.ply) else { return };
        let told = matches!(first.reason, Termination::Time | Termination::IllegalMove)
            || first.article == "4.1.8"
            || first.article == "4.1.5";
        let recorded = self.case.outcome;
        if told || first.both_lose || !first.result.contradicts(recorded) {
            return;
        }
        let (reason_zh, reason_en) = reason_words(first.reason);
        let expected = first.result.as_str();
        let words = Words::new(
            format!(
                "第 {} 着后{reason_zh}，应为 {expected}，记作 {}",
                first.ply,
                recorded.as_str()
            ),
            format!(
                "{reason_en} after ply {}: {expected}; the record says {}",
                first.ply,
                recorded.as_str()
            ),
        );
        let by = |event: &Event| match first.reason {
            Termination::Agreement => *event == Event::Reply(Reply::Accept),
            Termination::Resignation => *event == Event::Resign,
            Termination::Repetition => *event == Event::Claim(Claim::Repetition),
            Termination::NaturalLimit => *event == Event::Claim(Claim::NaturalLimit),
            Termination::Foul => matches!(event, Event::Foul(_)),
            _ => false,
        };
        let mut finding = self.finding_at(Code::RESULT_CONTRADICTS_EVENT, words, first.ply);
        for side in Side::ALL {
            finding = self.at_entry(finding, (first.ply, Some(side)), by);
        }
        let mut finding = finding
            .with("reason", first.reason.as_str())
            .with("expected", expected)
            .with("recorded", recorded.as_str());
        finding.article = Some(first.article.clone().into());
        self.found.findings.push(finding);
    }

    /// A finding about an entry.
    pub(super) fn finding(&self, code: Code, words: Words, entry: &Annotation) -> Finding {
        self.on_sheet(self.finding_at(code, words, entry.ply), entry.sheet)
            .at((self.locate)(entry.sheet, entry.span))
    }

    /// Puts a finding where an entry of `side` behind `ply` stands of which it tells, the own sheet's before the other's. What
    /// follows from several plies has the place of its ply.
    pub(super) fn at_entry(
        &self,
        finding: Finding,
        (ply, side): (u32, Option<Side>),
        tells: impl Fn(&Event) -> bool,
    ) -> Finding {
        let list = &self.case.annotations.list;
        let from = list.partition_point(|entry| entry.ply < ply);
        let here = list[from..].iter().take_while(|entry| entry.ply == ply);
        let mut told = here.filter(|entry| entry.side == side && tells(&entry.event));
        let Some(first) = told.next() else { return finding };
        let own = |entry: &&Annotation| {
            self.case.sheets.get(entry.sheet).is_some_and(|sheet| sheet.owner == side)
        };
        let entry = if own(&first) { first } else { told.find(own).unwrap_or(first) };
        self.on_sheet(finding, entry.sheet).at((self.locate)(entry.sheet, entry.span))
    }

    /// Tells of two sheets which one a finding is about.
    pub(super) fn on_sheet(&self, finding: Finding, sheet: usize) -> Finding {
        match self.case.sheets.len() {
            0 | 1 => finding,
            _ => finding.with("sheet_no", sheet + 1),
        }
    }

    /// A finding about a ply; 0 for the whole game.
    pub(super) fn finding_at(&self, code: Code, words: Words, ply: u32) -> Finding {
        let finding = Finding::new(code, words);
        match self.case.mover(ply) {
            Some(side) => finding.ply(ply, self.case.round(ply), side),
            None => finding,
        }
    }
}

fn reason_words(reason: Termination) -> (&'static str, &'static str) {
    match reason {
        Termination::Agreement => ("议和", "a draw agreed"),
        Termination::Resignation => ("认输", "a resignation"),
        Termination::Repetition => ("要求裁决循环", "a ruling claimed"),
        Termination::NaturalLimit => ("提自然限着", "the natural limit claimed"),
        Termination::Foul => ("判负的犯规", "a breach that loses"),
        Termination::Forfeit => ("弃权", "a forfeit"),
        _ => ("已决胜负", "decided"),
    }
}

/// What is wrong with an entry, in both languages.
fn fault_words(why: &'static str) -> (&'static str, &'static str) {
    let zh = match why {
        "the command is not closed by ]" => "标注没有以 ] 结束",
        "more words than the command has" => "标注中有多余的词",
        "no time: write H:MM:SS" => "时间不识，写作 时:分:秒",
        "no time: write M:SS or H:MM:SS" => "时间不识或没有单位，写作 分:秒 或 时:分:秒",
        "a claim is of natural-limit or of repetition" => {
            "提请只有 natural-limit（自然限着）和 repetition（循环）两种"
        }
        "an offer is of a draw" => "提议只有 draw（和棋）一种",
        "a reply is refuse or accept" => "应答写 refuse（拒绝）或 accept（同意）",
        "a foul names its article or kind: [%foul red 9.1.3]" => {
            "犯规须写明条号：[%foul red 9.1.3]"
        }
        "a touch names squares: [%touch e3 e6]" | "a touch names squares: 摸子 e3 e6" => {
            "摸子须写明位置：[%touch e3 e6]"
        }
        "how many plies are missing: [%missing 2]" => "须写明漏记几着：[%missing 2]",
        "how late: 迟到 12:30" => "须写明迟到多久：迟到 12:30",
        "whose: name the side, red or black" => "没有写明是哪一方",
        _ => "标注不合格式",
    };
    (zh, why)
}
