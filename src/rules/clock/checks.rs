//! Checks that lose a game: periods, single moves, lateness, penalties.

use crate::finding::Words;

use super::{
    super::{
        annotation::{SECOND, Time},
        control::Control,
    },
    Answer, Check, CheckKind, MoveTime, Setting, SideClock, seconds, show,
};

/// How much more than told a time may be: nothing for one told in seconds, up to a minute for one told in minutes.
fn slack(time: Time) -> i64 {
    if time.unit > SECOND { time.unit } else { 0 }
}

/// What is known of the time used up to a move, by one reading of the times of the moves.
#[derive(Clone, Copy)]
struct Used {
    ms: i64,
    slack: i64,
    /// Whether the times of all moves are known; else no less than this was used.
    is_all: bool,
}

/// The used time after each move: the sums of the times taken, and where they may be running totals, these.
fn used(clock: &SideClock, whole: bool, totals: bool) -> Vec<Used> {
    let late = before_the_first(clock, whole);
    let mut sum = late;
    let mut before = 0;
    let times = clock.moves.iter().map(|at| {
        // What the arbiter gave or took since the move before counts at this one.
        let given = clock.given(before, at.ply);
        before = at.ply;
        sum = match at.taken {
            Some(taken) if totals => Used {
                ms: late.ms + taken.ms,
                slack: sum.slack.max(slack(taken)),
                is_all: sum.is_all,
            },
            Some(taken) => Used {
                ms: sum.ms + taken.ms - given,
                slack: sum.slack + slack(taken),
                is_all: sum.is_all,
            },
            None => Used { ms: sum.ms - given, is_all: false, ..sum },
        };
        sum
    });
    times.collect()
}

/// What was used before the first move: who comes late has less (21.1).
fn before_the_first(clock: &SideClock, whole: bool) -> Used {
    let (ms, slack) = clock.late.map_or((0, 0), |late| (late.ms, slack(late)));
    Used { ms, slack, is_all: whole }
}

/// Whether the times taken never fall and may so be running totals.
fn may_be_totals(moves: &[MoveTime]) -> bool {
    const FEWEST: usize = 3;
    let times: Vec<i64> = moves.iter().filter_map(|at| at.taken).map(|time| time.ms).collect();
    times.len() >= FEWEST && times.is_sorted() && times.first() < times.last()
}

/// Whether the `number`th move was completed in time.
fn in_time(control: &Control, number: u32, used: Used, setting: Setting<'_>, base: i64) -> Answer {
    let Some(at) = control.period(number) else { return Answer::Unknown };
    let limit = if setting.carry_over { at.total } else { base + at.own };
    // Time for a move may be added before the first one or after it.
    let generous = limit + control.increment * i64::from(number);
    let strict = limit + control.increment * (i64::from(number) - 1);
    if used.ms - used.slack > generous {
        Answer::Fail
    } else if used.is_all && used.ms + used.slack <= strict {
        Answer::Pass
    } else {
        Answer::Unknown
    }
}

/// What the clock itself shows after a move.
fn by_clock(at: &MoveTime) -> Answer {
    match at.left {
        Some(left) if left.ms > 0 => Answer::Pass,
        Some(left) if left.ms < 0 => Answer::Fail,
        _ => Answer::Unknown,
    }
}

/// Periods that are listed; a control of one move each has as many as the game has moves.
const MOST_PERIODS: usize = 100;

/// What is left on the clock after each move, as shown, or by the sums where no increment blurs them.
pub(in crate::rules) fn left(clock: &SideClock, setting: Setting<'_>) -> Vec<Option<i64>> {
    let exact = setting
        .control
        .filter(|control| control.sure && control.increment == 0 && setting.carry_over);
    let exact = exact.filter(|_| !may_be_totals(&clock.moves));
    let moves = (1..).zip(clock.moves.iter().zip(used(clock, setting.whole, false)));
    moves
        .map(|(number, (at, sum))| {
            let summed = || {
                let limit = exact?.limit(number)?;
                (sum.is_all && sum.slack == 0).then_some(limit - sum.ms)
            };
            at.left.map(|left| left.ms).or_else(summed)
        })
        .collect()
}

