//! What the articles on conduct, clocks and recording come to in one game.
//!
#![doc = include_str!("ARBITER.md")]

mod claims;
mod matters;
mod report;
mod times;
mod touches;

use serde_json::{Value, json};

use crate::{
    board::Side,
    finding::{Finding, Place, Span},
    record::Outcome,
    replay::Termination,
};

use super::{
    Profile,
    annotation::Annotation,
    case::Case,
    clock::{Answer, Check},
    fouls::{Foul, Ledger},
    profile::IllegalMove,
    repetition::Ruling,
    verdict::Verdict,
};

/// Something that decides the game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deciding {
    /// The ply behind which it did; 0 before the first.
    pub ply: u32,
    /// The result.
    pub result: Outcome,
    /// Whether both sides have lost, as where both are late (21.3); the result is then unknown.
    pub both_lose: bool,
    /// How the game ended.
    pub reason: Termination,
    /// The article.
    pub article: String,
    /// Whether the evidence leaves no doubt.
    pub certain: bool,
}

impl Deciding {
    /// `side` has lost.
    pub fn lost(
        side: Side,
        ply: u32,
        reason: Termination,
        article: &str,
        certain: bool,
    ) -> Deciding {
        let result = match side {
            Side::Red => Outcome::BlackWins,
            Side::Black => Outcome::RedWins,
        };
        Deciding { ply, result, both_lose: false, reason, article: article.to_owned(), certain }
    }

    /// A draw.
    pub fn drawn(ply: u32, reason: Termination, article: &str, certain: bool) -> Deciding {
        Deciding {
            ply,
            result: Outcome::Draw,
            both_lose: false,
            reason,
            article: article.to_owned(),
            certain,
        }
    }
}

impl Deciding {
    /// What a ruling decides; nothing where a side is told to change.
    pub fn by_ruling(ruling: &Ruling) -> Option<Deciding> {
        let (ply, article) = (ruling.cycle.end as u32, ruling.article.as_str());
        let lost = |side| Deciding::lost(side, ply, Termination::Repetition, article, true);
        match ruling.verdict {
            Verdict::RedLoses => Some(lost(Side::Red)),
            Verdict::BlackLoses => Some(lost(Side::Black)),
            Verdict::Draw => Some(Deciding::drawn(ply, Termination::Repetition, article, true)),
            Verdict::RedMustChange | Verdict::BlackMustChange | Verdict::Unproved => None,
        }
    }
}

/// A claim of a ruling with the answer to it (24).
#[derive(Clone, PartialEq, Debug)]
pub struct RepetitionClaim {
    /// The ply behind which it was made.
    pub ply: u32,
    /// Who claims.
    pub claimant: Side,
    /// Whether there is a repetition; unknown behind a gap.
    pub answer: Answer,
    /// The ruling, if there is one.
    pub ruling: Option<Ruling>,
}

/// Everything that follows from what is entered beside the moves.
#[derive(Clone, Debug, Default)]
pub struct Arbitration {
    /// The checks of Red's and Black's clock.
    pub clock: [Vec<Check>; 2],
    /// The fouls.
    pub fouls: Ledger,
    /// What decides the game, in the order of the plies.
    pub deciding: Vec<Deciding>,
    /// Claims of a ruling.
    pub claims: Vec<RepetitionClaim>,
    /// What is wrong, or worth knowing.
    pub findings: Vec<Finding>,
}

impl Arbitration {
    /// The fouls as the `audit` command shows them: `{"red": [{"ply", "code", "article", "count", "certain", "announced"}],
    /// "black": []}`.
    pub fn fouls_json(&self) -> Value {
        let list = |side| -> Vec<Value> {
            let fouls = self.fouls.of(side).iter();
            let entry = |foul: &Foul| {
                json!({
                    "ply": foul.ply, "code": foul.code, "article": foul.article, "count": foul.count,
                    "certain": foul.certain, "announced": foul.announced,
                })
            };
            fouls.map(entry).collect()
        };
        json!({ "red": list(Side::Red), "black": list(Side::Black) })
    }

