//! A game as an arbiter has it before him: what was played, what the sheets say beside it, and the time control.

use crate::{
    board::{Move, Position, Side},
    finding::{Code, Finding},
    record::{Outcome, Record, Tag, standard_key},
    replay::{Game, Rest, RestStatus, Termination, main_plies},
};

use super::{
    Profile,
    annotation::{Annotation, Annotations, Event, MINUTE, Time, read},
    clock::{MoveTime, Setting, SideClock},
    control::Control,
    limit::past_is_unknown,
    recording::{Run, runs},
};

/// What one sheet says of itself.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sheet {
    /// The player who kept it.
    pub owner: Option<Side>,
    /// Moves omitted in a row.
    pub runs: Vec<Run>,
    /// Red's and Black's used time at its foot.
    pub totals: [Option<Time>; 2],
    /// Red's and Black's number of fouls at its foot.
    pub fouls: [Option<u32>; 2],
    /// The fields at its foot that are left empty, of those it has: signatures (10.1).
    pub unsigned: Vec<String>,
}

/// A written move that is against the rules of moving.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Illegal {
    /// Its ply.
    pub ply: u32,
    /// Whether the generals faced each other by it (4.1.2).
    pub facing: bool,
}

impl Illegal {
    /// That which `QJ301` tells of.
    pub(crate) fn of(finding: &Finding) -> Illegal {
        let reason = finding.data.get("reason");
        let facing = reason.is_some_and(|reason| reason == "generals_facing");
        Illegal { ply: finding.ply, facing }
    }
}

/// A game with everything that decides it. [`Case::of`] makes it of one record; for a game of two sheets the sheets'
/// entries are put together by the caller, on the plies of the reconciled game.
#[derive(Clone, Debug)]
pub struct Case {
    /// The start position.
    pub start: Position,
    /// The moves on the board from there, as far as they are known, those included that stood although they were illegal.
    pub moves: Vec<Move>,
    /// How many of them are legal.
    pub legal: usize,
    /// The plies written or marked, known or not.
    pub plies: u32,
    /// The first illegal move.
    pub illegal: Option<Illegal>,
    /// The sheets.
    pub sheets: Vec<Sheet>,
    /// What is entered beside the moves, on all sheets.
    pub annotations: Annotations,
    /// Red's and Black's time control.
    pub controls: [Option<Control>; 2],
    /// Lateness that loses, in milliseconds.
    pub late_limit: Option<i64>,
    /// The recorded result.
    pub outcome: Outcome,
    /// How the game ended, by the board or by the words of the record.
    pub termination: Termination,
    /// Whether it is not known what was played before the start position.
    pub past_unknown: bool,
}

impl Case {
    /// The case of a replayed record; `None` if its start position is not understood.
    pub fn of(game: &Game, record: &Record<'_>, profile: &Profile) -> Option<Case> {
        let start = game.start.clone()?;
        let annotations = read(record, start.side());
        Some(Case::with(game, record, profile, annotations, &start))
    }

    /// The case of a record whose annotations have been read.
    pub(super) fn with(
        game: &Game,
        record: &Record<'_>,
        profile: &Profile,
        annotations: Annotations,
        start: &Position,
    ) -> Case {
        let mut moves = game.moves.clone();
        // What is written behind a mate is no part of the game.
        let over = game.is_over();
        let stood = |rest: &&Rest| !over && rest.status == RestStatus::ReplayedAsStood;
        if let Some(rest) = game.rest.as_ref().filter(stood) {
            moves.extend(&rest.moves);
        }
        let plies = if over { moves.len() as u32 } else { plies(record, &annotations) };
        let illegal = game
            .findings
            .iter()
            .find(|finding| finding.code == Code::ILLEGAL_MOVE && finding.path.is_empty())
            .map(Illegal::of);
        let mut sheet = sheet(record, &annotations);
        sheet.runs.extend(unmarked(game));
        sheet.runs.sort_by_key(|run| run.after_ply);
        Case {
            start: start.clone(),
            legal: game.moves.len(),
            plies,
            moves,
            illegal,
            sheets: vec![sheet],
            controls: Side::ALL.map(|side| control(record, profile, side)),
            late_limit: late_limit(record, profile),
            annotations,
            outcome: game.outcome,
            termination: game.termination,
            past_unknown: past_is_unknown(record, start),
        }
    }

    /// Who has made a ply; `None` before the first.
    pub fn mover(&self, ply: u32) -> Option<Side> {
        (ply > 0).then(|| if ply % 2 == 1 { self.start.side() } else { self.start.side().other() })
    }

