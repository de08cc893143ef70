//! The standings of an event for people, as aligned tables or in Markdown.

use super::{
    Style,
    standings::{cell, event_findings, team_of},
    width::{Align, printable, table_of},
};
use crate::{
    event::{Bound, Event, Kind, Ranking, StageStandings, Standings, personal_table},
    finding::Lang,
};

/// Everything that there is to say.
pub(super) fn page(standings: &Standings<'_>, markdown: bool, style: Style) -> String {
    Page { standings, markdown, style }.whole()
}

/// The players of a team event, for people: slow games only.
pub fn personal(event: &Event, lang: Lang) -> String {
    let say = |zh: &str, en: &str| match lang {
        Lang::Zh => zh.to_owned(),
        Lang::En => en.to_owned(),
    };
    let mut rows = vec![vec![
        say("姓名", "name"),
        say("单位", "team"),
        say("积分", "points"),
        say("局", "games"),
        say("胜-和-负", "w-d-l"),
    ]];
    for row in personal_table(event) {
        let player = &event.players[row.player];
        rows.push(vec![
            printable(&player.name),
            player.team.map(|team| printable(&event.teams[team].name)).unwrap_or_default(),
            row.points.to_string(),
            row.games.to_string(),
            row.record.map(|n| n.to_string()).join("-"),
        ]);
    }
    let align = [Align::Left, Align::Left, Align::Right, Align::Right, Align::Right];
    format!("{}\n{}", say("个人（慢棋）", "Players (slow games)"), plain(&rows, &align))
}

/// Standings for people.
struct Page<'a> {
    standings: &'a Standings<'a>,
    markdown: bool,
    style: Style,
}

