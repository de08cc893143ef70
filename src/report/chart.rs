//! Charts of grids as SVG, drawn by plotters.

use plotters::{
    backend::SVGBackend,
    chart::ChartBuilder,
    drawing::IntoDrawingArea,
    element::{PathElement, Rectangle},
    series::LineSeries,
    style::{Color, IntoFont, RGBColor, TextStyle},
};

use crate::finding::Lang;

use super::{
    grid::{Drawn, Figure, Grid},
    width::clip,
};

/// Bars of one chart; the others stand in the table.
const MOST_BARS: usize = 24;
/// Columns of a label.
const LABEL: usize = 14;
const WIDTH: u32 = 840;
const HEIGHT: u32 = 300;
/// The colour of the style sheet for what is drawn.
const INK: RGBColor = RGBColor(0x2f, 0x6f, 0x8f);

/// A label, its value, and the ends of its interval.
type Point = (String, f64, Option<(f64, f64)>);

/// The chart of `grid`; `None` if it has none, or less than two values.
pub(super) fn svg(grid: &Grid, lang: Lang) -> Option<String> {
    let drawn = grid.drawn?;
    let points: Vec<Point> = grid
        .rows
        .iter()
        .filter_map(|row| {
            let label = match row.get(drawn.label)? {
                Figure::Text(text) => text.clone(),
                Figure::Count(count) => count.to_string(),
                _ => return None,
            };
            let figure = row.get(drawn.value)?;
            let (value, ends) = match figure {
                Figure::Count(count) => (*count as f64, None),
                Figure::Real(value) => (*value, None),
                share => {
                    let (share, low, high) = share.fractions()?;
                    (share * 100.0, Some((low * 100.0, high * 100.0)))
                }
            };
            Some((label, value, ends))
        })
        .take(if drawn.line { usize::MAX } else { MOST_BARS })
        .collect();
    if points.len() < 2 {
        return None;
    }
    let column = grid.columns.get(drawn.value)?;
    let unit = if column.share { " (%)" } else { "" };
    let title = format!("{}{unit}", column.title.get(lang));
    let mut text = String::new();
    // The backend writes into a string; what it cannot draw, it says, and there is then no chart.
    draw(&mut text, drawn, &points, &title).ok()?;
    Some(text.replacen("<svg ", "<svg class=\"chart\" role=\"img\" ", 1))
}

type Failed = Box<dyn std::error::Error>;

fn draw(text: &mut String, drawn: Drawn, points: &[Point], title: &str) -> Result<(), Failed> {
    let fault = |error: &dyn std::fmt::Display| Failed::from(error.to_string());
    let area = SVGBackend::with_string(text, (WIDTH, HEIGHT)).into_drawing_area();
    let font: TextStyle<'_> = ("sans-serif", 12).into_font().into();
    let tops = points.iter().map(|(_, value, ends)| ends.map_or(*value, |(_, high)| high));
    let top = tops.fold(0.0f64, f64::max).max(1e-9) * 1.05;
    let count = points.len();
    let mut builder = ChartBuilder::on(&area);
    builder.margin(8).x_label_area_size(44).y_label_area_size(56);
    let mut chart =
        builder.build_cartesian_2d(0.0..count as f64, 0.0..top).map_err(|e| fault(&e))?;
    let label = |at: &f64| {
        let index = at.floor().max(0.0) as usize;
        let centred = (at - at.floor() - 0.5).abs() < 0.26 || drawn.line;
        let text = points.get(index).filter(|_| centred).map(|(label, _, _)| label.as_str());
        clip(text.unwrap_or_default(), LABEL).into_owned()
    };
    chart
        .configure_mesh()
        .disable_x_mesh()
        .max_light_lines(0)
        // Counts and per cents are whole at the lines; a mean may not be.
        .y_label_formatter(&|value: &f64| {
            if top < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") }
        })
        .x_labels(if drawn.line { 12 } else { 0 })
        .x_label_formatter(&label)
        .y_desc(title)
        .label_style(font.clone())
        .axis_desc_style(font.clone())
        .draw()
        .map_err(|e| fault(&e))?;
    if drawn.line {
        let line =
            points.iter().enumerate().map(|(index, (_, value, _))| (index as f64 + 0.5, *value));
        chart.draw_series(LineSeries::new(line, INK.stroke_width(2))).map_err(|e| fault(&e))?;
    } else {
        let bars = points.iter().enumerate().map(|(index, (_, value, _))| {
            let left = index as f64;
            Rectangle::new([(left + 0.15, 0.0), (left + 0.85, *value)], INK.mix(0.6).filled())
        });
        chart.draw_series(bars).map_err(|e| fault(&e))?;
        let ends = points.iter().enumerate().filter_map(|(index, (_, _, ends))| {
            let (low, high) = (*ends)?;
            let middle = index as f64 + 0.5;
            Some(PathElement::new([(middle, low), (middle, high)], INK.stroke_width(1)))
        });
        chart.draw_series(ends).map_err(|e| fault(&e))?;
        let plane = chart.plotting_area();
        for (index, (label, _, _)) in points.iter().enumerate() {
            // In two rows, so that long names do not cover each other.
            let at = plane.map_coordinate(&(index as f64 + 0.5, 0.0));
            let down = at.1 + 6 + if index % 2 == 1 { 16 } else { 0 };
            let style = font.clone().pos(plotters::style::text_anchor::Pos::new(
                plotters::style::text_anchor::HPos::Center,
                plotters::style::text_anchor::VPos::Top,
            ));
            area.draw_text(&clip(label, if count > 12 { 8 } else { LABEL }), &style, (at.0, down))
                .map_err(|e| fault(&e))?;
        }
    }
    area.present().map_err(|e| fault(&e))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{finding::Words, report::grid::GridColumn};

    #[test]
    fn names_cannot_break_the_drawing() {
        let column = |number| GridColumn {
            name: "x".to_owned(),
            title: Words::new("局", "x"),
            share: false,
            number,
        };
        let row = |name: &str, n| vec![Figure::Text(name.to_owned()), Figure::Count(n)];
        let mut grid = Grid {
            name: "x".to_owned(),
            title: Words::new("", ""),
            note: Words::new("", ""),
            columns: vec![column(false), column(true)],
            rows: vec![row("<script>", 3), row("许银川", 2)],
            drawn: Some(Drawn { label: 0, value: 1, line: false }),
        };
        let svg = svg(&grid, Lang::Zh).unwrap();
        assert!(svg.starts_with("<svg ") && svg.contains("许银川") && !svg.contains("<script>"));
        assert!(svg.matches("<rect").count() >= 2);
        grid.rows.pop();
        assert_eq!(super::svg(&grid, Lang::Zh), None);
    }
}