    /// Who is to move behind a ply.
    pub fn to_move(&self, ply: u32) -> Side {
        self.mover(ply).map_or(self.start.side(), Side::other)
    }

    /// The round of a ply.
    pub fn round(&self, ply: u32) -> u32 {
        let black_first = u32::from(self.start.side() == Side::Black);
        self.start.round().saturating_add((ply.saturating_sub(1) + black_first) / 2)
    }

    /// Whether every sheet leaves plies out between two plies, so that what was said there is not known either.
    pub(super) fn all_omit(&self, from: u32, to: u32) -> bool {
        let omits =
            |sheet: &Sheet| sheet.runs.iter().any(|run| (from..to).contains(&run.after_ply));
        !self.sheets.is_empty() && self.sheets.iter().all(omits)
    }

    /// The position behind the last move, if all of them are legal and nothing is missing.
    pub fn end(&self) -> Option<Position> {
        let whole = self.legal == self.moves.len() && self.legal as u32 == self.plies;
        whole.then(|| {
            let mut position = self.start.clone();
            for mv in &self.moves {
                position.play(*mv);
            }
            position
        })
    }

    /// Mate or stalemate behind the last move.
    pub fn ended_on_board(&self) -> bool {
        matches!(self.termination, Termination::Checkmate | Termination::Stalemate)
            && self.legal == self.moves.len()
            && self.legal as u32 == self.plies
    }

    /// A side's clock, from all entries; of two sheets, the own one is believed.
    pub fn clock(&self, side: Side) -> SideClock {
        let first = u32::from(side != self.start.side()) + 1;
        let mut moves: Vec<MoveTime> = (first..=self.plies)
            .step_by(2)
            .map(|ply| MoveTime { ply, ..MoveTime::default() })
            .collect();
        let mut clock = SideClock::default();
        let own =
            |sheet: usize| self.sheets.get(sheet).is_some_and(|sheet| sheet.owner == Some(side));
        let set = |place: &mut Option<Time>, time: Time, sheet: usize| {
            if place.is_none() || own(sheet) {
                *place = Some(time);
            }
        };
        for entry in self.annotations.list.iter().filter(|entry| entry.side == Some(side)) {
            let at = entry.ply.checked_sub(first).filter(|behind| behind % 2 == 0);
            let at = at.and_then(|behind| moves.get_mut(behind as usize / 2));
            match (&entry.event, at) {
                (Event::Clock(time), Some(at)) => set(&mut at.left, *time, entry.sheet),
                (Event::Elapsed(time), Some(at)) => set(&mut at.taken, *time, entry.sheet),
                (Event::Made(time), Some(at)) => set(&mut at.made, *time, entry.sheet),
                (Event::Late(time), _) => set(&mut clock.late, *time, entry.sheet),
                (Event::Adjust(time), _) => clock.adjusted.push((entry.ply, time.ms)),
                (Event::Flag, _) => clock.flags.push(entry.ply),
                _ => {}
            }
        }
        clock.moves = moves;
        clock.flags.dedup();
        clock.adjusted.dedup();
        for (index, sheet) in self.sheets.iter().enumerate() {
            if let Some(total) = sheet.totals[side as usize]
                && (clock.total.is_none() || own(index))
            {
                clock.total = Some(total);
            }
        }
        clock
    }

    /// What the checks of a side's clock must know; `agreed` is the ply at which both have agreed on the end.
    pub fn setting(&self, side: Side, profile: &Profile, agreed: Option<u32>) -> Setting<'_> {
        let by_words =
            matches!(self.termination, Termination::Resignation | Termination::Agreement);
        let ended = self.ended_on_board() || by_words;
        Setting {
            control: self.controls[side as usize].as_ref(),
            whole: self.start.round() <= 1,
            carry_over: profile.clock.carry_over,
            late_limit: self.late_limit,
            ended_at: agreed.or(ended.then_some(self.plies)),
            last_ply: self.plies,
            side,
        }
    }
}

/// The plies of the main line, those included that a remark says to be missing.
fn plies(record: &Record<'_>, annotations: &Annotations) -> u32 {
    let said = |entry: &Annotation| entry.exact && matches!(entry.event, Event::Missing(_));
    let Some(last) = annotations.list.iter().rfind(|entry| said(entry)) else {
        return record.tree.main_line().count() as u32;
    };
    let written = main_plies(&record.tree).last().map_or(0, |(ply, _)| *ply);
    match last.event {
        Event::Missing(count) => written.max(last.ply.saturating_add(count)),
        _ => written,
    }
}

