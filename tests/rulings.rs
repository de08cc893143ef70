//! Published repetition rulings (`../shared/cases/rulings.jsonl`), each under its own profile.

use std::fs;

use qijian::{
    board::{Move, Position},
    rules::{
        Profile,
        cycle::repetitions,
        repetition::{Ruling, judge},
    },
};
use serde_json::Value;

use crate::support::shared;

struct Case {
    id: String,
    profile: String,
    official: bool,
    expected: String,
    at_third: Option<String>,
    row: Value,
}

fn cases() -> Vec<Case> {
    let Some(path) = shared("cases/rulings.jsonl") else { return Vec::new() };
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| {
            let row: Value = serde_json::from_str(line).unwrap();
            let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
            Case {
                id: text("id"),
                profile: text("profile"),
                official: row["official"] == true,
                expected: text("ruling"),
                at_third: row["decision_at_third"].as_str().map(str::to_owned),
                row,
            }
        })
        .collect()
}

fn rule(case: &Case) -> Ruling {
    let profile = Profile::load(&case.profile).unwrap();
    let start = Position::from_fen(case.row["fen"].as_str().unwrap()).unwrap();
    let moves: Vec<Move> = case.row["moves"]
        .as_str()
        .unwrap()
        .split_whitespace()
        .map(|mv| mv.parse().unwrap())
        .collect();
    let mut position = start.clone();
    let mut keys = vec![position.key()];
    let mut captures = Vec::new();
    for mv in &moves {
        assert!(position.is_legal(*mv), "{}: {mv} is illegal", case.id);
        captures.push(position.piece_at(mv.to).is_some());
        position.play(*mv);
        keys.push(position.key());
    }
    let found = repetitions(&keys, &captures, profile.repetition.occurrences);
    assert_eq!(found.len(), 1, "{}: {found:?}", case.id);
    judge(&start, &moves, found[0], &profile.repetition)
}

#[test]
fn published_rulings() {
    let mut wrong = Vec::new();
    let mut tally = std::collections::BTreeMap::<(String, bool), (usize, usize)>::new();
    for case in cases() {
        let ruling = rule(&case);
        let end = ruling.verdict.one_cycle_later();
        let right = end.as_str() == case.expected
            && case.at_third.as_ref().is_none_or(|third| *third == ruling.verdict.as_str());
        let counts = tally.entry((case.profile.clone(), case.official)).or_default();
        counts.1 += 1;
        counts.0 += usize::from(right);
        if !right {
            let labels: Vec<String> = ruling
                .labels
                .iter()
                .zip(
                    case.row["moves"].as_str().unwrap().split_whitespace().skip(ruling.cycle.start),
                )
                .map(|(l, mv)| format!("{mv} {} {:?} [{}]", l.label.as_str(), l.chased, l.why.en))
                .collect();
            wrong.push(format!(
                "{} {} official {}: expected {} {:?}, got {} ({} / {})\n   theirs {} / {} {}\n   {}\n   {}",
                case.profile, case.id, case.official, case.expected, case.at_third, ruling.verdict.as_str(),
                ruling.behaviours[0].as_str(), ruling.behaviours[1].as_str(),
                case.row["red_behaviour"], case.row["black_behaviour"], case.row["note"], case.row["fen"], labels.join("\n   "),
            ));
        }
    }
    for ((profile, official), (right, all)) in &tally {
        eprintln!("{profile}, official {official}: {right} of {all}");
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// The table of RULINGS.md, per profile and kind, counted anew: ours, and the verdicts of other programs that are stored
/// with the cases.
#[test]
fn the_published_table_is_what_the_cases_come_to() {
    let cases = cases();
    if cases.is_empty() {
        return;
    }
    type Kind<'k> = (&'k str, &'k dyn Fn(&Case) -> bool);
    let kinds: [Kind<'_>; 4] = [
        ("| `axf`, printed diagrams |", &|case| case.profile == "axf" && case.official),
        ("| `axf`, engine authors' cases |", &|case| case.profile == "axf" && !case.official),
        ("| `cxa-classic`, annotated rulings |", &|case| {
            case.profile == "cxa-classic" && case.row["pikafish"].is_null()
        }),
        ("| `cxa-classic`, constructed |", &|case| {
            case.profile == "cxa-classic" && !case.row["pikafish"].is_null()
        }),
    ];
    let mut counted = 0;
    for (name, belongs) in kinds {
        let rows: Vec<&Case> = cases.iter().filter(|case| belongs(case)).collect();
        counted += rows.len();
        let right = |case: &&&Case| rule(case).verdict.one_cycle_later().as_str() == case.expected;
        let ours = rows.iter().filter(right).count();
        let others = ["pyffish", "pikafish", "chessdb"].map(|program| {
            let run = rows.iter().any(|case| !case.row[program].is_null());
            let right = rows.iter().filter(|case| case.row[program] == case.expected.as_str());
            if run { right.count().to_string() } else { "not run".to_owned() }
        });
        let line = format!("{name} {} | {ours} | {} |", rows.len(), others.join(" | "));
        eprintln!("{line}");
        assert!(include_str!("../src/rules/RULINGS.md").contains(&line), "{line}");
    }
    assert_eq!(counted, cases.len(), "every case belongs to one kind");
}
