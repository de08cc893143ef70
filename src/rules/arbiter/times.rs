//! Clocks, and moves left out, which the clock may excuse (articles 6, 7.1, 7.2, 21, 22, 23.3).

use crate::{
    board::Side,
    finding::{Code, Severity, Words},
    record::Outcome,
    replay::Termination,
    rules::{
        annotation::Event,
        clock::{self, Answer, Check, CheckKind, Setting},
        fouls::Foul,
        profile::Unit,
        recording::{self, Keeper, OmissionFoul, Run},
    },
};

use super::{Deciding, Desk, claims::Penalties, side_words};

impl Desk<'_> {
    /// Articles 6, 21, 22 and 23.3.
    pub(super) fn clocks(&mut self, penalties: &Penalties) {
        let mut late = Vec::new();
        for side in Side::ALL {
            let mut clock = self.case.clock(side);
            let own = penalties.iter().filter(|(other, ..)| *other == side);
            clock.penalties = own.map(|(_, ply, ms)| (*ply, *ms)).collect();
            let checks = clock::check(&clock, self.setting(side));
            for check in &checks {
                self.clock_finding(side, check);
                let article = if check.kind == CheckKind::Penalty { "23.3" } else { "4.1.4" };
                let lost =
                    |certain| Deciding::lost(side, check.ply, Termination::Time, article, certain);
                match (check.kind, check.answer) {
                    (CheckKind::Lateness, Answer::Fail) => late.push(side),
                    // What the press decides, the period decides.
                    (CheckKind::Press, Answer::Fail) => {}
                    (CheckKind::Press, Answer::Unknown) => self.found.deciding.push(lost(false)),
                    // 22.5: a flag that falls behind the last move does not undo the end of the game.
                    (CheckKind::Flag, Answer::Fail)
                        if self.setting(side).ended_at == Some(check.ply) =>
                    {
                        self.found.deciding.push(lost(false));
                    }
                    (kind, Answer::Fail) if kind.loses() => self.found.deciding.push(lost(true)),
                    _ => {}
                }
            }
            self.found.clock[side as usize] = checks;
        }
        match late[..] {
            [side] => {
                self.found.deciding.push(Deciding::lost(
                    side,
                    0,
                    Termination::Forfeit,
                    "4.1.5",
                    true,
                ));
            }
            [_, _] => self.found.deciding.push(Deciding {
                both_lose: true,
                result: Outcome::Unknown,
                ..Deciding::drawn(0, Termination::Forfeit, "21.3", true)
            }),
            _ => {}
        }
    }

    fn setting(&self, side: Side) -> Setting<'_> {
        self.case.setting(side, self.profile, self.agreed)
    }

    /// A finding for a check that fails; what passes or is not known is the audit's to list.
    fn clock_finding(&mut self, side: Side, check: &Check) {
        if check.answer != Answer::Fail || check.kind == CheckKind::Press {
            return;
        }
        let lost = Deciding::lost(side, check.ply, Termination::Time, "4.1.4", true).result;
        let code = match check.kind {
            CheckKind::Lateness | CheckKind::LatenessDeducted => Code::LATENESS,
            CheckKind::Total => Code::SHEET_FOOT,
            kind if kind.loses() => Code::TIME_OVERSTEPPED,
            _ => Code::CLOCK_INCONSISTENT,
        };
        let severity = match (check.kind.loses(), self.case.outcome) {
            (true, outcome) if outcome == lost => Severity::Info,
            (false, _) | (true, Outcome::Unknown) => Severity::Warning,
            (true, _) => Severity::Error,
        };
        // A flag that the record tells of, with the result that follows, is nothing amiss.
        if check.kind == CheckKind::Flag && severity == Severity::Info {
            return;
        }
        let (zh, en) = side_words(side);
        let words =
            Words::new(format!("{zh}方：{}", check.words.zh), format!("{en}: {}", check.words.en));
        let finding = self.finding_at(code, words, check.ply);
        let told = |event: &Event| match check.kind {
            CheckKind::Flag => *event == Event::Flag,
            CheckKind::Lateness => matches!(event, Event::Late(_)),
            CheckKind::Total => false,
            _ => matches!(event, Event::Clock(_) | Event::Elapsed(_) | Event::Made(_)),
        };
        let mut finding = self
            .at_entry(finding, (check.ply, Some(side)), told)
            .severity(severity)
            .with("check", check.kind.as_str())
            .with("side", side.as_str());
        finding.article = Some(check.article.into());
        finding.data.extend(check.data.clone());
        self.found.findings.push(finding);
    }

    /// 7.1, 7.2: each player's own sheet.
    pub(super) fn omissions(&mut self) {
        let case = self.case;
        let rules = self.profile.recording;
        for (number, sheet) in case.sheets.iter().enumerate() {
            let owner = sheet.owner.filter(|_| !sheet.runs.is_empty());
            let clock = owner.map(|owner| (owner, case.clock(owner)));
            let setting = |(owner, clock)| Keeper::new(clock, self.setting(owner));
            let keeper = clock.as_ref().map(|(owner, clock)| setting((*owner, clock)));
            let mut judged = Vec::new();
            for run in &sheet.runs {
                judged.extend(
                    recording::judge(run, case.start.side(), keeper.as_ref(), &rules)
                        .map(|foul| (run, foul)),
                );
            }
            for (run, foul) in judged {
                if let Some(owner) = owner.filter(|_| foul.exempt != Answer::Pass) {
                    let entry = Foul {
                        ply: run.after_ply + run.plies,
                        code: Code::OMISSION_FOUL.to_string(),
                        article: "7.1".to_owned(),
                        count: foul.fouls,
                        certain: foul.exempt == Answer::Fail,
                        announced: false,
                        loses: false,
                    };
                    self.found.fouls.add(owner, entry, &self.profile.fouls);
                }
                self.omission_finding(number, owner, run, foul);
            }
        }
    }

    fn omission_finding(
        &mut self,
        number: usize,
        owner: Option<Side>,
        run: &Run,
        foul: OmissionFoul,
    ) {
        let rules = self.profile.recording;
        let (unit_zh, unit_en) = match rules.unit {
            Unit::Ply => ("着", "moves"),
            Unit::Round => ("个回合", "rounds"),
        };
        let (who_zh, who_en) = match owner.map(side_words) {
            Some((zh, en)) => (format!("{zh}方的记录"), format!("{en}'s sheet")),
            None => (
                "记录（未写明何方所记）".to_owned(),
                "the sheet (its keeper is not named)".to_owned(),
            ),
        };
        let seconds = rules.exempt_seconds;
        let (exempt, note_zh, note_en) = match (foul.exempt, foul.next_period_ply) {
            (Answer::Pass, _) => (
                "yes",
                format!("；所剩时限不足 {seconds} 秒，可暂缓记录，不计犯规"),
                format!(": no foul, with less than {seconds} s left recording could wait"),
            ),
            (Answer::Fail, Some(ply)) => (
                "no",
                format!("；虽曾不足 {seconds} 秒，但进入下一时限（第 {ply} 着）前没有补全"),
                format!(
                    "; with less than {seconds} s left it could wait, but was not made up before ply {ply} of the next period"
                ),
            ),
            (Answer::Fail, None) => ("no", String::new(), String::new()),
            (Answer::Unknown, _) => (
                "unknown",
                "；当时所剩时限不明，可能可以暂缓".to_owned(),
                "; the time left is not known, so it may have been excused".to_owned(),
            ),
        };
        let severity = match (owner, foul.exempt) {
            (None, _) | (_, Answer::Pass) => Severity::Info,
            (_, Answer::Fail) => Severity::Error,
            (_, Answer::Unknown) => Severity::Warning,
        };
        let (length, fouls) = (foul.run, foul.fouls);
        let (times_zh, times_en) = match (foul.exempt, fouls) {
            (Answer::Pass, _) => (String::new(), String::new()),
            (_, 1) => ("，计犯规 1 次".to_owned(), ": a foul".to_owned()),
            _ => (format!("，计犯规 {fouls} 次"), format!(": {fouls} fouls")),
        };
        let words = Words::new(
            format!("{who_zh}连续漏记 {length} {unit_zh}{times_zh}{note_zh}"),
            format!("{who_en} omits {length} {unit_en} in a row{times_en}{note_en}"),
        );
        let ply = (run.after_ply + 1).min(self.case.plies);
        let mut finding = self
            .finding_at(Code::OMISSION_FOUL, words, ply)
            .severity(severity)
            .at((self.locate)(number, run.span))
            .with("sheet", owner.map(Side::as_str))
            .with("after_ply", run.after_ply)
            .with("run", length)
            .with("unit", rules.unit.as_str())
            .with("fouls", fouls)
            .with("exempt", exempt);
        finding = self.on_sheet(finding, number);
        if let Some(ply) = foul.next_period_ply {
            finding = finding.with("not_made_up_before_ply", ply);
        }
        self.found.findings.push(finding);
    }
}
