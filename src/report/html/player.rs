//! A board that one can step through, beside the moves.

use maud::{Markup, PreEscaped, html};
use serde_json::json;

use crate::{
    board::{Move, Position, Side},
    finding::Lang,
};

use super::{super::svg, say};

/// One ply in the list of moves.
#[derive(Clone, Debug, Default)]
pub(in crate::report) struct Step {
    /// The move; `None` where the board does not follow.
    pub(in crate::report) mv: Option<Move>,
    /// Its text.
    pub(in crate::report) text: String,
    /// Words below it.
    pub(in crate::report) notes: Vec<String>,
    /// A class of the style sheet that sets it apart, such as `fault`.
    pub(in crate::report) class: &'static str,
}

/// The board after `at` plies and the list of moves, with a script that steps through them: arrow keys, Home, End, and a
/// click on a move. Without the script the board and all moves are still there.
pub(in crate::report) fn player(start: &Position, steps: &[Step], at: usize, lang: Lang) -> Markup {
    let played: Vec<Move> = steps.iter().map_while(|step| step.mv).collect();
    let at = at.min(played.len());
    let mut position = start.clone();
    for mv in &played[..at] {
        position.play(*mv);
    }
    let last = at.checked_sub(1).map(|index| played[index]);
    let data = json!({
        "start": start.fen().split(' ').next().unwrap_or_default(),
        "moves": played.iter().map(Move::to_string).collect::<Vec<_>>(),
        "at": at,
    });
    html! {
        section class="player" tabindex="0" {
            div class="view" {
                (svg::board(&position, last, lang))
                div class="buttons" {
                    button type="button" data-go="first" aria-label=(say(lang, "开局", "start")) { "|◀" }
                    button type="button" data-go="back" aria-label=(say(lang, "上一着", "back")) { "◀" }
                    output { (at) " / " (played.len()) }
                    button type="button" data-go="on" aria-label=(say(lang, "下一着", "forward")) { "▶" }
                    button type="button" data-go="last" aria-label=(say(lang, "终局", "end")) { "▶|" }
                    button type="button" data-go="turn" aria-label=(say(lang, "翻转棋盘", "turn the board")) { "⇅" }
                }
                p class="keys" { (say(lang, "← → 逐着，Home End 首尾，f 翻转", "← → step, Home End, f turns the board")) }
            }
            (moves(start, steps, at, lang))
            script type="application/json" class="game" { (PreEscaped(script_safe(&data.to_string()))) }
            script { (PreEscaped(include_str!("player.js"))) }
        }
    }
}

/// The table of rounds; notes stand in rows of their own below the ply.
fn moves(start: &Position, steps: &[Step], at: usize, lang: Lang) -> Markup {
    html! {
        table class="moves" {
            thead {
                tr {
                    th { (say(lang, "回合", "round")) }
                    th { (say(lang, "红方", "Red")) }
                    th { (say(lang, "黑方", "Black")) }
                }
            }
            tbody {
                @for (round, row) in rows(start, steps.len()) {
                    tr {
                        th { (round) }
                        @for cell in row {
                            @match cell.map(|index| (index, &steps[index])) {
                                Some((index, step)) if step.mv.is_some() => td class={ (step.class) @if index + 1 == at { " now" } } data-ply=(index + 1) { (step.text) },
                                Some((_, step)) => td class={ "off " (step.class) } { (step.text) },
                                None => td {},
                            }
                        }
                    }
                    @for index in row.into_iter().flatten() {
                        @for note in &steps[index].notes {
                            tr class="note" { td {} td colspan="2" { (note) } }
                        }
                    }
                }
            }
        }
    }
}

/// The rounds of `plies` plies: each with its number and the plies of Red and Black, from 0.
fn rows(start: &Position, plies: usize) -> Vec<(u32, [Option<usize>; 2])> {
    let shift = usize::from(start.side() == Side::Black);
    let cell = |index: usize| index.checked_sub(shift).filter(|ply| *ply < plies);
    let rounds = (plies + shift).div_ceil(2);
    (0..rounds)
        .map(|row| {
            let number = start.round().saturating_add(u32::try_from(row).unwrap_or(u32::MAX));
            (number, [cell(2 * row), cell(2 * row + 1)])
        })
        .collect()
}

/// JSON that cannot end the script element it stands in.
fn script_safe(json: &str) -> String {
    json.replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_begin_with_the_side_to_move() {
        assert_eq!(rows(&Position::start(), 3), [(1, [Some(0), Some(1)]), (2, [Some(2), None])]);
        let black = Position::from_fen("3k5/9/9/9/9/9/9/9/9/4K4 b - - 0 7").unwrap();
        assert_eq!(rows(&black, 2), [(7, [None, Some(0)]), (8, [Some(1), None])]);
        assert_eq!(rows(&black, 0), [(7, [None, None])]);
    }

    #[test]
    fn nothing_in_the_data_ends_the_script() {
        assert_eq!(script_safe("\"</script>\""), "\"\\u003c/script>\"");
    }
}