/// The moves of each period (4.1.4, 22.1), up to the first that was too late.
pub(super) fn periods(clock: &SideClock, setting: Setting<'_>) -> Vec<Check> {
    let article = "22.1";
    let Some(control) = setting.control.filter(|control| !control.periods.is_empty()) else {
        if setting.control.is_some() {
            return Vec::new();
        }
        return without_control(clock, article);
    };
    let totals = may_be_totals(&clock.moves);
    let sums = used(clock, setting.whole, false);
    let others = if totals { used(clock, setting.whole, true) } else { Vec::new() };
    let mut found: Vec<Check> = Vec::new();
    let (mut index, mut base) = (0, 0);
    loop {
        let first = index as u32 + 1;
        let Some(at) = control.period(first) else { break };
        let end =
            at.last_move.map_or(clock.moves.len(), |last| (last as usize).min(clock.moves.len()));
        let answers: Vec<Answer> = (index..end)
            .map(|index| {
                let number = index as u32 + 1;
                let shown = by_clock(&clock.moves[index]);
                let summed = in_time(control, number, sums[index], setting, base);
                let summed = match others.get(index) {
                    Some(other) => summed.both(in_time(control, number, *other, setting, base)),
                    None => summed,
                };
                // The clock is the better witness.
                if shown == Answer::Unknown { summed } else { shown }
            })
            .collect();
        let failed = answers.iter().position(|answer| *answer == Answer::Fail);
        // Whoever has made the last move in time has made all of them in time.
        let last = end.checked_sub(1).map(|last| sums[last]).filter(|last| last.is_all);
        let passed = answers.iter().all(|answer| *answer == Answer::Pass)
            || (answers.last() == Some(&Answer::Pass) && last.is_some());
        let never_came = clock.moves.is_empty()
            && in_time(control, 1, before_the_first(clock, setting.whole), setting, base)
                == Answer::Fail;
        let mut answer = match (failed, passed) {
            (Some(_), _) => Answer::Fail,
            (None, _) if never_came => Answer::Fail,
            (None, true) => Answer::Pass,
            (None, false) => Answer::Unknown,
        };
        let unsure = !control.sure || !setting.whole;
        if answer == Answer::Fail
            && unsure
            && clock.moves.iter().all(|at| by_clock(at) != Answer::Fail)
        {
            answer = Answer::Unknown;
        }
        let ply = match failed {
            Some(failed) => clock.moves[index + failed].ply,
            None => end.checked_sub(1).map_or(0, |last| clock.moves[last].ply),
        };
        let made = failed.unwrap_or(answers.len());
        let used_at = failed.map_or(end.checked_sub(1), |failed| Some(index + failed));
        let known = match used_at {
            Some(at) => Some(sums[at]),
            None => never_came.then(|| before_the_first(clock, setting.whole)),
        };
        // What is known in part is told where it is too much already.
        let too_much = |used: &Used| {
            let number = used_at.map_or(1, |at| at as u32 + 1);
            in_time(control, number, *used, setting, base) == Answer::Fail
        };
        let known = known.filter(|used| !totals && (used.is_all || too_much(used)));
        let press = failed
            .filter(|_| answer == Answer::Fail)
            .and_then(|failed| press(clock, setting, control, index + failed, base));
        let is_over = answer == Answer::Fail;
        answer = press.as_ref().map_or(answer, |press| press.answer);
        let stands = press.as_ref().is_some_and(|press| press.answer == Answer::Pass);
        let made = made + usize::from(stands);
        let in_all = (index + made) as u32;
        let words = period_words(answer, at.number, at.last_move, in_all, known, at.total);
        let check = Check::new(CheckKind::Period, ply, answer, article, words)
            .with("period", at.number)
            .with("first_move", first)
            .with("last_move", at.last_move)
            .with("made", made)
            .with("time", seconds(at.own))
            .with("increment", seconds(control.increment))
            .with("used", known.filter(|used| used.is_all).map(|used| seconds(used.ms)));
        if is_over {
            found.push(check);
            found.extend(press);
            return found;
        }
        found.push(check);
        if !setting.carry_over {
            base = end.checked_sub(1).map_or(base + at.own, |last| sums[last].ms);
        }
        if end >= clock.moves.len() || found.len() == MOST_PERIODS {
            break;
        }
        index = end;
    }
    found
}

