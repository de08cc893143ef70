//! A game written out (棋谱), to be looked at: in the terminal, as a board, as a page.

use maud::html;

use crate::{
    board::{Move, Position, Side},
    finding::{Finding, Lang},
};

use super::{
    GameReport, board,
    html::{self, player, say},
    svg,
    width::{pad, printable_lines, width},
};

/// A game with the texts of its moves.
#[derive(Clone, PartialEq, Debug)]
pub struct GameScore {
    /// What `check` says of it.
    pub report: GameReport,
    /// The start position; `None` if it is not understood.
    pub start: Option<Position>,
    /// What is said before the first move.
    pub preface: Vec<String>,
    /// The main line: as far as it is played with moves, then as it is written without.
    pub plies: Vec<ScorePly>,
}

/// One ply of a main line.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ScorePly {
    /// The move; `None` where it could not be played.
    pub mv: Option<Move>,
    /// Its text.
    pub text: String,
    /// Comments on it.
    pub comments: Vec<String>,
    /// What was played or shown in its place, each a line with its own variations in brackets.
    pub variations: Vec<String>,
}

impl GameScore {
    /// How many plies the board can follow.
    pub fn played(&self) -> usize {
        self.plies.iter().take_while(|ply| ply.mv.is_some()).count()
    }

    /// The position after `ply` plies, and the move that led there; `None` past the moves that were played.
    pub fn after(&self, ply: usize) -> Option<(Position, Option<Move>)> {
        let mut position = self.start.clone()?;
        let mut last = None;
        for ply in self.plies.get(..ply)? {
            let mv = ply.mv?;
            position.play(mv);
            last = Some(mv);
        }
        Some((position, last))
    }

    /// The board after `ply` plies and the moves, for a terminal.
    pub fn text(&self, ply: usize, lang: Lang, color: bool) -> String {
        let mut text = String::new();
        for (name, value) in head(&self.report, lang) {
            text.push_str(&format!("{name}  {}\n", printable_lines(&value)));
        }
        if let Some((position, _)) = self.after(ply) {
            text.push('\n');
            text.push_str(&board::diagram(&position.fen(), lang, color).unwrap_or_default());
            text.push('\n');
        }
        if !self.plies.is_empty() || !self.preface.is_empty() {
            text.push('\n');
        }
        for comment in &self.preface {
            text.push_str(&format!("{}\n", printable_lines(comment)));
        }
        self.rounds(&mut text);
        let result = self.report.result;
        text.push_str(&format!("\n{}  {result}\n", say(lang, "结果", "result")));
        text
    }

    /// The moves round by round; comments and variations below the ply they belong to.
    fn rounds(&self, text: &mut String) {
        let (first, mut round) = match &self.start {
            Some(start) => (start.side(), start.round()),
            None => (Side::Red, 1),
        };
        let column = self.plies.iter().map(|ply| width(&ply.text)).max().unwrap_or(0);
        let mut side = first;
        let mut open = false;
        for ply in &self.plies {
            let cell = printable_lines(&ply.text);
            let notes = ply
                .comments
                .iter()
                .map(|comment| format!("      {}\n", printable_lines(comment)))
                .chain(
                    ply.variations
                        .iter()
                        .map(|line| format!("      ({})\n", printable_lines(line))),
                );
            let notes: String = notes.collect();
            match (side, open) {
                (Side::Red, _) => text.push_str(&format!("{round:>4}. {}", pad(&cell, column))),
                (Side::Black, true) => text.push_str(&format!("  {cell}\n")),
                (Side::Black, false) => {
                    text.push_str(&format!("{round:>4}. {}  {cell}\n", pad("……", column)));
                }
            }
            open = side == Side::Red;
            if !notes.is_empty() {
                if open {
                    trim_line(text);
                }
                text.push_str(&notes);
                open = false;
            }
            round = round.saturating_add(u32::from(side == Side::Black));
            side = side.other();
        }
        if open {
            trim_line(text);
        }
    }

    /// The board after `ply` plies as an SVG document; `None` past the moves that were played.
    pub fn svg(&self, ply: usize, lang: Lang) -> Option<String> {
        let (position, last) = self.after(ply)?;
        Some(svg::document(&position, last, lang))
    }

