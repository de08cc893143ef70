//! A table of figures, for people and for programs.

use maud::{Markup, PreEscaped, html};
use serde_json::{Map, Value, json};

use crate::finding::{Lang, Words};

use super::{
    html::page,
    width::{pad, printable, width},
};

/// One value of a grid.
#[derive(Clone, PartialEq, Debug)]
pub enum Figure {
    /// Not known.
    Null,
    /// Words.
    Text(String),
    /// A number of things.
    Count(i64),
    /// A mean or a median.
    Real(f64),
    /// A part of a whole: shown in per cent with a 95 % interval. A part may be half a thing, as a draw is half a point.
    Share {
        /// The part.
        part: f64,
        /// The whole; of nothing there is no share.
        of: i64,
    },
}

/// One column of a grid.
#[derive(Clone, PartialEq, Debug)]
pub struct GridColumn {
    /// The name for programs.
    pub name: String,
    /// The title for people.
    pub title: Words,
    /// Whether it holds shares, which are three columns for programs.
    pub share: bool,
    /// Whether it holds numbers, which stand to the right.
    pub number: bool,
}

/// What of a grid is drawn, by the numbers of its columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Drawn {
    /// What stands below.
    pub label: usize,
    /// What is drawn: a count, a mean or a share with its interval.
    pub value: usize,
    /// A line over numbers, else bars over words.
    pub line: bool,
}

/// A table of figures.
#[derive(Clone, PartialEq, Debug)]
pub struct Grid {
    /// The name for programs.
    pub name: String,
    /// The title for people.
    pub title: Words,
    /// What else must be known to read it; empty if nothing.
    pub note: Words,
    /// The columns.
    pub columns: Vec<GridColumn>,
    /// The rows, a value a column.
    pub rows: Vec<Vec<Figure>>,
    /// The chart.
    pub drawn: Option<Drawn>,
}

/// The 95 % interval of Wilson for `part` of `of`, as fractions: what a share may be, given how few were counted. For points
/// with draws it is wider than need be.
///
/// ```
/// use qijian::report::wilson;
///
/// // The textbook case: 10 of 20.
/// let (low, high) = wilson(10.0, 20);
/// assert!((low - 0.299).abs() < 0.001 && (high - 0.701).abs() < 0.001);
/// assert_eq!(wilson(0.0, 10).0, 0.0);
/// ```
pub fn wilson(part: f64, of: i64) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let n = of.max(1) as f64;
    let p = (part / n).clamp(0.0, 1.0);
    let centre = p + Z * Z / (2.0 * n);
    let spread = Z * (p * (1.0 - p) / n + Z * Z / (4.0 * n * n)).sqrt();
    let whole = 1.0 + Z * Z / n;
    // Rounding may leave a hair beyond the ends.
    (((centre - spread) / whole).max(0.0), ((centre + spread) / whole).min(1.0))
}

