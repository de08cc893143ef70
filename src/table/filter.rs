//! The filter language of `--only`: conditions on the columns of `games`.
//!
//! ```text
//! filter     = condition *( "," condition )          all of them hold
//! condition  = column operator value *( "|" value )  one of the values fits
//! operator   = "=" | "!=" | ">=" | "<=" | ">" | "<" | "~"
//! ```
//!
//! Columns are those of `games`, and `player`, `team` (either side's, by the rules of names) and `code` (a finding's code
//! or a prefix of it). `=` compares whole values, text without regard to case, and `~` looks for a part of the text.
//! `>=`, `<=`, `>` and `<` compare numbers, and dates as `2001-03-13` or `2001`. `column=` holds where the value is null, and
//! `column!=` where it is not. `!=` holds where `=` does not.

use crate::finding::Code;

use super::{
    cell::{Cell, Kind},
    names::{Names, Of},
    rows,
    schema::{self, Positions, Table},
    study::Study,
    text::plain,
};

/// A filter.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Filter {
    conditions: Vec<Condition>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Condition {
    field: Field,
    operator: Operator,
    values: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Field {
    Column(usize),
    Player,
    Team,
    Code,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Operator {
    Is,
    IsNot,
    AtLeast,
    AtMost,
    Over,
    Under,
    Contains,
}

/// A filter that is not understood.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FilterError {
    /// No operator.
    #[error("{0}: 缺少 = != >= <= > < ~ / lacks an operator: = != >= <= > < ~")]
    NoOperator(String),
    /// No such column.
    #[error(
        "{0}: games 没有这一列，列名见 SCHEMA.md，另有 player team code / not a column of games; there are player, team and code too"
    )]
    NoColumn(String),
    /// An order of things that have none.
    #[error("{0}: 只能用 = != ~ / takes only = != ~")]
    NoOrder(String),
    /// A value that the column never has, with what it has.
    #[error("{0}: 没有这样的值，应为 / no such value; it takes {1}")]
    NoValue(String, String),
}

impl Filter {
    /// Reads a filter; the empty text holds for every game.
    ///
    /// ```
    /// use qijian::table::Filter;
    ///
    /// assert!(Filter::parse("result=1-0,format=xqf|cbl,code=QJ5,year>=1990").is_ok());
    /// assert!(Filter::parse("colour=red").is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// A condition without operator, of a column that does not exist, that puts words in order, or that asks for a value
    /// which the column never has.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        let conditions = text.split(',').map(str::trim).filter(|part| !part.is_empty());
        Ok(Filter { conditions: conditions.map(condition).collect::<Result<_, _>>()? })
    }

    /// Both filters together.
    #[must_use]
    pub fn and(mut self, other: Filter) -> Filter {
        self.conditions.extend(other.conditions);
        self
    }

    /// Whether a condition is about findings.
    pub fn looks_at_findings(&self) -> bool {
        const COLUMNS: [&str; 6] =
            ["findings", "errors", "warnings", "codes", "repetitions", "natural_limit"];
        self.conditions.iter().any(|condition| match condition.field {
            Field::Code => true,
            Field::Column(index) => {
                COLUMNS.iter().any(|name| schema::index(Table::Games, name) == Some(index))
            }
            _ => false,
        })
    }

    /// Whether every condition holds for `study`.
    pub fn holds(&self, study: &Study, names: &Names) -> bool {
        if self.conditions.is_empty() {
            return true;
        }
        let row = rows::game(study);
        self.conditions.iter().all(|condition| condition.holds(study, &row, names))
    }
}

