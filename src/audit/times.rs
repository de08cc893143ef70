//! Times that two sheets give differently for the same ply (article 10.1).

use std::collections::BTreeMap;

use crate::{
    board::Side,
    finding::{Code, Finding, Place, Span, Words},
    rules::{
        annotation::{Annotation, Event, SECOND, Time},
        case::Case,
        clock::show,
    },
};

/// What a time tells.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Left,
    Taken,
    Late,
}

impl Kind {
    fn of(event: &Event) -> Option<(Kind, Time)> {
        match event {
            Event::Clock(time) => Some((Kind::Left, *time)),
            Event::Elapsed(time) => Some((Kind::Taken, *time)),
            Event::Late(time) => Some((Kind::Late, *time)),
            _ => None,
        }
    }

    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Kind::Left => ("余时", "the time left"),
            Kind::Taken => ("用时", "the time taken"),
            Kind::Late => ("迟到的时间", "the lateness"),
        }
    }
}

/// A time as a sheet tells it.
type Told<'c> = (&'c Annotation, Time);

/// `QJ703` for each kind of time that the two sheets of `case` tell differently, at the first ply where they do: by more than
/// the unit they are told in.
pub(super) fn compare(case: &Case, place: &dyn Fn(usize, Span) -> Place) -> Vec<Finding> {
    // Of each sheet the first time of a kind at a ply.
    let mut told: BTreeMap<(Kind, u32, Option<Side>), [Option<Told<'_>>; 2]> = BTreeMap::new();
    for entry in &case.annotations.list {
        let Some((kind, time)) = Kind::of(&entry.event) else { continue };
        let side = if kind == Kind::Late { entry.side } else { None };
        let both = told.entry((kind, entry.ply, side)).or_default();
        if let Some(own) = both.get_mut(entry.sheet) {
            own.get_or_insert((entry, time));
        }
    }
    let differing: Vec<_> = told
        .into_iter()
        .filter_map(|((kind, ..), [one, other])| {
            let ((entry, one), (_, other)) = (one?, other?);
            let apart = one.ms.abs_diff(other.ms);
            let unit = one.unit.max(other.unit).max(SECOND).unsigned_abs();
            (apart > unit).then_some((kind, entry, one, other, apart))
        })
        .collect();
    let of_kind = |kind: Kind| {
        let all = || differing.iter().filter(move |(one, ..)| *one == kind);
        let (_, entry, one, other, _) = all().next()?;
        let most = all().map(|(.., apart)| *apart).max().unwrap_or_default();
        Some(finding(case, kind, entry, (*one, *other), (all().count(), most), place))
    };
    [Kind::Left, Kind::Taken, Kind::Late].into_iter().filter_map(of_kind).collect()
}

fn finding(
    case: &Case,
    kind: Kind,
    entry: &Annotation,
    (one, other): (Time, Time),
    (count, most): (usize, u64),
    place: &dyn Fn(usize, Span) -> Place,
) -> Finding {
    let (zh, en) = kind.words();
    let (first, second) = (show(one.ms), show(other.ms));
    let most = show(i64::try_from(most).unwrap_or(i64::MAX));
    let words = match count {
        1 => Words::new(
            format!("两份记录的{zh}不一致：{first} / {second}"),
            format!("the sheets disagree on {en}: {first} / {second}"),
        ),
        _ => Words::new(
            format!("两份记录的{zh}有 {count} 处不一致，首处 {first} / {second}，最多相差 {most}"),
            format!(
                "the sheets disagree on {en} at {count} plies, first {first} / {second}, by {most} at most"
            ),
        ),
    };
    let mut finding = Finding::new(Code::SHEETS_DISAGREE, words)
        .help(Words::new(
            "由双方和裁判当场核对签字",
            "have both players and the arbiter check and sign",
        ))
        .at(place(entry.sheet, entry.span))
        .with("kind", "time")
        .with("texts", vec![first, second])
        .with("count", count);
    if let Some(side) = case.mover(entry.ply) {
        finding = finding.ply(entry.ply, case.round(entry.ply), side);
    }
    finding.article = Some("10.1".into());
    finding
}
