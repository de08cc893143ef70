//! The table of players of a team event: slow games only, rapid tie-breaks left out (the league's regulation, R121).

use crate::rules::Exact;

use super::model::Event;

/// What a player of a team event has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Personal {
    /// The player.
    pub player: usize,
    /// Slow games with a result.
    pub games: u32,
    /// Those won, drawn and lost.
    pub record: [u32; 3],
    /// Their points.
    pub points: Exact,
}

/// The players of a team event by points, then fewer games, then names; who has no slow game is left out.
pub fn personal_table(event: &Event) -> Vec<Personal> {
    let mut rows: Vec<Personal> = (0..event.players.len())
        .map(|player| Personal { player, games: 0, record: [0; 3], points: Exact::ZERO })
        .collect();
    for game in event.stages.iter().flat_map(|stage| &stage.encounters).flat_map(|one| one.slow()) {
        let Some(points) = game.mark.points(&event.rules) else { continue };
        let winner = game.mark.winner(&event.rules);
        for (colour, player) in game.players.into_iter().enumerate() {
            let Some(row) = player.and_then(|player| rows.get_mut(player)) else { continue };
            row.games += 1;
            row.points += points[colour];
            let result = match winner {
                Some(winner) if winner == colour => 0,
                None if points[0] == points[1] && points[0] != event.rules.loss => 1,
                _ => 2,
            };
            row.record[result] += 1;
        }
    }
    rows.retain(|row| row.games > 0);
    rows.sort_by(|a, b| {
        let name = |row: &Personal| &event.players[row.player].name;
        b.points.cmp(&a.points).then(a.games.cmp(&b.games)).then(name(a).cmp(name(b)))
    });
    rows
}
