//! Everything that `qijian standings` says of an event, in one call.

use crate::finding::Finding;

use super::{
    audit::audit,
    bounds::{Bound, bounds},
    knockout,
    load::Loaded,
    model::Event,
    ranking::{Ranking, rank, rank_members, rank_stages},
    table::Table,
};

/// One stage with its table.
#[derive(Clone, Debug)]
pub struct StageStandings<'a> {
    /// The table.
    pub table: Table<'a>,
    /// The places.
    pub ranking: Ranking,
    /// What missing results leave open; empty where nothing is missing.
    pub bounds: Vec<Bound>,
}

/// The standings of an event.
#[derive(Clone, Debug)]
pub struct Standings<'a> {
    /// The event.
    pub event: &'a Event,
    /// Each stage.
    pub stages: Vec<StageStandings<'a>>,
    /// The places of the whole event: of its one stage, or of the last stage and then of those before it.
    pub ranking: Ranking,
    /// The table of teams of an individual event.
    pub members: Option<Ranking>,
    /// What is wrong with entries, pairings and results, in the order of the file.
    pub findings: Vec<Finding>,
}

/// The standings of an event after `after_round`, or as far as there are results.
///
/// ```
/// use qijian::event;
///
/// let text = "[event]\nname = \"对抗\"\nresults = [\"r.csv\"]\n";
/// let rows = "round,red,black,result\n1,甲,乙,1-0\n2,丙,甲,0-1\n3,乙,丙,1/2\n";
/// let loaded = event::parse("a.toml", text, None, &mut |name| Ok((name.to_owned(), rows.to_owned())))?;
/// let standings = event::standings(&loaded, None);
/// let names: Vec<&str> =
///     standings.ranking.iter().map(|row| loaded.event.name_of(row.entrant)).collect();
/// // 乙 and 丙 drew with each other and lost to 甲: nothing separates them (15.1).
/// assert_eq!((names[0], standings.ranking[0].decided_by), ("甲", Some("积分")));
/// assert_eq!(standings.ranking[1].shared, 2);
/// # Ok::<(), event::EventError>(())
/// ```
pub fn standings(loaded: &Loaded, after_round: Option<u32>) -> Standings<'_> {
    let event = &loaded.event;
    let stages: Vec<StageStandings<'_>> = (0..event.stages.len())
        .map(|stage| {
            let table = Table::new(event, stage, after_round);
            let ranking = match event.stages[stage].system.is_knockout() {
                true => knockout::rank(&table),
                false => rank(&table),
            };
            let bounds = bounds(&table);
            StageStandings { table, ranking, bounds }
        })
        .collect();
    let rankings: Vec<Ranking> = stages.iter().map(|stage| stage.ranking.clone()).collect();
    let ranking = rank_stages(event, &rankings);
    let members = match (event.team_table, stages.last()) {
        (Some(_), Some(last)) => Some(rank_members(event, &last.table, &ranking)),
        _ => None,
    };
    let mut findings = loaded.mistakes.clone();
    findings.extend(audit(event, &stages));
    findings.sort_by_key(|finding| {
        let source = finding.data.get("source").is_some();
        (source, finding.place.offset.is_none(), finding.place.offset, finding.code)
    });
    Standings { event, stages, ranking, members, findings }
}
