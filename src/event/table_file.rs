//! Results in a CSV file: a row a game, columns by name.

use crate::finding::{Span, Words};

use super::{
    file::{GameEntry, Reference, Speed},
    load::{LIMIT, Mistakes},
    model::{Origin, Source},
};

/// The columns that are read; others are refused.
pub(super) const COLUMNS: [&str; 14] = [
    "stage",
    "round",
    "match",
    "board",
    "red_team",
    "red",
    "black_team",
    "black",
    "home",
    "result",
    "speed",
    "places",
    "record",
    "note",
];

/// Adds the rows of the last source to `rows`.
pub(super) fn read(
    sources: &[Source],
    rows: &mut Vec<(GameEntry, Origin)>,
    mistakes: &mut Mistakes,
) {
    let index = sources.len() - 1;
    let text = sources[index].text.strip_prefix('\u{feff}').unwrap_or(&sources[index].text);
    let bom = sources[index].text.len() - text.len();
    mistakes.sources = sources.to_vec();
    let at = |start: usize, end: usize| Origin {
        source: index,
        span: Span::new(start + bom, end + bom),
    };
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(text.as_bytes());
    let Ok(headers) = reader.headers().cloned() else {
        mistakes.add(at(0, 0), Words::new("表头读不出", "the header cannot be read"));
        return;
    };
    let mut columns = Vec::new();
    for name in &headers {
        let known = COLUMNS.iter().find(|column| name.eq_ignore_ascii_case(column)).copied();
        if known.is_none() {
            let words = Words::new(
                format!("不识的列“{name}”；可用：{}", COLUMNS.join("、")),
                format!("unknown column {name:?}; columns are {}", COLUMNS.join(", ")),
            );
            mistakes.add(at(0, text.lines().next().unwrap_or("").len()), words);
        }
        columns.push(known);
    }
    for record in reader.into_records() {
        let record = match record {
            Ok(record) => record,
            Err(error) => {
                let start = error.position().map_or(0, |position| position.byte() as usize);
                mistakes.add(at(start, start), Words::new("此行读不出", "this row cannot be read"));
                continue;
            }
        };
        if rows.len() > LIMIT {
            return;
        }
        let start = record.position().map_or(0, |position| position.byte() as usize);
        // The reader's position is that of the line end before the row.
        let start = start.min(text.len());
        let ends = text.as_bytes()[start..].iter().take_while(|byte| matches!(byte, b'\r' | b'\n'));
        let start = start + ends.count();
        let line = text.get(start..).and_then(|rest| rest.lines().next()).unwrap_or("");
        let origin = at(start, start + line.len());
        if record.len() != columns.len() {
            let words = Words::new("列数与表头不符", "the row has not as many cells as the header");
            mistakes.add(origin, words);
            continue;
        }
        match row(&columns, &record) {
            Ok(row) => rows.push((row, origin)),
            Err(column) => mistakes.add(
                origin,
                Words::new(
                    format!("“{column}”列的值不合要求"),
                    format!("the value in column {column:?} cannot be used"),
                ),
            ),
        }
    }
}

fn row(
    columns: &[Option<&'static str>],
    record: &csv::StringRecord,
) -> Result<GameEntry, &'static str> {
    let mut row = GameEntry::default();
    for (column, cell) in columns.iter().zip(record) {
        let Some(column) = *column else { continue };
        if cell.is_empty() {
            continue;
        }
        let number = || cell.parse::<u32>().map_err(|_| column);
        let text = || Some(cell.to_owned());
        let reference = || Some(Reference(cell.to_owned()));
        match column {
            "stage" => row.stage = text(),
            // Some sources know a round only as a range, such as 5-6: then it is not known.
            "round" if cell.contains('-') => {}
            "round" => row.round = Some(number()?),
            "match" => row.number = Some(number()?),
            "board" => row.board = Some(number()?),
            "red_team" => row.red_team = reference(),
            "red" => row.red = reference(),
            "black_team" => row.black_team = reference(),
            "black" => row.black = reference(),
            "home" => row.home = reference(),
            "result" => cell.clone_into(&mut row.result),
            "speed" => {
                row.speed = Some(match cell {
                    "slow" | "慢棋" => Speed::Slow,
                    "rapid" | "快棋" => Speed::Rapid,
                    _ => return Err(column),
                });
            }
            "places" => row.places = Some(number()?),
            "record" => row.record = text(),
            _ => row.note = text(),
        }
    }
    Ok(row)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> (Vec<GameEntry>, Vec<String>) {
        let sources = [Source { name: "r.csv".to_owned(), text: text.to_owned() }];
        let (mut rows, mut mistakes) = (Vec::new(), Mistakes::default());
        read(&sources, &mut rows, &mut mistakes);
        let places = mistakes.found.iter().map(|one| {
            let place = &one.place;
            format!("{}:{}", place.line.unwrap_or(0), place.column.unwrap_or(0))
        });
        (rows.into_iter().map(|(row, _)| row).collect(), places.collect())
    }

    #[test]
    fn columns_are_found_by_name_and_rounds_may_be_ranges() {
        let (rows, mistakes) =
            rows("\u{feff}round,red,black,result,speed\r\n1,a,b,1-0,\r\n5-6,c,d,1/2,快棋\r\n");
        assert!(mistakes.is_empty(), "{mistakes:?}");
        assert_eq!((rows[0].round, rows[0].speed), (Some(1), None));
        assert_eq!((rows[1].round, rows[1].speed), (None, Some(Speed::Rapid)));
    }

    #[test]
    fn what_cannot_be_read_has_its_line() {
        let (found, mistakes) = rows("round,red,colour\n1,a,x\nzwei,b,x\n3,c\n4,d,x\n");
        assert_eq!(found.len(), 2);
        assert_eq!(mistakes, ["1:1", "3:1", "4:1"]);
        assert_eq!(rows("").0.len(), 0);
    }
}
