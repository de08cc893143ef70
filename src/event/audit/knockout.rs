//! Knockouts: nobody plays on who is out, byes in the first round only, and every encounter has a winner (11.1).

use super::{About, Audit};
use crate::{
    event::{
        file::Draw,
        knockout::{Standing, standing, state},
    },
    finding::{Code, Severity, Words},
};

impl Audit<'_> {
    /// R058, R128.
    pub(super) fn knockout(&mut self) {
        if !self.stage.system.is_knockout() {
            return;
        }
        for encounter in self.encounters() {
            let round = encounter.round.unwrap_or(0);
            if encounter.is_bye() {
                if round > 1
                    && self.stage.draw == Draw::Bracket
                    && self.stage.system == crate::event::System::Knockout
                {
                    let words = Words::new("轮空只应在第一轮", "byes belong into the first round");
                    let entrants: Vec<usize> = encounter.entrants.into_iter().flatten().collect();
                    let about = About::encounter(encounter, &entrants);
                    self.report(Code::UNDUE_BYE, None, Some("11.1"), &about, words);
                }
                continue;
            }
            let before = state(self.event, self.index, Some(round.saturating_sub(1)));
            let Some(pair) = encounter.pair() else { continue };
            for entrant in pair {
                let out = before.out.get(&entrant).filter(|_| encounter.places.is_none());
                if let Some(out) = out {
                    let name = self.event.name_of(entrant);
                    let words = Words::new(
                        format!("{name}已在第 {out} 轮被淘汰"),
                        format!("{name} was knocked out in round {out}"),
                    );
                    self.report(
                        Code::KNOCKED_OUT,
                        None,
                        None,
                        &About::encounter(encounter, &[entrant]),
                        words,
                    );
                }
            }
            let about = About::encounter(encounter, &pair);
            match standing(self.event, self.index, encounter) {
                Standing::Level => {
                    let words = Words::new("未分胜负", "nobody has won");
                    self.report(
                        Code::RESULTS_MISSING,
                        Some(Severity::Warning),
                        None,
                        &about,
                        words,
                    );
                    self.help(Words::new(
                        "加赛记作一局 speed = \"rapid\"，抽签记作 [[decision]] by = \"lot\"",
                        "enter an extra game with speed = \"rapid\", or a lot as [[decision]] with by = \"lot\"",
                    ));
                }
                Standing::Unfinished if !encounter.games.is_empty() => {
                    let words = Words::new("对局未完", "games are still to be played");
                    self.report(Code::RESULTS_MISSING, None, None, &about, words);
                }
                _ => {}
            }
        }
    }
}