    /// A page with a board to step through, open after `ply` plies; `None` if there is no start position.
    pub fn html(&self, ply: usize, lang: Lang) -> Option<String> {
        let start = self.start.as_ref()?;
        let steps: Vec<player::Step> = self
            .plies
            .iter()
            .enumerate()
            .map(|(index, ply)| {
                let branches = ply.variations.iter().map(|line| format!("（{line}）"));
                let faulty = |finding: &Finding| {
                    finding.path.is_empty() && finding.ply as usize == index + 1
                };
                player::Step {
                    mv: ply.mv,
                    text: ply.text.clone(),
                    notes: ply.comments.iter().cloned().chain(branches).collect(),
                    class: if self.report.findings.iter().any(faulty) { "fault" } else { "" },
                }
            })
            .collect();
        let title = self.title(lang);
        let body = html! {
            h1 { (title) }
            dl class="head" {
                @for (name, value) in head(&self.report, lang) { dt { (name) } dd { (value) } }
                dt { (say(lang, "结果", "result")) }
                dd { (self.report.result) }
            }
            @for comment in &self.preface { p { (comment) } }
            (player::player(start, &steps, ply, lang))
            @if !self.report.findings.is_empty() {
                h2 { (say(lang, "所见问题", "Findings")) }
                (html::findings::findings(&self.report.findings, 1, lang))
            }
        };
        Some(html::page(&title, lang, body))
    }

    /// Who played whom, or where the game stands.
    fn title(&self, lang: Lang) -> String {
        let name = |key| self.report.tag(key).filter(|name| *name != "?");
        match (name("red"), name("black")) {
            (Some(red), Some(black)) => format!("{red} {} {black}", say(lang, "对", "–")),
            _ => match self.report.tag("title").or_else(|| self.report.tag("event")) {
                Some(title) if title != "?" => title.to_owned(),
                _ => format!("{} {}", self.report.source, self.report.game),
            },
        }
    }
}

/// What stands above the game: name and value.
pub(super) fn head(report: &GameReport, lang: Lang) -> Vec<(&'static str, String)> {
    const KEYS: [(&str, &str, &str); 9] = [
        ("event", "赛事", "event"),
        ("title", "标题", "title"),
        ("site", "地点", "site"),
        ("date", "日期", "date"),
        ("round", "轮次", "round"),
        ("red", "红方", "Red"),
        ("red_team", "红方单位", "Red's team"),
        ("black", "黑方", "Black"),
        ("black_team", "黑方单位", "Black's team"),
    ];
    KEYS.into_iter()
        .filter_map(|(key, zh, en)| {
            let value = report.tag(key)?;
            (value != "?").then(|| (say(lang, zh, en), value.to_owned()))
        })
        .collect()
}

/// Ends the line without the blanks that lead to nothing.
fn trim_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(texts: &[(&str, Option<&str>)]) -> GameScore {
        let plies = texts.iter().map(|(text, mv)| ScorePly {
            text: (*text).to_owned(),
            mv: mv.map(|mv| mv.parse().unwrap()),
            ..ScorePly::default()
        });
        let mut report = GameReport::new("a.pgn", 1);
        report.tags.push(("red".to_owned(), "甲<b>".to_owned()));
        report.tags.push(("black".to_owned(), "乙".to_owned()));
        GameScore {
            report,
            start: Some(Position::start()),
            preface: Vec::new(),
            plies: plies.collect(),
        }
    }

    #[test]
    fn rounds_line_up_and_notes_stand_below() {
        let mut score = score(&[
            ("炮二平五", Some("h2e2")),
            ("马8进7", Some("h9g7")),
            ("马二进三", Some("h0g2")),
        ]);
        score.plies[0].variations.push("兵七进一 卒7进1".to_owned());
        let mut text = String::new();
        score.rounds(&mut text);
        assert_eq!(
            text,
            "   1. 炮二平五\n      (兵七进一 卒7进1)\n   1. ……        马8进7\n   2. 马二进三\n"
        );
    }

    #[test]
    fn names_cannot_break_the_page() {
        let page = score(&[("炮二平五", Some("h2e2"))]).html(1, Lang::Zh).unwrap();
        assert!(page.contains("甲&lt;b&gt; 对 乙"));
        assert!(!page.contains("甲<b>"));
    }

    #[test]
    fn the_board_stops_where_the_moves_stop() {
        let score = score(&[("炮二平五", Some("h2e2")), ("？", None)]);
        assert_eq!(score.played(), 1);
        assert!(score.after(1).is_some());
        assert!(score.after(2).is_none());
        assert!(score.after(9).is_none());
    }
}