impl Page<'_> {
    fn say(&self, zh: &'static str, en: &'static str) -> &'static str {
        match self.style.lang {
            Lang::Zh => zh,
            Lang::En => en,
        }
    }

    fn whole(&self) -> String {
        let event = self.standings.event;
        let mut parts = Vec::new();
        let title = format!("{} ({})", printable(&event.name), event.profile);
        parts.push(self.heading(1, &title));
        for stage in &self.standings.stages {
            let of = &event.stages[stage.table.stage];
            let round = match (stage.table.after_round, self.style.lang) {
                (None, _) => String::new(),
                (Some(round), Lang::Zh) => format!("，第 {round} 轮后"),
                (Some(round), Lang::En) => format!(", after round {round}"),
            };
            let name = match of.name.is_empty() {
                true => format!("{}{round}", self.system(of.system)),
                false => format!("{}: {}{round}", printable(&of.name), self.system(of.system)),
            };
            parts.push(self.heading(2, &name));
            parts.push(self.ranking(stage));
            parts.extend(self.crosstable(stage));
            parts.extend(self.bounds(stage));
        }
        if self.standings.stages.len() > 1 {
            parts.push(self.heading(2, self.say("总名次", "All stages")));
            parts.push(self.overall());
        }
        if let Some(members) = &self.standings.members {
            parts.push(self.heading(2, self.say("团体", "Teams")));
            parts.push(self.teams(members));
        }
        let findings = event_findings(event, &self.standings.findings, self.style);
        if !findings.is_empty() {
            parts.push(match self.markdown {
                true => format!("```text\n{findings}```\n"),
                false => findings,
            });
        }
        parts.join("\n")
    }

    fn system(&self, system: crate::event::System) -> &'static str {
        use crate::event::System;
        match system {
            System::RoundRobin => self.say("循环制", "round robin"),
            System::Swiss => self.say("积分编排制", "Swiss"),
            System::Knockout => self.say("单淘汰制", "knockout"),
            System::DoubleElimination => self.say("双淘汰制", "double elimination"),
            System::AllPlayAll => self.say("全队轮赛制", "all play all"),
        }
    }

    fn heading(&self, level: usize, text: &str) -> String {
        match self.markdown {
            true => format!("{} {text}\n", "#".repeat(level)),
            false => format!("{text}\n"),
        }
    }

    fn points_name(&self) -> &'static str {
        match self.standings.event.kind {
            Kind::Individual => self.say("积分", "points"),
            Kind::Team => self.say("场分", "match points"),
        }
    }

    fn criterion(&self, criterion: crate::event::Criterion) -> String {
        self.say(criterion.as_str(), criterion.english()).to_owned()
    }

    fn ranking(&self, stage: &StageStandings<'_>) -> String {
        let event = self.standings.event;
        let of = &event.stages[stage.table.stage];
        let knockout = of.system.is_knockout();
        let criteria = if knockout { &[][..] } else { &of.criteria[..] };
        let with_team =
            event.kind == Kind::Individual && event.players.iter().any(|one| one.team.is_some());
        let mut head =
            vec![self.say("名次", "place"), self.say("号", "no."), self.say("名称", "name")]
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>();
        let mut align = vec![Align::Right, Align::Right, Align::Left];
        if with_team {
            head.push(self.say("单位", "team").to_owned());
            align.push(Align::Left);
        }
        head.push(match knockout {
            true => self.say("胜场", "won").to_owned(),
            false => self.points_name().to_owned(),
        });
        head.push(self.say("胜-和-负", "w-d-l").to_owned());
        align.extend([Align::Right, Align::Right]);
        for criterion in criteria {
            head.push(self.criterion(*criterion));
            align.push(Align::Right);
        }
        head.push(self.say("区分", "decided by").to_owned());
        align.push(Align::Left);
        let mut rows = vec![head];
        for row in &stage.ranking {
            let line = stage.table.lines.iter().find(|line| line.entrant == row.entrant);
            let record = line.map_or([0; 3], |line| line.record).map(|n| n.to_string()).join("-");
            let mut cells = vec![
                place_cell(row.place, row.shared),
                event.number_of(row.entrant).map(|number| number.to_string()).unwrap_or_default(),
                printable(event.name_of(row.entrant)),
            ];
            if with_team {
                cells.push(printable(&team_of(event, row.entrant)));
            }
            cells.push(row.points.to_string());
            cells.push(record);
            cells.extend(row.tie_breaks.iter().map(|(_, value)| cell(*value)));
            cells.push(self.reason(row.decided_by));
            rows.push(cells);
        }
        self.table(&rows, &align)
    }

    fn reason(&self, decided_by: Option<&'static str>) -> String {
        let Some(name) = decided_by else { return String::new() };
        let english = match name {
            "积分" | "场分" => self.points_name(),
            "处分" => "sanctions",
            "加赛" => "play-off",
            "抽签" => "lot",
            "规程" => "rule of the event",
            "注销" => "erased",
            "淘汰" => "knocked out",
            "阶段" => "stage",
            "组内名次" => "place in group",
            "名次和" => "sum of places",
            "积分和" => "sum of points",
            _ => crate::event::Criterion::from_name(name).map_or(name, |one| one.english()),
        };
        self.say(name, english).to_owned()
    }

    /// Everybody against everybody in a round robin, else round by round.
    fn crosstable(&self, stage: &StageStandings<'_>) -> Option<String> {
        let event = self.standings.event;
        let of = &event.stages[stage.table.stage];
        let table = &stage.table;
        // Wider tables are read by programs.
        if of.system == crate::event::System::RoundRobin && stage.ranking.len() <= 40 {
            return Some(self.everybody(stage));
        }
        let rounds: u32 =
            table.encounters.iter().filter_map(|one| one.round).max().filter(|last| *last <= 40)?;
        let number = |entrant: usize| {
            stage.ranking.iter().position(|row| row.entrant == entrant).map_or(0, |at| at + 1)
        };
        let mut head = vec![String::new(), self.say("名称", "name").to_owned()];
        let mut align = vec![Align::Right, Align::Left];
        for round in 1..=rounds {
            head.push(round.to_string());
            align.push(Align::Left);
        }
        let mut rows = vec![head];
        for (index, row) in stage.ranking.iter().enumerate() {
            let Some(line) = table.lines.iter().find(|line| line.entrant == row.entrant) else {
                continue;
            };
            let mut cells = vec![(index + 1).to_string(), printable(event.name_of(row.entrant))];
            for round in 1..=rounds {
                let meetings = line.meetings.iter().filter(|meeting| meeting.round == Some(round));
                let texts: Vec<String> = meetings
                    .map(|meeting| match meeting.opponent {
                        None => self.say("空", "bye").to_owned(),
                        Some(other) => {
                            let colour = match meeting.first {
                                true => self.say("先", "r"),
                                false => self.say("后", "b"),
                            };
                            format!(
                                "{}{colour}{}",
                                number(table.lines[other].entrant),
                                self.result_cell(stage, meeting)
                            )
                        }
                    })
                    .collect();
                cells.push(texts.join(" "));
            }
            rows.push(cells);
        }
        Some(self.table(&rows, &align))
    }

    fn everybody(&self, stage: &StageStandings<'_>) -> String {
        let event = self.standings.event;
        let table = &stage.table;
        let mut head = vec![String::new(), self.say("名称", "name").to_owned()];
        let mut align = vec![Align::Right, Align::Left];
        for index in 1..=stage.ranking.len() {
            head.push(index.to_string());
            align.push(Align::Right);
        }
        let mut rows = vec![head];
        for (index, row) in stage.ranking.iter().enumerate() {
            let Some(line) = table.lines.iter().find(|line| line.entrant == row.entrant) else {
                continue;
            };
            let mut cells = vec![(index + 1).to_string(), printable(event.name_of(row.entrant))];
            for other in &stage.ranking {
                if other.entrant == row.entrant {
                    cells.push("×".to_owned());
                    continue;
                }
                let with = line.meetings.iter().filter(|meeting| {
                    meeting.opponent.is_some_and(|line| table.lines[line].entrant == other.entrant)
                });
                let texts: Vec<String> = with
                    .map(|meeting| self.result_cell(stage, meeting))
                    .filter(|text| !text.is_empty())
                    .collect();
                cells.push(texts.join(" "));
            }
            rows.push(cells);
        }
        self.table(&rows, &align)
    }

    /// `+` and `-` for what was won and lost without play (21.4), else the points; nothing while it is open.
    fn result_cell(&self, stage: &StageStandings<'_>, meeting: &crate::event::Meeting) -> String {
        use crate::event::Outcome;
        let score = &stage.table.scores[meeting.encounter];
        match meeting.outcome {
            Outcome::Open if score.open > 0 && !score.played => String::new(),
            Outcome::Won if !meeting.played => "+".to_owned(),
            Outcome::Lost if !meeting.played => "-".to_owned(),
            _ => meeting.game_points.to_string(),
        }
    }

    fn bounds(&self, stage: &StageStandings<'_>) -> Option<String> {
        if stage.bounds.is_empty() {
            return None;
        }
        let event = self.standings.event;
        let exact = stage.bounds.iter().all(|bound| bound.exact);
        let mut rows = vec![vec![
            self.say("名称", "name").to_owned(),
            self.say("最少分", "least").to_owned(),
            self.say("最多分", "most").to_owned(),
            self.say("最好名次", "best place").to_owned(),
            self.say("最差名次", "worst place").to_owned(),
        ]];
        let mut bounds: Vec<&Bound> = stage.bounds.iter().collect();
        bounds.sort_by_key(|bound| {
            let at = stage.ranking.iter().position(|row| row.entrant == bound.entrant);
            (bound.best, bound.worst, at)
        });
        for bound in bounds {
            rows.push(vec![
                printable(event.name_of(bound.entrant)),
                bound.points.0.to_string(),
                bound.points.1.to_string(),
                bound.best.to_string(),
                bound.worst.to_string(),
            ]);
        }
        let title = match exact {
            true => self.say(
                "缺成绩，可能的名次（各种补法逐一算过）",
                "results are missing; places still possible (every way to fill them was played through)",
            ),
            false => self.say(
                "缺成绩，可能的名次（只比积分）",
                "results are missing; places still possible (by points alone)",
            ),
        };
        let align = [Align::Left, Align::Right, Align::Right, Align::Right, Align::Right];
        Some(self.heading(3, title) + &self.table(&rows, &align))
    }

    fn overall(&self) -> String {
        let event = self.standings.event;
        let mut rows = vec![vec![
            self.say("名次", "place").to_owned(),
            self.say("名称", "name").to_owned(),
            self.say("区分", "decided by").to_owned(),
        ]];
        for row in &self.standings.ranking {
            rows.push(vec![
                place_cell(row.place, row.shared),
                printable(event.name_of(row.entrant)),
                self.reason(row.decided_by),
            ]);
        }
        self.table(&rows, &[Align::Right, Align::Left, Align::Left])
    }

    fn teams(&self, members: &Ranking) -> String {
        let event = self.standings.event;
        let criteria = members.first().map_or(&[][..], |row| &row.tie_breaks[..]);
        let mut head = vec![
            self.say("名次", "place").to_owned(),
            self.say("单位", "team").to_owned(),
            self.say("合计", "sum").to_owned(),
        ];
        head.extend(criteria.iter().map(|(criterion, _)| self.criterion(*criterion)));
        head.push(self.say("区分", "decided by").to_owned());
        let mut align = vec![Align::Right, Align::Left];
        align.resize(head.len() - 1, Align::Right);
        align.push(Align::Left);
        let mut rows = vec![head];
        for row in members {
            let mut cells = vec![
                place_cell(row.place, row.shared),
                printable(&event.teams[row.entrant].name),
                row.points.to_string(),
            ];
            cells.extend(row.tie_breaks.iter().map(|(_, value)| cell(*value)));
            cells.push(self.reason(row.decided_by));
            rows.push(cells);
        }
        self.table(&rows, &align)
    }

    fn table(&self, rows: &[Vec<String>], align: &[Align]) -> String {
        if self.markdown { markdown(rows, align) } else { plain(rows, align) }
    }
}

/// `3=` where a place is shared.
fn place_cell(place: u32, shared: u32) -> String {
    if shared > 1 { format!("{place}=") } else { place.to_string() }
}

/// Aligned columns, right under double-width characters.
pub(super) fn plain(rows: &[Vec<String>], align: &[Align]) -> String {
    let rows: Vec<&[String]> = rows.iter().map(Vec::as_slice).collect();
    table_of(&rows, align)
}

/// A Markdown table, its first row the head.
pub(super) fn markdown(rows: &[Vec<String>], align: &[Align]) -> String {
    let mut text = String::new();
    for (index, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
        if index == 0 {
            let rules: Vec<&str> =
                align.iter().map(|one| if *one == Align::Right { "---:" } else { "---" }).collect();
            text.push_str(&format!("| {} |\n", rules.join(" | ")));
        }
    }
    text
}