fn condition(text: &str) -> Result<Condition, FilterError> {
    const OPERATORS: [(&str, Operator); 7] = [
        ("!=", Operator::IsNot),
        (">=", Operator::AtLeast),
        ("<=", Operator::AtMost),
        ("=", Operator::Is),
        (">", Operator::Over),
        ("<", Operator::Under),
        ("~", Operator::Contains),
    ];
    let at = text.find(['!', '>', '<', '=', '~']);
    let found = at.and_then(|at| {
        let (name, rest) = text.split_at(at);
        OPERATORS
            .iter()
            .find_map(|(sign, operator)| Some((name.trim(), *operator, rest.strip_prefix(sign)?)))
    });
    let Some((name, operator, values)) = found else {
        return Err(FilterError::NoOperator(text.to_owned()));
    };
    let field = match name {
        "player" => Field::Player,
        "team" => Field::Team,
        "code" => Field::Code,
        _ => match schema::index(Table::Games, name) {
            Some(index) => Field::Column(index),
            None => return Err(FilterError::NoColumn(name.to_owned())),
        },
    };
    let ordered =
        matches!(operator, Operator::AtLeast | Operator::AtMost | Operator::Over | Operator::Under);
    if ordered && !matches!(field, Field::Column(_)) {
        return Err(FilterError::NoOrder(name.to_owned()));
    }
    let values: Vec<String> = values.split('|').map(|value| value.trim().to_owned()).collect();
    let stray = values
        .iter()
        .filter(|value| !value.is_empty() && operator != Operator::Contains)
        .find_map(|value| Some((value, wanted(field, value)?)));
    match stray {
        Some((value, wanted)) => Err(FilterError::NoValue(format!("{name}={value}"), wanted)),
        None => Ok(Condition { field, operator, values }),
    }
}

/// What a field takes, if it never has `value`: a search for it would find nothing, and nobody would know why.
fn wanted(field: Field, value: &str) -> Option<String> {
    let (fits, wanted) = match field {
        Field::Player | Field::Team => return None,
        Field::Code => (
            Code::all().any(|code| code.matches_prefix(value)),
            "QJ3, QJ301, … (`qijian explain`)".to_owned(),
        ),
        Field::Column(index) => {
            let column = schema::columns(Table::Games, Positions::None).nth(index)?;
            match column.kind {
                Kind::Int | Kind::Key | Kind::Real => {
                    (value.parse::<f64>().is_ok_and(f64::is_finite), "a number".to_owned())
                }
                Kind::Bool => (matches!(value, "true" | "false"), "true, false".to_owned()),
                Kind::Date => (is_date(value), "2001, 2001-03, 2001-03-13".to_owned()),
                Kind::Text | Kind::Bytes => {
                    let words = closed(column.unit)?;
                    let known = words.iter().any(|word| word.eq_ignore_ascii_case(value));
                    (known, words.join(", "))
                }
            }
        }
    };
    (!fits).then_some(wanted)
}

