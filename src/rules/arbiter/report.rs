//! Findings about entries, with their places.

use crate::finding::{Code, Finding, Words};

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
                .at((self.locate)(0, fault.span))
                .text(fault.text.clone())
                .with("why", fault.why)
                .with("count", count);
            self.found.findings.push(finding);
        }
    }

    /// A finding about an entry.
    pub(super) fn finding(&self, code: Code, words: Words, entry: &Annotation) -> Finding {
        self.finding_at(code, words, entry.ply).at((self.locate)(entry.sheet, entry.span))
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