/// What the foot of a sheet and its gaps say.
fn sheet(record: &Record<'_>, annotations: &Annotations) -> Sheet {
    Sheet { owner: record.owner, runs: runs(record, annotations), ..foot(record) }
}

/// What stands at the foot of a sheet (10.1).
pub fn foot(record: &Record<'_>) -> Sheet {
    let time = |key| record.tag(key).and_then(|tag| Time::parse(&tag.value));
    let mut sheet = Sheet { totals: [time("red_time"), time("black_time")], ..Sheet::default() };
    for tag in &record.tags {
        let name = tag.name.trim();
        if is_signature(name) && tag.value.trim().is_empty() {
            sheet.unsigned.push(name.to_owned());
        }
        let side = match name {
            "红方犯规" | "紅方犯規" => Side::Red,
            "黑方犯规" | "黑方犯規" => Side::Black,
            _ => continue,
        };
        let digits = tag.value.trim().trim_end_matches(['次', ' ']);
        sheet.fouls[side as usize] = match digits {
            "无" | "無" => Some(0),
            digits => digits.parse().ok(),
        };
    }
    sheet
}

/// Whether a tag is a field at the foot of a sheet that is judged (10.1).
pub(super) fn is_foot(name: &str) -> bool {
    name.len() <= 48
        && !name.is_ascii()
        && (is_signature(name) || name.contains("犯规") || name.contains("犯規"))
}

fn is_signature(name: &str) -> bool {
    ["签字", "簽字", "签名", "簽名"].iter().any(|word| name.contains(word))
}

/// Runs that nothing marks and that the replay has found by what does not fit.
fn unmarked(game: &Game) -> Vec<Run> {
    let gaps = game
        .findings
        .iter()
        .filter(|finding| finding.code == Code::OMITTED_MOVES && finding.path.is_empty());
    gaps.filter_map(|finding| {
        let number =
            |key| finding.data.get(key)?.as_u64().and_then(|value| u32::try_from(value).ok());
        let marked = finding.data.get("marked")?.as_bool()?;
        (!marked).then_some(())?;
        let span = crate::finding::Span::default();
        Some(Run { after_ply: number("after_ply")?, plies: number("missing")?, span })
    })
    .collect()
}

fn tag<'r>(record: &'r Record<'_>, names: &[&str]) -> Option<&'r Tag<'r>> {
    let called =
        |tag: &&Tag<'_>| names.iter().any(|name| tag.name.trim().eq_ignore_ascii_case(name));
    record.tags.iter().find(called).filter(|tag| !tag.value.trim().is_empty())
}

/// The time control of a side: the tag of the side, the tag of both, the profile's.
fn control(record: &Record<'_>, profile: &Profile, side: Side) -> Option<Control> {
    let own = match side {
        Side::Red => ["TimeControlRed", "红方时限"],
        Side::Black => ["TimeControlBlack", "黑方时限"],
    };
    let both = || {
        let is_control = |tag: &&Tag<'_>| standard_key(&tag.name) == Some("time_control");
        record.tags.iter().find(is_control).filter(|tag| !tag.value.trim().is_empty())
    };
    let named = |text: &str| profile.clock.named(text.trim()).and_then(Control::parse);
    let told = tag(record, &own).or_else(both);
    let mut control = match told {
        Some(tag) => named(&tag.value).or_else(|| Control::parse(&tag.value)),
        None => Control::parse(&profile.clock.default),
    };
    // A limit of a move, in a tag of its own.
    if let Some(limit) =
        tag(record, &["MoveTime", "每着限时"]).and_then(|tag| Time::parse_seconds(&tag.value))
    {
        let empty = Control { periods: Vec::new(), increment: 0, per_move: None, sure: true };
        control = Some(Control { per_move: Some(limit.ms), ..control.unwrap_or(empty) });
    }
    control
}

/// Lateness that loses: the record's, else the profile's.
fn late_limit(record: &Record<'_>, profile: &Profile) -> Option<i64> {
    let told = tag(record, &["LateLimit", "迟到时限", "迟到判负时限"]);
    match told {
        Some(tag) => Time::parse_seconds(&tag.value).map(|time| time.ms),
        None => Some(i64::from(profile.clock.late_minutes) * MINUTE).filter(|limit| *limit > 0),
    }
}