/// The words of a column of which the schema names all: each in backticks, and nothing beside them.
fn closed(unit: &'static str) -> Option<Vec<&'static str>> {
    let word = |word: &'static str| word.strip_prefix('`')?.strip_suffix('`');
    let words: Option<Vec<_>> = unit.split(", ").map(word).collect();
    words.filter(|words| words.iter().all(|word| !word.contains('`')))
}

/// A year, a month or a day.
fn is_date(value: &str) -> bool {
    let mut parts = value.split('-');
    let digits = |part: &str, most: usize| {
        (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let year = parts.next().is_some_and(|year| digits(year, 4));
    let rest: Vec<&str> = parts.collect();
    year && rest.len() <= 2 && rest.iter().all(|part| digits(part, 2))
}

impl Condition {
    fn holds(&self, study: &Study, row: &[Cell<'_>], names: &Names) -> bool {
        let any = |test: &dyn Fn(&str) -> bool| self.values.iter().any(|value| test(value));
        let either = |of: Of, keys: &[Option<String>; 2]| {
            let is =
                |value: &str| names.key(of, value).is_some_and(|key| keys.contains(&Some(key)));
            let part = |value: &str| keys.iter().flatten().any(|key| key.contains(value));
            let none = |value: &str| value.is_empty() && keys.iter().all(Option::is_none);
            match self.operator {
                Operator::Contains => any(&part),
                Operator::IsNot => !any(&|value| is(value) || none(value)),
                _ => any(&|value| is(value) || none(value)),
            }
        };
        match self.field {
            Field::Player => either(Of::Player, &study.players),
            Field::Team => either(Of::Team, &study.teams),
            Field::Code => {
                let codes = &study.report.findings;
                let test = |value: &str| match value {
                    "" => codes.is_empty(),
                    _ => codes.iter().any(|finding| finding.code.matches_prefix(value)),
                };
                any(&test) != (self.operator == Operator::IsNot)
            }
            Field::Column(index) => {
                let cell = row.get(index).unwrap_or(&Cell::Null);
                match self.operator {
                    Operator::Is => any(&|value| equal(cell, value)),
                    Operator::IsNot => !any(&|value| equal(cell, value)),
                    Operator::Contains => {
                        let text = plain(cell).to_lowercase();
                        any(&|value| text.contains(&value.to_lowercase()))
                    }
                    _ => any(&|value| self.compare(cell, value)),
                }
            }
        }
    }

    /// Null is neither over nor under anything.
    fn compare(&self, cell: &Cell<'_>, value: &str) -> bool {
        let text = plain(cell);
        let order = match cell {
            Cell::Null => None,
            // Only as much of a date as the value names.
            Cell::Date(_) => text.get(..value.len()).map(|text| text.cmp(value)),
            Cell::Text(_) => Some(text.as_str().cmp(value)),
            _ => match (text.parse::<f64>(), value.parse::<f64>()) {
                (Ok(number), Ok(value)) => number.partial_cmp(&value),
                _ => None,
            },
        };
        order.is_some_and(|order| match self.operator {
            Operator::AtLeast => order.is_ge(),
            Operator::AtMost => order.is_le(),
            Operator::Over => order.is_gt(),
            _ => order.is_lt(),
        })
    }
}

fn equal(cell: &Cell<'_>, value: &str) -> bool {
    match cell {
        Cell::Null => value.is_empty(),
        Cell::Int(_) | Cell::Real(_) => match (plain(cell).parse::<f64>(), value.parse::<f64>()) {
            (Ok(number), Ok(value)) => number == value,
            _ => false,
        },
        _ => plain(cell).to_lowercase() == value.to_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::study::tests::study;

    fn holds(filter: &str) -> bool {
        let mut study = study(
            "h2e2 h9g7",
            &[
                ("red", "许银川"),
                ("black", "吕钦"),
                ("date", "2001.03.13"),
                ("event", "Grand Prix"),
            ],
        );
        study.report.result = "1-0";
        Filter::parse(filter).unwrap().holds(&study, &Names::default())
    }

    #[test]
    fn conditions_hold_or_not() {
        for yes in [
            "",
            "result=1-0",
            "result=0-1|1-0",
            "result!=0-1",
            "plies>=2,plies<3",
            "year>2000",
            "date>=2001-03,date<=2001",
            "date=2001-03-13",
            "player=許銀川",
            "player=吕钦|赵国荣",
            "player~银川",
            "event~grand",
            "event=grand prix",
            "site=",
            "red!=",
            "team=",
            "code=",
            "standard_start=true",
        ] {
            assert!(holds(yes), "{yes}");
        }
        for no in [
            "result=0-1",
            "plies>2",
            "year>=2002",
            "date<2001",
            "player=赵国荣",
            "player!=吕钦",
            "site!=",
            "site>a",
            "code=QJ3",
            "result=1-0,year=1999",
        ] {
            assert!(!holds(no), "{no}");
        }
    }

    #[test]
    fn faults_are_told() {
        assert!(matches!(Filter::parse("result"), Err(FilterError::NoOperator(_))));
        assert!(matches!(Filter::parse("colour=red"), Err(FilterError::NoColumn(_))));
        assert!(matches!(Filter::parse("player>3"), Err(FilterError::NoOrder(_))));
        for never in [
            "result=nonsense",
            "result=1-0|draw",
            "termination=mate",
            "first_side!=white",
            "format=doc",
            "year>=abc",
            "plies=many",
            "date>=March",
            "standard_start=yes",
            "code=QJX",
        ] {
            assert!(matches!(Filter::parse(never), Err(FilterError::NoValue(..))), "{never}");
        }
        // Of other columns any value may be met, and a part of a text is no value.
        for maybe in [
            "opening=A10",
            "notation=x",
            "result~1",
            "duplicate_kind=mirrored",
            "year=",
            "date=2001",
        ] {
            assert!(Filter::parse(maybe).is_ok(), "{maybe}");
        }
    }
}