/// Rounded to six decimals (CONTRACT section 4).
fn six(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

impl Figure {
    /// A count.
    pub fn count(n: i64) -> Figure {
        Figure::Count(n)
    }

    /// Words, or null.
    pub fn text(text: Option<&str>) -> Figure {
        text.map_or(Figure::Null, |text| Figure::Text(text.to_owned()))
    }

    /// The fraction and its interval; `None` for what is no share, or one of nothing.
    pub fn fractions(&self) -> Option<(f64, f64, f64)> {
        match self {
            Figure::Share { part, of } if *of > 0 => {
                let (low, high) = wilson(*part, *of);
                Some((part / *of as f64, low, high))
            }
            _ => None,
        }
    }

    fn shown(&self) -> String {
        match self {
            Figure::Null => "–".to_owned(),
            Figure::Text(text) => printable(text),
            Figure::Count(count) => count.to_string(),
            Figure::Real(value) => format!("{value:.2}"),
            Figure::Share { .. } => match self.fractions() {
                None => "–".to_owned(),
                Some((share, low, high)) => {
                    let cent = |value: f64| format!("{:.1}", value * 100.0);
                    format!("{}% ({}–{})", cent(share), cent(low), cent(high))
                }
            },
        }
    }
}

impl Grid {
    /// The columns for programs: a share is its fraction and the ends of its interval.
    pub fn plain_columns(&self) -> Vec<String> {
        let names = self.columns.iter().flat_map(|column| {
            let ends = ["_low", "_high"].iter().filter(|_| column.share);
            std::iter::once(column.name.clone())
                .chain(ends.map(|end| format!("{}{end}", column.name)))
        });
        names.collect()
    }

    /// A row for programs, in the order of [`Grid::plain_columns`]; shares are real numbers with six decimals.
    pub fn plain_row(&self, row: &[Figure]) -> Vec<Figure> {
        let mut plain = Vec::new();
        for (column, figure) in self.columns.iter().zip(row) {
            match (column.share, figure.fractions()) {
                (false, _) => plain.push(match figure {
                    Figure::Real(value) => Figure::Real(six(*value)),
                    other => other.clone(),
                }),
                (true, Some((share, low, high))) => {
                    plain.extend([share, low, high].map(|value| Figure::Real(six(value))));
                }
                (true, None) => plain.extend([Figure::Null, Figure::Null, Figure::Null]),
            }
        }
        plain
    }

    /// For a terminal: words to the left, numbers to the right, wide characters counted as two columns.
    pub fn text(&self, lang: Lang) -> String {
        let mut rows: Vec<Vec<String>> =
            vec![self.columns.iter().map(|column| column.title.get(lang).to_owned()).collect()];
        rows.extend(self.rows.iter().map(|row| row.iter().map(Figure::shown).collect()));
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|index| rows.iter().map(|row| width(&row[index])).max().unwrap_or(0))
            .collect();
        let mut text = format!("{}\n", self.title.get(lang));
        if !self.note.get(lang).is_empty() {
            text.push_str(&format!("{}\n", self.note.get(lang)));
        }
        text.push('\n');
        for row in rows {
            let mut line = String::new();
            for (index, cell) in row.iter().enumerate() {
                line.push_str(if index == 0 { "" } else { "  " });
                match self.columns[index].number {
                    true => {
                        line.push_str(&format!("{}{cell}", " ".repeat(widths[index] - width(cell))))
                    }
                    false => line.push_str(&pad(cell, widths[index])),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    /// A table of Markdown.
    pub fn markdown(&self, lang: Lang) -> String {
        let escape =
            |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;");
        let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
        let mut text = format!("## {}\n\n", self.title.get(lang));
        if !self.note.get(lang).is_empty() {
            text.push_str(&format!("{}\n\n", self.note.get(lang)));
        }
        text.push_str(&line(
            self.columns.iter().map(|column| escape(column.title.get(lang))).collect(),
        ));
        let rule = |column: &GridColumn| (if column.number { "---:" } else { "---" }).to_owned();
        text.push_str(&line(self.columns.iter().map(rule).collect()));
        for row in &self.rows {
            text.push_str(&line(row.iter().map(|figure| escape(&figure.shown())).collect()));
        }
        text
    }

    /// CSV with a header.
    pub fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let field = |figure: &Figure| match figure {
            Figure::Null | Figure::Share { .. } => String::new(),
            Figure::Text(text) => text.clone(),
            Figure::Count(count) => count.to_string(),
            Figure::Real(value) => value.to_string(),
        };
        // A vector takes every byte.
        let _ = writer.write_record(self.plain_columns());
        for row in &self.rows {
            let _ = writer.write_record(self.plain_row(row).iter().map(field));
        }
        String::from_utf8(writer.into_inner().unwrap_or_default()).unwrap_or_default()
    }

    /// A JSON object: `name`, `title`, `note`, `rows`, each an object.
    pub fn json(&self, lang: Lang) -> Value {
        let names = self.plain_columns();
        let value = |figure: Figure| match figure {
            Figure::Null | Figure::Share { .. } => Value::Null,
            Figure::Text(text) => Value::from(text),
            Figure::Count(count) => Value::from(count),
            Figure::Real(real) => Value::from(real),
        };
        let rows = self.rows.iter().map(|row| {
            let cells = names.iter().cloned().zip(self.plain_row(row).into_iter().map(value));
            Value::Object(cells.collect::<Map<_, _>>())
        });
        json!({
            "name": self.name, "title": self.title.get(lang), "note": self.note.get(lang),
            "rows": rows.collect::<Vec<_>>(),
        })
    }

    fn markup(&self, lang: Lang) -> Markup {
        html! {
            section class="grid" id=(self.name) {
                h2 { (self.title.get(lang)) }
                @if !self.note.get(lang).is_empty() { p class="note" { (self.note.get(lang)) } }
                @if let Some(svg) = self.chart(lang) { figure { (PreEscaped(svg)) } }
                table {
                    thead { tr { @for column in &self.columns { th class=[column.number.then_some("number")] { (column.title.get(lang)) } } } }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @for (column, figure) in self.columns.iter().zip(row) {
                                    td class=[column.number.then_some("number")] { (figure.shown()) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    #[cfg(feature = "tables")]
    fn chart(&self, lang: Lang) -> Option<String> {
        super::chart::svg(self, lang)
    }

    #[cfg(not(feature = "tables"))]
    fn chart(&self, _lang: Lang) -> Option<String> {
        None
    }
}

/// A page with all of `grids`, their charts as inline SVG.
pub fn grids_page(title: &Words, grids: &[Grid], lang: Lang) -> String {
    let title = title.get(lang);
    let body = html! {
        h1 { (title) }
        nav class="contents" {
            ul { @for grid in grids { li { a href={ "#" (grid.name) } { (grid.title.get(lang)) } } } }
        }
        @for grid in grids { (grid.markup(lang)) }
    };
    page(title, lang, body)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid() -> Grid {
        let column = |name: &str, zh: &'static str, number, share| GridColumn {
            name: name.to_owned(),
            title: Words::new(zh, name.to_owned()),
            share,
            number,
        };
        Grid {
            name: "players".to_owned(),
            title: Words::new("棋手", "Players"),
            note: Words::new("", ""),
            columns: vec![
                column("player", "棋手", false, false),
                column("games", "局数", true, false),
                column("wins", "胜", true, true),
            ],
            rows: vec![
                vec![
                    Figure::Text("许银川".into()),
                    Figure::Count(20),
                    Figure::Share { part: 10.0, of: 20 },
                ],
                vec![
                    Figure::Text("a|<b>".into()),
                    Figure::Count(3),
                    Figure::Share { part: 0.0, of: 0 },
                ],
            ],
            drawn: Some(Drawn { label: 0, value: 2, line: false }),
        }
    }

    #[test]
    fn columns_line_up_under_wide_characters() {
        let text = grid().text(Lang::Zh);
        let lines: Vec<&str> = text.lines().skip(2).collect();
        assert_eq!(lines[0], "棋手    局数                 胜");
        assert_eq!(lines[1], "许银川    20  50.0% (29.9–70.1)");
        assert_eq!(lines[2], "a|<b>      3                  –");
    }

    #[test]
    fn programs_get_fractions_with_their_interval() {
        let csv = grid().csv();
        assert_eq!(csv.lines().next(), Some("player,games,wins,wins_low,wins_high"));
        assert_eq!(csv.lines().nth(1), Some("许银川,20,0.5,0.299298,0.700702"));
        assert_eq!(csv.lines().nth(2), Some("a|<b>,3,,,"));
        let json = grid().json(Lang::En);
        assert_eq!(json["rows"][0]["wins_high"], 0.700_702);
        assert_eq!(json["rows"][1]["wins"], Value::Null);
    }

    #[test]
    fn names_cannot_break_a_page_or_a_table() {
        assert!(grid().markdown(Lang::En).contains("| a\\|&lt;b> |"));
        let page = grids_page(&Words::new("统计", "Statistics"), &[grid()], Lang::En);
        assert!(page.contains("a|&lt;b&gt;") && !page.contains("<b>"));
    }

    /// Published values: Wilson 1927; Newcombe 1998, table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    #[test]
    fn intervals_of_the_literature() {
        for (part, of, low, high) in [
            (81.0, 263, 0.2553, 0.3662),
            (15.0, 148, 0.0624, 0.1605),
            (0.0, 20, 0.0, 0.1611),
            (1.0, 29, 0.0061, 0.1718),
        ] {
            let (l, h) = wilson(part, of);
            assert!((l - low).abs() < 5e-5 && (h - high).abs() < 5e-5, "{part} of {of}: {l} {h}");
        }
    }
}