    /// The checks of the clocks as the `audit` command shows them: `{"red": [{"check", "ply", "answer", ...}], "black": []}`.
    pub fn clock_json(&self) -> Value {
        let list = |side: Side| -> Vec<Value> {
            self.clock[side as usize].iter().map(Check::to_json).collect()
        };
        json!({ "red": list(Side::Red), "black": list(Side::Black) })
    }
}

/// Judges `case` by `profile`. `locate` gives the place of a span of the sheet with this number.
///
/// ```
/// use qijian::{finding::{Binary, Locate}, format::pgn, replay, rules::{Profile, arbiter::arbitrate, case::Case}};
///
/// let text = "1. 炮二平五 {[%offer red draw]} 马8进7 2. 马二进三 {[%offer red draw]} 车9平8 *";
/// pgn::read_str(text, &Binary, &mut |record| {
///     let game = replay::replay(&record, &Binary, &replay::Options::default());
///     let profile = Profile::default();
///     let case = Case::of(&game, &record, &profile).unwrap();
///     let found = arbitrate(&case, &profile, &|_, span| Binary.place(span));
///     // 9.1.3: repeated offers are a foul.
///     assert_eq!(found.fouls.of(qijian::board::Side::Red)[0].article, "9.1.3");
/// });
/// ```
pub fn arbitrate(
    case: &Case,
    profile: &Profile,
    locate: &dyn Fn(usize, Span) -> Place,
) -> Arbitration {
    let mut desk = Desk { case, profile, locate, found: Arbitration::default(), agreed: None };
    desk.faults();
    // What the arbiter has announced first, so that what follows from the record is told from it.
    desk.announcements();
    desk.illegal_move();
    desk.offers();
    let penalties = desk.claims();
    desk.touches();
    desk.resignations();
    desk.clocks(&penalties);
    desk.omissions();
    desk.foul_limits();
    desk.foot();
    desk.contradiction();
    let mut found = desk.found;
    found.deciding.sort_by_key(|deciding| deciding.ply);
    found
}

struct Desk<'c> {
    case: &'c Case,
    profile: &'c Profile,
    locate: &'c dyn Fn(usize, Span) -> Place,
    found: Arbitration,
    /// The ply at which both have agreed on the end.
    agreed: Option<u32>,
}

impl Desk<'_> {
    /// 4.1.6 and 4.1.2. Behind an illegal move that others follow, both players have let it stand, and what is not corrected
    /// during the game is not heard after it (5.8); or the move was made otherwise than it is written.
    fn illegal_move(&mut self) {
        let Some(illegal) = self.case.illegal else { return };
        let Some(side) = self.case.mover(illegal.ply) else { return };
        let last = illegal.ply == self.case.plies;
        match self.profile.fouls.illegal_move {
            IllegalMove::Loss => {
                let article = if illegal.facing { "4.1.2" } else { "4.1.6" };
                let reason = Termination::IllegalMove;
                self.found.deciding.push(Deciding::lost(side, illegal.ply, reason, article, last));
            }
            IllegalMove::Foul => self.foul(side, illegal.ply, "QJ301", "M5.5", last),
        }
    }

    /// Enters a foul that follows from the record.
    fn foul(&mut self, side: Side, ply: u32, code: &str, article: &str, certain: bool) {
        let foul = Foul {
            ply,
            code: code.to_owned(),
            article: article.to_owned(),
            count: 1,
            certain,
            announced: false,
            loses: false,
        };
        self.found.fouls.add(side, foul, &self.profile.fouls);
    }

    /// Whether the arbiter has announced the foul of this code there.
    fn is_announced(&self, side: Side, ply: u32, code: &str) -> bool {
        let fouls = self.found.fouls.of(side).iter();
        fouls
            .filter(|foul| foul.announced)
            .any(|foul| foul.ply.abs_diff(ply) <= 2 && foul.code == code)
    }
}

/// The names of a side.
const fn side_words(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::Red => ("红", "Red"),
        Side::Black => ("黑", "Black"),
    }
}
