//! Round robins against the order table (附录一; 13.1, 13.2): rounds, pairs and who is listed first.

use super::{About, Audit};
use crate::{
    event::{
        file::{Kind, System},
        model::Encounter,
        order_table::{Known, even, infer, meeting, rounds},
    },
    finding::{Code, Severity, Words},
    rules::RedBoards,
};

impl Audit<'_> {
    /// Whether the source shows who is listed first: a team match without board numbers does not.
    fn first_is_known(&self, encounter: &Encounter) -> bool {
        self.event.kind == Kind::Individual || encounter.games.iter().any(|game| game.board_given)
    }

    /// R059, R067, R068: pairs in the rounds of the table, the first-listed number with Red.
    pub(super) fn order(&mut self) {
        let entrants = &self.stage.entrants;
        let count = u32::try_from(entrants.len()).unwrap_or(u32::MAX);
        if self.stage.system != System::RoundRobin || self.stage.carry || count < 3 {
            return;
        }
        let length = rounds(count);
        let line = |entrant: usize| entrants.iter().position(|one| *one == entrant);
        let mut known: Vec<Known> = Vec::new();
        let mut colours = Vec::new();
        let reversed = self.event.rules.second_cycle_reversed && self.stage.cycles > 1;
        let within = |round: u32| {
            let within = (round - 1) % length + 1;
            let turned = reversed && round <= length && length > 2 && within >= length - 1;
            if turned { 2 * length - 1 - within } else { within }
        };
        for encounter in self.encounters() {
            let (Some(round), Some(one)) =
                (encounter.round.filter(|round| *round > 0), encounter.entrants[0])
            else {
                continue;
            };
            let Some(one) = line(one) else { continue };
            match encounter.entrants[1] {
                None if even(count) == count => {}
                None => known.push((within(round), one, None)),
                Some(other) => {
                    let Some(other) = line(other) else { continue };
                    known.push((within(round), one, Some(other)));
                    let second_cycle = (round - 1) / length % 2 == 1;
                    if self.first_is_known(encounter) {
                        colours.push(if second_cycle { (other, one) } else { (one, other) });
                    }
                }
            }
        }
        if known.len() < 2 {
            return;
        }
        // Numbers of another range, such as those of a whole event, are no draw numbers of the stage.
        let given: Option<Vec<Option<u32>>> = entrants
            .iter()
            .map(|one| {
                self.event.number_of(*one).filter(|number| (1..=count).contains(number)).map(Some)
            })
            .collect();
        let is_given = given.is_some();
        let Some(numbers) = given.or_else(|| infer(entrants.len(), &known, &colours)) else {
            let words = Words::new(
                "编排不是对局秩序表的顺序（任何签号都对不上）",
                "the pairings are not those of the order table, whatever numbers were drawn",
            );
            self.report(
                Code::ORDER_TABLE,
                Some(Severity::Warning),
                Some("11.2"),
                &About::default(),
                words,
            );
            self.help(Words::new(
                "若按签号编排，在 [[player]] 或 [[team]] 中写明 no，再逐对核对",
                "if numbers were drawn, give them as `no` of each [[player]] or [[team]]; every pair is then compared",
            ));
            return;
        };
        for encounter in self.encounters() {
            let (Some(round), Some([a, b])) =
                (encounter.round.filter(|round| *round > 0), encounter.pair())
            else {
                continue;
            };
            let (Some(first), Some(second)) = (line(a), line(b)) else { continue };
            let (Some(x), Some(y)) = (numbers[first], numbers[second]) else { continue };
            let (due, (mut red, _)) = meeting(count, x, y);
            let [one, other] = [a, b].map(|one| self.event.name_of(one));
            let about = About::encounter(encounter, &[a, b]);
            if due != within(round) {
                let words = Words::new(
                    format!("{one}（{x} 号）与{other}（{y} 号）应在第 {due} 轮相遇"),
                    format!("{one} (no. {x}) and {other} (no. {y}) are to meet in round {due}"),
                );
                self.report(Code::ORDER_TABLE, None, None, &about, words);
                continue;
            }
            if (round - 1) / length % 2 == 1 {
                red = if red == x { y } else { x };
            }
            // Home and away is another order of colours than the table's.
            let by_table = self.event.rules.red_boards == RedBoards::Odd
                && !encounter.home_given
                && self.first_is_known(encounter);
            if red != x && by_table {
                let words = Words::new(
                    format!("{other}（{y} 号）应为先走，表上列在前"),
                    format!("{other} (no. {y}) is to have Red: the table lists it first"),
                );
                let article = match self.event.kind {
                    Kind::Individual => "13.1",
                    Kind::Team => "13.2",
                };
                // Numbers that were inferred rest on most colours being right.
                let severity = (!is_given).then_some(Severity::Warning);
                self.report(Code::WRONG_COLOUR, severity, Some(article), &about, words);
            }
        }
    }
}
