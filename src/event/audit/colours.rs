//! Who had Red: on the boards of a team match, in the second of two games, over a Swiss event (article 13).

use std::collections::BTreeMap;

use super::{About, Audit};
use crate::{
    event::{
        file::{Kind, Speed, System},
        swiss::{Colours, Limits, has_red},
    },
    finding::{Code, Severity, Words},
    rules::RedBoards,
};

impl Audit<'_> {
    pub(super) fn colours(&mut self) {
        match self.event.kind {
            Kind::Team if self.stage.system != System::AllPlayAll => self.boards(),
            Kind::Team => {}
            Kind::Individual => self.second_games(),
        }
        if self.stage.system == System::Swiss {
            self.balance();
        }
        let free = self.event.rules.red_boards == RedBoards::Free;
        if self.stage.system == System::RoundRobin && self.stage.cycles == 2 && !free {
            self.home_and_away();
        }
    }

    /// R068, R069, R114: the first team has Red on the odd boards, or on all.
    fn boards(&mut self) {
        let all = self.event.rules.red_boards == RedBoards::All;
        if self.event.rules.red_boards == RedBoards::Free {
            return;
        }
        for encounter in self.encounters() {
            for game in encounter.slow().filter(|game| game.board_given) {
                let due = if all || game.board % 2 == 1 { 0 } else { 1 };
                let Some(pair) = encounter.pair().filter(|_| game.red != due) else { continue };
                let (board, name) = (game.board, self.event.name_of(pair[due]));
                let words = Words::new(
                    format!("第 {board} 台应由{name}执红"),
                    format!("board {board}: {name} is to have Red"),
                );
                let article = match (all, self.stage.system) {
                    (true, _) => None,
                    (false, System::Swiss) => Some("13.3"),
                    (false, _) => Some("13.2"),
                };
                let about = About::new(encounter.round, &pair, game.origin);
                self.report(Code::WRONG_COLOUR, None, article, &about, words);
                self.with("board", board);
                if all && let Some(last) = self.findings.last_mut() {
                    last.article = None;
                }
            }
        }
    }

    /// R071: in a match of two games colours change (13.5).
    fn second_games(&mut self) {
        if self.stage.games != 2 || self.stage.best_of.is_some() {
            return;
        }
        for encounter in self.encounters() {
            let mut slow = encounter.slow();
            let (Some(first), Some(second)) = (slow.next(), slow.next()) else { continue };
            if let Some(pair) = encounter.pair().filter(|_| first.red == second.red) {
                let words =
                    Words::new("第二局应互换先后走", "colours are to change in the second game");
                let about = About::new(encounter.round, &pair, second.origin);
                self.report(Code::WRONG_COLOUR, None, Some("13.5"), &about, words);
            }
        }
    }

    /// R112: of two encounters each entrant is first once.
    fn home_and_away(&mut self) {
        let mut first: BTreeMap<[usize; 2], Vec<usize>> = BTreeMap::new();
        for encounter in self.encounters() {
            let Some(sides) = encounter.pair() else { continue };
            let mut pair = sides;
            pair.sort_unstable();
            let before = first.entry(pair).or_default();
            if before.contains(&sides[0]) {
                let name = self.event.name_of(sides[0]);
                let words = match self.event.rules.red_boards {
                    RedBoards::All => Words::new(
                        format!("{name}两次为主队"),
                        format!("{name} is the home side for the second time"),
                    ),
                    RedBoards::Odd | RedBoards::Free => Words::new(
                        format!("{name}两循环都先走"),
                        format!("{name} has Red in both cycles"),
                    ),
                };
                self.report(
                    Code::WRONG_COLOUR,
                    None,
                    None,
                    &About::encounter(encounter, &sides),
                    words,
                );
            }
            before.push(sides[0]);
        }
    }

    /// Appendix 2: colours as even as the scores allow. Three in a row and a difference past the limit are told, and a
    /// pair whose colours, exchanged, would have been better for both together.
    fn balance(&mut self) {
        let limits = Limits::of(self.event);
        let mut colours: BTreeMap<usize, Colours> = BTreeMap::new();
        let mut encounters: Vec<_> = self.encounters().filter(|one| one.round.is_some()).collect();
        encounters.sort_by_key(|one| one.round);
        let mut rounds: BTreeMap<usize, u32> = BTreeMap::new();
        for encounter in encounters {
            for entrant in encounter.entrants.into_iter().flatten() {
                *rounds.entry(entrant).or_default() += 1;
            }
            let Some(pair) = encounter.pair() else { continue };
            // Where a round of somebody is missing, nobody knows what colours he has had.
            let is_known = pair.iter().all(|one| rounds.get(one).copied() == encounter.round);
            let played = encounter
                .games
                .iter()
                .any(|game| !game.mark.is_forfeit() && game.speed == Speed::Slow);
            if !played {
                continue;
            }
            let before = pair.map(|one| colours.get(&one).copied().unwrap_or_default());
            let red = has_red(self.event, encounter, pair[0]);
            let cost = |red: bool| before[0].cost(red) + before[1].cost(!red);
            let about = About::encounter(encounter, &pair);
            if is_known && cost(!red) < cost(red) {
                let name = self.event.name_of(pair[usize::from(red)]);
                let words = Words::new(
                    format!("宜由{name}先走，双方先后更均衡"),
                    format!("{name} is to have Red: colours would be more even"),
                );
                self.report(
                    Code::WRONG_COLOUR,
                    Some(Severity::Warning),
                    Some("13.3"),
                    &about,
                    words,
                );
            }
            for (side, entrant) in pair.into_iter().enumerate() {
                let next = before[side].with((side == 0) == red);
                colours.insert(entrant, next);
                let name = self.event.name_of(entrant);
                if is_known && next.run > limits.run {
                    let words = Words::new(
                        format!("{name}连续 {} 次同一先后", next.run),
                        format!("{name} has the same colour {} times in a row", next.run),
                    );
                    let about = About::encounter(encounter, &[entrant]);
                    self.report(
                        Code::WRONG_COLOUR,
                        Some(Severity::Warning),
                        Some("13.3"),
                        &about,
                        words,
                    );
                }
                let uneven = next.balance.unsigned_abs();
                if is_known
                    && uneven > limits.difference
                    && uneven > before[side].balance.unsigned_abs()
                {
                    let words = Words::new(
                        format!("{name}先后走相差 {uneven} 次"),
                        format!("reds and blacks of {name} differ by {uneven}"),
                    );
                    let about = About::encounter(encounter, &[entrant]);
                    self.report(
                        Code::WRONG_COLOUR,
                        Some(Severity::Warning),
                        Some("13.3"),
                        &about,
                        words,
                    );
                }
            }
        }
    }
}