/// Without a control only a clock that has run past zero tells.
fn without_control(clock: &SideClock, article: &'static str) -> Vec<Check> {
    let failed = clock.moves.iter().find(|at| by_clock(at) == Answer::Fail);
    let (answer, ply) = failed.map_or((Answer::Unknown, 0), |at| (Answer::Fail, at.ply));
    let words = match answer {
        Answer::Fail => Words::new("棋钟已走过零", "the clock has run past zero"),
        _ => Words::new(
            "不知用时规定，无从判断是否超时",
            "no time control is known: nothing can be said of the time",
        ),
    };
    vec![Check::new(CheckKind::Period, ply, answer, article, words)]
}

fn period_words(
    answer: Answer,
    number: u32,
    last: Option<u32>,
    made: u32,
    used: Option<Used>,
    total: i64,
) -> Words {
    let due_zh = last.map_or(String::new(), |last| format!("须走满 {last} 着，"));
    let due_en = last.map_or(String::new(), |last| format!("{last} moves due, "));
    let (mut used_zh, mut used_en) = (String::new(), String::new());
    if let Some(Used { ms, is_all, .. }) = used {
        let (at_least_zh, at_least_en) = if is_all { ("", "") } else { ("至少", "at least ") };
        used_zh = format!("{at_least_zh}已用 {}，", show(ms));
        used_en = format!("{at_least_en}{} used, ", show(ms));
    }
    let limit = show(total);
    let (zh, en) = match answer {
        Answer::Pass => ("未超时", "in time"),
        Answer::Fail => ("超时", "overstepped"),
        Answer::Unknown => ("时间数据不足，不能断定", "the times do not tell"),
    };
    Words::new(
        format!("第 {number} 时限（共 {limit}）：{due_zh}走了 {made} 着，{used_zh}{zh}"),
        format!("period {number} ({limit} in all): {due_en}{made} made, {used_en}{en}"),
    )
}

/// 22.5: the move that was completed too late has ended the game. It stands if it was made in time.
fn press(
    clock: &SideClock,
    setting: Setting<'_>,
    control: &Control,
    index: usize,
    base: i64,
) -> Option<Check> {
    let at = clock.moves[index];
    if setting.ended_at != Some(at.ply) {
        return None;
    }
    let before = match index.checked_sub(1) {
        Some(last) => used(clock, setting.whole, false)[last],
        None => before_the_first(clock, setting.whole),
    };
    let made = match at.made {
        Some(made) => {
            let used = Used {
                ms: before.ms + made.ms,
                slack: before.slack + slack(made),
                is_all: before.is_all,
            };
            in_time(control, index as u32 + 1, used, setting, base)
        }
        None => Answer::Unknown,
    };
    let words = match made {
        Answer::Pass => Words::new(
            "末着在时限内走出并结束对局，虽未及按钟，结果有效",
            "the last move was made in time and ended the game: it stands although the clock was not pressed in time",
        ),
        Answer::Fail => Words::new("末着走出时已超时", "the last move was itself made too late"),
        Answer::Unknown => Words::new(
            "末着结束对局而按钟已超时；走出时是否超时没有记录（[%xmt]），不能断定",
            "the last move ended the game and the press was too late; when it was made is not recorded ([%xmt])",
        ),
    };
    Some(Check::new(CheckKind::Press, at.ply, made, "22.5", words))
}

