//! Who may impose what (18.1 to 18.3), and what withdrawals do to the table (article 20).

use super::{About, in_round};
use crate::{
    event::{
        file::{PenaltyKind, Role, System},
        model::Event,
        table::{is_erased, present},
    },
    finding::{Code, Finding, Severity, Words},
};

pub(super) fn audit(event: &Event, findings: &mut Vec<Finding>) {
    authority(event, findings);
    for stage in 0..event.stages.len() {
        withdrawals(event, stage, findings);
    }
}

fn push(event: &Event, findings: &mut Vec<Finding>, finding: Finding, about: &About) {
    let names: Vec<&str> = about.entrants.iter().map(|one| event.name_of(*one)).collect();
    findings.push(
        finding.with("round", about.round).with("entrants", names).at(event.place(about.origin)),
    );
}

/// R082: a board's arbiter warns, the chief arbiter excludes, the organiser expels; who is above may do the less.
fn authority(event: &Event, findings: &mut Vec<Finding>) {
    for penalty in &event.penalties {
        let (least, article, zh, en) = match penalty.kind {
            PenaltyKind::Foul => continue,
            PenaltyKind::Warning => (Role::Arbiter, "18.1", "监局裁判", "a board's arbiter"),
            PenaltyKind::Exclusion => (Role::ChiefArbiter, "18.2", "裁判长", "the chief arbiter"),
            PenaltyKind::Expulsion => (Role::Organiser, "18.3", "竞赛组织机构", "the organiser"),
        };
        let about = About::new(penalty.round, &[penalty.entrant], penalty.origin);
        if penalty.by.is_some_and(|by| by < least) {
            let words =
                Words::new(format!("此处分只能由{zh}作出"), format!("only {en} may impose this"));
            let words = in_round(penalty.round, "", words);
            let mut finding = Finding::new(Code::SANCTION_AUTHORITY, words);
            finding.article = Some(article.into());
            push(event, findings, finding, &about);
        }
        let expelled = event.withdrawals.iter().any(|one| one.entrant == penalty.entrant);
        if penalty.kind == PenaltyKind::Expulsion && !expelled {
            let words = Words::new(
                "除名按退出处理，未见 [[withdrawal]]",
                "an expulsion is a withdrawal: none is entered",
            );
            let mut finding = Finding::new(Code::EVENT_ENTRY, words).severity(Severity::Warning);
            finding.article = Some("18.3".into());
            push(event, findings, finding, &about);
        }
    }
}

/// R085 to R088: what becomes of the results; games played after it.
fn withdrawals(event: &Event, stage: usize, findings: &mut Vec<Finding>) {
    let of = &event.stages[stage];
    for entrant in &of.entrants {
        let Some(withdrawal) = event.withdrawal(stage, *entrant) else { continue };
        let name = event.name_of(*entrant);
        let about = About::new(Some(withdrawal.after_round), &[*entrant], Some(withdrawal.origin));
        let before = withdrawal.after_round == 0;
        let rest = present(event, stage).count();
        let (words, article) = match of.system {
            System::RoundRobin if before && rest.is_multiple_of(2) => (
                Words::new(
                    format!("{name}赛前退出，剩余 {rest} 为双数，应重新制签"),
                    format!(
                        "{name} withdrew before the start; {rest} are left, an even number: draw anew"
                    ),
                ),
                "20.2",
            ),
            _ if before => (
                Words::new(format!("{name}赛前退出"), format!("{name} withdrew before the start")),
                "20.2",
            ),
            System::RoundRobin if is_erased(event, stage, *entrant) => (
                Words::new(
                    format!("{name}退出，已赛不足半数，成绩注销"),
                    format!("{name} withdrew with fewer than half played: all results are erased"),
                ),
                "20.3",
            ),
            System::RoundRobin => (
                Words::new(
                    format!("{name}退出，已赛达半数，其余作弃权"),
                    format!("{name} withdrew with half or more played: the rest is forfeited"),
                ),
                "20.3",
            ),
            _ => (
                Words::new(
                    format!("{name}退出，已赛结果有效"),
                    format!("{name} withdrew; the results stand"),
                ),
                "20.4",
            ),
        };
        let mut finding = Finding::new(Code::WITHDRAWAL, words);
        finding.article = Some(article.into());
        push(event, findings, finding, &about);
        if withdrawal.consent == Some(false) {
            let words = Words::new(
                format!("{name}未经同意退出"),
                format!("{name} withdrew without the organiser's consent"),
            );
            let mut finding = Finding::new(Code::WITHDRAWAL, words).severity(Severity::Warning);
            finding.article = Some("20.1".into());
            push(event, findings, finding, &about);
        }
        let later = of.encounters.iter().find(|one| {
            one.round.is_some_and(|round| round > withdrawal.after_round)
                && one.side_of(*entrant).is_some()
                && one.games.iter().any(|game| game.mark.is_played())
        });
        if let Some(later) = later {
            let words = Words::new(
                format!("{name}退出后仍有对局"),
                format!("{name} played after withdrawing"),
            );
            let mut finding =
                Finding::new(Code::KNOCKED_OUT, in_round(later.round, &of.name, words));
            finding.article = Some(if withdrawal.expelled { "18.3" } else { "20" }.into());
            let about = About::new(later.round, &[*entrant], later.origin);
            push(event, findings, finding, &about);
        }
    }
}
