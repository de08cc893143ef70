//! Line-ups of teams (12.1 to 12.3) and the order of their lists.

use super::{About, Audit};
use crate::{
    event::{
        file::{Kind, LineUp, System},
        team::{is_by_strength, is_in_order},
    },
    finding::{Code, Severity, Words},
};

impl Audit<'_> {
    /// R062 to R064.
    pub(super) fn line_ups(&mut self) {
        if self.event.kind != Kind::Team || self.stage.system == System::AllPlayAll {
            return;
        }
        if self.index == 0 {
            self.rosters();
        }
        let Some(line_up) = self.event.line_up else { return };
        for encounter in self.encounters() {
            let Some(pair) = encounter.pair() else { continue };
            for (side, team) in pair.into_iter().enumerate() {
                let roster = &self.event.teams[team].roster;
                let mut boards: Vec<(u32, usize)> = encounter
                    .slow()
                    .filter_map(|game| Some((game.board, game.player(side)?)))
                    .collect();
                boards.sort_unstable();
                let players: Vec<usize> = boards.iter().map(|(_, player)| *player).collect();
                let places: Vec<Option<usize>> = players
                    .iter()
                    .map(|player| roster.iter().position(|one| one == player))
                    .collect();
                let name = &self.event.teams[team].name;
                let about = About::encounter(encounter, &[team]);
                let fault = match line_up {
                    LineUp::Fixed => boards.iter().zip(&places).any(|((board, _), place)| {
                        // Who is not on the list has been told already.
                        place.is_some_and(|place| place + 1 != *board as usize)
                    }),
                    LineUp::Reserves => {
                        !is_in_order(&places.iter().flatten().copied().collect::<Vec<_>>())
                    }
                    LineUp::Free => false,
                };
                if fault {
                    let shown: Vec<String> = places
                        .iter()
                        .map(|place| place.map_or("?".to_owned(), |place| (place + 1).to_string()))
                        .collect();
                    let shown = shown.join("-");
                    let (zh, en, article) = match line_up {
                        LineUp::Fixed => (
                            "分台定人，各台只能由本台棋手出场",
                            "every board has its player",
                            "12.1",
                        ),
                        _ => ("台次顺序不能前后颠倒", "the order of the list must be kept", "12.2"),
                    };
                    let words = Words::new(
                        format!("{name}的出场顺序 {shown}：{zh}"),
                        format!("{name} lines up {shown}: {en}"),
                    );
                    self.report(Code::LINE_UP, None, Some(article), &about, words);
                    self.with("line_up", shown);
                }
            }
        }
    }

    /// 12.1: the list is in the order of ratings, the unrated behind; equal ratings in any order.
    fn rosters(&mut self) {
        if !matches!(self.event.line_up, Some(LineUp::Fixed | LineUp::Reserves)) {
            return;
        }
        for (index, team) in self.event.teams.iter().enumerate() {
            let ratings: Vec<Option<u32>> = team
                .roster
                .iter()
                .map(|player| &self.event.players[*player])
                .filter(|player| player.origin.is_some())
                .map(|player| player.rating)
                .collect();
            // Without any rating nothing can be compared.
            if ratings.iter().all(Option::is_none) || is_by_strength(&ratings) {
                continue;
            }
            let words = Words::new(
                format!("{}的台次未按等级分高低排列", team.name),
                format!("the list of {} is not in the order of ratings", team.name),
            );
            let about = About::new(None, &[index], team.origin);
            self.report(Code::LINE_UP, Some(Severity::Warning), Some("12.1"), &about, words);
        }
    }
}