/// Each move within its limit (R125).
pub(super) fn per_move(clock: &SideClock, setting: Setting<'_>) -> Vec<Check> {
    let Some((control, limit)) =
        setting.control.and_then(|control| control.per_move.map(|ms| (control, ms)))
    else {
        return Vec::new();
    };
    let over =
        clock.moves.iter().find(|at| at.taken.is_some_and(|taken| taken.ms - slack(taken) > limit));
    let all =
        clock.moves.iter().all(|at| at.taken.is_some_and(|taken| taken.ms + slack(taken) <= limit));
    let totals = may_be_totals(&clock.moves);
    let answer = match (over, all) {
        (Some(_), _) if control.sure && !totals => Answer::Fail,
        (None, true) => Answer::Pass,
        _ => Answer::Unknown,
    };
    let shown = show(limit);
    let (zh, en) = match answer {
        Answer::Pass => ("各着均未超过", "no move took longer"),
        Answer::Fail => ("有一着超过", "a move took longer"),
        Answer::Unknown => ("时间数据不足，不能断定", "the times do not tell"),
    };
    let words =
        Words::new(format!("每着限时 {shown}：{zh}"), format!("{shown} for each move: {en}"));
    let ply = over.map_or(0, |at| at.ply);
    let check = Check::new(CheckKind::PerMove, ply, answer, "6.5", words)
        .with("limit", seconds(limit))
        .with("taken", over.and_then(|at| at.taken).map(|taken| seconds(taken.ms)));
    vec![check]
}

/// Flags that are said to have fallen (22.2).
pub(super) fn flags(clock: &SideClock) -> Vec<Check> {
    let words = || Words::new("记录写明超时（倒旗）", "the record says that the flag fell");
    let flags = clock.flags.iter();
    flags.map(|ply| Check::new(CheckKind::Flag, *ply, Answer::Fail, "22.2", words())).collect()
}

/// Lateness (21).
pub(super) fn lateness(clock: &SideClock, setting: Setting<'_>) -> Vec<Check> {
    let Some(late) = clock.late else { return Vec::new() };
    let shown = show(late.ms);
    let answer = match setting.late_limit {
        Some(limit) if late.ms - slack(late) > limit => Answer::Fail,
        Some(limit) if late.ms + slack(late) <= limit => Answer::Pass,
        _ => Answer::Unknown,
    };
    let (zh, en) = match answer {
        Answer::Pass => ("未超过迟到判负的时限", "within the limit"),
        Answer::Fail => ("超过迟到判负的时限", "over the limit that loses"),
        Answer::Unknown => ("迟到判负的时限不明", "the limit that loses is not known"),
    };
    let words = Words::new(format!("迟到 {shown}：{zh}"), format!("late by {shown}: {en}"));
    let check = Check::new(CheckKind::Lateness, 0, answer, "21.1", words)
        .with("late", seconds(late.ms))
        .with("limit", setting.late_limit.map(seconds));
    vec![check, deducted(clock, setting, late)]
}

/// Whether the first clock shows that the lateness was taken off (21.2).
fn deducted(clock: &SideClock, setting: Setting<'_>, late: Time) -> Check {
    let first = clock.moves.first().copied().unwrap_or_default();
    let base = setting.control.and_then(|control| Some((control, control.limit(1)?)));
    let answer = match (base, first.left) {
        (Some((control, base)), Some(left)) if setting.whole && control.sure => {
            let given = clock.given(0, first.ply);
            let most = base - late.ms + control.increment * 2 + given;
            let taken = first.taken.map_or(0, |taken| taken.ms);
            if left.ms - slack(left) - slack(late) > most {
                Answer::Fail
            } else if left.ms + taken + slack(left) <= most {
                Answer::Pass
            } else {
                Answer::Unknown
            }
        }
        _ => Answer::Unknown,
    };
    let words = match answer {
        Answer::Pass => Words::new("迟到的时间已扣除", "the lateness was taken off the clock"),
        Answer::Fail => Words::new(
            "首着后的余时比扣除迟到后所余还多",
            "the first clock shows more than is left after the lateness",
        ),
        Answer::Unknown => Words::new(
            "迟到的时间是否扣除，没有数据",
            "whether the lateness was taken off is not recorded",
        ),
    };
    Check::new(CheckKind::LatenessDeducted, first.ply, answer, "21.2", words)
}

/// Minutes added after a false claim (23.3): whether they overstep the time, and whether they were added.
pub(super) fn penalties(clock: &SideClock, setting: Setting<'_>) -> Vec<Check> {
    let mut found = Vec::new();
    let increment = setting.control.map(|control| control.increment);
    for (ply, ms) in &clock.penalties {
        let made = clock.moves.iter().take_while(|at| at.ply <= *ply).count();
        let before = made.checked_sub(1).map(|last| &clock.moves[last]);
        let after = clock.moves.get(made);
        let left = before.and_then(|at| at.left);
        // Behind the last move of a period the clock may show the time of the next already, or not yet.
        let next = next_period(setting, made as u32);
        let answer = match left {
            _ if most_left(clock, setting, made).is_some_and(|most| most + next < *ms) => {
                Answer::Fail
            }
            Some(left) if left.ms - slack(left) > *ms => Answer::Pass,
            _ => by_sums(clock, setting, *ply, *ms),
        };
        let shown = show(*ms);
        let (zh, en) = match answer {
            Answer::Pass => ("未因此超时", "the time is not overstepped by it"),
            Answer::Fail => ("因此超时，判负", "the time is overstepped by it, which loses"),
            Answer::Unknown => (
                "余时不明，不能断定是否因此超时",
                "whether the time is overstepped by it is not known",
            ),
        };
        let words = Words::new(
            format!("提自然限着不实，加计 {shown}：{zh}"),
            format!("a false claim adds {shown}: {en}"),
        );
        found.push(
            Check::new(CheckKind::Penalty, *ply, answer, "23.3", words)
                .with("added", seconds(*ms))
                .with("left", left.map(|left| seconds(left.ms))),
        );
        let added = match (left, after.and_then(|at| at.left), increment) {
            (Some(before), Some(after), Some(increment)) => {
                let most = before.ms + next + increment - ms;
                if after.ms - SECOND > most { Answer::Fail } else { Answer::Pass }
            }
            _ => Answer::Unknown,
        };
        let words = match added {
            Answer::Pass => {
                Words::new("加计的时间已体现在钟上", "the clock shows that it was added")
            }
            Answer::Fail => {
                Words::new("钟上未见加计的时间", "the clock does not show that it was added")
            }
            Answer::Unknown => {
                Words::new("是否已加计，没有数据", "whether it was added is not recorded")
            }
        };
        let at = after.map_or(*ply, |at| at.ply);
        found.push(
            Check::new(CheckKind::PenaltyAdded, at, added, "23.3", words)
                .with("added", seconds(*ms)),
        );
    }
    found
}

/// The most that can be left behind the `made`th move: what a clock has shown there or before, with what has been added since.
fn most_left(clock: &SideClock, setting: Setting<'_>, made: usize) -> Option<i64> {
    let shown = clock.moves[..made].iter().rposition(|at| at.left.is_some())?;
    let left = clock.moves[shown].left?;
    // Without a control nobody knows what is added by a move.
    let added = match (made - shown - 1) as i64 {
        0 => 0,
        moves => moves * setting.control?.increment,
    };
    let periods = (shown + 1..made).map(|made| next_period(setting, made as u32)).sum::<i64>();
    let given = clock.given(clock.moves[shown].ply, clock.moves[made - 1].ply).max(0);
    Some(left.ms + slack(left) + added + periods + given)
}

/// The time of the period that begins behind the `made`th move; 0 where none does.
fn next_period(setting: Setting<'_>, made: u32) -> i64 {
    let period = |number| setting.control.and_then(|control| control.period(number));
    match (period(made), period(made.saturating_add(1))) {
        (Some(last), Some(next)) if made > 0 && next.number > last.number => next.own,
        _ => 0,
    }
}

/// The penalty by the sums of the times taken, where no clock is shown.
fn by_sums(clock: &SideClock, setting: Setting<'_>, ply: u32, ms: i64) -> Answer {
    let Some(control) = setting.control.filter(|control| control.sure) else {
        return Answer::Unknown;
    };
    let made = clock.moves.iter().take_while(|at| at.ply <= ply).count();
    let totals = may_be_totals(&clock.moves);
    let sum = made.checked_sub(1).map(|last| used(clock, setting.whole, false)[last]);
    let Some(sum) = sum.filter(|_| !totals && setting.carry_over) else { return Answer::Unknown };
    let with = Used { ms: sum.ms + ms, ..sum };
    in_time(control, made as u32 + 1, with, setting, 0)
}
